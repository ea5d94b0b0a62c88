"""What `check_gradients` finds: right gradients, wrong ones, and what cannot be checked."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad as sg
from symgrad.autograd.comparison import GradcheckError
from symgrad.checks import check_gradients
from symgrad.checks.numbers import slope_of
from symgrad.checks.report import RIGHT, UNKNOWN, WRONG
from symgrad.testing import assert_gradients
from tests.each import each, in_part

from . import backwards


def at(*shape: int, dtype: Any = sg.float64, requires_grad: bool = True) -> Any:
    """A tensor of positive numbers, of which no two agree."""
    count = 1 + np.arange(np.prod(shape, dtype=int)) + sum(shape)
    values = 0.3 + 1.4 * ((count * 0.6180339887498949) % 1)
    return sg.tensor(values.reshape(shape), dtype=dtype, requires_grad=requires_grad)


def normalised(x: Any, w: Any, b: Any) -> Any:
    centred = x - x.mean(-1, keepdim=True)
    return centred / sg.sqrt((centred**2).mean(-1, keepdim=True) + 1e-5) * w + b


def choosing(x: Any) -> Any:
    return x**2 if x.sum() > 0 else x**3


RIGHT_ONES: dict[str, tuple[Any, tuple[Any, ...], int]] = {
    "number": (lambda x: x.sin() * x, (at(),), 4),
    "custom": (lambda x: backwards.Right.apply(x).sum(), (at(3),), 3),
    "softmax": (lambda x, w: sg.softmax(x, 0) @ w, (at(3), at(3)), 3),
    "normalised": (normalised, (at(2, 5), at(5), at(5)), 2),
    "classes": (
        lambda x: sg.nn.functional.cross_entropy(x, sg.tensor([0, 1, 3])), (at(3, 4),), 2,
    ),
    "several results": (lambda x: (x.exp(), x[0] * x[1]), (at(2),), 2),
    "complex results": (lambda x: sg.fft.fft(x), (at(3),), 1),
    "narrow": (lambda x: sg.log_softmax(x, 0).sum(), (at(4, dtype=sg.float32),), 2),
    "many elements": (lambda x: (x.sin() * x).sum(), (at(40),), 2),
    "no formula": (choosing, (at(3),), 2),
    "no formula in SymPy": (lambda a: sg.logdet(a @ a.T + sg.eye(3)), (at(3, 3),), 1),
    "whole numbers beside": (lambda x, k: x[k], (at(3), sg.tensor([2, 0])), 1),
}  # fmt: skip


@each("name", in_part(list(RIGHT_ONES), group=str, among=2))
def test_right_gradients_are_found_right(name: str) -> None:
    f, inputs, order = RIGHT_ONES[name]
    report = check_gradients(f, inputs, order)
    assert report.ok and report, str(report)
    assert report.verdict == RIGHT
    moving = [x for x in inputs if x.requires_grad]
    assert [x.order for x in report.findings] == sorted(list(range(1, order + 1)) * len(moving))
    assert all(x.how for x in report.findings)
    assert_gradients(f, inputs, order)


@each("case", backwards.WRONG)
def test_a_wrong_backward_is_found_where_it_goes_wrong(case: backwards.Wrong) -> None:
    inputs = tuple([at(*shape) for shape in case.shapes])
    given = ["x", "y"][: len(inputs)]
    f = eval(f"lambda {', '.join(given)}: F.apply({', '.join(given)})", {"F": case.function})
    report = check_gradients(f, inputs, 3 if case.order == 3 else 2, precision=False)
    first = next(x for x in report.findings if x.verdict == WRONG)
    assert (first.order, first.input) == (case.order, case.input), str(report)
    assert first.function == f"{case.function.__name__}.backward"
    assert first.difference == case.difference or not case.difference
    assert all(x.verdict == RIGHT for x in report.findings if x.order < case.order)
    assert report.verdict == WRONG and not report.ok
    text = str(report)
    assert first.difference in text and first.function in text
    with pytest.raises(AssertionError, match="wrong"):
        assert_gradients(f, inputs, case.order)
    again = json.loads(report.to_json())
    assert again["findings"][0].keys() == vars(first).keys()
    assert "<table>" in report._repr_html_()


def test_the_custom_function_that_is_wrong_is_named() -> None:
    report = check_gradients(lambda x: backwards.Right.apply(backwards.Factor.apply(x)), at(), 1)
    assert report.findings[0].function == "Factor.backward"


def test_numbers_of_a_wrong_gradient_without_a_formula() -> None:
    """The sine is a constant to the backward pass, though it depends on the input."""
    report = check_gradients(lambda x: x * float(np.sin(x.detach().numpy()).sum()), at(3), 2)
    assert report.verdict == WRONG
    assert "has no formula" in report.notes[0]
    assert "test_check_gradients.py" in report.notes[0]
    assert "differences have" in report.findings[0].difference


AGAINST: dict[str, tuple[Any, Any, str]] = {
    "NumPy": (lambda x: np.sin(x) + x * np.cos(x), 2, RIGHT),
    "wrong": (lambda x: np.sin(x) - x * np.cos(x), 1, WRONG),
    "tensors": (lambda x: sg.sin(x) + x * sg.cos(x), 3, RIGHT),
    "SymPy": (sympy.sympify("sin(x) + x*cos(x)"), 2, RIGHT),
    "wrong in SymPy": (sympy.sympify("sin(x) + 1.0001*x*cos(x)"), 1, WRONG),
    "numbers": (lambda x: np.array([float(np.sin(v) + v * np.cos(v)) for v in x]), 2, RIGHT),
    "numbers that are none": (lambda x: np.array([float(v) * float("nan") for v in x]), 1, WRONG),
    "wrong numbers": (lambda x: np.array([float(np.sin(v)) for v in x]), 2, WRONG),
}


@each("gradient, order, verdict", AGAINST)
def test_a_given_gradient_is_compared(gradient: Any, order: int, verdict: str) -> None:
    x = at() if isinstance(gradient, sympy.Basic) else at(3)
    report = check_gradients(lambda x: (x.sin() * x).sum(), x, order, against=gradient)
    assert report.verdict == verdict, str(report)
    assert {x.order for x in report.findings} == set(range(1, order + 1))


def test_a_function_is_compared_with_another_one() -> None:
    cube = lambda x: x**3  # noqa: E731
    assert check_gradients(cube, at(3), 3, against=backwards.Right).ok
    report = check_gradients(cube, at(3), 3, against=backwards.Third)
    assert [x.verdict for x in report.findings] == [RIGHT, RIGHT, WRONG]
    assert report.findings[2].function == "Third.backward"


def test_formulas_of_sympy_are_checked() -> None:
    f = sympy.sympify("sin(x)*y")
    assert check_gradients(f, (at(), at()), 2).ok
    assert check_gradients(f, {"y": at(), "x": at()}, 1).ok
    with pytest.raises(ValueError, match="no x"):
        check_gradients(f, {"y": at()})


def test_digits_that_are_lost_are_noted_with_the_operation() -> None:
    x = sg.tensor(1e-5, dtype=sg.float64, requires_grad=True)
    report = check_gradients(lambda x: (1 - x.cos()) / x, x, 1)
    assert report.ok
    (note,) = [x for x in report.notes if "loses digits" in x]
    assert report.findings[0].ulps > 1e4 > 100 > report.findings[0].condition
    assert "cos" in note
    stable = check_gradients(lambda x: (x / 2).sin() ** 2 * 2 / x, x, 1)
    assert stable.ok and not stable.notes
    assert stable.findings[0].ulps < 16


def test_places_that_are_not_smooth_or_finite_are_noted() -> None:
    x = sg.tensor([0.0, 2.0], dtype=sg.float64, requires_grad=True)
    (kink,) = check_gradients(lambda x: x.abs().sum(), x, 1).notes
    assert kink.startswith("kink of abs(x) where x == 0 at the inputs")
    notes = check_gradients(lambda x: x.log().sum(), x, 1).notes
    assert notes[0].startswith("log(x) is -inf at element (0,), of 0 (")
    assert notes[1].startswith("pole of log(x) where x == 0")


def test_hessians_are_definite_if_that_is_asked_for() -> None:
    assert check_gradients(lambda x: (x**2).sum(), at(3), 2, definite=True).ok
    report = check_gradients(lambda x: x[0] * x[1], at(2), 2, definite=True)
    assert report.verdict == WRONG
    assert "smallest eigenvalue is -1" in report.findings[-1].difference


def _changing() -> Any:
    calls: list[int] = []

    def f(x: Any) -> Any:
        calls.append(1)
        return x * len(calls)

    return f


BAD: dict[str, tuple[Any, Any, Any, type[Exception], str]] = {
    "whole numbers": (lambda x: x * 2, sg.tensor([1, 2]), 3, ValueError, "int64"),
    "no gradient asked for": (
        lambda x: x, at(2, requires_grad=False), 3, ValueError, "requires_grad=True",
    ),
    "constant": (lambda x: sg.ones(3), at(3), 3, ValueError, "no result"),
    "detached": (lambda x: x.detach(), at(3), 3, ValueError, "no result"),
    "random": (lambda x: x * sg.rand(3), at(3), 3, ValueError, "two calls"),
    "side effect": (_changing(), at(3), 3, ValueError, "two calls"),
    "no leaf": (lambda x: x, at(3) * 2, 3, ValueError, "detach"),
    "order": (lambda x: x, at(3), 0, ValueError, "order must be from 1 to 10"),
    "high order": (lambda x: x, at(3), 11, ValueError, "order must be from 1 to 10"),
    "kind of order": (lambda x: x, at(3), 1.0, TypeError, "integer"),
    "no function": (3, at(3), 1, TypeError, "takes a function"),
    "no tensor": (lambda x: 3.0, at(3), 1, TypeError, "no tensor"),
    "text": (lambda x: x, "abc", 1, TypeError, "it takes tensors"),
    "complex": (
        lambda x: x, sg.tensor([1j], requires_grad=True), 1, TypeError, "real and its imaginary",
    ),
}  # fmt: skip


@each("f, inputs, order, error, text", BAD)
def test_bad_input_is_refused(
    f: Any, inputs: Any, order: Any, error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        check_gradients(f, inputs, order)


def test_gradients_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match=r"of shape \(\), and x has the shape \(3,\)"):
        check_gradients(lambda x: x.sum(), at(3), 1, against=lambda x: x.sum())
    with pytest.raises(ValueError, match="returned 2 gradients"):
        check_gradients(lambda x: x.sum(), at(3), 1, against=lambda x: (x, x))
    with pytest.raises(TypeError, match="against= takes"):
        check_gradients(lambda x: x.sum(), at(3), 1, against=3)


def test_tensors_that_a_function_captures_are_leaves() -> None:
    """Parameters of a layer, of which one has the name of the input, and constants."""
    sg.manual_seed(0)
    net = sg.nn.Sequential(sg.nn.Linear(3, 2), sg.nn.Tanh()).double()
    x = sg.tensor([0.5, -1.0, 2.0], dtype=sg.float64, requires_grad=True, name="x")
    scale = sg.tensor([2.0, 3.0, 4.0], dtype=sg.float64)
    report = check_gradients(lambda y: net(y * x * scale), at(3), 2)
    assert report.ok, str(report)
    assert {f.how for f in report.findings} == {"SymPy"}
    wrong = check_gradients(lambda x: backwards.Sign.apply(net(x)), at(3), 1)
    assert wrong.findings[0].function == "Sign.backward"
    assert {"layer0_weight", "layer0_bias"} < wrong.findings[0].counterexample.keys()


def test_a_kink_is_no_wrong_gradient_where_there_is_no_formula() -> None:
    def f(x: Any) -> Any:
        return sg.relu(x).sum() if x.sum() > -9 else x.sum()

    x = sg.tensor([0.0, 1.0], dtype=sg.float64, requires_grad=True)
    (finding,) = check_gradients(f, x, 1).findings
    assert finding.verdict == UNKNOWN
    assert "at a kink with slopes 0 and 1" in finding.difference


def test_what_nothing_decides_is_unknown() -> None:
    """Beside the point the values are not finite, and SymPy has no function."""
    x = sg.tensor(np.eye(2), requires_grad=True)

    def f(x: Any) -> Any:
        return sg.where(x == sg.eye(2), x, float("nan")) if x.sum() > 0 else x

    assert check_gradients(f, x, 1).verdict == UNKNOWN


def test_differences_know_their_error() -> None:
    for f, want in ((np.exp, 1.0), (np.sin, 1.0), (lambda t: 1 / (1 + t), -1.0)):
        slope, error, tells = slope_of(f, 1.0)
        assert tells
        assert abs(slope - want) <= 10 * error <= 1e-9


def test_differences_of_steep_functions_are_right_or_tell_nothing() -> None:
    told = 0
    for power in range(7):
        w = 10.0**power
        for f, want in (
            (lambda t, w=w: np.sin(w * t + 0.3), w * np.cos(0.3)),
            (lambda t, w=w: np.arctan(w * t + 0.2), w / 1.04),
            (lambda t, w=w: np.exp(min(w * t, 600.0)), w),
            (lambda t, w=w: t + t * np.cos(w * t + 1) ** 2, 1 + np.cos(1) ** 2),
        ):
            slope, error, tells = slope_of(f, 1.0)
            assert not tells or abs(slope - want) <= 10 * error, (power, slope, want, error)
            told += tells
    assert told >= 20


def steep(x: Any) -> Any:
    """A function of one input that NumPy computes, steeper than differences can tell."""
    return NumPyCosine.apply(x * 1e7).sum()


class NumPyCosine(sg.autograd.Function):
    factor = -1.0

    @classmethod
    def forward(cls, ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return sg.tensor(np.cos(x.numpy()))

    @classmethod
    def backward(cls, ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return cls.factor * g * sg.tensor(np.sin(x.detach().numpy()))


class NearlyCosine(NumPyCosine):
    factor = -1.0 - 1e-12


def test_a_complex_step_tells_more_than_differences() -> None:
    (right,) = check_gradients(lambda x: NumPyCosine.apply(x).sum(), at(3), 1).findings
    assert (right.verdict, right.how) == (RIGHT, "complex step")
    (nearly,) = check_gradients(lambda x: NearlyCosine.apply(x).sum(), at(3), 1).findings
    assert nearly.verdict == UNKNOWN
    assert "a complex step has" in nearly.difference


def test_a_function_that_is_too_steep_for_differences_is_unknown() -> None:
    (finding,) = check_gradients(steep, at(3), 1).findings
    assert finding.verdict == UNKNOWN
    assert "which tells nothing" in finding.difference

    def slope(x: Any) -> Any:
        return np.array([1e7 * float(np.cos(1e7 * v)) for v in x])

    first, second = check_gradients(lambda x: (x * 1e7).sin().sum(), at(3), 2, slope).findings
    assert (first.verdict, second.verdict) == (RIGHT, UNKNOWN)
    assert second.difference == "differences of the given gradient tell nothing"


def test_the_line_of_what_is_not_finite_is_named() -> None:
    def f(x: Any) -> Any:
        y = x * 2
        logarithm = sg.log(y)
        return (logarithm * y).sum()

    x = sg.tensor([1.0, 0.0], requires_grad=True)
    (note, *_) = check_gradients(f, x, 1).notes
    assert note.startswith("log(x * 2) is -inf at element (1,), of 0 (")
    assert note.endswith("logarithm = sg.log(y))")


def test_gradcheck_ends_with_both_formulas() -> None:
    x = at(2)
    with pytest.raises(GradcheckError) as caught:
        sg.autograd.gradcheck(lambda x: backwards.Sign.apply(x), x)
    *_, backward, forward, difference = str(caught.value).rstrip("\n").split("\n")
    assert backward == "backward by x: -3 * x**2 * g"
    assert forward == "forward by x: 3 * g * x**2"
    assert difference == "difference by x: -6 * x**2 * g"
