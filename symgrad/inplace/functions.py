"""Functions of PyTorch's module that change their first argument: `sin_(x)` is `x.sin_()`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from symgrad.arguments import tensor_argument
from symgrad.dispatch import overridable
from symgrad.signatures import refusal

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
    plain = name.removesuffix("_")

    def f(*args: Any, **kwargs: Any) -> Any:
        if not args and "input" in kwargs:
            args = (kwargs.pop("input"),)
        try:
            if args:
                tensor_argument(name, args[0])
            return method(*args, **kwargs)
        except TypeError:
            unfit = refusal(plain, args, kwargs, method=False)
            if unfit is None:
                raise
        # The call as the user typed it.
        raise TypeError(str(unfit).replace(f"{plain}(", f"{name}(", 1))

    functools.update_wrapper(f, method, assigned=("__doc__",), updated=())
    return overridable(f"torch.{name}")(f)
