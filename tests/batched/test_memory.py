"""Views inside `vmap`: what is written into them lands where it does without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import symgrad as torch
from tests.each import each

VIEWS: dict[str, Callable[[Any], Any]] = {
    "itself": lambda b: b,
    "number": lambda b: b[1],
    "negative number": lambda b: b[:, -1],
    "slice": lambda b: b[:1, 1:],
    "steps": lambda b: b[:, ::2],
    "None": lambda b: b[None, :, None],
    "ellipsis": lambda b: b[..., 1],
    "element": lambda b: b[1, 2],
    "t": lambda b: b.t(),
    "transpose": lambda b: b.transpose(0, 1)[1:],
    "permute": lambda b: b.permute(1, 0),
    "movedim": lambda b: b.movedim(0, -1)[0],
    "swapaxes": lambda b: b.swapaxes(0, 1),
    "T": lambda b: b.T,
    "mT": lambda b: b.mT,
    "narrow": lambda b: b.narrow(1, 1, 2),
    "select": lambda b: b.select(0, 1),
    "diagonal": lambda b: b.diagonal(),
    "diagonal beside": lambda b: b.diagonal(1),
    "unsqueeze": lambda b: b.unsqueeze(1),
    "squeeze": lambda b: b[:1].squeeze(0),
    "split": lambda b: b.split(2, 1)[1],
    "chunk": lambda b: b.chunk(2)[0],
    "tensor_split": lambda b: b.tensor_split(3, 1)[2],
    "hsplit": lambda b: b.hsplit(3)[1],
    "unbind": lambda b: b.unbind(1)[2],
    "unflatten": lambda b: b.unflatten(1, (1, 3))[:, 0, 1:],
    "expand of one axis": lambda b: b[None].expand(1, 2, 3),
    "view as rows": lambda b: b[:, :1].reshape(2),
    "unfold": lambda b: b.unfold(1, 1, 2),
    "detach": lambda b: b.detach(),
    "view_as": lambda b: b[1].view_as(torch.ones(3)),
    "a view of a view": lambda b: b[1:].t()[1:, 0],
    "three times": lambda b: b.t()[1:].unsqueeze(0)[0].t()[1],
    "real": lambda b: b.real,
    "alias": lambda b: b.view_as(b),
}

#: What needs elements that lie beside each other.
DENSE: dict[str, Callable[[Any], Any]] = {
    "view": lambda b: b.view(3, 2)[1],
    "flat view": lambda b: b.view(-1)[1:5:2],
    "reshape": lambda b: b.reshape(6)[2:],
    "flatten": lambda b: b.flatten()[:2],
    "ravel": lambda b: b.ravel()[3],
    "as_strided": lambda b: b.as_strided((2, 2), (3, 1)),
    "as_strided of a row": lambda b: b[1].as_strided((2,), (1,)),
}


#: Tensors of entries, by the way they lie in memory, and the axis that is mapped over.
LAYOUTS: dict[str, tuple[Callable[[Any], Any], int, bool]] = {
    "rows": (lambda m: m[:24].view(4, 2, 3), 0, True),
    "columns": (lambda m: m[:24].view(2, 4, 3), 1, False),
    "last axis": (lambda m: m[:24].view(2, 3, 4), 2, False),
    "transposed": (lambda m: m[:24].view(3, 2, 4).permute(2, 1, 0), 0, False),
    "a part": (lambda m: m.view(4, 8)[:, 1:7].unflatten(1, (2, 3)), 0, True),
    "every second": (lambda m: m.view(4, 2, 4)[::2, :, 1:], 0, False),
}

CHANGES: dict[str, Callable[[Any, Any], Any]] = {
    "number": lambda v, b: v.mul_(-2),
    "of the entry": lambda v, b: v.add_(b.sum()),
    "fill": lambda v, b: v.fill_(0.5),
    "item": lambda v, b: v.__setitem__(..., v * 3),
    "copy": lambda v, b: v.copy_(1 - v),
}


#: Of functions that give several views, which may not be written into where they have a history.
SEVERAL = ("split", "chunk", "unbind")


def applies(without: Sequence[str] = (), layouts: Sequence[str] = tuple(LAYOUTS)) -> Any:
    found = [
        pytest.param(view, layout, id=f"{name}-{where}")
        for where, layout in LAYOUTS.items()
        if where in layouts
        for name, view in {**VIEWS, **(DENSE if layout[2] else {})}.items()
        if name not in without
    ]
    return each("view, layout", found)


def writer(
    view: Callable[[Any], Any], change: Callable[[Any, Any], Any], use: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    def write(b: Any) -> Any:
        v = view(b)
        change(v, b.detach().clone())
        return use(v)

    return write


@applies()
def test_what_is_written_into_a_view_reaches_the_tensor_of_all(view: Any, layout: Any) -> None:
    lay, dim, _ = layout
    for name, change in CHANGES.items():
        memories = [torch.arange(32.0) for _ in range(2)]
        mapped, plain = (lay(m) for m in memories)
        write = writer(view, change, torch.clone)
        got = torch.vmap(write, in_dims=dim)(mapped)
        expected = [write(b) for b in plain.unbind(dim)]
        np.testing.assert_array_equal(got.numpy(), torch.stack(expected).numpy(), err_msg=name)
        np.testing.assert_array_equal(memories[0].numpy(), memories[1].numpy(), err_msg=name)
        assert memories[0].tolist() != torch.arange(32.0).tolist(), name


@applies(without=SEVERAL, layouts=("columns", "a part"))
def test_gradients_pass_what_is_written_into_a_view(view: Any, layout: Any) -> None:
    lay, dim, _ = layout
    weights = torch.linspace(0.5, 2.0, 32)
    for name, change in CHANGES.items():
        leaves = [torch.arange(32.0).requires_grad_() for _ in range(2)]
        memories = [x * 1 for x in leaves]
        mapped, plain = (lay(m) for m in memories)
        write = writer(view, change, torch.sum)
        got = torch.vmap(write, in_dims=dim)(mapped)
        # Results of `unbind` may not be written into.
        entries = [plain.select(dim, k) for k in range(plain.shape[dim])]
        expected = [write(b) for b in entries]
        for m, total in ((0, got.sum()), (1, torch.stack(expected).sum())):
            (total + (memories[m] * weights).sum()).backward()
        np.testing.assert_allclose(
            leaves[0].grad.numpy(), leaves[1].grad.numpy(), rtol=1e-6, err_msg=name
        )


@applies()
def test_what_comes_out_shares_memory_as_a_view_does(view: Any, layout: Any) -> None:
    lay, dim, _ = layout
    memories = [torch.arange(32.0) for _ in range(2)]
    mapped, plain = (lay(m) for m in memories)
    torch.vmap(view, in_dims=dim)(mapped).zero_()
    for b in plain.unbind(dim):
        view(b).zero_()
    np.testing.assert_array_equal(memories[0].numpy(), memories[1].numpy())


def test_captured_views_are_written_once() -> None:
    memory = torch.zeros(4, 3)
    torch.vmap(lambda b: b * memory[1].add_(1).sum())(torch.ones(5))
    assert memory.tolist() == [[0.0] * 3, [1.0] * 3, [0.0] * 3, [0.0] * 3]


def test_what_is_refused_leaves_the_memory_alone() -> None:
    memory, x = torch.arange(6.0), torch.ones(3, 2)
    with pytest.raises(RuntimeError, match="is not possible"):
        torch.vmap(lambda b: memory[:2].mul_(b))(x)
    with pytest.raises(RuntimeError, match="refers to a single memory location"):
        torch.vmap(lambda b: b.add_(1))(memory[:2].expand(3, 2))
    assert memory.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
