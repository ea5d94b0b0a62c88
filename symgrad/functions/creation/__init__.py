"""Making tensors: from data, of one value, in sequences, from the random streams.

What the arguments may be stands in `symgrad.schema.arguments`, how Python data becomes an array in
`symgrad.tensor.conversion`, the streams in `symgrad.random.streams`.
"""

from symgrad.functions.creation import (  # noqa: F401 - enter functions
    matrices,
    methods,
    sequences,
    windows,
)
from symgrad.functions.creation.data import from_numpy
from symgrad.functions.creation.draws import get_rng_state, set_rng_state
from symgrad.functions.creation.making import CREATION
from symgrad.random.default_stream import initial_seed, manual_seed, seed
from symgrad.random.streams import Generator
from symgrad.tensor.dlpack import from_dlpack

__all__ = [
    "CREATION", "Generator", "from_dlpack", "from_numpy", "get_rng_state", "initial_seed",
    "manual_seed", "seed", "set_rng_state",
]  # fmt: skip
