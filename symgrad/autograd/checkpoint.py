"""Checkpoints: parts of a computation whose saved values are computed again in the backward pass.

How it works stands in `symgrad.backward.recompute`; here are PyTorch's names, arguments and errors.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from symgrad.autograd.function import Function
from symgrad.backward.api import backward
from symgrad.backward.recompute import CheckpointError, Region, Sharing
from symgrad.backward.stages import current_pass
from symgrad.random.default_stream import default_generator, forked
from symgrad.record.modes import enable_grad, is_grad_enabled, no_grad
from symgrad.record.record import Recorded
from symgrad.schema.kinds import kind_of
from symgrad.schema.messages import wrong_kind
from symgrad.support.scopes import Block

__all__ = [
    "CheckpointError",
    "GraphExecGroup",
    "check_backward_validity",
    "checkpoint",
    "checkpoint_sequential",
    "detach_variable",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
]

Contexts = tuple[AbstractContextManager[Any], AbstractContextManager[Any]]

_CHECKS = {"default": True, "none": False}


class _Setting:
    """What overrides an argument of `checkpoint`, as long as it is not None."""

    value: bool | None = None

    def set_to(self, value: bool | None) -> Block:
        """Return a block in which it is `value`."""
        return _Set(self, value)

    def over(self, argument: bool) -> bool:
        return argument if self.value is None else self.value


class _Set(Block):
    """A block in which a setting has a value."""

    def __init__(self, setting: _Setting, value: bool | None) -> None:
        super().__init__()
        self._setting = setting
        self._value = value

    def __enter__(self) -> None:
        self._put(vars(self._setting), "value", self._value, usual=_NO_VALUE)


# No value of a setting.
_NO_VALUE: Any = object()

_early_stop = _Setting()
_debug = _Setting()


def noop_context_fn() -> Contexts:
    """Return two contexts that do nothing: the default of `checkpoint`.

    Examples
    --------
    >>> from symgrad.autograd.checkpoint import noop_context_fn
    >>> len(noop_context_fn())
    2
    """
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], Contexts] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """Call a function without keeping what its derivative needs: that is computed again.

    What the operations of `function` would save is not kept. When a backward pass needs it,
    `function` runs a second time, with the same arguments and random numbers. It must compute the
    same then.

    Parameters
    ----------
    function : callable
        What to call.
    *args
        Its arguments, which are kept.
    use_reentrant : bool
        False is recommended: the graph is recorded, and everything works as without a checkpoint.
        With True `function` runs without a record, and its graph is built and differentiated
        inside the backward pass; only `backward()` without `inputs` can then be used, and at least
        one of `args` must require a gradient. True is the default, with a warning.
    context_fn : callable
        Returns two context managers, around the first run and around the others.
    determinism_check : {"default", "none"}
        Whether shapes and dtypes of what is saved are compared between the runs.
    debug : bool
        Tell in errors which operations ran.
    early_stop : bool
        Stop a second run as soon as everything that was saved has been computed.
    **kwargs
        Arguments of `function`, and `preserve_rng_state`: whether it meets the same random numbers
        in all runs, by default True.

    Returns
    -------
    object
        What `function` returns.

    Raises
    ------
    CheckpointError
        In the backward pass, if `function` saves something else than the first time.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd.checkpoint import checkpoint
    >>> def layer(x):
    ...     print("runs")
    ...     return x.sin().exp()
    >>> x = torch.tensor([0.0, 1.0], requires_grad=True)
    >>> y = checkpoint(layer, x, use_reentrant=False).sum()
    runs
    >>> y.backward()
    runs
    >>> x.grad
    tensor([1.0000, 1.2534])
    """
    reentrant = _is_reentrant(
        use_reentrant,
        "torch.utils.checkpoint",
        "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception.",
    )
    preserve = kwargs.pop("preserve_rng_state", True)
    if reentrant:
        _refuse(kwargs)
        if context_fn is not noop_context_fn or debug is not False:
            raise ValueError(
                "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
            )
        return CheckpointFunction.apply(function, preserve, *args)
    debug = _debug.over(debug)
    if debug and context_fn is not noop_context_fn:
        raise ValueError("debug=True is incompatible with non-default context_fn")
    if determinism_check not in _CHECKS:
        raise ValueError(
            f"determinism_check should be one of {list(_CHECKS)}, but got {determinism_check}"
        )
    first, others = context_fn()

    def run(*arguments: Any) -> Any:
        return function(*arguments, **kwargs)

    if not is_grad_enabled():
        return run(*args)
    same_numbers = _same_numbers(preserve)

    def again(*arguments: Any) -> None:
        with same_numbers(), others:
            run(*arguments)

    region = Region(again, args, _early_stop.over(early_stop), _CHECKS[determinism_check], debug)
    return _run_first(run, args, first, region)


def _is_reentrant(choice: bool | None, name: str, outlook: str) -> bool:
    """Return which variant was chosen: the reentrant one, with PyTorch's warning, by default."""
    if choice is not None:
        return choice
    warnings.warn(
        f"{name}: the use_reentrant parameter should be passed explicitly. {outlook} "
        "use_reentrant=False is recommended, but if you need to preserve the current default "
        "behavior, you can pass use_reentrant=True. Refer to docs for more details on the "
        "differences between the two variants.",
        stacklevel=3,
    )
    return True


def _run_first(
    run: Callable[..., Any],
    args: tuple[Any, ...],
    context: AbstractContextManager[Any],
    region: Region,
) -> Any:
    """Run a function for the first time, and let go of what its operations saved."""
    finished = False
    with region.listing(), context:
        result = run(*args)
        finished = True
    region.let_go()
    if finished:
        return result
    raise RuntimeError(
        "torch.utils.checkpoint: the forward context provided by context_fn suppressed an "
        "exception raised during the checkpointed forward. This is not supported because "
        "checkpoint cannot return a value for a failed forward."
    )


def _refuse(keywords: dict[str, Any]) -> None:
    if keywords:
        raise ValueError("Unexpected keyword arguments: " + ",".join(keywords))


def _same_numbers(preserve: bool) -> Callable[[], Block]:
    """Return what makes blocks in which the random numbers are those that are drawn from now on.

    After such a block the default generator goes on as before. Without `preserve` the block has no
    effect.
    """
    stream = default_generator._stream.copy() if preserve else None
    return lambda: forked(stream is not None, stream)


def checkpoint_sequential(
    functions: Any,
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    **kwargs: Any,
) -> Any:
    """Call functions one after the other, in segments that are checkpoints, but for the last.

    Parameters
    ----------
    functions : sequence of callable
        Or an object whose `children()` they are.
    segments : int
        In how many parts they are divided.
    input : Tensor
        The argument of the first.
    use_reentrant : bool
        As in `checkpoint`.
    **kwargs
        `preserve_rng_state`, as in `checkpoint`.

    Returns
    -------
    Tensor
        What the last function returns.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd.checkpoint import checkpoint_sequential
    >>> x = torch.tensor([0.0, 1.0], requires_grad=True)
    >>> layers = [torch.sin, torch.exp, torch.tanh, torch.cos]
    >>> y = checkpoint_sequential(layers, 2, x, use_reentrant=False)
    >>> y.sum().backward()
    >>> x.grad
    tensor([-0.2898, -0.0395])
    """
    if not kind_of("int").fits(segments):
        raise TypeError(wrong_kind("checkpoint_sequential", "segments", "int", segments, 2))
    reentrant = _is_reentrant(
        use_reentrant,
        "torch.utils.checkpoint.checkpoint_sequential",
        "In version 2.9 we will raise an exception if use_reentrant is not passed.",
    )
    preserve = kwargs.pop("preserve_rng_state", True)
    _refuse(kwargs)
    steps = list(functions.children()) if hasattr(functions, "children") else functions
    size = len(steps) // segments
    for step in steps:
        if not callable(step):
            raise TypeError(
                "checkpoint_sequential() takes a sequence of functions, not one with "
                f"{type(step).__name__}"
            )
    done = 0
    for start in range(0, size * (segments - 1), size):
        done = start + size
        input = checkpoint(
            _composed(steps[start:done]),
            input,
            use_reentrant=reentrant,
            preserve_rng_state=preserve,
        )
    return _composed(steps[done:])(input)


def _composed(steps: Sequence[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    def call(x: Any) -> Any:
        for step in steps:
            x = step(x)
        return x

    return call


# ---------------------------------------------------------------- settings


def set_checkpoint_early_stop(enable: bool) -> AbstractContextManager[None]:
    """Set, for a `with` block, whether second runs stop when all that was saved is there.

    What counts is where `checkpoint` is called, not where the backward pass runs.

    Parameters
    ----------
    enable : bool
        Overrides the argument `early_stop`.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd.checkpoint import checkpoint, set_checkpoint_early_stop
    >>> def layer(x):
    ...     y = x.exp()
    ...     print("reaches the end")
    ...     return y
    >>> x = torch.ones(2, requires_grad=True)
    >>> with set_checkpoint_early_stop(False):
    ...     y = checkpoint(layer, x, use_reentrant=False)
    reaches the end
    >>> y.sum().backward()
    reaches the end
    """
    return _early_stop.set_to(enable)


def set_checkpoint_debug_enabled(enabled: bool | None) -> AbstractContextManager[None]:
    """Set, for a `with` block, whether errors of checkpoints tell which operations ran.

    Parameters
    ----------
    enabled : bool or None
        Overrides the argument `debug`, unless it is None.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd.checkpoint import (
    ...     CheckpointError,
    ...     checkpoint,
    ...     set_checkpoint_debug_enabled,
    ... )
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> functions = [lambda x: x.exp().sin(), lambda x: x.exp()]
    >>> with set_checkpoint_debug_enabled(True):
    ...     y = checkpoint(lambda x: functions.pop(0)(x), x, use_reentrant=False)
    >>> try:
    ...     y.sum().backward()
    ... except CheckpointError as error:
    ...     print("sin(float32[2])" in str(error))
    True
    """
    return _debug.set_to(enabled)


class GraphExecGroup(Sharing):
    """A `with` block in whose backward passes each checkpoint is computed again once in all.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd.checkpoint import GraphExecGroup, checkpoint
    >>> def layer(x):
    ...     print("runs")
    ...     return x.exp(), x.sin()
    >>> x = torch.ones(2, requires_grad=True)
    >>> y, z = checkpoint(layer, x, use_reentrant=False)
    runs
    >>> with GraphExecGroup():
    ...     y.sum().backward()
    ...     z.sum().backward()
    runs
    """


# ---------------------------------------------------------------- the reentrant variant


class CheckpointFunction(Function):
    """The custom function that `checkpoint(..., use_reentrant=True)` applies."""

    @staticmethod
    def forward(ctx: Any, run_function: Any, preserve_rng_state: bool, *args: Any) -> Any:
        """Call the function without a record."""
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.same_numbers = _same_numbers(preserve_rng_state)
        ctx.inputs = [None if isinstance(x, Recorded) else x for x in args]
        ctx.places = [i for i, x in enumerate(args) if isinstance(x, Recorded)]
        ctx.save_for_backward(*[args[i] for i in ctx.places])
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:
        """Call the function again, now under record, and differentiate it."""
        if not current_pass().reaches_all_leaves:
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or "
                "passing an `inputs` parameter to .backward(). To resolve this error, you can "
                "either set use_reentrant=False, or call .backward() without passing the `inputs` "
                "argument."
            )
        inputs = list(ctx.inputs)
        for i, x in zip(ctx.places, ctx.saved_tensors, strict=True):
            inputs[i] = x
        with ctx.same_numbers():
            detached = detach_variable(tuple(inputs))
            with enable_grad():
                results = ctx.run_function(*detached)
        results = results if isinstance(results, (tuple, list)) else (results,)
        found = [(y, args[i]) for i, y in enumerate(results) if isinstance(y, Recorded) and y._rg]
        if not found:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not necessary"
            )
        backward([y for y, _ in found], [ct for _, ct in found])
        grads = [x.grad if isinstance(x, Recorded) else None for x in detached]  # type: ignore[attr-defined]
        return (None, None, *grads)


def detach_variable(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the same values as leaves, which require a gradient where they did.

    Parameters
    ----------
    inputs : tuple
        What is no tensor stays as it is.

    Raises
    ------
    RuntimeError
        If it is no tuple.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd.checkpoint import detach_variable
    >>> x = torch.ones(2, requires_grad=True)
    >>> detach_variable((x * 2, 3))
    (tensor([2., 2.], requires_grad=True), 3)
    """
    if not isinstance(inputs, tuple):
        raise RuntimeError(
            "Only tuple of tensors is supported. Got Unsupported input type: "
            f"{type(inputs).__name__}"
        )
    return tuple([_leaf_of(x) if isinstance(x, Recorded) else x for x in inputs])


def _leaf_of(x: Any) -> Any:
    made = x.detach()
    made.requires_grad = x._rg
    return made


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Warn if none of the inputs requires a gradient.

    Parameters
    ----------
    inputs : iterable
        Tensors and other things.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd.checkpoint import check_backward_validity
    >>> check_backward_validity([torch.ones(2, requires_grad=True), 3])
    """
    if not any(x._rg for x in inputs if isinstance(x, Recorded)):
        warnings.warn(
            "None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2
        )
