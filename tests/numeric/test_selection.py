"""`select` is `np.where` bit for bit, whatever it is given."""

from typing import Any

import numpy as np
import pytest

from numeric.selection import select

SIZE = 3 * (1 << 16) + 5  # several passes, and a rest
KINDS = ("f2", "f4", "f8", "i4", "i8", "u1", "?", "c16", ">f8")
SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 0.0, 5e-324, -1.0)


def of_kind(kind: str, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(SIZE) * 50
    if np.dtype(kind).kind in "iu":
        return np.abs(x).astype(kind)
    if np.dtype(kind).kind in "fc":
        x[rng.integers(0, SIZE, 500)] = rng.choice(SPECIAL, 500)
    return x.astype(kind)


def conditions() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    return {
        "at random": rng.random(SIZE) < 0.5,
        "seldom": rng.random(SIZE) < 0.01,
        "in halves": np.arange(SIZE) < SIZE // 2,
        "strided": np.repeat(rng.random(SIZE) < 0.5, 2)[::2],
        "numbers": rng.integers(0, 2, SIZE).astype(np.uint8),
    }


def same(found: Any, expected: Any) -> bool:
    return (
        type(found) is type(expected)
        and found.dtype == expected.dtype
        and found.shape == expected.shape
        and found.strides == expected.strides
        and found.tobytes() == expected.tobytes()
    )


@pytest.mark.parametrize("kind", KINDS)
def test_selects_as_numpy_does(kind: str) -> None:
    x, y = of_kind(kind, 1), of_kind(kind, 2)
    other = of_kind("f4" if kind == "f8" else "f8", 4)
    one = np.ones((), kind)
    # A number that the dtype does not hold is an error of NumPy's, from NumPy 2.5 on.
    numbers = (0, 1, True, 0.0, -0.0, 0.5, 100, float("nan"), 1e300 if kind == "f8" else 7)
    numbers += () if np.dtype(kind).kind == "u" else (-1,)
    numbers += (np.float32(0.5), np.zeros((), kind), one, one[()])
    for name, condition in conditions().items():
        pairs = [(x, y), (x, other), *[(x, n) for n in numbers], *[(n, y) for n in numbers]]
        pairs += [(x[::-1], y), (x, y[:1]), (0, 1), (0.0, x[:1])]
        for a, b in pairs:
            assert same(select(condition, a, b), np.where(condition, a, b)), (name, a, b)


def test_shapes_and_orders() -> None:
    x, y = [of_kind("f8", i)[: 400 * 300].reshape(400, 300) for i in (1, 2)]
    c = x > y
    for a, b, d in [(x, y, c), (x.T, y.T, c.T), (x, y[0], c), (x[0], 0, c), (x, y, c[:, :1])]:
        assert same(select(d, a, b), np.where(d, a, b))
    assert same(select(c, x, 1j), np.where(c, x, 1j))
    for wrong in (select, np.where):
        with pytest.raises(ValueError, match="broadcast"):
            wrong(c, x, y[:, :7])


@pytest.mark.parametrize("kind", KINDS)
def test_selects_rows_as_numpy_does(kind: str) -> None:
    x = of_kind(kind, 1)[: 6 * 5 * 40].reshape(6, 5, 40)
    rng = np.random.default_rng(7)
    rows = [rng.random(shape) < p for shape in ((6, 5, 1), (6, 1, 1), (1, 1, 1), (1, 5, 1))
            for p in (0, 0.5, 1)]  # fmt: skip
    numbers = (0, True, -0.0, 0.5, -1, 300, float("nan"), 1e300 if kind == "f8" else 7)
    numbers += (np.float32(0.5), np.zeros((), kind))
    for condition in rows:
        for n in numbers:
            try:
                expected = np.where(condition, x, n)
            except OverflowError:
                with pytest.raises(OverflowError):
                    select(condition, x, n)
            else:
                assert same(select(condition, x, n), expected), (condition.shape, n)
        for given in (x[:, :, ::-1], x[:, :, :1], x[:0], x.transpose(2, 1, 0)):
            part = condition[: len(given)]
            try:
                expected = np.where(part, given, 0)
            except ValueError:
                with pytest.raises(ValueError, match="broadcast"):
                    select(part, given, 0)
            else:
                assert same(select(part, given, 0), expected)


def test_memory_of_files_and_other_bytes_of_truth_values(tmp_path: Any) -> None:
    x, y = [of_kind("f4", i)[: 400 * 300].reshape(400, 300) for i in (1, 2)]
    c = x > y
    x.tofile(tmp_path / "x")
    file = np.memmap(tmp_path / "x", np.float32, "r", shape=x.shape)
    for a, b in [(file, y), (y, file), (file, 0), (0, file), (file, file), (2.5, file)]:
        assert same(select(c, a, b), np.where(c, a, b))
    for byte in (2, 3, 128, 255):
        truth = (c.view(np.uint8) * np.uint8(byte)).view(bool)
        for a, b in [(x, y), (x, 0), (0, y), (0.3, 0.1)]:
            assert same(select(truth, a, b), np.where(truth, a, b))


@pytest.mark.parametrize("kind", KINDS)
def test_conditions_that_are_repeated(kind: str) -> None:
    x = of_kind(kind, 1)[: 1 << 14].reshape(16, 4, 16, 16)
    rng = np.random.default_rng(5)
    for shape in ((16, 16), (16, 1), (1, 16), (4, 16, 16), (4, 1, 1), (1, 1), (16,)):
        c = rng.random(shape) < 0.5
        bytes_ = (c * 3).astype(np.uint8).view(np.bool_)
        for condition in (c, c[..., ::-1], np.broadcast_to(c, x.shape[-c.ndim :]), bytes_, c * 2):
            for number in (0, -0.0, 7, np.zeros((), kind)):
                for a in (x, x.transpose(0, 1, 3, 2), x[::2]):
                    for pair in ((a, number), (number, a)):
                        expected = np.where(condition, *pair)
                        assert same(select(condition, *pair), expected), (shape, number)
