"""Functions of truth values and of bits: the logical operations, the bitwise ones and shifts.

The comparisons that give truth values are in `comparison`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, bool_
from symgrad.expr.node import ArrayExpr, seen_class
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import bind
from symgrad.ops.samples import COLUMN
from symgrad.ops.zeros import Zeros

_P = np.array([True, False, True])
_Q = np.array([[True], [False]])


class Logic(Elementwise, abstract=True):
    """A function of truth values: every number but zero is true."""

    arity = 2
    result = "bool"
    differentiable = False
    symbol = ""
    latex_symbol = ""
    __class__ = seen_class  # SymPy asks for conditions by class
    converts = False

    def element(self, *operands: Any) -> Any:
        pairs = zip(operands, self.operands, strict=True)
        return self.scalar(*[x if e.dtype is bool_ else sympy.Ne(x, 0) for x, e in pairs])

    def partials(self, *operands: ArrayExpr) -> Sequence[Any]:
        return (0,) * len(operands)

    def notation(self) -> Notation:
        return Notation(
            f"{type(self).__name__}({{0}}, {{1}})",
            f"{{0}} {self.latex_symbol} {{1}}",
            Precedence.LOGIC,
            (Precedence.LOGIC + 1, Precedence.LOGIC + 1),
        )

    samples = [(_P, _Q), (np.array([0.0, 1.5, -0.0]), np.array([[2.0], [0.0]]))]


def _true(x: Any) -> Any:
    """The truth value of a SymPy number or relation."""
    return x if isinstance(x, (bool, sympy.logic.boolalg.Boolean)) else sympy.Ne(x, 0)


class logical_and(Logic):
    """Return where both `input` and `other` are not zero, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logical_and(torch.tensor([0, 1, 2]), torch.tensor([1, 1, 0]))
    tensor([False,  True, False])
    """

    commutes = True
    keeps_zeros = Zeros.AND
    of_sympy = sympy.And
    scalar = lambda x, y: sympy.And(_true(x), _true(y))  # noqa: E731
    kernel = Kernel.from_ufunc(np.logical_and)
    latex_symbol = r"\wedge"


class logical_or(Logic):
    """Return where `input`, `other` or both are not zero, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logical_or(torch.tensor([0, 1, 2]), torch.tensor([0, 1, 0]))
    tensor([False,  True,  True])
    """

    commutes = True
    keeps_zeros = Zeros.OR
    of_sympy = sympy.Or
    scalar = lambda x, y: sympy.Or(_true(x), _true(y))  # noqa: E731
    kernel = Kernel.from_ufunc(np.logical_or)
    latex_symbol = r"\vee"


class logical_xor(Logic):
    """Return where just one of `input` and `other` is not zero, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logical_xor(torch.tensor([0, 1, 2]), torch.tensor([1, 1, 0]))
    tensor([ True, False,  True])
    """

    of_sympy = sympy.Xor
    scalar = lambda x, y: sympy.Xor(_true(x), _true(y))  # noqa: E731
    kernel = Kernel.from_ufunc(np.logical_xor)
    latex_symbol = r"\veebar"


class logical_not(Logic):
    """Return where `input` is zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logical_not(torch.tensor([0.0, -0.5, 2.0]))
    tensor([ True, False, False])
    """

    in_place = "method"
    arity = 1
    of_sympy = sympy.Not
    scalar = lambda x: sympy.Not(_true(x))  # noqa: E731
    kernel = Kernel.from_ufunc(np.logical_not)

    def notation(self) -> Notation:
        return Notation("logical_not({0})", r"\neg {0}", Precedence.UNARY, (Precedence.UNARY,))

    samples = [(_P,), (COLUMN,), (np.array(0.0),)]


# The most nodes of a condition that are looked at for its parts.
_MOST_LOOKED_AT = 16


def parts_of_condition(condition: ArrayExpr, join: type[Logic]) -> dict[ArrayExpr, None]:
    """Return the conditions that `logical_and` or `logical_or` joined; of many, the joined one."""
    nodes = [condition]
    for x in nodes:
        if type(x) is join:
            nodes += [y for y in x.operands if y not in nodes]
        if len(nodes) > _MOST_LOOKED_AT:
            return {condition: None}
    return dict.fromkeys([x for x in nodes if type(x) is not join])


class Bitwise(Elementwise, abstract=True):
    """A function of the bits of integers, or of truth values, for which `scalar` is stated."""

    __class__ = seen_class  # SymPy asks for conditions by class
    #: The function of truth values.
    truth: Any = None

    def element(self, *operands: Any) -> Any:
        if self.dtype is not bool_ or self.truth is None:
            raise ValueError(f"SymPy has no function for {type(self).__name__} of integers")
        return self.truth(*operands)

    arity = 2
    numbers = "either"
    differentiable = False
    refuses: ClassVar[tuple[int, ...]] = (Category.FLOAT, Category.COMPLEX)
    symbol = ""
    latex_symbol = ""
    #: The sign in LaTeX between truth values, which the operation of logic has as well.
    latex_of_truth = ""

    def partials(self, *operands: ArrayExpr) -> Sequence[Any]:
        return (0,) * len(operands)

    def notation(self) -> Notation:
        sign, level = self.latex_symbol, Precedence.SUM + 1
        if self.dtype is bool_ and self.truth is not None:
            sign, level = self.latex_of_truth, Precedence.LOGIC + 1
        return Notation(
            f"{{0}} {self.symbol} {{1}}",
            "",
            Precedence.LOGIC,
            (Precedence.SUM + 1, Precedence.SUM + 1),  # Python's `&` binds tighter than comparisons
            Latex(f"{{0}} {sign} {{1}}", Precedence.LOGIC, (level, level)),
        )

    samples = [(_P, _Q), (np.array([6, -3, 0]), np.array([[5], [12]])), (np.array([6, -3]), 4)]


def _bits(truth: Any, bits: Any) -> Any:
    """Return a function of two SymPy operands, both truth values or both integers."""

    def f(x: Any, y: Any) -> Any:
        logical = (bool, sympy.logic.boolalg.Boolean)
        if isinstance(x, logical) and isinstance(y, logical):
            return truth(x, y)
        return sympy.Integer(bits(int(x), int(y)))

    return f


class bitwise_and(Bitwise):
    """Return the bits set in both `input` and `other`, broadcast; of bools, where both hold.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bitwise_and(torch.tensor([12, 5]), 6)
    tensor([4, 4])
    """

    operator = "and"
    truth = sympy.And
    scalar = _bits(sympy.And, lambda x, y: x & y)
    kernel = Kernel.from_ufunc(np.bitwise_and, "{0} & {1}")
    symbol, latex_symbol, latex_of_truth = "&", r"\, \mathrm{{and}} \,", r"\wedge"


class bitwise_or(Bitwise):
    """Return the bits set in `input`, `other` or both, broadcast; of bools, where any holds.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bitwise_or(torch.tensor([12, 5]), 6)
    tensor([14,  7])
    """

    operator = "or"
    truth = sympy.Or
    scalar = _bits(sympy.Or, lambda x, y: x | y)
    kernel = Kernel.from_ufunc(np.bitwise_or, "{0} | {1}")
    symbol, latex_symbol, latex_of_truth = "|", r"\, \mathrm{{or}} \,", r"\vee"


class bitwise_xor(Bitwise):
    """Return the bits set in just one of `input` and `other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bitwise_xor(torch.tensor([12, 5]), 6)
    tensor([10,  3])
    """

    operator = "xor"
    truth = sympy.Xor
    scalar = _bits(sympy.Xor, lambda x, y: x ^ y)
    kernel = Kernel.from_ufunc(np.bitwise_xor, "{0} ^ {1}")
    symbol, latex_symbol, latex_of_truth = "^", r"\, \mathrm{{xor}} \,", r"\veebar"


def _shifted_left(x, y):  # type: ignore[no-untyped-def]
    x, y = np.asarray(x).astype(np.result_type(x, y), copy=False), np.asarray(y)
    in_range = (y >= 0) & (y < 8 * x.dtype.itemsize)
    return np.where(in_range, np.left_shift(x, np.where(in_range, y, 0)), 0).astype(x.dtype)


def _shifted_right(x, y):  # type: ignore[no-untyped-def]
    # A shift by all bits or more leaves the sign only.
    x, y = np.asarray(x).astype(np.result_type(x, y), copy=False), np.asarray(y)
    bits = 8 * x.dtype.itemsize
    in_range = (y >= 0) & (y < bits)
    most = bits - 1 if x.dtype.kind == "i" else 0
    shifted = np.right_shift(x, np.where(in_range, y, most).astype(x.dtype))
    return (shifted if most else np.where(in_range, shifted, 0)).astype(x.dtype)


def _shifted(f: Any) -> dict[str, Any]:
    return {"sympy": lambda x, y: np.frompyfunc(
        lambda a, b: sympy.Integer(f(int(a), int(b))), 2, 1)(x, y)}  # fmt: skip


class _Shift(Bitwise, abstract=True):
    refuses = (Category.BOOL, *Bitwise.refuses)

    samples = [
        (np.array([6, -3, 0]), np.array([[5], [1]])),
        (np.array([6, -3]), 4),
        (3, np.array([4, 1], np.int8)),
    ]


class bitwise_left_shift(_Shift):
    """Return the bits of `input`, moved up by `other` places: times `2**other`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bitwise_left_shift(torch.tensor([1, 3]), torch.tensor([4, 1]))
    tensor([16,  6])
    """

    ufuncs = ("left_shift",)
    operator = "lshift"
    kernel_name = "lshift_cpu"
    kernel = Kernel.from_function(
        _shifted_left, rows=local, number_systems=_shifted(lambda a, b: a << b)
    )
    symbol, latex_symbol = "<<", r"\ll"


class bitwise_right_shift(_Shift):
    """Return the bits of `input`, moved down by `other` places; the sign stays.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bitwise_right_shift(torch.tensor([16, -7]), 1)
    tensor([ 8, -4])
    """

    ufuncs = ("right_shift",)
    operator = "rshift"
    kernel_name = "rshift_cpu"
    kernel = Kernel.from_function(
        _shifted_right, rows=local, number_systems=_shifted(lambda a, b: a >> b)
    )
    symbol, latex_symbol = ">>", r"\gg"


class bitwise_not(Bitwise):
    """Return the complement of the bits of `input`: `-x - 1` of signed integers; of bools, `not x`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bitwise_not(torch.tensor([0, 5, -1]))
    tensor([-1, -6,  0])
    >>> torch.bitwise_not(torch.tensor([True, False]))
    tensor([False,  True])
    """

    in_place = "method"
    arity = 1
    truth = sympy.Not
    scalar = lambda x: (  # noqa: E731
        sympy.Not(x)
        if isinstance(x, (bool, sympy.logic.boolalg.Boolean))
        else -sympy.Integer(int(x)) - 1
    )
    kernel = Kernel.from_ufunc(np.invert, "~{0}")

    def notation(self) -> Notation:
        sign = r"\neg" if self.dtype is bool_ else r"{{\sim}}"
        return Notation("~{0}", f"{sign} {{0}}", Precedence.UNARY, (Precedence.UNARY,))

    samples = [(_P,), (np.array([[6], [-3]]),)]


def invert(input: Any) -> Any:
    """Return `~input`; the operator has an error message of its own in PyTorch."""
    if input.dtype.category in bitwise_not.refuses:
        raise TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    return bind(bitwise_not, (input,))
