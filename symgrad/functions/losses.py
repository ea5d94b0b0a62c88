"""What users call of `symgrad.ops.losses`, and what PyTorch's graph shows of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad.expr.dtypes import (
    Category,
    bool_,
    cast_refused,
    dtype,
    int64,
    no_kernel,
    uint8,
)
from symgrad.expr.shapes import Shape, broadcast_shapes, size_of
from symgrad.expr.size import Size
from symgrad.functions.bounds import check_bounds
from symgrad.ops.arithmetic import div, mul
from symgrad.ops.losses import (
    _Classes,
    _reduced,
    _weighed,
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    mse_loss,
    nll_loss,
    total_weight,
)
from symgrad.ops.operand_values import counted_values, every_value
from symgrad.ops.primitive import Primitive, bind
from symgrad.record.face import face_of, given, shows, stated
from symgrad.schema.public import FUNCTIONS, public
from symgrad.support.refusals import warn
from symgrad.support.untraceable import UntraceableValue

#: The class that is ignored unless a call says another.
_IGNORED = -100


def reduction_code(node: Any) -> dict[str, Any]:
    """Return PyTorch's number of a reduction."""
    return {"reduction": ("none", "mean", "sum").index(node.reduction)}


def _weights(*names: str) -> Callable[[Any], dict[str, Any]]:
    """Return the rule that states None for each of the weights that a loss was not given."""

    def state(node: Any) -> dict[str, Any]:
        return dict.fromkeys(names[max(0, len(node.operands) - 2) :])

    return state


def _of_classes(node: Any) -> dict[str, Any]:
    """Return the ignored class, which is the usual one if no target has it, and the total weight."""
    x, target, *weight = node.operands
    ignored = node.ignore_index
    total = total_weight(x, target, *weight, ignored, node.reduction)
    # PyTorch shows its 64 bits as of a number without a sign.
    shown = (_IGNORED if ignored is None else ignored) % 2**64
    return {"ignore_index": shown, "total_weight": total}


shows(mse_loss, frees=True, saved=("self", "target"), facts=reduction_code)
shows(
    binary_cross_entropy,
    facts=stated(reduction_code, _weights("weight")),
    keeps=(0, 1),
    passes=lambda i, kind: i < 2,
    saved=("self", "target", "weight"),
)
shows(
    binary_cross_entropy_with_logits,
    facts=stated(reduction_code, _weights("weight", "pos_weight")),
    keeps=(0, 1),
    passes=lambda i, kind: i < 2,
    saved=("self", "target", "weight", "pos_weight"),
)
#: The same, where the positive class has a weight and elements have none.
_OF_POSITIVE = dataclasses.replace(
    face_of(binary_cross_entropy_with_logits),
    name="BinaryCrossEntropyWithLogits",
    saved=("self", "target", "pos_weight"),
    facts=stated(reduction_code, lambda node: {"weight": None}),
)


def _nll_loss(node: Primitive) -> str:
    return "NllLossBackward0" if node.operands[0].ndim < 3 else "NllLoss2DBackward0"


shows(
    nll_loss,
    name=_nll_loss,
    # What is no image is reshaped to one.
    inner=lambda node: (("View", 0),) if node.operands[0].ndim not in (1, 2, 4) else None,
    facts=stated(reduction_code, _weights("weight"), _of_classes),
    keeps=(0,),
    passes=lambda i, kind: i == 0,
    saved=("self", "target", "weight"),
)


def reduction_of(size_average: Any, reduce: Any, reduction: str) -> str:
    """Return the reduction, which old programs say by two flags."""
    if size_average is not None or reduce is not None:
        if reduce is not None and not reduce:
            reduction = "none"
        else:
            reduction = "mean" if size_average is None or size_average else "sum"
        warn(
            "size_average and reduce args will be deprecated, please use "
            f"reduction='{reduction}' instead."
        )
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return reduction


def same_sizes(input: Any, target: Any) -> tuple[Any, Any]:
    """Return both with one shape; warn where they have two."""
    if input.shape == target.shape:
        return input, target
    warn(
        f"Using a target size (torch.Size({list(target.shape)})) that is different to the input "
        f"size (torch.Size({list(input.shape)})). This will likely lead to incorrect results due "
        "to broadcasting. Please ensure they have the same size."
    )
    made: tuple[Any, Any] = tuple(FUNCTIONS["broadcast_tensors"](input, target))
    return made


@public(
    "nn.functional.mse_loss(Tensor input, Tensor target, object size_average=None, object reduce=None, str reduction=mean, Tensor? weight=None) -> Tensor",
    python=True,
    reads="size",
)
def mse_loss_function(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean", weight: Any = None,
) -> Any:  # fmt: skip
    """Return the mean of squared differences (or their sum, or each of them).

    Parameters
    ----------
    input, target : Tensor or ArrayExpr
    reduction : "mean", "sum" or "none"
    weight : Tensor, optional
        A factor for each element; the mean is then that of its weights.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([1.0, 2.0]), torch.tensor([1.5, 4.0])
    >>> torch.nn.functional.mse_loss(x, y)
    tensor(2.1250)
    >>> torch.nn.functional.mse_loss(x, y, reduction="none")
    tensor([0.2500, 4.0000])
    """
    reduction = reduction_of(size_average, reduce, reduction)
    input, target = same_sizes(input, target)
    if weight is None:
        return bind(mse_loss, (input, target), (reduction,))
    return _weighted((input - target) ** 2, weight, reduction)


def _weighted(loss: Any, weight: Any, reduction: str) -> Any:
    if weight.shape != loss.shape:
        raise ValueError("Weights and input must have the same size.")
    loss = loss * weight
    return loss.sum() / weight.sum() if reduction == "mean" else _reduced(loss, reduction)


@public(
    "nn.functional.l1_loss(Tensor input, Tensor target, object size_average=None, object reduce=None, str reduction=mean, Tensor? weight=None) -> Tensor",
    python=True,
    reads="size",
)
def l1_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean", weight: Any = None,
) -> Any:  # fmt: skip
    """Return the mean of absolute differences; the arguments are those of `mse_loss`.

    Parameters
    ----------
    input, target, reduction, weight
        As those of `mse_loss`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.l1_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.5, 4.0]))
    tensor(1.2500)
    """
    reduction = reduction_of(size_average, reduce, reduction)
    input, target = same_sizes(input, target)
    loss = (input - target).abs()
    return _reduced(loss, reduction) if weight is None else _weighted(loss, weight, reduction)


def _checked_classes(input: Any, target: Any, weight: Any, ignore_index: int) -> Any:
    """Return targets that are classes, or raise PyTorch's error."""
    shape, rank, plane = input.shape, len(input.shape), len(input.shape) > 2
    if not rank:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    axis = 0 if rank == 1 else 1
    batch = target.shape[0] if target.shape else 0
    if rank > 1 and shape[0] != batch:
        raise ValueError(
            f"Expected input batch_size ({shape[0]}) to match target batch_size ({batch})."
        )
    if not plane and len(target.shape) > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if rank == 4 and len(target.shape) != 3:
        raise RuntimeError(
            "only batches of spatial targets supported (3D tensors) but got targets of dimension: "
            f"{len(target.shape)}"
        )
    wanted = shape[:axis] + shape[axis + 1 :]
    if plane and rank != 4 and wanted != target.shape:
        raise RuntimeError(f"Expected target size {list(wanted)}, got {list(target.shape)}")
    if target.dtype not in (int64, uint8):
        raise RuntimeError(
            f"expected target dtype to be Long or Byte, but got {target.dtype.scalar_name}"
        )
    if rank == 1 and target.shape:
        if target.shape != (1,):
            raise ValueError(
                f"For 1D input, 1D target must have size 1, but got target size: {batch}"
            )
        target = target.reshape(())
    if weight is not None and (
        size_of(weight.shape) != shape[axis] or not (plane or len(weight.shape) == 1)
    ):
        which = "" if plane else f" {shape[axis]} classes"
        got = "" if plane else f" but got weight tensor of shape: {list(weight.shape)}"
        raise RuntimeError(
            f"weight tensor should be defined either for all{which} or no classes{got}"
        )
    if plane and wanted != target.shape:
        raise RuntimeError(
            f"size mismatch (got input: {list(shape)} , target: {list(target.shape)}"
        )
    if input.dtype.category != Category.FLOAT:
        kernel = "nll_loss2d_forward_out_frame" if plane else "nll_loss_out_frame"
        raise no_kernel(kernel, input.dtype)
    for x, kind in ((target, int64 if plane else target.dtype), (weight, input.dtype)):
        if x is not None and x.dtype is not kind:
            raise RuntimeError(
                f"expected scalar type {kind.scalar_name} but found {x.dtype.scalar_name}"
            )
    words = "Target {} is out of bounds."
    return check_bounds(
        target.to(int64), 0, shape[axis] - 1, IndexError, words, ignored=ignore_index
    )


@public(
    "nn.functional.nll_loss(Tensor input, Tensor target, Tensor? weight=None, object size_average=None, int ignore_index=-100, object reduce=None, str reduction=mean) -> Tensor",
    python=True,
    inner="nll_loss_nd(Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index)",
)
def nll_loss_function(
    input: Any, target: Any, weight: Any = None, size_average: Any = None,
    ignore_index: int = -100, reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """Return the negative log-likelihood of classes.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Logarithms of probabilities; classes along axis 1, or the only axis.
    target : Tensor or ArrayExpr
        Integers: the shape of `input` without the axis of classes.
    weight : Tensor, optional
        A factor for each class.
    ignore_index : int
        A target that counts nothing.
    reduction : "mean", "sum" or "none"
        The mean is that weighted by class.

    Raises
    ------
    IndexError
        If a target is no class.
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> p = torch.tensor([[0.5, 0.25, 0.25], [0.125, 0.75, 0.125]])
    >>> torch.nn.functional.nll_loss(p.log(), torch.tensor([0, 2]), reduction="none")
    tensor([0.6931, 2.0794])
    """
    reduction = reduction_of(size_average, reduce, reduction)
    target = _checked_classes(input, target, weight, ignore_index)
    operands = (input, target) if weight is None else (input, target, weight)
    ignored = _occurring(ignore_index, target)
    unusual = ignored is None and ignore_index != _IGNORED
    face = given(nll_loss, ignore_index=ignore_index % 2**64) if unusual else None
    return bind(nll_loss, operands, (ignored, reduction), face)


def _occurring(ignore_index: int, target: Any) -> int | None:
    """Return the class that is ignored, or None where no target has it: a formula cannot know."""
    values = every_value(target)
    return ignore_index if values is None or np.any(values == ignore_index) else None


def _check_factor(weight: Any, shape: Shape, kind: dtype) -> None:
    """Raise PyTorch's error unless losses of a shape and a dtype can be multiplied in place."""
    if not hasattr(weight, "shape"):
        return
    common = broadcast_shapes(shape, weight.shape)
    if common != shape:
        raise RuntimeError(
            f"output with shape {list(shape)} doesn't match the broadcast shape {list(common)}"
        )
    if weight.dtype.category > kind.category:
        raise cast_refused(weight.dtype, kind)


#: Products and quotients with a number, as PyTorch's own functions compute them.
_TIMES_NUMBER = dataclasses.replace(face_of(mul), name="MulBackward1", numbers="")
_OVER_NUMBER = dataclasses.replace(face_of(div), name="DivBackward1", numbers="")


def along_axis(weight: Any, axis: int, rank: int) -> Any:
    """Return a vector along an axis of arrays of a rank."""
    return weight.reshape((1,) * axis + (-1,) + (1,) * (rank - axis - 1))


@public(
    "nn.functional.cross_entropy(Tensor input, Tensor target, Tensor? weight=None, object size_average=None, int ignore_index=-100, object reduce=None, str reduction=mean, float label_smoothing=0.0) -> Tensor",
    python=True,
    inner="cross_entropy_loss(Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index, float label_smoothing)",
)
def cross_entropy(
    input: Any, target: Any, weight: Any = None, size_average: Any = None,
    ignore_index: int = -100, reduce: Any = None, reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:  # fmt: skip
    """Return the cross entropy of classes, or of probabilities, from logits.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Logits; classes along axis 1, or the only axis.
    target : Tensor or ArrayExpr
        Integer classes as in `nll_loss`, or probabilities of the shape of `input`.
    weight, ignore_index, reduction
        As in `nll_loss`.
    label_smoothing : float
        The share of each target that goes to all classes alike.

    Examples
    --------
    >>> import symgrad as torch
    >>> logits = torch.tensor([[2.0, 0.0, 0.0], [0.0, 0.0, 1.0]], requires_grad=True)
    >>> loss = torch.nn.functional.cross_entropy(logits, torch.tensor([0, 2]))
    >>> loss.detach()
    tensor(0.3955)
    >>> loss.backward()
    >>> logits.grad
    tensor([[-0.1065,  0.0533,  0.0533],
            [ 0.1060,  0.1060, -0.2119]])
    """
    reduction = reduction_of(size_average, reduce, reduction)
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    shape = input.shape
    axis = 0 if len(shape) == 1 else 1
    probabilities = target.shape == shape
    if probabilities and target.dtype.category != Category.FLOAT:
        raise RuntimeError(
            "Expected floating point type for target with class probabilities, got "
            f"{target.dtype.scalar_name}"
        )
    if probabilities and ignore_index >= 0:
        raise RuntimeError("ignore_index is not supported for floating point target")
    if probabilities and weight is not None and weight.shape != shape[axis : axis + 1]:
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {shape[axis]} classes "
            f"or no classes but got weight tensor of shape: {list(weight.shape)}"
        )
    logs = FUNCTIONS["log_softmax"](input, axis)
    if probabilities:
        factors = None if weight is None else along_axis(weight, axis, len(shape))
        if label_smoothing:
            target = target * (1 - label_smoothing) + label_smoothing / shape[axis]
        terms = _weighed(logs * target, factors)
        if reduction == "none":
            return -terms.sum(axis)
        if reduction == "sum":
            return -terms.sum()
        count = size_of(shape[:axis] + shape[axis + 1 :]) if size_of(shape) else 0
        return bind(div, (-terms.sum(), count), (), _OVER_NUMBER)  # nan where there is none
    nll = nll_loss_function(logs, target, weight, ignore_index=ignore_index, reduction=reduction)
    if not label_smoothing:
        return nll
    if len(shape) == 1 and target.shape:
        raise RuntimeError("output with shape [] doesn't match the broadcast shape [1]")
    factors = None if weight is None else along_axis(weight, axis, len(shape))
    spread = -_weighed(logs, factors).sum(axis)
    picked = _Classes(target, len(shape), _occurring(ignore_index, target))
    if picked.counts is not None:
        spread = spread.masked_fill(target.eq(ignore_index), 0)
    if reduction != "none":
        spread = spread.sum()
    if reduction == "mean":
        weights = None if weight is None else picked.weights(weight)
        spread = spread / picked.total(weights, spread.dtype)
    terms = [(nll, 1 - label_smoothing), (spread, label_smoothing / shape[axis])]
    hard, soft = [bind(mul, term, (), _TIMES_NUMBER) for term in terms]
    return hard + soft


@public(
    "nn.functional.binary_cross_entropy(Tensor input, Tensor target, Tensor? weight=None, object size_average=None, object reduce=None, str reduction=mean) -> Tensor",
    python=True,
    reads="size",
)
def binary_cross_entropy_function(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """Return the cross entropy of probabilities of one of two classes.

    The logarithms are bounded below by -100, as in PyTorch.

    Parameters
    ----------
    input, target : Tensor or ArrayExpr
        Probabilities, of one shape.
    weight : Tensor, optional
        A factor for each element.
    reduction : "mean", "sum" or "none"
        What becomes of the elements.

    Raises
    ------
    ValueError
        If the shapes differ.
    RuntimeError
        If a probability is outside [0, 1].

    Examples
    --------
    >>> import symgrad as torch
    >>> p = torch.tensor([0.9, 0.0])
    >>> torch.nn.functional.binary_cross_entropy(p, torch.tensor([1.0, 1.0]), reduction="none")
    tensor([  0.1054, 100.0000])
    """
    reduction = reduction_of(size_average, reduce, reduction)
    if input.shape != target.shape:
        raise ValueError(
            f"Using a target size (torch.Size({list(target.shape)})) that is different to the "
            f"input size (torch.Size({list(input.shape)})) is deprecated. Please ensure they have "
            "the same size."
        )
    if weight is not None:
        FUNCTIONS["broadcast_shapes"](Size(target.shape), Size(weight.shape))
    if target.dtype is not input.dtype:
        raise RuntimeError(
            f"Found dtype {target.dtype.scalar_name} but expected {input.dtype.scalar_name}"
        )
    if input.dtype.category != Category.FLOAT:
        raise no_kernel("binary_cross_entropy", input.dtype)
    words = "all elements of {} should be between 0 and 1"
    input = check_bounds(input, 0, 1, RuntimeError, words.format("input"))
    target = check_bounds(target, 0, 1, RuntimeError, words.format("target"))
    _check_factor(weight, input.shape, input.dtype)
    operands = (input, target) if weight is None else (input, target, weight)
    return bind(binary_cross_entropy, operands, (reduction,))


@public(
    "nn.functional.binary_cross_entropy_with_logits(Tensor input, Tensor target, Tensor? weight=None, object size_average=None, object reduce=None, str reduction=mean, Tensor? pos_weight=None) -> Tensor",
    python=True,
    reads="size",
    inner="binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight, Tensor? pos_weight, int reduction)",
)
def binary_cross_entropy_with_logits_function(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean", pos_weight: Any = None,
) -> Any:  # fmt: skip
    """Return the cross entropy of one of two classes from logits, accurate in both tails.

    Parameters
    ----------
    input, target : Tensor or ArrayExpr
        Of one shape.
    weight, pos_weight : Tensor, optional
        Factors of elements, and of the positive class.
    reduction : "mean", "sum" or "none"
        What becomes of the elements.

    Raises
    ------
    ValueError
        If the shapes differ.

    Examples
    --------
    >>> import symgrad as torch
    >>> logits = torch.tensor([2.0, -3.0], requires_grad=True)
    >>> target = torch.tensor([1.0, 0.0])
    >>> loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, target)
    >>> loss.detach()
    tensor(0.0878)
    >>> loss.backward()
    >>> logits.grad
    tensor([-0.0596,  0.0237])
    """
    reduction = reduction_of(size_average, reduce, reduction)
    if input.shape != target.shape:
        raise ValueError(
            f"Target size (torch.Size({list(target.shape)})) must be the same as input size "
            f"(torch.Size({list(input.shape)}))"
        )
    if isinstance(pos_weight, np.generic):
        pos_weight = pos_weight.item()
    kind = target.dtype
    if input.dtype.category != Category.FLOAT:
        raise no_kernel("log_sigmoid_cpu", input.dtype)
    if kind is bool_:
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
            "`logical_xor()` operator instead."
        )
    if kind.category < Category.FLOAT:
        raise cast_refused(input.dtype, kind)
    # PyTorch multiplies the targets by the one, then the logarithms by these and the losses by the
    # other in place.
    if hasattr(pos_weight, "shape"):
        broadcast_shapes(pos_weight.shape, input.shape)
    if pos_weight is not None and kind.is_complex:
        raise cast_refused(kind, input.dtype)
    _check_factor(pos_weight, input.shape, input.dtype)
    _check_factor(weight, input.shape, kind)
    operands = [x for x in (input, target, weight, pos_weight) if x is not None]
    params = (reduction, pos_weight is not None)
    face = _OF_POSITIVE if weight is None and pos_weight is not None else None
    return bind(binary_cross_entropy_with_logits, operands, params, face)


_MOST = 2**63 - 1  # the largest class that there is


@public("nn.functional.one_hot(Tensor self, int num_classes=-1) -> Tensor")
def one_hot(input: Any, num_classes: int = -1) -> Any:
    """Return 1 at the class of each element along a new last axis, else 0.

    Parameters
    ----------
    input : Tensor
        Classes: integers from 0 on.
    num_classes : int
        The length of the new axis; -1 stands for one more than the largest class.

    Raises
    ------
    RuntimeError
        If an element is no class.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.one_hot(torch.tensor([0, 2, 1]), num_classes=4)
    tensor([[1, 0, 0, 0],
            [0, 0, 1, 0],
            [0, 1, 0, 0]])
    """
    if input.dtype is not int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if num_classes == -1:
        values = counted_values(input, "one_hot")
        if values is None:
            raise UntraceableValue(
                "the number of classes of a formula has to be given: num_classes"
            )
        if not values.size:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        num_classes = int(values.max()) + 1
    top, words = num_classes - 1, "Class values must be smaller than num_classes."
    input = check_bounds(input, 0, _MOST, RuntimeError, "Class values must be non-negative.")
    input = check_bounds(input, -_MOST, top, RuntimeError, words)
    return input.unsqueeze(-1).eq(np.arange(num_classes)).to(int64).contiguous()
