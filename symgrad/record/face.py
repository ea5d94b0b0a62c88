"""What PyTorch's graph shows of a recorded operation: its name, its edges, and what it keeps.

Formulas know `a - b`; the graph knows `SubBackward0`, `RsubBackward1` and `DivBackward2`. So the
face of a node belongs to the record. Most follow from the class of the operation; a function says
what differs with `shows`, and one that is computed by the operation of another function gives its
own `Face` to the record.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symgrad.expr.dtypes import dtype
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import Primitive

#: PyTorch's name of a node without derivative.
NOT_IMPLEMENTED = "torch::autograd::NotImplemented"


#: An edge of a node: the place of an operand, None, or a node of PyTorch's own with its edges.
InnerEdge = int | tuple[Any, ...] | None


def axes(node: Any) -> dict[str, Any]:
    """Return the axes along which an operation works, as its node shows them."""
    names = {"axis": "dim", "keepdims": "keepdim"}
    params = dict(zip(type(node).params, node.param_values, strict=True))
    return {names[k]: v for k, v in params.items() if k in names}


def axes_if_any(node: Any) -> dict[str, Any]:
    """Return the same, but nothing of a reduction over all axes."""
    return {} if node.axis is None else axes(node)


def one_axis(node: Any) -> dict[str, Any]:
    """Return the single axis as a number, and whether it stays."""
    return {**axes(node), "dim": node.axis[0]} if node.axis else axes_if_any(node)


def sizes(node: Any) -> dict[str, Any]:
    """Return the shape of the first operand."""
    return {"self_sym_sizes": tuple(node.operands[0].shape)}


def nothing(node: Any) -> dict[str, Any]:
    """Return no fact: the node shows none."""
    return {}


def stated(*facts: Callable[[Any], Mapping[str, Any]]) -> Callable[[Any], Mapping[str, Any]]:
    """Return the rule that states several facts."""

    def state(node: Any) -> dict[str, Any]:
        return {name: value for fact in facts for name, value in fact(node).items()}

    return state


def renamed(**names: str) -> Callable[[Any], Mapping[str, Any]]:
    """Return the rule that states parameters of an operation under PyTorch's names for them."""

    def state(node: Any) -> dict[str, Any]:
        params = dict(zip(type(node).params, node.param_values, strict=True))
        return {name: params[word] for name, word in names.items()}

    return state


@dataclasses.dataclass(frozen=True, eq=False)
class Face:
    """What PyTorch's graph shows of an operation.

    Attributes
    ----------
    name : str or callable
        The name of the node, without "Backward0" or whole; or what returns it for a node of the
        formula. By default that of the class of the operation.
    saved : tuple of str
        PyTorch's names of the operands, as in `_saved_self`.
    facts : callable
        Returns what the node shows beside values of tensors, by PyTorch's names, for a node of the
        formula: by default the axes. One that is an expression is computed from the values that the
        node keeps. Python numbers among the operands need not be stated.
    keeps : tuple of int or callable
        Operands, and the result as the one after them, that PyTorch keeps although the derivative
        here does not read them: changed in place, they are refused in backward. Or what returns
        them, from whether each operand requires a gradient.
    keeps_result : bool
        Whether the record keeps the result where the derivative names it. False where PyTorch keeps
        the operands: the result may then be changed in place, and the derivative computes it anew.
    frees : bool
        Whether PyTorch keeps a value even where the derivative reads none (`x * 1`), so that a
        second backward raises.
    numbers : str
        Which operands that are numbers have a place among `next_functions`, since PyTorch makes
        tensors of them: "all", behind the tensors; "each", where it stands; the "last", or none.
    edges : callable, optional
        Returns the operand of each of `next_functions` from those that are tensors, each in its
        place, followed by a None for each number that has an edge.
    passes : callable, optional
        Returns whether there is an edge to an operand, from its place and dtype; by default to each
        that an elementwise operation has, and to those of a differentiable dtype elsewhere.
    undefined : callable, optional
        Returns whether PyTorch leaves the gradient undefined (None) where others have one of zeros.
    is_view : bool
        Whether the result is a view where the operation gives one; False where PyTorch takes it for
        the owner of its memory.
    layout : str
        How the result lies in memory, where that is not what the operation says.
    refusal : str
        What the error says when a gradient arrives, where PyTorch refuses it.
    inner : tuple of int, None or tuple, or callable
        What `next_functions` leads to where PyTorch computes the operation by several nodes: for
        each edge the place of an operand, None for a number, or a further node: its name, and what
        it leads to in turn. `("T", 1)` is a `TBackward0` with an edge to operand 1. It may also be
        what returns that, or None, for a node of the formula.
    hidden : bool
        Whether PyTorch has no such node: edges to it lead to its operand.
    """

    name: str | Callable[[Primitive], str] = ""
    saved: tuple[str, ...] = ("self", "other")
    facts: Callable[[Any], Mapping[str, Any]] = axes
    keeps: tuple[int, ...] | Callable[[Sequence[bool]], tuple[int, ...]] = ()
    keeps_result: bool = True
    frees: bool = False
    numbers: str = ""
    edges: Callable[[list[int | None]], list[int | None]] | None = None
    passes: Callable[[int, dtype], bool] | None = None
    undefined: Callable[[Primitive], bool] | None = None
    is_view: bool = True
    layout: str = ""
    refusal: str = ""
    inner: tuple[InnerEdge, ...] | Callable[[Primitive], tuple[InnerEdge, ...] | None] | None = None
    hidden: bool = False

    def name_of(self, node: Primitive) -> str:
        """Return the name of the node in the graph, as "MulBackward0"."""
        if node.missing_derivative():
            return NOT_IMPLEMENTED
        name = self.name if isinstance(self.name, str) else self.name(node)
        name = name or title_of(type(node))
        return name if "Backward" in name or "::" in name else f"{name}Backward0"

    def kept(self, needs: Sequence[bool]) -> tuple[int, ...]:
        """Return what PyTorch keeps if the operands with `needs` require a gradient."""
        return self.keeps(needs) if callable(self.keeps) else self.keeps

    def inner_of(self, node: Primitive) -> tuple[InnerEdge, ...] | None:
        """Return what the edges of a node of the formula lead to, where PyTorch has several."""
        return self.inner(node) if callable(self.inner) else self.inner

    def passes_to(self, cls: type[Primitive], i: int, kind: dtype) -> bool:
        """Return whether the node has an edge to operand `i`, a tensor of that dtype."""
        if self.passes is not None:
            return self.passes(i, kind)
        return kind.differentiable or issubclass(cls, Elementwise)

    def places(
        self,
        cls: type[Primitive],
        tensors: Sequence[tuple[int, dtype, bool]],
        numbers: Sequence[int],
    ) -> tuple[int | None, ...]:
        """Return the operand of each of `next_functions`; None where it is none.

        Parameters
        ----------
        cls : type
            The operation.
        tensors : sequence of (int, dtype, bool)
            The operands that are tensors, and whether each requires a gradient: then it has an
            edge in any case.
        numbers : sequence of int
            Those that are numbers.
        """
        reached = [i for i, kind, need in tensors if need or self.passes_to(cls, i, kind)]
        if self.numbers == "each":
            return tuple([i if i in reached else None for i in sorted([*reached, *numbers])])
        found: list[int | None] = [*reached]
        found += [None for i in numbers if self.numbers == "all" or (self.numbers == "last" and i)]
        return tuple(found if self.edges is None else self.edges(found))


def title_of(cls: type[Primitive]) -> str:
    """Return what the name of a node is, without "Backward0", unless its face names it."""
    return "".join([word.capitalize() for word in cls.__name__.rstrip("_").split("_")])


_FACES: dict[type[Primitive], Face] = {}


def shows(*classes: type[Primitive], **facts: Any) -> None:
    """State what PyTorch's graph shows of operations; see `Face`."""
    for cls in classes:
        _FACES[cls] = dataclasses.replace(face_of(cls), **facts)


def face_of(cls: type[Primitive]) -> Face:
    """Return what the graph shows of an operation: its own face, or that of its base."""
    for base in cls.__mro__:
        if base in _FACES:
            return _FACES[base]
    return _PLAIN


_PLAIN = Face()


def _given(cls: type[Primitive], name: str = "", **facts: Any) -> Face:
    """Return the face of a call whose node shows arguments as they were given, and maybe its name.

    The operation itself knows them only in its own form: all axes for none, 1 for no correction.
    """
    face = face_of(cls)
    return dataclasses.replace(
        face,
        name=name or face.name,
        saved=tuple(name for name in face.saved if name not in facts),
        facts=stated(face.facts, lambda node: facts),
    )


# Signatures are found by the face: equal calls must have the same.
given: Callable[..., Face] = functools.lru_cache(1024)(_given)


def numbered(name: str, operand: int, number: int, tensor: int) -> Callable[[Primitive], str]:
    """Return the rule for a name whose last digit says whether an operand is a number."""

    def name_of(node: Primitive) -> str:
        return f"{name}Backward{number if node.operands[operand].weak else tensor}"

    return name_of


def along_axis(name: str) -> Callable[[Primitive], str]:
    """Return the rule for names that end in 0 for a reduction over all axes, else in 1."""

    def name_of(node: Primitive) -> str:
        return f"{name}Backward{0 if node.axis is None else 1}"

    return name_of
