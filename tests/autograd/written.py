"""Random programs that write into tensors between the operations that are recorded on them.

A program is plain data that follows from a seed, and runs on `symgrad` as on PyTorch. It writes
under `no_grad`, through `.data`, views, NumPy, `out=`, in place under record, exchanges `.data`,
and makes an optimizer's steps; between these it computes, also what stable forms and masks look
into.

    python -m tests.autograd.written 1000 --start 0

compares the programs of a thousand seeds with an installed PyTorch.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Outcome", "differences", "program", "run", "slope"]


class Step(NamedTuple):
    """One step: its kind, the name within the kind, two earlier values, and a number."""

    kind: str
    name: str
    first: int
    second: int
    number: float


class Program(NamedTuple):
    """The values of the leaves, the steps, and the values that the loss is made of."""

    leaves: tuple[np.ndarray[Any, Any], ...]
    steps: tuple[Step, ...]
    last: tuple[int, ...]

    def __str__(self) -> str:
        return "\n".join([*(f"  {step}" for step in self.steps), f"  loss of {self.last}"])


class Outcome(NamedTuple):
    """What a program gave.

    Attributes
    ----------
    loss : float
        The loss.
    first, second : list of array or None
        Its gradients, and derivatives of a sum of functions of these.
    error : str
        What was raised instead; empty where nothing was.
    largest : float
        The largest value on the way.
    exchanged : bool
        Whether an array was exchanged.
    """

    loss: float
    first: list[Any]
    second: list[Any]
    error: str = ""
    largest: float = 0.0
    exchanged: bool = False


#: Operations that are smooth where they are used: finite differences hold.
SMOOTH: dict[str, Callable[[Any, Any, Any, float], Any]] = {
    "add": lambda t, a, b, c: a + b,
    "sub": lambda t, a, b, c: a - b,
    "mul": lambda t, a, b, c: a * b,
    "product with itself": lambda t, a, b, c: a * a,
    "div": lambda t, a, b, c: a / (b * b + 1),
    "over": lambda t, a, b, c: a.sin() / (a - b + 7),
    "scale": lambda t, a, b, c: a * c,
    "twice": lambda t, a, b, c: a * 2,
    "shift": lambda t, a, b, c: a + c,
    "negate": lambda t, a, b, c: -a,
    "number over": lambda t, a, b, c: c / (a * a + 1),
    "one over": lambda t, a, b, c: 1 / (a * a + 1),
    "square": lambda t, a, b, c: a**2,
    "cube": lambda t, a, b, c: a**3 * 0.1,
    "exp": lambda t, a, b, c: (a * 0.3).exp(),
    "expm1": lambda t, a, b, c: (a * 0.3).expm1(),
    "sin": lambda t, a, b, c: a.sin(),
    "cos": lambda t, a, b, c: a.cos(),
    "tanh": lambda t, a, b, c: a.tanh(),
    "sigmoid": lambda t, a, b, c: a.sigmoid(),
    "atan2": lambda t, a, b, c: t.atan2(a, b * b + 1),
    "sqrt": lambda t, a, b, c: (a * a + 1).sqrt(),
    "log": lambda t, a, b, c: (a * a + 1).log(),
    "log1p": lambda t, a, b, c: (a * a).log1p(),
    "cumsum": lambda t, a, b, c: a.cumsum(0),
    # Differentiated from the operand alone, where PyTorch reads another value as well: writes that
    # nobody counts do not reach these.
    "logsigmoid": lambda t, a, b, c: t.nn.functional.logsigmoid(a * 1.5),
    "cumprod": lambda t, a, b, c: a.sigmoid().cumprod(0) * 1.5,
    "prod": lambda t, a, b, c: (a * 1.5).prod() * 0.1 + b,
    "softmax": lambda t, a, b, c: a.softmax(0),
    "sum": lambda t, a, b, c: a.sum() * b,
    "mean": lambda t, a, b, c: a.mean() + b,
    "outer": lambda t, a, b, c: t.outer(a, b) @ a * 0.1,
    "dot": lambda t, a, b, c: (a @ b) * b,
    "take": lambda t, a, b, c: a[[2, 0, 0]],
    "stack": lambda t, a, b, c: t.stack([a, b]).sum(0),
    "cat": lambda t, a, b, c: t.cat([a[:1], b[1:]]),
    "lerp": lambda t, a, b, c: t.lerp(a, b, 0.3),
    "addcmul": lambda t, a, b, c: t.addcmul(a, a, b, value=c),
    "logsumexp": lambda t, a, b, c: a.logsumexp(0) * b,
    "log_softmax": lambda t, a, b, c: a.log_softmax(0),
    "logaddexp": lambda t, a, b, c: t.logaddexp(a, b),
    "norm": lambda t, a, b, c: (a + 3).norm() * b,
    "var": lambda t, a, b, c: a.var() * b,
    "std": lambda t, a, b, c: (a * t.tensor([1.0, 5.0, 9.0], dtype=t.float64)).std() * b,
    "hypot": lambda t, a, b, c: t.hypot(a, b + 9),
    # PyTorch's second derivative is wrong where the exponent is 0.
    "power": lambda t, a, b, c: (a * a + 1) ** (b * 0.3 + 0.0123),
    "linear": lambda t, a, b, c: t.nn.functional.linear(a, t.stack([a, b, a]), b) * 0.1,
    "gelu": lambda t, a, b, c: t.nn.functional.gelu(a),
    "silu": lambda t, a, b, c: t.nn.functional.silu(a),
    "softplus": lambda t, a, b, c: t.nn.functional.softplus(a),
    "mse": lambda t, a, b, c: t.nn.functional.mse_loss(a, b) * a,
    "part": lambda t, a, b, c: a[1:].sum() * b,
    "view": lambda t, a, b, c: a.view(1, 3)[0],
    "slice": lambda t, a, b, c: a[:],
    # What stable forms look into.
    "log(1 + exp)": lambda t, a, b, c: (1 + a.exp()).log(),
    "log1p(exp)": lambda t, a, b, c: a.exp().log1p(),
    "log(sigmoid)": lambda t, a, b, c: a.sigmoid().log(),
    "log(1 - sigmoid)": lambda t, a, b, c: (1 - a.sigmoid()).log(),
    "log(cosh)": lambda t, a, b, c: a.cosh().log(),
    "log(sum(exp))": lambda t, a, b, c: a.exp().sum().log() + b,
    "log(softmax)": lambda t, a, b, c: a.softmax(0).log(),
    "1 / (1 + exp)": lambda t, a, b, c: 1 / (1 + (-a).exp()),
    "root of squares": lambda t, a, b, c: (a * a).sum().sqrt() * b,
    "norm squared": lambda t, a, b, c: a.norm() ** 2 * 0.1 + b,
}

#: Operations with kinks, whose derivatives have a convention there.
KINKED: dict[str, Callable[[Any, Any, Any, float], Any]] = {
    "abs": lambda t, a, b, c: (a + 0.0123).abs(),
    # PyTorch's second derivative at 0 is 0.
    "abs squared": lambda t, a, b, c: (a + 0.0123).abs() ** 2,
    "amax": lambda t, a, b, c: a.amax(0) * b,
    "max(0)": lambda t, a, b, c: a.view(3, 1).max(0)[0] * b,
    "topk": lambda t, a, b, c: a.topk(2)[0].sum() * b,
    "cummax": lambda t, a, b, c: a.cummax(0)[0],
    "hardtanh": lambda t, a, b, c: t.nn.functional.hardtanh(a),
    "leaky_relu": lambda t, a, b, c: t.nn.functional.leaky_relu(a),
    "elu": lambda t, a, b, c: t.nn.functional.elu(a + 0.0123),
    "relu": lambda t, a, b, c: a.relu(),
    "clamp": lambda t, a, b, c: a.clamp(-0.5, 0.8),
    "where": lambda t, a, b, c: t.where(a > 0, a, b),
    "where zero": lambda t, a, b, c: t.where(a > 0, a.exp(), 0.0),
    "masked_fill": lambda t, a, b, c: a.masked_fill(b > 0, 0.0),
    "times a mask": lambda t, a, b, c: (a > 0) * b,
    "maximum": lambda t, a, b, c: t.maximum(a, b),
    "max": lambda t, a, b, c: a.max() * b,
    "sort": lambda t, a, b, c: a.sort()[0],
    "floor": lambda t, a, b, c: a.floor() * b,
    "remainder": lambda t, a, b, c: a % 0.7,
}

_ALL = {**SMOOTH, **KINKED}


def _part(x: Any) -> Any:
    return x[1:]


def _through_numpy(t: Any, x: Any, c: float) -> None:
    x.detach().numpy()[...] *= c


def _element_through_numpy(t: Any, x: Any, c: float) -> None:
    x.detach().numpy()[1] = c


def _exchanged(t: Any, x: Any, c: float) -> None:
    x.data = x.data * 0.5 + c


def _out(t: Any, x: Any, c: float) -> None:
    t.mul(x, c, out=x)


def _masked(t: Any, x: Any, c: float) -> None:
    x[x > 0] = c


def _element(t: Any, x: Any, c: float) -> None:
    x[0] = c


def _masked_data(t: Any, x: Any, c: float) -> None:
    x.data[x.data > 0] = c


#: Writes that versions count; they happen without a record.
COUNTED: dict[str, Callable[[Any, Any, float], None]] = {
    "add_": lambda t, x, c: x.add_(c),
    "mul_": lambda t, x, c: x.mul_(c),
    "round_": lambda t, x, c: x.round_(),
    "zero_": lambda t, x, c: x.zero_(),
    "sin_": lambda t, x, c: x.sin_(),
    "copy_": lambda t, x, c: x.copy_(t.full((3,), c, dtype=t.float64)),
    "element": _element,
    "mask": _masked,
    "part": lambda t, x, c: _part(x).mul_(c),
    "view": lambda t, x, c: x.view(1, 3).add_(c),
    "detached": lambda t, x, c: x.detach().mul_(c),
    "out": _out,
}

#: Another array takes the place of the first: what was computed from that stays what it is.
EXCHANGED: dict[str, Callable[[Any, Any, float], None]] = {"data =": _exchanged}

#: Writes that nobody counts.
SILENT: dict[str, Callable[[Any, Any, float], None]] = {
    "data.add_": lambda t, x, c: x.data.add_(c),
    "data[mask] =": _masked_data,
    "data of a part": lambda t, x, c: _part(x.data).mul_(c),
    "numpy": _through_numpy,
    "element through numpy": _element_through_numpy,
}

#: Changes in place that are recorded.
RECORDED: dict[str, Callable[[Any, Any, Any, float], Any]] = {
    "mul_": lambda t, a, b, c: a.mul_(c),
    "add_": lambda t, a, b, c: a.add_(b),
    "mul_ by another": lambda t, a, b, c: a.mul_(b),
    "sin_": lambda t, a, b, c: a.sin_(),
    "sigmoid_": lambda t, a, b, c: a.sigmoid_(),
    "part": lambda t, a, b, c: _part(a).mul_(c),
    "element": lambda t, a, b, c: a.__setitem__(0, b[1]),
    "mask": lambda t, a, b, c: a.__setitem__(a > 0, 0.0),
}

#: Whose derivative reads the result: what nobody counts and is written into that does not reach it
#: where the result was written through a view (`docs/differences.md`).
OF_RESULT = ("sigmoid_",)

#: What stands for an operation that is left out.
_SAME = "same"

_WRITES = {**COUNTED, **EXCHANGED, **SILENT}
_LEAVES = 3


def program(seed: int, *, smooth: bool = False, silent: bool = True) -> Program:
    """Return the program of a seed.

    Parameters
    ----------
    smooth : bool
        Without operations that have kinks.
    silent : bool
        With writes that nobody counts, after which PyTorch's derivative is that of no function.
    """
    rng = np.random.default_rng(seed)
    leaves = [rng.uniform(-1.5, 1.5, 3) for _ in range(_LEAVES)]
    operations = list(SMOOTH if smooth else _ALL)
    counted = {**COUNTED, **EXCHANGED}
    writes = list(_WRITES if silent else counted)
    steps: list[Step] = []
    count = _LEAVES
    for _ in range(int(rng.integers(4, 14))):
        kind = rng.choice(
            ["op", "again", "write", "step", "recorded"], p=[0.5, 0.1, 0.27, 0.05, 0.08]
        )
        first, second = (int(i) for i in rng.integers(0, count, 2))
        if rng.random() < 0.5:  # what was made last is used most
            first = max(0, count - 1 - int(rng.integers(0, 3)))
        number = float(rng.choice([-1.3, 0.25, 0.5, 1.5, 2.0, 3.0]))
        if kind == "again":
            earlier = [s for s in steps if s.kind == "op"]
            if not earlier:
                continue
            steps.append(earlier[int(rng.integers(0, len(earlier)))])
            count += 1
            continue
        names = {
            "op": operations,
            "write": writes,
            "step": ["sub_", "data"],
            "recorded": [name for name in RECORDED if not smooth or name != "mask"],
        }
        if kind == "step":
            first %= _LEAVES
            if not silent:
                names["step"] = ["sub_"]
        elif kind == "recorded":
            first = max(first, _LEAVES) if count > _LEAVES else 0
        step = Step(str(kind), str(rng.choice(names[str(kind)])), first, second, number)
        of_view = first >= _LEAVES and [s for s in steps if s.kind == "op"][first - _LEAVES]
        if silent and step.name in OF_RESULT and of_view and of_view.name in ("view", "slice"):
            continue
        steps.append(step)
        count += kind == "op"
    last = tuple(int(i) for i in rng.integers(0, count, 3))
    return Program(tuple(leaves), tuple(steps), (*last, count - 1))


def run(
    t: Any,
    given: Program,
    leaves: Sequence[np.ndarray[Any, Any]] | None = None,
    shifts: list[Any] | None = None,
    order: int = 2,
) -> Outcome:
    """Run a program.

    Parameters
    ----------
    t : module
        `symgrad` or `torch`.
    leaves : sequence of array, optional
        Other values of the leaves.
    shifts : list, optional
        By how much each write without a record changes what it writes into: an empty list is
        filled; from a filled one they are taken, so that the same constants are written again.
    order : int
        How often to differentiate: 0, 1 or 2.
    """
    values = [t.tensor(x, dtype=t.float64, requires_grad=True) for x in leaves or given.leaves]
    inputs = list(values)
    try:
        _compute(t, given, values, shifts)
        loss = _loss(values, given.last)
        if order == 0 or not loss.requires_grad:
            return Outcome(float(loss.detach()), [], [])
        first = t.autograd.grad(loss, inputs, create_graph=order > 1, allow_unused=True)
        second: Any = []
        total: Any = 0.0
        for i, g in enumerate(first):
            if g is not None and g.requires_grad:
                total = total + (g * (0.5 + i) * g.detach().cos()).sum()
        if order > 1 and not isinstance(total, float):
            second = t.autograd.grad(total, inputs, allow_unused=True)
        largest = max(float(x.detach().abs().max()) for x in values)
        return Outcome(float(loss.detach()), _arrays(first), _arrays(second), largest=largest)
    except (RuntimeError, ValueError, TypeError, IndexError, AttributeError, KeyError) as error:
        exchanged = any(step.name in EXCHANGED for step in given.steps)
        return Outcome(math.nan, [], [], f"{type(error).__name__}: {error}", exchanged=exchanged)


def _arrays(found: Sequence[Any]) -> list[Any]:
    return [None if g is None else g.detach().numpy(force=True).copy() for g in found]


def _loss(values: Sequence[Any], last: Sequence[int]) -> Any:
    a, b, c, d = [values[i] for i in last]
    return (a * b).sum() + (c * 0.5).sin().sum() + d.sum() * 0.3


def _compute(t: Any, given: Program, values: list[Any], shifts: list[Any] | None) -> None:
    # PyTorch reads what took the place of an array that an operation had saved; symgrad reads what
    # the operation was computed from. So PyTorch is given views, which keep the array.
    views = t.__name__ == "torch" and any(step.name in EXCHANGED for step in given.steps)
    replays = bool(shifts)
    rest = iter(list(shifts)) if shifts else iter(())

    def used(i: int) -> Any:
        return values[i].view_as(values[i]) if views else values[i]

    for kind, name, i, j, number in given.steps:
        if kind == "op":
            made = values[i] if name == _SAME else _ALL[name](t, used(i), used(j), number)
            values.append(made)
            continue
        if kind == "recorded":
            RECORDED[name](t, values[i], used(j), number)
            continue
        x = values[i]
        before = x.detach().clone()
        if replays:
            shift = t.tensor(next(rest), dtype=t.float64)
            if name in EXCHANGED:
                x.data = x.data + shift
            elif shift.any():  # else there may have been no write
                with t.no_grad():
                    x.add_(shift)
            continue
        if kind == "step":
            if values[j].requires_grad:
                loss = (values[j] * values[j]).sum()
                (g,) = t.autograd.grad(loss, [x], retain_graph=True, allow_unused=True)
                if g is not None:
                    if name == "data":
                        x.data.sub_(0.1 * g)
                    else:
                        with t.no_grad():
                            x.sub_(0.1 * g)
        elif name in COUNTED:
            with t.no_grad():
                COUNTED[name](t, x, number)
        else:
            _WRITES[name](t, x, number)
        if shifts is not None:
            shifts.append((x.detach() - before).numpy().copy())


def shrunk(given: Program, fails: Callable[[Program], Any]) -> Program:
    """Return a part of a program that fails as well, of which nothing can be left out."""
    smaller = True
    while smaller:
        smaller = False
        for k in reversed(range(len(given.steps))):
            step = given.steps[k]
            instead = [] if step.kind != "op" else [step._replace(name=_SAME)]
            if step.name == _SAME:
                continue
            tried = given._replace(steps=(*given.steps[:k], *instead, *given.steps[k + 1 :]))
            if fails(tried):
                given, smaller = tried, True
    return given


# ------------------------------------------------------------------ comparisons


_OF_VIEWS = (
    "RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place"
)
_MODIFIED = "RuntimeError: one of the variables needed for gradient computation has been modified"


def differences(got: Outcome, wanted: Outcome, rtol: float = 1e-8) -> list[str]:
    """Return what is not as the reference has it."""
    if got.error or wanted.error:
        # Where PyTorch refuses what symgrad kept a copy of, the page of differences says so.
        if got.error[:60] == wanted.error[:60] or (
            not got.error and wanted.error.startswith(_MODIFIED)
        ):
            return []
        # Nor is what has another array a view any more.
        if wanted.exchanged and wanted.error.startswith(_OF_VIEWS):
            return []
        return [f"error {got.error!r} for {wanted.error!r}"]
    if not _moderate(wanted):
        return []
    found = []
    if not _close(got.loss, wanted.loss, rtol):
        found.append(f"loss {got.loss} for {wanted.loss}")
    for what, ours, theirs in (
        ("first", got.first, wanted.first),
        ("second", got.second, wanted.second),
    ):
        for i in range(_LEAVES):
            g = ours[i] if i < len(ours) else None
            w = theirs[i] if i < len(theirs) else None
            if g is None or w is None:  # None is zero
                g = np.zeros(3) if g is None else g
                w = np.zeros(3) if w is None else w
            if not _close(g, w, rtol):
                found.append(f"{what} derivative in leaf {i}: {g} for {w}")
    return found


def _close(got: Any, wanted: Any, rtol: float) -> bool:
    got, wanted = np.asarray(got), np.asarray(wanted)
    known = np.isfinite(wanted)  # where PyTorch has none, symgrad may have the value
    if not known.any():
        return True
    scale = max(1.0, float(np.abs(wanted[known]).max()))
    return bool(np.all(np.abs(got[known] - wanted[known]) <= rtol * scale))


def slope(t: Any, given: Program) -> list[str]:
    """Compare the derivatives of a program with finite differences of the program as it ran.

    What it writes without a record is what it wrote, as a constant that is added; whatever the
    leaves are. There must be no silent writes.
    """
    shifts: list[Any] = []
    here = run(t, given, shifts=shifts)
    if here.error or not here.first or not _moderate(here):
        return []
    if not all(np.isfinite(g).all() for g in (*here.first, *here.second) if g is not None):
        return []
    rng = np.random.default_rng(5)
    directions = [rng.uniform(-1, 1, 3) for _ in range(_LEAVES)]
    h = 1e-5
    ahead, behind = (
        run(
            t,
            given,
            [x + s * h * d for x, d in zip(given.leaves, directions, strict=True)],
            shifts or None,
            1,
        )
        for s in (1, -1)
    )
    if ahead.error or behind.error:
        return [f"error {ahead.error or behind.error}"]
    found = []
    slope = (ahead.loss - behind.loss) / (2 * h)
    claimed = _along(here.first, directions)
    scale = max(1.0, abs(slope), abs(here.loss))
    if abs(slope - claimed) > 1e-5 * scale:
        found.append(f"slope {claimed} for {slope}")
    if here.second and ahead.first and behind.first:
        weights = [0.0 if g is None else (0.5 + i) * np.cos(g) for i, g in enumerate(here.first)]
        slope = (_along(ahead.first, weights) - _along(behind.first, weights)) / (2 * h)
        claimed = _along(here.second, directions)
        scale = max(1.0, abs(slope), *[float(np.abs(g).max()) for g in here.first if g is not None])
        if abs(slope - claimed) > 1e-5 * scale:
            found.append(f"slope of the gradient {claimed} for {slope}")
    return found


def _along(gradients: Sequence[Any], directions: Sequence[Any]) -> float:
    pairs = zip(gradients, directions, strict=True)
    return float(sum(np.sum(g * d) for g, d in pairs if g is not None))


def _moderate(found: Outcome) -> bool:
    """Return whether nothing is so large that what is left of differences of it means nothing."""
    parts = [g for g in (found.loss, *found.first, *found.second) if g is not None]
    small = all(not np.any(np.abs(g[np.isfinite(g)]) > 1e5) for g in map(np.asarray, parts))
    return small and not found.largest > 50


def main(arguments: Sequence[str]) -> int:
    """Compare the programs of many seeds with PyTorch, and print those that differ."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--start", type=int, default=0)
    options = parser.parse_args(arguments)
    import torch

    import symgrad

    torch.set_num_threads(1)
    wrong = refused = 0
    for seed in range(options.start, options.start + options.count):
        given = program(seed)
        wanted = run(torch, given)
        refused += bool(wanted.error)
        found = differences(run(symgrad, given), wanted)
        if found:
            wrong += 1
            print(f"seed {seed}:", *found, sep="\n    ", flush=True)
            fails = lambda p: differences(run(symgrad, p), run(torch, p))  # noqa: E731
            print(shrunk(given, fails), flush=True)
    print(f"{options.count} programs, of which PyTorch refuses {refused}: {wrong} differ")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
