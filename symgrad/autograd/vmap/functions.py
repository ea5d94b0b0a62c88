"""Custom functions inside `vmap`: by their own rule, or by one generated from their methods.

A function that sets `generate_vmap_rule` is replaced by one over one more axis, whose `forward`,
`setup_context`, `backward` and `jvp` run the function's own with tensors that stand for one entry.
Facts of the protocol are PyTorch's (`torch.autograd.Function`, "Extending torch.func").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from symgrad.autograd.forward_results import NOT_RETURNED
from symgrad.autograd.function import Function, call_in_vmap
from symgrad.autograd.vmap.levels import BatchLevel, at_level, entered
from symgrad.autograd.vmap.symbolic import is_symbolic, map_symbolically
from symgrad.autograd.vmap.trees import Tree, broadcast_to_tree, flattened
from symgrad.autograd.vmap.value import batched, unbatched
from symgrad.record.modes import state
from symgrad.record.record import Recorded

_MORE = "For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"
_NO_SETUP = (
    "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, "
    f"...), it must override the setup_context staticmethod. {_MORE}"
)
_TWO = (
    "Expected the vmap staticmethod to have two returns, an output and out_dims with pytree "
    "structure compatible with the output. Got {} instead"
)


class VmapInfo(NamedTuple):
    """The first argument of the `vmap` method of a custom function.

    Attributes
    ----------
    batch_size : int
        The number of entries.
    randomness : {"error", "different", "same"}
        Whether random operations are refused, or draw different or the same numbers for entries.
    """

    batch_size: int
    randomness: str


@call_in_vmap.state
def call(level: BatchLevel, function: Any, args: tuple[Any, ...]) -> Any:
    """Apply a custom function inside a `vmap` of which `level` is the innermost.

    Raises
    ------
    RuntimeError
        If the function has no rule of `vmap`, or both a rule and `generate_vmap_rule`; if its rule
        returns something else than a pair of results and axes.
    """
    if function.setup_context is Function.setup_context and not level.is_pass:
        raise RuntimeError(_NO_SETUP)
    stated = function.vmap is not Function.vmap and not level.is_pass
    if stated and function.generate_vmap_rule:
        raise RuntimeError(
            f"You tried to vmap over {function.__name__}, but it has both generate_vmap_rule=True "
            "and an overridden vmap staticmethod. Please set generate_vmap_rule=False or delete "
            f"the overridden vmap staticmethod to avoid ambiguity. {_MORE}"
        )
    if not (stated or function.generate_vmap_rule or level.is_pass):
        raise RuntimeError(
            f"You tried to vmap over {function.__name__}, but it does not have vmap support. "
            "Please override and implement the vmap staticmethod or set generate_vmap_rule=True. "
            f"{_MORE}"
        )
    leaves, tree = flattened(args)
    behind = [unbatched(x, level) for x in leaves]
    dims = [dim for _, dim in behind]
    with at_level(level.outer):
        if all(dim is None for dim in dims) and (stated or level.is_pass):
            return function.apply(*args)
        wholes = [x for x, _ in behind]
        if stated:
            info = VmapInfo(level.size, level.randomness)
            returned = function.vmap(info, tree.build(dims), *tree.build(wholes))
            outputs, places, structure = _checked(returned)
        else:
            rule = _GeneratedRule(function, dims, level)
            outputs, structure = flattened(rule.function.apply(*tree.build(wholes)))
            places = rule.out_dims
    given = {id(x): leaf for x, leaf in zip(wholes, leaves, strict=True) if isinstance(x, Recorded)}
    return structure.build(
        [
            given[id(x)] if id(x) in given else _batched_result(level, x, dim)
            for x, dim in zip(outputs, places, strict=True)
        ]
    )


def _batched_result(level: BatchLevel, x: Any, dim: Any) -> Any:
    return batched(level, x, dim) if isinstance(x, Recorded) and isinstance(dim, int) else x


def _checked(returned: Any) -> tuple[list[Any], list[Any], Tree]:
    """Return the results of a function's own rule, the mapped axis of each, and their structure."""
    if not isinstance(returned, tuple):
        raise RuntimeError(_TWO.format(f"a {type(returned)}"))
    if len(returned) != 2:
        raise RuntimeError(_TWO.format(f"{len(returned)} returns"))
    outputs, out_dims = returned
    leaves, tree = flattened(outputs)
    places = broadcast_to_tree(out_dims, tree)
    if places is None:
        raise RuntimeError(
            "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) "
            f"tuple. Expected out_dims={out_dims} to be compatible with the structure of `output`. "
            f"out_dims has structure {flattened(out_dims)[1]} but output has structure {tree}. "
            f"{_MORE}"
        )
    return leaves, places, tree


class _GeneratedRule:
    """A custom function over one more axis, generated from one without it.

    Attributes
    ----------
    function : type
        The `Function`.
    out_dims : list
        For each result of the last call, 0 if it differs from entry to entry, else None.
    """

    def __init__(self, plain: Any, in_dims: list[int | None], level: BatchLevel) -> None:
        self.plain = plain
        self.in_dims = in_dims
        self.size = level.size
        self.randomness = level.randomness
        self.is_pass = level.is_pass
        self.out_dims: list[int | None] = []
        self.saved_dims: list[int | None] = []
        self.shapes: list[Any] = []
        split = plain.setup_context is not Function.setup_context
        body = {
            "__module__": plain.__module__,
            "generate_vmap_rule": True,
            "forward": staticmethod(self.forward if split else self.forward_with_context),
            "backward": staticmethod(self.backward),
            "jvp": staticmethod(self.jvp),
        }
        if split:
            body["setup_context"] = staticmethod(self.setup_context)
        self.function: Any = type(f"Vmapped{plain.__name__}", (Function,), body)

    def forward(self, *args: Any) -> Any:
        leaves, tree = flattened(args)
        found, self.out_dims, structure = self._run(
            lambda *entries: self.plain.forward(*tree.build(entries)), leaves, self.in_dims
        )
        return structure.build(found)

    def forward_with_context(self, ctx: Any, *args: Any) -> Any:
        leaves, tree = flattened(args)

        def run(*entries: Any) -> Any:
            self._keep_shapes(entries)
            context = _SavingContext(ctx)
            returned = self.plain.forward(context, *tree.build(entries))
            self.saved_dims = context.dims
            return returned

        found, self.out_dims, structure = self._run(run, leaves, self.in_dims)
        return structure.build(found)

    def setup_context(self, ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        leaves, tree = flattened(inputs)
        results, structure = flattened(output)

        def run(*entries: Any) -> None:
            arguments = entries[: len(leaves)]
            self._keep_shapes(arguments)
            context = _SavingContext(ctx)
            given, returned = tree.build(arguments), structure.build(entries[len(leaves) :])
            self.plain.setup_context(context, given, returned)
            self.saved_dims = context.dims

        self._run(run, [*leaves, *results], [*self.in_dims, *self.out_dims])

    def _keep_shapes(self, arguments: Sequence[Any]) -> None:
        self.shapes = [getattr(x, "shape", None) for x in arguments]

    def backward(self, ctx: Any, *cotangents: Any) -> Any:
        saved = list(ctx.saved_tensors)
        rule, count = self.plain._rule(), len(saved)

        def run(*entries: Any) -> Any:
            returned = rule(_ReadingContext(ctx, entries[:count]), *entries[count:])
            gradients = returned if isinstance(returned, tuple) else (returned,)
            return tuple([self._reduced(i, g) for i, g in enumerate(gradients)])

        dims = [None if ct is None else d for ct, d in zip(cotangents, self.out_dims, strict=True)]
        found, places, _ = self._run(run, [*saved, *cotangents], [*self.saved_dims, *dims])
        return tuple(
            [
                self._of_input(i, g, dim)
                for i, (g, dim) in enumerate(zip(found, places, strict=True))
            ]
        )

    def _reduced(self, i: int, gradient: Any) -> Any:
        """Return the gradient of one entry in the shape of its argument."""
        shape = self.shapes[i] if i < len(self.shapes) else None
        if gradient is None or shape is None or self.in_dims[i] is None or gradient.shape == shape:
            return gradient
        return gradient.sum_to_size(shape)

    def _of_input(self, i: int, gradient: Any, place: int | None) -> Any:
        """Return the gradient of a whole argument: summed, where all entries share it."""
        dim = self.in_dims[i] if i < len(self.in_dims) else None
        if gradient is None or (place is None and dim is None):
            return gradient
        if dim is None:
            return gradient.sum(place)
        if place is None:
            gradient = gradient.unsqueeze(0).expand((self.size, *gradient.shape))
        return gradient.movedim(0, dim) if dim else gradient

    def jvp(self, ctx: Any, *tangents: Any) -> Any:
        saved = list(ctx.saved_tensors)
        count = len(saved)

        def run(*entries: Any) -> Any:
            return self.plain.jvp(_ReadingContext(ctx, entries[:count]), *entries[count:])

        dims = [None if t is None else d for t, d in zip(tangents, self.in_dims, strict=True)]
        found, places, structure = self._run(run, [*saved, *tangents], [*self.saved_dims, *dims])
        return structure.build(
            [
                t
                if t is None or place is not None or dim is None
                else t.unsqueeze(0).expand((self.size, *t.shape))
                for t, place, dim in zip(found, places, self.out_dims, strict=True)
            ]
        )

    def _run(
        self, call: Callable[..., Any], values: Sequence[Any], dims: Sequence[int | None]
    ) -> tuple[list[Any], list[int | None], Tree]:
        """Call a function on batched tensors, one for each of `values` that has an axis.

        Return the tensors of all entries of the results, the axis of each, and their structure.
        """
        if any(is_symbolic(x) for x in values):
            return self._run_on_formulas(call, values, dims)
        with entered(self.size, self.randomness, self.is_pass) as level:
            entries = [
                x if dim is None or not isinstance(x, Recorded) else batched(level, x, dim)
                for x, dim in zip(values, dims, strict=True)
            ]
            returned, structure = flattened(call(*entries))
            with at_level(level.outer):
                found = [unbatched(x, level) for x in returned]
                wholes = [
                    x._data.front if dim is not None else x
                    for x, (_, dim) in zip(returned, found, strict=True)
                ]
        places = [None if dim is None else 0 for _, dim in found]
        return wholes, places, structure

    def _run_on_formulas(
        self, call: Callable[..., Any], values: Sequence[Any], dims: Sequence[int | None]
    ) -> tuple[list[Any], list[int | None], Tree]:
        structure = [Tree()]

        places: list[int | None] = []

        def placed(returned: Any, varies: Callable[[Any], bool], take: Any) -> list[Any]:
            leaves, structure[0] = flattened(returned)
            places[:] = [0 if varies(x) else None for x in leaves]
            return [
                x if dim is None else take(x, dim) for x, dim in zip(leaves, places, strict=True)
            ]

        over = [*values], [*dims]
        _, tree = flattened(tuple(values))
        wholes = map_symbolically(call, over, tree, self.size, self.randomness, placed)
        return wholes, places, structure[0]


class _Context:
    """The `ctx` that a mapped function sees: attributes are those of the rule's own context."""

    #: The attributes of this object itself.
    _own = frozenset(("_ctx",))
    _ctx: Any

    def __init__(self, ctx: Any) -> None:
        self._ctx = ctx

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ctx, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._own:
            object.__setattr__(self, name, value)
        else:
            setattr(self._ctx, name, value)


class _SavingContext(_Context):
    """A `ctx` that saves the tensor of all entries where the function saves that of one entry."""

    _own = _Context._own | {"dims", "level"}

    def __init__(self, ctx: Any) -> None:
        super().__init__(ctx)
        # `ctx` may be a `_SavingContext` of an outer level.
        self.level: BatchLevel = state.state.batching.level
        self.dims: list[int | None] = []

    def save_for_backward(self, *tensors: Any) -> None:
        self._ctx.save_for_backward(*self._wholes(tensors))

    def save_for_forward(self, *tensors: Any) -> None:
        self._ctx.save_for_forward(*self._wholes(tensors))

    def mark_dirty(self, *tensors: Any) -> None:
        if tensors:  # the results of the rule are not the tensors that the function changed
            raise RuntimeError(NOT_RETURNED)

    def _wholes(self, tensors: tuple[Any, ...]) -> list[Any]:
        found = [unbatched(x, self.level) for x in tensors]
        self.dims = [dim for _, dim in found]
        return [x for x, _ in found]


class _ReadingContext(_Context):
    """A `ctx` whose saved tensors are batched tensors, each of which stands for one entry."""

    _own = _Context._own | {"saved_tensors"}

    def __init__(self, ctx: Any, saved: tuple[Any, ...]) -> None:
        super().__init__(ctx)
        self.saved_tensors = saved
