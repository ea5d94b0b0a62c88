"""The Fourier transform of a signal part by part, and the signal from it: `stft` and `istft`.

The windows stand in `symgrad.functions.creation.windows`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import tensor_class
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import canonical_axis
from symgrad.functions.permuting import exchanged_axes
from symgrad.functions.rearranging import pad
from symgrad.functions.reshaping import squeezed
from symgrad.ops.complexes import view_as_real
from symgrad.ops.operand_values import every_value
from symgrad.ops.permuting import permute
from symgrad.ops.primitive import bind
from symgrad.ops.reshaping import reshape
from symgrad.ops.strided import fold_windows, unfold
from symgrad.record.face import Face
from symgrad.schema.public import SPACES, public
from symgrad.support.refusals import warn

_EXCHANGED = Face(name="TransposeBackward1", facts=exchanged_axes)

#: A sum of squared weights below this is taken for zero, as in PyTorch.
_NO_WEIGHT = 1e-11

_NO_WINDOW = (
    "A window was not provided. A rectangular window will be applied.Please provide the same window "
    "used by stft to make the inversion lossless.To suppress this warning and use a rectangular "
    "window, explicitly set `window=torch.ones(n_fft, device=<device>)`."
)


def _shown(call: str, input: Any, **given: Any) -> str:
    """Return a call as PyTorch's messages of it begin."""
    words = []
    for key, value in given.items():
        if isinstance(value, bool):
            value = int(value)
        if hasattr(value, "shape"):
            value = f"{tensor_class(value.dtype)}{{{list(value.shape)}}}"
        words.append(f"{key}={value}")
    return f"{call}({tensor_class(input.dtype)}{list(input.shape)}, {', '.join(words)})"


def _filled_to(n: int, length: int, window: Any, like: Any) -> Any:
    """Return a window with zeros on both sides, or None where it is ones alone."""
    if window is None:
        if length == n:
            return None
        window = like.real.new_ones(length) if like.dtype.is_complex else like.new_ones(length)
    left = (n - length) // 2
    return window if length == n else pad(window, [left, n - length - left])


def _scaling(normalized: bool) -> str | None:
    return "ortho" if normalized else None


@public(
    "stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str pad_mode=reflect, bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor",
    python=True,
    inner="stft(Tensor self, int n_fft, int? hop_length, int? win_length, Tensor? window, bool normalized, bool? onesided, bool? return_complex, *, bool? align_to_window)",
)
def _stft(
    input: Any, n_fft: int, hop_length: int | None = None, win_length: int | None = None,
    window: Any = None, center: bool = True, pad_mode: str = "reflect", normalized: bool = False,
    onesided: bool | None = None, return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Any:  # fmt: skip
    """Return the Fourier transforms of the parts of a signal: of each frequency over time.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        A signal, or a matrix with one in each row.
    n_fft : int
        How many places a part has.
    hop_length : int, optional
        How far a part begins behind the one before, by default a quarter of `n_fft`.
    win_length : int, optional
        How many places the window has, by default `n_fft`; zeros are added on both sides.
    window : Tensor or ArrayExpr, optional
        The weights by which a part is multiplied, by default ones.
    center : bool
        Whether the k-th part has its middle, and not its beginning, at place `k * hop_length`; the
        signal is then continued at both ends.
    pad_mode : str
        How it is continued, as in `nn.functional.pad`.
    normalized : bool
        Whether to divide by the root of `n_fft`.
    onesided : bool, optional
        Whether to return half of the frequencies, from which the others follow; by default if
        signal and window are real.
    return_complex : bool
        Whether the result is complex; otherwise it has one more axis of real and imaginary parts.
        Of real signals it must be given.
    align_to_window : bool, optional
        Whether the first part begins where its window does; without `center` alone.

    Raises
    ------
    RuntimeError
        If shapes, lengths or dtypes do not fit, or `return_complex` is missing.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    >>> torch.stft(x, 4, window=torch.ones(4), hop_length=2, center=False, return_complex=True)
    tensor([[10.+0.j, 18.+0.j],
            [-2.+2.j, -2.+2.j],
            [-2.+0.j, -2.+0.j]])
    """
    if center and align_to_window is not None:
        raise RuntimeError("stft align_to_window should only be set when center = false")
    if center:
        rank, half = len(input.shape), n_fft // 2
        wide = input.reshape((1,) * (3 - rank) + tuple(input.shape))
        wide = pad(wide, [half, half], pad_mode)
        input = wide.reshape(tuple(wide.shape)[-rank:])
    hop = n_fft // 4 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length
    is_complex = input.dtype.is_complex or (window is not None and window.dtype.is_complex)
    if return_complex is None and not is_complex:
        raise RuntimeError(
            "stft requires the return_complex parameter be given for real inputs, and will further "
            "require that return_complex=True in a future PyTorch release."
        )
    call = _shown(
        "stft", input, n_fft=n_fft, hop_length=hop, win_length=length, window=window,
        normalized=normalized, onesided=onesided, return_complex=return_complex,
        align_to_window=align_to_window,
    )  # fmt: skip
    shape = tuple(input.shape)
    if not (input.dtype.is_floating_point or input.dtype.is_complex):
        raise RuntimeError(f"{call} : expected a tensor of floating point or complex values")
    if not 1 <= len(shape) <= 2:
        raise RuntimeError(f"{call} : expected a 1D or 2D tensor")
    if not 0 < n_fft <= shape[-1]:
        raise RuntimeError(f"{call} : expected 0 < n_fft < {shape[-1]}, but got n_fft={n_fft}")
    if hop <= 0:
        raise RuntimeError(f"{call} : expected hop_length > 0, but got hop_length={hop}")
    if not 0 < length <= n_fft:
        raise RuntimeError(
            f"{call} : expected 0 < win_length <= n_fft, but got win_length={length}"
        )
    if window is None:
        warn(_NO_WINDOW)
    elif tuple(window.shape) != (length,):
        raise RuntimeError(
            f"{call} : expected a 1D window tensor of size equal to win_length={length}, but got "
            f"window with size {list(window.shape)}"
        )
    if onesided and is_complex:
        raise RuntimeError("Cannot have onesided output if window or input is complex")
    if align_to_window:
        left = (n_fft - length) // 2
        input = pad(input, [left, n_fft - length - left])
    if len(shape) == 1:
        input = input.unsqueeze(0)
    parts = bind(unfold, (input,), (1, n_fft, hop))
    window = _filled_to(n_fft, length, window, input)
    parts = parts if window is None else parts * window
    half_only = not is_complex if onesided is None else onesided
    transform = SPACES["fft"]["rfft" if half_only else "fft"]
    found = bind(permute, (transform(parts, norm=_scaling(normalized)),), ((0, 2, 1),), _EXCHANGED)
    if len(shape) == 1:
        found = bind(reshape, (found,), (tuple(found.shape)[1:],), squeezed("SqueezeBackward4", 0))
    if return_complex or return_complex is None:
        return found
    warn(
        "stft with return_complex=False is deprecated. In a future pytorch release, stft will "
        "return complex tensors for all inputs, and return_complex=False will raise an error.\n"
        "Note: you can still call torch.view_as_real on the complex output to recover the old "
        "return format."
    )
    return bind(view_as_real, (found,))


@public(
    "istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False) -> Tensor",
)
def _istft(
    input: Any, n_fft: int, hop_length: int | None = None, win_length: int | None = None,
    window: Any = None, center: bool = True, normalized: bool = False,
    onesided: bool | None = None, length: int | None = None, return_complex: bool = False,
) -> Any:  # fmt: skip
    """Return the signal that has given Fourier transforms of its parts, as `stft` returns them.

    Where parts overlap, it is the mean of theirs by the squares of the weights: the signal whose
    transforms come nearest to those given.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        The complex transforms: of each frequency over time, or a stack of such.
    n_fft, hop_length, win_length, window, center, normalized, onesided
        As of `stft`.
    length : int, optional
        How many places of the signal are returned; by default those that parts cover, without what
        `center` added.
    return_complex : bool
        Whether the signal is complex.

    Raises
    ------
    RuntimeError
        If shapes, lengths or dtypes do not fit, or the weights of some place are all zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, window = torch.arange(8.0), torch.hann_window(4)
    >>> parts = torch.stft(x, 4, window=window, return_complex=True)
    >>> torch.istft(parts, 4, window=window).round(decimals=4)
    tensor([0., 1., 2., 3., 4., 5., 6., 7.])
    """
    hop = n_fft // 4 if hop_length is None else hop_length
    reach = n_fft if win_length is None else win_length
    if not input.dtype.is_complex:
        raise RuntimeError(
            "istft requires a complex-valued input tensor matching the output from stft with "
            "return_complex=True."
        )
    call = _shown(
        "istft", input, n_fft=n_fft, hop_length=hop,
        win_length=reach, window=window, center=center, normalized=normalized, onesided=onesided,
        length=length, return_complex=return_complex,
    )  # fmt: skip
    shape = tuple(input.shape)
    if 0 in shape:
        raise RuntimeError(f"{call} : input tensor cannot be empty.")
    canonical_axis(-3, len(shape) + 1)  # as of the real and imaginary parts, which PyTorch counts
    if not 2 <= len(shape) <= 3:
        raise RuntimeError(
            f"{call} : expected a tensor with 3 or 4 dimensions, but got {len(shape) + 1}"
        )
    frequencies, count = shape[-2:]
    half_only = frequencies != n_fft if onesided is None else onesided
    _check_frequencies(call, n_fft, frequencies, half_only)
    if not 0 < hop <= reach:
        raise RuntimeError(f"{call} : expected 0 < hop_length <= win_length")
    if not 0 < reach <= n_fft:
        raise RuntimeError(f"{call} : expected 0 < win_length <= n_fft")
    if window is None:
        warn(_NO_WINDOW)
    elif tuple(window.shape) != (reach,):
        raise RuntimeError(
            f"{call} : Invalid window shape. window has to be 1D and length of `win_length`"
        )
    if return_complex and half_only:
        raise RuntimeError("Cannot have onesided output if window or input is complex")
    if window is not None and window.dtype.is_complex and not return_complex:
        raise RuntimeError("Complex windows are incompatible with return_complex=False")
    if len(shape) == 2:
        input = input.unsqueeze(0)
    weights = _filled_to(n_fft, reach, window, input)
    if weights is None:
        weights = input.real.new_ones(n_fft)
    parts, norm = input.transpose(1, 2), _scaling(normalized)
    if return_complex:
        parts = SPACES["fft"]["ifft"](parts, norm=norm)
    else:
        parts = SPACES["fft"]["irfft"](parts.narrow(-1, 0, n_fft // 2 + 1), n=n_fft, norm=norm)
    whole = n_fft + hop * (count - 1)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else whole - start
    shown = (start, max(min(end, whole) - start, 0))
    signal = bind(fold_windows, (parts * weights,), ((parts.shape[0], whole), 1, hop))
    squares = (weights * weights).expand((1, count, n_fft))
    envelope = bind(fold_windows, (squares,), ((1, whole), 1, hop)).narrow(1, *shown)
    _check_envelope(call, envelope)
    signal = signal.narrow(1, *shown) / envelope
    if len(shape) == 2:
        signal = signal.squeeze(0)
    if end <= whole:
        return signal
    warn(
        "The length of signal is shorter than the length parameter. Result is being padded with "
        "zeros in the tail. Please check your center and hop_length settings."
    )
    return pad(signal, [0, end - whole])


def _check_frequencies(call: str, n_fft: int, given: int, half_only: bool) -> None:
    if given != (n_fft // 2 + 1 if half_only else n_fft):
        wanted = "n_fft / 2 + 1 when onesided=True" if half_only else "n_fft when onesided=False"
        raise RuntimeError(
            f"{call} : expected the frequency dimension (3rd to the last) of the input tensor to "
            f"match {wanted}, but got {given}"
        )


def _check_envelope(call: str, envelope: Any) -> None:
    """Raise where no weight reaches some place; of a formula nothing is known."""
    if not envelope.shape[1]:
        raise RuntimeError(f"{call} expects a signal of some length")
    known = None if isinstance(envelope, ArrayExpr) else every_value(envelope)
    if known is not None and np.abs(known).min(initial=1) < _NO_WEIGHT:
        raise RuntimeError(f"{call} window overlap add min: 1")
