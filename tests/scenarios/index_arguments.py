"""Functions that take indices along an axis: indices and sources of every kind, many unfit."""

from functools import partial

from ._harness import each

_INDICES = {
    "int32": lambda torch: torch.tensor([0], dtype=torch.int32),
    "int16": lambda torch: torch.tensor([0], dtype=torch.int16),
    "uint8": lambda torch: torch.tensor([0], dtype=torch.uint8),
    "float": lambda torch: torch.tensor([0.0]),
    "bool": lambda torch: torch.tensor([True]),
    "complex": lambda torch: torch.tensor([0j]),
    "0-d": lambda torch: torch.tensor(0),
    "0-d float": lambda torch: torch.tensor(0.0),
    "matrix": lambda torch: torch.tensor([[0]]),
    "matrix of floats": lambda torch: torch.tensor([[0.0]]),
    "empty": lambda torch: torch.zeros(0, dtype=torch.int64),
    "empty floats": lambda torch: torch.zeros(0),
    "empty matrix of truth values": lambda torch: torch.zeros(0, 3, dtype=torch.bool),
    "last": lambda torch: torch.tensor([-1]),
    "too large": lambda torch: torch.tensor([5]),
    "too small": lambda torch: torch.tensor([-5]),
    "two": lambda torch: torch.tensor([0, 1]),
}
_SOURCES = {
    "two rows": lambda torch: torch.ones(2, 3),
    "longer rows": lambda torch: torch.ones(1, 4),
    "vector": lambda torch: torch.ones(3),
    "number": lambda torch: torch.tensor(1.0),
    "more axes": lambda torch: torch.ones(1, 1, 3),
    "float64": lambda torch: torch.ones(1, 3, dtype=torch.float64),
    "integers": lambda torch: torch.ones(1, 3, dtype=torch.int64),
    "complex": lambda torch: torch.ones(1, 3, dtype=torch.complex64),
    "no rows": lambda torch: torch.ones(0, 3),
}
_CALLS = {
    "index_select": lambda x, index, source: x.index_select(0, index),
    "index_fill": lambda x, index, source: x.index_fill(0, index, 1.0),
    "index_fill_": lambda x, index, source: x.index_fill_(0, index, 1.0),
    "index_fill tensor": lambda x, index, source: x.index_fill(0, index, source[0, 0]),
    "index_copy": lambda x, index, source: x.index_copy(0, index, source),
    "index_copy_": lambda x, index, source: x.index_copy_(0, index, source),
    "index_add": lambda x, index, source: x.index_add(0, index, source),
    "index_add_": lambda x, index, source: x.index_add_(0, index, source),
    "index_reduce": lambda x, index, source: x.index_reduce(0, index, source, "prod"),
    "index_reduce_": lambda x, index, source: x.index_reduce_(0, index, source, "amax"),
    "gather": lambda x, index, source: x.gather(0, index),
    "scatter": lambda x, index, source: x.scatter(0, index, source),
    "scatter_": lambda x, index, source: x.scatter_(0, index, source),
    "scatter number": lambda x, index, source: x.scatter(0, index, 1.0),
    "scatter_add": lambda x, index, source: x.scatter_add(0, index, source),
    "scatter_reduce": lambda x, index, source: x.scatter_reduce(0, index, source, "sum"),
    "take": lambda x, index, source: x.take(index),
    "take_along_dim": lambda x, index, source: x.take_along_dim(index, 0),
    "put": lambda x, index, source: x.put(index, source),
    "put_": lambda x, index, source: x.put_(index, source),
}


@each("function", function=[*_CALLS], index=[*_INDICES])
def index_that_does_not_fit(torch, log, function, index):
    for shape in ((2, 3), (2,), ()):
        x = torch.zeros(shape)
        made = _INDICES[index](torch)
        source = torch.ones((made.numel(), *shape[1:]) if shape else ())
        if function == "index_fill tensor":
            source = torch.ones(1, 1)
        log.attempt(f"{list(shape)}", partial(_CALLS[function], x, made, source))


@each(
    "function",
    function=[
        n
        for n in _CALLS
        if n.startswith(("index_a", "index_c", "index_r", "scatter", "put"))
        and n != "scatter number"
    ],
    source=[*_SOURCES],
)
def source_that_does_not_fit(torch, log, function, source):
    made = _SOURCES[source](torch)
    log.attempt("along rows", lambda: _CALLS[function](torch.zeros(2, 3), torch.tensor([1]), made))
    log.attempt(
        "matrix of indices",
        lambda: _CALLS[function](torch.zeros(2, 3), torch.tensor([[1, 0, 1]]), made),
    )
    log.attempt("of a vector", lambda: _CALLS[function](torch.zeros(3), torch.tensor([1]), made))
    log.attempt("of a number", lambda: _CALLS[function](torch.tensor(0.0), torch.tensor([0]), made))


@each(
    "function",
    function=["scatter", "scatter_add"],
    index=[(0,), (0, 3), (2, 0), (0, 3, 1)],
    source=[(0, 3), (2, 3), (2, 1, 3)],
)
def no_indices(torch, log, function, index, source):
    """Where there are no indices, nothing is written, and nothing asked of the source."""
    x, made = torch.ones(2, 3), torch.zeros(index, dtype=torch.int64)
    log.attempt("constants", lambda: getattr(x, function)(0, made, torch.ones(source)))
    log.attempt("in place", lambda: getattr(x, f"{function}_")(0, made, torch.ones(source)))
