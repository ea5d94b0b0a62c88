"""Sine, cosine and hypotenuse of long arrays, each by several of NumPy's functions.

NumPy computes the tangent of float64 with wide registers where a processor has them, at 1.4 ns an
element, and sine and cosine one by one, at 9 to 17 ns. With t = tan(x/2)

    sin x = 2*t / (1 + t**2),    cos x = sign(t * tan x) / sqrt(1 + tan(x)**2),

which are right to 3 units in the last place at every x, the zeros included: near these the tangents
are 0 or have poles, where NumPy's are accurate. The hypotenuse, one by one at 18 ns, is the root of
a sum of squares, right to 1.22 units where that sum neither overflows nor loses digits.

As source text these kernels are one function of NumPy's, which may round the last digits otherwise.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .kernel import Kernel, local

__all__ = [
    "COSINE",
    "COSINE_OF_MANY",
    "FEWEST",
    "HYPOTENUSE",
    "HYPOTENUSE_OF_MANY",
    "SINE",
    "SINE_OF_MANY",
    "tangent_is_quick",
]

#: The fewest elements for which calls of several functions are faster than one.
FEWEST = 4096
#: How many elements are computed at a time: what lies between stays in the cache.
_PIECE = 16384
#: Between these a sum of squares has all its digits.
_LEAST, _MOST = 1e-280, 1e300


def _sine_of_piece(t: Any, out: Any, x: Any) -> None:
    np.multiply(x, 0.5, out=t)
    np.tan(t, out=t)
    np.multiply(t, t, out=out)
    np.add(out, 1.0, out=out)
    np.add(t, t, out=t)
    np.divide(t, out, out=out)


def _cosine_of_piece(t: Any, out: Any, x: Any) -> None:
    # A tangent that is written among the elements that NumPy reads, or in the opposite direction,
    # differs in the last digit. So each is written over what it is of.
    np.multiply(x, 0.5, out=t)
    np.add(t, t, out=out)
    np.tan(t, out=t)
    np.tan(out, out=out)
    np.multiply(t, out, out=t)
    np.multiply(out, out, out=out)
    np.add(out, 1.0, out=out)
    np.sqrt(out, out=out)
    np.copysign(out, t, out=out)
    np.divide(1.0, out, out=out)


def _hypotenuse_of_piece(t: Any, out: Any, x: Any, y: Any) -> None:
    np.multiply(x, x, out=t)
    t += y * y
    others = None
    if not (t.min() >= _LEAST and t.max() <= _MOST):
        (at,) = np.nonzero(~((t >= _LEAST) & (t <= _MOST)))
        others = np.hypot(x[at], y[at])
    np.sqrt(t, out=out)
    if others is not None:
        out[at] = others


def _in_pieces(compute: Callable[..., None], operands: tuple[Any, ...], out: Any) -> Any:
    """Compute a function piece by piece; the result may be written over an operand."""
    scratch = np.empty(_PIECE)
    count, elementwise = len(operands), "overlap_assume_elementwise"
    use: Any = [["writeonly", "allocate", elementwise], *[["readonly", elementwise]] * count]
    pieces = np.nditer(
        [out, *operands],
        ["external_loop", "buffered", "zerosize_ok", "copy_if_overlap"],
        use,
        [np.float64] * (1 + count),
        buffersize=_PIECE,
    )
    with pieces:
        for made, *some in pieces:
            compute(scratch[: made.size], made, *some)
        made = pieces.operands[0]
    return made if out is None else out


def _sine(x: Any, out: Any = None) -> Any:
    return _in_pieces(_sine_of_piece, (x,), out)


def _cosine(x: Any, out: Any = None) -> Any:
    return _in_pieces(_cosine_of_piece, (x,), out)


def _hypotenuse(x: Any, y: Any, out: Any = None) -> Any:
    return _in_pieces(_hypotenuse_of_piece, (x, y), out)


@functools.lru_cache(maxsize=1)
def tangent_is_quick() -> bool:
    """Return whether NumPy computes tangents of float64 with the widest registers here.

    Examples
    --------
    >>> tangent_is_quick() in (True, False)
    True
    """
    found = np.lib.introspect.opt_func_info(func_name="^tan$", signature="float64")
    return any(
        str(way.get("current")).startswith(("AVX512", "X86_V4"))
        for by_types in found.values()
        for way in by_types.values()
    )


def _of_many(usual: Kernel, call: Callable[..., Any]) -> Kernel:
    return Kernel(usual.name, call, usual.source, out=True, rows=local)


SINE, COSINE, HYPOTENUSE = map(Kernel.from_ufunc, (np.sin, np.cos, np.hypot))
#: The first two are quicker than those above where `tangent_is_quick`.
SINE_OF_MANY = _of_many(SINE, _sine)
COSINE_OF_MANY = _of_many(COSINE, _cosine)
HYPOTENUSE_OF_MANY = _of_many(HYPOTENUSE, _hypotenuse)
