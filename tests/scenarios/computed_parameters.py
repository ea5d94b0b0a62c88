"""Parameters of modules that are computed: `nn.utils.parametrize`, norms, orthogonal weights."""

import copy
import importlib

from ._harness import each


def _numbers(torch, *shape):
    x = torch.sin(1.7 * torch.arange(1.0, 1.0 + int(torch.Size(shape).numel())).double() ** 1.5)
    return x.reshape(shape)


def _linear(torch, inputs, outputs):
    torch.manual_seed(8)
    return torch.nn.Linear(inputs, outputs, dtype=torch.float64)


def _symmetric(torch):
    class Symmetric(torch.nn.Module):
        def forward(self, x):
            return x.triu() + x.triu(1).mT

        def right_inverse(self, x):
            return x.triu()

    return Symmetric()


def registered(torch, log):
    """Names, state, gradients, assignment, and the way back."""
    p = torch.nn.utils.parametrize
    layer = _linear(torch, 3, 3)
    log("before", p.is_parametrized(layer))
    log("returned", p.register_parametrization(layer, "weight", _symmetric(torch)) is layer)
    log("text", repr(layer))
    log("classes", [type(layer).__name__, p.type_before_parametrizations(layer).__name__])
    log("asked", [p.is_parametrized(layer, name) for name in ("weight", "bias")])
    log("names", [name for name, _ in layer.named_parameters()])
    log("weight", layer.weight.detach())
    layer(_numbers(torch, 2, 3)).square().sum().backward()
    log("gradient", layer.parametrizations.weight.original.grad)
    with torch.no_grad():
        layer.weight = _numbers(torch, 3, 3)
    log("assigned", layer.weight.detach())
    log("original", layer.parametrizations.weight.original.detach())
    other = copy.deepcopy(layer)
    log("copied", torch.equal(other.weight, layer.weight))
    with p.cached():
        log("cached", layer.weight is layer.weight)
        with p.cached():
            inner = layer.weight
        log("nested", inner is layer.weight)
    log("not cached", layer.weight is layer.weight)
    state = layer.state_dict()
    fresh = p.register_parametrization(_linear(torch, 3, 3), "weight", _symmetric(torch))
    log("loaded", str(fresh.load_state_dict(state)))
    log("the same", torch.equal(fresh.weight, layer.weight))
    original = layer.parametrizations.weight.original
    log("removed", p.remove_parametrizations(layer, "weight") is layer)
    log("kept", layer.weight is original)
    log("now", layer.weight.detach())
    log("class", type(layer).__name__)
    p.remove_parametrizations(fresh, "weight", leave_parametrized=False)
    log("left", fresh.weight.detach())


def several_steps(torch, log):
    class Scaled(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = torch.nn.Parameter(torch.tensor(2.0).double())

        def forward(self, x):
            return x * self.scale

    p = torch.nn.utils.parametrize
    layer = _linear(torch, 2, 2)
    p.register_parametrization(layer, "weight", _symmetric(torch))
    p.register_parametrization(layer, "weight", Scaled())
    p.register_parametrization(layer, "bias", Scaled())
    log("text", repr(layer))
    log("names", [name for name, _ in layer.named_parameters()])
    log("weight", layer.weight.detach())
    layer(_numbers(torch, 2, 2)).square().sum().backward()
    for name, x in layer.named_parameters():
        log(f"gradient of {name}", x.grad)
    log.attempt("no way back", lambda: setattr(layer, "weight", _numbers(torch, 2, 2)))
    other = p.transfer_parametrizations_and_params(layer, _linear(torch, 2, 2))
    log("transferred", torch.equal(other.weight, layer.weight))
    p.remove_parametrizations(layer, "bias")
    log("class", type(layer).__name__)


def refused(torch, log):
    p, nn = torch.nn.utils.parametrize, torch.nn

    def of(forward, back=None):
        class Computed(nn.Module):
            pass

        Computed.forward = forward
        if back is not None:
            Computed.right_inverse = back
        return Computed()

    shape, kind = of(lambda self, x: x[:1]), of(lambda self, x: x.float())
    calls = {
        "name": lambda: p.register_parametrization(_linear(torch, 2, 2), "w", _symmetric(torch)),
        "shape": lambda: p.register_parametrization(_linear(torch, 2, 2), "weight", shape),
        "dtype": lambda: p.register_parametrization(_linear(torch, 2, 2), "weight", kind),
        "no tensor": lambda: p.register_parametrization(
            _linear(torch, 2, 2), "weight", of(lambda self, x: 3)
        ),
        "inverse": lambda: p.register_parametrization(
            _linear(torch, 2, 2), "weight", of(lambda self, x: x, lambda self, x: 3)
        ),
        "not computed": lambda: p.remove_parametrizations(_linear(torch, 2, 2), "bias"),
        "norm": lambda: nn.utils.parametrizations.spectral_norm(nn.Linear(2, 2), "w"),
        "steps": lambda: nn.utils.parametrizations.spectral_norm(
            nn.Linear(2, 2), n_power_iterations=0
        ),
        "axis": lambda: nn.utils.parametrizations.spectral_norm(nn.Linear(2, 2), dim=3),
        "map": lambda: nn.utils.parametrizations.orthogonal(nn.Linear(2, 2), "weight", "best"),
        "vector": lambda: nn.utils.parametrizations.orthogonal(nn.Linear(2, 2), "bias"),
        "old norm": lambda: nn.utils.remove_weight_norm(nn.Linear(2, 2)),
        "old other norm": lambda: nn.utils.remove_spectral_norm(nn.Linear(2, 2)),
        "old steps": lambda: nn.utils.spectral_norm(nn.Linear(2, 2), n_power_iterations=0),
    }
    for name, call in calls.items():
        log.attempt(name, call)
    layer = p.register_parametrization(_linear(torch, 2, 2), "weight", _symmetric(torch))
    log.attempt("further", lambda: p.register_parametrization(layer, "weight", shape))
    normed = nn.utils.parametrizations.weight_norm(_linear(torch, 2, 2))
    log.attempt("several", lambda: p.remove_parametrizations(normed, "weight", False))


_NORMS = {
    "weight": lambda n, m: n.parametrizations.weight_norm(m),
    "weight as one": lambda n, m: n.parametrizations.weight_norm(m, dim=None),
    "weight by columns": lambda n, m: n.parametrizations.weight_norm(m, dim=1),
    "spectral": lambda n, m: n.parametrizations.spectral_norm(m, n_power_iterations=2),
    "exponential": lambda n, m: n.parametrizations.orthogonal(m, orthogonal_map="matrix_exp"),
    "Cayley": lambda n, m: n.parametrizations.orthogonal(m, orthogonal_map="cayley"),
    "Householder": lambda n, m: n.parametrizations.orthogonal(m, orthogonal_map="householder"),
    "alone": lambda n, m: n.parametrizations.orthogonal(
        m, orthogonal_map="householder", use_trivialization=False
    ),
    "old spectral": lambda n, m: n.spectral_norm(m),
}


@each(norm=list(_NORMS), shape=[(3, 3), (2, 4), (4, 2)])
def norms(torch, log, norm, shape):
    """Twenty steps, in training, with the state before and after."""
    layer = _NORMS[norm](torch.nn.utils, _linear(torch, *shape))
    log("text", repr(layer))
    for name, x in layer.state_dict().items():
        if "base" not in name:  # which is drawn, and which LAPACK's signs decide
            log(name, x)
    log("weight", layer.weight.detach())
    x, y = _numbers(torch, 5, shape[0]), _numbers(torch, 5, shape[1]).cos()
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.05)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(layer(x), y)
        loss.backward()
        optimizer.step()
        # Exponentials of matrices differ in their last digits, and steps amplify that.
        losses.append(round(loss.item(), 10))
    log("losses", losses)
    layer.eval()
    log("evaluated", layer(x).detach().round(decimals=10))


def old_norm_of_weights(torch, log):
    nn = torch.nn
    layer = _linear(torch, 3, 2)
    with log.warns("old"):
        nn.utils.weight_norm(layer)
    log("text", repr(layer))
    log("state", dict(layer.state_dict()))
    x = _numbers(torch, 4, 3)
    layer(x).square().sum().backward()
    log("gradients", [layer.weight_g.grad, layer.weight_v.grad])
    new = nn.utils.parametrizations.weight_norm(_linear(torch, 3, 2))
    log("loaded", str(new.load_state_dict(layer.state_dict())))
    log("same", torch.allclose(new(x), layer(x)))
    with log.warns("twice"):
        log.attempt("again", lambda: nn.utils.weight_norm(layer))
    log("removed", [name for name, _ in nn.utils.remove_weight_norm(layer).named_parameters()])
    other = nn.utils.spectral_norm(_linear(torch, 3, 2))
    log.attempt("twice spectral", lambda: nn.utils.spectral_norm(other))
    log("names", [name for name, _ in nn.utils.remove_spectral_norm(other).named_parameters()])


def norms_of_convolutions(torch, log):
    nn = torch.nn
    for name in ("Conv2d", "ConvTranspose2d"):
        torch.manual_seed(9)
        layer = getattr(nn, name)(2, 3, 2, dtype=torch.float64)
        nn.utils.parametrizations.spectral_norm(layer)
        log(name, layer(_numbers(torch, 1, 2, 4, 4)).detach())
        torch.manual_seed(9)
        layer = getattr(nn, name)(2, 3, 2, dtype=torch.float64)
        nn.utils.parametrizations.weight_norm(layer, dim=1)
        log(f"{name} by weight", layer.parametrizations.weight.original0.detach())


def layers_are_joined(torch, log):
    nn = torch.nn
    torch.manual_seed(3)
    conv, norm = nn.Conv1d(2, 3, 2, dtype=torch.float64), nn.BatchNorm1d(3, dtype=torch.float64)
    x = _numbers(torch, 2, 2, 5)
    norm(conv(x))
    conv.eval(), norm.eval()
    log("conv", nn.utils.fuse_conv_bn_eval(conv, norm)(x).detach())
    linear = _linear(torch, 2, 3).eval()
    log("linear", nn.utils.fuse_linear_bn_eval(linear, norm)(x[0].mT).detach())
    log.attempt("training", lambda: nn.utils.fuse_conv_bn_eval(conv.train(), norm))


def not_drawn(torch, log):
    torch.manual_seed(1)
    layer = torch.nn.utils.skip_init(torch.nn.Linear, 2, 3)
    log("text", repr(layer))
    log("next", torch.rand(2))
    log.attempt("class", lambda: torch.nn.utils.skip_init(int))
    log.attempt("device", lambda: torch.nn.utils.skip_init(torch.nn.ReLU))


# ---------------------------------------------------------------- masks

_PRUNED = {
    "identity": lambda p, layer: p.identity(layer, "bias"),
    "random elements": lambda p, layer: p.random_unstructured(layer, "weight", 0.4),
    "smallest elements": lambda p, layer: p.l1_unstructured(layer, "weight", 3),
    "none": lambda p, layer: p.l1_unstructured(layer, "weight", 0.0),
    "random channels": lambda p, layer: p.random_structured(layer, "weight", 2, dim=1),
    "no channels": lambda p, layer: p.random_structured(layer, "weight", 0, dim=1),
    "shortest channels": lambda p, layer: p.ln_structured(layer, "weight", 1, n=2, dim=-1),
    "of other scores": lambda p, layer: p.l1_unstructured(
        layer, "weight", 2, importance_scores=-layer.weight.detach().abs()
    ),
    "mask": lambda p, layer: p.custom_from_mask(layer, "bias", layer.bias.detach() > 0),
    "twice": lambda p, layer: [p.l1_unstructured(layer, "weight", n) for n in (2, 0.5)][1],
    "elements, then channels": lambda p, layer: p.ln_structured(
        p.random_unstructured(layer, "weight", 5), "weight", 1, n=1, dim=0
    ),
}


def _prune(torch):
    return importlib.import_module(f"{torch.__name__}.nn.utils.prune")


@each(how=list(_PRUNED))
def pruned(torch, log, how):
    """Names, masks, gradients, state, and the way back."""
    prune = _prune(torch)
    layer = _linear(torch, 4, 3)
    log("returned", _PRUNED[how](prune, layer) is layer)
    log("state", dict(layer.state_dict()))
    log("names", [name for name, _ in layer.named_parameters()])
    log("values", [layer.weight.detach(), layer.bias.detach()])
    layer(_numbers(torch, 2, 4)).square().sum().backward()
    log("gradients", [p.grad for p in layer.parameters()])
    torch.optim.SGD(layer.parameters(), 0.1).step()
    layer(_numbers(torch, 2, 4))
    log("after a step", [layer.weight.detach(), layer.bias.detach()])
    log("is pruned", prune.is_pruned(torch.nn.Sequential(layer)))
    hooks = list(layer._forward_pre_hooks.values())
    log("hooks", [type(hook).__name__ for hook in hooks])
    if isinstance(hooks[0], prune.PruningContainer):
        log("methods", [type(method).__name__ for method in hooks[0]])
    log("removed", prune.remove(layer, hooks[0]._tensor_name) is layer)
    log("left", dict(layer.state_dict()))
    log("still", prune.is_pruned(layer))


def pruned_together(torch, log):
    """What several parameters share, and what is refused."""
    prune, nn = _prune(torch), torch.nn
    net = nn.Sequential(_linear(torch, 4, 3), nn.Tanh(), _linear(torch, 3, 2))
    chosen = [(net[0], "weight"), (net[2], "weight"), (net[2], "bias")]
    for amount in (0.25, 4):
        prune.global_unstructured(chosen, prune.L1Unstructured, amount=amount)
        log(f"masks of {amount}", dict(net.named_buffers()))
    log("text", repr(net))
    prune.remove(net[0], "weight")
    layer, t = _linear(torch, 4, 3), _numbers(torch, 3, 4)
    log("of a tensor", prune.L1Unstructured(5).prune(t))
    calls = {
        "amount": lambda: prune.l1_unstructured(layer, "weight", 1.5),
        "negative": lambda: prune.random_unstructured(layer, "weight", -1),
        "word": lambda: prune.random_unstructured(layer, "weight", "all"),
        "more than there is": lambda: prune.l1_unstructured(layer, "weight", 13),
        "vector": lambda: prune.ln_structured(layer, "bias", 1, n=2, dim=0),
        "axis": lambda: prune.random_structured(layer, "weight", 1, dim=2),
        "no parameter": lambda: prune.identity(layer, "wieght"),
        "not pruned": lambda: prune.remove(layer, "weight"),
        "scores": lambda: prune.l1_unstructured(layer, "weight", 1, t.mT),
        "mask": lambda: prune.custom_from_mask(layer, "bias", torch.ones(2)),
        "scores of a tensor": lambda: prune.L1Unstructured(5).prune(t, importance_scores=t.mT),
        "no dict": lambda: prune.global_unstructured(chosen, prune.L1Unstructured, 3, amount=1),
        "no pairs": lambda: prune.global_unstructured(3, prune.L1Unstructured, amount=1),
    }
    for name, call in calls.items():
        log.attempt(name, call)
    log("unchanged", dict(layer.state_dict()))
