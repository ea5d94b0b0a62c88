"""Programs to be interrupted, and what must be as it was afterwards.

An error that a signal handler raises can come where Python looks for signals: where one of its
functions begins, after a call of a function written in C, and where a loop goes round. The first
two are what a profile function is told of, so an error raised there stands for the signal, at a
place that is chosen.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import symgrad as torch
from symgrad import random
from symgrad.autograd import checkpoint as checkpoints
from symgrad.autograd import forward_ad
from symgrad.autograd.function import Function
from symgrad.autograd.functional import hessian, jacobian
from symgrad.autograd.gradcheck import gradcheck
from symgrad.autograd.graph import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    saved_tensors_hooks,
)
from symgrad.backward import plan, saved, stages
from symgrad.ops.deriving import deriving
from symgrad.record import anomaly, modes
from symgrad.schema import dispatch
from symgrad.utils.checkpoint import GraphExecGroup, checkpoint, set_checkpoint_debug_enabled
from tests.signals import uncollected

Program = Callable[[Any, Any], Any]
PROGRAMS: dict[str, Program] = {}
#: Blocks whose mode holds from the call on that makes them, whether a block follows or not.
AT_ONCE: set[str] = set()


def program(f: Program) -> Program:
    PROGRAMS[f.__name__] = f
    return f


def at_once(f: Program) -> Program:
    AT_ONCE.add(f.__name__)
    return program(f)


#: Where a mode holds already that no block has begun for.
BEFORE_A_BLOCK = ("scopes.py:__get__", ":__enter__", ":__init__", ":_table")
#: How often a program adds to the gradients of its arguments, where it does not do so once.
ADDS = {"create_graph": 2, "saved_hooks": 2, "anomaly_mode": 1, "custom": 2, "checkpointed": 2}


@program
def backward(x: Any, w: Any) -> Any:
    y = ((x * w).sin() + x.exp() * 0.37).sum()
    y.backward()
    return y


@program
def large(x: Any, w: Any) -> Any:
    y = x
    for _ in range(12):
        y = (y * 0.5 + w).tanh() + y[0] * 0.125
    y.sum().backward()
    return y


@program
def create_graph(x: Any, w: Any) -> Any:
    y = (x.relu() * w).pow(3).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (g * g).sum().backward(retain_graph=True)
    (g * w).sum().backward(create_graph=True)
    return g


@program
def hooks(x: Any, w: Any) -> Any:
    h = x * w
    h.register_hook(lambda g: g * 2)
    h.retain_grad()
    y = h.exp()
    y.grad_fn.register_hook(lambda gradients, cotangents: None)
    handle = x.register_post_accumulate_grad_hook(lambda t: None)
    y.sum().backward()
    handle.remove()
    return h.grad


@program
def grad_modes(x: Any, w: Any) -> Any:
    with torch.no_grad():
        a = x * 2
        with torch.enable_grad():
            b = (x * w).sum()
    with torch.inference_mode():
        c = x + w
        with torch.inference_mode(False):
            d = (x * 3).sum()

    @torch.no_grad()
    def decorated() -> Any:
        return x * w

    @torch.enable_grad()
    def generator() -> Iterator[Any]:
        yield x * 2
        yield w * 2

    flags = [t.requires_grad for t in (a, b, c, d, decorated(), *generator())]
    b.backward()
    return torch.tensor(flags)


@at_once
def at_once_modes(x: Any, w: Any) -> Any:
    with torch.set_grad_enabled(False):
        a = x * w
    with torch.autograd.set_multithreading_enabled(False):
        b = (x * w).sum()
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        c = (x * w).sum()
    with forward_ad._set_fwd_grad_enabled(False):
        d = (x * w).sum()
    return torch.tensor([t.requires_grad for t in (a, b, c, d)])


@program
def dual(x: Any, w: Any) -> Any:
    with forward_ad.dual_level():
        moving = forward_ad.make_dual(x.detach(), w.detach())
        y = (moving.sin() * moving).sum()
        other = moving * 1
        other[0] = 4.0
        found = forward_ad.unpack_dual(y).tangent
    square = jacobian(lambda t: t * t, x.detach(), vectorize=True, strategy="forward-mode")
    return found + square.sum()


@program
def saved_hooks(x: Any, w: Any) -> Any:
    with saved_tensors_hooks(lambda t: t.detach() * 1, lambda t: t):
        y = (x * w).exp()
        with torch.autograd.graph.save_on_cpu():
            y = y.sin()
    with disable_saved_tensors_hooks("not here"):
        y = y * 2
    y.sum().backward()
    with allow_mutation_on_saved_tensors():
        h = x.clone()
        y = (h * h).sum()
        h.zero_()
        y.backward()
    return y


@program
def anomaly_mode(x: Any, w: Any) -> Any:
    with torch.autograd.detect_anomaly():
        y = (x * w).exp().sum()
        y.backward()
        with contextlib.suppress(RuntimeError):
            (0 * (x - x).sqrt()).sum().backward()
    return y


@program
def mapped(x: Any, w: Any) -> Any:
    rows = torch.vmap(lambda a, b: torch.vmap(lambda c: (c * 2).sin())(a) * b)
    y = rows(x.reshape(3, 1), w)
    rows = torch.eye(3, dtype=torch.float64)
    (g,) = torch.autograd.grad(y.flatten(), x, rows, is_grads_batched=True, retain_graph=True)
    y.sum().backward()
    return g


@program
def checkpointed(x: Any, w: Any) -> Any:
    def block(t: Any) -> Any:
        return (t * w).tanh() * torch.rand(3, dtype=torch.float64)

    with set_checkpoint_debug_enabled(True):
        y = checkpoint(block, x, use_reentrant=False)
    z = checkpoint(block, y, use_reentrant=True)
    with GraphExecGroup():
        z.sum().backward(retain_graph=True)
    with random.fork_rng():
        torch.rand(2)
    return y * 0


class Cube(Function):
    @staticmethod
    def forward(ctx: Any, t: Any) -> Any:
        ctx.save_for_backward(t)
        return t**3

    @staticmethod
    def backward(ctx: Any, ct: Any) -> Any:
        (t,) = ctx.saved_tensors
        return 3 * t * t * ct


@program
def custom(x: Any, w: Any) -> Any:
    y = Cube.apply(x * w).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    g.sum().backward()
    Cube.apply(x).sum().backward()
    return g


@program
def functional(x: Any, w: Any) -> Any:
    found = hessian(lambda t: (t * t * w.detach()).sum(), x.detach())
    assert gradcheck(lambda t: (t * t).sin(), (x.detach().requires_grad_(),))
    return found


class Shouting(torch.Tensor):
    pass


@program
def subclasses(x: Any, w: Any) -> Any:
    y = Shouting([1.0, 2.0, 3.0])
    with torch.overrides.DisableTorchFunctionSubclass():
        y = y * 2
    return y.as_subclass(Shouting) + 1


@program
def quiet(x: Any, w: Any) -> Any:
    y = torch.tensor([0.0, 1e300, 3.0]).log()
    e = (torch.leaf("q", (2,)).log() * 2).evaluate({"q": [0.0, -1.0]})
    z = torch.tensor([1e39, 2.0], dtype=torch.float64).to(torch.float32)
    (x / 0).sum().backward()
    return torch.cat([y, torch.tensor(e), z.double()])


@program
def writing(x: Any, w: Any) -> Any:
    y = (x * 1).clone()
    y[1:] *= 2
    y.add_(w)
    y.sum().backward()
    out = torch.zeros(3, dtype=torch.float64)
    out += 1
    torch.add(x.detach(), w.detach(), out=out)
    return out


# ---------------------------------------------------------------- what holds around them


def modes_of_thread() -> dict[str, Any]:
    """Return every mode, and what else is set for a time."""
    current = modes.state.state
    return {
        "special": dict(current.special),
        "aside": dict(current.aside),
        "everywhere": dict(modes.everywhere),
        "grad mode": torch.is_grad_enabled(),
        "inference": torch.is_inference_mode_enabled(),
        "errors of NumPy": np.geterr(),
        "passes": (stages._passes.stack, anomaly._passes.vertices),
        "answers": dispatch.local.disabled,
        "written": saved._local.written,
        "deriving": deriving.depth,
        "collector": (gc.isenabled(), gc.get_threshold()),
        "stream": id(random.default_generator._stream),
        "settings": (checkpoints._debug.value, checkpoints._early_stop.value),
    }


def tables() -> list[dict[str, Any]]:
    current = modes.state.state
    return [current.special, current.aside, modes.everywhere]


def arguments() -> tuple[Any, Any]:
    x = torch.tensor(np.array([0.5, 1.5, -0.25]), requires_grad=True)
    w = torch.tensor(np.array([1.5, -0.5, 2.0]), requires_grad=True)
    for t in (x, w):
        t.grad = torch.tensor(np.array([10.0, 20.0, 30.0]))
    return x, w


def gradients(args: Sequence[Any]) -> list[Any]:
    return [t.grad.detach().numpy().copy() for t in args]


def silently(f: Program, x: Any, w: Any) -> Any:
    """Call a program without its warnings; these are Python's, and so is how they are silenced."""
    filters = warnings.filters[:]
    try:
        warnings.simplefilter("ignore")
        return f(x, w)
    finally:
        warnings.filters[:] = filters  # type: ignore[index]


def outcome(f: Program, args: tuple[Any, Any]) -> list[Any]:
    """Return the result and the gradients of a program."""
    torch.manual_seed(5)
    result = silently(f, *args)
    return [result.detach().numpy().copy(), *gradients(args)]


class Interrupt(KeyboardInterrupt):
    """Stands for that of Ctrl-C."""


Place = tuple[str, int, int, str]


def place_of(frame: Any, event: str) -> Place:
    code = frame.f_code
    return (f"{code.co_filename}:{code.co_name}", code.co_firstlineno, frame.f_lasti, event)


def places(run: Callable[[], Any], when: Callable[[], bool] = lambda: True) -> dict[Place, int]:
    """Return where signals would be seen, each with the number of the event that is the first.

    Of those events alone at which `when` is true.
    """
    found: dict[Place, int] = {}
    count = 0

    def look(frame: Any, event: str, arg: Any) -> None:
        nonlocal count
        if event == "call" or event == "c_return":
            count += 1
            if when():
                found.setdefault(place_of(frame, event), count)

    with uncollected():
        sys.setprofile(look)
        try:
            run()
        finally:
            sys.setprofile(None)
    return found


def at_place(run: Callable[[], Any], at: int, act: Callable[[], Any]) -> Place | None:
    """Call `run`, and `act` at the event of this number; return where that was, or None.

    An `Interrupt` that `act` raises ends `run`, and no more.
    """
    count = 0
    where: Place | None = None

    def look(frame: Any, event: str, arg: Any) -> None:
        nonlocal count, where
        if event == "call" or event == "c_return":
            count += 1
            if count == at:
                where = place_of(frame, event)
                sys.setprofile(None)
                act()

    sys.setprofile(look)
    try:
        run()
    except Interrupt:
        pass
    finally:
        sys.setprofile(None)
    return where


def interrupted(run: Callable[[], Any], at: int) -> Place | None:
    """Interrupt `run` at the event of this number; return where that was, or None."""

    def interrupt() -> None:
        raise Interrupt

    with uncollected():
        return at_place(run, at, interrupt)


def trajectory(f: Program) -> list[set[bytes]]:
    """Return the values that each gradient has in the course of a program."""
    args = arguments()
    found: list[set[bytes]] = [set(), set()]

    def look(frame: Any = None, event: str = "", arg: Any = None) -> None:
        for values, t in zip(found, args, strict=True):
            values.add(t.grad._data.tobytes())

    torch.manual_seed(5)
    sys.setprofile(look)
    try:
        silently(f, *args)
    finally:
        sys.setprofile(None)
    look()
    return found


def check(name: str, at: int, values: list[set[bytes]], expected: list[Any]) -> list[str]:
    """Interrupt a program once; return what is wrong afterwards."""
    f = PROGRAMS[name]
    plan.cache_clear()
    args = arguments()
    torch.manual_seed(5)
    before = modes_of_thread()
    where = interrupted(lambda: silently(f, *args), at)
    after = modes_of_thread()
    if where is None:
        return []
    if name in AT_ONCE and where[0].endswith(BEFORE_A_BLOCK):
        for table in tables():
            table.clear()
        return []
    wrong = [f"{k}: {v} for {before[k]}" for k, v in after.items() if v != before[k]]
    if any(t.grad._data.tobytes() not in known for t, known in zip(args, values, strict=True)):
        wrong.append(f"gradients are {gradients(args)}")
    for table in tables():  # one failure is not the next one's
        table.clear()
    again = outcome(f, arguments())
    pairs = zip(again, expected, strict=True)
    if not all(np.allclose(a, b, 1e-9, equal_nan=True) for a, b in pairs):
        wrong.append(f"afterwards {again} for {expected}")
    return [f"{name}, interrupted at {where}: {what}" for what in wrong]
