"""Random programs that share, exchange, reshape and write memory, and what is seen at each step.

A program runs on PyTorch or on symgrad, which is its argument. What both are known to do
differently, as the page of differences says, no program does: once a tensor has left memory that
others show, or was told to require a gradient beside others, nothing of this memory is recorded.
"""

from __future__ import annotations

import random
from typing import Any

STEPS = 12
_MOST_TENSORS = 9


class Program:
    """One program, while it runs.

    Attributes
    ----------
    seen : list of str
        For each step, what it did and how it ended, and then every tensor.
    """

    def __init__(self, torch: Any, seed: int) -> None:
        self.torch = torch
        self.random = random.Random(seed)
        self.tensors = [
            torch.arange(6.0),
            torch.arange(1.0, 13.0).view(3, 4) * 1.0,
            torch.ones(4) * 0.5,
            torch.arange(4.0).requires_grad_(),
        ]
        #: Which tensors were made of one memory, and of which of these the graph says nothing.
        self.family = [0, 1, 2, 3]
        self.torn: set[int] = set()
        self.exchanged: set[int] = set()
        self.shrunk: set[int] = set()
        self.seen: list[str] = []

    def step(self) -> None:
        kind = self.random.choice(KINDS)
        i, j = (self.random.randrange(len(self.tensors)) for _ in range(2))
        a, b, c = (self.random.random() for _ in range(3))
        outcome = "done"
        try:
            found = getattr(self, kind)(i, j, a, b, c)
        except (RuntimeError, ValueError, IndexError, TypeError) as error:
            outcome = f"{type(error).__name__}: {str(error).splitlines()[0]}"
            if kind == "backward":  # PyTorch names the function that comes first in its order
                outcome = type(error).__name__
        else:
            if found is not None:
                outcome = found
        lines = [f"{kind} {i} {j}: {outcome}"]
        lines += [f"  {k}: {self._shown(k, x)}" for k, x in enumerate(self.tensors)]
        self.seen.append("\n".join(lines))

    def _shown(self, k: int, x: Any) -> str:
        values = [round(float(v), 4) for v in x.detach().flatten().tolist()]
        steps = [s if n > 1 else 1 for s, n in zip(x.stride(), x.shape, strict=True)]
        place = x.storage_offset() if values else "nowhere"
        graph = "" if self._is_torn(k) else f" {x.requires_grad} {x.is_leaf}"
        return f"{values} {tuple(x.shape)} {steps} {place} version {x._version}{graph}"

    # ---- the families

    def _is_torn(self, i: int) -> bool:
        return self.family[i] in self.torn

    def _tear(self, i: int, j: int | None = None) -> None:
        """Note that the graph of PyTorch says of tensor `i` what is so no more."""
        if self.family.count(self.family[i]) > 1 or (j is not None and self._is_torn(j)):
            self.torn.add(self.family[i])

    def _exchange(self, i: int, j: int) -> None:
        if not self._is_torn(i):
            self.exchanged.add(i)
        self._tear(i, j)

    def _untold(self, i: int) -> bool:
        """Whether both may say different things of a change of tensor `i`."""
        family = self.family[i]
        mine = [x for x, f in zip(self.tensors, self.family, strict=True) if f == family]
        return self._is_torn(i) and any(x.requires_grad for x in mine)

    def _add(self, x: Any, family: int | None = None) -> None:
        if len(self.tensors) < _MOST_TENSORS:
            self.tensors.append(x)
            self.family.append(1 + max(self.family) if family is None else family)

    # ---- the steps; `j` is another tensor, and `a`, `b`, `c` are numbers between 0 and 1

    def view(self, i: int, j: int, a: float, b: float, c: float) -> None:
        x = self.tensors[i]
        if not x.dim():
            return
        n = x.shape[0]
        ways = [
            lambda: x[int(a * n) :],
            lambda: x[:: 1 + int(b * 2)],
            lambda: x.detach(),
            lambda: x[: max(1, int(c * n))],
        ]
        if x.dim() == 2:
            ways += [lambda: x.t(), lambda: x[:, int(a * x.shape[1]) :], lambda: x.diagonal()]
        if x.is_contiguous():
            ways.append(lambda: x.view(-1))
        self._add(ways[int(c * len(ways))](), self.family[i])

    def compute(self, i: int, j: int, a: float, b: float, c: float) -> None:
        if not self._is_torn(i):
            self._add(self.tensors[i] * 2)

    def write(self, i: int, j: int, a: float, b: float, c: float) -> None:
        x = self.tensors[i]
        if self._is_torn(i) and self.torch.is_grad_enabled():
            return
        way = int(a * 5)
        if way == 0:
            x.add_(1)
        elif way == 1:
            x.mul_(2)
        elif way == 2:
            x.zero_()
        elif way == 3 and x.dim():
            x[int(b * x.shape[0])] = 7.0
        else:
            x.sub_(0.5)

    def write_unrecorded(self, i: int, j: int, a: float, b: float, c: float) -> None:
        with self.torch.no_grad():
            self.write(i, j, a, b, c)

    def write_recorded(self, i: int, j: int, a: float, b: float, c: float) -> None:
        if not self._is_torn(i):
            self.tensors[i].mul_(self.torch.tensor(2.0 + int(b * 3), requires_grad=True))

    def require(self, i: int, j: int, a: float, b: float, c: float) -> None:
        if self._is_torn(i) and i not in self.exchanged:
            return
        self._tear(i)
        self.tensors[i].requires_grad_(a < 0.7)

    def data(self, i: int, j: int, a: float, b: float, c: float) -> None:
        self._add(self.tensors[i].data, self.family[i])

    def assign_data(self, i: int, j: int, a: float, b: float, c: float) -> None:
        x, y = self.tensors[i], self.tensors[j]
        # PyTorch goes on to sum gradients to the old shape.
        free = not (self._is_torn(i) or x.requires_grad)
        if i != j and (free or x.shape == y.shape):
            self._exchange(i, j)
            x.data = y

    def set_(self, i: int, j: int, a: float, b: float, c: float) -> None:
        x, y = self.tensors[i], self.tensors[j]
        if self._untold(i):
            return
        self._exchange(i, j)
        if x.requires_grad or y.requires_grad:  # which has no derivative
            self.torn.add(self.family[i])
        if a < 0.5 or not y.is_contiguous():
            x.set_(y)
        else:
            x.set_(y, int(b * 2), (max(0, y.numel() - 2),), (1,))

    def resize_(self, i: int, j: int, a: float, b: float, c: float) -> None:
        if not self._untold(i):
            x = self.tensors[i]
            self.shrunk.add(self.family[i])
            x.resize_(max(0, x.numel() - int(a * 3)))

    def as_strided_(self, i: int, j: int, a: float, b: float, c: float) -> None:
        x = self.tensors[i]
        # Of elements that a base does not show the graph knows nothing.
        known = i not in self.exchanged and self.family[i] not in self.shrunk
        if x.numel() and not self._untold(i) and (known or not x.requires_grad):
            if not known:
                self._tear(i)
            self.shrunk.add(self.family[i])
            x.as_strided_((int(b * 4),), (1 + int(c * 2),))

    def detach_(self, i: int, j: int, a: float, b: float, c: float) -> None:
        if not self._is_torn(i) and self.family[i] not in self.shrunk:
            self.tensors[i].detach_()

    def backward(self, i: int, j: int, a: float, b: float, c: float) -> str | None:
        x = self.tensors[i]
        if self._is_torn(i):
            return None
        (x * x).sum().backward()
        told = [t for k, t in enumerate(self.tensors) if t.is_leaf and not self._is_torn(k)]
        return str([None if t.grad is None else t.grad.tolist() for t in told])


KINDS = (
    *["view"] * 4, *["write"] * 3, *["write_unrecorded"] * 2, "write_recorded", "compute",
    *["require"] * 2, "data", *["assign_data"] * 2, *["set_"] * 2, "resize_", "as_strided_",
    "detach_", "backward",
)  # fmt: skip


def run(torch: Any, seed: int) -> list[str]:
    """Return what is seen at each step of a program."""
    program = Program(torch, seed)
    for _ in range(STEPS):
        program.step()
    return program.seen
