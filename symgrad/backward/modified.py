"""Errors for saved values that a backward pass needs and that were freed or changed in place."""

from __future__ import annotations

import re
from typing import Any, NamedTuple, NoReturn

from symgrad.backward.advice import advice_on_modified, advice_on_second_pass
from symgrad.backward.assumptions import original_of
from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import tensor_class
from symgrad.record.anomaly import anomaly, blame
from symgrad.record.operations import Operation
from symgrad.record.tape import Deferred, Node
from symgrad.record.versions import Storage

_SECOND_TIME = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)


def refuse_freed(node: Any = None) -> NoReturn:
    """Raise PyTorch's error for a node that has to run and whose residuals are gone."""
    raise blame(node, RuntimeError(_SECOND_TIME + advice_on_second_pass(node)))


def _operand_is_stale(vertex: Node, x: Any, k: int) -> bool:
    storage = getattr(x, "storage", None)
    if storage is None or storage.modified < vertex.seq:
        return False
    if isinstance(vertex.saved, Deferred) and vertex.saved.recomputes(original_of(x)):
        return False
    return k not in getattr(vertex, "copied", ())  # an operation in place keeps the old value


def _refuse_operand(vertex: Node, x: Any) -> NoReturn:
    storage = x.storage
    # PyTorch replaces the node of a view whose memory was changed, and names the new node.
    view = isinstance(x, Node) and x.sig.is_view
    modifier = "AsStridedBackward0" if view else storage.modifier
    raise_modified(vertex, x, storage, storage.version_at(vertex.seq), modifier)


def check_operand(vertex: Node, x: Any, k: int) -> None:
    """Raise where an operand, the one at `k`, was modified after it was saved."""
    if _operand_is_stale(vertex, x, k):
        _refuse_operand(vertex, x)


def check_result(vertex: Node, index: int = 0) -> None:
    """Raise where a result was modified after it was saved."""
    if isinstance(vertex.saved, Deferred):
        return
    if isinstance(vertex, Operation):
        _check_one(vertex, index)
        return
    storage = vertex.storage
    if storage is not None and storage.modified > vertex.seq:
        expected = storage.version_at(vertex.seq + 1)
        raise_modified(vertex, vertex, storage, expected, vertex.name(), vertex.output_nr)


def _check_one(vertex: Operation, index: int) -> None:
    """Raise where one of several results was modified after it was saved."""
    storage = vertex.storages.get(index)
    if storage is None or storage.modified <= vertex.ended:
        return
    expected = storage.version_at(vertex.ended + 1)
    if vertex.sig.results[index] is None:  # PyTorch names no function: it has no place in a graph
        raise_modified(vertex, _NoVertex(vertex.sig.outs[index]), storage, expected, "")
    raise_modified(vertex, vertex.output(index), storage, expected, vertex.name(), index)


class _NoVertex(NamedTuple):
    """Replaces the vertex of a saved result without derivative in an error message."""

    aval: Any


def check_saved(vertex: Node) -> None:
    """Raise where a value that a node saved was modified in place since.

    Values that are kept for stable forms alone are not checked.
    """
    sig, inputs = vertex.sig, iter(vertex.inputs)
    places = [None if isinstance(x, Const) else next(inputs) for x in sig.operands]
    for j in sig.saved_order():
        k = sig.reads[j]
        if k < len(places):
            check_operand(vertex, places[k], k)
        elif k == len(places) or isinstance(vertex, Operation):
            check_result(vertex, k - len(places))


def raise_modified(
    reader: Any, vertex: Any, storage: Storage, expected: int, modifier: str, output: int = 0
) -> NoReturn:
    """Raise PyTorch's error for the value of a vertex, which the derivative of `reader` reads.

    It is the result number `output` of the function `modifier`.
    """
    aval = vertex.aval
    if not modifier and isinstance(vertex, Node):
        modifier = vertex.name()
    # PyTorch shortens the name of the node: "ExpBackward0" to "Exp", "PowBackward1" to "Pow1".
    function = re.sub(r"Backward0?(\d*)$", r"\1", modifier)
    whose = f", which is output {output} of {function}," if modifier else ""
    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. The "
        "variable in question was changed in there or anywhere later. Good luck!"
        if anomaly.enabled
        else "enable anomaly detection to find the operation that failed to compute its gradient, "
        "with torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    message = (
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: [{tensor_class(aval.dtype)} {list(aval.shape)}]{whose} is at version "
        f"{storage.version}; expected version {expected} instead. Hint: {hint}"
        + advice_on_modified(reader, vertex, storage, expected)
    )
    raise blame(reader, RuntimeError(message))
