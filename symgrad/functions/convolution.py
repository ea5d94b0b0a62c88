"""What users call of `symgrad.ops.convolution`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.expr.dtypes import Category, bool_, int64, no_kernel
from symgrad.expr.shapes import Shape
from symgrad.functions.rearranging import pad
from symgrad.ops.convolution import (
    Biased,
    Convolution,
    biased_convolution,
    biased_transposed,
    convolution,
    convolution_transposed,
    transposed_sizes,
)
from symgrad.ops.primitive import bind
from symgrad.record.face import shows
from symgrad.schema.public import FUNCTIONS, public


def _facts(node: Any) -> dict[str, Any]:
    """Return what the node of a convolution shows beside its operands."""
    if node.dtype.is_complex:
        return {}
    x, w, *bias = node.operands
    transposed = type(node) in (convolution_transposed, biased_transposed)
    further: Shape = (0,) * len(node.sizes)
    if transposed:
        least = transposed_sizes(x.shape[2:], w.shape[2:], *node.param_values[1:4])
        further = tuple([n - m for n, m in zip(node.sizes, least, strict=True)])
    return {
        "bias_sym_sizes_opt": bias[0].shape if bias else (0,),
        "dilation": node.dilation,
        "groups": node.groups,
        "output_padding": further,
        "padding": node.padding,
        "stride": node.stride,
        "transposed": transposed,
    }


def _with_bias(edges: list[int | None]) -> list[int | None]:
    """Return the edges with one for the bias, where there is none."""
    return [*edges, None][:3]


def _title(node: Any) -> str:
    """Return the name: PyTorch adds the convolutions of real and of imaginary parts."""
    return "Add" if node.dtype.is_complex else "Convolution"


shows(
    convolution,
    convolution_transposed,
    biased_convolution,
    biased_transposed,
    name=_title,
    saved=("input", "weight", "bias"),
    facts=_facts,
    keeps=(0, 1),
    edges=_with_bias,
)


def _listed(value: Any) -> Shape:
    """Return numbers for axes; a default is one number."""
    return value if isinstance(value, tuple) else (value,)


class _Call:
    """The arguments of a call that are the same for all convolutions, checked as PyTorch does."""

    def __init__(
        self, name: str, rank: int, input: Any, weight: Any, bias: Any, groups: int, **ways: Any
    ) -> None:
        self.name, self.rank = name, rank
        self.input, self.weight, self.bias, self.groups = input, weight, bias, groups
        if len(input.shape) not in (rank + 1, rank + 2):
            raise RuntimeError(
                f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to {name}, but "
                f"got input of size: {list(input.shape)}"
            )
        if len(weight.shape) < 3:
            raise RuntimeError("weight should have at least three dimensions")
        self.kernel = tuple(weight.shape[2:])
        self.ways = {key: self._for_each(key, value) for key, value in ways.items()}

    def _for_each(self, name: str, value: Any) -> Shape:
        """Return a number for each axis."""
        given, rank = _listed(value), len(self.kernel)
        if len(given) not in (1, rank):
            raise RuntimeError(
                f"expected {name} to be a single integer value or a list of {rank} values to match "
                f"the convolution dimensions, but got {name}={list(given)}"
            )
        return given if len(given) == rank else given * rank

    def check_numbers(self) -> None:
        """Raise PyTorch's error where a number is out of its range."""
        ways, weight = self.ways, self.weight.shape
        for name in ("padding", "output_padding"):
            if any(n < 0 for n in ways.get(name, ())):
                raise RuntimeError(f"negative {name} is not supported")
        if any(n <= 0 for n in ways["stride"]):
            raise RuntimeError("non-positive stride is not supported")
        if any(n <= 0 for n in ways["dilation"]):
            raise RuntimeError(
                f"dilation should be greater than zero, but got {list(ways['dilation'])}"
            )
        if self.groups <= 0:
            raise RuntimeError("non-positive groups is not supported")
        if len(self.kernel) != self.rank:
            raise RuntimeError(
                f"Expected {len(weight)}-dimensional input for {len(weight)}-dimensional weight "
                f"{list(weight)}, but got {self.rank + 2}-dimensional input of size "
                f"{list(self.input.shape)} instead"
            )
        for word, fails in (
            (f"at least {self.groups}", weight[0] < self.groups),
            (f"divisible by {self.groups}", weight[0] % self.groups),
        ):
            if fails:
                raise RuntimeError(
                    f"Given groups={self.groups}, expected weight to be {word} at dimension 0, but "
                    f"got weight of size {list(weight)} instead"
                )
        if 0 in self.kernel:
            raise RuntimeError(
                f"kernel size should be greater than zero, but got {list(self.kernel)}"
            )

    def check_channels(self, given: str, channels: int, outputs: int) -> None:
        """Raise PyTorch's error where channels do not fit."""
        found, weight = self.input.shape[-self.rank - 1], list(self.weight.shape)
        if found != channels:
            batched = [1] * (len(self.input.shape) == self.rank + 1) + list(self.input.shape)
            raise RuntimeError(
                f"Given {given}, weight of size {weight}, expected input{batched} to have "
                f"{channels} channels, but got {found} channels instead"
            )
        if self.bias is not None and tuple(self.bias.shape) != (outputs,):
            raise RuntimeError(
                f"Given {'' if given.startswith('groups') else given + ', '}weight of size "
                f"{weight}, expected bias to be 1-dimensional with {outputs} elements, but got "
                f"bias of size {list(self.bias.shape)} instead"
            )

    def check_dtypes(self) -> None:
        """Raise PyTorch's error where dtypes differ, or there is no product.

        A convolution compares the bias first, which layers have; a transposed one the weight.
        """
        kind, transposed = self.input.dtype, self.name.startswith("conv_transpose")
        if not transposed:
            self._check_bias()
            if kind is bool_:
                raise no_kernel(f"slow_{self.name}_cpu", kind)
        if self.weight.dtype is not kind:
            if transposed and kind.category <= Category.INT and kind is not int64:
                raise no_kernel(f"slow_conv_transpose{max(self.rank, 2)}d_out_cpu", kind)
            raise RuntimeError(
                f"expected scalar type {kind.scalar_name} but found {self.weight.dtype.scalar_name}"
            )
        self._check_bias()
        if kind is bool_:
            raise no_kernel(f"slow_{self.name}_cpu", kind)

    def _check_bias(self) -> None:
        kind = self.input.dtype
        if self.bias is not None and self.bias.dtype is not kind:
            raise RuntimeError(
                f"Input type ({kind.cpp_name}) and bias type ({self.bias.dtype.cpp_name}) should be "
                "the same"
            )

    def made(self, cls: type[Convolution], biased: type[Biased], sizes: Shape) -> Any:
        """Return the operation on one more axis of one sample, where the input has no samples."""
        alone = len(self.input.shape) == self.rank + 1
        x = self.input.unsqueeze(0) if alone else self.input
        ways = [self.ways[name] for name in ("stride", "padding", "dilation")]
        params = (sizes, *ways, self.groups)
        if self.bias is None:
            found = bind(cls, (x, self.weight), params)
        else:
            found = bind(biased, (x, self.weight, self.bias), params)
        return found.squeeze(0) if alone else found


def _same(rank: int, input: Any, weight: Any, stride: Any, dilation: Any) -> tuple[Any, Shape]:
    """Return the input, and the padding, of outputs of the same size; a longer end is added to it."""
    stride, dilation = _listed(stride), _listed(dilation)
    if any(s != 1 for s in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    if len(dilation) not in (1, rank):
        raise RuntimeError(f"dilation cannot broadcast to {rank} dimensions")
    dilation = dilation * (rank if len(dilation) == 1 else 1)
    total = [d * (k - 1) for d, k in zip(dilation, weight.shape[2:], strict=False)]
    uneven = [0, *[n % 2 for n in total[::-1]]]
    if any(uneven):
        input = pad(input, [n for k in uneven[1:] for n in (0, k)])
    return input, tuple([n // 2 for n in total])


def _convolved(
    rank: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:  # fmt: skip
    name, ways = f"conv{rank}d", {"stride": stride, "dilation": dilation}
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise RuntimeError(f"Invalid padding string: '{padding}'")
        _Call(name, rank, input, weight, bias, groups, **ways)
        same = padding == "same" and len(weight.shape) == rank + 2
        padding = 0
        if same:
            input, padding = _same(rank, input, weight, stride, dilation)
    call = _Call(name, rank, input, weight, bias, groups, padding=padding, **ways)
    call.check_numbers()
    outputs, channels = weight.shape[:2]
    call.check_channels(f"groups={groups}", channels * groups, outputs)
    each = zip(call.input.shape[-rank:], call.kernel, *[call.ways[k] for k in ("padding", "dilation")], strict=True)  # fmt: skip
    free = [n + 2 * p - d * (k - 1) - 1 for n, k, p, d in each]
    if any(n < 0 for n in free):
        padded = [n + 2 * p for n, p in zip(input.shape[-rank:], call.ways["padding"], strict=True)]
        reach = [d * (k - 1) + 1 for k, d in zip(call.kernel, call.ways["dilation"], strict=True)]
        raise RuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, padded))}). Kernel "
            f"size: ({' x '.join(map(str, reach))}). Kernel size can't be greater than actual input "
            "size"
        )
    call.check_dtypes()
    sizes = tuple([n // s + 1 for n, s in zip(free, call.ways["stride"], strict=True)])
    return call.made(convolution, biased_convolution, sizes)


def _transposed(
    rank: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, output_padding: Any,
    groups: int, dilation: Any,
) -> Any:  # fmt: skip
    name = f"conv_transpose{rank}d"
    ways = {"stride": stride, "padding": padding, "dilation": dilation}
    call = _Call(name, rank, input, weight, bias, groups, output_padding=output_padding, **ways)
    call.check_numbers()
    channels, outputs = weight.shape[:2]
    call.check_channels("transposed=1", channels, outputs * groups)
    given = [call.ways[key] for key in ("stride", "padding", "dilation")]
    further = call.ways["output_padding"]
    least = transposed_sizes(call.input.shape[-rank:], call.kernel, *given)
    sizes = tuple([n + m for n, m in zip(least, further, strict=True)])
    if any(n < 1 for n in sizes):
        shown = " x ".join(map(str, input.shape[-rank:]))
        raise RuntimeError(
            f"Given input size per channel: ({shown}). Calculated output size per channel: "
            f"({' x '.join(map(str, sizes))}). Output size is too small"
        )
    if any(n >= s and n >= d for n, s, d in zip(further, given[0], given[2], strict=True)):
        raise RuntimeError(
            "output padding must be smaller than either stride or dilation, but got "
            f"output_padding={list(further)}, stride={list(given[0])}, dilation={list(given[2])}"
        )
    call.check_dtypes()
    return call.made(convolution_transposed, biased_transposed, sizes)


@public(
    "conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] padding=0, int[1] dilation=1, int groups=1) -> Tensor",
    "conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, str padding=valid, int[1] dilation=1, int groups=1) -> Tensor",
    aliases=("nn.functional.conv1d",),
    method=False,
)
def _conv1d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: int = 1,
) -> Any:  # fmt: skip
    """Return the sums of products of each window of 1 axis with `weight`, plus `bias`.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, l), or without the axis of samples.
    weight : Tensor or ArrayExpr
        Of shape (o, c / groups, *kernel).
    bias : Tensor or ArrayExpr, optional
        A number for each of the o channels of the result.
    stride, dilation : int or sequence of int
        How far apart windows lie, and how far apart the elements of one window lie.
    padding : int, sequence of int, "same" or "valid"
        How many zeros stand around the input; "same" as many as give a result of the same size,
        "valid" none.
    groups : int
        Into how many groups channels are divided; only channels of one group meet.

    Raises
    ------
    RuntimeError
        If shapes, dtypes or numbers do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, weight = torch.tensor([[1.0, 2.0, 4.0, 8.0]]), torch.tensor([[[1.0, 10.0]]])
    >>> torch.nn.functional.conv1d(x, weight)
    tensor([[21., 42., 84.]])
    >>> torch.nn.functional.conv1d(x, weight, padding="same")
    tensor([[21., 42., 84.,  8.]])
    """
    return _convolved(1, input, weight, bias, stride, padding, dilation, groups)


@public(
    "conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] dilation=1, int groups=1) -> Tensor",
    "conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, str padding=valid, int[2] dilation=1, int groups=1) -> Tensor",
    aliases=("nn.functional.conv2d",),
    method=False,
)
def _conv2d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: int = 1,
) -> Any:  # fmt: skip
    """Return the sums of products of each window of 2 axes with `weight`, plus `bias`.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, h, w), or without the axis of samples.
    weight : Tensor or ArrayExpr
        Of shape (o, c / groups, *kernel).
    bias : Tensor or ArrayExpr, optional
        A number for each of the o channels of the result.
    stride, dilation : int or sequence of int
        How far apart windows lie, and how far apart the elements of one window lie.
    padding : int, sequence of int, "same" or "valid"
        How many zeros stand around the input; "same" as many as give a result of the same size,
        "valid" none.
    groups : int
        Into how many groups channels are divided; only channels of one group meet.

    Raises
    ------
    RuntimeError
        If shapes, dtypes or numbers do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.arange(9.0).reshape(1, 3, 3)
    >>> weight = torch.ones(1, 1, 2, 2, requires_grad=True)
    >>> y = torch.nn.functional.conv2d(x, weight)
    >>> y.detach()
    tensor([[[ 8., 12.],
             [20., 24.]]])
    >>> y.sum().backward()
    >>> weight.grad
    tensor([[[[ 8., 12.],
              [20., 24.]]]])
    """
    return _convolved(2, input, weight, bias, stride, padding, dilation, groups)


@public(
    "conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] dilation=1, int groups=1) -> Tensor",
    "conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, str padding=valid, int[3] dilation=1, int groups=1) -> Tensor",
    aliases=("nn.functional.conv3d",),
    method=False,
)
def _conv3d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: int = 1,
) -> Any:  # fmt: skip
    """Return the sums of products of each window of 3 axes with `weight`, plus `bias`.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, d, h, w), or without the axis of samples.
    weight : Tensor or ArrayExpr
        Of shape (o, c / groups, *kernel).
    bias : Tensor or ArrayExpr, optional
        A number for each of the o channels of the result.
    stride, dilation : int or sequence of int
        How far apart windows lie, and how far apart the elements of one window lie.
    padding : int, sequence of int, "same" or "valid"
        How many zeros stand around the input; "same" as many as give a result of the same size,
        "valid" none.
    groups : int
        Into how many groups channels are divided; only channels of one group meet.

    Raises
    ------
    RuntimeError
        If shapes, dtypes or numbers do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, weight = torch.ones(1, 2, 2, 3), torch.ones(1, 1, 2, 2, 2)
    >>> torch.nn.functional.conv3d(x, weight)
    tensor([[[[8., 8.]]]])
    """
    return _convolved(3, input, weight, bias, stride, padding, dilation, groups)


@public(
    "conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] padding=0, int[1] output_padding=0, int groups=1, int[1] dilation=1) -> Tensor",
    aliases=("nn.functional.conv_transpose1d",),
    method=False,
)
def _conv_transpose1d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0,
    output_padding: Any = 0, groups: int = 1, dilation: Any = 1,
) -> Any:  # fmt: skip
    """Return the transpose of `conv1d` by its input: `weight` added at each place, times `input`.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, l), or without the axis of samples.
    weight : Tensor or ArrayExpr
        Of shape (c, o / groups, *kernel).
    bias : Tensor or ArrayExpr, optional
        A number for each of the o channels of the result.
    stride, dilation : int or sequence of int
        How far apart windows lie, and how far apart the elements of one window lie.
    padding : int or sequence of int
        How many elements are cut off at each end of the result.
    output_padding : int or sequence of int
        How many elements are added at the end of each axis of the result.
    groups : int
        Into how many groups channels are divided; only channels of one group meet.

    Raises
    ------
    RuntimeError
        If shapes, dtypes or numbers do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, weight = torch.tensor([[1.0, 2.0]]), torch.tensor([[[1.0, 10.0, 100.0]]])
    >>> torch.nn.functional.conv_transpose1d(x, weight)
    tensor([[  1.,  12., 120., 200.]])
    >>> torch.nn.functional.conv_transpose1d(x, weight, stride=2)
    tensor([[  1.,  10., 102.,  20., 200.]])
    """
    return _transposed(1, input, weight, bias, stride, padding, output_padding, groups, dilation)


@public(
    "conv_transpose2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor",
    aliases=("nn.functional.conv_transpose2d",),
    method=False,
)
def _conv_transpose2d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0,
    output_padding: Any = 0, groups: int = 1, dilation: Any = 1,
) -> Any:  # fmt: skip
    """Return the transpose of `conv2d` by its input: `weight` added at each place, times `input`.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, h, w), or without the axis of samples.
    weight : Tensor or ArrayExpr
        Of shape (c, o / groups, *kernel).
    bias : Tensor or ArrayExpr, optional
        A number for each of the o channels of the result.
    stride, dilation : int or sequence of int
        How far apart windows lie, and how far apart the elements of one window lie.
    padding : int or sequence of int
        How many elements are cut off at each end of the result.
    output_padding : int or sequence of int
        How many elements are added at the end of each axis of the result.
    groups : int
        Into how many groups channels are divided; only channels of one group meet.

    Raises
    ------
    RuntimeError
        If shapes, dtypes or numbers do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, weight = torch.tensor([[[1.0, 2.0]]]), torch.ones(1, 1, 2, 2)
    >>> torch.nn.functional.conv_transpose2d(x, weight)
    tensor([[[1., 3., 2.],
             [1., 3., 2.]]])
    """
    return _transposed(2, input, weight, bias, stride, padding, output_padding, groups, dilation)


@public(
    "conv_transpose3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] output_padding=0, int groups=1, int[3] dilation=1) -> Tensor",
    aliases=("nn.functional.conv_transpose3d",),
    method=False,
)
def _conv_transpose3d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0,
    output_padding: Any = 0, groups: int = 1, dilation: Any = 1,
) -> Any:  # fmt: skip
    """Return the transpose of `conv3d` by its input: `weight` added at each place, times `input`.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, d, h, w), or without the axis of samples.
    weight : Tensor or ArrayExpr
        Of shape (c, o / groups, *kernel).
    bias : Tensor or ArrayExpr, optional
        A number for each of the o channels of the result.
    stride, dilation : int or sequence of int
        How far apart windows lie, and how far apart the elements of one window lie.
    padding : int or sequence of int
        How many elements are cut off at each end of the result.
    output_padding : int or sequence of int
        How many elements are added at the end of each axis of the result.
    groups : int
        Into how many groups channels are divided; only channels of one group meet.

    Raises
    ------
    RuntimeError
        If shapes, dtypes or numbers do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, weight = torch.tensor([[[[1.0, 2.0]]]]), torch.ones(1, 1, 1, 1, 2)
    >>> torch.nn.functional.conv_transpose3d(x, weight)
    tensor([[[[1., 3., 2.]]]])
    """
    return _transposed(3, input, weight, bias, stride, padding, output_padding, groups, dilation)


@public(
    "conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor",
    aliases=("nn.functional.conv_tbc",),
    method=False,
)
def _conv_tbc(input: Any, weight: Any, bias: Any, pad: int = 0) -> Any:
    """Return the convolution of sequences whose axes are time, batch and channels.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (time, batch, in_channels).
    weight : Tensor or ArrayExpr
        Of shape (kernel_width, in_channels, out_channels).
    bias : Tensor or ArrayExpr
        Of shape (out_channels,).
    pad : int
        How many zeros there are before the first time and after the last.

    Raises
    ------
    RuntimeError
        If the shapes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, weight = torch.arange(4.0).reshape(4, 1, 1), torch.tensor([1.0, 2.0]).reshape(2, 1, 1)
    >>> torch.conv_tbc(x, weight, torch.zeros(1)).reshape(3)
    tensor([2., 5., 8.])
    """
    shape, window, biases = tuple(input.shape), tuple(weight.shape), tuple(bias.shape)
    if len(shape) != 3:
        raise RuntimeError("Input must have 3 dims: time, batch, in_channel")
    if len(window) != 3:
        raise RuntimeError(
            "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels."
        )
    if len(biases) != 1:
        raise RuntimeError("Bias must be 1-D")
    if shape[2] != window[1]:
        raise RuntimeError("Input dim 2 (input channels) is not == dim 1 in the weight tensor")
    if biases[0] != window[2]:
        raise RuntimeError("Bias size must equal dim 2 in the weight tensor (output channels).")
    of_channels = FUNCTIONS["conv1d"](
        input.permute(1, 2, 0), weight.permute(2, 1, 0), bias, padding=pad
    )
    return of_channels.permute(2, 0, 1).contiguous()
