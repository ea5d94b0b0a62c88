"""Saved values: hooks that pack them, and the attributes by which users read them.

The residuals of a node are in its `saved`. A value that a hook packed is in the `Extra` of the node
instead, with None in its place in `saved`; it is unpacked when the node is differentiated.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, NoReturn

import numpy as np

from symgrad.backward.modified import check_operand, check_result, refuse_freed
from symgrad.expr.atoms import Const
from symgrad.expr.node import ArrayExpr
from symgrad.lower.executable import Executable
from symgrad.ops.results import Several
from symgrad.record import tape
from symgrad.record.modes import holding, observes, state
from symgrad.record.nesting import carried
from symgrad.record.node import extra_of
from symgrad.record.operations import Operation
from symgrad.record.record import Recorded, wrap
from symgrad.record.signature import Signature, placeholders
from symgrad.record.tape import Deferred, LeafVertex, Node
from symgrad.support.scopes import Block, Scope

_MODIFIES = (
    "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack "
    "hook cannot be modified by in-place operations as this can lead to unexpected side-effects. "
    "Please open an issue if you need to perform in-place operations on the input to a pack hook."
)


class PackingHooks(NamedTuple):
    """Functions that pack values when they are saved, and unpack them when they are read.

    Attributes
    ----------
    pack, unpack : callable
        Take and return one value.
    keep : callable or None
        Takes a node; called for all of its residuals in place of packing each of them.
    """

    pack: Callable[[Any], Any]
    unpack: Callable[[Any], Any]
    keep: Callable[[Node], None] | None = None


class Packed(NamedTuple):
    """A value that a hook packed, and the hook that unpacks it."""

    value: Any
    unpack: Callable[[Any], Any]


class _Local(threading.local):
    """The tensor that an operation in place is about to write, in a thread."""

    written: Any = None


_local = carried(_Local())


class packing(Scope):  # noqa: N801 - it is read as a participle
    """Pack the values that are saved in a block.

    Parameters
    ----------
    hooks : PackingHooks
        The hooks that pack and unpack the values.
    """

    def __init__(self, hooks: PackingHooks) -> None:
        super().__init__()
        self.hooks = hooks

    def __enter__(self) -> None:
        modes = state.state
        refused: str | None = modes.aside.get("no_hooks")
        if refused is not None:
            raise RuntimeError(refused)
        self._put(modes.special, "hooks", (*modes.special.get("hooks", ()), self.hooks))


def given_hooks(pack_hook: Any, unpack_hook: Any) -> PackingHooks:
    """Return the hooks that a user gave, which have to be callable."""
    for hook in (pack_hook, unpack_hook):
        check_callable(hook, "_push_saved_tensors_default_hooks")
    return PackingHooks(pack_hook, unpack_hook)


def check_callable(hook: object, name: str) -> None:
    """Raise PyTorch's error for a hook that is not callable."""
    if not callable(hook):
        raise TypeError(
            f"{name}(): incompatible function arguments. The following argument types are "
            "supported:\n"
            "    pack_hook and unpack_hook, functions of one argument"
        )


def active() -> PackingHooks | None:
    """Return the hooks that are in effect, those of the innermost block; None without any."""
    stack = state.state.special.get("hooks")
    return stack[-1] if stack else None


class disabled(Block):  # noqa: N801 - it is read as a participle
    """Refuse hooks in a block, with an error of the given message."""

    def __init__(self, message: str) -> None:
        super().__init__()
        self.message = message

    def __enter__(self) -> None:
        modes = state.state
        if modes.special.get("hooks"):
            raise RuntimeError(self.message)
        self._put(modes.aside, "no_hooks", self.message)


class watched(Scope):  # noqa: N801 - it is read as a participle
    """Call `before` with each tensor just before it is changed in place, in a block."""

    def __init__(self, before: Callable[[Any], None]) -> None:
        super().__init__()
        self.before = before

    def __enter__(self) -> None:
        self._put(state.state.aside, "watcher", self.before)


def watching(before: Callable[[Any], None] | None) -> bool:
    """Return whether `before` is the watcher of this thread; with None, whether there is any."""
    watcher = state.state.aside.get("watcher")
    return bool(watcher == before if before else watcher is not None)


def before_change(x: Any) -> None:
    """Call the watcher of this thread, if there is one, with a tensor that is about to change."""
    watcher = state.state.aside.get("watcher")
    if watcher is not None:
        watcher(x)


def compute_for(x: Any, compute: Callable[[], Any]) -> Any:
    """Compute a value that will be written into `x`; hooks are given copies of what it saves."""
    previous, _local.written = _local.written, x
    try:
        return compute()
    finally:
        _local.written = previous


# ------------------------------------------------------------------ packing and unpacking


def pack(hooks: PackingHooks, x: Any) -> Packed:
    """Return a tensor as a hook packs it.

    Raises
    ------
    RuntimeError
        If the hook changes the tensor.
    """
    before = x._storage().version
    with holding(grad_mode=False, hooks=None):
        value = hooks.pack(x)
    if x._storage().version != before:
        raise RuntimeError(_MODIFIES)
    return Packed(value, hooks.unpack)


def unpack(packed: Packed) -> Any:
    """Return the tensor that a hook unpacks.

    Raises
    ------
    TypeError
        If the hook returns something else than a tensor.
    """
    found = packed.unpack(packed.value)
    if not isinstance(found, Recorded):
        raise TypeError(
            "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
            f"{type(found).__name__}"
        )
    return found


def unpacked(node: Node) -> Any:
    """Return the residuals of a node, those that hooks packed as unpacked arrays."""
    packed = {} if node.extra is None else node.extra.packed
    if node.saved is None or not packed:
        return node.saved
    values = list(node.saved)
    for j, kept in packed.items():
        values[j] = _fitted(unpack(kept)._data, node, j)
    return tuple(values)


def _fitted(value: np.ndarray[Any, Any], node: Node, j: int) -> np.ndarray[Any, Any]:
    """Return an unpacked array in the shape and dtype of the value that was packed."""
    shape, kind = residual_types(node.sig)[j]
    if value.shape != shape:
        try:
            value = np.broadcast_to(value, shape)
        except ValueError:
            raise RuntimeError(
                f"Output of saved tensor unpack_hook expected to be of shape {list(shape)} but got "
                f"{list(value.shape)}"
            ) from None
    return value.astype(kind, copy=False)


def residual_types(sig: Signature) -> list[tuple[Any, Any]]:
    """Return shape and NumPy dtype of each residual."""
    found = [_candidates(sig)[k] for k in sig.reads]
    return [(x.shape, x.dtype.numpy) for x in found]


# ------------------------------------------------------------------ residuals of operations


@observes("hooks")
def _observe(cls: Any, operands: Sequence[Any], params: Any, out: Any) -> None:
    """Pack the residuals of a recorded operation."""
    if isinstance(out, tuple):
        vertices = [x._vertex for x in out if isinstance(x._vertex, Node)]
        vertex = vertices[0].inputs[0] if vertices else None
    else:
        vertex = getattr(out, "_vertex", None)
    if isinstance(vertex, Node) and vertex.sig.cls is cls and vertex.saved:
        hooks = state.state.special["hooks"][-1]
        if hooks.keep is None:
            pack_residuals(hooks, vertex, operands)
        else:
            hooks.keep(vertex)


def pack_residuals(hooks: PackingHooks, vertex: Node, operands: Sequence[Any]) -> None:
    """Pack the residuals of a node by hooks."""
    sig = vertex.sig
    values: list[Any] = list(vertex.saved or ())
    packed: dict[int, Packed] = {}
    count = len(sig.operands)
    for j in sig.saved_order():
        k = sig.reads[j]
        if k < count:
            x = operands[k]
            if not isinstance(x, Recorded):
                x = wrap(np.asarray(values[j]))
            elif _local.written is not None and np.may_share_memory(x._data, _local.written._data):
                x = wrap(np.array(x._data), x._aval, x._vertex)
        else:
            i = k - count
            x = wrap(values[j], sig.outs[i], _result_vertex(vertex, i))
        packed[j] = pack(hooks, x)
    # Values that are kept for stable forms alone are dropped, since the node now runs by itself.
    vertex.saved = (None,) * len(values)
    extra_of(vertex).packed = packed


# ------------------------------------------------------------------ attributes of nodes


def _result_vertex(node: Node, index: int) -> Any:
    """Return the vertex of one of the results of a node; None where it has no derivative."""
    if not isinstance(node, Operation):
        return node
    return None if node.sig.results[index] is None else node.output(index)


_SAVED, _RAW = "_saved_", "_raw_saved_"


class SavedTensor:
    """A value that is kept for a derivative, to be packed by hooks of its own.

    Parameters
    ----------
    pack : callable
        Packs the value by the hooks that it takes, or refuses them.
    """

    __slots__ = ("_pack",)

    def __init__(self, pack: Callable[[PackingHooks], None]) -> None:
        self._pack = pack

    def register_hooks(
        self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]
    ) -> None:
        """Pack the value now, and unpack it when it is read.

        Raises
        ------
        RuntimeError
            If it is None or freed, or has hooks already.
        """
        for hook in (pack_hook, unpack_hook):
            check_callable(hook, "register_hooks")
        self._pack(PackingHooks(pack_hook, unpack_hook))


def refuse_second_hooks() -> NoReturn:
    """Raise PyTorch's error for hooks on a saved tensor that has some."""
    raise RuntimeError(
        "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only "
        "one pair of hooks is allowed at a time."
    )


def _pack_residual(node: Node, j: int, hooks: PackingHooks) -> None:
    """Pack one residual of a node by hooks of its own."""
    if node.saved is None:
        raise RuntimeError(
            "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate "
            "values of the graph are freed when you call .backward() or autograd.grad(). Specify "
            "retain_graph=True if you need to backward through the graph a second time or if you "
            "need to access saved variables after calling backward."
        )
    extra = extra_of(node)
    if j in extra.packed or isinstance(node.saved, Deferred):
        refuse_second_hooks()
    kept = pack(hooks, wrap(node.saved[j]))
    # Values that are kept for stable forms alone are dropped, since the node now runs by itself.
    named = node.sig.saved_order()
    node.saved = tuple([None if i == j or i not in named else x for i, x in enumerate(node.saved)])
    extra.packed = {**extra.packed, j: kept}


@tape.saved_attribute.state
def saved_attribute(node: Node, name: str) -> Any:
    """Return `_saved_x` or `_raw_saved_x` of a node.

    Raises
    ------
    AttributeError
        If the operation saves nothing of that name.
    RuntimeError
        If the value was freed, or modified in place since it was saved.
    """
    sig = node.sig
    if not name.startswith((_RAW, _SAVED)):
        raise _no_attribute(node, name)
    raw = name.startswith(_RAW)
    word = name.removeprefix(_RAW if raw else _SAVED)
    values = sig.shown_values()
    places = {sig.reads[j]: j for j in sig.saved_order()}
    if word in values and values[word] in places:
        j = places[values[word]]
        return SavedTensor(partial(_pack_residual, node, j)) if raw else _saved_value(node, j)
    if word in values:
        return SavedTensor(_refuse_none) if raw else _absent_value(node, values[word])
    if not raw and sig.shows_values:
        made = sig.build(placeholders(sig.operands))
        facts = sig.face.facts(made)
        if word in facts:
            fact = facts[word]
            return _computed(node, fact, made.operands) if isinstance(fact, ArrayExpr) else fact
    raise _no_attribute(node, name)


def _absent_value(node: Node, k: int) -> Any:
    """Return what stands for a value that is no tensor of the user's: a number, or None."""
    sig = node.sig
    if k >= len(sig.operands) or not sig.operands[k].weak:
        return None
    spec, inputs = sig.operands[k], iter(node.inputs)
    vertices = [None if isinstance(x, Const) else next(inputs) for x in sig.operands]
    vertex: Any = vertices[k]
    number = spec.number if isinstance(spec, Const) else vertex.saved[0]
    if not sig.face.numbers:
        return number
    return wrap(np.asarray(number))


def _computed(node: Node, formula: ArrayExpr, operands: Sequence[ArrayExpr]) -> Any:
    """Return the value of a formula of the operands, from those of them that a node keeps."""
    if node.saved is None:
        refuse_freed(node)
    given = {operands[k]: j for j, k in enumerate(node.sig.reads) if k < len(operands)}
    return wrap(Executable([formula], given).arrays(unpacked(node))[0])


def _refuse_none(hooks: PackingHooks) -> NoReturn:
    raise RuntimeError(
        "Calling register_hooks on a saved tensor with value None is forbidden. Saved intermediate "
        "values of the graph may be None."
    )


def _no_attribute(node: Node, name: str) -> AttributeError:
    seen = tape.node_of(node)
    title = type(seen).__name__
    return AttributeError(f"'{title}' object has no attribute '{name}'", name=name, obj=seen)


@tape.saved_names.state
def saved_names(node: Node) -> list[str]:
    """Return the names for which `saved_attribute` finds a value."""
    sig = node.sig
    if not sig.shows_values:
        return []
    values = sig.shown_values()
    facts = sig.face.facts(sig.build(placeholders(sig.operands)))
    tensors = [w for w, k in values.items() if not sig.is_plain_number(k)]
    shown = dict.fromkeys([*values, *facts])
    return [*[_SAVED + w for w in shown], *[_RAW + w for w in tensors]]


def _saved_value(node: Node, j: int) -> Any:
    if node.saved is None:
        refuse_freed(node)
    sig = node.sig
    k, count = sig.reads[j], len(sig.operands)
    inputs = iter(node.inputs)
    vertices = [None if isinstance(spec, Const) else next(inputs) for spec in sig.operands]
    i = k - count
    vertex = vertices[k] if k < count else _result_vertex(node, i)
    if node.extra is not None and j in node.extra.packed:
        return wrap(unpack(node.extra.packed[j])._data, None, vertex)
    if k < count:
        check_operand(node, vertex, k)
    else:
        check_result(node, i)
    owner = vertex.owner() if isinstance(vertex, LeafVertex) else None
    if owner is not None:
        return owner
    values = node.saved.residuals() if isinstance(node.saved, Deferred) else node.saved
    return wrap(values[j], None, vertex)


def _candidates(sig: Signature) -> list[Any]:
    """Return the expressions that residuals are chosen from."""
    node = sig.cls(*placeholders(sig.operands), *sig.params)
    results = node if isinstance(node, Several) else [node]
    return [*node.operands, *results, *sig.intermediates]
