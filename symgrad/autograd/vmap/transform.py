"""`vmap`: which axes of the arguments are mapped over, and where the results have that axis."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, ParamSpec, TypeVar

from symgrad.autograd.arrays import as_arrays, as_tensors, holds_arrays
from symgrad.autograd.vmap.levels import BatchLevel, at_level, entered
from symgrad.autograd.vmap.symbolic import is_symbolic, map_symbolically
from symgrad.autograd.vmap.trees import Tree, broadcast_to_tree, flattened
from symgrad.autograd.vmap.value import all_entries, batched, unbatched
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.random.default_stream import default_generator
from symgrad.record.record import Recorded
from symgrad.schema.public import FUNCTIONS, with_schema
from symgrad.support.untraceable import is_traced

P = ParamSpec("P")
Result = TypeVar("Result")

_RANDOMNESS = ("error", "different", "same")


@with_schema(
    "func.vmap(object func, object in_dims=0, object out_dims=0, object randomness='error', *, int? chunk_size=None) -> Any",
    python=True,
)
def vmap(
    func: Callable[P, Result],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[P, Result]:
    """Return `func` over one more axis: applied to each entry of a batch, in one run.

    Inside, a tensor stands for one entry of the batch and has its shape; each operation computes
    all entries at once. Gradients reach what the function was called with, and what it closes over.

    Parameters
    ----------
    func : callable
        Takes tensors, in tuples, lists and dicts too, and returns such.
    in_dims : int, None or nested tuple of them
        Which axis of each argument is mapped over, in the structure of the arguments or a part of
        it; None for none. What is given by keyword is the same for all entries.
    out_dims : int, None or nested tuple of them
        Where that axis stands in the results; None for what is the same for all entries.
    randomness : {"error", "different", "same"}
        What random operations do: raise, draw for each entry, or once for all.
    chunk_size : int, optional
        How many entries are computed at once, by default all.

    Returns
    -------
    callable
        Takes what `func` takes, with one more axis where `in_dims` says so.

    Raises
    ------
    ValueError
        If `in_dims` or `out_dims` do not fit, axes have different lengths, or something else than
        tensors is returned.
    RuntimeError
        Where the elements of a tensor are read: by `item()`, in an `if`, for a shape.

    Notes
    -----
    Inside, no tensor requires a gradient, and neither `backward` nor `requires_grad_` can be
    called. Formulas can be mapped like tensors.

    Examples
    --------
    >>> import symgrad as torch
    >>> A, x = torch.ones(2, 3), torch.arange(12.0).reshape(4, 3)
    >>> torch.vmap(lambda row: A @ row)(x)
    tensor([[ 3.,  3.],
            [12., 12.],
            [21., 21.],
            [30., 30.]])
    >>> torch.vmap(torch.dot, in_dims=(0, 1))(x, torch.ones(3, 4))
    tensor([ 3., 12., 21., 30.])
    """
    check_randomness(randomness)
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    name = _name(func)

    @functools.wraps(func)
    def over_batch(*args: Any, **kwargs: Any) -> Any:
        if holds_arrays(args):
            return as_arrays(over_batch(*as_tensors(args), **kwargs))
        if is_traced():
            args = as_tensors(args)
        call = _Call(func, name, in_dims, out_dims, randomness)
        leaves, dims, tree = call.read(args)
        if chunk_size is None or call.size <= chunk_size:
            return call.run(leaves, dims, tree, kwargs, call.size)
        return call.run_by_chunks(leaves, dims, tree, kwargs, chunk_size)

    return over_batch


def check_randomness(randomness: str) -> None:
    """Raise where it is not said what random operations do."""
    if randomness not in _RANDOMNESS:
        raise RuntimeError(
            "Only allowed values for randomness are 'error', 'different', or 'same'. "
            f"Got {randomness}"
        )


class _Call:
    """One call of a mapped function."""

    def __init__(
        self, func: Callable[..., Any], name: str, in_dims: Any, out_dims: Any, randomness: str
    ) -> None:
        self.func = func
        self.name = name
        self.in_dims = in_dims
        self.out_dims = out_dims
        self.randomness = randomness
        self.size = 0
        if isinstance(out_dims, int):
            return
        for dim in flattened(out_dims)[0]:
            if dim is not None and not isinstance(dim, int):
                raise ValueError(
                    f"vmap({name}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a "
                    "python collection of ints representing where in the outputs the vmapped "
                    "dimension should appear."
                )

    # ------------------------------------------------------------ arguments

    def read(self, args: tuple[Any, ...]) -> tuple[list[Any], list[int | None], Tree]:
        """Return the leaves of the arguments, the axis of each, and their structure."""
        in_dims = self.in_dims
        if not isinstance(in_dims, (int, tuple)):
            self._refuse_input(
                "expected `in_dims` to be int or a (potentially nested) tuple matching the "
                f"structure of inputs, got: {type(in_dims)}."
            )
        if not args:
            raise ValueError(
                f"vmap({self.name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or "
                "you are trying to vmap over a function with no inputs. The latter is unsupported."
            )
        leaves, tree = flattened(args)
        dims = broadcast_to_tree(in_dims, tree)
        if dims is None:
            self._refuse_input(
                "in_dims is not compatible with the structure of `inputs`. in_dims has structure "
                f"{flattened(in_dims)[1]} but inputs has structure {tree}."
            )
        found = [self._axis(x, dim) for x, dim in zip(leaves, dims, strict=True)]
        self.size = _common_size(leaves, found)
        return leaves, found, tree

    def _axis(self, x: Any, dim: Any) -> int | None:
        if dim is None:
            return None
        if not isinstance(dim, int):
            self._refuse_input(
                f"Got in_dim={dim} for an input but in_dim must be either an integer dimension or "
                "None."
            )
        if not isinstance(x, (Recorded, ArrayExpr)):
            self._refuse_input(
                f"Got in_dim={dim} for an input but the input is of type {type(x)}. We cannot vmap "
                "over non-Tensor arguments, please use None as the respective in_dim"
            )
        shape: Shape = x.shape if isinstance(x, ArrayExpr) else x._aval.shape
        rank = len(shape)
        if not -rank <= dim < rank:
            self._refuse_input(
                f"Got in_dim={dim} for some input, but that input is a Tensor of dimensionality "
                f"{rank} so expected in_dim to satisfy -{rank} <= in_dim < {rank}."
            )
        return dim % rank

    def _refuse_input(self, reason: str) -> NoReturn:
        raise ValueError(f"vmap({self.name}, in_dims={self.in_dims}, ...)(<inputs>): {reason}")

    # ------------------------------------------------------------ the run

    def run(
        self,
        leaves: Sequence[Any],
        dims: Sequence[int | None],
        tree: Tree,
        kwargs: dict[str, Any],
        size: int,
    ) -> Any:
        """Call the function on batched tensors, and return its results over the mapped axis."""

        def func(*entries: Any) -> Any:
            return self.func(*entries, **kwargs)

        if any(is_symbolic(x) for x in leaves):
            over = [*leaves], [*dims]
            return map_symbolically(func, over, tree, size, self.randomness, self._with_out_dims)
        with entered(size, self.randomness) as level:
            entries = [
                x if dim is None else batched(level, x, dim)
                for x, dim in zip(leaves, dims, strict=True)
            ]
            returned = func(*tree.build(entries))
            with at_level(level.outer):
                return self._with_out_dims(
                    returned,
                    lambda x: unbatched(x, level)[1] is not None,
                    lambda x, dim: _with_axis_at(x, level, dim),
                )

    def run_by_chunks(
        self,
        leaves: Sequence[Any],
        dims: Sequence[int | None],
        tree: Tree,
        kwargs: dict[str, Any],
        chunk_size: int,
    ) -> Any:
        """Call the function for `chunk_size` entries at a time, and join the results."""
        state = default_generator.get_state() if self.randomness == "same" else None
        found = []
        for start in range(0, self.size, chunk_size):
            size = min(chunk_size, self.size - start)
            if state is not None:
                default_generator.set_state(state)
            part = [
                x if dim is None else x.narrow(dim, start, size)
                for x, dim in zip(leaves, dims, strict=True)
            ]
            found.append(self.run(part, dims, tree, kwargs, size))
        flat = [flattened(x)[0] for x in found]
        structure = flattened(found[0])[1]
        places = broadcast_to_tree(self.out_dims, structure)
        assert places is not None, "the first run has checked it"
        joined = [
            xs[0] if dim is None else FUNCTIONS["cat"](list(xs), dim)
            for xs, dim in zip(zip(*flat, strict=True), places, strict=True)
        ]
        return structure.build(joined)

    # ------------------------------------------------------------ results

    def _with_out_dims(
        self, returned: Any, varies: Callable[[Any], bool], take: Callable[[Any, int], Any]
    ) -> Any:
        """Return the results with the mapped axis where `out_dims` says."""
        leaves, tree = flattened(returned)
        out_dims = self.out_dims
        if tree.kind is None and isinstance(out_dims, tuple):
            dims = list(out_dims) if len(out_dims) == 1 else None
        else:
            dims = broadcast_to_tree(out_dims, tree)
        if dims is None:
            raise ValueError(
                f"vmap({self.name}, ..., out_dims={out_dims})(<inputs>): out_dims is not "
                "compatible with the structure of `outputs`. out_dims has structure "
                f"{flattened(out_dims)[1]} but outputs has structure {tree}."
            )
        for x, dim in zip(leaves, dims, strict=True):
            if dim is None and varies(x):
                raise ValueError(
                    f"vmap({self.name}, ...): `{self.name}` can not return a BatchedTensor when "
                    "out_dim is None"
                )
            if dim is not None and not isinstance(x, (Recorded, ArrayExpr)):
                raise ValueError(
                    f"vmap({self.name}, ...): `{self.name}` must only return Tensors, got type "
                    f"{type(x)}. Did you mean to set out_dims= to None for output?"
                )
        return tree.build(
            [x if dim is None else take(x, dim) for x, dim in zip(leaves, dims, strict=True)]
        )


def _with_axis_at(x: Any, level: BatchLevel, dim: int) -> Any:
    """Return the tensor of all entries of `x`, the mapped axis at `dim`."""
    tensor, present = unbatched(x, level)
    if present is None:
        tensor, present = all_entries(x, level), 0
    return tensor.movedim(present, dim) if present != dim else tensor


def _name(func: Callable[..., Any]) -> str:
    """Return the name of a function in messages."""
    if isinstance(func, functools.partial):
        return f"functools.partial({_name(func.func)}, ...)"
    return getattr(func, "__name__", repr(func))


def _common_size(leaves: Sequence[Any], dims: Sequence[int | None]) -> int:
    """Return the length of the mapped axes, which must be the same for all arguments."""
    sizes = [x.shape[dim] for x, dim in zip(leaves, dims, strict=True) if dim is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(n != sizes[0] for n in sizes):
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return int(sizes[0])
