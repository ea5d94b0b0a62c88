"""Custom functions: `Function`, whose forward and backward are written in Python.

An application is one vertex of the tape (`symgrad.autograd.application`), and so is each of its
results (`forward_results`). The object `ctx` is defined in `context`, and the node of an
application in formulas in `function_formulas`.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from symgrad.autograd import function_formulas
from symgrad.autograd.context import BackwardCFunction, FunctionCtx
from symgrad.autograd.forward_results import ForwardResults, tangents_of
from symgrad.expr.node import ArrayExpr
from symgrad.record.function_node import FunctionNode, results_of
from symgrad.record.modes import holding, no_grad, state
from symgrad.record.record import Recorded, wrap
from symgrad.schema.messages import repeated, unexpected
from symgrad.support.above import FromAbove
from symgrad.support.homes import at_home

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "InplaceFunction",
    "once_differentiable",
]

at_home(__name__, BackwardCFunction=BackwardCFunction, FunctionCtx=FunctionCtx)

_LEGACY = (
    "Legacy autograd function with non-static forward method is deprecated. Please use new-style "
    "autograd function with static forward method. (Example: "
    "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
)


#: Applies a function inside a `vmap`: to its level, the function and the arguments.
call_in_vmap: FromAbove[Callable[..., Any]] = FromAbove("symgrad.autograd.vmap.functions")


_TWICE = "trying to differentiate twice a function that was marked with @once_differentiable"


class FunctionMeta(type):
    """Gives each `Function` the class of its nodes."""

    def __init__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> None:
        super().__init__(name, bases, body)
        made = type(f"{name}Backward", (BackwardCFunction,), {"__slots__": (), "_forward_cls": cls})
        made.__module__ = __name__
        cls._backward_cls: Any = made


class Function(metaclass=FunctionMeta):
    """An operation with a derivative of its own: the base to derive from.

    State `forward` and `backward` as static methods; `Name.apply(...)` applies it. `forward` takes
    the context `ctx` and the arguments; or just the arguments, and `setup_context` the context.

    Examples
    --------
    >>> import symgrad as torch
    >>> class Exp(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         result = x.exp()
    ...         ctx.save_for_backward(result)
    ...         return result
    ...
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         (result,) = ctx.saved_tensors
    ...         return grad * result
    >>> x = torch.tensor([0.0, 1.0], requires_grad=True, name="x")
    >>> y = Exp.apply(x)
    >>> y
    tensor([1.0000, 2.7183], grad_fn=<ExpBackward>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([1.0000, 2.7183])
    >>> y.expr
    Exp(x)
    """

    #: Whether `saved_tensors` may be read just once, and is freed then.
    clear_saved_tensors_on_access: ClassVar[bool] = False
    #: Whether `backward` takes its gradients as one list, from which it may remove them.
    boxed_grads_call: ClassVar[bool] = False
    #: Whether the rule of `vmap` is made from `forward` and `backward`.
    generate_vmap_rule: ClassVar[bool] = False

    _backward_cls: ClassVar[Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all "
            "static, so you should invoke them on the class itself. Instantiating an autograd "
            "function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(_LEGACY)

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the results: a tensor, or a tuple that holds tensors. To be overridden.

        It is given `ctx` and the arguments, `args` and `kwargs`; just these where `setup_context`
        is overridden, too.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Twice(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return 2 * x
        >>> Twice.apply(torch.ones(2))
        tensor([2., 2.])
        """
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Save what `backward` needs on `ctx`. To be overridden, where `forward` takes no context.

        Parameters
        ----------
        ctx : FunctionCtx
            The context.
        inputs : tuple
            The arguments of `forward`.
        output : Tensor or tuple
            What it returned.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Scale(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(x, factor=2.0):
        ...         return x * factor
        ...
        ...     @staticmethod
        ...     def setup_context(ctx, inputs, output):
        ...         _, ctx.factor = inputs
        ...
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         return grad * ctx.factor, None
        >>> x = torch.ones(2, requires_grad=True)
        >>> Scale.apply(x, factor=5.0).sum().backward()
        >>> x.grad
        tensor([5., 5.])
        """
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Return the gradient of each argument from those of the results. To be overridden.

        Parameters
        ----------
        ctx : FunctionCtx
            The context.
        *grad_outputs : Tensor or None
            One for each result.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Reverse(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x.view_as(x)
        ...
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         return -grad
        >>> x = torch.ones(2, requires_grad=True)
        >>> Reverse.apply(x).sum().backward()
        >>> x.grad
        tensor([-1., -1.])
        """
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    #: Another name of `backward`, of which one is to be overridden.
    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Return the tangent of each result from those of the arguments. To be overridden.

        Parameters
        ----------
        ctx : FunctionCtx
            The context.
        *grad_inputs : Tensor or None
            One for each argument.

        Examples
        --------
        >>> import symgrad as torch
        >>> import symgrad.autograd.forward_ad as fwAD
        >>> class Negate(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return -x
        ...
        ...     @staticmethod
        ...     def jvp(ctx, tangent):
        ...         return -tangent
        >>> with fwAD.dual_level():
        ...     y = Negate.apply(fwAD.make_dual(torch.tensor(3.0), torch.tensor(1.0)))
        ...     fwAD.unpack_dual(y).tangent
        tensor(-1.)
        """
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with "
            "forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """Apply the function over one more axis. To be overridden.

        Parameters
        ----------
        info : object
            Its `batch_size` is the length of that axis.
        in_dims : tuple
            Where each argument has it.
        *args
            The arguments.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Twice(torch.autograd.Function):
        ...     @staticmethod
        ...     def vmap(info, in_dims, x):
        ...         return Twice.apply(x), in_dims[0]
        """
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or "
            "set generate_vmap_rule=True."
        )

    @classmethod
    def _rule(cls) -> Callable[..., Any]:
        """Return `backward` or `vjp`, whichever is overridden."""
        if cls.backward is not Function.backward and cls.vjp is not Function.vjp:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You "
                "should only implement one of them."
            )
        return cls.vjp if cls.vjp is not Function.vjp else cls.backward

    @classmethod
    def _run_forward(cls, ctx: Any, args: tuple[Any, ...]) -> Any:
        """Call `forward` in the style in which it is written: with or without the context."""
        if cls.setup_context is Function.setup_context:
            return cls.forward(ctx, *args)
        output = cls.forward(*args)
        cls.setup_context(ctx, args, output)
        return output

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Apply the function to arguments, `args` and `kwargs`, of which some are tensors.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Twice(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return 2 * x
        ...
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         return 2 * grad
        >>> Twice.apply(torch.ones(2, requires_grad=True))
        tensor([2., 2.], grad_fn=<TwiceBackward>)
        """
        split = cls.setup_context is not Function.setup_context
        if split:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        if kwargs:
            args = _by_position(cls.forward, args, kwargs, 0 if split else 1)
        if any(isinstance(x, ArrayExpr) for x in args):
            return function_formulas.apply_symbolically(cls, args)
        if state.state.batching is not None:
            return call_in_vmap.call(state.state.batching.level, cls, args)
        executable = state.state.enabled and any(isinstance(x, Recorded) and x._rg for x in args)
        ctx = cls._backward_cls(args, executable)
        with _unrecorded_with(ctx._cuts):
            output = cls._run_forward(ctx, args)
        tangents = tangents_of(args)
        try:
            return ForwardResults(ctx, args, output, executable, tangents).wrapped()
        finally:
            ctx.saved_for_forward = None


class InplaceFunction(Function):
    """A `Function` for older programs that derive from it; it adds nothing but an attribute.

    Parameters
    ----------
    inplace : bool
        The value of the attribute `inplace`.

    Examples
    --------
    >>> import symgrad as torch
    >>> issubclass(torch.autograd.function.InplaceFunction, torch.autograd.Function)
    True
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


def _by_position(
    forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], skipped: int
) -> tuple[Any, ...]:
    """Return the arguments by position, those given by keyword in the order of the parameters."""
    parameters = inspect.signature(forward).parameters.values()
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [p.name for p in parameters if p.kind in positional][skipped:]
    for name in kwargs:
        if name not in names:
            raise TypeError(unexpected("forward", name))
        if name in names[: len(args)]:
            raise TypeError(repeated("forward", name))
    last = max(names.index(name) for name in kwargs)
    for i, name in enumerate(names[len(args) : last + 1], len(args)):
        if name not in kwargs:
            raise TypeError(f"forward() missing required argument: '{name}' (position {i})")
    return (*args, *[kwargs[name] for name in names[len(args) : last + 1]])


def _unrecorded_with(cuts: dict[Any, Any]) -> holding:
    """Compute without record and without tangents in a block, whose cuts go into `cuts`."""
    return holding(grad_mode=False, tangents=False, cuts=cuts)


class Error(FunctionNode):
    """The vertex of a gradient that must not be differentiated again."""

    __slots__ = ()

    def differentiate(self, cotangents: tuple[Any, ...]) -> Sequence[Any]:
        raise RuntimeError(_TWICE)


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a `backward` that must not be differentiated: the attempt is an error.

    Parameters
    ----------
    fn : callable
        The `backward`, which then runs without record.

    Examples
    --------
    >>> import symgrad as torch
    >>> class Twice(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return 2 * x
    ...
    ...     @staticmethod
    ...     @torch.autograd.function.once_differentiable
    ...     def backward(ctx, grad):
    ...         return 2 * grad
    >>> x = torch.ones(2, requires_grad=True)
    >>> v = torch.ones(2, requires_grad=True)
    >>> (g,) = torch.autograd.grad(Twice.apply(x), x, v, create_graph=True)
    >>> g.sum().backward()
    Traceback (most recent call last):
    ...
    RuntimeError: trying to differentiate twice a function that was marked with @once_differentiable
    """

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        if state.state.enabled and state.state.aside.get("transforms", 0) > 1:
            # A transform within another is there to be differentiated.
            raise RuntimeError(_TWICE)
        with no_grad():
            outputs = fn(ctx, *args, **kwargs)
        if not state.state.enabled or not any(isinstance(x, Recorded) and x._rg for x in args):
            return outputs
        if isinstance(outputs, tuple):
            return _undifferentiable(outputs)
        return _undifferentiable((outputs,))[0]

    return wrapper


def _undifferentiable(values: tuple[Any, ...]) -> tuple[Any, ...]:
    inputs = []
    for x in values:
        if isinstance(x, Recorded):
            source = wrap(x._data)
            source._rg = True
            inputs.append(source._leaf())
    return results_of(Error("torch::autograd::Error", tuple(inputs), inputs), values)
