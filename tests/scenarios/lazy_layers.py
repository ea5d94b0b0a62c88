"""Layers that get the shapes of their parameters from the first argument."""

import copy

from ._harness import each

_LAYERS = {
    "LazyLinear": (lambda nn, **o: nn.LazyLinear(3, **o), (2, 4)),
    "LazyLinear without bias": (lambda nn, **o: nn.LazyLinear(3, bias=False, **o), (2, 3, 4)),
    **{
        f"LazyConv{word}{n}d": (
            lambda nn, n=n, word=word, **o: getattr(nn, f"LazyConv{word}{n}d")(4, 2, groups=2, **o),
            (1, 2, 3, 4, 3)[: n + 2],
        )
        for word in ("", "Transpose")
        for n in (1, 2, 3)
    },
    "LazyConv1d of one sample": (lambda nn, **o: nn.LazyConv1d(2, 2, padding=1, **o), (3, 4)),
    **{
        f"Lazy{word}Norm{n}d": (
            lambda nn, n=n, word=word, **o: getattr(nn, f"Lazy{word}Norm{n}d")(**o),
            (2, 3, 3, 2, 2)[: n + 2],
        )
        for word in ("Batch", "Instance")
        for n in (1, 2, 3)
    },
    "LazyBatchNorm1d plain": (
        lambda nn, **o: nn.LazyBatchNorm1d(affine=False, track_running_stats=False, **o), (3, 2),
    ),
}  # fmt: skip


def _numbers(torch, shape):
    x = torch.sin(1.7 * torch.arange(1.0, 1.0 + int(torch.Size(shape).numel())).double() ** 1.5)
    return x.reshape(shape)


@each(layer=list(_LAYERS))
def layers(torch, log, layer):
    make, shape = _LAYERS[layer]
    torch.manual_seed(2)
    made = make(torch.nn, dtype=torch.float64)
    log("text", repr(made))
    log("waits", made.has_uninitialized_params())
    parameters = list(made.parameters())
    log("result", made(_numbers(torch, shape)).detach())
    log("text after that", repr(made))
    log("state", dict(made.state_dict()))
    log("same", [x is y for x, y in zip(parameters, made.parameters(), strict=True)])


def without_a_shape(torch, log):
    nn = torch.nn
    w, b = nn.UninitializedParameter(), nn.UninitializedBuffer()
    log("texts", [repr(w), repr(b)])
    log("kinds", [isinstance(w, nn.Parameter), isinstance(b, nn.Parameter), w.requires_grad])
    log("asked", [nn.parameter.is_lazy(x) for x in (w, b, nn.Parameter(torch.ones(1)))])
    log.attempt("shape", lambda: w.shape)
    for name, call in {"sum": lambda: w + 1, "sine": lambda: torch.sin(w)}.items():
        try:
            call()
        except ValueError:
            log(name, "refused")
    w.materialize((2, 3), dtype=torch.float64)
    log("shape after that", [w.shape, w.dtype, type(w).__name__, w.requires_grad])
    b.materialize((2,))
    log("buffer after that", [b.shape, type(b).__name__, b.requires_grad])


def networks(torch, log):
    """A network whose layers all wait, converted, copied, loaded and trained."""
    nn = torch.nn

    def made():
        return nn.Sequential(
            nn.LazyConv1d(3, 2), nn.LazyBatchNorm1d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(1)
        ).double()

    torch.manual_seed(3)
    net, x = made(), _numbers(torch, (4, 2, 5))
    log("text", repr(net))
    twin = copy.deepcopy(net[4])
    log("copied", [twin.has_uninitialized_params(), repr(twin)])
    log("result", net(x).detach())
    log("text after that", repr(net))
    other = made()
    log("loaded", str(other.load_state_dict(net.state_dict())))
    log("waits", [m.has_uninitialized_params() for m in (other[0], other[1], other[4])])
    net.eval(), other.eval()
    log("same", torch.equal(net(x), other(x)))
    log("classes", [type(m).__name__ for m in other])
    waiting = made()
    log("both wait", str(made().load_state_dict(waiting.state_dict())))
    net.train()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), x[:, :1, 0])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    log("losses", losses)


def refused(torch, log):
    nn = torch.nn
    log.attempt("axes", lambda: nn.LazyConv2d(2, 2)(torch.ones(2, 2)))
    log.attempt("groups", lambda: nn.LazyConv1d(4, 1, groups=2)(torch.ones(1, 3, 2)))
    layer = nn.LazyLinear(2)
    layer.load_state_dict(nn.Linear(3, 2).state_dict())
    log.attempt("another length", lambda: layer(torch.ones(1, 4)))
