"""symgrad replays every scenario with the outcome recorded from PyTorch."""

from __future__ import annotations

from tests.each import each

from . import _harness


@_harness.over_scenarios
def test_replays_as_recorded(scenario: _harness.Scenario) -> None:
    import symgrad

    expected = _harness.expected_of_symgrad(scenario, _harness.load(scenario.family)[scenario.name])
    wrong = _harness.mismatches(expected, _harness.run(scenario, symgrad))
    assert not wrong, "\n".join([scenario.differs[0], *wrong])


@each("family", _harness.families())
def test_recording_covers_the_family(family: str) -> None:
    names = [scenario.name for scenario in _harness.scenarios(family)]
    assert len(set(names)) == len(names)
    assert list(_harness.load(family)) == names


def test_declared_differences_differ() -> None:
    wrong = []
    for scenario in _harness.all_scenarios():
        recorded = _harness.load(scenario.family)[scenario.name]
        wrong += _harness.check_declared(scenario, recorded)
    assert wrong == []
