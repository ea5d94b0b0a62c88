"""Modules that hold parameters: in a list, in a dictionary."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, KeysView
from typing import Any, Self

from symgrad.nn.modules.container import pairs_of
from symgrad.nn.modules.module import Module
from symgrad.nn.modules.registration import typename
from symgrad.nn.parameter import Parameter
from symgrad.record.record import Recorded


def _as_parameter(value: Any) -> Any:
    plain = isinstance(value, Recorded) and not isinstance(value, Parameter)
    return Parameter(value) if plain else value


def _line(key: Any, value: Any, kind: str) -> str:
    if not isinstance(value, Recorded):
        return f"  ({key}): Object of type: {type(value).__name__}"
    tensor: Any = value
    word = "Parameter" if isinstance(value, Parameter) else "Tensor"
    sizes = "x".join(map(str, tensor.shape))
    return f"  ({key}): {word} containing: [{kind} of size {sizes}]"


class ParameterList(Module):
    """Parameters in a list; other tensors become parameters.

    Parameters
    ----------
    values : iterable, optional
        The parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.ParameterList([torch.ones(2), torch.zeros(3, 1)])
    ParameterList(
        (0): Parameter containing: [torch.float32 of size 2]
        (1): Parameter containing: [torch.float32 of size 3x1]
    )
    """

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def _key(self, idx: Any) -> str:
        i = operator.index(idx)
        if not -self._size <= i < self._size:
            raise IndexError(f"index {i} is out of range")
        return str(i % self._size)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)([self[i] for i in range(self._size)[idx]])
        return getattr(self, self._key(idx))

    def __setitem__(self, idx: int, param: Any) -> None:
        setattr(self, self._key(idx), _as_parameter(param))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter([self[i] for i in range(self._size)])

    def __iadd__(self, parameters: Iterable[Any]) -> Self:
        return self.extend(parameters)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterList should not be called.")

    def append(self, value: Any) -> Self:
        """Add a parameter at the end.

        Parameters
        ----------
        value : Tensor
            The parameter.

        Examples
        --------
        >>> import symgrad as torch
        >>> len(torch.nn.ParameterList().append(torch.ones(2)))
        1
        """
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values: Any) -> Self:
        """Add parameters at the end.

        Parameters
        ----------
        values : iterable
            The parameters.

        Examples
        --------
        >>> import symgrad as torch
        >>> len(torch.nn.ParameterList().extend([torch.ones(2), torch.ones(1)]))
        2
        """
        if not isinstance(values, Iterable) or isinstance(values, Recorded):
            raise TypeError(
                "ParameterList.extend should be called with an iterable, but got "
                f"{type(values).__name__}"
            )
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        return "\n".join([_line(i, x, str(getattr(x, "dtype", ""))) for i, x in enumerate(self)])


class ParameterDict(Module):
    """Parameters in a dictionary; other tensors become parameters.

    Parameters
    ----------
    parameters : dict or iterable of pairs, optional
        The parameters by their names.

    Examples
    --------
    >>> import symgrad as torch
    >>> weights = torch.nn.ParameterDict({"left": torch.ones(2), "right": torch.zeros(2)})
    >>> weights["left"]
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        return getattr(self, _checked(key))

    def __setitem__(self, key: str, value: Any) -> None:
        setattr(self, _checked(key), _as_parameter(value))
        self._keys[key] = None

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __or__(self, other: Any) -> ParameterDict:
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other: Any) -> ParameterDict:
        made = ParameterDict(other)
        made.update(self)
        return made

    def __ior__(self, other: Any) -> Self:
        self.update(other)
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterDict should not be called.")

    def copy(self) -> ParameterDict:
        """Return a dictionary of the same parameters.

        Examples
        --------
        >>> import symgrad as torch
        >>> weights = torch.nn.ParameterDict({"w": torch.ones(2)})
        >>> weights.copy()["w"] is weights["w"]
        True
        """
        return ParameterDict(OrderedDict(self.items()))

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Return the parameter of a name, which is added where there is none.

        Parameters
        ----------
        key : str
            The name.
        default : Tensor
            What is added.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.ParameterDict().setdefault("w", torch.ones(1))
        Parameter containing:
        tensor([1.], requires_grad=True)
        """
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Take out all parameters.

        Examples
        --------
        >>> import symgrad as torch
        >>> weights = torch.nn.ParameterDict({"w": torch.ones(2)})
        >>> weights.clear()
        >>> len(weights)
        0
        """
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """Take out the parameter of a name, and return it.

        Parameters
        ----------
        key : str
            The name.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.ParameterDict({"w": torch.ones(1)}).pop("w")
        Parameter containing:
        tensor([1.], requires_grad=True)
        """
        found = self[key]
        del self[key]
        return found

    def popitem(self) -> tuple[str, Any]:
        """Take out the parameter that was added last, and return it with its name.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.ParameterDict({"w": torch.ones(1)}).popitem()[0]
        'w'
        """
        key = list(self._keys)[-1]
        return key, self.pop(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the parameter of a name, or `default` where there is none.

        Parameters
        ----------
        key : str
            The name.
        default : object
            What is returned otherwise.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.ParameterDict().get("w", 0)
        0
        """
        return getattr(self, key) if key in self._keys else default

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """Return a dictionary with some names, and one value for all.

        Parameters
        ----------
        keys : iterable of str
            The names.
        default : object
            The value.

        Examples
        --------
        >>> import symgrad as torch
        >>> list(torch.nn.ParameterDict().fromkeys(["a", "b"], torch.ones(1)))
        ['a', 'b']
        """
        return ParameterDict([(key, default) for key in keys])

    def keys(self) -> KeysView[str]:
        """Return the names.

        Examples
        --------
        >>> import symgrad as torch
        >>> list(torch.nn.ParameterDict({"w": torch.ones(1)}).keys())
        ['w']
        """
        return self._keys.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return the names and the parameters.

        Examples
        --------
        >>> import symgrad as torch
        >>> [key for key, w in torch.nn.ParameterDict({"w": torch.ones(1)}).items()]
        ['w']
        """
        return [(key, self[key]) for key in self._keys]

    def values(self) -> Iterable[Any]:
        """Return the parameters.

        Examples
        --------
        >>> import symgrad as torch
        >>> [tuple(w.shape) for w in torch.nn.ParameterDict({"w": torch.ones(1)}).values()]
        [(1,)]
        """
        return [self[key] for key in self._keys]

    def update(self, parameters: Any) -> None:
        """Add parameters under names.

        Parameters
        ----------
        parameters : dict or iterable of pairs
            The parameters by their names. Those of a plain dictionary come in the order of names.

        Examples
        --------
        >>> import symgrad as torch
        >>> weights = torch.nn.ParameterDict()
        >>> weights.update({"b": torch.ones(1), "a": torch.ones(1)})
        >>> list(weights)
        ['a', 'b']
        """
        pairs = pairs_of(parameters, "ParameterDict", "ParametersDict")
        if isinstance(parameters, dict) and not isinstance(parameters, OrderedDict):
            pairs = sorted(pairs, key=lambda pair: pair[0])
        for key, value in pairs:
            self[key] = value

    def extra_repr(self) -> str:
        return "\n".join([_line(key, x, typename(x)) for key, x in self.items()])


def _checked(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(
            "Index given to ParameterDict cannot be used as a key as it is not a string (type is "
            f"'{type(key).__name__}'). Open an issue on github if you need non-string keys."
        )
    return key
