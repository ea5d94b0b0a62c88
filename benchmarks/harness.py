"""How things are timed, and how figures are shown. What is timed stands in `cases`.

Contenders take turns within each round, so that whatever else the machine does meets all of them;
the best round counts, since noise only ever adds. Nothing is asserted: a figure stands beside its
target, and whoever reads it judges.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

__all__ = ["Case", "Contender", "Figure", "best_times", "markdown", "race"]


@dataclass(frozen=True)
class Figure:
    """One line of the table.

    Attributes
    ----------
    case, what : str
        The case, and what of it was measured.
    value : float
        The result for symgrad, in `unit`.
    unit : str
        Of `value` and of `peers`; "" for a count or a ratio.
    peers : mapping of str to float
        The results of others.
    target : float or None
        What the value, as a ratio to `against` where that is given, should not exceed.
    against : str
        The peer that the target speaks of.
    """

    case: str
    what: str
    value: float
    unit: str = ""
    peers: Mapping[str, float] | None = None
    target: float | None = None
    against: str = ""

    @property
    def ratio(self) -> float | None:
        """The value in units of that of the peer `against`; None where it did not take part."""
        other = (self.peers or {}).get(self.against)
        return self.value / other if other else None

    @property
    def judged(self) -> float | None:
        """What the target is compared with."""
        return self.ratio if self.against else self.value

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON takes it."""
        return {**asdict(self), "ratio": self.ratio}


class Case(NamedTuple):
    """A named measurement."""

    name: str
    summary: str
    run: Callable[[int], Sequence[Figure]]


class Contender(NamedTuple):
    """What takes part in a race.

    Attributes
    ----------
    run : callable
        What is timed.
    before : callable or None
        Called before each `run`, outside the time.
    """

    run: Callable[[], object]
    before: Callable[[], object] | None = None


def best_times(
    contenders: Mapping[str, Contender], rounds: int, seconds: float = 0.02, warm: int = 8
) -> dict[str, float]:
    """Return the best time of one call of each contender, in seconds.

    Parameters
    ----------
    contenders
        By name.
    rounds
        How often each takes its turn.
    seconds
        How long a turn lasts, at least one call.
    warm
        How often each is called before anything is timed. A plan is compiled when its structure
        has returned a few times: eight runs leave nothing to do for the first time.
    """
    calls = {}
    for name, (run, before) in contenders.items():
        for _ in range(warm):
            if before is not None:
                before()
            run()
        if before is not None:
            before()
        start = time.perf_counter()
        run()
        calls[name] = max(1, math.ceil(seconds / (time.perf_counter() - start)))
    best = dict.fromkeys(contenders, math.inf)
    for _ in range(rounds):
        for name, (run, before) in contenders.items():
            gc.collect()
            if before is None:
                start = time.perf_counter()
                for _ in range(calls[name]):
                    run()
                spent = time.perf_counter() - start
            else:
                spent = 0.0
                for _ in range(calls[name]):
                    before()
                    start = time.perf_counter()
                    run()
                    spent += time.perf_counter() - start
            best[name] = min(best[name], spent / calls[name])
    return best


def race(
    case: str,
    what: str,
    contenders: Mapping[str, Contender],
    rounds: int,
    *,
    per: int = 1,
    unit: str = "µs",
    target: float | None = None,
    against: str = "torch",
    **how: Any,
) -> Figure:
    """Time contenders, of which one is "symgrad", and return a figure of time `per` so many."""
    scale = {"s": 1.0, "ms": 1e3, "µs": 1e6}[unit] / per
    times = {name: t * scale for name, t in best_times(contenders, rounds, **how).items()}
    return Figure(case, what, times.pop("symgrad"), unit, times, target, against)


def markdown(figures: Sequence[Figure]) -> str:
    """Return figures as a table, with the ratio to each peer in parentheses."""
    peers = list(dict.fromkeys(p for f in figures for p in f.peers or ()))
    head = ["case", "what", "symgrad", *(f"{p} (ratio)" for p in peers), "target", "met"]
    rows = [head, ["---"] * 2 + ["---:"] * (len(peers) + 2) + ["---"]]
    for f in figures:
        row = [f.case, f.what, _number(f.value, f.unit)]
        for p in peers:
            other = (f.peers or {}).get(p)
            row.append(
                "" if other is None else f"{_number(other, f.unit)} ({f.value / other:.2f}×)"
            )
        if f.target is None or f.judged is None:
            row += ["" if f.target is None else f"≤ {f.target:g}", ""]
        else:
            shown = f"≤ {f.target:g}" + (f"× {f.against}" if f.against else "")
            row += [shown, "yes" if f.judged <= f.target else "**no**"]
        rows.append(row)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _number(x: float, unit: str) -> str:
    text = f"{x:.0f}" if x == int(x) and not unit else f"{x:.3g}" if x < 1000 else f"{x:.0f}"
    return f"{text} {unit}".rstrip()
