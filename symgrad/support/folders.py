"""Importing every module of a folder, so that a new one need be named nowhere."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection

__all__ = ["import_all"]


def import_all(package: str, besides: Collection[str] = ()) -> None:
    """Import the modules of a package, in the order of the alphabet.

    Parameters
    ----------
    package : str
        Its name.
    besides : collection of str
        Modules that are not meant, without the name of the package.

    Examples
    --------
    >>> from symgrad.support.folders import import_all
    >>> import_all("symgrad.cli", besides=("demo",))
    """
    path = importlib.import_module(package).__path__
    for name in sorted([module.name for module in pkgutil.iter_modules(path)]):
        if name not in besides:
            importlib.import_module(f"{package}.{name}")
