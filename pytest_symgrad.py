"""The plugin for pytest: `@pytest.mark.gradients(order=2)` checks the gradients of a function.

The marked function is not a test but what is tested: those of its arguments that are tensors, from
fixtures and parameters, are the inputs, and it returns a tensor. Other arguments stay as they are.
Symgrad is imported when such a test runs.
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
    from symgrad import Tensor  # noqa: PLC0415 - only where it is needed
    from symgrad.testing import assert_gradients  # noqa: PLC0415

    signature = inspect.signature(pyfuncitem.obj)
    given = {name: pyfuncitem.funcargs[name] for name in signature.parameters}
    inputs = {name: x for name, x in given.items() if isinstance(x, Tensor)}

    def function(*tensors: Any) -> Any:
        return pyfuncitem.obj(**{**given, **dict(zip(inputs, tensors, strict=True))})

    function.__name__ = pyfuncitem.name
    parameters = [signature.parameters[name] for name in inputs]
    function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    # A report is read better without the frames of the check.
    __tracebackhide__ = True
    try:
        assert_gradients(function, tuple(inputs.values()), *mark.args, **mark.kwargs)
    except AssertionError as error:
        pytest.fail(str(error), pytrace=False)
    return True
