"""Views: what shares memory with what, and where the history of each goes."""

from ._harness import differs, each


def _names(torch, y):
    """The name of a result's node, and those of the nodes that it leads to."""
    node = y.grad_fn
    if node is None:
        return None
    return [node.name(), *[None if n is None else n.name() for n, _ in node.next_functions]]


def _matrix(torch):
    return torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)


_VIEWS = {
    "t[0]": lambda t: t[0],
    "t[:, 1:]": lambda t: t[:, 1:],
    "t[:, ::2]": lambda t: t[:, ::2],
    "t[1, 2]": lambda t: t[1, 2],
    "t[...]": lambda t: t[...],
    "t[:]": lambda t: t[:],
    "t[None]": lambda t: t[None],
    "t[1, None, 1:]": lambda t: t[1, None, 1:],
    "select": lambda t: t.select(1, 2),
    "narrow": lambda t: t.narrow(1, 0, 2),
    "view": lambda t: t.view(3, 2),
    "view_as": lambda t: t.view_as(t),
    "reshape": lambda t: t.reshape(6),
    "flatten": lambda t: t.flatten(),
    "ravel": lambda t: t.ravel(),
    "unflatten": lambda t: t.unflatten(1, (3, 1)),
    "t": lambda t: t.t(),
    "T": lambda t: t.T,
    "mT": lambda t: t.mT,
    "transpose": lambda t: t.transpose(0, 1),
    "permute": lambda t: t.permute(1, 0),
    "movedim": lambda t: t.movedim(0, 1),
    "expand": lambda t: t.expand(2, 2, 3),
    "expand_as": lambda t: t.expand_as(t),
    "unsqueeze": lambda t: t.unsqueeze(0),
    "squeeze": lambda t: t.squeeze(0),
    "diagonal": lambda t: t.diagonal(1),
    "unbind": lambda t: t.unbind(0)[1],
    "chunk": lambda t: t.chunk(3, 1)[1],
    "split": lambda t: t.split(2, 1)[0],
    "split of lengths": lambda t: t.split([1, 2], 1)[1],
    "tensor_split": lambda t: t.tensor_split(2, 1)[0],
    "hsplit": lambda t: t.hsplit(3)[1],
    "vsplit": lambda t: t.vsplit(2)[1],
    "unfold": lambda t: t.unfold(1, 2, 1),
    "as_strided": lambda t: t.as_strided((2, 2), (3, 1), 1),
    "real": lambda t: t.real,
    "a view of a view": lambda t: t.t()[1:],
}


@each(view=list(_VIEWS))
def kind(torch, log, view):
    x = _matrix(torch)
    y = x * 1
    v = _VIEWS[view](y)
    log("value", v)
    log("next", _names(torch, v))
    log("is a view", v._is_view())
    log("base", v._base is y)
    log("strides", [s for s, n in zip(v.stride(), v.shape, strict=True) if n > 1])
    log("offset", v.storage_offset())
    weights = torch.arange(1.0, 1.0 + v.numel()).reshape(v.shape)
    (v * weights).sum().backward()
    log("grad", x.grad)


@each(view=list(_VIEWS))
def of_a_leaf(torch, log, view):
    x = _matrix(torch)
    v = _VIEWS[view](x)
    log("leaf", [v.is_leaf, v.requires_grad])
    with torch.no_grad():
        x.mul_(10.0)
    log("shared", v.detach())
    log("versions", [x._version, v._version])


@each(
    view=["view", "reshape", "flatten", "contiguous", "to", "expand", "t", "squeeze", "view_as",
          "float", "type_as", "clone", "detach", "data", "alias"]
)  # fmt: skip
def that_changes_nothing(torch, log, view):
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    y = x * 1
    v = {
        "view": lambda: y.view(1, 2), "reshape": lambda: y.reshape(1, 2),
        "flatten": lambda: y[0].flatten(), "contiguous": lambda: y.contiguous(),
        "to": lambda: y.to(torch.float32), "expand": lambda: y.expand(1, 2), "t": lambda: y[0].t(),
        "squeeze": lambda: y.squeeze(1), "view_as": lambda: y.view_as(y),
        "float": lambda: y.float(),
        "type_as": lambda: y.type_as(y), "clone": lambda: y.clone(), "detach": lambda: y.detach(),
        "data": lambda: y.data, "alias": lambda: y[...],
    }[view]()  # fmt: skip
    log("v", v)
    log("itself", v is y)
    log("is a view", v._is_view())
    y.data.mul_(3.0)
    log("shared", v.detach())


def memory_is_shared_with_numpy(torch, log):
    x = torch.tensor([1.0, 2.0, 3.0])
    a = x.numpy()
    a[0] = 10.0
    log("x", x)
    x[1] = 20.0
    log("array", a)
    y = torch.from_numpy(a)
    y.add_(1.0)
    log("through a second tensor", x)
    log("versions", [x._version, y._version])


def reshape_of_a_transpose_copies(torch, log):
    x = _matrix(torch)
    y = x * 1
    v = y.t().reshape(6)
    v.data.zero_()
    log("y", y)
    log("v", v)
    log("is a view", v._is_view())


def view_of_a_transpose_is_refused(torch, log):
    x = _matrix(torch)
    with log.raises("view"):
        x.t().view(6)
    with log.raises("numbers"):
        x.view(4)


def several_of_one_base(torch, log):
    x = _matrix(torch)
    y = x * 1
    a, b, c = y[0], y[:, 1], y.t()
    log("bases", [v._base is y for v in (a, b, c)])
    (a.sum() * b.sum() + (c * c).sum()).backward()
    log("grad", x.grad)


def base_of_a_view_of_a_view(torch, log):
    y = _matrix(torch) * 1
    v = y.t()[1:][0]
    log("base", v._base is y)
    log("base of a base", y._base)
    d = y.detach()
    log("of a detached one", [d._is_view(), d[0]._is_view(), d[0]._base is d])


def under_no_grad(torch, log):
    x = _matrix(torch)
    with torch.no_grad():
        v = x[0]
        log("of a leaf", v)
        log("state", [v.is_leaf, v.requires_grad, v._is_view()])
    y = v * 2
    log("used later", y)
    y.sum().backward()
    log("grad", x.grad)
    log("its own", v.grad)


def under_no_grad_of_a_constant(torch, log):
    c = torch.tensor([1.0, 2.0])
    with torch.no_grad():
        v = c[:1]
    log("v", v)
    v.requires_grad_()
    (v * 3).sum().backward()
    log("grad", v.grad)
    log("the base", c.requires_grad)


def under_no_grad_and_split(torch, log):
    x = _matrix(torch)
    with torch.no_grad():
        a, b = x.unbind(0)
        a.mul_(2.0)
    log("x", x)
    with log.raises("a"):
        log("grad_fn", a.grad_fn)
    with log.raises("b"):
        b * 2


@differs(
    "a view that says that it requires a gradient has one, which arrives at its base",
    {"grad": {"tensor": [2.0, 2.0, 0.0], "shape": [3], "dtype": "float32", "requires_grad": False,
              "grad_fn": None}},
)  # fmt: skip
def made_before_its_base_requires_a_gradient(torch, log):
    c = torch.tensor([1.0, 2.0, 3.0])
    v = c[:2]
    c.requires_grad_()
    log("requires_grad", v.requires_grad)
    with log.raises("mul_"):
        v.mul_(2.0)
    (v * 2).sum().backward()
    log("grad", c.grad)


def that_requires_a_gradient_itself(torch, log):
    c = torch.tensor([1.0, 2.0, 3.0])
    v = c[:2].requires_grad_()
    log("state", [v.is_leaf, v.requires_grad, c.requires_grad, v._is_view()])
    (v * v).sum().backward()
    log("grad", v.grad)
    with log.raises("mul_"):
        v.mul_(2.0)
    c.mul_(10.0)
    log("follows its base", v)


def that_is_a_leaf_and_whose_base_gets_a_history(torch, log):
    x = torch.tensor([5.0, 6.0, 7.0], requires_grad=True)
    c = torch.tensor([1.0, 2.0, 3.0])
    v = c[:2].requires_grad_()
    c.mul_(x)
    log("v", v)
    log("is_leaf", v.is_leaf)
    v.sum().backward()
    log("grad", x.grad)


@each(how=["requires_grad_(False)", "requires_grad_()", "requires_grad = False"])
def requires_grad_of_a_view(torch, log, how):
    y = _matrix(torch) * 1
    v = y[0]

    def change():
        if how == "requires_grad = False":
            v.requires_grad = False
            return v
        return v.requires_grad_() if how == "requires_grad_()" else v.requires_grad_(False)

    log.attempt("change", change)


def detach_in_place_is_refused(torch, log):
    x = _matrix(torch)
    with log.raises("of a result"):
        (x * 1)[0].detach_()
    with log.raises("of a leaf"):
        x[0].detach_()
    with log.raises("of a constant"):
        torch.zeros(3)[:1].detach_()


def gradient_of_a_view(torch, log):
    x = _matrix(torch)
    y = x * 2
    v = y[0]
    loss = (v * v).sum() + y.sum()
    gv, gy, gx = torch.autograd.grad(loss, [v, y, x])
    log.gradient("v", gv)
    log.gradient("y", gy)
    log.gradient("x", gx)


def double_backward_through_views(torch, log):
    x = _matrix(torch)
    v = (x * x).t()[1:].reshape(-1)
    (g,) = torch.autograd.grad((v**2).sum(), x, create_graph=True)
    log.gradient("first", g)
    log.gradient("second", torch.autograd.grad(g.sum(), x)[0])


def retained_gradient_of_a_view(torch, log):
    x = _matrix(torch)
    y = x * 1
    v = y.view(6)
    v.retain_grad()
    (v * v).sum().backward()
    log("v", v.grad)
    log("x", x.grad)


@each(view=["unfold", "as_strided"])
def overlapping(torch, log, view):
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    y = x * 1
    v = y.unfold(0, 2, 1) if view == "unfold" else y.as_strided((3, 2), (1, 1))
    log("v", v)
    (v * torch.arange(6.0).reshape(3, 2)).sum().backward()
    log("grad", x.grad)


@each(case=[
    "size", "negative size", "step", "dimension", "scalar", "three dimensions", "whole",
])  # fmt: skip
def unfolded(torch, log, case):
    x = torch.arange(6.0).reshape(2, 3).clone().requires_grad_()
    y = x * 1
    log.attempt("value", {
        "size": lambda: y.unfold(-1, 4, 1), "negative size": lambda: y.unfold(1, -2, 1),
        "step": lambda: y.unfold(1, 2, 0), "dimension": lambda: y.unfold(5, 2, 1),
        "scalar": lambda: y.sum().unfold(0, 1, 1),
        "three dimensions": lambda: y.unfold(0, 2, 1).unfold(1, 2, 1),
        "whole": lambda: y.unfold(1, 3, 2),
    }[case])  # fmt: skip


@each(case=[
    "default offset", "offset", "of a part", "of a transpose", "negative stride", "lengths",
    "out of bounds", "negative offset", "zero stride", "function", "nothing",
])  # fmt: skip
def strided(torch, log, case):
    x = torch.arange(6.0).reshape(2, 3).clone().requires_grad_()
    y = x * 1
    call = {
        "default offset": lambda: y.as_strided((2, 2), (1, 2)),
        "offset": lambda: y.as_strided((2,), (2,), 1),
        "of a part": lambda: y[1:].as_strided((2,), (1,)),
        "of a transpose": lambda: y.t().as_strided((3,), (1,), 2),
        "negative stride": lambda: y.as_strided((2,), (-1,), 3),
        "lengths": lambda: y.as_strided((2,), (1, 1)),
        "out of bounds": lambda: y.as_strided((20,), (1,)),
        "negative offset": lambda: y.as_strided((2,), (1,), -1),
        "zero stride": lambda: y.as_strided((2, 2), (0, 1)),
        "function": lambda: torch.as_strided(y, (3,), (2,)),
        "nothing": lambda: y.as_strided((0, 2), (1, 1)),
    }[case]
    log.attempt("value", call)
    log.attempt("grad", lambda: torch.autograd.grad((call() ** 2).sum(), x)[0])


_OTHERS = ["int32", "int64", "uint8", "complex64"]


@differs(
    "memory under another dtype has no formula: convert it, or view the array of numpy()",
    {
        kind: {
            "raises": "RuntimeError",
            "message": f"view(): reading memory as another dtype (torch.{kind}) has no formula; "
            "convert with .to(dtype), or view the array of .numpy()",
        }
        for kind in _OTHERS
    },
)
def under_another_dtype(torch, log):
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    y = x * 1
    for kind in _OTHERS:
        log.attempt(kind, lambda kind=kind: y.view(getattr(torch, kind)))


def under_its_own_dtype(torch, log):
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    y = x * 1
    v = y.view(torch.float32)
    log("v", v)
    y.data.zero_()
    log("shared", v)


def narrow_copy(torch, log):
    x = _matrix(torch)
    y = x * 1
    v = y.narrow_copy(1, 1, 2)
    log("v", v)
    log("is a view", v._is_view())
    (v * v).sum().backward()
    log("grad", x.grad)


def complex_parts(torch, log):
    z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    y = z * 1
    log("real", y.real)
    log("imag", y.imag)
    log("view_as_real", torch.view_as_real(y))
    log("views", [y.real._is_view(), y.imag._is_view(), torch.view_as_real(y)._is_view()])
    with torch.no_grad():
        y.real.mul_(2.0)
        torch.view_as_real(y)[:, 1].zero_()
    log("y", y)
    log("version", y._version)


def complex_of_pairs(torch, log):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = x * 1
    z = torch.view_as_complex(y)
    log("z", z)
    log("is a view", z._is_view())
    with torch.no_grad():
        z.mul_(1j)
    log("y", y)
    with log.raises("of a transpose"):
        torch.view_as_complex(y.t())
    with log.raises("of a step"):
        torch.view_as_complex(torch.zeros(2, 4)[:, ::2])


def many_live_views(torch, log):
    x = torch.arange(50.0, requires_grad=True)
    y = x * 1
    parts = [y[i] for i in range(50)]
    y.mul_(2.0)
    sum(parts).backward()
    log("grad", x.grad)
