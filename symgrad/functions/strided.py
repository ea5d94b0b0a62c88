"""PyTorch's face of `symgrad.ops.strided`."""

from symgrad.ops.strided import entries_strided, narrow_copy
from symgrad.record.face import shows

shows(entries_strided, name="AsStrided")
shows(narrow_copy, name="NarrowCopy")
