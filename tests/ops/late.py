"""Operations of the library, each written once more under another name after all was imported.

What the library knows of such an operation it has asked of its class: no module names it, and no
table that was built at import contains it. The operations here are not among
`PRIMITIVES`, so that the laws over those meet them only where a test says so.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from typing import Any

from symgrad.ops.primitive import PRIMITIVES, Primitive


@functools.cache
def _classes_of(module: str) -> dict[str, ast.ClassDef]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {x.name: x for x in tree.body if isinstance(x, ast.ClassDef)}


@functools.cache
def written_again(cls: type[Primitive]) -> type[Primitive]:
    """Run the source of a class under another name, which its own methods call it by as well."""
    source = _classes_of(cls.__module__)[cls.__name__]
    source.name = f"late_{cls.__name__}"
    space: dict[str, Any] = {**vars(sys.modules[cls.__module__]), "__name__": __name__}
    exec(compile(ast.Module([source], []), f"<{cls.__module__}, once more>", "exec"), space)
    late = space[cls.__name__] = globals()[source.name] = PRIMITIVES.pop(source.name)
    return late


def facts_of(cls: type[Primitive]) -> tuple[Any, ...]:
    """Return what a class states that rewrites and masks ask for."""
    fills = cls.as_fill is not Primitive.as_fill
    return cls.keeps_zeros, cls.moves, cls.selects, cls.passes_factors, fills


#: The operations of the library.
LIBRARY = [cls for cls in PRIMITIVES.values() if cls.__module__.startswith("symgrad.")]

#: The first operation of those that state the same facts, written once more.
OF_EACH_KIND = [
    written_again(cls) for cls in {facts_of(cls): cls for cls in reversed(LIBRARY)}.values()
]
