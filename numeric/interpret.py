"""The plain interpreter: one kernel call after the other.

It is the oracle that every faster way to run a program is compared with, and
the way to run one on other number systems.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .kernel import Kernel
from .program import Program, describe

__all__ = ["interpret"]


def interpret(
    program: Program, values: Sequence[Any], numbers: str | None = None
) -> tuple[Any, ...]:
    """Run ``program`` on ``values``.

    Intermediate results are released after their last use. Floating-point
    warnings are left to the caller's ``np.errstate``.

    Parameters
    ----------
    program
        A well-formed program; see :meth:`Program.validate`.
    values
        One array or scalar for each of ``program.inputs``.
    numbers
        A number system, such as "sympy": everything then runs on object
        arrays, with the callables that kernels keep under that name.

    Returns
    -------
    tuple
        The results, as the kernels return them; object arrays with ``numbers``.

    Raises
    ------
    ValueError
        When the number of values is not that of inputs.
    Exception
        What a kernel raises, with a note that names the instruction.
    """
    if len(values) != len(program.inputs):
        raise ValueError(
            f"{program.name} takes {len(program.inputs)} inputs "
            f"({', '.join(name for _, name in program.inputs)}), not {len(values)}"
        )
    env: dict[int, Any] = dict(program.constants)
    env.update(zip((slot for slot, _ in program.inputs), values, strict=True))
    if numbers is None:
        return _run(program, env)
    return _run_objects(program, env, numbers)


def _run(program: Program, env: dict[Any, Any]) -> tuple[Any, ...]:
    last = _last_readers(program)
    try:
        for kernel, operands, params, out, _, _ in program.instrs:
            # The commonest calls first, without a list: half of what the loop costs.
            if params:
                env[out] = kernel.call(*[env[slot] for slot in operands], **params)
            elif len(operands) == 2:
                a, b = operands
                env[out] = kernel.call(env[a], env[b])
            elif len(operands) == 1:
                env[out] = kernel.call(env[operands[0]])
            else:
                env[out] = kernel.call(*[env[slot] for slot in operands])
            if out.__class__ is tuple:  # several results: those that nothing reads are let go
                found = zip(out, env.pop(out), strict=True)
                env.update([pair for pair in found if pair[0] in last])
            for slot in operands:
                if last[slot] == out:
                    env[slot] = None
    except Exception as error:
        _note(error, program, out)
        raise
    return tuple(env[slot] for slot in program.outputs)


def _run_objects(program: Program, env: dict[int, Any], numbers: str) -> tuple[Any, ...]:
    instrs = [x._replace(kernel=_on_objects(x.kernel, numbers)) for x in program.instrs]
    given = {slot: _objects(value) for slot, value in env.items()}
    return _run(replace(program, instrs=tuple(instrs)), given)


def _on_objects(kernel: Kernel, numbers: str) -> Kernel:
    call = kernel.numbers.get(numbers, kernel.call)

    def on_objects(*values: Any, **params: Any) -> Any:
        found = call(*values, **params)
        # Ufuncs return bare objects for 0-d arrays; the next kernel needs an array.
        return tuple(map(_objects, found)) if isinstance(found, tuple) else _objects(found)

    return replace(kernel, call=on_objects)


def _last_readers(program: Program) -> dict[int, int | tuple[int, ...]]:
    """For each slot that is read, what its last reader assigns; nothing for outputs."""
    last: dict[int, int | tuple[int, ...]] = {}
    for _, operands, _, out, _, _ in program.instrs:
        for slot in operands:
            last[slot] = out
    last.update(dict.fromkeys(program.outputs, -1))
    return last


def _objects(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.astype(object, copy=False)
    array = np.empty((), dtype=object)
    # A NumPy scalar becomes the Python number that other systems understand.
    array[()] = value.item() if isinstance(value, np.generic) else value
    return array


def _note(error: Exception, program: Program, out: Any) -> None:
    index = next(i for i, instr in enumerate(program.instrs) if instr.out == out)
    error.add_note(f"in {program.name}, instruction {index}: {describe(program.instrs[index])}")
