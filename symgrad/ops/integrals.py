"""Exponential, sine and cosine integrals, computed by SciPy: DLMF, chapter 6."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.ops.samples import POSITIVE
from symgrad.ops.special import Special, scipy_kernels, with_index
from symgrad.ops.trigonometric import unscaled_sinc

_ON_POSITIVES = [(POSITIVE,), (np.array(0.7),)]


class expi(Special, scipy="expi"):
    """Return the exponential integral Ei, the integral of `exp(t) / t` up to each `x`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-1.0, 1.0], requires_grad=True)
    >>> y = torch.special.expi(x)
    >>> y
    tensor([-0.2194,  1.8951], grad_fn=<ExpiBackward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([-0.3679,  2.7183])
    """

    ulps = 8
    space = "special"
    operand_names = ("x",)
    scalar = sympy.Ei
    printed = Notation("expi({0})", r"\operatorname{{Ei}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: x.exp() / x,)


class exp1(Special, scipy="exp1"):
    """Return the exponential integral E1, that of `exp(-t) / t` from each `x` on; nan below 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.exp1(torch.tensor([0.0, 1.0]))
    tensor([   inf, 0.2194])
    """

    ulps = 8
    space = "special"
    operand_names = ("x",)
    of_order = (sympy.expint, 1)
    scalar = lambda x: sympy.expint(1, x)  # noqa: E731
    printed = with_index("exp1", "E", "1", "{0}", of="{0}")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -(-x).exp() / x,)

    samples = _ON_POSITIVES


class sine_integral(Special):
    """The sine integral, of `sin(t) / t` from 0."""

    ulps = 8
    internal = True
    scalar = of_sympy = sympy.Si
    printed = Notation("sici({0})[0]", r"\operatorname{{Si}}\left({0}\right)")
    kernel, kernels = scipy_kernels(
        "sici", lambda special, x: special.sici(x)[0], "scipy.special.sici({0})[0]"
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: unscaled_sinc.of(x),)


class cosine_integral(Special):
    """The cosine integral, minus that of `cos(t) / t` from `x` on; left of 0 its real part."""

    ulps = 16
    internal = True
    of_sympy = sympy.Ci
    scalar = lambda x: sympy.Ci(sympy.Abs(x))  # noqa: E731
    printed = Notation("sici({0})[1]", r"\operatorname{{Ci}}\left({0}\right)")
    kernel, kernels = scipy_kernels(
        "sici", lambda special, x: special.sici(x)[1], "scipy.special.sici({0})[1]"
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: x.cos() / x,)

    samples = _ON_POSITIVES
