"""Layers and functions that give images another size, or read them at places: texts, results,
gradients, warnings and errors."""

from ._harness import each

_LAYERS = {
    "nearest": (lambda nn: nn.Upsample(scale_factor=2), (1, 2, 3, 4)),
    "of lengths": (lambda nn: nn.Upsample((4, 7), mode="bilinear"), (2, 1, 3, 4)),
    "of factors": (
        lambda nn: nn.Upsample(scale_factor=(1.5, 2), mode="bicubic", align_corners=True),
        (1, 2, 3, 2),
    ),
    "of one axis": (lambda nn: nn.Upsample(5, mode="linear", align_corners=False), (1, 2, 3)),
    "of three axes": (
        lambda nn: nn.Upsample(scale_factor=1.5, mode="trilinear", recompute_scale_factor=True),
        (1, 1, 2, 3, 2),
    ),
    "nearest of two": (lambda nn: nn.UpsamplingNearest2d(scale_factor=1.5), (1, 2, 3, 4)),
    "bilinear of two": (lambda nn: nn.UpsamplingBilinear2d(size=(5, 3)), (1, 2, 3, 4)),
}


def _image(torch, shape):
    x = torch.sin(1.7 * torch.arange(1.0, 1.0 + int(torch.Size(shape).numel())).double() ** 1.5)
    return x.reshape(shape)


@each(layer=list(_LAYERS))
def layers(torch, log, layer):
    make, shape = _LAYERS[layer]
    made = make(torch.nn)
    log("text", repr(made))
    x = _image(torch, shape).requires_grad_()
    y = made(x)
    log("result", y.detach())
    (y * torch.cos(torch.arange(float(y.numel())).double()).reshape(y.shape)).sum().backward()
    log("gradient", x.grad)


def old_names(torch, log):
    f, x = torch.nn.functional, _image(torch, (1, 1, 2, 3))
    for name in ("upsample", "upsample_nearest", "upsample_bilinear"):
        with log.warns(name):
            log(f"result of {name}", getattr(f, name)(x, scale_factor=2))


def refused_sizes(torch, log):
    f, x = torch.nn.functional.interpolate, _image(torch, (1, 2, 3, 4))
    calls = {
        "nothing": lambda: f(x),
        "both": lambda: f(x, 2, 2),
        "sizes": lambda: f(x, (2, 2, 2)),
        "factors": lambda: f(x, None, (2.0,)),
        "fractions": lambda: f(x, (2.5, 2)),
        "recomputed": lambda: f(x, 2, recompute_scale_factor=True),
        "corners": lambda: f(x, 2, align_corners=False),
        "smoothed": lambda: f(x, 2, antialias=True),
        "lanczos": lambda: f(x, 2, mode="lanczos"),
        "lanczos by corners": lambda: f(x, 2, None, "lanczos", True, antialias=True),
        "mode": lambda: f(x, 2, mode="best"),
        "axes": lambda: f(x, 2, mode="trilinear"),
        "no axes": lambda: f(x[0, 0], 2),
        "zero": lambda: f(x, 0),
    }
    for name, call in calls.items():
        log.attempt(name, call)


def of_numbers_of_other_kinds(torch, log):
    f, x = torch.nn.functional.interpolate, _image(torch, (1, 1, 2, 2))
    log("half", f(x.half(), 3, mode="bilinear"))
    log("size of a tensor", f(x, (torch.tensor(3), 2)))
    log("size of one", f(x[:, :, :1, :1], 3, mode="bicubic"))


def grids(torch, log):
    nn, x = torch.nn, _image(torch, (1, 2, 3, 3)).requires_grad_()
    theta = torch.tensor([[[0.8, -0.3, 0.1], [0.3, 0.8, -0.2]]], dtype=torch.float64)
    theta.requires_grad_()
    with log.warns("grid"):
        grid = nn.functional.affine_grid(theta, x.shape)
    log("places", grid.detach())
    with log.warns("sample"):
        y = nn.functional.grid_sample(x, grid)
    log("result", y.detach())
    (y * y).sum().backward()
    log("gradient of the image", x.grad)
    log("gradient of the map", theta.grad)
    with log.warns("of one element"):
        nn.functional.affine_grid(theta, (1, 1, 1, 1), align_corners=True)
    log.attempt("integers", lambda: nn.functional.affine_grid(theta.long(), x.shape, True))
    log.attempt("empty", lambda: nn.functional.affine_grid(theta, (0, 1, 2, 2), True))
    log.attempt("mode", lambda: nn.functional.grid_sample(x, grid, "best"))
    log.attempt("padding", lambda: nn.functional.grid_sample(x, grid, padding_mode="best"))


def a_map_is_learned(torch, log):
    """Twenty steps that turn one image into another."""
    nn = torch.nn
    x = _image(torch, (1, 1, 6, 6))
    with torch.no_grad():
        turned = torch.tensor([[[0.9, -0.2, 0.1], [0.2, 0.9, 0.0]]], dtype=torch.float64)
        grid = nn.functional.affine_grid(turned, x.shape, False)
        wanted = nn.functional.grid_sample(x, grid, align_corners=False)
    # No place lies on the middle of an element, where the derivative has two sides.
    theta = torch.tensor([[[0.97, 0.04, 0.03], [-0.05, 1.02, 0.01]]], dtype=torch.float64)
    theta.requires_grad_()
    up = nn.Upsample(scale_factor=2, mode="bilinear")
    losses = []
    optimizer = torch.optim.SGD([theta], lr=0.05)
    for _ in range(20):
        optimizer.zero_grad()
        grid = nn.functional.affine_grid(theta, x.shape, False)
        y = nn.functional.grid_sample(x, grid, align_corners=False)
        loss = nn.functional.mse_loss(up(y), up(wanted))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    log("losses", losses)
    log("map", theta.detach())


@each(size=[4, 8, 12, 28], corners=[True, False])
def places_of_the_identity(torch, log, size, corners):
    """Places on elements: their roundings say from which side the slopes are taken."""
    F = torch.nn.functional
    theta = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    grid = F.affine_grid(theta, (1, 1, size, size), corners).requires_grad_()
    log("lines", [grid[0, 0, :, 0].detach(), grid[0, :, 0, 1].detach()])
    x = torch.arange(size**2).reshape(1, 1, size, size).float() % 7
    F.grid_sample(x, grid, align_corners=corners).sum().backward()
    log("slopes", (grid.grad + 0.3).round())
