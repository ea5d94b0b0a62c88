"""PyTorch's `torch.random`: the CPU streams, bit for bit."""

from symgrad.random.default_stream import (
    default_generator,
    fork_rng,
    initial_seed,
    manual_seed,
    seed,
)
from symgrad.random.streams import Generator
from symgrad.support.homes import at_home

__all__ = ["Generator", "default_generator", "fork_rng", "initial_seed", "manual_seed", "seed"]

at_home(__name__, Generator=Generator)
