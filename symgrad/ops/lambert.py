"""Lambert's W function, computed by SciPy: DLMF 4.13."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.ops.samples import POSITIVE
from symgrad.ops.special import Special, scipy_kernels


def _beside_branch(z, made, *, sign, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's. Beside -1/e, of which two parts are subtracted, it is the series of DLMF 4.13.6
    # in the square root of 2*(1 + e*z), from the power that counts least.
    z = np.asarray(z, np.float64)
    near = np.abs(z + 0.36787944117144233) < 0.03
    above = np.where(near, (z + 0.36787944117144233) + -1.2428753672788363e-17, 0)
    p = sign * np.sqrt(2 * np.e * np.maximum(above, 0))
    total = 0.0
    if np.any(near):
        for c in (
            8.163531982496613e-06, -1.2040352739559977e-05, 1.7790345805079586e-05,
            -2.63380647472311e-05, 3.907668486743905e-05, -5.811360750441382e-05,
            8.665035805208128e-05, -0.00012957426685274883, 0.00019438727605453933,
            -0.00029267722472962746, 0.0004424730618146209, -0.0006720616311561362,
            0.0010262633205076071, -0.0015769303446867841, 0.0024408779911439826,
            -0.0038112980348919993, 0.006014543252956118, -0.009616892024299432,
            0.01563563253233392, -0.02598471487360376, 0.044502314814814814, -0.07962962962962963,
            0.1527777777777778, -0.3333333333333333, 1.0, -1.0,
        ):  # fmt: skip
            total = total * p + c
    return np.asarray(np.where(near & (above >= 0), total, made), to)


_BESIDE_BRANCH = Kernel.from_function(_beside_branch, rows=local)


class _Lambert(Special, abstract=True):
    """A real branch of the function W with `W*exp(W) = z`; nan where it is not real."""

    def __init_subclass__(cls, abstract: bool = False, branch: int = 0, **kwargs: Any) -> None:
        inside = "({0} >= -0.36787944117144233)" + (" & ({0} <= 0)" if branch else "")
        upper, sign = (0, -1) if branch else (np.inf, 1)

        def call(special: Any, z: Any, to: Any) -> Any:
            made = special.lambertw(z, branch).real
            made = np.where((z >= -0.36787944117144233) & (z <= upper), made, np.nan)
            return _BESIDE_BRANCH.call(z, made, sign=sign, to=to)

        cls.kernel, _ = scipy_kernels(
            cls.__name__,
            call,
            f"_beside_branch({{0}}, np.where({inside}, scipy.special.lambertw({{0}}, {branch}).real, "
            f"np.nan), sign={sign}, to={{to}})",
            prelude=_BESIDE_BRANCH.prelude,
        )
        cls.kernels, cls.kernel_takes_dtype = {}, True
        text = "lambertw({0}, -1)" if branch else "lambertw({0})"
        cls.printed = Notation(text, rf"W_{{{{{branch}}}}}\left({{0}}\right)")
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
