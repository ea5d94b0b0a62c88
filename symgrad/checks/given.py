"""A gradient that is given: by a function, formulas of SymPy, a `Function`, another library."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy

from symgrad.autograd.comparison import as_tuple
from symgrad.autograd.function import Function
from symgrad.checks.directions import (
    Leaves,
    fixed_direction,
    gradients_by_order,
    scalar_of,
    unweighted,
)
from symgrad.checks.numbers import slope_of
from symgrad.checks.report import RIGHT, UNKNOWN, WRONG, Finding
from symgrad.checks.subject import Array, Subject
from symgrad.expr.atoms import as_expr
from symgrad.expr.node import ArrayExpr
from symgrad.forms.formula_text import formula
from symgrad.forms.from_sympy import from_sympy
from symgrad.proofs.prove import prove
from symgrad.support.untraceable import traced
from symgrad.tensor.tensor import Tensor

#: How far numbers of a right gradient may be apart, in units of the last digit of the largest one.
_ULPS = 1024


class Given:
    """Gradients that were given, with those of the function's own formula.

    Attributes
    ----------
    name : str
        What reports call them.
    formulas : tuple of ArrayExpr or None
        One for each input that moves; None where they have none.
    numbers : callable or None
        Returns their values for values of the inputs.
    notes : list of str
        Why there are no formulas.
    """

    def __init__(
        self,
        name: str,
        formulas: tuple[ArrayExpr, ...] | None,
        numbers: Callable[[Sequence[Array]], list[Array]] | None,
        notes: list[str],
    ) -> None:
        self.name = name
        self.formulas = formulas
        self.numbers = numbers
        self.notes = notes

    def compared(self, subject: Subject, order: int) -> list[Finding] | None:
        """Return what the derivatives of an order are found to be; None where that is not known."""
        moving = [subject.inputs[i] for i in subject.moving]
        if subject.forwards is None:
            return self._of_tensors(subject, order)
        scalar = scalar_of(subject.forwards, unweighted)
        if self.formulas is None:
            return self._of_numbers(subject, scalar, order)
        found = []
        leaves, again = Leaves(subject.point()), Leaves(subject.point())
        true = [*gradients_by_order(scalar, moving, order, leaves)][-1]
        yours = [*gradients_by_order(scalar, moving, order, again, self.formulas)][-1]
        for x, a, b in zip(moving, yours, true, strict=True):
            verdict = prove(a, b)
            if verdict:
                found.append(Finding(order, x.name, RIGHT, verdict.how, self.name))
            elif verdict.counterexample is None:
                why = "; ".join(verdict.tried)
                found.append(Finding(order, x.name, UNKNOWN, "", self.name, why))
            else:
                at = {k.name: np.asarray(v).tolist() for k, v in verdict.counterexample.items()}
                text = f"yours - true = {formula(a - b, digits=8)}".replace("\n", "; ")
                found.append(Finding(order, x.name, WRONG, verdict.how, self.name, text, at))
        return found

    def _of_numbers(self, subject: Subject, scalar: ArrayExpr, order: int) -> list[Finding] | None:
        """Compare numbers at the inputs: the gradient itself, and differences of it."""
        assert self.numbers is not None
        if order > 2:
            self.notes.append(
                f"orders above 2 of {self.name}, which has no formula, are not checked"
            )
            return None
        moving = [subject.inputs[i] for i in subject.moving]
        true = [*gradients_by_order(scalar, moving, order, fixed_direction)][-1]
        point = subject.point()
        found = []
        for i, (x, e) in enumerate(zip(moving, true, strict=True)):
            want = e.evaluate({y: point[y] for y in e.leaves})
            if order == 1:
                got, error = self.numbers(subject.values)[i], 0.0
            else:
                got, error = self._differences(subject, i, x)
            found.append(_compared_numbers(order, x, got, want, error, self.name))
        return found

    def _differences(self, subject: Subject, i: int, x: Any) -> tuple[Array, float]:
        """Return the derivative of the given gradient's product with directions, by an input."""
        assert self.numbers is not None
        numbers = self.numbers
        moving = [subject.inputs[k] for k in subject.moving]
        alone = len(moving) == 1 and not moving[0].shape
        place = subject.moving[i]
        value = subject.values[place].astype(np.float64)
        out, worst = np.zeros(value.shape), 0.0
        for index in np.ndindex(value.shape):
            unit = np.zeros(value.shape)
            unit[index] = 1

            def along(t: float, unit: Array = unit) -> float:
                moved = list(subject.values)
                moved[place] = value + t * unit
                made = numbers(moved)
                weights = [1.0 if alone else fixed_direction(f"v_{y.name}", y) for y in moving]
                return float(sum([(g * w).sum() for g, w in zip(made, weights, strict=True)]))

            size = max(1.0, float(np.abs(value).max(initial=0)))
            out[index], error, tells = slope_of(along, size)
            worst = max(worst, error if tells else np.inf)
        return out, 10 * worst

    def _of_tensors(self, subject: Subject, order: int) -> list[Finding] | None:
        if order > 1:
            self.notes.append(
                f"orders above 1 are not checked: neither {subject.name} has a formula, nor are "
                "differences of differences exact"
            )
            return None
        assert self.numbers is not None
        inputs = subject.tensors()
        results = [y for y in as_tuple(subject.call(*inputs)) if y.requires_grad]
        sum([y.sum() for y in results[1:]], results[0].sum()).backward()
        found = []
        for i, k in enumerate(subject.moving):
            grad = inputs[k].grad
            want = np.zeros(subject.values[k].shape) if grad is None else grad.numpy()
            got = self.numbers(subject.values)[i]
            found.append(_compared_numbers(order, subject.inputs[k], got, want, 0.0, self.name))
        return found


def _compared_numbers(
    order: int, x: Any, got: Array, want: Array, error: float, name: str
) -> Finding:
    size = max(1e-300, float(np.abs(want).max(initial=0)))
    allowed = error + _ULPS * float(np.finfo(x.dtype.numpy).eps) * size
    apart = np.abs(got - want)
    if not np.isfinite(want).all() or not np.isfinite(error):
        text = "differences of the given gradient tell nothing"
        if np.isfinite(error):
            text = "the derivative at the inputs is not finite"
        return Finding(order, x.name, UNKNOWN, "numbers", name, text)
    if np.all(apart <= allowed):
        return Finding(order, x.name, RIGHT, "numbers", name)
    place = tuple(map(int, np.unravel_index(int(np.argmax(apart)), apart.shape)))
    shown = [
        f"{got[place]:.{digits}g}, and should be {want[place]:.{digits}g}" for digits in (8, 17)
    ]
    is_told = f"{got[place]:.8g}" != f"{want[place]:.8g}"
    text = f"element {place} is {shown[0 if is_told else 1]}"
    return Finding(order, x.name, WRONG, "numbers", name, text)


def given_gradients(against: Any, subject: Subject) -> Given:
    """Return gradients that a user gives, in whichever form.

    Raises
    ------
    ValueError
        If there are not as many as inputs that move, or one has another shape than its input.
    TypeError
        If what is given is no gradient.
    """
    name = getattr(against, "__name__", "against")
    moving = [subject.inputs[i] for i in subject.moving]
    if isinstance(against, type) and issubclass(against, Function):
        return _of_function(against, subject)
    if isinstance(against, type) and hasattr(against, "apply"):
        return Given(name, None, _of_torch(against, subject), [])
    if _is_of_sympy(against):
        symbols = {x.name: x for x in subject.inputs}
        parts = list(against) if isinstance(against, (list, tuple)) else [against]
        made = [from_sympy(e, _used(e, symbols)) for e in parts]
        return Given("against", _checked(made, moving, name), None, [])
    if not callable(against):
        raise TypeError(
            "check_gradients(): against= takes a function that returns gradients, a Function, or "
            f"formulas of SymPy, got {type(against).__name__}"
        )
    try:
        formulas = [as_expr(g) for g in as_tuple(traced(against, *subject.inputs))]
    except Exception as error:  # noqa: BLE001 - a function of another library may fail in any way
        why = f"{name} has no formula, and is compared by numbers: {error}"
        return Given(name, None, _of_callable(against, subject), [why])
    return Given(name, _checked(formulas, moving, name), _of_callable(against, subject), [])


def _is_of_sympy(x: Any) -> bool:
    kinds = (sympy.Basic, sympy.MatrixBase)
    several = isinstance(x, (list, tuple)) and bool(x)
    return isinstance(x, kinds) or (several and all(isinstance(y, kinds) for y in x))


def _used(e: Any, symbols: dict[str, Any]) -> dict[str, Any]:
    return {str(s): symbols[str(s)] for s in e.free_symbols if str(s) in symbols}


def _checked(made: Sequence[ArrayExpr], moving: Sequence[Any], name: str) -> tuple[ArrayExpr, ...]:
    _check_shapes([x.shape for x in made], moving, name)
    return tuple(made)


def _check_shapes(shapes: Sequence[Any], moving: Sequence[Any], name: str) -> None:
    if len(shapes) != len(moving):
        names = ", ".join([x.name for x in moving])
        raise ValueError(
            f"check_gradients(): {name} returned {len(shapes)} gradients, one for each input that "
            f"requires one is needed: {names}"
        )
    for shape, x in zip(shapes, moving, strict=True):
        if tuple(shape) != x.shape:
            raise ValueError(
                f"check_gradients(): {name} returned a gradient by {x.name} of shape "
                f"{tuple(shape)}, and {x.name} has the shape {x.shape}"
            )


def _of_function(against: Any, subject: Subject) -> Given:
    """Return the gradients that the `backward` of a `Function` gives."""
    name = f"{against.__name__}.backward"
    moving = [subject.inputs[i] for i in subject.moving]

    def numbers(values: Sequence[Array]) -> list[Array]:
        inputs = subject.tensors(values)
        results = [y for y in as_tuple(against.apply(*inputs)) if isinstance(y, Tensor)]
        sum([y.sum() for y in results[1:]], results[0].sum()).backward()
        grads = [inputs[i].grad for i in subject.moving]
        zeros = [np.zeros(subject.values[i].shape) for i in subject.moving]
        return [z if g is None else g.numpy() for g, z in zip(grads, zeros, strict=True)]

    try:
        results = [as_expr(y) for y in as_tuple(traced(against.apply, *subject.inputs))]
        first = next(gradients_by_order(scalar_of(results, unweighted), moving, 1, unweighted))
    except Exception as error:  # noqa: BLE001 - the user's code may raise anything
        return Given(name, None, numbers, [f"{name} has no formula: {error}"])
    return Given(name, tuple(first), numbers, [])


def _of_callable(against: Any, subject: Subject) -> Callable[[Sequence[Array]], list[Array]]:
    """Return the values of a gradient that takes tensors, NumPy's arrays, or PyTorch's tensors."""
    moving = [subject.inputs[i] for i in subject.moving]
    name = getattr(against, "__name__", "against")

    def numbers(values: Sequence[Array]) -> list[Array]:
        errors = []
        for convert in (list, subject.tensors, _torch_tensors):
            try:
                made = as_tuple(against(*convert(values)))
            except Exception as error:  # noqa: BLE001 - of another library, in any way
                errors.append(error)
                continue
            arrays = [_array(x) for x in made]
            _check_shapes([a.shape for a in arrays], moving, name)
            return arrays
        raise TypeError(
            f"check_gradients(): {name} takes neither NumPy's arrays nor tensors: {errors[0]}"
        ) from errors[0]

    return numbers


def _torch_tensors(values: Sequence[Array]) -> list[Any]:
    torch = sys.modules.get("torch")
    if torch is None:
        raise TypeError("PyTorch is not imported")
    return [torch.from_numpy(np.array(v)).requires_grad_(v.dtype.kind == "f") for v in values]


def _of_torch(against: Any, subject: Subject) -> Callable[[Sequence[Array]], list[Array]]:
    """Return the gradients that a `torch.autograd.Function` gives, where PyTorch is installed."""

    def numbers(values: Sequence[Array]) -> list[Array]:
        inputs = _torch_tensors(values)
        results = as_tuple(against.apply(*inputs))
        total: Any = sum([y.sum() for y in results])
        total.backward()
        grads = [inputs[i].grad for i in subject.moving]
        zeros = [np.zeros(subject.values[i].shape) for i in subject.moving]
        return [z if g is None else _array(g) for g, z in zip(grads, zeros, strict=True)]

    return numbers


def _array(x: Any) -> Array:
    if isinstance(x, Tensor):
        return np.asarray(x.detach().numpy())
    detach = getattr(x, "detach", None)
    return np.asarray(x if detach is None else detach().numpy())
