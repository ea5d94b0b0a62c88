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
