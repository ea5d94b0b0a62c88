"""What all functions that make tensors have in common: their arguments, and how they end.

What the arguments may be stands in `symgrad.schema.kinds`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from symgrad.expr.atoms import Const, as_expr
from symgrad.expr.dtypes import default_dtype, dtype
from symgrad.expr.named_sizes import UnknownSize, is_named
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.random.default_stream import default_generator
from symgrad.random.streams import Generator
from symgrad.record.chance import check_chance
from symgrad.record.modes import state
from symgrad.record.naming import reserve
from symgrad.record.record import Recorded, wrap
from symgrad.schema.arguments import check_shape
from symgrad.schema.public import SPACES, with_schema
from symgrad.schema.text import Schema
from symgrad.support.memory import order_in_memory
from symgrad.support.untraceable import UntraceableValue

#: What PyTorch's functions that make tensors have in common.
OPTIONS = (
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False, "
    "bool? requires_grad=False"
)
#: What the functions of symgrad have beside that: the name of a leaf in formulas.
NAME = "~Name? name=None"

#: The functions that make tensors, by their names.
CREATION: dict[str, Callable[..., Any]] = {}

F = TypeVar("F", bound=Callable[..., Any])

NO_GRAD_DTYPE = "Only Tensors of floating point and complex dtype can require gradients"


def making(*texts: str, method: bool = False, formulas: bool = False) -> Callable[[F], F]:
    """Let a function that makes tensors, or a method, have its arguments read by its schema.

    So a call that is refused has drawn nothing and written nothing. Functions enter `CREATION`, those
    of another module, as `fft.fftfreq`, `SPACES`. They take `formulas` where they read only shape and
    dtype of an array.
    """

    def enter(f: F) -> F:
        made = with_schema(*texts, method=method, formulas=formulas)(f)
        if not method:
            space, _, short = Schema(texts).name.rpartition(".")
            (SPACES.setdefault(space, {}) if space else CREATION)[short] = made
        return made

    return enter


def finish(
    call: str, data: Any, requires_grad: Any = False, name: str | None = None, out: Any = None
) -> Any:
    """Return the tensor of an array of its own, or `out` with its values."""
    if out is not None:
        return _into(call, out, data)
    made: Any = data if isinstance(data, Recorded) else wrap(data)
    if requires_grad:
        if not made._aval.dtype.differentiable:
            raise RuntimeError(NO_GRAD_DTYPE)
        made._rg = True
    if name is not None:
        made._name = name
        reserve(name, made)
    return made


def _into(call: str, out: Any, data: Any) -> Any:
    """Write an array, or a tensor, into the tensor given as `out`, which takes its shape."""
    check_out(call, out)
    made: Any = data if isinstance(data, Recorded) else wrap(data)
    if state.state.batching is not None:
        state.state.batching.refuse_call("functions with out=", out, made)
    if out._aval.shape != made._aval.shape:
        return out.resize_(made._aval.shape).copy_(made)
    return out.copy_(made)


def drawn(shape: Shape, make: Callable[[Shape], np.ndarray[Any, Any]]) -> Any:
    """Return the tensor of random numbers that `make` draws; inside `vmap` as it was told.

    `make` is given the shape, with more axes in front where entries of a batch differ.
    """
    check_chance()
    batching = state.state.batching
    return wrap(make(shape)) if batching is None else batching.draw(shape, make)


def laid_out_like(
    x: Any, make: Callable[[Shape], Any], scattered: Callable[[Shape], Any] | None = None
) -> Any:
    """Return a new tensor of the shape of `x`, whose elements lie in memory as those of `x` do.

    Parameters
    ----------
    x : Tensor or ArrayExpr
        Whose shape and order of memory it takes; gaps are closed. A formula has no order.
    make : callable
        Makes a tensor of a shape, its elements in the order of the axes.
    scattered : callable, optional
        What makes it where that is not the order in memory; by default `make`, too.
    """
    if isinstance(x, ArrayExpr):
        return beside(x, make(x.shape))
    shape = x._aval.shape
    order = list(range(len(shape)))
    if state.state.batching is None:
        order = order_in_memory(x._data)
    if order == sorted(order):
        return copy_for_entries(make(shape), x)
    made = (scattered or make)(tuple([shape[i] for i in order]))
    shown = wrap(made._data.transpose(np.argsort(order)))
    made._data, made._aval = shown._data, shown._aval
    return made


def filled_like(x: Any, make: Callable[[Shape], Any]) -> Any:
    """Return what `laid_out_like` does, whose elements are equal."""
    return filled(x, x.shape, make) if isinstance(x, ArrayExpr) else laid_out_like(x, make)


def filled(x: Any, shape: Shape, make: Callable[[Shape], Any]) -> Any:
    """Return what `make`, whose elements are equal, gives for a shape; for a formula, a formula."""
    if not isinstance(x, ArrayExpr):
        return copy_for_entries(make(shape), x)
    one = make(())
    return make(shape) if one.requires_grad else repeated(one, shape)


def repeated(one: Any, shape: Shape) -> ArrayExpr:
    """Return a tensor of one number as a formula, repeated; a formula requires no gradient.

    Raises
    ------
    TypeError
        If the tensor requires a gradient: the shape has named sizes.
    """
    if one.requires_grad:
        raise UnknownSize(
            f"a tensor has elements, of which there is no number in the shape {shape}: only "
            "formulas have sizes that are names, and they take no requires_grad"
        )
    return Const(one.item(), one.dtype).broadcast_to(shape)


def beside(x: Any, made: Any) -> Any:
    """Return a new tensor; for a formula `x` as a formula, unless the tensor requires a gradient."""
    constant = isinstance(x, ArrayExpr) and not made.requires_grad
    return as_expr(made.numpy()) if constant else made


def drawn_from(x: Any, make: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]) -> Any:
    """Return the tensor of random numbers that `make` draws for the elements of `x`."""
    check_chance()
    batching = state.state.batching
    return wrap(make(x._data)) if batching is None else batching.draw_from(x, make)


def copy_for_entries(made: Any, like: Any) -> Any:
    """Return `made` with an own copy for each entry that `like` stands for inside `vmap`."""
    batching = state.state.batching
    return made if batching is None else batching.copy_for_entries(made, like)


def check_out(call: str, out: Any) -> None:
    """Raise where `out` takes part in differentiation, or is a formula."""
    if isinstance(out, ArrayExpr):
        raise UntraceableValue(f"{call}(): out= takes a tensor to write to, and a formula is none")
    if out is not None and out._rg and state.state.enabled:
        raise RuntimeError(
            f"{call}(): functions with out=... arguments don't support automatic differentiation, "
            "but one of the arguments requires grad."
        )


def stream_of(generator: Generator | None) -> Generator:
    """Return the generator to draw from, the default one for None."""
    return default_generator if generator is None else generator


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


#: Returns an array of a shape and a dtype, of numbers that it may draw from a generator.
Fill = Callable[[Shape, Any, Any], Any]


def sized(
    fill: Fill, call: str, summary: str, example: str, random: bool = False, options: str = OPTIONS
) -> Any:
    """Make the function that takes sizes and returns what `fill` gives.

    It is `random` where that draws from the generator.
    """
    make = filled_by(fill, call, random)
    make.__doc__ = _SIZED_DOC.format(summary=summary, example=inspect.cleandoc(example))
    text = f"{call}(int[] size, *, Tensor? out=None, {options}, {NAME}) -> Tensor"
    return making(*_drawing(text, random))(make)


def filled_by(fill: Fill, call: str, random: bool = False) -> Callable[..., Any]:
    """Return the body of a function that takes sizes, given its arguments as the schema reads them."""

    def make(
        size: Shape,
        *,
        generator: Generator | None = None,
        out: Any = None,
        dtype: dtype | None = None,
        requires_grad: bool = False,
        name: str | None = None,
    ) -> Any:
        check_shape(call, size)
        if is_named(size) and out is None and not random:
            return repeated(make((), dtype=dtype, requires_grad=requires_grad), size)
        check_out(call, out)
        kind = dtype or (default_dtype() if out is None else out._aval.dtype)
        stream = stream_of(generator)
        data: Any = (
            drawn(size, lambda of: fill(of, kind, stream)) if random else fill(size, kind, stream)
        )
        return finish(call, data, requires_grad, name, out)

    return make


def _drawing(text: str, random: bool) -> tuple[str, ...]:
    """Return the overloads of a function, of which one takes a generator where it is `random`."""
    return (text.replace("*, ", "*, Generator? generator, "), text) if random else (text,)


_LIKE_DOC = """\
Return `{name}` of the shape and, unless told, the dtype of `input`.

Parameters
----------
input : Tensor or ArrayExpr
    Whose shape it takes; for a formula, the result is one.
dtype : dtype, optional
    The element type; by default that of `input`.

Examples
--------
>>> import symgrad as torch
{example}
"""


def like(make: Any, example: str, scattered: Any = None, random: bool = False) -> Any:
    """Make the function that takes shape and dtype of a tensor, from one that takes a shape.

    The elements lie in memory in the order of the tensor's. Where that is not the order of the
    axes, the body `scattered` makes them, if it is given.
    """
    call = f"{make.__name__}_like"
    body, other = make.__wrapped__, scattered or make.__wrapped__

    def like(
        input: Any,
        *,
        generator: Generator | None = None,
        dtype: dtype | None = None,
        requires_grad: bool = False,
        name: str | None = None,
    ) -> Any:
        options: dict[str, Any] = {
            "dtype": dtype or input.dtype, "requires_grad": requires_grad,
            "generator": generator, "name": name,
        }  # fmt: skip
        if not random:
            return filled_like(input, lambda shape: body(shape, **options))
        return laid_out_like(
            input, lambda shape: body(shape, **options), lambda shape: other(shape, **options)
        )

    like.__doc__ = _LIKE_DOC.format(name=make.__name__, example=inspect.cleandoc(example))
    text = f"{call}(Tensor input, *, MemoryFormat? memory_format=None, {OPTIONS}, {NAME}) -> Tensor"
    return making(*_drawing(text, random), formulas=True)(like)
