"""How a case is written: deterministic inputs, cotangents, and the `Table` that collects cases.

Nothing here imports PyTorch or symgrad: a case receives the namespace it runs on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

GOLDEN = 0.6180339887498949


@dataclass(frozen=True)
class Arg:
    """One input tensor: a shape to be filled, or literal values."""

    shape: tuple[int, ...]
    lo: float = -2.0
    hi: float = 2.0
    dtype: str = "float64"
    grad: bool = True
    layout: str = "C"  # C; T: transposed memory; S: every second element; E: expanded (stride 0)
    values: Any = None

    @property
    def requires_grad(self) -> bool:
        return self.grad and self.dtype.startswith(("float", "complex"))

    def array(self, position: int, draw: int = 0) -> np.ndarray:
        """The input's values: multiples of 2**-10 from a low-discrepancy sequence, all distinct.

        `draw` shifts the sequence, for comparisons on other values than the recorded ones.
        Literal values ignore it.
        """
        if self.values is not None:
            data = np.array(self.values, dtype=self.dtype)
        else:
            data = self._fill(position, draw).astype(self.dtype)
        return _laid_out(data, self.layout)

    def _fill(self, position: int, draw: int) -> np.ndarray:
        size = int(np.prod(self.shape, dtype=int))
        start = 1 + 17 * position + 131 * draw
        unit = (np.arange(start, start + size) * GOLDEN) % 1.0
        if self.dtype == "bool":
            flat = unit < 0.5
        elif self.dtype.startswith(("int", "uint")):
            flat = np.floor(self.lo + (self.hi - self.lo + 1) * unit)
        else:
            flat = np.round((self.lo + (self.hi - self.lo) * unit) * 1024) / 1024
            if self.dtype.startswith("complex"):
                other = (np.arange(start, start + size) * GOLDEN * GOLDEN + 0.25) % 1.0
                flat = flat + 1j * np.round((self.lo + (self.hi - self.lo) * other) * 1024) / 1024
        return flat.reshape(self.shape)


def _laid_out(data: np.ndarray, layout: str) -> np.ndarray:
    if layout == "T":
        return np.asfortranarray(data)
    if layout == "S":
        buffer = np.full((*data.shape[:-1], 2 * data.shape[-1]), 9, dtype=data.dtype)
        buffer[..., ::2] = data
        return buffer[..., ::2]
    if layout == "E":  # the last axis repeats its first element without storing it
        first = np.ascontiguousarray(data[..., :1])
        return np.lib.stride_tricks.as_strided(first, data.shape, (*first.strides[:-1], 0))
    return data


def f(*shape: int, lo: float = -2.0, hi: float = 2.0, **options: Any) -> Arg:
    """A float64 input that requires grad."""
    return Arg(shape, lo, hi, **options)


def f32(*shape: int, lo: float = -2.0, hi: float = 2.0, **options: Any) -> Arg:
    return Arg(shape, lo, hi, **{"dtype": "float32", **options})


def c(*shape: int, lo: float = -2.0, hi: float = 2.0, **options: Any) -> Arg:
    return Arg(shape, lo, hi, **{"dtype": "complex128", **options})


def i(*shape: int, lo: int = -3, hi: int = 3, **options: Any) -> Arg:
    return Arg(shape, lo, hi, **{"dtype": "int64", **options})


def b(*shape: int) -> Arg:
    return Arg(shape, dtype="bool")


def v(values: Any, dtype: str = "float64", **options: Any) -> Arg:
    """Literal values."""
    return Arg(np.shape(values), dtype=dtype, values=values, **options)


@dataclass(frozen=True)
class Differs:
    """Where symgrad deliberately departs from what PyTorch was recorded doing.

    Each aspect left as None follows the recording.
    """

    reason: str
    values: list | None = None
    first: list | None = None
    second: list | None = None
    freed: bool | None = None
    #: The name of the node of the result.
    node: str = ""
    #: Positions in second gradients, flattened, at which the recording is not followed.
    free: tuple[int, ...] = ()
    #: The case of equal meaning whose recorded gradients hold instead.
    as_case: str = ""


@dataclass(frozen=True, repr=False)
class Case:
    id: str
    family: str
    fn: Callable[..., Any]
    args: tuple[Arg, ...]
    exact: bool = False  # data movement: compare bit for bit
    signed_zeros: bool = True  # whether -0.0 and 0.0 are told apart in values
    rtol: float | None = None
    slack: float = 0.0  # absolute tolerance of values in units of eps: sums that may cancel
    torch_nan: bool = False  # a gradient PyTorch gives as nan may be any number here
    ones: bool = False  # cotangents of ones, so that gradients are the plain derivatives
    same_words: bool = True  # whether an error has PyTorch's message, and not its class alone
    differs: Differs | None = None

    def __repr__(self) -> str:
        return f"Case({self.id})"

    def arrays(self, draw: int = 0) -> list[np.ndarray]:
        return [arg.array(k, draw) for k, arg in enumerate(self.args)]


@dataclass
class Table:
    """Collects the cases of one family; calling it adds a case."""

    family: str
    defaults: dict[str, Any] = field(default_factory=dict)
    cases: list[Case] = field(default_factory=list)

    def __call__(self, name: str, fn: Callable[..., Any], *args: Arg, **options: Any) -> None:
        case_id = f"{self.family}-{name}"
        self.cases.append(Case(case_id, self.family, fn, args, **{**self.defaults, **options}))


def table(family: str, **defaults: Any) -> Table:
    return Table(family, defaults)


def repeated_ids(cases: Iterable[Case]) -> list[str]:
    return [case_id for case_id, n in Counter(case.id for case in cases).items() if n > 1]


def tag(value: Any) -> str:
    """A short, stable piece of an id: shapes as 2x3, anything else as text."""
    if isinstance(value, tuple):
        return "x".join(map(str, value)) or "0d"
    return str(value)


def cotangent(shape: tuple[int, ...], dtype: str, which: int = 0, ones: bool = False) -> np.ndarray:
    """A fixed vector to pull back: signs mixed, sizes in [1, 2), exact in float16."""
    if ones:
        return np.ones(shape, dtype)
    n = np.arange(int(np.prod(shape, dtype=int))) + 5 * which
    flat = (1 + (n * 7 % 16) / 16) * np.where((n + n // 3) % 2, -1.0, 1.0)
    if dtype.startswith("complex"):
        flat = flat + 1j * flat[::-1]
    return flat.astype(dtype).reshape(shape)
