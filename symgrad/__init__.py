"""symgrad: PyTorch's autograd on NumPy and SymPy, where every gradient is also a formula."""

from symgrad import ops, rewrites
from symgrad.expr.dtypes import (
    DTYPES,
    bool_,
    complex64,
    complex128,
    dtype,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    set_default_dtype,
    uint8,
)
from symgrad.explain import explain
from symgrad.expr.node import leaf
from symgrad.public import FUNCTIONS
from symgrad.tensor import Tensor

globals().update(FUNCTIONS)
bool = bool_  # noqa: A001 - PyTorch's name
