"""The values that derivatives keep: hooks that pack them, and how they are asked for.

What a node keeps stands in its `saved`. A value that a hook packed stands in its `Extra` instead,
with None in that place, and is unpacked when the node is differentiated.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from symgrad.autograd.modes import state
from symgrad.autograd.node import extra_of
from symgrad.autograd.record import Recorded, wrap
from symgrad.autograd.tape import Node, Signature, placeholders
from symgrad.differentiate import pull_back
from symgrad.expr.graph import toposort
from symgrad.expr.node import Placeholder

__all__ = [
    "Packed",
    "active",
    "compute_for",
    "disabled",
    "pack",
    "pop_hooks",
    "push_hooks",
    "unpack",
    "unpacked",
]

_MODIFIES = (
    "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack "
    "hook cannot be modified by in-place operations as this can lead to unexpected side-effects. "
    "Please open an issue if you need to perform in-place operations on the input to a pack hook."
)


class Hooks(NamedTuple):
    """What values go through before they are kept, and before they are read."""

    pack: Callable[[Any], Any]
    unpack: Callable[[Any], Any]


class Packed(NamedTuple):
    """A value as a hook left it, and what makes a tensor of it again."""

    value: Any
    unpack: Callable[[Any], Any]


class _Local(threading.local):
    """What holds in a thread: the hooks, innermost last, and why there must be none."""

    def __init__(self) -> None:
        self.stack: list[Hooks] = []
        self.disabled: str | None = None
        self.written: Any = None


_local = _Local()


def push_hooks(pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
    """Pack what is saved from now on.

    Raises
    ------
    RuntimeError
        Where hooks are disabled.
    """
    for hook in (pack_hook, unpack_hook):
        _check_callable(hook)
    if _local.disabled is not None:
        raise RuntimeError(_local.disabled)
    if not _local.stack:
        current = state.state
        current.observers = (*current.observers, _observe)
    _local.stack.append(Hooks(pack_hook, unpack_hook))


def _check_callable(hook: object) -> None:
    if not callable(hook):
        raise TypeError(
            "_push_saved_tensors_default_hooks(): incompatible function arguments. The following "
            "argument types are supported:\n"
            "    pack_hook and unpack_hook, functions of one argument"
        )


def pop_hooks() -> None:
    """Go back to the hooks before."""
    _local.stack.pop()
    if not _local.stack:
        current = state.state
        current.observers = tuple([o for o in current.observers if o is not _observe])


def active() -> Hooks | None:
    """Return the hooks that hold now."""
    return _local.stack[-1] if _local.stack else None


@contextmanager
def disabled(message: str) -> Iterator[None]:
    """Refuse hooks, with this message."""
    if _local.stack:
        raise RuntimeError(message)
    previous, _local.disabled = _local.disabled, message
    try:
        yield
    finally:
        _local.disabled = previous


def compute_for(x: Any, compute: Callable[[], Any]) -> Any:
    """Compute what is about to be written into `x`, of which hooks get a copy."""
    previous, _local.written = _local.written, x
    try:
        return compute()
    finally:
        _local.written = previous


# ------------------------------------------------------------------ packing and unpacking


def pack(hooks: Hooks, x: Any) -> Packed:
    """Return what a hook makes of a tensor.

    Raises
    ------
    RuntimeError
        If the hook changes the tensor.
    """
    before = x._version
    current = state.state
    enabled, observers = current.enabled, current.observers
    current.enabled, current.observers = False, tuple([o for o in observers if o is not _observe])
    try:
        value = hooks.pack(x)
    finally:
        current.enabled, current.observers = enabled, observers
    if x._version != before:
        raise RuntimeError(_MODIFIES)
    return Packed(value, hooks.unpack)


def unpack(packed: Packed) -> Any:
    """Return the tensor that a hook makes of what was packed.

    Raises
    ------
    TypeError
        If it makes something else.
    """
    found = packed.unpack(packed.value)
    if not isinstance(found, Recorded):
        raise TypeError(
            "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
            f"{type(found).__name__}"
        )
    return found


def unpacked(node: Node) -> tuple[Any, ...] | None:
    """Return the residuals of a node as arrays, unpacked where they were packed."""
    packed = {} if node.extra is None else node.extra.packed
    if node.saved is None or not packed:
        return node.saved
    values = list(node.saved)
    for j, kept in packed.items():
        values[j] = _fitted(unpack(kept)._data, node, j)
    return tuple(values)


def _fitted(value: np.ndarray[Any, Any], node: Node, j: int) -> np.ndarray[Any, Any]:
    """Return an unpacked array in the shape and dtype of the value that was packed."""
    shape, kind = _like(node.sig)[j]
    if value.shape != shape:
        try:
            value = np.broadcast_to(value, shape)
        except ValueError:
            raise RuntimeError(
                f"Output of saved tensor unpack_hook expected to be of shape {list(shape)} but got "
                f"{list(value.shape)}"
            ) from None
    return value.astype(kind, copy=False)


def _like(sig: Signature) -> list[tuple[Any, Any]]:
    """Return shape and NumPy dtype of each residual."""
    found = [_candidates(sig)[k] for k in sig.reads]
    return [(x.shape, x.dtype.numpy) for x in found]


# ------------------------------------------------------------------ what is packed


def _observe(cls: Any, operands: Sequence[Any], params: Any, out: Any) -> None:
    """Pack what a recorded operation saved."""
    vertex = getattr(out, "_vertex", None)
    if isinstance(vertex, Node) and vertex.sig.cls is cls and vertex.saved:
        hooks = _local.stack[-1]
        pack_residuals(hooks, vertex, operands, out)


def pack_residuals(hooks: Hooks, vertex: Node, operands: Sequence[Any], out: Any) -> None:
    """Put the residuals of a node into the care of hooks."""
    sig = vertex.sig
    values: list[Any] = list(vertex.saved or ())
    packed: dict[int, Packed] = {}
    count = len(sig.operands)
    for j in packing_order(sig):
        k = sig.reads[j]
        if k < count:
            x = operands[k]
            if not isinstance(x, Recorded):
                x = wrap(np.asarray(values[j]))
            elif _local.written is not None and np.may_share_memory(x._data, _local.written._data):
                x = wrap(np.array(x._data), x._aval, x._vertex)
        elif k == count:
            x = wrap(values[j], sig.out, vertex)
        else:
            x = wrap(values[j])
        packed[j] = pack(hooks, x)
    # What is kept beside them for stable forms is not read where a node runs by itself.
    vertex.saved = (None,) * len(values)
    extra_of(vertex).packed = packed


def packing_order(sig: Signature) -> tuple[int, ...]:
    """Return which residuals PyTorch saves, in the order in which derivatives name them."""
    found = sig.packing
    if found is None:
        candidates = _candidates(sig)
        position = {x: i for i, x in reversed(list(enumerate(candidates)))}
        node = candidates[len(sig.operands)]
        if not node.saves_result:
            del position[node]
        ct = Placeholder("ct", node.shape, node.dtype)
        named: dict[int, None] = {}
        for part, need in zip(pull_back(node, ct, sig.needs), sig.needs, strict=True):
            if need and part is not None:
                reached = toposort([part], position.__contains__)
                named.update(dict.fromkeys([position[x] for x in reached if x in position]))
        named.update(dict.fromkeys(node.guards))
        found = sig.packing = tuple([sig.reads.index(k) for k in named if k in sig.reads])
    return found


def _candidates(sig: Signature) -> list[Any]:
    """Return the expressions that residuals are chosen from."""
    node = sig.cls(*placeholders(sig.operands), *sig.params)
    return [*node.operands, node, *node.extras()]
