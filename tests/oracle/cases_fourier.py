"""Fourier transforms: of one axis and of several, cut and filled up, with each norm.

Where no element is transformed PyTorch gives errors of the library that it calls, and how results
lie in memory is up to that library; neither is compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .table import Table, c, f, f32, i, table

case: Table = table("fourier")


def transform(name: str, *args: Any, **kwargs: Any) -> Callable[..., Any]:
    return lambda t, x: getattr(t.fft, name)(x, *args, **kwargs)


for base in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    real = base in ("rfft", "ihfft")
    given = f if real else c
    fn = transform(base)
    case(f"{base}", fn, given(2, 5))
    case(f"{base}-even", fn, given(4))
    case(f"{base}-one", transform(base, 1), given(3))
    case(f"{base}-axis", transform(base, dim=0), given(4, 3))
    case(f"{base}-cut", transform(base, 3), given(2, 5))
    case(f"{base}-filled", transform(base, 12, -2), given(5, 2))
    for norm in ("ortho", "forward"):
        case(f"{base}-{norm}", transform(base, 6, norm=norm), given(5))
    case(f"{base}-real", fn, f32(5))
    case(f"{base}-integers", fn, i(4))
    case(f"{base}-number", fn, f())
    case(f"{base}-nothing", transform(base, 0), given(3))
    case(f"{base}-norms", transform(base, norm="both"), given(3))
    case(f"{base}-twice", lambda t, x, fn=fn: fn(t, x).abs() ** 2, given(5))
    if real:
        case(f"{base}-complex", fn, c(3))
    for many in ("2", "n"):
        fn = transform(base + many)
        case(f"{base}{many}", fn, given(3, 4))
        case(f"{base}{many}-sizes", transform(base + many, (2, 5), norm="ortho"), given(2, 3, 4))
        case(f"{base}{many}-axes", transform(base + many, dim=(1, 0), norm="forward"), given(3, 4))
        case(f"{base}{many}-same", transform(base + many, dim=(0, 0)), given(3, 4))
        case(f"{base}{many}-no-axes", transform(base + many, dim=(0, 1)), given())
        case(f"{base}{many}-too-many", transform(base + many, (2, 2), (0,)), given(3, 4))

for name in ("fftshift", "ifftshift"):
    case(f"{name}", transform(name), f(3, 4))
    case(f"{name}-axis", transform(name, 1), c(2, 5))
    case(f"{name}-no-axes", transform(name, 0), f())
for name in ("fftfreq", "rfftfreq"):
    case(f"{name}", lambda t, name=name: getattr(t.fft, name)(5, 0.3))
    case(f"{name}-float64", lambda t, name=name: getattr(t.fft, name)(4, dtype=t.float64))
    case(f"{name}-integers", lambda t, name=name: getattr(t.fft, name)(4, dtype=t.int64))

CASES = case.cases
