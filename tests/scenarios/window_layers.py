"""Layers of windows, which are convolutions, pooling, `Unfold` and `Fold`: PyTorch's parameters for
the same seed, texts, results and gradients."""

from ._harness import each

_CONVOLUTIONS = {
    "Conv{}d": lambda nn, n, **o: nn("Conv", 2, 4, 3, **o),
    "Conv{}d of groups": lambda nn, n, **o: nn("Conv", 2, 4, 2, stride=2, groups=2, **o),
    "Conv{}d without bias": lambda nn, n, **o: nn("Conv", 2, 1, 3, padding=2, bias=False, **o),
    "Conv{}d the same": lambda nn, n, **o: nn("Conv", 2, 1, 2, padding="same", dilation=2, **o),
    "Conv{}d valid": lambda nn, n, **o: nn("Conv", 2, 1, 2, padding="valid", **o),
    "Conv{}d of lengths": lambda nn, n, **o: nn(
        "Conv", 2, 1, (3, 2, 1)[:n], (1, 2, 1)[:n], (1, 0, 0)[:n], (1, 2, 3)[:n], **o
    ),
    "Conv{}d reflect": lambda nn, n, **o: nn(
        "Conv", 2, 1, 3, padding=(1, 2, 1)[:n], padding_mode="reflect", **o
    ),
    "Conv{}d replicate": lambda nn, n, **o: nn(
        "Conv", 2, 1, 3, padding=(2, 1, 1)[:n], padding_mode="replicate", **o
    ),
    "Conv{}d circular the same": lambda nn, n, **o: nn(
        "Conv", 2, 1, (2, 3, 2)[:n], padding="same", padding_mode="circular", **o
    ),
    "Conv{}d of no padding that would be circular": lambda nn, n, **o: nn(
        "Conv", 2, 1, 3, padding="valid", padding_mode="circular", **o
    ),
    "ConvTranspose{}d": lambda nn, n, **o: nn("ConvTranspose", 2, 1, 3, **o),
    "ConvTranspose{}d of groups": lambda nn, n, **o: nn(
        "ConvTranspose", 2, 4, 3, stride=2, padding=1, output_padding=1, groups=2, **o
    ),
    "ConvTranspose{}d without bias": lambda nn, n, **o: nn(
        "ConvTranspose", 2, 1, (3, 2, 1)[:n], dilation=2, bias=False, **o
    ),
}

_POOLING = {
    "MaxPool{}d": lambda nn, n: nn("MaxPool", 2),
    "MaxPool{}d of lengths": lambda nn, n: nn("MaxPool", (3, 2, 2)[:n], (2, 1, 1)[:n], padding=1),
    "MaxPool{}d with places": lambda nn, n: nn("MaxPool", 2, 2, 1, 2, True, True),
    "AvgPool{}d": lambda nn, n: nn("AvgPool", 2),
    "AvgPool{}d of lengths": lambda nn, n: nn("AvgPool", (3, 2, 2)[:n], (2, 1, 1)[:n]),
    "AvgPool{}d without zeros": lambda nn, n: nn("AvgPool", 3, 2, 1, True, False),
    "LPPool{}d": lambda nn, n: nn("LPPool", 2, 2),
    "LPPool{}d of lengths": lambda nn, n: (
        nn("LPPool", 3.0, (3, 2, 2)[-n:], 2, ceil_mode=True)
        if n > 1
        else nn("LPPool", 3.0, 3, 2, ceil_mode=True)
    ),
    "AdaptiveMaxPool{}d": lambda nn, n: nn("AdaptiveMaxPool", 3),
    "AdaptiveMaxPool{}d with places": lambda nn, n: nn(
        "AdaptiveMaxPool", (3, 2, 1)[:n], return_indices=True
    ),
    "AdaptiveAvgPool{}d": lambda nn, n: nn("AdaptiveAvgPool", 3),
    "AdaptiveAvgPool{}d of one": lambda nn, n: nn("AdaptiveAvgPool", (1,) * n),
}

_COLUMNS = {
    "Unfold": (lambda nn: nn.Unfold(2), (2, 3, 4, 5)),
    "Unfold of lengths": (lambda nn: nn.Unfold((2, 3), (1, 2), (1, 0), (2, 1)), (2, 3, 4, 5)),
    "Unfold of one image": (lambda nn: nn.Unfold(3, padding=1, stride=2), (3, 4, 5)),
    "Fold": (lambda nn: nn.Fold((4, 5), 2), (2, 8, 12)),
    "Fold of lengths": (lambda nn: nn.Fold((4, 5), (2, 3), (1, 1), (1, 0), (2, 1)), (2, 6, 9)),
    "Fold of one image": (lambda nn: nn.Fold(4, 2, stride=2), (8, 4)),
}


def _of(torch, axes):
    """Return what makes a layer of some axes, by the beginning of its name."""
    return lambda name, *args, **o: getattr(torch.nn, f"{name}{axes}d")(*args, **o)


def _run(torch, log, layer, shape):
    x = torch.sin(1.7 * torch.arange(1.0, 1.0 + int(torch.Size(shape).numel())).double() ** 1.5)
    x = x.reshape(shape).requires_grad_()
    found = layer(x)
    for i, y in enumerate(found if isinstance(found, tuple) else (found,)):
        log(f"result {i}", y.detach())
    y = found[0] if isinstance(found, tuple) else found
    (y * torch.cos(torch.arange(float(y.numel())).double()).reshape(y.shape)).sum().backward()
    log("gradient", x.grad)
    for name, p in layer.named_parameters():
        log(f"gradient of {name}", p.grad)


@each(layer=list(_CONVOLUTIONS), axes=[1, 2, 3])
def convolutions(torch, log, layer, axes):
    make, nn = _CONVOLUTIONS[layer], _of(torch, axes)
    torch.manual_seed(7)
    made = make(nn, axes)
    log("text", repr(made))
    log("parameters", dict(made.state_dict()))
    torch.manual_seed(7)
    _run(torch, log, make(nn, axes, dtype=torch.float64), (1, 2, 5, 4, 3)[: axes + 2])


@each(layer=list(_POOLING), axes=[1, 2, 3])
def pooling(torch, log, layer, axes):
    made = _POOLING[layer](_of(torch, axes), axes)
    log("text", repr(made))
    log("state", dict(made.state_dict()))
    _run(torch, log, made, (1, 2, 6, 5, 3)[: axes + 2])


_PUT_BACK = {
    "MaxUnpool{}d": lambda nn: nn("MaxUnpool", 2),
    "MaxUnpool{}d of lengths": lambda nn: nn("MaxUnpool", 2, 2, 0),
}


@each(layer=list(_PUT_BACK), axes=[1, 2, 3])
def put_back(torch, log, layer, axes):
    nn, f = _of(torch, axes), torch.nn.functional
    made = _PUT_BACK[layer](nn)
    log("text", repr(made))
    shape = (1, 2, 6, 5, 4)[: axes + 2]
    x = torch.sin(1.7 * torch.arange(1.0, 1.0 + int(torch.Size(shape).numel())).double() ** 1.5)
    x = x.reshape(shape).requires_grad_()
    y, places = nn("MaxPool", 2, return_indices=True)(x)
    z = made(y, places, x.shape)
    log("result", z.detach())
    (z * z).sum().backward()
    log("gradient", x.grad)
    log.attempt("far", lambda: made(y, places, (20,) * axes))
    log.attempt("other lengths", lambda: made(y, places, (20,) * (axes + 1)))
    log.attempt("other shape", lambda: made(y[..., :1], places))
    log.attempt("no axes", lambda: made(y.reshape(-1), places.reshape(-1)))
    log.attempt("below zero", lambda: getattr(f, f"max_unpool{axes}d")(y, places, 1, 1, 5))


_FRACTIONAL = {
    "of sizes": {"output_size": 2},
    "of parts": {"output_ratio": 0.5, "return_indices": True},
    "of lengths": {"output_size": (1, 2, 1), "return_indices": True},
}


@each(layer=list(_FRACTIONAL), axes=[2, 3])
def windows_at_random(torch, log, layer, axes):
    """With PyTorch's samples for the same seed."""
    options = dict(_FRACTIONAL[layer])
    if isinstance(options.get("output_size"), tuple):
        options["output_size"] = options["output_size"][:axes]
    made = _of(torch, axes)("FractionalMaxPool", 2, **options)
    log("text", repr(made))
    torch.manual_seed(5)
    _run(torch, log, made, (1, 2, 5, 4, 4)[: axes + 2])


@each(axes=[2, 3])
def refused_windows_at_random(torch, log, axes):
    make = _of(torch, axes)
    x = torch.ones((1, 2, 5, 5, 5)[: axes + 2])
    f = getattr(torch.nn.functional, f"fractional_max_pool{axes}d")
    log.attempt("nothing", lambda: make("FractionalMaxPool", 2))
    log.attempt("both", lambda: make("FractionalMaxPool", 2, 2, 0.5))
    log.attempt("ratio", lambda: make("FractionalMaxPool", 2, output_ratio=1.5))
    log.attempt("no windows", lambda: f(x, 2))
    log.attempt("wide", lambda: f(x, 6, 1))
    log.attempt("many", lambda: f(x, 2, 5))
    log.attempt("lengths", lambda: f(x, (2,) * (axes + 1), 2))
    log.attempt("axes", lambda: f(x[0, 0], 2, 2))
    log.attempt("integers", lambda: f(x.long(), 2, 2))
    log.attempt("empty", lambda: f(x[:, :0], 2, 2))
    log("no samples", f(x[:0], 2, 2).shape)
    for shape in ((1, 2), (1, 2, 5), (1, 3, axes), (0, 2, axes)):
        given = torch.ones(shape)
        log.attempt(f"samples {shape}", lambda s=given: f(x, 2, 2, _random_samples=s))
    given = torch.ones(1, 2, axes).double()
    log.attempt("dtype of samples", lambda: f(x, 2, 2, _random_samples=given))


@each(layer=list(_COLUMNS))
def columns(torch, log, layer):
    make, shape = _COLUMNS[layer]
    made = make(torch.nn)
    log("text", repr(made))
    _run(torch, log, made, shape)


@each(axes=[1, 2, 3])
def one_sample(torch, log, axes):
    nn, x = _of(torch, axes), torch.ones((2, 4, 4, 4)[: axes + 1])
    log("Conv", nn("Conv", 2, 3, 3)(x).shape)
    log("circular", nn("Conv", 2, 3, 3, padding=1, padding_mode="circular")(x).shape)
    log("ConvTranspose", nn("ConvTranspose", 2, 3, 3)(x).shape)
    log("MaxPool", nn("MaxPool", 2)(x).shape)


@each(axes=[1, 2, 3])
def sizes_of_transposes(torch, log, axes):
    layer = _of(torch, axes)("ConvTranspose", 2, 3, 3, stride=2, padding=1)
    x = torch.ones((1, 2, 4, 4, 4)[: axes + 2])
    for n in (6, 7, 8, 9):
        log.attempt(f"{n}", lambda n=n: layer(x, output_size=(n,) * axes).shape)
    log.attempt("whole", lambda: layer(x, output_size=(1, 3, *(8,) * axes)).shape)
    log.attempt("list", lambda: layer(x, [8] * axes).shape)
    log.attempt("too many", lambda: layer(x, (8,) * (axes + 1)).shape)
    log.attempt("one sample", lambda: layer(x[0], (3, *(8,) * axes)).shape)


def refused(torch, log):
    nn = torch.nn
    log.attempt("no groups", lambda: nn.Conv2d(4, 4, 3, groups=0))
    log.attempt("input channels", lambda: nn.Conv2d(3, 4, 3, groups=2))
    log.attempt("output channels", lambda: nn.ConvTranspose2d(4, 3, 3, groups=2))
    log.attempt("strides", lambda: nn.Conv2d(4, 4, 3, stride=2, padding="same"))
    log.attempt("mode", lambda: nn.ConvTranspose2d(4, 4, 3, padding_mode="circular"))
    log.attempt("channels", lambda: nn.Conv2d(4, 4, 3)(torch.ones(1, 3, 5, 5)))


def wrong_images(torch, log):
    nn = torch.nn
    x, layer = torch.zeros(1, 1, 4, 4), nn.Conv2d(1, 2, 3)
    for name in ("float64", "float16", "int64", "uint8", "complex64", "bool"):
        log.attempt(name, lambda name=name: layer(x.to(getattr(torch, name))))
    bare, turned = nn.Conv2d(1, 2, 3, bias=False), nn.ConvTranspose2d(1, 2, 3)
    for name in ("float64", "int64", "bool"):
        log.attempt(f"{name} without a bias", lambda name=name: bare(x.to(getattr(torch, name))))
    for name in ("float64", "int64", "uint8", "bool"):
        log.attempt(f"{name} turned", lambda name=name: turned(x.to(getattr(torch, name))))
    log.attempt("channels of one image", lambda: layer(torch.zeros(3, 4, 4)))
    log.attempt("channels turned", lambda: turned(torch.zeros(3, 4, 4)))
    for rank, shapes in {2: [(3, 3), (1, 1, 1, 3, 3)], 3: [(3, 3, 3)]}.items():
        for shape in shapes:
            log.attempt(
                f"MaxPool{shape}",
                lambda s=shape, n=rank: getattr(nn, f"MaxPool{n}d")(2)(torch.zeros(s)),
            )
    for shape in ((3,), (3, 3)):
        log.attempt(f"AvgPool{shape}", lambda s=shape: nn.AvgPool2d(2)(torch.zeros(s)))
        log.attempt(
            f"AdaptiveAvgPool{shape}", lambda s=shape: nn.AdaptiveAvgPool2d(2)(torch.zeros(s))
        )
    log.attempt("AvgPool3d", lambda: nn.AvgPool3d(2)(torch.zeros(3, 3)))


def no_channels(torch, log):
    with log.warns("warns"):
        layer = torch.nn.Conv1d(0, 2, 3)
    log("parameters", dict(layer.state_dict()))


def a_network(torch, log):
    """The text of all, the state by names, and one step of descent."""
    nn = torch.nn
    torch.manual_seed(5)
    net = nn.Sequential(
        nn.Conv2d(1, 2, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(2, 3, 2),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(3, 2),
    ).double()  # fmt: skip
    log("text", repr(net))
    log("state", [(name, tuple(p.shape)) for name, p in net.state_dict().items()])
    x = torch.cos(torch.arange(72.0).double() ** 1.5).reshape(2, 1, 6, 6)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(2):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), torch.tensor([0, 1]))
        loss.backward()
        optimizer.step()
        log(f"loss {step}", loss.detach())
    log("weight", net[0].weight.detach())
