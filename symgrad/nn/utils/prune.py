"""PyTorch's `nn.utils.prune`: a mask keeps some elements of parameters, others are zeros."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

from symgrad.functions.creation import CREATION
from symgrad.nn.modules.module import Module
from symgrad.nn.utils.convert_parameters import parameters_to_vector
from symgrad.nn.utils.pruning import BasePruningMethod, PruningContainer
from symgrad.schema.public import FUNCTIONS

__all__ = [
    "BasePruningMethod",
    "CustomFromMask",
    "Identity",
    "L1Unstructured",
    "LnStructured",
    "PruningContainer",
    "RandomStructured",
    "RandomUnstructured",
    "custom_from_mask",
    "global_unstructured",
    "identity",
    "is_pruned",
    "l1_unstructured",
    "ln_structured",
    "random_structured",
    "random_unstructured",
    "remove",
]


def _check_amount(amount: Any) -> None:
    if not isinstance(amount, Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    whole = isinstance(amount, Integral)
    if (whole and amount < 0) or (not whole and not 0.0 <= float(amount) <= 1.0):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative "
            "integer"
        )


def _count(amount: Any, size: int) -> int:
    """Return how many of `size` elements or channels an amount is."""
    count = int(amount) if isinstance(amount, Integral) else round(float(amount) * size)
    if count > size:
        raise ValueError(
            f"amount={count} should be smaller than the number of parameters to prune={size}"
        )
    return count


def _channels(t: Any, dim: int) -> int:
    """Return the number of channels along an axis of several."""
    if len(t.shape) <= 1:
        raise ValueError(
            "Structured pruning can only be applied to multidimensional tensors. Found tensor of "
            f"shape {t.shape} with {len(t.shape)} dims"
        )
    if dim >= len(t.shape):
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")
    return int(t.shape[dim])


def _mask_of_channels(t: Any, dim: int, kept: Any, mask: Any) -> Any:
    """Return a mask without the channels that are not kept."""
    made = CREATION["zeros_like"](t.detach())
    places: list[Any] = [slice(None)] * len(t.shape)
    places[dim] = kept
    made[tuple(places)] = 1
    return made * mask.to(dtype=made.dtype)


class Identity(BasePruningMethod):
    """A mask of ones.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.utils.prune.Identity().prune(torch.tensor([1.0, 2.0]))
    tensor([1., 2.])
    """

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        return default_mask


class _Elements(BasePruningMethod, ABC):
    """A method that prunes an amount of elements."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount: float) -> None:
        _check_amount(amount)
        self.amount = amount

    @abstractmethod
    def _places(self, t: Any, count: int) -> Any:
        """Return where `count` elements are pruned, as the elements lie in a row."""

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        count = _count(self.amount, t.numel())
        mask = default_mask.clone()
        if count:
            mask.view(-1)[self._places(t.detach(), count)] = 0
        return mask


class RandomUnstructured(_Elements):
    """Zeros at random places.

    Parameters
    ----------
    amount : int or float
        How many elements, or which share of them.

    Examples
    --------
    >>> import symgrad as torch
    >>> (torch.nn.utils.prune.RandomUnstructured(0.5).prune(torch.ones(4)) == 0).sum()
    tensor(2)
    """

    def _places(self, t: Any, count: int) -> Any:
        return CREATION["rand_like"](t).view(-1).topk(count).indices


class L1Unstructured(_Elements):
    """Zeros in the place of the smallest elements.

    Parameters
    ----------
    amount : int or float
        How many elements, or which share of them.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.utils.prune.L1Unstructured(1).prune(torch.tensor([3.0, -1.0, 2.0]))
    tensor([3., -0., 2.])
    """

    def _places(self, t: Any, count: int) -> Any:
        return t.abs().view(-1).topk(count, largest=False).indices


class RandomStructured(BasePruningMethod):
    """Zeros in channels at random.

    Parameters
    ----------
    amount : int or float
        How many channels, or which share of them.
    dim : int
        The axis along which they lie.

    Examples
    --------
    >>> import symgrad as torch
    >>> kept = torch.nn.utils.prune.RandomStructured(1, 0).prune(torch.ones(3, 2))
    >>> (kept.sum(1) == 0).sum()
    tensor(1)
    """

    PRUNING_TYPE = "structured"

    def __init__(self, amount: float, dim: int = -1) -> None:
        _check_amount(amount)
        self.amount, self.dim = amount, dim

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        channels = _channels(t, self.dim)
        count = _count(self.amount, channels)
        if not count:
            return default_mask
        chances = CREATION["rand"](channels)
        kept = chances > chances.kthvalue(count).values
        return _mask_of_channels(t, self.dim, kept, default_mask)


class LnStructured(BasePruningMethod):
    """Zeros in the channels that are shortest by a norm.

    Parameters
    ----------
    amount : int or float
        How many channels, or which share of them.
    n : int, float or str
        Which norm, as `p` of `torch.norm`.
    dim : int
        The axis along which they lie.

    Examples
    --------
    >>> import symgrad as torch
    >>> t = torch.tensor([[3.0, 4.0], [1.0, 1.0]])
    >>> torch.nn.utils.prune.LnStructured(1, n=2, dim=0).prune(t)
    tensor([[3., 4.],
            [0., 0.]])
    """

    PRUNING_TYPE = "structured"

    def __init__(self, amount: float, n: Any, dim: int = -1) -> None:
        _check_amount(amount)
        self.amount, self.n, self.dim = amount, n, dim

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        channels = _channels(t, self.dim)
        count = _count(self.amount, channels)
        if not count:
            return default_mask
        rank = len(t.shape)
        others = [d for d in range(rank) if d != self.dim % rank]
        lengths = FUNCTIONS["norm"](t.detach(), p=self.n, dim=others)
        return _mask_of_channels(t, self.dim, lengths.topk(channels - count).indices, default_mask)


class CustomFromMask(BasePruningMethod):
    """Zeros where a given mask has them.

    Parameters
    ----------
    mask : Tensor
        The mask.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.utils.prune.CustomFromMask(torch.tensor([1, 0])).prune(torch.ones(2))
    tensor([1., 0.])
    """

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape "
                f"{self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module: Module, name: str) -> Module:
    """Give a parameter a mask of ones.

    Parameters
    ----------
    module : Module
        The module.
    name : str
        The name of the parameter.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.utils.prune.identity(torch.nn.Linear(2, 3), "bias").bias_mask
    tensor([1., 1., 1.])
    """
    Identity.apply(module, name)
    return module


def random_unstructured(module: Module, name: str, amount: float) -> Module:
    """Zero elements of a parameter at random.

    Parameters
    ----------
    module : Module
        The module.
    name : str
        The name of the parameter.
    amount : int or float
        How many elements, or which share of those that are left.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.utils.prune.random_unstructured(torch.nn.Linear(2, 3), "weight", 1)
    >>> (layer.weight_mask == 0).sum()
    tensor(1)
    """
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(
    module: Module, name: str, amount: float, importance_scores: Any = None
) -> Module:
    """Zero the smallest elements of a parameter.

    Parameters
    ----------
    module : Module
        The module.
    name : str
        The name of the parameter.
    amount : int or float
        How many elements, or which share of those that are left.
    importance_scores : Tensor, optional
        What is compared in the place of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.utils.prune.l1_unstructured(torch.nn.Linear(2, 3), "weight", 0.2)
    >>> list(layer.state_dict())
    ['bias', 'weight_orig', 'weight_mask']
    """
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: Module, name: str, amount: float, dim: int) -> Module:
    """Zero channels of a parameter at random.

    Parameters
    ----------
    module : Module
        The module.
    name : str
        The name of the parameter.
    amount : int or float
        How many channels, or which share of those that are left.
    dim : int
        The axis along which they lie.

    Examples
    --------
    >>> import symgrad as torch
    >>> prune = torch.nn.utils.prune
    >>> layer = prune.random_structured(torch.nn.Linear(5, 3), "weight", amount=3, dim=1)
    >>> (layer.weight.sum(0) == 0).sum()
    tensor(3)
    """
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Module, name: str, amount: float, n: Any, dim: int, importance_scores: Any = None
) -> Module:
    """Zero the channels of a parameter that are shortest by a norm.

    Parameters
    ----------
    module : Module
        The module.
    name : str
        The name of the parameter.
    amount : int or float
        How many channels, or which share of those that are left.
    n : int, float or str
        Which norm, as `p` of `torch.norm`.
    dim : int
        The axis along which they lie.
    importance_scores : Tensor, optional
        What is measured in the place of the parameter.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.Conv2d(5, 3, 2)
    >>> _ = torch.nn.utils.prune.ln_structured(layer, "weight", amount=0.4, n=2, dim=1)
    >>> layer.weight_mask.sum((0, 2, 3)).count_nonzero()
    tensor(3)
    """
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def global_unstructured(
    parameters: Iterable[tuple[Module, str]],
    pruning_method: Any,
    importance_scores: Any = None,
    **kwargs: Any,
) -> None:
    """Zero elements of several parameters, chosen among all of them.

    Parameters
    ----------
    parameters : iterable
        Modules, each with the name of a parameter.
    pruning_method : class
        How elements are chosen.
    importance_scores : dict, optional
        What is compared in the place of a parameter, by module and name.
    **kwargs
        Arguments of the method.

    Examples
    --------
    >>> import symgrad as torch
    >>> prune = torch.nn.utils.prune
    >>> net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
    >>> chosen = [(layer, "weight") for layer in net]
    >>> prune.global_unstructured(chosen, pruning_method=prune.L1Unstructured, amount=4)
    >>> sum((layer.weight == 0).sum() for layer in net)
    tensor(4)
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    pairs = list(parameters)
    values = [getattr(module, name) for module, name in pairs]
    shown = [scores.get(pair, x) for pair, x in zip(pairs, values, strict=True)]
    masks = [
        getattr(module, f"{name}_mask", CREATION["ones_like"](x))
        for (module, name), x in zip(pairs, values, strict=True)
    ]
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method '
            f"{pruning_method} of type {method.PRUNING_TYPE}"
        )
    mask = PruningContainer(method).compute_mask(
        parameters_to_vector(shown), parameters_to_vector(masks)
    )
    parts = mask.split([x.numel() for x in values])
    for (module, name), x, part in zip(pairs, values, parts, strict=True):
        custom_from_mask(module, name, part.view_as(x))


def custom_from_mask(module: Module, name: str, mask: Any) -> Module:
    """Zero a parameter where a mask has zeros.

    Parameters
    ----------
    module : Module
        The module.
    name : str
        The name of the parameter.
    mask : Tensor
        The mask.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer, mask = torch.nn.Linear(5, 3), torch.tensor([0, 1, 0])
    >>> torch.nn.utils.prune.custom_from_mask(layer, "bias", mask).bias_mask
    tensor([0., 1., 0.])
    """
    CustomFromMask.apply(module, name, mask)
    return module


def remove(module: Module, name: str) -> Module:
    """Let the pruned values of a parameter be the parameter.

    Parameters
    ----------
    module : Module
        The module.
    name : str
        The name of the parameter.

    Raises
    ------
    ValueError
        If it is not pruned.

    Examples
    --------
    >>> import symgrad as torch
    >>> prune = torch.nn.utils.prune
    >>> layer = prune.random_unstructured(torch.nn.Linear(5, 7), "weight", 0.2)
    >>> list(prune.remove(layer, "weight").state_dict())
    ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(
        f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed"
    )


def is_pruned(module: Module) -> bool:
    """Return whether a parameter of a module, or of one inside of it, is pruned.

    Parameters
    ----------
    module : Module
        The module.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer, prune = torch.nn.Linear(2, 2), torch.nn.utils.prune
    >>> prune.is_pruned(layer), prune.is_pruned(prune.identity(layer, "bias"))
    (False, True)
    """
    return any(
        isinstance(hook, BasePruningMethod)
        for inner in module.modules()
        for hook in inner._forward_pre_hooks.values()
    )
