"""What a layer calls and a layer above it states is stated, and every family is imported.

`lint-imports` holds the layers themselves.
"""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import symgrad
from symgrad.support.above import everything_from_above

FOLDER = Path(symgrad.__file__).parent


@pytest.mark.parametrize("place", everything_from_above, ids=lambda place: place.module)
def test_each_is_stated_where_it_says(place):
    assert inspect.getmodule(place.call).__name__ == place.module


def imported(path: Path) -> set[str]:
    """Return the full names of what a module imports."""
    found = set()
    for x in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(x, ast.ImportFrom):
            found.update(f"{x.module}.{alias.name}" for alias in x.names)
        elif isinstance(x, ast.Import):
            found.update(alias.name for alias in x.names)
    return found


@pytest.mark.parametrize(
    "name",
    [
        "numeric.interpret.interpret",
        "numeric.compile.compile_program",
        "numeric.emit.emit",
        "symgrad.lower.program.lower",
    ],
)
def test_one_object_makes_and_runs_programs(name):
    users = {p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*.py") if name in imported(p)}
    assert users == {"lower/executable.py"}


def test_classes_get_members_in_one_place():
    """`install` is called where `ArrayExpr` and `Tensor` are assembled, and nowhere else."""
    users = {
        p.relative_to(FOLDER).as_posix()
        for p in FOLDER.rglob("*.py")
        if "symgrad.support.members.install" in imported(p)
    }
    assert users == {"members.py"}
    for path in FOLDER.rglob("*.py"):
        for x in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            targets = x.targets if isinstance(x, ast.Assign) else []
            owners = [t.value for t in targets if isinstance(t, ast.Attribute)]
            names = {owner.id for owner in owners if isinstance(owner, ast.Name)}
            assert not names & {"ArrayExpr", "Tensor", "Primitive"}, (path.name, x.lineno)


@pytest.mark.parametrize("package", ["symgrad.ops", "symgrad.functions"])
def test_every_family_is_there_without_being_named(package):
    folder = Path(symgrad.__file__).parent.joinpath(*package.split(".")[1:])
    files = {f"{package}.{path.stem}" for path in folder.glob("*.py")} - {f"{package}.__init__"}
    code = "import sys, symgrad; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    ).stdout.split()
    assert files and files <= set(loaded)


def test_nodes_stay_what_they_are_when_somebody_looks():
    x = symgrad.ones(2, requires_grad=True)
    y = x.exp() * x
    vertex = y._node()
    kinds = type(vertex), type(vertex.inputs[0])
    node = y.grad_fn
    assert y.grad_fn is node and type(node).__name__ == "MulBackward0"
    assert node.next_functions[0][0].name() == "ExpBackward0"
    assert (type(vertex), type(vertex.inputs[0])) == kinds and kinds[0] is kinds[1]
    assert isinstance(node, symgrad.autograd.graph.Node)
    for path in FOLDER.rglob("*.py"):
        for part in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            targets = part.targets if isinstance(part, ast.Assign) else []
            changed = [t for t in targets if isinstance(t, ast.Attribute) and t.attr == "__class__"]
            assert not changed, (path.name, part.lineno)
