"""symgrad replays every scenario with the outcome recorded from PyTorch."""

from __future__ import annotations

import pytest

from tests.each import each

from . import _harness

pytestmark = pytest.mark.versions


@_harness.over_scenarios
def test_replays_as_recorded(scenario: _harness.Scenario) -> None:
    import symgrad

    expected = _harness.expected_of_symgrad(scenario, _harness.recorded(scenario))
    wrong = _harness.mismatches(expected, _harness.run(scenario, symgrad))
    assert not wrong, "\n".join([scenario.differs[0], *wrong])


@each("family", _harness.families())
def test_recording_covers_the_family(family: str) -> None:
    names = [scenario.name for scenario in _harness.scenarios(family)]
    assert len(set(names)) == len(names)
    files = _harness.files_of(family)
    assert _harness.paths_of(family) == sorted(files)
    assert len({path.as_posix().casefold() for path in files}) == len(files)
    for path, scenarios in files.items():
        assert list(_harness.load(path)) == [scenario.name for scenario in scenarios]


def test_no_file_is_left_of_a_family_that_is_gone() -> None:
    families = {path.relative_to(_harness.DATA).parts[0] for path in _harness.DATA.rglob("*.json")}
    assert {name.removesuffix(".json") for name in families} == {*_harness.families()}


def test_declared_differences_differ() -> None:
    wrong = []
    for scenario in _harness.all_scenarios():
        wrong += _harness.check_declared(scenario, _harness.recorded(scenario))
    assert wrong == []
