"""Where users find what private modules define: its `__module__`, as PyTorch's has it."""

from __future__ import annotations

from typing import Any

__all__ = ["at_home"]


def at_home(module: str, **found: Any) -> None:
    """Let classes and functions say that they are at home in `module`, under the names given.

    Parameters
    ----------
    module : str
        Where users find them.
    **found : class or function
        What they find there, by its name.
    """
    for name, x in found.items():
        x.__module__, x.__name__, x.__qualname__ = module, name, name
