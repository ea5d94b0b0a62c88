"""Formulas of custom functions: an application of a `Function` is a node such as `Exp(x)`.

The derivative of the node is the function's own `backward`, called on expressions, so that the
formula shown is the one that runs. A `backward` that does not compute with expressions gives a node
in turn, `Exp.backward(x, gradient)`. Such a node is evaluated by running its Python code on arrays.
"""

from __future__ import annotations

import itertools
import keyword
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.backward.api import grad
from symgrad.differentiate.sweeps import jvp
from symgrad.expr.atoms import Const, Placeholder, Static, as_expr
from symgrad.expr.dtypes import dtype
from symgrad.expr.escaping import latex_text
from symgrad.expr.graph import leaves, toposort
from symgrad.expr.keys import key_of
from symgrad.expr.node import ArrayExpr, intern
from symgrad.expr.notation import Notation, braces
from symgrad.expr.shapes import Shape
from symgrad.ops.joining import stack
from symgrad.ops.primitive import Primitive, bind
from symgrad.record.aval import Aval, aval_of
from symgrad.record.modes import enable_grad, holding, no_grad, state
from symgrad.record.record import Recorded, wrap, zeros
from symgrad.schema.kinds import type_name
from symgrad.support.locks import new_lock
from symgrad.support.untraceable import (
    UntraceableValue,
    Untraced,
    cause_of,
    is_traced,
    place_of,
    traced,
)


class _Tensor:
    """The type of `TENSOR`."""

    def __repr__(self) -> str:
        return "TENSOR"

    def __reduce__(self) -> str:
        return "TENSOR"


#: Stands in a template for an argument that is a tensor.
TENSOR = _Tensor()

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
        key = tuple(map(_aval, operands))
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
            if _avals(results) != expected:
                raise RuntimeError(
                    f"{self.name} returned {_avals_text(_avals(results))}, where its formula says "
                    f"{_avals_text(expected)}"
                )
            return results[index]._data

        return compute


_numbers = itertools.count()


def _aval(x: ArrayExpr) -> Aval:
    return aval_of(x.shape, x.dtype)


def _avals(results: Sequence[Any]) -> Avals:
    return tuple(
        [
            x._aval if isinstance(x, Recorded) else _aval(x) if isinstance(x, ArrayExpr) else None
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


# ------------------------------------------------------------------ functions


class Call(Procedure):
    """A custom function together with the arguments that are not tensors.

    Attributes
    ----------
    function : type
        The `Function`.
    template : tuple
        The arguments, with `TENSOR` in the places of tensors.
    layout : tuple or None
        The saved tensors, each as ("input", number) or ("output", number). None where `backward`
        reads other tensors, too, or where that is not known.
    """

    def __init__(self, function: Any, template: tuple[Any, ...]) -> None:
        name = function.__name__
        usable = name.isidentifier() and not keyword.iskeyword(name)
        super().__init__(name if usable else "custom")
        self.function = function
        self.template = template
        self.layout: tuple[Any, ...] | None = None
        self._layouts: set[tuple[Any, ...] | None] = set()

    def __reduce__(self) -> tuple[Any, ...]:
        return call_of, (self.function, self.template)

    def learn(self, avals: tuple[Aval, ...], results: Avals, layout: Any) -> None:
        """Keep shapes, dtypes and saved tensors of an application of the function to tensors."""
        self.results[avals] = results
        self._layouts.add(layout)
        self.layout = layout if len(self._layouts) == 1 else None

    def arguments(self, operands: Sequence[Any]) -> tuple[Any, ...]:
        """Return the arguments, with `operands` for those that are tensors."""
        given = iter(operands)
        return tuple([next(given) if x is TENSOR else x for x in self.template])

    def run(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        output = self.function.apply(*self.arguments(tensors))
        return output if isinstance(output, tuple) else (output,)

    def _infer(self, operands: Sequence[ArrayExpr]) -> Avals:
        output = _SymbolicRun(self.function, self.arguments(operands), None).forward()
        return _avals(output if isinstance(output, tuple) else (output,))

    def arguments_text(self, operands: Sequence[str]) -> str:
        given = iter(operands)
        return ", ".join([next(given) if x is TENSOR else _number_text(x) for x in self.template])

    def rule(
        self, node: ArrayExpr, index: int, ct: ArrayExpr, needs: Sequence[bool]
    ) -> list[ArrayExpr | None] | None:
        needed = iter(needs)
        operands = node.operands
        context = _SymbolicRun(
            self.function,
            self.arguments(operands),
            tuple([next(needed) if x is TENSOR else False for x in self.template]),
        )
        results = self.infer(operands)
        outputs = [
            None if aval is None else _intern_result(self, operands, i, aval)
            for i, aval in enumerate(results)
        ]
        try:
            if self.layout is not None:
                places = {"input": operands, "output": outputs}
                context.saved = tuple(
                    [None if at is None else places[at[0]][at[1]] for at in self.layout]
                )
            else:
                context.trace(outputs)
            return _contributions_of(context, results, index, ct)
        except Exception as error:
            # An error other than `Untraceable`, raised by the user's code, reaches the user.
            why = cause_of(error)
            if why is None:
                raise
            back = self.pullback(index)
            back.untraced = Untraced(back.name, str(why), place_of(why))
            return None


def _contributions_of(
    context: _SymbolicRun, results: Avals, index: int, ct: ArrayExpr
) -> list[ArrayExpr | None]:
    """Return what the cotangent of one result contributes to the cotangents of the arguments."""
    others = [i for i, aval in enumerate(results) if aval is not None and i != index]
    if not others:
        return context.differentiate([ct if i == index else None for i in range(len(results))])
    given = [
        None if aval is None else Placeholder(f"ct{i}", aval.shape, aval.dtype)
        for i, aval in enumerate(results)
    ]
    made = context.differentiate(given)
    found = [x for x in made if x is not None]
    # `backward` is linear in the cotangents. So its derivative in the direction of one of them,
    # which `jvp` computes, is the contribution of that one.
    if all(_has_derivative(x) for x in toposort(found)):
        moved = jvp(found, [as_expr(given[index])], [ct])
        if set(given).isdisjoint(leaves(*[x for x in moved if x is not None])):
            parts = iter(moved)
            return [None if x is None else next(parts) for x in made]
    zeros = [
        ct if i == index else None if aval is None else _zeros(aval)
        for i, aval in enumerate(results)
    ]
    return context.differentiate(zeros)


def _has_derivative(x: ArrayExpr) -> bool:
    return not isinstance(x, Primitive) or not (x.missing_derivative() or x.underived)


def _zeros(aval: Aval) -> ArrayExpr:
    zero = Const(0, aval.dtype)
    return zero.broadcast_to(aval.shape) if aval.shape else zero


def _number_text(x: Any) -> str:
    return repr(x) if x is None or type(x) in (bool, int, float, complex) else "..."


def call_of(function: Any, template: tuple[Any, ...]) -> Call:
    """Return the `Call` of a function: the same object for equal arguments."""
    try:
        hash((function, template))
    except TypeError:  # an argument may change, as a list may
        return Call(function, template)
    key: Any = (function, key_of(template))
    with _lock:
        found = _calls.get(key)
        if found is None:
            found = _calls[key] = Call(function, template)
        return found


_calls: weakref.WeakValueDictionary[Any, Call] = weakref.WeakValueDictionary()
_lock = new_lock()


class _SymbolicRun:
    """One run of a custom function's methods on expressions."""

    def __init__(self, function: Any, args: tuple[Any, ...], needs: Any) -> None:
        self.function = function
        self.args = args
        self.context = function._backward_cls(args, False)
        if needs is not None:
            self.context.needs_input_grad = needs
        self.saved: tuple[Any, ...] = ()

    def forward(self) -> Any:
        """Return the result of `forward` for the arguments."""
        with no_grad():
            run = self.function._run_forward
            # What it catches in a function that is traced concerns that one, too.
            call = run if is_traced() else partial(traced, run)
            return call(self.context, self.args)

    def trace(self, outputs: Sequence[ArrayExpr | None]) -> None:
        """Call `forward` for the expressions that it saves; `outputs` stand for its results."""
        made = self.forward()
        made = made if isinstance(made, tuple) else (made,)
        if len(made) != len(outputs):
            raise UntraceableValue(
                f"{self.function.__name__}.forward returned {len(made)} results for symbolic arrays, "
                f"and {len(outputs)} for tensors"
            )
        results = {id(x): out for x, out in zip(made, outputs, strict=True) if out is not None}
        results = {i: out for i, out in results.items() if i not in set(map(id, self.args))}
        self.saved = tuple([results.get(id(x), x) for x in self.context.to_save or ()])

    def differentiate(self, cts: Sequence[Any]) -> list[ArrayExpr | None]:
        """Return the result of `backward` for cotangents, for arguments that are expressions."""
        self.context._saved = self.saved
        self.context.saved_for_forward = None
        returned = traced(self.context.apply, *cts)
        given = per_argument(
            self.function._backward_cls.__name__,
            [isinstance(x, ArrayExpr) for x in self.args],
            returned if isinstance(returned, tuple) else (returned,),
        )
        return [
            None
            if g is None
            else as_expr((g.expr if g._rg else g._data) if isinstance(g, Recorded) else g)
            for g in given
        ]


def per_argument(name: str, tensors: Sequence[bool], returned: tuple[Any, ...]) -> list[Any]:
    """Return the gradients that `backward` returned for tensor arguments, after PyTorch's checks.

    Parameters
    ----------
    name : str
        The function, as messages name it.
    tensors : sequence of bool
        Which of its arguments are tensors.
    returned : tuple
        The tuple that `backward` returned: one entry for each argument, and any number of None.
    """
    count = len(tensors)
    if len(returned) > count and all(x is None for x in returned[count:]):
        returned = returned[:count]
    if len(returned) != count:
        raise RuntimeError(
            f"function {name} returned an incorrect number of gradients (expected {count}, got "
            f"{len(returned)})"
        )
    out = []
    for i, (is_tensor, g) in enumerate(zip(tensors, returned, strict=True)):
        if is_tensor:
            if g is not None and not isinstance(g, (Recorded, ArrayExpr)):
                raise RuntimeError(f"expected Variable or None (got {type_name(g)})")
            out.append(g)
        elif g is not None:
            raise RuntimeError(
                f"function {name} returned a gradient different than None at position {i + 1}, but "
                "the corresponding forward input was not a Variable"
            )
    return out


# ------------------------------------------------------------------ derivatives without a formula


class _Pullback(Procedure):
    """Computes the cotangents of a procedure's operands by a backward pass through its results."""

    def __init__(self, of: Procedure, index: int) -> None:
        super().__init__(f"{of.name}.backward")
        self.of = of
        self.index = index

    def __reduce__(self) -> tuple[Any, ...]:
        return _pullback, (self.of, self.index)

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
        return tuple([_aval(x) if x.dtype.differentiable else None for x in operands[:-1]])


def _requiring(x: Any) -> Any:
    made = x.detach()
    return made.requires_grad_() if made._aval.dtype.differentiable else made


def _pullback(of: Procedure, index: int) -> Procedure:
    return of.pullback(index)


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


def _intern_result(
    procedure: Procedure, operands: tuple[ArrayExpr, ...], index: int, aval: Aval
) -> ArrayExpr:
    params = (Static(procedure), Static(index))
    made: ArrayExpr = intern(applied, operands, params, aval.shape, aval.dtype)
    return made


def apply_call(call: Call, index: int, operands: Sequence[ArrayExpr]) -> ArrayExpr:
    """Return the expression of one result of a function."""
    return applied(*operands, call, index)


def apply_symbolically(function: Any, args: tuple[Any, ...]) -> Any:
    """Apply a function to arguments of which some are expressions.

    Returns
    -------
    ArrayExpr or tuple
        As `forward` returns tensors.

    Raises
    ------
    Exception
        Any error that `forward` raises when it is called on expressions.
    """
    call = call_of(
        function, tuple([TENSOR if isinstance(x, (ArrayExpr, Recorded)) else x for x in args])
    )
    operands = [
        as_expr((x.expr if x._rg else x._data) if isinstance(x, Recorded) else x)
        for x in args
        if isinstance(x, (ArrayExpr, Recorded))
    ]
    output = _SymbolicRun(function, call.arguments(operands), None).forward()
    given = output if isinstance(output, tuple) else (output,)
    call.results.setdefault(tuple(map(_aval, operands)), _avals(given))
    out = tuple(
        [
            apply_call(call, i, operands) if isinstance(x, ArrayExpr) else x
            for i, x in enumerate(given)
        ]
    )
    return out if isinstance(output, tuple) else out[0]
