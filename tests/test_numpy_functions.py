"""NumPy's functions on leaves and tensors: what NumPy computes, with its derivative, or an error.

Every function of NumPy's namespace is tried, with the calls of `tests.numpy_calls`. A formula has
NumPy's value; what symgrad records has NumPy's derivative; all else raises an error that says so.
Nothing becomes an array of objects.
"""

from __future__ import annotations

import enum
import operator
import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.schema.public import FUNCTIONS, OPERATORS, SPACES
from tests.each import each

from .numpy_calls import FUNCTIONS as KNOWN
from .numpy_calls import OPERANDS, WITHOUT_OPERANDS, calls

LEAVES = {n: symgrad.leaf(n, x.shape, from_numpy_dtype(x.dtype)) for n, x in OPERANDS.items()}
VALUES = {LEAVES[n]: x for n, x in OPERANDS.items()}

#: What an error says, beside the name of the function: which of the two has no counterpart.
_SAYS = ("symgrad", "a formula", "numpy() on Tensor", "'Tensor' object has no attribute")
#: How far the operands are moved for a difference quotient.
_STEP = 1e-6


def called(name: str, args: str, operands: dict[str, Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy warns of what it deprecates
        return eval(f"np.{name}({args})", {"np": np, **operands})


def arrays(direction: int = 0, held: str = "") -> dict[str, Any]:
    """Return the operands, those of `held` moved a little along fixed directions."""
    found = {}
    for i, (name, x) in enumerate(OPERANDS.items()):
        moved = x.dtype.kind == "f" and name in held
        found[name] = x + direction * _STEP * towards(i, x.shape) if moved else x.copy()
    return found


def towards(i: int, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return np.cos(np.arange(np.prod(shape, dtype=int)) + i).reshape(shape)


def tensors(held: str) -> dict[str, Any]:
    """Return the operands, those of `held` as tensors."""
    made = {n: symgrad.from_numpy(x.copy()) for n, x in OPERANDS.items() if n in held}
    found = {n: x.requires_grad_() if x.dtype is symgrad.float64 else x for n, x in made.items()}
    return {**arrays(), **found}


def parts(x: Any) -> Iterator[Any]:
    """Yield the results of a call one by one."""
    if isinstance(x, (list, tuple)):
        for y in x:
            yield from parts(y)
    else:
        yield x


def value_of(x: Any) -> Any:
    if isinstance(x, ArrayExpr):
        return x.evaluate({leaf: VALUES[leaf] for leaf in x.leaves})
    return x.detach().numpy() if isinstance(x, symgrad.Tensor) else x


def wanted(name: str, args: str) -> Any:
    """Return what NumPy gives for arrays; None where it raises an error, too."""
    try:
        return called(name, args, arrays())
    except (TypeError, ValueError):
        return None


def answer(name: str, args: str, operands: dict[str, Any]) -> Any:
    """Return what a call gives; None after an error that says what is the matter."""
    try:
        return called(name, args, operands)
    except (TypeError, RuntimeError, AttributeError) as error:
        assert any(said in str(error) for said in _SAYS), error  # noqa: PT017 - an error is one of two
        return None


def check_equal(got: Any, want: Any) -> None:
    found, expected = list(parts(got)), list(parts(want))
    assert len(found) == len(expected)
    for x, y in zip(found, expected, strict=True):
        value = np.asarray(value_of(x))
        assert value.dtype != object or np.asarray(y).dtype == object
        if value.dtype.kind not in "buifc":
            assert value == y
            continue
        kinds = value.dtype.kind, np.asarray(y).dtype.kind
        assert kinds[0] == kinds[1] or set(kinds) == {"i", "u"}
        single = np.float32 in (value.dtype, np.asarray(y).dtype)
        np.testing.assert_allclose(value, y, rtol=1e-5 if single else 1e-10, atol=1e-12)
        assert value.shape == np.shape(y)


def operands_in(args: str) -> str:
    return "".join(dict.fromkeys(n for n in re.findall(r"\b[A-Z]\b", args) if n in OPERANDS))


def ways() -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield calls with the operands that are no arrays: all of them, the first, or the rest."""
    for name, args in calls():
        used = operands_in(args)
        for held in dict.fromkeys([used, used[:1], used[1:] or used]):
            yield f"np.{name}({args}) of {held}", (name, args, held)


WAYS = dict(ways())


@each("name, args, held", WAYS)
def test_a_leaf_gives_a_formula_with_numpys_value_or_an_error(
    name: str, args: str, held: str
) -> None:
    want = wanted(name, args)
    if want is None:
        return
    got = answered(name, args, held)
    if got is not None:
        check_equal(got, want)


def answered(name: str, args: str, held: str) -> Any:
    """Return what a call gives for leaves in the places of `held`."""
    return answer(name, args, {n: LEAVES[n] if n in held else x for n, x in arrays().items()})


def beside(held: str, kind: Any) -> dict[str, Any]:
    """Return the operands, the real ones that are not of `held` as arrays of an element type."""
    return {
        n: np.round(3 * x).astype(kind) if n not in held and x.dtype.kind == "f" else x
        for n, x in arrays().items()
    }


#: Calls of several real operands, of which the first, or the rest, is no array.
MIXED = {
    text: way
    for text, way in WAYS.items()
    if any(OPERANDS[n].dtype.kind == "f" for n in operands_in(way[1]) if n not in way[2])
}


@each("name, args, held", MIXED)
def test_arrays_beside_a_leaf_are_promoted(name: str, args: str, held: str) -> None:
    for kind in (np.int64, np.float32):
        operands = beside(held, kind)
        try:
            want = called(name, args, operands)
        except (TypeError, ValueError):
            continue
        got = answer(name, args, {n: LEAVES[n] if n in held else x for n, x in operands.items()})
        assert (got is None) == (answered(name, args, held) is None)
        if got is not None:
            check_equal(got, want)


@each("name, args, held", WAYS)
def test_a_tensor_gives_a_record_with_numpys_derivative_or_an_error(
    name: str, args: str, held: str
) -> None:
    want = wanted(name, args)
    if want is None:
        return
    operands = tensors(held)
    got = answer(name, args, operands)
    if got is None:
        return
    check_equal(got, want)
    found = [i for i, x in enumerate(parts(got)) if getattr(x, "requires_grad", False)]
    found = [i for i in found if np.asarray(list(parts(want))[i]).dtype == np.float64]
    if not found:
        return

    def total(results: Any, weights: dict[int, Any]) -> Any:
        return sum((x * weights[i]).sum() for i, x in enumerate(parts(results)) if i in weights)

    weights = {i: towards(i, np.shape(list(parts(want))[i])) for i in found}
    try:
        total(got, {i: symgrad.from_numpy(w) for i, w in weights.items()}).backward()
    except RuntimeError as error:
        assert "is not implemented" in str(error), error  # noqa: PT017 - PyTorch has none either
        return
    slope = sum(
        (x.grad.numpy() * towards(i, tuple(x.shape))).sum()
        for i, x in enumerate(operands.values())
        if getattr(x, "grad", None) is not None
    )
    ends = [total(called(name, args, arrays(d, held)), weights) for d in (1, -1)]
    difference = (ends[0] - ends[1]) / (2 * _STEP)
    np.testing.assert_allclose(slope, difference, rtol=1e-5, atol=1e-6)


class _Whole(enum.IntEnum):
    TWO = 2


@pytest.mark.parametrize("name", [n for n in OPERATORS if f"__r{n[2:]}" in OPERATORS])
@pytest.mark.parametrize(
    "other",
    [np.array([2, 1, 3]), np.array([2, 1, 3], np.float32), _Whole.TWO, LEAVES["V"].size],
    ids=["int64", "float32", "enumeration", "size"],
)
def test_operators_take_arrays_and_numbers_beside_leaves_and_tensors(name: str, other: Any) -> None:
    call, x = getattr(operator, name), OPERANDS["U"][0]
    leaf, tensor = symgrad.leaf("x", (3,)), symgrad.tensor(x)
    try:
        want = call(x, other), call(other, x)
    except (TypeError, ValueError):
        return
    check_equal([e.evaluate({leaf: x}) for e in (call(leaf, other), call(other, leaf))], want)
    check_equal([call(tensor, other), call(other, tensor)], want)


def test_what_has_a_public_function_of_its_name_gives_a_formula() -> None:
    spaces = {f"{space}.{n}" for space, table in SPACES.items() for n in table}
    known = {name for name in KNOWN if hasattr(np, name.partition(".")[0])}  # in this release
    common = (FUNCTIONS.keys() | spaces) & known - WITHOUT_OPERANDS
    made = set()
    for name in common:
        for args in KNOWN[name]:
            if wanted(name, args) is None:
                continue
            got = answer(name, args, LEAVES)
            if any(isinstance(x, ArrayExpr) for x in parts(got)):
                made.add(name)
    # Whether values are close, where they are not zero: no formula says it. `put` writes.
    absent = common - made
    # Dtypes or shapes of others are those of values; NumPy's histogram has whole numbers.
    of_values = {"linalg.eig", "linalg.eigvals", "linalg.lstsq", "histogram"}
    assert absent <= {"allclose", "argwhere", "bincount", "nonzero", "put", "unique"} | of_values, (
        absent
    )


@pytest.mark.parametrize(
    "make",
    [
        np.array, np.asarray, lambda x: np.array([x, x]), lambda x: np.asarray(2 * x), np.float64,
        np.broadcast, np.ndenumerate, np.arange, lambda x: np.full(3, x),
        lambda x: np.eye(3)[x], np.random.default_rng(0).normal,
    ],
)  # fmt: skip
def test_a_formula_is_no_array(make: Any) -> None:
    with pytest.raises(TypeError, match=r"symgrad\.stack.*evaluate"):
        make(symgrad.leaf("x"))
    with pytest.raises(TypeError):  # of NumPy's, which replaces the message
        np.nditer(symgrad.leaf("x"))
    assert np.array([LEAVES["C"], LEAVES["C"]], dtype=object).shape == (2,)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda x: np.partition(x, 1),
            r"np\.partition has no counterpart \(the nearest .* np\.sort\)",
        ),
        (lambda x: np.nanpercentile(x, 3), r"the nearest that has one is np\.percentile"),
        (lambda x: np.unwrap(x), r"np\.unwrap has no counterpart"),
        (
            lambda x: np.add(x, 1, out=np.zeros(3)),
            r"np\.add has no .* for these arguments \(out=\)",
        ),
    ],
)
def test_errors_name_a_way_out(call: Any, says: str) -> None:
    for x in (LEAVES["V"], symgrad.ones(3, requires_grad=True)):
        with pytest.raises(TypeError, match=says):
            call(x)


@pytest.mark.parametrize("call", [np.allclose, np.array_equal, symgrad.allclose])
def test_whether_formulas_are_equal_is_a_formula(call: Any) -> None:
    x = LEAVES["V"]
    with pytest.raises(
        TypeError, match=rf"{call.__name__}\(\) asks .* symgrad\.\w+\(a, b\)\.all\(\)"
    ):
        call(x, 2 * x)
    assert call(x.subs(x, OPERANDS["V"]), symgrad.from_numpy(OPERANDS["V"])) is True


def test_a_function_written_with_numpy_is_traced() -> None:
    def loss(w: Any, x: Any) -> Any:
        z = np.where(x > 0, np.tanh(w @ x), np.log1p(np.exp(x)))
        return np.mean(np.concatenate([z, np.zeros_like(z)]) ** 2) + np.linalg.norm(w)

    w, x = LEAVES["S"], LEAVES["V"]
    value = {w: OPERANDS["S"], x: OPERANDS["V"]}
    assert loss(w, x).evaluate(value) == pytest.approx(loss(*value.values()), rel=1e-14)
    gradient = symgrad.derive(loss(w, x), x).evaluate(value)
    t = symgrad.from_numpy(OPERANDS["V"]).requires_grad_()
    loss(symgrad.from_numpy(OPERANDS["S"]), t).backward()
    np.testing.assert_allclose(gradient, t.grad.numpy(), rtol=1e-12)
