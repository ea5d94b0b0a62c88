"""The wrapper of networks that several GPUs would compute, of which there are none."""

from __future__ import annotations

from typing import Any

from symgrad.nn.modules.module import Module


class DataParallel(Module):
    """A module as it is, since there are no GPUs that its batches could be divided among.

    Its state has the keys of the module after "module.".

    Parameters
    ----------
    module : Module
        The module.
    device_ids, output_device, dim
        Which GPUs, the one of the result, and the axis of the batch: of no effect.

    Examples
    --------
    >>> import symgrad as torch
    >>> net = torch.nn.DataParallel(torch.nn.Linear(2, 1))
    >>> net(torch.ones(4, 2)).shape
    torch.Size([4, 1])
    >>> list(net.state_dict())
    ['module.weight', 'module.bias']
    """

    def __init__(
        self, module: Module, device_ids: Any = None, output_device: Any = None, dim: int = 0
    ) -> None:
        super().__init__()
        self.module = module
        self.device_ids: list[int] = []

    def forward(self, *input: Any, **kwargs: Any) -> Any:
        return self.module(*input, **kwargs)
