"""Window functions: weights that fall off to both ends, by which a part of a signal is multiplied."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad.expr.dtypes import default_dtype, dtype, no_kernel
from symgrad.functions.creation.making import NAME, OPTIONS, finish, making

_Array = np.ndarray[Any, Any]

_PLAIN = f"int window_length, *, {OPTIONS}, {NAME}"
_PERIODIC = f"int window_length, bool periodic, *, {OPTIONS}, {NAME}"


def _finished(
    call: str, length: int, periodic: bool, kind: dtype | None, requires_grad: bool,
    name: str | None, shape: Callable[[_Array], _Array],
) -> Any:  # fmt: skip
    """Return the window whose weights `shape` gives, of places from 0 at its first to 1 at its end."""
    kind = kind or default_dtype()
    if kind.is_complex:
        raise no_kernel("arange_cpu", kind)
    if not kind.is_floating_point:
        raise RuntimeError(f"{call} expects floating point dtypes, got: {kind.scalar_name}")
    if length < 0:
        raise RuntimeError(
            f"{call} requires non-negative window_length, got window_length={length}"
        )
    if length < 2:
        values = np.ones(length)
    else:
        last = length if periodic else length - 1
        values = shape(np.arange(length) / last)
    return finish(call, values.astype(kind.numpy), requires_grad, name)


def _cosines(*weights: float) -> Callable[[_Array], _Array]:
    """Return the sum of cosines of multiples of the angle, with alternating signs."""

    def shape(places: _Array) -> _Array:
        terms = [(-1) ** k * w * np.cos(2 * np.pi * k * places) for k, w in enumerate(weights)]
        return functools.reduce(np.add, reversed(terms))  # which is 0 at the ends

    return shape


@making(
    f"hann_window({_PLAIN}) -> Tensor",
    f"hann_window({_PERIODIC}) -> Tensor",
)
def hann_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: dtype | None = None,
    requires_grad: bool = False,
    name: str | None = None,
) -> Any:
    """Return the Hann window, a full wave of the cosine.

    The weight at place n is `(1 - cos(2 pi n / (N - 1))) / 2`.

    Parameters
    ----------
    window_length : int
        The number N of weights.
    periodic : bool
        Whether the window is to be repeated: then it is that of N + 1 weights, without the last.
    dtype : dtype, optional
        The element type, a floating one.

    Raises
    ------
    RuntimeError
        If the length is negative, or the dtype is no floating one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.hann_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    options = (dtype, requires_grad, name)
    return _finished("hann_window", window_length, periodic, *options, _cosines(0.5, 0.5))


@making(
    f"hamming_window({_PLAIN}) -> Tensor",
    f"hamming_window({_PERIODIC}) -> Tensor",
    f"hamming_window(int window_length, bool periodic, float alpha, *, {OPTIONS}, {NAME}) -> Tensor",
    f"hamming_window(int window_length, bool periodic, float alpha, float beta, *, {OPTIONS}, {NAME}) -> Tensor",
)
def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    *,
    dtype: dtype | None = None,
    requires_grad: bool = False,
    name: str | None = None,
) -> Any:
    """Return the Hamming window, a wave of the cosine above a floor.

    The weight at place n is `alpha - beta cos(2 pi n / (N - 1))`.

    Parameters
    ----------
    window_length : int
        The number N of weights.
    periodic : bool
        Whether the window is to be repeated: then it is that of N + 1 weights, without the last.
    alpha : float
        The mean.
    beta : float
        The height of the wave.
    dtype : dtype, optional
        The element type, a floating one.

    Raises
    ------
    RuntimeError
        If the length is negative, or the dtype is no floating one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.hamming_window(4)
    tensor([0.0800, 0.5400, 1.0000, 0.5400])
    """
    options = (dtype, requires_grad, name)
    shape = _cosines(float(alpha), float(beta))
    return _finished("hamming_window", window_length, periodic, *options, shape)


@making(
    f"bartlett_window({_PLAIN}) -> Tensor",
    f"bartlett_window({_PERIODIC}) -> Tensor",
)
def bartlett_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: dtype | None = None,
    requires_grad: bool = False,
    name: str | None = None,
) -> Any:
    """Return the Bartlett window, a triangle.

    The weight at place n is `1 - abs(2 n / (N - 1) - 1)`.

    Parameters
    ----------
    window_length : int
        The number N of weights.
    periodic : bool
        Whether the window is to be repeated: then it is that of N + 1 weights, without the last.
    dtype : dtype, optional
        The element type, a floating one.

    Raises
    ------
    RuntimeError
        If the length is negative, or the dtype is no floating one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bartlett_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    options = (dtype, requires_grad, name)
    return _finished("bartlett_window", window_length, periodic, *options, _triangle)


def _triangle(places: _Array) -> _Array:
    weights: _Array = 1 - np.abs(2 * places - 1)
    return weights


@making(
    f"blackman_window({_PLAIN}) -> Tensor",
    f"blackman_window({_PERIODIC}) -> Tensor",
)
def blackman_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: dtype | None = None,
    requires_grad: bool = False,
    name: str | None = None,
) -> Any:
    """Return the Blackman window, of two waves of the cosine.

    The weight at place n is `0.42 - 0.5 cos(2 pi n / (N - 1)) + 0.08 cos(4 pi n / (N - 1))`.

    Parameters
    ----------
    window_length : int
        The number N of weights.
    periodic : bool
        Whether the window is to be repeated: then it is that of N + 1 weights, without the last.
    dtype : dtype, optional
        The element type, a floating one.

    Raises
    ------
    RuntimeError
        If the length is negative, or the dtype is no floating one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.blackman_window(4)
    tensor([0.0000, 0.3400, 1.0000, 0.3400])
    """
    options = (dtype, requires_grad, name)
    shape = _cosines(0.42, 0.5, 0.08)
    return _finished("blackman_window", window_length, periodic, *options, shape)


@making(
    f"kaiser_window({_PLAIN}) -> Tensor",
    f"kaiser_window({_PERIODIC}) -> Tensor",
    f"kaiser_window(int window_length, bool periodic, float beta, *, {OPTIONS}, {NAME}) -> Tensor",
)
def kaiser_window(
    window_length: int,
    periodic: bool = True,
    beta: float = 12.0,
    *,
    dtype: dtype | None = None,
    requires_grad: bool = False,
    name: str | None = None,
) -> Any:
    """Return the Kaiser window, a ratio of Bessel functions.

    The weight at place n is `i0(beta sqrt(1 - (2 n / (N - 1) - 1)**2)) / i0(beta)`.

    Parameters
    ----------
    window_length : int
        The number N of weights.
    periodic : bool
        Whether the window is to be repeated: then it is that of N + 1 weights, without the last.
    beta : float
        How steeply it falls off.
    dtype : dtype, optional
        The element type, a floating one.

    Raises
    ------
    RuntimeError
        If the length is negative, or the dtype is no floating one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.kaiser_window(4, periodic=False)
    tensor([5.2773e-05, 5.1884e-01, 5.1884e-01, 5.2773e-05])
    """
    options = (dtype, requires_grad, name)
    steepness = float(beta)

    def shape(places: _Array) -> _Array:
        height = np.sqrt(np.maximum(1 - (2 * places - 1) ** 2, 0))
        weights: _Array = np.i0(steepness * height) / np.i0(steepness)
        return weights

    return _finished("kaiser_window", window_length, periodic, *options, shape)
