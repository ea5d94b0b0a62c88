"""Programs as functions of tensors, which are operations of the graph where it is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from keyword import iskeyword
from typing import Any

import numpy as np

from numeric.identifiers import fresh_name
from symgrad.autograd.function import Function
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.node import ArrayExpr
from symgrad.lower.executable import Executable
from symgrad.ops.broadcasting import zeros
from symgrad.ops.composite import StandIn
from symgrad.record.modes import state
from symgrad.record.record import Recorded, wrap


class Call:
    """Formulas of leaves as a function of tensors, whose derivatives are such functions as well."""

    def __init__(
        self, leaves: Sequence[ArrayExpr], formulas: Sequence[ArrayExpr], name: str
    ) -> None:
        self.leaves = tuple(leaves)
        self.formulas = tuple(formulas)
        self.name = name if name.isidentifier() and not iskeyword(name) else "f"
        self.executable = Executable(
            self.formulas, {x: i for i, x in enumerate(leaves)}, _labels(leaves), self.name
        )
        self._kinds = [x.dtype.numpy for x in leaves]
        self._pullbacks: dict[tuple[bool, ...], Call] = {}

    def of_arrays(self, inputs: Sequence[Any]) -> list[Any]:
        """Return the results, as arrays with memory of their own."""
        return self.executable.arrays(self.given(inputs))

    def given(self, inputs: Sequence[Any]) -> list[Any]:
        """Return inputs as arrays of the dtypes of the leaves."""
        return [
            x
            if x.__class__ is np.ndarray and x.dtype is kind
            else np.asarray(x._data if isinstance(x, Recorded) else x, kind)
            for x, kind in zip(inputs, self._kinds, strict=True)
        ]

    def of_tensors(self, inputs: Sequence[Any]) -> list[Any]:
        """Return the results as tensors, recorded where an input requires a gradient."""
        if state.state.batching is not None:  # entries of a batch: by operations on tensors
            return self.executable.replay(lambda i: inputs[i])
        if state.state.enabled and any(isinstance(x, Recorded) and x._rg for x in inputs):
            made = CompiledCall.apply(self, *inputs)
            return list(made) if isinstance(made, tuple) else [made]
        return [wrap(x) for x in self.of_arrays(inputs)]

    def pullback(self, needs: tuple[bool, ...]) -> Call:
        """Return the function of the inputs and of cotangents that gives the gradients wanted."""
        found = self._pullbacks.get(needs)
        if found is None:
            cts = [StandIn.of(y) for y in self.formulas]
            wanted = [x for x, need in zip(self.leaves, needs, strict=True) if need]
            pulled = vjp(self.formulas, cts, wanted)
            made = [
                zeros(x.shape, x.dtype) if g is None else g
                for g, x in zip(pulled, wanted, strict=True)
            ]
            found = self._pullbacks[needs] = Call(
                (*self.leaves, *cts), made, f"{self.name}_gradient"
            )
        return found


def _labels(leaves: Sequence[ArrayExpr]) -> tuple[str, ...]:
    taken: set[str] = set()
    names = [getattr(x, "name", "x").lstrip("_") or "ct" for x in leaves]
    return tuple([fresh_name(f"{name}_" if iskeyword(name) else name, taken) for name in names])


class CompiledCall(Function):
    """A program as an operation of the graph."""

    @staticmethod
    def forward(ctx: Any, call: Call, *inputs: Any) -> Any:
        ctx.call = call
        ctx.is_tensor = [isinstance(x, Recorded) for x in inputs]
        ctx.others = [None if isinstance(x, Recorded) else x for x in inputs]
        ctx.save_for_backward(*[x for x in inputs if isinstance(x, Recorded)])
        results = [wrap(x) for x in call.of_arrays(inputs)]
        ctx.mark_non_differentiable(*[y for y in results if not y.dtype.differentiable])
        return tuple(results)

    @staticmethod
    def backward(ctx: Any, *cotangents: Any) -> Any:
        saved = iter(ctx.saved_tensors)
        given = zip(ctx.is_tensor, ctx.others, strict=True)
        inputs = [next(saved) if is_tensor else x for is_tensor, x in given]
        needs = tuple(ctx.needs_input_grad[1:])
        found = iter(ctx.call.pullback(needs).of_tensors([*inputs, *cotangents]))
        return (None, *[next(found) if need else None for need in needs])
