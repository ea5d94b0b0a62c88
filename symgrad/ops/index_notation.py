r"""Arrays of three and more axes in LaTeX: by their elements, as $\left[\delta_{ij} \, x_{k}\right]_{ijk}$.

What is a sum of products of elements stands in one bracket, and the letters of its axes are said
once, below it. A letter is the number of an axis here: those of the result come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence, axes_latex, braces, constant_latex
from symgrad.expr.written import size_latex

#: The most terms of a sum that stands in one bracket.
MOST_TERMS = 12


class Summand(NamedTuple):
    """A product of elements, summed over letters that the result has not.

    Attributes
    ----------
    factors : tuple
        Arrays, each with the letters of its axes.
    deltas : tuple
        Pairs of letters that are equal, with their length.
    ones : tuple
        Letters along which the product repeats, with their length, where no factor has it.
    summed : tuple of int
        The letters of the sum.
    numbers : tuple
        Numbers by which the product is multiplied.
    sign : int
        1, or -1 for a term that is taken away.
    """

    factors: tuple[tuple[ArrayExpr, tuple[int, ...]], ...]
    deltas: tuple[tuple[int, int, int], ...] = ()
    ones: tuple[tuple[int, int], ...] = ()
    summed: tuple[int, ...] = ()
    numbers: tuple[ArrayExpr, ...] = ()
    sign: int = 1


def within(t: Summand, inner: Summand, axes: Sequence[int]) -> Summand:
    """Return a term times an array that is a term itself, of which `axes` are the letters."""
    first = 1 + max([*axes, *t.summed, *[k for pair in t.deltas for k in pair[:2]]])
    of = {k: first + i for i, k in enumerate(inner.summed)} | dict(enumerate(axes))
    return t._replace(
        factors=(*t.factors, *[(x, tuple([of[k] for k in ks])) for x, ks in inner.factors]),
        deltas=(*t.deltas, *[(of[i], of[j], n) for i, j, n in inner.deltas]),
        ones=(*t.ones, *[(of[i], n) for i, n in inner.ones]),
        summed=(*t.summed, *[of[k] for k in inner.summed]),
    )


def with_letters(notation: Notation, summands: Sequence[Summand] | None, rank: int) -> Notation:
    """Return a notation with the LaTeX of a sum of products of elements, if the node is one."""
    if summands is None:
        return notation
    return notation._replace(typeset=latex(summands, rank), of_arrays=())


def latex(summands: Sequence[Summand], rank: int) -> Latex:
    r"""Return the LaTeX of a sum of products of elements, which has `rank` axes.

    A pair of equal letters is $\delta_{ij}$, or an element of $\mathrm{I}_{n}$ where nothing else
    tells the length of these letters.
    """
    known = {k for t in summands for _, axes in t.factors for k in axes if k < rank}
    known |= {k for t in summands for k, _ in t.ones}
    shown: list[ArrayExpr] = []
    text, terms = "", []
    for t in summands:
        terms += [len(shown)] * bool(t.numbers)
        own = known | {k for _, axes in t.factors for k in axes}
        body = _term(t, own, shown)
        join = (" + " if t.sign > 0 else " - ") if text else "- " * (t.sign < 0)
        text += join + body
    needed = (Precedence.PRODUCT,) * len(shown)
    if not rank:
        return Latex(text, Precedence.LARGE, needed, tuple(shown), terms=tuple(terms))
    whole = rf"\left[{text}\right]{_low(range(rank))}"
    return Latex(whole, Precedence.ATOM, needed, tuple(shown), terms=tuple(terms))


def _term(t: Summand, known: set[int], shown: list[ArrayExpr]) -> str:
    """Return the template of a term, and add what it shows to `shown`."""
    parts = []
    for i, j, n in t.deltas:
        is_known = i in known or j in known
        size = braces(size_latex(n))
        identity = r"\delta" if is_known else rf"\left(\mathrm{{{{I}}}}_{{{{{size}}}}}\right)"
        parts.append(identity + _low((i, j)))
    for i, n in t.ones:
        parts.append(rf"\left({constant_latex('1', (n,))}\right){_low((i,))}")
    factors = [*[(x, ()) for x in t.numbers], *t.factors]
    places = [f"{{{len(shown) + i}}}" + _low(axes) for i, (_, axes) in enumerate(factors)]
    shown += [x for x, _ in factors]
    before, after = places[: len(t.numbers)], places[len(t.numbers) :]
    large = braces(rf"\sum_{{{axes_latex(t.summed)}}} ") if t.summed else ""
    product = large + r" \, ".join([*parts, *after])
    return r" \, ".join([*before, product] if product else [*before] or ["1"])


def _low(axes: Sequence[int]) -> str:
    shown = axes_latex(axes)
    listed = shown if "_" in shown else shown.replace(",", "")
    return braces(f"_{{{listed}}}") if axes else ""
