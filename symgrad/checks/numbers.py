"""Derivatives of floats by differences, extrapolated after Richardson, with their own error.

Of a function without a formula each order is compared with differences of the order before it. No
difference decides anything that is smaller than its own error (Ridders, Advances in Engineering
Software 4, 1982), or where its error is not small.

A function that takes complex numbers is differentiated by a complex step as well, which has no such
error (Squire and Trapp, SIAM Review 40, 1998). The complex step counts where it agrees with the
differences: of a function that is not analytic it is something else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symgrad.autograd.comparison import as_tuple
from symgrad.backward.api import grad
from symgrad.checks.directions import fixed_direction, names_of_directions
from symgrad.checks.independent import Outcome, Outcomes
from symgrad.checks.subject import Array, Subject
from symgrad.functions.creation.data import tensor
from symgrad.support.quiet import quietly
from symgrad.tensor.tensor import Tensor

#: The steps of a difference: the first, relative to the size of the input, how they shrink, and how
#: many there are at least and at most.
_STEP, _SHRINK, _STEPS, _MOST_STEPS = 0.05, 1.6, 10, 24
#: A difference tells nothing where its error is more than this part of the function and its slope,
#: and steps go on while it is not as small as the second number.
_COARSE, _FINE = 1e-4, 1e-8
#: The imaginary step, relative to the size of the input.
_COMPLEX_STEP = 1e-30
#: The rounding of a value, relative to it: some units of the last digit.
_ROUNDED = 8 * float(np.finfo(np.float64).eps)
#: How many times its own error a difference may be off.
_FACTOR = 10.0
#: The most elements of an input that move one by one; of larger inputs directions are tried.
_ALL_ELEMENTS, _DIRECTIONS = 32, 3


def by_differences(subject: Subject, count: int) -> Outcomes:
    """Return what differences of floats say of the derivatives, by order and input."""
    rows: Outcomes = []
    for k in range(1, count + 1):
        try:
            rows.append([_of_input(subject, k, count, i) for i in range(len(subject.moving))])
        except RuntimeError as error:
            why = f"the derivative of order {k} cannot be computed: {error}"
            rows.append([Outcome(None, "differences", why)] * len(subject.moving))
            break
    return rows


def _of_input(subject: Subject, k: int, count: int, i: int) -> Outcome:
    place = subject.moving[i]
    value = subject.values[place]
    gradient = _gradients(subject, subject.values, k, count)[i]
    eps = np.finfo(value.dtype).eps
    how = "complex step" if k == 1 else "differences"
    for direction in _directions(value, subject.inputs[place].name):

        def along(t: float, direction: Array = direction) -> float:
            moved = list(subject.values)
            moved[place] = value.astype(np.float64) + t * direction
            return _number(subject, moved, k, count)

        size = max(1.0, float(np.abs(value).max(initial=0)))
        slope, error, tells = slope_of(along, size)
        ours = float((gradient * direction).sum())
        scale = float(np.abs(gradient * direction).sum())
        rounded = 64 * float(eps) * max(scale, abs(slope))
        allowed = _FACTOR * error + rounded
        what = _place_of(direction)
        if not np.isfinite(slope) or not np.isfinite(error):
            return Outcome(None, "differences", "values beside the point are not finite")
        if not tells:
            detail = f"{what} is {ours:.8g}, and differences have {slope:.8g} +- {error:.1g}"
            return Outcome(None, "differences", f"{detail}, which tells nothing")
        if not abs(ours - slope) <= allowed:
            left, right = [_one_sided(along, side * size) for side in (-1, 1)]
            if min(left, right) - allowed <= ours <= max(left, right) + allowed:
                detail = f"{what} is {ours:.8g}, at a kink with slopes {left:.8g} and {right:.8g}"
                return Outcome(None, "differences", detail)
            detail = f"{what} is {ours:.8g}, and differences have {slope:.8g} +- {error:.1g}"
            return Outcome(False, "differences", detail)
        found = _complex_slope(subject, place, direction, size) if k == 1 else None
        if found is None or not abs(found - slope) <= allowed:
            how = "differences"
        elif not abs(ours - found) <= rounded:
            detail = f"{what} is {ours:.16g}, and a complex step has {found:.16g}"
            return Outcome(None, "differences", detail)
    return Outcome(True, how)


def slope_of(f: Callable[[float], float], size: float) -> tuple[float, float, bool]:
    """Return the derivative of a function of a number at 0, its error, and whether this is small.

    Central differences of shrinking steps are extrapolated, and the extrapolation with the smallest
    estimated error counts.

    Examples
    --------
    >>> import math
    >>> slope, error, tells = slope_of(math.exp, 1.0)
    >>> abs(slope - 1) <= 10 * error < 1e-9, tells
    (True, True)
    """
    step = _STEP * size
    table: list[list[float]] = []
    best, error, natural = np.nan, np.inf, 0.0
    for n in range(_MOST_STEPS):
        ends = f(step), f(-step)
        row = [(ends[0] - ends[1]) / (2 * step)]
        rounded = _ROUNDED * max(map(abs, ends)) / step
        for m in range(n):
            power = _SHRINK ** (2 * (m + 1))
            row.append((power * row[m] - table[-1][m]) / (power - 1))
            found = max(abs(row[m + 1] - row[m]), abs(row[m + 1] - table[-1][m]), rounded)
            if found <= error:
                best, error = row[m + 1], found
        table.append(row)
        natural = max(max(map(abs, ends)) / size, abs(best))
        if n >= _STEPS - 1 and _FACTOR * error <= _FINE * natural:
            break
        step /= _SHRINK
    return float(best), float(error), bool(_FACTOR * error <= _COARSE * natural)


def _complex_slope(subject: Subject, place: int, direction: Array, size: float) -> float | None:
    """Return the derivative of the number along a direction by a complex step.

    It is None where the function does not take complex numbers, or its results lose them.
    """
    step = _COMPLEX_STEP * size
    moved = list(subject.values)
    moved[place] = moved[place] + 1j * step * direction
    try:
        results = quietly(_call, subject, moved)
    except Exception:  # noqa: BLE001 - the user's function may refuse complex numbers in any way
        return None
    if not all(y.dtype.is_complex for y in results):
        return None
    parts = [(y.detach().numpy().imag * w).sum() for y, w in
             zip(results, _weights(results), strict=True)]  # fmt: skip
    return float(sum(parts)) / step


def _one_sided(f: Callable[[float], float], size: float) -> float:
    """Return the derivative of a function of a number at 0 to one side, of which `size` is."""
    steps = [size * 2.0**-k for k in (9, 10)]
    first, second = [(f(h) - f(0.0)) / h for h in steps]
    return 2 * second - first


def _directions(value: Array, name: str) -> list[Array]:
    """Return unit vectors, or some fixed directions of a large input."""
    if value.size <= _ALL_ELEMENTS:
        return list(np.eye(value.size).reshape(value.size, *value.shape))
    rng = np.random.default_rng(value.size)
    return [rng.choice([-1.0, 1.0], value.shape) for _ in range(_DIRECTIONS)]


def _place_of(direction: Array) -> str:
    places = np.argwhere(direction)
    if len(places) == 1:
        return f"element {tuple(map(int, places[0]))}" if direction.ndim else "it"
    return "the derivative along a direction"


def _number(subject: Subject, values: Sequence[Array], k: int, count: int) -> float:
    """Return the number whose gradient is the derivative of order k."""
    if k > 1:
        before = _gradients(subject, values, k - 1, count)
        names = names_of_directions([subject.inputs[i] for i in subject.moving], k - 1, count)
        moving = [subject.inputs[i] for i in subject.moving]
        if len(moving) == 1 and not moving[0].shape:
            return float(before[0])
        return sum(
            [float((g * fixed_direction(n, x)).sum())
             for g, n, x in zip(before, names, moving, strict=True)]
        )  # fmt: skip
    results = quietly(_call, subject, values)
    total = 0.0
    for y, w in zip(results, _weights(results), strict=True):
        total += float((y.detach().numpy() * w).sum())
    return total


def _call(subject: Subject, values: Sequence[Array]) -> list[Tensor]:
    return [y for y in as_tuple(subject.call(*subject.tensors(values))) if y.dtype.differentiable]


def _weights(results: Sequence[Tensor]) -> list[Any]:
    if len(results) == 1 and not results[0].shape:
        return [1.0]
    names = ["g"] if len(results) == 1 else [f"g{i}" for i in range(len(results))]
    return [fixed_direction(n, y) for n, y in zip(names, results, strict=True)]


def _gradients(subject: Subject, values: Sequence[Array], k: int, count: int) -> list[Array]:
    """Return the derivative of order k that backward passes compute, by each input."""
    inputs = subject.tensors(values)
    results = [
        y for y in as_tuple(subject.call(*inputs)) if y.requires_grad and y.dtype.differentiable
    ]
    moving = [inputs[i] for i in subject.moving]
    weights = [tensor(w, dtype=y.dtype) for w, y in zip(_weights(results), results, strict=True)]
    scalar: Any = sum([(w * y).sum() for w, y in zip(weights, results, strict=True)])
    for order in range(1, k + 1):
        found = (
            grad(scalar, moving, create_graph=order < k, allow_unused=True)
            if isinstance(scalar, Tensor) and scalar.requires_grad
            else [None] * len(moving)
        )
        gradients = [
            tensor(np.zeros(x.shape, x.detach().numpy().dtype)) if g is None else g
            for g, x in zip(found, moving, strict=True)
        ]
        if order == k:
            break
        names = names_of_directions([subject.inputs[i] for i in subject.moving], order, count)
        scalar = sum(
            [(g * tensor(fixed_direction(n, x), dtype=x.dtype)).sum() if x.shape or len(moving) > 1
             else g for g, n, x in zip(gradients, names, moving, strict=True)]
        )  # fmt: skip
    return [g.detach().numpy() for g in gradients]
