"""Largest and smallest elements: their values, and where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, bool_, dtype, int64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.expr.shapes import Shape, reduced_shape
from symgrad.ops import symbols
from symgrad.ops.axes import Axes, Reduction, along
from symgrad.ops.broadcasting import zeros
from symgrad.ops.entries import Index, Indices, Reading, with_entry
from symgrad.ops.kinds import Passing
from symgrad.ops.primitive import Computation, Cotangents, Primitive, no_derivative_but
from symgrad.ops.reduction import sum
from symgrad.ops.results import Several
from symgrad.ops.samples import TABLE
from symgrad.ops.where import where

_TIES = np.array([[1.0, 3.0, 3.0], [3.0, 2.0, 3.0]])


class attains(Passing):
    """Whether an element is the given extreme value: equal to the value, or nan where the value is."""

    result = "bool"
    differentiable = False
    keeps_history = False
    internal = True
    kernel = Kernel(
        "attains", lambda x, m: (x == m) | ((x != x) & (m != m)),
        "({0} == {1}) | (({0} != {0}) & ({1} != {1}))", rows=local,
    )  # fmt: skip
    printed = Notation(
        "isclose({0}, {1}, rtol=0, atol=0, equal_nan=True)", r"\left[{0} = {1}\right]"
    )

    def element(self, *operands: Any) -> Any:
        return sympy.Eq(*operands)

    def passed(self, i: int, t: ArrayExpr) -> None:
        return None

    samples = [(_TIES, np.array(3.0)), (np.array([np.nan, 1.0]), np.array(np.nan))]


def _refuse_empty(
    name: str, shape: Shape, axis: Axes, error: type[Exception] | None = None
) -> None:
    if axis is None:
        if 0 in shape:
            raise (error or RuntimeError)(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
                + ("" if error else " Specify the reduction dim with the 'dim' argument.")
            )
        return
    for a in axis:
        if shape and shape[a] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {a} to have non-zero size.")


def shared(node: Reduction, extreme: ArrayExpr, ct: ArrayExpr) -> ArrayExpr:
    """Return the cotangent `ct` of an extreme, shared among the elements that attain it."""
    mask = attains.of(node.operands[0], node.with_reduced_axes(extreme))
    share = ct / sum.of(mask, node.axes, node.keepdims)
    return where.of(mask, node.with_reduced_axes(share), 0)


class Extreme(Reduction, abstract=True):
    """The largest or smallest element along axes; where several tie, they share the gradient."""

    refuses = (Category.COMPLEX,)

    @classmethod
    def infer(cls, x: Any, axis: Axes, keepdims: bool) -> tuple[Shape, dtype]:
        _refuse_empty(cls.public_name or cls.__name__, x.shape, axis)
        cls.refuse(x.dtype)
        return super().infer(x, axis, keepdims)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return (shared(self, self, ct),)

    def singular(self) -> Sequence[tuple[str, ArrayExpr]]:
        mask = attains.of(self.operands[0], self.with_reduced_axes(self))
        alone: ArrayExpr = sum.of(mask, self.axes, self.keepdims) <= 1
        return (("kink", alone.to(self.dtype)),)

    samples = [(TABLE, (0, 1), False), (_TIES, (1,), True), (_TIES, (0,), False)]


_LARGEST = Kernel(
    "max", np.maximum.reduce, "np.maximum.reduce({0}, axis={axis}, keepdims={keepdims})",
    out=True, rows=along, number_systems=symbols.reducing(symbols.largest),
)  # fmt: skip
_SMALLEST = Kernel(
    "min", np.minimum.reduce, "np.minimum.reduce({0}, axis={axis}, keepdims={keepdims})",
    out=True, rows=along, number_systems=symbols.reducing(symbols.smallest),
)  # fmt: skip


class amax(Extreme):
    ufuncs = ("maximum.reduce",)
    kernel_name = "max_values_cpu"
    kernel = _LARGEST
    latex_name = r"\max"


class amin(Extreme):
    ufuncs = ("minimum.reduce",)
    kernel_name = "min_values_cpu"
    kernel = _SMALLEST
    latex_name = r"\min"


class OfAll(Extreme, abstract=True):
    """The largest or smallest of all elements."""

    #: The same over some of the axes.
    over_axes: ClassVar[type[Extreme]]

    samples = [(TABLE, None, False), (_TIES, None, False)]

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return self.over_axes.of(operands[0], tuple(a + 1 for a in self.axes), False)


class max(OfAll):
    kernel_name = "max_all"
    over_axes = amax
    kernel = _LARGEST
    latex_name = r"\max"


class min(OfAll):
    kernel_name = "min_all"
    over_axes = amin
    kernel = _SMALLEST
    latex_name = r"\min"


def _both(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    low = np.minimum.reduce(x, axis=axis, keepdims=keepdims)
    return low, np.maximum.reduce(x, axis=axis, keepdims=keepdims)


class aminmax(Several, Reduction):
    """The smallest and the largest element along axes; equal ones share the gradient."""

    results = ("min", "max")
    kernel = Kernel.from_function(
        _both,
        rows=along,
        number_systems=symbols.together(_SMALLEST.number_systems, _LARGEST.number_systems),
    )

    @classmethod
    def infer(cls, x: Any, axis: Axes, keepdims: bool) -> tuple[Any, Any]:
        return tuple(zip(*[low.infer(x, axis, keepdims) for low in (amin, amax)], strict=True))  # type: ignore[return-value]

    def alone(self, index: int) -> Computation | None:
        _, params, operands = self.implementation()
        return (_SMALLEST, _LARGEST)[index], params, operands

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        parts = [shared(self, x, ct) for x, ct in zip(self, cts, strict=True) if ct is not None]
        return (parts[0] if len(parts) == 1 else parts[0] + parts[1],)

    samples = [(TABLE, None, False), (_TIES, (1,), True), (_TIES, (0,), False)]


class Position(Reduction, abstract=True):
    """Where along one axis (or in the flattened array) an extreme element stands: the first."""

    differentiable = False
    cut = no_derivative_but("softmax()")

    @classmethod
    def infer(cls, x: Any, axis: int | None, keepdims: bool) -> tuple[Shape, dtype]:
        name = cls.__name__
        if x.dtype.is_complex or x.dtype is bool_:
            kind = "complex" if x.dtype.is_complex else "bool"
            raise RuntimeError(f"{name}(): does not support {kind} input")
        _refuse_empty(name, x.shape, None if axis is None else (axis,), IndexError)
        axes = tuple(range(len(x.shape))) if axis is None else (axis,)
        return reduced_shape(x.shape, axes, keepdims), int64

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        cls = type(self)
        if self.axis is not None and self.operands[0].shape:
            return cls.of(x, self.axis + 1, self.keepdims)
        return cls.of(x.reshape((size, self.operands[0].size)), 1, False).reshape(
            (size, *self.shape)
        )

    samples = [(TABLE, None, False), (TABLE, 1, True), (_TIES, 0, False)]


class argmax(Position):
    kernel = Kernel(
        "argmax", np.argmax, "np.argmax({0}, axis={axis}, keepdims={keepdims})", rows=along,
        number_systems=symbols.reducing(symbols.first_largest),
    )  # fmt: skip


class argmin(Position):
    kernel = Kernel(
        "argmin", np.argmin, "np.argmin({0}, axis={axis}, keepdims={keepdims})", rows=along,
        number_systems=symbols.reducing(symbols.first_smallest),
    )  # fmt: skip


def _stands_at(index, *, axis, length):  # type: ignore[no-untyped-def]
    shape = [1] * index.ndim
    shape[axis] = length
    return np.arange(length).reshape(shape) == index


def _stands_at_formulas(index: Any, *, axis: int, length: int) -> Any:
    shape = [length if a == axis else 1 for a in range(index.ndim)]
    return np.frompyfunc(sympy.Eq, 2, 1)(index, np.arange(length).astype(object).reshape(shape))


class stands_at(Primitive):
    """A mask that is true at `index` along `axis`, which has length one in `index`."""

    params = ("axis", "length")
    differentiable = False
    internal = True
    kernel = Kernel.from_function(
        _stands_at, rows=along, number_systems={"sympy": _stands_at_formulas}
    )

    @classmethod
    def infer(cls, index: Any, axis: int, length: int) -> tuple[Shape, dtype]:
        shape = index.shape
        return (*shape[:axis], length, *shape[axis + 1 :]), bool_

    def entry(self, index: Index, b: Indices) -> Reading:
        place = yield self.operands[0], with_entry(index, self.axis, 0)
        return sympy.Eq(place, index[self.axis])

    samples = [(np.array([[2, 0]]), 0, 3), (np.array([[1], [0]]), 1, 4)]


class Located(Several, abstract=True):
    """Chosen elements along an axis, and where each of them stands in the operand."""

    results = ("values", "indices")
    #: How one of both is computed where nobody wants the other; None where there is no better way.
    values_kernel: ClassVar[Kernel | None] = None
    places_kernel: ClassVar[Kernel | None] = None

    def alone(self, index: int) -> Computation | None:
        kernel = (self.values_kernel, self.places_kernel)[index]
        _, params, operands = self.implementation()
        return None if kernel is None else (kernel, params, operands)

    def batch(
        self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]
    ) -> Sequence[ArrayExpr]:
        (x,), (axis, *rest) = operands, self.param_values
        if not self.operands[0].shape:  # one number each, which stands at 0
            return [x, zeros(x.shape, int64)]
        made: Any = self.of(x, axis + 1, *rest)
        return list(made)


class OneExtreme(Located, Reduction, abstract=True):  # type: ignore[misc]
    """One element along an axis, which gets the whole gradient although others may be equal."""

    refuses: ClassVar[tuple[int, ...]] = (Category.COMPLEX,)
    #: What PyTorch's errors call the operation, where that is not its public name.
    error_name: ClassVar[str] = ""

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        if cls.kernel_name:
            return super().refused(kind)
        return RuntimeError(f"{cls.public_name}(): does not support complex input")

    @classmethod
    def infer(cls, x: Any, axis: int, keepdims: bool, *rest: Any) -> tuple[Any, Any]:
        _refuse_empty(cls.error_name or cls.public_name, x.shape, (axis,))
        cls.refuse(x.dtype)
        shape = reduced_shape(x.shape, (axis,), keepdims)
        return (shape, shape), (x.dtype, int64)

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        (x,), ct = self.operands, cts[0]
        assert ct is not None, "places have no derivative"
        if not x.shape:
            return (ct,)
        axis = self.axis
        shape = reduced_shape(x.shape, (axis,), True)
        mask = stands_at.of(self[1].reshape(shape), axis, x.shape[axis])
        return (where.of(mask, ct.reshape(shape), 0),)

    samples = [(TABLE, 1, False), (TABLE, 0, True), (_TIES, 1, False), (np.array(1.5), 0, False)]


def _largest(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    values = np.maximum.reduce(x, axis=axis, keepdims=keepdims)
    return values, np.argmax(x, axis=axis, keepdims=keepdims)


def _smallest(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    values = np.minimum.reduce(x, axis=axis, keepdims=keepdims)
    return values, np.argmin(x, axis=axis, keepdims=keepdims)


class max_dim(OneExtreme):
    kernel = Kernel.from_function(
        _largest,
        rows=along,
        number_systems=symbols.together(_LARGEST.number_systems, argmax.kernel.number_systems),
    )
    values_kernel = _LARGEST
    places_kernel = argmax.kernel
    public_name = "max"
    latex_name = r"\max"


class min_dim(OneExtreme):
    kernel = Kernel.from_function(
        _smallest,
        rows=along,
        number_systems=symbols.together(_SMALLEST.number_systems, argmin.kernel.number_systems),
    )
    values_kernel = _SMALLEST
    places_kernel = argmin.kernel
    public_name = "min"
    latex_name = r"\min"
