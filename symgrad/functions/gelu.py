"""What users call of `symgrad.ops.gelu`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.ops.gelu import gelu, gelu_tanh
from symgrad.ops.primitive import bind
from symgrad.record.face import shows
from symgrad.schema.public import public

shows(gelu, facts=lambda node: {"approximate": "none"})
shows(gelu_tanh, name="Gelu", facts=lambda node: {"approximate": "tanh"})


@public("nn.functional.gelu(Tensor self, *, str approximate='none') -> Tensor")
def gelu_function(input: Any, *, approximate: Any = "none") -> Any:
    """Return `input` times the standard normal distribution function of it.

    Parameters
    ----------
    approximate : "none" or "tanh"
        Whether that function is approximated by a hyperbolic tangent.

    Raises
    ------
    RuntimeError
        For another approximation.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-1.0, 0.0, 2.0])
    >>> torch.nn.functional.gelu(x)
    tensor([-0.1587,  0.0000,  1.9545])
    >>> torch.nn.functional.gelu(x, approximate="tanh")
    tensor([-0.1588,  0.0000,  1.9546])
    """
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return bind(gelu if approximate == "none" else gelu_tanh, (input,))
