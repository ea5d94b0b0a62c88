"""`vmap`: changes in place, and views that come out."""

from __future__ import annotations

import contextlib

from tests.scenarios._harness import differs, each

from ._mapped import _inside, _numbers

# ---------------------------------------------------------------- in place


def changes_reach_the_argument(torch, log):
    x = _numbers(torch, 3, 2)
    y = torch.vmap(lambda b: b.add_(1))(x)
    log("x", x)
    log("version", x._version)
    log("shares", y.data_ptr() == x.data_ptr())
    z = torch.zeros(2, 3)
    torch.vmap(lambda b: b.copy_(torch.arange(2.0)), in_dims=1)(z)
    log("columns", z)


@each(
    change=[
        "add", "mul by an entry", "fill", "zero", "copy", "relu", "masked_fill", "item", "slice",
        "index", "view", "transposed", "view of a view", "clamp", "neg", "batched value",
        "unsqueeze", "scatter", "index_add", "index_fill", "put mask", "diagonal", "expand dims",
        "sub rhs",
    ]
)  # fmt: skip
def changes_of_a_copy(torch, log, change):
    x = torch.tensor([[[0.5, -1.0], [2.0, 3.0]], [[1.0, 4.0], [-2.0, 0.25]]], requires_grad=True)
    k = torch.tensor([[1, 0], [0, 1]])

    def body(b, i):
        c = b.clone()
        if change == "add":
            c.add_(2, alpha=3)
        elif change == "mul by an entry":
            c.mul_(b[0])
        elif change == "fill":
            c[0].fill_(7.0)
        elif change == "zero":
            c[:, 1].zero_()
        elif change == "copy":
            c[1].copy_(b[0])
        elif change == "relu":
            c.relu_()
        elif change == "masked_fill":
            c.masked_fill_(b > 1, -1.0)
        elif change == "item":
            c[0, 1] = 5.0
        elif change == "slice":
            c[:, 0] = b.sum()
        elif change == "index":
            c[torch.tensor([1, 0])] = b * 2
        elif change == "view":
            c.view(-1)[1:3].mul_(2)
        elif change == "transposed":
            c.t().add_(b)
        elif change == "view of a view":
            c[1:][:, 1].sub_(b.sum())
        elif change == "clamp":
            c.clamp_(min=0.0)
        elif change == "neg":
            c[0].neg_()
        elif change == "batched value":
            c[i, 0] = b[0]
        elif change == "unsqueeze":
            c.unsqueeze(0)[0, 0] *= 3
        elif change == "scatter":
            c.scatter_(0, i.unsqueeze(0), b[:1])
        elif change == "index_add":
            c.index_add_(0, i, b)
        elif change == "index_fill":
            c.index_fill_(1, torch.tensor([1]), 9.0)
        elif change == "put mask":
            c[torch.tensor([True, False])] = 0.0
        elif change == "diagonal":
            c.diagonal().add_(1)
        elif change == "expand dims":
            c[None, ..., 1] += 1
        elif change == "sub rhs":
            c -= b.mean(0)
        return c

    y = torch.vmap(body)(x, k)
    log.gradient("y", y)
    weights = _numbers(torch, 2, 2, 2, start=1.0)
    log("gradient", torch.autograd.grad((y * weights).sum(), x))


def changes_of_what_requires_a_gradient(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    with log.raises("a leaf"):
        torch.vmap(lambda b: b.add_(1))(x)
    with log.raises("an item of a leaf"):
        torch.vmap(lambda b: b.__setitem__(0, 1.0))(x)
    h = x * 2
    y = torch.vmap(lambda b: b.mul_(3))(h)
    log.gradient("y", y)
    log.gradient("h", h)
    log("gradient", torch.autograd.grad(h.sum(), x))
    with torch.no_grad():
        torch.vmap(lambda b: b.add_(1))(x)
    log("under no_grad", x)


_WRITTEN = {
    "raises": "RuntimeError",
    "message": "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a "
    "Tensor `other` in extra_args that has more elements than `self`. This happened due to `other` "
    "being vmapped over but `self` not being vmapped over in a vmap. Please try to use "
    "out-of-place operators instead of inplace arithmetic. If said operator is being called inside "
    "the PyTorch framework, please file a bug report instead.",
}


@differs("one message for all changes", {"index_add_": _WRITTEN})
def captured_tensors_change(torch, log):
    x, c = _numbers(torch, 3, 2), torch.ones(2)
    log("y", torch.vmap(lambda b: b * c.add_(1))(x))
    log("c", c)
    with log.raises("mul_"):
        torch.vmap(lambda b: c.mul_(b))(x)
    with log.raises("item"):
        torch.vmap(lambda b: (c.__setitem__(0, b[0]), b)[1])(x)
    with log.raises("index_add_"):
        torch.vmap(lambda b: c.index_add_(0, torch.tensor([0]), b[:1]))(x)
    log("after", c)


@differs("one message for all changes", {"add_": _WRITTEN})
def captured_tensors_are_not_added_to(torch, log):
    x, c = _numbers(torch, 3, 2), torch.ones(2)
    with log.raises("add_"):
        torch.vmap(lambda b: c.add_(b))(x)
    with log.raises("copy_"):
        torch.vmap(lambda b: c.copy_(b))(x)
    log("after", c)


@differs(
    "shapes are those of an entry",
    {
        "add_": {
            "raises": "RuntimeError",
            "message": "output with shape [] doesn't match the broadcast shape [2]",
        },
        "mul_": {
            "raises": "RuntimeError",
            "message": "The size of tensor a (2) must match the size of tensor b (3) at "
            "non-singleton dimension 0",
        },
        "copy_": {
            "raises": "RuntimeError",
            "message": "The size of tensor a (2) must match the size of tensor b (3) at "
            "non-singleton dimension 0",
        },
    },
)
def operands_of_another_shape(torch, log):
    x = _numbers(torch, 3, 2)
    with log.raises("add_"):
        torch.vmap(lambda b: b[0].clone().add_(b))(x)
    with log.raises("mul_"):
        torch.vmap(lambda b: b.clone().mul_(torch.ones(3)))(x)
    with log.raises("copy_"):
        torch.vmap(lambda b: b.clone().copy_(torch.ones(3)))(x)
    with log.raises("dtype"):
        torch.vmap(lambda b: b.long().mul_(0.5))(x)


def views_after_changes(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)

    def body(b):
        c = b * 1
        first, last = c[0], c[1:]
        c.mul_(2)
        first.add_(10)
        return c, first, last

    c, first, last = torch.vmap(body)(x)
    log.gradient("c", c)
    log.gradient("first", first)
    log.gradient("last", last)
    log("gradient", torch.autograd.grad((c * c).sum() + first.sum(), x))


def versions_inside(torch, log):
    x = _numbers(torch, 3, 2)

    def body(b):
        c = b.clone()
        d = c[0]
        before = (c._version, d._version)
        c.add_(1)
        log("before", before)
        log("after", (c._version, d._version))
        return c

    torch.vmap(body)(x)


def changes_of_saved_values_inside(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)

    def body(b):
        c = b * 2
        y = c * c
        c.add_(1)
        return y

    y = torch.vmap(body)(x)
    with log.raises("backward"):
        y.sum().backward()


def memory_that_is_shared_in_part(torch, log):
    c = torch.arange(4.0)
    with log.raises("captured"):
        torch.vmap(lambda b: b * c[1:].add_(c[:-1]).sum())(_numbers(torch, 3, 4))
    x = _numbers(torch, 3, 4)
    with log.raises("of another entry"):
        torch.vmap(lambda b: b.add_(x[0]))(x)
    with log.raises("transposed"):
        torch.vmap(lambda b: b.add_(b.t()))(_numbers(torch, 2, 2, 2))
    log("itself", torch.vmap(lambda b: b.mul_(b))(_numbers(torch, 3, 2)))
    log("all of it", torch.vmap(lambda a, b: a.add_(b))(x, x))
    log("c", c)


def shapes_in_place(torch, log):
    x = _numbers(torch, 3, 2, 4)
    for name, call in {
        "unsqueeze_": lambda c: c.unsqueeze_(0),
        "t_": lambda c: c.t_(),
        "transpose_": lambda c: c.transpose_(0, 1),
        "squeeze_": lambda c: c.squeeze_(),
    }.items():
        log(name, torch.vmap(lambda b, call=call: call(b.clone()))(x).shape)


def expanded_results(torch, log):
    x, w = _numbers(torch, 3, 2), torch.ones(2)
    y = torch.vmap(lambda b: w.expand(4, 2))(x)
    log("strides", y.stride())
    with log.raises("write"):
        y.add_(1)


# ---------------------------------------------------------------- views that come out


def views_that_come_out(torch, log):
    x = _numbers(torch, 3, 4)
    y = torch.vmap(lambda b: b.view(2, 2).t())(x)
    log("y", y)
    log("strides", y.stride())
    log("is a view", y._is_view())
    y[0, 0, 1] = 100.0
    log("x", x)


def views_of_columns(torch, log):
    x = _numbers(torch, 4, 3)
    log("reshaped", torch.vmap(lambda b: b.reshape(2, 2), in_dims=1)(x))
    log("viewed", torch.vmap(lambda b: b.view(2, 2), in_dims=1)(x))
    log("unfolded", torch.vmap(lambda b: b.unfold(0, 2, 1), in_dims=1)(x))
    log("split", torch.vmap(lambda b: b.split(2), in_dims=1)(x))
    log("unbound", torch.vmap(lambda b: b.unbind(), in_dims=1)(x))
    log("chunks", torch.vmap(lambda b: b.chunk(2), in_dims=1, out_dims=1)(x))
    log("strided", torch.vmap(lambda b: b.as_strided((2,), (2,)))(x))


def entries_in_the_order_of_memory(torch, log):
    x = _numbers(torch, 2, 3, 4)
    for dim in range(3):
        _inside(torch, log, f"stride {dim}", lambda b: b.stride(), x, in_dims=dim)
        _inside(torch, log, f"copy {dim}", lambda b: (b * 1).stride(), x, in_dims=dim)
        _inside(torch, log, f"made {dim}", lambda b: b.contiguous().stride(), x, in_dims=dim)
        log(f"flat {dim}", torch.vmap(lambda b: b.t().contiguous().view(-1), in_dims=dim)(x))
        log(f"again {dim}", torch.vmap(lambda b: b.contiguous() is b, dim, None)(x[:, :, :4]))
        log.attempt(f"viewed {dim}", lambda dim=dim: torch.vmap(lambda b: b.view(-1), dim)(x))
    log("offsets", torch.vmap(lambda b: b[1:, 2:].storage_offset(), 0, None)(x))


@differs(
    "views of several may be written into",
    {
        "written": {
            "tensor": [[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]],
            "shape": [3, 2],
            "dtype": "float32",
            "requires_grad": True,
            "grad_fn": True,
        },
        "gradient": {
            "tuple": [
                {
                    "tensor": [[0.0, 18.0], [36.0, 54.0], [72.0, 90.0]],
                    "shape": [3, 2],
                    "dtype": "float32",
                    "requires_grad": False,
                    "grad_fn": None,
                }
            ]
        },
    },
)
def pieces_that_are_written_into(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    h = x * 1

    def write(b):
        for piece in b.split(1):
            piece.mul_(3)
        return b

    with contextlib.suppress(RuntimeError):
        torch.vmap(write)(h)
    log.gradient("written", h)
    log("gradient", torch.autograd.grad((h * h).sum(), x))


def views_with_gradients_that_change(torch, log):
    x = _numbers(torch, 3, 4, requires_grad=True)
    h = x * 1
    v = torch.vmap(lambda b: b[1:3])(h)
    v.mul_(10)
    log.gradient("h", h)
    log("gradient", torch.autograd.grad((h * h).sum(), x))


def elements_that_repeat_are_not_written(torch, log):
    x = _numbers(torch, 3, 1)
    with log.raises("expanded entry"):
        torch.vmap(lambda b: b.expand(2).add_(1))(x)
    with log.raises("expanded batch"):
        torch.vmap(lambda b: b.add_(1))(torch.ones(2).expand(3, 2))


@each(function=["batch_norm", "instance_norm"], mean=["one", "each"], var=["one", "each"])
def running_statistics(torch, log, function, mean, var):
    """What entries share is not moved by one of them, nor in part."""
    f = getattr(torch.nn.functional, function)
    given = {"training": True} if function == "batch_norm" else {}
    x = _numbers(torch, 2, 4, 3, 5).double()
    stats = {
        name: start.expand(2, 3).clone() if kind == "each" else start
        for name, kind, start in (
            ("running_mean", mean, torch.full((3,), 5.0, dtype=x.dtype)),
            ("running_var", var, torch.full((3,), 7.0, dtype=x.dtype)),
        )
    }
    axes = tuple(0 if kind == "each" else None for kind in (mean, var))
    call = torch.vmap(lambda x, mean, var: f(x, mean, var, **given), (0, *axes))
    log.attempt("outcome", lambda: call(x, *stats.values()), words=False)
    log("statistics", list(stats.values()))
