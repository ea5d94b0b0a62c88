"""A function that is traced takes the branch that it takes with values, or has no formula."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd import Function
from symgrad.support.untraceable import Untraceable, is_traced, traced
from tests.autograd.support import each
from tests.autograd.test_untraceable import GROUPS, formula_calls


def _tried(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a factor that depends on values, and on whether they can be read."""

    def factor(x: Any) -> Any:
        try:
            return 3.0 if read(x) is not None else 5.0
        except Exception:
            return 7.0

    return factor


def _suppressed(x: Any) -> Any:
    s = 7.0
    with contextlib.suppress(TypeError):
        s = float(x.detach().sum())
    return s


def _finally(x: Any) -> Any:
    try:
        return float(x.detach().sum())
    finally:
        return 7.0  # noqa: B012, SIM107 - what users write


def _own_error(x: Any) -> Any:
    if not hasattr(x, "data_ptr"):
        raise ValueError("x must have memory")
    return 3.0


def _twice(x: Any) -> Any:
    for read in (lambda: float(x.detach().sum()), lambda: x.tolist()[0]):
        try:
            return read()
        except TypeError:
            pass
    return 7.0


#: Factors by which a function decides from what it is given; each is other than 5 for tensors.
#: Those with True have a formula.
BRANCHES: dict[str, tuple[Callable[[Any], Any], bool]] = {
    "isinstance": (lambda x: 3.0 if isinstance(x, symgrad.Tensor) else 5.0, True),
    "isinstance of several": (lambda x: 3.0 if isinstance(x, (int, symgrad.Tensor)) else 5.0, True),
    "not isinstance": (lambda x: 5.0 if not isinstance(x, symgrad.Tensor) else 3 * x, True),
    "isinstance of the old type": (
        lambda x: 3.0 if isinstance(x, symgrad.FloatTensor) else 5.0,
        True,
    ),
    "isinstance of another old type": (
        lambda x: 5.0 if isinstance(x, symgrad.DoubleTensor) else 3.0,
        True,
    ),
    "isinstance of Variable": (
        lambda x: 3.0 if isinstance(x, symgrad.autograd.Variable) else 5.0,
        True,
    ),
    "is_tensor": (lambda x: 3.0 if symgrad.is_tensor(x) else 5.0, True),
    "is_tensor_like": (lambda x: 3.0 if symgrad.overrides.is_tensor_like(x) else 5.0, True),
    "match": (lambda x: _matched(x), True),
    "isinstance of Parameter": (
        lambda x: 5.0 if isinstance(x, symgrad.nn.Parameter) else 3.0,
        False,
    ),
    "isinstance of Buffer": (lambda x: 5.0 if isinstance(x, symgrad.nn.Buffer) else 3.0, False),
    "==": (lambda x: 3.0 + (x == 2.0), True),
    "!=": (lambda x: 3.0 + (x != 2.0), True),
    "== of the same": (lambda x: 3.0 + (x == x), True),
    "== of an array": (lambda x: 3.0 + (x == symgrad.tensor([1.0, 5.0])), True),
    "== with numbers at the left": (lambda x: 3.0 + (2.0 == x), True),  # noqa: SIM300
    "in": (lambda x: 3.0 if x[1] in [2.0, 4.0] else 5.0, False),
    "index": (lambda x: 3.0 + [1.0, 2.0, 4.0].index(x[1]), False),
    "== None": (lambda x: 5.0 if x == None else 3.0, True),  # noqa: E711
    "hasattr": (lambda x: 3.0 if hasattr(x, "data_ptr") else 5.0, False),
    "hasattr of what neither has": (lambda x: 5.0 if hasattr(x, "sine") else 3.0, True),
    "hasattr of what both have": (lambda x: 3.0 if hasattr(x, "sin") else 5.0, True),
    "getattr": (lambda x: 3.0 if getattr(x, "is_leaf", None) is not None else 5.0, False),
    "an error of its own": (_own_error, False),
    "suppress": (_suppressed, False),
    "finally": (_finally, False),
    "two attempts": (_twice, False),
} | {
    f"try {name}": (_tried(read), False)
    for name, read in {
        "float": lambda x: float(x.detach().sum()),
        "int": lambda x: int(x.detach().sum()),
        "bool": lambda x: bool(x.sum()),
        "item": lambda x: x.sum().item(),
        "tolist": lambda x: x.tolist(),
        "numpy": lambda x: x.detach().numpy(),
        "asarray": lambda x: np.asarray(x.detach(), float),
        "format": lambda x: f"{x[0]:.2f}",
        "a mask": lambda x: x[x > 0],
        "nonzero": lambda x: symgrad.nonzero(x),
        "index": lambda x: [1.0, 2.0, 3.0][x[0].int()],
        "stride": lambda x: x.stride(),
    }.items()
}


def _matched(x: Any) -> float:
    match x:
        case symgrad.Tensor():
            return 3.0
        case _:
            return 5.0


def _function(factor: Callable[[Any], Any], asked: str) -> Any:
    class Branching(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * factor(x) if asked == "forward" else x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            return grad * (factor(x) if asked == "saved" else factor(grad * 2))

    return Branching


def _x() -> Any:
    return symgrad.tensor([1.0, 2.0], requires_grad=True, name="x")


@each("asked", ["saved", "gradient"])
@each("name", list(BRANCHES))
def test_a_formula_of_backward_is_what_runs(name: str, asked: str) -> None:
    factor, formula = BRANCHES[name]
    function = _function(factor, asked)
    x = _x()
    y = function.apply(x * x).sum()
    (expected,) = symgrad.autograd.grad(y, x, create_graph=True)
    derived = symgrad.derive(y, x)
    explanation = symgrad.explain(y)
    for found in (derived, explanation.gradients[x]):
        values = found.evaluate({"x": x.detach().numpy()})
        np.testing.assert_allclose(values, expected.detach().numpy(), rtol=1e-6)
    if formula:
        assert explanation.untraced == []
    else:
        (why,) = explanation.untraced
        assert why.place.startswith(f"{__file__}:")
        assert "Branching.backward(" in str(derived)


@each("name", list(BRANCHES))
def test_a_traced_function_is_what_runs(name: str) -> None:
    factor, formula = BRANCHES[name]
    given = symgrad.tensor([1.0, 2.0])
    for f in (lambda x: x * factor(x), lambda x: _function(factor, "forward").apply(x)):
        expected = f(given)
        shape = {"x": ((2,), symgrad.float32)}
        if formula:
            found = symgrad.symbolic_trace(f, **shape)
            np.testing.assert_array_equal(found.evaluate({"x": given.numpy()}), expected.numpy())
        else:
            with pytest.raises(Untraceable) as caught:
                symgrad.symbolic_trace(f, **shape)
            assert caught.value.place is not None
            assert caught.value.place[0] == __file__


def test_the_first_refusal_is_told_with_its_line() -> None:
    function = _function(_twice, "saved")
    (why,) = symgrad.explain(function.apply(_x()).sum()).untraced
    line = _twice.__code__.co_firstlineno + 1
    assert why.place.startswith(f"{__file__}:{line}: ")
    assert "float" in why.reason


def test_a_function_that_runs_is_not_traced() -> None:
    seen = []
    _function(lambda x: seen.append(is_traced()) or 1.0, "saved").apply(_x()).sum().backward()
    assert seen == [False]
    formula = symgrad.leaf("x", (2,))
    assert not isinstance(formula, symgrad.Tensor)
    assert (formula == 1) is False
    with pytest.raises(Untraceable):
        symgrad.symbolic_trace(lambda x: float(x), x=())
    assert not is_traced()


@pytest.mark.parametrize("group", range(GROUPS))
def test_no_public_call_makes_a_refusal_and_goes_on(group: int) -> None:
    """A formula of a function that is traced is lost only by what the user's function asks for."""
    wrong, count = [], 0
    for call, text in formula_calls(group):
        done: list[bool] = []

        def run(call: Callable[[], Any] = call, done: list[bool] = done) -> None:
            call()
            done.append(True)

        try:
            traced(run)
        except Exception as error:
            if done:
                wrong.append(f"{text}: {error}")
        count += bool(done)
    assert count > 100
    assert not wrong, "\n".join(wrong)
