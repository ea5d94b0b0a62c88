"""Changing tensors in place: `add_`, `x += 1`, `x[0] = 1` and their kin.

An operation in place is the ordinary operation, recorded, whose result is then written into the
tensor's memory, where views and saved values see it. The tensor takes the result's place in the
graph and keeps its storage, whose version says what has become stale.
"""

from __future__ import annotations

import copy
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
from symgrad.autograd.saved import compute_for
from symgrad.autograd.tape import Node, clock, node_class
from symgrad.expr.dtypes import Category
from symgrad.ops.assignment import copied, filled, zeroed
from symgrad.ops.indexing import index_put, part, resolve, setitem, updated, view_of
from symgrad.ops.movement import alias, broadcast_to, cast, data_of, permute, reshape
from symgrad.primitive import PRIMITIVES, bind
from symgrad.public import METHODS

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

_COPY_SLICES = "torch::autograd::CopySlices"

# Where PyTorch lets operands overlap: products of matrices are computed before they are written.
_OVERLAP_ALLOWED = frozenset(
    ("addbmm", "addmm", "addmv", "baddbmm", "index_fill", "masked_fill", "masked_scatter")
)

#: Methods whose form in place changes the shape and leaves the memory as it is.
_RESHAPING = ("squeeze", "swapaxes", "swapdims", "t", "transpose", "unsqueeze")

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


def _root(vertex: Any) -> Any:
    """Return the vertex of the memory that a view looks into."""
    while isinstance(vertex, Node) and vertex.sig.is_view:
        vertex = vertex.inputs[0]
    return vertex


def check_modifiable(x: Any) -> None:
    """Raise PyTorch's error where a tensor must not be changed while operations are recorded."""
    check_inference(x)
    if not x._data.flags.writeable:
        if 0 in x._data.strides and x._aval.size > 1:
            raise RuntimeError(_OVERLAPS)
        raise RuntimeError("the memory of this tensor is read-only: clone() it before changing it")
    if not state.state.enabled or not x._rg:
        return
    vertex = x._vertex
    if not isinstance(vertex, Node):
        raise RuntimeError(
            "a leaf Variable that requires grad is being used in an in-place operation."
        )
    if vertex.sig.is_view:
        if vertex.sig.name in _MANY_VIEWS:
            raise RuntimeError(
                f"Output {getattr(x, '_output_nr', 0)} of "
                f"{vertex.sig.name.removesuffix('Backward0')} is a view and is being modified "
                "inplace. This view is the output of a function that returns multiple views. Such "
                "functions do not allow the output views to be modified inplace. You should "
                "replace the inplace operation by an out-of-place one."
            )
        if not isinstance(_root(vertex), Node):
            raise RuntimeError(
                "a view of a leaf Variable that requires grad is being used in an in-place "
                "operation."
            )


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


_MANY_VIEWS = frozenset(("UnbindBackward0", "SplitBackward0", "SplitWithSizesBackward0"))


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
        name_in_graph = result._vertex.sig.name if result._rg else ""
        result = record(cast, (result,), (target,))
        if result._rg:
            result._vertex.rename(named(result._vertex.sig, name_in_graph))
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
    x._storage().bump(time)
    if not x._rg:
        new_identity(x)
    return True


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
    """Write `result` into the memory of `x`, which takes its place in the graph."""
    vertex = result._vertex if result._rg else None
    storage = x._storage()
    data = x._data
    if vertex is not None:
        _keep_old_values(vertex, data, time)
    with tangents.unobserved():
        placed = [] if vertex is None else _places(x, result, storage)
    if forward.level is not None:
        _adopt_tangent(x, result, time)
    if result._data is not data:
        np.copyto(data, result._data, casting="unsafe")
    storage.bump(time, "" if vertex is None else placed[0][1].name())
    if not placed and not x._rg:  # a constant: formulas know its old value by the old vertex
        new_identity(x)
    for tensor, new in placed:
        old = tensor._vertex
        if isinstance(old, Node) and old.retains:
            extra_of(old).retain, extra_of(new).retain = None, weakref.ref(tensor)
        tensor._vertex = new
        tensor._rg = True


def _adopt_tangent(x: Any, result: Any, time: int) -> None:
    """Write the tangent of `result` into that of `x`."""
    tangent = tangents.tangent_of(result)
    if tangent is not None and tangent._rg and isinstance(tangent._vertex, Node):
        _keep_old_values(tangent._vertex, x._data, time)
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
                v.copied = frozenset(
                    k for k, is_old in zip(v.sig.reads, old, strict=True) if is_old
                )


def _places(x: Any, result: Any, storage: Any) -> list[tuple[Any, Any]]:
    """Return the new vertices of `x` and of all tensors that look into the same memory.

    The base of views becomes what it was with the part written over; each view is taken from the
    base anew.
    """
    base = x if x._base is None else x._base
    views = [y for y in (ref() for ref in base._views or ()) if y is not None]
    vertex = result._vertex
    if base is not x:
        if base._rg and not isinstance(base._vertex, Node):
            raise RuntimeError(_NO_GRAD_VIEW)
        vertex = _written_base(base, x._steps, result)._vertex
        vertex.rename(named(vertex.sig, _COPY_SLICES))
    vertex.storage = storage
    if x not in _Same(views) and base is not x:
        views.append(x)
    placed = [(base, vertex)]
    for view in views:
        value = wrap(base._data, base._aval, vertex)
        for cls, params in view._steps:
            value = bind(cls, (value,), params)
        value._vertex.rename(named(value._vertex.sig, "AsStridedBackward0"))
        placed.append((view, value._vertex))
        if view is x:
            placed[0], placed[-1] = placed[-1], placed[0]
    return placed


class _Same:
    """Membership by identity, as `==` of tensors is by element."""

    def __init__(self, items: list[Any]) -> None:
        self._ids = {id(item) for item in items}

    def __contains__(self, x: object) -> bool:
        return id(x) in self._ids


_NO_GRAD_VIEW = (
    "A view was created in no_grad mode and is being modified inplace with grad mode enabled. "
    "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your "
    "code by moving both the view and the inplace either both inside the no_grad block (if you "
    "don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."
)


def _written_base(base: Any, steps: Any, child: Any) -> Any:
    """Return `base`, out of place, with `child` where the steps lead to."""
    parents = [wrap(base._data, base._aval, base._vertex)]
    for cls, params in steps[:-1]:
        parents.append(bind(cls, (parents[-1],), params))
    for (cls, params), parent in zip(reversed(steps), reversed(parents), strict=True):
        shape = parent._aval.shape
        if issubclass(cls, part):
            child = bind(updated, (parent, child), params)
        elif issubclass(cls, permute):
            child = bind(permute, (child,), (tuple(int(i) for i in np.argsort(params[0])),))
        elif child._aval.size == parent._aval.size and issubclass(
            cls, (reshape, alias, broadcast_to)
        ):
            child = child if child._aval.shape == shape else bind(reshape, (child,), (shape,))
        else:
            child = _put_back(parent, child, cls, params)
    return child


def _put_back(parent: Any, child: Any, cls: Any, params: Any) -> Any:
    """Return `parent`, out of place, with `child` where the view `cls` of it looks."""
    if child._aval.dtype is not parent._aval.dtype:
        raise RuntimeError(
            f"a recorded change in place of a view made by {cls.__name__} is not possible: "
            "use the out-of-place operation, or clone() the view"
        )
    shape = parent._aval.shape
    places = bind(cls, (wrap(np.arange(parent._aval.size).reshape(shape)),), params)
    flat = bind(reshape, (parent,), ((parent._aval.size,),))
    child = bind(reshape, (child,), ((child._aval.size,),))
    where = wrap(places._data.reshape(-1))
    return bind(reshape, (bind(index_put, (flat, child, where), ((True,), (0,), False)),), (shape,))


def named(sig: Any, name: str) -> Any:
    """Return a signature under the name that PyTorch gives to what a change in place leaves."""
    found = sig.renamed.get(name)
    if found is None:
        found = copy.copy(sig)
        found.name, found.node, found.renamed = name, node_class(name), {}
        # PyTorch lets go of what a write into a part consists of, whatever that had saved.
        found.frees = found.frees or name == _COPY_SLICES
        found = sig.renamed.setdefault(name, found)
    return found


# ------------------------------------------------------------------ the methods


def _method(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if (args or kwargs) and name not in _OVERLAP_ALLOWED:
            check_overlap(self, (*args, *kwargs.values()))
        if name in _DIRECT and len(args) == 1 and not kwargs and _written(self, name, args[0]):
            return self
        return modify(self, name, lambda: compute(self, *args, **kwargs))

    functools.update_wrapper(method, compute, assigned=(), updated=())
    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = _also(
        f"Replace this tensor by its `{name}`, in place, and return it.", compute
    )
    return method


def _reshaping(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        check_modifiable(self)
        if self._base is not None or any(ref() is not None for ref in self._views or ()):
            raise RuntimeError(
                f"{name}_() of a tensor that shares its memory with a view is not possible: use "
                f"{name}()"
            )
        result = compute(self, *args, **kwargs)
        storage = self._storage()
        storage.bump(clock())
        self._data, self._aval, self._dual = result._data, result._aval, result._dual
        if result._rg and state.state.enabled:
            self._vertex = result._vertex
            self._vertex.rename(named(result._vertex.sig, _reshaped_name(name, args, kwargs)))
        else:
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


def _drawn(self: Any, name: str, draw: Callable[[Any], Any], generator: Any) -> Any:
    stream = streams.default_generator if generator is None else generator
    check_modifiable(self)
    data = draw(stream)
    return modify(self, name, lambda: record(copied, (self, wrap(data))))


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
        self, "uniform", lambda g: g.uniform(self._aval.shape, kind, from_, to), generator
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
        lambda g: g.bernoulli(probability, self._aval.shape, kind),
        generator,
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
    found = resolve(index, self._aval.shape)
    if state.state.enabled and self._rg and not isinstance(_root(self._vertex), Node):
        part = found.basic or found.expanded != self._aval.shape or isinstance(
            self._vertex, Node)  # fmt: skip
        raise RuntimeError(
            f"{'a view of ' if part else ''}a leaf Variable that requires grad is being used in an "
            "in-place operation."
        )
    check_modifiable(self)
    time = clock()
    is_number = not isinstance(value, Recorded)
    if is_number:
        value = wrap(np.asarray(_held(value, self._aval.dtype), self._data.dtype))
    elif value._aval.dtype is not self._aval.dtype:
        value = record(cast, (value,), (self._aval.dtype,))
    if value._aval.shape and np.may_share_memory(self._data, value._data):
        plain = self._data if found.indices else view_of(wrap(self._data), found)._data
        _check_arrays(plain, value._data)
    current = state.state
    records = current.enabled and (self._rg or value._rg)
    if not records and forward.level is None:
        _write(self, index, value)
        self._storage().bump(time)
        if not self._rg:
            new_identity(self)
        return
    result = setitem(self, index, value)
    if records:
        vertex = result._vertex
        vertex.rename(named(vertex.sig, _name_of_write(self, found, is_number)))
    adopt(self, result, time)


def _name_of_write(x: Any, found: Any, is_number: bool) -> str:
    """Return PyTorch's name for `x[key] = value`: what it writes into is `x` itself, or a view."""
    shape = x._aval.shape
    whole = all(entry == (0, n, 1) for entry, n in zip(found.basic, shape, strict=False))
    if found.expanded != shape or not whole:
        return _COPY_SLICES
    if found.indices:
        return "IndexPutBackward0"
    return "FillBackward3" if is_number else "torch::autograd::CopyBackwards"


def _write(x: Any, index: Any, value: Any) -> None:
    """Write values into the memory of `x` where `index` says, without record."""
    found = resolve(index, x._aval.shape)
    view = view_of(wrap(x._data), found)._data
    inner = np.broadcast_shapes(view.shape) if not found.indices else None
    data = value._data
    if inner is not None:
        while data.ndim > len(inner) and data.shape[0] == 1:
            data = data[0]
        if data.ndim > len(inner) or any(
            n not in (1, m) for n, m in zip(data.shape[::-1], inner[::-1], strict=False)
        ):
            setitem(wrap(x._data), index, wrap(data))  # raises, with PyTorch's message
        np.copyto(view, data, casting="unsafe")
    elif np.may_share_memory(view, x._data):
        masks = [data_of(i) for i in found.indices]
        given = iter(masks)
        key = tuple([next(given) if taken else slice(None) for taken in found.spec])
        try:
            view[key] = data
        except ValueError:
            setitem(wrap(x._data), index, wrap(data))
            raise
    else:
        np.copyto(x._data, setitem(wrap(x._data), index, wrap(data))._data)


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
    cls._receive = receive
    for f in (zero_, fill_, copy_, resize_, uniform_, normal_, bernoulli_, random_):
        setattr(cls, f.__name__, f)
