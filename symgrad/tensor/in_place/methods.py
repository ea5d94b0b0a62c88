"""The methods and operators in place: `add_`, `x += 1`, `t_`, `copy_` and their kin."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad.expr.atoms import as_expr, number_of
from symgrad.expr.dtypes import cast_refused, result_dtype
from symgrad.ops.assignment import copied, filled, zeroed
from symgrad.ops.identity import alias
from symgrad.ops.permuting import inverted, permute
from symgrad.ops.primitive import PRIMITIVES
from symgrad.ops.reshaping import reshape
from symgrad.record.modes import state
from symgrad.record.record import Recorded, record, result_class
from symgrad.record.signature import named
from symgrad.record.versions import clock
from symgrad.record.views import outdate, reshape_in_place, view_steps
from symgrad.schema.arguments import fill_value, plain_number
from symgrad.schema.binding import bound
from symgrad.schema.public import (
    BODIES,
    IN_PLACE,
    IN_PLACE_FORMS,
    METHODS,
    PROPERTIES,
    SCHEMAS,
    SHARING,
    TENSOR_METHODS,
    tensor_method,
)
from symgrad.schema.text import Schema
from symgrad.support.refusals import warn
from symgrad.tensor.conversion import array_of_number
from symgrad.tensor.in_place import short_forms
from symgrad.tensor.in_place.allowed import check_overlap, check_reshapable, check_separate
from symgrad.tensor.in_place.change import (
    modify,
    new_identity,
    receive,
    replace_vertex,
    written_directly,
)
from symgrad.tensor.in_place.comparing import COMPARISONS, comparing


def _computing(name: str) -> Callable[..., Any]:
    """Return what a method in place computes, which fails under the name of that method."""
    schema = SCHEMAS[name, True]
    return bound(schema.in_place(f"{name}_", method=True), IN_PLACE_FORMS.get(name, BODIES[name]))


def _method(name: str) -> Callable[..., Any]:
    plain = METHODS[name]
    compute = _computing(name)
    if name in COMPARISONS:
        compute = comparing(name, compute)
    direct, sharing = _written_directly(name), SHARING.get(name, "whole")

    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        if sharing == "none":
            check_separate(self, (*args, *kwargs.values()))
        elif (args or kwargs) and sharing == "whole":
            check_overlap(self, (*args, *kwargs.values()))
        if direct and len(args) == 1 and not kwargs and written_directly(self, name, args[0]):
            return self
        return modify(self, name, lambda: computed(self, *args, **kwargs))

    def computed(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        try:
            return compute(self, *args, **kwargs)
        except NotImplementedError:
            _refuse_cast(self, (*args, *kwargs.values()))  # PyTorch checks this first
            raise

    method = _short_form(name, method)
    functools.update_wrapper(method, plain, assigned=(), updated=())
    method.__module__, method.__name__ = "symgrad", f"{name}_"
    method.__qualname__ = f"Tensor.{name}_"
    method.__doc__ = _also(f"Replace this tensor by its `{name}`, in place, and return it.", plain)
    return method


def _short_form(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """Return the short form of a method in place; the method itself where it has none."""
    cls: Any = PRIMITIVES.get(name)
    tensors = result_class()
    if _written_directly(name):
        return short_forms.binary(cls, method, f"{name}_()")
    # What a public function does beside its operation, it says by further arguments.
    if cls in tensors._short and name not in IN_PLACE_FORMS and not SCHEMAS[name, True].names:
        return short_forms.unary(cls, method, f"{name}_()")
    return method


def _refuse_cast(self: Any, others: Any) -> None:
    """Raise PyTorch's error where operands have a higher kind of dtype than what is changed."""
    tensors = [x._aval for x in others if isinstance(x, Recorded)]
    numbers = [as_expr(x) for x in others if isinstance(x, (bool, int, float, complex))]
    kind = result_dtype([self._aval, *tensors, *numbers])
    if kind.category > self._aval.dtype.category:
        raise cast_refused(kind, self._aval.dtype)


def _writable_part(name: str) -> property:
    """Return the attribute `real` or `imag`, to which a tensor or number may be assigned."""
    plain = PROPERTIES[name]

    def write(self: Any, value: Any) -> None:
        getattr(self, name).copy_(value)

    return plain.setter(write)


def _reshaping(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        check_reshapable(self)
        storage, before = self._storage(), self._aval.shape
        result = compute(self, *args, **kwargs)
        cls, params = (view_steps(result) or ((alias, ()),))[-1]
        storage.bump(clock())
        self._dual = result._dual
        if result._rg and state.state.enabled:
            vertex = result._node()
            vertex.rename(named(vertex.sig, _name_in_place(vertex.sig.name, SCHEMAS[name, True])))
            replace_vertex(self, vertex, storage)
        if issubclass(cls, permute):
            back: Any = permute, (inverted(params[0]),)
        else:
            back = reshape, (before,)
        reshape_in_place(self, (cls, params), back)
        self._data, self._aval = result._data, result._aval
        if self._base is None:
            outdate(self)
            if self._node() is None:
                new_identity(self)
        return self

    functools.update_wrapper(method, compute, assigned=(), updated=())
    method.__module__, method.__name__ = "symgrad", f"{name}_"
    method.__qualname__ = f"Tensor.{name}_"
    method.__doc__ = _also(
        f"Give this tensor the shape of its `{name}`, in place, and return it.", compute
    )
    return method


def _also(summary: str, compute: Callable[..., Any]) -> str:
    """Return the docstring of a method in place: what it does, and what it computes by."""
    return f"{summary}\n\n`{inspect.unwrap(compute).__name__}`: {compute.__doc__}"


def _name_in_place(name: str, schema: Schema) -> str:
    """Return PyTorch's name of a node in place: its overloads are numbered after the others."""
    return f"{name[:-1]}{int(name[-1]) + len(schema.texts)}"


def _applies_in_place(cls: Any) -> bool:
    """Return whether an operation is that of one of Python's operators in place, such as `+=`."""
    return "operator" in vars(cls) and cls.arity == 2 and cls.result != "bool"


def _written_directly(name: str) -> bool:
    """Return whether NumPy may write into the first operand, whatever the second one is."""
    cls = PRIMITIVES.get(name)
    if cls is None or name in IN_PLACE_FORMS or not _applies_in_place(cls):
        return False
    return "is_structural" not in vars(cls)  # a power is another operation for some exponents


def _operator(special: str, name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    direct = _written_directly(name)

    def method(self: Any, other: Any) -> Any:
        other = number_of(other)
        if not isinstance(other, (Recorded, int, float, complex, np.ndarray, np.number, np.bool_)):
            return NotImplemented
        check_overlap(self, (other,))
        if direct and written_directly(self, name, other):
            return self
        return modify(self, name, lambda: compute(self, other))

    method = _short_form(name, method)
    method.__module__, method.__name__ = "symgrad", special
    method.__qualname__ = f"Tensor.{special}"
    return method


@tensor_method("zero_(Tensor self) -> Tensor", function=True)
def zero_(self: Any) -> Any:
    """Fill with zeros, in place.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> x.zero_()
    tensor([0., 0.])
    """
    return modify(self, "zero", lambda: record(zeroed, (self,)))


@tensor_method(
    "fill_(Tensor self, Tensor value) -> Tensor",
    "fill_(Tensor self, Scalar value) -> Tensor",
    function=True,
)
def fill_(self: Any, value: Any) -> Any:
    """Fill with a number or a 0-d tensor, in place.

    Parameters
    ----------
    value : number or Tensor
        The value of all elements.

    Raises
    ------
    RuntimeError
        For a tensor with dimensions, or a number that the dtype cannot hold.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.zeros(2)
    >>> x.fill_(3)
    tensor([3., 3.])
    """
    value = fill_value(value, self._aval.dtype)
    return modify(self, "fill", lambda: record(filled, (self, value)))


@tensor_method("fill_diagonal_(Tensor self, Scalar fill_value, bool wrap=False) -> Tensor")
def fill_diagonal_(self: Any, fill_value: Any, wrap: bool = False) -> Any:
    """Fill the main diagonal with a number, in place.

    Parameters
    ----------
    fill_value : number
        The value of the elements whose indices are all equal.
    wrap : bool
        Whether the diagonal of a tall matrix starts again below, one row after it has ended.

    Raises
    ------
    RuntimeError
        For fewer than two axes, or more than two of different lengths.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.zeros(5, 2).fill_diagonal_(1, wrap=True)
    tensor([[1., 0.],
            [0., 1.],
            [0., 0.],
            [1., 0.],
            [0., 1.]])
    """
    shape = self._aval.shape
    if len(shape) < 2:
        raise RuntimeError("dimensions must larger than 1")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    size, step, first = min(shape), sum(self.stride()), self.storage_offset()
    fill_value = array_of_number(fill_value, self._aval.dtype).item()
    fill_(self.as_strided((size,), (step,), first), fill_value)
    if wrap and len(shape) == 2 and shape[0] > shape[1] + 1:
        rows, columns = shape
        rest = -(-rows * columns // (columns + 1)) - size
        below = first + self.stride(0) * (columns + 1)
        fill_(self.as_strided((rest,), (step,), below), fill_value)
    return self


@tensor_method("copy_(Tensor self, Tensor other, bool non_blocking=False) -> Tensor", numbers=True)
def copy_(self: Any, other: Any) -> Any:
    """Copy the values of a tensor, converted and broadcast, into this one.

    Parameters
    ----------
    other : Tensor or number
        The values; a number fills the tensor.

    Raises
    ------
    RuntimeError
        If the shapes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.zeros(2, 2)
    >>> x.copy_(torch.tensor([1, 2]))
    tensor([[1., 2.],
            [1., 2.]])
    """
    if isinstance(other, np.generic):
        other = plain_number(other)
    lossy = isinstance(other, Recorded) and other._aval.dtype.is_complex
    if lossy and not self._aval.dtype.is_complex:
        warn("Casting complex values to real discards the imaginary part")
    check_overlap(self, (other,))
    return modify(self, "copy", lambda: record(copied, (self, other)))


def in_place_members() -> dict[str, Any]:
    """Return the methods and operators in place of the class of tensors."""
    members: dict[str, Any] = {"_receive": receive, "_changed": modify}
    for name, kind in IN_PLACE.items():
        if kind == "shape":
            members[f"{name}_"] = _reshaping(name, _computing(name))
        elif f"{name}_" not in TENSOR_METHODS:
            members[f"{name}_"] = _method(name)
    for name, cls in PRIMITIVES.items():
        if name in IN_PLACE and _applies_in_place(cls):
            special = f"__i{vars(cls)['operator']}__"
            members[special] = _operator(special, name, _computing(name))
    for name in ("real", "imag"):
        members[name] = _writable_part(name)
    return members | TENSOR_METHODS
