"""The graph as users reach into it: its nodes and edges, and hooks on several tensors at once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from symgrad.autograd.mutation import allow_mutation_on_saved_tensors
from symgrad.backward.edges import GradientEdge, get_gradient_edge
from symgrad.backward.saved import disabled, given_hooks, packing
from symgrad.backward.stages import current_pass
from symgrad.expr.node import ArrayExpr
from symgrad.record.node import GraphNode as Node
from symgrad.record.record import Recorded
from symgrad.record.versions import clock
from symgrad.support.homes import at_home
from symgrad.support.hooks import RemovableHandle
from symgrad.support.scopes import Scope, together
from symgrad.support.untraceable import UntraceableValue

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]

at_home(
    __name__,
    GradientEdge=GradientEdge,
    Node=Node,
    allow_mutation_on_saved_tensors=allow_mutation_on_saved_tensors,
    get_gradient_edge=get_gradient_edge,
)


class saved_tensors_hooks(packing):  # noqa: N801 - PyTorch's name
    """Pack the values that derivatives keep, and unpack them when they are read.

    Of blocks within each other the innermost counts. Each operation whose values are packed is
    differentiated by itself.

    Parameters
    ----------
    pack_hook : callable
        Takes a tensor that an operation in the block keeps for its derivative; what it returns is
        kept instead.
    unpack_hook : callable
        Takes that and returns a tensor of the same shape, dtype and content.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> kept = []
    >>> def pack(t):
    ...     kept.append(t.numpy(force=True).copy())
    ...     return len(kept) - 1
    >>> with torch.autograd.graph.saved_tensors_hooks(pack, lambda i: torch.tensor(kept[i])):
    ...     y = (x * x).sum()
    >>> kept
    [array([1., 2.], dtype=float32), array([1., 2.], dtype=float32)]
    >>> y.backward()
    >>> x.grad
    tensor([2., 4.])
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        Scope.__init__(self)
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        self.hooks = given_hooks(self.pack_hook, self.unpack_hook)
        super().__enter__()


class save_on_cpu(saved_tensors_hooks):  # noqa: N801 - PyTorch's name
    """Keep the values that derivatives need on the CPU, where they are anyway.

    Parameters
    ----------
    pin_memory : bool
        Accepted: there is no device to pin memory for.
    device_type : str
        Accepted.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> with torch.autograd.graph.save_on_cpu():
    ...     y = (x * x).sum()
    >>> y.backward()
    >>> x.grad
    tensor([2., 4.])
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(_without_history, _as_it_is)


def _without_history(x: Any) -> Any:
    return x.detach()  # a node that keeps its own result would keep itself alive


def _as_it_is(x: Any) -> Any:
    return x


def disable_saved_tensors_hooks(error_message: str) -> AbstractContextManager[None]:
    """Refuse hooks for saved tensors in a `with` block.

    Parameters
    ----------
    error_message : str
        What the refusal says.

    Raises
    ------
    RuntimeError
        With that message, where hooks hold already.

    Examples
    --------
    >>> import symgrad as torch
    >>> with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
    ...     with torch.autograd.graph.save_on_cpu():
    ...         pass
    Traceback (most recent call last):
    ...
    RuntimeError: not here
    """
    return disabled(error_message)


def increment_version(tensor: Any) -> None:
    """Note that the memory of tensors was changed by other means than tensor operations.

    Parameters
    ----------
    tensor : Tensor or iterable of Tensor
        What was changed. Gradients that need its old value refuse from now on.

    Raises
    ------
    RuntimeError
        For anything else.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> x.numpy()[0] = 5.0
    >>> torch.autograd.graph.increment_version(x)
    >>> x._version
    1
    """
    if isinstance(tensor, Recorded):
        tensor = (tensor,)
    if not isinstance(tensor, Iterable):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    given = tuple(tensor)
    for x in given:  # before any of them is changed
        if not isinstance(x, Recorded):
            error = UntraceableValue if isinstance(x, ArrayExpr) else RuntimeError
            raise error("increment_version expects each element of the iterable to be a tensor")
    for x in given:
        x._storage().bump(clock())


class _MultiHandle(RemovableHandle):
    """The handle of a hook on several tensors."""

    def __init__(self, handles: tuple[RemovableHandle, ...]) -> None:
        Scope.__init__(self)
        self.handles = handles

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()

    def _back(self) -> Callable[[], Any]:
        return together(*[handle._back() for handle in self.handles])

    def __getstate__(self) -> Any:
        return self.handles

    def __setstate__(self, state: Any) -> None:
        Scope.__init__(self)
        self.handles = state


_MODES = ("all", "any")


def register_multi_grad_hook(
    tensors: Sequence[Any], fn: Callable[[Any], None], *, mode: str = "all"
) -> RemovableHandle:
    """Call a function once in each backward pass, when gradients of several tensors are known.

    Parameters
    ----------
    tensors : sequence of Tensor
        The tensors whose gradients are waited for, except those that the pass does not reach.
    fn : callable
        With "all" it takes a list: the gradient of each tensor, None where there is none. With
        "any" it takes the first gradient that is computed.
    mode : {"all", "any"}
        Whether to wait for all gradients or for one.

    Returns
    -------
    RemovableHandle
        Its `remove()` takes the hook away.

    Raises
    ------
    ValueError
        For another mode.

    Examples
    --------
    >>> import symgrad as torch
    >>> a = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> b = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> handle = torch.autograd.graph.register_multi_grad_hook((a, b), print)
    >>> (a * b).sum().backward()
    [tensor([3., 4.]), tensor([1., 2.])]
    """
    if mode not in _MODES:
        raise ValueError(f"Expects mode to be one of {_MODES} but got {mode}")
    if mode == "all":
        return _MultiHandle(_hooks_on_all(tensors, fn))

    key = object()

    @functools.wraps(fn)
    def first(grad: Any) -> None:
        memory = current_pass().memory
        if key not in memory:
            memory[key] = True
            fn(grad)

    return _MultiHandle(tuple([x.register_hook(first) for x in tensors if x.requires_grad]))


def _hooks_on_all(tensors: Sequence[Any], fn: Callable[[Any], None]) -> tuple[RemovableHandle, ...]:
    key = object()
    vertices = []
    for x in tensors:
        if not x.requires_grad:
            raise AssertionError("Expected gradient function to be set")
        vertices.append(x._vertex or x._leaf())

    def arrived(i: int, grad: Any) -> None:
        run = current_pass()
        if key not in run.memory:
            run.memory[key] = [0, sum(map(run.reaches, vertices)), [None] * len(vertices)]
        waiting = run.memory[key]
        waiting[0] += 1
        waiting[2][i] = grad
        if waiting[0] == waiting[1]:
            fn(run.memory.pop(key)[2])

    return tuple([x.register_hook(functools.partial(arrived, i)) for i, x in enumerate(tensors)])
