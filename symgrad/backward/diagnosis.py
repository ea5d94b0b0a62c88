"""From a nan to its cause: the operation whose derivative gave it, the formula and the values.

These functions run after a plan gave nan. They write error messages, and change no gradient.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from symgrad.backward.formulas import named_leaves
from symgrad.backward.plan import Plan
from symgrad.backward.running import differentiate_alone
from symgrad.backward.walking import Walk
from symgrad.expr.atoms import ArrayConst, Const, Leaf, Placeholder
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.lower.executable import Executable
from symgrad.ops.masks import is_forward_value
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Result, Several
from symgrad.record.anomaly import anomaly, blame
from symgrad.record.operations import Operation, Output
from symgrad.record.record import wrap
from symgrad.record.tape import LeafVertex, Node, node_of
from symgrad.record.user_code import users_name
from symgrad.support.quiet import quietly

# How many operations of a formula a message shows, and how many characters of it.
_SHOWN = 12
_LENGTH = 400


def has_nan(x: Any) -> bool:
    """Return whether a tensor, array or number holds nan; None holds none."""
    data = np.asarray(getattr(x, "_data", x))
    return x is not None and data.dtype.kind in "fc" and bool(np.isnan(data).any())


def check_plan(
    walked: Walk,
    plan: Plan,
    roots: Sequence[Any],
    cotangents: Sequence[Any],
    gradients: Sequence[Any],
    batch: int | None = None,
) -> None:
    """In anomaly mode, raise PyTorch's error if a plan gave nan, with the formula that did.

    Parameters
    ----------
    walked, plan, roots, cotangents, gradients
        The walk and the plan that ran, its roots and cotangents, and the gradients that it gave.
    batch : int, optional
        The length of the axis that cotangents and gradients have in addition.

    Raises
    ------
    RuntimeError
        If a gradient holds nan that the derivative of an operation made or passed on.
    """
    if not (anomaly.enabled and anomaly.check_nan) or not any(map(has_nan, gradients)):
        return
    found = _first_node(walked, plan, roots, _of_one_gradient(cotangents, gradients, batch))
    if found is None:
        return
    node, index = found
    lines = [
        f"Function '{node.name()}' returned nan values in its {index}th output.",
        *_Formula(walked, plan, cotangents).lines(),
    ]
    raise blame(node, RuntimeError("\n".join(lines)))


def check_node(vertex: Any, gradients: Sequence[Any]) -> None:
    """In anomaly mode, raise PyTorch's error if a node that ran by itself gave nan."""
    if not (anomaly.enabled and anomaly.check_nan):
        return
    for i, g in enumerate(gradients):
        if has_nan(g):
            name = node_of(vertex).name()
            raise blame(
                vertex, RuntimeError(f"Function '{name}' returned nan values in its {i}th output.")
            )


def _of_one_gradient(
    cotangents: Sequence[Any], gradients: Sequence[Any], batch: int | None
) -> list[Any]:
    """Return the cotangents of one gradient that holds nan; of a batch, those of its row."""
    if batch is None:
        return list(cotangents)
    row = next(k for k in range(batch) for g in gradients if g is not None and has_nan(g._data[k]))
    return [None if ct is None else wrap(ct._data[row]) for ct in cotangents]


def _first_node(
    walked: Walk, plan: Plan, roots: Sequence[Any], cotangents: Sequence[Any]
) -> tuple[Any, int] | None:
    """Return the first node that gives nan in a backward pass, and for which operand.

    The nodes are differentiated one by one here, which the pass itself does not do. Where none of
    them gives nan, a stable form in the plan did: then the last node that ran is returned.
    """
    pending: dict[Any, Any] = {}
    for root, ct in zip(roots, cotangents, strict=True):
        aval = root.aval
        given = np.ones(aval.shape, aval.dtype.numpy) if ct is None else ct._data
        _add(pending, root, wrap(given))
    last = None
    running = [v for i in plan.ran if isinstance(v := walked.order[i], Node)]
    for v in sorted(running, key=lambda v: v.seq, reverse=True):
        ct = pending.pop(v, None)
        if ct is None:
            continue
        if isinstance(v, Output):  # one result waits for the others
            (whole,) = v.inputs
            pending.setdefault(whole, [None] * whole.count)[v.output_nr] = ct
            continue
        last = v
        cts = ct if isinstance(v, Operation) else (ct,)
        gradients = differentiate_alone(v, cts, create_graph=False)
        for i, g in enumerate(gradients):
            if has_nan(g):
                return node_of(v), i
        for x, g in zip(v.edges(), gradients, strict=True):
            if x is not None and g is not None:
                _add(pending, x, g)
    return None if last is None else (node_of(last), 0)


def _add(pending: dict[Any, Any], vertex: Any, g: Any) -> None:
    present = pending.get(vertex)
    pending[vertex] = g if present is None else wrap(quietly(np.add, present._data, g._data))


class _Formula:
    """The formulas of a plan, with the value of every part in the run that gave nan."""

    def __init__(self, walked: Walk, plan: Plan, cotangents: Sequence[Any]) -> None:
        self.given = plan.given
        self.values = walked.values
        first = len(walked.values) - sum(ct is not None for ct in cotangents)
        self.names = _names(walked, plan.given, first)
        self.leaves: dict[ArrayExpr, Any] = {
            Placeholder(f"v{walked.position[v]}", v.aval.shape, v.aval.dtype): v.owner()._data
            for v in walked.order
            if isinstance(v, LeafVertex) and v.owner() is not None and _is_unchanged(v)
        }
        self.roots = [g for g in plan.formulas if g is not None]
        order = toposort(self.roots, plan.given.__contains__)
        parts = [x for x in order if isinstance(x, Primitive) and x not in plan.given]
        self.parts = [x for x in parts if not isinstance(x, Several)]  # a `Several` has no value
        values = quietly(Executable(self.parts, plan.given).run, self.values)
        self.computed: dict[ArrayExpr, Any] = dict(zip(self.parts, values, strict=True))

    def value(self, x: ArrayExpr) -> Any:
        """Return the value of a part of the formula; None where it is not known."""
        if x in self.given:
            return self.values[self.given[x]]
        if isinstance(x, Const):
            return x.number
        if isinstance(x, ArrayConst):
            return x.value
        return self.computed.get(x, self.leaves.get(x))

    def lines(self) -> list[str]:
        """Return lines that say where nan first appears: part, element and the values there."""
        for x in self.parts:
            if has_nan(self.computed[x]):
                before = [y for y in _operation_of(x).operands if has_nan(self.value(y))]
                if before:  # an operand is nan already
                    return self._lines_of_given_nan(before[0])
                return self._lines_of_new_nan(x)
        # A gradient that is a given value itself.
        return next((self._lines_of_given_nan(x) for x in self.roots if has_nan(self.value(x))), [])

    def _lines_of_given_nan(self, x: ArrayExpr) -> list[str]:
        where = _first_nan(self.value(x))
        return [
            f"Nan{_place_text(where)} was there before: {self._text(x)[0]}",
        ]

    def _lines_of_new_nan(self, x: ArrayExpr) -> list[str]:
        where = _first_nan(self.computed[x])
        shape = np.shape(self.computed[x])
        text, atoms = self._text(x)
        operands = [_element_text(self.value(y), where, shape) for y in _operation_of(x).operands]
        lines = [
            f"It comes up{_place_text(where)} of this part of the gradient's formula:",
            f"    {text}",
            f"which there is {type(_operation_of(x)).__name__}({', '.join(operands)}), with",
        ]
        for name, y in atoms.items():
            value = self.value(y)
            if value is not None:
                lines.append(f"    {name} = {_element_text(value, where, shape)}")
        return lines if len(lines) > 3 else [*lines[:2], lines[2].removesuffix(", with")]

    def _text(self, root: ArrayExpr) -> tuple[str, dict[str, ArrayExpr]]:
        """Return the text of a part, abbreviated, and the expression of each name in the text."""
        shown: set[ArrayExpr] = set()
        level = [root]
        while level and len(shown) < _SHOWN:
            shown.update(level)
            operations = [_operation_of(x) for x in level]
            shown.update(operations)
            level = [y for x in operations for y in x.operands if y not in shown]
        atoms: dict[str, ArrayExpr] = {}
        made: dict[ArrayExpr, ArrayExpr] = {}
        for x in toposort([root], lambda x: x not in shown):
            if isinstance(x, (Const, ArrayConst)):
                made[x] = x
            elif x in self.names:
                made[x] = self.names[x]
                if isinstance(made[x], Leaf):
                    atoms[str(made[x])] = x
            elif x not in shown or not x.operands:
                short = Leaf(f"t{len(atoms)}", x.shape, x.dtype)
                made[x] = short
                atoms[str(short)] = x
            elif is_forward_value(x):
                made[x] = made[x.operands[0]]
            else:
                made[x] = x.func(*[made[y] for y in x.operands], *x.args[len(x.operands) :])
        text = str(made[root]).replace("\n", "\n    ")
        return text if len(text) <= _LENGTH else text[:_LENGTH] + " …", atoms


def _operation_of(x: ArrayExpr) -> ArrayExpr:
    """Return the operation that computes `x`, of which it may be one of several results."""
    return x.operands[0] if isinstance(x, Result) else x


def _names(walked: Walk, given: Mapping[ArrayExpr, int], first: int) -> dict[ArrayExpr, ArrayExpr]:
    """Return for each leaf of a plan's formulas the leaf with the user's name of the tensor."""
    made = named_leaves(walked)
    used = {x.name for x in made.values()}
    names: dict[ArrayExpr, ArrayExpr] = {}
    x: ArrayExpr
    for v, x in made.items():
        variable = "" if v.name or v.owner() is None else users_name(v.owner())
        if variable and variable not in used:
            used.add(variable)
            x = Leaf(variable, x.shape, x.dtype)
        names[Placeholder(f"v{walked.position[v]}", x.shape, x.dtype)] = x
    names.update(walked.number_leaves())
    for x, i in given.items():
        if i >= first:
            names[x] = Leaf("grad_output", x.shape, x.dtype)
    return names


def _is_unchanged(leaf: LeafVertex) -> bool:
    return leaf.storage is None or leaf.storage.modified < leaf.seq


def _first_nan(value: Any) -> tuple[int, ...]:
    data = np.asarray(value)
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(np.isnan(data))), data.shape))


def _place_text(where: tuple[int, ...]) -> str:
    return f" at {list(where)}" if where else ""


def _element_text(value: Any, where: tuple[int, ...], shape: tuple[int, ...]) -> str:
    """Return the text of the element of an operand from which an element was computed."""
    data = np.asarray(value)
    if data.ndim <= len(shape):
        padded = (1,) * (len(shape) - data.ndim) + data.shape
        if all(n in (1, m) for n, m in zip(padded, shape, strict=True)):
            own = [0 if n == 1 else i for n, i in zip(padded, where, strict=True)]
            return repr(data[tuple(own[len(shape) - data.ndim :])].item())
    return f"<{data.dtype} of shape {list(data.shape)}>"
