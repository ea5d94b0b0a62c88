"""What depends on how floats are held: exponents of two, neighbours, powers in double precision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, complex128, dtype, float64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops.kinds import Choosing
from symgrad.ops.powers import pow
from symgrad.ops.primitive import Elementwise, argument_error, bind, scaled
from symgrad.ops.samples import ANY, COLUMN
from symgrad.ops.where import where
from symgrad.schema.public import in_place, public

__all__ = ["ldexp", "nextafter"]


class ldexp(Elementwise):
    """Return `input * 2**other`, broadcast; exact of floats and integer exponents.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.ldexp(torch.tensor([1.0, 3.0]), torch.tensor([3, -1]))
    tensor([8.0000, 1.5000])
    >>> torch.ldexp(torch.tensor([1e-30]), torch.tensor([200]))
    tensor([1.6069e+30])
    """

    in_place = "function"
    ulps = 4
    arity = 2
    result = "float"
    scalar = lambda x, y: x * 2**y  # noqa: E731
    kernel = Kernel("ldexp", lambda x, y: x * 2.0**y, "{0} * 2.0**{1}", rows=local)

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, y = operands
        if x.dtype.is_floating_point and y.dtype.category == Category.BOOL:
            raise NotImplementedError("\"ldexp_cpu_exp\" not implemented for 'Bool'")
        return super().infer(*operands)

    @property
    def _exact(self) -> bool:
        """Whether a float is scaled by an integer power."""
        x, y = self.operands
        whole = y.dtype.category == Category.INT
        return whole and x.dtype is self.dtype and self.dtype.is_floating_point

    def compute_dtype(self) -> dtype | None:
        return None if self._exact else self.dtype

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        return (_EXACT if self._exact else self.kernel), {}, self.operands

    def _raised(self, t: ArrayExpr, exponent: ArrayExpr) -> ArrayExpr:
        # A number has no precision of its own: with an integer it would get the default one.
        return ldexp.of(t.to(self.dtype) if t.weak else t, exponent)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        y = self.operands[1]
        exponent = y.conj() if y.dtype.is_complex else y
        return (
            self._raised(ct, exponent) if needs[0] else None,
            scaled(ct, self * sympy.log(2), conjugate=True) if needs[1] else None,
        )

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        s, t = tangents
        moved = None if s is None else self._raised(s, self.operands[1])
        if t is None:
            return moved
        raised: ArrayExpr = t * (self * sympy.log(2))
        return raised if moved is None else moved + raised

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(ANY, COLUMN), (ANY, np.array([3, 0, -2])), (np.array(0.7), np.array(1.3))]


@in_place("ldexp")
def _ldexp_in_place(self: Any, other: Any) -> Any:
    if not hasattr(other, "dtype"):
        raise argument_error(ldexp, (self, other), 1)
    if self.dtype.category < Category.FLOAT:
        kind = self.dtype.scalar_name
        raise RuntimeError(f"ldexp can't be cast to the desired output type {kind}")
    return bind(ldexp, (self, other))


_EXACT = Kernel.from_ufunc(np.ldexp)


class nextafter(Choosing):
    """Return the number next to `input` in the direction of `other`, broadcast.

    The derivative with respect to `input` is 1, and 0 where both are equal.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 1.0])
    >>> torch.nextafter(x, torch.tensor([2.0, 0.0])) - x
    tensor([ 1.1921e-07, -5.9605e-08])
    """

    ulps = 0
    arity = 2
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)
    kernel = Kernel.from_ufunc(np.nextafter)

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        x, y = self.operands
        return None if i else where.of(x.eq(y), 0, t)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(ANY, COLUMN), (np.array([0.7, 1.5]), np.array(1.5))]


@public(
    "float_power(Tensor self, Tensor exponent, *, Tensor? out=None) -> Tensor",
    "float_power(Scalar self, Tensor exponent, *, Tensor? out=None) -> Tensor",
    "float_power(Tensor self, Scalar exponent, *, Tensor? out=None) -> Tensor",
    in_place="method",
)
def _float_power(input: Any, exponent: Any) -> Any:
    """Return `input` to the power `exponent`, computed in float64, or complex128 of complex ones.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.float_power(torch.tensor([1, 2, 3]), -2)
    tensor([1.0000, 0.2500, 0.1111], dtype=torch.float64)
    """
    kind = _wide_kind(input, exponent)
    return bind(pow, (_widened(input, kind), _widened(exponent, kind)))


@in_place("float_power")
def _float_power_in_place(self: Any, exponent: Any) -> Any:
    kind = _wide_kind(self, exponent)
    if self.dtype is not kind:
        raise RuntimeError(
            f"the base given to float_power_ has dtype {self.dtype.scalar_name} but the "
            f"operation's result requires dtype {kind.scalar_name}"
        )
    return _float_power(self, exponent)


def _wide_kind(*operands: Any) -> dtype:
    kinds = [_is_complex(x) for x in operands]
    return complex128 if any(kinds) else float64


def _has_dtype(x: Any) -> bool:
    """Whether an operand is a tensor or a formula; NumPy's numbers have dtypes of their own."""
    return hasattr(x, "dtype") and not isinstance(x, (np.generic, np.ndarray))


def _is_complex(x: Any) -> bool:
    if _has_dtype(x):
        return bool(x.dtype.is_complex)
    return isinstance(x, complex)


def _widened(x: Any, kind: dtype) -> Any:
    if _has_dtype(x):
        return x.to(kind)
    return complex(x) if kind is complex128 else float(x)
