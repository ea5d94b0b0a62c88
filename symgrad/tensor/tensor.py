"""`Tensor`: an array with its place in the graph.

This file holds its construction, subclasses and text; `symgrad.members` adds the other members.
Making tensors is in `symgrad.functions.creation`, changing them in `symgrad.tensor.in_place`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from symgrad.backward.tangents import tangent_of
from symgrad.expr.atoms import number_of
from symgrad.expr.dtypes import default_dtype
from symgrad.ops.identity import alias, detach
from symgrad.ops.primitive import Primitive
from symgrad.record.dual_level import forward_mode
from symgrad.record.record import (
    Recorded,
    compute_one,
    constant,
    record,
    retyped,
    set_result_class,
)
from symgrad.schema.dispatch import dispatch, overriding
from symgrad.tensor import legacy, numpy_interop
from symgrad.tensor.copying import deep_copy, reduced
from symgrad.tensor.data import DataMembers
from symgrad.tensor.formatting import format_element, tensor_repr
from symgrad.tensor.graph import GraphMembers
from symgrad.tensor.layout import LayoutMembers, layout, strided
from symgrad.tensor.shape import ShapeMembers
from symgrad.tensor.subclassing import TensorType, default_answer, func_of_operator

if TYPE_CHECKING:

    class _Base(GraphMembers, ShapeMembers, LayoutMembers, legacy.LegacyMembers, DataMembers):
        """What `symgrad.members` puts into `Tensor`, with the methods of the tables."""

else:
    _Base = Recorded

__all__ = ["Tensor", "foreign", "layout", "strided"]


_NO_SUBCLASS = (
    "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. "
    "Make sure your class inherits from Tensor."
)


class Tensor(_Base, metaclass=TensorType):
    """An array that remembers how it was computed.

    `Tensor(2, 3)` makes one of that shape, `Tensor([1, 2])` one of that data, both of the default
    dtype; `symgrad.tensor.tensor` is the usual way.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([2., 4.])
    >>> isinstance(x, torch.Tensor)
    True
    """

    __module__ = "symgrad"
    __array_priority__ = 1000
    #: Whether it is an instance of `nn.Parameter`, whatever its class.
    _is_param: bool = False
    _is_buffer: bool = False
    _record = staticmethod(record)
    _constant = staticmethod(constant)
    _compute_one = staticmethod(compute_one)
    #: The recording form of each elementwise function of one operand.
    _short: ClassVar[dict[type[Primitive], Callable[[Any], Any]]] = {}

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make a tensor of the default dtype: of sizes, or of data."""
        if cls is Tensor:
            return legacy.construct(None, args, kwargs)
        if len(args) == 1 and isinstance(args[0], Tensor) and not kwargs:
            return args[0].as_subclass(cls)
        return retyped(legacy.construct(None, args, kwargs), cls)

    #: How a subclass answers calls that one of its instances takes part in: results are instances.
    __torch_function__ = classmethod(default_answer)
    __symgrad_function__ = classmethod(default_answer)

    def as_subclass(self, cls: type[Any]) -> Any:
        """Return a tensor of class `cls` around the same memory, and with the same history.

        Parameters
        ----------
        cls : type
            `Tensor` or a subclass of it.

        Raises
        ------
        TypeError
            For anything else.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Metres(torch.Tensor):
        ...     pass
        >>> torch.tensor([1.0, 2.0]).as_subclass(Metres) * 2
        Metres([2., 4.])
        """
        if not isinstance(cls, type):
            raise TypeError(f"cls must be a type (got {type(cls).__name__})")
        if not issubclass(cls, Tensor):
            raise TypeError(_NO_SUBCLASS)
        out = record(alias, (self,))
        return out if cls is Tensor else retyped(out, cls)

    @staticmethod
    def _make_subclass(cls: type[Any], data: Tensor, require_grad: bool = False) -> Any:
        """Return a leaf of class `cls` around the memory of `data`."""
        if not issubclass(cls, Tensor):
            raise TypeError(_NO_SUBCLASS)
        out = retyped(record(detach, (data,)), cls)
        out._require(require_grad, "Only Tensors of floating point and complex dtype")
        return out

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: Any) -> Tensor:  # type: ignore[override]
        other = number_of(other)
        return self.eq(other) if numpy_interop.is_operand(other) else foreign("eq")(self, other)

    def __ne__(self, other: Any) -> Tensor:  # type: ignore[override]
        other = number_of(other)
        return self.ne(other) if numpy_interop.is_operand(other) else foreign("ne")(self, other)

    def __pos__(self) -> Tensor:
        return self

    def __format__(self, spec: str) -> str:
        if self._aval.shape or type(self) is not Tensor:
            return object.__format__(self, spec)
        return format_element(self._data, spec) if spec else _plain(self)

    def __repr__(self) -> str:
        text = getattr(self._data, "text", None)  # inside `vmap` there are no elements to print
        if text is not None:
            return str(text())
        try:
            node = self.grad_fn
            name = None if node is None else node.name().rpartition("::")[2]
        except RuntimeError:  # a view that a change of its base has made unusable
            name = "Invalid"
        text = tensor_repr(
            self._data,
            requires_grad=self._rg,
            grad_fn=name,
            default_float=default_dtype().numpy,
            prefix=f"{self._title()}(",
            extra=[] if forward_mode.level is None else _tangent_text(self),
        )
        return f"Parameter({text})" if self._is_param and self._title() != "tensor" else text

    @classmethod
    def _title(cls) -> str:
        """Return what the text of an instance begins with."""
        return "tensor" if cls is Tensor else cls.__name__

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return reduced(self)


def _tangent_text(x: Tensor) -> list[str]:
    tangent = tangent_of(x)
    return [] if tangent is None else [f"tangent={tangent!r}"]


def _plain(x: Tensor) -> str:
    """Return the text of a 0-d tensor in an f-string: that of its number."""
    return format(x._data.item(), "")


def foreign(operator: str) -> Callable[[Any, Any], Any]:
    """Return the function of two operands for an operator whose other operand is no tensor.

    It returns what `__torch_function__` of an operand gives; without one NotImplemented, so that
    Python asks the other operand.
    """

    def ask(a: Any, b: Any) -> Any:
        found = overriding((a, b), {})
        if not found:
            return NotImplemented
        return dispatch(func_of_operator(Tensor, operator), found, (a, b), {})

    return ask


set_result_class(Tensor)
