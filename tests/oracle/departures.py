"""Cases in which a recording is not, or not to the last digit, what symgrad should do, and why.

The cases themselves come out of loops over operations; what is particular to one stands here.
"""

from __future__ import annotations

from typing import Any

from .table import Differs

inf, nan = float("inf"), float("nan")

UNDERFLOW = "x*x + y*y underflows in PyTorch; the derivative is finite"
OVERFLOW = "PyTorch divides the overflowed product by each factor; the others' product is finite"
ALL_AXES = "dim=() is all axes; PyTorch's gradient counts one element and divides by zero"
NARROW = {"rtol": 1e-6}  # a part of the chain is float32, rounded at other places
MIXED = "PyTorch masks the mixed derivative of x**y at y = 0, where it is 1/x"
_PRODUCTS = Differs(OVERFLOW, first=[[2e200, 2e200, inf]], second=[[1.4375e200] * 2 + [nan], inf])

# In `pow-edges` every base meets ten exponents, of which the fourth and fifth are zeros.
_ZERO_EXPONENTS = tuple(10 * base + k for base in range(10) for k in (3, 4))

CONVERTED = "PyTorch's own backward fails, since it does not take the real part of a gradient"
_CONVERTED = {
    "logaddexp-real-left": "logaddexp-converted",
    **{f"{name}-dtype-real": f"{name}-of-complex" for name in ("sum", "mean", "prod", "cumprod")},
    "dist-mixed": "dist-converted",
    "addr-mixed": "addr-converted",
    "index-fill-tensor-from-real": "index-fill-tensor-converted",
    "diagonal-scatter-from-real": "diagonal-scatter-converted",
}
_SHORTENED = ("div-float32-complex128-0d", "cumprod-dtype", "norm-dtype", "vector-norm-dtype")

DEPARTURES: dict[str, dict[str, Any]] = {
    "elementwise-softplus-large": {
        "differs": Differs(
            "PyTorch's second derivative leaves the threshold out, its first one does not",
            free=(0,),
        )
    },
    "elementwise-softplus-at-threshold": {
        "differs": Differs("as softplus-large", free=(1,)),
    },
    "ties-softplus-kinks": {"differs": Differs("as softplus-large", free=(3,))},
    "ties-softplus-at-kinks": {"differs": Differs("as softplus-large", free=(3,))},
    "arithmetic-atan2-float64-0d": NARROW,
    "arithmetic-atan2-tails": {
        "differs": Differs(
            UNDERFLOW,
            first=[
                [0, 0, 9.375e159, 0, -1.75e-32, 1.1875e-17],
                [0, 0, -9.375e159, 0, 1.75e-16, -1.1875],
            ],
            second=[
                [0, 0, nan, 0, -2.625e-32, -2.30078125],
                [0, 0, nan, 0, 2.296875e-32, 2.078125],
                [0, 0, 1.53125e160, 0, -1.5e-16, 1.9375],
            ],
        )
    },
    "arithmetic-pow-bool-float": {"torch_nan": True},
    "arithmetic-operator-rpow-0": {"torch_nan": True},
    "arithmetic-pow-edges": {"differs": Differs(MIXED, free=_ZERO_EXPONENTS)},
    "reduction-var-dim-empty-tuple": {
        "differs": Differs(ALL_AXES, as_case="reduction-var-full-2x3")
    },
    "reduction-std-dim-empty-tuple": {
        "differs": Differs(ALL_AXES, as_case="reduction-std-full-2x3")
    },
    "promotion-pow-float32-float64-1d0d": NARROW,
    "reduction-prod-dtype-narrow": NARROW,
    "reduction-norm-dtype": NARROW,
    "reduction-norm-2-dtype": NARROW,
    "reduction-prod-overflow": {"differs": _PRODUCTS},
    "reduction-prod-overflow-dim": {"differs": _PRODUCTS},
    "reduction-prod-overflow-dim-keepdim": {
        "differs": Differs(
            OVERFLOW, first=_PRODUCTS.first, second=[[1.4375e200] * 2 + [nan], [inf]]
        )
    },
    "reduction-prod-full-inf": {
        "differs": Differs("products around an infinite element multiply by zero", free=(2,))
    },
    "reduction-prod-dim-edges": {
        "differs": Differs("products around a nan take it up", free=(0,)),
    },
    "complex-acosh-lower-lip": {
        "differs": Differs(
            "PyTorch's derivative is that above the cut, whatever the sign of an imaginary zero",
            first=[[-2j / 3**0.5, -2j / 3**0.5]],
            free=(0, 1, 2, 3),
        )
    },
    "complex-sigmoid-far-left": {
        "differs": Differs("PyTorch divides by an infinite number", values=[[0j]])
    },
    "complex-sinc-tiny": {
        "differs": Differs("PyTorch's derivative cancels near 0", as_case="complex-sinc-series")
    },
    "complex-compose-abs-sgn": {
        "differs": Differs(
            "PyTorch's own backward fails, since it writes into its zeros",
            second=[[0j] * 3, [0.0] * 3],
        )
    },
    **{f"complex-{name}": NARROW for name in _SHORTENED},
    **{
        f"complex-{name}": {"differs": Differs(CONVERTED, as_case=f"complex-{other}")}
        for name, other in _CONVERTED.items()
    },
    "complex-dist-0": {
        "differs": Differs("PyTorch's own backward fails", first=[None, None]),
    },
    "complex-pow-base-0": {"torch_nan": True},
    "complex-pow-base-0-function": {"torch_nan": True},
    "complex-pow-edges": {
        "differs": Differs(
            "0j**0j is 1, as it is for real numbers; as for these, see pow-edges",
            free=(6, 7, 8),
            values=[[1 + 0j, 0j, 0j, 0j, nan, nan, 1, 1, 1]],
        )
    },
    "complex-polar-not-positive": {
        "differs": Differs(
            "PyTorch takes the sign of the result for its direction",
            as_case="complex-polar-by-parts",
        )
    },
    "complex-cumprod-dtype-to-real": {
        "differs": Differs(
            "PyTorch differentiates the product of the complex numbers, which was not computed",
            as_case="complex-cumprod-of-real-part",
        )
    },
    "complex-index-add-alpha": {
        "differs": Differs(
            "PyTorch leaves out the conjugate of the factor",
            as_case="complex-index-add-multiple",
        )
    },
    **{f"write-{name}-float32": NARROW for name in ("pow", "ipow")},
}
