"""Modules whose parameters are not drawn: `skip_init`."""

from __future__ import annotations

import inspect
from typing import Any

from symgrad.nn.modules.module import Module
from symgrad.random.default_stream import default_generator


def skip_init(module_cls: type[Module], *args: Any, **kwargs: Any) -> Module:
    """Return a module whose parameters are still to be set; no random numbers are taken for them.

    Parameters
    ----------
    module_cls : type
        The class, which takes a `device`.
    *args, **kwargs
        The arguments.

    Raises
    ------
    RuntimeError
        If it is no class of modules, or takes no `device`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.utils.skip_init(torch.nn.Linear, 2, 3)
    Linear(in_features=2, out_features=3, bias=True)
    """
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    state = default_generator.get_state()
    made = module_cls(*args, **kwargs)
    default_generator.set_state(state)
    return made
