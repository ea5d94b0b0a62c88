"""Imports of all modules of a folder, so that no list has to name a new module."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection


def import_all(package: str, besides: Collection[str] = ()) -> None:
    """Import the modules of a package in alphabetical order.

    Parameters
    ----------
    package : str
        The name of the package.
    besides : collection of str
        The modules to leave out, by their last names.

    Examples
    --------
    >>> from symgrad.support.folders import import_all
    >>> import_all("symgrad.cli", besides=("demo",))
    """
    path = importlib.import_module(package).__path__
    for name in sorted([module.name for module in pkgutil.iter_modules(path)]):
        if name not in besides:
            importlib.import_module(f"{package}.{name}")
