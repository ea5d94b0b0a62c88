"""What is put into the places of calls, right and wrong, each by a short name.

A value is made afresh for every call, from the library under observation.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy

Make = Callable[[Any], Any]


def _ramp(t: Any, *shape: int) -> Any:
    count = int(np.prod(shape))
    return (t.arange(count, dtype=t.float64) * 0.07 + 0.13).reshape(shape)


def _deep(depth: int) -> Any:
    value: Any = 1.0
    for _ in range(depth):
        value = [value]
    return value


def _many_axes(t: Any) -> Any:
    return t.ones(2, dtype=t.float64).reshape((1,) * 63 + (2,))


def _not_a_leaf(t: Any) -> Any:
    return _ramp(t, 2, 3).requires_grad_() * 2


#: What calls that succeed are made of.
RIGHT: dict[str, Make] = {
    "f": lambda t: _ramp(t),
    "f1": lambda t: _ramp(t, 1),
    "f3": lambda t: _ramp(t, 3),
    "f33": lambda t: _ramp(t, 3, 3),
    "f93": lambda t: _ramp(t, 9, 3),
    "p33": lambda t: _ramp(t, 3, 3) + _ramp(t, 3, 3).T + 3 * t.eye(3, dtype=t.float64),
    "f133": lambda t: _ramp(t, 1, 3, 3),
    "f333": lambda t: _ramp(t, 3, 3, 3),
    "f3333": lambda t: _ramp(t, 3, 3, 3, 3),
    "f33333": lambda t: _ramp(t, 3, 3, 3, 3, 3),
    "i": lambda t: t.tensor(1),
    "k3": lambda t: t.tensor([1, 2, 3], dtype=t.int32),
    "i3": lambda t: t.tensor([0, 2, 1]),
    "i33": lambda t: t.tensor([[0, 2, 1], [1, 1, 0], [2, 0, 0]]),
    "b3": lambda t: t.tensor([True, False, True]),
    "b33": lambda t: t.tensor([[True, False, True]] * 3),
    "c3": lambda t: t.tensor([1 + 2j, 2 - 1j, 0.5j], dtype=t.complex128),
    "c33": lambda t: t.tensor([[1 + 2j, 2 - 1j, 0.5j]] * 3, dtype=t.complex128),
    "w3": lambda t: _ramp(t, 3).requires_grad_(),
    "w": lambda t: _ramp(t).requires_grad_(),
    "y3": lambda t: _ramp(t, 3).requires_grad_() * 2,
    "y": lambda t: (_ramp(t, 3).requires_grad_() * 2).sum(),
    "f3s": lambda t: [_ramp(t, 3), _ramp(t, 3)],
    "f3tuple": lambda t: (_ramp(t, 3),),
    "f3list": lambda t: [_ramp(t, 3)],
    "f3lists": lambda t: [[_ramp(t, 3)]],
    "f33s": lambda t: [_ramp(t, 3, 3), _ramp(t, 3, 3)],
    "w3s": lambda t: (_ramp(t, 3).requires_grad_(), _ramp(t, 3).requires_grad_()),
    "i3s": lambda t: (t.tensor([0, 2, 1]),),
    "0": lambda t: 0,
    "1": lambda t: 1,
    "2": lambda t: 2,
    "3": lambda t: 3,
    "9": lambda t: 9,
    "0.5": lambda t: 0.5,
    "(0,)": lambda t: (0,),
    "(1,)": lambda t: (1,),
    "(3,)": lambda t: (3,),
    "(0,1)": lambda t: (0, 1),
    "(1,2)": lambda t: (1, 2),
    "(3,3)": lambda t: (3, 3),
    "(1,1)": lambda t: (1, 1),
    "(3,1)": lambda t: (3, 1),
    "True": lambda t: True,
    "'sum'": lambda t: "sum",
    "'prod'": lambda t: "prod",
    "'fro'": lambda t: "fro",
    "'i,i'": lambda t: "i,i",
    "'cpu'": lambda t: "cpu",
    "'x'": lambda t: "x",
    "''": lambda t: "",
    "'same'": lambda t: "same",
    "float64": lambda t: t.float64,
    "device": lambda t: t.device("cpu"),
    "strided": lambda t: t.strided,
    "callable": lambda t: lambda *x: x[0],
    "square": lambda t: lambda x: x * x,
    "total": lambda t: lambda x: (x * x).sum(),
    "array": lambda t: np.ones(3),
    "class": lambda t: t.Tensor,
    "dict": lambda t: {},
    "generator": lambda t: t.Generator(),
    "states": lambda t: t.Generator().get_state(),
    "rng": lambda t: t.get_rng_state(),
    "Generator": lambda t: t.Generator(),
    "Size": lambda t: t.Size((2, 3)),
    "int64": lambda t: t.int64,
    "f32": lambda t: _ramp(t, 3, 2),
    "-1": lambda t: -1,
    "None": lambda t: None,
    "ordered": lambda t: OrderedDict(),
    "types": lambda t: (t.Tensor,),
    "(f3,)": lambda t: (_ramp(t, 3),),
    "np.add": lambda t: np.add,
    "np.sum": lambda t: np.sum,
    "'__call__'": lambda t: "__call__",
    "memo": lambda t: {},
    "functions": lambda t: [lambda x: x * 2, lambda x: x + 1],
    "symbol": lambda t: sympy.Symbol("q"),
    "cos": lambda t: sympy.cos,
    "leaf": lambda t: t.leaf("x", (3,)),
    "formula": lambda t: t.leaf("x", (3,)) * 2,
}

#: What is tried in every place. PyTorch is asked for all but those of `OWN`.
WRONG: dict[str, Make] = {
    "None": lambda t: None,
    "'a'": lambda t: "a",
    "''": lambda t: "",
    "b'a'": lambda t: b"a",
    "[]": lambda t: [],
    "()": lambda t: (),
    "[1.0, 2.0]": lambda t: [1.0, 2.0],
    "['a']": lambda t: ["a"],
    "[None]": lambda t: [None],
    "[object]": lambda t: [object()],
    "ragged": lambda t: [[1.0], [2.0, 3.0]],
    "65 lists": lambda t: _deep(65),
    "(0,)": lambda t: (0,),
    "(0, 0)": lambda t: (0, 0),
    "(-1,)": lambda t: (-1,),
    "(7, 7)": lambda t: (7, 7),
    "(1.5, 2)": lambda t: (1.5, 2),
    "(2**62, 2**62)": lambda t: (2**62, 2**62),
    "(2**70,)": lambda t: (2**70,),
    "65 ones": lambda t: (1,) * 65,
    "[tensor, 1.0]": lambda t: [_ramp(t, 3), 1.0],
    "[tensor, None]": lambda t: [_ramp(t, 3), None],
    "[5x7, 3]": lambda t: [_ramp(t, 5, 7), _ramp(t, 3)],
    "{}": lambda t: {},
    "{'a': 1}": lambda t: {"a": 1},
    "{1}": lambda t: {1},
    "object": lambda t: object(),
    "int": lambda t: int,
    "function": lambda t: len,
    "slice": lambda t: slice(None),
    "...": lambda t: ...,
    "iterator": lambda t: iter((1, 2)),
    "0": lambda t: 0,
    "1.5": lambda t: 1.5,
    "-0.5": lambda t: -0.5,
    "nan": lambda t: float("nan"),
    "inf": lambda t: float("inf"),
    "1j": lambda t: 1j,
    "True": lambda t: True,
    "-1": lambda t: -1,
    "-7": lambda t: -7,
    "100": lambda t: 100,
    "2**31": lambda t: 2**31,
    "2**63-1": lambda t: 2**63 - 1,
    "-2**63": lambda t: -(2**63),
    "2**63": lambda t: 2**63,
    "2**70": lambda t: 2**70,
    "1e300": lambda t: 1e300,
    "np.float64": lambda t: np.float64(1.5),
    "np.int64": lambda t: np.int64(3),
    "np.bool": lambda t: np.bool_(True),
    "np.str": lambda t: np.str_("a"),
    "array": lambda t: np.ones(2),
    "big-endian array": lambda t: np.ones(3, ">f8"),
    "object array": lambda t: np.array([1.0, None], dtype=object),
    "string array": lambda t: np.array(["a", "b"]),
    "date array": lambda t: np.zeros(2, "M8[s]"),
    "record array": lambda t: np.zeros(2, [("a", "f8"), ("b", "i4")]),
    "64-dim array": lambda t: np.ones((1,) * 64),
    "int tensor": lambda t: t.ones(3, 3, dtype=t.int64),
    "bool tensor": lambda t: t.ones(3, dtype=t.bool),
    "complex tensor": lambda t: t.ones(3, 3, dtype=t.complex128),
    "half tensor": lambda t: t.ones(3, dtype=t.float16),
    "uint8 tensor": lambda t: t.ones(3, dtype=t.uint8),
    "5x7 tensor": lambda t: _ramp(t, 5, 7),
    "0-d tensor": lambda t: _ramp(t),
    "0-d int tensor": lambda t: t.tensor(-7),
    "empty tensor": lambda t: t.ones(0, dtype=t.float64),
    "0x3 tensor": lambda t: t.ones(0, 3, dtype=t.float64),
    "2x3x4 tensor": lambda t: _ramp(t, 2, 3, 4),
    "64-dim tensor": _many_axes,
    "index tensor": lambda t: t.tensor([100, -100]),
    "leaf tensor": lambda t: _ramp(t, 3).requires_grad_(),
    "non-leaf tensor": _not_a_leaf,
    "nan tensor": lambda t: t.tensor([float("nan")] * 3, dtype=t.float64),
    "int64": lambda t: t.int64,
    "device": lambda t: t.device("cpu"),
    "strided": lambda t: t.strided,
    "Generator": lambda t: t.Generator(),
    "Tensor": lambda t: t.Tensor,
    "symbol": lambda t: sympy.Symbol("q"),
    "sympy number": lambda t: sympy.Rational(1, 2),
    "sympy matrix": lambda t: sympy.Matrix([[1, 2], [3, 4]]),
    "leaf": lambda t: t.leaf("x", (3,)),
    "0-d leaf": lambda t: t.leaf("x"),
    "formula": lambda t: t.leaf("x", (3, 3)) * 2,
    "bool leaf": lambda t: t.leaf("x", (2,), t.bool),
}

#: What symgrad alone has.
OWN = frozenset(("leaf", "0-d leaf", "formula", "bool leaf"))
