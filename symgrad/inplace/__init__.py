"""Changing tensors in place: `add_`, `x += 1`, `x[0] = 1` and their kin.

What views become by a change is in `symgrad.autograd.views`.
"""

from symgrad.inplace import drawing, mapping
from symgrad.inplace.allowed import check_modifiable
from symgrad.inplace.change import adopt, exchanged, new_identity, require
from symgrad.inplace.items import set_item
from symgrad.inplace.memory import leave
from symgrad.inplace.methods import install_in_place

__all__ = [
    "adopt",
    "check_modifiable",
    "drawing",
    "exchanged",
    "install_in_place",
    "leave",
    "mapping",
    "new_identity",
    "require",
    "set_item",
]
