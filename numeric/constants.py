"""Constants of programs in the form in which NumPy computes fastest with them."""

from dataclasses import replace
from typing import Any

import numpy as np

from .program import Instr, Program


def with_ready_constants(program: Program) -> Program:
    """Return a program that computes the same, bit for bit, from constants that are arrays.

    A universal function takes almost twice as long for a number beside a small array as for an
    array without axes, whose dtype must be that in which NumPy computes. And views of constants
    alone, such as a repeated zero, are made once.

    Examples
    --------
    >>> import numpy as np
    >>> from numeric import Kernel
    >>> mul = Kernel.from_ufunc(np.multiply, "{0} * {1}", name="mul")
    >>> single = np.dtype(np.float32)
    >>> instr = Instr(mul, (0, 1), out=2, shape=(3,), dtype=single)
    >>> ready = with_ready_constants(Program("f", ((0, "x"),), {1: 0.1}, (instr,), (2,)))
    >>> ready.constants[ready.instrs[0].operands[1]]
    array(0.1, dtype=float32)
    """
    constants = dict(program.constants)
    made: dict[tuple[int, Any], int] = {}
    unused = max([*constants, *(s for s, _ in program.inputs), *_results(program)], default=-1) + 1
    # A constant is not given away, nor is a view of it.
    read_as_views = set(program.outputs)
    read_as_views.update(*[x.operands for x in program.instrs if x.kernel.view])
    instrs = []
    for instr in program.instrs:
        kernel, operands = instr.kernel, instr.operands
        out = instr.out
        fixed = kernel.view and constants.keys() >= {*operands}
        if fixed and isinstance(out, int) and out not in read_as_views:
            constants[out] = kernel.call(*[constants[s] for s in operands], **instr.params)
            continue
        if _computes_alike(instr):
            for i, slot in enumerate(operands):
                key = slot, instr.dtype
                if key not in made:
                    array = _as_array(constants.get(slot), instr.dtype)
                    made[key] = slot if array is None else unused
                    if array is not None:
                        constants[unused] = array
                        unused += 1
                operands = (*operands[:i], made[key], *operands[i + 1 :])
            instr = instr._replace(operands=operands)
        instrs.append(instr)
    return replace(program, constants=constants, instrs=tuple(instrs))


def _results(program: Program) -> list[int]:
    return [slot for instr in program.instrs for slot in instr.outs]


#: Functions that compute in the dtype of their result, of arrays of that dtype and numbers.
_ALIKE = frozenset({np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum})


def _computes_alike(instr: Instr) -> bool:
    """Return whether operands that are numbers are converted to the dtype of the result."""
    return (
        instr.kernel.call in _ALIKE
        and bool(instr.shape)
        and isinstance(instr.dtype, np.dtype)
        and instr.dtype.kind in "fc"
    )


def _as_array(value: Any, dtype: Any) -> Any:
    """Return a number as an array without axes, None for one that the dtype does not hold."""
    if type(value) is not float and type(value) is not int:
        return None
    if not abs(value) <= float(np.finfo(dtype).max):
        return None
    array = np.array(value, dtype)
    array.flags.writeable = False
    return array
