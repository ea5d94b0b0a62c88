"""What may be changed in place after it was used, and views that are written into."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from tests.autograd.support import each, tensor

pytestmark = pytest.mark.tiny


def _gradient(f: Callable[[Any], Any], *values: float) -> Any:
    x = tensor(list(values))
    f(x).sum().backward()
    return x.grad.numpy()


def _doubled(z: Any) -> Any:
    return z.mul_(2)


@pytest.mark.parametrize(
    ("f", "wanted"),
    [
        (lambda x: _doubled(x / x.square()), lambda x: -2 / x**2),
        (lambda x: _doubled(1 / x), lambda x: -2 / x**2),
        (lambda x: _doubled(x.clone().div_(x.square())), lambda x: -2 / x**2),
        (lambda x: _doubled(x.clone().mul_(x)), lambda x: 4 * x),
        (lambda x: x.clone().mul_(x).mul_(x).div_(x), lambda x: 2 * x),
    ],
)
def test_a_result_whose_derivative_reads_the_operands_may_be_changed(f: Any, wanted: Any) -> None:
    np.testing.assert_allclose(_gradient(f, 0.5, -3.0), wanted(np.array([0.5, -3.0])), rtol=1e-14)


def test_an_operand_that_a_quotient_keeps_may_not_be_changed() -> None:
    x = tensor([0.5, 2.0])
    y = x.clone()
    z = y / x
    y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_the_message_names_the_function_less_the_word_backward() -> None:
    x = tensor([0.5, 2.0])
    z = x**x
    z.mul_(2)
    with pytest.raises(RuntimeError, match=r"output 0 of Pow1, is at version 1; expected"):
        z.sum().backward()


@pytest.mark.parametrize(
    ("dtype", "title"),
    [
        (symgrad.float16, "torch.HalfTensor"),
        (symgrad.float64, "torch.DoubleTensor"),
        (symgrad.int64, "torch.LongTensor"),
        (symgrad.uint8, "torch.ByteTensor"),
        (symgrad.bool, "CPUBoolType"),
        (symgrad.complex64, "CPUComplexFloatType"),
    ],
)
def test_the_message_names_the_type_as_pytorch_does(dtype: Any, title: str) -> None:
    x = symgrad.tensor([0.5, 2.0], requires_grad=True)
    kept = symgrad.ones(2).to(dtype)
    y = x * kept
    kept.logical_not_()
    with pytest.raises(RuntimeError) as caught:
        y.sum().abs().backward()
    assert f"[{title} [2]] is at version 1" in str(caught.value)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "logcumsumexp", "cummax", "cummin"])
def test_a_running_result_of_a_scalar_is_no_view(name: str) -> None:
    x = symgrad.tensor(3.0)
    y = getattr(x, name)(0)
    getattr(y, "values", y).add_(1)
    assert x.item() == 3.0


@pytest.mark.parametrize("name", ["conj", "conj_physical"])
def test_the_conjugate_of_a_real_tensor_is_the_tensor(name: str) -> None:
    x = symgrad.ones(2)
    assert getattr(x, name)() is x
    assert getattr(symgrad, name)(x) is x
    assert np.conj(x) is x
    z = symgrad.tensor([1 + 2j])
    assert getattr(z, name)().tolist() == [1 - 2j]


def test_a_diagonal_is_written_into() -> None:
    x = symgrad.arange(9.0).reshape(3, 3).requires_grad_()
    w = tensor([1.0, 2.0]).float().detach().requires_grad_()
    y = x * 1
    d = y.diagonal(1)
    d.mul_(w)
    (y * y).sum().backward()
    assert x.grad.tolist() == [[0.0, 2.0, 4.0], [6.0, 8.0, 40.0], [12.0, 14.0, 16.0]]
    assert w.grad.tolist() == [2.0, 100.0]
    assert d.tolist() == [1.0, 10.0]


def test_an_expanded_tensor_that_repeats_nothing_is_written_into() -> None:
    x = symgrad.arange(4.0).reshape(2, 2).requires_grad_()
    y = x * 1
    y.expand(1, 2, 2)[0, 0].mul_(3)
    y.sum().backward()
    assert y.tolist() == [[0.0, 3.0], [2.0, 3.0]]
    assert x.grad.tolist() == [[3.0, 3.0], [1.0, 1.0]]


def test_a_write_into_the_real_part_is_differentiated() -> None:
    z = symgrad.tensor([1 + 2j, 3], requires_grad=True)
    w = symgrad.tensor([5.0, 7.0], requires_grad=True)
    y = z * 1
    y.real.mul_(w)
    assert y.tolist() == [5 + 2j, 21]
    y.backward(symgrad.tensor([1 + 1j, 2 - 3j]))
    assert z.grad.tolist() == [5 + 1j, 14 - 3j]
    assert w.grad.tolist() == [1.0, 6.0]


def test_indexed_results_are_contiguous() -> None:
    x = symgrad.arange(12.0).reshape(2, 3, 2)
    assert x[:, [0, 2, 1]].is_contiguous()
    assert x[..., [0, 1, 0]].view(-1).tolist()[:6] == [0, 1, 0, 2, 3, 2]


@pytest.mark.parametrize(
    "f",
    [
        lambda x, n: x * n,
        lambda x, n: n - x,
        lambda x, n: x**n,
        lambda x, n: n**x,
        lambda x, n: x > n,
        lambda x, n: symgrad.add(x, n),
        lambda x, n: x.fill_(n),
    ],
)
def test_an_integer_has_to_fit_a_word(f: Any) -> None:
    x = symgrad.ones(2)
    f(x, 2**64 - 1)
    f(x, -(2**63))
    with pytest.raises(OverflowError, match=r"^int too big to convert$"):
        f(x, 2**64)
    with pytest.raises(OverflowError, match=r"^can't convert negative int to unsigned$"):
        f(x, -(2**63) - 1)


_OVERLAP = "some elements of the input tensor and the written-to tensor refer to a single memory"


@pytest.mark.parametrize(
    "f",
    [
        lambda a: a[1:].copy_(a[:-1]),
        lambda a: a[0:4].copy_(a[1]),
        lambda a: a.view(2, 3).t().copy_(a.view(3, 2)),
        lambda a: a[1:].add_(a[:-1]),
        lambda a: a[1:].__imul__(a[:-1]),
        lambda a: a.add_(a[2]),
        lambda a: a.__setitem__(slice(1, None), a[:-1]),
    ],
)
def test_a_write_over_a_part_of_what_is_read_is_refused(f: Any) -> None:
    a = symgrad.arange(6.0)
    with pytest.raises(RuntimeError, match=_OVERLAP):
        f(a)
    assert a.tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("f", "wanted"),
    [
        (lambda a: a[:3].copy_(a[3:]), [3, 4, 5, 3, 4, 5]),
        (lambda a: a.copy_(a.view(6)), [0, 1, 2, 3, 4, 5]),
        (lambda a: a.add_(a), [0, 2, 4, 6, 8, 10]),
        (lambda a: a[::2].copy_(a[1::2]), [1, 1, 3, 3, 5, 5]),
    ],
)
def test_a_write_over_all_or_nothing_of_what_is_read(f: Any, wanted: list[int]) -> None:
    a = symgrad.arange(6.0)
    f(a)
    assert a.tolist() == wanted


def test_a_chain_of_changes_of_an_empty_tensor_is_differentiated() -> None:
    x = symgrad.zeros(0, requires_grad=True)
    y = x * 1.0
    y += x
    y *= x
    y /= x * x + 1
    y.sum().backward()
    assert x.grad.shape == (0,)


VIEWS: list[Callable[[Any], Any]] = [
    lambda x: x.view(-1),
    lambda x: x.view(2, -1),
    lambda x: x.view(-1, 2),
    lambda x: x.unsqueeze(0),
    lambda x: x.squeeze(),
    lambda x: x.t() if x.ndim == 2 else x.view(x.shape),
    lambda x: x.movedim(0, -1),
    lambda x: x[:],
    lambda x: x[...],
    lambda x: x[: max(2, len(x) - 1)],
    lambda x: x[len(x) % 2 :],
    lambda x: x.expand(*x.shape),
]


@each("seed", range(40))
def test_a_write_through_a_long_chain_of_views_is_one_into_what_it_shows(seed: int) -> None:
    """However the chain is joined, with other views of its middle about."""
    draw = random.Random(seed)
    w = symgrad.tensor(2.0, requires_grad=True)
    base = symgrad.arange(24.0) * w
    view, looked_at = base, [base]
    for _ in range(draw.randrange(1, 24)):
        step = draw.choice(VIEWS)
        try:
            view = step(view)
        except RuntimeError:  # sizes or strides that do not fit
            continue
        looked_at.append(view)
    places = (view.detach() / 2).numpy().astype(int)
    other = draw.choice(looked_at)
    view.mul_(w)
    factors = np.ones(24)
    factors[places.reshape(-1)] = 2
    slopes = np.where(factors == 2, 4, 1)  # of w w, and of w, at w = 2
    np.testing.assert_array_equal(base.detach().numpy(), np.arange(24) * 2 * factors)
    (g,) = symgrad.autograd.grad(base.sum(), w, retain_graph=True)
    assert g.item() == (np.arange(24) * slopes).sum()
    (g,) = symgrad.autograd.grad(view.sum(), w, retain_graph=True)
    assert g.item() == (places * 4).sum()
    (g,) = symgrad.autograd.grad(other.sum(), w)
    seen = np.lib.stride_tricks.as_strided(
        np.arange(24)[other.storage_offset() :], other.shape, [8 * s for s in other.stride()]
    )
    assert g.item() == (seen * slopes[seen]).sum()


_KEYS: dict[str, Any] = {
    "one": 0,
    "part": slice(0, 2),
    "all": ...,
    "mask": [True, False, True],
    "element": (2,),
}


@each("dtype", ["int64", "uint8", "bool"])
@each("key", list(_KEYS))
@each("grad", [True, False])
def test_what_is_written_into_integers_has_no_history(dtype: str, key: str, grad: bool) -> None:
    v = symgrad.tensor(1.5, requires_grad=True) * 2
    x = symgrad.tensor([1, 0, 1], dtype=getattr(symgrad, dtype))
    want = x.numpy().copy()
    want[_KEYS[key]] = 3
    at = symgrad.tensor(_KEYS[key]) if key == "mask" else _KEYS[key]
    with symgrad.set_grad_enabled(grad):
        x[at] = v
    assert not x.requires_grad and x.is_leaf and x._version == 1
    np.testing.assert_array_equal(x.numpy(), want)
