"""Compiled functions beside the functions themselves, on arrays, tensors and formulas."""

from __future__ import annotations

import copy
import itertools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symgrad as sg
from symgrad import func
from tests.autograd.test_transforms import OF_ONE, V, array, number
from tests.each import each


def plain(x: Any) -> Any:
    """Return arrays for tensors, in any structure."""
    if isinstance(x, (tuple, list)):
        return [plain(y) for y in x]
    if isinstance(x, dict):
        return {k: plain(y) for k, y in x.items()}
    return x.detach().numpy() if isinstance(x, sg.Tensor) else x


def check_equal(found: Any, wanted: Any) -> None:
    if isinstance(wanted, (list, tuple)):
        for a, b in zip(found, wanted, strict=True):
            check_equal(a, b)
    elif isinstance(wanted, dict):
        assert list(found) == list(wanted)
        check_equal(list(found.values()), list(wanted.values()))
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-13)
        assert np.asarray(found).dtype == np.asarray(wanted).dtype


@each("name", list(OF_ONE))
def test_transforms_of_arrays_are_those_of_tensors(name: str) -> None:
    found = OF_ONE[name](V)
    assert not isinstance(found, sg.Tensor)
    check_equal(found, plain(OF_ONE[name](sg.tensor(V))))
    compiled = func.compile(OF_ONE[name])
    check_equal(compiled(V), plain(found))
    check_equal(plain(compiled(sg.tensor(V))), plain(found))


#: Functions with arguments.
CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "containers": (
        lambda d, p: {"sum": d["w"] @ d["x"][0], "pair": (p[0] * p[1], "text", None)},
        ({"w": np.eye(2), "x": [np.array([1.0, 2.0])]}, (np.float64(2.0), 3.0)),
    ),
    "numbers are fixed but floats": (lambda x, n, s: x**n * s, (V, 3, 0.5)),
    "single precision": (lambda x, s: x * s, (V.astype(np.float32), 0.1)),
    "integers and truth": (
        lambda x, i, c: sg.where(c, x[i], 0), (V, np.array([2, 0, 1]), V > 0),
    ),
    "other byte order": (lambda x: x.sum(), (V.astype(">f8"),)),
    "functions of NumPy": (
        lambda x: np.linalg.norm(np.concatenate([x, np.sin(x)])), (V,),
    ),
    "an argument itself": (lambda x: x, (V,)),
    "a constant": (lambda x: (np.ones(2), 3.0, x.shape), (V,)),
    "complex": (lambda z: (z * z.conj()).real.sum(), (V + 1j,)),
    "empty": (lambda x: x.sum(), (np.zeros((0, 3)),)),
}  # fmt: skip


@each("name", list(CALLS))
def test_a_compiled_function_returns_what_the_function_returns(name: str) -> None:
    f, args = CALLS[name]

    def of_tensors(x: Any) -> Any:
        if isinstance(x, (tuple, list)):
            return type(x)(map(of_tensors, x))
        if isinstance(x, dict):
            return {k: of_tensors(y) for k, y in x.items()}
        is_array = isinstance(x, (np.ndarray, np.generic))
        return sg.tensor(np.asarray(x, x.dtype.newbyteorder("="))) if is_array else x

    compiled = func.compile(f)
    wanted = plain(f(*of_tensors(args)))
    for _ in range(6):  # interpreted at first, and then compiled
        found = compiled(*args)
        flat = list(found) if isinstance(found, (list, tuple)) else [found]
        assert not any(isinstance(x, sg.Tensor) for x in flat)
        for a in args:  # results are no views of arguments
            assert not any(
                np.shares_memory(a, x)
                for x in flat
                if isinstance(a, np.ndarray) and isinstance(x, np.ndarray)
            )
    if name == "containers":
        assert found["pair"][1:] == ("text", None)
        found, wanted = [found["sum"], found["pair"][0]], [wanted["sum"], wanted["pair"][0]]
    elif name == "a constant":
        assert found[2] == (3,)
        found, wanted = found[:2], wanted[:2]
    check_equal(found, wanted)


def test_gradients_of_a_compiled_function_are_compiled_to_any_order() -> None:
    f = func.compile(lambda x, y: ((x * y).sin() * x).sum())
    x, y = [sg.tensor(v, requires_grad=True) for v in (V, V[::-1].copy())]
    assert sg.autograd.gradgradcheck(f, (x, y))
    (third,) = sg.autograd.grad(f(x, y), x, create_graph=True)
    for _ in range(2):
        (third,) = sg.autograd.grad(third.sum(), x, create_graph=True)
    u = sg.tensor(V, requires_grad=True)
    (wanted,) = sg.autograd.grad(((u * y).sin() * u).sum(), u, create_graph=True)
    for _ in range(2):
        (wanted,) = sg.autograd.grad(wanted.sum(), u, create_graph=True)
    np.testing.assert_allclose(third.detach(), wanted.detach(), rtol=1e-12)
    assert not f(x.detach(), y.detach()).requires_grad
    with sg.no_grad():
        assert not f(x, y).requires_grad
    rows = func.vmap(lambda a: f(a, y))(sg.tensor(np.stack([V, 2 * V])))
    np.testing.assert_allclose(rows.detach(), [f(x, y).item(), f(2 * x, y).item()], rtol=1e-12)
    check_equal(
        plain(func.hessian(lambda a: f(a, y))(x)),
        plain(func.hessian(lambda a: ((a * y).sin() * a).sum())(x)),
    )
    _, moved = func.jvp(lambda a: f(a, y), (x.detach(),), (sg.ones(3, dtype=sg.float64),))
    assert moved.item() == pytest.approx(sg.autograd.grad(f(x, y), x)[0].sum().item())


def test_a_network_is_read_at_each_call() -> None:
    sg.manual_seed(0)
    net = sg.nn.Sequential(sg.nn.Linear(3, 4), sg.nn.Tanh(), sg.nn.Linear(4, 1))
    scale = sg.tensor(2.0)
    loss = func.compile(lambda x: (net(x) ** 2).mean() * scale * (net[0].weight * 2).sum())
    step = sg.optim.SGD(net.parameters(), lr=0.1)
    x = sg.randn(5, 3)
    for _ in range(3):
        wanted = (net(x) ** 2).mean() * scale * (net[0].weight * 2).sum()
        slopes = sg.autograd.grad(wanted, list(net.parameters()))
        step.zero_grad()
        found = loss(x)
        found.backward()
        assert found.item() == pytest.approx(wanted.item(), rel=1e-5)
        for p, slope in zip(net.parameters(), slopes, strict=True):
            np.testing.assert_allclose(p.grad, slope, rtol=1e-4, atol=1e-6)
        step.step()
        scale.mul_(0.5)
    assert loss.cache_info() == (2, 1, 64, 1)
    assert "layer0_weight" in str(loss.expr)


def test_there_is_a_program_for_each_structure() -> None:
    traces = itertools.count()

    @func.compile
    def f(x: Any, n: int = 2) -> Any:
        """Double."""
        next(traces)
        return x * n

    assert f.__name__ == "f"
    assert f.__doc__ == "Double."
    for x in (V, 2 * V, V[:2], V.astype(np.float32), sg.tensor(V), V):
        f(x)
    f(V, 3), f(V, n=3), f(V, 3)
    assert next(traces) == 6
    assert f.cache_info() == (3, 6, 64, 6)
    assert func.compile(f) is f
    f.cache_clear()
    assert f.cache_info() == (0, 0, 64, 0)
    for n in range(70):
        f(V, n)
    assert f.cache_info().currsize == 64


def test_what_ran_is_shown(tmp_path: Path) -> None:
    f = func.compile(func.grad(number))
    for what in ("expr", "program"):
        with pytest.raises(RuntimeError, match="before it is called"):
            getattr(f, what)
    wanted = f(V)
    x = sg.leaf("x", (3,))
    assert f.expr == func.grad(number)(x)
    assert "np.cos" in f.source()
    f.save(tmp_path / "slope.py")
    names: dict[str, Any] = {}
    exec((tmp_path / "slope.py").read_text(), names)
    np.testing.assert_allclose(names["number"](V), wanted, rtol=1e-14)
    assert repr(f) == "compile(number)"
    assert len(f.program) > 3


def test_methods_are_compiled() -> None:
    class Model:
        def __init__(self, k: float) -> None:
            self.k = k

        @func.compile
        def run(self, x: Any) -> Any:
            return x * self.k

    np.testing.assert_array_equal(Model(2.0).run(V), 2 * V)
    np.testing.assert_array_equal(Model(3.0).run(V), 3 * V)


def test_a_compiled_function_runs_in_threads() -> None:
    f = func.compile(func.value_and_grad(number))
    found: list[Any] = []
    threads = [threading.Thread(target=lambda k=k: found.append((k, f(V * k)))) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for k, (value, slope) in found:
        wanted = func.value_and_grad(number)(sg.tensor(V * k))
        check_equal([value, slope], plain(list(wanted)))


@each("f, args, error, match", {
    "branch": (lambda x: x if x.sum() > 0 else -x, (V,), TypeError, "where"),
    "value": (lambda x: float(x[0]), (V,), TypeError, "float"),
    "random numbers": (lambda x: x + sg.rand(3), (V,), TypeError, "random"),
    "integers": (func.grad(number), (np.arange(3),), RuntimeError, "int64"),
    "no number": (func.grad(array), (V,), RuntimeError, "scalar"),
    "objects": (lambda x: x, (np.array([None]),), TypeError, "object"),
    "an error of the function": (lambda x: x @ np.ones(2), (V,), RuntimeError, "size"),
})  # fmt: skip
def test_what_cannot_be_compiled_is_said(
    f: Any, args: Any, error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match) as caught:
        func.compile(f)(*args)
    if error is TypeError and "where" in match:
        assert "test_compiled.py" in caught.value.__notes__[0]
    with pytest.raises(TypeError, match="compile\\(\\) takes a function"):
        func.compile(3)


def test_an_array_of_numpy_in_a_function_is_no_tensor() -> None:
    f = func.compile(lambda x: x @ np.array([1.0, 2.0]))
    assert isinstance(f(np.ones(2)), np.float64)
    assert isinstance(f(sg.ones(2, dtype=sg.float64)), sg.Tensor)


def test_a_copy_makes_programs_of_its_own() -> None:
    f = func.compile(number)
    wanted = f(V)
    for g in (copy.copy(f), copy.deepcopy(f)):
        assert g is not f
        assert g.cache_info().currsize == 0
        np.testing.assert_allclose(g(V), wanted)


def test_arguments_may_be_named_as_words_of_the_language() -> None:
    f = func.compile(lambda x, lambda_, class_: x * lambda_ + class_)
    wanted = f(V, 2.0, 3.0)
    names: dict[str, Any] = {}
    exec(f.source(), names)
    found = next(v for k, v in names.items() if k not in ("np", "__builtins__"))(V, 2.0, 3.0)
    np.testing.assert_allclose(found, wanted)
