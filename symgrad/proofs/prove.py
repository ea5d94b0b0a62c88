"""Whether two formulas are equal: `prove`, and `same`, its truth value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from symgrad.expr.atoms import ArrayConst, Const, Leaf, as_expr
from symgrad.expr.dtypes import bool_, float64
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.sizing import listed, size_names, with_sizes
from symgrad.lower.evaluate import input_names
from symgrad.normal_form.builder import Builder
from symgrad.normal_form.form import Form
from symgrad.normal_form.lowering import Lowering, as_float
from symgrad.ops.arithmetic import sub
from symgrad.proofs.elements import Imprecise, Refused
from symgrad.proofs.intervals import Intervals
from symgrad.proofs.points import Point, points
from symgrad.proofs.primes import field_of
from symgrad.proofs.running import computed, count_elements
from symgrad.proofs.simplifying import simplifies
from symgrad.proofs.ties import error_of_proof

#: The chance of a wrong proof is below this, or there is none.
MAX_ERROR = Fraction(1, 10**30)
#: How often residues are computed, until it is.
_MAX_RUNS = 3
#: The most elements of the arrays of both formulas, for residues, and for intervals at all points.
MAX_ELEMENTS, _MAX_AT_POINTS = 20_000, 10_000
#: The binary digits of intervals.
_PRECISIONS = (100, 400, 1_600)


class Verdict:
    """Whether two formulas are equal, and how that was found. It is true if they are proved to be.

    Attributes
    ----------
    how : str
        What decided: "identity", "normal form", "residues", "intervals" or "SymPy"; "" if nothing.
    error : float
        A bound of the chance that the verdict is wrong: 0, or that of residues.
    counterexample : dict or None
        For each leaf an array, at which the formulas are not equal.
    tried : tuple of str
        Where it is undecided, what was tried, and why it did not decide.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x")
    >>> symgrad.prove(x.exp() * x.exp(), (2 * x).exp())
    Verdict(proved by residues, but for a chance of 1e-40)
    >>> symgrad.prove(x.abs(), x).counterexample
    {x: array(-0.55859375)}
    """

    __slots__ = ("counterexample", "error", "how", "tried")

    def __init__(
        self,
        how: str,
        error: float = 0.0,
        counterexample: Mapping[Leaf, Any] | None = None,
        tried: Sequence[str] = (),
    ) -> None:
        self.how = how
        self.error = error
        self.counterexample = None if counterexample is None else dict(counterexample)
        self.tried = tuple(tried)

    def __bool__(self) -> bool:
        return bool(self.how) and self.counterexample is None

    def __repr__(self) -> str:
        if self:
            chance = f", but for a chance of {self.error:.0e}" if self.error else ""
            return f"Verdict(proved by {self.how}{chance})"
        if self.counterexample is not None:
            return f"Verdict(refuted by {self.how} at {self.counterexample})"
        return f"Verdict(undecided; {'; '.join(self.tried)})"


def prove(a: Any, b: Any) -> Verdict:
    """Prove or refute that two formulas are equal.

    They are equal if they have the same value for all real values of the leaves for which both are
    defined. Numbers are real numbers, and floats the rational numbers that they are: nothing is
    said of rounding, of -0.0 or nan.

    Parameters
    ----------
    a, b : tensor, ArrayExpr, array or number
        Formulas of one shape. The leaves of a tensor are those of its formula. Where a size is a
        name, equal normal forms prove that they are equal at all sizes, and a counterexample is one
        at some sizes; nothing else decides.

    Returns
    -------
    Verdict
        True if they are proved to be equal. Else it has a counterexample, or what was tried.

    Raises
    ------
    ValueError
        If the shapes differ, or two leaves of one name.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (4,))
    >>> p = symgrad.softmax(x, 0)
    >>> hessian = symgrad.derive(symgrad.log(symgrad.exp(x).sum()), x, order=2)
    >>> bool(symgrad.prove(hessian, symgrad.diag(p) - symgrad.outer(p, p)))
    True
    >>> verdict = symgrad.prove(symgrad.softmax(2 * x, 0), p)
    >>> bool(verdict), verdict.how
    (False, 'intervals')
    """
    first, second = _formula(a), _formula(b)
    if first.shape != second.shape:
        raise ValueError(
            f"prove(): formulas of one shape are equal or not; these have the shapes {first.shape} "
            f"and {second.shape}"
        )
    leaves: list[Any] = list(input_names(first, second))
    if first is second:
        return Verdict("identity")
    if any(x.dtype.is_complex for x in toposort([first, second])):
        return Verdict("", tried=("complex numbers have no rules",))
    if _same_normal_form(first, second):
        return Verdict("normal form")
    names = size_names([first, second])
    if names:
        return _at_numbers(first, second, {name: n for n, name in enumerate(sorted(names), 2)})
    tried = []
    found = _by_residues(first, second, leaves)
    if isinstance(found, Fraction):
        return Verdict("residues", float(found))
    tried.append(f"residues: {found}")
    # A refutation costs less than SymPy's attempt at a proof, which it also guards.
    refuted = _by_intervals(first, second, leaves)
    if not isinstance(refuted, str):
        return Verdict("intervals", counterexample=refuted)
    tried.append(f"intervals: {refuted}")
    try:
        if simplifies(first, second):
            return Verdict("SymPy")
        tried.append("SymPy: the difference does not become zero")
    except Refused as reason:
        tried.append(f"SymPy: not tried of {reason}")
    return Verdict("", tried=tried)


def same(a: Any, b: Any) -> bool:
    """Return whether two formulas are proved to be equal: the truth value of `prove(a, b)`.

    Parameters
    ----------
    a, b : tensor, ArrayExpr, array or number
        Formulas of one shape.

    Raises
    ------
    ValueError
        If the shapes differ, or two leaves of one name.

    Examples
    --------
    >>> import symgrad
    >>> x, y = symgrad.symbols("x y")
    >>> symgrad.same((x + y) ** 2, x**2 + 2 * x * y + y**2)
    True
    >>> symgrad.same((x + y) ** 2, x**2 + y**2)
    False
    """
    return bool(prove(a, b))


def _formula(x: Any) -> ArrayExpr:
    return as_expr(getattr(x, "expr", x))


# ------------------------------------------------------------------ the steps


class _Rounded(Exception):  # noqa: N818 - it is no error
    """Raised where a coefficient of a normal form is no float."""


def _same_normal_form(a: ArrayExpr, b: ArrayExpr) -> bool:
    """Return whether the difference has no terms; of doubles, whose numbers are not rounded.

    What functions are applied to is made a formula again, whose coefficients must be floats.
    """
    nodes = [x for x in toposort([a, b]) if not x.weak]
    if any(x.dtype is not float64 and x.dtype is not bool_ for x in nodes):
        return False
    if bool_ in (a.dtype, b.dtype):
        return False
    builder = Builder([sub.of(a, b)])
    lowering = Lowering(builder)

    def lower(form: Form) -> ArrayExpr:
        parts = [form, *[x.form for x in builder.atoms.sums()]]
        if any(as_float(c) != c for part in parts for c, _ in part.terms.values()):
            raise _Rounded
        return lowering(form)

    try:
        (rest,) = builder.forms_with(lower)
    except _Rounded:
        return False
    return not rest.terms


def _at_numbers(a: ArrayExpr, b: ArrayExpr, sizes: Mapping[str, int]) -> Verdict:
    """Return the counterexample of formulas that differ at some sizes, which refutes all; or none.

    That formulas are equal at some sizes is no proof for the others.
    """
    try:
        found = prove(*with_sizes([a, b], sizes))
    except ValueError as reason:
        return Verdict("", tried=(f"sizes: {reason}",))
    if found.counterexample is not None:
        return found
    held = f"equal by {found.how}" if found else "undecided"
    return Verdict("", tried=(f"sizes: {held} at {listed(sizes)}, which proves it for no others",))


def _by_residues(a: ArrayExpr, b: ArrayExpr, leaves: Sequence[Leaf]) -> Fraction | str:
    """Return the chance of an error in the proof; what is in the way where there is none."""
    if count_elements([a, b]) > MAX_ELEMENTS:
        return f"the arrays have more than {MAX_ELEMENTS} elements"
    seed = _text_of([a, b])
    error = Fraction(1)
    for run in range(_MAX_RUNS):
        try:
            found = error_of_proof(a, b, leaves, field_of(f"{run} {seed}".encode()))
        except Refused as reason:
            return f"no rule for {reason}"
        if found is None:
            return "they are not equal by the rules"
        error *= found
        if error < MAX_ERROR:
            return error
    return "the formulas are too large"


def _by_intervals(a: ArrayExpr, b: ArrayExpr, leaves: Sequence[Leaf]) -> Point | str:
    """Return a point at which the formulas differ; what is in the way where there is none."""
    most = _MAX_AT_POINTS // max(count_elements([a, b]), 1)
    systems = [Intervals(digits) for digits in _PRECISIONS]
    reason = ""
    count = 0
    for point in points([a, b], leaves):
        for system in systems:
            if count >= most:
                return reason or f"not apart at {count} points, more of which would take long"
            count += 1
            try:
                if _differ_at(a, b, point, system):
                    return point
            except Imprecise:
                continue
            except Refused as refused:
                reason = f"no rule for {refused}"
            break
    return reason or f"not apart at {count} points"


def _differ_at(a: ArrayExpr, b: ArrayExpr, point: Point, system: Intervals) -> bool:
    values: dict[ArrayExpr, Any] = {}
    for x, given in point.items():
        array = values[x] = np.empty(x.shape, object)
        for place in np.ndindex(x.shape):
            array[place] = system.number(Fraction(given[place].item()))
    first, second = computed([a, b], system, values)
    return any(x.lies_apart(y) for x, y in zip(first.flat, second.flat, strict=True))


def _text_of(formulas: Sequence[ArrayExpr]) -> str:
    """Return a text that tells formulas apart, the same in each process."""
    place: dict[ArrayExpr, int] = {}
    lines = []
    for x in toposort(formulas):
        place[x] = len(place)
        operands = [place[y] for y in x.operands]
        if isinstance(x, (Const, ArrayConst)):
            own: Any = np.asarray(x.value).tolist()
        else:
            own = x.name if isinstance(x, Leaf) else x.args[len(operands) :]
        lines.append(f"{type(x).__name__} {operands} {own}")
    return "\n".join(lines)
