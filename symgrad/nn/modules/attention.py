"""Attention of several heads: `MultiheadAttention`."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn import init
from symgrad.nn.modules.layer import parameter
from symgrad.nn.modules.linear import Linear
from symgrad.nn.modules.module import Module


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
            Of shapes (L, N, embed_dim), (S, N, kdim) and (S, N, vdim), with N first where
            `batch_first`, or without N.
        key_padding_mask : Tensor, optional
            Of shape (N, S), or (S,) without N: keys that nobody sees are True, or have -inf added.
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
        rank = len(query.shape)
        swapped = self.batch_first and rank == 3
        if swapped:
            query, key, value = (
                x.transpose(0, 1) if len(x.shape) == 3 else x for x in (query, key, value)
            )
        result, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight,
            self.in_proj_bias, self.bias_k, self.bias_v, self.add_zero_attn, self.dropout,
            self.out_proj.weight, self.out_proj.bias, self.training, key_padding_mask, need_weights,
            attn_mask, not self._qkv_same_embed_dim, self.q_proj_weight, self.k_proj_weight,
            self.v_proj_weight, average_attn_weights=average_attn_weights, is_causal=is_causal,
        )  # fmt: skip
        return result.transpose(0, 1) if swapped else result, weights
