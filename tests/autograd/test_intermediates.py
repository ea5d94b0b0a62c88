"""Custom functions that save what `forward` computed on the way: of this nothing is differentiated.

A random function computes a product of powers, saves some of its arguments, results, intermediates
and constants, and computes its derivative from these. Its second derivative is right, or refused in
words that name the cure; it is refused just where a value on the way is differentiated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad as torch
from tests.autograd.support import each

X = [0.7, 1.9]

# What stands for `x*x` in `3 * x**2` and `x**3`: how forward makes it, what it saves, how backward
# makes it again from that. The last tells whether the derivative of backward is known.
_WAYS: dict[str, tuple[Any, Any, bool]] = {
    "an argument": (lambda ctx, x, out: x, lambda s: s * s, True),
    "a result": (lambda ctx, x, out: out[1], lambda s: s, True),
    "an argument and a constant": (
        lambda ctx, x, out: (x, torch.full((2,), 2.0, dtype=torch.float64)),
        lambda s: s[0] ** s[1],
        True,
    ),
    "an intermediate": (lambda ctx, x, out: x * x, lambda s: s, False),
    "a part of an intermediate": (lambda ctx, x, out: (x * x * 4)[:2], lambda s: s / 4, False),
    "an intermediate of a view": (lambda ctx, x, out: x.view(2).sqrt(), lambda s: s**4, False),
    "both": (lambda ctx, x, out: (x, 1 / x), lambda s: s[0] / s[1], False),
}


def _function(way: str, once: bool = False, change: Any = lambda s: s) -> Any:
    make, again, _ = _WAYS[way]

    def backward(ctx: Any, g: Any, h: Any) -> Any:
        saved = ctx.saved_tensors
        saved = tuple(change(s) for s in saved)
        return 3 * again(saved if ctx.many else saved[0]) * g + 2 * ctx.exact * h

    class Cube(torch.autograd.Function):
        """The cube and the square."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            out = (x * x * x, x * x)
            kept = make(ctx, x, out)
            ctx.many = isinstance(kept, tuple)
            ctx.save_for_backward(*(kept if ctx.many else (kept,)))
            ctx.exact = x.detach().clone()
            return out

    Cube.backward = staticmethod(  # type: ignore[attr-defined]
        torch.autograd.function.once_differentiable(backward) if once else backward
    )
    return Cube


def _second(way: str, **options: Any) -> Any:
    x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
    y, _ = _function(way, **options).apply(x)
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    np.testing.assert_allclose(g.detach().numpy(), 6 * np.array(X) ** 5, rtol=1e-12)
    return torch.autograd.grad(g.sum(), x)[0].numpy()


@pytest.mark.parametrize("way", _WAYS)
def test_a_second_derivative_is_complete_or_refused(way: str) -> None:
    if _WAYS[way][2]:
        np.testing.assert_allclose(_second(way), 30 * np.array(X) ** 4, rtol=1e-12)
    else:
        with pytest.raises(RuntimeError, match=r"neither an argument nor a result.*Save the arg"):
            _second(way)


@pytest.mark.parametrize("way", _WAYS)
def test_a_first_derivative_asks_nothing(way: str) -> None:
    for create_graph in (False, True):
        x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
        _function(way).apply(x)[0].sum().backward(create_graph=create_graph)
        np.testing.assert_allclose(x.grad.detach().numpy(), 3 * np.array(X) ** 2, rtol=1e-12)


@pytest.mark.parametrize("way", [w for w in _WAYS if not _WAYS[w][2]])
def test_what_counts_as_a_constant_is_none_of_it(way: str) -> None:
    """As in PyTorch: by `detach`, through NumPy, or where backward is not differentiated."""
    for change in (lambda s: s.detach(), lambda s: torch.from_numpy(s.detach().numpy())):
        # The derivative that is left is that of the cotangent alone.
        np.testing.assert_allclose(_second(way, change=change), 18 * np.array(X) ** 4, rtol=1e-12)
    with pytest.raises(RuntimeError, match="appears to not have been used"):
        _second(way, once=True)


@each(
    "make",
    [
        lambda x: x.round() * 2,
        lambda x: (x > 1).to(x.dtype),
        lambda x: x.sign(),
        lambda x: x > 1,
        lambda x: x.argsort(),
        lambda x: torch.ones(2, dtype=x.dtype) * 3,
    ],
)
@each("use", [lambda s, g: s * g, lambda s, g: torch.where(s > 0, g, 2 * g)])
def test_a_value_with_a_derivative_of_zero_is_none_of_it(make: Any, use: Any) -> None:
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            s = make(x)
            ctx.save_for_backward(s)
            return use(s, x)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return use(ctx.saved_tensors[0], g)

    x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
    y = F.apply(x)
    factor = use(make(x.detach()), torch.ones(2, dtype=torch.float64)).numpy()
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    np.testing.assert_allclose(h.numpy(), 2 * factor**2, rtol=1e-12)


def test_an_intermediate_that_only_masks_is_none_of_it() -> None:
    class Clip(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            s = x * x
            ctx.save_for_backward(s)
            return torch.where(s > 1, x, 2 * x)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (s,) = ctx.saved_tensors
            return torch.where(s > 1, g, 2 * g)

    x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
    y = Clip.apply(x)
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    assert torch.autograd.grad(g.sum(), x)[0].tolist() == [8, 2]


def test_other_derivatives_of_the_gradient_are_not_refused() -> None:
    x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
    w = torch.tensor([2.0, 3.0], dtype=torch.float64, requires_grad=True)
    y, _ = _function("an intermediate").apply(x)
    (g,) = torch.autograd.grad((y * w).sum(), x, create_graph=True)
    np.testing.assert_allclose(
        torch.autograd.grad(g.sum(), w)[0].numpy(), 3 * np.array(X) ** 2, rtol=1e-12
    )


def _with_attribute(kept: Any) -> Any:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.root = kept(x)
            ctx.save_for_backward(x)
            return ctx.root * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            assert ctx.root.tolist() == kept(x).tolist()
            return (ctx.root + x * 0) * 2 * g

    return Square


_MEAN = torch.tensor(X, dtype=torch.float64, requires_grad=True)
with torch.no_grad():
    _BUFFER = _MEAN * 2


@pytest.mark.parametrize(
    ("kept", "known"),
    [
        (lambda x: x * 1.0, False),
        (lambda x: (x * x).sqrt()[:2], False),
        (lambda x: x, True),
        (lambda x: x.detach(), True),
        (lambda x: _BUFFER, True),
        (lambda x: _BUFFER + 1, True),
        (lambda x: torch.tensor(X, dtype=torch.float64), True),
        (lambda x: (x > 0).to(torch.float64), True),
    ],
)
def test_attributes_of_a_context_are_looked_at(kept: Any, known: bool) -> None:
    x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
    y = _with_attribute(kept).apply(x)
    root = y.grad_fn.root
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    assert y.grad_fn.root is root
    if known:
        torch.autograd.grad(g.sum(), x)
    else:
        with pytest.raises(RuntimeError, match=r"ctx\.root is neither an argument nor a result"):
            torch.autograd.grad(g.sum(), x)


def test_what_was_computed_before_forward_is_a_constant() -> None:
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x, _BUFFER)
            return x * x * _BUFFER

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            x, buffer = ctx.saved_tensors
            return 2 * x * buffer * g

    x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
    (g,) = torch.autograd.grad(Scaled.apply(x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(g.sum(), x)
    np.testing.assert_allclose(second.numpy(), 2 * _BUFFER.numpy())


@pytest.mark.parametrize("hold", [lambda y: [y, 1], lambda y: (y,), lambda y: {"y": y}])
def test_what_attributes_hold_is_looked_at(hold: Any) -> None:
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.held = hold(x * x)
            return x**3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            held = ctx.held
            return 3 * g * (held["y"] if isinstance(held, dict) else held[0])

    x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
    y = Cube.apply(x)
    held = y.grad_fn.held
    (g,) = torch.autograd.grad(y.sum() + (x * x).sum(), x, create_graph=True)
    assert y.grad_fn.held is held
    with pytest.raises(RuntimeError, match=r"a tensor in ctx\.held is neither"):
        torch.autograd.grad(g.sum(), x)
