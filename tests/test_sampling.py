"""Draws from further distributions are PyTorch's bit for bit, in the order of memory."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symgrad
import symgrad.random as sr
from symgrad.random import engine, sampling

FILLS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "uniform": ("uniform_", (-1.5, 2.0)),
    "normal": ("normal_", (0.5, 3.0)),
    "bernoulli": ("bernoulli_", (0.3,)),
    "exponential": ("exponential_", (2.5,)),
    "cauchy": ("cauchy_", (1.5, 0.3)),
    "log_normal": ("log_normal_", (-0.7, 1.1)),
    "geometric": ("geometric_", (0.01,)),
    "random": ("random_", ()),
    "random from": ("random_", (100, None)),
}
REAL = ["float16", "float32", "float64"]
WHOLE = ["uint8", "int8", "int16", "int32", "int64"]
CASES = [(fill, dtype) for fill in FILLS for dtype in REAL]
CASES += [
    (fill, dtype) for fill in ("bernoulli", "geometric", "random", "random from") for dtype in WHOLE
]


def _filled(library: Any, fill: str, dtype: str, shape: tuple[int, ...], axes: list[int]) -> Any:
    name, args = FILLS[fill]
    x = library.zeros(shape, dtype=getattr(library, dtype)).permute(*axes)
    return getattr(x, name)(*args)


@pytest.mark.oracle
@pytest.mark.parametrize(("fill", "dtype"), CASES)
def test_live(fill: str, dtype: str) -> None:
    torch = pytest.importorskip("torch")
    r = random.Random(f"{fill} {dtype}")
    for shape in [(5,), (16,), (5000,), (7, 300), (3, 4, 5), (2, 1, 9)]:
        axes = r.sample(range(len(shape)), len(shape))
        seed = r.getrandbits(64)
        torch.manual_seed(seed)
        symgrad.manual_seed(seed)
        expected = _filled(torch, fill, dtype, shape, axes).numpy()
        actual = _filled(symgrad, fill, dtype, shape, axes).numpy()
        assert actual.tobytes() == expected.tobytes()
        np.testing.assert_array_equal(
            symgrad.get_rng_state().numpy(), torch.get_rng_state().numpy()
        )


def _next_words(generator: sr.Generator, words: list[int]) -> sr.Generator:
    """Let a generator give these words next."""
    generator.uniform((2,))
    state = generator.get_state().view()
    record = state.view(engine._STATE)[0]
    for i, word in enumerate(words):
        record["words"][int(record["next"]) + i] = _untempered(word)
    return generator.set_state(state)


def _untempered(word: int) -> int:
    """Return the word of the state that the Mersenne Twister makes `word` of."""
    word ^= word >> 18
    word ^= (word << 15) & 0xEFC60000
    low = word
    for _ in range(4):
        low = word ^ ((low << 7) & 0x9D2C5680)
    word = low & 0xFFFFFFFF
    high = word
    for _ in range(2):
        high = word ^ (high >> 11)
    return high


ENDS = {
    "least": ([0, 0], 0.0, math.inf, math.tan(-math.pi / 2)),
    "next": ([0, 1], 2.0**-53, 53.0, math.tan(math.pi * (2.0**-53 - 0.5))),
    "greatest": ([2**32 - 1] * 2, 53 * math.log(2), 1.0, math.tan(math.pi * (0.5 - 2.0**-53))),
}


@pytest.mark.parametrize("end", ENDS)
def test_ends_of_the_stream(end: str) -> None:
    words, exponential, geometric, cauchy = ENDS[end]
    kind = np.float64
    g = _next_words(sr.Generator(0), words)
    assert sampling.exponential(g, (1,), kind)[0] == pytest.approx(exponential, rel=1e-15)
    g = _next_words(sr.Generator(0), words)
    assert sampling.geometric(g, (1,), kind, 0.5)[0] == geometric
    g = _next_words(sr.Generator(0), words)
    assert sampling.cauchy(g, (1,), kind)[0] == pytest.approx(cauchy, rel=1e-15)


def test_words_are_those_that_were_asked_for() -> None:
    g = _next_words(sr.Generator(0), [0, 3, 2**32 - 1])
    assert g.integers_above(0, 2**32, (3,), bits=32).tolist() == [0, 3, 2**32 - 1]


@pytest.mark.parametrize(
    ("draw", "mean", "spread"),
    [
        (lambda g, n: sampling.exponential(g, (n,), np.float64, 4.0), 0.25, 0.25),
        (lambda g, n: sampling.geometric(g, (n,), np.int64, 0.2), 5.0, math.sqrt(20)),
        (lambda g, n: np.log(sampling.log_normal(g, (n,), np.float64, 2, 0.5)), 2.0, 0.5),
        (lambda g, n: np.arctan(sampling.cauchy(g, (n,), np.float64)), 0.0, math.pi / 12**0.5),
        (lambda g, n: sampling.integers(g, (n,), np.int8), 63.5, 128 / 12**0.5),
        (lambda g, n: sampling.integers_from(g, 100, (n,), np.int8), 113.5, 28 / 12**0.5),
    ],
    ids=["exponential", "geometric", "log_normal", "cauchy", "integers", "integers_from"],
)
def test_moments(draw: Any, mean: float, spread: float) -> None:
    n = 200_000
    values = draw(sr.Generator(7), n)
    assert abs(values.mean() - mean) < 5 * spread / math.sqrt(n)
    assert values.std() == pytest.approx(spread, rel=0.01)


@pytest.mark.parametrize("fill", FILLS)
@given(data=st.data())
def test_elements_are_drawn_in_the_order_of_memory(fill: str, data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    axes = data.draw(st.permutations(range(len(shape))))
    symgrad.manual_seed(3)
    plain = _filled(symgrad, fill, "float64", shape, list(range(len(shape))))
    symgrad.manual_seed(3)
    permuted = _filled(symgrad, fill, "float64", shape, axes)
    if fill == "normal" and not permuted.is_contiguous():
        symgrad.manual_seed(3)  # contiguous tensors have another stream
        n = plain.numel()
        values = sr.default_generator.normal((n,), np.float64, 0.5, 3.0, contiguous=False)
        plain = symgrad.tensor(values).view(shape)
    np.testing.assert_array_equal(permuted.numpy(), plain.permute(*axes).numpy())


def test_a_probability_belongs_to_its_element() -> None:
    p = symgrad.tensor([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]], dtype=symgrad.float64)
    for x in (symgrad.zeros(2, 3), symgrad.zeros(3, 2).t()):
        np.testing.assert_array_equal(x.bernoulli_(p).numpy(), p.numpy())


def test_trials_without_number() -> None:
    """PyTorch draws without end."""
    counts = symgrad.tensor([math.inf, math.inf, -math.inf, math.nan])
    found = symgrad.binomial(counts, symgrad.tensor([0.5, 0.0, 0.5, 0.5]))
    np.testing.assert_array_equal(found.numpy(), [math.inf, 0.0, 0.0, math.nan])


def test_draws_of_counts_for_each_entry() -> None:
    """A batch has numbers of its own, from one stream."""
    counts, chances = symgrad.full((3, 4), 50.0), symgrad.full((4,), 0.5)
    symgrad.manual_seed(2)
    draw = symgrad.func.vmap(symgrad.binomial, (0, None), randomness="different")
    found = draw(counts, chances)
    symgrad.manual_seed(2)
    assert found.tolist() == symgrad.binomial(counts, chances).tolist()
