"""No string or name of a user's is ever evaluated: every public door is given code."""

from __future__ import annotations

import builtins
import functools
import inspect
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad
from symgrad.expr.node import ArrayExpr
from symgrad.forms import names as formula_names
from symgrad.schema.public import FUNCTIONS, METHODS, SPACES

#: What the code leaves behind if anybody runs it, as an expression, a statement or a name.
_MARK = "_symgrad_ran_code_of_a_user"
_RUN = f"__import__('builtins').__dict__.__setitem__('{_MARK}', 1)"
CODE = (_RUN, f"x); {_RUN}; (x", f"x = 1\n{_RUN}\n", f"x'+str({_RUN})+'", f"{{{_RUN}}}", "x\\")


#: What every door is given: a string, and a symbol of SymPy whose name it is.
GIVEN = (CODE[0], sympy.Symbol(CODE[0]), *CODE[1:], *map(sympy.Symbol, CODE[1:]))


def _formulas() -> list[Any]:
    x = symgrad.leaf("x")
    return [x.sin() + 1, symgrad.leaf("A", (2, 3)) @ symgrad.leaf("B", (3, 2))]


def _tensors() -> list[Any]:
    x = symgrad.tensor([[0.5, 1.0], [2.0, 3.0]], requires_grad=True, name="x")
    return [x.exp()]


def _members(values: list[Any]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Return every method of some values, bound, without those that are not meant for users."""
    for i, value in enumerate(values):
        for name in dir(value):
            if name.startswith("_") and not name.startswith("__"):
                continue
            try:
                member = getattr(value, name)
            except Exception:
                continue
            if callable(member) and not inspect.isclass(member):
                yield f"{type(value).__name__} {i}.{name}", member


def _functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    tables = {"": FUNCTIONS, "method ": METHODS, **{f"{k}.": v for k, v in SPACES.items()}}
    for prefix, table in tables.items():
        for name, f in table.items():
            yield f"{prefix}{name}", f
    for module in (symgrad, formula_names, symgrad.autograd, symgrad.func, symgrad.overrides):
        for name in dir(module):
            f = getattr(module, name)
            if callable(f) and not name.startswith("_") and not inspect.ismodule(f):
                yield f"{module.__name__}.{name}", f


#: What would end, wait for, or write to something.
_LEFT_OUT = ("tofile", "dump", "set_num_threads", "__reduce", "__init_subclass__", "__class__")


def _calls(f: Callable[..., Any], first: list[Any], text: Any) -> Iterator[Callable[[], Any]]:
    yield lambda: f(text)
    yield lambda: f(text, text)
    for x in first:
        yield lambda x=x: f(x, text)  # type: ignore[misc]
        yield lambda x=x: f(x, {x: text})  # type: ignore[misc]
        yield lambda x=x: f(x, {text: x})  # type: ignore[misc]
    try:
        parameters = inspect.signature(f).parameters
    except (TypeError, ValueError):
        return
    for name in parameters:
        if name not in ("args", "kwargs", "self"):
            yield lambda name=name: f(**{name: text})  # type: ignore[misc]
            for x in first[:1]:
                yield lambda name=name, x=x: f(x, **{name: text})  # type: ignore[misc]


def _run_source(e: Any) -> None:
    exec(e.source(), {"__name__": "made"})


#: What writes a formula as a text, and what runs such a text.
_WRITERS: tuple[Callable[[Any], Any], ...] = (
    lambda e: e.latex(), sympy.latex, sympy.pretty, sympy.srepr, lambda e: e._repr_latex_(),
    _run_source, lambda e: e.lambdify(), lambda e: sympy.lambdify(e.leaves, e),
    lambda e: sympy.lambdify(e.leaves, [e]), lambda e: symgrad.explain(e).latex(),
)  # fmt: skip


def _attempt(call: Callable[[], Any]) -> None:
    """Make a call, and use what it gives in the ways in which results become text."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        made = _answer(call)
        for use in (str, repr, *(_WRITERS if isinstance(made, ArrayExpr) else ())):
            _answer(lambda use=use: use(made))  # type: ignore[misc]


def _answer(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception:  # an error is an answer: what counts is that nothing ran
        return None


def _doors() -> list[tuple[str, Callable[..., Any], list[Any]]]:
    formulas, tensors = _formulas(), _tensors()
    # Many a function has several names, and is the same door by each.
    functions = {id(f): (n, f, [formulas[0], tensors[0]]) for n, f in _functions()}
    found = [*functions.values()]
    found += [(n, f, []) for n, f in _members([*formulas, *tensors])]
    return [x for x in found if not any(word in x[0] for word in _LEFT_OUT)]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    vars(builtins).pop(_MARK, None)


def try_all(text: Any) -> int:
    """Call every door with a string or symbol; return how many there are.

    Raises
    ------
    AssertionError
        Naming the door that ran it.
    """
    doors = _doors()
    for name, f, first in doors:
        for call in _calls(f, first, text):
            _attempt(call)
            assert not hasattr(builtins, _MARK), name
    return len(doors)


@pytest.mark.parametrize(
    "place",
    [0, *[pytest.param(i, marks=pytest.mark.slow) for i in range(1, len(GIVEN))]],
)
def test_no_door_runs_a_string(place: int) -> None:
    # In a process of its own, since some doors are settings.
    code = f"from tests.test_injection import GIVEN, try_all; print(try_all(GIVEN[{place}]))"
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.splitlines()[-1]) > 1000


#: Functions of SymPy's that wait, that search without end, or that take code by what they are.
_OF_SYMPY_LEFT_OUT = frozenset(
    ("doctest", "fourier_series", "init_printing", "init_session", "interactive_traversal",
     "lambdify", "preview", "test")
)  # fmt: skip
_FORMULAS = (symgrad.leaf("x"), symgrad.leaf("x").sin() + 1, symgrad.leaf("v", (2,)))
#: Places of a string beside a formula.
_BESIDE: tuple[Callable[..., Any], ...] = (
    lambda f, e, text: f(e, (symgrad.leaf("x"), text)),
    lambda f, e, text: f(e, text),
    lambda f, e, text: f(text, e),
    lambda f, e, text: f([e, text]),
    lambda f, e, text: f(e, {symgrad.leaf("x"): text}),
    lambda f, e, text: f({e: text}, symgrad.leaf("x")),
    lambda f, e, text: f(e, symgrad.leaf("x"), text),
    lambda f, e, text: f(e, text, symgrad.leaf("x")),
)


@pytest.mark.parametrize(
    "call", [_BESIDE[0], *[pytest.param(f, marks=pytest.mark.slow) for f in _BESIDE[1:]]]
)
def test_no_code_of_ours_passes_a_string_on_to_a_function_of_sympy(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """SymPy evaluates strings that its functions get; no function of ours is in between."""
    between: list[str] = []

    def ran() -> int:
        frame = inspect.currentframe()
        while frame is not None and frame.f_code is not _answer.__code__:
            if frame.f_code.co_filename.startswith(_OWN):
                between.append(f"{frame.f_code.co_filename}: {frame.f_code.co_name}")
            frame = frame.f_back
        return 1

    monkeypatch.setattr(builtins, _WITNESS, ran, raising=False)
    text = f"__import__('builtins').{_WITNESS}()"
    names = [name for name in dir(sympy) if callable(getattr(sympy, name))]
    for name in sorted(set(names) - _OF_SYMPY_LEFT_OUT):
        for e in _FORMULAS[: 1 if call is _BESIDE[0] else None]:
            _answer(functools.partial(call, getattr(sympy, name), e, text))
            assert not between, (name, between)


_OWN = str(Path(symgrad.__file__).parent)
_WITNESS = "_symgrad_code_of_a_user_runs"


def test_the_code_would_be_noticed() -> None:
    """SymPy evaluates strings, as the library must not."""
    _attempt(lambda: sympy.sympify(_RUN))
    assert hasattr(builtins, _MARK)


@pytest.mark.parametrize("text", CODE, ids=range(len(CODE)))
def test_no_name_carries_code_into_what_is_written(text: str) -> None:
    """A leaf has an identifier for its name, whoever gives it one."""
    for make in (
        lambda: symgrad.leaf(text),
        lambda: symgrad.tensor(1.0, name=text),
        lambda: symgrad.leaf("x").exp().source(text),
        lambda: symgrad.leaf("x").exp().source("f", [text]),
        lambda: symgrad.from_sympy(sympy.Symbol(text)),
        lambda: symgrad.leaf("x").subs(symgrad.leaf("x"), sympy.Symbol(text)),
        lambda: symgrad.leaf("x") + sympy.Symbol(text),
        lambda: symgrad.leaf("x").evaluate({"x": 1, text: 1}),
        lambda: symgrad.leaf("x").evaluate({"x": 1, sympy.Symbol(text): 1}),
        lambda: symgrad.leaf("x").lambdify(["x", text]),
        lambda: symgrad.leaf("x").lambdify(["x", sympy.Symbol(text)]),
        lambda: symgrad.derive(symgrad.leaf("x"), text),
        lambda: symgrad.derive(symgrad.leaf("x"), [text]),
        lambda: symgrad.derive(symgrad.leaf("x"), sympy.Symbol(text)),
        lambda: symgrad.symbolic_trace(lambda x: x, **{text: 3}),
    ):
        with pytest.raises((ValueError, TypeError)):
            make()
    assert not hasattr(builtins, _MARK)
