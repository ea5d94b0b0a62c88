"""The nodes of expressions: `ArrayExpr`, its atoms `Leaf`, `Const`, `ArrayConst`, and `Static`.

A node is interned (equal structure is the same object), and has no values of arrays but those of
constants. Its methods do not recurse. Operations are defined in `symgrad.ops.primitive`.
"""

from __future__ import annotations

import hashlib
import numbers
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import sympy
from sympy.core.basic import Basic
from sympy.core.expr import Expr

from numeric.identifiers import identifier
from symgrad.expr.dtypes import (
    bool_,
    default_dtype,
    dtype,
    dtype_of_number,
    float64,
    from_numpy_dtype,
)
from symgrad.expr.escaping import latex_text
from symgrad.expr.keys import key_of
from symgrad.expr.shapes import Shape, size_of
from symgrad.support.above import FromAbove
from symgrad.support.locks import new_lock
from symgrad.support.refusals import MAX_AXES, too_many_axes
from symgrad.support.untraceable import UntraceableMember, UntraceableValue

__all__ = [
    "ArrayConst",
    "ArrayExpr",
    "Const",
    "Leaf",
    "Placeholder",
    "Static",
    "as_expr",
    "check_name",
    "intern",
    "is_const",
    "leaf",
    "of_scalar",
    "refusal_of",
]


class _Entry(weakref.ref["ArrayExpr | Static"]):
    __slots__ = ("key",)
    key: tuple[Any, ...]


# The table of all living nodes, by their structure.
_nodes: dict[tuple[Any, ...], _Entry] = {}
_lock = new_lock()


def _forget(entry: Any, nodes: dict[Any, Any] = _nodes, lock: Any = _lock) -> None:
    # When the interpreter ends, arguments still exist, and the global names of modules do not.
    key = entry.key
    with lock:
        if nodes.get(key) is entry:
            del nodes[key]


def _find(key: tuple[Any, ...]) -> Any:
    entry = _nodes.get(key)
    return None if entry is None else entry()


def _keep(key: tuple[Any, ...], node: Any) -> Any:
    """Enter `node` under `key`, or return the node that another thread entered first."""
    new = _Entry(node, _forget)
    new.key = key
    with _lock:
        entry = _nodes.setdefault(key, new)
        if entry is not new:
            found = entry()
            if found is not None:
                return found
            _nodes[key] = new
    return node


class Static(Basic):  # type: ignore[misc]
    """A parameter of an operation (axes, a dtype, an index) as an atom of the expression."""

    __slots__ = ("__weakref__", "value")
    value: Any
    is_Atom = True

    def __new__(cls, value: Any) -> Static:
        key = (Static, type(value), value if _is_flat(value) else key_of(value))
        found = _find(key)
        if found is not None:
            return found  # type: ignore[no-any-return]
        if isinstance(value, np.ndarray):  # its owner may write into it
            value = value.copy()
            value.flags.writeable = False
        self = object.__new__(cls)
        self._args = ()
        self._mhash = None
        self._assumptions = cls.default_assumptions
        self.value = value
        return _keep(key, self)  # type: ignore[no-any-return]

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


# In the place of the support of a node that consists of the node itself.
_ITSELF: Any = object()


class ArrayExpr(Expr):  # type: ignore[misc]
    """A formula whose value is an array.

    Attributes
    ----------
    shape : tuple of int
        The shape of the value.
    dtype : symgrad.dtype
        The element type of the value.
    operands : tuple of ArrayExpr
        The nodes that this node is computed from. `args` are these, followed by the parameters.
    """

    # `_known_support` is the support that `symgrad.ops.masks` found.
    __slots__ = ("__weakref__", "_known_support", "dtype", "operands", "shape", "weak")
    shape: Shape
    dtype: dtype
    operands: tuple[ArrayExpr, ...]

    is_commutative = True
    is_number = False
    #: Whether the node prints as the formula `expanded()`; its name then belongs to the record.
    is_known_by_formula: ClassVar[bool] = False
    #: Whether the node is computed from Python numbers alone, which never decide a dtype.
    weak: bool
    _op_priority = 20.0
    #: NumPy's functions of formulas return formulas (`symgrad.members` installs how).
    __array_ufunc__: Any = None
    __array_function__: Any

    def expanded(self) -> ArrayExpr:
        """Return the formula that the node stands for: by default the node itself."""
        return self

    @property
    def _support(self) -> Any:
        """Where the value may differ from zero; None until it is computed."""
        found = self._known_support
        return ((self,),) if found is _ITSELF else found

    @_support.setter
    def _support(self, found: Any) -> None:
        # A node that referred to itself would not be freed before a garbage collection.
        self._known_support = _ITSELF if found == ((self,),) else found

    # Equality and hashing are by identity; SymPy's own would walk the structure.
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return size_of(self.shape)

    def dim(self) -> int:
        """Return the number of axes."""
        return len(self.shape)

    def numel(self) -> int:
        """Return the number of elements."""
        return size_of(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __bool__(self) -> bool:
        raise UntraceableValue(
            "the truth value of a symbolic array is not known while its function is traced; "
            "choose between values with symgrad.where(condition, a, b)"
        )

    # SymPy's own methods would try to compute a number.
    def __float__(self) -> float:
        raise _no_number("float")

    def __int__(self) -> int:
        raise _no_number("int")

    def __complex__(self) -> complex:
        raise _no_number("complex")

    def __index__(self) -> int:
        raise _no_number("integer")

    def __round__(self, ndigits: Any = None) -> Any:
        raise _no_number("round")

    def __trunc__(self) -> int:
        raise _no_number("trunc")

    def __floor__(self) -> int:
        raise _no_number("floor")

    def __ceil__(self) -> int:
        raise _no_number("ceil")

    def __format__(self, spec: str) -> str:
        if spec:
            raise _no_number("format")
        return str(self)

    def __setitem__(self, index: Any, value: Any) -> None:
        raise UntraceableValue(
            "a symbolic array has no memory to write into: choose between values with "
            "symgrad.where(condition, a, b), or put them there with index_put"
        )

    #: The class of tensors; its attributes that formulas lack raise `UntraceableMember`.
    _tensors: ClassVar[type[Any]] = object

    def __getattr__(self, name: str) -> Any:
        what = f"{type(self).__name__!r} object has no attribute {name!r}"
        if not any(name in vars(cls) for cls in self._tensors.__mro__):
            raise AttributeError(what, name=name, obj=self)
        raise UntraceableMember(
            f"{what}: while its function is traced, an array has a formula and no elements"
        )

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    if TYPE_CHECKING:  # `symgrad.members` installs these; SymPy declares no types

        def __neg__(self) -> ArrayExpr: ...
        def __add__(self, other: Any) -> ArrayExpr: ...
        def __radd__(self, other: Any) -> ArrayExpr: ...
        def __sub__(self, other: Any) -> ArrayExpr: ...
        def __rsub__(self, other: Any) -> ArrayExpr: ...
        def __mul__(self, other: Any) -> ArrayExpr: ...
        def __rmul__(self, other: Any) -> ArrayExpr: ...
        def __truediv__(self, other: Any) -> ArrayExpr: ...
        def __rtruediv__(self, other: Any) -> ArrayExpr: ...
        def __pow__(self, other: Any) -> ArrayExpr: ...
        def __rpow__(self, other: Any) -> ArrayExpr: ...
        def __matmul__(self, other: Any) -> ArrayExpr: ...
        def __rmatmul__(self, other: Any) -> ArrayExpr: ...
        def __getitem__(self, index: Any) -> ArrayExpr: ...
        def __lt__(self, other: Any) -> ArrayExpr: ...
        def __le__(self, other: Any) -> ArrayExpr: ...
        def __gt__(self, other: Any) -> ArrayExpr: ...
        def __ge__(self, other: Any) -> ArrayExpr: ...
        def __and__(self, other: Any) -> ArrayExpr: ...
        def __or__(self, other: Any) -> ArrayExpr: ...
        def __invert__(self) -> ArrayExpr: ...
        def abs(self) -> ArrayExpr: ...
        def broadcast_to(self, size: Shape) -> ArrayExpr: ...
        def conj(self) -> ArrayExpr: ...
        def exp(self) -> ArrayExpr: ...
        def log(self) -> ArrayExpr: ...
        def reshape(self, shape: Any) -> ArrayExpr: ...
        def sqrt(self) -> ArrayExpr: ...
        @property
        def real(self) -> ArrayExpr: ...


def refusal_of(x: Any) -> type[TypeError]:
    """Return the class of the error for an argument that is no tensor, which may be a formula."""
    return UntraceableValue if isinstance(x, ArrayExpr) else TypeError


def _no_number(what: str) -> UntraceableValue:
    return UntraceableValue(
        f"a symbolic array has no value that {what}() could take: it is not known while its "
        "function is traced"
    )


def intern(
    cls: type[Any],
    operands: tuple[ArrayExpr, ...],
    params: tuple[Static, ...],
    shape: Shape,
    kind: dtype,
) -> Any:
    """Return the node `cls(*operands, *params)`, made when it does not exist yet."""
    args = operands + params
    key = (cls, args, kind)  # the dtype may follow from the default dtype, which can change
    entry = _nodes.get(key)
    if entry is not None:
        found = entry()
        if found is not None:
            return found
    self = object.__new__(cls)
    self._args = args
    self._mhash = self._known_support = None
    self._assumptions = cls.default_assumptions
    self.operands = operands
    self.shape = shape
    self.dtype = kind
    self.weak = bool(operands) and operands[0].weak and cls.keeps_weak and _all_weak(operands)
    return _keep(key, self)


def _all_weak(operands: tuple[ArrayExpr, ...]) -> bool:
    return all(x.weak for x in operands)


def new_atom(cls: type[Any], shape: Shape, kind: dtype) -> Any:
    """Return a new node without operands, which no table holds yet."""
    self = object.__new__(cls)
    self._args = self.operands = ()
    self._mhash = self._known_support = None
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
    """An input of a formula: a name with a shape and a dtype."""

    __slots__ = ("_name",)
    _name: str
    is_Atom = True
    is_symbol = True
    _diff_wrt = True

    def __new__(cls, name: str, shape: Sequence[int] = (), kind: dtype = float64) -> Leaf:
        key = (Leaf, name, shape, kind)
        try:
            found = _find(key)
        except TypeError:  # a list for a shape
            found = None
        if found is not None:
            return found  # type: ignore[no-any-return]
        dims = _check_shape(shape)
        if not isinstance(kind, dtype):
            raise TypeError(f"leaf(): dtype must be a symgrad dtype, got {kind!r}")
        name = check_name(name)  # which may have had another form
        key = (Leaf, name, dims, kind)
        found = _find(key)
        if found is not None:
            return found  # type: ignore[no-any-return]
        self = new_atom(cls, dims, kind)
        self._name = name
        return _keep(key, self)  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """The name, which cannot be assigned to: all formulas with this leaf share it."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        raise UntraceableMember("'name' of a symbolic array cannot be assigned to")

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return Leaf, (self.name, self.shape, self.dtype)

    def _hashable_content(self) -> tuple[Any, ...]:
        return (self.name, self.shape, self.dtype.name)


class Placeholder(Leaf):
    """A leaf that the library makes, which is never the same object as a leaf of a user."""

    __slots__ = ()

    def __new__(cls, name: str, shape: Shape = (), kind: dtype = float64) -> Placeholder:
        key = (Placeholder, name, shape, kind)
        found = _find(key)
        if found is not None:
            return found  # type: ignore[no-any-return]
        self = new_atom(cls, shape, kind)
        self._name = name
        return _keep(key, self)  # type: ignore[no-any-return]

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return Placeholder, (self.name, self.shape, self.dtype)


def _check_shape(shape: Sequence[int]) -> Shape:
    if isinstance(shape, (int, np.integer)):
        shape = (int(shape),)
    if not isinstance(shape, Iterable):
        raise TypeError(f"a shape is a sequence of integers, got {type(shape).__name__}")
    dims = tuple(shape)
    for n in dims:
        kind: type = type(n)
        if not issubclass(kind, (int, np.integer)) or kind is bool or n < 0:
            raise TypeError(f"a shape holds non-negative integers, got {dims!r}")
    if len(dims) > MAX_AXES:
        raise ValueError(too_many_axes(len(dims)))
    return tuple(int(n) for n in dims)


def leaf(name: str, shape: Sequence[int] = (), dtype: dtype = float64) -> Leaf:
    """Return the input `name` of formulas.

    Parameters
    ----------
    name : str
        A Python identifier that is no keyword.
    shape : sequence of int
        The shape of its values; `()` for a number.
    dtype : symgrad.dtype
        The element type of its values.

    Returns
    -------
    Leaf
        The same object for the same arguments.

    Raises
    ------
    ValueError
        If `name` is no identifier.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (3,))
    >>> x is symgrad.leaf("x", (3,))
    True
    """
    return Leaf(name, shape, dtype)


class Const(ArrayExpr):
    """A 0-d constant.

    A `weak` constant is a Python number, which never decides the dtype of a result. Its value may
    be exact (a rational number of SymPy, `pi`). Any other constant has a dtype of its own.
    """

    __slots__ = ("value",)
    value: Any
    is_Atom = True
    is_number = True

    def __new__(cls, value: Any, kind: dtype | None = None) -> Const:
        value = _python_number(value)
        key = (Const, key_of(value), kind, kind or _number_dtype(value))
        found = _find(key)
        if found is not None:
            return found  # type: ignore[no-any-return]
        self = new_atom(cls, (), kind or _number_dtype(value))
        self.value = value
        self.weak = kind is None
        return _keep(key, self)  # type: ignore[no-any-return]

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

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
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
            return complex(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, numbers.Complex):
        return complex(value)
    raise TypeError(f"a constant must be a number, got {type(value).__name__}")


def _number_dtype(value: Any) -> dtype:
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
        found = _find(key)
        if found is not None:
            return found  # type: ignore[no-any-return]
        self = new_atom(cls, array.shape, kind)
        array.flags.writeable = False
        self.value = array
        self.digest = digest
        return _keep(key, self)  # type: ignore[no-any-return]

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return ArrayConst, (self.value,)

    def _hashable_content(self) -> tuple[Any, ...]:
        return (self.digest, self.shape, self.dtype.name)


def is_const(e: object, value: float) -> bool:
    """Return whether `e` is the constant `value`, of any dtype."""
    return type(e) is Const and type(e.value) in (int, float) and bool(e.value == value)


#: Returns the expression of a formula of SymPy, given the expressions of some symbols.
of_scalar: FromAbove[Callable[[Basic, Mapping[Any, Any]], ArrayExpr]] = FromAbove(
    "symgrad.forms.from_sympy"
)


def as_expr(value: Any) -> ArrayExpr:
    """Return `value` as an expression.

    A number becomes a weak constant, a NumPy array a constant of its dtype, and a formula of SymPy
    an expression in which symbols are 0-d float64 leaves. A string raises TypeError: it is never
    parsed.
    """
    if isinstance(value, ArrayExpr):
        return value
    if isinstance(value, (int, float, complex, np.generic, np.bool_)):
        return Const(value)
    if isinstance(value, np.ndarray):
        return ArrayConst(value)
    if isinstance(value, Basic):
        return _from_scalar(value)
    if isinstance(value, numbers.Number):
        return Const(value)
    raise TypeError(f"expected an expression, a number or an array, got {type(value).__name__}")


def _from_scalar(value: Basic) -> ArrayExpr:
    if value.is_number and not isinstance(value, sympy.logic.boolalg.Boolean):
        return Const(value)
    return of_scalar.call(value, {})
