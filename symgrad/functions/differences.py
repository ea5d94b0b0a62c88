"""Differences, slopes and integrals of samples along an axis, as formulas of public functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgrad.expr.dtypes import bool_
from symgrad.expr.shapes import canonical_axes, canonical_axis
from symgrad.functions.joining import _cat_function
from symgrad.ops.arithmetic import div, mul
from symgrad.ops.primitive import bind
from symgrad.record.face import Face
from symgrad.schema.public import public
from symgrad.schema.text import NOT_GIVEN

# PyTorch writes these in C++, where a number is no tensor.
_TIMES_NUMBER, _BY_NUMBER = Face(name="MulBackward1"), Face(name="DivBackward1")


def _times(x: Any, number: Any) -> Any:
    return bind(mul, (x, number), face=_TIMES_NUMBER)


def _divided(x: Any, number: Any) -> Any:
    return bind(div, (x, number), face=_BY_NUMBER)


def _between(x: Any, axis: int, start: int, stop: int) -> Any:
    """Return the elements from `start` up to but without `stop`, negative ones from the end."""
    size = x.shape[axis]
    first, last = [n + size if n < 0 else n for n in (start, stop)]
    return x.narrow(axis, first, last - first)


def _steps(x: Any, axis: int) -> Any:
    """Return the difference of each element and the next one."""
    size = x.shape[axis]
    after, before = _between(x, axis, 1, size), _between(x, axis, 0, size - 1)
    return after.logical_xor(before) if x.dtype is bool_ else after - before


@public(
    "diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None, *, Tensor? out=None) -> Tensor"
)
def _diff(input: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Return the difference of each element along `dim` and the next one, `n` times over.

    Parameters
    ----------
    n : int
        How often.
    dim : int
        The axis.
    prepend, append : Tensor or ArrayExpr, optional
        What stands before and behind the elements.

    Raises
    ------
    RuntimeError
        If there is no axis, `n` is negative, or the shapes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1, 4, 9, 16])
    >>> torch.diff(x)
    tensor([3, 5, 7])
    >>> torch.diff(x, n=2)
    tensor([2, 2])
    >>> torch.diff(x, prepend=torch.tensor([0]))
    tensor([1, 3, 5, 7])
    """
    rank = len(input.shape)
    if not rank:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    axis = canonical_axis(dim, rank)
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    for x in (prepend, append):
        if x is None:
            continue
        if len(x.shape) != rank:
            raise RuntimeError("diff expects prepend or append to be the same dimension as input")
        for a in range(rank):
            if a != axis and x.shape[a] != input.shape[a]:
                raise RuntimeError(
                    "diff expects the shape of tensor to prepend or append to match that of input "
                    f"except along the differencing dimension; input.size({a}) = {input.shape[a]}, "
                    f"but got tensor.size({a}) = {x.shape[a]}"
                )
    if not n:
        return input.clone()
    parts = [x for x in (prepend, input, append) if x is not None]
    found = _cat_function(parts, axis) if len(parts) > 1 else input
    for _ in range(min(n, found.shape[axis])):
        found = _steps(found, axis)
    return found


# ------------------------------------------------------------------ slopes


def _ends(x: Any, axis: int, edge_order: int, steps: Any) -> tuple[Any, Any]:
    """Return the slopes at both ends; `steps` is a number, or the distances of the places."""

    def at(i: int) -> Any:
        return _between(x, axis, i, i + 1) if i >= 0 else x.narrow(axis, x.shape[axis] + i, 1)

    if isinstance(steps, (int, float)):
        if edge_order == 1:
            return _divided(at(1) - at(0), steps), _divided(at(-1) - at(-2), steps)
        first = _times(at(0), -1.5) + _times(at(1), 2) + _times(at(2), -0.5)
        last = _times(at(-3), 0.5) + _times(at(-2), -2) + _times(at(-1), 1.5)
        return _divided(first, steps), _divided(last, steps)
    if edge_order == 1:
        return (at(1) - at(0)) / steps[0], (at(-1) - at(-2)) / steps[-1]
    near, far = steps[0], steps[1]
    first = _three_points(near, far, at(0), at(1), at(2))
    near, far = steps[-1], steps[-2]
    return first, -_three_points(near, far, at(-1), at(-2), at(-3))


def _three_points(near: Any, far: Any, end: Any, next_one: Any, third: Any) -> Any:
    """Return the slope at an end of the parabola through three points, looking away from the end."""
    both = near + far
    return (
        end * (-(near + both) / (near * both))
        + next_one * (both / (near * far))
        + third * (-near / (far * both))
    )


def _slope(x: Any, axis: int, spacing: Any, edge_order: int) -> Any:
    """Return the slope along an axis: at each place that of a parabola through its neighbours."""
    size = x.shape[axis]
    before, here, after = [_between(x, axis, i, size - 2 + i) for i in range(3)]
    if isinstance(spacing, (int, float)):
        steps: Any = spacing
        inner = _divided(after - before, 2 * spacing)
    else:
        steps = _steps(spacing, 0)
        count = steps.shape[0]
        along = (-1,) + (1,) * (len(x.shape) - axis - 1)
        low, high = [_between(steps, 0, i, count - 1 + i).reshape(along) for i in range(2)]
        inner = (
            before * (-high / (low * (low + high)))
            + here * ((high - low) / (low * high))
            + after * (low / (high * (low + high)))
        )
    first, last = _ends(x, axis, edge_order, steps)
    return _cat_function([first, inner, last], axis)


@public(
    "gradient(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]",
    "gradient(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1) -> Tensor[]",
    "gradient(Tensor self, *, Scalar? spacing=None, int? dim=None, int edge_order=1) -> Tensor[]",
    "gradient(Tensor self, *, Scalar[] spacing, int? dim=None, int edge_order=1) -> Tensor[]",
    "gradient(Tensor self, *, Scalar[] spacing, int[] dim, int edge_order=1) -> Tensor[]",
    "gradient(Tensor self, *, Tensor[] spacing, int? dim=None, int edge_order=1) -> Tensor[]",
    "gradient(Tensor self, *, Tensor[] spacing, int[] dim, int edge_order=1) -> Tensor[]",
    method=False,
)
def _gradient(input: Any, *, spacing: Any = None, dim: Any = None, edge_order: int = 1) -> Any:
    """Return the slopes of samples along each axis, by differences of second order.

    Parameters
    ----------
    spacing : number, sequence of numbers, or sequence of Tensor, optional
        How far samples are apart, by default 1; one number for each axis, or for each axis a vector
        of the places where they are taken.
    dim : int or sequence of int, optional
        The axes; all of them where not given.
    edge_order : int
        Whether slopes at both ends are differences of the 1st order, or of the 2nd.

    Returns
    -------
    tuple of Tensor or ArrayExpr
        The slope along each of the axes.

    Raises
    ------
    RuntimeError
        If there are too few samples, or `spacing` does not fit the axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([0.0, 1.0, 4.0, 9.0])
    >>> torch.gradient(x)
    (tensor([1., 2., 4., 5.]),)
    >>> torch.gradient(x, edge_order=2)
    (tensor([0., 2., 4., 6.]),)
    """
    rank = len(input.shape)
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    if dim is None:
        axes: Sequence[int] = range(rank)
    else:
        axes = [canonical_axis(a, rank) for a in ([dim] if isinstance(dim, int) else dim)]
        if len(set(axes)) < len(axes):
            canonical_axes(axes, rank)  # raises
    if isinstance(spacing, (list, tuple)):
        if len(spacing) != len(axes):
            raise RuntimeError(
                "torch.gradient expected spacing to be unspecified, a scalar, or a list of length "
                f"equal to 'self.dim() = {rank}', since dim argument was not given, but got a list "
                f"of length {len(spacing)}"
                if dim is None
                else "torch.gradient expected spacing to be unspecified, a scalar or it's spacing "
                f"and dim arguments to have the same length, but got a spacing argument of length "
                f"{len(spacing)} and a dim argument of length {len(axes)}."
            )
    else:
        spacing = [1 if spacing is None else spacing] * len(axes)
    for a, step in zip(axes, spacing, strict=True):
        if input.shape[a] < edge_order + 1:
            raise RuntimeError(
                "torch.gradient expected each dimension size to be at least edge_order+1"
            )
        if isinstance(step, (int, float)):
            continue
        if len(step.shape) != 1:
            raise RuntimeError(
                "torch.gradient expected each element of spacing to have one dimension, but got an "
                f"element with {len(step.shape)} dimensions!"
            )
        if step.shape[0] != input.shape[a]:
            raise RuntimeError(
                "torch.gradient expected a place for each sample in each element of spacing, but "
                f"got {step.shape[0]} places for {input.shape[a]} samples"
            )
    return tuple([_slope(input, a, h, edge_order) for a, h in zip(axes, spacing, strict=True)])


# ------------------------------------------------------------------ integrals


def _refuse_bools(call: str, y: Any, x: Any) -> None:
    if x is NOT_GIVEN and y.dtype is bool_:
        raise RuntimeError(f"{call}: received a bool input for `y`, but bool is not supported")
    if x is not NOT_GIVEN and bool_ in (x.dtype, y.dtype):
        raise RuntimeError(
            f"{call}: received a bool input for `x` or `y`, but bool is not supported"
        )


def _axis_of_samples(y: Any, x: Any, dim: int) -> int:
    rank = len(y.shape)
    if not rank:
        raise IndexError(
            f"Dimension specified as {dim if x is NOT_GIVEN else 0} but tensor has no dimensions"
        )
    return canonical_axis(dim, rank)


def _check_step(call: str, dx: Any) -> None:
    if isinstance(dx, complex):
        raise RuntimeError(f"{call}: Currently, we only support dx as a real number.")


def _widths(call: str, y: Any, x: Any, axis: int) -> Any:
    """Return the distances of the places `x`, along the axis of the samples `y`."""
    rank, count = len(y.shape), y.shape[axis]
    if len(x.shape) == 1:
        if x.shape[0] != count:
            raise RuntimeError(f"{call}: There must be one `x` value for each sample point")
        x = x.reshape((1,) * axis + (-1,) + (1,) * (rank - axis - 1))
    elif len(x.shape) < rank:
        x = x.reshape((1,) * (rank - len(x.shape)) + tuple(x.shape))
    return _steps(x, axis)


def _pairs(y: Any, axis: int) -> Any:
    """Return the sum of each element and the next one."""
    count = y.shape[axis]
    return _between(y, axis, 0, count - 1) + _between(y, axis, 1, count)


@public(
    "trapezoid(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
    "trapezoid(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
    method=False,
)
def _trapezoid(y: Any, x: Any = NOT_GIVEN, *, dx: Any = 1, dim: int = -1) -> Any:
    """Return the integral of samples along `dim` by the trapezoidal rule.

    Parameters
    ----------
    y : Tensor or ArrayExpr
        The samples.
    x : Tensor or ArrayExpr, optional
        Where they are taken: a place for each along `dim`, or what broadcasts to `y`.
    dx : number, optional
        How far apart they are taken, where `x` is not given.

    Raises
    ------
    RuntimeError
        If `y` or `x` holds bools, or a vector `x` does not have a place for each sample.

    Examples
    --------
    >>> import symgrad as torch
    >>> y = torch.tensor([1.0, 5.0, 10.0])
    >>> torch.trapezoid(y)
    tensor(10.5000)
    >>> torch.trapezoid(y, torch.tensor([1.0, 3.0, 6.0]))
    tensor(28.5000)
    """
    axis = _axis_of_samples(y, x, dim)
    if not y.shape[axis]:
        return y.detach().sum(axis, dtype=y.dtype)
    _refuse_bools("trapezoid", y, x)
    if x is NOT_GIVEN:
        _check_step("trapezoid", dx)
        ends = _times(y.select(axis, 0) + y.select(axis, -1), 0.5)
        return _times(y.sum(axis) - ends, dx)
    areas = (_pairs(y, axis) * _widths("trapezoid", y, x, axis)).sum(axis)
    return _divided(areas, 2)


public(
    "trapz(Tensor y, *, float dx=1, int dim=-1) -> Tensor",
    "trapz(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
    method=False,
)(_trapezoid)


@public(
    "cumulative_trapezoid(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
    "cumulative_trapezoid(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
    method=False,
)
def _cumulative_trapezoid(y: Any, x: Any = NOT_GIVEN, *, dx: Any = 1, dim: int = -1) -> Any:
    """Return the integral of samples up to each place but the first, by the trapezoidal rule.

    Parameters
    ----------
    y : Tensor or ArrayExpr
        The samples.
    x : Tensor or ArrayExpr, optional
        Where they are taken, as in `trapezoid`.
    dx : number, optional
        How far apart they are taken, where `x` is not given.

    Raises
    ------
    RuntimeError
        If `y` or `x` holds bools, or a vector `x` does not have a place for each sample.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.cumulative_trapezoid(torch.tensor([1.0, 5.0, 10.0]))
    tensor([ 3.0000, 10.5000])
    """
    axis = _axis_of_samples(y, x, dim)
    _refuse_bools("cumulative_trapezoid", y, x)
    if not y.shape[axis]:
        return _between(y, axis, 0, 0).cumsum(axis)
    if x is NOT_GIVEN:
        _check_step("cumulative_trapezoid", dx)
        return _times(_pairs(y, axis), dx / 2).cumsum(axis)
    areas = (_pairs(y, axis) * _widths("cumulative_trapezoid", y, x, axis)).cumsum(axis)
    return _divided(areas, 2)
