"""Weighted means by how queries fit keys: `scaled_dot_product_attention`."""

from __future__ import annotations

import math
from typing import Any

from symgrad.expr.dtypes import bool_
from symgrad.functions.creation.making import CREATION
from symgrad.ops.identity import arranged
from symgrad.ops.primitive import bind
from symgrad.record.face import Face
from symgrad.record.tape import as_one_node
from symgrad.schema.kinds import has_values
from symgrad.schema.public import SPACES, public
from symgrad.support.memory import order_in_memory

_OWNER = Face(name="Permute", is_view=False)


@public(
    "nn.functional.scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor"
)
def _attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0,
    is_causal: bool = False, *, scale: float | None = None, enable_gqa: bool = False,
) -> Any:  # fmt: skip
    """Return `softmax(query @ key.mT * scale) @ value`.

    Parameters
    ----------
    query, key, value : Tensor or ArrayExpr
        Of shapes (*, L, E), (*, S, E) and (*, S, V).
    attn_mask : Tensor, optional
        Which keys a query sees, as truth values, or what is added to the products.
    dropout_p : float
        With what probability a weight is left out.
    is_causal : bool
        Whether a query sees the keys up to its own place alone.
    scale : float, optional
        The factor; by default the root of the length E, inverted.
    enable_gqa : bool
        Whether several heads of queries, axis -3, share a head of keys and values.

    Raises
    ------
    RuntimeError
        If dtypes or shapes do not fit, or there is a mask beside `is_causal`.

    References
    ----------
    A. Vaswani et al., "Attention is all you need" (2017).

    Examples
    --------
    >>> import symgrad as torch
    >>> q = torch.tensor([[2.0, 0.0]])
    >>> k, v = torch.eye(2), torch.tensor([[1.0], [3.0]])
    >>> torch.nn.functional.scaled_dot_product_attention(q, k, v)
    tensor([[1.3911]])
    """
    _check(query, key, value, attn_mask, is_causal, enable_gqa)
    given = (query, key, value)
    if enable_gqa:
        times = query.shape[-3] // key.shape[-3]
        key, value = (x.repeat_interleave(times, len(x.shape) - 3) for x in (key, value))
    single = _is_single(query, key, value, attn_mask, dropout_p)
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = query @ key.transpose(-2, -1) * factor
    if is_causal:
        rows, columns = query.shape[-2], key.shape[-2]
        attn_mask = CREATION["ones"](rows, columns, dtype=bool_).tril()
    if attn_mask is None:
        shares = scores.softmax(-1)
    elif attn_mask.dtype is bool_:
        hidden = attn_mask.logical_not()
        shares = scores.masked_fill(hidden, -math.inf).softmax(-1)
        # A query that sees nothing has no weights.
        shares = shares.masked_fill(hidden.all(-1, keepdim=True), 0.0)
    else:
        shares = (scores + attn_mask).softmax(-1)
    found = SPACES["nn.functional"]["dropout"](shares, dropout_p) @ value
    if not single:
        return found
    made = _laid_out_as(found, query)
    return as_one_node(made, "ScaledDotProductFlashAttentionForCpu", *given)


def _is_single(query: Any, key: Any, value: Any, mask: Any, dropout_p: float) -> bool:
    """Return whether PyTorch computes the attention by one operation on the CPU."""
    if dropout_p or not all(map(has_values, (query, key, value))):
        return False
    data = [x._data for x in (query, key, value)]
    if any(x.ndim != 4 or not x.size or x.strides[3] != x.itemsize for x in data):
        return False
    q, k, v = [x.shape for x in data]
    if not (q[:2] == k[:2] == v[:2] and q[3] == k[3] == v[3] and k[2] == v[2]):
        return False
    return mask is None or (len(mask.shape) in (2, 4) and not getattr(mask, "requires_grad", False))


def _laid_out_as(found: Any, query: Any) -> Any:
    """Return the attention with its axes in memory in the order of those of the queries.

    So heads that stand beside each other in memory can be joined by a view.
    """
    order = order_in_memory(query._data)
    if order == sorted(order):
        return found
    return bind(arranged, (found,), (tuple(order),), face=_OWNER)


def _check(query: Any, key: Any, value: Any, mask: Any, is_causal: bool, enable_gqa: bool) -> None:
    kinds = [x.dtype for x in (query, key, value)]
    if len({*kinds}) > 1:
        q, k, v = (kind.cpp_name for kind in kinds)
        raise RuntimeError(
            "Expected query, key, and value to have the same dtype, but got query.dtype: "
            f"{q} key.dtype: {k} and value.dtype: {v} instead."
        )
    ranks = [len(x.shape) for x in (query, key, value)]
    if min(ranks) < 2 or (enable_gqa and min(ranks) < 3):
        q, k, v = ranks
        raise RuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
            f"{q} key.dim: {k} and value.dim: {v} instead."
        )
    if mask is None:
        return
    if mask.dtype is not bool_ and mask.dtype is not query.dtype:
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got "
            f"attn_mask.dtype: {mask.dtype.cpp_name} and  query.dtype: {query.dtype.cpp_name} "
            "instead."
        )
    if is_causal:
        raise RuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
            "is_causal=True"
        )
