"""The members of `Tensor` that are no operations, one class for each subject.

As the tables of `symgrad.schema.public` do, these classes only state members; `symgrad.members` puts
them into the class `Tensor`, so that it owns them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symgrad._declared import Methods
    from symgrad.record.record import Recorded

    class MemberGroup(Recorded, Methods):
        """A class that states some of the members of `Tensor`."""

else:
    MemberGroup = object
