"""Exact coefficients of normal forms: integers, and fractions where they must be."""

from __future__ import annotations

import functools
import math
from collections.abc import Collection
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from symgrad.expr.dtypes import Category, dtype, float16

#: An integer, or a `Fraction` where it must be.
Number: TypeAlias = Any


class NotOpen(Exception):  # noqa: N818 - it is no error
    """Raised where a node turns out to be a factor that the normal form does not look into."""


def opens(kind: dtype) -> bool:
    """Return whether the normal form looks into operations of a dtype.

    Those of float16 compute in a wider dtype, so that their order counts.
    """
    return kind.category >= Category.FLOAT and kind is not float16


@functools.lru_cache(maxsize=16)
def _largest_exponent(kind: dtype) -> int:
    """Return the power of two up to which a dtype holds products of two coefficients."""
    if kind.category < Category.FLOAT:
        return 64
    return int(np.finfo(kind.numpy).maxexp) // 2 - 12


def checked(c: Number, kind: dtype) -> Number:
    """Return a coefficient, if a dtype holds it and its reciprocal far from the limits.

    Raises
    ------
    NotOpen
        If not, or if it has so many digits that computing with it is slow.
    """
    if type(c) is int and -(1 << 32) < c < 1 << 32:
        return c
    above, below = abs(c.numerator), c.denominator
    most = _largest_exponent(kind)
    if above and abs(above.bit_length() - below.bit_length()) >= most:
        raise NotOpen
    if below.bit_length() > 1000:
        raise NotOpen
    return above if below == 1 and c > 0 else c


def exact(value: Any) -> Number | None:
    """Return a Python number as a coefficient, None for one that stays a factor.

    That is 0, which makes nan of infinity, what is infinite, nan or complex, and exact numbers.
    """
    if type(value) not in (int, float) or value == 0 or not -1e15 < value < 1e15:
        return None
    return int(value) if value == int(value) else Fraction(value)


def ratio(a: Number, b: Number) -> Number:
    """Return a quotient."""
    if b == 1:
        return a
    c = Fraction(a, b)
    return c.numerator if c.denominator == 1 else c


def power(c: Number, n: int) -> Number:
    """Return a whole power."""
    return c**n if n >= 0 else ratio(1, c**-n)


def content_of(numbers: Collection[Number]) -> Number:
    """Return the largest positive number of which all are whole multiples.

    It is 1 where numbers have many digits, which they owe to a float.
    """
    sizes = {abs(c) for c in numbers}
    if len(sizes) == 1:
        return sizes.pop()
    if any(c.numerator >= 1 << 20 or c.denominator >= 1 << 20 for c in sizes):
        return 1
    below = math.lcm(*[c.denominator for c in sizes])
    return ratio(math.gcd(*[int(c * below) for c in sizes]), below)
