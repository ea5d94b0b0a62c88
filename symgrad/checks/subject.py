"""What is checked: a function at a point, its formula, and the formula of its forwards alone."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy

from symgrad.autograd.comparison import as_tuple
from symgrad.autograd.function_formulas import ForwardAlone
from symgrad.backward.edges import leaf_tensors
from symgrad.expr.atoms import Leaf, as_expr
from symgrad.expr.graph import leaves
from symgrad.expr.node import ArrayExpr
from symgrad.forms.from_sympy import from_sympy
from symgrad.functions.creation.data import tensor
from symgrad.support.untraceable import Untraceable, cause_of, place_of, traced
from symgrad.tensor.tensor import Tensor

Array = np.ndarray[Any, Any]


class Subject(NamedTuple):
    """A function at a point.

    Attributes
    ----------
    name : str
        The function, as reports name it.
    call : callable
        The function of tensors.
    inputs : tuple of Leaf
        The leaf of each input, with its name, shape and dtype.
    values : tuple of numpy.ndarray
        The point.
    moving : tuple of int
        The inputs that are differentiated with respect to.
    captured : dict
        The values of leaves that are no inputs: of tensors that the function reads, which require a
        gradient. Others are constants of its formula.
    results : tuple of ArrayExpr or None
        The formulas of the results; None where the function cannot be traced.
    forwards : tuple of ArrayExpr or None
        The same with custom functions as the formulas of their `forward`.
    untraced : str
        Why there are no formulas, with the line.
    """

    name: str
    call: Callable[..., Any]
    inputs: tuple[Leaf, ...]
    values: tuple[Array, ...]
    moving: tuple[int, ...]
    captured: dict[Leaf, Array]
    results: tuple[ArrayExpr, ...] | None
    forwards: tuple[ArrayExpr, ...] | None
    untraced: str = ""

    def point(self) -> dict[Leaf, Array]:
        """Return the value of each leaf."""
        return {**self.captured, **dict(zip(self.inputs, self.values, strict=True))}

    def tensors(self, values: Sequence[Array] | None = None) -> list[Tensor]:
        """Return new tensors of the values, by default of the point."""
        given = self.values if values is None else values
        return [
            tensor(v, requires_grad=i in self.moving and v.dtype.kind in "fc")
            for i, v in enumerate(given)
        ]


def subject(f: Any, inputs: Any) -> Subject:
    """Return a function at a point, after checks of both.

    Raises
    ------
    TypeError, ValueError
        As `check_gradients`.
    """
    if isinstance(f, sympy.Basic):
        f, inputs = _of_sympy(f, inputs)
    if not callable(f):
        raise TypeError(f"check_gradients() takes a function, got {type(f).__name__}")
    name = getattr(f, "__name__", type(f).__name__)
    name = "the function" if name == "<lambda>" else name
    given = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    checked = [_input(i, x) for i, x in enumerate(given)]
    moving = [i for i, x in enumerate(checked) if x.requires_grad]
    if not moving:
        if not any(x.dtype.is_floating_point for x in checked):
            kinds = ", ".join([x.dtype.name for x in checked]) or "nothing"
            raise ValueError(
                f"check_gradients(): the inputs are {kinds}, and only floats are differentiated"
            )
        raise ValueError(
            "check_gradients(): no input requires a gradient; make those that do with "
            "tensor(..., requires_grad=True)"
        )
    values = tuple([np.array(x.detach().numpy()) for x in checked])
    at = Subject(name, f, (), values, tuple(moving), {}, None, None)
    captured: dict[Any, Array] = {x.expr: np.array(x.detach().numpy()) for x in _captured(at)}
    names = names_of(f, checked, captured)
    placed = [Leaf(k, v.shape, x.dtype) for k, v, x in zip(names, values, checked, strict=True)]
    results, why = traced_results(f, placed)
    forwards = None
    if results is not None:
        with ForwardAlone():
            forwards, _ = traced_results(f, placed)
        if not set(leaves(*results)) & {placed[i] for i in moving}:
            results = None
            why = f"the formula of {name} has none of the inputs, though its values depend on them"
            forwards = None
    return Subject(name, f, tuple(placed), values, tuple(moving), captured, results, forwards, why)


def _input(i: int, x: Any) -> Tensor:
    if isinstance(x, (np.ndarray, np.generic, float)):
        x = tensor(np.asarray(x), requires_grad=np.asarray(x).dtype.kind == "f")
    if not isinstance(x, Tensor):
        raise TypeError(
            f"check_gradients(): inputs[{i}] is {type(x).__name__}; it takes tensors, or NumPy's "
            "arrays of floats"
        )
    if not x.is_leaf:
        raise ValueError(
            f"check_gradients(): inputs[{i}] is the result of an operation, not a leaf; pass "
            "x.detach().requires_grad_()"
        )
    if x.dtype.is_complex:
        raise TypeError(
            f"check_gradients(): inputs[{i}] is complex; pass its real and its imaginary part, and "
            "join them in the function by symgrad.complex"
        )
    return x


def names_of(f: Any, inputs: Sequence[Any], captured: Iterable[Leaf]) -> list[str]:
    """Return a name for each input: of the tensor, of the parameter, or x0, x1 and on.

    None is that of a leaf that the function captures.
    """
    names: list[str | None] = [getattr(x, "name", None) for x in inputs]
    try:
        parameters = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    for i, p in enumerate(parameters[: len(names)]):
        if p.kind is p.VAR_POSITIONAL:
            break
        names[i] = names[i] or p.name
    taken = [x.name for x in captured]
    found: list[str] = []
    for i, name in enumerate(names):
        made = name or f"x{i}"
        while made in found or made in taken:
            made += "_"
        found.append(made)
    return found


def _of_sympy(f: sympy.Basic, inputs: Any) -> tuple[Callable[..., Any], Any]:
    """Return a function of tensors for a formula of SymPy, with its symbols in their order."""
    symbols = sorted(f.free_symbols, key=str)
    if isinstance(inputs, Mapping):
        named = {str(k): v for k, v in inputs.items()}
        missing = [str(s) for s in symbols if str(s) not in named]
        if missing:
            raise ValueError(f"check_gradients(): the inputs have no {', '.join(missing)}")
        given = tuple([named[str(s)] for s in symbols])
    else:
        given = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    if len(given) != len(symbols):
        raise ValueError(
            f"check_gradients(): the formula has the symbols {', '.join(map(str, symbols))}, and "
            f"there are {len(given)} inputs"
        )

    def of_symbols(*args: Any) -> Any:
        return from_sympy(f, dict(zip(symbols, args, strict=True)))

    parameters = [inspect.Parameter(str(s), inspect.Parameter.POSITIONAL_ONLY) for s in symbols]
    of_symbols.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    of_symbols.__name__ = str(f)
    return of_symbols, given


def _captured(point: Subject) -> list[Tensor]:
    """Return the tensors beside the inputs on which the gradients of a function depend.

    A function is refused whose results are no tensors, depend on no input, or on chance.
    """
    f, name = point.call, point.name
    inputs = point.tensors()
    first = as_tuple(f(*inputs))
    second = as_tuple(f(*point.tensors()))
    for x in first:
        if not isinstance(x, Tensor):
            raise TypeError(
                f"check_gradients(): {name} returned {type(x).__name__}, which is no tensor"
            )
    if not any(x.requires_grad for x in first):
        raise ValueError(
            f"check_gradients(): no result of {name} depends on an input that requires a gradient"
        )
    for i, (x, y) in enumerate(zip(first, second, strict=True)):
        a, b = x.detach().numpy(), y.detach().numpy()
        if a.shape != b.shape or not np.array_equal(a, b, equal_nan=a.dtype.kind in "fc"):
            raise ValueError(
                f"check_gradients(): two calls of {name} with the same inputs gave different "
                f"values of result {i}; a function that draws random numbers, or changes what it "
                "reads, has no gradient to check: set the seed within it, or draw before it"
            )
    return [x for x in leaf_tensors(first) if not any(x is y for y in inputs)]


def traced_results(f: Any, placed: Sequence[Any]) -> tuple[tuple[ArrayExpr, ...] | None, str]:
    """Return the formulas of the results, or None and why there are none."""
    try:
        made = as_tuple(traced(f, *placed))
        formulas = tuple([as_expr(x) for x in made])
    except Exception as error:
        why = cause_of(error)
        if why is None and not isinstance(error, (TypeError, ValueError, AttributeError)):
            raise
        place = place_of(why) if isinstance(why, Untraceable) else ""
        return None, f"{why or error}" + (f" ({place})" if place else "")
    return formulas, ""


def formulas_of(subject: Subject) -> tuple[ArrayExpr, ...] | None:
    """Return the formulas of the results anew, as the present block makes them."""
    return traced_results(subject.call, subject.inputs)[0]


def traced_at(f: Any, placed: Sequence[Leaf]) -> tuple[ArrayExpr, ...] | None:
    """Return the formulas of a function's forwards alone at other leaves, if it has them there."""
    try:
        with ForwardAlone():
            made = as_tuple(traced(f, *placed))
            return tuple([as_expr(x) for x in made])
    except Exception:  # noqa: BLE001 - a function may refuse shapes in any way
        return None
