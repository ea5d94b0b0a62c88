"""Distributions for scenarios: how each is made of numbers, and where it is asked for values."""

from __future__ import annotations

from typing import Any

_CORRELATED = [[2.0, 0.5, 0.1], [0.5, 1.5, -0.3], [0.1, -0.3, 1.0]]
_FACTOR = [[1.2, 0.0, 0.0], [0.3, 0.9, 0.0], [-0.2, 0.4, 1.1]]

#: The class, its arguments by name, and values of the support. Lists become tensors that require a
#: gradient; what begins with `_` is an argument of the call, and no tensor.
FAMILIES: dict[str, tuple[dict[str, Any], Any]] = {
    "Bernoulli": ({"probs": [0.2, 0.5, 0.9]}, [0.0, 1.0, 1.0]),
    "Beta": (
        {"concentration1": [0.5, 2.0, 7.0], "concentration0": [0.4, 3.0, 1.5]},
        [0.1, 0.5, 0.8],
    ),
    "Binomial": ({"_total_count": 5, "probs": [0.2, 0.5, 0.9]}, [0.0, 3.0, 5.0]),
    "Categorical": ({"probs": [[1.0, 2.0, 3.0], [0.2, 0.5, 0.3]]}, [0, 2]),
    "Cauchy": ({"loc": [0.0, 1.0, -2.0], "scale": [1.0, 0.5, 3.0]}, [0.3, 4.0, -2.0]),
    "Chi2": ({"df": [1.5, 3.0, 8.0]}, [0.3, 2.0, 9.0]),
    "ContinuousBernoulli": ({"probs": [0.2, 0.5, 0.9]}, [0.1, 0.5, 0.7]),
    "Dirichlet": (
        {"concentration": [[0.5, 2.0, 3.0], [4.0, 1.5, 0.7]]},
        [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]],
    ),
    "Exponential": ({"rate": [0.5, 1.0, 4.0]}, [0.0, 1.0, 2.0]),
    "FisherSnedecor": ({"df1": [2.0, 5.0, 8.0], "df2": [3.0, 6.0, 9.0]}, [0.4, 1.0, 3.0]),
    "Gamma": ({"concentration": [0.5, 2.0, 9.0], "rate": [1.0, 3.0, 0.5]}, [0.2, 1.0, 20.0]),
    "GeneralizedPareto": (
        {"loc": [0.0, 1.0, -1.0], "scale": [1.0, 2.0, 0.5], "concentration": [0.2, 0.0, -0.4]},
        [0.5, 3.0, -0.5],
    ),
    "Geometric": ({"probs": [0.2, 0.5, 0.9]}, [0.0, 3.0, 1.0]),
    "Gumbel": ({"loc": [0.0, 1.0, -2.0], "scale": [1.0, 0.5, 3.0]}, [0.3, 4.0, -2.0]),
    "HalfCauchy": ({"scale": [1.0, 0.5, 3.0]}, [0.3, 4.0, 2.0]),
    "HalfNormal": ({"scale": [1.0, 0.5, 3.0]}, [0.3, 1.0, 2.0]),
    "InverseGamma": ({"concentration": [0.5, 2.5, 9.0], "rate": [1.0, 3.0, 0.5]}, [0.2, 1.0, 0.1]),
    "Kumaraswamy": (
        {"concentration1": [0.5, 2.0, 7.0], "concentration0": [0.4, 3.0, 1.5]},
        [0.1, 0.5, 0.8],
    ),
    "LKJCholesky": (
        {"_dim": 3, "concentration": [0.5, 2.0]},
        [[[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.6, 0.8]]],
    ),
    "Laplace": ({"loc": [0.0, 1.0, -2.0], "scale": [1.0, 0.5, 3.0]}, [0.3, 2.0, -4.0]),
    "LogNormal": ({"loc": [0.0, 1.0, -2.0], "scale": [1.0, 0.5, 2.0]}, [0.3, 4.0, 2.0]),
    "LogisticNormal": ({"loc": [0.0, 1.0], "scale": [1.0, 0.5]}, [0.2, 0.3, 0.5]),
    "LowRankMultivariateNormal": (
        {
            "loc": [0.0, 1.0, -2.0],
            "cov_factor": [[1.0], [0.5], [-0.3]],
            "cov_diag": [1.0, 0.5, 2.0],
        },
        [[0.3, 2.0, -4.0], [0.0, 1.0, -2.0]],
    ),
    "Multinomial": (
        {"_total_count": 4, "probs": [0.2, 0.5, 0.3]},
        [[1.0, 2.0, 1.0], [0.0, 4.0, 0.0]],
    ),
    "MultivariateNormal": (
        {"loc": [0.0, 1.0, -2.0], "covariance_matrix": _CORRELATED},
        [0.3, 2.0, -4.0],
    ),
    "MultivariateNormal of a factor": (
        {"loc": [[0.0, 1.0, -2.0], [0.5, 0.5, 0.5]], "scale_tril": _FACTOR},
        [0.3, 2.0, -4.0],
    ),
    "MultivariateNormal of an inverse": (
        {"loc": [0.0, 1.0, -2.0], "precision_matrix": _CORRELATED},
        [0.3, 2.0, -4.0],
    ),
    "NegativeBinomial": (
        {"total_count": [1.0, 4.5, 3.0], "probs": [0.2, 0.5, 0.9]},
        [0.0, 3.0, 7.0],
    ),
    "Normal": ({"loc": [0.0, 1.0, -2.0], "scale": [1.0, 0.5, 3.0]}, [0.3, 2.0, -4.0]),
    "OneHotCategorical": (
        {"probs": [[1.0, 2.0, 3.0], [0.2, 0.5, 0.3]]},
        [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
    ),
    "OneHotCategoricalStraightThrough": (
        {"probs": [[1.0, 2.0, 3.0], [0.2, 0.5, 0.3]]},
        [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
    ),
    "Pareto": ({"scale": [0.5, 1.0, 2.0], "alpha": [0.7, 1.5, 4.0]}, [0.8, 3.0, 2.5]),
    "Poisson": ({"rate": [0.5, 2.0, 15.0]}, [0.0, 3.0, 12.0]),
    "RelaxedBernoulli": ({"_temperature": 0.7, "probs": [0.2, 0.5, 0.9]}, [0.1, 0.5, 0.8]),
    "RelaxedOneHotCategorical": (
        {"_temperature": 0.7, "probs": [[1.0, 2.0, 3.0], [0.2, 0.5, 0.3]]},
        [[0.2, 0.3, 0.5], [0.1, 0.8, 0.1]],
    ),
    "StudentT": (
        {"df": [0.8, 1.5, 5.0], "loc": [0.0, 1.0, -2.0], "scale": [1.0, 0.5, 3.0]},
        [0.3, 2.0, -4.0],
    ),
    "Uniform": ({"low": [0.0, -1.0, 2.0], "high": [1.0, 3.0, 2.5]}, [0.5, 0.0, 2.25]),
    "VonMises": ({"loc": [0.0, 1.0, -2.0], "concentration": [0.5, 3.0, 20.0]}, [0.3, 2.0, -2.5]),
    "Weibull": ({"scale": [0.5, 1.0, 2.0], "concentration": [0.7, 1.0, 4.0]}, [0.3, 1.0, 2.5]),
    "Wishart": ({"df": 4.5, "covariance_matrix": _CORRELATED}, _CORRELATED),
}


def made(torch: Any, name: str, dtype: str = "float64") -> tuple[Any, list[Any], Any]:
    """Return a distribution, its parameters and values of its support."""
    given, values = FAMILIES[name]
    kind = getattr(torch, dtype)
    arguments, parameters = {}, []
    for key, x in given.items():
        if key in ("_total_count", "_dim"):
            arguments[key[1:]] = x
            continue
        arguments[key.lstrip("_")] = torch.tensor(x, dtype=kind, requires_grad=key[0] != "_")
        parameters += [arguments[key]] if key[0] != "_" else []
    family = getattr(torch.distributions, name.partition(" ")[0])
    return family(**arguments), parameters, torch.tensor(values, dtype=kind)
