"""The gallery: its page is what is printed, and each derivative has the values of differences."""

from __future__ import annotations

import numpy as np

from symgrad import derive
from symgrad.cli import main
from tests.each import each
from tools.gallery import PAGE, Entry, entries, page

ENTRIES = {entry.function.__name__: entry for entry in entries()}


def test_the_page_is_what_is_printed() -> None:
    assert PAGE.read_text() == page(), "python -m tools.gallery"
    assert len(ENTRIES) >= 60


def value(entry: Entry, order: int, values: dict[str, np.ndarray]) -> np.ndarray:
    e = derive(entry.value, entry.x, order)
    return np.asarray(e.evaluate({x.name: values[x.name] for x in e.leaves}))


@each("name", list(ENTRIES))
def test_a_derivative_has_the_values_of_differences(name: str) -> None:
    entry = ENTRIES[name]
    rng = np.random.default_rng(1)
    values = {}
    for x in entry.value.leaves:
        v = rng.uniform(0.3, 0.9, x.shape)
        is_square = x.ndim == 2 and x.shape[0] == x.shape[1]
        values[x.name] = v @ v.T + np.eye(len(v)) if is_square else v
    want = np.empty(entry.derivative.shape)
    step, x = 1e-5, values[entry.x.name]
    lower = entry.order - 1
    for place in np.ndindex(x.shape):
        up, down = (
            value(entry, lower, values | {entry.x.name: x + h * _unit(x.shape, place)})
            for h in (step, -step)
        )
        want[(..., *place)] = (up - down) / (2 * step)
    found = entry.derivative
    got = found.evaluate({x.name: values[x.name] for x in found.leaves})
    np.testing.assert_allclose(got, want, rtol=2e-6, atol=2e-6 * np.abs(want).max())


def _unit(shape: tuple[int, ...], place: tuple[int, ...]) -> np.ndarray:
    made = np.zeros(shape)
    made[place] = 1
    return made


def test_the_command_line_prints_one(capsys) -> None:
    shapes = ["--shape", "w=3", "--shape", "X=10,3", "--shape", "y=10"]
    assert main(["derive", "docs/formulas.py:ridge", "--wrt", "w", *shapes]) in (0, None)
    assert "2 * (lam * w + X.T @ (X @ w - y))" in capsys.readouterr().out
