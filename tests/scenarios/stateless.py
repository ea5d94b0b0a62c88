"""`torch.func.functional_call` and `stack_module_state`: modules as functions of parameters."""

from ._harness import each


def _network(torch):
    nn = torch.nn

    class Counted(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Linear(3, 2, dtype=torch.float64)
            self.again = nn.Linear(3, 2, dtype=torch.float64)
            self.again.weight = self.first.weight
            self.last = nn.Linear(2, 2, bias=False, dtype=torch.float64)
            self.register_buffer("count", torch.zeros((), dtype=torch.float64))
            self.register_buffer("calls", torch.zeros((), dtype=torch.float64))

        def forward(self, x, scale=1.0):
            self.count.add_(1)
            self.calls = self.calls + 1
            return self.last(torch.tanh(self.again(x) + self.first(x))) * scale

    torch.manual_seed(0)
    return Counted()


def _state(torch, net):
    given = {k: v.detach() * 2 for k, v in net.named_parameters()}
    x = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64)
    return given, {k: v.clone() + 5 for k, v in net.named_buffers()}, x


def _text(call):
    try:
        return call()
    except Exception as error:
        return type(error).__name__


CALLS = {
    "parameters": lambda f, net, p, b, x: f(net, p, x),
    "parameters and buffers": lambda f, net, p, b, x: f(net, (p, b), (x,)),
    "keywords": lambda f, net, p, b, x: f(net, p, (x,), {"scale": 3.0}),
    "tied": lambda f, net, p, b, x: f(net, {"again.weight": p["first.weight"]}, x),
    "not tied": lambda f, net, p, b, x: f(
        net, {"again.weight": p["first.weight"]}, x, tie_weights=False
    ),
    "tied twice": lambda f, net, p, b, x: f(
        net, {"again.weight": p["first.weight"], "first.weight": p["first.weight"] + 1}, x
    ),
    "of two dicts": lambda f, net, p, b, x: f(net, (p, {"first.bias": p["first.bias"]}), x),
    "unknown": lambda f, net, p, b, x: f(net, {"nothing": x}, x),
    "unknown part": lambda f, net, p, b, x: f(net, {"none.weight": x}, x),
    "strict": lambda f, net, p, b, x: f(net, {**p, **b}, x, strict=True),
    "strict and missing": lambda f, net, p, b, x: f(net, p, x, strict=True),
    "strict and unknown": lambda f, net, p, b, x: f(net, {**p, **b, "k": x}, x, strict=True),
    "no dict": lambda f, net, p, b, x: f(net, 3, x),
    "wrong shape": lambda f, net, p, b, x: f(net, {"last.weight": x}, x),
}


@each(how=list(CALLS))
def called(torch, log, how):
    call = CALLS[how]
    net = _network(torch)
    parameters, buffers, x = _state(torch, net)
    before = {k: v.detach().clone() for k, v in net.state_dict().items()}
    found = _text(lambda: call(torch.func.functional_call, net, parameters, buffers, x))
    after = net.state_dict()
    log("result", found)
    log("changed", [k for k, v in before.items() if not torch.equal(v, after[k])])
    log("buffers", [v.item() for v in buffers.values()])


TRANSFORMS = {
    "gradient": lambda t, net, p, x: t.func.grad(lambda p: t.func.functional_call(net, p, x).sum())(
        p
    ),
    "of each row": lambda t, net, p, x: t.func.vmap(
        t.func.grad(lambda p, x: t.func.functional_call(net, p, x).sum()), in_dims=(None, 0)
    )(p, t.stack([x, 2 * x])),
    "second": lambda t, net, p, x: t.func.hessian(
        lambda b: t.func.functional_call(net, {**p, "bias": b}, x).tanh().sum()
    )(p["bias"]),
}


@each(how=list(TRANSFORMS))
def derived(torch, log, how):
    torch.manual_seed(1)
    net = torch.nn.Linear(3, 2, dtype=torch.float64)
    parameters = {k: v.detach() for k, v in net.named_parameters()}
    x = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64)
    log("found", TRANSFORMS[how](torch, net, parameters, x))


def _frozen(torch, layers):
    layers[1].weight.requires_grad_(False)
    return layers


MODELS = {
    "three": lambda torch, layers: layers,
    "none": lambda torch, layers: [],
    "of two classes": lambda torch, layers: [layers[0], torch.nn.Identity()],
    "of two modes": lambda torch, layers: [layers[0], layers[1].eval()],
    "of which one is frozen": _frozen,
    "with buffers": lambda torch, layers: [torch.nn.BatchNorm1d(2) for _ in range(2)],
}


@each(how=list(MODELS))
def stacked(torch, log, how):
    torch.manual_seed(2)
    layers = MODELS[how](torch, [torch.nn.Linear(2, 2) for _ in range(3)])
    found = _text(lambda: torch.func.stack_module_state(layers))
    log("found", found if isinstance(found, str) else [*found])
    if not isinstance(found, str):
        log("leaves", [v.is_leaf and v.requires_grad for part in found for v in part.values()])


def batch_norms_without_statistics(torch, log):
    nn = torch.nn
    inner = nn.Sequential(nn.BatchNorm1d(2), nn.InstanceNorm1d(2, track_running_stats=True))
    net = nn.ModuleList([inner, nn.BatchNorm2d(3, track_running_stats=False)])
    log("same", torch.func.replace_all_batch_norm_modules_(net) is net)
    log("buffers", sorted(name for name, _ in net.named_buffers()))
    log("tracked", [m.track_running_stats for m in (inner[0], inner[1], net[1])])
    x = torch.arange(4.0).reshape(2, 2)
    inner.eval()
    log("evaluated", inner[0](x))
    alone = nn.BatchNorm1d(2)
    torch.func.replace_all_batch_norm_modules_(alone)
    log("alone", alone.running_mean)
