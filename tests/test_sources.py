"""What no module of the library may contain, which its source shows.

The tests stand together, so that one process parses all modules, and once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import symgrad
from symgrad.support import locks
from tests import sources
from tests.each import each

ROOT = Path(symgrad.__file__).parents[1]

#: What makes something that a thread can wait for.
WAITS = {"Barrier", "BoundedSemaphore", "Condition", "Event", "Lock", "RLock", "Semaphore"}


def test_all_locks_are_made_in_one_place() -> None:
    """What `new_lock` makes is reentrant and freed in a child; nothing else makes a lock."""
    found = []
    for path in sources.files():
        if path == Path(locks.__file__):
            continue
        for x in sources.parts_of(path):
            name = (
                x.attr if isinstance(x, ast.Attribute) else x.id if isinstance(x, ast.Name) else ""
            )
            found += [f"{path.name}:{x.lineno} {name}"] if name in WAITS else []
    assert found == []


def test_every_cache_is_bounded() -> None:
    """Of what stands beside these tables, each has a number of entries, or none that users name."""
    found = []
    for path in sources.files():
        for f in sources.parts_of(path):
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
    for outer in functions(sources.parts_of(path)):
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
        for x in sources.parts_of(path):
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
