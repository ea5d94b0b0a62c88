"""`copy.copy` and `copy.deepcopy`: what is shared, what goes along, and what is refused."""

import copy

from ._harness import differs, each


def _leaf(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    return x


def copy_of_a_leaf(torch, log):
    x = _leaf(torch)
    c = copy.copy(x)
    log("copy", c)
    log("is another", c is not x)
    log("is a leaf", c.is_leaf)
    log("shares memory", c.data_ptr() == x.data_ptr())
    log("grad", c.grad)
    (c * 3).sum().backward()
    log("grad of the copy", c.grad)
    log("grad of the original", x.grad)


def copy_of_a_result_is_a_leaf(torch, log):
    y = torch.tensor([1.0, 2.0], requires_grad=True) * 2
    c = copy.copy(y)
    log("copy", c)
    log("is a leaf", c.is_leaf)
    log("shares memory", c.data_ptr() == y.data_ptr())


def copy_of_a_view(torch, log):
    x = torch.arange(6.0)
    c = copy.copy(x[2:4])
    log("copy", c)
    log("offset", c.storage_offset())
    c[0] = 9.0
    log("original", x)


def copy_sees_changes(torch, log):
    x = torch.tensor([1.0, 2.0])
    c = copy.copy(x)
    x.add_(1.0)
    log("copy", c)


def copy_warns_of_hooks(torch, log):
    def double(grad):
        return 2 * grad

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.register_hook(double)
    with log.warns("warnings of copy"):
        c = copy.copy(x)
    c.sum().backward()
    log("grad", c.grad)
    torch.utils.hooks.unserializable_hook(double)
    with log.warns("of one that is marked"):
        copy.copy(x)
    with log.warns("of deepcopy"):
        copy.deepcopy(x)


def deepcopy_of_a_leaf(torch, log):
    x = _leaf(torch)
    d = copy.deepcopy(x)
    log("copy", d)
    log("grad", d.grad)
    log("grad is another", d.grad is not x.grad)
    log("shares memory", d.data_ptr() == x.data_ptr())
    log("shares the gradient's memory", d.grad.data_ptr() == x.grad.data_ptr())
    (d * 3).sum().backward()
    log("grad of the copy", d.grad)
    log("grad of the original", x.grad)


def deepcopy_of_a_result(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for label, y in (
        ("product", x * 2),
        ("view", x[0:1]),
        ("clone", x.clone()),
        ("alias", x.view(2)),
        ("sum", x.sum()),
    ):
        with log.raises(label):
            copy.deepcopy(y)
    log("detached", copy.deepcopy((x * 2).detach()))
    log("data", copy.deepcopy((x * 2).data))
    with torch.no_grad():
        log("no_grad", copy.deepcopy(x * 2))
    with log.raises("in a list"):
        copy.deepcopy([x, x * 2])


def deepcopy_of_a_gradient_with_history(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x**3).sum().backward(create_graph=True)
    with log.raises("deepcopy"):
        copy.deepcopy(x)
    x.grad = x.grad.detach()
    log("detached gradient", copy.deepcopy(x).grad)


def deepcopy_has_no_hooks(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.register_hook(lambda grad: 10 * grad)
    x.register_post_accumulate_grad_hook(lambda t: log("accumulated", t.grad))
    d = copy.deepcopy(x)
    d.sum().backward()
    log("grad of the copy", d.grad)
    x.sum().backward()


def deepcopy_keeps_identity_within_one_call(torch, log):
    x = _leaf(torch)
    found = copy.deepcopy({"w": x, "again": [x, (x,)], "other": x.detach()})
    log("same object", found["w"] is found["again"][0] is found["again"][1][0])
    log("detached is another", found["other"] is not found["w"])
    log("detached shares memory", found["other"].data_ptr() == found["w"].data_ptr())
    log("not with the original", found["w"].data_ptr() == x.data_ptr())
    memo = {}
    log("memo", copy.deepcopy(x, memo) is copy.deepcopy(x, memo))
    log("memo knows it", id(x) in memo)
    log("two calls", copy.deepcopy(x) is copy.deepcopy(x))


def deepcopy_keeps_views_together(torch, log):
    base = torch.arange(6.0)
    first, second = copy.deepcopy([base, base[2:4]])
    first.add_(10.0)
    log("view", second)
    log("offset", second.storage_offset())
    second[0] = -1.0
    log("base", first)
    log("original", base)
    view, base = copy.deepcopy([base.view(2, 3).t(), base])
    base.zero_()
    log("the view first", view)
    log("strides", view.stride())


@each(
    layout=[
        ("transposed", lambda torch: torch.arange(6.0).view(2, 3).t()),
        ("expanded", lambda torch: torch.tensor([[1.0], [2.0]]).expand(2, 3)),
        ("strided", lambda torch: torch.arange(10.0)[::3]),
        ("diagonal", lambda torch: torch.arange(9.0).view(3, 3).diagonal()),
        ("0-d", lambda torch: torch.arange(3.0)[1]),
        ("empty", lambda torch: torch.zeros(0, 3)),
        ("empty slice", lambda torch: torch.arange(3.0)[3:]),
        ("bool", lambda torch: torch.tensor([True, False])),
        ("int8", lambda torch: torch.tensor([1, -1], dtype=torch.int8)),
        ("half", lambda torch: torch.tensor([1.5], dtype=torch.float16)),
        ("complex", lambda torch: torch.tensor([1 + 2j, 3j])),
        ("imaginary part", lambda torch: torch.tensor([1 + 2j, 3j]).imag),
        ("permuted", lambda torch: torch.arange(24.0).view(2, 3, 4).permute(2, 0, 1)),
    ]
)
def deepcopy_of_a_layout(torch, log, layout):
    x = layout[1](torch)
    for label, copied in (("deep", copy.deepcopy(x)), ("shallow", copy.copy(x))):
        log(label, copied)
        log(f"{label} strides", copied.stride())
        if x.numel():
            log(f"{label} offset", copied.storage_offset())


def deepcopy_of_an_expanded_tensor_is_not_written(torch, log):
    x = copy.deepcopy(torch.tensor([1.0]).expand(3))
    with log.raises("add_"):
        x.add_(1.0)


def attributes_go_along(torch, log):
    x = torch.tensor([1.0], requires_grad=True)
    x.note = ["a"]
    for label, c in (("copy", copy.copy(x)), ("deepcopy", copy.deepcopy(x))):
        log(f"{label} has it", c.note)
        log(f"{label} shares it", c.note is x.note)
    log("clone", hasattr(x.clone(), "note"))
    log("detach", hasattr(x.detach(), "note"))
    log("sum", hasattr(x + 1, "note"))


def attributes_that_hold_tensors(torch, log):
    x, y = torch.tensor([1.0]), torch.tensor([2.0])
    x.partner = y
    d, e = copy.deepcopy([x, y])
    log("one partner", d.partner is e)
    x.result = torch.tensor([1.0], requires_grad=True) * 2
    with log.raises("a result"):
        copy.deepcopy(x)


@differs("a tensor that refers to itself is copied once", {"closed": True})
def deepcopy_of_a_cycle(torch, log):
    x = torch.tensor([1.0])
    x.children = [x]
    d = copy.deepcopy(x)
    log("closed", d.children[0] is d)


def a_model_of_dicts(torch, log):
    model = {"layers": [{"w": torch.ones(2, 2, requires_grad=True), "b": torch.zeros(2)}]}
    twin = copy.deepcopy(model)
    with torch.no_grad():
        twin["layers"][0]["w"] += 1
    log("twin", twin["layers"][0]["w"])
    log("model", model["layers"][0]["w"])
    (twin["layers"][0]["w"] @ torch.ones(2)).sum().backward()
    log("grad of the twin", twin["layers"][0]["w"].grad)
    log("grad of the model", model["layers"][0]["w"].grad)


def ordinary_things_are_kept(torch, log):
    log("dtype", copy.deepcopy(torch.float32) is torch.float32)
    log("size", copy.deepcopy(torch.ones(2, 3).shape))
    log("size is a Size", isinstance(copy.copy(torch.ones(2).shape), torch.Size))
    log("device", str(copy.deepcopy(torch.device("cpu"))))
    log("named result", list(copy.deepcopy(torch.tensor([[1.0, 2.0]]).max(1))))


def requires_grad_and_integers(torch, log):
    log("no grad", copy.deepcopy(torch.tensor([1.0])))
    log("integers", copy.deepcopy(torch.tensor([1, 2])))
    x = torch.tensor([1.0, 2.0])
    x.grad = torch.tensor([3.0, 4.0])
    log("grad without requires_grad", copy.deepcopy(x).grad)
    log("of a copy", copy.copy(x).grad)


_A_LEAF = {
    "tensor": [1.0],
    "shape": [1],
    "dtype": "float32",
    "requires_grad": True,
    "grad_fn": None,
}


@differs(
    "a leaf of a subclass stays a leaf, and is copied deeply with its class",
    {
        "copy": _A_LEAF,
        "copy is a leaf": True,
        "deepcopy": {"raises": None},
        "deep": _A_LEAF,
        "class": "Metres",
        "note": "n",
    },
)
def copies_of_a_subclass(torch, log):
    class Metres(torch.Tensor):
        pass

    x = torch.Tensor._make_subclass(Metres, torch.tensor([1.0]), True)
    x.note = "n"
    c = copy.copy(x)
    log("copy", c.as_subclass(torch.Tensor) if not c.is_leaf else c)
    log("copy is a leaf", c.is_leaf)
    log("class of the copy", type(c).__name__)
    log("note of the copy", c.note)
    with log.raises("deepcopy"):
        d = copy.deepcopy(x)
        log("deep", d)
        log("class", type(d).__name__)
        log("note", d.note)


def a_subclass_with_its_own_state(torch, log):
    class Metres(torch.Tensor):
        def __getstate__(self):
            return {"unit": "m"}

        def __setstate__(self, state):
            self.told = state

    c = copy.copy(torch.tensor([1.0]).as_subclass(Metres))
    log("state", c.told)


def a_subclass_that_copies_itself(torch, log):
    class Metres(torch.Tensor):
        def __deepcopy__(self, memo):
            return "mine"

        def __reduce_ex__(self, protocol):
            return str, ("reduced",)

    x = torch.tensor([1.0]).as_subclass(Metres)
    log("deepcopy", copy.deepcopy(x))
    log("copy", copy.copy(x))


def slots_of_a_subclass(torch, log):
    class Metres(torch.Tensor):
        __slots__ = ("unit",)

    x = torch.tensor([1.0]).as_subclass(Metres)
    x.unit = "m"
    log("unit", copy.copy(x).unit)


def grad_fn_is_not_copied(torch, log):
    y = torch.tensor([1.0], requires_grad=True) * 2
    with log.raises("copy"):
        copy.copy(y.grad_fn)
    with log.raises("deepcopy"):
        copy.deepcopy(y.grad_fn)
