"""Derivatives at kinks: right where they exist, never wrong numbers, else what is documented."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad as torch
from symgrad.autograd import forward_ad
from symgrad.autograd.functional import hessian, hvp, vhp
from symgrad.expr.atoms import Leaf
from symgrad.ops import slopes
from symgrad.utils.checkpoint import checkpoint
from tests.each import each

from . import kinks

FIXED = range(40)
#: How many derivatives of the fixed formulas may be nan, where a number exists.
UNKNOWN = 0.02


def test_random_formulas_have_right_derivatives_or_none() -> None:
    compared = unknown = 0
    for seed in FIXED:
        wrong, count, nans = kinks.faults(kinks.draw(seed))
        assert not wrong, f"{seed}: " + "\n".join(wrong)
        compared, unknown = compared + count, unknown + nans
    assert compared > 6 * len(FIXED) and unknown < UNKNOWN * compared


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_many_random_formulas(block: int) -> None:
    for seed in range(1000 * (block + 1), 1000 * (block + 2)):
        wrong, _, _ = kinks.faults(kinks.draw(seed))
        assert not wrong, f"{seed}: " + "\n".join(wrong)


# ------------------------------------------------------------------ functions of a length

_ROOT_5 = 5**0.5

#: Smooth functions of a length, with their second derivative at 0.
SMOOTH: dict[str, tuple[Callable[[Any], Any], float]] = {
    "Matern-5/2": (
        lambda r: (1 + _ROOT_5 * r + 5 / 3 * r**2) * torch.exp(-_ROOT_5 * r), -5 / 3
    ),
    "cos": (torch.cos, -1), "cosh": (torch.cosh, 1),
    "log cosh": (lambda r: torch.log(torch.cosh(r)), 1),
    "r tanh r": (lambda r: r * torch.tanh(r), 2),
    "(1 + r) exp(-r)": (lambda r: (1 + r) * torch.exp(-r), -1),
    "r - log1p r": (lambda r: r - torch.log1p(r), 1),
    "sin r / r": (lambda r: torch.sinc(r / np.pi), -1 / 3),
    "Huber": (lambda r: torch.where(r < 1, r * r / 2, r - 0.5), 1),
    "1/(1 + rr)": (lambda r: 1 / (1 + r * r), -2),
    "-r*r": (lambda r: -r * r, -2), "k/2 r*r": (lambda r: 0.5 * 3 * r * r, 3),
    "r*(r*3)": (lambda r: r * (r * 3), 6), "(r/l)**2": (lambda r: (r / 2) ** 2, 0.5),
    "sqrt(1 + r**2)": (lambda r: torch.sqrt(1 + r**2), 1),
    "1/(1 + r**2)": (lambda r: 1 / (1 + r**2), -2),
    "log1p((r/2)**2)": (lambda r: torch.log1p((r / 2) ** 2), 0.5),
    "sqrt(r**2 * r**2)": (lambda r: torch.sqrt(r**2 * r**2), 2),
}  # fmt: skip

#: Lengths of (x0, x1) or of x0, and whether x1 is in them.
LENGTHS: dict[str, tuple[Callable[[Any], Any], bool]] = {
    "norm": (torch.linalg.vector_norm, True),
    "norm of rows": (lambda x: torch.linalg.vector_norm(x.reshape(1, 2), dim=1)[0], True),
    "abs": (lambda x: x[0].abs(), False),
    "norm of one number": (lambda x: torch.linalg.vector_norm(x[:1], 3.5), False),
    "hypot": (lambda x: torch.hypot(x[0], x[1]), True),
    "abs of complex": (lambda x: torch.complex(x[0], x[1]).abs(), True),
    "std": (lambda x: torch.std(torch.stack([x[0], -x[0]]), correction=0), False),
    "sqrt of sum": (lambda x: torch.sqrt((x * x).sum()), True),
    "power of sum": (lambda x: (x**2).sum() ** 0.5, True),
    "sqrt of square": (lambda x: torch.sqrt(x[0] ** 2), False),
    "abs of a length": (lambda x: torch.hypot(x[0], x[1]).abs(), True),
    "norm of lengths": (
        lambda x: torch.linalg.vector_norm(torch.stack([x[0].abs(), x[1].abs()])), True
    ),
}  # fmt: skip


def _zeros() -> Any:
    return torch.zeros(2, dtype=torch.float64)


def _forward_over_reverse(f: Callable[[Any], Any]) -> Any:
    columns = []
    for direction in torch.eye(2, dtype=torch.float64):
        with forward_ad.dual_level():
            x = forward_ad.make_dual(_zeros().requires_grad_(), direction)
            (g,) = torch.autograd.grad(f(x), x)
            columns.append(forward_ad.unpack_dual(g).tangent.detach().numpy())
    return np.stack(columns, 1)


def _reverse_over_forward(f: Callable[[Any], Any]) -> Any:
    rows = []
    for direction in torch.eye(2, dtype=torch.float64):
        x = _zeros().requires_grad_()
        with forward_ad.dual_level():
            tangent = forward_ad.unpack_dual(f(forward_ad.make_dual(x, direction))).tangent
            rows.append(torch.autograd.grad(tangent, x)[0].numpy())
    return np.stack(rows)


def _explained(f: Callable[[Any], Any]) -> Any:
    x = torch.tensor([0.0, 0.0], dtype=torch.float64, requires_grad=True, name="x")
    second = torch.derive(torch.explain(f(x)).gradients["x"], "x")
    # A comparison is a leaf; those here hold next to 0.
    given = {y.name: True for y in second.atoms(Leaf) if y.name != "x"}
    return second.evaluate(
        {**given, "x": np.zeros(2)} if second.has(torch.leaf("x", (2,))) else given
    )


def _derived(f: Callable[[Any], Any]) -> Any:
    x = torch.leaf("x", (2,))
    second = torch.derive(f(x), x, 2)
    return second.evaluate({x: np.zeros(2)} if second.has(x) else {})


def _pushed(f: Callable[[Any], Any], x: Any, v: Any) -> Any:
    return torch.func.jvp(f, (x,), (v,))[1]


def _pulled(f: Callable[[Any], Any], x: Any, v: Any) -> Any:
    _, pull = torch.func.vjp(f, x)
    return pull(torch.leaf("w"))[0] @ v


def _of_tangents(f: Callable[[Any], Any], first: Callable[..., Any]) -> Any:
    """Return the second derivative from a formula of the first one along a direction."""
    x, v = torch.leaf("x", (2,)), torch.leaf("v", (2,))
    slope = torch.derive(first(f, x, v), x)
    names = {leaf.name for leaf in slope.leaves}
    columns = []
    for e in np.eye(2):
        values = {"x": np.zeros(2), "v": e, "w": 1.0}
        columns.append(slope.evaluate({k: values[k] for k in names}))
    return np.stack(columns)


MODES: dict[str, Callable[[Callable[[Any], Any]], Any]] = {
    "reverse": lambda f: hessian(f, _zeros()).numpy(),
    "vectorized": lambda f: hessian(f, _zeros(), vectorize=True).numpy(),
    "forward over reverse": _forward_over_reverse,
    "reverse over forward": _reverse_over_forward,
    "of formulas": _derived,
    "of an explained gradient": _explained,
    "of a tangent of formulas": lambda f: _of_tangents(f, _pushed),
    "of a cotangent of formulas": lambda f: _of_tangents(f, _pulled),
}


#: What the tangents of single operations do not show: that a square root is one of squares.
ROOTS = {
    "forward over reverse": {"sqrt of square"},
    "reverse over forward": {"sqrt of square", "sqrt of sum", "power of sum"},
}


#: Each function of each length in some mode, and in each mode some function of each length.
SECOND = [
    pytest.param(
        mode, length, function,
        id=f"{mode}-{length}-{function}", marks=pytest.mark.slow if (i + j + k) % 5 else (),
    )
    for i, mode in enumerate(MODES)
    for j, length in enumerate(LENGTHS)
    for k, function in enumerate(SMOOTH)
]  # fmt: skip


@each("mode, length, function", SECOND)
def test_a_smooth_function_of_a_length_has_its_second_derivative(
    mode: str, length: str, function: str
) -> None:
    (g, second), (f, has_both) = SMOOTH[function], LENGTHS[length]
    if mode == "of formulas" and length == "std":
        f = lambda x: torch.std(torch.stack([x[0], -1 * x[0]]), correction=0)  # noqa: E731
    found = MODES[mode](lambda x: g(f(x)))
    if length in ROOTS.get(mode, ()) or (mode, function) == (
        "reverse over forward",
        "sqrt(r**2 * r**2)",
    ):
        assert np.isnan(found).any()
        return
    np.testing.assert_allclose(found, np.diag([second, has_both * second]), rtol=1e-12, atol=1e-14)


def test_a_covariance_of_derivatives_of_a_gaussian_process() -> None:
    """All distances of a point to itself are 0, and stand in one matrix with those that are not."""

    def covariance(x: Any) -> Any:
        d = torch.linalg.vector_norm(x[:, None] - x[None], dim=-1)
        k = SMOOTH["Matern-5/2"][0](d)
        y = torch.tensor([1.0, 2.0, -1.0], dtype=torch.float64)
        return ((k @ k + torch.eye(3, dtype=torch.float64)) @ y * y).sum()

    at = torch.tensor([[0.0, 0.0], [0.0, 0.0], [1.0, 0.5]], dtype=torch.float64)

    def slope(step: np.ndarray) -> Any:
        x = (at + torch.tensor(step.reshape(3, 2))).requires_grad_()
        return torch.autograd.grad(covariance(x), x)[0].numpy().ravel()

    found = hessian(covariance, at).numpy().reshape(6, 6)
    steps = 1e-5 * np.eye(6)
    wanted = np.stack([(slope(h) - slope(-h)) / 2e-5 for h in steps])
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


# ------------------------------------------------------------------ conventions


@pytest.mark.parametrize(
    ("f", "wanted"),
    [
        (lambda x: x.abs().prod(), [[0, 0], [0, 0]]),
        (lambda x: x[0].abs() * x[1].abs(), [[0, 0], [0, 0]]),
        (lambda x: x.abs().sum() ** 2, [[0, 0], [0, 0]]),
        (lambda x: (x.abs() * x.abs().flip(0)).sum(), [[0, 0], [0, 0]]),
        (lambda x: torch.hypot(x[0], x[0]) * x[0].abs(), [[np.nan, 0], [0, 0]]),
        (lambda x: (x.abs() ** 2).sum() ** 2, [[0, 0], [0, 0]]),
        (lambda x: torch.logsumexp(torch.cos(x.abs()), 0), [[-0.5, 0], [0, -0.5]]),
        (lambda x: torch.linalg.vector_norm(x), [[0, 0], [0, 0]]),
        (lambda x: (x.abs().sum() - 1) ** 2, [[0, 0], [0, 0]]),
        (lambda x: (x[0].abs() - 1) ** 2, [[2, 0], [0, 0]]),
        (lambda x: torch.hypot(x[0].abs() + 2, x[1] * 0 + 2), [[2**-2.5, 0], [0, 0]]),
        (
            lambda x: torch.std(torch.stack([x[0].abs(), x[1] + 1, x[1] - 1])),
            [[1 / 3, 0], [0, 1 / 3]],
        ),
        (lambda x: torch.linalg.vector_norm((x[:1].abs() + 1).abs(), 3), [[0, 0], [0, 0]]),
        (lambda x: torch.cos(x.abs()[:, None] * torch.arange(1.0, 3)).sum(), [[-5, 0], [0, -5]]),
    ],
)
def test_where_lengths_meet(f: Callable[[Any], Any], wanted: Any) -> None:
    """Numbers where it is shown that each length has variables of its own, otherwise nan."""
    np.testing.assert_allclose(hessian(f, _zeros()).numpy(), wanted, atol=1e-15)


@pytest.mark.parametrize("length", ["abs", "norm", "hypot", "sqrt of sum"])
def test_fourth_derivatives_are_unknown(length: str) -> None:
    x = _zeros().requires_grad_()
    y = torch.cos(LENGTHS[length][0](x))
    found = []
    for _ in range(4):
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        y = g[0]
        found.append(float(y.detach().numpy()))
    np.testing.assert_array_equal(found, [0, -1, 0, np.nan])


def test_the_cost_grows_with_the_number_of_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    """All lengths move at once."""
    pushed = slopes._pushed
    counted = [0]

    def counting(*args: Any) -> Any:
        counted[0] += 1
        return pushed(*args)

    monkeypatch.setattr(slopes, "_pushed", counting)
    torch.autograd.cache_clear()

    def steps(count: int) -> int:
        x = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
        y = x
        for _ in range(count):
            y = torch.abs(torch.sin(y) * 1.1 - 0.3)
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        counted[0] = 0
        torch.autograd.grad(g, x)
        return counted[0]

    few, many = steps(20), steps(40)
    assert 1.5 * few < many < 2.5 * few


def test_where_no_length_is_zero_nothing_changes() -> None:
    """A first derivative that is not differentiated again is the formula that it was."""
    x = torch.tensor([3.0, 4.0], dtype=torch.float64, requires_grad=True)
    torch.cos(torch.linalg.vector_norm(x)).backward()
    plain = x.grad.numpy().copy()
    (g,) = torch.autograd.grad(torch.cos(torch.linalg.vector_norm(x)), x, create_graph=True)
    np.testing.assert_array_equal(g.detach().numpy(), plain)


# ------------------------------------------------------------------ however a length is recorded


class _Passed(torch.autograd.Function):
    """The same numbers, by a function whose derivative is a stage of its own."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 1

    @staticmethod
    def backward(ctx: Any, ct: Any) -> Any:
        return ct * 1


def _retained(x: Any) -> Any:
    n = x.abs()
    n.retain_grad()
    return torch.cos(n)


def _hooked(x: Any) -> Any:
    n = x.abs()
    n.register_hook(lambda g: 1 * g)
    return torch.cos(n)


def _shared(x: Any) -> Any:
    x.detach().numpy()
    return torch.cos(x.abs())


def _overwritten(x: Any) -> Any:
    n = x.abs().sin_()
    return -n * n / 2


RECORDED: dict[str, Callable[[Any], Any]] = {
    "plain": lambda x: torch.cos(x.abs()), "retained": _retained, "hooked": _hooked,
    "shared with NumPy": _shared, "overwritten": _overwritten,
    "in place": lambda x: torch.cos((x * 1).abs_()),
    "checkpointed": lambda x: torch.cos(checkpoint(torch.abs, x, use_reentrant=False)),
    "checkpointed as a whole": lambda x: checkpoint(
        lambda x: torch.cos(x.abs()), x, use_reentrant=False
    ),
    "a view": lambda x: torch.cos(x.reshape(2, 1).abs())[:, 0],
    "float32": lambda x: torch.cos(x.float().abs()).double(),
    "dist": lambda x: torch.stack([torch.cos(torch.dist(e, torch.zeros_like(e))) for e in x]),
}  # fmt: skip


@each("name", list(RECORDED))
def test_a_length_is_known_however_it_is_recorded(name: str) -> None:
    for _ in range(2):  # by a new plan, and by one that is known
        x = _zeros().requires_grad_()
        (g,) = torch.autograd.grad(RECORDED[name](x).sum(), x, create_graph=True)
        np.testing.assert_array_equal(torch.autograd.grad(g.sum(), x)[0].numpy(), [-1, -1])


def test_factors_that_were_differentiated_apart() -> None:
    x = _zeros().requires_grad_()
    n = x.abs()
    (by_n,) = torch.autograd.grad(torch.cos(n).sum(), n, create_graph=True)
    (by_x,) = torch.autograd.grad(n.sum(), x, create_graph=True)
    found = torch.autograd.grad((by_n * by_x).sum(), x)[0]
    np.testing.assert_array_equal(found.numpy(), [-1, -1])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: torch.cos(_Passed.apply(x.abs())),
        lambda x: x.abs() * _Passed.apply(x.abs()),
        lambda x: _Passed.apply(x).abs() * x.abs(),
    ],
)
def test_what_a_custom_function_computes_is_unknown(f: Callable[[Any], Any]) -> None:
    assert np.isnan(hessian(lambda x: f(x).sum(), _zeros()).numpy().diagonal()).all()


# ------------------------------------------------------------------ lengths that meet


@pytest.mark.parametrize("f", [lambda r: r.abs().sum() ** 2, lambda r: r.abs().prod()])
def test_products_with_a_hessian_agree_with_it(f: Callable[[Any], Any]) -> None:
    direction = torch.tensor([1.0, 0.0], dtype=torch.float64)
    for product in (hvp, vhp):
        np.testing.assert_array_equal(product(f, _zeros(), direction)[1].numpy(), [0, 0])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x[2] * x[:2].abs().prod(),
        lambda x: x[2] * x[:2].abs().sum() ** 2,
        lambda x: torch.hypot(x[0], x[0]) * x[0].abs() * x[2],
    ],
)
@pytest.mark.parametrize("last", [0.0, 1.0])
def test_a_factor_of_zero_hides_no_meeting(f: Callable[[Any], Any], last: float) -> None:
    """Third derivatives by the factor are 0 by convention, or nan, in each order."""
    for order in ((0, 0, 2), (0, 2, 0), (2, 0, 0)):
        x = torch.tensor([0.0, 0.0, last], dtype=torch.float64, requires_grad=True)
        y = f(x)
        for i in order:
            y = torch.autograd.grad(y, x, create_graph=True)[0][i]
        found = float(y.detach().numpy())
        assert np.isnan(found) or found == 0


def _pairs(x: Any) -> Any:
    first, second = x.abs().chunk(2)
    return (first * second).sum()


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_many_lengths_that_meet(dtype: str) -> None:
    x = torch.zeros(2584 * 2, dtype=getattr(torch, dtype), requires_grad=True)
    for f in (lambda x: x.abs().sum() ** 2, _pairs):
        (g,) = torch.autograd.grad(f(x), x, create_graph=True)
        found = torch.autograd.grad(g.sum(), x)[0].numpy()
        assert (np.isnan(found) | (found == 0)).all()
        assert dtype == "float16" or np.count_nonzero(found == 0) > 4000


def test_rounding_is_no_meeting() -> None:
    """What cancels has no digits left that could tell, and is unknown."""
    b = 1e9

    def f(x: Any) -> Any:
        reverse = torch.cos(x.abs() + 0).flip(0).prod()
        return b * torch.cos(x.abs()).prod() - (b - 1) * reverse

    found = hessian(f, torch.zeros(4, dtype=torch.float64)).numpy().diagonal()
    assert (np.isnan(found) | (abs(found + 1) < 1e-6)).all()


def test_formulas_of_the_derivatives_in_sympy() -> None:
    s, t = sympy.symbols("s t", real=True)
    x, y = torch.leaf("s"), torch.leaf("t")
    assert torch.derive(torch.cos(x.abs()), x).to_sympy() == -sympy.sin(abs(s)) * sympy.sign(s)
    for order in (1, 2, 3):
        found = torch.derive(torch.cos(torch.hypot(x, y)), x, order).to_sympy()
        wanted = sympy.diff(sympy.cos(sympy.sqrt(s**2 + t**2)), s, order)
        at = {s: sympy.Rational(3, 5), t: sympy.Rational(4, 5)}
        assert abs(found.subs(at).evalf() - wanted.subs(at).evalf()) < 1e-12


def test_a_spectrum_depends_on_each_length_of_its_matrix() -> None:
    """What moves with a spectrum is no function of one element of the matrix that moves it."""
    s, matrix = torch.leaf("s"), torch.leaf("matrix", (2, 2))
    moved = matrix + s * matrix.mT
    formula = torch.linalg.svdvals(torch.atan2(moved, moved.mT + 2)).prod()
    third, fourth = (torch.derive(formula, s, order) for order in (3, 4))
    at = np.array([[1.0, 0.5], [-0.25, 2.0]])
    low, high = (float(third.evaluate({"s": h, "matrix": at})) for h in (-1e-5, 1e-5))
    found = float(fourth.evaluate({"s": 0.0, "matrix": at}))
    assert abs(found - (high - low) / 2e-5) < 1e-6 * abs(found)
