"""The vertex of one application of a custom function, and what it saved."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from symgrad.autograd import function_formulas
from symgrad.backward.modified import raise_modified
from symgrad.backward.saved import (
    Packed,
    PackingHooks,
    SavedTensor,
    pack,
    refuse_second_hooks,
    unpack,
)
from symgrad.differentiate.sweeps import pull_back
from symgrad.expr.atoms import Placeholder, as_expr
from symgrad.expr.node import ArrayExpr
from symgrad.ops.primitive import PRIMITIVES, Primitive
from symgrad.record.aval import Aval
from symgrad.record.function_node import FunctionNode
from symgrad.record.graph_cuts import Cut
from symgrad.record.modes import state
from symgrad.record.node import GraphNode
from symgrad.record.record import Recorded, wrap, zeros
from symgrad.record.tape import Node
from symgrad.record.versions import clock
from symgrad.support.scopes import Scope, back_to, together


class Saved:
    """A tensor that a custom function saved.

    Attributes
    ----------
    kept : Tensor or Packed
        The tensor. Of a result it is a tensor without history, since the results keep the node
        alive, and the node must not keep itself alive.
    index : int
        The number of the result that the tensor is; -1 if it is none.
    version : int
        The version of its memory when it was saved.
    vertex : vertex or None
        The vertex of the tensor; None for a result.
    intermediate_index : int
        Of a tensor that `forward` computed and that is neither an argument nor a result: its
        number among the saved tensors. Otherwise -1.
    """

    __slots__ = ("index", "intermediate_index", "kept", "version", "vertex")

    def __init__(
        self, kept: Any, index: int, version: int, vertex: Any, intermediate_index: int = -1
    ) -> None:
        self.intermediate_index = intermediate_index
        self.kept = kept
        self.index = index
        self.version = version
        self.vertex = vertex

    def pack(self, hooks: PackingHooks, x: Any) -> None:
        """Keep what a hook packs of the tensor `x`."""
        self.kept = pack(hooks, x)

    def pack_by(self, hooks: PackingHooks) -> None:
        """Pack the tensor by a hook; raise if another hook packed it before."""
        kept = self.kept
        if isinstance(kept, Packed):
            refuse_second_hooks()
        self.pack(hooks, wrap(kept._data, kept._aval))

    def tensor(self, node: Application) -> Any:
        """Return the tensor with its vertex; raise if it was changed in place since it was saved."""
        kept = self.kept
        if isinstance(kept, Packed):
            found = unpack(kept)
            vertex = node.output(self.index) if self.index >= 0 else self.vertex
            same = vertex is not None and found._aval is vertex.aval
            return wrap(found._data, found._aval, vertex) if same else found
        storage = kept._storage()
        if storage.version != self.version:
            present = kept._node()
            modifier = node if self.index >= 0 else present
            name = "" if modifier is None else modifier.name()
            output = max(self.index, 0)  # PyTorch says 0 of an argument
            raise_modified(node, present or kept._leaf(), storage, self.version, name, output)
        if self.intermediate_index >= 0 and state.state.enabled:
            what = f"tensor {self.intermediate_index} of those that save_for_backward() was given"
            vertex = Intermediate(node, kept._aval, f"saved{self.intermediate_index}", what)
            return wrap(kept._data, kept._aval, vertex.output(0))
        if self.index < 0:
            return kept
        return wrap(kept._data, kept._aval, node.output(self.index))


class Application(FunctionNode):
    """The vertex of one application of a `Function`.

    Attributes
    ----------
    ctx : weakref
        The context, which is what users see of the vertex. The results keep the context alive, and
        the context keeps the vertex alive.
    template : tuple
        The arguments, `function_formulas.TENSOR` in the places of tensors.
    layout : tuple or None
        The saved arguments and results, if `backward` can read nothing else; see `Call.layout`.
    """

    __slots__ = ("ctx", "layout", "template")

    def __init__(self, ctx: GraphNode, args: tuple[Any, ...], executable: bool) -> None:
        given = [x for x in args if isinstance(x, Recorded)] if executable else []
        inputs = tuple([x._vertex or x._leaf() for x in given])
        edges = tuple([v if x._rg else None for v, x in zip(inputs, given, strict=True)])
        super().__init__(type(ctx).__name__, inputs, edges)
        self.ctx = weakref.ref(ctx)
        self.template = tuple(
            [function_formulas.TENSOR if isinstance(x, Recorded) else x for x in args]
        )
        self.layout: tuple[Any, ...] | None = None

    @property
    def face(self) -> GraphNode:
        found = self.ctx()
        assert found is not None, "results keep what users see of their function"
        return found

    def differentiate(self, cotangents: tuple[Any, ...]) -> Sequence[Any]:
        ctx: Any = self.face
        if ctx.materialize_grads:
            cotangents = tuple(
                [
                    zeros(aval.shape, aval.dtype) if ct is None and aval is not None else ct
                    for ct, aval in zip(cotangents, self.results, strict=True)
                ]
            )
        with _DifferentiableIntermediates(self, ctx):
            returned = ctx.apply(*cotangents)
        return function_formulas.per_argument(
            self.name(),
            [x is function_formulas.TENSOR for x in self.template],
            returned if isinstance(returned, tuple) else (returned,),
        )

    def fitted(self, gradients: Sequence[Any], accumulated: bool) -> Sequence[Any]:
        found = [
            None if g is None or v is None else self._fitted(i, g, v)
            for i, (g, v) in enumerate(zip(gradients, self.edges(), strict=True))
        ]
        if not accumulated:
            return found
        # The function may have kept a gradient or returned it twice; `.grad` must not be shared.
        return [
            g if g is None or isinstance(v, Node) else g.clone()
            for g, v in zip(found, self.edges(), strict=True)
        ]

    def _fitted(self, i: int, g: Any, vertex: Any) -> Any:
        aval = vertex.aval
        shape, given = aval.shape, g._aval.shape
        if given != shape:
            tail = given[len(given) - len(shape) :]
            if len(given) < len(shape) or any(
                m not in (1, n) for m, n in zip(shape, tail, strict=True)
            ):
                raise RuntimeError(
                    f"Function {self.name()} returned an invalid gradient at index {i} - got "
                    f"{list(given)} but expected shape compatible with {list(shape)}"
                )
            g = g.sum_to_size(shape)
        if g._aval.dtype is not aval.dtype:
            if g._aval.dtype.is_complex and not aval.dtype.is_complex:
                raise RuntimeError(
                    "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == "
                    "grad_is_complex) to be true, but got false.  (Could this error message be "
                    "improved?  If so, please report an enhancement request to PyTorch.)\n"
                    f"{self.name()} returned a gradient of dtype {g._aval.dtype} at index {i} for "
                    f"an input of dtype {aval.dtype}: return its real part"
                )
            g = g.to(aval.dtype)
        return g

    def let_go(self) -> None:
        ctx: Any = self.face
        ctx._release()

    def build(self, index: int, operands: Sequence[ArrayExpr]) -> ArrayExpr:
        ctx: Any = self.face
        avals = tuple([x.aval for x in self.inputs])
        call = function_formulas.call_of(type(ctx)._forward_cls, self.template)
        call.learn(avals, self.results, self.layout)
        return function_formulas.apply_call(call, index, operands)


class _DifferentiableIntermediates(Scope):
    """Give the intermediate tensors that a context holds a vertex, in a block.

    Intermediates are tensors that `forward` computed from its arguments and that are no results.
    """

    def __init__(self, node: Application, ctx: Any) -> None:
        super().__init__()
        self._node = node
        self._ctx = ctx

    def __enter__(self) -> None:
        ctx, undo, end = self._ctx, self._undo, len(self._undo)
        table = vars(ctx)
        values: dict[str, Any] = {}
        for name, references in ctx._intermediates.items() if state.state.enabled else ():
            held = table.get(name)
            replacements: dict[int, Any] = {}
            for x in [ref() for ref in references]:
                if x is not None:
                    what = f"ctx.{name}" if held is x else f"a tensor in ctx.{name}"
                    vertex = Intermediate(self._node, x._aval, "attribute", what)
                    replacements[id(x)] = wrap(x._data, x._aval, vertex.output(0))
            values[name] = _with_replacements(held, replacements)
        back = [back_to(table, name) for name in values]
        undo[end:] = (together(*back),)
        table |= values


def tensors_in(held: Any) -> list[Any]:
    """Return the tensors in the value of an attribute: itself, or in a list, tuple or dict."""
    if isinstance(held, Recorded):
        return [held]
    if type(held) in (list, tuple):
        return [x for x in held if isinstance(x, Recorded)]
    return [x for x in held.values() if isinstance(x, Recorded)] if type(held) is dict else []


def _with_replacements(held: Any, replacements: Mapping[int, Any]) -> Any:
    """Return the value of an attribute with replacements for tensors, by the ids of these."""
    if type(held) in (list, tuple):
        return type(held)(replacements.get(id(x), x) for x in held)
    if type(held) is dict:
        return {key: replacements.get(id(x), x) for key, x in held.items()}
    return replacements.get(id(held), held)


class Intermediate(FunctionNode):
    """The vertex of an intermediate tensor of a function, while its `backward` is recorded.

    How the tensor depends on the arguments is not known, since `forward` was not recorded. So the
    derivative with respect to the tensor is an error.
    """

    __slots__ = ("label", "what")

    is_constant = True  # in PyTorch it has no history

    def __init__(self, node: Application, aval: Aval, label: str, what: str) -> None:
        super().__init__(node.name(), node.inputs, node.edges())
        self.results = (aval,)
        self.ended = clock()
        self.label = label
        self.what = what

    def differentiate(self, cotangents: tuple[Any, ...]) -> Sequence[Any]:
        (ct,) = cotangents
        if ct is None or (isinstance(ct._data, np.ndarray) and not ct._data.any()):
            return [None] * len(self.edges())
        raise RuntimeError(
            f"{self.name()}: the derivative of its backward would not be complete, since "
            f"{self.what} is neither an argument nor a result: forward computed it on the way, and "
            "it is not known how it depends on the arguments. Save the arguments, and compute it "
            "from them in backward; or return it as one more result, and save that. Where it is to "
            "count as a constant, take detach() of it in backward."
        )

    def build(self, index: int, operands: Sequence[ArrayExpr]) -> ArrayExpr:
        (aval,) = self.results
        assert aval is not None
        return Placeholder(self.label, aval.shape, aval.dtype)


def is_intermediate(x: Any, cuts: Mapping[tuple[str, bool], Cut]) -> bool:
    """Return whether a `forward` computed a tensor from one that requires a gradient.

    `cuts` are those of that `forward`; a tensor from before it counts as a constant. So does a
    tensor whose derivative is zero everywhere, such as a rounded one.
    """
    cut: Cut | None = x._cut
    if x._rg or cut is None or not x._aval.dtype.differentiable:
        return False
    if cuts.get((cut.how, cut.mode == "inference_mode")) is not cut:
        return False  # cut off before this `forward`, or by an operation without derivative
    cls = PRIMITIVES.get(cut.how)
    return cls is None or not _is_flat(cls)


def _is_flat(cls: type[Primitive]) -> bool:
    """Return whether the derivative of an operation is zero for its first sample."""
    if not cls.differentiable:
        return True
    sample = cls.samples[0]
    split = len(sample) - len(cls.params)
    operands = [
        Placeholder(f"x{i}", x.shape)
        if isinstance(x, np.ndarray) and x.dtype.kind == "f"
        else as_expr(x)
        for i, x in enumerate(sample[:split])
    ]
    node = cls(*operands, *sample[split:])
    needs = [isinstance(x, Placeholder) for x in operands]
    if not any(needs) or node.missing_derivative() or node.underived:
        return False
    ct = Placeholder("ct", node.shape, node.dtype)
    return all(part is None for part in pull_back(node, ct, needs))


def saved_tensor(saved: Saved | None) -> SavedTensor:
    """Return the object by which users register hooks on an argument of `save_for_backward`."""
    return SavedTensor(_refuse_none if saved is None else saved.pack_by)


def _refuse_none(hooks: PackingHooks) -> NoReturn:
    raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")
