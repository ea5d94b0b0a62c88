"""The settings of a group, as a formula takes them: numbers by name, and what is fixed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from symgrad.record.record import Recorded


def number(value: Any) -> Any:
    """Return the number of a tensor of one element; everything else as it is.

    Examples
    --------
    >>> import symgrad as torch
    >>> number(torch.tensor(0.5)), number(0.25)
    (0.5, 0.25)
    """
    return value._data.item() if isinstance(value, Recorded) else value


def named(group: Mapping[str, Any], names: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yield the settings of a group, those in a tuple one by one.

    Examples
    --------
    >>> dict(named({"lr": 0.1, "betas": (0.9, 0.0)}, ["lr", "betas"]))
    {'lr': 0.1, 'beta1': 0.9, 'beta2': 0.0}
    """
    for name in names:
        value = group[name]
        if isinstance(value, (tuple, list)):
            one = name if name == "eps" else name.removesuffix("s")  # no plural
            yield from ((f"{one}{i}", x) for i, x in enumerate(value, 1))
        else:
            yield name, value


def read(group: Mapping[str, Any], names: Iterable[str]) -> tuple[dict[str, float], dict[str, Any]]:
    """Return the settings of a group that are numbers other than zero, and the others.

    Examples
    --------
    >>> read({"lr": 0.1, "betas": (0.9, 0.0), "amsgrad": False}, ["lr", "betas", "amsgrad"])
    ({'lr': 0.1, 'beta1': 0.9}, {'beta2': 0.0, 'amsgrad': False})
    """
    numbers: dict[str, float] = {}
    fixed: dict[str, Any] = {}
    for name, x in named(group, names):
        value = number(x)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value != 0:
            numbers[name] = float(value)
        else:
            fixed[name] = value
    return numbers, fixed
