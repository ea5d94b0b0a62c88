"""Calls of every public operation on a tensor without axes, and what comes of them.

Each name is called with every list of arguments below; the library is an argument.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any


class Given:
    """The tensors that calls take: of no axes, and of one."""

    def __init__(self, torch: Any) -> None:
        self.x = torch.tensor(0.75, dtype=torch.float64, requires_grad=True)
        self.y = torch.tensor(0.25, dtype=torch.float64)
        self.row = torch.tensor([0.25], dtype=torch.float64)
        self.two = torch.tensor([0.25, 0.5], dtype=torch.float64)
        self.zero = torch.tensor(0)
        self.zeros = torch.tensor([0])
        self.twice = torch.tensor([0, 0])
        self.one = torch.tensor([1])
        self.none = torch.zeros(0, dtype=torch.int64)
        self.nothing = torch.zeros(0, dtype=torch.float64)
        self.true = torch.tensor(True)


Arguments = Callable[[Given], tuple[Any, ...]]

#: Lists of arguments behind the tensor.
ARGUMENTS: dict[str, Arguments] = {
    "": lambda g: (),
    "0": lambda g: (0,),
    "-1": lambda g: (-1,),
    "1": lambda g: (1,),
    "()": lambda g: ((),),
    "(0,)": lambda g: ((0,),),
    "y": lambda g: (g.y,),
    "0 zero": lambda g: (0, g.zero),
    "-1 zero": lambda g: (-1, g.zero),
    "1 zero": lambda g: (1, g.zero),
    "0 zeros": lambda g: (0, g.zeros),
    "0 twice": lambda g: (0, g.twice),
    "0 one": lambda g: (0, g.one),
    "0 none": lambda g: (0, g.none),
    "zero 0": lambda g: (g.zero, 0),
    "zero": lambda g: (g.zero,),
    "twice": lambda g: (g.twice,),
    "true": lambda g: (g.true,),
    "true y": lambda g: (g.true, g.y),
    "0 zero y": lambda g: (0, g.zero, g.y),
    "0 zeros y": lambda g: (0, g.zeros, g.y),
    "0 zeros row": lambda g: (0, g.zeros, g.row),
    "0 twice two": lambda g: (0, g.twice, g.two),
    "0 one row": lambda g: (0, g.one, g.row),
    "0 none nothing": lambda g: (0, g.none, g.nothing),
    "0 zero 0.5": lambda g: (0, g.zero, 0.5),
    "0 one 0.5": lambda g: (0, g.one, 0.5),
    "0 zero y sum": lambda g: (0, g.zero, g.y, "sum"),
    "0 zero y prod": lambda g: (0, g.zero, g.y, "prod"),
    "1 0": lambda g: (1, 0),
    "0 0": lambda g: (0, 0),
    "0 0 1": lambda g: (0, 0, 1),
    "0 1 1": lambda g: (0, 1, 1),
    "2 0 0.5": lambda g: (2, 0, 0.5),
}


def outcome(call: Callable[..., Any], make: Arguments, given: Given) -> str:
    """Return the values, shapes and gradient of what a call gives, or the class of its error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = call(given.x, *make(given))
    except Exception as error:
        return type(error).__name__
    results = list(found) if isinstance(found, (list, tuple)) else [found]
    texts = []
    for result in results:
        if not hasattr(result, "requires_grad"):
            texts.append(repr(result))
            continue
        values = [round(float(v), 6) + 0.0 for v in result.detach().double().flatten().tolist()]
        text = f"{values} {tuple(result.shape)}"
        if result.requires_grad:
            result.sum().backward(retain_graph=True)
            gradient, given.x.grad = given.x.grad, None
            text += f" {None if gradient is None else round(gradient.item(), 6) + 0.0}"
        texts.append(text)
    return "; ".join(texts)
