"""Laws of operations with several results, for every primitive that has some."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad
from numeric.kernel import Kernel
from numeric.program import Instr, Program
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import Leaf, as_expr
from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.lower.program import lower
from symgrad.ops.primitive import PRIMITIVES, bind
from symgrad.ops.results import Result, Several
from symgrad.ops.slicing import Pieces
from tests.autograd.support import latest_plan
from tests.each import each
from tests.ops.test_laws import difference, run, spread

Array = np.ndarray[Any, Any]

SEVERAL = {
    name: cls
    for name, cls in PRIMITIVES.items()
    if issubclass(cls, Several) and cls.__module__.startswith("symgrad.")
}
#: Pieces are parts of the array in formulas: there is nothing that computes them together.
COMPUTED = {name: cls for name, cls in SEVERAL.items() if not issubclass(cls, Pieces)}
#: Those that PyTorch has a derivative of.
DERIVED = {
    name: cls for name, cls in SEVERAL.items() if not cls(*cls.samples[0]).missing_derivative()
}


def _cases(names: Collection[str]) -> list[Any]:
    return [
        pytest.param(cls, args, id=f"{name}-{i}")
        for name, cls in SEVERAL.items()
        if name in names
        for i, args in enumerate(cls.samples)
    ]


def _along(x: Array, axis: int, choose: Callable[[Array], int]) -> tuple[Array, Array]:
    """The element along an axis that stands where `choose` says of each line, and where."""
    places = np.apply_along_axis(choose, axis, x) if x.ndim else np.array(0)
    if not x.ndim:
        return x, places
    return np.take_along_axis(x, np.expand_dims(places, axis), axis).squeeze(axis), places


def _kept(results: Sequence[Array], axis: int, keepdims: bool) -> Sequence[Array]:
    return [np.expand_dims(y, axis) if keepdims and y.ndim else y for y in results]


def _sorted(x: Array, axis: int, descending: bool, k: int | None = None) -> Iterator[Array]:
    if not x.ndim:
        return iter((x, np.array(0)))
    lines = np.moveaxis(x, axis, -1)
    places = np.empty(lines.shape, np.int64)
    for at in np.ndindex(*lines.shape[:-1]):
        line = (lines[at] * (-1 if descending else 1)).tolist()
        places[at] = sorted(range(len(line)), key=line.__getitem__)
    places = np.moveaxis(places[..., :k], -1, axis)
    return iter((np.take_along_axis(x, places, axis), places))


def _so_far(x: Array, axis: int, extreme: Callable[..., Any]) -> Iterator[Array]:
    if not x.ndim:
        return iter((x, np.array(0)))
    lines = np.moveaxis(x, axis, -1)
    values, places = np.empty_like(lines), np.empty(lines.shape, np.int64)
    for at in np.ndindex(*lines.shape):
        seen = lines[at[:-1]][: at[-1] + 1].tolist()
        values[at] = extreme(seen)
        places[at] = max(i for i, v in enumerate(seen) if v == extreme(seen))
    return iter((np.moveaxis(values, -1, axis), np.moveaxis(places, -1, axis)))


def _by_eigenvectors(x: Array) -> list[Array]:
    """The parts of `x`, of full rank, by the eigenvectors of its squares, with NumPy's signs."""
    if x.shape[-2] < x.shape[-1]:
        v, s, uh = _by_eigenvectors(x.swapaxes(-1, -2))
        u, vh = uh.swapaxes(-1, -2), v.swapaxes(-1, -2)
    else:
        squares, v = np.linalg.eigh(x.swapaxes(-1, -2) @ x)
        s, v = np.sqrt(squares[..., ::-1]), v[..., ::-1]
        u, vh = x @ v / s[..., None, :], v.swapaxes(-1, -2)
    signs = np.sign(np.sum(u * np.linalg.svd(x, full_matrices=False)[0], -2))
    return [u * signs[..., None, :], s, vh * signs[..., :, None]]


def _by_rotations(x: Array) -> list[Array]:
    """The eigenvalues and the eigenvectors by Jacobi's rotations."""
    w, v = x.copy(), np.broadcast_to(np.eye(x.shape[-1]), x.shape).copy()
    for place in np.ndindex(x.shape[:-2]):
        for p, q in 10 * list(itertools.combinations(range(x.shape[-1]), 2)):
            a = w[place]
            angle = np.arctan2(2 * a[p, q], a[q, q] - a[p, p]) / 2
            turn = np.eye(len(a))
            turn[[p, q], [p, q]], turn[p, q], turn[q, p] = (
                np.cos(angle),
                np.sin(angle),
                -np.sin(angle),
            )
            w[place], v[place] = turn.T @ a @ turn, v[place] @ turn
    values = w.diagonal(0, -2, -1)
    order = np.argsort(values, -1)
    v = np.take_along_axis(v, order[..., None, :], -1)
    signs = np.sign(np.sum(v * np.linalg.eigh(x)[1], -2))
    return [np.take_along_axis(values, order, -1), v * signs[..., None, :]]


def _by_powers(x: Array) -> list[Array]:
    """The eigenvalues as roots of the characteristic polynomial, the vectors as kernels."""
    n = x.shape[-1]
    w, v = np.empty(x.shape[:-1], complex), np.empty(x.shape, complex)
    for place in np.ndindex(x.shape[:-2]):
        roots = np.roots(np.poly(x[place]))
        order = [int(np.argmin(abs(roots - y))) for y in np.linalg.eigvals(x[place])]
        w[place] = roots[order]
        for k in range(n):
            u = np.linalg.svd(x[place] - w[place][k] * np.eye(n))[2][-1].conj()
            v[place][:, k] = u * abs(u[0]) / u[0]
    return [w, v]


def _by_steps(x: Array) -> list[Array]:
    """Elimination, row after row."""
    made, k = x.copy(), min(x.shape[-2:])
    pivots = np.zeros((*x.shape[:-2], k), np.int32)
    for place in np.ndindex(x.shape[:-2]):
        a = made[place]
        for i in range(k):
            p = i + int(np.argmax(abs(a[i:, i])))
            a[[i, p]], pivots[(*place, i)] = a[[p, i]], p + 1
            a[i + 1 :, i] /= a[i, i]
            a[i + 1 :, i + 1 :] -= np.outer(a[i + 1 :, i], a[i, i + 1 :])
    return [made, pivots, np.zeros(x.shape[:-2], np.int32)]


def _by_blocks(x: Array, hermitian: bool) -> list[Array]:
    """Elimination of real symmetric matrices by Bunch and Kaufman, one or two columns at a time."""
    n, alpha = x.shape[-1], (1 + 17**0.5) / 8
    made = np.tril(x) + np.tril(x, -1).swapaxes(-1, -2)
    pivots = np.zeros(x.shape[:-1], np.int32)
    for place in np.ndindex(x.shape[:-2]):
        a, k = made[place], 0
        while k < n:
            size, row, below = 1, k, abs(a[k + 1 :, k])
            if abs(a[k, k]) < alpha * max(below, default=0):
                far = k + 1 + int(np.argmax(below))
                across = max(np.delete(abs(a[k:, far]), far - k))
                if abs(a[k, k]) * across < alpha * max(below) ** 2:
                    size, row = 1 if abs(a[far, far]) >= alpha * across else 2, far
            end = k + size
            rest = a[k:, k:]
            rest[[end - 1 - k, row - k]] = rest[[row - k, end - 1 - k]]
            rest[:, [end - 1 - k, row - k]] = rest[:, [row - k, end - 1 - k]]
            factors = np.linalg.solve(a[k:end, k:end], a[end:, k:end].T).T
            a[end:, end:] -= factors @ a[end:, k:end].T
            a[end:, k:end] = factors
            pivots[place][k:end] = row + 1 if size == 1 else -row - 1
            k = end
    return [np.tril(made), pivots, np.zeros(x.shape[:-2], np.int32)]


def _by_projections(x: Array) -> list[Array]:
    """Orthonormal columns by Gram and Schmidt, with the signs of LAPACK's."""
    k = min(x.shape[-2:])
    q = np.zeros((*x.shape[:-1], k))
    for i in range(k):
        for _ in range(2):
            rest = x[..., i] if not _ else q[..., i]
            rest = rest - (q[..., :i] @ (q[..., :i].swapaxes(-1, -2) @ rest[..., None]))[..., 0]
            q[..., i] = rest / np.linalg.norm(rest, axis=-1, keepdims=True)
    q = q * np.sign(np.sum(q * np.linalg.qr(x)[0], -2, keepdims=True))
    return [q, np.triu(q.swapaxes(-1, -2) @ x)]


def _most_often(line: Array) -> int:
    values = line.tolist()
    return max(range(len(values)), key=lambda i: (values.count(values[i]), -values[i], i))


def _middle(line: Array) -> int:
    return int(np.argsort(line, kind="stable")[(len(line) - 1) // 2])


def _of_windows(x: Array, ways: Sequence[Sequence[int]]) -> Iterator[Array]:
    """The largest elements of windows that are written out, and where they stand in the plane."""
    rank = len(ways)
    lines, plane = [], x.shape[x.ndim - rank :]
    for n, way in zip(plane, ways, strict=True):
        if len(way) == 1:
            m = way[0]
            lines.append([range(i * n // m, -(-(i + 1) * n // m)) for i in range(m)])
        else:
            k, m, s, p, d = way
            windows = [range(i * s - p, i * s - p + k * d, d) for i in range(m)]
            lines.append([[j for j in window if 0 <= j < n] for window in windows])
    shape = (*x.shape[: x.ndim - rank], *map(len, lines))
    values, places = np.empty(shape), np.empty(shape, np.int64)
    for at in np.ndindex(*shape):
        one = x[at[: x.ndim - rank]]
        windows = [line[i] for line, i in zip(lines, at[x.ndim - rank :], strict=True)]
        best = max(itertools.product(*windows), key=lambda k: (one[k], [-i for i in k]))
        values[at], places[at] = one[best], np.ravel_multi_index(best, plane)
    return iter((values, places))


#: What each result is, by other means. Ties of `topk` and `kthvalue` go by PyTorch's algorithms: of
#: these results only what equal elements leave no choice of is looked at.
REFERENCE: dict[str, Callable[..., Any]] = {
    "max_dim": lambda x, axis, keep: _kept(_along(x, axis, np.argmax), axis, keep),
    "min_dim": lambda x, axis, keep: _kept(_along(x, axis, np.argmin), axis, keep),
    "median_dim": lambda x, axis, keep: _kept(_along(x, axis, _middle), axis, keep),
    "nanmedian_dim": lambda x, axis, keep: _kept(_along(x, axis, _middle), axis, keep),
    "mode": lambda x, axis, keep: _kept(_along(x, axis, _most_often), axis, keep),
    "frexp": np.frexp,
    "kthvalue": lambda x, axis, keep, k: _kept(
        _along(x, axis, lambda line: int(np.argsort(line, kind="stable")[k - 1])), axis, keep
    ),
    "max_pool": _of_windows,
    "adaptive_max_pool": lambda x, sizes: _of_windows(x, [(n,) for n in sizes]),
    "aminmax": lambda x, axis, keep: (
        np.amin(x, axis=axis, keepdims=keep), np.amax(x, axis=axis, keepdims=keep)
    ),
    "sort": _sorted,
    "topk": _sorted,
    "cummax": lambda x, axis: _so_far(x, axis, max),
    "cummin": lambda x, axis: _so_far(x, axis, min),
    "var_mean": lambda x, c, axis, keep: (
        np.var(x, axis=axis, keepdims=keep, ddof=c), np.mean(x, axis=axis, keepdims=keep)
    ),
    "std_mean": lambda x, c, axis, keep: (
        np.std(x, axis=axis, keepdims=keep, ddof=c), np.mean(x, axis=axis, keepdims=keep)
    ),
    "split": lambda x, size, axis: np.split(x, range(size, x.shape[axis], size), axis),
    "split_with_sizes": lambda x, sizes, axis: np.split(x, np.cumsum(sizes)[:-1], axis),
    "cholesky_ex": lambda x: (np.linalg.cholesky(x), np.zeros(x.shape[:-2], np.int32)),
    "solve_ex": lambda a, b: (
        np.linalg.solve(a, b if b.ndim == a.ndim else b[..., None]).reshape(b.shape),
        np.zeros(a.shape[:-2], np.int32),
    ),
    "eig": lambda x: _by_powers(x),
    "lu_factor_ex": lambda x: _by_steps(x),
    "ldl_factor_ex": lambda x, hermitian: _by_blocks(x, hermitian),
    "qr": lambda x: _by_projections(x),
    "eigh": lambda x: _by_rotations(x),
    "inv_ex": lambda x: (np.linalg.inv(x), np.zeros(x.shape[:-2], np.int32)),
    "slogdet": lambda x: (np.sign(np.linalg.det(x)), np.log(np.abs(np.linalg.det(x)))),
    "thin_svd": lambda x: _by_eigenvectors(x),
    "unbind": lambda x, axis: list(np.moveaxis(x, axis, 0)),
}  # fmt: skip


#: To how many digits other means give it, where that is less than all.
_DIGITS = {"slogdet": 1e-13, "eig": 1e-11, "eigh": 1e-12, "qr": 1e-13, "thin_svd": 1e-11}


def test_each_has_samples_and_a_reference() -> None:
    assert len(SEVERAL) >= 14
    assert SEVERAL.keys() == REFERENCE.keys()
    assert all(len(cls.samples) > 1 for cls in SEVERAL.values())


def _made(cls: type[Several], args: Sequence[Any]) -> tuple[Any, dict[ArrayExpr, Array]]:
    """The node of a sample on leaves, and their values."""
    split = len(args) - len(cls.params)
    values: dict[ArrayExpr, Array] = {}
    operands = []
    for i, x in enumerate(args[:split]):
        operands.append(as_expr(x))
        if isinstance(x, np.ndarray):
            operands[-1] = Leaf(f"x{i}", x.shape, from_numpy_dtype(x.dtype))
            values[operands[-1]] = x
    return cls(*operands, *args[split:]), values


def _names(values: dict[ArrayExpr, Array]) -> dict[ArrayExpr, str]:
    return {x: str(x) for x in values}


@each("cls, args", _cases(SEVERAL))
def test_each_result_is_what_other_means_give(cls: type[Several], args: Sequence[Any]) -> None:
    node, values = _made(cls, args)
    found = run(list(node), values)
    expected = list(REFERENCE[cls.__name__](*args))
    assert len(node) == len(found) == len(expected)
    tied = cls.__name__ in ("topk", "kthvalue") and len(np.unique(args[0])) < args[0].size
    for i, (got, wanted) in enumerate(zip(found, expected, strict=True)):
        assert got.shape == node.shapes[i] and got.dtype == node.dtypes[i].numpy
        if not (tied and i == 1):
            np.testing.assert_allclose(got, wanted, rtol=_DIGITS.get(cls.__name__, 1e-14))


@each("cls, args", _cases(SEVERAL))
def test_a_result_alone_is_the_same(cls: type[Several], args: Sequence[Any]) -> None:
    """Where one result is wanted it may be computed otherwise, to the same bits."""
    node, values = _made(cls, args)
    together = run(list(node), values)
    for i, result in enumerate(node):
        [alone] = run([result], values)
        assert alone.dtype == together[i].dtype
        assert alone.tobytes() == together[i].tobytes()


def _counted(program: Program) -> tuple[Program, list[str]]:
    """Return a program that notes the kernels that it calls."""
    calls: list[str] = []

    def noting(instr: Instr) -> Instr:
        kernel = instr.kernel

        def call(*data: Any, **params: Any) -> Any:
            calls.append(kernel.name)
            return kernel.call(*data, **params)

        return instr._replace(kernel=Kernel(kernel.name, call, kernel.source, kernel.prelude))

    instrs = tuple(map(noting, program.instrs))
    inputs, outputs = program.inputs, program.outputs
    return Program(program.name, inputs, program.constants, instrs, outputs, program.types), calls


@each("cls, args", _cases(COMPUTED))
def test_one_call_computes_all_results(cls: type[Several], args: Sequence[Any]) -> None:
    from numeric.compile import compile_program
    from numeric.interpret import interpret

    node, values = _made(cls, args)
    program = lower(list(node), _names(values))
    own = [i for i in program.instrs if i.kernel is node.implementation()[0]]
    assert [len(i.outs) for i in own] == [len(node)]
    given = [values[x] for x in values]
    for how in (interpret, lambda program, given: compile_program(program)(given)):
        noting, calls = _counted(program)
        assert len(how(noting, given)) == len(node)
        assert calls.count(own[0].kernel.name) == 1


def _own_kernels(node: Any) -> list[Kernel]:
    """Return what computes the results, but for means: PyTorch keeps none and takes them anew."""
    stated = [x for cls in type(node).__mro__ for x in vars(cls).values()]
    return [node.implementation()[0], *[x for x in stated if isinstance(x, Kernel)]]


def _weighted(results: Sequence[Any]) -> tuple[list[int], list[Array]]:
    """Return which results have a derivative, and a cotangent for each of these."""
    moving = [i for i, y in enumerate(results) if y.dtype.differentiable]
    return moving, [spread(tuple(results[i].shape), results[i].dtype, 3 + i) for i in moving]


@each("cls, args", _cases(COMPUTED.keys() & DERIVED.keys()))
def test_a_gradient_computes_no_result_again(cls: type[Several], args: Sequence[Any]) -> None:
    """The derivative of what was recorded reads the results that it needs."""
    split = len(args) - len(cls.params)
    operands = [
        symgrad.tensor(x.copy(), requires_grad=True) if isinstance(x, np.ndarray) else x
        for x in args[:split]
    ]
    results = bind(cls, operands, tuple(args[split:]))
    moving, weights = _weighted(results)
    assert len({results[i].grad_fn for i in moving}) == 1
    total: Any = 0
    for i, w in zip(moving, weights, strict=True):
        part = (results[i] * symgrad.tensor(w)).sum()
        total = total + (part.real if part.is_complex() else part)
    symgrad.autograd.cache_clear()
    total.backward()
    kernels = {instr.kernel for instr in latest_plan().program.instrs}
    assert kernels.isdisjoint(_own_kernels(_made(cls, args)[0]))


@each("cls, args", _cases(COMPUTED.keys() & DERIVED.keys()))
def test_results_that_nothing_reads_cost_nothing(cls: type[Several], args: Sequence[Any]) -> None:
    """A cotangent that is not there is no array of zeros: the formula is that of the others."""
    node, values = _made(cls, args)
    leaves = [x for x in values if x.dtype.differentiable]
    results = list(node)
    moving = [i for i, y in enumerate(results) if y.dtype.differentiable]
    for i in moving:
        ct = Leaf("ct", results[i].shape, results[i].dtype)
        cts = [ct if k == i else None for k in range(len(results))]
        absent = vjp(results, cts, leaves)
        assert absent == vjp([results[i]], [ct], leaves)  # the same nodes
        known = {**_names(values), ct: "ct", **{y: f"y{k}" for k, y in enumerate(results)}}
        program = lower([g for g in absent if g is not None], known)
        assert {x.kernel for x in program.instrs}.isdisjoint(_own_kernels(node))
        given = {label for _, label in program.inputs}
        others = {f"y{k}" for k in moving if k != i}
        # Singular vectors turn by the gaps between values, and values by the vectors.
        assert given.isdisjoint(others) == (cls.__name__ not in ("eig", "eigh", "qr", "thin_svd"))


@each("cls, args", _cases(DERIVED))
def test_derivatives_of_all_results_against_differences(
    cls: type[Several], args: Sequence[Any]
) -> None:
    """First and second, where every result counts."""
    node, values = _made(cls, args)
    values = {
        x: v + 3e-3 * spread(v.shape, x.dtype, 20 + i) for i, (x, v) in enumerate(values.items())
    }
    results = list(node)
    moving, weights = _weighted(results)
    chosen = [results[i] ** 2 for i in moving]

    def total(x: ArrayExpr, v: Array) -> float:
        found = run(chosen, {**values, x: v})
        return float(sum(np.vdot(w, y).real for w, y in zip(weights, found, strict=True)))

    for x in [x for x in values if x.dtype.differentiable]:
        (first,) = vjp(chosen, [as_expr(w) for w in weights], [x])
        assert first is not None
        direction = spread(x.shape, x.dtype, 40)
        [g] = run([first], values)
        value, error = difference(functools.partial(total, x), values[x], direction)
        assert np.sum(g * direction) == pytest.approx(value, rel=2e-6, abs=2e-8 + error)
        other = spread(x.shape, x.dtype, 41)
        (second,) = vjp([first], [as_expr(direction)], [x])
        got = 0.0 if second is None else float(np.sum(run([second], values)[0] * other))
        value, error = difference(
            lambda v, x=x, first=first, direction=direction: float(
                np.sum(run([first], {**values, x: v})[0] * direction)
            ),
            values[x],
            other,
        )
        assert got == pytest.approx(value, rel=2e-6, abs=2e-8 + error)


@each("cls, args", _cases(COMPUTED))
def test_what_has_several_results_is_no_array(cls: type[Several], args: Sequence[Any]) -> None:
    node, _ = _made(cls, args)
    uses: list[Callable[[], Any]] = [
        lambda: node + 1,
        lambda: node.sin(),
        lambda: symgrad.exp(node),
        lambda: node.shape,
    ]
    for use in uses:
        with pytest.raises(AttributeError, match=rf"has {len(node)} results and is no array"):
            use()
    with pytest.raises(TypeError, match="one of several"):
        Result(Leaf("x"), 0)
    with pytest.raises(IndexError):
        node[len(node)]
    assert node.func(*node.args) is node
    assert all(y.func(*y.args) is y and y.operands == (node,) for y in node)
    assert node[:2] == tuple(node)[:2]
    assert [x for x in toposort(list(node)) if isinstance(x, Several)] == [node]


@each("cls, args", _cases(SEVERAL))
def test_results_are_written_beside_others(cls: type[Several], args: Sequence[Any]) -> None:
    """A result is a factor and a term as any array is, in text and in LaTeX."""
    node, _ = _made(cls, args)
    for y in node:
        if y.dtype.differentiable:
            v = Leaf("v", y.shape or (2,))
            for made in (y * v, v * y, v - y / 2, -y * (v + 1)):
                assert str(y) in str(made)
                assert sympy.latex(y) in sympy.latex(made)


@pytest.mark.parametrize("count", [1, 3, 400])
def test_slices_have_one_node_and_views(count: int) -> None:
    x = symgrad.tensor(np.arange(2.0 * count).reshape(count, 2), requires_grad=True)
    y = x * 1
    rows = y.unbind()
    assert len({id(row.grad_fn) for row in rows}) == 1
    assert [row.output_nr for row in rows] == list(range(count))
    assert all(row._base is y and np.shares_memory(row._data, y._data) for row in rows)
    rows[-1].sum().backward()
    expected = np.zeros((count, 2))
    expected[-1] = 1
    np.testing.assert_array_equal(x.grad.numpy(), expected)
