"""Filling tensors with random numbers: `uniform_`, `normal_`, `exponential_` and their kin.

The numbers come from `symgrad.random.streams` and `symgrad.random.sampling`. As in PyTorch, they
are drawn in the order in which the elements lie in memory, whatever the order of the axes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symgrad.ops.replacement import drawn
from symgrad.random import sampling
from symgrad.random.default_stream import default_generator
from symgrad.random.streams import Generator
from symgrad.record.chance import check_chance
from symgrad.record.modes import state
from symgrad.record.record import Recorded, wrap
from symgrad.schema.public import METHODS, tensor_method
from symgrad.schema.text import NOT_GIVEN
from symgrad.support.memory import order_in_memory
from symgrad.tensor.conversion import check_long
from symgrad.tensor.in_place.allowed import check_modifiable
from symgrad.tensor.in_place.change import modify
from symgrad.tensor.in_place.comparing import record_replacement

_UNBATCHED = (
    "vmap: Cannot ask for different inplace randomness on an unbatched tensor. This will appear "
    "like same randomness. If this is necessary for your usage, please file an issue with "
    "functorch."
)


def _drawn(
    self: Any, name: str, node: str, draw: Callable[[Any, Any, Any], Any], generator: Any,
    *others: Any,
) -> Any:  # fmt: skip
    """Fill a tensor with what `draw` makes of a stream, a shape and a dtype.

    Parameters
    ----------
    self : Tensor
        What is filled.
    name : str
        The method without its underscore.
    node : str
        PyTorch's name of the node.
    draw : callable
        Makes the numbers, in the order of memory.
    generator : Generator or None
        The stream, or None for the default one.
    *others : Tensor
        What the numbers are drawn with, each an edge of the node.
    """
    stream = default_generator if generator is None else generator
    check_modifiable(self)
    check_chance()
    kind, batching = self._aval.dtype.numpy, state.state.batching
    if batching is None:
        order = order_in_memory(self._data)
        shape = tuple([self._aval.shape[i] for i in order])
        values = wrap(draw(stream, shape, kind).transpose(np.argsort(order)))
    else:
        if batching.level.randomness == "different" and isinstance(self._data, np.ndarray):
            raise RuntimeError(_UNBATCHED)
        values = batching.draw(self._aval.shape, lambda shape: draw(stream, shape, kind))

    return modify(self, name, lambda: record_drawn(values, node, self, *others))


def _drawn_by(
    self: Any, draw: Callable[..., Any], generator: Any, *parameters: Any, **options: Any
) -> Any:
    """Fill a tensor with what a distribution of real parameters draws, which names the method."""
    numbers, name = [float(x) for x in parameters], draw.__name__
    node = "".join([word.capitalize() for word in name.split("_")]) + "Backward0"
    return _drawn(self, name, node, lambda *given: draw(*given, *numbers, **options), generator)


def record_drawn(values: Any, node: str, *others: Any) -> Any:
    """Return random numbers with a node whose gradients are zero.

    Parameters
    ----------
    values : Tensor
        The numbers.
    node : str
        PyTorch's name of the node.
    *others : Tensor
        What they stand in the place of, and are drawn with: each an edge of the node.
    """
    return record_replacement(drawn, values, node, *others)


@tensor_method(
    "uniform_(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor",
)
def uniform_(self: Any, from_: float = 0.0, to: float = 1.0, *, generator: Any = None) -> Any:
    """Fill with numbers drawn uniformly from [from, to), in place.

    Parameters
    ----------
    from_, to : float
        The bounds; `from` is the keyword.

    Raises
    ------
    RuntimeError
        If the bounds are out of order, or do not fit the dtype.
    NotImplementedError
        For integers.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(3).uniform_(-1, 1)
    tensor([-0.0075,  0.5364, -0.8230])
    """
    return _drawn_by(self, Generator.uniform, generator, from_, to)


@tensor_method(
    "normal_(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor",
)
def normal_(self: Any, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Any:
    """Fill with numbers drawn from a normal distribution, in place.

    Parameters
    ----------
    mean, std : float
        Of the distribution.

    Raises
    ------
    RuntimeError
        If `std` is negative.
    NotImplementedError
        For integers.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(3).normal_(mean=10, std=0.5)
    tensor([10.7705,  9.8533,  8.9106])
    """
    contiguous = bool(self._data.flags.c_contiguous)
    return _drawn_by(self, Generator.normal, generator, mean, std, contiguous=contiguous)


@tensor_method(
    "bernoulli_(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor",
    "bernoulli_(Tensor self, float p=0.5, *, Generator? generator=None) -> Tensor",
)
def bernoulli_(self: Any, p: Any = 0.5, *, generator: Any = None) -> Any:
    """Fill with ones with probability `p` and zeros otherwise, in place.

    Parameters
    ----------
    p : float or Tensor
        The probability of a one, or that of each element.

    Raises
    ------
    RuntimeError
        If a probability is outside [0, 1], or those of a tensor do not fit the shape.
    NotImplementedError
        For complex numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(5).bernoulli_(0.5)
    tensor([0., 0., 1., 0., 0.])
    """
    if not isinstance(p, Recorded):
        probability = float(p)
        return _drawn(
            self,
            "bernoulli",
            "BernoulliBackward2",
            lambda g, shape, kind: g.bernoulli(probability, shape, kind),
            generator,
        )

    def draw(g: Any, shape: Sequence[int], kind: Any) -> Any:
        if not math.prod(shape):
            return np.empty(shape, kind)
        each = METHODS["expand"](p, self._aval.shape)._data
        if state.state.batching is None:
            each = each.transpose(order_in_memory(self._data))
        return g.bernoulli(np.asarray(each), shape, kind)

    return _drawn(self, "bernoulli", "BernoulliBackward1", draw, generator, p)


@tensor_method(
    "random_(Tensor self, *, Generator? generator=None) -> Tensor",
    "random_(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor",
    "random_(Tensor self, int to, *, Generator? generator=None) -> Tensor",
)
def random_(
    self: Any, from_: Any = NOT_GIVEN, to: Any = NOT_GIVEN, *, generator: Any = None
) -> Any:
    """Fill with integers drawn from [low, high), in place: ``random_([[low,] high])``.

    Parameters
    ----------
    from_, to : int
        `low` (0 where not given) and `high`, of which the keywords are `from` and `to`. With no
        `high`, or None for it, the last number is the greatest up to which the dtype holds each.

    Raises
    ------
    RuntimeError
        If the bounds are out of order, or do not fit the dtype.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(5).random_(10)
    tensor([4., 9., 3., 0., 3.])
    """
    count = sum([bound is not NOT_GIVEN for bound in (from_, to)])
    low = from_ if count == 2 else 0
    high = None if to is NOT_GIVEN else to
    for bound in (low, high):
        if bound is not None:
            check_long(bound)

    def draw(g: Any, shape: Sequence[int], kind: Any) -> Any:
        if not count:
            return sampling.integers(g, shape, kind)
        if high is None:
            return sampling.integers_from(g, low, shape, kind)
        return g.random_integers(low, high, shape, kind)

    return _drawn(self, "random", f"RandomBackward{2 - count}", draw, generator)


@tensor_method(
    "exponential_(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor",
)
def exponential_(self: Any, lambd: float = 1.0, *, generator: Any = None) -> Any:
    """Fill with numbers drawn from an exponential distribution, in place.

    Parameters
    ----------
    lambd : float
        The rate, whose inverse is the mean.

    Raises
    ------
    RuntimeError
        If the rate is not positive, or the elements are no real floating-point numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(3).exponential_()
    tensor([3.5083, 1.2304, 0.6150])
    """
    return _drawn_by(self, sampling.exponential, generator, lambd)


@tensor_method(
    "geometric_(Tensor self, float p, *, Generator? generator=None) -> Tensor",
)
def geometric_(self: Any, p: float, *, generator: Any = None) -> Any:
    """Fill with how many trials it takes to the first success of probability `p`, in place.

    Parameters
    ----------
    p : float
        Between 0 and 1, both excluded.

    Raises
    ------
    RuntimeError
        If `p` is outside of its bounds.
    NotImplementedError
        For truth values and complex numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(6, dtype=torch.int64).geometric_(0.3)
    tensor([1, 1, 3, 1, 2, 1])
    """
    return _drawn_by(self, sampling.geometric, generator, p)


@tensor_method(
    "log_normal_(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor",
)
def log_normal_(self: Any, mean: float = 1.0, std: float = 2.0, *, generator: Any = None) -> Any:
    """Fill with numbers whose logarithm is drawn from a normal distribution, in place.

    Parameters
    ----------
    mean, std : float
        Of the logarithm.

    Raises
    ------
    RuntimeError
        If `std` is not positive.
    NotImplementedError
        For integers and complex numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(3).log_normal_(0, 0.25)
    tensor([1.4700, 0.9293, 0.5800])
    """
    return _drawn_by(self, sampling.log_normal, generator, mean, std)


@tensor_method(
    "cauchy_(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor",
)
def cauchy_(self: Any, median: float = 0.0, sigma: float = 1.0, *, generator: Any = None) -> Any:
    """Fill with numbers drawn from a Cauchy distribution, in place.

    Parameters
    ----------
    median, sigma : float
        The centre, and half the width between the quartiles.

    Raises
    ------
    RuntimeError
        If `sigma` is not positive, or the elements are no real floating-point numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(3).cauchy_(1, 2)
    tensor([22.1955,  2.5295,  0.7434])
    """
    return _drawn_by(self, sampling.cauchy, generator, median, sigma)
