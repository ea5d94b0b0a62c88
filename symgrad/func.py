"""Transforms of functions, as in `torch.func`."""

from symgrad.autograd.compiled import compile
from symgrad.autograd.jacobian_transforms import hessian, hvp, jacfwd, jacobian, jacrev
from symgrad.autograd.stateless import (
    functional_call,
    replace_all_batch_norm_modules_,
    stack_module_state,
)
from symgrad.autograd.taylor import jet
from symgrad.autograd.transforms import grad, grad_and_value, jvp, linearize, value_and_grad, vjp
from symgrad.autograd.vmap.transform import vmap
from symgrad.support.absent import refused

__all__ = [
    "compile", "functional_call", "grad", "grad_and_value", "hessian", "hvp", "jacfwd", "jacobian",
    "jacrev", "jet", "jvp", "linearize", "replace_all_batch_norm_modules_", "stack_module_state",
    "value_and_grad", "vjp", "vmap",
]  # fmt: skip

__getattr__ = refused("func")
