"""NumPy's arrays as arguments and results of transforms, which compute with tensors."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from symgrad.autograd.vmap.trees import flattened
from symgrad.expr.node import ArrayExpr
from symgrad.record.record import Recorded, wrap
from symgrad.support.untraceable import is_traced

T = TypeVar("T")

#: Arrays and numbers of NumPy's.
OF_NUMPY = (np.ndarray, np.generic)


def holds_arrays(args: tuple[Any, ...]) -> bool:
    """Whether arguments hold arrays or numbers of NumPy's, and no tensors and formulas.

    False where a function is traced.
    """
    if not args or isinstance(args[0], (Recorded, ArrayExpr)) or is_traced():
        return False
    leaves = flattened(args)[0]
    return any(isinstance(x, OF_NUMPY) for x in leaves) and not any(
        isinstance(x, (Recorded, ArrayExpr)) for x in leaves
    )


def as_tensors(args: T, copy: bool = False) -> T:
    """Return arguments with tensors for arrays and numbers of NumPy's, if no formulas are there.

    With `copy` the tensors do not share the memory of the arrays.
    """
    first = args[0] if isinstance(args, tuple) and args else None
    if isinstance(first, (Recorded, ArrayExpr)) and not copy:
        return args
    leaves, tree = flattened(args)
    if any(isinstance(x, ArrayExpr) for x in leaves):
        return args
    if not any(isinstance(x, OF_NUMPY) for x in leaves):
        return args
    make = np.array if copy else np.asarray
    made: T = tree.build(
        [wrap(make(x, x.dtype.newbyteorder("="))) if isinstance(x, OF_NUMPY) else x for x in leaves]
    )
    return made


def as_arrays(results: Any) -> Any:
    """Return results with arrays for tensors that require no gradient."""
    leaves, tree = flattened(results)
    return tree.build([x._data[()] if isinstance(x, Recorded) and not x._rg else x for x in leaves])
