"""PyTorch's `torch.utils.dlpack`."""

from symgrad.tensor.dlpack import DLDeviceType, from_dlpack, to_dlpack

__all__ = ["DLDeviceType", "from_dlpack", "to_dlpack"]
