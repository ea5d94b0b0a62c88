"""Transformers: layers of attention and of a network for each place, with norms and sums around."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

from symgrad.functions.creation import CREATION
from symgrad.functions.heads import added_mask
from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn import init
from symgrad.nn.modules.activation import GELU, ReLU
from symgrad.nn.modules.attention import MultiheadAttention
from symgrad.nn.modules.container import ModuleList
from symgrad.nn.modules.dropout import Dropout
from symgrad.nn.modules.linear import Linear
from symgrad.nn.modules.module import Module
from symgrad.nn.modules.normalization import LayerNorm


def _activation_of(given: Any) -> Any:
    """Return an activation by its name, or as it was given."""
    if not isinstance(given, str):
        return given
    if given not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {given}")
    return getattr(F, given)


def _clones(layer: Module, count: int) -> ModuleList:
    return ModuleList([copy.deepcopy(layer) for _ in range(count)])


class TransformerEncoderLayer(Module):
    """Attention of a sequence to itself, and a network for each place.

    Parameters
    ----------
    d_model, nhead : int
        The length of elements, and the number of heads, which divides it.
    dim_feedforward : int
        The length inside the network.
    dropout : float
        With what probability an element is left out, in training.
    activation : "relu", "gelu" or callable
        The function inside the network.
    layer_norm_eps : float
        What is added to variances.
    batch_first : bool
        Whether axis 0 of sequences, not axis 1, is that of the batch.
    norm_first : bool
        Whether norms come before attention and network, not after the sums.
    bias : bool
        Whether there are biases.
    device, dtype : optional
        Of the parameters.

    References
    ----------
    A. Vaswani et al., "Attention is all you need" (2017).

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.TransformerEncoderLayer(8, 2, dim_feedforward=16)
    >>> layer(torch.randn(5, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: str | Callable[[Any], Any] = F.relu, layer_norm_eps: float = 1e-5,
        batch_first: bool = False, norm_first: bool = False, bias: bool = True,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        kind: dict[str, Any] = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **kind
        )
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **kind)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **kind)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **kind)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **kind)
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        self.activation = _activation_of(activation)
        is_relu = self.activation is F.relu or isinstance(self.activation, ReLU)
        is_gelu = self.activation is F.gelu or isinstance(self.activation, GELU)
        self.activation_relu_or_gelu = 1 if is_relu else 2 if is_gelu else 0

    def forward(
        self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None,
        is_causal: bool = False,
    ) -> Any:  # fmt: skip
        """Return the sequence after the layer.

        Parameters
        ----------
        src : Tensor or ArrayExpr
            Of shape (L, N, d_model), with N first where `batch_first`, or (L, d_model).
        src_mask : Tensor, optional
            Of shape (L, L) or (N * nhead, L, L): what a place does not see is True, or has -inf.
        src_key_padding_mask : Tensor, optional
            Of shape (N, L): places that nobody sees are True, or have -inf.
        is_causal : bool
            Whether `src_mask`, which has to be given, is that of places that see no later ones.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.TransformerEncoderLayer(4, 2, 8)
        >>> mask = torch.nn.Transformer.generate_square_subsequent_mask(3)
        >>> layer.forward(torch.ones(3, 4), mask).shape
        torch.Size([3, 4])
        """
        padding, mask = _masks(
            src.dtype, src_key_padding_mask, "src_key_padding_mask", src_mask, "src_mask"
        )
        if self.norm_first:
            x = src + self._attended(self.norm1(src), mask, padding, is_causal)
            return x + self._fed(self.norm2(x))
        x = self.norm1(src + self._attended(src, mask, padding, is_causal))
        return self.norm2(x + self._fed(x))

    def _attended(self, x: Any, mask: Any, padding: Any, is_causal: bool) -> Any:
        found = self.self_attn(
            x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False,
            is_causal=is_causal,
        )  # fmt: skip
        return self.dropout1(found[0])

    def _fed(self, x: Any) -> Any:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerDecoderLayer(Module):
    """Attention of a sequence to itself and to another one, and a network for each place.

    Parameters
    ----------
    d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first
        As those of `TransformerEncoderLayer`.
    bias : bool
        Whether there are biases.
    device, dtype : optional
        Of the parameters.

    References
    ----------
    A. Vaswani et al., "Attention is all you need" (2017).

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.TransformerDecoderLayer(8, 2, dim_feedforward=16)
    >>> layer(torch.randn(5, 3, 8), torch.randn(7, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: str | Callable[[Any], Any] = F.relu, layer_norm_eps: float = 1e-5,
        batch_first: bool = False, norm_first: bool = False, bias: bool = True,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        kind: dict[str, Any] = {"device": device, "dtype": dtype}
        options: dict[str, Any] = {"dropout": dropout, "bias": bias, "batch_first": batch_first}
        self.self_attn = MultiheadAttention(d_model, nhead, **options, **kind)
        self.multihead_attn = MultiheadAttention(d_model, nhead, **options, **kind)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **kind)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **kind)
        self.norm_first = norm_first
        for name in ("norm1", "norm2", "norm3"):
            setattr(self, name, LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **kind))
        for name in ("dropout1", "dropout2", "dropout3"):
            setattr(self, name, Dropout(dropout))
        self.activation = _activation_of(activation)

    def forward(
        self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None,
        tgt_key_padding_mask: Any = None, memory_key_padding_mask: Any = None,
        tgt_is_causal: bool = False, memory_is_causal: bool = False,
    ) -> Any:  # fmt: skip
        """Return the sequence after the layer.

        Parameters
        ----------
        tgt, memory : Tensor or ArrayExpr
            The sequence and the other one, of shape (L, N, d_model), with N first where
            `batch_first`, or (L, d_model).
        tgt_mask, memory_mask : Tensor, optional
            What a place does not see of both is True, or has -inf.
        tgt_key_padding_mask, memory_key_padding_mask : Tensor, optional
            Of shape (N, L): places of both that nobody sees are True, or have -inf.
        tgt_is_causal, memory_is_causal : bool
            Whether the masks, which have to be given, are those of places that see no later ones.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.TransformerDecoderLayer(4, 2, 8)
        >>> layer.forward(torch.ones(3, 4), torch.ones(2, 4)).shape
        torch.Size([3, 4])
        """

        def to_itself(x: Any) -> Any:
            found = self.self_attn(
                x, x, x, attn_mask=tgt_mask, key_padding_mask=tgt_key_padding_mask,
                is_causal=tgt_is_causal, need_weights=False,
            )  # fmt: skip
            return self.dropout1(found[0])

        def to_memory(x: Any) -> Any:
            found = self.multihead_attn(
                x, memory, memory, attn_mask=memory_mask,
                key_padding_mask=memory_key_padding_mask, is_causal=memory_is_causal,
                need_weights=False,
            )  # fmt: skip
            return self.dropout2(found[0])

        def fed(x: Any) -> Any:
            return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))

        x = tgt
        for norm, block in (
            (self.norm1, to_itself), (self.norm2, to_memory), (self.norm3, fed),
        ):  # fmt: skip
            x = x + block(norm(x)) if self.norm_first else norm(x + block(x))
        return x


class TransformerEncoder(Module):
    """Several copies of an encoder layer, one after the other.

    Parameters
    ----------
    encoder_layer : Module
        The layer.
    num_layers : int
        How many copies there are.
    norm : Module, optional
        What comes after the last one.
    enable_nested_tensor, mask_check : bool
        Not used.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.TransformerEncoderLayer(8, 2, dim_feedforward=16)
    >>> torch.nn.TransformerEncoder(layer, 2)(torch.randn(5, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    def __init__(
        self, encoder_layer: Module, num_layers: int, norm: Module | None = None,
        enable_nested_tensor: bool = True, mask_check: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.layers = _clones(encoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm
        self.enable_nested_tensor, self.mask_check = enable_nested_tensor, mask_check

    def forward(
        self, src: Any, mask: Any = None, src_key_padding_mask: Any = None,
        is_causal: bool | None = None,
    ) -> Any:  # fmt: skip
        """Return the sequence after all layers.

        Parameters
        ----------
        src : Tensor or ArrayExpr
            Of shape (L, N, d_model), with N first where layers have it first, or (L, d_model).
        mask : Tensor, optional
            What a place does not see is True, or has -inf.
        src_key_padding_mask : Tensor, optional
            Of shape (N, L): places that nobody sees are True, or have -inf.
        is_causal : bool, optional
            Whether `mask`, which has to be given, is that of places that see no later ones.

        Examples
        --------
        >>> import symgrad as torch
        >>> encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(4, 2, 8), 2)
        >>> encoder.forward(torch.ones(3, 4)).shape
        torch.Size([3, 4])
        """
        padding, mask = _masks(
            src.dtype, src_key_padding_mask, "src_key_padding_mask", mask, "mask"
        )
        for layer in self.layers:
            src = layer(
                src, src_mask=mask, is_causal=is_causal is True, src_key_padding_mask=padding
            )
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Module):
    """Several copies of a decoder layer, one after the other.

    Parameters
    ----------
    decoder_layer : Module
        The layer.
    num_layers : int
        How many copies there are.
    norm : Module, optional
        What comes after the last one.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.TransformerDecoderLayer(8, 2, dim_feedforward=16)
    >>> decoder = torch.nn.TransformerDecoder(layer, 2)
    >>> decoder(torch.randn(5, 3, 8), torch.randn(7, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _clones(decoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def forward(
        self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None,
        tgt_key_padding_mask: Any = None, memory_key_padding_mask: Any = None,
        tgt_is_causal: bool | None = None, memory_is_causal: bool = False,
    ) -> Any:  # fmt: skip
        """Return the sequence after all layers.

        Parameters
        ----------
        tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask
            As those of `TransformerDecoderLayer.forward`.
        tgt_is_causal, memory_is_causal : bool, optional
            Whether the masks, which have to be given, are those of places that see no later ones.

        Examples
        --------
        >>> import symgrad as torch
        >>> decoder = torch.nn.TransformerDecoder(torch.nn.TransformerDecoderLayer(4, 2, 8), 2)
        >>> decoder.forward(torch.ones(3, 4), torch.ones(2, 4)).shape
        torch.Size([3, 4])
        """
        for layer in self.layers:
            tgt = layer(
                tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=tgt_is_causal is True, memory_is_causal=memory_is_causal,
            )  # fmt: skip
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """An encoder of one sequence, and a decoder of another that attends to what it made of it.

    Parameters
    ----------
    d_model, nhead : int
        The length of elements, and the number of heads, which divides it.
    num_encoder_layers, num_decoder_layers : int
        How many layers there are.
    dim_feedforward, dropout, activation
        As those of `TransformerEncoderLayer`.
    custom_encoder, custom_decoder : Module, optional
        What stands for the encoder and the decoder.
    layer_norm_eps, batch_first, norm_first, bias
        As those of `TransformerEncoderLayer`.
    device, dtype : optional
        Of the parameters.

    References
    ----------
    A. Vaswani et al., "Attention is all you need" (2017).

    Examples
    --------
    >>> import symgrad as torch
    >>> model = torch.nn.Transformer(8, 2, 1, 1, dim_feedforward=16)
    >>> model(torch.randn(7, 3, 8), torch.randn(5, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    def __init__(
        self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6,
        num_decoder_layers: int = 6, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: str | Callable[[Any], Any] = F.relu, custom_encoder: Any = None,
        custom_decoder: Any = None, layer_norm_eps: float = 1e-5, batch_first: bool = False,
        norm_first: bool = False, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        kind: dict[str, Any] = {"device": device, "dtype": dtype}
        given = (
            d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first,
            norm_first, bias,
        )  # fmt: skip

        def norm() -> LayerNorm:
            return LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **kind)

        if custom_encoder is None:
            layer: Module = TransformerEncoderLayer(*given, **kind)
            custom_encoder = TransformerEncoder(layer, num_encoder_layers, norm())
        self.encoder = custom_encoder
        if custom_decoder is None:
            layer = TransformerDecoderLayer(*given, **kind)
            custom_decoder = TransformerDecoder(layer, num_decoder_layers, norm())
        self.decoder = custom_decoder
        self._reset_parameters()
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def _reset_parameters(self) -> None:
        for p in self.parameters():
            if len(p.shape) > 1:
                init.xavier_uniform_(p)

    def forward(
        self, src: Any, tgt: Any, src_mask: Any = None, tgt_mask: Any = None,
        memory_mask: Any = None, src_key_padding_mask: Any = None,
        tgt_key_padding_mask: Any = None, memory_key_padding_mask: Any = None,
        src_is_causal: bool | None = None, tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Any:  # fmt: skip
        """Return the second sequence after the decoder.

        Parameters
        ----------
        src, tgt : Tensor or ArrayExpr
            The sequences, of shape (L, N, d_model), with N first where `batch_first`, or
            (L, d_model).
        src_mask, tgt_mask, memory_mask : Tensor, optional
            What a place does not see is True, or has -inf.
        src_key_padding_mask, tgt_key_padding_mask, memory_key_padding_mask : Tensor, optional
            Of shape (N, L): places that nobody sees are True, or have -inf.
        src_is_causal, tgt_is_causal, memory_is_causal : bool, optional
            Whether the masks, which have to be given, are those of places that see no later ones.

        Raises
        ------
        RuntimeError
            If the shapes do not fit.

        Examples
        --------
        >>> import symgrad as torch
        >>> model = torch.nn.Transformer(4, 2, 1, 1, dim_feedforward=8)
        >>> model.forward(torch.ones(3, 4), torch.ones(2, 4)).shape
        torch.Size([2, 4])
        """
        batch = 0 if self.batch_first else 1
        if len(src.shape) == 3 and src.shape[batch] != tgt.shape[batch]:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(
            src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal
        )
        return self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal, memory_is_causal=memory_is_causal,
        )  # fmt: skip

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Any:
        """Return the mask of places that see no later ones: -inf above the diagonal.

        Parameters
        ----------
        sz : int
            The number of places.
        device, dtype : optional
            Of the mask.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.Transformer.generate_square_subsequent_mask(2)
        tensor([[0., -inf],
                [0., 0.]])
        """
        return CREATION["full"]((sz, sz), -math.inf, device=device, dtype=dtype).triu(1)


def _masks(kind: Any, padding: Any, name: str, mask: Any, beside: str) -> tuple[Any, Any]:
    """Return both masks as what is added to products."""
    if padding is not None:
        padding = added_mask(padding, name, kind, mask, beside)
    return padding, None if mask is None else added_mask(mask, beside, kind)
