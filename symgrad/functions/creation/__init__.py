"""Making tensors: from data, of one value, in sequences, from the random streams.

What the arguments may be stands in `symgrad.schema.arguments`, how Python data becomes an array in
`symgrad.tensor.conversion`, the streams in `symgrad.random.streams`.
"""

from symgrad.functions.creation import methods as methods
from symgrad.functions.creation.data import as_tensor, asarray, from_numpy, scalar_tensor, tensor
from symgrad.functions.creation.draws import (
    bernoulli,
    get_rng_state,
    normal,
    rand,
    rand_like,
    randint,
    randint_like,
    randn,
    randn_like,
    randperm,
    set_rng_state,
)
from symgrad.functions.creation.filled import (
    empty,
    empty_like,
    full,
    full_like,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from symgrad.functions.creation.matrices import eye, tril_indices, triu_indices
from symgrad.functions.creation.sequences import arange, linspace, logspace, range
from symgrad.random.default_stream import initial_seed, manual_seed, seed
from symgrad.random.streams import Generator
from symgrad.tensor.dlpack import from_dlpack
from symgrad.tensor.numpy_interop import answer_like

__all__ = [
    "Generator", "arange", "as_tensor", "asarray", "bernoulli", "empty", "empty_like", "eye",
    "from_dlpack", "from_numpy", "full", "full_like", "get_rng_state", "initial_seed",
    "linspace", "logspace",
    "manual_seed", "normal", "ones", "ones_like", "rand", "rand_like",
    "randint", "randint_like", "randn", "randn_like", "randperm", "range", "scalar_tensor", "seed",
    "set_rng_state", "tensor", "tril_indices", "triu_indices", "zeros", "zeros_like",
]  # fmt: skip

for _make in (zeros_like, ones_like, empty_like, full_like):
    answer_like(_make)
