"""Formulas of custom functions: an application of a `Function` is a node such as `Exp(x)`.

The derivative of the node is the function's own `backward`, called on expressions, so that the
formula shown is the one that runs. A `backward` that does not compute with expressions gives a node
in turn, `Exp.backward(x, gradient)`. Such a node is evaluated by running its Python code on arrays.
"""

from __future__ import annotations

import keyword
import weakref
from collections.abc import Sequence
from functools import partial
from typing import Any

from symgrad.autograd.procedures import (
    Avals,
    Procedure,
    applied,
    aval_of_node,
    avals_of,
    result_node,
)
from symgrad.differentiate.sweeps import jvp
from symgrad.expr.atoms import Placeholder, as_expr
from symgrad.expr.graph import leaves, toposort
from symgrad.expr.keys import key_of
from symgrad.expr.node import ArrayExpr
from symgrad.ops.broadcasting import zeros
from symgrad.ops.primitive import Primitive
from symgrad.record.aval import Aval
from symgrad.record.modes import no_grad, state
from symgrad.record.record import Recorded, as_formula
from symgrad.schema.kinds import type_name
from symgrad.support.locks import new_lock
from symgrad.support.scopes import Scope
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
        return avals_of(output if isinstance(output, tuple) else (output,))

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
            None if aval is None else result_node(self, operands, i, aval)
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
    return context.differentiate(
        [
            ct if i == index else None if aval is None else zeros(aval.shape, aval.dtype)
            for i, aval in enumerate(results)
        ]
    )


def _has_derivative(x: ArrayExpr) -> bool:
    return not isinstance(x, Primitive) or not (x.missing_derivative() or x.underived)


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
            # Within the trace of another function `forward` is a part of that trace: a refusal that
            # `forward` catches leaves the other function without a formula, too.
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
        return [None if g is None else as_formula(g) for g in given]


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


class ForwardAlone(Scope):
    """A block in which a custom function on formulas is the formula of its `forward`.

    Its derivatives are then those of this formula, and not what `backward` returns.

    Attributes
    ----------
    but : type or None
        A `Function` of which `backward` counts nevertheless.
    """

    def __init__(self, but: Any = None) -> None:
        super().__init__()
        self.but = but

    def __enter__(self) -> None:
        self._put(state.state.aside, "forward_alone", self)


def custom_functions(*es: ArrayExpr) -> list[Any]:
    """Return the custom functions that formulas apply, in the order of their first use."""
    procedures = [x.param_values[0] for x in toposort(es) if isinstance(x, applied)]
    return list(dict.fromkeys([p.function for p in procedures if isinstance(p, Call)]))


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
    alone = state.state.aside.get("forward_alone")
    if alone is not None and function is not alone.but:
        return _SymbolicRun(function, args, None).forward()
    call = call_of(
        function, tuple([TENSOR if isinstance(x, (ArrayExpr, Recorded)) else x for x in args])
    )
    operands = [as_formula(x) for x in args if isinstance(x, (ArrayExpr, Recorded))]
    output = _SymbolicRun(function, call.arguments(operands), None).forward()
    given = output if isinstance(output, tuple) else (output,)
    call.results.setdefault(tuple(map(aval_of_node, operands)), avals_of(given))
    out = tuple(
        [
            apply_call(call, i, operands) if isinstance(x, ArrayExpr) else x
            for i, x in enumerate(given)
        ]
    )
    return out if isinstance(output, tuple) else out[0]
