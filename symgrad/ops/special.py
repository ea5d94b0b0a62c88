"""Special functions, computed by SciPy: the extra `symgrad[special]`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, float16
from symgrad.expr.node import ArrayExpr
from symgrad.primitive import Elementwise, Notation, bind
from symgrad.public import described

__all__ = [
    "erf",
    "erfc",
    "erfcx",
    "erfinv",
    "gelu",
    "gelu_function",
    "log_erfc",
    "log_erfc_slope",
    "scipy_special",
]

_ANY = np.array([0.3, -1.2, 2.0])


def scipy_special(name: str) -> Any:
    """Return `scipy.special` for `name`; ImportError names the extra that brings it."""
    try:
        return importlib.import_module("scipy.special")
    except ImportError:
        raise ImportError(
            f"{name} is computed by SciPy, which is not installed: pip install 'symgrad[special]'"
        ) from None


def _call(function: str, name: str) -> Callable[..., Any]:
    def call(x: Any) -> Any:
        return getattr(scipy_special(name), function)(x)

    return call


def _call_half(function: str, name: str) -> Callable[..., Any]:
    def call(x: Any) -> Any:
        return getattr(scipy_special(name), function)(x).astype(np.float16)

    return call


class Special(Elementwise, abstract=True):
    """A function of one argument that SciPy computes."""

    result = "float"
    refuses = (Category.COMPLEX,)
    half: Kernel

    def __init_subclass__(cls, abstract: bool = False, scipy: str = "", **kwargs: Any) -> None:
        if scipy:
            shared: Mapping[str, Any] = {"imports": ("import scipy.special",), "rows": local}
            name, text = cls.__name__, f"scipy.special.{scipy}({{0}})"
            cls.kernel = Kernel(name, _call(scipy, name), text, **shared)
            # SciPy computes half precision in single.
            cls.half = Kernel(name, _call_half(scipy, name), f"{text}.astype(np.float16)", **shared)
        super().__init_subclass__(abstract=abstract, **kwargs)

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        return (self.half if self.dtype is float16 else self.kernel), {}, self.operands

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY,), (np.array(0.7),), (_ANY.reshape(3, 1),)]


_ROOT_PI = sympy.sqrt(sympy.pi)


class erf(Special, scipy="erf"):
    """Return the error function of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.erf(torch.tensor([0.0, 1.0, float("inf")]))
    tensor([0.0000, 0.8427, 1.0000])
    """

    kernel_name = "erf_vml_cpu"
    scalar = sympy.erf

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: (-(x**2)).exp() * (2 / _ROOT_PI),)


class erfc(Special, scipy="erfc"):
    """Return `1 - erf` of each element of `input`, accurate where that is small.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.erfc(torch.tensor([0.0, 5.0]))
    tensor([1.0000e+00, 1.5375e-12])
    >>> 1 - torch.erf(torch.tensor([0.0, 5.0]))
    tensor([1., 0.])
    """

    kernel_name = "erfc_vml_cpu"
    scalar = sympy.erfc
    keeps = (0,)  # log(erfc(x)) is differentiated without its underflow

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: (-(x**2)).exp() * (-2 / _ROOT_PI),)


class erfinv(Special, scipy="erfinv"):
    """Return the inverse of the error function of each element of `input`; nan outside [-1, 1].

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.erfinv(torch.tensor([0.0, 0.5, 1.0, 2.0]))
    tensor([0.0000, 0.4769,    inf,    nan])
    """

    kernel_name = "erfinv_vml_cpu"
    scalar = sympy.erfinv
    saves_result = False

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: (self**2).exp() * (_ROOT_PI / 2),)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -0.9, 0.0]),), (np.array(0.7),)]


class erfcx(Special, scipy="erfcx"):
    """`exp(x**2) * erfc(x)`, which does not underflow."""

    internal = True
    scalar = lambda x: sympy.exp(x**2) * sympy.erfc(x)  # noqa: E731

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 2 * x * self - 2 / _ROOT_PI,)


def _log_erfc(x: Any) -> Any:
    special = scipy_special("log(erfc(x))")
    return special.log_ndtr(-x * np.sqrt(2)) + np.log(2)


class log_erfc(Special):
    """`log(erfc(x))` without underflow."""

    internal = True
    scalar = lambda x: sympy.log(sympy.erfc(x))  # noqa: E731
    kernel = Kernel(
        "log_erfc",
        _log_erfc,
        "scipy.special.log_ndtr(-{0} * np.sqrt(2)) + np.log(2)",
        imports=("import scipy.special",),
        rows=local,
    )
    half = kernel

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: log_erfc_slope.of(x),)


def _log_erfc_slope(x: Any) -> Any:
    return -2 / (np.sqrt(np.pi) * scipy_special("the derivative of log(erfc(x))").erfcx(x))


class log_erfc_slope(Special):
    """The derivative of `log(erfc(x))`, whose own derivative needs no `erfcx`, which overflows."""

    internal = True
    scalar = lambda x: -2 / (sympy.sqrt(sympy.pi) * sympy.exp(x**2) * sympy.erfc(x))  # noqa: E731
    kernel = Kernel(
        "log_erfc_slope",
        _log_erfc_slope,
        "-2 / (np.sqrt(np.pi) * scipy.special.erfcx({0}))",
        imports=("import scipy.special",),
        rows=local,
    )
    half = kernel

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -(self * (2 * x + self)),)


def _gelu(x: Any) -> Any:
    return x * scipy_special("gelu").ndtr(x)


class gelu(Special):
    """`x` times the standard normal distribution function."""

    internal = True
    kernel_name = "GeluKernelImpl"
    scalar = lambda x: x * (1 + sympy.erf(x / sympy.sqrt(2))) / 2  # noqa: E731
    kernel = Kernel(
        "gelu",
        _gelu,
        "{0} * scipy.special.ndtr({0})",
        imports=("import scipy.special",),
        rows=local,
    )
    half = kernel

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        def slope() -> ArrayExpr:
            root = sympy.sqrt(2)
            below: ArrayExpr = erfc.of(-x / root) / 2
            above: ArrayExpr = x * (-(x**2) / 2).exp() * (1 / (root * _ROOT_PI))
            return below + above

        return (slope,)

    def notation(self) -> Notation:
        return Notation("gelu({0})", r"\operatorname{{gelu}}\left({0}\right)")


@described
def gelu_function(input: Any) -> Any:
    """Return `input` times the standard normal distribution function of it.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-1.0, 0.0, 2.0])
    >>> torch.nn.functional.gelu(x)
    tensor([-0.1587,  0.0000,  1.9545])
    """
    return bind(gelu, (input,))
