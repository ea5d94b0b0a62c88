"""What a function reads from around it: closures, globals, and attributes of what it finds there.

A program that was made of a function holds what the function read at the time. `Surroundings` finds
that by the words in the function's code and in the code of what it may call, and says later whether
a word stands for something else, or an array has other elements.
"""

from __future__ import annotations

import array
import builtins
import contextvars
import functools
import operator
import random
import sys
import types
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from symgrad.record.record import Recorded
from symgrad.support.frames import OWN, is_of_libraries

#: Of longer containers the elements are not looked at, only the length.
_MOST_ELEMENTS = 1000
#: How the names of methods begin that are called without being named: of the language, and of
#: modules of a network.
_CALLED_UNNAMED = ("__", "forward")
#: Methods that are called when an object is made, and not when it is there.
_MAKING = ("__init__", "__new__", "__post_init__")
#: Objects that are what their text says.
_CONSTANTS = (int, float, complex, str, bytes, np.generic)
#: The folders that packages are installed in.
_INSTALLED = frozenset({"site-packages", "dist-packages"})
#: The packages whose classes are not looked into.
_LIBRARIES = {"symgrad", "numeric", "numpy", "scipy", "sympy", "mpmath", *sys.stdlib_module_names}
#: Generators of random numbers.
_GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
#: Objects whose elements are in their bytes.
_IN_BYTES = (bytearray, array.array)


class _Name(NamedTuple):
    """A word, element or cell, and what it referred to.

    Attributes
    ----------
    look_up : callable
        Returns what `key` refers to; `_itself`, where that is always the same.
    """

    look_up: Callable[[Any], Any]
    key: Any
    value: Any


class Surroundings:
    """What a function reads from around it, as it was when this object was made.

    Parameters
    ----------
    func : callable
    others : iterable
        Further objects that it reads: those arguments that are no arrays.

    Attributes
    ----------
    tensors : dict
        The tensors found, by their identity.
    generators : list
        The generators of random numbers found.
    """

    def __init__(self, func: Callable[..., Any], others: Iterable[Any] = ()) -> None:
        self._roots = [func, *others]
        self._words: set[str] = set()
        self._read: list[np.ndarray[Any, Any]] = []
        self.look()

    def look(self) -> None:
        """Take what is around the function now, where it may have changed that itself."""
        known = -1
        while known < len(self._words):  # what is found may read more attributes of what was found
            known = len(self._words)
            self.tensors: dict[int, Any] = {}
            self.generators: list[Any] = []
            self._classes: set[type] = set()
            self._names: list[_Name] = []
            self._elements = [_Elements(x) for x in self._read]
            self._walk()

    def changed(self) -> bool:
        """Return whether something has changed that the function may read."""
        try:
            for look_up, key, value in self._names:
                found = look_up(key)
                if found is not value and not _is_same_constant(found, value):
                    return True
        except (AttributeError, LookupError, ValueError):  # nothing is there any more
            return True
        return any(x.changed() for x in self._elements)

    def note_elements(self, array: np.ndarray[Any, Any]) -> None:
        """Note that elements were read: a change of them is a change of the surroundings."""
        self._read.append(array)

    def _walk(self) -> None:
        found: dict[int, Any] = {}
        stack = list(self._roots)
        while stack:
            x = stack.pop()
            if id(x) in found or isinstance(x, _CONSTANTS):
                continue
            found[id(x)] = x
            if isinstance(x, Recorded):
                self.tensors[id(x)] = x
            elif isinstance(x, _GENERATORS):
                self.generators.append(x)
            elif isinstance(x, (np.ndarray, *_IN_BYTES)):
                self._elements.append(_Elements(x))
            names = list(self._names_of(x))
            self._names += [name for name in names if name.look_up is not _itself]
            # The class of an object is walked with the object.
            stack += [name.value for name in names if name.look_up is not type]

    def _names_of(self, x: Any) -> Iterator[_Name]:
        """Return the names by which code may reach other objects from one."""
        if isinstance(x, types.FunctionType):
            yield from self._names_of_function(x)
        elif isinstance(x, types.ModuleType):
            if not _is_installed(getattr(x, "__file__", None) or "<symgrad"):
                yield from self._entries(vars(x), self._words.__contains__)
        elif isinstance(x, type):
            if not _is_library_class(x):
                yield from self._names_of_class(x)
        elif isinstance(x, Recorded):
            if "grad" in self._words and x._node() is None:
                yield from _attributes(x, "grad")
        elif isinstance(x, contextvars.ContextVar):
            yield _Name(x.get, None, x.get(None))
        elif isinstance(x, weakref.ref):
            yield _Name(_called, x, x())
        elif isinstance(x, np.ndarray):
            if x.dtype == object and x.size <= _MOST_ELEMENTS:
                yield from [_Name(x.flat.__getitem__, i, y) for i, y in enumerate(x.flat)]
        else:
            for kind, attributes in _HOLDING.items():
                if isinstance(x, kind):
                    yield from _attributes(x, *[k for k in attributes if hasattr(x, k)])
            yield from _elements_of(x)
            yield from self._names_of_object(x)

    def _names_of_object(self, x: Any) -> Iterator[_Name]:
        kind, table = type(x), getattr(x, "__dict__", None)
        users = [t for t in kind.__mro__ if t is not object and not _is_library_class(t)]
        derived = any(t.__module__.startswith("symgrad.") for t in kind.__mro__)
        if users:
            yield _Name(type, x, kind)
        if isinstance(table, dict):
            if derived and not users and "__wrapped__" in table:  # a compiled function
                yield _Name(table.__getitem__, "__wrapped__", table["__wrapped__"])
                return
            # The library's code reads all that its objects have, and what begins with "_".
            yield from self._entries(
                table, lambda k: k in self._words or (derived and (not users or k[:1] == "_"))
            )
            if not derived:
                yield from self._absent(table, self._words)
            else:  # an attribute of the object would hide that of the class
                yield from self._absent(table, {k for t in users for k in vars(t)} & self._words)
        for t in users:
            if t not in self._classes:
                self._classes.add(t)
                yield from self._names_of_class(t, _MAKING)
            slots = [k for k, v in vars(t).items() if isinstance(v, types.MemberDescriptorType)]
            yield from _attributes(x, *[k for k in slots if k in self._words and hasattr(x, k)])

    @staticmethod
    def _absent(table: Any, words: Iterable[str]) -> Iterator[_Name]:
        """Return the words that a table does not have."""
        yield from [_Name(table.__contains__, k, False) for k in words if k not in table]

    def _names_of_class(self, t: type, without: Iterable[str] = ()) -> Iterator[_Name]:
        derived = any(base.__module__.startswith("symgrad.") for base in t.__mro__)
        table = vars(t)

        def is_read(key: str) -> bool:
            if key in without:
                return False
            is_function = isinstance(table[key], (types.FunctionType, staticmethod))
            return (
                key in self._words or key.startswith(_CALLED_UNNAMED) or (derived and is_function)
            )

        yield from self._entries(table, is_read)
        yield from self._absent(table, self._words)
        if not without:
            for base in t.__bases__:
                yield _Name(_itself, base, base)

    def _names_of_function(self, f: types.FunctionType) -> Iterator[_Name]:
        file = f.__code__.co_filename
        is_library = is_of_libraries(file)
        if is_library and not file.startswith(OWN):  # a transform of symgrad's holds its function
            return
        for cell in f.__closure__ or ():
            try:
                yield from _attributes(cell, "cell_contents")
            except ValueError:  # the name is bound later
                continue
        if is_library:
            return
        yield from _attributes(f, "__code__", "__defaults__", "__kwdefaults__")
        words = _words_of(f.__code__)
        self._words |= words
        if _is_installed(file):
            return
        yield from self._entries(f.__globals__, words.__contains__)
        for word in words:
            if word in f.__globals__:
                continue
            if hasattr(builtins, word):
                yield _Name(f.__globals__.__contains__, word, False)
            if word in sys.modules:
                yield _Name(sys.modules.get, word, sys.modules[word])
        yield from self._entries(f.__dict__, self._words.__contains__)

    @staticmethod
    def _entries(table: Mapping[str, Any], is_read: Callable[[str], bool]) -> Iterator[_Name]:
        for key, value in [*table.items()]:
            if is_read(key):
                yield _Name(table.__getitem__, key, value)


class _Elements:
    """An array, and the shape and elements that it had."""

    __slots__ = ("_array", "_bytes", "_shape")

    def __init__(self, array: Any) -> None:
        self._array = array
        self._shape = getattr(array, "shape", None)
        self._bytes = bytes(array) if isinstance(array, bytearray) else array.tobytes()

    def changed(self) -> bool:
        x = self._array
        if getattr(x, "shape", None) != self._shape:
            return True
        if isinstance(x, bytearray):
            return x != self._bytes
        return bool(x.tobytes() != self._bytes)


class _Order:
    """The elements or keys of a container in their order."""

    __slots__ = ("_elements",)

    def __init__(self, x: Any) -> None:
        self._elements = tuple(x)

    def __call__(self, x: Any) -> Any:
        """Return this object where the container is as it was."""
        same = len(x) == len(self._elements)
        return self if same and all(map(operator.is_, x, self._elements)) else None


#: Objects of the language that hold others, and in which attributes.
_HOLDING: dict[Any, tuple[str, ...]] = {
    types.MethodType: ("__func__", "__self__"),
    types.BuiltinMethodType: ("__self__",),
    types.MethodWrapperType: ("__self__",),
    functools.partial: ("func", "args", "keywords"),
    functools.partialmethod: ("func", "args", "keywords"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget",),
}


def _elements_of(x: Any) -> Iterator[_Name]:
    """Return the elements of a container of the language's."""
    if not isinstance(x, (list, tuple, dict, set, frozenset, deque)):
        return
    if not isinstance(x, (tuple, frozenset)):
        yield _Name(len, x, len(x))
    if len(x) > _MOST_ELEMENTS:
        return
    if isinstance(x, (set, deque)) or (isinstance(x, dict) and len(x) > 1):
        order = _Order(x)
        yield _Name(order, x, order)
    if isinstance(x, (tuple, set, frozenset)):
        base: Any = next(t for t in (tuple, set, frozenset) if isinstance(x, t))
        elements = base.__iter__(x)  # whatever a class of the user's does
        yield from [_Name(_itself, y, y) for y in elements]
        return
    if isinstance(x, dict):
        yield from [_Name(_itself, k, k) for k in x if not isinstance(k, _CONSTANTS)]
    keys = x if isinstance(x, dict) else range(len(x))
    base = next(t for t in (dict, list, deque) if isinstance(x, t))
    look_up = functools.partial(base.__getitem__, x)
    yield from [_Name(look_up, key, look_up(key)) for key in keys]


def _itself(x: Any) -> Any:
    return x


def _called(x: Any) -> Any:
    return x()


def _attributes(x: Any, *names: str) -> Iterator[_Name]:
    look_up = functools.partial(getattr, x)
    for name in names:
        yield _Name(look_up, name, getattr(x, name))


def _words_of(code: types.CodeType) -> set[str]:
    """Return the words in a function's code and in that of functions in it: names and texts."""
    words: set[str] = set()
    stack: list[Any] = [code]
    while stack:
        x = stack.pop()
        if isinstance(x, types.CodeType):
            words.update(x.co_names)
            stack += x.co_consts
        elif isinstance(x, tuple):
            stack += x
        elif isinstance(x, str) and x.isidentifier():
            words.add(x)
    return words


def _is_installed(file: str) -> bool:
    """Return whether a file belongs to an installed package, whose own variables do not change.

    Those may be many: what one function of JAX may reach are a hundred thousand objects.
    """
    return is_of_libraries(file) or not _INSTALLED.isdisjoint(Path(file).parts)


def _is_library_class(t: type) -> bool:
    return t.__module__.partition(".")[0] in _LIBRARIES


def _is_same_constant(a: Any, b: Any) -> bool:
    """Return whether two objects are the same number or text."""
    return type(a) is type(b) and isinstance(a, _CONSTANTS) and repr(a) == repr(b)
