"""How operations act on batched tensors: by the rule of the primitive, on the tensors behind them.

The rule is a formula over one more axis (`symgrad.differentiate.batch`). Its operations are recorded like any
others, so that gradients reach what a mapped function was called with.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from symgrad.autograd.vmap.value import BatchedValue, BatchLevel, standing_for
from symgrad.differentiate.batch import batch_expressions
from symgrad.expr.node import ArrayExpr, Const, Placeholder
from symgrad.expr.shapes import Shape
from symgrad.lower.executable import Executable
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Several
from symgrad.record.aval import aval_of
from symgrad.record.graph_cuts import DETACHED_VIEW
from symgrad.record.modes import holding, state
from symgrad.record.operands import RuleCache, operand_leaf, spec_of
from symgrad.record.record import Recorded, read_operand
from symgrad.support.scopes import Scope, back_to, together

__all__ = ["Batching", "apply", "at_level", "entered", "innermost"]

_REFUSED = {
    "data": "accessing `data` under vmap transform is not allowed",
    "data =": "mutating directly with `.data` under vmap transform is not allowed.",
    "detach_": DETACHED_VIEW,
    "requires_grad_": (
        "You are attempting to call Tensor.requires_grad_() (or perhaps using "
        "torch.autograd.functional.* APIs) inside of a function being transformed by a functorch "
        "transform. This is unsupported, please attempt to use the functorch transforms (e.g. "
        "grad, vjp, jacrev, jacfwd, hessian) or call requires_grad_() outside of a function being "
        "transformed instead."
    ),
    "backward": (
        "backward() called inside a functorch transform. This is not supported, please use "
        "functorch.grad or functorch.vjp instead or call backward() outside of functorch "
        "transforms."
    ),
    "make_dual": (
        "Batching rule not implemented for aten::_make_dual; the fallback path doesn't work on "
        "out= or view ops."
    ),
    "unpack_dual": (
        "Batching rule not implemented for aten::_unpack_dual; the fallback path doesn't work on "
        "out= or view ops."
    ),
    "equal": ("Batching rule not implemented for aten::equal. We could not generate a fallback."),
    "out": (
        "Batching rule not implemented for functions with out=; the fallback path doesn't work on "
        "out= or view ops."
    ),
}


class Batching:
    """The `batching` mode of a thread in which a `vmap` runs, to which recording gives operations.

    Attributes
    ----------
    level : Level
        The innermost `vmap` that runs.
    """

    __slots__ = ("level",)

    def __init__(self, level: BatchLevel) -> None:
        self.level = level

    def record(self, cls: type[Primitive], operands: Sequence[Any], params: Any) -> Any:
        """Apply a primitive to operands of which some are batched; None where none is."""
        level = innermost(operands)
        return None if level is None else apply(level, cls, operands, params)

    def call(self, function: Any, args: tuple[Any, ...]) -> Any:
        """Apply a custom function."""
        from symgrad.autograd.vmap.functions import call  # noqa: PLC0415 - seldom needed

        return call(self.level, function, args)

    def run_plan(self, walked: Any, roots: Any, cotangents: Sequence[Any], *rest: Any) -> Any:
        """Run the plan of a backward pass; None where no cotangent is batched."""
        from symgrad.autograd.vmap.passes import run_plan_of_entries  # noqa: PLC0415 - seldom needed

        level = innermost(cotangents)
        if level is None:
            return None
        return run_plan_of_entries(level, walked, roots, cotangents, *rest)

    def overwrite(self, x: Any, result: Any, time: int) -> bool:
        """Write a result into the memory of a batched tensor; False where nothing is batched."""
        from symgrad.autograd.vmap.writing import overwrite  # noqa: PLC0415 - seldom needed

        return overwrite(x, result, time)

    def set_item(self, x: Any, found: Any, value: Any, time: int) -> bool:
        """Write into elements of a batched tensor; False where nothing is batched."""
        from symgrad.autograd.vmap.writing import set_item  # noqa: PLC0415 - seldom needed

        return set_item(x, found, value, time)

    def draw(self, shape: Shape, make: Any) -> Any:
        """Return random numbers of the shape of one entry."""
        from symgrad.autograd.vmap.drawing import draw  # noqa: PLC0415 - seldom needed

        return draw(self.level, shape, make)

    def draw_from(self, x: Any, make: Any) -> Any:
        """Return random numbers that depend on the elements of `x`."""
        from symgrad.autograd.vmap.drawing import draw_from  # noqa: PLC0415 - seldom needed

        return draw_from(self.level, x, make)

    def spread(self, made: Any, like: Any) -> Any:
        """Return `made` for each entry of `like`, in memory of its own."""
        from symgrad.autograd.vmap.drawing import spread  # noqa: PLC0415 - seldom needed

        return spread(made, like)

    def refuse(self, what: str, *tensors: Any) -> None:
        """Raise PyTorch's error for an operation that `vmap` does not support.

        Where `tensors` are given, only if one of them is batched.
        """
        if self.level.is_pass or (tensors and innermost(tensors) is None):
            return
        raise RuntimeError(_REFUSED[what])


def at_level(level: BatchLevel | None) -> holding:
    """Run a block inside `level`, or, where it is None, inside no `vmap`."""
    return holding(batching=None if level is None else Batching(level))


class entered(Scope):  # noqa: N801 - it is read as a participle
    """Begin a `vmap` over `size` entries inside those that run, in a block.

    Parameters
    ----------
    size : int
        The number of entries.
    randomness : str
        Whether random numbers differ among the entries, as for `vmap`.
    is_pass : bool
        Whether the entries are the cotangents of a backward pass.
    """

    def __init__(self, size: int, randomness: str, is_pass: bool = False) -> None:
        super().__init__()
        self._how = size, randomness, is_pass

    def __enter__(self) -> BatchLevel:
        special, undo, end = state.state.special, self._undo, len(self._undo)
        around = special.get("batching")
        size, randomness, is_pass = self._how
        level = BatchLevel(size, randomness, None if around is None else around.level, is_pass)
        batching = Batching(level)
        back = together(back_to(special, "batching"), partial(setattr, level, "alive", False))
        undo[end:] = (back,)
        special["batching"] = batching
        return level


def innermost(values: Sequence[Any]) -> BatchLevel | None:
    """Return the innermost level at which one of `values` is batched; None where none is."""
    found: BatchLevel | None = None
    for x in values:
        data = getattr(x, "_data", None)
        if data.__class__ is BatchedValue and (found is None or data.level.depth > found.depth):
            data.check_alive()
            found = data.level
    return found


def apply(
    level: BatchLevel, cls: type[Primitive], operands: Sequence[Any], params: tuple[Any, ...]
) -> Any:
    """Apply a primitive at a level at which one of its operands is batched."""
    specs, varies, values = [], [], []
    for i, x in enumerate(operands):
        data: Any = None
        if isinstance(x, Recorded):
            data = x._data
            specs.append(x._aval)
        else:
            x = read_operand(cls, i, x, operands, params)
            specs.append(spec_of(x))
        has = data.__class__ is BatchedValue and data.level is level
        varies.append(has)
        values.append(data.front if has else x)
    rule = _rules.find(cls, tuple(specs), params, tuple(varies), level.size)
    found = rule.executable.replay(values.__getitem__, rule.is_view)
    made = tuple(
        [
            standing_for(BatchedValue(level, out, 0), entry)
            for out, entry in zip(found, rule.entries, strict=True)
        ]
    )
    return made if issubclass(cls, Several) else made[0]


class _Rule:
    """One operation over one more axis.

    Attributes
    ----------
    executable : Executable
        What is computed.
    is_view : bool
        Whether results are views, as those of the operation.
    entries : list of Aval
        Shape and dtype of one entry of each result.
    """

    __slots__ = ("entries", "executable", "is_view")

    def __init__(
        self,
        cls: type[Primitive],
        specs: Sequence[Any],
        params: tuple[Any, ...],
        varies: Sequence[bool],
        size: int,
    ) -> None:
        operands: list[ArrayExpr] = [operand_leaf(i, spec) for i, spec in enumerate(specs)]
        over: dict[ArrayExpr, ArrayExpr] = {
            x: Placeholder(f"b{i}", (size, *x.shape), x.dtype)
            for i, (x, has) in enumerate(zip(operands, varies, strict=True))
            if has
        }
        node = cls(*operands, *params)
        results: list[ArrayExpr] = list(node) if isinstance(node, Several) else [node]
        self.entries = [aval_of(x.shape, x.dtype) for x in results]
        formulas = batch_expressions(results, over, size)
        given = {over.get(x, x): i for i, x in enumerate(operands) if not isinstance(x, Const)}
        self.executable = Executable(formulas, given)
        self.is_view = cls.is_view


# A step holds a function, and the formula that it computes a part of.
_rules = RuleCache(_Rule, lambda rule: 3_000 + 1_500 * len(rule.executable.program))
