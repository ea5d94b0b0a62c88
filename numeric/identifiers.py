"""Names that Python can bind: the check, the normal form, and names that are not used yet."""

import unicodedata
from keyword import iskeyword
from typing import Any


def identifier(name: Any, what: str) -> str:
    """Return ``name`` in its normal form, if it is a name that can be bound.

    Parameters
    ----------
    name
        Any object.
    what
        What the name is for, as the error message says it: "the name of an input".

    Raises
    ------
    ValueError
        If ``name`` is no identifier, or a keyword.
    """
    # The method of str itself: a subclass may override it.
    if isinstance(name, str) and str.isidentifier(name):
        read = normal_form(name)
        if not iskeyword(read) and read != "__debug__":
            return read
    raise ValueError(f"{what} must be a Python identifier and no keyword, not {name!r}")


def normal_form(name: str) -> str:
    """Return ``name`` in Unicode's form NFKC, in which Python compares identifiers."""
    return unicodedata.normalize("NFKC", str(name))


def fresh_name(name: str, taken: set[str]) -> str:
    """Return ``name``, with underscores after it while it is ``taken``, and add it to ``taken``."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name
