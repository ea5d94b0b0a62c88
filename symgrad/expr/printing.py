"""The text and the LaTeX of expressions, from the `Notation` that each operation states.

A shared part is written once, as a definition (`t1 = exp(x)`) above the result, unless it is a
small formula of one input. A part that is too long or too deep is written as a definition as well.
Therefore the length of the output grows with the number of nodes, not with the number of paths, and
no function recurses.
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
from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import bool_, float64, int64
from symgrad.expr.escaping import latex_text
from symgrad.expr.graph import leaves, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence
from symgrad.expr.written import binds, number_text
from symgrad.support.quiet import quietly

#: The most elements of a constant array that are written.
_MOST_ELEMENTS = 64
#: The most operations that are nested in one line. Python reads at most 200 nested parentheses.
_MOST_DEPTH = 24
#: The most nodes of a formula that `repr` writes; of a larger formula it says the number of nodes.
_MOST_NODES = 2000


class Piece(NamedTuple):
    """The text of a part, with its precedence and the number of nested operations."""

    text: str
    level: int
    depth: int = 0


class Style(NamedTuple):
    """The differences between text and LaTeX.

    Attributes
    ----------
    atom : callable
        Writes a node without operands.
    template : callable
        Returns the template of a notation.
    brackets, name : str
        Templates of an operand in brackets, and of the name of a definition by its number.
    length : int
        The longest text of a part that is not written as a definition.
    braced : bool
        Whether braces around an operand of a template replace brackets.
    reads_back : bool
        Whether the output is Python, which must give the same nodes.
    """

    atom: Callable[[ArrayExpr], Piece]
    template: Callable[[Notation], str]
    brackets: str
    name: str
    length: int
    braced: bool
    reads_back: bool


class Let(NamedTuple):
    """Printed expressions: definitions in order, then the results."""

    definitions: tuple[tuple[str, str], ...]
    results: tuple[str, ...]

    @property
    def result(self) -> str:
        """The result of one expression."""
        return self.results[0]


class Forms(NamedTuple):
    """How the nodes of expressions are written.

    Attributes
    ----------
    notation : dict
        The notation of each node with operands that is written itself.
    printed_as : dict
        For each node the node that is written for it, often itself.
    typed : set
        The nodes with operands that are numbers written with their dtypes.
    numbers : set
        The nodes whose text Python evaluates to a number.
    """

    notation: dict[ArrayExpr, Notation]
    printed_as: dict[ArrayExpr, ArrayExpr]
    typed: set[ArrayExpr]
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
    printed_as = forms.printed_as
    uses: dict[ArrayExpr, int] = dict.fromkeys(order, 0)
    for node, form in forms.notation.items():
        for i in _holes(style.template(form)):
            uses[printed_as[node.operands[i]]] += 1
    taken = {style.atom(x).text for x in leaves(*roots)}
    pieces: dict[ArrayExpr, Piece] = {}
    definitions: list[tuple[str, str]] = []
    count = 0
    last = {printed_as[x] for x in roots}
    for node in order:
        if printed_as[node] is not node or not (uses[node] or node in last):
            continue
        if node in forms.notation:
            parts = [pieces.get(printed_as[x]) for x in node.operands]
            if node in forms.typed:
                parts = [_typed(x, y, forms) for x, y in zip(node.operands, parts, strict=True)]
            piece = _fill(forms.notation[node], parts, style)
        else:
            piece = style.atom(node)
        long = len(piece.text) > style.length or piece.depth > _MOST_DEPTH
        if not isinstance(node, Leaf) and (
            (long and uses[node]) or (uses[node] > 1 and not _tiny(node, piece, forms.notation))
        ):
            count += 1
            while (name := style.name.format(count)) in taken:
                count += 1
            definitions.append((name, piece.text))
            piece = Piece(name, Precedence.ATOM)
        pieces[node] = piece
    return Let(tuple(definitions), tuple([pieces[printed_as[x]].text for x in roots]))


def _forms(
    order: Iterable[ArrayExpr], formulas: Mapping[ArrayExpr, ArrayExpr], style: Style
) -> Forms:
    forms = Forms({}, {}, set(), set())
    constant: set[ArrayExpr] = set()  # the nodes without leaves
    for node in order:
        if node in formulas:
            forms.printed_as[node] = forms.printed_as[formulas[node]]
            continue
        if not node.operands:
            forms.printed_as[node] = node
            if not isinstance(node, Leaf):
                constant.add(node)
            if isinstance(node, Const):
                forms.numbers.add(node)
            continue
        form: Notation = node.notation()
        if style.template(form) == "{0}":
            forms.printed_as[node] = other = forms.printed_as[node.operands[0]]
            for known in (constant, forms.numbers):
                if other in known:
                    known.add(node)
            continue
        if style.reads_back:
            form = _read_back(node, form, constant, forms)
        forms.printed_as[node] = node
        forms.notation[node] = form
    return forms


_CALL = re.compile(r"[A-Za-z_][\w.]*\(\[?\{0\}|\{0\}[.\[]")


def _read_back(node: Any, form: Notation, constant: set[ArrayExpr], forms: Forms) -> Notation:
    """Return the notation that Python reads as this node, also where its operands are constants."""
    if all(x in constant for x in node.operands):
        constant.add(node)
    if node.operands[0] in constant and _CALL.match(form.text):
        # Public functions accept no number or array as the first operand; operations do.
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
    """Return whether the dtype of a node follows from numbers whose text has no dtype."""
    operands = [_as_read(x) if x in forms.numbers else x for x in node.operands]
    if all(x is y for x, y in zip(operands, node.operands, strict=True)):
        return False
    # An operation with several results has several dtypes.
    return bool(node.infer(*operands, *node.param_values)[1] != getattr(node, "dtypes", node.dtype))


def _as_read(x: ArrayExpr) -> Const:
    """Return a number of the type that Python gives to the text of `x`."""
    if isinstance(x, Const):
        return Const(x.value)
    return Const((True, 1, 1.0, 1j)[x.dtype.category])


def _typed(x: ArrayExpr, piece: Piece | None, forms: Forms) -> Piece | None:
    """Return the text of an operand, for a number with a dtype of its own as an array."""
    if piece is None or x.weak or x not in forms.numbers:
        return piece
    if isinstance(x, Const):
        return Piece(_text_array(np.asarray(x.number, x.dtype.numpy)), Precedence.ATOM)
    return Piece(f"array({piece.text}, dtype={x.dtype.numpy.name!r})", Precedence.ATOM, piece.depth)


def _tiny(node: ArrayExpr, piece: Piece, forms: dict[ArrayExpr, Notation]) -> bool:
    """Return whether a shared part is repeated: an atom, `-x`, `2 * x`, `x**2`, `x > 0`."""
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
        if piece is None:  # an operand that the notation does not show
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
    """Return the numbers of the operands in a template, in their order there."""
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
    """Return the precedence of a number of SymPy."""
    binds = precedence(value)
    if binds >= 1000:
        return Precedence.ATOM
    if value.could_extract_minus_sign() and binds < 50:
        return Precedence.SUM
    return (
        Precedence.POWER if binds >= 60 else Precedence.PRODUCT if binds >= 50 else Precedence.SUM
    )


def _text_array(array: np.ndarray[Any, Any]) -> str:
    """Return the constructor of an array; of a large array only the corners, as NumPy prints it."""
    if array.size > _MOST_ELEMENTS:
        write = functools.partial(
            np.array2string, array, 10**6, separator=", ", threshold=_MOST_ELEMENTS, edgeitems=2
        )
        values = " ".join(quietly(write).split())
        return f"array({values}, shape={array.shape})"
    # Python's numbers have these dtypes: array([1.0, 2.0]) needs no dtype.
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
    if count <= _MOST_NODES:
        return text(e)
    return (
        f"<an expression of {count} nodes, shape {e.shape}, {e.dtype.name}; str() gives its text>"
    )


def _sympystr(e: ArrayExpr, printer: Any) -> str:
    let = write([e], TEXT)
    if not let.definitions or printer._print_level <= 1:
        return "\n".join([*(f"{name} = {value}" for name, value in let.definitions), let.result])
    # Inside a list or a matrix a formula has one line.
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
    """Return LaTeX of a name as SymPy writes it, with Greek letters and subscripts."""
    stem = name.strip("_")
    if stem != name or "__" in name:
        # SymPy writes these as empty scripts or superscripts: LaTeX refuses them or shows a power.
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
    shown = str(sympy.latex(sympy.sympify(value, strict=True)))
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


#: The methods that print formulas, for Python, for SymPy's printers and for notebooks.
PRINTED: dict[str, Any] = {
    "__str__": text,
    "__repr__": _repr,
    "_sympystr": _sympystr,
    "_pretty": _pretty,
    "_latex": _latex,
    "_repr_latex_": _repr_latex_,
    "latex": latex,
}
