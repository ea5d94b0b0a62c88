"""Anomaly mode, under PyTorch's name of the module."""

from __future__ import annotations

import warnings

from symgrad.record.anomaly import OFF, anomaly
from symgrad.record.modes import everywhere
from symgrad.schema.public import with_schema
from symgrad.support.scopes import Scope, back_to

__all__ = [
    "detect_anomaly",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "set_anomaly_enabled",
    "set_detect_anomaly",
]

_ENABLED = (
    "Anomaly Detection has been enabled. This mode will increase the runtime and should only be "
    "enabled for debugging."
)


def is_anomaly_enabled() -> bool:
    """Return whether anomaly mode is on.

    Examples
    --------
    >>> import symgrad as torch
    >>> with torch.autograd.set_detect_anomaly(True):
    ...     torch.is_anomaly_enabled()
    True
    """
    return anomaly.enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Return whether anomaly mode refuses nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.is_anomaly_check_nan_enabled()
    True
    """
    return anomaly.check_nan


@with_schema("set_anomaly_enabled(bool enabled, bool check_nan=True) -> None")
def set_anomaly_enabled(enabled: bool, check_nan: bool = True) -> None:
    """Switch anomaly mode on or off, for all threads.

    Parameters
    ----------
    enabled : bool
        Whether nodes remember where they were recorded.
    check_nan : bool
        Whether a backward pass raises where a gradient becomes nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.set_anomaly_enabled(True)
    >>> torch.is_anomaly_enabled()
    True
    >>> torch.set_anomaly_enabled(False)
    """
    _set((enabled, check_nan))


def _set(mode: tuple[bool, bool]) -> None:
    if mode != OFF:
        everywhere["anomaly"] = mode
    else:
        everywhere.pop("anomaly", None)


class set_detect_anomaly(Scope):  # noqa: N801 - PyTorch's name
    """Switch anomaly mode on or off: at once, and until the end of a `with` block.

    Parameters
    ----------
    mode : bool
        Whether it is on.
    check_nan : bool
        Whether a backward pass raises where a gradient becomes nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> with torch.autograd.set_detect_anomaly(True, check_nan=False):
    ...     torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()
    (True, False)
    >>> torch.is_anomaly_enabled()
    False
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        super().__init__()
        self.prev = anomaly.enabled
        self.prev_check_nan = anomaly.check_nan
        self._back = back_to(everywhere, "anomaly")
        set_anomaly_enabled(mode, check_nan)

    def __enter__(self) -> None:
        self._undo[len(self._undo) :] = (self._back,)


class detect_anomaly(Scope):  # noqa: N801 - PyTorch's name
    """Find what goes wrong in a backward pass, in a `with` block.

    An error in a backward pass comes with the traceback of the operation that was differentiated,
    and a gradient that becomes nan is an error: it names the operation, and shows the formula and
    the values from which the nan came.

    Parameters
    ----------
    check_nan : bool
        Whether nan is an error.

    Warns
    -----
    UserWarning
        That the mode costs time.

    Examples
    --------
    >>> import warnings
    >>> import symgrad as torch
    >>> x = torch.tensor([0.0, 1.0], requires_grad=True, name="x")
    >>> with warnings.catch_warnings(action="ignore"), torch.autograd.detect_anomaly():
    ...     (0 * x.sqrt()).sum().backward()
    Traceback (most recent call last):
    ...
    RuntimeError: Function 'SqrtBackward0' returned nan values in its 0th output.
    ...
    """

    def __init__(self, check_nan: bool = True) -> None:
        super().__init__()
        self.prev = anomaly.enabled
        self.check_nan = check_nan
        self.prev_check_nan = anomaly.check_nan
        self._back = back_to(everywhere, "anomaly")
        warnings.warn(_ENABLED, UserWarning, stacklevel=2)

    def __enter__(self) -> None:
        undo, end, mode = self._undo, len(self._undo), (True, bool(self.check_nan))
        undo[end:] = (self._back,)
        everywhere["anomaly"] = mode
