"""Tangents in forward mode: the tangent of each tensor at a dual level, and of each result.

While a level is entered, an observer computes the tangent of every result beside the result, by
the `jvp` of its primitive as a program, or as recorded operations where it is differentiated in
turn. Without a level nothing here runs. The public interface is `symgrad.autograd.forward_ad`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.differentiate.batch import batch_expressions
from symgrad.differentiate.sweeps import jvp, with_derivative_rewrites
from symgrad.expr.atoms import Const, Placeholder
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.lower.executable import Executable
from symgrad.ops.composite import Composite
from symgrad.ops.deriving import differentiated_again
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Several
from symgrad.record.aval import aval_of
from symgrad.record.dual_level import ITSELF, Dual, DualLevel
from symgrad.record.modes import observes, state, while_replaying
from symgrad.record.operands import RuleCache, operand_leaf, spec_of
from symgrad.record.record import Recorded, read_operand, wrap
from symgrad.record.tape import Number
from symgrad.record.views import view_steps
from symgrad.support.scopes import Scope


def moving() -> DualLevel | None:
    """Return the level at which tangents are seen; None without one."""
    special = state.state.special
    found: DualLevel | None = special.get("level") if special.get("tangents", True) else None
    return found


class unobserved(Scope):  # noqa: N801 - it is read as a participle
    """Compute without tangents in the block: what is computed there are tangents themselves."""

    __slots__ = ("_undo",)

    def __enter__(self) -> None:
        self._put(state.state.special, "unseen", True)


# ------------------------------------------------------------------ tangents of tensors


def tangent_of(x: Any) -> Any:
    """Return the tangent of a tensor at the level that is entered; None where it does not move."""
    level = moving()
    if level is None or not x._aval.dtype.differentiable:
        return None
    known = _known(x, level)
    if known is not None and known.value is not None:
        return known.value
    source = _source(x, level)
    if source is None:
        return None
    known = _known(source, level)
    if known is None or known.value is None:
        return None
    return _seen_through(x, known.value, source)


def attach(x: Any, tangent: Any, own: bool = False) -> None:
    """Give a tensor its tangent; `own` if it is a view of a tensor without a tangent."""
    level = _present()
    level.set_tangent(x, tangent, ITSELF if own else None)


def overwrite(x: Any, tangent: Any) -> None:
    """Write a tangent into that of `x`, which is changed in place; None stands for zeros.

    The tangents of a view and of its base share memory, as the view and the base do.
    """
    level = _present()
    present = tangent_of(x)
    with unobserved():
        if present is not None:
            if x._vertex in level.by_vertex:  # saved values may be the old ones
                level.by_vertex[x._vertex] = present.clone()
            if tangent is None:
                present.zero_()
            else:
                present.copy_(tangent)
            return
        if tangent is None:
            return
        source = _source(x, level)
        if source is None:
            level.set_tangent(x, tangent, None)
            return
        base = source
        kept = _known(base, level)
        shape = base._aval.shape if level.size is None else (level.size, *base._aval.shape)
        level.set_tangent(
            base,
            wrap(np.zeros(shape, base._aval.dtype.numpy)),
            None if kept is None else kept.origin,
        )
        _seen_through(x, base._dual.value, source).copy_(tangent)


def _present() -> DualLevel:
    level: DualLevel | None = state.state.special.get("level")
    assert level is not None
    return level


def _known(x: Any, level: DualLevel) -> Dual | None:
    dual: Dual | None = x._dual
    return dual if dual is not None and dual.level is level else None


def _source(x: Any, level: DualLevel) -> Any:
    """Return the tensor that a view takes its tangent from."""
    known = _known(x, level)
    if known is not None and known.origin is not None:
        return None if known.origin is ITSELF else known.origin
    return x._base


def _seen_through(x: Any, tangent: Any, source: Any) -> Any:
    """Return the view of a tangent that is the tangent of the view `x`, and enter it."""
    level = _present()
    spec = source._aval
    with unobserved():
        for cls, params in view_steps(x)[len(view_steps(source)) :]:
            rule = _rules.find(cls, (spec,), params, (True,), level.size)
            (tangent,) = rule.replay((None, tangent, None))
            spec = rule.out
    level.set_tangent(x, tangent, None if source is x._base else source)
    return tangent


# ------------------------------------------------------------------ tangents of results


@observes("level")
def push(cls: type[Primitive], operands: Sequence[Any], params: tuple[Any, ...], out: Any) -> None:
    """Compute the tangent of an operation's result: the observer of a dual level."""
    level = moving()
    if level is None or "unseen" in state.state.special:
        return
    outs = out if isinstance(out, tuple) else (out,)
    if state.state.inference or not any(x._aval.dtype.differentiable for x in outs):
        return
    tangents = [tangent_of(x) if isinstance(x, Recorded) else None for x in operands]
    moves = tuple([t is not None for t in tangents])
    origin = _origin_of_view(operands[0], level) if cls.is_view else None
    if True not in moves:
        if origin is not None:
            for x in outs:
                level.set_tangent(x, None, origin)
        return
    if not cls.differentiable:
        return
    given = [read_operand(cls, i, x, operands, params) for i, x in enumerate(operands)]
    for i, t in enumerate(tangents):
        if t is not None:
            tangents[i] = _converted(t, given[i]._aval.dtype)
            if given[i]._vertex:  # neither none nor an outdated one
                level.by_vertex[given[i]._vertex] = t
    specs = tuple([spec_of(x) for x in given])
    rule = _rules.find(cls, specs, params, moves, level.size)
    with unobserved():
        pushed = rule.push((*given, *tangents, *outs))
    for x, tangent in zip(outs, pushed, strict=True):
        if tangent is not None:
            level.set_tangent(x, tangent, origin)
            if x._vertex is not None:
                level.by_vertex[x._vertex] = tangent


def _origin_of_view(x: Any, level: DualLevel) -> Any:
    known = _known(x, level)
    return None if known is None else x if known.origin is ITSELF else known.origin


def _converted(t: Any, kind: dtype) -> Any:
    """Return a tangent in the dtype of its tensor."""
    if t._aval.dtype is kind:
        return t
    with unobserved():
        if t._aval.dtype.is_complex and not kind.is_complex:
            t = t.real
        return t.to(kind)


class _Rule:
    """How the tangent of one operation follows from those of its operands.

    Attributes
    ----------
    executable : Executable
        The formulas of the tangents of the results, in the operands, their tangents and the
        results. Results of a dtype without derivative have none.
    out : Aval
        Shape and dtype of the first result.
    moves : list of bool
        Which results have a tangent: those of a dtype that is differentiable.
    """

    __slots__ = ("executable", "is_view", "moves", "out")

    def __init__(
        self,
        cls: type[Primitive],
        specs: Sequence[Any],
        params: tuple[Any, ...],
        moving: Sequence[bool],
        size: int | None,
    ) -> None:
        count = len(specs)
        operands: list[ArrayExpr] = [operand_leaf(i, spec) for i, spec in enumerate(specs)]
        node = cls(*operands, *params)
        missing = node.missing_derivative()
        if missing:
            raise NotImplementedError(
                f"Trying to use forward AD with {missing} that does not support it."
            )
        if any(moves and i in node.underived for i, moves in enumerate(moving)):
            raise NotImplementedError(
                f"Trying to use forward AD with {cls.__name__} that does not support it because it "
                "has not been implemented yet."
            )
        tangents: list[ArrayExpr | None] = [
            Placeholder(f"t{i}", x.shape, x.dtype) if moves else None
            for i, (x, moves) in enumerate(zip(operands, moving, strict=True))
        ]
        given: dict[ArrayExpr, int] = {
            x: i for i, x in enumerate(operands) if not isinstance(x, Const)
        }
        results: list[ArrayExpr] = list(node) if isinstance(node, Several) else [node]
        given.update({x: 2 * count + i for i, x in enumerate(results)})
        if isinstance(node, Composite):  # the formula is what is differentiated
            given.setdefault(node.expanded(), 2 * count)
        self.moves = [x.dtype.differentiable for x in results]
        with differentiated_again():
            found = jvp(results, operands, tangents)
        moved = [
            # Where the derivative is zero everywhere, the tangent is an array of zeros.
            Const(0, x.dtype).broadcast_to(x.shape) if t is None else t
            for x, t in zip(results, found, strict=True)
            if x.dtype.differentiable
        ]
        batched: dict[ArrayExpr, ArrayExpr] = {}
        for i, t in enumerate(tangents):
            if t is not None:
                mapped = t if size is None else Placeholder(f"t{i}", (size, *t.shape), t.dtype)
                batched[t] = mapped
                given[mapped] = count + i
        if size is not None:
            moved = with_derivative_rewrites(batch_expressions)(moved, batched, size)
        self.executable = Executable(moved, given, name="tangent")
        self.out = aval_of(results[0].shape, results[0].dtype)
        self.is_view = cls.is_view

    def push(self, values: Sequence[Any]) -> list[Any]:
        """Return the tangent of each result; None for one that has none.

        Parameters
        ----------
        values : sequence
            The operands, their tangents, and the results.
        """
        current = state.state
        records = current.enabled and any(getattr(x, "_rg", False) for x in values)
        if records or self.is_view:
            return self.replay(values)
        data = [x._data if isinstance(x, Recorded) else _number(x) for x in values]
        return self._each(list(map(wrap, self.executable.arrays(data))))

    def replay(self, values: Sequence[Any]) -> list[Any]:
        """Return the tangents by operations on tensors: recorded, and views of views."""
        take = values.__getitem__
        replay = self.executable.replay
        return self._each(while_replaying(state.state.enabled, replay, take, self.is_view))

    def _each(self, tangents: Sequence[Any]) -> list[Any]:
        """Return for each result its tangent or None."""
        found = iter(tangents)
        return [next(found) if moves else None for moves in self.moves]


def _number(x: Any) -> Any:
    return x.saved[0] if isinstance(x, Number) else x


def _bytes_of(rule: _Rule) -> int:
    """Return about how many bytes a rule holds, its program compiled."""
    return 10_000 + 1_800 * len(rule.executable.program) + 500 * len(rule.executable.given)


_rules = RuleCache(_Rule, _bytes_of)
