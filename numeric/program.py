"""Programs: straight-line, single-assignment sequences of kernel calls.

This module says what a program is, whether it is well formed, and how it is listed. Other modules
run it (`interpret`, `compile`) and write it as source (`emit`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .identifiers import fresh_name
from .kernel import Kernel
from .literal import is_literal, literal

DType: TypeAlias = np.dtype[Any]
_NO_PARAMS: Mapping[str, Any] = MappingProxyType({})


class ProgramError(ValueError):
    """A program that is not well formed."""


class ArrayType(NamedTuple):
    """The shape and dtype of an array, each None where it is not known."""

    shape: tuple[int, ...] | None = None
    dtype: DType | None = None

    def __str__(self) -> str:
        dtype = "" if self.dtype is None else str(self.dtype)
        if self.shape is None:
            return dtype
        return f"{dtype}[{', '.join(map(str, self.shape))}]"


class Instr(NamedTuple):
    """One call of a kernel: ``slot[out] = kernel(slot[operands]…, **params)``.

    ``params`` holds values that :func:`numeric.literal` writes as source. ``shape`` and ``dtype``
    are declared by whoever makes the instruction, or None.

    A kernel that computes several results returns them as a tuple. Then ``out`` is the tuple of
    their slots, and a declared ``shape`` or ``dtype`` is a tuple with an entry for each result.
    """

    kernel: Kernel
    operands: tuple[int, ...]
    params: Mapping[str, Any] = _NO_PARAMS
    out: int | tuple[int, ...] = -1
    shape: tuple[Any, ...] | None = None
    dtype: DType | tuple[DType | None, ...] | None = None

    @property
    def outs(self) -> tuple[int, ...]:
        """The slots of the results, a tuple also where there is one result."""
        return self.out if isinstance(self.out, tuple) else (self.out,)

    @property
    def types(self) -> tuple[ArrayType, ...]:
        """The declared shape and dtype of each result."""
        shape, dtype = self.shape, self.dtype
        if not isinstance(self.out, tuple):
            assert not isinstance(dtype, tuple)
            return (ArrayType(shape, dtype),)
        none = (None,) * len(self.out)
        shapes = none if shape is None else shape
        dtypes = dtype if isinstance(dtype, tuple) else none
        # Not strict: a program that is not well formed can be listed as well.
        return tuple([ArrayType(*known) for known in zip(shapes, dtypes, strict=False)])


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A straight-line, single-assignment program over arrays.

    Parameters
    ----------
    name
        The name of the program in listings, and of its function in source.
    inputs
        The slot and the name of each input, in order.
    constants
        Values by slot: Python numbers, which are of weak type as in NumPy, NumPy scalars or
        arrays.
    instrs
        The instructions, in the order of execution.
    outputs
        The slots of the results.
    types
        The shapes and dtypes of inputs and constants, by slot.

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
                else:  # most instructions have one result; `outs` would make a tuple for it
                    fresh.add(out)
        return fresh - shared

    def validate(self) -> None:
        """Check that the program is well formed.

        Raises
        ------
        ProgramError
            If it is not; the message names the instruction and its fault.
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
                lines.append(f"  {texts[slot]} = constant  # {_literal_or_type(value)}")
        for instr in self.instrs:
            arguments = [texts.get(s, f"?{s}") for s in instr.operands]
            arguments += [f"{key}={_literal_or_type(value)}" for key, value in instr.params.items()]
            results = ", ".join([texts[slot] for slot in instr.outs])
            line = f"  {results} = {instr.kernel.name}({', '.join(arguments)})"
            known = ", ".join(filter(None, map(str, instr.types)))
            lines.append(f"{line}  # {known}" if known else line)
        lines.append(f"  return {', '.join(texts.get(s, f'?{s}') for s in self.outputs)}".rstrip())
        return "\n".join(lines)


def describe(instr: Instr) -> str:
    """Return one line that shows the call of an instruction, with the numbers of slots."""
    arguments = [f"slot {slot}" for slot in instr.operands]
    arguments += [f"{key}={_literal_or_type(value)}" for key, value in instr.params.items()]
    results = ", ".join([f"slot {slot}" for slot in instr.outs])
    return f"{results} = {instr.kernel.name}({', '.join(arguments)})"


def last_uses(program: Program) -> dict[int, int]:
    """Return, for each slot, the index of the last instruction that reads it.

    For a slot that no instruction reads, it is the index of the instruction that defines the slot,
    and -1 for an input or a constant; for an output it is ``len(program)``.
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


def released_slots(program: Program) -> list[tuple[int, ...]]:
    """Return, for each instruction, the slots whose values are not needed after it.

    These are operands at their last use and results that are never used. Outputs of the program
    are always needed.
    """
    # Going backwards, the first use of a slot is its last; this takes half the time of last_uses.
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


def overwriting(program: Program) -> Program:
    """Return a program that computes the same, and writes over arrays that nothing reads any more.

    Kernels have their ``overwriting`` ones in their places where the first operand has memory of
    its own, neither it nor a view of it is read later, and the result is known to have axes.

    Examples
    --------
    >>> import numpy as np
    >>> def first_is_zero(x):
    ...     x = x.copy()
    ...     x[0] = 0
    ...     return x
    >>> def set_first(x):
    ...     x[0] = 0
    ...     return x
    >>> exp = Kernel("exp", np.exp, "np.exp({0})")
    >>> kernel = Kernel("f", first_is_zero, "f({0})", overwriting=Kernel("g", set_first, "g({0})"))
    >>> instrs = (Instr(exp, (0,), out=1), Instr(kernel, (1,), out=2, shape=(3,)))
    >>> [i.kernel.name for i in overwriting(Program("p", ((0, "x"),), {}, instrs, (2,))).instrs]
    ['exp', 'g']
    >>> [i.kernel.name for i in overwriting(Program("p", ((0, "x"),), {}, instrs, (1, 2))).instrs]
    ['exp', 'f']
    """
    if all(instr.kernel.overwriting is None for instr in program.instrs):
        return program
    # For each view, the array that it is a view of; of several, the others are never written over.
    viewed: dict[int, int] = {}
    kept = {slot for slot, _ in program.inputs} | program.constants.keys()
    last: dict[int, int] = {}
    for index, instr in enumerate(program.instrs):
        arrays = [viewed.get(slot, slot) for slot in instr.operands]
        last.update(dict.fromkeys(arrays, index))
        if instr.kernel.view:
            viewed.update(dict.fromkeys(instr.outs, arrays[0]))
            kept.update(arrays[1:])
    kept.update([viewed.get(slot, slot) for slot in program.outputs])
    made = []
    for index, instr in enumerate(program.instrs):
        kernel = instr.kernel.overwriting
        if kernel is not None:
            first, *others = [viewed.get(slot, slot) for slot in instr.operands]
            spare = last[first] == index and first not in kept and first not in others
            # NumPy computes numbers, which cannot be written over, for shapes without axes.
            if spare and first == instr.operands[0] and instr.shape:
                instr = instr._replace(kernel=kernel)
        made.append(instr)
    return replace(program, instrs=tuple(made))


def number_slots(program: Program, inputs: Iterable[int]) -> set[int]:
    """Return the slots that may hold Python numbers, given the ``inputs`` that may hold them.

    Operators and methods of Python numbers are not NumPy's: 1 / 0 raises, and 2.0 * 3.0 stays of
    weak type, where the kernel gives inf and float64.
    """
    numbers = {
        slot
        for slot, value in program.constants.items()
        if not isinstance(value, np.ndarray | np.generic)
    }
    numbers.update(inputs)
    for instr in program.instrs:
        # A ufunc always returns a value of a NumPy type; another callable may return any.
        if (
            instr.operands
            and numbers.issuperset(instr.operands)
            and not isinstance(instr.kernel.call, np.ufunc)
        ):
            numbers.update(instr.outs)
    return numbers


def slot_texts(
    program: Program, inputs: Sequence[str], taken: Iterable[str] = ()
) -> dict[int, str]:
    """Return the text of each slot in generated source and in listings.

    ``inputs`` are the texts of the inputs. A constant is written as its literal where it has one,
    else as ``c1``, ``c2`` and so on, and the results of the instructions are ``t1``, ``t2`` and so
    on, in their order. Names in ``taken`` are avoided.
    """
    used = {*inputs, *taken}
    texts = {slot: name for (slot, _), name in zip(program.inputs, inputs, strict=True)}
    named = 0
    for slot, value in program.constants.items():
        if is_literal(value):
            texts[slot] = literal(value)
        else:
            named += 1
            texts[slot] = fresh_name(f"c{named}", used)
    results = [slot for instr in program.instrs for slot in instr.outs]
    for position, slot in enumerate(results, 1):
        texts[slot] = fresh_name(f"t{position}", used)
    return texts


def _literal_or_type(value: Any) -> str:
    """Return the text of a value in a listing: its literal, or else only the name of its type.

    The text that an object gives for itself is not used: it may fail, or show anything.
    """
    return literal(value) if is_literal(value) else f"<{type(value).__name__}>"


def _fault(instr: Instr, defined: Mapping[int, str]) -> str:
    """Return what is wrong with an instruction after the ``defined`` slots; "" where nothing is."""
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
