"""One test over many samples: an item of pytest's for each group of them, not for each sample.

To collect, set up and report an item costs pytest more than many a law costs on one sample. So a
law over thousands of samples has an item for each operation, or function, and tries all of its
samples there. Every sample is tried, whether or not one before it failed, and a failure names its
sample.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import pytest

Test = Callable[..., None]
_Param: Any = type(pytest.param())


class Group(NamedTuple):
    """Samples that are tried by one item: their values by their names."""

    name: str
    samples: dict[str, tuple[Any, ...]]


def first_word(name: str) -> str:
    return name.partition("-")[0]


def two_words(name: str) -> str:
    return "-".join(name.split("-", 2)[:2])


def each(
    arguments: str,
    samples: Mapping[str, Any] | Iterable[Any],
    group: Callable[[str], str] = first_word,
    before: Callable[[], Any] | None = None,
) -> Callable[[Test], Test]:
    """Run a test for every one of `samples`, in one item for each group of their names.

    Parameters
    ----------
    arguments
        What the test calls a sample: one name, or several with commas between, for samples that
        are tuples.
    samples
        By name, or each made by `pytest.param` with an id; strings are names and samples in one.
    group
        Gives the name of the group from the name of the sample: by default its first word.
    before
        Called before each sample, as the fixtures are before each item.
    """
    words = [word.strip() for word in arguments.split(",")]
    groups: dict[str, tuple[Group, Any]] = {}
    for name, values, marks in _named(samples, len(words) > 1):
        label = "-".join([group(name), *(mark.name for mark in marks)])
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
            __tracebackhide__ = True
            taken = given.pop(words[0])
            failures: list[Any] = []
            skipped: list[pytest.skip.Exception] = []
            for name, values in taken.samples.items():
                if before is not None:
                    before()
                try:
                    test(**given | dict(zip(words, values, strict=True)))
                except pytest.skip.Exception as skip:
                    skipped.append(skip)
                except (Exception, pytest.fail.Exception) as failure:
                    failure.add_note(f"sample: {name}")
                    failures.append(failure)
            if len(failures) == 1:
                raise failures[0]
            if failures:
                count = f"{len(failures)} of {len(taken.samples)} samples"
                raise BaseExceptionGroup(f"{count} of {taken.name!r} fail", failures)
            if len(skipped) == len(taken.samples):
                raise skipped[0]

        marked: Test = pytest.mark.parametrize(words, rows)(over_samples)
        return marked

    return over_groups


def _named(samples: Any, several: bool) -> Iterable[tuple[str, tuple[Any, ...], tuple[Any, ...]]]:
    """Yield the name, the values and the marks of each sample."""
    if isinstance(samples, Mapping):
        samples = [
            pytest.param(*(value if several else (value,)), id=name)
            for name, value in samples.items()
        ]
    for sample in samples:
        if isinstance(sample, _Param):
            assert isinstance(sample.id, str), f"a sample without a name: {sample}"
            yield sample.id, tuple(sample.values), tuple(sample.marks)
        else:
            assert isinstance(sample, str), f"a sample without a name: {sample!r}"
            yield sample, (sample,), ()
