"""Every public function, class, method and property shows by an example how it is used.

The examples of all docstrings run here, those of internal functions and of modules as well.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import symgrad
from symgrad.schema.docstrings import describe
from symgrad.schema.public import FUNCTIONS, METHODS
from symgrad.tensor.legacy import LEGACY_TYPES
from tests.each import each

pytestmark = pytest.mark.versions

TABLES = FUNCTIONS.keys() | LEGACY_TYPES.keys()
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_PARSER = doctest.DocTestParser()
_FINDER = doctest.DocTestFinder()


def public() -> Iterator[tuple[str, Any]]:
    """Yield what users can call or ask for, under the name that they use."""
    waiting: list[tuple[str, Any]] = [("symgrad", symgrad)]
    seen: set[int] = set()
    while waiting:
        path, found = waiting.pop()
        if isinstance(found, ModuleType):
            names = {*found.__all__, *(TABLES if found is symgrad else ())}
            waiting += [(f"{path}.{name}", getattr(found, name)) for name in sorted(names)]
        elif inspect.isclass(found):
            if id(found) in seen:
                continue
            seen.add(id(found))
            yield path, found
            members = {
                name: inspect.getattr_static(found, name)
                for name in sorted({n for base in own_classes(found) for n in vars(base)})
                if not name.startswith("_")
            }
            waiting += [
                (f"{path}.{name}", member)
                for name, member in members.items()
                # Another class that is an attribute is no part of this one.
                if not inspect.isclass(member) or member.__qualname__.startswith(found.__qualname__)
            ]
        elif isinstance(found, property):
            yield path, found.fget
        elif isinstance(found, (classmethod, staticmethod)):
            yield path, found.__func__
        elif inspect.isroutine(found):
            yield path, found


def own_classes(cls: type) -> list[type]:
    """Return the classes that are written in symgrad: not that whose methods ask who answers."""
    return [
        base
        for base in cls.__mro__
        if base.__module__.partition(".")[0] == "symgrad"
        and (base is symgrad.Tensor or base.__qualname__ != "Tensor")
    ]


PUBLIC = dict(sorted(public(), key=lambda found: found[0]))
# By what they run, which aliases have in common.
NAMES: dict[Any, set[str]] = {}
for _path, _f in PUBLIC.items():
    NAMES.setdefault(inspect.unwrap(_f), set()).add(_path.rpartition(".")[2])
# The forms in place and the aliases show the example of the function that they stand for.
DISTINCT = {inspect.getdoc(f) or "": (path, f) for path, f in PUBLIC.items()}
_ROOT = Path(__file__).parents[1]
_FOLDERS = ("symgrad", "numeric", "tests")


def examples() -> Iterator[doctest.DocTest]:
    """Yield those that are written in modules, then what is generated, or of another function."""
    written = set()
    # Names of the package, such as `float`, would stand for Python's in its own examples.
    left_out = {_ROOT / "symgrad" / "__init__.py", Path(__file__)}
    found_files = {path for folder in _FOLDERS for path in (_ROOT / folder).rglob("*.py")}
    for path in sorted(found_files - left_out):
        if b">>> " in path.read_bytes():
            parts = path.relative_to(_ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            for found in _FINDER.find(importlib.import_module(name), name):
                if found.examples:
                    written.add(inspect.cleandoc(found.docstring))
                    yield found
    for doc, (name, f) in DISTINCT.items():
        if doc not in written:
            # A function runs where it is written, which is not where users find it.
            own = inspect.unwrap(f)
            names = getattr(own, "__globals__", None) or vars(sys.modules[own.__module__])
            yield _PARSER.get_doctest(doc, dict(names), name, None, None)


EXAMPLES = [pytest.param(found, id=found.name) for found in examples()]


def test_something_is_found() -> None:
    for path in (
        "symgrad.arange", "symgrad.tanh", "symgrad.Tensor.tanh_", "symgrad.Tensor.grad",
        "symgrad.Tensor.new_zeros", "symgrad.nn.functional.pad", "symgrad.linalg.norm",
        "symgrad.random.fork_rng", "symgrad.autograd.grad", "symgrad.FloatTensor",
        "symgrad.no_grad", "symgrad.random.Generator.uniform", "symgrad.dtype.to_real",
    ):  # fmt: skip
        assert path in PUBLIC, path
    found = {example.id for example in EXAMPLES}
    assert found >= {"numeric.kernel.Kernel", "symgrad.support.above.FromAbove"}  # of internal ones
    assert len(found) > 2000


@each("path", PUBLIC.keys())
def test_an_example_shows_its_use(path: str) -> None:
    f = inspect.unwrap(PUBLIC[path])
    examples = _PARSER.get_examples(inspect.getdoc(f) or "")
    assert examples, f"{path} has no example"
    # The form in place shows the operation itself.
    name = path.rpartition(".")[2].rstrip("_")
    names = {name, *NAMES[f], *NAMES.get(inspect.unwrap(METHODS.get(name, f)), ())}
    shown = {word for e in examples for word in re.findall(r"\w+", e.source + e.want)}
    assert names & shown, f"the examples of {path} do without it"


@each("example", EXAMPLES)
def test_examples_print_what_they_say(example: doctest.DocTest) -> None:
    said: list[str] = []
    with symgrad_as_it_was():
        doctest.DocTestRunner(optionflags=_FLAGS).run(example, out=said.append)
    assert not said, "".join(said)


@contextlib.contextmanager
def symgrad_as_it_was() -> Iterator[None]:
    kind = symgrad.get_default_dtype()
    with symgrad.random.fork_rng():
        yield
    assert symgrad.get_default_dtype() is kind
    assert symgrad.is_grad_enabled()


@each("path", [path for path, f in PUBLIC.items() if not inspect.isclass(f)])
def test_every_parameter_is_described(path: str) -> None:
    """In the section of parameters, or in backticks above it."""
    f = PUBLIC[path]
    text = re.split(r"\n\n(?:Raises|Warns|Notes|Examples)\n---", inspect.getdoc(f) or "")[0]
    described = {
        word
        for found in re.findall(r"`+([^`]+)`+|^(\*{0,2}\w.*)$", text, re.MULTILINE)
        for part in found
        for word in re.findall(r"\w+", part.partition(":")[0] if part == found[1] else part)
    }
    given = list(inspect.signature(f).parameters.values())
    if inspect.isclass(PUBLIC.get(path.rpartition(".")[0])):
        given = given[1:]  # the object itself
    for p in given:
        if p.kind is not p.VAR_KEYWORD and p.name != "excess":  # what is refused
            assert p.name in described, f"{path}({p.name}=)"


def test_shared_parameters_stand_among_the_own_ones() -> None:
    def f(input: Any, size: Any, dim: Any = None, offset: int = 0, other: Any = 1) -> None:
        """Do nothing, or with `other` even less.

        Parameters
        ----------
        size : int
            How much of it.

        Raises
        ------
        TypeError
            Never.
        """

    texts = (
        "f(Tensor self, int[] size, int[1]? dim=None, int offset=0, *, Tensor? out=None) -> Tensor",
        "-f(Tensor self, float dim, Scalar other=1) -> Tensor",
    )
    assert describe(texts, f) == {
        "input": "", "size": "", "dim": "None", "offset": "0", "other": "1", "out": "None",
    }  # fmt: skip
    assert (f.__doc__ or "").splitlines() == [
        "Do nothing, or with `other` even less.",
        "",
        "Parameters",
        "----------",
        "input : Tensor or ArrayExpr",
        "size : int",
        "    How much of it.",
        "dim : int or sequence of int, optional",
        "    The axes; all of them where not given.",
        "offset : int",
        "    Which diagonal: 0 is the main one, positive ones lie above it.",
        "out : Tensor, optional",
        "    What to write into.",
        "",
        "Raises",
        "------",
        "TypeError",
        "    Never.",
    ]
