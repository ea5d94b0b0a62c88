"""Random programs that share, exchange, reshape and write memory do what they did on PyTorch."""

from __future__ import annotations

import json
import warnings
from zlib import crc32

import pytest

import symgrad
from tests.autograd.memory_programs import KINDS, run
from tests.autograd.support import each
from tests.data.record_memory import PATH, PROGRAMS, checksums

RECORDED: dict[str, list[str]] = json.loads(PATH.read_text())
_BLOCK = 20


@each("start", range(0, PROGRAMS, _BLOCK))
def test_programs_do_what_they_did_on_pytorch(start: int) -> None:
    for seed in range(start, start + _BLOCK):
        for seen, expected in zip(run(symgrad, seed), RECORDED[str(seed)], strict=True):
            assert f"{crc32(seen.encode()):08x}" == expected, (
                f"program {seed} does not show\n{seen}"
            )


def test_programs_take_every_step_and_most_are_done() -> None:
    outcomes: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    for seed in range(100):
        for seen in run(symgrad, seed):
            kind, _, said = seen.splitlines()[0].partition(" ")
            outcomes[kind].append("Error" not in said)
    assert all(sum(done) > 5 for done in outcomes.values()), outcomes
    assert sum(map(sum, outcomes.values())) > 0.7 * sum(map(len, outcomes.values()))


@pytest.mark.oracle
@pytest.mark.parametrize("start", range(PROGRAMS, PROGRAMS + 2000, 200))
def test_live(start: int) -> None:
    torch = pytest.importorskip("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for seed in range(start, start + 200):
            assert run(symgrad, seed) == run(torch, seed), f"program {seed}"


@pytest.mark.oracle
def test_recording_is_current() -> None:
    torch = pytest.importorskip("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for seed in range(0, PROGRAMS, 10):
            assert checksums(torch, seed) == RECORDED[str(seed)]


# ------------------------------------------------------------------ after an exchange


@each("exchange", ["set_", "set_ of a part", "data"])
@each("shape", [(3,), (4,), (7,), (2, 2)])
def test_a_view_that_shows_other_memory_may_become_a_leaf(
    exchange: str, shape: tuple[int, ...]
) -> None:
    base = symgrad.arange(6.0)
    view, sibling = base[2:], base[1:]
    other = symgrad.ones(shape)
    if exchange == "data":
        view.data = other
    elif exchange == "set_":
        view.set_(other)
    else:
        view.set_(other, 0, shape)
    view.requires_grad_()
    (view * 3).sum().backward()
    assert view.grad.tolist() == (symgrad.ones(shape) * 3).tolist()
    assert not base.requires_grad and not sibling.requires_grad
    base.requires_grad_()
    (sibling * 2).sum().backward()
    assert base.grad.tolist() == [0.0, 2.0, 2.0, 2.0, 2.0, 2.0]
    with symgrad.no_grad():
        base.add_(1)
        view.add_(5)
    assert other.flatten().tolist() == [6.0] * other.numel()
    assert base.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert sibling.tolist() == [2.0, 3.0, 4.0, 5.0, 6.0]


@pytest.mark.parametrize("exchange", ["set_", "data"])
def test_views_of_what_shows_other_memory_keep_their_history(exchange: str) -> None:
    a = symgrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    x = a * a
    view = x[1:]
    if exchange == "data":
        x.data = symgrad.zeros(3)
    else:
        x.set_(symgrad.zeros(3))
    with symgrad.no_grad():
        x.add_(7)
    assert view.tolist() == [4.0, 9.0]
    view.mul_(2)
    (gradient,) = symgrad.autograd.grad(view.sum(), a)
    assert gradient.tolist() == [0.0, 8.0, 12.0]
    assert x.tolist() == [7.0, 7.0, 7.0]


def test_a_result_that_is_given_data_of_another_shape_has_no_gradient_without_a_word() -> None:
    x = symgrad.arange(4.0).requires_grad_()
    for other in (symgrad.ones(3), symgrad.ones(4, dtype=symgrad.float64)):
        y = x.sin()
        y.data = other
        assert y.requires_grad and y.grad_fn.name() == "SinBackward0"
        assert y.tolist() == other.tolist()
        with pytest.raises(RuntimeError, match=r"by \.data = .*invalid gradient"):
            (y * y).sum().backward()
        detached = y.detach().requires_grad_()
        (detached * detached).sum().backward()
        assert detached.grad.tolist() == (2 * other).tolist()
    y = x.sin()
    y.data = symgrad.ones(4)
    y.sum().backward()
    assert x.grad.tolist() == x.detach().cos().tolist()
