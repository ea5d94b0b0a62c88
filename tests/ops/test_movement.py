"""Data movement where records of PyTorch do not reach: formulas, masks, sharing of memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.differentiate.sweeps import vjp, with_derivative_rewrites
from symgrad.expr.atoms import Const, as_expr
from symgrad.expr.node import ArrayExpr
from symgrad.ops.indexing import index, index_put
from symgrad.ops.permuting import permute
from symgrad.ops.reshaping import reshape
from symgrad.ops.slicing import part, updated
from symgrad.tensor.subscripts import resolve, written
from tests.each import each

X = symgrad.leaf("x", (3, 4))
CUBE = symgrad.leaf("c", (3, 4, 2))
DATA = np.arange(12.0).reshape(3, 4) + 0.5
CUBE_DATA = np.arange(24.0).reshape(3, 4, 2) + 0.5
MASK = np.array([[True, False, True, True], [False, True, False, True], [True, True, False, False]])

# Keys that mean the same to NumPy and PyTorch.
KEYS: list[Any] = [
    1, -1, (0, 2), slice(1, None), (slice(None), slice(1, 3)), (slice(None, None, 2), -1),
    None, (Ellipsis, None), (None, 1, Ellipsis, 0), Ellipsis, (), (slice(2, 1),),
    [0, 2], ([0, 2], [1, 3]), ([0, 2], slice(1, None)), (slice(1, None), [3, 0, 0]),
    ([[0], [2]], [1, 3, 0]), ([0, 2], slice(None), [1, 0]), (Ellipsis, [1, 0, 1]),
    MASK, (np.array([True, False, True]), 2), (slice(None), [True, False, True, True]),
    (np.array([True, False, True]), [1, 0]), True, False, (slice(None), True),
]  # fmt: skip


def setitem(x: Any, key: Any, value: Any) -> Any:
    return written(x, resolve(key, tuple(x.shape)), value)


@each("key", list(KEYS), ids=repr)
def test_subscript_of_formula_and_tensor_as_in_numpy(key: Any) -> None:
    expected = CUBE_DATA[key]
    np.testing.assert_array_equal(CUBE[key].evaluate({"c": CUBE_DATA}), expected)
    np.testing.assert_array_equal(symgrad.tensor(CUBE_DATA)[key].numpy(), expected)


@each("key", list(KEYS), ids=repr)
def test_setitem_writes_what_the_subscript_reads(key: Any) -> None:
    expected = CUBE_DATA.copy()
    value = np.cos(np.arange(expected[key].size)).reshape(expected[key].shape)
    expected[key] = value
    written = setitem(CUBE, key, value)
    np.testing.assert_array_equal(written.evaluate({"c": CUBE_DATA}), expected)
    tensor = symgrad.tensor(CUBE_DATA)
    np.testing.assert_array_equal(setitem(tensor, key, symgrad.tensor(value)).numpy(), expected)
    np.testing.assert_array_equal(tensor.numpy(), CUBE_DATA)


@each("key", list(KEYS), ids=repr)
def test_gradient_of_setitem(key: Any) -> None:
    """Zero where the value went; to the value what was taken there, summed over repeats."""
    inner = CUBE_DATA[key].shape
    v = symgrad.leaf("v", inner)
    ct = np.sin(np.arange(24.0)).reshape(3, 4, 2)
    in_x, in_v = vjp([setitem(CUBE, key, v)], [as_expr(ct)], [CUBE, v])
    expected = ct.copy()
    expected[key] = 0
    assert in_x is not None and in_v is not None
    values = {"c": CUBE_DATA, "v": np.zeros(inner)}
    np.testing.assert_array_equal(in_x.evaluate({CUBE: values["c"], v: values["v"]}), expected)
    np.testing.assert_array_equal(in_v.evaluate({CUBE: values["c"], v: values["v"]}), ct[key])


ROOTS = np.array([0.0, 1.0, 4.0, 0.0])
PICKS = {
    "mask": lambda y: y[symgrad.tensor(ROOTS > 0)],
    "masked_select": lambda y: y.masked_select(symgrad.tensor(ROOTS > 0)),
    "indices": lambda y: y[symgrad.tensor([1, 2, 2])],
    "slice": lambda y: y[1:3],
    "gather": lambda y: y.gather(0, symgrad.tensor([1, 2])),
    "take": lambda y: y.take(symgrad.tensor([1, 2])),
    "index_select": lambda y: y.index_select(0, symgrad.tensor([1, 2])),
    "split": lambda y: y.split([1, 2, 1])[1],
    "pad": lambda y: symgrad.nn.functional.pad(y, (-1, -1)),
    "flat view": lambda y: y.view(2, 2).reshape(-1)[1:3],
    "set": lambda y: setitem(y, symgrad.tensor(ROOTS == 0), 0.0),
    "set slices": lambda y: setitem(setitem(y, slice(0, 1), 0.0), -1, 0.0),
    "scatter": lambda y: y.scatter(0, symgrad.tensor([0, 3]), 0.0),
    "triangle": lambda y: y.view(2, 2).tril(-1),
    "diagonal": lambda y: y.view(2, 2).flip(0).diagonal(),
}


@each("name", list(PICKS))
def test_elements_left_out_never_give_nan(name: str) -> None:
    """The square root is steep without bound at the elements that are left out."""
    x = symgrad.tensor(ROOTS, requires_grad=True)
    (g,) = symgrad.autograd.grad(PICKS[name](x.sqrt()).sum(), x, create_graph=True)
    assert np.isfinite(g.detach().numpy()).all()
    (h,) = symgrad.autograd.grad((g * g).sum(), x)
    assert np.isfinite(h.numpy()).all()
    assert (h.numpy()[[0, 3]] == 0).all()


def test_views_share_memory_and_copies_do_not() -> None:
    x = symgrad.tensor(DATA)
    views = [
        x[1], x[0, 1], x[:, ::2], x.T, x.view(2, 6), x.unsqueeze(0), x.split(2)[1], x.unbind(1)[0],
        x.diagonal(), x.expand(2, 3, 4), x.detach(), x[...], x.narrow(0, 1, 1), x.squeeze(),
    ]  # fmt: skip
    for y in views:
        assert np.shares_memory(y._data, x._data)
    copies = [
        x.clone(), x.flip(()), x.roll(0, 0), x.repeat(1, 1), x[[0, 1]], x.tril(9), x.diag(),
        symgrad.cat([x]), x.T.reshape(12), x.to(symgrad.float64, copy=True), x.rot90(4),
        symgrad.nn.functional.pad(x, (0, 0)),
    ]  # fmt: skip
    for y in copies:
        assert not np.shares_memory(y._data, x._data)


@with_derivative_rewrites
def test_nothing_moves_where_moves_cancel() -> None:
    assert X.T.T is X
    assert X.reshape(12).reshape(3, 4) is X
    assert X.flip(0).flip(0) is X
    assert X.roll(1, 0).roll(-1, 0) is X
    assert X.unsqueeze(0).squeeze(0) is X
    assert X.to(symgrad.float64) is X
    y = symgrad.leaf("y", (2,), symgrad.float32)
    assert y.double().float() is y
    assert X[1:][1:, 2] is X[2:, 2]
    assert type(CUBE.permute(2, 0, 1).permute(1, 0, 2)) is permute


def test_named_forms_are_one_formula() -> None:
    assert X.select(0, 1) is X[1] is X.unbind(0)[1]
    assert X.split(2)[0] is X[:2] is X.narrow(0, 0, 2)
    assert type(X.unsqueeze(1)) is reshape
    assert with_derivative_rewrites(X.clone)() is X
    assert X.index_select(0, np.array([0, 2])) is X[[0, 2]]


def test_transposes_meet_no_zeros() -> None:
    """A factor goes inside what a transpose writes into zeros."""
    (g,) = vjp([X.exp()[1].sum()], [Const(1, symgrad.float64)], [X])
    assert type(g) is updated and type(g.operands[1]) is not Const
    (g,) = vjp([X.exp()[[0, 2]].sum()], [Const(1, symgrad.float64)], [X])
    assert type(g) is index_put
    assert any(isinstance(e, (part, index)) for e in _below(g))


def _below(e: ArrayExpr) -> list[ArrayExpr]:
    from symgrad.expr.graph import toposort

    return toposort([e])


def test_mask_of_a_formula_is_refused_by_name() -> None:
    with pytest.raises(IndexError, match="depends on the values of the mask"):
        X[X > 0]


def test_detach_is_constant_and_shares_the_version() -> None:
    x = symgrad.tensor([1.0, 2.0], requires_grad=True)
    y = x.detach()
    assert not y.requires_grad
    assert y._storage() is x._storage()
    (x * y).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [1.0, 2.0])
    leaf = symgrad.leaf("z")
    assert vjp([leaf.detach() * 2], [Const(1, symgrad.float64)], [leaf]) == [None]


def test_failed_calls_change_nothing() -> None:
    x = symgrad.tensor(DATA)
    for call in (lambda: x[5], lambda: x.view(5), lambda: x.gather(0, symgrad.tensor([[9]]))):
        with pytest.raises((IndexError, RuntimeError)):
            call()
    np.testing.assert_array_equal(x.numpy(), DATA)


def test_casting_complex_to_real_warns_as_pytorch() -> None:
    z = symgrad.tensor([1 + 2j], requires_grad=True)
    with pytest.warns(UserWarning, match="discards the imaginary part"):
        y = z.float()
    y.sum().backward()
    np.testing.assert_array_equal(z.grad.numpy(), [1 + 0j])


def test_scalars_have_no_axes_to_move_or_roll() -> None:
    x = symgrad.tensor(2.0, requires_grad=True)
    y = symgrad.movedim(x, 0, -1)
    y.backward()
    assert (y.shape, y.item(), x.grad.item()) == ((), 2.0, 1.0)
    assert symgrad.roll(x, 1).item() == 2.0
    with pytest.raises(IndexError, match="Dimension specified as 0 but tensor has no dimensions"):
        symgrad.roll(x, 1, 0)
