"""The text of expressions, and how it is written: from the `Notation` that each operation states.

LaTeX is the other style, in `typesetting`; what Python and notebooks display is in `display`.

A shared part is written once, as a definition (`t1 = X @ w`) above the result, unless it is a
small formula of one input. A part that is too long or too deep is written as a definition as well,
and so is every part that a user has named, under its name (`h = X @ W`).
Therefore the length of the output grows with the number of nodes, not with the number of paths, and
no function recurses.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sympy.core.basic import Basic

from numeric.identifiers import fresh_name
from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import DTYPES
from symgrad.expr.graph import leaves, toposort
from symgrad.expr.named_sizes import NamedSize
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import PUBLIC_PARAMETERS, Latex, Notation, Precedence, holes
from symgrad.expr.sizing import size_names
from symgrad.expr.written import array_text, binds, number_text

#: The most operations that are nested in one line. Python reads at most 200 nested parentheses.
_MOST_DEPTH = 24


class Piece(NamedTuple):
    """The text of a part, with its precedence and the number of nested operations.

    `positive` is the same without the minus sign that it begins with, where it begins with one.
    `counts` says that it is a product of floats after a number, to which a minus sign may belong.
    `is_open` says that a large operator in it takes what would stand after it.
    """

    text: str
    level: int
    depth: int = 0
    positive: Piece | None = None
    counts: bool = False
    is_open: bool = False


class Form(NamedTuple):
    """How a node is written in one style, of its `Notation`: a template and precedences.

    `turned` is the operand whose minus sign is taken away, and the template where it is; `repeated`
    is how the operands are written that are repeated beside a larger one; `shown` are the nodes
    that the template shows, where these are others than the operands; `terms` are those that begin
    a term of a sum in brackets.
    """

    template: str
    level: int
    operands: tuple[int, ...]
    turned: tuple[int, str] | None
    carries_sign: bool
    repeated: Mapping[int, Latex] = {}
    shown: tuple[ArrayExpr, ...] | None = None
    terms: tuple[int, ...] = ()


class Style(NamedTuple):
    """The differences between text and LaTeX.

    Attributes
    ----------
    atom : callable
        Writes a node without operands.
    form : callable
        Returns the form of a node of a notation.
    brackets, name : str
        Templates of an operand in brackets, and of the name of a definition by its number.
    name_level : int
        The precedence of such a name.
    called : callable
        Writes the name that a user gave.
    length : int
        The longest text of a part that is not written as a definition.
    filled : callable
        Fills a template with the texts of operands.
    minus : str, optional
        The sign that stands before a whole product whose first factor has it; by default it stands
        before this factor, and the product begins with it.
    reads_back : bool
        Whether the output is Python, which must give the same nodes.
    """

    atom: Callable[[ArrayExpr], Piece]
    form: Callable[[Notation, ArrayExpr], Form]
    brackets: str
    name: str
    name_level: int
    called: Callable[[str], Piece]
    length: int
    filled: Callable[[str, Sequence[str]], str]
    minus: str | None
    reads_back: bool


class Let(NamedTuple):
    """Printed expressions: definitions in order, then the results.

    `imports` are lines that come before them, where leaves have the names of all packages.
    """

    definitions: tuple[tuple[str, str], ...]
    results: tuple[str, ...]
    imports: tuple[str, ...] = ()

    @property
    def result(self) -> str:
        """The result of one expression."""
        return self.results[0]

    @property
    def before(self) -> list[str]:
        """The lines before the results in a text."""
        return [*self.imports, *(f"{name} = {value}" for name, value in self.definitions)]


class Forms(NamedTuple):
    """How the nodes of expressions are written.

    Attributes
    ----------
    form : dict
        The form of each node with operands that is written itself.
    printed_as : dict
        For each node the node that is written for it, often itself.
    typed : set
        The nodes with operands that are numbers written with their dtypes.
    numbers : set
        The nodes whose text Python evaluates to a number.
    names : dict
        The names of the nodes that are defined under a name of the user's.
    """

    form: dict[ArrayExpr, Form]
    printed_as: dict[ArrayExpr, ArrayExpr]
    typed: set[ArrayExpr]
    numbers: set[ArrayExpr]
    names: dict[ArrayExpr, str]


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
    last = {printed_as[x] for x in roots}
    for node, form in reversed(forms.form.items()):
        if uses[node] or node in last:
            shown = node.operands if form.shown is None else form.shown
            for i in holes(form.template):
                uses[printed_as[shown[i]]] += 1
    taken = {style.atom(x).text for x in leaves(*roots)}
    called = _names_given(forms.names, taken, style)
    names = _Names(taken if style.reads_back else ())
    taken |= size_names(roots)
    pieces: dict[ArrayExpr, Piece] = {}
    definitions: list[tuple[str, str]] = []
    count = 0
    for node in order:
        if printed_as[node] is not node or not (uses[node] or node in last):
            continue
        if node in forms.form:
            form = forms.form[node]
            shown = node.operands if form.shown is None else form.shown
            parts = [pieces.get(printed_as[x]) for x in shown]
            if node in forms.typed:
                given = zip(node.operands, parts, strict=True)
                parts = [_typed(x, piece, forms, names) for x, piece in given]
            of_numbers = not forms.numbers.isdisjoint(node.operands)
            template = names.read(form.template, of_numbers)
            piece = _fill(form._replace(template=template), parts, style)
            if style.reads_back and form.carries_sign and node.dtype.is_floating_point:
                piece = piece._replace(counts=piece.text[0].isdigit())
        elif isinstance(node, Leaf):
            piece = style.atom(node)
        else:
            piece = style.atom(node)
            piece = piece._replace(text=names.read(piece.text))
        if node in called:
            definitions.append((called[node].text, piece.text))
            pieces[node] = called[node]
            continue
        long = len(piece.text) > style.length or piece.depth > _MOST_DEPTH
        if not isinstance(node, Leaf) and (
            (long and uses[node])
            or (uses[node] > 1 and not _tiny(node, piece, forms.form, uses[node]))
        ):
            count += 1
            while (name := style.name.format(count)) in taken:
                count += 1
            definitions.append((name, piece.text))
            piece = Piece(name, style.name_level)
        pieces[node] = piece
    results = tuple([pieces[printed_as[x]].text for x in roots])
    return Let(tuple(definitions), results, names.imports)


def _forms(
    order: Iterable[ArrayExpr], formulas: Mapping[ArrayExpr, ArrayExpr], style: Style
) -> Forms:
    forms = Forms({}, {}, set(), set(), {})
    for node in order:
        if node in formulas:
            forms.printed_as[node] = forms.printed_as[formulas[node]]
            continue
        if not node.operands:
            forms.printed_as[node] = node
            if isinstance(node, Const):
                forms.numbers.add(node)
            continue
        if node.is_known_by_name:
            _form_by_name(node, forms, style)
            continue
        notation: Notation = node.notation()
        form = style.form(notation, node)
        if form.template == "{0}":
            forms.printed_as[node] = other = forms.printed_as[node.operands[0]]
            if other in forms.numbers:
                forms.numbers.add(node)
            continue
        if style.reads_back:
            form = _read_back(node, form, forms)
        forms.printed_as[node] = node
        forms.form[node] = form
    return forms


def _form_by_name(node: Any, forms: Forms, style: Style) -> None:
    """Enter how a node is written that a user has named.

    What was computed has the name wherever it stands. A leaf, a number and what has a name already
    keep theirs, and the node is another one.
    """
    other = forms.printed_as[node.operands[0]]
    if other.operands and other not in forms.names and other not in forms.numbers:
        forms.printed_as[node] = other
        forms.names[other] = node.given_name
        return
    forms.printed_as[node] = node
    forms.form[node] = Form("{0}", Precedence.ATOM, (), None, False)
    forms.names[node] = node.given_name
    if style.reads_back and other in forms.numbers:
        forms.typed.add(node)


def _names_given(names: Mapping[ArrayExpr, str], taken: set[str], style: Style) -> dict[Any, Piece]:
    """Return how names are written, which are added to those that are taken.

    A name that is taken, by a leaf or by a quantity that is computed before, gets a number.
    """
    made = {}
    for node, name in names.items():
        piece, count = style.called(name), itertools.count(2)
        while piece.text in taken:
            piece = style.called(f"{name}_{next(count)}")
        taken.add(piece.text)
        made[node] = piece
    return made


_NAME = re.compile(r"'[^']*'|(?<![\w.])[A-Za-z_]\w*(?!\w*=(?!=))")


#: What the package itself has beside its public functions.
_OF_PACKAGE = frozenset(("inf", "nan", "pi", "bool_", *[kind.name for kind in DTYPES]))


class _Names:
    """How a text reads the names that leaves hide: from the package, or from what it imports."""

    def __init__(self, hidden: Iterable[str]) -> None:
        self.hidden = frozenset(hidden)
        free = [name for name in ("symgrad", "torch") if name not in self.hidden]
        self.package = free[0] if free else None
        self.imports: tuple[str, ...] = ()

    def read(self, text: str, of_numbers: bool = False) -> str:
        """Return a text with its names as they are read; public functions take no numbers."""
        if self.hidden.isdisjoint(_NAME.findall(text)):
            return text

        def found(match: re.Match[str]) -> str:
            name = match[0]
            if name not in self.hidden:
                return name
            if self.package is None:
                alias = fresh_name("names", {*self.hidden})
                self.imports = (f"from symgrad.forms import names as {alias}",)
                return f"{alias}.{name}"
            public = name in _OF_PACKAGE or (name in PUBLIC_PARAMETERS and not of_numbers)
            return f"{self.package}.{name}" if public else f"{self.package}.forms.names.{name}"

        return _NAME.sub(found, text)


_SUBSCRIPT = re.compile(r"\{0\}(\\left)?\[")
_MEMBER = re.compile(r"\{0\}[.\[]")


def _read_back(node: Any, form: Form, forms: Forms) -> Form:
    """Return the form that Python reads as this node, also where its operands are numbers."""
    if node.operands[0] in forms.numbers and _MEMBER.search(form.template):
        # A number has no members.
        forms.typed.add(node)
        return Form(node.call_text(operation=True), Precedence.ATOM, (), None, False)
    if all(x in forms.numbers for x in node.operands) and form.level < Precedence.ATOM:
        if any(type(x) is Const and not x.weak and x.value == 0 for x in node.operands[1:]):
            forms.typed.add(node)  # Python divides by no zero
        else:
            forms.numbers.add(node)  # an operator between numbers
    elif "dtype=" not in form.template and _loses_dtype(node, forms):
        forms.typed.add(node)
    return form


def _loses_dtype(node: Any, forms: Forms) -> bool:
    """Return whether the dtype of a node follows from numbers whose text has no dtype."""
    operands = [_as_read(x) if x in forms.numbers else x for x in node.operands]
    if all(x is y for x, y in zip(operands, node.operands, strict=True)):
        return False
    try:
        _, kinds = node.infer(*operands, *node.param_values)
    except RuntimeError:  # it refuses the integers that its numbers are read as
        return True
    # An operation with several results has several dtypes.
    return bool(kinds != getattr(node, "dtypes", node.dtype))


def _as_read(x: ArrayExpr) -> Const:
    """Return a number of the type that Python gives to the text of `x`."""
    if isinstance(x, Const):
        return Const(x.value)
    return Const((True, 1, 1.0, 1j)[x.dtype.category])


def _typed(x: ArrayExpr, piece: Piece | None, forms: Forms, names: _Names) -> Piece | None:
    """Return the text of an operand, for a number with a dtype of its own as an `array`."""
    if piece is None or x.weak or x not in forms.numbers:
        return piece
    if isinstance(x, Const) and x.is_number:
        made = array_text(np.asarray(x.number, x.dtype.numpy))
        return Piece(names.read(made), Precedence.ATOM)
    made = f"{names.read('array')}({piece.text}, dtype={x.dtype.numpy.name!r})"
    return Piece(made, Precedence.ATOM, piece.depth)


def _tiny(node: ArrayExpr, piece: Piece, forms: dict[ArrayExpr, Form], uses: int) -> bool:
    """Return whether a shared part is repeated: an atom, `-x`, `2 * x`, `x**2`, `x > 0`, `t1.T`.

    So are elements and slices of leaves, as `x[0]`, and, if it is used twice, a function of one
    number, as `sin(x)` and `-sin(x[0])`.
    """
    form = forms.get(node)
    if _is_of_leaf(node, forms) or (uses == 2 and _is_of_number(node, forms)):
        return True
    if form is not None and form.template == "{0}.T" and piece.text[:-2].isidentifier():
        return True
    if form is None:
        return len(piece.text) <= 24
    inputs = [x for x in node.operands if not isinstance(x, Const)]
    return (
        form.level < Precedence.ATOM
        and len(inputs) <= 1
        and all(not x.operands or _is_of_leaf(x, forms) for x in inputs)
    )


def _is_of_leaf(node: ArrayExpr, forms: dict[ArrayExpr, Form]) -> bool:
    """Return whether a node is an element or a slice of a leaf."""
    form = forms.get(node)
    return (
        form is not None
        and len(node.operands) == 1
        and isinstance(node.operands[0], Leaf)
        and form.level == Precedence.ATOM
        and _SUBSCRIPT.match(form.template) is not None
    )


def _is_of_number(node: ArrayExpr, forms: dict[ArrayExpr, Form]) -> bool:
    """Return whether a node is a function of a leaf or an element of one, or minus that."""
    form = forms.get(node)
    if form is not None and form.turned is not None and form.turned[1] == "{0}":
        node = node.operands[0]
    if len(node.operands) != 1:
        return False
    x = node.operands[0]
    return (isinstance(x, Leaf) or _is_of_leaf(x, forms)) and not x.shape


def _term_turned(template: str, hole: int) -> str:
    """Return the template of a sum, of which the term that an operand begins has the other sign."""
    here = f"{{{hole}}}"
    for sign, other in ((" + ", " - "), (" - ", " + "), ("- ", "")):
        if sign + here in template:
            return template.replace(sign + here, other + here)
    return template.replace(here, "- " + here)


def _fill(form: Form, operands: list[Piece | None], style: Style) -> Piece:
    for i in form.terms:
        x = operands[i]
        if x is not None and x.positive is not None:
            form = form._replace(template=_term_turned(form.template, i))
            operands = [*operands[:i], x.positive, *operands[i + 1 :]]
    if form.turned is not None:
        hole, template = form.turned
        turned = operands[hole]
        if turned is not None and turned.positive is not None:
            if template == f"{{{hole}}}":
                return turned.positive
            operands = [turned.positive if i == hole else x for i, x in enumerate(operands)]
            return _filled(form._replace(template=template), operands, style)
        if template == f"{{{hole}}}":  # the node is the negative of this operand
            if turned is not None and turned.counts:  # -2 * x for -(2 * x)
                return Piece(f"-{turned.text}", turned.level, turned.depth, turned)
            return _filled(form, operands, style)._replace(positive=turned)
    if not (form.carries_sign and operands and operands[0] and operands[0].positive):
        return _filled(form, operands, style)
    positive = _filled(form, [operands[0].positive, *operands[1:]], style)
    if style.minus is None:
        return _filled(form, operands, style)._replace(positive=positive)
    signed = style.minus + positive.text
    return Piece(signed, Precedence.SIGN, positive.depth, positive, is_open=positive.is_open)


def _filled(form: Form, operands: list[Piece | None], style: Style) -> Piece:
    texts: list[str] = []
    depth = 0
    is_open = form.level == Precedence.LARGE
    for i, piece in enumerate(operands):
        if piece is None:  # an operand that the form does not show
            texts.append("")
            continue
        if i in form.repeated:
            template, level, needed, *_ = form.repeated[i]
            inner = _bracketed(piece, needed[0], style)
            piece = Piece(style.filled(template, [inner]), level, piece.depth)
        needs = form.operands[i] if i < len(form.operands) else 0
        if piece.is_open and needs and piece.level >= needs:
            if form.template.endswith(f"{{{i}}}"):
                is_open = True
            else:
                needs = Precedence.ATOM
        texts.append(_bracketed(piece, needs, style))
        depth = max(depth, piece.depth)
    text = style.filled(form.template, texts)
    return Piece(text, form.level, depth + 1, is_open=is_open)


def _bracketed(piece: Piece, needed: int, style: Style) -> str:
    return style.brackets.format(piece.text) if piece.level < needed else piece.text


# -- text ----------------------------------------------------------------------------------------


def _text_atom(node: ArrayExpr) -> Piece:
    if isinstance(node, Leaf):
        return Piece(node.name, Precedence.ATOM)
    if isinstance(node, Const):
        return _text_number(node.value)
    assert isinstance(node, ArrayConst)
    return Piece(array_text(node.value), Precedence.ATOM)


def _text_number(value: Any) -> Piece:
    text = number_text(value)
    positive = _text_number(-value) if has_sign(value) else None
    return Piece(text, _LEVELS[binds(text)], positive=positive)


def has_sign(value: Any) -> bool:
    """Return whether a number is written with a minus sign that stands before all of it."""
    if type(value) is NamedSize:
        value = value.formula
    if isinstance(value, Basic):
        return bool(not value.is_Add and value.could_extract_minus_sign())
    return not isinstance(value, (bool, complex)) and math.copysign(1, value) < 0


_LEVELS = {
    "sum": Precedence.SUM,
    "product": Precedence.PRODUCT,
    "unary": Precedence.UNARY,
    "power": Precedence.POWER,
    "atom": Precedence.ATOM,
}


def _text_form(form: Notation, node: ArrayExpr) -> Form:
    turned = None if form.turned is None else form.turned[:2]
    level, needed = _called(form.text, form.level, form.operands)
    return Form(form.text, level, needed, turned, form.carries_sign)


@functools.lru_cache(maxsize=4096)
def _called(template: str, level: int, needed: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """Return the precedences of a template: a call is an atom, and so is each of its arguments."""
    depths = [*itertools.accumulate([(c == "(") - (c == ")") for c in template])]
    parsed = [*string.Formatter().parse(template), ("", None, None, None)]
    needs = list(needed)
    for (before, name, _, _), (after, *_) in itertools.pairwise(parsed):
        if name is None:
            continue
        if not (before.endswith(("(", ", ", "[", "=")) and after.startswith((")", ",", "]"))):
            continue
        i = int(name)
        if i < len(needs) and template.count(f"{{{name}}}") == 1:
            needs[i] = 0
    is_call = _CALL.match(template) and 0 not in depths[template.index("(") : -1]
    return Precedence.ATOM if is_call else level, tuple(needs)


_CALL = re.compile(r"[A-Za-z_][\w.]*\(")


TEXT = Style(
    _text_atom,
    _text_form,
    "({})",
    "t{}",
    Precedence.ATOM,
    lambda name: Piece(name, Precedence.ATOM),
    160,
    filled=lambda template, texts: template.format(*texts),
    minus=None,
    reads_back=True,
)


def text(e: ArrayExpr) -> str:
    """Return the formula as text: definitions `t1 = …`, one a line, then the result.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x")
    >>> print(text(x.exp() / (1 + x.exp() * x.exp())))
    t1 = exp(x)
    t1 / (1 + t1 * t1)
    """
    let = write([e], TEXT)
    return "\n".join([*let.before, let.result])


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
    given = zip(labels, let.results, strict=True)
    results = [f"{name} = {value}" for name, value in given if name != value]
    return "\n".join([*let.before, *results])
