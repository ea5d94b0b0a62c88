"""The plugin for pytest: `@pytest.mark.gradients(order=2)` checks the gradients of a function.

The marked function is not a test but what is tested: its arguments, which are fixtures and
parameters, are the inputs, and it returns a tensor. Symgrad is imported when such a test runs.
"""

from __future__ import annotations

import inspect
from typing import Any

import pytest

_MARK = (
    "gradients(order=3, against=None): check the gradients of the marked function by its arguments "
    "with symgrad.check_gradients"
)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark."""
    config.addinivalue_line("markers", _MARK)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Check the gradients of a marked function in place of calling it."""
    mark = pyfuncitem.get_closest_marker("gradients")
    if mark is None:
        return None
    from symgrad.testing import assert_gradients  # noqa: PLC0415 - only where it is needed

    function = pyfuncitem.obj
    names = list(inspect.signature(function).parameters)
    inputs: tuple[Any, ...] = tuple([pyfuncitem.funcargs[name] for name in names])
    # A report is read better without the frames of the check.
    __tracebackhide__ = True
    try:
        assert_gradients(function, inputs, *mark.args, **mark.kwargs)
    except AssertionError as error:
        pytest.fail(str(error), pytrace=False)
    return True
