"""PyTorch's face of `symgrad.ops.scans`."""

from symgrad.ops.scans import RunningExtreme, cumprod, logcumsumexp, prod
from symgrad.record.face import along_axis, shows

shows(cumprod, keeps=(0, 1), frees=True)
shows(prod, name=along_axis("Prod"), keeps=(0, 1), frees=True)
shows(logcumsumexp, frees=True)
shows(RunningExtreme, keeps=(0,))
