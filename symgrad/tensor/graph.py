"""A tensor's place in the graph: name, `requires_grad`, `grad`, `grad_fn`, hooks, `backward`.

The functions that these members call are in `symgrad.backward` and `symgrad.record`.
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from symgrad.backward.api import backward
from symgrad.backward.formulas import expression_of
from symgrad.expr.atoms import check_name
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import refusal_of
from symgrad.record.graph_cuts import cut_by
from symgrad.record.modes import state
from symgrad.record.naming import reserve
from symgrad.record.node import OWN_DTYPE, GraphNode, extra_of
from symgrad.record.record import Recorded
from symgrad.record.tape import LeafVertex
from symgrad.schema.kinds import type_name
from symgrad.schema.public import with_schema
from symgrad.support.hooks import RemovableHandle, add_hook
from symgrad.tensor.in_place import leave, require
from symgrad.tensor.parts import MemberGroup

if TYPE_CHECKING:
    from symgrad.expr.node import ArrayExpr
    from symgrad.tensor.tensor import Tensor

_NON_LEAF_FLAG = (
    "you can only change requires_grad flags of leaf variables. If you want to use a computed "
    "variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
)

_NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information."
)

_DETACHED = (
    "detach_(){at}, which",
    "If it is meant to have a gradient, use detach(), which leaves the tensor itself in its graph.",
)
_DETACHED_VIEW = (
    "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel "
    "(DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP "
    "buckets, and hence detach_() cannot be called on these gradients. To fix this error, please "
    "refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
)
_REQUIRED_IN_TRANSFORM = (
    "You are attempting to call Tensor.requires_grad_() (or perhaps using "
    "torch.autograd.functional.* APIs) inside of a function being transformed by a functorch "
    "transform. This is unsupported, please attempt to use the functorch transforms (e.g. "
    "grad, vjp, jacrev, jacfwd, hessian) or call requires_grad_() outside of a function being "
    "transformed instead."
)


class GraphMembers(MemberGroup):
    """What autograd knows of a tensor."""

    _grad: Any = None

    @property
    def name(self) -> str | None:
        """What the tensor is called in formulas, None for a name given on demand.

        Raises
        ------
        ValueError
            On assignment of what is no identifier.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> x.name = "weight"
        >>> (2 * x).expr
        2 * weight
        """
        return self._name or None

    @name.setter
    def name(self, value: str | None) -> None:
        self._name = "" if value is None else check_name(value)
        if self._name:
            reserve(self._name, self)
        if isinstance(self._vertex, LeafVertex):
            self._vertex.name = self._name

    @property
    def requires_grad(self) -> bool:
        """Whether a gradient is computed for this tensor.

        Raises
        ------
        RuntimeError
            On assignment: False for what was computed under record, True for integers.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0])
        >>> x.requires_grad = True
        >>> (2 * x).requires_grad
        True
        """
        return self._rg

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise RuntimeError("requires_grad must be a bool")
        if value and self._node() is not None:
            raise RuntimeError("you can only change requires_grad flags of leaf variables.")
        self._require(value, "only Tensors of floating point and complex dtype")

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise RuntimeError("requires_grad must be a bool")

    @with_schema(
        "requires_grad_(Tensor self, bool requires_grad=True) -> Tensor",
        method=True,
        formulas=False,
    )
    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Set `requires_grad` and return the tensor.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).requires_grad_()
        tensor([0., 0.], requires_grad=True)
        """
        if state.state.batching is not None:
            state.state.batching.refuse(_REQUIRED_IN_TRANSFORM)
        self._require(requires_grad, "only Tensors of floating point dtype")
        return self

    def _require(self, value: bool, which: str) -> None:
        if self._node() is not None:
            if not value:
                raise RuntimeError(_NON_LEAF_FLAG)
            return
        if value and not self._aval.dtype.differentiable:
            raise RuntimeError(f"{which} can require gradients")
        if value and self._aval.inference and not state.state.inference:
            raise RuntimeError(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not "
                "allowed."
            )
        require(self, value)

    @property
    def is_leaf(self) -> bool:
        """Whether the tensor was not computed under record.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> x.is_leaf, (2 * x).is_leaf
        (True, False)
        """
        return self._node() is None

    @property
    def grad_fn(self) -> GraphNode | None:
        """The node of the operation that computed this tensor.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> (2 * x).grad_fn.name()
        'MulBackward0'
        >>> x.grad_fn is None
        True
        """
        node = self._node()
        return None if node is None else node.result[0]

    @property
    def expr(self) -> ArrayExpr:
        """The formula by which the tensor was computed, as it was written.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True, name="x")
        >>> (x.exp() * x).sum().expr
        sum(exp(x) * x)
        """
        return expression_of(self)

    @property
    def output_nr(self) -> int:
        """The position of this tensor among the results of its operation.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.ones(2).output_nr
        0
        """
        node = self._node()
        return 0 if node is None else node.result[1]

    @property
    def _version(self) -> int:
        """How often the memory was modified."""
        if self._aval.inference:
            raise RuntimeError("Inference tensors do not track version counter.")
        storage = None if self._vertex is None else self._vertex.storage
        return 0 if storage is None else storage.version

    @property
    def grad(self) -> Tensor | None:
        """The accumulated gradient; a tensor of the same shape and dtype may be assigned.

        Raises
        ------
        TypeError, RuntimeError
            On assignment of anything else.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> (x * x).sum().backward()
        >>> x.grad
        tensor([2., 4.])
        >>> (x * x).sum().backward()
        >>> x.grad
        tensor([4., 8.])
        >>> x.grad = None
        """
        found = self._grad
        if found is None and self._rg:
            node = self._node()
            if node is None or node.retains:
                return found
            warnings.warn(_NON_LEAF_GRAD, UserWarning, stacklevel=2)
        return found  # type: ignore[no-any-return]

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            if not isinstance(value, Recorded):
                raise refusal_of(value)(
                    "assigned grad expected to be a Tensor or None but got grad of type "
                    f"{type_name(value)}"
                )
            if value is self:
                raise RuntimeError("can't assign Variable as its own grad")
            _check_grad(self, value, self.grad_dtype if self._node() is None else self._aval.dtype)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    @property
    def grad_dtype(self) -> dtype | None:
        """The dtype of gradients of this leaf: its own, unless another was set; None for any.

        Gradients that arrive are converted to it. It may be None for gradients that are assigned.

        Raises
        ------
        RuntimeError
            For a result; on assignment of anything else, or where there is a gradient of another
            dtype.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> x.grad_dtype = torch.float64
        >>> (x * x).sum().backward()
        >>> x.grad
        tensor([2., 4.], dtype=torch.float64)
        """
        if self._node() is not None:
            raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
        extra = None if self._vertex is None else self._vertex.extra
        kind = OWN_DTYPE if extra is None else extra.grad_dtype
        return self._aval.dtype if kind is OWN_DTYPE else kind

    @grad_dtype.setter
    def grad_dtype(self, value: dtype | None) -> None:
        if self._node() is not None:
            raise RuntimeError("grad_dtype can only be set on leaf tensors.")
        if value is not None and not isinstance(value, dtype):
            raise RuntimeError(
                f"grad_dtype must be a torch.dtype or None, but got {type_name(value)}"
            )
        present = None if self._grad is None else self._grad._aval.dtype
        if value is not None and present is not None and present is not value:
            raise RuntimeError(
                f"Cannot set grad_dtype to '{value.scalar_name}' because there is already a "
                f"gradient with dtype '{present.cpp_name}'. Please clear the gradient (.grad = "
                "None) before changing grad_dtype, or ensure the new grad_dtype matches the "
                "existing gradient's dtype."
            )
        own = value is self._aval.dtype
        extra_of(self._leaf()).grad_dtype = OWN_DTYPE if own else value

    def _is_view(self) -> bool:
        """Whether the tensor shows memory of another tensor, and follows the history of that."""
        base = self._base
        return base is not None and (base._stands_for is None or base._stands_for() is not self)

    def retain_grad(self) -> None:
        """Keep the gradient of this tensor, though it is no leaf, in its `.grad`.

        Raises
        ------
        RuntimeError
            If the tensor does not require a gradient.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> y = x.exp()
        >>> y.retain_grad()
        >>> (y * y).sum().backward()
        >>> y.grad
        tensor([ 5.4366, 14.7781])
        """
        if not self._rg:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        node = self._node()
        if node is not None:
            extra_of(node).retain = weakref.ref(self)

    @property
    def retains_grad(self) -> bool:
        """Whether `retain_grad` was called on this tensor, and it is no leaf.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = x.exp()
        >>> y.retain_grad()
        >>> x.retains_grad, y.retains_grad
        (False, True)
        """
        node = self._node()
        return node is not None and node.retains

    def register_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Call `hook(grad)` whenever the gradient of this tensor has been computed.

        Parameters
        ----------
        hook : callable
            Takes the gradient; may return one that replaces it, of the same shape and dtype. It
            must not change its argument.

        Returns
        -------
        RemovableHandle
            Its `remove()` takes the hook away.

        Raises
        ------
        RuntimeError
            If the tensor does not require a gradient.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> handle = x.register_hook(lambda grad: grad * 2)
        >>> (x * x).sum().backward()
        >>> x.grad
        tensor([4., 8.])
        """
        if not self._rg:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        return extra_of(self._vertex or self._leaf()).add_hook(hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Any], None]) -> RemovableHandle:
        """Call `hook(tensor)` whenever this leaf's `.grad` has been added to.

        Raises
        ------
        RuntimeError
            If the tensor does not require a gradient, or is no leaf.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> handle = x.register_post_accumulate_grad_hook(lambda x: print(x.grad))
        >>> (x * x).sum().backward()
        tensor([2., 4.])
        """
        if not self._rg:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self._node() is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        return add_hook(extra_of(self._vertex or self._leaf()).accumulated, hook)

    def backward(
        self,
        gradient: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Compute the gradient of this tensor and accumulate it into leaves.

        Parameters
        ----------
        gradient : Tensor, optional
            The cotangent of this tensor; one for a tensor of a single element.
        retain_graph : bool, optional
            Keep the saved values for another pass; by default the value of `create_graph`.
        create_graph : bool
            Record the gradients themselves, so that they can be differentiated again.
        inputs : Tensor or sequence of Tensor, optional
            Accumulate into just these.

        Raises
        ------
        RuntimeError
            As `symgrad.autograd.backward`.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> (x**3).backward(torch.tensor([1.0, 10.0]))
        >>> x.grad
        tensor([  3., 120.])
        """
        backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def detach_(self) -> Self:
        """Cut this tensor from its graph, in place, and let it have no tangent.

        In inference mode the tensor stays as it is.

        Raises
        ------
        RuntimeError
            For a view, whose base would keep the history.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> y = x * 2
        >>> y.detach_()
        tensor([2., 4.])
        >>> y.is_leaf
        True
        """
        if state.state.inference:  # inference tensors have no graph to be detached from
            return self
        if self._is_view():
            raise RuntimeError(_DETACHED_VIEW)
        if state.state.batching is not None:
            state.state.batching.refuse(_DETACHED_VIEW, self)
        self._dual = None
        if self._rg:
            if self._base is not None:
                leave(self)
            self._cut = cut_by("detach_", self, _DETACHED)
            require(self, False)
        return self


def _check_grad(x: Recorded, grad: Recorded, kind: dtype | None) -> None:
    if kind is not None and grad._aval.dtype is not kind:
        have = grad._aval.dtype.cpp_name
        want = kind.scalar_name
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{have}' to a tensor with grad_dtype "
            f"'{want}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's "
            "dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None "
            "to allow any dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and "
            "its gradient may break downstream systems that assume they match."
        )
    if grad._aval.shape != x._aval.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(grad._aval.shape)}' to a tensor of "
            f"size '{list(x._aval.shape)}'. Please ensure that the gradient and the tensor are the "
            "same size"
        )
