"""Operators of formulas and tensors beside objects of SymPy's for which no operation stands.

They are loaded when one is called (`symgrad.functions.beside_sympy`).
"""

from __future__ import annotations

import operator
import sys
from typing import Any

import sympy
from sympy.core.basic import Basic

from symgrad.expr.atoms import number_of
from symgrad.expr.node import ArrayExpr
from symgrad.forms.asking import asking
from symgrad.forms.from_sympy import from_sympy
from symgrad.forms.plain_form import plain_form
from symgrad.functions.beside_sympy import beside_matrix, beside_sympy


@beside_sympy.state
def apply_beside(self: Any, name: str, other: Any, reflected: bool) -> Any:
    """Apply an operator to the scalar form of a formula and an object of SymPy's.

    Beside numbers and formulas of symbols an operator gives a formula; beside a random variable or
    an undefined function of SymPy's it gives what SymPy does.
    """
    if not isinstance(other, _OF_SYMPY):
        return NotImplemented
    if not isinstance(self, ArrayExpr):
        return _beside_tensor(self, name, other, reflected)
    plain = plain_form(self)
    if isinstance(plain, str):
        return NotImplemented
    if other.has(sympy.Wild) and not asking(sys._getframe(2)):
        raise TypeError(
            f"operator.{name.strip('_')}(): {other} has a Wild of SymPy's, which stands for any "
            "formula in a pattern and for no value; make the pattern with e.to_sympy()"
        )
    apply = getattr(operator, name)
    return apply(other, plain) if reflected else apply(plain, other)


_OF_SYMPY = (Basic, sympy.MatrixBase, sympy.NDimArray)


def _beside_tensor(x: Any, name: str, other: Any, reflected: bool) -> Any:
    """Apply an operator to a tensor and a number of SymPy's; raise TypeError for anything else."""
    number = number_of(other)
    if number is not other and name == "__matmul__":
        raise TypeError("operator.matmul(): a number is no factor of a product of matrices: use *")
    if number is not other:
        apply = getattr(operator, name)
        return apply(number, x) if reflected else apply(x, number)
    kinds = [f"a tensor of shape {tuple(x.shape)}", f"SymPy's {type(other).__name__}"]
    raise TypeError(
        f"operator.{name.strip('_')}(): got {' and '.join(kinds[:: -1 if reflected else 1])}; of "
        "SymPy's objects a tensor computes with numbers alone: symgrad.from_sympy(e, {symbol: "
        "tensor}) computes a formula or a matrix e on tensors, and t.expr is the formula of a "
        "tensor t, which stands beside formulas of SymPy's"
    )


@beside_matrix.state
def apply_beside_matrix(self: Any, name: str, other: Any, reflected: bool) -> Any:
    """Apply an operator to a formula and a matrix of SymPy's, where both give it one meaning.

    A 0-d formula of scalars is a scalar for the matrix, as in SymPy. Beside an array, `@` is the
    product of matrices, and `+` and `-` are those of elements, of one shape. SymPy's `*` is the
    product of matrices and that of arrays the product of elements, so it is refused.
    """
    if not isinstance(self, ArrayExpr):
        return _beside_tensor(self, name, other, reflected)
    apply = getattr(operator, name)
    given = self if self.shape else plain_form(self)
    if isinstance(given, Basic) and not isinstance(given, ArrayExpr):
        return apply(other, given) if reflected else apply(given, other)
    if name == "__matmul__" or (name in ("__add__", "__sub__") and self.shape == other.shape):
        made = from_sympy(other)
        return apply(made, self) if reflected else apply(self, made)
    kinds = [f"a formula of shape {self.shape}", f"a matrix of SymPy's of shape {other.shape}"]
    raise TypeError(
        f"operator.{name.strip('_')}(): got {' and '.join(kinds[:: -1 if reflected else 1])}, "
        "between which @ is the product of matrices, and + and - are those of one shape; "
        "from_sympy(M) makes an array of a matrix M, beside which * and others are of each element"
    )
