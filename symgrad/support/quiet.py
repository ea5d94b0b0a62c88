"""Calls of NumPy without floating-point warnings: as in PyTorch, `log(0)` is -inf silently.

The end of an `np.errstate` block is Python code, which a signal handler may interrupt with an
error; then NumPy would never warn again (`symgrad.support.scopes`). Here the settings are context
variables of a copied context (`contextvars`), which ends with the call that runs in it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from typing import Any

import numpy as np


def _silence() -> list[tuple[ContextVar[Any], Any]]:
    """Return the context variables that `np.seterr(all="ignore")` sets, with their values."""
    before, after = copy_context(), copy_context()
    after.run(np.seterr, all="ignore")
    nothing = object()
    return [(var, value) for var, value in after.items() if before.get(var, nothing) is not value]


# Setting these variables takes a tenth of the time of `np.seterr`.
_SILENCE = _silence()


def _silently(call: Callable[..., Any], *args: Any) -> Any:
    for variable, value in _SILENCE:
        variable.set(value)
    return call(*args)


def quietly(call: Callable[..., Any], *args: Any) -> Any:
    """Call a function without floating-point warnings, in a copy of the present context."""
    return copy_context().run(_silently, call, *args)


def quiet_context() -> Context:
    """Return a copy of the present context in which NumPy does not warn."""
    context = copy_context()
    context.run(_silently, bool)
    return context
