"""Attention of several heads: `MultiheadAttention`."""

from __future__ import annotations

import math
from typing import Any

from symgrad.expr.dtypes import bool_
from symgrad.functions.creation import CREATION
from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn import init
from symgrad.nn.modules.layer import parameter
from symgrad.nn.modules.linear import Linear
from symgrad.nn.modules.module import Module
from symgrad.schema.public import FUNCTIONS
from symgrad.support.refusals import warn


class NonDynamicallyQuantizableLinear(Linear):
    """A `Linear`, by the name that PyTorch prints of the last layer of attention."""


class MultiheadAttention(Module):
    """Weighted means of values, by how queries fit keys, in several heads beside each other.

    Parameters
    ----------
    embed_dim, num_heads : int
        The length of queries and results, and the number of heads, which divides it.
    dropout : float
        With what probability a weight is left out, in training.
    bias : bool
        Whether there are biases.
    add_bias_kv : bool
        Whether there is one more key and value, which are parameters.
    add_zero_attn : bool
        Whether there is one more key and value, which are zeros.
    kdim, vdim : int, optional
        The lengths of keys and values; `embed_dim` where not given.
    batch_first : bool
        Whether axis 0 of sequences, not axis 1, is that of the batch.
    device, dtype : optional
        Of the parameters.

    References
    ----------
    A. Vaswani et al., "Attention is all you need" (2017).

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    >>> x = torch.randn(3, 5, 8)
    >>> result, weights = layer(x, x, x)
    >>> result.shape, weights.shape
    (torch.Size([3, 5, 8]), torch.Size([3, 5, 5]))
    """

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True,
        add_bias_kv: bool = False, add_zero_attn: bool = False, kdim: int | None = None,
        vdim: int | None = None, batch_first: bool = False, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                "embed_dim and num_heads must be greater than 0, got "
                f"embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        options = {"device": device, "dtype": dtype}
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.batch_first, self.add_zero_attn = batch_first, add_zero_attn
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        for name, size in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
            own = None if self._qkv_same_embed_dim else parameter(embed_dim, size, **options)
            self.register_parameter(f"{name}_proj_weight", own)
        joint = parameter(3 * embed_dim, embed_dim, **options) if self._qkv_same_embed_dim else None
        self.register_parameter("in_proj_weight", joint)
        self.register_parameter(
            "in_proj_bias", parameter(3 * embed_dim, **options) if bias else None
        )
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, **options)
        for name in ("bias_k", "bias_v"):
            more = parameter(1, 1, embed_dim, **options) if add_bias_kv else None
            self.register_parameter(name, more)
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        for name in ("in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight"):
            if self._parameters[name] is not None:
                init.xavier_uniform_(self._parameters[name])
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)
        for name in ("bias_k", "bias_v"):
            if self._parameters[name] is not None:
                init.xavier_normal_(self._parameters[name])

    def forward(
        self, query: Any, key: Any, value: Any, key_padding_mask: Any = None,
        need_weights: bool = True, attn_mask: Any = None, average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Any, Any]:  # fmt: skip
        """Return the means, and the weights or None.

        Parameters
        ----------
        query, key, value : Tensor or ArrayExpr
            Of shape (L, N, length), with N first where `batch_first`, or (L, length).
        key_padding_mask : Tensor, optional
            Of shape (N, L): keys that nobody sees are True, or have -inf added.
        need_weights : bool
            Whether the weights are returned, too.
        attn_mask : Tensor, optional
            Of shape (L, S) or (N * heads, L, S): keys that a query does not see are True.
        average_attn_weights : bool
            Whether the weights are the means of all heads.
        is_causal : bool
            Whether `attn_mask`, which has to be given, is that of queries that see no later keys.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.MultiheadAttention(4, 2)
        >>> x = torch.ones(3, 4)
        >>> layer.forward(x, x, x)[1].detach()
        tensor([[0.3333, 0.3333, 0.3333],
                [0.3333, 0.3333, 0.3333],
                [0.3333, 0.3333, 0.3333]])
        """
        batched = self._is_batched(query, key, value, key_padding_mask, attn_mask)
        if is_causal and attn_mask is None:
            raise RuntimeError(
                "Need attn_mask if specifying the is_causal hint. You may use the Transformer "
                "module method `generate_square_subsequent_mask` to create this mask."
            )
        swapped = self.batch_first and batched
        q, k, v = (
            x.transpose(0, 1) if swapped else x if batched else x.unsqueeze(1)
            for x in (query, key, value)
        )
        padding = key_padding_mask
        if padding is not None:
            padding = added_mask(padding, "key_padding_mask", q.dtype, attn_mask)
            padding = padding if batched else padding.unsqueeze(0)
        mask = None if attn_mask is None else added_mask(attn_mask, "attn_mask", q.dtype)
        result, weights = self._attend(q, k, v, mask, padding)
        if average_attn_weights:
            weights = weights.mean(1)
        if swapped:
            result = result.transpose(0, 1)
        elif not batched:
            result, weights = result.squeeze(1), weights.squeeze(0)
        return result, weights if need_weights else None

    def _attend(self, q: Any, k: Any, v: Any, mask: Any, padding: Any) -> tuple[Any, Any]:
        """Return the means and the weights of each head; all with an axis of the batch."""
        length, batch, size = q.shape
        heads = self.num_heads
        if size != self.embed_dim:
            raise AssertionError(
                f"was expecting embedding dimension of {self.embed_dim}, but got {size}"
            )
        q, k, v = self._projected(q, k, v)
        mask = self._checked(mask, length, k.shape[0], batch)
        if self.bias_k is not None:
            ones = CREATION["ones"](1, batch, 1, dtype=q.dtype)
            k, v = (
                FUNCTIONS["cat"]([x, ones * more])
                for x, more in ((k, self.bias_k), (v, self.bias_v))
            )
            mask, padding = _wider(mask), _wider(padding)
        if self.add_zero_attn:
            zeros = CREATION["zeros"](1, batch, size, dtype=q.dtype)
            k, v = (FUNCTIONS["cat"]([x, zeros]) for x in (k, v))
            mask, padding = _wider(mask), _wider(padding)
        q, k, v = (
            x.reshape(x.shape[0], batch * heads, self.head_dim).transpose(0, 1) for x in (q, k, v)
        )
        scores = (q * math.sqrt(1.0 / self.head_dim)) @ k.transpose(1, 2)
        if mask is not None:
            scores = scores + mask
        count = k.shape[1]
        if padding is not None:
            shown = padding.reshape(batch, 1, 1, count).expand(-1, heads, -1, -1)
            scores = scores + shown.reshape(batch * heads, 1, count)
        weights = scores.softmax(-1)
        means = F.dropout(weights, self.dropout, self.training and self.dropout > 0) @ v
        joined = means.transpose(0, 1).reshape(length * batch, size)
        result = self.out_proj(joined).reshape(length, batch, size)
        return result, weights.reshape(batch, heads, length, count)

    def _projected(self, q: Any, k: Any, v: Any) -> tuple[Any, ...]:
        biases = (None,) * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        if self._qkv_same_embed_dim:
            if k.shape != v.shape:
                raise AssertionError(f"key shape {k.shape} does not match value shape {v.shape}")
            weights = self.in_proj_weight.chunk(3)
        else:
            weights = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        return tuple(
            [F.linear(x, w, b) for x, w, b in zip((q, k, v), weights, biases, strict=True)]
        )

    def _checked(self, mask: Any, length: int, count: int, batch: int) -> Any:
        """Return a mask with an axis of heads; RuntimeError unless its shape fits."""
        if mask is None:
            return None
        rank = len(mask.shape)
        wanted = (length, count) if rank == 2 else (batch * self.num_heads, length, count)
        if tuple(mask.shape) != wanted:
            raise RuntimeError(
                f"The shape of the {rank}D attn_mask is {mask.shape}, but should be {wanted}."
            )
        return mask.unsqueeze(0) if rank == 2 else mask

    def _is_batched(self, query: Any, key: Any, value: Any, padding: Any, mask: Any) -> bool:
        """Return whether sequences have an axis of the batch; AssertionError unless shapes fit."""
        rank, others = len(query.shape), (len(key.shape), len(value.shape))
        if rank not in (2, 3):
            raise AssertionError(
                "query should be unbatched 2D or batched 3D tensor but received "
                f"{rank}-D query tensor"
            )
        which = f"{'batched' if rank == 3 else 'unbatched'} ({rank}-D) `query`"
        if others != (rank, rank):
            raise AssertionError(
                f"For {which}, expected `key` and `value` to be {rank}-D but found {others[0]}-D "
                f"and {others[1]}-D tensors respectively"
            )
        if padding is not None and len(padding.shape) != rank - 1:
            raise AssertionError(
                f"For {which}, expected `key_padding_mask` to be `None` or {rank - 1}-D but found "
                f"{len(padding.shape)}-D tensor instead"
            )
        if mask is not None and len(mask.shape) not in (2, 3):
            raise AssertionError(
                f"For {which}, expected `attn_mask` to be `None`, 2-D or 3-D but found "
                f"{len(mask.shape)}-D tensor instead"
            )
        return rank == 3


def added_mask(
    mask: Any, name: str, kind: Any, beside: Any = None, other: str = "attn_mask"
) -> Any:
    """Return a mask as what is added to products: -inf for what is not seen.

    Parameters
    ----------
    mask : Tensor
        Truth values, or what is added.
    name : str
        What messages call it.
    kind : dtype
        That of the products.
    beside : Tensor, optional
        Another mask, which should have the same dtype.
    other : str
        What messages call that.
    """
    if mask.dtype is not bool_ and not mask.dtype.is_floating_point:
        raise AssertionError(f"only bool and floating types of {name} are supported")
    if beside is not None and beside.dtype is not mask.dtype:
        warn(
            f"Support for mismatched {name} and {other} is deprecated. Use same type for both "
            "instead."
        )
    if mask.dtype is not bool_:
        return mask
    return CREATION["zeros_like"](mask, dtype=kind).masked_fill(mask, -math.inf)


def _wider(mask: Any) -> Any:
    """Return a mask with one more key, which all see."""
    return None if mask is None else F.pad(mask, (0, 1))
