"""Stand-alone source warns of what its result shows: of an overflow that is inf, say, and no other.

`evaluate` says nothing, as PyTorch does. Source is plain NumPy, which warns of what a formula
gives; but not of what happens inside a helper function and does not reach the result.
"""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np

from symgrad.expr.atoms import Leaf
from symgrad.ops.elementwise import Elementwise
from tests.each import each, in_part
from tests.expr.samples import all_samples, node_of

_SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 3.0, -2.5, 40.0, 1e200, -1e200, 1e-200, np.inf, -np.inf)
_CASES = [p for p in all_samples() if p.values[0].differentiable]


def _warnings(f: Any, given: dict[str, Any]) -> tuple[Any, set[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = f(**given)
    return result, {str(w.message) for w in caught if issubclass(w.category, RuntimeWarning)}


@each("cls, sample", in_part(_CASES, among=2))
def test_source_warns_of_no_more_than_its_result_shows(cls: Any, sample: Any) -> None:
    e, values = node_of(cls, sample)
    namespace: dict[str, Any] = {}
    exec(e.source(), namespace)
    tried = [values]
    moving = [n for n, v in values.items() if v.dtype == np.float64]
    if issubclass(cls, Elementwise) and len(moving) <= 2 and "error" not in cls.params:
        for point in itertools.product(_SPECIAL, repeat=len(moving)):
            special = {n: np.full(values[n].shape, v) for n, v in zip(moving, point, strict=True)}
            tried.append({**values, **special})
    assert all(isinstance(x, Leaf) for x in e.leaves)
    names = {x.name for x in e.leaves}
    for given in tried:
        result, said = _warnings(namespace["f"], {n: v for n, v in given.items() if n in names})
        if said:
            shown = np.asarray(result)
            assert not np.isfinite(shown).all(), (said, given, result)
