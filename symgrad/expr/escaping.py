"""Text and names in LaTeX's mathematics, with their special characters escaped."""

from __future__ import annotations

import functools
import re

_SPECIAL = str.maketrans(
    {
        "\\": r"\backslash{}",
        "^": r"{\wedge}",
        "~": r"{\sim}",
        "'": None,  # a prime in LaTeX; the quotes of a string are left out
        '"': None,
        "\n": " ",
        **{c: "\\" + c for c in "_{}#$%&"},
    }
)


def latex_text(text: str) -> str:
    r"""Return the LaTeX of a text inside `\mathrm{...}`, in which no character is a command.

    Examples
    --------
    >>> latex_text("keep_dim=True")
    'keep\\_dim=True'
    """
    return text.translate(_SPECIAL)


#: Greek letters that are neither a number (pi) nor look like a letter of another name.
_GREEK = frozenset(
    [
        *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"),
        *("lambda", "mu", "nu", "xi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi"),
        *("omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi"),
        *("Psi", "Omega", "varepsilon", "vartheta", "varphi", "varrho", "varsigma"),
    ]
)
_ACCENT = re.compile(r"(?P<base>.+?)(?P<accent>hat|tilde|ddot|dot)")


@functools.lru_cache(maxsize=4096)
def name_latex(name: str) -> tuple[str, bool]:
    r"""Return LaTeX of a name, and whether it has a subscript.

    Different names have different LaTeX, and none that of a constant. A letter and a word are
    italic, since what is upright is a constant or a function. Underscores make subscripts, but
    where one is left over: `x_1` is $x_{1}$, and `x1` the word.

    Examples
    --------
    >>> print(name_latex("x_1")[0], name_latex("x1")[0])
    x_{1} \mathit{x1}
    """
    first, *below = name.split("_")
    if not all((first, *below)):
        return _word(name, "mathit"), False
    accented = _ACCENT.fullmatch(first)
    base = _letter(accented["base"]) if accented else None
    if accented and base:
        shown = rf"\{accented['accent']}{{{base}}}"
    else:
        shown = _letter(first) or _word(first, "mathit")
    if not below:
        return shown, False
    parts = [x if x.isdecimal() else _letter(x) or _word(x, "mathrm") for x in below]
    return rf"{shown}_{{{','.join(parts)}}}", True


def _letter(name: str) -> str | None:
    name = "lambda" if name == "lam" else name  # `lambda` is a keyword of Python
    return "\\" + name if name in _GREEK else name if len(name) == 1 else None


def _word(name: str, font: str) -> str:
    return rf"\{font}{{{latex_text(name)}}}"
