"""Signatures: what is the same for every execution of an operation on the same shapes and dtypes.

A signature states how the result is computed and which values are kept. Both are found once, by
running the rule on symbols.
"""

from __future__ import annotations

import copy
import operator
import weakref
from collections.abc import Callable, Container, Sequence
from typing import Any

from symgrad.differentiate.sweeps import pull_back
from symgrad.expr.atoms import Const, OwnLeaf, Placeholder, Static, new_atom
from symgrad.expr.dtypes import dtype_of_number
from symgrad.expr.graph import replace_nodes, toposort
from symgrad.expr.node import ArrayExpr, intern
from symgrad.ops.composite import Composite, is_formula, order_of
from symgrad.ops.masks import condition_operands
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Several
from symgrad.record.aval import Aval, aval_of, inference_aval
from symgrad.record.calls import each_laid_out, make_call, with_intermediates
from symgrad.record.face import Face, InnerEdge, face_of
from symgrad.record.modes import state
from symgrad.support.locks import new_lock
from symgrad.support.memory import laid_out

#: PyTorch's name of the node of a tensor after a write into a part of its memory.
COPY_SLICES = "torch::autograd::CopySlices"


class NumberKind:
    """The type of a Python number that may vary from run to run, as part of a structural key."""

    __slots__ = ("dtype", "shape", "weak")

    def __init__(self, kind: type[Any]) -> None:
        self.dtype = dtype_of_number(kind())
        self.shape = ()
        self.weak = True


class Family:
    """What views that differ in their places alone have in common: a part of structural keys.

    Attributes
    ----------
    pattern : tuple
        The parameter of the operation without the places.
    """

    __slots__ = ("pattern",)

    def __init__(self, pattern: Any) -> None:
        self.pattern = pattern


class BareSignature:
    """The signature of a custom function, and of one of several results.

    It has those attributes of a `Signature` that a walk through the graph reads.

    Attributes
    ----------
    name : str
        The name of the operation or function.
    passes : tuple of bool
        Whether a gradient passes on to each of the inputs.
    out : Aval
        Shape and dtype of the result.
    frees : bool
        Whether a backward pass frees something.
    is_view : bool
        Whether the result is a view.
    """

    __slots__ = ("frees", "is_view", "name", "out", "passes")

    refusal = ""

    cls: Any = None
    operands: tuple[Any, ...] = ()
    edges: tuple[int | None, ...] = ()
    needs: tuple[bool, ...] = ()
    params: tuple[Static, ...] = ()
    reads: tuple[int, ...] = ()
    masks: tuple[int, ...] = ()
    undefined = False
    hidden = False
    inner: tuple[InnerEdge, ...] | None = None

    def __init__(
        self, name: str, passes: tuple[bool, ...], out: Any, frees: bool, is_view: bool = False
    ) -> None:
        self.name = name
        self.passes = passes
        self.out = out
        self.frees = frees
        self.is_view = is_view

    def saved_order(self) -> tuple[int, ...]:
        """Return the positions of the values that PyTorch saves: none."""
        return ()


class Signature:
    """What an operation on given shapes, dtypes and parameters does each time it is recorded.

    Attributes
    ----------
    out : Aval
        Shape and dtype of the result; of several, of the first.
    outs : tuple of Aval
        Shape and dtype of each result.
    results : tuple of BareSignature or None
        Of an operation with several results, the signature of the vertex of each; None for a result
        without derivative, which gets no vertex. Empty for an operation with one result.
    call : callable
        Computes the result from the operands' data; several results as a tuple of arrays.
    forward : callable
        The same for the record: the result, followed by the intermediates where there are some.
    into : callable or None
        The same with the array to write into as a last argument; None if NumPy cannot do that.
    needs : tuple of bool
        Which operands require a gradient.
    passes : tuple of bool
        Which inputs of a vertex, the operands that are no constants, get a gradient.
    records : bool
        Whether the result requires a gradient and so gets a node.
    pick : callable or None
        Chooses the residuals from `(*operands, *results, *intermediates)`; None where there are
        none.
    reads : tuple of int
        The positions of the residuals in that tuple.
    kept : tuple of int
        Those among them that the derivative itself does not read.
    steps : tuple
        For each result the operation and its parameters, as views keep them.
    intermediates : tuple of ArrayExpr
        The values of a composite operation's own formula that its derivative reads, as nodes over
        the `leaves`. They are computed on the way to the result; a plan that cannot read them
        computes them again from the operands.
    inner : tuple or None
        What the edges lead to, where PyTorch's graph shows several nodes (`Face.inner`).
    leaves : tuple of ArrayExpr
        What stands for the operands in `intermediates`.
    masks : tuple of int
        The operands that are masks: they determine where the result is zero.
    varies : NumberKind or None
        The kind of the operand that is a number and may vary.
    frees : bool
        Whether a backward pass frees something, so that a second one raises.
    refusal : str
        The message of PyTorch's error when a gradient arrives; empty if there is no such error.
    undefined : bool
        Whether gradients stay None where others are zeros.
    face : Face
        What PyTorch's graph shows of it.
    edges : tuple of int or None
        The operand of each of `next_functions`, None where it is none.
    singles : dict
        For the number of a result, the function that computes only this result.
    renamed : dict
        By name, the signatures under the names that PyTorch gives to results of changes in place.
    """

    __slots__ = (
        "_saved_order", "call", "cls", "edges", "face", "family", "forward", "frees", "inner",
        "intermediates", "into", "is_view", "kept", "leaves", "made", "masks", "name", "needs",
        "operands", "out", "outs", "params", "passes", "pick", "places", "reads", "records",
        "refusal", "renamed", "results", "singles", "steps", "undefined", "varies",
    )  # fmt: skip

    def __init__(
        self,
        cls: type[Primitive],
        operands: tuple[Aval | Const | NumberKind, ...],
        params: tuple[Static, ...],
        needs: tuple[bool, ...],
        face: Face | None = None,
    ) -> None:
        node: Any = cls(*placeholders(operands), *params)
        self.cls = cls
        self.face = face = face_of(cls) if face is None else face
        self.operands = operands
        self.params = params
        self.needs = needs
        self.passes = tuple(
            [
                need and i not in cls.unreached
                for i, (need, x) in enumerate(zip(needs, operands, strict=True))
                if not isinstance(x, Const)
            ]
        )
        self.family: Family | None = None
        self.places: tuple[int, ...] = ()
        self.varies = next((x for x in operands if isinstance(x, NumberKind)), None)
        has_results = isinstance(node, Several)
        # Shape and dtype as `intern` takes them.
        self.made: Any = (node.shapes, node.dtypes) if has_results else (node.shape, node.dtype)
        outs = [aval_of(x.shape, x.dtype) for x in (node if has_results else (node,))]
        self.is_view = node.is_view and face.is_view
        shows_inference = self.is_view and _for_inference(operands[0])
        if shows_inference:
            outs = [inference_aval(out) for out in outs]
        self.outs = tuple(outs)
        self.out = outs[0]
        self.results: tuple[BareSignature | None, ...] = ()
        self.call = make_call(node)
        if has_results:
            self.call = each_laid_out(node, self.call)
        elif not node.is_view:
            self.call = laid_out(face.layout or node.result_layout(), self.call, node.shape)
        self.into: Callable[..., Any] | None = None
        if not is_formula(node):
            kernel, fixed, order = node.implementation()
            if self.call is kernel.call and not fixed and order == node.operands and kernel.out:
                self.into = kernel.call
        self.records = any(needs) and node.differentiable and node.dtype.differentiable
        self.records &= not shows_inference
        self.steps: tuple[Any, ...] = ((cls, tuple([p.value for p in params])),)
        if has_results and node.is_view:
            self.steps = tuple([(type(x), x.param_values) for x in node])
        self.pick: Callable[..., Any] | None = None
        self.reads: tuple[int, ...] = ()
        self.kept: tuple[int, ...] = ()
        self.frees = False
        self._saved_order: tuple[int, ...] | None = None
        self.undefined = face.undefined is not None and face.undefined(node)
        self.refusal = face.refusal
        kinds = [None if isinstance(x, Const) else x.dtype for x in operands]
        masks = self.masks = condition_operands(cls, kinds)
        self.intermediates: tuple[ArrayExpr, ...] = ()
        self.renamed: dict[str, Signature] = {}
        self.singles: dict[int, Callable[..., Any]] = {}
        self.name = ""
        self.edges: tuple[int | None, ...] = ()
        self.inner: tuple[InnerEdge, ...] | None = None
        for_inference = False
        if self.records:
            self.name = face.name_of(node)
            self.edges = _edges(cls, operands, needs, face)
            self.inner = face.inner_of(node)
            self.reads, self.frees, needed, inner = _reads(node, needs, masks, face)
            first = len(operands) + len(outs)
            self.intermediates = inner
            places = range(first, first + len(inner))
            self.reads += tuple(places)
            self.kept = tuple(
                sorted({*_keeps(node), *masks, *places} - {*needed, *face.kept(needs)})
            )
            for_inference = any(k < len(operands) and _for_inference(operands[k]) for k in needed)
            self.pick = _picker(self.reads)
            if has_results:
                self.results = tuple(
                    [
                        BareSignature(self.name, (True,), out, False, node.is_view)
                        if out.dtype.differentiable
                        else None
                        for out in outs
                    ]
                )
        elif masks:  # a mask may have been saved nowhere else
            self.reads = masks
            self.pick = _picker(self.reads)
        self.forward = self.call
        if self.intermediates:
            self.leaves = node.operands
            self.forward = with_intermediates(node, self.intermediates, face)
        if for_inference:
            self.call, self.forward = (
                _within_transforms(self.call),
                _within_transforms(self.forward),
            )
            self.into = None

    def at(self, params: tuple[Static, ...], places: tuple[int, ...]) -> Signature:
        """Return the signature of the same view at other places, for less than a new one costs."""
        made = copy.copy(self)
        node: Any = self.cls(*placeholders(self.operands), *params)
        made.params, made.places = params, places
        made.steps = ((self.cls, tuple([p.value for p in params])),)
        made.call = made.forward = make_call(node)
        made.renamed, made.singles = {}, {}
        return made

    def single(self, index: int) -> Callable[..., Any]:
        """Return the function from the operands' data to one of several results only."""
        found = self.singles.get(index)
        if found is None:
            node: Any = self.build(placeholders(self.operands))
            if node.alone(index) is None:
                call = self.call
                found = lambda *data: call(*data)[index]  # noqa: E731
            else:
                found = make_call(node, node.alone(index))
                found = laid_out(node.layouts()[index], found, node.shapes[index])
            found = self.singles.setdefault(index, found)
        return found

    def value_name(self, k: int) -> str:
        """Return PyTorch's name of the value at `k` of `(*operands, *results)`."""
        count = len(self.operands)
        if k >= count:
            cls: type[Any] = self.cls
            return str(cls.result_name(k - count)) if issubclass(cls, Several) else "result"
        names = self.face.saved
        if self.face.numbers in ("all", "last") and self.operands[0].weak:
            # Python's `2 * x` is `x.mul(2)`; of `2 / x` an inner node takes `x`.
            names = (names[1], "" if self.inner else names[0], *names[2:])
        return names[k] if k < len(names) else f"operand{k}"

    def is_plain_number(self, k: int) -> bool:
        """Return whether the value at position `k` is a number that PyTorch keeps as a number."""
        if k >= len(self.operands) or not self.operands[k].weak or self.face.numbers:
            return False
        return self.value_name(k) != "other"  # a number called so becomes a tensor in PyTorch

    def shown_values(self) -> dict[str, int]:
        """Return the positions of the values that PyTorch's nodes of this name show, by name.

        The node shows None for a value that no derivative reads, since its operand requires no
        gradient. Numbers are shown as they are; those that PyTorch makes tensors of, only where a
        derivative reads them.
        """
        if not self.shows_values:
            return {}
        face, count = self.face, len(self.operands)
        needs = [
            bool(face.numbers) if x.weak else face.passes_to(self.cls, k, x.dtype)
            for k, x in enumerate(self.operands)
        ]
        shown = {*self._read_by(needs), *[self.reads[j] for j in self.saved_order()]}
        shown |= {k for k in range(count) if self.is_plain_number(k)}
        named = range(min(count, len(face.saved)))
        return {
            self.value_name(k): k
            for k in sorted(shown)
            if k >= count or (k in named and self.value_name(k))
        }

    @property
    def shows_values(self) -> bool:
        """Whether the node shows saved values.

        Nodes that PyTorch makes itself, such as `CopySlices`, show none.
        """
        return not self.name.startswith("torch::autograd::")

    def _read_by(self, needs: Sequence[bool]) -> set[int]:
        """Return the positions of the values that derivatives with these `needs` read."""
        node = self.build(placeholders(self.operands))
        return {*_reads(node, needs, (), self.face)[2], *self.face.kept(needs)}

    def saved_order(self) -> tuple[int, ...]:
        """Return the positions in `reads` of the values that PyTorch saves, in PyTorch's order.

        PyTorch saves the operands in the order of their names, and then the results.
        """
        found = self._saved_order
        if found is None:
            count = len(self.operands)

            def rank(j: int) -> tuple[int, str]:
                k = self.reads[j]
                return (k, "") if k >= count else (-1, self.value_name(k))

            places = [j for j, k in enumerate(self.reads) if k not in self.kept]
            found = self._saved_order = tuple(sorted(places, key=rank))
        return found

    def build(self, operands: Sequence[ArrayExpr]) -> Primitive:
        """Return the expression of the operation on `operands`, as it was recorded."""
        node: Primitive = intern(self.cls, tuple(operands), self.params, *self.made)
        return node

    @property
    def hidden(self) -> bool:
        """Whether PyTorch's graph has no such node."""
        return self.face.hidden

    def is_result(self, k: int) -> bool:
        """Return whether a residual, the one at position `k`, is a result."""
        count = len(self.operands)
        return count <= k < count + len(self.outs)

    def intermediates_of(self, operands: Sequence[ArrayExpr]) -> list[ArrayExpr]:
        """Return the intermediates of the operation on `operands`."""
        return replace_nodes(self.intermediates, dict(zip(self.leaves, operands, strict=True)))


def _edges(
    cls: type[Primitive],
    operands: Sequence[Aval | Const | NumberKind],
    needs: Sequence[bool],
    face: Face,
) -> tuple[int | None, ...]:
    """Return the operand of each of `next_functions`, None where it is none."""
    tensors = [(i, x.dtype, needs[i]) for i, x in enumerate(operands) if isinstance(x, Aval)]
    numbers = [i for i, x in enumerate(operands) if not isinstance(x, Aval)]
    return face.places(cls, tensors, numbers)


def named(sig: Signature, name: str) -> Signature:
    """Return a signature under the name that PyTorch gives to what a change in place leaves."""
    found = sig.renamed.get(name)
    if found is None:
        found = copy.copy(sig)
        found.name, found.renamed = name, {}
        # PyTorch frees the node of a write into a part, whether or not the written value was saved.
        found.frees = found.frees or name == COPY_SLICES
        found = sig.renamed.setdefault(name, found)
    return found


def _for_inference(operand: Any) -> bool:
    return isinstance(operand, Aval) and operand.inference


def _within_transforms(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return an operation whose derivative reads an inference tensor."""

    def checked(*data: Any) -> Any:
        refuse_inference()
        return call(*data)

    return checked


def refuse_inference() -> None:
    """Raise PyTorch's error for an inference tensor that is saved outside of all transforms."""
    if state.state.aside.get("transforms"):
        return
    raise RuntimeError(
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
        "inference mode in computation tracked by autograd. To work around this, you can make a "
        "clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
        "`torch.inference_mode()`."
    )


def derived(node: Primitive, needs: Sequence[bool]) -> list[bool]:
    """Return which of the operands that require a gradient have a derivative."""
    return [need and i not in node.underived for i, need in enumerate(needs)]


def _reads(
    node: Primitive, needs: Sequence[bool], masks: Sequence[int], face: Face
) -> tuple[tuple[int, ...], bool, frozenset[int], tuple[ArrayExpr, ...]]:
    """Return what the record keeps of an operation.

    That is: what of `(*operands, *results)`; whether PyTorch keeps any of it; what of it has to be
    kept; and the intermediates.
    """
    if node.missing_derivative():
        return (), False, frozenset(), ()
    kept_by_pytorch = face.kept(needs)
    needs = derived(node, needs)
    results: Any = node if isinstance(node, Several) else (node,)
    kept = results if face.keeps_result else [None for _ in results]
    candidates: list[Any] = [*node.operands, *kept]
    position = {x: i for i, x in reversed(list(enumerate(candidates)))}
    if isinstance(node, Composite) and face.keeps_result:
        position.setdefault(node.expanded(), len(node.operands))
    cts = [
        Placeholder(f"ct{i}", x.shape, x.dtype) if x.dtype.differentiable else None
        for i, x in enumerate(results)
    ]
    ct: Any = cts if isinstance(node, Several) else cts[0]
    rules = zip(pull_back(node, ct, needs), needs, strict=True)
    parts = [p for p, need in rules if need and p is not None]
    reached = toposort(parts, position.__contains__)
    found = {position[x] for x in reached if x in position}
    needed = frozenset(found)
    # PyTorch keeps no tensor for a number.
    frees = face.frees or not all(candidates[i].weak for i in found)
    found.update(_keeps(node), kept_by_pytorch, masks)
    reads = tuple(sorted(i for i in found if not candidates[i].weak))
    return reads, frees, needed, _intermediates(node, parts, position)


def _keeps(node: Primitive) -> Sequence[int]:
    """Return which operands are kept that the derivative need not read."""
    if not node.keeps_repeated or node.shape[-1:] in ((), (1,)):
        return node.keeps
    few = [i for i, x in enumerate(node.operands) if x.shape[-1:] in ((), (1,))]
    return [*node.keeps, *few]


def _intermediates(
    node: Primitive, derivatives: Sequence[ArrayExpr], known: Container[ArrayExpr]
) -> tuple[ArrayExpr, ...]:
    """Return the values on the way to the result of `node` that its derivatives read first.

    Those that its derivatives read through others, or that are `known`, are not among them.
    """
    if not is_formula(node):
        return ()
    computed, _ = order_of([node.expanded()], opens=is_formula)
    depends = set(node.operands)
    for x in computed:
        if not depends.isdisjoint(x.operands):
            depends.add(x)
    inner = {x for x in depends if x.operands and not (x.weak or x in known or x is node)}
    inner = {x for x in inner if not isinstance(x, Several)}
    reached = toposort(derivatives, lambda x: x in inner or x in known)
    return tuple([x for x in reached if x in inner])


def _picker(reads: tuple[int, ...]) -> Callable[..., Any] | None:
    if not reads:
        return None
    if len(reads) == 1:
        return operator.itemgetter(slice(reads[0], reads[0] + 1))
    return operator.itemgetter(*reads)


# ------------------------------------------------------------------ operands as leaves


def placeholders(operands: Sequence[Aval | Const | NumberKind]) -> list[ArrayExpr]:
    """Return an expression for each operand, of its shape and dtype."""
    return [
        x
        if isinstance(x, Const)
        else Placeholder(f"_{i}", x.shape, x.dtype)
        if isinstance(x, Aval)
        else _WeakLeaf.make(f"_{i}", x)
        for i, x in enumerate(operands)
    ]


class _WeakLeaf(OwnLeaf):
    """The placeholder of a Python number, which never decides a dtype."""

    __slots__ = ()

    @classmethod
    def make(cls, name: str, kind: NumberKind) -> ArrayExpr:
        made = new_atom(cls, (), kind.dtype)
        made._name = name
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


# The leaves of living plans: one large graph does not leave its leaves behind.
_number_leaves: weakref.WeakValueDictionary[Any, ArrayExpr] = weakref.WeakValueDictionary()
_number_lock = new_lock()
