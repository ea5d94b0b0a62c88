"""Functions of matrices that are written by eigenvectors, or by singular vectors.

`V diag(g) V^H` has derivatives where eigenvalues are equal; V alone has none there. So the product
is differentiated as what it is, a function of the matrix: `spectral` of `symgrad.ops.spectra`, or
`singular_spectral` of `symgrad.ops.singular`. (Yu. L. Daleckii and S. G. Krein, 1951.)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.node import ArrayExpr
from symgrad.ops.arithmetic import mul
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.casting import cast
from symgrad.ops.complex_parts import conj
from symgrad.ops.contraction import contract
from symgrad.ops.identity import forward_value
from symgrad.ops.masks import formula_of, unmasked
from symgrad.ops.permuting import permute
from symgrad.ops.reshaping import reshape
from symgrad.ops.results import Result
from symgrad.ops.singular import singular_spectral, thin_svd
from symgrad.ops.spectra import eigh, spectral
from symgrad.ops.triangular import diag_embed
from symgrad.simplify.rewrite import stable_form

#: The names of the axes of a factor; None for an axis along which it is repeated.
Labels = tuple[int | None, ...]

# A product of more nodes is not read.
_MOST_NODES = 16


class _Factor(NamedTuple):
    """A factor of a product: the node, the names of its axes, and whether it is conjugated."""

    node: Any
    labels: Labels
    conjugated: bool


def _seen(x: Any) -> Any:
    """Return the formula of a value, as `formula_of`, without entering that it was read."""
    while type(value := unmasked(x)) is forward_value:
        x = value.operands[0]
        if x.is_known_by_formula:
            x = x.expanded()
    return x


def _samples() -> list[Any]:
    w, v = eigh.of(Leaf("x", (3, 3)))
    many, vectors = eigh.of(Leaf("x", (2, 3, 3)))
    g: Any = w.exp()
    return [
        (v * g) @ v.mT,
        v @ (g.unsqueeze(-1) * v.mT),
        v @ g.diag_embed() @ v.mT,
        (vectors * many.unsqueeze(-2)) @ vectors.mT,
    ]


@stable_form(contract, samples=_samples)
def function_of_a_matrix(node: Any) -> ArrayExpr | None:
    """`V diag(g) V^H`, with the eigenvectors V of a matrix, is a function of the matrix.

    So is `U diag(g) V^H` with singular vectors, where g may be 1.
    """
    if len(node.shape) < 2 or not _reaches_vectors(node):
        return None
    found = _product(node)
    if found is None:
        return None
    factors, read = found
    vectors = [f for f in factors if _decomposed(f.node) is not None]
    if len(vectors) != 2:
        return None
    rows = node.ndim - 2
    first, second = vectors if rows in vectors[0].labels else vectors[::-1]
    made = _decomposed(first.node)
    if made is None or _decomposed(second.node) is not made or first.node.dtype is not node.dtype:
        return None
    others = [f for f in factors if f is not first and f is not second]
    form = _of_eigenvectors if isinstance(made, eigh) else _of_singular_vectors
    function = form(first, second, made, others, node)
    if function is not None:
        for x in read:
            formula_of(x)
    return function


def _reaches_vectors(node: ArrayExpr) -> bool:
    """Return whether some factor may be a matrix of vectors; most products have none."""
    rest: list[Any] = [node]
    for _ in range(_MOST_NODES):
        if not rest:
            break
        f = _seen(rest.pop())
        if isinstance(f, (contract, mul, permute, conj, cast, reshape, diag_embed)):
            rest += f.operands
        elif isinstance(f, Result) and isinstance(f.operands[0], (eigh, thin_svd)):
            return True
    return False


def _decomposed(x: Any) -> Any:
    """Return the decomposition of which a node is a matrix of vectors; None of another node."""
    x = _seen(x)
    if isinstance(x, Result):
        made = x.operands[0]
        if isinstance(made, (eigh, thin_svd)) and x.index in made.vectors:
            return made
    return None


def _of_eigenvectors(
    first: _Factor, second: _Factor, made: Any, others: Sequence[_Factor], node: Any
) -> ArrayExpr | None:
    *lead, i, j = range(node.ndim)
    middle = first.labels[-1]
    if (
        first.labels != (*lead, i, middle)
        or second.labels != (*lead, j, middle)
        or middle in (i, j)
        or (node.dtype.is_complex and (first.conjugated or not second.conjugated))
    ):
        return None
    w, _ = made
    g = _of_spectrum(others, (*lead, middle), w)
    return None if g is None else spectral.function(g, w, first.node, *made.operands)


def _of_singular_vectors(
    first: _Factor, second: _Factor, made: Any, others: Sequence[_Factor], node: Any
) -> ArrayExpr | None:
    *lead, i, j = range(node.ndim)
    middle = first.labels[-1]
    if (
        first.labels != (*lead, i, middle)
        or second.labels != (*lead, middle, j)
        or middle in (i, j)
        or (_seen(first.node).index, _seen(second.node).index) != (0, 2)
        or (node.dtype.is_complex and (first.conjugated or second.conjugated))
    ):
        return None
    s = made[1]
    g = _of_spectrum(others, (*lead, middle), s)
    if g is None:
        return None
    return singular_spectral.function(g, first.node, s, second.node, *made.operands)


def _product(node: Any) -> tuple[list[_Factor], list[Any]] | None:
    """Return the factors of a sum of products, and the values whose formulas were read."""
    factors: list[_Factor] = []
    read: list[Any] = []
    same: dict[int, int] = {}  # names of axes that a diagonal joins
    names = itertools.count(node.ndim)
    rest = [_Factor(node, tuple(range(node.ndim)), False)]
    for _ in range(_MOST_NODES):
        if not rest:
            break
        factor = rest.pop()
        x, labels, conjugated = factor
        f = _seen(x)
        parts = _parts(f, labels, names, same)
        if parts is None:
            factors.append(factor)
            continue
        if f is not x:
            read.append(x)
        conjugated ^= type(f) is conj
        rest += [_Factor(y, theirs, conjugated) for y, theirs in parts]
    if rest:
        return None
    named = [
        f._replace(labels=tuple([None if k is None else same.get(k, k) for k in f.labels]))
        for f in factors
    ]
    return named, read


def _parts(
    f: Any, labels: Labels, names: Iterator[int], same: dict[int, int]
) -> list[tuple[Any, Labels]] | None:
    """Return the operands of a product or a movement with the names of their axes; else None."""
    if type(f) is contract:
        left, right = f.spec.split("->")
        of_letters: dict[str, int | None] = dict(zip(right, labels, strict=True))
        for letter in left.replace(",", ""):
            if letter not in of_letters:
                of_letters[letter] = next(names)
        return [
            (y, tuple([of_letters[k] for k in term]))
            for y, term in zip(f.operands, left.split(","), strict=True)
        ]
    if type(f) is mul:
        return [(y, _repeated(y, f.shape, labels)) for y in f.operands]
    x: Any = f.operands[0] if len(f.operands) == 1 else None
    if type(f) is permute:
        turned: list[int | None] = [None] * len(labels)
        for k, axis in enumerate(f.param_values[0]):
            turned[axis] = labels[k]
        return [(x, tuple(turned))]
    if type(f) is conj or (type(f) is cast and x.dtype.is_floating_point and f.dtype.is_complex):
        return [(x, labels)]
    if type(f) is reshape:
        long = [k for k, size in zip(labels, f.shape, strict=True) if size != 1]
        if [n for n in f.shape if n != 1] != [n for n in x.shape if n != 1]:
            return None
        kept = iter(long)
        return [(x, tuple([None if size == 1 else next(kept) for size in x.shape]))]
    if type(f) is diag_embed:
        _, offset, axis1, axis2 = f.param_values
        joined = labels[axis1], labels[axis2]
        if offset or None in joined or f.shape[axis1] != f.shape[axis2]:
            return None
        first, second = [same.get(k, k) for k in joined if k is not None]
        same[second] = first
        same.update({k: first for k, v in same.items() if v == second})
        others = [k for a, k in enumerate(labels) if a not in (axis1, axis2)]
        return [(x, (*others, first))]
    return None


def _repeated(y: Any, shape: Sequence[int], labels: Labels) -> Labels:
    """Return the names of the axes of an operand that broadcasts to a shape."""
    rank = len(y.shape)
    own = zip(labels[len(labels) - rank :], y.shape, shape[len(shape) - rank :], strict=True)
    return tuple([None if size == 1 != full else k for k, size, full in own])


def _of_spectrum(others: Sequence[_Factor], labels: Labels, w: ArrayExpr) -> Any:
    """Return the product of factors along the axes of the eigenvalues; None if they have others."""
    if not others:
        return broadcast_to.of(Const(1, w.dtype), w.shape)
    made: Any = None
    for factor, own, conjugated in others:
        x: Any = factor
        named = [k for k in own if k is not None]
        if conjugated and x.dtype.is_complex:
            return None
        if named != [k for k in labels if k in named]:
            return None
        sizes = iter([n for n, k in zip(x.shape, own, strict=True) if k is not None])
        if x.shape:
            x = x.reshape(tuple([next(sizes) if k in named else 1 for k in labels]))
        made = x if made is None else made * x
    made = made.broadcast_to(w.shape)
    return made if made.dtype is w.dtype else None
