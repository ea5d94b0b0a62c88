"""One test over many samples: an item of pytest's for the law, not for each sample.

To collect, set up and report an item costs pytest more than many a law costs on one sample. So a
law over thousands of samples is one item. Every sample is tried, whether or not one before it
failed, and a failure names its sample; `pytest --sample "tanh or sinh"` tries those alone whose
names hold one of the words.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import pytest

Test = Callable[..., None]
_Param: Any = type(pytest.param())


class Group(NamedTuple):
    """Samples that are tried by one item: their values by their names."""

    name: str
    samples: dict[str, tuple[Any, ...]]


class Chosen:
    """The samples that the command line asks for: those whose names hold one of its words."""

    word = ""  # or several, with "or" between them

    @classmethod
    def has(cls, name: str) -> bool:
        return any(word in name for word in cls.word.split(" or "))


def each(
    arguments: str,
    samples: Mapping[str, Any] | Iterable[Any],
    before: Callable[[], Any] | None = None,
    ids: Callable[[Any], str] | None = None,
) -> Callable[[Test], Test]:
    """Run a test for every one of `samples`, in one item for those that have the same marks.

    Parameters
    ----------
    arguments
        What the test calls a sample: one name, or several with commas between, for samples that
        are tuples.
    samples
        By name, or each made by `pytest.param`, or values, which are named by their text. A
        sample that is expected to fail has an item of its own.
    before
        Called before each sample, as the fixtures are before each item.
    ids
        Gives the name of a sample that has none.
    """
    words = [word.strip() for word in arguments.split(",")]
    groups: dict[str, tuple[Group, Any]] = {}
    for name, values, marks in _named(samples, len(words) > 1, ids):
        label = "-".join(mark.name for mark in marks) or "all"
        if any(mark.name == "xfail" for mark in marks):
            label = name
        else:
            assert not any(mark.args or mark.kwargs for mark in marks), f"{name}: {marks}"
        found = groups.setdefault(label, (Group(label, {}), marks))[0].samples
        assert name not in found, f"two samples are named {name}"
        found[name] = values
    assert groups, "there are no samples"
    rows = [
        pytest.param(found, *words[1:], marks=marks, id=label)
        for label, (found, marks) in groups.items()
    ]

    def over_groups(test: Test) -> Test:
        @functools.wraps(test)
        def over_samples(**given: Any) -> None:
            taken = given.pop(words[0])
            word = Chosen.word
            # Under another `each`, a sample is named by the names of both.
            chosen = {
                k: v for k, v in taken.samples.items() if Chosen.has(k) or hasattr(test, "inner")
            }
            failures: list[Any] = []
            skipped: list[pytest.skip.Exception] = []
            for name, values in chosen.items():
                if before is not None:
                    before()
                try:
                    Chosen.word = "" if Chosen.has(name) else word
                    test(**given | dict(zip(words, values, strict=True)))
                except pytest.skip.Exception as skip:
                    skipped.append(skip)
                except (Exception, pytest.fail.Exception) as failure:
                    failure.add_note(f"sample: {name}")
                    failures.append(failure)
                finally:
                    Chosen.word = word
            if len(failures) == 1:
                raise failures[0]
            if failures:
                count = f"{len(failures)} of {len(chosen)} samples"
                raise BaseExceptionGroup(f"{count} of {taken.name!r} fail", failures)
            if len(skipped) == len(chosen):
                pytest.skip(skipped[0].msg if skipped else f"no sample has {Chosen.word!r}")

        over_samples.inner = test  # type: ignore[attr-defined]
        marked: Test = pytest.mark.parametrize(words, rows)(over_samples)
        return marked

    return over_groups


def first_word(name: str) -> str:
    return name.partition("-")[0]


def two_words(name: str) -> str:
    return "-".join(name.split("-", 2)[:2])


def in_part(
    samples: Mapping[str, Any] | Iterable[Any],
    every: int = 0,
    group: Callable[[str], str] = first_word,
    among: int = 1,
) -> list[Any]:
    """Mark as slow all but the first sample of each group, and every so many-th after that.

    So an ordinary run tries each operation, and `.ci/full` each sample. A dear test, of what
    operations have in common, tries every so many-th of the groups: those that `among` counts.
    """
    counts: Counter[str] = Counter()
    places: dict[str, int] = {}
    found = []
    for name, values, marks in _named(samples, False, None):
        label = group(name)
        count = counts[label]
        counts[label] += 1
        tried = count % every == 0 if every else count == 0
        tried = tried and places.setdefault(label, len(places)) % among == 0
        marks = marks if tried else (*marks, pytest.mark.slow)
        found.append(pytest.param(*values, id=name, marks=marks))
    return found


def _named(
    samples: Any, several: bool, ids: Callable[[Any], str] | None
) -> Iterable[tuple[str, tuple[Any, ...], tuple[Any, ...]]]:
    """Yield the name, the values and the marks of each sample."""
    if isinstance(samples, Mapping):
        for name, value in samples.items():
            yield name, value if several else (value,), ()
        return
    taken = set()
    for place, sample in enumerate(samples):
        param = sample if isinstance(sample, _Param) else None
        values = tuple(param.values if param else sample if several else (sample,))
        if param is not None and isinstance(param.id, str):
            name = param.id
        else:
            name = "-".join(map(ids or _text, values))
            name = f"{name}-{place}" if name in taken else name
        taken.add(name)
        yield name, values, tuple(param.marks) if param else ()


def _text(value: Any) -> str:
    return str(getattr(value, "__name__", value))
