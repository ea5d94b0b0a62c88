"""Functions of `nn.functional` that may change their argument, and dropout."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from symgrad.expr.shapes import Shape
from symgrad.functions import families  # noqa: F401 - states flags
from symgrad.functions.creation.making import drawn, laid_out_like
from symgrad.random.default_stream import default_generator
from symgrad.schema.arguments import check_flag, real, tensor_argument
from symgrad.schema.public import BODIES, FUNCTIONS, IN_PLACE_BY_FLAG, SCHEMAS, public


@public(
    "nn.functional.relu(Tensor input, object inplace=False) -> Tensor",
    python=True,
    in_place="function",
)
def _relu(input: Any, inplace: bool = False) -> Any:
    """Return the positive part of each element of `input`; its derivative at 0 is 0.

    Parameters
    ----------
    input : Tensor or ArrayExpr

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-1.0, 2.0])
    >>> torch.nn.functional.relu(x, inplace=True)
    tensor([0., 2.])
    >>> x
    tensor([0., 2.])
    """
    return tensor_argument("relu_", input).relu_() if inplace else FUNCTIONS["relu"](input)


def _enter_in_place(name: str) -> None:
    """Enter the form in place of a function that has a parameter `inplace`."""
    (plain,) = SCHEMAS[name, False].texts
    f, short = BODIES[name], name.rpartition(".")[2]

    def changed(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs, inplace=True)

    signature = inspect.signature(f)
    taken = [p for p in signature.parameters.values() if p.name != "inplace"]
    changed.__signature__ = signature.replace(parameters=taken)  # type: ignore[attr-defined]
    changed.__doc__ = f"Replace `input` by its `{short}`, in place, and return it.\n\n{f.__doc__}"
    text = plain.replace(", object inplace=False", "").replace(f"{name}(", f"{name}_(")
    public(text, method=False)(changed)


for _name in tuple(IN_PLACE_BY_FLAG):
    _enter_in_place(_name)


@public(
    "nn.functional.dropout(Tensor input, float p=0.5, object training=True, object inplace=False) -> Tensor",
    python=True,
)
def _dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Return `input` with each element zero with probability `p`, the others over `1 - p`.

    Parameters
    ----------
    input : Tensor
    p : float
    training : bool
        Without it nothing is left out.

    Raises
    ------
    ValueError
        If `p` is no probability.
    TypeError
        If `input` is no tensor: what is left out is drawn, and a formula draws nothing.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.ones(3)
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.dropout(x, 0.5)
    tensor([0., 0., 2.])
    >>> torch.nn.functional.dropout(x, 0.5, training=False) is x
    True
    """
    p = real("dropout", "p", 2, p)
    training, inplace = check_flag("dropout", "train", training, 3), bool(inplace)
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    x = tensor_argument("dropout", input)
    kind = x._aval.dtype.numpy

    def factors(shape: Shape) -> np.ndarray[Any, Any]:
        kept = default_generator.bernoulli(1 - p, shape, kind)
        return kept if p == 1 else kept / kept.dtype.type(1 - p)

    noise = laid_out_like(x, lambda shape: drawn(shape, factors))
    return input.mul_(noise) if inplace else input * noise
