"""PyTorch's dtypes, and the dtype of a result from those of its operands.

This module knows neither expressions nor tensors: an operand has a `dtype`, a `shape` and `weak`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from symgrad.support.remembered import everything_remembered


class Category:
    """The categories of dtypes, in the order of promotion: a result has the highest."""

    BOOL: Final = 0
    INT: Final = 1
    FLOAT: Final = 2
    COMPLEX: Final = 3


class dtype:  # noqa: N801 - PyTorch's name
    """An element type. There is one object per type, so `is` compares.

    Attributes
    ----------
    name : str
        PyTorch's name, `"float32"`.
    numpy : numpy.dtype
        The same type for NumPy.
    category : int
        A `Category`.
    scalar_name, cpp_name : str
        PyTorch's names of the type in error messages, `"Float"` and `"float"`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1.0]).dtype is torch.float32
    True
    """

    __slots__ = ("category", "cpp_name", "itemsize", "name", "numpy", "scalar_name")

    def __init__(self, name: str, category: int, scalar_name: str, cpp_name: str) -> None:
        self.name = name
        self.numpy = np.dtype(name)
        self.category = category
        self.scalar_name = scalar_name
        self.cpp_name = cpp_name
        self.itemsize = self.numpy.itemsize

    @property
    def is_floating_point(self) -> bool:
        """Whether this is a real floating-point type.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.float32.is_floating_point, torch.complex64.is_floating_point
        (True, False)
        """
        return self.category == Category.FLOAT

    @property
    def is_complex(self) -> bool:
        """Whether this is a complex type.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.complex64.is_complex, torch.float32.is_complex
        (True, False)
        """
        return self.category == Category.COMPLEX

    @property
    def is_signed(self) -> bool:
        """Whether values may be negative.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.int8.is_signed, torch.uint8.is_signed
        (True, False)
        """
        return self.name not in ("bool", "uint8")

    @property
    def differentiable(self) -> bool:
        """Whether tensors of this type can require a gradient.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.float16.differentiable, torch.complex64.differentiable, torch.int64.differentiable
        (True, True, False)
        """
        return self.category >= Category.FLOAT

    def to_real(self) -> dtype:
        """The real type of the same precision.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.complex128.to_real()
        torch.float64
        """
        return to_real(self)

    def to_complex(self) -> dtype:
        """The complex type of the same precision.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.float32.to_complex()
        torch.complex64
        """
        return to_complex(self)

    @property
    def c_name(self) -> str:
        """The name in C of a type that numbers are converted to, in error messages.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.float32.c_name, torch.uint8.c_name, torch.int32.c_name
        ('float', 'uint8_t', 'int')
        """
        exact = self.category == Category.INT and self.name != "int32"
        return f"{self.name}_t" if exact else self.cpp_name

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return "bool_" if self.name == "bool" else self.name


float16 = dtype("float16", Category.FLOAT, "Half", "c10::Half")
float32 = dtype("float32", Category.FLOAT, "Float", "float")
float64 = dtype("float64", Category.FLOAT, "Double", "double")
complex64 = dtype("complex64", Category.COMPLEX, "ComplexFloat", "c10::complex<float>")
complex128 = dtype("complex128", Category.COMPLEX, "ComplexDouble", "c10::complex<double>")
int8 = dtype("int8", Category.INT, "Char", "signed char")
int16 = dtype("int16", Category.INT, "Short", "short int")
int32 = dtype("int32", Category.INT, "Int", "int")
int64 = dtype("int64", Category.INT, "Long", "long int")
uint8 = dtype("uint8", Category.INT, "Byte", "unsigned char")
bool_ = dtype("bool", Category.BOOL, "Bool", "bool")

DTYPES: Final[tuple[dtype, ...]] = (
    bool_, uint8, int8, int16, int32, int64, float16, float32, float64, complex64, complex128,
)  # fmt: skip
_BY_NUMPY: Final = {d.numpy: d for d in DTYPES}
_REAL: Final = {complex64: float32, complex128: float64}
_COMPLEX: Final = {float16: complex64, float32: complex64, float64: complex128}


def from_numpy_dtype(numpy_dtype: Any) -> dtype:
    """Return the dtype of a NumPy dtype; TypeError where there is none."""
    found = _BY_NUMPY.get(np.dtype(numpy_dtype))
    if found is None:
        # The list is the one that PyTorch's own message gives.
        raise TypeError(
            f"can't convert np.ndarray of type {_type_text(numpy_dtype)}. The only supported types "
            "are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, "
            "uint64, uint32, uint16, uint8, and bool."
        )
    return found


def _type_text(numpy_dtype: Any) -> str:
    scalar = np.dtype(numpy_dtype).type
    return f"{scalar.__module__}.{scalar.__name__}"


_default = float32


def default_dtype() -> dtype:
    """Return the dtype of Python floats: float32 unless `set_default_dtype` changed it."""
    return _default


def set_default_dtype(d: dtype) -> None:
    """Set the floating-point dtype that Python floats get.

    Parameters
    ----------
    d : dtype
        float16, float32 or float64.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.set_default_dtype(torch.float64)
    >>> torch.tensor(0.1).dtype
    torch.float64
    >>> torch.set_default_dtype(torch.float32)
    """
    global _default
    if not isinstance(d, dtype):
        raise TypeError(
            "invalid dtype object: only floating-point types are supported as the default type"
        )
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    if d is not _default:
        _default = d
        for table in everything_remembered:
            table.clear()  # dtypes in the tables may follow from the former default


def no_kernel(name: str, kind: dtype) -> NotImplementedError:
    """Return PyTorch's error where the kernel of a name is not made for a dtype."""
    return NotImplementedError(f"\"{name}\" not implemented for '{kind.scalar_name}'")


def cast_refused(kind: dtype, target: dtype) -> RuntimeError:
    """Return PyTorch's error for a result of a higher kind of dtype than what it is written to."""
    return RuntimeError(
        f"result type {kind.scalar_name} can't be cast to the desired output type "
        f"{target.scalar_name}"
    )


def to_real(d: dtype) -> dtype:
    """The real type of the same precision."""
    return _REAL.get(d, d)


def to_complex(d: dtype) -> dtype:
    """The complex type of the same precision (complex64 for float16)."""
    return d if d.is_complex else _COMPLEX.get(d) or _COMPLEX[_default]


def to_float(d: dtype) -> dtype:
    """`d` itself when floating or complex, else the default dtype: what `exp` returns."""
    return d if d.category >= Category.FLOAT else _default


_PYTHON_TYPES = {float: float64, int: int64, bool: bool_, complex: complex128}


def dtype_of_type(kind: type[Any]) -> dtype:
    """Return the dtype that a type of Python means as an argument, as `float` means float64."""
    return _PYTHON_TYPES[kind]


def dtype_of_number(value: complex | bool) -> dtype:
    """Return the dtype of a Python number where no tensor decides the dtype."""
    if isinstance(value, (bool, np.bool_)):
        return bool_
    if isinstance(value, (int, np.integer)):
        return int64
    if isinstance(value, (float, np.floating)):
        return _default
    return to_complex(_default)


def _promote(a: dtype, b: dtype) -> dtype:
    if a is b:
        return a
    if a.category > b.category:
        a, b = b, a
    if a.category == b.category:
        if uint8 in (a, b) and a.category == Category.INT:
            other = b if a is uint8 else a
            return int16 if other is int8 else other
        return a if a.itemsize > b.itemsize else b
    if b.is_complex and a is float64:
        return complex128
    return b


_PROMOTION: Final = {(a, b): _promote(a, b) for a in DTYPES for b in DTYPES}


def promote(a: dtype, b: dtype) -> dtype:
    """Return the smallest dtype that PyTorch promotes both to."""
    return _PROMOTION[a, b]


def _combine(higher: dtype | None, lower: dtype | None) -> dtype | None:
    """Return the dtype of two tiers: the lower tier counts only if its category is higher."""
    if higher is None or lower is None:
        return higher or lower
    if lower.category <= higher.category:
        return higher
    return to_complex(higher) if higher.is_floating_point else promote(higher, lower)


def result_dtype(operands: Iterable[Any]) -> dtype:
    """Return the dtype of operands as PyTorch promotes them, in three tiers.

    Arrays with axes decide before 0-d arrays, and these before Python numbers.

    Parameters
    ----------
    operands : iterable
        Objects with `dtype`, `shape` and `weak` (True for a Python number).
    """
    tiers: list[dtype | None] = [None, None, None]
    for x in operands:
        tier = 2 if x.weak else 1 if not x.shape else 0
        seen = tiers[tier]
        tiers[tier] = x.dtype if seen is None else promote(seen, x.dtype)
    result = _combine(tiers[0], _combine(tiers[1], tiers[2]))
    if result is None:
        raise ValueError("result_dtype needs at least one operand")
    return result


def tensor_class(kind: dtype) -> str:
    """Return what PyTorch calls the tensors of a dtype in messages."""
    title = kind.scalar_name
    # PyTorch never had tensor classes for truth values and complex numbers.
    return f"CPU{title}Type" if kind.is_complex or title == "Bool" else f"torch.{title}Tensor"


def check_word(value: int) -> None:
    """Raise PyTorch's error for an integer that no word of 64 bits holds, signed or not."""
    if not -(2**63) <= value < 2**64:
        raise OverflowError(
            "int too big to convert" if value > 0 else "can't convert negative int to unsigned"
        )


def number_as(value: Any, kind: dtype) -> Any:
    """Return a number as PyTorch converts it to elements of `kind`, cut to an integer for integers.

    Integers from -1 to -255 count from 256 for uint8.

    Raises
    ------
    OverflowError
        For an integer beyond 64 bits.
    RuntimeError
        PyTorch's, for a number that `kind` cannot hold: too large, not finite for an integer, or
        with an imaginary part for a real dtype.
    """
    if isinstance(value, int):
        check_word(value)
    if kind is bool_:
        return int(bool(value))
    if isinstance(value, complex):
        held = _holds(kind, value.real) and (
            _holds(kind, value.imag) if kind.is_complex else not value.imag
        )
        value = value if kind.is_complex else value.real
    else:
        held = _holds(kind, value)
    if not held:
        raise RuntimeError(f"value cannot be converted to type {kind.c_name} without overflow")
    if kind.differentiable:
        return int(value) if isinstance(value, bool) else value
    return int(value) % 256 if kind is uint8 else int(value)


def number_as_tensor(value: Any, kind: dtype) -> Any:
    """Return a number as PyTorch makes a tensor of it: float16 has infinities for large ones."""
    return number_as(value, float64 if kind is float16 else kind)


@functools.lru_cache(16)
def _limits(kind: dtype) -> tuple[int, int]:
    """Return the least and the greatest integer of an integer dtype."""
    found = np.iinfo(kind.numpy)
    return int(found.min), int(found.max)


def _holds(kind: dtype, x: float) -> bool:
    """Return whether elements of `kind`, or their two parts, hold a real number."""
    if not kind.differentiable:
        least, most = _limits(kind)
        return (-most if kind is uint8 and isinstance(x, int) else least) <= x <= most
    if abs(x) <= 65504 or not math.isfinite(x):
        return True
    return abs(x) <= float(np.finfo(kind.numpy).max)
