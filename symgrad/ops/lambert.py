"""Lambert's W function, computed by SciPy: DLMF 4.13."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.ops.samples import POSITIVE
from symgrad.ops.special import Special, scipy_kernels


class _Lambert(Special, abstract=True):
    """A real branch of the function W with `W*exp(W) = z`; nan where it is not real."""

    def __init_subclass__(cls, abstract: bool = False, branch: int = 0, **kwargs: Any) -> None:
        inside = "({0} >= -0.36787944117144233)" + (" & ({0} <= 0)" if branch else "")
        upper = 0 if branch else np.inf
        cls.kernel, _ = scipy_kernels(
            cls.__name__,
            lambda special, z, to: np.asarray(
                np.where(
                    (z >= -0.36787944117144233) & (z <= upper),
                    special.lambertw(z, branch).real,
                    np.nan,
                ),
                to,
            ),
            f"np.asarray(np.where({inside}, scipy.special.lambertw({{0}}, {branch}).real, np.nan), "
            "{to})",
        )
        cls.kernels, cls.kernel_takes_dtype = {}, True
        cls.printed = Notation(f"{cls.__name__}({{0}})", rf"W_{{{{{branch}}}}}\left({{0}}\right)")
        super().__init_subclass__(abstract=abstract, **kwargs)

    def partials(self, z: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / (z + self.exp()),)


class lambertw(_Lambert):
    """The branch that is -1 or more."""

    ulps = (4, 8, 8, 8, 16)
    space = "special"
    operand_names = ("z",)
    scalar = of_sympy = sympy.LambertW
    samples = [(POSITIVE,), (np.array(-0.3),)]


class lower_lambert(_Lambert, branch=-1):
    """The branch that is -1 or less, between -1/e and 0."""

    ulps = 32
    why_ulps = "terms of the higher derivatives cancel between -1/e and 0"
    internal = True
    scalar = lambda z: sympy.LambertW(z, -1)  # noqa: E731
    samples = [(np.array([-0.1, -0.3, -0.02]),), (np.array(-0.2),)]
