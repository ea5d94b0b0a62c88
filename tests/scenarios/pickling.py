"""Pickling: what a tensor is when it comes back."""

import pickle

from ._harness import differs, each


def _back(x, protocol=4):
    return pickle.loads(pickle.dumps(x, protocol=protocol))


@each(protocol=[0, 1, 2, 3, 4, 5])
def a_leaf(torch, log, protocol):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    x.note = {"unit": "m"}
    (x * x).sum().backward()
    y = _back(x, protocol)
    log("tensor", y)
    log("is a leaf", y.is_leaf)
    log("grad", y.grad)
    log("note", y.note)
    (y * y).sum().backward()
    log("grad of its own", y.grad)


@each(protocol=[0, 2, 5])
def a_result_becomes_a_leaf(torch, log, protocol):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = _back(x * 2, protocol)
    log("tensor", y)
    log("is a leaf", y.is_leaf)
    (y * y).sum().backward()
    log("grad", y.grad)
    log("grad of the original", x.grad)


@each(
    dtype=["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
           "complex64", "complex128"]
)  # fmt: skip
def of_a_dtype(torch, log, dtype):
    log("tensor", _back(torch.tensor([0, 1, 1]).to(getattr(torch, dtype))))
    log("0-d", _back(torch.tensor(1).to(getattr(torch, dtype))))
    log("empty", _back(torch.zeros(0, 2, dtype=getattr(torch, dtype))))


@each(
    layout=[
        ("transposed", lambda torch: torch.arange(6.0).view(2, 3).t()),
        ("expanded", lambda torch: torch.tensor([[1.0], [2.0]]).expand(2, 3)),
        ("strided", lambda torch: torch.arange(10.0)[::3]),
        ("diagonal", lambda torch: torch.arange(9.0).view(3, 3).diagonal()),
        ("0-d of more", lambda torch: torch.arange(3.0)[1]),
        ("empty slice", lambda torch: torch.arange(3.0)[3:]),
        ("permuted", lambda torch: torch.arange(24.0).view(2, 3, 4).permute(2, 0, 1)),
    ]
)
def of_a_layout(torch, log, layout):
    y = _back(layout[1](torch))
    log("tensor", y)
    log("strides", y.stride())
    if y.numel():
        log("offset", y.storage_offset())


def special_values(torch, log):
    log("values", _back(torch.tensor([float("nan"), float("inf"), -float("inf"), -0.0, 1e-45])))


@differs(
    "tensors of one memory share it again, as with torch.save",
    {
        "view": {
            "tensor": [12.0, 13.0],
            "shape": [2],
            "dtype": "float32",
            "requires_grad": False,
            "grad_fn": None,
        },
        "detached shares memory": True,
    },
)
def views_in_one_pickle(torch, log):
    base = torch.arange(6.0)
    first, second = _back([base, base[2:4]])
    first.add_(10.0)
    log("base", first)
    log("view", second)
    log("original", base)
    x = torch.ones(2, requires_grad=True)
    a, b = _back([x, x.detach()])
    log("detached", b)
    log("detached shares memory", a.data_ptr() == b.data_ptr())


def identity_in_one_pickle(torch, log):
    x = torch.tensor([1.0])
    a, b = _back([x, x])
    log("one object", a is b)
    log("not the original", a is not x)
    c = _back({"w": x, "nested": (x, [x])})
    log("nested", c["w"] is c["nested"][0] is c["nested"][1][0])


def hooks_stay_behind(torch, log):
    def double(grad):
        return 2 * grad

    x = torch.tensor([1.0], requires_grad=True)
    x.register_hook(double)
    with log.warns("warnings"):
        y = _back(x)
    y.sum().backward()
    log("grad", y.grad)
    torch.utils.hooks.unserializable_hook(double)
    with log.warns("of one that is marked"):
        _back(x)


def post_accumulate_hooks_stay_behind(torch, log):
    x = torch.tensor([1.0], requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda t: None)
    with log.warns("warnings"):
        log("tensor", _back(x))


def attributes(torch, log):
    x = torch.tensor([1.0])
    x.partner = torch.tensor([2.0], requires_grad=True)
    x.numbers = [1, 2]
    y = _back(x)
    log("partner", y.partner)
    log("numbers", y.numbers)
    x.function = lambda: 1
    log.attempt("what cannot be pickled", lambda: type(_back(x)).__name__ == "", words=False)


def other_things(torch, log):
    log("dtype", _back(torch.float64) is torch.float64)
    log("size", _back(torch.ones(2, 3).shape))
    log("device", str(_back(torch.device("cpu"))))
    r = _back(torch.tensor([[1.0, 3.0]]).max(1))
    log("named result", list(r))
    log("its class", type(r).__name__)


def grad_fn_is_refused(torch, log):
    y = torch.tensor([1.0], requires_grad=True) * 2
    with log.raises("grad_fn"):
        _back(y.grad_fn)


def a_pickle_is_a_copy(torch, log):
    x = torch.tensor([1.0, 2.0])
    y = _back(x)
    y.add_(1.0)
    log("original", x)
    log("copy", y)
    log("may be changed", y.mul_(2.0))


def under_no_grad(torch, log):
    x = torch.tensor([1.0], requires_grad=True)
    with torch.no_grad():
        y = _back(x)
    log("tensor", y)
    log("is a leaf", y.is_leaf)


def a_graph_does_not_go_along(torch, log):
    x = torch.tensor([1.0], requires_grad=True)
    y = x * 2
    y.retain_grad()
    z = _back(y)
    log("retains", z.retains_grad)
    log("grad_fn", z.grad_fn is None)
    (z * 3).sum().backward()
    log("grad", z.grad)
    log("of the first leaf", x.grad)
