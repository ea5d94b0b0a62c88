"""Errors of users' functions: what tracing cannot do is no mistake, and no mistake is hidden."""

from __future__ import annotations

import math
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad
from symgrad.autograd import Function
from symgrad.expr.node import ArrayExpr
from symgrad.support.untraceable import Untraceable, cause_of
from tests.autograd.support import each
from tests.malformed.calls import callables, caller, made
from tests.malformed.judge import restore
from tests.malformed.record import RECORDS
from tests.malformed.values import RIGHT


class OwnError(Exception):
    """An error that only the user's program knows."""


#: What users' code raises: on purpose, and by mistake.
MISTAKES: dict[str, Callable[[Any], Any]] = {
    "ValueError": lambda x: int("seven"),
    "TypeError": lambda x: len(3),  # type: ignore[arg-type]
    "ZeroDivisionError": lambda x: 1 / 0,
    "AttributeError": lambda x: "text".lowercase(),  # type: ignore[attr-defined]
    "AttributeError of a formula": lambda x: x.sine(),
    "NameError": lambda x: sine(x),  # type: ignore[name-defined]  # noqa: F821
    "KeyError": lambda x: {}["x"],
    "IndexError": lambda x: [][3],
    "OverflowError": lambda x: math.exp(1e9),
    "RuntimeError of the library": lambda x: x @ x.reshape(1, -1) @ x,
    "IndexError of the library": lambda x: x.sum(7),
    "NotImplementedError": lambda x: _raise(NotImplementedError("later")),
    "RuntimeError": lambda x: _raise(RuntimeError("no")),
    "AssertionError": lambda x: _raise(AssertionError("no")),
    "MemoryError": lambda x: _raise(MemoryError("no")),
    "StopIteration": lambda x: next(iter([])),
    "OwnError": lambda x: _raise(OwnError("no")),
    "KeyboardInterrupt": lambda x: _raise(KeyboardInterrupt()),
}


def _raise(error: BaseException) -> Any:
    raise error


def _function(where: str, mistake: Callable[[Any], Any]) -> Any:
    """Return a `Function` with a mistake in one of its methods."""

    class Mistaken(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return mistake(x) if where == "forward" else x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return mistake(grad)

    return Mistaken


def _x() -> Any:
    return symgrad.tensor([0.5, 1.0, 2.0], requires_grad=True, name="x")


def _leaf() -> Any:
    return symgrad.leaf("x", (3,))


#: How symgrad comes to run a user's code on formulas, and on tensors.
RUNS: dict[str, Callable[[Callable[[Any], Any]], Any]] = {
    "symbolic_trace": lambda f: symgrad.symbolic_trace(f, x=(3,)),
    "vmap of a formula": lambda f: symgrad.vmap(f)(symgrad.leaf("X", (2, 3))),
    "vmap of a tensor": lambda f: symgrad.vmap(f)(symgrad.ones(2, 3)),
    "forward of a formula": lambda f: _function("forward", f).apply(_leaf()),
    "forward of a tensor": lambda f: _function("forward", f).apply(_x()),
    "explain": lambda f: symgrad.explain(_function("backward", f).apply(_x()).sum()),
    "explain of a formula": lambda f: symgrad.explain(_function("backward", f).apply(_leaf())),
    "derive": lambda f: symgrad.derive(_function("backward", f).apply(_x()), "x"),
    "derive of a formula": lambda f: symgrad.derive(_function("backward", f).apply(_leaf()), "x"),
    "derive twice": lambda f: symgrad.derive(_function("backward", f).apply(_leaf()).sum(), "x", 2),
    "backward": lambda f: _function("backward", f).apply(_x()).sum().backward(),
    "grad": lambda f: symgrad.autograd.grad(
        _function("backward", f).apply(y := _x()).sum(), y, create_graph=True
    ),
    "hessian": lambda f: symgrad.autograd.functional.hessian(
        lambda x: _function("backward", f).apply(x).sum(), _x()
    ),
}


@each("run", list(RUNS))
@each("mistake", list(MISTAKES))
def test_an_error_of_the_user_reaches_the_user(mistake: str, run: str) -> None:
    seen: list[BaseException] = []

    def code(x: Any) -> Any:
        try:
            return MISTAKES[mistake](x)
        except BaseException as error:
            seen.append(error)
            raise

    with pytest.raises(BaseException) as caught:  # noqa: PT011 - which one is asserted
        RUNS[run](code)
    assert caught.value is seen[0]
    lines = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert "code" in lines


def _raising(kind: type[Exception], seen: list[Exception]) -> Callable[..., Any]:
    """Return a function that raises what NumPy does at a limit, and notes it."""

    def code(x: Any = None, y: Any = None) -> Any:
        seen.append(kind("Maximum allowed dimension exceeded"))
        raise seen[-1]

    return code


def _takers() -> Iterator[tuple[str, list[str], dict[str, str], str]]:
    """Yield the public calls that run a function of the user's, and where that stands."""
    for path, entry in sorted(RECORDS.all().items()):
        for base in entry["bases"]:
            for i, kind in enumerate(base["args"]):
                if kind in ("callable", "square", "total", "functions"):
                    yield path, base["args"], base["kwargs"], str(i)


def test_an_error_of_a_function_that_a_public_call_runs_reaches_the_user() -> None:
    """Errors of the kinds that NumPy's limits raise are not taken for these, either."""
    ran, wrong = set(), []
    for path, args, kwargs, place in _takers():
        for kind in (OverflowError, MemoryError, ValueError, TypeError, RuntimeError):
            seen: list[Exception] = []
            code = _raising(kind, seen)
            restore()
            given, named = made(symgrad, (args, kwargs))
            given[int(place)] = [code, code] if args[int(place)] == "functions" else code
            f = caller(symgrad, path)
            assert f is not None
            found: Exception | None = None
            try:
                f(*given, **named)
            except Exception as error:
                found = error
            if seen:
                ran.add(path)
                if found is not seen[-1]:
                    wrong.append(f"{path}: {found!r} in place of {seen[-1]!r}")
    restore()
    assert not wrong, "\n".join(wrong)
    # Beside these there are decorators, and what keeps a function for later.
    assert {
        "autograd.functional.jacobian", "autograd.functional.hessian", "autograd.functional.vjp",
        "autograd.functional.jvp", "autograd.functional.hvp", "autograd.functional.vhp",
        "utils.checkpoint.checkpoint", "autograd.gradcheck",
    } <= ran  # fmt: skip


#: What tracing cannot do, each one line of a user's function.
BEYOND: dict[str, Callable[[Any], Any]] = {
    "bool": lambda x: x if x.sum() > 0 else -x,
    "all": lambda x: x if all(x > 0) else -x,
    "max of Python's": lambda x: x * max(x[0], x[1]),
    "float": lambda x: x * float(x.sum()),
    "int": lambda x: x * int(x.sum()),
    "complex": lambda x: x * complex(x[0]).real,
    "round": lambda x: x * round(x[0]),
    "math": lambda x: x * math.sin(x[0]),
    "range": lambda x: x * len(range(x[0])),
    "index": lambda x: x * [1.0, 2.0, 3.0][x[0]],
    "format": lambda x: x * float(f"{x[0]:.2f}"),
    "item": lambda x: x * x[0].item(),
    "tolist": lambda x: x * x.tolist()[0],
    "numpy": lambda x: x * np.cos(x.detach().numpy()),
    "elements": lambda x: x * np.array(x, float).sum(),
    "NumPy without a counterpart": lambda x: x * np.unwrap(x),
    "data": lambda x: x * x.data,
    "backward": lambda x: x.sum().backward(),
    "grad": lambda x: symgrad.autograd.grad(x.sum(), x)[0],
    "requires_grad": lambda x: x * bool(x.requires_grad),
    "a method in place": lambda x: x.mul_(2.0),
    "an item in place": lambda x: x.__setitem__(0, 1.0),
    "into a tensor": lambda x: symgrad.ones(3, dtype=symgrad.float64).mul_(x),
    "into an item": lambda x: symgrad.ones(3, dtype=symgrad.float64).__setitem__(0, x[0]),
    "out": lambda x: symgrad.sin(x, out=symgrad.ones(3, dtype=symgrad.float64)),
    "a tensor": lambda x: symgrad.tensor(x),
    "a tensor of elements": lambda x: symgrad.tensor([x[0], x[1], x[2]]),
    "a mask": lambda x: x[x > 0].sum() * x,
    "masked_select": lambda x: symgrad.masked_select(x, x > 0).sum() * x,
    "nonzero": lambda x: x * symgrad.nonzero(x)[0],
    "arange": lambda x: x * symgrad.arange(x[0]).sum(),
    "equal": lambda x: x * symgrad.equal(x, x),
    "jacobian": lambda x: symgrad.autograd.functional.jacobian(lambda y: y * 2, x)[0],
    "hook": lambda x: x.register_hook(print),
    "random numbers": lambda x: x * symgrad.rand(3),
    "a draw in place": lambda x: x * symgrad.empty(3).normal_(),
    "a permutation": lambda x: x * symgrad.randperm(3),
    "dropout": lambda x: symgrad.nn.functional.dropout(symgrad.ones(3), 0.5) * x,
    "dropout of a formula": lambda x: symgrad.nn.functional.dropout(x, 0.5),
    "an error of the user's that it led to": lambda x: _float_or_error(x),
}


def _float_or_error(x: Any) -> Any:
    try:
        return float(x.sum())
    except TypeError as error:
        raise ValueError("x must be a number") from error


@each("case", list(BEYOND))
def test_what_tracing_cannot_do_is_explained_by_its_line(case: str) -> None:
    code = BEYOND[case]

    class Opaque(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return code(grad)

    explanation = symgrad.explain(Opaque.apply(_leaf()))
    assert "Opaque.backward(" in str(explanation.gradients["x"])
    (why,) = explanation.untraced
    assert why.function == "Opaque.backward"
    line = code.__code__.co_firstlineno
    if case.startswith("an error of"):
        line = _float_or_error.__code__.co_firstlineno + 2
    file, number, text = why.place.split(":", 2)
    assert (file, int(number)) == (__file__, line)
    assert text.strip() == Path(__file__).read_text(encoding="utf-8").splitlines()[line - 1].strip()
    assert f"{file}:{number}" in repr(explanation)
    assert str(why) in repr(explanation)


@each("case", list(BEYOND))
def test_a_trace_says_what_it_cannot_do(case: str) -> None:
    with pytest.raises((Untraceable, ValueError)) as caught:
        symgrad.symbolic_trace(BEYOND[case], x=(3,))
    assert isinstance(cause_of(caught.value), Untraceable)


def test_what_can_be_traced_has_nothing_to_explain() -> None:
    y = symgrad.tensor([1.0, 2.0], requires_grad=True, name="x")
    assert symgrad.explain((y * y).sum()).untraced == []
    assert "no formula" not in repr(symgrad.explain((y * y).sum()))


#: Attributes of formulas that are SymPy's and NumPy's, and one of tensors that PyTorch alone has.
_NOT_OURS = {"Tensor.is_complex", "Tensor.is_nonzero", "utils.hooks.warn_if_has_hooks"}
#: What reads no elements of a tensor, and yet not its shape and dtype alone: its memory or history,
#: or whether it is a tensor. Without a probability `bernoulli` reads the elements.
_OF_TENSORS_ALONE = {
    "Tensor.__dlpack_device__", "Tensor.is_contiguous", "Tensor.is_inference", "Tensor.is_pinned",
    "Tensor.is_shared", "Tensor.storage_offset", "Tensor.stride",
    "Tensor.bernoulli", "bernoulli", "is_inference", "is_tensor", "overrides.is_tensor_like",
}  # fmt: skip
_FORMULA = ("f", "f1", "f3", "f33", "f133", "f333", "f3333", "i", "i3", "i33", "b3", "b33")


def _tensors_in(base: Any) -> list[int]:
    """Return the places of the tensors for which formulas may stand in a base call."""
    return [i for i, kind in enumerate(base["args"]) if kind in _FORMULA]


def _formula_calls(path: str, base: Any) -> Iterator[tuple[list[Any], dict[str, Any], str]]:
    """Yield a base call of a path with formulas in the places of tensors, in one or in all."""
    places = _tensors_in(base)
    for chosen in {tuple(places), *((i,) for i in places)}:
        if not chosen:
            continue
        given, named = made(symgrad, (base["args"], base["kwargs"]))
        for i in chosen:
            x = RIGHT[base["args"][i]](symgrad)
            given[i] = symgrad.leaf(f"x{i}", tuple(x.shape), x.dtype)
        yield given, named, f"{path}{base['args']} with formulas at {chosen}"


GROUPS = 8


def formula_calls(group: int) -> Iterator[tuple[Callable[[], Any], str]]:
    """Yield the base calls of a group of public functions, with formulas in places of tensors."""
    for path in sorted({*callables()} - _NOT_OURS)[group::GROUPS]:
        for base in RECORDS[path]["bases"]:
            for given, named, text in _formula_calls(path, base):
                restore()
                f = caller(symgrad, path)
                assert f is not None
                yield partial(f, *given, **named), text
    restore()


@pytest.mark.parametrize("group", range(GROUPS))
def test_every_public_call_takes_a_formula_or_says_that_it_has_no_values(group: int) -> None:
    wrong, count = [], 0
    for call, text in formula_calls(group):
        count += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                call()
        except Exception as error:
            if cause_of(error) is None:
                wrong.append(f"{text}: {type(error).__name__}: {error}"[:300])
    assert count > 100
    assert not wrong, "\n".join(wrong)


def _shown(x: Any) -> Any:
    """Return what a call gave, so that it can be compared; itself where it has no elements."""
    if isinstance(x, (list, tuple)):
        return [_shown(y) for y in x]
    if isinstance(x, ArrayExpr):
        return x.evaluate({a: np.ones(a.shape, a.dtype.numpy) for a in x.leaves}).tolist()
    return x.tolist() if isinstance(x, symgrad.Tensor) and x.numel() else x


def _other_elements(x: Any, tensors: list[Any]) -> Iterator[Any]:
    """Yield tensors of the shape and dtype of `x`, each with other elements."""
    yield symgrad.zeros_like(x)
    yield (
        symgrad.logical_not(x) if x.dtype is symgrad.bool else x.flip(tuple(range(x.ndim))) * 9 + 1
    )
    yield symgrad.full_like(x, 0.5 if x.is_floating_point() else 1)
    yield from (y for y in tensors if y.shape == x.shape and y.dtype is x.dtype)


def _result(path: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    restore()
    symgrad.manual_seed(0)
    return _shown(caller(symgrad, path)(*args, **kwargs))  # type: ignore[misc]


def _known_by_shape(path: str, base: Any) -> Any:
    """Return what a base call gives, if no elements of its tensors change that; else None."""
    given, named = made(symgrad, (base["args"], base["kwargs"]))
    places = _tensors_in(base)
    tensors = [given[i] for i in places]
    if not places:
        return None
    try:
        first = _result(path, given, named)
        for i, x in zip(places, tensors, strict=True):
            for y in _other_elements(x, tensors):
                if _result(path, [*given[:i], y, *given[i + 1 :]], named) != first:
                    return None
    except Exception:  # what is refused, or what cannot be compared
        return None
    return first


def test_what_reads_shapes_and_dtypes_alone_takes_formulas() -> None:
    found = set()
    for path in sorted({*callables()} - _NOT_OURS):
        if path.endswith(("_", "=")) and not path.endswith("__"):
            continue  # what writes
        for base in RECORDS[path]["bases"]:
            want = _known_by_shape(path, base)
            if want is None:
                continue
            found.add(path)
            if path not in _OF_TENSORS_ALONE:
                for given, named, text in _formula_calls(path, base):
                    assert _result(path, given, named) == want, text
    restore()
    assert {*_OF_TENSORS_ALONE, "zeros_like", "Tensor.new_ones", "Tensor.size", "numel"} <= found


def test_members_that_sympy_knows_are_those_of_tensors_in_traced_code() -> None:
    tensor = symgrad.ones(3)
    shared = [n for n in dir(sympy.Expr) if n in dir(tensor) and not n.startswith("_")]
    assert "is_complex" in shared
    found = {}

    def code(x: Any) -> Any:
        for name in shared:
            found[name] = callable(getattr(x, name))
        return x if not x.is_complex() else -x

    x = symgrad.leaf("x", (3,), symgrad.float32)
    assert symgrad.symbolic_trace(code, x=x) is x
    assert found == {name: callable(getattr(tensor, name)) for name in shared}
    assert x.is_complex is None  # elsewhere SymPy's assumption, which nothing is known of
    with pytest.raises(TypeError, match="must be Tensor, not a formula"):
        symgrad.nn.functional.dropout(x, 0.5)


def test_explaining_draws_no_random_numbers() -> None:
    class Noisy(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * symgrad.rand(3)

    symgrad.manual_seed(0)
    y = Noisy.apply(_x()).sum()
    before = symgrad.get_rng_state()
    (why,) = symgrad.explain(y).untraced
    assert "random numbers" in why.reason
    assert (symgrad.get_rng_state() == before).all()
