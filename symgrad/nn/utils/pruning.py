"""Masks of parameters, and the hooks that multiply by them: what `prune` is made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from symgrad.functions.creation import CREATION
from symgrad.nn.modules.module import Module

__all__ = ["BasePruningMethod", "PruningContainer"]


class BasePruningMethod(ABC):
    """A way to choose a mask, and the hook that multiplies by it before each call.

    The parameter `name` becomes `name_orig`, and the buffer `name_mask` stands beside it.
    `PRUNING_TYPE` says what a subclass chooses among where there is a mask already: of the elements
    that are left ("unstructured"), of the channels that are left ("structured"), of all ("global").

    Examples
    --------
    >>> import symgrad as torch
    >>> class Small(torch.nn.utils.prune.BasePruningMethod):
    ...     PRUNING_TYPE = "unstructured"
    ...
    ...     def compute_mask(self, t, default_mask):
    ...         return default_mask * (t.abs() > 1)
    >>> layer = torch.nn.Linear(2, 1)
    >>> _ = torch.nn.init.constant_(layer.weight, 0.5)
    >>> method = Small.apply(layer, "weight")
    >>> layer.weight
    tensor([[0., 0.]], grad_fn=<MulBackward0>)
    """

    PRUNING_TYPE: str
    _tensor_name: str | None = None

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, str(self._tensor_name), self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask for a parameter.

        Parameters
        ----------
        t : Tensor
            How much each element counts.
        default_mask : Tensor
            The mask so far.

        Examples
        --------
        >>> import symgrad as torch
        >>> method = torch.nn.utils.prune.L1Unstructured(1)
        >>> method.compute_mask(torch.tensor([3.0, -1.0]), torch.ones(2))
        tensor([1., 0.])
        """

    def apply_mask(self, module: Module) -> Any:
        """Return the parameter where the mask is one, else zeros.

        Parameters
        ----------
        module : Module
            The module that has it.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer, mask = torch.nn.Linear(1, 2), torch.tensor([1, 0])
        >>> _ = torch.nn.init.ones_(layer.bias)
        >>> method = torch.nn.utils.prune.CustomFromMask.apply(layer, "bias", mask)
        >>> method.apply_mask(layer)
        tensor([1., 0.], grad_fn=<MulBackward0>)
        """
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        original = getattr(module, f"{self._tensor_name}_orig")
        return getattr(module, f"{self._tensor_name}_mask").to(dtype=original.dtype) * original

    @classmethod
    def apply(
        cls, module: Module, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any
    ) -> BasePruningMethod:
        """Prune a parameter of a module, and return the hook for that.

        Parameters
        ----------
        module : Module
            The module.
        name : str
            The name of the parameter.
        *args, **kwargs
            Arguments of the class.
        importance_scores : Tensor, optional
            How much each element counts; by default what its value says.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Linear(2, 3)
        >>> method = torch.nn.utils.prune.L1Unstructured.apply(layer, "weight", 2)
        >>> layer.weight_mask.sum()
        tensor(4.)
        """
        method = _beside_others(cls(*args, **kwargs), module, name)
        original = getattr(module, name)
        scores = original if importance_scores is None else importance_scores
        if scores.shape != original.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter {name} of {module}, "
                f"got {scores.shape} vs {original.shape}"
            )
        is_first = not isinstance(method, PruningContainer)
        if is_first:
            module.register_parameter(f"{name}_orig", original)
            del module._parameters[name]
            mask = CREATION["ones_like"](original)
        else:
            mask = getattr(module, f"{name}_mask").detach().clone()
        try:
            found = method.compute_mask(scores, default_mask=mask)
            module.register_buffer(f"{name}_mask", found)
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if is_first:
                module.register_parameter(name, getattr(module, f"{name}_orig"))
                del module._parameters[f"{name}_orig"]
            raise
        return method

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """Return a tensor, pruned.

        Parameters
        ----------
        t : Tensor
            The tensor.
        default_mask : Tensor, optional
            The mask so far; by default ones.
        importance_scores : Tensor, optional
            How much each element counts; by default what its value says.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.utils.prune.L1Unstructured(1).prune(torch.tensor([3.0, 1.0]))
        tensor([3., 0.])
        """
        scores = t if importance_scores is None else importance_scores
        if scores.shape != t.shape:
            raise AssertionError(
                "importance_scores should have the same shape as tensor t, got "
                f"{scores.shape} vs {t.shape}"
            )
        mask = CREATION["ones_like"](t) if default_mask is None else default_mask
        return t * self.compute_mask(scores, default_mask=mask)

    def remove(self, module: Module) -> None:
        """Let the pruned values be a parameter again.

        Parameters
        ----------
        module : Module
            The module that has them.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Linear(2, 3)
        >>> method = torch.nn.utils.prune.L1Unstructured.apply(layer, "weight", 2)
        >>> method.remove(layer)
        >>> list(layer.state_dict())
        ['bias', 'weight']
        """
        name = self._tensor_name
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        kept = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original: Any = module._parameters[f"{name}_orig"]
        original.data = kept.data
        del module._parameters[f"{name}_orig"]
        del module._buffers[f"{name}_mask"]
        setattr(module, name, original)


def _beside_others(method: BasePruningMethod, module: Module, name: str) -> BasePruningMethod:
    """Return the hook that takes the place of those of a parameter, with one more method."""
    method._tensor_name = name
    hooks = module._forward_pre_hooks
    others = [
        key
        for key, hook in hooks.items()
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name
    ]
    if len(others) > 1:
        raise AssertionError(
            f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. "
            "Use a PruningContainer."
        )
    if not others:
        return method
    old: Any = hooks.pop(others[0])
    container = old if isinstance(old, PruningContainer) else PruningContainer(old)
    container.add_pruning_method(method)
    return container


class PruningContainer(BasePruningMethod):
    """Several methods, one after the other: the last one chooses among what the others left.

    Parameters
    ----------
    *args : BasePruningMethod
        The methods, for one parameter.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer, prune = torch.nn.Linear(2, 2), torch.nn.utils.prune
    >>> _ = prune.l1_unstructured(layer, "weight", 1)
    >>> _ = prune.l1_unstructured(layer, "weight", 1)
    >>> layer.weight_mask.sum()
    tensor(2.)
    >>> [type(hook).__name__ for hook in layer._forward_pre_hooks.values()]
    ['PruningContainer']
    """

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[Any, ...] = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Add a method.

        Parameters
        ----------
        method : BasePruningMethod
            The method, for the parameter of the others.

        Examples
        --------
        >>> import symgrad as torch
        >>> prune = torch.nn.utils.prune
        >>> container = prune.PruningContainer()
        >>> container.add_pruning_method(prune.L1Unstructured(1))
        >>> len(container)
        1
        """
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(
                f"Can only add pruning methods acting on the parameter named "
                f"'{self._tensor_name}' to PruningContainer {self}. Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: Any) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask so far without what the last method chooses.

        Parameters
        ----------
        t : Tensor
            How much each element counts.
        default_mask : Tensor
            The mask so far.

        Examples
        --------
        >>> import symgrad as torch
        >>> prune = torch.nn.utils.prune
        >>> container = prune.PruningContainer(prune.L1Unstructured(1))
        >>> container.compute_mask(torch.tensor([3.0, 1.0, 2.0]), torch.tensor([1.0, 0.0, 1.0]))
        tensor([1., 0., 0.])
        """
        method = self._pruning_methods[-1]
        left: Any
        if method.PRUNING_TYPE == "unstructured":
            left = default_mask == 1
        elif method.PRUNING_TYPE == "structured":
            if not hasattr(method, "dim"):
                raise AttributeError(
                    'Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` '
                    "defined."
                )
            rank = len(t.shape)
            dim = method.dim + rank if method.dim < 0 else method.dim
            if dim < 0:
                raise IndexError(f"Index is out of bounds for tensor with dimensions {rank}")
            kept = default_mask.sum(dim=[d for d in range(rank) if d != dim]) != 0
            left = tuple([kept if d == dim else slice(None) for d in range(rank)])
        elif method.PRUNING_TYPE == "global":
            left = (slice(None),) * len(t.shape)
        else:
            raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        mask = default_mask.to(dtype=t.dtype).clone()
        part = method.compute_mask(t[left], default_mask=default_mask[left])
        mask[left] = part.to(dtype=mask.dtype)
        return mask
