"""Weights as a length times a direction, by the old way of hooks: `weight_norm`."""

from __future__ import annotations

from typing import Any

from symgrad.nn.modules.module import Module
from symgrad.nn.parameter import Parameter
from symgrad.support.refusals import warn

__all__ = ["WeightNorm", "remove_weight_norm", "weight_norm"]


def lengths_besides(v: Any, dim: int) -> Any:
    """Return the length of what lies at each place of an axis; of all for -1.

    Parameters
    ----------
    v : Tensor
        The array.
    dim : int
        The axis.
    """
    if dim == -1:
        return v.norm(2)
    rank = len(v.shape)
    others = [d for d in range(rank) if d != dim % rank]
    return v.norm(2, others, keepdim=True) if others else v.abs()


def weight_of(v: Any, g: Any, dim: int) -> Any:
    """Return the weight of a direction and of lengths.

    Parameters
    ----------
    v, g : Tensor
        Both.
    dim : int
        The axis of which each place has a length; -1 where all have one.
    """
    return v * (g / lengths_besides(v, dim))


class WeightNorm:
    """The hook that computes a weight before each call.

    Parameters
    ----------
    name : str
        The name of the weight.
    dim : int, optional
        The axis of which each place has a length; by default all have one.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.nn.utils.weight_norm import WeightNorm
    >>> WeightNorm("weight", None).dim
    -1
    """

    def __init__(self, name: str, dim: int | None) -> None:
        self.name, self.dim = name, -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Any:
        """Return the weight.

        Parameters
        ----------
        module : Module
            The module that has it.
        """
        v, g = getattr(module, f"{self.name}_v"), getattr(module, f"{self.name}_g")
        return weight_of(v, g, self.dim)

    @staticmethod
    def apply(module: Module, name: str, dim: int | None) -> WeightNorm:
        """Add the hook to a module.

        Parameters
        ----------
        module : Module
            The module.
        name, dim
            As those of the class.
        """
        warn(
            "`torch.nn.utils.weight_norm` is deprecated in favor of "
            "`torch.nn.utils.parametrizations.weight_norm`.",
            FutureWarning,
        )
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, WeightNorm) and hook.name == name:
                raise RuntimeError(
                    f"Cannot register two weight_norm hooks on the same parameter {name}"
                )
        made = WeightNorm(name, dim)
        weight = getattr(module, name)
        del module._parameters[name]
        module.register_parameter(f"{name}_g", Parameter(lengths_besides(weight, made.dim).data))
        module.register_parameter(f"{name}_v", Parameter(weight.data))
        setattr(module, name, made.compute_weight(module))
        module.register_forward_pre_hook(made)
        return made

    def remove(self, module: Module) -> None:
        """Let the weight be a parameter again.

        Parameters
        ----------
        module : Module
            The module that has it.
        """
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[f"{self.name}_g"]
        del module._parameters[f"{self.name}_v"]
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Let a weight be a length, `weight_g`, times a direction, `weight_v`, before each call.

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

    Raises
    ------
    RuntimeError
        If it is one already.

    References
    ----------
    T. Salimans and D. Kingma, "Weight normalization" (2016).

    Examples
    --------
    >>> import symgrad as torch, warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     layer = torch.nn.utils.weight_norm(torch.nn.Linear(2, 3))
    >>> layer.weight_g.shape
    torch.Size([3, 1])
    """
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
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
    >>> import symgrad as torch, warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     layer = torch.nn.utils.weight_norm(torch.nn.Linear(2, 3))
    >>> _ = torch.nn.utils.remove_weight_norm(layer)
    >>> isinstance(layer.weight, torch.nn.Parameter)
    True
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
