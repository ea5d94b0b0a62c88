"""Operations that are others under another name: formulas have one name for each.

PyTorch's names belong to the record.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.expr.node import ArrayExpr, Leaf, as_expr
from symgrad.ops.identity import alias, clone, contiguous
from symgrad.ops.primitive import Primitive
from symgrad.ops.slicing import part
from symgrad.ops.strided import narrow_copy
from symgrad.ops.triangular import diagonal, diagonal_copy
from symgrad.simplify.rewrite import Rewrite, Samples, rewrite

__all__ = ["PLAIN_NAMES_OF_COPIES", "copied", "shared"]

_COPIES: dict[type[Primitive], tuple[type[Primitive], ...]] = {
    part: (narrow_copy,),
    diagonal: (diagonal_copy,),
}


def _named(plain: type[Primitive], named: tuple[type[Primitive], ...], values: bool) -> Rewrite:
    def rule(*args: Any) -> ArrayExpr:
        return plain.of(*args)

    rule.__name__ = f"{plain.__name__}_by_its_name"
    rule.__doc__ = f"What is `{plain.__name__}` under another name is called `{plain.__name__}`."
    if not values:
        rule.__name__ = f"{plain.__name__}_without_a_copy"
        rule.__doc__ = f"A copy of what `{plain.__name__}` gives is `{plain.__name__}`."
    return rewrite(*named, values=values, samples=_samples_of(*named))(rule)


def _samples_of(*classes: type[Primitive]) -> Samples:
    return lambda: [_sample(cls) for cls in classes]


def _sample(cls: type[Primitive]) -> ArrayExpr:
    """Return a node of a class as written, on leaves in the place of floats."""
    sample = cls.samples()[0]
    split = len(sample) - len(cls.params)
    return cls(*[_operand(f"x{i}", x) for i, x in enumerate(sample[:split])], *sample[split:])


def _operand(name: str, x: Any) -> ArrayExpr:
    if isinstance(x, np.ndarray) and x.dtype.kind in "fc":
        return Leaf(name, x.shape, from_numpy_dtype(x.dtype))
    return as_expr(x)


#: What is read from a copy may be summed in another order: these are rewrites of derivatives.
PLAIN_NAMES_OF_COPIES = tuple([_named(*names, values=False) for names in _COPIES.items()])


@rewrite(alias, values=True, samples=_samples_of(alias))
def shared(x: Any) -> ArrayExpr:
    """The same values in the same memory are these values."""
    return x  # type: ignore[no-any-return]


@rewrite(clone, contiguous, samples=_samples_of(clone, contiguous))
def copied(x: Any) -> ArrayExpr:
    """A copy is what was copied."""
    return x  # type: ignore[no-any-return]
