"""A NumPy scalar in the place of a Python number gives what the number gives.

Every public function and method is called, in each place of each of its base calls, with numbers;
where such a call succeeds, the same call is made with NumPy scalars of the same kind.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.schema import binding
from tests.each import each, in_part

from .calls import Base, by_kinds, callables, caller, made, places
from .judge import restore
from .record import RECORDS
from .values import WRONG

#: Each number, and the scalars of NumPy that are that number.
_NUMBERS: list[tuple[Any, tuple[Any, ...]]] = [
    (0.5, (np.float64(0.5), np.float32(0.5), np.float16(0.5))),
    (2.0, (np.float64(2.0), np.float32(2.0))),
    (0, (np.int64(0), np.int32(0), np.uint8(0))),
    (1, (np.int64(1), np.int32(1), np.uint8(1))),
    (2, (np.int64(2), np.int16(2), np.uint64(2))),
    (-1, (np.int64(-1), np.int8(-1))),
    (True, (np.bool_(True),)),
    (1 + 2j, (np.complex128(1 + 2j), np.complex64(1 + 2j))),
]
#: What makes a decorator of all that is no bool, as in PyTorch.
_OF_FLAGS = {"inference_mode", "autograd.inference_mode"}
#: What makes tensors of arrays: a scalar of NumPy has a dtype, as an array has.
_OF_ARRAYS = {"tensor", "as_tensor", "asarray"}
_TAKEN = list(WRONG).index("np.bool")


def _call(path: str, base: Base, place: str, value: Any) -> Any:
    """Return the result of a call, or the error that it raises."""
    restore()
    args, kwargs = made(symgrad, base)
    if place.isdigit():
        args[int(place)] = value
    else:
        kwargs[place] = value
    f = caller(symgrad, path)
    assert f is not None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return f(*args, **kwargs), args
    except Exception as error:
        return error
    finally:
        restore()


def _described(x: Any, depth: int = 0) -> Any:
    """Return what can be compared of a result."""
    if isinstance(x, symgrad.Tensor):
        array = x.detach().numpy()
        return (str(x.dtype), array.shape, array.tobytes(), x.requires_grad, str(x.grad_fn)[:20])
    if isinstance(x, (list, tuple)) and depth < 4:
        return [_described(y, depth + 1) for y in x]
    if isinstance(x, (bool, int, float, complex, np.generic)):
        return complex(x)
    return type(x).__name__


def tried(path: str) -> Iterator[tuple[Base, str, list[str]]]:
    seen = set()
    for entry in RECORDS[path]["bases"]:
        base = (entry["args"], entry["kwargs"])
        for place in places(base, entry["optional"]):
            if place == "0" and path.startswith("Tensor."):
                continue
            key = (len(base[0]), tuple(base[1]), place)
            if key not in seen:
                seen.add(key)
                yield base, place, entry.get("torch", {}).get(place, "")


def _differences(path: str, turn: int | None) -> tuple[int, list[str]]:
    """Compare calls with all scalars of a number, or with one of them in turn."""
    count, wrong = 0, []
    for base, place, letters in tried(path):
        for number, scalars in _NUMBERS:
            expected = _call(path, base, place, number)
            if isinstance(expected, Exception):
                continue
            if number is True and (not letters or letters[_TAKEN] != "."):
                continue  # a flag, for which PyTorch takes Python's alone
            for scalar in scalars if turn is None else [scalars[turn % len(scalars)]]:
                count += 1
                got = _call(path, base, place, scalar)
                if number is True and not isinstance(got, Exception):
                    continue  # of NumPy's truth values PyTorch makes floats
                if isinstance(got, Exception) or _described(got) != _described(expected):
                    shown = f"{path}({', '.join(base[0])}) with {place} = {scalar!r}"
                    wrong.append(f"{shown}: {got!r}, not {expected!r}"[:400])
    return count, wrong


_PATHS = sorted({*callables()} - _OF_ARRAYS - _OF_FLAGS)


@each("path", in_part(by_kinds(_PATHS), every=6, group=lambda path: ""))
def test_a_scalar_of_numpy_is_the_number_that_it_is(path: str) -> None:
    _, wrong = _differences(path, _PATHS.index(path))
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@each("path", _PATHS)
def test_each_scalar_of_numpy_is_the_number_that_it_is(path: str) -> None:
    _, wrong = _differences(path, None)
    assert not wrong, "\n".join(wrong)


def test_calls_with_scalars_of_numpy_are_found() -> None:
    assert sum(_differences(path, 0)[0] for path in ("add", "Tensor.sum", "clamp")) > 20


@pytest.mark.parametrize(
    "call",
    [
        lambda x, n: symgrad.sum(x, n),
        lambda x, n: x.sum(dim=n),
        lambda x, n: x.sum(dim=(n, np.int64(1))),
        lambda x, n: symgrad.sum(x, axis=n),
        lambda x, n: x.cumsum(n),
        lambda x, n: x.max(n).values,
        lambda x, n: x.clamp(np.float64(0.5), np.float32(1.0)),
        lambda x, n: x.reshape(np.int64(4), np.int64(3)),
        lambda x, n: x.transpose(n, np.int64(1)),
        lambda x, n: x.pow(np.float64(2)),
        lambda x, n: symgrad.add(x, np.ones((3, 4))),
        lambda x, n: symgrad.zeros(np.int64(3)),
    ],
)
def test_numbers_and_arrays_of_numpy_go_the_usual_way(
    call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def general(*_: Any) -> None:
        raise AssertionError("the general way")

    x = symgrad.ones(3, 4)
    expected = call(x, 0)
    monkeypatch.setattr(binding, "general_call", general)
    assert symgrad.equal(call(x, np.int64(0)), expected)
