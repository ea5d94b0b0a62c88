"""Softmax of very many classes, the rarer ones in clusters: `AdaptiveLogSoftmaxWithLoss`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from symgrad.functions.creation import CREATION
from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.container import ModuleList, Sequential
from symgrad.nn.modules.linear import Linear
from symgrad.nn.modules.module import Module
from symgrad.ops.operand_values import counted_values
from symgrad.schema.public import FUNCTIONS
from symgrad.support.untraceable import UntraceableValue


class _ASMoutput(NamedTuple):
    """The logarithms of the probabilities of the targets, and the mean of their negatives."""

    output: Any
    loss: Any


class AdaptiveLogSoftmaxWithLoss(Module):
    """Logarithms of probabilities of many classes, which are sorted by how often they occur.

    The head knows the first classes, and clusters of the others; a cluster is computed for those
    rows alone whose target it has.

    Parameters
    ----------
    in_features, n_classes : int
        The length of a row, and the number of classes.
    cutoffs : sequence of int
        The first class of each cluster.
    div_value : float
        How many times shorter rows become from cluster to cluster.
    head_bias : bool
        Whether the head has a bias.
    device, dtype : optional
        Of the parameters.

    Raises
    ------
    ValueError
        If the cutoffs do not ascend within the classes.

    References
    ----------
    E. Grave et al., "Efficient softmax approximation for GPUs" (2017).

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.AdaptiveLogSoftmaxWithLoss(16, 20, (5, 10))
    >>> output, loss = layer(torch.randn(3, 16), torch.tensor([0, 7, 19]))
    >>> output.shape, loss.shape
    (torch.Size([3]), torch.Size([]))
    """

    def __init__(
        self, in_features: int, n_classes: int, cutoffs: Sequence[int], div_value: float = 4.0,
        head_bias: bool = False, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        found = list(cutoffs)
        if not found:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        ascend = found == sorted(set(found)) and all(int(c) == c for c in found)
        if not ascend or found[0] <= 0 or found[-1] > n_classes - 1:
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an "
                "increasing order, where each value is between 1 and n_classes-1"
            )
        self.in_features, self.n_classes = in_features, n_classes
        self.cutoffs, self.div_value = [*found, n_classes], div_value
        self.head_bias = head_bias
        self.shortlist_size, self.n_clusters = found[0], len(found)
        self.head_size = self.shortlist_size + self.n_clusters
        kind: dict[str, Any] = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **kind)
        self.tail = ModuleList()
        for i, (start, stop) in enumerate(pairwise(self.cutoffs)):
            width = int(in_features // div_value ** (i + 1))
            down = Linear(in_features, width, bias=False, **kind)
            self.tail.append(Sequential(down, Linear(width, stop - start, bias=False, **kind)))

    def reset_parameters(self) -> None:
        """Draw the parameters anew.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.AdaptiveLogSoftmaxWithLoss(16, 20, (5, 10)).reset_parameters()
        """
        self.head.reset_parameters()
        for cluster in self.tail:
            for layer in cluster:
                layer.reset_parameters()

    def forward(self, input_: Any, target_: Any) -> _ASMoutput:
        """Return the logarithms of the probabilities of the targets, and their negative mean.

        Parameters
        ----------
        input_ : Tensor or ArrayExpr
            Of shape (N, in_features), or (in_features,).
        target_ : Tensor
            The classes, of shape (N,), or one.

        Raises
        ------
        RuntimeError
            If shapes do not fit, or there is no such class.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.AdaptiveLogSoftmaxWithLoss(16, 20, (5, 10))
        >>> layer.forward(torch.randn(16), torch.tensor(3)).output.shape
        torch.Size([])
        """
        rank, shape = len(target_.shape), tuple(input_.shape)
        if rank > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if rank == 1 and shape[0] != target_.shape[0]:
            raise RuntimeError("Input and target should have the same size in the batch dimension.")
        if len(shape) != rank + 1:
            raise RuntimeError(
                f"{rank}D target tensor expects {rank + 1}D input tensors, but found inputs with "
                f"size {input_.shape}"
            )
        input = input_ if rank else input_.unsqueeze(0)
        values = counted_values(target_, "AdaptiveLogSoftmaxWithLoss")
        if values is None:
            raise UntraceableValue("the targets of a formula have to be known")
        target = np.asarray(values).reshape(-1)
        if ((target < 0) | (target >= self.n_classes)).any():
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                f"[{target.min()}, {target.max()}] were found. "
            )
        at = np.where(target < self.shortlist_size, target, 0)
        within = CREATION["zeros"](len(target), dtype=input.dtype)
        for i, (start, stop) in enumerate(pairwise(self.cutoffs)):
            rows = np.nonzero((target >= start) & (target < stop))[0]
            if rows.size:
                at[rows] = self.shortlist_size + i
                places = CREATION["tensor"](rows)
                logs = F.log_softmax(self.tail[i](input.index_select(0, places)), dim=1)
                own = logs.gather(1, CREATION["tensor"](target[rows] - start).unsqueeze(1))
                within = within.index_copy(0, places, own.squeeze(1))
        head = F.log_softmax(self.head(input), dim=1)
        output = within + head.gather(1, CREATION["tensor"](at).unsqueeze(1)).squeeze(1)
        loss = (-output).mean()
        return _ASMoutput(output if rank else output.squeeze(0), loss)

    def _log_prob(self, input: Any, scores: Any) -> Any:
        head = F.log_softmax(scores, dim=1)
        parts = [head[:, : self.shortlist_size]]
        for i, cluster in enumerate(self.tail):
            place = self.shortlist_size + i
            logs = F.log_softmax(cluster(input), dim=1)
            parts.append(logs + head[:, place : place + 1])
        return FUNCTIONS["cat"](parts, 1)

    def log_prob(self, input: Any) -> Any:
        """Return the logarithms of the probabilities of all classes.

        Parameters
        ----------
        input : Tensor or ArrayExpr
            Of shape (N, in_features).

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.AdaptiveLogSoftmaxWithLoss(16, 20, (5, 10))
        >>> torch.allclose(layer.log_prob(torch.randn(3, 16)).exp().sum(1), torch.ones(3))
        True
        """
        return self._log_prob(input, self.head(input))

    def predict(self, input: Any) -> Any:
        """Return the class that is most probable.

        Parameters
        ----------
        input : Tensor or ArrayExpr
            Of shape (N, in_features).

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.AdaptiveLogSoftmaxWithLoss(16, 20, (5, 10))
        >>> layer.predict(torch.randn(3, 16)).shape
        torch.Size([3])
        """
        scores = self.head(input)
        first = scores.argmax(1)
        others = first.ge(self.shortlist_size)
        return FUNCTIONS["where"](others, self._log_prob(input, scores).argmax(1), first)
