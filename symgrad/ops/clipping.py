"""Values cut off at bounds, and other values for nan and infinity."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from numeric.selection import select
from symgrad.expr.dtypes import Category, bool_, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.expr.shapes import Shape
from symgrad.ops.kinds import Choosing
from symgrad.ops.primitive import Computation
from symgrad.ops.samples import ANY, COLUMN
from symgrad.ops.where import where


def _relu(x: Any) -> Any:
    # In this order -0.0 stays -0.0, as in PyTorch, and NumPy takes element by element.
    if type(x) is np.ndarray and x.dtype.kind == "f" and x.size > _FEW:
        return select(np.less(x, 0), 0, x)
    return np.maximum(0, x)


#: How many elements are done before the call of another function of NumPy is.
_FEW = 8192


class relu(Choosing):
    """Return the positive part of each element of `input`; its derivative at 0 is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
    >>> torch.relu(x).sum().backward()
    >>> x.grad
    tensor([0., 0., 1.])
    """

    ulps = 0
    refuses = (Category.COMPLEX,)
    scalar = lambda x: sympy.Max(x, 0)  # noqa: E731
    receives = "none"
    kernel = Kernel("relu", _relu, "np.maximum(0, {0})", rows=local)

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        return NotImplementedError("clamp is not supported for complex types")

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        if operands[0].dtype is bool_:
            raise RuntimeError("Boolean inputs not supported for relu")
        return super().infer(*operands)

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        return where.of(self <= 0, 0, t)  # nan lets the cotangent through, as in PyTorch

    samples = [(ANY,), (np.array(-1.6),), (np.array([0, -1, 2]),)]


class _Clamp(Choosing, abstract=True):
    """A bound on values; the derivative at the bound is that of values inside the bound."""

    numbers = "last"

    refuses = (Category.COMPLEX,)

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        return NotImplementedError("clamp is not supported for complex types")


class clamp(_Clamp):
    """`min(max(x, low), high)`."""

    ulps = 0
    internal = True
    scalar = lambda x, low, high: sympy.Min(sympy.Max(x, low), high)  # noqa: E731
    kernel = Kernel(
        "clamp",
        lambda x, low, high: np.minimum(np.maximum(x, low), high),
        "np.minimum(np.maximum({0}, {1}), {2})",
        rows=local,
    )

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        x, low, high = self.operands
        if i == 0:
            return where.of((x >= low).logical_and(x <= high), t, 0)
        if i == 1:
            return where.of((x < low).logical_and(low < high), t, 0)
        return where.of((x > high).logical_or(high < low), t, 0)

    samples = [(ANY, -1, 1.5), (ANY, COLUMN - 1, np.array(0.7)), (np.array(2.0), -1, 1)]


class clamp_min(_Clamp):
    """`max(x, low)`."""

    ulps = 0
    scalar = sympy.Max
    kernel = Kernel.from_ufunc(np.maximum, name="clamp_min")
    printed = Notation("clamp({0}, min={1})", r"\max\left({0}, {1}\right)")

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        x, low = self.operands
        return where.of(x >= low, t, 0) if i == 0 else where.of(x < low, t, 0)

    samples = [(ANY, -1), (ANY, COLUMN), (np.array(2.0), 2.5)]


class clamp_max(_Clamp):
    """`min(x, high)`."""

    ulps = 0
    scalar = sympy.Min
    kernel = Kernel.from_ufunc(np.minimum, name="clamp_max")
    printed = Notation("clamp({0}, max={1})", r"\min\left({0}, {1}\right)")

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        x, high = self.operands
        return where.of(x <= high, t, 0) if i == 0 else where.of(x > high, t, 0)

    samples = [(ANY, 1), (ANY, COLUMN), (np.array(2.0), 2.5)]


class nan_to_num(Choosing):
    """Numbers in the place of nan and of infinities; elements that are replaced get no gradient.

    The numbers are operands, since they may vary: the number for nan, then those that `given` names.
    """

    ulps = 0
    params = ("given",)
    layout = "first"
    given: tuple[str, ...]
    decisive = 1

    def implementation(self) -> Computation:
        return _NAN_TO_NUM[self.given], {}, self.operands

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        return None if i else where.of(self.operands[0].isfinite(), t, 0)

    def notation(self) -> Notation:
        names = [*enumerate(("nan", *self.given), 1)]
        text = ", ".join(["{0}", *[f"{name}={{{i}}}" for i, name in names]])
        latex = ", ".join(["{0}", *[rf"{_REPLACED[name]} \mapsto {{{i}}}" for i, name in names]])
        return Notation(
            f"nan_to_num({text})", rf"\operatorname{{{{nan\_to\_num}}}}\left({latex}\right)"
        )

    samples = [
        (np.array([0.3, np.nan, np.inf, -np.inf]), 0.0, -1.0, ("neginf",)),
        (np.array([0.3, np.nan, np.inf, -np.inf]), 0.5, 2.5, -1.0, ("posinf", "neginf")),
        (np.array(2.0), 1.0, ()),
    ]


#: What is replaced, in LaTeX.
_REPLACED = {"nan": r"\mathrm{{nan}}", "posinf": r"\infty", "neginf": r"- \infty"}


def _replacing(*given: str) -> Kernel:
    """Return the kernel that replaces nan, and the infinities named in `given`."""

    def call(x: Any, nan: Any, *infinite: Any) -> Any:
        if type(x) is np.ndarray and x.size > _FEW and np.isfinite(x).all():
            return np.array(x, order="K")
        return np.nan_to_num(x, nan=nan, **dict(zip(given, infinite, strict=True)))

    more = "".join([f", {name}={{{i}}}" for i, name in enumerate(given, 2)])
    return Kernel("nan_to_num", call, f"np.nan_to_num({{0}}, nan={{1}}{more})", rows=local)


_NAN_TO_NUM: dict[tuple[str, ...], Kernel] = {
    given: _replacing(*given) for given in ((), ("posinf",), ("neginf",), ("posinf", "neginf"))
}
