"""The short forms of elementwise operations inside `vmap` give what the general form gives.

Another mode, which changes nothing, leaves batched tensors to the general form.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad as torch
from symgrad.functions.elementwise import OPERATIONS
from symgrad.ops.elementwise import Elementwise
from symgrad.record.modes import holding
from tests.each import each, in_part

SIZE = 3
DTYPES = (torch.float64, torch.float32, torch.int64, torch.bool, torch.complex128)
SPECIALS = [
    f"__{mark}{cls.operator}__" for cls in OPERATIONS if cls.arity == 2 for mark in ("", "r")
]


def outcome(call: Callable[[], Any]) -> Any:
    """Return dtype, values and gradients of what a call returns, or class and text of its error."""
    found: list[Any] = []
    try:
        made, *leaves = call()
        found += [made.dtype, made.shape, made.detach().numpy().tobytes(), made.requires_grad]
        if made.requires_grad:
            cotangent = torch.ones_like(made)
            gradients = torch.autograd.grad(made, leaves, cotangent, allow_unused=True)
            found += [None if g is None else g.numpy().tobytes() for g in gradients]
    except Exception as error:
        found += [type(error), str(error)]
    return found


def general(f: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(f)
    def call(*args: Any) -> Any:
        with holding(unseen=None):
            return f(*args)

    return call


def agree(f: Callable[..., Any], *mapped: tuple[Any, int | None]) -> None:
    """Assert that the short form gives what the general form does, when first called and later."""
    args, dims = zip(*mapped, strict=True)

    def run(f: Callable[..., Any], mode: Any = torch.enable_grad) -> Any:
        given = [
            x.clone().requires_grad_()
            if isinstance(x, torch.Tensor) and x.is_floating_point()
            else x
            for x in args
        ]
        leaves = [x for x in given if isinstance(x, torch.Tensor) and x.requires_grad]
        with mode():
            return torch.vmap(f, in_dims=dims)(*given), *leaves

    for mode in (torch.enable_grad, torch.no_grad):
        expected = outcome(lambda: run(general(f), mode))  # noqa: B023
        for _ in range(2):
            assert outcome(lambda: run(f, mode)) == expected  # noqa: B023


def tensor(shape: tuple[int, ...], kind: torch.dtype = torch.float64) -> Any:
    values = np.linspace(0.25, 0.75, max(1, int(np.prod(shape)))).reshape(shape)
    return torch.tensor(values * (1 if kind.is_floating_point else 8)).to(kind)


@pytest.mark.tiny
@each("cls", sorted(torch.Tensor._short, key=lambda cls: cls.__name__))
def test_of_one_operand(cls: type[Elementwise]) -> None:
    for kind, shape in itertools.product(DTYPES, ((SIZE,), (SIZE, 2))):
        agree(torch.Tensor._short[cls], (tensor(shape, kind), 0))
    agree(torch.Tensor._short[cls], (tensor((2, SIZE)), 1))


@each("special", SPECIALS)
def test_with_numbers(special: str) -> None:
    for number, kind in itertools.product((2, 0, -1, 0.0, -0.0, 1.5, True, 2j), DTYPES):
        agree(lambda x, n=number: getattr(x, special)(n), (tensor((SIZE,), kind), 0))
    agree(lambda x: getattr(x, special)(3), (tensor((2, SIZE)), 1))


@each("special", in_part(SPECIALS, group=str, among=10))
def test_with_tensors(special: str) -> None:
    """Entries of unlike ranks and dtypes, and tensors that are the same for all entries."""
    apply = lambda x, y: getattr(x, special)(y)  # noqa: E731
    shapes = ((), (2,), (1, 2), (SIZE, 2))
    for a, b in itertools.product(shapes, shapes):
        agree(apply, (tensor((SIZE, *a)), 0), (tensor((SIZE, *b)), 0))
        agree(apply, (tensor((SIZE, *a)), 0), (tensor(b), None))
        agree(apply, (tensor(a), None), (tensor((SIZE, *b)), 0))
    for one, two in itertools.product(DTYPES, DTYPES):
        for a, b in itertools.product(((), (2,)), ((), (2,))):
            agree(apply, (tensor((SIZE, *a), one), 0), (tensor((SIZE, *b), two), 0))
            agree(apply, (tensor((SIZE, *a), one), 0), (tensor(b, two), None))
            agree(apply, (tensor(a, one), None), (tensor((SIZE, *b), two), 0))


@each("special", SPECIALS)
def test_refused_shapes(special: str) -> None:
    apply = lambda x, y: getattr(x, special)(y)  # noqa: E731
    agree(apply, (tensor((SIZE, 2)), 0), (tensor((SIZE, 3)), 0))
    agree(apply, (tensor((SIZE, 2)), 0), (tensor((3,)), None))
    agree(apply, (tensor((3,)), None), (tensor((SIZE, 2)), 0))


@pytest.mark.tiny
def test_levels() -> None:
    """An operand of an outer level, and one of both."""
    x, y = tensor((SIZE, 2)), tensor((4, 2))
    applied: list[Callable[[Any, Any], Any]] = [
        lambda a, b: a * b,
        lambda a, b: b - a,
        lambda a, b: (a + b) * a.exp() * b.exp(),
    ]
    for apply in applied:
        inner = lambda a: torch.vmap(lambda b: apply(a, b))(y)  # noqa: B023, E731
        assert torch.equal(torch.vmap(inner)(x), apply(x[:, None], y))
        agree(inner, (x, 0))
        for one, two in itertools.product((0, 1, None), (0, 1, None)):
            dims = (one, two) if (one, two) != (None, None) else (0, 0)
            agree(
                torch.vmap(apply, in_dims=dims), (tensor((SIZE, 2, 2)), 0), (tensor((2, 2)), None)
            )
            agree(
                torch.vmap(apply, in_dims=dims), (tensor((2, 2)), None), (tensor((SIZE, 2, 2)), 0)
            )
            agree(
                torch.vmap(apply, in_dims=dims),
                (tensor((SIZE, 2, 2)), 0),
                (tensor((SIZE, 2, 2)), 0),
            )
            agree(
                torch.vmap(apply, in_dims=dims),
                (tensor((2, SIZE, 2)), 1),
                (tensor((SIZE, 2, 2)), 0),
            )
    x, y = tensor((SIZE, 2)), tensor((SIZE, 2, 2))
    agree(lambda a, b: torch.vmap(lambda c, d: c * d + a)(b, b.sum(1)), (x, 0), (y, 0))
    agree(lambda a: torch.vmap(lambda c: (c.sin() * 1.5 - a) / 2)(a), (x, 0))
    agree(lambda a: torch.vmap(lambda c: torch.vmap(lambda d: d * c * a.sum())(c))(a), (y, 0))
    agree(lambda a: torch.vmap(lambda c: c.sum() * a)(a), (x.to(torch.float32), 0))


@pytest.mark.tiny
def test_what_has_ended() -> None:
    x, kept = tensor((SIZE, 2)), []

    def keep(a: Any) -> Any:
        kept.append(a)
        return a

    torch.vmap(keep)(x)
    for call in (lambda a: kept[0] * a, lambda a: a * kept[0], lambda a: kept[0].exp()):
        with pytest.raises(RuntimeError, match="may have escaped"):
            torch.vmap(call)(x)
