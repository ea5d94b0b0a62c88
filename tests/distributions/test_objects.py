"""Distributions as objects: checks, expansion, copies, divergences that programs enter."""

from __future__ import annotations

import contextlib
import copy
import importlib
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import symgrad as torch
from symgrad.distributions import kl
from tests.each import each
from tests.scenarios._distributions import FAMILIES, made

t = torch.distributions


@each("name", list(FAMILIES))
def test_copies_have_the_same_probabilities(name: str) -> None:
    d, _, values = made(torch, name)
    expected = d.log_prob(values).detach().numpy()
    with torch.no_grad():
        plain = copy.copy(d)
    np.testing.assert_array_equal(plain.log_prob(values).detach().numpy(), expected)
    again = pickle.loads(pickle.dumps(_detached(d)))
    np.testing.assert_array_equal(again.log_prob(values).detach().numpy(), expected)


def _detached(d: Any) -> Any:
    """Return a distribution without a history, which no copy has."""
    new = object.__new__(type(d))
    for name, x in vars(d).items():
        if isinstance(x, t.Distribution):
            x = _detached(x)
        vars(new)[name] = x.detach() if isinstance(x, torch.Tensor) else x
    for transform in vars(new).get("transforms", []):
        for name, x in vars(transform).items():
            vars(transform)[name] = x.detach() if isinstance(x, torch.Tensor) else x
    return new


@each("name", list(FAMILIES))
def test_families_say_what_they_are(name: str) -> None:
    d, _, _ = made(torch, name)
    assert type(d).__module__ == "symgrad.distributions"
    assert type(d).__name__ in t.__all__
    assert repr(d).startswith(f"{type(d).__name__}(")


#: What not every distribution has.
LACKED = {
    **{name: lambda d, _, name=name: getattr(d, name) for name in ("mean", "mode", "variance")},
    **{name: lambda d, _, name=name: getattr(d, name)() for name in ("entropy", "perplexity")},
    **{
        name: lambda d, _, name=name: getattr(d, name)()
        for name in ("rsample", "enumerate_support")
    },
    "cdf": lambda d, values: d.cdf(values),
    "icdf": lambda d, _: d.icdf(torch.full(d.batch_shape + d.event_shape, 0.5)),
}


@each("name", list(FAMILIES))
def test_what_a_family_lacks_is_said_to_be_lacking(name: str) -> None:
    d, _, values = made(torch, name)
    for call in LACKED.values():
        with contextlib.suppress(NotImplementedError):
            call(d, values)


@each("name", sorted(t.transforms.__all__))
def test_a_transform_says_which_way_it_leads_or_that_it_does_not(name: str) -> None:
    """Also through those that are made of it, and in a distribution."""
    parts = {
        "AffineTransform": (0.0, -2.0), "CatTransform": ([t.SoftmaxTransform()],),
        "ComposeTransform": ([t.SoftmaxTransform()],),
        "CumulativeDistributionTransform": (t.Normal(0.0, 1.0),),
        "IndependentTransform": (t.SoftmaxTransform(), 1), "PowerTransform": (torch.tensor(-2.0),),
        "ReshapeTransform": ((2,), (1, 2)), "StackTransform": ([t.SoftmaxTransform()],),
    }  # fmt: skip
    if name == "identity_transform":
        return
    transform = getattr(t.transforms, name)(*parts.get(name, ()))
    for x in (transform, transform.inv, t.ComposeTransform([transform])):
        with contextlib.suppress(NotImplementedError):
            assert x.sign in (-1, 1)


#: Modules of PyTorch's, with a class of each.
MODULES = {
    "bernoulli": "Bernoulli", "chi2": "Chi2", "distribution": "Distribution",
    "exp_family": "ExponentialFamily", "fishersnedecor": "FisherSnedecor",
    "generalized_pareto": "GeneralizedPareto", "half_normal": "HalfNormal",
    "lkj_cholesky": "LKJCholesky", "log_normal": "LogNormal",
    "lowrank_multivariate_normal": "LowRankMultivariateNormal", "normal": "Normal",
    "mixture_same_family": "MixtureSameFamily", "multivariate_normal": "MultivariateNormal",
    "one_hot_categorical": "OneHotCategoricalStraightThrough", "studentT": "StudentT",
    "relaxed_bernoulli": "LogitRelaxedBernoulli", "relaxed_categorical": "ExpRelaxedCategorical",
    "transformed_distribution": "TransformedDistribution", "von_mises": "VonMises",
}  # fmt: skip


@each("name", list(MODULES))
def test_classes_are_found_in_the_modules_of_pytorch(name: str) -> None:
    module = importlib.import_module(f"symgrad.distributions.{name}")
    assert getattr(t, name) is module
    assert isinstance(getattr(module, MODULES[name]), type)


def test_checks_can_be_turned_off() -> None:
    with pytest.raises(ValueError, match="to satisfy the constraint GreaterThan"):
        t.Normal(0.0, -1.0)
    assert t.Normal(0.0, -1.0, validate_args=False).scale == -1
    t.Distribution.set_default_validate_args(False)
    try:
        assert t.Normal(0.0, -1.0).scale == -1
    finally:
        t.Distribution.set_default_validate_args(True)
    with pytest.raises(ValueError, match=r"^$"):
        t.Distribution.set_default_validate_args("often")


class Unknown(t.Distribution):
    """A distribution of a program that states little."""


class Shifted(t.Normal):
    """A distribution of a program, with an attribute and a constructor of its own."""

    def __init__(self, shift: float, loc: Any, scale: Any) -> None:
        self.shift = shift
        super().__init__(loc + shift, scale)


def test_classes_of_programs_are_warned_of_and_expanded() -> None:
    with pytest.warns(UserWarning, match="does not define `arg_constraints`"):
        d = Unknown()
    with (
        pytest.warns(UserWarning, match="does not define `support`"),
        pytest.raises(NotImplementedError),
    ):
        d.log_prob(torch.tensor(0.0))
    wide = Shifted(1.0, torch.zeros(2), torch.ones(2)).expand((3, 2))
    assert isinstance(wide, Shifted)
    assert wide.shift == 1.0
    assert wide.mean.tolist() == [[1.0, 1.0]] * 3
    for call in (d.rsample, d.entropy, lambda: d.mean, lambda: d.variance, lambda: d.mode):
        with pytest.raises(NotImplementedError):
            call()


@pytest.fixture
def registry() -> Iterator[None]:
    before = dict(kl._REGISTRY)
    yield
    kl._REGISTRY.clear()
    kl._REGISTRY.update(before)
    kl._found.cache_clear()


def test_the_closest_divergence_is_taken(registry: None) -> None:
    p, q = Shifted(0.0, torch.zeros(1), torch.ones(1)), t.Normal(torch.ones(1), 1.0)
    assert t.kl_divergence(p, q).tolist() == [0.5]
    t.register_kl(Shifted, t.Normal)(lambda p, q: "left")
    assert t.kl_divergence(p, q) == "left"
    t.register_kl(t.Normal, Shifted)(lambda p, q: "right")
    with pytest.warns(RuntimeWarning, match="Ambiguous kl_divergence"):
        assert t.kl_divergence(p, p) == "left"
    t.register_kl(Shifted, Shifted)(lambda p, q: "both")
    assert t.kl_divergence(p, p) == "both"
    with pytest.raises(TypeError, match="to be a Distribution subclass"):
        t.register_kl(int, t.Normal)


def test_transforms_keep_what_they_computed() -> None:
    exp = t.ExpTransform(cache_size=1)
    x = torch.tensor([0.1, 0.2])
    y = exp(x)
    assert exp.inv(y) is x
    assert exp(x) is y
    assert exp.inv(y.clone()) is not x
    again = pickle.loads(pickle.dumps(t.ComposeTransform([t.AffineTransform(1.0, 2.0), exp])))
    assert again == t.ComposeTransform([t.AffineTransform(1.0, 2.0), t.ExpTransform()])
    assert again != t.ComposeTransform([t.AffineTransform(1.0, 3.0), t.ExpTransform()])
    assert hash(exp) == hash(t.ExpTransform())


def test_registries_take_constraints_of_programs() -> None:
    class Even(t.constraints.Constraint):
        """A constraint of a program."""

    with pytest.raises(NotImplementedError, match="Cannot transform Even constraints"):
        t.biject_to(Even())
    with pytest.raises(TypeError, match="Expected constraint to be either"):
        t.biject_to.register(3, lambda c: None)


def test_a_policy_learns() -> None:
    """The gradient of REINFORCE leads to the better action."""
    torch.manual_seed(0)
    logits = torch.zeros(3, requires_grad=True)
    rewards = torch.tensor([0.0, 1.0, 0.2])
    optimizer = torch.optim.Adam([logits], lr=0.1)
    for _ in range(60):
        policy = t.Categorical(logits=logits)
        actions = policy.sample((16,))
        loss = -(policy.log_prob(actions) * rewards[actions]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert int(t.Categorical(logits=logits).mode) == 1


def test_a_variational_fit_finds_the_target() -> None:
    torch.manual_seed(0)
    loc = torch.tensor(0.0, requires_grad=True)
    log_scale = torch.tensor(0.0, requires_grad=True)
    target = t.Normal(2.0, 0.5)
    optimizer = torch.optim.Adam([loc, log_scale], lr=0.1)
    for _ in range(150):
        q = t.Normal(loc, log_scale.exp())
        x = q.rsample((32,))
        loss = (q.log_prob(x) - target.log_prob(x)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loc.item() == pytest.approx(2.0, abs=0.1)
    assert log_scale.exp().item() == pytest.approx(0.5, abs=0.1)


def test_a_temperature_is_a_tensor() -> None:
    """As in PyTorch, samples take a number, and probabilities refuse it."""
    d = t.RelaxedOneHotCategorical(0.5, torch.ones(3))  # type: ignore[arg-type, unused-ignore]
    value = d.rsample()
    with pytest.raises(TypeError, match=r"full_like\(\): argument 'input' .* must be Tensor"):
        d.log_prob(value)
