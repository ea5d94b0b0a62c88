"""Equations of contractions, as `einsum` writes them: `ab,bc->ac`."""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

L = TypeVar("L")


class Mismatch(RuntimeError):
    """Raised where operands do not fit a contraction; public functions raise PyTorch's error instead."""


class Spec(NamedTuple):
    """The axes of a contraction: a letter for each axis of each operand, and of the result.

    Letters that the result does not have are summed over. A letter that stands twice in an operand
    takes its diagonal; twice in the result, the result is zero off that diagonal.
    """

    inputs: tuple[str, ...]
    output: str


@lru_cache(maxsize=4096)
def parse(spec: str) -> Spec:
    """Read `"ab,bc->ac"`."""
    inputs, _, output = spec.partition("->")
    return Spec(tuple(inputs.split(",")), output)


def equation(inputs: Iterable[Iterable[Any]], output: Iterable[Any]) -> str:
    """Return an equation over labels of any kind, written as letters in the order of first use.

    Equal contractions thus have equal equations.
    """
    inputs = [tuple(labels) for labels in inputs]
    letter: dict[Any, str] = {}
    for labels in inputs:
        for label in labels:
            if label not in letter:
                if len(letter) == len(string.ascii_letters):
                    raise RuntimeError(
                        f"a contraction has at most {len(string.ascii_letters)} distinct axes"
                    )
                letter[label] = string.ascii_letters[len(letter)]
    left = ",".join(["".join([letter[x] for x in labels]) for labels in inputs])
    return f"{left}->{''.join([letter[x] for x in output])}"


def is_rearranged(spec: Spec) -> bool:
    """Whether one operand's elements are only moved: axes permuted, diagonals taken or filled."""
    return len(spec.inputs) == 1 and set(spec.inputs[0]) == set(spec.output)


def _repeats(labels: str) -> bool:
    return len(set(labels)) < len(labels)


def embeddings(output: Sequence[L]) -> tuple[list[tuple[int, int]], list[L]]:
    """Return how an array is written among zeros where equal labels agree, from the outside in.

    In each step the last of the axes becomes two, at the places that are returned, and the others
    keep their order, as by `diag_embed`. The labels of the array that is written come last.

    Examples
    --------
    >>> embeddings("aba")
    ([(0, 2)], ['b', 'a'])
    """
    labels, places = list(output), []
    while len(set(labels)) < len(labels):
        k = next(k for k in labels if labels.count(k) > 1)
        first, last = [i for i, other in enumerate(labels) if other == k][-2:]
        places.append((first, last))
        labels = [*labels[:first], *labels[first + 1 : last], *labels[last + 1 :], k]
    return places, labels


def sums(spec: Spec) -> bool:
    """Return whether a label that operands share is summed over."""
    seen: set[str] = set()
    for labels in spec.inputs:
        if not seen.isdisjoint(set(labels).difference(spec.output)):
            return True
        seen.update(labels)
    return False
