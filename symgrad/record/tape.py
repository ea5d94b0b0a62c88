"""The tape: what one execution leaves behind for its derivative.

A *vertex* stands for one value in the graph: a `Node` for the result of a recorded operation, a
`LeafVertex` for everything that comes from outside. A node holds its operands' vertices and
*residuals*, just those values that the derivative of its operation reads. What is the same for
every execution of an operation is its `symgrad.record.signature.Signature`; the vertices of custom
functions stand in `symgrad.record.function_node`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from symgrad.expr.atoms import Const
from symgrad.expr.node import ArrayExpr
from symgrad.record.aval import Aval
from symgrad.record.face import NOT_IMPLEMENTED, InnerEdge
from symgrad.record.node import Extra, GraphNode
from symgrad.record.signature import NumberKind, Signature, named
from symgrad.record.versions import Storage, clock
from symgrad.support.above import FromAbove
from symgrad.support.locks import making

N = TypeVar("N", bound=GraphNode)

# What users can ask a node for beside its place in the graph: its derivative, and what it keeps.
call_node: FromAbove[Callable[..., Any]] = FromAbove("symgrad.backward.stages")
call_accumulator: FromAbove[Callable[..., tuple[()]]] = FromAbove("symgrad.backward.stages")
saved_attribute: FromAbove[Callable[[Any, str], Any]] = FromAbove("symgrad.backward.saved")
saved_names: FromAbove[Callable[[Any], Iterable[str]]] = FromAbove("symgrad.backward.saved")


class Vertex:
    """A place in the graph, as the walk sees it."""

    __slots__ = ()

    #: Hooks and the like; see `symgrad.record.node.Extra`.
    extra: Any = None
    inputs: tuple[Any, ...]

    @property
    def operands(self) -> tuple[Any, ...]:
        """The vertices of what the value was computed from."""
        return self.inputs

    def new_extra(self) -> Extra:
        """Return what the first that asks for the `Extra` finds."""
        return Extra()


class Deferred:
    """What stands for the residuals of a node that are computed again when they are needed.

    Attributes
    ----------
    group : object
        Residuals of one group are computed together.
    """

    __slots__ = ()

    group: Any

    def residuals(self) -> tuple[Any, ...]:
        """Compute the residuals again and return them."""
        raise NotImplementedError  # `symgrad.backward.recompute` computes them

    def recomputes(self, vertex: Any) -> bool:
        """Return whether the value of `vertex` is computed again together with the residuals."""
        raise NotImplementedError


class LeafVertex(Vertex):
    """The vertex of a value from outside the graph: a tensor that no recorded operation made.

    Attributes
    ----------
    sig : Aval
        Shape and dtype of the value, which are the part of the vertex in a structural key.
    tensor : weakref or None
        Where gradients accumulate; None where no gradient is required.
    name, auto : str
        The name in formulas that the user gave, and the one that was chosen when a formula with the
        value was first shown; empty where there is none.
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


class Boundary(LeafVertex):
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


class Node(Vertex):
    """The vertex of the result of a recorded operation.

    All are of one class, so that Python finds their attributes in half the time; what users see of
    them has a class for each name (`Shown`).

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
    of : tuple of (MultiVertex, int) or None
        The vertex of the operation or function with several results of which this is one, and the
        number of this one among them; None for an operation with one result.
    links : list of vertex, or pair of vertices
        What users see as `next_functions`, where the node stands for several operations; else not
        set. A pair, of a tensor and of a result that was written into a part of it: the first, and
        the links of the second except for the first of them.
    """

    #: Whether gradients pass through: there would be no vertex otherwise.
    requires_grad = True
    copied: frozenset[int]
    links: Any

    __slots__ = (
        "__weakref__", "copied", "extra", "inputs", "links", "of", "saved", "seq", "sig",
        "storage",
    )  # fmt: skip

    def __init__(
        self, sig: Signature, inputs: tuple[Any, ...], saved: tuple[Any, ...] | None, seq: int
    ) -> None:
        self.sig = sig
        self.inputs = inputs
        self.saved: Any = saved
        self.seq = seq
        self.storage: Storage | None = None
        self.extra: Extra | None = None
        self.of: tuple[Any, int] | None = None

    @property
    def aval(self) -> Aval:
        """Shape and dtype of the value."""
        return self.sig.out

    def new_extra(self) -> Extra:
        if self.of is None:
            return Extra()
        node, index = self.of
        found: Extra = node.extra_of_result(index)
        return found

    def name(self) -> str:
        """Return PyTorch's name of the node."""
        return self.sig.name

    def rename(self, sig: Signature) -> None:
        """Take a signature of the same operation under another name."""
        self.sig = sig

    @property
    def retains(self) -> bool:
        """Whether a tensor asked for the gradient of this value."""
        return self.extra is not None and self.extra.retain is not None

    def owner(self) -> Any:
        """Return the tensor that asked for the gradient; None where it is gone."""
        extra = self.extra
        return None if extra is None or extra.retain is None else extra.retain()

    @property
    def output_nr(self) -> int:
        """The number of this result among the results of the operation."""
        return 0 if self.of is None else self.of[1]

    @property
    def result(self) -> tuple[GraphNode, int]:
        """The node that users see, and which of its results this is."""
        return shown(self), 0

    def edges(self) -> list[Any]:
        """Return the vertices of `next_functions`; None where no gradient goes."""
        sig, inputs = self.sig, iter(self.inputs)
        vertices = [None if isinstance(x, Const) else next(inputs) for x in sig.operands]
        return [None if i is None or not sig.needs[i] else vertices[i] for i in sig.edges]

    def shown_edges(self) -> list[Any]:
        """Return the vertices that users see as `next_functions`; None where no gradient goes.

        They are others than `edges` where the node stands for several operations.
        """
        shown: Any = getattr(self, "links", None)
        if shown.__class__ is tuple:
            base, written = shown
            return [base, *written.shown_edges()[1:]]
        if shown is not None:
            found: list[Any] = shown
            return found
        sig = self.sig
        if sig.inner is not None:
            inputs = iter(self.inputs)
            operands = [None if isinstance(x, Const) else next(inputs) for x in sig.operands]
            return [_part_of(self, operands, part, (i,)) for i, part in enumerate(sig.inner)]
        edges = [_passed(x) for x in self.edges()]
        return [x for x in edges if x is not None] if sig.name == NOT_IMPLEMENTED else edges

    def avals(self) -> tuple[Aval | None, ...]:
        """Return shape and dtype of each result."""
        return (self.aval,)


class Alone(Node):
    """A node apart from the graph: its operands are boundaries, and it stands for `vertex`."""

    __slots__ = ("vertex",)

    def __init__(
        self, vertex: Node, inputs: tuple[Any, ...], saved: tuple[Any, ...], packed: Iterable[int]
    ) -> None:
        super().__init__(vertex.sig, inputs, saved, vertex.seq)
        self.vertex = vertex
        # Values that hooks packed have no version to check; the hooks may return other values.
        packed_operands = frozenset([vertex.sig.reads[j] for j in packed])
        self.storage = None if len(vertex.sig.operands) in packed_operands else vertex.storage
        self.copied = getattr(vertex, "copied", frozenset()) | packed_operands


class Derived(Vertex):
    """The vertex of a result without a derivative (a mask, an index) inside a recorded gradient.

    In formulas of higher order the result is the formula of its operands, so that equal masks are
    one node, and a value keeps the mask that was applied to it. Outside of gradients such a result
    is a leaf, since it must not keep the graph of its operands alive.
    """

    __slots__ = ("__weakref__", "inputs", "requires_grad", "saved", "seq", "sig", "storage")

    def __init__(
        self, sig: Signature, inputs: tuple[Any, ...], saved: tuple[Any, ...], seq: int
    ) -> None:
        self.sig = sig
        self.saved = saved
        # A value that is chosen by the result depends on the operands, with a derivative of zero.
        self.requires_grad = any(sig.needs)
        self.inputs = inputs
        self.seq = seq
        self.storage: Storage | None = None

    @property
    def aval(self) -> Aval:
        """Shape and dtype of the value."""
        return self.sig.out


class Number(Vertex):
    """The vertex of a Python number that is an input of plans, not part of the structure."""

    __slots__ = ("saved", "seq", "sig")

    inputs: tuple[Any, ...] = ()
    requires_grad = False

    def __init__(self, sig: NumberKind, value: Any) -> None:
        self.sig = sig
        self.saved = (value,)
        self.seq = 0


# ------------------------------------------------------------------ what users see of it


class Shown(GraphNode):
    """What users see of a vertex, as long as somebody holds it: `grad_fn`.

    Of each name there is a class of its own, as in PyTorch.
    """

    __slots__ = ("__weakref__", "_vertex")

    def __init__(self, vertex: Any) -> None:
        self._vertex = vertex

    def name(self) -> str:
        found: str = self._vertex.name()
        return found

    def _avals(self) -> tuple[Aval | None, ...]:
        found: tuple[Aval | None, ...] = self._vertex.avals()
        return found

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        edges = self._vertex.shown_edges()
        return tuple([(None, 0) if x is None else edge_to(x) for x in edges])


class ShownNode(Shown):
    """What users see of a recorded operation: it can be called, and tells what it keeps."""

    __slots__ = ()

    def __call__(self, *gradients: Any) -> Any:
        """Return the gradients of the operands for that of the result."""
        found = call_node.call(self._vertex, gradients)
        return found[0] if len(found) == 1 else tuple(found)

    def __getattr__(self, name: str) -> Any:
        """Return what is kept for the derivative, as `_saved_self` and the like."""
        return saved_attribute.call(self._vertex, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *saved_names.call(self._vertex)]


class Inner:
    """A node of PyTorch's graph that is a part of one operation here.

    Parameters
    ----------
    vertex : Node
        The operation.
    name : str
        The name of the part.
    edges : list
        What it leads to, as the edges of a vertex.
    path : tuple of int
        Which of the edges of the operation, and of its parts, lead to it.
    """

    __slots__ = ("edges", "name", "path", "vertex")

    def __init__(self, vertex: Node, name: str, edges: list[Any], path: tuple[int, ...]) -> None:
        self.vertex = vertex
        self.name = name
        self.edges = edges
        self.path = path

    def seen(self) -> Any:
        """Return what users see of it: the same object as long as somebody holds it."""
        key = id(self.vertex), self.path
        with making:
            found = _shown_inner.get(key)
            if found is None:
                found = class_named(ShownInner, self.name)(self)
                _shown_inner[key] = found
        return found


_shown_inner: weakref.WeakValueDictionary[Any, Any] = weakref.WeakValueDictionary()


class ShownInner(GraphNode):
    """What users see of a part of an operation: its name and where it leads, and no gradient."""

    __slots__ = ("__weakref__", "_notes", "_part")

    def __init__(self, part: Inner) -> None:
        self._part = part
        self._notes: dict[Any, Any] = {}

    def name(self) -> str:
        return self._part.name

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        return tuple([(None, 0) if x is None else edge_to(x) for x in self._part.edges])

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dict for notes of your own."""
        return self._notes

    @property
    def _vertex(self) -> Any:
        whole = self._part.vertex.name()
        raise RuntimeError(
            f"{self._part.name} is shown as PyTorch has it, but {whole} and it are one operation "
            "here, through which no gradient of its own passes: register hooks on tensors, or on "
            f"{whole}"
        )


def _part_of(vertex: Node, operands: Sequence[Any], part: InnerEdge, path: tuple[int, ...]) -> Any:
    """Return what an edge leads to, a vertex or an `Inner`; None where no gradient goes."""
    if part is None:
        return None
    if isinstance(part, int):
        return _passed(operands[part]) if vertex.sig.needs[part] else None
    name, *parts = part
    edges = [_part_of(vertex, operands, p, (*path, i)) for i, p in enumerate(parts)]
    if all(x is None for x in edges):
        return None
    return Inner(vertex, name if "Backward" in name else f"{name}Backward0", edges, path)


def _passed(vertex: Any) -> Any:
    """Return the vertex that an edge to `vertex` leads to in PyTorch's graph."""
    while isinstance(vertex, Node) and vertex.sig.hidden:
        (vertex,) = [x for x in vertex.edges() if x is not None]
    return vertex


def class_named(base: type[N], name: str) -> type[N]:
    """Return the class of the nodes of a name, which is derived from `base`."""
    found = _classes.get((base, name))
    if found is None:
        made = type(name.rsplit("::", 1)[-1], (base,), {"__slots__": ()})
        found = _classes.setdefault((base, name), made)
    return found


_classes: dict[tuple[type[Any], str], type[Any]] = {}

#: The nodes that users hold, by the identity of the vertex, which the node keeps alive.
_shown: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


def as_one_node(result: Any, name: str, *operands: Any) -> Any:
    """Show the operations that compute a result as one node, where PyTorch has a single operation.

    Parameters
    ----------
    result : Tensor or ArrayExpr
        What the last of the operations gives, and is returned.
    name : str
        PyTorch's name of the node, without "Backward0".
    *operands : Tensor, ArrayExpr or None
        What the edges of the node lead to.
    """
    vertex = None if isinstance(result, ArrayExpr) else result._vertex
    if isinstance(vertex, Node):
        of = vertex if vertex.of is None else vertex.of[0]
        of.rename(named(of.sig, f"{name}Backward0"))
        of.links = [
            x._vertex or x._leaf() if getattr(x, "requires_grad", False) else None for x in operands
        ]
    return result


def shown(vertex: Any) -> Any:
    """Return what users see of a vertex: the same object as long as somebody holds it."""
    if isinstance(vertex, LeafVertex):
        cls: type[GraphNode] = AccumulateGrad
    else:
        cls = class_named(ShownNode if isinstance(vertex, Node) else Shown, vertex.name())
    key = id(vertex)
    with making:
        found = _shown.get(key)
        if found is None or found.__class__ is not cls:  # the vertex may have been renamed
            found = _shown[key] = cls(vertex)  # type: ignore[call-arg]
    return found


def node_of(vertex: Any) -> Any:
    """Return the node that users see for a vertex: that of a leaf accumulates its gradient."""
    if isinstance(vertex, GraphNode):
        return vertex
    if isinstance(vertex, (Alone, Boundary)):
        vertex = vertex.vertex
    if isinstance(vertex, LeafVertex):
        return shown(vertex)
    return vertex.result[0] if isinstance(vertex, Node) else vertex.face


def edge_to(vertex: Any) -> tuple[Any, int]:
    """Return what a gradient for `vertex` goes to, as `next_functions` shows it."""
    if isinstance(vertex, Inner):
        return vertex.seen(), 0
    if isinstance(vertex, Node):
        return vertex.result
    if isinstance(vertex, Derived):
        return None, 0
    receives = vertex.requires_grad and vertex.tensor is not None
    return (shown(vertex), 0) if receives else (None, 0)


class AccumulateGrad(GraphNode):
    """The node at which the gradient of a leaf arrives."""

    __slots__ = ("__weakref__", "_vertex")

    def __init__(self, leaf: LeafVertex) -> None:
        self._vertex = leaf

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def _avals(self) -> tuple[Aval, ...]:
        return (self._vertex.aval,)

    def __call__(self, *gradients: Any) -> tuple[()]:
        """Add a gradient to the `.grad` of the leaf."""
        return call_accumulator.call(self._vertex, gradients)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), "variable"]

    @property
    def variable(self) -> Any:
        """The leaf; None where nobody holds it any more."""
        return self._vertex.owner()

    def _sequence_nr(self) -> int:
        return 2**64 - 1  # before every other node that is ready
