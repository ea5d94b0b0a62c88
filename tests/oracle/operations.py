"""The operation that a case is about, which is the one whose file its records are in.

The id of a case says it: after the family, and after words that frame many operations in the same
way, comes the name of the operation. `complex-inplace-masked-fill-after` is about `masked_fill`.
What is about none, as a program of several, is in the file of its family.
"""

from __future__ import annotations

from functools import cache

import symgrad
from symgrad.schema.public import FUNCTIONS, SCHEMAS

#: What cases of many operations have in common: how it is called, what is composed, what is wrong.
FRAMES = frozenset(
    (
        "alias", "array", "bit", "builtin", "compose", "create", "dict", "dim", "empty", "inplace",
        "ints", "keyword", "linalg", "list", "many", "method", "missing", "move", "nn", "none",
        "nothing", "number", "of", "operator", "python", "query", "reflected", "shapes", "string",
        "too", "twice",
    )
)  # fmt: skip
#: Cases about subscripts, which call no operation by its name.
SUBSCRIPTS = ("indexing-tensor", "indexing-basic", "indexing-list", "write-tensor", "write-number")

_SPACES = (
    symgrad, symgrad.nn.functional, symgrad.linalg, symgrad.fft, symgrad.masked, symgrad.special,
    symgrad.autograd,
)  # fmt: skip
_PUBLIC = {*FUNCTIONS, *(name for name, _ in SCHEMAS)} | {n for m in _SPACES for n in m.__all__}
_OPERATORS = {name.strip("_") for name in dir(symgrad.Tensor) if name.startswith("__")}
NAMES = frozenset(
    {name.rpartition(".")[2].strip("_") for name in _PUBLIC}
    | {name.rstrip("_") for name in dir(symgrad.Tensor) if not name.startswith("_")}
    | _OPERATORS
)


@cache
def operation(case_id: str) -> str:
    """Return the operation of a case; its family, as `families/complex`, where there is none.

    >>> operation("special-polygamma2-tails"), operation("write-iadd-broadcast")
    ('polygamma', 'add')
    """
    family, *words = case_id.split("-")
    if family == "where":  # a family of one operation
        return family
    while words and words[0] in FRAMES:
        del words[0]
    if case_id.startswith(SUBSCRIPTS):
        words = []
    for n in range(len(words), 0, -1):
        name = "_".join(words[:n]).rstrip("_")
        if name in _OPERATORS and name[0] in "ri" and name[1:] in NAMES:
            return name[1:]  # reflected, or in place
        for found in (name, name.rstrip("0123456789")):
            if found in NAMES:
                return found
    return f"families/{family}"
