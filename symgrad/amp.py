"""PyTorch's `amp`: mixed precision, off as on a machine without GPUs, and factors of losses."""

from symgrad.around.mixed import autocast, custom_bwd, custom_fwd, is_autocast_available
from symgrad.around.scaling import GradScaler
from symgrad.support.absent import refused

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

__getattr__ = refused("amp")
