"""Distributions: their moments, densities, samples for a seed, and the derivatives of these."""

from __future__ import annotations

from ._distributions import FAMILIES, made
from ._harness import each

_NAMES = list(FAMILIES)

#: Families whose formulas PyTorch has to a few digits only, as Bessel functions by polynomials, and
#: one whose samples PyTorch draws again where they are regular.
_ROUGH = ("VonMises",)
_AGAIN = ("Wishart",)

#: Derivatives of `digamma`, of which PyTorch has nine digits.
_TRIGAMMA = (
    "Beta", "Chi2", "Dirichlet", "Gamma", "InverseGamma", "Kumaraswamy", "StudentT", "Wishart"
)  # fmt: skip

#: Samples whose derivatives PyTorch computes to a few digits only.
_IMPLICIT = (
    "Beta",
    "Chi2",
    "Dirichlet",
    "FisherSnedecor",
    "Gamma",
    "InverseGamma",
    "StudentT",
    "Wishart",
)


def _values(log, label, call):
    """Write down a result by its numbers, since what it is made of is an own matter."""

    def found():
        x = call()
        return x.detach() if hasattr(x, "detach") else x

    log.attempt(label, found, words=False)


def _derivatives(torch, log, label, call, leaves):
    def found():
        y = call()
        weights = torch.arange(1.0, 1 + y.numel(), dtype=y.dtype).view(y.shape)
        grads = torch.autograd.grad((y * weights).sum(), leaves, allow_unused=True)
        return [None if g is None else g.detach() for g in grads]

    log.attempt(label, found, words=False)


@each("name", name=_NAMES)
def what_is_known(torch, log, name):
    d, _, _ = made(torch, name)
    log("shapes", (d.batch_shape, d.event_shape, bool(d.has_rsample)))
    log("countable", bool(d.has_enumerate_support))
    for what in ("mean", "mode", "variance", "stddev", "logits", "probs"):
        if hasattr(type(d), what) and not (name in _ROUGH and what in ("variance", "stddev")):
            _values(log, what, lambda: getattr(d, what))  # noqa: B023
    log.attempt("shown", lambda: repr(d), words=False)
    log("arguments", sorted(d.arg_constraints))


def _both(torch, log, name, label, call):
    """Write down what a distribution and values give, and its derivatives by the parameters."""
    d, _, values = made(torch, name)
    _values(log, label, lambda: call(d, values))
    d, parameters, values = made(torch, name)
    _derivatives(torch, log, f"derivatives of {label}", lambda: call(d, values), parameters)


@each("name", name=_NAMES)
def densities(torch, log, name):
    d, _, values = made(torch, name)
    log("support", bool(d.support.check(values).all()))
    if name in _ROUGH:
        return
    if name != "GeneralizedPareto":  # which PyTorch has in single precision only
        _both(torch, log, name, "log_prob", lambda d, values: d.log_prob(values))
        _both(torch, log, name, "cdf", lambda d, values: d.cdf(values))
    if name in _TRIGAMMA:
        _values(log, "entropy", d.entropy)
    else:
        _both(torch, log, name, "entropy", lambda d, values: d.entropy())
    _values(log, "perplexity", d.perplexity)
    if not d.event_shape:
        p = torch.tensor(0.3, dtype=torch.float64)
        _both(torch, log, name, "icdf", lambda d, values: d.icdf(p))


def densities_in_single_precision(torch, log):
    d, _, values = made(torch, "GeneralizedPareto", "float32")
    for what in ("log_prob", "cdf", "log_cdf", "log_survival_function"):
        _values(log, what, lambda: getattr(d, what)(values))  # noqa: B023


@each("name", name=[n for n in _NAMES if n not in _AGAIN], dtype=["float64", "float32"])
def samples(torch, log, name, dtype):
    d, parameters, _ = made(torch, name, dtype)
    for shape in ((), (2,), (2, 3)):
        torch.manual_seed(3)
        _values(log, f"sample {shape}", lambda: d.sample(shape))  # noqa: B023
        _values(log, f"next {shape}", lambda: torch.rand(()))
    if d.has_rsample:
        torch.manual_seed(3)
        y = d.rsample((2,))
        log("rsample", y.detach())
        log("requires a gradient", y.requires_grad)
        if name not in _IMPLICIT and dtype == "float64":
            d, parameters, _ = made(torch, name, dtype)
            torch.manual_seed(3)
            _derivatives(torch, log, "derivatives of rsample", lambda: d.rsample((2,)), parameters)
    if d.has_enumerate_support:
        _values(log, "support", d.enumerate_support)
        _values(log, "support of one", lambda: d.enumerate_support(expand=False))


@each("name", name=[n for n in _NAMES if n not in (*_ROUGH, *_AGAIN)])
def expanded(torch, log, name):
    d, _, values = made(torch, name)
    wide = d.expand((2, *d.batch_shape))
    log("shapes", (wide.batch_shape, wide.event_shape, type(wide) is type(d)))
    if name != "GeneralizedPareto":
        _values(log, "log_prob", lambda: wide.log_prob(values))
    torch.manual_seed(3)
    _values(log, "sample", lambda: wide.sample((2,)))
    _values(log, "mean", lambda: wide.mean)


_PAIRED = [
    "Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "ContinuousBernoulli", "Dirichlet",
    "Exponential", "Gamma", "Geometric", "Gumbel", "HalfNormal", "Laplace", "LogNormal",
    "LowRankMultivariateNormal", "MultivariateNormal", "Normal", "OneHotCategorical", "Pareto",
    "Poisson", "Uniform", "Weibull", "Wishart",
]  # fmt: skip


#: Pairs that PyTorch takes for infinite although one lies in the other, but for a bound.
_TOUCHING = {("ContinuousBernoulli", "Uniform"), ("Uniform", "ContinuousBernoulli")}


def _another(torch, name):
    """Return a distribution of other parameters."""
    given = FAMILIES[name][0]
    fixed = {k[1:]: x for k, x in given.items() if k[0] == "_"}
    for k, x in given.items():
        if k[0] != "_":
            x = torch.tensor(x, dtype=torch.float64)
            fixed[k] = x.flip(0) if made(torch, name)[0].batch_shape else 1.5 * x
    return getattr(torch.distributions, name)(**fixed)


@each(first=_PAIRED)
def divergences(torch, log, first):
    """Of all pairs of families; those of one are of other parameters."""
    for second in _PAIRED:
        if (first, second) in _TOUCHING:
            continue
        p, parameters, _ = made(torch, first)
        q = _another(torch, second) if first == second else made(torch, second)[0]
        _values(log, second, lambda: torch.distributions.kl_divergence(p, q))  # noqa: B023
    if first not in _TRIGAMMA:
        p, parameters, _ = made(torch, first)
        q = _another(torch, first)
        call = lambda: torch.distributions.kl_divergence(p, q)  # noqa: E731
        _derivatives(torch, log, "derivatives", call, parameters)


def composed(torch, log):
    t = torch.distributions
    loc = torch.tensor([[0.0, 1.0], [-1.0, 2.0]], dtype=torch.float64, requires_grad=True)
    scale = torch.tensor([1.0, 0.5], dtype=torch.float64)
    d = t.Independent(t.Normal(loc, scale), 1)
    log("independent", (d.batch_shape, d.event_shape))
    value = torch.tensor([0.2, 0.7], dtype=torch.float64)
    _values(log, "of rows", lambda: d.log_prob(value))
    _values(log, "their entropy", d.entropy)
    _values(
        log,
        "their divergence",
        lambda: t.kl_divergence(d, t.Independent(t.Normal(0.0 * loc, scale), 1)),
    )
    log.attempt("too many axes", lambda: t.Independent(t.Normal(loc, scale), 3), words=False)
    mixed = t.MixtureSameFamily(
        t.Categorical(torch.tensor([1.0, 3.0], dtype=torch.float64)), t.Normal(loc, scale)
    )
    log("mixture", (mixed.batch_shape, mixed.event_shape))
    for what in ("mean", "variance"):
        _values(log, f"{what} of a mixture", lambda: getattr(mixed, what))  # noqa: B023
    for what in ("log_prob", "cdf"):
        call = lambda: getattr(mixed, what)(value)  # noqa: B023, E731
        _values(log, f"{what} of a mixture", call)
        _derivatives(torch, log, f"derivatives of {what}", call, [loc])
    torch.manual_seed(3)
    _values(log, "sample of a mixture", lambda: mixed.sample((3,)))
    rows = t.MixtureSameFamily(t.Categorical(torch.ones(2, dtype=torch.float64)), d)
    _values(log, "mixture of rows", lambda: rows.log_prob(value))
    _values(log, "mean of a mixture of rows", lambda: rows.mean)
    torch.manual_seed(3)
    _values(log, "sample of a mixture of rows", lambda: rows.sample((3,)))
    base = t.Normal(loc, scale)
    moved = t.TransformedDistribution(base, [t.AffineTransform(1.0, -2.0), t.SigmoidTransform()])
    log("moved", (moved.batch_shape, moved.event_shape))
    inside = torch.tensor([0.2, 0.7], dtype=torch.float64)
    for what in ("log_prob", "cdf", "icdf"):
        call = lambda: getattr(moved, what)(inside)  # noqa: B023, E731
        _values(log, f"{what} of moved ones", call)
        _derivatives(torch, log, f"derivatives of {what} of moved ones", call, [loc])
    wide = moved.expand((3, 2, 2))
    log("expanded", (wide.batch_shape, wide.event_shape))
    torch.manual_seed(3)
    _values(log, "samples of moved ones", lambda: wide.sample((2,)))
    shares = t.TransformedDistribution(base, t.StickBreakingTransform())
    log("shares", (shares.batch_shape, shares.event_shape))
    torch.manual_seed(3)
    _values(log, "samples of shares", shares.sample)


def _transforms(torch):
    t = torch.distributions
    two = torch.tensor([0.5, -2.0], dtype=torch.float64)
    real = torch.tensor([[-1.5, 0.3], [0.7, 2.0]], dtype=torch.float64)
    return {
        "abs": (t.AbsTransform(), real),
        "affine": (t.AffineTransform(two, 2 * two), real),
        "affine of rows": (t.AffineTransform(1.0, -2.0, event_dim=1), real),
        "cat": (t.CatTransform([t.ExpTransform(), t.SigmoidTransform()], dim=-1), real),
        "compose": (
            t.ComposeTransform([t.AffineTransform(0.0, 2.0), t.StickBreakingTransform()]),
            real,
        ),
        "correlations": (
            t.CorrCholeskyTransform(),
            torch.tensor([0.2, -1.0, 0.5], dtype=torch.float64),
        ),
        "cdf": (t.CumulativeDistributionTransform(t.Normal(0 * two, 1.0)), real),
        "exp": (t.ExpTransform(), real),
        "independent": (t.IndependentTransform(t.ExpTransform(), 1), real),
        "triangle": (t.LowerCholeskyTransform(), real),
        "positive definite": (t.PositiveDefiniteTransform(), real.tril()),
        "power": (t.PowerTransform(two), real.abs()),
        "reshape": (t.ReshapeTransform((2, 2), (4,)), real),
        "sigmoid": (t.SigmoidTransform(), real),
        "softmax": (t.SoftmaxTransform(), real),
        "softplus": (t.SoftplusTransform(), real),
        "stack": (t.StackTransform([t.ExpTransform(), t.TanhTransform()], dim=-1), real),
        "shares": (t.StickBreakingTransform(), real),
        "tanh": (t.TanhTransform(), real),
    }


@each(what=[
    "abs", "affine", "affine of rows", "cat", "compose", "correlations", "cdf", "exp",
    "independent", "triangle", "positive definite", "power", "reshape", "sigmoid", "softmax",
    "softplus", "stack", "shares", "tanh",
])  # fmt: skip
def transforms(torch, log, what):
    transform, x = _transforms(torch)[what]
    x = x.clone().requires_grad_()
    y = transform(x)
    log("value", y.detach())
    _derivatives(torch, log, "derivatives", lambda: transform(x), [x])
    _values(log, "inverse", lambda: transform.inv(y))
    _values(log, "determinant", lambda: transform.log_abs_det_jacobian(x, y))
    _values(log, "of the inverse", lambda: transform.inv.log_abs_det_jacobian(y, x))
    log.attempt("bijective", lambda: bool(transform.bijective))
    log.attempt("axes", lambda: (transform.domain.event_dim, transform.codomain.event_dim))
    log.attempt(
        "shapes",
        lambda: (tuple(transform.forward_shape(x.shape)), tuple(transform.inverse_shape(y.shape))),
        words=False,
    )
    log("inverse of the inverse", transform.inv.inv is transform)
    if what not in ("cat", "correlations", "independent", "reshape", "stack"):
        log.attempt("equal", lambda: transform == _transforms(torch)[what][0])
    log("of another", transform == torch.distributions.transforms.identity_transform)
    log.attempt("kept", lambda: transform.with_cache(1).inv(y).shape, words=False)


_REGIONS = [
    "boolean", "corr_cholesky", "lower_cholesky", "lower_triangular", "nonnegative",
    "nonnegative_integer", "one_hot", "positive", "positive_definite", "positive_integer",
    "positive_semidefinite", "real", "real_vector", "simplex", "square", "symmetric",
    "unit_interval",
]  # fmt: skip


@each(name=_REGIONS)
def regions(torch, log, name):
    region = getattr(torch.distributions.constraints, name)
    log("kind", (region.is_discrete, region.event_dim))
    for values in (
        [[-1.0, 0.0], [1.0, 0.5]], [[1.0, 0.0], [0.0, 1.0]], [[0.25, 0.75], [0.5, 0.5]],
        [[float("nan"), 2.0], [3.0, 2.0]], [[2.0, 1.0], [1.0, 3.0]], [[1.0, 2.0], [2.0, 1.0]],
        [[1.0, 0.0], [0.6, 0.8]],
    ):  # fmt: skip
        log.attempt(f"{values}", lambda: region.check(torch.tensor(values)))  # noqa: B023


def regions_of_bounds(torch, log):
    c = torch.distributions.constraints
    x = torch.tensor([-1.0, 0.0, 0.5, 1.0, 2.0])
    for region in (
        c.greater_than(0.5), c.greater_than_eq(0.5), c.less_than(0.5), c.interval(0.0, 1.0),
        c.half_open_interval(0.0, 1.0), c.integer_interval(0, 1),
    ):  # fmt: skip
        log(f"{region}", region.check(x))
    log("text of multinomial", repr(c.multinomial(2)))
    log("multinomial", c.multinomial(2).check(torch.tensor([[1, 1], [2, 1], [-1, 2]])))
    log("independent", c.independent(c.positive, 1).check(torch.ones(2, 3)))
    log("cat", c.cat([c.positive, c.real], 0, [2, 3]).check(x))
    log("stack", c.stack([c.positive, c.real], 0).check(x[:2]))
    log.attempt("dependent", lambda: c.dependent.check(x))
    log("is dependent", (c.is_dependent(c.dependent), c.is_dependent(c.positive)))


@each(
    name=[
        "real",
        "positive",
        "nonnegative",
        "unit_interval",
        "simplex",
        "corr_cholesky",
        "real_vector",
        "lower_cholesky",
        "positive_definite",
        "boolean",
    ],
)
def registries(torch, log, name):
    t = torch.distributions
    region = getattr(t.constraints, name)
    x = torch.tensor([[0.3, -1.0, 2.0], [0.1, 0.2, 0.3], [-1.0, 0.5, 0.0]], dtype=torch.float64)
    for which in ("biject_to", "transform_to"):
        _values(log, which, lambda: getattr(t, which)(region)(x))  # noqa: B023
    log.attempt("bounds", lambda: t.transform_to(t.constraints.interval(1.0, 3.0))(x))
    log.attempt("below", lambda: t.biject_to(t.constraints.less_than(2.0))(x))
    log.attempt("above", lambda: t.biject_to(t.constraints.greater_than(2.0))(x))


def bad_input(torch, log):
    t = torch.distributions
    one = torch.tensor(1.0)
    for label, call in {
        "a scale below zero": lambda: t.Normal(0.0, -1.0),
        "a nan": lambda: t.Normal(float("nan"), 1.0),
        "a word": lambda: t.Normal("a", 1.0),
        "both": lambda: t.Bernoulli(0.5, 0.5),
        "none": lambda: t.Bernoulli(),
        "none of categories": lambda: t.Categorical(),
        "no axis": lambda: t.Categorical(one),
        "no axis of shares": lambda: t.Dirichlet(one),
        "a probability above one": lambda: t.Bernoulli(1.5),
        "a probability of zero": lambda: t.Geometric(0.0),
        "negative weights": lambda: t.Categorical(torch.tensor([-1.0, 3.0])),
        "bounds in reverse": lambda: t.Uniform(1.0, 0.0),
        "counts that differ": lambda: t.Multinomial(torch.tensor([2, 3]), torch.ones(2)),
        "shapes that do not fit": lambda: t.Normal(torch.zeros(2), torch.ones(3)),
        "a matrix of no square": lambda: t.MultivariateNormal(torch.zeros(2), torch.ones(2, 3)),
        "a matrix not positive": lambda: t.MultivariateNormal(torch.zeros(2), -torch.eye(2)),
        "two matrices": lambda: t.MultivariateNormal(torch.zeros(2), torch.eye(2), torch.eye(2)),
        "no matrix": lambda: t.MultivariateNormal(torch.zeros(2)),
        "no vector": lambda: t.MultivariateNormal(one, torch.eye(2)),
        "too few degrees": lambda: t.Wishart(0.5, torch.eye(2)),
        "one row": lambda: t.LKJCholesky(1),
        "a number": lambda: t.Normal(0.0, 1.0).log_prob(1.0),
        "a nan as value": lambda: t.Normal(0.0, 1.0).log_prob(torch.tensor(float("nan"))),
        "outside": lambda: t.Exponential(1.0).log_prob(torch.tensor(-1.0)),
        "half": lambda: t.Bernoulli(0.5).log_prob(torch.tensor(0.5)),
        "a category too many": lambda: t.Categorical(torch.ones(2)).log_prob(torch.tensor(2)),
        "another shape": lambda: t.Normal(torch.zeros(2), 1.0).log_prob(torch.zeros(3)),
        "another event": lambda: t.Dirichlet(torch.ones(2)).log_prob(torch.ones(3) / 3),
        "unchecked": lambda: (
            t.Exponential(1.0, validate_args=False).log_prob(torch.tensor(-1.0)).detach()
        ),
        "no samples with derivatives": lambda: t.Bernoulli(0.5).rsample(),
        "no values": lambda: t.Normal(0.0, 1.0).enumerate_support(),
        "no divergence": lambda: t.kl_divergence(t.Normal(0.0, 1.0), t.Bernoulli(0.5)),
        "no transform": lambda: t.TransformedDistribution(t.Normal(0.0, 1.0), one),
        "a list of others": lambda: t.TransformedDistribution(t.Normal(0.0, 1.0), [one]),
        "too few axes": lambda: t.TransformedDistribution(
            t.Normal(0.0, 1.0), t.StickBreakingTransform()
        ),
        "no mixture": lambda: t.MixtureSameFamily(
            t.Normal(0.0, 1.0), t.Normal(torch.zeros(2), 1.0)
        ),
        "other components": lambda: t.MixtureSameFamily(
            t.Categorical(torch.ones(3)), t.Normal(torch.zeros(2), 1.0)
        ),
        "a cache of two": lambda: t.ExpTransform(cache_size=2),
    }.items():
        log.attempt(label, call, words=False)
