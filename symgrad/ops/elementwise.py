"""Operations on each element, with broadcasting: `Elementwise`."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import mpmath
import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import (
    Category,
    bool_,
    dtype,
    float16,
    float32,
    result_dtype,
    to_float,
)
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, braces
from symgrad.expr.shapes import Shape, broadcast_shapes, size_of
from symgrad.expr.written import scalar_latex
from symgrad.ops.entries import Index, Indices, Reading, fitted
from symgrad.ops.matrices import Matrices, MatrixReading, MatrixValue, NoMatrix
from symgrad.ops.primitive import Cotangents, Primitive, Rows
from symgrad.ops.scalars import partials_of
from symgrad.ops.terms import Terms


class Elementwise(Primitive, abstract=True):
    """An operation on each element, with broadcasting.

    States `kernel` and either `scalar`, a SymPy function from which the derivatives follow, or
    `partials`. `result` says how the dtype follows: "promote" (arithmetic), "float" (integers
    become the default floating dtype), "bool" (comparisons).
    """

    __slots__ = ()

    keeps_symmetry = True
    #: Its mathematics: a callable from SymPy scalars to a SymPy scalar.
    scalar: ClassVar[Any] = None
    #: The function of SymPy's that becomes this operation, where that does not follow from `scalar`,
    #: which is no such function, or that of several operations.
    of_sympy: ClassVar[Any] = None
    #: The function of SymPy's of which it is one order, as a pair; of `hyper` the order is how many
    #: parameters stand above and below. Or all "whole" orders, which are its first operand; or every
    #: "degree", which is its second, after the argument.
    of_order: ClassVar[tuple[Any, Any] | None] = None
    #: Where it is a sum or a product: the class of SymPy's, and the sign in the sum, or the power in
    #: the product, of each operand.
    joined: ClassVar[tuple[Any, tuple[int, ...]] | None] = None
    result: ClassVar[str] = "promote"
    #: NumPy's universal functions keep the order of their operands, as PyTorch does.
    layout = "kernel"
    #: The number of operands; a class that states a kernel has those of its kernel.
    arity: ClassVar[int] = 1
    #: What the public function calls them, where PyTorch's names are not `input` and `other`.
    operand_names: ClassVar[tuple[str, ...]] = ()
    #: How many of them decide shape and dtype, by default all.
    decisive: ClassVar[int | None] = None
    converts = True
    #: Whether the derivatives calculate with operands that may be bools, which are converted then.
    calculates_with_bools: ClassVar[bool] = False
    #: Whether operands may be exchanged, in formulas that are read: the result has the same bits.
    commutes: ClassVar[bool] = False
    keeps_weak = True
    broadcasts = True
    #: Where the kernel reads other operands than `scalar` does: how many these are, and what it
    #: computes of them, in SymPy.
    computed: ClassVar[tuple[int, Callable[..., Any]] | None] = None
    #: How many ulps a result may be off, of the value and of the derivatives up to the fourth (one
    #: bound for all, or one for each order), beside what an ulp in the operands makes of it:
    #: `tests/ops/test_accuracy.py`. A bound over 16 has a reason beside it, in `why_ulps`.
    ulps: ClassVar[int | tuple[int, ...] | None] = None
    why_ulps: ClassVar[str] = ""

    def __init_subclass__(cls, abstract: bool = False, **kwargs: Any) -> None:
        super().__init_subclass__(abstract=abstract, **kwargs)
        if "scalar" in cls.__dict__ and not isinstance(cls.__dict__["scalar"], staticmethod):
            cls.scalar = staticmethod(cls.__dict__["scalar"])
        if cls.params and cls.decisive is None:
            cls.decisive = -len(cls.params)
        kernel = cls.__dict__.get("kernel")
        if kernel is not None and cls.arity == 1:
            cls.arity = kernel.template.arity
        if kernel is not None:
            if cls.scalar is not None:
                cls.kernel = kernel = with_numbers(kernel, _Numbers(cls))
            cls.kernels = {
                kind: with_numbers(k, kernel.number_systems) if kind in (float16, float32) else k
                for kind, k in cls.kernels.items()
            }

    @classmethod
    def promotes(cls, *kinds: dtype) -> bool:
        """Return whether operands of these dtypes need no conversion to one, since it does that."""
        infer: Any = cls.infer
        return infer.__func__ is Elementwise.infer.__func__  # type: ignore[attr-defined]

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        operands = args if cls.decisive is None else args[: cls.decisive]
        first = operands[0]
        shape, kind = first.shape, first.dtype
        same = not first.weak
        for x in operands:
            if x.shape != shape:
                shape = broadcast_shapes(shape, x.shape)
            if x.dtype is not kind or x.weak:
                same = False
        if not same:
            kind = result_dtype(operands)
        if kind.category in cls.refuses:
            raise cls.refused(kind)
        return shape, cls.result_kind(kind)

    @classmethod
    def result_kind(cls, promoted: dtype) -> dtype:
        """Return the dtype of the result from that of the promoted operands."""
        if cls.result == "promote":
            return promoted
        return to_float(promoted) if cls.result == "float" else bool_

    def compute_dtype(self) -> dtype | None:
        if self.result == "bool" and self.converts:
            return result_dtype(self.operands)
        return self.dtype if self.converts else None

    def element(self, *operands: Any) -> Any:
        """Return the formula of one element in plain SymPy, from those of the operands.

        Raises
        ------
        ValueError
            If SymPy has none.
        """
        if self.scalar is None:
            raise ValueError(f"SymPy has no function for {type(self).__name__}")
        return self.scalar(*operands)

    def rows(self, of: Rows) -> Sequence[ArrayExpr] | None:
        split = []
        for x in self.operands:
            rows = of(x) if x.shape == self.shape else None if x.shape else [x] * self.shape[0]
            if rows is None:
                return None
            split.append(rows)
        params = self.args[len(self.operands) :]
        return [self.func(*parts, *params) for parts in zip(*split, strict=True)]

    def entry(self, index: Index, b: Indices) -> Reading:
        operands = []
        for x in self.operands:
            operands.append((yield x, fitted(index, x.shape)))  # noqa: PERF401 - it yields
        return b.applied(self, operands)

    def matrix(self, m: Matrices) -> MatrixReading:
        operands = []
        for x in self.operands:
            operands.append((yield x))  # noqa: PERF401 - it yields
        # Numbers by cases are read more easily than matrices whose elements are.
        by_cases = size_of(self.shape) > 1 and any(
            x.dtype is bool_ and size_of(x.shape) == 1 for x in self.operands
        )
        made = None if by_cases else m.applied(self, operands)
        made = made or self.of_matrices(m, operands) or m.applied(self, operands)
        if made is None:
            raise NoMatrix
        return made

    def of_matrices(self, m: Matrices, operands: Sequence[MatrixValue]) -> MatrixValue | None:
        """Return the form in SymPy's matrices of an operation on several matrices.

        By default there is none, since SymPy applies functions to the elements of one matrix only.
        """
        return None

    def terms(self, b: Terms) -> Any:
        if self.joined is None:
            return None
        join, powers = self.joined
        if join is sympy.Add:
            return b.total(b.summands(self), self.shape)
        forms = [b.operand(x, self.dtype) for x in self.operands]
        factors = [f if n == 1 else b.power(f, n) for f, n in zip(forms, powers, strict=True)]
        return b.product(factors, self.shape)

    def partials(self, *operands: ArrayExpr) -> Sequence[Any]:
        """Return the partial derivatives: expressions, 0, 1, -1, or functions that make one.

        By default SymPy's derivatives of `scalar`.
        """
        return partials_of(self)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        self._refuse_underived(needs)
        parts = self._precise_partials()
        return [
            scaled(ct, part, conjugate=True) if need else None
            for part, need in zip(parts, needs, strict=True)
        ]

    def _precise_partials(self) -> Sequence[Any]:
        """Return the partial derivatives, computed in the dtype of the result.

        A term of one narrow operand alone, such as `1 / y`, would be rounded to the dtype of the operand.
        """
        return self.partials(*self.precise_operands())

    def precise_operands(self) -> tuple[ArrayExpr, ...]:
        """Return the operands, those of a dtype narrower than that of the result converted to it."""
        kind = self.compute_dtype()
        operands = self.operands
        if kind is not None and kind.differentiable:
            for x in operands:
                if x.dtype is not kind:
                    operands = tuple([x.to(kind) if self._widens(x, kind) else x for x in operands])
                    break
        return operands

    def _widens(self, x: ArrayExpr, kind: dtype) -> bool:
        """Return whether derivatives that are computed in a dtype need an operand in that dtype."""
        if x.dtype is bool_ and not x.weak:
            return self.calculates_with_bools
        return _is_narrower(x, kind)

    def _refuse_underived(self, wanted: Sequence[Any]) -> None:
        """Raise PyTorch's error where a derivative that is `wanted` does not exist."""
        missing = self.missing_derivative()
        if missing:
            raise RuntimeError(f"derivative for {missing} is not implemented")
        for i, name in self.underived.items():
            if wanted[i]:
                name = name if ":" in name else f"{type(self).__name__}: {name}"
                raise NotImplementedError(f"the derivative for '{name}' is not implemented.")

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        self._refuse_underived([t is not None for t in tangents])
        total: ArrayExpr | None = None
        for part, t in zip(self._precise_partials(), tangents, strict=True):
            if t is not None:
                term = scaled(t, part)
                if term is not None:
                    total = term if total is None else total + term
        return total

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return self.with_operands(batched_alike(len(self.shape), size, operands, batched))

    def notation(self) -> Notation:
        form = super().notation()
        cls: Any = type(self)
        latex = None if self.printed else _scalar_latex(cls)
        return form._replace(latex=latex) if latex else form


def _is_narrower(x: ArrayExpr, kind: dtype) -> bool:
    """Whether functions of `x` alone are less precise than `kind`."""
    if x.dtype is kind or x.weak:
        return False
    if x.dtype.category < Category.FLOAT:
        return True
    return x.dtype.itemsize < kind.itemsize // (1 + (kind.is_complex and not x.dtype.is_complex))


#: Functions of mpmath that SymPy's translation names, and writes for others.
_MPMATH = {"betainc_regularized": functools.partial(mpmath.betainc, regularized=True)}


def with_numbers(kernel: Kernel, systems: Mapping[str, Callable[..., Any]]) -> Kernel:
    """Return a kernel that computes in other number systems as `systems` does, or as it does."""
    return kernel if kernel.number_systems else dataclasses.replace(kernel, number_systems=systems)


class _Numbers(Mapping[str, Callable[..., Any]]):
    """Functions that compute an operation on object arrays of numbers of SymPy or mpmath.

    They are made from `scalar` when they are first asked for.
    """

    def __init__(self, cls: type[Elementwise]) -> None:
        self._cls = cls
        self._made: dict[str, Callable[..., Any]] = {}  # one for each number system

    def __getitem__(self, system: str) -> Callable[..., Any]:
        if system not in self._made:
            self._made[system] = self._computation(system)
        return self._made[system]

    def _computation(self, system: str) -> Callable[..., Any]:
        count, f = self._cls.computed or (self._cls.arity, self._cls.scalar)
        if system == "mpmath":
            xs = sympy.symbols(f"x:{count}")
            f = sympy.lambdify(xs, f(*xs), [_MPMATH, "mpmath"])
        elif system != "sympy":
            raise KeyError(system)
        compute = np.frompyfunc(f, count, 1)
        return lambda *operands, **params: compute(*operands)

    def __iter__(self) -> Iterator[str]:
        return iter(("sympy", "mpmath"))

    def __len__(self) -> int:
        return 2


def batched_alike(
    rank: int, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]
) -> list[ArrayExpr]:
    """Return the operands of a batch so that they broadcast, where `rank` is that of one result."""
    return [
        x.reshape((size,) + (1,) * (rank - x.ndim + 1) + x.shape[1:])
        if has and x.ndim - 1 < rank
        else x
        for x, has in zip(operands, batched, strict=True)
    ]


def scaled(x: ArrayExpr, part: Any, conjugate: bool = False) -> ArrayExpr | None:
    """Return `x * part`, None for a zero; `conjugate` as the pullback of a complex map does."""
    if not isinstance(part, ArrayExpr):
        if callable(part):
            part = part()
        if part is None or (type(part) is int and part == 0):
            return None
        if type(part) is int and part in (1, -1):
            return x if part == 1 else -x
    if conjugate and isinstance(part, ArrayExpr) and part.dtype.is_complex:
        part = part.conj()
    product: ArrayExpr = x * part
    return product


@functools.lru_cache(maxsize=1024)
def _scalar_latex(cls: Any) -> str | None:
    """Return a LaTeX template from SymPy's own printing of a one-argument `scalar`."""
    if not isinstance(cls.scalar, type):
        return None
    x = sympy.Symbol("OPERAND")
    nargs = getattr(cls.scalar, "nargs", None)
    value = cls.scalar(x) if nargs == sympy.FiniteSet(1) else None
    if value is None or value.args != (x,):
        return None
    return braces(scalar_latex(value)).replace("OPERAND", "{0}")
