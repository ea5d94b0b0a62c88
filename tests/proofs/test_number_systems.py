"""Every operation in the number systems of proofs has the value of its kernel, or is refused."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

from symgrad.expr.atoms import Leaf
from symgrad.expr.dtypes import bool_
from symgrad.expr.graph import leaves
from symgrad.proofs.elements import Imprecise, Refused
from symgrad.proofs.intervals import Intervals
from symgrad.proofs.polynomials import Polynomials
from symgrad.proofs.primes import field_of
from symgrad.proofs.residues import Residue, small_rational
from symgrad.proofs.running import computed
from tests.each import each, in_part
from tests.expr.samples import all_samples, node_of

#: Operations without a formula of SymPy's, whose kernels need values: decompositions, bits,
#: inverses of incomplete functions; and what depends on the values of masks.
REFUSED = {
    "alignment_loss", "alignment_slope",
    "betainccinv", "betaincinv", "bitwise_and", "bitwise_left_shift", "bitwise_not", "bitwise_or",
    "bitwise_right_shift", "bitwise_xor", "cholesky_ex.L", "cholesky_ex.info", "complement",
    "eigh.eigenvalues", "eigh.eigenvectors", "elliptic_moment", "frexp.exponent", "frexp.mantissa",
    "gammainccinv", "gammaincinv", "gcd", "index", "index_put", "inv_ex.info", "inv_ex.inverse",
    "lcm", "ldl_factor_ex.LD", "ldl_factor_ex.info", "ldl_factor_ex.pivots", "ldl_solve",
    "least_squares", "lu_factor_ex.LU", "lu_factor_ex.info", "lu_factor_ex.pivots",
    "matrix_exp", "median", "mode.indices", "mode.values", "nanmedian", "nextafter", "nll_loss",
    "permutation", "pinv", "put", "qr.Q", "qr.R", "scaled_macdonald", "solve_ex.info",
    "solve_ex.result", "take", "thin_svd.S", "thin_svd.U", "thin_svd.Vh",
}  # fmt: skip
#: What is refused of some samples: infinite orders, and powers of sums of absolute values.
REFUSED_IN_PART = {"cdist", "dist", "norm", "pdist", "renorm"}

FIELD = field_of(b"laws")


def real_samples() -> Iterator[Any]:
    for sample in all_samples():
        cls, given = sample.values
        try:
            e, values = node_of(cls, given)
        except RuntimeError:
            continue  # the operation computes with one dtype only
        kinds = [e.dtype, *[x.dtype for x in leaves(e)]]
        if not any(kind.is_complex for kind in kinds):
            yield pytest.param(cls.__name__, e, values, id=sample.id)


SAMPLES = list(real_samples())


def arrays(e: Any, element: Any) -> dict[Any, Any]:
    """An element for each element of each leaf."""
    found = {}
    for x in leaves(e):
        array = found[x] = np.empty(x.shape, object)
        for place in np.ndindex(x.shape):
            array[place] = element(x, place)
    return found


@each("name, e, values", in_part(SAMPLES, among=2))
def test_every_operation_is_computed_in_residues(name: str, e: Any, values: Any) -> None:
    """Or refused; a rational function is that of the numbers, whether or not they are known."""

    def known(x: Leaf, place: tuple[int, ...]) -> Any:
        return system.number(Fraction(values[x.name][place].item()))

    def hidden(x: Leaf, place: tuple[int, ...]) -> Any:
        number = known(x, place)
        return Residue(system, number.p, number.q) if x.dtype.is_floating_point else number

    def unknown(x: Leaf, place: tuple[int, ...]) -> Any:
        if x.dtype is bool_:
            return system.truth(x.name, place)
        return system.leaf(x.name, place, False)

    system = Polynomials(FIELD)
    refused = name in REFUSED | REFUSED_IN_PART
    try:
        (found,) = computed([e], system, arrays(e, unknown))
    except Refused:
        assert refused
        return
    assert found.shape == e.shape
    if refused or not all(np.isfinite(v).all() for v in values.values()):
        return
    system = Polynomials(FIELD)
    try:
        pair = [computed([e], system, arrays(e, make))[0].flat for make in (hidden, known)]
    except Refused:
        return
    drawn = system.count_drawn()
    for x, y in zip(*pair, strict=True):
        if isinstance(x, Residue) and isinstance(y, Residue) and not drawn:
            assert x.p == y.p


@each("name, e, values", in_part(SAMPLES, every=5, group=lambda name: ""))
def test_intervals_contain_what_kernels_compute(name: str, e: Any, values: Any) -> None:
    if not all(np.isfinite(v).all() for v in values.values()):
        return
    system = Intervals(200)
    given = arrays(e, lambda x, place: system.number(Fraction(values[x.name][place].item())))
    try:
        (found,) = computed([e], system, given)
    except (Imprecise, Refused):
        return
    want = e.evaluate({x: values[x.name] for x in leaves(e)})
    accuracy = 1e-2 if want.dtype.itemsize == 2 else 1e-5 if want.dtype.itemsize == 4 else 1e-9
    for x, number in zip(found.flat, want.flat, strict=True):
        if x.x is None or not np.isfinite(number):
            continue
        low, high = [mpmath.mpf(end) for end in x.x._mpi_]
        assert high - low <= 1e-20 * max(1, abs(low))
        assert float(low) == pytest.approx(float(number), rel=accuracy, abs=accuracy)


# ------------------------------------------------------------------ functions


def _mpf(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


#: Arguments, among them ends of domains and numbers outside of them.
ARGUMENTS = {
    "erf": "1/3 -2 5 0 25", "erfi": "1/3 3 0 -6", "erfc": "2 -3 0 9", "atan": "0 1 -100 1/7",
    "asin": "1/2 1 -1 -3/4 2", "acos": "1/2 -1 0", "asinh": "-3 2 0", "acosh": "3 1 0",
    "atanh": "1/2 0 -7/8 2",
}  # fmt: skip


@each("name", list(ARGUMENTS))
def test_functions_of_intervals(name: str) -> None:
    for digits in (60, 300):
        system = Intervals(digits)
        with mpmath.workprec(digits + 200):
            for x in map(Fraction, ARGUMENTS[name].split()):
                found = system.function(getattr(sympy, name), [system.number(x)], 0).x
                want = getattr(mpmath, name)(_mpf(x))
                if found is None:
                    assert not mpmath.isfinite(want) or mpmath.im(want)
                    continue
                low, high = [mpmath.mpf(end) for end in found._mpi_]
                assert low <= want <= high
                if abs(x) <= 3:  # else many digits are lost in sums of terms of both signs
                    assert high - low < 2.0 ** (40 - digits)


@each("name", ["exp", "log", "sin", "cos"])
def test_functions_of_mpmath_are_inside(name: str) -> None:
    """Also where a result is so near to a number that mpmath rounds to the wrong side of it."""
    sizes = [Fraction(1, 3), Fraction(10) ** 8, Fraction(1, 10**30), 1 + Fraction(1, 10**40)]
    for digits in (60, 100):
        system = Intervals(digits)
        for x in sizes:
            found = getattr(system.number(x), name)().x
            with mpmath.workprec(2000):
                low, high = [mpmath.mpf(end) for end in found._mpi_]
                assert low < getattr(mpmath, name)(_mpf(x)) < high

    huge = Intervals(100).number(Fraction(10) ** 9)
    with mpmath.workprec(2000):
        low, high = [mpmath.mpf(end) for end in huge.exp().log().x._mpi_]
        assert low < 10**9 < high


def test_fractions_are_recognised() -> None:
    p = FIELD.p
    for above in range(-64, 65):
        for below in (1, 2, 3, 7, 64):
            assert small_rational(above * pow(below, -1, p) % p, p) == Fraction(above, below)
    assert small_rational(FIELD.draw("a number", p), p) is None


def test_primes_have_roots() -> None:
    for seed in (b"1", b"2"):
        field = field_of(seed)
        assert (field.p - 1) % field.q == 0 and field.unit**2 % field.p == field.p - 1
        for x in (field.base, field.turn):
            assert x != 1 and pow(x, field.q, field.p) == 1
    assert field_of(b"1") == field_of(b"1") != field_of(b"2")
