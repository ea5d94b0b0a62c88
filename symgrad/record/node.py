"""What `grad_fn` is to a user: the names, links and hooks of a place in the graph.

The tape's own classes (`symgrad.record.tape`) inherit it. What few nodes have (hooks, a gradient
to retain, metadata) stands in an `Extra`, so that the others pay nothing for it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NoReturn

from symgrad.expr.devices import device
from symgrad.support.hooks import RemovableHandle, add_hook
from symgrad.support.locks import making

#: Attributes of nodes that `dir` does not list.
INTERNAL = frozenset(("_avals", "_vertex"))

HookTable = OrderedDict[int, Callable[..., Any]]


#: Stands for gradients of the dtype of the leaf itself.
OWN_DTYPE: Any = object()


class Extra:
    """Hooks, metadata and packed values of a vertex.

    Attributes
    ----------
    retain : weakref or None
        The tensor that retains its gradient, which is no leaf.
    hooks : OrderedDict
        Called with the gradient of the value; may replace it.
    prehooks, posthooks : OrderedDict
        Called before and after the operation is differentiated.
    accumulated : OrderedDict
        Called with the leaf after its gradient was added to.
    metadata : dict
        The entries that users make in `grad_fn.metadata`.
    packed : dict
        The residuals that hooks packed, by their place; see `symgrad.backward.saved`.
    grad_dtype : dtype or None, or OWN_DTYPE
        The dtype of gradients of a leaf; None for any.
    """

    __slots__ = (
        "accumulated", "grad_dtype", "hooks", "metadata", "packed", "posthooks", "prehooks",
        "retain",
    )  # fmt: skip

    def __init__(self) -> None:
        self.retain: Any = None
        self.hooks: HookTable = OrderedDict()
        self.prehooks: HookTable = OrderedDict()
        self.posthooks: HookTable = OrderedDict()
        self.accumulated: HookTable = OrderedDict()
        self.metadata: dict[Any, Any] = {}
        self.packed: dict[int, Any] = {}
        self.grad_dtype: Any = OWN_DTYPE

    def stops(self) -> bool:
        """Return whether a gradient has to be handed out on its way."""
        return bool(
            self.hooks
            or self.prehooks
            or self.posthooks
            or self.accumulated
            or self.packed
            or self.grad_dtype is not OWN_DTYPE
        )

    def only_looks(self) -> bool:
        """Return whether there are hooks on the value, and nothing else stops there."""
        others = self.prehooks or self.posthooks or self.accumulated or self.packed
        return bool(self.hooks) and not others

    def add_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Enter a hook on the value."""
        return add_hook(self.hooks, hook)

    def of_leaf(self) -> Extra:
        """Return the `Extra` of the leaf that replaces the vertex."""
        return self


class Stop(Extra):
    """The `Extra` of a node that is differentiated in Python, and never part of a plan."""

    __slots__ = ()

    def stops(self) -> bool:
        return True


def extra_of(vertex: Any) -> Extra:
    """Return the `Extra` of a vertex, made on first use."""
    found: Extra | None = vertex.extra
    if found is None:
        with making:
            found = vertex.extra
            if found is None:
                found = vertex.extra = vertex.new_extra()
    return found


class InputMetadata:
    """Shape, dtype and device of a gradient that comes in at a node."""

    __slots__ = ("_aval",)

    is_nested_tensor = is_cpp_nested_tensor = False

    def __init__(self, aval: Any) -> None:
        self._aval = aval

    @property
    def shape(self) -> list[int]:
        """The lengths of the axes."""
        return list(self._aval.shape)

    @property
    def dtype(self) -> Any:
        """The element type."""
        return self._aval.dtype

    @property
    def device(self) -> Any:
        """Where the gradient is: the CPU."""
        return device("cpu")


class GraphNode:
    """A place in the graph through which gradients pass: what `grad_fn` is.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> isinstance((2 * x).grad_fn, torch.autograd.graph.Node)
    True
    """

    __slots__ = ()

    def __init__(self) -> None:
        if type(self) is GraphNode:
            raise TypeError("Can't instantiate abstract class Node")

    def __dir__(self) -> list[str]:
        # The attributes of the tape are not listed.
        return [name for name in (*dir(object), *vars(GraphNode)) if name not in INTERNAL]

    #: Whether gradients pass through: there would be no node otherwise.
    requires_grad = True
    #: The place in the graph.
    _vertex: Any

    def name(self) -> str:
        """Return PyTorch's name of the node, as in "MulBackward0".

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> (x * 2).grad_fn.name()
        'MulBackward0'
        """
        raise NotImplementedError  # each kind of node has its own

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {hex(id(self))}>"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The nodes that gradients go on to, each with the number of its result.

        The node is None for an operand that requires no gradient.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> [node.name() for node, _ in (x.exp() + x.sin()).grad_fn.next_functions]
        ['ExpBackward0', 'SinBackward0']
        """
        return ()

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dict for notes of your own.

        Examples
        --------
        >>> import symgrad as torch
        >>> y = torch.ones(2, requires_grad=True).exp()
        >>> y.grad_fn.metadata["made in"] = "layer 1"
        >>> y.grad_fn.metadata
        {'made in': 'layer 1'}
        """
        return extra_of(self._vertex).metadata

    def register_hook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call `fn(grad_inputs, grad_outputs)` after the node was differentiated.

        Parameters
        ----------
        fn : callable
            Takes two tuples of tensors or None: the gradients of the operands and of the results.
            It may return a tuple that replaces the first; it must not change them in place.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> y = x * x
        >>> handle = y.grad_fn.register_hook(lambda inputs, outputs: print(inputs))
        >>> y.sum().backward()
        (tensor([1., 2.]), tensor([1., 2.]))
        """
        return add_hook(extra_of(self._vertex).posthooks, fn)

    def register_prehook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call `fn(grad_outputs)` before the node is differentiated.

        Parameters
        ----------
        fn : callable
            Takes a tuple of tensors or None; may return a tuple that replaces it.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> y = x * x
        >>> handle = y.grad_fn.register_prehook(lambda outputs: (3 * outputs[0],))
        >>> y.sum().backward()
        >>> x.grad
        tensor([ 6., 12.])
        """
        return add_hook(extra_of(self._vertex).prehooks, fn)

    def _avals(self) -> tuple[Any, ...]:
        """Return shape and dtype of each result."""
        raise NotImplementedError  # each kind of node has its own

    @property
    def _input_metadata(self) -> tuple[InputMetadata, ...]:
        """Shape, dtype and device of each gradient that arrives, which are those of the results."""
        return tuple([InputMetadata(aval) for aval in self._avals()])

    def _sequence_nr(self) -> int:
        return int(self._vertex.seq)
