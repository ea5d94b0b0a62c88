"""What programs that define layers take from `torch.nn.modules.utils`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symgrad.nn.modules.layer import for_each_axis

__all__ = ["consume_prefix_in_state_dict_if_present"]


def _ntuple(n: int, name: str = "parse") -> Callable[[Any], tuple[Any, ...]]:
    """Return the function that makes `n` numbers of one, and a tuple of several."""

    def parse(x: Any) -> tuple[Any, ...]:
        return for_each_axis(x, n)

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(t: Sequence[Any], n: int) -> tuple[Any, ...]:
    """Return the parts of a tuple from the last to the first, each `n` times, as `pad` wants."""
    return tuple([x for x in reversed(t) for _ in range(n)])


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    """Cut a prefix off the keys of a state, in place.

    States of networks that were trained on several GPUs have keys that begin with "module.".

    Parameters
    ----------
    state_dict : dict
        What `Module.state_dict` returned.
    prefix : str
        How keys begin; other keys stay what they are.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.nn.modules.utils import consume_prefix_in_state_dict_if_present
    >>> state = {"module.weight": torch.ones(1), "step": torch.tensor(3)}
    >>> consume_prefix_in_state_dict_if_present(state, "module.")
    >>> state
    {'step': tensor(3), 'weight': tensor([1.])}
    """
    for key in [key for key in state_dict if key.startswith(prefix)]:
        state_dict[key.removeprefix(prefix)] = state_dict.pop(key)
    versions = getattr(state_dict, "_metadata", {})
    own = prefix.replace(".", "")
    for path in [path for path in versions if path == own or path.startswith(prefix)]:
        versions[path[len(prefix) :]] = versions.pop(path)
