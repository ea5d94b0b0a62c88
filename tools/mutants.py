"""Mutate the source, one place at a time, and see which test finds it: `python -m tools.mutants`.

A mutant is the source with one small error: another sign, swapped operands, a dropped mask, another
axis, comparison or constant. Tests that are rewritten must find what they found before. So list
mutants once, and try the same ones before and after; a mutant is found again by its name, without
the line at its end, in a source that has changed around it:

    python -m tools.mutants --list >names.txt
    python -m tools.mutants --names names.txt >before.txt
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import itertools
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

KINDS = ("sign", "operands", "mask", "axis", "comparison", "constant")

#: What is mutated, and how many mutants of each folder are taken for those of another one.
FOLDERS = {
    "symgrad/ops": 5, "symgrad/simplify": 2, "symgrad/differentiate": 1, "symgrad/lower": 1,
    "symgrad/backward": 1, "symgrad/record": 1, "numeric": 1,
}  # fmt: skip

#: The tests of each stage, as pytest is told them, and the seconds after which they are ended.
STAGES = {
    "tiny": ("-m tiny", 600),
    "near": ("tests/ops tests/oracle/test_oracle.py tests/expr tests/forms --sample {near}", 1800),
    "likely": ("tests/ops tests/simplify tests/oracle/test_oracle.py tests/autograd", 1800),
    "all": ("", 3600),
}

# Any test finds a mutant at which this fails.
_PROBE = """
import symgrad
x = symgrad.tensor([1.0, 2.0], requires_grad=True)
(x * x.sin()).sum().backward()
"""

# What these functions make is no result: texts, samples, refusals, and measures of time and memory.
_NO_RESULT = re.compile(
    r"repr|latex|print|notation|text|sampl|exampl|messag|error|warn|refus|check|docs|names?$"
    r"|sentence|infix|bytes|deep|cost|memory|large|key$"
)
# The opposite of such a condition mostly fails at once.
_OF_KIND = re.compile(r"\b(is|in)\b|\b(isinstance|issubclass|hasattr)\(")
_PLUS = {ast.Add: "-", ast.Sub: "+"}
_LESS = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
_ORDERED = {ast.Sub: "-", ast.Div: "/", ast.FloorDiv: "//", ast.Pow: "**", ast.MatMult: "@"}
_ORDERED_CALLS = {
    "sub", "div", "pow", "subtract", "divide", "true_divide", "floor_divide", "power", "matmul",
    "float_power", "arctan2", "copysign", "fmod", "remainder", "xlogy", "heaviside", "ldexp",
    "gt", "lt", "ge", "le",
}  # fmt: skip
_NEXT_AXIS = {"0": "1", "1": "0", "-1": "0", "-2": "-1", "axis": "axis - 1", "dim": "dim - 1"}

_PLAIN = "-p no:cacheprovider"
_USAGE, _NO_TESTS = 4, 5  # exit statuses of pytest

#: A kind, the first byte that is replaced and the one behind the last, and what replaces them.
Change = tuple[str, tuple[int, int], str]


@dataclass(frozen=True)
class Mutant:
    """A change to the function of a file; `ordinal` counts changes of this kind in it."""

    file: str
    function: str
    kind: str
    ordinal: int
    line: int
    span: tuple[int, int]
    after: str

    @property
    def key(self) -> str:
        """The name without the line."""
        return f"{self.file}:{self.function}:{self.kind}:{self.ordinal}"

    def applied(self, source: bytes) -> bytes:
        """Return the changed source."""
        start, end = self.span
        return source[:start] + self.after.encode() + source[end:]


def find(file: str, source: bytes) -> list[Mutant]:
    r"""Return the mutants of a file with that path, in the order of their functions.

    Examples
    --------
    >>> [m] = find("rule.py", b"def rule(x, y):\n    return x + y\n")
    >>> m.key, m.line, m.after
    ('rule.py:rule:sign:0', 2, '(x) - (y)')
    """
    lengths = (len(line) for line in source.splitlines(keepends=True))
    lines = list(itertools.accumulate(lengths, initial=0))

    def span(first: ast.AST, last: ast.AST | None = None) -> tuple[int, int]:
        last = last or first
        return (
            lines[first.lineno - 1] + first.col_offset,
            lines[last.end_lineno - 1] + last.end_col_offset,
        )

    def text(node: ast.AST) -> str:
        return source[slice(*span(node))].decode()

    counts: Counter[tuple[str, str]] = Counter()
    found = []
    tree = ast.parse(source)
    samples = {k.value for k in ast.walk(tree) if isinstance(k, ast.keyword) and k.arg == "samples"}
    made = {f.id for f in samples if isinstance(f, ast.Name)}  # by functions of these names
    for function, node in _computing(tree, (), False):
        if function in made:
            continue
        for kind, (start, end), after in _changes(node, span, text):
            line = source.count(b"\n", 0, start) + 1
            ordinal = counts[function, kind]
            counts[function, kind] += 1
            found.append(Mutant(file, function, kind, ordinal, line, (start, end), after))
    return found


def _computing(node: ast.AST, path: tuple[str, ...], inside: bool) -> Iterator[tuple[str, ast.AST]]:
    """Yield the nodes that compute results, each with the qualified name of its function."""
    children: Iterable[ast.AST] = ast.iter_child_nodes(node)
    match node:
        case ast.Raise() | ast.Assert() | ast.JoinedStr() | ast.arguments():
            return
        case ast.keyword(arg="samples" | "stacklevel"):
            return
        case ast.Call() if _NO_RESULT.search(_called(node)):
            return
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            inside = inside or isinstance(node, ast.FunctionDef)
            path, children = (*path, name), node.body
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if not inside:
            path, children = (*path, name), [value]
        case ast.AnnAssign(target=target, value=value):
            path = path if inside else (*path, ast.unparse(target))
            children = [value] if value else []
        case ast.Lambda():
            inside = True
        case ast.If() if all(isinstance(s, ast.Raise) for s in node.body):
            children, node = node.orelse, node.orelse  # no condition of a refusal
    if path and _NO_RESULT.search(path[-1]):
        return
    if inside and isinstance(node, ast.AST):
        yield ".".join(path), node
    for child in children:
        yield from _computing(child, path, inside)


def _called(call: ast.Call) -> str:
    """Return the last name of what is called: `where` of `np.where(…)` and of `where.of(…)`."""
    return ast.unparse(call.func).removesuffix(".of").rpartition(".")[2]


def _changes(
    node: ast.AST, span: Callable[..., tuple[int, int]], text: Callable[[ast.AST], str]
) -> Iterator[Change]:
    """Yield the changes of one node; `span` and `text` are those of nodes in the source."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=x) if text(x) != "1":
            yield "sign", span(node), f"({text(x)})"
        case ast.BinOp(left=a, op=op, right=b) if not (_is_sequence(a) or _is_sequence(b)):
            if type(op) in _PLUS:
                yield "sign", span(node), f"({text(a)}) {_PLUS[type(op)]} ({text(b)})"
            if type(op) in _ORDERED and text(a) != text(b):
                swapped = f"({text(b)}) {_ORDERED[type(op)]} ({text(a)})"
                yield "operands", span(node), swapped
            # A 1 that is added mostly counts; `1 - y` and `1 / y` are mathematics.
            for x, least in ((a, 1 if isinstance(op, (ast.Sub, ast.Div)) else 2), (b, 2)):
                value = getattr(x, "value", None)
                if type(value) is float or (type(value) is int and value >= least):
                    other = value * 2 if isinstance(value, float) else value + 1
                    yield "constant", span(x), repr(other)
        case ast.Compare(left=a, ops=[op], comparators=[b]) if type(op) in _LESS:
            yield "comparison", span(node), f"({text(a)}) {_LESS[type(op)]} ({text(b)})"
        case ast.If(test=test) | ast.IfExp(test=test) if not _OF_KIND.search(text(test)):
            yield "mask", span(test), f"not ({text(test)})"
        case ast.BoolOp(op=ast.And(), values=[first, *rest]):
            if text(first).endswith(" is not None"):
                yield "mask", span(node), " and ".join(f"({text(x)})" for x in rest)
        case ast.Subscript(slice=x) if text(x) in _NEXT_AXIS:
            yield "axis", span(x), _NEXT_AXIS[text(x)]
        case ast.Call(args=arguments):
            match _called(node), arguments:
                case "where", [_, a, b]:
                    yield "mask", span(node), f"({text(a)})"
                    yield "operands", span(a, b), f"{text(b)}, {text(a)}"
                case "masked", [a, _]:
                    yield "mask", span(node), f"({text(a)})"
                case name, [a, b] if name in _ORDERED_CALLS:
                    yield "operands", span(a, b), f"{text(b)}, {text(a)}"
            for x in arguments:
                if text(x) in ("axis", "dim", "self.axis"):
                    yield "axis", span(x), f"{text(x)} - 1"
        case ast.keyword(arg="axis" | "dim", value=x) if text(x) in _NEXT_AXIS:
            yield "axis", span(x), _NEXT_AXIS[text(x)]
        case ast.keyword(arg="keepdim" | "keepdims", value=x):
            yield "axis", span(x), f"not ({text(x)})"


def _is_sequence(node: ast.AST) -> bool:
    """Return whether a node is written as a text, list or tuple, or as a sum of them."""
    if isinstance(node, ast.BinOp):
        return _is_sequence(node.left) or _is_sequence(node.right)
    return isinstance(node, (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)) or isinstance(
        getattr(node, "value", None), (str, bytes)
    )


def choose(
    mutants: Iterable[Mutant], seed: int, count: int, usable: Callable[[Mutant], bool]
) -> Iterator[Mutant]:
    """Yield so many mutants, of each kind in turn, spread over files; fewer if there are fewer.

    Those of a smaller count are the first ones of a larger count.
    """
    pool = list(mutants)
    random.Random(seed).shuffle(pool)
    used: Counter[str] = Counter()
    for kind in itertools.islice(itertools.cycle(KINDS), count):
        of_kind = [m for m in pool if m.kind == kind]
        of_kind.sort(key=lambda m: (used[m.file], used[_folder(m)] / FOLDERS[_folder(m)]))
        chosen = next(filter(usable, of_kind), None)
        if chosen is not None:
            pool.remove(chosen)
            used.update([chosen.file, _folder(chosen)])
            yield chosen


def _folder(m: Mutant) -> str:
    return next(folder for folder in FOLDERS if m.file.startswith(f"{folder}/"))


class Copy:
    """A copy of the tree, of which one file at a time is mutated and tested."""

    def __init__(self, tree: Path, folder: str) -> None:
        self.root = Path(folder, "tree")
        left_out = shutil.ignore_patterns(".git", ".*cache", ".venv", ".hypothesis", "__pycache__")
        shutil.copytree(tree, self.root, ignore=left_out)

    def mutants(self) -> list[Mutant]:
        """Return all mutants of the tree."""
        files = [p for folder in FOLDERS for p in sorted((self.root / folder).rglob("*.py"))]
        return [m for p in files for m in find(p.relative_to(self.root).as_posix(), p.read_bytes())]

    def change(self, m: Mutant) -> str:
        """Return the change on one line."""
        before = (self.root / m.file).read_bytes()[slice(*m.span)].decode()
        return " ".join(f"{before} → {m.after}".split())

    @contextlib.contextmanager
    def mutated(self, m: Mutant) -> Iterator[None]:
        """Write the mutant into the copy, and in the end the source."""
        path = self.root / m.file
        source = path.read_bytes()
        try:
            self._write(path, m.applied(source))
            yield
        finally:
            self._write(path, source)

    def _write(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)
        # Python would take a compiled file for current that is as long, and of the same second.
        for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
            compiled.unlink()

    def run(self, arguments: Sequence[str], limit: float) -> tuple[int | None, str]:
        """Run Python; return its exit status, None where it was ended, and what it printed."""
        shutil.rmtree(self.root / ".hypothesis", ignore_errors=True)  # examples of other mutants
        process = subprocess.Popen(
            [sys.executable, *arguments], cwd=self.root, text=True, start_new_session=True,
            env=os.environ | {"PYTHONPATH": str(self.root)},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return process.returncode, output

    def computes(self, m: Mutant) -> bool:
        """Return whether a gradient is computed at all with a mutant."""
        with self.mutated(m):
            return self.run(["-c", _PROBE], 60)[0] == 0

    def failure(self, stage: str, near: str, processes: int) -> str:
        """Return the first test of a stage that fails; empty where all pass.

        Raises
        ------
        RuntimeError
            If pytest was called in a way that it does not take.
        """
        selected, limit = STAGES[stage]
        options = f"-m pytest -x -q --tb=no -rfE {_PLAIN} -n {processes} --dist loadfile {selected}"
        there = [x for x in options.split() if "/" not in x or (self.root / x).exists()]
        status, output = self.run([near if x == "{near}" else x for x in there], limit)
        if status is None:
            return f"ended after {limit} s"
        if status == _USAGE and "usage: " in output:
            raise RuntimeError(f"pytest refuses its options {options!r}: {output.strip()[-200:]}")
        failed = re.search(r"^(?:FAILED|ERROR) ([^\s[]+(\[.*?\])?)( - .*)?$", output, re.MULTILINE)
        if status in (0, _NO_TESTS) or failed:
            return failed[1] if failed else ""
        return f"pytest ended with status {status}: {output.strip()[-200:]!r}"

    def near(self, m: Mutant) -> str:
        """Return what the names of samples hold that are about what the mutant is in."""
        path = self.root / m.file
        made = re.findall(r"^class ([a-z]\w*)", path.read_text(encoding="utf-8"), re.MULTILINE)
        name = m.function.split(".")[0]
        # A rule is in one operation; a function beside them may be of any.
        words = [name.strip("_"), path.stem, *([] if name in made else made)]
        return " or ".join(dict.fromkeys(words))

    def verdict(self, m: Mutant, stages: Sequence[str], processes: int) -> tuple[bool, str]:
        """Return whether the tests find a mutant, and which one first, which passes without it."""
        begin = time.monotonic()
        for stage in stages:
            with self.mutated(m):
                failed = self.failure(stage, self.near(m), processes)
            if failed:
                seconds = time.monotonic() - begin
                test = failed if ".py::" in failed else failed.partition("::")[0]
                passes = "::" not in failed or (
                    self.run(["-m", "pytest", "-q", *_PLAIN.split(), test], 600)[0] == 0
                )
                word = "caught" if passes else "FAILS WITHOUT THE MUTANT"
                return passes, f"{word}  {stage}  {seconds:.0f} s  {failed}"
        return False, f"SURVIVED  {','.join(stages)}  {time.monotonic() - begin:.0f} s"


def main() -> int:
    """Run the command; return 1 where a mutant survives, or is no longer in the source."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants")
    parser.add_argument("--tree", type=Path, default=Path(__file__).parent.parent)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--list", action="store_true", help="print the mutants, run no test")
    parser.add_argument("--names", type=Path, help="take the mutants of a list")
    parser.add_argument("--stages", type=lambda text: text.split(","), default=list(STAGES))
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    tried = caught = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(given.tree, folder)
        chosen: Iterable[Mutant | None]
        if given.names is None:
            chosen = choose(copy.mutants(), given.seed, given.count, copy.computes)
            keys: Iterable[str] = itertools.repeat("")
        else:
            known = {m.key: m for m in copy.mutants()}
            names = [line.split()[0] for line in given.names.read_text().splitlines() if line]
            keys = [name.rpartition(":")[0] for name in names]
            chosen = map(known.get, keys)
        for key, m in zip(keys, chosen, strict=False):
            tried += 1
            if m is None:
                words = "NOT IN THE SOURCE"
            elif given.list:
                words = copy.change(m)
            else:
                found, words = copy.verdict(m, given.stages, given.processes)
                caught += found
            print(f"{m.key}:{m.line}" if m else key, "", words, flush=True)
    if given.list:
        return 0
    print(f"{caught} of {tried} caught")
    return int(caught < tried)


if __name__ == "__main__":
    sys.exit(main())
