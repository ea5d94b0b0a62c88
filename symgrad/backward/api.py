"""`backward` and `grad`: PyTorch's arguments, defaults and errors around the engine."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from symgrad.backward.accumulate import accumulate
from symgrad.backward.advice import advice_on_cut, advice_on_unused
from symgrad.backward.edges import GradientEdge, vertex_at, vertex_of
from symgrad.backward.engine import compute_gradients
from symgrad.backward.running import Found
from symgrad.backward.walking import walk
from symgrad.expr.node import ArrayExpr, refusal_of
from symgrad.expr.shapes import Shape
from symgrad.record.modes import recording, state
from symgrad.record.record import Recorded, wrap, zeros
from symgrad.record.tape import Node
from symgrad.schema.dispatch import overridable
from symgrad.support.untraceable import UntraceableValue

_IN_TRANSFORM = (
    "backward() called inside a functorch transform. This is not supported, please use "
    "functorch.grad or functorch.vjp instead or call backward() outside of functorch transforms."
)


@overridable("torch.autograd.backward")
def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Compute the sum of gradients of `tensors` and accumulate it into leaves.

    Parameters
    ----------
    tensors : Tensor, GradientEdge or sequence of these
        What is differentiated.
    grad_tensors : Tensor, None or sequence of these, optional
        The cotangent of each of `tensors`, of its shape. None stands for one, and is allowed where
        a tensor has a single element.
    retain_graph : bool, optional
        Keep the saved values for another pass; by default the value of `create_graph`.
    create_graph : bool
        Record the gradients themselves, so that they can be differentiated again.
    grad_variables : deprecated
        The former name of `grad_tensors`.
    inputs : Tensor, GradientEdge or sequence of these, optional
        Accumulate into just these, leaves or not.

    Raises
    ------
    RuntimeError
        If a tensor does not require a gradient, a cotangent is missing or has another shape, or
        the graph has been freed. No `.grad` is changed then.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.tensor([1.0, 2.0], requires_grad=True)
    >>> symgrad.autograd.backward((x * x).sum())
    >>> x.grad
    tensor([2., 4.])
    """
    if state.state.batching is not None:
        state.state.batching.refuse(_IN_TRANSFORM)
    if grad_variables is not None:
        grad_tensors = _renamed(grad_variables, grad_tensors)
    if inputs is not None:
        inputs = _as_inputs(inputs, "backward")
    roots = (tensors,) if isinstance(tensors, (*_PLACES, ArrayExpr)) else tuple(tensors)
    given = _as_tuple(grad_tensors, len(roots))
    cotangents = _cotangents(roots, given, batched=False)
    create, retain = _flags(create_graph, retain_graph)
    _check_roots(roots)
    targets: list[Any] | None = None
    if inputs is not None:
        _check_inputs(inputs)
        if any(isinstance(x, Recorded) and not x._rg for x in inputs):
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        targets = list(dict.fromkeys(_vertex(x) for x in inputs))
    found = compute_gradients(
        [_vertex(x) for x in roots], cotangents, targets, retain, create, accumulates=True
    )
    if inputs is not None:
        for x in inputs:
            if not isinstance(x, GradientEdge) and x._node() is not None:
                x.retain_grad()
    accumulate(found, create)


@overridable("torch.autograd.grad")
def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """Compute and return the sum of gradients of `outputs` with respect to `inputs`.

    Parameters
    ----------
    outputs : Tensor, GradientEdge or sequence of these
        What is differentiated.
    inputs : Tensor, GradientEdge, or sequence or dict of these
        With respect to what, leaves or not. Their `.grad` stays as it is.
    grad_outputs : Tensor, None or sequence of these, optional
        The cotangent of each output; None stands for one.
    retain_graph, create_graph : bool, optional
        As in `backward`.
    only_inputs : deprecated
        Has no effect.
    allow_unused : bool, optional
        Return None for an input that was not used, instead of raising.
    is_grads_batched : bool
        Read the first axis of each cotangent as a batch: the gradients get it too.
    materialize_grads : bool
        Return zeros instead of None.

    Returns
    -------
    tuple of Tensor or None
        One for each input; a dict with the same keys where `inputs` is one.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.tensor(3.0, requires_grad=True)
    >>> (slope,) = symgrad.autograd.grad(x**3, x, create_graph=True)
    >>> symgrad.autograd.grad(slope, x)
    (tensor(18.),)
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    allow_unused = bool(operator.index(materialize_grads if allow_unused is None else allow_unused))
    roots = (outputs,) if isinstance(outputs, (*_PLACES, ArrayExpr)) else _listed(outputs)
    wanted = _as_inputs(inputs, "grad")
    given = _as_tuple(grad_outputs, len(roots))
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To "
            "accumulate gradient for other parts of the graph, please use torch.autograd.backward.",
            FutureWarning,
            stacklevel=3,
        )
    cotangents = _cotangents(roots, given, batched=is_grads_batched)
    create, retain = _flags(create_graph, retain_graph)
    _check_roots(roots)
    _check_wanted(wanted, materialize_grads)
    size = _batch_size(cotangents) if is_grads_batched else None
    found = compute_gradients(
        [_vertex(x) for x in roots],
        cotangents,
        [_vertex(x) for x in wanted],
        retain,
        create,
        unused=None if allow_unused else lambda i: _refuse_unused(i, wanted[i], roots),
        batch=size,
    )
    accumulate(found.retained(len(wanted)), create)
    results = found.gradients[: len(wanted)]
    if size is None:
        accumulate(_retained(found, len(wanted), create), create)
    if materialize_grads:
        results = [
            zeros(_batched(size, x.shape), x._aval.dtype, requires_grad=create) if g is None else g
            for g, x in zip(results, wanted, strict=True)
        ]
    return dict(zip(inputs, results, strict=True)) if type(inputs) is dict else tuple(results)


def _renamed(grad_variables: Any, grad_tensors: Any) -> Any:
    """Return what was given under the former name of `grad_tensors`, with PyTorch's warning."""
    warnings.warn(
        "`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=4
    )
    if grad_tensors is not None:
        raise RuntimeError(
            "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to "
            "`backward()`. Please only use `grad_tensors`."
        )
    return grad_variables


def _flags(create_graph: Any, retain_graph: Any) -> tuple[bool, bool]:
    """Return whether the gradients are recorded, and whether saved values are kept."""
    create = bool(operator.index(create_graph))
    return create, create if retain_graph is None else bool(operator.index(retain_graph))


#: What stands for a place in the graph.
_PLACES = (Recorded, GradientEdge)


def _listed(given: Any) -> tuple[Any, ...]:
    if not hasattr(type(given), "__iter__") or isinstance(given, type):
        raise TypeError(f"'{type(given).__name__}' object is not iterable")
    return tuple(given)


def _as_inputs(inputs: Any, name: str) -> tuple[Any, ...]:
    if isinstance(inputs, (*_PLACES, ArrayExpr)):
        return (inputs,)
    if isinstance(inputs, Mapping):
        if type(inputs) is not dict:
            raise TypeError(
                f"`inputs` argument to `{name}()` must be a dict, not {type(inputs).__name__}. "
                "Other Mapping types are not supported."
            )
        inputs = inputs.values()
    given = _listed(inputs)
    if not given:
        raise RuntimeError(f"`inputs` argument to `{name}()` cannot be empty.")
    return given


def _refuse_unused(index: int, x: Any, roots: Sequence[Any]) -> None:
    raise RuntimeError(
        f"The differentiated Tensor at index {index} appears to not have been used in the graph. "
        "Set allow_unused=True if this is the desired behavior."
        + (
            advice_on_unused(x, walk([_vertex(y) for y in roots]).order)
            if isinstance(x, Recorded)
            else ""
        )
    )


def _batched(size: int | None, shape: Shape) -> Shape:
    return shape if size is None else (size, *shape)


def _as_tuple(given: Any, count: int) -> tuple[Any, ...]:
    if given is None:
        return (None,) * count
    return (given,) if isinstance(given, (Recorded, ArrayExpr)) else tuple(given)


def _vertex(x: Any) -> Any:
    return vertex_at(x) if isinstance(x, GradientEdge) else vertex_of(x)


def _retained(found: Found, count: int, create_graph: bool) -> Found:
    """Return copies of the gradients that the first `count`, the targets, retain.

    What is returned to the user is nobody else's.
    """
    others = found.vertices[count:]
    kept = {
        v: g
        for v, g in zip(found.vertices[:count], found.gradients, strict=False)
        if isinstance(v, Node) and v.retains and g is not None and v not in others
    }
    with recording(create_graph):
        return Found(list(kept), [g.clone() for g in kept.values()])


def _requires(x: Any) -> bool:
    return isinstance(x, GradientEdge) or x._rg


def _aval(x: Any) -> Any:
    """Return shape and dtype of the gradient that arrives at a tensor or an edge."""
    return vertex_at(x).aval if isinstance(x, GradientEdge) else x._aval


def _check_roots(roots: Sequence[Any]) -> None:
    for i, x in enumerate(roots):
        if not _requires(x):
            raise RuntimeError(
                f"element {i} of tensors does not require grad and does not have a grad_fn"
                + (advice_on_cut(x) if isinstance(x, Recorded) else "")
            )


def _check_inputs(inputs: Sequence[Any]) -> None:
    for x in inputs:
        if not isinstance(x, _PLACES):
            raise RuntimeError(
                f"all inputs have to be Tensors or GradientEdges, but got {type(x).__name__}"
            )


def _check_wanted(inputs: Sequence[Any], materialize_grads: bool) -> None:
    """Raise for what `grad` does not differentiate by."""
    _check_inputs(inputs)
    if not all(_requires(x) for x in inputs):
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    if materialize_grads and any(isinstance(x, GradientEdge) for x in inputs):
        raise RuntimeError(
            "materialize_grads cannot be used when the given input is a GradientEdge"
        )


def _cotangents(roots: Sequence[Any], given: Sequence[Any], batched: bool) -> list[Any]:
    """Check a cotangent for each root, in PyTorch's order of checks."""
    if len(given) != len(roots) and len(roots) != 1 and roots:
        raise RuntimeError(f"got {len(roots)} tensors and {len(given)} gradients")
    if roots and not given:
        raise RuntimeError(f"got {len(roots)} tensors and 0 gradients")
    out: list[Any] = []
    for i, (x, g) in enumerate(zip(roots, given, strict=False)):
        if isinstance(x, ArrayExpr):
            raise UntraceableValue(
                "a symbolic array has no graph to go back through: symgrad.derive() gives its "
                "derivative"
            )
        if not isinstance(x, _PLACES):
            raise AssertionError("Expected output to be a torch.Tensor")
        if g is None:
            _check_implicit(x)
            out.append(None)
            continue
        if not isinstance(g, Recorded):
            raise refusal_of(g)(
                f"gradients can be either Tensors or None, but got {type(g).__name__}"
            )
        out.append(_checked(i, x, g, batched))
    return out


def _check_implicit(x: Any) -> None:
    """Check that a root may go without a cotangent."""
    if not _requires(x):
        return
    aval = _aval(x)
    if aval.size != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    if not aval.dtype.is_floating_point:
        raise RuntimeError(
            f"grad can be implicitly created only for real scalar outputs but got {aval.dtype!r}"
        )


def _checked(i: int, x: Any, g: Any, batched: bool) -> Any:
    aval = _aval(x)
    shape, expected = g._aval.shape, aval.shape
    if batched and shape[1:] != expected:
        raise RuntimeError(
            "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as "
            "the batch dimension. The sizes of the remaining dimensions are expected to match the "
            "shape of corresponding output, but a mismatch was detected: "
            f"grad_output[{i}] has a shape of torch.Size({list(shape[2:])}) and output[{i}] has a "
            f"shape of torch.Size({list(expected)}). If you only want some tensors in "
            "`grad_output` to be considered batched, consider using vmap."
        )
    if not batched and shape != expected:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{i}] has a shape of torch.Size({list(shape)}) and "
            f"output[{i}] has a shape of torch.Size({list(expected)})."
        )
    have, want = g._aval.dtype, aval.dtype
    if have.is_complex != want.is_complex:
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same dtype. "
            f"Mismatch in dtype: grad_output[{i}] has a dtype of {have!r} and output[{i}] has a "
            f"dtype of {want!r}."
        )
    if have is want:
        return g
    return g.to(want) if want.differentiable else wrap(g._data.astype(want.numpy))


def _batch_size(cotangents: Sequence[Any]) -> int:
    for g in cotangents:
        if g is None:
            raise ValueError(
                "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input "
                "is a Tensor of dimensionality 0 so expected in_dim to satisfy 0 <= in_dim < 0."
            )
    shape = cotangents[0]._aval.shape
    if not shape:
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` "
            "in C++ to convert a 0-dim tensor to a number"
        )
    sizes = [int(g._aval.shape[0]) for g in cotangents if g._aval.shape]
    if len(set(sizes)) > 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return sizes[0]
