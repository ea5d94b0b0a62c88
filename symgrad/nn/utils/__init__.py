"""PyTorch's `nn.utils`: gradients cut off, packed sequences, parameters that are computed."""

from symgrad.nn.utils import parametrizations as parametrizations
from symgrad.nn.utils import parametrize as parametrize
from symgrad.nn.utils import prune as prune
from symgrad.nn.utils import rnn as rnn
from symgrad.nn.utils.clip_grad import (
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)
from symgrad.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters
from symgrad.nn.utils.fusion import (
    fuse_conv_bn_eval,
    fuse_conv_bn_weights,
    fuse_linear_bn_eval,
    fuse_linear_bn_weights,
)
from symgrad.nn.utils.init import skip_init
from symgrad.nn.utils.spectral_norm import remove_spectral_norm, spectral_norm
from symgrad.nn.utils.weight_norm import remove_weight_norm, weight_norm

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "fuse_conv_bn_eval",
    "fuse_conv_bn_weights",
    "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
    "get_total_norm",
    "parameters_to_vector",
    "parametrizations",
    "parametrize",
    "prune",
    "remove_spectral_norm",
    "remove_weight_norm",
    "rnn",
    "skip_init",
    "spectral_norm",
    "vector_to_parameters",
    "weight_norm",
]
