"""Programs that run by blocks of rows, so that intermediate results stay in a processor's cache.

Instructions that compute row i from row i form a group. A group runs all of its instructions for
one block of rows after the other: nothing between them is ever as long as the arrays. What needs
all rows runs before or after it, as it stands in the program. Sums over rows are added by blocks.
"""

import functools
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from .compile import CompiledProgram, compile_program
from .memory import compile_in_place
from .program import ArrayType, Instr, Program
from .rows import RowUse, local, rows_of
from .threads import run_together, threads_for_blocks

#: The bytes of the arrays of a block that are needed at once, which are to fit into a cache.
BLOCK_BYTES = 2**21
#: With fewer bytes in the arrays of a group that are needed at once, all fit into a larger cache.
LEAST_BYTES = 2**23
# A thread is worth so many blocks.
_FEW_BLOCKS = 4


def compile_in_blocks(
    program: Program, block_bytes: int = BLOCK_BYTES, least_bytes: int = LEAST_BYTES
) -> Callable[[Sequence[Any]], tuple[Any, ...]] | None:
    """Compile a program to a function that runs parts of it by blocks of rows.

    The results of elementwise kernels are, bit for bit, those of :func:`numeric.interpret`; sums
    over rows are added up in another order, which is the same at each run. Several blocks run at
    once where there are threads (`threads`), and the results are the same bits for any number.

    Parameters
    ----------
    program
        A well-formed program.
    block_bytes, least_bytes
        The bytes of arrays that are needed at once: of a block, and of the group from which it is
        cut.

    Returns
    -------
    callable or None
        As that of :func:`numeric.compile.compile_program`; None where nothing is worth blocks.

    Examples
    --------
    >>> import numpy as np
    >>> from numeric import Kernel, reduces
    >>> exp = Kernel.from_ufunc(np.exp)
    >>> total = Kernel("sum", np.sum, "np.sum({0}, axis={axis})", rows=reduces())
    >>> real = np.dtype(float)
    >>> instrs = (
    ...     Instr(exp, (0,), out=1, shape=(10**6,), dtype=real),
    ...     Instr(total, (1,), {"axis": None}, out=2, shape=(), dtype=real),
    ... )
    >>> types = {0: ArrayType((10**6,), real)}
    >>> run = compile_in_blocks(Program("f", ((0, "x"),), {}, instrs, (2,), types))
    >>> run([np.zeros(10**6)])
    (np.float64(1000000.0),)
    """
    program.validate()
    types = types_of(program)
    if not any(_rows_of(instr, types)[0] for instr in program.instrs):
        return None
    places = _places(program, types)
    groups: dict[tuple[int, int], list[Instr]] = {}
    for instr, place in zip(program.instrs, places, strict=True):
        groups.setdefault(place, []).append(instr)
    large = {
        place
        for place, instrs in groups.items()
        if place[1] and _live_bytes(instrs, (), types) >= least_bytes
    }
    if not large:
        return None
    parts = _Parts(program, types, block_bytes)
    for place in sorted(groups):
        parts.add(groups[place], place[1] if place in large else 0)
    inputs = tuple([slot for slot, _ in program.inputs])
    return functools.partial(_run, parts.made(), inputs, program.constants, program.outputs)


def types_of(program: Program) -> dict[int, ArrayType]:
    """Return shape and dtype of all slots of which they are known."""
    types = dict(program.types)
    for slot, value in program.constants.items():
        types.setdefault(slot, ArrayType(np.shape(value), getattr(value, "dtype", None)))
    for instr in program.instrs:
        types.update(zip(instr.outs, instr.types, strict=True))
    return types


def _places(program: Program, types: Mapping[int, ArrayType]) -> list[tuple[int, int]]:
    """Return the place of each instruction in the order of execution: a level, and how many rows.

    At even levels instructions run whole, and their number of rows is 0; at odd levels those with
    equal numbers of rows form a group. An instruction stands at the lowest level at which its
    operands are there.
    """
    levels: dict[int, int] = {}  # of a slot: where it is whole
    inside: dict[int, tuple[int, int]] = {}  # of a result of a group: its place
    found = []
    for instr in program.instrs:
        rows, adds = _rows_of(instr, types)
        if instr.kernel.view and all(inside.get(s, (0, 0))[1] != rows for s in instr.operands):
            rows = 0  # of what is whole, a view costs nothing
        level = 0
        for slot, is_cut in zip(instr.operands, _cuts(instr, rows, types), strict=True):
            place = inside.get(slot)
            beside = is_cut and place is not None and place[1] == rows
            level = max(level, place[0] if beside else levels.get(slot, 0))  # type: ignore[index]
        if rows:
            level += 1 - level % 2
        else:
            level += level % 2
        found.append((level, rows))
        for slot in instr.outs:
            levels[slot] = level + 1 if rows else level
            if rows and not adds:
                inside[slot] = level, rows
    return found


def _rows_of(instr: Instr, types: Mapping[int, ArrayType]) -> tuple[int, bool]:
    """Return how many rows an instruction goes over, and whether it adds them up; 0 for no rows."""
    if isinstance(instr.out, tuple) or not instr.operands:
        return 0, False
    shapes = [types.get(slot, ArrayType()).shape for slot in instr.operands]
    if any(shape is None for shape in shapes) or instr.shape is None or instr.dtype is None:
        return 0, False
    known: list[tuple[int, ...]] = [shape for shape in shapes if shape is not None]
    elementwise = instr.kernel.rows is local
    if not elementwise and not known[0]:
        return 0, False
    use, _, cut = rows_of(instr.kernel.rows, known, instr.params)
    if not elementwise and len(cut) != len(known):
        return 0, False
    if use is RowUse.LOCAL and instr.shape:
        rows = instr.shape[0]
        is_cut = elementwise or known[0][0] == rows
        return (rows if is_cut and rows > 1 else 0), False
    if use is RowUse.ACCUMULATE and isinstance(instr.dtype, np.dtype) and instr.dtype.kind in "fc":
        return (known[0][0] if known[0][0] > 1 else 0), True
    return 0, False


def _cuts(instr: Instr, rows: int, types: Mapping[int, ArrayType]) -> list[bool]:
    """Return of each operand whether blocks of it are read, where an instruction goes over rows."""
    if not rows:
        return [False] * len(instr.operands)
    shapes = [types[slot].shape or () for slot in instr.operands]
    if instr.kernel.rows is not local:
        return list(rows_of(instr.kernel.rows, shapes, instr.params).cut)
    rank = len(instr.shape or ())
    return [len(shape) == rank and shape[0] == rows for shape in shapes]


def _live_bytes(
    instrs: Sequence[Instr], outs: Sequence[int], types: Mapping[int, ArrayType]
) -> int:
    """Return the most bytes of arrays that are needed at once, until all of `outs` are made."""
    live, most = dict.fromkeys(outs, 0), 0
    for instr in reversed(instrs):
        live.update({s: _size(types.get(s)) for s in (*instr.operands, *instr.outs)})
        most = max(most, sum(live.values()))
        for slot in instr.outs:
            del live[slot]
    return most


def _size(known: ArrayType | None) -> int:
    """Return the bytes of an array, 0 where its shape is not known."""
    if known is None or known.shape is None:
        return 0
    return math.prod(known.shape) * (8 if known.dtype is None else known.dtype.itemsize)


@dataclass(frozen=True)
class _Whole:
    """Instructions that run as they stand, and what nothing reads after them."""

    run: CompiledProgram
    reads: tuple[int, ...]
    makes: tuple[int, ...]
    dead: tuple[int, ...]

    def __call__(self, values: dict[int, Any]) -> None:
        values.update(zip(self.makes, self.run([values[s] for s in self.reads]), strict=True))


@dataclass(frozen=True)
class _Loop:
    """A group that runs by blocks.

    Attributes
    ----------
    cut, kept
        The operands of which blocks are read, and those that are read whole.
    makes
        The results that are written block by block, each with its type.
    adds
        The results that are sums of those of blocks.
    whole
        Returns the same group for whole arrays, which needs no memory for the results.
    """

    run: CompiledProgram
    cut: tuple[int, ...]
    kept: tuple[int, ...]
    makes: tuple[tuple[int, ArrayType], ...]
    adds: tuple[int, ...]
    rows: int
    step: int
    dead: tuple[int, ...]
    whole: Callable[[], CompiledProgram]

    def __call__(self, values: dict[int, Any]) -> None:
        arrays = [values[s] for s in self.cut]
        kept = [values[s] for s in self.kept]
        if any(x.ndim > 1 and not x.flags.c_contiguous for x in arrays):
            # Rows lie apart in memory, and results are laid out as the operands are.
            whole = self.whole()([*arrays, *kept])
            values.update(zip([*[s for s, _ in self.makes], *self.adds], whole, strict=True))
            return
        made = [np.empty(shape or (), kind) for _, (shape, kind) in self.makes]
        starts = range(0, self.rows, self.step)
        sums: list[Any] = [None] * len(starts)
        numbers = count()  # of blocks, each of which one thread takes

        def work() -> None:
            while (i := next(numbers)) < len(starts):
                rows = slice(starts[i], starts[i] + self.step)
                results = self.run([*[x[rows] for x in arrays], *kept, *[x[rows] for x in made]])
                sums[i] = results[len(made) :]

        threads = min(threads_for_blocks(), len(starts) // _FEW_BLOCKS)
        if threads > 1:
            run_together(work, threads)
        else:
            work()
        # In the order of the rows, however many threads there were.
        totals = [functools.reduce(operator.add, parts) for parts in zip(*sums, strict=True)]
        values.update(zip([s for s, _ in self.makes], made, strict=True))
        values.update(zip(self.adds, totals, strict=True))


class _Parts:
    """The parts of a program, in the order of execution."""

    def __init__(self, program: Program, types: Mapping[int, ArrayType], block_bytes: int) -> None:
        self.program = program
        self.types = types
        self.block_bytes = block_bytes
        self.groups: list[tuple[list[Instr], int]] = []
        self.numbers = {s: x for s, x in program.constants.items() if not np.ndim(x)}
        # Beside all slots of the program there are some for operands that are read in two ways.
        made = [s for i in program.instrs for s in (*i.operands, *i.outs)]
        self.free = count(1 + max([*made, *[s for s, _ in program.inputs]], default=0))

    def add(self, instrs: list[Instr], rows: int) -> None:
        """Add instructions: whole ones to those before them, where these are whole."""
        if self.groups and not rows and not self.groups[-1][1]:
            self.groups[-1][0].extend(instrs)
        else:
            self.groups.append(([*instrs], rows))

    def made(self) -> tuple[_Whole | _Loop, ...]:
        """Return the parts, each compiled, of which only what later parts read is a result."""
        found: list[_Whole | _Loop] = []
        needed = set(self.program.outputs)
        for instrs, rows in reversed(self.groups):
            own = {s for i in instrs for s in i.outs}
            outs = [s for i in instrs for s in i.outs if s in needed]
            read = dict.fromkeys([s for i in instrs for s in i.operands])
            given = [s for s in read if s not in own and s not in self.numbers]
            dead = tuple([s for s in given if s not in needed])
            needed.difference_update(own)
            needed.update(given)
            found.append((self._loop if rows else self._whole)(instrs, given, outs, rows, dead))
        return tuple(found[::-1])

    def _program(
        self, instrs: Sequence[Instr], given: Sequence[tuple[int, int]], outs: Sequence[int]
    ) -> Program:
        """Return the program of instructions; `given` has for each slot that with its type."""
        inputs = tuple([(s, f"s{s}") for s, _ in given])
        types = {s: self.types[of] for s, of in given if of in self.types}
        return Program(self.program.name, inputs, self.numbers, tuple(instrs), tuple(outs), types)

    def _whole(
        self, instrs: Sequence[Instr], given: Sequence[int], outs: Sequence[int], rows: int,
        dead: tuple[int, ...],
    ) -> _Whole:  # fmt: skip
        run = compile_program(self._program(instrs, [(s, s) for s in given], outs))
        return _Whole(run, tuple(given), tuple(outs), dead)

    def _loop(
        self, instrs: Sequence[Instr], given: Sequence[int], outs: Sequence[int], rows: int,
        dead: tuple[int, ...],
    ) -> _Loop:  # fmt: skip
        cut: dict[int, None] = {}
        kept: dict[int, int] = {}  # of an operand that is read whole, its slot in the group
        made = []
        for instr in instrs:
            operands = []
            pairs = zip(instr.operands, _cuts(instr, rows, self.types), strict=True)
            for slot, is_cut in pairs:
                if slot not in given:
                    operands.append(slot)
                elif is_cut:
                    cut[slot] = None
                    operands.append(slot)
                else:
                    operands.append(kept.setdefault(slot, next(self.free)))
            shapes = [self.types[slot].shape or () for slot in instr.operands]
            params = rows_of(instr.kernel.rows, shapes, instr.params).params
            made.append(instr._replace(operands=tuple(operands), params=params))
        adds = [s for i in instrs if _rows_of(i, self.types)[1] for s in i.outs if s in outs]
        makes = [s for s in outs if s not in adds]
        inputs = [*[(s, s) for s in cut], *[(own, s) for s, own in kept.items()]]
        memory = {next(self.free): s for s in makes}
        outs = [*makes, *adds]
        run = compile_in_place(
            self._program(made, [*inputs, *memory.items()], outs),
            {f"s{place}": i for i, place in enumerate(memory)},
        )
        whole = functools.partial(compile_program, self._program(made, inputs, outs))
        step = max(1, self.block_bytes * rows // max(1, _live_bytes(made, outs, self.types)))
        return _Loop(
            run, tuple(cut), tuple(kept), tuple([(s, self.types[s]) for s in makes]), tuple(adds),
            rows, step, dead, functools.lru_cache(maxsize=1)(whole),
        )  # fmt: skip


def _run(
    parts: Sequence[_Whole | _Loop],
    inputs: Sequence[int],
    constants: Mapping[int, Any],
    outputs: Sequence[int],
    given: Sequence[Any],
) -> tuple[Any, ...]:
    values = dict(zip(inputs, given, strict=True))
    values.update(constants)
    for part in parts:
        part(values)
        for slot in part.dead:
            del values[slot]
    return tuple([values[s] for s in outputs])
