"""Formulas refuse values that eager tensors refuse: in `evaluate`, in source and in programs."""

import inspect
import itertools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.expr.atoms import ArrayConst
from symgrad.expr.node import ArrayExpr
from tests.each import each

F = symgrad.nn.functional
X = np.array([1.0, 2.0, 3.0])
M = np.arange(6.0).reshape(2, 3)
TWO = np.array([10.0, 20.0])

# Every public function that takes indices or classes, on (x, m, two, i).
CALLS: dict[str, Callable[..., Any]] = {
    "gather": lambda x, m, two, i: x.gather(0, i),
    "take_along_dim": lambda x, m, two, i: x.take_along_dim(i, 0),
    "take_along_dim flat": lambda x, m, two, i: x.take_along_dim(i),
    "take": lambda x, m, two, i: x.take(i),
    "put": lambda x, m, two, i: x.put(i, two),
    "index_select": lambda x, m, two, i: m.index_select(1, i),
    "index_add": lambda x, m, two, i: x.index_add(0, i, two),
    "index_add matrix": lambda x, m, two, i: m.index_add(1, i, m[:, :2]),
    "index_copy": lambda x, m, two, i: x.index_copy(0, i, two),
    "index_fill": lambda x, m, two, i: x.index_fill(0, i, 1.0),
    "index_reduce": lambda x, m, two, i: x.index_reduce(0, i, two, "amax"),
    "index_put": lambda x, m, two, i: x.index_put((i,), two),
    "__getitem__": lambda x, m, two, i: m[:, i],
    "scatter": lambda x, m, two, i: x.scatter(0, i, two),
    "scatter number": lambda x, m, two, i: x.scatter(0, i, 1.0),
    "scatter_add": lambda x, m, two, i: x.scatter_add(0, i, two),
    "scatter_reduce": lambda x, m, two, i: x.scatter_reduce(0, i, two, "sum"),
    "one_hot": lambda x, m, two, i: F.one_hot(i, 3),
    "nll_loss": lambda x, m, two, i: F.nll_loss(m, i),
    "cross_entropy": lambda x, m, two, i: F.cross_entropy(m, i),
    **{
        f"max_unpool{rank}d": lambda x, m, two, i, rank=rank: getattr(F, f"max_unpool{rank}d")(
            two.reshape((1, 1, *(1,) * (rank - 1), 2)), i.reshape((1, 1, *(1,) * (rank - 1), 2)), 2
        )
        for rank in (1, 2, 3)
    },
}
# Those that take indices of another kind, or none although an argument's name suggests it, or of an
# array that is not there.
_OTHERS = {
    *("dsplit", "from_sympy", "hsplit", "select", "select_copy", "select_scatter", "tensor_split"),
    *("unravel_index", "vsplit"),
}
INDICES = [[0, -1], [0, 3], [2, -4], [0, 2**62], [-(2**62), 1], [0, 1], [2, 2], [-3, 0]]


def test_every_function_of_indices_is_tried() -> None:
    taking = {
        name
        for name, f in {**symgrad.FUNCTIONS, **vars(F)}.items()
        if callable(f)
        and not name.startswith("_")
        and {"index", "indices", "target"} & set(_parameters(f))
        and not set(_parameters(f))
        & {"log_target", "log_input", "label_smoothing", "delta", "beta"}
    }
    tried = {name.split()[0] for name in CALLS}
    of_numbers = {name for name in taking if "loss" in name or "entropy" in name}
    assert taking - of_numbers <= tried | _OTHERS


def _parameters(f: Any) -> list[str]:
    try:
        return list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        return []


def outcome(run: Callable[[], Any]) -> Any:
    """The value, or the class of the error."""
    try:
        value = run()
    except (IndexError, RuntimeError, ValueError) as error:
        return type(error)
    return np.asarray(value.detach().numpy() if isinstance(value, symgrad.Tensor) else value)


@pytest.mark.parametrize("indices", INDICES, ids=str)
@each("name", list(CALLS))
def test_a_formula_refuses_what_tensors_refuse(name: str, indices: list[int]) -> None:
    call = CALLS[name]
    index = np.array(indices)
    values = {"x": X, "m": M, "two": TWO, "i": index}
    want = outcome(lambda: call(*[symgrad.tensor(v) for v in values.values()]))
    leaves = [symgrad.leaf(n, v.shape, symgrad.tensor(v).dtype) for n, v in values.items()]
    e = call(*leaves)
    given = {x.name: values[x.name] for x in e.leaves}
    rest = {n: v for n, v in given.items() if n != "i"}
    names: dict[str, Any] = {}
    exec(e.source(), names)
    ways = [
        lambda: e.evaluate(given),
        lambda: e.lambdify()(**given),
        lambda: names["f"](**given),
        # An array in the place of the leaf is looked at when the formula is made.
        lambda: call(*leaves[:3], ArrayConst(index)).evaluate(rest),
        lambda: e.subs("i", index).evaluate(rest),
    ]  # fmt: skip
    if e.dtype.differentiable:
        wrt = next(x for x in leaves if x in e.leaves and x.dtype.differentiable)
        gradient = symgrad.derive(e.sum(), wrt)
        if gradient.has("i") and isinstance(want, type):
            known = {x.name: values[x.name] for x in gradient.leaves}
            ways.append(lambda: gradient.evaluate(known))
    for way in ways:
        got = outcome(way)
        if isinstance(want, type):
            assert got is want
        else:
            np.testing.assert_allclose(got, want, rtol=1e-6)


@pytest.mark.parametrize("value", [-0.1, 1.5, np.nan])
def test_probabilities(value: float) -> None:
    p, t = symgrad.leaf("p", (2,)), symgrad.leaf("t", (2,))
    e = F.binary_cross_entropy(p, t)
    with pytest.raises(RuntimeError, match="between 0 and 1"):
        F.binary_cross_entropy(symgrad.tensor([0.5, value]), symgrad.tensor([0.0, 1.0]))
    for f in (e, symgrad.derive(e, p)):
        with pytest.raises(RuntimeError, match="between 0 and 1"):
            f.evaluate({p: [0.5, value], t: [0, 1]})
        assert np.isfinite(f.evaluate({p: [0.5, 0.25], t: [0, 1]})).all()


_HOLDS = {
    symgrad.bool_: [True, False],
    symgrad.uint8: [0, 255], symgrad.int8: [-128, 127], symgrad.int16: [-(2**15), 2**15 - 1],
    symgrad.int32: [-(2**31), 2**31 - 1], symgrad.int64: [-(2**63), 2**63 - 1],
    symgrad.float16: [65504.0, np.inf], symgrad.float32: [3e38, -np.inf, np.nan, 2**24 + 1],
    symgrad.float64: [1e308, 2**60], symgrad.complex64: [3e38j], symgrad.complex128: [1e308j],
}  # fmt: skip
_REFUSES = {
    symgrad.bool_: [2, 1.0],
    symgrad.uint8: [-1, 256, 1.0], symgrad.int8: [-129, 300, 0.5], symgrad.int16: [2**15, 1j],
    symgrad.int32: [2**31, 0.0], symgrad.int64: [2**63, 2.0**70],
    symgrad.float16: [65520.0, 1e30, 1j], symgrad.float32: [1e39, -4e38, 1j],
    symgrad.float64: [1j], symgrad.complex64: [1e39j, 1e300],
}  # fmt: skip


@pytest.mark.parametrize("kind", _HOLDS, ids=lambda kind: kind.name)
def test_leaves_are_given_only_what_their_dtype_holds(kind: symgrad.dtype) -> None:
    x = symgrad.leaf("x", (2,), kind)
    e: ArrayExpr = x.clone()
    names: dict[str, Any] = {}
    exec(e.source(), names)
    functions = [lambda v: e.evaluate({x: v}), e.lambdify(), names["f"]]
    if kind.is_floating_point or kind.is_complex:
        functions.pop()  # NumPy converts what emitted source is given
    for f in functions:
        for value in _HOLDS[kind]:
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(f([value, value]), np.array([value] * 2, kind.numpy))
        for value in _REFUSES.get(kind, []):
            for given in ([value, value], np.array([value, value])):
                if f is names["f"] and value in (0.0, 1.0):
                    continue  # a float that is a whole number: source looks at values alone
                with (
                    np.errstate(all="ignore"),
                    warnings.catch_warnings(category=np.exceptions.ComplexWarning, action="ignore"),
                    pytest.raises((ValueError, TypeError, OverflowError)) as caught,
                ):
                    f(given)
                assert f is names["f"] or "'x'" in str(caught.value)


_SHAPES = ((3, 3), (3,), ())
_NAMES = sorted(
    {*symgrad.FUNCTIONS, *symgrad.schema.public.METHODS} - {"from_sympy", "elementwise"}
)


@each("name", list(_NAMES))
def test_a_fraction_for_a_whole_number_is_refused(name: str) -> None:
    """Wherever tensors refuse it by its type: every parameter of every function and method."""
    f = symgrad.FUNCTIONS.get(name) or symgrad.schema.public.METHODS[name]
    parameters = list(inspect.signature(f).parameters.values())[1:]
    for p, shape in itertools.product(parameters, _SHAPES):
        if p.kind is p.VAR_KEYWORD:
            continue
        many = p.kind in (p.VAR_POSITIONAL, p.POSITIONAL_ONLY)
        args, kwargs = ((1.7,), {}) if many else ((), {p.name: 1.7})
        refused = None
        try:
            f(symgrad.ones(shape), *args, **kwargs)
        except TypeError as error:
            refused = error
        except Exception:
            continue
        if refused is None or "missing" in str(refused):
            continue
        if "Tensor" in str(refused):  # formulas take numbers for arrays
            continue
        with pytest.raises((TypeError, RuntimeError, ValueError, IndexError)):
            f(symgrad.leaf("x", shape), *args, **kwargs)


def test_a_fraction_for_a_whole_number_says_what_tensors_say() -> None:
    x = symgrad.leaf("x", (3,))
    with pytest.raises(TypeError, match=r"argument 'offset' \(position 2\) must be int"):
        symgrad.diag_embed(x, 1.7)
