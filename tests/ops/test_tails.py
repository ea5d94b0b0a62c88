"""What several elements decide together keeps its digits: softmax, norms, spreads and long sums."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

import symgrad
from symgrad.ops.primitive import PRIMITIVES
from tests.each import each
from tests.ops.accuracy import OF_SLICES

pytestmark = pytest.mark.versions

F = symgrad.nn.functional
X = sympy.symbols("x:3", real=True)
TOTAL = sympy.Add(*[sympy.exp(x) for x in X])

#: Logits of three classes: even, confident, certain, tiny and huge.
LOGITS = [
    (0.0, 1.0, 50.0), (50.0, 0.0, 1.0), (0.3, -1.2, 2.0), (-40.0, 40.0, 0.5), (1e-12, -3e-12, 1.0),
    (1e8, 1e8 - 20, 3.0), (700.0, 20.0, -690.0), (0.5, 0.5, 0.5),
]  # fmt: skip


def double(values: Any) -> Any:
    return symgrad.tensor(values, dtype=symgrad.float64, requires_grad=True)


def rows(x: Any) -> Any:
    return x.reshape(1, 3)


CLASS = 2
LOG_SHARE = X[CLASS] - sympy.log(TOTAL)
#: name: what users write of a vector of logits, and the same of symbols
LOSSES: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "log_softmax": (lambda x: x.log_softmax(0)[CLASS], LOG_SHARE),
    "log(softmax)": (lambda x: x.softmax(0).log()[CLASS], LOG_SHARE),
    "x - logsumexp": (lambda x: (x - x.logsumexp(0))[CLASS], LOG_SHARE),
    "rows - logsumexp": (
        lambda x: (rows(x) - rows(x).logsumexp(1, keepdim=True))[0, CLASS], LOG_SHARE,
    ),
    "x[k] - logsumexp": (lambda x: x[CLASS] - x.logsumexp(0), LOG_SHARE),
    "logsumexp - x[k]": (lambda x: x.logsumexp(0) - x[CLASS], -LOG_SHARE),
    "log(sum(exp)) - x[k]": (lambda x: x.exp().sum().log() - x[CLASS], -LOG_SHARE),
    "cross_entropy": (
        lambda x: F.cross_entropy(rows(x), symgrad.tensor([CLASS])), -LOG_SHARE
    ),
    "nll_loss": (
        lambda x: F.nll_loss(rows(x).log_softmax(1), symgrad.tensor([CLASS])), -LOG_SHARE
    ),
    "cross_entropy of probabilities": (
        lambda x: F.cross_entropy(
            rows(x), symgrad.tensor([[0.25, 0.0, 0.75]], dtype=symgrad.float64)
        ),
        sympy.log(TOTAL) - X[0] / 4 - 3 * X[2] / 4,
    ),
    "softmax": (lambda x: x.softmax(0)[CLASS], sympy.exp(X[CLASS]) / TOTAL),
    "logsumexp": (lambda x: x.logsumexp(0), sympy.log(TOTAL)),
    "log(sum(exp))": (lambda x: x.exp().sum().log(), sympy.log(TOTAL)),
    "log(exp + exp + exp)": (
        lambda x: (x[0].exp() + x[1].exp() + x[2].exp()).log(), sympy.log(TOTAL)
    ),
}  # fmt: skip


@functools.cache
def derivative(formula: Any, wrt: tuple[int, ...]) -> Any:
    """Return a derivative; those in another order are the same."""
    return sympy.diff(derivative(formula, wrt[:-1]), X[wrt[-1]]) if wrt else formula


@functools.cache
def function(formula: Any, wrt: tuple[int, ...]) -> Any:
    return sympy.lambdify(X, derivative(formula, wrt), "mpmath", cse=True)


@functools.cache
def exact(formula: Any, wrt: tuple[int, ...], point: tuple[float, ...]) -> tuple[float, float]:
    """Return a derivative to many digits, and by how much an ulp of the operands changes it."""
    with mpmath.workdps(420):
        given = [mpmath.mpf(v) for v in point]
        value = function(formula, wrt)(*given)
        slopes = [function(formula, tuple(sorted((*wrt, i))))(*given) for i in range(3)]
        change = mpmath.fsum(abs(v * s) for v, s in zip(given, slopes, strict=True))
        return float(value), float(change)


def assert_close(got: float, formula: Any, wrt: tuple[int, ...], point: Any, ulps: int) -> None:
    value, change = exact(formula, tuple(sorted(wrt)), tuple(point))
    slack = change * 2.0**-52
    unit = max(float(np.spacing(abs(value))), slack)
    if abs(value) > 1e-300 or got > 1e-300:
        assert abs(got - value) <= slack + ulps * unit, (wrt, point, got, value)


@each("point", list(LOGITS))
@each("name", list(LOSSES))
def test_softmax_family_keeps_its_tails(name: str, point: tuple[float, ...]) -> None:
    write, formula = LOSSES[name]
    x = double(point)
    slopes = {}
    (slopes[()],) = symgrad.autograd.grad(write(x), x, create_graph=True)
    for i in range(3):
        assert_close(slopes[()][i].item(), formula, (i,), point, 16)
        (slopes[(i,)],) = symgrad.autograd.grad(slopes[()][i], x, create_graph=True)
    for i, j in itertools.product(range(3), repeat=2):
        assert_close(slopes[(i,)][j].item(), formula, (i, j), point, 32)


@pytest.mark.parametrize("order", [3, 4])
@pytest.mark.parametrize("name", ["log_softmax", "softmax", "logsumexp", "cross_entropy"])
def test_higher_orders_of_the_softmax_family(name: str, order: int) -> None:
    write, formula = LOSSES[name]
    for point in [(0.0, 1.0, 50.0), (0.3, -1.2, 2.0), (-40.0, 40.0, 0.5)]:
        for wrt in [(0,) * order, (CLASS,) * order, (0, 1, 2, 0)[:order]]:
            x = double(point)
            y = write(x)
            for i in wrt:
                (slope,) = symgrad.autograd.grad(y, x, create_graph=True)
                y = slope[i]
            assert_close(y.item(), formula, wrt, point, 64)


@each("target", [0.0, 1.0, 0.25])
@each("weight", [None, 3.0])
@each("value", [-700.0, -40.0, -0.7, 0.3, 20.0, 40.0, 700.0])
def test_cross_entropy_of_one_logit(value: float, weight: float | None, target: float) -> None:
    x = double([value])
    given = None if weight is None else symgrad.tensor([weight], dtype=symgrad.float64)
    y = F.binary_cross_entropy_with_logits(
        x, symgrad.tensor([target], dtype=symgrad.float64), pos_weight=given
    )
    t, w = sympy.Rational(target), sympy.Rational(weight or 1)
    formula = t * w * sympy.log(1 + sympy.exp(-X[0])) + (1 - t) * sympy.log(1 + sympy.exp(X[0]))
    for wrt in ((0,), (0, 0)):
        (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)
        assert_close(y.item(), formula, wrt, (value, 0.0, 0.0), 8)


def test_every_rule_of_slices_has_a_test() -> None:
    """Picked elements are above, roots below, and matrices in `test_linalg`."""
    rules = {rule.__name__ for cls in PRIMITIVES.values() for rule in cls.stable_forms}
    assert rules >= OF_SLICES
    assert {
        "softmax_of_difference",
        "weights_that_add_up",
        "root_of_squares",
        "log_softmax_of_difference",
        "function_of_a_matrix",
    } == OF_SLICES


@pytest.mark.parametrize("dtype", [symgrad.float64, symgrad.float32, symgrad.complex128])
def test_norm_is_scaled_where_squares_leave_the_range(dtype: Any) -> None:
    big = 1e30 if dtype is symgrad.float32 else 1e200
    data = [[3 * big, 4 * big], [3 / big, 4 / big], [3.0, 4.0], [0.0, 0.0]]
    x = symgrad.tensor(data, dtype=dtype, requires_grad=True)
    y = x.norm(dim=1)
    tight = 1e-6 if dtype is symgrad.float32 else 1e-15
    np.testing.assert_allclose(y.tolist(), [5 * big, 5 / big, 5.0, 0.0], rtol=tight)
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy().real, [[0.6, 0.8]] * 3 + [[0, 0]], rtol=tight)
    edges = symgrad.tensor([[np.inf, 1.0], [np.nan, big]], dtype=symgrad.float64)
    np.testing.assert_array_equal(edges.norm(dim=1).numpy(), [np.inf, np.nan])


@pytest.mark.parametrize(
    "write", [lambda x: x.std() ** 2, lambda x: x.std().square(), lambda x: x.var()]
)
def test_the_square_of_a_deviation_is_smooth_where_it_is_zero(write: Callable[[Any], Any]) -> None:
    x = double([2.0, 2.0, 2.0])
    (slope,) = symgrad.autograd.grad(write(x), x, create_graph=True)
    (second,) = symgrad.autograd.grad(slope[0], x)
    assert slope.tolist() == [0, 0, 0]
    np.testing.assert_allclose(second.numpy(), [2 / 3, -1 / 3, -1 / 3], rtol=1e-15)


@pytest.mark.parametrize(
    "write",
    [
        lambda x: (x * x).sum().sqrt(),
        lambda x: (x * x).sqrt(),
        lambda x: (x**2).sum() ** 0.5,
        lambda x: x.square().sqrt(),
        lambda x: x.norm(),
    ],
)
def test_root_of_a_square_of_one_number(write: Callable[[Any], Any]) -> None:
    for value, slope in ((0.0, 0.0), (-3.0, -1.0), (2.0, 1.0)):
        x = double(value)
        (g,) = symgrad.autograd.grad(write(x), x, create_graph=True)
        (h,) = symgrad.autograd.grad(g, x)
        assert (g.item(), h.item()) == (slope, 0.0)


ACTIVATIONS: dict[str, tuple[Callable[[Any], Any], list[float], list[float]]] = {
    "gelu": (F.gelu, [0.0, np.inf], [0.0, 1.0]),
    "gelu tanh": (lambda x: F.gelu(x, approximate="tanh"), [0.0, np.inf], [0.0, 1.0]),
    "silu": (F.silu, [0.0, np.inf], [0.0, 1.0]),
    "softplus": (F.softplus, [0.0, np.inf], [0.0, 1.0]),
    "logsigmoid": (F.logsigmoid, [-np.inf, 0.0], [1.0, 0.0]),
    "sigmoid": (symgrad.sigmoid, [0.0, 1.0], [0.0, 0.0]),
    "tanh": (symgrad.tanh, [-1.0, 1.0], [0.0, 0.0]),
    "elu": (F.elu, [-1.0, np.inf], [0.0, 1.0]),
    "relu6": (F.relu6, [0.0, 6.0], [0.0, 0.0]),
    "hardtanh": (F.hardtanh, [-1.0, 1.0], [0.0, 0.0]),
    "erf": (symgrad.erf, [-1.0, 1.0], [0.0, 0.0]),
    "log cosh": (lambda x: x.cosh().log(), [np.inf, np.inf], [-1.0, 1.0]),
}


@each("dtype", [symgrad.float64, symgrad.float32, symgrad.float16])
@each("name", list(ACTIVATIONS))
def test_activations_at_infinity(name: str, dtype: Any) -> None:
    f, values, slopes = ACTIVATIONS[name]
    x = symgrad.tensor([-np.inf, np.inf], dtype=dtype, requires_grad=True)
    y = f(x)
    assert y.tolist() == values
    (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)
    assert y.tolist() == slopes
    for _ in range(3):
        if not y.requires_grad:
            break
        (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)
        assert y.tolist() == [0.0, 0.0]


def test_logit_has_no_derivative_of_any_order_outside_its_domain() -> None:
    x = double([-0.5, 1.5, 0.25])
    y = symgrad.logit(x)
    for _ in range(4):
        assert np.isnan(y.detach().numpy()).tolist() == [True, True, False]
        (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)


@pytest.mark.parametrize("dtype", [symgrad.float64, symgrad.float32, symgrad.float16])
def test_sinc_beside_whole_numbers(dtype: Any) -> None:
    whole = np.array([1.0, 2, 3, 4, 5, 100, 101, 1001])
    whole = np.concatenate([whole, -whole])
    assert symgrad.sinc(symgrad.tensor(whole, dtype=dtype)).tolist() == [0.0] * len(whole)
    narrow = whole.astype(dtype.numpy)
    near = [np.nextafter(narrow, np.full_like(narrow, side)) for side in (-np.inf, np.inf)]
    points = np.concatenate(near)
    with mpmath.workdps(50):
        exact = [mpmath.sinpi(mpmath.mpf(float(x))) / (mpmath.pi * float(x)) for x in points]
        exact = np.array([float(y) for y in exact])
    got = symgrad.sinc(symgrad.tensor(points, dtype=dtype)).numpy()
    assert got.dtype == dtype.numpy
    ulps = abs(got - exact) / np.spacing(abs(exact).astype(dtype.numpy)).astype(float)
    assert ulps.max() <= PRIMITIVES["sinc"].ulps


def test_sympy_sinc_is_smooth_at_zero() -> None:
    x = double([0.0, 1e-200, 1e-9, 2.5])
    y = symgrad.elementwise(sympy.sinc)(x)
    t = sympy.Symbol("t")
    for k in range(4):
        far = float(sympy.diff(sympy.sin(t) / t, t, k).subs(t, sympy.Rational(5, 2)))
        at_zero = 0.0 if k % 2 else (-1.0) ** (k // 2) / (k + 1)
        assert y[0].item() == at_zero
        assert y[3].item() == pytest.approx(far, rel=1e-13)
        assert abs(y[1].item() - at_zero) < 1e-15 and abs(y[2].item() - at_zero) < 1e-8
        (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)


# -- long sums ------------------------------------------------------------------------------------

COUNT = 200_000
TERMS = (np.random.default_rng(0).random((COUNT, 3)) + 0.5).astype(np.float32)
PLACES = np.random.default_rng(1).integers(0, 2, COUNT)


def zeros(*shape: int) -> Any:
    return symgrad.zeros(*shape, requires_grad=True)


def gradient(y: Any, x: Any) -> Any:
    (y * symgrad.tensor(TERMS)).sum().backward()
    return x.grad


def _bias(x: Any = None) -> Any:
    b = zeros(3)
    return gradient(symgrad.zeros(COUNT, 3) + b, b)


def _linear() -> Any:
    b = zeros(3)
    return gradient(F.linear(symgrad.zeros(COUNT, 2), symgrad.zeros(3, 2), b), b)


def _expanded() -> Any:
    b = zeros(1, 3)
    return gradient(b.expand(COUNT, 3), b)[0]


SUMS: dict[str, Callable[[], Any]] = {
    "sum": lambda: symgrad.tensor(TERMS).sum(0),
    "sum of columns": lambda: symgrad.tensor(TERMS).t().sum(1),
    "mean": lambda: symgrad.tensor(TERMS).mean(0) * COUNT,
    "middle axis": lambda: symgrad.tensor(TERMS.reshape(4, -1, 3)).sum(1).sum(0),
    "two axes": lambda: symgrad.tensor(TERMS.reshape(COUNT // 4, 4, 3)).sum((0, 1)),
    "squares": lambda: symgrad.tensor(np.sqrt(TERMS.astype(float)).astype("f")).norm(dim=0) ** 2,
    "bias": _bias,
    "linear": _linear,
    "expand": _expanded,
}


@pytest.mark.parametrize("name", SUMS)
def test_long_sums_keep_single_precision(name: str) -> None:
    total = TERMS.astype(float).sum(0)
    np.testing.assert_allclose(SUMS[name]().detach().numpy(), total, rtol=4 * 2.0**-23)


def _index() -> Any:
    t = zeros(2, 3)
    return gradient(t[symgrad.tensor(PLACES)], t)


def _index_select() -> Any:
    t = zeros(2, 3)
    return gradient(t.index_select(0, symgrad.tensor(PLACES)), t)


def _gather() -> Any:
    t = zeros(2, 3)
    return gradient(t.gather(0, symgrad.tensor(PLACES)[:, None].expand(COUNT, 3)), t)


ACCUMULATED: dict[str, Callable[[], Any]] = {
    "index": _index,
    "index_select": _index_select,
    "gather": _gather,
    "scatter_add": lambda: symgrad.zeros(2, 3).scatter_add(
        0, symgrad.tensor(PLACES)[:, None].expand(COUNT, 3), symgrad.tensor(TERMS)
    ),
    "index_add": lambda: symgrad.zeros(2, 3).index_add(
        0, symgrad.tensor(PLACES), symgrad.tensor(TERMS)
    ),
    "index_put": lambda: symgrad.zeros(2, 3).index_put(
        (symgrad.tensor(PLACES),), symgrad.tensor(TERMS), accumulate=True
    ),
    "put": lambda: symgrad.zeros(2, 3).put(
        symgrad.tensor(PLACES[:, None] * 3 - 6 + np.arange(3)),
        symgrad.tensor(TERMS),
        accumulate=True,
    ),
}


@pytest.mark.parametrize("name", ACCUMULATED)
def test_what_is_added_at_one_place_keeps_single_precision(name: str) -> None:
    total = np.stack([TERMS[k == PLACES].astype(float).sum(0) for k in (0, 1)])
    found = ACCUMULATED[name]().detach().numpy()
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, total, rtol=2 * 2.0**-23)


@pytest.mark.parametrize("kind", [np.float16, np.float64, np.complex64, np.int64])
def test_long_sums_of_other_numbers(kind: Any) -> None:
    data = (TERMS[:3000] * 3).astype(kind)
    wide = data.astype({np.float16: np.float64, np.complex64: np.complex128}.get(kind, kind))
    got = symgrad.tensor(data).sum(0).numpy()
    np.testing.assert_allclose(got, wide.sum(0), rtol=1e-3 if kind is np.float16 else 1e-6)
    where = symgrad.tensor(PLACES[:3000])
    added = symgrad.zeros(2, 3, dtype=symgrad.tensor(data).dtype).index_add(
        0, where, symgrad.tensor(data)
    )
    expected = np.stack([wide[PLACES[:3000] == k].sum(0) for k in (0, 1)])
    np.testing.assert_allclose(added.numpy(), expected, rtol=1e-3 if kind is np.float16 else 1e-6)
