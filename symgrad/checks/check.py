"""`check_gradients`: the gradients of a function proved, measured, and compared, to any order."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symgrad.autograd.function_formulas import ForwardAlone, custom_functions
from symgrad.checks.directions import (
    Leaves,
    fixed_direction,
    gradients_by_order,
    names_of_directions,
    scalar_of,
)
from symgrad.checks.given import Given, given_gradients
from symgrad.checks.independent import Outcome, Outcomes, by_exact_differences, by_sympy
from symgrad.checks.numbers import by_differences
from symgrad.checks.places import not_finite
from symgrad.checks.precision import Precision, precision_of
from symgrad.checks.report import RIGHT, UNKNOWN, WRONG, Finding, Report
from symgrad.checks.singular import singularities
from symgrad.checks.subject import Subject, formulas_of, subject
from symgrad.differentiate.derive import derive
from symgrad.expr.atoms import Leaf
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.forms.formula_text import formula
from symgrad.proofs.prove import Verdict, prove
from symgrad.schema.arguments import check_flag

#: The highest order.
MOST_ORDERS = 10
#: The digits of the numbers of a difference that is shown.
_SHOWN = 8
#: The seconds after which progress is shown.
_SILENT = 2.0


def check_gradients(
    f: Any,
    inputs: Any,
    order: int = 3,
    against: Any = None,
    *,
    precision: bool = True,
    symmetric: bool = True,
    definite: bool = False,
) -> Report:
    """Check the derivatives of a function by its inputs, of the orders 1 to `order`.

    A derivative is proved to be that of the function's own formula, in which custom functions are
    their `forward`; this formula is differentiated by SymPy as well. What has no formula is
    compared with differences. The precision of what is computed at the inputs is measured.

    Parameters
    ----------
    f : callable or sympy.Expr
        A function of tensors that returns a tensor or a tuple of tensors; or a formula of SymPy,
        whose symbols are the inputs in the order of their names.
    inputs : tuple
        Tensors, or arrays of floats, which all count as requiring a gradient; for a formula of
        SymPy also a dict by names. The function is checked near these values.
    order : int
        The highest order, at most 10.
    against : callable, sympy.Expr or Function, optional
        The gradient to be checked instead of symgrad's: a function of the inputs that returns the
        gradient of the (summed) result by each input that requires one, a list of formulas of
        SymPy, or a `torch.autograd.Function` or another callable that computes the result.
    precision : bool
        Whether the error of derivatives at the inputs is measured.
    symmetric, definite : bool
        Whether second derivatives at the inputs are to be symmetric, and positive definite.

    Returns
    -------
    Report
        True, and `.ok`, if all derivatives are right.

    Raises
    ------
    ValueError
        If no input requires a gradient or no result depends on one, `order` is less than 1 or too
        large, an input is no leaf, two calls of the function differ, or what `against` returns has
        another shape.
    TypeError
        If the function, an input or a result is of a wrong type, or an input complex.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    >>> torch.check_gradients(lambda x: (x.sin() * x).sum(), x, order=2).ok
    True
    >>> class Cube(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x**3
    ...
    ...     @staticmethod
    ...     def backward(ctx, g):
    ...         (x,) = ctx.saved_tensors
    ...         return 3.0015 * x**2 * g
    >>> report = torch.check_gradients(lambda x: Cube.apply(x).sum(), x, order=1)
    >>> report.ok, report.findings[0].difference
    (False, 'yours - true = 0.0015 * x**2')
    """
    if isinstance(order, bool) or not isinstance(order, (int, np.integer)):
        raise TypeError(f"check_gradients(): order must be an integer, got {type(order).__name__}")
    if not 1 <= order <= MOST_ORDERS:
        raise ValueError(f"check_gradients(): order must be from 1 to {MOST_ORDERS}, got {order}")
    flags = {"precision": precision, "symmetric": symmetric, "definite": definite}
    precision, symmetric, definite = [
        check_flag("check_gradients", name, value) for name, value in flags.items()
    ]
    checked = subject(f, inputs)
    return _Check(checked, int(order), against, precision, symmetric, definite).report()


class _Check:
    """One check: its findings, order by order."""

    def __init__(
        self, checked: Subject, order: int, against: Any, precision: bool, symmetric: bool,
        definite: bool,
    ) -> None:  # fmt: skip
        self.subject = checked
        self.order = order
        self.against = against
        self.measured = precision
        self.symmetric = symmetric
        self.definite = definite
        self.names = [checked.inputs[i].name for i in checked.moving]
        self.moving = [checked.inputs[i] for i in checked.moving]
        self.findings: list[Finding] = []
        self.notes: list[str] = []
        self._progress = _Progress(order)

    def report(self) -> Report:
        """Return the report, with what is not smooth at the inputs among its notes."""
        if self.subject.untraced:
            self.notes.append(
                f"{self.subject.name} has no formula, and is checked by numbers: "
                f"{self.subject.untraced}"
            )
        try:
            if self.against is not None:
                self._given(given_gradients(self.against, self.subject))
            elif self.subject.results is None or self.subject.forwards is None:
                self._by_numbers()
            else:
                self._formulas(self.subject.results, self.subject.forwards)
            self._places()
        finally:
            self._progress.end()
        inputs = tuple([f"{x.name} {x.shape} {x.dtype.name}" for x in self.subject.inputs])
        return Report(self.subject.name, inputs, tuple(self.findings), tuple(self.notes))

    # ------------------------------------------------------------ of formulas

    def _formulas(self, ours: Sequence[ArrayExpr], forwards: Sequence[ArrayExpr]) -> None:
        """Check the derivatives that run against those of the forwards, and those by SymPy."""
        custom = custom_functions(*ours)
        others = self._other_ways()
        leaves, again = Leaves(self.subject.point()), Leaves(self.subject.point())
        right = gradients_by_order(scalar_of(forwards, again), self.moving, self.order, again)
        given = gradients_by_order(scalar_of(ours, leaves), self.moving, self.order, leaves)
        for k in range(1, self.order + 1):
            self._progress.at(k)
            true = next(right)
            yours: Sequence[ArrayExpr] = true
            if custom:
                try:
                    yours = next(given)
                except RuntimeError as error:
                    self._rest_by_numbers(k, str(error))
                    return
            for i, name in enumerate(self.names):
                self._one(k, i, name, yours[i], true[i], bool(custom), others)
            self._hessian(k, yours)

    def _one(
        self, k: int, i: int, name: str, yours: ArrayExpr, true: ArrayExpr, custom: bool,
        others: Callable[[int, int], Outcome | None],
    ) -> None:  # fmt: skip
        outcome = others(k, i)
        found = self._precision(yours)
        ulps, condition = (found.ulps, found.condition) if found else (None, None)
        if custom:
            verdict = prove(yours, true)
            if not verdict:
                self.findings.append(self._differing(k, name, yours, true, verdict, found))
                return
            how = verdict.how
        else:
            how = ""
        if outcome is None or outcome.agrees is None:
            why = "" if outcome is None else outcome.detail
            kind = RIGHT if custom else UNKNOWN
            self.findings.append(Finding(k, name, kind, how, "", why, {}, ulps, condition))
            return
        kind = RIGHT if outcome.agrees else WRONG
        ways = " and ".join([x for x in (how, outcome.how) if x])
        self.findings.append(Finding(k, name, kind, ways, "", outcome.detail, {}, ulps, condition))

    def _differing(
        self, k: int, name: str, yours: ArrayExpr, true: ArrayExpr, verdict: Verdict,
        found: Precision | None,
    ) -> Finding:  # fmt: skip
        """Return what is known of two gradients that are not proved to be equal."""
        ulps, condition = (found.ulps, found.condition) if found else (None, None)
        if verdict.counterexample is None:
            close = self._numbers_of(yours, true)
            kind = UNKNOWN if close else WRONG
            how = "; ".join(verdict.tried)
            return Finding(
                k, name, kind, "numbers", self._culprit(k, name), close or how, {}, ulps, condition
            )
        at = {x.name: np.asarray(v).tolist() for x, v in verdict.counterexample.items()}
        text = f"yours - true = {_text(yours - true)}"
        return Finding(
            k, name, WRONG, verdict.how, self._culprit(k, name), text, at, ulps, condition
        )

    def _numbers_of(self, yours: ArrayExpr, true: ArrayExpr) -> str:
        """Return why two formulas cannot be told apart; "" where their numbers are apart."""
        point: dict[Any, Any] = dict(self.subject.point())
        for x in {*yours.leaves, *true.leaves}:
            point.setdefault(
                x, np.linspace(0.5, 1.5, max(1, int(np.prod(x.shape)))).reshape(x.shape)
            )
        a, b = [e.evaluate({x: point[x] for x in e.leaves}) for e in (yours, true)]
        if not np.isfinite(a).all() or not np.isfinite(b).all():
            return "neither proved nor refuted; values at the inputs are not finite"
        eps = np.finfo(a.dtype).eps
        apart = np.abs(a - b).max(initial=0) > np.sqrt(eps) * max(1.0, np.abs(b).max(initial=0))
        return "" if apart else "neither proved nor refuted; the values at the inputs agree"

    def _culprit(self, k: int, name: str) -> str:
        """Return the custom functions whose `backward` alone makes a derivative another one."""
        wrong = []
        for function in custom_functions(*(self.subject.results or ())):
            with ForwardAlone(function):
                results = formulas_of(self.subject)
            with ForwardAlone():
                forwards = formulas_of(self.subject)
            if results is None or forwards is None:
                continue
            i = self.names.index(name)
            a, b = [self._gradient(x, k, i) for x in (results, forwards)]
            if a is None or b is None or not prove(a, b):
                wrong.append(f"{function.__name__}.backward")
        return ", ".join(wrong)

    def _gradient(self, results: Sequence[ArrayExpr], k: int, i: int) -> ArrayExpr | None:
        leaves = Leaves(self.subject.point())
        try:
            made = gradients_by_order(scalar_of(results, leaves), self.moving, k, leaves)
            return [*made][-1][i]
        except RuntimeError:
            return None

    def _other_ways(self) -> Callable[[int, int], Outcome | None]:
        """Return what SymPy says of the derivative of an order by an input, or differences do.

        Each way is asked only where those before it do not tell.
        """
        known: list[Outcomes | None] = []
        ways = (by_sympy, by_exact_differences, by_differences)

        def ask(k: int, i: int) -> Outcome | None:
            for n, way in enumerate(ways):
                if n == len(known):
                    known.append(way(self.subject, self.order))
                rows = known[n]
                if rows is not None and len(rows) >= k and rows[k - 1][i].agrees is not None:
                    return rows[k - 1][i]
            return None

        return ask

    def _hessian(self, k: int, yours: Sequence[ArrayExpr]) -> None:
        """Check that second derivatives are symmetric, and definite if that is asked for."""
        if k != 2:
            return
        if self.symmetric and any(x.verdict != RIGHT for x in self.findings):
            self._symmetry(yours)
        if self.definite:
            self._definiteness()

    def _symmetry(self, yours: Sequence[ArrayExpr]) -> None:
        """Note that two second derivatives in exchanged directions are not equal."""
        names = names_of_directions(self.moving, 1, self.order)
        first = [next((y for g in yours for y in g.leaves if y.name == n), None) for n in names]
        if any(x is None for x in first):
            return
        second = [Leaf(f"u_{x.name}", x.shape, x.dtype) for x in self.moving]
        terms = [(g * u).sum() for g, u in zip(yours, second, strict=True)]
        here = sum(terms[1:], terms[0])
        swap = dict(zip([*first, *second], [*second, *first], strict=True))
        if prove(here, here.xreplace(swap)).counterexample is not None:
            self.notes.append("the second derivatives that run are not symmetric")

    def _definiteness(self) -> None:
        """Find whether the Hessian of the inputs together is positive definite at the inputs."""
        subject = self.subject
        if subject.forwards is None or len(subject.forwards) != 1 or subject.forwards[0].shape:
            self.notes.append("definiteness is that of the Hessian of one number")
            return
        hessian = _hessian_at(subject, subject.forwards[0], self.moving)
        values = np.linalg.eigvalsh((hessian + hessian.T) / 2)
        if not values.size or values[0] > 0:
            return
        text = f"the Hessian is not positive definite: its smallest eigenvalue is {values[0]:.6g}"
        self.findings.append(Finding(2, ", ".join(self.names), WRONG, "eigenvalues", "", text))

    # ------------------------------------------------------------ of numbers

    def _by_numbers(self) -> None:
        self._rest_by_numbers(1, "")

    def _rest_by_numbers(self, first: int, why: str) -> None:
        """Check the orders from one on by differences of floats."""
        if why:
            self.notes.append(why)
        rows = by_differences(self.subject, self.order)
        for k, row in enumerate(rows, 1):
            if k < first:
                continue
            self._progress.at(k)
            for name, outcome in zip(self.names, row, strict=True):
                kind = {True: RIGHT, False: WRONG, None: UNKNOWN}[outcome.agrees]
                self.findings.append(Finding(k, name, kind, outcome.how, "", outcome.detail))

    # ------------------------------------------------------------ of a given gradient

    def _given(self, given: Given) -> None:
        for k in range(1, self.order + 1):
            self._progress.at(k)
            row = given.compared(self.subject, k)
            if row is None:
                break
            self.findings += row
        self.notes += given.notes

    # ------------------------------------------------------------ at the inputs

    def _precision(self, e: ArrayExpr) -> Precision | None:
        if not self.measured:
            return None
        point: dict[Leaf, Any] = dict(self.subject.point())
        for x in e.leaves:
            if x not in point:
                point[x] = fixed_direction(x.name, x)
        found = precision_of(e, {x: point[x] for x in e.leaves})
        if found is not None and found.note and found.note not in self.notes:
            self.notes.append(found.note)
        return found

    def _places(self) -> None:
        """Note what is not smooth or not finite at the inputs."""
        for text in not_finite(self.subject):
            self.notes.append(text)
        if self.subject.results is None:
            return
        point = self.subject.point()
        for y in self.subject.forwards or ():
            for s in singularities(y, point):
                self.notes.append(f"{s} at the inputs")


def _text(e: ArrayExpr, most: int = 200) -> str:
    text = formula(e, digits=_SHOWN).replace("\n", "; ")
    return text if len(text) <= most else text[: most - 1] + "…"


def _hessian_at(subject: Subject, y: ArrayExpr, moving: Sequence[Leaf]) -> Any:
    """Return the second derivatives by the elements of all inputs, as a matrix."""
    point = subject.point()
    rows = []
    for x, g in zip(moving, derive(y, list(moving)), strict=True):
        parts = []
        for z, h in zip(moving, derive(g, list(moving)), strict=True):
            value = h.evaluate({leaf: point[leaf] for leaf in h.leaves})
            parts.append(value.reshape(size_of(x.shape), size_of(z.shape)))
        rows.append(np.concatenate(parts, axis=1))
    return np.concatenate(rows, axis=0)


class _Progress:
    """A line on standard error for what takes long, where that is a terminal."""

    def __init__(self, orders: int) -> None:
        self._orders = orders
        self._begin = time.monotonic()
        self._shown = False

    def at(self, order: int) -> None:
        """Show the order, if the check has taken long until now."""
        if time.monotonic() - self._begin > _SILENT and sys.stderr.isatty():
            self._shown = True
            sys.stderr.write(f"\rcheck_gradients: order {order} of {self._orders}")
            sys.stderr.flush()

    def end(self) -> None:
        """Remove the line."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
