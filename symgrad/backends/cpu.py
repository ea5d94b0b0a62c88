"""PyTorch's `backends.cpu`."""

from symgrad.around.constant import answer

__all__ = ["get_cpu_capability"]

get_cpu_capability = answer(
    "backends.cpu",
    "get_cpu_capability",
    "DEFAULT",
    'Return "DEFAULT", as NumPy chooses instructions',
)
