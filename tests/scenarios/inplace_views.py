"""Changes in place through views: which values, which history, which errors."""

from ._harness import differs, each
from .views import _VIEWS, _matrix, _names

_W = 2.0


def _state(torch, log, label, t):
    """What a tensor has become: its value, where it came from, and how often it was changed."""
    log.attempt(label, lambda: t)
    log.attempt(f"{label} next", lambda: _names(torch, t))
    log.attempt(f"{label} state", lambda: [t.requires_grad, t.is_leaf, t._version])


def _weighted(torch, t):
    return (t * torch.arange(1.0, 1.0 + t.numel()).reshape(t.shape)).sum()


def _gradients(torch, log, label, t, inputs):
    def call():
        return torch.autograd.grad(
            _weighted(torch, t), inputs, retain_graph=True, allow_unused=True
        )

    log.attempt(label, lambda: [None if g is None else g.detach() for g in call()])


#: Views into which one may write under record, and such that refuse it.
_KINDS = [name for name in _VIEWS if name not in ("unfold", "expand")]


@each(view=_KINDS, where=["the view", "the base", "another view"])
def multiplied(torch, log, view, where):
    x = _matrix(torch)
    w = torch.tensor(_W, requires_grad=True)
    y = x * 1
    v = _VIEWS[view](y)
    z = y[1]
    target = {"the view": v, "the base": y, "another view": z}[where]
    log.attempt("mul_", lambda: target.mul_(w))
    _state(torch, log, "y", y)
    _state(torch, log, "v", v)
    _gradients(torch, log, "of y", y, [x, w])
    _gradients(torch, log, "of v", v, [x, w])


@each(view=_KINDS)
def of_a_leaf(torch, log, view):
    x = _matrix(torch)
    v = _VIEWS[view](x)
    log.attempt("mul_", lambda: v.mul_(2.0))
    with torch.no_grad():
        log.attempt("under no_grad", lambda: v.mul_(2.0))
    log("x", x)
    log("version", x._version)
    log.attempt("v", lambda: _names(torch, v))


@each(view=_KINDS)
def of_a_constant_with_a_variable(torch, log, view):
    c = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    w = torch.tensor(_W, requires_grad=True)
    v = _VIEWS[view](c)
    log.attempt("mul_", lambda: v.mul_(w))
    _state(torch, log, "c", c)
    _state(torch, log, "v", v)
    if c.requires_grad:
        _gradients(torch, log, "gradient", c, [w])


_CHANGES = {
    "add_": lambda t, w: t.add_(w),
    "add_ with alpha": lambda t, w: t.add_(w, alpha=3),
    "sub_": lambda t, w: t.sub_(w),
    "div_": lambda t, w: t.div_(w),
    "pow_": lambda t, w: t.pow_(2),
    "exp_": lambda t, w: t.exp_(),
    "sqrt_": lambda t, w: t.sqrt_(),
    "sigmoid_": lambda t, w: t.div_(8).sigmoid_(),
    "tanh_": lambda t, w: t.tanh_(),
    "relu_": lambda t, w: t.relu_(),
    "abs_": lambda t, w: t.abs_(),
    "neg_": lambda t, w: t.neg_(),
    "reciprocal_": lambda t, w: t.reciprocal_(),
    "clamp_": lambda t, w: t.clamp_(1.5, 4.5),
    "clamp_ of tensors": lambda t, w: t.clamp_(w, w * 2),
    "addcmul_": lambda t, w: t.addcmul_(w, w),
    "lerp_": lambda t, w: t.lerp_(w, 0.25),
    "zero_": lambda t, w: t.zero_(),
    "fill_": lambda t, w: t.fill_(7.0),
    "fill_ of a tensor": lambda t, w: t.fill_(w),
    "copy_": lambda t, w: t.copy_(w),
    "masked_fill_": lambda t, w: t.masked_fill_(t > 2, 9.0),
    "masked_fill_ of a tensor": lambda t, w: t.masked_fill_(t > 2, w),
    "cumsum_": lambda t, w: t.cumsum_(0),
    "floor_": lambda t, w: t.floor_(),
    "+=": lambda t, w: t.__iadd__(w),
    "*=": lambda t, w: t.__imul__(w),
    "/=": lambda t, w: t.__itruediv__(2.0),
    "**=": lambda t, w: t.__ipow__(2),
    "t[0] = w": lambda t, w: t.__setitem__(0, w),
    "t[...] = w": lambda t, w: t.__setitem__(..., w),
    "t[0] = 5": lambda t, w: t.__setitem__(0, 5.0),
    "t[mask] = w": lambda t, w: t.__setitem__(t > 2, w),
    "t[mask] = 0": lambda t, w: t.__setitem__(t > 2, 0.0),
}


@each(change=list(_CHANGES), view=["t[:, 1:]", "t"])
def changed(torch, log, change, view):
    x = _matrix(torch)
    w = torch.tensor(_W, requires_grad=True)
    y = x * 1
    v = _VIEWS[view](y)
    log.attempt("change", lambda: _CHANGES[change](v, w))
    _state(torch, log, "y", y)
    _state(torch, log, "v", v)
    _gradients(torch, log, "gradient", y, [x, w])


@each(change=list(_CHANGES))
def whole(torch, log, change):
    x = _matrix(torch)
    w = torch.tensor(_W, requires_grad=True)
    y = x * 1
    v = y[0]
    log.attempt("change", lambda: _CHANGES[change](y, w))
    _state(torch, log, "y", y)
    _state(torch, log, "v", v)
    _gradients(torch, log, "gradient", v, [x, w])


# ------------------------------------------------------------------ several changes


def view_then_base_then_view(torch, log):
    x = _matrix(torch)
    y = x * 1
    a, b = y[0], y.t()
    a.mul_(2.0)
    y.add_(x)
    b[1].exp_()
    for label, t in (("y", y), ("a", a), ("b", b)):
        _state(torch, log, label, t)
        _gradients(torch, log, f"of {label}", t, [x])


def view_of_a_view_is_changed(torch, log):
    x = _matrix(torch)
    y = x * 1
    a = y.t()
    b = a[1:]
    c = b[0]
    c.mul_(3.0)
    for label, t in (("y", y), ("a", a), ("b", b), ("c", c)):
        _state(torch, log, label, t)
        _gradients(torch, log, f"of {label}", t, [x])


def many_parts_written(torch, log):
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = torch.zeros(10)
    for i in range(10):
        y[i] = w[i % 3] * i
    y.sum().backward()
    log("y", y)
    log("grad", w.grad)
    log("version", y._version)


def a_recurrence_in_one_tensor(torch, log):
    w = torch.tensor(0.5, requires_grad=True)
    y = torch.ones(6)
    for i in range(1, 6):
        y[i] = y[i - 1].clone() * w
    y.sum().backward()
    log("y", y)
    log("grad", w.grad)


def a_recurrence_that_reads_what_is_written_over_raises(torch, log):
    w = torch.tensor(0.5, requires_grad=True)
    y = torch.ones(6)
    with log.raises("backward"):
        for i in range(1, 6):
            y[i] = y[i - 1] * w
        y.sum().backward()


def part_written_twice(torch, log):
    x = _matrix(torch)
    y = x * 1
    y[0] = y[0] * 2
    y[0, 1:] = 0.0
    y[:, 0] += x[:, 1]
    _state(torch, log, "y", y)
    _gradients(torch, log, "gradient", y, [x])


def rows_updated_by_views(torch, log):
    x = _matrix(torch)
    y = x * 1
    rows = [y[i] for i in range(2)]
    for i, row in enumerate(rows):
        row.mul_(i + 2.0)
    _state(torch, log, "y", y)
    for i, row in enumerate(rows):
        _state(torch, log, f"row {i}", row)
    _gradients(torch, log, "gradient", y, [x])


def swapped_rows(torch, log):
    x = _matrix(torch)
    y = x * 1
    y[0], y[1] = y[1].clone(), y[0].clone()
    _state(torch, log, "y", y)
    _gradients(torch, log, "gradient", y, [x])


# ------------------------------------------------------------------ views that refuse


@each(view=["unbind", "chunk", "split", "split of lengths"], how=["mul_", "t[0] = 1", "t[...] = 1"])
def one_of_several(torch, log, view, how):
    x = _matrix(torch)
    y = x * 1
    v = _VIEWS[view](y)
    with log.raises("change"):
        {
            "mul_": lambda: v.mul_(2.0),
            "t[0] = 1": lambda: v.__setitem__(0, 1.0),
            "t[...] = 1": lambda: v.__setitem__(..., 1.0),
        }[how]()
    log("y", y)
    y.mul_(2.0)
    with log.raises("after the base"):
        v * 1


def one_of_several_iterated(torch, log):
    y = _matrix(torch) * 1
    for i, row in enumerate(y):
        with log.raises(f"row {i}"):
            row.mul_(2.0)


def view_of_one_of_several(torch, log):
    y = _matrix(torch) * 1
    v = y.unbind(0)[1][:1]
    with log.raises("change"):
        v.mul_(2.0)
    y.mul_(2.0)
    with log.raises("after the base"):
        v + 1


def one_of_several_of_a_constant(torch, log):
    w = torch.tensor(_W, requires_grad=True)
    c = torch.ones(2, 2)
    a, b = c.unbind(0)
    log("by a constant", a.mul_(3.0))
    with log.raises("by a variable"):
        b.mul_(w)
    log("c", c)


def one_of_several_under_no_grad(torch, log):
    x = _matrix(torch)
    a, b = x.unbind(0)
    with torch.no_grad():
        a.zero_()
    log("x", x)
    with log.raises("later"):
        b * 2


def one_of_several_after_a_step(torch, log):
    x = _matrix(torch)
    a, _ = x.chunk(2)
    with torch.no_grad():
        x.sub_(0.5)
    with log.raises("later"):
        a.sum()


@each(base=["a leaf", "a result", "a constant"], by=["a number", "a variable"])
def view_made_under_no_grad(torch, log, base, by):
    x = _matrix(torch)
    y = {"a leaf": x, "a result": x * 1, "a constant": x.detach().clone()}[base]
    with torch.no_grad():
        v = y[0]
    w = torch.tensor(_W, requires_grad=True)
    log.attempt("change", lambda: v.mul_(w if by == "a variable" else 2.0).detach())
    log("y", y)
    with torch.no_grad():
        log("under no_grad", v.mul_(3.0).detach())
    log.attempt("later", lambda: _names(torch, v))


def view_of_a_view_made_under_no_grad(torch, log):
    x = _matrix(torch)
    with torch.no_grad():
        v = x[0]
    u = v[:1]
    log("u", _names(torch, u))
    with log.raises("change"):
        u.mul_(2.0)


def base_of_a_view_made_under_no_grad_changed(torch, log):
    x = _matrix(torch)
    y = x * 1
    with torch.no_grad():
        v = y[0]
    y.mul_(2.0)
    log("requires_grad", v.requires_grad)
    with log.raises("v"):
        v * 1


# ------------------------------------------------------------------ under no_grad, data, detach


def under_no_grad_the_history_stays(torch, log):
    x = _matrix(torch)
    y = x * 2
    v = y[0]
    with torch.no_grad():
        v.mul_(10.0)
    _state(torch, log, "y", y)
    _state(torch, log, "v", v)
    _gradients(torch, log, "gradient", v, [x])


def through_data_nothing_is_noticed(torch, log):
    x = _matrix(torch)
    y = x.exp()
    v = y[0]
    v.data.zero_()
    _state(torch, log, "y", y)
    _gradients(torch, log, "gradient", y, [x])


def through_detach_the_version_counts(torch, log):
    x = _matrix(torch)
    y = x.exp()
    y.detach()[0].zero_()
    log("version", y._version)
    with log.raises("backward"):
        y.sum().backward()


def detached_view_gets_a_history_of_its_own(torch, log):
    x = _matrix(torch)
    y = x * 1
    d = y.detach()
    d.mul_(x)
    log("y", _names(torch, y))
    log("d", _names(torch, d))
    log("value", y)
    (y.sum() + d.sum()).backward()
    log("grad", x.grad)


# ------------------------------------------------------------------ retained, hooked, recorded


def retained_gradients_move(torch, log):
    x = _matrix(torch)
    y = x * 1
    y.retain_grad()
    v = y[0]
    v.retain_grad()
    v.mul_(2.0)
    (y * y).sum().backward()
    log("y", y.grad)
    log("v", v.grad)
    log("x", x.grad)


def retained_gradient_of_a_view_that_is_used(torch, log):
    x = _matrix(torch)
    y = x * 1
    v = y[0]
    v.retain_grad()
    y.mul_(3.0)
    log("retains", v.retains_grad)
    (v * v).sum().backward()
    log("v", v.grad)
    log("x", x.grad)


def hooks_stay_where_they_were(torch, log):
    x = _matrix(torch)
    y = x * 1
    seen = []
    y.register_hook(lambda g: seen.append(["before", g.clone()]))
    y[0].mul_(2.0)
    y.register_hook(lambda g: seen.append(["after", g.clone()]))
    y.sum().backward()
    log("seen", seen)
    log("x", x.grad)


def double_backward_through_a_written_part(torch, log):
    x = _matrix(torch)
    w = torch.tensor(_W, requires_grad=True)
    y = x * x
    y[0].mul_(w)
    y[1, 1:] = x[0, 1:] ** 3
    gx, gw = torch.autograd.grad((y**2).sum(), [x, w], create_graph=True)
    log.gradient("x", gx)
    log.gradient("w", gw)
    second = torch.autograd.grad(gx.sum() + gw * 3, [x, w])
    log.gradient("second", second)


def in_place_under_create_graph(torch, log):
    x = _matrix(torch)
    (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    g[0].mul_(2.0)
    g.sum().backward()
    log("grad", x.grad)


# ------------------------------------------------------------------ complex


@each(part=["real", "imag", "view_as_real", "view_as_real[0]"])
def part_of_complex_numbers(torch, log, part):
    z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    w = torch.tensor(_W, requires_grad=True)
    y = z * 1
    v = {
        "real": lambda: y.real, "imag": lambda: y.imag,
        "view_as_real": lambda: torch.view_as_real(y),
        "view_as_real[0]": lambda: torch.view_as_real(y)[0],
    }[part]()  # fmt: skip
    v.mul_(w)
    log("y", y)
    log("next", _names(torch, y))
    log("v", v)
    y.backward(torch.tensor([1 + 1j, 2 - 3j]))
    log("z", z.grad)
    log("w", w.grad)


def complex_of_pairs(torch, log):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = x * 1
    z = torch.view_as_complex(y)
    z.mul_(2 + 1j)
    log("y", y)
    log("next", _names(torch, y))
    (y * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    log("grad", x.grad)


# ------------------------------------------------------------------ another shape in place


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


# ------------------------------------------------------------------ x[key] = value


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


# ------------------------------------------------------------------ memory that overlaps


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


# ------------------------------------------------------------------ what does not fit


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


# ------------------------------------------------------------------ by index


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


# ------------------------------------------------------------------ more than PyTorch, or less


def _tensor(values, **rest):
    return {"tensor": values, "shape": [2, 2], "dtype": "float32", **rest}


@differs(
    "a view of what has got a history has one, too, whether anybody has looked at it or not",
    {
        "second row": {
            "tensor": [2.0, 2.0], "shape": [2], "dtype": "float32", "requires_grad": True,
            "grad_fn": "AsStridedBackward0",
        },
        "c": _tensor([[2.0, 2.0], [2.0, 2.0]], requires_grad=True,
                     grad_fn="torch::autograd::CopySlices"),
    },
)  # fmt: skip
def rows_of_a_constant(torch, log):
    w = torch.tensor(_W, requires_grad=True)
    c = torch.ones(2, 2)
    first, second = c[0], c[1]
    first.mul_(w)
    log.attempt("second row", lambda: second.mul_(w))
    log("c", c)


_OVERLAP = {
    "raises": "RuntimeError",
    "message": "unsupported operation: more than one element of the written-to tensor refers to a "
    "single memory location. Please clone() the tensor before performing the operation.",
}


@differs(
    "what is written twice, or into memory that repeats, is refused",
    {"windows": _OVERLAP, "strided": _OVERLAP, "fill_": _OVERLAP, "zero_": _OVERLAP},
)
def into_memory_that_overlaps(torch, log):
    log.attempt("windows", lambda: torch.arange(4.0).unfold(0, 2, 1).add_(1.0))
    log.attempt("strided", lambda: torch.arange(4.0).as_strided((2, 2), (1, 1)).mul_(2.0))
    log.attempt("windows apart", lambda: torch.arange(4.0).unfold(0, 2, 2).add_(1.0))
    log.attempt("fill_", lambda: torch.zeros(1).expand(3).fill_(1.0))
    log.attempt("zero_", lambda: torch.ones(1).expand(3).zero_())


@differs(
    "a conjugate has memory of its own",
    {"z": {"tensor": [[1.0, 2.0]], "shape": [1], "dtype": "complex64", "requires_grad": False,
           "grad_fn": None}},
)  # fmt: skip
def through_a_conjugate(torch, log):
    z = torch.tensor([1 + 2j])
    log("c", z.conj().mul_(2).resolve_conj() if hasattr(z, "resolve_conj") else z.conj().mul_(2))
    log("z", z)


_GRAD = {"shape": [3], "dtype": "float32", "requires_grad": False, "grad_fn": None}


@differs(
    "a leaf that is a view of memory without a history is a leaf: its own views lead to it",
    {
        "grad of the view": {"tensor": [1.0, 1.0, 1.0], **_GRAD},
        "grad of both": {"tensor": [2.0, 2.0, 2.0], **_GRAD},
    },
)
def leaf_that_is_a_view_changed_under_no_grad(torch, log):
    leaf = torch.arange(3.0).reshape(3).requires_grad_()
    view = leaf.view(3)
    with torch.no_grad():
        leaf.mul_(0.5)

    def gradient(y):
        return torch.autograd.grad(y.sum(), leaf, allow_unused=True)[0]

    log.attempt("grad of the view", lambda: gradient(view * 1))
    log.attempt("grad of both", lambda: gradient(view + leaf))


@differs(
    "the old value of what is written over is kept for the derivative, whichever operand it is",
    {
        "mul_": {"tensor": [2.0, 4.0, 6.0], **_GRAD},
        "by a view": {"tensor": [2.0, 4.0, 6.0], **_GRAD},
        "div_": {"tensor": [0.0, 0.0, 0.0], **_GRAD},
        "addcmul_": {"tensor": [3.0, 5.0, 7.0], **_GRAD},
    },
)
def changed_by_itself(torch, log):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    changes = {
        "mul_": lambda y: y.mul_(y),
        "by a view": lambda y: y.mul_(y.view(3)),
        "div_": lambda y: y.div_(y),
        "addcmul_": lambda y: y.addcmul_(y, y),
        "add_": lambda y: y.add_(y, alpha=0.5),
        "copy_": lambda y: y.copy_(y),
    }
    for name, change in changes.items():
        log.attempt(name, lambda change=change: torch.autograd.grad(change(x * 1).sum(), x)[0])


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


# ------------------------------------------------------------------ what views say of a gradient


def _told(log, label, *tensors):
    for i, x in enumerate(tensors):
        log(f"{label} {i}", [x.requires_grad, x.is_leaf, x.grad_fn is None, x._is_view()])


def _base(torch, kind):
    x = torch.ones(3, requires_grad=kind != "constant")
    return x * 2 if kind == "result" else x


@each(mode=["no_grad", "inference_mode"], base=["result", "leaf", "constant"])
def view_without_record_made_a_leaf(torch, log, mode, base):
    y = _base(torch, base)
    with getattr(torch, mode)():
        v = y.view(3)
    before = v * 3
    v.requires_grad_()
    _told(log, "view", v)
    (v * 3).sum().backward()
    log("gradient", v.grad)
    if before.requires_grad:
        before.sum().backward()
    log("not of what was computed before", v.grad)
    v.requires_grad_(False)
    _told(log, "off again", v)


@each(mode=["no_grad", "inference_mode"], base=["result", "leaf"], own=[True, False])
def view_without_record_of_a_base_that_is_detached(torch, log, mode, base, own):
    y = _base(torch, base)
    with getattr(torch, mode)():
        v = y[:2]
    w = y[1:]
    if own:
        v.requires_grad_()
    y.detach_()
    _told(log, "tensors", y, v, v * 3)
    log("what was recorded stays", w.requires_grad)
    if own:
        (v * 3).sum().backward()
        log("gradient", v.grad)


@each(base=["result", "leaf"])
def view_without_record_of_a_base_that_is_changed_and_detached(torch, log, base):
    y = _base(torch, base)
    with torch.no_grad():
        v = y[:2]
        y.mul_(2)
    y.detach_()
    _told(log, "tensors", y, v)
    log("view", v * 3)


@each(mode=["no_grad", "inference_mode"])
def view_without_record_of_a_base_made_a_leaf(torch, log, mode):
    y = torch.ones(3)
    with getattr(torch, mode)():
        v = y[:2]
    y.requires_grad_()
    _told(log, "tensors", y, v)
    log("view", v)
    (v * 3).sum().backward()
    log("gradients", [v.grad, y.grad])
    with log.raises("write"):
        v.mul_(2)
    y.requires_grad_(False)
    _told(log, "off again", y, v)


def views_of_many_of_a_base_made_a_leaf(torch, log):
    y = torch.ones(2, 2)
    first, second = y.unbind(0)
    first.requires_grad_()
    y.requires_grad_()
    _told(log, "tensors", y, first, second)
    (first * 2 + second).sum().backward()
    log("gradients", [first.grad, second.grad, y.grad])


def view_that_is_a_leaf_of_a_base_made_one(torch, log):
    y = torch.ones(3)
    v = y[:2].requires_grad_()
    y.requires_grad_()
    _told(log, "tensors", y, v)
    (v * 2 + y[:2]).sum().backward()
    log("gradients", [v.grad, y.grad])


def base_off_before_anybody_looked(torch, log):
    y = torch.ones(3)
    v = y[:2]
    y.requires_grad_()
    y.requires_grad_(False)
    _told(log, "tensors", y, v, v * 2)


# ------------------------------------------------------------------ saved and changed since


_PLAIN = {"dtype": "float32", "requires_grad": False, "grad_fn": None}


@differs(
    "what a derivative reads is known, whatever became of the tensor",
    {"backward": {"raises": None}, "gradient": {"tensor": [8.0, 16.0], "shape": [2], **_PLAIN}},
)
def saved_and_detached_in_place(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    w = y * y
    y.detach_()
    with log.raises("backward"):
        w.sum().backward()
    log("gradient", x.grad)


@differs(
    "what was computed and written through a view is kept for the derivative",
    {"backward": {"raises": None}, "gradient": {"tensor": [2.0, 2.0], "shape": [2], **_PLAIN}},
)
def changed_after_a_change_through_a_view(torch, log):
    x = torch.tensor([0.0, 0.0], requires_grad=True)
    y = x * 1
    v = y.squeeze()
    v.exp_()
    v.mul_(2)
    with log.raises("backward"):
        y.sum().backward()
    log("gradient", x.grad)


def data_changed_after_a_change_in_place(torch, log):
    x = torch.tensor([0.0, 0.0], requires_grad=True)
    y = x * 1
    y.exp_()
    y.data.mul_(2)
    y.sum().backward()
    log("gradient", x.grad)


@differs(
    "the hook of a view sees the gradient of what was read through the view",
    {
        "through a part of it": [[[3, 3, 3], [0, 0, 0]]],
        "gradient": [60, 60, 60, 2, 2, 2],
        "through the view": [[[3, 3, 3], [3, 3, 3]]],
    },
)
def hook_of_a_view_that_is_written_through(torch, log):
    x = torch.ones(6, requires_grad=True)
    y = x * 2
    w = y.view(2, 3)
    seen = []
    w.register_hook(lambda g: seen.append(g.int().tolist()) or g * 10)
    w[0].mul_(3)
    y.sum().backward()
    log("through a part of it", seen)
    log("gradient", x.grad.int().tolist())
    y = x * 2
    w = y.view(2, 3)
    seen = []
    w.register_hook(lambda g: seen.append(g.int().tolist()))
    w.mul_(3)
    y.sum().backward()
    log("through the view", seen)


@differs(
    "the gradient with respect to a view that was made without record is known",
    {
        "gradient": {"tensor": [3.0, 3.0], "shape": [2], **_PLAIN},
        "hook": [[3, 3]],
    },
)
def view_without_record_asked_for_its_gradient(torch, log):
    y = torch.ones(3, requires_grad=True) * 2
    with torch.no_grad():
        v = y[:2]
    seen = []
    v.register_hook(lambda g: seen.append(g.int().tolist()))
    w = (v * 3).sum()
    w.backward(retain_graph=True)
    log("hook", seen)
    log("accumulated", v.grad)
    log.attempt("gradient", lambda: torch.autograd.grad(w, v)[0])


@differs(
    "a leaf that has been told anew is a new one",
    {"view": [True, True]},
)
def view_without_record_of_a_changed_base_made_a_leaf_again(torch, log):
    y = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        v = y[:2]
        y.mul_(2)
    y.requires_grad_(False)
    log("off", [v.requires_grad, v.is_leaf])
    y.requires_grad_()
    log.attempt("view", lambda: [v.requires_grad, v.is_leaf])
