r"""The LaTeX of expressions: how names, numbers and arrays are typeset, and where brackets stand.

On paper a product of arrays is a matrix product, and a power that of a matrix. What is done to each
element has signs of its own: $A \odot B$, $A \oslash B$, $A^{\odot 2}$. A 1-D array is a column,
and an array of one element a number. A number stands beside an array for itself at every place;
what else is repeated is written with vectors of ones: $A + \mathbf{1}_{n} x^{\mathsf{T}}$.
"""

from __future__ import annotations

import cmath
import functools
import itertools
import re
import string
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy
from sympy.core.basic import Basic
from sympy.printing.precedence import precedence

from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.escaping import name_latex
from symgrad.expr.named_sizes import NamedSize
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import (
    ODOT,
    OSLASH,
    TRANSPOSED,
    Latex,
    Notation,
    Precedence,
    repeated_latex,
)
from symgrad.expr.printing import Form, Piece, Style, has_sign, write
from symgrad.expr.shapes import size_of
from symgrad.expr.written import number_text, scalar_latex, size_latex, with_one_root


def _atom(node: ArrayExpr) -> Piece:
    if isinstance(node, Leaf):
        return _name(node.name)
    if isinstance(node, Const):
        return _number(node.value)
    assert isinstance(node, ArrayConst)
    return _array(node.value)


def _name(name: str) -> Piece:
    shown, has_subscript = name_latex(name)
    return Piece(shown, Precedence.SUBSCRIPT if has_subscript else Precedence.ATOM)


def _number(value: Any) -> Piece:
    if isinstance(value, bool):
        return Piece(rf"\text{{{value}}}", Precedence.ATOM)
    if has_sign(value):
        positive = _number(-value)
        return Piece("-" + positive.text, Precedence.SIGN, positive=positive)
    if type(value) is NamedSize:
        return Piece(size_latex(value), _sympy_level(value.formula))
    if isinstance(value, Basic):
        value = with_one_root(value)
        return Piece(scalar_latex(value), _sympy_level(value))
    if isinstance(value, complex) and not cmath.isfinite(value):
        return Piece(rf"\text{{{number_text(value)}}}", Precedence.ATOM)
    if isinstance(value, complex):
        return _complex(value)
    shown = scalar_latex(sympy.sympify(value, strict=True))
    return Piece(shown, Precedence.PRODUCT if r"\cdot" in shown else Precedence.ATOM)


def _complex(value: complex) -> Piece:
    real, imag = [int(x) if x == int(x) else x for x in (value.real, value.imag)]
    if not real and imag < 0:
        positive = _complex(-imag * 1j)
        return Piece("- " + positive.text, Precedence.SIGN, positive=positive)
    shown = scalar_latex(sympy.sympify(real, strict=True) + sympy.I * imag)
    if real or not imag:
        return Piece(shown, Precedence.SUM if imag else Precedence.ATOM)
    return Piece(shown, Precedence.ATOM if imag == 1 else Precedence.PRODUCT)


def _sympy_level(value: Basic) -> int:
    """Return the precedence of a number of SymPy that has no minus sign."""
    binds = precedence(value)
    if binds >= 1000:
        return Precedence.ATOM
    if binds >= 60:
        return Precedence.POWER
    return Precedence.PRODUCT if binds >= 50 else Precedence.SUM


def _array(array: np.ndarray[Any, Any]) -> Piece:
    if array.size > 16 or array.ndim > 2 or not array.size:
        shape = r" \times ".join(map(str, array.shape)) or "()"
        return Piece(rf"\text{{array}}_{{{shape}}}", Precedence.SUBSCRIPT)
    # An array of one axis is a column.
    rows = array.reshape(-1, 1) if array.ndim < 2 else array
    body = r" \\ ".join([" & ".join([_number(x).text for x in row]) for row in rows.tolist()])
    return Piece(rf"\begin{{bmatrix}} {body} \end{{bmatrix}}", Precedence.ATOM)


def _form(notation: Notation, node: ArrayExpr) -> Form:
    form = notation.typeset or Latex(notation.latex, notation.level, notation.operands)
    for places, other in notation.of_arrays:
        if all(not _is_number(node.operands[i]) for i in places):
            form = other
            break
    count = len(node.operands if form.shown is None else form.shown)
    level, needed = _with_scripts(form.template, form.level, form.operands, count)
    turned = notation.turned if form.terms is None else None
    return Form(
        form.template,
        level,
        needed,
        turned and (turned[0], turned[2]),
        notation.carries_sign and form.terms is None,
        _repeated(node, form) if node.broadcasts and len(node.shape) > 1 and form.repeats else {},
        form.shown,
        form.terms or (),
    )


def _is_number(x: ArrayExpr) -> bool:
    """Return whether `x` is a number on paper, where an array of one element is one."""
    return size_of(x.shape) == 1


def _repeated(node: ArrayExpr, form: Latex) -> dict[int, Latex]:
    r"""Return how operands are written that are smaller than the result, but for numbers.

    Of three axes and more the shape of the result stands beside such an operand, as that of ones:
    $T + A \odot \mathbf{1}_{2 \times 3 \times 4}$. In $T \odot A$ the other factor has this shape.
    """
    found: dict[int, Latex] = {}
    is_said = _is_of_elements(form) and any(x.shape == node.shape for x in node.operands)
    for i, x in enumerate(node.operands):
        if _is_number(x) or x.shape == node.shape:
            continue
        if len(node.shape) == 2 or not is_said:
            made = repeated_latex(x.shape, node.shape)
        elif len(x.shape) == 1:
            made = Latex("{0}" + TRANSPOSED, Precedence.POWER)
        else:
            continue
        level, needed = _with_scripts(made.template, made.level, made.operands, 1)
        found[i] = Latex(made.template, level, needed)
    return found


def _is_of_elements(form: Latex) -> bool:
    """Return whether a form is a product or quotient of each element, to which ones add nothing."""
    return form.template in (ODOT.template, OSLASH.template)


@functools.lru_cache(maxsize=4096)
def _with_scripts(
    template: str, level: int, operands: tuple[int, ...], count: int
) -> tuple[int, tuple[int, ...]]:
    """Return the precedences of a template, so that no base has two scripts of a kind."""
    # A subscript is no reason for brackets, except below another one.
    highest = Precedence.SUBSCRIPT
    needed = [min(operands[i], highest) if i < len(operands) else 0 for i in range(count)]
    parsed = [*string.Formatter().parse(template), ("", None, None, None)]
    delimited: dict[int, bool] = {}
    for (before, name, _, _), (after, *_) in itertools.pairwise(parsed):
        if name is None:
            continue
        i = int(name)
        delimited[i] = delimited.get(i, True) and before[-1:] == "{" and after[:1] == "}"
        least = {"_": Precedence.ATOM, "^": Precedence.SUBSCRIPT}.get(after[:1], 0)
        needed[i] = max(needed[i], least)
    for i, is_delimited in delimited.items():
        if is_delimited:  # braces delimit it, as in a fraction
            needed[i] = 0
    return min(level, _script_level(template)), tuple(needed)


def _script_level(text: str) -> int:
    """Return the highest precedence of what ends as a text does: in a script, or without one."""
    level = Precedence.ATOM
    end = len(text)
    while end:
        start = end - 1
        if text[end - 1] == "}":
            depth = 0
            for start in range(end - 1, -1, -1):
                depth += (text[start] == "}") - (text[start] == "{")
                if not depth:
                    break
        if not start or text[start - 1] not in "^_" or text[:start].endswith(r"\_"):
            return level
        if text[start - 1] == "^":
            return Precedence.POWER
        level = Precedence.SUBSCRIPT
        end = start - 1
    return level


#: What a dot stands before where it is multiplied: a digit, or a sign in brackets.
_DOTTED = re.compile(r"(\\frac\{+)?\d|\\left\(-|-")
#: A factor beside another: after a thin space, an operand, or a transposed one.
_FACTOR = re.compile(r"( \\,|(?<=\{\d\})|(?<=T\}\}\}\})) \{(\d+)\}")


#: A letter that is a function where a bracket follows it, beside a bracket as a factor.
_CALLED = re.compile(r"(?<!\w)(\\(?:Gamma|psi|sigma|theta|zeta))(?: \\,)?(?= \\left\()")


def _filled(template: str, texts: Sequence[str]) -> str:
    def factor(found: re.Match[str]) -> str:
        i = int(found[2])
        return rf" \cdot {{{i}}}" if _DOTTED.match(texts[i]) else found[0]

    return _CALLED.sub(r"\1 \\cdot", _FACTOR.sub(factor, template).format(*texts))


LATEX = Style(
    _atom,
    _form,
    r"\left({}\right)",
    "t_{{{}}}",
    Precedence.SUBSCRIPT,
    _name,
    400,
    filled=_filled,
    minus="- ",
    reads_back=False,
)


def latex(e: ArrayExpr) -> str:
    r"""Return a formula as it is written: one, or an `aligned` block with its definitions.

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


def latex_lines(labels: Sequence[str], es: Sequence[ArrayExpr]) -> str:
    """Return LaTeX of several formulas: the definitions that they share, then `label = …`."""
    let = write(es, LATEX)
    given = zip(labels, let.results, strict=True)
    shown = [*let.definitions, *[(name, value) for name, value in given if name != value]]
    body = " \\\\\n".join([f"{name} &= {value}" for name, value in shown])
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"
