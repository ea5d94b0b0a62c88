"""Names that the library uses itself are names like any other."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.expr.atoms import as_expr
from symgrad.expr.printing import lines
from symgrad.ops.primitive import Primitive
from tests.each import each, in_part

from .samples import all_samples, with_derivatives
from .test_printing import READ, read, same

_NAMES = "_ct ct ct_ gradient _0 v0 g0 c0 t0 t1 x0 x1 np numpy f out axis symgrad _sigmoid".split()  # noqa: SIM905
_AT = np.array([1.3, 2.0, 3.0])


def _made(x: Any) -> Any:
    """Of operations whose derivatives are found through cotangents, helpers and scans."""
    return (x.cumsum(0) * (0.3 * x).exp() + x.cumprod(0) * x + x.sigmoid().norm()).sum()


@each("name", in_part(list(_NAMES), group=str, among=3))
def test_a_leaf_of_that_name(name: str) -> None:
    x, plain = symgrad.leaf(name, (3,)), symgrad.leaf("plain", (3,))
    assert np.array_equal(_made(x).evaluate({name: _AT}), _made(plain).evaluate({"plain": _AT}))
    for order in (1, 2):
        found = symgrad.derive(_made(x), x, order)
        wanted = symgrad.derive(_made(plain), plain, order).evaluate({"plain": _AT})
        assert np.array_equal(found.evaluate({name: _AT}), wanted)
        made: dict[str, Any] = {}
        exec(found.source("made"), made)
        np.testing.assert_allclose(made["made"](_AT), wanted, rtol=1e-12)
        assert found._repr_latex_().startswith("$")
        assert name in str(found)


_IN_TEXTS = (
    "pi math symgrad torch inf nan sum exp where array op full dim sympy float64 attains amax norm"
)


@each("name", [*_NAMES, *_IN_TEXTS.split()])
def test_the_text_of_a_leaf_of_that_name_reads_back(name: str) -> None:
    at = np.array([0.3, 0.6, 0.2])

    def made(x: Any) -> list[Any]:
        formulas = [
            x.exp().sum() + x.log2().sum() + x.erf().sum() + x.amax(), x.cumsum(0) * math.pi,
            x.clamp(min=0.25) + x.where(x > 0.5, math.inf), x.norm(p=math.inf) + x.sinc().sum(),
        ]  # fmt: skip
        return [*formulas, *[symgrad.derive(f.sum(), x) for f in formulas]]

    x = symgrad.leaf(name, (3,))
    for formula in made(x):
        again = read(str(formula), formula.leaves)
        np.testing.assert_allclose(
            again.evaluate(dict.fromkeys(again.leaves, at)),
            formula.evaluate(dict.fromkeys(formula.leaves, at)),
            rtol=1e-13,
        )


_WORD = re.compile(r"'[^']*'|(?<![\w.])[A-Za-z_]\w*")


@each("cls, sample", in_part(all_samples(), among=4))
def test_a_text_reads_back_beside_leaves_of_all_its_names(
    cls: type[Primitive], sample: tuple[Any, ...]
) -> None:
    """Of each operation and a derivative of it, beside leaves that hide the package as well."""
    for e, values in itertools.islice(with_derivatives(cls, sample), 2):
        plain = set(filter(str.isidentifier, _WORD.findall(str(e)))) - {"True", "False", "None"}
        hidden = {*plain, "symgrad", "torch", "names"} - {x.name for x in e.leaves}
        want = e.evaluate({x: values[x.name] for x in e.leaves})
        others = [symgrad.leaf(name) for name in hidden]
        text = lines(["r_", *[f"r{i}_" for i in range(len(others))]], [e, *others])
        names: dict[str, Any] = {**READ, **{x.name: x for x in (*e.leaves, *others)}}
        exec(text, names)
        again = as_expr(names["r_"])
        same(again.evaluate({x: values[x.name] for x in again.leaves}), want)


@each("name", list(_NAMES))
def test_a_function_of_that_name(name: str) -> None:
    made: dict[str, Any] = {}
    formula = symgrad.derive(_made(symgrad.leaf("x", (3,))), "x")
    if name in ("np", "_sigmoid"):  # the text of this very function needs them
        with pytest.raises(ValueError, match="the source uses the name"):
            formula.source(name)
        return
    exec(formula.source(name), made)
    np.testing.assert_allclose(made[name](_AT), formula.evaluate({"x": _AT}), rtol=1e-12)


@each("name", list(_NAMES))
def test_a_tensor_of_that_name(name: str) -> None:
    def gradient(name: str) -> Any:
        x = symgrad.tensor(_AT, requires_grad=True, name=name)
        other = symgrad.tensor([1.0, 2.0, 3.0], dtype=symgrad.float64)
        y = (_made(x) * 0.7).sin() * other
        formula = symgrad.explain(y).gradients[x]
        y.backward(symgrad.ones(3, dtype=symgrad.float64))
        return x.grad.numpy(), formula

    found, formula = gradient(name)
    wanted, _ = gradient("plain")
    assert np.array_equal(found, wanted)
    assert name in [leaf.name for leaf in formula.leaves]
    assert len({leaf.name for leaf in formula.leaves}) == len(formula.leaves)
