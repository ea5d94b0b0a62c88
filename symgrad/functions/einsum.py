"""`einsum`: equations and sublists, read as PyTorch reads them and computed pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from symgrad.expr.shapes import Shape
from symgrad.functions.product_errors import is_array, refuse_bool, title
from symgrad.functions.products import PRODUCT, contraction, viewed
from symgrad.ops.contraction import contract
from symgrad.ops.equations import Mismatch, equation
from symgrad.ops.primitive import bind
from symgrad.record.face import Face
from symgrad.schema.arguments import check_listed
from symgrad.schema.messages import wrong_kind
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import FUNCTIONS, public
from symgrad.tensor.numpy_interop import of_one_kind

_ELLIPSIS = "..."
_MISSING = (
    "einsum(): must specify the equation string and at least one operand, or at least one operand "
    "and its subscripts list"
)
Labels = list[Any]


@public("einsum(object... args) -> Tensor", method=False, python=True)
def _einsum(*args: Any) -> Any:
    """Sum products of operands along labelled axes.

    Parameters
    ----------
    *args
        An equation such as `"ij,jk->ik"` and the operands, or operands each followed by the list
        of its labels (integers, `...`), with the list of the result's labels last.

    Raises
    ------
    RuntimeError, ValueError
        If the equation cannot be read or does not fit the operands.

    Examples
    --------
    >>> import symgrad
    >>> a = symgrad.leaf("a", (2, 3))
    >>> symgrad.einsum("ij->ji", a).shape
    (3, 2)
    """
    if len(args) < 2:
        raise ValueError(_MISSING)
    if isinstance(args[0], str):
        operands = list(args[1:])
        if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
            operands = list(operands[0])
        inputs, output = _read_equation(args[0])
    elif is_array(args[0]):
        operands, inputs, output = _read_sublists(args)
    else:
        raise TypeError(wrong_kind("einsum", "equation", "str", args[0], 1))
    check_listed(operands, 1)
    if len(inputs) != len(operands):
        few = "fewer" if len(operands) < len(inputs) else "more"
        raise RuntimeError(f"einsum(): {few} operands were provided than specified in the equation")
    inputs, output, repeated = _without_ellipsis(inputs, output, [tuple(x.shape) for x in operands])
    sizes = _sizes(inputs, operands, repeated)
    if output is None:
        output = [k for k in repeated if k in sizes] + _implicit(inputs, repeated)
    _check_output(output, sizes)
    return _compute(operands, inputs, output, sizes)


# ------------------------------------------------------------------ reading


def _read_equation(text: str) -> tuple[list[Labels], Labels | None]:
    left, arrow, right = text.partition("->")
    inputs: list[Labels] = [[]]
    i = 0
    while i < len(left):
        c = left[i]
        operand = len(inputs) - 1
        if c == ".":
            if _ELLIPSIS in inputs[-1]:
                raise RuntimeError(
                    f"einsum(): found '.' for operand {operand} for which an ellipsis was already "
                    "found"
                )
            if left[i : i + 3] != _ELLIPSIS:
                raise RuntimeError(
                    f"einsum(): found '.' for operand {operand} that is not part of any ellipsis"
                )
            inputs[-1].append(_ELLIPSIS)
            i += 2
        elif c == ",":
            inputs.append([])
        elif c != " ":
            inputs[-1].append(_letter(c, i))
        i += 1
    return inputs, _read_output(right, len(left) + 2) if arrow else None


def _read_output(text: str, offset: int) -> Labels:
    output: Labels = []
    i = 0
    while i < len(text):
        c = text[i]
        if c == ".":
            if _ELLIPSIS in output:
                raise RuntimeError(
                    "einsum(): found '.' for output but an ellipsis (...) was already found"
                )
            if text[i : i + 3] != _ELLIPSIS:
                raise RuntimeError(
                    "einsum(): found '.' for output that is not part of any ellipsis (...)"
                )
            output.append(_ELLIPSIS)
            i += 2
        elif c != " ":
            label = _letter(c, offset + i)
            if label in output:
                raise RuntimeError(
                    f"einsum(): output subscript {c} appears more than once in the output"
                )
            output.append(label)
        i += 1
    return output


def _letter(c: str, i: int) -> str:
    if not (c.isascii() and c.isalpha()):
        raise RuntimeError(
            f"einsum(): invalid subscript given at index {i} in the equation string, subscripts "
            "must be in [a-zA-Z]"
        )
    return c


def _read_sublists(args: Sequence[Any]) -> tuple[list[Any], list[Labels], Labels | None]:
    operands = list(args[0 : len(args) - len(args) % 2 : 2])
    inputs = [_read_sublist(x) for x in args[1::2]]
    output = _read_sublist(args[-1]) if len(args) % 2 else None
    if output is not None:
        for k in output:
            if output.count(k) > 1 and k != _ELLIPSIS:
                raise RuntimeError(
                    f"einsum(): output subscript {k} appears more than once in the output"
                )
    return operands, inputs, output


def _read_sublist(labels: Sequence[Any]) -> Labels:
    made: Labels = []
    for k in labels:
        if k is Ellipsis:
            made.append(_ELLIPSIS)
        elif 0 <= k < 52:
            made.append("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[k])
        else:
            raise ValueError(
                "einsum(): subscript in subscript list is not within the valid range [0, 52)"
            )
    return made


def _without_ellipsis(
    inputs: list[Labels], output: Labels | None, shapes: Sequence[Shape]
) -> tuple[list[Labels], Labels | None, Labels]:
    """Return the equation with a label for each axis of the ellipsis, counted from the last."""
    counts = []
    for i, (labels, shape) in enumerate(zip(inputs, shapes, strict=True)):
        named = len(labels) - (_ELLIPSIS in labels)
        if _ELLIPSIS in labels:
            if named > len(shape):
                raise RuntimeError(
                    f"einsum(): the number of subscripts in the equation ({named}) is more than "
                    f"the number of dimensions ({len(shape)}) for operand {i}"
                )
            counts.append(len(shape) - named)
        elif named != len(shape):
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({named}) does not match the "
                f"number of dimensions ({len(shape)}) for operand {i} and no ellipsis was given"
            )
        else:
            counts.append(0)
    widest = max(counts, default=0)
    repeated: Labels = [(widest - j,) for j in range(widest)]
    expanded = []
    for labels, n in zip(inputs, counts, strict=True):
        own = repeated[widest - n :]
        expanded.append([x for k in labels for x in (own if k == _ELLIPSIS else [k])])
    if output is not None:
        output = [x for k in output for x in (repeated if k == _ELLIPSIS else [k])]
    return expanded, output, repeated


def _implicit(inputs: Sequence[Labels], repeated: Labels) -> Labels:
    counts = Counter(k for labels in inputs for k in labels if k not in repeated)
    return sorted(k for k, n in counts.items() if n == 1)


def _sizes(inputs: Sequence[Labels], operands: Sequence[Any], repeated: Labels) -> dict[Any, int]:
    """Return the length of each label, where one broadcasts."""
    sizes: dict[Any, int] = {}
    for i, (labels, x) in enumerate(zip(inputs, operands, strict=True)):
        own: dict[Any, int] = {}
        for label, n in zip(labels, x.shape, strict=True):
            if own.setdefault(label, n) != n:
                raise RuntimeError(
                    f"einsum(): subscript {label} is repeated for operand {i} but the sizes don't "
                    f"match, {n} != {own[label]}"
                )
        for label, n in own.items():
            seen = sizes.get(label, 1)
            if n != seen and n != 1 and seen != 1:
                if label in repeated:
                    raise RuntimeError(
                        f"einsum(): dimension {labels.index(label)} covered by ellipsis in operand "
                        f"{i}has size {n} which does not broadcast with previously seen ellipsis "
                        f"with size {seen} for the respective dimension"
                    )
                raise RuntimeError(
                    f"einsum(): subscript {label} has size {n} for operand {i} which does not "
                    f"broadcast with previously seen size {seen}"
                )
            sizes[label] = n if seen == 1 else seen
    return sizes


def _check_output(output: Labels, sizes: dict[Any, int]) -> None:
    for k in output:
        if k not in sizes:
            raise RuntimeError(
                f"einsum(): output subscript {k} does not appear in the equation for any input "
                "operand"
            )


# ------------------------------------------------------------------ computing


_PERMUTED = Face(name="Permute")


def _compute(
    operands: list[Any], inputs: list[Labels], output: Labels, sizes: dict[Any, int]
) -> Any:
    summed = [k for k in sizes if k not in output]
    if len(operands) == 1:
        (x,), (labels,) = operands, inputs
        x = bind(contract, (x,), (equation([labels], [*output, *summed]),), _PERMUTED)
        return x.sum(tuple(range(len(output), len(output) + len(summed)))) if summed else x
    terms = [_simple_term(x, labels, sizes) for x, labels in zip(operands, inputs, strict=True)]
    terms = [_summed_alone(terms, i, output) for i in range(len(terms))]
    x, labels = terms[0]
    for i, (y, others) in enumerate(terms[1:], 2):
        later = {k for _, ks in terms[i:] for k in ks}
        kept = [k for k in dict.fromkeys([*labels, *others]) if k in output or k in later]
        if i == len(terms):
            kept = output
        try:
            spec = equation([labels, others], kept)
            x = contraction((x, y), spec, viewed(spec) if summed else PRODUCT)
        except Mismatch:
            _refuse(x, y)
            raise
        labels = kept
    return x


def _simple_term(x: Any, labels: Labels, sizes: dict[Any, int]) -> tuple[Any, Labels]:
    """Take diagonals, and leave out axes of length one that broadcast."""
    distinct = list(dict.fromkeys(labels))
    if len(distinct) < len(labels):
        x = bind(contract, (x,), (equation([labels], distinct),), _PERMUTED)
    kept = [k for k, n in zip(distinct, x.shape, strict=True) if n == sizes[k]]
    if len(kept) < len(distinct):
        x = x.reshape(tuple(sizes[k] for k in kept))
    return x, kept


def _summed_alone(
    terms: Sequence[tuple[Any, Labels]], i: int, output: Labels
) -> tuple[Any, Labels]:
    x, labels = terms[i]
    others = {k for j, (_, ks) in enumerate(terms) if j != i for k in ks}.union(output)
    alone = [a for a, k in enumerate(labels) if k not in others]
    if not alone:
        return x, labels
    return x.sum(tuple(alone)), [k for k in labels if k in others]


def _refuse(x: Any, y: Any) -> None:
    if title(x) != title(y):
        raise RuntimeError(f"expected scalar type {title(x)} but found {title(y)}") from None
    refuse_bool("bmm", x, y)


@numpy_call("einsum")
def _numpy_einsum(
    *operands: Any, out: None = None, optimize: Any = False, order: None = None,
    casting: None = None, dtype: None = None,
) -> Any:  # fmt: skip
    given = list(operands)
    # The arrays follow the equation, or stand by turns with their axes, those of the result last.
    arrays = slice(1, None) if isinstance(given[0], str) else slice(0, len(given) // 2 * 2, 2)
    given[arrays] = of_one_kind(*given[arrays])
    return FUNCTIONS["einsum"](*given)
