"""Changes in place through views: by `x[key] = value`, of other shapes, where memory overlaps."""

from ._changed_views import _W, _gradients, _state
from ._harness import differs, each
from .views import _matrix, _names

# ---------------------------------------------------------------- another shape in place


@each(name=["t_", "transpose_", "squeeze_", "unsqueeze_", "swapaxes_", "swapdims_"],
      who=["a base", "a view"])  # fmt: skip
def another_shape(torch, log, name, who):
    x = torch.tensor([[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]], requires_grad=True)
    y = (x * 1)[:, 0] if name == "t_" else x * 1
    y = y * 1
    v = y[:1]
    t = y if who == "a base" else v
    arguments = {"transpose_": (0, 1), "swapaxes_": (0, 1), "swapdims_": (0, 1), "squeeze_": (),
                 "unsqueeze_": (0,), "t_": ()}[name]  # fmt: skip
    log.attempt("result", lambda: getattr(t, name)(*arguments))
    _state(torch, log, "y", y)
    _state(torch, log, "v", v)
    _gradients(torch, log, "of y", y, [x])
    _gradients(torch, log, "of v", v, [x])
    v.mul_(10.0)
    log("changed", y)
    _gradients(torch, log, "of the changed", y, [x])


def another_shape_of_a_leaf_is_refused(torch, log):
    x = _matrix(torch)
    with log.raises("t_"):
        x.t_()
    with log.raises("of a view"):
        x[0].unsqueeze_(0)
    c = x.detach().clone()
    log("of a constant", c.t_())


# ---------------------------------------------------------------- x[key] = value


_KEYS = {
    "1": 1, "-1": -1, "1, 2": (1, 2), ":": slice(None), "...": ..., "None": None,
    "1:": slice(1, None), "::2": (slice(None), slice(None, None, 2)), "0, None": (0, None),
    "..., 0": (..., 0), "list": [0, 0], "lists": ([0, 1], [2, 0]),
    "list, slice": ([1], slice(1, 3)), "slice, list": (slice(None), [2, 0]), "True": True,
    "False": False, "0:0": slice(0, 0),
}  # fmt: skip


@each(key=list(_KEYS), value=["a number", "a scalar", "a tensor"])
def written(torch, log, key, value):
    x = _matrix(torch)
    y = x * 1
    index = _KEYS[key]
    w = torch.tensor(_W, requires_grad=True)
    inner = y.detach()[index].shape
    t = torch.arange(1.0, 1.0 + inner.numel()).reshape(inner).requires_grad_()
    v = {"a number": 7, "a scalar": w, "a tensor": t * 1}[value]

    def change():
        y[index] = v

    log.attempt("write", change)
    _state(torch, log, "y", y)
    _gradients(torch, log, "gradient", y, [x, w, t])


@each(case=["ones", "wider", "broadcast", "double", "integers", "leading ones", "array"])
def written_values(torch, log, case):
    x = _matrix(torch)
    y = x * 1
    v = {
        "ones": torch.ones(1, 1, 3), "wider": torch.ones(3, 3), "broadcast": torch.ones(2, 1),
        "double": torch.ones(3, dtype=torch.float64), "integers": torch.tensor([1, 2, 3]),
        "leading ones": torch.ones(1, 2, 3), "array": torch.ones(4).numpy(),
    }[case]  # fmt: skip
    if not isinstance(v, torch.Tensor):
        v = torch.ones(3)
    elif v.is_floating_point():
        v.requires_grad_()

    def change():
        y[:] = v

    log.attempt("write", change)
    _state(torch, log, "y", y)
    _gradients(torch, log, "gradient", y, [x])


_WRONG_KEYS = {
    "a negative step": slice(None, None, -1), "5": 5, "too many": (0, 0, 0), "a float": 1.5,
    "a list that leaves": [5], "no step": slice(0, 2, 0),
}  # fmt: skip


@each(key=list(_WRONG_KEYS))
def written_nowhere(torch, log, key):
    y = _matrix(torch) * 1
    with log.raises("write"):
        y[_WRONG_KEYS[key]] = 1.0
    log("version", y._version)


# ---------------------------------------------------------------- memory that overlaps


_TARGETS = {
    "expanded": lambda torch: torch.zeros(1).expand(3),
    "of stride zero": lambda torch: torch.zeros(3).as_strided((3,), (0,)),
}


@each(target=list(_TARGETS), change=["add_", "copy_", "uniform_", "index_add_", "+="])
def into_one_place(torch, log, target, change):
    t = _TARGETS[target](torch)
    with log.raises("change"):
        {
            "add_": lambda: t.add_(1.0), "copy_": lambda: t.copy_(torch.ones(3)),
            "uniform_": lambda: t.uniform_(), "+=": lambda: t.__iadd__(1.0),
            "index_add_": lambda: t.index_add_(0, torch.tensor([0]), torch.ones(1)),
        }[change]()  # fmt: skip


@each(case=["a[1:] += a[:-1]", "copy_", "a[1:] = a[:-1]", "b += b.T", "b *= b[0]", "b /= b[0, 1]",
            "a += a", "a[:2] += a[2:]"])  # fmt: skip
def from_the_same_memory(torch, log, case):
    a, b = torch.arange(4.0), torch.tensor([[1.0, 2.0], [3.0, 4.0]])

    def write():
        a[1:] = a[:-1]

    log.attempt("change", {
        "a[1:] += a[:-1]": lambda: a[1:].add_(a[:-1]), "copy_": lambda: a[1:].copy_(a[:-1]),
        "a[1:] = a[:-1]": write, "b += b.T": lambda: b.add_(b.t()),
        "b *= b[0]": lambda: b.mul_(b[0]), "b /= b[0, 1]": lambda: b.div_(b[0, 1]),
        "a += a": lambda: a.add_(a), "a[:2] += a[2:]": lambda: a[:2].add_(a[2:]),
    }[case])  # fmt: skip


# ---------------------------------------------------------------- what does not fit


@each(case=["wider", "dtype", "bool", "complex", "power", "shape", "copy", "integer division"])
def what_does_not_fit(torch, log, case):
    y = torch.ones(3, requires_grad=True) * 1
    i = torch.tensor([1, 2, 3])
    log.attempt("change", {
        "wider": lambda: y.add_(torch.ones(2, 3)), "dtype": lambda: i.add_(0.5),
        "bool": lambda: (i > 1).add_(1), "complex": lambda: y.mul_(1j),
        "power": lambda: i.pow_(-1), "shape": lambda: y.add_(torch.ones(2)),
        "copy": lambda: y.copy_(torch.ones(2, 3)), "integer division": lambda: i.div_(2),
    }[case])  # fmt: skip
    log("version", [y._version, i._version])
    log("y", _names(torch, y))


def nothing_to_change(torch, log):
    x = torch.zeros(0, 3, requires_grad=True)
    w = torch.tensor(_W, requires_grad=True)
    y = x * 1
    y.mul_(w)
    y[:, 0].add_(w)
    y[:, 1] = w
    _state(torch, log, "y", y)
    _gradients(torch, log, "gradient", y, [x, w])


# ---------------------------------------------------------------- by index


@each(change=["index_add_", "index_copy_", "index_fill_", "scatter_", "scatter_add_",
              "scatter_ of a number", "index_put_", "index_put_ accumulate",
              "index_fill_ of a tensor"], where=["base", "view"])  # fmt: skip
def by_index(torch, log, change, where):
    x = _matrix(torch)
    s = torch.tensor([[10.0, 20.0], [30.0, 40.0]], requires_grad=True)
    y = x * 1
    t = y if where == "base" else y[:, :]
    i, at = torch.tensor([2, 0]), torch.tensor([[2, 0], [1, 1]])
    w = torch.tensor(_W, requires_grad=True)
    {
        "index_add_": lambda: t.index_add_(1, i, s), "index_copy_": lambda: t.index_copy_(1, i, s),
        "index_fill_": lambda: t.index_fill_(1, i, 7.0),
        "index_fill_ of a tensor": lambda: t.index_fill_(1, i, w),
        "scatter_": lambda: t.scatter_(1, torch.tensor([[2, 0], [1, 0]]), s),
        "scatter_ of a number": lambda: t.scatter_(1, at, 7.0),
        "scatter_add_": lambda: t.scatter_add_(1, at, s),
        "index_put_": lambda: t.index_put_((i[1:], i[:1]), s[0, :1]),
        "index_put_ accumulate": lambda: t.index_put_(
            (torch.tensor([0, 0]), torch.tensor([1, 1])), s[0], accumulate=True
        ),
    }[change]()  # fmt: skip
    _state(torch, log, "y", y)
    _state(torch, log, "t", t)
    _gradients(torch, log, "gradient", y, [x, s, w])


def masked_scatter(torch, log):
    x = _matrix(torch)
    s = torch.tensor([[10.0, 20.0], [30.0, 40.0]], requires_grad=True)
    y = x * 1
    y[:, :].masked_scatter_(x > 3, s)
    log("y", y)
    log("version", y._version)
    _gradients(torch, log, "gradient", y, [x, s])


@each(change=["uniform_", "normal_", "bernoulli_", "random_"], base=["a result", "a view"])
def drawn(torch, log, change, base):
    x = _matrix(torch)
    y = x * 1
    t = y if base == "a result" else y[0]
    getattr(t, change)()
    log("y", _names(torch, y))
    log("t", _names(torch, t))
    log("version", y._version)
    (y * y).sum().backward()
    log("zeros", (x.grad == 0).tolist())


def out_of_a_function(torch, log):
    x = _matrix(torch)
    c = torch.zeros(2, 3)
    with log.raises("of a variable"):
        torch.exp(x, out=c)
    with log.raises("into a variable"):
        torch.exp(c, out=x * 1)
    v = c[0]
    log("into a view", torch.exp(torch.ones(3), out=v))
    log("c", c)
    log("version", c._version)


# ---------------------------------------------------------------- expanded tensors


def rows_of_an_expanded_tensor(torch, log):
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    b = w * 1
    row = b.expand(2, 3)[0]
    row.mul_(3)
    b.expand(2, 3)[1][2] = 7.0
    b.expand(4, 2, 3)[0, 1].add_(w)
    log("b", b)
    log("row", row)
    log("version", b._version)
    b.sum().backward()
    log("w.grad", w.grad)


def an_item_of_an_expanded_tensor(torch, log):
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    b = w * 1
    rows = b.expand(2, 3)
    rows[0] = w * w
    log("b", b)
    b.sum().backward()
    log("w.grad", w.grad)
    plain = torch.arange(3.0)
    plain.expand(2, 3)[1] = 5.0
    log("plain", plain)


def what_is_written_twice(torch, log):
    x = torch.arange(3.0)
    with log.raises("add"):
        x.expand(2, 3).add_(1)
    with log.raises("column"):
        x.expand(2, 3)[:, 1] = 4.0
    log("x", x)


_TWICE = {
    "raises": "RuntimeError",
    "message": "unsupported operation: more than one element of the written-to tensor refers to a "
    "single memory location. Please clone() the tensor before performing the operation.",
}


@differs(
    "no element is written twice, not even with one value; PyTorch lets some operations do so",
    {"fill": _TWICE, "zero": _TWICE},
)
def what_is_filled_twice(torch, log):
    x = torch.arange(3.0)
    log.attempt("fill", lambda: x.expand(2, 3).fill_(2.0)[0])
    log.attempt("zero", lambda: x.expand(2, 3).zero_()[0])
