"""Modules that hold other modules: in a row, in a list, in a dictionary."""

from __future__ import annotations

import itertools
import operator
from collections import OrderedDict
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from typing import Any, Self

from symgrad.nn.modules.module import Module
from symgrad.nn.modules.registration import typename


class Numbered(Module):
    """Modules in an order: what `Sequential` and `ModuleList` have in common."""

    _modules: dict[str, Any]

    def _key(self, idx: Any) -> str:
        """Return the name of the module at a place, which is counted from the end if negative."""
        i, count = operator.index(idx), len(self)
        if not -count <= i < count:
            raise IndexError(f"index {i} is out of range")
        return list(self._modules)[i]

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return self._part(list(self._modules.items())[idx])
        return self._modules[self._key(idx)]

    def _part(self, items: list[tuple[str, Any]]) -> Any:
        """Return a container of some of the modules."""
        raise NotImplementedError

    def __setitem__(self, idx: int, module: Module) -> None:
        setattr(self, self._key(idx), module)

    def __delitem__(self, idx: Any) -> None:
        names = list(self._modules)[idx] if isinstance(idx, slice) else [self._key(idx)]
        for name in names:
            delattr(self, name)
        self._number(self._modules.values())

    def _number(self, modules: Iterable[Any]) -> None:
        """Take the numbers as names of the modules."""
        self._modules = {str(i): module for i, module in enumerate(modules)}
        self._settle_parts()

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def append(self, module: Module) -> Self:
        """Add a module at the end.

        Parameters
        ----------
        module : Module
            The module.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.Sequential(torch.nn.Flatten()).append(torch.nn.ReLU())
        Sequential(
          (0): Flatten(start_dim=1, end_dim=-1)
          (1): ReLU()
        )
        """
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Self:
        """Add modules at the end.

        Parameters
        ----------
        modules : iterable of Module
            The modules.

        Examples
        --------
        >>> import symgrad as torch
        >>> len(torch.nn.ModuleList().extend([torch.nn.ReLU(), torch.nn.Tanh()]))
        2
        """
        if not isinstance(modules, Iterable):
            raise TypeError(
                f"{self._get_name()}.extend should be called with an iterable, but got "
                f"{type(modules).__name__}"
            )
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Any:
        """Put a module before the one at a place.

        Parameters
        ----------
        index : int
            The place.
        module : Module
            The module.

        Examples
        --------
        >>> import symgrad as torch
        >>> net = torch.nn.Sequential(torch.nn.ReLU())
        >>> net.insert(0, torch.nn.Flatten())
        Sequential(
          (0): Flatten(start_dim=1, end_dim=-1)
          (1): ReLU()
        )
        """
        modules = list(self)
        modules.insert(index, module)
        self._number(modules)
        return self

    def pop(self, key: Any) -> Any:
        """Take out the module at a place, and return it.

        Parameters
        ----------
        key : int or slice
            The place.

        Examples
        --------
        >>> import symgrad as torch
        >>> layers = torch.nn.ModuleList([torch.nn.ReLU(), torch.nn.Tanh()])
        >>> layers.pop(0), len(layers)
        (ReLU(), 1)
        """
        found = self[key]
        del self[key]
        return found


class Sequential(Numbered):
    """Modules in a row: each is called with the result of the one before.

    Parameters
    ----------
    *args : Module
        The modules, or one `OrderedDict` with their names.

    Examples
    --------
    >>> import symgrad as torch
    >>> net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    >>> net(torch.ones(5, 2)).shape
    torch.Size([5, 1])
    >>> net[1]
    ReLU()
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def _part(self, items: list[tuple[str, Any]]) -> Any:
        return type(self)(OrderedDict(items))

    def insert(self, index: int, module: Module) -> Any:
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        return super().insert(index, module)

    def __add__(self, other: Any) -> Sequential:
        return Sequential(*self).__iadd__(other)

    def __iadd__(self, other: Any) -> Self:
        if not isinstance(other, Sequential):
            raise ValueError(
                "add operator supports only objects of Sequential class, but "
                f"{type(other)} is given."
            )
        return self.extend(other)

    def __mul__(self, other: Any) -> Sequential:
        return Sequential(*list(self) * self._times(other))

    __rmul__ = __mul__

    def __imul__(self, other: Any) -> Self:
        return self.extend(list(self) * (self._times(other) - 1))

    def _times(self, other: Any) -> int:
        own = f"<class '{typename(self)}'>"
        if not isinstance(other, int):
            raise TypeError(f"unsupported operand type(s) for *: {own} and {type(other)}")
        if other <= 0:
            raise ValueError(f"Non-positive multiplication factor {other} for {own}")
        return other


class ModuleList(Numbered):
    """Modules in a list, which a network calls itself.

    Parameters
    ----------
    modules : iterable of Module, optional
        The modules.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.ModuleList(torch.nn.Linear(2, 2) for _ in range(3))
    ModuleList(
      (0-2): 3 x Linear(in_features=2, out_features=2, bias=True)
    )
    """

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def _part(self, items: list[tuple[str, Any]]) -> Any:
        return type(self)([module for _, module in items])

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList(self).extend(other)

    def __iadd__(self, modules: Iterable[Module]) -> Self:
        return self.extend(modules)

    def insert(self, index: int, module: Module) -> None:
        super().insert(index, module)

    def __repr__(self) -> str:
        lines, start = [], 0
        for text, alike in itertools.groupby([repr(module) for module in self]):
            count = len(list(alike))
            place = f"({start}): " if count == 1 else f"({start}-{start + count - 1}): {count} x "
            lines.append("\n  " + f"{place}{text}".replace("\n", "\n  "))
            start += count
        inner = "".join(lines) + "\n" if lines else ""
        return f"{self._get_name()}({inner})"


class ModuleDict(Module):
    """Modules in a dictionary, which a network calls itself.

    Parameters
    ----------
    modules : dict or iterable of pairs, optional
        The modules by their names.

    Examples
    --------
    >>> import symgrad as torch
    >>> choices = torch.nn.ModuleDict({"relu": torch.nn.ReLU(), "tanh": torch.nn.Tanh()})
    >>> choices["tanh"]
    Tanh()
    """

    _modules: dict[str, Any]

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Take out all modules.

        Examples
        --------
        >>> import symgrad as torch
        >>> modules = torch.nn.ModuleDict({"relu": torch.nn.ReLU()})
        >>> modules.clear()
        >>> modules
        ModuleDict()
        """
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Take out the module of a name, and return it.

        Parameters
        ----------
        key : str
            The name.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.ModuleDict({"relu": torch.nn.ReLU()}).pop("relu")
        ReLU()
        """
        return self._modules.pop(key)

    def keys(self) -> KeysView[str]:
        """Return the names.

        Examples
        --------
        >>> import symgrad as torch
        >>> list(torch.nn.ModuleDict({"relu": torch.nn.ReLU()}).keys())
        ['relu']
        """
        return self._modules.keys()

    def items(self) -> ItemsView[str, Any]:
        """Return the names and the modules.

        Examples
        --------
        >>> import symgrad as torch
        >>> list(torch.nn.ModuleDict({"relu": torch.nn.ReLU()}).items())
        [('relu', ReLU())]
        """
        return self._modules.items()

    def values(self) -> ValuesView[Any]:
        """Return the modules.

        Examples
        --------
        >>> import symgrad as torch
        >>> list(torch.nn.ModuleDict({"relu": torch.nn.ReLU()}).values())
        [ReLU()]
        """
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Add modules under names.

        Parameters
        ----------
        modules : dict or iterable of pairs
            The modules by their names.

        Examples
        --------
        >>> import symgrad as torch
        >>> modules = torch.nn.ModuleDict()
        >>> modules.update([("relu", torch.nn.ReLU())])
        >>> modules
        ModuleDict(
          (relu): ReLU()
        )
        """
        for key, module in pairs_of(modules, "ModuleDict", "ModuleDict"):
            self[key] = module


def pairs_of(given: Any, name: str, called: str) -> Iterable[tuple[str, Any]]:
    """Return the items of what a dictionary is updated with."""
    if not isinstance(given, Iterable):
        raise TypeError(
            f"{called}.update should be called with an iterable of key/value pairs, but got "
            f"{type(given).__name__}"
        )
    if isinstance(given, Mapping) or hasattr(given, "items"):
        items: Iterable[tuple[str, Any]] = given.items()
        return items
    pairs: list[Any] = list(given)
    for i, pair in enumerate(pairs):
        if not isinstance(pair, Iterable):
            raise TypeError(
                f"{name} update sequence element #{i} should be Iterable; is{type(pair).__name__}"
            )
        length = len(pair)  # type: ignore[arg-type]
        if length != 2:
            raise ValueError(
                f"{name} update sequence element #{i} has length {length}; 2 is required"
            )
    return pairs
