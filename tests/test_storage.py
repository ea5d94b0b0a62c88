"""The memory that tensors share: where it ends, who owns it, who may write into it."""

from __future__ import annotations

import itertools
import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import symgrad as torch
from numeric.emit import emit
from symgrad.lower.evaluate import of_leaves
from symgrad.ops.strided import as_strided, entries_strided, unstrided
from symgrad.support.memory import (
    borrowed,
    check_window,
    opened,
    owner_of,
    place_in_storage,
    storage_of,
)
from tests.each import each

pytestmark = pytest.mark.versions

Array = np.ndarray[Any, Any]

# ------------------------------------------------------------------ where memory ends

#: Every way to look at memory by numbers: of six numbers, and of the last four of them.
WINDOWS: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "as_strided": lambda x, size, stride, offset: x.as_strided(size, stride, offset),
    "as_strided of a record": lambda x, size, stride, offset: (
        x.double().requires_grad_().as_strided(size, stride, offset)
    ),
    "as_strided_": lambda x, size, stride, offset: x.as_strided_(size, stride, offset),
    "set_": lambda x, size, stride, offset: torch.empty(0).set_(x, offset, size, stride),
    "formula": lambda x, size, stride, offset: torch.leaf("x", (6,)).as_strided(
        size, stride, offset
    ),
    "node": lambda x, size, stride, offset: as_strided(torch.leaf("x", (6,)), size, stride, offset),
    "node of entries": lambda x, size, stride, offset: entries_strided(
        torch.leaf("x", (2, 6)), size, stride, offset, 1
    ),
    "transposed node": lambda x, size, stride, offset: unstrided(
        torch.leaf("x", size), (6,), stride, offset
    ),
}
OUTSIDE = {
    "behind the end": ((2,), (5,), 1),
    "behind the end, in steps": ((2, 3), (2, 2), 0),
    "first element": ((1,), (1,), 6),
    "far": ((2,), (2**40,), 0),
    "wraps in 64 bits": ((5,), (2**62,), 0),
    "wraps in bytes": ((2,), (2**61,), 0),
    "offset wraps": ((2,), (1,), 2**62),
    "many": ((2**32, 2**32), (1, 1), 0),
    "negative size": ((-1,), (2,), 5),
    "negative sizes": ((-2, -1), (1, 1), 0),
    "negative size beside none": ((0, -1), (1, 1), 0),
    "negative stride": ((2,), (-1,), 3),
    "negative offset": ((2,), (1,), -1),
    "too few strides": ((2, 2), (1,), 0),
}


def refused() -> Iterator[tuple[str, str]]:
    for how, window in itertools.product(WINDOWS, OUTSIDE):
        # A transposed window is an operand, and no leaf has a negative length.
        if how != "transposed node" or all(n >= 0 for n in OUTSIDE[window][0]):
            yield how, window


@each("how, window", list(refused()))
def test_what_lies_outside_is_refused(how: str, window: str) -> None:
    x = torch.arange(6.0)
    with pytest.raises(RuntimeError):
        WINDOWS[how](x, *OUTSIDE[window])
    assert x.tolist() == [0, 1, 2, 3, 4, 5]


@each("how", list(WINDOWS))
@each("window", [((2, 2), (3, 2), 0), ((0, 3), (9, 9), 3), ((1,), (9,), 5)])
def test_what_lies_inside_is_not(how: str, window: Any) -> None:
    assert WINDOWS[how](torch.arange(6.0), *window) is not None


def test_messages_say_what_was_asked() -> None:
    with pytest.raises(RuntimeError, match="storage offset 5, and itemsize 4 requiring a storage"):
        check_window((2,), (1,), 5, 4, 24)
    with pytest.raises(RuntimeError, match=r"overflowed with sizes=\[-1\] and strides=\[2\]"):
        check_window((-1,), (2,), 0, 4, 24)
    with pytest.raises(RuntimeError, match="numel: integer multiplication overflow"):
        torch.arange(24.0).as_strided_((-1,), (2,), 5)


@pytest.mark.parametrize("size", [(-1,), (2, -1), (0, -1), (2**32, 2**32), (2**62,)])
def test_resize_refuses_lengths_that_are_none(size: tuple[int, ...]) -> None:
    x = torch.arange(4.0)
    with pytest.raises(RuntimeError, match="overflow"):
        x.resize_(size)
    assert x.tolist() == [0, 1, 2, 3]


def test_random_windows_show_what_an_index_would() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        n = int(rng.integers(1, 30))
        rank = int(rng.integers(0, 4))
        size, stride = (tuple(map(int, rng.integers(0, 5, rank))) for _ in range(2))
        offset = int(rng.integers(0, 6))
        reach = offset + sum(s * (k - 1) for s, k in zip(stride, size, strict=True))
        x = torch.arange(float(n))
        if 0 not in size and reach >= n:
            with pytest.raises(RuntimeError, match="out of bounds"):
                x.as_strided(size, stride, offset)
            continue
        places = np.zeros(size, int) + offset
        for axis, s in enumerate(stride):
            places += s * np.arange(size[axis]).reshape((-1,) + (1,) * (rank - axis - 1))
        got = x.as_strided(size, stride, offset)
        np.testing.assert_array_equal(got.numpy(), places.astype(np.float32))
        np.testing.assert_array_equal(x.as_strided_(size, stride, offset).numpy(), got.numpy())


def function_of(e: Any) -> Callable[..., Any]:
    scope: dict[str, Any] = {}
    exec(e.source(), scope)
    made: Callable[..., Any] = scope["f"]
    return made


def test_source_refuses_arrays_of_another_shape() -> None:
    far = torch.leaf("x", (100_000_000,)).as_strided((2,), (99_999_990,), 0)
    with pytest.raises(ValueError, match=r"'x' has shape \(100000000,\), but its value has shape"):
        function_of(far)(np.zeros(3))
    x, w = torch.leaf("x", (2, 3)), torch.leaf("w")
    f = function_of(x * w)
    np.testing.assert_array_equal(f(x=[[1, 2, 3], [4, 5, 6]], w=2), [[2, 4, 6], [8, 10, 12]])
    assert f(x=np.ones((2, 3)), w=np.ones(1)).shape == (1, 2, 3)  # of each element of a number
    for a, b in ((np.ones(3), 1.0), (np.ones((3, 2)), 1.0), (np.ones((1, 2, 3)), np.ones(1))):
        with pytest.raises(ValueError, match="has shape"):
            f(x=a, w=b)


def test_source_says_the_name_that_callers_use() -> None:
    np_ = torch.leaf("np", (2,))
    with pytest.raises(ValueError, match=r"'np' has shape \(2,\)"):
        function_of(np_ + 1)(np.ones(3))
    assert "asarray_" not in emit(of_leaves([np_ + 1]).of_all_given())


# ------------------------------------------------------------------ whose memory it is


def shared(a: Array) -> Iterator[tuple[str, Any]]:
    """A tensor of the memory of `a`, in each of the ways to make one."""
    yield "from_numpy", torch.from_numpy(a)
    yield "as_tensor", torch.as_tensor(a)
    yield "asarray", torch.asarray(a)
    yield "from_dlpack", torch.from_dlpack(a)
    yield "Exporter", torch.from_dlpack(Exporter(a))


class Exporter:
    """An array of another library, which knows the protocol of DLPack and nothing of NumPy's."""

    def __init__(self, array: Array) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


PARTS: dict[str, Callable[[Array], Array]] = {
    "middle": lambda a: a[2:6],
    "every second": lambda a: a[1:8:2],
    "columns": lambda a: a.reshape(2, 5)[:, 1:4],
    "transposed": lambda a: a.reshape(2, 5)[:, 1:].T,
    "bytes later": lambda a: a.view(np.uint8)[4:-4].view(a.dtype),
}


@pytest.mark.parametrize("part", PARTS)
def test_a_tensor_has_the_memory_of_its_elements_and_no_more(part: str) -> None:
    whole = np.arange(10.0)
    array = PARTS[part](whole)
    first, end = np.lib.array_utils.byte_bounds(array)
    for how, x in shared(array):
        assert np.shares_memory(x.numpy(), array), how
        assert x.storage_offset() == 0, how
        assert storage_of(x._data).size == end - first
        assert x[1:].storage_offset() == array.strides[0] // 8
        with pytest.raises(RuntimeError, match="out of bounds"):
            x.as_strided((1,), (1,), (end - first) // 8)
        with pytest.raises(RuntimeError, match="out of bounds"):
            torch.zeros(1, dtype=torch.float64).set_(x, 0, ((end - first) // 8 + 1,), (1,))
        before = whole.copy()
        with torch.no_grad():
            x.resize_(20).fill_(-1.0)
        np.testing.assert_array_equal(whole, before, err_msg=how)


def test_memory_between_elements_belongs_to_a_tensor() -> None:
    whole = np.arange(10.0)
    x = torch.from_numpy(whole[1:8:3])
    x.resize_(7)
    assert x.tolist() == [1, 2, 3, 4, 5, 6, 7]
    x.fill_(9.0)
    assert whole.tolist() == [0, 9, 9, 9, 9, 9, 9, 9, 8, 9]


def test_owners_are_found_through_all_that_lends_memory() -> None:
    own = np.arange(12.0)
    windows = np.lib.stride_tricks.sliding_window_view(own, 3)[1:, 1:]
    assert owner_of(windows) is own
    assert place_in_storage(windows) == 16
    lent = borrowed(own[3:])
    assert owner_of(lent[1:]) is lent and place_in_storage(lent[1:]) == 8
    buffer = np.frombuffer(bytearray(32), np.float32)
    assert owner_of(buffer[3:]) is buffer


def test_who_gives_an_array_another_shape_does_not_change_a_tensor() -> None:
    for i, (how, _) in enumerate(shared(np.zeros(6))):
        array = np.arange(6.0)
        x = [y for _, y in shared(array)][i]
        y = (x.clone().requires_grad_() * x).sum()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            array.shape = (2, 3)
        assert x.shape == (6,) and x.numpy().shape == (6,), how
        y.backward()


#: Operations that keep an array beside a tensor for their derivative.
BESIDE: dict[str, Callable[[Any, Array], Any]] = {
    "operator": lambda x, a: x * a,
    "reflected": lambda x, a: a * x,
    "function": lambda x, a: torch.mul(x, a),
    "ufunc": lambda x, a: np.multiply(x, a),
    "where": lambda x, a: np.where(a > 1, x * a, a),
    "index": lambda x, a: x[a.astype(int) % 3],
    "number": lambda x, a: torch.hypot(x, a),
}


@pytest.mark.parametrize("operation", BESIDE)
def test_an_array_beside_a_tensor_stays_its_owners(operation: str) -> None:
    given, values = np.arange(6.0), np.linspace(1.0, 2.0, 6)
    x = torch.tensor(values, requires_grad=True)
    BESIDE[operation](x, np.arange(6.0)).sum().backward()
    expected, x.grad = x.grad, None
    y = BESIDE[operation](x, given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        given.shape = (3, 2)
    y.sum().backward()
    assert x.grad.tolist() == expected.tolist()


# ------------------------------------------------------------------ who may write


def read_only() -> Iterator[tuple[str, Array]]:
    """Arrays of six ones that nobody may write into, with what would show that somebody did."""
    yield "bytes", np.frombuffer(np.ones(6).tobytes())
    closed = np.ones(6)
    closed.flags.writeable = False
    yield "flag", closed
    view = np.ones(8)[1:7]
    view.flags.writeable = False
    yield "view of what may be written", view
    yield "broadcast", np.broadcast_to(np.ones(1), (6,))


#: Ways from one tensor of read-only memory to another that shows it.
ONWARD: dict[str, Callable[[Any], Any]] = {
    "itself": lambda x: x,
    "resize_": lambda x: x.resize_(1),
    "resize_ of a view": lambda x: x[1:].resize_(1) if x.stride(0) else x,
    "as_strided_": lambda x: x.as_strided_((1,), (1,)),
    "as_strided": lambda x: x.as_strided((1,), (1,)) if x.stride(0) else x,
    "set_": lambda x: torch.zeros(1, dtype=x.dtype).set_(x),
    "set_ of a part": lambda x: torch.zeros(1, dtype=x.dtype).set_(x, 0, (1,), (1,)),
    "data": lambda x: x.data,
    "assigned data": lambda x: assigned(x),
    "detach": lambda x: x.detach(),
    "view": lambda x: x.view(2, 3) if x.stride(0) else x,
    "row": lambda x: x[2:3],
    "numpy": lambda x: torch.from_numpy(x.numpy()),
    "array": lambda x: torch.as_tensor(np.asarray(x)),
    "DLPack": lambda x: torch.from_dlpack(x),
    "capsule": lambda x: torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x)),
    "versioned capsule": lambda x: torch.from_dlpack(x.__dlpack__(max_version=(1, 0))),
    "NumPy by DLPack": lambda x: torch.from_numpy(np.from_dlpack(x)),
}


def assigned(x: Any) -> Any:
    y = torch.zeros(2, dtype=x.dtype)
    y.data = x
    return y


WRITES: dict[str, Callable[[Any], Any]] = {
    "add_": lambda x: x.add_(1),
    "fill_": lambda x: x.fill_(5),
    "item": lambda x: x.__setitem__(0, 5),
    "copy_": lambda x: x.copy_(torch.zeros(1)),
    "zero_": lambda x: x.zero_(),
    "sin_": lambda x: x.sin_(),
    "out": lambda x: torch.add(x.clone(), 1, out=x),
    "numpy": lambda x: x.numpy().__setitem__(0, 5),
    "normal_": lambda x: x.normal_(),
    "apply_": lambda x: x.apply_(lambda v: v + 1),
}


@each("way", list(ONWARD))
@pytest.mark.filterwarnings("ignore:The given NumPy array is not writable")
def test_memory_that_may_not_be_changed_is_not(way: str) -> None:
    for source, array in read_only():
        for how, x in shared(array):
            if how == "Exporter" and source == "broadcast":
                continue
            try:
                y = ONWARD[way](x)
            except BufferError:  # which says that it cannot be given out
                assert way in ("capsule", "NumPy by DLPack"), (source, how)
                continue
            for write, change in WRITES.items():
                with pytest.raises((RuntimeError, ValueError), match=r"read-only|single memory"):
                    change(y)
                assert array.tolist() == [1.0] * 6, (source, how, write)


def test_an_old_capsule_is_refused_where_memory_may_not_be_changed() -> None:
    x = torch.from_dlpack(np.frombuffer(bytes(8), np.uint8))
    with pytest.raises(BufferError):
        x.__dlpack__()


def test_from_numpy_warns_of_what_may_not_be_changed() -> None:
    with pytest.warns(UserWarning, match="The given NumPy array is not writable"):
        torch.from_numpy(np.frombuffer(bytes(8), np.uint8))


class Old(Exporter):
    """Of before the first version of the protocol, whose capsules say nothing of who may write."""

    def __dlpack__(self) -> Any:  # type: ignore[override]
        return opened(self.array).__dlpack__()


class Immutable(Old, bytes):
    """As arrays of JAX: its capsules are old, and Python may read its memory, not write into it."""

    def __new__(cls, content: bytes) -> Immutable:
        made = bytes.__new__(cls, content)
        made.array = np.frombuffer(made)
        return made

    def __init__(self, content: bytes) -> None:
        pass


def test_a_capsule_that_cannot_say_whether_it_may_be_changed() -> None:
    """It may, as in PyTorch."""
    array = np.arange(4.0)
    for x in (torch.as_tensor(Old(array)), torch.from_dlpack(Old(array))):
        assert x.storage_offset() == 0 and x[1:].storage_offset() == 1
        x.add_(1)
        x.resize_(2)
    assert array.tolist() == [2.0, 3.0, 4.0, 5.0]
    assert torch.tensor(Old(array)).tolist() == array.tolist()


def test_memory_that_python_may_not_change_is_not_changed_through_an_old_capsule() -> None:
    constant = Immutable(np.arange(4.0).tobytes())
    x = torch.from_dlpack(constant)
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert x.storage_offset() == 0 and x[1:].storage_offset() == 1
    with pytest.raises(RuntimeError, match="read-only"):
        x.add_(1)
    with pytest.raises(RuntimeError, match="read-only"):
        x.resize_(2).add_(1)


# ------------------------------------------------------------------ what overlaps

OVERLAPPING: dict[str, Callable[[Any], Any]] = {
    "unfold": lambda x: x.unfold(0, 3, 1),
    "as_strided": lambda x: x.as_strided((3, 2), (1, 1)),
    "as_strided_": lambda x: x.as_strided_((3, 2), (1, 1)),
    "expand": lambda x: x.expand(3, 6),
    "row of windows": lambda x: x.unfold(0, 3, 1)[1],
    "row of an expanded one": lambda x: x.expand(3, 6)[2],
    "windows apart": lambda x: x.unfold(0, 2, 2),
}


@pytest.mark.parametrize("how", OVERLAPPING)
def test_arrays_of_what_overlaps_may_be_written_by_numpy(how: str) -> None:
    x = torch.arange(6.0)
    windows = OVERLAPPING[how](x.view(-1))
    array = windows.numpy()
    assert np.shares_memory(array, x.numpy()) and array.flags.writeable
    array[...] = 7
    assert 7 in x.tolist()
    assert torch.from_dlpack(windows).tolist() == windows.tolist()


@pytest.mark.parametrize("how", ["row of windows", "row of an expanded one", "windows apart"])
def test_parts_that_do_not_overlap_are_written(how: str) -> None:
    x = torch.arange(6.0)
    part = OVERLAPPING[how](x)
    part.mul_(2)
    place = {"row of windows": slice(1, 4)}.get(how, slice(None))
    expected = np.arange(6.0)
    expected[place] *= 2
    assert x.tolist() == expected.tolist()
    assert part.flatten().tolist() == expected[place].tolist()


@pytest.mark.parametrize("axes", [(1, 0), (0, 2, 1), (2, 0, 1)])
def test_as_strided_counts_in_memory_whatever_the_order_of_axes(axes: tuple[int, ...]) -> None:
    shape = (2, 3, 4)[: len(axes)]
    x = torch.arange(float(np.prod(shape))).view(shape).permute(axes) * 2.0
    assert not x.is_contiguous()
    n = x.numel()
    assert x.as_strided((n,), (1,)).tolist() == x.numpy().ravel("K").tolist()
    w = torch.linspace(1.0, 2.0, n, requires_grad=True)
    y = w.view(shape).permute(axes) * 1.0
    y.as_strided((2,), (3,), 1).sum().backward()
    expected = np.zeros(n)
    expected[[1, 4]] = 1  # the product lies in the order of `w`
    assert w.grad.tolist() == expected.tolist()


# ------------------------------------------------------------------ the storage as an object


def test_a_storage_is_the_memory_that_views_share() -> None:
    array = np.arange(6.0)
    x = torch.from_numpy(array[1:])
    storage = x.untyped_storage()
    assert storage.nbytes() == storage.size() == len(storage) == 40
    assert storage.data_ptr() == x.data_ptr() == x[2:].data_ptr() - 16
    views = [x[2:], x.detach(), x.view(5, 1).t(), x.as_strided((2,), (2,), 1), torch.Tensor(x)]
    assert {v.untyped_storage() for v in views} == {storage}
    assert storage not in (x.clone().untyped_storage(), torch.from_numpy(array), None)
    x[0] = -0.0
    assert bytes(storage.tolist()) == bytes(storage) == array[1:].tobytes()
    assert (storage[7], storage[-33]) == (128, 128)


def test_a_storage_is_that_of_the_time_when_it_was_asked_for() -> None:
    x = torch.tensor([1, 0], dtype=torch.uint8)
    before = x.untyped_storage()
    x.resize_(1)
    assert x.untyped_storage() == before and before.tolist() == [1, 0]
    x.resize_(3)
    assert x.untyped_storage() != before and before.tolist() == [1, 0]
    assert x.untyped_storage().tolist() == [1, 0, 0]


def test_a_storage_is_read_and_not_written() -> None:
    storage = torch.zeros(2).untyped_storage()
    with pytest.raises(TypeError, match="does not support item assignment"):
        storage[0] = 1  # type: ignore[index]
    with pytest.raises(IndexError, match="index 8 out of range for storage of size 8"):
        storage[8]
    with pytest.raises(TypeError, match="UntypedStorage with float"):
        storage[1.0]  # type: ignore[index]
    with pytest.raises(NotImplementedError, match="Cannot access storage"):
        torch.vmap(lambda x: x * x.untyped_storage().nbytes())(torch.ones(2, 2))
    assert str(storage).endswith("\n 0\n[torch.storage.UntypedStorage(device=cpu) of size 8]")


FORMATS = {
    "contiguous_format": (0, 1, 2, 3),
    "preserve_format": (0, 1, 2, 3),
    "channels_last": (0, 2, 3, 1),
    "channels_last_3d": (0, 2, 3, 4, 1),
}


@pytest.mark.parametrize("name", FORMATS)
def test_formats_are_taken_and_elements_lie_in_the_order_of_axes(name: str) -> None:
    wanted, x = getattr(torch, name), torch.arange(24.0).reshape(1, 2, 3, 4)
    for made in (
        torch.zeros_like(x, memory_format=wanted), x.clone(memory_format=wanted),
        x.to(memory_format=wanted), x.double().float(memory_format=wanted),
    ):  # fmt: skip
        assert made.stride() == (24, 12, 4, 1)
    assert repr(wanted) == f"torch.{name}"
    assert pickle.loads(pickle.dumps(wanted)) is wanted
    axes = FORMATS[name]
    full = torch.zeros([5, 4, 3, 2, 6][: len(axes)])
    back = [axes.index(i) for i in range(len(axes))]
    lies = full.permute(axes).contiguous().permute(back)
    assert lies.is_contiguous(memory_format=wanted)
    assert full.is_contiguous(memory_format=wanted) == (axes == tuple(sorted(axes)))
    assert not torch.zeros(2, 3).t().is_contiguous(memory_format=wanted)


def test_a_typed_storage_is_of_elements() -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    storage = x[1].storage()
    assert storage == x.t().storage() and storage.untyped() == x.untyped_storage()
    assert storage != x.untyped_storage() and storage != x.clone().storage()
    assert list(storage) == storage.tolist() == [1, 2, 3, 4] and storage[-1] == 4
    assert (storage.size(), len(storage), storage.nbytes(), storage.dtype) == (4, 4, 16, x.dtype)
    assert storage.data_ptr() == x.data_ptr()
    with pytest.raises(IndexError, match="out of range for storage of size 4"):
        storage[4]
    with pytest.raises(RuntimeError, match="TypedStorage with slice"):
        storage[:2]  # type: ignore[index]
    with pytest.raises(NotImplementedError, match="storage"):
        torch.vmap(lambda x: x * x.storage().nbytes())(x)
