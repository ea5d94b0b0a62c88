"""Methods of tensors that record an operation directly, for speed: elementwise ones, and subscripts.

Such a method records its operation at once (`unary` and `binary` of `symgrad.record.short_forms`),
where the method of the table of public functions would first bind its arguments to a schema.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from symgrad.functions import elementwise
from symgrad.functions.beside_sympy import beside_sympy
from symgrad.functions.elementwise import OPERATIONS
from symgrad.ops.composite import Composite
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES
from symgrad.record.short_forms import binary, unary
from symgrad.schema.public import METHODS
from symgrad.tensor.short_subscripts import short_getitem
from symgrad.tensor.tensor import Tensor, foreign

#: For reflected operators of two tensors: what PyTorch computes where it is another operation than
#: that of the operator itself, as `a.reciprocal() * b` for `b / a`.
_REFLECTED: dict[str, Callable[[Any, Any], Any]] = {
    "__rsub__": lambda a, b: a.rsub(b),
    "__rtruediv__": lambda a, b: a.reciprocal() * b,
}


def short_methods() -> dict[str, Any]:
    """Return the methods and operators of `Tensor` that record their operation at once."""
    members: dict[str, Any] = {}
    for name, cls in PRIMITIVES.items():
        if not issubclass(cls, Elementwise) or cls.params or cls.arity != 1:
            continue
        # A record of a formula keeps intermediates.
        by_record = issubclass(cls, Composite) and cls.kernel is None
        if by_record:
            continue
        Tensor._short[cls] = short = unary(cls)
        short.__module__ = Tensor.__module__
        # A public function written by hand may do more: conj() of a real tensor is the tensor.
        method = METHODS.get(name)
        if method is not None and inspect.unwrap(method).__module__ == elementwise.__name__:
            short.__doc__ = method.__doc__
            members[name] = short
    for cls in OPERATIONS:
        name = cls.operator
        if cls.arity == 1:
            members[f"__{name}__"] = Tensor._short[cls]
            continue
        for special, reflected in ((f"__{name}__", False), (f"__r{name}__", True)):
            others = _foreign(name, special, reflected)
            operator = binary(cls, reflected, others, _REFLECTED.get(special))
            operator.__module__, operator.__name__ = Tensor.__module__, special
            operator.__qualname__ = f"Tensor.{special}"
            members[special] = operator
    members["__rdiv__"] = members["__rtruediv__"]
    members["__getitem__"] = short_getitem()
    return members


def _foreign(name: str, special: str, reflected: bool) -> Callable[[Any, Any], Any]:
    """Return what an operator does where the other operand is no tensor, array or number."""
    answered = foreign(special)

    def ask(a: Any, b: Any) -> Any:
        found = answered(a, b)
        return (
            beside_sympy.call(a, f"__{name}__", b, reflected) if found is NotImplemented else found
        )

    return ask
