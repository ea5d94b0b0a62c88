"""SciPy's optimisers with derivatives that are formulas: `minimize`, `least_squares` and `root`.

A function is traced once, and compiled with its derivatives. What is searched for may be a number,
an array, or any container of these, as the parameters of a model. SciPy is an extra:
`symgrad[special]`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symgrad.autograd.arrays import as_arrays
from symgrad.autograd.compiled import compile
from symgrad.autograd.jacobian_transforms import hessian, hvp, jacobian
from symgrad.autograd.transforms import value_and_grad
from symgrad.autograd.vmap.trees import flattened
from symgrad.expr.atoms import as_expr
from symgrad.expr.node import ArrayExpr
from symgrad.record.modes import no_grad
from symgrad.record.record import Recorded, wrap
from symgrad.schema.kinds import type_name
from symgrad.schema.public import FUNCTIONS

__all__ = ["least_squares", "minimize", "root"]

#: The methods that take second derivatives, and those of them that take the whole Hessian alone.
_SECOND = frozenset(
    {"newton-cg", "trust-ncg", "trust-krylov", "trust-constr", "dogleg", "trust-exact"}
)
_WHOLE = frozenset({"dogleg", "trust-exact"})
#: The methods that take no first derivatives.
_NONE = frozenset({"nelder-mead", "powell", "cobyla", "cobyqa"})
# Up to so many numbers a Hessian is computed whole, beyond it times vectors.
_FEW = 200


def minimize(
    func: Callable[..., Any], x0: Any, args: tuple[Any, ...] = (), method: str | None = None,
    **options: Any,
) -> Any:  # fmt: skip
    """Return a local minimum of a function of one number.

    Parameters
    ----------
    func : callable
        `func(x, *args)`, of symgrad's or NumPy's functions, returns a number. It is traced, as by
        `symgrad.func.compile`.
    x0 : number, array, tensor or container of these
        Where to begin; real.
    args : tuple
        Further arguments, by which nothing is differentiated.
    method : str, optional
        As in `scipy.optimize.minimize`. Those that take a Hessian, as "trust-exact", or products of
        one, as "Newton-CG", get it.
    **options
        Further arguments of `scipy.optimize.minimize`, as `bounds`, `constraints`, `tol` and
        `options`. They speak of the numbers of `x0` one after the other.

    Returns
    -------
    scipy.optimize.OptimizeResult
        Its `x` has the structure of `x0`; the rest is SciPy's.

    Raises
    ------
    ImportError
        If SciPy is not installed; the error names the extra.
    TypeError
        If `x0` holds what is no real number, or `func` cannot be traced.
    RuntimeError
        If `func` returns no number.

    Examples
    --------
    >>> import numpy as np
    >>> from symgrad.optimize import minimize
    >>> found = minimize(
    ...     lambda p: (p["a"] - 1) ** 2 + ((p["b"] - p["a"]) ** 2).sum(),
    ...     {"a": 0.0, "b": np.zeros(2)},
    ...     method="trust-exact",
    ... )
    >>> {k: v.round(6) for k, v in found.x.items()}
    {'a': np.float64(1.0), 'b': array([1., 1.])}
    """
    scipy, unknowns, args = _scipy("minimize"), _Unknowns(x0, "minimize"), _arrays(args)
    _check_options("minimize", options, "jac", "hess", "hessp")

    def number(v: Any, *args: Any) -> Any:
        return func(unknowns.formulas(v), *args)

    way = "" if method is None or not isinstance(method, str) else method.lower()
    if way in _NONE:
        given: dict[str, Any] = {}
        function = _of_values(number)
    else:
        given = {"jac": True}
        function = _of_values(value_and_grad(number))
    if way in _WHOLE or (way in _SECOND and unknowns.size <= _FEW):
        given["hess"] = _of_values(hessian(number))
    elif way in _SECOND:
        given["hessp"] = _of_values(hvp(number))
    result = scipy.minimize(function, unknowns.vector, args, method, **{**given, **options})
    result.x = unknowns.like(result.x)
    return result


def least_squares(
    func: Callable[..., Any], x0: Any, args: tuple[Any, ...] = (), **options: Any
) -> Any:
    """Return a local minimum of the sum of squares of residuals.

    Parameters
    ----------
    func : callable
        `func(x, *args)` returns the residuals: an array of any shape, or a container of arrays.
    x0 : number, array, tensor or container of these
        Where to begin; real.
    args : tuple
        Further arguments, by which nothing is differentiated.
    **options
        Further arguments of `scipy.optimize.least_squares`, as `bounds`, `method`, `loss` and
        `f_scale`.

    Returns
    -------
    scipy.optimize.OptimizeResult
        Its `x` has the structure of `x0`; the rest is SciPy's.

    Raises
    ------
    ImportError, TypeError
        As those of `minimize`.

    Examples
    --------
    >>> import numpy as np
    >>> from symgrad.optimize import least_squares
    >>> t = np.linspace(0, 1, 20)
    >>> found = least_squares(
    ...     lambda p, t, y: p[0] * np.exp(-p[1] * t) - y, np.ones(2), (t, 2 * np.exp(-3 * t))
    ... )
    >>> found.x.round(6)
    array([2., 3.])
    """
    unknowns, args = _Unknowns(x0, "least_squares"), _arrays(args)
    _check_options("least_squares", options, "jac")
    residuals = _in_one(func, unknowns)
    result = _scipy("least_squares").least_squares(
        _of_values(residuals),
        unknowns.vector,
        _of_values(jacobian(residuals)),
        args=args,
        **options,
    )
    result.x = unknowns.like(result.x)
    return result


def root(
    func: Callable[..., Any], x0: Any, args: tuple[Any, ...] = (), method: str = "hybr",
    **options: Any,
) -> Any:  # fmt: skip
    """Return a place where a function of as many numbers as it has results is zero.

    Parameters
    ----------
    func : callable
        `func(x, *args)` returns an array, or a container of arrays.
    x0 : number, array, tensor or container of these
        Where to begin; real.
    args : tuple
        Further arguments, by which nothing is differentiated.
    method : str
        As in `scipy.optimize.root`; "hybr" and "lm" get the Jacobian.
    **options
        Further arguments of `scipy.optimize.root`.

    Returns
    -------
    scipy.optimize.OptimizeResult
        Its `x` has the structure of `x0`; the rest is SciPy's.

    Raises
    ------
    ImportError, TypeError
        As those of `minimize`.

    Examples
    --------
    >>> import numpy as np
    >>> from symgrad.optimize import root
    >>> root(lambda x: np.cos(x) - x, 1.0).x.round(6)
    np.float64(0.739085)
    """
    unknowns, args = _Unknowns(x0, "root"), _arrays(args)
    equations = _in_one(func, unknowns)
    jac = _of_values(jacobian(equations)) if method in ("hybr", "lm") else None
    _check_options("root", options, "jac")
    result = _scipy("root").root(
        _of_values(equations), unknowns.vector, args, method, jac=jac, **options
    )
    result.x = unknowns.like(result.x)
    return result


class _Unknowns:
    """What is searched for, as one vector.

    Attributes
    ----------
    vector : numpy.ndarray
        The numbers to begin with, one after the other.
    size : int
        How many there are.
    """

    def __init__(self, x0: Any, name: str) -> None:
        leaves, self._tree = flattened(x0)
        self._are_tensors = [isinstance(x, Recorded) for x in leaves]
        arrays = [np.asarray(x._data if isinstance(x, Recorded) else x) for x in leaves]
        for x, array in zip(leaves, arrays, strict=True):
            if array.dtype.kind not in "fiu":
                raise TypeError(f"{name}(): x0 holds {type_name(x)}, which is no real number")
        self._shapes = [x.shape for x in arrays]
        self._ends = np.cumsum([x.size for x in arrays]).tolist()
        self.size = self._ends[-1] if arrays else 0
        if not self.size:
            raise ValueError(f"{name}(): x0 holds no number, and there is nothing to search for")
        parts = [np.ravel(x).astype(np.float64) for x in arrays]
        self.vector = np.concatenate(parts) if parts else np.zeros(0)

    def _cut(self, v: Any) -> list[Any]:
        starts = [0, *self._ends]
        pairs = zip(starts, self._ends, self._shapes, strict=False)
        return [v[a:b].reshape(shape) for a, b, shape in pairs]

    def formulas(self, v: Any) -> Any:
        """Return the structure, of formulas of a vector."""
        return self._tree.build(self._cut(v))

    def like(self, v: Any) -> Any:
        """Return the structure that was given, of the numbers of a vector."""
        pairs = zip(self._cut(np.asarray(v)), self._are_tensors, strict=True)
        return self._tree.build([wrap(x.copy()) if is_tensor else x[()] for x, is_tensor in pairs])


def _in_one(func: Callable[..., Any], unknowns: _Unknowns) -> Callable[..., Any]:
    """Return the function of a vector, whose result is one vector."""

    def function(v: Any, *args: Any, **kwargs: Any) -> Any:
        found = flattened(func(unknowns.formulas(v), *args, **kwargs))[0]
        made = [x if isinstance(x, (Recorded, ArrayExpr)) else as_expr(x) for x in found]
        parts = [FUNCTIONS["ravel"](x) for x in made]
        return parts[0] if len(parts) == 1 else FUNCTIONS["cat"](parts)

    return function


def _of_values(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of arrays compiled, with arrays as results whatever it reads."""
    compiled = compile(function)

    def call(*args: Any, **kwargs: Any) -> Any:
        with no_grad():
            return as_arrays(compiled(*args, **kwargs))

    return call


def _check_options(name: str, options: dict[str, Any], *own: str) -> None:
    """Raise an error for derivatives that a user gives, since symgrad computes them."""
    for key in own:
        if key in options:
            raise TypeError(
                f"{name}() computes {key!r} itself, from the function's formula: leave it out, or "
                f"call scipy.optimize.{name}"
            )


def _arrays(args: Sequence[Any]) -> tuple[Any, ...]:
    """Return arguments with arrays for tensors."""
    leaves, tree = flattened(tuple(args) if isinstance(args, (tuple, list)) else (args,))
    made: tuple[Any, ...] = tree.build([x._data if isinstance(x, Recorded) else x for x in leaves])
    return made


def _scipy(name: str) -> Any:
    try:
        return importlib.import_module("scipy.optimize")
    except ImportError:
        raise ImportError(
            f"{name}() is SciPy's, which is not installed: pip install 'symgrad[special]'"
        ) from None
