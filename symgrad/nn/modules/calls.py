"""Calling a module: its hooks, before and after `forward` and the gradients through it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any

from symgrad.nn.modules.passing import GradientHooks
from symgrad.record.record import Recorded
from symgrad.support.hooks import RemovableHandle, add_hook
from symgrad.support.refusals import warn
from symgrad.tensor.tensor import Tensor

Hook = Callable[..., Any]
Hooks = OrderedDict[int, Hook]


class HookTable:
    """Hooks of calls: those of one module, or those of all.

    Attributes
    ----------
    _forward_pre_hooks, _forward_hooks, _backward_pre_hooks, _backward_hooks : OrderedDict
        The hooks by number.
    _forward_pre_hooks_with_kwargs, _forward_hooks_with_kwargs : OrderedDict
        The numbers of those that take keyword arguments.
    _forward_hooks_always_called : OrderedDict
        The numbers of those that are called although `forward` raised an error.
    _is_full_backward_hook : bool or None
        Whether hooks of gradients are those of the whole module; None where there are none.
    """

    _forward_pre_hooks: Hooks
    _forward_hooks: Hooks
    _backward_pre_hooks: Hooks
    _backward_hooks: Hooks
    _forward_pre_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks_always_called: OrderedDict[int, bool]
    _is_full_backward_hook: bool | None

    def _init_hooks(self) -> None:
        own = self.__dict__
        for name in HookTable.__annotations__:
            own[name] = OrderedDict()
        own["_is_full_backward_hook"] = None

    def _has_hooks(self) -> bool:
        """Return whether there is a hook."""
        own = self.__dict__
        return bool(
            own["_forward_hooks"]
            or own["_forward_pre_hooks"]
            or own["_backward_hooks"]
            or own["_backward_pre_hooks"]
        )


class _Everywhere(HookTable):
    """The hooks of all modules."""

    def __init__(self) -> None:
        self._init_hooks()


everywhere = _Everywhere()


class Calls(HookTable):
    """What a module does when it is called."""

    def forward(self, *input: Any) -> Any:
        """Compute the result of a call: what a subclass states.

        Parameters
        ----------
        *input : Tensor or ArrayExpr
            The arguments of the call. Layers call theirs `input`, losses `input` and `target`.

        Raises
        ------
        NotImplementedError
            If the subclass does not state it.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Double(torch.nn.Module):
        ...     def forward(self, input):
        ...         return 2 * input
        >>> Double()(torch.ones(2))
        tensor([2., 2.])
        """
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        own = self.__dict__
        if not (
            own["_forward_hooks"] or own["_forward_pre_hooks"] or own["_backward_hooks"]
            or own["_backward_pre_hooks"] or everywhere._has_hooks()
        ):  # fmt: skip
            return self.forward(*args, **kwargs)
        return self._call_with_hooks(args, kwargs)

    def _call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        called: set[int] = set()
        try:
            args, kwargs = self._before(args, kwargs)
            gradients = self._gradient_hooks()
            if gradients is not None:
                args = gradients.of_inputs(args)
            result = self.forward(*args, **kwargs)
            for table in (everywhere, self):
                for number, hook in list(table._forward_hooks.items()):
                    if number in table._forward_hooks_always_called:
                        called.add(number)
                    changed = self._after(table, number, hook, args, kwargs, result)
                    result = result if changed is None else changed
            if gradients is not None:
                result = gradients.of_results(result)
            else:
                self._hook_last_nodes(args, result)
            return result
        except Exception:
            self._call_always(called, args, kwargs)
            raise

    def _before(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments as the hooks before `forward` leave them."""
        for table in (everywhere, self):
            for number, hook in list(table._forward_pre_hooks.items()):
                if number in table._forward_pre_hooks_with_kwargs:
                    both = hook(self, args, kwargs)
                    if both is None:
                        continue
                    if not (isinstance(both, tuple) and len(both) == 2):
                        raise RuntimeError(
                            "forward pre-hook must return None or a tuple of (new_args, "
                            f"new_kwargs), but got {both}."
                        )
                    args, kwargs = both
                    continue
                changed = hook(self, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        return args, kwargs

    def _after(
        self, table: HookTable, number: int, hook: Hook, args: Any, kwargs: Any, result: Any
    ) -> Any:
        if number in table._forward_hooks_with_kwargs:
            return hook(self, args, kwargs, result)
        return hook(self, args, result)

    def _call_always(self, called: set[int], args: Any, kwargs: Any) -> None:
        """Call the hooks that are called after an error, too, and have not been called."""
        for table in (everywhere, self):
            for number, hook in list(table._forward_hooks.items()):
                if number in table._forward_hooks_always_called and number not in called:
                    try:
                        self._after(table, number, hook, args, kwargs, None)
                    except Exception as error:  # noqa: BLE001 - the first error is raised
                        which = "global " if table is everywhere else ""
                        warn(
                            f"{which}module forward hook with ``always_call=True`` raised an "
                            f"exception that was silenced as another error was raised in forward: "
                            f"{error}"
                        )

    # ------------------------------------------------------------------ hooks of gradients

    def _gradient_hooks(self) -> GradientHooks | None:
        """Return the hooks of the gradients of one call; None where there are none."""
        before: list[Hook] = []
        after: list[Hook] = []
        for table in (everywhere, self):
            before += table._backward_pre_hooks.values()
            if table._is_full_backward_hook:
                after += table._backward_hooks.values()
        return GradientHooks(self, after, before) if before or after else None

    def _hook_last_nodes(self, args: Any, result: Any) -> None:
        """Let the hooks of `register_backward_hook` see the gradients of the last operation."""
        hooks: list[Hook] = []
        for table in (everywhere, self):
            if table._is_full_backward_hook is False:
                hooks += table._backward_hooks.values()
        found: Any = result
        while hooks and not isinstance(found, Recorded):
            if isinstance(found, dict):
                found = next((x for x in found.values() if isinstance(x, Recorded)), None)
            elif isinstance(found, (tuple, list)) and found:
                found = found[0]
            else:
                return
        node: Any = found.grad_fn if hooks else None
        if node is None:
            return
        for hook in hooks:
            node.register_hook(partial(hook, self))
        before = {x.grad_fn for x in args if isinstance(x, Tensor)}
        if before - {None} != {f for f, _ in node.next_functions}:
            warn(_SEVERAL_NODES, FutureWarning)

    # ------------------------------------------------------------------ registration

    def register_forward_pre_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before `forward`; what it returns replaces the arguments.

        Parameters
        ----------
        hook : callable
            Returns None, a tuple of arguments, or one argument.
        prepend : bool
            Whether it comes before the others.
        with_kwargs : bool
            Whether it takes the keyword arguments as well, and returns both.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.ReLU()
        >>> handle = layer.register_forward_pre_hook(lambda module, args: (args[0] - 1,))
        >>> layer(torch.tensor([0.5, 3.0]))
        tensor([0., 2.])
        """
        table = self._forward_pre_hooks
        handle = add_hook(table, hook, [self._forward_pre_hooks_with_kwargs])
        if with_kwargs:
            self._forward_pre_hooks_with_kwargs[handle.id] = True
        if prepend:
            table.move_to_end(handle.id, last=False)
        return handle

    def register_forward_hook(
        self,
        hook: Hook,
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after `forward`; what it returns replaces the output.

        Parameters
        ----------
        hook : callable
            Returns None or a new output.
        prepend : bool
            Whether it comes before the others.
        with_kwargs : bool
            Whether it takes the keyword arguments as well, after `args`.
        always_call : bool
            Whether it is called although `forward` raised an error, with the output None.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.ReLU()
        >>> handle = layer.register_forward_hook(lambda module, args, output: 10 * output)
        >>> layer(torch.tensor([-1.0, 3.0]))
        tensor([ 0., 30.])
        """
        handle = _add_forward_hook(self, hook, with_kwargs, always_call)
        if prepend:
            self._forward_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_full_backward_pre_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` when the gradients of the output have been computed.

        Parameters
        ----------
        hook : callable
            Returns None or a tuple that replaces these gradients.
        prepend : bool
            Whether it comes before the others.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Linear(2, 1)
        >>> handle = layer.register_full_backward_pre_hook(lambda module, grads: print(grads))
        >>> layer(torch.ones(2, requires_grad=True)).sum().backward()
        (tensor([1.]),)
        """
        handle = add_hook(self._backward_pre_hooks, hook)
        if prepend:
            self._backward_pre_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_full_backward_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` when both gradients have been computed.

        Parameters
        ----------
        hook : callable
            Returns None or a tuple that replaces the gradients of the inputs.
        prepend : bool
            Whether it comes before the others.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.ReLU()
        >>> handle = layer.register_full_backward_hook(lambda module, to, of: print(to, of))
        >>> layer(torch.tensor([-1.0, 2.0], requires_grad=True)).sum().backward()
        (tensor([0., 1.]),) (tensor([1., 1.]),)
        """
        _set_kind(self, True)
        handle = add_hook(self._backward_hooks, hook)
        if prepend:
            self._backward_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_backward_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` for the last operation of `forward`.

        `register_full_backward_hook` sees the gradients of the whole module.

        Parameters
        ----------
        hook : callable
            Returns None or a tuple that replaces the gradients of the operands.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Tanh()
        >>> handle = layer.register_backward_hook(lambda module, to, of: print(of))
        >>> x = torch.zeros(2, requires_grad=True)
        >>> layer(2 * x).sum().backward()
        (tensor([1., 1.]),)
        """
        _set_kind(self, False)
        return add_hook(self._backward_hooks, hook)


_TWO_KINDS = (
    "Cannot use both regular backward hooks and full backward hooks {}. Please use only one of "
    "them."
)
_SEVERAL_NODES = (
    "Using a non-full backward hook when the forward contains multiple autograd Nodes is "
    "deprecated and will be removed in future versions. This hook will be missing some "
    "grad_input. Please use register_full_backward_hook to get the documented behavior."
)


def _set_kind(table: HookTable, is_full: bool) -> None:
    """Note of which kind the hooks of gradients are; RuntimeError where there are others."""
    if table._is_full_backward_hook is not None and table._is_full_backward_hook != is_full:
        where = "as a global Module hook" if table is everywhere else "on a single Module"
        raise RuntimeError(_TWO_KINDS.format(where))
    table.__dict__["_is_full_backward_hook"] = is_full


# ------------------------------------------------------------------ hooks of all modules


def register_module_forward_pre_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, args)` before `forward` of each module."""
    return add_hook(everywhere._forward_pre_hooks, hook)


def register_module_forward_hook(
    hook: Hook, *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Call `hook(module, args, output)` after `forward` of each module."""
    return _add_forward_hook(everywhere, hook, with_kwargs, always_call)


def register_module_full_backward_pre_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, grad_output)` with the gradients of the output of each module."""
    return add_hook(everywhere._backward_pre_hooks, hook)


def register_module_full_backward_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, grad_input, grad_output)` with both gradients of each module."""
    _set_kind(everywhere, True)
    return add_hook(everywhere._backward_hooks, hook)


def register_module_backward_hook(hook: Hook) -> RemovableHandle:
    """Call the same for the last operation of each module."""
    _set_kind(everywhere, False)
    return add_hook(everywhere._backward_hooks, hook)


def _add_forward_hook(
    table: HookTable, hook: Hook, with_kwargs: bool, always_call: bool
) -> RemovableHandle:
    marks = [table._forward_hooks_with_kwargs, table._forward_hooks_always_called]
    handle = add_hook(table._forward_hooks, hook, marks)
    for mark, is_set in zip(marks, (with_kwargs, always_call), strict=True):
        if is_set:
            mark[handle.id] = True
    return handle
