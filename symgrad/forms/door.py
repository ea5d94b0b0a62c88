"""What SymPy sees of a formula: its plain scalar form, where it has one.

Nearly every function of SymPy begins with `sympify`, which returns an object whose `__sympy__` is
True as it is, and asks another for `_sympy_()`. A 0-d formula of scalars answers there in SymPy's
own classes, so that SymPy's algorithms see nothing that they cannot read. An array, a 0-d formula
that reads arrays, and one of too many paths stay nodes: what holds and prints formulas treats them
as it does any other, and what algorithms ask of them raises an error that names `to_sympy`.

The scalar form itself, and its methods, are in `plain_form`; operators beside objects of SymPy's
are in `beside`.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FrameType
from typing import Any, NoReturn

import numpy as np
import sympy
from sympy.core.assumptions import _assume_defined
from sympy.core.basic import Basic
from sympy.core.expr import Expr
from sympy.core.kind import NumberKind, UndefinedKind
from sympy.printing.latex import LatexPrinter

from symgrad.expr.atoms import Leaf, dtype_of_symbol
from symgrad.expr.display import latex
from symgrad.expr.dtypes import bool_
from symgrad.expr.graph import leaves
from symgrad.expr.node import ArrayExpr, class_asked_for
from symgrad.forms.asking import (
    ALGORITHMS,
    ASKING_CLASSES,
    LAMBDIFY,
    arguments,
    asking,
    frames_of_call,
    is_user,
    name_of_call,
)
from symgrad.forms.numbers import NUMBERS, has_value, no_value
from symgrad.forms.plain_form import (
    MOST_DEEP,
    MOST_PATHS,
    is_plain_for,
    paths_of,
    plain_form,
    refuse_code,
    required,
)
from symgrad.forms.to_sympy import to_sympy
from symgrad.lower.lambdify import kept
from symgrad.schema.public import OPERATORS
from symgrad.support.untraceable import is_asked_by_traced_code
from symgrad.tensor.numpy_interop import formula_as_array


def _sympy(self: ArrayExpr) -> Any:
    found = plain_form(self)
    if isinstance(found, str):
        return self
    frames = list(frames_of_call(sys._getframe(1)))
    if any(frame.f_code.co_name in _EQUALITY for frame in frames):
        compared = frames[-1].f_code.co_name in _EQUALITY  # by code that is not SymPy's
        return self if compared and leaves(self) else found
    if frames:
        _refuse_other_symbols(self, frames)
    return found


_EQUALITY = ("__eq__", "__ne__")


def _refuse_other_symbols(e: ArrayExpr, frames: list[FrameType]) -> None:
    """Raise where a call of SymPy's got two symbols of one name, one of them in a formula.

    The check is of the first and of the last formula that the call got, so that the time for a list
    of formulas is proportional to its length.
    """
    values = arguments(frames[-1])
    ends = [next((x for x in found if isinstance(x, ArrayExpr)), None)
            for found in (objects_in(values), objects_in(values, backwards=True))]  # fmt: skip
    if any(e is x for x in ends):
        refuse_other_symbols(f"{name_of_call(frames)}()", values)


def refuse_other_symbols(call: str, values: list[Any]) -> None:
    """Raise where arguments have two symbols of one name, one of them in a formula.

    SymPy would answer as for two variables.
    """
    of_formulas = [
        y for x in objects_in(values) if isinstance(x, ArrayExpr) for y in _symbols_of(x)
    ]
    ours = {symbol.name: symbol for symbol in reversed(of_formulas)}
    others = [y for x in objects_in(values) if not isinstance(x, ArrayExpr) for y in _symbols_of(x)]
    for symbol in (*of_formulas, *others):
        known = ours.get(symbol.name, symbol)
        if known != symbol:
            raise ValueError(
                f"{call}: {symbol.name!r} is the name of two different symbols, "
                f"{sympy.srepr(known)} and {sympy.srepr(symbol)}; give SymPy one of them: for a "
                "leaf x that is x.symbol, and e.to_sympy(symbols={'x': ...}) writes a formula with "
                "the symbol that you choose"
            )


def objects_in(values: Iterable[Any], backwards: bool = False) -> Iterator[Any]:
    """Return the objects of SymPy's and the formulas among arguments, those in containers too."""
    step = 1 if backwards else -1
    stack = list(values)[::step]
    while stack:
        x = stack.pop()
        if isinstance(x, (Basic, sympy.MatrixBase)):
            yield x
        elif isinstance(x, Mapping):
            stack += [*x.keys(), *x.values()][::step]
        elif isinstance(x, (list, tuple, set, frozenset)):
            stack += list(x)[::step]


def _symbols_of(x: Any) -> Iterable[sympy.Symbol]:
    """Return the symbols in an object of SymPy's, or in the scalar form of a formula."""
    plain = plain_form(x) if isinstance(x, ArrayExpr) else x
    found = () if isinstance(plain, str) else plain.free_symbols
    variables = [x for x in found if isinstance(x, sympy.Symbol) and not isinstance(x, sympy.Dummy)]
    return sorted(variables, key=str)


def _is_sympy(self: ArrayExpr) -> bool | None:
    if not (kept.on or self.shape or isinstance(plain_form(self), str)):
        return None
    _refuse_to_matrices(self, sys._getframe(1))
    return True


def _refuse_to_matrices(e: ArrayExpr, frame: FrameType | None) -> None:
    """Refuse an array to SymPy's expressions of matrices, which take it for a scalar."""
    while frame is not None and frame.f_code.co_name in _SYMPIFYING:
        frame = frame.f_back
    if frame is not None and frame.f_code.co_filename.startswith(_EXPRESSIONS) and not kept.on:
        raise TypeError(
            f"{name_of_call(list(frames_of_call(frame)))}(): a formula of shape {e.shape} is no "
            'matrix of SymPy\'s: e.to_sympy("matrix") writes it as one; operators and functions of '
            "symgrad's compute with formulas"
        )


_SYMPIFYING = frozenset(("sympify", "_sympify"))
_EXPRESSIONS = os.path.join(os.path.dirname(sympy.__file__), "matrices", "expressions", "")


@class_asked_for.state
def _class_asked_for(self: ArrayExpr) -> type[Any]:
    """Return the class that a leaf, a relation or a logical operation says it has.

    Algorithms of SymPy ask whether an object is a `Symbol` or a `Boolean` by its class.
    """
    if asking(sys._getframe(2)) in ASKING_CLASSES:
        plain = plain_form(self)
        if not isinstance(plain, str):
            return type(plain)
    return type(self)


def _lacking(self: ArrayExpr, name: str) -> Any:
    """Return what the scalar form of a condition has alone, such as `as_set`, or raise.

    Raise TypeError to code of SymPy's for an attribute that a formula lacks, which its scalar form
    may have.
    """
    part = asking(sys._getframe(1))
    if part in ASKING_CLASSES or (self.dtype is bool_ and not name.startswith("_")):
        plain = plain_form(self)
        if not isinstance(plain, str) and hasattr(plain, name):
            return _looked_inside(self, name) if part else getattr(plain, name)
    if self.shape and (part or name in _OF_SCALARS):
        raise AttributeError(
            f'a formula has no {name!r}, for which SymPy asks: pass it e.to_sympy("explicit")',
            name=name,
            obj=self,
        )
    return _own_lacking(self, name)


_own_lacking = ArrayExpr.__getattr__


def _free_symbols(self: ArrayExpr) -> set[Leaf]:
    if is_plain_for(sys._getframe(1), self, "free_symbols"):
        return required(self, "free_symbols").free_symbols  # type: ignore[no-any-return] # symbols
    return set(leaves(self))


class _Iteration:
    """The iteration over the first axis, which a 0-d formula does not have for SymPy's algorithms.

    They take what has an `__iter__` for a list. An array of SymPy's takes the formulas of elements.
    """

    def __get__(self, e: Any, owner: Any = None) -> Any:
        if e is None:
            return self
        part = asking(sys._getframe(1))
        if part and not e.shape:
            raise AttributeError("__iter__")
        if part in ("tensor", "utilities"):  # where `Array` and its `flatten` are
            return to_sympy(e, "explicit").__iter__
        return functools.partial(_rows, e)


def _rows(e: ArrayExpr) -> Iterator[ArrayExpr]:
    if not e.shape:
        raise TypeError("iteration over a 0-d tensor")
    return (e[i] for i in range(e.shape[0]))


def _truth(self: ArrayExpr) -> bool:
    if asking(sys._getframe(1)):
        return bool(required(self, "bool()"))
    if has_value(self):
        return bool(self.evaluate())
    raise no_value(self, "bool", "choose between values with symgrad.where(condition, a, b)")


def _stands_for(self: ArrayExpr, other: object) -> bool:
    """Whether a formula equals what is another object: a symbol or a number.

    Code of SymPy's compares scalar forms. For a user a leaf equals its symbol if `from_sympy` makes
    it of the symbol: of the leaves of one name in several dtypes that one alone.
    """
    if getattr(self, "shape", True):  # an operation with several results has no shape
        return False
    if isinstance(other, Basic):
        if isinstance(other, ArrayExpr) and not (type(self) is type(other) is Leaf):
            return False
        if _is_compared_by_sympy(sys._getframe(2)):
            plain, others = plain_form(self), _sympy(other) if type(other) is Leaf else other
            return bool(plain == others)
        if type(self) is Leaf:
            is_symbol = type(other) is sympy.Symbol and self.symbol == other
            return is_symbol and self.dtype is dtype_of_symbol(other)
        return isinstance(other, _OF_NUMBERS) and has_value(self) and bool(other == self)
    return isinstance(other, _NUMBERS) and has_value(self) and bool(self.evaluate() == other)


def _is_compared_by_sympy(frame: FrameType | None) -> bool:
    while frame is not None and asking(frame) and frame.f_code.co_name in _EQUALITY:
        frame = frame.f_back
    return bool(asking(frame))


_NUMBERS = (int, float, complex, np.number, np.bool_)
_OF_NUMBERS = (sympy.Number, sympy.NumberSymbol)


def _is_order(self: ArrayExpr) -> bool:
    """Return True, so that `cse` within `lambdify` does not take a formula apart; else refuse.

    It would give shared arrays the names of scalars. Where this is True it still walks all paths of
    the formula, so a deep or much shared formula is refused; `lambdify` then leaves `cse` out.
    """
    frames = list(frames_of_call(sys._getframe(1)))
    caller = frames[-1].f_back if frames else None
    if caller is None or caller.f_code.co_filename != LAMBDIFY:
        return _looked_inside(self, "is_Order")
    walked = paths_of(self)
    if walked.paths > MOST_PATHS or walked.depth > MOST_DEEP:
        raise TypeError(
            "SymPy's cse and series walk every path of a formula, and this one has too many; "
            "its own source computes shared parts once, so lambdify needs no cse"
        )
    return True


def _looked_inside(self: ArrayExpr, name: str) -> NoReturn:
    required(self, f"SymPy's {name}")
    raise TypeError(
        f"SymPy looks inside a formula of symgrad, for {name}: pass it the formula in SymPy's "
        "classes, e.to_sympy(), and join formulas of symgrad by Python's operators"
    )


def _kind_of_formula(name: str) -> property:
    """Return a property that says which kind of formula of SymPy's the scalar form is.

    It is refused to algorithms, which read it to look inside.
    """

    def is_kind(self: ArrayExpr) -> Any:
        plain = plain_form(self)
        if not is_user(sys._getframe(1)):
            return _looked_inside(self, name)
        if isinstance(plain, str):
            raise AttributeError(name)  # Python then asks `__getattr__`
        return getattr(plain, name)

    return property(is_kind, doc=f"Whether the scalar form is such a formula: `{name}`.")


def _assumed(name: str) -> property:
    """Return a property that is what SymPy knows of the scalar form, else None."""

    def fact(self: ArrayExpr) -> Any:
        if name == "is_nonzero" and is_asked_by_traced_code():
            return lambda: bool(self)  # the method of tensors of that name
        plain = plain_form(self)
        if not isinstance(plain, str):
            return getattr(plain, name)
        if asking(sys._getframe(1)) == "functions":
            required(self, name)  # such as Max, which would walk all paths
        return None

    return property(fact, doc=f"What SymPy knows of the scalar form: `{name}`; None if nothing.")


def _array(self: ArrayExpr, dtype: Any = None, copy: bool | None = None) -> Any:
    """Give `sympy.Matrix` the formulas of the elements, and refuse to be an array of NumPy's."""
    if asking(sys._getframe(1)):
        return np.array(to_sympy(self, "explicit"), object).reshape(self.shape)
    return formula_as_array(self, dtype, copy)


def _kind(self: ArrayExpr) -> Any:
    return UndefinedKind if self.shape else NumberKind


def _refine(self: ArrayExpr, assumptions: Any) -> Any:
    return sympy.refine(required(self, "refine()"), assumptions)


def _mathml(self: ArrayExpr, printer: Any) -> Any:
    return printer._print(required(self, "mathml()"))


def _latex(self: ArrayExpr, printer: Any) -> str:
    """Return LaTeX, in SymPy's spelling where its printer is asked for a spelling."""
    given = printer._settings
    usual = LatexPrinter({name: given[name] for name in ("mode", "itex")})._settings
    asked = [name for name, value in given.items() if value != usual.get(name)]
    if not asked:
        return latex(self)
    return str(printer._print(required(self, f"latex({', '.join(asked)})")))


#: The facts that SymPy's assumptions state, but those that formulas state themselves.
_FACTS = sorted(_assume_defined - {"commutative", "complex"})

#: The kinds of formulas of SymPy's that algorithms take apart.
_OF_SCALARS = ("is_Add", "is_Mul", "is_Pow", "is_Function", "is_Relational")


def _is_matrix(self: ArrayExpr) -> bool:
    """Return False, and refuse an array to formulas of matrices, which have no place for it."""
    if isinstance(plain_form(self), str):
        _refuse_to_matrices(self, sys._getframe(1))
    return False


def _is_variable(self: ArrayExpr) -> bool:
    """Return whether SymPy may differentiate by the formula: no, unless it is a leaf."""
    _refuse_without_scalar_form(self, sys._getframe(1))
    return False


def _refuse_without_scalar_form(e: ArrayExpr, frame: FrameType) -> None:
    if asking(frame) and isinstance(plain_form(e), str):
        required(e, f"{name_of_call(list(frames_of_call(frame)))}()")


def _divmod(self: Any, other: Any) -> Any:
    return self // other, self % other


def _rdivmod(self: Any, other: Any) -> Any:
    return other // self, other % self


#: What SymPy asks of a formula.
DOOR: dict[str, Any] = {
    "__sympy__": property(_is_sympy),
    "_sympy_": _sympy,
    "free_symbols": property(_free_symbols, doc="The leaves."),
    **{f"is_{fact}": _assumed(f"is_{fact}") for fact in _FACTS},
    **{name: _kind_of_formula(name) for name in _OF_SCALARS},
    "kind": property(_kind, doc="SymPy's kind: a number, if the formula is 0-d."),
    "is_Order": property(_is_order),
    "is_Matrix": property(_is_matrix),
    "_diff_wrt": property(_is_variable),
    "__divmod__": _divmod,
    "__rdivmod__": _rdivmod,
    "__getattr__": _lacking,
    "__iter__": _Iteration(),
    "__array__": _array,
    "__bool__": _truth,
    "_stands_for": _stands_for,
    **NUMBERS,
    "_eval_refine": _refine,
    "_latex": _latex,
    "_mathml_content": _mathml,
    "_mathml_presentation": _mathml,
}


def _tensor_for_sympy(self: Any) -> Callable[[], Any]:
    """Return what gives SymPy the number of a tensor, which equalities of trees do not ask for."""
    if sys._getframe(1).f_code.co_name == "_do_eq_sympify":
        raise AttributeError("_sympy_")
    return functools.partial(_number_of_tensor, self)


def _number_of_tensor(x: Any) -> Any:
    """Return the number of a tensor of one element; leave operators of SymPy's to the tensor."""
    frames = list(frames_of_call(sys._getframe(1)))
    if frames and frames[-1].f_code.co_name in _OPERATORS:
        raise sympy.SympifyError(x)
    if x.numel() == 1:
        return sympy.sympify(x.item())
    raise TypeError(
        f"{name_of_call(frames)}(): a tensor of shape {tuple(x.shape)} is no number of SymPy's; "
        "symgrad.from_sympy(e, {symbol: tensor}) computes a formula e of SymPy's on tensors, and "
        "t.expr.to_sympy(form) is the formula of a tensor t"
    )


_OPERATORS = frozenset((*OPERATORS, *_EQUALITY))

#: What SymPy asks of a tensor: its operators leave the result to that of greater priority.
OF_TENSORS: dict[str, Any] = {
    "_op_priority": ArrayExpr._op_priority,
    "_sympy_": property(_tensor_for_sympy),
}


def leaf_operators(operators: Mapping[str, Any]) -> dict[str, Any]:
    """Return operators of leaves, which give code of SymPy's what those of their symbols do.

    Such code computes with the symbol that a user passed: `residue` looks for `1/x`.
    """

    def method(name: str, own: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(own)
        def call(self: Leaf, *other: Any) -> Any:
            if not self.shape and asking(sys._getframe(1)) in ALGORITHMS:
                refuse_code(f"{name}()", other)
                given = [_sympy(x) if isinstance(x, ArrayExpr) else x for x in other]
                return getattr(self.symbol, name)(*given)
            return own(self, *other)

        return call

    return {name: method(name, own) for name, own in operators.items() if name in vars(Expr)}
