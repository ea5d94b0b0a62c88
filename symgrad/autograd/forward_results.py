"""The results of a custom function: what `forward` returned, with vertices and tangents."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from symgrad.autograd.context import BackwardCFunction
from symgrad.autograd.vmap.passes import in_each_direction
from symgrad.autograd.vmap.value import BatchedValue
from symgrad.backward.tangents import attach, tangent_of, unobserved
from symgrad.ops.identity import alias, detach
from symgrad.record.dual_level import forward_mode
from symgrad.record.function_node import Result
from symgrad.record.modes import no_grad
from symgrad.record.record import Recorded, record, wrap, zeros
from symgrad.record.versions import clock
from symgrad.record.views import refuse
from symgrad.schema.kinds import type_name
from symgrad.tensor.in_place import adopt, check_modifiable, new_identity

NOT_RETURNED = (
    "Some elements marked as dirty during the forward method were not returned as output. The "
    "inputs that are modified inplace must all be outputs of the Function."
)
_DIRTY_VIEW = (
    "If your Function modifies inplace an input that is a view of another Tensor, your Function "
    "cannot return more than one Tensor. This is not supported by the current autograd engine. You "
    "should either make sure the input is not a view (using .clone() for example) or make your "
    "Function only return one Tensor (potentially splitting it into two Functions: one doing the "
    "inplace that returns a single Tensor and a second one that does the other operations). You "
    "can ask on the forum https://discuss.pytorch.org/ if you need help to do this change."
)
_NO_VIEW = (
    "A custom Function's forward is returning a view (or an input as-is) but the jvp is not "
    "returning a view."
)
_NO_VIEW_OF_INPUT = (
    "A custom Function is returning a view but the jvp is not returning a view of the {}given grad "
    "input."
)
_NO_TANGENT = (
    "Function's jvp returned a gradient at position {}, but  the corresponding forward output is "
    "not a differentiable Tensor.You should return None at that position instead."
)
_NO_INPUT = (
    "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been "
    "mutated should be passed to ctx.mark_dirty()."
)
_JVP_NOT_IN_PLACE = (
    "An inplace custom Function is not modifying the forward mode gradients inplace. If the "
    "forward is modifying an input inplace, then the jvp function must modify the corresponding "
    "gradient inplace."
)


def tangents_of(args: Sequence[Any]) -> list[Any] | None:
    """Return the tangent of each argument, or None for it; only None if no argument has one."""
    if forward_mode.level is None or not forward_mode.enabled:
        return None
    found = [tangent_of(x) if isinstance(x, Recorded) else None for x in args]
    return None if all(t is None for t in found) else found


class ForwardResults:
    """The results of one application of a custom function, made of the values of `forward`."""

    def __init__(
        self,
        ctx: BackwardCFunction,
        args: tuple[Any, ...],
        output: Any,
        executable: bool,
        tangents: list[Any] | None,
    ) -> None:
        self.ctx = ctx
        self.args = args
        self.single = not isinstance(output, tuple)
        self.given: tuple[Any, ...] = (output,) if self.single else output
        self.executable = executable
        self.tangents = tangents
        self.inputs = {id(x) for x in args if isinstance(x, Recorded)}
        self.dirty = self._marked(
            "dirty_tensors", "mark_dirty can only accept variables, but argument "
        )
        self.constant = self._marked(
            "non_differentiable",
            "mark_non_differentiable only accepts variable arguments, but got ",
        )

    def _marked(self, name: str, refusal: str) -> set[int]:
        found = getattr(self.ctx, name)
        setattr(self.ctx, name, None)
        if found is None:
            return set()
        if not isinstance(found, tuple):
            raise RuntimeError(
                f"autograd internal error: {name} attribute is expected to be a tuple but is "
                f"{type_name(found)}"
            )
        for x in found:
            if not isinstance(x, Recorded):
                raise RuntimeError(refusal + type_name(x))
        return {id(x) for x in found}

    def wrapped(self) -> Any:
        """Return the values of `forward` as results of `apply`, with vertices in the graph."""
        if not self.dirty <= {id(x) for x in self.given}:
            if not self.dirty <= self.inputs:
                warnings.warn(_NO_INPUT, UserWarning, stacklevel=4)
            raise RuntimeError(NOT_RETURNED)
        node = self.ctx._node
        node.results = tuple([x._aval if isinstance(x, Recorded) else None for x in self.given])
        node.ended = clock()
        outputs = tuple(
            [self._output(i, x) if isinstance(x, Recorded) else x for i, x in enumerate(self.given)]
        )
        if self.tangents is not None:
            self._push(self.tangents, outputs)
        if self.executable:
            self.ctx._save(self.args, outputs)
        return outputs[0] if self.single else outputs

    def _output(self, i: int, x: Any) -> Any:
        is_input, modified = id(x) in self.inputs, id(x) in self.dirty
        if modified and not is_input:
            warnings.warn(_NO_INPUT, UserWarning, stacklevel=5)
            modified = False
        if not self.executable or id(x) in self.constant or not x._aval.dtype.differentiable:
            made = self._without_derivative(x, is_input, modified)
            if made._base is not None and not modified:
                made._restricted = "function"
            return made
        if modified:
            return self._changed_argument(i, x)
        if is_input:
            with no_grad():
                x = record(alias, (x,))
        storage = x._storage()
        x._vertex = vertex = Result(self.ctx._node, i, clock())
        vertex.storage = storage
        x._rg = True
        if x._base is not None:
            x._restricted = "many" if len(self.given) > 1 else "function"
        return x

    def _without_derivative(self, x: Any, is_input: bool, modified: bool) -> Any:
        """Return a result that has no derivative."""
        if modified:
            x._storage().bump(clock())
            if not x._rg:
                new_identity(x)
                return x
        # A view of an argument that was made in `forward` is returned as a view, as PyTorch does.
        if is_input and not x._rg:
            with no_grad():
                return record(alias, (x,))
        return record(detach, (x,)) if is_input or (x._rg and x._base is None) else x

    def _changed_argument(self, i: int, x: Any) -> Any:
        """Return an argument that `forward` changed in place, with the vertex of a result."""
        try:
            self._check_changed(x)
        except RuntimeError:
            x._storage().bump(clock())  # `forward` has changed the memory before the error
            raise
        time = clock()
        adopt(x, wrap(x._data, x._aval, Result(self.ctx._node, i, clock())), time)
        return x

    def _check_changed(self, x: Any) -> None:
        """Raise PyTorch's error for an argument that must not be changed in place."""
        # This check comes before `_node`, which would renew a view from its base, which `forward`
        # has changed as well.
        if x._rg and x._restricted in ("many", "function"):
            refuse(x, "is being")
        # PyTorch takes a view that was made under `no_grad` for a leaf, too.
        if x._rg and (x._restricted in ("no_grad", "inference") or x._node() is None):
            raise RuntimeError(
                "a leaf Variable that requires grad has been used in an in-place operation."
            )
        check_modifiable(x)
        if x._base is not None and len(self.given) > 1:
            raise RuntimeError(_DIRTY_VIEW)

    # -- tangents

    def _push(self, tangents: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Attach to each result the tangent that `jvp` returns for it."""
        size = None if forward_mode.level is None else forward_mode.level.size
        with unobserved():
            if size is None:
                returned = self._checked_tangents(tangents, outputs)
            else:
                returned = in_each_direction(
                    lambda ts: self._checked_tangents(ts, outputs), tangents, size
                )
        for x, t in zip(outputs, returned, strict=True):
            if t is not None:
                attach(x, t, own=x._base is not None)

    def _checked_tangents(self, tangents: Sequence[Any], outputs: Sequence[Any]) -> list[Any]:
        """Return the tangents of the results, which `jvp` computes, after PyTorch's checks."""
        given = [
            zeros(x._aval.shape, x._aval.dtype)
            if t is None and self.ctx.materialize_grads and _differentiable(x)
            else t
            for x, t in zip(self.args, tangents, strict=True)
        ]
        versions = {
            id(x): t._storage().version
            for x, t in zip(self.args, tangents, strict=True)
            if t is not None
        }
        returned = self.ctx.apply_jvp(*given)
        if not isinstance(returned, tuple):
            returned = (returned,)
        if len(returned) != len(outputs):
            raise RuntimeError(
                "Function's jvp returned an invalid number of forward gradients (expected "
                f"{len(outputs)} but got {len(returned)})"
            )
        for i, (x, t) in enumerate(zip(outputs, returned, strict=True)):
            if t is not None:
                fresh = not any(t is g for g in given)
                self._check_tangent(i, x, t, fresh, versions.get(id(x)))
                self._check_view(x, t, tangents)
        return list(returned)

    def _check_tangent(self, i: int, x: Any, t: Any, fresh: bool, version: int | None) -> None:
        """Raise PyTorch's error where `t` cannot be the tangent of the result `x`."""
        if not isinstance(t, Recorded):
            raise RuntimeError(
                f"expected Variable or None (got {type_name(t)}) for grad output {i}."
            )
        if not _differentiable(x) or id(self.given[i]) in self.constant:
            raise RuntimeError(_NO_TANGENT.format(i))
        if id(x) in self.dirty and t._storage().version == version:
            raise RuntimeError(_JVP_NOT_IN_PLACE)
        if x._base is not None and id(x) not in self.dirty and not (fresh and _is_view(t)):
            raise RuntimeError(_NO_VIEW)
        if t._aval.shape != x._aval.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the "
                "original Tensor, this is not supported. Tensor is of size "
                f"{list(x._aval.shape)} while the given forward gradient is of size "
                f"{list(t._aval.shape)}."
            )

    def _check_view(self, x: Any, t: Any, tangents: Sequence[Any]) -> None:
        """Raise PyTorch's error where a view of an argument has a tangent of other memory."""
        if x._base is None or id(x) in self.dirty:
            return
        for argument, g in zip(self.args, tangents, strict=True):
            if g is not None and (x._base is argument or x._base is argument._base):
                g, t = _of_all_entries(g), _of_all_entries(t)
                if t._base is not (g if g._base is None else g._base):
                    whole = g._base is None
                    raise RuntimeError(
                        _NO_VIEW_OF_INPUT.format("" if whole else "same base as the ")
                    )
                return


def _of_all_entries(t: Any) -> Any:
    """Return the tensor itself; inside `vmap`, that of all entries."""
    while isinstance(t._data, BatchedValue):
        t = t._data.tensor
    return t


def _is_view(t: Any) -> bool:
    """Return whether a tangent is a view; inside `vmap`, whether the tensor of all entries is."""
    return _of_all_entries(t)._base is not None


def _differentiable(x: Any) -> bool:
    return isinstance(x, Recorded) and x._aval.dtype.differentiable
