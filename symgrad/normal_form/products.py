"""Products of powers of factors: what makes them equal, and the order in which they are computed.

Which products are *equal* is decided by the factors as a sorted tuple, each with its labels and its
powers above and below the fraction bar. What is *computed* is the tree of multiplications and
divisions that was first met: `x*f*x` is no `x**2 * f`, whose square may be infinite where `f` is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from symgrad.normal_form.labels import UNIT, Labels
from symgrad.ops.arithmetic import div, mul
from symgrad.ops.powers import pow

#: The number of an atom, a label for each of its axes, powers above and below the fraction bar. The
#: numbers of named sizes are negative.
Factor = tuple[int, Labels, int, int]
#: Output labels, and factors in ascending order.
Product = tuple[Labels, tuple[Factor, ...]]


class Single(NamedTuple):
    """A factor by itself in a tree: an atom and its labels."""

    atom: int
    labels: Labels


class Step(NamedTuple):
    """An operation in a tree.

    Attributes
    ----------
    op : type
        `mul`, `div` or `pow`.
    first : Tree
        The first operand; None is the number one.
    second : Tree or int
        The second operand, or the exponent of a power, which is positive.
    size : int
        The number of factors, powers and reciprocals in the tree.
    """

    op: Any
    first: Any
    second: Any
    size: int


#: The order in which a product is computed; None is the number one.
Tree: TypeAlias = Single | Step | None


def size_of(tree: Tree) -> int:
    """Return the number of factors, powers and reciprocals in a tree."""
    return tree.size if type(tree) is Step else tree is not None


def times(u: Tree, v: Tree) -> Tree:
    """Return the tree of a product; one by a reciprocal is a quotient."""
    if u is None or v is None:
        return u or v
    if type(v) is Step and v.op is div and v.first is None:
        return over(u, v.second)
    if type(u) is Step and u.op is div and u.first is None:
        return over(v, u.second)
    return Step(mul, u, v, size_of(u) + size_of(v))


def over(u: Tree, v: Tree) -> Tree:
    """Return the tree of a quotient."""
    if v is None:
        return u
    if type(v) is Step and v.op is div and v.first is None:
        return times(u, v.second)
    return Step(div, u, v, size_of(u) + size_of(v) + (u is None))


def raised(u: Tree, n: int) -> Tree:
    """Return the tree of a power."""
    if n < 0:
        return over(None, raised(u, -n))
    return u if n == 1 or u is None else Step(pow, u, n, size_of(u) + 1)


def relabelled(tree: Tree, name: Mapping[Any, Any]) -> Tree:
    """Return a tree with other labels. A tree is small, so this may recurse."""
    if type(tree) is Single:
        return Single(tree.atom, tuple([name[k] for k in tree.labels]))
    if type(tree) is not Step:
        return tree
    second = tree.second if tree.op is pow else relabelled(tree.second, name)
    return Step(tree.op, relabelled(tree.first, name), second, tree.size)


def replaced(tree: Tree, old: Single, new: Single) -> Tree:
    """Return a tree with another factor in the places of one."""
    if type(tree) is not Step:
        return new if tree == old else tree
    second = tree.second if tree.op is pow else replaced(tree.second, old, new)
    return Step(tree.op, replaced(tree.first, old, new), second, tree.size)


def singles(tree: Tree) -> list[tuple[Single, int]]:
    """Return the factors of a tree in the order of computation, each with its power."""
    if type(tree) is Single:  # most trees are
        return [(tree, 1)]
    found: list[tuple[Single, int]] = []
    left: list[tuple[Any, int]] = [(tree, 1)]
    while left:
        part, n = left.pop()
        if type(part) is Single:
            found.append((part, n))
        elif part is not None:
            op, first, second, _ = part
            if op is pow:
                left.append((first, n * second))
            else:
                left += [(second, -n if op is div else n), (first, n)]
    return found


def labels_of(tree: Tree) -> set[Any]:
    """Return the labels of the axes of a tree that are longer than one."""
    found = set(tree.labels) if type(tree) is Single else set()
    if type(tree) is Step:
        found = {k for single, _ in singles(tree) for k in single.labels}
    found.discard(UNIT)
    return found


def multiplied(trees: Iterable[Tree]) -> Tree:
    """Return the tree of the product of trees, from the first to the last."""
    made: Tree = None
    for tree in trees:
        made = times(made, tree)
    return made


def split(
    tree: Tree, whole: Callable[[Any], bool], above: bool = True
) -> Iterator[tuple[Tree, bool]]:
    """Yield the parts of a tree that are `whole`, each with whether it stands above the bar."""
    if type(tree) is Step and not whole(tree):
        if tree.op is pow:
            for part, side in split(tree.first, whole, above):
                yield raised(part, tree.second), side
        else:
            yield from split(tree.first, whole, above)
            yield from split(tree.second, whole, above != (tree.op is div))
    elif tree is not None:
        yield tree, above


def without_one(tree: Tree, single: Single) -> tuple[Tree, bool]:
    """Return a tree without one factor above the bar, and whether there was one."""
    if tree == single:
        return None, True
    if type(tree) is not Step or tree.op is pow:
        return tree, False
    first, found = without_one(tree.first, single)
    if found:
        return (over if tree.op is div else times)(first, tree.second), True
    if tree.op is mul:
        second, found = without_one(tree.second, single)
        return times(tree.first, second), found
    return tree, False


def without_cancelled(tree: Tree, factors: Iterable[Factor]) -> Tree:
    """Return a tree with no more of each factor than a product has.

    Divisors stay between the factors, as in `c*a/t*c/t`.
    """
    left = {(atom, labels): [p, q] for atom, labels, p, q in factors}
    made: Tree = None
    for single, n in singles(tree):
        counts = left.get((single.atom, single.labels))
        if counts is None:
            continue
        side = n < 0
        kept = min(abs(n), counts[side])
        if kept:
            counts[side] -= kept
            part = raised(single, kept)
            made = over(made, part) if side else times(made, part)
    return made


def reduced_powers(p: int, q: int) -> tuple[int, int]:
    """Return the powers above and below the bar without what may be cancelled.

    `x / x**3` is `1 / x**2`, which is infinite where the quotient is nan. But `x**3 / x` keeps one
    `x / x`, whose nan at 0 and at infinity would be hidden otherwise.
    """
    if p and q:
        return (0, q - p) if p < q else (p - q + 1, 1)
    return p, q


def cancelled_powers(p: int, q: int) -> tuple[int, int]:
    """Return the powers of what is neither zero nor infinite, as a named size or a letter."""
    return max(p - q, 0), max(q - p, 0)


def merged(factors: Sequence[Factor], wholly: bool = False) -> tuple[list[Factor], bool]:
    """Return factors with equal ones as one power, and whether some were cancelled.

    They are cancelled `wholly` where a nan need not be seen.
    """
    if len(factors) < 2:
        return list(factors), False
    powers: dict[Any, tuple[int, int]] = {}
    cancelled = False
    for atom, labels, p, q in factors:
        key = atom, labels
        found = powers.get(key)
        if found is not None:
            p, q = found[0] + p, found[1] + q
            if p and q:
                reduced = (cancelled_powers if wholly or atom < 0 else reduced_powers)(p, q)
                cancelled |= reduced != (p, q)
                p, q = reduced
        powers[key] = p, q
    return [(atom, ks, p, q) for (atom, ks), (p, q) in powers.items() if p or q], cancelled


#: For the number of an atom the orders of its axes in which it is the same, the usual one first.
Symmetries = Mapping[int, Sequence[Sequence[int]]]


def canonical(
    out: Sequence[Any], factors: Sequence[Any], symmetries: Symmetries
) -> tuple[Product, Mapping[Any, int]]:
    """Return a product with labels in the order of the output, and the new name of each label."""
    name: dict[Any, int] = {UNIT: UNIT}
    for k in out:
        if k not in name:
            name[k] = len(name) - 1
    made = renamed(factors, name, symmetries)
    return (tuple([name[k] for k in out]), tuple(made)), name


def renamed(
    factors: Sequence[Any], name: Mapping[Any, int], symmetries: Symmetries
) -> list[Factor]:
    """Return factors with other labels, sorted; those of symmetric atoms in their least order."""
    made = [(a, tuple([name[k] for k in ks]), p, q) for a, ks, p, q in factors]
    return in_order(made, symmetries)


def in_order(factors: Sequence[Factor], symmetries: Symmetries) -> list[Factor]:
    """Return factors sorted; those of symmetric atoms with their labels in the least order."""
    if symmetries:
        factors = [
            (a, min([tuple([ks[i] for i in order]) for order in symmetries[a]]), p, q)
            if a in symmetries
            else (a, ks, p, q)
            for a, ks, p, q in factors
        ]
    return sorted(factors)
