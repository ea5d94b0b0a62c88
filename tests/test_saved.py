"""Files of tensors: PyTorch's are read, PyTorch reads ours, and nothing hostile is done or made."""

from __future__ import annotations

import base64
import io
import json
import os
import pickle
import random
import struct
import tracemalloc
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symgrad as torch
from tests.data import record_saved
from tests.data.record_saved import OBJECTS
from tests.each import each

RECORDED = json.loads(record_saved.PATH.read_text(encoding="utf-8"))
#: What a reader may raise, on purpose.
ERRORS = (pickle.UnpicklingError, RuntimeError, ValueError, EOFError)


def bytes_of(name: str, whose: str = "file of PyTorch") -> bytes:
    return base64.b64decode(RECORDED[name][whose])


def seen(x: Any) -> Any:
    return json.loads(json.dumps(x))


def test_all_objects_are_recorded() -> None:
    assert RECORDED.keys() == OBJECTS.keys()


@pytest.mark.parametrize("name", OBJECTS)
def test_what_pytorch_wrote_is_read(name: str) -> None:
    assert seen(record_saved.read(torch, bytes_of(name))) == RECORDED[name]["read"]


@pytest.mark.parametrize("name", OBJECTS)
def test_the_file_is_the_one_that_pytorch_read(name: str) -> None:
    data = record_saved.written(torch, name)
    if name not in (
        "SGD",
        "Adam",
        "RMSprop",
    ):  # whose last digits another NumPy may round otherwise
        assert data == bytes_of(name, "file of symgrad")
    assert seen(record_saved.read(torch, data)) == RECORDED[name]["read"]


@pytest.mark.oracle
@pytest.mark.parametrize("name", OBJECTS)
def test_pytorch_reads_it(name: str) -> None:
    theirs = pytest.importorskip("torch")
    assert seen(record_saved.read(theirs, record_saved.written(torch, name))) == seen(
        record_saved.read(theirs, record_saved.written(theirs, name))
    )


# ---------------------------------------------------------------- files


def test_paths_and_file_objects(tmp_path: Path) -> None:
    for path in (tmp_path / "a.pt", str(tmp_path / "b")):
        torch.save([torch.ones(2)], path)
        assert torch.load(path)[0].tolist() == [1.0, 1.0]
    with open(tmp_path / "a.pt", "rb") as file:
        assert torch.load(file, map_location=torch.device("cpu"))[0].shape == (2,)


def test_what_cannot_be_saved_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    torch.save(1, path)
    with pytest.raises(pickle.PicklingError, match=r"cannot save a [a-z.]*function"):
        torch.save([torch.ones(1), len, lambda: 1][::2], path)
    assert torch.load(path) == 1


class Marked(torch.Tensor):
    pass


def marked() -> Any:
    x = torch.ones(1)
    x.note = "kept?"
    return x


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: torch.nn.Linear(1, 1), r"cannot save a symgrad\.nn\.\S*Linear.*state_dict"),
        (lambda: np.ones(2), "cannot save a numpy.ndarray"),
        (lambda: np.float64(1.0), "cannot save a numpy.float64"),
        (lambda: Marked([1.0]), "Marked"),
        (marked, "with the attributes note"),
        (lambda: torch.leaf("x", (2,)), "cannot save a "),
        (lambda: {frozenset(): 1}, "as a key of a dict"),
        (lambda: {torch.ones(1): 1}, "as a key of a dict"),
        (lambda: frozenset(), "cannot save a builtins.frozenset"),
    ],
)
def test_what_is_no_plain_data_is_not_saved(make: Any, words: str) -> None:
    with pytest.raises(pickle.PicklingError, match=words):
        torch.save(make(), io.BytesIO())


def test_arguments() -> None:
    data = bytes_of("tensor")
    with pytest.warns(UserWarning, match="reads no more than weights_only=True"):
        torch.load(io.BytesIO(data), weights_only=False)
    for place in ("cuda", torch.device("cuda:0"), {"cpu": "cuda"}):
        with pytest.raises(RuntimeError, match="deserialize object on a CUDA device"):
            torch.load(io.BytesIO(data), map_location=place)
    with pytest.raises(RuntimeError, match="only the CPU"):
        torch.load(io.BytesIO(data), map_location=torch.device("meta"))
    with pytest.raises(TypeError, match="'int' object is not callable"):
        torch.load(io.BytesIO(data), map_location=3)
    assert torch.load(io.BytesIO(data), weights_only=None, mmap=True).shape == (2, 3)


def test_tensors_of_names_and_odd_memory() -> None:
    back = np.arange(6.0)[::-1]
    odd = [
        torch.from_numpy(back.copy()),
        torch.tensor([1.0], name="x"),
        torch.nn.Buffer(torch.ones(1)),
    ]
    for x in [
        *odd,
        torch.ones(2, 3).transpose(0, 1)[1:],
        torch.ones(2, dtype=torch.complex64).real,
    ]:
        file = io.BytesIO()
        torch.save(x, file)
        found = torch.load(file)
        assert torch.equal(found, x) and found.stride() == x.stride()
        found.add_(1)


def test_data_begin_at_multiples_of_64_bytes() -> None:
    file = io.BytesIO()
    torch.save([torch.ones(i) for i in range(5)], file)
    for x in zipfile.ZipFile(file).infolist():
        file.seek(x.header_offset + 26)
        name, extra = struct.unpack("<HH", file.read(4))
        assert (x.header_offset + 30 + name + extra) % 64 == 0


# ---------------------------------------------------------------- hostile files


def changed(**records: Any) -> bytes:
    out = io.BytesIO()
    given = zipfile.ZipFile(io.BytesIO(bytes_of("tensor")))
    made = zipfile.ZipFile(out, "w")
    for name in given.namelist():
        short = name.partition("/")[2]
        data = records.pop(short, given.read(name))
        if data is not None:
            made.writestr(name, data)
    for name, data in records.items():
        made.writestr(f"archive/{name}", data)
    made.close()
    return out.getvalue()


def pickled(data: bytes, **records: Any) -> bytes:
    return changed(**{"data.pkl": b"\x80\x02" + data + b".", **records})


def word(text: str) -> bytes:
    data = text.encode()
    return b"X" + struct.pack("<I", len(data)) + data


def number(n: int) -> bytes:
    data = n.to_bytes(9, "little", signed=True)
    return b"\x8a\x09" + data


def sizes(*ns: int) -> bytes:
    return b"(" + b"".join(map(number, ns)) + b"t"


def storage(key: str = "0", count: int = 6, where: str = "cpu", kind: str = "Float") -> bytes:
    named = word("storage") + b"ctorch\n" + kind.encode() + b"Storage\n"
    return b"(" + named + word(key) + word(where) + number(count) + b"tQ"


HOOKS = b"ccollections\nOrderedDict\n)R"
REBUILD = b"ctorch._utils\n_rebuild_tensor_v2\n("


def tensor(
    shape: bytes, strides: bytes, offset: int = 0, of: bytes = b"", grad: bytes = b"\x89"
) -> bytes:
    return REBUILD + (of or storage()) + number(offset) + shape + strides + grad + HOOKS + b"tR"


def test_the_parts_of_hostile_files_make_good_ones() -> None:
    good = pickled(tensor(sizes(2, 3), sizes(3, 1)))
    assert torch.equal(torch.load(io.BytesIO(good)), torch.arange(6.0).view(2, 3))
    many = torch.load(io.BytesIO(pickled(tensor(sizes(2**40, 1), sizes(0, 7)))))
    assert many.shape == (2**40, 1)  # which takes no memory


PICKLES: dict[str, tuple[bytes, str]] = {
    "eval": (b"cbuiltins\neval\n" + word("1") + b"\x85R", r"builtins\.eval"),
    "eval of Python 2": (b"c__builtin__\neval\n" + word("1") + b"\x85R", r"__builtin__\.eval"),
    "system": (b"cos\nsystem\n" + word("true") + b"\x85R", r"os\.system"),
    "getattr": (b"cbuiltins\ngetattr\n" + word("a") + word("b") + b"\x86R", r"builtins\.getattr"),
    "bytearray": (b"cbuiltins\nbytearray\n" + number(2**40) + b"\x85R", "bytearray"),
    "numpy": (b"cnumpy._core.multiarray\n_reconstruct\n", "numpy"),
    "legacy tensors": (b"ctorch._utils\n_rebuild_tensor\n", "_rebuild_tensor,"),
    "bfloat16": (storage(kind="BFloat16"), "BFloat16Storage"),
    "no dots": (b"ctorch._utils\n_rebuild_tensor_v2.__globals__\n", "__globals__"),
    "import by old instructions": (b"(S'ls'\nios\nsystem\n", "has the instruction"),
    "object": (b"(cos\nsystem\no", r"os\.system"),
    "stack global": (b"\x8c\x02os\x8c\x06system\x93", "has the instruction"),
    "new object": (b"ccollections\nOrderedDict\n)\x81", "has the instruction"),
    "extension": (b"\x82\x01", "has the instruction"),
    "call of a string": (word("a") + b")R", "a str is called"),
    "call of a dtype": (b"ctorch\nfloat32\n)R", "a dtype is called"),
    "call of a storage": (storage() + b")R", "is called"),
    "arguments": (b"ccollections\nOrderedDict\n]R", "is called"),
    "a class itself": (b"ctorch\nSize\n", "the file contains torch.Size itself"),
    "hidden": (
        b"}" + word("a") + b"(ctorch\nSize\nts",
        "torch.Size itself",
    ),
    "a storage itself": (b"]" + storage() + b"a", "a storage itself"),
    "attributes": (HOOKS + b"}" + word("items") + b"Nsb", "attributes other than _metadata"),
    "attributes of a function": (b"ctorch\nSize\n}" + word("call") + b"Nsb", "BUILD"),
    "attributes of a tensor": (
        tensor(sizes(1), sizes(1)) + b"}" + word("_data") + b"Nsb",
        "BUILD",
    ),
    "items of a function": (b"ctorch\nSize\n" + word("a") + b"Ns", "SETITEM"),
    "list as a key": (b"}]Ns", "a list is a key"),
    "deep key": (b"})" + b"\x85" * 100_000 + b"Ns", "a tuple is a key"),
    "deep set": (b"c__builtin__\nset\n])" + b"\x85" * 100_000 + b"a\x85R", "a tuple is a key"),
    "no operand": (b"a", "APPEND"),
    "mark as an operand": (b"](a", "APPEND"),
    "no mark": (b"Nt", "no mark"),
    "odd items": (b"}(Nu", "SETITEMS"),
    "several objects": (b"NN", "damaged"),
    "no object": (b"", "damaged"),
    "no memo": (b"h\x07", "BINGET"),
    "long string": (b"X\xff\xff\xff\x7fa", "cut off"),
    "protocol": (b"\x80\x04N", "protocol 4"),
    "storage without a tuple": (word("a") + b"Q", "no storage"),
    "storage of another name": (storage("1"), "no record 'data/1'"),
    "path": (storage("../../etc/passwd"), "the name of a storage is a number"),
    "root": (storage("/etc/passwd"), "the name of a storage is a number"),
    "digits of others": (storage("٠"), "the name of a storage is a number"),
    "huge storage": (storage(count=2**50), "does not match expected size"),
    "small storage": (storage(count=5), "does not match expected size"),
    "negative storage": (storage(count=-6), "without dtype, place or size"),
    "other dtype": (storage(kind="Double"), "does not match expected size"),
    "two dtypes": (b"]" + storage() + b"a" + storage(kind="Int") + b"a", "in two ways"),
    "a GPU": (storage(where="cuda:0"), "deserialize object on a CUDA device"),
    "another device": (storage(where="xla:0"), "only the CPU"),
    "beyond": (tensor(sizes(7), sizes(1)), "reach beyond a storage of 6"),
    "beyond by strides": (tensor(sizes(2), sizes(6)), "reach beyond"),
    "beyond by offset": (tensor(sizes(1), sizes(1), 6), "reach beyond"),
    "beyond what integers hold": (tensor(sizes(2**62, 2**62), sizes(0, 0)), "too large"),
    "beyond at a stride": (tensor(sizes(2), sizes(2**63 - 1)), "reach beyond"),
    "huge without elements": (tensor(sizes(0, 2**62), sizes(1, 1)), "too large"),
    "negative size": (tensor(sizes(-1), sizes(1)), "sizes and strides"),
    "negative stride": (tensor(sizes(2), sizes(-1), 3), "sizes and strides"),
    "negative offset": (tensor(sizes(2), sizes(1), -1), "no tensor has"),
    "fewer strides": (tensor(sizes(2, 3), sizes(1)), "no tensor has"),
    "many axes": (tensor(sizes(*[1] * 65), sizes(*[1] * 65)), "no tensor has"),
    "gradients of integers": (
        tensor(sizes(1), sizes(1), of=storage(kind="Int"), grad=b"\x88"),
        "cannot require gradients",
    ),
    "few arguments": (REBUILD + b"tR", "missing"),
    "size of strings": (b"ctorch\nSize\n(" + word("a") + b"t\x85R", "tuple of integers"),
    "device of the dark": (b"ctorch\ndevice\n" + word("gone") + b"\x85R", "device"),
    "encoding": (b"c_codecs\nencode\n" + word("a") + word("rot13") + b"\x86R", "latin1"),
    "parameter of a list": (
        b"ctorch._utils\n_rebuild_parameter\n(]\x88" + HOOKS + b"tR",
        "made of a tensor",
    ),
}


@each("name", list(PICKLES))
def test_hostile_pickles_are_refused_in_words(name: str) -> None:
    data, words = PICKLES[name]
    kinds = (pickle.UnpicklingError, RuntimeError)
    with pytest.raises(kinds, match=words):
        torch.load(io.BytesIO(pickled(data)))


def test_a_device_is_read_where_there_is_a_location() -> None:
    data = pickled(tensor(sizes(2), sizes(1), of=storage(where="cuda:0")))
    for place in ("cpu", torch.device("cpu"), {"cuda:0": "cpu"}, lambda storage, where: storage):
        assert torch.load(io.BytesIO(data), map_location=place).tolist() == [0.0, 1.0]


def compressed() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("archive/version", "3")
        made.writestr("archive/data/0", bytes(10**7))
    return out.getvalue()


def doubled() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("archive/version", "3")
        made.writestr("other/version", "3")
    return out.getvalue()


def declared(size: int) -> bytes:
    """Return a file whose directory says that its storage has a size."""
    data = bytearray(bytes_of("tensor"))
    place = data.index(b"PK\x01\x02")
    while not data[place + 46 :].startswith(b"archive/data/0"):
        place = data.index(b"PK\x01\x02", place + 1)
    data[place + 20 : place + 28] = struct.pack("<II", size, size)
    return bytes(data)


ARCHIVES: dict[str, tuple[Any, str]] = {
    "compressed": (compressed, "compressed"),
    "two records": (doubled, "two records"),
    "larger than the file": (lambda: declared(2**31), "larger than the file"),
    "into the next record": (lambda: declared(100), "damaged|cut off|does not match"),
    "no version": (lambda: changed(version=None), "no record 'version'"),
    "version": (lambda: changed(version=b"new"), "no number"),
    "byte order": (lambda: changed(byteorder=b"middle"), "endianness"),
    "no pickle": (lambda: changed(**{"data.pkl": None}), "no record 'data.pkl'"),
    "bytes": (lambda: bytes_of("tensor").replace(b"\0\0\x80\x3f", b"\1\0\x80\x3f"), "damaged"),
    "start": (lambda: b"PK\x03\x04", "no zip archive"),
    "text": (lambda: b"hello, world", "older format"),
    "empty": (lambda: b"", "empty"),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_damaged_archives_are_refused_in_words(name: str) -> None:
    make, words = ARCHIVES[name]
    with pytest.raises(ERRORS, match=words):
        torch.load(io.BytesIO(make()))


@each("name", list(OBJECTS))
def test_a_file_that_is_cut_off_is_refused(name: str) -> None:
    data = bytes_of(name)
    for end in {*range(0, len(data), 97), len(data) - 1}:
        with pytest.raises(ERRORS):
            torch.load(io.BytesIO(data[:end]))


@pytest.mark.parametrize("count", [400, pytest.param(1500, marks=pytest.mark.slow)])
def test_random_changes_are_refused_or_give_plain_data(count: int) -> None:
    """Whatever a file says: no other error, no large memory, nothing but data."""
    rng = random.Random(0)
    refused = 0
    tracemalloc.start()
    for i in range(count):
        name = rng.choice(list(OBJECTS))
        given = zipfile.ZipFile(io.BytesIO(bytes_of(name)))
        if i % 3:  # the pickle alone, so that the sums of the archive are right
            data = bytearray(given.read("archive/data.pkl"))
            storages = {
                n.partition("/")[2]: given.read(n) for n in given.namelist() if "data/" in n
            }
            records = {"data/0": None, **storages}
        else:
            data = bytearray(bytes_of(name))
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        file = changed(**records, **{"data.pkl": bytes(data)}) if i % 3 else bytes(data)
        try:
            torch.load(io.BytesIO(file))
        except ERRORS:
            refused += 1
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10**8
    assert refused > count // 3


def test_loading_imports_and_runs_nothing(tmp_path: Path) -> None:
    left = tmp_path / "left"

    class Runs:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(left),)

    for protocol in range(6):
        data = changed(**{"data.pkl": pickle.dumps([1, Runs()], protocol)})
        with pytest.raises(pickle.UnpicklingError):
            torch.load(io.BytesIO(data))
    assert not left.exists()


def test_deep_lists_are_read() -> None:
    found = torch.load(io.BytesIO(pickled(b"]" * 5000 + b"a" * 4999)))
    depth = 0
    while found:
        (found,) = found
        depth += 1
    assert depth == 4999
    ordered: Any = torch.load(io.BytesIO(pickled(HOOKS + b"}" + word("_metadata") + b"Nsb")))
    assert type(ordered) is OrderedDict and ordered._metadata is None
