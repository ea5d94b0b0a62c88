"""Layers that look up rows of a table."""

from __future__ import annotations

from typing import Any, Self

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn import init
from symgrad.nn.modules.layer import parameter
from symgrad.nn.modules.module import Module
from symgrad.nn.parameter import Parameter
from symgrad.record.modes import no_grad

_OUTSIDE = "Padding_idx must be within num_embeddings"


class Embedding(Module):
    """The rows of a table by their numbers, as vectors that stand for words.

    Parameters
    ----------
    num_embeddings, embedding_dim : int
        How many rows there are, and how long they are.
    padding_idx : int, optional
        A row that stays zero.
    max_norm : float, optional
        Rows that are longer get this length first, in place.
    norm_type : float
        The order of the norm that lengths are measured by.
    scale_grad_by_freq : bool
        Whether the gradient of a row is divided by how often it is named.
    sparse : bool
        Gradients are never sparse here.
    device, dtype : optional
        Of the table.

    Attributes
    ----------
    weight : Parameter
        The table, drawn from the standard normal distribution.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.Embedding(10, 3)
    >>> layer(torch.tensor([[1, 2, 4, 5], [4, 3, 2, 9]])).shape
    torch.Size([2, 4, 3])
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None,
        max_norm: float | None = None, norm_type: float = 2.0, scale_grad_by_freq: bool = False,
        sparse: bool = False, _weight: Any = None, _freeze: bool = False, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx = _padding(padding_idx, num_embeddings, _OUTSIDE)
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        self.weight: Any = _table(_weight, (num_embeddings, embedding_dim), device, dtype)
        self.weight.requires_grad = not _freeze
        if _weight is None:
            self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the table anew.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Embedding(2, 1, padding_idx=0)
        >>> _ = torch.manual_seed(0)
        >>> layer.reset_parameters()
        >>> layer.weight.detach()
        tensor([[ 0.0000],
                [-0.2934]])
        """
        _draw(self.weight, self.padding_idx)

    def forward(self, input: Any) -> Any:
        return F.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type,
            self.scale_grad_by_freq, self.sparse,
        )  # fmt: skip

    def extra_repr(self) -> str:
        usual = {
            "padding_idx": None, "max_norm": None, "norm_type": 2.0, "scale_grad_by_freq": False,
            "sparse": False,
        }  # fmt: skip
        given = [
            f"{name}={getattr(self, name)}"
            for name, value in usual.items()
            if getattr(self, name) != value
        ]
        return ", ".join([str(self.num_embeddings), str(self.embedding_dim), *given])

    @classmethod
    def from_pretrained(
        cls, embeddings: Any, freeze: bool = True, padding_idx: int | None = None,
        max_norm: float | None = None, norm_type: float = 2.0, scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Self:  # fmt: skip
        """Make a layer of a table that is known.

        Parameters
        ----------
        embeddings : Tensor
            The table.
        freeze : bool
            Whether it stays as it is in training.
        padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse
            As those of the class.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Embedding.from_pretrained(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        >>> layer(torch.tensor([1]))
        tensor([[3., 4.]])
        """
        rows, columns = _shape_of(embeddings)
        return cls(
            rows, columns, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse,
            _weight=embeddings, _freeze=freeze,
        )  # fmt: skip


class EmbeddingBag(Module):
    """The mean, the sum or the maximum of rows of a table, for each of several bags of numbers.

    Parameters
    ----------
    num_embeddings, embedding_dim : int
        How many rows there are, and how long they are.
    max_norm, norm_type, scale_grad_by_freq, sparse
        As those of `Embedding`.
    mode : "mean", "sum" or "max"
        What becomes of the rows of a bag.
    include_last_offset : bool
        Whether the last offset is where the last bag ends.
    padding_idx : int, optional
        A row that counts for none, and stays zero.
    device, dtype : optional
        Of the table.

    Attributes
    ----------
    weight : Parameter
        The table, drawn from the standard normal distribution.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.EmbeddingBag(10, 3, mode="sum")
    >>> layer(torch.tensor([1, 2, 4, 5, 4]), torch.tensor([0, 3])).shape
    torch.Size([2, 3])
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, max_norm: float | None = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, mode: str = "mean",
        sparse: bool = False, _weight: Any = None, include_last_offset: bool = False,
        padding_idx: int | None = None, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.max_norm, self.norm_type, self.mode = max_norm, norm_type, mode
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        self.include_last_offset = include_last_offset
        self.padding_idx = _padding(padding_idx, num_embeddings, _OUTSIDE.lower())
        self.weight: Any = _table(_weight, (num_embeddings, embedding_dim), device, dtype)
        if _weight is None:
            self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the table anew.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.EmbeddingBag(2, 1, padding_idx=0)
        >>> _ = torch.manual_seed(0)
        >>> layer.reset_parameters()
        >>> layer.weight.detach()
        tensor([[ 0.0000],
                [-0.2934]])
        """
        _draw(self.weight, self.padding_idx)

    def forward(self, input: Any, offsets: Any = None, per_sample_weights: Any = None) -> Any:
        """Return what each bag gives.

        Parameters
        ----------
        input : Tensor
            The numbers of rows. Of two axes, each row is a bag.
        offsets : Tensor, optional
            Where each bag begins in `input`, if that has one axis.
        per_sample_weights : Tensor, optional
            A factor for each row of a sum, in the shape of `input`.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.EmbeddingBag.from_pretrained(torch.tensor([[1.0], [3.0]]))
        >>> layer.forward(torch.tensor([[0, 1], [1, 1]]))
        tensor([[2.],
                [3.]])
        """
        return F.embedding_bag(
            input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq,
            self.mode, self.sparse, per_sample_weights, self.include_last_offset, self.padding_idx,
        )  # fmt: skip

    def extra_repr(self) -> str:
        parts = [str(self.num_embeddings), str(self.embedding_dim)]
        for name, usual in (("max_norm", None), ("norm_type", 2), ("scale_grad_by_freq", False)):
            if getattr(self, name) != usual:
                parts.append(f"{name}={getattr(self, name)}")
        parts.append(f"mode={self.mode!r}")
        if self.padding_idx is not None:
            parts.append(f"padding_idx={self.padding_idx}")
        return ", ".join(parts)

    @classmethod
    def from_pretrained(
        cls, embeddings: Any, freeze: bool = True, max_norm: float | None = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, mode: str = "mean",
        sparse: bool = False, include_last_offset: bool = False, padding_idx: int | None = None,
    ) -> Self:  # fmt: skip
        """Make a layer of a table that is known.

        Parameters
        ----------
        embeddings : Tensor
            The table.
        freeze : bool
            Whether it stays as it is in training.
        max_norm, norm_type, scale_grad_by_freq, mode, sparse, include_last_offset, padding_idx
            As those of the class.

        Examples
        --------
        >>> import symgrad as torch
        >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> torch.nn.EmbeddingBag.from_pretrained(table)(torch.tensor([[0, 1]]))
        tensor([[2., 3.]])
        """
        rows, columns = _shape_of(embeddings)
        layer = cls(
            rows, columns, max_norm, norm_type, scale_grad_by_freq, mode, sparse, embeddings,
            include_last_offset, padding_idx,
        )  # fmt: skip
        layer.weight.requires_grad = not freeze
        return layer


def _padding(place: int | None, rows: int, refusal: str) -> int | None:
    """Return the number of a row, which may count from the end."""
    if place is None:
        return None
    if not -rows <= place < rows:
        raise AssertionError(refusal)
    return place % rows


def _table(given: Any, shape: tuple[int, int], device: Any, dtype: Any) -> Parameter:
    """Return the table that is given as a parameter, or one that is still to be drawn."""
    if given is None:
        return parameter(*shape, device=device, dtype=dtype)
    if tuple(given.shape) != shape:
        raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
    return Parameter(given)


def _draw(weight: Any, padding: int | None) -> None:
    init.normal_(weight)
    if padding is not None:
        with no_grad():
            weight[padding].fill_(0)


def _shape_of(embeddings: Any) -> tuple[int, int]:
    if len(embeddings.shape) != 2:
        raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
    rows, columns = embeddings.shape
    return rows, columns
