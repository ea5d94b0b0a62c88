"""Whether a frame belongs to the user's code or to a library, by the file of its code."""

from __future__ import annotations

import os

import mpmath
import numpy as np
import sympy

from numeric import kernel


def _folder(file: str | None) -> str:
    return os.path.dirname(file or "") + os.sep


#: The folders of `symgrad` and `numeric`.
OWN = (_folder(os.path.dirname(__file__)), _folder(kernel.__file__))
#: The folders of the libraries that symgrad calls. SciPy may be absent; its folder is beside
#: NumPy's. The last two are the beginnings of the file names of generated code.
_LIBRARIES = (
    *OWN, *(_folder(m.__file__) for m in (np, sympy, mpmath)),
    os.path.join(os.path.dirname(_folder(np.__file__)[:-1]), "scipy") + os.sep,
    "<symgrad", "<program",
)  # fmt: skip
_STANDARD = _folder(os.__file__)


def is_of_libraries(file: str) -> bool:
    """Return whether a file belongs to one of the libraries or to Python, and not to the user."""
    return (
        file.startswith(_LIBRARIES)
        or file.endswith((".pyx", ".pxd"))  # NumPy's random numbers are written in Cython
        or (file.startswith(_STANDARD) and "site-packages" not in file)
    )
