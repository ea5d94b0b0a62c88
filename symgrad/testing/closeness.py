"""Whether results are those that are expected: `assert_close`, with PyTorch's tolerances."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from symgrad.expr.dtypes import (
    complex64,
    complex128,
    dtype,
    float16,
    float32,
    float64,
    from_numpy_dtype,
)
from symgrad.support.quiet import quietly
from symgrad.tensor.tensor import Tensor

__all__ = ["assert_close"]

#: The relative and the absolute tolerance of each dtype; the others are compared exactly.
_TOLERANCES = {
    float16: (1e-3, 1e-5),
    float32: (1.3e-6, 1e-5),
    float64: (1e-7, 1e-7),
    complex64: (1.3e-6, 1e-5),
    complex128: (1e-7, 1e-7),
}
_SCALARS = {int: (0.0, 0.0), bool: (0.0, 0.0), float: (1e-7, 1e-7), complex: (1e-7, 1e-7)}


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Raise an AssertionError unless two results are close: ``|a - e| <= atol + rtol * |e|``.

    Parameters
    ----------
    actual, expected : Tensor, numpy.ndarray, number, None, or sequence or mapping of such
        What is compared.
    allow_subclasses : bool
        Whether an instance of a subclass may stand beside one of its class.
    rtol, atol : float, optional
        The tolerances, both or none; by default those of the dtype.
    equal_nan : bool
        Whether two nan are equal.
    check_device, check_layout : bool
        Ignored: there is one of each.
    check_dtype, check_stride : bool
        Whether these have to be equal.
    msg : str or callable, optional
        The message of the error, or what makes it from the usual one.

    Raises
    ------
    AssertionError
        If they are not close.
    TypeError
        For what cannot be compared.
    ValueError
        If one tolerance alone is given.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.testing.assert_close(torch.tensor([1.0]), torch.tensor([1.0 + 1e-7]))
    >>> torch.testing.assert_close(torch.tensor([1, 2]), torch.tensor([1, 3]))
    Traceback (most recent call last):
        ...
    AssertionError: Tensor-likes are not equal!
    <BLANKLINE>
    Mismatched elements: 1 / 2 (50.0%)
    Greatest absolute difference: 1 at index (1,)
    Greatest relative difference: 0.3333333333333333 at index (1,)
    """
    if (rtol is None) != (atol is None):
        given = "rtol" if rtol is None else "atol"
        raise ValueError(
            f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {given}."
        )
    compare = _Comparison(
        None if rtol is None or atol is None else (rtol, atol),
        equal_nan, check_dtype, check_stride, allow_subclasses,
    )  # fmt: skip
    for found in compare.differences(actual, expected, ()):
        if msg is not None:
            found = msg(found) if callable(msg) else msg
        raise AssertionError(found)


@dataclass(frozen=True)
class _Comparison:
    tolerances: tuple[float, float] | None
    equal_nan: bool
    check_dtype: bool
    check_stride: bool
    allow_subclasses: bool

    def differences(self, actual: Any, expected: Any, path: tuple[Any, ...]) -> list[str]:
        """Return the message for the first difference, in a list that is empty without one."""
        kinds = (actual, expected)
        if actual is None and expected is None:
            return []
        if all(isinstance(x, Mapping) for x in kinds):
            return self._of_mappings(actual, expected, path)
        if all(isinstance(x, Sequence) and not isinstance(x, str) for x in kinds):
            if len(actual) != len(expected):
                text = f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
                return [_located(text, path)]
            pairs = zip(range(len(actual)), actual, expected, strict=True)
        elif all(isinstance(x, (numbers.Number, np.bool_)) for x in kinds):
            text = self._of_scalars(actual, expected)
            return [_located(text, path)] if text else []
        elif self._are_tensors(actual, expected):
            text = self._of_tensors(actual, expected)
            return [_located(text, path)] if text else []
        else:
            raise TypeError(
                "No comparison pair was able to handle inputs of type "
                f"{type(actual)} and {type(expected)}."
            )
        return self._first(pairs, path)

    def _are_tensors(self, actual: Any, expected: Any) -> bool:
        classes = (type(actual), type(expected))
        related = issubclass(classes[0], classes[1]) or issubclass(classes[1], classes[0])
        tensors = isinstance(actual, (Tensor, np.ndarray))
        return tensors and (related if self.allow_subclasses else classes[0] is classes[1])

    def _first(self, items: Any, path: tuple[Any, ...]) -> list[str]:
        for key, a, e in items:
            found = self.differences(a, e, (*path, key))
            if found:
                return found
        return []

    def _of_mappings(
        self, actual: Mapping[Any, Any], expected: Mapping[Any, Any], path: tuple[Any, ...]
    ) -> list[str]:
        missing = [k for k in expected if k not in actual]
        more = [k for k in actual if k not in expected]
        if missing or more:
            text = (
                "The keys of the mappings do not match:\n"
                f"Missing keys in the actual mapping: {_sorted(missing)}\n"
                f"Additional keys in the actual mapping: {_sorted(more)}"
            )
            return [_located(text, path)]
        return self._first([(k, actual[k], expected[k]) for k in _sorted(list(expected))], path)

    def _of_scalars(self, actual: Any, expected: Any) -> str:
        kinds = [_SCALARS.get(type(x), (1e-7, 1e-7)) for x in (actual, expected)]
        rtol, atol = self.tolerances or (max(kinds)[0], max(kinds)[1])
        return self._between_numbers(actual, expected, rtol, atol)

    def _between_numbers(self, a: Any, e: Any, rtol: float, atol: float) -> str:
        if self._close(np.asarray(a), np.asarray(e), rtol, atol).all():
            return ""
        difference = abs(int(a) - int(e)) if isinstance(a, bool) else abs(a - e)
        relative = difference / abs(e) if e else float("inf")
        exact = rtol == atol == 0
        return (
            f"Scalars are not {'equal' if exact else 'close'}!\n\nExpected {e} but got {a}.\n"
            f"Absolute difference: {difference}{'' if exact else f' (up to {atol} allowed)'}\n"
            f"Relative difference: {relative}{'' if exact else f' (up to {rtol} allowed)'}"
        )

    def _close(self, a: Any, e: Any, rtol: float, atol: float) -> Any:
        if rtol == atol == 0 and a.dtype.kind in "biu" and e.dtype.kind in "biu":
            return a == e
        return quietly(np.isclose, a, e, rtol, atol, self.equal_nan)

    def _of_tensors(self, actual: Any, expected: Any) -> str:
        kinds: list[dtype] = [_dtype_of(x) for x in (actual, expected)]
        for name, checked in (("shape", True), ("dtype", self.check_dtype)):
            values = kinds if name == "dtype" else [getattr(x, name) for x in (actual, expected)]
            if checked and values[0] != values[1]:
                return _unlike(name, *values)
        if self.check_stride and _strides(actual) != _strides(expected):
            return _unlike("stride()", _strides(actual), _strides(expected))
        chosen = [_TOLERANCES.get(kind, (0.0, 0.0)) for kind in kinds]
        rtol, atol = self.tolerances or (max(chosen)[0], max(chosen, key=lambda t: t[1])[1])
        a, e = _numbers(actual), _numbers(expected)
        close = self._close(a, e, rtol, atol)
        if close.all():
            return ""
        if a.ndim == 0:
            return self._between_numbers(a.item(), e.item(), rtol, atol)
        return _mismatch(a, e, ~close, rtol, atol)


def _dtype_of(x: Any) -> dtype:
    return x.dtype if isinstance(x, Tensor) else from_numpy_dtype(x.dtype)


def _numbers(x: Any) -> Any:
    return x.detach().numpy() if isinstance(x, Tensor) else x


def _strides(x: Any) -> Any:
    return x.stride() if isinstance(x, Tensor) else x.strides


def _sorted(keys: list[Any]) -> list[Any]:
    return sorted(keys, key=lambda k: (str(type(k)), str(k)))


def _located(text: str, path: tuple[Any, ...]) -> str:
    if not path:
        return text
    return f"{text}\n\nThe failure occurred for item {''.join(f'[{key!r}]' for key in path)}"


def _unlike(name: str, a: Any, e: Any) -> str:
    return f"The values for attribute '{name}' do not match: {a} != {e}."


def _mismatch(a: Any, e: Any, wrong: Any, rtol: float, atol: float) -> str:
    exact = rtol == atol == 0
    wide = [x if x.dtype.kind in "fc" else x.astype(np.int64) for x in (a, e)]
    absolute = np.where(wrong, quietly(lambda: abs(wide[0] - wide[1])), 0)
    relative = np.where(wrong, quietly(lambda: absolute / abs(wide[1])), 0)
    lines = []
    for word, values, bound in (("absolute", absolute, atol), ("relative", relative, rtol)):
        place = np.unravel_index(np.argmax(values), values.shape)
        shown = f"{values[place].item()} at index {tuple(map(int, place))}"
        allowed = "" if exact else f" (up to {bound} allowed)"
        lines.append(f"Greatest {word} difference: {shown}{allowed}")
    count = int(wrong.sum())
    return (
        f"Tensor-likes are not {'equal' if exact else 'close'}!\n\n"
        f"Mismatched elements: {count} / {wrong.size} ({count / wrong.size:.1%})\n"
        + "\n".join(lines)
    )
