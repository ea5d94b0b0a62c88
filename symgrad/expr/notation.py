"""The printed form that an operation states, with which `symgrad.expr.printing` writes formulas."""

from __future__ import annotations

import functools
import string
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from symgrad.expr.shapes import Shape, size_of
from symgrad.expr.written import size_latex

#: The parameters of each public function in their order, with the text of each default, by its
#: name. The text of an operation is a call of the public function of its name if that has the
#: same parameters. Public functions enter themselves.
PUBLIC_PARAMETERS: dict[str, Mapping[str, str]] = {}
#: The same of the functions of `nn.functional`, which texts call by their last name as well.
FUNCTIONAL_PARAMETERS: dict[str, Mapping[str, str]] = {}


def public_parameters(name: str) -> Mapping[str, str]:
    """Return the parameters of the public function of a name, with the texts of their defaults."""
    return PUBLIC_PARAMETERS.get(name) or FUNCTIONAL_PARAMETERS.get(name, {})


class Precedence:
    r"""Precedences: an operand with a lower one than its place needs gets parentheses.

    Python's operators have those of `LOGIC`, `COMPARE`, `SUM`, `PRODUCT`, `UNARY` and `POWER`.
    The others are of LaTeX: a case distinction has no end, a minus sign stands before a whole
    product, a large operator takes the product after it, and `A \odot B C` multiplies A by `B C`.
    """

    CASES = 5
    LOGIC = 10
    COMPARE = 20
    SUM = 30
    SIGN = 33
    LARGE = 36
    ODOT = 38
    PRODUCT = 40
    UNARY = 50
    POWER = 60
    SUBSCRIPT = 80
    ATOM = 100


#: The superscript of a transposed matrix, in a template.
TRANSPOSED = r"^{{\mathsf{{T}}}}"


class Latex(NamedTuple):
    """The printed form in LaTeX: a template, its precedence and those that its operands need.

    `shown` are the nodes that the template shows, where these are others than the operands;
    `repeats` is whether operands that are smaller than the result are repeated on paper; `terms`
    are, where the template is a sum in brackets, the nodes that begin a term, whose minus signs are
    those of the term.
    """

    template: str
    level: int = Precedence.ATOM
    operands: tuple[int, ...] = ()
    shown: tuple[Any, ...] | None = None
    repeats: bool = True
    terms: tuple[int, ...] | None = None


#: Operands, and the form where all of them are arrays.
ArrayForms = tuple[tuple[tuple[int, ...], Latex], ...]

_OF_ARRAYS = (Precedence.ODOT, Precedence.ODOT + 1)
#: The product and the quotient of each element of arrays.
ODOT = Latex(r"{0} \odot {1}", Precedence.ODOT, _OF_ARRAYS)
OSLASH = Latex(r"{0} \oslash {1}", Precedence.ODOT, _OF_ARRAYS)


def of_elements(template: str, level: int = Precedence.ODOT, *operands: int) -> ArrayForms:
    """Return the forms in LaTeX where any one of the operands of a template is an array."""
    form = Latex(template, level, operands)
    return tuple([((i,), form) for i in sorted(set(holes(template)))])


@functools.lru_cache(maxsize=4096)
def holes(template: str) -> tuple[int, ...]:
    """Return the numbers of the operands in a template, in their order there."""
    return tuple(
        int(name) for _, name, _, _ in string.Formatter().parse(template) if name is not None
    )


class Notation(NamedTuple):
    """The printed form of a node: templates over its operands `{0}`, `{1}` and on.

    Attributes
    ----------
    text, latex : str
        Templates for `str.format` over the printed operands.
    level : int
        The precedence of the printed form.
    operands : tuple of int
        The lowest precedence with which each operand has no parentheses.
    typeset : Latex, optional
        The form in LaTeX where its precedences are others than those of the text.
    of_arrays : tuple of pairs
        The operands, and the form in LaTeX where all of them are arrays of at least one axis; the
        first pair that holds counts. It tells what is done to each element from what is done to
        vectors and matrices.
    turned : tuple, optional
        An operand, and the templates of text and of LaTeX where a minus sign before this operand is
        taken away: `a - b` of `a + -b`.
    carries_sign : bool
        Whether a minus sign before the first operand is one before the whole.
    """

    text: str
    latex: str
    level: int = Precedence.ATOM
    operands: tuple[int, ...] = ()
    typeset: Latex | None = None
    of_arrays: ArrayForms = ()
    turned: tuple[int, str, str] | None = None
    carries_sign: bool = False


class Text(NamedTuple):
    """The text of an operation in public functions, its precedence and those its operands need."""

    template: str
    level: int = Precedence.ATOM
    operands: tuple[int, ...] = ()


def with_text(notation: Notation, text: Text) -> Notation:
    """Return a notation with another text, and the same LaTeX."""
    typeset = notation.typeset or Latex(notation.latex, notation.level, notation.operands)
    return notation._replace(
        text=text.template, level=text.level, operands=text.operands, typeset=typeset
    )


def cases(
    text: str,
    chosen: str,
    condition: str,
    other: str,
    operands: tuple[int, ...] = (),
    chosen_of_arrays: tuple[tuple[int, ...], str] | None = None,
) -> Notation:
    r"""Return the notation of a choice for each element, which LaTeX writes as cases.

    Examples
    --------
    >>> print(cases("where({0}, {1}, 0)", "{1}", "{0}", "0").latex)
    \begin{{cases}} {1} & \text{{if }} {0} \\ 0 & \text{{otherwise}} \end{{cases}}
    """

    def written(value: str) -> Latex:
        rows = rf"{value} & \text{{{{if }}}} {condition} \\ {other} & \text{{{{otherwise}}}}"
        template = rf"\begin{{{{cases}}}} {rows} \end{{{{cases}}}}"
        return Latex(template, Precedence.CASES, operands)

    plain = written(chosen)
    of_arrays: ArrayForms = ()
    if chosen_of_arrays is not None:
        of_arrays = ((chosen_of_arrays[0], written(chosen_of_arrays[1])),)
    return Notation(text, plain.template, Precedence.ATOM, operands, plain, of_arrays)


#: Letters of the axes that LaTeX sums over.
_AXIS_LETTERS = "ijklmn"


def constant_latex(digit: str, shape: Shape) -> str:
    r"""Return a template of an array of ones or of zeros, of which one axis is a column.

    Examples
    --------
    >>> print(*[constant_latex("1", shape).format() for shape in [(3,), (1, 3), (2, 3)]])
    \mathbf{1}_{3} \mathbf{1}_{3}^{\mathsf{T}} \mathbf{1}_{2 \times 3}
    """
    if size_of(shape) == 1:
        return digit
    kept = [n for n in shape if n != 1] if len(shape) < 3 else shape
    sizes = r" \times ".join([braces(size_latex(n)) for n in kept])
    turned = TRANSPOSED if len(shape) == 2 and shape[0] == 1 else ""
    return rf"\mathbf{{{{{digit}}}}}_{{{{{sizes}}}}}{turned}"


def repeated_latex(shape: Shape, to: Shape) -> Latex:
    r"""Return how an array that is repeated to another shape is written: with vectors of ones.

    A number times an array of ones is this number everywhere, $\mathbf{1} x^{\mathsf{T}}$ has `x`
    as each of its rows, and $x \mathbf{1}^{\mathsf{T}}$ as each of its columns.

    Examples
    --------
    >>> print(repeated_latex((3,), (2, 3)).template.format("x"))
    \mathbf{1}_{2} x^{\mathsf{T}}
    """
    if size_of(shape) == size_of(to) == 1 or shape == to:
        return Latex("{0}")
    if size_of(shape) == 1:
        ones = constant_latex("1", to)
        return Latex(rf"{{0}} \, {ones}", Precedence.PRODUCT, (Precedence.PRODUCT,))
    if len(to) > 2:
        row = "{0}" + TRANSPOSED * (len(shape) == 1)
        return Latex(rf"{row} \odot {constant_latex('1', to)}", Precedence.ODOT, _OF_ARRAYS)
    if shape == (to[0], 1):
        ones = constant_latex("1", (1, to[1]))
        return Latex(f"{{0}} {ones}", Precedence.PRODUCT, (Precedence.PRODUCT,))
    row = "{0}" + TRANSPOSED * (len(shape) == 1)
    if to[0] == 1:
        return Latex(row, Precedence.POWER)
    ones = constant_latex("1", (to[0],))
    return Latex(f"{ones} {row}", Precedence.PRODUCT, (Precedence.PRODUCT + 1,))


def row_latex(form: Latex, is_row: bool) -> Latex:
    """Return the form of a result of one axis, transposed where that axis is kept as a row."""
    if not is_row:
        return form
    body = form.template
    if form.level < Precedence.SUBSCRIPT:
        body = rf"\left({body}\right)"
    return Latex(body + TRANSPOSED, Precedence.POWER, form.operands, form.shown)


def axes_latex(axes: Iterable[int]) -> str:
    """Return the index letters of axes, as they stand under a sum: i is the first axis.

    Examples
    --------
    >>> axes_latex((0, 2))
    'i,k'
    """
    count = len(_AXIS_LETTERS)
    return ",".join([_AXIS_LETTERS[a] if a < count else f"i_{{{a}}}" for a in axes])


def braces(text: str) -> str:
    """Return `text` with doubled braces, which `str.format` makes single again."""
    return text.replace("{", "{{").replace("}", "}}")
