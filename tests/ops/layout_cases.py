"""Calls of every public operation on tensors that lie in memory in every way, and what is seen.

Each name is called with every list of arguments below that PyTorch takes; the library is an
argument.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np

from symgrad.nn import functional
from symgrad.schema.public import FUNCTIONS, METHODS, SPACES

#: Shapes of the tensor that is laid out in each way, and the ways.
SHAPES = {(4, 4): "CTSE", (2, 4, 4): "CTSPL", (2, 3, 4, 4): "CL"}


def laid_out(torch: Any, array: np.ndarray[Any, Any], layout: str) -> Any:
    """Return a tensor of the elements of an array, in one way of lying in memory.

    C: in order. T: in reverse. P: the first axis last. L: the channels, the second axis, last.
    S: every second element. E: the first entry along the first axis, repeated.
    """
    n = array.ndim
    if layout == "S":
        buffer = np.full((*array.shape[:-1], 2 * array.shape[-1]), 1, array.dtype)
        buffer[..., ::2] = array
        return torch.tensor(buffer)[..., ::2]
    if layout == "E":
        return torch.tensor(np.ascontiguousarray(array[:1])).expand(array.shape)
    order = {"C": range(n), "T": reversed(range(n)), "P": [*range(1, n), 0]}.get(layout)
    axes = [0, *range(2, n), 1] if order is None else list(order)
    memory = torch.tensor(np.ascontiguousarray(array.transpose(axes)))
    return memory if layout == "C" else memory.permute(*np.argsort(axes).tolist())


def numbers(shape: tuple[int, ...], first: int = 1) -> np.ndarray[Any, Any]:
    """Different numbers between 0 and 1, without pattern."""
    size = int(np.prod(shape))
    flat = (np.arange(first, first + size) * 0.6180339887498949) % 1.0
    return (flat * 0.98 + 0.01).reshape(shape)


class Given:
    """The tensors that calls take, of one shape and layout."""

    def __init__(self, torch: Any, shape: tuple[int, ...], layout: str) -> None:
        def lay(array: np.ndarray[Any, Any]) -> Any:
            return laid_out(torch, array, layout)

        self.x = lay(numbers(shape))
        self.y = lay(numbers(shape, 50))
        self.w = lay(numbers(shape, 99))
        self.mask = lay(numbers(shape, 7) > 0.5)
        self.ints = lay(np.floor(numbers(shape, 3) * shape[-1]).astype(np.int64))
        self.complex = lay(numbers(shape) + 1j * numbers(shape, 50))
        self.vector = torch.tensor(numbers(shape[-1:], 5))
        self.number = torch.tensor(0.5, dtype=torch.float64)
        self.places = torch.tensor([0, 1, 1])
        self.row = torch.tensor(numbers((1, *shape[1:]), 5))


Arguments = Callable[[Given], tuple[Any, ...]]

#: Lists of arguments, each of which is tried on every name.
ARGUMENTS: dict[str, Arguments] = {
    "x": lambda g: (g.x,),
    "x y": lambda g: (g.x, g.y),
    "x y w": lambda g: (g.x, g.y, g.w),
    "x vector": lambda g: (g.x, g.vector),
    "x row": lambda g: (g.x, g.row),
    "x number": lambda g: (g.x, g.number),
    "x 0": lambda g: (g.x, 0),
    "x 1": lambda g: (g.x, 1),
    "x -1": lambda g: (g.x, -1),
    "x 2": lambda g: (g.x, 2),
    "x 0.5": lambda g: (g.x, 0.5),
    "x 0.2 0.5": lambda g: (g.x, 0.2, 0.5),
    "0.5 x": lambda g: (0.5, g.x),
    "x 0 1": lambda g: (g.x, 0, 1),
    "x 1 0": lambda g: (g.x, 1, 0),
    "x 0 1 2": lambda g: (g.x, 0, 1, 2),
    "x 1 1 2": lambda g: (g.x, 1, 1, 2),
    "x 2 0 0.5": lambda g: (g.x, 2, 0, 0.5),
    "x (0,)": lambda g: (g.x, (0,)),
    "x (1, 0)": lambda g: (g.x, (1, 0)),
    "x (0, -1)": lambda g: (g.x, (0, -1)),
    "x (1, 2)": lambda g: (g.x, (1, 2)),
    "x 1 (0, 1)": lambda g: (g.x, 1, (0, 1)),
    "x shape": lambda g: (g.x, g.x.shape),
    "x permuted": lambda g: (g.x, tuple(reversed(range(g.x.dim())))),
    "x split": lambda g: (g.x, 1, (2, 2)),
    "x -1 split": lambda g: (g.x, -1, (2, 2)),
    "x mask": lambda g: (g.x, g.mask),
    "x mask 0.5": lambda g: (g.x, g.mask, 0.5),
    "x mask y": lambda g: (g.x, g.mask, g.y),
    "mask x y": lambda g: (g.mask, g.x, g.y),
    "x ints": lambda g: (g.x, g.ints),
    "x 0 ints": lambda g: (g.x, 0, g.ints % g.x.shape[0]),
    "x -1 ints": lambda g: (g.x, -1, g.ints),
    "x -1 ints y": lambda g: (g.x, -1, g.ints, g.y),
    "x -1 ints 0.5": lambda g: (g.x, -1, g.ints, 0.5),
    "x -1 ints y sum": lambda g: (g.x, -1, g.ints, g.y, "sum"),
    "x ints y": lambda g: (g.x, g.ints, g.y),
    "x ints -1": lambda g: (g.x, g.ints, -1),
    "x -1 places": lambda g: (g.x, -1, g.places),
    "x -1 places y": lambda g: (g.x, -1, g.places, g.y[..., :3]),
    "x -1 places 0.5": lambda g: (g.x, -1, g.places, 0.5),
    "x -1 places y prod": lambda g: (g.x, -1, g.places, g.y[..., :3], "prod"),
    "x (places,) vector": lambda g: (g.x, (g.places % g.x.shape[0],), g.number),
    "x entry": lambda g: (g.x, g.y.select(-1, 0), -1, 0),
    "x entry 0": lambda g: (g.x, g.y[0], 0, 0),
    "x diagonal": lambda g: (g.x, g.y.diagonal()),
    "x y 0": lambda g: (g.x, g.y, 0),
    "x part": lambda g: (g.x, g.y[..., :2], -1, 0, 2),
    "x y none": lambda g: (g.x, g.y, None, None, "none"),
    "x y unweighted none": lambda g: (g.x, g.y, None, None, None, "none"),
    "(x, y)": lambda g: ((g.x, g.y),),
    "(x, y) 0": lambda g: ((g.x, g.y), 0),
    "(x, y) -1": lambda g: ((g.x, g.y), -1),
    "*(x, y)": lambda g: (g.x, g.y),
    "matrices": lambda g: (g.x @ g.y, g.x, g.y),
    "rows": lambda g: (g.x[0], g.vector, g.vector),
    "row product": lambda g: (g.x[..., 0], g.x, g.y[..., 0, :]),
    "ints": lambda g: (g.ints,),
    "ints ints": lambda g: (g.ints, g.ints + 1),
    "ints 1": lambda g: (g.ints, 1),
    "mask": lambda g: (g.mask,),
    "mask mask": lambda g: (g.mask, g.mask),
    "complex": lambda g: (g.complex,),
    "complex complex": lambda g: (g.complex, g.complex),
    "x complex": lambda g: (g.x, g.complex),
    "x vector vector": lambda g: (g.x, g.vector, g.vector),
    "vector vector": lambda g: (g.vector, g.vector),
    "batches": lambda g: (g.x[0], g.x, g.y),
    "pairs": lambda g: (g.x[..., :2],),
    "2 x": lambda g: (2, g.x),
    "x (2, 2)": lambda g: (g.x, (2, 2)),
    "x (2, 2) (1, 2)": lambda g: (g.x, (2, 2), (1, 2)),
    "ints 5": lambda g: (g.ints, 5),
    "x dtype": lambda g: (g.x, g.number.float().dtype),
    "i x": lambda g: ("...ij->...ji", g.x),
    "ij x y": lambda g: ("...ij,...jk->...ik", g.x, g.y),
    "ij* x y": lambda g: ("...ij,...ij->...ij", g.x, g.y),
    "ij x": lambda g: ("...ij->...i", g.x),
}


def public_names(torch: Any) -> list[str]:
    """Names of functions, of methods that are no functions, and of those in modules."""
    functions = [n for n in FUNCTIONS if hasattr(torch, n)]
    methods = [f"Tensor.{n}" for n in METHODS if n not in functions and hasattr(torch.Tensor, n)]
    inner = [f"nn.functional.{n}" for n in functional.__all__ if hasattr(torch.nn.functional, n)]
    inner += [f"linalg.{n}" for n in SPACES["linalg"] if hasattr(torch.linalg, n)]
    return [n for n in (*functions, *methods, *inner) if not n.endswith("_")]


def function(torch: Any, name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = attrgetter(name)(torch)
    return found


def seen(torch: Any, call: Callable[..., Any], make: Arguments, given: Given) -> str | None:
    """Return how the results of a call lie in memory; None where it raises or gives no tensor."""
    try:
        arguments = make(given)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = call(*arguments)
    except Exception:
        return None
    flat: list[Any] = []
    for x in [found] if isinstance(found, torch.Tensor) else found if is_many(found) else []:
        flat += x if is_many(x) else [x]
    texts = [_placed(x, arguments) for x in flat if isinstance(x, torch.Tensor)]
    return "; ".join(texts) if any(texts) else None


def is_many(x: Any) -> bool:
    return isinstance(x, (list, tuple))


def _placed(x: Any, arguments: tuple[Any, ...]) -> str:
    """Return the steps along axes with neighbours, and in whose memory a result is."""
    if not x.numel() or not x.dim():
        return ""
    steps = " ".join(str(s) for s, n in zip(x.stride(), x.shape, strict=True) if n > 1)
    for i, y in enumerate(arguments):
        if hasattr(y, "data_ptr") and y.numel():
            reach = 1 + sum(s * (n - 1) for s, n in zip(y.stride(), y.shape, strict=True))
            apart = x.data_ptr() - y.data_ptr()
            if 0 <= apart < reach * y.element_size():
                return f"{steps} in {i} at {apart // y.element_size()}"
    return steps
