"""Losses and other formulas of operations: one node of the graph, with PyTorch's name and edges."""

from ._harness import each

_CLASSES = [2, 0, 1]


def _tensors(torch):
    x = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5], [0.0, 1.0, 3.0]], requires_grad=True)
    y = torch.tensor([[0.25, 1.0, 0.0], [0.5, 0.75, 1.0], [0.0, 0.5, 1.0]])
    return x, y, torch.tensor(_CLASSES), torch.tensor([0.5, 2.0, 1.25])


def _ignoring(torch):
    return torch.tensor([2, -100, 1])


def _f(torch):
    return torch.nn.functional


_LOSSES = {
    "mse": lambda torch, x, y, t, w, r: _f(torch).mse_loss(x, y, reduction=r),
    "nll": lambda torch, x, y, t, w, r: _f(torch).nll_loss(x, t, reduction=r),
    "nll weight": lambda torch, x, y, t, w, r: _f(torch).nll_loss(x, t, w, reduction=r),
    "nll ignored": lambda torch, x, y, t, w, r: _f(torch).nll_loss(
        x, _ignoring(torch), reduction=r
    ),
    "nll weight ignored": lambda torch, x, y, t, w, r: _f(torch).nll_loss(
        x, _ignoring(torch), w, reduction=r
    ),
    "nll of one": lambda torch, x, y, t, w, r: _f(torch).nll_loss(x[0], t[0], reduction=r),
    "nll of a plane": lambda torch, x, y, t, w, r: _f(torch).nll_loss(
        x.reshape(1, 3, 1, 3), t.reshape(1, 1, 3), reduction=r
    ),
    "cross entropy": lambda torch, x, y, t, w, r: _f(torch).cross_entropy(x, t, reduction=r),
    "cross entropy weight": lambda torch, x, y, t, w, r: _f(torch).cross_entropy(
        x, t, w, reduction=r
    ),
    "bce": lambda torch, x, y, t, w, r: _f(torch).binary_cross_entropy(x.sigmoid(), y, reduction=r),
    "bce weight": lambda torch, x, y, t, w, r: _f(torch).binary_cross_entropy(
        x.sigmoid(), y, w, reduction=r
    ),
    "logits": lambda torch, x, y, t, w, r: _f(torch).binary_cross_entropy_with_logits(
        x, y, reduction=r
    ),
    "logits weight": lambda torch, x, y, t, w, r: _f(torch).binary_cross_entropy_with_logits(
        x, y, w, reduction=r
    ),
    "logits pos_weight": lambda torch, x, y, t, w, r: _f(torch).binary_cross_entropy_with_logits(
        x, y, reduction=r, pos_weight=w
    ),
    "logits both": lambda torch, x, y, t, w, r: _f(torch).binary_cross_entropy_with_logits(
        x, y, w, reduction=r, pos_weight=w
    ),
}


def _edges(node):
    return [None if f is None else f.name() for f, _ in node.next_functions]


@each(loss=list(_LOSSES), reduction=["mean", "sum", "none"])
def one_node_with_name_and_edges(torch, log, loss, reduction):
    x, y, t, w = _tensors(torch)
    out = _LOSSES[loss](torch, x, y, t, w, reduction)
    log("value", out.detach())
    log("node", (out.grad_fn.name(), _edges(out.grad_fn)))
    out.sum().backward()
    log("x.grad", x.grad)


@each(loss=list(_LOSSES))
def second_derivative(torch, log, loss):
    x, y, t, w = _tensors(torch)
    out = _LOSSES[loss](torch, x, y, t, w, "mean")
    (g,) = torch.autograd.grad(out, x, create_graph=True)
    (h,) = torch.autograd.grad((g * g).sum() + (g * x).sum(), x)
    log("h", h)


@each(loss=["mse", "nll", "nll weight", "logits", "logits both"])
def operands_are_saved(torch, log, loss):
    x, y, t, w = _tensors(torch)
    out = _LOSSES[loss](torch, x, y, t, w, "mean")
    target = t if "nll" in loss else y
    log("self", out.grad_fn._saved_self is x)
    log("target", torch.equal(out.grad_fn._saved_target, target))
    if loss == "logits both":
        log("weight", torch.equal(out.grad_fn._saved_weight, w))
        log("pos_weight", torch.equal(out.grad_fn._saved_pos_weight, w))
    elif "weight" in loss:
        log("weight", torch.equal(out.grad_fn._saved_weight, w))


@each(loss=["mse", "nll", "logits", "cross entropy"])
def what_is_saved_may_not_change(torch, log, loss):
    x, y, t, w = _tensors(torch)
    z = x * 1
    out = _LOSSES[loss](torch, z, y, t, w, "mean")
    z.add_(1)
    log("input", lambda: out.backward())
    out = _LOSSES[loss](torch, x, y, t, w, "mean")
    (t if loss in ("nll", "cross entropy") else y).zero_()
    log("target", lambda: out.backward())


@each(loss=["mse", "nll", "logits", "bce"])
def freed_after_backward(torch, log, loss):
    x, y, t, w = _tensors(torch)
    out = _LOSSES[loss](torch, x * 1, y, t, w, "mean")
    out.backward()
    log("again", lambda: out.backward())


_OTHERS = {
    "dist": lambda torch, x, y: torch.dist(x, y),
    "dist 3": lambda torch, x, y: torch.dist(x, y, 3),
    "renorm": lambda torch, x, y: torch.renorm(x, 2, 0, 1.0),
    "addmm": lambda torch, x, y: torch.addmm(y, x, x, beta=0.5, alpha=2),
    "addmv": lambda torch, x, y: torch.addmv(y[0], x, y[1]),
    "addr": lambda torch, x, y: torch.addr(y, x[0], y[1], alpha=0.3),
    "baddbmm": lambda torch, x, y: torch.baddbmm(y, x[None], x[None]),
    "addcmul": lambda torch, x, y: torch.addcmul(y, x, x, value=0.3),
    "addcdiv": lambda torch, x, y: torch.addcdiv(y, x, x + 4, value=0.3),
    "lerp": lambda torch, x, y: torch.lerp(x, y, 0.3),
    "hardtanh": lambda torch, x, y: _f(torch).hardtanh(x),
    "leaky relu": lambda torch, x, y: _f(torch).leaky_relu(x, 0.2),
    "threshold": lambda torch, x, y: _f(torch).threshold(x, 0.25, 7.0),
    "logsigmoid": lambda torch, x, y: _f(torch).logsigmoid(x),
}


@each(operation=list(_OTHERS))
def others_are_one_node(torch, log, operation):
    x, y, _, _ = _tensors(torch)
    y.requires_grad_()
    out = _OTHERS[operation](torch, x, y)
    log("value", out.detach())
    log("node", (out.grad_fn.name(), _edges(out.grad_fn)))
    out.sum().backward()
    log("grads", (x.grad, y.grad))


def gradient_of_hardtanh_at_nan(torch, log):
    x = torch.tensor([float("nan"), -2.0, 0.5], requires_grad=True)
    _f(torch).hardtanh(x).sum().backward()
    log("x.grad", x.grad)
    x.grad = None
    _f(torch).relu6(x).sum().backward()
    log("relu6", x.grad)


def a_weight_of_another_length(torch, log):
    x, _, t, w = _tensors(torch)
    log("short", lambda: _f(torch).nll_loss(x, t, w[:2]))
    log("matrix", lambda: _f(torch).nll_loss(x, t, w[:, None]))
    log("smoothed", lambda: _f(torch).cross_entropy(x, t, w[:2], label_smoothing=0.1))
    plane = x.reshape(1, 3, 1, 3), t.reshape(1, 1, 3)
    log("plane", lambda: _f(torch).nll_loss(*plane, w[:2]))


@each(reduction=["none", "mean", "sum"], margin=[0, 1, 0.5], dtype=["int64", "uint8", "float32"])
def margins_of_whole_numbers(torch, log, reduction, margin, dtype):
    """A margin is a float, whatever number it is given as, and so is the loss of integers."""
    x, y = (torch.tensor(v).to(getattr(torch, dtype)) for v in ([1, 2, 3], [2, 2, 1]))
    loss = torch.nn.functional.margin_ranking_loss
    log.attempt("function", lambda: loss(x, y, x, margin, reduction=reduction))
    log.attempt("by itself", lambda: loss(x, y, x, reduction=reduction))
