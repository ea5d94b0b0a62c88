"""The vertices of custom functions, which are differentiated in Python and may have many results.

They are never part of a plan: a backward pass stops at them. What a `Function` makes of them stands
in `symgrad.autograd.application`.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from symgrad.autograd.anomaly import anomaly, remember
from symgrad.autograd.aval import Aval
from symgrad.autograd.locks import making
from symgrad.autograd.node import Extra, GraphNode, Stop
from symgrad.autograd.tape import Node, Vertex, edge_to
from symgrad.autograd.versions import Storage
from symgrad.expr.node import ArrayExpr, Static

__all__ = ["CallSignature", "FunctionNode", "Result"]


class CallSignature:
    """What the walk asks of a custom function and of its results, in place of a `Signature`."""

    __slots__ = ("frees", "name", "out", "passes")

    cls: Any = None
    operands: tuple[Any, ...] = ()
    needs: tuple[bool, ...] = ()
    is_view = False
    params: tuple[Static, ...] = ()
    reads: tuple[int, ...] = ()
    undefined = False

    def __init__(self, name: str, passes: tuple[bool, ...], out: Any, frees: bool) -> None:
        self.name = name
        self.passes = passes
        self.out = out
        self.frees = frees


class FunctionNode(GraphNode, Vertex):
    """The vertex of one application of a custom function, which may have several results.

    Attributes
    ----------
    inputs : tuple of vertex
        The tensors among its arguments.
    edges : tuple of vertex or None
        Where the gradients go: one for each of `inputs`, None where it gets none.
    results : tuple of Aval or None
        Shape and dtype of each result; None for what is no tensor.
    ended : int
        When its results were there: what forward recorded comes before.
    """

    __slots__ = (
        "__weakref__", "_outputs", "edges", "ended", "extra", "inputs", "results", "saved", "seq",
        "sig", "storage",
    )  # fmt: skip

    def __init__(
        self, sig: CallSignature, inputs: tuple[Any, ...], edges: tuple[Any, ...], seq: int
    ) -> None:
        self.sig = sig
        self.inputs = inputs
        self.edges = edges
        self.results: tuple[Aval | None, ...] = ()
        self._outputs: dict[int, weakref.ref[Result]] = {}
        self.saved: tuple[Any, ...] | None = ()
        self.seq = seq
        self.storage: Storage | None = None
        self.ended = seq
        self.extra: Extra | None = Stop()
        if anomaly.enabled:
            remember(self)

    @property
    def face(self) -> GraphNode:
        """The node that users see."""
        return self

    @property
    def count(self) -> int:
        """The number of results."""
        return len(self.results)

    def _avals(self) -> tuple[Aval | None, ...]:
        return self.results

    def output(self, index: int) -> Result:
        """Return the vertex of a result, which the node does not keep alive."""
        with making:  # two of one output would not share their hooks
            found = self._outputs.get(index)
            return (None if found is None else found()) or Result(self, index, self.ended)

    def outputs(self) -> list[Result]:
        """Return the vertices of the results that somebody holds."""
        found = [ref() for ref in self._outputs.values()]
        return [x for x in found if x is not None]

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        return tuple([(None, 0) if x is None else edge_to(x) for x in self.edges])

    def differentiate(self, cotangents: tuple[Any, ...]) -> Sequence[Any]:
        """Return a gradient or None for each of `edges`, as the function's own rule gives it."""
        raise NotImplementedError  # `symgrad.autograd.function` has the rule

    def fitted(self, gradients: Sequence[Any], accumulated: bool) -> Sequence[Any]:
        """Return gradients in shape and dtype of what they belong to.

        Where they are `accumulated`, leaves get memory of their own.
        """
        return gradients

    def let_go(self) -> None:
        """Let go of what is kept for the derivative."""

    def build(self, index: int, operands: Sequence[ArrayExpr]) -> ArrayExpr:
        """Return the expression of a result, for those of `inputs`."""
        raise NotImplementedError


class Result(Node):
    """The vertex of one result of a custom function.

    Attributes
    ----------
    index : int
        Its place among the results.
    face : GraphNode
        The node that users see, which the function's own vertex does not keep alive.
    """

    __slots__ = ("face", "index")

    def __init__(self, node: FunctionNode, index: int, seq: int) -> None:
        aval = node.results[index]
        sig: Any = CallSignature(node.name(), (True,), aval, frees=False)
        super().__init__(sig, (node,), (), seq)
        self.index = index
        self.face = node.face
        node._outputs[index] = weakref.ref(self)

    def shown_edges(self) -> list[Any]:
        return list(self.inputs[0].edges)

    @property
    def result(self) -> tuple[GraphNode, int]:
        return self.face, self.index
