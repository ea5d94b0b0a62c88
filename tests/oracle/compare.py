"""What counts as equal to the recording."""

from __future__ import annotations

import numpy as np

from .table import Case

# A few roundings apart: NumPy and PyTorch add in different orders and use different libm's.
RTOL = {"float64": 1e-12, "float32": 2e-6, "float16": 2e-3, "complex128": 1e-12, "complex64": 4e-6}
# Absolute floor of gradients: a formula and its rearrangement (1 - tanh(x)**2 in the tails) may
# cancel differently, and where it cancels to nothing neither digit is the truth. Where gradients
# are sums over many elements (cases with slack) it is per unit of the largest finite entry.
FLOOR = {"float64": 1e-13, "float32": 1e-6, "float16": 2e-3, "complex128": 1e-13, "complex64": 1e-6}


def assert_value(got: np.ndarray, expected: np.ndarray, case: Case) -> None:
    """Values as computed by the user's own formula: relative tolerance only, unless stated."""
    _assert_same_kind(got, expected)
    if case.exact or expected.dtype.kind in "biu":
        np.testing.assert_array_equal(got, expected)
    else:
        if expected.dtype.kind == "c":
            got, expected = _by_parts(got, expected)
        rtol = case.rtol or RTOL[str(expected.dtype)]
        about = np.finfo(expected.dtype)
        atol = max(case.slack * float(about.eps), float(about.smallest_subnormal))
        np.testing.assert_allclose(got, expected, rtol=rtol, atol=atol)
    if case.signed_zeros and expected.dtype.kind == "f":
        zero = expected == 0
        np.testing.assert_array_equal(
            np.signbit(got[zero]), np.signbit(expected[zero]), err_msg="sign of zero"
        )


def _by_parts(got: np.ndarray, expected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compare infinite numbers part by part: one part may be finite, and rounded."""
    wild = np.isinf(expected) & ~np.isnan(expected)
    if not wild.any():
        return got, expected
    for part in (np.real, np.imag):
        rtol = RTOL[str(part(expected).dtype)]
        np.testing.assert_allclose(part(got)[wild], part(expected)[wild], rtol=rtol)
    return got[~wild], expected[~wild]


def assert_gradient(got: np.ndarray, expected: np.ndarray, case: Case) -> None:
    _assert_same_kind(got, expected)
    if case.torch_nan:
        got = np.where(np.isnan(expected), np.nan, got).astype(expected.dtype)
    kind = str(expected.dtype)
    finite = np.abs(expected[np.isfinite(expected)])
    scale = max(1.0, float(finite.max(initial=0))) if case.slack else 1.0
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(
            got, expected, rtol=10 * (case.rtol or RTOL[kind]), atol=FLOOR[kind] * scale
        )


def assert_gradients(
    got: list[np.ndarray | None],
    expected: list[np.ndarray | None],
    case: Case,
    none_is_zero: bool = False,
) -> None:
    assert len(got) == len(expected)
    for position, (mine, theirs) in enumerate(zip(got, expected, strict=True)):
        if none_is_zero and mine is None and theirs is not None:
            mine = np.zeros_like(theirs)
        if none_is_zero and theirs is None and mine is not None:
            theirs = np.zeros_like(mine)
        if mine is None or theirs is None:
            assert mine is theirs, f"gradient {position}: got {mine}, expected {theirs}"
            continue
        try:
            assert_gradient(mine, theirs, case)
        except AssertionError as error:
            raise AssertionError(f"gradient {position}: {error}") from None


def _assert_same_kind(got: np.ndarray, expected: np.ndarray) -> None:
    assert got.shape == expected.shape, f"shape {got.shape}, expected {expected.shape}"
    assert got.dtype == expected.dtype, f"dtype {got.dtype}, expected {expected.dtype}"
