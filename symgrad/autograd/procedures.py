"""Python code as a node of formulas: a `Procedure`, one result of which an `applied` node is.

The node is evaluated by running the code on arrays. Where the code has no formula for its derivative,
this is a procedure in turn, which differentiates what the code records.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.backward.api import grad
from symgrad.expr.atoms import Static
from symgrad.expr.dtypes import dtype
from symgrad.expr.escaping import latex_text
from symgrad.expr.node import ArrayExpr, intern
from symgrad.expr.notation import Notation, braces
from symgrad.expr.shapes import Shape
from symgrad.ops.joining import stack
from symgrad.ops.primitive import Primitive, bind
from symgrad.record.aval import Aval, aval_of
from symgrad.record.modes import enable_grad, holding, state
from symgrad.record.record import Recorded, wrap, zeros
from symgrad.support.untraceable import Untraced

Avals = tuple[Aval | None, ...]


class Procedure:
    """Python code that computes tensors from tensors, which an `applied` node runs.

    Attributes
    ----------
    name : str
        The name in formulas: identifiers, with dots between them.
    results : dict
        From the shapes and dtypes of the operands to those of each result; None for a result that
        is no tensor.
    untraced : Untraced or None
        The reason why the code has no formula, from the last attempt to trace it.
    """

    untraced: Untraced | None = None

    def __init__(self, name: str) -> None:
        self.name = name
        self.results: dict[tuple[Aval, ...], Avals] = {}
        self._number = next(_numbers)
        self._kernels: dict[int, Kernel] = {}
        self._pullbacks: dict[int, _Pullback] = {}

    def __repr__(self) -> str:
        return f"{self.name}#{self._number}"  # `repr` tells parameters apart

    def run(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """Return the results, some of which may be no tensors."""
        raise NotImplementedError

    def infer(self, operands: Sequence[ArrayExpr]) -> Avals:
        """Return shape and dtype of each result."""
        key = tuple(map(aval_of_node, operands))
        found = self.results.get(key)
        if found is None:
            found = self.results[key] = self._infer(operands)
        return found

    def _infer(self, operands: Sequence[ArrayExpr]) -> Avals:
        raise NotImplementedError

    def rule(
        self, node: ArrayExpr, index: int, ct: ArrayExpr, needs: Sequence[bool]
    ) -> list[ArrayExpr | None] | None:
        """Return the cotangents of the operands as formulas; None where the code has no formula."""
        return None

    def pullback(self, index: int) -> _Pullback:
        """Return the procedure from operands and the cotangent of a result to their cotangents."""
        found = self._pullbacks.get(index)
        if found is None:
            found = self._pullbacks.setdefault(index, _Pullback(self, index))
        return found

    def arguments_text(self, operands: Sequence[str]) -> str:
        """Return the text of the arguments in a printed formula."""
        return ", ".join(operands)

    def kernel(self, index: int) -> Kernel:
        """Return the kernel that computes one result from arrays."""
        found = self._kernels.get(index)
        if found is None:
            made = Kernel(
                self.name,
                self._kernel_function(index),
                f"{self.name.replace('.', '_')}({{operands}})",
                prelude=_NoSource(self.name),
            )
            found = self._kernels.setdefault(index, made)
        return found

    def _kernel_function(self, index: int) -> Callable[..., Any]:
        def compute(*arrays: Any) -> Any:
            # Copies, since the user's code may write into its arguments.
            tensors = [wrap(np.array(a)) for a in arrays]
            # No mode observes these operations, which compute a part of a formula.
            with holding(grad_mode=False, hooks=None, log=None, unseen=True):
                results = self.run(tensors)
            expected = self.results[tuple([x._aval for x in tensors])]
            if avals_of(results) != expected:
                raise RuntimeError(
                    f"{self.name} returned {_avals_text(avals_of(results))}, where its formula says "
                    f"{_avals_text(expected)}"
                )
            return results[index]._data

        return compute


_numbers = itertools.count()


def aval_of_node(x: ArrayExpr) -> Aval:
    """Return shape and dtype of a node."""
    return aval_of(x.shape, x.dtype)


def avals_of(results: Sequence[Any]) -> Avals:
    """Return shape and dtype of each result; None for one that is neither tensor nor node."""
    return tuple(
        [
            x._aval
            if isinstance(x, Recorded)
            else aval_of_node(x)
            if isinstance(x, ArrayExpr)
            else None
            for x in results
        ]
    )


def _avals_text(avals: Avals) -> str:
    parts = ["no tensor" if a is None else f"{a.dtype.name}{list(a.shape)}" for a in avals]
    return ", ".join(parts)


class _NoSource(Sequence[str]):
    """Refuses to list definitions: stand-alone source cannot contain a user's Python code."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __len__(self) -> int:
        return 1

    def __getitem__(self, index: Any) -> Any:
        raise ValueError(
            f"{self._name} is a custom function: it runs Python code that no stand-alone source "
            "can be written of"
        )


# ------------------------------------------------------------------ derivatives without a formula


class _Pullback(Procedure):
    """Computes the cotangents of a procedure's operands by a backward pass through its results."""

    def __init__(self, of: Procedure, index: int) -> None:
        super().__init__(f"{of.name}.backward")
        self.of = of
        self.index = index

    def __reduce__(self) -> tuple[Any, ...]:
        return Procedure.pullback, (self.of, self.index)

    def run(self, tensors: Sequence[Any]) -> tuple[Any, ...]:

        *given, ct = tensors
        recorded = state.state.enabled and any(x._rg for x in tensors)
        inputs = [x if x._rg else _requiring(x) for x in given]
        with enable_grad():
            output = self.of.run(inputs)[self.index]
        wanted = [x for x in inputs if x._rg]
        if not output._rg:
            return tuple([zeros(x._aval.shape, x._aval.dtype) if x._rg else None for x in inputs])
        found = iter(grad(output, wanted, ct, create_graph=recorded, materialize_grads=True))
        return tuple([next(found) if x._rg else None for x in inputs])

    def _infer(self, operands: Sequence[ArrayExpr]) -> Avals:
        return tuple([aval_of_node(x) if x.dtype.differentiable else None for x in operands[:-1]])


def _requiring(x: Any) -> Any:
    made = x.detach()
    return made.requires_grad_() if made._aval.dtype.differentiable else made


# ------------------------------------------------------------------ the node


class applied(Primitive, abstract=True):
    """One result of a procedure."""

    params = ("procedure", "index")
    internal = True

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        *operands, procedure, index = args
        aval = procedure.infer(operands)[index]
        if aval is None:
            raise RuntimeError(f"result {index} of {procedure.name} is no tensor")
        return aval.shape, aval.dtype

    @property
    def untraced(self) -> Untraced | None:
        found: Untraced | None = self.param_values[0].untraced
        return found

    def implementation(self) -> Any:
        procedure, index = self.param_values
        return procedure.kernel(index), {}, self.operands

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        procedure, index = self.param_values
        found: Sequence[ArrayExpr | None] | None = procedure.rule(self, index, ct, needs)
        if found is not None:
            return found
        back = procedure.pullback(index)
        operands = (*self.operands, ct)
        return [applied.of(*operands, back, i) if need else None for i, need in enumerate(needs)]

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        # The user's code computes one entry of the batch at a time.
        rows = [
            applied.of(
                *[x[k] if has else x for x, has in zip(operands, batched, strict=True)],
                *self.param_values,
            )
            for k in range(size)
        ]
        made: ArrayExpr = bind(stack, rows, (0,))
        return made

    def notation(self) -> Notation:
        procedure, index = self.param_values
        arguments = procedure.arguments_text([f"{{{i}}}" for i in range(len(self.operands))])
        many = len(procedure.infer(self.operands)) > 1
        chosen = f"[{index}]" if many else ""
        subscript = f"_{{{{{index}}}}}" if many else ""
        name = braces(latex_text(procedure.name))
        return Notation(
            f"{procedure.name}({arguments}){chosen}",
            rf"\operatorname{{{{{name}}}}}{subscript}\left({arguments.replace('...', '…')}\right)",
        )


def result_node(
    procedure: Procedure, operands: tuple[ArrayExpr, ...], index: int, aval: Aval
) -> ArrayExpr:
    """Return the node of a result whose shape and dtype are known."""
    params = (Static(procedure), Static(index))
    made: ArrayExpr = intern(applied, operands, params, aval.shape, aval.dtype)
    return made
