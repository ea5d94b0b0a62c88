"""Forward mode, with PyTorch's interface: tensors that carry a tangent while a level is entered.

What moves, and how operations push tangents on, is the business of `symgrad.backward.tangents`.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from symgrad.backward.tangents import attach, tangent_of, unobserved
from symgrad.expr.node import ArrayExpr
from symgrad.ops.identity import alias
from symgrad.record.dual_level import DualLevel, entered, forward_mode
from symgrad.record.modes import Mode, state
from symgrad.record.record import record
from symgrad.record.signature import named
from symgrad.schema.public import with_schema
from symgrad.support.scopes import Scope, back_to
from symgrad.support.untraceable import UntraceableValue

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "unpack_dual",
]


class UnpackedDualTensor(NamedTuple):
    """A tensor's value and its tangent, as `unpack_dual` returns them.

    Attributes
    ----------
    primal : Tensor
        The value.
    tangent : Tensor or None
        How it moves; None where it does not.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.autograd.forward_ad.unpack_dual(torch.tensor([1.0]))
    UnpackedDualTensor(primal=tensor([1.]), tangent=None)
    """

    primal: Any
    tangent: Any


def enter_dual_level() -> int:
    """Enter a level of forward mode in this thread and return its number, which is 0.

    Raises
    ------
    RuntimeError
        If one is entered already.

    Examples
    --------
    >>> from symgrad.autograd import forward_ad
    >>> forward_ad.enter_dual_level()
    0
    >>> forward_ad.exit_dual_level()
    """
    if forward_mode.level is not None:
        raise RuntimeError(_NESTED)
    state.state.special["level"] = DualLevel()
    return 0


_NESTED = "Nested forward mode AD is not supported at the moment"


def exit_dual_level(*, level: int | None = None) -> None:
    """Leave the level of forward mode, and forget all of its tangents.

    Parameters
    ----------
    level : int, optional
        The number that `enter_dual_level` returned.

    Raises
    ------
    RuntimeError
        If no level, or another one, is entered.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd import forward_ad
    >>> level = forward_ad.enter_dual_level()
    >>> x = forward_ad.make_dual(torch.tensor(2.0), torch.tensor(1.0))
    >>> x * x
    tensor(4., tangent=tensor(4.))
    >>> forward_ad.exit_dual_level(level=level)
    >>> x * x
    tensor(4.)
    """
    entered = -1 if forward_mode.level is None else 0
    if level is not None and level != entered:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is "
            "not supported."
        )
    if forward_mode.level is None:
        raise RuntimeError("Dual level must be a positive number.")
    state.state.special.pop("level").forget()


class dual_level(entered):  # noqa: N801 - PyTorch's name
    """A block, or the calls of a decorated function, in which tensors may carry a tangent.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd import forward_ad
    >>> with forward_ad.dual_level():
    ...     x = forward_ad.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.0]))
    ...     forward_ad.unpack_dual(x * x).tangent
    tensor([2., 0.])
    """

    def __init__(self) -> None:
        super().__init__(DualLevel())

    def __enter__(self) -> int:  # type: ignore[override]
        if forward_mode.level is not None:
            raise RuntimeError(_NESTED)
        self.level = DualLevel()
        super().__enter__()
        return 0

    def clone(self) -> Self:
        """Return another such context.

        Examples
        --------
        >>> from symgrad.autograd import forward_ad
        >>> with forward_ad.dual_level().clone() as level:
        ...     level
        0
        """
        return type(self)()

    __call__ = Mode.__call__


def make_dual(tensor: Any, tangent: Any, *, level: int | None = None) -> Any:
    """Return a view of `tensor` that moves with `tangent`.

    Parameters
    ----------
    tensor : Tensor
        The value, of a floating or complex dtype.
    tangent : Tensor
        Of its shape; it is taken as it is, so that changes in place of the result reach it.
    level : int, optional
        The number of the level; there is one at a time.

    Raises
    ------
    RuntimeError
        If no level is entered, the shapes differ, or one of both has a tangent already.
    ValueError
        For integers.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd import forward_ad
    >>> with forward_ad.dual_level():
    ...     x = forward_ad.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.0]))
    ...     x.exp()
    tensor([2.7183, 7.3891], tangent=tensor([2.7183, 0.0000]))
    """
    if level is None:
        level = -1 if forward_mode.level is None else 0
    if level < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
            "enter_dual_level() first."
        )
    if state.state.batching is not None:
        state.state.batching.refuse_call("aten::_make_dual", tensor, tangent)
    _check_dtypes(tensor, tangent)
    if forward_mode.level is None or level != 0:
        raise RuntimeError("Invalid level given to _make_dual")
    if tangent_of(tensor) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the "
            f"same level {level} is not supported."
        )
    if tangent_of(tangent) is not None:
        raise RuntimeError(
            "Setting a forward grad that itself has a forward gradient at the same level"
            f"{level} is not supported."
        )
    if tangent.shape != tensor.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original "
            f"Tensor, this is not supported. Tensor is of size {list(tensor.shape)} while the "
            f"given forward gradient is of size {list(tangent.shape)}."
        )
    return with_tangent(tensor, tangent)


def _check_dtypes(tensor: Any, tangent: Any) -> None:
    for role, x in (("primal", tensor), ("tangent", tangent)):
        if not hasattr(type(x), "_record"):
            name = type(x).__name__
            if isinstance(x, ArrayExpr):
                raise UntraceableValue(
                    f"make_dual(): the {role} must be Tensor, not a symbolic array"
                )
            if hasattr(x, "is_floating_point"):
                raise TypeError(f"make_dual(): the {role} must be Tensor, not {name}")
            raise AttributeError(f"'{name}' object has no attribute 'is_floating_point'")
        if not (x.is_floating_point() or x.is_complex()):
            raise ValueError(f"Expected {role} to be floating point or complex, but got: {x.dtype}")


def with_tangent(tensor: Any, tangent: Any) -> Any:
    """Return a view of `tensor` that moves with `tangent`, of its shape or in several directions.

    Raises
    ------
    ValueError
        For integers.
    """
    _check_dtypes(tensor, tangent)
    with unobserved():
        dual = tensor.view(tensor.shape)
        if forward_mode.level is not None and forward_mode.level.size is None:
            tangent = _laid_out(tangent, tensor)
    attach(dual, tangent, own=True)
    return dual


def _laid_out(tangent: Any, tensor: Any) -> Any:
    """Return a tangent whose elements lie as those of its tensor do: views must fit both."""
    steps = zip(tensor.shape, tangent.stride(), tensor.stride(), strict=True)
    if all(n < 2 or mine == its for n, mine, its in steps):
        return tangent
    return tensor.detach().clone().to(tangent.dtype).copy_(tangent)


@with_schema(
    "autograd.forward_ad.unpack_dual(Tensor tensor, *, int? level=None) -> Any", python=True
)
def unpack_dual(tensor: Any, *, level: int | None = None) -> UnpackedDualTensor:
    """Return the value of a tensor, as a view that does not move, and its tangent.

    Parameters
    ----------
    tensor : Tensor
        Any tensor.
    level : int, optional
        The number of the level; there is one at a time.

    Returns
    -------
    UnpackedDualTensor
        The tangent is None where the tensor does not move, or no level is entered.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.autograd import forward_ad
    >>> with forward_ad.dual_level():
    ...     x = forward_ad.make_dual(torch.tensor(2.0), torch.tensor(1.0))
    ...     forward_ad.unpack_dual(x**3)
    UnpackedDualTensor(primal=tensor(8.), tangent=tensor(12.))
    """
    if level is None:
        level = -1 if forward_mode.level is None else 0
    if level < 0:
        return UnpackedDualTensor(tensor, None)
    if state.state.batching is not None:
        state.state.batching.refuse_call("aten::_unpack_dual", tensor)
    if forward_mode.level is None or level != 0:
        raise RuntimeError("Invalid level given to _fw_primal")
    tangent = tangent_of(tensor)
    with unobserved():
        primal = record(alias, (tensor,))
    if primal._rg:
        primal._vertex.rename(named(primal._vertex.sig, "torch::autograd::Identity"))
    attach(primal, None, own=True)
    return UnpackedDualTensor(primal, tangent)


def _is_fwd_grad_enabled() -> bool:
    return forward_mode.enabled


class _set_fwd_grad_enabled(Scope):  # noqa: N801 - PyTorch's name
    """Set whether tangents are seen, at once and until the end of a `with` block."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        special = state.state.special
        self._mode = mode
        self._back = back_to(special, "tangents")
        special["tangents"] = mode

    def __enter__(self) -> None:
        special, undo, end = state.state.special, self._undo, len(self._undo)
        undo[end:] = (self._back,)
        special["tangents"] = self._mode
