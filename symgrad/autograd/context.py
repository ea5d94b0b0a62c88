"""The context of an application of a custom function: `ctx`, and `grad_fn` of the results.

The context has PyTorch's attributes and the user's own. What the tape needs stands in the vertex
(`symgrad.autograd.application`).
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Sequence
from typing import Any, ClassVar

from symgrad.autograd.application import (
    Application,
    Saved,
    is_intermediate,
    saved_tensor,
    tensors_in,
)
from symgrad.backward.modified import refuse_freed
from symgrad.backward.saved import SavedTensor, active
from symgrad.expr.node import ArrayExpr
from symgrad.record.aval import Aval
from symgrad.record.function_node import Result
from symgrad.record.graph_cuts import Cut
from symgrad.record.node import INTERNAL, GraphNode
from symgrad.record.record import Recorded, wrap
from symgrad.record.signature import refuse_inference
from symgrad.record.tape import edge_to
from symgrad.schema.kinds import type_name

_ONCE = (
    "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True is set on the "
    "autograd.Function. Either access saved_tensors only once, or set "
    "clear_saved_tensors_on_access=False."
)


class FunctionCtx:
    """The argument `ctx` that `forward` and `backward` of a custom function share.

    Users may set attributes on it. It is the `grad_fn` of the results.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd.function import FunctionCtx
    >>> class Scale(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx: FunctionCtx, x, factor):
    ...         ctx.factor = factor
    ...         return x * factor
    ...
    ...     @staticmethod
    ...     def backward(ctx: FunctionCtx, grad):
    ...         return grad * ctx.factor, None
    >>> x = torch.ones(2, requires_grad=True)
    >>> Scale.apply(x, 3.0).grad_fn.factor
    3.0
    """

    to_save: Any = None
    dirty_tensors: Any = None
    non_differentiable: Any = None
    saved_for_forward: Any = None

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep `tensors` for `backward`, which finds them in `ctx.saved_tensors`.

        They are freed after `backward`, and refused there if they were changed in place. Arguments
        and results keep their place in the graph, so that `backward` may itself be differentiated.
        None may be among them.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Square(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x
        ...
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         (x,) = ctx.saved_tensors
        ...         return 2 * x * grad
        >>> x = torch.tensor([1.0, 3.0], requires_grad=True)
        >>> Square.apply(x).sum().backward()
        >>> x.grad
        tensor([2., 6.])
        """
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep `tensors` for `jvp`, which finds them in `ctx.saved_tensors`.

        Raises
        ------
        AssertionError
            If one is neither a tensor nor None.

        Examples
        --------
        >>> import symgrad as torch
        >>> import symgrad.autograd.forward_ad as fwAD
        >>> class Square(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_forward(x)
        ...         return x * x
        ...
        ...     @staticmethod
        ...     def jvp(ctx, tangent):
        ...         (x,) = ctx.saved_tensors
        ...         return 2 * x * tangent
        >>> with fwAD.dual_level():
        ...     x = fwAD.make_dual(torch.tensor(3.0), torch.tensor(1.0))
        ...     fwAD.unpack_dual(Square.apply(x)).tangent
        tensor(6.)
        """
        for x in tensors:
            if x is not None and not isinstance(x, (Recorded, ArrayExpr)):
                raise AssertionError(
                    "save_for_forward expects all arguments to be tensors; you should save "
                    "non-tensors as attributes on ctx."
                )
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Declare that `forward` changed these `args` in place; it has to return them.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Double_(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.mark_dirty(x)
        ...         return x.mul_(2)
        ...
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         return grad * 2
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = x * 1
        >>> Double_.apply(y) is y
        True
        >>> y
        tensor([2., 2.], grad_fn=<Double_Backward>)
        """
        self.dirty_tensors = args

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Do nothing, whatever the `pairs`: that tensors share memory is known.

        Examples
        --------
        >>> from symgrad.autograd.function import FunctionCtx
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     FunctionCtx().mark_shared_storage()
        """
        warnings.warn(
            "`mark_shared_storage` is deprecated. Tensors with shared storages are automatically "
            "tracked. Note that calls to `set_()` are not tracked",
            FutureWarning,
            stacklevel=2,
        )

    def mark_non_differentiable(self, *args: Any) -> None:
        """Declare that these results, the `args`, have no derivative.

        They require no gradient. `backward` is given zeros for them.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Sort(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         values, order = x.sort()
        ...         ctx.mark_non_differentiable(order)
        ...         ctx.save_for_backward(order)
        ...         return values, order
        ...
        ...     @staticmethod
        ...     def backward(ctx, grad, _):
        ...         (order,) = ctx.saved_tensors
        ...         return torch.zeros_like(grad).scatter(0, order, grad)
        >>> x = torch.tensor([3.0, 1.0], requires_grad=True)
        >>> Sort.apply(x)
        (tensor([1., 3.], grad_fn=<SortBackward>), tensor([1, 0]))
        """
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Set whether `backward` and `jvp` are given zeros where nothing arrives, or None.

        Parameters
        ----------
        value : bool
            True, the default, for zeros.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Both(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.set_materialize_grads(False)
        ...         return x.clone(), x.clone()
        ...
        ...     @staticmethod
        ...     def backward(ctx, first, second):
        ...         print(second)
        ...         return first
        >>> x = torch.ones(2, requires_grad=True)
        >>> Both.apply(x)[0].sum().backward()
        None
        """
        self.materialize_grads = value


class BackwardCFunction(GraphNode, FunctionCtx):
    """The `grad_fn` of the results of a custom function, which is also the function's `ctx`.

    Each `Function` has a class of its own, derived from this one.

    Examples
    --------
    >>> import symgrad as torch
    >>> class Negate(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return -x
    >>> y = Negate.apply(torch.ones(2, requires_grad=True))
    >>> type(y.grad_fn).__name__
    'NegateBackward'
    >>> isinstance(y.grad_fn, torch.autograd.function.BackwardCFunction)
    True
    """

    __slots__ = (
        "__dict__", "__weakref__", "_cuts", "_intermediates", "_materialize", "_node", "_saved",
        "needs_input_grad",
    )  # fmt: skip

    _forward_cls: ClassVar[Any]

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{type(self).__name__} object at {hex(id(self))}>"

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if name not in INTERNAL]

    def __init__(self, args: tuple[Any, ...], executable: bool) -> None:
        self.needs_input_grad: Any = tuple([isinstance(x, Recorded) and x._rg for x in args])
        self._materialize = True
        self._saved: tuple[Any, ...] | None = ()
        # The cuts of `forward`, and the intermediate tensors in each attribute that holds any.
        self._cuts: dict[tuple[str, bool], Cut] = {}
        self._intermediates: dict[str, list[weakref.ref[Any]]] = {}
        self._node = Application(self, args, executable)

    @property
    def _vertex(self) -> Any:
        return self._node

    def _avals(self) -> tuple[Aval | None, ...]:
        return self._node.avals()

    def name(self) -> str:
        return type(self).__name__

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The nodes that gradients go on to: one for each argument that is a tensor.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Scale(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x, factor):
        ...         return factor * x
        >>> x = torch.ones(2, requires_grad=True)
        >>> [node.name() for node, _ in Scale.apply(x.exp(), 3).grad_fn.next_functions]
        ['ExpBackward0']
        """
        edges = self._node.edges()
        return tuple([(None, 0) if x is None else edge_to(x) for x in edges])

    @property
    def materialize_grads(self) -> bool:
        """Whether `backward` is given zeros where nothing arrives.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Negate(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         print(ctx.materialize_grads)
        ...         return -x
        >>> y = Negate.apply(torch.ones(2))
        True
        """
        return self._materialize

    @materialize_grads.setter
    def materialize_grads(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError(
                "set_materialize_grads received an invalid combination of arguments - got "
                f"({type(value).__name__}), but expected (bool)"
            )
        self._materialize = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What `save_for_backward` was given.

        Raises
        ------
        RuntimeError
            If it was freed, or changed in place since.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Square(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x
        >>> x = torch.tensor([1.0, 3.0], requires_grad=True)
        >>> Square.apply(x).grad_fn.saved_tensors
        (tensor([1., 3.], requires_grad=True),)
        """
        if self.saved_for_forward is not None:
            return tuple(self.saved_for_forward)
        if self._saved is None:
            refuse_freed()
        saved: Any = self._saved
        if saved is _READ_ONCE:
            raise RuntimeError(_ONCE)
        found = tuple([x.tensor(self._node) if isinstance(x, Saved) else x for x in saved])
        if found and self._forward_cls.clear_saved_tensors_on_access:
            self._saved = _READ_ONCE
        return found

    @property
    def _raw_saved_tensors(self) -> tuple[SavedTensor, ...]:
        """What `save_for_backward` was given, to be packed by hooks one by one."""
        if self._saved is None:
            refuse_freed()
        return tuple([saved_tensor(x) for x in self._saved])

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        """The former name of `saved_tensors`.

        Examples
        --------
        >>> import symgrad as torch
        >>> import warnings
        >>> class Negate(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return -x
        >>> y = Negate.apply(torch.ones(2, requires_grad=True))
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     y.grad_fn.saved_variables
        ()
        """
        warnings.warn(
            "'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2
        )
        return self.saved_tensors

    def apply(self, *args: Any) -> Any:
        """Call the function's `backward` with the gradients of its results, the `args`.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Negate(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return -x
        ...
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         return -grad
        >>> y = Negate.apply(torch.ones(2, requires_grad=True))
        >>> y.grad_fn.apply(torch.ones(2))
        tensor([-1., -1.])
        """
        function = self._forward_cls
        rule = function._rule()
        return rule(self, list(args)) if function.boxed_grads_call else rule(self, *args)

    def apply_jvp(self, *args: Any) -> Any:
        """Call the function's `jvp` with the tangents of its arguments, the `args`.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Negate(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return -x
        ...
        ...     @staticmethod
        ...     def jvp(ctx, tangent):
        ...         return -tangent
        >>> y = Negate.apply(torch.ones(2, requires_grad=True))
        >>> y.grad_fn.apply_jvp(torch.ones(2))
        tensor([-1., -1.])
        """
        return self._forward_cls.jvp(self, *args)

    def maybe_clear_saved_tensors(self) -> None:
        """Free the saved tensors, unless they were freed on access.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Square(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x
        >>> y = Square.apply(torch.ones(2, requires_grad=True))
        >>> y.grad_fn.maybe_clear_saved_tensors()
        >>> y.grad_fn.saved_tensors
        Traceback (most recent call last):
        ...
        RuntimeError: Trying to backward through the graph a second time ...
        """
        self._release()

    def _release(self) -> None:
        if self._saved:
            self._saved = None

    def _save(self, args: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Keep the tensors that `forward` passed to `save_for_backward`."""
        given, self.to_save = self.to_save, None
        if given is None:
            given = ()
        if not isinstance(given, tuple):
            raise RuntimeError(
                "autograd internal error: to_save attribute is expected to be a tuple but is "
                f"{type_name(given)}"
            )
        known = {id(x) for x in (*args, *outputs)}
        numbers = {id(x): i for i, x in enumerate(outputs)}
        self._saved = tuple(
            [
                self._saved_from(i, x, id(x) in known, numbers.get(id(x)))
                for i, x in enumerate(given)
            ]
        )
        if self._cuts:
            self._intermediates = {
                name: [weakref.ref(x) for x in found]
                for name, held in vars(self).items()
                if name not in _BOOKKEEPING
                and (
                    found := [
                        x
                        for x in tensors_in(held)
                        if id(x) not in known and is_intermediate(x, self._cuts)
                    ]
                )
            }
            self._cuts = {}
        self._node.layout = self._layout(args, outputs, given)

    def _layout(
        self, args: Sequence[Any], outputs: Sequence[Any], given: Sequence[Any]
    ) -> tuple[Any, ...] | None:
        """Return the places of the saved tensors; None if `backward` may read something else."""
        if not _BOOKKEEPING.issuperset(vars(self)):
            return None
        places: dict[int, tuple[str, int] | None] = {id(None): None}
        tensors = [x for x in args if isinstance(x, Recorded)]
        places |= {id(x): ("input", i) for i, x in enumerate(tensors)}
        # An argument that was changed in place is a result.
        places |= {id(x): ("output", i) for i, x in enumerate(outputs)}
        if any(id(x) not in places for x in given):
            return None
        return tuple([places[id(x)] for x in given])

    def _saved_from(self, i: int, x: Any, known: bool, number: int | None) -> Any:
        """Return what is kept of the tensor `x`, the result of that number if it is one."""
        if x is None:
            return None
        if not isinstance(x, Recorded):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {i} is of type "
                f"{type_name(x)}"
            )
        if x._aval.inference:
            refuse_inference()
        vertex = x._vertex or x._leaf()
        version = x._storage().version
        if isinstance(vertex, Result) and vertex.inputs[0] is self._node:
            number = vertex.output_nr
        elif x._vertex is None:
            number = None
        if number is not None:  # a view that was changed has the history of its base, too
            kept = wrap(x._data, x._aval)
            kept._leaf().storage = x._storage()
            saved = Saved(kept, number, version, None)
        else:
            intermediate_index = -1 if known or not is_intermediate(x, self._cuts) else i
            saved = Saved(x, -1, version, vertex, intermediate_index)
        hooks = active()
        if hooks is not None:
            saved.pack(hooks, x)
        return saved


# Stands for the saved tensors after they were read, where they may be read once.
_READ_ONCE: Any = ("read",)

# The attributes that the methods of a context set.
_BOOKKEEPING = frozenset(("dirty_tensors", "non_differentiable", "saved_for_forward", "to_save"))
