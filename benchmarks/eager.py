"""Tensors beside PyTorch's: programs that change numbers, write in place, view, map or recur."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.harness import Case, Contender, Figure, race
from benchmarks.peers import recording

__all__ = ["CASES"]

_FOUR = np.array([0.1, 0.2, 0.3, 0.4])

#: What makes a step of a program from a module with PyTorch's names: a function of no argument that
#: returns what the step has computed.
Program = Callable[[ModuleType], Callable[[], Any]]


def _race(case: str, what: str, program: Program, rounds: int, **how: Any) -> Figure:
    """Time the steps of a program, which have computed the same at first."""
    steps = {name: program(m) for name, m in recording().items()}
    found = [np.asarray(step().detach().numpy(), np.float64) for step in steps.values()]
    for other in found[1:]:
        np.testing.assert_allclose(found[0], other, rtol=1e-4, atol=1e-6)
    contenders = {name: Contender(step) for name, step in steps.items()}
    return race(case, what, contenders, rounds, **how)


def _leaf(m: ModuleType, values: Any) -> Any:
    return m.tensor(values, requires_grad=True)


def _differentiated(x: Any, y: Any) -> Any:
    """Return the gradient of a sum, and leave none behind."""
    y.sum().backward()
    gradient, x.grad = x.grad, None
    return gradient


# -- programs ------------------------------------------------------------------------------------


def _one(name: str) -> Program:
    def program(m: ModuleType) -> Callable[[], Any]:
        x, f = _leaf(m, _FOUR), getattr(m, name)
        return lambda: _differentiated(x, f(x))

    return program


def _perceptron(m: ModuleType) -> Callable[[], Any]:
    """A perceptron of 0-d tensors: two inputs, two layers of eight, one result."""
    rng = np.random.default_rng(0)
    sizes = (2, 8, 8, 1)
    layers = [
        [[_leaf(m, w) for w in row] for row in rng.normal(size=(n, k + 1)) * 0.5]
        for k, n in itertools.pairwise(sizes)
    ]
    inputs = [m.tensor(0.5, dtype=m.float64), m.tensor(-1.5, dtype=m.float64)]

    def step() -> Any:
        values: list[Any] = inputs
        for layer in layers:
            made = []
            for *weights, bias in layer:
                total = bias
                for w, x in zip(weights, values, strict=True):
                    total = total + w * x
                made.append(m.tanh(total))
            values = made
        values[0].backward()
        gradient = layers[0][0][0].grad
        for w in itertools.chain.from_iterable(itertools.chain.from_iterable(layers)):
            w.grad = None
        return gradient

    return step


def _recurrent(m: ModuleType) -> Callable[[], Any]:
    """An LSTM of 64 units over 50 steps of 16 sequences."""
    m.manual_seed(0)
    layer = m.nn.LSTM(32, 64)
    x = m.tensor(np.random.default_rng(0).normal(size=(50, 16, 32)).astype(np.float32))

    def step() -> Any:
        for p in layer.parameters():
            p.grad = None
        y, _ = layer(x)
        loss = (y * y).mean()
        loss.backward()
        return layer.weight_hh_l0.grad

    return step


def _changing(f: Callable[[ModuleType, Any, Any], Any], values: Sequence[Any]) -> Program:
    """A program in which a number is another one each time."""

    def program(m: ModuleType) -> Callable[[], Any]:
        x, given = _leaf(m, np.linspace(0.5, 1.5, 64)), itertools.cycle(values)
        return lambda: _differentiated(x, f(m, x, next(given)))

    return program


def _in_place(m: ModuleType) -> Callable[[], Any]:
    x = _leaf(m, _FOUR)

    def step() -> Any:
        y = x * 1.0
        for _ in range(25):
            y.mul_(0.9).add_(x).sin_().sub_(0.25)
        return _differentiated(x, y)

    return step


def _through_views(m: ModuleType) -> Callable[[], Any]:
    x = _leaf(m, np.linspace(0.1, 1.0, 12).reshape(3, 4))

    def step() -> Any:
        y = x * 1.0
        for i in range(24):
            row = y[i % 3]
            row.mul_(0.9)
            y.t()[i % 4].add_(0.1)
        return _differentiated(x, y)

    return step


def _mapped(m: ModuleType) -> Callable[[], Any]:
    x = m.tensor(np.linspace(0.1, 1.0, 32).reshape(8, 4))

    def chain(row: Any) -> Any:
        y = row
        for _ in range(20):
            y = m.tanh(m.sin(y) * row + row) - 0.5
        return y

    mapped = m.func.vmap(chain)
    return lambda: mapped(x)


def _long(m: ModuleType) -> Callable[[], Any]:
    x = _leaf(m, np.linspace(0.1, 1.0, 10**7))

    def step() -> Any:
        y = x
        for _ in range(4):
            y = m.tanh(m.sin(y) * x + x) - 0.5
        return _differentiated(x, y)

    return step


# -- cases ---------------------------------------------------------------------------------------


def one(rounds: int) -> Sequence[Figure]:
    return [
        _race("one", f"{name} of 4 float64, forward + backward", _one(name), rounds, target=1.0)
        for name in ("sin", "exp", "relu", "square")
    ]


def scalar(rounds: int) -> Sequence[Figure]:
    what = "a perceptron of 0-d tensors, forward + backward"
    return [_race("scalar", what, _perceptron, rounds, target=0.55, seconds=0.1)]


def lstm(rounds: int) -> Sequence[Figure]:
    what = "50 steps of 16, 32 to 64 units, forward + backward"
    return [_race("lstm", what, _recurrent, rounds, unit="ms", target=0.85, seconds=0.2)]


def numbers(rounds: int) -> Sequence[Figure]:
    rows: Iterable[tuple[str, Callable[[ModuleType, Any, Any], Any], Sequence[Any]]] = (
        ("an exponent", lambda m, x, c: x**c, np.linspace(1.1, 2.9, 97).tolist()),
        ("a shift", lambda m, x, k: m.roll(x, k) * x, range(1, 48)),
        ("the start of a slice", lambda m, x, k: x[k : k + 8] * x[:8], range(1, 48)),
        ("an index", lambda m, x, k: x[k] * x, range(1, 48)),
        ("a quantile", lambda m, x, q: m.quantile(x, q) * x, np.linspace(0.1, 0.9, 37).tolist()),
    )
    return [
        _race("numbers", f"{what} that changes", _changing(f, list(values)), rounds, target=2.0)
        for what, f, values in rows
    ]


def changes(rounds: int) -> Sequence[Figure]:
    return [
        _race("changes", "100 recorded changes in place of 4 float64, per change", _in_place,
              rounds, per=100, target=2.0),
        _race("changes", "48 changes through views of 12 float64, per change", _through_views,
              rounds, per=48, target=2.0),
    ]  # fmt: skip


def mapped(rounds: int) -> Sequence[Figure]:
    what = "vmap of 100 ops over 8 rows of 4 float64, per op"
    return [_race("vmap", what, _mapped, rounds, per=100, target=1.3)]


def long(rounds: int) -> Sequence[Figure]:
    what = "20 ops on 10^7 float64, forward + backward"
    return [_race("long", what, _long, max(3, rounds // 3), unit="ms", warm=2)]


CASES = (
    Case("one", "one operation on 4 elements", one),
    Case("scalar", "a network of 0-d tensors", scalar),
    Case("lstm", "one step of a recurrent layer", lstm),
    Case("numbers", "numbers that change from run to run", numbers),
    Case("changes", "recorded changes in place, and through views", changes),
    Case("vmap", "100 elementwise operations inside vmap", mapped),
    Case("long", "elementwise operations on long tensors", long),
)
