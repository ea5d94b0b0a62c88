"""Tests of gradients, `assert_gradients`, and of results, `assert_close`.

Beside them stands `pytest.mark.gradients` of the plugin for pytest.
"""

from __future__ import annotations

from typing import Any

from symgrad.checks.check import check_gradients
from symgrad.support.absent import refused
from symgrad.support.homes import at_home
from symgrad.testing.closeness import assert_close

__all__ = ["assert_close", "assert_gradients"]

at_home(__name__, assert_close=assert_close)
__getattr__ = refused("testing")


def assert_gradients(
    f: Any, inputs: Any, order: int = 3, against: Any = None, **given: Any
) -> None:
    """Raise an AssertionError with the report, unless all derivatives of a function are right.

    Parameters
    ----------
    f, inputs, order, against, **given
        As `symgrad.check_gradients` takes them.

    Raises
    ------
    AssertionError
        If a derivative is wrong, or nothing decides whether it is right.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.testing import assert_gradients
    >>> x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    >>> assert_gradients(lambda x: x.sin().sum(), x, order=2)
    """
    report = check_gradients(f, inputs, order, against, **given)
    if not report.ok:
        raise AssertionError(str(report))
