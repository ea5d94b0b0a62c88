"""What PyTorch has and symgrad has not: one error, and for each part what there is instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class NotInSymgrad(AttributeError, NotImplementedError):
    """The error for a part of PyTorch's that symgrad has not.

    It is an `AttributeError`, so that `hasattr` is False and `getattr` takes its default.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.onnx
    Traceback (most recent call last):
        ...
    symgrad.support.absent.NotInSymgrad: torch.onnx is not in symgrad: it is for graphs \
in files of other programs. Use instead: torch.to_sympy, and the printers of code of SymPy
    >>> hasattr(torch, "onnx")
    False
    """


#: What each part is for, and what there is instead.
ABSENT: dict[str, tuple[str, str]] = {
    "__config__": ("what PyTorch was built with", "numpy.show_config, and torch.version"),
    "_dynamo": ("compiling programs", "torch.compile, which returns the function itself"),
    "_inductor": ("compiling programs", "torch.compile, which returns the function itself"),
    "ao": ("layers of quantised numbers", "layers of float16, float32 and float64"),
    "as_strided_scatter": ("writes through strides", "torch.slice_scatter, select_scatter"),
    "bfloat16": ("numbers of a dtype that NumPy has not", "torch.float16 and torch.float32"),
    "empty_strided": ("memory of a chosen layout", "torch.empty, and Tensor.as_strided"),
    "export": ("graphs as programs of their own", "torch.symbolic_trace, and Tensor.expr"),
    "func.debug_unwrap": ("what transforms wrap tensors in", "the function without a transform"),
    "func.functionalize": (
        "programs without changes in place", "the function itself: formulas have no such changes",
    ),
    "func.rearrange": ("axes by words", "torch.einsum, Tensor.permute and Tensor.reshape"),
    "futures": ("results of other processes", "concurrent.futures of Python"),
    "fx": ("rewriting programs", "torch.symbolic_trace, and Tensor.expr"),
    "geqrf": ("reflectors as LAPACK has them", "torch.linalg.qr"),
    "histogramdd": ("counts in boxes of several axes", "torch.histogram, bincount"),
    "hub": ("models to be downloaded", "torch.load of a file"),
    "library": ("operations in C++", "torch.autograd.Function"),
    "lobpcg": ("a few eigenvalues of large matrices", "torch.linalg.eigh, or SciPy's lobpcg"),
    "mtia": ("devices of Meta's", "the CPU"),
    "multiprocessing": ("tensors that processes share", "threads, which share all tensors"),
    "nested": ("tensors of rows of several lengths", "torch.nn.utils.rnn.pad_sequence"),
    "nn.Container": ("modules without a forward of their own", "torch.nn.Module"),
    "nn.LinearCrossEntropyOptions": (
        "losses in pieces", "torch.nn.functional.linear_cross_entropy without options",
    ),
    "nn.SyncBatchNorm": ("batches of several processes", "torch.nn.BatchNorm1d, 2d and 3d"),
    "nn.attention": (
        "attention as GPUs compute it", "torch.nn.functional.scaled_dot_product_attention",
    ),
    "nn.common_types": ("types of arguments", "int and float, and tuples of them"),
    "nn.factory_kwargs": ("arguments of constructors", "device and dtype by name"),
    "nn.functional.ScalingType": ("numbers of eight bits", "torch.matmul of other numbers"),
    "nn.functional.SwizzleType": ("numbers of eight bits", "torch.matmul of other numbers"),
    "nn.functional.assert_int_or_pair": (
        "checks of arguments", "functions, which check their own",
    ),
    "nn.functional.grouped_mm": ("products of several matrices", "torch.matmul of each"),
    "nn.functional.scaled_grouped_mm": ("numbers of eight bits", "torch.matmul of other numbers"),
    "nn.functional.scaled_mm": ("numbers of eight bits", "torch.matmul of other numbers"),
    "nn.grad": ("gradients of convolutions", "torch.autograd.grad"),
    "nn.intrinsic": ("layers of quantised numbers", "layers of float16, float32 and float64"),
    "nn.parallel": ("batches on several GPUs", "the module itself"),
    "nn.qat": ("layers of quantised numbers", "layers of float16, float32 and float64"),
    "nn.quantizable": ("layers of quantised numbers", "layers of float16, float32 and float64"),
    "nn.quantized": ("layers of quantised numbers", "layers of float16, float32 and float64"),
    "nonzero_static": ("indices of a known number", "torch.nonzero"),
    "onnx": (
        "graphs in files of other programs",
        "torch.to_sympy, and the printers of code of SymPy",
    ),
    "optim.swap_in_optimizer_params_and_state": (
        "steps of other parameters", "torch.optim.Optimizer.load_state_dict, and copies",
    ),
    "package": ("archives of programs", "torch.save and torch.load"),
    "quantization": ("layers of quantised numbers", "layers of float16, float32 and float64"),
    "segment_reduce": (
        "reductions of parts of several lengths",
        "torch.Tensor.scatter_reduce, with torch.repeat_interleave for the places",
    ),
    "signal": ("windows by further formulas", "torch.hann_window, kaiser_window and their kin"),
    "sparse": ("tensors that leave zeros out", "tensors of all elements, torch.strided"),
    "sparse_coo": ("tensors that leave zeros out", "tensors of all elements, torch.strided"),
    "sparse_coo_tensor": (
        "tensors that leave zeros out", "torch.zeros and Tensor.index_put_",
    ),
    "sparse_csr": ("tensors that leave zeros out", "tensors of all elements, torch.strided"),
    "sparse_csr_tensor": (
        "tensors that leave zeros out", "torch.zeros and Tensor.index_put_",
    ),
    "testing.make_tensor": ("random tensors of tests", "torch.rand, randn and randint"),
    "utils.benchmark": ("times of parts of programs", "timeit of Python"),
    "utils.cpp_extension": ("operations in C++", "torch.autograd.Function"),
    "utils.data.DistributedSampler": (
        "data that several processes share", "torch.utils.data.RandomSampler, of one process",
    ),
    "utils.tensorboard": ("records for TensorBoard", "a program's own files"),
    # Parts of modules that there are.
    "amp.*": ("fewer bits than tensors have", "float16, float32 and float64, as tensors have them"),
    "cuda.*": ("what a GPU computes", "the CPU: torch.cuda.is_available() is False"),
    "distributed.*": (
        "computations of several processes",
        "one process: torch.distributed.is_available() is False",
    ),
    "jit.*": ("compiled programs", "torch.jit.script and trace, which return what they are given"),
    "compiler.*": ("compiled programs", "torch.compile, which returns the function itself"),
    "mps.*": ("what a GPU of Apple's computes", "the CPU: torch.mps.is_available() is False"),
    "xpu.*": ("what a GPU of Intel's computes", "the CPU: torch.xpu.is_available() is False"),
    "accelerator.*": (
        "what devices compute", "the CPU: torch.accelerator.is_available() is False",
    ),
    "backends.*": ("libraries that NumPy does not use", "cpu, cuda, cudnn, mkl and their kin"),
    "profiler.*": ("times of devices", "torch.profiler.profile, of the CPU"),
}  # fmt: skip


def error_of(space: str, name: str) -> AttributeError:
    """Return the error for an attribute that a module has not.

    Parameters
    ----------
    space, name : str
        The module as PyTorch's programs name it below `torch`, empty for that itself, and the
        attribute.
    """
    path = f"{space}.{name}" if space else name
    found = ABSENT.get(path) or (ABSENT.get(f"{space}.*") if name[0] != "_" else None)
    if found is None:
        module = f"symgrad.{space}".rstrip(".")
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    purpose, instead = found
    return NotInSymgrad(
        f"torch.{path} is not in symgrad: it is for {purpose}. Use instead: {instead}"
    )


def refused(space: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module that has a part of what PyTorch's has."""

    def __getattr__(name: str) -> Any:
        raise error_of(space, name)

    return __getattr__
