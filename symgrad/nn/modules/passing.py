"""Hooks of the gradients that pass through a whole module in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symgrad.autograd.function import Function
from symgrad.record.modes import is_grad_enabled
from symgrad.record.record import Recorded
from symgrad.support.refusals import warn

_NO_INPUT = (
    "Full backward hook is firing when gradients are computed with respect to module outputs since "
    "no inputs require gradients. See https://docs.pytorch.org/docs/main/generated/"
    "torch.nn.Module.html#torch.nn.Module.register_full_backward_hook for more details."
)


class BackwardHookFunction(Function):
    """Hands on tensors and their gradients: one node for all, at which hooks see them together."""

    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any:
        ctx.mark_non_differentiable(*[x for x in args if not x.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads


class GradientHooks:
    """The hooks of one call of a module.

    Parameters
    ----------
    module : Module
        The module.
    after : sequence of callable
        Called with the gradients of the inputs and the outputs.
    before : sequence of callable
        Called with the gradients of the outputs alone, first.
    """

    def __init__(
        self, module: Any, after: Sequence[Callable[..., Any]], before: Sequence[Callable[..., Any]]
    ) -> None:
        self._module, self._after, self._before = module, after, before
        self._of_outputs: tuple[Any, ...] | None = None
        self._of_inputs_count = self._of_outputs_count = 0
        self._inputs: list[int] | None = None
        self._outputs: list[int] | None = None

    def of_inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments of the call, behind the node at which their gradients end."""
        self._of_inputs_count = len(args)
        out, self._inputs = _passed(args, self._end)
        return out

    def of_results(self, result: Any) -> Any:
        """Return what the call returns, behind the node at which its gradients begin."""
        if not isinstance(result, (Recorded, tuple)):
            warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of "
                f"Tensors but received {type(result)}"
            )
        results = result if isinstance(result, tuple) else (result,)
        self._of_outputs_count = len(results)
        out, self._outputs = _passed(results, self._begin)
        if not isinstance(result, tuple):
            return out[0]
        # A tuple with names of fields takes the results one by one.
        return out if type(result) is tuple else type(result)(*out)

    def _begin(self, grad_input: Any, grad_output: tuple[Any, ...]) -> Any:
        assert self._outputs is not None
        grads = _spread(self._outputs, grad_output, self._of_outputs_count)
        for hook in self._before:
            changed = hook(self._module, grads)
            if changed is None:
                continue
            if len(changed) != len(grads):
                raise RuntimeError(
                    "Backward pre hook returned an invalid number of grad_output, got "
                    f"{len(changed)}, but expected {len(grads)}"
                )
            grads = changed
        self._of_outputs = grads
        if self._inputs is None:
            warn(_NO_INPUT)
            self._end_without_inputs()
        return tuple([grads[i] for i in self._outputs])

    def _end_without_inputs(self) -> None:
        none = (None,) * self._of_inputs_count
        for hook in self._after:
            found = hook(self._module, none, self._of_outputs)
            if found is not None and not (
                isinstance(found, tuple) and all(x is None for x in found)
            ):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always "
                    "return None or None for all gradients."
                )
        self._of_outputs = None

    def _end(self, grad_input: tuple[Any, ...], grad_output: Any) -> Any:
        if self._of_outputs is None:  # a gradient that did not come through the results
            return None
        assert self._inputs is not None
        grads = _spread(self._inputs, grad_input, self._of_inputs_count)
        for hook in self._after:
            changed = hook(self._module, grads, self._of_outputs)
            if changed is None:
                continue
            if len(changed) != len(grads):
                raise RuntimeError(
                    "Backward hook returned an invalid number of grad_input, got "
                    f"{len(changed)}, but expected {len(grads)}"
                )
            grads = changed
        self._of_outputs = None
        return tuple([grads[i] for i in self._inputs])


def _passed(
    values: tuple[Any, ...], hook: Callable[[Any, Any], Any]
) -> tuple[tuple[Any, ...], list[int] | None]:
    """Return values with the tensors among them handed on by one node, and where these stand.

    Where no tensor requires a gradient, there is no node, and no place either.
    """
    places = [i for i, x in enumerate(values) if isinstance(x, Recorded)]
    if not (is_grad_enabled() and any(values[i].requires_grad for i in places)):
        return values, None
    made = BackwardHookFunction.apply(*[values[i] for i in places])
    node = next(x.grad_fn for x in made if x.grad_fn is not None)
    node.register_hook(hook)
    out = list(values)
    for i, x in zip(places, made, strict=True):
        out[i] = x
    return tuple(out), places


def _spread(places: Sequence[int], values: Sequence[Any], count: int) -> tuple[Any, ...]:
    out: list[Any] = [None] * count
    for i, x in zip(places, values, strict=True):
        out[i] = x
    return tuple(out)
