"""What an operation is: `Primitive`, and its kind `Linear`.

A primitive is one class, and its instances are the nodes of expressions. The class states the
least that determines the operation; the bases derive the rest. Broadcasting is undone by
`symgrad.differentiate.sweeps`, so rules never mention it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import sympy

from numeric.kernel import Kernel
from symgrad.expr.atoms import Const, Static, as_expr
from symgrad.expr.dtypes import dtype, float64, no_kernel
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr, intern
from symgrad.expr.notation import Notation, Text
from symgrad.expr.shapes import Shape
from symgrad.ops.call_text import AXIS_PARAMETERS, call_notation, call_template
from symgrad.ops.deriving import deriving
from symgrad.ops.entries import Index, Indices, NoEntry, Reading, read_at
from symgrad.ops.index_notation import Summand
from symgrad.ops.matrices import Matrices, MatrixReading, NoMatrix, read
from symgrad.ops.rewriting import RewriteTable
from symgrad.ops.series import Recurrence
from symgrad.ops.terms import Terms
from symgrad.ops.zeros import Fill, Zeros

#: The cotangent of each operand, or of each result; None is a structural zero.
Cotangents = Sequence[ArrayExpr | None]

#: A kernel, its parameters, and the operands that it reads.
Computation = tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]

#: What gives the parts of an operand along its first axis, if they are known.
Rows = Callable[[ArrayExpr], Sequence[ArrayExpr] | None]

# Every concrete primitive, by class name, in the order of definition: what the law tests walk.
PRIMITIVES: dict[str, type[Primitive]] = {}


#: Functions that are called with each operation defined later, to update the tables that are built
#: from all operations.
when_defined: list[Callable[[type[Primitive]], object]] = []


# Operations that stand in formulas of derivatives alone, beside the operation differentiated.
BESIDE: dict[str, type[Primitive]] = {}


def no_derivative_but(smooth: str) -> tuple[str, str]:
    """Return `Primitive.cut` of an operation that a function with a derivative is like."""
    what, _ = Primitive.cut
    return what, f"Use a function that has one: {smooth} is a smooth form of it."


def _is_assumption(name: str) -> bool:
    """Return whether SymPy reads the attribute `name` of a class as something to assume."""
    return name.startswith("_eval_is_") or (name.startswith("is_") and hasattr(sympy.Expr, name))


class Primitive(ArrayExpr):
    """An operation on arrays, of which each node is one application.

    A subclass states `params`, `infer`, `kernel` (or `implementation`) and its rules; the bases
    `Elementwise` and `Linear` leave still less to state.
    """

    __slots__ = ()

    #: Names of the static parameters, which follow the operands in `args`.
    params: ClassVar[tuple[str, ...]] = ()
    #: Names of the parameters that may be fractions; others are axes, sizes and the like.
    real_params: ClassVar[tuple[str, ...]] = ()
    #: How NumPy computes it; operations whose kernel depends on the node define `implementation`.
    kernel: ClassVar[Kernel]
    #: Kernels that stand in for it where the result has a certain dtype, or category of dtypes.
    kernels: ClassVar[Mapping[dtype | int, Kernel]] = {}
    # Whether `kernel` computes it whatever its dtype, with operands alone: found from the others.
    _has_one_kernel: ClassVar[bool]
    #: Whether the kernel is given the dtype of the result, as `to`.
    kernel_takes_dtype: ClassVar[bool] = False
    #: Whether operands are converted to the dtype of the result before the kernel runs.
    converts: ClassVar[bool] = False
    #: The name of the public function that computes it, where that is not the name of the class.
    public_name: ClassVar[str] = ""
    #: How nodes are printed, where that is the same for all; others define `notation`.
    printed: ClassVar[Notation | None] = None
    #: Operands that the record keeps beside those that the derivative reads, since a stable form
    #: of a derivative further up may read them (`symgrad.simplify.stable`).
    keeps: ClassVar[tuple[int, ...]] = ()
    #: Whether the record keeps operands, too, that are repeated along the last axis: a function of a
    #: spectrum has its higher derivatives by them (`symgrad.ops.frechet`).
    keeps_repeated: ClassVar[bool] = False
    #: Whether Python numbers alone give a Python number.
    keeps_weak: ClassVar[bool] = False
    #: Whether the result may share memory with the first operand, as a view.
    is_view: ClassVar[bool] = False
    #: Whether it repeats its operand, as NumPy broadcasts it, and does nothing else.
    only_repeats: ClassVar[bool] = False
    #: Whether it is its base, a view, but for memory of its own.
    is_copy: ClassVar[bool] = False
    #: How the result lies in memory, unless it is a view (`symgrad.support.memory`): "axes" in the order of
    #: its axes, "kernel" as NumPy leaves it, "first" as a clone of the first operand would.
    layout: ClassVar[str] = "axes"
    #: Whether it puts each element elsewhere, which its transpose undoes.
    moves: ClassVar[bool] = False
    #: Whether operands stand in it as blocks, and no labels of axes say where.
    has_blocks: ClassVar[bool] = False
    #: Whether each element of the result is some element of the first operand.
    selects: ClassVar[bool] = False
    #: Whether it gives one of several views of its operand, none of which may be changed.
    is_one_of_views: ClassVar[bool] = False
    #: Whether there is a derivative at all; where not, results never require a gradient.
    differentiable: ClassVar[bool] = True
    #: Whether a gradient that it masks depends on its operands, with a derivative of zeros. It does
    #: not where PyTorch compares beside the graph.
    keeps_history: ClassVar[bool] = True
    #: How an error says that it cut a tensor off its graph, `{at}` being the place, and the way out.
    cut: ClassVar[tuple[str, str]] = (
        "{name}(){at}, which has no derivative and",
        "Use a function that has one.",
    )
    #: The operands near some value of which it, or its derivative, is unbounded; None is all.
    poles: ClassVar[tuple[int, ...] | None] = None
    #: Of a form that has the node which it replaces as an operand: whether its derivative is a
    #: function of that, so that a hook on the node sees what leads through the derivative.
    by_result: ClassVar[bool] = True
    #: Whether no real result is negative: "always", or if no one of the "operands" is; None is unknown.
    nonnegative: ClassVar[str | None] = None
    #: Whether no real result has an absolute value above one.
    at_most_one: ClassVar[bool] = False
    #: Whether its derivative depends on what multiplies the result, which reverse mode meets before.
    needs_factors: ClassVar[bool] = False
    #: Whether it is linear in each of its operands alone.
    multilinear: ClassVar[bool] = False
    #: Whether its value rounds digits away that its derivative keeps (`symgrad.differentiate.sweeps`).
    rounds: ClassVar[bool] = False
    #: The categories of dtype that PyTorch does not compute it for.
    refuses: ClassVar[tuple[int, ...]] = ()
    #: PyTorch's name of the operation in such refusals; by default the class name with "_cpu".
    kernel_name: ClassVar[str] = ""
    #: Operands with respect to which there is no derivative, by PyTorch's names of them; of an
    #: operation that is no public function "function: operand".
    underived: ClassVar[Mapping[int, str]] = {}
    #: Operands that no gradient reaches, since only its derivatives look at them.
    unreached: ClassVar[tuple[int, ...]] = ()
    #: Those among them of which its derivatives read the formula by others, and not the value alone.
    read_as_formulas: ClassVar[tuple[int, ...]] = ()
    #: Whether such formulas have it as a variable, so that nothing before it is part of them.
    ends_formulas: ClassVar[bool] = False
    #: How the zeros of its operands lead to zeros of its result; None where that is not followed.
    keeps_zeros: ClassVar[Zeros | None] = None
    #: Whether the result is symmetric along the last two axes where operands with axes are.
    keeps_symmetry: ClassVar[bool] = False
    #: Whether rewrites look through it for a value among zeros, beside moves and fills.
    passes_factors: ClassVar[bool] = False
    #: What pulls the cotangents of several such nodes back to the one operand that all of them have,
    #: where that costs less than the sum of what `vjp` gives for each.
    vjp_of_all: ClassVar[Callable[..., ArrayExpr] | None] = None
    #: Why it stands for code of the user's that has no formula; None where it does not.
    untraced: ClassVar[Any] = None
    #: The module whose function it is, where that is another than the main one, as `special`.
    space: ClassVar[str] = ""
    #: Further public names, those in other modules with these, as "special.psi", and whether the
    #: operation is no public function at all.
    aliases: ClassVar[tuple[str, ...]] = ()
    internal: ClassVar[bool] = False
    #: Of a view: returns, of the shape of its operand and its parameter, what is left of this without
    #: the places that it names, and these; None if it has no such parts.
    without_places: ClassVar[Callable[..., tuple[Any, tuple[int, ...]] | None] | None] = None
    #: What it answers for beside the universal function of NumPy's that is its kernel: others, and
    #: their methods, as "add.reduce".
    ufuncs: ClassVar[tuple[str, ...]] = ()
    #: Which of two operands PyTorch has overloads for where it is a number: the "last", "either",
    #: or none.
    numbers: ClassVar[str] = ""
    #: What changes an operand in place: a "method", also a "function", or "none"; by default a
    #: function of one operand has both, one of two a method.
    in_place: ClassVar[str] = ""
    #: The same of the further names, where it differs.
    aliases_in_place: ClassVar[str] = ""
    #: Which overloads of PyTorch's function have an `out`: those whose first argument is a "tensor",
    #: "all", or "none".
    receives: ClassVar[str] = "tensor"
    #: What the law tests try, two calls or more: NumPy arrays, then values of the parameters.
    samples: ClassVar[Sequence[tuple[Any, ...]]] = ()
    #: Simplifying rewrites that `of` tries; filled by `symgrad.simplify`. Those of derivatives are
    #: all of them; some hold for cotangents and tangents only.
    rules: ClassVar[RewriteTable]
    derivative_rules: ClassVar[RewriteTable]
    #: Stable forms for derivatives, tried in order; filled by `symgrad.simplify`.
    stable_forms: ClassVar[list[Callable[..., ArrayExpr | None]]]

    def __init_subclass__(cls, abstract: bool = False, **kwargs: Any) -> None:
        if len(cls.__bases__) > 1 or any(map(_is_assumption, vars(cls))):
            super().__init_subclass__(**kwargs)  # with one base, SymPy finds what the base has
        cls._has_one_kernel = not (cls.params or cls.kernels or cls.kernel_takes_dtype)
        cls.rules = RewriteTable()
        cls.derivative_rules = RewriteTable()
        cls.stable_forms = []
        count = len(cls.params)
        for i, name in enumerate(cls.params):
            if name not in cls.__dict__ and not hasattr(ArrayExpr, name):
                setattr(cls, name, property(_Param(i - count)))
        if not abstract:
            if cls.__name__ in PRIMITIVES and PRIMITIVES[cls.__name__].__module__ != cls.__module__:
                raise TypeError(f"two primitives are named {cls.__name__}")
            PRIMITIVES[cls.__name__] = cls
        for told in when_defined:
            told(cls)

    # -- construction ----------------------------------------------------------------------------

    def __new__(cls, *args: Any) -> Self:
        """Return the node as written, checked but not simplified."""
        split = len(args) - len(cls.params)
        operands = tuple([x if isinstance(x, ArrayExpr) else as_expr(x) for x in args[:split]])
        return cls._as_written(operands, args[split:])

    @classmethod
    def _as_written(cls, operands: tuple[ArrayExpr, ...], params: tuple[Any, ...]) -> Self:
        if not params:
            shape, kind = cls.infer(*operands)
            return intern(cls, operands, (), shape, kind)  # type: ignore[no-any-return]
        static = tuple([p if type(p) is Static else Static(p) for p in params])
        for name, p in zip(cls.params, static, strict=True):
            if _is_real(p.value) and name not in cls.real_params:
                raise TypeError(f"{cls.__name__}: {name} is an integer, not {p.value}")
        shape, kind = cls.infer(*operands, *[p.value for p in static])
        return intern(cls, operands, static, shape, kind)  # type: ignore[no-any-return]

    @classmethod
    def of(cls, *args: Any) -> ArrayExpr:
        """Return the node, or what the rewrites of `symgrad.simplify` make of it."""
        count = len(cls.params)
        operands, params = (args[:-count], args[-count:]) if count else (args, ())
        table = cls.derivative_rules if deriving.depth else cls.rules
        rules = table.get(tuple(map(type, operands)))
        if rules is None:  # the first time, or numbers and arrays, which rules never meet
            operands = tuple([as_expr(x) for x in operands])
            rules = table[tuple(map(type, operands))]
        for rule in rules:
            found = rule(*operands, *params)
            if found is not None:
                return found
        return cls._as_written(operands, params)

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        """Return shape and dtype of the result from operands and parameter values.

        By default those of the first operand. Raises PyTorch's error where operands do not fit.
        """
        return args[0].shape, args[0].dtype

    @classmethod
    def refuse(cls, kind: dtype) -> None:
        """Raise PyTorch's error where it does not compute the operation for a dtype."""
        if kind.category in cls.refuses:
            raise cls.refused(kind)

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        """Return PyTorch's error for operands of a dtype that `refuses` names."""
        return no_kernel(cls.kernel_name or f"{cls.__name__}_cpu", kind)

    @property
    def param_values(self) -> tuple[Any, ...]:
        """The values of the static parameters."""
        count = len(self.params)
        return tuple([p.value for p in self._args[-count:]]) if count else ()

    @classmethod
    def is_structural(cls, i: int, number: Any, operands: Any, params: Any) -> bool:
        """Return whether the `number` that is operand `i` decides what the derivative looks like.

        It is then part of the structure, as small integers are. Other numbers are inputs of it.
        """
        return False

    def with_operands(self, operands: Sequence[Any]) -> ArrayExpr:
        """Return the same operation on other operands, simplified."""
        return self.of(*operands, *self.param_values)

    def of_blocks(self, operands: Sequence[ArrayExpr], axes: Shape) -> ArrayExpr:
        """Return the operation on operands that have further `axes`, by length, after their own."""
        return self.with_operands(operands)

    def made_of(self) -> tuple[Any, tuple[Any, ...]]:
        # Flat, so that pickling a deep expression does not recurse.
        number: dict[ArrayExpr, int] = {}
        table: list[Any] = []
        for node in toposort([self]):
            number[node] = len(table)
            if isinstance(node, Primitive):
                operands = tuple([number[x] for x in node.operands])
                table.append((type(node), operands, node.param_values))
            else:
                table.append(node.made_of())
        return _from_table, (table,)

    @classmethod
    def constructor(cls) -> str:
        """Return what stands for the class in `srepr`: its name among the operations."""
        return repr(cls.__name__)

    def check_sizes(self) -> None:
        """Raise ValueError where parameters do not fit the sizes of operands.

        Named sizes are numbers now, which `infer` was not asked about.
        """

    # -- how it is computed ----------------------------------------------------------------------

    def compute_dtype(self) -> dtype | None:
        """The dtype that operands are converted to before the kernel runs; None leaves them."""
        return self.dtype if self.converts else None

    def implementation(self) -> Computation:
        """Return the kernel, its parameters and the operands it reads.

        By default `kernel`, or that of `kernels`, with all of `params` on all operands.
        """
        if self._has_one_kernel:
            return self.kernel, {}, self.operands
        params = dict(zip(self.params, self.param_values, strict=True)) if self.params else {}
        if self.kernel_takes_dtype:
            # Of Python's numbers alone, a result has all digits.
            weak = self.weak and self.dtype.is_floating_point
            params["to"] = float64.numpy if weak else self.dtype.numpy
        return self.kernel_for(self.dtype), params, self.operands

    @classmethod
    def kernel_for(cls, kind: dtype) -> Kernel:
        """Return the kernel that computes results of a dtype."""
        if not cls.kernels:
            return cls.kernel
        return cls.kernels.get(kind) or cls.kernels.get(kind.category) or cls.kernel

    def result_layout(self) -> str | tuple[int, ...]:
        """Return how the result lies in memory: as `layout` says, where that is one for the class.

        Or, for each axis of the result, the axis of the first operand whose place in the order of
        memory it takes, -1 where there is none.
        """
        return self.layout

    def as_fill(self) -> Fill | None:
        """Return how the node places an operand among zeros; None where it does not."""
        return None

    # -- normal form -----------------------------------------------------------------------------

    def terms(self, b: Terms) -> Any:
        """Return the node as a sum of products (`symgrad.normal_form`), made by the methods of `b`.

        By default None: the node is a factor that the normal form does not look into. It is asked
        for where the dtype of the node is a floating or complex one.
        """
        return None

    def as_read(self) -> ArrayExpr | None:
        """Return an equal formula that says more to a reader; None where there is none.

        It may keep fewer digits, as `softmax(x)` for `exp(log_softmax(x))`.
        """
        return None

    def sums_to_one(self) -> bool:
        """Return whether the elements along the last axis add up to one, unless there is a nan."""
        return False

    def as_choice(self) -> ArrayExpr | None:
        """Return an equal formula with the choice that the node is (`where`); None if it is none."""
        return None

    def rows(self, of: Rows) -> Sequence[ArrayExpr] | None:
        """Return the parts along the first axis, where these stand in the formula; None elsewhere.

        `of` gives those of an operand, if they are known.
        """
        return None

    def singular(self) -> Sequence[tuple[str, ArrayExpr]]:
        """Return where the node is not smooth: each kind, with a formula that is zero there.

        Operations on each element have them from their formulas (`symgrad.checks.singular`).
        """
        return ()

    def exponential(self) -> ArrayExpr | None:
        """Return the exponential of the node, where it is an operation by itself."""
        return None

    def entry(self, index: Index, b: Indices) -> Reading:
        """Return the formula in SymPy of the element at an index (`symgrad.ops.entries`).

        A generator, which yields what it reads of operands. By default there is one where there is
        an equal formula.
        """
        other = self.equal_formula()
        if other is None:
            raise NoEntry
        return read_at(other, index)

    def matrix(self, m: Matrices) -> MatrixReading:
        """Return the form in SymPy's matrices (`symgrad.ops.matrices`).

        A generator, which yields what it reads of operands. By default there is one where there is
        an equal formula.
        """
        other = self.equal_formula()
        if other is None:
            raise NoMatrix
        return read(other)

    def equal_formula(self) -> ArrayExpr | None:
        """Return a formula with the same value that forms in SymPy are read off; None without one."""
        return None

    def scalable_operand(self) -> int | None:
        """Return the position of an operand whose number may stand before the node.

        That is, the node of `c*x` is `c` times the node of `x`. By default it is the operand that
        the node places among zeros; None where there is none.
        """
        fill = self.as_fill()
        return None if fill is None else fill.place

    # -- derivatives -----------------------------------------------------------------------------

    def missing_derivative(self) -> str:
        """Return the operation's name where PyTorch has no derivative and refuses backward."""
        return ""

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        """Return the cotangents of the operands for the cotangent `ct` of the result.

        None is a structural zero. Operands that are not needed may be None as well. A cotangent
        may have the result's shape and dtype where the operand was broadcast or converted.
        """
        if not self.differentiable:
            return (None,) * len(needs)
        raise NotImplementedError(f"{type(self).__name__} states no vjp()")

    def vjp_by_result(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        """Return the cotangents by a formula that reads the same values as PyTorch's rule.

        Stated where `vjp` leaves the result aside, or looks behind its rounding, to be more
        precise. It counts where a rounded value is differentiated as it is (`rounds`), and where
        somebody looks at the gradient of the result, and the gradient is differentiated again: what
        leads through the result is seen there.
        """
        return self.vjp(ct, needs)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        """Return the tangent of the result; for several results a sequence with one of each.

        Where a class states none, `symgrad.differentiate.sweeps` transposes `vjp`, which is linear.
        """
        return NotImplemented  # type: ignore[no-any-return]

    def recurrence(self, moving: Sequence[bool]) -> Recurrence | None:
        """Return how the Taylor coefficients of the result follow from those of the operands.

        By default None: they follow from `jvp` (`symgrad.differentiate.jet`). A class states what
        costs less, where `moving` says which operands move.
        """
        return None

    def series_form(self) -> ArrayExpr | None:
        """Return an equal formula whose Taylor coefficients, from the first on, cost less."""
        return None

    # -- batching --------------------------------------------------------------------------------

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        """Return the operation over a new leading axis of length `size`.

        `operands[i]` has that axis where `batched[i]`; at least one has it, and so has the result.
        By default, of an operation on one operand: the same along axes that are one further.
        """
        if len(operands) != 1:
            raise NotImplementedError(f"{type(self).__name__} states no batch()")
        (x,) = operands
        params = [
            _one_further(value) if name in AXIS_PARAMETERS else value
            for name, value in zip(self.params, self.param_values, strict=True)
        ]
        if self.operands[0].shape or not AXIS_PARAMETERS.intersection(self.params):
            return self.of(x, *params)
        # Along its axis 0, a 0-d array is an array of one element.
        made = self.of(x.reshape((size, 1)), *params)
        return made.reshape((size,))

    # -- printing --------------------------------------------------------------------------------

    def by_letters(self) -> Sequence[Summand] | None:
        """Return the node as a sum of products of elements, for LaTeX; None if it is none."""
        return None

    def notation(self) -> Notation:
        """Return the printed form, by default `printed` or a call with parameters by keyword."""
        if self.printed is not None:
            return self.printed
        return call_notation(self)

    def public_text(self) -> Text | None:
        """Return the text in public functions, where the operation has no public name of its own."""
        return None

    def call_text(self, operation: bool = False) -> str:
        """Return a template of a call: of the public function where it has these parameters.

        Parameters
        ----------
        operation : bool
            Whether to call the operation itself, as `op.name(...)`, whatever is public.
        """
        return call_template(self, operation)


def _one_further(axis: Any) -> Any:
    return tuple([a + 1 for a in axis]) if isinstance(axis, tuple) else axis + 1


def _is_real(value: Any) -> bool:
    kind = type(value)
    return kind is float or (kind is tuple and float in map(type, value))


class _Param:
    """Reads one parameter; a class, so that properties need no closure cells."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index

    def __call__(self, node: Primitive) -> Any:
        return node._args[self.index].value


def _from_table(table: list[tuple[Any, ...]]) -> ArrayExpr:
    made: list[ArrayExpr] = []
    for make, given, *params in table:
        if params:  # an operation, given by the places of its operands
            given = (*[made[i] for i in given], *params[0])
        made.append(make(*given))
    return made[-1]


class Linear(Primitive, abstract=True):
    """An operation that is linear in its operands: states `transposed`."""

    poles: ClassVar[tuple[int, ...] | None] = ()
    __slots__ = ()

    def transposed(self, ct: ArrayExpr) -> Sequence[ArrayExpr] | ArrayExpr:
        """Return the cotangent of each operand (of the only operand, without a sequence)."""
        raise NotImplementedError(f"{type(self).__name__} states no transposed()")

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        back = self.transposed(ct)
        return (back,) if isinstance(back, ArrayExpr) else back

    def scalable_operand(self) -> int | None:
        return 0 if len(self.operands) == 1 else super().scalable_operand()

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        if all(t is None for t in tangents):
            return None
        filled = [
            t if t is not None else Const(0, x.dtype).broadcast_to(x.shape)
            for t, x in zip(tangents, self.operands, strict=True)
        ]
        return self.with_operands(filled)


def bind(
    cls: type[Primitive], operands: Sequence[Any], params: tuple[Any, ...] = (), face: Any = None
) -> Any:
    """Apply a primitive to tensors (recording it) or to expressions (building the node).

    Public functions end here, so calling them on leaves *is* tracing.

    Parameters
    ----------
    cls, operands, params
        The primitive, and what it is applied to.
    face : Face, optional
        What PyTorch's graph shows of the call, where that is not what it shows of the primitive.
    """
    for x in operands:
        record = getattr(type(x), "_record", None)
        if record is not None:
            return record(cls, operands, params, face=face)
    return cls.of(*map(as_expr, operands), *params)
