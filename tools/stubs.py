"""Write what type checkers and editors read: stubs of all members, and those beside modules.

Run `python -m tools.stubs` after a schema was added or changed; a test compares the files with what
this writes. Types come from the schemas: each overload of PyTorch's is one of Python's.
"""

from __future__ import annotations

import ast
import inspect
import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import symgrad
from symgrad.expr import node
from symgrad.expr.node import ArrayExpr
from symgrad.functions.creation import CREATION
from symgrad.functions.in_place_functions import in_place_functions
from symgrad.schema.public import FUNCTIONS, METHODS, OPERATORS, PROPERTIES, SCHEMAS, SPACES
from symgrad.schema.results import RESULTS
from symgrad.schema.text import Overload, Parameter, Schema
from symgrad.tensor.legacy import LEGACY_TYPES
from symgrad.tensor.tensor import Tensor

__all__ = ["main", "written"]

PACKAGE = Path(symgrad.__file__).parent

_HEADER = '''\
"""{summary}

Written by `python -m tools.stubs`; not to be edited.
"""

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

import numpy as np
from numpy import ndarray
import sympy
from sympy.core.basic import Basic

from symgrad import return_types as _return_types
from symgrad.expr.atoms import Leaf
from symgrad.expr.devices import device as _device
from symgrad.expr.dtypes import dtype as _dtype
from symgrad.expr.node import ArrayExpr
from symgrad.tensor.layout import layout as _layout
from symgrad.random import Generator as _Generator
from symgrad.expr.size import Size as _Size
from symgrad.tensor.tensor import Tensor

#: What computes, and what may stand beside it.
_T = TypeVar("_T", Tensor, ArrayExpr)
_Number = builtins.int | builtins.float | builtins.complex
_Operand = Tensor | ArrayExpr | ndarray[Any, Any]

'''

#: The types of the kinds of arguments, by the names of these.
_TYPES = {
    "Tensor": "_Operand", "Scalar": "_Number", "int": "builtins.int", "float": "builtins.float",
    "Real": "builtins.float",
    "bool": "builtins.bool", "str": "builtins.str", "ScalarType": "_dtype | builtins.type[Any]",
    "Device": "_device | builtins.str | builtins.int", "MemoryFormat": "Any", "Layout": "_layout",
    "Generator": "_Generator", "Storage": "Any", "object": "Any", "Name": "builtins.str",
}  # fmt: skip


def _type(kind: str) -> str:
    """Return the type of an argument of a kind, as Python writes it."""
    plain = kind.removesuffix("[]...").removesuffix("...")
    if plain.endswith("?"):
        found = _type(plain[:-1])
        return found if found == "Any" else f"{found} | None"
    if "|" in plain:
        return " | ".join(dict.fromkeys(_type(one) for one in plain.split("|")))
    if plain.endswith("]"):
        element, _, length = plain[:-1].partition("[")
        listed = f"Sequence[{_type(element)}]"
        return f"{_type(element)} | {listed}" if length else listed
    return _TYPES[plain]


def _returned(returns: str, name: str, tensor: str) -> str:
    """Return the type of a result; `tensor` is that of the tensors among it."""
    if returns == "Tensor":
        return tensor
    if returns.startswith("("):
        if name in RESULTS:
            return f"_return_types.{name}[{tensor}]"
        return f"tuple[{', '.join([tensor] * (returns.count(',') + 1))}]"
    plain = {
        "Tensor[]": f"tuple[{tensor}, ...]", "bool": "builtins.bool", "Size": "_Size",
        "int": "builtins.int", "dtype": "_dtype",
    }  # fmt: skip
    return plain.get(returns, "Any")


def _declared(
    name: str, schema: Schema, summary: str, indent: str = "", *, own: str = "_T"
) -> Iterator[str]:
    """Yield the declarations of a function or method, one for each overload."""
    shown: list[tuple[dict[str, set[str]], str]] = []
    for overload in schema.overloads:
        if overload.hidden or any(p.kind == "Storage" for p in overload.parameters):
            continue
        for star in (True, False) if overload.spreads else (False,):
            parameters, tensor = _parameters(schema, overload, own, star)
            returns = overload.returns
            if returns == "Tensor|str":  # without an argument, the name of what is
                shown.append(({}, f"{indent}def {name}(self) -> builtins.str:\n"))
                parameters, returns = parameters.replace(" = None", "", 1), "Tensor"
            result = _returned(returns, schema.call, tensor)
            for given in (parameters, "" if schema.python else _spelled_by_numpy(parameters)):
                types = _parts(given)
                if given and not any(_covers(known, types) for known, _ in shown):
                    shown.append((types, f"{indent}def {name}({given}) -> {result}:\n"))
    head = f"{indent}@overload\n" if len(shown) > 1 else ""
    for _, text in shown:
        yield f"{head}{text}{indent}    {summary}\n"


def _spelled_by_numpy(parameters: str) -> str:
    """Return parameters with `axis`, by its name, in the place of `dim`; empty without one."""
    before, *after = re.split(r"\bdim: ", re.sub(r"\bkeepdim: ", "keepdims: ", parameters))
    if not after or before.endswith("*"):
        return ""
    return f"{before}{'' if '*' in before else '*, '}axis: {after[0].replace('*, ', '')}"


def _parts(parameters: str) -> dict[str, set[str]]:
    """Return the types that each parameter of a list may have."""
    found = {}
    for text in re.split(r", (?![^\[]*\])", parameters):
        name, _, rest = text.partition(": ")
        kinds = rest.partition(" = ")[0].split(" | ")
        found[name] = {"_Operand", *kinds} if "_T" in kinds else set(kinds)
    return found


def _covers(known: dict[str, set[str]], types: dict[str, set[str]]) -> bool:
    """Return whether each call that fits an overload fits an earlier one, which then is taken."""
    given = {name: kinds for name, kinds in types.items() if name not in ("out", "*")}
    return given.keys() <= known.keys() and all(
        kinds - {"_T"} <= known[name] for name, kinds in given.items()
    ) and all(name in given or name in ("out", "*") for name in known)  # fmt: skip


def _parameters(schema: Schema, overload: Overload, own: str, star: bool) -> tuple[str, str]:
    """Return a parameter list, and the type of the tensors that are returned.

    Sizes that may be given one by one follow a `star`, or stand under their name.
    """
    parts = ["self"] if schema.method else []
    tensor = own if schema.method else ""
    starred = optional = False
    for p in overload.parameters:
        name = f"{p.name}_" if keyword.iskeyword(p.name) else p.name
        kind = _type(p.kind)
        if star and not starred:
            parts.append(f"*{p.name}: builtins.int | Sequence[builtins.int]")
            starred = True
            continue
        if overload.spreads and not starred:
            parts.append("*")
            starred = True
        if p.kind.endswith("..."):
            if p.kind.startswith("Tensor"):
                tensor = "_T"
                kind = "_T | Sequence[_T]" if "[" in p.kind else "_T"
            parts.append(f"*{name}: {kind}")
            starred = True
            continue
        if p.kind == "Tensor" and not (overload.formulas or schema.method):
            kind = "Tensor"
        elif p.kind == "Tensor" and not tensor:
            tensor = kind = "_T"
        elif p.kind == "Tensor[]" and not tensor:
            tensor, kind = "_T", "Sequence[_T]"
        elif p.kind.startswith("Tensor") and overload.numbers:
            kind += " | _Number"
        if p.name == "out":
            kind = "Tensor | None" if p.kind == "Tensor?" else "Sequence[Tensor] | None"
        if p.keyword_only and not starred:
            parts.append("*")
            starred = True
        optional = optional or (p.optional and not starred)
        default = f" = {_default(p)}" if p.optional or (optional and not starred) else ""
        parts.append(f"{name}: {kind}{default}")
    return ", ".join(parts), tensor or "Tensor"


def _default(p: Parameter) -> str:
    value = p.value
    return repr(value) if value is None or isinstance(value, (bool, int, float, str)) else "..."


def _summary(f: Callable[..., Any]) -> str:
    text = (inspect.getdoc(f) or "").partition("\n")[0].replace("\\", "\\\\").replace('"', "'")
    return f'"""{text}"""' if text else "..."


def _own_names() -> set[str]:
    """Return what `Tensor` and the classes of its members define, whose types are checked there."""
    files = sorted((PACKAGE / "tensor").glob("*.py"))
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


def _schema(name: str, method: bool) -> Schema | None:
    """Return the schema of a function or method, that of the form in place among them."""
    found = SCHEMAS.get((name, method))
    if found is None and name.endswith("_") and (name[:-1], method) in SCHEMAS:
        found = SCHEMAS[name[:-1], method].in_place(name, method=method)
    return found or (SCHEMAS[name, True].in_place(name) if (name, True) in SCHEMAS else None)


def _functions(found: Iterable[tuple[str, Callable[..., Any]]], space: str = "") -> Iterator[str]:
    for name, f in found:
        schema = _schema(f"{space}.{name}" if space else name, method=False)
        assert schema is not None, name
        yield from _declared(name, schema, _summary(f))
        yield "\n"


def _tables() -> dict[str, Callable[..., Any]]:
    """Return the functions of the tables that the package offers."""
    taken = _module_names()
    tables = {**FUNCTIONS, **in_place_functions(Tensor)}
    return {n: f for n, f in sorted(tables.items()) if n not in taken and n.isidentifier()}


def _methods() -> Iterator[str]:
    own = _own_names()
    methods: dict[str, Any] = dict(METHODS)
    for name, value in vars(Tensor).items():  # the forms in place, `new_zeros` and their kin
        if inspect.isfunction(value) and not name.startswith("_"):
            methods.setdefault(name, value)
    for name in sorted(methods):
        if name in own:
            continue
        schema = _schema(name, method=True)
        assert schema is not None, name
        yield from _declared(name, schema, _summary(methods[name]), "    ", own="Tensor")
        yield "\n"
    for name in sorted(OPERATORS):
        if name not in own:
            yield _operator(name) + "\n"
    for name in sorted(PROPERTIES):
        if name not in own:
            getter = PROPERTIES[name].fget
            assert getter is not None
            yield f"    @property\n    def {name}(self) -> Tensor:\n        {_summary(getter)}\n\n"


def _of_formulas() -> str:
    """Return the text of `expr/_members.pyi`: what formulas have, beside what their class states.

    For type checkers it is their base class, since one that is unknown, as SymPy's are, would make
    `2 * x` an int.
    """
    out = [_HEADER.format(summary="The members of formulas, declared."), "class Formulas:\n"]
    return "".join([*out, *_formulas()]).rstrip("\n") + "\n"


def _formulas() -> Iterator[str]:
    """Yield the members of formulas that stand elsewhere than in their class."""
    tree = ast.parse(Path(node.__file__).read_text(encoding="utf-8"))
    (body,) = [x.body for x in ast.walk(tree) if getattr(x, "name", "") == ArrayExpr.__name__]
    own = {x.name for x in body if isinstance(x, ast.FunctionDef)}
    for name, member in sorted(vars(ArrayExpr).items()):
        if name in own:
            continue
        if METHODS.get(name, vars(Tensor).get(name)) is member and (name, True) in SCHEMAS:
            schema = SCHEMAS[name, True]
            yield from _declared(name, schema, _summary(member), "    ", own="ArrayExpr")
        elif name in OPERATORS and inspect.isfunction(member):
            yield _operator(name, "ArrayExpr")
        elif isinstance(member, property) and _is_ours(member.fget):
            returned = "ArrayExpr" if name in PROPERTIES else _signature(member.fget)[1]
            yield f"    @property\n    def {name}(self) -> {returned}:\n"
            yield f"        {_summary(member.fget)}\n"
        elif not name.startswith("_") and _is_ours(member):
            parameters, returned = _signature(member)
            yield f"    def {name}({parameters}) -> {returned}:\n        {_summary(member)}\n"
        else:
            continue
        yield "\n"


def _is_ours(member: Any) -> bool:
    return getattr(member, "__module__", "").partition(".")[0] == PACKAGE.name


def _signature(f: Callable[..., Any]) -> tuple[str, str]:
    """Return the parameters and the result of a method, as its annotations state them."""
    found = inspect.signature(f)
    parts = ["self"]
    for p in list(found.parameters.values())[1:]:
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        default = "" if p.default is p.empty else f" = {p.default!r}"
        parts.append(f"{star}{p.name}: {_annotation(p.annotation)}{default}")
    return ", ".join(parts), _annotation(found.return_annotation)


def _annotation(given: Any) -> str:
    """Return an annotation in a stub, where types that are names of members have other names."""
    if given is inspect.Signature.empty:
        return "Any"
    given = re.sub(r"\b(device|dtype)\b", r"_\1", given)
    return re.sub(r"\b(bool|int|float|complex)\b", r"builtins.\1", given)


def _operator(name: str, own: str = "Tensor") -> str:
    parameters = list(inspect.signature(OPERATORS[name]).parameters)[1:]
    if name == "__iter__":
        return f"    def __iter__(self) -> Iterator[{own}]: ...\n"
    if name == "__getitem__":
        return f"    def __getitem__(self, key: Any) -> {own}: ...\n"
    # Of a reflected operator the left operand is none of ours, whose own operator is asked first.
    reflected = name.startswith("__r") and f"__{name[3:]}" in OPERATORS
    others = "".join(
        f", {p}: {'ndarray[Any, Any]' if reflected else '_Operand'} | _Number" for p in parameters
    )
    return f"    def {name}(self{others}) -> {own}: ...\n"


def _declarations() -> str:
    """Return the text of `_declared.pyi`: the functions of the package, and methods of tensors."""
    functions = _tables()
    listed = sorted([*functions, *LEGACY_TYPES])
    out = [
        _HEADER.format(summary="What the schemas offer, declared for type checkers and editors."),
        "__all__ = [\n" + "".join(f'    "{n}",\n' for n in listed) + "]\n\n",
        *[f"{name}: Any\n" for name in sorted(LEGACY_TYPES)],
        "\n",
        *_functions(functions.items()),
        "class Methods:\n",
        *_methods(),
    ]
    return "".join(out).rstrip("\n") + "\n"


def _space(name: str, module: ModuleType, imported: Mapping[str, str]) -> str:
    """Return the text of the stub of one of PyTorch's other modules.

    `imported` has the names that the module binds beside its functions, with where they come from.
    """
    found = SPACES[name]
    out = [_HEADER.format(summary=f"The functions of `symgrad.{name}`, declared.")]
    out += [f"from {origin} import {n} as {n}\n" for n, origin in imported.items()]
    listed = "".join(f'    "{n}",\n' for n in module.__all__)
    out += [f"__all__ = [\n{listed}]\n\n", *_functions(sorted(found.items()), name)]
    return "".join(out).rstrip("\n") + "\n"


def _results() -> str:
    """Return the text of the stub of the classes of results with names."""
    out = [
        '"""The classes of results with names, declared. Made by `python -m tools.stubs`."""\n\n',
        "from typing import Generic, NamedTuple, TypeVar\n\n_T = TypeVar(\"_T\")\n\n",
        "__all__ = [\n", *[f'    "{name}",\n' for name in sorted(RESULTS)], "]\n",
    ]  # fmt: skip
    for name, cls in sorted(RESULTS.items()):
        fields = "".join(f"    {field}: _T\n" for field in cls._fields)
        out.append(f'\nclass {name}(NamedTuple, Generic[_T]):\n    """{cls.__doc__}"""\n\n{fields}')
    return "".join(out)


def _package() -> str:
    """Return the text of `__init__.pyi`: what the package binds, and the functions."""
    path = PACKAGE / "__init__.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    out = [_HEADER.format(summary="What `symgrad` offers.")]
    # What is imported on demand is so for type checkers alone.
    later = [y for x in tree.body if isinstance(x, ast.If) for y in x.body]
    for x in [*tree.body, *later]:
        if isinstance(x, ast.ImportFrom) and x.module not in ("importlib", "typing"):
            out += [f"from {x.module} import {a.name} as {a.asname or a.name}\n" for a in x.names]
        elif isinstance(x, ast.Assign) and isinstance(x.targets[0], ast.Name):
            name = x.targets[0].id
            if name == "__version__":
                out.append("\n__version__: str\n")
            elif isinstance(x.value, ast.Name):
                out.append(f"{name} = {x.value.id}\n")
            elif isinstance(x.value, ast.Constant):
                out.append(f"{name}: {x.value.value}\n")
    functions = sorted([*_tables(), *LEGACY_TYPES])
    out.append("\n")
    for name, f in sorted(CREATION.items()):
        out += _declared(name, SCHEMAS[name, False], _summary(f), own="Tensor")
    out += [f"from symgrad._declared import {n} as {n}\n" for n in functions]
    out += ["\n__all__ = [\n", *[f'    "{n}",\n' for n in sorted(symgrad.__all__)], "]\n"]
    return "".join(out)


def _autograd() -> str:
    """Return the text of `autograd/__init__.pyi`, where `grad` has tensors among its results."""
    path = PACKAGE / "autograd" / "__init__.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    out = [_HEADER.format(summary="What `symgrad.autograd` offers.")]
    for x in ast.walk(tree):
        if isinstance(x, ast.ImportFrom) and (x.module or "").startswith("symgrad"):
            out += [
                f"from {x.module} import {a.name} as {a.name}\n"
                for a in x.names
                if a.name in symgrad.autograd.__all__ and a.name != "grad"
            ]
    out.append('_K = TypeVar("_K")\n_V = TypeVar("_V")\n\n')
    grad = inspect.signature(symgrad.autograd.grad)
    for inputs, result in (("dict[_K, _V]", "dict[_K, Tensor]"), ("Any", "tuple[Tensor, ...]")):
        parameters = [
            f"{p.name}: {inputs if p.name == 'inputs' else p.annotation}"
            + ("" if p.default is p.empty else f" = {p.default!r}")
            for p in grad.parameters.values()
        ]
        out.append(f"@overload\ndef grad({', '.join(parameters)}) -> {result}:\n")
        out.append(f"    {_summary(symgrad.autograd.grad)}\n")
    out += ["\n__all__ = [\n", *[f'    "{n}",\n' for n in symgrad.autograd.__all__], "]\n"]
    return "".join(out)


def written() -> dict[Path, str]:
    """Return the text of each file."""
    functional = symgrad.nn.functional
    both = [n for n in vars(functional) if n in FUNCTIONS and n not in SPACES["nn.functional"]]
    shared = dict.fromkeys(both, "symgrad._declared")
    error = {"LinAlgError": "symgrad.ops.linear_algebra"}
    return {
        PACKAGE / "_declared.pyi": _declarations(),
        PACKAGE / "__init__.pyi": _package(),
        PACKAGE / "expr" / "_members.pyi": _of_formulas(),
        PACKAGE / "autograd" / "__init__.pyi": _autograd(),
        PACKAGE / "nn" / "functional.pyi": _space("nn.functional", functional, shared),
        PACKAGE / "fft.pyi": _space("fft", symgrad.fft, {}),
        PACKAGE / "linalg.pyi": _space("linalg", symgrad.linalg, error),
        PACKAGE / "masked.pyi": _space("masked", symgrad.masked, {}),
        PACKAGE / "special.pyi": _space("special", symgrad.special, {}),
        PACKAGE / "return_types.pyi": _results(),
    }


def main() -> None:
    """Write the files."""
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
