"""Tensors drawn from the random streams, which stand in `symgrad.random`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symgrad import random as streams
from symgrad.arguments import (
    dtype_argument,
    integer,
    invalid_combination,
    real,
    size_argument,
    tensor_argument,
)
from symgrad.autograd.modes import no_grad
from symgrad.autograd.record import Recorded, wrap
from symgrad.creation.making import (
    MISSING,
    NO_GRAD_DTYPE,
    drawn,
    drawn_from,
    finish,
    generator_of,
    laid_out_like,
    like,
    making,
    required,
    sized,
)
from symgrad.dispatch import overridable
from symgrad.expr.dtypes import (
    default_dtype,
    dtype,
    int64,
)
from symgrad.expr.shapes import Shape
from symgrad.inplace.drawing import record_drawn
from symgrad.ops.values import every_value
from symgrad.random import Generator

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


_randn_by_pairs = sized(
    lambda shape, kind, g: g.normal(shape, kind.numpy, contiguous=False),
    "randn",
    "Return standard normal numbers as PyTorch draws them for tensors that are not contiguous.",
    "",
    random=True,
)

rand_like = like(
    rand,
    """
    >>> _ = torch.manual_seed(0)
    >>> torch.rand_like(torch.zeros(1, 3))
    tensor([[0.4963, 0.7682, 0.0885]])
    """,
)
randn_like = like(
    randn,
    """
    >>> _ = torch.manual_seed(0)
    >>> torch.randn_like(torch.zeros(1, 3))
    tensor([[ 1.5410, -0.2934, -2.1788]])
    """,
    scattered=_randn_by_pairs,
)


@making
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
    stream = generator_of("randint", generator)
    if requires_grad and not kind.differentiable:
        raise RuntimeError(NO_GRAD_DTYPE)
    data = drawn(shape, lambda of: stream.random_integers(low, high, of, kind.numpy))
    return finish("randint", data, requires_grad, device=device, out=out)


@overridable("torch.randint_like")
@making
def randint_like(
    input: Any = MISSING,
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
    required("randint_like", ("input", input))
    x = tensor_argument("randint_like", input)
    kind = dtype_argument("randint_like", dtype, x._aval.dtype)
    options = {"dtype": kind, "device": device, "requires_grad": requires_grad, **keywords}
    return laid_out_like(
        x, lambda shape: randint(*bounds, size=shape, generator=generator, **options)
    )


@making
def randperm(
    n: Any = MISSING,
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
    required("randperm", ("n", n))
    count = integer("randperm", "n", 1, n)
    kind = dtype_argument("randperm", dtype, int64)
    if count < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {count}: [{count}]")
    stream = generator_of("randperm", generator)

    def permutations(shape: Shape) -> Any:
        found = [stream.permutation(count, kind.numpy) for _ in range(math.prod(shape[:-1]))]
        return np.array(found, kind.numpy).reshape(shape)

    data = drawn((count,), permutations)
    return finish("randperm", data, requires_grad, device=device, out=out)


@overridable("torch.normal")
@making
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
    stream = generator_of("normal", generator)
    tensors: list[Any] = [x for x in (mean, std) if isinstance(x, Recorded)]
    if tensors and size is not None:
        raise invalid_combination("normal", (mean, std), {"size": size})
    if not tensors:
        if size is None:
            raise invalid_combination("normal", (mean, std))
        shape = size_argument("normal", (size,), 3)
        kind = dtype_argument("normal", dtype, default_dtype())
        mean, std = real("normal", "mean", 1, mean), real("normal", "std", 2, std)
        _check_std(std)
        data = drawn(shape, lambda of: stream.normal(of, kind.numpy, mean, std))
    else:
        if not isinstance(mean, Recorded):
            mean = real("normal", "mean", 1, mean)
        if not isinstance(std, Recorded):
            std = real("normal", "std", 2, std)
        _check_std(every_value(std) if isinstance(std, Recorded) else std)
        target = tensors[0]._aval.dtype
        with no_grad():
            like = (mean * 0 + std * 0).to(target)  # of the shape that both have together
            unit = drawn_from(like, lambda of: stream.normal(of.shape, target.numpy))
            data = (unit * std + mean).to(target)
        if out is None:
            node = f"NormalBackward{len(tensors) + (1 if tensors[-1] is std else 0)}"
            data = record_drawn(data, node, *tensors)
    return finish("normal", data, requires_grad, device=device, out=out)


def _check_std(std: Any) -> None:
    if np.ndim(std):
        if np.size(std) and not np.all(np.asarray(std) >= 0):
            raise RuntimeError("normal expects all elements of std >= 0.0")
    elif not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {float(std):g}")


@overridable("torch.bernoulli")
@making
def bernoulli(
    input: Any = MISSING, p: Any = None, *, generator: Generator | None = None, out: Any = None
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
    required("bernoulli", ("input", input))
    x = tensor_argument("bernoulli", input)
    stream = generator_of("bernoulli", generator)
    if p is None:
        data = drawn_from(x, stream.bernoulli)
        if out is None:
            data = record_drawn(data, "BernoulliBackward0", x)
    else:
        kind, each = x._aval.dtype.numpy, real("bernoulli", "p", 2, p)
        data = drawn_from(x, lambda of: stream.bernoulli(each, of.shape, kind))
    return finish("bernoulli", data, out=out)


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
