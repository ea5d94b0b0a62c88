"""What type checkers know of a user's program: the type that they infer is that of the value.

mypy checks each `holds` as `assert_type`; the tests compare the same types with the values.
"""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

import numpy as np

import symgrad as torch
import symgrad.nn.functional as F
from symgrad import Tensor, nn
from symgrad.expr.atoms import Leaf
from symgrad.expr.node import ArrayExpr
from symgrad.expr.size import Size
from symgrad.support.hooks import RemovableHandle

if TYPE_CHECKING:
    from typing import assert_type as holds
else:

    def holds(value: Any, kind: Any) -> None:
        """Fail unless `value` is of a type as it is written in a program."""
        assert _is_of(value, kind), f"{value!r} is no {kind}"


def _is_of(value: Any, kind: Any) -> bool:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return any(_is_of(value, one) for one in get_args(kind))
    if origin in (tuple, list):
        if not isinstance(value, origin):
            return False
        elements = get_args(kind)
        if origin is list or ... in elements:
            return all(_is_of(x, elements[0]) for x in value)
        return len(value) == len(elements) and all(map(_is_of, value, elements))
    if origin is dict:
        return isinstance(value, dict) and all(_is_of(x, get_args(kind)[1]) for x in value.values())
    return value is None if kind in (None, type(None)) else isinstance(value, origin or kind)


def _leaf() -> Tensor:
    return torch.tensor([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]], requires_grad=True)


def test_attributes_and_numbers() -> None:
    x = _leaf()
    holds(x, Tensor)
    holds(x.shape, Size)
    holds(x.shape[0], int)
    holds(x.size(), Size)
    holds(x.size(0), int)
    holds(x.numel(), int)
    holds(x.dim(), int)
    holds(x.ndim, int)
    holds(len(x), int)
    holds(x.stride(), tuple[int, ...])
    holds(x.stride(0), int)
    holds(x.type(), str)
    holds(x.type(torch.float64), Tensor)
    holds(x.dtype, torch.dtype)
    holds(x.device, torch.device)
    holds(x.requires_grad, bool)
    holds(x.is_leaf, bool)
    holds(x.sum().item(), bool | int | float)
    holds(float(x.detach().sum()), float)
    holds(int(x.detach().sum()), int)
    holds(bool(x.sum() > 0), bool)
    holds(x.T, Tensor)
    holds(x.mT, Tensor)
    holds(x.data, Tensor)
    holds(x.detach().numpy(), np.ndarray[Any, Any])
    holds(x.expr, ArrayExpr)


def test_operators() -> None:
    x = _leaf()
    for result in (x + 1, 1 + x, x - x, 2 * x, x / 2, 2 / x, x**2, -x, abs(x), x @ x.T):
        holds(result, Tensor)
    holds(x // 2, Tensor)
    holds(x % 2, Tensor)
    for comparison in (x == 1, x != x, x < 1, x <= x, x > 0, x >= 2):
        holds(comparison, Tensor)
    holds(x == 1, Tensor)
    holds(x != x, Tensor)
    holds(~(x > 0) & (x < 1) | (x == 2) ^ (x != 3), Tensor)
    y = x * 2
    y += 1
    y -= x
    y *= 2
    y /= 3
    holds(y, Tensor)


def test_elements() -> None:
    x = _leaf()
    holds(x[0], Tensor)
    holds(x[0, 1:], Tensor)
    holds(x[x > 0], Tensor)
    holds(x[:, [0, 2]], Tensor)
    for row in x:
        holds(row, Tensor)
    holds([row for row in x], list[Tensor])  # noqa: C416 - what iteration gives
    first, second = x
    holds(first, Tensor)
    holds(second, Tensor)
    holds(x.split(1), tuple[Tensor, ...])
    holds(x.unbind(), tuple[Tensor, ...])


def test_results_with_names() -> None:
    x = _leaf()
    holds(x.max(0).values, Tensor)
    holds(x.max(0).indices, Tensor)
    holds(torch.max(x, 1).values, Tensor)
    holds(x.max(), Tensor)
    values, indices = torch.sort(x)
    holds(values, Tensor)
    holds(indices, Tensor)
    holds(x.topk(2).values, Tensor)


def test_functions() -> None:
    x = _leaf()
    holds(torch.sin(x), Tensor)
    holds(torch.where(x > 0, x, 0.0), Tensor)
    holds(torch.stack([x, x]), Tensor)
    holds(torch.einsum("ij,kj->ik", x, x), Tensor)
    holds(torch.from_numpy(np.ones(2)), Tensor)
    holds(F.relu(x), Tensor)
    holds(F.cross_entropy(x, torch.tensor([0, 1])), Tensor)
    holds(torch.linalg.norm(x), Tensor)
    holds(torch.allclose(x, x), bool)
    holds(torch.equal(x, x), bool)
    holds(torch.vmap(torch.sin)(x), Tensor)
    holds(torch.is_grad_enabled(), bool)


def test_spellings_of_numpy() -> None:
    x = _leaf()
    holds(x.sum(axis=1, keepdims=True), Tensor)
    holds(torch.mean(x, axis=0), Tensor)
    holds(torch.cat([x, x], axis=1), Tensor)
    holds(x.max(axis=0).values, Tensor)
    holds(x.argmax(keepdims=True), Tensor)
    holds(torch.linalg.norm(x, axis=1), Tensor)


def test_parameters() -> None:
    w = nn.Parameter(torch.zeros(2))
    holds(w, nn.Parameter)
    holds(w.data, Tensor)
    holds(w * 2, Tensor)
    holds(nn.Parameter(torch.zeros(2), requires_grad=False).requires_grad, bool)


def test_formulas() -> None:
    x, v = torch.leaf("x"), torch.leaf("v", (3,))
    holds(x, Leaf)
    holds(x.name, str)
    for e in (x + 1, 1 + x, 2 * x, 1.5 / x, x - x, 2**x, x**2, -x, abs(x), v @ v, x * 1j, v * x):
        holds(e, ArrayExpr)
    holds(x.sin(), ArrayExpr)
    holds(torch.sin(x), ArrayExpr)
    holds(v.sum(0, keepdim=True), ArrayExpr)
    holds(v.max(0).values, ArrayExpr)
    holds(v[0], ArrayExpr)
    holds([row for row in v], list[ArrayExpr])  # noqa: C416 - what iteration gives
    holds(torch.outer(v, v).T, ArrayExpr)
    holds(x > 0, ArrayExpr)
    holds(v.shape, tuple[int, ...])
    holds(v.dtype, torch.dtype)
    holds(v.leaves, tuple[Leaf, ...])
    holds(v.free_symbols, set[Leaf])
    holds(x.evaluate({"x": 1.0}), np.ndarray[Any, Any])
    holds(x.lambdify()(1.0), np.ndarray[Any, Any])
    holds(x.source(), str)
    holds(x.latex(), str)
    holds(x.subs({x: 1}), ArrayExpr)
    holds(x.xreplace({x: x + 1}), ArrayExpr)
    holds(x.simplify(), ArrayExpr)
    holds(x.has(x), bool)
    holds(torch.derive(x * x, x), ArrayExpr)
    holds(torch.derive(x * x, "x", 2), ArrayExpr)
    t = _leaf()
    holds(torch.derive(t.exp(), t), ArrayExpr)
    holds(torch.derive(x * x, [x, x]), list[ArrayExpr])
    holds(torch.symbolic_trace(_typed), ArrayExpr)
    holds(torch.explain(x * x).gradients["x"], ArrayExpr)
    holds(torch.explain(x * x).source(), str)
    made: ArrayExpr = torch.from_sympy(torch.to_sympy(x.sin()))  # a tensor for tensors
    holds(made, ArrayExpr)


def _typed(x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
    return (x * y).sin()


def test_gradients() -> None:
    x = _leaf()
    holds(torch.autograd.grad((x * x).sum(), x), tuple[Tensor, ...])
    (g,) = torch.autograd.grad([(x * x).sum()], [x], create_graph=True)
    holds(g, Tensor)
    holds(torch.autograd.grad((x * x).sum(), {"x": x}), dict[str, Tensor])
    holds(x.grad, Tensor | None)
    (x * x).sum().backward()
    assert x.grad is not None
    holds(x.grad, Tensor)
    holds(x.grad.zero_(), Tensor)
    functional = torch.autograd.functional

    def rows(x: Tensor) -> Tensor:
        return x.sin()

    def scalar(x: Tensor) -> Tensor:
        return (x * x).sum()

    def two(x: Tensor) -> tuple[Tensor, Tensor]:
        return x.sin(), x.cos()

    holds(functional.jacobian(rows, x), Tensor)
    holds(functional.hessian(scalar, x), Tensor)
    holds(functional.vjp(rows, x, x), tuple[Tensor, Tensor])
    holds(functional.jvp(rows, x, x), tuple[Tensor, Tensor])
    holds(functional.vjp(two, x, (x, x)), tuple[tuple[Tensor, Tensor], Tensor])
    holds(functional.hvp(scalar, x, x), tuple[Tensor, Tensor])
    holds(functional.vhp(scalar, (x,), (x,))[1], tuple[Tensor])
    holds(torch.autograd.gradcheck(torch.sin, (x.detach().double().requires_grad_(),)), bool)


def test_hooks() -> None:
    x = _leaf()
    handle = x.register_hook(lambda g: g * 2)
    holds(handle, RemovableHandle)
    handle.remove()
    with x.register_hook(lambda g: None) as kept:
        holds(kept, RemovableHandle)
    y = x * 2
    y.retain_grad()
    node = y.grad_fn
    assert node is not None
    holds(node.name(), str)


@torch.no_grad()
def _scaled(x: Tensor, factor: float) -> Tensor:
    return x * factor


@torch.no_grad
def _doubled(x: Tensor) -> Tensor:
    return x * 2


@torch.inference_mode()
def _inferred(x: Tensor) -> Tensor:
    return x * 2


@torch.enable_grad()
def _recorded(x: Tensor) -> Tensor:
    return x * 2


def test_grad_modes() -> None:
    x = _leaf()
    with torch.no_grad():
        holds(x * 2, Tensor)
    with torch.enable_grad(), torch.set_grad_enabled(False), torch.inference_mode():
        holds(x * 2, Tensor)
    holds(_scaled(x, 1.0), Tensor)
    holds(_scaled(x, factor=2.0).requires_grad, bool)
    doubled: Tensor = _doubled(x)  # mypy does not know a function made by `__new__`
    holds(doubled, Tensor)
    holds(_inferred(x), Tensor)
    holds(_recorded(x), Tensor)


class _Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, ct: Tensor) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * ct


def test_custom_functions() -> None:
    y: Tensor = _Square.apply(_leaf())
    holds(y, Tensor)
