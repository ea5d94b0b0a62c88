"""How expressions read: text and LaTeX, from the `Notation` that each operation states.

A shared part that is more than a small formula of one input is written once, as a definition
(`t1 = exp(x)`) above the result, and so is any part that has become too long or too deep. The
output therefore grows with the number of nodes, never with the number of paths, and nothing
recurses.
"""

from __future__ import annotations

import cmath
import functools
import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy
from sympy.core.basic import Basic
from sympy.printing.precedence import precedence
from sympy.printing.pretty.stringpict import prettyForm

from numeric.literal import array_literal, literal
from symgrad.expr.dtypes import bool_, dtype, float64, int64
from symgrad.expr.escaping import latex_text
from symgrad.expr.graph import leaves, toposort
from symgrad.expr.node import ArrayConst, ArrayExpr, Const, Leaf
from symgrad.expr.notation import Notation, Precedence
from symgrad.expr.written import binds, number_text
from symgrad.support.quiet import quietly

__all__ = ["PRINTED", "latex", "latex_lines", "lines", "srepr", "text"]

_SHOWN = 64  # elements of a constant array that are written out
_DEPTH = 24  # operations nested in one line; Python itself stops at 200 parentheses
_ABBREVIATED = 2000  # nodes from which repr() only says how many there are


class Piece(NamedTuple):
    """A part that is printed: its text, how tightly it binds, how deep it nests."""

    text: str
    level: int
    depth: int = 0


class Style(NamedTuple):
    """What text and LaTeX do differently."""

    atom: Callable[[ArrayExpr], Piece]
    template: Callable[[Notation], str]
    brackets: str
    name: str
    #: How long a part may grow before it is written as a definition.
    length: int
    #: Whether braces around an operand already delimit it.
    braced: bool
    #: Whether Python reads it.
    reads_back: bool


class Let(NamedTuple):
    """Expressions as printed: definitions in order, then the results."""

    definitions: tuple[tuple[str, str], ...]
    results: tuple[str, ...]

    @property
    def result(self) -> str:
        """The result of one expression."""
        return self.results[0]


class Forms(NamedTuple):
    """How the nodes of expressions are written."""

    #: Their printed forms, of those that have operands and are written themselves.
    of: dict[ArrayExpr, Notation]
    #: The node itself, or the one that it prints as.
    shown: dict[ArrayExpr, ArrayExpr]
    #: Those in which a number has to say its dtype.
    typed: set[ArrayExpr]
    #: What Python computes as a number.
    numbers: set[ArrayExpr]


def write(roots: Sequence[ArrayExpr], style: Style) -> Let:
    """Print expressions in a style, with the definitions that they share."""
    formulas: dict[ArrayExpr, ArrayExpr] = {}

    def below(x: ArrayExpr) -> Sequence[ArrayExpr]:
        if x.is_known_by_formula:
            formulas[x] = made = x.expanded()
            return (made,)
        return x.operands

    order = toposort(roots, below=below)
    forms = _forms(order, formulas, style)
    shown = forms.shown
    uses: dict[ArrayExpr, int] = dict.fromkeys(order, 0)
    for node, form in forms.of.items():
        for i in _holes(style.template(form)):
            uses[shown[node.operands[i]]] += 1
    taken = {style.atom(x).text for x in leaves(*roots)}
    pieces: dict[ArrayExpr, Piece] = {}
    definitions: list[tuple[str, str]] = []
    count = 0
    last = {shown[x] for x in roots}
    for node in order:
        if shown[node] is not node or not (uses[node] or node in last):
            continue
        if node in forms.of:
            parts = [pieces.get(shown[x]) for x in node.operands]
            if node in forms.typed:
                parts = [_typed(x, y, forms) for x, y in zip(node.operands, parts, strict=True)]
            piece = _fill(forms.of[node], parts, style)
        else:
            piece = style.atom(node)
        long = len(piece.text) > style.length or piece.depth > _DEPTH
        if not isinstance(node, Leaf) and (
            (long and uses[node]) or (uses[node] > 1 and not _tiny(node, piece, forms.of))
        ):
            count += 1
            while (name := style.name.format(count)) in taken:
                count += 1
            definitions.append((name, piece.text))
            piece = Piece(name, Precedence.ATOM)
        pieces[node] = piece
    return Let(tuple(definitions), tuple([pieces[shown[x]].text for x in roots]))


def _forms(
    order: Iterable[ArrayExpr], formulas: Mapping[ArrayExpr, ArrayExpr], style: Style
) -> Forms:
    forms = Forms({}, {}, set(), set())
    constant: set[ArrayExpr] = set()  # what is made of numbers and arrays alone
    for node in order:
        if node in formulas:
            forms.shown[node] = forms.shown[formulas[node]]
            continue
        if not node.operands:
            forms.shown[node] = node
            if not isinstance(node, Leaf):
                constant.add(node)
            if isinstance(node, Const):
                forms.numbers.add(node)
            continue
        form: Notation = node.notation()
        if style.template(form) == "{0}":
            forms.shown[node] = shown = forms.shown[node.operands[0]]
            for known in (constant, forms.numbers):
                if shown in known:
                    known.add(node)
            continue
        if style.reads_back:
            form = _read_back(node, form, constant, forms)
        forms.shown[node] = node
        forms.of[node] = form
    return forms


_CALL = re.compile(r"[A-Za-z_][\w.]*\(\[?\{0\}|\{0\}[.\[]")


def _read_back(node: Any, form: Notation, constant: set[ArrayExpr], forms: Forms) -> Notation:
    """Return the form in which Python reads the node back where its operands are constants."""
    if all(x in constant for x in node.operands):
        constant.add(node)
    if node.operands[0] in constant and _CALL.match(form.text):
        # Functions take no number or array for their first operand; operations do.
        forms.typed.add(node)
        return form._replace(
            text=node.call_text(operation=True), level=Precedence.ATOM, operands=()
        )
    if all(x in forms.numbers for x in node.operands) and form.level < Precedence.ATOM:
        forms.numbers.add(node)  # an operator between numbers
    elif "dtype=" not in form.text and _loses_dtype(node, forms):
        forms.typed.add(node)
    return form


def _loses_dtype(node: Any, forms: Forms) -> bool:
    """Whether the dtype of a node comes from numbers whose text does not say theirs."""
    operands = [_as_read(x) if x in forms.numbers else x for x in node.operands]
    if all(x is y for x, y in zip(operands, node.operands, strict=True)):
        return False
    # Of several results there are several dtypes.
    return bool(node.infer(*operands, *node.param_values)[1] != getattr(node, "dtypes", node.dtype))


def _as_read(x: ArrayExpr) -> Const:
    """Return a number of the kind that Python makes of the text of `x`."""
    if isinstance(x, Const):
        return Const(x.value)
    return Const((True, 1, 1.0, 1j)[x.dtype.category])


def _typed(x: ArrayExpr, piece: Piece | None, forms: Forms) -> Piece | None:
    """Write a number that has a dtype of its own as an array of it."""
    if piece is None or x.weak or x not in forms.numbers:
        return piece
    if isinstance(x, Const):
        return Piece(_text_array(np.asarray(x.number, x.dtype.numpy)), Precedence.ATOM)
    return Piece(f"array({piece.text}, dtype={x.dtype.numpy.name!r})", Precedence.ATOM, piece.depth)


def _tiny(node: ArrayExpr, piece: Piece, forms: dict[ArrayExpr, Notation]) -> bool:
    """Whether a shared part is repeated, not named: atoms, `-x`, `2 * x`, `x**2`, `x > 0`."""
    form = forms.get(node)
    if form is None:
        return len(piece.text) <= 24
    inputs = [x for x in node.operands if not isinstance(x, Const)]
    return form.level < Precedence.ATOM and len(inputs) <= 1 and all(not x.operands for x in inputs)


def _fill(form: Notation, operands: list[Piece | None], style: Style) -> Piece:
    template = style.template(form)
    braced = _braced(template) if style.braced else frozenset()
    texts: list[str] = []
    depth = 0
    for i, piece in enumerate(operands):
        if piece is None:  # an operand that the form does not show
            texts.append("")
            continue
        needed = form.operands[i] if i < len(form.operands) else 0
        weak = piece.level < needed and i not in braced
        texts.append(style.brackets.format(piece.text) if weak else piece.text)
        depth = max(depth, piece.depth)
    # A fraction in LaTeX delimits itself, except as the base of a power.
    level = Precedence.UNARY if template.startswith(r"\frac{{") else form.level
    return Piece(template.format(*texts), level, depth + 1)


@functools.lru_cache(maxsize=4096)
def _holes(template: str) -> tuple[int, ...]:
    """Return which operands a template shows, as often as it does."""
    return tuple(
        int(name) for _, name, _, _ in string.Formatter().parse(template) if name is not None
    )


@functools.lru_cache(maxsize=4096)
def _braced(template: str) -> frozenset[int]:
    """Return the operands that stand alone in literal braces, as in a fraction."""
    return frozenset(i for i in _holes(template) if f"{{{{{{{i}}}}}}}" in template)


# -- text ----------------------------------------------------------------------------------------


def _text_atom(node: ArrayExpr) -> Piece:
    if isinstance(node, Leaf):
        return Piece(node.name, Precedence.ATOM)
    if isinstance(node, Const):
        return _text_number(node.value)
    assert isinstance(node, ArrayConst)
    return Piece(_text_array(node.value), Precedence.ATOM)


def _text_number(value: Any) -> Piece:
    text = number_text(value)
    return Piece(text, _LEVELS[binds(text)])


_LEVELS = {
    "sum": Precedence.SUM,
    "product": Precedence.PRODUCT,
    "unary": Precedence.UNARY,
    "power": Precedence.POWER,
    "atom": Precedence.ATOM,
}


def _sympy_level(value: Basic) -> int:
    """Place SymPy's precedence on our scale."""
    binds = precedence(value)
    if binds >= 1000:
        return Precedence.ATOM
    if value.could_extract_minus_sign() and binds < 50:
        return Precedence.SUM
    return (
        Precedence.POWER if binds >= 60 else Precedence.PRODUCT if binds >= 50 else Precedence.SUM
    )


def _text_array(array: np.ndarray[Any, Any]) -> str:
    """Write an array as its constructor; a large one by its corners, as NumPy does."""
    if array.size > _SHOWN:
        write = functools.partial(
            np.array2string, array, 10**6, separator=", ", threshold=_SHOWN, edgeitems=2
        )
        values = " ".join(quietly(write).split())
        return f"array({values}, shape={array.shape})"
    # Python's own numbers where they have this dtype: array([1.0, 2.0]), not np.float32(…).
    plain = array.dtype in (float64.numpy, int64.numpy, bool_.numpy) and array.size
    if plain:
        return f"array({_nested(array)})"
    if not array.size:
        return f"array([], dtype='{array.dtype.name}', shape={literal(array.shape)})"
    return f"array({_nested(array)}, dtype='{array.dtype.name}')"


def _nested(array: np.ndarray[Any, Any]) -> str:
    body = array_literal(array).removeprefix("np.array(").rpartition(", dtype=")[0]
    return body.replace("np.", "").replace("complex(", "builtins.complex(")


TEXT = Style(
    _text_atom,
    lambda form: form.text,
    "({})",
    "t{}",
    160,
    braced=False,
    reads_back=True,
)


def text(e: ArrayExpr) -> str:
    """Return the formula as text: definitions `t1 = …`, one a line, then the result.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x")
    >>> print(text(x.exp() / (1 + x.exp())))
    t1 = exp(x)
    t1 / (1 + t1)
    """
    let = write([e], TEXT)
    return "\n".join([*(f"{name} = {value}" for name, value in let.definitions), let.result])


def lines(labels: Sequence[str], es: Sequence[ArrayExpr]) -> str:
    """Return the text of several formulas: the definitions that they share, then `label = …`.

    Examples
    --------
    >>> import symgrad
    >>> t = symgrad.leaf("x").exp()
    >>> print(lines(["a", "b"], [t.sin(), t * t]))
    t1 = exp(x)
    a = sin(t1)
    b = t1 * t1
    """
    let = write(es, TEXT)
    shown = [*let.definitions, *zip(labels, let.results, strict=True)]
    return "\n".join([f"{name} = {value}" for name, value in shown])


def latex_lines(labels: Sequence[str], es: Sequence[ArrayExpr]) -> str:
    """Return LaTeX of several formulas: the definitions that they share, then `label = …`."""
    let = write(es, LATEX)
    shown = [*let.definitions, *zip(labels, let.results, strict=True)]
    body = " \\\\\n".join([f"{name} &= {value}" for name, value in shown])
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


def _repr(e: ArrayExpr) -> str:
    count = len(toposort([e]))
    if count <= _ABBREVIATED:
        return text(e)
    return (
        f"<an expression of {count} nodes, shape {e.shape}, {e.dtype.name}; str() gives its text>"
    )


def _sympystr(e: ArrayExpr, printer: Any) -> str:
    let = write([e], TEXT)
    if not let.definitions or printer._print_level <= 1:
        return "\n".join([*(f"{name} = {value}" for name, value in let.definitions), let.result])
    # Inside a list or a matrix a formula keeps to its line.
    given = "; ".join(f"{name} = {value}" for name, value in let.definitions)
    return f"({let.result} where {given})"


def _pretty(e: ArrayExpr, printer: Any) -> prettyForm:
    return prettyForm(_sympystr(e, printer))


# -- LaTeX ---------------------------------------------------------------------------------------


def _latex_atom(node: ArrayExpr) -> Piece:
    if isinstance(node, Leaf):
        return Piece(_latex_name(node.name), Precedence.ATOM)
    if isinstance(node, Const):
        return _latex_number(node.value)
    assert isinstance(node, ArrayConst)
    return Piece(_latex_array(node.value), Precedence.ATOM)


@functools.lru_cache(maxsize=4096)
def _latex_name(name: str) -> str:
    """Return what SymPy makes of a symbol's name: Greek letters, subscripts."""
    stem = name.strip("_")
    if stem != name or "__" in name:
        # SymPy reads these as empty or super scripts, which LaTeX refuses or shows as a power.
        return r"\mathrm{" + latex_text(name) + "}"
    return str(sympy.latex(sympy.Symbol(name)))


def _latex_number(value: Any) -> Piece:
    if isinstance(value, bool):
        return Piece(rf"\text{{{value}}}", Precedence.ATOM)
    if isinstance(value, Basic):
        level = _sympy_level(value)
        return Piece(
            sympy.latex(value),
            Precedence.PRODUCT if level == Precedence.SUM and not value.is_Add else level,
        )
    if isinstance(value, complex) and not cmath.isfinite(value):
        return Piece(rf"\text{{{number_text(value)}}}", Precedence.ATOM)
    shown = str(sympy.latex(sympy.sympify(value)))
    if isinstance(value, complex):
        return Piece(shown, Precedence.SUM)
    if value < 0:
        return Piece(shown, Precedence.UNARY)
    return Piece(shown, Precedence.PRODUCT if r"\cdot" in shown else Precedence.ATOM)


def _latex_array(array: np.ndarray[Any, Any]) -> str:
    if array.size > 16 or array.ndim > 2 or not array.size:
        shape = r" \times ".join(map(str, array.shape)) or "()"
        return rf"\text{{array}}_{{{shape}}}"
    rows = np.atleast_2d(array)
    body = r" \\ ".join(" & ".join(_latex_number(x).text for x in row.tolist()) for row in rows)
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"


LATEX = Style(
    _latex_atom,
    lambda form: form.latex,
    r"\left({}\right)",
    "t_{{{}}}",
    400,
    braced=True,
    reads_back=False,
)


def latex(e: ArrayExpr) -> str:
    r"""Return the formula as LaTeX: one formula, or an `aligned` block with its definitions.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x_1")
    >>> print(latex((x + 1) / 2))
    \frac{x_{1} + 1}{2}
    """
    let = write([e], LATEX)
    if not let.definitions:
        return let.result
    lines = [rf"{name} &= {value} \\" for name, value in let.definitions]
    return "\n".join([r"\begin{aligned}", *lines, f"& {let.result}", r"\end{aligned}"])


def _latex(e: ArrayExpr, printer: Any) -> str:
    return latex(e)


def _repr_latex_(e: ArrayExpr) -> str:
    return rf"$\displaystyle {latex(e)}$"


# -- source that rebuilds the nodes --------------------------------------------------------------


def srepr(e: ArrayExpr) -> str:
    """Return Python source that makes this very node, flat: one entry for each node.

    It evaluates where `symgrad`, `np` and, for exact numbers, SymPy's names are known.

    Examples
    --------
    >>> import numpy as np
    >>> import symgrad
    >>> x = symgrad.leaf("x")
    >>> source = srepr(x.exp())
    >>> source
    "symgrad.forms.services.from_table([('leaf', 'x', (), symgrad.float64), ('exp', (0,), ())])"
    """
    number: dict[ArrayExpr, int] = {}
    entries: list[str] = []
    for node in toposort([e]):
        number[node] = len(number)
        if isinstance(node, Leaf):
            entries.append(f"('leaf', {node.name!r}, {node.shape!r}, {_value(node.dtype)})")
        elif isinstance(node, Const):
            kind = "None" if node.weak else _value(node.dtype)
            entries.append(f"('const', {_value(node.value)}, {kind})")
        elif isinstance(node, ArrayConst):
            entries.append(f"('array', {array_literal(node.value)})")
        else:
            operands = tuple(number[x] for x in node.operands)
            params = _value(tuple(p.value for p in node.args[len(operands) :]))
            entries.append(f"({node.constructor()}, {operands!r}, {params})")
    return f"symgrad.forms.services.from_table([{', '.join(entries)}])"


def _value(value: Any) -> str:
    """Return source of a parameter or a number."""
    if isinstance(value, dtype):
        return "symgrad.bool_" if value is bool_ else f"symgrad.{value.name}"
    if isinstance(value, Basic):
        return str(sympy.srepr(value))
    if type(value) is tuple:  # parameters nest only as deep as an index does
        return f"({', '.join(map(_value, value))}{',' if len(value) == 1 else ''})"
    return literal(value)


def _sympyrepr(e: ArrayExpr, printer: Any) -> str:
    return srepr(e)


#: How formulas print themselves, for Python, for SymPy's printers and for notebooks.
PRINTED: dict[str, Any] = {
    "__str__": text,
    "__repr__": _repr,
    "_sympystr": _sympystr,
    "_pretty": _pretty,
    "_latex": _latex,
    "_repr_latex_": _repr_latex_,
    "_sympyrepr": _sympyrepr,
    "latex": latex,
}
