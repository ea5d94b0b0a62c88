"""Functions of PyTorch's module that change their first argument: `sin_(x)` is `x.sin_()`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from symgrad.arguments import tensor_argument
from symgrad.functions.binding import bound
from symgrad.public import SCHEMAS

__all__ = ["NAMES", "in_place_functions"]

#: The methods in place that PyTorch has as functions, too.
NAMES: tuple[str, ...] = (
    "abs_", "acos_", "acosh_", "addmv_", "arccos_", "arccosh_", "arcsin_", "arcsinh_", "arctan_",
    "arctanh_", "as_strided_", "asin_", "asinh_", "atan_", "atanh_", "ceil_", "clamp_",
    "clamp_max_", "clamp_min_", "clip_", "conj_physical_", "cos_", "cosh_", "deg2rad_", "detach_",
    "erf_", "erfc_", "exp2_", "exp_", "expm1_", "fill_", "fix_", "floor_", "frac_", "gcd_", "i0_",
    "index_put_", "lcm_", "ldexp_", "log10_", "log1p_", "log2_", "log_", "logit_", "nan_to_num_",
    "neg_", "negative_", "rad2deg_", "reciprocal_", "relu_", "resize_as_", "round_", "rsqrt_",
    "sigmoid_", "sin_", "sinc_", "sinh_", "sqrt_", "square_", "tan_", "tanh_", "trunc_", "xlogy_",
    "zero_",
)  # fmt: skip


def in_place_functions(cls: type[Any]) -> dict[str, Callable[..., Any]]:
    """Return the functions, made of the methods of the class of tensors."""
    return {name: _function(name, getattr(cls, name)) for name in NAMES}


def _function(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method in place as a function, whose schema is that of the form out of place."""
    schema = SCHEMAS.get((name.removesuffix("_"), False)) or SCHEMAS[name, True]

    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        return method(tensor_argument(name, self), *args, **kwargs)

    changed.__signature__ = inspect.signature(method)  # type: ignore[attr-defined]
    changed.__doc__ = method.__doc__
    return bound(schema.in_place(name), changed)
