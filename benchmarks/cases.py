"""What is measured: each case is a function that returns figures; `CASES` lists them.

The targets are those of the project: they stand beside the figures and stop nothing.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks import compiled, eager
from benchmarks.harness import Case, Contender, Figure, best_times, race
from benchmarks.peers import functional, recording
from symgrad.autograd import cache_clear, cache_info

__all__ = ["CASES"]

ROOT = Path(__file__).absolute().parent.parent
_FOUR = np.array([0.1, 0.2, 0.3, 0.4])


# -- programs ------------------------------------------------------------------------------------


def chain(m: Any, x: Any, ops: int = 100) -> Any:
    """`ops` elementwise operations, five kinds in turn; values stay of order one."""
    y = x
    for _ in range(ops // 5):
        y = m.tanh(m.sin(y) * x + x) - 0.5
    return y


def random_program(ops: int, seed: int) -> Callable[[Any, Any], Any]:
    """A program whose structure, operations and reuse of values, follows from `seed`."""
    rng = random.Random(seed)
    steps = [
        (rng.choice("+-*sctn"), rng.randrange(1, 12), rng.randrange(1, 12)) for _ in range(ops)
    ]

    def program(m: Any, x: Any) -> Any:
        made = [x]
        for kind, i, j in steps:
            a, b = made[-min(i, len(made))], made[-min(j, len(made))]
            if kind == "+":
                y = a + b
            elif kind == "-":
                y = a - b
            elif kind == "*":
                y = a * b
            elif kind == "s":
                y = m.sin(a)
            elif kind == "c":
                y = m.cos(a)
            elif kind == "t":
                y = m.tanh(a)
            else:
                y = -a
            made.append(y)
        # Every value counts, so that none is left out of the gradient.
        return made[-1] + sum(made[1:8])

    return program


def _tensor(m: ModuleType, value: Any, requires_grad: bool = True) -> Any:
    return m.tensor(value, requires_grad=requires_grad)


def _gradient_of(m: ModuleType, f: Callable[..., Any], x: Any) -> Callable[[], None]:
    def run() -> None:
        f(m, x).sum().backward()
        x.grad = None

    return run


# -- cases ---------------------------------------------------------------------------------------


def elementwise(rounds: int) -> Sequence[Figure]:
    contenders = {}
    for name, m in recording().items():
        contenders[name] = Contender(_gradient_of(m, chain, _tensor(m, _FOUR)))
    for name, gradient in functional().items():
        step = gradient(lambda m, x: m.sum(chain(m, x)), 1)
        contenders[name] = Contender(lambda step=step: step(_FOUR))
    what = "100 ops on 4 float64, forward + backward, per op"
    return [race("elementwise", what, contenders, rounds, per=100, target=0.6)]


def record_only(rounds: int) -> Sequence[Figure]:
    contenders = {}
    for name, m in recording().items():
        x = _tensor(m, _FOUR)
        contenders[name] = Contender(lambda m=m, x=x: chain(m, x))
    return [
        race("record", "100 ops on 4 float64, forward only, per op", contenders, rounds, per=100)
    ]


def mlp(rounds: int) -> Sequence[Figure]:
    rng = np.random.default_rng(0)
    sizes = [(784, 128), (128,), (128, 10), (10,)]
    weights = [(rng.standard_normal(s) * 0.05).astype(np.float32) for s in sizes]
    images = rng.standard_normal((32, 784)).astype(np.float32)
    classes = np.eye(10, dtype=np.float32)[rng.integers(0, 10, 32)]

    def loss(m: Any, w1: Any, b1: Any, w2: Any, b2: Any, x: Any, y: Any) -> Any:
        logits = m.relu(x @ w1 + b1) @ w2 + b2
        return (m.logsumexp(logits, 1) - (logits * y).sum(1)).mean()

    contenders = {}
    for name, m in recording().items():
        parameters = [_tensor(m, w) for w in weights]
        data = [_tensor(m, a, requires_grad=False) for a in (images, classes)]

        def step(m: Any = m, parameters: Any = parameters, data: Any = data) -> None:
            loss(m, *parameters, *data).backward()
            with m.no_grad():
                for w in parameters:
                    w -= 0.01 * w.grad
                    w.grad = None

        contenders[name] = Contender(step)
    for name, gradient in functional().items():
        current = [w.copy() for w in weights]
        pull = gradient(loss, 4)

        def train(current: Any = current, pull: Any = pull) -> None:
            _, found = pull(*current, images, classes)
            for i, g in enumerate(found):
                current[i] = current[i] - 0.01 * g

        contenders[name] = Contender(train)
    what = "784-128-10, batch 32, float32, one SGD step"
    return [race("mlp", what, contenders, rounds, target=1.1, seconds=0.05)]


SIZES = (100, 1_000, 10_000, 100_000)


def sizes(rounds: int) -> Sequence[Figure]:
    """Race all sizes against each other, so that a busy moment meets every one of them."""
    modules = recording()
    figures = []
    for kind, warm in (("warm", 8), ("first run", 1)):
        contenders = {}
        for ops in SIZES:
            for name, m in modules.items():
                run = _gradient_of(m, lambda m, x, ops=ops: chain(m, x, ops), _tensor(m, _FOUR))
                forget = cache_clear if kind == "first run" and name == "symgrad" else None
                contenders[f"{name} {ops}"] = Contender(run, forget)
        best = best_times(contenders, max(3, rounds // 3), warm=warm)
        own = []
        for ops in SIZES:
            times = {name: best[f"{name} {ops}"] / ops * 1e6 for name in modules}
            own.append(times.pop("symgrad"))
            figures.append(Figure("sizes", f"{ops:,} ops, {kind}, per op", own[-1], "µs", times))
        spread = max(own) / min(own)
        figures.append(
            Figure("sizes", f"{kind}: slowest to fastest time per op", spread, target=1.5)
        )
        cache_clear()
    return figures


def unseen(rounds: int) -> Sequence[Figure]:
    modules = recording()
    x = {name: _tensor(m, _FOUR) for name, m in modules.items()}
    fixed = random_program(100, seed=0)
    contenders = {
        name: Contender(_gradient_of(m, fixed, x[name]), cache_clear if name == "symgrad" else None)
        for name, m in modules.items()
    }
    figures = [
        race("unseen", "one structure of 100 ops, forgotten before each run, per op", contenders,
             rounds, per=100, target=8)
    ]  # fmt: skip
    # Structures that never return: each is run once by each, after operations have been met.
    count, ops = 40 * rounds, 100
    spent: dict[str, list[float]] = {name: [] for name in modules}
    for seed in range(1, count + 1):
        program = random_program(ops, seed)
        for name, m in modules.items():
            run = _gradient_of(m, program, x[name])
            start = time.perf_counter()
            run()
            spent[name].append((time.perf_counter() - start) / ops * 1e6)
    for word, summary in (("mean", statistics.fmean), ("median", statistics.median)):
        times = {name: summary(ts) for name, ts in spent.items()}
        figures.append(
            Figure("unseen", f"{word} over {count} random structures of {ops} ops, per op",
                   times.pop("symgrad"), "µs", times, 8, "torch")
        )  # fmt: skip
    cache_clear()
    return figures


def second_order(rounds: int) -> Sequence[Figure]:
    def run(m: ModuleType, x: Any) -> None:
        y = (m.sin(x) * m.exp(x) + x**3).sum()
        (g,) = m.autograd.grad(y, x, create_graph=True)
        g.sum().backward()
        x.grad = None

    contenders = {}
    for name, m in recording().items():
        x = _tensor(m, _FOUR)
        contenders[name] = Contender(lambda m=m, x=x: run(m, x))
    return [race("second", "sin(x)*exp(x) + x**3, create_graph and backward", contenders, rounds)]


def hooks(rounds: int) -> Sequence[Figure]:
    def hooked(m: Any, x: Any, every: int) -> Any:
        y = x
        for i in range(1000):
            y = y * 0.999
            if i % every == 0:
                y.register_hook(lambda g: None)
        return y

    figures = []
    for every, what in ((1, "each"), (10, "every tenth")):
        contenders = {}
        for name, m in recording().items():
            x = _tensor(m, _FOUR)
            if hasattr(x, "register_hook"):
                run = _gradient_of(m, lambda m, x, every=every: hooked(m, x, every), x)
                contenders[name] = Contender(run)
        what = f"1000 ops on 4 float64, a hook on {what}, forward + backward, per op"
        figures.append(race("hooks", what, contenders, rounds, per=1000))
    return figures


#: The shapes of the parameters of a network of 784, 128 and 10 units, and of many small ones.
_PARAMETERS = {
    "784-128-10": [(128, 784), (128,), (10, 128), (10,)],
    "200 parameters of 10": [(10,)] * 200,
}
_OPTIMIZERS: dict[str, tuple[str, dict[str, Any]]] = {
    "SGD": ("SGD", {}),
    "SGD with momentum": ("SGD", {"momentum": 0.9}),
    **{name: (name, {}) for name in ("Adam", "AdamW", "RMSprop", "Adagrad")},
}


def optimizers(rounds: int) -> Sequence[Figure]:
    figures = []
    for what, shapes in _PARAMETERS.items():
        for title, (name, settings) in _OPTIMIZERS.items():
            contenders = {}
            for peer, m in recording().items():
                params = []
                for shape in shapes:
                    values = np.random.default_rng(0).normal(size=(2, *shape)).astype(np.float32)
                    params.append(_tensor(m, values[0]))
                    params[-1].grad = _tensor(m, values[1], requires_grad=False)
                contenders[peer] = Contender(getattr(m.optim, name)(params, **settings).step)
            label = f"{title}, {what}, float32"
            figures.append(race("optim", label, contenders, rounds, target=1.0))
    return figures


def imports(rounds: int) -> Sequence[Figure]:
    code = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"
    best: dict[str, float] = {}
    # The first import writes bytecode, and is not counted: what is installed has it.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for round_ in range(max(4, rounds // 2)):
        for name in recording():
            text = subprocess.run(
                [sys.executable, "-c", code.format(name)],
                cwd=ROOT, check=True, capture_output=True, text=True, env=environment,
            ).stdout  # fmt: skip
            if round_:
                best[name] = min(best.get(name, 1e9), float(text) * 1e3)
    return [Figure("import", "in a fresh process", best.pop("symgrad"), "ms", best, 0.6, "torch")]


def calls(rounds: int) -> Sequence[Figure]:
    """Count the NumPy calls of each gradient program that the documents' programs run."""
    import symgrad  # noqa: PLC0415 - after the thread counts are set
    from symgrad.backward import plan  # noqa: PLC0415
    from tests.documents.record import PROGRAMS, standing_in, transcript  # noqa: PLC0415

    figures = []
    for path in PROGRAMS:
        cache_clear()
        with (
            standing_in(symgrad),
            contextlib.redirect_stdout(io.StringIO()),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            transcript(path, symgrad)
        counts = [len(p.program) for p in plan._plans.values()]
        assert cache_info().currsize == len(counts)
        what = f"{path.stem}: NumPy calls in {len(counts)} gradient programs"
        figures.append(Figure("calls", f"{what} {counts}", sum(counts)))
    cache_clear()
    return figures


CASES = {
    case.name: case
    for case in (
        Case("elementwise", "100 elementwise operations on 4 elements, warm", elementwise),
        Case("record", "the same without backward", record_only),
        Case("mlp", "one training step of a small network", mlp),
        Case("unseen", "structures that were never seen before", unseen),
        Case("second", "a second derivative through create_graph", second_order),
        *eager.CASES,
        *compiled.CASES,
        Case("sizes", "time per operation from 100 to 100,000 operations", sizes),
        Case("hooks", "a chain of operations with hooks on their results", hooks),
        Case("optim", "one step of an optimizer", optimizers),
        Case("import", "the time of the import", imports),
        Case("calls", "NumPy calls per gradient of the documents' programs", calls),
    )
}
