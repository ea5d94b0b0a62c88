"""Gradient edges: where in the graph the gradient of a value arrives."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, NamedTuple

from symgrad.backward.walking import walk
from symgrad.expr.node import refusal_of
from symgrad.record.node import GraphNode
from symgrad.record.operations import MultiVertex
from symgrad.record.record import Recorded
from symgrad.record.tape import LeafVertex, Node, edge_to


class GradientEdge(NamedTuple):
    """The place in the graph where the gradient of a tensor arrives.

    `backward` and `grad` take it in place of the tensor, which need not be kept.

    Parameters
    ----------
    node : Node
        The node that the gradient goes to.
    output_nr : int
        Which of the node's results it is for.
    ownership_token : object, optional
        What keeps the graph alive where `node` does not.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> y = x * x
    >>> edge = torch.autograd.graph.GradientEdge(y.grad_fn, 0)
    >>> torch.autograd.grad(y.sum(), edge)
    (tensor([1., 1.]),)
    """

    node: GraphNode
    output_nr: int
    ownership_token: Any = None


def get_gradient_edge(tensor: Any) -> GradientEdge:
    """Return where the gradient of a tensor arrives.

    Raises
    ------
    TypeError, RuntimeError
        If it is no tensor, or requires no gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> y = x.exp()
    >>> edge = torch.autograd.graph.get_gradient_edge(y)
    >>> edge.node.name(), edge.output_nr
    ('ExpBackward0', 0)
    >>> torch.autograd.grad((3 * y).sum(), edge)
    (tensor([3., 3.]),)
    """
    if not isinstance(tensor, Recorded):
        raise refusal_of(tensor)(f"get_gradient_edge() takes a tensor, not {type(tensor).__name__}")
    if not tensor._rg:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require "
            "gradients"
        )
    vertex = vertex_of(tensor)
    node, output_nr = edge_to(vertex)
    # A node of several results does not hold them.
    held = vertex if isinstance(vertex, Node) and vertex.of is not None else None
    return GradientEdge(node, output_nr, held)


def vertex_of(tensor: Any) -> Any:
    """Return the vertex of a tensor, that of a leaf where it has none yet."""
    return tensor._vertex or tensor._leaf()


def leaf_tensors(tensors: Iterable[Any]) -> list[Any]:
    """Return the tensors from outside the graphs of others, of those that require a gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.tensor(2.0, requires_grad=True)
    >>> leaf_tensors([(w * torch.tensor(3.0)).sin()])[0] is w
    True
    """
    found = walk([vertex_of(x) for x in tensors if x.requires_grad]).order
    owners = [v.owner() for v in found if v.__class__ is LeafVertex and v.requires_grad]
    return [x for x in owners if x is not None]


def vertex_at(edge: GradientEdge) -> Any:
    """Return the vertex whose gradient arrives at an edge.

    Raises
    ------
    RuntimeError
        If there is no node at it.
    """
    node = edge.node
    if not isinstance(node, GraphNode):
        raise RuntimeError(
            "GradientEdge's first object must be an autograd.graph.Node but got "
            f"{type(node).__name__}"
        )
    index = operator.index(edge.output_nr)
    vertex = node._vertex
    if not 0 <= index < len(node._avals()):
        raise IndexError("tuple index out of range")
    return vertex.output(index) if isinstance(vertex, MultiVertex) else vertex
