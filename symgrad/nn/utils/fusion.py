"""Layers and the batch norms that follow them, as one layer for evaluation."""

from __future__ import annotations

import copy
from typing import Any

from symgrad.functions.creation import CREATION
from symgrad.nn.modules.module import Module
from symgrad.nn.parameter import Parameter


def _check(layer: Module, bn: Any) -> None:
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """Return a convolution that does what another one and a batch norm do in evaluation.

    Parameters
    ----------
    conv, bn : Module
        Both, in evaluation.
    transpose : bool
        Whether the convolution is a transposed one.

    Raises
    ------
    AssertionError
        If one is in training, or there are no statistics.

    Examples
    --------
    >>> import symgrad as torch
    >>> conv, bn = torch.nn.Conv1d(1, 2, 1).eval(), torch.nn.BatchNorm1d(2).eval()
    >>> x = torch.ones(1, 1, 3)
    >>> torch.allclose(torch.nn.utils.fuse_conv_bn_eval(conv, bn)(x), bn(conv(x)))
    True
    """
    _check(conv, bn)
    made = copy.deepcopy(conv)
    made.weight, made.bias = fuse_conv_bn_weights(
        made.weight, made.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias,
        transpose,
    )  # fmt: skip
    return made


def fuse_conv_bn_weights(
    conv_w: Any, conv_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any,
    transpose: bool = False,
) -> tuple[Parameter, Parameter]:  # fmt: skip
    """Return the weight and the bias of such a convolution.

    Parameters
    ----------
    conv_w, conv_b : Tensor
        Those of the convolution; the bias may be None.
    bn_rm, bn_rv : Tensor
        The mean and the variance of the batch norm.
    bn_eps : float
        What is added to the variance.
    bn_w, bn_b : Tensor
        The factors and the shifts of the batch norm, or None.
    transpose : bool
        Whether the convolution is a transposed one.

    Examples
    --------
    >>> import symgrad as torch
    >>> w, one = torch.ones(1, 1, 1), torch.ones(1)
    >>> found = torch.nn.utils.fuse_conv_bn_weights(w, None, one, 4 * one, 0.0, None, None)
    >>> [p.detach() for p in found]
    [tensor([[[0.5000]]]), tensor([-0.5000])]
    """
    kind, bias_kind = conv_w.dtype, (conv_w if conv_b is None else conv_b).dtype
    b = CREATION["zeros_like"](bn_rm) if conv_b is None else conv_b
    scale = (bn_rv + bn_eps).rsqrt()
    factors = scale if bn_w is None else bn_w * scale
    shift = b - bn_rm
    shift = shift * scale if bn_w is None else shift * scale * bn_w
    shape = [1] * len(conv_w.shape)
    shape[int(transpose)] = -1
    weight = (conv_w * factors.reshape(shape)).to(kind)
    bias = (shift if bn_b is None else shift + bn_b).to(bias_kind)
    return Parameter(weight, conv_w.requires_grad), Parameter(bias, b.requires_grad)


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """Return a linear layer that does what another one and a batch norm do in evaluation.

    Parameters
    ----------
    linear, bn : Module
        Both, in evaluation.

    Raises
    ------
    AssertionError
        If one is in training, or the numbers of features do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> linear, bn = torch.nn.Linear(3, 2).eval(), torch.nn.BatchNorm1d(2).eval()
    >>> x = torch.ones(4, 3)
    >>> torch.allclose(torch.nn.utils.fuse_linear_bn_eval(linear, bn)(x), bn(linear(x)))
    True
    """
    if linear.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if linear.out_features != bn.num_features and bn.num_features != 1:
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    _check(linear, bn)
    made = copy.deepcopy(linear)
    made.weight, made.bias = fuse_linear_bn_weights(
        made.weight, made.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
    )
    return made


def fuse_linear_bn_weights(
    linear_w: Any, linear_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any
) -> tuple[Parameter, Parameter]:
    """Return the weight and the bias of such a linear layer.

    Parameters
    ----------
    linear_w, linear_b : Tensor
        Those of the layer; the bias may be None.
    bn_rm, bn_rv : Tensor
        The mean and the variance of the batch norm.
    bn_eps : float
        What is added to the variance.
    bn_w, bn_b : Tensor
        The factors and the shifts of the batch norm.

    Examples
    --------
    >>> import symgrad as torch
    >>> w, one = torch.ones(1, 1), torch.ones(1)
    >>> found = torch.nn.utils.fuse_linear_bn_weights(w, None, one, 4 * one, 0.0, one, one)
    >>> [p.detach() for p in found]
    [tensor([[0.5000]]), tensor([0.5000])]
    """
    b = CREATION["zeros_like"](bn_rm) if linear_b is None else linear_b
    bias_kind = (linear_w if linear_b is None else linear_b).dtype
    scale = bn_w * (bn_rv + bn_eps).rsqrt()
    weight = linear_w * scale.unsqueeze(-1).to(linear_w.dtype)
    bias = ((b - bn_rm) * scale + bn_b).to(bias_kind)
    return Parameter(weight, linear_w.requires_grad), Parameter(bias, b.requires_grad)
