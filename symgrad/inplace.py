"""Changing tensors in place: `add_`, `x += 1`, `x[0] = 1` and their kin.

An operation in place is the ordinary operation, recorded, whose result is then written into the
tensor's memory, where views and saved values see it. The tensor takes the result's place in the
graph and keeps its storage, whose version says what has become stale.
"""

from __future__ import annotations

import functools
import inspect
import warnings
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from symgrad import random as streams
from symgrad.arguments import number, tensor_argument, type_title
from symgrad.autograd import tangents
from symgrad.autograd.inference import check_inference
from symgrad.autograd.level import forward
from symgrad.autograd.modes import state
from symgrad.autograd.node import extra_of
from symgrad.autograd.record import Recorded, record, unrecorded, wrap
from symgrad.autograd.saved import before_change, compute_for
from symgrad.autograd.tape import COPY_SLICES, Node, clock, named
from symgrad.autograd.views import outdate, path, refuse, turn, written_base
from symgrad.expr.dtypes import Category
from symgrad.ops.assignment import copied, filled, zeroed
from symgrad.ops.indexing import (
    Subscript,
    basic_key,
    check_value,
    check_writable,
    counted,
    fitted,
    resolve,
    setitem,
    view_of,
)
from symgrad.ops.movement import alias, broadcast_to, cast, data_of, permute, reshape
from symgrad.primitive import PRIMITIVES, Primitive
from symgrad.public import METHODS, PROPERTIES

__all__ = ["IN_PLACE", "install_in_place", "modify", "named", "new_identity", "set_item"]

#: The methods that have a form in place, where the operation itself exists.
IN_PLACE: tuple[str, ...] = (
    "abs", "absolute", "acos", "acosh", "add", "addbmm", "addcdiv", "addcmul", "addmm", "addmv",
    "addr", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "asin",
    "asinh", "atan", "atan2", "atanh", "baddbmm", "bitwise_and", "bitwise_not", "bitwise_or",
    "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift", "ceil", "clamp", "clamp_max",
    "clamp_min", "clip", "conj_physical", "copysign", "cos", "cosh", "cumprod", "cumsum",
    "deg2rad", "digamma", "div", "divide", "eq", "erf", "erfc", "erfinv", "exp", "exp2", "expm1",
    "fix", "float_power", "floor", "floor_divide", "fmod", "frac", "gcd", "ge", "greater",
    "greater_equal", "gt", "heaviside", "hypot", "i0", "index_add", "index_copy", "index_fill",
    "index_put", "index_reduce", "lcm", "ldexp", "le", "lerp", "less", "less_equal", "lgamma",
    "log", "log10", "log1p", "log2", "logical_and", "logical_not", "logical_or", "logical_xor",
    "logit", "lt", "masked_fill", "masked_scatter", "mul", "multiply", "mvlgamma", "nan_to_num",
    "ne", "neg", "negative", "nextafter", "not_equal", "polygamma", "pow", "put", "rad2deg",
    "reciprocal", "relu", "remainder", "renorm", "round", "rsqrt", "scatter", "scatter_add",
    "scatter_reduce", "sgn", "sigmoid", "sign", "sin", "sinc", "sinh", "sqrt", "square", "sub",
    "subtract", "tan", "tanh", "tril", "triu", "true_divide", "trunc", "xlogy",
)  # fmt: skip

# Where PyTorch lets operands overlap: products of matrices are computed before they are written.
_OVERLAP_ALLOWED = frozenset(
    ("addbmm", "addmm", "addmv", "baddbmm", "index_fill", "masked_fill", "masked_scatter")
)

#: Methods whose form in place changes the shape and leaves the memory as it is.
_RESHAPING = ("squeeze", "swapaxes", "swapdims", "t", "transpose", "unsqueeze")

#: Where PyTorch gives the form in place another name in the graph.
_NAMES_IN_PLACE = {"conj_physical": "ConjPhysicalBackward1"}

#: Methods without a form in place for complex numbers, by what PyTorch's error calls them.
_REAL_ONLY = {"abs": "abs", "absolute": "abs"}

#: Operations that NumPy can write into their first operand.
_DIRECT = frozenset(("add", "div", "mul", "sub"))

_OPERATORS = {
    "iadd": "add", "isub": "sub", "imul": "mul", "itruediv": "div", "ifloordiv": "floor_divide",
    "imod": "remainder", "ipow": "pow", "iand": "bitwise_and", "ior": "bitwise_or",
    "ixor": "bitwise_xor", "ilshift": "bitwise_left_shift", "irshift": "bitwise_right_shift",
}  # fmt: skip

_OVERLAPS = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)
_PARTLY = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
    "single memory location. Please clone() the tensor before performing the operation."
)


# ------------------------------------------------------------------ identity


def new_identity(x: Any) -> None:
    """Give a tensor a new vertex, since it is no longer the value that formulas know.

    The version counter stays, so that values saved before are still found to be stale.
    """
    if x._vertex is not None:
        storage, extra = x._storage(), x._vertex.extra
        x._vertex = None
        leaf = x._leaf()
        leaf.storage, leaf.extra = storage, extra


def check_modifiable(x: Any) -> None:
    """Raise PyTorch's error where a tensor must not be changed while operations are recorded."""
    check_inference(x)
    if state.state.enabled:
        _check_recordable(x, x._rg)
    if not x._data.flags.writeable:
        if overlaps_itself(x._data):
            raise RuntimeError(_OVERLAPS)
        raise RuntimeError("the memory of this tensor is read-only: clone() it before changing it")
    if state.state.observers:
        before_change(x)


def _check_recordable(x: Any, records: bool) -> None:
    """Raise PyTorch's error where a change of `x`, if it `records`, has no place in the graph."""
    base = x._base
    if base is not None and (records or base._rg):
        refuse(x, "is being")
        if (x._rg or base._rg) and base._node() is None:
            raise RuntimeError(
                "a view of a leaf Variable that requires grad is being used in an in-place "
                "operation."
            )
    if x._rg and x._node() is None:
        raise RuntimeError(
            "a leaf Variable that requires grad is being used in an in-place operation."
        )


def overlaps_itself(data: np.ndarray[Any, Any]) -> bool:
    """Return whether two elements of an array may lie in one place of memory."""
    reached = data.itemsize
    for stride, n in sorted(zip(map(abs, data.strides), data.shape, strict=True)):
        if n > 1:
            if stride < reached:
                return True
            reached += stride * (n - 1)
    return False


def check_overlap(x: Any, operands: Iterable[Any]) -> None:
    """Raise PyTorch's error where an operand shares some of the memory to be changed, not all."""
    for other in operands:
        if isinstance(other, Recorded) and other is not x:
            _check_arrays(x._data, other._data)


def _check_arrays(written: np.ndarray[Any, Any], read: np.ndarray[Any, Any]) -> None:
    # Like PyTorch, look only at arrays without gaps, whose memory is told by its ends.
    if not np.may_share_memory(written, read):
        return
    axes, others = _dense_axes(written), _dense_axes(read)
    if axes is None or others is None:
        return
    bounds = np.lib.array_utils.byte_bounds
    if bounds(written) != bounds(read) or axes != others:
        raise RuntimeError(_PARTLY)


def _dense_axes(a: np.ndarray[Any, Any]) -> list[tuple[int, int]] | None:
    """Return the strides and lengths of axes; None if elements leave gaps or share places."""
    axes = [(s, n) for s, n in zip(a.strides, a.shape, strict=True) if n != 1]
    step = a.itemsize
    for stride, n in sorted(axes):
        if stride != step:
            return None
        step *= n
    return axes


# ------------------------------------------------------------------ the change itself


def modify(x: Any, name: str, compute: Callable[[], Any]) -> Any:
    """Replace the value of `x` by what `compute` returns, and return `x`.

    Parameters
    ----------
    x : Tensor
        What is changed.
    name : str
        The operation without its underscore, for messages.
    compute : callable
        Computes the new value, out of place, of the shape of `x`.

    Raises
    ------
    RuntimeError
        If `x` may not be changed, or the result has another shape or a higher kind of dtype.
    """
    check_modifiable(x)
    # Before the operation itself, which reads the value as it is, and after all earlier ones.
    time = clock()
    try:
        result = compute_for(x, compute) if state.state.observers else compute()
    except TypeError as error:
        # The call as the user typed it.
        raise TypeError(str(error).replace(f"{name}(", f"{name}_(", 1)) from None
    if result._aval.shape != x._aval.shape:
        raise RuntimeError(
            f"output with shape {list(x._aval.shape)} doesn't match the broadcast shape "
            f"{list(result._aval.shape)}"
        )
    kind, target = result._aval.dtype, x._aval.dtype
    if kind is not target:
        if kind.category > target.category:
            raise RuntimeError(
                f"result type {type_title(kind)} can't be cast to the desired output type "
                f"{type_title(target)}"
            )
        computed = result._node()
        result = record(cast, (result,), (target,))
        if computed is not None:
            result._vertex.rename(named(result._vertex.sig, computed.sig.name))
            extra_of(result._vertex).links = computed.shown_edges()
    adopt(x, result, time)
    return x


def _written(x: Any, name: str, other: Any) -> bool:
    """Compute `x op other` straight into the memory of `x`, unless it has to be recorded."""
    cls = PRIMITIVES[name]
    current = state.state
    if current.observers or (current.enabled and (x._rg or getattr(other, "_rg", False))):
        return False
    sig = unrecorded(cls, x, other)
    if sig is None or sig.into is None or sig.out is not x._aval:
        return False
    check_modifiable(x)
    time = clock()
    current.run(sig.into, x._data, getattr(other, "_data", other), x._data)
    changed(x, time)
    return True


def changed(x: Any, time: int) -> None:
    """Note that the memory of `x` was written without a record."""
    x._storage().bump(time)
    if x._base is not None:
        outdate(x._base)
    elif x._views is not None:
        outdate(x)
    if not x._rg:
        new_identity(x)


def receive(x: Any, name: str, result: Any) -> Any:
    """Write the result of a function into `x`, which was given as its `out`, and return `x`.

    Raises
    ------
    RuntimeError
        If a gradient is required, or `x` has a lower kind of dtype.
    """
    if tangents.tangent_of(result) is not None or tangents.tangent_of(x) is not None:
        raise NotImplementedError(
            f"Trying to use forward AD with {name}_out that does not support it because it is an "
            "out= function"
        )
    if result._rg or (x._rg and state.state.enabled):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, "
            "but one of the arguments requires grad."
        )
    if x._aval.shape != result._aval.shape:
        if x._aval.size:
            warnings.warn(
                f"{name}(): the tensor given as out= is resized from {list(x._aval.shape)} to "
                f"{list(result._aval.shape)}; give one of that shape, or an empty one",
                UserWarning,
                stacklevel=3,
            )
        x.resize_(result._aval.shape)
    return modify(x, name, lambda: result)


def adopt(x: Any, result: Any, time: int) -> None:
    """Write `result` into the memory of `x`, which takes its place in the graph.

    The base of views becomes what it was with the part written over; views are outdated.
    """
    data, storage = x._data, x._storage()
    base = x if x._base is None else x._base
    vertex = result._vertex if result._rg else None
    if vertex is None:
        if not (x._rg or base._rg):  # a constant: formulas know its old value by the old vertex
            new_identity(x)
    else:
        _check_recordable(x, True)
        _keep_old_values(vertex, data, time)
        with tangents.unobserved():
            if base is not x:
                vertex = _written_into(base, x, result)
            _replace_vertex(base, vertex, storage)
    if forward.level is not None:
        _adopt_tangent(x, result, time)
    if result._data is not data:
        np.copyto(data, result._data, casting="unsafe")
    storage.bump(time, "" if vertex is None else vertex.name())
    outdate(base)


def _written_into(base: Any, x: Any, result: Any) -> Node:
    """Return the vertex of `base` with `result` in the place of its view `x`."""
    vertex: Node = written_base(base, path(x), result)._vertex
    vertex.rename(named(vertex.sig, COPY_SLICES))
    old = (base._vertex or base._leaf()) if base._rg else None
    extra_of(vertex).links = [old, *result._vertex.shown_edges()[1:]]
    return vertex


def _replace_vertex(x: Any, new: Node, storage: Any) -> None:
    """Give a tensor another place in the graph; whether it retains its gradient goes with it."""
    old = x._node()
    new.storage = storage
    if old is not None and old.retains:
        extra_of(old).retain, extra_of(new).retain = None, weakref.ref(x)
    x._vertex = new
    x._rg = True


def _adopt_tangent(x: Any, result: Any, time: int) -> None:
    """Write the tangent of `result` into that of `x`."""
    tangent = tangents.tangent_of(result)
    if tangent is not None and tangent._rg and isinstance(tangent._vertex, Node):
        for old in (x, tangents.tangent_of(x)):  # both are written over
            if old is not None:
                _keep_old_values(tangent._vertex, old._data, time)
    tangents.overwrite(x, tangent)


def _keep_old_values(vertex: Any, data: Any, time: int) -> None:
    """Copy what the operation itself, which began at `time`, saved of the memory to be changed."""
    stack, seen = [vertex], set()
    while stack:
        v = stack.pop()
        if not isinstance(v, Node) or v.seq < time or v in seen:
            continue
        seen.add(v)
        stack += v.inputs
        if v.saved:
            # NumPy finds no overlap of empty arrays, which versions know all the same.
            old = [
                isinstance(s, np.ndarray) and (s.size == 0 or np.may_share_memory(s, data))
                for s in v.saved
            ]
            if any(old):
                v.saved = tuple(
                    [np.array(s) if is_old else s for s, is_old in zip(v.saved, old, strict=True)]
                )
                v.copied = getattr(v, "copied", frozenset()).union(
                    k for k, is_old in zip(v.sig.reads, old, strict=True) if is_old
                )


# ------------------------------------------------------------------ the methods


def _method(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if name in _REAL_ONLY and self._aval.dtype.is_complex:
            raise RuntimeError(f"In-place {_REAL_ONLY[name]} is not supported for complex tensors.")
        if (args or kwargs) and name not in _OVERLAP_ALLOWED:
            check_overlap(self, (*args, *kwargs.values()))
        if name in _DIRECT and len(args) == 1 and not kwargs and _written(self, name, args[0]):
            return self
        return modify(self, name, lambda: renamed(self, compute(self, *args, **kwargs)))

    def renamed(self: Any, result: Any) -> Any:
        if name in _NAMES_IN_PLACE and result._rg and result is not self:
            result._vertex.rename(named(result._vertex.sig, _NAMES_IN_PLACE[name]))
        return result

    functools.update_wrapper(method, compute, assigned=(), updated=())
    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = _also(
        f"Replace this tensor by its `{name}`, in place, and return it.", compute
    )
    return method


def _writable_part(name: str) -> property:
    """Return the attribute `real` or `imag`, to which a tensor or number may be assigned."""
    plain = PROPERTIES[name]

    def write(self: Any, value: Any) -> None:
        copy_(getattr(self, name), value)

    return plain.setter(write)


def _reshaping(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        check_modifiable(self)
        storage, before = self._storage(), self._aval.shape
        result = compute(self, *args, **kwargs)
        cls, params = (path(result) or ((alias, ()),))[-1]
        self._dual = result._dual
        if result._rg and state.state.enabled:
            vertex = result._node()
            vertex.rename(named(vertex.sig, _reshaped_name(name, args, kwargs)))
            _replace_vertex(self, vertex, storage)
        if issubclass(cls, permute):
            back: Any = permute, (tuple(int(i) for i in np.argsort(params[0])),)
        else:
            back = reshape, (before,)
        turn(self, (cls, params), back)
        self._data, self._aval = result._data, result._aval
        storage.bump(clock())
        if self._base is None:
            outdate(self)
            if not self._rg:
                new_identity(self)
        return self

    functools.update_wrapper(method, compute, assigned=(), updated=())
    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = _also(
        f"Give this tensor the shape of its `{name}`, in place, and return it.", compute
    )
    return method


def _also(summary: str, compute: Callable[..., Any]) -> str:
    """Return the docstring of a method in place: what it does, and what it computes by."""
    return f"{summary}\n\n`{inspect.unwrap(compute).__name__}`: {compute.__doc__}"


def _reshaped_name(name: str, args: Any, kwargs: Any) -> str:
    """Return PyTorch's name for a change of shape in place, which is another than out of place."""
    if name == "squeeze":
        dim = args[0] if args else kwargs.get("dim")
        return f"SqueezeBackward{3 if dim is None else 4 if isinstance(dim, int) else 5}"
    return {"t": "TBackward1", "unsqueeze": "UnsqueezeBackward1"}.get(name, "TransposeBackward1")


def _operator(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, (Recorded, int, float, complex, np.ndarray, np.generic)):
            return NotImplemented
        check_overlap(self, (other,))
        if name in _DIRECT and _written(self, name, other):
            return self
        return modify(self, name, lambda: compute(self, other))

    return method


def zero_(self: Any) -> Any:
    """Fill with zeros, in place.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> x.zero_()
    tensor([0., 0.])
    """
    return modify(self, "zero", lambda: record(zeroed, (self,)))


def fill_(self: Any, value: Any) -> Any:
    """Fill with a number or a 0-d tensor, in place.

    Parameters
    ----------
    value : number or Tensor
        The value of all elements.

    Raises
    ------
    RuntimeError
        For a tensor with dimensions, or a number that the dtype cannot hold.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.zeros(2)
    >>> x.fill_(3)
    tensor([3., 3.])
    """
    if isinstance(value, Recorded):
        if value._aval.shape:
            raise RuntimeError(
                "fill_ only supports 0-dimension value tensor but got tensor with "
                f"{len(value._aval.shape)} dimensions."
            )
    else:
        value = _held(number("fill_", "value", 1, value), self._aval.dtype)
    return modify(self, "fill", lambda: record(filled, (self, value)))


def _held(value: Any, kind: Any) -> Any:
    """Return a number as one that `kind` can hold."""
    if isinstance(value, complex) and not kind.is_complex:
        raise RuntimeError(f"value cannot be converted to type {_c_name(kind)} without overflow")
    if kind.category == Category.INT:
        if isinstance(value, float) and not np.isfinite(value):
            raise RuntimeError(
                f"value cannot be converted to type {_c_name(kind)} without overflow"
            )
        value = int(value)
        limits = np.iinfo(kind.numpy)
        if kind.name == "uint8" and -255 <= value < 0:
            return value % 256
        if not limits.min <= value <= limits.max:
            raise RuntimeError(
                f"value cannot be converted to type {_c_name(kind)} without overflow"
            )
    return value


def _c_name(kind: Any) -> str:
    return {"float32": "float", "float64": "double", "float16": "at::Half"}.get(
        kind.name, f"{kind.name}_t"
    )


def copy_(self: Any, src: Any, non_blocking: bool = False) -> Any:
    """Copy the values of a tensor, converted and broadcast, into this one.

    Parameters
    ----------
    src : Tensor or number
        The values; a number fills the tensor.
    non_blocking : bool
        Accepted and ignored.

    Raises
    ------
    RuntimeError
        If the shapes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.zeros(2, 2)
    >>> x.copy_(torch.tensor([1, 2]))
    tensor([[1., 2.],
            [1., 2.]])
    """
    if not isinstance(src, (Recorded, bool, int, float, complex)):
        tensor_argument("copy_", src, "other")
    if isinstance(src, Recorded) and src._aval.dtype.is_complex and not self._aval.dtype.is_complex:
        warnings.warn(
            "Casting complex values to real discards the imaginary part", UserWarning, stacklevel=2
        )
    check_overlap(self, (src,))
    return modify(self, "copy", lambda: record(copied, (self, src)))


def resize_(self: Any, *sizes: Any, memory_format: Any = None) -> Any:
    """Give the tensor another shape, keeping elements in order; new ones are zero.

    Parameters
    ----------
    *sizes : int
        The lengths of the axes, or one sequence of them.
    memory_format
        Accepted: elements always lie in the order of the axes.

    Raises
    ------
    RuntimeError
        For a tensor that requires a gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.arange(4)
    >>> x.resize_(2, 2)
    tensor([[0, 1],
            [2, 3]])
    """
    shape = tuple(sizes[0]) if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes
    if self._rg:
        raise RuntimeError("cannot resize variables that require grad")
    data = np.zeros(int(np.prod(shape)), self._data.dtype)
    count = min(data.size, self._data.size)
    data[:count] = self._data.reshape(-1)[:count]
    out = wrap(data.reshape(shape))
    self._data, self._aval = out._data, out._aval
    new_identity(self)
    return self


# ------------------------------------------------------------------ random values in place


def _drawn(
    self: Any, name: str, node: str, draw: Callable[[Any], Any], generator: Any, edges: int = 1
) -> Any:
    """Fill a tensor with what is drawn, by a node of PyTorch's name and number of edges."""
    stream = streams.default_generator if generator is None else generator
    check_modifiable(self)
    data = draw(stream)

    def compute() -> Any:
        result = record(copied, (self, wrap(data)))
        if result._rg:
            result._vertex.rename(named(result._vertex.sig, node))
            extra_of(result._vertex).links = result._vertex.edges()[:edges]
        return result

    return modify(self, name, compute)


def uniform_(self: Any, from_: float = 0.0, to: float = 1.0, *, generator: Any = None,
             **keywords: Any) -> Any:  # fmt: skip
    """Fill with numbers drawn uniformly from [from, to), in place.

    Parameters
    ----------
    from_, to : float
        The bounds; `from` is the keyword.
    generator : Generator, optional
        The stream to draw from, in place of the default.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(3).uniform_(-1, 1)
    tensor([-0.0075,  0.5364, -0.8230])
    """
    from_ = keywords.pop("from", from_)
    kind = self._data.dtype
    return _drawn(
        self,
        "uniform",
        "UniformBackward0",
        lambda g: g.uniform(self._aval.shape, kind, from_, to),
        generator,
    )


def normal_(self: Any, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Any:
    """Fill with numbers drawn from a normal distribution, in place.

    Parameters
    ----------
    mean, std : float
        Of the distribution.
    generator : Generator, optional
        The stream to draw from, in place of the default.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(3).normal_(mean=10, std=0.5)
    tensor([10.7705,  9.8533,  8.9106])
    """
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    kind, contiguous = self._data.dtype, bool(self._data.flags.c_contiguous)
    return _drawn(
        self,
        "normal",
        "NormalBackward0",
        lambda g: g.normal(self._aval.shape, kind, mean, std, contiguous=contiguous),
        generator,
    )


def bernoulli_(self: Any, p: Any = 0.5, *, generator: Any = None) -> Any:
    """Fill with ones with probability `p` and zeros otherwise, in place.

    Parameters
    ----------
    p : float or Tensor
        The probability of a one, or that of each element.
    generator : Generator, optional
        The stream to draw from, in place of the default.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(5).bernoulli_(0.5)
    tensor([0., 0., 1., 0., 0.])
    """
    probability = p._data if isinstance(p, Recorded) else float(p)
    kind = self._data.dtype
    return _drawn(
        self,
        "bernoulli",
        "BernoulliBackward1" if isinstance(p, Recorded) else "BernoulliBackward2",
        lambda g: g.bernoulli(probability, self._aval.shape, kind),
        generator,
        2 if isinstance(p, Recorded) else 1,
    )


def random_(self: Any, *bounds: int, generator: Any = None) -> Any:
    """Fill with integers drawn from [low, high), in place: ``random_([[low,] high])``.

    Parameters
    ----------
    *bounds : int
        `low` (0 where not given) and `high`, by default above all that the dtype counts
        exactly.
    generator : Generator, optional
        The stream to draw from, in place of the default.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(5).random_(10)
    tensor([4., 9., 3., 0., 3.])
    """
    kind = self._aval.dtype
    if len(bounds) == 2:
        low, high = bounds
    elif bounds:
        low, high = 0, bounds[0]
    elif kind.category == Category.FLOAT:
        low, high = 0, 2 ** {"float16": 11, "float32": 24, "float64": 53}[kind.name] + 1
    elif kind.category == Category.BOOL:
        low, high = 0, 2
    else:
        low, high = 0, int(np.iinfo(kind.numpy).max) + (0 if kind.name == "int64" else 1)
    return _drawn(
        self,
        "random",
        f"RandomBackward{2 - len(bounds)}",
        lambda g: g.random_integers(low, high, self._aval.shape, kind.numpy),
        generator,
    )


# ------------------------------------------------------------------ x[index] = value


def set_item(self: Any, index: Any, value: Any) -> None:
    """Write a number or a tensor into the elements that `index` selects.

    Raises
    ------
    IndexError
        If the index does not fit.
    TypeError
        For what is neither number nor tensor.
    RuntimeError
        If the shapes do not fit, or the tensor may not be changed.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = wrap(value)
    allowed: Any = (Recorded, bool, int, float, complex)
    if not isinstance(value, allowed):
        name = type(value).__name__
        raise TypeError(f"can't assign a {name} to a torch.{type_title(self._aval.dtype)}Tensor")
    if index is False:
        return
    if index is True:
        index = None
    found = resolve(index, self._aval.shape)
    current = state.state
    if current.enabled and self._rg and self._base is None and self._node() is None:
        part = _writes_a_view(self, found)
        raise RuntimeError(
            f"{'a view of ' if part else ''}a leaf Variable that requires grad is being used in an "
            "in-place operation."
        )
    if self._restricted and _writes_a_view(self, found):
        check_modifiable(view_of(self, found))
    check_modifiable(self)
    time = clock()
    is_number = not isinstance(value, Recorded)
    if is_number:
        value = wrap(np.asarray(_held(value, self._aval.dtype), self._data.dtype))
    place = _shown(self._data, found)
    if value._aval.shape and np.may_share_memory(self._data, value._data):
        _check_arrays(self._data if found.indices else place, value._data)
    records = current.enabled and (self._rg or value._rg)
    if not records and forward.level is None:
        if value._aval.shape:
            check_value(value._aval.shape, found)
        _write(self._data, place, found, value._data)
        changed(self, time)
        return
    if records:
        _check_recordable(self, True)
    value = _spread(value, found)
    links = [(y._vertex or y._leaf()) if y._rg else None for y in (self, value)]
    if value._aval.dtype is not self._aval.dtype:
        value = record(cast, (value,), (self._aval.dtype,))
    result = setitem(self, index, value, _overwriting)
    if records:
        vertex = result._vertex
        vertex.rename(named(vertex.sig, _name_of_write(self, found, value)))
        extra_of(vertex).links = links
    adopt(self, result, time)
    _write(self._data, place, found, value._data)


def _writes_a_view(x: Any, found: Subscript) -> bool:
    """Return whether PyTorch writes into a view of `x` for this key, and not into `x` itself."""
    return bool(found.basic) or found.expanded != x._aval.shape


def _overwriting(cls: type[Primitive], operands: Any, params: tuple[Any, ...]) -> Any:
    """Record an operation whose result will be written over its first operand."""
    return record(cls, operands, params, result=operands[0]._data)


def _spread(value: Any, found: Subscript) -> Any:
    """Return a value as PyTorch writes it: without leading ones, expanded for a key of slices."""
    own, shape = value._aval.shape, found.expanded
    if found.indices:
        lead = next((i for i, n in enumerate(own) if n != 1), len(own))
        return record(reshape, (value,), (own[lead:],)) if lead else value
    if not own or own == shape:
        return value
    check_writable(own, shape)
    value = fitted(value, shape)
    return value if value._aval.shape == shape else record(broadcast_to, (value,), (shape,))


def _name_of_write(x: Any, found: Subscript, value: Any) -> str:
    """Return PyTorch's name for `x[key] = value`: what it writes into is `x` itself, or a view."""
    if _writes_a_view(x, found):
        return COPY_SLICES
    if found.indices:
        return "IndexPutBackward0"
    filled = not value._aval.shape and found.expanded
    return "FillBackward3" if filled else "torch::autograd::CopyBackwards"


def _shown(data: np.ndarray[Any, Any], found: Subscript) -> np.ndarray[Any, Any]:
    """Return what the basic part of a key shows of an array, in its memory."""
    shown: np.ndarray[Any, Any] = data[basic_key(found.basic, data.shape)]
    return shown.reshape(found.expanded)


def _write(
    data: np.ndarray[Any, Any], place: np.ndarray[Any, Any], found: Subscript, value: Any
) -> None:
    """Write values into `place`, which is the part of `data` that a key shows."""
    if not found.indices:
        fitting = value.shape[max(0, value.ndim - place.ndim) :]
        np.copyto(place, value.reshape(fitting), casting="unsafe")
        return
    given = iter([data_of(i) for i in counted(found.indices)[0]])
    place[tuple([next(given) if taken else slice(None) for taken in found.spec])] = value


def install_in_place(cls: type[Any]) -> None:
    """Give the class of tensors its methods and operators in place."""
    for name in IN_PLACE:
        if name in METHODS:
            setattr(cls, f"{name}_", _method(name, METHODS[name]))
    for name in _RESHAPING:
        if name in METHODS:
            setattr(cls, f"{name}_", _reshaping(name, METHODS[name]))
    for special, name in _OPERATORS.items():
        if name in METHODS:
            setattr(cls, f"__{special}__", _operator(name, METHODS[name]))
    for name in ("real", "imag"):
        setattr(cls, name, _writable_part(name))
    cls._receive = receive
    for f in (zero_, fill_, copy_, resize_, uniform_, normal_, bernoulli_, random_):
        setattr(cls, f.__name__, f)
