"""PyTorch's `distributions`: probabilities, samples and divergences, differentiable by parameters.

Families are grouped by what they are of: `location_scale`, `positive`, `unit`, `counts`,
`categories`, `vectors`, `matrices`, `circle`; `transformed` and `relaxed` are functions of these.
"""

from re import sub as _sub
from sys import modules as _modules

from symgrad.distributions import constraints, kl, transforms, utils
from symgrad.distributions.categories import (
    Categorical,
    Multinomial,
    OneHotCategorical,
    OneHotCategoricalStraightThrough,
)
from symgrad.distributions.circle import VonMises
from symgrad.distributions.composed import (
    Independent,
    MixtureSameFamily,
    TransformedDistribution,
)
from symgrad.distributions.constraint_registry import biject_to, transform_to
from symgrad.distributions.counts import (
    Bernoulli,
    Binomial,
    Geometric,
    NegativeBinomial,
    Poisson,
)
from symgrad.distributions.distribution import Distribution
from symgrad.distributions.exp_family import ExponentialFamily
from symgrad.distributions.kl import kl_divergence, register_kl
from symgrad.distributions.location_scale import Cauchy, Laplace, Normal
from symgrad.distributions.matrices import LKJCholesky, Wishart
from symgrad.distributions.positive import (
    Chi2,
    Exponential,
    FisherSnedecor,
    Gamma,
    GeneralizedPareto,
    StudentT,
)
from symgrad.distributions.relaxed import RelaxedBernoulli, RelaxedOneHotCategorical
from symgrad.distributions.transformed import (
    Gumbel,
    HalfCauchy,
    HalfNormal,
    InverseGamma,
    Kumaraswamy,
    LogisticNormal,
    LogNormal,
    Pareto,
    Weibull,
)
from symgrad.distributions.transforms import *  # noqa: F403
from symgrad.distributions.transforms import __all__ as _transforms
from symgrad.distributions.unit import Beta, ContinuousBernoulli, Dirichlet, Uniform
from symgrad.distributions.vectors import LowRankMultivariateNormal, MultivariateNormal
from symgrad.support.homes import at_home

__all__ = [
    "Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "Chi2", "ContinuousBernoulli",
    "Dirichlet", "Distribution", "Exponential", "ExponentialFamily", "FisherSnedecor", "Gamma",
    "GeneralizedPareto", "Geometric", "Gumbel", "HalfCauchy", "HalfNormal", "Independent",
    "InverseGamma", "Kumaraswamy", "LKJCholesky", "Laplace", "LogNormal", "LogisticNormal",
    "LowRankMultivariateNormal", "MixtureSameFamily", "Multinomial", "MultivariateNormal",
    "NegativeBinomial", "Normal", "OneHotCategorical", "OneHotCategoricalStraightThrough",
    "Pareto", "Poisson", "RelaxedBernoulli", "RelaxedOneHotCategorical", "StudentT",
    "TransformedDistribution", "Uniform", "VonMises", "Weibull", "Wishart",
]  # fmt: skip

#: PyTorch's modules that are not called as their class is.
_OTHERWISE = {
    "ExponentialFamily": "exp_family",
    "FisherSnedecor": "fishersnedecor",
    "LKJCholesky": "lkj_cholesky",
    "LowRankMultivariateNormal": "lowrank_multivariate_normal",
    "RelaxedOneHotCategorical": "relaxed_categorical",
    "StudentT": "studentT",
}

# Programs import a class from the module that PyTorch has for it, as from `distributions.normal`.
for _name in __all__:
    _file = _OTHERWISE.get(_name) or _sub("(?<=[a-z])(?=[A-Z])", "_", _name).lower()
    globals()[_file] = _modules[f"{__name__}.{_file}"] = _modules[globals()[_name].__module__]

at_home(__name__, **{name: globals()[name] for name in __all__})

__all__ += _transforms
__all__ += [
    "biject_to", "constraints", "kl", "kl_divergence", "register_kl", "transform_to", "transforms",
    "utils",
]  # fmt: skip
