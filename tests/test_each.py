"""A test over many samples tries them all, and says which of them failed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.each import Chosen, each, in_part


def items(test: Any) -> dict[str, Any]:
    """Return what pytest would run, by the names that it would show."""
    [mark] = test.pytestmark
    words, rows = mark.args
    return {
        row.id: lambda row=row: test(**dict(zip(words, row.values, strict=True))) for row in rows
    }


def test_every_sample_is_tried_and_those_that_fail_are_named() -> None:
    tried = []

    @each("name", ["a-1", "a-2", "b-1", "a-3", "c-1", "c-2"], before=lambda: tried.append("|"))
    def law(name: str) -> None:
        tried.append(name)
        assert not name.startswith("c") and name != "a-2"

    made = items(law)
    assert list(made) == ["all"]
    with pytest.raises(ExceptionGroup, match="3 of 6 samples of 'all' fail") as several:
        made["all"]()
    notes = [e.__notes__ for e in several.value.exceptions]
    assert notes == [["sample: a-2"], ["sample: c-1"], ["sample: c-2"]]
    assert tried == [w for name in ("a-1", "a-2", "b-1", "a-3", "c-1", "c-2") for w in ("|", name)]


def test_the_samples_that_are_asked_for_are_tried_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    @each("name", ["a-1", "a-2", "b-1"])
    def law(name: str) -> None:
        tried.append(name)
        assert name != "a-2"

    monkeypatch.setattr(Chosen, "word", "a-")
    with pytest.raises(AssertionError) as one:
        items(law)["all"]()
    assert one.value.__notes__ == ["sample: a-2"]
    assert tried == ["a-1", "a-2"]
    monkeypatch.setattr(Chosen, "word", "c")
    with pytest.raises(pytest.skip.Exception, match="no sample has 'c'"):
        items(law)["all"]()


def test_samples_of_two_laws_in_one_are_asked_for_by_either_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = []

    def law(x: str, y: str) -> None:
        tried.append(x + y)

    inner = each("y", ["c", "d"])(law)
    both = each("x", ["a", "b"])(inner)
    (of_y, of_x) = (mark.args[1][0].values[0] for mark in both.pytestmark)  # type: ignore[attr-defined]
    for word, expected in (
        ("a", ["ac", "ad"]),
        ("d", ["ad", "bd"]),
        ("a or d", ["ac", "ad", "bd"]),
        ("", ["ac", "ad", "bc", "bd"]),
    ):
        monkeypatch.setattr(Chosen, "word", word)
        both(x=of_x, y=of_y)
        assert tried == expected and Chosen.word == word
        tried.clear()
    monkeypatch.setattr(Chosen, "word", "e")
    with pytest.raises(pytest.skip.Exception, match="no sample has 'e'"):
        both(x=of_x, y=of_y)


def test_what_skips_every_sample_is_skipped() -> None:
    @each("name", ["a-1", "a-2"])
    def some(name: str) -> None:
        if name != "a-1":
            pytest.skip(f"not {name}")

    @each("name", ["a-1", "a-2"])
    def none(name: str) -> None:
        pytest.skip(f"not {name}")

    items(some)["all"]()
    with pytest.raises(pytest.skip.Exception, match="not a-1"):
        items(none)["all"]()


def test_a_call_of_pytest_that_fails_is_a_failure() -> None:
    @each("name", ["a-1", "a-2"])
    def law(name: str) -> None:
        pytest.fail("no")

    with pytest.raises(BaseExceptionGroup, match="2 of 2"):
        items(law)["all"]()


def test_samples_of_several_arguments_marked_apart() -> None:
    seen = []

    @each(
        "x, y",
        [
            pytest.param(1, 2, id="a-1"),
            pytest.param(3, 4, id="a-2", marks=pytest.mark.slow),
            pytest.param(5, 6, id="a-3"),
        ],
    )
    def law(x: int, y: int) -> None:
        seen.append((x, y))

    made = items(law)
    assert list(made) == ["all", "slow"]
    made["all"]()
    assert seen == [(1, 2), (5, 6)]
    made["slow"]()
    assert seen[2:] == [(3, 4)]


def test_samples_have_names_and_there_are_some() -> None:
    @each("x", ["a", "a", 1, len, pytest.param(2, id="two")], ids=None)
    def law(x: Any) -> None: ...

    [mark] = law.pytestmark  # type: ignore[attr-defined]
    assert list(mark.args[1][0].values[0].samples) == ["a", "a-1", "1", "len", "two"]
    with pytest.raises(AssertionError, match="two samples are named two"):
        each("x", [pytest.param(n, id="two") for n in (1, 2)])
    with pytest.raises(AssertionError, match="there are no samples"):
        each("x", [])


def test_a_part_has_the_first_of_each_group_and_some_more() -> None:
    def tried(*args: Any, **how: Any) -> list[str]:
        rows = in_part(["a-1", "a-2", "b-1", "a-3"], *args, **how)
        return [row.id for row in rows if not row.marks]

    assert tried() == ["a-1", "b-1"]
    assert tried(2) == ["a-1", "b-1", "a-3"]
    assert tried(1) == ["a-1", "a-2", "b-1", "a-3"]
    assert tried(0, lambda name: "all") == ["a-1"]
    assert tried(among=2) == ["a-1"]
    assert tried(1, among=2) == ["a-1", "a-2", "a-3"]
