"""Facts that classes state of their operations, held to what the operations do.

Other facts have laws of their own: rows, layouts, zeros, derivatives, what rewrites may assume.
"""

from __future__ import annotations

import operator
import warnings
from typing import Any

import numpy as np

import symgrad
from symgrad.ops.identity import forward_value
from symgrad.ops.primitive import PRIMITIVES, Linear, Primitive
from symgrad.ops.results import Several
from symgrad.record.record import Recorded, record
from symgrad.schema.public import IN_PLACE, SCHEMAS, SHARING, TENSOR_METHODS
from symgrad.tensor.numpy_interop import counterparts_of_ufuncs
from tests.each import each
from tests.scenarios import refused_words, sharing

LIBRARY = {n: cls for n, cls in PRIMITIVES.items() if cls.__module__.startswith("symgrad.")}


def samples_of(fact: str, value: bool = True) -> dict[str, tuple[type[Primitive], Any]]:
    """Return the samples of the classes that state a fact, and state it of all of their nodes."""
    found = {}
    for name, cls in LIBRARY.items():
        stated = getattr(cls, fact, None)
        if bool(stated) is value and not isinstance(stated, property):
            found[name] = cls
    assert all(cls.samples for cls in found.values())
    return {f"{n}-{i}": (cls, s) for n, cls in found.items() for i, s in enumerate(cls.samples)}


def recorded(cls: type[Primitive], sample: tuple[Any, ...]) -> tuple[list[Any], Any]:
    """Return operands, of which arrays are tensors, and the result of an operation on them."""
    split = len(sample) - len(cls.params)
    operands = [
        symgrad.tensor(x.copy()) if isinstance(x, np.ndarray) else x for x in sample[:split]
    ]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return operands, record(cls, operands, tuple(sample[split:]))


def shares_memory(result: Any, x: Any) -> list[bool]:
    """Return of each result that has elements whether it shares memory with `x`."""
    results = result if isinstance(result, (tuple, list)) else [result]
    return [np.shares_memory(y._data, x._data) for y in results if y._data.size]


@each("cls, sample", samples_of("is_view"))
def test_views_share_memory_with_their_operand(cls, sample):
    operands, result = recorded(cls, sample)
    assert all(shares_memory(result, operands[0]))


@each("cls, sample", samples_of("is_view", False))
def test_other_results_have_memory_of_their_own(cls, sample):
    if issubclass(cls, forward_value):
        return  # which no tensor meets: plans alone hold it
    operands, result = recorded(cls, sample)
    for x in operands:
        assert not (isinstance(x, Recorded) and any(shares_memory(result, x)))


@each("cls, sample", samples_of("commutes"))
def test_operands_that_may_be_exchanged_give_the_same_bits(cls, sample):
    _, result = recorded(cls, sample)
    _, other = recorded(cls, sample[::-1])
    assert result._data.tobytes() == other._data.tobytes()


@each("cls, sample", samples_of("operator"))
def test_operators_are_those_of_numpy(cls, sample):
    name = vars(cls)["operator"]
    apply = getattr(operator, name, None) or getattr(operator, f"{name}_")
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = apply(*sample)
    _, result = recorded(cls, sample)
    np.testing.assert_allclose(result._data, expected, rtol=1e-15)  # `x**3` is rounded otherwise


@each("cls, sample", samples_of("selects"))
def test_what_selects_gives_elements_of_its_operand(cls, sample):
    operands, result = recorded(cls, sample)
    x = operands[0]._data
    distinct = symgrad.tensor(np.arange(x.size, dtype=np.float64).reshape(x.shape))
    chosen = record(cls, (distinct, *operands[1:]), tuple(sample[len(operands) :]))._data
    np.testing.assert_array_equal(x.reshape(-1)[chosen.astype(int)], result._data)


@each("cls, sample", samples_of("moves"))
def test_the_transpose_undoes_moves(cls, sample):
    split = len(sample) - len(cls.params)
    assert issubclass(cls, Linear) and split == 1
    x = symgrad.leaf("x", sample[0].shape, symgrad.tensor(sample[0]).dtype)
    node: Any = cls(x, *sample[split:])
    back = node.transposed(node)
    np.testing.assert_array_equal(back.evaluate({x: sample[0]}), sample[0])
    assert node.size == x.size


#: The universal functions, and methods of some, that operations answer for.
UFUNCS = [
    name
    for name in counterparts_of_ufuncs()
    if isinstance(getattr(np, name.partition(".")[0], None), np.ufunc)
]


@each("name", list(UFUNCS))
@np.errstate(all="ignore")
def test_numpy_and_its_counterpart_compute_the_same(name):
    word, _, method = name.partition(".")
    ufunc: Any = getattr(np, word)
    call, tried = getattr(ufunc, method or "__call__"), 0
    for x in (np.array([0.25, 0.5]), np.array([3, 6]), np.array([True, False])):
        arrays = [x] if method or ufunc.nin == 1 else [x, x[::-1].copy()]
        try:
            expected = call(*arrays)
            found = call(*[symgrad.tensor(y) for y in arrays])
        except (TypeError, RuntimeError):
            continue  # which NumPy or PyTorch refuses of this dtype
        assert isinstance(found, symgrad.Tensor)
        if found.is_floating_point() and expected.dtype.kind in "iu":
            continue  # reciprocals of integers are floats here
        rtol = 1e-3 if expected.dtype == np.float16 else 1e-6  # of truth values: float32 here
        np.testing.assert_allclose(found.numpy(), expected, rtol=rtol)
        tried += 1
    assert tried


def test_universal_functions_that_classes_state_exist():
    stated = {name for cls in LIBRARY.values() for name in vars(cls).get("ufuncs", ())}
    assert stated <= set(UFUNCS)


def takes_a_tensor(name: str) -> bool:
    return any(
        "Tensor" in p.kind and p.name != "out"
        for overload in SCHEMAS[name, True].overloads
        for p in overload.parameters
    )


def test_methods_in_place_that_take_tensors_have_a_scenario_of_shared_memory():
    computed = {n for n in IN_PLACE if f"{n}_" not in TENSOR_METHODS}  # by the form out of place
    methods = {n for n in computed if IN_PLACE[n] != "shape" and (n, True) in SCHEMAS}
    recorded = {*sharing.CALLS, *sharing.ELEMENTWISE, *sharing.INTEGRAL}
    assert {n for n in methods if takes_a_tensor(n)} == recorded
    assert set(SHARING) - {"__setitem__"} <= recorded


def test_refusals_of_dtypes_are_recorded_of_all_operations_with_several_results():
    several = {n.rpartition(".")[2] for n, cls in LIBRARY.items() if issubclass(cls, Several)}
    several = {n for n in several if (n.removesuffix("_dim"), False) in SCHEMAS}
    assert several <= refused_words.CALLS.keys()
