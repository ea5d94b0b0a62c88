"""In place: many values into one place, positions in the flat array, diagonals, norms."""

from __future__ import annotations

import warnings

from ._harness import differs, each


def _values(torch, values=((2.0, 3.0, 5.0), (7.0, 11.0, 13.0))):
    return torch.tensor(values, requires_grad=True)


def _state(log, y):
    log("y", y)
    log("name", y.grad_fn.name())
    log("version", y._version)


def _quiet(change):
    """Make a change without PyTorch's word on the age of a function; `ages` has what it says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        change()


def _gradients(torch, log, y, inputs):
    weights = torch.arange(float(y.numel())).reshape(y.shape) + 1
    log("gradients", torch.autograd.grad((y * weights).sum(), inputs, allow_unused=True))


_REDUCE = ["sum", "prod", "mean", "amax", "amin"]


@each(reduce=_REDUCE, include_self=[True, False], where=["base", "view"])
def scatter_reduce_(torch, log, reduce, include_self, where):
    x, s = _values(torch), _values(torch, ((1.5, 4.0), (2.5, 0.5)))
    y = x * 1
    t = y if where == "base" else y[:, :]
    at = torch.tensor([[2, 2], [0, 1]])
    log("same", t.scatter_reduce_(1, at, s, reduce, include_self=include_self) is t)
    _state(log, y)
    _gradients(torch, log, y, [x, s])


@each(reduce=_REDUCE[1:], include_self=[True, False], where=["base", "transposed"])
def index_reduce_(torch, log, reduce, include_self, where):
    x, s = _values(torch), _values(torch, ((1.5, 4.0), (2.5, 0.5)))
    y = x * 1
    at = torch.tensor([2, 2])
    if where == "base":
        _quiet(lambda: y.index_reduce_(1, at, s, reduce, include_self=include_self))
    else:
        _quiet(lambda: y.t().index_reduce_(0, at, s.t(), reduce, include_self=include_self))
    _state(log, y)
    _quiet(lambda: _gradients(torch, log, y, [x, s]))


@each(reduce=_REDUCE, who=["self", "source", "index", "result"])
def changed_after_scatter_reduce(torch, log, reduce, who):
    x, s = _values(torch), _values(torch)
    a, b = x * 1, s * 1
    at = torch.tensor([[0, 1, 1], [1, 0, 0]])
    y = a.scatter_reduce(0, at, b, reduce)
    {"self": a, "source": b, "index": at, "result": y}[who].mul_(1)
    log.attempt("backward", lambda: torch.autograd.grad(y.sum(), x))


@each(reduce=_REDUCE)
def scatter_reduce_twice(torch, log, reduce):
    x, s = _values(torch), _values(torch)
    y = x.scatter_reduce(0, torch.tensor([[0, 1, 1], [1, 0, 0]]), s, reduce)
    y.sum().backward()
    log.attempt("again", lambda: y.sum().backward())


@each(include_self=[True, False])
def products_of_zeros(torch, log, include_self):
    x = torch.tensor([2.0, 0.0, 4.0], requires_grad=True)
    s = torch.tensor([0.0, 3.0, 0.0, 0.0], requires_grad=True)
    y = x.scatter_reduce(0, torch.tensor([0, 0, 2, 2]), s, "prod", include_self=include_self)
    log("y", y)
    _gradients(torch, log, y, [x, s])


@each(reduce=["amax", "amin"])
def ties(torch, log, reduce):
    x = torch.tensor([2.0, 1.0], requires_grad=True)
    s = torch.tensor([2.0, 2.0, 1.0, 5.0], requires_grad=True)
    y = x.scatter_reduce(0, torch.tensor([0, 0, 1, 0]), s, reduce)
    log("y", y)
    _gradients(torch, log, y, [x, s])


@differs(
    "what takes no part has no share of the gradient, though it be equal to the extreme",
    {
        "gradient": {
            "tensor": [0.5, 0.5],
            "shape": [2],
            "dtype": "float32",
            "requires_grad": False,
            "grad_fn": None,
        },
    },
)
def ties_with_what_takes_no_part(torch, log):
    x = torch.tensor([5.0])
    s = torch.tensor([5.0, 5.0], requires_grad=True)
    y = x.scatter_reduce(0, torch.tensor([0, 0]), s, "amax", include_self=False)
    log("gradient", torch.autograd.grad(y.sum(), s)[0])


@each(reduce=["add", "multiply"], src=["tensor", "number"], where=["base", "view"])
def scatter_with_reduction(torch, log, reduce, src, where):
    y = torch.tensor([[2.0, 3.0, 5.0], [7.0, 11.0, 13.0]])
    t = y if where == "base" else y[1:]
    at = torch.tensor([[2, 2, 0]])
    s = torch.tensor([[1.5, 4.0, 0.5]])
    _quiet(lambda: t.scatter_(1, at, s if src == "tensor" else 3, reduce=reduce))
    log("y", y)
    log("version", y._version)


@each(accumulate=[True, False], where=["base", "view", "transposed"])
def put_(torch, log, accumulate, where):
    x, s = _values(torch), _values(torch, (1.5, 4.0))
    y = x * 1
    t = {"base": lambda: y, "view": lambda: y[:, 1:], "transposed": lambda: y.t()}[where]()
    log("same", t.put_(torch.tensor([1, -1]), s, accumulate=accumulate) is t)
    _state(log, y)
    _gradients(torch, log, y, [x, s])


@each(accumulate=[True, False], who=["self", "source", "index", "result"])
def changed_after_put(torch, log, accumulate, who):
    x, s = _values(torch), _values(torch, (1.5, 4.0))
    a, b = x * 1, s * 1
    at = torch.tensor([0, 3])
    y = a.put(at, b, accumulate)
    {"self": a, "source": b, "index": at, "result": y}[who].mul_(1)
    log.attempt("backward", lambda: torch.autograd.grad(y.sum(), x))


@each(shape=[(3, 3), (2, 3), (7, 3), (4, 3), (5, 1), (2, 2, 2), (0, 3), (4, 0)],
      wrap=[True, False])  # fmt: skip
def fill_diagonal_(torch, log, shape, wrap):
    y = torch.zeros(shape)
    log("same", y.fill_diagonal_(2, wrap=wrap) is y)
    log("y", y)
    log("version", y._version)


@each(wrap=[True, False], where=["base", "transposed", "part"])
def fill_diagonal_of_a_result(torch, log, wrap, where):
    x = torch.ones(5, 2, requires_grad=True)
    y = x * 3
    t = {"base": lambda: y, "transposed": lambda: y.t(), "part": lambda: y[1:]}[where]()
    t.fill_diagonal_(2, wrap)
    _state(log, y)
    _gradients(torch, log, y, [x])


def fill_diagonal_of_a_leaf(torch, log):
    x = torch.ones(2, 2, requires_grad=True)
    with log.raises("leaf"):
        x.fill_diagonal_(2)
    with torch.no_grad():
        x.fill_diagonal_(2)
    log("x", x)
    log("version", x._version)


@each(p=[1, 2, 3, float("inf")], where=["base", "view"])
def renorm_(torch, log, p, where):
    x = _values(torch)
    y = x * 1
    t = y if where == "base" else y[:, :2]
    log("same", t.renorm_(p, 0, 8.0) is t)
    _state(log, y)
    _gradients(torch, log, y, [x])


@each(who=["self", "result"])
def changed_after_renorm(torch, log, who):
    x = _values(torch)
    a = x * 1
    y = a.renorm(2, 0, 8.0)
    {"self": a, "result": y}[who].mul_(1)
    log.attempt("backward", lambda: torch.autograd.grad(y.sum(), x))


@each(change=["scatter_reduce_", "index_reduce_", "put_", "renorm_"])
def of_a_leaf(torch, log, change):
    x = _values(torch)
    s = torch.tensor([[1.0, 1.0, 1.0]])
    at = torch.tensor([0])
    with log.raises("leaf"):
        change = {
            "scatter_reduce_": lambda: x.scatter_reduce_(0, at.expand(1, 3), s, "sum"),
            "index_reduce_": lambda: x.index_reduce_(0, at, s, "prod"),
            "put_": lambda: x.put_(at, s[0, :1]),
            "renorm_": lambda: x.renorm_(2, 0, 1.0),
        }[change]
        _quiet(change)
    log("version", x._version)


@differs("no function is called young or old", {"index_reduce": [], "scatter": []})
def ages(torch, log):
    x, at = torch.zeros(2), torch.tensor([0, 1])
    with log.warns("index_reduce"):
        x.index_reduce(0, at, x, "prod")
    with log.warns("scatter"):
        x.scatter(0, at, x, reduce="add")
