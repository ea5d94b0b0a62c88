"""Derivatives of samples: those of the inverse of the distribution function at a fixed value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad as torch
from symgrad.distributions.slopes import dirichlet_slopes, gamma_slopes
from tests.each import each
from tests.scenarios._distributions import made

special = pytest.importorskip("scipy.special")


def _slope(f: Any, a: float, step: float) -> float:
    """Return a derivative by differences of the sixth order."""
    weights = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
    return sum(w * (f(a + k * step) - f(a - k * step)) for k, w in weights) / step


@each("a", [0.05, 0.3, 1.0, 2.7, 10.0, 100.0, 3000.0])
@each("u", [0.01, 0.2, 0.5, 0.8, 0.99])
def test_gamma_numbers_follow_their_quantile(a: float, u: float) -> None:
    x = float(special.gammaincinv(a, u))
    if x < 1e-100:
        pytest.skip("is no number")
    expected = _slope(lambda a: special.gammaincinv(a, u), a, 2e-3 * a)
    found = gamma_slopes(np.array([a]), np.array([x]))[0]
    assert found == pytest.approx(expected, rel=1e-7)


@each("a", [0.2, 1.0, 3.0, 40.0])
@each("b", [0.3, 2.0, 30.0])
@each("u", [0.05, 0.5, 0.9])
def test_shares_follow_the_quantile_of_one(a: float, b: float, u: float) -> None:
    x = float(special.betaincinv(a, b, u))
    if not 1e-100 < x < 1 - 1e-6:
        pytest.skip("is no number")
    expected = _slope(lambda a: special.betaincinv(a, b, u), a, 2e-3 * a)
    found = dirichlet_slopes(np.array([a, b]), np.array([x, 1 - x]))[0] * (1 - x)
    assert found == pytest.approx(expected, rel=1e-6)


def test_gradients_of_samples_have_the_means_of_gradients_of_means() -> None:
    torch.manual_seed(0)
    a = torch.tensor([0.7, 3.0], dtype=torch.float64, requires_grad=True)
    b = torch.tensor([2.0, 0.5], dtype=torch.float64, requires_grad=True)
    for d in (torch.distributions.Gamma(a, b), torch.distributions.Beta(a, b)):
        mean = torch.autograd.grad(d.mean.sum(), (a, b))
        drawn = torch.autograd.grad(d.rsample((20000,)).mean(0).sum(), (a, b))
        for expected, found in zip(mean, drawn, strict=True):
            np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=0.08)


def test_densities_of_leaves_are_formulas() -> None:
    x, m, s = (torch.leaf(name, ()) for name in ("x", "m", "s"))
    d = torch.distributions.Normal(m, s)
    assert str(d) == "Normal(loc: m, scale: s)"
    assert str(torch.derive(d.log_prob(x), x)) == "(m - x) / s**2"
    values = {x: 0.3, m: 1.0, s: 2.0}
    numbers = [torch.tensor(v, dtype=torch.float64) for v in values.values()]
    for family in ("Normal", "Laplace", "Gumbel", "Cauchy", "Gamma", "Kumaraswamy"):
        make = getattr(torch.distributions, family)
        formula = make(m, s).log_prob(x)
        expected = make(*numbers[1:]).log_prob(numbers[0])
        assert float(formula.evaluate(values)) == pytest.approx(float(expected), rel=1e-6)
    v = torch.leaf("v", (3,))
    entropy = torch.distributions.Categorical(logits=v).entropy()
    assert float(entropy.evaluate({v: np.zeros(3)})) == pytest.approx(np.log(3))


def test_samples_are_transformed_as_other_functions_are() -> None:
    t, func = torch.distributions, torch.func
    a = torch.tensor([0.7, 3.0], dtype=torch.float64)

    def drawn(a: Any) -> Any:
        torch.manual_seed(0)
        return t.Gamma(a, 1.0).rsample()

    def shares(a: Any) -> Any:
        torch.manual_seed(0)
        return t.Dirichlet(a).rsample()

    for f in (drawn, shares):
        jacobian = torch.autograd.functional.jacobian(f, a)
        _, tangent = func.jvp(f, (a,), (torch.ones_like(a),))
        np.testing.assert_allclose(tangent.numpy(), jacobian.sum(-1).numpy(), rtol=1e-12)
        with torch.autograd.forward_ad.dual_level():
            dual = torch.autograd.forward_ad.make_dual(a, torch.ones_like(a))
            found = torch.autograd.forward_ad.unpack_dual(f(dual)).tangent
            np.testing.assert_allclose(found.numpy(), tangent.numpy(), rtol=1e-12)
    rows = torch.stack([a, a + 1])
    torch.manual_seed(0)
    mapped = func.vmap(lambda a: t.Dirichlet(a).rsample(), randomness="different")(rows)
    torch.manual_seed(0)
    np.testing.assert_array_equal(mapped.numpy(), t.Dirichlet(rows).rsample().numpy())
    slopes = func.vmap(
        func.grad(lambda a: t.Gamma(a, 1.0).rsample().sum()), randomness="different"
    )(rows)
    assert slopes.shape == (2, 2)
    assert (slopes > 0).all()
    for randomness, words in (("error", "randomness error mode"), ("same", "same randomness")):
        with pytest.raises(RuntimeError, match=words):
            func.vmap(lambda a: t.Gamma(a, 1.0).rsample(), randomness=randomness)(rows)
    densities = func.vmap(lambda a: t.Gamma(a, 1.0).log_prob(torch.ones(())))(a)
    np.testing.assert_array_equal(
        densities.numpy(), t.Gamma(a, 1.0).log_prob(torch.ones(())).numpy()
    )


def test_numbers_without_a_gradient_have_none() -> None:
    assert not torch.distributions.Gamma(2.0, 1.0).rsample((3,)).requires_grad
    a = torch.tensor(2.0, requires_grad=True)
    assert not torch.distributions.Gamma(a, 1.0).sample((3,)).requires_grad
    y = torch.distributions.Gamma(a, 1.0).rsample()
    (slope,) = torch.autograd.grad(y, a, create_graph=True)
    with pytest.raises(RuntimeError, match="derivative for gamma_slopes"):
        torch.autograd.grad(slope, a)


@each("family", ["Normal", "Gamma", "Exponential", "Bernoulli", "ContinuousBernoulli"])
def test_entropies_of_exponential_families_are_those_of_their_normalizers(family: str) -> None:
    found = []
    for general in (True, False):
        d, parameters, _ = made(torch, family)
        entropy = torch.distributions.ExponentialFamily.entropy(d) if general else d.entropy()
        grads = torch.autograd.grad(entropy.sum(), parameters, materialize_grads=True)
        found.append([entropy.detach().numpy(), *[g.numpy() for g in grads]])
    # Series take the place of quotients around 1/2.
    exact = 1e-9 if family != "ContinuousBernoulli" else 1e-4
    for general, own in zip(*found, strict=True):
        np.testing.assert_allclose(general, own, rtol=exact, atol=exact)


@each("family", ["Beta", "Dirichlet", "Wishart", "Poisson"])
def test_divergences_of_normalizers_are_those_of_their_formulas(family: str) -> None:
    p, parameters, _ = made(torch, family)
    q = p.expand((2, *p.batch_shape))
    found = torch.distributions.kl._exponential_family(p, q)
    np.testing.assert_allclose(found.detach().numpy(), 0, atol=1e-12)
    for g in torch.autograd.grad(found.sum(), parameters, allow_unused=True):
        np.testing.assert_allclose(g.numpy(), 0, atol=1e-9)


def test_the_gradient_of_a_log_prob_is_a_formula() -> None:
    loc = torch.tensor(0.5, requires_grad=True, name="loc")
    scale = torch.tensor(2.0, requires_grad=True, name="scale")
    p = torch.distributions.Normal(loc, scale).log_prob(torch.tensor(1.0))
    second = torch.derive(p.expr, loc.expr, order=2)
    assert float(second.evaluate({loc.expr: 0.5, scale.expr: 2.0})) == pytest.approx(-0.25)
    assert "scale" in str(second)
