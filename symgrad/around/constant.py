"""Functions that answer the same whatever is asked, as those about devices that there are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symgrad.support.homes import at_home


def _placed(home: str, name: str, text: str, f: Callable[..., Any]) -> Callable[..., Any]:
    f.__doc__ = text
    at_home(f"symgrad.{home}", **{name: f})
    return f


def _example(home: str, name: str, shown: str) -> str:
    return f"Examples\n--------\n>>> import symgrad as torch\n>>> torch.{home}.{name}()\n{shown}"


def answer(home: str, name: str, value: Any, sentence: str) -> Callable[..., Any]:
    """Return a function that answers `value`.

    Parameters
    ----------
    home, name : str
        The module below `symgrad`, and the name there.
    value
        The answer.
    sentence : str
        What it says, for the docstring.
    """

    def f(device: Any = None) -> Any:
        return value

    shown = "" if value is None else f"{value!r}\n"
    text = f"{sentence}, whatever `device` is named.\n\n{_example(home, name, shown)}"
    return _placed(home, name, text, f)


def refusal(home: str, name: str, error: type[Exception], message: str) -> Callable[..., Any]:
    """Return a function that raises, since what it asks for needs a device that there is not.

    Parameters
    ----------
    home, name : str
        The module below `symgrad`, and the name there.
    error : class
        What is raised.
    message : str
        What that says.
    """

    def f(device: Any = None) -> Any:
        raise error(message)

    raised = f"Traceback (most recent call last):\n    ...\n{error.__name__}: {message}\n"
    text = (
        f"Raise, whatever `device` is named: there is none.\n\nRaises\n------\n{error.__name__}\n"
        f"    Always.\n\n{_example(home, name, raised)}"
    )
    return _placed(home, name, text, f)


def seeding(home: str, name: str) -> Callable[..., Any]:
    """Return a function that seeds devices, of which there are none, so that nothing is done.

    Parameters
    ----------
    home, name : str
        The module below `symgrad`, and the name there.
    """

    def f(seed: int) -> None:
        return None

    text = (
        "Seed the devices, of which there are none. The seed of the CPU is `torch.manual_seed`'s.\n"
        "\nParameters\n----------\nseed : int\n    Ignored.\n\n"
        f"Examples\n--------\n>>> import symgrad as torch\n>>> torch.{home}.{name}(0)\n"
    )
    return _placed(home, name, text, f)
