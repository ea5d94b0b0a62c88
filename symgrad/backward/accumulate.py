"""Accumulation into `.grad`, with PyTorch's rules of identity.

Without `create_graph` a gradient that is there is added to in place: whoever holds it sees the
sum. With it a new tensor takes its place, since the old one may be part of a graph.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.record.dual_level import forward_mode
from symgrad.record.inference import check_inference
from symgrad.record.modes import no_grad, recording
from symgrad.record.tape import Node
from symgrad.record.versions import clock
from symgrad.support.locks import new_lock
from symgrad.support.memory import check_writable, laid_out_as, obeys
from symgrad.support.quiet import quietly

# Held while a gradient is added, since NumPy lets other threads run in the middle of a long sum.
# Reentrant, since a finaliser may do the same.
_adding = new_lock()


def accumulate(found: Any, create_graph: bool) -> None:
    """Add each gradient of `found` to the `.grad` of the tensor that it belongs to."""
    for vertex, gradient in zip(found.vertices, found.gradients, strict=True):
        if gradient is None:
            continue
        tensor = vertex.owner()
        # Nobody is left to see the gradient, or wants it any more.
        if tensor is None or not tensor._rg:
            continue
        with _adding:
            present = tensor._grad
            is_node = isinstance(vertex, Node)
            if present is not None and not (create_graph or is_node):
                _add_in_place(present, gradient)
                continue
            total = _total(tensor, present, gradient, create_graph, is_node)
            while tensor._grad is not present:  # a signal handler has added to it as well
                present = tensor._grad
                total = _total(tensor, present, gradient, create_graph, is_node)
            tensor._grad = total


def _total(tensor: Any, present: Any, gradient: Any, create_graph: bool, is_node: bool) -> Any:
    """Return what is to be the gradient of a tensor, in a tensor of its own."""
    if present is not None:
        gradient = _sum(present, gradient, create_graph)
    if len(tensor._aval.shape) > 1 and not is_node:
        _lay_out(gradient, tensor)
    return gradient


def _lay_out(gradient: Any, leaf: Any) -> None:
    """Let a gradient lie in memory as PyTorch has it, which a view that users make of it shows."""
    if gradient._base is None and not obeys(gradient._data, leaf._data):
        gradient._data = laid_out_as(gradient._data, leaf._data)


def _sum(present: Any, gradient: Any, create_graph: bool) -> Any:
    """Return a new tensor, with a history just under `create_graph`, whatever the mode here."""
    with recording(create_graph):
        return present + gradient


def _add_in_place(present: Any, gradient: Any) -> None:
    check_inference(present)
    data = present._data
    check_writable(data)
    if forward_mode.level is not None:  # the sum moves as both do
        with no_grad():
            present.add_(gradient)
        return
    present._storage().bump(clock())  # first, whatever interrupts the rest
    quietly(np.add, data, gradient._data, data)
