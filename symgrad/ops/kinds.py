"""Base classes for operations of several families, which derive rules from a fact or two.

`Linear` is in `primitive`, `Elementwise` in `elementwise`, `Composite` in `composite`.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from numeric.kernel import Kernel
from numeric.long_arrays import FEWEST
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.ops.broadcasting import zeros
from symgrad.ops.elementwise import Elementwise, with_numbers
from symgrad.ops.primitive import BESIDE, Computation, Cotangents, Primitive


class Passing(Elementwise, abstract=True):
    """A function whose derivative is a map of tangents, not always a factor.

    A subclass states `passed(i, t)`, the tangent of the result for the tangent `t` of operand `i`,
    and `pulled(i, ct)`, the cotangent of operand `i` for that of the result, where this is another
    map. Both are linear over the real numbers, and adjoint.
    """

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        """Return the tangent of the result; None for zero everywhere."""
        raise NotImplementedError(f"{type(self).__name__} states no passed()")

    def pulled(self, i: int, ct: ArrayExpr) -> ArrayExpr | None:
        """Return the cotangent of operand `i`, by default `passed(i, ct)`."""
        return self.passed(i, ct)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return [self.pulled(i, ct) if need else None for i, need in enumerate(needs)]

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        parts = [self.passed(i, t) for i, t in enumerate(tangents) if t is not None]
        terms = [x for x in parts if x is not None]
        return functools.reduce(operator.add, terms) if terms else None


class OfMany(Elementwise, abstract=True):
    """A function for which there are quicker kernels of many elements.

    The size of the whole result says which one runs, so that blocks of it have the same digits.
    """

    #: Those kernels, by the dtype of the result.
    of_many: ClassVar[Mapping[dtype, Kernel]]
    #: Returns whether they are quicker on this processor.
    quicker: ClassVar[Callable[[], bool]] = staticmethod(lambda: True)

    def __init_subclass__(cls, abstract: bool = False, **kwargs: Any) -> None:
        super().__init_subclass__(abstract=abstract, **kwargs)
        if "of_many" in cls.__dict__:
            systems = cls.kernel.number_systems
            cls.of_many = {kind: with_numbers(k, systems) for kind, k in cls.of_many.items()}

    def implementation(self) -> Computation:
        kernel = self.of_many.get(self.dtype)
        size = 0 if kernel is None else size_of(self.shape)
        # A named size is known when the program runs.
        if kernel is not None and type(size) is int and size >= FEWEST and type(self).quicker():
            return kernel, {}, self.operands
        return super().implementation()


class Choosing(Passing, abstract=True):
    """A function that selects elements of its operands, such as `relu` and `maximum`.

    Its derivative by an operand is 1 where the operand is selected and 0 elsewhere: `passed(i, t)`
    is `t` where operand `i` is selected, else 0.
    """

    poles: ClassVar[tuple[int, ...] | None] = ()


class Tuned(Passing, abstract=True):
    """A function of one array with numbers as parameters, such as the alpha of `elu`.

    A subclass states `weighed(t)`, t times the derivative. The numbers are operands, so that one
    plan serves all their values. They never decide the dtype, and have no derivative.
    """

    internal = True
    decisive = 1

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        """Return `t` times the derivative."""
        raise NotImplementedError(f"{type(self).__name__} states no weighed()")

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        return self.weighed(t) if i == 0 else None


class Beside(Primitive, abstract=True):
    """A part of the derivative of an operation that is computed from its result, too.

    The result is among the operands, so that the kernel is right only beside the operation, and the
    class is not among the primitives.
    """

    internal = True
    #: How many operands decide shape and dtype; None for all.
    decisive: ClassVar[int | None] = None
    #: Whether an element of the result is a function of the same element of each of these alone.
    by_element: ClassVar[bool] = True

    def __init_subclass__(cls, abstract: bool = True, **kwargs: Any) -> None:
        super().__init_subclass__(abstract=True, **kwargs)
        BESIDE[cls.__name__] = cls

    def moved_by_arrays(self) -> ArrayExpr:
        """Return the same, whose tangent can be computed of arrays, without formulas of operands."""
        return self


class OfResult(Beside, Elementwise):
    """A function g(y) of `y = f(x)`, computed from `x`, since digits of x are lost in y.

    The operands are `x` and `y`; the kernel reads `x`. For derivatives it is a function of `y`
    alone, as PyTorch's derivative is, so that a hook on `y` sees what leads through g.
    """

    poles = ()
    arity = 2
    unreached = (0,)
    refuses: ClassVar[tuple[int, ...]] = (Category.COMPLEX,)

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 0, lambda: self.slope(x, y)

    def implementation(self) -> Computation:
        return self.kernel, {}, self.operands[:1]

    def slope(self, x: ArrayExpr, y: ArrayExpr) -> Any:
        """Return the derivative with respect to `y`."""
        raise NotImplementedError(f"{type(self).__name__} states no slope()")


class Steady(Elementwise, abstract=True):
    """A stable form of `y = f(x)` with the operands `x` and `y`, differentiated in place of `f(x)`.

    A subclass states `slope`, the derivative as an `OfResult`, with the digits that a formula of
    `y` alone, as `y*(1 - y)`, would lose. A `Steady` node itself never occurs in a formula.
    """

    arity = 2
    internal = True
    slope: ClassVar[type[OfResult]]

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return lambda: self.slope.of(x, y), 0


class Fixed(Primitive, abstract=True):
    """An operation that is linear in its first operands; the others are indices."""

    #: The number of operands in which it is linear.
    linear: ClassVar[int] = 1

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        moved = list(zip(tangents, self.operands, strict=True))[: self.linear]
        if all(t is None for t, _ in moved):
            return None
        filled = [zeros(x.shape, x.dtype) if t is None else t for t, x in moved]
        return self.with_operands([*filled, *self.operands[self.linear :]])
