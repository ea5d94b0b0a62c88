"""Text in LaTeX's mathematics, with its special characters escaped."""

from __future__ import annotations

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
