"""Every operation through `gradcheck`, which itself is held to finding what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad as torch
from symgrad.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from symgrad.expr.atoms import Const
from tests.autograd.support import each
from tests.each import in_part
from tests.kinds import apply
from tests.ops.test_laws import SAMPLES, differentiable, make, with_slow


def call(name: str) -> tuple[Any, tuple[Any, ...]]:
    """An operation as a function of tensors, and a point where it is smooth."""
    sample = make(*SAMPLES[name])
    values = sample.generic()
    moving = sample.moving()

    def f(*given: Any) -> Any:
        tensors = dict(zip(moving, given, strict=True))
        operands = [
            tensors[x] if x in tensors
            else x.number if isinstance(x, Const)
            else torch.from_numpy(np.array(values[x]))
            for x in sample.operands
        ]  # fmt: skip
        return apply(sample.cls, operands, sample.params)

    inputs = [double(np.array(values[x])) for x in moving]
    return f, tuple(torch.tensor(v, requires_grad=True) for v in inputs)


def double(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return value.astype(np.complex128 if value.dtype.kind == "c" else np.float64)


def exact(name: str) -> bool:
    """Whether differences tell the derivative: a cast to single precision rounds them away."""
    cls, given = SAMPLES[name]
    doubled = [double(x) if getattr(x, "dtype", None) in (float, complex) else x for x in given]
    return make(cls, doubled).node.dtype in (torch.float64, torch.complex128)


EXACT = [name for name, given in SAMPLES.items() if differentiable(*given) and exact(name)]
# That the rules are right is a law over all samples (`test_laws`).
over_all = each("name", in_part(with_slow(EXACT), every=8, group=lambda name: ""))
over_some = each("name", in_part(with_slow(EXACT), every=36, group=lambda name: ""))
FIRST = {SAMPLES[name][0]: name for name in reversed(EXACT)}.values()


def test_almost_all_can_be_checked() -> None:
    differing = {name for name, given in SAMPLES.items() if differentiable(*given)} - {*EXACT}
    assert {name.partition("-")[0].removeprefix("late_") for name in differing} == {"cast"}
    assert len(EXACT) > 500


@over_all
def test_every_operation(name: str) -> None:
    f, inputs = call(name)
    assert gradcheck(f, inputs, fast_mode=True, check_forward_ad=True, check_batched_grad=True)


@over_some
def test_every_operation_twice(name: str) -> None:
    f, inputs = call(name)
    assert gradgradcheck(f, inputs, fast_mode=True, check_fwd_over_rev=True)


@each("name", list(FIRST))
def test_a_gradient_that_is_off_is_found(name: str) -> None:
    f, inputs = call(name)

    def off(*given: Any) -> Any:
        y = f(*given)
        y.register_hook(lambda g: None if g is None else 1.5 * g)
        return y

    y = f(*inputs)
    ct = torch.arange(1.0, 1.0 + y.numel()).reshape(y.shape).to(y.dtype)
    found = torch.autograd.grad(y, inputs, ct, allow_unused=True)
    flat = all(g is None or not g.abs().sum() for g in found)
    assert gradcheck(off, inputs, fast_mode=True, raise_exception=False) is flat


# ---------------------------------------------------------------- what PyTorch cannot be asked


class Off(torch.autograd.Function):
    """A sine whose forward derivative is off by a factor, and wrong where no tangent is given."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return x.sin()

    @staticmethod
    def backward(ctx: Any, ct: Any) -> Any:
        (x,) = ctx.saved_tensors
        return ct * x.cos()

    @staticmethod
    def jvp(ctx: Any, tangent: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 1.01 * tangent * x.cos()


def point(*values: float) -> Any:
    return torch.tensor(list(values), dtype=torch.float64, requires_grad=True)


@pytest.mark.parametrize("fast_mode", [False, True])
def test_a_tangent_that_is_off_is_found(fast_mode: bool) -> None:
    x = point(0.5, 1.0)
    assert gradcheck(Off.apply, x, fast_mode=fast_mode)
    with pytest.raises(GradcheckError, match="computed with forward mode mismatch"):
        gradcheck(Off.apply, x, fast_mode=fast_mode, check_forward_ad=True)


def test_batched_gradients_that_differ_are_found() -> None:
    # Hooks are called for one cotangent at a time, so that a count tells them apart.
    count = []

    def f(x: Any) -> Any:
        y = x.sin()
        y.register_hook(lambda g: g * (1 + 1e-3 * len(count)) if not count.append(0) else g)
        return y

    with pytest.raises(GradcheckError, match="For output 0 and input 0"):
        gradcheck(
            f, point(0.5), check_batched_grad=True, nondet_tol=np.inf, rtol=1, atol=1,
            check_undefined_grad=False,
        )  # fmt: skip


def test_the_users_random_numbers_are_left_alone() -> None:
    torch.manual_seed(0)
    expected = torch.rand(1)
    torch.manual_seed(0)
    for fast_mode in (False, True):
        gradcheck(
            lambda x: x.sin(), point(0.5), fast_mode=fast_mode, check_forward_ad=True,
            check_batched_grad=True, check_batched_forward_grad=True,
        )  # fmt: skip
    assert torch.equal(torch.rand(1), expected)


def test_inputs_in_any_layout() -> None:
    whole = torch.arange(24.0, dtype=torch.float64).reshape(2, 3, 4).requires_grad_()
    for x in (whole.detach()[:, ::2, 1:].requires_grad_(), whole.transpose(0, 2), whole[1]):
        for fast_mode in (False, True):
            assert gradcheck(lambda x: (x * x).sin(), x, fast_mode=fast_mode)
