"""The nodes of expressions: the table of living nodes, and the class `ArrayExpr`.

A node is interned: equal structure is the same object. Its methods do not recurse. Nodes without
operands are defined in `symgrad.expr.atoms`, operations in `symgrad.ops.primitive`.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeGuard

from sympy.core.basic import Basic
from sympy.core.expr import Expr

from symgrad.expr.dtypes import bool_, dtype
from symgrad.expr.shapes import Shape, size_of
from symgrad.expr.size import count_of
from symgrad.support.above import FromAbove
from symgrad.support.frames import is_of_libraries
from symgrad.support.locks import new_lock
from symgrad.support.untraceable import (
    UntraceableMember,
    UntraceableValue,
    in_trace,
    is_asked_by_traced_code,
    is_traced,
)


class _Entry(weakref.ref[Basic]):
    __slots__ = ("key",)
    key: tuple[Any, ...]


#: Returns the class of a formula that another library asks for, which may not be that of Python's.
class_asked_for: FromAbove[Callable[[Any], type[Any]]] = FromAbove("symgrad.forms.door")

#: In place of `__class__`, in the body of a class.
seen_class = property(lambda self: class_asked_for.call(self))

_assumed_complex = Expr.is_complex.fget

# The table of all living nodes, by their structure.
_nodes: dict[tuple[Any, ...], _Entry] = {}
_lock = new_lock()


def _forget(
    entry: Any,
    nodes: dict[Any, Any] = _nodes,
    lock: Any = _lock,
    ends: Callable[[], bool] = sys.is_finalizing,
) -> None:
    # When the interpreter ends, arguments still exist, and the global names of modules do not, by
    # which two keys are compared.
    if ends():
        return
    key = entry.key
    with lock:
        if nodes.get(key) is entry:
            del nodes[key]


def find_node(key: tuple[Any, ...]) -> Any:
    """Return the living node of a key; None where there is none."""
    entry = _nodes.get(key)
    return None if entry is None else entry()


def enter_node(key: tuple[Any, ...], node: Any) -> Any:
    """Enter `node` under `key`, or return the node that another thread entered first."""
    new = _Entry(node, _forget)
    new.key = key
    entry = _nodes.setdefault(key, new)  # one step, so that threads agree without the lock
    if entry is new:
        return node
    with _lock:
        entry = _nodes.setdefault(key, new)
        found = entry()
        if found is None:  # the entry of a node that is gone, which `_forget` has not removed yet
            _nodes[key] = new
            found = node
    return found


#: The support of a value that no mask makes zero (`symgrad.ops.masks`).
EVERYWHERE: tuple[tuple[ArrayExpr, ...], ...] = ((),)
#: The support of a value that masks make zero in all of its elements.
NOWHERE: tuple[tuple[ArrayExpr, ...], ...] = ()
# In the place of the support of a node that consists of the node itself.
_ITSELF: Any = object()


if TYPE_CHECKING:
    # What the other layers give to formulas, declared: a class of SymPy would be of type Any.
    from symgrad.expr import _members

    _Members = _members.Formulas
else:
    _Members = Expr


class ArrayExpr(_Members):
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

    # `_known_support` is the support (`symgrad.ops.masks`), and `_known_door` what SymPy sees of
    # the node (`symgrad.forms.plain_form`); None until they are computed. `sources` are the leaves
    # of formulas that this one was derived from (`symgrad.expr.sources`), None for most nodes.
    __slots__ = (
        "__weakref__", "_known_door", "_known_support", "dtype", "operands", "shape", "sources",
        "weak",
    )  # fmt: skip
    shape: Shape
    dtype: dtype
    operands: tuple[ArrayExpr, ...]
    sources: dict[Any, bool] | None
    _known_door: Any

    is_commutative = True
    is_number = False
    #: Whether the node prints as the formula `expanded()`; its name then belongs to the record.
    is_known_by_formula: ClassVar[bool] = False
    #: Whether formulas show the node by its `given_name`, defined above them as its operand.
    is_known_by_name: ClassVar[bool] = False
    #: Whether operands are repeated along axes that the result has and they have not.
    broadcasts: ClassVar[bool] = False
    #: How the operation passes masks on (`symgrad.ops.masks`); None: it does not.
    keeps_zeros: ClassVar[Any] = None
    #: Whether the node is computed from Python numbers alone, which never decide a dtype.
    weak: bool
    _op_priority = 20.0
    #: NumPy's functions of formulas return formulas (`symgrad.members` installs how).
    __array_ufunc__: Any = None
    __array_function__: Any

    def expanded(self) -> ArrayExpr:
        """Return the formula that the node stands for: by default the node itself."""
        return self

    def made_of(self) -> tuple[Any, tuple[Any, ...]]:
        """Return a function and the arguments with which it makes the node again."""
        raise NotImplementedError

    @property
    def _support(self) -> Any:
        """Where the value may differ from zero; None until it is computed."""
        found = self._known_support
        return ((self,),) if found is _ITSELF else found

    @_support.setter
    def _support(self, found: Any) -> None:
        # A node that referred to itself would not be freed before a garbage collection.
        self._known_support = _ITSELF if found == ((self,),) else found

    # Equality and hashing are by identity; SymPy's own would walk the structure. A user's function
    # that is traced compares values, as it does when it runs.
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Any:
        if is_asked_by_traced_code() and _is_operand(other):
            return self.eq(other)
        return self is other or self._stands_for(other)

    def __ne__(self, other: object) -> Any:
        if is_asked_by_traced_code() and _is_operand(other):
            return self.ne(other)
        return self is not other and not self._stands_for(other)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements, as of NumPy's arrays; for users, what can be called (`Count`)."""
        if is_of_libraries(sys._getframe(1).f_code.co_filename):
            return size_of(self.shape)
        return count_of(self.shape)

    def dim(self) -> int:
        """Return the number of axes."""
        return len(self.shape)

    def numel(self) -> int:
        """Return the number of elements."""
        return size_of(self.shape)

    if TYPE_CHECKING:  # `symgrad.forms` states these

        def __format__(self, spec: str) -> str: ...
        def __index__(self) -> int: ...
        def __iter__(self) -> Iterator[ArrayExpr]: ...
        def _stands_for(self, other: object) -> bool: ...

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError(
                "len() of a 0-d tensor; where SymPy takes a formula for a list, pass "
                "e.to_sympy() instead"
            )
        return self.shape[0]

    def __setitem__(self, index: Any, value: Any) -> None:
        raise UntraceableValue(
            "a symbolic array has no memory to write into: choose between values with "
            "symgrad.where(condition, a, b), or put them there with index_put"
        )

    @property
    def is_complex(self) -> Any:
        """SymPy's assumption, and in traced code the method of tensors of that name."""
        if is_asked_by_traced_code():
            return lambda: self.dtype.is_complex
        return _assumed_complex(self)

    #: The class of tensors; its attributes that formulas lack raise `UntraceableMember`.
    _tensors: ClassVar[type[Any]] = object

    def __getattr__(self, name: str) -> Any:
        what = f"a formula has no {name!r}"
        if not any(name in vars(cls) for cls in self._tensors.__mro__):
            raise AttributeError(what, name=name, obj=self)
        raise UntraceableMember(
            f"{what}: {in_trace()}an array has a formula, and no elements, memory or history; "
            "e.evaluate(...) computes the elements"
        )

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self


def _is_operand(x: object) -> TypeGuard[Any]:
    return isinstance(x, (int, float, complex)) or hasattr(x, "dtype")


def stands_for_tensor(x: Any) -> bool:
    """Return whether `x` is a formula in the place of a tensor, in a function that is traced."""
    return isinstance(x, ArrayExpr) and is_traced()


def refusal_of(x: Any) -> type[TypeError]:
    """Return the class of the error for an argument that is no tensor, which may be a formula."""
    return UntraceableValue if isinstance(x, ArrayExpr) else TypeError


def intern(
    cls: type[Any],
    operands: tuple[ArrayExpr, ...],
    params: tuple[Basic, ...],
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
    self._mhash = self.sources = self._known_door = None
    self._known_support = None if kind is bool_ else EVERYWHERE
    if cls.keeps_zeros is not None:
        for x in operands:
            if x._known_support is not EVERYWHERE:
                self._known_support = None
                break
    self._assumptions = cls.default_assumptions
    self.operands = operands
    self.shape = shape
    self.dtype = kind
    self.weak = bool(operands) and operands[0].weak and cls.keeps_weak and _all_weak(operands)
    return enter_node(key, self)


def _all_weak(operands: tuple[ArrayExpr, ...]) -> bool:
    return all(x.weak for x in operands)
