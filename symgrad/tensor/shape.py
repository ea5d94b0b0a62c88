"""What a tensor and a formula say alike of their shape, their element type and their device.

What formulas state in their class is not here; what tensors say of their memory is in `layout`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symgrad.expr.devices import device
from symgrad.expr.dtypes import dtype
from symgrad.expr.shapes import size_of
from symgrad.expr.size import Size
from symgrad.schema.public import with_schema
from symgrad.tensor.parts import MemberGroup

if TYPE_CHECKING:
    from symgrad.tensor.tensor import Tensor

_CPU = device("cpu")


def _always(name: str, answer: bool, question: str) -> property:
    """Return a property with the same value for all tensors but those of subclasses that answer."""

    def always(self: Any) -> bool:
        return answer

    always.__doc__ = f"""{question}: {"always" if answer else "never"}.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.zeros(2).{name}
    {answer}
    """
    return property(always)


class ShapeMembers(MemberGroup):
    """Shape, element type and device, of a tensor or of a formula."""

    if TYPE_CHECKING:  # which both classes state themselves

        @property
        def shape(self) -> Size: ...
        @property
        def dtype(self) -> dtype: ...
        @property
        def ndim(self) -> int: ...

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

    def ndimension(self) -> int:
        """Return the number of axes.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).ndimension()
        2
        """
        return self.ndim

    def numel(self) -> int:
        """Return the number of elements.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).numel()
        6
        """
        return size_of(self.shape)

    def nelement(self) -> int:
        """Return the number of elements.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).nelement()
        6
        """
        return self.numel()

    def element_size(self) -> int:
        """Return the bytes of one element.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, dtype=torch.float64).element_size()
        8
        """
        return self.dtype.itemsize

    @property
    def itemsize(self) -> int:
        """The bytes of one element.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, dtype=torch.float64).itemsize
        8
        """
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).nbytes
        24
        """
        return self.numel() * self.dtype.itemsize

    def is_floating_point(self) -> bool:
        """Return whether the elements are real floating-point numbers.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([1.0]).is_floating_point(), torch.tensor([1]).is_floating_point()
        (True, False)
        """
        return self.dtype.is_floating_point

    def is_complex(self) -> bool:
        """Return whether the elements are complex.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([1j]).is_complex(), torch.tensor([1.0]).is_complex()
        (True, False)
        """
        return self.dtype.is_complex

    def is_signed(self) -> bool:
        """Return whether the elements may be negative.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([1]).is_signed(), torch.tensor([True]).is_signed()
        (True, False)
        """
        return self.dtype.is_signed

    @with_schema("is_same_size(Tensor self, Tensor other) -> bool", method=True)
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
        return tuple(self.shape) == tuple(other.shape)

    def get_device(self) -> int:
        """Return -1, which stands for the CPU.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).get_device()
        -1
        """
        return -1

    is_cpu = _always("is_cpu", True, "Whether the elements are in the memory of the CPU")
    is_cuda = _always("is_cuda", False, "Whether the elements are in the memory of a GPU")
    is_ipu = _always("is_ipu", False, "Whether the elements are on a device of Graphcore's")
    is_maia = _always("is_maia", False, "Whether the elements are on a device of Microsoft's")
    is_mps = _always("is_mps", False, "Whether the elements are on a device of Apple's")
    is_mtia = _always("is_mtia", False, "Whether the elements are on a device of Meta's")
    is_vulkan = _always("is_vulkan", False, "Whether the elements are on a device driven by Vulkan")
    is_xla = _always("is_xla", False, "Whether the elements are on a device driven by XLA")
    is_xpu = _always("is_xpu", False, "Whether the elements are on a device of Intel's")
    is_meta = _always(
        "is_meta", False, "Whether there are no elements, but a shape and a dtype alone"
    )
    is_mkldnn = _always(
        "is_mkldnn", False, "Whether the elements lie as a library of Intel's has them"
    )
    is_nested = _always("is_nested", False, "Whether the entries are tensors of different lengths")
    is_quantized = _always(
        "is_quantized", False, "Whether the elements are integers that stand for real numbers"
    )
    is_sparse = _always("is_sparse", False, "Whether zeros have no place in memory")
    is_sparse_csr = _always("is_sparse_csr", False, "Whether rows are kept without their zeros")
