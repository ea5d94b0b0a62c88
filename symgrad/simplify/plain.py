"""Operations that compute the same as another one: a formula uses one of them only.

`narrow_copy` gives the elements of `part`, `clone` gives its operand. PyTorch has a name for each;
these names belong to the record (`symgrad.record.face`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.atoms import Leaf, as_expr
from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.ops.identity import alias, clone, contiguous
from symgrad.ops.primitive import PRIMITIVES, Primitive, when_defined
from symgrad.simplify.rewrite import Rewrite, Samples, rewrite


def _without_a_copy(copy: type[Primitive], plain: type[Primitive]) -> Rewrite:
    def rule(*args: Any) -> ArrayExpr:
        return plain.of(*args)

    rule.__name__ = f"{plain.__name__}_without_a_copy"
    rule.__doc__ = f"A copy of the result of `{plain.__name__}` is `{plain.__name__}`."
    return rewrite(copy, samples=_samples_of(copy))(rule)


def _samples_of(*classes: type[Primitive]) -> Samples:
    return lambda: [_sample(cls) for cls in classes]


def _sample(cls: type[Primitive]) -> ArrayExpr:
    """Return the first sample of a class as a node, with leaves in the place of float arrays."""
    sample = cls.samples[0]
    split = len(sample) - len(cls.params)
    return cls(*[_operand(f"x{i}", x) for i, x in enumerate(sample[:split])], *sample[split:])


def _operand(name: str, x: Any) -> ArrayExpr:
    if isinstance(x, np.ndarray) and x.dtype.kind in "fc":
        return Leaf(name, x.shape, from_numpy_dtype(x.dtype))
    return as_expr(x)


def _for_copy(cls: type[Primitive]) -> list[Rewrite]:
    """Return the rewrite of a class that copies what its base gives a view of; else none."""
    return [
        _without_a_copy(cls, base)
        for base in cls.__bases__
        if issubclass(base, Primitive) and base.is_view and cls.is_copy
    ]


#: NumPy may sum a copy in another order than a view, with other last bits; therefore these are
#: rewrites of derivatives, and not of values.
PLAIN_NAMES_OF_COPIES = tuple([entry for cls in PRIMITIVES.values() for entry in _for_copy(cls)])


def _enter_for_copy(cls: type[Primitive]) -> None:
    for entry in _for_copy(cls):
        entry.enter()


when_defined.append(_enter_for_copy)


@rewrite(alias, values=True, samples=_samples_of(alias))
def leave_out_alias(x: Any) -> ArrayExpr:
    """An alias has the values and the memory of its operand, and is left out."""
    return x  # type: ignore[no-any-return]


@rewrite(clone, contiguous, samples=_samples_of(clone, contiguous))
def leave_out_copy(x: Any) -> ArrayExpr:
    """A copy has the values of its operand, and is left out."""
    return x  # type: ignore[no-any-return]
