"""The functions of files that users name, and errors of their code."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


class BadInput(Exception):  # noqa: N818 - it is a message to the user
    """The user's input cannot be used; the message says why in one line."""


def load(target: str) -> tuple[Callable[..., Any], str]:
    """Import the file of ``FILE.py:function`` and return its function, with its name."""
    file, _, name = target.rpartition(":")
    if not file or not name.isidentifier():
        raise BadInput(f"{target!r} is not of the form FILE.py:function")
    path = Path(file)
    if not path.is_file():
        raise BadInput(f"there is no file {file!r}")
    if path.suffix != ".py":
        raise BadInput(f"{file!r} is not a Python file: its name does not end in .py")
    spec = importlib.util.spec_from_file_location(f"symgrad_derive_{path.stem}", path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and pickle find modules here
    sys.path.insert(
        0, str(path.resolve().parent)
    )  # the file may import its neighbours, also when called
    with blaming(file):
        spec.loader.exec_module(module)
    function = getattr(module, name, None)
    if function is None:
        raise BadInput(f"{file!r} has no function {name!r}")
    if not callable(function):
        raise BadInput(f"{name!r} in {file!r} is no function but {type(function).__name__}")
    return function, name


@contextlib.contextmanager
def blaming(what: str) -> Iterator[None]:
    """Report an error of the user's code in one line, and send what it prints to stderr."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the user's code may raise anything
        message = str(error).strip().partition("\n")[0]
        reason = f"{type(error).__name__}: {message}" if message else type(error).__name__
        raise BadInput(f"{what} failed: {reason}") from None
