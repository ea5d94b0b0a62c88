"""From formulas to normal forms: one walk, in which each operation states its own terms.

A node becomes a form by `Primitive.terms`, with the methods of `Builder`, or a factor by itself.
How forms are added and multiplied is in `arithmetic`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar

import sympy

from symgrad.differentiate.names import names_of
from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import dtype
from symgrad.expr.graph import toposort
from symgrad.expr.named_sizes import NamedSize
from symgrad.expr.node import ArrayExpr
from symgrad.normal_form.arithmetic import Arithmetic
from symgrad.normal_form.atoms import Atoms, Closed, Sum
from symgrad.normal_form.coefficients import (
    NotOpen,
    Number,
    checked,
    content_of,
    exact,
    opens,
    ratio,
)
from symgrad.normal_form.form import Form, Term, number_form, single_form
from symgrad.normal_form.labels import UNIT, axis_labels, has_delta
from symgrad.normal_form.products import Single, Step, Tree, canonical, singles
from symgrad.ops.casting import cast
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import Primitive
from symgrad.ops.reshaping import reshape
from symgrad.ops.results import Several

T = TypeVar("T")

#: The most factors of a product that is used once, and of one that is used more often. A longer
#: one is one factor of what it is used in, so that shared work stays shared, and costs are linear.
MOST_FACTORS, MOST_SHARED = 12, 3
#: The most factors, powers and reciprocals of such a product.
MOST_STEPS = 60


class Builder(Arithmetic):
    """Forms of nodes, and the atoms that they share.

    Parameters
    ----------
    roots : sequence of ArrayExpr
        The formulas that are to be brought into normal form.
    written : sequence of ArrayExpr
        The nodes that a user wrote. Those that forms do not look into stay as they are, and a sum
        or a contraction that is equal to one of the others is that node.
    given : collection of ArrayExpr
        Nodes whose values need not be computed. Each is a factor by itself.

    Attributes
    ----------
    atoms : Atoms
    home : dict
        For the number of an atom the node that a user wrote for it, and what it is multiplied by.
    nodes : list of ArrayExpr
        The nodes of the formulas.
    lower : callable
        Makes a node of a form: `symgrad.normal_form.lowering.Lowering`.
    cancels : bool
        Whether a factor above and below the bar is left out. What is computed keeps its nan.
    """

    cancels = False

    def __init__(
        self,
        roots: Sequence[ArrayExpr],
        written: Iterable[ArrayExpr] = (),
        given: Collection[ArrayExpr] = (),
    ) -> None:
        super().__init__(Atoms(self.cancels))
        self.roots, self.written, self.given = list(roots), {*written, *given}, given
        self.nodes: list[ArrayExpr] = []
        self.home: dict[int, tuple[Number, ArrayExpr]] = {}
        self.lower: Callable[[Form], ArrayExpr]
        self._forms: dict[ArrayExpr, Form] = {}
        self._uses: dict[ArrayExpr, int] = {}
        self._absorbed: set[ArrayExpr] = set()
        self._names: dict[ArrayExpr, ArrayExpr] = {}

    # ---------------------------------------------------------------- the walk

    def run(self) -> list[Form]:
        """Return the forms of the roots."""
        order = self.nodes = toposort(self.roots, self._stays)
        self._names = names_of(order)
        uses = self._uses = dict.fromkeys(order, 0)
        for x in order:
            for y in x.operands:
                if y in uses:
                    uses[y] += 1
        for x in self.roots:
            uses[x] += 1
        for x in order:
            if _is_sum(x):
                self._absorbed.update([y for y in x.operands if self._is_absorbed(y, x)])
        for x in order:
            if x not in self._absorbed and not issubclass(type(x), Several):
                self._forms[x] = form = self._form_of(x)
                if uses[x] > 1:
                    self._shared_forms.add(id(form))
                if x in self.written:
                    self._note_home(x, form)
        return [self._forms[x] for x in self.roots]

    def run_with(
        self, lower: Callable[[Form], ArrayExpr], of_root: Callable[[Form], ArrayExpr] | None = None
    ) -> list[ArrayExpr]:
        """Return the roots as a function makes nodes of forms; `of_root` those of the roots."""
        return self._run(lower, of_root or lower)

    def forms_with(self, lower: Callable[[Form], ArrayExpr]) -> list[Form]:
        """Return the forms of the roots as a function makes nodes of the forms inside."""
        return self._run(lower, lambda form: form)

    def _run(self, lower: Callable[[Form], ArrayExpr], of_root: Callable[[Form], T]) -> list[T]:
        self.lower = lower
        try:
            return [of_root(form) for form in self.run()]
        finally:
            del self.lower  # it may hold the builder

    def opens(self, kind: dtype) -> bool:
        """Return whether forms look into operations of a dtype."""
        return opens(kind)

    def _stays(self, x: ArrayExpr) -> bool:
        """Return whether the walk stops at a node: one that a user wrote and forms do not open.

        Nor do they open what a user named.
        """
        if not x.operands or x.is_known_by_name:
            return x.is_known_by_name
        return x in self.written and not self._is_open(x)

    def _is_open(self, x: Any) -> bool:
        return (
            x not in self.given
            and self.opens(x.dtype)
            and not x.weak
            and type(x).terms is not Primitive.terms
        )

    def _is_absorbed(self, y: Any, x: ArrayExpr) -> bool:
        """Return whether a term of a sum is a sum itself, whose terms are those of the sum."""
        return (
            _is_sum(y)
            and self._uses.get(y) == 1
            and y not in self.written
            and y not in self._names
            and y.shape == x.shape
            and y.dtype is x.dtype
            and not y.weak
            and self.opens(y.dtype)
        )

    def formula(self, x: ArrayExpr) -> Form:
        """Return the form of a formula of nodes that have forms."""
        for y in toposort([x], lambda y: y in self._forms or self._stays(y)):
            if y not in self._forms and not issubclass(type(y), Several):
                self._forms[y] = self._form_of(y)
        return self._forms[x]

    def _form_of(self, x: Any) -> Form:
        if self._names:
            x = self._names.get(x, x)
        if not x.operands or x in self.given or x.is_known_by_name:
            return self._of_number(x) if type(x) is Const else self.of_node(x)
        if not self.opens(x.dtype) or x.weak:
            return self.of_node(self._rebuilt(x))
        try:
            form = x.terms(self)
            if form is not None:
                return self._shared(x, form)
            return self._as_atom(x, x) if x in self.written else self.factor(x)
        except NotOpen:
            return self.of_node(self._rebuilt(x))

    def factor(self, x: Any) -> Form:
        """Return the form of an operation that forms do not look into."""
        form = None
        if x.shape and issubclass(type(x), Elementwise):
            form = self._without_repeated_axes(x)
        return form or self._with_number_outside(x) or self._as_atom(x, self._rebuilt(x))

    def _as_atom(self, x: Any, made: ArrayExpr) -> Form:
        """Return the form that is one node, made of `x`."""
        form = self.of_node(made)
        known = self.atoms.symmetries and x.keeps_symmetry and x.ndim > 1
        if known and all(self._is_symmetric(y, x.ndim) for y in x.operands):
            self.atoms.note_symmetric(self.atoms.of_node(made), x.ndim)
        return form

    def _is_symmetric(self, y: ArrayExpr, rank: int) -> bool:
        """Return whether an operand is a number, or a matrix of so many axes that is symmetric."""
        if not y.shape:
            return True
        form = self._forms.get(y)
        if form is None or y.ndim != rank:
            return False
        for (out, factors), (c, _) in form.terms.items():
            turned = [*out[:-2], out[-1], out[-2]]
            other = form.terms.get(canonical(turned, factors, self.atoms.symmetries)[0])
            if other is None or other.coefficient != c:
                return False
        return True

    def _of_number(self, x: Const) -> Form:
        if not self.opens(x.dtype):
            return self.of_node(x)
        if type(x.value) is NamedSize:
            return self._of_size(x.value, x.dtype)
        c = exact(x.value)
        return self.of_node(x) if c is None else number_form(c, (), x.dtype)

    def _shared(self, x: ArrayExpr, form: Form) -> Form:
        """Return a product of many factors as one factor."""
        if len(form.terms) != 1:
            return form
        (((out, _), (_, tree)),) = form.terms.items()
        if type(tree) is not Step:
            return form
        most = MOST_SHARED if self._uses.get(x, 0) > 1 else MOST_FACTORS
        if tree.size <= most and not self.atoms.has_contractions():
            return form
        is_small = tree.size <= MOST_STEPS and self._count_in(tree) <= most
        if is_small or has_delta(out):
            return form
        return single_form(x.shape, x.dtype, *self.atoms.of_sum(form))

    def _count_in(self, tree: Tree) -> int:
        """Return how much work a product is, in factors; a contraction counts for several."""
        count = 0
        for single, _ in singles(tree):
            atom = self.atoms[single.atom]
            count += len(atom.trees) ** 2 if type(atom) is Closed else 1
        return count

    def _note_home(self, x: ArrayExpr, form: Form) -> None:
        """Note that an atom is a node that a user wrote."""
        if not form.terms or form.is_move() or 1 in x.shape:
            return
        (out, _), (c, tree) = self.single(form)
        if type(tree) is not Single or has_delta(out) or tree.labels != axis_labels(x.shape):
            return
        if type(self.atoms[tree.atom]) in (Sum, Closed):
            self.home.setdefault(tree.atom, (c, x))

    # ---------------------------------------------------------------- nodes that are factors

    def node(self, y: Any) -> ArrayExpr:
        """Return an operand as a node."""
        if y in self.written or not y.operands:
            return y  # type: ignore[no-any-return]
        if isinstance(y, Several):
            return self._rebuilt(y)
        return self.lower(self._forms[y])

    def _rebuilt(self, x: Any) -> ArrayExpr:
        """Return a node on operands in normal form."""
        if x in self.written:
            return x  # type: ignore[no-any-return]
        operands = tuple([self.node(y) for y in x.operands])
        if operands == x.operands:
            return x  # type: ignore[no-any-return]
        if not isinstance(x, Several):
            made = x.with_operands(operands)
            if made.dtype is x.dtype and made.shape == x.shape:
                return made  # type: ignore[no-any-return]
        return x.func(*operands, *x.param_values)  # type: ignore[no-any-return]

    def _without_repeated_axes(self, x: Any) -> Form | None:
        """Return a function of each element without the axes along which all operands repeat."""
        rank = len(x.shape)
        covered: set[int] = set()
        for y in x.operands:
            lead = rank - len(y.shape)
            covered.update([a + lead for a in self._forms[y].covered_axes()])
        if len(covered) + x.shape.count(1) == rank:
            return None
        axes = sorted(covered)
        operands = []
        for y in x.operands:
            form, lead = self._forms[y], rank - len(y.shape)
            own = form.covered_axes()
            node = self.lower(form.with_axes(own)) if y.shape else self.node(y)
            # Axes of length one before its own are those of a broadcast.
            first = next((i for i, a in enumerate(axes) if a - lead in own), len(axes))
            shape = tuple([y.shape[a - lead] if a - lead in own else 1 for a in axes[first:]])
            operands.append(node if node.shape == shape else reshape.of(node, shape))
        made = x.with_operands(operands)
        if made.dtype is not x.dtype or made.shape != tuple([x.shape[a] for a in axes]):
            return None
        outer = axis_labels(x.shape)
        labels = tuple([outer[a] for a in axes])
        number = self.atoms.of_node(made)
        term = Term(1, Single(number, labels))
        return single_form(x.shape, x.dtype, (outer, ((number, labels, 1, 0),)), term)

    def _with_number_outside(self, x: Any) -> Form | None:
        """Return a node that is linear in an operand as a number times another such node."""
        place = x.scalable_operand()
        if place is None or x.operands[place].dtype is not x.dtype or x.operands[place].weak:
            return None
        form = self._forms[x.operands[place]]
        if not form.terms:
            return None
        c = content_of([c for c, _ in form.terms.values()])
        if next(iter(form.terms.values())).coefficient < 0:
            c = -c
        if c == 1:
            return None
        operands = [self.node(y) for y in x.operands]
        operands[place] = self.lower(form.scaled(ratio(1, c)))
        made = x.with_operands(operands)
        if made.dtype is not x.dtype or made.shape != x.shape:
            return None
        return self.scaled(self.of_node(made), c)

    # ---------------------------------------------------------------- what operations call

    def operand(self, x: Any, kind: dtype) -> Form:
        """Return the form of an operand, converted to the dtype of the operation."""
        if x.dtype is kind and not x.weak:
            return self._forms[x]
        if type(x) is Const:
            if type(x.value) is NamedSize:
                return self._of_size(x.value, kind)
            c = exact(x.value_in(kind))
            if c is not None:
                return number_form(checked(c, kind), (), kind)
            if x.weak:
                return self.of_node(Const(x.value, kind))
        return self.of_node(cast.of(self.node(x), kind))

    def summands(self, x: Any) -> list[tuple[Form, int]]:
        """Return the forms of the terms of a sum, and of the sums that are its terms."""
        found: list[tuple[Form, int]] = []
        stack = [(x, 1)]
        while stack:
            y, sign = stack.pop()
            if y is x or y in self._absorbed:
                signs = y.joined[1]
                stack += [(z, sign * s) for z, s in zip(y.operands, signs, strict=True)][::-1]
            else:
                found.append((self.operand(y, x.dtype), sign))
        return found

    def of_each_term(self, form: Form, function: Callable[[ArrayExpr], ArrayExpr]) -> Form | None:
        """Return a form of which the product in each term is replaced by a function of it.

        The function works on each element, and keeps real numbers and sums. None where forms are
        read and no nodes are made of them.
        """
        if not hasattr(self, "lower"):
            return None
        parts = []
        for (out, factors), (c, tree) in form.terms.items():
            term = single_form(form.shape, form.kind, (out, factors), Term(1, tree))
            if factors:
                used = {k for _, labels, _, _ in factors for k in labels if k != UNIT}
                axes = [a for a, k in enumerate(out) if k in used and k not in out[:a]]
                made = self.of_node(function(self.lower(term.with_axes(axes))))
                term = self.contracted([(made, [out[a] for a in axes])], out, form.shape)
            parts.append((term.scaled(c), 1))
        return self.total(parts, form.shape)


def _is_sum(x: Any) -> bool:
    """Return whether a node is a sum or a difference of its operands."""
    joined = getattr(type(x), "joined", None)
    return joined is not None and joined[0] is sympy.Add
