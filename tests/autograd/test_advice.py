"""What errors know of the user's program: names and places, without keeping any of it."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import numpy as np

import symgrad
from symgrad.record.graph_cuts import Cut
from symgrad.record.user_code import users_name, variable
from tests.autograd.support import each


def leaf(name: str | None = None) -> symgrad.Tensor:
    return symgrad.tensor([1.0, 2.0], requires_grad=True, name=name)


def message_of(call) -> str:
    try:
        call()
    except RuntimeError as error:
        return str(error)
    raise AssertionError("nothing was raised")


# ---------------------------------------------------------------- names


def test_a_given_name_comes_before_that_of_a_variable() -> None:
    w = leaf("weight")
    assert users_name(w) == "weight"


def test_the_innermost_variable_is_taken() -> None:
    w = leaf()

    def inner(argument: symgrad.Tensor) -> str:
        return users_name(argument)

    assert inner(w) == "argument"


def test_globals_are_searched_last() -> None:
    module_level = symgrad.ones(2)
    globals()["at_the_top"] = module_level
    try:
        assert users_name(module_level) == "module_level"
        del module_level
        assert users_name(globals()["at_the_top"]) == "at_the_top"
    finally:
        del globals()["at_the_top"]


def test_nothing_is_called_what_nobody_holds() -> None:
    assert users_name([leaf()][0]) == ""


def test_a_search_keeps_nothing_alive() -> None:
    w = leaf()
    ref = weakref.ref(w)
    assert users_name(w) == "w"
    gc.disable()
    try:
        del w
        assert ref() is None
    finally:
        gc.enable()


def test_a_search_leaves_what_the_user_took_of_the_variables() -> None:
    w = leaf()
    mine = locals()
    assert variable(lambda value: value is w) == "w"
    assert mine["w"] is w


# ---------------------------------------------------------------- notes of cuts


def cut_of(x: symgrad.Tensor) -> Cut:
    assert isinstance(x._cut, Cut)
    return x._cut


def test_the_place_is_the_line_of_the_call() -> None:
    w = leaf()
    y = w.detach()
    line = test_the_place_is_the_line_of_the_call.__code__.co_firstlineno + 2
    assert cut_of(y).place() == f"test_advice.py:{line}"


@each(
    "step",
    [
        lambda y: y * 2,
        lambda y: 2 - y,
        lambda y: y.exp(),
        lambda y: symgrad.ones(2) + y,
        lambda y: y.sum(),
        lambda y: y[0],
        lambda y: symgrad.cat([symgrad.ones(1), y]),
        lambda y: y > 0,
        lambda y: y.detach(),
        lambda y: y.data,
        lambda y: y.clone(),
        lambda y: y.to(symgrad.int64),
    ],
)
def test_a_note_goes_on_to_what_is_computed(step) -> None:
    y = leaf().detach()
    assert step(y)._cut is y._cut


def test_what_was_never_in_a_graph_has_no_note() -> None:
    c = symgrad.ones(2)
    assert all(x._cut is None for x in (c, c * 2, c.detach(), c.data, c > 0, c.argmax()))


def test_what_is_recorded_has_no_note() -> None:
    w = leaf()
    assert (w * w.detach())._cut is None


def test_evaluation_makes_one_note_for_an_operation() -> None:
    w = leaf()
    with symgrad.no_grad():
        notes = {id((w * i)._cut) for i in range(5)}
    assert len(notes) == 1


def test_a_note_keeps_no_tensor_alive() -> None:
    w = leaf()
    hidden = w * 2
    node = weakref.ref(hidden.grad_fn._vertex)
    y = hidden.detach()
    gc.disable()
    try:
        del hidden
        assert node() is None
    finally:
        gc.enable()
    assert cut_of(y).source() is None
    assert cut_of(y).made == "MulBackward0"


def test_copies_and_pickles_go_without_notes() -> None:
    y = leaf().detach()
    assert copy.deepcopy(y)._cut is None
    assert pickle.loads(pickle.dumps(y))._cut is None


# ---------------------------------------------------------------- passes


def test_only_a_pass_through_the_node_is_named() -> None:
    w = leaf()
    h = w.exp()
    h.sum().backward()  # whose place is forgotten with its loss
    other = (w * w).sum()
    other.backward()
    text = message_of(lambda: h.sum().backward())
    assert text.endswith("What ExpBackward0 had saved was freed by an earlier backward pass.")


def test_a_kept_graph_is_not_remembered() -> None:
    w = leaf()
    loss = (w * w).sum()
    loss.backward(retain_graph=True)
    loss.backward()
    line = test_a_kept_graph_is_not_remembered.__code__.co_firstlineno + 4
    text = message_of(loss.backward)
    assert text.endswith(f"was freed by the backward pass at test_advice.py:{line}.")


def test_passes_are_remembered_without_their_graphs() -> None:
    w = leaf()
    loss = (w * w).sum()
    node = weakref.ref(loss.grad_fn._vertex)
    loss.backward()
    gc.disable()
    try:
        del loss
        assert node() is None
    finally:
        gc.enable()


def test_a_long_chain_is_searched_without_recursion() -> None:
    w = leaf()
    y = w.exp()
    z = y
    for _ in range(20_000):
        z = z + 1
    loss = z.sum()
    loss.backward()
    assert "ExpBackward0 had saved was freed by the backward pass at" in message_of(loss.backward)


def test_values_are_not_compared_in_the_search() -> None:
    array = np.ones(3)  # whose truth value would be ambiguous
    loss = symgrad.ones(2).sum()
    assert "'loss'" in message_of(loss.backward)
    assert array.all()
