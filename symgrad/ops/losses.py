"""Losses: how far predictions are from targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.atoms import as_expr, is_const
from symgrad.expr.dtypes import (
    Category,
    cast_refused,
    dtype,
    no_kernel,
    result_dtype,
    to_float,
    to_real,
)
from symgrad.expr.escaping import latex_text
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence, Text, braces, of_elements, public_parameters
from symgrad.expr.shapes import broadcast_shapes, size_of
from symgrad.ops.composite import Composite
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.gathering import gather, take
from symgrad.ops.primitive import bind
from symgrad.ops.samples import POSITIVE, TABLE
from symgrad.ops.sigmoid import log1pexp, logsigmoid
from symgrad.ops.where import where

_REDUCTIONS = ("mean", "sum", "none")
_CHANCES = np.array([0.3, 0.6, 0.9])
_CLASSES = np.array([2, 0])
_WEIGHT = np.array([0.5, 2.0, 1.25])


class mse_loss(Composite):
    """The squares of differences, or their sum or mean."""

    params = ("reduction",)
    internal = True
    layout = "kernel"  # the memory order of one loss for each element

    @classmethod
    def composed(cls, x: Any, y: Any, reduction: str) -> Any:
        kind = result_dtype((x, y))
        if kind.category != Category.FLOAT:
            raise no_kernel("mse_cpu", kind)
        return _reduced((x.to(kind) - y.to(kind)).square(), reduction)

    samples = [(TABLE, TABLE[::-1].copy(), r) for r in _REDUCTIONS] + [
        (np.array(0.5), np.array(2.0), "mean")
    ]


def _bce(x, y):  # type: ignore[no-untyped-def]
    return (y - 1) * np.maximum(np.log1p(-x), -100) - y * np.maximum(np.log(x), -100)


class bernoulli_loss(Elementwise):
    """The cross entropy of a probability x and a target y, with logarithms of at least -100."""

    calculates_with_bools = True
    ulps = 4
    internal = True
    refuses = (Category.COMPLEX,)
    kernel_name = "binary_cross_entropy"
    scalar = lambda x, y: (y - 1) * sympy.log(1 - x) - y * sympy.log(x)  # noqa: E731
    kernel = Kernel.from_function(_bce, rows=local)

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return (
            lambda: bernoulli_slope.of(x, y),
            lambda: as_expr(-x).log1p().clamp_min(-100) - x.log().clamp_min(-100),
        )

    def public_text(self) -> Text:
        alike = len({x.shape for x in self.operands}) == 1
        given = "{0}, {1}" if alike else "*broadcast_tensors({0}, {1})"
        return Text(f"binary_cross_entropy({given}, reduction='none')")

    samples = [(_CHANCES, np.array([[0.25], [0.75]])), (np.array(0.5), np.array(1.0))]


def _bce_slope(x, y):  # type: ignore[no-untyped-def]
    return (x - y) / np.maximum((1 - x) * x, 1e-12)


class bernoulli_slope(Elementwise):
    """The derivative of the cross entropy, large but finite at 0 and 1, as PyTorch's.

    It is `(1 - y)/(1 - x) - y/x`, whose derivatives are sums of positive terms.
    """

    calculates_with_bools = True
    ulps = 4
    internal = True
    refuses = (Category.COMPLEX,)
    scalar = lambda x, y: (x - y) / ((1 - x) * x)  # noqa: E731
    kernel = Kernel.from_function(_bce_slope, rows=local)
    printed = Notation(
        "({0} - {1}) / clamp_min((1 - {0}) * {0}, 1e-12)",
        r"\frac{{{0} - {1}}}{{\max\left(\left(1 - {0}\right) \, {0}, 10^{{-12}}\right)}}",
        Precedence.PRODUCT,
        (Precedence.UNARY + 1, Precedence.UNARY + 1),
        of_arrays=of_elements(
            r"\left({0} - {1}\right) \oslash"
            r" \max\left(\left(1 - {0}\right) \odot {0}, 10^{{-12}}\right)",
            Precedence.ODOT,
            Precedence.UNARY + 1,
            Precedence.UNARY + 1,
        ),
    )

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        def along_x() -> ArrayExpr:
            bounded = (1 - x) * x < 1e-12
            z = where.of(bounded, 0.5, x)
            left, right = 1 / z, 1 / (1 - z)
            return where.of(bounded, 1e12, y * left * left + (1 - y) * right * right)

        return along_x, lambda: -1 / as_expr((1 - x) * x).clamp_min(1e-12)

    samples = bernoulli_loss.samples


class binary_cross_entropy(Composite):
    """The cross entropies of probabilities and targets times weights, or their sum or mean."""

    params = ("reduction",)
    internal = True
    layout = "kernel"  # the memory order of one loss for each element

    @classmethod
    def composed(cls, x: Any, y: Any, *rest: Any) -> Any:
        *weights, reduction = rest
        kind = x.dtype
        x, y, *weights = _in_widest(x, y, *weights)
        return _reduced(_weighed(bernoulli_loss.of(x, y), *weights), reduction).to(kind)

    def notation(self) -> Notation:
        return _loss_notation(self)

    samples = [
        (_CHANCES, np.array([0.25, 1.0, 0.0]), *weight, r)
        for weight in ((), (POSITIVE,))
        for r in _REDUCTIONS
    ]


class binary_cross_entropy_with_logits(Composite):
    """The same of logits, where the positive class may have a weight of its own.

    `balanced` says that it has: the last operand. The one before it, after `x` and `y`, is the weight
    of each element.
    """

    params = ("reduction", "balanced")
    internal = True
    layout = "kernel"  # the memory order of one loss for each element

    @classmethod
    def composed(cls, x: Any, y: Any, *rest: Any) -> Any:
        *weights, reduction, balanced = rest
        kind = y.dtype
        x, y, *weights = _in_widest(x, y, *weights)
        logs = logsigmoid.of(x)
        if balanced:
            logs = ((weights.pop() - 1) * y + 1) * logs
        return _reduced(_weighed((1 - y) * x - logs, *weights), reduction).to(kind)

    def notation(self) -> Notation:
        count = len(self.operands) - 2
        return _loss_notation(
            self, ("weight", "pos_weight")[-count:] if self.balanced else ("weight",)
        )

    samples = [
        (TABLE, np.abs(np.sin(TABLE)), *weights, r, is_last)
        for weights, is_last in [
            ((), False), ((_WEIGHT,), False), ((_WEIGHT,), True), ((POSITIVE, _WEIGHT), True)
        ]
        for r in _REDUCTIONS
    ]  # fmt: skip


class _Robust(Composite, abstract=True):
    """A loss that is a square for small differences, and linear for large ones.

    The third operand is where it changes; the derivative of a `Composite` knows both pieces.
    """

    params = ("reduction",)
    internal = True
    layout = "kernel"  # the memory order of one loss for each element
    underived = {2: "where it changes"}

    @classmethod
    def composed(cls, x: Any, y: Any, bound: Any, reduction: str) -> Any:
        kind = result_dtype((x, y))
        if kind.category != Category.FLOAT:
            raise no_kernel(cls.__name__.replace("loss", "cpu"), kind)
        each = cls.each(x.to(kind) - y.to(kind), bound)
        return _reduced(each.to(cls.kind_of_result(x.dtype, kind)), reduction)

    @classmethod
    def kind_of_result(cls, kind: dtype, common: dtype) -> dtype:
        """Return the dtype of the loss, from that of x and the one that it is computed in."""
        return common

    @classmethod
    def each(cls, difference: Any, bound: Any) -> Any:
        """Return the loss of each difference."""
        raise NotImplementedError

    def notation(self) -> Notation:
        name = type(self).__name__
        word = "beta" if name == "smooth_l1_loss" else "delta"
        form = _loss_notation(self, (word,))
        usual = is_const(self.operands[2], 1) and self.operands[2].weak
        return form._replace(text=form.text.replace(f", {word}={{2}}", "")) if usual else form

    samples = [(TABLE, TABLE[::-1].copy(), 1.0, "mean"), (TABLE, -TABLE, 0.25, "none")]


class smooth_l1_loss(_Robust):
    """`d**2 / (2*beta)` where the modulus of d is below beta, else `abs(d) - beta/2`."""

    @classmethod
    def each(cls, difference: Any, bound: Any) -> Any:
        size = difference.abs()
        return where.of(size < bound, difference.square() / bound / 2, size - bound / 2)


class huber_loss(_Robust):
    """`d**2 / 2` where the modulus of d is below delta, else `delta * (abs(d) - delta/2)`."""

    @classmethod
    def each(cls, difference: Any, bound: Any) -> Any:
        size = difference.abs()
        return where.of(size < bound, difference.square() / 2, bound * (size - bound / 2))

    @classmethod
    def kind_of_result(cls, kind: dtype, common: dtype) -> dtype:
        if kind.category < common.category:
            raise cast_refused(common, kind)
        return kind


class soft_margin_loss(Composite):
    """`log(1 + exp(-x*y))` of scores x and classes y, which are 1 or -1, or its sum or mean."""

    params = ("reduction",)
    internal = True
    layout = "kernel"  # the memory order of one loss for each element
    underived = {1: "target"}

    @classmethod
    def composed(cls, x: Any, y: Any, reduction: str) -> Any:
        kind = to_float(result_dtype((x, y)))
        if x.dtype.category < max(kind.category, Category.FLOAT):
            raise cast_refused(kind, x.dtype)
        shape = broadcast_shapes(x.shape, y.shape)
        if shape != x.shape:
            raise RuntimeError(
                f"output with shape {list(x.shape)} doesn't match the broadcast shape {list(shape)}"
            )
        return _reduced(log1pexp.of(-x * y).to(x.dtype), reduction)

    samples = [(TABLE, np.sign(TABLE[::-1]), r) for r in ("mean", "none")]


class nll_loss(Composite):
    """The negative logarithms of probabilities at the classes of targets, or their sum or mean.

    Classes stand along axis 1, or the only axis. The third operand, where there is one, are the
    weights of the classes. Targets of the class `ignore_index` count nothing; None is no class.
    """

    params = ("ignore_index", "reduction")
    internal = True

    @classmethod
    def composed(cls, x: Any, target: Any, *rest: Any) -> Any:
        *weight, ignore_index, reduction = rest
        picked = _Classes(target, x.ndim, ignore_index)
        weights = picked.weights(*weight) if weight else None
        loss = picked.counted(-_weighed(picked.of(x), weights))
        return picked.reduced(loss, weights, reduction)

    def notation(self) -> Notation:
        usual = self.ignore_index in (None, int(public_parameters("nll_loss")["ignore_index"]))
        return _loss_notation(self, given=() if usual else (f"ignore_index={self.ignore_index}",))

    samples = [
        *[(TABLE, _CLASSES, None, r) for r in _REDUCTIONS],
        *[(TABLE, _CLASSES, _WEIGHT, ignored, r) for ignored in (None, 2) for r in _REDUCTIONS],
        (TABLE, _CLASSES, 0, "mean"), (TABLE[0], np.array(1), None, "mean"),
        (np.arange(12.0).reshape(1, 3, 2, 2) - 5.5, np.array([[[0, 2], [1, 1]]]), None, "mean"),
    ]  # fmt: skip


def _loss_notation(
    node: Any, weights: Sequence[str] = ("weight",), given: Sequence[str] = ()
) -> Notation:
    """Return the notation of a loss, whose weights the public function takes by keyword."""
    names = [f"{name}={{{i}}}" for i, name in enumerate(weights[: len(node.operands) - 2], 2)]
    reduction = [f"reduction='{node.reduction}'"] * (node.reduction != "mean")
    text = ", ".join(["{0}", "{1}", *names, *given, *reduction])
    name = type(node).__name__
    low = rf"_{{\mathrm{{{node.reduction}}}}}" if reduction else ""
    shown = braces(rf"\operatorname{{{latex_text(name)}}}{low}")
    after = "; " * (len(node.operands) > 2)
    holes = ", ".join([f"{{{i}}}" for i in range(2, len(node.operands))])
    return Notation(f"{name}({text})", rf"{shown}\left({{0}}, {{1}}{after}{holes}\right)")


def total_weight(x: Any, target: Any, *rest: Any) -> Any:
    """Return the weight of all targets, which the sum of their losses is divided by for a mean.

    It is a zero where losses are not reduced, as in PyTorch.
    """
    *weight, ignore_index, reduction = rest
    if reduction == "none":
        return as_expr(0).to(x.dtype)
    picked = _Classes(target, x.ndim, ignore_index)
    weights = picked.weights(*weight) if weight else None
    return as_expr(picked.total(weights, x.dtype)).to(x.dtype)


def _in_widest(*operands: Any) -> list[Any]:
    """Return operands with those of floating dtypes in the widest of these.

    PyTorch computes some steps of a loss of several dtypes in the narrower one.
    """
    widest = to_real(result_dtype(operands))
    return [x.to(widest) if x.dtype.is_floating_point else x for x in operands]


def _reduced(loss: Any, reduction: str) -> Any:
    return loss if reduction == "none" else loss.mean() if reduction == "mean" else loss.sum()


class _Classes:
    """The classes that targets name, beside each other along an axis of length one.

    Parameters
    ----------
    target : Tensor or ArrayExpr
        Integers.
    rank : int
        How many axes there are with that of the classes.
    ignore_index : int or None
        A target that counts nothing.

    Attributes
    ----------
    places : Tensor or ArrayExpr
        The classes, 0 for what is ignored.
    counts : Tensor, ArrayExpr or None
        Which targets count; None where all do.
    """

    def __init__(self, target: Any, rank: int, ignore_index: int | None) -> None:
        self.axis = 0 if rank == 1 else 1
        self.counts = None
        self.places = target.unsqueeze(self.axis)
        if ignore_index is not None:
            self.counts = self.places.ne(ignore_index)
            self.places = bind(where, (self.counts, self.places, 0))

    def of(self, x: Any) -> Any:
        """Return the elements at the classes."""
        return bind(gather, (x, self.places), (self.axis,))

    def weights(self, weight: Any) -> Any:
        """Return the weight of each target, of those of the classes."""
        return bind(take, (weight, self.places))

    def counted(self, x: Any) -> Any:
        """Return `x`, and zeros for what is ignored."""
        return x if self.counts is None else bind(where, (self.counts, x, 0))

    def reduced(self, loss: Any, weights: Any, reduction: str) -> Any:
        """Return the losses of the targets, their sum, or their mean by weights."""
        if reduction == "none":
            return loss.squeeze(self.axis)
        if reduction == "sum":
            return loss.sum()
        plain = weights is None and self.counts is None
        return loss.mean() if plain else loss.sum() / self.total(weights, loss.dtype)

    def total(self, weights: Any, kind: dtype) -> Any:
        """Return the sum of the weights of the targets that count, or their number in a dtype."""
        if weights is not None:
            return self.counted(weights).sum()
        if self.counts is None:
            return size_of(self.places.shape)
        return self.counts.to(kind).sum()


def _weighed(x: Any, weights: Any = None) -> Any:
    return x if weights is None else x * weights
