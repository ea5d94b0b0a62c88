"""Tables find nodes, parameters and calls by what they are, never by what they look like."""

import itertools
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd.function_formulas import call_of
from symgrad.expr.atoms import ArrayConst, Const, Leaf, Placeholder, Static
from symgrad.expr.keys import key_of
from symgrad.record.aval import aval_of

pytestmark = pytest.mark.tiny

_LONG = np.arange(5000.0)
_OTHER = _LONG.copy()
_OTHER[2500] = -1.0  # where the text of an array has three dots
DISTINCT: list[Any] = [
    0, 1, -1, 2**70, True, False, None, ..., 0.0, -0.0, 1.0, float("nan"), float("inf"),
    np.nextafter(1.0, 2.0), 1 + 0j, 0j, -0j, complex(0.0, -0.0), complex(float("nan"), 0), "1", "",
    b"1", (), (1,), (True,), (1.0,), (0.0,), (-0.0,), ((1,),), (1, 1), ("1",), (None,),
    slice(None), slice(1), slice(1.0), slice(0, 1), symgrad.float32, symgrad.float64,
    np.float64(1.0), np.float32(1.0), np.int64(1), np.bool_(True), _LONG, _OTHER,
    _LONG.reshape(50, 100), _LONG.astype(np.float32), _LONG.astype(">f8"), np.arange(3), (_LONG,),
    (_OTHER,), len, print,
]  # fmt: skip


def copied(value: Any) -> Any:
    """An equal value that is another object, where there may be one."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple):
        return tuple(copied(v) for v in value)
    return type(value)(value) if type(value) in (float, complex) else value


def test_keys_are_equal_just_where_values_are_the_same() -> None:
    for a, b in itertools.combinations(DISTINCT, 2):
        assert key_of(a) != key_of(b)
    for a in DISTINCT:
        assert key_of(a) == key_of(copied(a)) and hash(key_of(a)) == hash(key_of(copied(a)))


def test_parameters_are_told_apart() -> None:
    made = [Static(a) for a in DISTINCT]
    assert len(set(made)) == len(DISTINCT) and len({s.sort_key() for s in made}) == len(made)
    for a, static in zip(DISTINCT, made, strict=True):
        assert Static(copied(a)) is static
    for s, t in itertools.combinations(made, 2):
        assert s.compare(t) != 0


def test_a_parameter_is_no_array_that_somebody_may_change() -> None:
    array = np.arange(3)
    static = Static(array)
    array[0] = 7
    assert static.value.tolist() == [0, 1, 2] and Static(np.arange(3)) is static
    with pytest.raises(ValueError, match="read-only"):
        static.value[0] = 1


def test_constants_are_told_apart() -> None:
    numbers = [a for a in DISTINCT if type(a) in (int, float, complex, bool)]
    made = [Const(a) for a in numbers] + [Const(a, symgrad.complex128) for a in numbers]
    assert len(set(made)) == 2 * len(numbers)
    arrays = [a for a in DISTINCT if isinstance(a, np.ndarray) and a.dtype.isnative]
    assert len({ArrayConst(a) for a in arrays}) == len(arrays)


def _has_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or (
        isinstance(value, tuple) and any(map(_has_array, value))
    )


def test_calls_of_functions_are_told_apart() -> None:
    hashable = [a for a in DISTINCT if not _has_array(a)]
    made = [call_of(symgrad.autograd.Function, (a,)) for a in hashable]
    assert len({id(call) for call in made}) == len(hashable)


def test_no_node_and_no_plan_knows_the_shapes_of_tensors_from_tuples() -> None:
    """A `Size` is equal to a tuple: a node made of one is found for the other as well."""
    size = symgrad.ones(7, 11, 13).shape
    assert type(size) is symgrad.Size
    made = [
        Static(size),
        Leaf("x", size),
        Placeholder("_x", size),
        Leaf("y").broadcast_to(size),
        Leaf("z", (7 * 11 * 13,)).reshape(size),
    ]
    assert made[0] is Static((7, 11, 13)) and made[1] is Leaf("x", (7, 11, 13))
    assert made[2] is Placeholder("_x", (7, 11, 13))
    for x in made:
        assert type(x.value if isinstance(x, Static) else x.shape) is tuple
        assert all(type(p) is tuple for p in getattr(x, "param_values", ()))
    assert type(aval_of(size, symgrad.float64).shape) is tuple
