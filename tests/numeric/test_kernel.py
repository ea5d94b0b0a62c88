"""Kernels: templates, kernels from functions, row rules."""

from typing import Any

import numpy as np
import pytest

from numeric import Instr, Kernel, Program, RowUse, emit, local, reduces, whole_operands
from numeric.template import Place, parse_template
from tests.each import each

from .programs import ADD, SUM, namespace

pytestmark = [pytest.mark.tiny, pytest.mark.versions]


def test_a_template_knows_its_fields():
    template = parse_template("np.take({0}, {1}, axis={axis})[{index}] * {0} + {2}.T")
    assert template.arity == 3
    assert template.params == {"axis", "index"}
    assert template.names == {"np"}
    assert template.receivers == {2}
    assert template.terms == {0}
    assert [field.place for field in template.fields] == [
        Place.ARGUMENT,
        Place.ARGUMENT,
        Place.ARGUMENT,
        Place.SUBSCRIPT,
        Place.TERM,
        Place.RECEIVER,
    ]


@pytest.mark.parametrize(
    ("source", "operands", "params", "text"),
    [
        ("{0} * {1}", ["x", "-2.0"], {}, "x * (-2.0)"),
        ("{0} ** {n}", ["x"], {"n": -1}, "x ** (-1)"),
        ("np.power({0}, {1})", ["x", "-2.0"], {}, "np.power(x, -2.0)"),
        ("{0}.T", ["2.0"], {}, "(2.0).T"),
        ("{0}[{i}]", ["x"], {"i": (slice(None, None, -1), None, -1)}, "x[::-1, None, -1]"),
        ("{0}[{i}, {j}]", ["x"], {"i": slice(2), "j": 0}, "x[slice(None, 2, None), 0]"),
        (
            "np.stack([{operands}], axis={axis})",
            ["x", "y"],
            {"axis": 0},
            "np.stack([x, y], axis=0)",
        ),
        ("{0}.reshape({shape})", ["x"], {"shape": (-1,)}, "x.reshape((-1,))"),
        ("dict({{'a': {0}}})", ["x"], {}, "dict({'a': x})"),
        ("np.zeros({shape})", [], {"shape": ()}, "np.zeros(())"),
    ],
)
def test_templates_are_filled_by_place(source, operands, params, text):
    assert parse_template(source).fill(operands, params) == text


@each(
    "source",
    [
        "{0} +",
        "{}",
        "{0!r}",
        "{0:.2f}",
        "{0.T}",
        "{0[1]}",
        "x = {0}",
        "'{0}'",
        "{lambda}",
        "{0}{1}",
        "{0",
        "",
        "f(x={x}, {0})",
        "f(if={x})",
        "if({0})",
        "np.if({0})",
    ],
)
def test_bad_templates_are_refused(source):
    with pytest.raises(ValueError, match=r"template|brace|'}'"):
        Kernel("k", np.exp, source)


@pytest.mark.parametrize(
    "source", ["f({0})", "not({0})", "np.linalg.norm({1}, {operands}, ord={ord}, axis={axis})"]
)
def test_calls_are_read_as_any_expression_is(source):
    """Templates of calls are parsed without a syntax tree, which in brackets is built."""
    call, other = parse_template(source), parse_template(f"({source})")
    assert (call.fields, call.names, call.arity, call.terms, call.receivers) == (
        other.fields, other.names, other.arity, other.terms, other.receivers,
    )  # fmt: skip


def test_kernels_are_compared_by_identity():
    one, other = (Kernel("exp", np.exp, "np.exp({0})") for _ in range(2))
    assert one != other
    assert len({one, other, one}) == 2
    with pytest.raises(AttributeError):
        one.name = "log"


def _scaled(
    x: np.ndarray,
    y: "dict[str, Any] | None" = None,  # -> kept
    *rest: Any,
    factor: float = 2.0,
    axis: int | None,
) -> dict[str, Any]:
    """Text with an arrow -> and a colon: kept."""
    total: Any = x * factor  # annotated, and é stays
    return total.sum(axis=axis)


def _simple(x: Any, /, *, by: int = -3) -> Any:
    return np.roll(x, by)


def test_a_kernel_from_a_function():
    kernel = Kernel.from_function(_simple, rows=local, view=True)
    assert kernel.name == "_simple"
    assert kernel.call is _simple
    assert kernel.source == "_simple({0}, by={by})"
    text = "def _simple(x, /, *, by=-3):\n    return np.roll(x, by)\n"
    assert tuple(kernel.prelude) == (f'@np.errstate(all="ignore")\n{text}',)
    assert kernel.rows is local and kernel.view and not kernel.out
    program = Program("f", ((0, "x"),), {}, (Instr(kernel, (0,), {"by": 1}, 1),), (1,))
    np.testing.assert_array_equal(namespace(emit(program))["f"]([1, 2, 3])[0], [3, 1, 2])


def test_a_kernel_from_a_ufunc():
    kernel = Kernel.from_ufunc(np.subtract)
    assert (kernel.name, kernel.call) == ("subtract", np.subtract)
    assert kernel.source == "np.subtract({0}, {1})"
    assert kernel.rows is local and kernel.out and not kernel.view
    named = Kernel.from_ufunc(np.subtract, "{0} - {1}", name="sub")
    assert (named.name, named.source) == ("sub", "{0} - {1}")


def test_the_text_of_a_function_loses_only_its_annotations():
    kernel = Kernel.from_function(_scaled)
    assert kernel.source == "_scaled({operands}, factor={factor}, axis={axis})"
    (text,) = kernel.prelude
    assert "Any" not in text and "ndarray" not in text
    assert '"""Text with an arrow -> and a colon: kept."""' in text
    assert "# -> kept" in text
    assert "total = x * factor  # annotated, and é stays" in text
    scaled = namespace("import numpy as np\n" + text)["_scaled"]
    assert scaled(np.arange(3.0), axis=None) == 6.0


def test_nested_functions_dedent_and_variadic_operands():
    def total(*xs, start):
        return sum(xs, start)

    kernel = Kernel.from_function(total)
    assert (
        kernel.prelude[0].partition("\n")[2].startswith("def total(*xs, start):\n    return sum(")
    )
    assert kernel.source == "total({operands}, start={start})"
    assert kernel.template.arity is None


OUTSIDE = 3


def test_functions_that_cannot_stand_alone_are_refused():
    captured = 2

    def closure(x):
        return x * captured

    def uses_global(x):
        return x * OUTSIDE

    def hidden(x):
        return [y * OUTSIDE for y in (lambda z: z)(x)]

    def kwargs(x, **params):
        return x

    for fn, name in [(closure, "captured"), (uses_global, "OUTSIDE"), (hidden, "OUTSIDE")]:
        with pytest.raises(ValueError, match=f"cannot stand alone, since it uses {name}"):
            list(Kernel.from_function(fn).prelude)
    with pytest.raises(ValueError, match=r"it takes no \*\*params"):
        Kernel.from_function(kwargs)
    with pytest.raises(ValueError, match="plain 'def'"):
        list(Kernel.from_function(lambda x: x).prelude)
    with pytest.raises(ValueError, match="a function with its text"):
        list(Kernel.from_function(np.exp).prelude)


def test_helpers_and_imports_make_a_function_stand_alone():
    def uses_helpers(x):
        return outside(x) + math.pi  # noqa: F821

    kernel = Kernel.from_function(
        uses_helpers, prelude=("def outside(x):\n    return -x",), imports=("import math",)
    )
    program = Program("f", ((0, "x"),), {}, (Instr(kernel, (0,), out=1),), (1,))
    assert namespace(emit(program))["f"](1.0) == (np.pi - 1.0,)


@pytest.mark.parametrize(
    ("axis", "shape", "use"),
    [
        (0, (4, 3), RowUse.ACCUMULATE),
        (-2, (4, 3), RowUse.ACCUMULATE),
        (1, (4, 3), RowUse.LOCAL),
        (-1, (4, 3), RowUse.LOCAL),
        (-1, (4,), RowUse.ACCUMULATE),
        (None, (4, 3), RowUse.ACCUMULATE),
        (None, (), RowUse.LOCAL),
        ((), (4, 3), RowUse.LOCAL),
        ((1, -3), (4, 3, 2), RowUse.ACCUMULATE),
        ((1, 2), (4, 3, 2), RowUse.LOCAL),
    ],
)
def test_the_row_rule_of_reductions(axis, shape, use):
    assert reduces()([shape], {"axis": axis}) is use
    assert reduces("dim")([shape], {"dim": axis}) is use
    assert SUM.rows([shape], {"axis": axis, "keepdims": False}) is use


def test_the_other_row_rules():
    assert ADD.rows([(4, 3), (3,)], {}) is RowUse.LOCAL
    assert Kernel("k", np.sort, "np.sort({0})").rows is whole_operands
    assert whole_operands([(4, 3)], {}) is RowUse.WHOLE


def test_blocks_obey_the_row_rules():
    x = np.arange(24.0).reshape(6, 4)
    blocks = [x[:2], x[2:6]]
    for axis in (0, 1, -1, -2, None, (0, 1), ()):
        use = reduces()([x.shape], {"axis": axis})
        parts = [np.sum(block, axis=axis) for block in blocks]
        joined = np.concatenate(parts) if use is RowUse.LOCAL else parts[0] + parts[1]
        np.testing.assert_array_equal(joined, np.sum(x, axis=axis))
