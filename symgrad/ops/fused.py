"""Sums of products that PyTorch records as one operation: `lerp`, `addcmul`, `addcdiv`.

Such sums of matrix products are in `affine`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, dtype, no_kernel, number_as
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.expr.shapes import Shape
from symgrad.ops.arithmetic import div, mul
from symgrad.ops.composite import Pointwise, times
from symgrad.ops.elementwise import Elementwise, scaled
from symgrad.ops.primitive import Computation, Cotangents
from symgrad.ops.samples import ANY, COLUMN

_INTEGER_DIVISION = (
    "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will "
    "perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be "
    "implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer "
    "inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv "
    "behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all "
    "dtypes."
)


class lerp(Elementwise):
    """`x + w*(y - x)`, all of one dtype, unless `w` has no axes."""

    keeps_repeated = True
    calculates_with_bools = True
    ulps = 4
    arity = 3
    refuses = (Category.BOOL, Category.INT)
    kernel_name = "lerp_kernel_tensor"
    scalar = lambda x, y, w: x + w * (y - x)  # noqa: E731

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, *rest = operands
        for name, y in zip(("end", "weight"), rest, strict=True):
            promoted = name == "weight" and not y.shape
            if not (y.weak or x.weak or promoted) and y.dtype is not x.dtype:
                raise RuntimeError(
                    f"expected dtype {x.dtype.cpp_name} for `{name}` but got dtype "
                    f"{y.dtype.cpp_name}"
                )
        _refuse_complex(rest[1], x.dtype)
        if rest[1].weak and x.dtype.category < Category.FLOAT:
            raise no_kernel("lerp_kernel_scalar", x.dtype)
        return super().infer(*operands)

    def implementation(self) -> Computation:
        return _LERP, {}, self.operands

    def partials(self, x: ArrayExpr, y: ArrayExpr, w: ArrayExpr) -> Sequence[Any]:
        return lambda: 1 - w, w, lambda: y - x

    samples = [(ANY, COLUMN, 0.25), (ANY, np.array(0.7), np.array([0.2, 0.5, 0.9]))]


def _lerp(x, y, w):  # type: ignore[no-untyped-def]
    # The sum begins at the nearer end, so that w = 1 gives y itself.
    return np.where(np.abs(w) < 0.5, x + w * (y - x), y - (y - x) * (1 - w))


_LERP = Kernel.from_function(
    _lerp,
    rows=local,
    number_systems={
        s: np.frompyfunc(lambda x, y, w: x + w * (y - x), 3, 1) for s in ("sympy", "mpmath")
    },
)


class _Fused(Elementwise, abstract=True):
    """A sum with a product or quotient and a factor, which is an operand since it may vary."""

    arity = 4
    keeps_repeated = True
    #: The operation on the second and third operand.
    combines: ClassVar[type[Elementwise]]

    jvp = Elementwise.jvp

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        """Return cotangents that share the product of `ct` and the factor."""
        _, y, z, value = self.precise_operands()
        pair, share = self.combines(y, z), scaled(ct, value, conjugate=True)
        assert share is not None
        parts = pair.vjp(share, needs[1:3])
        of_value = scaled(ct, pair, conjugate=True) if needs[3] else None
        return [ct if needs[0] else None, *parts, of_value]

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        shape, kind = super().infer(*operands[:3])
        _refuse_complex(operands[3], kind)
        return shape, kind

    def notation(self) -> Notation:
        form = super().notation()  # the public function takes the factor by keyword
        return form._replace(text=form.text.replace("{3}", "value={3}"))

    samples = [(ANY, COLUMN, ANY, 2), (np.array(0.7), ANY, np.array(1.5), 0.37)]


class addcmul(_Fused, Pointwise):
    """`x + value*y*z`."""

    ulps = 0
    combines = mul
    refuses = (Category.BOOL,)
    kernel_name = "addcmul_cpu_out"
    # NumPy lays the result of this out as PyTorch does, also where a factor 1 is left out below.
    kernel = Kernel(
        "addcmul", lambda x, y, z, value: x + value * y * z, "{0} + {3} * {1} * {2}", rows=local
    )

    @classmethod
    def composed(cls, x: Any, y: Any, z: Any, value: Any) -> Any:
        return x + times(value, y) * z

    def partials(self, x: ArrayExpr, y: ArrayExpr, z: ArrayExpr, value: ArrayExpr) -> Sequence[Any]:
        return 1, lambda: times(value, z), lambda: times(value, y), lambda: y * z


class addcdiv(_Fused):
    """`x + value*y/z`.

    It states its derivatives, since that of the formula reads `value*y`, which underflows where they
    do not.
    """

    ulps = 0
    combines = div
    result = "float"
    scalar = lambda x, y, z, value: x + value * y / z  # noqa: E731
    kernel = Kernel(
        "addcdiv", lambda x, y, z, value: x + value * y / z, "{0} + {3} * {1} / {2}", rows=local
    )

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        _, y, z, _ = operands
        if max(y.dtype.category, z.dtype.category) < Category.FLOAT:
            raise RuntimeError(_INTEGER_DIVISION)
        return super().infer(*operands)

    def partials(self, x: ArrayExpr, y: ArrayExpr, z: ArrayExpr, value: ArrayExpr) -> Sequence[Any]:
        return 1, lambda: value / z, lambda: -(y / z / z * value), lambda: y / z


def _refuse_complex(number: Any, kind: dtype) -> None:
    """Raise PyTorch's error where a complex `number` meets operands of a real `kind`."""
    if number.weak and number.dtype.is_complex and not kind.is_complex:
        number_as(1j, kind)
