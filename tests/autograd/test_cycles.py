"""No call leaves objects that hold each other: memory would wait for the garbage collector."""

from __future__ import annotations

import gc
import types
import warnings
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symgrad
from tests.autograd.support import each
from tests.each import in_part
from tests.oracle import observe
from tests.oracle.cases import CASES
from tests.oracle.table import Case

ROOT = Path(symgrad.__file__).parents[1]
FAMILIES = sorted({case.family for case in CASES})
SOURCES = tuple(f"{ROOT / package}/" for package in ("symgrad", "numeric"))


def run(cases: list[Case]) -> None:
    for case in cases:
        for look in (observe.outputs, observe.first, observe.second):
            try:
                look(symgrad, case)
            except Exception:  # cases of errors: what is left of them counts as well
                continue


def is_ours(x: Any) -> bool:
    """Whether an object is of a class or function of the library; others leave what they like."""
    if isinstance(x, types.FrameType):
        return x.f_code.co_filename.startswith(
            tuple(f"{ROOT / p}/" for p in ("symgrad", "numeric"))
        )
    module = getattr(x if isinstance(x, types.FunctionType) else type(x), "__module__", "") or ""
    return module.startswith(("symgrad.", "numeric."))


def left_by(cases: list[Case]) -> list[str]:
    """Return the objects of the library that only a collection would free."""
    with warnings.catch_warnings(action="ignore"):
        gc.collect()
        gc.freeze()
        gc.disable()
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            run(cases)
            gc.collect()
            return [f"{type(x).__name__}: {x!r:.100}" for x in gc.garbage if is_ours(x)]
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
            gc.enable()


def one_of_each(cases: list[Case]) -> Iterator[Case]:
    """Yield the first case of each function."""
    seen = set()
    for case in cases:
        name = case.id.removeprefix(case.family).split("-")[1]
        if name not in seen:
            seen.add(name)
            yield case


@each("family", in_part(list(FAMILIES), group=str, among=2))
def test_a_function_and_its_derivatives_leave_no_cycle(family: str) -> None:
    assert left_by(list(one_of_each([case for case in CASES if case.family == family]))) == []


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_no_case_leaves_a_cycle(family: str) -> None:
    assert left_by([case for case in CASES if case.family == family]) == []


def test_the_search_finds_a_cycle() -> None:
    def fn(torch: Any, x: Any) -> Any:
        x.itself = x
        return x

    (arg,) = next(case.args for case in CASES if len(case.args) == 1)
    assert left_by([Case("a-cycle", "a", fn, (arg,))])


# ------------------------------------------------------------------ views that functions change


class ExpInPlace(symgrad.autograd.Function):
    """Changes its argument, and saves what it has changed."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        x.exp_()
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (y,) = ctx.saved_tensors
        return y * g


CHANGED_VIEWS: dict[str, Callable[[Any], Any]] = {
    "itself": lambda b: b,
    "row": lambda b: b[0],
    "select": lambda b: b.select(1, 2),
    "transposed": lambda b: b.t(),
    "flat": lambda b: b.view(9),
    "part": lambda b: b.narrow(0, 1, 2),
    "step": lambda b: b[::2],
    "diagonal": lambda b: b.diagonal(),
    "view of a view": lambda b: b.t()[1],
}


@each("view", CHANGED_VIEWS)
def test_a_changed_view_that_a_function_saved_keeps_nothing(view: Callable[[Any], Any]) -> None:
    """Neither before nor after its derivatives, which are those of the exponential."""
    values = np.linspace(-1.0, 1.0, 9).reshape(3, 3)
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        leaf = symgrad.tensor(values, requires_grad=True)
        for use in (False, True):
            base = leaf * 1.0
            changed = view(base)
            y = ExpInPlace.apply(changed)
            if use:
                (first,) = symgrad.autograd.grad(base.sum() + y.sum(), leaf, create_graph=True)
                (second,) = symgrad.autograd.grad(first.sum(), leaf)
            kept = [weakref.ref(x) for x in (base, changed, y)]
            del base, changed, y
            assert [ref() for ref in kept] == [None] * 3
        inside = np.zeros((3, 3))
        view(symgrad.from_numpy(inside)).fill_(1.0)
        slope = np.exp(values) * inside
        np.testing.assert_allclose(first.detach(), (1 - inside) + 2 * slope, rtol=1e-14)
        np.testing.assert_allclose(second, 2 * slope, rtol=1e-14)
    finally:
        gc.enable()
