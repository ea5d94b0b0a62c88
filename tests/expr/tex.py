r"""A reader of the LaTeX that formulas are written in: it refuses what TeX would refuse.

`check` reads a text by TeX's grammar of scripts and groups: braces, `\left` and environments that
close, at most one superscript and one subscript for each base, and commands that are known.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_&]|\s+|.", re.S)
#: Commands with the number of arguments in braces that each takes.
ARGUMENTS = {
    "frac": 2, "sqrt": 1, "overline": 1, "operatorname": 1, "text": 1, "mathrm": 1, "mathit": 1,
    "mathbf": 1, "mathtt": 1, "mathsf": 1, "begin": 1, "end": 1, "dot": 1, "ddot": 1, "hat": 1,
    "tilde": 1,
}  # fmt: skip
SYMBOLS = frozenset(
    [
        r"odot",
        r"oslash",
        r"cdot",
        r"times",
        r"neg",
        r"sim",
        r"wedge",
        r"vee",
        r"veebar",
        r"oplus",
        r"ll",
        r"gg",
        r"leq",
        r"geq",
        r"neq",
        r"infty",
        r"partial",
        r"to",
        r"mapsto",
        r"int",
        r"sum",
        r"prod",
        r"max",
        r"det",
        r"min",
        r"log",
        r"exp",
        r"sin",
        r"cos",
        r"tan",
        r"sinh",
        r"cosh",
        r"tanh",
        r"arg",
        r"gcd",
        r"alpha",
        r"delta",
        r"beta",
        r"Pi",
        r"gamma",
        r"zeta",
        r"chi",
        r"Lambda",
        r"pi",
        r"psi",
        r"Gamma",
        r"sigma",
        r"tau",
        r"theta",
        r"lambda",
        r"left",
        r"right",
        r"lfloor",
        r"rfloor",
        r"lceil",
        r"rceil",
        r"backslash",
        r"displaystyle",
    ]
)


class NotTex(AssertionError):
    """What TeX would refuse."""


def check(text: str) -> None:
    """Raise `NotTex` where the text is none that TeX typesets."""
    tokens = [t for t in _TOKEN.findall(text) if not t.isspace()]
    end = _group(tokens, 0, "")
    if end != len(tokens):
        raise NotTex(f"{tokens[end]!r} closes nothing in {text!r}")


def _group(tokens: list[str], i: int, closing: str) -> int:
    """Read up to the end of a group; return the place of what closes it."""
    scripts = ""  # those that the base before has
    has_base = False
    while i < len(tokens):
        token = tokens[i]
        if token in ("}", r"\right", r"\end"):
            if token != closing:
                raise NotTex(f"{token!r} where {closing!r} is to close {' '.join(tokens)!r}")
            return i
        if token in "^_":
            if token in scripts or not has_base:
                raise NotTex(f"a double script or none to stand at, in {' '.join(tokens)!r}")
            scripts += token
            i = _argument(tokens, i + 1)
            continue
        scripts, has_base = "", token not in ("&", r"\\")
        i = _atom(tokens, i)
    if closing:
        raise NotTex(f"no {closing!r} in {' '.join(tokens)!r}")
    return i


def _atom(tokens: list[str], i: int) -> int:
    token, name = tokens[i], tokens[i][1:]
    if token == "{":
        return _group(tokens, i + 1, "}") + 1
    if token == r"\left":
        return _group(tokens, i + 2, r"\right") + 2
    if token[0] != "\\" or not name.isalpha():
        return i + 1
    count = ARGUMENTS.get(name, 0)
    if not count and name not in SYMBOLS:
        raise NotTex(f"{token} is no command that is known")
    i += 1
    for _ in range(count):
        i = _argument(tokens, i)
    if name == "begin":
        return _argument(tokens, _group(tokens, i, r"\end") + 1)
    return i


def _argument(tokens: list[str], i: int) -> int:
    if i >= len(tokens) or tokens[i] in "}^_&":
        raise NotTex(f"an argument is missing in {' '.join(tokens)!r}")
    if tokens[i] != "{":
        return i + 1  # one token
    return _group(tokens, i + 1, "}") + 1


def value(text: str, values: dict[str, Any]) -> Any:
    """Return what a formula of arithmetic and a few functions means to a reader of mathematics.

    Arrays are matrices, and nothing is repeated but a number: what stands beside each other is a
    matrix product unless one is a number, a power is one of a number, what is done to each element
    says so, and a sum over one axis is a column.
    """
    known = dict(values)
    body = text.removeprefix("\\begin{aligned}").removesuffix("\\end{aligned}")
    with np.errstate(all="ignore"):
        for line in body.split("\\\\\n"):
            name, _, formula = ("" if body == text else line.strip()).partition("&")
            formula = formula or line
            reader = _Reader(formula.removeprefix("="), known)
            found = reader.sum()
            assert reader.next == "", f"{reader.next!r} is left of {formula!r}"
            known[name.strip()] = found
    return found


_FUNCTIONS: dict[str, Any] = {
    "\\tanh": np.tanh, "\\sin": np.sin, "\\log": np.log, "\\sigma": lambda x: 1 / (1 + np.exp(-x)),
    "\\operatorname{abs}": np.abs, "\\operatorname{diag}": lambda x: np.diag(x[:, 0]),
}  # fmt: skip
_CONSTANTS: dict[str, Any] = {
    "\\mathbf{1}": np.ones,
    "\\mathbf{0}": np.zeros,
    "\\mathrm{I}": np.eye,
}
_ENDS = ("", "&", "\\\\", "\\end", "+", "-", "\\odot", "\\oslash", "}", "\\right)", "\\right|")
_WORD = re.compile(
    r"\\\\|t_\{\d+\}|\\math(?:bf|rm)\{[01eI]\}|\\mathit\{\w+\}|\\operatorname\{\w+\}|\\left\W|\\right\W|\\[a-z]+|\\,"
    r"|[\d.]+|[^\W_]+|\S"
)


def alike(x: Any, y: Any) -> Any:
    """Return `y`, which must have the shape of `x` unless one of them is a number."""
    assert not np.ndim(x) or not np.ndim(y) or x.shape == y.shape, (x.shape, y.shape)
    return y


class _Reader:
    """Reads sums, in these products of elements, in these products, in these powers."""

    def __init__(self, text: str, values: dict[str, Any]) -> None:
        self.tokens = [*_WORD.findall(text), ""]
        self.values = values

    @property
    def next(self) -> str:
        return self.tokens[0]

    def take(self, *expected: str) -> str:
        token = self.tokens.pop(0)
        assert not expected or token in expected, f"{token!r} in the place of {expected}"
        return token

    def sum(self) -> Any:
        total = -self.term() if self.next == "-" and self.take() else self.term()
        while self.next in ("+", "-"):
            plus = self.take() == "+"
            term = alike(total, self.term())
            total = total + (term if plus else -term)
        return total

    def term(self) -> Any:
        if self.next == "\\sum":
            axes = "".join(self.take() for _ in range(self.tokens.index("}") + 1))
            x = self.term()
            if not np.ndim(x):  # what has one element is shown as a number
                return x
            if axes == "\\sum_{i,j}" or (axes == "\\sum_{i}" and x.shape[1] == 1):
                return x.sum()
            return x.sum(["\\sum_{i}", "\\sum_{j}"].index(axes))[:, None]
        x = self.product()
        while self.next in ("\\odot", "\\oslash"):
            times = self.take() == "\\odot"
            y = alike(x, self.product())
            x = x * y if times else x / y
        return x

    def product(self) -> Any:
        x = self.power()
        while self.next not in _ENDS:
            if self.next in ("\\,", "\\cdot") and self.take() == "\\,":
                assert not self.next[0].isdigit(), "numbers beside each other"
            y = self.power()
            x = x @ y if np.ndim(x) and np.ndim(y) else x * y
            x = x.reshape(()) if np.size(x) == 1 else x
        return x

    def power(self) -> Any:
        base = self.atom()
        if self.next == "\\left[" and self.tokens[1].isdigit():
            base = base[int(self.take() and self.take()), 0]
            self.take("\\right]")
        if self.next != "^":
            return base
        self.take("^"), self.take("{")
        if self.next == "\\mathsf":
            for expected in ("\\mathsf", "{", "T", "}", "}"):
                self.take(expected)
            return base.T
        of_elements = self.next == "\\odot" and self.take()
        exponent = self.sum()
        self.take("}")
        if not of_elements and np.ndim(base) and exponent == -1:
            return np.linalg.inv(base)
        assert of_elements or not (np.ndim(base) or np.ndim(exponent)), "a power of a matrix"
        return np.float64(base) ** exponent if not np.ndim(base) else base**exponent

    def atom(self) -> Any:
        token = self.take()
        if token == "\\frac":
            above, below = self.braced(), self.braced()
            assert not np.ndim(below), "a quotient by a matrix"
            return above / below
        if token in ("\\left(", "\\left|"):
            inner = self.sum()
            self.take(token.replace("left", "right").replace("(", ")"))
            assert token == "\\left(" or not np.ndim(inner), "the determinant of a matrix"
            return inner if token == "\\left(" else abs(inner)
        if token == "\\left[":
            return self.elements()
        if token == "\\begin":
            return self.matrix()
        if token in _FUNCTIONS:
            if self.next == "{":
                return _FUNCTIONS[token](self.braced())
            return _FUNCTIONS[token](self.atom())
        if token in _CONSTANTS:
            self.take("_"), self.take("{")
            sizes = [int(self.take())]
            while self.next == "\\times" and self.take():
                sizes.append(int(self.take()))
            self.take("}")
            column = [1] if len(sizes) == 1 and token[:7] == "\\mathbf" else []
            return _CONSTANTS[token](*[sizes + column] if column or sizes[1:] else sizes)
        if token == "\\mathrm{e}":
            return np.e
        if token == "\\pi":
            return np.pi
        if token == "\\sqrt":
            return np.sqrt(self.braced())
        return np.float64(token) if token[0].isdigit() else self.values[token]

    def elements(self) -> Any:
        """Read a sum of products of elements by indices, and the indices of the result."""
        terms = []
        while self.next != "\\right]":
            sign = -1 if self.next in ("+", "-") and self.take() == "-" else 1
            number, *rest = self.product_of_elements()
            terms.append((sign * number, *rest))
        self.take("\\right]")
        made = self.indices()
        known = {k: n for *_, sizes in terms for k, n in sizes.items() if k in made}
        found = 0
        for factor, summed, factors, labels, sizes in terms:
            assert {*summed, *made} == {*"".join(labels)}
            lengths = {**known, **sizes}
            for i, j in [ks for x, ks in zip(factors, labels, strict=True) if x is None]:
                lengths |= {i: lengths[j]} if j in lengths else {j: lengths[i]}
            arrays = [np.eye(lengths[ks[0]]) if x is None else x
                      for x, ks in zip(factors, labels, strict=True)]  # fmt: skip
            found = found + factor * np.einsum(",".join(labels) + "->" + made, *arrays)
        return found[:, None] if found.ndim == 1 else found

    def product_of_elements(self) -> Any:
        """Read numbers, the sign of a sum with its indices, and factors with theirs."""
        number, factors, labels, summed = 1.0, [], [], ""
        while self.next not in ("\\right]", "+", "-"):
            if self.next == "\\," and self.take():
                continue
            if self.next == "\\sum":
                summed = self.take() and self.indices()
                continue
            is_delta = self.next == "\\delta" and self.take()
            x = None if is_delta else self.atom()
            if self.next != "_":
                number = number * x
                continue
            labels.append(self.indices())
            factors.append(x if is_delta or len(labels[-1]) > 1 else x[:, 0])
        sizes = {k: n for x, ks in zip(factors, labels, strict=True) if x is not None
                 for k, n in zip(ks, x.shape, strict=True)}  # fmt: skip
        return number, summed, factors, labels, sizes

    def matrix(self) -> Any:
        for expected in ("{", "bmatrix", "}"):
            self.take(expected)
        rows, end = [[self.sum()]], self.take()
        while end != "\\end":
            if end == "&":
                rows[-1].append(self.sum())
            else:
                rows.append([self.sum()])
            end = self.take("&", "\\\\", "\\end")
        for expected in ("{", "bmatrix", "}"):
            self.take(expected)
        return np.array(rows)

    def indices(self) -> str:
        self.take("_"), self.take("{")
        letters = self.take()
        while self.take("}", ",") == ",":
            letters += self.take()
        return letters

    def braced(self) -> Any:
        self.take("{")
        inner = self.sum()
        self.take("}")
        return inner
