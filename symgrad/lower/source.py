"""Expressions as stand-alone NumPy source."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from symgrad.expr.atoms import Leaf, check_name
from symgrad.expr.node import ArrayExpr
from symgrad.lower.evaluate import of_leaves, parameters

# The name of `run_source` in code that SymPy prints. A leaf of this name is refused there.
_RUN = "_symgrad_run_source"


def source(self: ArrayExpr, name: str = "f", inputs: Iterable[Any] | None = None) -> str:
    r"""Return the source of a function of the leaves that computes the expression.

    Parameters
    ----------
    name : str
        The name of the function.
    inputs : sequence of leaf or str, optional
        Its parameters, in order; leaves that do not occur are parameters too. By default the
        leaves in the order of their names (`x2` before `x10`), so that a formula and its
        derivatives take their parameters in one order.

    Returns
    -------
    str
        A module: its imports (NumPy; SciPy where special functions need it) and the function,
        which takes the leaves by position or by name, and arrays for 0-d leaves as `evaluate`
        does. A formula of numbers alone computes all points at once, and any other one point after
        the other. The text is the same in every process.

    Raises
    ------
    ValueError
        If `name` is no identifier or one that the text itself uses, two leaves share a name, or
        a leaf is not among `inputs`.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x")
    >>> print(*(x.exp() + 1).source().splitlines()[-3:], sep="\n")
        t1 = np.exp(x)
        t2 = t1 + 1
        return t2
    """
    return of_leaves([self], inputs, check_name(name)).source(bare=True)


def run_source(text: str, *args: Any) -> Any:
    """Return the result of the function `f` in a text that `source` made.

    Code that SymPy prints must be one Python expression, which a formula with shared parts is not.
    Therefore the printed code is a call of this function.
    """
    return _function(text)(*args)


@functools.lru_cache(maxsize=256)
def _function(text: str) -> Callable[..., Any]:
    namespace: dict[str, Any] = {}
    # In texts of `numeric.emit`, all values are literals and all names are checked.
    exec(compile(text, "<symgrad source>", "exec", dont_inherit=True), namespace)  # noqa: S102
    return namespace["f"]  # type: ignore[no-any-return]


def _numpycode(self: ArrayExpr, printer: Any, **_: Any) -> str:
    """Print for `sympy.lambdify` and SymPy's printers of NumPy code: a call of `run_source`."""
    if isinstance(self, Leaf):
        return self.name
    names = parameters([self])
    if _RUN in names.values():
        raise ValueError(f"a leaf may not be named {_RUN} here")
    printer.module_imports.setdefault(__name__, set()).add(_RUN)
    return f"{_RUN}({', '.join([repr(source(self)), *names.values()])})"


def _no_code(self: ArrayExpr, printer: Any, **_: Any) -> str:
    raise TypeError(
        f"{type(printer).__name__} cannot print symbolic arrays, which are NumPy code: use "
        'modules="numpy" in lambdify, or convert the formula with .to_sympy("scalar")'
    )


_PRINTERS = ("numpy", "scipy", "python", "lambda")
_OTHERS = (
    "_mpmathcode", "_sympycode", "_cmathcode", "_jaxcode", "_cupycode", "_torchcode",
    "_tensorflowcode", "_numexprcode", "_ccode", "_fcode", "_rust_code", "_julia",
)  # fmt: skip
#: The source of formulas, for people and for SymPy's code printers.
SOURCE: dict[str, Any] = {
    "source": source,
    **{f"_{name}code": _numpycode for name in _PRINTERS},
    **dict.fromkeys(_OTHERS, _no_code),
}
_symgrad_run_source = run_source
