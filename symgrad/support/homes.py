"""The public modules of classes and functions that private modules define, as in PyTorch."""

from __future__ import annotations

from typing import Any


def at_home(module: str, **members: Any) -> None:
    """Set the module and the name of classes and functions to those that users know.

    Parameters
    ----------
    module : str
        The public module.
    **members : class or function
        The members of that module, by their names.
    """
    for name, x in members.items():
        x.__module__, x.__name__, x.__qualname__ = module, name, name
