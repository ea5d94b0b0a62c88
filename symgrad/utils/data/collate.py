"""How the elements of a batch become tensors."""

from __future__ import annotations

import copy
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from symgrad.expr.dtypes import float64
from symgrad.functions.creation import CREATION
from symgrad.schema.public import FUNCTIONS
from symgrad.tensor.tensor import Tensor

_REFUSED = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)


def _is_named_tuple(x: Any) -> bool:
    return isinstance(x, tuple) and hasattr(x, "_fields")


def _like_mapping(one: Mapping[Any, Any], made: dict[Any, Any]) -> Any:
    """Return a mapping of the type of `one` with the entries `made`; a dict where none is made."""
    kind: Any = type(one)
    try:
        if not isinstance(one, MutableMapping):
            return kind(made)
        found = copy.copy(one)
        found.update(made)
    except TypeError:
        return made
    return found


def _like_sequence(one: Sequence[Any], made: list[Any]) -> Any:
    """Return a sequence of the type of `one` with the items `made`; a list where none is made."""
    kind: Any = type(one)
    try:
        if not isinstance(one, MutableSequence):
            return kind(made)
        found = copy.copy(one)
        for i, item in enumerate(made):
            found[i] = item
    except TypeError:
        return made
    return found


def default_collate(batch: Any) -> Any:
    """Return a batch of elements with the numbers and tensors of the same place in one tensor.

    Parameters
    ----------
    batch : list
        The elements: tensors, NumPy's arrays, numbers, strings, or collections of them that are
        built alike. Strings stay in a list.

    Raises
    ------
    TypeError
        For other elements.
    RuntimeError
        If sequences differ in length, or tensors in shape.

    Examples
    --------
    >>> from symgrad.utils.data import default_collate
    >>> default_collate([(1, 0.5), (2, 0.25)])
    [tensor([1, 2]), tensor([0.5000, 0.2500], dtype=torch.float64)]
    >>> default_collate([{"name": "a", "x": 1}, {"name": "b", "x": 2}])
    {'name': ['a', 'b'], 'x': tensor([1, 2])}
    """
    one = batch[0]
    if isinstance(one, Tensor):
        return FUNCTIONS["stack"](batch, 0)
    if isinstance(one, np.ndarray):
        if one.dtype.kind in "SUO":
            raise TypeError(_REFUSED.format(one.dtype))
        return default_collate([CREATION["as_tensor"](x) for x in batch])
    if isinstance(one, (np.bool_, np.number)):
        return CREATION["as_tensor"](batch)
    if isinstance(one, float):
        return CREATION["tensor"](batch, dtype=float64)
    if isinstance(one, int):
        return CREATION["tensor"](batch)
    if isinstance(one, (str, bytes)):
        return batch
    if isinstance(one, Mapping):
        return _like_mapping(one, {key: default_collate([x[key] for x in batch]) for key in one})
    if _is_named_tuple(one):
        return type(one)(*map(default_collate, zip(*batch, strict=False)))
    if isinstance(one, Sequence):
        if any(len(x) != len(one) for x in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        made = [default_collate(place) for place in zip(*batch, strict=True)]
        return made if isinstance(one, tuple) else _like_sequence(one, made)
    raise TypeError(_REFUSED.format(type(one)))


def default_convert(data: Any) -> Any:
    """Return data with tensors in the place of NumPy's arrays and numbers.

    Parameters
    ----------
    data : object
        Arrays, or collections of them. What else there is stays as it is.

    Examples
    --------
    >>> import numpy as np
    >>> from symgrad.utils.data import default_convert
    >>> default_convert({"x": np.array([1, 2]), "n": 3})
    {'x': tensor([1, 2]), 'n': 3}
    """
    if isinstance(data, Tensor):
        return data
    if isinstance(data, (np.ndarray, np.generic)):
        kept = isinstance(data, np.ndarray) and data.dtype.kind in "SUO"
        return data if kept or isinstance(data, np.character) else CREATION["as_tensor"](data)
    if isinstance(data, Mapping):
        return _like_mapping(data, {key: default_convert(data[key]) for key in data})
    if _is_named_tuple(data):
        return type(data)(*map(default_convert, data))
    if isinstance(data, tuple):
        return [default_convert(x) for x in data]
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _like_sequence(data, [default_convert(x) for x in data])
    return data
