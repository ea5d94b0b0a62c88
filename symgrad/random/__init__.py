"""PyTorch's `torch.random`: the CPU streams, bit for bit."""

from symgrad.random.streams import (
    Generator,
    default_generator,
    fork_rng,
    initial_seed,
    manual_seed,
    seed,
)

__all__ = ["Generator", "default_generator", "fork_rng", "initial_seed", "manual_seed", "seed"]
