"""PyTorch's `torch.utils.dlpack`."""

from symgrad.support.homes import at_home
from symgrad.tensor.dlpack import DLDeviceType, from_dlpack, to_dlpack

__all__ = ["DLDeviceType", "from_dlpack", "to_dlpack"]

at_home(__name__, **{name: globals()[name] for name in __all__})
