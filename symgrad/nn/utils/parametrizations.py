"""Weights with a norm of their own, or orthogonal: computed whenever they are read."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np

from symgrad.functions.creation import CREATION
from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.module import Module
from symgrad.nn.utils.parametrize import register_parametrization
from symgrad.nn.utils.spectral_norm import as_matrix, drawn_directions, usual_axis
from symgrad.nn.utils.weight_norm import lengths_besides, weight_of
from symgrad.record.modes import no_grad
from symgrad.schema.public import FUNCTIONS, SPACES
from symgrad.tensor.tensor import Tensor

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Any, weight_v: Any) -> Any:
        return weight_of(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Any) -> tuple[Any, Any]:
        return lengths_besides(weight, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Let a weight be a length, `original0`, times a direction, `original1`.

    Parameters
    ----------
    module : Module
        The module that has it.
    name : str
        Its name.
    dim : int, optional
        The axis of which each place has a length; by default all have one.

    Returns
    -------
    Module
        The module.

    References
    ----------
    T. Salimans and D. Kingma, "Weight normalization" (2016).

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 3))
    >>> layer.parametrizations.weight.original0.shape
    torch.Size([3, 1])
    """
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def of_old_name(state: dict[str, Any], prefix: str, *rest: Any) -> None:
        old = [f"{prefix}{name}_{end}" for end in "gv"]
        if all(key in state for key in old):
            for i, key in enumerate(old):
                state[f"{prefix}parametrizations.{name}.original{i}"] = state.pop(key)

    module._register_load_state_dict_pre_hook(of_old_name)
    return module


class _SpectralNorm(Module):
    def __init__(
        self, weight: Any, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12
    ) -> None:
        super().__init__()
        rank = len(weight.shape)
        if not -rank <= dim < rank:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{rank}, {rank - 1}] but "
                f"got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.dim, self.eps = dim % rank, eps
        if rank > 1:
            self.n_power_iterations = n_power_iterations
            matrix = as_matrix(weight.detach(), self.dim)
            u, v = drawn_directions(matrix, eps)
            self.register_buffer("_u", u)
            self.register_buffer("_v", v)
            self._iterate(matrix, 15)

    def _iterate(self, matrix: Any, count: int) -> None:
        """Take steps of the power method: both vectors turn to those of the largest value."""
        with no_grad():
            for _ in range(count):
                self._u.copy_(F.normalize(matrix.mv(self._v), dim=0, eps=self.eps))
                self._v.copy_(F.normalize(matrix.mH.mv(self._u), dim=0, eps=self.eps))

    def forward(self, weight: Any) -> Any:
        if len(weight.shape) == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = as_matrix(weight, self.dim)
        if self.training:
            self._iterate(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / FUNCTIONS["vdot"](u, matrix.mv(v))

    def right_inverse(self, value: Any) -> Any:
        return value


def _weight_of(module: Module, name: str) -> Any:
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return weight


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12,
    dim: int | None = None,
) -> Module:  # fmt: skip
    """Let a weight be divided by its largest singular value.

    Parameters
    ----------
    module : Module
        The module that has it.
    name : str
        Its name.
    n_power_iterations : int
        How many steps of the power method it takes whenever it is read in training.
    eps : float
        The least length that vectors are divided by.
    dim : int, optional
        The axis of the outputs; by default 1 of transposed convolutions, and 0.

    Returns
    -------
    Module
        The module.

    Raises
    ------
    ValueError
        If there is no such weight.

    References
    ----------
    T. Miyato et al., "Spectral normalization for generative adversarial networks" (2018).

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(2, 3))
    >>> float(torch.linalg.matrix_norm(layer.weight.detach(), 2).round(decimals=3))
    1.0
    """
    weight = _weight_of(module, name)
    axis = usual_axis(module) if dim is None else dim
    norm = _SpectralNorm(weight, n_power_iterations, axis, eps)
    return register_parametrization(module, name, norm)


class _Maps(Enum):
    matrix_exp = "matrix_exp"
    cayley = "cayley"
    householder = "householder"


def _is_orthogonal(q: Any) -> bool:
    n, k = q.shape[-2:]
    eps = 10.0 * n * float(np.finfo(q.dtype.numpy).eps)
    one = CREATION["eye"](k, dtype=q.dtype)
    return bool(FUNCTIONS["allclose"](q.mH @ q, one, atol=eps))


def _made_orthogonal(a: Any) -> Any:
    q, r = SPACES["linalg"]["qr"](a)
    return q * r.diagonal(0, -2, -1).sgn().unsqueeze(-2)


class _Orthogonal(Module):
    base: Any

    def __init__(self, weight: Any, orthogonal_map: _Maps, use_trivialization: bool) -> None:
        super().__init__()
        if weight.dtype.is_complex and orthogonal_map is _Maps.householder:
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape, self.orthogonal_map = weight.shape, orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x: Any) -> Any:
        is_wide = x.shape[-2] < x.shape[-1]
        x = x.mT if is_wide else x
        q = self._of_reflections(x) if self.orthogonal_map is _Maps.householder else self._of(x)
        if hasattr(self, "base"):
            q = self.base @ q
        return q.mT if is_wide else q

    def _of(self, x: Any) -> Any:
        """Return the exponential, or Cayley's map, of the skew part of a square matrix."""
        n, k = x.shape[-2:]
        x = x.tril()
        if n != k:
            rest = CREATION["zeros"](*x.shape[:-2], n, n - k, dtype=x.dtype)
            x = FUNCTIONS["cat"]([x, rest], -1)
        a = x - x.mH
        if self.orthogonal_map is _Maps.matrix_exp:
            q = FUNCTIONS["matrix_exp"](a)
        else:
            one = CREATION["eye"](n, dtype=a.dtype)
            q = SPACES["linalg"]["solve"](one - 0.5 * a, one + 0.5 * a)
        return q if n == k else q[..., :k]

    def _of_reflections(self, x: Any) -> Any:
        a = x.tril(-1)
        tau = 2.0 / (1.0 + (a * a).sum(-2))
        q = SPACES["linalg"]["householder_product"](a, tau)
        # The signs on the diagonal do not change.
        return q * x.detach().diagonal(0, -2, -1).trunc().unsqueeze(-2)

    def right_inverse(self, q: Any) -> Any:
        if q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of "
                f"shape {q.shape}."
            )
        with no_grad():
            return self._inverse(q)

    def _inverse(self, given: Any) -> Any:
        is_wide = given.shape[-2] < given.shape[-1]
        q = given.mT if is_wide else given
        n, k = q.shape[-2:]
        if not hasattr(self, "base"):
            if self.orthogonal_map is not _Maps.householder:
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley "
                    "parametrizations when use_trivialization=False."
                )
            found = _reflections(q)
            return found.mT if is_wide else found
        if n != k:
            more = CREATION["randn"](*q.shape[:-2], n, n - k, dtype=q.dtype)
            self.base = _made_orthogonal(FUNCTIONS["cat"]([q, more], -1))
        else:
            self.base = q.clone() if _is_orthogonal(q) else _made_orthogonal(q)
        # The map of this is the unit matrix.
        made = CREATION["zeros_like"](given)
        made.diagonal(0, -2, -1).fill_(-1.0)
        return made


def _reflections(q: Any) -> Any:
    """Return reflections whose product is a matrix, and the signs that it needs on the diagonal."""
    values = np.asarray(q.detach())
    raw, tau = np.linalg.qr(values, mode="raw")
    a = np.array(np.swapaxes(raw, -1, -2))
    at = np.arange(a.shape[-1])
    signs = np.sign(a[..., at, at])
    a[..., at, at] = np.where(tau == 0, -signs, signs)
    return CREATION["tensor"](a, dtype=q.dtype)


def orthogonal(
    module: Module, name: str = "weight", orthogonal_map: str | None = None, *,
    use_trivialization: bool = True,
) -> Module:  # fmt: skip
    """Let a weight be orthogonal: its columns, or else its rows, have length 1 and right angles.

    Parameters
    ----------
    module : Module
        The module that has it.
    name : str
        Its name.
    orthogonal_map : "matrix_exp", "cayley" or "householder", optional
        What makes it of a matrix; by default the first for square and complex ones, else the last.
    use_trivialization : bool
        Whether to start at an orthogonal matrix, a buffer, and to turn that.

    Returns
    -------
    Module
        The module.

    Raises
    ------
    ValueError
        If there is no such weight or map, or the weight is no matrix.

    References
    ----------
    M. Lezcano-Casado, "Trivializations for gradient-based optimization on manifolds" (2019).

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(2, 2))
    >>> torch.allclose(layer.weight @ layer.weight.mT, torch.eye(2), atol=1e-5)
    True
    """
    weight = _weight_of(module, name)
    rank = len(weight.shape)
    if rank < 2:
        raise ValueError(
            f"Expected a matrix or batch of matrices. Got a tensor of {rank} dimensions."
        )
    if orthogonal_map is None:
        is_square = weight.shape[-2] == weight.shape[-1]
        orthogonal_map = "matrix_exp" if is_square or weight.dtype.is_complex else "householder"
    if orthogonal_map not in _Maps.__members__:
        raise ValueError(
            'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: '
            f"{orthogonal_map}"
        )
    made = _Orthogonal(weight, _Maps[orthogonal_map], use_trivialization)
    return register_parametrization(module, name, made, unsafe=True)
