"""Laws of probability, by quadrature: densities have the integral 1, and give all else."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import symgrad as torch
from symgrad.distributions.kl import _REGISTRY
from tests.each import each
from tests.scenarios._distributions import FAMILIES, made

stats = pytest.importorskip("scipy.stats")

Array = npt.NDArray[np.float64]

_ALL = {name: made(torch, name)[0] for name in FAMILIES}
#: Families of one number.
_OF_NUMBERS = [name for name, d in _ALL.items() if not d.event_shape]
COUNTED = [n for n in _OF_NUMBERS if _ALL[n].support.is_discrete]
CONTINUOUS = [n for n in _OF_NUMBERS if n not in COUNTED]


def _has(name: str, what: str) -> bool:
    """Return whether a distribution states a function."""
    try:
        getattr(_ALL[name], what)(made(torch, name)[2].clamp(max=0.9))
    except NotImplementedError:
        return False
    except ValueError:  # outside of the support
        return True
    return True


def unchecked(name: str, order: int = 1) -> Any:
    """Return a distribution that takes all values, and has no gradients.

    Parameters
    ----------
    name : str
        The family.
    order : int
        -1 for the elements of the batch in reverse order.
    """
    given, _ = FAMILIES[name]
    arrays = {k.lstrip("_"): np.asarray(x, np.float64) for k, x in given.items()}
    tensors = {k: torch.tensor(x[::order].copy() if x.ndim else x) for k, x in arrays.items()}
    d = getattr(torch.distributions, name)(**tensors, validate_args=False)
    for x in vars(d).values():
        if isinstance(x, torch.distributions.Distribution):
            x._validate_args = False
    return d


def bounds(d: Any) -> tuple[Array, Array]:
    """Return between which numbers all probability lies, for each element of the batch."""
    if isinstance(d, torch.distributions.VonMises):
        return np.full(3, -math.pi), np.full(3, math.pi)
    region = d.support
    low, high = getattr(region, "lower_bound", -math.inf), getattr(region, "upper_bound", math.inf)
    return tuple(np.broadcast_to(np.asarray(x, np.float64), (3,)) for x in (low, high))


# Double exponential quadrature: places and weights.
_T = np.arange(-5.0, 5.0, 1 / 64)[:, np.newaxis]
_TURN = math.pi / 2 * np.sinh(_T)
_SPEED = math.pi / 2 * np.cosh(_T) / 64


def _piece(a: Array, b: Array) -> tuple[Array, Array]:
    """Return places between two bounds, of which one may be infinite, and their weights."""
    with np.errstate(all="ignore"):
        share = 1 / (1 + np.exp(-2 * _TURN))
        inner = (a + (b - a) * share, (b - a) / 2 / np.cosh(_TURN) ** 2 * _SPEED)
        step = np.exp(_TURN)
        above, below = (a + step, step * _SPEED), (b - step, step * _SPEED)
        outer = np.isinf(b), np.isinf(a)
        return tuple(
            np.where(outer[0], up, np.where(outer[1], down, middle))
            for up, down, middle in zip(above, below, inner, strict=True)
        )


def total(d: Any, f: Callable[[Array], Any], cuts: list[Array]) -> Array:
    """Return the means of a function, by quadrature of the pieces between some numbers."""
    low, high = bounds(d)
    edges = np.sort([low, *[np.clip(c, low, high) for c in cuts], high], axis=0)
    found = np.zeros(3)
    for a, b in itertools.pairwise(edges):
        x, weights = _piece(a, b)
        density = np.exp(d.log_prob(torch.tensor(x)).numpy())
        with np.errstate(all="ignore"):
            terms = weights * density * np.asarray(f(x))
        # What lies beyond the last number has no weight, nor has a bound itself.
        kept = np.isfinite(terms) & (density > 0) & (x > low) & (x < high) & (a < b)
        found += np.where(kept, terms, 0).sum(0)
    return found


def middle(d: Any) -> list[Array]:
    """Return numbers between which densities are smooth: a place of much probability."""
    torch.manual_seed(1)
    drawn = d.sample((99,)).numpy()
    located = [d.loc.numpy()] if hasattr(d, "loc") else []
    return [np.median(drawn, axis=0), *np.quantile(drawn, [0.02, 0.98], axis=0), *located]


_HEAVY = {"Cauchy", "HalfCauchy", "StudentT", "Pareto", "InverseGamma", "RelaxedBernoulli"}


@each("name", CONTINUOUS)
def test_densities_have_the_integral_one(name: str) -> None:
    d = unchecked(name)
    found = total(d, np.ones_like, middle(d))
    # Close to 1 the numbers are too few for a density that is infinite there.
    exact = 1e-8 if name not in ("Beta", "Kumaraswamy") else 1e-5
    np.testing.assert_allclose(found, 1, atol=exact)


@each(
    "name", [n for n in CONTINUOUS if n not in ("RelaxedBernoulli", "VonMises", "FisherSnedecor")]
)
def test_the_entropy_is_the_mean_of_minus_the_logarithm(name: str) -> None:
    d = unchecked(name)
    found = total(d, lambda x: -d.log_prob(torch.tensor(x)).numpy(), middle(d))
    np.testing.assert_allclose(found, d.entropy().numpy(), rtol=1e-4, atol=1e-4)


@each("name", [n for n in CONTINUOUS if n not in _HEAVY and n != "VonMises"])
def test_moments_are_those_of_the_density(name: str) -> None:
    d = unchecked(name)
    mean, variance = d.mean.numpy(), d.variance.numpy()
    found = total(d, lambda x: x, middle(d))
    np.testing.assert_allclose(
        found, np.where(np.isfinite(mean), mean, found), rtol=1e-5, atol=1e-5
    )
    spread = total(d, lambda x: (x - mean) ** 2, middle(d))
    known = np.isfinite(variance)
    np.testing.assert_allclose(spread[known], variance[known], rtol=1e-4)


@each("name", [n for n in CONTINUOUS if _has(n, "cdf")])
def test_the_distribution_function_is_the_integral(name: str) -> None:
    d = unchecked(name)
    value = np.asarray(FAMILIES[name][1])
    cdf = d.cdf(torch.tensor(value))
    found = total(d, lambda x: x < value, [*middle(d), value])
    np.testing.assert_allclose(found, cdf.numpy(), rtol=1e-5, atol=1e-6)
    if _has(name, "icdf"):
        np.testing.assert_allclose(d.icdf(cdf).numpy(), value, rtol=1e-7, atol=1e-9)


@each("name", COUNTED)
def test_probabilities_add_up_to_one(name: str) -> None:
    d = unchecked(name)
    last = int(d.enumerate_support().max()) if d.has_enumerate_support else 400
    values = torch.arange(last + 1.0, dtype=torch.float64).reshape(-1, *[1] * len(d.batch_shape))
    p = d.log_prob(values).exp()
    np.testing.assert_allclose(p.sum(0).numpy(), 1, rtol=1e-9)
    if name != "Categorical":
        mean = (p * values).sum(0)
        np.testing.assert_allclose(mean.numpy(), d.mean.numpy(), rtol=1e-9)
        spread = (p * (values - mean) ** 2).sum(0)
        np.testing.assert_allclose(spread.numpy(), d.variance.numpy(), rtol=1e-8)


#: Registered pairs of continuous families of numbers.
PAIRS = sorted(
    (p.__name__, q.__name__)
    for p, q in _REGISTRY
    if p.__name__ in CONTINUOUS and q.__name__ in CONTINUOUS
)


@each("first, second", PAIRS)
def test_divergences_are_means_of_differences(first: str, second: str) -> None:
    p, q = unchecked(first), unchecked(second, -1 if first == second else 1)
    found = torch.distributions.kl_divergence(p, q).numpy()
    (a, b), (c, e) = bounds(p), bounds(q)
    inside = (c <= a) & (b <= e)
    assert np.all(np.isinf(found[~inside]))

    def apart(x: Array) -> Array:
        y = torch.tensor(x)
        return (p.log_prob(y) - q.log_prob(y)).numpy()

    expected = total(p, apart, [*middle(p), *middle(q)])
    known = inside & np.isfinite(found) & (found < 1e6)
    np.testing.assert_allclose(found[known], expected[known], rtol=1e-3, atol=1e-4)


# ---------------------------------------------------------------- beside SciPy


def test_what_pytorch_has_to_few_digits_is_scipys() -> None:
    d, _, value = made(torch, "VonMises")
    loc, k = d.loc.detach().numpy(), d.concentration.detach().numpy()
    expected = stats.vonmises.logpdf(value.numpy(), k, loc)
    np.testing.assert_allclose(d.log_prob(value).detach().numpy(), expected, rtol=1e-13)
    d, _, value = made(torch, "GeneralizedPareto")
    loc, scale, c = (x.detach().numpy() for x in (d.loc, d.scale, d.concentration))
    given = (value.numpy(), c, loc, scale)
    np.testing.assert_allclose(
        d.log_prob(value).detach().numpy(), stats.genpareto.logpdf(*given), rtol=1e-13
    )
    np.testing.assert_allclose(
        d.cdf(value).detach().numpy(), stats.genpareto.cdf(*given), rtol=1e-13
    )


def test_densities_close_to_one_have_all_digits() -> None:
    """Of Kumaraswamy's distribution: PyTorch subtracts a rounded power from 1."""
    d = torch.distributions.Kumaraswamy(
        *[torch.tensor(v, dtype=torch.float64) for v in (0.25, 3.0)]
    )
    x = 1 - 2.0**-50
    # 1 - x**a is a (1 - x) there, but for the square of 1 - x.
    expected = math.log(0.25 * 3.0) + 2 * math.log(0.25 * 2.0**-50)
    found = float(d.log_prob(torch.tensor(x, dtype=torch.float64)))
    assert found == pytest.approx(expected, rel=1e-14)


def test_samples_of_angles_are_scipys() -> None:
    torch.manual_seed(0)
    d = torch.distributions.VonMises(0.5, 2.0)
    drawn = d.sample((4000,)).double().numpy()
    assert stats.kstest(drawn, lambda x: stats.vonmises.cdf(x, 2.0, loc=0.5)).pvalue > 1e-3


def test_samples_of_covariances_have_their_moments() -> None:
    d, parameters, _ = made(torch, "Wishart")
    torch.manual_seed(0)
    drawn = d.rsample((3000,))
    spread = (d.variance / 3000).sqrt()
    assert ((drawn.mean(0) - d.mean).abs() < 5 * spread).all()
    assert bool(d.support.check(drawn).all())
    grads = torch.autograd.grad(drawn.mean(0).sum(), parameters)
    # The mean is df times the covariances.
    np.testing.assert_allclose(grads[0].item(), float(d.covariance_matrix.sum().detach()), rtol=0.1)


def test_correlations_are_alike() -> None:
    """With the concentration 1 every correlation is uniform between -1 and 1, for two rows."""
    torch.manual_seed(0)
    drawn = torch.distributions.LKJCholesky(2, 1.0).sample((4000,))
    r = drawn[:, 1, 0].double().numpy()
    assert stats.kstest((r + 1) / 2, "uniform").pvalue > 1e-3


def test_families_that_touch_lie_in_one_another() -> None:
    """PyTorch takes these for infinite, although only the bounds are the same."""
    t = torch.distributions
    p, q = t.ContinuousBernoulli(0.2), t.Uniform(0.0, 1.0)
    assert float(t.kl_divergence(p, q)) == pytest.approx(float(-p.entropy()))
    assert math.isfinite(float(t.kl_divergence(q, p)))
