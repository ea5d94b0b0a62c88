"""Tensors that derivatives keep, changed in place: the old value is copied just before."""

from __future__ import annotations

import weakref
from collections.abc import MutableMapping
from typing import Any

from symgrad.backward.saved import PackingHooks, watching
from symgrad.record.modes import state
from symgrad.support.scopes import Block, back_to, together

_OUTSIDE = (
    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"
    "in which the graph was originally recorded."
)


class _Handle:
    """What the graph holds in place of a saved tensor."""

    __slots__ = ("__weakref__",)


class Mutation:
    """The saved tensors of one block of `allow_mutation_on_saved_tensors`.

    Attributes
    ----------
    original : mapping
        The tensors that have not been changed.
    cloned : mapping
        Copies of the changed tensors, made before the change.
    """

    def __init__(self) -> None:
        self.original: MutableMapping[_Handle, Any] = weakref.WeakKeyDictionary()
        self.cloned: MutableMapping[_Handle, Any] = weakref.WeakKeyDictionary()
        # The handles of the tensors of one memory, by the id of its version counter.
        self._sharing: dict[int, weakref.WeakSet[_Handle]] = {}

    def pack(self, x: Any) -> _Handle:
        """Keep a tensor, and return its handle."""
        handle = _Handle()
        # Without history: the graph holds the handle, and would keep itself alive.
        self.original[handle] = x.detach()
        self._sharing.setdefault(id(x._storage()), weakref.WeakSet()).add(handle)
        return handle

    def unpack(self, handle: _Handle) -> Any:
        """Return a tensor with the elements that it had when it was saved.

        Raises
        ------
        AssertionError
            Outside of the block.
        """
        found = self.cloned.get(handle) if watching(self.before) else None
        if found is None:
            found = self.original.get(handle) if watching(self.before) else None
        if found is None:
            raise AssertionError(_OUTSIDE)
        return found

    def before(self, x: Any) -> None:
        """Copy the saved tensors that share memory with one that is about to be changed."""
        for handle in self._sharing.pop(id(x._storage()), ()):
            kept = self.original.pop(handle, None)
            if kept is not None:
                self.cloned[handle] = kept.clone()

    def clear(self) -> None:
        """Let go of everything."""
        self.original.clear()
        self.cloned.clear()
        self._sharing.clear()


class allow_mutation_on_saved_tensors(Block):  # noqa: N801 - PyTorch's name
    """Let tensors that derivatives keep be changed in place, in a `with` block.

    Just before such a change the old value is copied, and the derivative reads the copy. The
    backward pass has to run in the same block.

    Returns
    -------
    context manager
        Entered, it gives what it keeps, for debugging.

    Raises
    ------
    RuntimeError
        Within another such block.
    AssertionError
        In a backward pass after the block.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> with torch.autograd.graph.allow_mutation_on_saved_tensors():
    ...     y = x.clone()
    ...     z = (y * y).sum()
    ...     _ = y.zero_()
    ...     z.backward()
    >>> x.grad
    tensor([2., 4.])
    """

    def __enter__(self) -> Mutation:
        if watching(None):
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        kept, modes = Mutation(), state.state
        if "no_hooks" in modes.aside:
            raise RuntimeError(modes.aside["no_hooks"])
        hooks = (*modes.special.get("hooks", ()), PackingHooks(kept.pack, kept.unpack))
        back = back_to(modes.special, "hooks"), back_to(modes.aside, "watcher")
        undo, end, all_of_it = self._undo, len(self._undo), together(*back, kept.clear)
        undo[end:] = (all_of_it,)
        modes.aside["watcher"] = kept.before
        modes.special["hooks"] = hooks
        return kept
