"""Hooks of modules: before and after `forward`, and of the gradients."""

import copy
from collections import namedtuple

from ._harness import each


def _layer(torch):
    class Layer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(torch.tensor([2.0, -1.0]))

        def forward(self, x, factor=1.0, fails=False):
            if fails:
                raise ValueError("it fails")
            return x * self.w * factor

    return Layer()


def _x(torch):
    return torch.tensor([1.0, 3.0], requires_grad=True)


def before(torch, log):
    layer, x = _layer(torch), _x(torch)
    seen = []
    one = layer.register_forward_pre_hook(lambda m, args: seen.append(len(args)))
    log("nothing", layer(x))
    two = layer.register_forward_pre_hook(lambda m, args: args[0] + 1)
    log("a value", layer(x))
    three = layer.register_forward_pre_hook(lambda m, args: (args[0] * 2, 3.0))
    log("a tuple", layer(x))
    layer.register_forward_pre_hook(lambda m, args: (args[0] * 0 + 5,), prepend=True)
    log("first", layer(x))
    for handle in (one, two, three):
        handle.remove()
    log("removed", layer(x))
    layer.register_forward_pre_hook(
        lambda m, args, kwargs: (args, {"factor": kwargs["factor"] + 1}), with_kwargs=True
    )
    log("keywords", layer(x, factor=1.0))
    layer.register_forward_pre_hook(lambda m, args, kwargs: args, with_kwargs=True)
    log.attempt("no keywords", lambda: layer(x, factor=1.0), words=False)
    log("seen", seen)


def after(torch, log):
    layer, x = _layer(torch), _x(torch)
    seen = []
    layer.register_forward_hook(lambda m, args, out: seen.append(out.detach().tolist()))
    log("nothing", layer(x))
    layer.register_forward_hook(lambda m, args, out: out + 1)
    log("replaced", layer(x))
    layer.register_forward_hook(lambda m, args, out: out * 10, prepend=True)
    log("first", layer(x))
    layer.register_forward_hook(
        lambda m, args, kwargs, out: seen.append(sorted(kwargs)), with_kwargs=True
    )
    log("keywords", layer(x, factor=2.0))
    log("seen", seen)


def called_in_any_case(torch, log):
    layer, x = _layer(torch), _x(torch)
    seen = []
    layer.register_forward_hook(lambda m, args, out: seen.append("usual"))
    layer.register_forward_hook(lambda m, args, out: seen.append(out is None), always_call=True)
    log.attempt("fails", lambda: layer(x, fails=True))
    layer(x)
    layer.register_forward_hook(lambda m, args, out: 1 / 0, always_call=True)
    with log.warns("warns"):
        log.attempt("fails twice", lambda: layer(x, fails=True))
    log("seen", seen)


def gradients(torch, log):
    layer, x = _layer(torch), _x(torch)
    seen = []
    handle = layer.register_full_backward_hook(
        lambda m, of_inputs, of_outputs: seen.append((of_inputs, of_outputs))
    )
    layer(x).sum().backward()
    log("seen", seen)
    log("x", x.grad)
    log("w", layer.w.grad)
    handle.remove()
    layer.register_full_backward_hook(lambda m, of_inputs, _: (of_inputs[0] * 10,))
    layer.register_full_backward_pre_hook(lambda m, of_outputs: (of_outputs[0] + 1,))
    layer.register_full_backward_pre_hook(lambda m, of_outputs: (of_outputs[0] * 3,), prepend=True)
    x, layer.w.grad = _x(torch), None
    layer(x).sum().backward()
    log("x changed", x.grad)
    log("w changed", layer.w.grad)
    log("node", layer(x).grad_fn.name())


def gradients_that_do_not_fit(torch, log):
    layer, x = _layer(torch), _x(torch)
    handle = layer.register_full_backward_hook(lambda m, *grads: (None, None))
    log.attempt("two", lambda: layer(x).sum().backward())
    handle.remove()
    handle = layer.register_full_backward_pre_hook(lambda m, *grads: (None, None))
    log.attempt("two before", lambda: layer(x).sum().backward())
    handle.remove()
    layer.register_full_backward_hook(lambda m, *grads: None)
    log.attempt("two kinds", lambda: layer.register_backward_hook(lambda *args: None))


def no_input_requires_a_gradient(torch, log):
    layer, x = _layer(torch), _x(torch).detach()
    seen = []
    layer.register_full_backward_hook(lambda m, *grads: seen.append(grads))
    with log.warns("warns"):
        layer(x).sum().backward()
    log("seen", seen)
    log("w", layer.w.grad)
    layer.register_full_backward_hook(lambda m, *grads: (torch.ones(2),))
    with log.warns("warns again"):
        log.attempt("returns", lambda: layer(x).sum().backward())


_Pair = namedtuple("_Pair", ["total", "product"])


@each(made=["tuple", "named tuple", "list"])
def several_results(torch, log, made):
    class Several(torch.nn.Module):
        def forward(self, x, y, n):
            found = (x + y, x * y)
            return {"tuple": found, "named tuple": _Pair(*found), "list": list(found)}[made]

    layer, x = Several(), _x(torch)
    y = torch.tensor([5.0, 7.0], requires_grad=True)
    seen = []
    layer.register_full_backward_hook(lambda m, *grads: seen.append(grads))
    with log.warns("warns"):
        out = layer(x, y, 3)
        log("type", type(out).__name__)
        (out[0] + out[1]).sum().backward()
    log("seen", seen)
    log("x", x.grad)
    log("y", y.grad)


def the_last_operation(torch, log):
    layer, x = torch.nn.Sequential(torch.nn.Tanh(), torch.nn.Sigmoid()), _x(torch)
    seen = []
    layer.register_backward_hook(lambda m, *grads: seen.append(grads))
    layer(x).sum().backward()
    log("seen", seen)
    log.attempt("two kinds", lambda: layer.register_full_backward_hook(lambda *args: None))


def within_a_network(torch, log):
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh(), torch.nn.Linear(2, 1))
    seen = []
    for name, module in net.named_children():
        module.register_forward_hook(lambda m, a, out, name=name: seen.append((name, out.detach())))
        module.register_full_backward_hook(lambda m, i, o, name=name: seen.append((name, i, o)))
    x = _x(torch)
    net(x).sum().backward()
    log("seen", seen)
    log("x", x.grad)
    with torch.no_grad():
        log("no gradient", net(x))
    other = copy.deepcopy(net)
    log("copied hooks", [len(m._forward_hooks) for m in other])


def hooks_of_all_modules(torch, log):
    from importlib import import_module

    module = import_module(f"{torch.__name__}.nn.modules.module")
    seen = []
    x = _x(torch)
    net = torch.nn.Sequential(torch.nn.Tanh(), torch.nn.ReLU())
    handles = [
        module.register_module_forward_pre_hook(lambda m, a: seen.append(type(m).__name__)),
        module.register_module_forward_hook(lambda m, a, out: out * 2),
        module.register_module_full_backward_pre_hook(lambda m, o: seen.append(("of", o))),
        module.register_module_full_backward_hook(lambda m, i, o: seen.append((i, o))),
    ]
    try:
        log("y", net(x))
        net(x).sum().backward()
        log.attempt("two kinds", lambda: module.register_module_backward_hook(lambda *a: None))
    finally:
        for handle in handles:
            handle.remove()
    log("seen", seen)
    log("x", x.grad)
    log("removed", net(x))
