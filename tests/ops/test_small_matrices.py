"""Matrices without elements, and of one row: derivatives exist as those of larger ones do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad import derive, leaf
from symgrad.ops.linear_algebra import MatrixOperation
from symgrad.ops.primitive import PRIMITIVES
from symgrad.ops.results import Several
from tests.each import each, in_part

_OF_MATRICES = {
    f"{name}-{i}": (cls, sample)
    for name, cls in PRIMITIVES.items()
    if issubclass(cls, MatrixOperation) and cls.__module__.startswith("symgrad.")
    for i, sample in enumerate(cls.samples)
}


def _without(x: Any, axes: Any) -> Any:
    """Return matrices without rows, without columns, or without both; vectors without elements."""
    if not isinstance(x, np.ndarray):
        return x
    for axis in axes if x.ndim > 1 else (-1,) * min(x.ndim, 1):
        x = x.take([], axis)
    return x


@pytest.mark.parametrize("axes", [(-1,), (-2,), (-2, -1)], ids=["columns", "rows", "both"])
@pytest.mark.parametrize("kind", [float, complex])
@each("name", in_part(list(_OF_MATRICES)))
def test_matrices_without_elements_have_derivatives(axes: Any, kind: Any, name: str) -> None:
    """Where there is a value, the derivative has the shape of the matrix."""
    cls, sample = _OF_MATRICES[name]
    count = len(sample) - len(cls.params)
    given = [_without(x, axes) for x in sample[:count]]
    given = [x.astype(kind) if getattr(x, "dtype", None) == np.float64 else x for x in given]
    if not isinstance(given[0], np.ndarray):
        return
    x = leaf("x", given[0].shape, dtype=symgrad.from_numpy(given[0]).dtype)
    others = [symgrad.tensor(y).expr if isinstance(y, np.ndarray) else y for y in given[1:]]
    try:
        made = cls.of(x, *others, *sample[count:])
    except (RuntimeError, TypeError, ValueError):
        return  # as of a matrix that is not square
    if made.missing_derivative() or min(getattr(made, "shape", ()), default=0) < 0:
        return  # as of the complement of more columns than rows
    for node in made if isinstance(made, Several) else [made]:
        if node.dtype.differentiable:
            assert derive(node.real.sum(), x).shape == x.shape


@pytest.mark.parametrize("name", ["eigenvectors", "U", "Vh", "values"])
@pytest.mark.parametrize("kind", [symgrad.float64, symgrad.complex128])
@pytest.mark.parametrize("lead", [(), (2,)])
def test_matrices_of_one_row_have_second_derivatives_in_both_modes(
    name: str, kind: Any, lead: tuple[int, ...]
) -> None:
    generator = symgrad.Generator().manual_seed(3)
    x, t = [symgrad.randn((*lead, 1, 1), dtype=kind, generator=generator) for _ in range(2)]

    def loss(x: Any) -> Any:
        a = x @ x.mH
        if name == "eigenvectors":
            part = symgrad.linalg.eigh(a).eigenvectors.abs() ** 2 + a.abs()
        elif name == "values":
            part = symgrad.linalg.eigvalsh(a) ** 2
        else:
            part = getattr(symgrad.linalg.svd(x), name).abs() * x.abs()
        return part.sum()

    slope = symgrad.func.grad(loss)
    _, found = symgrad.func.jvp(slope, (x,), (t,))
    h = 1e-5
    wanted = (slope(x + h * t) - slope(x - h * t)) / (2 * h)
    np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-6, atol=1e-7)
