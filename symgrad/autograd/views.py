"""Views and their bases: which tensors look into one memory, and what a change of it does to them.

A view remembers the tensor whose memory it shows, its *base*, and the operations that lead there.
When the memory has been changed under record, its place in the graph is *outdated*: it is taken
anew, from what the base is by then, when somebody asks for it. So a change costs nothing for views
that nobody uses any more.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.autograd.locks import making
from symgrad.autograd.modes import recording, state
from symgrad.autograd.node import extra_of
from symgrad.autograd.signature import Signature, named
from symgrad.autograd.tape import Node
from symgrad.autograd.versions import Storage
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.complex_parts import imag, real
from symgrad.ops.complexes import from_parts, view_as_complex, view_as_real
from symgrad.ops.identity import alias
from symgrad.ops.indexing import index_put
from symgrad.ops.permuting import permute
from symgrad.ops.reshaping import reshape
from symgrad.ops.slicing import part, split, split_with_sizes, unbind, updated
from symgrad.primitive import Primitive

__all__ = [
    "Outdated", "Trail", "enter", "outdate", "path", "refuse", "renew", "turn", "written_base",
]  # fmt: skip

#: An operation that makes a view, with its parameters.
Step = tuple[type[Primitive], tuple[Any, ...]]
#: Steps one after the other: those before the last, and the last. Views of views share them, so
#: that a long chain of views takes no more than each of them.
Trail = tuple["Trail", Step] | None

#: Views of which one operation gives several; PyTorch lets none of them be changed.
_MANY = (split, split_with_sizes, unbind)

_AMBIGUOUS = (
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your "
    "code by moving both the view and the inplace either both inside the {0} block (if you don't "
    "want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."
)

_FORBIDDEN = {
    "many": (
        " This view is the output of a function that returns multiple views. Such functions do not "
        "allow the output views to be modified inplace. You should replace the inplace operation "
        "by an out-of-place one."
    ),
    "function": (
        " This view was created inside a custom Function (or because an input was returned as-is) "
        "and the autograd logic to handle view+inplace would override the custom backward "
        "associated with the custom Function, leading to incorrect gradients. This behavior is "
        "forbidden. You can fix this by cloning the output of the custom Function."
    ),
    "no_grad": _AMBIGUOUS.format("no_grad"),
    "inference": _AMBIGUOUS.format("inference_mode"),
}


class Outdated:
    """In the place of a view's vertex, whose memory has been changed since; it counts as false.

    Attributes
    ----------
    storage : Storage
        The version counter of the memory.
    retain : weakref or None
        The view, where it retains its gradient.
    name : str
        That of the vertex before; empty for a leaf.
    output_nr : int
        Which result of its operation it was.
    """

    __slots__ = ("name", "output_nr", "retain", "storage")

    extra = None

    def __init__(self, storage: Storage, retain: Any, name: str, output_nr: int) -> None:
        self.storage = storage
        self.retain = retain
        self.name = name
        self.output_nr = output_nr

    def __bool__(self) -> bool:
        return False


def enter(view: Any, source: Any, sig: Signature) -> None:
    """Let a new view of `source`, made by `sig`, know its base and its version counter."""
    storage = source._storage()
    if not sig.cls.differentiable:  # it gets no history by changes of the other
        view._leaf().storage = storage
        return
    restricted = source._restricted
    if not state.state.enabled:
        # It says that it requires a gradient, and gets none.
        restricted = "inference" if state.state.inference else "no_grad"
        view._rg = source._rg
    elif issubclass(sig.cls, _MANY):
        restricted = "many"
    if restricted:
        view._restricted = restricted
    base = view._base = source if source._base is None else source._base
    (view._vertex or view._leaf()).storage = storage
    view._steps = (_trail(source), (sig.cls, tuple([p.value for p in sig.params])))
    if base._turns:
        view._turned = len(base._turns)
    _note(view, base)


def _note(view: Any, base: Any) -> None:
    with making:
        views = base._views
        if views is None:
            views = base._views = []
        elif len(views) >= 32 and not len(views) & (len(views) - 1):
            # At every power of two, so that many that live are not gone through at each new one.
            views = base._views = [r for r in views if r() is not None]
        views.append(weakref.ref(view))


def path(view: Any) -> tuple[Step, ...]:
    """Return the operations that lead from the base, as it is now, to a view."""
    base = view._base
    if base is None:
        return ()
    steps: list[Step] = []
    trail: Trail = view._steps
    while trail is not None:
        trail, step = trail
        steps.append(step)
    return (*reversed(base._turns[view._turned :]), *reversed(steps))


def _trail(x: Any) -> Trail:
    """Return `path(x)` to be gone on with, brought up to date where the base has been turned."""
    base = x._base
    if base is None:
        return None
    if x._turned != len(base._turns):
        trail: Trail = None
        for step in path(x):
            trail = (trail, step)
        x._steps, x._turned = trail, len(base._turns)
    found: Trail = x._steps
    return found


def turn(x: Any, step: Step, back: Step) -> None:
    """Note that `x` itself got another shape in place by `step`, which `back` undoes."""
    if x._base is None:
        if not x._turns:
            x._turns = []
        x._turns.append(back)
    else:
        x._steps = (_trail(x), step)
        x._turned = len(x._base._turns)


def outdate(base: Any) -> None:
    """Outdate all views of a tensor whose memory was changed."""
    with making:
        views = base._views
        if not views or not base._rg:
            return
        base._views = None  # each is noted again when it is renewed
    for ref in views:
        view = ref()
        if view is None:
            continue
        old, retain, name, number = view._vertex, None, "", 0
        if isinstance(old, Node):
            name, number = old.name(), old.output_nr
            if old.retains:
                extra = extra_of(old)
                retain, extra.retain = extra.retain, None
        view._vertex = Outdated(base._vertex.storage, retain, name, number)
        view._rg = True


def renew(view: Any) -> Node:
    """Take an outdated view anew from its base, and return its vertex."""
    from symgrad.autograd.record import record, wrap  # noqa: PLC0415 - it imports this

    base, old = view._base, view._vertex
    refuse(view, "its base or another view of its base has been")
    steps = path(view)
    with recording(True, unobserved=True):
        value = wrap(base._data, base._aval, base._vertex or base._leaf())
        for cls, params in steps:
            value = record(cls, (value,), params)
    vertex: Node = value._vertex
    if not issubclass(steps[-1][0], (view_as_real, view_as_complex)):
        vertex.rename(named(vertex.sig, "AsStridedBackward0"))
        if len(steps) > 1:
            extra_of(vertex).links = [base._vertex]
    vertex.storage = old.storage
    if old.retain is not None:
        extra_of(vertex).retain = old.retain
    view._vertex = vertex
    _note(view, base)
    return vertex


def refuse(view: Any, modified: str) -> None:
    """Raise PyTorch's error for a view that must not be changed under record, or its base.

    Parameters
    ----------
    view : Tensor
        The view.
    modified : str
        What is changed, and when.
    """
    kind = view._restricted
    if not kind:
        return
    vertex = view._vertex
    name, number = "", 0
    if isinstance(vertex, Node):
        name, number = vertex.name(), vertex.output_nr
    elif isinstance(vertex, Outdated):
        name, number = vertex.name, vertex.output_nr
    mode, when = "no_grad mode", " with grad mode enabled"
    if kind == "inference":
        mode, when = "inference mode", " in normal mode"
    subject = f"A view was created in {mode}"
    if name:
        function = name.removesuffix("0").removesuffix("Backward")
        subject = f"Output {number} of {function} is a view"
        if kind in ("many", "function"):
            when = ""
        else:
            subject += f" of a view which was created in {mode}"
    raise RuntimeError(f"{subject} and {modified} modified inplace{when}.{_FORBIDDEN[kind]}")


def written_base(base: Any, steps: Sequence[Step], child: Any) -> Any:
    """Return `base`, out of place, with `child` where the steps lead to.

    Nothing is computed: its value is the memory of `base`, into which `child` is written.
    """
    from symgrad.autograd.record import record, wrap  # noqa: PLC0415 - it imports this

    parents = [wrap(base._data, base._aval, base._vertex)]
    for i, (cls, params) in enumerate(steps):
        shown = record(cls, (parents[-1],), params)
        if issubclass(cls, broadcast_to) and shown._aval.size > parents[-1]._aval.size:
            # What shows elements more than once cannot be undone by itself, only with what follows.
            child = _put_back(parents[-1], child, steps[i:])
            steps = steps[:i]
            break
        parents.append(shown)
    for (cls, params), parent in zip(reversed(steps), reversed(parents[: len(steps)]), strict=True):
        shape = parent._aval.shape
        if issubclass(cls, part):
            child = record(updated, (parent, child), params, result=parent._data)
        elif issubclass(cls, permute):
            child = record(permute, (child,), (tuple(int(i) for i in np.argsort(params[0])),))
        elif child._aval.size == parent._aval.size and issubclass(
            cls, (reshape, alias, broadcast_to)
        ):
            if child._aval.shape != shape or child is not parent:
                child = record(reshape, (child,), (shape,))
        elif issubclass(cls, real):
            child = record(from_parts, (child, parent.imag), result=parent._data)
        elif issubclass(cls, imag):
            child = record(from_parts, (parent.real, child), result=parent._data)
        elif issubclass(cls, view_as_real):
            child = record(view_as_complex, (child,), result=parent._data)
        elif issubclass(cls, view_as_complex):
            child = record(view_as_real, (child,), result=parent._data)
        else:
            child = _put_back(parent, child, [(cls, params)])
    return child


def _put_back(parent: Any, child: Any, steps: Sequence[Step]) -> Any:
    """Return `parent`, out of place, with `child` where the steps lead to, by position."""
    from symgrad.autograd.record import record, wrap  # noqa: PLC0415 - it imports this

    shape, size = parent._aval.shape, parent._aval.size
    places = wrap(np.arange(size).reshape(shape))
    for cls, params in steps:
        places = record(cls, (places,), params)
    flat = record(reshape, (parent,), ((size,),))
    child = record(reshape, (child,), ((child._aval.size,),))
    put = (flat, child, wrap(places._data.reshape(-1)))
    written = record(index_put, put, ((True,), (0,), False), result=flat._data)
    return record(reshape, (written,), (shape,), result=parent._data)
