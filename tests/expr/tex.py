r"""A reader of the LaTeX that formulas are written in: it refuses what TeX would refuse.

`check` reads a text by TeX's grammar of scripts and groups: braces, `\left` and environments that
close, at most one superscript and one subscript for each base, and commands that are known.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_&]|\s+|.", re.S)
#: Commands with the number of arguments in braces that each takes.
ARGUMENTS = {
    "frac": 2, "sqrt": 1, "overline": 1, "operatorname": 1, "text": 1, "mathrm": 1, "mathtt": 1,
    "mathbin": 1, "begin": 1, "end": 1, "dot": 1, "ddot": 1, "hat": 1, "tilde": 1, "bar": 1, "vec": 1,
}  # fmt: skip
SYMBOLS = set("""
    odot oslash cdot times neg sim wedge vee veebar oplus ll gg le ge ne bmod infty partial to
    sum prod max min log exp sin cos tan sinh cosh tanh arg gcd pi psi Gamma sigma theta lambda alpha
    left right lfloor rfloor lceil rceil lVert rVert mathsf backslash displaystyle quad
""".split())  # noqa: SIM905


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
