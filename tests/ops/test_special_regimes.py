"""Special functions where their implementations change: far out, next to 0 and to poles."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

import symgrad
from symgrad.ops.polynomials import Polynomial
from symgrad.ops.primitive import bind
from symgrad.ops.special import Special
from tests.each import each, in_part
from tests.expr.samples import all_samples, at_points

_of = symgrad.special
_FAR_LEFT = [-30.5, -31.25, -200.75, -12345.5, -1e6 - 0.3, -1e12 - 0.25, -1e15 - 0.5]


def _left(n: int, x: float) -> Any:
    """Return the derivative of order `n` of digamma by the cotangent's: DLMF 5.15.6."""
    part = mpmath.mpf(x) - mpmath.floor(x)
    slope = mpmath.taylor(lambda t: mpmath.pi * mpmath.cot(mpmath.pi * t), part, n)[n]
    return (-1) ** n * mpmath.psi(n, 1 - mpmath.mpf(x)) - slope * mpmath.factorial(n)


@each("n", [1, 2, 3, 4])
def test_polygamma_and_zeta_far_on_the_left_take_no_steps_to_get_there(n: int) -> None:
    """SciPy adds a term for each unit: a day at -1e12."""
    x = symgrad.tensor(_FAR_LEFT, dtype=symgrad.float64)
    made = symgrad.polygamma(n, x).tolist()
    sums = symgrad.special.zeta(n + 1, x).tolist()
    for at, got, total in zip(_FAR_LEFT, made, sums, strict=True):
        with mpmath.workdps(60):
            exact = _left(n, at)
            whole = (-1) ** (n + 1) * exact / mpmath.factorial(n)
        # Off a root of the even derivatives a part of the terms cancels, that of the cotangent.
        for value, wanted in ((got, exact), (total, whole)):
            scale = max(abs(float(wanted)), 1e-3 if n % 2 == 0 and at % 1 != 0.5 else 0)
            assert abs(value - float(wanted)) <= 16 * np.spacing(scale)


@each("n", [50, 150, 171, 200])
def test_polygamma_of_large_orders_neither_vanishes_nor_overflows_early(n: int) -> None:
    """Where the factorial overflows, or the sum of powers vanishes, that it is the product of."""
    points = [1.5, 9.25, 260.5, 1234.5, 24e4]
    made = symgrad.polygamma(n, symgrad.tensor(points, dtype=symgrad.float64)).tolist()
    with mpmath.workdps(60):
        exact = [float(mpmath.psi(n, x)) for x in points]
    np.testing.assert_allclose(made, exact, rtol=6e-15)


def test_a_number_beside_a_tensor_is_as_good_as_a_tensor() -> None:
    """Of every function of several operands, in each of its places."""
    numbers = {
        "v": 1.5, "n": 2, "a": 0.5, "b": 1.5, "c": 1.25, "m": 0.5, "phi": 0.25, "alpha": 0.25,
        "beta": 0.5, "other": 1.5, "input": 0.6, "p": 3, "k": 0,
    }  # fmt: skip
    tried = 0
    for name in symgrad.special.__all__:
        f = getattr(symgrad.special, name)
        given = [
            numbers.get(p.name, 0.3)
            for p in inspect.signature(f).parameters.values()
            if p.default is p.empty and p.kind is not p.KEYWORD_ONLY
        ]
        moving = [i for i, value in enumerate(given) if isinstance(value, float)]
        if len(given) < 2 or name in (
            "softmax",
            "log_softmax",
            "logsumexp",
            "gammainc",
            "gammaincc",
        ):
            continue
        for place in moving:
            operands: list[Any] = list(given)
            operands[place] = symgrad.tensor([given[place]], dtype=symgrad.float64)
            alone = f(*operands)
            assert isinstance(alone, symgrad.Tensor), name
            for i in moving:
                operands[i] = symgrad.tensor([given[i]], dtype=symgrad.float64)
            np.testing.assert_allclose(alone.numpy(), f(*operands).numpy(), rtol=1e-14)
            tried += 1
    assert tried > 60


def _first_slope(m: Any) -> Any:
    return (mpmath.ellipe(m) / (1 - m) - mpmath.ellipk(m)) / (2 * m)


def _scaled_slope(v: Any, z: Any) -> Any:
    terms = [mpmath.besseli(v - 1, z), mpmath.besseli(v + 1, z), -2 * mpmath.besseli(v, z)]
    return mpmath.exp(-z) * mpmath.fsum(terms) / 2


#: Where derivatives lost digits or were wrong: what is called, which operand moves, its slope.
SLOPES: dict[str, tuple[Any, int, Any, list[tuple[float, ...]]]] = {
    "ellipk": (
        _of.ellipk, 0, _first_slope,
        [(-1e150,), (-1e160,), (-1e190,), (-8e199,)],
    ),
    "ellipe": (
        _of.ellipe, 0, lambda m: (mpmath.ellipe(m) - mpmath.ellipk(m)) / (2 * m),
        [(-1e150,), (-1e160,), (-1e190,), (-1e250,)],
    ),
    **{
        f"beta {i}": (
            _of.beta, i,
            lambda a, b, i=i: mpmath.beta(a, b) * (mpmath.psi(0, (a, b)[i]) - mpmath.psi(0, a + b)),
            [(1e-5, 0.3), (0.3, 1e-5), (1e-3, 0.49), (1e-9, 1e-3), (0.2, 0.25), (1e-200, 0.1)],
        )
        for i in (0, 1)
    },
    "gammaincinv": (_of.gammaincinv, 1, lambda a, y: mpmath.inf, [(2.5, 1.0), (0.5, 1.0)]),
    "yv": (
        _of.yv, 1, lambda v, z: (mpmath.bessely(v - 1, z) - mpmath.bessely(v + 1, z)) / 2,
        [(2.5, 1e-120), (2.5, 1e-10), (0.5, 1e-200), (9.75, 1e-20), (-0.5, 1e-200)],
    ),
    "yv beyond": (
        _of.yv, 1, lambda v, z: mpmath.inf,
        [(2.0, 1e-300), (10.0, 1e-60), (10.0, 1e-30), (1.0, 1e-310), (0.5, 1e-310)],
    ),
    "bessel_y1": (
        _of.bessel_y1, 0, lambda z: (mpmath.bessely(0, z) - mpmath.bessely(2, z)) / 2,
        [(1e-10,), (0.3,)],
    ),
    "ive": (_of.ive, 1, _scaled_slope, [(0.5, 1e-310), (0.3, 1e-200), (0.5, 1e-100)]),
}  # fmt: skip


@each("name", in_part(list(SLOPES), group=str, among=2))
def test_slopes_next_to_poles_and_far_out(name: str) -> None:
    f, moving, exact, points = SLOPES[name]
    for point in points:
        operands = [symgrad.tensor(p, dtype=symgrad.float64) for p in point]
        x = operands[moving].requires_grad_()
        (slope,) = symgrad.autograd.grad(f(*operands), x)
        with mpmath.workdps(240):
            wanted = float(exact(*map(mpmath.mpf, point)))
        np.testing.assert_allclose(slope.item(), wanted, rtol=1e-13, err_msg=f"{name} at {point}")


_TINY = [5e-324, 1e-310, 2.3e-308, 1e-300, 1e-200, 1e-155, 1e-150, 1e-100, 1e-60, 1e-30, 1e-10]
#: What has no derivatives there, as the docstrings say, or is not defined.
_NONE_THERE = {
    "gammaincinv", "gammainccinv", "betaincinv", "betainccinv", "spherical_yn", "mvlgamma",
    "beta_slope", "struve", "modstruve",
}  # fmt: skip
_SPECIAL = [
    p
    for p in all_samples()
    if issubclass(p.values[0], (Special, Polynomial)) and p.values[0].__name__ not in _NONE_THERE
]


@each("cls, sample", in_part(_SPECIAL, every=2, among=12))
def test_derivatives_next_to_0_are_numbers_or_infinite_as_they_are(cls: Any, sample: Any) -> None:
    """On the right, where a value is: no difference of infinite terms is left."""
    x, y = at_points(cls, sample, _TINY, -1)
    for order in range(3):
        before = np.isnan(y.detach().numpy())
        if not y.requires_grad:
            break
        (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)
        lost = np.isnan(y.detach().numpy()) & ~before
        assert not lost.any(), f"order {order + 1} at {np.array(_TINY)[lost]}"


#: Parameters, and their function in closed form: the difference of the first two is whole, or half.
_LEFT_IN_CLOSED_FORM: dict[tuple[float, ...], Callable[[Any], Any]] = {
    (1, 1, 2): lambda z: -mpmath.log(1 - z) / z,
    (0.5, 1, 1.5): lambda z: mpmath.atan(mpmath.sqrt(-z)) / mpmath.sqrt(-z),
    (1.25, 0.75, 0.75): lambda z: (1 - z) ** -1.25,
    (2, 1, 2): lambda z: 1 / (1 - z),
    (1.5, 4.5, 1.25): lambda z: mpmath.hyp2f1(1.5, 4.5, 1.25, z),
}


@each(
    "parameters",
    in_part([pytest.param(p, id=str(p)) for p in _LEFT_IN_CLOSED_FORM], group=str, among=3),
)
def test_hypergeometric_functions_far_on_the_left(parameters: tuple[float, ...]) -> None:
    """Where SciPy's have no digits if the difference of two parameters is whole."""
    points = [-(10.0**k) for k in (2.5, 3, 5, 8, 12, 14, 18, 30)]
    z = symgrad.tensor(points, dtype=symgrad.float64, requires_grad=True)
    y = symgrad.special.hyp2f1(*parameters, z)
    for order in range(3):
        with mpmath.workdps(120):
            f, part = _LEFT_IN_CLOSED_FORM[parameters], mpmath.mpf(10) ** -30
            exact = [float(mpmath.diff(f, mpmath.mpf(x), order, h=-x * part)) for x in points]
        np.testing.assert_allclose(y.detach().numpy(), exact, rtol=1e-13)
        (y,) = symgrad.autograd.grad(y.sum(), z, create_graph=True)


def test_errors_of_missing_derivatives_name_public_functions_and_their_operands() -> None:
    """Of each operand, after a derivative by another as well."""
    public = {*symgrad.special.__all__, "igamma", "igammac"}
    tried = set()
    for p in all_samples():
        cls, sample = p.values
        if not issubclass(cls, (Special, Polynomial)) or not cls.underived:
            continue
        operands = [
            symgrad.tensor(np.asarray(x).flat[0], dtype=symgrad.float64, requires_grad=True)
            for x in sample[: len(sample) - len(cls.params)]
        ]
        for i in cls.underived:
            for moving in {i, len(operands) - 1}:
                given = [x if j in (i, moving) else x.detach() for j, x in enumerate(operands)]
                y = bind(cls, given, sample[len(operands) :])
                with pytest.raises(
                    NotImplementedError, match=r"the derivative for '(\w+): (\w+)'"
                ) as e:
                    symgrad.autograd.grad(y, given[i])
                name = str(e.value).split("'")[1].split(":")[0]
                assert name in public, cls
                tried.add(name)
    assert len(tried) > 15


#: Beside the square root of 2/(pi*z), what Bessel functions tend to: DLMF 10.17 and 10.40.
_FAR_OUT: dict[str, Callable[[Any, Any], Any]] = {
    "jv": lambda v, z: mpmath.cos(z - (2 * v + 1) * mpmath.pi / 4),
    "yv": lambda v, z: mpmath.sin(z - (2 * v + 1) * mpmath.pi / 4),
    "ive": lambda v, z: mpmath.mpf(1) / 2,
    "kve": lambda v, z: mpmath.pi / 2,
}


@each("name", list(_FAR_OUT))
def test_bessel_functions_have_their_digits_up_to_the_largest_numbers(name: str) -> None:
    """Where twice the argument is infinite, too; and no slope there is nan."""
    points = [1e100, 1e300, 1e307, 9e307, 1.7e308]
    for order in (0.0, 1.0, 2.5):
        z = symgrad.tensor(points, dtype=symgrad.float64, requires_grad=True)
        y = getattr(_of, name)(symgrad.tensor(order, dtype=symgrad.float64), z)
        with mpmath.workdps(400):
            exact = [
                float(_FAR_OUT[name](order, x) * mpmath.sqrt(2 / (mpmath.pi * x)))
                for x in map(mpmath.mpf, points)
            ]
        np.testing.assert_allclose(y.detach().numpy(), exact, rtol=1e-14)
        (slope,) = symgrad.autograd.grad(y.sum(), z)
        assert not np.isnan(slope.numpy()).any()
