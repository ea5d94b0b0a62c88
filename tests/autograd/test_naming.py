"""How formulas name tensors: the user's names, or short, stable and distinct ones."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import symgrad
from tests.autograd.support import tensor

pytestmark = pytest.mark.tiny


def test_given_names_stand_in_formulas() -> None:
    x, w = tensor([1.0, 2.0], name="x"), tensor([3.0, 4.0], name="weight")
    shown = symgrad.explain((x * w).sum())
    assert [leaf.name for leaf in shown.gradients] == ["x", "weight"]
    assert shown.gradients["x"] is w.expr
    assert shown.gradients[w] is x.expr


def test_explain_names_unnamed_tensors_after_the_callers_variables() -> None:
    speed, _hidden = tensor([1.0, 2.0]), tensor([3.0, 4.0])
    rates = [tensor([5.0, 6.0])]
    y = (speed * _hidden * rates[0] + speed).sum()
    shown = symgrad.explain(y)
    names = [leaf.name for leaf in shown.gradients]
    assert names[0] == "speed"
    assert all(re.fullmatch(r"x\d+", name) for name in names[1:])
    assert {leaf.name for leaf in shown.expr.leaves} == set(names)
    assert str(shown.program).count("speed") >= 1
    assert shown.gradients[speed] is shown.gradients["speed"] is shown.gradients[speed.expr]
    other = speed  # the name that was chosen stays
    del speed
    assert str(symgrad.explain(y)) == str(shown)
    assert y.expr is shown.expr
    assert other.expr.name == "speed"


@pytest.mark.parametrize("first", [lambda y: y.expr, symgrad.explain, symgrad.derive])
def test_what_shows_a_formula_first_does_not_change_its_names(first: Any) -> None:
    """Names are those of variables, else numbers in the order of the formula."""
    speed, rest = tensor([1.0, 2.0]), [tensor([float(i)]) for i in range(4)]
    y = (speed * rest[2] * rest[0] + rest[3] * speed - rest[1]).sum()
    if first is symgrad.derive:
        first(y, speed)
    else:
        first(y)
    found = re.fullmatch(
        r"sum\(speed \* x(\d+) \* x(\d+) \+ x(\d+) \* speed - x(\d+)\)", str(y.expr)
    )
    assert found
    numbers = [int(n) for n in found.groups()]
    assert numbers == sorted(numbers)
    assert symgrad.explain(y).expr is y.expr


def test_a_variable_that_held_several_tensors_names_one_of_them() -> None:
    made = [tensor([1.0]) for _ in range(3)]
    for one_of_three in made:
        one_of_three.expr  # noqa: B018 - it takes a name
    assert made[0].expr.name == "one_of_three"
    assert len({x.expr for x in made}) == 3


def test_two_tensors_do_not_take_one_variables_name() -> None:
    def made() -> symgrad.Tensor:
        x = tensor([1.0])
        symgrad.explain(x.sin().sum())
        assert x.expr.name == "x"
        return x

    total = made() * made()
    assert len({leaf.name for leaf in symgrad.explain(total.sum()).gradients}) == 2
    given = tensor([1.0], name="y")
    y = tensor([2.0])
    shown = symgrad.explain((given * y).sum())
    assert shown.gradients["y"] is y.expr
    assert shown.gradients[y] is given.expr


def test_gradients_are_found_after_another_tensor_took_the_name() -> None:
    x = tensor([2.0])
    shown = symgrad.explain((x * x).sum())
    later = tensor([1.0], name="x")
    assert x.expr.name != later.expr.name
    assert shown.gradients[x] is shown.gradients["x"]


def test_unnamed_tensors_get_distinct_names_that_stay() -> None:
    made = [tensor([1.0]) for _ in range(20)]
    names = [x.expr.name for x in made]
    assert len(set(names)) == 20
    assert all(name.isidentifier() and len(name) <= 8 for name in names)
    total = sum(made[1:], start=made[0])
    assert {leaf.name for leaf in total.expr.leaves} == set(names)
    assert [x.expr.name for x in made] == names


def test_the_same_formula_shows_the_same_names_each_time() -> None:
    x, w = tensor([1.0]), tensor([2.0], name="w")
    y = (x * w).sin()
    assert y.expr is y.expr
    assert str(symgrad.explain(y.sum())) == str(symgrad.explain(y.sum()))


def test_automatic_names_keep_clear_of_given_ones() -> None:
    unnamed = [tensor([1.0]), tensor([3.0])]
    taken = unnamed[0].expr.name
    number = int(taken.removeprefix("x"))
    mine = tensor([2.0], name=f"x{number + 1}")
    assert unnamed[1].expr.name != mine.expr.name
    clash = tensor([4.0], name=taken)
    names = {leaf.name for leaf in (unnamed[0] * mine * unnamed[1] * clash).expr.leaves}
    assert len(names) == 4
    assert {mine.expr.name, taken} <= names


def test_two_tensors_of_one_name_cannot_meet_in_a_formula() -> None:
    a, b = tensor([1.0], name="a"), tensor([2.0], name="a")
    y = (a * b).sum()
    y.backward()  # values are no question of names
    assert (a.grad.item(), b.grad.item()) == (2.0, 1.0)
    with pytest.raises(ValueError, match="two different tensors of one formula are named 'a'"):
        (a * b).expr  # noqa: B018
    with pytest.raises(ValueError, match="give one of them another name"):
        symgrad.explain((a * b).sum())


@pytest.mark.parametrize("name", ["two words", "1x", "", "class", "x;import os", "a\nb", 3, "x'"])
def test_what_is_no_identifier_is_no_name(name: object) -> None:
    with pytest.raises(ValueError, match="a name must be a Python identifier"):
        tensor([1.0], name=name)


def test_unicode_names() -> None:
    x = tensor([1.0], name="σ")
    assert symgrad.explain((x * x).sum()).gradients["σ"] is not None
    source = symgrad.explain((x * x).sum()).source()
    namespace: dict[str, object] = {}
    exec(source, namespace)
    (g,) = namespace["gradients"](np.array([3.0]))  # type: ignore[operator]
    assert g.tolist() == [6.0]


def test_the_name_of_a_passed_gradient_is_distinct() -> None:
    x = tensor([1.0, 2.0], name="gradient")
    names = {leaf.name for leaf in symgrad.explain(x * x).gradients[x].leaves}
    assert len(names) == 2


def test_a_constant_modified_between_its_uses_has_two_names() -> None:
    x = tensor([5.0, 6.0], name="x")
    c = symgrad.tensor([1.0, 2.0], dtype=symgrad.float64, name="c")
    y = x + c
    c += 1
    z = y + x * c
    assert [leaf.name for leaf in z.expr.leaves] == ["x", "c", "c_1"]
    z.sum().backward()
    assert x.grad.tolist() == [3.0, 4.0]


def test_a_name_given_later() -> None:
    x = tensor([1.0])
    y = x * x
    assert y.expr.leaves[0].name != "speed"
    x.name = "speed"
    assert [leaf.name for leaf in y.expr.leaves] == ["speed"]
    with pytest.raises(ValueError, match="a name must be a Python identifier"):
        x.name = "a b"
    assert x.name == "speed"


def test_a_tensor_beside_an_expression_keeps_its_history() -> None:
    x = tensor([1.0, 2.0], name="x")
    u = symgrad.leaf("u", (2,))
    for made in (x.exp() * u, u * x.exp()):
        assert symgrad.derive(made.sum(), "x").evaluate(
            {"x": [0.0, 0.0], "u": [3.0, 4.0]}
        ).tolist() == [
            3.0,
            4.0,
        ]
    constant = symgrad.tensor([5.0, 6.0]) * u
    assert [leaf.name for leaf in constant.leaves] == ["u"]


@pytest.mark.parametrize("n", [2, 1])
def test_the_leaf_of_a_passed_gradient_is_no_leaf_of_the_formula(n: int) -> None:
    g = symgrad.leaf("gradient", (2,))
    shown = symgrad.explain(g * g if n == 2 else (g * g).sum())
    found = shown.gradients["gradient"]
    assert {leaf.name for leaf in found.leaves} == (
        {"gradient", "gradient_"} if n == 2 else {"gradient"}
    )


def test_names_are_read_as_python_reads_them() -> None:
    assert symgrad.leaf("\ufb01") is symgrad.leaf("fi")  # a ligature
    micro, mu = "\u00b5", "\u03bc"
    x = symgrad.leaf(micro)
    assert x.name == mu
    assert (2 * x).evaluate({micro: 3.0}) == (2 * x).evaluate({mu: 3.0}) == 6.0
    assert symgrad.derive(x * x, micro) is symgrad.derive(x * x, mu)
    assert symgrad.explain(x * x).gradients[micro] is symgrad.explain(x * x).gradients[mu]
    assert (2 * x).subs({micro: 1}) is (2 * x).subs({mu: 1})
    assert tensor([1.0], name=micro).name == mu
    with pytest.raises(ValueError, match="a name must be a Python identifier"):
        symgrad.leaf("__debug__")
