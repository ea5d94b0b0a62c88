"""Contractions: products of arrays, summed over axes that they share.

Matrix products, traces, transposes, diagonals and Kronecker deltas are one operation here. Its
public functions stand in `products`, `matmul`, `affine` and `einsum`; how contractions merge,
in `symgrad.simplify.contraction`.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial, reduce
from typing import Any, NamedTuple

import numpy as np
import sympy

from numeric.kernel import Kernel, RowUse
from symgrad.expr.atoms import Const, is_const
from symgrad.expr.dtypes import dtype, result_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import (
    ODOT,
    TRANSPOSED,
    Latex,
    Notation,
    Precedence,
    braces,
)
from symgrad.expr.shapes import Shape
from symgrad.expr.written import parameter_text, size_latex
from symgrad.ops import index_notation
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.entries import Index, Indices, Reading, sum_over
from symgrad.ops.entries import delta as delta_of
from symgrad.ops.equations import (
    Mismatch,
    Spec,
    _repeats,
    embeddings,
    equation,
    is_rearranged,
    parse,
)
from symgrad.ops.index_notation import Summand
from symgrad.ops.permuting import inverted, permute
from symgrad.ops.primitive import Computation, Cotangents, Fill, Primitive
from symgrad.ops.reshaping import reshape
from symgrad.ops.samples import TABLE
from symgrad.ops.terms import Terms
from symgrad.ops.zeros import Zeros

_Y = np.array([[0.5, 1.1], [-0.3, 0.9], [2.0, -1.6]])
_V = np.array([0.7, -0.2, 1.3])


# ------------------------------------------------------------------ kernels


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


class _Plan(NamedTuple):
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
def _plan(text: str) -> _Plan:
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


def _fastest(text: str) -> _Plan:
    spec = parse(text)
    rows = partial(_rows, text)
    inputs, output = spec
    count = len(inputs)
    order = tuple(range(count))
    if _repeats(output):
        if inputs == ("".join(dict.fromkeys(output)),) and len(output) == len(inputs[0]) + 1:
            return _embedding(output, order)
        return _Plan(Kernel.from_function(_contract_diagonal), {"spec": text}, order)
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
        return _Plan(kernel, {"spec": text}, order)
    kernel = Kernel(
        "einsum", _einsum_optimized, "np.einsum({spec}, {operands}, optimize=True)", rows=rows
    )
    return _Plan(kernel, {"spec": text}, order)


def _embedding(output: str, order: tuple[int, ...]) -> _Plan:
    """Return how an array is put on the diagonal of two axes, of the same label."""
    axis1, axis2 = next(
        (i, output.rindex(k)) for i, k in enumerate(output) if output.rindex(k) != i
    )
    # NumPy's diagonal has the axis of both after the others.
    axes = [*range(axis1), len(output) - 2, *range(axis1, len(output) - 2)]
    params = {"axis1": axis1, "axis2": axis2, "axes": tuple(axes)}
    return _Plan(Kernel.from_function(_embed_on_diagonal, repeats=True), params, order)


def _einsum(*operands: Any, spec: str) -> Any:
    return np.einsum(spec, *operands)


def _einsum_optimized(*operands: Any, spec: str) -> Any:
    return np.einsum(spec, *operands, optimize=True)


def _pair(a: str, b: str, output: str) -> _Plan | None:
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
        return _Plan(Kernel.from_function(_contract_batched, rows=rows), params, (0, 1))
    made = [x for x in a if x in left] + [x for x in b if x in right]
    axes = (tuple(a.index(x) for x in sums), tuple(b.index(x) for x in sums))
    if "".join(made) == output:
        kernel = Kernel("tensordot", _tensordot, "np.tensordot({0}, {1}, {axes})", rows=rows)
        return _Plan(kernel, {"axes": axes}, (0, 1))
    kernel = Kernel(
        "tensordot", _tensordot_permuted,
        "np.tensordot({0}, {1}, {axes}).transpose({permuted})", rows=rows,
    )  # fmt: skip
    permuted = tuple(made.index(x) for x in output)
    return _Plan(kernel, {"axes": axes, "permuted": permuted}, (0, 1))


def _tensordot(a: Any, b: Any, axes: Any) -> Any:
    return np.tensordot(a, b, axes)


def _tensordot_permuted(a: Any, b: Any, axes: Any, permuted: Any) -> Any:
    return np.tensordot(a, b, axes).transpose(permuted)


#: The precedences of a number times an array.
_SCALED = (Precedence.PRODUCT, (Precedence.PRODUCT,))
_FACTORS = (Precedence.PRODUCT, Precedence.PRODUCT + 1)
#: The most matrices between two vectors that are one product on paper.
_MOST_MATRICES = 8


def _product_notation(source: str, levels: tuple[int, ...], typeset: Latex) -> Notation:
    level = Precedence.PRODUCT
    return Notation(source, typeset.template, level, levels, typeset, carries_sign=True)


def _product_without_sum(a: str, b: str, output: str) -> _Plan | None:
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
        return _Plan(kernel, {}, (0, 1), notation)
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
            return _Plan(kernel, {}, order, notation if vectors else None)
    return None


def _matrix_product(
    batch: str, a: str, b: str, left: str, right: str, output: str, rows: Any
) -> _Plan | None:
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
        return _Plan(kernel, {}, (0, 1), notation)
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
    return _Plan(kernel, {}, (0, 1), notation)


# ------------------------------------------------------------------ primitives


def aligned(x: ArrayExpr, labels: Sequence[Any], output: Sequence[Any]) -> ArrayExpr:
    """Return `x` with its axes in the order of `output`, ready to broadcast against it."""
    if not labels:
        return x
    x = permute.of(x, tuple(labels.index(k) for k in output if k in labels))
    sizes = iter(x.shape)
    shape = [next(sizes) if k in labels else 1 for k in output]
    first = next((i for i, k in enumerate(output) if k in labels), len(output))
    return reshaped(x, tuple(shape[first:]))


def reshaped(x: ArrayExpr, shape: Shape) -> ArrayExpr:
    """Return `x` in another shape; a number stays a number."""
    return x if x.shape == shape else reshape.of(x, shape)


def _labels_of_diagonal(text: str) -> tuple[str, str] | None:
    """Return the labels of operand and result where one operand is put on a diagonal, else None."""
    inputs, output = parse(text)
    labels = inputs[0]
    on_diagonal = len(set(output)) < len(output) and len(set(labels)) == len(labels)
    return (labels, output) if on_diagonal and len(inputs) == 1 else None


def _on_diagonal(y: ArrayExpr, shape: Shape, labels: str, output: str) -> ArrayExpr:
    """Return the entries of `y`, broadcast to `shape`, on a diagonal, to broadcast on `labels`."""
    lead = len(shape) - len(y.shape)
    unrepeated = [a for a, n in enumerate(y.shape) if n == shape[lead + a]]
    y = reshaped(y, tuple(y.shape[a] for a in unrepeated))
    own = [output[lead + a] for a in unrepeated]
    distinct = tuple(dict.fromkeys(own))
    if len(distinct) < len(own):
        y = contract.of(y, equation([own], distinct))
    return aligned(y, distinct, tuple(labels))


_STACK = np.arange(12.0).reshape(2, 3, 2) - 5.5
_SQUARE = np.array([[0.3, -1.2], [0.7, 0.1]])


class contract(Primitive):
    """The sum of products along labelled axes.

    `spec` is an equation as einsum reads it, in which letters of the result may repeat.
    """

    keeps_zeros = Zeros.CONTRACTION
    poles = ()
    params = ("spec",)
    converts = True
    multilinear = True

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        *operands, text = args
        spec = parse(text)
        sizes = _sizes(spec, operands)
        return tuple([sizes[x] for x in spec.output]), result_dtype(operands)

    def as_fill(self) -> Fill | None:
        found = _labels_of_diagonal(self.spec)
        if found is None:
            return None
        labels, output = found
        return Fill(
            0,
            lambda b: _on_diagonal(b, self.shape, labels, output),
            lambda v: contract.of(v, equation([labels], output)),
        )

    def implementation(self) -> Computation:
        plan = _plan(self.spec)
        operands = self.operands
        params = {"shape": self.shape, **plan.params} if plan.kernel.repeats else plan.params
        return plan.kernel, params, tuple([operands[i] for i in plan.order])

    @property
    def is_view(self) -> bool:
        """Whether NumPy gives a view: one operand whose elements are only moved."""
        spec = parse(self.spec)
        return is_rearranged(spec) and not _repeats(spec.output)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        inputs, output = parse(self.spec)
        sizes = _sizes(parse(self.spec), self.operands)
        parts: list[ArrayExpr | None] = []
        for i, need in enumerate(needs):
            if not need:
                parts.append(None)
                continue
            terms = [(ct, output)]
            terms += [
                (x.conj() if x.dtype.is_complex else x, labels)
                for j, (x, labels) in enumerate(zip(self.operands, inputs, strict=True))
                if j != i
            ]
            parts.append(assemble(terms, inputs[i], sizes))
        return parts

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        total: ArrayExpr | None = None
        for i, t in enumerate(tangents):
            if t is not None:
                operands = [t if j == i else x for j, x in enumerate(self.operands)]
                term = contract.of(*operands, self.spec)
                total = term if total is None else total + term
        return total

    def entry(self, index: Index, b: Indices) -> Reading:
        inputs, output = parse(self.spec)
        name: dict[str, Any] = {}
        factors = []
        for k, i in zip(output, index, strict=True):
            if name.setdefault(k, i) is not i:
                factors.append(delta_of(name[k], i))
        lengths = {
            k: n
            for ks, x in zip(inputs, self.operands, strict=True)
            for k, n in zip(ks, x.shape, strict=True)
            if k not in name
        }
        over = b.bound(*lengths.values())
        name.update(zip(lengths, over, strict=True))
        for ks, x in zip(inputs, self.operands, strict=True):
            factors.append((yield x, [name[k] for k in ks]))
        return sum_over(sympy.Mul(*factors), *over)

    def terms(self, b: Terms) -> Any:
        inputs, output = parse(self.spec)
        forms = [b.operand(x, self.dtype) for x in self.operands]
        return b.contracted(list(zip(forms, inputs, strict=True)), output, self.shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        spec = parse(self.spec)
        inputs = [
            ("", *labels) if has else tuple(labels)
            for labels, has in zip(spec.inputs, batched, strict=True)
        ]
        return contract.of(*operands, equation(inputs, ("", *spec.output)))

    def notation(self) -> Notation:
        spec = parse(self.spec)
        if self.spec == "a->aa":
            return self._diagonal_notation()
        plan = _plan(self.spec)
        if plan.notation is None:
            text, levels = _text_by_letters(spec.inputs, spec.output)
            if self.spec == "aa->":
                text = "trace({0})"
            on_paper = index_notation.latex(self.by_letters(), len(spec.output))
            return Notation(text, on_paper.template, operands=levels, typeset=on_paper)
        if plan.order == (0, 1):
            typeset = self._form_on_paper() if self.spec == "a,a->" else None
            return plan.notation if typeset is None else plan.notation._replace(typeset=typeset)
        known, typeset = plan.notation, plan.notation.typeset
        assert typeset is not None
        return known._replace(
            text=_swapped(known.text),
            latex=_swapped(known.latex),
            operands=known.operands[::-1],
            typeset=Latex(_swapped(typeset.template), typeset.level, typeset.operands[::-1]),
        )

    def _form_on_paper(self) -> Latex | None:
        """Return a form, as of a vector, a matrix and a vector; None for a product of vectors."""
        first, last = self.operands
        matrices: list[ArrayExpr] = []
        while (
            type(first) is contract and first.spec == "a,ab->b" and len(matrices) < _MOST_MATRICES
        ):
            first, matrix = first.operands
            matrices.insert(0, matrix)
        if not matrices:
            return None
        shown = (first, *matrices, last)
        template = "{0}" + TRANSPOSED + "".join(f" {{{i}}}" for i in range(1, len(shown)))
        needed = (Precedence.PRODUCT, *(Precedence.PRODUCT + 1,) * (len(shown) - 1))
        return Latex(template, Precedence.PRODUCT, needed, shown)

    def _diagonal_notation(self) -> Notation:
        (x,) = self.operands
        text, on_paper = "diag({0})", Latex(r"\operatorname{{diag}}\left({0}\right)")
        if type(x) is broadcast_to and not x.operands[0].shape:
            identity = rf"\mathrm{{{{I}}}}_{{{{{braces(size_latex(x.shape[0]))}}}}}"
            on_paper = Latex(rf"{{0}} \, {identity}", *_SCALED, x.operands)
            if is_const(x.operands[0], 1):
                text = f"eye({x.shape[0]}, dtype={parameter_text(self.dtype)})"
                on_paper = Latex(identity)
        return Notation(text, on_paper.template, typeset=on_paper)

    def by_letters(self) -> tuple[Summand, ...]:
        spec = parse(self.spec)
        rank = len(spec.output)
        letters = {label: i for i, label in reversed([*enumerate(spec.output)])}
        summed = [x for x in dict.fromkeys("".join(spec.inputs)) if x not in letters]
        letters |= {label: rank + i for i, label in enumerate(summed)}
        below = [_below_labels(*given) for given in zip(self.operands, spec.inputs, strict=True)]
        sizes = _sizes(spec, self.operands)
        repeated = [(letters[k], i, sizes[k]) for i, k in enumerate(spec.output) if letters[k] != i]
        paired = {k for k, *_ in repeated}
        # What repeats an operand, and is not written, gives lengths that no other factor has.
        lost = [k for k in letters if not any(k in labels for _, labels in below)]
        made = Summand(
            (),
            tuple(repeated),
            tuple([(letters[k], sizes[k]) for k in lost if letters[k] not in paired]),
            tuple(range(rank, rank + len(summed))),
        )
        for x, labels in below:
            made = _multiplied(made, x, [letters[k] for k in labels], alone=len(below) == 1)
        return (made,)

    samples = [
        (TABLE, _Y, "ab,bc->ac"),
        (TABLE, _Y, "ab,bc->ca"),
        (_Y, TABLE, "ab,ca->cb"),
        (TABLE, _V, "ab,b->a"),
        (_V, _Y, "a,ab->b"),
        (_V, _V[::-1], "a,a->"),
        (_V, TABLE, "a,bc->abc"),
        (TABLE, _V, "ab,c->cab"),
        (TABLE, TABLE + 1, "ab,ab->ab"),
        (TABLE, TABLE + 1, "ab,ab->a"),
        (_STACK, _STACK.transpose(0, 2, 1), "abc,acd->abd"),
        (_STACK, _STACK, "abc,abd->adc"),
        (_STACK, TABLE, "abc,db->adc"),
        (_STACK, _Y, "abc,bd->dac"),
        (_STACK, _STACK, "abc,abc->c"),
        (_SQUARE, "aa->a"),
        (_SQUARE, "ab->ba"),
        (_V, "a->aa"),
        (TABLE, "ab->abab"),
        (_SQUARE, TABLE, "aa,ab->b"),
        (TABLE, _Y, _V, "ab,bc,d->acd"),
        (TABLE, _Y, "ab,cd->a"),
        (np.ones((2, 0)), np.ones((0, 3)), "ab,bc->ac"),
        (np.array(2.0), np.array(-0.3), ",->"),
        (TABLE + 1j, _Y - 2j, "ab,bc->ac"),
    ]


def _text_by_letters(inputs: Sequence[str], output: str) -> tuple[str, tuple[int, ...]]:
    """Return the text of a contraction, and the precedences of its operands.

    `einsum` does not repeat letters of the result, which `diag_embed` writes among zeros.
    """
    around, rank = "{}", len(output)
    pairs, distinct = embeddings(output)
    for first, last in pairs:
        usual = (rank - 2, rank - 1)
        places = [f", dim{i + 1}={n}" for i, n in enumerate((first, last)) if n != usual[i]]
        called = "diag" if rank == 2 else "diag_embed"
        around = around.format(f"{called}({{}}{''.join(places)})")
        rank -= 1
    rest = "".join(distinct)
    if pairs and len(inputs) == 1:
        (own,) = inputs
        if own == rest:
            return around.format("{0}"), ()
        if len(own) == 2 and own == rest[::-1]:
            return around.format("{0}.T"), (Precedence.ATOM,)
    holes = ", ".join([f"{{{i}}}" for i in range(len(inputs))])
    return around.format(f"einsum('{','.join(inputs)}->{rest}', {holes})"), ()


def _multiplied(t: Summand, x: ArrayExpr, axes: Sequence[int], alone: bool) -> Summand:
    """Return a term times an array: ones are not written, nor the letters of an identity matrix."""
    if is_const(x, 1) and not axes:
        return t
    if type(x) is contract and x.spec == "a->aa" and is_const(_repeated_number(x.operands[0]), 1):
        return t._replace(deltas=(*t.deltas, (axes[0], axes[1], x.shape[0])))
    if alone and type(x) is contract and len({*axes}) == len(axes) > 1 and len(x.operands) > 1:
        (inner,) = x.by_letters()
        if len(axes) > 2 or not inner.summed:
            return index_notation.within(t, inner, axes)
    return t._replace(factors=(*t.factors, (x, tuple(axes))))


def _repeated_number(x: ArrayExpr) -> ArrayExpr:
    return x.operands[0] if type(x) is broadcast_to else x


def _below_labels(x: ArrayExpr, labels: str) -> tuple[ArrayExpr, str]:
    """Return what has the elements of `x`, where labels say which: not transposed, nor repeated."""
    found = x, labels
    places: list[str | None] = [*labels]  # None: an axis of length one, which is repeated
    while True:
        (y,) = x.operands if len(x.operands) == 1 else (x,)
        if type(x) is permute:
            places = [places[i] for i in inverted(x.axes)]
        elif type(x) is broadcast_to:
            places = places[len(x.shape) - len(y.shape) :]
            lengths = zip(places, y.shape, x.shape[len(x.shape) - len(y.shape) :], strict=True)
            places = [k if n == m else None for k, n, m in lengths]
        elif type(x) is reshape and y.shape == tuple([n for n in x.shape if n != 1]):
            places = [k for k, n in zip(places, x.shape, strict=True) if n != 1]
        else:
            return found
        x = y
        known = [k for k in places if k is not None]
        if len(known) == len(places):
            found = x, "".join(known)


def _swapped(template: str) -> str:
    """Return a template with its two operands in each other's place."""
    return template.replace("{0}", "{2}").replace("{1}", "{0}").replace("{2}", "{1}")


def _sizes(spec: Spec, operands: Sequence[ArrayExpr]) -> dict[str, int]:
    """Return the length of each label; `Mismatch` where operands disagree."""
    sizes: dict[str, int] = {}
    for labels, x in zip(spec.inputs, operands, strict=True):
        if len(labels) != len(x.shape):
            raise Mismatch(f"contract(): {labels!r} does not name the axes of {list(x.shape)}")
        for label, n in zip(labels, x.shape, strict=True):
            if sizes.setdefault(label, n) != n:
                raise Mismatch(
                    f"contract(): axis {label!r} has length {sizes[label]} and length {n}"
                )
    return sizes


def assemble(
    terms: Sequence[tuple[ArrayExpr, Iterable[Any]]],
    output: Sequence[Any],
    sizes: Mapping[Any, int],
) -> ArrayExpr:
    """Return the contraction of `terms`, repeated along labels that only `output` has."""
    inputs = [tuple(labels) for _, labels in terms]
    known = set().union(*inputs)
    distinct = list(dict.fromkeys(output))
    inner = [x for x in distinct if x in known]
    made = contract.of(*[x for x, _ in terms], equation(inputs, inner))
    if len(inner) < len(distinct):
        kept = tuple(sizes[x] if x in known else 1 for x in distinct)
        made = made.reshape(kept).broadcast_to(tuple(sizes[x] for x in distinct))
    if len(distinct) < len(output):
        made = contract.of(made, equation([distinct], output))
    return made


def delta(shape: Shape, kind: dtype) -> ArrayExpr:
    """Return the identity of arrays of `shape`: one where both halves of the index agree."""
    if not shape:
        return Const(1, kind)
    labels = range(len(shape))
    ones = Const(1, kind).broadcast_to(shape)
    return contract.of(ones, equation([labels], [*labels, *labels]))
