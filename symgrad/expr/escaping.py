"""Text as LaTeX shows it in mathematics: the one place that knows which characters are special."""

from __future__ import annotations

__all__ = ["latex_text"]

_SPECIAL = str.maketrans(
    {
        "\\": r"\backslash{}",
        "^": r"{\wedge}",
        "~": r"{\sim}",
        "'": None,  # a prime; quotes are no part of what a parameter says
        '"': None,
        "\n": " ",
        **{c: "\\" + c for c in "_{}#$%&"},
    }
)


def latex_text(text: str) -> str:
    r"""Return a name or parameter for inside `\mathrm{...}`: no character of it is a command.

    Examples
    --------
    >>> latex_text("keep_dim=True")
    'keep\\_dim=True'
    """
    return text.translate(_SPECIAL)
