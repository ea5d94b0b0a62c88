"""Reverse-mode differentiation of what was recorded."""

from __future__ import annotations

from typing import Any

from symgrad.autograd.engine import compute_gradients


def backward(tensors: Any, grad_tensors: Any = None, retain_graph: Any = None, create_graph: bool = False, grad_variables: Any = None, inputs: Any = None) -> None:
    retain = create_graph if retain_graph is None else retain_graph
    targets, grads = compute_gradients([tensors._vertex], [grad_tensors], None, retain, create_graph)
    for v, g in zip(targets, grads):
        t = v.tensor()
        if t is not None and g is not None:
            if t._grad is None or create_graph:
                t._grad = g if t._grad is None else t._grad + g
            else:
                t._grad._data += g._data
