"""Measure `symgrad.special` in ulps: `python benchmarks/accuracy_of_special.py [function …]`.

Each function is computed in double precision at points over its range, and by mpmath in more and
more digits until two results agree. The error is counted in units in the last place of the exact
result. Where the result passes through 0 no function of rounded numbers has all of its digits:
there it is counted in units in the last place of the function's size beside the root, such as the
modulus of a Bessel function, as well: that is the last column but one.

Of functions whose references take long a part of the points is tried; the table says how many.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import mpmath
import numpy as np

ROOT = Path(__file__).absolute().parent.parent
sys.path.insert(0, str(ROOT))

import symgrad  # noqa: E402 - of this directory
from benchmarks import references_of_orders  # noqa: E402, F401 - enters cases
from benchmarks.references_of_special import CASES, Case  # noqa: E402

_DIGITS = (22, 36, 90, 300, 900)
#: Seconds after which a point is left out.
_PATIENCE = 5.0
_LARGEST, _LEAST = mpmath.mpf(sys.float_info.max), mpmath.mpf(sys.float_info.min)


class Figure(NamedTuple):
    """What was measured of one function.

    Attributes
    ----------
    name : str
        The function.
    points : int
        How many results were compared.
    ulps, at : float, tuple of float
        The largest error and the operands there.
    scaled, there : float, tuple of float
        The same in units of the function's size where that is larger than the result.
    over : int
        How many results are off by more than 8 of these units.
    """

    name: str
    points: int
    ulps: float
    at: tuple[float, ...]
    scaled: float
    there: tuple[float, ...]
    over: int


class _TooLong(Exception):
    pass


def _stop(number: int, frame: FrameType | None) -> None:
    raise _TooLong


def reference(case: Case, point: tuple[float, ...], slope: bool) -> tuple[Any, Any] | None:
    """Return the exact result and the function's size there; None where mpmath has no result."""
    last = None
    signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
    try:
        for digits in _DIGITS:
            with mpmath.workdps(digits):
                operands = [mpmath.mpf(x) for x in point]
                found = _slope(case, operands) if slope else case.exact(*operands)
                value, size = found if isinstance(found, tuple) else (found, 0)
                if not mpmath.isfinite(value):
                    return None
                size = max(abs(value), abs(size))
                if last is not None and abs(value - last) <= size * mpmath.mpf(10) ** -20:
                    return value, size
                last = value
    except (ZeroDivisionError, ValueError, OverflowError, ArithmeticError, _TooLong):
        return None
    except mpmath.libmp.NoConvergence:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


def _slope(case: Case, operands: list[Any]) -> tuple[Any, Any]:
    """Return the derivative by the last operand, and what a part more of that makes of it."""
    *first, x = operands
    digits = mpmath.mp.dps
    step = mpmath.mpf(10) ** -digits * (x or 1)
    mpmath.mp.dps = 3 * digits + 10 + 3 * max(0, -int(mpmath.log10(abs(x) or 1)))
    while mpmath.mp.dps < 2000:
        values = []
        for at in (x - step, x, x + step):
            found = case.exact(*first, at)
            values.append(found[0] if isinstance(found, tuple) else found)
        below, here, above = values
        if abs(above - below) > abs(here) * mpmath.mpf(10) ** (2 * digits - mpmath.mp.dps):
            return (above - below) / (2 * step), x * (above - 2 * here + below) / step**2
        mpmath.mp.dps *= 2  # what is left of so small a difference has no digits
    return mpmath.nan, mpmath.nan


def distance(got: complex, exact: Any, size: Any) -> float:
    """Return by how many units in the last place of `size` a result is off."""
    if abs(exact) > _LARGEST:
        return 0.0 if np.isinf(got) and (got.real > 0) == (exact.real > 0) else float("inf")
    if not np.isfinite(got):
        near = abs(exact) > _LARGEST * (1 - mpmath.mpf(2) ** -50)
        return 0.0 if near else float("inf")
    if abs(exact) < _LEAST and abs(got) <= _LEAST:
        return 0.0
    unit = mpmath.mpf(np.spacing(max(float(min(size, _LARGEST)), float(_LEAST))))
    with mpmath.workdps(40):
        return float(abs(mpmath.mpmathify(got) - exact) / unit)


def computed(case: Case, points: np.ndarray, slope: bool) -> np.ndarray:
    """Return what symgrad computes at the points."""
    operands = [symgrad.tensor(c, dtype=symgrad.float64) for c in points.T]
    x = operands[-1].requires_grad_(slope)
    with np.errstate(all="ignore"):
        y = case.call(*operands)
        if slope:
            (y,) = symgrad.autograd.grad(y.sum(), x)
    return np.asarray(y.detach().numpy())


def measure(case: Case, count: int, slope: bool = False) -> Figure:
    """Return what a function is off by, at the most, over `count` points of its range."""
    rng = random.Random(case.name)
    drawn: list[tuple[float, ...]] = []
    while len(drawn) < max(count // case.share, 1):
        point = case.draw(rng)
        if case.within(*point) and not (slope and abs(point[-1]) < 1e-20):
            drawn.append(point)
    points = np.array(drawn)
    found = computed(case, points, slope)
    worst: tuple[float, tuple[float, ...]] = (0.0, ())
    scaled = worst
    compared = over = 0
    for row, got in zip(points, found, strict=True):
        point = tuple(map(float, row))
        exact = reference(case, point, slope)
        if exact is None:
            continue
        compared += 1
        value, size = exact
        worst = max(worst, (distance(got, value, abs(value)), point))
        beside = distance(got, value, size)
        scaled = max(scaled, (beside, point))
        over += beside > 8
    return Figure(case.name, compared, *worst, *scaled, over)


def _rows(figures: Iterator[Figure]) -> Iterator[str]:
    yield "| function | points | ulps | at | of the size | at | above 8 |"
    yield "|---|--:|--:|---|--:|---|--:|"
    for f in figures:
        at, there = (", ".join([f"{x:.6g}" for x in p]) for p in (f.at, f.there))
        off = f"{f.ulps:.3g} | {at} | {f.scaled:.3g} | {there}"
        yield f"| {f.name} | {f.points} | {off} | {f.over} |"


def main(arguments: list[str] | None = None) -> int:
    """Parse the command line and print the table, a row as soon as it is measured."""
    parser = argparse.ArgumentParser(description="Measure symgrad.special in ulps of mpmath.")
    parser.add_argument("functions", nargs="*", metavar="function", help="all by default")
    parser.add_argument("--points", type=int, default=10_000, help="of each; 10000 by default")
    parser.add_argument(
        "--slopes",
        action="store_true",
        help="measure first derivatives by the last operand instead",
    )
    options = parser.parse_args(arguments)
    named = {case.function for case in CASES.values()}
    for name in {*options.functions} - named:
        parser.error(f"no function {name!r}; there are {', '.join(sorted(named))}")
    signal.signal(signal.SIGALRM, _stop)
    chosen = [c for c in CASES.values() if not options.functions or c.function in options.functions]
    if options.slopes:
        chosen = [c for c in chosen if c.smooth]
    start = time.perf_counter()
    for row in _rows(measure(c, options.points, options.slopes) for c in chosen):
        print(row, flush=True)
    print(f"\nin {time.perf_counter() - start:.0f} s", file=sys.stderr)
    for name in {*symgrad.special.__all__} - named:
        print(f"{name}: no reference", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
