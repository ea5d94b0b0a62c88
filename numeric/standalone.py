"""The text of a Python function that stands alone, and the names that a text defines and uses.

Generated modules consist of such texts, which must not give one name two meanings.
"""

import ast
import builtins
import inspect
import re
import symtable
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from inspect import Parameter
from textwrap import dedent
from typing import Any, overload


class Definitions(Sequence[str]):
    """The definitions that the text of a function needs, and last the text itself.

    Texts are read from the source file at the first access. Reading them takes longer than all else
    in making a kernel, and most programs are never written as source.
    """

    __slots__ = ("_fn", "_imports", "_prelude", "_texts")

    def __init__(
        self, fn: Callable[..., Any], prelude: Sequence[str], imports: Iterable[str]
    ) -> None:
        self._fn = fn
        self._prelude = prelude
        self._imports = tuple(imports)
        self._texts: tuple[str, ...] | None = None

    def _read(self) -> tuple[str, ...]:
        if self._texts is None:
            prelude = tuple(self._prelude)
            self._texts = (*prelude, function_text(self._fn, prelude, self._imports))
        return self._texts

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self._read()[index]

    def __len__(self) -> int:
        return len(self._read())


def function_template(fn: Callable[..., Any]) -> str:
    """Return the template of a call: operands by position, parameters by keyword."""
    if not fn.__name__.isidentifier():
        raise ValueError(f"{fn.__name__}: a kernel is made of a plain 'def'")
    try:
        parameters = inspect.signature(fn).parameters
    except ValueError as error:  # of a function of C that states none
        raise ValueError(f"{fn!r}: a kernel needs a function with its text: {error}") from None
    variadic = any(p.kind is Parameter.VAR_POSITIONAL for p in parameters.values())
    fields: list[str] = ["{operands}"] if variadic else []
    count = 0
    for name, parameter in parameters.items():
        if parameter.kind is Parameter.KEYWORD_ONLY:
            fields.append(f"{name}={{{name}}}")
        elif parameter.kind is Parameter.VAR_KEYWORD:
            raise ValueError(f"{fn.__name__}: a kernel names its parameters; it takes no **{name}")
        elif variadic:
            continue  # Arguments before *args are given by position.
        elif (
            parameter.kind is Parameter.POSITIONAL_OR_KEYWORD
            and parameter.default is not Parameter.empty
        ):
            fields.append(f"{name}={{{name}}}")
        else:
            fields.append(f"{{{count}}}")
            count += 1
    return f"{fn.__name__}({', '.join(fields)})"


# Comments for linters and type checkers mean nothing in generated source.
_TOOL_COMMENT = re.compile(r"[ \t]*# (?:type: ignore|noqa|mypy:|ruff:)[^\n]*")


def function_text(fn: Callable[..., Any], prelude: Iterable[str], imports: Iterable[str]) -> str:
    """Return the text of ``fn`` without annotations, as a function that gives no warnings.

    Raises
    ------
    ValueError
        If the text uses other names than its own, ``np``, builtins and those that ``prelude`` and
        ``imports`` bind; or if ``fn`` is not made by ``def`` or has no text.
    """
    try:
        text = dedent(inspect.getsource(fn))
        tree = ast.parse(text)
    except (OSError, TypeError, SyntaxError) as error:
        raise ValueError(f"{fn!r}: a kernel needs a function with its text: {error}") from None
    name = fn.__name__
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef):
        raise ValueError(f"{name}: a kernel is made of a plain 'def', not of {text.strip()!r}")
    if tree.body[0].name != name:
        raise ValueError(f"{name}: the text defines {tree.body[0].name}")
    text = _TOOL_COMMENT.sub("", _without_annotations(text, tree))
    known = {"np", name}.union(*(bound_names(t) for t in (*prelude, *imports)))
    unknown = sorted(free_names(text) - known - vars(builtins).keys())
    if unknown:
        raise ValueError(
            f"{name}: its text cannot stand alone, since it uses {', '.join(unknown)}; "
            "give what defines them as prelude= or imports="
        )
    # Intermediate numbers may overflow where the result does not.
    return f'@np.errstate(all="ignore")\n{text}'


@lru_cache(maxsize=1024)
def bound_names(text: str) -> frozenset[str]:
    """Return the names that ``text`` binds at module level."""
    table = symtable.symtable(text, "<prelude>", "exec")
    return frozenset(
        s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()
    )


@lru_cache(maxsize=1024)
def free_names(text: str) -> frozenset[str]:
    """Return the names that ``text`` uses and does not bind, builtins included."""
    found: set[str] = set()
    tables = [symtable.symtable(text, "<prelude>", "exec")]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        found |= {
            s.get_name()
            for s in table.get_symbols()
            if s.is_referenced() and (s.is_global() or table.get_type() == "module")
        }
    return frozenset(found) - bound_names(text)


def _without_annotations(text: str, tree: ast.Module) -> str:
    """Return ``text`` without the annotations of arguments, variables and results."""
    cuts: list[tuple[int, int, int, int]] = []
    arguments: set[tuple[int, int]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation is not None:
            # Cut "name: annotation" from the end of the name.
            start = node.lineno, node.col_offset + len(node.arg.encode())
            cuts.append((*start, *_end(node)))
            arguments.add(start)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            cuts.append((*_end(node.target), *_end(node.annotation)))
        elif isinstance(node, ast.FunctionDef) and node.returns is not None:
            cuts.append((*_arrow(text, node), *_end(node.returns)))
    lines = text.encode().splitlines(keepends=True)
    for line, column, end_line, end_column in sorted(cuts, reverse=True):
        tail = lines[end_line - 1][end_column:]
        if (line, column) in arguments and tail.startswith(b" = "):
            tail = b"=" + tail[3:]
        lines[line - 1 : end_line] = [lines[line - 1][:column] + tail]
    return b"".join(lines).decode()


def _end(node: ast.expr | ast.arg) -> tuple[int, int]:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset


def _arrow(text: str, node: ast.FunctionDef) -> tuple[int, int]:
    """Return the line and column where `` -> annotation`` begins, searched from its end."""
    assert node.returns is not None
    lines = text.encode().splitlines(keepends=True)
    line, column = node.returns.lineno, node.returns.col_offset
    while True:
        found = lines[line - 1][:column].rfind(b"->")
        if found >= 0:
            return line, len(lines[line - 1][:found].rstrip())
        line -= 1
        column = len(lines[line - 1])
