"""Regions of a computation whose saved values are computed again, in place of being kept.

While the function of a `Region` runs, the values that its operations save are listed in order.
Afterwards a `Recomputed` replaces each value. When a backward pass needs one of the values, the
function runs again and saves the same values in the same order. The graph stays as it was recorded,
and so do formulas and plans; only the values are computed a second time.

`symgrad.autograd.checkpoint` is the interface.
"""

from __future__ import annotations

import traceback
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Self

from symgrad.backward.modified import check_saved, raise_modified
from symgrad.backward.saved import PackingHooks, active, pack, residual_types, unpack
from symgrad.backward.stages import memory_of_pass
from symgrad.record.modes import holding, observes, recording, state
from symgrad.record.record import Recorded, wrap
from symgrad.record.tape import Deferred, Node
from symgrad.record.user_code import PACKAGE
from symgrad.record.versions import clock
from symgrad.support.scopes import Scope

_TIP = (
    "\nTip: To see a more detailed error message, either pass `debug=True` to\n"
    "`torch.utils.checkpoint.checkpoint(...)` or wrap the code block\n"
    "with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to\n"
    "enable checkpoint-debug mode globally.\n"
)


class CheckpointError(RuntimeError):
    """Raised where a function that runs again saves other values than in its first run.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd.checkpoint import CheckpointError, checkpoint
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> functions = [lambda x: x.exp().sin(), lambda x: x.exp()]
    >>> y = checkpoint(lambda x: functions.pop(0)(x), x, use_reentrant=False)
    >>> try:
    ...     y.sum().backward()
    ... except CheckpointError as error:
    ...     print(str(error)[:70])
    torch.utils.checkpoint: A different number of tensors was saved during
    """


class _AllComputed(BaseException):  # noqa: N818 - it is no error
    """Ends a second run when all values are computed. No `except Exception` catches it."""


class _Origin:
    """The vertex of a tensor, with its shape and dtype."""

    __slots__ = ("aval", "requires_grad", "vertex")

    def __init__(self, x: Any) -> None:
        self.aval = x._aval
        self.vertex = x._vertex
        self.requires_grad = x._rg

    def hold(self, data: Any) -> Any:
        """Return a tensor of an array, with the vertex of the original."""
        made = wrap(data, self.aval, self.vertex)
        made._rg = self.requires_grad
        return made


class _Tensor:
    """A saved tensor: of a custom function, or an input of a region inside the region.

    Attributes
    ----------
    saved : tuple or Deferred
        The array of the tensor, or what computes it again.
    """

    __slots__ = ("__weakref__", "origin", "saved")

    def __init__(self, x: Any) -> None:
        self.origin = _Origin(x)
        self.saved: Any = (x._data,)

    def tensor(self) -> Any:
        """Return the tensor."""
        (data,) = self.saved.residuals() if isinstance(self.saved, Deferred) else self.saved
        return self.origin.hold(data)


class _Input:
    """A tensor among the arguments of a region: kept, or packed by hooks around the region."""

    __slots__ = ("origin", "packed", "tensor", "version")

    def __init__(self, x: Any) -> None:
        hooks = active()
        self.origin = _Origin(x)
        self.version = x._storage().version
        self.tensor: Any = x if hooks is None else None
        self.packed = None if hooks is None else pack(hooks, x)

    def value(self) -> Any:
        """Return the tensor.

        Raises
        ------
        RuntimeError
            If it has been modified since.
        """
        x = self.tensor
        if self.packed is not None:
            return self.origin.hold(unpack(self.packed)._data)
        if x._storage().version != self.version:
            storage, vertex = x._storage(), x._vertex
            raise_modified(vertex, vertex, storage, self.version, storage.modifier)
        return x


class _Recording:
    """The values that operations save while a function runs.

    Attributes
    ----------
    holders : list of Node or _Tensor
        The nodes and tensors that hold saved values, in order; in the first run weak references to
        them.
    sizes : list of list of (shape, dtype)
        Shape and dtype of each value that each of them saved.
    log : list of (str, str) or None
        The operations, with the lines that called them; None unless they are to be logged.
    """

    def __init__(self, weak: bool, limit: int | None, log: bool) -> None:
        self._weak = weak
        self._limit = limit
        self.holders: list[Any] = []
        self.sizes: list[list[Any]] = []
        self.log: list[tuple[str, str]] | None = [] if log else None

    def active(self) -> holding:
        """Return a block in which saved values are listed here, hidden from outer hooks."""
        special = state.state.special
        refused = state.state.aside.get("no_hooks")
        if refused is not None:
            raise RuntimeError(refused)
        hooks = (*special.get("hooks", ()), PackingHooks(self._pack, _Tensor.tensor, self._keep))
        if self.log is None:
            return holding(hooks=hooks)
        return holding(hooks=hooks, log=(*special.get("log", ()), self.log))

    def _pack(self, x: Any) -> _Tensor:
        holder = _Tensor(x)
        self._hold(holder, [(x._aval.shape, x._aval.dtype.numpy)])
        return holder

    def _keep(self, node: Node) -> None:
        self._hold(node, residual_types(node.sig))

    def _hold(self, holder: Any, sizes: list[Any]) -> None:
        """List a holder of saved values; end the run when it is the last."""
        self.holders.append(weakref.ref(holder) if self._weak else holder)
        self.sizes.append(sizes)
        if len(self.holders) == self._limit:
            raise _AllComputed

    def count(self) -> int:
        """Return how many values were saved."""
        return sum(map(len, self.sizes))


@observes("log", first=True)
def _log_operation(cls: Any, operands: Sequence[Any], params: Any, out: Any) -> None:
    for log in state.state.special["log"]:
        log.append(_described(cls, operands, params))


class Region:
    """A part of a computation whose saved values are computed again when they are needed.

    Parameters
    ----------
    again : callable
        Runs the function again, for given arguments.
    arguments : sequence
        The arguments of the first run. Tensors among them must not be changed in place.
    early_stop : bool
        Stop as soon as everything that was saved has been computed.
    check : bool
        Compare shapes and dtypes of what is saved.
    debug : bool
        List the operations of both runs in the error that is raised where they differ.
    """

    def __init__(
        self,
        again: Callable[..., Any],
        arguments: Sequence[Any],
        early_stop: bool,
        check: bool,
        debug: bool,
    ) -> None:
        self._again = again
        self._arguments = [_Input(x) if isinstance(x, Recorded) else x for x in arguments]
        self._early_stop = early_stop
        self._check = check
        self._first = _Recording(weak=True, limit=None, log=debug)
        #: Operations that were recorded later belong to the region.
        self.began = clock()

    def listing(self) -> holding:
        """Return a block in which saved values are listed; call `let_go` after it."""
        return self._first.active()

    def let_go(self) -> None:
        """Free the values that were saved in the block."""
        for slot, ref in enumerate(self._first.holders):
            holder = ref()
            # A backward pass inside the block may have freed the values already.
            if holder is not None and holder.saved is not None:
                holder.saved = Recomputed(self, slot)

    def compute(self) -> dict[int, tuple[Any, ...]]:
        """Run the function again and return the saved values, by their place in the order.

        Raises
        ------
        CheckpointError
            If this run saves other values than the first.
        """
        first = self._first
        limit = len(first.holders) if self._early_stop else None
        second = _Recording(weak=False, limit=limit, log=first.log is not None)
        with suppress(_AllComputed), recording(True), second.active():
            self._again(*[x.value() if isinstance(x, _Input) else x for x in self._arguments])
        for holder in second.holders:
            if isinstance(holder, Node) and holder.saved is not None:
                check_saved(holder)
        wrong = self._difference(second)
        if wrong:
            message = f"torch.utils.checkpoint: {wrong}{_TIP}"
            if first.log is not None and second.log is not None:
                logged = _logged(first.log, second.log)
                raise CheckpointError(logged) from CheckpointError(message)
            raise CheckpointError(message)
        return {
            slot: second.holders[slot].saved
            for slot, ref in enumerate(first.holders)
            if ref() is not None
        }

    def _difference(self, second: _Recording) -> str:
        """Return in words how the saved values differ from those of the first run."""
        first = self._first
        if len(second.holders) > len(first.holders):
            return (
                "trying to save more tensors during recomputation than during the original "
                "forward pass.\n"
            )
        if len(second.holders) < len(first.holders):
            return (
                "A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {first.count()}\n"
                f"Number of tensors saved during recomputation: {second.count()}.\n"
            )
        if not self._check:
            return ""
        wrong = ""
        position = 0
        for ref, before, after in zip(first.holders, first.sizes, second.sizes, strict=True):
            if before != after and ref() is not None:
                wrong += (
                    f"tensor at position {position}:\nsaved metadata: {_metadata(before)}\n"
                    f"recomputed metadata: {_metadata(after)}\n"
                )
            position += len(before)
        return wrong and (
            "Recomputed values for the following tensors have different metadata than during the "
            f"forward pass.\n{wrong}.\n"
        )


def _metadata(sizes: Sequence[Any]) -> str:
    return ", ".join([str({"shape": shape, "dtype": str(dtype)}) for shape, dtype in sizes])


class Recomputed(Deferred):
    """The values that one node of a region saved, to be computed again.

    Attributes
    ----------
    group : Region
        The region that computes them.
    slot : int
        Its place in the order in which the region saves.
    """

    __slots__ = ("group", "slot")

    def __init__(self, region: Region, slot: int) -> None:
        self.group = region
        self.slot = slot

    def residuals(self) -> tuple[Any, ...]:
        shared = state.state.aside.get("shared")
        memory = memory_of_pass() if shared is None else shared[0]
        computed = memory.get(self.group)
        if computed is None or self.slot not in computed:
            computed = memory[self.group] = self.group.compute()
        # Each node of a pass reads its values once.
        found: tuple[Any, ...] = computed.pop(self.slot)
        return found

    def recomputes(self, vertex: Any) -> bool:
        return isinstance(vertex, Node) and vertex.seq > self.group.began


class Sharing(Scope):
    """Compute each region once for all backward passes of a block."""

    def __enter__(self) -> Self:
        aside = state.state.aside
        if "shared" in aside:
            raise RuntimeError(
                f"GraphExecGroup contexts cannot be nested. Already inside group "
                f"{aside['shared'][1]}"
            )
        self._put(aside, "shared", ({}, self))
        return self


# ---------------------------------------------------------------- logs


def _described(cls: Any, operands: Sequence[Any], params: Any) -> tuple[str, str]:
    """Return an operation in words, and the lines of the program that called it."""
    words = [
        f"{x._aval.dtype.name}[{', '.join(map(str, x._aval.shape))}]"
        if isinstance(x, Recorded)
        else repr(x)
        for x in (*operands, *params)
    ]
    lines = [
        f"{frame.filename}:{frame.lineno}:{frame.name}"
        for frame in reversed(traceback.extract_stack())
        if not frame.filename.startswith(PACKAGE)
    ]
    return f"{cls.__name__}({', '.join(words)})", "\n".join(lines)


def _logged(first: Sequence[tuple[str, str]], second: Sequence[tuple[str, str]]) -> str:
    """Return the message that shows the operations of both runs."""

    def title(text: str) -> str:
        return f"+{'~' * 78}+\n|{text:^78}|\n+{'-' * 78}+\n"

    def traces(log: Sequence[tuple[str, str]], label: str) -> str:
        return "".join(
            f"{call}   ({i} of {len(log)} in {label})\n\n{lines}\n\n\n"
            for i, (call, lines) in enumerate(log, 1)
        )

    def calls(log: Sequence[tuple[str, str]]) -> str:
        return "\n".join(call for call, _ in log)

    return (
        " An error happened while unpacking tensors; dumping logs of latest computation\n"
        "because you passed `debug=True` to `torch.utils.checkpoint.checkpoint()`.\n"
        "Scroll all the way down for guidance on how to navigate these logs.\n\n"
        f"{title('1. Stack traces of the operators that ran in the original forward')}\n"
        f"{traces(first, 'original')}\n"
        f"{title('2. Stack traces of the operators that ran during recomputation')}\n"
        f"{traces(second, 'recompute')}\n"
        f"{title('3. Log of operators in the original forward and recomputation')}\n"
        f"Operations executed during the original forward:\n\n{calls(first)}\n\n"
        f"Operations executed during recomputation:\n\n{calls(second)}\n\n"
        " ERROR: Detected non-determinism while running activation checkpointing\n\n"
        " Compare the operations of both runs to see where they differ. Their stack traces are\n"
        " above, in the order of execution.\n"
    )
