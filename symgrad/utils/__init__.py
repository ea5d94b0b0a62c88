"""Helpers around the core, under PyTorch's names: `utils.hooks`, `utils.checkpoint` and others."""

import importlib
from typing import TYPE_CHECKING, Any

from symgrad.support.absent import error_of
from symgrad.utils import hooks

if TYPE_CHECKING:
    from symgrad.utils import checkpoint, data, dlpack

__all__ = ["checkpoint", "data", "dlpack", "hooks"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise error_of("utils", name)
    return importlib.import_module(f"{__name__}.{name}")
