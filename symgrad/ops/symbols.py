"""What kernels compute of arrays of SymPy's formulas, where NumPy would have to know values.

Which element is the largest, where each stands in order, and what an index names depends on values.
Of formulas the answer is a sum over all possibilities, each times a number that is 1 where it is the
one, else 0: a Kronecker delta of an index. (Conditions of a `Piecewise` will not do: SymPy multiplies
out the cases of what they contain.) The functions here are the entries "sympy" of kernels'
`number_systems`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import sympy
from sympy.logic.boolalg import Boolean

#: An array of formulas.
Formulas = np.ndarray[Any, Any]

Place = tuple[int, ...]

#: The places that an index may name, each with a number that is 1 where the index names it, else 0.
Options = list[tuple[Place, Any]]


def one_if(condition: Any) -> Any:
    """Return 1 where a condition holds, else 0."""
    return sympy.Piecewise((1, condition), (0, True))


def as_condition(x: Any) -> Any:
    """Return whether a formula is true, or a number other than zero."""
    return sympy.Ne(x, 0) if isinstance(x, sympy.Expr) else x


def number_of_true(xs: Iterable[Any]) -> Any:
    """Return how many of formulas are true, or other than zero."""
    return sympy.Add(*[one_if(as_condition(x)) for x in xs])


def delta(index: Any, k: int) -> Any:
    """Return 1 where an index is `k`, else 0."""
    if isinstance(index, (int, sympy.Integer)):
        return sympy.Integer(index == k)
    return sympy.KroneckerDelta(index, k, evaluate=False)  # else SymPy asks long whether it is


def largest(xs: Sequence[Any]) -> Any:
    """Return the largest of formulas."""
    return _extreme(sympy.Max, xs)


def smallest(xs: Sequence[Any]) -> Any:
    """Return the smallest of formulas."""
    return _extreme(sympy.Min, xs)


def _extreme(kind: Any, xs: Sequence[Any]) -> Any:
    distinct = list(dict.fromkeys(map(sympy.sympify, xs)))
    if len(distinct) == 1:
        return distinct[0]
    # SymPy compares each with each, to leave out some.
    return kind(*distinct, evaluate=all(x.is_number for x in distinct))


def ranks(xs: Sequence[Any], descending: bool = False) -> list[Any]:
    """Return for each element its place in order; equal elements stay in theirs."""
    sign = -1 if descending else 1
    return [
        sympy.Add(*[step(sign * (x - y), int(j < i)) for j, y in enumerate(xs) if j != i])
        for i, x in enumerate(xs)
    ]


def step(x: Any, at_zero: int) -> Any:
    """Return 1 for a positive number, 0 for a negative one."""
    return sympy.Heaviside(x, at_zero, evaluate=x.is_number)


def at_rank(values: Iterable[Any], places: Sequence[Any], k: int) -> Any:
    """Return the value that stands at place `k`, given the place of each."""
    return sympy.Add(*[v * delta(p, k) for v, p in zip(values, places, strict=True)])


def in_order(xs: Sequence[Any], descending: bool = False) -> list[Any]:
    """Return the elements in order."""
    places = ranks(xs, descending)
    return [at_rank(xs, places, k) for k in range(len(xs))]


def order_of(xs: Sequence[Any], descending: bool = False) -> list[Any]:
    """Return the places of the elements, in the order of the elements."""
    places = ranks(xs, descending)
    return [at_rank(range(len(xs)), places, k) for k in range(len(xs))]


def first_largest(xs: Sequence[Any]) -> Any:
    """Return the place of the first element that is at least as large as all others."""
    return at_rank(range(len(xs)), ranks(xs, descending=True), 0)


def first_smallest(xs: Sequence[Any]) -> Any:
    """Return the place of the first element that is at most as large as all others."""
    return at_rank(range(len(xs)), ranks(xs), 0)


def last_largest(xs: Sequence[Any]) -> Any:
    """Return the place of the last element that is at least as large as all others."""
    return len(xs) - 1 - first_largest(xs[::-1])


def last_smallest(xs: Sequence[Any]) -> Any:
    """Return the place of the last element that is at most as large as all others."""
    return len(xs) - 1 - first_smallest(xs[::-1])


# ------------------------------------------------------------------ number systems


def reducing(f: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Return the number system in which `f` reduces the elements along axes, a list, to one.

    Parameters of the kernel but `axis`, `keepdims` and `count` are passed on.
    """

    def compute(x: Formulas, *, axis: Any, keepdims: bool, count: int = 0, **params: Any) -> Any:
        axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        taken = sorted({a % x.ndim for a in axes} if x.ndim else ())
        rest = [a for a in range(x.ndim) if a not in taken]
        shape = [x.shape[a] for a in rest]
        length = int(np.prod([x.shape[a] for a in taken], dtype=int))
        lines = x.transpose(*rest, *taken).reshape(*shape, length)
        out = np.empty(shape, object)
        for place in np.ndindex(out.shape):
            out[place] = f(list(lines[place]), **params)
        kept = [1 if a in taken else n for a, n in enumerate(x.shape)]
        return out.reshape(kept) if keepdims else out

    return {"sympy": compute}


def running(f: Callable[..., Sequence[Any]]) -> dict[str, Callable[..., Any]]:
    """Return the number system in which `f` maps the elements along an axis, a list, to a list.

    A number is an axis of one element.
    """

    def compute(x: Formulas, *, axis: int, **params: Any) -> Any:
        if not x.ndim:
            return np.array(f([x[()]], **params), object).reshape(())
        lines = np.moveaxis(x, axis, -1)
        out: Any = None
        for place in np.ndindex(lines.shape[:-1]):
            made = f(list(lines[place]), **params)
            if out is None:
                out = np.empty((*lines.shape[:-1], len(made)), object)
            out[place] = made
        return x.copy() if out is None else np.moveaxis(out, -1, axis)

    return {"sympy": compute}


def together(*systems: Any) -> dict[str, Callable[..., Any]]:
    """Return the number system of a kernel with several results, from those that compute one."""
    calls = [s["sympy"] for s in systems]
    return {"sympy": lambda *operands, **params: tuple([f(*operands, **params) for f in calls])}


# ------------------------------------------------------------------ places


def known(indices: Sequence[Formulas]) -> list[Formulas] | None:
    """Return indices as arrays of integers or bools; None where some values are not known."""
    found = []
    for x in indices:
        for kind, types in (
            (bool, (sympy.logic.boolalg.BooleanAtom, bool)),
            (int, (sympy.Integer, int)),
        ):
            if all(isinstance(i, types) for i in x.flat) and (x.size or kind is int):
                found.append(x.astype(kind))
                break
        else:
            return None
    return found


def along_axis(
    shape: Sequence[int], indices: Formulas, axis: int
) -> Iterator[tuple[Place, Options]]:
    """Yield each place of `indices`, and the places that it may name along an axis of `shape`."""
    for place in np.ndindex(indices.shape):
        options = [
            ((*place[:axis], k, *place[axis + 1 :]), delta(indices[place], k))
            for k in range(shape[axis])
        ]
        yield place, _possible(options)


def by_indices(
    shape: Sequence[int],
    indices: Sequence[Formulas],
    spec: Sequence[bool],
    read: Callable[..., Any],
) -> Iterator[tuple[Place, Options]]:
    """Yield each place of what indices name in an array of `shape`, and what it may stand for.

    `read` is the kernel that reads the elements which arrays of integers name; `spec` says which axes
    they index. A negative index counts from the end.
    """
    if any(isinstance(i, Boolean) and not i.is_integer for x in indices for i in x.flat):
        raise ValueError(
            "to_sympy('explicit'): which elements a mask of leaves chooses depends on their values; "
            "use where() in place of a subscript"
        )
    axes = [a for a, taken in enumerate(spec) if taken]
    common = np.broadcast_shapes(*[x.shape for x in indices])
    entries = [np.broadcast_to(x, common).reshape(-1) for x in indices]
    # An array whose first indexed axis is as long as there are entries, and whose elements say where
    # they stand: reading it tells which entry each place of the result reads.
    count = entries[0].size
    sizes = [count if a == axes[0] else 1 if a in axes else n for a, n in enumerate(shape)]
    key = [np.arange(count).reshape(common), *[np.zeros((), int) for _ in axes[1:]]]
    stands = [read(grid, *key, spec=spec) for grid in np.indices(sizes)]
    for place in np.ndindex(stands[0].shape):
        there = [int(grid[place]) for grid in stands]
        given = [x[there[axes[0]]] for x in entries]
        options = []
        for where in np.ndindex(*[shape[a] for a in axes]):
            number = sympy.S.One
            for a, k, i in zip(axes, where, given, strict=True):
                there[a] = k
                number *= delta(i, k) + delta(i, k - shape[a])
            options.append((tuple(there), number))
        yield place, _possible(options)


def _possible(options: Options) -> Options:
    return [(place, number) for place, number in options if number != 0]


def chosen(x: Formulas, options: Options) -> Any:
    """Return the element of `x` that an index names."""
    return sympy.Add(*[x[place] * number for place, number in options])


def write(out: Formulas, value: Any, options: Options, add: bool) -> None:
    """Write a value, or add it, at the place of `out` that an index names."""
    for place, number in options:
        rest = 1 if add else 1 - number
        out[place] = value * number + out[place] * rest
