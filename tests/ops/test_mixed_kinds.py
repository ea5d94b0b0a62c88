"""A gradient has the accuracy of its dtype also beside whole numbers and truth values.

Formulas of a float64 tensor with constants of other dtypes are compared, with their first and
second derivatives, with the same formulas in 40 digits: what was computed in single precision on
the way would be off by its rounding.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np

import symgrad
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import Leaf, as_expr
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES
from tests.each import each

_KINDS = {
    "int64": ("int64", 7), "int32": ("int32", 3), "uint8": ("uint8", 5), "int8": ("int8", -6),
    "bool": ("bool", True),
}  # fmt: skip
#: Of a number and a whole number or truth value.
_FIRST: dict[str, Callable[[Any, Any], Any]] = {
    "x * i": lambda x, i: x * i,
    "x / i": lambda x, i: x / i,
    "i / x": lambda x, i: i / x,
    "x + i": lambda x, i: x + i,
    "i - x": lambda x, i: 0.25 * i - x,
    "x**i": lambda x, i: x**i,
    "2*(x/i)": lambda x, i: 2 * (x / i),
    "x / (i*3)": lambda x, i: x / (i * 3),
}
_SECOND: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "sin": (lambda u: u.sin(), mpmath.sin),
    "exp": (lambda u: (u / 9).exp(), lambda u: mpmath.exp(u / 9)),
    "square": (lambda u: u * u / 3, lambda u: u * u / 3),
    "inverse": (lambda u: 1 / (u + 50), lambda u: 1 / (u + 50)),
    "log of a square": (
        lambda u: (u * u + 0.1).log(), lambda u: mpmath.log(u * u + mpmath.mpf(0.1)),
    ),
    "mean": (lambda u: (u * u).reshape(1).mean() / 7, lambda u: u * u / 7),
    "amax": (lambda u: (u.sin()).reshape(1).amax(0) * 2, lambda u: mpmath.sin(u) * 2),
    "norm": (lambda u: (u * u + u.exp()).reshape(1).norm(3), lambda u: u * u + mpmath.exp(u)),
}  # fmt: skip


#: All formulas with one kind, and all kinds with some formulas.
_CASES = [
    (first, second, size, kind)
    for first, second, size, kind in itertools.product(_FIRST, _SECOND, [(), (1,)], _KINDS)
    if (kind == "int64" and size == ()) or second in ("sin", "amax")
]


@each("first, second, size, kind", list(_CASES))
def test_derivatives_beside_whole_numbers_have_all_digits(
    first: str, second: str, size: tuple[int, ...], kind: str
) -> None:
    name, value = _KINDS[kind]
    f, (g, exact_g) = _FIRST[first], _SECOND[second]
    i = symgrad.full(size, value, dtype=getattr(symgrad, name))
    at = 0.8125
    x = symgrad.full(size, at, dtype=symgrad.float64, requires_grad=True)
    with mpmath.workdps(40):
        whole = mpmath.mpf(int(value))

        def exact(t: Any) -> Any:
            return exact_g(f(t, whole))

        want = [mpmath.diff(exact, mpmath.mpf(at), k) for k in range(3)]
    y = g(f(x, i))
    found = [y]
    for _ in range(2):
        (slope,) = symgrad.autograd.grad(
            found[-1].sum(), x, create_graph=True, materialize_grads=True
        )
        assert slope.dtype is symgrad.float64
        found.append(slope)
    scale = max(map(abs, want)) + 1
    for got, exact_value in zip(found, want, strict=True):
        np.testing.assert_allclose(
            got.item(), float(exact_value), rtol=0, atol=float(scale) * 1e-12
        )


#: Operations of which an operand is a number and no array: an order, a bound.
_OF_NUMBERS = {"polygamma", "logit_within"}


@each(
    "name", sorted({n for n, c in PRIMITIVES.items() if issubclass(c, Elementwise)} - _OF_NUMBERS)
)
def test_a_bool_beside_numbers_leaves_these_their_derivatives(name: str) -> None:
    """If an operation takes a bool in the place of a number, its derivatives do, too."""
    cls = PRIMITIVES[name]
    x = Leaf("x", (2,), symgrad.float64)
    for place in range(cls.arity if cls.arity > 1 and not cls.params else 0):
        for shape in ((2,), ()):
            mask = Leaf("mask", shape, symgrad.bool)
            operands = [mask if i == place else x for i in range(cls.arity)]
            try:
                y: Any = cls.of(*operands)
            except (RuntimeError, NotImplementedError):
                continue
            if y.dtype.differentiable and not (y.missing_derivative() or cls.underived):
                try:
                    (derivative,) = vjp([y], [as_expr(np.ones(2))], [x])
                except NotImplementedError:  # by an order, whatever its dtype
                    continue
                assert derivative is None or derivative.shape == (2,)
