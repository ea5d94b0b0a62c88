"""Short forms of recording, for elementwise operations of one operand or two.

Most programs spend their time in these. What a short form does not know, such as an operation under
a mode, goes the way of `symgrad.record.record.record`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from symgrad.expr.atoms import Const
from symgrad.expr.node import ArrayExpr
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import Primitive
from symgrad.record.aval import Aval
from symgrad.record.graph_cuts import Cut
from symgrad.record.modes import everywhere, state
from symgrad.record.python_numbers import NUMBERS, is_structural, number_kind
from symgrad.record.record import Recorded, cut_of, record, result_class, run_quietly
from symgrad.record.signature import Signature
from symgrad.record.signatures import short_signature, signatures
from symgrad.record.tape import Node, Number
from symgrad.record.versions import clock
from symgrad.schema.dispatch import declared, overriding

_ndarray = np.ndarray
_asarray = np.asarray
_new: Callable[[Any], Any] = object.__new__

#: The classes of the second operand of an operator on a tensor.
_OPERANDS = (Recorded, ArrayExpr, int, float, complex, np.ndarray, np.number, np.bool_)


def is_usual(cls: type[Primitive]) -> bool:
    """Return whether all numbers that are no small integers are inputs of plans."""
    own: Any = cls.is_structural
    usual: Any = Primitive.is_structural
    found: bool = own.__func__ is usual.__func__
    return found


def batching_alone(special: Mapping[str, Any]) -> Any:
    """Return the object that applies operations to batched tensors; None under other modes, too.

    The grad mode is none of these, and is asked where an operand requires a gradient.
    """
    alone = len(special) == 1 or (len(special) == 2 and "grad_mode" in special)
    return special.get("batching") if alone else None


def unary(cls: type[Elementwise]) -> Callable[[Any], Any]:
    """Return the recording form of an elementwise function of one tensor."""
    table = signatures(cls)
    local, node, now, common = state, Node, clock, everywhere
    tensor, alone = result_class(), batching_alone
    # One cut for all results: masks are made often, and seldom asked about.
    lost = Cut(cls.__name__)

    def apply(a: Any, *excess: Any) -> Any:
        if excess:
            raise TypeError(f"Tensor.{cls.__name__}() takes no arguments ({len(excess)} given)")
        current, batching = local.state, None
        if current.special or common:
            batching = None if common else alone(current.special)
            whole = None if batching is None else batching.whole(a)
            if whole is None or (whole._rg and not current.grad_mode):
                return record(cls, (a,))
            a, entry = whole, a
        try:
            sig = table.get((a._aval, a._rg))
        except AttributeError:
            return record(cls, (a,))
        if sig is None:
            sig = short_signature(cls, (a._aval, a._rg), (a._aval,), (a._rg,))
        data = a._data
        try:
            result = current.run(sig.call, data)
        except RuntimeError:
            result = run_quietly(sig.call, data)
        if result.__class__ is not _ndarray:
            result = _asarray(result)
        out = _new(tensor)
        out._data = result
        out._aval = sig.out
        if sig.records:
            pick = sig.pick
            out._vertex = node(
                sig,
                (a._vertex or a._leaf(),),
                () if pick is None else pick((data, result)),
                now(),
            )
            out._rg = True
        else:
            out._vertex = None
            out._rg = False
            if a._rg:
                out._cut = lost if batching is None else cut_of(cls, (a,), True)
            elif a._cut is not None:
                out._cut = a._cut
        return out if batching is None else batching.entry(out, entry)

    apply.__name__, apply.__qualname__ = cls.__name__, f"Tensor.{cls.__name__}"
    return apply


def binary(
    cls: type[Elementwise],
    reflected: bool = False,
    foreign: Callable[[Any, Any], Any] = lambda a, b: NotImplemented,
    turned: Callable[[Any, Any], Any] | None = None,
) -> Callable[[Any, Any], Any]:
    """Return the recording form of an elementwise operation of two operands.

    Parameters
    ----------
    cls : type
        The operation.
    reflected : bool
        Whether the tensor is the second operand of the operation, as in `x.__rsub__(2)`.
    foreign : callable
        Called with both operands if the second is neither a tensor nor an array nor a number.
    turned : callable, optional
        Called with two tensors if `reflected`, which occurs only where a user writes out the name
        of the method; by default the operation on the second and the first.
    """
    if turned is None:
        turned = lambda a, b: record(cls, (b, a))  # noqa: E731
    table = signatures(cls)
    local, node, now, common = state, Node, clock, everywhere
    tensor, alone = result_class(), batching_alone
    usual = is_usual(cls)
    # One cut for all results: masks are made often, and seldom asked about.
    lost = Cut(cls.__name__)

    def apply(a: Any, b: Any) -> Any:
        kind = b.__class__
        current, batching = local.state, None
        if current.special or common:
            batching = None if common else alone(current.special)
            wholes = None if batching is None else batching.wholes(a, b)
            if wholes is None or (reflected and kind is tensor) or (kind is float and not b):
                return general(a, b)
            entry, partner = a, b
            a, b = wholes
            if (a._rg or (kind is tensor and b._rg)) and not current.grad_mode:
                return general(entry, partner)
        if kind is tensor:
            if reflected:
                return turned(a, b)
            key: Any = a._aval, b._aval, a._rg, b._rg
            sig = table.get(key)
            if sig is None:
                # Errors show the shapes of entries.
                made = None if batching is None else record(cls, (entry, partner))
                sig = short_signature(cls, key, key[:2], key[2:])
                if batching is not None:
                    return made
            data, other = a._data, b._data
            records = sig.records
            if records:
                inputs: tuple[Any, ...] = (a._vertex or a._leaf(), b._vertex or b._leaf())
        elif kind in NUMBERS and (b or kind is not float):  # 0.0 and -0.0 are one key
            # Of numbers that are inputs of plans, the class alone is part of the key.
            varies = usual and kind is float and not b.is_integer()
            sig = table.get((a._aval, a._rg, kind, None if varies else b, reflected))
            if sig is None:
                key = key_with_number(cls, a._aval, a._rg, b, reflected)
                sig = table.get(key) or signature_with_number(cls, key, b)
            data, other = (b, a._data) if reflected else (a._data, b)
            records = sig.records
            if records:
                inputs = (a._vertex or a._leaf(),)
                if sig.varies is not None:
                    inputs = (
                        (Number(sig.varies, b), *inputs)
                        if reflected
                        else (*inputs, Number(sig.varies, b))
                    )
        else:
            return general(a, b)
        try:
            result = current.run(sig.call, data, other)
        except RuntimeError:
            result = run_quietly(sig.call, data, other)
        if result.__class__ is not _ndarray:
            result = _asarray(result)
        out = _new(tensor)
        out._data = result
        out._aval = sig.out
        if records:
            pick = sig.pick
            out._vertex = node(
                sig, inputs, () if pick is None else pick((data, other, result)), now()
            )
            out._rg = True
        else:
            out._vertex = None
            out._rg = False
            if batching is not None:
                out._cut = cut_of(cls, (a, b), True)
            elif a._rg or a._cut is not None:
                out._cut = a._cut or lost
            elif kind is tensor and (b._rg or b._cut is not None):
                out._cut = b._cut or lost
        return out if batching is None else batching.entry(out, entry, partner)

    def general(a: Any, b: Any) -> Any:
        if not isinstance(b, _OPERANDS) or (declared and overriding((a, b), {})):
            return foreign(a, b)
        return record(cls, (b, a) if reflected else (a, b))

    return apply


def key_with_number(
    cls: type[Elementwise], aval: Aval, rg: bool, number: Any, reflected: bool = False
) -> tuple[Any, ...]:
    """Return the key of the signature of an operation on a tensor and a number."""
    operands = (number, aval) if reflected else (aval, number)
    structural = is_structural(cls, 0 if reflected else 1, number, operands)
    # Nan, which is not equal to itself, is found by its text.
    value = None if not structural else number if number == number else repr(number)
    return aval, rg, number.__class__, value, reflected


def signature_with_number(cls: type[Elementwise], key: Any, number: Any) -> Signature:
    """Return the signature of an operation on a tensor and a number, new for its key."""
    aval, rg, kind, value, reflected = key
    spec = number_kind(kind) if value is None else Const(number)
    specs, needs = ((spec, aval), (False, rg)) if reflected else ((aval, spec), (rg, False))
    return short_signature(cls, key, specs, needs)
