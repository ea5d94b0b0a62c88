"""Truth values of elements: how two elements compare, whether one is nan, finite or real.

Functions of truth values are in `logic`; `where` chooses by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr, seen_class
from symgrad.expr.notation import Notation, Precedence
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import no_derivative_but
from symgrad.ops.samples import ANY

_COLUMN = np.array([[0.3], [-0.4]])  # is equal in one place


class Comparison(Elementwise, abstract=True):
    """A relation between two arrays; its value is bool and has no derivative."""

    poles: ClassVar[tuple[int, ...] | None] = ()
    arity = 2
    result = "bool"
    differentiable = False
    numbers = "last"
    symbol = ""
    latex_symbol = ""
    __class__ = seen_class  # SymPy asks for conditions by class

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 0, 0

    def notation(self) -> Notation:
        # SymPy needs `==` and `!=` of expressions to compare structure, so a call stands for these two.
        called = self.symbol in ("==", "!=")
        return Notation(
            f"{type(self).__name__}({{0}}, {{1}})" if called else f"{{0}} {self.symbol} {{1}}",
            f"{{0}} {self.latex_symbol} {{1}}",
            Precedence.COMPARE,
            (Precedence.COMPARE + 1, Precedence.COMPARE + 1),
        )

    samples = [(ANY, _COLUMN), (np.array(0.3), 1), (np.zeros((0, 3)), ANY)]


class Inequality(Comparison, abstract=True):
    """A relation of the order of two real numbers."""

    refuses: ClassVar[tuple[int, ...]] = (Category.COMPLEX,)
    cut = no_derivative_but("sigmoid() of the difference")


class lt(Inequality):
    """Return where `input` is less than `other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.lt(torch.tensor([1.0, 2.0, 3.0]), 2)
    tensor([ True, False, False])
    """

    operator = "lt"
    scalar = sympy.Lt
    kernel = Kernel.from_ufunc(np.less, "{0} < {1}")
    symbol = latex_symbol = "<"
    aliases = ("less",)


class le(Inequality):
    """Return where `input` is at most `other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.le(torch.tensor([1.0, 2.0, 3.0]), 2)
    tensor([ True,  True, False])
    """

    operator = "le"
    scalar = sympy.Le
    kernel = Kernel.from_ufunc(np.less_equal, "{0} <= {1}")
    symbol, latex_symbol = "<=", r"\leq"
    aliases = ("less_equal",)


class gt(Inequality):
    """Return where `input` is greater than `other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> column = torch.tensor([[1], [3]])
    >>> torch.gt(torch.tensor([1, 2, 3]), column)
    tensor([[False,  True,  True],
            [False, False, False]])
    """

    operator = "gt"
    scalar = sympy.Gt
    kernel = Kernel.from_ufunc(np.greater, "{0} > {1}")
    symbol = latex_symbol = ">"
    aliases = ("greater",)


class ge(Inequality):
    """Return where `input` is at least `other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.ge(torch.tensor([1.0, 2.0, 3.0]), 2)
    tensor([False,  True,  True])
    """

    operator = "ge"
    scalar = sympy.Ge
    kernel = Kernel.from_ufunc(np.greater_equal, "{0} >= {1}")
    symbol, latex_symbol = ">=", r"\geq"
    aliases = ("greater_equal",)


class eq(Comparison):
    """Return where `input` and `other` are equal, broadcast; nan equals nothing.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0, float("nan")])
    >>> torch.eq(x, x)
    tensor([ True,  True, False])
    """

    commutes = True
    scalar = sympy.Eq
    kernel = Kernel.from_ufunc(np.equal, "{0} == {1}")
    symbol, latex_symbol = "==", "="


class ne(Comparison):
    """Return where `input` and `other` differ, broadcast; nan differs from everything.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0, float("nan")])
    >>> torch.ne(x, x)
    tensor([False, False,  True])
    """

    commutes = True
    scalar = sympy.Ne
    kernel = Kernel.from_ufunc(np.not_equal, "{0} != {1}")
    symbol, latex_symbol = "!=", r"\neq"
    aliases = ("not_equal",)


class Test(Elementwise, abstract=True):
    """A property of each element: a truth value, which has no derivative."""

    in_place = "none"
    poles: ClassVar[tuple[int, ...] | None] = ()
    result = "bool"
    differentiable = False
    converts = False

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (0,)

    samples = [(np.array([0.3, np.inf, -np.inf, np.nan]),), (np.array(2),)]


def _infinite(x: Any) -> Any:
    return sympy.Or(sympy.Eq(x, sympy.oo), sympy.Eq(x, -sympy.oo))


class isnan(Test):
    """Return where `input` is nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.isnan(torch.tensor([1.0, float("nan"), float("inf")]))
    tensor([False,  True, False])
    """

    scalar = lambda x: sympy.true if x is sympy.nan else sympy.false  # noqa: E731
    kernel = Kernel.from_ufunc(np.isnan)
    receives = "none"


class isinf(Test):
    """Return where `input` is inf or -inf.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.isinf(torch.tensor([1.0, float("nan"), -float("inf")]))
    tensor([False, False,  True])
    """

    scalar = lambda x: sympy.false if x is sympy.nan else _infinite(x)  # noqa: E731
    kernel = Kernel.from_ufunc(np.isinf)
    receives = "none"


class isreal(Test):
    """Return where `input` has no imaginary part.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.isreal(torch.tensor([1 + 2j, 3 + 0j]))
    tensor([False,  True])
    """

    layout = "first"

    receives = "none"
    scalar = lambda x: sympy.Eq(sympy.im(x), 0)  # noqa: E731
    kernel = Kernel("isreal", np.isreal, "np.isreal({0})", rows=local)


class isfinite(Test):
    """Return where `input` is neither infinite nor nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.isfinite(torch.tensor([1.0, float("nan"), float("inf")]))
    tensor([ True, False, False])
    """

    receives = "none"
    scalar = lambda x: sympy.false if x is sympy.nan else sympy.Not(_infinite(x))  # noqa: E731
    kernel = Kernel.from_ufunc(np.isfinite)


class _RealTest(Test, abstract=True):
    """A property of real numbers."""

    refuses = (Category.COMPLEX,)

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        return RuntimeError(f"{cls.__name__} does not support complex inputs.")


class isposinf(_RealTest):
    """Return where `input` is inf.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.isposinf(torch.tensor([1.0, float("inf"), -float("inf")]))
    tensor([False,  True, False])
    """

    scalar = lambda x: sympy.false if x is sympy.nan else sympy.Eq(x, sympy.oo)  # noqa: E731
    kernel = Kernel("isposinf", lambda x: np.equal(x, np.inf), "({0} == np.inf)", rows=local)


class isneginf(_RealTest):
    """Return where `input` is -inf.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.isneginf(torch.tensor([1.0, float("inf"), -float("inf")]))
    tensor([False, False,  True])
    """

    scalar = lambda x: sympy.false if x is sympy.nan else sympy.Eq(x, -sympy.oo)  # noqa: E731
    kernel = Kernel("isneginf", lambda x: np.equal(x, -np.inf), "({0} == -np.inf)", rows=local)


def _signbit(x: Any) -> Any:
    return np.signbit(x) if np.asarray(x).dtype.kind == "f" else np.less(x, 0)


class signbit(_RealTest):
    """Return where the sign of `input` is minus, also that of a zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.signbit(torch.tensor([1.0, -2.0, -0.0]))
    tensor([False,  True,  True])
    """

    scalar = lambda x: sympy.false if x is sympy.nan else x < 0  # noqa: E731
    kernel = Kernel.from_function(_signbit)
    samples = [(np.array([0.3, np.inf, -np.inf, -1.0]),), (np.array(-2),)]

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        return NotImplementedError("signbit is not implemented for complex tensors.")
