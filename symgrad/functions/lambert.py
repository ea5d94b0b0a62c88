"""What users call of `symgrad.ops.lambert`."""

from __future__ import annotations

from typing import Any

from symgrad.ops.lambert import lambertw, lower_lambert
from symgrad.ops.primitive import bind
from symgrad.schema.public import public


@public("special.lambertw(Tensor z, int k=0) -> Tensor")
def _lambertw(z: Any, k: int = 0) -> Any:
    """Return a real branch of Lambert's W function, which solves `w * exp(w) = z`, at each `z`.

    It is nan where the branch is not real. The higher derivatives have up to 32 ulps; next to -1/e, where
    they are infinite, derivatives have as many digits as `1 + W` has.

    Parameters
    ----------
    k : 0 or -1
        The branch: that from -1 up, of `z` from -1/e on, or that from -1 down, of `z` between -1/e and 0.

    Raises
    ------
    ValueError
        If `k` is another branch, all of whose values are complex.

    Examples
    --------
    >>> import symgrad as torch
    >>> z = torch.tensor([0.0, 1.0], requires_grad=True)
    >>> w = torch.special.lambertw(z)
    >>> w
    tensor([0.0000, 0.5671], grad_fn=<LambertwBackward0>)
    >>> w.sum().backward()
    >>> z.grad
    tensor([1.0000, 0.3619])
    >>> torch.special.lambertw(torch.tensor([-0.2]), k=-1)
    tensor([-2.5426])
    """
    if k not in (0, -1):
        raise ValueError(f"lambertw() takes k=0 or k=-1, the branches that are real, got k={k}")
    return bind(lower_lambert if k else lambertw, (z,))
