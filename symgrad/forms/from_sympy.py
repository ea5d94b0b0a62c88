"""From SymPy's scalar formulas to expressions, and from its functions to primitives.

Nothing here parses text or recurses: a formula is walked once, and each of its nodes becomes the
operation of the same meaning, or an elementwise primitive of its own.
"""

from __future__ import annotations

import copyreg
import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy
from sympy.core.basic import Basic
from sympy.logic.boolalg import Boolean
from sympy.printing.numpy import SciPyPrinter

from numeric.kernel import Kernel
from numeric.rows import local
from numeric.standalone import Definitions
from symgrad.expr.dtypes import Category
from symgrad.expr.graph import rebuild
from symgrad.expr.node import ArrayExpr, Const, Leaf, Placeholder, as_expr, check_name, of_scalar
from symgrad.forms.matrices import is_matrix, matrix_children, matrix_of, matrix_value
from symgrad.ops import (
    arithmetic,
    bessel,
    comparison,
    complex_parts,
    exponential,
    gamma,
    logic,
    maximum,
    powers,
    rounding,
    signs,
    special,
    trigonometric,
)
from symgrad.ops.broadcasting import zeros
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import bind
from symgrad.ops.where import where
from symgrad.schema.public import public

__all__ = ["elementwise", "from_sympy"]


# What stands for a SymPy class: a primitive, or a function of the converted arguments.
_UNARY: dict[type[Any], type[Elementwise]] = {
    sympy.exp: exponential.exp,
    sympy.log: exponential.log,
    sympy.sin: trigonometric.sin,
    sympy.sinc: trigonometric.unscaled_sinc,
    sympy.cos: trigonometric.cos,
    sympy.tan: trigonometric.tan,
    sympy.asin: trigonometric.asin,
    sympy.acos: trigonometric.acos,
    sympy.atan: trigonometric.atan,
    sympy.sinh: trigonometric.sinh,
    sympy.cosh: trigonometric.cosh,
    sympy.tanh: trigonometric.tanh,
    sympy.asinh: trigonometric.asinh,
    sympy.acosh: trigonometric.acosh,
    sympy.atanh: trigonometric.atanh,
    sympy.Abs: signs.abs,
    sympy.sign: signs.sgn,
    sympy.conjugate: complex_parts.conj,
    sympy.arg: complex_parts.angle,
    sympy.floor: rounding.floor,
    sympy.ceiling: rounding.ceil,
    sympy.erf: special.erf,
    sympy.erfc: special.erfc,
    sympy.erfinv: special.erfinv,
    sympy.loggamma: gamma.lgamma,
    sympy.digamma: gamma.digamma,
    sympy.Not: logic.logical_not,
}
_BINARY: dict[type[Any], type[Elementwise]] = {
    sympy.atan2: trigonometric.atan2,
    sympy.Mod: rounding.remainder,
    sympy.StrictLessThan: comparison.lt,
    sympy.LessThan: comparison.le,
    sympy.StrictGreaterThan: comparison.gt,
    sympy.GreaterThan: comparison.ge,
    sympy.Equality: comparison.eq,
    sympy.Unequality: comparison.ne,
}
_FOLDED: dict[type[Any], type[Elementwise]] = {
    sympy.Max: maximum.maximum,
    sympy.Min: maximum.minimum,
    sympy.And: logic.logical_and,
    sympy.Or: logic.logical_or,
    sympy.Xor: logic.logical_xor,
}


def _sum(terms: Sequence[ArrayExpr], source: Basic) -> ArrayExpr:
    # Numbers last: `1 - x` and `x - 1` read as they are written.
    total = terms[0]
    for term, plain in zip(terms[1:], source.args[1:], strict=True):
        if plain.could_extract_minus_sign() and not plain.is_number:
            total = total - _negated(term)
        else:
            total = total + term
    return total


def _negated(x: ArrayExpr) -> ArrayExpr:
    return arithmetic.neg.of(x)


def _product(factors: Sequence[ArrayExpr], source: Basic) -> ArrayExpr:
    """Join factors; those with a negative power form a denominator."""
    above: ArrayExpr | None = None
    below: ArrayExpr | None = None
    for factor, plain in zip(factors, source.args, strict=True):
        power = plain.exp if isinstance(plain, sympy.Pow) else None
        if power is not None and power.is_number and power.is_negative:
            base = factor.operands[-1] if power == -1 and factor.operands else None
            part = base if base is not None else arithmetic.div.of(1, factor)
            below = part if below is None else below * part
        else:
            above = factor if above is None else above * factor
    if below is None:
        assert above is not None
        return above
    return arithmetic.div.of(1, below) if above is None else above / below


def _power(base: ArrayExpr, exponent: ArrayExpr, source: Basic) -> ArrayExpr:
    power = source.args[1]
    if source.args[0] is sympy.E:
        return exponential.exp.of(exponent)
    if power == sympy.Rational(1, 2):
        return powers.sqrt.of(base)
    if power == -1:
        return arithmetic.div.of(as_expr(1), base)
    if power == sympy.Rational(-1, 2):
        return arithmetic.div.of(as_expr(1), powers.sqrt.of(base))
    if isinstance(exponent, Const) and isinstance(power, sympy.Rational):
        exponent = as_expr(int(power) if power.is_Integer else float(power))
    return powers.pow.of(base, exponent)


def _of_order(kind: type[Any], order: int, x: ArrayExpr) -> ArrayExpr | None:
    """Return a function of a whole order where it is an operation of its own, else None."""
    if kind is sympy.polygamma and order >= 0:
        return gamma.polygamma.of(order, x) if order else gamma.digamma.of(x)
    if kind is sympy.besseli and order in (0, 1):
        return bessel.i1.of(x) if order else bessel.i0.of(x)
    return None


def _cases(args: Sequence[Any], source: Basic) -> ArrayExpr:
    """Read a Piecewise from its last case on; without a last "otherwise" it ends in nan."""
    pairs = [(args[2 * i], args[2 * i + 1], pair.cond) for i, pair in enumerate(source.args)]
    value: ArrayExpr | None = None
    for then, condition, plain in reversed(pairs):
        if plain is sympy.true:
            value = then
        else:
            value = where.of(condition, then, as_expr(float("nan")) if value is None else value)
    assert value is not None
    return value


def from_sympy(expr: Any, mapping: Mapping[Any, Any] | None = None) -> Any:
    """Return a SymPy scalar formula as an expression, or as tensors computed by it.

    Parameters
    ----------
    expr : sympy.Expr
        A formula of symbols and functions. Text is refused: it would have to be evaluated.
    mapping : mapping, optional
        From symbols to tensors, leaves, other expressions or numbers. A symbol that is not in it
        becomes a 0-d float64 leaf of its name.

    Returns
    -------
    ArrayExpr or Tensor
        A tensor where the mapping holds one.

    Raises
    ------
    TypeError
        If `expr` is no SymPy formula, or holds something that no operation stands for.
    ValueError
        If a symbol's name is no identifier.

    Examples
    --------
    >>> import sympy
    >>> import symgrad
    >>> t = sympy.Symbol("t")
    >>> e = symgrad.from_sympy(sympy.sin(t) * t)
    >>> e.shape
    ()
    """
    if isinstance(expr, (str, bytes)):
        raise TypeError(
            "from_sympy takes a SymPy expression, not text, which it would have to evaluate; make "
            "one with sympy.Symbol and SymPy's functions"
        )
    if isinstance(expr, ArrayExpr):
        return expr
    if isinstance(expr, (int, float, complex, np.generic)):
        return as_expr(expr)
    if not isinstance(expr, Basic):
        raise TypeError(f"from_sympy takes a SymPy expression, got {type(expr).__name__}")
    if mapping is not None and not isinstance(mapping, Mapping):
        raise TypeError(f"from_sympy: the mapping is a dict, got {type(mapping).__name__}")
    given = dict(mapping or {})
    for key, value in given.items():
        if not isinstance(key, Basic):
            raise TypeError(f"from_sympy: the mapping's keys are symbols, got {key!r}")
        if isinstance(value, (str, bytes)):
            raise TypeError(f"from_sympy: {key} is mapped to text, which is never evaluated")
    tensors = {k: v for k, v in given.items() if hasattr(type(v), "_record")}
    places = {k: Placeholder(f"_{i}", v.shape, v.dtype) for i, (k, v) in enumerate(tensors.items())}
    converted = _convert(expr, {**given, **places})
    if not tensors:
        return converted
    return _applied(converted, {places[k]: v for k, v in tensors.items()})


@of_scalar.state
def _convert(expr: Basic, given: Mapping[Any, Any]) -> ArrayExpr:
    done: dict[Any, Any] = {k: as_expr(v) for k, v in given.items()}
    for k, value in done.items():
        if isinstance(k, sympy.MatrixSymbol):
            done[k] = matrix_value(k, value)
    symbols: dict[str, Any] = {}
    stack: list[Any] = [expr]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        if isinstance(node, (sympy.Symbol, sympy.MatrixSymbol)):
            _refuse_other(symbols.setdefault(_symbol_name(node), node), node)
        children = _children(node)
        pending = [x for x in children if x not in done]
        if pending:
            stack.extend(reversed(pending))
            continue
        done[node] = _made(node, [done[x] for x in children])
        stack.pop()
    return done[expr]  # type: ignore[no-any-return]


def _symbol_name(symbol: Any) -> str:
    """Return the name of the leaf that a symbol becomes: a Dummy is like no other symbol."""
    if isinstance(symbol, sympy.Dummy):
        return f"{symbol.name}_{symbol.dummy_index}"
    return str(symbol.name)


def _refuse_other(known: Any, symbol: Any) -> None:
    if known != symbol:
        raise ValueError(
            f"from_sympy: two different symbols are named {known.name!r}, one with the assumptions "
            f"{_assumed(known)}, one with {_assumed(symbol)}; rename one of them, or map both"
        )


def _assumed(symbol: Any) -> str:
    if isinstance(symbol, sympy.MatrixSymbol):
        return f"of a matrix of shape {tuple(symbol.shape)}"
    given = {k: v for k, v in symbol._assumptions_orig.items() if k != "commutative" or not v}
    return ", ".join(f"{k}={v}" for k, v in given.items()) or "(none)"


def _children(node: Any) -> tuple[Any, ...]:
    if is_matrix(node):
        return matrix_children(node)
    if isinstance(node, (ArrayExpr, sympy.Symbol)) or node.is_number or node in _TRUTH:
        return ()
    if isinstance(node, sympy.Piecewise):
        return tuple(x for pair in node.args for x in pair.args)
    return node.args  # type: ignore[no-any-return]


_TRUTH = (sympy.true, sympy.false)
# Functions of whole orders only, and those that SciPy has under their names and does not compute.
_WHOLE = (sympy.polygamma, sympy.jn, sympy.yn)
_UNKNOWN = (sympy.hermite, sympy.subfactorial)


def _is_whole(order: Any) -> bool:
    return isinstance(order, Const) and isinstance(order.number, int)


def _made(node: Any, args: list[Any]) -> Any:
    if isinstance(node, ArrayExpr):
        return node
    if is_matrix(node):
        return matrix_of(node, args, _convert)
    if isinstance(node, sympy.Symbol):
        if not node.is_commutative:
            raise TypeError(
                f"from_sympy: {node} does not commute, so it is no number; a matrix is a "
                "sympy.MatrixSymbol"
            )
        return Leaf(check_name(_symbol_name(node)))
    if node in _TRUTH:
        return Const(node is sympy.true)
    if isinstance(node, sympy.Integer):
        return as_expr(int(node))
    if node.is_number and not isinstance(node, Boolean):
        return Const(node)
    if isinstance(node, sympy.Add):
        return _sum(args, node)
    if isinstance(node, sympy.Mul):
        return _product(args, node)
    if isinstance(node, sympy.Pow):
        return _power(args[0], args[1], node)
    if isinstance(node, sympy.Piecewise):
        return _cases(args, node)
    kind = type(node)
    if any(getattr(x, "is_Matrix", False) for x in node.args):
        raise TypeError(
            f"from_sympy: {_shown(node)} is a function of a matrix, for which no operation stands; "
            "for one of each element write X.applyfunc(f)"
        )
    if kind in _UNARY and len(args) == 1:
        return _UNARY[kind].of(args[0])
    if kind in _BINARY and len(args) == 2:
        return _BINARY[kind].of(*args)
    if len(args) == 2 and isinstance(args[0], Const) and type(args[0].value) is int:
        found = _of_order(kind, args[0].value, args[1])
        if found is not None:
            return found
    if kind in _FOLDED:
        return functools.reduce(_FOLDED[kind].of, args)
    if kind in (sympy.re, sympy.im):
        if not args[0].dtype.is_complex:
            return args[0] if kind is sympy.re else zeros(args[0].shape, args[0].dtype)
        return args[0].real if kind is sympy.re else args[0].imag
    if kind is sympy.Heaviside:
        x = args[0]
        middle = args[1] if len(args) > 1 else as_expr(0.5)
        return where.of(x.eq(0), middle, where.of(x > 0, 1.0, 0.0))
    if kind is sympy.DiracDelta:
        # Zero wherever it is a function; subgradients at its point are PyTorch's, which are zero.
        return args[0] * 0
    if isinstance(node, sympy.Function):
        function: Any = kind
        if kind in _WHOLE and not _is_whole(args[0]):
            raise TypeError(
                f"from_sympy: the order of {_shown(node)} must be a whole number: neither NumPy "
                "nor SciPy computes another"
            )
        return elementwise_class(function, len(args)).of(*args)
    raise TypeError(
        f"from_sympy: no operation stands for {kind.__name__} in {_shown(node)}; use elementary "
        "functions, Piecewise, Max, Min, relations, or a SymPy function of scalars"
    )


def _shown(node: Any) -> str:
    text = str(node)
    return text if len(text) < 80 else f"{text[:77]}..."


def _applied(expr: ArrayExpr, values: Mapping[ArrayExpr, Any]) -> Any:
    """Compute an expression on tensors, recording each operation."""

    def visit(node: ArrayExpr, operands: tuple[Any, ...]) -> Any:
        if node in values:
            return values[node]
        if not operands:
            return node.number if isinstance(node, Const) and node.weak else node
        if not any(hasattr(type(x), "_record") for x in operands):
            return node
        return bind(type(node), operands, node.param_values)

    return rebuild([expr], visit)[0]


# -- any function of SymPy's ---------------------------------------------------------------------


class _FunctionClass(type(Elementwise)):  # type: ignore[misc]
    """The class of classes made here, which pickle by the SymPy function that they stand for."""


def _reduce_class(cls: Any) -> Any:
    return elementwise_class, (cls.scalar, cls.arity)


copyreg.pickle(_FunctionClass, _reduce_class)


@functools.lru_cache(maxsize=1024)
def elementwise_class(function: Any, arity: int) -> type[Elementwise]:
    """Return the primitive that a SymPy function of `arity` scalars is."""
    if arity == 1 and function in _UNARY:
        return _UNARY[function]
    if arity == 2 and function in _BINARY:
        return _BINARY[function]
    check_name(function.__name__)
    kernel = _printed_kernel(function, arity)
    if function is sympy.besseli:
        kernel = dataclasses.replace(kernel, call=_besseli, source=_BESSELI, prelude=())
    body = {
        "__slots__": (),
        "__doc__": f"SymPy's `{function.__name__}` of each element.",
        "__module__": __name__,
        "arity": arity,
        "result": "float",
        "refuses": (Category.COMPLEX,),
        "scalar": staticmethod(function),
        "kernel": kernel,
        "implementation": _implementation,
        "call_text": _call_text,
        "constructor": classmethod(_constructor),
    }
    return _FunctionClass(function.__name__, (Elementwise,), body, abstract=True)


# SciPy's is nan below 1e-307, where the function is `(x/2)**n / n!` to the last bit.
_BESSELI = (
    "np.asarray(scipy.special.iv({0}, np.where(np.abs({1}) < 1e-100, np.copysign(1e-100, {1}), "
    "{1})) * np.where(np.abs({1}) < 1e-100, np.abs(np.asarray({1}, np.float64)) / 1e-100, 1) ** "
    "np.where({0} == np.floor({0}), np.abs({0}), {0}))"
    ".astype({to}, copy=False)"
)


def _besseli(order: Any, x: Any, to: Any) -> Any:
    iv = special.scipy_special("besseli").iv
    tiny = np.abs(x) < 1e-100
    made = iv(order, np.where(tiny, np.copysign(1e-100, x), x))
    power = np.where(order == np.floor(order), np.abs(order), order)
    made = made * np.where(tiny, np.abs(np.asarray(x, np.float64)) / 1e-100, 1) ** power
    return np.asarray(made).astype(to, copy=False)


def _implementation(self: Any) -> Any:
    # What is computed of Python's integers is no integer.
    kind = np.dtype(np.float64) if self.weak else self.dtype.numpy
    return self.kernel, {"to": kind}, self.operands


def _constructor(cls: Any) -> str:
    """Write the class by SymPy's function, whose name an operation of symgrad's may have too."""
    return f"symgrad.forms.from_sympy.elementwise_class({cls.scalar.__name__}, {cls.arity})"


def _call_text(self: Any, operation: bool = False) -> str:
    """Write a call of the function that `elementwise` makes of SymPy's."""
    name = self.scalar.__name__
    path = f"sympy.{name}" if getattr(sympy, name, None) is self.scalar else name
    return f"elementwise({path})({', '.join(f'{{{i}}}' for i in range(self.arity))})"


def _printed_kernel(function: Any, arity: int) -> Kernel:
    """Return the kernel that SymPy's SciPy printer writes for a function."""
    symbols = sympy.symbols(f"operand_:{arity}", cls=sympy.Symbol)
    formula = function(*symbols)
    if function is sympy.factorial:  # SciPy's is 0 for every negative number
        formula = formula.rewrite(sympy.gamma)
    printer = SciPyPrinter({"fully_qualified_modules": True, "allow_unknown_functions": False})
    text = "" if function in _UNKNOWN else _print(printer, formula)
    if not text:
        raise _not_computed(function)
    modules = sorted(m for m in printer.module_imports if m != "numpy")
    template = text.replace("numpy.", "np.").replace("{", "{{").replace("}", "}}")
    for i, symbol in enumerate(symbols):
        template = template.replace(symbol.name, f"{{{i}}}")
    numpy_call: Any = None
    if _has_scipy():
        numpy_call = sympy.lambdify(symbols, formula, ["scipy", "numpy"])

    def call(*operands: Any, to: Any) -> Any:
        if numpy_call is None:
            special.scipy_special(function.__name__)  # raises
        return _as_kind(numpy_call(*operands), to)

    needs_scipy = bool(modules)
    if not needs_scipy and numpy_call is None:
        numpy_call = sympy.lambdify(symbols, formula, "numpy")
    imports = tuple(f"import {m}" for m in modules)
    # `+ 0 * x` would change infinities: the text converts instead.
    source = f"_as_kind({template}, {{to}})"
    prelude = Definitions(_as_kind, (), ())
    return Kernel(function.__name__, call, source, prelude, imports, rows=local)


def _as_kind(value: Any, to: Any) -> Any:
    value = np.asarray(value)
    if value.dtype.kind == "c":  # beyond where the function is real
        value = np.where(value.imag == 0, value.real, np.nan)
    return value.astype(to, copy=False)


def _has_scipy() -> bool:
    try:
        special.scipy_special("")
    except ImportError:
        return False
    return True


def _print(printer: SciPyPrinter, formula: Basic) -> str:
    try:
        text: str = printer.doprint(formula)
    except sympy.printing.codeprinter.PrintMethodNotImplementedError:
        text = ""
    return "" if text.lstrip().startswith("#") or "\n" in text else text


def _not_computed(function: Any) -> NotImplementedError:
    return NotImplementedError(
        f"{function.__name__} has no implementation in NumPy or SciPy that SymPy knows of; "
        "write it with functions that have one"
    )


@public("elementwise(object function) -> Any", method=False, python=True)
def elementwise(function: Any) -> Callable[..., Any]:
    """Make an operation on each element from a SymPy function.

    Its derivatives, of every order, are SymPy's; its values are computed by what SymPy's printers
    write for NumPy and SciPy.

    Parameters
    ----------
    function : SymPy function class
        As `sympy.airyai`.

    Returns
    -------
    callable
        A function of tensors, expressions and numbers, broadcast.

    Raises
    ------
    TypeError
        If `function` is no SymPy function.
    NotImplementedError
        When called, if neither NumPy nor SciPy computes it.
    ImportError
        When called, if SciPy computes it and is not installed.

    Examples
    --------
    >>> import sympy
    >>> import symgrad
    >>> gamma = symgrad.elementwise(sympy.gamma)
    >>> gamma(symgrad.leaf("x", (3,))).shape
    (3,)
    """
    if not (isinstance(function, type) and issubclass(function, sympy.Function)):
        raise TypeError(
            f"elementwise() takes a function of SymPy's such as sympy.airyai, got {function!r}"
        )

    nargs = getattr(function, "nargs", None)

    def apply(*operands: Any) -> Any:
        if nargs is not None and len(operands) not in nargs:
            raise TypeError(f"{function.__name__}() takes {nargs} arguments, got {len(operands)}")
        return bind(elementwise_class(function, len(operands)), operands)

    apply.__name__ = apply.__qualname__ = function.__name__
    apply.__doc__ = f"Return SymPy's `{function.__name__}` of each element."
    return apply


public("from_sympy(object expr, object mapping=None) -> Any", method=False, python=True)(from_sympy)
