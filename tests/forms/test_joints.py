"""Parts of joined arrays are parts of what was joined."""

from __future__ import annotations

from typing import Any

import numpy as np

import symgrad as sg
from symgrad.expr.graph import toposort
from symgrad.forms.joints import without_joints
from symgrad.ops.joining import cat, stack
from symgrad.ops.slicing import updated
from tests.each import each

X, Y, Z = sg.leaf("X", (2, 3)), sg.leaf("Y", (2, 3)), sg.leaf("Z", (1, 3), dtype=sg.float32)
VALUES = {
    x: np.arange(1.0, 1 + np.prod(x.shape)).reshape(x.shape) * k
    for k, x in ((1, X), (-7, Y), (9, Z))
}
JOINED: dict[str, Any] = {
    "stack": sg.stack([X, Y]),
    "stack in the middle": sg.stack([X, Y, X], 1),
    "stack at the end": sg.stack([X, X * Y], -1),
    "row": sg.cat([X, Z, Y]),
    "columns": sg.cat([X, Y[:, :1], Y], 1),
    "nested": sg.stack([sg.cat([X, Z]), sg.cat([Z, Y])]),
    "of elements": sg.stack([X, Y]) * 2 / sg.stack([Y, X]),
    "written": sg.select_scatter(X, Z[0], 0, 1),
}
KEYS: dict[str, Any] = {
    "first": 0, "last": -1, "one element": (1, 0), "slice": slice(1, 2), "back": (slice(None), -1),
    "two": (slice(0, 2), 1), "every second": (slice(None), slice(0, 3, 2)), "none": slice(1, 1),
}  # fmt: skip
CASES = {f"{j}, {k}": (JOINED[j], KEYS[k]) for j in JOINED for k in KEYS}


@each("e, key", CASES)
def test_a_part_keeps_its_value(e: Any, key: Any) -> None:
    whole = e[key]
    (found,) = without_joints([whole])
    assert (found.shape, found.dtype) == (whole.shape, whole.dtype)
    given = {x: v.astype(x.dtype.numpy) for x, v in VALUES.items()}
    values = [y.evaluate({x: given[x] for x in y.leaves}) for y in (found, whole)]
    np.testing.assert_array_equal(*values)
    (kept,) = without_joints([whole], {whole})
    assert kept is whole
    if type(e) is stack and isinstance(key, int) and not e.axis:
        assert not {stack, updated} & {type(x) for x in toposort([found])}


def test_elements_of_joined_numbers_are_the_numbers() -> None:
    p, q = sg.symbols("p q")
    joined = [sg.stack([p, q]), sg.cat([p.reshape(1), q.reshape(1)])]
    for s in joined:
        (found,) = without_joints([(s / s[0] * 3)[1] + s[-1]])
        assert not {stack, cat} & {type(x) for x in toposort([found])}
    jacobian = sg.derive(sg.stack([joined[0][0] * joined[0][1], joined[0][1]]), joined[0])
    assert str(jacobian) == "stack([stack([q, p]), array([0.0, 1.0])])"
