"""The Fourier transform of a signal part by part, the signal from it, and windows."""

from __future__ import annotations

from typing import Any

from .table import Table, c, f, i, table

case: Table = table("signals")

_COMPLEX = {"return_complex": True}


def _transformed(n: int, **options: Any) -> Any:
    return lambda t, x, *w: t.stft(x, n, window=w[0] if w else None, **_COMPLEX, **options)


def _signal(n: int, **options: Any) -> Any:
    return lambda t, x, w: t.istft(x, n, window=w, **options)


_WINDOW = f(4, lo=0.5, hi=1.5)
_SHORT = f(3, lo=0.5, hi=1.5)

case("stft", _transformed(4), f(9), _WINDOW)
case("stft-rows", _transformed(4), f(2, 7), _WINDOW)
case("stft-hop", _transformed(4, hop_length=3), f(10), _WINDOW)
case("stft-ends", _transformed(4, center=False), f(9), _WINDOW)
for mode in ("constant", "replicate", "circular"):
    case(f"stft-{mode}", _transformed(4, pad_mode=mode), f(2, 7), _WINDOW)
case("stft-normalized", _transformed(4, normalized=True), f(9), _WINDOW)
case("stft-both-sides", _transformed(4, onesided=False), f(9), _WINDOW)
case("stft-short", _transformed(4, win_length=3), f(9), _SHORT)
case("stft-odd", _transformed(5, win_length=3, hop_length=2), f(9), _SHORT)
case(
    "stft-aligned", _transformed(6, win_length=4, center=False, align_to_window=True), f(9), _WINDOW
)
case("stft-complex", _transformed(4), c(9), _WINDOW)
case("stft-complex-window", _transformed(4), f(9), c(4))
case(
    "stft-parts",
    lambda t, x, w: t.stft(x, 4, window=w, center=False, return_complex=False),
    f(9), _WINDOW,
)  # fmt: skip
case("stft-method", lambda t, x, w: x.stft(4, 2, window=w, **_COMPLEX), f(9), _WINDOW)
case("stft-missing", lambda t, x, w: t.stft(x, 4, window=w), f(9), _WINDOW)
case("stft-too-aligned", _transformed(4, align_to_window=True), f(9), _WINDOW)
case("stft-one-side-of-complex", _transformed(4, onesided=True), c(9), _WINDOW)
case("stft-stack", _transformed(4, center=False), f(2, 2, 9), _WINDOW)
case("stft-integers", _transformed(4, center=False), i(9), _WINDOW)
case("stft-long", _transformed(12, center=False), f(9), f(12))
case("stft-no-places", _transformed(0, center=False), f(9), _WINDOW)
case("stft-no-hop", _transformed(4, hop_length=0), f(9), _WINDOW)
case("stft-wide", _transformed(4, win_length=5), f(9), f(5))
case("stft-other-window", _transformed(4), f(9), f(3))

case("istft", _signal(4), c(3, 6), _WINDOW)
case("istft-rows", _signal(4, hop_length=2), c(2, 3, 6), _WINDOW)
case("istft-ends", _signal(4, center=False), c(3, 5), _WINDOW)
case("istft-normalized", _signal(4, normalized=True), c(3, 5), _WINDOW)
case("istft-both-sides", _signal(4, onesided=False), c(4, 5), _WINDOW)
case("istft-short", _signal(5, win_length=3, hop_length=1), c(3, 6), _SHORT)
case("istft-cut", _signal(4, length=3), c(3, 5), _WINDOW)
case("istft-longer", _signal(4, length=9), c(3, 5), _WINDOW)
case("istft-complex", _signal(4, return_complex=True), c(4, 5), _WINDOW)
case("istft-complex-window", _signal(4, return_complex=True), c(4, 5), c(4))
case("istft-method", lambda t, x, w: x.istft(4, window=w), c(3, 5), _WINDOW)
case("istft-gaps", lambda t, x: t.istft(x, 4, 4, window=t.hann_window(4, dtype=t.float64)), c(3, 5))
case("istft-real", _signal(4), f(3, 5), _WINDOW)
case("istft-vector", _signal(4), c(5), _WINDOW)
case("istft-stack", _signal(4), c(1, 1, 3, 5), _WINDOW)
case("istft-nothing", _signal(4), c(3, 0), _WINDOW)
case("istft-frequencies", _signal(8), c(3, 5), f(8))
case("istft-frequencies-of-both-sides", _signal(4, onesided=False), c(3, 5), _WINDOW)
case("istft-far", _signal(4, hop_length=5), c(3, 5), _WINDOW)
case("istft-wide", _signal(4, win_length=5), c(3, 5), f(5))
case("istft-other-window", _signal(4), c(3, 5), f(3))
case("istft-one-side-of-complex", _signal(4, onesided=True, return_complex=True), c(3, 5), _WINDOW)
case("istft-real-of-complex", _signal(4), c(3, 5), c(4))

for name in ("hann", "hamming", "bartlett", "blackman", "kaiser"):
    case(
        f"{name}-window-lengths",
        lambda t, n=f"{name}_window": [getattr(t, n)(k, dtype=t.float64) for k in range(6)],
        slack=1,
    )
    case(
        f"{name}-window-ends",
        lambda t, n=f"{name}_window": getattr(t, n)(7, periodic=False, dtype=t.float64),
        slack=1,
    )
    case(f"{name}-window-negative", lambda t, n=f"{name}_window": getattr(t, n)(-1))
    case(
        f"{name}-window-integers",
        lambda t, n=f"{name}_window": getattr(t, n)(3, dtype=t.int64),
        same_words=False,
    )
case("hamming-window-numbers", lambda t: t.hamming_window(5, True, 0.5, 0.25))
case("kaiser-window-number", lambda t: t.kaiser_window(5, False, 3.5, dtype=t.float64))

CASES = case.cases
