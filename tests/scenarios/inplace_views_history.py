"""Changes in place through views: what views say of gradients, and what was saved before."""

from ._changed_views import _W
from ._harness import differs, each

# ---------------------------------------------------------------- more than PyTorch, or less


def _tensor(values, **rest):
    return {"tensor": values, "shape": [2, 2], "dtype": "float32", **rest}


@differs(
    "a view of what has got a history has one, too, whether anybody has looked at it or not",
    {
        "second row": {
            "tensor": [2.0, 2.0], "shape": [2], "dtype": "float32", "requires_grad": True,
            "grad_fn": "AsStridedBackward0",
        },
        "c": _tensor([[2.0, 2.0], [2.0, 2.0]], requires_grad=True,
                     grad_fn="torch::autograd::CopySlices"),
    },
)  # fmt: skip
def rows_of_a_constant(torch, log):
    w = torch.tensor(_W, requires_grad=True)
    c = torch.ones(2, 2)
    first, second = c[0], c[1]
    first.mul_(w)
    log.attempt("second row", lambda: second.mul_(w))
    log("c", c)


_OVERLAP = {
    "raises": "RuntimeError",
    "message": "unsupported operation: more than one element of the written-to tensor refers to a "
    "single memory location. Please clone() the tensor before performing the operation.",
}


@differs(
    "what is written twice, or into memory that repeats, is refused",
    {"windows": _OVERLAP, "strided": _OVERLAP, "fill_": _OVERLAP, "zero_": _OVERLAP},
)
def into_memory_that_overlaps(torch, log):
    log.attempt("windows", lambda: torch.arange(4.0).unfold(0, 2, 1).add_(1.0))
    log.attempt("strided", lambda: torch.arange(4.0).as_strided((2, 2), (1, 1)).mul_(2.0))
    log.attempt("windows apart", lambda: torch.arange(4.0).unfold(0, 2, 2).add_(1.0))
    log.attempt("fill_", lambda: torch.zeros(1).expand(3).fill_(1.0))
    log.attempt("zero_", lambda: torch.ones(1).expand(3).zero_())


@differs(
    "a conjugate has memory of its own",
    {"z": {"tensor": [[1.0, 2.0]], "shape": [1], "dtype": "complex64", "requires_grad": False,
           "grad_fn": None}},
)  # fmt: skip
def through_a_conjugate(torch, log):
    z = torch.tensor([1 + 2j])
    log("c", z.conj().mul_(2).resolve_conj() if hasattr(z, "resolve_conj") else z.conj().mul_(2))
    log("z", z)


_GRAD = {"shape": [3], "dtype": "float32", "requires_grad": False, "grad_fn": None}


@differs(
    "a leaf that is a view of memory without a history is a leaf: its own views lead to it",
    {
        "grad of the view": {"tensor": [1.0, 1.0, 1.0], **_GRAD},
        "grad of both": {"tensor": [2.0, 2.0, 2.0], **_GRAD},
    },
)
def leaf_that_is_a_view_changed_under_no_grad(torch, log):
    leaf = torch.arange(3.0).reshape(3).requires_grad_()
    view = leaf.view(3)
    with torch.no_grad():
        leaf.mul_(0.5)

    def gradient(y):
        return torch.autograd.grad(y.sum(), leaf, allow_unused=True)[0]

    log.attempt("grad of the view", lambda: gradient(view * 1))
    log.attempt("grad of both", lambda: gradient(view + leaf))


@differs(
    "the old value of what is written over is kept for the derivative, whichever operand it is",
    {
        "mul_": {"tensor": [2.0, 4.0, 6.0], **_GRAD},
        "by a view": {"tensor": [2.0, 4.0, 6.0], **_GRAD},
        "div_": {"tensor": [0.0, 0.0, 0.0], **_GRAD},
        "addcmul_": {"tensor": [3.0, 5.0, 7.0], **_GRAD},
    },
)
def changed_by_itself(torch, log):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    changes = {
        "mul_": lambda y: y.mul_(y),
        "by a view": lambda y: y.mul_(y.view(3)),
        "div_": lambda y: y.div_(y),
        "addcmul_": lambda y: y.addcmul_(y, y),
        "add_": lambda y: y.add_(y, alpha=0.5),
        "copy_": lambda y: y.copy_(y),
    }
    for name, change in changes.items():
        log.attempt(name, lambda change=change: torch.autograd.grad(change(x * 1).sum(), x)[0])


# ---------------------------------------------------------------- what views say of a gradient


def _told(log, label, *tensors):
    for i, x in enumerate(tensors):
        log(f"{label} {i}", [x.requires_grad, x.is_leaf, x.grad_fn is None, x._is_view()])


def _base(torch, kind):
    x = torch.ones(3, requires_grad=kind != "constant")
    return x * 2 if kind == "result" else x


@each(mode=["no_grad", "inference_mode"], base=["result", "leaf", "constant"])
def view_without_record_made_a_leaf(torch, log, mode, base):
    y = _base(torch, base)
    with getattr(torch, mode)():
        v = y.view(3)
    before = v * 3
    v.requires_grad_()
    _told(log, "view", v)
    (v * 3).sum().backward()
    log("gradient", v.grad)
    if before.requires_grad:
        before.sum().backward()
    log("not of what was computed before", v.grad)
    v.requires_grad_(False)
    _told(log, "off again", v)


@each(mode=["no_grad", "inference_mode"], base=["result", "leaf"], own=[True, False])
def view_without_record_of_a_base_that_is_detached(torch, log, mode, base, own):
    y = _base(torch, base)
    with getattr(torch, mode)():
        v = y[:2]
    w = y[1:]
    if own:
        v.requires_grad_()
    y.detach_()
    _told(log, "tensors", y, v, v * 3)
    log("what was recorded stays", w.requires_grad)
    if own:
        (v * 3).sum().backward()
        log("gradient", v.grad)


@each(base=["result", "leaf"])
def view_without_record_of_a_base_that_is_changed_and_detached(torch, log, base):
    y = _base(torch, base)
    with torch.no_grad():
        v = y[:2]
        y.mul_(2)
    y.detach_()
    _told(log, "tensors", y, v)
    log("view", v * 3)


@each(mode=["no_grad", "inference_mode"])
def view_without_record_of_a_base_made_a_leaf(torch, log, mode):
    y = torch.ones(3)
    with getattr(torch, mode)():
        v = y[:2]
    y.requires_grad_()
    _told(log, "tensors", y, v)
    log("view", v)
    (v * 3).sum().backward()
    log("gradients", [v.grad, y.grad])
    with log.raises("write"):
        v.mul_(2)
    y.requires_grad_(False)
    _told(log, "off again", y, v)


def views_of_many_of_a_base_made_a_leaf(torch, log):
    y = torch.ones(2, 2)
    first, second = y.unbind(0)
    first.requires_grad_()
    y.requires_grad_()
    _told(log, "tensors", y, first, second)
    (first * 2 + second).sum().backward()
    log("gradients", [first.grad, second.grad, y.grad])


def view_that_is_a_leaf_of_a_base_made_one(torch, log):
    y = torch.ones(3)
    v = y[:2].requires_grad_()
    y.requires_grad_()
    _told(log, "tensors", y, v)
    (v * 2 + y[:2]).sum().backward()
    log("gradients", [v.grad, y.grad])


def base_off_before_anybody_looked(torch, log):
    y = torch.ones(3)
    v = y[:2]
    y.requires_grad_()
    y.requires_grad_(False)
    _told(log, "tensors", y, v, v * 2)


# ---------------------------------------------------------------- saved and changed since


_PLAIN = {"dtype": "float32", "requires_grad": False, "grad_fn": None}


@differs(
    "what a derivative reads is known, whatever became of the tensor",
    {"backward": {"raises": None}, "gradient": {"tensor": [8.0, 16.0], "shape": [2], **_PLAIN}},
)
def saved_and_detached_in_place(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    w = y * y
    y.detach_()
    with log.raises("backward"):
        w.sum().backward()
    log("gradient", x.grad)


@differs(
    "what was computed and written through a view is kept for the derivative",
    {"backward": {"raises": None}, "gradient": {"tensor": [2.0, 2.0], "shape": [2], **_PLAIN}},
)
def changed_after_a_change_through_a_view(torch, log):
    x = torch.tensor([0.0, 0.0], requires_grad=True)
    y = x * 1
    v = y.squeeze()
    v.exp_()
    v.mul_(2)
    with log.raises("backward"):
        y.sum().backward()
    log("gradient", x.grad)


def data_changed_after_a_change_in_place(torch, log):
    x = torch.tensor([0.0, 0.0], requires_grad=True)
    y = x * 1
    y.exp_()
    y.data.mul_(2)
    y.sum().backward()
    log("gradient", x.grad)


@differs(
    "the hook of a view sees the gradient of what was read through the view",
    {
        "through a part of it": [[[3, 3, 3], [0, 0, 0]]],
        "gradient": [60, 60, 60, 2, 2, 2],
        "through the view": [[[3, 3, 3], [3, 3, 3]]],
    },
)
def hook_of_a_view_that_is_written_through(torch, log):
    x = torch.ones(6, requires_grad=True)
    y = x * 2
    w = y.view(2, 3)
    seen = []
    w.register_hook(lambda g: seen.append(g.int().tolist()) or g * 10)
    w[0].mul_(3)
    y.sum().backward()
    log("through a part of it", seen)
    log("gradient", x.grad.int().tolist())
    y = x * 2
    w = y.view(2, 3)
    seen = []
    w.register_hook(lambda g: seen.append(g.int().tolist()))
    w.mul_(3)
    y.sum().backward()
    log("through the view", seen)


@differs(
    "the gradient with respect to a view that was made without record is known",
    {
        "gradient": {"tensor": [3.0, 3.0], "shape": [2], **_PLAIN},
        "hook": [[3, 3]],
    },
)
def view_without_record_asked_for_its_gradient(torch, log):
    y = torch.ones(3, requires_grad=True) * 2
    with torch.no_grad():
        v = y[:2]
    seen = []
    v.register_hook(lambda g: seen.append(g.int().tolist()))
    w = (v * 3).sum()
    w.backward(retain_graph=True)
    log("hook", seen)
    log("accumulated", v.grad)
    log.attempt("gradient", lambda: torch.autograd.grad(w, v)[0])


@differs(
    "a leaf that has been told anew is a new one",
    {"view": [True, True]},
)
def view_without_record_of_a_changed_base_made_a_leaf_again(torch, log):
    y = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        v = y[:2]
        y.mul_(2)
    y.requires_grad_(False)
    log("off", [v.requires_grad, v.is_leaf])
    y.requires_grad_()
    log.attempt("view", lambda: [v.requires_grad, v.is_leaf])
