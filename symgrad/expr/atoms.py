"""The nodes without operands: leaves and constants, and the parameters of operations.

An array constant has the only values of arrays in an expression.
"""

from __future__ import annotations

import hashlib
import numbers
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy
from sympy.core.basic import Basic

from numeric.identifiers import identifier
from symgrad.expr.dtypes import (
    Category,
    bool_,
    complex128,
    default_dtype,
    dtype,
    dtype_of_number,
    float64,
    from_numpy_dtype,
    int64,
)
from symgrad.expr.escaping import latex_text
from symgrad.expr.facts import Facts, facts_of
from symgrad.expr.keys import key_of
from symgrad.expr.named_sizes import (
    NamedSize,
    as_expression,
    is_named,
    named_size,
    names_in,
    whole,
)
from symgrad.expr.node import EVERYWHERE, NOWHERE, ArrayExpr, enter_node, find_node, seen_class
from symgrad.expr.shapes import Shape
from symgrad.expr.size import Size
from symgrad.support.above import FromAbove
from symgrad.support.refusals import MAX_AXES, too_many_axes
from symgrad.support.untraceable import UntraceableMember


class Static(Basic):  # type: ignore[misc]
    """A parameter of an operation (axes, a dtype, an index) as an atom of the expression."""

    __slots__ = ("__weakref__", "value")
    value: Any
    is_Atom = True

    def __new__(cls, value: Any) -> Static:
        if type(value) is Size:  # equal to a tuple, but with another text
            value = tuple(value)
        key = (Static, type(value), value if _is_flat(value) else key_of(value))
        found = find_node(key)
        if found is not None:
            return found  # type: ignore[no-any-return]
        if isinstance(value, np.ndarray):  # the owner of an array may write into it
            value = value.copy()
            value.flags.writeable = False
        self = object.__new__(cls)
        self._args = ()
        self._mhash = None
        self._assumptions = cls.default_assumptions
        self.value = value
        return enter_node(key, self)  # type: ignore[no-any-return]

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return Static, (self.value,)

    def __copy__(self) -> Static:
        return self

    def __deepcopy__(self, memo: Any) -> Static:
        return self

    def __repr__(self) -> str:
        return f"Static({self.value!r})"

    def _sympystr(self, printer: Any) -> str:
        return repr(self.value)

    def _sympyrepr(self, printer: Any) -> str:
        return repr(self)

    def _latex(self, printer: Any) -> str:
        return rf"\mathtt{{{latex_text(repr(self.value))}}}"

    def _hashable_content(self) -> tuple[Any, ...]:
        return (repr(key_of(self.value)),)  # a text, since SymPy compares it by <

    def sort_key(self, order: Any = None) -> Any:
        return (
            self.class_key(),
            (1, (repr(key_of(self.value)),)),
            sympy.S.One.sort_key(),
            sympy.S.One,
        )


def _is_flat(value: Any) -> bool:
    """Return whether `value` is its own key: equal only to the same value (True is equal to 1)."""
    if type(value) is tuple:
        return all(type(v) is int for v in value)
    return value is None or type(value) in (int, bool, str, dtype)


def new_atom(cls: type[Any], shape: Shape, kind: dtype) -> Any:
    """Return a new node without operands, which no table holds yet."""
    self = object.__new__(cls)
    self._args = self.operands = ()
    self._mhash = self.sources = self._known_door = None
    self._known_support = None if kind is bool_ else EVERYWHERE
    self._assumptions = cls.default_assumptions
    self.shape = shape
    self.dtype = kind
    self.weak = False
    return self


def check_name(name: object) -> str:
    """Return the normal form of a name of a leaf; raise ValueError if it is no identifier.

    Names are written into source, LaTeX, HTML and DOT, where other text could be code.
    """
    try:
        return identifier(name, "a name")
    except ValueError:
        raise ValueError(
            f"a name must be a Python identifier that is no keyword, got {name!r}: "
            "use letters, digits and underscores, as in 'x_1'"
        ) from None


class Leaf(ArrayExpr):
    """An input of a formula: a name with a shape and a dtype.

    Attributes
    ----------
    symbol : sympy.Symbol
        The symbol that stands for the leaf, or for one of its elements, in formulas of SymPy. A
        leaf that was made of a symbol is not a leaf of the same name with another symbol.
    """

    __slots__ = ("_name", "facts", "symbol")
    _name: str
    facts: Facts | None
    symbol: sympy.Symbol
    is_Atom = True
    is_symbol = True
    is_Symbol = True
    _diff_wrt = True
    __class__ = seen_class  # SymPy asks for symbols by class

    def __new__(
        cls,
        name: str,
        shape: Sequence[int] = (),
        kind: dtype = float64,
        symbol: sympy.Symbol | None = None,
        facts: Facts | None = None,
    ) -> Leaf:
        key: tuple[Any, ...] = (Leaf, name, shape, kind, symbol)
        if facts is not None:
            key = (*key, facts)
        try:
            found = find_node(key)
        except TypeError:  # a list for a shape
            found = None
        if found is not None:
            return found  # type: ignore[no-any-return]
        dims = _check_shape(shape)
        if not isinstance(kind, dtype):
            raise TypeError(f"leaf(): dtype must be a symgrad dtype, got {kind!r}")
        name = check_name(name)  # another spelling of a name is brought to the usual one
        if is_named(dims) and name in names_in(dims):
            raise ValueError(f"the leaf {name!r} has a size {name!r}: rename one of them")
        if facts is not None:
            facts = facts_of(name, dims, *facts)
        usual = _usual_symbol(name, kind)
        key = (Leaf, name, dims, kind, None if symbol == usual else symbol)
        if facts is not None:
            key = (*key, facts)
        found = find_node(key)
        if found is not None:
            return found  # type: ignore[no-any-return]
        self = new_atom(cls, dims, kind)
        self._name = name
        self.facts = facts
        self.symbol = usual if symbol is None else symbol
        # A set or a mapping of SymPy's in which the leaf was put finds it by its symbol.
        self._mhash = hash(self.symbol)
        return enter_node(key, self)  # type: ignore[no-any-return]

    def __hash__(self) -> int:
        return self._mhash  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """The name, which cannot be assigned to: all formulas with this leaf share it."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        raise UntraceableMember("'name' of a symbolic array cannot be assigned to")

    def is_named_as(self, other: Leaf) -> bool:
        """Whether leaves differ in their symbol at most, so that one may be meant by the other."""
        ours = self.name, self.shape, self.dtype, self.facts
        return ours == (other.name, other.shape, other.dtype, other.facts)

    def made_of(self) -> tuple[Any, tuple[Any, ...]]:
        symbol = None if self.symbol == _usual_symbol(self.name, self.dtype) else self.symbol
        own = (symbol,) if symbol is not None or self.facts else ()
        facts = (tuple(self.facts),) if self.facts else ()
        return Leaf, (self.name, self.shape, self.dtype, *own, *facts)

    def _hashable_content(self) -> tuple[Any, ...]:
        return (
            self.name,
            str(self.shape) if is_named(self.shape) else self.shape,
            self.dtype.name,
            sympy.srepr(self.symbol),
            str(self.facts or ""),
        )


def differing(x: Leaf, y: Leaf) -> str:
    """Return the message for two leaves of one name."""
    if x.is_named_as(y):
        ours, theirs = sympy.srepr(x.symbol), sympy.srepr(y.symbol)
        return (
            f"two different leaves are named {x.name!r}: one stands for {ours} and one for "
            f"{theirs}; write the formula with one of them, or rename one"
        )
    if (x.shape, x.dtype) == (y.shape, y.dtype):
        ours, theirs = [str(leaf.facts or "of no facts") for leaf in (x, y)]
        return (
            f"two different leaves are named {x.name!r}: one is {ours} and one {theirs}; write the "
            "formula with one of them, or rename one"
        )
    return (
        f"two different leaves are named {x.name!r}: one of shape {x.shape} and dtype "
        f"{x.dtype.name}, one of shape {y.shape} and dtype {y.dtype.name}; rename one of them"
    )


def _usual_symbol(name: str, kind: dtype) -> sympy.Symbol:
    """Return the symbol of a name, with the assumptions that a dtype gives."""
    if kind.is_complex:
        return sympy.Symbol(name, complex=True)
    if kind.category == Category.INT:
        return sympy.Symbol(name, integer=True)
    return sympy.Symbol(name, real=True)


def dtype_of_symbol(symbol: sympy.Symbol) -> dtype:
    """Return the dtype of the leaf that a symbol becomes: float64, unless it is declared complex.

    A symbol is declared complex if SymPy assumes that it is complex, or not real, and does not
    assume that it is an extended real number.
    """
    is_complex = symbol.is_complex or symbol.is_real is False
    return complex128 if is_complex and not symbol.is_extended_real else float64


class OwnLeaf(Leaf):
    """A leaf of the library, which no formula of SymPy has, nor any formula of a user."""

    #: It has none.
    facts = None

    __slots__ = ()
    __hash__ = ArrayExpr.__hash__

    def _stands_for(self, other: object) -> bool:
        return False

    @property
    def symbol(self) -> sympy.Symbol:
        """The symbol that stands for the leaf in formulas of SymPy."""
        return _usual_symbol(self.name, self.dtype)


class Placeholder(OwnLeaf):
    """A leaf that the library makes, which is never the same object as a leaf of a user."""

    __slots__ = ()

    def __new__(cls, name: str, shape: Shape = (), kind: dtype = float64) -> Placeholder:
        key = (Placeholder, name, shape, kind)
        found = find_node(key)
        if found is not None:
            return found  # type: ignore[no-any-return]
        self = new_atom(cls, tuple(shape), kind)
        self._name = name
        return enter_node(key, self)  # type: ignore[no-any-return]

    def made_of(self) -> tuple[Any, tuple[Any, ...]]:
        return Placeholder, (self.name, self.shape, self.dtype)


def _check_shape(shape: Sequence[int]) -> Shape:
    if isinstance(shape, (int, np.integer, str, NamedSize)):
        shape = (shape,)
    if not isinstance(shape, Iterable):
        raise TypeError(f"a shape is a sequence of integers, got {type(shape).__name__}")
    dims = tuple(shape)
    if len(dims) > MAX_AXES:
        raise ValueError(too_many_axes(len(dims)))
    return tuple([n if type(n) is int and n >= 0 else _check_size(n, dims) for n in dims])


def _check_size(n: Any, shape: tuple[Any, ...]) -> int:
    kind = type(n)
    if issubclass(kind, str):
        return named_size(n)
    if issubclass(kind, NamedSize):
        return whole(n)
    if not issubclass(kind, (int, np.integer)) or kind is bool or n < 0:
        raise TypeError(f"a shape holds non-negative integers, or names of sizes, got {shape!r}")
    return int(n)


class Const(ArrayExpr):
    """A 0-d constant.

    A `weak` constant is a Python number, which never decides the dtype of a result. Its value may
    be exact (a rational number of SymPy, `pi`). Any other constant has a dtype of its own.
    """

    __slots__ = ("value",)
    value: Any
    is_Atom = True

    @property
    def is_number(self) -> bool:  # type: ignore[override]
        """Whether it has a value; it has none where that is a named size."""
        return type(self.value) is not NamedSize

    def __new__(cls, value: Any, kind: dtype | None = None) -> Const:
        value = _python_number(value)
        key = (Const, key_of(value), kind, kind or _number_dtype(value))
        found = find_node(key)
        if found is not None:
            return found  # type: ignore[no-any-return]
        self = new_atom(cls, (), kind or _number_dtype(value))
        self.value = value
        self.weak = kind is None
        self._known_support = EVERYWHERE if value != 0 else NOWHERE
        return enter_node(key, self)  # type: ignore[no-any-return]

    @property
    def number(self) -> complex:
        """The value as a Python number (`bool`, `int`, `float` or `complex`)."""
        value = self.value
        if isinstance(value, Basic):
            approx = sympy.N(value, 17)
            value = float(approx) if approx.is_real is not False else complex(approx)
        if self.weak or self.dtype.is_complex:
            return value  # type: ignore[no-any-return]
        if self.dtype.is_floating_point:
            return float(value)
        return bool(value) if self.dtype is bool_ else int(value)

    def value_in(self, kind: Any) -> Any:
        """Return the value that operations in a dtype read.

        A dtype of its own may have rounded it: the 0.1 of float32 is another number in float64.

        Examples
        --------
        >>> from symgrad import float32, float64
        >>> [Const(0.1, made).value_in(float64) for made in (None, float64, float32)]
        [0.1, 0.1, 0.10000000149011612]
        """
        if self.weak or self.dtype is kind or type(self.value) not in (int, float, complex):
            return self.value
        return self.dtype.numpy.type(self.value).item()

    def made_of(self) -> tuple[Any, tuple[Any, ...]]:
        return Const, (self.value, None if self.weak else self.dtype)

    def __bool__(self) -> bool:
        return bool(self.value != 0)

    def __float__(self) -> float:
        number: Any = self.number
        return float(number)

    def __int__(self) -> int:
        number: Any = self.number
        return int(number)

    def __complex__(self) -> complex:
        return complex(self.number)

    def _hashable_content(self) -> tuple[Any, ...]:
        return (repr(key_of(self.value)), self.dtype.name, self.weak)


def _python_number(value: Any) -> Any:
    if type(value) in (int, float, bool, complex):
        return value
    if isinstance(value, NamedSize):
        return whole(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Basic):
        if isinstance(value, sympy.Integer):
            return int(value)
        if isinstance(value, sympy.Float):
            return float(value)
        if value in (sympy.oo, -sympy.oo, sympy.nan):
            return float(value)
        if value.is_number and value.is_extended_real:
            return value
        if value.is_number:
            # Of an unevaluated sum SymPy does not know whether it is real; of its value it does.
            unknown = value.is_extended_real is None
            return value if unknown and sympy.N(value, 17).is_real else complex(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, numbers.Complex):
        return complex(value)
    raise TypeError(f"a constant must be a number, got {type(value).__name__}")


def _number_dtype(value: Any) -> dtype:
    if type(value) is NamedSize:
        return int64
    return default_dtype() if isinstance(value, Basic) else dtype_of_number(value)


class ArrayConst(ArrayExpr):
    """A constant array: a read-only copy, interned by its content."""

    __slots__ = ("digest", "value")
    value: np.ndarray[Any, Any]
    digest: str
    is_Atom = True

    def __new__(cls, value: Any) -> ArrayConst:
        array = np.array(value, order="C")
        kind = from_numpy_dtype(array.dtype)
        digest = hashlib.blake2b(array.tobytes(), digest_size=16).hexdigest()
        key = (ArrayConst, array.shape, kind, digest)
        found = find_node(key)
        if found is not None:
            return found  # type: ignore[no-any-return]
        self = new_atom(cls, array.shape, kind)
        array.flags.writeable = False
        self.value = array
        self.digest = digest
        return enter_node(key, self)  # type: ignore[no-any-return]

    def made_of(self) -> tuple[Any, tuple[Any, ...]]:
        return ArrayConst, (self.value,)

    def _hashable_content(self) -> tuple[Any, ...]:
        return (self.digest, self.shape, self.dtype.name)


def is_const(e: object, value: float) -> bool:
    """Return whether `e` is the constant `value`, of any dtype."""
    return type(e) is Const and type(e.value) in (int, float) and bool(e.value == value)


def is_named_number(e: ArrayExpr) -> bool:
    """Return whether `e` is computed from a named size and other numbers, by one operation."""
    return all(type(x) is Const for x in e.operands) and any(
        type(x.value) is NamedSize for x in e.operands if isinstance(x, Const)
    )


#: Returns the expression of a formula of SymPy, given the expressions of some symbols.
of_scalar: FromAbove[Callable[[Basic, Mapping[Any, Any]], ArrayExpr]] = FromAbove(
    "symgrad.forms.from_sympy"
)


@as_expression.state
def as_expr(value: Any) -> ArrayExpr:
    """Return `value` as an expression.

    A number becomes a weak constant, a NumPy array a constant of its dtype, and a formula of SymPy
    an expression in which symbols are 0-d float64 leaves. A string raises TypeError: it is never
    parsed.
    """
    if isinstance(value, ArrayExpr):
        return value
    if isinstance(value, (int, float, complex, np.generic, np.bool_, NamedSize)):
        return Const(value)
    if isinstance(value, np.ndarray):
        return ArrayConst(value)
    if isinstance(value, Basic):
        return _from_scalar(value)
    if isinstance(value, numbers.Number):
        return Const(value)
    raise TypeError(f"expected an expression, a number or an array, got {type(value).__name__}")


def number_of(x: Any) -> Any:
    """Return Python's number for a number of SymPy's, and any other object as it is.

    Examples
    --------
    >>> import sympy
    >>> number_of(sympy.Rational(1, 4)), number_of(2 * sympy.I), number_of("2")
    (0.25, 2j, '2')
    """
    is_number = isinstance(x, sympy.Expr) and not isinstance(x, ArrayExpr) and x.is_number
    return Const(x).number if is_number and x is not sympy.zoo else x


def _from_scalar(value: Basic) -> ArrayExpr:
    if value.is_number and not isinstance(value, sympy.logic.boolalg.Boolean):
        return Const(value)
    return of_scalar.call(value, {})
