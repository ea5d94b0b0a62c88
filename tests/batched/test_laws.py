"""What `vmap` computes is what the function computes for each entry, stacked.

The cases are those of `tests/oracle`: every operation, for each choice of the arguments that differ
from entry to entry. The entries are other draws of the same arguments.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import symgrad as torch
from symgrad.autograd import forward_ad
from symgrad.expr.node import ArrayExpr
from tests.autograd.test_cycles import one_of_each
from tests.each import each
from tests.oracle.cases import CASES
from tests.oracle.compare import FLOOR, RTOL
from tests.oracle.observe import array_of, dtype_of, flatten, is_tensor
from tests.oracle.table import Case, cotangent

SIZE = 2

WRITTEN = "vmap: inplace arithmetic(self, *extra_args) is not possible"

#: What is refused, by the beginning of the message: the cases, and why there is no way.
REFUSED: dict[str, tuple[str, ...]] = {
    # The shape of the result depends on the elements.
    "vmap: We do not support batching operators that can support dynamic shape": (
        r"indexing-tensor-.*mask.*",
        r"indexing-mask-.*",
        r"indexing-index-0d-mask",
        r"write-tensor-mask.*",
        r"write-number-mask",
        r"deliberate-boolean-index-sqrt",
        r"deliberate-assigned-log",
        r"complex-mask(-complex64|-of-product)?",
    ),
    "vmap: We do not support batching operators that can output dynamic shape": (
        r"where-one-argument",
        r"indexing-nonzero(-tuple)?",
        r"complex-(nonzero|nonzero-tuple|argwhere)",
        r"counting-(unique|bincount)-.*",
    ),
    "vmap: called random operation while in randomness error mode": (
        r"counting-(poisson|multinomial|binomial)-.*",
        r"linalg-(pca|svd)-lowrank.*",
        r"counting-(poisson|binomial)",
    ),
    "vmap: Attempted to vmap over `mask` in torch.masked_select": (
        r"indexing-masked_select.*",
        r"complex-masked-select.*",
    ),
    # Whether there is a median depends on the mask.
    "vmap: It looks like you're attempting to use a Tensor in some": (
        r"masked-median-(complex|integers)",
    ),
    # A tensor is given to be written, which PyTorch refuses for any of them.
    "Batching rule not implemented for functions with out=": (r"linalg-inv-out",),
    # Elements leave the tensors.
    "Cannot access data pointer of Tensor that doesn't have storage": (
        r"indexing-basic-zero-dim-tensor-slice",
        r"conversion-(numpy-round-trip|asarray)",
        r"creation-tensor-of-tensor",
        r"samples-(nan)?quantile-shares.*",
    ),
    "vmap: It looks like you're calling .item()": (r"special-polygamma-tensor-order",),
    "accessing `data` under vmap transform is not allowed": (r"shape-data",),
    # One tensor cannot hold what differs from entry to entry: the first argument, which is written.
    WRITTEN: (r"write-.*", r"complex-inplace-.*", r"special-.*-in-place.*"),
}


def drawn(case: Case) -> list[list[Any]]:
    return [case.arrays(d) for d in range(SIZE)]


def choices(case: Case) -> Iterator[tuple[bool, ...]]:
    """Which arguments differ from entry to entry: those with a gradient, all, one."""
    count = len(case.args)
    found = {
        tuple(arg.requires_grad for arg in case.args),
        (True,) * count,
        tuple(k == 0 for k in range(count)),
        tuple(k == count - 1 for k in range(count)),
    }
    return (which for which in sorted(found) if any(which))


def made(case: Case, arrays: Sequence[Any]) -> list[Any]:
    """Fresh tensors, row-major: how entries lie in memory is that of the tensor of all."""
    return [
        torch.tensor(array).requires_grad_(arg.requires_grad)
        for arg, array in zip(case.args, arrays, strict=True)
    ]


def outcome(call: Callable[[], Any]) -> Any:
    """Return what a call returns, or the error that it raises."""
    try:
        return call()
    except Exception as error:
        return error


def gradients(outputs: Sequence[Any], inputs: Sequence[Any], entries: int | None) -> list[Any]:
    """Return the gradients for fixed cotangents, one for each of the entries, or for entry 0."""
    rows = [j for j, y in enumerate(outputs) if y.requires_grad]
    wanted = [x for x in inputs if x.requires_grad]
    if not rows or not wanted:
        return []
    return list(
        torch.autograd.grad(
            [outputs[j] for j in rows],
            wanted,
            [torch.tensor(seed(outputs[j], j, entries)) for j in rows],
            allow_unused=True,
        )
    )


def seed(y: Any, which: int, entry: int | None) -> Any:
    """Return the cotangent of an output at one entry; of all of them where that is None."""
    if entry is not None:
        return cotangent(tuple(y.shape), dtype_of(y), which + entry)
    one = tuple(y.shape[1:])
    return np.stack([cotangent(one, dtype_of(y), which + d) for d in range(SIZE)])


def close(got: Any, expected: Any, kind: str, case: Case, scale: float = 1.0) -> None:
    """Compare arrays up to the rounding of the least precise dtype that they came through."""
    assert got.dtype == expected.dtype, f"dtype {got.dtype}, expected {expected.dtype}"
    assert got.shape == expected.shape, f"shape {got.shape}, expected {expected.shape}"
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, expected)
        return
    finite = np.abs(expected[np.isfinite(expected)])
    largest = max(1.0, float(finite.max(initial=0))) * scale
    with np.errstate(all="ignore"):
        rtol = 10 * (case.rtol or RTOL[kind])
        np.testing.assert_allclose(got, expected, rtol=rtol, atol=FLOOR[kind] * largest)


def coarsest(tensors: Sequence[Any]) -> str:
    """Return the dtype of the lowest precision among tensors."""
    kinds = [dtype_of(x) for x in tensors]
    return max((k for k in kinds if k in FLOOR), key=lambda k: FLOOR[k], default="float64")


def check(case: Case, which: tuple[bool, ...]) -> str | None:
    """Compare one case under `vmap` with its entries; return the message where it is refused."""
    draws = drawn(case)
    arrays = [[draws[d if m else 0][k] for k, m in enumerate(which)] for d in range(SIZE)]
    inputs = [made(case, arrays[d]) for d in range(SIZE)]
    entries = [outcome(lambda x=x: flatten(case.fn(torch, *x))) for x in inputs]
    failures = [e for e in entries if isinstance(e, Exception)]
    if not failures and not alike(entries):
        return None
    wholes = made(
        case,
        [
            np.stack([draws[d][k] for d in range(SIZE)]) if m else draws[0][k]
            for k, m in enumerate(which)
        ],
    )
    mapped = torch.vmap(
        lambda *x: tuple(flatten(case.fn(torch, *x))),
        in_dims=tuple(0 if m else None for m in which),
    )
    got = outcome(lambda: mapped(*wholes))
    if isinstance(got, Exception):
        if failures and not stated(case, which, str(got)):
            assert type(got) in {type(e) for e in failures}, got
            return None
        if isinstance(got, RuntimeError):
            return str(got)
        raise got
    assert not failures, f"does not raise {failures[0]!r}"
    kind = coarsest([*wholes, *got])
    for j, y in enumerate(got):
        one = [e[j] for e in entries]
        assert y.requires_grad == any(x.requires_grad for x in one), "requires_grad"
        close(array_of(y), np.stack([array_of(x) for x in one]), kind, case)
    parts = [outcome(lambda d=d: gradients(entries[d], inputs[d], d)) for d in range(SIZE)]
    found = outcome(lambda: gradients(got, wholes, None))
    if isinstance(parts[0], Exception):
        assert type(found) is type(parts[0]), found
        return None
    if isinstance(found, Exception):
        raise found
    differing = [m for arg, m in zip(case.args, which, strict=True) if arg.requires_grad]
    for g, m, one in zip(found, differing, zip(*parts, strict=True), strict=False):
        if g is None or all(p is None for p in one):
            assert not any(p is not None and p.any() for p in (g, *one)), "None"
            continue
        each = [array_of(torch.zeros_like(inputs[0][0]) if p is None else p) for p in one]
        with np.errstate(invalid="ignore"):
            expected = np.stack(each) if m else np.sum(each, 0, dtype=each[0].dtype)
        scale = max([1.0, *[float(np.abs(e[np.isfinite(e)]).max(initial=0)) for e in each]])
        close(array_of(g), expected, kind, case, scale)
    return None


def alike(entries: Sequence[list[Any]]) -> bool:
    """Return whether entries are tensors of the same shapes, which can be stacked."""
    kinds = [[(x.shape, x.dtype) if is_tensor(x) else None for x in e] for e in entries]
    return None not in kinds[0] and all(k == kinds[0] for k in kinds)


def stated(case: Case, which: tuple[bool, ...], message: str) -> bool:
    """Return whether it is stated that a case is refused with a message."""
    for start, patterns in REFUSED.items():
        if message.startswith(start):
            given_first = start == WRITTEN and which[0]
            return not given_first and any(re.fullmatch(p, case.id) for p in patterns)
    return False


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Let pass what the cases themselves are warned of: shapes that broadcast, old names."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def faults(cases: Sequence[Case], law: Callable[[Case], str | None]) -> list[str]:
    """Return what is wrong with cases: the failures of a law, and what it says itself."""
    found = []
    for case in cases:
        try:
            fault = law(case)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
        if fault is not None:
            found.append(f"{case.id}: {fault}")
    return found


each_family = pytest.mark.parametrize("family", sorted({case.family for case in CASES}))


@each("every", [15, pytest.param(1, marks=pytest.mark.slow)])
@each_family
def test_a_mapped_function_computes_what_it_computes_for_each_entry(
    family: str, every: int
) -> None:
    """Of each function the first case at least."""

    def law(case: Case) -> str | None:
        for which in choices(case):
            message = check(case, which)
            if message is not None and not stated(case, which, message):
                return f"{which} is refused: {message}"
        return None

    cases = [case for case in CASES if case.family == family]
    tried = {case.id: case for case in (*cases[::every], *one_of_each(cases))}
    wrong = faults(list(tried.values()), law)
    assert not wrong, f"{len(wrong)} cases:\n" + "\n".join(wrong[:40])


@each("start, pattern", [(start, p) for start, patterns in REFUSED.items() for p in patterns])
def test_what_is_stated_to_be_refused_is(start: str, pattern: str) -> None:
    found = (case for case in CASES if re.fullmatch(pattern, case.id))
    messages = (check(case, which) for case in found for which in choices(case))
    assert any(message is not None and message.startswith(start) for message in messages)


def some(family: str) -> list[Case]:
    """Return some of the cases of a family whose arguments all require gradients."""
    found = [case for case in CASES if case.family == family and case.args]
    return [case for case in found if all(arg.requires_grad for arg in case.args)][::15]


def stacked(case: Case, size: int) -> list[Any]:
    """Return the arguments of entries, stacked."""
    return [np.stack([case.arrays(d)[k] for d in range(size)]) for k in range(len(case.args))]


def results(case: Case) -> Callable[..., Any]:
    return lambda *x: tuple(flatten(case.fn(torch, *x)))


@each_family
def test_two_levels_compute_what_one_does_over_both_axes(family: str) -> None:
    def law(case: Case) -> str | None:
        arrays, body = stacked(case, 4), results(case)
        flat, apart = (
            made(case, arrays),
            made(case, [a.reshape(2, 2, *a.shape[1:]) for a in arrays]),
        )
        expected = outcome(lambda: torch.vmap(body)(*flat))
        got = outcome(lambda: torch.vmap(torch.vmap(body))(*apart))
        if isinstance(expected, Exception):
            return None if type(got) is type(expected) else repr(got)
        kind = coarsest([*flat, *expected])
        compare(got, expected, kind, case)
        assert [y.requires_grad for y in got] == [y.requires_grad for y in expected]
        pulled = outcome(lambda: pull(got, apart)), outcome(lambda: pull(expected, flat))
        if isinstance(pulled[1], Exception):
            return None if type(pulled[0]) is type(pulled[1]) else repr(pulled[0])
        compare(*pulled, kind, case)
        return None

    def pull(ys: Any, xs: Any) -> Any:
        live = [y for y in ys if y.requires_grad]
        ones = [torch.ones_like(y) for y in live]
        return torch.autograd.grad(live, xs, ones, allow_unused=True) if live else ()

    def compare(got: Any, expected: Any, kind: str, case: Case) -> None:
        for a, b in zip(got, expected, strict=True):
            assert (a is None) == (b is None)
            if b is not None:
                close(array_of(a).reshape(b.shape), array_of(b), kind, case)

    wrong = faults(some(family), law)
    assert not wrong, f"{len(wrong)} cases:\n" + "\n".join(wrong[:40])


def second(outputs: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
    """Return second derivatives: the gradients of the sum of what the first ones are, squared."""
    live = [y for y in outputs if y.requires_grad]
    ones = [torch.ones_like(y) for y in live]
    first = torch.autograd.grad(live, inputs, ones, create_graph=True, allow_unused=True)
    squares = [(g * g.conj()).real.sum() for g in first if g is not None and g.requires_grad]
    if not squares:
        return [None] * len(inputs)
    total = torch.stack([s.double() for s in squares]).sum()
    return list(torch.autograd.grad(total, inputs, allow_unused=True))


def tangents(call: Callable[..., Any], inputs: Sequence[Any]) -> list[Any]:
    """Return the tangents of results for tangents of ones."""
    with forward_ad.dual_level():
        duals = [forward_ad.make_dual(x.detach(), torch.ones_like(x)) for x in inputs]
        return [forward_ad.unpack_dual(y).tangent for y in call(*duals)]


@each_family
@each("mode", ["second", "tangents"])
def test_other_derivatives_are_those_of_each_entry(family: str, mode: str) -> None:
    def derivatives(call: Callable[..., Any], inputs: Sequence[Any]) -> list[Any]:
        return second(call(*inputs), inputs) if mode == "second" else tangents(call, inputs)

    def law(case: Case) -> str | None:
        body = results(case)
        inputs = [made(case, case.arrays(d)) for d in range(SIZE)]
        parts = [outcome(lambda x=x: derivatives(body, x)) for x in inputs]
        entries = [outcome(lambda x=x: list(body(*x))) for x in inputs]
        if any(isinstance(p, Exception) for p in (*entries, *parts)) or not alike(entries):
            return None
        if any(np.isnan(array_of(y)).any() for e in entries for y in e):
            return None  # what is no number has no derivative to agree on
        wholes = made(case, stacked(case, SIZE))
        mapped = outcome(lambda: torch.vmap(body)(*wholes))
        if isinstance(mapped, RuntimeError) and stated(case, (True,) * len(wholes), str(mapped)):
            return None
        got = derivatives(torch.vmap(body), wholes)
        kind = coarsest([*wholes, *mapped])
        for g, one in zip(got, zip(*parts, strict=True), strict=True):
            if g is None or any(p is None for p in one):
                assert not any(p is not None and p.any() for p in (g, *one)), "None"
                continue
            expected = np.stack([array_of(p) for p in one])
            finite = np.abs(expected[np.isfinite(expected)])
            close(array_of(g), expected, kind, case, max(1.0, float(finite.max(initial=0))))
            tried.append(case)
        return None

    tried: list[Case] = []
    wrong = faults(some(family), law)
    assert not wrong, f"{len(wrong)} cases:\n" + "\n".join(wrong[:40])
    assert tried or family in (
        "creation",
        "counting",
        "comparison",
        "where",
        "indexing",
        "fourier",
        "pooling",
        "schema",
    )  # linear, or constant


@each_family
def test_without_entries_there_are_shapes(family: str) -> None:
    """What two entries give, none give in shapes, dtypes and whether gradients are required."""

    def law(case: Case) -> str | None:
        arrays = stacked(case, SIZE)
        few, none = made(case, arrays), made(case, [a[:0] for a in arrays])
        expected = outcome(lambda: torch.vmap(results(case))(*few))
        if isinstance(expected, Exception):
            return None
        for y, z in zip(torch.vmap(results(case))(*none), expected, strict=True):
            assert (y.shape, y.dtype) == ((0, *z.shape[1:]), z.dtype)
            assert y.requires_grad == z.requires_grad
            if y.requires_grad and not isinstance(
                outcome(lambda z=z: z.sum().backward()), Exception
            ):
                y.sum().backward()
        assert [x.grad is None for x in none] == [x.grad is None for x in few]
        return None

    wrong = faults(some(family), law)
    assert not wrong, f"{len(wrong)} cases:\n" + "\n".join(wrong[:40])


@each_family
def test_formulas_are_mapped_as_tensors_are(family: str) -> None:
    """Where a function takes formulas, what `vmap` makes of them has the value of the eager one."""

    def law(case: Case) -> str | None:
        arrays, body = stacked(case, SIZE), results(case)
        kinds = [getattr(torch, arg.dtype) for arg in case.args]
        one = [torch.leaf(f"x{k}", arg.shape, kinds[k]) for k, arg in enumerate(case.args)]
        formulas = outcome(lambda: body(*one))
        expected = outcome(lambda: torch.vmap(body)(*map(torch.tensor, arrays)))
        if isinstance(formulas, Exception) or isinstance(expected, Exception):
            return None
        if not all(isinstance(e, ArrayExpr) for e in formulas):
            return None
        leaves = [torch.leaf(f"x{k}", a.shape, kinds[k]) for k, a in enumerate(arrays)]
        kind = coarsest(list(expected))
        for got, y in zip(torch.vmap(body)(*leaves), expected, strict=True):
            assert got.shape == tuple(y.shape)
            given = {x: v for x, v in zip(leaves, arrays, strict=True) if x in got.leaves}
            with np.errstate(all="ignore"):
                close(np.asarray(got.evaluate(given)), array_of(y), kind, case)
        tried.append(case)
        return None

    tried: list[Case] = []
    wrong = faults(some(family), law)
    assert not wrong, f"{len(wrong)} cases:\n" + "\n".join(wrong[:40])
    assert tried or family in ("creation", "write")  # of tensors only
