"""PyTorch's `compiler`: what programs say to it, of which nothing is needed."""

from symgrad.around.compiling import compile, false, marker
from symgrad.support.absent import refused
from symgrad.support.homes import at_home

__all__ = [
    "allow_in_graph", "assume_constant_result", "compile", "disable", "is_compiling",
    "is_dynamo_compiling", "is_exporting", "reset",
]  # fmt: skip


def reset() -> None:
    """Do nothing: nothing that was compiled is kept apart.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.compiler.reset()
    """


allow_in_graph = marker("compiler.allow_in_graph")
assume_constant_result = marker("compiler.assume_constant_result")
disable = marker("compiler.disable")
is_compiling = false("compiler.is_compiling")
is_dynamo_compiling = false("compiler.is_dynamo_compiling")
is_exporting = false("compiler.is_exporting")

at_home(__name__, **{name: globals()[name] for name in __all__ if name != "compile"})

__getattr__ = refused("compiler")
