"""PyTorch and symgrad side by side, where PyTorch is installed.

Also says when a recording no longer is what the installed PyTorch does.
"""

from __future__ import annotations

import pytest

from tests.recording import REFERENCE

from . import _harness

torch = pytest.importorskip("torch")

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(
        not torch.__version__.startswith(REFERENCE),
        reason=f"the reference is PyTorch {REFERENCE}",
    ),
]


@_harness.over_scenarios
def test_symgrad_does_what_pytorch_does(scenario: _harness.Scenario) -> None:
    import symgrad

    live = _harness.run(scenario, torch)
    expected = _harness.expected_of_symgrad(scenario, live)
    wrong = _harness.mismatches(expected, _harness.run(scenario, symgrad))
    assert not wrong, "\n".join([scenario.differs[0], *wrong])


@pytest.mark.parametrize("family", _harness.families())
def test_recording_is_current(family: str) -> None:
    wrong = []
    for scenario in _harness.scenarios(family):
        live = _harness.run(scenario, torch)
        wrong += [
            f"{scenario.name}: {line}"
            for line in _harness.mismatches(_harness.recorded(scenario), live)
        ]
    assert wrong == []
