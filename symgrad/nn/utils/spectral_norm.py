"""Weights over their largest singular value, by the old way of hooks: `spectral_norm`."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from symgrad.nn.modules.module import Module
from symgrad.nn.parameter import Parameter
from symgrad.record.modes import no_grad

__all__ = ["SpectralNorm", "remove_spectral_norm", "spectral_norm"]


def usual_axis(module: Module) -> int:
    """Return the axis of the outputs in the weight of a module."""
    return int(isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)))


def as_matrix(weight: Any, dim: int) -> Any:
    """Return a weight as a matrix whose rows belong to the places of an axis."""
    if dim != 0:
        weight = weight.permute(dim, *[d for d in range(len(weight.shape)) if d != dim])
    return weight.reshape(weight.shape[0], -1)


def drawn_directions(matrix: Any, eps: float) -> tuple[Any, Any]:
    """Return random vectors of length 1 for both sides of a matrix."""
    with no_grad():
        u, v = (matrix.new_empty(n).normal_(0, 1) for n in matrix.shape)
        return F.normalize(u, dim=0, eps=eps), F.normalize(v, dim=0, eps=eps)


class SpectralNorm:
    """The hook that computes a weight before each call.

    Parameters
    ----------
    name : str
        The name of the weight.
    n_power_iterations : int
        How many steps of the power method each call takes in training.
    dim : int
        The axis of the outputs.
    eps : float
        The least length that vectors are divided by.

    Raises
    ------
    ValueError
        If there are no steps.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.nn.utils.spectral_norm import SpectralNorm
    >>> SpectralNorm().name
    'weight'
    """

    def __init__(
        self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12
    ) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.name, self.dim = name, dim
        self.n_power_iterations, self.eps = n_power_iterations, eps

    def reshape_weight_to_matrix(self, weight: Any) -> Any:
        """Return a weight as a matrix.

        Parameters
        ----------
        weight : Tensor
            The weight.
        """
        return as_matrix(weight, self.dim)

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Any:
        """Return the weight.

        Parameters
        ----------
        module : Module
            The module that has it.
        do_power_iteration : bool
            Whether to take the steps first.
        """
        weight, u, v = (getattr(module, f"{self.name}_{end}") for end in ("orig", "u", "v"))
        matrix = as_matrix(weight, self.dim)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(F.normalize(matrix.t().mv(u), dim=0, eps=self.eps))
                    u.copy_(F.normalize(matrix.mv(v), dim=0, eps=self.eps))
                u, v = u.clone(), v.clone()
        return weight / u.dot(matrix.mv(v))

    def remove(self, module: Module) -> None:
        """Let the weight be a parameter again.

        Parameters
        ----------
        module : Module
            The module that has it.
        """
        with no_grad():
            weight = self.compute_weight(module, False)
        for end in ("", "_u", "_v", "_orig"):
            delattr(module, f"{self.name}{end}")
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, module.training))

    @staticmethod
    def apply(
        module: Module, name: str, n_power_iterations: int, dim: int, eps: float
    ) -> SpectralNorm:
        """Add the hook to a module.

        Parameters
        ----------
        module : Module
            The module.
        name, n_power_iterations, dim, eps
            As those of the class.
        """
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, SpectralNorm) and hook.name == name:
                raise RuntimeError(
                    f"Cannot register two spectral_norm hooks on the same parameter {name}"
                )
        made = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        u, v = drawn_directions(as_matrix(weight.detach(), dim), eps)
        delattr(module, name)
        module.register_parameter(f"{name}_orig", weight)
        setattr(module, name, weight.data)
        module.register_buffer(f"{name}_u", u)
        module.register_buffer(f"{name}_v", v)
        module.register_forward_pre_hook(made)
        return made


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12,
    dim: int | None = None,
) -> Module:  # fmt: skip
    """Let a weight be divided by its largest singular value before each call.

    Parameters
    ----------
    module : Module
        The module that has it.
    name : str
        Its name.
    n_power_iterations : int
        How many steps of the power method each call takes in training.
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
    RuntimeError
        If it is divided already.

    References
    ----------
    T. Miyato et al., "Spectral normalization for generative adversarial networks" (2018).

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.utils.spectral_norm(torch.nn.Linear(2, 3))
    >>> [name for name, _ in layer.named_buffers()]
    ['weight_u', 'weight_v']
    """
    axis = usual_axis(module) if dim is None else dim
    SpectralNorm.apply(module, name, n_power_iterations, axis, eps)
    return module


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Let a weight be a parameter again.

    Parameters
    ----------
    module : Module
        The module that has it.
    name : str
        Its name.

    Returns
    -------
    Module
        The module.

    Raises
    ------
    ValueError
        If it is one.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.utils.spectral_norm(torch.nn.Linear(2, 3))
    >>> [name for name, _ in torch.nn.utils.remove_spectral_norm(layer).named_parameters()]
    ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"spectral_norm of '{name}' not found in {module}")
