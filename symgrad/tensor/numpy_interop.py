"""NumPy's functions on tensors: those with a counterpart are recorded.

`np.sin(t)`, `np.sum(t, axis=0)`, `array * t` reach the functions of `symgrad.schema.public`. Others run on
the values when no gradient is required, as in PyTorch, and are a TypeError where one would be lost.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from symgrad.expr.atoms import as_expr
from symgrad.expr.node import ArrayExpr
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES, Primitive, bind, when_defined
from symgrad.record.modes import state
from symgrad.record.record import Recorded, constant, wrap
from symgrad.schema.public import FUNCTIONS, METHODS, SCHEMAS
from symgrad.support.untraceable import UntraceableValue


def is_operand(x: object) -> bool:
    """Return whether `x` may stand beside a tensor in an operation."""
    return isinstance(x, (Recorded, bool, int, float, complex, np.ndarray, np.generic)) or (
        hasattr(x, "operands") and hasattr(x, "dtype")
    )


@functools.cache
def counterparts_of_ufuncs() -> dict[str, type[Primitive]]:
    """Return the operation that is recorded for each universal function, or method of one.

    It has the name of the function, names it among its `ufuncs`, or has it as its kernel.
    """
    found: dict[str, type[Primitive]] = {}
    for cls in PRIMITIVES.values():
        if issubclass(cls, Elementwise):
            kernel = getattr(cls, "kernel", None)
            if kernel is not None and isinstance(kernel.call, np.ufunc):
                found.setdefault(kernel.call.__name__, cls)
            found[cls.__name__] = cls
        for name in vars(cls).get("ufuncs", ()):
            found.setdefault(name, cls)
    return found


when_defined.append(lambda _: counterparts_of_ufuncs.cache_clear())


def _universal(name: str) -> Callable[..., Any] | None:
    """Return the counterpart; unlike PyTorch's elementwise functions, NumPy's all take numbers."""
    cls = counterparts_of_ufuncs().get(name)
    if cls is not None:
        name = cls.__name__
    public = FUNCTIONS.get(name) or METHODS.get(name)
    if cls is None or not issubclass(cls, Elementwise) or cls.params:
        return public
    return public if public and cls.arity == 1 else lambda *operands: bind(cls, operands)


def array_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """Record a universal function of NumPy, or its `reduce`, `accumulate` or `outer`."""
    f: Callable[..., Any] | None = None
    name = ufunc.__name__
    what = name if method == "__call__" else f"{name}.{method}"
    if options.get("out") is None and options.get("where", True) is True:
        if method == "__call__":
            f = None if "dtype" in options else _universal(name)
            if name == "positive":
                return inputs[0]
        elif method == "reduce":
            f = _reduce(_universal(what))
        elif method == "accumulate":
            f = _universal(what)
            options = {"axis": options.get("axis", 0)}
        elif method == "outer" and name == "multiply":
            f = FUNCTIONS["outer"]
    if f is None:
        return _on_arrays(self, f"np.{what}", getattr(ufunc, method), inputs, options)
    given = [constant(x) if isinstance(x, (list, tuple)) else x for x in inputs]
    if not isinstance(given[0], Recorded):  # a method is called on a tensor
        given[0] = _tensor_beside(given[0])
        if isinstance(given[0], bool) and not name.startswith(("bitwise", "logical")):
            given[0] = float(given[0])  # PyTorch makes floats of NumPy's truth values
    return f(*given, **{k: v for k, v in options.items() if v is not None and k != "out"})


def formula_of_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """Return the formula of a universal function of NumPy's."""
    name = ufunc.__name__
    f = _universal(name) if method == "__call__" and not options else None
    if f is None:
        raise _no_formula(f"np.{name}" + ("" if method == "__call__" else f".{method}"))
    return f(*[as_expr(x) for x in inputs])


def formula_of_function(self: Any, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Return the formula of a function of NumPy's that has a counterpart."""
    name = _name_of(func)
    found = _counterpart(name, args, kwargs)
    if found is NotImplemented:
        raise _no_formula(f"np.{name}")
    return found


def _no_formula(what: str) -> UntraceableValue:
    return UntraceableValue(
        f"{what} reads the elements of a symbolic array, which it does not have while its function "
        "is traced: use symgrad's own functions"
    )


def _tensor_beside(x: Any) -> Any:
    """Leave Python and NumPy numbers to promotion; make a tensor of an array."""
    return (
        constant(x) if isinstance(x, np.ndarray) else x.item() if isinstance(x, np.generic) else x
    )


def _reduce(f: Callable[..., Any] | None) -> Callable[..., Any] | None:
    if f is None:
        return None

    def reduce(x: Any, axis: Any = 0, keepdims: bool = False, **rest: Any) -> Any:
        dims = tuple(range(x.ndim)) if axis is None else axis
        return f(x, dim=dims, keepdim=keepdims, **rest)

    return reduce


def array_function(self: Any, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Record a function of NumPy that has a counterpart."""
    name = _name_of(func)
    found = _counterpart(name, args, kwargs)
    return _on_arrays(self, f"np.{name}", func, args, kwargs) if found is NotImplemented else found


def _name_of(func: Any) -> str:
    """Return the name of a function of NumPy's, with its module, as in "linalg.norm"."""
    module = (getattr(func, "__module__", "") or "numpy").removeprefix("numpy").lstrip(".")
    return f"{module}.{func.__name__}" if module else str(func.__name__)


def _counterpart(name: str, args: Any, kwargs: Any) -> Any:
    """Return what the counterpart of a function gives; NotImplemented where there is none."""
    adapter = _ADAPTERS.get(name)
    if adapter is None or kwargs.get("out") is not None:
        return NotImplemented
    return adapter(*args, **{k: v for k, v in kwargs.items() if v is not np._NoValue})


def _on_arrays(self: Any, what: str, call: Any, args: Any, kwargs: Any) -> Any:
    """Run a function of NumPy on the values, where no gradient is lost by it."""
    tensors = [x for x in _leaves((args, kwargs)) if isinstance(x, Recorded)]
    if state.state.enabled and any(x._rg for x in tensors):
        raise TypeError(
            f"{what} has no counterpart that symgrad could record, and an argument requires a "
            "gradient: use symgrad's own functions, or pass t.detach()"
        )
    plain = _plain(args)
    options = _plain(kwargs)
    return call(*plain, **options)


def _leaves(x: Any) -> Iterable[Any]:
    stack = [x]
    while stack:
        y = stack.pop()
        if isinstance(y, (list, tuple)):
            stack.extend(y)
        elif isinstance(y, dict):
            stack.extend(y.values())
        else:
            yield y


def _plain(x: Any) -> Any:
    if isinstance(x, ArrayExpr):
        raise _no_formula("what NumPy computes")
    if isinstance(x, Recorded):
        # The function may write into the array, or return it, to be given another shape.
        x._storage().expose()
        return x._data.view()
    if isinstance(x, (list, tuple)):
        items = [_plain(y) for y in x]
        return items if isinstance(x, list) else tuple(items)
    if isinstance(x, dict):
        return {k: _plain(v) for k, v in x.items()}
    return x


# ------------------------------------------------------------------ functions by name


def _tensor(x: Any) -> Any:
    return x if isinstance(x, (Recorded, ArrayExpr)) else constant(x)


def _tensors(xs: Any) -> list[Any]:
    return [_tensor(x) for x in xs]


def _same(name: str) -> Callable[..., Any]:
    """A counterpart with the same arguments."""

    def adapter(x: Any, *args: Any, **kwargs: Any) -> Any:
        given = {k: v for k, v in kwargs.items() if v is not None}
        return FUNCTIONS[name](_tensor(x), *args, **given)

    return adapter


def _over(name: str, **fixed: Any) -> Callable[..., Any]:
    """A reduction: over all axes when `axis` is None."""

    def adapter(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False,
                **rest: Any) -> Any:  # fmt: skip
        options = dict(fixed)
        if "correction" in options:
            options["correction"] = rest.pop("correction", rest.pop("ddof", 0))
        if rest or dtype is not None:
            return NotImplemented
        f, x, overloads = FUNCTIONS[name], _tensor(a), SCHEMAS[name, False].overloads
        kinds = [p.kind for overload in overloads for p in overload.parameters if p.name == "dim"]
        if axis is None and not (keepdims or options) and len(kinds) < len(overloads):
            return f(x)
        if "[" in kinds[0]:
            dims = tuple(range(x.ndim)) if axis is None else axis
        elif isinstance(axis, int) or (axis is None and kinds[0].endswith("?")):
            dims = axis
        else:
            return NotImplemented
        return f(x, dim=dims, keepdim=keepdims, **options)

    return adapter


def _stacked(name: str) -> Callable[..., Any]:
    def adapter(arrays: Any, axis: int | None = 0, dtype: Any = None, casting: Any = None) -> Any:
        if dtype is not None:
            return NotImplemented
        xs = _tensors(arrays)
        if axis is None:
            xs, axis = [x.reshape(-1) for x in xs], 0
        return FUNCTIONS[name](xs, dim=axis)

    return adapter


def _joined(name: str) -> Callable[..., Any]:
    def adapter(arrays: Any, **kwargs: Any) -> Any:
        return NotImplemented if kwargs else FUNCTIONS[name](_tensors(arrays))

    return adapter


def _of_two(name: str) -> Callable[..., Any]:
    def adapter(a: Any, b: Any, **kwargs: Any) -> Any:
        return NotImplemented if kwargs else FUNCTIONS[name](_tensor(a), _tensor(b))

    return adapter


def _dot(a: Any, b: Any) -> Any:
    x, y = _tensor(a), _tensor(b)
    if not x.ndim or not y.ndim:
        return x * y
    if x.ndim <= 2 and y.ndim <= 2:
        return x @ y
    return FUNCTIONS["tensordot"](x, y, dims=([x.ndim - 1], [y.ndim - 2]))


def _where(condition: Any, *choices: Any) -> Any:
    condition = _tensor(condition)
    if not choices:
        return tuple(wrap(i) for i in np.nonzero(condition._data))
    if condition.dtype.name != "bool":
        condition = condition != 0
    given = [constant(x) if isinstance(x, np.ndarray) else x for x in choices]
    return FUNCTIONS["where"](condition, *given)


def _reshape(a: Any, shape: Any = None, order: str = "C", newshape: Any = None,
             copy: bool | None = None) -> Any:  # fmt: skip
    shape = newshape if shape is None else shape
    if order != "C":
        return NotImplemented
    return _tensor(a).reshape(shape if isinstance(shape, (tuple, list)) else (shape,))


def _transpose(a: Any, axes: Any = None) -> Any:
    x = _tensor(a)
    return x.permute(*(reversed(range(x.ndim)) if axes is None else axes))


def _expand_dims(a: Any, axis: Any) -> Any:
    x = _tensor(a)
    axes = [axis] if isinstance(axis, int) else list(axis)
    rank = x.ndim + len(axes)
    for i in sorted(i % rank for i in axes):
        x = x.unsqueeze(i)
    return x


def _clip(a: Any, a_min: Any = None, a_max: Any = None, **kwargs: Any) -> Any:
    low, high = kwargs.pop("min", a_min), kwargs.pop("max", a_max)
    return NotImplemented if kwargs else _tensor(a).clamp(low, high)


def _cumulative(name: str) -> Callable[..., Any]:
    def adapter(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
        if dtype is not None:
            return NotImplemented
        f, x = FUNCTIONS[name], _tensor(a)
        return f(x.reshape(-1), dim=0) if axis is None else f(x, dim=axis)

    return adapter


def _linalg_norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    if ord is not None:
        return NotImplemented
    x = _tensor(x)
    return x.norm() if axis is None and not keepdims else x.norm(dim=axis, keepdim=keepdims)


def _sort(a: Any, axis: int | None = -1, **kwargs: Any) -> Any:
    if any(v is not None for v in kwargs.values()):
        return NotImplemented
    x = _tensor(a)
    return x.reshape(-1).sort(dim=0)[0] if axis is None else x.sort(dim=axis)[0]


def _roll(a: Any, shift: Any, axis: Any = None) -> Any:
    x = _tensor(a)
    return x.roll(shift) if axis is None else x.roll(shift, axis)


def _flip(m: Any, axis: Any = None) -> Any:
    x = _tensor(m)
    return x.flip(tuple(range(x.ndim)) if axis is None else axis)


def answer_like(make: Callable[..., Any]) -> None:
    """Let a function that makes a tensor like another answer for NumPy's of the same name."""

    def adapter(a: Any, *args: Any, **kwargs: Any) -> Any:
        return NotImplemented if kwargs or not isinstance(a, Recorded) else make(a, *args)

    _ADAPTERS[make.__name__] = adapter


def _einsum(subscripts: Any, *operands: Any, **kwargs: Any) -> Any:
    return NotImplemented if kwargs else FUNCTIONS["einsum"](subscripts, *_tensors(operands))


_ADAPTERS: dict[str, Callable[..., Any]] = {
    # Questions about shape, which need no record.
    "shape": lambda a: tuple(_tensor(a).shape),
    "ndim": lambda a: _tensor(a).ndim,
    "size": lambda a, axis=None: (
        math.prod(_tensor(a).shape) if axis is None else _tensor(a).shape[axis]
    ),
    # Reductions.
    **{name: _over(name) for name in ("sum", "mean", "prod", "all", "any", "argmax", "argmin",
                                      "nansum", "nanmean", "logsumexp")},
    "max": _over("amax"), "amax": _over("amax"), "min": _over("amin"), "amin": _over("amin"),
    "var": _over("var", correction=0), "std": _over("std", correction=0),
    "cumsum": _cumulative("cumsum"), "cumprod": _cumulative("cumprod"),
    # Shapes.
    "reshape": _reshape, "ravel": lambda a, order="C": _tensor(a).reshape(-1),
    "transpose": _transpose, "permute_dims": _transpose, "expand_dims": _expand_dims,
    "swapaxes": lambda a, axis1, axis2: _tensor(a).transpose(axis1, axis2),
    "moveaxis": lambda a, source, destination: _tensor(a).movedim(source, destination),
    "squeeze": lambda a, axis=None: _tensor(a).squeeze(*(() if axis is None else (axis,))),
    "broadcast_to": lambda array, shape, subok=False: _tensor(array).broadcast_to(shape),
    "flip": _flip, "roll": _roll, "tile": _same("tile"), "copy": lambda a, **_: _tensor(a).clone(),
    "tril": lambda m, k=0: _tensor(m).tril(k), "triu": lambda m, k=0: _tensor(m).triu(k),
    "diag": lambda v, k=0: _tensor(v).diag(k), "trace": _same("trace"),
    "diagonal": lambda a, offset=0, axis1=0, axis2=1: _tensor(a).diagonal(offset, axis1, axis2),
    # Joining.
    "concatenate": _stacked("cat"), "concat": _stacked("cat"), "stack": _stacked("stack"),
    "vstack": _joined("vstack"), "hstack": _joined("hstack"), "dstack": _joined("dstack"),
    # Products.
    "dot": _dot, "matmul": _of_two("matmul"), "outer": _of_two("outer"), "kron": _of_two("kron"),
    "einsum": _einsum, "linalg.norm": _linalg_norm,
    # Choices and comparisons.
    "where": _where, "clip": _clip, "sort": _sort,
    "round": lambda a, decimals=0: _tensor(a).round(decimals=decimals) if decimals
    else _tensor(a).round(),
    "isclose": _same("isclose"), "allclose": _same("allclose"), "nan_to_num": _same("nan_to_num"),
    "array_equal": lambda a, b: bool(np.array_equal(_plain(a), _plain(b))),
    "real": lambda val: _tensor(val).real, "imag": lambda val: _tensor(val).imag,
    "angle": lambda z, deg=False: NotImplemented if deg else _tensor(z).angle(),
}  # fmt: skip

#: The methods of formulas that NumPy's functions call.
BY_NUMPY = {"__array_ufunc__": formula_of_ufunc, "__array_function__": formula_of_function}
