"""Calls that do not fit are refused as PyTorch refuses them, whatever the function."""

from __future__ import annotations

import contextlib
import dis
import inspect
import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.schema.kinds import kind_of
from symgrad.schema.public import SCHEMAS
from symgrad.schema.text import NUMPY_NAMES
from tests.each import each
from tests.test_docstrings import PUBLIC

# What PyTorch writes in Python raises whatever it comes to; `tests.malformed` holds it to account.
NAMES = sorted(
    n for (n, method), s in SCHEMAS.items() if not (method or s.python) and hasattr(symgrad, n)
)
CALLS: dict[str, Callable[[Any, str], Any]] = {
    "nothing": lambda t, k: getattr(t, k)(),
    "number": lambda t, k: getattr(t, k)(2.0),
    "string": lambda t, k: getattr(t, k)("a"),
    "array": lambda t, k: getattr(t, k)(np.ones(2)),
    "strings": lambda t, k: getattr(t, k)(t.ones(2), "a", "b", "c"),
    "many": lambda t, k: getattr(t, k)(*[t.ones(2)] * 9),
    "keyword": lambda t, k: getattr(t, k)(t.ones(2), foo=1),
    **{word: lambda t, k, word=word: getattr(t, k)(t.ones(2), **{word: 1}) for word in NUMPY_NAMES},
}


def first_line(call: Callable[[], Any]) -> tuple[str, str]:
    try:
        call()
    except Exception as error:
        return type(error).__name__, str(error).split("\n")[0]
    return "", ""


@each("name", list(NAMES))
def test_no_argument_has_a_name_of_ours(name: str) -> None:
    known = set(SCHEMAS[name, False].names)
    for p in inspect.signature(getattr(symgrad, name)).parameters.values():
        if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            assert {p.name, NUMPY_NAMES.get(p.name)} & known, f"{name}({p.name}=)"


@each("name", list(NAMES))
def test_messages_name_keywords_as_they_were_written(name: str) -> None:
    for word in NUMPY_NAMES:
        _, text = first_line(lambda word=word: getattr(symgrad, name)(symgrad.ones(2), **{word: 1}))
        named = re.search(r"keyword argument '(\w+)'|multiple values for argument '(\w+)'", text)
        assert named is None or word in named.groups(), text


def test_messages_do_not_list_what_pytorch_lacks() -> None:
    own = {n: p for n in NAMES for p in SCHEMAS[n, False].names.values() if p.own}
    assert {"zeros", "tensor", "arange", "rand"} <= own.keys()
    for name, p in own.items():
        with pytest.raises(TypeError) as error:
            getattr(symgrad, name)(*["a"] * 9)
        assert f" {p.name}" not in str(error.value).replace("names", "")


def test_a_call_that_fits_is_not_refused() -> None:
    x = symgrad.ones(2, 3)
    assert SCHEMAS["sum", False].refusal((x, 0), {"keepdim": True}) is None
    assert SCHEMAS["sum", True].refusal((), {"axis": 0}) is None
    assert SCHEMAS["reshape", True].refusal((3, 2), {}) is None
    assert SCHEMAS["add", False].refusal((x, 2), {"alpha": 3}) is None
    assert SCHEMAS["add", False].refusal((x,), {}) is not None


def test_a_short_form_refuses_more_arguments() -> None:
    x = symgrad.ones(2)
    with pytest.raises(TypeError, match=r"^Tensor\.tanh\(\) takes no arguments \(1 given\)$"):
        x.tanh(1)
    with pytest.raises(TypeError, match=r"^Tensor\.tanh\(\) got an unexpected keyword"):
        x.tanh(foo=1)


def test_out_receives_the_result() -> None:
    x, out = symgrad.ones(2), symgrad.zeros(2)
    assert symgrad.add(x, x, out=out) is out
    assert out.tolist() == [2.0, 2.0]
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        symgrad.add(x, symgrad.ones(2, requires_grad=True), out=out)
    with pytest.raises(RuntimeError, match="can't be cast"):
        symgrad.add(x, x, out=symgrad.zeros(2, dtype=symgrad.int64))
    assert out.tolist() == [2.0, 2.0]


def test_out_may_be_an_operand() -> None:
    """What is read is computed before `out` is written; PyTorch leaves this product undefined."""
    m = symgrad.arange(4.0).view(2, 2)
    assert symgrad.mm(m, m, out=m).tolist() == [[2.0, 3.0], [6.0, 11.0]]


def test_whoever_takes_out_reads_it() -> None:
    """The body of a function either leaves `out` to the schema, or has it and reads it."""
    ignoring = []
    for (name, method), schema in SCHEMAS.items():
        body = inspect.unwrap(schema.function)
        if "out" in inspect.signature(body, follow_wrapped=False).parameters:
            read = {i.argval for i in dis.get_instructions(body) if i.opname.startswith("LOAD")}
            if "out" not in read:
                ignoring.append((name, method))
    assert ignoring == []


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("norm", (2, 0, False)),
        ("tensordot", (symgrad.ones(2, 3), 1)),
        ("nn.functional.normalize", (2.0, 1, 1e-12)),
    ],
)
def test_out_has_a_place(name: str, arguments: tuple[Any, ...]) -> None:
    """Where PyTorch's signature has a place for `out`, it may stand there, as by its name."""
    placed = sorted(n for (n, method), s in SCHEMAS.items() if not method and _out_has_place(s))
    assert placed == ["nn.functional.normalize", "norm", "tensordot"]
    function = SCHEMAS[name, False].function
    x = symgrad.arange(6.0).view(2, 3)
    if name == "tensordot":
        x = x.t()
    expected = function(x, *arguments)
    for out in (symgrad.empty(0), symgrad.zeros(expected.shape)):
        assert function(x, *arguments, out) is out
        assert out.tolist() == expected.tolist()
        out.zero_()
        assert function(x, *arguments, out=out) is out
        assert out.tolist() == expected.tolist()
    assert function(x, *arguments, None).tolist() == expected.tolist()
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        function(symgrad.ones(x.shape, requires_grad=True), *arguments, symgrad.empty(0))


def _out_has_place(schema: Any) -> bool:
    return any(
        p.name == "out" and not p.keyword_only for s in schema.overloads for p in s.parameters
    )


def test_numbers_stand_for_tensors_in_formulas_only() -> None:
    assert symgrad.maximum(symgrad.leaf("x", (2,)), 2.0).shape == (2,)
    assert np.maximum(symgrad.ones(2), 2.0).tolist() == [2.0, 2.0]
    with pytest.raises(TypeError, match=r"'other' \(position 1\) must be Tensor, not float"):
        symgrad.ones(2).maximum(2.0)


@pytest.mark.oracle
@each("name", list(NAMES))
def test_live(name: str) -> None:
    torch = pytest.importorskip("torch")
    for what, call in CALLS.items():
        if name == "lu":  # which PyTorch reads in the name of other functions
            continue
        if name == "nonzero" and what != "number":  # whose function lists no overloads in PyTorch
            continue
        if name == "searchsorted" and NUMPY_NAMES.get(what) == "input":  # not called so in PyTorch
            continue
        expected = first_line(lambda call=call: call(torch, name))
        if expected[0] == "TypeError" and "expected Tensor as element" not in expected[1]:
            assert first_line(lambda call=call: call(symgrad, name)) == expected, what


#: Methods whose arguments Python binds, since a schema would take longer than they do, one that
#: subclasses are never asked for, an answer, and the old constructor, which takes nearly anything.
UNBOUND = {
    "as_subclass", "is_autocast_enabled", "is_contiguous", "new", "numpy", "size", "stride",
}  # fmt: skip


@pytest.mark.oracle
@each(
    "path",
    [
        p
        for p in PUBLIC
        if p.count(".") == 1
        or p.startswith(
            tuple(
                [
                    f"symgrad.{m}."
                    for m in ("Tensor", "nn.functional", "linalg", "fft", "masked", "special")
                ]
            )
        )
    ],
)
def test_what_pytorch_binds_by_a_schema_has_one(path: str) -> None:
    """Functions that PyTorch writes in Python, and those of no arguments, are bound by Python."""
    torch = pytest.importorskip("torch")
    _, _, rest = path.partition(".")
    space, _, name = rest.rpartition(".")
    method = space == "Tensor"
    try:
        theirs = operator.attrgetter(rest)(torch)
    except AttributeError:
        return
    if inspect.isfunction(theirs) or not callable(theirs) or inspect.isclass(theirs):
        return
    text = first_line(lambda: theirs(*[torch.ones(2) if method else object()], *["a"] * 9))[1]
    if re.match(r"[\w.]*\.\w+\(\) takes (no arguments|exactly one argument)", text):
        return
    # A function in place is made of the method.
    names = (name, rest, name.removesuffix("_"), rest.removesuffix("_"))
    known = {(n, is_method) for n in names for is_method in (method, True)}
    assert known & SCHEMAS.keys() or name in UNBOUND, text


#: Functions and methods that make a tensor of sizes.
SIZED = sorted(
    (name, method)
    for (name, method), s in SCHEMAS.items()
    if {"size", "requires_grad"} <= s.names.keys()
)
#: What such a call needs beside the sizes.
OTHERS: dict[str, Any] = {"fill_value": 1, "high": 3, "mean": 0.0, "std": 1.0}


@each("size", [(-1,), (2, -3), (2**62, 2**62)])
@each("name, method", list(SIZED))
def test_sizes_that_no_tensor_has_are_refused(
    name: str, method: bool, size: tuple[int, ...]
) -> None:
    overloads = SCHEMAS[name, method].overloads
    needed = min((s for s in overloads if "size" in str(s)), key=lambda s: s.required).parameters
    given = {p.name: OTHERS[p.name] for p in needed if not p.optional and p.name in OTHERS}

    def call(t: Any) -> Any:
        return getattr(t.ones(2) if method else t, name)(size=size, **given)

    found = first_line(lambda: call(symgrad))
    assert found[0] == "RuntimeError"
    if size[-1] < 0:
        torch = pytest.importorskip("torch")
        assert found == first_line(lambda: call(torch))


def test_what_receives_a_result_does_so_where_arguments_may_answer() -> None:
    """Once a class with `__torch_function__` exists, every call goes another way."""

    class Answering(symgrad.Tensor):
        pass

    x, out = symgrad.ones(2, 3), symgrad.empty(0)
    expected = symgrad.nn.functional.normalize(x)
    assert symgrad.nn.functional.normalize(x, out=out) is out
    assert out.tolist() == expected.tolist()
    assert isinstance(Answering([1.0]), symgrad.Tensor)


@each("kind", sorted({p.kind for s in SCHEMAS.values() for o in s.overloads for p in o.parameters}))
def test_a_value_that_fits_no_alternative_is_refused_in_words(kind: str) -> None:
    """Functions that PyTorch has in Python are given arguments that nobody has looked at."""
    if "|" in kind and not kind.endswith("..."):
        for x in (1 + 2j, "a", None, [1.5], 1.5, True, np.ones(2), symgrad.ones(2), {}):
            with contextlib.suppress(TypeError):
                kind_of(kind).convert(x)
