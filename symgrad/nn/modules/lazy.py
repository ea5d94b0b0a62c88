"""Layers that read the number of features off their first argument: `LazyLinear` and norms.

They are loaded when one is asked for (`symgrad.nn.uninitialized`). Convolutions are in `lazy_conv`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from symgrad.expr.dtypes import int64
from symgrad.functions.creation import CREATION
from symgrad.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d
from symgrad.nn.modules.instancenorm import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from symgrad.nn.modules.linear import Linear
from symgrad.nn.uninitialized import UninitializedBuffer, UninitializedParameter, is_lazy
from symgrad.record.modes import no_grad

__all__ = [
    "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "LazyInstanceNorm1d",
    "LazyInstanceNorm2d", "LazyInstanceNorm3d", "LazyLinear", "LazyModuleMixin",
]  # fmt: skip


class LazyModuleMixin:
    """What modules have in common that get the shapes of parameters from their first argument.

    A class inherits it before a module, and states `initialize_parameters`; its instances become
    instances of `cls_to_become` then.

    Parameters
    ----------
    *args, **kwargs
        As those of the module.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.nn.modules.lazy import LazyModuleMixin
    >>> isinstance(torch.nn.LazyLinear(2), LazyModuleMixin)
    True
    """

    cls_to_become: ClassVar[type[Any] | None] = None

    _parameters: Any
    _buffers: Any
    _non_persistent_buffers_set: set[str]
    _load_hook: Any
    _initialize_hook: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own: Any = self
        self._load_hook = own._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = own.register_forward_pre_hook(
            self._infer_parameters, with_kwargs=True
        )

    def _tensors(self) -> list[tuple[str, Any]]:
        return [*self._parameters.items(), *self._buffers.items()]

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, x in self._tensors():
            if x is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = x if is_lazy(x) or keep_vars else x.detach()

    def _lazy_load_hook(self, state_dict: Any, prefix: str, *rest: Any) -> None:
        """Give parameters the shapes that they have in a state."""
        for name, x in self._tensors():
            given = state_dict.get(prefix + name)
            if x is not None and given is not None and is_lazy(x) and not is_lazy(given):
                with no_grad():
                    x.materialize(given.shape)

    def _load_tensor(self, name: str, x: Any, key: str, given: Any, assign: bool) -> str:
        if is_lazy(x) and is_lazy(given):
            return ""
        made: Any = super()
        wrong: str = made._load_tensor(name, x, key, given, assign)
        return wrong

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Give the parameters their shapes, and values.

        Parameters
        ----------
        *args, **kwargs
            Those of the first call.

        Raises
        ------
        NotImplementedError
            Unless a subclass states it.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.LazyLinear(2)
        >>> layer.initialize_parameters(torch.ones(1, 3))
        >>> layer.weight.shape
        torch.Size([2, 3])
        """
        raise NotImplementedError(
            f"initialize_parameters is not implemented for {type(self).__name__}"
        )

    def has_uninitialized_params(self) -> bool:
        """Return whether a parameter or buffer has no shape yet.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.LazyLinear(2).has_uninitialized_params()
        True
        """
        return any(is_lazy(x) for _, x in self._tensors())

    def reset_parameters(self) -> None:
        """Draw the parameters anew, if they have shapes.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.LazyLinear(2).reset_parameters()
        """
        if not self.has_uninitialized_params() and self._width():
            made: Any = super()
            made.reset_parameters()

    def _width(self) -> int:
        """Return how many features there are, as far as known; 0 where they are not."""
        return 0

    def _infer_parameters(self, module: Any, args: Any, kwargs: Any = None) -> None:
        """Get the shapes, before the first call."""
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {module._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook, module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become


class LazyLinear(LazyModuleMixin, Linear):
    """`Linear`, whose `in_features` is the length of its first argument.

    Parameters
    ----------
    out_features : int
        The length of the last axis of the result.
    bias : bool
        Whether there is a bias.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.LazyLinear(2)
    >>> layer
    LazyLinear(in_features=0, out_features=2, bias=True)
    >>> _ = layer(torch.ones(4, 3))
    >>> layer
    Linear(in_features=3, out_features=2, bias=True)
    """

    cls_to_become = Linear

    def __init__(
        self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(0, 0, False)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def _width(self) -> int:
        return self.in_features

    def initialize_parameters(self, input: Any) -> None:
        """Give the parameters their shapes, and values.

        Parameters
        ----------
        input : Tensor
            The first argument.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.LazyLinear(2)
        >>> layer.initialize_parameters(torch.ones(1, 3))
        >>> layer.weight.shape
        torch.Size([2, 3])
        """
        width = input.shape[-1]
        if self.has_uninitialized_params():
            with no_grad():
                self.in_features = width
                self.weight.materialize((self.out_features, width))
                if self.bias is not None:
                    self.bias.materialize((self.out_features,))
                self.reset_parameters()
        if self.in_features == 0:  # a state was loaded
            if width != self.weight.shape[-1]:
                raise AssertionError(
                    f"The in_features inferred from input: {width} is not equal to in_features "
                    f"from self.weight: {self.weight.shape[-1]}"
                )
            self.in_features = width


class LazyNorm(LazyModuleMixin):
    """What norms have in common that get `num_features` from their first argument.

    Parameters
    ----------
    eps, momentum, affine, track_running_stats, device, dtype, bias
        As those of the norm.
    """

    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any
    num_features: int

    def __init__(
        self, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, device: Any = None, dtype: Any = None, *,
        bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(0, eps, momentum, False, False, device, dtype, bias=False)
        self.affine, self.track_running_stats = affine, track_running_stats
        options = {"device": device, "dtype": dtype}
        if affine:
            self.weight = UninitializedParameter(**options)
            if bias:
                self.bias = UninitializedParameter(**options)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(**options)
            self.running_var = UninitializedBuffer(**options)
            self.num_batches_tracked = CREATION["tensor"](0, dtype=int64)

    def _width(self) -> int:
        return self.num_features

    def initialize_parameters(self, input: Any) -> None:
        """Give parameters and statistics their shapes, and values.

        Parameters
        ----------
        input : Tensor
            The first argument.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.LazyBatchNorm1d()
        >>> layer.initialize_parameters(torch.ones(2, 3))
        >>> layer.running_mean
        tensor([0., 0., 0.])
        """
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for _, x in self._tensors():
            if is_lazy(x):
                x.materialize((self.num_features,))
        self.reset_parameters()


class LazyBatchNorm1d(LazyNorm, BatchNorm1d):
    """`BatchNorm1d`, whose `num_features` is the number of channels of its first argument.

    Parameters
    ----------
    eps, momentum, affine, track_running_stats, bias
        As those of `BatchNorm1d`.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.LazyBatchNorm1d()
    >>> _ = layer(torch.ones(2, 3, 4))
    >>> type(layer).__name__, layer.num_features
    ('BatchNorm1d', 3)
    """

    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(LazyNorm, BatchNorm2d):
    """`BatchNorm2d`, whose `num_features` is the number of channels of its first argument.

    Parameters
    ----------
    eps, momentum, affine, track_running_stats, bias
        As those of `BatchNorm2d`.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.LazyBatchNorm2d()
    >>> _ = layer(torch.ones(2, 3, 4, 4))
    >>> type(layer).__name__, layer.num_features
    ('BatchNorm2d', 3)
    """

    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(LazyNorm, BatchNorm3d):
    """`BatchNorm3d`, whose `num_features` is the number of channels of its first argument.

    Parameters
    ----------
    eps, momentum, affine, track_running_stats, bias
        As those of `BatchNorm3d`.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.LazyBatchNorm3d()
    >>> _ = layer(torch.ones(2, 3, 4, 4, 4))
    >>> type(layer).__name__, layer.num_features
    ('BatchNorm3d', 3)
    """

    cls_to_become = BatchNorm3d


class LazyInstanceNorm1d(LazyNorm, InstanceNorm1d):
    """`InstanceNorm1d`, whose `num_features` is the number of channels of its first argument.

    Parameters
    ----------
    eps, momentum, affine, track_running_stats, bias
        As those of `InstanceNorm1d`.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.LazyInstanceNorm1d()
    >>> _ = layer(torch.ones(2, 3, 4))
    >>> type(layer).__name__, layer.num_features
    ('InstanceNorm1d', 3)
    """

    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(LazyNorm, InstanceNorm2d):
    """`InstanceNorm2d`, whose `num_features` is the number of channels of its first argument.

    Parameters
    ----------
    eps, momentum, affine, track_running_stats, bias
        As those of `InstanceNorm2d`.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.LazyInstanceNorm2d()
    >>> _ = layer(torch.ones(2, 3, 4, 4))
    >>> type(layer).__name__, layer.num_features
    ('InstanceNorm2d', 3)
    """

    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(LazyNorm, InstanceNorm3d):
    """`InstanceNorm3d`, whose `num_features` is the number of channels of its first argument.

    Parameters
    ----------
    eps, momentum, affine, track_running_stats, bias
        As those of `InstanceNorm3d`.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.LazyInstanceNorm3d()
    >>> _ = layer(torch.ones(2, 3, 4, 4, 4))
    >>> type(layer).__name__, layer.num_features
    ('InstanceNorm3d', 3)
    """

    cls_to_become = InstanceNorm3d
