"""The inputs of formulas, made by their names: `leaf` and `symbols`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from symgrad.expr.atoms import Leaf, check_name
from symgrad.expr.dtypes import dtype, float64
from symgrad.expr.facts import Facts


def leaf(
    name: str,
    shape: Sequence[int | str] | int | str = (),
    dtype: dtype = float64,
    *,
    symmetric: bool = False,
    sums_to: float | None = None,
) -> Leaf:
    """Return the input `name` of formulas.

    Parameters
    ----------
    name : str
        A Python identifier that is no keyword.
    shape : sequence of int or str
        The shape of its values; `()` for a number. A size may be a name, as "n": the formulas hold
        for every size, and the values that `evaluate` is given tell which it is.
    dtype : symgrad.dtype
        The element type of its values.
    symmetric : bool
        Whether its values are symmetric matrices, along the last two axes. The derivative by it is
        symmetric, too.
    sums_to : number, optional
        What its elements along the last axis add up to, as the probabilities in each row to 1.

    Returns
    -------
    Leaf
        The same object for the same arguments.

    Raises
    ------
    ValueError
        If `name` or that of a size is no identifier, or the shape fits no symmetric matrix. A value
        that has not these facts is refused by `evaluate`.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (3,))
    >>> x is symgrad.leaf("x", (3,))
    True
    >>> X = symgrad.leaf("X", ("n", 3))
    >>> symgrad.derive((X @ x).mean(), x)
    sum(X, dim=0) / n
    """
    if symmetric is False and sums_to is None:
        return Leaf(name, shape, dtype)  # type: ignore[arg-type]
    return Leaf(name, shape, dtype, None, Facts(symmetric, sums_to))  # type: ignore[arg-type]


def symbols(names: str | Iterable[str], shape: Sequence[int] = (), dtype: dtype = float64) -> Any:
    """Return the inputs of formulas of some names, as `sympy.symbols` returns symbols.

    Parameters
    ----------
    names : str, or list or tuple of str
        Python identifiers; in one string with spaces or commas between.
    shape : sequence of int
        The shape of the values of each; `()` for numbers.
    dtype : symgrad.dtype
        Their element type.

    Returns
    -------
    Leaf or tuple of Leaf
        A leaf for one name alone in a string; else a tuple, also for `"x,"`.

    Raises
    ------
    TypeError
        If `names` is something else.
    ValueError
        If there is no name, or one is no identifier.

    Examples
    --------
    >>> import symgrad
    >>> x, y = symgrad.symbols("x y")
    >>> symgrad.derive(x * y**2, y)
    2 * x * y
    """
    if not isinstance(names, (str, list, tuple)):
        raise TypeError(
            f'symbols() takes names, as in symbols("x y z"), got {type(names).__name__}'
        )
    alone = isinstance(names, str) and not names.rstrip().endswith(",")
    listed = names.replace(",", " ").split() if isinstance(names, str) else names
    if not listed:
        raise ValueError('symbols() takes names, as in symbols("x y z"), got none')
    made = tuple([Leaf(check_name(name), shape, dtype) for name in listed])
    return made[0] if alone and len(made) == 1 else made
