"""`jacobian` and `hessian` with `sparse=True`: functions that return SciPy's sparse arrays."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from symgrad.autograd.compiled import Compiled, Traced
from symgrad.autograd.sparse.dependence import Formulas
from symgrad.autograd.sparse.program import SparseProgram
from symgrad.autograd.sparse.sets import Array, scipy_sparse
from symgrad.autograd.transforming import apart, check_number, split_arguments
from symgrad.autograd.vmap.trees import Tree, flattened
from symgrad.differentiate.derive import derive
from symgrad.expr.node import ArrayExpr
from symgrad.record.modes import state
from symgrad.record.record import Recorded
from symgrad.schema.kinds import type_name
from symgrad.support.locks import new_lock
from symgrad.support.untraceable import is_traced

#: Of so many values of the indices, the programs of a traced function are kept.
_MAX_PROGRAMS = 8


def sparse_derivative(
    func: Callable[..., Any], argnums: Any, has_aux: bool, name: str
) -> Callable[..., Any]:
    """Return the function that computes a sparse Jacobian, or Hessian where this is the name."""
    scipy_sparse(name)
    derivative = _SparseDerivative(func, argnums, has_aux, name)

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        return derivative.of(args, kwargs)

    return call


class _SparseDerivative:
    """The sparse derivative of a function, with the programs that it ran as."""

    def __init__(self, func: Callable[..., Any], argnums: Any, has_aux: bool, name: str) -> None:
        self._compiled = Compiled(func)
        self._argnums, self._has_aux, self._name = argnums, has_aux, name
        self._known: WeakKeyDictionary[Traced, _Derived] = WeakKeyDictionary()
        self._lock = new_lock()

    def of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self._check(args, kwargs)
        traced = self._compiled.traced(args, kwargs)
        if state.state.enabled and any(x._rg for x in traced.captured):
            raise self._refused("the function reads a tensor that requires a gradient")
        with self._lock:
            derived = self._known.get(traced)
        if derived is None:
            derived = _Derived(traced, self._argnums, self._has_aux, self._name)
            with self._lock:
                self._known[traced] = derived
        values = flattened((args, kwargs))[0]
        return derived.run(traced.call.given(traced.inputs(values)))

    def _check(self, args: Any, kwargs: Any) -> None:
        special = state.state.special
        leaves = flattened((args, kwargs))[0]
        if is_traced() or any(isinstance(x, ArrayExpr) for x in leaves):
            raise self._refused("an argument is a formula")
        if special.keys() & {"batching", "level"}:
            raise self._refused("vmap() or forward differentiation computes with other tensors")
        if state.state.enabled and any(isinstance(x, Recorded) and x._rg for x in leaves):
            raise self._refused("an argument requires a gradient", ": pass x.detach()")

    def _refused(self, why: str, way_out: str = "") -> Exception:
        return RuntimeError(
            f"{self._name}(sparse=True) computes SciPy's arrays from arrays, without a graph, and "
            f"{why}{way_out or '; leave sparse=True out'}"
        )


class _Derived:
    """The derivative of a traced function: for each values of its indices a program."""

    def __init__(self, traced: Traced, argnums: Any, has_aux: bool, name: str) -> None:
        split = split_arguments(traced.args, argnums, name)
        made, aux = apart(traced.expr, has_aux, name)
        self._split = split
        if name == "hessian":
            check_number(made, name)
            _check_real([made], "the result", name)
            ys: Sequence[ArrayExpr] = derive(made, split.leaves)
            self._tree = flattened(split.like(split.leaves))[1]
        else:
            ys, self._tree = _formulas(made, name)
            _check_real(ys, "a result", name)
        _check_real(split.leaves, "an argument", name)
        self._aux = _Beside(aux)
        self._leaves = traced.call.leaves
        self._formulas = Formulas(ys, split.leaves)
        positions = {x: i for i, x in enumerate(self._leaves)}
        self._deciding = [positions[x] for x in self._formulas.deciding]
        self._programs: list[_Programs] = []  # the last used is the last
        self._lock = new_lock()
        self._has_aux = has_aux

    def run(self, values: Sequence[Array]) -> Any:
        rows, beside = self._programs_for(values).run(values)
        made = self._tree.build([self._split.like(row) for row in rows])
        return (made, self._aux.build(beside)) if self._has_aux else made

    def _programs_for(self, values: Sequence[Array]) -> _Programs:
        deciding = [values[i] for i in self._deciding]
        with self._lock:
            for k, programs in enumerate(self._programs):
                if all(map(np.array_equal, programs.deciding, deciding)):
                    self._programs.append(self._programs.pop(k))
                    return programs
        deciding = [x.copy() for x in deciding]
        given: dict[ArrayExpr, Array] = dict(zip(self._formulas.deciding, deciding, strict=True))
        make = functools.partial(
            SparseProgram, self._formulas, self._aux.formulas, self._leaves, given
        )
        programs = _Programs(deciding, make)
        with self._lock:
            self._programs.append(programs)
            del self._programs[:-_MAX_PROGRAMS]
        return programs


class _Programs:
    """The programs for one choice of the values of indices.

    Attributes
    ----------
    deciding : list of ndarray
        These values.
    """

    def __init__(self, deciding: list[Array], make: Callable[..., SparseProgram]) -> None:
        self.deciding = deciding
        self.first = make()
        self._make = make
        self._careful: SparseProgram | None = None

    def run(self, values: Sequence[Array]) -> tuple[list[list[Any]], list[Array]]:
        found = self.first.run(values)
        if not any(_has_nan(x.data) for row in found[0] for x in row):
            return found
        if self._careful is None:
            self._careful = self._make(careful=True)
        return self._careful.run(values)


def _has_nan(x: Array) -> bool:
    return bool(np.isnan(np.dot(x, x)))  # squares, of which no two cancel


class _Beside:
    """What a function returns beside its result: formulas, and constants."""

    def __init__(self, aux: Any) -> None:
        self._leaves, self._tree = flattened(aux)
        self.formulas = [x for x in self._leaves if isinstance(x, ArrayExpr)]

    def build(self, values: Sequence[Array]) -> Any:
        found = iter(values)
        return self._tree.build(
            [next(found)[()] if isinstance(x, ArrayExpr) else x for x in self._leaves]
        )


def _formulas(made: Any, name: str) -> tuple[list[Any], Tree]:
    ys, tree = flattened(made)
    for y in ys:
        if not isinstance(y, ArrayExpr):
            raise RuntimeError(
                f"{name}: expected f(*args) to return only tensors, got unsupported type "
                f"{type_name(y)}"
            )
    return ys, tree


def _check_real(found: Sequence[ArrayExpr], what: str, name: str) -> None:
    for x in found:
        if x.dtype.is_complex:
            raise RuntimeError(
                f"{name}(sparse=True) takes functions of real arrays, and {what} is "
                f"{x.dtype.name}; leave sparse=True out"
            )
