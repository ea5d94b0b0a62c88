"""Random programs with masks, to the third derivative, against Taylor arithmetic and PyTorch.

    python -m tests.autograd.masked_programs 10000              # against tests.autograd.jets
    python -m tests.autograd.masked_programs 10000 --torch      # and against PyTorch

A program is a list of steps over a pool of values, each of the shape of the leaf: functions that
are singular where a mask leaves elements out, choices (orders, extremes, bounds, writes), and
smooth functions; values are used several times. What PyTorch is given is guarded: a singular
function gets a harmless number where the mask leaves its result out, and so has derivatives to
compare with where PyTorch would give nan.
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import symgrad
from tests.autograd import jets

Array = np.ndarray[Any, Any]

ORDER = 3
HARMLESS = 0.55


class Run(NamedTuple):
    """One run of a program: the functions, the leaf, the mask, and whether it is guarded."""

    t: Any
    x: Any
    mask: Any
    guarded: bool


Step = Callable[[Run, Any, Any], Any]  # of two values of the pool

# -- singular functions ----------------------------------------------------------------------------

# Singular, or not real, at 0 and at -1; regular where numbers are positive.
SINGULAR: dict[str, Callable[[Run, Any], Any]] = {
    "sqrt": lambda r, v: r.t.sqrt(v),
    "log": lambda r, v: r.t.log(v),
    "rsqrt": lambda r, v: r.t.rsqrt(v),
    "1 / v": lambda r, v: 1 / v,
    "v**-0.5": lambda r, v: v**-0.5,
    "v**1.5": lambda r, v: v**1.5,
    "exp(1 / v) / 9": lambda r, v: r.t.exp(1 / v) / 9,
    "(v - 3) / sqrt(v)": lambda r, v: (v - 3) / r.t.sqrt(v),
    "log(v) / v": lambda r, v: r.t.log(v) / v,
    "log(v)**2": lambda r, v: r.t.log(v) ** 2,
    "sqrt(v) * log(v)": lambda r, v: r.t.sqrt(v) * r.t.log(v),
    "sin(v) / v": lambda r, v: r.t.sin(v) / v,
    "v / sqrt(v * v)": lambda r, v: v / r.t.sqrt(v * v),
    "log(relu(v))": lambda r, v: r.t.log(r.t.relu(v)),
    "sqrt(clamp(v))": lambda r, v: r.t.sqrt(v.clamp(0, 9)),
    "sqrt(abs(v))": lambda r, v: r.t.sqrt(v.abs()),
    "reshaped": lambda r, v: (v.reshape(-1) ** -0.5).reshape(*v.shape),
    "log of exp - 1": lambda r, v: r.t.log(r.t.expm1(v)),
    "sqrt of flipped": lambda r, v: r.t.sqrt(v.flip(0)).flip(0),
    "sqrt(sqrt(v))": lambda r, v: r.t.sqrt(r.t.sqrt(v)),
    "sqrt of relu - relu": lambda r, v: r.t.sqrt(r.t.relu(v) - r.t.relu(-v)),
}


def _assigned(r: Run, m: Any, y: Any, u: Any) -> Any:
    z = y.clone()
    z[~m] = 0.0
    return z


def _filled_in_place(r: Run, m: Any, y: Any, u: Any) -> Any:
    z = y * 1
    return z.masked_fill_(~m, 0.5)


def _written(r: Run, m: Any, y: Any, u: Any) -> Any:
    z = r.t.zeros_like(u) * 1
    z[m] = y[m]
    return z


def _written_over(r: Run, m: Any, y: Any, u: Any) -> Any:
    z = u * 2
    z[m] = y[m]
    return z


def _multiplied_there(r: Run, m: Any, y: Any, u: Any) -> Any:
    z = u.clone()
    z[m] = z[m] * y[m]
    return z


# What lets a result through where the mask holds, and is something else elsewhere.
MASKS: dict[str, Callable[[Run, Any, Any, Any], Any]] = {
    "where": lambda r, m, y, u: r.t.where(m, y, 0.0),
    "where else u": lambda r, m, y, u: r.t.where(m, y, u),
    "where not": lambda r, m, y, u: r.t.where(~m, 0.0, y),
    "masked_fill": lambda r, m, y, u: y.masked_fill(~m, 0.25),
    "assigned": _assigned,
    "filled in place": _filled_in_place,
    "written": _written,
    "written over": _written_over,
    "multiplied there": _multiplied_there,
    "index": lambda r, m, y, u: y[m].sum() * u,
    "index of part": lambda r, m, y, u: u * (y[m] * u[m]).sum(),
    "nansum": lambda r, m, y, u: r.t.where(m, y, float("nan")).unsqueeze(-1).nansum(-1),
    "nansum of rows": lambda r, m, y, u: u * r.t.where(m, y, float("nan")).nansum(-1, True),
    "masked_scatter": lambda r, m, y, u: (u * 0.5).masked_scatter(m, y[m]),
    "twice": lambda r, m, y, u: r.t.where(m, r.t.where(m, y, 0.0) * 2, 0.0),
    "softmax": lambda r, m, y, u: r.t.where(m, y, float("-inf")).softmax(-1),
    "masked_fill softmax": lambda r, m, y, u: y.masked_fill(~m, -1e9).softmax(0),
    "sum of rows": lambda r, m, y, u: r.t.where(m, y, 0.0).sum(-1, True) * u,
    "running sum": lambda r, m, y, u: r.t.where(m, y, 0.0).cumsum(-1),
}

# -- choices ---------------------------------------------------------------------------------------


def _part_written(r: Run, v: Any, w: Any) -> Any:
    z = v.clone()
    z[1:] = w[:-1]
    return z


def _part_scaled(r: Run, v: Any, w: Any) -> Any:
    z = v * 1
    z[0] = z[0].clone() * w[-1]
    return z


def _zeroed(r: Run, v: Any, w: Any) -> Any:
    z = v.clone()
    z[w > 0.6] = 0.0
    return z


def _scaled_where(r: Run, v: Any, w: Any) -> Any:
    z = v.clone()
    m = w > 0.3
    z[m] = z[m] * w[m]
    return z


def _in_place(name: str, *args: Any) -> Step:
    def step(r: Run, v: Any, w: Any) -> Any:
        z = v * 1
        getattr(z, name)(*args)
        return z

    return step


def _index(r: Run, v: Any) -> Any:
    return r.t.tensor([0, 1, 1, 0, 2, 1][: v.shape[0]]) % v.shape[0]


# Between a singular function and its mask.
BETWEEN: dict[str, Callable[[Run, Any, Any], Any]] = {
    "exp(-y * y)": lambda r, y, w: r.t.exp(-y * y),
    "y * w": lambda r, y, w: y * w,
    "y + w": lambda r, y, w: y + w,
    "sin(y)": lambda r, y, w: r.t.sin(y),
    "y * y": lambda r, y, w: y * y,
    "relu(y)": lambda r, y, w: r.t.relu(y),
    "w / y": lambda r, y, w: w / y,
}

CHOICES: dict[str, Step] = {
    "relu": lambda r, v, w: r.t.relu(v),
    # Not at 0: the square of an absolute value is differentiated exactly here, not by PyTorch.
    "abs": lambda r, v, w: (v - 0.3).abs(),
    "clamp": lambda r, v, w: v.clamp(-0.5, 1.2),
    "relu of difference": lambda r, v, w: r.t.relu(v - w),
    "maximum": lambda r, v, w: r.t.maximum(v, w),
    "minimum": lambda r, v, w: r.t.minimum(v, w * 0.5),
    "where larger": lambda r, v, w: r.t.where(v > w, v, w * w),
    "where positive": lambda r, v, w: r.t.where(w > 0, v, 0.0),
    "masked_fill": lambda r, v, w: v.masked_fill(w > 1, 0.0),
    "cummax": lambda r, v, w: v.cummax(0)[0],
    "cummin": lambda r, v, w: v.cummin(-1)[0],
    "sort": lambda r, v, w: v.sort(0)[0],
    "sort down": lambda r, v, w: v.sort(-1, True)[0] * w,
    "topk": lambda r, v, w: v.topk(2, -1)[0].sum(-1, True) * w,
    "topk first": lambda r, v, w: v * v.topk(1, 0)[0],
    "kthvalue": lambda r, v, w: w * v.kthvalue(2, -1, True)[0],
    "max of rows": lambda r, v, w: w * v.max(-1, True)[0],
    "min of columns": lambda r, v, w: w + v.min(0)[0],
    "amax": lambda r, v, w: v * v.amax(-1, True),
    "amin": lambda r, v, w: v - w.amin(0, True),
    "largest": lambda r, v, w: v * v.max(),
    "smallest": lambda r, v, w: w * v.min() + v,
    "less its largest": lambda r, v, w: v - v.amax(-1, True),
    "index_fill": lambda r, v, w: v.index_fill(0, r.t.tensor([0, 1]), 0.0) + w,
    "index_select": lambda r, v, w: v.index_select(0, _index(r, v)) * w,
    "index_add": lambda r, v, w: v.index_add(0, _index(r, v), w),
    "index": lambda r, v, w: v[_index(r, v)],
    "flip": lambda r, v, w: v.flip(0) * w,
    "roll": lambda r, v, w: v.roll(1, 0) + w,
    "part written": _part_written,
    "part scaled": _part_scaled,
    "zeroed": _zeroed,
    "scaled where": _scaled_where,
    "relu_": _in_place("relu_"),
    "clamp_": _in_place("clamp_", -1, 1.2),
    "mul_": _in_place("mul_", 2),
    "mask": lambda r, v, w: r.t.where(r.mask, v, w),
    "mask out": lambda r, v, w: v.masked_fill(~r.mask, 0.0),
    "cat": lambda r, v, w: r.t.cat([v[1:], w[:1]]),
}


def _weights(r: Run, v: Any) -> Any:
    n = v.shape[-1]
    return r.t.tensor(np.cos(np.arange(1.0, 1 + n * n)).reshape(n, n))


# Truth values among factors and terms, and what is chosen by them and used again beside it.
TRUTHS: dict[str, Step] = {
    "truth": lambda r, v, w: (w > 0.2) * v,
    "truth of itself": lambda r, v, w: v * (v > 0),
    "truths": lambda r, v, w: (v > 0) * (w > 0) * v * w,
    "truth of the mask": lambda r, v, w: r.mask * r.t.exp(v * 0.5),
    "truth of an exponential": lambda r, v, w: (w > 0) * r.t.exp(v * 0.3),
    "truth over": lambda r, v, w: (v > 0.5) / (2 + w * w),
    "truth and": lambda r, v, w: v + (w > 0.4) * w,
    "truth chosen": lambda r, v, w: r.t.where(v > 0.7, w > 0, v),
    "chosen and itself": lambda r, v, w: r.t.where(v > 0.7, v, 0.0) + v,
    "filled and itself": lambda r, v, w: v.masked_fill(w > 0.7, 0.0) + v,
    "zeroed and itself": lambda r, v, w: _zeroed(r, v, w) + v,
    "sorted and itself": lambda r, v, w: v.sort(0)[0] + v,
    "running and itself": lambda r, v, w: v.cummax(0)[0] * v,
}

SMOOTH: dict[str, Step] = {
    "-v": lambda r, v, w: -v,
    "v + w": lambda r, v, w: v + w,
    "v * w": lambda r, v, w: v * w,
    "v - 0.3 * w": lambda r, v, w: v - 0.3 * w,
    "v * v": lambda r, v, w: v * v,
    "v * sin(x)": lambda r, v, w: v * r.t.sin(r.x),
    "v * exp(-w * w)": lambda r, v, w: v * r.t.exp(-w * w),
    "v / (2 + cos(w))": lambda r, v, w: v / (2 + r.t.cos(w)),
    "tanh": lambda r, v, w: r.t.tanh(v) * w,
    "sum": lambda r, v, w: v * w.sum(),
    "mean of rows": lambda r, v, w: v - w.mean(-1, True),
    "cumsum": lambda r, v, w: v.cumsum(0) * 0.5,
    "softmax": lambda r, v, w: v.softmax(-1) * w,
    "logsumexp": lambda r, v, w: v - w.logsumexp(-1, True),
    "prod": lambda r, v, w: w * v.prod(-1, True) * 0.5,
    "norm": lambda r, v, w: v / (1 + (w * w).sum(-1, True)),
    "dot": lambda r, v, w: v * (v * w).sum(-1, True),
    "matrix": lambda r, v, w: (v @ _weights(r, v)) * w,
    "attention": lambda r, v, w: r.t.where(r.mask, v, -30.0).softmax(-1) @ _weights(r, v) * w,
}

#: Values at which functions are singular where the mask does not hold, and some that are equal.
CASES: list[tuple[Any, Any]] = [
    (np.array([-1.0, 1.4, 1.2, 0.0, 0.7]), np.array([0, 1, 1, 0, 1], bool)),
    (np.array([1.2, 0.0, 1.2, -1.0]), np.array([1, 0, 1, 0], bool)),
    (np.array([[-1.0, 1.4], [0.0, 0.0], [1.1, 0.8]]), np.array([[0, 1], [0, 0], [1, 1]], bool)),
    (np.array([[0.6, 0.0, 1.3], [0.9, 1.5, -1.0]]), np.array([[1, 0, 1], [1, 1, 0]], bool)),
]


class Program(NamedTuple):
    """Steps, and which of the values before them each takes; the result is a sum of some values."""

    case: int
    names: list[str]
    steps: list[tuple[Step, int, int]]
    outputs: list[int]

    def __str__(self) -> str:
        shown = [f"v{i + 1} = {n}" for i, n in enumerate(self.names)]
        return f"case {self.case}: " + "; ".join(shown) + f"; sum of {self.outputs}"

    def run(self, r: Run) -> Any:
        pool = [r.x]
        for step, i, j in self.steps:
            pool.append(step(r, pool[i], pool[j]))
            if r.t is jets and not np.isfinite(pool[-1].value).all():
                raise Singular
        total = pool[self.outputs[0]]
        for i in self.outputs[1:]:
            total = total + pool[i]
        return total


def make(seed: int) -> Program:
    """Return the program of a seed."""
    rng = random.Random(seed)
    case = rng.randrange(len(CASES))
    names: list[str] = []
    steps: list[tuple[Step, int, int]] = []
    for n in range(rng.randrange(2, 7)):
        # Mostly the latest values: chains are long, and some parts are shared.
        i, j = (n - min(n, int(rng.expovariate(0.9))) for _ in range(2))
        name, step = _step(rng, first=n == 0)
        names.append(name.format(f"v{i}", f"v{j}"))
        steps.append((step, i, j))
    count = len(steps)
    outputs = [count, *rng.sample(range(1, count), k=rng.randrange(min(count, 3)))]
    return Program(case, names, steps, outputs)


def _step(rng: random.Random, first: bool) -> tuple[str, Step]:
    kind = rng.random()
    if first or kind < 0.4:
        name, mask = rng.choice(list(SINGULAR)), rng.choice(list(MASKS))
        between = rng.choice([*[""] * len(BETWEEN), *BETWEEN])
        which = rng.choice(["fixed", "positive", "positive", "both"])
        described = f"{mask}({which}, {between or 'y'} for y = {name} of {{0}}, {{1}})"
        return described, _masked(name, between, mask, which)
    table = TRUTHS if kind < 0.6 else CHOICES if kind < 0.8 else SMOOTH
    name = rng.choice(list(table))
    return f"{name} of {{0}}, {{1}}", table[name]


def _masked(name: str, between: str, mask: str, which: str) -> Step:
    def step(r: Run, v: Any, w: Any) -> Any:
        m = r.mask if which == "fixed" else v > 0.1
        if which == "both":
            m = r.t.logical_and(r.mask, m)
        u = r.t.where(m, v, HARMLESS) if r.guarded else v
        y = SINGULAR[name](r, u)
        if between:
            y = BETWEEN[between](r, y, w)
        if r.t is jets and not (jets.is_regular(v, m) and jets.is_regular(y, m)):
            raise Singular
        return MASKS[mask](r, m, y, w)

    return step


class Singular(Exception):
    """A function has no derivative at an element that its mask lets through, or no value."""


def by_records(t: Any, program: Program, guarded: bool) -> list[Array]:
    """Return the derivatives that symgrad, or PyTorch, gives."""
    values, mask = CASES[program.case]
    x = t.tensor(values, dtype=t.float64, requires_grad=True)
    y = program.run(Run(t, x, t.tensor(mask), guarded))
    found = []
    for _ in range(ORDER):
        y = (
            t.autograd.grad(y.sum(), x, create_graph=True)[0]
            if y.requires_grad
            else t.zeros_like(x)
        )
        found.append((t.zeros_like(x) + y).detach().numpy())  # PyTorch's zeros have no memory
    return found


def by_jets(program: Program) -> list[Array] | None:
    """Return the derivatives by Taylor arithmetic; None where it cannot tell.

    Raises
    ------
    Singular
        Where there are no derivatives, or rounding leaves few digits of them.
    """
    values, mask = CASES[program.case]
    found = []
    with np.errstate(all="ignore"):
        for kind in (np.float64, np.longdouble):
            try:
                y = program.run(Run(jets, jets.Jet.variable(values.astype(kind)), mask, False))
            except jets.Undecided:
                return None
            found.append([d.reshape(values.shape) for d in y.derivatives()])
    rounded, wanted = found
    if not is_settled(wanted) or differences(rounded, wanted):
        raise Singular
    return wanted


def differences(got: Sequence[Array], wanted: Sequence[Array]) -> str:
    """Return what differs, or nothing."""
    size = 1.0
    for order, (g, w) in enumerate(zip(got, wanted, strict=True), 1):
        size = max(size, float(np.abs(w).max()))
        with np.errstate(all="ignore"):
            wrong = ~(np.abs(g - w) <= 1e-7 * np.abs(w) + 1e-9 * size)
        if wrong.any():
            return f"order {order}: {g.tolist()}, not {w.tolist()}"
    return ""


def is_settled(wanted: Sequence[Array]) -> bool:
    """Whether the function has these derivatives, and rounding leaves digits of them."""
    return all(np.isfinite(w).all() and np.abs(w).max() < 1e9 for w in wanted)


def check(seed: int, torch: Any = None) -> tuple[str, str]:
    """Return what became of a program ("same", "no derivative", ...), and what is wrong with it."""
    program = make(seed)
    try:
        wanted = by_jets(program)
    except Singular:
        return "no derivative", ""
    if torch is not None:
        theirs = by_records(torch, program, True)
        wrong = differences(theirs, wanted) if wanted and is_settled([*wanted, *theirs]) else ""
        if wrong:
            return "oracles differ", wrong
        wanted = wanted or theirs
    if wanted is None:
        return "undecided", ""
    if not is_settled(wanted):
        return "no derivative", ""
    wrong = differences(by_records(symgrad, program, False), wanted)
    return ("different" if wrong else "same"), wrong


def main() -> None:
    """Check many programs and print those that fail."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--torch", action="store_true", help="compare with PyTorch, too")
    given = parser.parse_args()
    torch = None
    if given.torch:
        import torch  # type: ignore[no-redef]
    kinds: Counter[str] = Counter()
    for seed in range(given.first, given.first + given.count):
        try:
            kind, wrong = check(seed, torch)
        except Exception:  # reported with its program, and the others go on
            kind, wrong = "crash", traceback.format_exc(limit=-4)
        kinds[kind] += 1
        if wrong:
            print(seed, kind, make(seed), wrong, sep="\n    ", flush=True)
    print(dict(kinds))
    sys.exit(any(kinds[k] for k in ("crash", "different", "oracles differ")))


if __name__ == "__main__":
    main()
