"""Conversions between degrees and radians."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.samples import ANY, COLUMN


class _Conversion(Elementwise, abstract=True):
    """A multiplication by a constant."""

    result = "float"
    refuses = (Category.COMPLEX,)
    scale: sympy.Expr

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        return RuntimeError(f"{cls.__name__} is not supported for complex tensors.")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (self.scale,)

    samples = [(ANY,), (np.array(0.7),), (COLUMN,)]


class deg2rad(_Conversion):
    """Return angles given in degrees in radians.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.deg2rad(torch.tensor([180.0, -90.0]))
    tensor([ 3.1416, -1.5708])
    """

    ufuncs = ("radians",)
    ulps = 4
    scale = sympy.pi / 180
    scalar = lambda x: x * sympy.pi / 180  # noqa: E731
    kernel = Kernel.from_ufunc(np.deg2rad)


class rad2deg(_Conversion):
    """Return angles given in radians in degrees.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.rad2deg(torch.tensor([3.1416, -1.5708]))
    tensor([180.0004, -90.0002])
    """

    ufuncs = ("degrees",)
    ulps = 4
    scale = 180 / sympy.pi
    scalar = lambda x: x * 180 / sympy.pi  # noqa: E731
    kernel = Kernel.from_ufunc(np.rad2deg)
