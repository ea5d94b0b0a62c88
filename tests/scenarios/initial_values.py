"""`nn.init` and the initial parameters of layers: PyTorch's numbers for the same seed."""

from ._harness import each

_FILLED = {
    "uniform": lambda i, t: i.uniform_(t, -2.0, 3.0),
    "normal": lambda i, t: i.normal_(t, 1.0, 0.5),
    "trunc_normal": lambda i, t: i.trunc_normal_(t),
    "trunc_normal of a tail": lambda i, t: i.trunc_normal_(t, 0.0, 1.0, 1.0, 1.25),
    "trunc_normal of a small deviation": lambda i, t: i.trunc_normal_(t, std=0.02),
    "constant": lambda i, t: i.constant_(t, 0.25),
    "ones": lambda i, t: i.ones_(t),
    "zeros": lambda i, t: i.zeros_(t),
    "eye": lambda i, t: i.eye_(t),
    "dirac": lambda i, t: i.dirac_(t),
    "dirac of groups": lambda i, t: i.dirac_(t, 2),
    "xavier_uniform": lambda i, t: i.xavier_uniform_(t),
    "xavier_normal": lambda i, t: i.xavier_normal_(t, gain=2.0),
    "kaiming_uniform": lambda i, t: i.kaiming_uniform_(t, a=5**0.5),
    "kaiming_normal": lambda i, t: i.kaiming_normal_(t, mode="fan_out", nonlinearity="relu"),
    "kaiming of a mode": lambda i, t: i.kaiming_normal_(t, mode="fan"),
    "sparse": lambda i, t: i.sparse_(t, 0.4, 0.5),
}


@each(how=list(_FILLED), shape=[(4, 6), (4, 2, 3), (3,), (0, 2)])
def filled(torch, log, how, shape):
    torch.manual_seed(3)
    t = torch.empty(shape, requires_grad=True)
    with log.warns("warns"):
        log.attempt("values", lambda: _FILLED[how](torch.nn.init, t))
    log("next number", torch.rand(1))


@each(shape=[(2, 3), (3, 2), (2, 3, 2), (3,), (0, 2)])
def orthogonal(torch, log, shape):
    """To rounding, which is that of the decomposition."""
    torch.manual_seed(3)
    t = torch.empty(shape, dtype=torch.float64)
    log.attempt("values", lambda: torch.nn.init.orthogonal_(t, 2.0))


def gains(torch, log):
    for name in ("linear", "conv2d", "conv_transpose3d", "sigmoid", "tanh", "relu", "leaky_relu",
                 "selu", "gelu"):  # fmt: skip
        log.attempt(name, lambda name=name: float(torch.nn.init.calculate_gain(name)))
    log("slope", torch.nn.init.calculate_gain("leaky_relu", 0.2))
    log.attempt("no slope", lambda: torch.nn.init.calculate_gain("leaky_relu", "a"))


def old_names(torch, log):
    torch.manual_seed(0)
    with log.warns("warns"):
        log("values", torch.nn.init.uniform(torch.empty(2)))
        log("matrix", torch.nn.init.xavier_normal(torch.empty(2, 2)))


def generators(torch, log):
    g = torch.Generator().manual_seed(5)
    log("uniform", torch.nn.init.uniform_(torch.empty(2), generator=g))
    log("kaiming", torch.nn.init.kaiming_normal_(torch.empty(1, 2), generator=g))


_LAYERS = {
    "Linear": lambda nn, **o: nn.Linear(3, 2, **o),
    "Linear without bias": lambda nn, **o: nn.Linear(3, 2, bias=False, **o),
    "Linear of nothing": lambda nn, **o: nn.Linear(0, 2, **o),
    "Bilinear": lambda nn, **o: nn.Bilinear(2, 3, 2, **o),
}


@each(layer=list(_LAYERS))
def layers(torch, log, layer):
    torch.manual_seed(7)
    with log.warns("warns"):
        made = _LAYERS[layer](torch.nn)
    log("parameters", dict(made.state_dict()))
    log("text", repr(made))
    torch.manual_seed(7)
    with log.warns("warns of float64"):
        log("of float64", dict(_LAYERS[layer](torch.nn, dtype=torch.float64).state_dict()))
