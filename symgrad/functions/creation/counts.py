"""Tensors of counts and choices that are drawn, by `symgrad.random.counting`."""

from __future__ import annotations

from typing import Any

from symgrad.expr.dtypes import float16, int64
from symgrad.functions.creation.making import drawn_from, finish, making, stream_of
from symgrad.ops.replacement import drawn_counts
from symgrad.random import counting, gammas
from symgrad.random.streams import Generator
from symgrad.record.face import NOT_IMPLEMENTED
from symgrad.record.modes import no_grad
from symgrad.schema.public import FUNCTIONS
from symgrad.tensor.in_place.comparing import record_replacement
from symgrad.tensor.in_place.drawing import record_drawn


@making("poisson(Tensor self, Generator? generator=None) -> Tensor")
def poisson(input: Any, generator: Generator | None = None) -> Any:
    """Return numbers drawn from Poisson distributions.

    Parameters
    ----------
    input : Tensor
        The rates, which are the means.

    Raises
    ------
    RuntimeError
        If a rate is negative.
    NotImplementedError
        If the rates are no real floating-point numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.poisson(torch.tensor([0.5, 3.0, 50.0]))
    tensor([ 2.,  4., 52.])
    """
    stream = stream_of(generator)
    data = drawn_from(input, lambda rates: counting.poisson(stream, rates))
    return record_drawn(data, "PoissonBackward0", input)


@making("binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor")
def binomial(count: Any, prob: Any, generator: Generator | None = None) -> Any:
    """Return how often something happens in trials, drawn from binomial distributions.

    Parameters
    ----------
    count : Tensor
        How many trials there are.
    prob : Tensor
        With what probability it happens in one.

    Raises
    ------
    ValueError
        If the operands are no real floating-point numbers.
    RuntimeError
        If their dtypes differ, or their shapes do not fit.
    NotImplementedError
        For `float16`.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.binomial(torch.tensor([4.0, 100.0]), torch.tensor([0.5, 0.25]))
    tensor([ 3., 27.])
    """
    stream = stream_of(generator)
    kinds = [x._aval.dtype for x in (count, prob)]
    for name, kind in zip(("count", "prob"), kinds, strict=True):
        if not kind.is_floating_point:
            raise ValueError(
                f"binomial only supports floating-point dtypes for {name}, got: {kind.scalar_name}"
            )
    if kinds[0] is not kinds[1]:
        names = [kind.scalar_name for kind in kinds[::-1]]
        raise RuntimeError(f"Found dtype {names[0]} but expected {names[1]}")
    if kinds[0] is float16:
        raise NotImplementedError("\"binomial_cpu\" not implemented for 'Half'")
    with no_grad():
        numbers, chances = FUNCTIONS["broadcast_tensors"](count, prob)
        both = FUNCTIONS["stack"]([numbers, chances], -1)
    data = drawn_from(both, lambda x: gammas.binomial(stream, x[..., 0], x[..., 1]))
    return record_replacement(drawn_counts, data, NOT_IMPLEMENTED, count, prob)


#: The overload of `multinomial`, a function and a method.
DRAWN_BY_WEIGHT = (
    "multinomial(Tensor self, int num_samples, bool replacement=False, *, Generator? generator=None, Tensor? out=None) -> Tensor",
)


@making(*DRAWN_BY_WEIGHT)
def multinomial(
    input: Any,
    num_samples: int,
    replacement: bool = False,
    *,
    generator: Generator | None = None,
    out: Any = None,
) -> Any:
    """Return indices that are drawn each with a probability in proportion to its weight.

    Parameters
    ----------
    input : Tensor
        The weights: a vector, or a matrix of which each row is drawn from.
    num_samples : int
        How many indices are drawn of each row.
    replacement : bool
        Whether an index may be drawn again.

    Raises
    ------
    RuntimeError
        If `input` has another shape or dtype, a weight is negative or not finite, or there are not
        as many to draw.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 2)
    tensor([2, 1])
    """
    shape, kind = input._aval.shape, input._aval.dtype
    if not 1 <= len(shape) <= 2:
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if not kind.is_floating_point:
        raise RuntimeError(
            f"multinomial only supports floating-point dtypes for input, got: {kind.scalar_name}"
        )
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > shape[-1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )
    if out is not None and out._aval.dtype is not int64:
        raise RuntimeError(
            f"multinomial expects Long tensor out, got: {out._aval.dtype.scalar_name}"
        )
    stream = stream_of(generator)
    data = drawn_from(
        input, lambda weights: counting.multinomial(stream, weights, num_samples, replacement)
    )
    return finish("multinomial", data, out=out)
