"""Names that Python can bind: which are, how it reads them, and ones not taken yet."""

import unicodedata
from keyword import iskeyword
from typing import Any

__all__ = ["fresh", "identifier", "normal"]


def identifier(name: Any, what: str) -> str:
    """``name`` as Python reads it, when it is a name that can be bound.

    Python compares identifiers in the form NFKC: two spellings of one name are
    returned equal.

    Raises
    ------
    ValueError
        When ``name`` is not an identifier or is reserved.
    """
    # str's own method, since a subclass may have another opinion.
    if isinstance(name, str) and str.isidentifier(name):
        read = normal(name)
        if not iskeyword(read) and read != "__debug__":
            return read
    raise ValueError(f"{what} must be a Python identifier and no keyword, not {name!r}")


def normal(name: str) -> str:
    """``name`` in the form NFKC, in which Python compares identifiers."""
    return unicodedata.normalize("NFKC", str(name))


def fresh(name: str, taken: set[str]) -> str:
    """``name``, or with underscores after it the first not ``taken``; takes it."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name
