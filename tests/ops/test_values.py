"""A formula has the value of the operations that were written, bit for bit.

Each function here is called once on tensors, where NumPy computes operation by operation, and once
on leaves, which gives a formula: evaluated, compiled or as source, it gives the same bits. So no
rewrite may touch what a user wrote, not even the sign of a zero.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from numeric.compile import compile_program
from numeric.emit import emit
from numeric.interpret import interpret
from symgrad.expr.node import ArrayExpr
from symgrad.lower.program import lower
from tests.each import each, in_part

Array = np.ndarray[Any, Any]

_SPECIAL = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324)
_EXTREME = (1e200, -1e200, 1e-200, 1e308, -1e308, 1e-308, 3.0, -0.1)
_EXTREME32 = (1e30, -1e30, 1e-30, 3e38, -3e38, 1e-38, 3.0, -0.1)


#: Of these, sums and products are exact in any order.
_EXACT = (0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -0.25, np.inf, -np.inf, np.nan)
_LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "Fortran": lambda x: x.T.copy().T,
    "reversed": lambda x: x[..., ::-1].copy()[..., ::-1],
    "reversed rows": lambda x: x[::-1].copy()[::-1],
    "strided": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "zero-strided": lambda x: np.broadcast_to(x[:1], x.shape),
    "zero-strided rows": lambda x: np.broadcast_to(x[..., :1], x.shape),
}


def _values(kind: type[Any]) -> list[dict[str, Array]]:
    """Ordinary, special and extreme values of `x` and `y`, and exact ones in other layouts.

    Eager results may lie otherwise in memory than those of programs, and sums go by that.
    """
    rng = np.random.default_rng(7)
    special = np.array([*_SPECIAL, *(_EXTREME if kind is np.float64 else _EXTREME32)])
    found = []
    for make in (rng.standard_normal, rng.standard_normal, None, None, None):
        x, y = (
            make((3, 3)) if make is not None else rng.choice(special, (3, 3)),
            make((3,)) if make is not None else rng.choice(special, (3,)),
        )
        with np.errstate(all="ignore"):
            x, y = x.astype(kind), y.astype(kind)
        found.append({"x": x, "y": y})
    for i, lay in enumerate(_LAYOUTS.values()):
        exact = np.array(_EXACT[: -3 * (i % 2) or None], kind)  # also without what becomes nan
        x, y = rng.choice(exact, (3, 3)), rng.choice(exact, (3,))
        found.append({"x": lay(x), "y": lay(y)})
    return found


# Functions of a square matrix and a vector that give one of both.
_NUMBERS = (0, 0.0, -0.0, 1, 1.0, -1, 2, 3, 0.5, 0.1, float("inf"))
_FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    **{f"x + {c}": lambda x, y, c=c: x + c for c in _NUMBERS},
    **{f"{c} + x": lambda x, y, c=c: c + x for c in _NUMBERS[:4]},
    **{f"x - {c}": lambda x, y, c=c: x - c for c in _NUMBERS},
    **{f"{c} - x": lambda x, y, c=c: c - x for c in _NUMBERS},
    **{f"x * {c}": lambda x, y, c=c: x * c for c in _NUMBERS},
    **{f"{c} * x": lambda x, y, c=c: c * x for c in _NUMBERS[:4]},
    **{f"x / {c}": lambda x, y, c=c: x / c for c in _NUMBERS},
    **{f"{c} / x": lambda x, y, c=c: c / x for c in _NUMBERS},
    "-x": lambda x, y: -x,
    "x + x": lambda x, y: x + x,
    "x + y": lambda x, y: x + y,
    "x - y": lambda x, y: x - y,
    "x * y": lambda x, y: x * y,
    "x / y": lambda x, y: x / y,
    "x + -y": lambda x, y: x + (-y),
    "-y * x": lambda x, y: -y * x,
    "x * (1 / y)": lambda x, y: x * (1 / y),
    "x * (2 * y)": lambda x, y: x * (2 * y),
    "x + 2 * x": lambda x, y: x + 2 * x,
    "x**1": lambda x, y: x**1,
    "x**2": lambda x, y: x**2,
    "x**-1": lambda x, y: x**-1,
    "atan2": lambda x, y: symgrad.atan2(y, x),
    "exp": lambda x, y: x.exp(),
    "abs": lambda x, y: x.abs(),
    "sign": lambda x, y: x.sign(),
    "conj": lambda x, y: x.conj(),
    "where 0": lambda x, y: symgrad.where(x > 0, x, 0.0),
    "0 where": lambda x, y: symgrad.where(y > 0, 0.0, x),
    "where y": lambda x, y: symgrad.where(y > 0, x, y),
    "masked_fill": lambda x, y: x.masked_fill(x > y, 0.0),
    "relu": lambda x, y: x.relu(),
    "t": lambda x, y: x.t(),
    "transpose": lambda x, y: x.transpose(0, 1),
    "mT": lambda x, y: x.mT,
    "clone": lambda x, y: x.clone(),
    "contiguous": lambda x, y: x.contiguous(),
    "detach": lambda x, y: x.detach(),
    "reshape": lambda x, y: x.reshape(9).reshape(3, 3),
    "view": lambda x, y: x.reshape(1, 3, 3).squeeze(0),
    "unsqueeze": lambda x, y: x.unsqueeze(1).squeeze(1),
    "flip": lambda x, y: x.flip(0),
    "roll": lambda x, y: x.roll(1, 1),
    "roll 0": lambda x, y: x.roll(0, 0),
    "tril": lambda x, y: x.tril(),
    "triu": lambda x, y: x.triu(1),
    "diag": lambda x, y: y.diag(),
    "diagonal": lambda x, y: x.diagonal(),
    "diag_embed": lambda x, y: y.diag_embed(),
    "x[0]": lambda x, y: x[0],
    "x[:, 1]": lambda x, y: x[:, 1],
    "x[::2]": lambda x, y: symgrad.cat((x[::2], x[1:2]), 0),
    "index_select": lambda x, y: x.index_select(1, _indices(x, [2, 0, 0])),
    "index_add": lambda x, y: x.index_add(0, _indices(x, [2, 2, 0]), x),
    "index_copy": lambda x, y: x.index_copy(1, _indices(x, [2, 1]), x[:, :2]),
    "index_fill": lambda x, y: x.index_fill(0, _indices(x, [1]), 0.0),
    "gather": lambda x, y: x.gather(0, _indices(x, [[2, 2, 0], [0, 1, 1], [1, 0, 2]])),
    "scatter_add": lambda x, y: x.scatter_add(1, _indices(x, [[2, 2], [0, 1], [1, 1]]), x),
    "select_scatter": lambda x, y: x.select_scatter(y, 0, 1),
    "diagonal_scatter": lambda x, y: x.diagonal_scatter(y),
    "expand": lambda x, y: y.expand(3, 3),
    "expand column": lambda x, y: y.unsqueeze(1).expand(3, 3),
    "broadcast sum": lambda x, y: (y.expand(3, 3) * x).sum(0),
    "sum_to_size": lambda x, y: x.sum_to_size(1, 3),
    "sum_to_size of an expanded": lambda x, y: y.expand(3, 3).sum_to_size(3, 1),
    "sum 0": lambda x, y: x.sum(0),
    "sum 1": lambda x, y: x.sum(1, keepdim=True),
    "sum": lambda x, y: x.sum() + y,
    "sum of a sum": lambda x, y: x.sum(0).sum() * y,
    "mean": lambda x, y: x.mean(1),
    "prod": lambda x, y: x.prod(0),
    "cumsum": lambda x, y: x.cumsum(1),
    "amax": lambda x, y: x.amax(1),
    "norm": lambda x, y: x.norm(dim=0),
    "logsumexp": lambda x, y: x.logsumexp(1),
    "softmax": lambda x, y: x.softmax(0),
    "x @ x": lambda x, y: x @ x,
    "x @ y": lambda x, y: x @ y,
    "y @ x": lambda x, y: y @ x,
    "x.T @ x": lambda x, y: x.t() @ x,
    "x @ x.T": lambda x, y: x @ x.t(),
    "-x @ y": lambda x, y: -x @ y,
    "expanded @ y": lambda x, y: y.unsqueeze(1).expand(3, 3) @ y,
    "expanded @ x": lambda x, y: y.expand(3, 3) @ x,
    "x @ (x @ x)": lambda x, y: x @ (x @ x),
    "(x @ x).T": lambda x, y: (x @ x).t(),
    "dot": lambda x, y: y.dot(x[0]) * x,
    "outer": lambda x, y: symgrad.outer(y, x[1]),
    "einsum trace": lambda x, y: symgrad.einsum("ii->", x) * y,
    "einsum diagonal": lambda x, y: symgrad.einsum("ii->i", x),
    "einsum sum": lambda x, y: symgrad.einsum("ij->i", x),
    "einsum transpose": lambda x, y: symgrad.einsum("ij->ji", x),
    "einsum elementwise": lambda x, y: symgrad.einsum("ij,j->ij", x, y),
    "einsum alone": lambda x, y: symgrad.einsum("ij,j->i", x, y * 0 + 1),
    "einsum three": lambda x, y: symgrad.einsum("ij,jk,k->i", x, x, y),
    "einsum scalar": lambda x, y: symgrad.einsum(",ij->ij", y[0], x),
    "bmm": lambda x, y: (x.expand(2, 3, 3) @ x)[0],
    "addmm": lambda x, y: symgrad.addmm(y, x, x, beta=0.5, alpha=2),
    "addmm plain": lambda x, y: symgrad.addmm(x, x, x),
    "addr": lambda x, y: symgrad.addr(x, y, y),
    "add alpha": lambda x, y: symgrad.add(x, y, alpha=3),
    "lerp": lambda x, y: x.lerp(y, 0.25),
    "addcmul": lambda x, y: symgrad.addcmul(x, x, y, value=2),
    "double": lambda x, y: x.double().to(x.dtype),
    "half": lambda x, y: x.half().to(x.dtype),
    "int": lambda x, y: (x > 0).int() * x,
}


def _indices(x: Any, rows: Any) -> Any:
    return np.array(rows) if isinstance(x, ArrayExpr) else symgrad.tensor(rows)


def _full(made: Any) -> tuple[Any, Any]:
    """Return what a function gave as a matrix and a vector, to call the next one with."""
    shape = tuple(made.shape)
    if shape == (3, 3):
        return made, made[1]
    if shape == (3,):
        return made * made.reshape(3, 1), made
    return made.expand(3, 3), made.expand(3, 3)[2]


def _tensor(values: Array) -> Any:
    """Return a tensor that lies in memory as an array does, as far as tensors may."""
    if 0 in values.strides:
        shared = values[tuple([slice(None) if s else slice(1) for s in values.strides])]
        return symgrad.from_numpy(shared.copy()).expand(*values.shape)
    return symgrad.from_numpy(values.copy() if min(values.strides) < 0 else values)


def _bits(x: Array) -> bytes:
    """The bits of an array, with one nan for all."""
    x = np.where(np.isnan(x), np.nan, x).astype(x.dtype, order="C")
    return x.tobytes()


@functools.cache
def _leaves(kind: Any) -> tuple[ArrayExpr, ArrayExpr]:
    return symgrad.leaf("x", (3, 3), kind), symgrad.leaf("y", (3,), kind)


def _assert_same(call: Any, label: str, ways: bool = False, first: str = "") -> None:
    """Compare a function of a matrix and a vector, or of what another one of them gives."""
    with np.errstate(all="ignore"):
        for kind, dtype in ((np.float64, symgrad.float64), (np.float32, symgrad.float32)):
            x, y = _leaves(dtype)
            made = call(*_full(_FUNCTIONS[first](x, y))) if first else call(x, y)
            program = lower([made], {x: "x", y: "y"})
            names = [name for _, name in program.inputs]
            for i, values in enumerate(_given(kind)):
                expected = np.asarray(call(*_operands(kind, first)[i]).numpy())
                taken = [values[name] for name in names]
                found = [interpret(program, taken)[0]]
                if i == 0 or ways:
                    found.append(made.evaluate({x: values["x"], y: values["y"]}))
                if ways:
                    namespace: dict[str, Any] = {}
                    exec(emit(program), namespace)
                    found += [compile_program(program)(taken)[0], namespace["f"](*taken)[0]]
                for got in map(np.asarray, found):
                    assert got.dtype == expected.dtype and got.shape == expected.shape, label
                    same = got.tobytes() == expected.tobytes() or _bits(got) == _bits(expected)
                    assert same, (label, str(made), values, got, expected)


@functools.lru_cache(2)
def _operands(kind: Any, first: str) -> list[tuple[Any, Any]]:
    """Return tensors of all values, or what a function gives of them, for the next one."""
    given = [tuple(map(_tensor, values.values())) for values in _given(kind)]
    return [_full(_FUNCTIONS[first](x, y)) for x, y in given] if first else given


@functools.cache
def _given(kind: Any) -> list[dict[str, Array]]:
    return _values(kind)


@each("name", in_part(list(_FUNCTIONS), group=str, among=2))
def test_a_formula_is_computed_as_it_was_written(name: str) -> None:
    _assert_same(_FUNCTIONS[name], name, ways=True)


@each("first", in_part(list(_FUNCTIONS), group=str, among=2))
def test_a_pair_of_operations_is_computed_as_it_was_written(first: str) -> None:
    _assert_pairs(first, random.Random(first).sample(list(_FUNCTIONS), 8))


@pytest.mark.slow
@pytest.mark.parametrize("first", _FUNCTIONS)
def test_every_pair_of_operations_is_computed_as_it_was_written(first: str) -> None:
    _assert_pairs(first, list(_FUNCTIONS))


def _assert_pairs(first: str, chosen: list[str]) -> None:
    for second in chosen:
        _assert_same(_FUNCTIONS[second], f"{first}, then {second}", first=first)


def _random_program(seed: int) -> Callable[[Any, Any], Any]:
    draw = random.Random(seed)
    names = [draw.choice(list(_FUNCTIONS)) for _ in range(draw.randint(3, 6))]
    joins = [draw.choice("+-*/@") for _ in names]

    def call(x: Any, y: Any) -> Any:
        first, total = x, x
        for name, join in zip(names, joins, strict=True):
            matrix, _ = _full(_FUNCTIONS[name](total, y))
            if join == "@":
                total = matrix @ first
            elif join == "+":
                total = matrix + first
            elif join == "-":
                total = first - matrix
            elif join == "*":
                total = matrix * first
            else:
                total = first / matrix
        return total

    return call


@each("seed", range(30))
def test_a_random_formula_is_computed_as_it_was_written(seed: int) -> None:
    _assert_same(_random_program(seed), f"seed {seed}", ways=True)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(30, 2130, 100))
def test_many_random_formulas_are_computed_as_they_were_written(start: int) -> None:
    for seed in range(start, start + 100):
        _assert_same(_random_program(seed), f"seed {seed}")
