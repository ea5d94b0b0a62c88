"""The tape: what one execution leaves behind for its derivative.

A *vertex* stands for one value in the graph: a `Node` for the result of a recorded operation, a
`Leaf` for everything that comes from outside. A node holds its operands' vertices and *residuals*,
just those values that the derivative of its operation reads. What is the same for every execution
of an operation on the same shapes and dtypes is computed once, in its `Signature`.
"""

from __future__ import annotations

import copy
import itertools
import operator
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from numeric.interpret import interpret
from symgrad.autograd.anomaly import anomaly, remember
from symgrad.autograd.aval import Aval, aval_of, inference_aval
from symgrad.autograd.making import making
from symgrad.autograd.node import Extra, GraphNode, Stop, extra_of
from symgrad.differentiate import pull_back
from symgrad.expr import node as nodes
from symgrad.expr.dtypes import depends_on_default, dtype_of_number
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr, Const, Static, intern
from symgrad.lower import converted, lower, must_convert
from symgrad.ops.masks import MASKING
from symgrad.primitive import Primitive

__all__ = [
    "COPY_SLICES",
    "AccumulateGrad",
    "Alone",
    "Boundary",
    "CallSignature",
    "Deferred",
    "Derived",
    "FunctionNode",
    "Leaf",
    "Node",
    "Number",
    "NumberKind",
    "Result",
    "Signature",
    "Storage",
    "accumulator",
    "clock",
    "edge_to",
    "named",
    "node_class",
    "placeholders",
    "refuse_inference",
    "signature",
]

#: Numbers operations and modifications in the order in which they happen.
clock = itertools.count(1).__next__

#: PyTorch's name of what a tensor is after a write into a part of its memory.
COPY_SLICES = "torch::autograd::CopySlices"

# How many signatures a primitive remembers before it starts afresh.
_REMEMBERED = 16384


# How many changes in place of one storage are remembered, for messages.
_REMEMBERED_CHANGES = 1024


class Storage:
    """The version of an array that tensors share: how often, and when last, it was modified.

    Attributes
    ----------
    version : int
        How often.
    modified : int
        When last.
    modifier : str
        The name of the node of the last recorded change.
    by : str
        The call that made the last change, where it is known.
    """

    __slots__ = ("_times", "by", "modified", "modifier", "version")

    #: When any storage was modified last; records made since need no check.
    last_modified = 0

    def __init__(self) -> None:
        self.version = 0
        self.modified = 0
        self.modifier = ""
        self.by = ""
        self._times: deque[int] | None = None

    def bump(self, time: int, modifier: str = "") -> None:
        """Note a modification at `time`, by the recorded operation `modifier` if it was one."""
        with making:
            self.version += 1
            # Another thread may have begun earlier and come later.
            self.modified = max(self.modified, time)
            Storage.last_modified = max(Storage.last_modified, time)
            self.modifier = modifier or self.modifier
            self.by = ""
            if self._times is None:
                self._times = deque(maxlen=_REMEMBERED_CHANGES)
            self._times.append(time)

    def version_at(self, time: int) -> int:
        """Return the version just before `time`, as far back as modifications are remembered."""
        return self.version - sum(1 for t in self._times or () if t >= time)


class Vertex:
    """A place in the graph, as the walk sees it."""

    __slots__ = ()

    #: Hooks and the like; see `symgrad.autograd.node.Extra`.
    extra: Any = None


class Deferred:
    """What stands for the residuals of a node that are computed again when they are needed.

    Attributes
    ----------
    group : object
        Residuals of one group are computed together.
    """

    __slots__ = ()

    group: Any

    def values(self) -> tuple[Any, ...]:
        """Return the residuals."""
        raise NotImplementedError  # `symgrad.autograd.recompute` knows how

    def computes(self, vertex: Any) -> bool:
        """Return whether the value of `vertex` is computed again, too."""
        raise NotImplementedError


class Leaf(Vertex):
    """The vertex of a value from outside: a tensor that was not computed under record.

    Attributes
    ----------
    sig : Aval
        Its part of a structural key.
    tensor : weakref or None
        Where gradients accumulate; None where no gradient is required.
    name, auto : str
        Its name in formulas as the user gave it, or else as it was given on first sight.
    """

    __slots__ = (
        "__weakref__", "auto", "extra", "name", "requires_grad", "seq", "sig", "storage", "tensor",
    )  # fmt: skip

    inputs: tuple[Any, ...] = ()
    saved: tuple[Any, ...] = ()
    tensor: Callable[[], Any] | None

    def __init__(self, tensor: Any, aval: Aval, name: str = "") -> None:
        self.extra: Extra | None = None
        self.sig = aval
        self.requires_grad = tensor._rg
        self.tensor = weakref.ref(tensor)
        self.storage: Storage | None = None
        self.seq = clock()
        self.name = name
        self.auto = ""

    @property
    def aval(self) -> Aval:
        """Shape and dtype of the value."""
        return self.sig

    def owner(self) -> Any:
        """Return the tensor that gradients accumulate into; None where it is gone."""
        return None if self.tensor is None else self.tensor()


class Boundary(Leaf):
    """The vertex that stands for a value at which a stretch of the graph ends."""

    __slots__ = ("vertex",)

    def __init__(self, vertex: Any) -> None:
        self.vertex = vertex
        self.sig = vertex.aval
        self.requires_grad = True
        self.extra = None
        self.tensor = None
        self.storage = vertex.storage
        self.seq = vertex.seq
        self.name = self.auto = ""


class Node(GraphNode, Vertex):
    """The vertex of the result of a recorded operation: what `grad_fn` is.

    Of each name there is a class of its own, as in PyTorch. A node takes it when somebody looks: as
    long as all are of one class, Python finds their attributes in half the time.

    Attributes
    ----------
    sig : Signature
        Operation, shapes and dtypes.
    inputs : tuple of vertex
        The operands that are tensors.
    saved : tuple, Deferred or None
        The residuals, or what computes them; None when they have been freed.
    seq : int
        When it was recorded.
    extra : Extra or None
        Hooks, metadata, and the tensor that retains its gradient.
    copied : frozenset of int
        Of an operation in place: the operands whose old value it keeps a copy of; else not set.
    """

    copied: frozenset[int]

    __slots__ = ("__weakref__", "copied", "extra", "inputs", "saved", "seq", "sig", "storage")

    def __init__(
        self, sig: Signature, inputs: tuple[Any, ...], saved: tuple[Any, ...] | None, seq: int
    ) -> None:
        self.sig = sig
        self.inputs = inputs
        self.saved: Any = saved
        self.seq = seq
        self.storage: Storage | None = None
        self.extra: Extra | None = None

    @property
    def aval(self) -> Aval:
        """Shape and dtype of the value."""
        return self.sig.out

    def name(self) -> str:
        return self.sig.name

    def rename(self, sig: Signature) -> None:
        """Take a signature of the same operation under another name."""
        self.sig = sig
        if self.__class__ is not Node:
            self.__class__ = sig.node

    @property
    def retains(self) -> bool:
        """Whether a tensor asked for the gradient of this value."""
        return self.extra is not None and self.extra.retain is not None

    def owner(self) -> Any:
        """Return the tensor that asked for the gradient; None where it is gone."""
        extra = self.extra
        return None if extra is None or extra.retain is None else extra.retain()

    @property
    def result(self) -> tuple[GraphNode, int]:
        """The node that users see, and which of its results this is."""
        self.__class__ = self.sig.node
        return self, 0

    def edges(self) -> list[Any]:
        """Return the vertices of `next_functions`; None where no gradient goes."""
        out: list[Any] = []
        inputs = iter(self.inputs)
        sig = self.sig
        for i, spec in enumerate(sig.operands):
            if isinstance(spec, Const):
                continue
            x = next(inputs)
            if isinstance(spec, Aval) and sig.cls.passes_to(i, spec.dtype):
                out.append(x if sig.needs[i] else None)
        numbers = [i for i, spec in enumerate(sig.operands) if not isinstance(spec, Aval)]
        kind = sig.cls.numbers_are_edges
        return out + [None for i in numbers if kind == "all" or (kind == "last" and i)]

    def shown_edges(self) -> list[Any]:
        """Return the vertices that users see as `next_functions`; None where no gradient goes.

        They are others than `edges` where the node stands for several operations.
        """
        shown = None if self.extra is None else self.extra.links
        return self.edges() if shown is None else shown

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        return tuple([(None, 0) if x is None else edge_to(x) for x in self.shown_edges()])

    def _avals(self) -> tuple[Aval, ...]:
        return (self.aval,)

    def __call__(self, *gradients: Any) -> Any:
        """Return the gradients of the operands for that of the result."""
        from symgrad.autograd.stages import call_node  # noqa: PLC0415 - it imports this

        found = call_node(self, gradients)
        return found[0] if len(found) == 1 else tuple(found)


class Alone(Node):
    """A node apart from the graph: its operands are boundaries, and it stands for `vertex`."""

    __slots__ = ("vertex",)

    def __init__(
        self, vertex: Node, inputs: tuple[Any, ...], saved: tuple[Any, ...], packed: Iterable[int]
    ) -> None:
        super().__init__(vertex.sig, inputs, saved, vertex.seq)
        self.vertex = vertex
        # What hooks packed is theirs: versions do not tell whether it is what it was.
        theirs = frozenset([vertex.sig.reads[j] for j in packed])
        self.storage = None if len(vertex.sig.operands) in theirs else vertex.storage
        self.copied = getattr(vertex, "copied", frozenset()) | theirs


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


def named(sig: Signature, name: str) -> Signature:
    """Return a signature under the name that PyTorch gives to what a change in place leaves."""
    found = sig.renamed.get(name)
    if found is None:
        found = copy.copy(sig)
        found.name, found.node, found.renamed = name, node_class(name), {}
        # PyTorch lets go of what a write into a part consists of, whatever that had saved.
        found.frees = found.frees or name == COPY_SLICES
        found = sig.renamed.setdefault(name, found)
    return found


class Shown(Node):
    """A node that somebody looks at.

    What the walk meets must not define `__getattr__`: attributes would take twice as long to find.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """Return what is kept for the derivative, as `_saved_self` and the like."""
        if not name.startswith(("_saved_", "_raw_saved_")):
            title = type(self).__name__
            raise AttributeError(f"'{title}' object has no attribute '{name}'", name=name, obj=self)
        from symgrad.autograd.saved import saved_attribute  # noqa: PLC0415 - it imports this

        return saved_attribute(self, name)

    def __dir__(self) -> list[str]:
        from symgrad.autograd.saved import saved_names  # noqa: PLC0415 - it imports this

        return [*super().__dir__(), *saved_names(self)]


def node_class(name: str) -> type[Node]:
    """Return the class of the nodes of a name."""
    title = name.rsplit("::", 1)[-1]
    found = _node_classes.get(title)
    if found is None:
        found = _node_classes.setdefault(title, type(title, (Shown,), {"__slots__": ()}))
    return found


_node_classes: dict[str, type[Node]] = {}


def edge_to(vertex: Any) -> tuple[Any, int]:
    """Return what a gradient for `vertex` goes to, as `next_functions` shows it."""
    if isinstance(vertex, Node):
        return vertex.result
    receives = vertex.requires_grad and vertex.tensor is not None
    return (accumulator(vertex), 0) if receives else (None, 0)


class AccumulateGrad(GraphNode):
    """The node at which the gradient of a leaf arrives."""

    __slots__ = ("__weakref__", "_leaf")

    def __init__(self, leaf: Leaf) -> None:
        self._leaf = leaf

    @property
    def _vertex(self) -> Leaf:
        return self._leaf

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def _avals(self) -> tuple[Aval, ...]:
        return (self._leaf.aval,)

    def __call__(self, *gradients: Any) -> tuple[()]:
        """Add a gradient to the `.grad` of the leaf."""
        from symgrad.autograd.stages import call_accumulator  # noqa: PLC0415 - it imports this

        return call_accumulator(self._leaf, gradients)

    @property
    def variable(self) -> Any:
        """The leaf; None where nobody holds it any more."""
        return self._leaf.owner()

    def _sequence_nr(self) -> int:
        return 2**64 - 1  # before every other node that is ready


def accumulator(leaf: Leaf) -> AccumulateGrad:
    """Return the `AccumulateGrad` of a leaf: the same as long as somebody holds it."""
    extra = extra_of(leaf)
    with making:
        found = None if extra.accumulator is None else extra.accumulator()
        if found is None:
            found = AccumulateGrad(leaf)
            extra.accumulator = weakref.ref(found)
    return found


class Derived(Vertex):
    """The vertex of a result without a derivative (a mask, an index) inside a gradient.

    Formulas of higher order know it by what it was computed from, so that equal masks stay one
    mask, and so do values that a mask was applied to, which keep it. Elsewhere such a result is a
    leaf: it must not keep the graph of its operands alive.
    """

    __slots__ = ("__weakref__", "inputs", "requires_grad", "saved", "seq", "sig", "storage")

    def __init__(
        self, sig: Signature, inputs: tuple[Any, ...], saved: tuple[Any, ...], seq: int
    ) -> None:
        self.sig = sig
        self.saved = saved
        # What is chosen by it depends on its operands, if with a derivative of zero.
        self.requires_grad = any(sig.needs)
        self.inputs = inputs
        self.seq = seq
        self.storage: Storage | None = None

    @property
    def aval(self) -> Aval:
        """Shape and dtype of the value."""
        return self.sig.out


class NumberKind:
    """The type of a Python number that may vary from run to run, as part of a structural key."""

    __slots__ = ("dtype", "shape", "weak")

    def __init__(self, kind: type[Any]) -> None:
        self.dtype = dtype_of_number(kind())
        self.shape = ()
        self.weak = True


class Number(Vertex):
    """The vertex of a Python number that is an input of plans, not part of the structure."""

    __slots__ = ("saved", "seq", "sig")

    inputs: tuple[Any, ...] = ()
    requires_grad = False

    def __init__(self, sig: NumberKind, value: Any) -> None:
        self.sig = sig
        self.saved = (value,)
        self.seq = 0


class Signature:
    """What an operation on given shapes, dtypes and parameters does each time it is recorded.

    Attributes
    ----------
    out : Aval
        Shape and dtype of the result.
    call : callable
        Computes the result from the operands' data.
    into : callable or None
        The same with the array that it writes into as a last argument, where NumPy can.
    needs : tuple of bool
        Which operands require a gradient.
    passes : tuple of bool
        The same of the inputs of a vertex, which are the operands that are no constants.
    records : bool
        Whether the result requires a gradient and so gets a node.
    pick : callable or None
        Chooses the residuals from `(*operands, result, *extras)`; None where there are none.
    reads : tuple of int
        The positions of the residuals in that tuple.
    kept : tuple of int
        Those among them that only stable forms read, not the derivative itself.
    varies : NumberKind or None
        The kind of the operand that is a number and may vary.
    frees : bool
        Whether a backward pass frees something, so that a second one raises.
    packing : tuple of int or None
        Which residuals hooks get to see, in their order; None as long as there were none.
    undefined : bool
        Whether gradients that nothing passes on stay None, in place of zeros.
    node : type
        The class of its nodes.
    renamed : dict
        The same under the names that changes in place leave, by name.
    """

    __slots__ = (
        "call", "cls", "extras", "frees", "into", "is_view", "kept", "name", "needs", "node",
        "operands", "out", "packing", "params", "passes", "pick", "reads", "records", "renamed",
        "undefined", "varies",
    )  # fmt: skip

    def __init__(
        self,
        cls: type[Primitive],
        operands: tuple[Aval | Const | NumberKind, ...],
        params: tuple[Static, ...],
        needs: tuple[bool, ...],
    ) -> None:
        node = cls(*placeholders(operands), *params)
        self.cls = cls
        self.operands = operands
        self.params = params
        self.needs = needs
        self.passes = tuple(
            [n for n, x in zip(needs, operands, strict=True) if not isinstance(x, Const)]
        )
        self.varies = next((x for x in operands if isinstance(x, NumberKind)), None)
        self.out = aval_of(node.shape, node.dtype)
        if node.is_view and isinstance(operands[0], Aval) and operands[0].inference:
            self.out = inference_aval(self.out)
        self.call = _make_call(node)
        kernel, fixed, order = node.implementation()
        plain = self.call is kernel.call and not fixed and order == node.operands
        self.into = kernel.call if plain and kernel.out else None
        self.records = any(needs) and node.differentiable and node.dtype.differentiable
        self.is_view = node.is_view
        self.extras: Callable[..., Any] | None = None
        self.pick: Callable[..., Any] | None = None
        self.reads: tuple[int, ...] = ()
        self.kept: tuple[int, ...] = ()
        self.frees = False
        self.packing: tuple[int, ...] | None = None
        self.undefined = node.undefined
        self.renamed: dict[str, Signature] = {}
        self.name = ""
        self.node: type[Node] = Node
        if self.records:
            self.name = node.grad_fn_name()
            self.node = node_class(self.name)
            self.reads, self.frees, needed = _reads(node, needs)
            self.kept = tuple([k for k in cls.keeps if k not in needed])
            if any(k < len(operands) and _for_inference(operands[k]) for k in needed):
                self.call = refuse_inference
                self.into = None
            self.pick = _picker(self.reads)
            if any(i > len(operands) for i in self.reads):
                self.extras = _make_extras(node)
        elif cls in MASKING:  # the mask, which may have been saved nowhere else
            self.reads = tuple(range(len(operands))[MASKING[cls]])
            self.pick = _picker(self.reads)

    def build(self, operands: Sequence[ArrayExpr]) -> Primitive:
        """Return the expression of the operation on `operands`, as it was recorded."""
        operands = tuple(operands)
        node: Primitive = intern(self.cls, operands, self.params, self.out.shape, self.out.dtype)
        return node


def placeholders(operands: Sequence[Aval | Const | NumberKind]) -> list[ArrayExpr]:
    """Return an expression for each operand, of its shape and dtype."""
    return [
        x
        if isinstance(x, Const)
        else nodes.Placeholder(f"_{i}", x.shape, x.dtype)
        if isinstance(x, Aval)
        else _WeakLeaf.make(f"_{i}", x)
        for i, x in enumerate(operands)
    ]


class _WeakLeaf(nodes.Leaf):
    """The placeholder of a Python number, which never decides a dtype."""

    __slots__ = ()

    @classmethod
    def make(cls, name: str, kind: NumberKind) -> ArrayExpr:
        made = nodes._intern_atom(cls, (), (), kind.dtype)
        made.name = name
        made.weak = True
        return made  # type: ignore[no-any-return]


def number_leaf(position: int, kind: NumberKind) -> ArrayExpr:
    """Return the leaf by which a plan's formula knows a number."""
    key = (position, kind.dtype)
    found = _number_leaves.get(key)
    if found is None:
        with _number_lock:
            found = _number_leaves.setdefault(key, _WeakLeaf.make(f"c{position}", kind))
    return found


# Those of living plans: one large graph does not leave its leaves behind.
_number_leaves: weakref.WeakValueDictionary[Any, ArrayExpr] = weakref.WeakValueDictionary()
_number_lock = threading.RLock()


def _for_inference(operand: Any) -> bool:
    return isinstance(operand, Aval) and operand.inference


def refuse_inference(*data: Any) -> Any:
    """Stand in for an operation whose derivative reads an inference tensor."""
    raise RuntimeError(
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
        "inference mode in computation tracked by autograd. To work around this, you can make a "
        "clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
        "`torch.inference_mode()`."
    )


def _reads(node: Primitive, needs: Sequence[bool]) -> tuple[tuple[int, ...], bool, frozenset[int]]:
    """Return what of `(*operands, result, *extras)` to keep, and what of it has to be kept.

    In the middle stands whether PyTorch keeps any.
    """
    if node.missing_derivative():
        return (), False, frozenset()
    candidates: list[Any] = [*node.operands, node if node.saves_result else None, *node.extras()]
    position = {x: i for i, x in reversed(list(enumerate(candidates)))}
    ct = nodes.Placeholder("ct", node.shape, node.dtype)
    rules = zip(pull_back(node, ct, needs), needs, strict=True)
    parts = [p for p, need in rules if need and p is not None]
    reached = toposort(parts, position.__contains__)
    found = {position[x] for x in reached if x in position}
    needed = frozenset(found)
    # PyTorch keeps no tensor for a number.
    frees = node.frees or not all(candidates[i].weak for i in found)
    found.update(node.keeps, node.guards)
    return tuple(sorted(i for i in found if not candidates[i].weak)), frees, needed


def _picker(reads: tuple[int, ...]) -> Callable[..., Any] | None:
    if not reads:
        return None
    if len(reads) == 1:
        return operator.itemgetter(slice(reads[0], reads[0] + 1))
    return operator.itemgetter(*reads)


def _make_call(node: Primitive) -> Callable[..., Any]:
    """Return what computes the node from its operands' data, converted where it must be."""
    kernel, params, operands = node.implementation()
    target = node.compute_dtype()
    call = partial(kernel.call, **params) if params else kernel.call
    position = {x: i for i, x in enumerate(node.operands)}
    where = [position[x] for x in operands]
    convert = [
        target.numpy if target is not None and must_convert(node, x, target) else None
        for x in operands
    ]
    if where == list(range(len(node.operands))) and not any(convert):
        return call

    def call_converted(*data: Any) -> Any:
        return call(
            *[
                data[i] if to is None else converted(data[i], to)
                for i, to in zip(where, convert, strict=True)
            ]
        )

    return call_converted


def _make_extras(node: Primitive) -> Callable[..., Any]:
    given = {x: f"a{i}" for i, x in enumerate((*node.operands, node))}
    program = lower(node.extras(), given)
    taken = [int(name[1:]) for _, name in program.inputs]

    def compute(values: Sequence[Any]) -> tuple[Any, ...]:
        return interpret(program, [values[i] for i in taken])

    return compute


def signature(cls: type[Primitive], key: Any, operands: Any, params: Any, needs: Any) -> Signature:
    """Make a signature and remember it under `key`."""
    table = signatures(cls)
    if len(table) >= _REMEMBERED:
        table.clear()
    found = table[key] = Signature(cls, operands, params, needs)
    return found


def signatures(cls: type[Primitive]) -> dict[Any, Signature]:
    """Return the table of signatures of a primitive."""
    table = _signatures.get(cls)
    if table is None:
        table = _signatures.setdefault(cls, {})
    return table


_signatures: dict[type[Primitive], dict[Any, Signature]] = {}


@depends_on_default
def _forget_signatures() -> None:
    for table in _signatures.values():
        table.clear()  # in place: the short recording forms hold the tables themselves
