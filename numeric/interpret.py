"""The plain interpreter: one kernel call after the other.

Every faster way to run a program is compared with the interpreter, which also runs programs on
other number systems than floats.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .kernel import Kernel
from .program import Program, describe


def interpret(
    program: Program, values: Sequence[Any], number_system: str | None = None
) -> tuple[Any, ...]:
    """Run ``program`` on ``values``.

    Intermediate results are released after their last use. The caller decides by ``np.errstate``
    whether floating-point warnings are raised.

    Parameters
    ----------
    program
        A well-formed program; see :meth:`Program.validate`.
    values
        One array or scalar for each of ``program.inputs``.
    number_system
        A number system, such as "sympy". Then all arrays are arrays of objects, and kernels are
        run by the callables that they have for that system.

    Returns
    -------
    tuple
        The results, as the kernels return them; arrays of objects with a ``number_system``.

    Raises
    ------
    ValueError
        If there are not as many values as inputs.
    Exception
        The error of a kernel, with a note that names the instruction.
    """
    if len(values) != len(program.inputs):
        raise ValueError(
            f"{program.name} takes {len(program.inputs)} inputs "
            f"({', '.join(name for _, name in program.inputs)}), not {len(values)}"
        )
    env: dict[int, Any] = dict(program.constants)
    env.update(zip((slot for slot, _ in program.inputs), values, strict=True))
    if number_system is None:
        return _run(program, env)
    return _run_objects(program, env, number_system)


def _run(program: Program, env: dict[Any, Any]) -> tuple[Any, ...]:
    last = _last_readers(program)
    try:
        for kernel, operands, params, out, _, _ in program.instrs:
            # Frequent calls come first and make no list, which halves the cost of the loop.
            if params:
                env[out] = kernel.call(*[env[slot] for slot in operands], **params)
            elif len(operands) == 2:
                a, b = operands
                env[out] = kernel.call(env[a], env[b])
            elif len(operands) == 1:
                env[out] = kernel.call(env[operands[0]])
            else:
                env[out] = kernel.call(*[env[slot] for slot in operands])
            if out.__class__ is tuple:  # several results, of which some may never be read
                found = zip(out, env.pop(out), strict=True)
                env.update([pair for pair in found if pair[0] in last])
            for slot in operands:
                if last[slot] == out:
                    env[slot] = None
    except Exception as error:
        _name_instruction(error, program, out)
        raise
    return tuple(env[slot] for slot in program.outputs)


def _run_objects(program: Program, env: dict[int, Any], number_system: str) -> tuple[Any, ...]:
    instrs = [x._replace(kernel=_on_objects(x.kernel, number_system)) for x in program.instrs]
    given = {slot: _as_objects(value) for slot, value in env.items()}
    return _run(replace(program, instrs=tuple(instrs)), given)


def _on_objects(kernel: Kernel, number_system: str) -> Kernel:
    call = kernel.number_systems.get(number_system, kernel.call)

    def on_objects(*values: Any, **params: Any) -> Any:
        found = call(*values, **params)
        # Ufuncs return bare objects for 0-d arrays; the next kernel needs an array.
        return tuple(map(_as_objects, found)) if isinstance(found, tuple) else _as_objects(found)

    return replace(kernel, call=on_objects)


def _last_readers(program: Program) -> dict[int, int | tuple[int, ...]]:
    """Return, for each slot that is read, the results of its last reader; -1 for outputs."""
    last: dict[int, int | tuple[int, ...]] = {}
    for _, operands, _, out, _, _ in program.instrs:
        for slot in operands:
            last[slot] = out
    last.update(dict.fromkeys(program.outputs, -1))
    return last


def _as_objects(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.astype(object, copy=False)
    array = np.empty((), dtype=object)
    # A NumPy scalar becomes the Python number that other systems understand.
    array[()] = value.item() if isinstance(value, np.generic) else value
    return array


def _name_instruction(error: Exception, program: Program, out: Any) -> None:
    index = next(i for i, instr in enumerate(program.instrs) if instr.out == out)
    error.add_note(f"in {program.name}, instruction {index}: {describe(program.instrs[index])}")
