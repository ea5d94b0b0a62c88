"""`nn.Module`: what it consists of, its state, its text, and what all parts do together."""

import copy
import pickle
from collections import OrderedDict

import numpy as np

from ._harness import each


def _net(torch):
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc1 = torch.nn.Linear(2, 3)
            self.act = torch.nn.Tanh()
            self.fc2 = torch.nn.Linear(3, 1, bias=False)
            self.scale = torch.nn.Parameter(torch.full((1,), 2.0))
            self.register_buffer("shift", torch.tensor([0.5]))
            self.register_buffer("count", torch.tensor(3), persistent=False)

        def forward(self, x):
            return self.fc2(self.act(self.fc1(x))) * self.scale + self.shift

    torch.manual_seed(1)
    return Net()


def _x(torch):
    return torch.tensor([[0.5, -1.0], [2.0, 0.25]])


def a_network(torch, log):
    net = _net(torch)
    log("text", repr(net))
    log("parameters", [name for name, _ in net.named_parameters()])
    log("own", [name for name, _ in net.named_parameters(recurse=False)])
    log("prefixed", [name for name, _ in net.named_parameters(prefix="net")])
    log("buffers", [name for name, _ in net.named_buffers()])
    log("modules", [(name, type(m).__name__) for name, m in net.named_modules()])
    log("children", [name for name, _ in net.named_children()])
    y = net(_x(torch))
    log("y", y.detach())
    y.sum().backward()
    for name, p in net.named_parameters():
        log(f"grad of {name}", p.grad)
    net.zero_grad(set_to_none=False)
    log("zeros", net.fc1.bias.grad)
    net.zero_grad()
    log("none", net.fc1.bias.grad)


def a_part_that_is_there_twice(torch, log):
    layer = torch.nn.Linear(1, 1)
    net = torch.nn.Sequential(layer, layer)
    log("once", [name for name, _ in net.named_parameters()])
    log("twice", [name for name, _ in net.named_parameters(remove_duplicate=False)])
    log("modules", [name for name, _ in net.named_modules(remove_duplicate=False)])
    log("children", [name for name, _ in net.named_children()])
    log("state", list(net.state_dict()))


_ASSIGNMENTS = {
    "number for a layer": lambda torch, net: setattr(net, "fc1", 3),
    "tensor for a parameter": lambda torch, net: setattr(net, "scale", torch.ones(1)),
    "module for a parameter": lambda torch, net: setattr(net, "scale", torch.nn.ReLU()),
    "number for a buffer": lambda torch, net: setattr(net, "shift", 3),
    "string for a buffer": lambda torch, net: setattr(net, "shift", "a"),
    "none for a parameter": lambda torch, net: setattr(net, "scale", None),
    "none for a buffer": lambda torch, net: setattr(net, "shift", None),
    "none for a layer": lambda torch, net: setattr(net, "act", None),
    "tensor for a buffer": lambda torch, net: setattr(net, "shift", torch.ones(1)),
    "parameter for a buffer": lambda torch, net: setattr(
        net, "shift", torch.nn.Parameter(torch.ones(1))
    ),
    "parameter for a layer": lambda torch, net: setattr(
        net, "act", torch.nn.Parameter(torch.ones(1))
    ),
    "layer for a layer": lambda torch, net: setattr(net, "act", torch.nn.ReLU()),
    "buffer": lambda torch, net: setattr(net, "new", torch.nn.Buffer(torch.ones(1))),
    "passing buffer": lambda torch, net: setattr(
        net, "new", torch.nn.Buffer(torch.ones(1), persistent=False)
    ),
    "tensor": lambda torch, net: setattr(net, "new", torch.ones(1)),
    "deleted parameter": lambda torch, net: delattr(net, "scale"),
    "deleted buffer": lambda torch, net: delattr(net, "count"),
    "deleted layer": lambda torch, net: delattr(net, "fc1"),
    "deleted nothing": lambda torch, net: delattr(net, "nothing"),
    "parameter with a dot": lambda torch, net: net.register_parameter("a.b", None),
    "parameter without a name": lambda torch, net: net.register_parameter("", None),
    "parameter that is there": lambda torch, net: net.register_parameter("forward", None),
    "parameter of a number": lambda torch, net: net.register_parameter("a", 3),
    "parameter of a tensor": lambda torch, net: net.register_parameter("a", torch.ones(2)),
    "parameter by a number": lambda torch, net: net.register_parameter(3, None),
    "parameter of a result": lambda torch, net: net.register_parameter(
        "a", torch.nn.Parameter(torch.ones(1)) * 2
    ),
    "buffer with a dot": lambda torch, net: net.register_buffer("a.b", None),
    "buffer without a name": lambda torch, net: net.register_buffer("", None),
    "buffer that is there": lambda torch, net: net.register_buffer("fc1", None),
    "buffer of a number": lambda torch, net: net.register_buffer("a", 3),
    "buffer by a number": lambda torch, net: net.register_buffer(3, None),
    "module with a dot": lambda torch, net: net.add_module("a.b", None),
    "module without a name": lambda torch, net: net.add_module("", None),
    "module that is there": lambda torch, net: net.add_module("scale", torch.nn.ReLU()),
    "module of a number": lambda torch, net: net.add_module("a", 3),
    "module by a number": lambda torch, net: net.add_module(3, torch.nn.ReLU()),
    "registered module": lambda torch, net: net.register_module("a", torch.nn.ReLU()),
    "unknown attribute": lambda torch, net: net.nothing,
}


@each(what=list(_ASSIGNMENTS))
def assignments(torch, log, what):
    net = _net(torch)
    log.attempt("outcome", lambda: repr(_ASSIGNMENTS[what](torch, net)))
    log("parameters", list(net._parameters))
    log("buffers", list(net._buffers))
    log("modules", list(net._modules))
    log("state", list(net.state_dict()))


def before_init(torch, log):
    class Early(torch.nn.Module):
        def __init__(self, value):
            self.value = value
            super().__init__()

    log.attempt("parameter", lambda: Early(torch.nn.Parameter(torch.ones(1))))
    log.attempt("module", lambda: Early(torch.nn.ReLU()))
    log.attempt("buffer", lambda: Early(torch.nn.Buffer(torch.ones(1))))
    log.attempt("number", lambda: Early(3).value)
    log.attempt("argument", lambda: torch.nn.Module(3))
    log.attempt("keyword", lambda: torch.nn.Module(size=3))
    log.attempt("no forward", lambda: torch.nn.Module()(3))


_STATES = {
    "same": lambda torch, s: s,
    "missing": lambda torch, s: {k: v for k, v in s.items() if k != "fc1.weight"},
    "unexpected": lambda torch, s: {**s, "fc3.weight": torch.ones(1), "what": torch.ones(1)},
    "inside": lambda torch, s: {**s, "fc1.what": torch.ones(1), "fc1.a.b": torch.ones(1)},
    "both": lambda torch, s: {"what": torch.ones(1), "scale": torch.ones(1)},
    "shape": lambda torch, s: {**s, "fc1.weight": torch.ones(2, 2), "shift": torch.ones(3)},
    "number": lambda torch, s: {**s, "scale": 3.0},
    "dtype": lambda torch, s: {k: v.to(torch.float64) for k, v in s.items()},
    "list": lambda torch, s: [],
    "passing": lambda torch, s: {**s, "count": torch.tensor(5)},
}


@each(state=list(_STATES), strict=[True, False], assign=[False, True])
def loading(torch, log, state, strict, assign):
    net = _net(torch)
    given = {k: v + 1 for k, v in net.state_dict().items()}
    before = net.scale
    log.attempt(
        "outcome",
        lambda: repr(
            net.load_state_dict(_STATES[state](torch, given), strict=strict, assign=assign)
        ),
    )
    log("weight", net.fc1.weight)
    log("shift", net.shift)
    log("the same", net.scale is before)


def the_message_of_a_state_that_does_not_fit(torch, log):
    net = _net(torch)
    try:
        net.load_state_dict({"scale": torch.ones(2), "what": torch.ones(1), "shift": 1})
    except RuntimeError as error:
        log("message", str(error))


def states(torch, log):
    net = _net(torch)
    state = net.state_dict()
    log("state", dict(state))
    log("type", type(state).__name__)
    log("metadata", {k: dict(v) for k, v in state._metadata.items()})
    log("kept", dict(net.state_dict(keep_vars=True)))
    log("prefixed", list(net.state_dict(prefix="net.")))
    mine = OrderedDict()
    log("own", net.state_dict(destination=mine) is mine)
    with log.warns("by position"):
        log("positions", list(net.state_dict(OrderedDict(), "a.")))
    state["scale"].fill_(7.0)
    log("shares memory", net.scale)

    class Extra(torch.nn.Module):
        def get_extra_state(self):
            return {"n": 1}

        def set_extra_state(self, state):
            self.n = state["n"]

    extra = torch.nn.Sequential(Extra())
    log("extra", dict(extra.state_dict()))
    extra.load_state_dict({"0._extra_state": {"n": 4}})
    log("n", extra[0].n)
    log.attempt("missing extra", lambda: extra.load_state_dict({}))
    log.attempt("unexpected extra", lambda: net.load_state_dict({**state, "_extra_state": 1}))


def hooks_of_the_state(torch, log):
    net = _net(torch)
    said = []
    handles = [
        net.register_state_dict_pre_hook(lambda m, prefix, keep: said.append(("pre", prefix))),
        net.register_state_dict_post_hook(
            lambda m, state, prefix, meta: said.append(("post", len(state), prefix, dict(meta)))
        ),
        net._register_state_dict_hook(lambda m, state, *rest: OrderedDict(a=torch.ones(1))),
    ]
    log("state", dict(net.state_dict()))
    for handle in handles:
        handle.remove()
    state = net.state_dict()
    net.register_load_state_dict_pre_hook(
        lambda m, state, prefix, meta, strict, *rest: said.append((len(state), strict))
    )
    net._register_load_state_dict_pre_hook(
        lambda state, prefix, *rest: state.__setitem__("scale", torch.tensor([9.0]))
    )
    handle = net.register_load_state_dict_post_hook(
        lambda m, keys: said.append((keys.missing_keys[:], keys.unexpected_keys[:]))
    )
    net.load_state_dict({**state, "b": torch.ones(1)}, strict=False)
    log("scale", net.scale)
    handle.remove()
    net.register_load_state_dict_post_hook(lambda m, keys: keys.unexpected_keys.clear())
    log.attempt("cleared", lambda: repr(net.load_state_dict({**state, "b": torch.ones(1)})))
    net.register_load_state_dict_post_hook(lambda m, keys: 3)
    log.attempt("returns", lambda: net.load_state_dict(state))
    net.register_state_dict_post_hook(lambda *args: 3)
    log.attempt("returns too", net.state_dict)
    log("said", said)


def paths(torch, log):
    net = torch.nn.Sequential(OrderedDict(a=_net(torch), b=torch.nn.ReLU()))
    log("module", repr(net.get_submodule("a.fc2")))
    log("itself", net.get_submodule("") is net)
    log("parameter", net.get_parameter("a.fc1.bias"))
    log("buffer", net.get_buffer("a.shift"))
    for what in ("c", "a.fc9", "a.scale", "a.fc1.weight.x"):
        log.attempt(f"module {what}", lambda what=what: repr(net.get_submodule(what)))
    for what in ("a.nothing", "a.shift", "a.fc1", "c.d"):
        log.attempt(f"parameter {what}", lambda what=what: net.get_parameter(what))
    for what in ("a.nothing", "a.scale", "a.fc1"):
        log.attempt(f"buffer {what}", lambda what=what: net.get_buffer(what))
    net.set_submodule("a.act", torch.nn.ReLU())
    net.set_submodule("a.more", torch.nn.ReLU())
    log("set", repr(net))
    log.attempt("no name", lambda: net.set_submodule("", torch.nn.ReLU()))
    log.attempt("no module", lambda: net.set_submodule("a", 3))
    log.attempt("strict", lambda: net.set_submodule("z", torch.nn.ReLU(), strict=True))
    log.attempt("a parameter", lambda: net.set_submodule("a.scale", torch.nn.ReLU()))


def what_all_parts_do(torch, log):
    net = _net(torch)
    weight = net.fc1.weight
    net(_x(torch)).sum().backward()
    grad = weight.grad
    log("double", net.double() is net)
    log("weight", net.fc1.weight)
    log("the same", (net.fc1.weight is weight, weight.grad is grad))
    log("grad", weight.grad.dtype)
    log("count", net.count)
    log("to", net.to(torch.float32).fc1.weight.dtype)
    log("like", net.to(torch.ones(1, dtype=torch.float64)).fc1.weight.dtype)
    log("device", net.to("cpu").fc1.weight.dtype)
    log("both", net.to("cpu", torch.float16).shift)
    log.attempt("integers", lambda: net.to(torch.int64))
    log("float", net.float().shift.dtype)
    log("half", net.half().shift.dtype)
    log("type", net.type(torch.float64).count)
    log("train", (net.training, net.eval().training, net.act.training, net.train().training))
    log.attempt("mode", lambda: net.train(1))
    log("frozen", [p.requires_grad for p in net.requires_grad_(False).parameters()])
    seen = []
    log("apply", net.apply(lambda m: seen.append(type(m).__name__)) is net)
    log("seen", seen)
    log("cpu", net.cpu() is net)


def copies(torch, log):
    net = _net(torch)
    net(_x(torch)).sum().backward()
    other = copy.deepcopy(net)
    log("y", torch.equal(net(_x(torch)), other(_x(torch))))
    log("shares", other.fc1.weight is net.fc1.weight)
    log("state", list(other.state_dict()))
    with torch.no_grad():
        other.scale.fill_(5.0)
    log("scale", net.scale)
    flat = copy.copy(net)
    log("flat", flat.fc1 is net.fc1)
    flat.extra = torch.nn.ReLU()
    log("flat shares the table", "extra" in net._modules)
    kept = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU()).double()
    back = pickle.loads(pickle.dumps(kept))
    log("pickled", repr(back))
    log("values", torch.equal(back[0].weight, kept[0].weight))
    tied = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
    tied[1].weight = tied[0].weight
    for label, made in (
        ("deepcopy", copy.deepcopy(tied)),
        ("pickle", pickle.loads(pickle.dumps(tied))),
    ):
        log(f"tied by {label}", made[1].weight is made[0].weight)


def text(torch, log):
    class Extra(torch.nn.Module):
        def __init__(self, lines, inside):
            super().__init__()
            self.lines = lines
            if inside:
                self.inner = torch.nn.ReLU()

        def extra_repr(self):
            return self.lines

    for lines in ("", "one", "one\ntwo"):
        for inside in (False, True):
            log(f"{lines!r} {inside}", repr(torch.nn.Sequential(Extra(lines, inside))))
    net = torch.nn.Sequential(torch.nn.ReLU())
    for name in (
        "parameters", "named_parameters", "buffers", "named_buffers", "children",
        "named_children", "modules", "named_modules",
    ):  # fmt: skip
        log(name, repr(getattr(net, name)()).split(" at ")[0])
        log(f"method {name}", repr(getattr(net, name)).split(" of ")[0])
    log("method", repr(net.state_dict).split(" of ")[0])
    log("numbers of NumPy's", repr(torch.nn.Linear(np.array([2, 3]).prod(), np.int64(1))))


def what_subclasses_use(torch, log):
    """Names that begin with an underscore, which programs nevertheless derive layers with."""
    nn, utils = torch.nn, torch.nn.modules.utils
    bases = {
        "conv": nn.modules.conv._ConvNd, "transposed": nn.modules.conv._ConvTransposeNd,
        "norm": nn.modules.batchnorm._NormBase, "batch": nn.modules.batchnorm._BatchNorm,
        "instance": nn.modules.instancenorm._InstanceNorm,
        "dropout": nn.modules.dropout._DropoutNd, "loss": nn.modules.loss._Loss,
        "weighted": nn.modules.loss._WeightedLoss,
    }  # fmt: skip
    for layer in (
        nn.Conv1d(1, 1, 1), nn.ConvTranspose3d(1, 1, 1), nn.BatchNorm2d(1), nn.InstanceNorm1d(1),
        nn.Dropout2d(), nn.MSELoss(), nn.CrossEntropyLoss(), nn.BCEWithLogitsLoss(),
        nn.Linear(1, 1),
    ):  # fmt: skip
        log(type(layer).__name__, [name for name, base in bases.items() if isinstance(layer, base)])
    log("tuples", (utils._single(3), utils._pair([1, 2]), utils._triple("abc")))
    log("ntuple", (utils._ntuple(5)(1.5), utils._pair.__name__))
    log("reversed", utils._reverse_repeat_tuple((1, 2), 2))
    net = nn.Sequential(nn.Linear(2, 1), nn.BatchNorm1d(1))
    outer = nn.Module()
    outer.module = net
    state = outer.state_dict()
    utils.consume_prefix_in_state_dict_if_present(state, "module.")
    log("keys", (list(state), sorted(state._metadata)))
    log("loaded", net.load_state_dict(state))

    class Standardised(nn.Conv2d):
        def forward(self, x):
            w = self.weight - self.weight.mean((1, 2, 3), keepdim=True)
            return self._conv_forward(x, w, self.bias)

    layer = Standardised(1, 2, 2, padding=1, padding_mode="reflect")
    with torch.no_grad():
        layer.weight.copy_(torch.arange(8.0).reshape(2, 1, 2, 2))
        layer.bias.fill_(0.5)
    log("convolved", layer(torch.arange(9.0).reshape(1, 1, 3, 3)))


def a_network_for_several_gpus(torch, log):
    layer = torch.nn.Linear(2, 1)
    net = torch.nn.DataParallel(layer, device_ids=[0, 1], dim=0)
    log("text", repr(net))
    log("module", net.module is layer)
    log("device_ids", net.device_ids)
    log("state", list(net.state_dict()))
    log("same", torch.equal(net(torch.ones(3, 2)), layer(input=torch.ones(3, 2))))
    log("by keyword", net(input=torch.ones(3, 2)).shape)


def memory_of_its_own(torch, log):
    net = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.BatchNorm1d(1))
    weight, before = net[0].weight, net[0].weight.data_ptr()
    log("itself", (net.to_empty(device="cpu") is net, net[0].weight is weight))
    log("moved", net[0].weight.data_ptr() != before)
    log("kinds", {k: (tuple(x.shape), x.dtype) for k, x in net.state_dict().items()})
    log("gradient", (net[0].weight.requires_grad, net[1].running_mean.requires_grad))
    log("not inside", net.to_empty(device="cpu", recurse=False) is net)
