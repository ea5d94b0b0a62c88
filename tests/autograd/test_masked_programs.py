"""Random compositions of singular functions and masks: what a mask leaves out changes nothing.

Each is differentiated twice: with values at which the functions are singular where the mask does
not hold, and with harmless ones there. The derivatives are the same: a nan that a function has
where the mask holds stays, and none comes from where it does not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from tests.autograd import masked_programs
from tests.autograd.support import each, tensor

Step = Callable[[Any, Any, Any], Any]  # of the present value, the leaf and the mask

# Singular, or not real, at 0 and at -1.
_SINGULAR: dict[str, Callable[[Any], Any]] = {
    "sqrt": symgrad.sqrt,
    "log": symgrad.log,
    "rsqrt": symgrad.rsqrt,
    "1 / v": lambda v: 1 / v,
    "v**v": lambda v: v**v,
    "v**-0.5": lambda v: v**-0.5,
    "v**1.5": lambda v: v**1.5,
    "exp(1 / v)": lambda v: (1 / v).exp(),
    "(v - 3) / sqrt(v)": lambda v: (v - 3) / symgrad.sqrt(v),
    "log(v) / v": lambda v: symgrad.log(v) / v,
    "sin(v) / v": lambda v: symgrad.sin(v) / v,
    "v / sqrt(v * v)": lambda v: v / (v * v).sqrt(),
    "sqrt(sin(v))": lambda v: symgrad.sqrt(symgrad.sin(v)),
    "log(expm1(v))": lambda v: symgrad.log(symgrad.expm1(v)),
    "log(relu(v))": lambda v: symgrad.log(symgrad.relu(v)),
    "sqrt(clamp(v))": lambda v: symgrad.sqrt(v.clamp(min=0)),
    "abs(v)**0.5": lambda v: v.abs() ** 0.5,
    "xlogy": lambda v: symgrad.xlogy(v, v),
    "atan2": lambda v: symgrad.atan2(v, v * 0),
    "hypot": lambda v: symgrad.hypot(v, v * 0),
    "acosh(v + 1)": lambda v: symgrad.acosh(v + 1),
    "reshaped": lambda v: (v.reshape(-1) ** -0.5).reshape(v.shape),
}

_W = symgrad.tensor([[1.0, -0.5], [0.25, 2.0]], dtype=symgrad.float64)

# Of each row, which a mask lets through as a whole.
_SINGULAR_BY_ROW: dict[str, Callable[[Any], Any]] = {
    "log of sum": lambda v: v * symgrad.log(v.sum(-1, keepdim=True)),
    "by its sum": lambda v: v / v.sum(-1, keepdim=True),
    "by its norm": lambda v: v / symgrad.linalg.norm(v, dim=-1, keepdim=True),
    "by its length": lambda v: v / (v * v).sum(-1, keepdim=True).sqrt(),
    "standardized": lambda v: (v - v.mean(-1, keepdim=True)) * v.var(-1, keepdim=True).rsqrt(),
    "power of mean": lambda v: v ** v.mean(-1, keepdim=True),
    "root of prod": lambda v: v.prod(-1, keepdim=True).sqrt() * v,
    "softmax of log": lambda v: symgrad.log(v).softmax(-1),
    "logsumexp of log": lambda v: symgrad.log(v).logsumexp(-1, keepdim=True) * v,
    "log of cumsum": lambda v: symgrad.log(v.cumsum(-1)),
    "root of dot": lambda v: (v @ v.T).diagonal().sqrt().unsqueeze(-1) * v,
    "matrix of log": lambda v: symgrad.log(v) @ _W,
    "matrix of normal": lambda v: (v / (v * v).sum(-1, keepdim=True).sqrt()) @ _W,
    "softmax of matrix": lambda v: (symgrad.rsqrt(v) @ _W).softmax(-1),
    "by its largest": lambda v: v / v.amax(-1, keepdim=True),
    "root of gather": lambda v: v * v.gather(-1, symgrad.tensor([[1], [0], [1]])).sqrt(),
    "by its first": lambda v: v / v[:, :1],
    "by itself flipped": lambda v: v / v.flip(-1),
    "transposed": lambda v: (v.T**1.5).T,
}


def _assigned(y: Any, mask: Any) -> Any:
    y = y * 1
    y[~mask] = 0
    return y


def _written(y: Any, mask: Any) -> Any:
    z = symgrad.zeros_like(y) * 1
    z[mask] = y[mask]
    return z


_MASKS: dict[str, Callable[[Any, Any], Any]] = {
    "where": lambda y, mask: symgrad.where(mask, y, 0),
    "where not": lambda y, mask: symgrad.where(~mask, 0.0, y),
    "masked_fill": lambda y, mask: y.masked_fill(~mask, 0.0),
    "assigned": _assigned,
    "written": _written,
    "nansum": lambda y, mask: symgrad.where(mask, y, float("nan")).unsqueeze(-1).nansum(-1),
    "masked_scatter": lambda y, mask: symgrad.zeros_like(y).masked_scatter(mask, y[mask]),
    "twice": lambda y, mask: symgrad.where(mask, symgrad.where(mask, y, 0) * 2, 0),
}

# What is 0 where `v` is.
_SMOOTH: dict[str, Callable[[Any, Any], Any]] = {
    "-v": lambda v, x: -v,
    "0.3 * v": lambda v, x: 0.3 * v,
    "v**2": lambda v, x: v**2,
    "v + v * v": lambda v, x: v + v * v,
    "v * sin(x)": lambda v, x: v * symgrad.sin(x),
    "v * exp(-v)": lambda v, x: v * symgrad.exp(-v),
    "v / (2 + cos(x))": lambda v, x: v / (2 + symgrad.cos(x)),
    "tanh": lambda v, x: symgrad.tanh(v) * v,
    "relu": lambda v, x: symgrad.relu(v),
    "abs": lambda v, x: v.abs(),
    "clamp": lambda v, x: v.clamp(-2, 2),
    "sum": lambda v, x: v * v.sum(),
    "sum of rows": lambda v, x: v * v.sum(-1, keepdim=True),
    "cumsum": lambda v, x: v * v.cumsum(0),
    "matrix": lambda v, x: v * (v.reshape(len(v), -1) @ v.reshape(len(v), -1).T).sum(),
    "dot": lambda v, x: v * (v.reshape(-1) @ v.reshape(-1)),
    "flip": lambda v, x: v * v.flip(0).sum(0),
    "norm": lambda v, x: v * symgrad.linalg.norm(v),
    "max": lambda v, x: v * v.max(),
    "cat": lambda v, x: v * symgrad.cat([v, v]).sum(),
}

# Between a singular function and its mask.
_BETWEEN: dict[str, Callable[[Any, Any], Any]] = {
    "exp(-y * y)": lambda y, x: symgrad.exp(-y * y),
    "y * x": lambda y, x: y * x,
    "y + 1": lambda y, x: y + 1,
    "sin(y)": lambda y, x: symgrad.sin(y),
    "y * y": lambda y, x: y * y,
}

_JOINED: dict[str, Callable[[Any, Any], Any]] = {
    "instead": lambda v, y: y,
    "times": lambda v, y: v * y,
    "plus": lambda v, y: v + y,
}

#: Values at which functions are singular where the mask does not hold, and the mask.
_CASES: dict[str, tuple[Any, Any]] = {
    "vector": (
        np.array([-1.0, 1.4, 1.2, 0.0, 0.7]),
        np.array([False, True, True, False, True]),
    ),
    "matrix": (
        np.array([[-1.0, 1.4], [0.0, 0.0], [1.1, 0.8]]),
        np.array([[False, True], [False, False], [True, True]]),
    ),
    "rows": (
        np.array([[-1.0, 0.0], [1.3, 0.6], [0.9, 1.5]]),
        np.array([[False, False], [True, True], [True, True]]),
    ),
}
_HARMLESS = 0.55


def _masked_step(rng: random.Random, by_row: bool, first: bool) -> tuple[str, Step]:
    table = _SINGULAR_BY_ROW if by_row and rng.random() < 0.7 else _SINGULAR
    name, mask, join = (rng.choice(list(names)) for names in (table, _MASKS, _JOINED))
    between = rng.choice([None, None, *_BETWEEN])
    of_leaf = first or rng.random() < 0.5

    def step(v: Any, x: Any, c: Any) -> Any:
        y = table[name](x if of_leaf else v)
        y = _MASKS[mask](y if between is None else _BETWEEN[between](y, x), c)
        return y if v is None else _JOINED[join](v, y)

    return f"{name} of {'x' if of_leaf else 'v'}, {between}, {mask}, {join}", step


def _smooth_step(f: Callable[[Any, Any], Any]) -> Step:
    return lambda v, x, c: f(v, x)


def _program(rng: random.Random, size: int, by_row: bool) -> tuple[str, list[Step]]:
    steps = [_masked_step(rng, by_row, first=True)]
    for _ in range(rng.randrange(size)):
        if rng.random() < 0.5:
            steps.append(_masked_step(rng, by_row, first=False))
        else:
            name = rng.choice(list(_SMOOTH))
            steps.append((name, _smooth_step(_SMOOTH[name])))
    return "; ".join(name for name, _ in steps), [step for _, step in steps]


def _derivatives(steps: list[Step], values: Any, mask: Any, order: int) -> list[Any]:
    x = tensor(values)
    y: Any = None
    c = x > 0 if mask is None else symgrad.tensor(mask)
    for step in steps:
        y = step(y, x, c)
    found = []
    for _ in range(order):
        (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)
        found.append(y.detach().numpy())
        if not y.requires_grad:
            break
    return found


# The last ones have lengths of zero, whose third derivatives need the masks of several factors.
_SEEDS = [*range(30), 75, 90, 275]
_MORE = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(30, 300)]


@each("seed", [*_SEEDS, *_MORE])
def test_what_is_left_out_of_a_program_changes_nothing(seed: int) -> None:
    # A higher order of a few, since formulas grow fourfold with each.
    _check(seed, *((2, 4) if seed % 25 == 0 else (3, 3)))


def _check(seed: int, size: int, order: int) -> None:
    rng = random.Random(seed)
    case = rng.choice(list(_CASES))
    singular, mask = _CASES[case]
    described, steps = _program(rng, size, case == "rows")
    harmless = np.where(mask, singular, _HARMLESS)
    wanted = _derivatives(steps, harmless, mask, order)
    got = _derivatives(steps, singular, None if rng.random() < 0.5 else mask, order)
    assert len(got) >= len(wanted)
    for g, w in zip(got, wanted, strict=False):
        scale = max(1.0, np.nanmax(np.abs(w)))
        np.testing.assert_allclose(g, w, rtol=1e-6, atol=1e-9 * scale, err_msg=described)
        assert (g[~mask] == 0).all(), described


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_programs_with_masks_against_taylor_arithmetic(first: int) -> None:
    _check_programs(range(first, first + 10))


def test_masks_of_factors_beside_a_length_of_zero() -> None:
    _check_programs(range(1440, 1445))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 2000, 50))
def test_many_programs_with_masks_against_taylor_arithmetic(first: int) -> None:
    _check_programs(range(first, first + 50))


def _check_programs(seeds: range) -> None:
    kinds: Counter[str] = Counter()
    for seed in seeds:
        kind, wrong = masked_programs.check(seed)
        kinds[kind] += 1
        assert not wrong, f"{seed}, {kind}: {masked_programs.make(seed)}\n{wrong}"
    assert kinds["same"] >= 0.6 * len(seeds)  # few have no derivative, or ties


def test_the_steps_of_programs_are_all_tried() -> None:
    shown = [str(masked_programs.make(seed)) for seed in range(1000, 2000)]
    for table in (masked_programs.SINGULAR, masked_programs.MASKS, masked_programs.BETWEEN):
        assert [name for name in table if not any(name in text for text in shown)] == []
    for steps in (masked_programs.CHOICES, masked_programs.TRUTHS, masked_programs.SMOOTH):
        assert [n for n in steps if not any(f" = {n} of" in text for text in shown)] == []


@pytest.mark.oracle
@pytest.mark.parametrize("first", range(2000, 2400, 50))
def test_programs_with_masks_against_pytorch(first: int) -> None:
    torch = pytest.importorskip("torch")
    for seed in range(first, first + 50):
        kind, wrong = masked_programs.check(seed, torch)
        assert not wrong, f"{seed}, {kind}: {masked_programs.make(seed)}\n{wrong}"
