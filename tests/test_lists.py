"""A fact about an operation belongs in its class: no module has a list of operations.

What counts is a collection that is written out in a module, outside of functions and of classes of
operations, and names two primitives or public functions or more: as strings, classes or functions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import symgrad
from symgrad.ops.primitive import BESIDE, PRIMITIVES
from symgrad.schema.public import FUNCTIONS, METHODS, PROPERTIES, SPACES, TENSOR_METHODS

FOLDER = Path(symgrad.__file__).parent

#: Primitives and public functions, by the names that code has for them.
NAMES = {*PRIMITIVES, *BESIDE, *FUNCTIONS, *METHODS, *PROPERTIES, *TENSOR_METHODS}
NAMES.update(name for functions in SPACES.values() for name in functions)

#: Collections of such names that are no lists of operations, by where they stand, and why.
ALLOWED = {
    "__init__.py: _HOMES.update": "modules",
    "autograd/graph.py: _MODES": "modes of a hook",
    "expr/devices.py: __slots__": "attributes of a device",
    "expr/devices.py: _KNOWN_DEVICES": "devices",
    "expr/escaping.py: _GREEK": "letters",
    "forms/services.py: SERVICES": "SymPy's functions",
    "functions/casting.py: _METHODS": "each entry makes the method of its name",
    "functions/clipping.py: shows": "operands of `clamp`",
    "functions/clipping.py: (_WITHOUT_MAX, _WITHOUT_MIN)": "operands of `clamp`",
    "functions/complexes.py: shows": "operands of `complex`",
    "functions/sigmoid.py: shows": "operands of `softplus`",
    "nn/modules/activation.py: _shown": "attributes of a layer that its text shows",
    "nn/modules/steps.py: KINDS": "modes of recurrent layers",
    "nn/functional.py: _SHARED": "a door lists the names of PyTorch's module",
    "nn/uninitialized.py: _ALLOWED": "what a tensor without a shape can do",
    "ops/losses.py: _REDUCTIONS": "values of the parameter `reduction`",
    "ops/rounding.py: _INTEGER": "values of the parameter `rounding`",
    "ops/rounding.py: _QUOTIENT": "values of the parameter `rounding`",
    "random/rounded.py: _PROBED": "functions of the C library, which streams call",
    "schema/kinds.py: _KINDS": "kinds of arguments",
    "simplify/spellings.py: _SUMS": "the forms that one rule reads, each in its own branch",
    "tensor/subclassing.py: _OPERATORS": "Python's names of operators; by which function PyTorch "
    "knows each follows no rule",
    "tensor/subclassing.py: _BINARY": "Python's names of operators",
}


def names_in(element: ast.AST, known: set[str]) -> set[str]:
    """Return the operations that an element of a collection names."""
    found = set()
    for x in ast.walk(element):
        if isinstance(x, ast.Constant) and isinstance(x.value, str):
            if x.value.removesuffix("_") in NAMES:
                found.add(x.value)
        elif isinstance(x, ast.Name) and x.id in known:
            found.add(x.id)
    return found


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module outside of functions and of classes of operations."""
    for x in body:
        if isinstance(x, ast.ClassDef):
            if x.name not in NAMES:
                yield from statements(x.body)
        elif not isinstance(x, (ast.FunctionDef, ast.Import, ast.ImportFrom)):
            yield x


def label_of(statement: ast.stmt) -> str:
    """Return the variables that a statement binds, or else the function that it calls."""
    if isinstance(statement, ast.Assign):
        return ", ".join(ast.unparse(target) for target in statement.targets)
    if isinstance(statement, ast.AnnAssign):
        return ast.unparse(statement.target)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return ast.unparse(statement.value.func)
    return type(statement).__name__


def lists_in(source: str) -> Iterator[str]:
    """Yield what a module binds collections to that name operations."""
    tree = ast.parse(source)
    known = {x.name for x in tree.body if isinstance(x, (ast.ClassDef, ast.FunctionDef))}
    for x in ast.walk(tree):
        if isinstance(x, ast.ImportFrom):
            known.update(alias.asname or alias.name for alias in x.names)
    known &= NAMES
    for statement in statements(tree.body):
        if label_of(statement) == "__all__":
            continue
        for x in ast.walk(statement):
            elements: list[ast.expr] = []
            if isinstance(x, (ast.List, ast.Tuple, ast.Set)):
                elements = x.elts
            elif isinstance(x, ast.Dict):
                elements = [*filter(None, x.keys), *x.values]
            named: set[str] = set()
            named.update(*[names_in(element, known) for element in elements])
            if len(named) > 1:
                yield label_of(statement)


def everywhere() -> set[str]:
    return {
        f"{path.relative_to(FOLDER).as_posix()}: {label}"
        for path in sorted(FOLDER.rglob("*.py"))
        for label in lists_in(path.read_text(encoding="utf-8"))
    }


def test_no_module_has_a_list_of_operations():
    found = everywhere()
    assert not found - ALLOWED.keys(), "a fact about operations belongs in their classes"
    assert not ALLOWED.keys() - found, "these are no lists any more"


@pytest.mark.parametrize(
    "source",
    [
        '_SMOOTH = {"argmax": "softmax", "sign": "tanh"}',
        "from symgrad.ops.gathering import gather, take\n_SELECTIONS = (gather, take)",
        'class Members:\n    _RESHAPING = frozenset(["t_", "squeeze_"])',
        'enter(frozenset({"sin", "cos"}))',
    ],
)
def test_lists_are_found(source):
    assert list(lists_in(source))


@pytest.mark.parametrize(
    "source",
    [
        '__all__ = ["sin", "cos"]',
        'class sin:\n    aliases = ("cos", "tan")',
        '_WORDS = ("sin", "bread")',
        'def f():\n    return ("sin", "cos")',
        "_TYPES = (float, int)",
    ],
)
def test_other_collections_are_not(source):
    assert not list(lists_in(source))
