"""Inference mode: the tensors that it makes, and what is refused for them outside of the mode.

An inference tensor is known by its `Aval`: signatures that would save it for a backward pass refuse
it when they are made, and operations on other tensors pay nothing.
"""

from __future__ import annotations

from typing import Any, Self, overload

from symgrad.record.modes import F, Mode, state
from symgrad.support.scopes import back_to, together


class inference_mode(Mode):  # noqa: N801 - PyTorch's name
    """Make inference tensors, which take no part in gradients: a `with` block or a decorator.

    Inference tensors have no version, and may be changed in place in this mode only. Outside of the
    mode they may not be saved for a backward pass. A view of an ordinary tensor is an ordinary
    tensor.

    Parameters
    ----------
    mode : bool
        False suspends the mode, and switches recording on.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> with torch.inference_mode():
    ...     y = x * 2
    >>> y.requires_grad, y.is_inference()
    (False, True)
    >>> y * x
    Traceback (most recent call last):
    ...
    RuntimeError: Inference tensors cannot be saved for backward. ...
    """

    @overload
    def __new__(cls, mode: bool = True) -> Self: ...
    @overload
    def __new__(cls, mode: F) -> F: ...  # type: ignore[misc]
    def __new__(cls, mode: Any = True) -> Any:
        self = super().__new__(cls)
        if isinstance(mode, bool):
            return self
        Mode.__init__(self)
        self._mode = True
        return self(mode)  # `@inference_mode` without parentheses

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self._mode = mode

    def __enter__(self) -> None:
        special, undo, end = self._table(), self._undo, len(self._undo)
        back = together(back_to(special, "inference"), back_to(special, "grad_mode"))
        modes = {"inference": self._mode, "grad_mode": not self._mode}
        undo[end:] = (back,)
        special |= modes

    def clone(self) -> inference_mode:
        made: inference_mode = inference_mode(self._mode)
        return made


def is_inference_mode_enabled() -> bool:
    """Return whether this thread is in inference mode.

    Examples
    --------
    >>> import symgrad as torch
    >>> with torch.inference_mode():
    ...     torch.is_inference_mode_enabled()
    True
    """
    current: bool = state.state.inference
    return current


def check_inference(x: Any) -> None:
    """Raise PyTorch's error where an inference tensor is to be changed outside the mode."""
    if x._aval.inference and not state.state.inference:
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make "
            "a clone to get a normal tensor before doing inplace update.See "
            "https://github.com/pytorch/rfcs/pull/17 for more details."
        )
