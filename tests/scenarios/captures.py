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


@differs(
    "the derivative of expm1 is computed from the operand, which keeps small numbers",
    {
        "second": {
            "tensor": [12407.13770884979, 646085.252886922, 49275590.47274192],
            "shape": [3],
            "dtype": "float64",
            "requires_grad": False,
            "grad_fn": None,
        }
    },
)
def a_hook_at_second_order(torch, log):
    x = torch.tensor([0.7, 1.3, 2.0], dtype=torch.float64, requires_grad=True)
    y = (x * 1.5).expm1()
    y.register_hook(lambda g: 2 * g)
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    log("first", g)
    log("second", torch.autograd.grad((g * g).sum(), x)[0])
