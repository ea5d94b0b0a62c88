"""Write `symgrad/_declared.pyi`: what the tables of `symgrad.public` offer, for type checkers.

Run `python -m tools.stubs` after an operation was added or its signature changed; a test compares
the file with what this writes.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import symgrad
from symgrad.inplace.functions import in_place_functions
from symgrad.legacy import LEGACY_TYPES
from symgrad.public import FUNCTIONS, METHODS, OPERATORS, PROPERTIES
from symgrad.tensor import Tensor

__all__ = ["declarations", "main"]

PACKAGE = Path(symgrad.__file__).parent
TARGET = PACKAGE / "_declared.pyi"

_HEADER = '''\
"""What the tables of operations offer, declared for type checkers and editors.

Written by `python -m tools.stubs`; not to be edited.
"""

from typing import Any

'''


def _parameters(f: Callable[..., Any], method: bool) -> str:
    """Return a parameter list with names, kinds and defaults, every type left open."""
    parts: list[str] = []
    starred = False
    slash = False
    items = list(inspect.signature(f).parameters.values())
    for i, p in enumerate(items):
        if slash and p.kind is not p.POSITIONAL_ONLY:
            parts.append("/")
        slash = p.kind is p.POSITIONAL_ONLY
        if p.kind is p.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        if i == 0 and method:
            parts.append("self")
            continue
        name = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
        starred = starred or p.kind is p.VAR_POSITIONAL
        default = "" if p.default is p.empty else f" = {_default(p.default)}"
        parts.append(f"{name}: Any{default}")
    if slash:
        parts.append("/")
    return ", ".join(parts)


def _default(value: Any) -> str:
    plain = value is None or isinstance(value, (bool, int, float, str))
    return repr(value) if plain and value == value else "..."


def _summary(f: Callable[..., Any]) -> str:
    text = (inspect.getdoc(f) or "").partition("\n")[0].replace("\\", "\\\\").replace('"', "'")
    return f'"""{text}"""' if text else "..."


def _declared(name: str, f: Callable[..., Any], method: bool, indent: str = "") -> str:
    return f"{indent}def {name}({_parameters(f, method)}) -> Any:\n{indent}    {_summary(f)}\n"


def _own_names() -> set[str]:
    """Return what `Tensor` and the classes of its members define, whose types are checked there."""
    files = [PACKAGE / "tensor.py", *sorted((PACKAGE / "members").glob("*.py"))]
    classes = [
        x
        for file in files
        for x in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(x, ast.ClassDef) and (x.name == "Tensor" or x.name.endswith("Members"))
    ]
    body = [x for found in classes for x in found.body]
    return {
        target.id
        for x in body
        if isinstance(x, ast.Assign)
        for target in x.targets
        if isinstance(target, ast.Name)
    } | {x.name for x in body if isinstance(x, ast.FunctionDef)}


def _module_names() -> set[str]:
    """Return what `symgrad/__init__.py` binds itself."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    return {
        alias.asname or alias.name
        for x in ast.walk(tree)
        if isinstance(x, (ast.Import, ast.ImportFrom))
        for alias in x.names
    }


def declarations() -> str:
    """Return the text of the file."""
    out = [_HEADER]
    taken = _module_names()
    tables = {**FUNCTIONS, **in_place_functions(Tensor)}
    functions = {n: f for n, f in sorted(tables.items()) if n not in taken and n.isidentifier()}
    listed: Iterable[str] = sorted([*functions, *LEGACY_TYPES])
    out.append("__all__ = [\n" + "".join(f'    "{n}",\n' for n in listed) + "]\n\n")
    out += [f"{name}: Any\n" for name in sorted(LEGACY_TYPES)]
    out.append("\n")
    out += [_declared(name, f, method=False) + "\n" for name, f in functions.items()]
    out.append("class Methods:\n")
    own = _own_names()
    methods: dict[str, Any] = {**METHODS, **OPERATORS}
    for name, value in vars(Tensor).items():  # the forms in place, `new_zeros` and their kin
        if inspect.isfunction(value) and not name.startswith("_"):
            methods.setdefault(name, value)
    for name in sorted(methods):
        if name not in own:
            out.append(_declared(name, methods[name], method=True, indent="    ") + "\n")
    for name in sorted(PROPERTIES):
        if name not in own:
            getter = PROPERTIES[name].fget
            assert getter is not None
            out.append("    @property\n" + _declared(name, getter, True, "    ") + "\n")
    return "".join(out).rstrip("\n") + "\n"


def main() -> None:
    """Write the file."""
    TARGET.write_text(declarations(), encoding="utf-8")


if __name__ == "__main__":
    main()
