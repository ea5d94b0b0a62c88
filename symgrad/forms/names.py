r"""The names in which printed formulas are written.

The text of an expression, `str(e)`, is Python that uses these names and the names of its leaves.
They are the public functions, which take numbers for tensors here, and the operations that no
public function computes. `op` has every operation; a text uses it where the public function of the
same name cannot say what is computed, as how many elements a mask chooses.

>>> import symgrad
>>> from symgrad.forms import names as formulas
>>> x = symgrad.leaf("x", (3,))
>>> print(symgrad.derive(x.max(), x))
t1 = isclose(x, max(x), rtol=0, atol=0, equal_nan=True)
where(t1, 1 / sum(t1, dim=0).to(float64), 0)

"""

from __future__ import annotations

import builtins
import functools
import math
import numbers
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import sympy

from symgrad.expr.atoms import Const, as_expr
from symgrad.expr.dtypes import DTYPES, dtype, from_numpy_dtype
from symgrad.expr.named_sizes import NamedSize
from symgrad.expr.node import ArrayExpr
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.contraction import delta
from symgrad.ops.primitive import PRIMITIVES
from symgrad.schema.public import FUNCTIONS, SCHEMAS, SPACES


class _Operations:
    """Every operation as a function of its operands, with its parameters by keyword."""

    def __getattr__(self, name: str) -> Any:
        cls = PRIMITIVES.get(name)
        if cls is None:
            raise AttributeError(f"there is no operation {name!r}")

        def apply(*operands: Any, **params: Any) -> ArrayExpr:
            if params.keys() != set(cls.params):
                raise TypeError(f"{name}() takes the parameters {', '.join(cls.params) or 'none'}")
            return cls(*operands, *[params[p] for p in cls.params])

        apply.__name__ = apply.__qualname__ = name
        apply.__doc__ = cls.__doc__
        return apply

    def __dir__(self) -> list[str]:
        return list(PRIMITIVES)


op = _Operations()


def full(size: tuple[int, ...], fill_value: Any, dtype: dtype) -> ArrayExpr:
    """Return the formula of an array of equal numbers, as `symgrad.full` returns a tensor."""
    if isinstance(fill_value, ArrayExpr):  # a number that is computed from named sizes
        return broadcast_to(fill_value.to(dtype), size)
    return broadcast_to(Const(fill_value, dtype), size)


def zeros(size: tuple[int, ...], dtype: dtype) -> ArrayExpr:
    """Return the formula of an array of zeros, as `symgrad.zeros` returns a tensor."""
    return broadcast_to(Const(0, dtype), size)


def ones(size: tuple[int, ...], dtype: dtype) -> ArrayExpr:
    """Return the formula of an array of ones, as `symgrad.ones` returns a tensor."""
    return broadcast_to(Const(1, dtype), size)


def eye(n: int, dtype: dtype) -> ArrayExpr:
    """Return the formula of an identity matrix, as `symgrad.eye` returns a tensor."""
    return delta((n,), dtype)


def array(values: Any, dtype: Any = None, shape: Any = None) -> ArrayExpr:
    """Return the formula of a constant array; `shape` gives the shape of one without elements."""
    if isinstance(values, (ArrayExpr, NamedSize)):  # a number that is computed from named sizes
        return as_expr(values).to(from_numpy_dtype(np.dtype(dtype)))
    made = np.array(values, dtype)
    return as_expr(made if shape is None else made.reshape(shape))


def _taking_numbers(name: str, f: Callable[..., Any]) -> Callable[..., Any]:
    """Return a public function that takes numbers for tensors as well, as operations do."""
    overloads = SCHEMAS[name, False].overloads
    kinds = zip(*[[p.kind for p in overload.parameters] for overload in overloads], strict=False)
    alike = [(i, *set(at)) for i, at in enumerate(kinds) if len(set(at)) == 1]
    places = {i for i, kind in alike if kind == "Tensor"}
    lists = {i for i, kind in alike if kind == "Tensor[]"}

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = [
            _number(x) if i in places else [*map(_number, x)] if i in lists else x
            for i, x in enumerate(args)
        ]
        return f(*given, **kwargs)

    return call if places or lists else f


def _number(x: Any) -> Any:
    return Const(x) if isinstance(x, numbers.Number) else x


def _names() -> dict[str, Any]:
    names = {name: getattr(op, name) for name in PRIMITIVES}
    names |= {kind.name if kind.name != "bool" else "bool_": kind for kind in DTYPES}
    names |= {"array": array, "builtins": builtins, "op": op}
    names["sympy"] = sympy
    # Under these names a text asks for what has the name of a leaf.
    names["symgrad"] = names["torch"] = sys.modules[__name__.partition(".")[0]]
    names |= {"inf": math.inf, "nan": math.nan, "pi": math.pi}
    others = {
        f"{space}.{name}": f
        for space in ("linalg", "nn.functional", "special")
        for name, f in SPACES[space].items()
    }
    names |= {space: SimpleNamespace(**SPACES[space]) for space in ("fft", "linalg")}
    public = {
        name.rpartition(".")[2]: _taking_numbers(name, f)
        for name, f in (others | FUNCTIONS).items()
    }
    return names | public | {"eye": eye, "full": full, "ones": ones, "zeros": zeros}


globals().update(_names())


def __getattr__(name: str) -> Any:
    """Return what an operation is called by that was defined later, or all names as `__all__`."""
    if name == "__all__":
        return list(_names())
    if name in PRIMITIVES:
        return getattr(op, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
