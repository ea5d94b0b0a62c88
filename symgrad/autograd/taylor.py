"""`jet`: the derivatives of a function along a curve, by Taylor coefficients."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from symgrad.autograd.arrays import as_arrays, holds_arrays
from symgrad.autograd.vmap.trees import flattened
from symgrad.differentiate import jet as taylor
from symgrad.differentiate.derive import jacobians
from symgrad.differentiate.sweeps import with_derivative_rewrites
from symgrad.expr.atoms import Const, Placeholder
from symgrad.expr.dtypes import float64
from symgrad.expr.graph import leaves, replace_nodes
from symgrad.expr.node import ArrayExpr
from symgrad.expr.sources import keep_sources, leaves_of_source, nodes_written
from symgrad.functions.creation.data import as_tensor
from symgrad.lower.executable import Executable
from symgrad.ops.composite import StandIn
from symgrad.ops.deriving import differentiated_again
from symgrad.ops.series import Coefficient, derivative, times, total
from symgrad.record.record import as_formula
from symgrad.support.untraceable import traced

__all__ = ["jet"]


def jet(
    fun: Callable[..., Any], primals: Sequence[Any], series: Sequence[Sequence[Any]]
) -> tuple[Any, Any]:
    """Return the value of a function along a curve, and its derivatives of every order.

    The curve is x(t) with `x(0)` the primals, and with the derivatives of x at t = 0 in `series`.
    Derivatives of order k take about k**2 operations for each operation of `fun`.

    Parameters
    ----------
    fun : callable
        Takes as many arrays as there are primals, and returns one, or tuples, lists and dicts of
        them. It is called once, with leaves of formulas: what it decides by the values of its
        arguments is refused.
    primals : sequence
        Where it is expanded: tensors, numbers, or formulas.
    series : sequence of sequence
        For each primal the derivatives of the curve from the first on, of the shape of the primal.
        Those that are missing are zero.

    Returns
    -------
    value
        What `fun` returns of the primals: tensors, or formulas where a primal or a derivative is one.
    derivatives
        The same structure, with the list of the derivatives in place of each array: as many as the
        longest of `series` has.

    Raises
    ------
    TypeError
        If `fun` or an argument is of another type, or `fun` returns something that is no array.
    ValueError
        If the numbers of primals and of series differ, a derivative does not have the shape of its
        primal, or `fun` reads a tensor that requires a gradient and is no primal.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor(0.0, dtype=torch.float64)
    >>> value, derivatives = torch.func.jet(lambda x: torch.exp(2 * x), (x,), ([1.0, 0.0],))
    >>> derivatives
    [tensor(2., dtype=torch.float64), tensor(4., dtype=torch.float64)]
    >>> s = torch.leaf("s")
    >>> torch.func.jet(torch.exp, (s,), ([1.0, 0.0],))
    (exp(s), [exp(s), exp(s)])

    Notes
    -----
    Where a length of several elements or an absolute value is 0, and derivatives of it meet, the
    derivatives are nested as those of `derive` are.
    """
    if not callable(fun):
        raise TypeError(f"jet(): fun must be a function, got {type(fun).__name__}")
    for name, argument in (("primals", primals), ("series", series)):
        if not isinstance(argument, (tuple, list)):
            raise TypeError(f"jet(): {name} must be a tuple, got {type(argument).__name__}")
    if len(primals) != len(series):
        raise ValueError(
            f"jet(): series has {len(series)} entries for {len(primals)} primals; give one list of "
            "derivatives for each primal"
        )
    curves = [_Curve(i, x, s) for i, (x, s) in enumerate(zip(primals, series, strict=True))]
    order = max([len(c.derivatives) for c in curves], default=0)
    outputs, tree = flattened(traced(fun, *[c.leaf for c in curves]))
    given = {leaf: value for c in curves for leaf, value in c.given.items()}
    formulas = [_formula(y, getattr(fun, "__name__", "fun"), given) for y in outputs]
    found = _values(_derivatives(formulas, curves, order), given)
    rows = [found[i : i + order + 1] for i in range(0, len(found), order + 1)]
    for value, *derivatives in rows:
        if isinstance(value, ArrayExpr):
            keep_sources(derivatives, leaves_of_source(value), nodes_written(value))
    made = tree.build([value for value, *_ in rows]), tree.build([ds for _, *ds in rows])
    return as_arrays(made) if holds_arrays((tuple(primals), tuple(series))) else made


class _Curve:
    """One argument: a leaf for its primal, and a coefficient for each of its derivatives.

    Attributes
    ----------
    leaf : ArrayExpr
        Stands for the primal.
    derivatives : list
        A leaf for each derivative; numbers stay exact numbers, and 0 is None.
    given : dict
        What each leaf stands for.
    """

    def __init__(self, place: int, primal: Any, derivatives: Any) -> None:
        what = f"jet(): primal {place}"
        if not isinstance(derivatives, (tuple, list)):
            raise TypeError(
                f"jet(): the derivatives of primal {place} must be a list, got "
                f"{type(derivatives).__name__}"
            )
        value = _array(primal, what)
        if not value.dtype.differentiable:
            raise TypeError(f"{what} must be of a floating or complex dtype, got {value.dtype}")
        self.leaf = StandIn.of(Placeholder("_", tuple(value.shape), value.dtype))
        self.given: dict[ArrayExpr, Any] = {self.leaf: value}
        self.derivatives = [
            self._derivative(d, f"jet(): derivative {k} of primal {place}")
            for k, d in enumerate(derivatives, 1)
        ]

    def _derivative(self, d: Any, what: str) -> Coefficient:
        if type(d) in (int, float) and not self.leaf.shape and math.isfinite(d):
            return Fraction(d) if d else None
        value = _array(d, what)
        if tuple(value.shape) != self.leaf.shape:
            raise ValueError(
                f"{what} must have the shape {self.leaf.shape} of the primal, got "
                f"{tuple(value.shape)}"
            )
        if value.dtype.is_complex and not self.leaf.dtype.is_complex:
            raise TypeError(f"{what} must be real, as the primal is, got {value.dtype}")
        leaf = StandIn.of(self.leaf)
        self.given[leaf] = value if value.dtype is self.leaf.dtype else value.to(self.leaf.dtype)
        return leaf

    def series(self) -> list[Coefficient]:
        """Return the Taylor coefficients from the first on."""
        return [times(Fraction(1, math.factorial(k)), d) for k, d in enumerate(self.derivatives, 1)]

    def at(self, t: ArrayExpr) -> ArrayExpr:
        """Return the point of the curve at a real number t."""
        t = t.to(self.leaf.dtype)
        moved = total(times(c, t**k) for k, c in enumerate(self.series(), 1))
        return self.leaf if moved is None else self.leaf + moved  # type: ignore[operator]


def _array(x: Any, what: str) -> Any:
    """Return an argument as a tensor, or as the formula that it is."""
    if isinstance(x, ArrayExpr):
        return x
    try:
        return as_tensor(x)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"{what} must be an array, got {type(x).__name__}") from error


def _formula(y: Any, name: str, given: dict[ArrayExpr, Any]) -> ArrayExpr:
    """Return what a function returned as a formula of the leaves that are given."""
    try:
        found = as_formula(y)
    except TypeError:
        raise TypeError(f"jet(): {name} returned {type(y).__name__}, which is no array") from None
    if isinstance(found, Const) and found.weak:  # a Python number
        found = Const(found.value, found.dtype)
    symbolic = any(isinstance(x, ArrayExpr) for x in given.values())
    for leaf in leaves(found):
        if leaf not in given and not symbolic:
            raise ValueError(
                f"jet(): {name} reads the tensor or leaf {leaf.name!r}, which is no primal; give it "
                "as one, with no derivatives, or detach it"
            )
    return found


@with_derivative_rewrites
def _derivatives(
    formulas: Sequence[ArrayExpr], curves: Sequence[_Curve], order: int
) -> list[ArrayExpr]:
    """Return the formula of each derivative of each output, from order 0 on."""
    with differentiated_again():
        try:
            rows = taylor.jet(
                formulas, [c.leaf for c in curves], [c.series() for c in curves], order
            )
        except taylor.NeedsFactors:
            return _nested(formulas, curves, order)
    return [
        y if k == 0 else taylor.as_array(derivative(c, k), y)
        for y, row in zip(formulas, rows, strict=True)
        for k, c in enumerate(row)
    ]


def _nested(formulas: Sequence[ArrayExpr], curves: Sequence[_Curve], order: int) -> list[ArrayExpr]:
    """Return the same by derivatives of derivatives."""
    t = StandIn.of(Const(0.0, float64))
    points: dict[ArrayExpr, ArrayExpr] = {c.leaf: c.at(t) for c in curves}
    along = replace_nodes(formulas, points)
    made = []
    for y, moved in zip(formulas, along, strict=True):
        made.append(y)
        for _ in range(order):
            (moved,) = jacobians(moved, [t])
            made.append(moved.to(y.dtype))
    primals = {point: leaf for leaf, point in points.items()}
    return replace_nodes(made, primals | {t: Const(0.0, t.dtype)})


def _values(formulas: Sequence[ArrayExpr], given: dict[ArrayExpr, Any]) -> list[Any]:
    """Return formulas of what is given: tensors, or formulas where some of it is a formula."""
    if any(isinstance(x, ArrayExpr) for x in given.values()):
        return replace_nodes(formulas, {leaf: as_formula(x) for leaf, x in given.items()})
    numbers = {leaf: i for i, leaf in enumerate(given)}
    values = list(given.values())
    return Executable(formulas, numbers, name="jet").replay(values.__getitem__)
