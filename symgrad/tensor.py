"""`Tensor`: an array with its place in the graph.

What tensors can compute comes from the tables of `symgrad.public`; here stand identity, data and
the attributes of autograd. Making tensors is in `symgrad.creation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.autograd.aval import aval_of
from symgrad.autograd.record import Recorded, binary, record, set_result_class, unary, wrap
from symgrad.autograd.tape import Node
from symgrad.expr.dtypes import default_dtype, dtype
from symgrad.formatting import tensor_repr
from symgrad.ops import BINARY_OPERATORS, UNARY_OPERATORS
from symgrad.primitive import PRIMITIVES, Elementwise
from symgrad.public import FUNCTIONS, METHODS, install

__all__ = ["Tensor"]


class Tensor(Recorded):
    """An array that remembers how it was computed."""

    __array_priority__ = 1000
    _grad: Any = None

    _record = staticmethod(record)

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return self._aval.shape

    @property
    def dtype(self) -> dtype:
        """The element type."""
        return self._aval.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self._aval.shape)

    def numel(self) -> int:
        """Return the number of elements."""
        return self._aval.size

    @property
    def weak(self) -> bool:
        return False

    @property
    def requires_grad(self) -> bool:
        """Whether a gradient is computed for this tensor."""
        return self._rg

    @property
    def is_leaf(self) -> bool:
        """Whether the tensor was not computed under record."""
        return not isinstance(self._vertex, Node)

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operation that computed this tensor."""
        return self._vertex if isinstance(self._vertex, Node) else None

    @property
    def expr(self) -> Any:
        """The formula by which the tensor was computed, as it was written."""
        from symgrad.explain import expression_of  # noqa: PLC0415 - only when asked for

        return expression_of(self)

    @property
    def grad(self) -> Any:
        """The accumulated gradient."""
        return self._grad

    @grad.setter
    def grad(self, value: Any) -> None:
        self._grad = value

    def backward(
        self,
        gradient: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Compute the gradient of this tensor and accumulate it into leaves."""
        from symgrad.autograd import backward

        backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def __repr__(self) -> str:
        node = self.grad_fn
        return tensor_repr(
            self._data,
            requires_grad=self._rg,
            grad_fn=None if node is None else node.name(),
            default_float=default_dtype().numpy,
        )


def _accelerate() -> None:
    """Exchange the public forms of elementwise operations for their short recording forms."""
    for name, cls in PRIMITIVES.items():
        if isinstance(cls, type) and issubclass(cls, Elementwise) and not cls.params:
            if cls.arity == 1 and name in METHODS:
                setattr(Tensor, name, unary(cls))
    for name, cls in BINARY_OPERATORS.items():
        setattr(Tensor, f"__{name}__", binary(cls))
        setattr(Tensor, f"__r{name}__", binary(cls, reflected=True))
    for name, cls in UNARY_OPERATORS.items():
        setattr(Tensor, f"__{name}__", unary(cls))


_accelerate()
install(Tensor)
set_result_class(Tensor)
_ = (Sequence, np, aval_of, wrap, FUNCTIONS)
