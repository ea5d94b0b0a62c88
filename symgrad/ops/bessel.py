"""Modified Bessel functions of integer order, computed by SciPy.

`symgrad.elementwise` makes operations of the other orders and kinds, as of any SymPy function.
"""

from __future__ import annotations

import sympy

from symgrad.ops.special import Special


class i0(Special, scipy="i0"):
    """Return the modified Bessel function of order 0 of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.i0(torch.tensor([0.0, 1.0, -2.0]))
    tensor([1.0000, 1.2661, 2.2796])
    """

    aliases = (
        "special.i0",
        "special.modified_bessel_i0",
    )
    ulps = 8
    kernel_name = "i0_vml_cpu"
    scalar = lambda x: sympy.besseli(0, x)  # noqa: E731


class i1(Special, scipy="i1"):
    """The modified Bessel function of order 1, the derivative of `i0`."""

    ulps = 8
    internal = True
    kernel_name = "i1_cpu"
    scalar = lambda x: sympy.besseli(1, x)  # noqa: E731
