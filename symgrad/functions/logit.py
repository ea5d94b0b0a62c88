"""What users call of `symgrad.ops.logit`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.ops.logit import logit, logit_within
from symgrad.ops.primitive import bind
from symgrad.record.face import shows
from symgrad.schema.public import public


def _no_bound(node: Any) -> dict[str, Any]:
    """Return None for the bound that keeps operands from 0 and 1, which was not given."""
    return {"eps": None}


shows(logit, facts=_no_bound)
shows(logit_within, name="Logit", saved=("self", "eps"), facts=_no_bound)


@public(
    "logit(Tensor self, float? eps=None, *, Tensor? out=None) -> Tensor",
    aliases=("special.logit",),
    in_place="function",
)
def _logit(input: Any, eps: Any = None) -> Any:
    """Return `log(x / (1 - x))` of each element of `input`; nan outside of [0, 1].

    Parameters
    ----------
    eps : float, optional
        Elements are first cut off at `eps` and `1 - eps`; the derivative outside of these is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([0.0, 0.25, 0.5, 2.0])
    >>> torch.logit(x)
    tensor([   -inf, -1.0986,  0.0000,     nan])
    >>> torch.logit(x, eps=1e-6)
    tensor([-13.8155,  -1.0986,   0.0000,  13.8023])
    """
    if eps is None:
        return bind(logit, (input,))
    return bind(logit_within, (input, float(eps)))
