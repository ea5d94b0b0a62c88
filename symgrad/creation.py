"""Making tensors: from data, of one value, in sequences, from the random streams.

What the arguments may be stands in `symgrad.arguments`, how Python data becomes an array in
`symgrad.conversion`, the streams in `symgrad.random`.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad import random as streams
from symgrad.arguments import (
    check_device,
    check_flag,
    dtype_argument,
    integer,
    invalid_combination,
    number,
    size_argument,
    tensor_argument,
)
from symgrad.autograd.naming import reserve
from symgrad.autograd.record import Recorded, wrap
from symgrad.conversion import array_of, check_strides
from symgrad.dispatch import overridable
from symgrad.docstrings import describing
from symgrad.expr.dtypes import (
    Category,
    default_dtype,
    dtype,
    dtype_of_number,
    from_numpy_dtype,
    int64,
    to_complex,
)
from symgrad.expr.node import check_name
from symgrad.random import Generator, initial_seed, manual_seed, seed
from symgrad.tensor import Tensor
from symgrad.utils.dlpack import from_dlpack

__all__ = [
    "Generator", "arange", "as_tensor", "asarray", "bernoulli", "empty", "empty_like", "eye",
    "from_dlpack", "from_numpy", "full", "full_like", "get_rng_state", "initial_seed",
    "linspace", "logspace",
    "manual_seed", "normal", "ones", "ones_like", "rand", "rand_like",
    "randint", "randint_like", "randn", "randn_like", "randperm", "range", "scalar_tensor", "seed",
    "set_rng_state", "tensor", "zeros", "zeros_like",
]  # fmt: skip

_PLACE = ("", "Accepted where they name the CPU and its memory.")
_described = describing(
    {
        "dtype": ("dtype, optional", "The element type; by default the default dtype."),
        "device": _PLACE,
        "layout": _PLACE,
        "pin_memory": _PLACE,
        "memory_format": _PLACE,
        "requires_grad": ("bool", "Whether gradients accumulate into its `.grad`."),
        "generator": ("Generator, optional", "The stream to draw from, in place of the default."),
        "out": ("Tensor, optional", "A tensor to write into; it takes the shape."),
        "name": ("str, optional", "What it is called in formulas."),
    }
)

_NO_GRAD_DTYPE = "Only Tensors of floating point and complex dtype can require gradients"
_LIKE = (
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
)


def _finish(
    call: str,
    data: Any,
    requires_grad: Any = False,
    name: str | None = None,
    device: Any = None,
) -> Tensor:
    """Return the tensor of an array of its own."""
    if requires_grad is not False:
        check_flag(call, "requires_grad", requires_grad)
    if device is not None:
        check_device(call, device)
    out: Tensor = wrap(data)
    if requires_grad:
        if not out._aval.dtype.differentiable:
            raise RuntimeError(_NO_GRAD_DTYPE)
        out._rg = True
    if name is not None:
        out._name = check_name(name)
        reserve(out._name, out)
    return out


_MISSING: Any = object()


def _required(call: str, *given: tuple[str, Any]) -> None:
    missing = [name for name, value in given if value is _MISSING]
    if missing:
        names = ", ".join(f'"{name}"' for name in missing)
        # PyTorch has singular and plural the wrong way round.
        plural = "s" if len(missing) == 1 else ""
        raise TypeError(
            f"{call}() missing {len(missing)} required positional argument{plural}: {names}"
        )


# ------------------------------------------------------------------ from data


@_described
def tensor(
    data: Any = _MISSING,
    *excess: Any,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Make a tensor from a copy of `data`.

    Parameters
    ----------
    data : number, nested sequence, array or tensor
        The values.
    dtype : dtype, optional
        The element type; by default that of arrays and NumPy scalars, int64 for integers, the
        default dtype for floats.

    Raises
    ------
    ValueError
        For ragged sequences, and names that are no identifiers.
    TypeError, RuntimeError
        For what is no number, and for `requires_grad` on integers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    tensor([[1., 2.],
            [3., 4.]], requires_grad=True)
    """
    if excess:
        raise TypeError(f"tensor() takes 1 positional argument but {1 + len(excess)} were given")
    if data is _MISSING:
        _required("tensor", ("data", data))
    kind = dtype_argument("tensor", dtype)
    if isinstance(data, Recorded):
        warnings.warn(
            _LIKE + "sourceTensor.detach().clone().requires_grad_(True), rather than "
            "torch.tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
    return _finish("tensor", array_of(data, kind), requires_grad, name, device)


@_described
def as_tensor(data: Any = _MISSING, dtype: dtype | None = None, device: Any = None) -> Any:
    """Return `data` as a tensor: itself, sharing its memory, or a copy where it must be one.

    Parameters
    ----------
    data : number, nested sequence, array or tensor
        The values.
    dtype : dtype, optional
        The element type; by default as `tensor` chooses it.

    Examples
    --------
    >>> import numpy as np, symgrad as torch
    >>> a = np.array([1.0, 2.0])
    >>> t = torch.as_tensor(a)
    >>> a[0] = 5
    >>> t
    tensor([5., 2.], dtype=torch.float64)
    """
    _required("as_tensor", ("data", data))
    kind = dtype_argument("as_tensor", dtype)
    check_device("as_tensor", device)
    if isinstance(data, Recorded):
        x: Any = data
        return x if kind is None or kind is x._aval.dtype else x.to(kind)
    return wrap(array_of(data, kind, copy=False))


@_described
def asarray(
    obj: Any = _MISSING,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Any:
    """Return `obj` as a tensor, sharing its memory unless `copy` or another `dtype` asks not to.

    Parameters
    ----------
    obj : number, nested sequence, array or tensor
        The values.
    dtype : dtype, optional
        The element type; by default as `tensor` chooses it.
    copy : bool, optional
        True: memory of its own in any case. False: an error where memory cannot be shared.

    Raises
    ------
    ValueError
        If `copy` is False and a copy is needed.

    Examples
    --------
    >>> import symgrad as torch
    >>> import numpy as np
    >>> a = np.array([1.0, 2.0])
    >>> shared, own = torch.asarray(a), torch.asarray(a, copy=True)
    >>> a[0] = 5
    >>> shared[0].item(), own[0].item()
    (5.0, 1.0)
    """
    _required("asarray", ("obj", obj))
    kind = dtype_argument("asarray", dtype)
    check_device("asarray", device)
    if isinstance(obj, Recorded):
        x: Any = obj
        if kind is not None and kind is not x._aval.dtype:
            if copy is False:
                raise ValueError("can't alias tensor with dtype different from the one requested")
            x = x.to(kind)
        elif copy:
            x = x.clone()
        if not requires_grad:
            return x.detach() if x._rg else x
        return x if x._rg else x.requires_grad_()
    if copy is False and not isinstance(obj, np.ndarray):
        raise ValueError(f"can't alias arbitrary sequence into a tensor: {type(obj).__name__}")
    return _finish("asarray", array_of(obj, kind, copy=bool(copy)), requires_grad)


def from_numpy(ndarray: Any) -> Any:
    """Return a tensor that shares the memory of an array.

    Parameters
    ----------
    ndarray : numpy.ndarray
        Of an element type that tensors have, without negative strides.

    Raises
    ------
    TypeError
        For what is no array, and for element types that tensors do not have.
    ValueError
        For negative strides.

    Examples
    --------
    >>> import symgrad as torch
    >>> import numpy as np
    >>> a = np.zeros(3)
    >>> x = torch.from_numpy(a)
    >>> x[1] = 7
    >>> a
    array([0., 7., 0.])
    """
    if not isinstance(ndarray, np.ndarray):
        kind = type(ndarray)
        name = f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__
        raise TypeError(f"expected np.ndarray (got {name})")
    from_numpy_dtype(ndarray.dtype)
    check_strides(ndarray)
    if not ndarray.flags.writeable:
        warnings.warn(
            "The given NumPy array is not writable, and PyTorch does not support non-writable "
            "tensors. This means writing to this tensor will result in undefined behavior. You "
            "may want to copy the array to protect its data or make it writable before converting "
            "it to a tensor.",
            UserWarning,
            stacklevel=2,
        )
    return wrap(ndarray.view(np.ndarray))


@_described
def scalar_tensor(
    s: Any = _MISSING,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
) -> Any:
    """Return the 0-d tensor of a number, of the default dtype unless `dtype` says otherwise.

    Parameters
    ----------
    s : number
        The value.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.scalar_tensor(2)
    tensor(2.)
    """
    _required("scalar_tensor", ("s", s))
    kind = dtype_argument("scalar_tensor", dtype, default_dtype())
    value = number("scalar_tensor", "s", 1, s)
    return _finish("scalar_tensor", array_of(value, kind), requires_grad, None, device)


# ------------------------------------------------------------------ of one value


_SIZED_DOC = """\
{summary}

Parameters
----------
*size : int, or one sequence of int
    The shape.

Raises
------
TypeError
    For sizes that are no integers.
RuntimeError
    For negative sizes, and for `requires_grad` on integers.

Examples
--------
>>> import symgrad as torch
{example}
"""


def _sized(
    fill: Callable[[tuple[int, ...], Any, Any], Any], call: str, summary: str, example: str
) -> Any:
    """Make the function that takes sizes and returns what `fill(shape, dtype, generator)` gives."""

    def make(
        *size: Any,
        dtype: dtype | None = None,
        device: Any = None,
        requires_grad: bool = False,
        layout: Any = None,
        pin_memory: bool = False,
        generator: Generator | None = None,
        memory_format: Any = None,
        out: Any = None,
        name: str | None = None,
        **keywords: Any,
    ) -> Any:
        sizes = _taken(call, size, keywords)
        shape = size_argument(call, sizes)
        kind = dtype_argument(call, dtype, default_dtype())
        data = fill(shape, kind, _generator(call, generator))
        if out is not None:
            return _into(out, data)
        return _finish(call, data, requires_grad, name, device)

    make.__name__ = make.__qualname__ = call
    make.__doc__ = _SIZED_DOC.format(summary=summary, example=inspect.cleandoc(example))
    return _described(make)


def _taken(call: str, size: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
    given = keywords.pop("size", None)
    if keywords:
        raise TypeError(f"{call}() got an unexpected keyword argument '{next(iter(keywords))}'")
    if given is not None:
        return (given,)
    if not size:
        _required(call, ("size", _MISSING))
    return size


def _into(out: Any, data: Any) -> Any:
    """Write an array into the tensor given as `out`, which takes its shape."""
    tensor_argument("out", out, "out")
    data = np.asarray(data)
    if out._aval.shape != data.shape:
        return out.resize_(data.shape).copy_(wrap(data))
    return out.copy_(wrap(data))


def _generator(call: str, generator: Any) -> Generator:
    if generator is None:
        return streams.default_generator
    if not isinstance(generator, Generator):
        raise TypeError(
            f"{call}(): argument 'generator' must be torch.Generator, not "
            f"{type(generator).__name__}"
        )
    return generator


zeros = _sized(
    lambda shape, kind, _: np.zeros(shape, kind.numpy),
    "zeros",
    "Return zeros.",
    """
    >>> torch.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    >>> torch.zeros((2,), dtype=torch.int64)
    tensor([0, 0])
    """,
)
ones = _sized(
    lambda shape, kind, _: np.ones(shape, kind.numpy),
    "ones",
    "Return ones.",
    """
    >>> torch.ones(2, requires_grad=True)
    tensor([1., 1.], requires_grad=True)
    """,
)
empty = _sized(
    lambda shape, kind, _: np.zeros(shape, kind.numpy),
    "empty",
    "Return a tensor whose values do not matter (they are zero).",
    """
    >>> torch.empty(2, 0).shape
    torch.Size([2, 0])
    """,
)
rand = _sized(
    lambda shape, kind, g: g.uniform(shape, kind.numpy),
    "rand",
    "Return numbers drawn uniformly from [0, 1).",
    """
    >>> torch.rand(3, generator=torch.Generator().manual_seed(0))
    tensor([0.4963, 0.7682, 0.0885])
    """,
)
randn = _sized(
    lambda shape, kind, g: g.normal(shape, kind.numpy),
    "randn",
    "Return numbers drawn from the standard normal distribution.",
    """
    >>> _ = torch.manual_seed(0)
    >>> torch.randn(3)
    tensor([ 1.5410, -0.2934, -2.1788])
    """,
)


_LIKE_DOC = """\
Return `{name}` of the shape and, unless told, the dtype of `input`.

Parameters
----------
input : Tensor
    Whose shape it takes.
dtype : dtype, optional
    The element type; by default that of `input`.

Examples
--------
>>> import symgrad as torch
{example}
"""


def _like(make: Any, example: str) -> Any:
    """Make the function that takes shape and dtype of a tensor."""
    call = f"{make.__name__}_like"

    def like(
        input: Any = _MISSING,
        *,
        dtype: dtype | None = None,
        device: Any = None,
        requires_grad: bool = False,
        layout: Any = None,
        pin_memory: bool = False,
        memory_format: Any = None,
        generator: Generator | None = None,
        name: str | None = None,
    ) -> Any:
        _required(call, ("input", input))
        aval = tensor_argument(call, input)._aval
        return make(
            aval.shape,
            dtype=dtype_argument(call, dtype, aval.dtype),
            device=device,
            requires_grad=requires_grad,
            generator=generator,
            name=name,
        )

    like.__name__ = like.__qualname__ = call
    like.__doc__ = _LIKE_DOC.format(name=make.__name__, example=inspect.cleandoc(example))
    return overridable(f"torch.{call}")(_described(like))


zeros_like = _like(
    zeros,
    """
    >>> torch.zeros_like(torch.tensor([[1, 2]]))
    tensor([[0, 0]])
    """,
)
ones_like = _like(
    ones,
    """
    >>> torch.ones_like(torch.tensor([[1, 2]]), dtype=torch.float32)
    tensor([[1., 1.]])
    """,
)
empty_like = _like(
    empty,
    """
    >>> x = torch.zeros(2, 3, dtype=torch.float64)
    >>> torch.empty_like(x).dtype, torch.empty_like(x).shape
    (torch.float64, torch.Size([2, 3]))
    """,
)
rand_like = _like(
    rand,
    """
    >>> _ = torch.manual_seed(0)
    >>> torch.rand_like(torch.zeros(1, 3))
    tensor([[0.4963, 0.7682, 0.0885]])
    """,
)
randn_like = _like(
    randn,
    """
    >>> _ = torch.manual_seed(0)
    >>> torch.randn_like(torch.zeros(1, 3))
    tensor([[ 1.5410, -0.2934, -2.1788]])
    """,
)


@_described
def full(
    size: Any = _MISSING,
    fill_value: Any = _MISSING,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    out: Any = None,
    name: str | None = None,
) -> Any:
    """Return a tensor filled with one number, whose kind decides the dtype unless `dtype` does.

    Parameters
    ----------
    size : sequence of int
        The shape.
    fill_value : number
        The value of all elements.
    dtype : dtype, optional
        The element type; by default that of such numbers: int64, bool, the default dtype.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.full((2,), 3)
    tensor([3, 3])
    """
    _required("full", ("size", size), ("fill_value", fill_value))
    if not isinstance(size, (tuple, list)):
        raise TypeError(
            f"full(): argument 'size' (position 1) must be tuple of ints, not {type(size).__name__}"
        )
    shape = size_argument("full", (size,))
    if isinstance(fill_value, Recorded) and fill_value._aval.shape == ():
        inferred = fill_value._aval.dtype
    else:
        inferred = dtype_of_number(number("full", "fill_value", 2, fill_value))
    value = number("full", "fill_value", 2, fill_value)
    kind = dtype_argument("full", dtype, inferred)
    assert kind is not None
    data = np.full(shape, array_of(value, kind), kind.numpy)
    if out is not None:
        return _into(out, data)
    return _finish("full", data, requires_grad, name, device)


@overridable("torch.full_like")
@_described
def full_like(
    input: Any = _MISSING,
    fill_value: Any = _MISSING,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    memory_format: Any = None,
) -> Any:
    """Return `full` of the shape and, unless told, the dtype of `input`.

    Parameters
    ----------
    input : Tensor
        Whose shape it takes.
    fill_value : number
        The value of all elements.
    dtype : dtype, optional
        The element type; by default that of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.full_like(torch.zeros(2, 2), 7)
    tensor([[7., 7.],
            [7., 7.]])
    """
    _required("full_like", ("input", input), ("fill_value", fill_value))
    aval = tensor_argument("full_like", input)._aval
    kind = dtype_argument("full_like", dtype, aval.dtype)
    value = number("full_like", "fill_value", 2, fill_value)
    return full(aval.shape, value, dtype=kind, device=device, requires_grad=requires_grad)


@_described
def tril_indices(
    row: int, col: int, offset: int = 0, *, dtype: dtype | None = None, device: Any = None,
    layout: Any = None,
) -> Any:  # fmt: skip
    """Return rows and columns of the places on and below a diagonal, in two rows.

    Parameters
    ----------
    row, col : int
        The shape of the matrix.
    offset : int
        Which diagonal: 0 is the main one, 1 that above it.
    dtype : dtype, optional
        The element type; by default int64.

    Examples
    --------
    >>> import symgrad as torch
    >>> rows, columns = torch.tril_indices(3, 3)
    >>> x = torch.zeros(3, 3)
    >>> x[rows, columns] = 1.0
    >>> x
    tensor([[1., 0., 0.],
            [1., 1., 0.],
            [1., 1., 1.]])
    """
    return _places("tril_indices", np.tri(row, col, offset, dtype=bool), dtype, device)


@_described
def triu_indices(
    row: int, col: int, offset: int = 0, *, dtype: dtype | None = None, device: Any = None,
    layout: Any = None,
) -> Any:  # fmt: skip
    """Return rows and columns of the places on and above a diagonal, in two rows.

    Parameters
    ----------
    row, col : int
        The shape of the matrix.
    offset : int
        Which diagonal: 0 is the main one, 1 that above it.
    dtype : dtype, optional
        The element type; by default int64.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.triu_indices(3, 3, offset=1)
    tensor([[0, 0, 1],
            [1, 2, 2]])
    """
    return _places("triu_indices", ~np.tri(row, col, offset - 1, dtype=bool), dtype, device)


def _places(name: str, mask: Any, dtype: dtype | None, device: Any) -> Any:
    kind = dtype_argument(name, dtype, int64)
    assert kind is not None
    data = np.stack(np.nonzero(mask)).astype(kind.numpy)
    return _finish(name, data, False, None, device)


@_described
def eye(
    n: Any = _MISSING,
    m: Any = None,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    out: Any = None,
) -> Any:
    """Return the matrix of `n` rows and `m` (by default `n`) columns with ones on its diagonal.

    Parameters
    ----------
    n, m : int
        The numbers of rows and of columns.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    >>> torch.eye(2, 3, dtype=torch.int64)
    tensor([[1, 0, 0],
            [0, 1, 0]])
    """
    if n is _MISSING:
        raise invalid_combination("eye", ())
    rows = integer("eye", "n", 1, n)
    columns = rows if m is None else integer("eye", "m", 2, m)
    for name, value in (("n", rows), ("m", columns)):
        if value < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {value}")
    kind = dtype_argument("eye", dtype, default_dtype())
    assert kind is not None
    data = np.eye(rows, columns, dtype=kind.numpy)
    return (
        _into(out, data) if out is not None else _finish("eye", data, requires_grad, None, device)
    )


# ------------------------------------------------------------------ sequences


@_described
def arange(
    *bounds: Any,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    out: Any = None,
    name: str | None = None,
    **keywords: Any,
) -> Any:
    """Return `start, start + step, …` up to but without `end`: ``arange([start,] end[, step])``.

    The dtype is int64 when all three are integers, else the default dtype.

    Parameters
    ----------
    *bounds : number
        `start` (0 where not given), `end` and `step` (1), by position or keyword.
    dtype : dtype, optional
        The element type.

    Raises
    ------
    RuntimeError
        If `step` is zero or leads away from `end`, or a bound is not finite.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.arange(1, 2.5, 0.5)
    tensor([1.0000, 1.5000, 2.0000])
    """
    start, end, step = _bounds(bounds, keywords)
    kind = dtype_argument("arange", dtype)
    exact = all(isinstance(v, int) for v in (start, end, step))
    if kind is None:
        kind = int64 if exact else default_dtype()
    if any(isinstance(v, complex) for v in (start, end, step)):
        raise RuntimeError("value cannot be converted to type double without overflow")
    _refuse_unordered("arange", kind)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    count = -((start - end) // step) if exact else math.ceil((end - start) / step)
    if kind.category < Category.FLOAT:
        start, step = int(start), int(step)
        data = (start + np.arange(count, dtype=np.int64) * step).astype(kind.numpy)
    else:
        # Computed in double and rounded once, also for float32, as PyTorch accumulates.
        data = (start + np.arange(count) * float(step)).astype(kind.numpy)
    if out is not None:
        return _into(out, data)
    return _finish("arange", data, requires_grad, name, device)


def _refuse_unordered(function: str, kind: Any) -> None:
    if kind.category in (Category.BOOL, Category.COMPLEX):
        raise NotImplementedError(f"\"{function}_cpu\" not implemented for '{kind.scalar_name}'")


def _bounds(bounds: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, Any, Any]:
    names = ["end"] if len(bounds) == 1 else ["start", "end", "step"][: len(bounds)]
    if len(bounds) > 3 or not keywords.keys() <= {"start", "end", "step"} - set(names):
        unknown = [k for k in keywords if k not in ("start", "end", "step")]
        if unknown:
            raise TypeError(f"arange() got an unexpected keyword argument '{unknown[0]}'")
        raise invalid_combination("arange", bounds, keywords)
    given = dict(zip(names, bounds, strict=True)) | keywords
    if "end" not in given:
        raise invalid_combination("arange", bounds, keywords)
    values = [
        number("arange", name, names.index(name) + 1 if name in names else 1, given[name])
        for name in given
    ]
    found = dict(zip(given, values, strict=True))
    return found.get("start", 0), found["end"], found.get("step", 1)


def range(*bounds: Any, **keywords: Any) -> Any:
    """Return `arange` with the end included, as float32 (deprecated by PyTorch).

    Parameters
    ----------
    *bounds : number
        As those of `arange`.
    **keywords
        `dtype`, `requires_grad` and `device`.

    Warns
    -----
    UserWarning
        Always: `arange` is what to use.

    Examples
    --------
    >>> import symgrad as torch
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.range(1, 3)
    tensor([1., 2., 3.])
    """
    warnings.warn(
        "torch.range is deprecated and will be removed in a future release because its behavior "
        "is inconsistent with Python's range builtin. Instead, use torch.arange, which produces "
        "values in [start, end).",
        UserWarning,
        stacklevel=2,
    )
    options = {k: keywords.pop(k) for k in ("dtype", "requires_grad", "device") if k in keywords}
    if len(bounds) == 1:
        bounds = (0, *bounds)
    start, end, step = _bounds(bounds, keywords)
    options.setdefault("dtype", default_dtype())
    _refuse_unordered("range", options["dtype"])
    count = math.floor((end - start) / step) + 1
    return arange(0, count, **options) * step + start


@_described
def linspace(
    start: Any = _MISSING,
    end: Any = _MISSING,
    steps: Any = _MISSING,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    out: Any = None,
) -> Any:
    """Return `steps` numbers at equal distances from `start` to `end`, both included.

    Parameters
    ----------
    start, end : number
        The first and the last of them.
    steps : int
        How many.
    dtype : dtype, optional
        The element type; by default the default dtype, complex where an end is.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    first, last, count, kind = _spaced("linspace", start, end, steps, dtype)
    data = _linspace(first, last, count, kind)
    if out is not None:
        return _into(out, data)
    return _finish("linspace", data, requires_grad, None, device)


@_described
def logspace(
    start: Any = _MISSING,
    end: Any = _MISSING,
    steps: Any = _MISSING,
    base: float = 10.0,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    out: Any = None,
) -> Any:
    """Return `base` to the power of `linspace(start, end, steps)`.

    Parameters
    ----------
    start, end : number
        The first and the last exponent.
    steps : int
        How many numbers.
    base : number
        What is raised to these powers.
    dtype : dtype, optional
        The element type; by default the default dtype, complex where an end is.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logspace(0, 3, 4)
    tensor([   1.,   10.,  100., 1000.])
    >>> torch.logspace(0, 3, 4, base=2)
    tensor([1., 2., 4., 8.])
    """
    first, last, count, kind = _spaced("logspace", start, end, steps, dtype)
    wide = np.dtype(np.complex128 if kind.is_complex else np.float64)
    exponents = np.linspace(first, last, count, dtype=wide)
    data = np.power(base, exponents).astype(kind.numpy)
    if out is not None:
        return _into(out, data)
    return _finish("logspace", data, requires_grad, None, device)


def _spaced(call: str, start: Any, end: Any, steps: Any, kind: Any) -> tuple[Any, Any, int, Any]:
    given = [x for x in (start, end, steps) if x is not _MISSING]
    if len(given) < 3 or isinstance(steps, (bool, float, str)):
        raise invalid_combination(call, given)
    first, last = number(call, "start", 1, start), number(call, "end", 2, end)
    count = integer(call, "steps", 3, steps)
    if count < 0:
        raise RuntimeError("number of steps must be non-negative")
    default = default_dtype()
    if isinstance(first, complex) or isinstance(last, complex):
        default = to_complex(default)
    return first, last, count, dtype_argument(call, kind, default)


def _linspace(first: Any, last: Any, count: int, kind: dtype) -> Any:
    """Return the numbers as PyTorch steps: from `start` up to the middle, from `end` down to it."""
    target = kind.numpy
    if count < 2:
        return np.full(count, first).astype(target)
    if kind.category < Category.FLOAT:
        step = np.float32((float(last) - float(first)) / (count - 1))
        i = np.arange(count)
        up = np.trunc(first + (step * i.astype(np.float32)))
        down = np.trunc(last - (step * (count - 1 - i).astype(np.float32)))
        return np.where(i < count // 2, up, down).astype(target)
    compute: Any = np.float32 if target == np.float16 else target.type
    start, end = compute(first), compute(last)
    step = (end - start) / compute(count - 1)
    i = np.arange(count)
    # One rounding at the end, as a fused multiply-add has.
    wide: Any = np.complex128 if kind.is_complex else np.float64
    up = wide(start) + wide(step) * i
    down = wide(end) - wide(step) * (count - 1 - i)
    return np.where(i < count // 2, up, down).astype(target)


# ------------------------------------------------------------------ random


@_described
def randint(
    *bounds: Any,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    generator: Generator | None = None,
    out: Any = None,
    **keywords: Any,
) -> Any:
    """Return integers drawn from [low, high): ``randint([low,] high, size)``.

    Parameters
    ----------
    *bounds
        `low` (0 where not given), `high` and `size`, by position or keyword.
    dtype : dtype, optional
        The element type; by default int64.

    Raises
    ------
    RuntimeError
        If there is no integer between the bounds, or the dtype cannot hold them.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.randint(10, (5,))
    tensor([4, 9, 3, 0, 3])
    >>> torch.randint(-3, 3, (2, 2))
    tensor([[ 0, -2],
            [-2, -2]])
    """
    unknown = [k for k in keywords if k not in ("low", "high", "size")]
    if unknown:
        raise TypeError(f"randint() got an unexpected keyword argument '{unknown[0]}'")
    given = list(bounds)
    if "size" not in keywords and given and isinstance(given[-1], (tuple, list)):
        keywords = {**keywords, "size": given.pop()}
    if "high" not in keywords and given:
        keywords = {**keywords, "high": given.pop()}
    if "low" not in keywords and given:
        keywords = {**keywords, "low": given.pop()}
    if given or "size" not in keywords or "high" not in keywords:
        raise invalid_combination("randint", bounds)
    low = integer("randint", "low", 1, keywords.get("low", 0))
    high = integer("randint", "high", 2 if "low" in keywords else 1, keywords["high"])
    shape = size_argument("randint", (keywords["size"],))
    kind = dtype_argument("randint", dtype, int64)
    assert kind is not None
    data = _generator("randint", generator).random_integers(low, high, shape, kind.numpy)
    if out is not None:
        return _into(out, data)
    return _finish("randint", data, requires_grad, None, device)


@overridable("torch.randint_like")
@_described
def randint_like(
    input: Any = _MISSING,
    *bounds: Any,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    memory_format: Any = None,
    generator: Generator | None = None,
    **keywords: Any,
) -> Any:
    """Return `randint` of the shape and, unless told, the dtype of `input`.

    Parameters
    ----------
    input : Tensor
        Whose shape it takes.
    *bounds : int
        `low` (0 where not given) and `high`, by position or keyword.
    dtype : dtype, optional
        The element type; by default that of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.randint_like(torch.zeros(3), 10)
    tensor([4., 9., 3.])
    """
    _required("randint_like", ("input", input))
    aval = tensor_argument("randint_like", input)._aval
    return randint(
        *bounds,
        size=aval.shape,
        dtype=dtype_argument("randint_like", dtype, aval.dtype),
        device=device,
        requires_grad=requires_grad,
        generator=generator,
        **keywords,
    )


@_described
def randperm(
    n: Any = _MISSING,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    out: Any = None,
) -> Any:
    """Return a random permutation of 0, …, n - 1.

    Parameters
    ----------
    n : int
        How many numbers.
    dtype : dtype, optional
        The element type; by default int64.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.randperm(5)
    tensor([4, 0, 1, 3, 2])
    """
    _required("randperm", ("n", n))
    count = integer("randperm", "n", 1, n)
    kind = dtype_argument("randperm", dtype, int64)
    assert kind is not None
    if count < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {count}: [{count}]")
    data = _generator("randperm", generator).permutation(count, kind.numpy)
    if out is not None:
        return _into(out, data)
    return _finish("randperm", data, requires_grad, None, device)


@overridable("torch.normal")
@_described
def normal(
    mean: Any = 0.0,
    std: Any = 1.0,
    size: Any = None,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    out: Any = None,
) -> Any:
    """Return numbers drawn from normal distributions.

    Parameters
    ----------
    mean, std : float or Tensor
        Of the distributions; with a tensor, one for each element of the result.
    size : sequence of int
        The shape, where both are numbers.

    Raises
    ------
    RuntimeError
        For a negative `std`.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.normal(0.0, 1.0, (3,))
    tensor([ 1.5410, -0.2934, -2.1788])
    >>> torch.normal(torch.tensor([0.0, 100.0]), torch.tensor([1.0, 0.0]))
    tensor([  0.5684, 100.0000])
    """
    stream = _generator("normal", generator)
    tensors = [x for x in (mean, std) if isinstance(x, Recorded)]
    if not tensors:
        if size is None:
            raise invalid_combination("normal", (mean, std))
        shape = size_argument("normal", (size,), 3)
        kind = dtype_argument("normal", dtype, default_dtype())
        assert kind is not None
        _check_std(std)
        data = stream.normal(shape, kind.numpy, float(mean), float(std))
    else:
        means = mean._data if isinstance(mean, Recorded) else mean
        stds = std._data if isinstance(std, Recorded) else std
        _check_std(stds)
        shape = np.broadcast_shapes(np.shape(means), np.shape(stds))
        target = tensors[0]._aval.dtype.numpy
        data = (stream.normal(shape, target) * stds + means).astype(target)
    if out is not None:
        return _into(out, data)
    return _finish("normal", data, requires_grad, None, device)


def _check_std(std: Any) -> None:
    if np.ndim(std):
        if np.size(std) and not np.all(np.asarray(std) >= 0):
            raise RuntimeError("normal expects all elements of std >= 0.0")
    elif not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {float(std):g}")


@overridable("torch.bernoulli")
@_described
def bernoulli(
    input: Any = _MISSING, p: Any = None, *, generator: Generator | None = None, out: Any = None
) -> Any:
    """Return ones with the probabilities in `input` (or all with `p`), zeros otherwise.

    Parameters
    ----------
    input : Tensor
        The probabilities; with `p` only the shape and dtype.
    p : float, optional
        One probability for all elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.bernoulli(torch.tensor([0.0, 0.5, 1.0]))
    tensor([0., 0., 1.])
    >>> torch.bernoulli(torch.zeros(4), 0.5)
    tensor([1., 1., 1., 1.])
    """
    _required("bernoulli", ("input", input))
    x = tensor_argument("bernoulli", input)
    stream = _generator("bernoulli", generator)
    if p is None:
        data = stream.bernoulli(x._data)
    else:
        data = stream.bernoulli(float(p), x._aval.shape, x._aval.dtype.numpy)
    return _into(out, data) if out is not None else wrap(data)


def get_rng_state() -> Any:
    """Return the state of the default generator as a tensor of bytes.

    Examples
    --------
    >>> import symgrad as torch
    >>> state = torch.get_rng_state()
    >>> state.dtype, state.shape
    (torch.uint8, torch.Size([5056]))
    """
    return wrap(streams.default_generator.get_state())


def set_rng_state(new_state: Any) -> None:
    """Continue the default generator from a state that `get_rng_state` returned.

    Parameters
    ----------
    new_state : Tensor
        The state, of this library or of PyTorch.

    Examples
    --------
    >>> import symgrad as torch
    >>> state = torch.get_rng_state()
    >>> x = torch.rand(3)
    >>> torch.set_rng_state(state)
    >>> torch.equal(torch.rand(3), x)
    True
    """
    data = new_state._data if isinstance(new_state, Recorded) else new_state
    streams.default_generator.set_state(data)


# ------------------------------------------------------------------ methods that make new tensors


def _new(make: Any) -> Any:
    """Make the method that takes only the dtype of a tensor."""
    call = f"new_{make.__name__}"

    def new(self: Any, *size: Any, dtype: dtype | None = None, requires_grad: bool = False,
            device: Any = None, layout: Any = None, pin_memory: bool = False,
            **keywords: Any) -> Any:  # fmt: skip
        shape = size_argument(call, _taken(call, size, keywords))
        kind = dtype_argument(call, dtype, self._aval.dtype)
        return make(shape, dtype=kind, requires_grad=requires_grad, device=device)

    new.__name__ = new.__qualname__ = call
    new.__doc__ = f"""Return `{make.__name__}` of the dtype of this tensor, unless told another.

    Parameters
    ----------
    *size : int, or one sequence of int
        The shape.
    dtype : dtype, optional
        The element type; by default that of this tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1, 2])
    >>> x.{call}(2, 3).dtype, x.{call}(2, 3).shape
    (torch.int64, torch.Size([2, 3]))
    """
    return _described(new)


@_described
def _new_full(self: Any, size: Any, fill_value: Any, *, dtype: dtype | None = None,
              requires_grad: bool = False, device: Any = None, layout: Any = None,
              pin_memory: bool = False) -> Any:  # fmt: skip
    """Return `full` of the dtype of this tensor, unless told another.

    Parameters
    ----------
    size : sequence of int
        The shape.
    fill_value : number
        The value of all elements.
    dtype : dtype, optional
        The element type; by default that of this tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.zeros(1, dtype=torch.float64).new_full((2,), 3)
    tensor([3., 3.], dtype=torch.float64)
    """
    kind = dtype_argument("new_full", dtype, self._aval.dtype)
    return full(size, fill_value, dtype=kind, requires_grad=requires_grad, device=device)


@_described
def _new_tensor(self: Any, data: Any, *, dtype: dtype | None = None, requires_grad: bool = False,
                device: Any = None, layout: Any = None,
                pin_memory: bool = False) -> Any:  # fmt: skip
    """Return a tensor of a copy of `data`, of the dtype of this one, unless told another.

    Parameters
    ----------
    data : number, nested sequence or array
        The values.
    dtype : dtype, optional
        The element type; by default that of this tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.zeros(1, dtype=torch.float64).new_tensor([1, 2])
    tensor([1., 2.], dtype=torch.float64)
    """
    kind = dtype_argument("new_tensor", dtype, self._aval.dtype)
    return tensor(data, dtype=kind, requires_grad=requires_grad, device=device)


for _name, _method in (
    ("new_zeros", _new(zeros)),
    ("new_ones", _new(ones)),
    ("new_empty", _new(empty)),
    ("new_full", _new_full),
    ("new_tensor", _new_tensor),
):
    _method.__name__ = _method.__qualname__ = _name
    setattr(Tensor, _name, _method)
