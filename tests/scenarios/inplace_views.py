"""Changes in place through views: which values, which history, which errors."""

from ._changed_views import _W, _gradients, _state
from ._harness import each
from .views import _VIEWS, _matrix, _names

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


# ---------------------------------------------------------------- several changes


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


# ---------------------------------------------------------------- views that refuse


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


# ---------------------------------------------------------------- under no_grad, data, detach


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


# ---------------------------------------------------------------- retained, hooked, recorded


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


# ---------------------------------------------------------------- complex


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
