"""Literals evaluate to the value they spell, and nothing unsafe is spelled."""

import enum
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from numeric import literal
from numeric.literal import array_literal, dtype_literal, is_literal, subscript
from tests.each import each

from .programs import is_same

NUMBERS = st.one_of(
    st.booleans(), st.integers(), st.floats(), st.complex_numbers(allow_subnormal=True)
)
DTYPES = (
    "bool",
    "int8",
    "uint64",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)


def arrays(shapes):
    return st.sampled_from(DTYPES).flatmap(lambda dtype: hnp.arrays(dtype, shapes))


SCALARS = st.one_of(
    NUMBERS, st.none(), st.just(...), st.text(), arrays(()).map(lambda array: array[()])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.builds(slice, inner, inner, inner),
)


def value_of(text):
    return eval(text, {"np": np})


def agrees(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(agrees, a, b))
    if isinstance(a, slice):
        return agrees((a.start, a.stop, a.step), (b.start, b.stop, b.step))
    if isinstance(a, float | complex | np.generic):
        return is_same(a, b)
    return a == b


@given(VALUES)
def test_a_literal_evaluates_to_its_value(value):
    assert agrees(value_of(literal(value)), value)


@given(st.lists(SCALARS | st.builds(slice, SCALARS, SCALARS, SCALARS), max_size=3), st.booleans())
def test_a_subscript_evaluates_to_its_index(items, single):
    class Echo:
        def __getitem__(self, index):
            return index

    index = items[0] if single and items else tuple(items)
    found = eval(f"echo[{subscript(index)}]", {"np": np, "echo": Echo()})
    expected = index[0] if isinstance(index, tuple) and len(index) == 1 else index
    assert agrees(found, expected)


@given(arrays(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)))
def test_an_array_literal_evaluates_to_its_array(array):
    assert is_same(value_of(array_literal(array)), array)


@pytest.mark.parametrize(
    "dtype", ["float32", ">f8", "<i2", ">c16", "bool", "longdouble", "object", "longlong", "intp"]
)
def test_dtypes(dtype):
    dtype = np.dtype(dtype)
    assert value_of(literal(dtype)) == dtype
    assert isinstance(value_of(literal(dtype)), np.dtype)
    assert np.dtype(value_of(dtype_literal(dtype))) == dtype


def test_scalar_types():
    assert value_of(literal(np.float32)) is np.float32
    assert value_of(literal(np.bool_)) is np.bool_
    assert dtype_literal(np.dtype("float64")) == "np.float64"


def test_long_doubles_keep_all_digits():
    third = np.longdouble(1) / 3
    found = value_of(literal(third))
    assert found == third and type(found) is np.longdouble
    array = np.array([third, -third, np.longdouble("inf")])
    assert is_same(value_of(array_literal(array)), array)


def test_foreign_byte_order():
    array = np.array([1.5, -2.0], dtype=">f4")
    found = value_of(array_literal(array))
    assert found.dtype == array.dtype
    np.testing.assert_array_equal(found, array)


def test_huge_integers():
    assert value_of(literal(-(10**6000))) == -(10**6000)


def test_signed_zeros_and_nan():
    assert literal(-0.0) == "-0.0"
    assert literal((math.inf, -math.inf, math.nan)) == "(np.inf, -np.inf, np.nan)"
    assert math.copysign(1, value_of(literal(complex(-0.0, -2.0))).real) == -1


class Evil:
    def __repr__(self):
        return "__import__('os')"


class Text(str):
    def __repr__(self):
        return "__import__('os')"


class Number(int):
    pass


class Color(enum.IntEnum):
    RED = 1


class Pair(tuple):
    pass


@each(
    "value",
    [
        Evil(),
        Text("a"),
        Number(3),
        Color.RED,
        Pair((1, 2)),
        ["__import__('os')"],
        {"a": 1},
        b"bytes",
        len,
        int,
        np,
        np.arange(3),
        np.datetime64("2020-01-01"),
        np.str_("a"),
        np.object_,
        np.dtype("U3"),
        np.dtype([("a", "f8")]),
        np.clongdouble(1),
        range(3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_everything_else_is_refused(value):
    for wrapped in (value, (value,), (1, (2, value)), slice(None, value)):
        with pytest.raises(TypeError, match="cannot be spelled"):
            literal(wrapped)
        assert not is_literal(wrapped)


def test_deep_nesting_needs_no_stack():
    value = 1
    for _ in range(100_000):
        value = (value,)
    assert literal(value).count("(") == 100_000
