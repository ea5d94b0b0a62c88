"""What the library's source shows: calls from above are stated, and what no module contains.

`lint-imports` holds the layers themselves. The tests stand together, so that one process parses all
modules, and once.
"""

from __future__ import annotations

import ast
import functools
import graphlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import symgrad
import symgrad.autograd.function  # which is imported on demand, and declares a function from above
from symgrad.support import locks
from symgrad.support.above import everything_from_above
from tests import sources
from tests.each import each
from tests.sources import parts_of

FOLDER = Path(symgrad.__file__).parent
ROOT = FOLDER.parent


@each("place", list(everything_from_above), ids=lambda place: place.module)
def test_each_is_stated_where_it_says(place):
    assert inspect.getmodule(place.call).__name__ == place.module


@functools.cache
def imported(path: Path) -> set[str]:
    """Return the full names of what a module imports."""
    found = set()
    for x in parts_of(path):
        if isinstance(x, ast.ImportFrom):
            found.update(f"{x.module}.{alias.name}" for alias in x.names)
        elif isinstance(x, ast.Import):
            found.update(alias.name for alias in x.names)
    return found


#: The modules of the library, by their names.
MODULES = {
    ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(FOLDER.rglob("*.py"))
}

#: Mixins of the class `Tensor` name it in annotations, for users of typed programs.
ANNOTATED_ONLY = "symgrad.tensor.tensor"


#: Where statements hold statements, and what stands for some.
_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")


@functools.cache
def imports_of(name: str) -> list[tuple[str, bool, bool]]:
    """Return the modules that a module imports: their names, whether inside a function, and whether
    for annotations alone.
    """
    imports = []
    pending: list[tuple[ast.AST, bool, bool]] = [(parts_of(MODULES[name])[0], False, False)]
    while pending:
        x, in_function, annotates = pending.pop()
        if isinstance(x, ast.ImportFrom):
            full = [f"{x.module}.{alias.name}" for alias in x.names]
            found = {n if n in MODULES else str(x.module) for n in full}
        else:
            found = {a.name for a in x.names} if isinstance(x, ast.Import) else set()
        imports += [(n, in_function, annotates) for n in found if n in MODULES and n != name]
        if isinstance(x, (ast.FunctionDef, ast.AsyncFunctionDef)):
            in_function = True
        if isinstance(x, ast.If) and "TYPE_CHECKING" in ast.unparse(x.test):
            annotates = True
        # An import is a statement, and no expression holds one.
        inside = [p for field in _BODIES for p in getattr(x, field, ())]
        pending += [(p, in_function, annotates) for p in inside]
    return imports


def test_no_function_imports_a_module_of_the_library():
    inside = {(m, n) for m in MODULES for n, in_function, _ in imports_of(m) if in_function}
    assert not inside


def test_imports_have_no_circle():
    """Not even those inside functions, or for annotations, but for the class `Tensor` there."""
    graph = {
        m: {n for n, _, annotates in imports_of(m) if not (annotates and n == ANNOTATED_ONLY)}
        for m in MODULES
    }
    assert sum(map(len, graph.values())) > 1000  # the imports are found
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError, which shows the circle


def test_the_first_call_imports_the_module_that_states_the_function():
    code = (
        "from symgrad.autograd.function import call_in_vmap as place; import sys;"
        "print(place.module in sys.modules, place.call.__module__ == place.module)"
    )
    run = [sys.executable, "-c", code]
    printed = subprocess.run(run, capture_output=True, text=True, check=True, timeout=600).stdout
    assert printed.split() == ["False", "True"]


@pytest.mark.parametrize(
    "name", ["numeric.runtime.load", "numeric.emit.emit", "symgrad.lower.program.lower"]
)
def test_one_object_makes_and_runs_programs(name):
    assert users_of(name) == {"lower/executable.py"}


@pytest.mark.parametrize(
    "name",
    ["interpret.interpret", "compile.compile_program", "blocks.compile_in_blocks"],
)
def test_when_programs_are_compiled_is_decided_in_one_place(name):
    assert users_of(f"numeric.{name}") == set()


def users_of(name: str) -> set[str]:
    """Return the modules of the library that import something."""
    return {p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*.py") if name in imported(p)}


def test_classes_get_members_in_one_place():
    """`install` is called where `ArrayExpr` and `Tensor` are assembled, and nowhere else."""
    assert users_of("symgrad.support.members.install") == {"members.py"}
    for path in FOLDER.rglob("*.py"):
        for x in parts_of(path):
            targets = x.targets if isinstance(x, ast.Assign) else []
            owners = [t.value for t in targets if isinstance(t, ast.Attribute)]
            names = {owner.id for owner in owners if isinstance(owner, ast.Name)}
            assert not names & {"ArrayExpr", "Tensor", "Primitive"}, (path.name, x.lineno)


#: The words of PyTorch's argument parser, as they stand in the texts of its messages.
PARSER = re.compile(
    r"\(\)(: argument '| received an invalid combination of arguments| got an unexpected keyword"
    r"| got multiple values for argument| takes .*positional argument| missing \S+ required)"
    r"|expected Tensor as element"
)


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module with their lines: `{}` stands for what an f-string inserts."""
    for x in parts_of(path):
        if isinstance(x, ast.JoinedStr):
            parts = [str(v.value) if isinstance(v, ast.Constant) else "{}" for v in x.values]
            yield x.lineno, "".join(parts)
        elif isinstance(x, ast.Constant) and isinstance(x.value, str):
            yield x.lineno, x.value


def test_one_module_writes_the_messages_of_the_parser():
    """What is wrong with the kinds of arguments follows from schemas: nobody writes it by hand."""
    found = {
        (name, line, text)
        for name, path in MODULES.items()
        for line, text in texts_of(path)
        if PARSER.search(text)
    }
    words = [text for name, _, text in found if name == "symgrad.schema.messages"]
    assert len(words) >= 6, words  # the words are found
    assert {name for name, _, _ in found} == {"symgrad.schema.messages"}, found


@pytest.mark.parametrize("package", ["symgrad.ops", "symgrad.functions"])
def test_every_family_is_there_without_being_named(package):
    folder = Path(symgrad.__file__).parent.joinpath(*package.split(".")[1:])
    files = {f"{package}.{path.stem}" for path in folder.glob("*.py")} - {f"{package}.__init__"}
    code = "import sys, symgrad; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
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
        # These give modules and parameters other classes, as PyTorch does.
        if path.name in ("lazy.py", "parametrize.py", "uninitialized.py"):
            continue
        for part in parts_of(path):
            targets = part.targets if isinstance(part, ast.Assign) else []
            changed = [t for t in targets if isinstance(t, ast.Attribute) and t.attr == "__class__"]
            assert not changed, (path.name, part.lineno)


# ------------------------------------------------------------------ what no module contains

#: What makes something that a thread can wait for.
WAITS = {"Barrier", "BoundedSemaphore", "Condition", "Event", "Lock", "RLock", "Semaphore"}


def test_all_locks_are_made_in_one_place() -> None:
    """What `new_lock` makes is reentrant and freed in a child; nothing else makes a lock."""
    found = []
    for path in sources.files():
        if path == Path(locks.__file__):
            continue
        for x in parts_of(path):
            name = (
                x.attr if isinstance(x, ast.Attribute) else x.id if isinstance(x, ast.Name) else ""
            )
            found += [f"{path.name}:{x.lineno} {name}"] if name in WAITS else []
    assert found == []


def test_every_cache_is_bounded() -> None:
    """Of what stands beside these tables, each has a number of entries, or none that users name."""
    found = []
    for path in sources.files():
        for f in parts_of(path):
            if isinstance(f, ast.FunctionDef):
                found += [
                    f"{path.name}:{f.name}"
                    for d in f.decorator_list
                    if ast.unparse(d).rpartition(".")[2] in ("cache", "lru_cache(maxsize=None)")
                    and [a.arg for a in f.args.args] not in ([], ["name"], ["name", "method"])
                ]
    assert found == []


def functions(parts: Iterable[ast.AST]) -> Iterator[ast.FunctionDef]:
    return (x for x in parts if isinstance(x, ast.FunctionDef))


@each("path", list(sources.files()), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_function_keeps_itself(path: Path) -> None:
    """One that is made in a call and calls itself, or an error that a variable holds, is a cycle.

    Made once, as by a decorator that returns it, a function may know itself.
    """
    found = []
    for outer in functions(parts_of(path)):
        parts = [*ast.walk(outer)]
        names = [x for x in parts if isinstance(x, ast.Name)]
        returned = {
            x.value.id for x in parts if isinstance(x, ast.Return) and isinstance(x.value, ast.Name)
        }
        for inner in functions(parts[1:]):
            called = {x.id for x in ast.walk(inner) if isinstance(x, ast.Name)}
            if inner.name in called - returned:
                found.append(f"{outer.name}.{inner.name} calls itself")
        stored = {x.id for x in names if isinstance(x.ctx, ast.Store)}
        deleted = {x.id for x in names if isinstance(x.ctx, ast.Del)}
        for x in parts:
            if isinstance(x, ast.Raise) and isinstance(x.exc, ast.Name):
                held = x.exc.id in stored - deleted
                found += [f"{outer.name} raises its variable {x.exc.id}"] if held else []
    assert found == []


def test_no_end_of_a_block_is_written_in_python() -> None:
    """What a generator, or an `__exit__`, takes back is not taken back where it is interrupted."""
    found = []
    for path in sources.files():
        for x in parts_of(path):
            if isinstance(x, ast.FunctionDef) and x.name in ("__exit__", "__aexit__"):
                found += [] if does_nothing(x) else [f"{path.name}:{x.lineno} {x.name}"]
            name = getattr(x, "attr", None) or getattr(x, "id", None)
            if name in ("contextmanager", "errstate", "seterr", "printoptions", "ExitStack"):
                found.append(f"{path.name}:{getattr(x, 'lineno', 0)} {name}")
    allowed = [
        "loading.py",
        "quiet.py",  # blames errors, and changes nothing; sets what ends with a context
    ]
    assert [text for text in found if text.partition(":")[0] not in allowed] == []


def does_nothing(f: ast.FunctionDef) -> bool:
    return all(
        isinstance(x, ast.Pass) or (isinstance(x, ast.Return) and is_none(x.value)) for x in f.body
    )


def is_none(x: ast.expr | None) -> bool:
    return x is None or (isinstance(x, ast.Constant) and x.value is None)
