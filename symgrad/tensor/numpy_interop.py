"""NumPy's functions on tensors and formulas: those with a counterpart are recorded, or make a formula.

`np.sin(t)`, `np.sum(t, axis=0)`, `array * t` reach the functions of `symgrad.schema.public`, as their
classes (`Primitive.ufuncs`) and declarations (`symgrad.schema.numpy_calls`) say. Others run on the values of
tensors when no gradient is required, as in PyTorch, and are a TypeError where one would be lost, or
where there is a formula.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from symgrad.expr.atoms import as_expr
from symgrad.expr.dtypes import Category, float64, from_numpy_dtype, number_as, result_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES, Primitive, bind, when_defined
from symgrad.record.modes import state
from symgrad.record.record import Recorded, constant
from symgrad.schema.numpy_calls import COUNTERPARTS, nearest_of
from symgrad.schema.public import FUNCTIONS, METHODS, SCHEMAS
from symgrad.support.untraceable import UntraceableArray, UntraceableValue


def is_operand(x: object) -> bool:
    """Return whether `x` may stand beside a tensor in an operation."""
    return isinstance(x, (Recorded, bool, int, float, complex, np.ndarray, np.generic)) or (
        hasattr(x, "operands") and hasattr(x, "dtype")
    )


@functools.cache
def counterparts_of_ufuncs() -> dict[str, type[Primitive]]:
    """Return the operation that is recorded for each universal function, or method of one.

    It has the name of the function, names it among its `aliases` or `ufuncs`, or has it as its
    kernel.
    """
    found: dict[str, type[Primitive]] = {}
    for cls in PRIMITIVES.values():
        if issubclass(cls, Elementwise):
            kernel = getattr(cls, "kernel", None)
            if kernel is not None and isinstance(kernel.call, np.ufunc):
                found.setdefault(kernel.call.__name__, cls)
            found[cls.__name__] = cls
            for name in cls.aliases:
                found.setdefault(name.rpartition(".")[2], cls)
        for name in vars(cls).get("ufuncs", ()):
            found.setdefault(name, cls)
    return found


when_defined.append(lambda _: counterparts_of_ufuncs.cache_clear())


def _universal(name: str) -> Callable[..., Any] | None:
    """Return the counterpart; unlike PyTorch's elementwise functions, NumPy's all take numbers."""
    if name in COUNTERPARTS:
        return COUNTERPARTS[name]
    cls = counterparts_of_ufuncs().get(name)
    if cls is None:
        return FUNCTIONS.get(name)
    name = cls.__name__
    public = FUNCTIONS.get(name) or METHODS.get(name)
    if not issubclass(cls, Elementwise) or cls.params:
        return public
    return public if public and cls.arity == 1 else lambda *operands: bind(cls, operands)


# ------------------------------------------------------------------ NumPy's protocols


def array_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """Record a universal function of NumPy, or its `reduce`, `accumulate` or `outer`."""
    found = _answer(ufunc, method, _beside_tensor(ufunc, inputs), options)
    if found is NotImplemented:
        return _on_arrays(self, _called(ufunc, method), getattr(ufunc, method), inputs, options)
    return found


def formula_of_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """Return the formula of a universal function of NumPy's, or of a method of one."""
    found = _answer(ufunc, method, [_beside_formula(x) for x in inputs], options)
    if found is NotImplemented:
        raise _no_formula(_called(ufunc, method), options)
    return found


def array_function(self: Any, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Record a function of NumPy that has a counterpart."""
    found = _answer_function(func, args, kwargs)
    return (
        _on_arrays(self, _name_of(func), func, args, kwargs) if found is NotImplemented else found
    )


def formula_of_function(self: Any, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Return the formula of a function of NumPy's that has a counterpart."""
    found = _answer_function(func, args, kwargs)
    if found is NotImplemented:
        raise _no_formula(_name_of(func), kwargs)
    return found


def formula_as_array(self: Any, dtype: Any = None, copy: bool | None = None) -> Any:
    """Refuse to be an array of NumPy's, but for one of objects where that is asked for."""
    if dtype is not None and np.dtype(dtype) == object:
        array = np.empty((), object)
        array[()] = self
        return array
    raise UntraceableArray(
        "a formula has no elements of which NumPy could make an array: join formulas with "
        "symgrad.stack or np.stack, compute values with e.evaluate(...), or ask for dtype=object"
    )


#: The methods of formulas that NumPy's functions call.
BY_NUMPY = {
    "__array__": formula_as_array,
    "__array_ufunc__": formula_of_ufunc,
    "__array_function__": formula_of_function,
}


def _called(ufunc: Any, method: str) -> str:
    return str(ufunc.__name__) if method == "__call__" else f"{ufunc.__name__}.{method}"


def _name_of(func: Any) -> str:
    """Return the name of a function of NumPy's, with its module, as in "linalg.norm"."""
    module = (getattr(func, "__module__", "") or "numpy").removeprefix("numpy").lstrip(".")
    return f"{module}.{func.__name__}" if module else str(func.__name__)


def _without_counterpart(name: str, options: Any) -> str:
    """Return the beginning of the message about a call that has no counterpart."""
    text = f"np.{name} has no counterpart"
    if _of_function(name) is not None or _universal(name) is not None:
        given = ", ".join([f"{k}=" for k, v in options.items() if v is not None])
        text += f" for these arguments{given and f' ({given})'}"
    other = nearest_of(name)
    if other == name:
        other = ""
    return text + (other and f" (the nearest that has one is np.{other})")


def _no_formula(name: str, options: Any) -> UntraceableValue:
    return UntraceableValue(
        f"{_without_counterpart(name, options)}, and NumPy cannot compute it of a symbolic array, "
        "which has no elements: use symgrad's own functions, or the values that e.evaluate(...) gives"
    )


def _on_arrays(self: Any, name: str, call: Any, args: Any, kwargs: Any) -> Any:
    """Run a function of NumPy on the values, where no gradient is lost by it."""
    tensors = [x for x in _leaves((args, kwargs)) if isinstance(x, Recorded)]
    if state.state.enabled and any(x._rg for x in tensors):
        raise TypeError(
            f"{_without_counterpart(name, kwargs)} that symgrad could record, and an argument "
            "requires a gradient: use symgrad's own functions, or pass t.detach()"
        )
    if any(isinstance(x, ArrayExpr) for x in _leaves((args, kwargs))):
        raise _no_formula(name, kwargs)
    return call(*plain(args), **plain(kwargs))


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


def plain(x: Any) -> Any:
    """Return arguments with the array of each tensor in its place."""
    if isinstance(x, Recorded):
        # The function may write into the array, or return it, to be given another shape.
        x._storage().expose()
        return x._data.view()
    if isinstance(x, (list, tuple)):
        items = [plain(y) for y in x]
        return items if isinstance(x, list) else tuple(items)
    if isinstance(x, dict):
        return {k: plain(v) for k, v in x.items()}
    return x


# ------------------------------------------------------------------ functions


def _of_function(name: str) -> Callable[..., Any] | None:
    """Return the counterpart of a function of NumPy's that is not universal.

    Some that PyTorch applies to each element are ordinary functions of NumPy's, such as `sinc`.
    """
    found = COUNTERPARTS.get(name)
    if found is None and name in counterparts_of_ufuncs():
        f = _universal(name)
        return None if f is None else lambda x, **rest: NotImplemented if rest else f(operand(x))
    return found


def _answer_function(func: Any, args: Any, kwargs: Any) -> Any:
    """Return what the counterpart of a function gives; NotImplemented where there is none."""
    call = _of_function(_name_of(func))
    if call is None:
        return NotImplemented
    found = call(*args, **kwargs)
    if found is NotImplemented and kwargs:
        told = _without_defaults(func, kwargs)
        if len(told) < len(kwargs):
            return call(*args, **told)
    return found


def _without_defaults(func: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments that differ from NumPy's defaults."""
    try:
        parameters = inspect.signature(func).parameters
    except ValueError:  # of a function that is written in C
        return kwargs
    return {
        k: v for k, v in kwargs.items() if k not in parameters or v is not parameters[k].default
    }


# ------------------------------------------------------------------ universal functions


def _beside_tensor(ufunc: Any, inputs: Sequence[Any]) -> list[Any]:
    """Return operands with lists, and a first array, as tensors; numbers are left to promotion."""
    given = [constant(x) if isinstance(x, (list, tuple)) else x for x in inputs]
    first = given[0]
    if isinstance(first, np.ndarray):
        given[0] = constant(first)
    elif isinstance(first, np.generic):
        given[0] = first = first.item()
        if isinstance(first, bool) and not ufunc.__name__.startswith(("bitwise", "logical")):
            given[0] = float(first)  # PyTorch makes floats of NumPy's truth values
    return given


def _beside_formula(x: Any) -> Any:
    if isinstance(x, (ArrayExpr, Recorded)):
        return x
    return as_expr(np.asarray(x) if isinstance(x, (list, tuple)) else x)


def _answer(ufunc: Any, method: str, operands: Sequence[Any], options: dict[str, Any]) -> Any:
    """Return what the counterpart of a universal function, or of a method of it, gives."""
    given = {k: v for k, v in options.items() if v is not None} if options else options
    name = ufunc.__name__
    if "out" in given:
        return NotImplemented
    if method == "__call__":
        f = _universal(name)
        if f is None or (given and name not in COUNTERPARTS):
            return NotImplemented
        return f(*operands, **given)
    if method == "reduce":
        return reduced(ufunc, *operands, **{"axis": 0, **options, "out": None})
    if method == "accumulate":
        f = _universal(f"{name}.accumulate")
        return NotImplemented if f is None else f(*operands, axis=given.get("axis", 0))
    f = _universal(name) if method == "outer" and not given else None
    if f is None:
        return NotImplemented
    first, second = operands
    ndim = getattr(second, "ndim", 0)
    if ndim and getattr(first, "ndim", 0):
        first = first.reshape((*first.shape, *[1] * ndim))
    return f(first, second)


def reduced(
    ufunc: Any,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: None = None,
    keepdims: bool = False,
    initial: Any = np._NoValue,
    where: Any = True,
) -> Any:
    """Return what `ufunc.reduce` does; NotImplemented where it has no counterpart."""
    name = f"{ufunc.__name__}.reduce"
    cls = counterparts_of_ufuncs().get(name)
    if cls is None:
        return NotImplemented
    x = as_kind(operand(a), dtype)
    starts = initial is not np._NoValue and initial is not None
    if where is not True and where is not np._NoValue:
        missing = initial if ufunc.identity is None and starts else ufunc.identity
        if missing is None:
            return NotImplemented
        x = FUNCTIONS["where"](operand(where), x, _as_element(missing, x))
    total = over_axes(cls.__name__, x, axis, keepdims is True)
    return bind_universal(ufunc, total, _as_element(initial, total)) if starts else total


def _as_element(value: Any, x: Any) -> Any:
    """Return a number as NumPy makes an element of `x` of it; another operand as it is."""
    return number_as(value, x.dtype) if isinstance(value, (int, float)) else value


def bind_universal(ufunc: Any, *operands: Any) -> Any:
    """Return what the counterpart of a universal function gives."""
    f = _universal(ufunc.__name__)
    assert f is not None
    return f(*operands)


# ------------------------------------------------------------------ for functions that take NumPy's arguments


def operand(x: Any) -> Any:
    """Return an array, a number or a list as a tensor, a tensor or formula as it is."""
    return x if isinstance(x, (Recorded, ArrayExpr)) else constant(x)


def of_one_kind(*xs: Any) -> list[Any]:
    """Return operands, each as `operand` does, converted to the element type of their product.

    NumPy's products promote, PyTorch's refuse operands of several element types.
    """
    given = [operand(x) for x in xs]
    kind = result_dtype(given)
    return [x.to(kind) for x in given]


def as_kind(x: Any, dtype: Any) -> Any:
    """Return `x` converted to an element type of NumPy's; as it is for None."""
    return x if dtype is None else x.to(from_numpy_dtype(np.dtype(dtype)))


def as_float(x: Any) -> Any:
    """Return integers as float64, as NumPy's means are; numbers with a point as they are."""
    given = operand(x)
    return given.to(float64) if given.dtype.category < Category.FLOAT else given


@functools.lru_cache(maxsize=64)
def _ways(name: str) -> tuple[bool, bool]:
    """Return whether a public function reduces along several axes, and, not told any, along all."""
    overloads = SCHEMAS[name, False].overloads
    dims = [p for s in overloads for p in s.parameters if p.name == "dim"]
    several = any("[" in p.kind for p in dims)
    return several, len(dims) < len(overloads) or all(p.optional for p in dims)


def over_axes(name: str, x: Any, axis: Any, keepdims: bool, **options: Any) -> Any:
    """Return what the public function `name` gives along the axes that NumPy's argument names.

    None stands for all axes. A function that knows one axis only gets them as one.
    """
    f, (several, all_by_default) = FUNCTIONS[name], _ways(name)
    if axis is None and all_by_default and not (keepdims or options):
        return f(x)
    axes = tuple(range(x.ndim)) if axis is None else axis
    if several or isinstance(axes, int):
        return f(x, dim=axes, keepdim=keepdims, **options)
    merged = f(last_axes_as_one(x, axes), dim=-1, **options)
    return with_unit_axes(merged, x.ndim, axes) if keepdims else merged


def last_axes_as_one(x: Any, axes: Sequence[int]) -> Any:
    """Return `x` with some of its axes in the place of one axis, the last."""
    gone = {a % x.ndim for a in axes}
    kept = [a for a in range(x.ndim) if a not in gone]
    return x.permute((*kept, *sorted(gone))).reshape((*[x.shape[a] for a in kept], -1))


def with_unit_axes(x: Any, rank: int, axes: Sequence[int]) -> Any:
    """Return `x` with an axis of length 1 for each that a reduction has taken away."""
    for a in sorted(a % rank for a in axes):
        x = x.unsqueeze(a)
    return x
