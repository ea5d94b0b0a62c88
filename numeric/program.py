"""Programs: straight-line, single-assignment sequences of kernel calls.

What a program is, whether it is well formed, and how it reads. Running it and
writing it as source live elsewhere.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .kernel import Kernel
from .literal import is_literal, literal
from .names import slot_texts

__all__ = [
    "ArrayType",
    "Instr",
    "Program",
    "ProgramError",
    "describe",
    "last_uses",
    "python_numbers",
    "releases",
]

DType: TypeAlias = np.dtype[Any]
_NO_PARAMS: Mapping[str, Any] = MappingProxyType({})


class ProgramError(ValueError):
    """A program that is not well formed."""


class ArrayType(NamedTuple):
    """What is known of an array; None is unknown."""

    shape: tuple[int, ...] | None = None
    dtype: DType | None = None

    def __str__(self) -> str:
        dtype = "" if self.dtype is None else str(self.dtype)
        if self.shape is None:
            return dtype
        return f"{dtype}[{', '.join(map(str, self.shape))}]"


class Instr(NamedTuple):
    """``slot[out] = kernel(slot[operands]…, **params)``.

    ``params`` holds static Python values: those :func:`numeric.literal` spells.
    ``shape`` and ``dtype`` are what the maker declares of the result, if known.

    A kernel that computes several results returns them as a tuple. Then ``out`` is
    the tuple of their slots, and ``shape`` and ``dtype``, where they are declared,
    are tuples as well, with an entry for each result.
    """

    kernel: Kernel
    operands: tuple[int, ...]
    params: Mapping[str, Any] = _NO_PARAMS
    out: int | tuple[int, ...] = -1
    shape: tuple[Any, ...] | None = None
    dtype: DType | tuple[DType | None, ...] | None = None

    @property
    def outs(self) -> tuple[int, ...]:
        """The slots of the results: of one result as well."""
        return self.out if isinstance(self.out, tuple) else (self.out,)

    @property
    def types(self) -> tuple[ArrayType, ...]:
        """What is declared of each result."""
        shape, dtype = self.shape, self.dtype
        if not isinstance(self.out, tuple):
            assert not isinstance(dtype, tuple)
            return (ArrayType(shape, dtype),)
        none = (None,) * len(self.out)
        shapes = none if shape is None else shape
        dtypes = dtype if isinstance(dtype, tuple) else none
        # A listing shows programs that are not well formed, too.
        return tuple([ArrayType(*known) for known in zip(shapes, dtypes, strict=False)])


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A straight-line, single-assignment program over arrays.

    Parameters
    ----------
    name
        A name for people, and for the function when it is written as source.
    inputs
        Slot and name of each input, in order.
    constants
        Values by slot: Python scalars (of weak type, as in NumPy), NumPy
        scalars or arrays.
    instrs
        The instructions, in the order of execution.
    outputs
        The slots of the results.
    types
        What is known of inputs and constants, by slot.

    Examples
    --------
    >>> import numpy as np
    >>> from numeric import Kernel
    >>> mul, exp = Kernel("mul", np.multiply, "{0} * {1}"), Kernel("exp", np.exp, "np.exp({0})")
    >>> instrs = (Instr(mul, (0, 1), out=2), Instr(exp, (2,), out=3))
    >>> print(Program("f", ((0, "x"),), {1: 2.0}, instrs, (3,)))
    program f(x)
      t1 = mul(x, 2.0)
      t2 = exp(t1)
      return t2
    """

    name: str
    inputs: tuple[tuple[int, str], ...]
    constants: Mapping[int, Any]
    instrs: tuple[Instr, ...]
    outputs: tuple[int, ...]
    types: Mapping[int, ArrayType] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.instrs)

    def owned(self) -> set[int]:
        """Return the slots that hold memory of their own, which no input or other slot shares."""
        shared: set[int] = set()
        fresh: set[int] = set()
        for instr in self.instrs:
            if instr.kernel.view:
                shared.update(instr.operands)
            else:
                out = instr.out
                if isinstance(out, tuple):
                    fresh.update(out)
                else:  # most have one, for which no tuple need be made
                    fresh.add(out)
        return fresh - shared

    def validate(self) -> None:
        """Check that the program is well formed.

        Raises
        ------
        ProgramError
            Naming the instruction and what is wrong with it.
        """
        defined: dict[int, str] = {}
        for slot, name in self.inputs:
            if slot in defined:
                raise ProgramError(
                    f"{self.name}: inputs {defined[slot]!r} and {name!r} share slot {slot}"
                )
            defined[slot] = name
        for slot in self.constants:
            if slot in defined:
                raise ProgramError(
                    f"{self.name}: the slot {slot} of a constant is already that of "
                    f"{defined[slot]!r}"
                )
            defined[slot] = "a constant"
        for index, instr in enumerate(self.instrs):
            fault = _fault(instr, defined)
            if fault:
                raise ProgramError(f"{self.name}: instruction {index}, {describe(instr)}: {fault}")
            defined.update(dict.fromkeys(instr.outs, f"instruction {index}"))
        for position, slot in enumerate(self.outputs):
            if slot not in defined:
                raise ProgramError(
                    f"{self.name}: output {position} is slot {slot}, which nothing defines"
                )

    def __str__(self) -> str:
        texts = slot_texts(self, [str(name) for _, name in self.inputs])
        heads = [
            f"{name}: {known}" if (known := str(self.types.get(slot, ArrayType()))) else str(name)
            for slot, name in self.inputs
        ]
        lines = [f"program {self.name}({', '.join(heads)})"]
        for slot, value in self.constants.items():
            if isinstance(value, np.ndarray):
                known = str(ArrayType(value.shape, value.dtype))
                lines.append(f"  {texts[slot]} = constant  # {known}")
            elif not is_literal(value):
                lines.append(f"  {texts[slot]} = constant  # {_shown(value)}")
        for instr in self.instrs:
            arguments = [texts.get(s, f"?{s}") for s in instr.operands]
            arguments += [f"{key}={_shown(value)}" for key, value in instr.params.items()]
            results = ", ".join([texts[slot] for slot in instr.outs])
            line = f"  {results} = {instr.kernel.name}({', '.join(arguments)})"
            known = ", ".join(filter(None, map(str, instr.types)))
            lines.append(f"{line}  # {known}" if known else line)
        lines.append(f"  return {', '.join(texts.get(s, f'?{s}') for s in self.outputs)}".rstrip())
        return "\n".join(lines)


def describe(instr: Instr) -> str:
    """One line that says what ``instr`` does, in terms of slots."""
    arguments = [f"slot {slot}" for slot in instr.operands]
    arguments += [f"{key}={_shown(value)}" for key, value in instr.params.items()]
    results = ", ".join([f"slot {slot}" for slot in instr.outs])
    return f"{results} = {instr.kernel.name}({', '.join(arguments)})"


def last_uses(program: Program) -> dict[int, int]:
    """The index of the last instruction that touches each slot.

    A slot that no instruction reads is touched last where it is defined, at -1
    for inputs and constants; an output is touched last at ``len(program)``.
    """
    last = dict.fromkeys((slot for slot, _ in program.inputs), -1)
    last.update(dict.fromkeys(program.constants, -1))
    for index, instr in enumerate(program.instrs):
        for slot in instr.outs:
            last[slot] = index
        for slot in instr.operands:
            last[slot] = index
    last.update(dict.fromkeys(program.outputs, len(program.instrs)))
    return last


def releases(program: Program) -> list[tuple[int, ...]]:
    """For each instruction, the slots that nothing reads after it.

    These are operands at their last use and results that are never used;
    outputs are never released.
    """
    # Backwards, since there the first use met is the last: half the time of last_uses.
    live = set(program.outputs)
    released: list[tuple[int, ...]] = []
    for instr in reversed(program.instrs):
        out = instr.out
        dead: tuple[int, ...]
        if isinstance(out, tuple):
            dead = tuple([slot for slot in out if slot not in live])
        else:
            dead = () if out in live else (out,)
        for slot in instr.operands:
            if slot not in live:
                live.add(slot)
                dead += (slot,)
        released.append(dead)
    released.reverse()
    return released


def python_numbers(program: Program, inputs: Iterable[int]) -> set[int]:
    """The slots that may hold Python numbers, given which ``inputs`` may.

    Operators and methods of Python numbers are not NumPy's: 1 / 0 raises, and
    2.0 * 3.0 stays of weak type, where the kernel gives inf and float64.
    """
    numbers = {
        slot
        for slot, value in program.constants.items()
        if not isinstance(value, np.ndarray | np.generic)
    }
    numbers.update(inputs)
    for instr in program.instrs:
        # A ufunc always answers in NumPy's types, any other callable as it likes.
        if (
            instr.operands
            and numbers.issuperset(instr.operands)
            and not isinstance(instr.kernel.call, np.ufunc)
        ):
            numbers.update(instr.outs)
    return numbers


def _shown(value: Any) -> str:
    """``value`` in a listing, where an unsafe one must not fail, nor say more than its type."""
    return literal(value) if is_literal(value) else f"<{type(value).__name__}>"


def _fault(instr: Instr, defined: Mapping[int, str]) -> str:
    """What is wrong with ``instr`` where ``defined`` slots have values; empty if nothing."""
    for slot in instr.operands:
        if slot not in defined:
            return f"operand slot {slot} is used before it is defined"
    if not instr.outs:
        return "it has no result"
    for slot in instr.outs:
        if slot in defined:
            return f"slot {slot} is assigned twice, first as {defined[slot]}"
        if type(slot) is not int or slot < 0:
            return f"a slot is a non-negative int, not {slot!r}"
    if len(set(instr.outs)) != len(instr.outs):
        return f"two of its results share a slot: {instr.outs}"
    if isinstance(instr.out, tuple):
        for declared in (instr.shape, instr.dtype):
            if declared is not None and (
                not isinstance(declared, tuple) or len(declared) != len(instr.out)
            ):
                return f"of {len(instr.out)} results is declared {declared!r}"
    template = instr.kernel.template
    if template.arity is not None and len(instr.operands) != template.arity:
        return (
            f"{len(instr.operands)} operands for the template {template.source!r}, "
            f"which takes {template.arity}"
        )
    if instr.params.keys() != template.params:
        return (
            f"parameters {sorted(instr.params)} for the template {template.source!r}, "
            f"which takes {sorted(template.params)}"
        )
    for key, value in instr.params.items():
        if not is_literal(value):
            return f"parameter {key} is a {type(value).__name__}, which has no literal"
    for shape, _ in instr.types:
        if shape is not None and any(type(n) is not int or n < 0 for n in shape):
            return f"a declared shape holds non-negative ints, not {shape!r}"
    return ""
