"""Factors of losses, by which small gradients of float16 numbers stay above zero."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from symgrad.expr.dtypes import float16, float32
from symgrad.functions.creation import CREATION
from symgrad.record.modes import no_grad
from symgrad.support.homes import at_home
from symgrad.support.refusals import warn
from symgrad.tensor.tensor import Tensor


class _Stage(enum.Enum):
    """How far an optimizer is since the last `update`."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


@dataclass
class _Progress:
    """What is known of the gradients of one optimizer since the last `update`."""

    stage: _Stage = _Stage.READY
    #: Whether one is infinite or nan; None where they were not looked at.
    overflowed: bool | None = None


class GradScaler:
    """A factor of losses, whose gradients are divided by it before a step of an optimizer.

    A step whose gradients are not finite is left out, and the factor becomes smaller; after
    `growth_interval` steps without such it becomes greater.

    Parameters
    ----------
    device : str
        Whose gradients are scaled. For "cuda", of which there is none, nothing is scaled, of which
        a warning tells unless it is not enabled.
    init_scale : float
        The factor at the beginning.
    growth_factor, backoff_factor : float
        By what it is multiplied after many finite steps, and after one that is not finite.
    growth_interval : int
        How many finite steps make it grow.
    enabled : bool
        False to scale nothing, and to leave out no step.

    Raises
    ------
    AssertionError
        If the factor would not grow, or not become smaller.

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.ones(1, requires_grad=True)
    >>> optimizer = torch.optim.SGD([w], lr=0.5)
    >>> scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    >>> for x in (1.0, float("inf")):
    ...     optimizer.zero_grad()
    ...     scaler.scale((w * x).sum()).backward()
    ...     _ = scaler.step(optimizer)
    ...     scaler.update()
    ...     print(w.item(), scaler.get_scale())
    0.5 1024.0
    0.5 512.0
    """

    def __init__(
        self, device: str = "cuda", init_scale: float = 2.0**16, growth_factor: float = 2.0,
        backoff_factor: float = 0.5, growth_interval: int = 2000, enabled: bool = True,
    ) -> None:  # fmt: skip
        if enabled and device == "cuda":
            warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.")
            enabled = False
        self._device, self._enabled = device, enabled
        if not enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale, self._finite_steps = init_scale, 0
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval = growth_interval
        #: The factor, a tensor from the first loss on.
        self._scale: Any = None
        self._progress: dict[int, _Progress] = {}

    def scale(self, outputs: Any) -> Any:
        """Return a loss, or several, times the factor.

        Parameters
        ----------
        outputs : Tensor or iterable of Tensor

        Raises
        ------
        ValueError
            If there is something else.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.amp.GradScaler("cpu", init_scale=8.0).scale([torch.ones(1), torch.zeros(1)])
        [tensor([8.]), tensor([0.])]
        """
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            if self._scale is None:
                self._scale = CREATION["full"]((), self._init_scale, dtype=float32)
            return outputs * self._scale
        if not isinstance(outputs, Iterable):
            raise ValueError("outputs must be a Tensor or an iterable of Tensors")
        scaled: Any = map(self.scale, outputs)
        return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled

    def _of(self, optimizer: Any, call: str) -> _Progress:
        if self._scale is None:
            raise AssertionError(
                f"Attempted {call} but _scale is None.  This may indicate your script did not use "
                "scaler.scale(loss or outputs) earlier in the iteration."
            )
        return self._progress.setdefault(id(optimizer), _Progress())

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimizer by the factor, as before they are clipped.

        Parameters
        ----------
        optimizer : Optimizer

        Raises
        ------
        RuntimeError
            If they were divided, or the step was taken, since the last `update`.
        ValueError
            If gradients are of float16, in which they may be too small.

        Examples
        --------
        >>> import symgrad as torch
        >>> w = torch.ones(1, requires_grad=True)
        >>> scaler = torch.amp.GradScaler("cpu")
        >>> scaler.scale(3 * w).backward()
        >>> scaler.unscale_(torch.optim.SGD([w], lr=0.1))
        >>> w.grad
        tensor([3.])
        """
        if not self._enabled:
            return
        progress = self._of(optimizer, "unscale_")
        if progress.stage is _Stage.UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        if progress.stage is _Stage.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inverse = self._scale.double().reciprocal().float()
        with no_grad():
            for group in optimizer.param_groups:
                for param in group["params"]:
                    grad = param.grad
                    if grad is None:
                        continue
                    if grad.dtype is float16:
                        raise ValueError("Attempting to unscale FP16 gradients.")
                    finite = bool(grad.isfinite().all())
                    progress.overflowed = bool(progress.overflowed) or not finite
                    grad.mul_(inverse)
        progress.stage = _Stage.UNSCALED

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Take the step of an optimizer, unless gradients are infinite or nan.

        Parameters
        ----------
        optimizer : Optimizer
            Whose gradients are divided by the factor, if they were not.
        *args, **kwargs
            As those of its `step`; closures are not taken.

        Raises
        ------
        RuntimeError
            If the step was taken since the last `update`.
        AssertionError
            If no loss was scaled, or there are no gradients.

        Examples
        --------
        >>> import symgrad as torch
        >>> w = torch.ones(1, requires_grad=True)
        >>> scaler = torch.amp.GradScaler("cpu")
        >>> scaler.scale(3 * w).backward()
        >>> scaler.step(torch.optim.SGD([w], lr=0.1))
        >>> w.detach()
        tensor([0.7000])
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        progress = self._of(optimizer, "step")
        if progress.stage is _Stage.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if progress.stage is _Stage.READY:
            self.unscale_(optimizer)
        if progress.overflowed is None:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        made = None if progress.overflowed else optimizer.step(*args, **kwargs)
        progress.stage = _Stage.STEPPED
        return made

    def update(self, new_scale: Any = None) -> None:
        """Change the factor by what was found since the last time.

        Parameters
        ----------
        new_scale : float or Tensor, optional
            The factor from now on.

        Raises
        ------
        AssertionError
            If no loss was scaled, or no gradients were looked at.

        Examples
        --------
        >>> import symgrad as torch
        >>> scaler = torch.amp.GradScaler("cpu")
        >>> _ = scaler.scale(torch.ones(1))
        >>> scaler.update(4.0)
        >>> scaler.get_scale()
        4.0
        """
        if not self._enabled:
            return
        if self._scale is None:
            raise AssertionError(
                "Attempted update but _scale is None.  This may indicate your script did not use "
                "scaler.scale(loss or outputs) earlier in the iteration."
            )
        if isinstance(new_scale, Tensor):
            if new_scale.numel() != 1 or new_scale.requires_grad:
                raise AssertionError(
                    "new_scale should be a float or a 1-element torch.cuda.FloatTensor or "
                    "torch.FloatTensor with requires_grad=False."
                )
            self._scale.copy_(new_scale)
        elif new_scale is not None:
            self._scale.fill_(new_scale)
        else:
            found = [p.overflowed for p in self._progress.values() if p.overflowed is not None]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            self._adapt(any(found))
        self._progress = {}

    def _adapt(self, overflowed: bool) -> None:
        """Change the factor after a step, whose gradients were finite or not."""
        if overflowed:
            self._scale.mul_(self._backoff_factor)
            self._finite_steps = 0
            return
        self._finite_steps += 1
        if self._finite_steps == self._growth_interval:
            grown = self._scale * self._growth_factor
            if grown.isfinite():
                self._scale = grown
            self._finite_steps = 0

    def get_scale(self) -> float:
        """Return the factor; 1 where nothing is scaled.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.amp.GradScaler("cpu").get_scale()
        65536.0
        """
        if not self._enabled:
            return 1.0
        return float(self._init_scale if self._scale is None else self._scale.item())

    def get_growth_factor(self) -> float:
        """Return by what the factor is multiplied after many finite steps.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.amp.GradScaler("cpu").get_growth_factor()
        2.0
        """
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set by what the factor is multiplied after many finite steps.

        Parameters
        ----------
        new_factor : float

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.amp.GradScaler("cpu").set_growth_factor(4.0)
        """
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """Return by what the factor is multiplied after a step that is not finite.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.amp.GradScaler("cpu").get_backoff_factor()
        0.5
        """
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set by what the factor is multiplied after a step that is not finite.

        Parameters
        ----------
        new_factor : float

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.amp.GradScaler("cpu").set_backoff_factor(0.25)
        """
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """Return how many finite steps make the factor grow.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.amp.GradScaler("cpu").get_growth_interval()
        2000
        """
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set how many finite steps make the factor grow.

        Parameters
        ----------
        new_interval : int

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.amp.GradScaler("cpu").set_growth_interval(100)
        """
        self._growth_interval = new_interval

    def is_enabled(self) -> bool:
        """Return whether losses are scaled.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.amp.GradScaler("cpu").is_enabled()
        True
        """
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """Return what `load_state_dict` takes; empty where nothing is scaled.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.amp.GradScaler("cpu", enabled=False).state_dict()
        {}
        """
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._finite_steps,
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a state.

        Parameters
        ----------
        state_dict : dict
            What `state_dict` returned, here or in PyTorch.

        Raises
        ------
        RuntimeError
            If it is empty.

        Examples
        --------
        >>> import symgrad as torch
        >>> a, b = torch.amp.GradScaler("cpu", init_scale=8.0), torch.amp.GradScaler("cpu")
        >>> b.load_state_dict(a.state_dict())
        >>> b.get_scale()
        8.0
        """
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled "
                "instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        if self._scale is not None:
            self._scale.fill_(self._init_scale)
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._finite_steps = state_dict["_growth_tracker"]


at_home("symgrad.amp", GradScaler=GradScaler)
