"""PyTorch's `jit`: functions and modules as they are, since operations are compiled anyway."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from symgrad.around.compiling import as_it_is, false, marker
from symgrad.support.absent import refused
from symgrad.support.homes import at_home

__all__ = [
    "Final", "annotate", "export", "freeze", "ignore", "is_scripting", "is_tracing",
    "optimize_for_inference", "script", "script_if_tracing", "trace", "trace_module", "unused",
]  # fmt: skip


def annotate(the_type: Any, the_value: Any) -> Any:
    """Return the value, which Python needs no type of.

    Parameters
    ----------
    the_type
        Ignored.
    the_value
        What is returned.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.jit.annotate(list[int], [])
    []
    """
    return the_value


def trace(func: Any, example_inputs: Any = None, **options: Any) -> Any:
    """Return the function or module itself, which is traced whenever it runs.

    Parameters
    ----------
    func : callable
        The function or module.
    example_inputs, **options
        Ignored: nothing is run.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.jit.trace(torch.sin, torch.ones(2)) is torch.sin
    True
    """
    traced: Callable[..., Any] = _traced(func)
    return traced


_traced = as_it_is("jit.trace", "")
script = as_it_is("jit.script", ", which runs as Python")
trace_module = as_it_is("jit.trace_module", ", which is traced whenever it runs")
freeze = as_it_is("jit.freeze", ", whose parameters stay what they are")
optimize_for_inference = as_it_is("jit.optimize_for_inference", ", which runs as it does")
export = marker("jit.export")
ignore = marker("jit.ignore")
unused = marker("jit.unused")
script_if_tracing = marker("jit.script_if_tracing")
is_scripting = false("jit.is_scripting")
is_tracing = false("jit.is_tracing")

at_home(__name__, **{name: globals()[name] for name in __all__ if name != "Final"})

__getattr__ = refused("jit")
