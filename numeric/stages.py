"""Programs in two stages: what depends on some of the inputs alone is computed once, apart."""

from collections.abc import Collection
from dataclasses import replace

from .identifiers import fresh_name
from .program import ArrayType, Program


def staged(program: Program, early: Collection[str]) -> tuple[Program, Program]:
    """Cut a program in two, by which it is cheap to run often with the same `early` inputs.

    Parameters
    ----------
    program
        A well-formed program.
    early
        The names of inputs.

    Returns
    -------
    first, rest : Program
        ``first`` takes the early inputs, and computes all that depends on nothing else, as far as
        the rest needs it. ``rest`` takes the other inputs, then the results of ``first``, and
        returns what ``program`` does.

    Examples
    --------
    >>> import numpy as np
    >>> from numeric import Instr, Kernel
    >>> mul, exp = Kernel("mul", np.multiply, "{0} * {1}"), Kernel("exp", np.exp, "np.exp({0})")
    >>> instrs = (Instr(exp, (1,), out=2), Instr(mul, (0, 2), out=3))
    >>> for part in staged(Program("f", ((0, "x"), (1, "a")), {}, instrs, (3,)), {"a"}):
    ...     print(part)
    program f_first(a)
      t1 = exp(a)
      return t1
    program f(x, s1)
      t1 = mul(x, s1)
      return t1
    """
    known = {slot for slot, name in program.inputs if name in early}
    given = known | program.constants.keys()
    before, after = [], []
    types = dict(program.types)
    for instr in program.instrs:
        if given.issuperset(instr.operands):
            before.append(instr)
            given.update(instr.outs)
            known.update(instr.outs)
            types.update(zip(instr.outs, instr.types, strict=True))
        else:
            after.append(instr)
    read = [slot for instr in after for slot in instr.operands]
    crossing = [slot for slot in dict.fromkeys([*read, *program.outputs]) if slot in known]
    taken = {name for _, name in program.inputs}
    carried = [(slot, fresh_name(f"s{i}", taken)) for i, slot in enumerate(crossing, 1)]
    first = replace(
        program,
        name=f"{program.name}_first",
        inputs=tuple([x for x in program.inputs if x[1] in early]),
        instrs=tuple(before),
        outputs=tuple(crossing),
    )
    rest = replace(
        program,
        inputs=(*[x for x in program.inputs if x[1] not in early], *carried),
        instrs=tuple(after),
        types={slot: known for slot, known in types.items() if known != ArrayType()},
    )
    return first, rest
