"""Filling tensors with random numbers: `uniform_`, `normal_`, `bernoulli_`, `random_`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad import random as streams
from symgrad.autograd.node import extra_of
from symgrad.autograd.record import Recorded, record, wrap
from symgrad.autograd.signature import named
from symgrad.expr.dtypes import Category
from symgrad.inplace.allowed import check_modifiable
from symgrad.inplace.change import modify
from symgrad.ops.assignment import copied

__all__ = ["bernoulli_", "normal_", "random_", "uniform_"]


def _drawn(
    self: Any, name: str, node: str, draw: Callable[[Any], Any], generator: Any, edges: int = 1
) -> Any:
    """Fill a tensor with what is drawn, by a node of PyTorch's name and number of edges."""
    stream = streams.default_generator if generator is None else generator
    check_modifiable(self)
    data = draw(stream)

    def compute() -> Any:
        result = record(copied, (self, wrap(data)))
        if result._rg:
            result._vertex.rename(named(result._vertex.sig, node))
            extra_of(result._vertex).links = result._vertex.edges()[:edges]
        return result

    return modify(self, name, compute)


def uniform_(self: Any, from_: float = 0.0, to: float = 1.0, *, generator: Any = None,
             **keywords: Any) -> Any:  # fmt: skip
    """Fill with numbers drawn uniformly from [from, to), in place.

    Parameters
    ----------
    from_, to : float
        The bounds; `from` is the keyword.
    generator : Generator, optional
        The stream to draw from, in place of the default.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(3).uniform_(-1, 1)
    tensor([-0.0075,  0.5364, -0.8230])
    """
    from_ = keywords.pop("from", from_)
    kind = self._data.dtype
    return _drawn(
        self,
        "uniform",
        "UniformBackward0",
        lambda g: g.uniform(self._aval.shape, kind, from_, to),
        generator,
    )


def normal_(self: Any, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Any:
    """Fill with numbers drawn from a normal distribution, in place.

    Parameters
    ----------
    mean, std : float
        Of the distribution.
    generator : Generator, optional
        The stream to draw from, in place of the default.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(3).normal_(mean=10, std=0.5)
    tensor([10.7705,  9.8533,  8.9106])
    """
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    kind, contiguous = self._data.dtype, bool(self._data.flags.c_contiguous)
    return _drawn(
        self,
        "normal",
        "NormalBackward0",
        lambda g: g.normal(self._aval.shape, kind, mean, std, contiguous=contiguous),
        generator,
    )


def bernoulli_(self: Any, p: Any = 0.5, *, generator: Any = None) -> Any:
    """Fill with ones with probability `p` and zeros otherwise, in place.

    Parameters
    ----------
    p : float or Tensor
        The probability of a one, or that of each element.
    generator : Generator, optional
        The stream to draw from, in place of the default.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(5).bernoulli_(0.5)
    tensor([0., 0., 1., 0., 0.])
    """
    probability = p._data if isinstance(p, Recorded) else float(p)
    kind = self._data.dtype
    return _drawn(
        self,
        "bernoulli",
        "BernoulliBackward1" if isinstance(p, Recorded) else "BernoulliBackward2",
        lambda g: g.bernoulli(probability, self._aval.shape, kind),
        generator,
        2 if isinstance(p, Recorded) else 1,
    )


def random_(self: Any, *bounds: int, generator: Any = None) -> Any:
    """Fill with integers drawn from [low, high), in place: ``random_([[low,] high])``.

    Parameters
    ----------
    *bounds : int
        `low` (0 where not given) and `high`, by default above all that the dtype counts
        exactly.
    generator : Generator, optional
        The stream to draw from, in place of the default.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.empty(5).random_(10)
    tensor([4., 9., 3., 0., 3.])
    """
    kind = self._aval.dtype
    if len(bounds) == 2:
        low, high = bounds
    elif bounds:
        low, high = 0, bounds[0]
    elif kind.category == Category.FLOAT:
        low, high = 0, 2 ** {"float16": 11, "float32": 24, "float64": 53}[kind.name] + 1
    elif kind.category == Category.BOOL:
        low, high = 0, 2
    else:
        low, high = 0, int(np.iinfo(kind.numpy).max) + (0 if kind.name == "int64" else 1)
    return _drawn(
        self,
        "random",
        f"RandomBackward{2 - len(bounds)}",
        lambda g: g.random_integers(low, high, self._aval.shape, kind.numpy),
        generator,
    )
