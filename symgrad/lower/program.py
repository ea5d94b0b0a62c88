"""Lower expressions to programs: one instruction for each node, with the kernel of its class."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from numeric.program import ArrayType, Instr, Program
from numeric.rows import local
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayConst, ArrayExpr, Const, Leaf
from symgrad.ops.composite import is_formula, order_of
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Result, Several
from symgrad.support.quiet import quietly

__all__ = ["converted", "lower", "must_convert"]


def lower(
    outputs: Sequence[ArrayExpr],
    given: Mapping[ArrayExpr, str],
    name: str = "f",
) -> Program:
    """Return the program that computes `outputs`.

    Parameters
    ----------
    outputs : sequence of ArrayExpr
        The expressions that the program returns.
    given : mapping
        The nodes whose values are inputs of the program, with the names of the inputs; the operands
        of such a node are not computed. Only nodes that are needed become inputs, in the order of
        the mapping.
    name : str
        The name of the program.

    Raises
    ------
    KeyError
        If a leaf is needed that is not given; the argument is the leaf.
    """
    order, formulas = order_of(outputs, given.__contains__, is_formula)
    slots: dict[ArrayExpr, int] = {}
    inputs: list[tuple[int, str]] = []
    types: dict[int, ArrayType] = {}
    needed = set(order)
    for node, label in given.items():
        if node in needed:
            slots[node] = len(slots)
            inputs.append((slots[node], label))
            if not node.weak:
                types[slots[node]] = ArrayType(node.shape, node.dtype.numpy)
    constants: dict[int, Any] = {}
    instrs: list[Instr] = []
    fresh = len(slots)
    results_needed: dict[ArrayExpr, list[Result]] = {}
    all_read = True
    done: dict[tuple[ArrayExpr, dtype], int] = {}
    for node in order:
        if node in slots:
            continue
        if formulas and node in formulas:
            slots[node] = slots[formulas[node]]
            continue
        if isinstance(node, Primitive):
            alone = None
            several = isinstance(node, Several)
            if several:
                results_needed = results_needed or _results_needed(order, slots)
                if len(results_needed[node]) == 1:
                    alone = node.alone(results_needed[node][0].index)
            kernel, params, operands = alone or node.implementation()
            all_read = all_read and len(operands) >= len(node.operands)
            target = None if node.weak else node.compute_dtype()
            reads = []
            for x in operands:
                slot = slots[x]
                if target is not None and must_convert(node, x, target):
                    key = (x, target)
                    if key not in done:
                        to = target.numpy
                        if x.weak and isinstance(x, Const):
                            constants[fresh] = _wrapped(x.value, target)
                        else:
                            drops = x.dtype.is_complex and to.kind in "iuf"
                            convert = _CONVERT_REAL if drops else _CONVERT
                            instrs.append(Instr(convert, (slot,), {"to": to}, fresh, x.shape, to))
                        done[key] = fresh
                        fresh += 1
                    slot = done[key]
                reads.append(slot)
            if several:
                if alone is None:
                    outs = tuple(range(fresh, fresh + len(node)))
                    kinds = tuple([kind.numpy for kind in node.dtypes])
                    instrs.append(Instr(kernel, tuple(reads), params, outs, node.shapes, kinds))
                    for result, slot in zip(node, outs, strict=True):
                        slots.setdefault(result, slot)
                    fresh += len(outs)
                    continue
                (node,) = results_needed[node]
            instrs.append(Instr(kernel, tuple(reads), params, fresh, node.shape, node.dtype.numpy))
        elif isinstance(node, Const):
            constants[fresh] = node.number if node.weak else node.dtype.numpy.type(node.number)
        elif isinstance(node, ArrayConst):
            constants[fresh] = node.value
        else:
            assert isinstance(node, Leaf)
            raise KeyError(node)
        slots[node] = fresh
        fresh += 1
    returned = tuple([slots[x] for x in outputs])
    if not all_read:
        # A leaf stays an input although no kernel reads it: it is a parameter of a function.
        computed = {slots[x] for x in given if x in needed and isinstance(x, Primitive)}
        instrs, inputs = _without_unread(instrs, inputs, computed, returned)
    return Program(name, tuple(inputs), constants, tuple(instrs), returned, types)


def _results_needed(
    order: Sequence[ArrayExpr], given: Container[ArrayExpr]
) -> dict[ArrayExpr, list[Result]]:
    """Return, for each operation with several results, the results that must be computed."""
    found: dict[ArrayExpr, list[Result]] = {}
    for x in order:
        if isinstance(x, Result) and x not in given:
            found.setdefault(x.operands[0], []).append(x)
    return found


def _without_unread(
    instrs: Sequence[Instr],
    inputs: Sequence[tuple[int, str]],
    computed: Container[int],
    results: Sequence[int],
) -> tuple[list[Instr], list[tuple[int, str]]]:
    """Return the instructions and inputs without those that are needed only for unread operands.

    A kernel may leave an operand unread whose shape alone matters. `computed` are the slots of
    inputs that are no leaves, and may be left out as well.
    """
    needed = set(results)
    kept: list[Instr] = []
    for instr in reversed(instrs):
        if not needed.isdisjoint(instr.outs):
            needed.update(instr.operands)
            kept.append(instr)
    return kept[::-1], [x for x in inputs if x[0] in needed or x[0] not in computed]


def must_convert(node: Primitive, x: ArrayExpr, target: dtype | None) -> bool:
    """Whether the operand `x` of `node`, which is computed in `target`, has to be converted.

    The result of operations on Python numbers alone was computed in float64, and is converted. So
    is a Python integer beside integers of a type too short for it: there it wraps around.
    """
    if target is None:
        return False
    if not x.weak:
        return x.dtype is not target
    if isinstance(x, Primitive):
        return True
    if target.category != Category.INT or node.dtype is not target:
        return False
    if not isinstance(x, Const) or x.dtype.category > target.category:
        return True
    return bool(_wrapped(x.value, target) != x.value)


def converted(x: Any, to: np.dtype[Any]) -> Any:
    """Return an array or number as an array of another dtype; integers wrap around."""
    x = np.asarray(x)
    x = x.real if x.dtype.kind == "c" and to.kind in "iuf" else x
    # An axis of stride 0, with order="K", would become the first one in memory.
    return x.astype(to, order="C" if 0 in x.strides else "K")


_CONVERT = Kernel("astype", converted, "np.asarray({0}).astype({to})", rows=local)
# NumPy warns when an imaginary part is dropped.
_CONVERT_REAL = Kernel("astype", converted, "np.real({0}).astype({to})", rows=local)


def _wrapped(value: Any, kind: dtype) -> Any:
    """Return a constant as an integer of dtype `kind`; one out of range wraps around."""
    if not isinstance(value, int):
        return int(quietly(np.float64(value).astype, kind.numpy))
    bits = 8 * kind.itemsize
    low = -(1 << bits - 1) if kind.is_signed else 0
    return (value - low) % (1 << bits) + low
