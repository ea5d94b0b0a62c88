"""The state of a module as a dictionary: taken out, put in again, and the hooks of both."""

from __future__ import annotations

import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from symgrad.nn.modules.registration import Registration
from symgrad.nn.parameter import Parameter
from symgrad.record.modes import no_grad
from symgrad.record.record import Recorded, wrap
from symgrad.schema.dispatch import is_of_pytorch
from symgrad.support.hooks import RemovableHandle, add_hook

Hook = Callable[..., Any]


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """The keys that `load_state_dict` missed, and those that it did not expect."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"

    __str__ = __repr__


#: The key of what `get_extra_state` returns.
_EXTRA = "_extra_state"

_POSITIONAL = (
    "Positional args are being deprecated, use kwargs instead. Refer to "
    "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for "
    "details."
)


class State(Registration):
    """The state of a module, its parameters and persistent buffers, by their paths."""

    _version: int = 1
    _state_dict_hooks: OrderedDict[int, Hook]
    _state_dict_pre_hooks: OrderedDict[int, Hook]
    _load_state_dict_pre_hooks: OrderedDict[int, Hook]
    _load_state_dict_post_hooks: OrderedDict[int, Hook]

    def _init_state(self) -> None:
        for name in State.__annotations__:
            if name != "_version":
                self.__dict__[name] = OrderedDict()

    def _local_state(self) -> dict[str, Any]:
        """Return the parameters and persistent buffers of this module alone."""
        kept = {
            name: x for name, x in self._buffers.items()
            if name not in self._non_persistent_buffers_set
        }  # fmt: skip
        return {k: x for k, x in {**self._parameters, **kept}.items() if x is not None}

    # ------------------------------------------------------------------ taken out

    def get_extra_state(self) -> Any:
        """Return what belongs to the state beside tensors: what a subclass states.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Counted(torch.nn.Module):
        ...     def get_extra_state(self):
        ...         return 3
        ...
        ...     def set_extra_state(self, state):
        ...         print("set to", state)
        >>> state = Counted().state_dict()
        >>> list(state.items())
        [('_extra_state', 3)]
        >>> _ = Counted().load_state_dict(state)
        set to 3
        """
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called. Please "
            "file an issue at https://github.com/pytorch/pytorch/issues/new?"
            "template=bug-report.yml to report this bug."
        )

    def set_extra_state(self, state: Any) -> None:
        """Take back what `get_extra_state` returned: what a subclass states.

        Parameters
        ----------
        state : object
            What was returned.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Named(torch.nn.Module):
        ...     def set_extra_state(self, state):
        ...         self.label = state
        >>> named = Named()
        >>> _ = named.load_state_dict({"_extra_state": "first"})
        >>> named.label
        'first'
        """
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called. Please "
            "file an issue at https://github.com/pytorch/pytorch/issues/new?"
            "template=bug-report.yml to report this bug."
        )

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        """Enter the state of this module alone."""
        for name, x in self._local_state().items():
            destination[prefix + name] = x if keep_vars else x.detach()
        if type(self).get_extra_state is not State.get_extra_state:
            destination[prefix + _EXTRA] = self.get_extra_state()

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> Any:
        """Return the parameters and persistent buffers by their paths.

        The tensors share memory with those of the module.

        Parameters
        ----------
        *args
            Old programs give `destination`, `prefix` and `keep_vars` by position.
        destination : dict, optional
            Where they are entered.
        prefix : str
            What stands before the paths.
        keep_vars : bool
            Whether they are the parameters themselves, which require gradients.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Linear(2, 1)
        >>> list(layer.state_dict())
        ['weight', 'bias']
        """
        if args:
            warnings.warn(_POSITIONAL, FutureWarning, stacklevel=2)
            destination = args[0] if destination is None else destination
            prefix = args[1] if len(args) > 1 and not prefix else prefix
            keep_vars = args[2] if len(args) > 2 and not keep_vars else keep_vars
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars
                )
        for hook in self._state_dict_hooks.values():
            replaced = hook(self, destination, prefix, metadata)
            if replaced is not None:
                destination = replaced
        return destination

    # ------------------------------------------------------------------ put in

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: dict[str, Any], strict: bool,
        missing_keys: list[str], unexpected_keys: list[str], error_msgs: list[str],
    ) -> None:  # fmt: skip
        """Take the state of this module alone; note what is missing, unexpected or wrong."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(
                state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                error_msgs,
            )  # fmt: skip
        own = self._local_state()
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, x in own.items():
            key = prefix + name
            if key in state_dict:
                wrong = self._load_tensor(name, x, key, state_dict[key], assign)
                error_msgs += [wrong] if wrong else []
            elif strict:
                missing_keys.append(key)
        extra = prefix + _EXTRA
        if type(self).set_extra_state is not State.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if not strict:
            return
        for key in state_dict:
            if key.startswith(prefix) and key != extra:
                first, _, rest = key[len(prefix) :].partition(".")
                known: Any = self._modules if rest or key.endswith(".") else own
                if first not in known:
                    unexpected_keys.append(key)

    def _load_tensor(self, name: str, x: Any, key: str, given: Any, assign: bool) -> str:
        """Copy, or assign, one tensor; return what is wrong with it, nothing if all is right."""
        if is_of_pytorch(getattr(given, "__torch_function__", None)):
            try:
                given = wrap(np.array(given.detach().numpy()))
            except Exception as error:  # noqa: BLE001 - of a dtype, layout or device without NumPy
                return (
                    f'While copying the parameter named "{key}", an exception occurred : '
                    f"{error.args}."
                )
        if not isinstance(given, Recorded):
            return (
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
                f"object from checkpoint but received {type(given)}"
            )
        new: Any = given
        if x.shape == () and new.shape == (1,):  # as it was saved when no tensor was 0-d
            new = new[0]
        if new.shape != x.shape:
            return (
                f"size mismatch for {key}: copying a param with shape {new.shape} from "
                f"checkpoint, the shape in current model is {x.shape}."
            )
        try:
            if assign:
                self._assign_tensor(name, x, new)
            else:
                with no_grad():
                    x.copy_(new)
        except Exception as error:  # noqa: BLE001 - all that is wrong is raised together
            return (
                f'While copying the parameter named "{key}", whose dimensions in the model are '
                f"{x.size()} and whose dimensions in the checkpoint are {new.size()}, an "
                f"exception occurred : {error.args}."
            )
        return ""

    def _assign_tensor(self, name: str, x: Any, new: Any) -> None:
        """Put a tensor in the place of another, which requires a gradient if that did."""
        if isinstance(x, Parameter):
            if isinstance(new, Parameter):
                new.requires_grad_(x.requires_grad)
            else:
                new = Parameter(new, requires_grad=x.requires_grad)
        setattr(self, name, new)

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> Any:
        """Take the values of a state, in place.

        Parameters
        ----------
        state_dict : dict
            What `state_dict` of such a module returned, here or in PyTorch.
        strict : bool
            Whether keys that are missing, or that the module does not have, are an error.
        assign : bool
            Whether the tensors themselves take the place of those of the module.

        Returns
        -------
        named tuple
            The `missing_keys` and the `unexpected_keys`.

        Raises
        ------
        RuntimeError
            If keys or shapes do not fit.
        TypeError
            If `state_dict` is no dictionary.

        Examples
        --------
        >>> import symgrad as torch
        >>> a, b = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
        >>> b.load_state_dict(a.state_dict())
        <All keys matched successfully>
        >>> torch.equal(a.weight, b.weight)
        True
        >>> b.load_state_dict({"weight": a.weight}, strict=False)
        _IncompatibleKeys(missing_keys=['bias'], unexpected_keys=[])
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        metadata = getattr(state_dict, "_metadata", None)
        copied: Any = OrderedDict(state_dict)
        if metadata is not None:
            copied._metadata = metadata
        keys = _IncompatibleKeys([], [])
        wrong: list[str] = []
        _load(self, copied, "", metadata or {}, assign, keys, wrong)
        if strict:
            for words, found in (("Unexpected", keys[1]), ("Missing", keys[0])):
                if found:
                    quoted = ", ".join([f'"{key}"' for key in found])
                    wrong.insert(0, f"{words} key(s) in state_dict: {quoted}. ")
        if wrong:
            listed = "\n\t".join(wrong)
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{listed}"
            )
        return keys

    # ------------------------------------------------------------------ hooks

    def register_state_dict_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` before the state is taken out.

        Parameters
        ----------
        hook : callable
            Takes the module and the arguments of `state_dict`.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Tanh()
        >>> handle = layer.register_state_dict_pre_hook(lambda *args: print(args[1:]))
        >>> _ = layer.state_dict(prefix="out.")
        ('out.', False)
        """
        return add_hook(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, local_metadata)` with the state taken out.

        Parameters
        ----------
        hook : callable
            May change the state; returns None.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Linear(2, 1)
        >>> handle = layer.register_state_dict_post_hook(lambda m, state, *rest: state.pop("bias"))
        >>> layer.state_dict()
        Traceback (most recent call last):
        ...
        RuntimeError: state_dict post-hook must return None
        """
        return add_hook(self._state_dict_hooks, partial(_returning_nothing, hook))

    def _register_state_dict_hook(self, hook: Hook) -> RemovableHandle:
        """Call the same; what it returns takes the place of the state."""
        return add_hook(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Call a hook before the module takes its state.

        Parameters
        ----------
        hook : callable
            Takes the module, the state, the prefix of the keys of this module, its metadata,
            `strict`, and the lists of missing keys, unexpected keys and messages.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Linear(2, 1, bias=False)
        >>> def renamed(module, state_dict, prefix, *rest):
        ...     state_dict[prefix + "weight"] = state_dict.pop(prefix + "w")
        >>> handle = layer.register_load_state_dict_pre_hook(renamed)
        >>> layer.load_state_dict({"w": torch.ones(1, 2)})
        <All keys matched successfully>
        """
        return add_hook(self._load_state_dict_pre_hooks, partial(hook, self))

    def _register_load_state_dict_pre_hook(
        self, hook: Hook, with_module: bool = False
    ) -> RemovableHandle:
        """Call the same, without the module unless `with_module`."""
        called = partial(hook, self) if with_module else hook
        return add_hook(self._load_state_dict_pre_hooks, called)

    def register_load_state_dict_post_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)` when the module has taken its state.

        Parameters
        ----------
        hook : callable
            May change the two lists; returns None.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Linear(2, 1)
        >>> handle = layer.register_load_state_dict_post_hook(
        ...     lambda module, keys: keys.missing_keys.clear()
        ... )
        >>> layer.load_state_dict({})
        <All keys matched successfully>
        """
        return add_hook(self._load_state_dict_post_hooks, hook)


def _returning_nothing(hook: Hook, *args: Any) -> None:
    if hook(*args) is not None:
        raise RuntimeError("state_dict post-hook must return None")


def _load(
    module: Any, state: Any, prefix: str, metadata: Any, assign: bool, keys: _IncompatibleKeys,
    wrong: list[str],
) -> None:  # fmt: skip
    """Let a module and those inside it take their parts of a state."""
    local = metadata.get(prefix[:-1], {})
    if assign:
        local["assign_to_params_buffers"] = assign
    module._load_from_state_dict(state, prefix, local, True, *keys, wrong)
    for name, child in module._modules.items():
        if child is not None:
            inner = f"{prefix}{name}."
            part = {k: x for k, x in state.items() if k.startswith(inner)}
            _load(child, part, inner, metadata, assign, keys, wrong)
    for hook in module._load_state_dict_post_hooks.values():
        if hook(module, keys) is not None:
            raise AssertionError(
                "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to "
                "return new values, if incompatible_keys need to be modified, it should be done "
                "inplace."
            )
