"""Version counters, and the values that a derivative reads and that were changed."""

from ._harness import differs, each
from .inplace_views import _CHANGES
from .views import _VIEWS, _matrix


@each(view=[name for name in _VIEWS if name not in ("expand", "unfold")])
def shared_by_views(torch, log, view):
    c = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    v = _VIEWS[view](c)
    log("fresh", [c._version, v._version])
    v.add_(1.0)
    c.mul_(2.0)
    log("after both", [c._version, v._version])
    log("of a new view", _VIEWS[view](c)._version)


@each(change=list(_CHANGES))
def counted(torch, log, change):
    x = _matrix(torch)
    w = torch.tensor(2.0, requires_grad=True)
    y = x * 1
    v = y[0]
    _CHANGES[change](y, w)
    log("whole", [y._version, v._version])
    _CHANGES[change](v, w)
    log("part", [y._version, v._version])
    with torch.no_grad():
        _CHANGES[change](x, w)
    log("under no_grad", x._version)


def of_what_is_made(torch, log):
    x = torch.ones(3)
    x.add_(1.0)
    log("clone", x.clone()._version)
    log("detach", x.detach()._version)
    log("data", x.data._version)
    log("result", (x * 2)._version)
    log("view", x[:1]._version)
    log("to another dtype", x.double()._version)
    log("to its own", x.float()._version)
    log("contiguous", x.contiguous()._version)


def of_data_assigned(torch, log):
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        x.add_(1.0)
    x.data = torch.zeros(3)
    log("x", x._version)
    with torch.no_grad():
        x.add_(1.0)
    log("again", x._version)


@differs(
    "what happened to the memory of a first gradient before it was one is not counted",
    {"first": 0, "accumulated": 1, "zeroed": 2},
)
def of_gradients(torch, log):
    x = torch.ones(3, requires_grad=True)
    x.sum().backward()
    log("first", x.grad._version)
    x.sum().backward()
    log("accumulated", x.grad._version)
    x.grad.zero_()
    log("zeroed", x.grad._version)


_ADDING = {
    "sum": lambda x: x.sum(), "mul": lambda x: (x * 2).sum(), "square": lambda x: (x * x).sum(),
    "both": lambda x: (x + x).sum(), "two parts": lambda x: (x * x + x * 2).sum(),
    "one element": lambda x: x[0] * 2, "indexed": lambda x: x[[0, 1]].sum(),
    "view": lambda x: x.view(3, 1).sum(), "max": lambda x: x.max(), "dot": lambda x: x.dot(x),
    "softmax": lambda x: x.softmax(0)[0], "clone": lambda x: x.clone().sum(),
}  # fmt: skip


@each(
    of=list(_ADDING),
    how=["plain", "a hook", "a hook afterwards", "create_graph", "given", "kept"],
)
def of_gradients_from_the_first_on(torch, log, of, how):
    """How often the first was written before it was a gradient, nothing depends on."""
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    seen = []
    if how == "a hook":
        x.register_hook(lambda g: seen.append(g))
    elif how == "a hook afterwards":
        x.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad))
    elif how == "given":
        x.grad = torch.zeros(3)

    def add(**options):
        before = x.grad
        _ADDING[of](x).backward(**options)
        if how == "kept":
            seen.append(x.grad)
        if before is None or x.grad is not before:
            counted.append("another")
            first.append(x.grad._version)
        else:
            counted.append(x.grad._version - (first[-1] if first else 0))

    counted, first = [], []
    add()
    add()
    x.grad.zero_()
    add()
    if how == "create_graph":
        add(create_graph=True)
        add()
    x.grad = None
    add()
    add()
    log("counted", counted)


def of_numpy(torch, log):
    x = torch.ones(3)
    x.numpy()[0] = 5.0
    log("unnoticed", x._version)
    torch.from_numpy(x.numpy()).add_(1.0)
    log("unnoticed as well", x._version)


def of_another_shape_in_place(torch, log):
    x = torch.ones(1, 3)
    x.t_()
    log("t_", x._version)
    x.squeeze_()
    log("squeeze_", x._version)
    x.unsqueeze_(0)
    log("unsqueeze_", x._version)
    x.requires_grad_()
    log("requires_grad_", x._version)
    x.detach_()
    log("detach_", x._version)


# ------------------------------------------------------------------ changed after it was read


_READERS = {
    "exp": lambda y: y.exp(), "square": lambda y: y * y, "sin": lambda y: y.sin(),
    "pow": lambda y: y**3, "log": lambda y: y.log(), "tanh": lambda y: y.tanh(),
    "matmul": lambda y: y @ y.detach().t().clone(), "sum": lambda y: y.sum(),
    "mul by a number": lambda y: y * 2, "softmax": lambda y: y.softmax(1),
    "max": lambda y: y.max(), "sqrt": lambda y: y.sqrt(), "prod": lambda y: y.prod(),
    "relu": lambda y: y.relu(), "index": lambda y: y[[0, 1]], "norm": lambda y: y.norm(),
    "cumsum": lambda y: y.cumsum(0), "where": lambda y: y.where(y > 2, y * 0),
}  # fmt: skip


@each(reader=list(_READERS), changed=["operand", "result", "view of the operand"])
def read_by(torch, log, reader, changed):
    x = _matrix(torch)
    y = x * 1
    v = y[0]
    z = _READERS[reader](y)
    {"operand": y, "result": z, "view of the operand": v}[changed].mul_(2.0)
    log.attempt("backward", lambda: z.sum().backward())
    log("grad", x.grad)


@each(view=["t[0]", "t[:, 1:]", "t", "view", "diagonal", "expand", "unsqueeze", "a view of a view"])
def a_view_that_was_read(torch, log, view):
    x = _matrix(torch)
    y = x * 1
    v = _VIEWS[view](y)
    z = v * v
    y.add_(1.0)
    with log.raises("backward"):
        z.sum().backward()


@each(change=["mul_", "add_", "zero_", "y[0] = 1", "copy_", "y[0].mul_", "fill_"])
def by_what_it_was_modified(torch, log, change):
    x = _matrix(torch)
    y = x.exp()
    z = y * y

    def write():
        y[0] = 1.0

    {
        "mul_": lambda: y.mul_(2.0), "add_": lambda: y.add_(x), "zero_": lambda: y.zero_(),
        "y[0] = 1": write, "copy_": lambda: y.copy_(x), "y[0].mul_": lambda: y[0].mul_(2.0),
        "fill_": lambda: y.fill_(1.0),
    }[change]()  # fmt: skip
    with log.raises("backward"):
        z.sum().backward()


@each(times=[1, 2, 5])
def how_often(torch, log, times):
    x = _matrix(torch)
    y = x * 1
    y.add_(1.0)
    z = y**2
    for _ in range(times):
        y.mul_(2.0)
    with log.raises("backward"):
        z.sum().backward()


@each(dtype=["float16", "float32", "float64", "complex64", "complex128"])
def the_type_in_the_message(torch, log, dtype):
    x = torch.ones(2, 3, dtype=getattr(torch, dtype), requires_grad=True)
    y = x * 1
    z = y * y
    y.mul_(2)
    with log.raises("backward"):
        torch.autograd.grad(z, x, torch.ones_like(z))


def a_constant(torch, log):
    x = _matrix(torch)
    c = torch.ones(3)
    z = x * c
    c.add_(1.0)
    with log.raises("backward"):
        z.sum().backward()


def an_index(torch, log):
    x = _matrix(torch)
    i = torch.tensor([0, 1])
    z = x[i]
    i.add_(-1)
    with log.raises("backward"):
        z.sum().backward()


def a_mask(torch, log):
    x = _matrix(torch)
    mask = x.detach() > 2
    z = x.masked_fill(mask, 0.0)
    mask.logical_not_()
    with log.raises("backward"):
        z.sum().backward()


def a_leaf(torch, log):
    x = _matrix(torch)
    z = x.exp() * x
    with torch.no_grad():
        x.add_(1.0)
    with log.raises("backward"):
        z.sum().backward()


def a_leaf_through_data(torch, log):
    x = _matrix(torch)
    z = x * x
    x.data.add_(1.0)
    z.sum().backward()
    log("grad", x.grad)


def in_the_second_derivative_only(torch, log):
    x = _matrix(torch)
    y = x * 1
    (g,) = torch.autograd.grad((y**3).sum(), y, create_graph=True)
    y.mul_(2.0)
    with log.raises("second"):
        torch.autograd.grad(g.sum(), x)


def restored_is_modified_all_the_same(torch, log):
    x = _matrix(torch)
    y = x * 1
    z = y * y
    y.add_(1.0)
    y.sub_(1.0)
    with log.raises("backward"):
        z.sum().backward()


def clone_protects(torch, log):
    x = _matrix(torch)
    y = x * 1
    z = y.clone() ** 2
    y.mul_(5.0)
    (z.sum() + y.sum()).backward()
    log("grad", x.grad)


@differs(
    "a number over a tensor is one operation, whose derivative reads the tensor",
    {
        "backward": {
            "raises": "RuntimeError",
            "message": "one of the variables needed for gradient computation has been modified by "
            "an inplace operation: [torch.FloatTensor [2, 3]], which is output 0 of Mul, is at "
            "version 1; expected version 0 instead. Hint: enable anomaly detection to find the "
            "operation that failed to compute its gradient, with "
            "torch.autograd.set_detect_anomaly(True, check_nan=False).",
        },
        "grad": None,
    },
)
def a_number_over_what_is_changed(torch, log):
    x = _matrix(torch)
    y = x * 1
    z = 1 / y
    y.mul_(2.0)
    log.attempt("backward", lambda: z.sum().backward())
    log("grad", x.grad)


# What says which elements are read or written: indices of each, or along an axis, or a mask.
_CHOOSING = {
    "gather": lambda torch, y, i, j, m: y.gather(0, i),
    "take_along_dim": lambda torch, y, i, j, m: torch.take_along_dim(y, i, 0),
    "scatter": lambda torch, y, i, j, m: y.scatter(0, i, torch.ones(2, 3, requires_grad=True)),
    "scatter a number": lambda torch, y, i, j, m: y.scatter(0, i, 1.5),
    "scatter_add": lambda torch, y, i, j, m: y.scatter_add(0, i, torch.ones(2, 3)),
    "scatter_add with a gradient": lambda torch, y, i, j, m: y.detach().scatter_add(0, i, y[:2]),
    "scatter_reduce": lambda torch, y, i, j, m: y.scatter_reduce(0, i, y.detach()[:2], "amax"),
    "flat take_along_dim": lambda torch, y, i, j, m: torch.take_along_dim(y, j),
    "index_select": lambda torch, y, i, j, m: y.index_select(0, j),
    "index": lambda torch, y, i, j, m: y[:, j],
    "take": lambda torch, y, i, j, m: y.take(j),
    "index_add": lambda torch, y, i, j, m: y.index_add(0, j, torch.ones(2, 3)),
    "index_add with a gradient": lambda torch, y, i, j, m: y.detach().index_add(0, j, y[:2]),
    "index_copy": lambda torch, y, i, j, m: y.index_copy(0, j, torch.ones(2, 3)),
    "index_fill": lambda torch, y, i, j, m: y.index_fill(0, j, 0.0),
    "index_put": lambda torch, y, i, j, m: y.index_put((j,), torch.ones(2, 3)),
    "put": lambda torch, y, i, j, m: y.put(j, torch.ones(2)),
    "mask": lambda torch, y, i, j, m: y[m],
    "masked_select": lambda torch, y, i, j, m: y.masked_select(m),
    "where": lambda torch, y, i, j, m: torch.where(m, y, 0.0),
    "masked_fill": lambda torch, y, i, j, m: y.masked_fill(m, 0.0),
    "masked_scatter": lambda torch, y, i, j, m: y.masked_scatter(m, torch.ones(9)),
    "index_put by a mask": lambda torch, y, i, j, m: y.index_put((m,), torch.tensor(1.0)),
}


def _choosing(torch):
    return (
        torch.tensor([[0, 1, 2], [2, 1, 0]]),
        torch.tensor([0, 2]),
        torch.tensor([[True, False, True]] * 3),
    )


def _change(i, j, m):
    i.copy_(i.flip(1))
    j.add_(-1).abs_()
    m.logical_not_()


@each(op=list(_CHOOSING))
def what_chooses_changed_before_backward(torch, log, op):
    x = torch.arange(1.0, 10.0).reshape(3, 3).requires_grad_()
    chosen = _choosing(torch)
    y = _CHOOSING[op](torch, x * 2, *chosen)
    _change(*chosen)
    log.attempt("backward", lambda: y.sum().backward())
    log("grad", x.grad)


@each(op=["gather", "index_select", "index", "take", "mask", "where", "masked_fill", "scatter"])
def what_chooses_changed_after_a_gradient(torch, log, op):
    x = torch.arange(1.0, 10.0).reshape(3, 3).requires_grad_()
    w = torch.ones(3, 3, requires_grad=True)
    chosen = _choosing(torch)
    (g,) = torch.autograd.grad(_CHOOSING[op](torch, x, *chosen).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad((g * w * w).sum(), w, create_graph=True)
    _change(*chosen)
    log.attempt("backward", lambda: (h * h).sum().backward())
    log("grad", w.grad)


@each(dim=[0, 1, None], indices=[[[0, -1, 2]], [[-4, 3, 1]], [[1], [1], [-2]]])
def take_along_dim_counts(torch, log, dim, indices):
    x = torch.arange(1.0, 10.0).reshape(3, 3).requires_grad_()
    log.attempt(
        "backward", lambda: torch.take_along_dim(x, torch.tensor(indices), dim).sum().backward()
    )
    log("grad", x.grad)


@each(kind=["int32", "uint8", "bool", "float32"], dim=[0, None])
def take_along_dim_takes_longs(torch, log, kind, dim):
    i = torch.ones(1, 3, dtype=getattr(torch, kind))
    log.attempt("indices", lambda: torch.take_along_dim(torch.ones(3, 3), i, dim))


@each(op=["exp", "expm1", "sigmoid", "abs", "erfc", "softmax"])
def changed_under_no_grad_and_read_again(torch, log, op):
    x = _matrix(torch)
    z = x * 1
    y = z.softmax(1) if op == "softmax" else getattr(z, op)()
    with torch.no_grad():
        z.mul_(-0.5)
    weight = torch.tensor([3.0, 1.0, 2.0])
    log.attempt("backward", lambda: ((y * weight).sum() + z.pow(2).sum()).backward())
    log("grad", x.grad)


@differs(
    "changed values are found before anything is computed, so that no gradient is added to",
    {"of the other": None},
)
def a_leaf_that_has_nothing_to_do_with_the_change(torch, log):
    x = torch.ones(2, requires_grad=True)
    other = torch.ones(2, requires_grad=True)
    y = x.exp()
    total = y.sum() + (other * 2).sum()
    y.mul_(2.0)
    with log.raises("backward"):
        total.backward()
    log("of the one", x.grad)
    log("of the other", other.grad)


SAVING = {
    "mm": (lambda torch, a, b: a.mm(b), 2, 2),
    "bmm": (lambda torch, a, b: a[None].bmm(b[None]), 2, 2),
    "mv": (lambda torch, a, b: a.mv(b), 2, 1),
    "dot": (lambda torch, a, b: a.dot(b), 1, 1),
    "mul": (lambda torch, a, b: a * b, 1, 1),
    "div": (lambda torch, a, b: a / b, 1, 1),
    "pow": (lambda torch, a, b: a**b, 1, 1),
    "atan2": (lambda torch, a, b: a.atan2(b), 1, 1),
    "hypot": (lambda torch, a, b: a.hypot(b), 1, 1),
    "xlogy": (lambda torch, a, b: a.xlogy(b), 1, 1),
    "maximum": (lambda torch, a, b: a.maximum(b), 1, 1),
    "fmax": (lambda torch, a, b: a.fmax(b), 1, 1),
    "remainder": (lambda torch, a, b: a.remainder(b), 1, 1),
    "fmod": (lambda torch, a, b: a.fmod(b), 1, 1),
    "logaddexp": (lambda torch, a, b: a.logaddexp(b), 1, 1),
    "addmm": (lambda torch, a, b: torch.addmm(a, a, b), 2, 2),
    "addmv": (lambda torch, a, b: torch.addmv(b, a, b), 2, 1),
    "addr": (lambda torch, a, b: torch.addr(a, a, b), 1, 1),
    "addcmul": (lambda torch, a, b: torch.addcmul(a, a, b), 1, 1),
    "addcdiv": (lambda torch, a, b: torch.addcdiv(a, a, b), 1, 1),
    "lerp": (lambda torch, a, b: torch.lerp(a, b, b * 0.5), 1, 1),
    "mse_loss": (lambda torch, a, b: torch.nn.functional.mse_loss(a, b), 1, 1),
    "y @ y.t()": (lambda torch, a, b: a @ a.t(), 2, 2),
    "y.t() @ y": (lambda torch, a, b: a.t() @ a, 2, 2),
}


@each(of=list(SAVING))
def which_operand_is_named(torch, log, of):
    function, *ranks = SAVING[of]
    leaves = [torch.full((2,) * n, 1.5, requires_grad=True) for n in ranks]
    a, b = (x * 1 for x in leaves)
    out = function(torch, a, b).sum()
    a.mul_(2)
    b.mul_(2)
    b.mul_(2)
    with log.raises("backward"):
        out.backward()


@each(of=["aminmax", "std_mean", "unbind"], which=[0, 1], read_by=["itself", "another"])
def which_of_several_results_is_named(torch, log, of, which, read_by):
    x = torch.tensor([[1.0, 5.0], [2.0, 3.0]], requires_grad=True)
    outs = {
        "aminmax": lambda y: torch.aminmax(y, dim=1),
        "std_mean": lambda y: torch.std_mean(y, 1),
        "unbind": lambda y: [t.clone() for t in y.unbind()],
    }[of](x + 1)
    loss = outs[0].sum() + outs[1].sum()
    if read_by == "another":
        loss = (outs[which] * outs[which]).sum()
    with torch.no_grad():
        outs[which].mul_(2)
    log.attempt("backward", loss.backward)


@each(of=list(SAVING))
def the_order_of_packing(torch, log, of):
    function, *ranks = SAVING[of]
    leaves = [torch.full((2,) * n, 1.5, requires_grad=True) for n in ranks]
    a, b = (x * 1 for x in leaves)
    names = {a.data_ptr(): "a", b.data_ptr(): "b"}
    packed = []

    def pack(t):
        packed.append(names.get(t.data_ptr(), "other"))
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        function(torch, a, b)
    log("packed", packed)


@differs(
    "a saved tensor is named as it was saved",
    {
        change: {
            "raises": "RuntimeError",
            "message": "one of the variables needed for gradient computation has been modified by "
            "an inplace operation: [torch.FloatTensor [1, 3]], which is output 0 of Mul, is at "
            "version 1; expected version 0 instead. Hint: enable anomaly detection to find the "
            "operation that failed to compute its gradient, with "
            "torch.autograd.set_detect_anomaly(True, check_nan=False).",
        }
        for change in ("t_", "squeeze_", "unsqueeze_", "transpose_", "as_strided_")
    },
)
def saved_before_its_shape_was_changed(torch, log):
    changes = {
        "t_": (), "squeeze_": (), "unsqueeze_": (0,), "transpose_": (0, 1),
        "as_strided_": ((3,), (1,)),
    }  # fmt: skip
    for name, arguments in changes.items():
        y = torch.ones(1, 3, requires_grad=True) * 2
        w = (y * y).sum()
        getattr(y, name)(*arguments)
        log.attempt(name, w.backward)
