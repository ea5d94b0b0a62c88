"""Parameters of modules that are computed of others, whenever they are read."""

from __future__ import annotations

import copy
import copyreg
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from symgrad.nn.modules.container import ModuleDict, ModuleList
from symgrad.nn.modules.module import Module
from symgrad.nn.parameter import Parameter
from symgrad.record.modes import no_grad
from symgrad.record.nesting import carried
from symgrad.support.scopes import Block
from symgrad.tensor.tensor import Tensor

__all__ = [
    "ParametrizationList", "cached", "is_parametrized", "register_parametrization",
    "remove_parametrizations", "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]  # fmt: skip


class _Held(threading.local):
    """What parameters were computed as within `cached`; None outside of it."""

    values: dict[tuple[int, str], Any] | None = None


_held = carried(_Held())


class cached(Block):  # noqa: N801 - PyTorch's name
    """Within a block, each parameter is computed once, and is the same tensor from then on.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 2))
    >>> with torch.nn.utils.parametrize.cached():
    ...     layer.weight is layer.weight
    True
    >>> layer.weight is layer.weight
    False
    """

    def __enter__(self) -> None:
        held = _held.values
        self._put(vars(_held), "values", {} if held is None else held)


def _register(module: Module, name: str, x: Any) -> None:
    """Register a tensor as what it is."""
    if isinstance(x, Parameter):
        module.register_parameter(name, x)
    else:
        module.register_buffer(name, x)


def _is_sequence(x: Any) -> bool:
    return isinstance(x, Sequence) and not isinstance(x, str)


class ParametrizationList(ModuleList):
    """What a parameter is computed of, `original`, or `original0` and so on, and by which modules.

    Parameters
    ----------
    modules : sequence of Module
        The modules, in order; the first one may take several tensors.
    original : Tensor
        The parameter as it was.
    unsafe : bool
        Whether shape and dtype may change.

    Raises
    ------
    ValueError
        If there is no module, or what they return does not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 2))
    >>> found = layer.parametrizations.weight
    >>> isinstance(found, torch.nn.utils.parametrize.ParametrizationList)
    True
    >>> [name for name, _ in found.named_parameters()]
    ['original0', 'original1']
    """

    def __init__(self, modules: Sequence[Module], original: Any, unsafe: bool = False) -> None:
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, kind = original.shape, original.dtype
        with no_grad():
            new = original
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    with suppress(NotImplementedError):  # then it is the identity
                        new = module.right_inverse(new)
        if not isinstance(new, Tensor) and not _is_sequence(new):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(new).__name__}"
            )
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            if kind is not new.dtype:
                raise ValueError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                    f"original.dtype: {kind}\nright_inverse(original).dtype: {new.dtype}"
                )
            with no_grad():
                original.set_(new)
            _register(self, "original", original)
        else:
            for i, part in enumerate(new):
                if not isinstance(part, Tensor):
                    raise ValueError(
                        "'right_inverse' must return a Tensor or a Sequence of tensors (list, "
                        f"tuple...). Got element {i} of the sequence with type "
                        f"{type(part).__name__}."
                    )
                if isinstance(original, Parameter):
                    part = Parameter(part, original.requires_grad)
                part.requires_grad_(original.requires_grad)
                _register(self, f"original{i}", part)
        if not unsafe:
            self._check(self(), shape, kind)

    @staticmethod
    def _check(made: Any, shape: Any, kind: Any) -> None:
        if not isinstance(made, Tensor):
            raise ValueError(f"A parametrization must return a tensor. Got {type(made).__name__}.")
        for word, wanted, got in (("dtype", kind, made.dtype), ("shape", shape, made.shape)):
            if wanted != got:
                raise ValueError(
                    f"Registering a parametrization may not change the {word} of the tensor, "
                    f"unless `unsafe` flag is enabled.\nunparametrized {word}: {wanted}\n"
                    f"parametrized {word}: {got}"
                )

    def right_inverse(self, value: Any) -> None:
        """Set the originals so that the parameter becomes `value`.

        Parameters
        ----------
        value : Tensor
            What it becomes.

        Raises
        ------
        RuntimeError
            If a module has no `right_inverse`.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 1))
        >>> layer.parametrizations.weight.right_inverse(torch.tensor([[3.0, 4.0]]))
        >>> layer.parametrizations.weight.original0.detach()
        tensor([[5.]])
        """
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(
                        f"parametrization {type(module).__name__} does not implement right_inverse."
                    )
                value = module.right_inverse(value)
            if self.is_tensor:
                self._set_one(value)
            else:
                self._set_several(value)

    def _set_one(self, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise ValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
        if value.dtype is not self.original.dtype:
            raise ValueError(
                f"The tensor returned by `right_inverse` has dtype {value.dtype} while `original` "
                f"has dtype {self.original.dtype}"
            )
        self.original.set_(value)

    def _set_several(self, value: Any) -> None:
        if not _is_sequence(value):
            raise ValueError(
                f"'right_inverse' must return a sequence of tensors. Got {type(value).__name__}."
            )
        if len(value) != self.ntensors:
            raise ValueError(
                "'right_inverse' must return a sequence of tensors of length "
                f"{self.ntensors}. Got a sequence of length {len(value)}."
            )
        for i, part in enumerate(value):
            original = getattr(self, f"original{i}")
            if not isinstance(part, Tensor):
                raise ValueError(
                    "'right_inverse' must return a sequence of tensors or reference-type opaques. "
                    f"Got element {i} of type {type(part).__name__}."
                )
            if original.dtype is not part.dtype:
                raise ValueError(
                    f"Tensor {i} returned by `right_inverse` has dtype {part.dtype} while "
                    f"`original{i}` has dtype {original.dtype}"
                )
            original.set_(part)

    def forward(self) -> Any:
        """Return the parameter.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 1))
        >>> layer.parametrizations.weight.forward().shape
        torch.Size([1, 2])
        """
        first, *others = self
        if self.is_tensor:
            x = first(self.original)
        else:
            x = first(*[getattr(self, f"original{i}") for i in range(self.ntensors)])
        for module in others:
            x = module(x)
        return x


def _copied(module: Any, memo: dict[int, Any]) -> Any:
    found = memo.get(id(module))
    if found is not None:
        return found
    made = module.__new__(module.__class__)
    memo[id(module)] = made
    made.__dict__ = copy.deepcopy(module.__dict__, memo)
    slots: Any = copyreg._slotnames(module.__class__)  # type: ignore[attr-defined]
    for slot in slots:
        if hasattr(module, slot):
            setattr(made, slot, copy.deepcopy(getattr(module, slot), memo))
    return made


def _refuse_state(module: Any) -> Any:
    raise RuntimeError(
        "Serialization of parametrized modules is only supported through state_dict(). See:\n"
        "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
        "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
    )


def _give_own_class(module: Module) -> None:
    """Give a module a class of its own, which may have properties."""
    cls = type(module)
    members: dict[str, Any] = {"__getstate__": _refuse_state}
    if not hasattr(cls, "__deepcopy__"):
        members["__deepcopy__"] = _copied
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), members)


def _give_property(module: Module, name: str) -> None:
    def read(self: Any) -> Any:
        computed, values = self.parametrizations[name], _held.values
        if values is None:
            return computed()
        key = (id(self), name)
        if key not in values:
            values[key] = computed()
        return values[key]

    def write(self: Any, value: Any) -> None:
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(read, write))


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Let a parameter or buffer of a module be computed by another module, whenever it is read.

    Parameters
    ----------
    module : Module
        The module.
    tensor_name : str
        The name of the parameter.
    parametrization : Module
        What computes it of the original. Its method `right_inverse`, if it has one, says of which
        original a value is made; it may return several.
    unsafe : bool
        Whether shape and dtype may change.

    Returns
    -------
    Module
        The module.

    Raises
    ------
    ValueError
        If there is no such parameter, or what is computed does not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> class Symmetric(torch.nn.Module):
    ...     def forward(self, x):
    ...         return x.triu() + x.triu(1).mT
    >>> layer = torch.nn.Linear(2, 2)
    >>> _ = torch.nn.utils.parametrize.register_parametrization(layer, "weight", Symmetric())
    >>> bool((layer.weight == layer.weight.mT).all())
    True
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_further(module, tensor_name, parametrization)
        found: Any = module.parametrizations
        found[tensor_name].append(parametrization)
        found[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        made = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _give_own_class(module)
            module.parametrizations = ModuleDict()
        assert not hasattr(module, tensor_name), tensor_name
        _give_property(module, tensor_name)
        module.parametrizations[tensor_name] = made
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element "
            f"with name '{tensor_name}'"
        )
    return module


def _check_further(module: Module, name: str, parametrization: Any) -> None:
    """Raise PyTorch's error if one more step changes shape or dtype."""
    before = getattr(module, name)
    after = parametrization(before)
    if not isinstance(after, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(after).__name__}.")
    for word in ("dtype", "shape"):
        wanted, got = getattr(before, word), getattr(after, word)
        if wanted != got:
            raise ValueError(
                f"Registering a parametrization may not change the {word} of the tensor, unless "
                f"the `unsafe` flag is enabled.\nmodule.{name}.{word}: {wanted}\n"
                f"parametrization(module.{name}).{word}: {got}"
            )
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        back = parametrization.right_inverse(after)
    except NotImplementedError:
        return
    if not isinstance(back, Tensor):
        raise ValueError(
            f"parametrization.right_inverse must return a tensor. Got: {type(back).__name__}"
        )
    for word in ("dtype", "shape"):
        wanted, got = getattr(before, word), getattr(back, word)
        if wanted != got:
            raise ValueError(
                f"The tensor returned by parametrization.right_inverse must have the same {word} "
                f"as module.{name}, unless the `unsafe` flag is enabled.\n"
                f"module.{name}.{word}: {wanted}\nreturned {word}: {got}"
            )


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Return whether a parameter of a module is computed of others, or any is.

    Parameters
    ----------
    module : Module
        The module.
    tensor_name : str, optional
        The name of the parameter.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.utils.parametrize.is_parametrized(torch.nn.Linear(2, 2))
    False
    """
    found = getattr(module, "parametrizations", None)
    if not isinstance(found, ModuleDict):
        return False
    return len(found) > 0 if tensor_name is None else tensor_name in found


def remove_parametrizations(
    module: Module, tensor_name: str, leave_parametrized: bool = True
) -> Module:
    """Let a parameter of a module be a parameter again.

    Parameters
    ----------
    module : Module
        The module.
    tensor_name : str
        The name of the parameter.
    leave_parametrized : bool
        Whether it is what was computed last, not the original.

    Returns
    -------
    Module
        The module.

    Raises
    ------
    ValueError
        If it is not computed, or of several originals that should come back.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 2))
    >>> _ = torch.nn.utils.parametrize.remove_parametrizations(layer, "weight")
    >>> [name for name, _ in layer.named_parameters()]
    ['bias', 'weight']
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    table: Any = module.parametrizations
    found = table[tensor_name]
    if found.is_tensor:
        original = found.original
        if leave_parametrized:
            with no_grad():
                original.set_(getattr(module, tensor_name))
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value) if value.requires_grad else value
    else:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is "
            "parametrized in terms of a sequence of tensors."
        )
    delattr(type(module), tensor_name)
    del table[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        del module.parametrizations
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Module) -> type:
    """Return the class of a module, or that which it had before parameters were computed.

    Parameters
    ----------
    module : Module
        The module.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 2))
    >>> type(layer).__name__
    'ParametrizedLinear'
    >>> torch.nn.utils.parametrize.type_before_parametrizations(layer).__name__
    'Linear'
    """
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Let parameters of a module be computed as those of another one, of the same originals.

    Parameters
    ----------
    from_module, to_module : Module
        The other one, and the module.
    tensor_name : str, optional
        The name of the parameter; by default all that are computed.

    Returns
    -------
    Module
        The module.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 2))
    >>> other = torch.nn.Linear(2, 2)
    >>> _ = torch.nn.utils.parametrize.transfer_parametrizations_and_params(layer, other)
    >>> bool((other.weight == layer.weight).all())
    True
    """
    if is_parametrized(from_module):
        table: Any = from_module.parametrizations
        for name in [*table] if tensor_name is None else [tensor_name]:
            if not hasattr(to_module, name):
                setattr(to_module, name, Parameter(getattr(from_module, name)))
            for parametrization in table[name]:
                register_parametrization(to_module, name, parametrization)
            made: Any = to_module.parametrizations[name]
            originals = ["original"] if table[name].is_tensor else []
            originals = originals or [f"original{i}" for i in range(table[name].ntensors)]
            for original in originals:
                setattr(made, original, getattr(table[name], original))
    return to_module
