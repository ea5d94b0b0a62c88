"""Reading pickles of plain data: nothing is called but what the reader is given.

The reader knows the instructions that PyTorch's files consist of. Python's own one is not asked:
it imports modules and calls what they define.
"""

from __future__ import annotations

import pickle
import struct
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from pickle import UnpicklingError
from typing import Any

from symgrad.expr.devices import device
from symgrad.expr.dtypes import dtype
from symgrad.expr.size import Size

#: The classes of keys and of elements of sets, beside tuples of them.
KEYS = (type(None), bool, int, float, complex, str, bytes, dtype, Size, device)

#: What wrong operands of an instruction may raise.
_WRONG = (
    AttributeError, IndexError, KeyError, MemoryError, OverflowError, RecursionError, TypeError,
    ValueError, struct.error,
)  # fmt: skip


def _check_key(key: Any) -> None:
    """Raise for what no dict or set of such a file holds: other keys may be slow to compare."""
    for x in key if type(key) is tuple else (key,):
        if type(x) not in KEYS:
            raise UnpicklingError(f"a {type(x).__name__} is a key of a dict or an element of a set")


class Inner:
    """The base class of what a pickle mentions, but no result may contain."""

    __slots__ = ()


class Call(Inner):
    """A global of a pickle, which is called with arguments of the pickle.

    Parameters
    ----------
    name : str
        The global, as errors name it.
    call : callable
        Checks the arguments, and returns what is made of them.
    """

    __slots__ = ("call", "name")

    def __init__(self, name: str, call: Callable[..., Any]) -> None:
        self.name, self.call = name, call


class _Mark(Inner):
    __slots__ = ()


_MARK = _Mark()


class Reader:
    """The state of reading one pickle.

    Parameters
    ----------
    known : mapping
        The globals by their names: a `Call`, or a value.
    persistent : callable
        Returns what a persistent identifier stands for.
    """

    def __init__(self, known: Mapping[str, Any], persistent: Callable[[Any], Any]) -> None:
        self._known, self._persistent = known, persistent
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def read(self, pickled: bytes) -> Any:
        """Return the object that a pickle describes.

        Raises
        ------
        UnpicklingError
            For what is no pickle of plain data: the message names what is refused.
        """
        try:
            for name, operand, place in _instructions(pickled):
                step = _STEPS[name]
                try:
                    step(self, operand)
                except _WRONG as error:
                    raise UnpicklingError(f"{name} at byte {place}: {error}") from None
            (found,) = self._stack
        except _WRONG as error:
            raise UnpicklingError(f"the pickle is damaged: {error}") from None
        _check_whole(found)
        return found

    def _push(self, x: Any) -> None:
        self._stack.append(x)

    def _pop(self) -> Any:
        found = self._stack.pop()
        if found is _MARK:
            raise ValueError("there is no operand")
        return found

    def _pop_to_mark(self) -> list[Any]:
        stack = self._stack
        start = len(stack) - 1
        while stack[start] is not _MARK:
            start -= 1
            if start < 0:
                raise ValueError("there is no mark")
        found = stack[start + 1 :]
        del stack[start:]
        return found

    def _top(self, *kinds: type) -> Any:
        found = self._stack[-1]
        if type(found) not in kinds:
            raise TypeError(f"it is applied to a {type(found).__name__}")
        return found

    def _proto(self, version: int) -> None:
        if version != 2:
            raise UnpicklingError(f"the pickle has the protocol {version}, and not 2")

    def _global(self, path: str) -> None:
        if path not in self._known:
            if path.startswith("torch.") and path.endswith("Storage"):
                raise UnpicklingError(
                    f"the file has a {path}, whose dtype symgrad does not have: convert the "
                    "tensors in PyTorch, as by .float(), and save them again"
                )
            raise UnpicklingError(
                f"the file asks for {path}, which is none of the globals that files of tensors "
                "consist of; nothing of the file was run"
            )
        self._push(self._known[path])

    def _persist(self, _: Any) -> None:
        self._push(self._persistent(self._pop()))

    def _reduce(self, _: Any) -> None:
        arguments, called = self._pop(), self._pop()
        if type(called) is not Call or type(arguments) is not tuple:
            raise UnpicklingError(f"a {type(called).__name__} is called")
        try:
            self._push(called.call(*arguments))
        except _WRONG as error:
            raise UnpicklingError(f"{called.name}: {error}") from None

    def _build(self, _: Any) -> None:
        state = self._pop()
        built = self._top(OrderedDict)
        if type(state) is not dict or set(state) != {"_metadata"}:
            raise UnpicklingError("an OrderedDict has attributes other than _metadata")
        built._metadata = state["_metadata"]

    def _put(self, place: int) -> None:
        self._memo[place] = self._stack[-1]

    def _get(self, place: int) -> None:
        self._push(self._memo[place])

    def _tuple(self, count: int) -> None:
        self._push(tuple([self._pop() for _ in range(count)][::-1]))

    def _append(self, _: Any) -> None:
        item = self._pop()
        self._top(list).append(item)

    def _appends(self, _: Any) -> None:
        items = self._pop_to_mark()
        self._top(list).extend(items)

    def _set_item(self, _: Any) -> None:
        value, key = self._pop(), self._pop()
        self._set([key, value])

    def _set(self, flat: list[Any]) -> None:
        into = self._top(dict, OrderedDict)
        for key, value in zip(flat[::2], flat[1::2], strict=True):
            _check_key(key)
            into[key] = value


Step = Callable[[Reader, Any], None]


def _always(make: Callable[[], Any]) -> Step:
    return lambda reader, _: reader._push(make())


_STEPS: dict[str, Step] = {
    "PROTO": Reader._proto,
    "STOP": lambda reader, _: None,
    "GLOBAL": Reader._global,
    "BINPERSID": Reader._persist,
    "REDUCE": Reader._reduce,
    "BUILD": Reader._build,
    "MARK": _always(lambda: _MARK),
    "NONE": _always(lambda: None),
    "NEWTRUE": _always(lambda: True),
    "NEWFALSE": _always(lambda: False),
    "EMPTY_TUPLE": _always(tuple),
    "EMPTY_LIST": _always(list),
    "EMPTY_DICT": _always(dict),
    "TUPLE1": lambda reader, _: reader._tuple(1),
    "TUPLE2": lambda reader, _: reader._tuple(2),
    "TUPLE3": lambda reader, _: reader._tuple(3),
    "TUPLE": lambda reader, _: reader._push(tuple(reader._pop_to_mark())),
    "APPEND": Reader._append,
    "APPENDS": Reader._appends,
    "SETITEM": Reader._set_item,
    "SETITEMS": lambda reader, _: reader._set(reader._pop_to_mark()),
    **dict.fromkeys(
        ("BININT", "BININT1", "BININT2", "LONG1", "LONG4", "BINFLOAT", "BINUNICODE"), Reader._push
    ),
    **dict.fromkeys(("BINPUT", "LONG_BINPUT"), Reader._put),
    **dict.fromkeys(("BINGET", "LONG_BINGET"), Reader._get),
}


#: The instructions by their bytes, as Python's module names them.
_NAMES: dict[bytes, str] = {getattr(pickle, name): name for name in _STEPS}

#: How the operands of fixed length are written.
_FIXED = {
    **dict.fromkeys(("PROTO", "BININT1", "BINPUT", "BINGET"), struct.Struct("<B")),
    **dict.fromkeys(("LONG_BINPUT", "LONG_BINGET"), struct.Struct("<I")),
    "BININT": struct.Struct("<i"),
    "BININT2": struct.Struct("<H"),
    "BINFLOAT": struct.Struct(">d"),
}

#: How the lengths of the others are written, and what their bytes mean.
_LONG: dict[str, tuple[struct.Struct, Callable[[bytes], Any]]] = {
    "LONG1": (struct.Struct("<B"), lambda data: int.from_bytes(data, "little", signed=True)),
    "LONG4": (struct.Struct("<I"), lambda data: int.from_bytes(data, "little", signed=True)),
    "BINUNICODE": (struct.Struct("<I"), lambda data: data.decode("utf-8", "surrogatepass")),
}


def _instructions(pickled: bytes) -> Iterator[tuple[str, Any, int]]:
    """Yield the instructions of a pickle up to its end: name, operand and place."""
    place, name = 0, ""
    while name != "STOP":
        start, code = place, pickled[place : place + 1]
        if code not in _NAMES:
            what = f"has the instruction {code!r} at byte {place}" if code else "has no end"
            raise UnpicklingError(f"the pickle {what}")
        name, place, operand = _NAMES[code], place + 1, None
        if name in _FIXED:
            (operand,) = _FIXED[name].unpack_from(pickled, place)
            place += _FIXED[name].size
        elif name in _LONG:
            head, meaning = _LONG[name]
            (length,) = head.unpack_from(pickled, place)
            place += head.size + length
            if place > len(pickled):
                raise UnpicklingError(f"the operand of {name} at byte {start} is cut off")
            operand = meaning(pickled[place - length : place])
        elif name == "GLOBAL":
            middle = pickled.index(b"\n", place)
            end = pickled.index(b"\n", middle + 1)
            operand = pickled[place:end].decode().replace("\n", ".")
            place = end + 1
        yield name, operand, start


def _check_whole(found: Any) -> None:
    """Raise where a result contains what only the pickle needs, such as a storage."""
    seen: set[int] = set()
    waiting: list[Any] = [found]
    while waiting:
        x = waiting.pop()
        if isinstance(x, Inner):
            name = x.name if isinstance(x, Call) else "a storage"
            raise UnpicklingError(f"the file contains {name} itself, and not what is made of it")
        if type(x) in (list, tuple, dict, OrderedDict) and id(x) not in seen:
            seen.add(id(x))
            if isinstance(x, dict):
                waiting += x.values()
                waiting += vars(x).values() if type(x) is OrderedDict else ()
            else:
                waiting += x


# ------------------------------------------------------------------ what plain globals make


def _encode(text: str, encoding: str) -> bytes:
    if type(text) is not str or encoding != "latin1":
        raise ValueError("bytes are written as text of latin1")
    return text.encode("latin1")


def _complex(real: float, imag: float) -> complex:
    if type(real) is not float or type(imag) is not float:
        raise TypeError("the parts of a complex number are floats")
    return complex(real, imag)


def _set(items: list[Any]) -> set[Any]:
    if type(items) is not list:
        raise TypeError("a set is made of a list")
    for x in items:
        _check_key(x)
    return set(items)


def _ordered() -> OrderedDict[Any, Any]:
    return OrderedDict()


def _size(lengths: tuple[int, ...]) -> Size:
    if type(lengths) is not tuple or any(type(n) is not int for n in lengths):
        raise TypeError("a Size is made of a tuple of integers")
    return Size(lengths)


def _device(kind: str, index: int | None = None) -> device:
    if type(kind) is not str or type(index) not in (int, type(None)):
        raise TypeError("a device is made of a name and a number")
    try:
        return device(kind) if index is None else device(kind, index)
    except RuntimeError as error:
        raise ValueError(str(error)) from None


#: The globals of data other than tensors.
_CALLED: dict[str, Callable[..., Any]] = {
    "_codecs.encode": _encode,
    "__builtin__.complex": _complex,
    "builtins.complex": _complex,
    "__builtin__.set": _set,
    "builtins.set": _set,
    "collections.OrderedDict": _ordered,
    "torch.Size": _size,
    "torch.device": _device,
}
PLAIN = {name: Call(name, call) for name, call in _CALLED.items()}
