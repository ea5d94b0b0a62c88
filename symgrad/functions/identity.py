"""What users call of `symgrad.ops.identity`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.expr.atoms import check_name
from symgrad.expr.node import ArrayExpr
from symgrad.ops.identity import clone, contiguous, detach, named
from symgrad.ops.primitive import bind
from symgrad.record.face import shows
from symgrad.record.naming import call_leaf
from symgrad.record.record import Recorded
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import public
from symgrad.tensor.numpy_interop import operand

shows(contiguous, name="Clone")


@public("clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor")
def _clone(input: Any, *, memory_format: Any = None) -> Any:
    """Return a copy through which gradients flow.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> y = torch.clone(x)
    >>> (3 * y).sum().backward()
    >>> x.grad
    tensor([3., 3.])
    """
    return bind(clone, (input,))


@public("contiguous(Tensor self, *, MemoryFormat memory_format=0) -> Tensor", function=False)
def _contiguous(input: Any, memory_format: Any = None) -> Any:
    """Return the values in the memory order of their axes: the same object where they are.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1, 2], [3, 4]]).t()
    >>> x.is_contiguous(), x.contiguous().is_contiguous()
    (False, True)
    """
    data = None if isinstance(input, ArrayExpr) else input._data
    return input if data is None or data.flags.c_contiguous else bind(contiguous, (input,))


@public("detach(Tensor self) -> Tensor")
def _detach(input: Any) -> Any:
    """Return the same values, sharing memory, as a constant to derivatives.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x.detach()).sum().backward()
    >>> x.grad
    tensor([1., 2.])
    """
    return bind(detach, (input,))


@public("named(Tensor self, str name) -> Tensor", method=False, python=True)
def _named(input: Any, name: str) -> Any:
    """Return the same values, sharing memory, as a quantity that formulas show by its name.

    Texts, LaTeX and derivatives show the name in place of the formula, which is defined in a line
    before the result. In one text a further quantity of the same name, or one that has the name of a
    leaf, is shown with a number: `h_2`. A tensor without a history becomes a leaf of that name, if no
    other tensor has it.

    Parameters
    ----------
    input : Tensor or ArrayExpr
    name : str
        A Python identifier that is no keyword.

    Raises
    ------
    ValueError
        If `name` is no identifier.

    Examples
    --------
    >>> import symgrad
    >>> X, w, y = [symgrad.leaf(name, shape) for name, shape in zip("Xwy", [(5, 2), (2,), (5,)])]
    >>> r = symgrad.named(X @ w - y, "r")
    >>> print(symgrad.derive(r @ r, w))
    r = X @ w - y
    2 * X.T @ r
    """
    made = bind(named, (input,), (check_name(name),))
    if isinstance(made, Recorded) and not made._rg:
        call_leaf(made, name)
    return made


@numpy_call("copy")
def _numpy_copy(a: Any, order: str = "K", subok: bool = False) -> Any:
    return operand(a).clone()
