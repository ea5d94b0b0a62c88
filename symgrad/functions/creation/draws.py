"""Tensors drawn from the random streams, which stand in `symgrad.random.streams`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symgrad.expr.dtypes import default_dtype, dtype, int64
from symgrad.expr.shapes import Shape
from symgrad.functions.creation.making import (
    NO_GRAD_DTYPE,
    OPTIONS,
    check_out,
    drawn,
    drawn_from,
    filled_by,
    finish,
    laid_out_like,
    like,
    making,
    sized,
    stream_of,
)
from symgrad.ops.operand_values import every_value
from symgrad.random import STATES
from symgrad.random.default_stream import default_generator
from symgrad.random.streams import Generator
from symgrad.record.modes import no_grad
from symgrad.record.record import Recorded, wrap
from symgrad.schema.arguments import check_shape
from symgrad.schema.text import NOT_GIVEN
from symgrad.tensor.in_place.drawing import record_drawn

rand = sized(
    lambda shape, kind, g: g.uniform(shape, kind.numpy),
    "rand",
    "Return numbers drawn uniformly from [0, 1).",
    """
    >>> torch.rand(3, generator=torch.Generator().manual_seed(0))
    tensor([0.4963, 0.7682, 0.0885])
    """,
    random=True,
)
randn = sized(
    lambda shape, kind, g: g.normal(shape, kind.numpy),
    "randn",
    "Return numbers drawn from the standard normal distribution.",
    """
    >>> _ = torch.manual_seed(0)
    >>> torch.randn(3)
    tensor([ 1.5410, -0.2934, -2.1788])
    """,
    random=True,
)


# PyTorch draws by pairs what is not contiguous.
_randn_by_pairs = filled_by(
    lambda shape, kind, g: g.normal(shape, kind.numpy, contiguous=False), "randn", random=True
)

rand_like = like(
    rand,
    """
    >>> _ = torch.manual_seed(0)
    >>> torch.rand_like(torch.zeros(1, 3))
    tensor([[0.4963, 0.7682, 0.0885]])
    """,
    random=True,
)
randn_like = like(
    randn,
    """
    >>> _ = torch.manual_seed(0)
    >>> torch.randn_like(torch.zeros(1, 3))
    tensor([[ 1.5410, -0.2934, -2.1788]])
    """,
    scattered=_randn_by_pairs,
    random=True,
)


_OUT = f"Tensor? out=None, {OPTIONS}"


@making(
    f"randint(int high, int[] size, *, Generator? generator, {_OUT}) -> Tensor",
    f"randint(int high, int[] size, *, {_OUT}) -> Tensor",
    f"randint(int low, int high, int[] size, *, Generator? generator, {_OUT}) -> Tensor",
    f"randint(int low, int high, int[] size, *, {_OUT}) -> Tensor",
)
def randint(
    low: int = 0,
    high: Any = NOT_GIVEN,
    size: Shape = (),
    *,
    generator: Generator | None = None,
    out: Any = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Any:
    """Return integers drawn from [low, high): ``randint([low,] high, size)``.

    Parameters
    ----------
    low, high : int
        The bounds; `low` is 0 where not given.
    size : sequence of int
        The shape.
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
    check_shape("randint", size)
    check_out("randint", out)
    kind, stream = dtype or int64, stream_of(generator)
    if requires_grad and not kind.differentiable:
        raise RuntimeError(NO_GRAD_DTYPE)
    data = drawn(size, lambda of: stream.random_integers(low, high, of, kind.numpy))
    return finish("randint", data, requires_grad, out=out)


_LIKE = f"MemoryFormat? memory_format=None, {OPTIONS}"


@making(
    f"randint_like(Tensor input, int low, int high, *, Generator? generator, {_LIKE}) -> Tensor",
    f"randint_like(Tensor input, int low, int high, *, {_LIKE}) -> Tensor",
    f"randint_like(Tensor input, Tensor high, *, Generator? generator, {_LIKE}) -> Tensor",
    f"randint_like(Tensor input, Tensor high, *, {_LIKE}) -> Tensor",
    f"randint_like(Tensor input, int high, *, Generator? generator, {_LIKE}) -> Tensor",
    f"randint_like(Tensor input, int high, *, {_LIKE}) -> Tensor",
    formulas=True,
)
def randint_like(
    input: Any,
    low: int = 0,
    high: Any = NOT_GIVEN,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Any:
    """Return `randint` of the shape and, unless told, the dtype of `input`.

    Parameters
    ----------
    input : Tensor
        Whose shape it takes.
    low, high : int
        The bounds; `low` is 0 where not given.
    dtype : dtype, optional
        The element type; by default that of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.randint_like(torch.zeros(3), 10)
    tensor([4., 9., 3.])
    """
    options: dict[str, Any] = {
        "dtype": dtype or input.dtype, "requires_grad": requires_grad, "generator": generator,
    }  # fmt: skip
    bound = int(high)
    return laid_out_like(input, lambda shape: randint(low, bound, shape, **options))


@making(
    f"randperm(int n, *, Generator? generator, {_OUT}) -> Tensor",
    f"randperm(int n, *, {_OUT}) -> Tensor",
)
def randperm(
    n: int,
    *,
    generator: Generator | None = None,
    out: Any = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
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
    kind, stream = dtype or int64, stream_of(generator)
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    check_out("randperm", out)

    def permutations(shape: Shape) -> Any:
        found = [stream.permutation(n, kind.numpy) for _ in range(math.prod(shape[:-1]))]
        return np.array(found, kind.numpy).reshape(shape)

    return finish("randperm", drawn((n,), permutations), requires_grad, out=out)


_STREAM = "Generator? generator=None, Tensor? out=None"


@making(
    f"normal(Tensor mean, Tensor std, *, {_STREAM}) -> Tensor",
    f"normal(Tensor mean, float std=1, *, {_STREAM}) -> Tensor",
    f"normal(float mean, Tensor std, *, {_STREAM}) -> Tensor",
    f"normal(float mean, float std, int[] size, *, {_STREAM}, {OPTIONS}) -> Tensor",
)
def normal(
    mean: Any,
    std: Any = 1.0,
    size: Shape = (),
    *,
    generator: Generator | None = None,
    out: Any = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
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
    stream = stream_of(generator)
    check_out("normal", out)
    tensors: list[Any] = [x for x in (mean, std) if isinstance(x, Recorded)]
    if not tensors:
        check_shape("normal", size)
        kind = dtype or default_dtype()
        mean, std = float(mean), float(std)
        _check_std(std)
        data = drawn(size, lambda of: stream.normal(of, kind.numpy, mean, std))
    else:
        mean, std = [x if isinstance(x, Recorded) else float(x) for x in (mean, std)]
        _check_std(every_value(std) if isinstance(std, Recorded) else std)
        target = tensors[0]._aval.dtype
        with no_grad():
            like = (mean * 0 + std * 0).to(target)  # mean and deviation broadcast to this shape
            unit = drawn_from(like, lambda of: stream.normal(of.shape, target.numpy))
            data = (unit * std + mean).to(target)
        if out is None:
            node = f"NormalBackward{len(tensors) + (1 if tensors[-1] is std else 0)}"
            data = record_drawn(data, node, *tensors)
    return finish("normal", data, requires_grad, out=out)


def _check_std(std: Any) -> None:
    if np.ndim(std):
        if np.size(std) and not np.all(np.asarray(std) >= 0):
            raise RuntimeError("normal expects all elements of std >= 0.0")
    elif not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {float(std):g}")


#: The overloads of `bernoulli`, a function and a method.
DRAWN_BY_PROBABILITY = (
    f"bernoulli(Tensor self, *, {_STREAM}) -> Tensor",
    "bernoulli(Tensor self, float p, *, Generator? generator=None) -> Tensor",
)


@making(*DRAWN_BY_PROBABILITY)
def bernoulli(
    input: Any, p: float | None = None, *, generator: Generator | None = None, out: Any = None
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
    stream = stream_of(generator)
    check_out("bernoulli", out)
    if p is None:
        data = drawn_from(input, stream.bernoulli)
        if out is None:
            data = record_drawn(data, "BernoulliBackward0", input)
    else:
        kind, each = input._aval.dtype.numpy, float(p)
        data = drawn_from(input, lambda of: stream.bernoulli(each, of.shape, kind))
    return finish("bernoulli", data, out=out)


@STATES["get_rng_state"].state
def get_rng_state() -> Any:
    """Return the state of the default generator as a tensor of bytes.

    Examples
    --------
    >>> import symgrad as torch
    >>> state = torch.get_rng_state()
    >>> state.dtype, state.shape
    (torch.uint8, torch.Size([5056]))
    """
    return wrap(default_generator.get_state())


@STATES["set_rng_state"].state
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
    default_generator.set_state(data)
