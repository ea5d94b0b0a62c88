"""Every kind of view, changed in place in every way, against PyTorch where it is installed."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.recording import REFERENCE

from . import _harness
from ._changed_views import _gradients, _state
from .inplace_views import _CHANGES, _KINDS
from .views import _VIEWS

torch = pytest.importorskip("torch")

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(
        not torch.__version__.startswith(REFERENCE),
        reason=f"the reference is PyTorch {REFERENCE}",
    ),
]

_BASES = {
    "a result": lambda x: x * 1,
    "a constant": lambda x: x.detach() * 1,
    "a leaf": lambda x: x,
    "a view of a constant": lambda x: x.detach().reshape(6).view(2, 3).requires_grad_(),
}
#: What is tried on every kind of base.
_SOME = ("add_", "exp_", "fill_", "t[0] = w", "t[0] = 5", "t[mask] = w")
_TARGETS = ("the view", "the base", "another view")


def _program(torch: Any, log: Any, view: str, change: str, base: str, target: str) -> None:
    x = torch.arange(0.5, 3.5, 0.5, dtype=torch.float64).reshape(2, 3).clone().requires_grad_()
    w = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    y = _BASES[base](x)
    v = _VIEWS[view](y)
    t = {"the view": v, "the base": y, "another view": y[1]}[target]
    log.attempt("change", lambda: _CHANGES[change](t, w))
    for label, z in (("y", y), ("v", v)):
        _state(torch, log, label, z)
        _gradients(torch, log, f"of {label}", z, [x, w])


@pytest.mark.parametrize("view", _KINDS)
def test_a_changed_view_is_what_it_is_in_pytorch(view: str) -> None:
    import symgrad

    wrong = []
    for change, base, target in itertools.product(_CHANGES, _BASES, _TARGETS):
        if change not in _SOME and (base != "a result" or target == "another view"):
            continue
        given = {"view": view, "change": change, "base": base, "target": target}
        scenario = _harness.Scenario("live", "views", _program, given)
        lines = _harness.mismatches(_harness.run(scenario, torch), _harness.run(scenario, symgrad))
        wrong += [f"{change} of {target} of {base}: {line}" for line in lines]
    assert not wrong, "\n".join(wrong[:20])
