"""`gradcheck` and `gradgradcheck`: derivatives against finite differences.

Comparing derivatives with differences is one of several checks; `symgrad.autograd.comparison` does
it. The others look at cotangents and tangents that are zero, missing or come in batches.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.autograd.comparison import (
    Array,
    Call,
    Comparison,
    GradcheckError,
    as_tuple,
    compare_elementwise,
    compare_projected,
    is_complex,
    is_float,
    is_tensor,
    moves,
    requiring_grad,
)  # fmt: skip
from symgrad.autograd.forward_ad import with_tangent
from symgrad.backward.api import grad
from symgrad.backward.tangents import tangent_of
from symgrad.expr.dtypes import complex128, float64
from symgrad.random.default_stream import default_generator
from symgrad.record.dual_level import DualLevel, entered
from symgrad.record.function_node import FunctionNode, results_of
from symgrad.record.record import wrap
from symgrad.schema.arguments import real
from symgrad.schema.public import with_schema
from symgrad.support.homes import at_home
from symgrad.support.quiet import quietly

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]

at_home(__name__, GradcheckError=GradcheckError)


@with_schema(
    "autograd.gradcheck(object func, object inputs, *, float eps=1e-6, float atol=1e-5, float rtol=1e-3, object raise_exception=True, float nondet_tol=0.0, object check_undefined_grad=True, object check_grad_dtypes=False, object check_batched_grad=False, object check_batched_forward_grad=False, object check_forward_ad=False, object check_backward_ad=True, object fast_mode=False, object masked=None) -> bool",
    python=True,
)
def gradcheck(
    func: Call,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Check the derivatives of a function against finite differences.

    They are compared with respect to each of `inputs` that requires a gradient. Of complex results
    the real and the imaginary part are checked one after the other. The defaults fit inputs in
    double precision, at points where the function is differentiable.

    Parameters
    ----------
    func : callable
        Takes the inputs, and returns a tensor or a tuple of tensors.
    inputs : Tensor or tuple
        What it is called with. Values are changed in place, and restored.
    eps : float
        The step of the differences.
    atol, rtol : float
        How far a derivative may be off: by `atol + rtol * abs(difference)`.
    raise_exception : bool
        Raise where a check fails; otherwise return False.
    nondet_tol : float
        By how much two backward passes with the same cotangent may differ.
    check_undefined_grad : bool
        Check that results without a cotangent count as if it were zero.
    check_grad_dtypes : bool
        Check that forward derivatives are complex just where the results are. What arrives at an
        input in a backward pass is of its dtype in any case.
    check_batched_grad, check_batched_forward_grad : bool
        Check that a batch of derivatives is the derivatives stacked.
    check_forward_ad, check_backward_ad : bool
        Which mode to check, or both.
    fast_mode : bool
        Compare along one random direction, not element by element.
    masked : bool, optional
        Allow for rounding where the gradient for a cotangent of zero should be zero.

    Returns
    -------
    bool
        True where all checks pass.

    Raises
    ------
    GradcheckError
        If a check fails.
    ValueError
        If no input requires a gradient.
    RuntimeError
        If elements of an input share their memory, as after `expand`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.tanh, x)
    True
    >>> torch.autograd.gradcheck(lambda x: x * x.detach(), x, raise_exception=False)
    False
    """
    eps, atol, rtol, nondet_tol = _tolerances("gradcheck", eps, atol, rtol, nondet_tol)
    _require_one_of(check_forward_ad, "check_forward_ad", check_backward_ad, "check_backward_ad")
    _require(check_batched_grad, "check_batched_grad", check_backward_ad, "check_backward_ad")
    _require(
        check_batched_forward_grad,
        "check_batched_forward_grad",
        check_forward_ad,
        "check_forward_ad",
    )
    arguments = as_tuple(inputs)
    try:
        _check_arguments(arguments)
        results = as_tuple(func(*arguments))
        check = Comparison(func, arguments, results, eps, atol, rtol, nondet_tol, check_grad_dtypes)
        compare = compare_projected if fast_mode else compare_elementwise
        # The differentiable results of the user's function, not of its real and imaginary parts.
        differentiable = [x for _, x in check.differentiable()]
        if check_backward_ad:
            for part in check.parts_of_results():
                compare(part)
        if check_forward_ad:
            for part in check.parts_of_inputs():
                compare(part)
                if check_undefined_grad:
                    _check_without_tangent(part)
        if check_batched_forward_grad:
            _check_batched_tangents(func, arguments)
        if check_backward_ad:
            if check_batched_grad:
                for i, result in enumerate(differentiable):
                    _check_batched_cotangents(check, result, i)
            _check_cotangents_of_zero(check, differentiable, bool(masked))
            if check_undefined_grad:
                _check_undefined_cotangents(check)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


@with_schema(
    "autograd.gradgradcheck(object func, object inputs, object grad_outputs=None, *, float eps=1e-6, float atol=1e-5, float rtol=1e-3, object gen_non_contig_grad_outputs=False, object raise_exception=True, float nondet_tol=0.0, object check_undefined_grad=True, object check_grad_dtypes=False, object check_batched_grad=False, object check_fwd_over_rev=False, object check_rev_over_rev=True, object fast_mode=False, object masked=False) -> bool",
    python=True,
)
def gradgradcheck(
    func: Call,
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Check second derivatives of a function against finite differences of its first.

    What is checked, as in `gradcheck`, are the gradients as a function of `inputs` and
    `grad_outputs`.

    Parameters
    ----------
    func, inputs, eps, atol, rtol, raise_exception, nondet_tol, check_undefined_grad
        As in `gradcheck`.
    grad_outputs : Tensor or tuple of Tensor, optional
        The cotangents at which the gradients are taken; random ones by default.
    gen_non_contig_grad_outputs : bool
        Let the random ones lie apart in memory.
    check_grad_dtypes, check_batched_grad, fast_mode, masked : bool
        As in `gradcheck`.
    check_fwd_over_rev, check_rev_over_rev : bool
        In which mode the gradients are differentiated, or both.

    Returns
    -------
    bool
        True where all checks pass.

    Raises
    ------
    GradcheckError
        If a check fails.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.randn(3, dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(lambda x: (x**3).sum(), x)
    True
    """
    eps, atol, rtol, nondet_tol = _tolerances("gradgradcheck", eps, atol, rtol, nondet_tol)
    fast_mode, masked = bool(fast_mode), bool(masked)  # before cotangents are drawn
    names = "check_fwd_over_rev", "check_rev_over_rev"
    _require_one_of(check_fwd_over_rev, names[0], check_rev_over_rev, names[1])
    _require(check_undefined_grad, "check_undefined_grad", check_rev_over_rev, names[1])
    _require(check_batched_grad, "check_batched_grad", check_rev_over_rev, names[1])
    arguments = as_tuple(inputs)
    if grad_outputs is None:
        results = requiring_grad(as_tuple(func(*arguments)))
        cotangents = tuple(_random_cotangent(x, gen_non_contig_grad_outputs) for x in results)
    else:
        cotangents = as_tuple(grad_outputs)
    return gradcheck(
        _gradients_of(func, arguments, cotangents),
        arguments + cotangents,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )


def _gradients_of(func: Call, inputs: tuple[Any, ...], cotangents: tuple[Any, ...]) -> Call:
    """Return the gradients of a function, as a function of its inputs and of cotangents."""
    moving = [moves(x) for x in (*inputs, *cotangents)]
    count = len(inputs)

    def gradients(*given: Any) -> tuple[Any, ...]:
        # In forward mode the inputs arrive detached.
        given = tuple(x.requires_grad_() if m else x for x, m in zip(given, moving, strict=True))
        found = grad(
            requiring_grad(as_tuple(func(*given[:count]))),
            tuple(x for x, m in zip(given[:count], moving, strict=False) if m),
            given[count:],
            create_graph=True,
            allow_unused=True,
        )
        return tuple(g for g in found if g is not None)

    return gradients


# ---------------------------------------------------------------- arguments


def _tolerances(call: str, *given: Any) -> list[float]:
    names = ("eps", "atol", "rtol", "nondet_tol")
    return [real(call, n, i + 3, x) for i, (n, x) in enumerate(zip(names, given, strict=True))]


def _require_one_of(a: bool, a_name: str, b: bool, b_name: str) -> None:
    if not (a or b):
        raise AssertionError(f"Expected at least one of {a_name} or {b_name} to be True")


def _require(given: bool, name: str, needed: bool, needed_name: str) -> None:
    if given and not needed:
        raise AssertionError(f"Setting {name}=True requires {needed_name} to be True")


def _check_arguments(arguments: Sequence[Any]) -> None:
    """Warn of inputs that are not in double precision, and refuse those that overlap."""
    found = False
    for i, x in enumerate(arguments):
        if not moves(x):
            continue
        found = True
        if x._aval.dtype not in (float64, complex128):
            warnings.warn(
                f"Input #{i} requires gradient and is not a double precision floating point or "
                "complex. This check will likely fail if all the inputs are not of double "
                "precision floating point or complex. ",
                stacklevel=3,
            )
        if any(step == 0 and n > 1 for step, n in zip(x.stride(), x.shape, strict=True)):
            raise RuntimeError(
                f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs "
                "that are non-overlapping to be able to compute the numerical gradients "
                "correctly. You should call .contiguous on the input before passing it to "
                "gradcheck."
            )
    if not found:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them "
            "have requires_grad=True."
        )


def _random_cotangent(like: Any, apart: bool) -> Any:
    """Return a cotangent with elements in [-1, 1), every second in memory where `apart`."""
    shape = tuple(like.shape)
    kind = like._aval.dtype if is_float(like) else float64
    apart = apart and like._data.size > 1
    if apart:
        shape = (*shape[:-1], 2 * shape[-1])
    parts = (*shape, 2) if kind.is_complex else shape
    drawn = default_generator.uniform(parts, kind.to_real().numpy, -1, 1)
    data = drawn.view(kind.numpy)[..., 0] if kind.is_complex else drawn
    return wrap(data[..., 1::2] if apart else data).requires_grad_()


# ---------------------------------------------------------------- cotangents and tangents


def _check_batched_cotangents(check: Comparison, result: Any, o: int) -> None:
    """Check that the gradients for a batch of cotangents are those for each of them."""
    moving = [x for _, x in check.moving()]
    cts = np.stack([_random_like(result) for _ in range(2)])
    separate = check.pulled_back(result, list(cts))
    try:
        together = grad(
            result, moving, wrap(cts), retain_graph=True, allow_unused=True, is_grads_batched=True
        )
    except RuntimeError as error:
        raise GradcheckError(
            f"While computing batched gradients, got: {error}\n\n{_BATCHED}"
        ) from error
    for i, (x, g, rows) in enumerate(zip(moving, together, separate, strict=True)):
        shape = (2, *x._data.shape)
        found = np.zeros(shape, x._data.dtype) if g is None else g._data
        _compare_batches(o, i, found, np.stack(rows).reshape(shape), _BATCHED)


def _check_batched_tangents(func: Call, inputs: tuple[Any, ...]) -> None:
    """Check that the tangents for a batch of tangents are those for each of them."""
    for i, x in enumerate(inputs):
        if not moves(x):
            continue
        tangents = np.stack([_random_like(x) for _ in range(2)])
        separate = [_pushed(func, inputs, i, t, None) for t in tangents]
        try:
            together = _pushed(func, inputs, i, tangents, 2)
        except RuntimeError as error:
            raise GradcheckError(
                f"While computing batched gradients, got: {error}\n\n{_BATCHED_FORWARD}"
            ) from error
        for o, (found, *expected) in enumerate(zip(together, *separate, strict=True)):
            _compare_batches(o, o, found, np.stack(expected), _BATCHED_FORWARD)


def _pushed(
    func: Call, inputs: tuple[Any, ...], i: int, tangent: Array, size: int | None
) -> list[Array]:
    """Return the tangents of all results for that of one input, or for `size` of them at once."""
    with entered(DualLevel(size)):
        duals = [x.detach() if is_tensor(x) else x for x in inputs]
        duals[i] = with_tangent(duals[i], wrap(tangent))
        results = [x for x in as_tuple(func(*duals)) if is_float(x)]
        found = [tangent_of(x) for x in results]
    leading = () if size is None else (size,)
    return [
        np.zeros((*leading, *x.shape), x._data.dtype) if t is None else t._data
        for x, t in zip(results, found, strict=True)
    ]


def _random_like(x: Any) -> Array:
    generator = np.random.default_rng(x._data.size)
    made = generator.standard_normal(x._data.shape)
    if is_complex(x):
        made = made + 1j * generator.standard_normal(x._data.shape)
    return np.asarray(made, x._data.dtype)


def _compare_batches(o: int, i: int, found: Array, expected: Array, explanation: str) -> None:
    if not quietly(np.allclose, found, expected):
        raise GradcheckError(
            f"For output {o} and input {i}:\n\n{explanation}\n\nGot:\n{wrap(found)}\n\n"
            f"Expected:\n{wrap(expected)}"
        )


_BATCHED = """gradcheck or gradgradcheck failed while testing batched gradient computation.
The gradients for a batch of cotangents, `autograd.grad(..., is_grads_batched=True)`, are not those
for each of them. Pass `check_batched_grad=False` to leave this check out."""

_BATCHED_FORWARD = """gradcheck failed while testing batched gradient computation with
forward-mode AD. The tangents for a batch of tangents are not those for each of them. Pass
`check_batched_forward_grad=False` to leave this check out."""


def _check_cotangents_of_zero(check: Comparison, results: Sequence[Any], masked: bool) -> None:
    """Check that a backward rule multiplies by the cotangent."""
    moving = [x for _, x in check.moving()]
    cts = [wrap(np.zeros_like(x._data)) for x in results]
    for g in grad(results, moving, cts, allow_unused=True):
        if g is None:
            continue
        zero = np.allclose(g._data, 0) if masked else np.all(g._data == 0)
        if not zero:
            raise GradcheckError("backward not multiplied by grad_output")


def _check_undefined_cotangents(check: Comparison) -> None:
    """Check backward passes in which results, one or all of them, have no cotangent."""
    count = len(check.differentiable())
    # All at once, then one at a time.
    missing = [set(range(count)), *({o} for o in range(count) if count > 1)]
    moving = [x for _, x in check.moving()]
    for without in missing:
        results = [
            _without_cotangent(x) if o in without else x
            for o, x in enumerate(requiring_grad(as_tuple(check.func(*check.inputs))))
        ]
        cts = [wrap(np.zeros_like(x._data)) for x in results]
        try:
            found = grad(results, moving, cts, allow_unused=True)
        except RuntimeError as error:
            _warn_of_undefined()
            raise GradcheckError(
                "Expected backward function to handle undefined output grads. Please look at "
                '"Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
            ) from error
        if any(g is not None and np.any(g._data != 0) for g in found):
            _warn_of_undefined()
            raise GradcheckError(
                "Expected all input grads to be undefined or zero when all output grads are "
                'undefined or zero. Please look at "Notes about undefined output gradients" in '
                '"tools/autograd/derivatives.yaml"'
            )


class _Undefined(FunctionNode):
    """The identity, which passes no cotangent on."""

    __slots__ = ()

    def differentiate(self, cotangents: tuple[Any, ...]) -> Sequence[Any]:
        return (None,)


def _without_cotangent(x: Any) -> Any:
    """Return a tensor of the value of `x`, from which no cotangent reaches `x`."""
    vertex = x._vertex or x._leaf()
    (result,) = results_of(_Undefined("Undefined", (vertex,), (vertex,)), (x,))
    return result


def _warn_of_undefined() -> None:
    warnings.warn(
        "Backwards compatibility: New undefined gradient support checking feature is enabled by "
        "default, but it may break existing callers of this function. If this is true for you, "
        'you can call this function with "check_undefined_grad=False" to disable the feature',
        stacklevel=5,
    )


def _check_without_tangent(check: Comparison) -> None:
    """Check that an input without a tangent counts as one whose tangent is zero."""
    given = {i: np.asarray(_random_like(x)) for i, x in check.moving()}
    for i, x in check.moving():
        with_zero = check.tangents_of({**given, i: np.zeros_like(x._data)})
        without = check.tangents_of(given, without=i)
        for o, ((_, a), (_, b)) in enumerate(zip(with_zero, without, strict=True)):
            if a is None or b is None or quietly(np.allclose, a._data, b._data):
                continue
            raise GradcheckError(
                "Mismatch in tangent values for output with index: ", o, " when input: ", x,
                " has an undefined tangent value. ", " Got: ", a, " but expected: ", b,
            )  # fmt: skip
