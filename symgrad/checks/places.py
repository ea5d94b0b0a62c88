"""Where values are not finite: the operation, its operands and the line of the user's code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.autograd.function_formulas import ForwardAlone
from symgrad.checks.singular import short
from symgrad.checks.subject import Subject, formulas_of
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.lower.evaluate import of_leaves
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Several
from symgrad.support.untraceable import shown_line, traced_place


def not_finite(subject: Subject) -> list[str]:
    """Return which parts of the formula make nan or inf of finite operands at the inputs."""
    if subject.results is None:
        return []
    point = {x.name: v for x, v in subject.point().items()}
    nodes: list[ArrayExpr] = [
        x for x in toposort(list(subject.forwards or subject.results))
        if isinstance(x, Primitive) and not isinstance(x, Several) and x.dtype.differentiable
    ]  # fmt: skip
    if not nodes:
        return []
    executable = of_leaves(nodes)
    found = dict(zip(nodes, executable.arrays([point[k] for k in executable._labels]), strict=True))
    notes = []
    lines: dict[ArrayExpr, str] | None = None
    for x in nodes:
        bad = ~np.isfinite(found[x])
        if not bad.any() or any(y in found and not np.isfinite(found[y]).all() for y in x.operands):
            continue
        place = tuple(map(int, np.argwhere(bad)[0]))
        values = [v for v in (_at(y, found, subject, x.shape, place) for y in x.operands) if v]
        lines = _lines(subject) if lines is None else lines
        notes.append(
            f"{short(x)} is {np.asarray(found[x])[place]} at element {place}"
            + (f", of {', '.join(values)}" if values else "")
            + (f" ({lines[x]})" if lines.get(x) else "")
        )
    return notes


def _lines(subject: Subject) -> dict[ArrayExpr, str]:
    """Return the line of the user's code that first made each formula, while it is traced."""
    lines: dict[ArrayExpr, str] = {}

    def look(frame: Any, event: str, result: Any) -> None:
        if event == "return" and isinstance(result, ArrayExpr) and result not in lines:
            place = traced_place(frame)
            lines[result] = shown_line(*place) if place else ""

    before = sys.getprofile()
    try:
        sys.setprofile(look)
        with ForwardAlone():
            formulas_of(subject)
    finally:
        sys.setprofile(before)
    return lines


def _at(
    y: ArrayExpr, found: dict[Any, Any], subject: Subject, shape: Sequence[int], place: Any
) -> str:
    known: dict[Any, Any] = {**subject.point(), **found}
    value = known.get(y, getattr(y, "value", None))
    if value is None or (np.shape(value) and np.broadcast_shapes(np.shape(value), shape) != shape):
        return ""
    return f"{np.broadcast_to(value, shape)[place]:.8g}"
