"""Derivatives beside finite differences: what `gradcheck` compares.

A function is moved by a small step along a direction, once each way, and what changes is compared
with its derivative along that direction: along every axis, or along a random one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from symgrad.autograd.forward_ad import dual_level, make_dual, unpack_dual
from symgrad.backward.api import grad
from symgrad.expr.dtypes import default_dtype
from symgrad.random.streams import Generator
from symgrad.record.record import Recorded, wrap
from symgrad.support.above import FromAbove
from symgrad.support.quiet import quietly

Array = np.ndarray[Any, Any]
Call = Callable[..., Any]

#: Returns the formulas of gradients that custom functions give, beside the right ones.
formulas_apart: FromAbove[Callable[[Call, Sequence[Any]], str]] = FromAbove("symgrad.checks.apart")


class GradcheckError(RuntimeError):
    """What `gradcheck` and `gradgradcheck` raise where a derivative is not what it should be.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd.gradcheck import GradcheckError
    >>> x = torch.tensor([0.5], dtype=torch.float64, requires_grad=True)
    >>> try:
    ...     torch.autograd.gradcheck(lambda x: x * x.detach(), x)
    ... except GradcheckError as error:
    ...     print(error)
    Jacobian mismatch for output 0 with respect to input 0,
    numerical:tensor([[1.0000]], dtype=torch.float64)
    analytical:tensor([[0.5000]], dtype=torch.float64)
    <BLANKLINE>
    """


def as_tuple(x: Any) -> tuple[Any, ...]:
    """Return arguments or results, one or several, as a tuple."""
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def is_tensor(x: Any) -> bool:
    """Whether a value is a tensor."""
    return isinstance(x, Recorded)


def moves(x: Any) -> bool:
    """Whether a value is a tensor that is differentiated with respect to."""
    return isinstance(x, Recorded) and x._rg


def is_float(x: Any) -> bool:
    """Whether a value is a tensor of real or complex floats."""
    return isinstance(x, Recorded) and x._aval.dtype.differentiable


def is_complex(x: Any) -> bool:
    """Whether a value is a tensor of complex numbers."""
    return isinstance(x, Recorded) and x._aval.dtype.is_complex


def requiring_grad(results: Sequence[Any]) -> tuple[Any, ...]:
    """Return those results that can be differentiated."""
    return tuple(x for x in results if x.requires_grad)


@dataclass(frozen=True)
class Comparison:
    """A function at a point, and how exactly its derivatives have to agree with differences.

    Attributes
    ----------
    func : callable
        The function; of a complex one, the part that is being looked at.
    inputs : tuple
        The point.
    results : tuple
        What it returns there.
    part : str
        Which part is looked at, "real" or "imaginary"; empty where all is real.
    parted : tuple of int
        Which of the differentiable results are split into parts; in forward mode, which of the
        inputs that move.
    forward : bool
        Whether derivatives are taken in forward mode.
    """

    func: Call
    inputs: tuple[Any, ...]
    results: tuple[Any, ...]
    eps: float
    atol: float
    rtol: float
    nondet_tol: float
    check_grad_dtypes: bool
    part: str = ""
    parted: tuple[int, ...] = ()
    forward: bool = False

    def floats(self) -> list[Any]:
        """Return the results that differences are taken of."""
        return [x for x in self.results if is_float(x)]

    def differentiable(self) -> list[tuple[int, Any]]:
        """Return the results that require a gradient, with their positions among the floats."""
        differentiable = requiring_grad(self.results)
        return [(o, x) for o, x in enumerate(self.floats()) if any(x is y for y in differentiable)]

    def moving(self) -> list[tuple[int, Any]]:
        """Return the inputs that are differentiated with respect to, with their positions."""
        return [(i, x) for i, x in enumerate(self.inputs) if moves(x)]

    def parts_of_results(self) -> Iterator[Comparison]:
        """Yield what backward mode is checked on: complex results as two real functions."""
        if not any(map(is_complex, self.results)):
            yield self
            return
        parted = tuple(k for k, (_, x) in enumerate(self.differentiable()) if is_complex(x))
        for part, take in (("imaginary", lambda x: x.imag), ("real", lambda x: x.real)):
            func = _of_results(self.func, take)
            yield replace(self, func=func, results=func(*self.inputs), part=part, parted=parted)

    def parts_of_inputs(self) -> Iterator[Comparison]:
        """Yield what forward mode is checked on: functions of one part of complex inputs."""
        whole = self.inputs
        if not any(map(is_complex, whole)):
            yield replace(self, forward=True)
            return
        parted = tuple(j for j, (_, x) in enumerate(self.moving()) if is_complex(x))
        sides: tuple[tuple[str, Call, Call], ...] = (
            ("imaginary", lambda x: x.imag, lambda x, y: y.real + x * 1j),
            ("real", lambda x: x.real, lambda x, y: x + y.imag * 1j),
        )
        for part, take, restore in sides:
            func = _of_inputs(self.func, whole, restore)
            inputs = tuple(take(x) if is_complex(x) else x for x in whole)
            yield replace(
                self, func=func, inputs=inputs, results=as_tuple(func(*inputs)), part=part,
                parted=parted, forward=True,
            )  # fmt: skip

    def mismatch(self, j: int, k: int, analytical: Array, numerical: Array) -> str:
        """Return the message for the kth differentiable result and the jth input that moves."""
        prefix = ""
        if (j if self.forward else k) in self.parted:
            which = "inputs" if self.forward else "outputs"
            prefix = f"While considering the {self.part} part of complex {which} only, "
        mode = "computed with forward mode " if self.forward else ""
        return (
            f"{prefix}Jacobian {mode}mismatch for output {k} with respect to input {j},\n"
            f"numerical:{wrap(numerical)}\nanalytical:{wrap(analytical)}\n"
        )

    # ------------------------------------------------------------ derivatives along directions

    def difference(self, i: int, where: Any, direction: Any) -> list[Array]:
        """Return the change of each result of floats when an input moves along a direction.

        Parameters
        ----------
        i : int
            The position of the input.
        where : index
            The elements of it that move.
        direction : array or number
            The derivative is along it.
        """
        memory = self.inputs[i]._data
        here = memory[where].copy()
        step = direction * self.eps
        try:
            memory[where] = here - step
            before = self._values()
            memory[where] = here + step
            after = self._values()
        finally:
            memory[where] = here
        on = f"on index {where} " if where is not ... else ""
        for a, b in zip(before, after, strict=True):
            for what in ("shape", "dtype"):
                if getattr(a, what) != getattr(b, what):
                    raise AssertionError(
                        f"Expected `func` to return outputs with the same {what} when inputs are "
                        f"perturbed {on}by {self.eps}, but got: {what}s {getattr(a, what)} and "
                        f"{getattr(b, what)}."
                    )
        return [
            quietly(self._slope, a._data, b._data)
            for a, b, result in zip(before, after, self.results, strict=True)
            if is_float(result)
        ]

    def _slope(self, before: Array, after: Array) -> Array:
        return np.asarray((after - before) / (2 * self.eps)).reshape(-1)

    def _values(self) -> list[Any]:
        return [wrap(np.array(x._data)) for x in as_tuple(self.func(*self.inputs))]

    def derivative(self, i: int, where: Any, directions: Sequence[Any]) -> list[Array]:
        """Return the derivative of each result of floats along a direction, by differences.

        With respect to a complex input it is that by the real part plus 1j times that by the
        imaginary part, which move along a direction each.
        """
        real = self.difference(i, where, directions[0])
        if not is_complex(self.inputs[i]):
            return real
        imaginary = self.difference(i, where, directions[1] * 1j)
        return [a + 1j * b for a, b in zip(real, imaginary, strict=True)]

    def pulled_back(self, result: Any, cotangents: Sequence[Any]) -> list[list[Array]]:
        """Return the gradient of each moving input, flat, for each of the cotangents."""
        moving = [x for _, x in self.moving()]
        rows: list[list[Array]] = [[] for _ in moving]
        for ct in cotangents:
            found = grad(result, moving, wrap(ct), retain_graph=True, allow_unused=True)
            for x, g, row in zip(moving, found, rows, strict=True):
                kind = x._aval.dtype.numpy
                row.append(
                    np.zeros(x._data.size, kind) if g is None else np.array(g._data).reshape(-1)
                )
        return rows

    def gradients(self, result: Any, cotangents: Sequence[Any]) -> list[Array]:
        """Return the gradients as a matrix for each input; raise if two passes differ."""
        first, second = (
            [
                np.stack(row, axis=1) if row else np.zeros((x._data.size, 0), x._data.dtype)
                for row, (_, x) in zip(
                    self.pulled_back(result, cotangents), self.moving(), strict=True
                )
            ]
            for _ in range(2)
        )
        for a, b in zip(first, second, strict=True):
            if quietly(lambda a, b: np.max(np.abs(a - b), initial=0), a, b) > self.nondet_tol:
                raise GradcheckError(
                    "Backward is not reentrant, i.e., running backward with same input and "
                    "grad_output multiple times gives different values, although analytical "
                    "gradient matches numerical gradient.The tolerance for nondeterminism was "
                    f"{self.nondet_tol}.\n\nNOTE: If the derivative is meant to be random, or its "
                    "order of summation varies, pass `nondet_tol=<tol>`."
                )
        return first

    def pushed_forward(self, i: int, tangents: Sequence[Array]) -> list[list[Array]]:
        """Return the derivative of each result of floats, flat, along each tangent of an input."""
        columns: list[list[Array]] = [[] for _ in self.floats()]
        for tangent in tangents:
            for (primal, found), column in zip(
                self.tangents_of({i: tangent}), columns, strict=True
            ):
                if (
                    self.check_grad_dtypes
                    and found is not None
                    and is_complex(found) != is_complex(primal)
                ):
                    raise GradcheckError("Forward AD gradient has dtype mismatch.")
                column.append(_dense(primal, found).reshape(-1))
        return columns

    def tangents_of(
        self, given: dict[int, Array], without: int | None = None
    ) -> list[tuple[Any, Any]]:
        """Return each result of floats with its tangent, or None, for tangents of the inputs.

        Inputs that move have a tangent of zero where none is given, but for `without`.
        """
        moving = {i for i, _ in self.moving()}
        with dual_level():
            duals = [
                x.detach()
                if i == without
                else make_dual(x.detach(), wrap(given.get(i, np.zeros_like(x._data))))
                if i in moving
                else x
                for i, x in enumerate(self.inputs)
            ]
            results = [x for x in as_tuple(self.func(*duals)) if is_float(x)]
            return [tuple(unpack_dual(x)) for x in results]


def _of_results(func: Call, take: Call) -> Call:
    """Return `func` with a part in the place of each complex result."""

    def of_part(*inputs: Any) -> tuple[Any, ...]:
        return tuple(take(x) if is_complex(x) else x for x in as_tuple(func(*inputs)))

    return of_part


def _of_inputs(func: Call, whole: tuple[Any, ...], restore: Call) -> Call:
    """Return `func` as a function of a part of the complex inputs; the other part stays."""

    def of_part(*inputs: Any) -> Any:
        return func(
            *(
                restore(x, y.detach()) if is_complex(y) else x
                for x, y in zip(inputs, whole, strict=True)
            )
        )

    return of_part


def _dense(primal: Any, tangent: Any) -> Array:
    return np.zeros_like(primal._data) if tangent is None else np.array(tangent._data)


def _close(check: Comparison, analytical: Array, numerical: Array, scale: float = 1.0) -> bool:
    """Whether a derivative is what the differences are."""
    atol = check.atol * scale
    return bool(quietly(np.allclose, analytical, numerical, check.rtol, atol))


# ---------------------------------------------------------------- element by element


def compare_elementwise(check: Comparison) -> None:
    """Compare all elements of the exact Jacobians with those by differences."""
    moving, results = check.moving(), check.differentiable()
    numerical = [_numerical_jacobians(check, i) for i, _ in moving]
    if not results:
        _check_constant(numerical, 0.0)
    elif check.forward:
        analytical = [_forward_jacobians(check, i) for i, _ in moving]
        for k, (o, _) in enumerate(results):
            for j in range(len(moving)):
                _compare(check, j, k, analytical[j][o], numerical[j][o])
    else:
        for k, (o, result) in enumerate(results):
            for j, found in enumerate(check.gradients(result, list(_basis(result)))):
                _compare(check, j, k, found, numerical[j][o])


def _check_constant(numerical: Sequence[Sequence[Array]], tolerance: float) -> None:
    """Check that a function without differentiable results does not change."""
    if any(np.any(np.abs(x) > tolerance) for found in numerical for x in found):
        raise GradcheckError("Numerical gradient for function expected to be zero")


def _compare(check: Comparison, j: int, k: int, analytical: Array, numerical: Array) -> None:
    if not _close(check, analytical, numerical):
        raise _mismatched(check, check.mismatch(j, k, analytical, numerical))


def _basis(x: Any) -> Iterator[Array]:
    """Yield the arrays of the shape of `x` with a single one, the last axis fastest."""
    for index in np.ndindex(x._data.shape):
        made = np.zeros(x._data.shape, x._data.dtype)
        made[index] = 1
        yield made


def _numerical_jacobians(check: Comparison, i: int) -> list[Array]:
    """Return d result / d input for each result of floats, as (elements of input, of result)."""
    rows = [
        check.derivative(i, index, (1.0, 1.0)) for index in np.ndindex(check.inputs[i]._data.shape)
    ]
    return [_stacked([row[o] for row in rows], result) for o, result in enumerate(check.floats())]


def _forward_jacobians(check: Comparison, i: int) -> list[Array]:
    """Return the same, as forward mode gives it."""
    found = check.pushed_forward(i, list(_basis(check.inputs[i])))
    return [_stacked(rows, result) for rows, result in zip(found, check.floats(), strict=True)]


def _stacked(rows: Sequence[Array], result: Any) -> Array:
    """Return the rows of a Jacobian, of which there may be none, as a matrix."""
    empty = np.zeros((0, result._data.size), result._data.dtype)
    return np.stack(rows) if rows else empty


# ---------------------------------------------------------------- along one direction


def compare_projected(check: Comparison) -> None:
    """Compare the Jacobians multiplied by random vectors from both sides."""
    moving, results = check.moving(), check.differentiable()
    generator = Generator()  # not the user's, whose numbers stay what they are
    # A complex input moves along one direction in each part.
    directions = [[_direction(x, generator) for _ in range(1 + is_complex(x))] for _, x in moving]
    numerical = [
        check.derivative(i, ..., [u.reshape(x._data.shape) for u in us])
        for (i, x), us in zip(moving, directions, strict=True)
    ]
    if not results:
        _check_constant(numerical, check.nondet_tol)
    elif check.forward:
        for j, ((i, x), (u,)) in enumerate(zip(moving, directions, strict=True)):
            pushed = check.pushed_forward(i, [u.reshape(x._data.shape)])
            for k, (o, _) in enumerate(results):
                _compare_along(check, j, k, pushed[o][0], numerical[j][o], float(u.sum()))
    else:
        weights = [_direction(x, generator) for _, x in results]
        for k, ((o, result), v) in enumerate(zip(results, weights, strict=True)):
            pulled = check.gradients(result, [v.reshape(result._data.shape)])
            for j, us in enumerate(directions):
                along = _along(pulled[j][:, 0], us)
                difference = np.asarray((v * numerical[j][o]).sum())
                # An error of `atol` in each element of a Jacobian adds up along the directions.
                scale = sum(float(u.sum()) for u in us) * float(v.sum())
                _compare_along(check, j, k, along, difference, scale)


def _direction(x: Any, generator: Any) -> Array:
    """Return a random vector of length one, with an element for each of `x`."""
    drawn = generator.uniform((x._data.size,), default_dtype().numpy)
    drawn = drawn.astype(x._aval.dtype.to_real().numpy)
    return np.asarray(quietly(lambda: drawn / np.linalg.norm(drawn)))


def _along(gradient: Array, us: Sequence[Array]) -> Array:
    """Return the product of a gradient with a direction, or with one for each of its parts."""
    if len(us) == 1:
        return np.asarray(gradient @ us[0])
    return np.asarray(gradient.real @ us[0] + 1j * (gradient.imag @ us[1]))


def _compare_along(
    check: Comparison, j: int, k: int, analytical: Array, numerical: Array, scale: float
) -> None:
    if _close(check, analytical, numerical, scale):
        return
    i, _ = check.moving()[j]
    o, result = check.differentiable()[k]
    n = _numerical_jacobians(check, i)[o]
    if check.forward:
        a = _forward_jacobians(check, i)[o]
    else:
        a = replace(check, nondet_tol=np.inf).gradients(result, list(_basis(result)))[j]
    text = (
        check.mismatch(j, k, analytical, numerical)
        + "\nThe above quantities relating the numerical and analytical jacobians are computed \n"
        "in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background \n"
        "about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:\n\n"
        f"Numerical:\n {wrap(n)}\nAnalytical:\n{wrap(a)}\n\n"
        f"The max per-element difference (slow mode) is: {wrap(np.abs(n - a).max())}.\n"
    )
    if _close(check, a, n):
        text += (
            "Fast gradcheck failed but element-wise differences are small. This means that the\n"
            "test might've passed in slow_mode!\n\nPass `fast_mode=False` to compare element by "
            "element."
        )
    raise _mismatched(check, text)


def _mismatched(check: Comparison, text: str) -> GradcheckError:
    """Return an error that ends with the formulas of the gradients, where these are known."""
    return GradcheckError(text + formulas_apart.call(check.func, check.inputs))
