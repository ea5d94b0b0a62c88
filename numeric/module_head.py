"""The head of a generated module: the imports and helper functions that its kernels need."""

import builtins
from collections.abc import Iterable
from typing import NamedTuple

from .kernel import Kernel
from .standalone import bound_names, free_names

NUMPY = "import numpy as np"
_LITERALS = frozenset({"np", "complex", "slice"})  # the names that literals use


class ModuleHead(NamedTuple):
    """The head of a module, and the names that it uses and binds."""

    imports: tuple[str, ...]
    prelude: tuple[str, ...]
    names: frozenset[str]
    """The names that expressions of the program use: no local variable may have one of them."""
    globals: frozenset[str]
    """The names that the module binds or finds in builtins: no function may have one of them."""


def module_head(kernels: Iterable[Kernel]) -> ModuleHead:
    """Return the imports and helper functions of ``kernels``, each once.

    Raises
    ------
    ValueError
        If two kernels give one name two meanings, or no kernel defines a name that a template
        uses.
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
        undefined = sorted(kernel.template.names - owners.keys() - vars(builtins).keys())
        if undefined:
            raise ValueError(
                f"kernel {kernel.name}: {kernel.source!r} uses {', '.join(undefined)}, "
                "which neither its prelude nor its imports define"
            )
    return ModuleHead(
        (NUMPY, *imports),
        prelude,
        used,
        used.union(owners, *(free_names(text) for text in prelude)),
    )


def _plain_import(text: str) -> bool:
    """Return whether ``text`` is ``import a.b``, of which several may bind the name ``a``."""
    return text.startswith("import ") and " as " not in text and "\n" not in text
