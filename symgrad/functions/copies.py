"""Functions that return what a view shows in memory of its own: `permute_copy` of `permute`."""

from __future__ import annotations

import functools
import re
from typing import Any

from symgrad.expr.shapes import canonical_axis
from symgrad.functions import (  # noqa: F401 - enters the views
    broadcasting,
    complexes,
    permuting,
    reshaping,
    slicing,
    splitting,
    strided,
    triangular,
)
from symgrad.ops.identity import contiguous
from symgrad.ops.primitive import bind
from symgrad.ops.slicing import entry_key, part
from symgrad.record.face import Face, nothing
from symgrad.schema.public import BODIES, public


def _copied(x: Any, name: str, version: int = 0) -> Any:
    return bind(contiguous, (x,), (), Face(name=f"{name}Backward{version}_copy", facts=nothing))


_SECTIONS = re.compile(r"\n\n(?=\w+\n-{3})")


@public("alias_copy(Tensor self, *, Tensor? out=None) -> Tensor", method=False)
def _alias_copy(input: Any) -> Any:
    """Return a copy through which gradients flow, as `clone` does.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.alias_copy(torch.tensor([1, 2]))
    tensor([1, 2])
    """
    return _copied(input, "Alias")


@public(
    "slice_copy(Tensor self, int dim=0, int? start=None, int? end=None, int step=1, *, Tensor? out=None) -> Tensor",
    method=False,
)
def _slice_copy(
    input: Any, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    """Return the elements along an axis from `start` up to but without `end`, in memory of their own.

    Parameters
    ----------
    start, end : int, optional
        Negative ones are counted from the end; those beyond an end mean that end.
    step : int
        The distance of the elements, which is positive.

    Raises
    ------
    IndexError
        If there is no such axis.
    RuntimeError
        If the step is not positive.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.slice_copy(torch.arange(6), 0, 1, -1, 2)
    tensor([1, 3])
    """
    shape = tuple(input.shape)
    if not shape:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    axis = canonical_axis(dim, len(shape))
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    first, last, _ = slice(start, end, step).indices(shape[axis])
    key = entry_key(shape, axis, (first, max(first, last), step))
    return _copied(bind(part, (input,), (key,)), "Slice")


def _enter(view: str, *texts: str, example: str, at: str = "") -> None:
    """Enter the function that copies what a view, or each of several, shows."""
    shown = BODIES[view]
    name = "".join(word.capitalize() for word in view.split("_"))

    @functools.wraps(shown)
    def f(*args: Any, **keywords: Any) -> Any:
        found = shown(*args, **keywords)
        if isinstance(found, tuple):
            return tuple([_copied(x, name) for x in found])
        # PyTorch numbers the overloads of `squeeze`.
        dim = args[1] if len(texts) == 3 and len(args) > 1 else keywords.get("dim")
        version = 0 if len(texts) < 3 or dim is None else 1 if isinstance(dim, int) else 2
        return _copied(found, name, version)

    _, *sections = _SECTIONS.split(shown.__doc__ or "")
    kept = [s for s in sections if s.split()[0] in ("Parameters", "Raises")]
    lines = "\n".join(example.strip().splitlines())
    examples = f"Examples\n--------\n>>> import symgrad as torch\n{lines}"
    f.__doc__ = "\n\n".join(
        [f"Return what `{view}` shows{at}, in memory of its own.", *kept, examples]
    )
    f.__module__ = __name__
    public(*texts, method=False)(f)


_enter(
    "as_strided",
    "as_strided_copy(Tensor self, int[] size, int[] stride, int? storage_offset=None, *, Tensor? out=None) -> Tensor",
    example="""
>>> torch.as_strided_copy(torch.arange(4), (2, 2), (1, 2))
tensor([[0, 2],
        [1, 3]])
""",
)
_enter(
    "diagonal",
    "diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1, *, Tensor? out=None) -> Tensor",
    example="""
>>> torch.diagonal_copy(torch.tensor([[1, 2], [3, 4]]))
tensor([1, 4])
""",
)
_enter(
    "expand",
    "expand_copy(Tensor self, int[] size, *, bool implicit=False, Tensor? out=None) -> Tensor",
    example="""
>>> torch.expand_copy(torch.tensor([1, 2]), (2, 2))
tensor([[1, 2],
        [1, 2]])
""",
)
_enter(
    "permute",
    "permute_copy(Tensor self, int[] dims, *, Tensor? out=None) -> Tensor",
    example="""
>>> torch.permute_copy(torch.zeros(2, 3, 4), (2, 0, 1)).shape
torch.Size([4, 2, 3])
""",
)
_enter(
    "select",
    "select_copy(Tensor self, int dim, int index, *, Tensor? out=None) -> Tensor",
    at=" at `index`",
    example="""
>>> torch.select_copy(torch.tensor([[1, 2], [3, 4]]), 0, 1)
tensor([3, 4])
""",
)
_enter(
    "squeeze",
    "squeeze_copy(Tensor self, *, Tensor? out=None) -> Tensor",
    "squeeze_copy(Tensor self, int dim, *, Tensor? out=None) -> Tensor",
    "squeeze_copy(Tensor self, int[] dim, *, Tensor? out=None) -> Tensor",
    example="""
>>> torch.squeeze_copy(torch.zeros(1, 3)).shape
torch.Size([3])
""",
)
_enter(
    "t",
    "t_copy(Tensor self, *, Tensor? out=None) -> Tensor",
    example="""
>>> torch.t_copy(torch.tensor([[1, 2], [3, 4]]))
tensor([[1, 3],
        [2, 4]])
""",
)
_enter(
    "transpose",
    "transpose_copy(Tensor self, int dim0, int dim1, *, Tensor? out=None) -> Tensor",
    example="""
>>> torch.transpose_copy(torch.tensor([[1, 2], [3, 4]]), 0, 1)
tensor([[1, 3],
        [2, 4]])
""",
)
_enter(
    "unfold",
    "unfold_copy(Tensor self, int dimension, int size, int step, *, Tensor? out=None) -> Tensor",
    example="""
>>> torch.unfold_copy(torch.arange(4), 0, 2, 1)
tensor([[0, 1],
        [1, 2],
        [2, 3]])
""",
)
_enter(
    "unsqueeze",
    "unsqueeze_copy(Tensor self, int dim, *, Tensor? out=None) -> Tensor",
    example="""
>>> torch.unsqueeze_copy(torch.tensor([1, 2]), 1)
tensor([[1],
        [2]])
""",
)
_enter(
    "view",
    "view_copy(Tensor self, ScalarType dtype, *, Tensor? out=None) -> Tensor",
    "view_copy(Tensor self, int[] size, *, Tensor? out=None) -> Tensor",
    example="""
>>> torch.view_copy(torch.arange(4), (2, 2))
tensor([[0, 1],
        [2, 3]])
""",
)
_enter(
    "view_as_complex",
    "view_as_complex_copy(Tensor self, *, Tensor? out=None) -> Tensor",
    example="""
>>> torch.view_as_complex_copy(torch.tensor([[1.0, 2.0]]))
tensor([1.+2.j])
""",
)
_enter(
    "view_as_real",
    "view_as_real_copy(Tensor self, *, Tensor? out=None) -> Tensor",
    example="""
>>> torch.view_as_real_copy(torch.tensor([1 + 2j]))
tensor([[1., 2.]])
""",
)
_enter(
    "split",
    "split_copy(Tensor self, int split_size, int dim=0) -> Tensor[]",
    example="""
>>> torch.split_copy(torch.arange(3), 2)
(tensor([0, 1]), tensor([2]))
""",
)
_enter(
    "split_with_sizes",
    "split_with_sizes_copy(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]",
    example="""
>>> torch.split_with_sizes_copy(torch.arange(3), [1, 2])
(tensor([0]), tensor([1, 2]))
""",
)
_enter(
    "unbind",
    "unbind_copy(Tensor self, int dim=0) -> Tensor[]",
    example="""
>>> torch.unbind_copy(torch.tensor([[1, 2], [3, 4]]))
(tensor([1, 2]), tensor([3, 4]))
""",
)
