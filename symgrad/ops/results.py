"""Operations with several results: `Several`, and `Result`, which selects one of them.

A `Several` is computed once, by one instruction, and its results are read by `Result` nodes. It is
no array and has no shape; it is an operand of `Result` nodes only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self

from symgrad.expr.atoms import Static
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr, intern
from symgrad.expr.notation import Notation, Precedence
from symgrad.expr.shapes import Shape
from symgrad.ops.entries import Index, Indices, NoEntry, Reading
from symgrad.ops.primitive import BESIDE, Computation, Cotangents, Primitive, bind

# The attributes in which a node keeps what `intern` is given; here these have an entry per result.
_shapes: Any = ArrayExpr.__dict__["shape"]
_dtypes: Any = ArrayExpr.__dict__["dtype"]


class Several(Primitive, abstract=True):
    """An operation with several results.

    A subclass states `results` and, in `infer`, a shape and a dtype for each of them; its kernel
    returns a tuple. `vjp` is given a cotangent for each result, None for one that nothing depends
    on, and at least one is none such. Rules read the operation's own results as `self[i]`. What
    `batch` returns is a sequence with each result over the new axis.

    Attributes
    ----------
    shapes : tuple of tuple of int
        The shape of each result.
    dtypes : tuple of symgrad.dtype
        The dtype of each result.
    """

    __slots__ = ()

    #: What the results are called: as fields where the public function names them, and as nodes
    #: name what they save. A name such as "result1" is a number only.
    results: ClassVar[tuple[str, ...]] = ()

    shapes: tuple[Shape, ...] = property(_shapes.__get__)  # type: ignore[assignment]
    dtypes: tuple[dtype, ...] = property(_dtypes.__get__)  # type: ignore[assignment]

    def _no_shape(self) -> Any:
        raise AttributeError

    shape = property(_no_shape, _shapes.__set__)

    @property
    def dtype(self) -> dtype:
        """The dtype of the first result that a derivative leads through, if there is one."""
        return next((kind for kind in self.dtypes if kind.differentiable), self.dtypes[0])

    @dtype.setter
    def dtype(self, kinds: Any) -> None:
        _dtypes.__set__(self, kinds)

    @classmethod
    def infer(cls, *args: Any) -> tuple[Any, Any]:
        """Return the shapes and the dtypes of the results, in two tuples."""
        raise NotImplementedError(f"{cls.__name__} states no infer()")

    def __len__(self) -> int:
        return len(self.shapes)

    def __getitem__(self, index: Any) -> Any:
        """Return a result, or for a slice the tuple of several."""
        if isinstance(index, slice):
            return tuple(self)[index]
        return Result(self, range(len(self))[index])

    def __iter__(self) -> Iterator[ArrayExpr]:
        return iter([self[i] for i in range(len(self))])

    def __getattr__(self, name: str) -> Any:
        results = type(self).results
        if name in results:
            return self[results.index(name)]
        title = type(self).__name__
        raise AttributeError(
            f"{title}() has {len(self)} results and is no array: {name!r} is asked of one of them, "
            f"as in node[0].{name}"
        )

    @classmethod
    def result_name(cls, index: int) -> str:
        """Return the name of a result."""
        return cls.results[index] if index < len(cls.results) else f"result{index}"

    def alone(self, index: int) -> Computation | None:
        """Return how one result is computed alone, if that costs less than computing all.

        By default, None: all are computed.
        """
        return None

    def layouts(self) -> tuple[str | tuple[int, ...], ...]:
        """Return how each result lies in memory, as `result_layout` does of one."""
        return (self.result_layout(),) * len(self)

    def entry_of(self, result: int, index: Index, b: Indices) -> Reading:
        """Return the formula of an element of one result, as `entry` does."""
        raise NoEntry

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        """Return the cotangents of the operands for those of the results."""
        if not self.differentiable:
            return (None,) * len(needs)
        raise NotImplementedError(f"{type(self).__name__} states no vjp()")


class Result(Primitive, abstract=True):
    """One result of a `Several`, its only operand."""

    __slots__ = ()

    params = ("index",)
    internal = True
    poles = ()
    index: int

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        node, index = args
        return node.shapes[index], node.dtypes[index]

    @classmethod
    def _as_written(cls, operands: tuple[ArrayExpr, ...], params: tuple[Any, ...]) -> Self:
        (node,), (index,) = operands, params
        if not isinstance(node, Several):
            raise TypeError(f"Result() is one of several, got {type(node).__name__}")
        static = index if type(index) is Static else Static(index)
        i = static.value
        return intern(cls, operands, (static,), node.shapes[i], node.dtypes[i])  # type: ignore[no-any-return]

    def implementation(self) -> Computation:
        """Return how all results are computed."""
        (node,) = self.operands
        assert isinstance(node, Several)
        return node.implementation()

    def entry(self, index: Index, b: Indices) -> Reading:
        (node,) = self.operands
        assert isinstance(node, Several)
        return node.entry_of(self.index, index, b)

    def missing_derivative(self) -> str:
        (node,) = self.operands
        assert isinstance(node, Several)
        return node.missing_derivative()

    def jvp(self, tangents: Sequence[Any]) -> ArrayExpr | None:
        (moved,) = tangents
        return None if moved is None else moved[self.index]

    def batch(self, size: int, operands: Sequence[Any], batched: Sequence[bool]) -> ArrayExpr:
        found: ArrayExpr = operands[0][self.index]
        return found

    def notation(self) -> Notation:
        (node,) = self.operands
        assert isinstance(node, Several)
        name = node.result_name(self.index)
        counted = name.startswith("result")
        # The first result, named "values", is shown as the operation itself.
        latex = "{0}" if name == "values" else rf"{{0}}_{{{{\mathrm{{{{{name}}}}}}}}}"
        return Notation(
            f"{{0}}[{self.index}]" if counted else f"{{0}}.{name}",
            rf"{{0}}_{{{{{self.index}}}}}" if counted else latex,
            Precedence.ATOM,
            (Precedence.ATOM,),
        )


BESIDE["Result"] = Result


def one_of(cls: type[Several], index: int, x: Any, params: tuple[Any, ...]) -> Any:
    """Return one result of an operation on `x`, alone where nothing else needs the others."""
    compute = getattr(type(x), "_compute_one", None)
    found = None if compute is None else compute(cls, index, x, params)
    return bind(cls, (x,), params)[index] if found is None else found
