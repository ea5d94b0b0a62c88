"""PyTorch's `optim.swa_utils`: models whose parameters are means of those of another one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain
from typing import Any, Literal

from symgrad.functions.creation import CREATION
from symgrad.nn.modules.batchnorm import BatchNorm
from symgrad.nn.modules.module import Module
from symgrad.optim.lr_scheduler.scheduler import LRScheduler, per_group
from symgrad.optim.optimizer import Optimizer
from symgrad.record.modes import recording
from symgrad.support.homes import at_home

__all__ = [
    "SWALR", "AveragedModel", "get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn",
    "get_swa_multi_avg_fn", "update_bn",
]  # fmt: skip

#: Returns a new mean of what it was, a value, and the number of values that are in it.
Average = Callable[[Any, Any, Any], Any]
#: Changes means in place.
Averages = Callable[[list[Any], list[Any], Any], None]


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """Return a function that computes an exponential moving average of one parameter.

    Parameters
    ----------
    decay : float
        What part of the mean stays in each step, between zero and one.

    Raises
    ------
    ValueError
        If it is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> average = torch.optim.swa_utils.get_ema_avg_fn(0.75)
    >>> average(torch.tensor(4.0), torch.tensor(8.0), 3)
    tensor(5.)
    """
    _check_decay(decay)

    def ema_update(ema_param: Any, current_param: Any, num_averaged: Any) -> Any:
        with recording(False):
            return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn() -> Average:
    """Return a function that computes the mean of all values of one parameter.

    Examples
    --------
    >>> import symgrad as torch
    >>> average = torch.optim.swa_utils.get_swa_avg_fn()
    >>> average(torch.tensor(4.0), torch.tensor(8.0), 3)
    tensor(5.)
    """

    def swa_update(averaged_param: Any, current_param: Any, num_averaged: Any) -> Any:
        with recording(False):
            return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> Averages:
    """Return a function that changes exponential moving averages of parameters in place.

    Parameters
    ----------
    decay : float
        What part of the means stays in each step, between zero and one.

    Raises
    ------
    ValueError
        If it is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> update = torch.optim.swa_utils.get_ema_multi_avg_fn(0.75)
    >>> means = [torch.tensor(4.0), torch.tensor(0.0)]
    >>> update(means, [torch.tensor(8.0), torch.tensor(1.0)], 3)
    >>> means
    [tensor(5.), tensor(0.2500)]
    """
    return _in_place(get_ema_avg_fn(decay))


def get_swa_multi_avg_fn() -> Averages:
    """Return a function that changes the means of all values of parameters in place.

    Examples
    --------
    >>> import symgrad as torch
    >>> update = torch.optim.swa_utils.get_swa_multi_avg_fn()
    >>> means = [torch.tensor(4.0), torch.tensor(0.0)]
    >>> update(means, [torch.tensor(8.0), torch.tensor(1.0)], 3)
    >>> means
    [tensor(5.), tensor(0.2500)]
    """

    def average(mean: Any, value: Any, num_averaged: Any) -> Any:
        # As in PyTorch, of a number that is a tensor the weight has the default precision.
        return mean + (value - mean) * float(1 / (num_averaged + 1))

    return _in_place(average)


def _check_decay(decay: float) -> None:
    if not 0.0 <= decay <= 1.0:
        raise ValueError(
            f"Invalid decay value {decay} provided. Please provide a value in [0,1] range."
        )


def _in_place(average: Average) -> Averages:
    def update(averaged: list[Any], current: list[Any], num_averaged: Any) -> None:
        with recording(False):
            for mean, value in zip(averaged, current, strict=True):
                mean.copy_(average(mean, value, num_averaged))

    return update


class AveragedModel(Module):
    """A model with means of the parameters that another model has had.

    Parameters
    ----------
    model : Module
        The model, of which a copy is made.
    device : device, optional
        Where the copy is.
    avg_fn : callable, optional
        Computes the mean of one parameter, as `get_ema_avg_fn` returns it; otherwise it is the mean
        of all values.
    multi_avg_fn : callable, optional
        Changes the means of several parameters of one dtype in place, as `get_ema_multi_avg_fn`
        returns it.
    use_buffers : bool
        Whether buffers are averaged, too, instead of taken over.

    Raises
    ------
    AssertionError
        If both functions are given.

    References
    ----------
    P. Izmailov et al., "Averaging Weights Leads to Wider Optima and Better Generalization" (2018).

    Examples
    --------
    >>> import symgrad as torch
    >>> model = torch.nn.Linear(1, 1, bias=False)
    >>> averaged = torch.optim.swa_utils.AveragedModel(model)
    >>> for value in (1.0, 2.0, 6.0):
    ...     torch.nn.init.constant_(model.weight, value) is model.weight
    ...     averaged.update_parameters(model)
    True
    True
    True
    >>> averaged(torch.ones(1))
    tensor([3.], grad_fn=<SqueezeBackward4>)
    """

    n_averaged: Any

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Average | None = None,
        multi_avg_fn: Averages | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", CREATION["tensor"](0, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the model with the means.

        Parameters
        ----------
        *args, **kwargs
            The arguments of the model.

        Examples
        --------
        >>> import symgrad as torch
        >>> averaged = torch.optim.swa_utils.AveragedModel(torch.nn.ReLU())
        >>> averaged.forward(torch.tensor([-1.0, 2.0]))
        tensor([0., 2.])
        """
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Take the parameters of a model into the means.

        Parameters
        ----------
        model : Module
            The model, of the same structure.

        Examples
        --------
        >>> import symgrad as torch
        >>> model = torch.nn.Linear(1, 1)
        >>> averaged = torch.optim.swa_utils.AveragedModel(model)
        >>> averaged.update_parameters(model)
        >>> averaged.n_averaged
        tensor(1)
        """
        own, given = self._averaged(self.module), self._averaged(model)
        if self.n_averaged == 0:
            _take_over(own, given)
        else:
            update = self.multi_avg_fn or _in_place(self.avg_fn or get_swa_avg_fn())
            kinds: dict[Any, tuple[list[Any], list[Any]]] = {}
            for mean, value in zip(own, given, strict=False):
                means, values = kinds.setdefault(mean.dtype, ([], []))
                means.append(mean.detach())
                values.append(value.detach().to(mean.device))
            for means, values in kinds.values():
                update(means, values, self.n_averaged)
        if not self.use_buffers:
            _take_over(list(self.module.buffers()), list(model.buffers()))
        self.n_averaged += 1

    def _averaged(self, model: Module) -> list[Any]:
        """Return of what a model has means."""
        buffers = model.buffers() if self.use_buffers else ()
        return list(chain(model.parameters(), buffers))


def _take_over(own: list[Any], given: list[Any]) -> None:
    for old, new in zip(own, given, strict=False):
        old.detach().copy_(new.detach())


def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Compute the running statistics of all batch normalisations anew, as means over batches.

    Parameters
    ----------
    loader : iterable
        The batches, or lists and tuples that begin with them.
    model : Module
        The model, which is called with each.
    device : device, optional
        Where batches are moved to.

    Examples
    --------
    >>> import symgrad as torch
    >>> model = torch.nn.BatchNorm1d(1)
    >>> batches = [torch.tensor([[1.0], [3.0]]), torch.tensor([[5.0], [7.0]])]
    >>> torch.optim.swa_utils.update_bn(batches, model)
    >>> model.running_mean, model.running_var
    (tensor([4.]), tensor([2.]))
    """
    layers = [layer for layer in model.modules() if isinstance(layer, BatchNorm)]
    if not layers:
        return
    momenta = [layer.momentum for layer in layers]
    was_training = model.training
    model.train()
    try:
        for layer in layers:
            layer.reset_running_stats()
            layer.momentum = None
        with recording(False):
            for batch in loader:
                given = batch[0] if isinstance(batch, (list, tuple)) else batch
                model(given if device is None else given.to(device))
    finally:
        for layer, momentum in zip(layers, momenta, strict=True):
            layer.momentum = momentum
        model.train(was_training)


class SWALR(LRScheduler):
    """Rates that go to a given one, at which they stay while parameters are averaged.

    The part `a` of the way that is gone goes from zero to one; the rate is
    `a * swa_lr + (1 - a) * lr` with the rate `lr` of the beginning.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    swa_lr : float or list of float
        The last rate; one for all groups, or one for each.
    anneal_epochs : int
        The number of steps to it.
    anneal_strategy : {"cos", "linear"}
        Whether rates follow a cosine or a straight line.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    Raises
    ------
    ValueError
        For settings out of their range.

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> scheduler = torch.optim.swa_utils.SWALR(
    ...     optimizer, swa_lr=0.5, anneal_epochs=2, anneal_strategy="linear"
    ... )
    >>> for _ in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(*scheduler.get_last_lr())
    0.75
    0.5
    0.5
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float | list[float],
        anneal_epochs: int = 10,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        last_epoch: int = -1,
    ) -> None:
        rates = per_group("swa_lr", optimizer, swa_lr)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        epochs: Any = anneal_epochs
        if not (isinstance(epochs, int) and epochs >= 0):
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _part(self, t: int) -> float:
        """Return what part of the way is gone after `t` steps."""
        part = max(0.0, min(1.0, t / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * part)) / 2 if self._anneal_strategy == "cos" else part

    def _next(self, i: int, rate: Any) -> Any:
        t = self._step_count - 1
        if self.anneal_epochs == 0:
            t = max(1, t)
        last = self.optimizer.param_groups[i]["swa_lr"]
        before, now = self._part(t - 1), self._part(t)
        # Where the way is gone, the rate of the beginning is not known, and not needed.
        first = last if before == 1 else (rate - before * last) / (1 - before)
        return now * last + (1 - now) * first


at_home(__name__, **{name: globals()[name] for name in __all__})
