"""Anomaly mode: the traceback of each recorded operation, and the warning that shows it.

The mode itself is switched in `symgrad.autograd.anomaly_mode`; what a nan came from is found by
`symgrad.backward.diagnosis`.
"""

from __future__ import annotations

import threading
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from symgrad.record.modes import everywhere, observes
from symgrad.record.nesting import carried
from symgrad.record.node import extra_of
from symgrad.record.tape import Derived, node_of
from symgrad.record.user_code import user_frame

R = TypeVar("R")


class _Anomaly:
    """The switches of anomaly mode, which hold for all threads, as in PyTorch."""

    __slots__ = ()

    @property
    def enabled(self) -> bool:
        """Whether nodes remember where they were recorded."""
        found: bool = everywhere.get("anomaly", OFF)[0]
        return found

    @property
    def check_nan(self) -> bool:
        """Whether nan in a gradient is an error."""
        found: bool = everywhere.get("anomaly", OFF)[1]
        return found


#: The mode as it usually is: off, and an error where it is on and a gradient becomes nan.
OFF = (False, True)

anomaly = _Anomaly()


class _Passes(threading.local):
    """The vertices whose derivatives are being computed in a thread, innermost last."""

    vertices: tuple[Any, ...] = ()


_passes = carried(_Passes())


# ------------------------------------------------------------------ tracebacks of nodes


@observes("anomaly")
def keep_tracebacks(cls: Any, operands: Sequence[Any], params: Any, out: Any) -> None:
    """Keep the present traceback in the node of `out`, and in leaves that have none yet."""
    if isinstance(out, tuple):
        made = [x._vertex.inputs[0] for x in out if x._rg]
    else:
        made = [out._vertex] if out._rg else []
    if not made or not anomaly.enabled:
        return
    leaves = [x._vertex for x in operands if getattr(x, "_rg", False) and x.is_leaf]
    remember(made[0], *leaves)


def remember(*vertices: Any) -> None:
    """Keep the present traceback, and the vertex of the present pass, in vertices without one."""
    recorded = [v for v in vertices if v.__class__ is not Derived]  # no user sees a derived vertex
    fresh = [v for v in recorded if "traceback_" not in extra_of(v).metadata]
    if not fresh:
        return
    text = _where()
    for v in fresh:
        metadata = extra_of(v).metadata
        metadata["traceback_"] = text
        if _passes.vertices:
            metadata["parent_"] = node_of(_passes.vertices[-1])


def _where() -> list[str]:
    """Return the traceback of the user's call, as `traceback.format_stack` writes it."""
    return traceback.format_stack(user_frame())


# ------------------------------------------------------------------ errors


def blame(vertex: Any, error: Exception) -> Exception:
    """Warn of an error in the derivative of a vertex, if anomaly mode is on, and return the error.

    The caller raises it without keeping it in a variable, which would be a cycle of references:
    the traceback of an error holds the variables of its frames.
    """
    if vertex is not None:
        report(vertex, error)
    return error


def at(vertex: Any, call: Callable[..., R], *args: Any) -> R:
    """Call a function that differentiates a vertex in a backward pass.

    Nodes recorded by the function keep the vertex as their `parent_`, and an error raised by it is
    reported with the traceback of the vertex.
    """
    around = _passes.vertices
    _passes.vertices = (*around, vertex)
    try:
        return call(*args)
    except Exception as error:
        _passes.vertices = around
        report(vertex, error)
        raise
    finally:
        _passes.vertices = around


def report(vertex: Any, error: Exception) -> None:
    """In anomaly mode, warn with the traceback of the operation that failed.

    An error that leaves a pass inside another pass, as in a reentrant checkpoint, is reported a
    second time, for the node of the outer pass in which the inner pass ran.
    """
    if not anomaly.enabled:
        return
    node = node_of(vertex)
    if getattr(error, "_symgrad_reported", None) is node:
        return
    error._symgrad_reported = node  # type: ignore[attr-defined]
    _warn(
        f"Error detected in {node.name()}. "
        + _traceback_text(node, "Traceback of forward call that caused the error:\n")
    )
    parent = node.metadata.get("parent_")
    while parent is not None:
        _warn(
            f"\n\nPrevious calculation was induced by {parent.name()}. "
            + _traceback_text(
                parent, "Traceback of forward call that induced the previous calculation:\n"
            )
        )
        parent = parent.metadata.get("parent_")


def _warn(text: str) -> None:
    """Warn of an error that is being raised; a warning that would be an error itself is printed."""
    try:
        warnings.warn(text, UserWarning, stacklevel=4)
    except UserWarning:
        traceback.print_exc(limit=0)


def _traceback_text(node: Any, title: str) -> str:
    found = node.metadata.get("traceback_")
    if found is None:
        return (
            "No forward pass information available. Enable detect anomaly during forward pass for "
            "more information."
        )
    return title + "".join(found)
