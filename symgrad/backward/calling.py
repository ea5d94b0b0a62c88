"""The hooks of a backward pass: how they are called, and what they may return."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from symgrad.expr.dtypes import tensor_class
from symgrad.record.record import Recorded
from symgrad.record.versions import newest

#: The code of hooks that have returned a gradient or written to a tensor.
_changing: set[Any] = set()
_MOST_CHANGING = 256


def after_hooks(hooks: Iterable[Callable[..., Any]], g: Any) -> Any:
    """Return a gradient as hooks on the tensor leave it."""
    for hook in list(hooks):
        result = hook(g)
        if result is not None:
            check_tensor(result)
            _check_replacement(hook, g, result)
            g = result
    return g


def after_hooks_that_look(hooks: Iterable[Callable[..., Any]], g: Any) -> tuple[Any, bool]:
    """Return a gradient as hooks leave it, and whether they did more than to look at gradients.

    They did where they returned another gradient, wrote to any tensor, or took the gradient's
    memory as NumPy's, which they may write to unseen. They are known from then on.
    """
    hooks = list(hooks)
    if not hooks:
        return g, False
    written = newest.written
    new = after_hooks(hooks, g)
    changes: bool = new is not g or newest.written != written
    changes |= newest.exposed and new._storage().exposed
    if changes:
        if len(_changing) >= _MOST_CHANGING:
            _changing.clear()
        _changing.update(map(_code_of, hooks))
    return new, changes


def only_looked(hooks: Iterable[Callable[..., Any]]) -> bool:
    """Return whether hooks have done no more than to look at gradients so far."""
    return _changing.isdisjoint(map(_code_of, hooks))


def forget() -> None:
    """Forget which hooks did more than to look."""
    _changing.clear()


def _code_of(hook: Callable[..., Any]) -> Any:
    """Return what hooks have in common that are made at one place."""
    return getattr(hook, "__code__", type(hook))


def after_prehooks(hooks: Iterable[Callable[..., Any]], cts: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the gradients that arrive at a node as its hooks leave them."""
    for hook in list(hooks):
        cts = _replaced(hook, cts, hook(cts))
    return cts


def after_posthooks(
    hooks: Iterable[Callable[..., Any]], gradients: tuple[Any, ...], cts: tuple[Any, ...]
) -> tuple[Any, ...]:
    """Return the gradients that a node passes on as its hooks leave them."""
    for hook in list(hooks):
        gradients = _replaced(hook, gradients, hook(gradients, cts))
    return gradients


def _replaced(hook: Callable[..., Any], old: tuple[Any, ...], new: Any) -> tuple[Any, ...]:
    """Return the tuple that a hook of a node gave, or the one before where it gave None."""
    if new is None:
        return old
    if not isinstance(new, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(new).__name__}'")
    if len(new) != len(old):
        raise RuntimeError(
            f"hook '{_name(hook)}' has returned an incorrect number of values (got {len(new)}, but "
            f"expected {len(old)})"
        )
    for before, after in zip(old, new, strict=True):
        if after is not None:
            check_tensor(after)
            _check_replacement(hook, before, after)
    return new


def check_tensor(result: Any) -> None:
    """Raise a TypeError where a hook returned no tensor."""
    if not isinstance(result, Recorded):
        raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")


def _check_replacement(hook: Callable[..., Any], old: Any, new: Any) -> None:
    if old is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if old._aval.dtype is not new._aval.dtype:
        raise RuntimeError(
            f"hook '{_name(hook)}' has changed the type of value (was "
            f"{tensor_class(old._aval.dtype)} got {tensor_class(new._aval.dtype)})"
        )
    if old._aval.shape != new._aval.shape:
        raise RuntimeError(f"hook '{_name(hook)}' has changed the size of value")


def _name(hook: Callable[..., Any]) -> str:
    return getattr(hook, "__name__", "<unknown>")
