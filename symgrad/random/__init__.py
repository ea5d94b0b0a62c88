"""PyTorch's `torch.random`: the CPU streams, bit for bit."""

from typing import Any

from symgrad.random.default_stream import (
    default_generator,
    fork_rng,
    initial_seed,
    manual_seed,
    seed,
)
from symgrad.random.streams import Generator
from symgrad.support.above import FromAbove
from symgrad.support.homes import at_home

__all__ = [
    "Generator", "default_generator", "fork_rng", "get_rng_state", "initial_seed", "manual_seed",
    "seed", "set_rng_state",
]  # fmt: skip

#: The functions of the generator's state, which is a tensor.
STATES: dict[str, FromAbove[Any]] = {
    name: FromAbove("symgrad.functions.creation.draws")
    for name in ("get_rng_state", "set_rng_state")
}


def __getattr__(name: str) -> Any:
    if name not in STATES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return STATES[name].call


at_home(__name__, Generator=Generator)
