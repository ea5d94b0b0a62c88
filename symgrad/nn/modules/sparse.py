"""Layers that look up rows of a table."""

from __future__ import annotations

from typing import Any, Self

from symgrad.functions.creation import CREATION
from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn import init
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
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError(_OUTSIDE)
            padding_idx %= num_embeddings
        self.padding_idx, self.max_norm, self.norm_type = padding_idx, max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        shape = (num_embeddings, embedding_dim)
        if _weight is not None and tuple(_weight.shape) != shape:
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        table = _weight
        if table is None:
            table = CREATION["empty"](shape, device=device, dtype=dtype)
        self.weight: Any = Parameter(table, requires_grad=not _freeze)
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
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

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
        if len(embeddings.shape) != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        return cls(
            rows, columns, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse,
            _weight=embeddings, _freeze=freeze,
        )  # fmt: skip
