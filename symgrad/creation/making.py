"""What all functions that make tensors have in common: their arguments, and how they end.

What the arguments may be stands in `symgrad.arguments`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from symgrad import random as streams
from symgrad.arguments import (
    check_device,
    check_flag,
    dtype_argument,
    size_argument,
    tensor_argument,
)
from symgrad.autograd.modes import state
from symgrad.autograd.naming import reserve
from symgrad.autograd.record import Recorded, wrap
from symgrad.dispatch import overridable
from symgrad.docstrings import describing
from symgrad.expr.dtypes import (
    default_dtype,
    dtype,
)
from symgrad.expr.node import check_name
from symgrad.expr.shapes import Shape
from symgrad.functions.kinds import type_name
from symgrad.memory import order_in_memory
from symgrad.random import Generator
from symgrad.refusals import limit

_PLACE = ("", "Accepted where they name the CPU and its memory.")
F = TypeVar("F", bound=Callable[..., Any])

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


def _check_kind(call: str, option: str, kind: str, value: Any) -> None:
    if type(value).__name__ != kind:
        raise TypeError(
            f"{call}(): argument '{option}' must be torch.{kind}, not {type_name(value)}"
        )


def _check_out(call: str, out: Any) -> None:
    if not isinstance(out, Recorded):
        raise TypeError(f"{call}(): argument 'out' must be Tensor, not {type_name(out)}")
    if out._rg and state.state.enabled:
        raise RuntimeError(
            f"{call}(): functions with out=... arguments don't support automatic differentiation, "
            "but one of the arguments requires grad."
        )


#: What raises where one of the options that these functions have in common is none; where the
#: second is True, None stands for the default.
_OPTIONS: dict[str, tuple[Callable[[str, Any], object], bool]] = {
    "dtype": (dtype_argument, True),
    "device": (check_device, True),
    "layout": (lambda call, value: _check_kind(call, "layout", "layout", value), True),
    "memory_format": (
        lambda call, value: _check_kind(call, "memory_format", "memory_format", value), True
    ),
    "pin_memory": (lambda call, value: check_flag(call, "pin_memory", value), True),
    "requires_grad": (lambda call, value: check_flag(call, "requires_grad", value), False),
    "generator": (lambda call, value: generator_of(call, value), True),
    "out": (_check_out, True),
    "name": (lambda call, value: check_name(value), True),
}  # fmt: skip


def making(f: F) -> F:
    """Describe the options of a function that makes tensors, and check them before it runs.

    So a call that is refused has drawn nothing and written nothing.
    """
    _described(f)
    name = f.__name__.removeprefix("_")

    @functools.wraps(f)
    def make(*args: Any, **kwargs: Any) -> Any:
        for option, value in kwargs.items():
            found = _OPTIONS.get(option)
            if found is not None and (value is not None or not found[1]):
                found[0](name, value)
        try:
            return f(*args, **kwargs)
        except Exception as error:
            other = limit(error, name)
            if other is None:
                raise
        try:
            raise other
        finally:
            del other  # its traceback holds the variables

    return make  # type: ignore[return-value]


NO_GRAD_DTYPE = "Only Tensors of floating point and complex dtype can require gradients"


def finish(
    call: str,
    data: Any,
    requires_grad: Any = False,
    name: str | None = None,
    device: Any = None,
    out: Any = None,
) -> Any:
    """Return the tensor of an array of its own, or `out` with its values."""
    if out is not None:
        return _into(out, data)
    made: Any = data if isinstance(data, Recorded) else wrap(data)
    if requires_grad:
        if not made._aval.dtype.differentiable:
            raise RuntimeError(NO_GRAD_DTYPE)
        made._rg = True
    if name is not None:
        made._name = check_name(name)
        reserve(made._name, made)
    return made


def _into(out: Any, data: Any) -> Any:
    """Write an array, or a tensor, into the tensor given as `out`, which takes its shape."""
    made: Any = data if isinstance(data, Recorded) else wrap(data)
    if state.state.batching is not None:
        state.state.batching.refuse("out", out, made)
    if out._aval.shape != made._aval.shape:
        return out.resize_(made._aval.shape).copy_(made)
    return out.copy_(made)


def drawn(shape: Shape, make: Callable[[Shape], np.ndarray[Any, Any]]) -> Any:
    """Return the tensor of random numbers that `make` draws; inside `vmap` as it was told.

    `make` is given the shape, with more axes in front where entries of a batch differ.
    """
    batching = state.state.batching
    return wrap(make(shape)) if batching is None else batching.draw(shape, make)


def laid_out_like(
    x: Any, make: Callable[[Shape], Any], scattered: Callable[[Shape], Any] | None = None
) -> Any:
    """Return a new tensor of the shape of `x`, whose elements lie in memory as those of `x` do.

    Parameters
    ----------
    x : Tensor
        Whose shape and order of memory it takes; gaps are closed.
    make : callable
        Makes a tensor of a shape, its elements in the order of the axes.
    scattered : callable, optional
        What makes it where that is not the order in memory; by default `make`, too.
    """
    shape = x._aval.shape
    order = list(range(len(shape)))
    if state.state.batching is None:
        order = order_in_memory(x._data)
    if order == sorted(order):
        return spread(make(shape), x)
    made = (scattered or make)(tuple([shape[i] for i in order]))
    shown = wrap(made._data.transpose(np.argsort(order)))
    made._data, made._aval = shown._data, shown._aval
    return made


def drawn_from(x: Any, make: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]) -> Any:
    """Return the tensor of random numbers that `make` draws for the elements of `x`."""
    batching = state.state.batching
    return wrap(make(x._data)) if batching is None else batching.draw_from(x, make)


def spread(made: Any, like: Any) -> Any:
    """Return `made` with an own copy for each entry that `like` stands for inside `vmap`."""
    batching = state.state.batching
    return made if batching is None else batching.spread(made, like)


#: The default of arguments that must be given, which PyTorch refuses in words of its own.
MISSING: Any = object()


def required(call: str, *given: tuple[str, Any]) -> None:
    """Raise PyTorch's error where arguments, given by name, are missing."""
    missing = [name for name, value in given if value is MISSING]
    if missing:
        names = ", ".join(f'"{name}"' for name in missing)
        # PyTorch has singular and plural the wrong way round.
        plural = "s" if len(missing) == 1 else ""
        raise TypeError(
            f"{call}() missing {len(missing)} required positional argument{plural}: {names}"
        )


def generator_of(call: str, generator: Any) -> Generator:
    """Return the generator to draw from, the default one for None."""
    if generator is None:
        return streams.default_generator
    if not isinstance(generator, Generator):
        raise TypeError(
            f"{call}(): argument 'generator' must be torch.Generator, not "
            f"{type(generator).__name__}"
        )
    return generator


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


def sized(
    fill: Callable[[tuple[int, ...], Any, Any], Any],
    call: str,
    summary: str,
    example: str,
    random: bool = False,
) -> Any:
    """Make the function that takes sizes and returns what `fill(shape, dtype, generator)` gives.

    It is `random` where that draws from the generator.
    """

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
        sizes = sizes_taken(call, size, keywords)
        shape = size_argument(call, sizes)
        kind = dtype_argument(call, dtype, default_dtype() if out is None else out._aval.dtype)
        stream = generator_of(call, generator)
        data: Any = (
            drawn(shape, lambda of: fill(of, kind, stream)) if random else fill(shape, kind, stream)
        )
        return finish(call, data, requires_grad, name, device, out=out)

    make.__name__ = make.__qualname__ = call
    make.__doc__ = _SIZED_DOC.format(summary=summary, example=inspect.cleandoc(example))
    return making(make)


def sizes_taken(call: str, size: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
    """Return the sizes of a call that takes them by position or as `size`."""
    given = keywords.pop("size", None)
    if keywords:
        raise TypeError(f"{call}() got an unexpected keyword argument '{next(iter(keywords))}'")
    if given is not None:
        return (given,)
    if not size:
        required(call, ("size", MISSING))
    return size


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


def like(make: Any, example: str, scattered: Any = None) -> Any:
    """Make the function that takes shape and dtype of a tensor, from one that takes a shape.

    The elements lie in memory in the order of the tensor's. Where that is not the order of the
    axes, `scattered` makes them, if it is given.
    """
    call = f"{make.__name__}_like"

    def like(
        input: Any = MISSING,
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
        required(call, ("input", input))
        x = tensor_argument(call, input)
        options = {
            "dtype": dtype_argument(call, dtype, x._aval.dtype), "device": device,
            "requires_grad": requires_grad, "generator": generator, "name": name,
        }  # fmt: skip
        return laid_out_like(
            x,
            lambda shape: make(shape, **options),
            None if scattered is None else lambda shape: scattered(shape, **options),
        )

    like.__name__ = like.__qualname__ = call
    like.__doc__ = _LIKE_DOC.format(name=make.__name__, example=inspect.cleandoc(example))
    return overridable(f"torch.{call}")(making(like))
