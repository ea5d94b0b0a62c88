"""What a function reads from around it: closures, globals, and attributes of what it finds there.

A program that was made of a function holds what the function read at the time. `Surroundings` finds
that by the names in the function's code and in the code of what it may call, and says later whether
a name stands for something else, or an array has other elements.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from symgrad.record.record import Recorded
from symgrad.support.frames import OWN, is_of_libraries

#: Of longer containers the elements are not looked at, only the length.
_MOST_ELEMENTS = 1000
#: How the names of methods begin that are called without being named: of the language, and of
#: modules of a network.
_CALLED_UNNAMED = ("__", "forward")
#: Methods that are called when an object is made.
_MAKING = ("__init__", "__new__", "__post_init__")
#: Objects that are what their text says.
_CONSTANTS = (int, float, complex, str, bytes, np.generic)
#: The packages whose classes are not looked into.
_LIBRARIES = {"symgrad", "numeric", "numpy", "scipy", "sympy", "mpmath", *sys.stdlib_module_names}


class _Name(NamedTuple):
    """A name, element or cell, and what it referred to.

    Attributes
    ----------
    look_up : callable
        Returns what `key` refers to; None where a table no longer has it.
    """

    look_up: Callable[[Any], Any]
    key: Any
    value: Any


class Surroundings:
    """What a function reads from around it, as it was when this object was made.

    Attributes
    ----------
    tensors : dict
        The tensors found, by their identity.
    """

    def __init__(self, func: Callable[..., Any]) -> None:
        self._func = func
        self._words: set[str] = set()
        self._read: list[np.ndarray[Any, Any]] = []
        self.look()

    def look(self) -> None:
        """Take what is around the function now, where it may have changed that itself."""
        known = -1
        while known < len(self._words):  # what is found may read more attributes of what was found
            known = len(self._words)
            self.tensors: dict[int, Any] = {}
            self._names: list[_Name] = []
            self._elements: list[tuple[np.ndarray[Any, Any], bytes]] = []
            self._walk(self._func)
        for array in self._read:
            self._elements.append((array, array.tobytes()))

    def changed(self) -> bool:
        """Return whether something has changed that the function may read."""
        try:
            for look_up, key, value in self._names:
                found = look_up(key)
                if found is not value and not _is_same_constant(found, value):
                    return True
        except (AttributeError, LookupError, ValueError):  # nothing is there any more
            return True
        return any(array.tobytes() != elements for array, elements in self._elements)

    def note_elements(self, array: np.ndarray[Any, Any]) -> None:
        """Note that elements were read: a change of them is a change of the surroundings."""
        self._read.append(array)

    def _walk(self, func: Any) -> None:
        found: dict[int, Any] = {}
        stack = [func]
        while stack:
            x = stack.pop()
            if id(x) in found:
                continue
            found[id(x)] = x
            if isinstance(x, Recorded):
                self.tensors[id(x)] = x
                if "grad" in self._words and x._node() is None:
                    names = list(_attributes(x, ("grad",)))
                    self._names += names
                    stack += [name.value for name in names]
            elif isinstance(x, np.ndarray):
                self._elements.append((x, x.tobytes()))
            else:
                names = list(self._names_of(x))
                self._names += names
                stack += [name.value for name in names]

    def _names_of(self, x: Any) -> Iterator[_Name]:
        """Return the names by which code may reach other objects from one."""
        kind = type(x)
        table = getattr(x, "__dict__", None)
        if isinstance(x, types.FunctionType):
            yield from self._names_of_function(x)
        elif isinstance(x, types.MethodType):
            yield from _attributes(x, ("__func__", "__self__"))
        elif isinstance(x, functools.partial):
            yield from _attributes(x, ("func", "args", "keywords"))
        elif isinstance(table, dict) and "__wrapped__" in table:  # as a compiled function
            yield _Name(table.get, "__wrapped__", x.__wrapped__)
        elif isinstance(x, (staticmethod, classmethod)):
            yield from _attributes(x, ("__func__",))
        elif isinstance(x, property):
            yield from _attributes(x, ("fget",))
        elif isinstance(x, types.ModuleType):
            if not is_of_libraries(getattr(x, "__file__", None) or "<symgrad"):
                yield from _entries(vars(x), self._words.__contains__)
        elif isinstance(x, type):
            if not _is_library_class(x):
                yield from self._names_of_class(x)
        else:
            if isinstance(x, (list, tuple, dict)):
                yield _Name(len, x, len(x))
                if len(x) <= _MOST_ELEMENTS:
                    look_up: Any = x.get if isinstance(x, dict) else x.__getitem__
                    keys = x if isinstance(x, dict) else range(len(x))
                    yield from [_Name(look_up, key, x[key]) for key in keys]
            users = [t for t in kind.__mro__ if t is not object and not _is_library_class(t)]
            derived = any(t.__module__.startswith("symgrad.") for t in kind.__mro__)
            if isinstance(table, dict):
                # The library's code reads all that its objects have, and what begins with "_".
                yield from _entries(
                    table, lambda k: k in self._words or (derived and (not users or k[:1] == "_"))
                )
            for t in users:
                yield from self._names_of_class(t, x)

    def _names_of_class(self, t: type, x: Any = None) -> Iterator[_Name]:
        derived = any(base.__module__.startswith("symgrad.") for base in t.__mro__)
        table = vars(t)

        def is_read(key: str) -> bool:
            if x is not None and key in _MAKING:  # the object is there already
                return False
            is_function = isinstance(table[key], (types.FunctionType, staticmethod))
            return (
                key in self._words or key.startswith(_CALLED_UNNAMED) or (derived and is_function)
            )

        for name in _entries(table, is_read):
            if isinstance(name.value, types.MemberDescriptorType):  # an entry of `__slots__`
                if hasattr(x, name.key):
                    yield from _attributes(x, (name.key,))
                continue
            yield name
            if name.key in self._words and name.key not in (own := getattr(x, "__dict__", table)):
                yield _Name(own.get, name.key, None)  # an attribute of the object would hide it

    def _names_of_function(self, f: types.FunctionType) -> Iterator[_Name]:
        file = f.__code__.co_filename
        is_library = is_of_libraries(file)
        if is_library and not file.startswith(OWN):  # a transform of symgrad's holds its function
            return
        for cell in f.__closure__ or ():
            try:
                yield from _attributes(cell, ("cell_contents",))
            except ValueError:  # the name is bound later
                continue
        if is_library:
            return
        yield from _attributes(f, ("__code__", "__defaults__", "__kwdefaults__"))
        words = _words_of(f.__code__)
        self._words |= words
        yield from _entries(f.__globals__, words.__contains__)


def _attributes(x: Any, names: tuple[str, ...]) -> Iterator[_Name]:
    look_up = functools.partial(getattr, x)
    for name in names:
        yield _Name(look_up, name, getattr(x, name))


def _entries(table: Mapping[str, Any], is_read: Callable[[str], bool]) -> Iterator[_Name]:
    for key, value in [*table.items()]:
        if is_read(key) and not isinstance(value, types.BuiltinFunctionType):
            yield _Name(table.get, key, value)


def _words_of(code: types.CodeType) -> set[str]:
    """Return the names of globals and attributes in a function's code, and of functions in it."""
    words: set[str] = set()
    stack = [code]
    while stack:
        inner = stack.pop()
        words.update(inner.co_names)
        stack += [c for c in inner.co_consts if isinstance(c, types.CodeType)]
    return words


def _is_library_class(t: type) -> bool:
    return t.__module__.partition(".")[0] in _LIBRARIES


def _is_same_constant(a: Any, b: Any) -> bool:
    """Return whether two objects are the same number or text."""
    return type(a) is type(b) and isinstance(a, _CONSTANTS) and repr(a) == repr(b)
