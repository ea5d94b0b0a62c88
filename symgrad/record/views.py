"""Views and their bases: which tensors look into one memory, and what a change of it does to them.

A view remembers the tensor whose memory it shows, its *base*, and the operations that lead there.
When the memory has been changed under record, its place in the graph is *outdated*: it is taken
anew, from what the base is by then, when somebody asks for it. So a change costs nothing for views
that nobody uses any more.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

from symgrad.differentiate.sweeps import derives
from symgrad.expr.node import ArrayExpr, Placeholder, Static
from symgrad.ops.complexes import view_as_complex, view_as_real
from symgrad.ops.identity import alias
from symgrad.ops.primitive import Primitive
from symgrad.record.aval import Aval
from symgrad.record.modes import state
from symgrad.record.node import extra_of
from symgrad.record.signature import Signature, named, param_kinds, signature, signatures
from symgrad.record.tape import Node
from symgrad.record.versions import Storage, clock
from symgrad.support.locks import making

__all__ = [
    "Outdated",
    "Step",
    "Trail",
    "enter",
    "outdate",
    "path",
    "refuse",
    "renew",
    "told",
    "trail_of",
    "turn",
]

#: An operation that makes a view, with its parameters.
Step = tuple[type[Primitive], tuple[Any, ...]]
#: Steps one after the other: those before the last, the last, and after how many more it is worth
#: while to join them. Views of views share them, so that a long chain of views takes no more than
#: each of them.
Trail = tuple["Trail", Step, int] | None

# How many steps are let be; longer trails are joined, and again when they are twice as long.
_SHORT = 4

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


def enter(view: Any, source: Any, sig: Signature, index: int = 0) -> None:
    """Let a new view of `source`, a result of `sig`, know its base and its version counter."""
    storage = source._storage()
    if not sig.cls.differentiable:  # it gets no history by changes of the other
        view._leaf().storage = storage
        return
    restricted = source._restricted
    current = state.state
    if not current.enabled:
        # It says that it requires a gradient, and gets none.
        restricted = "inference" if current.inference else "no_grad"
        view._rg = source._rg
    elif sig.cls.is_one_of_views:
        restricted = "many"
    if restricted:
        view._restricted = restricted
    base = view._base = source if source._base is None else source._base
    (view._vertex or view._leaf()).storage = storage
    step = sig.steps[index]
    view._steps = (None, step, _SHORT) if source is base else _continued(source, step)
    if base._turns:
        view._turned = len(base._turns)
    _note(view, base)


def _note(view: Any, base: Any) -> None:
    with making:
        base._views = _noted(base._views, view)


def _noted(views: list[Any] | None, view: Any) -> list[Any]:
    if views is None:
        views = []
    elif len(views) >= 32 and not len(views) & (len(views) - 1):
        # At every power of two, so that many that live are not gone through at each new one.
        views = [r for r in views if r() is not None]
    views.append(weakref.ref(view))
    return views


def path(view: Any) -> tuple[Step, ...]:
    """Return the operations that lead from the base, as it is now, to a view."""
    base = view._base
    if base is None:
        return ()
    steps: list[Step] = []
    trail: Trail = view._steps
    while trail is not None:
        trail, step, _ = trail
        steps.append(step)
    steps.reverse()
    turns = base._turns[view._turned :]
    return (*reversed(turns), *steps) if turns else tuple(steps)


def _continued(x: Any, step: Step) -> Trail:
    """Return the trail of a view of the view `x`, brought up to date where the base was turned."""
    base = x._base
    if x._turned != len(base._turns):
        x._steps, x._turned = trail_of(path(x)), len(base._turns)
    trail = x._steps
    room = trail[2] - 1
    # Where `x` has a tangent of its own, what follows is looked at from there.
    if not room and x._dual is None:
        steps = _joined(base, path(x))
        trail, room = trail_of(steps), max(_SHORT, len(steps))
    return trail, step, max(room, 1)


def trail_of(steps: Iterable[Step]) -> Trail:
    """Return steps as a view remembers them."""
    trail: Trail = None
    for step in steps:
        trail = (trail, step, _SHORT)
    return trail


@derives
def _joined(base: Any, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return fewer steps that lead from the base to the same elements: those of the formula."""
    start = Placeholder("base", base._aval.shape, base._aval.dtype)
    formula: ArrayExpr = start
    for cls, params in steps:
        formula = cls.of(formula, *params)
    found: list[Step] = []
    while formula is not start:
        if not isinstance(formula, Primitive) or not formula.is_view:
            return steps
        found.append((type(formula), formula.param_values))
        (formula,) = formula.operands
    return tuple(reversed(found)) or ((alias, ()),)


def turn(x: Any, step: Step, back: Step) -> None:
    """Note that `x` itself got another shape in place by `step`, which `back` undoes."""
    if x._base is None:
        if not x._turns:
            x._turns = []
        x._turns.append(back)
    else:
        x._steps = _continued(x, step)


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
        elif view._restricted:  # never renewed; it makes no work at the next change
            with making:
                base._refused = _noted(base._refused, view)
        view._vertex = Outdated(base._vertex.storage, retain, name, number)
        view._rg = True


def told(base: Any) -> list[Any]:
    """Return the views of a tensor that have no history, and say what it says."""
    with making:
        noted = base._views = [*(base._views or ()), *(base._refused or ())]
        base._refused = None
    views = [view for ref in noted if (view := ref()) is not None]
    return [view for view in views if not _has_history(view._vertex)]


def _has_history(vertex: Any) -> bool:
    return isinstance(vertex, Node) or (isinstance(vertex, Outdated) and vertex.name != "")


def renew(view: Any) -> Node:
    """Take an outdated view anew from its base, and return its vertex."""
    base, old = view._base, view._vertex
    refuse(view, "its base or another view of its base has been")
    steps = path(view)
    above: Any = base._vertex or base._leaf()
    aval = base._aval
    for cls, params in steps:
        sig = _signature(cls, params, aval)
        above, aval = Node(sig, (above,), (), clock()), sig.out
    vertex: Node = above
    if not issubclass(steps[-1][0], (view_as_real, view_as_complex)):
        vertex.rename(named(vertex.sig, "AsStridedBackward0"))
        if len(steps) > 1:
            vertex.links = [base._vertex]
    vertex.storage = old.storage
    if old.retain is not None:
        extra_of(vertex).retain = old.retain
    view._vertex = vertex
    _note(view, base)
    return vertex


def _signature(cls: type[Primitive], params: tuple[Any, ...], aval: Aval) -> Signature:
    """Return what a view that is differentiated does; it keeps no values for its derivative."""
    key = (params, *param_kinds(params), aval, True)
    found = signatures(cls).get(key)
    if found is None:
        found = signature(cls, key, (aval,), tuple([Static(p) for p in params]), (True,))
    return found


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
