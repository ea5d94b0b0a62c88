"""Numbers, arrays and parameters in printed formulas, as Python source of the same values."""

from __future__ import annotations

import ast
import cmath
import functools
import math
from typing import Any

import numpy as np
import sympy
from sympy.core.basic import Basic
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.pycode import PythonCodePrinter

from numeric.literal import array_literal, literal
from symgrad.expr.dtypes import bool_, dtype, float64, int64
from symgrad.expr.escaping import name_latex
from symgrad.expr.named_sizes import NamedSize
from symgrad.support.quiet import quietly

#: The most elements of a constant array that are written.
_MOST_ELEMENTS = 64
_BINARY: dict[type[ast.operator], str] = {ast.Add: "sum", ast.Sub: "sum", ast.Pow: "power"}


class _Latex(LatexPrinter):  # type: ignore[misc]
    """Prints constants upright, as letters or words; a leaf has italic ones."""

    def _print(self, expr: Any, **kwargs: Any) -> str:
        # These constants print themselves, in italic and Greek letters.
        if isinstance(expr, sympy.NumberSymbol) and expr != sympy.pi:
            name = "e" if expr == sympy.E else type(expr).__name__
            return rf"\mathrm{{{name}}}"
        return str(super()._print(expr, **kwargs))

    def _print_ExpBase(self, expr: Basic, exp: Any = None) -> str:
        return str(self._do_exponent(rf"\mathrm{{e}}^{{{self._print(expr.args[0])}}}", exp))


def scalar_latex(value: Basic) -> str:
    r"""Return SymPy's LaTeX of a number or a formula of symbols, with upright constants.

    Examples
    --------
    >>> import sympy
    >>> print(scalar_latex(sympy.I * sympy.exp(2)))
    \mathrm{i} \mathrm{e}^{2}
    """
    return str(_Latex({"imaginary_unit": "ri"}).doprint(value))


class _Exact(PythonCodePrinter):  # type: ignore[misc]
    """Prints exact numbers with Python's operators, and `pi`."""

    def _print_Pi(self, expr: Basic) -> str:
        return "pi"

    def _print_Pow(self, expr: Basic, rational: bool = False) -> str:
        if expr.exp == -1:
            return f"1/{self.parenthesize(expr.base, PRECEDENCE['Pow'])}"
        exponent = expr.exp
        if exponent.is_Rational and exponent.q in (2, 4, 8):
            exponent = sympy.Float(exponent)  # a power of two, which a float holds
        base = self.parenthesize(expr.base, PRECEDENCE["Pow"], strict=False)
        return f"{base}**{self.parenthesize(exponent, PRECEDENCE['Pow'], strict=False)}"

    def _print_Float(self, expr: Basic) -> str:
        return repr(float(expr))


class _SizeLatex(_Latex):
    """Prints sizes of axes, whose names are written as those of leaves."""

    def _print_Symbol(self, expr: sympy.Symbol, **_: Any) -> str:
        return name_latex(expr.name)[0]


def size_latex(n: Any) -> str:
    r"""Return the LaTeX of the size of an axis.

    Examples
    --------
    >>> from symgrad.expr.named_sizes import named_size
    >>> print(size_latex(3), size_latex(2 * named_size("rows") - 1))
    3 2 \mathit{rows} - 1
    """
    if not isinstance(n, NamedSize):
        return str(n)
    return str(_SizeLatex().doprint(sympy.factor(n.formula)))


def number_text(value: Any) -> str:
    """Return Python source of a number; of an exact number a formula of integers and `pi`.

    Where it has other parts, as logarithms, it is the nearest float.

    Examples
    --------
    >>> import sympy
    >>> number_text(sympy.sqrt(2) / sympy.pi), number_text(float("-inf"))
    ('2**0.5/pi', '-inf')
    """
    if isinstance(value, Basic):
        return _exact_text(value)
    if type(value) is NamedSize:
        return str(value)
    if isinstance(value, complex):
        # repr writes nanj and infj, which Python does not read, and Python reads (1-0j) as a
        # difference. The name `complex` is the public function of two arrays.
        plain = cmath.isfinite(value) and all(math.copysign(1, p) > 0 or p for p in _halves(value))
        return repr(value) if plain else f"builtins.complex({_parts(value)})"
    return literal(value).replace("np.", "")


def _halves(value: complex) -> tuple[float, float]:
    return value.real, value.imag


def _parts(value: complex) -> str:
    return ", ".join(map(number_text, _halves(value)))


@functools.lru_cache(maxsize=4096)
def _exact_text(value: Basic) -> str:
    if all(isinstance(part, _WRITTEN) for part in sympy.preorder_traversal(value)):
        return str(_Exact({"fully_qualified_modules": True}).doprint(with_one_root(value)))
    return number_text(float(sympy.N(value, 17)))


def with_one_root(value: Basic) -> Basic:
    """Return a product with the roots of one kind as one, which SymPy takes apart."""
    roots: dict[Any, list[Any]] = {}
    others = []
    for factor in sympy.Mul.make_args(value):
        if factor.is_Pow and not factor.exp.is_Integer:
            roots.setdefault(factor.exp, []).append(factor.base)
        else:
            others.append(factor)
    if all(len(bases) == 1 for bases in roots.values()):
        return value
    made = [sympy.Pow(sympy.Mul(*bases), n, evaluate=False) for n, bases in roots.items()]
    return sympy.Mul(*others, *made, evaluate=False) if others or made[1:] else made[0]


#: The parts of exact numbers that are written as they are.
_WRITTEN = (sympy.Rational, type(sympy.pi), sympy.Add, sympy.Mul, sympy.Pow)


@functools.lru_cache(maxsize=4096)
def binds(text: str) -> str:
    """Return the operation of the text of a number: "sum", "product", "unary", "power", "atom"."""
    body = ast.parse(text, mode="eval").body
    if body.col_offset:  # the text has parentheses, as of a complex number
        return "atom"
    if isinstance(body, ast.BinOp):
        return _BINARY.get(type(body.op), "product")
    return "unary" if isinstance(body, ast.UnaryOp) else "atom"


def array_text(array: np.ndarray[Any, Any]) -> str:
    """Return the constructor of an array; of a large array only the corners, as NumPy prints it."""
    if array.size > _MOST_ELEMENTS:
        write = functools.partial(
            np.array2string, array, 10**6, separator=", ", threshold=_MOST_ELEMENTS, edgeitems=2
        )
        values = " ".join(quietly(write).split())
        return f"array({values}, shape={array.shape})"
    # Python's numbers have these dtypes: array([1.0, 2.0]) needs no dtype.
    plain = array.dtype in (float64.numpy, int64.numpy, bool_.numpy) and array.size
    if plain:
        return f"array({_elements_text(array)})"
    if not array.size:
        return f"array([], dtype='{array.dtype.name}', shape={literal(array.shape)})"
    return f"array({_elements_text(array)}, dtype='{array.dtype.name}')"


def _elements_text(array: np.ndarray[Any, Any]) -> str:
    if array.dtype.kind == "c":
        return _listed(array.tolist())
    body = array_literal(array).removeprefix("np.array(").rpartition(", dtype=")[0]
    return body.replace("np.", "")


def _listed(values: Any) -> str:
    if isinstance(values, list):
        return f"[{', '.join(map(_listed, values))}]"
    return number_text(values)


def parameter_text(value: Any) -> str:
    """Return Python source of a parameter, with the names of `symgrad.forms.names`.

    Examples
    --------
    >>> import symgrad
    >>> parameter_text((0, float("inf"), symgrad.float64, slice(None)))
    '(0, inf, float64, slice(None, None, None))'
    """
    if isinstance(value, dtype):
        return "bool_" if value.name == "bool" else value.name
    if isinstance(value, Basic):
        return _exact_text(value)
    if type(value) is tuple:  # parameters nest only as deep as an index does
        return f"({', '.join(map(parameter_text, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, float) and not math.isfinite(value):
        return number_text(float(value))
    if type(value) is NamedSize:
        return str(value)
    return literal(value).replace("np.", "") if not isinstance(value, str) else repr(value)
