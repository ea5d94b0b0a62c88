"""Lower expressions to programs: one instruction for each node, with the kernel of its class."""

from __future__ import annotations

import itertools
from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np

from numeric.program import ArrayType, Instr, Program
from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.ops.casting import CONVERT, CONVERT_REAL
from symgrad.ops.composite import is_formula, order_of
from symgrad.ops.primitive import Computation, Primitive
from symgrad.ops.results import Result, Several
from symgrad.support.quiet import quietly


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
    needed = set(order)
    lowering = _Lowering()
    slots, new_slot = lowering.slots, lowering.new_slot
    inputs: list[tuple[int, str]] = []
    types: dict[int, ArrayType] = {}
    for node, label in given.items():
        if node in needed:
            slot = slots[node] = new_slot()
            inputs.append((slot, label))
            types[slot] = ArrayType(node.shape, None if node.weak else node.dtype.numpy)
    results_needed: dict[ArrayExpr, list[Result]] = {}
    for node in order:
        if node in slots:
            continue
        if formulas and node in formulas:
            slots[node] = slots[formulas[node]]
        elif isinstance(node, Several):
            results_needed = results_needed or _results_needed(order, slots)
            lowering.compute_results(node, results_needed[node])
        elif isinstance(node, Primitive):
            slot = slots[node] = new_slot()
            lowering.compute(node, node.implementation(), slot, node.shape, node.dtype.numpy)
        else:
            lowering.enter_constant(node)
    returned = tuple([slots[x] for x in outputs])
    instrs = lowering.instrs
    if lowering.has_unread_operands:
        # A leaf stays an input although no kernel reads it: it is a parameter of a function.
        computed = {slots[x] for x in given if x in needed and isinstance(x, Primitive)}
        instrs, inputs = _without_unread(instrs, inputs, computed, returned)
    return Program(name, tuple(inputs), lowering.constants, tuple(instrs), returned, types)


class _Lowering:
    """A program in the making.

    Attributes
    ----------
    slots : dict
        The slot of the value of each node.
    constants : dict
        The constants of the program, by slot.
    instrs : list of Instr
        The instructions so far.
    has_unread_operands : bool
        Whether a kernel reads fewer operands than its node has.
    """

    def __init__(self) -> None:
        self.slots: dict[ArrayExpr, int] = {}
        self.constants: dict[int, Any] = {}
        self.instrs: list[Instr] = []
        self.has_unread_operands = False
        self.new_slot = itertools.count().__next__
        # The slots of operands in other dtypes than their own.
        self._converted: dict[tuple[ArrayExpr, dtype], int] = {}

    def compute(
        self, node: Primitive, computation: Computation, out: Any, shape: Any, kind: Any
    ) -> None:
        """Add an instruction for an operation; the last three parameters are those of `Instr`.

        The instruction reads operands in the dtype that the operation computes in.
        """
        kernel, params, operands = computation
        slots = self.slots
        if kernel.repeats:
            operands = tuple([self._unrepeated(x) for x in operands])
        elif len(operands) < len(node.operands):
            self.has_unread_operands = True
        target = None if node.weak else node.compute_dtype()
        reads = []
        for x in operands:
            # Most operands have the dtype, and are spared a call.
            if target is None or (x.dtype is target and not x.weak):
                reads.append(slots[x])
            else:
                reads.append(self._convert(node, x, target))
        self.instrs.append(Instr(kernel, tuple(reads), params, out, shape, kind))

    def _unrepeated(self, x: Any) -> ArrayExpr:
        """Return what an operand repeats, where that is computed and an array, else the operand."""
        while getattr(x, "only_repeats", False):
            (y,) = x.operands
            if y.weak or y not in self.slots:
                break
            self.has_unread_operands = True
            x = y
        return x  # type: ignore[no-any-return]

    def compute_results(self, node: Several, needed: Sequence[Result]) -> None:
        """Add the instruction of an operation with several results.

        If only one result is needed, and the operation can compute it alone, it does.
        """
        if len(needed) == 1:
            alone = node.alone(needed[0].index)
            if alone is not None:
                (result,) = needed
                slot = self.slots[result] = self.new_slot()
                self.compute(node, alone, slot, result.shape, result.dtype.numpy)
                return
        outs = tuple([self.new_slot() for _ in range(len(node))])
        dtypes = tuple([kind.numpy for kind in node.dtypes])
        self.compute(node, node.implementation(), outs, node.shapes, dtypes)
        for part, slot in zip(node, outs, strict=True):
            self.slots.setdefault(part, slot)

    def enter_constant(self, node: ArrayExpr) -> None:
        """Give a number or an array a slot; raise KeyError for a leaf, which has no value."""
        if isinstance(node, Const):
            value = node.number if node.weak else node.dtype.numpy.type(node.number)
        elif isinstance(node, ArrayConst):
            value = node.value
        else:
            assert isinstance(node, Leaf)
            raise KeyError(node)
        slot = self.slots[node] = self.new_slot()
        self.constants[slot] = value

    def _convert(self, node: Primitive, x: ArrayExpr, target: dtype) -> int:
        """Return the slot of an operand as `node` reads it, in the dtype that it computes in."""
        if not must_convert(node, x, target):
            return self.slots[x]
        slot = self._converted.get((x, target))
        if slot is not None:
            return slot
        slot = self._converted[x, target] = self.new_slot()
        if x.weak and isinstance(x, Const):
            self.constants[slot] = _wrapped(x.value, target)
        else:
            to = target.numpy
            kernel = CONVERT_REAL if x.dtype.is_complex and to.kind in "iuf" else CONVERT
            self.instrs.append(Instr(kernel, (self.slots[x],), {"to": to}, slot, x.shape, to))
        return slot


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

    A kernel does not read an operand of which only the shape matters. `computed` are the slots of
    inputs that are no leaves, which are left out as well.
    """
    needed = set(results)
    read: list[Instr] = []
    for instr in reversed(instrs):
        out = instr.out
        if out in needed if out.__class__ is int else not needed.isdisjoint(instr.outs):
            needed.update(instr.operands)
            read.append(instr)
    return read[::-1], [x for x in inputs if x[0] in needed or x[0] not in computed]


def must_convert(node: Primitive, x: ArrayExpr, target: dtype) -> bool:
    """Return whether the operand `x` of `node`, which is computed in `target`, must be converted.

    A result of operations on Python numbers alone was computed in float64, and is converted. A
    Python integer that is out of range of a type of integers is converted as well, and wraps
    around.
    """
    if not x.weak:
        return x.dtype is not target
    if isinstance(x, Primitive):
        return True
    if target.category != Category.INT or node.dtype is not target:
        return False
    if not isinstance(x, Const) or x.dtype.category > target.category:
        return True
    return bool(_wrapped(x.value, target) != x.value)


def _wrapped(value: Any, kind: dtype) -> Any:
    """Return a constant as an integer of dtype `kind`; one out of range wraps around."""
    if not isinstance(value, int):
        return int(quietly(np.float64(value).astype, kind.numpy))
    bits = 8 * kind.itemsize
    low = -(1 << bits - 1) if kind.is_signed else 0
    return (value - low) % (1 << bits) + low
