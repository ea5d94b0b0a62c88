"""The fastest product of NumPy's for a contraction, as kernels and as text."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial, reduce
from typing import Any, NamedTuple

import numpy as np
import sympy

from numeric.kernel import Kernel, RowUse
from symgrad.expr.notation import (
    ODOT,
    TRANSPOSED,
    Latex,
    Notation,
    Precedence,
)
from symgrad.expr.shapes import Shape
from symgrad.ops.equations import (
    _repeats,
    is_rearranged,
    parse,
)


def _rows(spec: str, operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> RowUse:
    """The row rule of a contraction.

    The shape of an operand alone decides whether a block cuts it. So a contraction is row-local only
    where no operand that must stay whole has the leading length of one that is cut.
    """
    inputs, output = parse(spec)
    sizes = [len(labels) for labels in inputs]
    if any(_repeats(labels) for labels in inputs) or _repeats(output) or not all(sizes):
        return RowUse.WHOLE
    first = inputs[0][0]
    if first not in output:
        leads = all(labels[0] == first for labels in inputs)
        return RowUse.ACCUMULATE if leads else RowUse.WHOLE
    lead = output[0]
    rows = next(
        (s[labels.index(lead)] for labels, s in zip(inputs, operand_shapes, strict=True)
         if lead in labels)
    )  # fmt: skip
    for labels, shape in zip(inputs, operand_shapes, strict=True):
        cut = len(labels) >= len(output) and shape[0] == rows
        if cut != (labels[0] == lead) or lead in labels[1:]:
            return RowUse.WHOLE
    return RowUse.LOCAL


def _contract_diagonal(*operands, spec):  # type: ignore[no-untyped-def]
    inputs, output = spec.split("->")
    distinct = "".join(dict.fromkeys(output))
    (value,) = operands if inputs == distinct else [np.einsum(inputs + "->" + distinct, *operands)]
    sizes = dict(zip(distinct, value.shape, strict=True))
    result = np.zeros([sizes[label] for label in output], value.dtype)
    np.einsum(output + "->" + distinct, result)[...] = value
    return result


def _embed_on_diagonal(x, *, shape, axis1, axis2, axes):  # type: ignore[no-untyped-def]
    result = np.zeros(shape, x.dtype)
    place = result.diagonal(0, axis1, axis2)
    place.flags.writeable = True
    place.transpose(axes)[...] = x
    return result


def _contract_batched(a, b, *, axes_a, axes_b, batch, sums, axes):  # type: ignore[no-untyped-def]
    a = a.transpose(axes_a)
    b = b.transpose(axes_b)
    left, right = a.shape[batch : a.ndim - sums], b.shape[batch + sums :]
    n, m = int(np.prod(left)), int(np.prod(right))
    k = int(np.prod(a.shape[a.ndim - sums :]))
    product = a.reshape((*a.shape[:batch], n, k)) @ b.reshape((*b.shape[:batch], k, m))
    return product.reshape(a.shape[:batch] + left + right).transpose(axes)


class Plan(NamedTuple):
    """A kernel of NumPy's for a contraction, its parameters, and the order of its operands.

    `notation` is of the operands in that order.
    """

    kernel: Kernel
    params: Mapping[str, Any]
    order: tuple[int, ...]
    notation: Notation | None = None


# Each letter of the key says whether an operand is transposed.
_PRODUCTS: dict[str, tuple[Callable[..., Any], str]] = {
    "nn": (np.matmul, "{0} @ {1}"),
    "tn": (lambda a, b: np.matmul(a.T, b), "{0}.T @ {1}"),
    "nt": (lambda a, b: np.matmul(a, b.T), "{0} @ {1}.T"),
    "tt": (lambda a, b: np.matmul(a.T, b.T), "{0}.T @ {1}.T"),
    "Tn": (lambda a, b: np.matmul(a.mT, b), "{0}.mT @ {1}"),
    "nT": (lambda a, b: np.matmul(a, b.mT), "{0} @ {1}.mT"),
    "TT": (lambda a, b: np.matmul(a.mT, b.mT), "{0}.mT @ {1}.mT"),
}


def _contract_formulas(
    *operands: Any,
    labels: Sequence[str],
    output: str,
    product: Callable[..., Any],
    total: Callable[..., Any],
    shape: Shape = (),
    **_: Any,
) -> Any:
    """Contract arrays of formulas: each element is one sum, not one made of a sum with a term less."""
    if shape:  # what is put on a diagonal may repeat
        sizes = dict(zip(output, shape, strict=True))
        (only,) = labels
        operands = (np.broadcast_to(operands[0], [sizes[k] for k in only]),)
    sizes = {
        k: n
        for x, ks in zip(operands, labels, strict=True)
        for k, n in zip(ks, x.shape, strict=True)
    }
    free = list(dict.fromkeys(output))
    summed = [k for k in sizes if k not in free]
    out = np.full([sizes[k] for k in output], sympy.S.Zero, object)
    for place in np.ndindex(*[sizes[k] for k in free]):
        at = dict(zip(free, place, strict=True))
        terms = []
        for rest in np.ndindex(*[sizes[k] for k in summed]):
            at.update(zip(summed, rest, strict=True))
            terms.append(
                product(
                    *[x[tuple([at[k] for k in ks])] for x, ks in zip(operands, labels, strict=True)]
                )
            )
        out[tuple([at[k] for k in output])] = total(*terms)
    return out


def _product_of(*xs: Any) -> Any:
    return reduce(operator.mul, xs)


def _total_of(*xs: Any) -> Any:
    return reduce(operator.add, xs) if xs else 0


@lru_cache(maxsize=4096)
def plan_of(text: str) -> Plan:
    """Return the kernel of a contraction in einsum's notation, and how it is called."""
    plan = _fastest(text)
    inputs, output = parse(text)
    labels = [inputs[i] for i in plan.order]
    exact = partial(_contract_formulas, labels=labels, output=output)
    systems = {
        "sympy": partial(exact, product=sympy.Mul, total=sympy.Add),
        "elements": partial(exact, product=_product_of, total=_total_of),
    }
    kernel = dataclasses.replace(plan.kernel, number_systems=systems)
    return plan._replace(kernel=kernel)


def _fastest(text: str) -> Plan:
    spec = parse(text)
    rows = partial(_rows, text)
    inputs, output = spec
    count = len(inputs)
    order = tuple(range(count))
    if _repeats(output):
        if inputs == ("".join(dict.fromkeys(output)),) and len(output) == len(inputs[0]) + 1:
            return _embedding(output, order)
        return Plan(Kernel.from_function(_contract_diagonal), {"spec": text}, order)
    if count == 2 and not any(_repeats(labels) for labels in inputs):
        found = _pair(inputs[0], inputs[1], output)
        if found is not None:
            return found
    if count <= 2:
        # Without products or sums the result is a view of the operand.
        kernel = Kernel(
            "einsum", _einsum, "np.einsum({spec}, {operands})",
            view=is_rearranged(spec), rows=rows,
        )  # fmt: skip
        return Plan(kernel, {"spec": text}, order)
    kernel = Kernel(
        "einsum", _einsum_optimized, "np.einsum({spec}, {operands}, optimize=True)", rows=rows
    )
    return Plan(kernel, {"spec": text}, order)


def _embedding(output: str, order: tuple[int, ...]) -> Plan:
    """Return how an array is put on the diagonal of two axes, of the same label."""
    axis1, axis2 = next(
        (i, output.rindex(k)) for i, k in enumerate(output) if output.rindex(k) != i
    )
    # NumPy's diagonal has the axis of both after the others.
    axes = [*range(axis1), len(output) - 2, *range(axis1, len(output) - 2)]
    params = {"axis1": axis1, "axis2": axis2, "axes": tuple(axes)}
    return Plan(Kernel.from_function(_embed_on_diagonal, repeats=True), params, order)


def _einsum(*operands: Any, spec: str) -> Any:
    return np.einsum(spec, *operands)


def _einsum_optimized(*operands: Any, spec: str) -> Any:
    return np.einsum(spec, *operands, optimize=True)


def _pair(a: str, b: str, output: str) -> Plan | None:
    """Return the fastest NumPy product for two operands without repeated labels."""
    batch = [x for x in output if x in a and x in b]
    left = [x for x in output if x in a and x not in b]
    right = [x for x in output if x in b and x not in a]
    sums = [x for x in a if x in b and x not in output]
    if len(a) != len(batch) + len(left) + len(sums) or len(b) != len(batch) + len(right) + len(
        sums
    ):
        return None  # a sum over one operand alone
    if not sums:
        return _product_without_sum(a, b, output)
    if left and right and "".join(batch + right + left) == output:
        swapped = _pair(b, a, output)
        return swapped and swapped._replace(order=swapped.order[::-1])
    rows = partial(_rows, f"{a},{b}->{output}")
    if len(sums) == 1 and len(left) <= 1 and len(right) <= 1:
        found = _matrix_product("".join(batch), a, b, "".join(left), "".join(right), output, rows)
        if found is not None:
            return found
    if batch:
        order_a = batch + left + sums
        order_b = batch + sums + right
        made = batch + left + right
        params = {
            "axes_a": tuple(a.index(x) for x in order_a),
            "axes_b": tuple(b.index(x) for x in order_b),
            "batch": len(batch),
            "sums": len(sums),
            "axes": tuple(made.index(x) for x in output),
        }
        return Plan(Kernel.from_function(_contract_batched, rows=rows), params, (0, 1))
    made = [x for x in a if x in left] + [x for x in b if x in right]
    axes = (tuple(a.index(x) for x in sums), tuple(b.index(x) for x in sums))
    if "".join(made) == output:
        kernel = Kernel("tensordot", _tensordot, "np.tensordot({0}, {1}, {axes})", rows=rows)
        return Plan(kernel, {"axes": axes}, (0, 1))
    kernel = Kernel(
        "tensordot", _tensordot_permuted,
        "np.tensordot({0}, {1}, {axes}).transpose({permuted})", rows=rows,
    )  # fmt: skip
    permuted = tuple(made.index(x) for x in output)
    return Plan(kernel, {"axes": axes, "permuted": permuted}, (0, 1))


def _tensordot(a: Any, b: Any, axes: Any) -> Any:
    return np.tensordot(a, b, axes)


def _tensordot_permuted(a: Any, b: Any, axes: Any, permuted: Any) -> Any:
    return np.tensordot(a, b, axes).transpose(permuted)


_FACTORS = (Precedence.PRODUCT, Precedence.PRODUCT + 1)


def _product_notation(source: str, levels: tuple[int, ...], typeset: Latex) -> Notation:
    level = Precedence.PRODUCT
    return Notation(source, typeset.template, level, levels, typeset, carries_sign=True)


def _product_without_sum(a: str, b: str, output: str) -> Plan | None:
    rows = partial(_rows, f"{a},{b}->{output}")
    if a == b == output:
        kernel = Kernel("mul", np.multiply, "{0} * {1}", out=True, rows=rows)
        notation = Notation(
            "{0} * {1}",
            r"{0} \, {1}",
            Precedence.PRODUCT,
            _FACTORS,
            of_arrays=(((0, 1), ODOT),),
            carries_sign=True,
        )
        return Plan(kernel, {}, (0, 1), notation)
    for first, second, order in ((a, b, (0, 1)), (b, a, (1, 0))):
        if first + second == output:
            kernel = Kernel("outer", np.multiply.outer, "np.multiply.outer({0}, {1})", rows=rows)
            vectors = len(first) == len(second) == 1
            notation = Notation(
                "outer({0}, {1})",
                "{0} {1}" + TRANSPOSED,
                typeset=Latex("{0} {1}" + TRANSPOSED, Precedence.PRODUCT, _FACTORS),
                carries_sign=True,
            )
            return Plan(kernel, {}, order, notation if vectors else None)
    return None


def _matrix_product(
    batch: str, a: str, b: str, left: str, right: str, output: str, rows: Any
) -> Plan | None:
    """Vectors, matrices, and stacks of matrices whose leading axes agree."""
    if batch and not (left and right):
        return None
    if output != batch + left + right or not (a.startswith(batch) and b.startswith(batch)):
        return None
    if not left and not right:
        kernel = Kernel("dot", np.dot, "np.dot({0}, {1})", rows=rows)
        template = "{0}" + TRANSPOSED + " {1}"
        typeset = Latex(template, Precedence.PRODUCT, _FACTORS)
        notation = _product_notation("{0} @ {1}", _FACTORS, typeset)
        return Plan(kernel, {}, (0, 1), notation)
    mark = "T" if batch else "t"
    turned_a = bool(left) and a[-1] == left
    turned_b = bool(right) and b[len(batch)] == right
    key = (mark if turned_a else "n") + (mark if turned_b else "n")
    call, source = _PRODUCTS[key]
    kernel = Kernel("matmul", call, source, out=call is np.matmul, rows=rows)
    levels = (
        Precedence.ATOM if turned_a else Precedence.PRODUCT,
        Precedence.ATOM if turned_b else Precedence.PRODUCT + 1,
    )
    if left:
        first = "{0}" + TRANSPOSED * turned_a
        typeset = Latex(f"{first} {{1}}{TRANSPOSED * turned_b}", Precedence.PRODUCT, levels)
    else:  # what a vector on the left gives is a column, as any vector
        first = "{1}" + TRANSPOSED * (not turned_b)
        typeset = Latex(f"{first} {{0}}", Precedence.PRODUCT, _FACTORS[::-1])
    notation = _product_notation(source, levels, typeset)
    return Plan(kernel, {}, (0, 1), notation)


# ------------------------------------------------------------------ primitives
