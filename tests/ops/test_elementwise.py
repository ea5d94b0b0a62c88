"""What elementwise operations refuse; `test_laws` holds their values and derivatives."""

from __future__ import annotations

import pytest

import symgrad


@pytest.mark.parametrize(
    ("write", "error", "message"),
    [
        (lambda t: t.tensor([True]).relu(), RuntimeError, "Boolean inputs not supported for relu"),
        (lambda t: t.tensor([1, 2]) ** -1, RuntimeError, "Integers to negative integer powers"),
        (lambda t: t.tensor([1, 2]) // 0, RuntimeError, "ZeroDivisionError"),
        (lambda t: ~t.tensor([1.0]), TypeError, "only implemented on integer and Boolean"),
        (lambda t: t.tensor([1j]).sign(), NotImplementedError, "torch.sgn"),
        (lambda t: t.exp("a"), TypeError, r"exp\(\): argument 'input' .* must be Tensor, not str"),
        (lambda t: t.clamp(t.tensor([1.0])), RuntimeError, "At least one of 'min' or 'max'"),
    ],
)
def test_refusals_are_pytorchs(write, error, message):
    with pytest.raises(error, match=message):
        write(symgrad)


@pytest.mark.parametrize("dtype", [symgrad.float16, symgrad.float32, symgrad.float64])
@pytest.mark.parametrize("slope", [0.0, 1e-300, 1e-45, 1e-8, 0.01, 1.0, 2.0])
def test_leaky_relu_leaves_infinity_as_it_is(dtype, slope):
    x = symgrad.tensor([float("inf"), 3.0], dtype=dtype)
    assert symgrad.nn.functional.leaky_relu(x, slope).tolist() == x.tolist()
