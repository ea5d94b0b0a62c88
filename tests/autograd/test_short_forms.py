"""The short forms of changes in place and subscripts leave what the general form leaves.

That is values, graph and versions. Another mode, which changes nothing, leaves calls to the general
form.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import symgrad as torch
from symgrad.record.modes import holding
from symgrad.tensor.in_place import short_forms
from tests.each import each, in_part

#: The names of the methods that have a short form, without their underscores.
BINARY, UNARY = (
    [
        name[:-1]
        for name, method in sorted(vars(torch.Tensor).items())
        if getattr(method, "__code__", None) in make.__code__.co_consts and name[0] != "_"
    ]
    for make in (short_forms.binary, short_forms.unary)
)
OPERATORS = ["__iadd__", "__isub__", "__imul__", "__itruediv__", "__imod__", "__iand__"]
DTYPES = (torch.float64, torch.float32, torch.complex128, torch.int64)


def graph(x: Any) -> Iterator[Any]:
    """Yield names and saved values of the nodes above a tensor."""
    stack = [x.grad_fn]
    while stack:
        node = stack.pop()
        if node is None:
            continue
        yield node.name()
        for name in sorted(n for n in dir(node) if n.startswith("_saved")):
            yield name, outcome(lambda: getattr(node, name))  # noqa: B023
        stack += [above for above, _ in node.next_functions]


def plain(x: Any) -> Any:
    return (x.dtype, x.detach().numpy().tobytes()) if isinstance(x, torch.Tensor) else x


def outcome(call: Callable[[], Any]) -> Any:
    try:
        found = call()
    except Exception as error:
        return type(error), str(error)
    return [plain(x) for x in found] if isinstance(found, (list, tuple)) else plain(found)


def observed(change: Callable[..., Any], made: Callable[[], list[Any]], retain: bool) -> list[Any]:
    """Return what is seen of tensors after a change of the first, and their gradients."""
    tensors = made()
    leaves = [x for x in tensors if x.requires_grad]
    given = [x * 1 if x.requires_grad and i == 0 else x for i, x in enumerate(tensors)]
    x = given[0]
    retain = retain and x.requires_grad
    if retain:
        x.retain_grad()
    before, shown = x.exp() if x.is_floating_point() else x + 1, x.view(-1)
    found: list[Any] = [outcome(lambda: change(*given) is x)]
    found += [plain(x), x._version, shown._version, x.requires_grad, shown.requires_grad]
    found += graph(x)
    found.append(outcome(lambda: shown.grad_fn.name() if shown.requires_grad else None))
    for y in (x, shown * 2, before):
        if y.requires_grad:
            pull_back = functools.partial(torch.autograd.grad, retain_graph=True, allow_unused=True)
            ones = torch.ones_like(y)
            found.append(outcome(functools.partial(pull_back, y, leaves, ones, create_graph=True)))
    if x.requires_grad:
        found.append(outcome(lambda: x.backward(torch.ones_like(x))))
        found.append(outcome(lambda: x.backward(torch.ones_like(x))))
        found += [plain(leaf.grad) for leaf in leaves if leaf.grad is not None]
        found.append(plain(x.grad) if retain else None)
    return found


def agree(change: Callable[..., Any], made: Callable[[], list[Any]]) -> None:
    for retain in (False, True):
        with holding(unseen=None):
            expected = observed(change, made, retain)
        for _ in range(2):  # when first called, the short form asks the general one
            assert observed(change, made, retain) == expected


def tensor(shape: tuple[int, ...], kind: torch.dtype = torch.float64, needs: bool = True) -> Any:
    values = np.linspace(0.25, 0.75, int(np.prod(shape))).reshape(shape)
    made = torch.tensor(values * (1 if kind.is_floating_point else 8)).to(kind)
    return made.requires_grad_(needs and kind is not torch.int64)


def of(*described: Any) -> Callable[[], list[Any]]:
    """Return what makes new tensors as they are described to `tensor`."""
    return lambda: [tensor(*how) for how in described]


def test_there_are_short_forms() -> None:
    assert {"add", "sub", "mul", "div", "remainder"} <= {*BINARY}
    assert {"sin", "exp", "neg", "sqrt", "tanh", "log"} <= {*UNARY}


@each("name", in_part(list(UNARY), group=str, among=2))
def test_of_one_operand(name: str) -> None:
    def change(x: Any, *more: Any) -> Any:
        return getattr(x, f"{name}_")(*more)

    for kind, needs in itertools.product(DTYPES, (True, False)):
        agree(change, of(((3, 2), kind, needs)))
    agree(change, of(((0,),)))
    agree(change, of(((2,),), ((2,),)))


@each("name", in_part([*[f"{name}_" for name in BINARY], *OPERATORS], group=str, among=8))
def test_of_two_operands(name: str) -> None:
    def change(x: Any, *more: Any) -> Any:
        return getattr(x, name)(*more)

    pairs = itertools.product(DTYPES, DTYPES, (True, False), (True, False))
    for one, two, first, second in pairs:
        agree(change, of(((3,), one, first), ((3,), two, second)))
    for shape in ((), (1,), (2,), (3, 1), (3, 2), (2, 3, 2), (0,), (4,)):
        agree(change, of(((3, 2),), (shape,)))
    numbers = (2, 0, -1, 100, 2**70, 0.0, -0.0, 1.5, float("nan"), True, 2j, np.float64(1.5), "a")
    for number, kind in itertools.product(numbers, DTYPES):
        agree(functools.partial(lambda n, x: change(x, n), number), of(((3,), kind)))
    parts: list[Callable[[Any], Any]] = [
        lambda x: x,
        lambda x: x[:],
        lambda x: x[:1],
        lambda x: x.flip(0),
        lambda x: x.detach(),
    ]
    for part in parts:
        agree(functools.partial(lambda f, x: change(x, f(x)), part), of(((3,),)))


@pytest.mark.tiny
def test_programs() -> None:
    def several(x: Any, y: Any) -> Any:
        for _ in range(3):
            x.mul_(1.01).add_(y).sin_()
            x.mul_(x).exp_().div_(y).neg_()
        return x

    def with_views(x: Any, y: Any) -> Any:
        row = x[0]
        x.mul_(y)
        assert row.grad_fn.name() == "AsStridedBackward0"
        x.exp_()
        x.t().mul_(2)
        return x.sin_()

    def fresh(x: Any, y: Any) -> Any:
        z = torch.zeros(3, 2, dtype=torch.float64)
        z.add_(x).mul_(y).tanh_()
        return x.mul_(z)

    for program in (several, with_views, fresh):
        agree(program, of(((3, 2),), ((2,),)))


def of_views(program: Callable[..., list[Any]], retain: bool) -> list[Any]:
    """Return what is seen of the tensors that a program on parts of its first argument leaves."""
    leaf, y = tensor((3, 4)), tensor((4,))
    x = leaf * 1
    if retain:
        x.retain_grad()
    found: list[Any] = []
    for z in (x, *program(x, y)):
        found += [plain(z), z._version, z.requires_grad, z.is_leaf, *graph(z)]
        if z.requires_grad:
            pull_back = functools.partial(torch.autograd.grad, retain_graph=True, allow_unused=True)
            ones = torch.ones_like(z)
            found.append(outcome(functools.partial(pull_back, z, (leaf, y), ones)))
            found.append(
                outcome(functools.partial(pull_back, z, (leaf, y), ones, create_graph=True))
            )
    x.sum().backward()
    return [*found, plain(leaf.grad), plain(x.grad) if retain else None]


def _twice_through_one_view(x: Any, y: Any) -> list[Any]:
    row = x[1]
    for _ in range(2):
        row.mul_(2.0)
        row.add_(y).sin_()
        row.mul_(row).exp_()
    return [row]


def _rows_and_columns(x: Any, y: Any) -> list[Any]:
    before = x[:, 1]
    for i in range(3):
        x[i].mul_(1.5)
        x[:, i].add_(1.0)
        x[i, 1:3].div_(y[2:]).neg_()
        x[i, i].sin_()
    return [before]


def _saved_before(x: Any, y: Any) -> list[Any]:
    own, other = x[0] * x[0], x[1] * x[1]
    squares = x.exp()
    x[0].mul_(y)
    return [own, other, squares, x * x]


def _retained(x: Any, y: Any) -> list[Any]:
    row, other = x[0], x[1]
    row.retain_grad()
    other.retain_grad()
    row.mul_(2).sin_()
    other.add_(row)
    (row.sum() + other.sum()).backward(retain_graph=True)
    return [row, other, *[z.grad for z in (row, other) if z.grad is not None]]


def _through_several(x: Any, y: Any) -> list[Any]:
    column, element = x.t()[1], x.view(2, 6).t()[3].unsqueeze(0)[0, 1]
    for _ in range(3):
        for j in range(4):
            x.t()[j].add_(0.5)
            x[1:].t()[j].mul_(y[:2])
        x.view(12)[2:5].sin_()
        x.permute(1, 0).unsqueeze(0)[0].t()[0].mul_(y)
        x[:2].view(8).exp_()
        column.mul_(2)
        element.neg_()
    return [column, element, x.view(4, 3)]


def _of_other_tensors(x: Any, y: Any) -> list[Any]:
    z = torch.zeros(3, 4, dtype=torch.float64)
    row = z[0]
    row.add_(y)
    row.mul_(y)
    part = (x * 1).detach()[0]
    part.add_(y)
    turned, nested = x.t()[0], x[1][1:]
    for _ in range(2):
        turned.mul_(2)
        nested.mul_(y[1:])
        x.view(12)[2:5].sin_()
    wide = x[2].expand(2, 4)
    x[2].mul_(3)
    return [z, row, part, turned, nested, wide]


@pytest.mark.tiny
@each("program, retain", {
    f"{program.__name__}-{retain}": (program, retain)
    for program in (
        _twice_through_one_view, _rows_and_columns, _saved_before, _retained, _of_other_tensors,
        _through_several,
    )
    for retain in (False, True)
})  # fmt: skip
def test_views(program: Callable[..., list[Any]], retain: bool) -> None:
    with holding(unseen=None):
        expected = of_views(program, retain)
    for _ in range(2):
        assert of_views(program, retain) == expected


KEYS: list[Any] = [
    0, -1, 2, 3, -4, True, np.int64(1), None, ..., [0, 1], "a", 1.0, slice(None), slice(1, None),
    slice(None, -1), slice(0, 3, 2), slice(2, 1), slice(None, None, -1), slice(1.5), slice(True),
    (), (0,), (slice(None),), (slice(None), 1), (1, slice(None)), (1, 2), (-1, -2), (1, 2, 3),
    (slice(1, 3), slice(0, 2)), (slice(None), slice(None)), (slice(0, 3), slice(0, 4)), (0, None),
    (0, ...), (..., 1), (1, slice(1, 3)), (slice(1, 2), -1), (True, 1), (0, [1, 2]), (0, 9),
    (1, 2, slice(None)),
]  # fmt: skip


@pytest.mark.tiny
@each("key", in_part({repr(key): key for key in KEYS}, group=str, among=2))
def test_subscripts(key: Any) -> None:
    def seen(kind: torch.dtype, needs: bool, source: str) -> Any:
        leaf = tensor((3, 4), kind, needs)
        x = {"leaf": leaf, "result": leaf * 1, "view": leaf.t().t(), "part": (leaf * 1)[0:3]}[
            source
        ]

        def read() -> list[Any]:
            y = x[key]
            found = [plain(y), y.shape, y.stride(), y.storage_offset(), y.requires_grad, y.is_leaf]
            found += [y._is_view(), y._base is (x if x._base is None else x._base), y._version]
            found += graph(y)
            if y.requires_grad:
                found += map(plain, torch.autograd.grad(y.sum(), leaf, create_graph=True))
            if not x.is_leaf and y.numel():
                y.mul_(2)
                found += [plain(y), plain(x), y._version, *graph(x), *graph(y)]
            return found

        return outcome(read)

    for how in itertools.product(DTYPES, (True, False), ("leaf", "result", "view", "part")):
        with holding(unseen=None):
            expected = seen(*how)
        for _ in range(2):
            assert seen(*how) == expected


def test_views_that_are_refused() -> None:
    leaf = tensor((3, 4))
    x = leaf * 1
    with torch.no_grad():
        quiet = x[0]
    for _ in range(2):
        for part in (leaf[0], quiet, x.unbind()[0]):
            for change in (part.sin_, functools.partial(part.mul_, 2)):
                with pytest.raises(RuntimeError, match="view"):
                    change()


def test_what_is_refused() -> None:
    leaf = tensor((3,))
    for _ in range(2):
        for change in (
            leaf.sin_,
            functools.partial(leaf.mul_, 2),
            functools.partial(leaf.add_, leaf),
        ):
            with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
                change()
