"""What losses and their layers accept: dtypes, shapes and values of targets and weights."""

from ._harness import differs, each


def _f(torch):
    return torch.nn.functional


def _logits(torch):
    return torch.tensor([[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]])


def _chances(torch):
    return torch.tensor([0.25, 0.5, 0.875])


def _rounded(torch, made):
    """Round to single precision, that of the narrower operand: PyTorch takes logarithms in it."""
    return [made.dtype, made.float() if made.dtype == torch.float64 else made]


_REDUCTIONS = ["none", "sum", "mean"]
_KINDS = ["float16", "float32", "float64", "int64", "int32", "uint8", "bool", "complex64"]


@each(
    values=[
        [0.0, 2.0, 1.0],
        [0.0, -1.0, 1.0],
        [0.0, float("nan"), 1.0],
        [0.0, 1.0, 1.0],
    ],
    reduction=_REDUCTIONS,
)
def chances_outside(torch, log, values, reduction):
    p, values = _chances(torch), torch.tensor(values)
    loss = _f(torch).binary_cross_entropy
    log.attempt("target", lambda: loss(p, values, reduction=reduction))
    log.attempt("input", lambda: loss(values, p, reduction=reduction))


@each(kind=_KINDS, reduction=["none", "mean"])
def kinds_of_chances(torch, log, kind, reduction):
    p, t = _chances(torch), torch.tensor([0, 1, 1]).to(getattr(torch, kind))
    loss = _f(torch).binary_cross_entropy
    log.attempt("target", lambda: loss(p, t, reduction=reduction))
    log.attempt("weight", lambda: loss(p, p, t, reduction=reduction))
    log.attempt("input", lambda: loss(t, p, reduction=reduction))
    log.attempt("both", lambda: loss(t.to(p.dtype).to(t.dtype), t, reduction=reduction))


@each(kind=[k for k in _KINDS if k != "complex64"], reduction=["none", "mean"])
def kinds_beside_logits(torch, log, kind, reduction):
    x, t = _chances(torch), torch.tensor([0, 1, 1]).to(getattr(torch, kind))
    y = torch.tensor([0.0, 1.0, 1.0])

    def loss(*given, **options):
        f = _f(torch).binary_cross_entropy_with_logits
        return _rounded(torch, f(*given, **options, reduction=reduction))

    log.attempt("target", lambda: loss(x, t))
    log.attempt("weight", lambda: loss(x, y, t))
    log.attempt("pos_weight", lambda: loss(x, y, pos_weight=t))
    log.attempt("target beside pos_weight", lambda: loss(x, t, pos_weight=y))


@each(reduction=_REDUCTIONS, weighed=[False, True])
def logits_wider_than_targets(torch, log, reduction, weighed):
    x = torch.tensor([0.25, -0.5, 2.0], dtype=torch.float64, requires_grad=True)
    y = torch.tensor([0.1, 1.0, 0.875])
    w = torch.tensor([0.7, 1.5, 3.0]) if weighed else None
    loss = _f(torch).binary_cross_entropy_with_logits(x, y, w, reduction=reduction)
    log("loss", loss)
    loss.sum().backward()
    log("gradient", x.grad)


@differs(
    "PyTorch rounds the slope to the dtype of the targets",
    {
        "gradient": {
            "tensor": [0.1873921669619327, -0.41497288746790306, -0.0794686146814117],
            "shape": [3],
            "dtype": "float64",
            "requires_grad": False,
            "grad_fn": None,
        }
    },
)
def logits_wider_than_targets_of_two_weights(torch, log):
    x = torch.tensor([0.25, -0.5, 2.0], dtype=torch.float64, requires_grad=True)
    y = torch.tensor([0.0, 1.0, 1.0])
    loss = _f(torch).binary_cross_entropy_with_logits(x, y, pos_weight=y + 1)
    log("loss", loss)
    loss.backward()
    log("gradient", x.grad)


@each(shape=[(2,), (1,), (2, 3), (1, 3), ()])
def shapes_of_factors(torch, log, shape):
    x, w = _chances(torch), torch.full(shape, 2.0)
    log.attempt("logits", lambda: _f(torch).binary_cross_entropy_with_logits(x, x, w))
    log.attempt("chances", lambda: _f(torch).binary_cross_entropy(x, x, w))
    log.attempt("positive", lambda: _f(torch).binary_cross_entropy_with_logits(x, x, pos_weight=w))


_LOSSES = {
    "nll": lambda torch, *given, **options: _f(torch).nll_loss(*given, **options),
    "cross entropy": lambda torch, *given, **options: _f(torch).cross_entropy(*given, **options),
    "smoothed": lambda torch, *given, **options: _f(torch).cross_entropy(
        *given, **options, label_smoothing=0.125
    ),
}


@each(name=list(_LOSSES), kind=_KINDS)
def kinds_of_classes(torch, log, name, kind):
    x, dtype = _logits(torch), getattr(torch, kind)
    y = torch.tensor([0, 1])
    for label, logits, classes in (
        ("rows", x, y),
        ("one", x[0], y[1]),
        ("line", x[:, :, None], y[:, None]),
        ("plane", x[:, :, None, None], y[:, None, None]),
    ):
        log.attempt(label, lambda: _LOSSES[name](torch, logits, classes.to(dtype)))  # noqa: B023
    if kind == "complex64":
        return
    log.attempt("weight", lambda: _LOSSES[name](torch, x, y, torch.ones(3).to(dtype)))
    if not dtype.is_floating_point:
        log.attempt("logits", lambda: _LOSSES[name](torch, x.to(dtype), y))


@each(name=list(_LOSSES), rank=[1, 2, 3, 4, 5])
def shapes_of_classes(torch, log, name, rank):
    x = _logits(torch)
    x = x[0] if rank == 1 else x.reshape(2, 3, *[1] * (rank - 2))
    for shape in ((), (1,), (2,), (3,), (2, 1), (2, 3), (3, 3), (2, 2), (2, 1, 1), (2, 1, 2)):
        y = torch.zeros(shape, dtype=torch.int64)
        log.attempt(f"{shape}", lambda: _LOSSES[name](torch, x, y))  # noqa: B023
    log.attempt("weights of 2", lambda: _LOSSES[name](torch, x, y, torch.ones(2)))


def no_classes_along_an_axis(torch, log):
    x, y = _logits(torch)[0, 0], torch.tensor(0)
    log.attempt("nll", lambda: _f(torch).nll_loss(x, y))
    log.attempt("cross entropy", lambda: _f(torch).cross_entropy(x, y))


@each(kind=_KINDS, smoothing=[0.0, 0.125])
def probabilities(torch, log, kind, smoothing):
    x, dtype = _logits(torch), getattr(torch, kind)
    p = torch.tensor([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0]])

    def loss(*given, **options):
        return _f(torch).cross_entropy(*given, **options, label_smoothing=smoothing)

    log.attempt("target", lambda: _rounded(torch, loss(x, p.to(dtype))))
    log.attempt("of one", lambda: _rounded(torch, loss(x[0], torch.ones(3).to(dtype))))
    log.attempt("ignored", lambda: loss(x, p.to(dtype), ignore_index=1))
    log.attempt("ignored below", lambda: loss(x, p, ignore_index=-1))
    for shape in ((2,), (1, 3), ()):
        log.attempt(f"weight {shape}", lambda: loss(x, p, torch.ones(shape)))  # noqa: B023
    log.attempt("logits", lambda: loss(x.to(dtype), p) if not dtype.is_floating_point else None)


@each(name=["softmax", "log_softmax", "softmin"], rank=[0, 1, 2, 3, 4])
def no_axis_named(torch, log, name, rank):
    x = torch.tensor([0.25, -1.0, 2.0, 0.5])
    x = (
        x[0]
        if not rank
        else x.reshape([4, 2, 2][min(rank, 3) - 1], -1, *[1] * (rank - 2))
        if (rank > 1)
        else x
    )
    f = getattr(_f(torch), name)
    with log.warns("warned"):
        log("result", f(x))
    with log.warns("warned of another type"):
        log("of another type", f(x, dtype=torch.float64))
    with log.warns("not warned"):
        log("named", f(x, dim=-1))
        log("by place", f(x, -1, 3, torch.float64))
    for label, given in (("word", "a"), ("far", 7), ("truth", True), ("number", 0.0)):
        log.attempt(label, lambda: f(x, given))  # noqa: B023
    log.attempt("integers", lambda: f(x.long(), 0))


@each(kind=_KINDS[3:], approximate=["none", "tanh", "other"])
def gelu_of_no_floats(torch, log, kind, approximate):
    x = torch.ones(2).to(getattr(torch, kind))
    log.attempt("gelu", lambda: _f(torch).gelu(x, approximate=approximate))
