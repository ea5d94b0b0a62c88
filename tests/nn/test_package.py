"""`symgrad.nn` as a package: what it loads when, and what it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import symgrad
from symgrad import nn
from tests.expr.test_costs import steps


def test_importing_symgrad_loads_no_layers() -> None:
    code = "import sys, symgrad; print(*sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    ).stdout.split()
    assert "symgrad.nn.functional" in found
    assert not [
        name
        for name in found
        if name.startswith(("symgrad.nn.modules", "symgrad.nn.init", "symgrad.nn.utils"))
    ]


def test_the_package_shows_all_layers() -> None:
    shown = set(nn.__all__) - {"functional", "init", "modules", "parameter", "utils"}
    assert shown == {*nn.modules.__all__, "Buffer", "Parameter"}
    assert set(nn.__all__) <= set(dir(nn))
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        nn.Nothing  # noqa: B018


def test_a_network_costs_little_more_than_the_same_by_hand() -> None:
    """In steps of Python: at most a tenth more, forward and backward."""
    net = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))
    loss = nn.CrossEntropyLoss()
    w, b, v, c = net.parameters()
    x, y = symgrad.ones(3, 8), symgrad.tensor([0, 1, 1])
    f = nn.functional

    def by_layers() -> None:
        loss(net(x), y).backward()

    def by_hand() -> None:
        h = f.relu(f.linear(x, w, b))
        f.cross_entropy(f.linear(h, v, c), y).backward()

    for run in (by_layers, by_hand) * 3:  # plans are made and compiled
        run()
    assert steps(by_layers) <= 1.1 * steps(by_hand)
