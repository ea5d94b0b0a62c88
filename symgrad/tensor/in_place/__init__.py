"""Changing tensors in place: `add_`, `x += 1`, `x[0] = 1` and their kin.

What views become by a change is in `symgrad.record.views`.
"""

from symgrad.tensor.in_place import drawing, mapping
from symgrad.tensor.in_place.allowed import check_modifiable
from symgrad.tensor.in_place.change import adopt, exchanged, new_identity, require
from symgrad.tensor.in_place.items import set_item
from symgrad.tensor.in_place.memory import leave
from symgrad.tensor.in_place.methods import in_place_members

__all__ = [
    "adopt",
    "check_modifiable",
    "drawing",
    "exchanged",
    "in_place_members",
    "leave",
    "mapping",
    "new_identity",
    "require",
    "set_item",
]
