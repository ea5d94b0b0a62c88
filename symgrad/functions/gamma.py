"""What users call of `symgrad.ops.gamma`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.ops.gamma import mvlgamma, polygamma
from symgrad.ops.primitive import bind
from symgrad.record.face import Face, renamed, shows
from symgrad.schema.public import in_place, public

shows(polygamma, saved=("n", "self"))
shows(mvlgamma, facts=renamed(p="p"))


@public(
    "polygamma(int n, Tensor self, *, Tensor? out=None) -> Tensor",
    aliases=("special.polygamma",),
    method=False,
)
def polygamma_function(n: int, input: Any) -> Any:
    """Return the derivative of order `n` of `digamma` at each element of `input`.

    Parameters
    ----------
    n : int
        The order; 0 is `digamma` itself.

    Raises
    ------
    RuntimeError
        For a negative order.

    Notes
    -----
    Values of orders above 20 have up to 24 ulps. Left of 0 values have up to 12 ulps, and those of the
    order 0 SciPy's digits, none within 1e-15 of a pole, where `digamma` has all.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 0.5])
    >>> torch.polygamma(1, x)
    tensor([1.6449, 4.9348])
    >>> torch.polygamma(2, x)
    tensor([ -2.4041, -16.8288])
    """
    return _polygamma(n, input)


_IN_PLACE = Face(name="PolygammaBackward1", saved=("n", "self"))


def _polygamma(n: int, x: Any, face: Face | None = None) -> Any:
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    return bind(polygamma, (n, x), face=face)


@public(
    "polygamma(int n, Tensor self, *, Tensor? out=None) -> Tensor",
    function=False,
    in_place="method",
)
def _polygamma_method(self: Any, n: int) -> Any:
    """Return the derivative of order `n` of `digamma` at each element.

    Parameters
    ----------
    n : int
        The order; 0 is `digamma` itself.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1.0, 0.5]).polygamma(1)
    tensor([1.6449, 4.9348])
    """
    return _polygamma(n, self)


@in_place("polygamma")
def _polygamma_in_place(self: Any, n: int) -> Any:
    return _polygamma(n, self, _IN_PLACE)


@public(
    "mvlgamma(Tensor self, int p, *, Tensor? out=None) -> Tensor",
    aliases=("special.multigammaln",),
    in_place="method",
)
def _mvlgamma(input: Any, p: int) -> Any:
    """Return the logarithm of the multivariate gamma function of dimension `p`.

    Parameters
    ----------
    p : int
        The dimension: the result is the sum of `lgamma(input - j/2)` for j from 0 to `p - 1`, and
        of `p*(p - 1)/4*log(pi)`.

    Raises
    ------
    RuntimeError
        If `p` is less than 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.mvlgamma(torch.tensor([3.0, 4.5]), 2)
    tensor([1.5502, 4.8179])
    """
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    return bind(mvlgamma, (input,), (p,))


@in_place("mvlgamma")
def _mvlgamma_in_place(self: Any, p: int) -> Any:
    result = _mvlgamma(self, p)
    if self.dtype is not result.dtype:
        raise RuntimeError(
            f"mvlgamma: result type {self.dtype.scalar_name} can't be cast to the desired output "
            f"type {result.dtype.scalar_name}"
        )
    return result
