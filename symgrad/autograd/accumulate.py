"""Accumulation into `.grad`, with PyTorch's rules of identity.

Without `create_graph` a gradient that is there is added to in place: whoever holds it sees the
sum. With it a new tensor takes its place, since the old one may be part of a graph.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from symgrad.autograd.dual_level import forward
from symgrad.autograd.inference import check_inference
from symgrad.autograd.modes import no_grad, quietly, recording
from symgrad.autograd.tape import Node
from symgrad.autograd.versions import clock
from symgrad.memory import check_writable

__all__ = ["accumulate"]

# Held while a gradient is added, since NumPy lets other threads run in the middle of a long sum.
# Reentrant, since a finaliser may do the same.
_adding = threading.RLock()


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
            if present is None:
                tensor._grad = gradient
            elif create_graph or isinstance(vertex, Node):
                tensor._grad = _sum(present, gradient, create_graph)
            else:
                _add_in_place(present, gradient)


def _sum(present: Any, gradient: Any, create_graph: bool) -> Any:
    """Return a new tensor, with a history just under `create_graph`, whatever the mode here."""
    with recording(create_graph):
        return present + gradient


def _add_in_place(present: Any, gradient: Any) -> None:
    check_inference(present)
    data = present._data
    check_writable(data)
    if forward.level is not None:  # the sum moves as both do
        with no_grad():
            present.add_(gradient)
        return
    quietly(np.add, data, gradient._data, data)
    present._storage().bump(clock())
