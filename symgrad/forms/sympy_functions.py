"""Operations on each element that are functions of SymPy.

Some functions of SymPy are operations of symgrad. Any other becomes a class of its own: SymPy gives
its derivatives, and SymPy's printers of NumPy and SciPy code write its kernel.
"""

from __future__ import annotations

import copyreg
import functools
from collections.abc import Callable, Sequence
from typing import Any

import sympy
from sympy.core.basic import Basic
from sympy.printing.numpy import SciPyPrinter

from numeric.kernel import Kernel
from numeric.rows import local
from numeric.standalone import Definitions
from symgrad.expr.atoms import check_name, of_scalar
from symgrad.expr.dtypes import Category
from symgrad.expr.node import ArrayExpr
from symgrad.forms.scipy_kernels import SLOPES, as_kind, kernel_of
from symgrad.ops import (
    families,  # noqa: F401 - defines the operations
    gamma,
    special,
)
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES, bind, when_defined
from symgrad.ops.scalars import partials_of
from symgrad.schema.public import public

# SciPy has functions of two of these names, which compute something else or nothing.
_UNKNOWN = (sympy.hermite, sympy.subfactorial, sympy.DiracDelta)


@functools.cache
def operations_of_sympy() -> dict[tuple[Any, int], type[Elementwise]]:
    """Return the operations that functions of SymPy become, by these and the number of arguments.

    It is an operation that claims the function (`of_sympy`), or else the first that states it.
    """
    found: dict[tuple[Any, int], type[Elementwise]] = {}
    operations = [cls for cls in PRIMITIVES.values() if issubclass(cls, Elementwise)]
    for cls in operations:
        if "of_sympy" in vars(cls):
            found.setdefault((cls.of_sympy, cls.arity), cls)
    for cls in operations:
        if isinstance(cls.scalar, type) and not cls.internal:
            found.setdefault((cls.scalar, cls.arity), cls)
    return found


when_defined.append(lambda _: operations_of_sympy.cache_clear())


def function_named(name: str) -> type[Elementwise] | None:
    """Return the operation that a function of SymPy's of one number, with a name alone, is."""
    cls: Any = PRIMITIVES.get(name)
    is_one = cls is not None and issubclass(cls, Elementwise) and cls.arity == 1
    return cls if is_one and not cls.params and not cls.internal else None


@functools.cache
def _operations_of_orders() -> dict[Any, type[Elementwise]]:
    found = [cls for cls in PRIMITIVES.values() if issubclass(cls, Elementwise)]
    return {cls.of_order: cls for cls in found if "of_order" in vars(cls)}


when_defined.append(lambda _: _operations_of_orders.cache_clear())


def operation_of_order(kind: type[Any], order: Any) -> type[Elementwise] | None:
    """Return the operation that is a function of SymPy's of one order; None where there is none."""
    return _operations_of_orders().get((kind, order))


def function_of_order(kind: type[Any], order: int, x: ArrayExpr) -> ArrayExpr | None:
    """Return the operation of a function of a whole order; None where there is none."""
    if kind is sympy.polygamma and order > 0:
        return gamma.polygamma.of(order, x)
    cls = operation_of_order(kind, order)
    if cls is not None:
        return cls.of(x)
    cls = operation_of_order(kind, "whole")
    return None if cls is None or order < 0 else cls.of(order, x)


class _FunctionClass(type(Elementwise)):  # type: ignore[misc]
    """The class of the classes made here, which are pickled by their function of SymPy."""


def _reduce_class(cls: Any) -> Any:
    return elementwise_class, (cls.scalar, cls.arity)


copyreg.pickle(_FunctionClass, _reduce_class)


def elementwise_class(function: Any, arity: int) -> type[Elementwise]:
    """Return the primitive of a function of SymPy with `arity` arguments."""
    return operations_of_sympy().get((function, arity)) or _class_of(function, arity)


@functools.lru_cache(maxsize=1024)
def _class_of(function: Any, arity: int) -> type[Elementwise]:
    """Make the primitive of a function of SymPy that no operation stands for."""
    check_name(function.__name__)
    kernel = kernel_of(function, arity) or _printed_kernel(function, arity)
    body = {
        "__slots__": (),
        "__doc__": f"SymPy's `{function.__name__}` of each element.",
        "__module__": __name__,
        "arity": arity,
        "result": "float",
        "refuses": (Category.COMPLEX,),
        "scalar": staticmethod(function),
        "kernel": kernel,
        "kernel_takes_dtype": True,
        "partials": _partials,
        "call_text": _call_text,
        "constructor": classmethod(_constructor),
    }
    return _FunctionClass(function.__name__, (Elementwise,), body, abstract=True)


def _partials(self: Any, *operands: ArrayExpr) -> Sequence[Any]:
    """Return SymPy's derivatives, but for those stated in their place."""
    cls: Any = type(self)
    found = list(partials_of(self))
    for i in range(cls.arity):
        slope = SLOPES.get((cls.scalar, cls.arity, i))
        if slope is not None:
            symbols = sympy.symbols(f"x:{cls.arity}", cls=sympy.Dummy)
            given = dict(zip(symbols, operands, strict=True))
            found[i] = functools.partial(of_scalar.call, slope(*symbols), given)
    return found


def _constructor(cls: Any) -> str:
    """Return source that makes the class; its name may also be that of an operation."""
    name = cls.scalar.__name__
    if not isinstance(cls.scalar, type):
        name = f"symgrad.forms.scipy_kernels.{name}"
    return f"symgrad.forms.sympy_functions.elementwise_class({name}, {cls.arity})"


def _call_text(self: Any, operation: bool = False) -> str:
    """Return the template of a call of the function that `elementwise` returns."""
    name = self.scalar.__name__
    path = f"sympy.{name}" if getattr(sympy, name, None) is self.scalar else name
    return f"elementwise({path})({', '.join(f'{{{i}}}' for i in range(self.arity))})"


def _printed_kernel(function: Any, arity: int) -> Kernel:
    """Return the kernel of a function, written by SymPy's printer of SciPy code."""
    if function in _UNKNOWN:
        raise _not_computed(function)
    symbols = sympy.symbols(f"operand_:{arity}", cls=sympy.Symbol)
    formula = function(*symbols)
    if function is sympy.factorial:  # SciPy's is 0 for every negative number
        formula = formula.rewrite(sympy.gamma)
    printer = SciPyPrinter({"fully_qualified_modules": True, "allow_unknown_functions": False})
    text = _print(printer, formula)
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
        return as_kind(numpy_call(*operands), to)

    needs_scipy = bool(modules)
    if not needs_scipy and numpy_call is None:
        numpy_call = sympy.lambdify(symbols, formula, "numpy")
    imports = tuple(f"import {m}" for m in modules)
    source = f"as_kind({template}, {{to}})"
    prelude = Definitions(as_kind, (), ())
    return Kernel(function.__name__, call, source, prelude, imports, rows=local)


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

    SymPy gives its derivatives of every order, and writes the NumPy or SciPy code that computes its
    values.

    Parameters
    ----------
    function : SymPy function class
        For example `sympy.airyai`.

    Returns
    -------
    callable
        A function of tensors, expressions and numbers, which are broadcast.

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
    if not isinstance(function, sympy.FunctionClass):
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
