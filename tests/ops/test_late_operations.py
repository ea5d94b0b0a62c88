"""An operation that is defined later is what it would be in the library.

Each operation of the library is written once more, under another name (`tests.ops.late`). From the
same facts the same formulas follow, derivatives with masks among them. Only a rewrite that is about
an operation itself knows it by its name, as that of `log(1 + exp(x))` knows `exp`; such operations
are found in the code of the rewrites. The derivatives of these are compared by their values.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import numpy as np
import pytest
import sympy

import symgrad
from numeric.interpret import interpret
from numeric.kernel import Kernel
from symgrad.differentiate.batch import batch_expressions
from symgrad.differentiate.sweeps import jvp, vjp, with_derivative_rewrites
from symgrad.expr.atoms import Leaf, as_expr
from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.forms import names
from symgrad.forms.sympy_functions import operations_of_sympy
from symgrad.lower.program import lower
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.identity import forward_value
from symgrad.ops.powers import sqrt
from symgrad.ops.primitive import PRIMITIVES, Linear, Primitive, bind
from symgrad.ops.results import Several
from symgrad.ops.triangular import diagonal, diagonal_copy
from symgrad.ops.where import where
from symgrad.ops.zeros import Zeros
from symgrad.simplify import TABLE
from symgrad.tensor.numpy_interop import counterparts_of_ufuncs
from tests.each import each, in_part
from tests.expr.samples import node_of
from tests.ops.late import LIBRARY, written_again

Array = np.ndarray[Any, Any]
Values = dict[ArrayExpr, Array]

LATE = {cls: written_again(cls) for cls in LIBRARY}
_BUILT_IN = {late: cls for cls, late in LATE.items()}
SAMPLES = {f"{c.__name__}-{i}": (c, args) for c in LATE for i, args in enumerate(c.samples)}


# ------------------------------------------------------------------ operations that rewrites name


def _named_in(rule: Any) -> Iterator[type[Primitive]]:
    """Yield the operations that the code of a rewrite names, its functions in `simplify` too."""
    seen: set[Any] = set()
    pending = [rule]
    while pending:
        x = pending.pop()
        if isinstance(x, (frozenset, tuple)):
            pending += x
        elif isinstance(x, type) and issubclass(x, Primitive):
            yield x
        elif getattr(x, "__module__", "").startswith("symgrad.simplify") and x not in seen:
            seen.add(x)
            pending += _read_by(x)


def _read_by(x: Any) -> list[Any]:
    """Return what a function, or the methods of a class, read of the names of their module."""
    if not isinstance(x, FunctionType):
        return list(vars(x).values()) if isinstance(x, type) else []
    found = [cell.cell_contents for cell in x.__closure__ or ()]
    codes = [x.__code__]
    while codes:
        code = codes.pop()
        codes += [c for c in code.co_consts if isinstance(c, CodeType)]
        found += [x.__globals__[name] for name in code.co_names if name in x.__globals__]
    return found


NAMED = {cls for entry in TABLE for cls in (*entry.roots, *_named_in(entry.rule))}


def test_most_operations_are_named_by_no_rewrite() -> None:
    assert len(NAMED & LATE.keys()) < len(LATE) / 3


# ------------------------------------------------------------------ formulas


class Formulas(NamedTuple):
    """The formulas of an operation on one sample, in an order that depends on the sample alone."""

    made: list[ArrayExpr | None]
    values: Values


def _operands(cls: type[Primitive], args: tuple[Any, ...], known: Values, masked: bool) -> Any:
    """Return the operands of a sample: as `sqrt(t) + x` with some t = 0, or masked in part."""
    roots: list[ArrayExpr] = []
    operands: list[Any] = []
    for i, v in enumerate(args[: len(args) - len(cls.params)]):
        x = _leaf(f"x{i}_{masked}", v, known) if isinstance(v, np.ndarray) else as_expr(v)
        if isinstance(x, Leaf) and x.dtype.differentiable and i not in cls.underived:
            if masked:
                roots.append(x)
                x = where.of(_leaf(f"c{i}", _every(2, v), known), x, 0)
            else:
                steep = _every(3, v).astype(v.dtype)
                t = _leaf(f"t{i}", steep, known)
                known[x] = v - steep
                roots.append(t)
                x = sqrt(t) + x
        operands.append(x)
    return operands, roots


def _leaf(name: str, value: Array, known: Values) -> Leaf:
    leaf = Leaf(name, value.shape, from_numpy_dtype(value.dtype))
    known[leaf] = value
    return leaf


def _every(n: int, like: Array) -> Array:
    return np.asarray(np.arange(like.size).reshape(like.shape) % n == 1)


def _ramp(name: str, x: ArrayExpr, known: Values) -> Leaf:
    value = np.linspace(0.5, 1.5, x.size).reshape(x.shape).astype(x.dtype.numpy)
    return _leaf(name, np.asarray(value), known)


def formulas(cls: type[Primitive], args: tuple[Any, ...]) -> Formulas:
    """Return values, tangents and derivatives of two orders, and the batch of a sample.

    Of the derivatives, one masks the result, where the derivative inside is infinite; one has an
    infinite factor beside the result, whose operands are masked.
    """
    known: Values = {}
    params = args[len(args) - len(cls.params) :]
    operands, steep = _operands(cls, args, known, masked=False)
    within, chosen = _operands(cls, args, known, masked=True)
    whole, of_masked = cls(*operands, *params), cls(*within, *params)
    count = max(len(cls.results), 1) if issubclass(cls, Several) else 0
    made: list[ArrayExpr | None] = []
    for k, y in enumerate([whole[i] for i in range(count)] if count else [whole]):
        made.append(y)
        moved = {x: Leaf(f"b_{x.name}", (2, *x.shape), x.dtype) for x in y.leaves}
        if moved:
            known.update({b: np.stack([known[x], known[x]]) for x, b in moved.items()})
            made += batch_expressions([y], moved, 2)
        if not (steep and y.dtype.differentiable) or y.missing_derivative():
            continue
        ct = _ramp(f"ct{k}", y, known)
        masked = where(_leaf(f"m{k}", _every(2, np.empty(y.shape)), known), y, 0)
        tangents = [_ramp(f"d{i}_{k}", t, known) for i, t in enumerate(steep)]
        beside = _leaf(f"s{k}", np.zeros(y.shape, y.dtype.numpy), known)
        product = sqrt(beside) * (of_masked[k] if count else of_masked)
        first = [
            *vjp([masked], [ct], steep),
            *jvp([masked], steep, tangents),
            *vjp([product], [ct], [beside, *chosen]),
        ]
        made += first
        for i, g in enumerate(first):
            if g is not None:
                made += vjp([g], [_ramp(f"w{i}_{k}", g, known)], [*steep, beside, ct])
    return Formulas(made, known)


def _in_the_library(e: ArrayExpr) -> ArrayExpr:
    """Return a formula with the operations of the library in the place of those defined later."""
    found: dict[ArrayExpr, ArrayExpr] = {}
    for x in toposort([e]):
        operands = [found[y] for y in x.operands]
        cls: Any = _BUILT_IN.get(type(x), type(x))
        found[x] = cls(*operands, *x.args[len(operands) :]) if x.args else x
    return found[e]


def _value(e: ArrayExpr, known: Values) -> Array:
    program = lower([e], {x: x.name for x in e.leaves})
    by_name = {x.name: v for x, v in known.items()}
    with np.errstate(all="ignore"):
        (value,) = interpret(program, [by_name[name] for _, name in program.inputs])
    return np.asarray(value)


def _assert_alike(written: Array, found: Array) -> None:
    """Assert that zeros of the first are zeros of the second, and that numbers of both agree."""
    assert found.dtype == written.dtype
    np.testing.assert_array_equal(found[written == 0], 0)
    finite = np.isfinite(written) & np.isfinite(found)
    rtol = 1e-9 if written.dtype.itemsize > 4 else 1e-3
    np.testing.assert_allclose(found[finite], written[finite], rtol=rtol, atol=1e-12)


@each("cls, args", in_part([pytest.param(*v, id=k) for k, v in SAMPLES.items()], among=4))
def test_the_same_follows_from_the_same_facts(cls: type[Primitive], args: Any) -> None:
    built_in, late = formulas(cls, args), formulas(LATE[cls], args)
    for x, y in zip(built_in.made, late.made, strict=True):
        if x is None or y is None:
            assert x is y
        elif _in_the_library(y) is not x:
            assert cls in NAMED, f"{y} where the library has {x}"
            _assert_alike(_value(x, built_in.values), _value(y, late.values))


# ------------------------------------------------------------------ the record


def recorded(cls: type[Primitive], args: tuple[Any, ...]) -> list[Array]:
    """Return results, and gradients through a mask where the derivative inside is infinite."""
    split = len(args) - len(cls.params)
    steep, operands = [], []
    for i, v in enumerate(args[:split]):
        x: Any = symgrad.tensor(v.copy()) if isinstance(v, np.ndarray) else v
        if isinstance(v, np.ndarray) and v.dtype.kind in "fc" and i not in cls.underived:
            t = symgrad.tensor(_every(3, v).astype(v.dtype), requires_grad=True)
            x = t.sqrt() + (x - t.detach())
            steep.append(t)
        operands.append(x)
    made = bind(cls, operands, args[split:])
    results = list(made) if issubclass(cls, Several) else [made]
    found = [y.detach().numpy() for y in results]
    for y in results:
        if y.requires_grad and not node_of(cls, args)[0].missing_derivative():
            mask = symgrad.tensor(_every(2, y.detach().numpy()))
            gradients = symgrad.autograd.grad(
                symgrad.where(mask, y, 0), steep, symgrad.ones_like(y),
                retain_graph=True, materialize_grads=True,
            )  # fmt: skip
            found += [g.numpy() for g in gradients]
    return found


def of_tensors(cls: type[Primitive], args: tuple[Any, ...]) -> bool:
    """Return whether tensors have the operation: plans alone hold values of the forward pass."""
    arrays = any(isinstance(x, np.ndarray) for x in args)
    return arrays and not issubclass(cls, forward_value)


OF_TENSORS = [pytest.param(*x, id=name) for name, x in SAMPLES.items() if of_tensors(*x)]


@each("cls, args", in_part(OF_TENSORS, every=3))
@np.errstate(all="ignore")
def test_records_and_gradients_are_the_same(cls: type[Primitive], args: Any) -> None:
    built_in, late = recorded(cls, args), recorded(LATE[cls], args)
    for x, y in zip(built_in, late, strict=True):
        if cls in NAMED:
            _assert_alike(x, y)
        else:
            np.testing.assert_array_equal(x, y)


# ------------------------------------------------------------------ one fact at a time


class my_flip(Linear, abstract=True):
    """A move of somebody else's: each element to the other end."""

    keeps_zeros = Zeros.MOVED
    moves = True
    kernel = Kernel("flip", lambda x: np.flip(x).copy(), "np.flip({0}).copy()")

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return my_flip.of(ct)


def test_a_move_takes_masks_along() -> None:
    x = symgrad.tensor([0.0, 1.0, 4.0], requires_grad=True)
    mask = symgrad.tensor([True, True, False])
    symgrad.where(mask, bind(my_flip, (x.sqrt(),)), 0).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [0.0, 0.5, 0.25])


@pytest.mark.parametrize("cls", [cls for cls in LATE if cls.moves])
def test_a_factor_is_moved_to_the_value_of_a_moved_mask(cls: type[Primitive]) -> None:
    gradients = []
    for kind in (cls, LATE[cls]):
        x = Leaf("x", cls.samples[0][0].shape)
        y: Any = kind(sqrt(x), *cls.samples[0][1:])
        mask, ct = Leaf("m", y.shape, symgrad.bool), Leaf("ct", y.shape)
        gradients += vjp([where(mask, y, 0)], [ct], [x])
    assert type(gradients[0]) is cls
    assert _in_the_library(gradients[1]) is gradients[0]


def test_a_copy_of_a_view_is_the_view_in_derivatives() -> None:
    x = Leaf("x", (3, 4))
    late = LATE[diagonal_copy]
    assert type(late.of(x, 0, 0, 1)) is late
    assert with_derivative_rewrites(late.of)(x, 0, 0, 1) is diagonal(x, 0, 0, 1)


def test_what_is_no_copy_of_a_view_stays() -> None:
    class twice_the_diagonal(diagonal):
        kernel = Kernel(
            "twice", lambda x, offset, axis1, axis2: 2 * np.diagonal(x, offset), "2 * {0}"
        )
        is_view = False

    try:
        y = with_derivative_rewrites(twice_the_diagonal.of)(Leaf("x", (3, 3)), 0, 0, 1)
        assert type(y) is twice_the_diagonal
    finally:
        del PRIMITIVES["twice_the_diagonal"]


@pytest.fixture
def cube_root() -> Iterator[type[Elementwise]]:
    """An operation that is defined after what is gathered from the operations was asked for."""
    assert "cbrt" not in counterparts_of_ufuncs()
    assert (sympy.catalan, 1) not in operations_of_sympy()

    class my_cbrt(Elementwise):
        result = "float"
        of_sympy = sympy.catalan  # any function that has no operation
        kernel = Kernel.from_ufunc(np.cbrt)

        def partials(self, x: ArrayExpr) -> Any:
            return (1 / (3 * self**2),)

    yield my_cbrt
    del PRIMITIVES["my_cbrt"]
    counterparts_of_ufuncs.cache_clear()
    operations_of_sympy.cache_clear()


def test_functions_of_others_become_operations_that_are_defined_later(
    cube_root: type[Elementwise],
) -> None:
    x = symgrad.tensor([1.0, 8.0], requires_grad=True)
    np.cbrt(x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [1 / 3, 1 / 12], rtol=1e-6)
    assert type(symgrad.from_sympy(sympy.catalan(sympy.Symbol("x")))) is cube_root


def test_a_text_may_name_an_operation_that_is_defined_later(cube_root: type[Elementwise]) -> None:
    x = Leaf("x", (3,))
    assert "my_cbrt" in names.__all__
    known = {name: getattr(names, name) for name in names.__all__}
    assert eval(str(cube_root(x)), known, {"x": x}) is cube_root(x)
