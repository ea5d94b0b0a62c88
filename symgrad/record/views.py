"""Views and their bases: tensors that share memory, and their vertices after it was written.

A view keeps the tensor whose memory it shows, its *base*, and the operations that lead from the
base to the view, its *steps*. When an operation in place has changed the memory under record, the
vertices of all views of the base are *outdated*. The vertex of a view is made anew when it is next
used, by recording its steps on the present vertex of the base. So a change costs nothing for views
that are not used again.

A base may itself be reshaped in place (`t_`, `squeeze_`, …). The steps of older views then begin at
its former shape, so that the base keeps, for each such reshape, the operation that undoes it.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

from symgrad.differentiate.sweeps import with_derivative_rewrites
from symgrad.expr.atoms import Placeholder, Static
from symgrad.expr.node import ArrayExpr
from symgrad.ops.complexes import view_as_complex, view_as_real
from symgrad.ops.identity import alias
from symgrad.ops.primitive import Primitive
from symgrad.record.aval import Aval
from symgrad.record.modes import state
from symgrad.record.node import extra_of
from symgrad.record.signature import Signature, named
from symgrad.record.signatures import param_kinds, signature, signatures
from symgrad.record.tape import Node
from symgrad.record.versions import Storage, clock
from symgrad.support.locks import making

#: An operation that makes a view, with its parameters.
Step = tuple[type[Primitive], tuple[Any, ...]]
#: The steps of a view as a linked list: the trail before the last step, the last step, and the
#: number of further steps after which the trail is shortened. Views of views share their trails, so
#: that a chain of n views takes memory proportional to n.
Trail = tuple["Trail", Step, int] | None

# The number of steps after which a trail is shortened; it is shortened again when it has doubled.
_SHORT_TRAIL = 4

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
    """The vertex of a view whose memory was changed, until it is renewed; `bool()` gives False.

    Attributes
    ----------
    storage : Storage
        The version counter of the memory.
    retain : weakref or None
        The view, where it retains its gradient.
    name : str
        The name of the former vertex; empty for a leaf.
    output_nr : int
        The number of the former vertex among the results of its operation.
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


def register_view(view: Any, source: Any, sig: Signature, index: int = 0) -> None:
    """Give a new view of `source`, a result of `sig`, its base, steps and version counter."""
    storage, cls = source._storage(), sig.cls
    # A change of `source` gives no history to what is no view for autograd.
    if not cls.differentiable or source._aval.inference:
        view._leaf().storage = storage
        return
    restricted = source._restricted
    current = state.state
    if current.special and not current.enabled:
        # Such a view has `requires_grad` set, as in PyTorch, although it gets no gradient.
        restricted = "inference" if current.inference else "no_grad"
        view._rg = source._rg
    elif cls.is_one_of_views:
        restricted = "many"
    if restricted:
        view._restricted = restricted
    base = source._base
    if base is None:
        base = source
    view._base = base
    (view._vertex or view._leaf()).storage = storage
    step = sig.steps[index]
    view._steps = (None, step, _SHORT_TRAIL) if source is base else _continued(source, step)
    if base._reshapes:
        view._reshapes_done = len(base._reshapes)
    _register(view, base)


def _register(view: Any, base: Any) -> None:
    with making:
        base._views = _with_view(base._views, view)


def _with_view(views: list[Any] | None, view: Any) -> list[Any]:
    if views is None:
        views = []
    elif len(views) >= 32 and not len(views) & (len(views) - 1):
        # Remove dead views at every power of two only, so that many living ones cost little.
        views = [r for r in views if r() is not None]
    views.append(weakref.ref(view))
    return views


def view_steps(view: Any) -> tuple[Step, ...]:
    """Return the operations that lead from the base, in its present shape, to a view."""
    base = view._base
    if base is None:
        return ()
    steps = steps_of(view._steps)
    reshapes = base._reshapes[view._reshapes_done :]
    return (*reversed(reshapes), *steps) if reshapes else steps


def steps_of(trail: Trail) -> tuple[Step, ...]:
    """Return the steps of a trail."""
    steps: list[Step] = []
    while trail is not None:
        trail, step, _ = trail
        steps.append(step)
    return tuple(reversed(steps))


def _continued(x: Any, step: Step) -> Trail:
    """Return the trail of a new view of the view `x`, from the present shape of the base."""
    base = x._base
    if x._reshapes_done != len(base._reshapes):
        x._steps, x._reshapes_done = trail_of(view_steps(x)), len(base._reshapes)
    trail = x._steps
    room = trail[2] - 1
    # The tangent of a view of `x` is found by the steps after those of `x`, if `x` has a tangent of
    # its own; so these steps stay.
    if not room and x._dual is None:
        steps = _shorter(base, view_steps(x))
        trail, room = trail_of(steps), max(_SHORT_TRAIL, len(steps))
    return trail, step, max(room, 1)


def trail_of(steps: Iterable[Step]) -> Trail:
    """Return the trail of a sequence of steps."""
    trail: Trail = None
    for step in steps:
        trail = (trail, step, _SHORT_TRAIL)
    return trail


@with_derivative_rewrites
def _shorter(base: Any, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return fewer steps to the same elements of the base: those of the simplified formula."""
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


def reshape_in_place(x: Any, step: Step, back: Step) -> None:
    """Enter a reshape in place, which `back` undoes, in `x`, or in the trail of a view `x`."""
    if x._base is None:
        if not x._reshapes:
            x._reshapes = []
        x._reshapes.append(back)
    else:
        x._steps = _continued(x, step)


def outdate(base: Any) -> None:
    """Outdate the vertices of all views of a tensor whose memory was changed."""
    with making:
        views = base._views
        if not views or not base._rg:
            return
        base._views = None  # a view is registered again when it is renewed
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
        elif view._restricted:  # such a view is never renewed, and need not be outdated again
            with making:
                base._refused = _with_view(base._refused, view)
        view._vertex = Outdated(base._vertex.storage, retain, name, number)
        view._rg = True


def views_without_history(base: Any) -> list[Any]:
    """Return the views without history, which report the `requires_grad` of their base."""
    with making:
        views = base._views = [*(base._views or ()), *(base._refused or ())]
        base._refused = None
    views = [view for ref in views if (view := ref()) is not None]
    return [view for view in views if not _has_history(view._vertex)]


def _has_history(vertex: Any) -> bool:
    return isinstance(vertex, Node) or (isinstance(vertex, Outdated) and vertex.name != "")


def renew(view: Any) -> Node:
    """Return a new vertex of an outdated view, recorded from the present vertex of its base."""
    base, old = view._base, view._vertex
    refuse(view, "its base or another view of its base has been")
    steps = view_steps(view)
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
    _register(view, base)
    return vertex


def _signature(cls: type[Primitive], params: tuple[Any, ...], aval: Aval) -> Signature:
    """Return the signature of a differentiable view, which keeps no values for its derivative."""
    key = (params, *param_kinds(params), aval, True)
    found = signatures(cls).get(key)
    if found is None:
        found = signature(cls, key, (aval,), tuple([Static(p) for p in params]), (True,))
    return found


def refuse(view: Any, modified: str) -> None:
    """Raise PyTorch's error where neither a view nor its base may be changed under record.

    Parameters
    ----------
    view : Tensor
        The view.
    modified : str
        The part of the message that says which tensor is changed, and when.
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
