"""The table of signatures: one for each operation on operands of some shapes and dtypes.

Views that differ in their places alone are made of one another.
"""

from __future__ import annotations

from typing import Any

from symgrad.expr.atoms import Static
from symgrad.ops.primitive import Primitive
from symgrad.record.face import Face
from symgrad.record.signature import Family, Signature
from symgrad.support.remembered import Remembered


def signature(
    cls: type[Primitive], key: Any, operands: Any, params: Any, needs: Any, face: Face | None = None
) -> Signature:
    """Return the signature of a `key` that its table lacks: remembered or new, and now entered."""
    found = _signatures.recall(key, cls)
    if found is None and cls.without_places is not None:
        found = _signatures.keep(key, _in_family(cls, operands, params, needs, face), cls)
    return found or _signatures.keep(key, Signature(cls, operands, params, needs, face), cls)


def _in_family(
    cls: Any, operands: Any, params: tuple[Static, ...], needs: Any, face: Face | None
) -> Signature:
    """Return the signature of a view, from that of one at other places where there is one."""
    found = cls.without_places(operands[0].shape, params[0].value)
    if found is None:
        return Signature(cls, operands, params, needs, face)
    pattern, places = found
    name = pattern, operands, needs, face
    known = _families.table(cls).get(name) or _families.recall(name, cls)
    if known is not None:
        return known.at(params, places)
    made = Signature(cls, operands, params, needs, face)
    if made.is_view and made.records and not (made.reads or made.masks or made.into):
        made.family, made.places = Family(pattern), places
        _families.keep(name, made, cls)
    return made


def short_signature(cls: type[Primitive], key: Any, operands: Any, needs: Any) -> Signature:
    """Return the signature of an operation without parameters for a `key` of its short form.

    It is that of the general form, so that both find the same plans, and is entered for the key.
    """
    general = ((), *[x for pair in zip(operands, needs, strict=True) for x in pair])
    found = _signatures.table(cls).get(general)
    found = found or signature(cls, general, tuple(operands), (), tuple(needs))
    return _signatures.keep(key, found, cls)


def param_kinds(params: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return keys that differ for equal parameters of different types, such as 1 and True."""
    if not params:
        return ()
    # 0.0 and -0.0 are equal as well.
    return tuple([p.hex() if p.__class__ is float else p.__class__ for p in params])


def signatures(cls: type[Primitive]) -> dict[Any, Signature]:
    """Return the table of signatures of a primitive."""
    return _signatures.table(cls)


def _bytes_of(sig: Signature) -> int:
    """Return about what a signature holds: 1.5 KB as measured, and constants among parameters."""
    return 1_500 + sum([getattr(p.value, "nbytes", 0) for p in sig.params])


# The signatures of 40,000 operations on different shapes, and of views one for all places.
_signatures: Remembered[Signature] = Remembered(64 * 2**20, _bytes_of)
_families: Remembered[Signature] = Remembered(8 * 2**20, _bytes_of)
