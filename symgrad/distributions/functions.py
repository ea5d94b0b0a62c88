"""The functions that formulas of distributions call, by PyTorch's names."""

from __future__ import annotations

from typing import Any

from symgrad.functions.creation import CREATION
from symgrad.schema.public import FUNCTIONS, SPACES

arange: Any = CREATION["arange"]
eye: Any = CREATION["eye"]
full_like: Any = CREATION["full_like"]
multinomial: Any = CREATION["multinomial"]
normal: Any = CREATION["normal"]
poisson: Any = CREATION["poisson"]
rand: Any = CREATION["rand"]
randn: Any = CREATION["randn"]
tensor: Any = CREATION["tensor"]
tril_indices: Any = CREATION["tril_indices"]

bernoulli: Any = CREATION["bernoulli"]
broadcast_shapes: Any = FUNCTIONS["broadcast_shapes"]
broadcast_tensors: Any = FUNCTIONS["broadcast_tensors"]
cat: Any = FUNCTIONS["cat"]
isclose: Any = FUNCTIONS["isclose"]
lgamma: Any = FUNCTIONS["lgamma"]
maximum: Any = FUNCTIONS["maximum"]
mvlgamma: Any = FUNCTIONS["mvlgamma"]
stack: Any = FUNCTIONS["stack"]
where: Any = FUNCTIONS["where"]

cross_entropy_of_logits: Any = SPACES["nn.functional"]["binary_cross_entropy_with_logits"]
logsigmoid: Any = SPACES["nn.functional"]["logsigmoid"]
one_hot: Any = SPACES["nn.functional"]["one_hot"]
pad: Any = SPACES["nn.functional"]["pad"]
softplus: Any = SPACES["nn.functional"]["softplus"]

gammainc: Any = SPACES["special"]["gammainc"]
i0e: Any = SPACES["special"]["i0e"]
i1e: Any = SPACES["special"]["i1e"]
xlogy: Any = SPACES["special"]["xlogy"]

cholesky: Any = SPACES["linalg"]["cholesky"]
cholesky_ex: Any = SPACES["linalg"]["cholesky_ex"]
eigvalsh: Any = SPACES["linalg"]["eigvalsh"]
slogdet: Any = SPACES["linalg"]["slogdet"]
solve_triangular: Any = SPACES["linalg"]["solve_triangular"]
vector_norm: Any = SPACES["linalg"]["vector_norm"]
