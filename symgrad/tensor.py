"""`Tensor`: an array with its place in the graph.

What tensors can compute comes from the tables of `symgrad.public`; here stand identity, data, the
attributes of autograd and Python's protocols. Making tensors is in `symgrad.creation`, changing
them in `symgrad.inplace`.
"""

from __future__ import annotations

import operator
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from symgrad import legacy, numpy_interop, ops, queries
from symgrad.arguments import check_flag, device
from symgrad.autograd.dual_level import forward
from symgrad.autograd.graph_cuts import cut_by
from symgrad.autograd.modes import state
from symgrad.autograd.naming import reserve
from symgrad.autograd.node import GraphNode, extra_of
from symgrad.autograd.record import (
    Recorded,
    binary,
    record,
    retyped,
    set_result_class,
    unary,
    wrap,
)
from symgrad.autograd.tangents import tangent_of
from symgrad.autograd.tape import Leaf
from symgrad.autograd.views import outdate
from symgrad.copying import deep_copy, reduced
from symgrad.dispatch import dispatch, overriding
from symgrad.expr.dtypes import Category, default_dtype, dtype
from symgrad.expr.node import check_name
from symgrad.formatting import format_element, tensor_repr
from symgrad.inplace import install_in_place, new_identity, set_item
from symgrad.ops import BINARY_OPERATORS, UNARY_OPERATORS
from symgrad.ops.identity import alias, detach
from symgrad.ops.slicing import unbound
from symgrad.primitive import PRIMITIVES, Elementwise, Primitive
from symgrad.public import METHODS, install
from symgrad.signatures import type_name
from symgrad.size import Size
from symgrad.subclassing import TensorType, default_answer, func_of_operator
from symgrad.utils.dlpack import DLDeviceType, exported
from symgrad.utils.hooks import RemovableHandle, add_hook

if TYPE_CHECKING:
    from symgrad._declared import Methods
else:
    Methods = object  # what it declares comes from the tables, at the end of this file

__all__ = ["Tensor", "layout", "strided"]

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
_NUMPY_OF_GRAD = (
    "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
)
_DETACHED_VIEW = (
    "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel "
    "(DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP "
    "buckets, and hence detach_() cannot be called on these gradients. To fix this error, please "
    "refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
)
_CPU = device("cpu")
_MISSING: Any = object()


class layout:  # noqa: N801 - PyTorch's name
    """How the elements of a tensor lie in memory: always `strided`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.zeros(2).layout is torch.strided
    True
    """

    def __repr__(self) -> str:
        return "torch.strided"


strided = layout()


_NO_SUBCLASS = (
    "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. "
    "Make sure your class inherits from Tensor."
)


class Tensor(Recorded, Methods, metaclass=TensorType):
    """An array that remembers how it was computed.

    `Tensor(2, 3)` makes one of that shape, `Tensor([1, 2])` one of that data, both of the default
    dtype; `symgrad.tensor` is the usual way.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([2., 4.])
    >>> isinstance(x, torch.Tensor)
    True
    """

    __array_priority__ = 1000
    _grad: Any = None
    #: Whether it is an instance of `nn.Parameter`, whatever its class.
    _is_param: bool = False

    _record = staticmethod(record)
    #: The recording form of each elementwise function of one operand.
    _short: ClassVar[dict[type[Primitive], Callable[[Any], Any]]] = {}

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make a tensor of the default dtype: of sizes, or of data."""
        if cls is Tensor:
            return legacy.construct(None, args, kwargs)
        if len(args) == 1 and isinstance(args[0], Tensor) and not kwargs:
            return args[0].as_subclass(cls)
        return retyped(legacy.construct(None, args, kwargs), cls)

    #: How a subclass answers calls that one of its instances takes part in: results are instances.
    __torch_function__ = classmethod(default_answer)
    __symgrad_function__ = classmethod(default_answer)

    def as_subclass(self, cls: type[Any]) -> Any:
        """Return a tensor of class `cls` around the same memory, and with the same history.

        Parameters
        ----------
        cls : type
            `Tensor` or a subclass of it.

        Raises
        ------
        TypeError
            For anything else.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Metres(torch.Tensor):
        ...     pass
        >>> torch.tensor([1.0, 2.0]).as_subclass(Metres) * 2
        Metres([2., 4.])
        """
        if not isinstance(cls, type):
            raise TypeError(f"cls must be a type (got {type(cls).__name__})")
        if not issubclass(cls, Tensor):
            raise TypeError(_NO_SUBCLASS)
        out = record(alias, (self,))
        return out if cls is Tensor else retyped(out, cls)

    @staticmethod
    def _make_subclass(cls: type[Any], data: Tensor, require_grad: bool = False) -> Any:
        """Return a leaf of class `cls` around the memory of `data`."""
        if not issubclass(cls, Tensor):
            raise TypeError(_NO_SUBCLASS)
        out = retyped(record(detach, (data,)), cls)
        out._require(require_grad, "Only Tensors of floating point and complex dtype")
        return out

    # ---------------------------------------------------------------- shape and type

    @property
    def shape(self) -> Size:
        """The lengths of the axes.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).shape
        torch.Size([2, 3])
        """
        return tuple.__new__(Size, self._aval.shape)

    def size(self, dim: int | None = None) -> Any:
        """Return the lengths of the axes, or that of axis `dim`.

        Raises
        ------
        IndexError
            If there is no such axis.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(2, 3)
        >>> x.size()
        torch.Size([2, 3])
        >>> x.size(-1)
        3
        """
        shape = self._aval.shape
        return tuple.__new__(Size, shape) if dim is None else shape[_axis(dim, len(shape))]

    @property
    def dtype(self) -> dtype:
        """The element type.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([1, 2]).dtype
        torch.int64
        """
        return self._aval.dtype

    @property
    def device(self) -> device:
        """Where the tensor is: the CPU.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).device
        device(type='cpu')
        """
        return _CPU

    @property
    def layout(self) -> layout:
        """How the elements lie in memory.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).layout
        torch.strided
        """
        return strided

    @property
    def ndim(self) -> int:
        """The number of axes.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).ndim
        2
        """
        return len(self._aval.shape)

    def dim(self) -> int:
        """Return the number of axes.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).dim()
        2
        """
        return len(self._aval.shape)

    def ndimension(self) -> int:
        """Return the number of axes.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).ndimension()
        2
        """
        return len(self._aval.shape)

    def numel(self) -> int:
        """Return the number of elements.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).numel()
        6
        """
        return self._aval.size

    def nelement(self) -> int:
        """Return the number of elements.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).nelement()
        6
        """
        return self._aval.size

    def element_size(self) -> int:
        """Return the bytes of one element.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, dtype=torch.float64).element_size()
        8
        """
        return self._aval.dtype.itemsize

    @property
    def itemsize(self) -> int:
        """The bytes of one element.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, dtype=torch.float64).itemsize
        8
        """
        return self._aval.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).nbytes
        24
        """
        return self._aval.size * self._aval.dtype.itemsize

    def stride(self, dim: int | None = None) -> Any:
        """Return how many elements apart neighbours along each axis are, or along axis `dim`.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(2, 3)
        >>> x.stride()
        (3, 1)
        >>> x.t().stride()
        (1, 3)
        >>> x.stride(0)
        3
        """
        strides = _strides(self._data)
        return strides if dim is None else strides[_axis(dim, len(strides))]

    def storage_offset(self) -> int:
        """Return the position of the first element in the memory that views share.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.arange(6).view(2, 3)[1].storage_offset()
        3
        """
        base: Any = self._data
        stated: int | None = getattr(base, "storage_offset", None)
        if stated is not None:
            return stated
        while hasattr(base.base, "__array_interface__"):
            base = base.base
        apart = self._data.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        return int(apart // self._aval.dtype.itemsize)

    def data_ptr(self) -> int:
        """Return the address of the first element.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(4)
        >>> x[2:].data_ptr() - x.data_ptr()
        8
        """
        return int(self._data.__array_interface__["data"][0])

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Return whether the elements lie in order and without gaps.

        Parameters
        ----------
        memory_format : object
            Accepted: the order is always that of the axes.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(2, 3)
        >>> x.is_contiguous(), x.t().is_contiguous()
        (True, False)
        """
        return bool(self._data.flags.c_contiguous)

    def is_floating_point(self) -> bool:
        """Return whether the elements are real floating-point numbers.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([1.0]).is_floating_point(), torch.tensor([1]).is_floating_point()
        (True, False)
        """
        return self._aval.dtype.is_floating_point

    def is_complex(self) -> bool:
        """Return whether the elements are complex.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([1j]).is_complex(), torch.tensor([1.0]).is_complex()
        (True, False)
        """
        return self._aval.dtype.is_complex

    def is_signed(self) -> bool:
        """Return whether the elements may be negative.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([1]).is_signed(), torch.tensor([True]).is_signed()
        (True, False)
        """
        return self._aval.dtype.is_signed

    def is_same_size(self, other: Tensor) -> bool:
        """Return whether the shapes are equal.

        Parameters
        ----------
        other : Tensor
            Of any dtype.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).is_same_size(torch.ones(2, 3, dtype=torch.int64))
        True
        """
        return self._aval.shape == other._aval.shape

    def equal(self, other: Tensor) -> bool:
        """Return whether another tensor has the same shape and elements.

        Parameters
        ----------
        other : Tensor
            Of any dtype.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0])
        >>> x.equal(x.clone()), x.equal(torch.tensor([1.0, 3.0]))
        (True, False)
        """
        return queries.equal(self, other)

    is_cuda = is_sparse = is_quantized = is_meta = is_mps = is_nested = False

    def is_inference(self) -> bool:
        """Return whether the tensor was made in inference mode.

        Examples
        --------
        >>> import symgrad as torch
        >>> with torch.inference_mode():
        ...     x = torch.ones(2)
        >>> x.is_inference(), x.clone().is_inference()
        (True, False)
        """
        return self._aval.inference

    def is_pinned(self) -> bool:
        """Return whether the memory is pinned for a GPU: never.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).is_pinned()
        False
        """
        return False

    def is_shared(self) -> bool:
        """Return whether the memory is shared between processes: never.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).is_shared()
        False
        """
        return False

    def get_device(self) -> int:
        """Return -1, which stands for the CPU.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).get_device()
        -1
        """
        return -1

    @property
    def weak(self) -> bool:
        """Whether this is a Python number, which never decides a dtype: no.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor(2.0).weak
        False
        """
        return False

    # ---------------------------------------------------------------- place in the graph

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
        if isinstance(self._vertex, Leaf):
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

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set `requires_grad` and return the tensor.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).requires_grad_()
        tensor([0., 0.], requires_grad=True)
        """
        check_flag("requires_grad_", "requires_grad", requires_grad, 1)
        if state.state.batching is not None:
            state.state.batching.refuse("requires_grad_")
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
        if value != self._rg:
            self._rg = value
            new_identity(self)
            outdate(self)

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
    def expr(self) -> Any:
        """The formula by which the tensor was computed, as it was written.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True, name="x")
        >>> (x.exp() * x).sum().expr
        sum(exp(x) * x)
        """
        from symgrad.explain import expression_of  # noqa: PLC0415 - only when asked for

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
        return self._output_nr if node is None else self._output_nr or node.result[1]

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
            if not isinstance(value, Tensor):
                raise TypeError(
                    "assigned grad expected to be a Tensor or None but got grad of type "
                    f"{type_name(value)}"
                )
            if value is self:
                raise RuntimeError("can't assign Variable as its own grad")
            _check_grad(self, value)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    def _is_view(self) -> bool:
        """Whether the tensor shows the memory of another one, and its history follows it."""
        return self._base is not None

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
        return add_hook(extra_of(self._vertex or self._leaf()).hooks, hook)

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
        from symgrad.autograd.api import backward  # noqa: PLC0415 - it imports what imports this

        backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def detach_(self) -> Tensor:
        """Cut this tensor from its graph, in place.

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
        if self._base is not None:
            raise RuntimeError(_DETACHED_VIEW)
        if self._rg:
            self._rg = False
            self._cut = cut_by("detach_", self)
            new_identity(self)
        return self

    # ---------------------------------------------------------------- data

    @property
    def data(self) -> Tensor:
        """The same memory without history or version; a tensor may be assigned.

        Raises
        ------
        TypeError, RuntimeError
            On assignment of what is no tensor, or of integers where a gradient is required.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> x.data.add_(10.0)
        tensor([11., 12.])
        >>> x
        tensor([11., 12.], requires_grad=True)
        """
        if state.state.batching is not None:
            state.state.batching.refuse("data", self)
        out: Tensor = wrap(self._data, self._aval)
        out._cut = cut_by("data", self) if self._rg else self._cut
        return out

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type_name(value)}")
        if self._rg and not value._aval.dtype.differentiable:
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex "
                "dtype"
            )
        if state.state.batching is not None:
            state.state.batching.refuse("data =", self, value)
        same = value._aval is self._aval
        self._data = value._data
        self._aval = value._aval
        if not (same and self._rg):
            new_identity(self)

    def item(self) -> Any:
        """Return the one element as a Python number.

        Raises
        ------
        RuntimeError
            If there is not exactly one element.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([2.5]).item()
        2.5
        """
        if self._aval.size != 1:
            raise RuntimeError(
                f"a Tensor with {self._aval.size} elements cannot be converted to Scalar"
            )
        return self._data.item()

    def tolist(self) -> Any:
        """Return the elements as nested lists of Python numbers, a number for a 0-d tensor.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([[1.0, 2.0], [3.0, 4.0]]).tolist()
        [[1.0, 2.0], [3.0, 4.0]]
        >>> torch.tensor(5).tolist()
        5
        """
        return self._data.tolist()

    def numpy(self, *, force: bool = False) -> np.ndarray[Any, Any]:
        """Return an array that shares the memory.

        Parameters
        ----------
        force : bool
            Also where a gradient is required, whose graph the array leaves.

        Raises
        ------
        RuntimeError
            If a gradient is required.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(2)
        >>> x.numpy()[0] = 7
        >>> x
        tensor([7., 0.])
        """
        if self._rg and not force and state.state.enabled:
            raise RuntimeError(_NUMPY_OF_GRAD)
        return self._data.view()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        data = self.numpy()
        if dtype is not None and np.dtype(dtype) != data.dtype:
            if copy is False:
                raise ValueError("Unable to avoid copy while creating an array as requested.")
            return data.astype(dtype)
        return data.copy() if copy else data

    def __dlpack__(
        self,
        *,
        stream: Any = -1,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        return exported(self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[DLDeviceType, int]:
        return DLDeviceType.kDLCPU, 0

    __array_ufunc__ = numpy_interop.array_ufunc
    __array_function__ = numpy_interop.array_function

    # ---------------------------------------------------------------- Python's protocols

    def __len__(self) -> int:
        if not self._aval.shape:
            raise TypeError("len() of a 0-d tensor")
        return self._aval.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self._aval.shape:
            raise TypeError("iteration over a 0-d tensor")
        return iter(unbound(self, 0))

    def __reversed__(self) -> Any:
        return self.flip(0) if self._aval.shape else self

    def __contains__(self, element: Any) -> bool:
        if not isinstance(element, (Tensor, bool, int, float, complex, np.number, np.bool_)):
            raise RuntimeError(
                "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
                f"{type(element)}."
            )
        if not isinstance(element, Tensor):
            return bool((self._data == element).any())
        return bool(element.eq(self)._data.any())

    __setitem__ = set_item

    def __delitem__(self, index: object) -> None:
        raise TypeError("Tensor does not support deleting items")

    def _single(self) -> Any:
        if self._aval.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self._data.item()

    def __bool__(self) -> bool:
        if self._aval.size != 1:
            kind = "more than one value" if self._aval.size else "no values"
            raise RuntimeError(f"Boolean value of Tensor with {kind} is ambiguous")
        return bool(self._data)

    def __float__(self) -> float:
        value = self._single()
        if self._rg:
            warnings.warn(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected "
                "behavior.\nConsider using tensor.detach() first.",
                UserWarning,
                stacklevel=2,
            )
        return float(_real(value, "double"))

    def __int__(self) -> int:
        return int(_real(self._single(), "int64_t"))

    def __complex__(self) -> complex:
        return complex(self._single())

    def __index__(self) -> int:
        if self._aval.size != 1 or self._aval.dtype.category >= Category.FLOAT:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return operator.index(self._data.item())

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> Any:
        return self.eq(other) if numpy_interop.is_operand(other) else _foreign("eq")(self, other)

    def __ne__(self, other: object) -> Any:
        return self.ne(other) if numpy_interop.is_operand(other) else _foreign("ne")(self, other)

    def __pos__(self) -> Tensor:
        return self

    def __format__(self, spec: str) -> str:
        if self._aval.shape or type(self) is not Tensor:
            return object.__format__(self, spec)
        return format_element(self._data, spec) if spec else _plain(self)

    def __repr__(self) -> str:
        shown = getattr(self._data, "shown", None)  # inside `vmap` there are no elements to print
        if shown is not None:
            return str(shown())
        node = self.grad_fn
        text = tensor_repr(
            self._data,
            requires_grad=self._rg,
            grad_fn=None if node is None else node.name().rpartition("::")[2],
            default_float=default_dtype().numpy,
            prefix=f"{self._title()}(",
            extra=[] if forward.level is None else _tangent_text(self),
        )
        return f"Parameter({text})" if self._is_param and self._title() != "tensor" else text

    @classmethod
    def _title(cls) -> str:
        """Return what the text of an instance begins with."""
        return "tensor" if cls is Tensor else cls.__name__

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return reduced(self)


def _axis(dim: Any, ndim: int) -> int:
    i = operator.index(dim)
    if not ndim:
        raise IndexError(f"Dimension specified as {i} but tensor has no dimensions")
    if not -ndim <= i < ndim:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got "
            f"{i})"
        )
    return i


def _strides(data: np.ndarray[Any, Any]) -> tuple[int, ...]:
    # NumPy leaves the strides of axes of length 0 and 1 open; PyTorch's are those of the elements.
    if data.flags.c_contiguous and not {0, 1}.isdisjoint(data.shape):
        out, step = [], 1
        for n in reversed(data.shape):
            out.append(step)
            step *= max(n, 1)
        return tuple(reversed(out))
    return tuple(s // data.itemsize for s in data.strides)


def _real(value: Any, kind: str) -> Any:
    if isinstance(value, complex):
        if value.imag:
            raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
        return value.real
    return value


def _tangent_text(x: Tensor) -> list[str]:
    tangent = tangent_of(x)
    return [] if tangent is None else [f"tangent={tangent!r}"]


def _plain(x: Tensor) -> str:
    """Return the text of a 0-d tensor in an f-string: that of its number."""
    return format(x._data.item(), "")


def _check_grad(x: Tensor, grad: Tensor) -> None:
    if grad._aval.dtype is not x._aval.dtype:
        names = {
            "float64": "double", "float32": "float", "float16": "c10::Half", "int64": "long int",
            "int16": "short int", "int32": "int", "int8": "signed char", "uint8": "unsigned char",
            "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
        }  # fmt: skip
        have = names.get(grad._aval.dtype.name, grad._aval.dtype.name)
        want = x._aval.dtype.scalar_name
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


def _foreign(operator: str) -> Callable[[Any, Any], Any]:
    """Return what an operator makes of an operand that is none: the operand may answer itself."""

    def ask(a: Any, b: Any) -> Any:
        found = overriding((a, b), {})
        if not found:
            return NotImplemented
        return dispatch(func_of_operator(Tensor, operator), found, (a, b), {})

    return ask


def _accelerate() -> None:
    """Exchange the public forms of elementwise operations for their short recording forms."""
    for name, cls in PRIMITIVES.items():
        if not issubclass(cls, Elementwise) or cls.params or cls.arity != 1:
            continue
        Tensor._short[cls] = short = unary(cls)
        # A public function written by hand may do more: conj() of a real tensor is the tensor.
        method = METHODS.get(name)
        if method is not None and method.__module__ == ops.__name__:
            short.__doc__ = method.__doc__
            setattr(Tensor, name, short)
    for name, cls in BINARY_OPERATORS.items():
        for special, reflected in ((f"__{name}__", False), (f"__r{name}__", True)):
            operator = binary(cls, reflected, _foreign(special))
            operator.__name__, operator.__qualname__ = special, f"Tensor.{special}"
            setattr(Tensor, special, operator)
    for name, cls in UNARY_OPERATORS.items():
        setattr(Tensor, f"__{name}__", Tensor._short[cls])


_accelerate()
install(Tensor)
install_in_place(Tensor)
set_result_class(Tensor)
Tensor.__setitem__.__name__ = "__setitem__"
