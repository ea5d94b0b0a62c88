"""The length of a step along a line: one that fulfils the strong conditions of Wolfe.

J. Nocedal and S. J. Wright, "Numerical Optimization" (2006), algorithms 3.5 and 3.6.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

#: How much of the slope of the beginning the loss must fall by, and the slope be left.
_FALL, _SLOPE = 1e-4, 0.9


class Point(NamedTuple):
    """A length, the loss there, and its gradient, of which the slope is the part along the line."""

    t: float
    loss: float
    gradient: Any
    slope: float = math.nan

    def is_flat(self, tolerance: float) -> bool:
        """Return whether no element of the gradient is greater."""
        flat: bool = self.gradient.abs().max().item() <= tolerance
        return flat


def strong_wolfe(
    evaluate: Callable[[float], Point],
    start: Point,
    d: Any,
    t: float,
    limit: int,
    tolerance: float = 1e-9,
) -> tuple[Point, int]:
    """Return a point where the loss is low and the slope small, and how many were tried.

    Parameters
    ----------
    evaluate : callable
        Returns the point of a length.
    start : Point
        That of length zero.
    d : Tensor
        The direction.
    t : float
        The length that is tried first.
    limit : int
        After how many further ones the best is taken.
    tolerance : float
        The change of a parameter that is not worth a further one.
    """
    slope = d.new_tensor(start.slope)

    def too_high(x: Point) -> bool:
        # In the dtype of the parameters: a loss cannot fall by less than its last digit.
        most: float = (start.loss + slope * (_FALL * x.t)).item()
        return x.loss > most

    def is_level(x: Point) -> bool:
        return abs(x.slope) <= -_SLOPE * start.slope

    # Lengthen the step until a good one lies between it and the one before.
    last, point = start, evaluate(t)
    tried = 0
    while tried < limit:
        if too_high(point) or (tried > 1 and point.loss >= last.loss):
            break
        if is_level(point):
            return point, tried + 1
        if point.slope >= 0:
            break
        least, most = point.t + 0.01 * (point.t - last.t), point.t * 10
        last, point = point, evaluate(cubic_minimum(last, point, least, most))
        tried += 1
    bracket = [start if tried == limit else last, point]
    # Narrow the interval; `low` is the place of the better end.
    low = 0 if bracket[0].loss <= bracket[1].loss else 1
    width = d.abs().max().item()
    stays = False  # whether the last length was near an end
    while tried < limit:
        left, right = sorted([x.t for x in bracket])
        if (right - left) * width < tolerance:
            break
        t = cubic_minimum(bracket[0], bracket[1], left, right)
        margin = 0.1 * (right - left)
        if not min(right - t, t - left) < margin:
            stays = False
        elif stays or t >= right or t <= left:
            t = right - margin if abs(t - right) < abs(t - left) else left + margin
            stays = False
        else:
            stays = True
        point = evaluate(t)
        tried += 1
        if too_high(point) or point.loss >= bracket[low].loss:
            bracket[1 - low] = point
            low = 0 if bracket[0].loss <= bracket[1].loss else 1
            continue
        if is_level(point):
            return point, tried + 1
        if point.slope * (bracket[1 - low].t - bracket[low].t) >= 0:
            bracket[1 - low] = bracket[low]
        bracket[low] = point
    return bracket[low], tried + 1


def cubic_minimum(a: Point, b: Point, least: float, most: float) -> float:
    """Return where the cubic through two points, with their slopes, is least within bounds.

    Where it has no minimum, that is the middle of the bounds.

    Examples
    --------
    >>> a, b = Point(0.0, 1.0, None, -2.0), Point(2.0, 1.0, None, 2.0)
    >>> cubic_minimum(a, b, 0.0, 2.0)  # (t - 1)**2
    1.0
    """
    if a.t > b.t:
        a, b = b, a
    mean = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t)
    square = mean**2 - a.slope * b.slope
    if not square >= 0:
        return (least + most) / 2
    root = math.sqrt(square)
    t = b.t - (b.t - a.t) * ((b.slope + root - mean) / (b.slope - a.slope + 2 * root))
    return min(max(t, least), most)
