"""Whose code a file holds: the libraries', or the user's."""

from __future__ import annotations

import os

import mpmath
import numpy as np
import sympy

from numeric import kernel

__all__ = ["OWN", "is_of_libraries"]


def _folder(file: str | None) -> str:
    return os.path.dirname(file or "") + os.sep


#: Where the code of this package stands, and that of the one that runs programs.
OWN = (_folder(os.path.dirname(__file__)), _folder(kernel.__file__))
#: Where code of the libraries stands that is called with arguments of the user's; SciPy, which may
#: be absent, stands beside NumPy. Code that symgrad generates is between angle brackets.
_LIBRARIES = (
    *OWN, *(_folder(m.__file__) for m in (np, sympy, mpmath)),
    os.path.join(os.path.dirname(_folder(np.__file__)[:-1]), "scipy") + os.sep,
    "<symgrad", "<program",
)  # fmt: skip
_STANDARD = _folder(os.__file__)


def is_of_libraries(file: str) -> bool:
    """Return whether a file holds code of the libraries or of Python, and none of the user's."""
    return (
        file.startswith(_LIBRARIES)
        or file.endswith((".pyx", ".pxd"))  # of NumPy's random numbers
        or (file.startswith(_STANDARD) and "site-packages" not in file)
    )
