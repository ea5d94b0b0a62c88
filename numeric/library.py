"""What the kernels of a program need around it: imports and helper functions."""

import builtins
from collections.abc import Iterable
from typing import NamedTuple

from .kernel import Kernel
from .standalone import bound_names, free_names

__all__ = ["NUMPY", "Library", "library"]

NUMPY = "import numpy as np"
_LITERALS = frozenset({"np", "complex", "slice"})  # what literals are made of


class Library(NamedTuple):
    """The head of a module, and the names that the module relies on."""

    imports: tuple[str, ...]
    prelude: tuple[str, ...]
    names: frozenset[str]
    """What expressions of the program refer to: a local variable must not hide it."""
    globals: frozenset[str]
    """What the module binds or takes from builtins: a function must not replace it."""


def library(kernels: Iterable[Kernel]) -> Library:
    """The imports and helpers of ``kernels``, each once.

    Raises
    ------
    ValueError
        When two of them give one name two meanings, or none defines a name
        that a template uses.
    """
    unique = tuple(dict.fromkeys(kernels))
    imports = sorted({line for k in unique for line in k.imports} - {NUMPY})
    prelude = tuple(dict.fromkeys(text.rstrip() for k in unique for text in k.prelude))
    owners = {"np": NUMPY}
    for text in (*imports, *prelude):
        for name in sorted(bound_names(text)):
            owner = owners.setdefault(name, text)
            if owner != text and not (_plain_import(owner) and _plain_import(text)):
                raise ValueError(f"kernels give the name {name} two meanings:\n{owner}\n{text}")
    used = _LITERALS.union(*(k.template.names for k in unique))
    for kernel in unique:
        lost = sorted(kernel.template.names - owners.keys() - vars(builtins).keys())
        if lost:
            raise ValueError(
                f"kernel {kernel.name}: {kernel.source!r} uses {', '.join(lost)}, "
                "which neither its prelude nor its imports define"
            )
    return Library(
        (NUMPY, *imports),
        prelude,
        used,
        used.union(owners, *(free_names(text) for text in prelude)),
    )


def _plain_import(text: str) -> bool:
    """Whether ``text`` is ``import a.b``: any number of these share the name ``a``."""
    return text.startswith("import ") and " as " not in text and "\n" not in text
