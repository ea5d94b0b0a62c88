"""LaTeX is what TeX typesets, and means what is computed: every operation inside every other."""

from __future__ import annotations

import functools
import itertools
import math
import re
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import example, given, settings

import symgrad
from symgrad.expr.atoms import Const, check_name
from symgrad.expr.dtypes import DTYPES
from symgrad.expr.node import ArrayExpr, intern
from symgrad.expr.notation import (
    FUNCTIONAL_PARAMETERS,
    PUBLIC_PARAMETERS,
    Notation,
    public_parameters,
)
from symgrad.expr.typesetting import latex
from symgrad.forms.names import eye
from symgrad.ops.primitive import PRIMITIVES, Primitive
from symgrad.ops.results import Result
from tests.each import each, in_part

from .samples import VALUES, all_samples, expressions, node_of, with_derivatives
from .tex import NotTex, check, value


@pytest.mark.parametrize(
    "text", ["x^{2}^{3}", "x_{1}_{2}", "{x", "x}", r"\left(x", r"\frac{x}", r"\nothing", "x^", "^2"]
)
def test_what_tex_refuses(text: str) -> None:
    with pytest.raises(NotTex):
        check(text)


class _Fitted(Primitive, abstract=True):
    """A node that has the shape of another and is written as its operand."""

    printed = Notation("{0}", "{0}")


def inside(outer: ArrayExpr, i: int, x: ArrayExpr) -> ArrayExpr:
    """Return `outer` with another operand, written as `x`, in the place of operand `i`."""
    if isinstance(outer, Result):
        (several,) = outer.operands
        return Result(inside(several, i, x), outer.index)
    old = outer.operands[i]
    shapes = getattr(outer, "shapes", None) or outer.shape
    kinds = getattr(outer, "dtypes", outer.dtype)
    fitted = intern(_Fitted, (x,), (), old.shape, old.dtype)
    operands = (*outer.operands[:i], fitted, *outer.operands[i + 1 :])
    made: ArrayExpr = intern(type(outer), operands, outer.args[len(operands) :], shapes, kinds)
    return made


def _operands(outer: ArrayExpr) -> range:
    return range(len((outer.operands[0] if isinstance(outer, Result) else outer).operands))


@functools.cache
def written() -> list[ArrayExpr]:
    """Every operation with every form that its samples have, and numbers."""
    nodes = [node_of(*parameter.values)[0] for parameter in all_samples()]
    numbers: list[Any] = [2, -3, 0.5, -1e-30, 2 - 1j, sympy.pi - 3, -sympy.sqrt(2) / 3, True]
    return [*{latex(e): e for e in [*nodes, *map(Const, numbers)]}.values()]


_X, _Y = symgrad.leaf("X", (2, 2)), symgrad.leaf("Y", (2, 2))
#: Formulas with places of every kind: the first operand is replaced.
PLACES = [
    _X**2, -_X, _X - 1, _X * _Y, _X / _Y, _X @ _Y, _X.T @ _Y, _X.sum(), _X[0], _X.exp(), _X % 2,
    _X.sort()[1], _X > 0, ~(_X > 0),
]  # fmt: skip
PLACES += [inside(e, 0, e.operands[1]) for e in (_Y - _X, _Y * _X, _Y / _X, _Y @ _X, _Y**_X)]


@functools.cache
def kinds() -> list[ArrayExpr]:
    """One of all that are written alike in every place: what begins and ends as it does."""
    found: dict[Any, ArrayExpr] = {}
    for e in written():
        shown = latex(e)
        bare = shown.lstrip("- ")
        places = tuple(latex(inside(p, 0, e)).replace(bare, "@") for p in PLACES)
        found[shown[0], shown[-1], places] = e
    return [*found.values()]


@each("cls, sample", in_part(all_samples(), among=20))
def test_every_operation_inside_every_other(cls: type[Primitive], sample: tuple[Any, ...]) -> None:
    """One for all that are written alike; `test_each_operation_inside_each_other` tries all."""
    outer, _ = node_of(cls, sample)
    for i in _operands(outer):
        for x in kinds():
            check(latex(inside(outer, i, x)))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_each_operation_inside_each_other(part: int) -> None:
    for outer in written()[part::8]:
        for i in _operands(outer):
            for x in written():
                check(latex(inside(outer, i, x)))


def test_what_is_different_looks_different() -> None:
    x, v, (a, b) = symgrad.leaf("x"), symgrad.leaf("v", (2,)), (_X, _Y)
    different = [
        a * a, a @ a, a**2, a**-1, 1 / a, a.square().exp(), a.exp(), 2**a, abs(a), a.sqrt(), a / b,
        a * b, a @ b, b @ a, a.T @ b, a @ b.T, (a @ b).T, (a * b) @ a, a * (b @ a), a * v, v * a.T,
        a * v[:, None], a @ v, v @ a, v @ v, v * v, symgrad.outer(v, v), v.sum() ** 2, (v**2).sum(),
        v.sum() + x, (v + x).sum(), (v.sum() + x) * x, x * v.sum(), -(x**2), (-x) ** 2,
        x.exp() ** 2,
        (x**2).exp(),
        x**x**2, (x**x) ** 2, x / x**2, (x / x) ** 2, 2 * x - 1, 2 * (x - 1),
        symgrad.where(x > 0, x, 1) + 1, symgrad.where(x > 0, x, x + 1), a.sum(0), a.sum(1), a.sum(),
        a.sum(0).sum(), a - a.sum(0), a + v, a + v[:, None], v[:, None] * v, v[:, None] + v,
        a.sum(0, keepdim=True), a.mean(0), a.mean(0, keepdim=True), a.norm(dim=0, keepdim=True), v,
        a.norm(dim=0), v[None], v.expand(2, 2), v.expand(3, 2), v[:, None].expand(2, 2), x,
        x.expand(2), x.expand(1, 2), x.expand(2, 2), symgrad.derive(a @ v, a),
        symgrad.derive(a @ b, a), symgrad.derive(v * v.sum(), v),
    ]  # fmt: skip
    shown = [latex(e) for e in different]
    assert sorted(set(shown)) == sorted(shown)


V = symgrad.leaf("v", (3,))


@given(expressions())
@example((V.sum(0, keepdim=True)).sum() * V.sum(0, keepdim=True))
@example(symgrad.leaf("m", (2, 3)).sum(0, keepdim=True).sum(1))
@settings(max_examples=300)
def test_what_is_written_is_what_is_computed(e: ArrayExpr) -> None:
    columns = {name: x[:, None] if x.ndim == 1 else x for name, x in VALUES.items()}
    want = e.evaluate({x.name: VALUES[x.name] for x in e.leaves})
    compare(value(latex(e), columns), want)


def compare(got: Any, want: np.ndarray) -> None:
    """Compare what LaTeX means with an array, of which one axis is a column."""
    shown = want.reshape(()) if want.size == 1 else want[:, None] if want.ndim == 1 else want
    got = np.reshape(got, ()) if np.size(got) == 1 else got
    assert np.shape(got) == shown.shape
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(got, shown, rtol=1e-9, atol=1e-12)


def test_contractions_and_jacobians_mean_what_they_are() -> None:
    """With their elements by indices, identities and vectors of ones."""
    a, b, v, x = _X, _Y, symgrad.leaf("v", (2,)), symgrad.leaf("x")
    derive = symgrad.derive
    formulas = [
        derive(a @ v, a), derive(a @ b, a), derive(v * v.sum(), v),
        derive(v.mean(), v), derive(a.sum(), a), derive(x * v, v),
        derive(a.exp(), a), derive(a, a), derive((a @ v).sum(), v), derive(v.sigmoid(), v),
        v.expand(3, 2) @ a,
    ]  # fmt: skip
    cases = [(e, {"X": np.array([[0.5, 2.0], [-1.0, 0.25]]), "Y": np.eye(2) - 0.5,
                  "v": np.array([0.3, -1.5]), "x": np.array(0.7)}) for e in formulas]  # fmt: skip
    contract = PRIMITIVES["contract"]
    cases += [node_of(contract, sample) for sample in contract.samples]
    for e, values in cases:
        if "@" in str(e) and max(x.ndim for x in values.values()) > 2:
            continue  # a product of stacks is written as that of matrices
        columns = {
            latex(symgrad.leaf(name)): x[:, None] if x.ndim == 1 else x
            for name, x in values.items()
        }
        compare(value(latex(e), columns), e.evaluate({x: values[x.name] for x in e.leaves}))


@each("cls", [c for c in PRIMITIVES.values() if c.broadcasts and not c.params])
def test_beside_arrays_of_three_axes_stands_the_shape_to_which_others_are_repeated(
    cls: Any,
) -> None:
    """But for a product with a factor of this shape, which ones would not change."""
    shapes = {"T": (2, 3, 4), "A": (3, 4), "v": (4,), "U": (2, 1, 4)}
    e, _ = node_of(cls, cls.samples[0])
    kinds = [x.dtype for x in e.operands]
    for names in itertools.permutations(shapes, len(kinds)):
        operands = [symgrad.leaf(n, shapes[n], k) for n, k in zip(names, kinds, strict=True)]
        try:
            found = cls.of(*operands)
        except RuntimeError:  # it takes no such shapes
            continue
        if found.shape != (2, 3, 4):
            continue
        tex = latex(found)
        check(tex)
        ones = tex.count(r"\mathbf{1}_{2 \times 3 \times 4}")
        is_product = "T" in names and re.search(r"\\o(dot|slash)", tex)
        assert ones or is_product or names == ("T",), tex
        if "T" not in names and len(kinds) == 2:
            assert ones >= 2, tex


@each("cls, sample", in_part(all_samples(), every=3, among=4))
def test_derivatives_are_typeset(cls: type[Primitive], sample: tuple[Any, ...]) -> None:
    for e, _ in with_derivatives(cls, sample):
        tex = latex(e)
        check(tex)
        # The text shows the same leaves: addmm with beta=0 has no first operand.
        assert all(latex(x) in tex for x in e.leaves if re.search(rf"\b{x.name}\b", str(e)))


_STEMS = """
    a e i j o x A B E I T X alpha beta gamma Gamma psi sigma theta zeta pi Pi lam lamda Lambda Lamda
    chi khi omicron Omicron Alpha ALPHA Iota inf nan infty sin log max det exp xhat x xx ahat hat
    alphahat alphadot xbar xprime xnorm xabs boldx hbar ell ct t x1 x11 e1 alpha1 1 2 12 über 変数 ℵ
"""
#: Names that other printers typeset alike, with what stands between stems.
NAMES = [
    name
    for stem in _STEMS.split()
    for end in (
        "",
        "_",
        "__",
        "_1",
        "1",
        "_12",
        "_1_2",
        "_a",
        "_b_a",
        "_max",
        "_alpha",
        "_dot",
        "hat",
    )
    for name in (stem + end, "_" + stem + end, f"x_{stem}{end}")
    if name.isidentifier()
]


def test_names_are_typeset_apart() -> None:
    """Names differ from each other, from constants and from functions, whatever they look like."""
    names = [*dict.fromkeys(map(check_name, NAMES))]
    shown = {latex(symgrad.leaf(name)): name for name in names}
    assert sorted(shown.values()) == sorted(names)
    x = symgrad.leaf("x")
    numbers = [
        sympy.E, sympy.pi, sympy.I, sympy.EulerGamma, sympy.GoldenRatio, sympy.Catalan,
        math.inf, math.nan, sympy.zeta(3), sympy.gamma(sympy.S(1) / 3), 1j,
    ]  # fmt: skip
    constants = [latex(Const(number)) for number in numbers]
    constants += [latex(eye(3, symgrad.float64)), latex(x.exp()).split("^")[0]]
    assert shown.keys().isdisjoint(constants)
    for text, name in shown.items():
        check(text)
        assert "^" not in text
        # What is upright is a constant or a function, but for words below a letter.
        assert r"\mathrm" not in text.split("_{")[0] and r"\operatorname" not in text, name


def test_a_name_beside_a_bracket_is_no_function() -> None:
    """The letters that stand for functions are those of the operations, found by enumeration."""
    called = re.compile(r"(?<!\w)\\?[A-Za-z]+(?=(?:\^\{[^{}]*\})?\\left\()")
    letters = {letter for e in written() for letter in called.findall(latex(e))}
    x, matrix = symgrad.leaf("x"), symgrad.leaf("m", (2, 2))
    for name in ("f", *NAMES):
        if latex(symgrad.leaf(name)) in letters:
            for e in (symgrad.leaf(name) * (x + 1), symgrad.leaf(name, (2, 2)) @ (matrix + 1)):
                assert rf"{latex(symgrad.leaf(name))} \cdot \left(" in latex(e)
    assert letters >= {r"\sigma", r"\psi", r"\Gamma", r"\theta"}


@each("cls, sample", all_samples())
def test_no_keyword_of_python_is_typeset(cls: type[Primitive], sample: tuple[Any, ...]) -> None:
    tex = latex(node_of(cls, sample)[0])
    given = {n for n in (*cls.params, "nan", "posinf", "neginf") if n != "given"}
    assert not re.search(rf"\b({'|'.join(given)})\b[^A-Za-z]{{0,2}}=", tex.replace(r"\_", "_"))
    assert not re.search(r"\b(True|False|None|torch\.)\b", tex)


@each("cls, sample", all_samples())
def test_words_that_are_typeset_are_what_users_ask_for(
    cls: type[Primitive], sample: tuple[Any, ...]
) -> None:
    """No dtype, and no parameter that no public function has, or that is the default."""
    tex = latex(node_of(cls, sample)[0]).replace(r"\_", "_")
    assert not re.search(rf"mathrm\{{({'|'.join(kind.name for kind in DTYPES)})\}}", tex)
    public = public_parameters(cls.__name__)
    everywhere = [*PUBLIC_PARAMETERS.values(), *FUNCTIONAL_PARAMETERS.values()]
    for name in re.findall(rf"mathrm\{{({'|'.join(cls.params) or '!'})\}}", tex):
        assert any(name in known for known in everywhere)
        assert public.get(name) != "True"


def test_brackets_stand_where_a_reader_needs_them() -> None:
    x, y, v, a = symgrad.leaf("x"), symgrad.leaf("y"), symgrad.leaf("v", (2,)), _X
    for e, tex in {
        a.sum(0) + v: r"\left(\sum_{i} X\right) + v", v + a.sum(0): r"v + \sum_{i} X",
        v + a.sum(0) + v: r"\left(v + \sum_{i} X\right) + v",
        -v.sum() - x: r"\left(- \sum_{i} v\right) - x",
        -(v.sum() + x): r"- \left(\left(\sum_{i} v\right) + x\right)",
        v.prod() > x: r"\left(\prod_{i} v\right) > x",
        symgrad.derive(v.prod(), v): r"\prod_{\neq i} v",
        x % 3: r"x \; \operatorname{mod} \; 3",
        x / y / y / 2: r"\frac{x}{y^{2} \cdot 2}", -v - v.exp(): r"- v - \mathrm{e}^{\odot v}",
        (x + y) / x / (x + y): r"\frac{t_{1}}{x \, t_{1}}",
        (x > 0) & ~(y > 0): r"x > 0 \wedge \neg \left(y > 0\right)",
        symgrad.logical_and(x > 0, (y > 0).logical_not()): r"x > 0 \wedge \neg \left(y > 0\right)",
    }.items():  # fmt: skip
        assert latex(e).split("& ")[-1].removesuffix("\n\\end{aligned}") == tex


def test_signs_before_sums_of_elements_are_those_of_their_terms() -> None:
    A, x, s = symgrad.leaf("A", (2, 2)), symgrad.leaf("x", (2,)), symgrad.leaf("s")
    one, two = symgrad.einsum("ij,k->ijk", A, x), symgrad.einsum("jk,i->ijk", A, x)
    a, b = r"A_{ij} \, x_{k}", r"A_{jk} \, x_{i}"
    for e, body in (
        (-one, f"- {a}"),
        (-2 * one, rf"- 2 \, {a}"),
        (-2 * (one + s * two), rf"- 2 \, {a} - 2 \, s \, {b}"),
        (-2 * s * (one - two), rf"- 2 \, s \, {a} + 2 \, s \, {b}"),
        (one - (-3) * two, rf"{a} + 3 \, {b}"),
        (one + -3 * s * two, rf"{a} - 3 \, s \, {b}"),
    ):
        assert latex(e) == rf"\left[{body}\right]_{{ijk}}"
