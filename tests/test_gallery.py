"""The gallery: its page is what is printed, and each derivative has the values of differences."""

from __future__ import annotations

import numpy as np

from symgrad import derive
from symgrad.cli import main
from symgrad.expr.named_sizes import at_sizes
from symgrad.expr.sizing import size_names
from tests.each import each
from tools.gallery import PAGE, Entry, entries, page

#: Numbers for the sizes that are letters.
SIZES = {"n": 5, "m": 3, "k": 2}
ENTRIES = {entry.function.__name__: entry for entry in entries()}


def test_the_page_is_what_is_printed() -> None:
    assert PAGE.read_text() == page(), "python -m tools.gallery"
    assert len(ENTRIES) >= 60


def value(entry: Entry, order: int, values: dict[str, np.ndarray]) -> np.ndarray:
    e = derive(entry.value, entry.x, order)
    sizes = {name: n for name, n in SIZES.items() if name in size_names([e])}
    return np.asarray(e.evaluate({x.name: values[x.name] for x in e.leaves} | sizes))


@each("name", list(ENTRIES))
def test_a_derivative_has_the_values_of_differences(name: str) -> None:
    entry = ENTRIES[name]
    rng = np.random.default_rng(1)
    values = {}
    for x in entry.value.leaves:
        v = rng.uniform(0.3, 0.9, at_sizes(x.shape, SIZES))
        is_square = x.ndim == 2 and x.shape[0] == x.shape[1]
        values[x.name] = v @ v.T + np.eye(len(v)) if is_square else v
        if x.facts is not None and x.facts.sums_to is not None:
            values[x.name] = v * (x.facts.sums_to / v.sum(-1, keepdims=True))
    want = np.empty(at_sizes(entry.derivative.shape, SIZES))
    step, x = 1e-5, values[entry.x.name]
    is_symmetric = entry.x.facts is not None and entry.x.facts.symmetric
    lower = entry.order - 1
    for place in np.ndindex(x.shape):
        up, down = (
            value(entry, lower, values | {entry.x.name: x + h * _unit(x, place, is_symmetric)})
            for h in (step, -step)
        )
        want[(..., *place)] = (up - down) / (2 * step)
    got = value(entry, entry.order, values)
    np.testing.assert_allclose(got, want, rtol=2e-6, atol=2e-6 * np.abs(want).max())


def _unit(x: np.ndarray, place: tuple[int, ...], is_symmetric: bool) -> np.ndarray:
    made = np.zeros(x.shape)
    made[place] = 1
    return (made + made.T) / 2 if is_symmetric else made


def test_the_command_line_prints_one(capsys) -> None:
    shapes = ["--shape", "w=3", "--shape", "X=10,3", "--shape", "y=10"]
    assert main(["derive", "docs/formulas.py:ridge", "--wrt", "w", *shapes]) in (0, None)
    assert "2 * (lam * w + X.T @ (X @ w - y))" in capsys.readouterr().out
    shapes = ["--shape", "w=m", "--shape", "X=n,m", "--shape", "y=n"]
    assert main(["derive", "docs/formulas.py:mean_squared_error", "--wrt", "w", *shapes]) in (
        0,
        None,
    )
    assert "2 * X.T @ (X @ w - y) / n" in capsys.readouterr().out
