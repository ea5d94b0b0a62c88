"""Parameters of modules have in formulas the names of their paths."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import symgrad as torch
from symgrad import nn


class Net(nn.Module):
    """A network of two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.fc1 = nn.Linear(2, 3)
        self.fc2 = nn.Linear(3, 1)

    def forward(self, x: Any) -> Any:
        return self.fc2(torch.tanh(self.fc1(x)))


def names(*results: Any) -> list[str]:
    """Return the names of the leaves in formulas of results."""
    total = sum([y.sum() for y in results[1:]], results[0].sum())
    return [leaf.name for leaf in torch.explain(total).gradients]


def test_a_parameter_is_named_after_its_path() -> None:
    net = Net()
    shown = torch.explain(net(torch.ones(2)).sum())
    assert {leaf.name for leaf in shown.gradients} == {
        "fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias"
    }  # fmt: skip
    assert shown.gradients[net.fc1.weight] is shown.gradients["fc1_weight"]


def test_nothing_is_named_before_a_formula_is_shown() -> None:
    net = Net()
    net(torch.ones(2)).sum().backward()
    assert net.fc1.weight.name is None
    assert not net.fc1.weight._leaf().auto


def test_numbers_have_a_word_before_them() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Tanh(), nn.Linear(2, 1)))
    assert set(names(net(torch.ones(2)))) == {
        "layer0_weight", "layer0_bias", "layer1_1_weight", "layer1_1_bias"
    }  # fmt: skip
    row = nn.ParameterList([torch.ones(2)])
    assert names(row[0] * 2) == ["parameter0"]


def test_names_that_are_no_identifiers_become_some() -> None:
    net = nn.ModuleDict({"first-layer": nn.Linear(2, 1, bias=False)})
    assert names(net["first-layer"](torch.ones(2))) == ["first_layer_weight"]
    lone = nn.Module()
    lone.register_parameter("class", nn.Parameter(torch.ones(1)))
    (name,) = names(lone.get_parameter("class") * 2)
    assert name != "class" and name.isidentifier()


def test_two_networks_are_told_apart_by_their_variables() -> None:
    left, right = Net(), Net()
    x = torch.ones(2)
    found = names(left(x), right(x))
    assert set(found) == {
        f"{net}_fc{i}_{kind}"
        for net in ("left", "right") for i in (1, 2) for kind in ("weight", "bias")
    }  # fmt: skip


def test_networks_without_a_variable_are_told_apart_by_numbers() -> None:
    nets = [nn.Linear(1, 1, bias=False) for _ in range(3)]
    x = torch.ones(1)
    assert set(names(*[net(x) for net in nets])) == {"weight", "weight_2", "weight_3"}


def test_a_name_of_the_users_counts_more() -> None:
    net = Net()
    net.fc1.weight.name = "W"
    assert "W" in names(net(torch.ones(2)))
    other: Any = nn.Linear(1, 1, bias=False)
    given = torch.ones(1, requires_grad=True, name="weight")
    assert set(names(other(given))) == {"weight", "other_weight"}


def test_names_stay_when_values_change() -> None:
    net = Net()
    x = torch.ones(2)
    before = names(net(x))
    with torch.no_grad():
        for p in net.parameters():
            p.add_(1.0)
    assert names(net(x)) == before
    net.double()
    assert sorted(names(net(x.double()))) == sorted(before)


@pytest.mark.parametrize("how", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_are_named_by_their_own_places(how: Any) -> None:
    net = nn.Sequential(nn.Linear(2, 1), nn.Tanh())
    part = how(net[0])  # no part of the network any more
    assert set(names(part(torch.ones(2)))) == {"weight", "bias"}
    whole = how(net)
    assert set(names(whole(torch.ones(2)))) == {"layer0_weight", "layer0_bias"}


def test_a_layer_that_moved_has_its_new_name() -> None:
    net = nn.Sequential(nn.Tanh(), nn.Linear(2, 1, bias=False))
    del net[0]
    assert names(net(torch.ones(2))) == ["layer0_weight"]


def test_a_module_that_holds_itself_does_no_harm() -> None:
    net = Net()
    net.fc1.outer = net
    assert len(names(net.fc1(torch.ones(2)))) == 2


def test_a_module_computes_with_formulas() -> None:
    layer = nn.Linear(2, 1).double()
    x = torch.leaf("x", (2,))
    made = layer(x)
    values = {leaf.name for leaf in made.leaves}
    assert "x" in values and len(values) == 3
