"""What Python, SymPy's printers and notebooks display of formulas, which is bounded.

Of a formula that is larger they say its size; `str` and `latex` give all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sympy.printing.pretty.stringpict import prettyForm

from symgrad.expr import typesetting
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.printing import TEXT, lines, text, write
from symgrad.expr.sources import is_derived
from symgrad.support.above import FromAbove

#: Returns formulas, of which the derivatives are as they are read, given formulas whose nodes stay.
as_read: FromAbove[Callable[[Sequence[ArrayExpr], Sequence[ArrayExpr]], list[ArrayExpr]]] = (
    FromAbove("symgrad.forms.formula_text")
)

#: The most nodes of formulas that are displayed.
_MOST_NODES = 2000


def _folded(e: ArrayExpr, nodes: int, whole: str) -> str:
    """Return what stands for a formula that is too large, and the call that gives it whole."""
    return f"an expression of {nodes} nodes, shape {e.shape}, {e.dtype.name}; {whole} gives {{}}"


def shown_lines(
    labels: Sequence[str], es: Sequence[ArrayExpr], written: Sequence[ArrayExpr] = ()
) -> str:
    """Return the text of several formulas for a display, each folded if they are too large.

    Derivatives are as they are read, but for the nodes of the formulas that were `written`.
    """
    if len(toposort(es)) <= _MOST_NODES:
        return lines(labels, as_shown(es, written))
    sizes = [len(toposort([e])) for e in es]
    return "\n".join(
        f"{label} = <{_folded(e, size, 'str()').format('its text')}>"
        for label, e, size in zip(labels, es, sizes, strict=True)
    )


def latex_lines(
    labels: Sequence[str], es: Sequence[ArrayExpr], written: Sequence[ArrayExpr] = ()
) -> str:
    """Return LaTeX of several formulas, whose derivatives are as those of `shown_lines`."""
    return typesetting.latex_lines(labels, as_shown(es, written))


def shown_latex_lines(
    labels: Sequence[str], es: Sequence[ArrayExpr], written: Sequence[ArrayExpr] = ()
) -> str:
    """Return LaTeX of several formulas for a display, each folded if they are too large.

    Derivatives are as those of `shown_lines`.
    """
    if len(toposort(es)) <= _MOST_NODES:
        return f"$$\n{latex_lines(labels, es, written)}\n$$"
    sizes = [len(toposort([e])) for e in es]
    body = " \\\\\n".join(
        rf"{label} &= \text{{{_folded(e, size, 'latex()').format('all of it')}}}"
        for label, e, size in zip(labels, es, sizes, strict=True)
    )
    return f"$$\n\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n$$"


def as_shown(es: Sequence[ArrayExpr], written: Sequence[ArrayExpr] = ()) -> list[ArrayExpr]:
    """Return formulas, of which derivatives are as they stand in a book, or are too large."""
    if any(map(is_derived, es)) and len(toposort(es)) <= _MOST_NODES:
        return as_read.call(es, written)
    return list(es)


def _str(e: ArrayExpr) -> str:
    """Return the formula as text: definitions `t1 = …`, one a line, then the result."""
    return text(*as_shown([e]))


def _repr(e: ArrayExpr) -> str:
    nodes = len(toposort([e]))
    return _str(e) if nodes <= _MOST_NODES else f"<{_folded(e, nodes, 'str()').format('its text')}>"


def latex(e: ArrayExpr) -> str:
    r"""Return the formula as LaTeX: one formula, or an `aligned` block with its definitions.

    A derivative is as it stands in a book, as `str` prints it.

    Examples
    --------
    >>> import symgrad
    >>> x, X, v = symgrad.leaf("x_1"), symgrad.leaf("X", (5, 3)), symgrad.leaf("v", (3,))
    >>> print(latex((x + 1) / 2))
    \frac{x_{1} + 1}{2}
    >>> print(latex(symgrad.derive(((X @ v) ** 2).sum(), v)))
    2 \, X^{\mathsf{T}} \left(X v\right)
    """
    return typesetting.latex(*as_shown([e]))


def _repr_latex_(e: ArrayExpr) -> str:
    nodes = len(toposort([e]))
    if nodes <= _MOST_NODES:
        return rf"$\displaystyle {latex(e)}$"
    return rf"$\text{{{_folded(e, nodes, 'latex()').format('all of it')}}}$"


def mimebundle(x: Any, include: Any = None, exclude: Any = None) -> dict[str, str]:
    """Return what a notebook displays of an object: its text, and its LaTeX.

    Parameters
    ----------
    include, exclude : collection of str, optional
        The kinds that the notebook asks for, and those that it does not want.
    """
    made = {"text/plain": x.__repr__, "text/latex": x._repr_latex_}
    kinds = [k for k in made if (not include or k in include) and k not in (exclude or ())]
    return {kind: made[kind]() for kind in kinds}


def _sympystr(e: ArrayExpr, printer: Any) -> str:
    let = write(as_shown([e]), TEXT)
    if not let.before or printer._print_level <= 1:
        return "\n".join([*let.before, let.result])
    # Inside a list or a matrix a formula has one line.
    return f"({let.result} where {'; '.join(let.before)})"


def _pretty(e: ArrayExpr, printer: Any) -> prettyForm:
    return prettyForm(_sympystr(e, printer))


#: The methods that print formulas, for Python, for SymPy's printers and for notebooks.
PRINTED: dict[str, Any] = {
    "__str__": _str,
    "__repr__": _repr,
    "_sympystr": _sympystr,
    "_pretty": _pretty,
    "_repr_latex_": _repr_latex_,
    "_repr_mimebundle_": mimebundle,
    "latex": latex,
}
