"""Stable forms are those of what a function is: every spelling of a part has the same derivative.

The spellings are found, not listed: all public functions and methods are tried on a value and the
numbers 1 and -1, and then on what came out, and kept where they give what is looked for. Functions
that write in place are not among them: nothing is concluded from a value that was overwritten.
"""

from __future__ import annotations

import functools
import itertools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.nn.functional import logsigmoid
from symgrad.ops.exponential import log
from symgrad.ops.sigmoid import sigmoid
from symgrad.schema.public import FUNCTIONS, METHODS
from symgrad.simplify.stable import log_of_exponentials
from tests.each import each, in_part

#: Where functions are compared; on one side of 0 or 1 only, `abs` or `clamp` would look like more.
POINTS = np.array([-41.2, -2.3, -0.4, 0.3, 0.8, 1.7, 40.2, np.inf, -np.inf, np.nan])

#: These move elements in steps that are operations of their own, also where nothing moves.
REPEATING = {"repeat", "repeat_interleave", "tile", "unique", "unique_consecutive"}

Call = Callable[[Any], Any]


def calls() -> Iterator[tuple[str, Call]]:
    """Yield the calls of public functions with a value and at most two numbers."""
    for options in ({}, {"alpha": -1}, {"value": -1}):
        for count in (0, 1, 2):
            for numbers in itertools.product((1, -1), repeat=count):
                for at in range(count + 1):
                    for name in FUNCTIONS:
                        f = getattr(symgrad, name, None)
                        if f is not None and name not in REPEATING:
                            yield name, functools.partial(_with, f, numbers, at, options)
                for name in (m for m in METHODS if m not in REPEATING):
                    yield f".{name}", functools.partial(_method, name, numbers, options)


def _with(f: Any, numbers: Any, at: int, options: Any, u: Any) -> Any:
    return f(*numbers[:at], u, *numbers[at:], **options)


def _method(name: str, numbers: Any, options: Any, u: Any) -> Any:
    return getattr(u, name)(*numbers, **options)


def result(call: Call, x: Any) -> Any:
    """Return what a call computes, None where that is no differentiable function of its shape."""
    try:
        y = call(x)
    except Exception:  # whatever a call refuses
        return None
    if not isinstance(y, symgrad.Tensor) or not y.requires_grad or y.dtype is not x.dtype:
        return None
    return y if y.shape == x.shape else None


def found(wanted: dict[str, Any], given: Any) -> dict[str, list[tuple[str, Call]]]:
    """Return calls that give each of the wanted values, one of those with the same formula."""
    made: dict[str, dict[Any, tuple[str, Call]]] = {key: {} for key in wanted}
    x = symgrad.tensor(given, requires_grad=True)
    for name, call in calls():
        if name.endswith("_copy"):  # a view and a copy, which are two calls
            continue
        if name.lstrip(".") == "hardshrink":  # a choice by the value, which takes all of them
            continue
        y = result(call, x * 2 / 2)
        for key, want in wanted.items():
            if y is not None and np.array_equal(y.detach().numpy(), want, equal_nan=True):
                made[key].setdefault(y.expr, (name, call))
    return {key: list(of.values()) for key, of in made.items()}


def _text(name: str, call: Any) -> str:
    *_, options = call.args
    return f"{name}{call.args[1:-1]}{options or ''}"


@functools.cache
def spellings() -> dict[str, dict[str, Call]]:
    """Return the spellings of `1 - u`, `1 + u` and `-u` in one call or two, by their text."""
    u = POINTS
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        first = found({"u": u, "-u": -u, "1+u": 1 + u, "1-u": 1 - u, "u-1": u - 1}, u)
        # What is left to do, on the values that the first call gave.
        return {
            "1 - u": _chains(first, {"1-u": ["u"], "1+u": ["-u"], "-u": ["u-1"], "u": ["1-u"]}),
            "1 + u": _chains(first, {"1+u": ["u"], "u": ["1+u"]}),
            "-u": _chains(first, {"-u": ["u"], "u": ["-u"]}),
        }


def _chains(first: Any, ways: dict[str, list[str]]) -> dict[str, Call]:
    made: dict[str, Call] = {}
    for last, inner in ways.items():
        for a, f in (pair for key in inner for pair in first[key]):
            for b, g in first[last]:
                made[f"{_text(a, f)} {_text(b, g)}"] = functools.partial(_chain, f, g)
    return made


def _chain(f: Call, g: Call, u: Any) -> Any:
    return g(f(u))


#: For a part, formulas with a stable form and with a hole for the spelling of that part.
FORMS: dict[str, dict[str, Callable[[Call, Any], Any]]] = {
    "1 - u": {
        "log": lambda s, x: s(x.sigmoid()).log(),
        "log2": lambda s, x: s(x.sigmoid()).log2(),
        "log of quotient": lambda s, x: s(1 / (1 + (-x).exp())).log(),
    },
    "1 + u": {
        "log": lambda s, x: s(x.exp()).log(),
        "log10": lambda s, x: s(x.exp()).log10(),
        "over": lambda s, x: 1 / s((-x).exp()),
        "power": lambda s, x: s((-x).exp()) ** -1,
        "softmax": lambda s, x: x.exp() / s(x.exp()),
        "log of sum": lambda s, x: (s((2 * x).exp()) + x.exp()).log(),
        "root": lambda s, x: s((x * 1e160) ** 2).sqrt(),
        "over square": lambda s, x: 1 / s((x * 1e80) ** 2),
    },
    "-u": {"log1p": lambda s, x: s(x.sigmoid()).log1p()},
}
PLAIN: dict[str, Call] = {"1 - u": lambda u: 1 - u, "1 + u": lambda u: 1 + u, "-u": lambda u: -u}


#: Formulas with a stable form that are differences, written with a function of two operands.
DIFFERENCES: dict[str, Callable[[Call, Any], Any]] = {
    "log softmax": lambda minus, x: minus(x / 25, (x / 25).logsumexp(0, True)),
    "its element": lambda minus, x: minus((x / 25)[:1], (x / 25).logsumexp(0, True)),
    "softmax": lambda minus, x: minus(x / 25, (x / 25).logsumexp(0, True)).exp(),
    "loss of logits": lambda minus, x: minus(x * 1.0, logsigmoid(x)),
    "weighed loss": lambda minus, x: minus(x * 3.0, 2 * logsigmoid(x)),
}


def derivatives(form: Any, spelling: Call) -> list[Any]:
    x = symgrad.tensor([1000.0, -1000.0, 30.0, 0.4, -45.0], dtype=symgrad.float64)
    x.requires_grad_()
    (first,) = symgrad.autograd.grad(form(spelling, x).sum(), x, create_graph=True)
    (second,) = symgrad.autograd.grad(first.sum(), x)
    return [first.detach().numpy(), second.numpy()]


@each(
    "part, name",
    in_part(
        [pytest.param(p, n, id=f"{p}-{n}") for p in FORMS for n in FORMS[p]], group=str, among=2
    ),
)
def test_every_spelling_has_the_derivative_of_the_plain_one(part: str, name: str) -> None:
    form = FORMS[part][name]
    assert len(spellings()[part]) > 50
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        want = derivatives(form, PLAIN[part])
        assert np.isfinite(want).all()
        wrong = []
        for text, spelling in spellings()[part].items():
            got = derivatives(form, spelling)
            if not all(np.allclose(a, b, 1e-12, 0) for a, b in zip(got, want, strict=True)):
                wrong.append(f"{text}: {got} for {want}")
    assert not wrong, f"{len(wrong)} of {len(spellings()[part])}\n" + "\n".join(wrong[:20])


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_sum_with_the_negative_is_a_difference(name: str) -> None:
    form = DIFFERENCES[name]
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        want = derivatives(lambda s, x: form(lambda a, b: a - b, x), None)
        wrong = []
        for text, spelling in spellings()["-u"].items():
            for minus in (lambda a, b: a + spelling(b), lambda a, b: spelling(b) + a):  # noqa: B023
                got = derivatives(lambda s, x: form(minus, x), None)  # noqa: B023
                if not all(np.allclose(a, b, 1e-12, 0) for a, b in zip(got, want, strict=True)):
                    wrong.append(f"{text}: {got} for {want}")
    assert not wrong, f"{len(wrong)} of {2 * len(spellings()['-u'])}\n" + "\n".join(wrong[:20])


def test_what_is_almost_one_is_not_one() -> None:
    x = symgrad.leaf("x", (3,))
    u = sigmoid(x)
    for y in (1 - u, -(u - 1), (0.75 - u) + 0.25, u * -1 + np.ones(3)):
        assert log_of_exponentials.applied(log(y)) is not None
    for y in (1 - u + 1e-20, 1e-20 - (u - 1), 1 - u * (1 + 1e-15), np.array([1.0, 1.0, 2.0]) - u):
        assert log_of_exponentials.applied(log(y)) is None
