"""The loss of sequences whose alignment is not known: `ctc_loss`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category, float32, float64, no_kernel
from symgrad.functions.creation.making import CREATION
from symgrad.functions.losses import reduction_of
from symgrad.ops.alignments import alignment_loss
from symgrad.ops.losses import _reduced
from symgrad.ops.operand_values import counted_values
from symgrad.ops.primitive import bind
from symgrad.record.face import nothing, shows
from symgrad.schema.public import FUNCTIONS, public
from symgrad.support.untraceable import UntraceableValue

Array = np.ndarray[Any, Any]

shows(alignment_loss, name="CtcLoss", facts=nothing)


@public(
    "nn.functional.ctc_loss(Tensor log_probs, Tensor targets, object input_lengths, object target_lengths, int blank=0, str reduction=mean, bool zero_infinity=False) -> Tensor",
    python=True,
    inner="ctc_loss(Tensor log_probs, Tensor targets, object input_lengths, object target_lengths, int blank, int reduction, bool zero_infinity)",
)
def _ctc_loss(
    log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int = 0,
    reduction: str = "mean", zero_infinity: bool = False,
) -> Any:  # fmt: skip
    """Return how unlikely target sequences are, over all ways to align them with the input.

    At each time one class is read; equal ones that follow each other count once, and blanks for
    none.

    Parameters
    ----------
    log_probs : Tensor or ArrayExpr
        Logarithms of probabilities, of shape (T, N, C) or (T, C).
    targets : Tensor
        Classes, of shape (N, S), or all targets one after the other.
    input_lengths, target_lengths : Tensor or sequence of int
        The lengths of each sequence.
    blank : int
        The class that counts for none.
    reduction : "mean", "sum" or "none"
        What becomes of the losses; for the mean each is divided by the length of its target.
    zero_infinity : bool
        Whether a loss of infinity, of a target that does not fit in the input, counts 0.

    Raises
    ------
    RuntimeError
        If lengths or classes do not fit.

    References
    ----------
    A. Graves et al., "Connectionist temporal classification" (2006), equations 6 to 8.

    Examples
    --------
    >>> import symgrad as torch
    >>> log_probs = torch.full((2, 1, 2), 0.5).log()
    >>> targets = torch.tensor([[1]])
    >>> torch.nn.functional.ctc_loss(log_probs, targets, (2,), (1,)).exp().reciprocal()
    tensor(0.7500)
    """
    reduction = reduction_of(None, None, reduction)
    alone = len(log_probs.shape) == 2
    lengths = _lengths(input_lengths, "input_lengths"), _lengths(target_lengths, "target_lengths")
    if alone:
        log_probs = log_probs.unsqueeze(1)
    labels = _labels(log_probs, targets, *lengths, blank)
    known = [CREATION["tensor"](x) for x in (labels, *lengths)]
    losses = bind(alignment_loss, (log_probs, *known), (blank,))
    if zero_infinity:
        losses = FUNCTIONS["where"](losses.eq(math.inf), 0.0, losses)
    if reduction == "mean":
        counts = np.maximum(lengths[1], 1).astype(log_probs.dtype.numpy)
        return (losses / CREATION["tensor"](counts)).mean()
    return losses.squeeze(0) if alone and reduction == "none" else _reduced(losses, reduction)


def _lengths(given: Any, name: str) -> Array:
    if not hasattr(given, "dtype"):
        return np.array(given, dtype=np.int64).reshape(-1)
    if given.dtype.category != Category.INT:
        raise RuntimeError(f"{name} must be integral")
    found = counted_values(given, "ctc_loss")
    if found is None:
        raise UntraceableValue(f"the lengths of sequences have to be known: {name}")
    return found.reshape(-1).astype(np.int64)


def _labels(
    log_probs: Any, targets: Any, input_lengths: Array, target_lengths: Array, blank: int
) -> Array:
    """Return the classes of each target, of shape (N, S), checked."""
    if len(log_probs.shape) != 3:
        raise RuntimeError(
            "Expected 3-dimensional tensor, but got "
            f"{len(log_probs.shape)}-dimensional tensor for argument #1 'log_probs' (while "
            "checking arguments for ctc_loss)"
        )
    if 0 in log_probs.shape:
        raise RuntimeError("log_probs tensor must not be empty")
    times, batch, classes = log_probs.shape
    if log_probs.dtype not in (float32, float64):
        raise no_kernel("ctc_loss_cpu", log_probs.dtype)
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    for name, found in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if len(found) != batch:
            raise RuntimeError(f"{name} must be of size batch_size")
        if (found < 0).any():
            raise RuntimeError(f"{name} must be non-negative")
    if (input_lengths > times).any():
        raise RuntimeError(
            f"Expected input_lengths to have value at most {times}, but got value "
            f"{input_lengths[input_lengths > times][0]} (while checking arguments for "
            "ctc_loss_allocate_outputs)"
        )
    values = counted_values(targets, "ctc_loss")
    if values is None:
        raise UntraceableValue("the targets of a formula have to be known")
    values = values.astype(np.int64)
    longest = int(target_lengths.max())
    found = np.full((batch, longest), blank, np.int64)
    if values.ndim == 1:
        total = int(target_lengths.sum())
        if values.size != total:
            raise RuntimeError(
                f"Expected tensor to have size {total} at dimension 0, but got size {values.size} "
                "for argument #2 'targets' (while checking arguments for "
                "ctc_loss_allocate_outputs)"
            )
        stops = np.cumsum(target_lengths)
        rows = [values[stop - n : stop] for stop, n in zip(stops, target_lengths, strict=True)]
    else:
        if values.ndim != 2 or values.shape[0] != batch or values.shape[1] < longest:
            raise RuntimeError(
                f"Expected tensor to have size at least {longest} at dimension 1, but got size "
                f"{list(values.shape)} for argument #2 'targets' (while checking arguments for "
                "ctc_loss_allocate_outputs)"
            )
        rows = list(values)
    for k, (row, n) in enumerate(zip(rows, target_lengths, strict=True)):
        found[k, :n] = row[:n]
    if ((found < 0) | (found >= classes)).any():
        raise RuntimeError("targets must be in label range")
    return found
