"""Contractions: products of arrays, summed over axes that they share.

Matrix products, traces, transposes, diagonals and Kronecker deltas are one operation here. Its
public functions stand in `products`, `matmul`, `affine` and `einsum`; how contractions merge,
in `symgrad.simplify.contraction`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from symgrad.expr.atoms import Const, is_const
from symgrad.expr.dtypes import bool_, dtype, result_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import (
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
from symgrad.ops.contraction_kernels import plan_of
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
from symgrad.ops.primitive import Computation, Cotangents, Primitive
from symgrad.ops.reshaping import reshape
from symgrad.ops.samples import TABLE
from symgrad.ops.symbols import one_if
from symgrad.ops.terms import Terms
from symgrad.ops.zeros import Fill, Zeros

_Y = np.array([[0.5, 1.1], [-0.3, 0.9], [2.0, -1.6]])
_V = np.array([0.7, -0.2, 1.3])


def aligned(x: ArrayExpr, labels: Sequence[Any], output: Sequence[Any]) -> ArrayExpr:
    """Return `x` with its axes in the order of `output`, ready to broadcast against it."""
    if not labels:
        return x
    axes = tuple([labels.index(k) for k in output if k in labels])
    if axes != tuple(range(len(axes))):
        x = permute.of(x, axes)
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


#: The precedences of a number times an array.
_SCALED = (Precedence.PRODUCT, (Precedence.PRODUCT,))
#: The most matrices between two vectors that are one product on paper.
_MOST_MATRICES = 8

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
        plan = plan_of(self.spec)
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
            factor = yield x, [name[k] for k in ks]
            factors.append(one_if(factor) if x.dtype is bool_ else factor)
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
        plan = plan_of(self.spec)
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
