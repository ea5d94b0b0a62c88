"""The lines of error messages after PyTorch's: the variable, the line of code, and the cure."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Sequence
from types import CodeType
from typing import Any

from symgrad.ops.primitive import PRIMITIVES, Primitive
from symgrad.record.graph_cuts import Cut
from symgrad.record.record import Recorded
from symgrad.record.tape import Boundary, LeafVertex, node_of
from symgrad.record.user_code import line_of, user_frame, users_name, variable


def advice_on_cut(x: Any) -> str:
    """Return the lines that say where a tensor that requires no gradient lost its graph."""
    name = users_name(x)
    it = f"'{name}'" if name else "It"
    cut: Cut | None = x._cut
    if cut is None:
        return (
            f"\n{it}, and all that it was computed from, was made without requires_grad=True: from "
            "data, or from what item(), tolist() or numpy() had taken out of a graph.\n"
            "Make what it depends on with requires_grad=True, or call requires_grad_() on that "
            "before it is used."
        )
    if cut.mode:
        return (
            f"\n{it} comes from {cut.how}(), which was computed under {cut.mode} and so not "
            f"recorded.\nCompute it outside of the {cut.mode} block"
            + (", or inside of enable_grad()." if cut.mode == "no_grad" else ".")
        )
    source = None if cut.source is None else cut.source()
    origin = "" if source is None else users_name(source)
    made = f"the result of {cut.made}" if cut.made else "a tensor that requires a gradient"
    what = f"'{origin}'" if origin else made
    place = cut.place()
    where = f" at {place}" if place else ""
    how, cure = cut.words or PRIMITIVES.get(cut.how, Primitive).cut
    return f"\n{it} comes from {how.format(name=cut.how, at=where)} cut it off from {what}.\n{cure}"


def advice_on_unused(x: Any, order: Sequence[Any]) -> str:
    """Return the lines that say what a graph depends on, where `x` is not among it."""
    owners = [v.owner() for v in order if isinstance(v, LeafVertex) and not isinstance(v, Boundary)]
    tensors = [t for t in owners if t is not None]
    name = users_name(x)
    it = f"'{name}'" if name else "It"
    for t in tensors:
        cut = t._cut
        if cut is not None and cut.source is not None and cut.source() is x:
            place = cut.place()
            return f"\n{it} was cut off from what the graph depends on by {cut.how}()" + (
                f" at {place}." if place else "."
            )
    found = [f"'{n}'" for t in tensors if t._rg and (n := users_name(t))]
    if not found:
        return f"\n{it} is not part of the graph."
    return f"\n{it} is not part of the graph, which depends on {', '.join(dict.fromkeys(found))}."


def advice_on_modified(reader: Any, vertex: Any, storage: Any, expected: int) -> str:
    """Return the lines that say which variable was modified, and what had saved it."""
    if isinstance(vertex, Boundary):
        vertex = vertex.vertex
    name = vertex.name if isinstance(vertex, LeafVertex) else ""
    name = name or variable(lambda value: _shows(value, vertex, storage))
    it = f"'{name}'" if name else "The variable"
    function = node_of(reader).name()
    count = storage.version - expected
    times = "once" if count == 1 else f"{count} times"
    if storage.by:
        times += f", {'' if count == 1 else 'last '}by {storage.by},"
    return (
        f"\n{it} has been changed in place {times} since {function} saved it, which needs the "
        "value that it had then.\nUse the form that is not in place (x = x.add(y) for x.add_(y) or "
        "x += y), or change a clone()."
    )


def _shows(value: Any, vertex: Any, storage: Any) -> bool:
    if not isinstance(value, Recorded) or not value._vertex:
        return False
    return value._vertex is vertex or value._vertex.storage is storage


# ------------------------------------------------------------------ passes

# The latest backward passes that freed what they read: the vertex where each began, and its place.
_passes: deque[tuple[Any, tuple[CodeType, int]]] = deque(maxlen=32)


def remember_pass(roots: Sequence[Any]) -> None:
    """Note where the user began a backward pass that frees what it reads."""
    frame = user_frame()
    if frame is not None and roots:
        _passes.append((weakref.ref(roots[0]), (frame.f_code, frame.f_lasti)))


def advice_on_second_pass(node: Any) -> str:
    """Return the lines that say which node was freed, and by which pass."""
    if node is None:
        return ""
    name = node_of(node).name()
    for ref, (code, at) in reversed(list(_passes)):  # others may add to it meanwhile
        root = ref()
        if root is not None and _leads_to(root, node):
            return f"\nWhat {name} had saved was freed by the backward pass at {line_of(code, at)}."
    return f"\nWhat {name} had saved was freed by an earlier backward pass."


def _leads_to(root: Any, node: Any) -> bool:
    seen = {root}
    stack = [root]
    while stack:
        v = stack.pop()
        if v is node:
            return True
        fresh = [x for x in v.inputs if x not in seen]
        seen.update(fresh)
        stack += fresh
    return False
