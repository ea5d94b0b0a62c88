"""What SymPy sees of a formula: its plain scalar form, where it has one.

Nearly every function of SymPy begins with `sympify`, which returns an object whose `__sympy__` is
True as it is, and asks another for `_sympy_()`. A 0-d formula of scalars answers there in SymPy's
own classes, so that SymPy's algorithms see nothing that they cannot read. An array, a 0-d formula
that reads arrays, and one of too many paths stay nodes: what holds and prints formulas treats them
as it does any other, and what algorithms ask of them raises an error that names `to_sympy`.

Some functions of SymPy call methods of their arguments before `sympify`. So the methods of a
formula answer code of SymPy's as those of its scalar form do, and a user with a formula.
"""

from __future__ import annotations

import functools
import inspect
import operator
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FrameType
from typing import Any, NamedTuple, NoReturn

import numpy as np
import sympy
from sympy.core.assumptions import _assume_defined
from sympy.core.basic import Basic
from sympy.core.expr import Expr
from sympy.core.kind import NumberKind, UndefinedKind
from sympy.printing.latex import LatexPrinter

from symgrad.expr.atoms import Const, Leaf, dtype_of_symbol, number_of
from symgrad.expr.display import latex
from symgrad.expr.dtypes import bool_
from symgrad.expr.graph import leaves, toposort
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
from symgrad.forms.from_sympy import from_sympy
from symgrad.forms.numbers import NUMBERS, has_value, no_value
from symgrad.forms.substitution import LeavesByName, is_of_sympy_alone, parts_meant
from symgrad.forms.to_sympy import to_sympy
from symgrad.functions.beside_sympy import beside_matrix, beside_sympy
from symgrad.lower.lambdify import kept
from symgrad.schema.public import OPERATORS
from symgrad.support.untraceable import is_asked_by_traced_code
from symgrad.tensor.numpy_interop import formula_as_array

#: SymPy's algorithms walk every path of a formula, and recurse: so many and so deep at most.
MOST_PATHS = 10_000
MOST_DEEP = 100


class Walked(NamedTuple):
    """How often SymPy, which walks every path of a formula, comes to a node, and how deep."""

    paths: int
    depth: int


def paths_of(e: ArrayExpr) -> Walked:
    """Return the number of paths of a formula, and its depth."""
    found: dict[ArrayExpr, Walked] = {}
    for node in toposort([e]):
        inner = [found[x] for x in node.operands]
        count = 1 + sum([x.paths for x in inner])
        found[node] = Walked(count, 1 + max([x.depth for x in inner], default=0))
    return found[e]


def plain_form(e: ArrayExpr) -> Basic | str:
    """Return the scalar form of a formula, or why SymPy's algorithms cannot have one.

    It is kept on the node.
    """
    known = e._known_door
    if known is None:
        known = e._known_door = _plain_form(e)
    return known


def _plain_form(e: ArrayExpr) -> Basic | str:
    if e.shape:
        return f"of shape {e.shape}"
    walked = paths_of(e)
    if walked.paths > MOST_PATHS or walked.depth > MOST_DEEP:
        return (
            f"with {min(walked.paths, 10**9)} paths through {walked.depth} levels, of which SymPy "
            f"walks every one (at most {MOST_PATHS}, {MOST_DEEP} levels)"
        )
    try:
        return to_sympy(e)
    except ValueError as error:
        return f"without a formula of one element ({error})"


def required(e: ArrayExpr, call: str) -> Basic:
    """Return the scalar form of a formula that a call needs; raise TypeError if it has none."""
    found = plain_form(e)
    if isinstance(found, str):
        raise TypeError(
            f"{call}: a formula {found} is no scalar of SymPy's; use to_sympy(form) for its "
            "elements, Python's operators and symgrad's functions, or e.lambdify() for numbers"
        )
    return found


def plainly(value: Any, call: str) -> Any:
    """Return an argument of SymPy's, in which formulas are in their scalar form."""
    if isinstance(value, ArrayExpr):
        return required(value, call)
    if type(value) in (list, tuple, set):
        return type(value)([plainly(x, call) for x in value])
    if type(value) is dict:
        return {plainly(k, call): plainly(v, call) for k, v in value.items()}
    return value


def back(found: Any, e: ArrayExpr) -> Any:
    """Return an answer of SymPy's as a formula of the leaves of `e`, where it is one."""
    if isinstance(found, sympy.Expr) and not isinstance(found, ArrayExpr):
        symbols = {x.symbol: x for x in leaves(e) if not x.shape}
        if found.free_symbols <= symbols.keys():
            try:
                made = from_sympy(found, symbols)
            except (TypeError, ValueError):
                return found  # a formula that no operation computes, such as an Order
            if isinstance(made, Const) and made.dtype.category <= e.dtype.category:
                return Const(made.value, e.dtype)
            return made
    return found


def is_plain_for(frame: FrameType, e: ArrayExpr, what: str) -> bool:
    """Whether code that runs in a frame gets the answer of the scalar form of a formula.

    Raise TypeError where an algorithm of SymPy's asks a formula that has no scalar form. What
    holds, prints and visits formulas treats such a one as a tree.
    """
    part = asking(frame)
    if part and isinstance(plain_form(e), str):
        if part in ALGORITHMS:
            required(e, what)
        return False
    return bool(part)


# -- methods --------------------------------------------------------------------------------------


def inherited_methods(cls: type[Any]) -> dict[str, Any]:
    """Return the public methods that a class has from SymPy, made to read the scalar form.

    Their answer is a formula of the same leaves where it is a formula, else what SymPy answers.
    """
    found = {}
    for name in dir(sympy.Expr):
        f = inspect.getattr_static(cls, name)
        is_theirs = inspect.isfunction(f) and f is inspect.getattr_static(sympy.Expr, name)
        if is_theirs and not name.startswith("_") and name not in _OF_TREES:
            found[name] = _on_plain_form(name, f)
    return found


#: The methods that treat a formula as a tree, whatever is in it.
_OF_TREES = frozenset(("compare", "copy", "is_same"))


def _on_plain_form(name: str, f: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(f)
    def call(self: ArrayExpr, *args: Any, **kwargs: Any) -> Any:
        if asking(sys._getframe(1)):
            return of_plain_form(self, name, args, kwargs)
        return rewritten(self, name, args, kwargs)

    return call


def rewritten(self: ArrayExpr, name: str, args: Iterable[Any], kwargs: Mapping[str, Any]) -> Any:
    """Return what a method of the scalar form answers, as a formula where it is one."""
    return back(of_plain_form(self, name, args, kwargs), self)


def of_plain_form(
    self: ArrayExpr, name: str, args: Iterable[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Return what a method of the scalar form answers.

    A leaf among the arguments, or the name of one, means that of the formula.
    """
    what = f"{name}()"
    refuse_code(what, [*args, *kwargs.values()])
    plain = required(self, what)
    known = LeavesByName(leaves(self))

    def argument(x: Any) -> Any:
        named = isinstance(x, Leaf) or (isinstance(x, str) and x.isidentifier())
        meant = parts_meant(known, x) if named else []
        return plainly(meant[0] if len(meant) == 1 else x, what)

    return getattr(plain, name)(*map(argument, args), **{k: argument(x) for k, x in kwargs.items()})


def answering_sympy(services: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Return methods of formulas, which answer code of SymPy's as those of the scalar form do.

    Where a user looks for a class of SymPy's alone, such as `Add`, they look in the scalar form.
    """

    def method(name: str, own: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(own)
        def call(self: ArrayExpr, *args: Any, **kwargs: Any) -> Any:
            if is_plain_for(sys._getframe(1), self, f"{name}()"):
                return of_plain_form(self, name, args, kwargs)
            theirs = [x.__name__ for x in args if is_of_sympy_alone(x)]
            if theirs and is_user(sys._getframe(1)):
                required(self, f"{name}({', '.join(theirs)})")
                return parts_back(of_plain_form(self, name, args, kwargs), self)
            return own(self, *args, **kwargs)

        return call

    return {name: method(name, own) for name, own in services.items()}


def parts_back(found: Any, e: ArrayExpr) -> Any:
    """Return an answer of SymPy's, or each part of a container of answers, as `back` does."""
    if isinstance(found, (set, tuple)):
        return type(found)([parts_back(x, e) for x in found])
    if isinstance(found, dict):
        return {back(x, e): back(y, e) for x, y in found.items()}
    return back(found, e)


#: What SymPy's limits and series take for a direction.
_DIRECTIONS = ("+", "-", "+-")


def refuse_code(call: str, values: Iterable[Any]) -> None:
    """Raise for a string that is no identifier, which SymPy would evaluate as Python."""
    stack = list(values)
    while stack:
        x = stack.pop()
        if isinstance(x, str):
            if not x.isidentifier() and x not in _DIRECTIONS:
                raise ValueError(
                    f"{call}: a string names a symbol and is never parsed, so {x!r} stands for "
                    "nothing; build the expression instead"
                )
        elif isinstance(x, Mapping):
            stack += [*x.keys(), *x.values()]
        elif isinstance(x, (list, tuple, set, frozenset)):
            stack += x


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


# -- what SymPy asks of a formula --------------------------------------------------------------


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
