"""Changes of SymPy's own code, where it has no hook by which a formula could answer.

All that has a hook is in `door` and `plain_form`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable
from typing import Any

import sympy
from sympy.core.operations import AssocOp, LatticeOp
from sympy.matrices.matrixbase import MatrixBase

from symgrad.expr.atoms import Leaf
from symgrad.expr.node import ArrayExpr
from symgrad.forms.asking import is_user
from symgrad.forms.door import objects_in, refuse_other_symbols
from symgrad.forms.plain_form import plain_form, plainly, refuse_code, required
from symgrad.forms.to_sympy import to_sympy
from symgrad.functions import elementwise  # noqa: F401 - enters operators
from symgrad.lower.lambdify import kept
from symgrad.record.record import Recorded
from symgrad.schema.public import OPERATORS


def _let_symbols_know_leaves() -> None:
    """Let symbols of SymPy's equal the leaves for which they stand, as leaves equal symbols.

    A function that keeps the symbols of a formula, and asks whether the leaf that a user passed is
    among them, would otherwise find that it is not.
    """
    equals = sympy.Symbol.__eq__

    def __eq__(self: sympy.Symbol, other: object) -> bool:
        return other._stands_for(self) if isinstance(other, Leaf) else equals(self, other)

    sympy.Symbol.__eq__ = __eq__


def _let_floats_know_formulas() -> None:
    """Let a `Float` ask for the scalar form of what it is compared with, as other numbers do."""
    equals = sympy.Float.__eq__

    def __eq__(self: sympy.Float, other: Any) -> Any:  # may be NotImplemented
        return equals(self, other._sympy_() if isinstance(other, ArrayExpr) else other)

    sympy.Float.__eq__ = __eq__


class _Lists(type):
    def __instancecheck__(cls, x: object) -> bool:
        if isinstance(x, ArrayExpr) and not x.shape:
            required(x, "sympy.Array()")
            return False
        return isinstance(x, Iterable)


class _Listed(metaclass=_Lists):
    """What arrays of SymPy's take for a list: every iterable but 0-d formulas."""


def _let_arrays_take_formulas() -> None:
    """Let arrays of SymPy's take 0-d formulas for elements; they ask for the class `Iterable`.

    Their functions take what is no array of SymPy's for a scalar.
    """
    for name in ("ndim_array", "arrayop"):
        vars(sys.modules[f"sympy.tensor.array.{name}"])["Iterable"] = _Listed
    functions = vars(sys.modules["sympy.tensor.array.arrayop"])
    own = functions["_arrayfy"]

    def _arrayfy(x: Any) -> Any:
        return to_sympy(x, "explicit") if isinstance(x, ArrayExpr) and x.shape else own(x)

    functions["_arrayfy"] = _arrayfy


def _plain_diagonal(x: Any) -> Any:
    """Return an argument of `diag` with the scalar forms of formulas, in lists as well."""
    if type(x) in (list, tuple):
        return type(x)([_plain_diagonal(y) for y in x])
    if not isinstance(x, ArrayExpr):
        return x
    return to_sympy(x, "explicit").tolist() if x.shape else required(x, "diag()")


def _let_diagonals_take_formulas() -> None:
    """Let `diag` take 0-d formulas for elements; it takes what has a shape for a matrix."""
    diag = MatrixBase.diag.__func__

    def from_formulas(kls: Any, *args: Any, **options: Any) -> Any:
        if any(isinstance(x, ArrayExpr) for x in objects_in(args)):
            refuse_code("diag()", args)
        return diag(kls, *map(_plain_diagonal, args), **options)

    from_formulas.__doc__ = diag.__doc__
    from_formulas.__name__, from_formulas.__qualname__ = "diag", diag.__qualname__
    MatrixBase.diag = classmethod(from_formulas)


def _let_parts_be_those_of_formulas() -> None:
    """Let `Add.make_args`, `And.make_args` and others take the scalar form of a formula apart.

    They take what is no sum of SymPy's for one term.
    """
    for cls in (AssocOp, LatticeOp):
        cls.make_args = classmethod(_of_scalar_form(cls.make_args.__func__))


def _of_scalar_form(own: Any) -> Any:
    @functools.wraps(own)
    def make_args(kls: Any, expr: Any) -> Any:
        if isinstance(expr, ArrayExpr) and not kept.on:
            by_user = is_user(sys._getframe(1))
            found = required(expr, f"{kls.__name__}.make_args()") if by_user else plain_form(expr)
            expr = expr if isinstance(found, str) else found
        return own(kls, expr)

    return make_args


def _let_functions_take_formulas() -> None:
    """Let functions take formulas that look into their arguments before they sympify them.

    In the packages from which users import them; SymPy's own code has its own.
    """
    packages = [m for name, m in sys.modules.items() if name.partition(".")[0] == "sympy"]
    packages = [m for m in packages if hasattr(m, "__path__")]
    for name in ("cse", "nsolve", "rcollect", "collect_const", "hessian"):
        own = getattr(sympy, name)
        made = _on_scalar_forms(own)
        for package in packages:
            if vars(package).get(name) is own:
                setattr(package, name, made)


def _on_scalar_forms(own: Any) -> Any:
    @functools.wraps(own)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = [*args, *kwargs.values()]
        if not any(isinstance(x, ArrayExpr) for x in objects_in(given)):
            return own(*args, **kwargs)
        what = f"{own.__name__}()"
        refuse_code(what, args)
        refuse_other_symbols(what, given)
        plain = [plainly(x, what) for x in args]
        return own(*plain, **{k: plainly(x, what) for k, x in kwargs.items()})

    return call


def _let_operators_give_way() -> None:
    """Let operators of matrices and arrays of SymPy's leave the result to formulas and tensors.

    A matrix calls `__rmul__` of a formula for `@` too, and takes others for elements.
    """
    for cls in (sympy.MatrixExpr, MatrixBase, sympy.NDimArray):
        for name in OPERATORS:
            if hasattr(cls, name):
                setattr(cls, name, _giving_way(getattr(cls, name)))


def _giving_way(own: Any) -> Any:
    @functools.wraps(own)
    def apply(self: Any, *other: Any) -> Any:
        x = other[0] if other else None
        if isinstance(x, Recorded) or (isinstance(x, ArrayExpr) and x.shape):
            return NotImplemented
        return own(self, *other)

    return apply


_let_symbols_know_leaves()
_let_floats_know_formulas()
_let_arrays_take_formulas()
_let_diagonals_take_formulas()
_let_operators_give_way()
_let_parts_be_those_of_formulas()
_let_functions_take_formulas()
