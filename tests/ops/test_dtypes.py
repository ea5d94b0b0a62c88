"""Every primitive in every dtype: the array is of the dtype that is declared, and half is rounded.

Results and gradients in half precision are those of single precision on the same numbers, to a few
ulps of half: what stands between is computed in single, or loses no more than a rounding each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad
from numeric.interpret import interpret
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import Const
from symgrad.lower.program import lower
from symgrad.ops.gelu import gelu, gelu_slope
from symgrad.ops.primitive import Primitive
from tests.each import each, in_part
from tests.ops.test_laws import SAMPLES, make

pytestmark = pytest.mark.versions

HALF, SINGLE = np.float16, np.float32
KINDS = [np.float16, np.float32, np.float64, np.complex64, np.complex128]

#: How far off a result in half may be: by so many ulps, or by two for each instruction, of which
#: each rounds its operands and its result.
ULPS = 8


def converted(args: Any, kind: Any, count: int) -> tuple[Any, ...]:
    """The sample with its arrays of numbers in another dtype, which has what it can of them."""

    def as_kind(x: Any) -> Any:
        return np.asarray(x if np.dtype(kind).kind == "c" else x.real).astype(kind)

    return tuple(
        as_kind(x) if i < count and isinstance(x, np.ndarray) and x.dtype.kind in "fc" else x
        for i, x in enumerate(args)
    )


def outputs(name: str, kind: Any) -> list[tuple[Any, Any, int]] | None:
    """Return the value and the gradients, each with its dtype and how many instructions compute it.

    None where PyTorch refuses.
    """
    cls, args = SAMPLES[name]
    count = len(args) - len(cls.params)
    if np.dtype(kind).kind != "c" and any(isinstance(x, complex) for x in args):
        return None
    if not any(isinstance(x, np.ndarray) and x.dtype.kind in "fc" for x in args[:count]):
        return None
    try:
        s = make(cls, converted(args, kind, count))
        wanted = [s.node]
        if s.node.dtype.differentiable and cls.differentiable and not s.node.missing_derivative():
            one = Const(1, s.node.dtype)
            ct = one.broadcast_to(s.node.shape) if s.node.shape else one
            gradients = vjp([s.node], [ct], s.moving())
            wanted += [g for g in gradients if g is not None]
    except (NotImplementedError, RuntimeError, TypeError, ValueError):
        return None
    names = {x: x.name for x in s.values}  # type: ignore[attr-defined]
    found = []
    for node in wanted:
        if not isinstance(node, Primitive):  # a number, which has no array
            found.append((None, node.dtype, 0))
            continue
        program = lower([node], names)
        by_name = {names[x]: v for x, v in s.values.items()}
        with np.errstate(all="ignore"):
            [value] = interpret(program, [by_name[label] for _, label in program.inputs])
        found.append((np.asarray(value), node.dtype, len(program.instrs)))
    return found


@each("name", in_part([n for n in SAMPLES if "complex" not in n], every=4, group=lambda n: ""))
def test_arrays_are_of_the_declared_dtype(name: str) -> None:
    for kind in KINDS:
        for value, declared, _ in outputs(name, kind) or []:
            if value is None:
                continue
            assert value.dtype == declared.numpy, np.dtype(kind).name


@each("name", [n for n in SAMPLES if "complex" not in n])
def test_half_is_single_rounded(name: str) -> None:
    cls, args = SAMPLES[name]
    count = len(args) - len(cls.params)
    short = outputs(name, HALF)
    if short is None:
        return
    SAMPLES["_rounded"] = cls, converted(converted(args, HALF, count), SINGLE, count)
    try:
        long = outputs("_rounded", SINGLE)
    finally:
        del SAMPLES["_rounded"]
    assert long is not None and len(long) == len(short)
    for (got, kind, instructions), (exact, _, _) in zip(short, long, strict=True):
        if got is None or exact is None or got.dtype != HALF:
            continue
        with np.errstate(all="ignore"):
            # What stands for infinity is the largest number of a dtype.
            stands = np.abs(exact) == np.finfo(SINGLE).max
            exact = np.where(stands, np.copysign(np.finfo(HALF).max, exact), exact)
            rounded = exact.astype(HALF)
            largest = np.max(np.abs(rounded), initial=0, where=np.isfinite(rounded))
            unit = np.maximum(np.spacing(np.abs(rounded)), np.spacing(HALF(largest)) / 8)
        same = (got == rounded) | (np.isnan(got) & np.isnan(rounded))
        with np.errstate(all="ignore"):
            off = np.where(same, 0, np.abs(got.astype(float) - exact.astype(float)) / unit)
            off = np.nan_to_num(off, nan=np.inf)
        assert np.max(off, initial=0) <= max(ULPS, 2 * instructions), (got, rounded, kind)


def half(values: Any) -> Any:
    return symgrad.tensor(values, dtype=symgrad.float16, requires_grad=True)


def test_running_sums_of_half_do_not_stand_still() -> None:
    x = half(np.ones(5000))
    y = symgrad.logcumsumexp(x, 0)
    exact = 1 + np.log(np.arange(1, 5001))
    np.testing.assert_allclose(y.detach().numpy(), exact, rtol=1e-3)
    y.sum().backward()
    # The results that are read are rounded, half an ulp of 9 is 0.004, and so is what they make.
    share = np.cumsum((1 / np.arange(1, 5001))[::-1])[::-1]
    np.testing.assert_allclose(x.grad.numpy(), share, rtol=2e-2)


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu_of_half_at_large_numbers(approximate: str) -> None:
    x = half([300.0, -300.0, 60000.0, 0.5, -3.0])
    y = symgrad.nn.functional.gelu(x, approximate=approximate)
    assert y.detach().numpy().dtype == np.float16
    assert y.tolist()[:3] == [300.0, 0.0, 60000.0]
    y.sum().backward()
    assert x.grad.tolist()[:3] == [1.0, 0.0, 1.0]
    single = symgrad.tensor([0.5, -3.0], requires_grad=True)
    symgrad.nn.functional.gelu(single, approximate=approximate).sum().backward()
    np.testing.assert_allclose(x.grad.numpy()[3:], single.grad.numpy(), rtol=1e-3)


@pytest.mark.parametrize("cls", [gelu, gelu_slope])
def test_gelu_of_large_arrays_differs_in_the_last_digit_at_most(cls: Any) -> None:
    few, many = [kernels[symgrad.float32].call for kernels in (cls.kernels, cls.of_many)]
    near_zero = -0.7517915 + np.linspace(-1e-4, 1e-4, 4000)  # of the slope
    x = np.concatenate([np.linspace(-15, 15, 20_000), near_zero]).astype(np.float32)
    exact = few(x)
    for laid in (x.reshape(8, -1), x.reshape(-1, 8).T.copy().T, x[::-1]):
        found = many(laid)
        wanted = exact[::-1] if laid.ndim == 1 else exact.reshape(laid.shape)
        assert (abs(found - wanted) <= np.spacing(abs(wanted))).all()


def test_a_confident_class_of_half_has_a_gradient() -> None:
    x = half([0.0, 8.0, -1.0])
    x.log_softmax(0)[1].backward()
    p = np.exp([0.0, 8.0, -1.0]) / np.sum(np.exp([0.0, 8.0, -1.0]))
    np.testing.assert_allclose(x.grad.numpy(), [-p[0], p[0] + p[2], -p[2]], rtol=2e-3)
