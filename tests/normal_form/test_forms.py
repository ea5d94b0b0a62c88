"""Laws of normal forms: equal formulas have one form, however they are written, at linear cost."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import symgrad as sg
from symgrad import leaf
from symgrad.expr.atoms import Const, Leaf, as_expr
from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.normal_form.arithmetic import MOST_TERMS
from symgrad.normal_form.builder import Builder
from symgrad.normal_form.coefficients import content_of
from symgrad.normal_form.form import Form, signature
from symgrad.normal_form.labels import MOST_ORDERS
from symgrad.ops.contraction import contract
from symgrad.ops.equations import equation
from symgrad.ops.primitive import Primitive
from symgrad.ops.triangular import diag_embed
from tests.each import each
from tests.expr.test_costs import steps
from tests.ops.late import LIBRARY, written_again


def signatures(*formulas: ArrayExpr) -> list[Any]:
    """Return what tells the forms of formulas apart, where they share their factors."""
    builder = Builder([])
    return [signature(builder.formula(x)) for x in formulas]


# ------------------------------------------------------------------ two spellings, one form

a, b, c = leaf("a"), leaf("b"), leaf("c")
u, v = leaf("u", (3,)), leaf("v", (3,))
A, B, M = leaf("A", (4, 3)), leaf("B", (3, 4)), leaf("M", (3, 3))
ROW, COLUMN = leaf("r", (1, 3)), leaf("q", (3, 1))
EMPTY = leaf("E", (0, 3))
Z = leaf("z", (3,), sg.complex128)
F = leaf("f", (3,), sg.float32)
ONES = Const(1, sg.float64).broadcast_to((3,))


def eye() -> ArrayExpr:
    return contract.of(ONES, "a->aa")


SPELLINGS: dict[str, tuple[ArrayExpr, ...]] = {
    "products commute": (a * b * c, c * (b * a), (c * a) * b),
    "numbers are collected": (2 * a * 3 * b, 6 * (a * b), (a / 0.5) * (3 * b)),
    "terms are collected": (a * b + 2 * (b * a), 3 * a * b, a * b + b * (a + a)),
    "sums commute": (a + (b - c), (a - c) + b, -(c - a) + b),
    "differences": ((a - b) * c, -((b - a) * c), c * (2 * a - b - a)),
    "powers": (a**3 / a, a * a * a / a, a**4 / a**2, a**2 * (a / a)),
    "quotients": (a / b / c, a / (b * c), a * (1 / (c * b))),
    "squares": ((u * v) ** 2, u * v * u * v, sg.square(v * u)),
    "fractions": (u / 3, u * 2 / 6, u - 2 * u / 3),
    "transposes": (A + B.T, (B + A.T).T, B.T + A),
    "products of matrices": (A @ M, (M.T @ A.T).T, sg.einsum("ij,ki->kj", M, A)),
    "chains": (A @ (M @ v), (A @ M) @ v, sg.einsum("i,ki,jk->j", v, M, A)),
    "weights": (A.T @ (A * leaf("w", (4, 1))), sg.einsum("ij,il,ik->jk", A, leaf("w", (4, 1)), A)),
    "sums of transposes": ((M + M.T) @ v, (M.T + M) @ v, v @ (M + M.T)),
    "traces": (sg.diagonal(M @ M.T).sum(), (M * M).sum(), sg.einsum("ij,ij->", M, M)),
    "diagonals": (eye() * u, diag_embed(u, (3, 3), 0, 0, 1), eye() * u[:, None]),
    "deltas": (eye() @ M, M @ eye(), M),
    "deltas among sums": ((eye() + M) @ eye(), M + eye(), eye() @ (M + eye())),
    "sums of what repeats": (v.broadcast_to((4, 3)).sum(0), 4 * v, (v + v) * 2),
    "means": (v.mean(), v.sum() / 3, (v / 3).sum()),
    "unit axes": (ROW * COLUMN, COLUMN * ROW, COLUMN @ ROW),
    "unit axes in sums": (ROW.sum(0) + u, (ROW + u).reshape((3,)), ROW.reshape((3,)) + u),
    "empty arrays": (EMPTY * v * 2, (v + v) * EMPTY, EMPTY @ (2 * eye() * v)),
    "empty sums": (EMPTY.sum(0), sg.einsum("ij->j", EMPTY), EMPTY.T.sum(1)),
    "complex": (Z * Z * v, v * Z**2, (Z * v) * Z),
    "several dtypes": (F * u, u * F, (F.to(sg.float64)) * u),
    "narrow dtypes": (F * 2 + F, 3 * F, F * 3.0),
    "written zeros stay": (0 * a + b, b + a * 0),
}


@each("formulas", SPELLINGS)
def test_two_spellings_have_one_form(formulas: tuple[ArrayExpr, ...]) -> None:
    first, *others = signatures(*formulas)
    for other in others:
        assert other == first


DIFFERENT: dict[str, tuple[ArrayExpr, ...]] = {
    "sums over other axes": (A.sum(), A.sum(0), A.sum(1), A),
    "numbers": (a, 2 * a, -a, a / 3),
    "transposes": (M, M.T, M + M.T, M - M.T),
    "products": (M @ M, M @ M.T, M.T @ M, M * M, M * M.T),
    "a written zero": (b, 0 * a + b),
    "one that may be nan": (a**2, a**3 / a),
    "infinite numbers": (a, a * np.inf, a * np.nan, a * -np.inf),
    "repeated": (u.broadcast_to((3, 3)), u.broadcast_to((3, 3)).T, eye() * u),
    "dtypes": (F, F.to(sg.float64)),
}


@each("formulas", DIFFERENT)
def test_different_formulas_have_different_forms(formulas: tuple[ArrayExpr, ...]) -> None:
    found = signatures(*formulas)
    assert [found.count(s) for s in found] == [1] * len(found)


# ------------------------------------------------------------------ canonical labels


def relabelled(r: random.Random, factors: Sequence[tuple[Leaf, str]], output: str) -> ArrayExpr:
    """Write a contraction with other letters, another order of operands and of their axes."""
    letters = sorted({k for _, ks in factors for k in ks})
    name = dict(zip(letters, r.sample("abcdefghijklmn", len(letters)), strict=True))
    operands, inputs = [], []
    for x, labels in r.sample(factors, len(factors)):
        axes = r.sample(range(len(labels)), len(labels))
        operands.append(sg.permute(x, axes) if axes else x)
        inputs.append([name[labels[i]] for i in axes])
    made = operands[0]
    if r.random() < 0.5 and len(operands) > 1:  # one after the other
        kept = set(map(name.__getitem__, output))
        labels = inputs[0]
        for i, (y, ks) in enumerate(zip(operands[1:], inputs[1:], strict=True)):
            rest = kept.union(*inputs[i + 2 :])
            left = [k for k in dict.fromkeys([*labels, *ks]) if k in rest]
            made = contract.of(made, y, equation([labels, ks], left))
            labels = left
        return contract.of(made, equation([labels], [name[k] for k in output]))
    return contract.of(*operands, equation(inputs, [name[k] for k in output]))


@pytest.mark.parametrize("seed", range(4))
def test_the_form_of_a_contraction_does_not_depend_on_names_and_order(seed: int) -> None:
    r = random.Random(seed)
    for _ in range(12):
        pool = [leaf(f"x{i}", (2,) * r.randrange(1, 4)) for i in range(3)]
        letters = "pqrst"[: r.randrange(2, 6)]
        factors = []
        for _ in range(r.randrange(2, 5)):
            x = r.choice(pool)
            factors.append((x, "".join(r.choice(letters) for _ in x.shape)))
        used = sorted({k for _, ks in factors for k in ks})
        output = "".join(r.sample(used, r.randrange(min(3, len(used)) + 1)))
        first, *others = signatures(*[relabelled(r, factors, output) for _ in range(4)])
        assert others == [first] * 3, (factors, output)


def test_a_sum_is_one_factor_in_every_order_of_its_axes() -> None:
    x = leaf("x", (2, 2, 2))
    terms = x + x.permute((1, 2, 0)) * 2
    builder = Builder(
        [sg.permute(leaf("y", (2, 2, 2)) * terms, axes) for axes in ((0, 1, 2), (2, 0, 1))]
    )
    builder.run()
    sums = [builder.atoms[i] for i in range(len(builder.atoms))]
    assert sum(not isinstance(atom, ArrayExpr) for atom in sums) == 1


def test_what_is_too_much_alike_only_fails_to_merge() -> None:
    """Six factors alike have more orders than are tried."""
    many = sg.einsum("ab,cd,ef,gh,ij,kl->", *[M] * 6)
    assert MOST_ORDERS < 720
    signatures(many)


# ------------------------------------------------------------------ numbers


def test_the_content_of_numbers_divides_them() -> None:
    r = random.Random(0)
    for _ in range(50):
        numbers = [Fraction(r.randint(1, 60), r.randint(1, 9)) for _ in range(3)]
        content = content_of(numbers)
        assert all((n / content).denominator == 1 for n in numbers)
        assert math.gcd(*[(n / content).numerator for n in numbers]) == 1
    assert content_of([2, Fraction(0.1)]) == 1


# ------------------------------------------------------------------ operations defined later


def _leaves(cls: type[Primitive], sample: tuple[Any, ...]) -> list[Any]:
    count = len(sample) - len(cls.params)
    made: list[Any] = []
    for i, x in enumerate(sample[:count]):
        array = isinstance(x, np.ndarray)
        made.append(leaf(f"x{i}", x.shape, from_numpy_dtype(x.dtype)) if array else as_expr(x))
    return made + list(sample[count:])


OPENED = [cls for cls in LIBRARY if cls.terms is not Primitive.terms]


@each("cls", {cls.__name__: cls for cls in OPENED})
def test_an_operation_that_is_defined_later_has_the_form_of_that_of_the_library(
    cls: type[Primitive],
) -> None:
    late = written_again(cls)
    for sample in cls.samples:
        args = _leaves(cls, sample)
        ours, theirs = cls(*args), late(*args)
        if ours.dtype.is_floating_point:
            first, second = signatures(ours, theirs)
            assert first == second or not _opened(ours)


def _opened(x: ArrayExpr) -> bool:
    """Return whether the form looks into a node."""
    builder = Builder([x])
    builder.run()
    return all(builder.atoms[i] is not x for i in range(len(builder.atoms)))


# ------------------------------------------------------------------ costs


def forms(*formulas: ArrayExpr) -> list[Form]:
    builder = Builder(formulas)
    return builder.run()


def doubled(n: int) -> ArrayExpr:
    y: ArrayExpr = v
    for _ in range(n):
        y = y * y
    return y


def summed(n: int) -> ArrayExpr:
    return sum([v * leaf(f"w{i}", (3,)) for i in range(1, n)], v * u)


def multiplied(n: int) -> ArrayExpr:
    y: ArrayExpr = v
    for i in range(n):
        y = y * leaf(f"w{i}", (3,))
    return y


def nested(n: int) -> ArrayExpr:
    y: ArrayExpr = v
    for i in range(n):
        y = (y * 2 + u) * y if i % 3 else y.sum() * u - y / 3
    return y


def shared_sums(n: int) -> ArrayExpr:
    total = sum([leaf(f"w{i}", (3,)) for i in range(MOST_TERMS * 2)], v)
    return sum([total * leaf(f"y{i}", (3,)) for i in range(n)], total)


def multiplied_matrices(n: int) -> ArrayExpr:
    y: ArrayExpr = v
    for i in range(n):
        y = M @ (y * u) + y if i % 2 else M.T @ y
    return y


def transposed(n: int) -> ArrayExpr:
    y: ArrayExpr = M + M.T @ M
    for i in range(n):
        y = (y.T + M) * u if i % 2 else (2 * y).T - M
    return y


def powers(n: int) -> ArrayExpr:
    y: ArrayExpr = v
    for i in range(n):
        y = y**2 / u if i % 2 else 1 / (y * u)
    return y


CHAINS = [doubled, summed, multiplied, nested, shared_sums, multiplied_matrices, transposed, powers]


@each("chain", CHAINS, ids=lambda f: f.__name__)
def test_the_cost_of_forms_is_that_of_the_nodes(chain: Callable[[int], ArrayExpr]) -> None:
    small, large = chain(60), chain(240)
    forms(small)
    cost = steps(lambda: forms(small))
    assert steps(lambda: forms(large)) <= 1.25 * 4 * cost


def test_a_leaf_may_be_used_ten_thousand_times() -> None:
    total = sum([v * i for i in range(2, 10_001)], v)
    (form,) = forms(total)
    ((coefficient, _),) = form.terms.values()
    assert coefficient == sum(range(1, 10_001))
