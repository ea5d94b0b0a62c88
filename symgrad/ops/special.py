"""Special functions, computed by SciPy: the extra `symgrad[special]`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, float16
from symgrad.expr.node import ArrayExpr
from symgrad.ops.exponential import logistic
from symgrad.ops.samples import ANY
from symgrad.primitive import Elementwise, Notation, bind
from symgrad.public import described

__all__ = [
    "erf",
    "erfc",
    "erfcx",
    "erfinv",
    "gelu",
    "gelu_function",
    "gelu_tanh",
    "log_erfc",
    "log_erfc_slope",
    "scipy_kernels",
    "scipy_special",
]


def scipy_special(name: str) -> Any:
    """Return `scipy.special` for `name`; ImportError names the extra that brings it."""
    try:
        return importlib.import_module("scipy.special")
    except ImportError:
        raise ImportError(
            f"{name} is computed by SciPy, which is not installed: pip install 'symgrad[special]'"
        ) from None


def scipy_kernels(
    name: str, call: Callable[..., Any], source: str, **options: Any
) -> tuple[Kernel, Kernel]:
    """Return the kernel of a function that SciPy computes, and that for half precision.

    Parameters
    ----------
    name : str
        The function, for the error that names the extra.
    call : callable
        Computes it, given `scipy.special`, the operands and parameters by keyword.
    source : str
        The same as source text.
    **options
        Further arguments of `Kernel`.
    """
    options = {"imports": ("import scipy.special",), "rows": local, **options}

    def run(*operands: Any, **params: Any) -> Any:
        return call(scipy_special(name), *operands, **params)

    # SciPy computes half precision in single.
    def run_half(*operands: Any, **params: Any) -> Any:
        return np.asarray(run(*operands, **params), np.float16)

    return (
        Kernel(name, run, source, **options),
        Kernel(name, run_half, f"np.asarray({source}, np.float16)", **options),
    )


class Special(Elementwise, abstract=True):
    """A function that SciPy computes, by default one of one argument."""

    result = "float"
    refuses: ClassVar[tuple[int, ...]] = (Category.COMPLEX,)
    half_kernel: Kernel

    def __init_subclass__(cls, abstract: bool = False, scipy: str = "", **kwargs: Any) -> None:
        if scipy:
            operands = ", ".join([f"{{{i}}}" for i in range(cls.arity)])
            cls.kernel, cls.half_kernel = scipy_kernels(
                cls.__name__,
                lambda special, *given: getattr(special, scipy)(*given),
                f"scipy.special.{scipy}({operands})",
            )
        super().__init_subclass__(abstract=abstract, **kwargs)

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        return (self.half_kernel if self.dtype is float16 else self.kernel), {}, self.operands

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(ANY,), (np.array(0.7),), (ANY.reshape(3, 1),)]


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
    half_kernel = kernel

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
    half_kernel = kernel

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
    half_kernel = kernel

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        def slope() -> ArrayExpr:
            root = sympy.sqrt(2)
            below: ArrayExpr = erfc.of(-x / root) / 2
            above: ArrayExpr = x * (-(x**2) / 2).exp() * (1 / (root * _ROOT_PI))
            return below + above

        return (slope,)

    def notation(self) -> Notation:
        return Notation("gelu({0})", r"\operatorname{{gelu}}\left({0}\right)")


def _gelu_tanh(x):  # type: ignore[no-untyped-def]
    inner = 0.7978845608028654 * (x + 0.044715 * (x * x * x))
    return 0.5 * x * (1 + np.tanh(inner))


_CUBIC = sympy.Rational(44715, 1000000)


def _inner(x: Any) -> Any:
    return sympy.sqrt(2 / sympy.pi) * (x + _CUBIC * x**3)


class gelu_tanh(Elementwise):
    """`gelu` with a hyperbolic tangent in the place of the error function."""

    internal = True
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)
    kernel_name = "GeluKernelImpl"
    torch_name = "Gelu"
    scalar = lambda x: x * (1 + sympy.tanh(_inner(x))) / 2  # noqa: E731
    kernel = Kernel.from_function(_gelu_tanh, rows=local)

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        return (_GELU_TANH_HALF if self.dtype is float16 else self.kernel), {}, self.operands

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        def slope() -> ArrayExpr:
            # (1 + tanh(u)) / 2 is the logistic function of 2u, which keeps the tail.
            root = sympy.sqrt(2 / sympy.pi)
            twice = 2 * root * (x + _CUBIC * x**3)
            below: ArrayExpr = logistic.of(twice)
            rise: ArrayExpr = logistic.of(-twice) * (2 * root * (1 + 3 * _CUBIC * x**2))
            return below + x * below * rise

        return (slope,)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(ANY,), (np.array(0.7),), (ANY.reshape(3, 1),)]


_GELU_TANH_HALF = Kernel(
    "gelu_tanh",
    lambda x: gelu_tanh.kernel.call(x.astype(np.float32)).astype(np.float16),
    "_gelu_tanh({0}.astype(np.float32)).astype(np.float16)",
    prelude=gelu_tanh.kernel.prelude,
    rows=local,
)


@described
def gelu_function(input: Any, *, approximate: Any = "none") -> Any:
    """Return `input` times the standard normal distribution function of it.

    Parameters
    ----------
    approximate : "none" or "tanh"
        Whether that function is approximated by a hyperbolic tangent.

    Raises
    ------
    RuntimeError
        For another approximation.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-1.0, 0.0, 2.0])
    >>> torch.nn.functional.gelu(x)
    tensor([-0.1587,  0.0000,  1.9545])
    >>> torch.nn.functional.gelu(x, approximate="tanh")
    tensor([-0.1588,  0.0000,  1.9546])
    """
    if not isinstance(approximate, str):
        kind = type(approximate).__name__
        raise TypeError(f"gelu(): argument 'approximate' must be str, not {kind}")
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return bind(gelu if approximate == "none" else gelu_tanh, (input,))
