"""What `grad` captures where hooks stand, what a root has where nothing is reached, versions of
gradients, and results that got another shape in place where nothing is recorded."""

from ._harness import differs, each


def _chain(torch):
    x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    y = 3 * x
    y.register_hook(lambda g: 2 * g)
    return x, y


def a_captured_intermediate_is_seen_before_its_hooks(torch, log):
    x, y = _chain(torch)
    log("x and y", torch.autograd.grad(y * y, [x, y]))
    x, y = _chain(torch)
    log("y alone", torch.autograd.grad(y * y, [y]))
    x, y = _chain(torch)
    log("of y itself", torch.autograd.grad(y, [x, y]))
    x, y = _chain(torch)
    y.grad_fn.register_prehook(lambda g: (5 * g[0],))
    log("with a prehook", torch.autograd.grad(y * y, [x, y]))


def a_captured_intermediate_retains_what_its_hooks_give(torch, log):
    x, y = _chain(torch)
    y.retain_grad()
    log("found", torch.autograd.grad(y * y, [x, y]))
    log("retained", y.grad)


def inputs_of_backward_accumulate_after_the_hooks(torch, log):
    x, y = _chain(torch)
    (y * y).backward(inputs=[x, y])
    log("x", x.grad)
    log("y", y.grad)


def a_captured_part_of_several_results(torch, log):
    x = torch.tensor([2.0, 3.0], dtype=torch.float64, requires_grad=True)
    a, b = (x * 1).unbind()
    a.register_hook(lambda g: 2 * g)
    log("a, b, x", torch.autograd.grad(a * a * b, [a, b, x]))


@each(hooked=[False, True], roots=[1, 2])
def a_root_from_which_nothing_is_reached(torch, log, hooked, roots):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    z = torch.tensor([1.0], requires_grad=True)
    seen = []
    u = x * 2
    u.retain_grad()
    v = u.sum()
    v.retain_grad()
    if hooked:
        v.register_hook(lambda g: seen.append(g.item()))
    torch.autograd.backward(
        [v, z * 1][:roots], inputs=[z], grad_tensors=[v.detach(), z.detach()][:roots]
    )
    log("seen", seen)
    log("grads", [v.grad, u.grad, x.grad, z.grad])


def versions_of_gradients(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * 2).sum().backward()
    g = x.grad
    seen = [g._version]
    for _ in range(3):
        (x * 2).sum().backward()
        seen.append(x.grad._version)
    log("versions", seen)
    log("one tensor", g is x.grad)
    log("of the leaf", x._version)


def a_gradient_that_was_saved_may_not_be_added_to(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    (x * 2).sum().backward()
    y = (w * x.grad.detach()).sum()
    (x * 2).sum().backward()
    with log.raises("backward"):
        y.backward()


_SHAPING = {
    "t_": (),
    "squeeze_": (),
    "squeeze_ 0": (0,),
    "unsqueeze_": (0,),
    "transpose_": (0, 1),
    "swapaxes_": (0, 1),
    "swapdims_": (-1, 0),
}


@each(name=list(_SHAPING), of=["a leaf", "a result", "a constant"])
def shaped_in_place_without_record(torch, log, name, of):
    x = torch.tensor([[1.0, 2.0, 3.0]], dtype=torch.float64, requires_grad=of != "a constant")
    y = x * 2 if of == "a result" else x
    with torch.no_grad():
        log("changed", getattr(y, name.split()[0])(*_SHAPING[name]))
    log("state", [list(y.shape), y._version, y.is_leaf, y.requires_grad])
    z = (y * y).sum()
    log("value", z)
    if of != "a constant":
        log.attempt("backward", z.backward)
        log("grad", x.grad)


_READING = {
    "exp": lambda torch, x: x.exp(), "expm1": lambda torch, x: x.expm1(),
    "tanh": lambda torch, x: x.tanh(), "sigmoid": lambda torch, x: x.sigmoid(),
    "softmax": lambda torch, x: x.softmax(0), "prod": lambda torch, x: x.prod(),
    "prod of rows": lambda torch, x: torch.stack((x, x + 1)).prod(0),
    "cumprod": lambda torch, x: x.cumprod(0), "logsumexp": lambda torch, x: x.logsumexp(0),
    "norm": lambda torch, x: (x * x).sum().sqrt(), "root": lambda torch, x: (x * x).sqrt(),
    "logistic": lambda torch, x: (1 + (-x).exp()).reciprocal(),
}  # fmt: skip

_LOOKING = {
    "hook": lambda y, double: y.register_hook(double),
    "node hook": lambda y, double: y.grad_fn.register_hook(lambda i, o: tuple(map(double, i))),
    "node prehook": lambda y, double: y.grad_fn.register_prehook(lambda o: tuple(map(double, o))),
    "retain_grad": lambda y, double: y.retain_grad(),
}


@each(of=list(_READING), how=list(_LOOKING))
def looked_at_to_the_second_order(torch, log, of, how):
    x = torch.tensor([0.7, 1.3, 2.0], dtype=torch.float64, requires_grad=True)
    y = _READING[of](torch, x * 1.5)
    seen = []

    def double(g):
        if g is None:
            return None
        seen.append(g.detach())
        return 2 * g

    _LOOKING[how](y, double)
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    log("first", g.detach())
    log("second", torch.autograd.grad((g * g).sum(), x, retain_graph=True)[0])
    log("seen", seen)
    if how == "retain_grad":
        log("retained", y.grad)
    log("beside the value", torch.autograd.grad((g * x.detach() * y.sin().sum()).sum(), [x, y]))


@each(of=["exp", "expm1", "tanh", "sigmoid", "softmax"])
def asked_about_late(torch, log, of):
    """Nobody looks at the result before its gradient is differentiated."""
    x = torch.tensor([0.7, 1.3, 2.0], dtype=torch.float64, requires_grad=True)
    y = _READING[of](torch, x * 1.5)
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    log("second", torch.autograd.grad((g * g).sum(), [x, y]))


def _number(value):
    return {
        "tensor": value, "shape": [], "dtype": "float64", "requires_grad": False, "grad_fn": None,
    }  # fmt: skip


@differs(
    "the first gradient was recorded as that of the norm, of the operand alone",
    {"of the result": _number(42.0)},
)
def a_norm_that_is_asked_about_late(torch, log):
    x = torch.tensor([3.0, 4.0], dtype=torch.float64, requires_grad=True)
    y = (x * x).sum().sqrt()
    (g,) = torch.autograd.grad(y**3, x, create_graph=True)
    log("of the result", torch.autograd.grad(g.sum(), y)[0])


@differs(
    "the gradient of a product reads the factors alone, until somebody looks at the product",
    {"of the result": None},
)
def a_product_that_is_asked_about_late(torch, log):
    x = torch.tensor([3.0, 4.0], dtype=torch.float64, requires_grad=True)
    y = x.prod()
    (g,) = torch.autograd.grad(2 * y, x, create_graph=True)
    log("of the result", torch.autograd.grad(g.sum(), y, allow_unused=True)[0])
