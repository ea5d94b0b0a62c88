"""Special functions, computed by SciPy: the extra `symgrad[special]`."""

from __future__ import annotations

import functools
import importlib
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import Category, dtype, float16
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence, braces, of_elements
from symgrad.expr.written import scalar_latex
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.half import halved
from symgrad.ops.samples import ANY


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
) -> tuple[Kernel, dict[dtype | int, Kernel]]:
    """Return the kernel of a function that SciPy computes, and the `kernels` beside it.

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

    # SciPy computes half precision in single, and returns single.
    def run_half(*operands: Any, **params: Any) -> Any:
        return np.asarray(run(*operands, **params), np.float16)

    return (
        Kernel(name, run, source, **options),
        {float16: Kernel(name, run_half, f"np.asarray({source}, np.float16)", **options)},
    )


def with_index(
    name: str, letter: str, index: str = "{0}", *operands: str, of: str = "{1}"
) -> Notation:
    """Return how a function is printed that has a letter with an index in books, as J of 0."""
    called = ", ".join(operands) or "{0}, {1}"
    return Notation(f"{name}({called})", rf"{letter}_{{{{{index}}}}}\left({of}\right)")


def lowered(x: ArrayExpr, hole: str, n: int) -> tuple[str, str]:
    """Return `hole - n` as templates of text and of LaTeX: one number where the operand `x` is one."""
    if isinstance(x, Const):
        number = Const(x.value - n)
        return braces(str(number)), braces(scalar_latex(sympy.sympify(number.value)))
    shown = f"{hole} - {n}" if n > 0 else f"{hole} + {-n}" if n else hole
    return shown, shown


def lowered_power(base: str, on_paper: str, x: ArrayExpr, hole: str, n: int) -> tuple[str, str]:
    """Return `base ** (x - n)` as templates of text and of LaTeX, without a power of zero or one."""
    text, latex = lowered(x, hole, n)
    number = x.value - n if isinstance(x, Const) and isinstance(x.value, (int, float)) else None
    if number in (0, 1):
        return (base, on_paper) if number else ("", "")
    if number is None or number < 0:
        text = f"({text})"
    return f"{base}**{text}", rf"{on_paper}^{{{{{latex}}}}}"


def falling(x: ArrayExpr, hole: str, n: int) -> tuple[int | float, list[str], list[str]]:
    """Return `(hole - 1) * … * (hole - n)`: a number, and other factors in text and in LaTeX."""
    number: int | float = 1
    texts, factors = [], []
    for k in range(1, n + 1):
        if isinstance(x, Const) and isinstance(x.value, (int, float)):
            number *= x.value - k
        else:
            texts.append(f"({hole} - {k})")
            factors.append(rf"\left({hole} - {k}\right)")
    return number, texts, factors


def of_factors(
    number: int | float, text: str, factors: Sequence[str], needs: tuple[int, ...]
) -> Notation:
    """Return the notation of a number times a product, of which `factors` are those in LaTeX."""
    latex = r" \, ".join(factors)
    if abs(number) != 1:
        text = f"{abs(number)!r} * {text}"
        latex = rf"{scalar_latex(sympy.sympify(abs(number)))} \, {latex}"
    level, sign = (Precedence.SIGN, "-") if number < 0 else (Precedence.PRODUCT, "")
    return Notation(sign + text, sign + latex, level, needs, Latex(sign + latex, level, needs))


def power_of(x: ArrayExpr, n: Any) -> Any:
    """Return `x**n`, the number 1 where `n` is the number 0."""
    return 1 if isinstance(n, (int, float)) and n == 0 else x**n


def known(order: ArrayExpr) -> Any:
    """Return the number that an order is, or the order itself."""
    return order.value if isinstance(order, Const) else order


def product_text(factors: Sequence[str], divisor: str = "") -> str:
    """Return the text of a product of factors, of which those that are one are empty."""
    above = " * ".join([f for f in factors if f]) or "1"
    return f"{above} / {divisor}" if divisor else above


#: What stands for the operand in a formula that `notation_of` writes.
OPERAND = sympy.Symbol("OPERAND")


@functools.lru_cache(maxsize=256)
def notation_of(formula: Any) -> Notation:
    """Return the notation of a formula of SymPy's, of `OPERAND` and of functions that are public."""
    text = re.sub(r"(?<!\*)\*(?!\*)", " * ", str(formula)).replace("/", " / ")
    text = text.replace("OPERAND", "{0}")
    latex = braces(sympy.latex(formula, mul_symbol=r" \, ")).replace("OPERAND", "{0}")
    needs = (Precedence.POWER + 1,)
    return Notation(text, latex, Precedence.SUM, needs)


class Special(Elementwise, abstract=True):
    """A function that SciPy computes, by default one of one argument.

    SciPy has half precision for few functions, and NumPy's overflows early in between: what is of
    half precision is computed in single.
    """

    result = "float"
    refuses: ClassVar[tuple[int, ...]] = (Category.COMPLEX,)

    def __init_subclass__(
        cls, abstract: bool = False, scipy: str = "", part: int | None = None, **kwargs: Any
    ) -> None:
        if part is not None:  # one of several results
            cls.kernel, cls.kernels = scipy_kernels(
                cls.__name__,
                lambda special, x: getattr(special, scipy)(x)[part],
                f"scipy.special.{scipy}({{0}})[{part}]",
            )
        elif scipy and cls.arity > 1:  # SciPy computes in double precision beside a number
            operands = ", ".join([f"{{{i}}}" for i in range(cls.arity)])
            cls.kernel, _ = scipy_kernels(
                cls.__name__,
                lambda special, *given, to: np.asarray(getattr(special, scipy)(*given), to),
                f"np.asarray(scipy.special.{scipy}({operands}), {{to}})",
            )
            cls.kernels, cls.kernel_takes_dtype = {}, True
        elif scipy:
            cls.kernel, cls.kernels = scipy_kernels(
                cls.__name__,
                lambda special, x: getattr(special, scipy)(x),
                f"scipy.special.{scipy}({{0}})",
            )
        elif "kernel" in cls.__dict__ and "kernels" not in cls.__dict__:
            cls.kernels = {float16: halved(cls.kernel)}
        super().__init_subclass__(abstract=abstract, **kwargs)

    samples = [(ANY,), (np.array(0.7),), (ANY.reshape(3, 1),)]


_ROOT_PI = sympy.sqrt(sympy.pi)

#: The coefficients of a polynomial, that of the constant first.
Coefficients = tuple[int, ...]


def _gauss_hermite(x, *, polynomial, rate):  # type: ignore[no-untyped-def]
    if len(polynomial) == 1:
        return polynomial[0] * np.exp(-rate * np.square(x))
    # Where the exponential is 0, so is the product. The polynomial is multiplied by the square root
    # of the exponential twice, since the exponential itself underflows earlier.
    root = np.exp(-rate / 2 * np.square(x))
    near = np.where(root * root == 0, 0, x)
    total = polynomial[-1]
    for c in polynomial[-2::-1]:
        total = total * near + c
    return total * root * root


def _gauss_hermite_numbers(x: Any, polynomial: Coefficients, rate: float) -> Any:
    def f(v: Any) -> Any:
        total = sympy.Add(*[c * v**k for k, c in enumerate(polynomial)])
        return total * sympy.exp(-sympy.Rational(rate) * v**2)

    return np.frompyfunc(f, 1, 1)(x)


#: How products and powers are written in text, in LaTeX, and in LaTeX of arrays.
_POWERS = (
    (" * ", "**{}"),
    (r" \, ", "^{{{{{}}}}}"),
    (r" \, ", r"^{{{{\odot {}}}}}"),
)


class gauss_hermite(Elementwise):
    """A polynomial of x times `exp(-rate*x**2)`: the derivatives of `erf`, of whatever order.

    As a product of two operations it would be `inf * 0` where x is large.
    """

    ulps = 4
    internal = True
    result = "float"
    refuses = (Category.COMPLEX,)
    params = ("polynomial", "rate")
    real_params = ("rate",)
    polynomial: Coefficients
    rate: float
    kernel = Kernel.from_function(
        _gauss_hermite, rows=local, number_systems={"sympy": _gauss_hermite_numbers}
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        p, twice = self.polynomial, int(2 * self.rate)
        slope = [0] * (len(p) + 1)
        for k, c in enumerate(p):
            if k:
                slope[k - 1] += k * c
            slope[k + 1] -= twice * c
        return (lambda: gauss_hermite.of(x, tuple(slope), self.rate),)

    def element(self, *operands: Any) -> Any:
        (x,) = operands
        total = sympy.Add(*[c * x**k for k, c in enumerate(self.polynomial)])
        return total * sympy.exp(-sympy.Rational(self.rate) * x**2)

    def as_read(self) -> ArrayExpr | None:
        if self.polynomial == (1,):
            return None
        (x,) = self.operands
        terms = [c * x**k if k else Const(c) for k, c in enumerate(self.polynomial) if c]
        total: ArrayExpr = functools.reduce(operator.add, reversed(terms))
        return total * gauss_hermite.of(x, (1,), self.rate)

    def notation(self) -> Notation:
        half = "" if self.rate == 1 else " / 2"
        falls = (
            f"exp(-{{0}}**2{half})",
            rf"\mathrm{{{{e}}}}^{{{{-{{0}}^{{{{2}}}}{half}}}}}",
            rf"\mathrm{{{{e}}}}^{{{{\odot \left(-{{0}}^{{{{\odot 2}}}}{half}\right)}}}}",
        )
        tight = (Precedence.POWER + 1,)
        if self.polynomial == (1,):
            text, latex, each = falls
            arrays = of_elements(each, Precedence.POWER, *tight)
            return Notation(text, latex, Precedence.ATOM, tight, of_arrays=arrays)
        factors = [self._polynomial(*marks) for marks in _POWERS]
        text = f"({factors[0]}) * {falls[0]}"
        latex = rf"\left({factors[1]}\right) \, {falls[1]}"
        each = rf"\left({factors[2]}\right) \odot {falls[2]}"
        return Notation(
            text,
            latex,
            Precedence.PRODUCT,
            tight,
            Latex(latex, Precedence.PRODUCT, tight),
            of_elements(each, Precedence.ODOT, *tight),
        )

    def _polynomial(self, times: str, power: str) -> str:
        """Return the text of the factor, its terms of falling degree."""
        shown = ""
        for k, c in reversed([*enumerate(self.polynomial)]):
            if c:
                term = f"{abs(c)}" if not k else "{0}" if abs(c) == 1 else f"{abs(c)}{times}{{0}}"
                sign = (" - " if shown else "-") if c < 0 else " + " * bool(shown)
                shown += sign + term + (power.format(k) if k > 1 else "")
        return shown

    samples = [(ANY, (1,), 1.0), (np.array(0.7), (0, -2), 1.0), (ANY, (2, 0, -1), 0.5)]


class erf(Special, scipy="erf"):
    """Return the error function of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.erf(torch.tensor([0.0, 1.0, float("inf")]))
    tensor([0.0000, 0.8427, 1.0000])
    """

    aliases = ("special.erf",)
    at_most_one = True
    poles = ()
    ulps = 4
    kernel_name = "erf_vml_cpu"
    scalar = sympy.erf

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: gauss_hermite.of(x, (1,), 1.0) * (2 / _ROOT_PI),)


def _erfc(x, made, scaled, *, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's, which rounds the square of x; `scaled` is exp(x**2)*erfc(x). The square of
    # `high` has no rounding.
    x = np.asarray(x, np.float64)
    right = (x > 0.5) & (x < 30)
    z = np.where(right, x, 1)
    high = np.asarray(z, np.float32).astype(np.float64)
    fall = np.exp(-high * high) * np.exp(-(z - high) * (z + high))
    return np.asarray(np.where(right, fall * scaled, made), to)


_ERFC = Kernel.from_function(_erfc, rows=local)


class erfc(Special):
    """Return `1 - erf` of each element of `input`, accurate where that is small.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.erfc(torch.tensor([0.0, 5.0]))
    tensor([1.0000e+00, 1.5375e-12])
    >>> 1 - torch.erf(torch.tensor([0.0, 5.0]))
    tensor([1., 0.])
    """

    aliases = ("special.erfc",)
    ulps = 4
    kernel_name = "erfc_vml_cpu"
    scalar = sympy.erfc
    kernel, _ = scipy_kernels(
        "erfc",
        lambda special, x, to: _ERFC.call(
            x, special.erfc(x), special.erfcx(np.maximum(x, 0.5)), to=to
        ),
        "_erfc({0}, scipy.special.erfc({0}), scipy.special.erfcx(np.maximum({0}, 0.5)), to={to})",
        prelude=_ERFC.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    keeps = (0,)  # log(erfc(x)) is differentiated as `log_erfc`, which reads x

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: gauss_hermite.of(x, (1,), 1.0) * (-2 / _ROOT_PI),)


class erfinv(Special, scipy="erfinv"):
    """Return the inverse of the error function of each element of `input`; nan outside [-1, 1].

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.erfinv(torch.tensor([0.0, 0.5, 1.0, 2.0]))
    tensor([0.0000, 0.4769,    inf,    nan])
    """

    aliases = ("special.erfinv",)
    in_place = "method"
    ulps = 16
    kernel_name = "erfinv_vml_cpu"
    scalar = sympy.erfinv

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: (self**2).exp() * (_ROOT_PI / 2),)

    samples = [(np.array([0.3, -0.9, 0.0]),), (np.array(0.7),)]
