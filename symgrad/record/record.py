"""Recording: how an operation on tensors computes its result and leaves a node behind.

`record` takes any primitive. The short forms of elementwise operations, in which most programs
spend their time, are in `symgrad.record.short_forms`.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from symgrad.expr.atoms import Const, Static, as_expr
from symgrad.expr.dtypes import default_dtype, dtype, from_numpy_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Several
from symgrad.record import views
from symgrad.record.aval import Aval, aval_of, inference_aval
from symgrad.record.face import Face
from symgrad.record.graph_cuts import Cut, cut_by, cut_under_mode
from symgrad.record.modes import everywhere, state, unobserved
from symgrad.record.naming import Home
from symgrad.record.operations import Operation
from symgrad.record.python_numbers import NUMBERS, is_structural, number_kind
from symgrad.record.signature import Signature
from symgrad.record.signatures import param_kinds, signature, signatures
from symgrad.record.tape import Derived, LeafVertex, Node, Number
from symgrad.record.versions import Storage, clock
from symgrad.support.locks import making
from symgrad.support.quiet import quietly
from symgrad.support.untraceable import is_around, running_trace

_ndarray = np.ndarray
_asarray = np.asarray


class Recorded:
    """The base class of tensors: a value, and its place in the graph.

    Attributes
    ----------
    _data : numpy.ndarray
        The value.
    _aval : Aval
        Its shape and dtype.
    _vertex : LeafVertex, Node or None
        Its vertex in the graph; None as long as no recorded operation uses it.
    _rg : bool
        Whether it requires a gradient.
    """

    # These attributes are slots and not in `__dict__`, which belongs to the user: a user may copy
    # the `__dict__` to another tensor, which must keep its own value and vertex.
    __slots__ = ("__dict__", "__weakref__", "_aval", "_data", "_rg", "_vertex")

    _data: np.ndarray[Any, Any]
    _aval: Aval
    _vertex: Any
    _rg: bool
    _name: str = ""
    #: The tensor whose memory this one is a view of, and the views of this one.
    _base: Recorded | None = None
    _views: list[weakref.ref[Recorded]] | None = None
    #: The tensor that was the base before: this one took its place as the base of its views when
    #: the other was made to show other memory.
    _stands_for: weakref.ref[Recorded] | None = None
    #: The views of this one that stay outdated, since they must not be changed under record.
    _refused: list[weakref.ref[Recorded]] | None = None
    #: For a view: the operations that lead from the base to it, and the number of in-place reshapes
    #: of the base before the first of them. For a base: the operation that undoes each of its
    #: in-place reshapes (`symgrad.record.views`).
    _steps: views.Trail = None
    _reshapes_done: int = 0
    _reshapes: Sequence[views.Step] = ()
    #: Why a view may not be changed under record: "no_grad", "inference", "many", "function", or
    #: empty where it may.
    _restricted: str = ""
    #: Whether the user made this view itself require a gradient. A view of a base that requires one
    #: says that it requires one, too.
    _required: bool = False
    #: Whether it is a leaf that a transform of functions made to differentiate by.
    _is_variable: bool = False
    #: The tangent at the present dual level (`symgrad.backward.tangents`).
    _dual: Any = None
    #: Where a module keeps it, for its name in formulas.
    _home: Home | None = None
    #: The operation that cut it, or a tensor that it was computed from, off from the graph.
    _cut: Cut | None = None
    if TYPE_CHECKING:

        @property
        def expr(self) -> ArrayExpr: ...

    def _leaf(self) -> Any:
        """Return the vertex of a tensor that has none, or none that is up to date.

        It is the same in all threads that ask at once.
        """
        with making:
            vertex = self._vertex
            if vertex is None:
                vertex = self._vertex = LeafVertex(self, self._aval, self._name)
                if self._base is not None and self._base._rg and not self._required:
                    vertex.tensor = None  # `requires_grad` is True, and no gradient arrives
            elif not vertex:  # outdated
                vertex = self._vertex = views.renew(self)
            return vertex

    def _node(self) -> Node | None:
        """Return the vertex of what was computed under record; None for a leaf."""
        vertex = self._vertex
        if vertex.__class__ is views.Outdated:
            vertex = self._leaf()
        return vertex if isinstance(vertex, Node) else None

    def _storage(self) -> Storage:
        """Return the version counter of the memory, shared with its views."""
        vertex = self._vertex
        if vertex is None:
            vertex = self._leaf()
        storage: Storage | None = vertex.storage
        if storage is None:
            with making:
                storage = vertex.storage
                if storage is None:
                    storage = vertex.storage = Storage()
        return storage


# The class whose instances are results; `symgrad.tensor.tensor` sets it, once.
_tensor_class: Any = Recorded
_new: Callable[[Any], Any] = object.__new__


def set_result_class(cls: type[Recorded]) -> None:
    """Make results instances of `cls`."""
    global _tensor_class
    _tensor_class = cls


def result_class() -> Any:
    """Return the class whose instances are results."""
    return _tensor_class


def retyped(x: Any, cls: type[Any]) -> Any:
    """Return an instance of the subclass `cls` that replaces `x`, to which nothing refers."""
    out = _new(cls)
    out.__dict__.update(x.__dict__)
    out._data, out._aval, out._vertex, out._rg = x._data, x._aval, x._vertex, x._rg
    if out._vertex.__class__ is LeafVertex:
        out._vertex.tensor = weakref.ref(out)
    if out._base is not None:
        out._base._views.append(weakref.ref(out))
    return out


def wrap(data: Any, aval: Aval | None = None, vertex: Any = None) -> Any:
    """Return a tensor around an array."""
    out = _new(_tensor_class)
    if data.__class__ is not _ndarray:
        data = _asarray(data)
    out._data = data
    if aval is None:
        aval = aval_of(data.shape, from_numpy_dtype(data.dtype))
        if state.state.inference:
            aval = inference_aval(aval)
    out._aval = aval
    out._vertex = vertex
    out._rg = vertex is not None and vertex.requires_grad
    return out


def zeros(shape: Shape, kind: dtype, requires_grad: bool = False) -> Any:
    """Return a new leaf of zeros."""
    out = wrap(np.zeros(shape, kind.numpy))
    out._rg = requires_grad
    return out


def no_value(shape: Shape, kind: dtype) -> Any:
    """Return zeros in a recorded gradient, which are zeros in formulas of higher order, too."""
    key = (Const(0, kind), shape)
    sig = signatures(broadcast_to).get(key) or signature(
        broadcast_to, key, key[:1], (Static(shape),), (False,)
    )
    out = wrap(sig.call(kind.numpy.type(0)), sig.out)
    out._vertex = Derived(sig, (), (), clock())
    return out


def constant(value: Any) -> Any:
    """Return an array or number as a tensor that requires no gradient.

    An array object stays its owner's, who may give it another shape before a gradient is computed.
    """
    return shared(value.view()) if isinstance(value, np.ndarray) else wrap(np.asarray(value))


def shared(data: np.ndarray[Any, Any]) -> Any:
    """Return a tensor around an array that the user holds, who may write into it unnoticed."""
    out = wrap(data)
    out._storage().expose()
    return out


def record(
    cls: type[Primitive],
    operands: Sequence[Any],
    params: tuple[Any, ...] = (),
    result: Any = None,
    face: Face | None = None,
) -> Any:
    """Apply a primitive to tensors, numbers and arrays; at least one is a tensor.

    Parameters
    ----------
    cls, operands, params
        The primitive, and what it is applied to.
    result : numpy.ndarray, optional
        The value, if it need not be computed: it exists already, or will be written into memory.
    face : Face, optional
        What PyTorch's graph shows of the call, where that is not what it shows of the primitive.

    Returns
    -------
    Tensor or tuple of Tensor
        A tuple where the primitive has several results.
    """
    current = state.state
    special = current.special
    grad = True
    if special:
        get = special.get
        batching = get("batching")
        if batching is not None:
            mapped = batching.record(cls, operands, params)
            if mapped is not None:
                return mapped
        if get("compiling") and any(map(is_around, operands)):
            return _symbolic(cls, operands, params)
        grad = get("grad_mode", True) and not get("inference")
    key: list[Any] = [params, *param_kinds(params)] if params else [params]
    if face is not None:
        key.append(face)
    first = len(key)
    data: list[Any] = []
    variables: list[Any] = []
    base: Any = None
    for i, x in enumerate(operands):
        if not isinstance(x, Recorded):
            if isinstance(x, ArrayExpr):
                return _symbolic(cls, operands, params)
            x = read_operand(cls, i, x, operands, params)
            is_number = x.__class__ is Number
            if is_number or x.__class__ is Const:
                key += (x.sig if is_number else x, False)
                data.append(x.saved[0] if is_number else x.number)
                if is_number:
                    variables.append(x)
                continue
        key += (x._aval, x._rg and grad)
        data.append(x._data)
        variables.append(x)
        if base is None:
            base = x
    whole = tuple(key)
    sig = signatures(cls).get(whole)
    if sig is None:
        statics = tuple([Static(p) for p in params])
        sig = signature(cls, whole, whole[first::2], statics, whole[first + 1 :: 2], face)
    intermediates: Sequence[Any] = ()
    if result is None:
        try:
            result = current.run(sig.forward, *data)
        except RuntimeError:
            result = run_quietly(sig.forward, *data)
    elif sig.intermediates:
        intermediates = [None] * len(sig.intermediates)
    if result.__class__ is not _ndarray:
        if result.__class__ is tuple:
            if not sig.intermediates:
                return _results(sig, cls, operands, params, variables, data, result)
            result, *intermediates = result
        else:
            result = _asarray(result)
    out = _new(_tensor_class)
    out._data = result
    out._aval = sig.out
    if sig.records:
        saved: Any = ()
        if sig.pick is not None:
            saved = sig.pick((*data, result, *intermediates))
        out._vertex = Node(sig, _vertices(variables), saved, clock())
        out._rg = True
    else:
        replays = special and cls.keeps_history and special.get("replaying")
        out._vertex = vertex = _derived(sig, variables, data) if replays else None
        out._rg = vertex is not None and vertex.requires_grad
    if sig.is_view:
        views.register_view(out, base, sig)
    if not out._rg:
        out._cut = cut_of(cls, operands, grad)
    if special or everywhere:
        # A view is what the tensor is whose memory it shows.
        if special.get("inference") and not sig.is_view:
            out._aval = inference_aval(out._aval)
        if everywhere or not unobserved(special):
            for observe in current.observers():
                observe(cls, operands, params, out)
    return out


#: Stands for a cut that has not been computed.
_UNKNOWN: Any = object()


def _results(
    sig: Signature,
    cls: type[Primitive],
    operands: Sequence[Any],
    params: tuple[Any, ...],
    variables: Sequence[Any],
    data: Sequence[Any],
    results: tuple[Any, ...],
) -> tuple[Any, ...]:
    """Return the tensors of several results of one operation, as `record` does of one."""
    current = state.state
    special = current.special
    node = None
    if sig.records:
        saved = () if sig.pick is None else sig.pick((*data, *results))
        node = Operation(sig, _vertices(variables), saved, clock(), clock())
    outs: list[Any] = []
    inference = special and special.get("inference")
    grad = not special or (special.get("grad_mode", True) and not inference)
    is_view = sig.is_view
    source = next((x for x in operands if isinstance(x, Recorded)), None) if is_view else None
    cut: Any = _UNKNOWN
    for i, (array, aval) in enumerate(zip(results, sig.outs, strict=True)):
        out = _new(_tensor_class)
        out._data, out._aval = array, aval
        if node is not None and sig.results[i] is not None:
            out._vertex, out._rg = node.new_output(i), True
        else:
            out._vertex, out._rg = None, False
        if is_view:
            views.register_view(out, source, sig, i)
        elif inference:
            out._aval = inference_aval(aval)
        if not out._rg:
            if cut is _UNKNOWN:
                cut = cut_of(cls, operands, grad)
            out._cut = cut
        outs.append(out)
    if node is not None:
        count = len(operands)
        for k in sig.reads:
            if k >= count:  # a saved result may be changed when its vertex is gone
                node.storages[k - count] = outs[k - count]._storage()
    made = tuple(outs)
    if everywhere or (special and not unobserved(special)):
        for observe in current.observers():
            observe(cls, operands, params, made)
    return made


# The modes of a thread in which nothing observes operations.
_ALONE = frozenset(("grad_mode",))


def compute_one(cls: type[Several], index: int, x: Any, params: tuple[Any, ...]) -> Any:
    """Return one of the results of an operation on a tensor, and compute no other.

    Return None where a derivative or an observer needs the others.
    """
    current = state.state
    special = current.special
    if everywhere or (special and not _ALONE.issuperset(special)):
        return None
    grad = special.get("grad_mode", True)
    key = (params, *param_kinds(params), x._aval, False)
    sig = signatures(cls).get(key)
    if sig is None:
        statics = tuple([Static(p) for p in params])
        sig = signature(cls, key, (x._aval,), statics, (False,))
    if x._rg and grad and sig.outs[index].dtype.differentiable:
        return None
    out = wrap(current.run(sig.single(index), x._data), sig.outs[index])
    out._cut = cut_of(cls, (x,), grad)
    return out


def read_operand(
    cls: type[Primitive], i: int, x: Any, operands: Sequence[Any], params: tuple[Any, ...]
) -> Any:
    """Return an operand as a tensor, a number of the structure (`Const`), or a varying `Number`.

    Raises
    ------
    TypeError
        If it is neither a tensor nor an array nor a number.
    """
    if isinstance(x, (Recorded, Number)):  # a `Number` of another graph is an input of its plan
        return x
    if isinstance(x, np.generic):
        # NumPy's truth values count as floats, as they do for PyTorch.
        x = float(x) if isinstance(x, np.bool_) else x.item()
    if x.__class__ in NUMBERS:
        if is_structural(cls, i, x, operands, params):
            # Of -0.0 and 0.0, which are equal, each is another number.
            return _number(x.__class__.__name__, x, default_dtype()) if x else Const(x)
        return Number(number_kind(x.__class__), x)
    if isinstance(x, np.ndarray):
        return constant(x)
    kinds: tuple[Any, ...] = (int, float, complex)
    for kind in kinds:
        if isinstance(x, kind):  # such as a member of an enumeration
            return read_operand(cls, i, kind(x), operands, params)
    raise TypeError(f"{cls.__name__} computes with tensors, not with {type(x).__name__}")


@functools.lru_cache(maxsize=256)
def _number(kind: str, x: Any, default: dtype) -> Const:
    """Return a number of the structure, which has the dtype that numbers have by default."""
    return Const(x)


def cut_of(cls: type[Primitive], operands: Sequence[Any], enabled: bool) -> Cut | None:
    """Return the cut of an unrecorded result, or of an operand; None if nothing was cut off."""
    found = None
    for x in operands:
        if isinstance(x, Recorded):
            if x._rg:
                return cut_by(cls.__name__, x) if enabled else cut_under_mode(cls.__name__)
            found = found or x._cut
    return found


def unrecorded(cls: type[Primitive], x: Any, other: Any) -> Signature | None:
    """Return the signature of an unrecorded operation on a tensor and a tensor or number.

    Return None for other operands.
    """
    kind = other.__class__
    if kind is _tensor_class:
        spec: Any = other._aval
    elif kind is int or kind is float:
        spec = number_kind(kind)
    else:
        return None
    key = (x._aval, spec, False, False)
    return signatures(cls).get(key) or signature(cls, key, (x._aval, spec), (), (False, False))


def _vertices(variables: Sequence[Any]) -> tuple[Any, ...]:
    """Return the vertices of operands, each of which is a tensor or a `Number`."""
    return tuple([x if x.__class__ is Number else x._vertex or x._leaf() for x in variables])


def _derived(sig: Signature, variables: Sequence[Any], data: Sequence[Any]) -> Derived | None:
    """Return the `Derived` vertex of a mask, or of a value with a mask, in a recorded gradient.

    Return None for other results.
    """
    vertices = _vertices(variables)
    stated = not sig.cls.differentiable or sig.masks
    if not stated and not any(x.__class__ is Derived for x in vertices):
        return None
    return Derived(sig, vertices, () if sig.pick is None else sig.pick(data), clock())


def run_quietly(call: Callable[..., Any], *data: Any) -> Any:
    """Call a function without NumPy's warnings, also where a context is entered already."""
    try:
        return state.state.run(call, *data)
    except RuntimeError as error:
        # A finaliser may record while this thread's context is entered already.
        if "cannot enter context" not in str(error):
            raise
        return quietly(call, *data)


def _symbolic(cls: type[Primitive], operands: Sequence[Any], params: tuple[Any, ...]) -> ArrayExpr:
    return cls.of(*[as_formula(x) for x in operands], *params)


def as_formula(x: Any) -> ArrayExpr:
    """Return an operand of a formula as a formula.

    A tensor that requires a gradient becomes its own formula, so that derivatives reach its leaves.
    Any other tensor becomes a constant. While a function is compiled, each stands for its value at
    the time of a call.
    """
    if not isinstance(x, Recorded):
        return as_expr(x)
    if running_trace.tensors is not None:
        return running_trace.tensors.formula(x)  # type: ignore[no-any-return]
    return as_expr(x.expr if x._rg else x._data)
