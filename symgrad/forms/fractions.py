"""Formulas of numbers as one fraction of products, as SymPy factors them.

What is no power, sum or product is a letter to SymPy; in a second try exponentials and logarithms
are known to it as well. What has too many terms is left alone, so that no formula takes long.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import sympy

from symgrad.expr.atoms import Const
from symgrad.expr.graph import rebuild, toposort
from symgrad.expr.named_sizes import NamedSize
from symgrad.expr.node import ArrayExpr
from symgrad.ops.arithmetic import add, div, mul
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.exponential import exp, log
from symgrad.ops.powers import pow, sqrt

#: The most nodes of a formula that is factored, and the most terms and degree of its polynomials.
_MOST_NODES, _MOST_TERMS, _MOST_DEGREE = 80, 200, 32
#: The largest number above and below the bar of a number that is a fraction to SymPy.
_MOST_ABOVE, _MOST_PARTS = 1 << 20, 64
#: The first whole number that may have no float.
_MOST_EXACT = 1 << 53
#: A power of a number is computed where that is below two to this power.
_MOST_BITS = 1000
#: Functions by which SymPy may know a formula, in each try.
_KNOWN: tuple[tuple[Any, ...], ...] = ((), (sympy.exp, sympy.log))


def fractions_of(e: ArrayExpr) -> Iterator[ArrayExpr]:
    """Yield formulas with the value of one, which are fractions of factored polynomials.

    Each element is such a fraction, and what is not computed by elements a letter. None where the
    formula has complex numbers or too many operations.

    Examples
    --------
    >>> import symgrad
    >>> k, s, v = symgrad.symbols("k s v")
    >>> made, *_ = fractions_of(v / (k + s) - v * s / (k + s) ** 2)
    >>> made.formula()
    'v * k / (k + s)**2'
    """
    nodes = _by_elements(e)
    if len(nodes) > _MOST_NODES or not all(_is_real(x) for x in nodes):
        return
    found: set[Any] = set()
    constants = [x for x in nodes if isinstance(x, Const) and isinstance(x.value, sympy.Basic)]
    for functions in _KNOWN:
        plain, letters = _plain(nodes, functions)
        named = {x for x, node in letters.items() if node.operands}
        floats = {x for x, node in letters.items() if isinstance(node, Const)}
        for made in _fractions(plain, named) if plain.has(sympy.Add) else (plain,):
            made = _with_roots(_with_signs(_with_exponentials(made, plain), plain), plain)
            if _has_turned_exponential(made, plain) or _has_scaled(made, floats):
                continue
            node = None if made in found else _node(made, letters, constants)
            found.add(made)
            if node is None or node.dtype is not e.dtype:
                continue
            if node.shape != e.shape:
                node = broadcast_to.of(node, e.shape)
            if node is not e:
                yield node


def with_fractions(e: ArrayExpr, shortest: Callable[[Sequence[ArrayExpr]], ArrayExpr]) -> ArrayExpr:
    """Return a formula in which what is computed by elements is a fraction, where that is shorter.

    Examples
    --------
    >>> import symgrad
    >>> p, q = symgrad.leaf("p", (3,)), symgrad.leaf("q", (3,))
    >>> def shortest(es):
    ...     return min(es, key=lambda x: len(str(x)))
    >>> with_fractions(symgrad.sum(q / (p * q)), shortest)
    sum(1 / p)
    """
    made: dict[ArrayExpr, ArrayExpr] = {}
    nodes = toposort([e])
    inner = {y for x in nodes if _is_of_elements(x) for y in x.operands if y.shape == x.shape}
    for x in nodes:
        if not _is_of_elements(x) or not x.shape or x in inner:
            continue
        if any(map(_is_quotient, _by_elements(x))):
            made[x] = shortest([x, *fractions_of(x)])

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        if x in made:
            return made[x]
        same = operands == x.operands
        return x if same else x.func(*operands, *x.args[len(operands) :])

    return rebuild([e], visit)[0]  # type: ignore[no-any-return]


def _is_of_elements(x: ArrayExpr) -> bool:
    return isinstance(x, Elementwise)


def _is_real(x: ArrayExpr) -> bool:
    return isinstance(x, Const) or x.dtype.is_floating_point


def _is_quotient(x: ArrayExpr) -> bool:
    return type(x) in (div, pow)


def _by_elements(e: ArrayExpr) -> list[ArrayExpr]:
    """Return the nodes of a formula that compute its elements, and their operands."""

    def below(x: ArrayExpr) -> tuple[ArrayExpr, ...]:
        return x.operands if _is_of_elements(x) and x.shape in (e.shape, ()) else ()

    return toposort([e], below=below)


def _plain(
    nodes: list[ArrayExpr], functions: tuple[Any, ...]
) -> tuple[Any, dict[sympy.Symbol, ArrayExpr]]:
    """Return the last of the nodes in SymPy, and the letters for what is not opened."""
    known: dict[ArrayExpr, Any] = {}
    letters: dict[sympy.Symbol, ArrayExpr] = {}
    for x in nodes:
        made = _opened(x, known, functions)
        if made is None:
            made = sympy.Dummy(f"x{len(letters)}", real=True)
            letters[made] = x
        known[x] = made
    return known[nodes[-1]], letters


def _opened(x: ArrayExpr, known: Mapping[ArrayExpr, Any], functions: tuple[Any, ...]) -> Any:
    """Return a number, or an operation of those that are known, in SymPy; None for a letter."""
    if isinstance(x, Const):
        if isinstance(x.value, sympy.Basic):
            return x.value
        if isinstance(x.value, (complex, NamedSize)):
            return None
        if not math.isfinite(x.value) or not x.value:
            return None  # a zero that a user wrote stays a factor
        c = sympy.Rational(x.value)
        return c if abs(c.p) <= _MOST_ABOVE and c.q <= _MOST_PARTS else None
    if not isinstance(x, Elementwise) or not all(y in known for y in x.operands):
        return None
    try:
        shape = x.element(*[sympy.Dummy(real=True) for _ in x.operands])
        made = x.element(*[known[y] for y in x.operands])
    except ValueError:  # SymPy has none
        return None
    parts = shape.atoms(sympy.Function, sympy.core.relational.Relational)
    written = x.notation().text
    if written.startswith("where("):
        return None  # it is another formula elsewhere
    is_called = written.startswith(f"{type(x).__name__}(")
    is_known = isinstance(shape, functions) and shape.args[0].is_Symbol
    if parts and is_called and not is_known:
        return None  # a name says more
    if any(type(part) not in functions for part in parts):
        return None
    powers = made.atoms(sympy.Pow) if made.is_Pow or shape.has(sympy.Pow) else ()
    return None if any(not n.exp.is_Rational or n.exp.q > 2 for n in powers) else made


def _fractions(plain: Any, named: Collection[sympy.Symbol]) -> Iterator[Any]:
    """Yield a formula as fractions: of all of it, or beside what is none in it.

    Letters that are `named` stand for functions of others.
    """
    yield from _factored(plain)
    terms = sympy.Add.make_args(plain)
    whole = [x for x in terms if x.has(*named) and sympy.fraction(x)[1].is_number] if named else []
    if whole and len(whole) < len(terms):
        rest = sympy.Add(*[x for x in terms if x not in whole])
        yield from (sympy.Add(*whole, x, evaluate=False) for x in _factored(rest))
    sums = {x.base for x in plain.atoms(sympy.Pow) if x.base.is_Add and x.exp.is_negative}
    if sums:
        # In an order, by which SymPy decides which of two signs a factor has.
        letter = {x: sympy.Dummy(real=True) for x in sorted(sums, key=sympy.default_sort_key)}
        back = {d: x for x, d in letter.items()}
        yield from (x.xreplace(back) for x in _factored(plain.xreplace(letter)))


def _factored(plain: Any) -> Iterator[Any]:
    """Yield a formula as fractions of products, where these have not too many terms."""
    above, below = sympy.fraction(sympy.together(plain))
    sizes = [_size(above), _size(below)]
    if max(n for n, _ in sizes) <= _MOST_TERMS and max(n for _, n in sizes) <= _MOST_DEGREE:
        yield sympy.factor(above) / sympy.factor(below)
    yield sympy.factor_terms(above) / below


def _with_exponentials(e: Any, plain: Any) -> Any:
    """Return a product with an exponential of another formula, which SymPy has multiplied out."""
    factors = sympy.Mul.make_args(e)
    exponent = sympy.Add(*[x.args[0] for x in factors if isinstance(x, sympy.exp)]).expand()
    others = sympy.Mul(*[x for x in factors if not isinstance(x, sympy.exp)])
    fewest, found = len(sympy.Add.make_args(exponent)), e
    exponentials = plain.atoms(sympy.exp) if fewest > 1 else ()
    for written in sorted(exponentials, key=sympy.default_sort_key):
        rest = (exponent - written.args[0]).expand()
        terms = len(sympy.Add.make_args(rest))
        if terms < fewest:
            fewest, found = terms, others * sympy.exp(rest) * written
    return found


def _with_signs(e: Any, plain: Any) -> Any:
    """Return a product in which sums have the signs with which they stand in another formula."""
    written = plain.atoms(sympy.Add)
    turned = {x: sympy.Dummy() for x in e.atoms(sympy.Add) if x not in written and -x in written}
    return e.xreplace({x: -d for x, d in turned.items()}).xreplace(
        {d: -x for x, d in turned.items()}
    )


def _with_roots(e: Any, plain: Any) -> Any:
    """Return a formula in which what stands under a root is no fraction if it was none."""
    sums = [x.base for x in plain.atoms(sympy.Pow) if x.base.is_Add and not x.exp.is_Integer]
    known = {sympy.together(x): x for x in sums}
    roots = [x for x in e.atoms(sympy.Pow) if x.base in known and not x.exp.is_Integer]
    return e.xreplace({x: known[x.base] ** x.exp for x in roots})


def _has_turned_exponential(e: Any, plain: Any) -> bool:
    """Return whether a formula has the reciprocal of a bell curve that another formula has."""
    written = {x.args[0] for x in plain.atoms(sympy.exp)}
    found = {x.args[0] for x in e.atoms(sympy.exp)} - written
    return any(-x in written and _has_square(x) for x in found)


def _has_scaled(e: Any, floats: Collection[sympy.Symbol]) -> bool:
    """Return whether a sum has the multiple of a float, which would be another float."""
    if not floats:
        return False
    terms = [x.as_coeff_Mul() for total in e.atoms(sympy.Add) for x in total.args]
    return any(abs(c) != 1 and rest.has(*floats) for c, rest in terms)


def _has_square(e: Any) -> bool:
    return any(x.exp.is_even and x.exp > 0 for x in e.atoms(sympy.Pow))


def _size(e: Any) -> tuple[int, int]:
    """Return how many terms, and which degree, a formula has at most when it is multiplied out."""
    known: dict[Any, tuple[int, int]] = {}
    for x in sympy.postorder_traversal(e):
        terms, degrees = zip(*[known[y] for y in x.args], strict=True) if x.args else ((1,), (1,))
        if x.is_Add:
            known[x] = sum(terms), max(degrees)
        elif x.is_Mul:
            known[x] = math.prod(terms), sum(degrees)
        elif x.is_Pow and x.exp.is_Integer:
            n = abs(int(x.exp))
            known[x] = math.comb(terms[0] + n - 1, n), n * degrees[0]
        else:
            is_product = isinstance(x, sympy.exp) and terms[0] <= _MOST_TERMS
            known[x] = 1, _factors(x) if is_product else terms[0]
    return known[e]


def _factors(e: Any) -> int:
    """Return how many factors an exponential has whose exponent is multiplied out."""
    counts = e.args[0].expand().as_coefficients_dict().values()
    return sum(int(abs(c.p)) for c in counts)


def _node(
    e: Any, letters: Mapping[sympy.Symbol, ArrayExpr], constants: Sequence[Const]
) -> ArrayExpr | None:
    """Return a formula of SymPy's with letters as a node; None where it has something else.

    A product with one of the constants has that as it is written, and not its factors.
    """
    known: dict[Any, Any] = {**letters}
    for x in sympy.postorder_traversal(e):
        if x in known:
            continue
        if x.is_Rational:
            if max(abs(x.p), x.q) > _MOST_EXACT:
                return None
            known[x] = Const(int(x)) if x.is_Integer else div.of(Const(int(x.p)), Const(int(x.q)))
        elif x.is_number and not x.has(sympy.log):
            known[x] = Const(x)
        elif x.is_Add or x.is_Mul:
            known[x] = _joined(x if x.is_Add else _with_constant(x, constants, known), known)
        elif x.is_Pow and x.exp.is_Rational:
            if _has_no_float(known[x.base], x.exp):
                return None
            known[x] = _power(known[x.base], x.exp)
            if _is_below(x):
                known[1 / x] = _power(known[x.base], -x.exp)
        elif isinstance(x, (sympy.exp, sympy.log)):
            known[x] = (exp if isinstance(x, sympy.exp) else log).of(known[x.args[0]])
        else:
            return None
    return known[e]  # type: ignore[no-any-return]


def _with_constant(e: Any, constants: Sequence[Const], known: dict[Any, ArrayExpr]) -> Any:
    numbers = [x for x in e.args if x.is_number]
    if len(numbers) < 2:
        return e
    for c in constants:
        for sign in (1, -1):
            rest = sympy.Mul(*numbers) / c.value.doit() ** sign
            if rest.is_Rational and (rest == 1 or rest in known):
                letter = sympy.Dummy(positive=True)
                known[letter], known[1 / letter] = c, div.of(Const(1), c)
                return sympy.Mul(rest, letter**sign, *[x for x in e.args if not x.is_number])
    return e


def _joined(e: Any, known: dict[Any, ArrayExpr]) -> ArrayExpr:
    args = sorted(e.args, key=_signs_last)
    numbers = [x for x in args if x.is_number] if e.is_Mul else []
    if len(numbers) > 1:
        whole = sympy.Mul(*numbers)
        known[whole] = Const(whole)
        args = [whole, *[x for x in args if not x.is_number]]
    below = [x for x in args if e.is_Mul and _is_below(x) and 1 / x in known]
    above = [known[x] for x in args if x not in below] or [Const(1)]
    made = functools.reduce(add.of if e.is_Add else mul.of, above)
    if below:
        made = div.of(made, functools.reduce(mul.of, [known[1 / x] for x in below]))
    return made


def _is_below(x: Any) -> bool:
    is_power = x.is_Pow and x.exp.is_Rational and x.exp < 0
    return bool(is_power and (not x.base.is_number or x.base.has(sympy.log)))


def _signs_last(x: Any) -> bool:
    return bool(x.could_extract_minus_sign())


def _has_no_float(base: ArrayExpr, n: Any) -> bool:
    c = base.value if isinstance(base, Const) else None
    return isinstance(c, (int, float)) and bool(c and abs(n * math.log2(abs(c))) >= _MOST_BITS)


def _power(base: ArrayExpr, n: Any) -> ArrayExpr:
    if n < 0:
        return div.of(Const(1), _power(base, -n))
    if n == sympy.S.Half:
        return sqrt.of(base)
    if isinstance(base, Const) and isinstance(base.value, float) and n.is_Integer:
        return Const(base.value ** int(n))
    return base if n == 1 else pow.of(base, Const(int(n) if n.is_Integer else float(n)))
