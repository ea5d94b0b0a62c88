"""Formulas of SymPy, computed with elements of a number system.

Each class of SymPy's has a step here that computes it of its arguments. A function without one
is a function that the number system knows, or draws a number for; anything else is refused.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import sympy
from sympy.core.containers import Tuple
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.functions.special.hyper import TupleArg

from symgrad.proofs.elements import Refused, System

#: Computes a class of SymPy's, of a number system, the formula, and the values of its arguments.
Step = Callable[[Any, Any, Sequence[Any]], Any]

#: The largest degree of a root that is no exponential of a logarithm.
_MAX_DEGREE = 64
#: The most steps of a formula.
_MAX_STEPS = 20_000


class Program(NamedTuple):
    """A formula of SymPy as a list of steps.

    Attributes
    ----------
    steps : tuple
        For each part its step, the part, and the places of its arguments among the parts.
    symbols : mapping
        The places of the symbols among the parts.
    """

    steps: tuple[tuple[Step, Any, tuple[int, ...]], ...]
    symbols: Mapping[Any, int]

    def __call__(self, system: System, values: Mapping[Any, Any]) -> Any:
        """Return the value of the formula, from the values of its symbols."""
        found: list[Any] = []
        for step, part, places in self.steps:
            if places or part not in values:
                found.append(step(system, part, [found[i] for i in places]))
            else:
                found.append(values[part])
        return found[-1]


def program_of(formula: Any) -> Program:
    """Return a formula of SymPy as a list of steps.

    Raises
    ------
    Refused
        If there is none for some part of it.
    """
    steps: list[tuple[Step, Any, tuple[int, ...]]] = []
    place: dict[Any, int] = {}
    stack = [(formula, False)]
    while stack:
        part, ready = stack.pop()
        if part in place:
            continue
        if not ready:
            stack.append((part, True))
            stack += [(x, False) for x in part.args if x not in place]
            continue
        if len(steps) > _MAX_STEPS:
            raise Refused("a formula of so many steps")
        place[part] = len(steps)
        steps.append((_step_of(part.func), part, tuple([place[x] for x in part.args])))
    return Program(tuple(steps), {x: i for x, i in place.items() if x.is_Symbol})


@functools.lru_cache(maxsize=512)
def _step_of(cls: Any) -> Step:
    """Return the step of a class: its own, or that of the next base that has one."""
    for base in cls.__mro__:
        if base in STEPS:
            return STEPS[base]
    raise Refused(f"{cls.__name__} of SymPy")


# ------------------------------------------------------------------ numbers


def _rational(system: System, part: Any, _: Any) -> Any:
    return system.number(Fraction(int(part.p), int(part.q)))


def _float(system: System, part: Any, _: Any) -> Any:
    sign, mantissa, exponent, _ = part._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return system.number(-value if sign else value)


def _constant(system: System, part: Any, _: Any) -> Any:
    return system.constant(type(part).__name__)


def _no_number(system: System, part: Any, _: Any) -> Any:
    raise Refused(f"the number {part}")


def _symbol(system: System, part: Any, _: Any) -> Any:
    raise Refused(f"the symbol {part}")


def _truth(value: int) -> Step:
    return lambda system, part, _: system.number(Fraction(value))


# ------------------------------------------------------------------ arithmetic


def _add(system: System, part: Any, args: Sequence[Any]) -> Any:
    return functools.reduce(lambda x, y: x + y, args)


def _mul(system: System, part: Any, args: Sequence[Any]) -> Any:
    return functools.reduce(lambda x, y: x * y, args)


def _pow(system: System, part: Any, args: Sequence[Any]) -> Any:
    base, exponent = args
    value = system.known(exponent)
    if value is None:
        # Of a base that is not positive, it is a function of its own.
        rest = system.function(sympy.Pow, args, 0)
        return system.choose(base.is_positive(), (base.log() * exponent).exp(), rest)
    if value.denominator == 1:
        return base**value.numerator
    if value.denominator <= _MAX_DEGREE:
        return base.root(value.denominator) ** value.numerator
    return (base.log() * value).exp()


# ------------------------------------------------------------------ choices


def _piecewise(system: System, part: Any, args: Sequence[Any]) -> Any:
    *first, (value, _) = args
    if part.args[-1].cond is not sympy.true:
        raise Refused("a Piecewise without a last case")
    for x, condition in reversed(first):
        value = system.choose(condition, x, value)
    return value


def _pair(system: System, part: Any, args: Sequence[Any]) -> Any:
    return tuple(args)


def _greater(system: System, part: Any, args: Sequence[Any]) -> Any:
    return (args[0] - args[1]).is_positive()


def _less(system: System, part: Any, args: Sequence[Any]) -> Any:
    return (args[1] - args[0]).is_positive()


def _equal(system: System, part: Any, args: Sequence[Any]) -> Any:
    return (args[0] - args[1]).is_zero()


def _not(step: Step) -> Step:
    return lambda system, part, args: 1 - step(system, part, args)


def _and(system: System, part: Any, args: Sequence[Any]) -> Any:
    return functools.reduce(lambda x, y: x * y, args)


def _or(system: System, part: Any, args: Sequence[Any]) -> Any:
    return functools.reduce(lambda x, y: x + y - x * y, args)


def _xor(system: System, part: Any, args: Sequence[Any]) -> Any:
    return functools.reduce(lambda x, y: x + y - 2 * (x * y), args)


def _extreme(larger: Callable[[Any, Any], Any]) -> Step:
    """Return the step of what is the larger of two numbers, or of what is the smaller."""

    def step(system: System, part: Any, args: Sequence[Any]) -> Any:
        try:
            return functools.reduce(larger, args)
        except Refused:  # there are too many cases; the order of the numbers still makes none
            together = tuple(sorted(args, key=system.key_of))
            return system.function(part.func, [together], 0)

    return step


_max = _extreme(lambda x, y: y + (x - y) * (x - y).is_positive())
_min = _extreme(lambda x, y: x - (x - y) * (x - y).is_positive())


def _abs(system: System, part: Any, args: Sequence[Any]) -> Any:
    (x,) = args
    return system.choose(x.is_positive(), x, -x)


def _sign(system: System, part: Any, args: Sequence[Any]) -> Any:
    (x,) = args
    return 2 * x.is_positive() + x.is_zero() - 1


def _heaviside(system: System, part: Any, args: Sequence[Any]) -> Any:
    x, at_zero = args
    return x.is_positive() + x.is_zero() * at_zero


# ------------------------------------------------------------------ functions


def _same(system: System, part: Any, args: Sequence[Any]) -> Any:
    return args[0]


def _sinc(system: System, part: Any, args: Sequence[Any]) -> Any:
    (x,) = args
    at_zero = x.is_zero()
    one = system.number(Fraction(1))
    return system.choose(at_zero, one, x.sin() / system.choose(at_zero, one, x))


def _tanh(system: System, part: Any, args: Sequence[Any]) -> Any:
    (x,) = args
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


def _sinh(system: System, part: Any, args: Sequence[Any]) -> Any:
    (x,) = args
    return (x.exp() - (-x).exp()) / 2


def _cosh(system: System, part: Any, args: Sequence[Any]) -> Any:
    (x,) = args
    return (x.exp() + (-x).exp()) / 2


def _tan(system: System, part: Any, args: Sequence[Any]) -> Any:
    (x,) = args
    return x.sin() / x.cos()


def _one_over(step: Step) -> Step:
    return lambda system, part, args: step(system, part, args).inverse()


def _exp(system: System, part: Any, args: Sequence[Any]) -> Any:
    return args[0].exp()


def _log(system: System, part: Any, args: Sequence[Any]) -> Any:
    return args[0].log()


def _sin(system: System, part: Any, args: Sequence[Any]) -> Any:
    return args[0].sin()


def _cos(system: System, part: Any, args: Sequence[Any]) -> Any:
    return args[0].cos()


def _function(system: System, part: Any, args: Sequence[Any]) -> Any:
    cls: Any = type(part)
    return system.function(cls, args, _parity(cls, len(args)))


@functools.lru_cache(maxsize=512)
def _parity(cls: Any, count: int) -> int:
    """Return 1 for a function of one argument that SymPy knows to be even, -1 for an odd one."""
    if count != 1:
        return 0
    x = sympy.Symbol("x", real=True)
    there, back = cls(x), cls(-x)
    return 1 if back == there else -1 if back == -there else 0


STEPS: dict[type, Step] = {
    sympy.Rational: _rational,
    sympy.Float: _float,
    sympy.core.numbers.NumberSymbol: _constant,
    sympy.core.numbers.Infinity: _no_number,
    sympy.core.numbers.NegativeInfinity: _no_number,
    sympy.core.numbers.ComplexInfinity: _no_number,
    sympy.core.numbers.NaN: _no_number,
    sympy.core.numbers.ImaginaryUnit: _no_number,
    sympy.Symbol: _symbol,
    type(sympy.true): _truth(1),
    type(sympy.false): _truth(0),
    sympy.Add: _add,
    sympy.Mul: _mul,
    sympy.Pow: _pow,
    sympy.Piecewise: _piecewise,
    ExprCondPair: _pair,
    Tuple: _pair,
    TupleArg: _pair,
    sympy.StrictGreaterThan: _greater,
    sympy.StrictLessThan: _less,
    sympy.GreaterThan: _not(_less),
    sympy.LessThan: _not(_greater),
    sympy.Equality: _equal,
    sympy.Unequality: _not(_equal),
    sympy.And: _and,
    sympy.Or: _or,
    sympy.Xor: _xor,
    sympy.Not: lambda system, part, args: 1 - args[0],
    sympy.Max: _max,
    sympy.Min: _min,
    sympy.Abs: _abs,
    sympy.sign: _sign,
    sympy.Heaviside: _heaviside,
    sympy.KroneckerDelta: _equal,
    sympy.re: _same,
    sympy.conjugate: _same,
    sympy.exp: _exp,
    sympy.log: _log,
    sympy.sin: _sin,
    sympy.cos: _cos,
    sympy.tan: _tan,
    sympy.sec: _one_over(_cos),
    sympy.csc: _one_over(_sin),
    sympy.cot: _one_over(_tan),
    sympy.sinc: _sinc,
    sympy.sinh: _sinh,
    sympy.cosh: _cosh,
    sympy.tanh: _tanh,
    sympy.sech: _one_over(_cosh),
    sympy.csch: _one_over(_sinh),
    sympy.coth: _one_over(_tanh),
    sympy.DiracDelta: _no_number,
    sympy.Function: _function,
}
