"""Divisors and multiples of integers, which have no derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category
from symgrad.expr.node import ArrayExpr
from symgrad.ops.elementwise import Elementwise


class _OfIntegers(Elementwise, abstract=True):
    in_place = "function"
    arity = 2
    differentiable = False
    refuses = (Category.BOOL, Category.FLOAT, Category.COMPLEX)

    def element(self, *operands: Any) -> Any:
        if not all(x.is_number for x in operands):
            raise ValueError(f"SymPy has no function for {type(self).__name__} of integers")
        return self.scalar(*operands)

    def partials(self, *operands: ArrayExpr) -> Sequence[Any]:
        return 0, 0

    samples = [(np.array([12, -18, 0]), np.array([[8], [27]])), (np.array([6, 4]), 10)]


class gcd(_OfIntegers):
    """Return the greatest common divisor of `input` and `other`, broadcast; it is not negative.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.gcd(torch.tensor([12, -18, 0]), torch.tensor([8, 27, 0]))
    tensor([4, 9, 0])
    """

    scalar = sympy.gcd  # for symbols it is the one of polynomials
    kernel = Kernel.from_ufunc(np.gcd)


class lcm(_OfIntegers):
    """Return the least common multiple of `input` and `other`, broadcast; it is not negative.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.lcm(torch.tensor([4, -6, 0]), torch.tensor([6, 4, 5]))
    tensor([12, 12,  0])
    """

    scalar = sympy.lcm  # for symbols it is the one of polynomials
    kernel = Kernel.from_ufunc(np.lcm)
