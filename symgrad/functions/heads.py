"""Attention of several heads beside each other: `multi_head_attention_forward`."""

from __future__ import annotations

import math
from typing import Any

from symgrad.expr.dtypes import bool_
from symgrad.functions.creation.making import CREATION
from symgrad.schema.public import FUNCTIONS, SPACES, public
from symgrad.support.refusals import warn


@public(
    "nn.functional.multi_head_attention_forward(Tensor query, Tensor key, Tensor value, int embed_dim_to_check, int num_heads, Tensor? in_proj_weight, Tensor? in_proj_bias, Tensor? bias_k, Tensor? bias_v, bool add_zero_attn, float dropout_p, Tensor out_proj_weight, Tensor? out_proj_bias, bool training=True, Tensor? key_padding_mask=None, bool need_weights=True, Tensor? attn_mask=None, bool use_separate_proj_weight=False, Tensor? q_proj_weight=None, Tensor? k_proj_weight=None, Tensor? v_proj_weight=None, Tensor? static_k=None, Tensor? static_v=None, bool average_attn_weights=True, bool is_causal=False) -> (Tensor, Tensor)",
    python=True,
)
def _multi_head_attention(
    query: Any, key: Any, value: Any, embed_dim_to_check: int, num_heads: int,
    in_proj_weight: Any, in_proj_bias: Any, bias_k: Any, bias_v: Any, add_zero_attn: bool,
    dropout_p: float, out_proj_weight: Any, out_proj_bias: Any, training: bool = True,
    key_padding_mask: Any = None, need_weights: bool = True, attn_mask: Any = None,
    use_separate_proj_weight: bool = False, q_proj_weight: Any = None, k_proj_weight: Any = None,
    v_proj_weight: Any = None, static_k: Any = None, static_v: Any = None,
    average_attn_weights: bool = True, is_causal: bool = False,
) -> tuple[Any, Any]:  # fmt: skip
    """Return weighted means of projected values, by how queries fit keys, and the weights or None.

    Parameters
    ----------
    query, key, value : Tensor or ArrayExpr
        Of shapes (L, N, E), (S, N, E) and (S, N, E), or without N. Where the weights are separate,
        keys and values may have another length than E.
    embed_dim_to_check, num_heads : int
        The length E of queries and results, and the number of heads, which divides it.
    in_proj_weight, in_proj_bias : Tensor, optional
        What queries, keys and values are projected by, one after the other: (3 * E, E) and (3 * E,).
    bias_k, bias_v : Tensor, optional
        One more key and value, of shape (1, 1, E), both or none.
    add_zero_attn : bool
        Whether there is one more key and value, which are zeros.
    dropout_p : float
        With what probability a weight is left out, in training.
    out_proj_weight : Tensor
        What the means of all heads are projected by: (E, E).
    out_proj_bias : Tensor, optional
        What is added then: (E,).
    training : bool
        Whether weights are left out.
    key_padding_mask : Tensor, optional
        Of shape (N, S), or (S,) without N: keys that nobody sees are True, or have -inf added.
    need_weights : bool
        Whether the weights are returned, too.
    attn_mask : Tensor, optional
        Of shape (L, S) or (N * heads, L, S): keys that a query does not see are True.
    use_separate_proj_weight : bool
        Whether each of queries, keys and values has a matrix of its own, so that their lengths may
        differ.
    q_proj_weight, k_proj_weight, v_proj_weight : Tensor, optional
        These matrices.
    static_k, static_v : Tensor, optional
        Keys and values as heads see them, of shape (N * heads, S, E / heads), in place of projected
        ones.
    average_attn_weights : bool
        Whether the weights are the means of all heads, of shape (N, L, S), and not those of each,
        of shape (N, heads, L, S).
    is_causal : bool
        Whether `attn_mask`, which has to be given, is that of queries that see no later keys.

    Raises
    ------
    AssertionError
        If the shapes of sequences do not fit, or an argument that another asks for is not given.
    RuntimeError
        If the shape of `attn_mask` does not fit, or there is none beside `is_causal`.

    References
    ----------
    A. Vaswani et al., "Attention is all you need" (2017).

    Examples
    --------
    >>> import symgrad as torch
    >>> x, one = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.eye(2)
    >>> means, weights = torch.nn.functional.multi_head_attention_forward(
    ...     x, x, x, 2, 1, torch.cat([one, one, one]), None, None, None, False, 0.0, one, None
    ... )
    >>> weights
    tensor([[0.6698, 0.3302],
            [0.3302, 0.6698]])
    """
    batched = _is_batched(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query, key, value = (x.unsqueeze(1) for x in (query, key, value))
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    length, batch, size = query.shape
    mask, padding = _added_masks(attn_mask, key_padding_mask, query.dtype, is_causal)
    shares = _share_of_head(size, embed_dim_to_check, num_heads)
    separate = {"q": q_proj_weight, "k": k_proj_weight, "v": v_proj_weight}
    q, k, v = _projected(
        query,
        key,
        value,
        in_proj_weight,
        in_proj_bias,
        separate if use_separate_proj_weight else None,
    )
    stacks = batch * num_heads
    mask = _checked(mask, length, key.shape[0], stacks)
    extended = 0
    if _are_given(bias_k, bias_v, static_k, static_v):
        ones = CREATION["ones"](1, batch, 1, dtype=q.dtype)
        k, v = (FUNCTIONS["cat"]([x, ones * more]) for x, more in ((k, bias_k), (v, bias_v)))
        extended += 1
    q, k, v = (x.reshape(x.shape[0], stacks, shares).transpose(0, 1) for x in (q, k, v))
    k, v = _static(k, static_k, "k", shares), _static(v, static_v, "v", shares)
    if add_zero_attn:
        zeros = CREATION["zeros"](stacks, 1, shares, dtype=q.dtype)
        k, v = (FUNCTIONS["cat"]([x, zeros], 1) for x in (k, v))
        extended += 1
    if extended:
        mask, padding = (None if m is None else _wider(m, extended) for m in (mask, padding))
    scores = _scores(q, k, mask, padding, (batch, num_heads))

    def projected(x: Any) -> Any:
        made = FUNCTIONS["linear"](x, out_proj_weight, out_proj_bias)
        return made.reshape(length, batch, made.shape[1])

    if training and dropout_p > 0:  # what does not fit is refused before random numbers are drawn
        projected(CREATION["zeros"](length * batch, size, dtype=q.dtype))
    dropout = SPACES["nn.functional"]["dropout"]
    weights = dropout(scores.softmax(-1), dropout_p, training and dropout_p > 0)
    result = projected((weights @ v).transpose(0, 1).reshape(length * batch, size))
    weights = weights.reshape(batch, num_heads, length, k.shape[1])
    if average_attn_weights:
        weights = weights.mean(1)
    if not batched:
        result, weights = result.squeeze(1), weights.squeeze(0)
    return result, weights if need_weights else None


def _is_batched(query: Any, key: Any, value: Any, padding: Any, mask: Any, num_heads: int) -> bool:
    """Return whether sequences have an axis of the batch; AssertionError unless shapes fit."""
    rank, others = len(query.shape), (len(key.shape), len(value.shape))
    if rank not in (2, 3):
        raise AssertionError(
            f"query should be unbatched 2D or batched 3D tensor but received {rank}-D query tensor"
        )
    which = f"{'batched' if rank == 3 else 'unbatched'} ({rank}-D) `query`"
    if others != (rank, rank):
        raise AssertionError(
            f"For {which}, expected `key` and `value` to be {rank}-D but found {others[0]}-D and "
            f"{others[1]}-D tensors respectively"
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
    if rank == 2 and mask is not None and len(mask.shape) == 3:
        wanted = (num_heads, query.shape[0], key.shape[0])
        if tuple(mask.shape) != wanted:
            raise AssertionError(f"Expected `attn_mask` shape to be {wanted} but got {mask.shape}")
    return rank == 3


def _added_masks(mask: Any, padding: Any, kind: Any, is_causal: bool) -> tuple[Any, Any]:
    """Return both masks as what is added to products; RuntimeError if a causal one is not given."""
    added = None if padding is None else added_mask(padding, "key_padding_mask", kind, mask)
    if is_causal and mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module "
            "method `generate_square_subsequent_mask` to create this mask."
        )
    return None if mask is None else added_mask(mask, "attn_mask", kind), added


def _share_of_head(size: int, expected: int, num_heads: int) -> int:
    """Return the length of what each head sees; AssertionError unless the heads share `size`."""
    if size != expected:
        raise AssertionError(f"was expecting embedding dimension of {expected}, but got {size}")
    if size % num_heads:
        raise AssertionError(f"embed_dim {size} not divisible by num_heads {num_heads}")
    return size // num_heads


def _projected(q: Any, k: Any, v: Any, joint: Any, bias: Any, separate: Any) -> tuple[Any, ...]:
    """Return the projected sequences: by a matrix for all, or by separate ones, named q, k and v."""
    if separate is None:
        if k.shape != v.shape:
            raise AssertionError(f"key shape {k.shape} does not match value shape {v.shape}")
        if joint is None:
            raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
        weights = joint.chunk(3)
    else:
        if k.shape[:2] != v.shape[:2]:
            raise AssertionError(
                f"key's sequence and batch dims {k.shape[:2]} do not match value's {v.shape[:2]}"
            )
        for name, weight in separate.items():
            if weight is None:
                raise AssertionError(
                    f"use_separate_proj_weight is True but {name}_proj_weight is None"
                )
        weights = tuple(separate.values())
    biases = (None,) * 3 if bias is None else bias.chunk(3)
    linear = FUNCTIONS["linear"]
    return tuple([linear(x, w, b) for x, w, b in zip((q, k, v), weights, biases, strict=True)])


def _checked(mask: Any, length: int, count: int, stacks: int) -> Any:
    """Return a mask with an axis of heads; RuntimeError unless its shape fits."""
    if mask is None:
        return None
    rank = len(mask.shape)
    wanted = (length, count) if rank == 2 else (stacks, length, count)
    if tuple(mask.shape) != wanted:
        raise RuntimeError(
            f"The shape of the {rank}D attn_mask is {mask.shape}, but should be {wanted}."
        )
    return mask.unsqueeze(0) if rank == 2 else mask


def _are_given(bias_k: Any, bias_v: Any, static_k: Any, static_v: Any) -> bool:
    """Return whether there is one more key and value, of which both or none are given."""
    if (bias_k is None) is not (bias_v is None):
        given, other = ("bias_k", "bias_v") if bias_v is None else ("bias_v", "bias_k")
        raise AssertionError(f"{given} is set but {other} is None")
    if bias_k is None:
        return False
    for static, word in ((static_k, "key"), (static_v, "value")):
        if static is not None:
            raise AssertionError(f"bias cannot be added to static {word}.")
    return True


def _static(x: Any, given: Any, name: str, shares: int) -> Any:
    """Return what heads are given in place of `x`, if anything; AssertionError unless it fits."""
    if given is None:
        return x
    for axis, wanted in ((0, x.shape[0]), (2, shares)):
        if given.shape[axis] != wanted:
            raise AssertionError(
                f"expecting static_{name}.size({axis}) of {wanted}, but got {given.shape[axis]}"
            )
    return given


def _scores(q: Any, k: Any, mask: Any, padding: Any, stacked: tuple[int, int]) -> Any:
    """Return how queries fit keys, with what masks add; AssertionError unless `padding` fits."""
    scores = (q * math.sqrt(1.0 / q.shape[2])) @ k.transpose(1, 2)
    if mask is not None:
        scores = scores + mask
    if padding is None:
        return scores
    (batch, num_heads), count = stacked, k.shape[1]
    for axis, wanted in enumerate((batch, count)):
        if padding.shape[axis] != wanted:
            raise AssertionError(
                f"Expected key_padded_mask.shape[{axis}] to be {wanted}, but got "
                f"{padding.shape[axis]}"
            )
    shown = padding.reshape(batch, 1, 1, count).expand(-1, num_heads, -1, -1)
    return scores + shown.reshape(batch * num_heads, 1, count)


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


def _wider(mask: Any, count: int) -> Any:
    """Return a mask with more keys, which all see."""
    return SPACES["nn.functional"]["pad"](mask, (0, count))
