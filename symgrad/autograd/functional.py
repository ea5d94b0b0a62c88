"""Jacobians, Hessians and their products with vectors, with PyTorch's interface.

Everything here is made of `grad` and of dual levels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from symgrad.autograd.derivative_calls import (
    INDEPENDENT_OUTPUT,
    INPUT_IS,
    LINEAR,
    OUTPUTS,
    Call,
    Function,
    as_tuple,
    check_outputs,
    check_single,
    prepared,
    untupled,
)
from symgrad.autograd.jacobians import (
    MOST_ELEMENTS,
    Tensors,
    by_all_rows,
    by_directions,
    by_rows,
    check_dependence,
    gradients_of,
    has_nan,
    hessian_at_once,
    with_zeros,
)
from symgrad.record.dual_level import forward_mode
from symgrad.record.modes import enable_grad
from symgrad.record.record import zeros
from symgrad.schema.public import with_schema
from symgrad.tensor.tensor import Tensor

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

Inputs = TypeVar("Inputs")
Outputs = TypeVar("Outputs")


def vjp(
    func: Callable[..., Outputs],
    inputs: Inputs,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Outputs, Inputs]:
    """Return the value of a function, and the product of a vector with its Jacobian.

    Parameters
    ----------
    func : callable
        Takes the inputs, and returns a tensor or a tuple of tensors.
    inputs : Tensor or tuple of Tensor
        Where it is differentiated.
    v : Tensor or tuple of Tensor, optional
        The vector, of the shapes of the outputs; one where the output has a single element.
    create_graph : bool
        Whether both results can be differentiated.
    strict : bool
        Raise where an output does not depend on an input, in place of giving zeros.

    Raises
    ------
    TypeError
        If an argument or a result is no tensor.
    RuntimeError
        If `v` does not fit, or by `strict`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.vjp(lambda x: x * x, x, torch.tensor([1.0, 10.0]))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    run = Call("vjp", create_graph, strict)
    with enable_grad():
        many_inputs, given = run.inputs(inputs)
        many_outputs, outputs = run.outputs(func, given)
        vector = run.vector(v, outputs, many_outputs, "the user-provided function returns")
    product = run.product(outputs, given, vector, given, "jacobian", INDEPENDENT_OUTPUT)
    return run.result(outputs, many_outputs), run.result(product, many_inputs)


def jvp(
    func: Callable[..., Outputs],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Outputs, Outputs]:
    """Return the value of a function, and the product of its Jacobian with a vector.

    It differentiates backwards twice; `forward_ad` needs one pass.

    Parameters
    ----------
    func : callable
        Takes the inputs, and returns a tensor or a tuple of tensors.
    inputs : Tensor or tuple of Tensor
        Where it is differentiated.
    v : Tensor or tuple of Tensor, optional
        The vector, of the shapes of the inputs; one where the input has a single element.
    create_graph : bool
        Whether both results can be differentiated.
    strict : bool
        Raise where an output does not depend on an input, in place of giving zeros.

    Raises
    ------
    TypeError
        If an argument or a result is no tensor.
    RuntimeError
        If `v` does not fit, or by `strict`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.jvp(lambda x: x * x, x, torch.tensor([1.0, 10.0]))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    run = Call("jvp", create_graph, strict)
    with enable_grad():
        many_inputs, given = run.inputs(inputs)
        vector = run.vector(v, given, many_inputs, INPUT_IS)
        many_outputs, outputs = run.outputs(func, given)
        directions, pulled = _pulled_back(outputs, given, outputs)
        if strict:
            check_dependence(
                pulled,
                INDEPENDENT_OUTPUT,
                "The gradient with respect to input {} is independent of the inputs of the "
                "user-provided function. This is not allowed in strict mode.",
            )
    product = run.product(
        pulled,
        directions,
        vector,
        outputs,
        "jacobian",
        "The gradient with respect to the input is independent of entry {} in the grad_outputs "
        "when using the double backward trick to compute forward mode gradients. This is not "
        "allowed in strict mode.",
    )
    return run.result(outputs, many_outputs), run.result(product, many_outputs)


@overload
def jacobian(
    func: Callable[..., Tensor],
    inputs: Tensor,
    create_graph: bool = ...,
    strict: bool = ...,
    vectorize: bool = ...,
    strategy: str = ...,
) -> Tensor: ...
@overload
def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = ...,
    strict: bool = ...,
    vectorize: bool = ...,
    strategy: str = ...,
) -> Any: ...
@with_schema(
    "autograd.functional.jacobian(object func, object inputs, object create_graph=False, object strict=False, object vectorize=False, object strategy='reverse-mode') -> Any",
    python=True,
)
def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """Return the Jacobian of a function.

    Parameters
    ----------
    func : callable
        Takes the inputs, and returns a tensor or a tuple of tensors.
    inputs : Tensor or tuple of Tensor
        Where it is differentiated.
    create_graph : bool
        Whether the Jacobian can be differentiated.
    strict : bool
        Raise where an output does not depend on an input, in place of giving zeros.
    vectorize : bool
        Differentiate in all directions at once, rather than one after the other.
    strategy : str
        "reverse-mode", or "forward-mode", which calls the function once with tangents in all
        directions and goes with `vectorize=True` alone.

    Returns
    -------
    Tensor or tuple
        Of shape `output.shape + input.shape`; where there are tuples, one for each output, of one
        for each input.

    Raises
    ------
    TypeError
        If an argument or a result is no tensor.
    RuntimeError
        By `strict`, or where `strict` goes with another argument that does not allow it.
    NotImplementedError
        For "forward-mode" with `create_graph`, or without `vectorize`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.jacobian(lambda x: x * x.sum(), x)
    tensor([[4., 1.],
            [2., 5.]])
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your '
            'function has more outputs than inputs, "forward-mode" tends to be more performant. '
            'Otherwise, prefer to use "reverse-mode".'
        )
    run = Call("jacobian", create_graph, strict)
    if strategy == "forward-mode":
        _check_forward(create_graph, strict, vectorize)
        many_inputs, given = as_tuple(inputs, "inputs", "jacobian")
        if forward_mode.level is not None:
            raise RuntimeError("Nested forward mode AD is not supported at the moment")
        many_outputs, blocks = by_directions(
            lambda *duals: as_tuple(func(*duals), OUTPUTS, "jacobian"), given
        )
        return untupled(tuple([untupled(row, many_inputs) for row in blocks]), many_outputs)
    with enable_grad():
        many_inputs, given = run.inputs(inputs)
        many_outputs, outputs = run.outputs(func, given)
        if vectorize and strict:
            raise RuntimeError(
                "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not "
                "supported together. Please either set `strict=False` or `vectorize=False`."
            )
        blocks = (
            by_all_rows(outputs, given, create_graph)
            if vectorize
            else by_rows(outputs, given, create_graph, strict)
        )
    return untupled(tuple([run.result(row, many_inputs) for row in blocks]), many_outputs)


@overload
def hessian(
    func: Function,
    inputs: Tensor,
    create_graph: bool = ...,
    strict: bool = ...,
    vectorize: bool = ...,
    outer_jacobian_strategy: str = ...,
) -> Tensor: ...
@overload
def hessian(
    func: Function,
    inputs: tuple[Tensor, ...],
    create_graph: bool = ...,
    strict: bool = ...,
    vectorize: bool = ...,
    outer_jacobian_strategy: str = ...,
) -> tuple[tuple[Tensor, ...], ...]: ...
def hessian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """Return the Hessian of a scalar function.

    Parameters
    ----------
    func : callable
        Takes the inputs, and returns a tensor of one element.
    inputs : Tensor or tuple of Tensor
        Where it is differentiated.
    create_graph : bool
        Whether the Hessian can be differentiated.
    strict : bool
        Raise where there is no dependence, in place of giving zeros.
    vectorize : bool
        Differentiate in all directions at once, rather than one after the other.
    outer_jacobian_strategy : str
        How the gradient is differentiated: "reverse-mode" or "forward-mode", see `jacobian`.

    Returns
    -------
    Tensor or tuple
        Of shape `input.shape + input.shape`; where `inputs` is a tuple, one for each pair.

    Raises
    ------
    TypeError
        If an argument or a result is no tensor.
    RuntimeError
        If the function returns several elements, or by `strict`.
    NotImplementedError
        As `jacobian` does.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.hessian(lambda x: (x * x.sum()).prod(), x)
    tensor([[28., 31.],
            [31., 16.]])
    """
    many_inputs, given = as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def scalar(*xs: Any) -> Any:
        out = func(*xs)
        is_tuple, found = as_tuple(out, OUTPUTS, "hessian")
        check_outputs(found, strict)
        check_single(is_tuple, found, "hessian")
        return out.reshape(())

    if outer_jacobian_strategy == "reverse-mode" and not (create_graph or strict):
        return _hessian(scalar, many_inputs, given, vectorize)

    def gradients(*xs: Any) -> Any:
        if outer_jacobian_strategy == "forward-mode":
            for x in xs:
                x.requires_grad_(True)
        found = jacobian(scalar, xs, create_graph=True)
        if strict:
            check_dependence(found, "", LINEAR)
        return found

    blocks = jacobian(
        gradients,
        given,
        create_graph=create_graph,
        strict=strict,
        vectorize=vectorize,
        strategy=outer_jacobian_strategy,
    )
    return blocks if many_inputs else blocks[0][0]


def _hessian(scalar: Function, many: bool, given: Tensors, vectorize: bool) -> Any:
    """Return the Hessian of a function that was called once, not recorded and not strict."""
    run = Call("hessian", False, False)
    size = max([x.numel() for x in given])
    with enable_grad():
        xs = prepared(given, False, True)
        y = scalar(*prepared(xs, True, True))
        blocks = hessian_at_once(y, xs, None if vectorize else max(MOST_ELEMENTS, size * size))
        if blocks is None or (not vectorize and any(has_nan(x) for row in blocks for x in row)):
            gradients = with_zeros(gradients_of((y,), xs, None, True), xs)
            blocks = (
                by_all_rows(gradients, xs, False)
                if vectorize
                else by_rows(gradients, xs, False, False)
            )
    made = tuple([run.result(row, True) for row in blocks])
    return made if many else made[0][0]


def vhp(
    func: Function,
    inputs: Inputs,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Tensor, Inputs]:
    """Return the value of a scalar function, and the product of a vector with its Hessian.

    Parameters
    ----------
    func : callable
        Takes the inputs, and returns a tensor of one element.
    inputs : Tensor or tuple of Tensor
        Where it is differentiated.
    v : Tensor or tuple of Tensor, optional
        The vector, of the shapes of the inputs; one where the input has a single element.
    create_graph : bool
        Whether both results can be differentiated.
    strict : bool
        Raise where there is no dependence, in place of giving zeros.

    Raises
    ------
    TypeError
        If an argument or a result is no tensor.
    RuntimeError
        If `v` does not fit, the function returns several elements, or by `strict`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.vhp(lambda x: (x**3).sum(), x, torch.tensor([1.0, 10.0]))
    (tensor(9.), tensor([  6., 120.]))
    """
    run = Call("vhp", create_graph, strict)
    many_inputs, given, vector, outputs = run.called(func, inputs, v)
    product = run.product_at_once(outputs, given, vector)
    if product is None:
        product = run.product(
            run.gradients(outputs, given),
            given,
            vector,
            given,
            "hessian",
            "The jacobian of the user-provided function is independent of input {}. This is not "
            "allowed in strict mode.",
        )
    return run.result(outputs, False), run.result(product, many_inputs)


def hvp(
    func: Function,
    inputs: Inputs,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Tensor, Inputs]:
    """Return the value of a scalar function, and the product of its Hessian with a vector.

    The Hessian is symmetric, so that `vhp` gives the same; recorded, it is quicker.

    Parameters
    ----------
    func : callable
        Takes the inputs, and returns a tensor of one element.
    inputs : Tensor or tuple of Tensor
        Where it is differentiated.
    v : Tensor or tuple of Tensor, optional
        The vector, of the shapes of the inputs; one where the input has a single element.
    create_graph : bool
        Whether both results can be differentiated.
    strict : bool
        Raise where there is no dependence, in place of giving zeros.

    Raises
    ------
    TypeError
        If an argument or a result is no tensor.
    RuntimeError
        If `v` does not fit, the function returns several elements, or by `strict`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.hvp(lambda x: (x**3).sum(), x, torch.tensor([1.0, 10.0]))
    (tensor(9.), tensor([  6., 120.]))
    """
    run = Call("hvp", create_graph, strict)
    many_inputs, given, vector, outputs = run.called(func, inputs, v)
    product = run.product_at_once(outputs, given, vector)
    if product is None:
        gradients = run.gradients(outputs, given)
        with enable_grad():
            directions, pulled = _pulled_back(gradients, given, given)
        product = run.product(
            pulled,
            directions,
            vector,
            given,
            "hessian",
            "The hessian of the user-provided function is independent of entry {} in the "
            "grad_jacobian. This is not allowed in strict mode as it prevents from using the "
            "double backward trick to replace forward mode AD.",
        )
    return run.result(outputs, False), run.result(product, many_inputs)


def _check_forward(create_graph: bool, strict: bool, vectorize: bool) -> None:
    if create_graph:
        raise NotImplementedError(
            "torch.autograd.functional.jacobian: `create_graph=True` and "
            '`strategy="forward-mode"` are not supported together (yet). Please either set '
            '`create_graph=False` or `strategy="reverse-mode"`.'
        )
    if strict:
        raise RuntimeError(
            'torch.autograd.functional.jacobian: `strict=True` and `strategy="forward-mode"` are '
            "not supported together (yet). Please either set `strict=False` or "
            '`strategy="reverse-mode"`.'
        )
    if not vectorize:
        raise NotImplementedError(
            "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly "
            "implemented for `vectorize=True`."
        )


def _pulled_back(outputs: Tensors, inputs: Tensors, like: Tensors) -> tuple[Tensors, Tensors]:
    """Return cotangents of `outputs`, of the shapes of `like`, and what the Jacobian makes of them.

    This is linear in the cotangents: its derivative by them is the Jacobian the other way round.
    """
    directions = tuple([zeros(x.shape, x.dtype) for x in like])
    for x in directions:
        x._require(True, "Only Tensors of floating point and complex dtype")
    return directions, gradients_of(outputs, inputs, directions, True)
