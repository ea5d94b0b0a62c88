"""The indexed form of a formula: the formula of the element at free indices, with sums over others.

It is read off the normal form (`symgrad.normal_form`), where deltas, transposes and broadcasts are
indices alone, and like terms are one. What the normal form does not look into states the formula of
its element itself (`Primitive.entry`).

An index is an `Idx` that knows its range, so that SymPy leaves out conditions that always hold and
`from_sympy` knows the length of the axis. What SymPy does wrong with other classes is said in
`symgrad.ops.entries`, where one is chosen.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy as np
import sympy

from symgrad.differentiate.sweeps import with_derivative_rewrites
from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import bool_
from symgrad.expr.node import ArrayExpr
from symgrad.forms.exact import number_of
from symgrad.normal_form.atoms import Sum
from symgrad.normal_form.builder import Builder
from symgrad.normal_form.coefficients import Number as Coefficient
from symgrad.normal_form.form import Form
from symgrad.normal_form.labels import UNIT, axis_labels
from symgrad.normal_form.products import Factor
from symgrad.ops.entries import (
    Index,
    NoEntry,
    Reading,
    delta,
    given,
    indicator,
    named_function,
    sum_over,
)
from symgrad.ops.formulas import (
    Number,
    as_number,
    conversion,
    kind_of,
    of_element,
    of_numbers,
    plain_formula,
)
from symgrad.ops.results import Result

#: A formula has so many parts at most, those counted again that it has at several places, since
#: SymPy walks every path of a formula.
MAX_PARTS = 10_000
#: An array of numbers in a formula has so many elements at most.
MAX_ELEMENTS = 1_000
#: The letters of indices, which are numbered from the second round on.
_LETTERS = "ijklmnpqrs"


@with_derivative_rewrites
def indexed_form(
    e: ArrayExpr,
    base_of: Callable[[Leaf], Any],
    taken: Collection[str],
    number: Number,
    exact: bool,
    expand: bool,
) -> Any:
    """Return the formula of the element at the free indices, which are named in the order of axes.

    Parameters
    ----------
    e
        The formula.
    base_of
        Returns the indexed base of a leaf, the symbol of a 0-d one.
    taken
        Names that no index may have.
    number
        Returns SymPy's number for a number of a dtype.
    exact
        Whether fractions of many digits are made the exact numbers that they are close to.
    expand
        Whether softmax and its kin are written out.
    """
    builder = _Forms([e])
    builder.run()
    return _Reader(builder, base_of, taken, number, exact, expand).element(e)


class _Forms(Builder):
    """Forms whose factors are the nodes as they are, since SymPy sees which are equal."""

    def node(self, y: ArrayExpr) -> ArrayExpr:
        return y

    def factor(self, x: ArrayExpr) -> Form:
        return self.of_node(x)


class _Reader:
    """Reads elements off normal forms, without recursion."""

    def __init__(
        self,
        builder: Builder,
        base_of: Callable[[Leaf], Any],
        taken: Collection[str],
        number: Number,
        exact: bool,
        expand: bool,
    ) -> None:
        self.builder, self.base_of, self.number = builder, base_of, number
        self.exact, self.expand = exact, expand
        self._free_names = index_names(taken)
        self._names: list[str] = []

    def name(self, place: int) -> str:
        """Return the name of an index inside of so many others."""
        while len(self._names) <= place:
            self._names.append(next(self._free_names))
        return self._names[place]

    def element(self, e: ArrayExpr) -> Any:
        """Return the formula of an element of a formula."""
        index = [
            sympy.S.Zero if n == 1 else sympy.Idx(self.name(a), n) for a, n in enumerate(e.shape)
        ]
        made: dict[Any, tuple[Any, int]] = {}
        stack = [_Part(self, e, tuple(index), len(index))]
        answer: Any = None
        while stack:
            part = stack[-1]
            try:
                asked, at = part.steps.send(answer)
                key = asked, tuple([sympy.sympify(i) for i in at]), part.depth
                if key in made:
                    answer = part.take(*made[key], asked)
                else:
                    part.asked, answer = asked, None
                    stack.append(_Part(self, *key))
            except StopIteration as stop:
                made[part.key] = plain_formula(stop.value), part.count
                stack.pop()
                if not stack:
                    return made[part.key][0]
                answer = stack[-1].take(*made[part.key])
            except NoEntry as error:
                raise self._refusal(part.what, str(error)) from None
        raise AssertionError

    def _refusal(self, what: Any, why: str) -> ValueError:
        """Return the error for an element without a formula, of a node or the number of an atom."""
        x: Any = self.builder.atoms[what] if isinstance(what, int) else what
        maker = x.operands[0] if isinstance(x, Result) else x
        name = type(maker).__name__ if isinstance(maker, ArrayExpr) else "a sum"
        return ValueError(
            f"to_sympy('indexed'): {name} has no formula with indices"
            f"{why and ', '}{why}; form='explicit' has one for each element"
        )

    def coefficient(self, c: Coefficient) -> Any:
        """Return a coefficient of a normal form."""
        return number_of(c, self.exact)


def index_names(taken: Collection[str]) -> Iterator[str]:
    """Yield names of indices, but those that are taken."""
    for n in itertools.count():
        for letter in _LETTERS:
            name = f"{letter}{n or ''}"
            if name not in taken:
                yield name


class _Part:
    """An element that is being read: of a node, or of an atom of the normal form, by its number."""

    def __init__(self, reader: _Reader, what: Any, index: Index, depth: int) -> None:
        self.reader, self.what, self.depth = reader, what, depth
        self.key = what, index, depth
        self.count = 1
        self.asked: Any = what
        self._convert: Callable[[Any], Any] | None = None
        self.steps = self._steps(what, index)

    def take(self, value: Any, count: int, asked: Any = None) -> Any:
        """Return an element that was asked for, as the operation takes it."""
        self.count += count
        if self.count > MAX_PARTS:
            raise ValueError(
                f"to_sympy('indexed'): the formula has more than {MAX_PARTS} parts along the paths "
                "that SymPy walks; evaluate() it, or write a part of it as a leaf"
            )
        asked = self.asked if asked is None else asked
        is_truth = isinstance(asked, ArrayExpr) and asked.dtype is bool_
        return self._convert(value) if is_truth and self._convert else value

    # ---------------------------------------------------------------- what is read

    def _steps(self, what: Any, index: Index) -> Reading:
        builder = self.reader.builder
        if isinstance(what, int):
            factors = builder.atoms.factors_in(what)
            if factors is not None:
                return self._contraction(factors, index)
            atom: Any = builder.atoms[what]
            return self._form(atom.form, index) if type(atom) is Sum else self._node(atom, index)
        form = builder.formula(what)
        if self._is_own(what, form):
            return self._node(what, index)
        return self._form(form, index)

    def _is_own(self, x: ArrayExpr, form: Form) -> bool:
        """Return whether the form of a node is that node."""
        labels = axis_labels(x.shape)
        ((out, factors), (c, _)), *rest = form.terms.items() or [(((), ()), (0, None))]
        if rest or c != 1 or out != labels or len(factors) != 1:
            return False
        number, *written = factors[0]
        atoms = self.reader.builder.atoms
        if written != [labels, 1, 0] or atoms.factors_in(number) is not None:
            return False
        return atoms[number] is x

    def _form(self, form: Form, index: Index) -> Reading:
        terms = []
        for (out, factors), (c, _) in form.terms.items():
            name: dict[int, Any] = {UNIT: sympy.S.Zero}
            made = [self.reader.coefficient(c)]
            for k, i in zip(out, index, strict=True):
                if k != UNIT and name.setdefault(k, i) is not i:
                    made.append(delta(name[k], i))
            for atom, labels, p, q in factors:
                made.append((yield atom, [name[k] for k in labels]) ** (p - q))
            terms.append(sympy.Mul(*made))
        return sympy.Add(*terms)

    def _contraction(self, factors: Sequence[Factor], index: Index) -> Reading:
        name = {UNIT: sympy.S.Zero, **dict(enumerate(index))}
        sizes = {
            k: self._length(atom, axis)
            for atom, labels, _, _ in factors
            for axis, k in enumerate(labels)
            if k not in name
        }
        over = self.bound(*sizes.values())
        name.update(zip(sizes, over, strict=True))
        made = []
        for atom, labels, p, q in factors:
            made.append((yield atom, [name[k] for k in labels]) ** (p - q))
        return sum_over(sympy.Mul(*made), *over)

    def _length(self, number: int, axis: int) -> int:
        """Return the length of an axis of an atom, which a contraction has from a factor."""
        atoms = self.reader.builder.atoms
        while (factors := atoms.factors_in(number)) is not None:
            number, axis = next((a, ks.index(axis)) for a, ks, _, _ in factors if axis in ks)
        return atoms[number].shape[axis]

    def _node(self, x: Any, index: Index) -> Reading:
        if isinstance(x, Leaf):
            return given(self._leaf(x, index))
        if isinstance(x, Const):
            return given(self.reader.number(x.value, kind_of(x)))
        if isinstance(x, ArrayConst):
            return given(self._of_array(x, index))
        self._convert = indicator if conversion(x) is as_number else conversion(x)
        try:
            return x.entry(index, self)  # type: ignore[no-any-return]
        except NoEntry:
            return self._without_entry(x)

    def _leaf(self, x: Leaf, index: Index) -> Any:
        base = self.reader.base_of(x)
        found = base[tuple(index)] if x.shape else base
        # An element is no condition to SymPy, as a symbol is.
        return sympy.Ne(found, 0) if x.shape and x.dtype is bool_ else found

    def _of_array(self, x: ArrayConst, index: Index) -> Any:
        if x.dtype is bool_:
            return sympy.Ne(self._of_array(ArrayConst(x.value.astype(np.int64)), index), 0)
        numbers = [self.reader.number(v, x.dtype) for v in x.value.flat]
        if len(set(numbers)) == 1:
            return numbers[0]
        if x.size > MAX_ELEMENTS:
            raise ValueError(
                f"to_sympy('indexed'): an array of numbers has {x.size} elements, and each becomes "
                f"a part of the formula, of which there are {MAX_ELEMENTS} at most; put a leaf in "
                "its place"
            )
        return sympy.ImmutableDenseNDimArray(numbers, x.shape)[tuple(index)]

    def _without_entry(self, x: Any) -> Reading:
        result, maker = (x.index, x.operands[0]) if isinstance(x, Result) else (None, x)
        if x.shape or any(y.shape for y in maker.operands):
            raise NoEntry
        operands = []
        for y in maker.operands:
            operands.append((yield y, ()))  # noqa: PERF401 - it yields
        return of_numbers(maker, operands, self.reader.number, result)

    # ---------------------------------------------------------------- what operations call

    def bound(self, *lengths: int | None) -> list[Any]:
        """Return new indices that run along axes of some lengths; along one of length one, 0."""
        made = []
        for n in lengths:
            # SymPy refuses limits outside of the range of an `Idx`, even where no term has them.
            range_ = () if n is None else (n,)
            made.append(
                sympy.S.Zero if n == 1 else sympy.Idx(self.reader.name(self.depth), *range_)
            )
            self.depth += n != 1
        return made

    def applied(self, node: Any, operands: Sequence[Any]) -> Any:
        """Return an operation on each element, of formulas of elements of its operands."""
        return of_element(node, operands, self.reader.number)

    def named(self, name: str, x: Any, over: Sequence[Any], *at: Any) -> Any:
        """Return a function of a name, of `x` as a function of the indices `over`."""
        indices = [k for k in over if isinstance(k, sympy.Idx)]
        if self.reader.expand or not indices:
            return None
        return named_function(name)(sympy.Lambda(tuple(indices), x), *at)
