"""Whether random numbers may be drawn, which some transforms of functions refuse."""

from __future__ import annotations

from symgrad.record.modes import state
from symgrad.support.scopes import Scope

#: PyTorch's error for what is drawn where `randomness` is "error".
REFUSED = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
    "'different' randomness flags on vmap or perform the randomness operation out of vmap"
)


class without_chance(Scope):  # noqa: N801 - it is read as an adverbial
    """Refuse random numbers in a block, where `vmap` does not do so by itself.

    Parameters
    ----------
    refused : bool
        Whether they are refused.
    """

    __slots__ = ("_refused", "_undo")

    def __init__(self, refused: bool = True) -> None:
        self._undo = []
        self._refused = refused

    def __enter__(self) -> None:
        aside = state.state.aside
        self._put(aside, "no_chance", self._refused or aside.get("no_chance"))


def check_chance() -> None:
    """Raise where random numbers are refused.

    Raises
    ------
    RuntimeError
        Inside of `without_chance`.
    """
    if state.state.aside.get("no_chance"):
        raise RuntimeError(REFUSED)
