"""Every rewrite fires on samples, and is safe there.

The samples are those that it states, and all operations that have rewrites on operands of every
form that a rewrite looks for. Of a derivative's rewrite, the value is compared with that of the
node as it was written, in its own precision and in a wider one: at ordinary values, at zeros,
infinities and nan, and at the ends of the range of exponents. Of a value's rewrite, bits and memory
order are the same. A stable form has the value and, at ordinary values, the derivative of its node.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
import pytest

from numeric.interpret import interpret
from symgrad.differentiate.sweeps import vjp, with_derivative_rewrites
from symgrad.expr.atoms import ArrayConst, Const, Leaf, as_expr
from symgrad.expr.dtypes import (
    bool_,
    complex128,
    dtype,
    float16,
    float32,
    float64,
    from_numpy_dtype,
    int64,
    uint8,
)
from symgrad.expr.graph import leaves, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.lower.program import lower
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to, sum_to, zeros
from symgrad.ops.casting import cast
from symgrad.ops.complex_parts import conj
from symgrad.ops.contraction import contract
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.gathering import scatter, scatter_add
from symgrad.ops.indexing import index_put
from symgrad.ops.kinds import Steady
from symgrad.ops.linear_algebra import MatrixOperation
from symgrad.ops.masked import masked
from symgrad.ops.permuting import permute
from symgrad.ops.primitive import Primitive
from symgrad.ops.rearranging import flip, roll
from symgrad.ops.reduction import sum as sum_of
from symgrad.ops.reshaping import reshape
from symgrad.ops.slicing import part, updated
from symgrad.ops.softmax import log_softmax
from symgrad.ops.triangular import diag_embed, diagonal_scatter, tril, triu
from symgrad.ops.where import where
from symgrad.proofs.prove import prove
from symgrad.simplify import TABLE, Kind, Rewrite
from tests.each import each
from tests.ops.late import written_again

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]
Form = Callable[[str, Shape, dtype], ArrayExpr | None]


#: Operations that are in nothing that was gathered at import.
_where, _flip = written_again(where), written_again(flip)


def _mask(name: str, shape: Shape) -> Leaf:
    return Leaf(f"{name}_c", shape, bool_)


def _zero(shape: Shape, kind: dtype) -> ArrayExpr:
    made: ArrayExpr = zeros(shape, kind)
    return made


def _last(shape: Shape) -> tuple[Any, ...]:
    """The key of all but the first entry of the first axis."""
    return ((1, shape[0], 1),)


def _rows(shape: Shape) -> ArrayConst:
    return ArrayConst(np.arange(shape[0])[::-1].copy())


def _every(shape: Shape) -> ArrayConst:
    """Positions along the first axis, some of them twice."""
    return ArrayConst(np.zeros(shape, np.int64))


def _square(shape: Shape) -> bool:
    return len(shape) == 2 and shape[0] == shape[1]


#: The forms of an operand: of a name, a shape and a dtype, None where there is none.
FORMS: dict[str, Form] = {
    "leaf": Leaf,
    "neg": lambda n, s, k: neg(Leaf(n, s, k)),
    "neg neg": lambda n, s, k: neg(neg(Leaf(n, s, k))),
    "scaled": lambda n, s, k: mul(Const(3), Leaf(n, s, k)),
    "scaled after": lambda n, s, k: mul(Leaf(n, s, k), Const(-2)),
    "scaled by 0": lambda n, s, k: mul(Const(0), Leaf(n, s, k)),
    "scaled strongly": lambda n, s, k: mul(Const(5, k), Leaf(n, s, k)),
    "scaled in float64": lambda n, s, k: mul(Const(3, float64), Leaf(n, s, k)),
    "scaled scalar": lambda n, s, k: mul(Const(3), Leaf(f"{n}0", (), k)),
    "inverse": lambda n, s, k: div(Const(1), Leaf(n, s, k)),
    "inverse count": lambda n, s, k: div(Const(1), Leaf(f"{n}i", s, int64)),
    "inverse count of a strong number": lambda n, s, k: div(Const(1, k), Leaf(f"{n}i", s, int64)),
    "double scalar": lambda n, s, k: Leaf(f"{n}d", (), float64) if not s else None,
    "sum of two": lambda n, s, k: add(Leaf(n, s, k), Leaf(f"{n}b", s, k)),
    "where": lambda n, s, k: where(_mask(n, s), Leaf(n, s, k), Const(0)),
    "where at the shared mask": lambda n, s, k: where(_mask("m", s), Leaf(n, s, k), Const(0)),
    "where not": lambda n, s, k: where(_mask("m", s), Const(0), Leaf(n, s, k)),
    "masked": lambda n, s, k: masked(
        mul(Leaf(n, s, k), Leaf(f"{n}b", s, k)), _mask(n, s), _mask(n, s)
    ),
    "broadcast scalar": lambda n, s, k: broadcast_to(Leaf(f"{n}0", (), k), s) if s else None,
    "broadcast double": lambda n, s, k: broadcast_to(Leaf(f"{n}0", (), float64), s) if s else None,
    "broadcast": lambda n, s, k: broadcast_to(Leaf(f"{n}1", s[1:], k), s) if len(s) > 1 else None,
    "broadcast column": lambda n, s, k: (
        broadcast_to(Leaf(f"{n}2", (s[0], 1), k), s) if len(s) == 2 else None
    ),
    "broadcast constant": lambda n, s, k: (
        broadcast_to(Const(0.1, k), s) if s and k.category >= float64.category else None
    ),
    "permute": lambda n, s, k: (
        permute(Leaf(f"{n}t", s[::-1], k), tuple(range(len(s)))[::-1]) if len(s) > 1 else None
    ),
    "permute where": lambda n, s, k: (
        permute(where(_mask(n, s[::-1]), Leaf(f"{n}t", s[::-1], k), Const(0)), (1, 0))
        if len(s) == 2
        else None
    ),
    "reshape": lambda n, s, k: reshape(Leaf(f"{n}r", (1, *s), k), s),
    "reshape scalar": lambda n, s, k: (
        reshape(broadcast_to(Leaf(f"{n}0", (), k), (1, *s)), s) if s else None
    ),
    "flip": lambda n, s, k: flip(Leaf(n, s, k), (0,)) if s else None,
    "flip where": lambda n, s, k: (
        flip(where(_mask(n, s), Leaf(n, s, k), Const(0)), (0,)) if s else None
    ),
    "where defined later": lambda n, s, k: _where(_mask(n, s), Leaf(n, s, k), Const(0)),
    "flip defined later of where": lambda n, s, k: (
        _flip(where(_mask(n, s), Leaf(n, s, k), Const(0)), (0,)) if s else None
    ),
    "roll": lambda n, s, k: roll(Leaf(n, s, k), (1,), (0,)) if s else None,
    "roll back": lambda n, s, k: roll(Leaf(n, s, k), (-1,), (0,)) if s else None,
    "cast narrow": lambda n, s, k: cast(Leaf(f"{n}f", s, float32), k) if k is float64 else None,
    "cast wide": lambda n, s, k: cast(Leaf(f"{n}g", s, float64), k) if k is float32 else None,
    "updated": lambda n, s, k: (
        updated(_zero(s, k), Leaf(f"{n}u", (s[0] - 1, *s[1:]), k), _last(s)) if s else None
    ),
    "updated leaf": lambda n, s, k: (
        updated(Leaf(n, s, k), _zero((s[0] - 1, *s[1:]), k), _last(s)) if s else None
    ),
    "put": lambda n, s, k: (
        index_put(_zero(s, k), Leaf(n, s, k), _rows(s), (True,), (0,), True) if s else None
    ),
    "scatter": lambda n, s, k: scatter(_zero(s, k), Leaf(n, s, k), _every(s), 0) if s else None,
    "scatter_add": lambda n, s, k: (
        scatter_add(_zero(s, k), Leaf(n, s, k), _every(s), 0) if s else None
    ),
    "diag_embed": lambda n, s, k: (
        diag_embed(Leaf(f"{n}1", s[1:], k), s, 0, 0, 1) if _square(s) else None
    ),
    "diagonal_scatter": lambda n, s, k: (
        diagonal_scatter(Leaf(n, s, k), _zero(s[1:], k), 0, 0, 1) if _square(s) else None
    ),
    "tril": lambda n, s, k: tril(Leaf(n, s, k), 0) if len(s) == 2 else None,
    "triu": lambda n, s, k: triu(Leaf(n, s, k), 1) if len(s) == 2 else None,
    "diagonal": lambda n, s, k: contract(Leaf(f"{n}1", s[1:], k), "a->aa") if _square(s) else None,
    "contract": lambda n, s, k: (
        contract(Leaf(f"{n}l", (s[0], 2), k), Leaf(f"{n}m", (2, s[1]), k), "ab,bc->ac")
        if len(s) == 2
        else None
    ),
    "part": lambda n, s, k: (
        part(Leaf(f"{n}p", (s[0] + 1, *s[1:]), k), ((1, s[0] + 1, 1),)) if s else None
    ),
    "part of an update": lambda n, s, k: (
        part(
            updated(Leaf(f"{n}p", (s[0] + 1, *s[1:]), k), Leaf(n, s, k), ((1, s[0] + 1, 1),)),
            ((1, s[0] + 1, 1),),
        )
        if s
        else None
    ),
    "sum_to": lambda n, s, k: sum_to(Leaf(f"{n}s", (2, *s), k), s),
    "conj": lambda n, s, k: conj(Leaf(n, s, k)),
    "conj inverse": lambda n, s, k: conj(div(Const(1), Leaf(n, s, k))),
    "zeros": lambda n, s, k: _zero(s, k),
    "shared": lambda n, s, k: Leaf("z", s, k),
    "shared scaled": lambda n, s, k: mul(Const(2), Leaf("z", s, k)),
    **{
        f"the number {c}": (lambda n, s, k, c=c: Const(c) if not s else None)
        for c in (0, 1, -1, 3, 0.0, -0.0, 0.3)
    },
    **{
        f"the strong number {c}": (
            lambda n, s, k, c=c: Const(c, k) if not s and k.category >= float64.category else None
        )
        for c in (0, 1, -1, 200, 0.1)
    },
    "the strong number 0.1 in float64": lambda n, s, k: Const(0.1, float64) if not s else None,
}

_SHAPES: list[tuple[Shape, Shape]] = [
    ((3, 3), (3, 3)),
    ((3, 3), (3,)),
    ((3,), (3, 3)),
    ((3, 3), ()),
    ((), (3, 3)),
    ((3, 3), (3, 1)),
    ((), ()),
    ((3,), (3,)),
]
_NUMBER_OR_ARRAY = (((3, 3), (3, 3)), ((), (3, 3)), ((3, 3), ()), ((), ()))
_KINDS = [(float64, float64), (float32, float32), (float64, float32), (float32, float64)]
_EACH_KIND = (float64, float32, complex128, int64, float16)
_OTHER_KINDS = [(float16, float16), (complex128, complex128), (uint8, float64), (int64, float64)]


def _all_made(name: str, shape: Shape, kind: dtype) -> list[ArrayExpr]:
    """Return an operand in every form that there is in a shape and dtype."""
    found = []
    for form in FORMS.values():
        try:
            made = form(name, shape, kind)
        except (RuntimeError, AssertionError, NotImplementedError, TypeError, ValueError):
            continue  # there is none of that dtype, or of so many axes
        if made is not None and made.shape == shape:
            found.append(made)
    return found


#: The operands of a node, and its parameters.
Application: TypeAlias = tuple[tuple[ArrayExpr, ...], tuple[Any, ...]]


def _written(cls: type[Primitive], operands: Any, params: Any) -> Any:
    if all(x.weak for x in operands):
        return None  # of numbers alone nobody makes it: Python computes with them
    try:
        return cls(*operands, *params)
    except (RuntimeError, AssertionError, NotImplementedError, ValueError):
        return None


def _patterns(cls: type[Primitive], of_rewrites: bool) -> list[Any]:
    """Return the samples of the rewrites of a class, or of the class itself, one of each kind.

    Of a kind are those with the same shapes and dtypes of operands and the same parameters.
    """
    if of_rewrites:
        samples = [n for e in TABLE if cls in e.roots for n in e.samples() if type(n) is cls]
    else:
        samples = [_on_leaves(cls, sample) for sample in cls.samples]
    found: dict[Any, Any] = {}
    for node in samples:
        kinds = tuple([(x.shape, x.dtype) for x in node.operands])
        found.setdefault((kinds, node.param_values), node)
    return list(found.values())


def _on_leaves(cls: type[Primitive], sample: tuple[Any, ...]) -> Primitive:
    """Return the node of a sample, with leaves for floats; indices stay what they are."""
    split = len(sample) - len(cls.params)
    operands = [
        Leaf(f"x{i}", x.shape, from_numpy_dtype(x.dtype))
        if isinstance(x, np.ndarray) and x.dtype.kind in "fc"
        else as_expr(x)
        for i, x in enumerate(sample[:split])
    ]
    return cls(*operands, *sample[split:])


def _applications(cls: type[Primitive], every: int = 1) -> Iterator[Application]:
    """Operands and parameters for a class: of samples, and with operands of every form.

    Of pairs of forms each so many-th is made, of which there are hundreds of thousands.
    """
    for entry in TABLE:
        if cls in entry.roots:
            for node in entry.samples():
                if type(node) is cls:
                    yield node.operands, node.param_values
    if issubclass(cls, Elementwise) and cls.arity == 2:
        for (s, t), (j, k) in itertools.product(_SHAPES, _KINDS + _OTHER_KINDS):
            if (j, k) != (float64, float64) and (s, t) not in _NUMBER_OR_ARRAY:
                continue  # where dtypes differ, what counts is which are numbers
            forms = itertools.product(_all_made("x", s, j), _all_made("y", t, k))
            yield from ((pair, ()) for pair in itertools.islice(forms, 0, None, every))
        return
    for of_rewrites in (True, False):
        for count, node in enumerate(_patterns(cls, of_rewrites)):
            operands = [
                _mask("m", x.shape) if isinstance(x, Leaf) and x.dtype is bool_ else x
                for x in node.operands
            ]
            yield tuple(operands), node.param_values
            moving = [i for i, x in enumerate(operands) if x.dtype.differentiable]
            for i, kind in itertools.product(
                moving, (float64, float32, complex128, int64, float16)
            ):
                for x in _all_made("xyzw"[i], operands[i].shape, kind):
                    yield (*operands[:i], x, *operands[i + 1 :]), node.param_values
            # Two forms at once for a few kinds of samples: there are thousands of such pairs.
            pairs = itertools.combinations(moving, 2) if of_rewrites and count < 4 else ()
            for i, j in pairs:
                forms = itertools.product(
                    *[_all_made("xyzw"[k], operands[k].shape, float64) for k in (i, j)]
                )
                for x, y in itertools.islice(forms, 0, None, every):
                    given = {i: x, j: y}
                    both = tuple([given.get(k, z) for k, z in enumerate(operands)])
                    yield both, node.param_values


def _entries(*kinds: Kind) -> list[Any]:
    return [
        pytest.param(root, entry, id=f"{entry.name}-{root.__name__}")
        for entry in TABLE
        if entry.kind in kinds
        for root in entry.roots
    ]


_OF_NODES = _entries(Kind.VALUE, Kind.DERIVATIVE)


# ------------------------------------------------------------------ values

_ORDINARY = (0.7, -1.3, 2.6, -0.4, 1.1, 3.7, -2.9, 0.2, 5.3)
_SPECIAL = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.5, -0.3)
_EXTREME = {
    float64: (1e200, -1e200, 1e-200, 1e308, -1e308, 1e-308, 5e-324, 3.0, -0.1),
    float32: (1e20, -1e20, 1e-20, 3e38, -3e38, 1e-38, 1e-45, 3.0, -0.1),
    float16: (2e3, -2e3, 2e-3, 6e4, -6e4, 6e-5, 6e-8, 3.0, -0.1),
    complex128: (1e100, -1e100, 1e-100, 2.0, -0.3, 1.0, -1.0, 3.0, -0.1),
}
# Sums in another order are compared where no part of them overflows alone.
_LARGE = {
    float64: (1e100, -1e100, 1e-100, 3e90, -2e-90, 1.0, 5e-200, 3.0, -0.1),
    float32: (1e10, -1e10, 1e-10, 3e9, -2e-9, 1.0, 5e-20, 3.0, -0.1),
    float16: (60.0, -60.0, 2e-2, 30.0, -2e-2, 1.0, 5e-2, 3.0, -0.1),
    complex128: _EXTREME[complex128],
}


@functools.cache
def _fill(x: Leaf, which: str, sums: bool) -> Array:
    """Values for a leaf, others for each name."""
    rng = np.random.default_rng([*which.encode(), *x.name.encode()])
    if x.dtype.numpy.kind == "b":
        return np.asarray(rng.random(x.shape) < 0.5)
    if x.dtype.category < float32.category:
        return rng.integers(1, 9, x.shape).astype(x.dtype.numpy)
    if which == "ordinary":
        choice: Any = _ORDINARY
    elif which == "special":
        choice = _SPECIAL
    else:
        choice = (_LARGE if sums else _EXTREME)[x.dtype]
    values = np.asarray(rng.choice(choice, x.shape))
    if x.dtype.is_complex:
        choice = [c for c in choice if np.isfinite(c)]
        values = np.where(np.isfinite(values), values, 7.0)
        values = values + 1j * rng.choice(choice, x.shape)
    elif which == "ordinary":
        values = values * (1 + rng.random(x.shape))  # with all digits
    return values.astype(x.dtype.numpy)


def _value(e: ArrayExpr, which: str, sums: bool, wide: bool = False, sizes: bool = False) -> Array:
    # Leaves of one name may have several shapes.
    named = {x: f"{x.name}{'_'.join(map(str, x.shape))}" for x in leaves(e)}
    program = lower([e], named)
    given = {name: _fill(x, which, sums) for x, name in named.items()}
    if sizes:
        given = {n: np.abs(v).astype(v.dtype) for n, v in given.items()}
    if wide:
        given = {n: v.astype(np.longdouble) if v.dtype.kind == "f" else v for n, v in given.items()}
    with np.errstate(all="ignore"):
        (value,) = interpret(program, [given[name] for _, name in program.inputs])
    return np.asarray(value)


_SUMS = frozenset((contract, sum_to, sum_of, scatter_add))
_EMPTY = frozenset(
    (where, _where, masked, updated, index_put, scatter, scatter_add, diag_embed, diagonal_scatter,
     tril, triu, contract, broadcast_to)
)  # fmt: skip


def _has(e: ArrayExpr, classes: frozenset[Any]) -> bool:
    return not classes.isdisjoint(map(type, toposort([e])))


def _assert_safe(node: Any, made: ArrayExpr) -> None:
    """Assert of a derivative's rewrite what `symgrad.simplify` promises."""
    assert made.shape == node.shape and made.dtype is node.dtype and made.weak is node.weak
    sums = _has(node, _SUMS) or _has(made, _SUMS)
    # NumPy factorises no matrix of wider numbers.
    of_matrices = any(isinstance(x, MatrixOperation) for x in toposort([node]))
    for which in ("ordinary", "special", "extreme"):
        written, found = _value(node, which, sums), _value(made, which, sums)
        assert found.dtype == written.dtype
        if written.dtype.kind not in "fc":
            np.testing.assert_array_equal(found, written)
            continue
        wide = _value(node, which, sums, wide=not of_matrices)
        parts = [(written, found, wide)]
        if written.dtype.kind == "c":
            if not np.isfinite(written).all():
                continue  # NumPy's products of complex infinities are nan in any order
            parts = [(written.real, found.real, wide.real), (written.imag, found.imag, wide.imag)]
        for w, f, exact in parts:
            size = np.abs(exact)
            if sums or node.dtype.is_complex:  # what cancels counts as well
                largest = np.abs(_value(node, which, sums, sizes=True))
                size = np.full_like(size, largest[np.isfinite(largest)].max(initial=0.0))
            _assert_close(w, f, exact, size, node, which)


def _epsilon(node: Any) -> float:
    """The relative size of what is rounded off, in the narrowest dtype that is computed in."""
    strong = {x.dtype.numpy for x in toposort([node]) if isinstance(x, Primitive) and not x.weak}
    kinds = strong or {node.dtype.numpy}
    return max(float(np.finfo(kind).eps) for kind in kinds if kind.kind in "fc")


def _assert_close(w: Array, f: Array, exact: Array, size: Array, node: Any, which: str) -> None:
    info = np.finfo(w.dtype)
    with np.errstate(all="ignore"):
        allowed = 8 * _epsilon(node) * size + (1 << 22) * info.smallest_subnormal
        near = (np.abs(f - w) <= allowed) | (np.abs(f - exact) <= allowed) | (f == w)
    told = (which, w, f)
    assert (near | ~np.isfinite(w)).all(), ("a finite value has changed", *told)
    assert (~np.isnan(f) | np.isnan(w)).all(), ("a number has become nan", *told)
    hidden = np.isnan(exact) & np.isnan(w) & ~np.isnan(f)
    if _has(node, _EMPTY):
        hidden &= f != 0  # what is masked out contributes nothing
    # A factor that all terms of a sum have is taken out of it, also where it is infinite.
    # Of operands of several dtypes some are converted on the way, and overflow in a wider one too.
    kinds = {x.dtype for x in toposort([node]) if x.dtype.is_floating_point and not x.weak}
    if len(kinds) == 1 and not node.dtype.is_complex and not _has(node, _SUMS):
        assert not hidden.any(), ("a nan of the function is hidden", *told)


@pytest.mark.parametrize("entry", TABLE, ids=[entry.name for entry in TABLE])
def test_a_rewrite_fires_on_each_of_its_samples(entry: Rewrite) -> None:
    examples = list(entry.examples())
    assert {type(node) for node, _ in examples} == set(entry.roots), "a class without a sample"
    assert entry.sentence.endswith(".")
    for node, made in examples:
        assert made is not node
        if entry.kind is Kind.DERIVATIVE:
            _assert_all_safe([(node, made)])


_STABLE = [entry for entry in TABLE if entry.kind is Kind.STABLE]


@each("entry", list(_STABLE), ids=lambda entry: entry.name)
@each("which", ["ordinary", "extreme"])
def test_a_stable_form_has_the_value_of_its_node(entry: Rewrite, which: str) -> None:
    for node, form in entry.examples():
        assert form.shape == node.shape and form.dtype is node.dtype and form.weak is node.weak
        if isinstance(form, Steady):  # this is the node, but for its derivative
            assert form.operands[1] is node
            continue
        written, found = (_value(e, which, sums=True) for e in (node, form))
        told = (str(node), str(form), written, found)
        near = np.isclose(found, written, rtol=1e-9, atol=1e-12, equal_nan=True)
        assert (near | ~np.isfinite(written)).all(), told
        assert (~np.isnan(found) | np.isnan(written)).all(), told


@each("entry", list(_STABLE), ids=lambda entry: entry.name)
@each("which", ["ordinary", "special"])
def test_a_stable_form_has_the_derivative_of_its_node(entry: Rewrite, which: str) -> None:
    for node, form in entry.examples():
        wrt, ct = leaves(node), Leaf("ct", node.shape)
        taken = (vjp([node], [ct], wrt, stable=stable) for stable in (False, True))
        for x, plain, steady in zip(wrt, *taken, strict=True):
            written, found = (_value(e, which, sums=True) for e in (plain, steady))
            told = (str(node), str(x), which, written, found)
            near = np.isclose(found, written, rtol=1e-9, atol=1e-12, equal_nan=True)
            if isinstance(node, (add, sub)) and form.has(log_softmax) and which == "special":
                # The log_softmax of a slice with inf is nan, the difference not everywhere.
                written = np.where(
                    np.isposinf(_fill(x, which, sums=True)).any(1), np.nan, written.T
                ).T
            if which == "ordinary":
                assert near.all(), told
            assert (~np.isnan(found) | ~np.isfinite(written)).all(), ("a number is nan", *told)
            unknown = np.isnan(_fill(x, which, sums=True))
            hidden = unknown & np.isnan(written) & ~np.isnan(found)
            assert not hidden.any(), ("a nan is hidden", *told)


#: Rewrites that are no equality of real numbers, since they round a number once, and those that
#: take more than is proved: of complex numbers, of sums of truth values, and of powers of numbers
#: that are not positive; and of eigenvectors, of which there is no formula.
_ROUNDED = {
    "multiply_by_number", "scale_constant_array", "divide_by_power_of_two", "log_to_a_base",
}  # fmt: skip
_NOT_PROVED = {
    "conj_of_conj", "conj_of_number", "total_of_scattered", "any_of_equal",
    "exponential_of_logarithm", "square_of_length", "function_of_a_matrix",
}  # fmt: skip


@each("entry", list(TABLE), ids=lambda entry: entry.name)
def test_a_rewrite_is_an_equality(entry: Rewrite) -> None:
    verdicts = [
        prove(node, form)
        for node, form in entry.examples()
        if not isinstance(form, Steady)  # which is the node, but for its derivative
    ]
    exact = [v for v in verdicts if v]
    if entry.name in _ROUNDED:
        assert len(exact) < len(verdicts)
    elif entry.name in _NOT_PROVED:
        assert len(exact) < len(verdicts) and not any(v.counterexample for v in verdicts)
    else:
        assert len(exact) == len(verdicts), verdicts


@each("cls, rule", list(_OF_NODES))
def test_a_rewrite_of_derivatives_fires_and_is_safe(cls: type[Primitive], rule: Rewrite) -> None:
    fired = _fired(cls, every=6)[rule.name]
    assert fired, "a rewrite without samples"
    _assert_all_safe(_rewritten(cls, rule, random.Random(3).sample(fired, min(len(fired), 3))))


def test_a_number_that_is_repeated_decides_the_dtype() -> None:
    """Found among other applications: without its axes `z` would leave the choice float32."""
    mask, whole, z = Leaf("m", (3, 3), bool_), Leaf("n", (3, 3), int64), Leaf("z", (), float64)
    chosen = with_derivative_rewrites(where.of)(mask, 1 / whole, z.broadcast_to((3, 3)))
    assert chosen.dtype is float64


@pytest.mark.slow
@pytest.mark.parametrize(("cls", "rule"), _OF_NODES)
def test_a_rewrite_of_derivatives_is_safe_elsewhere(cls: type[Primitive], rule: Rewrite) -> None:
    fired = _fired(cls, every=1)[rule.name]
    _assert_all_safe(_rewritten(cls, rule, random.Random(4).sample(fired, min(len(fired), 240))))


@functools.cache
def _fired(cls: type[Primitive], every: int) -> dict[str, list[Application]]:
    """Return, for the name of each rule, the operands and parameters of nodes that it rewrites."""
    rules = [rule for of, rule in (entry.values for entry in _OF_NODES) if of is cls]
    found: dict[str, list[Application]] = {rule.name: [] for rule in rules}
    for operands, params in _applications(cls, every):
        node = _written(cls, operands, params)
        if node is not None and not node.weak:  # numbers alone are computed by Python
            for rule in rules:
                if rule.applied(node) is not None:
                    found[rule.name].append((operands, params))
    return found


def _rewritten(
    cls: type[Primitive], rule: Rewrite, chosen: list[Application]
) -> Iterator[tuple[Any, Any]]:
    """Yield the nodes of a class with some operands, and what a rule makes of them."""
    for operands, params in chosen:
        node = cls(*operands, *params)
        yield node, rule.applied(node)


def _assert_all_safe(fired: Iterable[tuple[Any, Any]]) -> None:
    for node, made in fired:
        try:
            _assert_safe(node, made)
        except AssertionError as error:
            raise AssertionError(f"{node} became {made}: {error}") from None


# ------------------------------------------------------------------ values as they were written


def _layouts(values: Array) -> Iterator[Array]:
    yield values
    if values.ndim:
        yield np.asfortranarray(values)
        yield np.repeat(values, 2, axis=-1)[..., ::2]
        yield values[::-1].copy()[::-1]
        yield np.broadcast_to(values[:1], values.shape)
    if values.ndim > 1:
        yield values.swapaxes(0, 1).copy().swapaxes(0, 1)


@pytest.mark.parametrize(("cls", "rule"), _entries(Kind.VALUE))
def test_a_rewrite_of_values_keeps_bits_and_memory_order(
    cls: type[Primitive], rule: Rewrite
) -> None:
    fired = 0
    for operands, params in _applications(cls):
        node = _written(cls, operands, params)
        made = None if node is None else rule.applied(node)
        if made is None or not leaves(node):
            continue
        taken = leaves(node)
        fired += 1
        forms = [list(_layouts(_fill(x, "special", sums=False))) for x in taken]
        for i in range(max(map(len, forms))):
            given = {x: form[min(i, len(form) - 1)] for x, form in zip(taken, forms, strict=True)}
            values = []
            for e in (node, made):
                program = lower([e], {x: x.name for x in taken})
                named = {x.name: v for x, v in given.items()}
                with np.errstate(all="ignore"):
                    (value,) = interpret(program, [named[name] for _, name in program.inputs])
                values.append(np.asarray(value))
            written, found = values
            assert found.dtype == written.dtype and found.shape == written.shape
            if made in operands:
                continue  # run eagerly, it is its operand as well
            assert _bits(found) == _bits(written), (node, made)
            order = [s for s, n in zip(written.strides, written.shape, strict=True) if n > 1]
            got = [s for s, n in zip(found.strides, found.shape, strict=True) if n > 1]
            assert got == order, f"{node}: {order}, {made}: {got}"
    assert fired, "a rewrite without samples"


def _bits(x: Array) -> bytes:
    return np.where(x == x, x, np.nan).astype(x.dtype, order="C").tobytes()


_NUMBERS = (2, -4, 3, 6, 0.5, -0.25, 0.1, 1.0, -1, 64.0)


def _scaled(times: Any, over: Any, minus: Any, c: float, d: float, x: Any) -> list[ArrayExpr]:
    """Return products of two numbers and `x`, written in every way."""
    inner = [times(d, x), over(x, d)]
    made = [f(y) for y in inner for f in (lambda y: times(c, y), lambda y: over(y, c))]
    # Integers are taken out of products also where this changes the rounding.
    squares = inner if _is_power_of_two(d) else inner[1:]
    return [*made, *[times(c, times(y, x)) for y in squares], *map(minus, made)]


@pytest.mark.parametrize("kind", [float64, float32, float16], ids=str)
def test_numbers_are_folded_where_no_bit_changes(kind: dtype) -> None:
    """A power of two beside any number; what is left is one number, or a fraction of integers."""
    x = Leaf("x", (7,), kind)
    at = np.array([0.7, -3.7, 1.0, 0.0, -0.0, np.inf, np.nan]).astype(kind.numpy)
    for c, d in itertools.product(_NUMBERS, _NUMBERS):
        if not any(_is_power_of_two(n) for n in (c, d)):
            continue
        made = with_derivative_rewrites(_scaled)(mul.of, div.of, neg.of, c, d, x)
        for node, e in zip(_scaled(mul, div, neg, c, d, x), made, strict=True):
            assert e.dtype is kind
            with np.errstate(over="ignore"):
                np.testing.assert_array_equal(e.evaluate({x: at}), node.evaluate({x: at}))
            numbers = [y.value for y in toposort([e]) if type(y) is Const]
            fraction = [n for n in numbers if type(n) is int or n.is_integer()] == numbers
            if _is_power_of_two(c) and d != 0.1 and abs(c * d) < 2048:
                assert len(numbers) < 2 or fraction, f"{node} becomes {e}"


def _is_power_of_two(n: float) -> bool:
    return math.frexp(n)[0] in (0.5, -0.5)
