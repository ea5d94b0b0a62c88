"""Compilers of PyTorch's: `compile`, `jit.script` and their kin return what they are given.

Operations are compiled as they are recorded, whatever the program around them, so that nothing is
left to be done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["as_it_is", "compile", "false", "marker", "same_function"]


def compile(
    model: Any = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: Any = "inductor",
    mode: str | None = None,
    options: Any = None,
    disable: bool = False,
) -> Any:
    """Return the function or module itself, which is compiled as it runs.

    Parameters
    ----------
    model : callable, optional
        The function or module; without one, a decorator is returned.
    fullgraph, dynamic, backend, mode, options, disable
        Ignored.

    Raises
    ------
    AssertionError
        If `model` cannot be called.
    RuntimeError
        If both `mode` and `options` are given.

    Examples
    --------
    >>> import symgrad as torch
    >>> @torch.compile(fullgraph=True)
    ... def double(x):
    ...     return 2 * x
    >>> double(torch.ones(2))
    tensor([2., 2.])
    >>> torch.compile(double) is double
    True
    """

    def compiled(model: Any) -> Any:
        if mode is not None and options is not None:
            raise RuntimeError(
                "Either mode or options can be specified, but both can't be specified at the same "
                "time."
            )
        if not callable(model):
            raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")
        return model

    return compiled if model is None else compiled(model)


def as_it_is(name: str, says: str) -> Callable[..., Any]:
    """Return a function of one module or function, and of options, that returns it.

    Parameters
    ----------
    name : str
        Of the function, below `torch`.
    says : str
        What PyTorch's does, for the docstring.
    """

    def f(obj: Any, *args: Any, **kwargs: Any) -> Any:
        if not callable(obj):
            raise TypeError(f"torch.{name}() takes a function or a module, not {type(obj)}")
        return obj

    f.__doc__ = f"""Return the function or module itself{says}.

    Parameters
    ----------
    obj : callable
        The function or module.
    *args, **kwargs
        Ignored.

    Raises
    ------
    TypeError
        If it cannot be called.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.{name}(torch.sin, None) is torch.sin
    True
    """
    return f


def marker(name: str) -> Callable[..., Any]:
    """Return a decorator, with and without options, that returns the function itself.

    Parameters
    ----------
    name : str
        Of the decorator, below `torch`.
    """

    def f(fn: Any = None, **options: Any) -> Any:
        return fn if callable(fn) else same_function

    f.__doc__ = f"""Return the function `fn` itself, or, without one, what does.

    Parameters
    ----------
    fn : callable, optional
        The function.
    **options
        Ignored.

    Examples
    --------
    >>> import symgrad as torch
    >>> @torch.{name}
    ... def double(x):
    ...     return 2 * x
    >>> double(3)
    6
    """
    return f


def same_function(fn: Any) -> Any:
    """Return a function as it is.

    Parameters
    ----------
    fn : callable
        The function.
    """
    return fn


def false(name: str) -> Callable[[], bool]:
    """Return a function that answers that no compiler is at work.

    Parameters
    ----------
    name : str
        Of the function, below `torch`.
    """

    def f() -> bool:
        return False

    f.__doc__ = f"""Return False: no compiler reads the program.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.{name}()
    False
    """
    return f
