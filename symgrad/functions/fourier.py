"""What users call of `symgrad.ops.fourier` (`symgrad.fft`), and what PyTorch's graph shows of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category, default_dtype, dtype, to_complex
from symgrad.expr.shapes import canonical_axis
from symgrad.functions.casting import convert
from symgrad.functions.creation.making import OPTIONS, finish, making
from symgrad.functions.rearranging import pad
from symgrad.ops.complex_parts import conj
from symgrad.ops.fourier import TURNED, Transform, fourier, irfourier, rfourier
from symgrad.ops.primitive import bind
from symgrad.record.face import Face, shows
from symgrad.schema.public import public
from symgrad.support.quiet import quietly

_NORMS = {"backward": 0, "ortho": 1, "forward": 2}


def _facts(node: Any) -> dict[str, Any]:
    return {"dim": node.axis, "normalization": _NORMS[node.scaling]}


shows(fourier, name="FftC2C", facts=_facts)
shows(rfourier, name="FftR2C", facts=_facts, frees=True)
shows(irfourier, name="FftC2R", facts=_facts)
# Of real numbers along one axis, PyTorch computes half of the spectrum, and the other half from it.
_OF_REAL = Face(name="FftR2C", facts=_facts, frees=True)
_INVERSE_OF_REAL = Face(name="Conj", facts=_facts, frees=True)
# Of several axes it transforms the others behind the conjugate.
_OVER_MANY = Face(name="FftC2C")


def _transformed(
    call: str,
    cls: type[Any],
    inverse: bool,
    input: Any,
    axes: Sequence[int],
    sizes: Sequence[int],
    norm: str | None,
) -> Any:
    """Return a transform over axes, of `sizes` places, of which -1 stands for those that there are."""
    norm = "backward" if norm is None else norm
    if norm not in TURNED:
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    if cls is rfourier:
        rfourier.check(call, input.dtype)
    if not axes:
        if cls is not fourier:
            raise RuntimeError(f"{call} must transform at least one axis")
        return convert(input, to_complex(Transform.kind_of(input)))
    if cls is irfourier:
        last = sizes[-1] if sizes[-1] != -1 else 2 * (input.shape[axes[-1]] - 1)
        _check_points(last)
        sizes = (*sizes[:-1], last // 2 + 1)
    input = _resized(input, axes, sizes)
    over = tuple(axes)
    if cls is fourier:
        face = None
        if len(axes) == 1 and not input.dtype.is_complex:
            face = _INVERSE_OF_REAL if inverse else _OF_REAL
        return bind(cls, (input,), (over, inverse, norm), face)
    # In the other direction, the transform is the conjugate of that of the conjugate.
    turned = cls.is_inverse is not inverse
    norm = TURNED[norm] if turned else norm
    if cls is rfourier:
        made = bind(cls, (input,), (over, norm))
        return bind(conj, (made,), (), None if len(axes) == 1 else _OVER_MANY) if turned else made
    return bind(cls, (input.conj() if turned else input,), (over, last, norm))


def _axes_of(dim: Sequence[int], rank: int) -> list[int]:
    if dim and not rank:
        raise IndexError(f"Dimension specified as {dim[0]} but tensor has no dimensions")
    return [canonical_axis(a, rank) for a in dim]


def _check_points(count: int) -> None:
    if count < 1:
        raise RuntimeError(f"Invalid number of data points ({count}) specified")


def _resized(input: Any, axes: Sequence[int], sizes: Sequence[int]) -> Any:
    """Return an array that is cut, or filled with zeros, to a number of places along each axis."""
    behind = [0] * len(input.shape)
    for a, wanted in zip(axes, sizes, strict=True):
        size = input.shape[a]
        count = size if wanted == -1 else wanted
        _check_points(count)
        if count < size:
            input = input.narrow(a, 0, count)
        behind[a] = max(count - size, 0)
    if not any(behind):
        return input
    return pad(input, [n for count in reversed(behind) for n in (0, count)])


def _over_one(call: str, cls: type[Any], inverse: bool) -> Callable[..., Any]:
    def f(input: Any, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
        axes = _axes_of((dim,), len(input.shape))
        if n is not None:
            _check_points(n)
        return _transformed(call, cls, inverse, input, axes, (-1 if n is None else n,), norm)

    return f


def _over_many(
    call: str, cls: type[Any], inverse: bool, usual: Sequence[int] | None
) -> Callable[..., Any]:
    def f(
        input: Any,
        s: Sequence[int] | None = None,
        dim: Sequence[int] | None = usual,
        norm: str | None = None,
    ) -> Any:
        rank = len(input.shape)
        if dim is None:
            if s is not None and len(s) > rank:
                raise RuntimeError(
                    f"Got shape with {len(s)} values but input tensor only has {rank} dimensions."
                )
            axes = list(range(rank - (rank if s is None else len(s)), rank))
        else:
            axes = _axes_of(dim, rank)
            if len(set(axes)) < len(axes):
                raise RuntimeError("FFT dims must be unique")
            if s is not None and len(s) != len(axes):
                raise RuntimeError("When given, dim and shape arguments must have the same length")
        return _transformed(
            call, cls, inverse, input, axes, [-1] * len(axes) if s is None else s, norm
        )

    return f


_ONE = """n : int, optional
        The number of places that are transformed: more places are cut off, fewer filled with zeros.
        Of a transform to real numbers it is the number of results, by default an even one.
    dim : int
        The axis."""
_MANY = """s : sequence of int, optional
        The numbers of places that are transformed, as `n` of the transform of one axis; -1 leaves
        an axis as it is. Without `dim` they belong to the last axes.
    dim : sequence of int, optional
        The axes; of a transform of real numbers, or to such, the last one is halved."""


def _enter(name: str, cls: type[Any], inverse: bool, summary: str, example: str) -> None:
    base = name.rstrip("2n")
    if name == base:
        f, parameters = _over_one(name, cls, inverse), "int? n=None, int dim=-1"
    else:
        f = _over_many(name, cls, inverse, (-2, -1) if name == f"{base}2" else None)
        dim = "int[1] dim=[-2, -1]" if name == f"{base}2" else "int[1]? dim=None"
        parameters = f"int[1]? s=None, {dim}"
    shown = "\n    ".join(example.strip().splitlines())
    f.__doc__ = f"""{summary}

    Parameters
    ----------
    {_ONE if name == base else _MANY}
    norm : str, optional
        What the sums are divided by, if their number is N: "backward", the default, divides the
        inverse transform by N, "forward" the other one, and "ortho" both by the root of N.

    Raises
    ------
    IndexError
        If an axis is out of range.
    RuntimeError
        If there is nothing to transform, the dtype is not supported, or `norm` is none of these.

    Examples
    --------
    >>> import symgrad as torch
    {shown}
    """
    f.__module__ = __name__
    of_numpy = f"fft.{name}(a, {'n, axis' if name == base else 's, axes'}, norm)"
    public(
        f"fft.{name}(Tensor self, {parameters}, str? norm=None, *, Tensor? out=None) -> Tensor",
        numpy=of_numpy if hasattr(np.fft, name) else None,
    )(f)


_enter(
    "fft",
    fourier,
    False,
    "Return the discrete Fourier transform along an axis: `sum_k x[k] exp(-2 pi i j k / n)`.",
    """
>>> x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True, name="x")
>>> torch.fft.fft(x)
tensor([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], grad_fn=<FftR2CBackward0>)
""",
)
_enter(
    "ifft",
    fourier,
    True,
    "Return the inverse discrete Fourier transform along an axis.",
    """
>>> torch.fft.ifft(torch.fft.fft(torch.tensor([1.0, 2.0, 4.0, 1.0])))
tensor([1.+0.j, 2.+0.j, 4.+0.j, 1.+0.j])
""",
)
_enter(
    "fft2",
    fourier,
    False,
    "Return the discrete Fourier transform over two axes, by default the last two.",
    """
>>> torch.fft.fft2(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
tensor([[10.+0.j, -2.+0.j],
        [-4.+0.j,  0.+0.j]])
""",
)
_enter(
    "ifft2",
    fourier,
    True,
    "Return the inverse discrete Fourier transform over two axes, by default the last two.",
    """
>>> torch.fft.ifft2(torch.tensor([[10.0, -2.0], [-4.0, 0.0]]))
tensor([[1.+0.j, 2.+0.j],
        [3.+0.j, 4.+0.j]])
""",
)
_enter(
    "fftn",
    fourier,
    False,
    "Return the discrete Fourier transform over several axes, by default all.",
    """
>>> torch.fft.fftn(torch.ones(2, 2, 2)).abs().sum()
tensor(8.)
""",
)
_enter(
    "ifftn",
    fourier,
    True,
    "Return the inverse discrete Fourier transform over several axes, by default all.",
    """
>>> torch.fft.ifftn(torch.ones(2, 2, 2)).abs().sum()
tensor(1.)
""",
)
_enter(
    "rfft",
    rfourier,
    False,
    "Return the half of the spectrum of real numbers that says the whole: `n // 2 + 1` entries.",
    """
>>> torch.fft.rfft(torch.tensor([1.0, 2.0, 3.0, 4.0]))
tensor([10.+0.j, -2.+2.j, -2.+0.j])
>>> torch.fft.rfft(torch.leaf("x", (4, 2)), dim=0, norm="ortho")
fft.rfft(x, dim=0, norm='ortho')
""",
)
_enter(
    "irfft",
    irfourier,
    True,
    "Return the real numbers whose half of a spectrum, as `rfft` gives it, is `input`.",
    """
>>> y = torch.tensor([1.0, 2.0, 3.0, 6.0], requires_grad=True, name="y")
>>> h = torch.tensor([1.0, 0.5, 0.0], name="h")
>>> smooth = torch.fft.irfft(h * torch.fft.rfft(y))
>>> smooth
tensor([2.5000, 2.0000, 3.5000, 4.0000], grad_fn=<FftC2RBackward0>)
>>> torch.explain((smooth**2).sum()).gradients[y]
fft.irfft(h * fft.rfft(2 * fft.irfft(fft.rfft(y) * h), norm='forward'), norm='forward')
""",
)
_enter(
    "rfft2",
    rfourier,
    False,
    "Return half of the spectrum of real numbers over two axes, by default the last two.",
    """
>>> torch.fft.rfft2(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
tensor([[10.+0.j, -2.+0.j],
        [-4.+0.j,  0.+0.j]])
""",
)
_enter(
    "irfft2",
    irfourier,
    True,
    "Return the real numbers whose half of a spectrum over two axes is `input`.",
    """
>>> torch.fft.irfft2(torch.tensor([[10.0, -2.0], [-4.0, 0.0]]))
tensor([[1., 2.],
        [3., 4.]])
""",
)
_enter(
    "rfftn",
    rfourier,
    False,
    "Return half of the spectrum of real numbers over several axes, by default all.",
    """
>>> torch.fft.rfftn(torch.ones(2, 3, 4)).shape
torch.Size([2, 3, 3])
""",
)
_enter(
    "irfftn",
    irfourier,
    True,
    "Return the real numbers whose half of a spectrum over several axes is `input`.",
    """
>>> torch.fft.irfftn(torch.fft.rfftn(torch.ones(2, 3, 4))).sum()
tensor(24.)
""",
)
_enter(
    "hfft",
    irfourier,
    False,
    "Return the real transform of numbers of which the other half is conjugate.",
    """
>>> torch.fft.hfft(torch.tensor([1.0, 2.0, 3.0]))
tensor([ 8., -2.,  0., -2.])
""",
)
_enter(
    "ihfft",
    rfourier,
    True,
    "Return half of the inverse transform of real numbers, of which `hfft` gives them back.",
    """
>>> torch.fft.ihfft(torch.tensor([8.0, -2.0, 0.0, -2.0]))
tensor([1.-0.j, 2.-0.j, 3.-0.j])
""",
)
_enter(
    "hfft2",
    irfourier,
    False,
    "Return the real transform over two axes of numbers of which the other half is conjugate.",
    """
>>> torch.fft.hfft2(torch.tensor([[1.0, 0.5], [0.0, 0.5]]))
tensor([[2., 0.],
        [1., 1.]])
""",
)
_enter(
    "ihfft2",
    rfourier,
    True,
    "Return half of the inverse transform of real numbers over two axes.",
    """
>>> torch.fft.ihfft2(torch.ones(2, 2)).real
tensor([[1., 0.],
        [0., 0.]])
""",
)
_enter(
    "hfftn",
    irfourier,
    False,
    "Return the real transform of numbers of which the other half is conjugate, over all axes.",
    """
>>> torch.fft.hfftn(torch.ones(2, 3)).shape
torch.Size([2, 4])
""",
)
_enter(
    "ihfftn",
    rfourier,
    True,
    "Return half of the inverse transform of real numbers over several axes, by default all.",
    """
>>> torch.fft.ihfftn(torch.ones(2, 4)).shape
torch.Size([2, 3])
""",
)


@public("fft.fftshift(Tensor self, int[1]? dim=None) -> Tensor", numpy="fft.fftshift(x, axes)")
def _fftshift(input: Any, dim: Sequence[int] | None = None) -> Any:
    """Move the entry of frequency 0 from the start into the middle of each axis.

    Parameters
    ----------
    dim : int or sequence of int, optional
        The axes; all of them where not given.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.fft.fftshift(torch.fft.fftfreq(5, 0.2))
    tensor([-2., -1.,  0.,  1.,  2.])
    """
    return _shifted(input, dim, 0)


@public("fft.ifftshift(Tensor self, int[1]? dim=None) -> Tensor", numpy="fft.ifftshift(x, axes)")
def _ifftshift(input: Any, dim: Sequence[int] | None = None) -> Any:
    """Move the entry in the middle of each axis to the start, as `fftshift` had it before.

    Parameters
    ----------
    dim : int or sequence of int, optional
        The axes; all of them where not given.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.fft.ifftshift(torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0]))
    tensor([ 0.,  1.,  2., -2., -1.])
    """
    return _shifted(input, dim, 1)


def _shifted(input: Any, dim: Sequence[int] | None, more: int) -> Any:
    rank = len(input.shape)
    axes = list(range(rank)) if dim is None else _axes_of(dim, rank)
    return input.roll([(input.shape[a] + more) // 2 for a in axes], axes)


def _frequencies(
    call: str, count: int, places: Any, d: float, kind: dtype | None, requires_grad: Any, out: Any
) -> Any:
    """Return places in a spectrum of `count` as frequencies."""
    kind = kind or default_dtype()
    if kind.category < Category.FLOAT:
        raise RuntimeError(f"{call} requires a floating point or complex dtype")
    if count < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {count}: [{count}]")
    step = quietly(np.divide, 1.0, count * d)
    data = quietly(np.multiply, places.astype(kind.numpy), step.astype(kind.numpy))
    return finish(call, data, requires_grad, out=out)


@making(f"fft.fftfreq(int n, float d=1.0, *, Tensor? out=None, {OPTIONS}) -> Tensor")
def _fftfreq(
    n: int,
    d: float = 1.0,
    *,
    out: Any = None,
    dtype: dtype | None = None,
    requires_grad: Any = False,
) -> Any:
    """Return the frequency of each entry of a spectrum: first 0 and those above, then those below.

    Parameters
    ----------
    n : int
        The number of entries.
    d : float
        The distance of the samples of which it is the spectrum.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.fft.fftfreq(5, d=0.5)
    tensor([ 0.0000,  0.4000,  0.8000, -0.8000, -0.4000])
    """
    half = (n + 1) // 2
    places = np.concatenate([np.arange(half), np.arange(half - n, 0)])
    return _frequencies("fftfreq", n, places, d, dtype, requires_grad, out)


@making(f"fft.rfftfreq(int n, float d=1.0, *, Tensor? out=None, {OPTIONS}) -> Tensor")
def _rfftfreq(
    n: int,
    d: float = 1.0,
    *,
    out: Any = None,
    dtype: dtype | None = None,
    requires_grad: Any = False,
) -> Any:
    """Return the frequency of each entry of half a spectrum, as `rfft` gives it.

    Parameters
    ----------
    n : int
        The number of entries of the whole spectrum.
    d : float
        The distance of the samples of which it is the spectrum.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.fft.rfftfreq(5, d=0.5)
    tensor([0.0000, 0.4000, 0.8000])
    """
    return _frequencies("rfftfreq", n, np.arange(n // 2 + 1), d, dtype, requires_grad, out)
