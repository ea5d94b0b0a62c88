"""The settings of a group, as a formula takes them: numbers by name, and what is fixed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


def read(group: Mapping[str, Any], names: Iterable[str]) -> tuple[dict[str, float], dict[str, Any]]:
    """Return the settings of a group that are numbers other than zero, and the others.

    The numbers of a tuple are named one by one: `betas` are `beta1` and `beta2`.

    Examples
    --------
    >>> read({"lr": 0.1, "betas": (0.9, 0.0), "amsgrad": False}, ["lr", "betas", "amsgrad"])
    ({'lr': 0.1, 'beta1': 0.9}, {'beta2': 0.0, 'amsgrad': False})
    """
    numbers: dict[str, float] = {}
    fixed: dict[str, Any] = {}
    for name in names:
        value = group[name]
        items = [(name, value)]
        if isinstance(value, (tuple, list)):
            items = [(f"{name.removesuffix('s')}{i}", x) for i, x in enumerate(value, 1)]
        for key, x in items:
            x = number(x)
            if isinstance(x, (int, float)) and not isinstance(x, bool) and x != 0:
                numbers[key] = float(x)
            else:
                fixed[key] = x
    return numbers, fixed
