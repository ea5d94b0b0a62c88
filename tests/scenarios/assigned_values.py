"""What `x[key] = value` accepts, and outputs that are resized: every kind of value and key."""

import datetime
import fractions
from functools import partial

import numpy as np

from ._harness import differs, each

_KEYS = {
    "0": lambda torch: 0,
    "0:1": lambda torch: slice(0, 1),
    ":": lambda torch: slice(None),
    "...": lambda torch: ...,
    "0, 0": lambda torch: (0, 0),
    "[0, 1]": lambda torch: [0, 1],
    "indices": lambda torch: torch.tensor([1, 0]),
    "mask of rows": lambda torch: torch.tensor([True, False]),
    "mask": lambda torch: torch.tensor([[True, False, True], [False, False, False]]),
    "None": lambda torch: None,
    "0, indices": lambda torch: (0, torch.tensor([0, 1])),
    ":, indices": lambda torch: (slice(None), torch.tensor([0, 2])),
    "True": lambda torch: True,
    "False": lambda torch: False,
    "nothing": lambda torch: slice(0, 0),
}
_VALUES = {
    "list": lambda torch: [1.0, 2.0, 3.0],
    "short list": lambda torch: [1.0],
    "tuple": lambda torch: (1.0, 2.0, 3.0),
    "empty list": lambda torch: [],
    "list of tensors": lambda torch: [torch.tensor(1.0)] * 3,
    "None": lambda torch: None,
    "str": lambda torch: "a",
    "dict": lambda torch: {},
    "set": lambda torch: {1},
    "timedelta": lambda torch: datetime.timedelta(2),
    "Fraction": lambda torch: fractions.Fraction(1, 2),
    "range": lambda torch: range(3),
    "True": lambda torch: True,
    "float": lambda torch: 1.5,
    "vector": lambda torch: torch.arange(1.0, 4.0),
    "row": lambda torch: torch.arange(1.0, 4.0).reshape(1, 3),
    "row of a stack": lambda torch: torch.arange(1.0, 4.0).reshape(1, 1, 3),
    "matrix": lambda torch: torch.arange(6.0).reshape(2, 3),
    "too long": lambda torch: torch.ones(4),
    "empty": lambda torch: torch.ones(0),
    "0-d": lambda torch: torch.tensor(2.0),
    "one element": lambda torch: torch.ones(1),
    "integers": lambda torch: torch.arange(3),
    "float64": lambda torch: torch.arange(1.0, 4.0, dtype=torch.float64),
}


def _assigned(torch, dtype, key, value):
    x = torch.zeros(2, 3, dtype=getattr(torch, dtype))
    x[key] = value
    return x


@each(value=[*_VALUES], dtype=["float32", "int64"])
def value_of_every_kind(torch, log, value, dtype):
    for name, key in _KEYS.items():
        log.attempt(name, partial(_assigned, torch, dtype, key(torch), _VALUES[value](torch)))


_MASKS = {
    "list of rows": lambda torch: [True, False, True, False],
    "array of rows": lambda torch: np.array([True, False, True, False]),
    "no rows": lambda torch: ([False] * 4,),
    "list of columns": lambda torch: (slice(None), [True, False, True]),
    "list of columns of a row": lambda torch: (1, [True, False, True]),
    "array of elements": lambda torch: np.arange(12).reshape(4, 3) % 2 == 0,
    "True": lambda torch: (True,),
    "False": lambda torch: (False,),
    "a row, False": lambda torch: (0, False),
    "columns, False": lambda torch: (slice(None), False),
    "None, False": lambda torch: (None, False),
    "rows and a place": lambda torch: ([True, False, True, False], 1),
    "rows and places": lambda torch: ([True, False, True, False], [0, 2]),
}


@each(mask=list(_MASKS), requires_grad=[False, True])
def places_of_a_mask(torch, log, mask, requires_grad):
    """As many values as a mask chooses, however it is given; and one for all of these."""
    key = _MASKS[mask](torch)
    for name in ("all", "one", "wrong"):
        x = torch.arange(12.0).view(4, 3)
        if requires_grad:
            x = x.requires_grad_() * 1
        chosen = x[key].detach()
        value = {"all": chosen * 2 + 1, "one": torch.tensor(7.0), "wrong": torch.ones(5)}[name]
        log.attempt(name, partial(x.__setitem__, key, value), words=False)
        log.gradient(f"{name}: x", x)


@each(byte=[0, 1, 3], place=["first", "second", "behind all", "array"])
def a_byte_alone(torch, log, byte, place):
    """A byte is a mask, as bytes are, and not the number of a row."""
    one = torch.tensor(byte, dtype=torch.uint8)
    key = {
        "first": one,
        "second": (slice(None), one),
        "behind all": (..., one),
        "array": np.array(byte, dtype=np.uint8),
    }[place]
    x = torch.arange(12.0).view(4, 3)
    log("read", x[key])
    x[key] = x[key] * 2 + 1
    log("written", x)
    x[key] = 5.0
    log("filled", x)


@each(value=["0-d", "one element", "vector"], dtype=["bool", "uint8", "int64"])
def value_with_a_history_among_constants(torch, log, value, dtype):
    """What an array of integers or truths takes has no history there, and keeps its own.

    PyTorch says of some of these arrays that they require a gradient, which they cannot.
    """
    for name, key in _KEYS.items():
        x = torch.zeros(2, 3, dtype=getattr(torch, dtype))
        v = _VALUES[value](torch).requires_grad_()
        log.attempt(name, partial(x.__setitem__, key(torch), v * 2))
        log(f"{name}: x", x.tolist())
        log(f"{name}: version", x._version)
        (v * 3).sum().backward()
        log(f"{name}: gradient", v.grad)


_ROWS = {"shape": [2, 3], "dtype": "float32", "requires_grad": False, "grad_fn": None}


@differs(
    "arrays and scalars of NumPy's are constants",
    {
        "array": {"tensor": [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]], **_ROWS},
        "by indices": {"tensor": [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]], **_ROWS},
        "scalar": {"tensor": [[0.5, 0.5, 0.5], [0.0, 0.0, 0.0]], **_ROWS},
        "too long": {
            "raises": "RuntimeError",
            "message": "The expanded size of the tensor (3) must match the existing size (4) at "
            "non-singleton dimension 0.  Target sizes: [3].  Tensor sizes: [4]",
        },
    },
)
def value_of_numpy(torch, log):
    log.attempt("array", partial(_assigned, torch, "float32", 0, np.ones(3)))
    log.attempt("by indices", partial(_assigned, torch, "float32", [1], np.ones(3)))
    log.attempt("scalar", partial(_assigned, torch, "float32", 0, np.float32(0.5)))
    log.attempt("too long", partial(_assigned, torch, "float32", 0, np.ones(4)))


_WITH_OUT = {
    "add": lambda torch, out: torch.add(torch.ones(2, 3), 1, out=out),
    "matmul": lambda torch, out: torch.matmul(torch.ones(2, 3), torch.ones(3, 2), out=out),
    "sum": lambda torch, out: torch.sum(torch.ones(2, 3), 0, out=out),
    "cat": lambda torch, out: torch.cat([torch.ones(2), torch.ones(1)], out=out),
    "max": lambda torch, out: torch.max(torch.ones(2, 3), 0, out=(out, torch.ones(5).long())),
    "gather": lambda torch, out: torch.gather(torch.ones(3), 0, torch.tensor([1]), out=out),
    "arange": lambda torch, out: torch.arange(3.0, out=out),
    "linspace": lambda torch, out: torch.linspace(0, 1, 3, out=out),
    "logspace": lambda torch, out: torch.logspace(0, 1, 3, out=out),
    "zeros": lambda torch, out: torch.zeros(3, out=out),
    "full": lambda torch, out: torch.full((3,), 1.0, out=out),
    "eye": lambda torch, out: torch.eye(3, out=out),
}


@each(function=[*_WITH_OUT])
def resized_output(torch, log, function):
    for shape in ((5,), (1, 3), (0,), (3,)):
        with log.warns(f"warning of {list(shape)}"):
            log(f"{list(shape)}", _WITH_OUT[function](torch, torch.ones(shape)))


def masks_that_do_not_fit(torch, log):
    for shape in ((3, 2), (2, 2, 3), (4,), (2, 1), ()):
        mask = torch.ones(shape, dtype=torch.bool)
        for name, call in {
            "masked_fill": lambda m: torch.zeros(2, 3).masked_fill(m, 1.0),
            "masked_fill_": lambda m: torch.zeros(2, 3).masked_fill_(m, 1.0),
            "masked_scatter": lambda m: torch.zeros(2, 3).masked_scatter(m, torch.ones(12)),
            "masked_scatter_": lambda m: torch.zeros(2, 3).masked_scatter_(m, torch.ones(12)),
            "masked_select": lambda m: torch.zeros(2, 3).masked_select(m),
        }.items():
            log.attempt(f"{name} {list(shape)}", partial(call, mask))


def extremes_of_nothing(torch, log):
    for name in ("amax", "amin", "aminmax", "max", "min", "argmax", "argmin"):
        call = getattr(torch, name)
        log.attempt(name, partial(call, torch.zeros(0)))
        log.attempt(f"{name} matrix", partial(call, torch.zeros(2, 0)))
        log.attempt(f"{name} dim", partial(call, torch.zeros(2, 0), dim=1))
        log.attempt(f"{name} other dim", partial(call, torch.zeros(2, 0), dim=0))


_NAN = {"tensor": [0.0, 1.0], "shape": [2], "dtype": "float32", "requires_grad": False,
        "grad_fn": None}  # fmt: skip


@differs(
    "nan is the extreme of numbers among which it is, as for max and min",
    {"amax": _NAN, "amin": _NAN, "aminmax": {**_NAN, "tensor": [0.0, 2.0]}},
)
def extremes_of_nan(torch, log):
    for name in ("amax", "amin", "aminmax", "max", "min"):
        x = torch.tensor([1.0, float("nan")], requires_grad=True)
        found = getattr(torch, name)(x)
        (sum(found) if isinstance(found, tuple) else found).backward()
        log(name, x.grad)
