"""The vertices of custom functions, which are differentiated in Python.

They are never part of a plan: a backward pass stops at them and calls `differentiate`. The vertex
of an application of a `Function` is defined in `symgrad.autograd.application`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgrad.expr.node import ArrayExpr
from symgrad.record.anomaly import anomaly, remember
from symgrad.record.aval import Aval
from symgrad.record.node import GraphNode, Stop
from symgrad.record.operations import MultiVertex, Output
from symgrad.record.record import Recorded, wrap
from symgrad.record.signature import BareSignature
from symgrad.record.tape import Vertex
from symgrad.record.versions import Storage, clock


class FunctionNode(MultiVertex, Vertex):
    """The vertex of one application of a custom function, which may have several results.

    Attributes
    ----------
    inputs : tuple of vertex
        The tensors among its arguments.
    results : tuple of Aval or None
        Shape and dtype of each result; None for what is no tensor.
    ended : int
        The time at which `forward` had returned the results.
    is_constant : bool
        Whether users may read its results as if they had no history.
    """

    is_constant = False

    __slots__ = (
        "__weakref__",
        "_edges",
        "_extras",
        "_outputs",
        "ended",
        "extra",
        "hooked",
        "inputs",
        "results",
        "saved",
        "seq",
        "sig",
        "storage",
    )  # fmt: skip

    def __init__(self, name: str, inputs: tuple[Any, ...], edges: Sequence[Any]) -> None:
        self.hooked, self._outputs, self._extras = {}, {}, {}
        self.sig = BareSignature(name, tuple([x is not None for x in edges]), None, False)
        self.inputs = inputs
        self._edges = edges
        self.results: tuple[Aval | None, ...] = ()
        self.saved: tuple[Any, ...] | None = ()
        self.seq = self.ended = clock()
        self.storage: Storage | None = None
        self.extra = Stop()
        if anomaly.enabled:
            remember(self)

    def avals(self) -> tuple[Aval | None, ...]:
        return self.results

    def edges(self) -> Sequence[Any]:
        return self._edges

    def name(self) -> str:
        """Return the name of the node."""
        return self.sig.name

    def new_output(self, index: int) -> Result:
        return Result(self, index, self.ended)

    def differentiate(self, cotangents: tuple[Any, ...]) -> Sequence[Any]:
        """Return a gradient or None for each of `edges()`, as the function's own rule gives it."""
        raise NotImplementedError  # `symgrad.autograd.function` has the rule

    def fitted(self, gradients: Sequence[Any], accumulated: bool) -> Sequence[Any]:
        """Return gradients in the shape and dtype of the arguments.

        Where they are `accumulated`, the gradients of leaves get memory of their own.
        """
        return gradients

    def let_go(self) -> None:
        """Free the values that are saved for the derivative."""

    def build(self, index: int, operands: Sequence[ArrayExpr]) -> ArrayExpr:
        """Return the expression of a result, for those of `inputs`."""
        raise NotImplementedError


class Result(Output):
    """The vertex of one result of a custom function.

    Attributes
    ----------
    face : GraphNode
        The node that users see, which the function's own vertex does not keep alive.
    """

    __slots__ = ("face",)

    def __init__(self, node: FunctionNode, index: int, seq: int) -> None:
        aval = node.results[index]
        super().__init__(node, BareSignature(node.name(), (True,), aval, False), index, seq)
        self.face = node.face

    @property
    def result(self) -> tuple[GraphNode, int]:
        return self.face, self.output_nr


def results_of(node: FunctionNode, values: Sequence[Any]) -> tuple[Any, ...]:
    """Return `values` with the tensors among them as results of a node, in the same memory."""
    node.results = tuple([x._aval if isinstance(x, Recorded) else None for x in values])
    node.ended = clock()
    return tuple(
        [
            wrap(x._data, x._aval, Result(node, i, clock())) if isinstance(x, Recorded) else x
            for i, x in enumerate(values)
        ]
    )


def counts_as_constant(x: Any) -> bool:
    """Return whether the elements of a tensor may be read as if it had no history."""
    vertex = x._vertex
    return isinstance(vertex, Result) and vertex.inputs[0].is_constant
