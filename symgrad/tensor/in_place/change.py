"""The change itself: a value is written into memory, and takes its place in the graph.

An operation in place is the ordinary operation, recorded, whose result is then written into the
tensor's memory, where views and saved values see it. The tensor takes the result's place in the
graph and keeps its storage, whose version says what has become stale.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from symgrad.backward import tangents
from symgrad.backward.saved import compute_for
from symgrad.expr.dtypes import cast_refused
from symgrad.ops.casting import cast
from symgrad.ops.primitive import PRIMITIVES
from symgrad.ops.replacement import replaced
from symgrad.record.dual_level import forward_mode
from symgrad.record.inference import inference_mode
from symgrad.record.modes import state
from symgrad.record.node import extra_of
from symgrad.record.record import Recorded, record, unrecorded
from symgrad.record.signature import COPY_SLICES, named
from symgrad.record.tape import Node
from symgrad.record.versions import bump_all, clock
from symgrad.record.views import Outdated, outdate, view_steps, views_without_history
from symgrad.support.locks import making
from symgrad.support.quiet import quietly
from symgrad.support.refusals import warn
from symgrad.support.untraceable import UntraceableValue
from symgrad.tensor.in_place.allowed import check_modifiable, check_recordable
from symgrad.tensor.in_place.bases import written_base


def new_identity(x: Any) -> None:
    """Give a tensor a new vertex, since it is no longer the value that formulas know.

    The version counter stays, so that values saved before are still found to be stale.
    """
    with making:
        if x._vertex is not None:
            storage, extra = x._storage(), x._vertex.extra
            x._vertex = None
            leaf = x._leaf()
            leaf.storage, leaf.extra = storage, None if extra is None else extra.of_leaf()


def exchanged(x: Any, value: Any) -> None:
    """Give the result `x` a place in the graph from which it has the shape and dtype of `value`."""
    old = x._vertex
    with inference_mode(False):
        made = record(replaced, (value.detach(), x), result=value._data)
    vertex: Node = made._vertex
    vertex.rename(named(vertex.sig, old.name()))
    vertex.links = old.shown_edges()
    replace_vertex(x, vertex, old.storage)


def require(x: Any, value: bool) -> None:
    """Let a tensor be a leaf that requires a gradient or not; views without history say the same.

    Those that may be changed get a history as soon as it has one; the others say that they require
    a gradient, and get none.
    """
    base = x._base
    if base is not None:
        if x._required == value:
            return
        x._required = value
        value = value or base._rg
    elif x._rg == value:
        return
    x._rg = value
    new_identity(x)
    for view in views_without_history(x):
        if value and not (view._restricted or view._required):
            view._vertex = Outdated(x._storage(), None, "", 0)
            view._rg = True
        else:
            view._rg = value or view._required
            new_identity(view)


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
        result = compute_for(x, compute) if state.state.observed else compute()
    except TypeError as error:
        # The call as the user typed it.
        refusal = UntraceableValue if isinstance(error, UntraceableValue) else TypeError
        raise refusal(str(error).replace(f"{name}(", f"{name}_(", 1)) from None
    except NotImplementedError as error:
        # An operation without a derivative is named as the operation in place.
        raise NotImplementedError(str(error).replace(f"aten::{name} ", f"aten::{name}_ ")) from None
    if not isinstance(result, Recorded):
        raise UntraceableValue(f"{name}_(): a formula has no values to write into a tensor")
    if result._aval.shape != x._aval.shape:
        raise RuntimeError(
            f"output with shape {list(x._aval.shape)} doesn't match the broadcast shape "
            f"{list(result._aval.shape)}"
        )
    kind, target = result._aval.dtype, x._aval.dtype
    if kind is not target:
        if kind.category > target.category:
            raise cast_refused(kind, target)
        computed = result._node()
        result = record(cast, (result,), (target,))
        if computed is not None:
            result._vertex.rename(named(result._vertex.sig, computed.sig.name))
            result._vertex.links = computed.shown_edges()
    adopt(x, result, time)
    x._storage().by = f"{name}_()"
    return x


def written_directly(x: Any, name: str, other: Any) -> bool:
    """Compute `x op other` straight into the memory of `x`, unless it has to be recorded."""
    cls = PRIMITIVES[name]
    current = state.state
    if current.observed or (current.enabled and (x._rg or getattr(other, "_rg", False))):
        return False
    if current.batching is not None:
        return False
    try:
        sig = unrecorded(cls, x, other)
    except NotImplementedError:  # the change by a record raises this, after other checks
        return False
    if sig is None or sig.into is None or sig.out is not x._aval:
        return False
    check_modifiable(x)
    time = clock()
    arguments = x._data, getattr(other, "_data", other), x._data
    will_change(x, time)
    try:
        current.run(sig.into, *arguments)
    except RuntimeError as error:
        # A finaliser or a signal handler may write while this thread's context is entered already.
        if "cannot enter context" not in str(error):
            raise
        quietly(sig.into, *arguments)
    x._storage().by = f"{name}_()"
    return True


def will_change(x: Any, time: int) -> None:
    """Note that the memory of `x` is written without a record.

    This comes before the write: an interrupt between the two leaves a count too many, and never a
    value that was changed and passes for what was saved.
    """
    x._storage().bump(time)
    if x._base is not None:
        outdate(x._base)
    elif x._views is not None:
        outdate(x)
    if not x._rg:
        new_identity(x)


def all_will_change(xs: Iterable[Any], time: int) -> None:
    """Note that the memory of several tensors is written, of those that take part in a graph."""
    storages = []
    for x in xs:
        if x._vertex is None:  # nothing was recorded that could have saved it
            continue
        if x._base is not None or x._views is not None or not x._rg:
            will_change(x, time)
        else:
            storages.append(x._storage())
    bump_all(storages, time)


def receive(outs: Sequence[Any], name: str, results: Sequence[Any]) -> None:
    """Write the results of a function into the tensors that were given as its `out`: all, or none.

    Raises
    ------
    RuntimeError
        If a gradient is required, or a tensor may not be changed, or has a lower kind of dtype; of
        several each has the dtype of its result.
    """
    for x, result in zip(outs, results, strict=True):
        if state.state.batching is not None:
            state.state.batching.refuse_call("functions with out=", x, result)
        if tangents.tangent_of(result) is not None or tangents.tangent_of(x) is not None:
            raise NotImplementedError(
                f"Trying to use forward AD with {name}_out that does not support it because it is "
                "an out= function"
            )
        if result._rg or (x._rg and state.state.enabled):
            raise RuntimeError(
                f"{name}(): functions with out=... arguments don't support automatic "
                "differentiation, but one of the arguments requires grad."
            )
    for x, result in zip(outs, results, strict=True):
        kind, target = result._aval.dtype, x._aval.dtype
        if len(outs) > 1 and kind is not target:
            raise RuntimeError(
                f"Expected out tensor to have dtype {kind.cpp_name}, but got {target.cpp_name} "
                "instead"
            )
        if kind.category > target.category:  # before the shape changes, which would stay
            raise cast_refused(kind, target)
        if len(outs) > 1:
            check_modifiable(x)
    for x, result in zip(outs, results, strict=True):
        if x._aval.size and x._aval.shape != result._aval.shape:
            warn(
                "An output with one or more elements was resized since it had shape "
                f"{list(x._aval.shape)}, which does not match the required output shape "
                f"{list(result._aval.shape)}. This behavior is deprecated, and in a future PyTorch "
                "release outputs will not be resized unless they have zero elements. You can "
                "explicitly reuse an out tensor t by resizing it, inplace, to zero elements with "
                "t.resize_(0)."
            )
    for x, result in zip(outs, results, strict=True):
        if x._aval.shape != result._aval.shape:
            x.resize_(result._aval.shape)
    for x, result in zip(outs, results, strict=True):
        _overwrite(x, name, result)


def _overwrite(x: Any, name: str, result: Any) -> None:
    modify(x, name, lambda: result)


def adopt(x: Any, result: Any, time: int) -> None:
    """Write `result` into the memory of `x`, which takes its place in the graph.

    The base of views becomes what it was with the part written over; views are outdated.
    """
    data, storage = x._data, x._storage()
    batching = state.state.batching
    if batching is not None and batching.overwrite(x, result, time):
        return
    base = x if x._base is None else x._base
    vertex = result._vertex if result._rg else None
    if vertex is None:
        if not (x._rg or base._rg):  # a constant: formulas know its old value by the old vertex
            new_identity(x)
    else:
        if not x._rg:  # else it was checked before
            check_recordable(x, True)
        _keep_old_values(vertex, data, time)
        if base is not x:
            with tangents.unobserved():
                vertex = _written_into(base, x, result)
        replace_vertex(base, vertex, storage)
    if forward_mode.level is not None:
        _adopt_tangent(x, result, time)
    # Before the write, as above.
    storage.bump(time, "" if vertex is None else vertex.name())
    if result._data is not data:
        np.copyto(data, result._data, casting="unsafe")
        if vertex is not None and base is x and vertex.saved.__class__ is tuple:
            # The result is kept where it lies, as PyTorch keeps it, and not twice.
            vertex.saved = tuple([data if s is result._data else s for s in vertex.saved])
    outdate(base)


def _written_into(base: Any, x: Any, result: Any) -> Node:
    """Return the vertex of `base` with `result` in the place of its view `x`."""
    vertex: Node = written_base(base, view_steps(x), result)._vertex
    vertex.rename(named(vertex.sig, COPY_SLICES))
    old = (base._vertex or base._leaf()) if base._rg else None
    vertex.links = [old, *result._vertex.shown_edges()[1:]]
    return vertex


def replace_vertex(x: Any, new: Node, storage: Any) -> None:
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
        for old in (x, tangents.tangent_of(x)):  # tensor and tangent are written over
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
                isinstance(s, np.ndarray)
                and (s is data or s.size == 0 or np.may_share_memory(s, data))
                for s in v.saved
            ]
            if True in old:
                v.saved = tuple(
                    [np.array(s) if is_old else s for s, is_old in zip(v.saved, old, strict=True)]
                )
                v.copied = getattr(v, "copied", frozenset()).union(
                    k for k, is_old in zip(v.sig.reads, old, strict=True) if is_old
                )
