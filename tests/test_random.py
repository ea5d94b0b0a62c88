"""The random streams are PyTorch's: recorded draws replayed, and live ones beside it."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import math
import pickle
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symgrad
import symgrad.random as sr
from symgrad.random import rounded, shuffling
from symgrad.random.engine import Stream
from tests.data import record_random as record
from tests.each import each
from tests.turns import in_turns

pytestmark = pytest.mark.versions

TABLE = json.loads(record.TABLE.read_text())


def draw(generator: sr.Generator, step: dict[str, Any]) -> Any:
    options = dict(step)
    name = options.pop("draw")
    if "p" in options:
        options["p"] = record.probabilities(options["p"])
    return getattr(generator, name)(**options)


def assert_recorded(step: dict[str, Any], actual: Any, expected: dict[str, Any]) -> None:
    assert actual.dtype.name == expected["dtype"], step
    assert list(actual.shape) == expected["shape"], step
    if "elements" in expected:
        values = np.frombuffer(base64.b64decode(expected["elements"]), actual.dtype)
        # A few roundings of the normal, and of its product and sum in the dtype of the result.
        rounding = 4 * float(np.finfo(actual.dtype).eps)
        shift = abs(step.get("mean", 0)) + abs(step.get("std", 1))
        np.testing.assert_allclose(
            actual.ravel()[record.places(actual.size)], values, rtol=rounding, atol=rounding * shift
        )
        return
    if "normal" in expected:
        normals = [actual[record.NORMAL].tobytes(), base64.b64decode(expected["normal"])]
        np.testing.assert_allclose(*[np.frombuffer(x) for x in normals], rtol=1e-15)
        actual = actual.copy()
        actual[record.NORMAL] = 0
    raw = actual.tobytes()
    if "bytes" in expected:
        assert raw == base64.b64decode(expected["bytes"]), step
    else:
        assert hashlib.sha256(raw).hexdigest() == expected["sha256"], step


@each("scenario", TABLE["scenarios"], ids=lambda s: f"seed{s['seed']}")
def test_recorded(scenario: dict[str, Any]) -> None:
    generator = sr.Generator().manual_seed(scenario["seed"])
    for entry in scenario["steps"]:
        assert_recorded(entry["step"], draw(generator, entry["step"]), entry["result"])


@each("entry", TABLE["errors"], ids=lambda e: json.dumps(e["step"]))
def test_errors(entry: dict[str, Any]) -> None:
    generator = sr.Generator()
    before = generator.get_state()
    with pytest.raises((RuntimeError, TypeError)) as caught:
        draw(generator, entry["step"])
    assert type(caught.value).__name__ == entry["error"]["type"]
    assert str(caught.value).startswith(entry["error"]["message"])
    np.testing.assert_array_equal(before, generator.get_state())


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(40))
def test_live(seed: int) -> None:
    torch = pytest.importorskip("torch")
    r = random.Random(f"live {seed}")
    start = r.getrandbits(64)
    ours, theirs = sr.Generator(start), torch.Generator().manual_seed(start)
    for step in record.steps(r, 40):
        expected = record.draw_in_torch(theirs, step)
        assert_recorded(step, draw(ours, step), record.encode(step, expected))
        state = theirs.get_state().numpy()
        np.testing.assert_array_equal(ours.get_state(), state)
        if r.random() < 0.1:  # either continues the other's state
            ours = sr.Generator().set_state(state)
            theirs.set_state(torch.from_numpy(ours.get_state()))


# ------------------------------------------------------------------ seeds and state


def test_default_seed() -> None:
    assert sr.Generator().initial_seed() == 67280421310721


@pytest.mark.parametrize(
    ("seed", "initial"),
    [(5, 5), (-1, 2**64 - 1), (-(2**63), 2**63), (2**64 - 1, 2**64 - 1), (np.int64(3), 3)],
)
def test_initial_seed(seed: int, initial: int) -> None:
    assert sr.Generator().manual_seed(seed).initial_seed() == initial


@pytest.mark.parametrize("seed", [2**64, -(2**63) - 1])
def test_seed_out_of_range(seed: int) -> None:
    with pytest.raises(ValueError, match="Overflow when unpacking long long"):
        sr.Generator().manual_seed(seed)


@pytest.mark.parametrize(("seed", "name"), [(3.7, "float"), ("5", "str"), (True, "bool")])
def test_seed_of_another_type(seed: Any, name: str) -> None:
    with pytest.raises(RuntimeError, match=f"manual_seed expected a long, but got {name}"):
        sr.Generator().manual_seed(seed)


def test_default_generator() -> None:
    with sr.fork_rng():
        assert sr.manual_seed(3.7) is sr.default_generator
        assert sr.initial_seed() == 3
        first = sr.default_generator.uniform((3,))
        assert sr.seed() == sr.initial_seed()
        sr.manual_seed("3")
        np.testing.assert_array_equal(sr.default_generator.uniform((3,)), first)


def test_seed_is_not_repeated() -> None:
    generator = sr.Generator()
    assert generator.seed() != generator.seed()


def test_seeding_forgets_the_kept_normal() -> None:
    generator = sr.Generator(0)
    first = generator.normal((1,))
    np.testing.assert_array_equal(generator.manual_seed(0).normal((1,)), first)


@each("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@each("drawn", [0, 1, 20], ids="after {} draws".format)
def test_a_pickled_generator_continues_the_stream(protocol: int, drawn: int) -> None:
    generator = sr.Generator(5)
    generator.normal((drawn,))  # after one draw the second normal of its pair is kept
    copies = [pickle.loads(pickle.dumps(generator, protocol)), copy.copy(generator)]
    copies.append(copy.deepcopy(generator))
    expected = [generator.normal((3,)), generator.uniform((700,))]
    for other in copies:
        assert other is not generator and other.initial_seed() == 5
        np.testing.assert_array_equal(other.normal((3,)), expected[0])
        np.testing.assert_array_equal(other.uniform((700,)), expected[1])


def test_a_pickled_default_generator_is_another() -> None:
    other = pickle.loads(pickle.dumps(sr.default_generator))
    before = other.get_state()
    sr.default_generator.uniform((3,))
    np.testing.assert_array_equal(other.get_state(), before)


def test_fork_rng_restores_after_an_error() -> None:
    state = sr.default_generator.get_state()

    def fail() -> None:
        sr.default_generator.uniform((5,))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), sr.fork_rng():
        fail()
    np.testing.assert_array_equal(sr.default_generator.get_state(), state)
    with sr.fork_rng(enabled=False):
        sr.default_generator.uniform((5,))
    assert not np.array_equal(sr.default_generator.get_state(), state)


@pytest.mark.parametrize(
    ("state", "error", "message"),
    [
        (np.zeros(3, np.uint8), RuntimeError, "of size 5056 but found .* size to be 3"),
        (np.zeros(5056, np.uint8), RuntimeError, "Invalid mt19937 state"),
        (np.zeros(5056, np.float32), TypeError, "RNG state must be a torch.ByteTensor"),
        (3, TypeError, "RNG state must be a torch.ByteTensor"),
    ],
)
def test_set_state_errors(state: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        sr.Generator().set_state(state)


# ------------------------------------------------------------------ laws


def test_a_low_precision_type_warns_of_integers_it_rounds() -> None:
    with pytest.warns(UserWarning, match=r"to - 1 is out of bounds \[-\(2\^24\), 2\^24\]"):
        values = sr.Generator(0).random_integers(0, 2**40, (100,), np.float32)
    assert values.max() < 2**40


@pytest.mark.parametrize("pace", [1, 2, 3, 5, 11])
@pytest.mark.parametrize("method", ["uniform", "normal"])
def test_threads_share_one_stream(pace: int, method: str) -> None:
    shared, alone = sr.Generator(0), sr.Generator(0)

    def work() -> list[bytes]:
        return [getattr(shared, method)((20,)).tobytes() for _ in range(5)]

    pieces = [piece for found in in_turns([work] * 4, pace) for piece in found]
    expected = [getattr(alone, method)((20,)).tobytes() for _ in range(20)]
    assert sorted(pieces) == sorted(expected)


numbers = st.floats(-1e6, 1e6, allow_subnormal=False).filter(lambda v: v == 0 or abs(v) > 1e-6)


@given(st.lists(numbers, min_size=1, max_size=5), numbers, numbers)
def test_doubles_are_scaled_and_shifted_with_one_rounding(
    values: list[float], scale: float, shift: float
) -> None:
    actual = np.array(values)
    rounded.scale_and_shift(actual, scale, shift)
    exact = [Fraction(value) * Fraction(scale) + Fraction(shift) for value in values]
    assert actual.tolist() == [float(value) for value in exact]


def rounded_to_float(value: Fraction) -> np.float32:
    near = np.float32(float(value))
    candidates = [np.nextafter(near, np.float32(end)) for end in (-np.inf, np.inf)] + [near]
    even = [int(candidate.view(np.uint32)) & 1 for candidate in candidates]
    distance = [abs(Fraction(float(candidate)) - value) for candidate in candidates]
    return min(zip(distance, even, candidates, strict=True))[2]


singles = st.floats(-1000, 1000, width=32).filter(lambda v: v == 0 or abs(v) > 1e-3)


@given(st.lists(singles, min_size=1, max_size=5), singles, singles)
def test_floats_are_scaled_and_shifted_with_one_rounding(
    values: list[float], scale: float, shift: float
) -> None:
    actual = np.array(values, np.float32)
    rounded.scale_and_shift(actual, scale, shift)
    exact = [Fraction(value) * Fraction(scale) + Fraction(shift) for value in values]
    assert actual.tolist() == [rounded_to_float(value) for value in exact]


def test_a_float_halfway_between_two_is_not_rounded_twice() -> None:
    # The exact result lies just above the middle of two floats, and rounds to the middle in double.
    x, scale, shift = np.float32(1 + 2**-12), np.float32(1 + 2**-12), np.float32(2**-60)
    shift += np.float32(2**-40) - np.float32(2**-40)
    exact = Fraction(float(x)) * Fraction(float(scale)) + Fraction(float(shift))
    assert np.float32(float(exact)) != rounded_to_float(exact)
    actual = np.array([x])
    rounded.scale_and_shift(actual, scale, shift)
    assert actual[0] == rounded_to_float(exact)


# Every argument that a uniform of 24 bits can make, in blocks, of which one is tried always.
_BLOCK = 2**20
_STARTS = range(0, 2**24, _BLOCK)


@pytest.mark.parametrize(
    "start", [_STARTS[0], *(pytest.param(s, marks=pytest.mark.slow) for s in _STARTS[1:])]
)
def test_two_roundings_in_the_elementary_functions_are_as_one(
    monkeypatch: pytest.MonkeyPatch, start: int
) -> None:
    """They are compared with exact fused multiply-adds."""

    def fused(a: Any, b: Any, c: Any) -> Any:
        product = a.astype(np.float64) * np.float64(b)
        c = np.broadcast_to(np.asarray(c, np.float64), product.shape)
        return rounded._add_to_odd(product, c).astype(np.float32)

    u = np.arange(start, start + _BLOCK, dtype=np.int64).astype(np.float32) / np.float32(2**24)
    angle = np.float32(2 * math.pi) * u
    results = []
    for function in (rounded._fused, fused):
        monkeypatch.setattr(rounded, "_fused", function)
        results.append((rounded._log32(1 - u), *rounded._sincos32(angle)))
        monkeypatch.undo()
    for approximate, exact in zip(*results, strict=True):
        assert approximate.tobytes() == exact.tobytes()
    np.testing.assert_allclose(results[0][0], np.log(1 - u.astype(float)), rtol=3e-7)
    np.testing.assert_allclose(results[0][1], np.sin(angle.astype(float)), atol=2e-7)
    np.testing.assert_allclose(results[0][2], np.cos(angle.astype(float)), atol=2e-7)


def test_a_function_that_differs_from_the_c_library_is_mapped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    points = np.random.RandomState(1).random_sample(1000).reshape(10, 100)
    expected = np.array([[math.cos(v) for v in row] for row in points.tolist()])
    rounded.libm.cache_clear()
    exact_cos: Callable[[Any], Any] = np.cos
    monkeypatch.setattr(np, "cos", lambda x: np.nextafter(exact_cos(x), 2))
    try:
        np.testing.assert_array_equal(rounded.libm("cos")(points), expected)
    finally:
        rounded.libm.cache_clear()


@given(st.data())
def test_swaps_happen_in_order(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 400))
    start = data.draw(st.integers(0, n - 1))
    count = data.draw(st.integers(0, n - start))
    seed = data.draw(st.integers(0, 2**32 - 1))
    rng = np.random.RandomState(seed)
    partners = np.array([rng.randint(i, n) for i in range(start, start + count)], np.int64)
    expected = list(range(n))
    for i, j in enumerate(partners.tolist(), start):
        expected[i], expected[j] = expected[j], expected[i]
    items = np.arange(n)
    shuffling._swap(items, start, partners)
    assert items.tolist() == expected


def test_large_permutations_insert_each_number(monkeypatch: pytest.MonkeyPatch) -> None:
    # As PyTorch draws them from (2**32 - 1) // 20 elements on.
    monkeypatch.setattr(shuffling, "_LARGE_SHUFFLE", 10)
    words = Stream(0).words64(50).tolist()
    expected: list[int] = []
    for i, word in enumerate(words):
        expected.append(i)
        j = word % (i + 1)
        expected[i], expected[j] = expected[j], i
    assert sr.Generator(0).permutation(50).tolist() == expected


@given(st.integers(-(2**63), 2**63 - 2), st.integers(1, 2**64))
def test_integers_stay_in_their_bounds(low: int, span: int) -> None:
    high = min(low + span, 2**63 - 1)
    values = sr.Generator(0).random_integers(low, high, (50,)).tolist()
    assert all(low <= value < high for value in values)


def test_the_default_generator_is_what_draws_come_from() -> None:
    symgrad.default_generator.manual_seed(3)
    drawn = symgrad.rand(2)
    assert symgrad.initial_seed() == 3
    assert symgrad.equal(drawn, symgrad.rand(2, generator=symgrad.Generator().manual_seed(3)))
