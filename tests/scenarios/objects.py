"""Tensors as Python objects: identity, conversions, attributes and their rules, parameters."""

import gc
import math
import operator
import weakref

import numpy as np

from ._harness import differs, each


def identity_in_containers(torch, log):
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0])
    log("in a list of itself", x in [x])
    log.attempt("in a list of another", lambda: y in [x])
    log("0-d in a list", torch.tensor(1.0) in [torch.tensor(2.0), torch.tensor(1.0)])
    log("0-d index", [torch.tensor(2.0), torch.tensor(1.0)].index(torch.tensor(1.0)))
    log.attempt("index", lambda: [x, y].index(y))
    log("equal lists", [x] == [x])
    log.attempt("lists of others", lambda: [x] == [y])
    log("set", len({x, y, x}))
    log("dict", {x: "x", y: "y"}[y])
    log.attempt("missing key", lambda: {x: 1}.get(y))
    log("hash of the object", hash(x) == id(x))
    x.add_(1.0)
    log("hash after a change", hash(x) == id(x))
    log("None among them", None in [x, None])


def equality_is_elementwise(torch, log):
    x = torch.tensor([1.0, float("nan"), 3.0])
    log("eq", x == torch.tensor([1.0, float("nan"), 4.0]))
    log("ne", x != 1)
    log("with None", x == None)  # noqa: E711 - the comparison is what is looked at
    log("with a string", x == "a")
    log.attempt("other sizes", lambda: x == torch.ones(2))
    log("broadcast", x == torch.ones(2, 1))
    log("of an integer and a float", torch.tensor(1) == torch.tensor(1.0))


_VALUES = {
    "float": lambda torch: torch.tensor(1.5),
    "nan": lambda torch: torch.tensor(float("nan")),
    "inf": lambda torch: torch.tensor(float("inf")),
    "negative": lambda torch: torch.tensor(-2.7),
    "integer": lambda torch: torch.tensor(2),
    "bool": lambda torch: torch.tensor(True),
    "complex": lambda torch: torch.tensor(1 + 2j),
    "real complex": lambda torch: torch.tensor(1 + 0j),
    "one": lambda torch: torch.tensor([1.0]),
    "one integer": lambda torch: torch.tensor([[1]]),
    "two": lambda torch: torch.ones(2),
    "none": lambda torch: torch.zeros(0),
    "uint8": lambda torch: torch.tensor(200, dtype=torch.uint8),
    "half": lambda torch: torch.tensor(0.1, dtype=torch.float16),
    "large": lambda torch: torch.tensor(1e30, dtype=torch.float64),
}


@each(
    convert=[
        ("float", float),
        ("int", int),
        ("complex", complex),
        ("bool", bool),
        ("index", operator.index),
        ("item", lambda x: x.item()),
        ("list index", lambda x: list(range(300))[x]),
        ("math.floor", math.floor),
        ("math.sqrt", lambda x: math.sqrt(abs(x))),
        ("round", lambda x: round(float(x), 1)),
    ]
)
def conversion(torch, log, convert):
    for label, make in _VALUES.items():
        log.attempt(label, lambda make=make: convert[1](make(torch)))


def conversion_of_what_requires_grad(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    for label, f in (
        ("float", float), ("int", int), ("bool", bool), ("item", lambda x: x.item()),
        ("tolist", lambda x: x.tolist()), ("format", lambda x: f"{x:.1f}"), ("str", str),
    ):  # fmt: skip
        with log.warns(f"warnings of {label}"):
            log(label, f(x))
    with log.warns("detached"):
        log("value", float(x.detach()))
    with log.warns("of a result"):
        log("result", (x * 2).item())
    with torch.no_grad(), log.warns("under no_grad"):
        log("no_grad", x.item())


def places_that_want_an_integer(torch, log):
    n = torch.tensor(3)
    log("range", list(range(n)))
    log("list times", [1] * n)
    log("hex", hex(n))
    log("chr", chr(torch.tensor(65)))
    log("slice", "abcdef"[torch.tensor(1) : n])
    log("bytes", bytes(n).hex())
    log("percent", f"{int(n):d}" + "%d" % n)  # noqa: UP031 - what the operator asks for
    log.attempt("float as an index", lambda: [1, 2][torch.tensor(1.0)])
    log.attempt("vector as an index", lambda: [1, 2][torch.tensor([0, 1])])
    log("np.arange", np.arange(int(n)))


def iteration_rules(torch, log):
    log.attempt("0-d list", lambda: list(torch.tensor(1.0)))
    log.attempt("0-d iter", lambda: iter(torch.tensor(1.0)))
    log.attempt("0-d len", lambda: len(torch.tensor(1.0)))
    log.attempt("0-d unpacked", lambda: [*torch.tensor(1.0)])
    log("empty", list(torch.zeros(0, 3)))
    log("rows of nothing", list(torch.zeros(2, 0)))
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    log("rows", list(x))
    log("any", any(t > 3 for t in x[1]))
    log("map", list(map(float, x[0].detach())))
    log("reversed", list(reversed(x)))
    log("dict of rows", len(dict(enumerate(x))))
    (a, b), c = x
    log("nested unpacking", [a, b, c])
    (a * b + c.sum()).backward()
    log("grad", x.grad)
    log.attempt("too many", lambda: (lambda a: a)(*torch.ones(2)))


def membership(torch, log):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    log("number", 3 in x)
    log("bool", True in x)
    log("nan", float("nan") in torch.tensor([float("nan")]))
    log("0-d", torch.tensor(4.0) in x)
    log("row", torch.tensor([3.0, 0.0]) in x)
    log.attempt("other sizes", lambda: torch.ones(3) in x)
    log("complex", 1j in torch.tensor([1j]))
    log("empty", 1.0 in torch.zeros(0))
    for label, value in (("string", "a"), ("None", None), ("list", [1.0]), ("type", float)):
        log.attempt(label, lambda value=value: value in x)


def formatting(torch, log):
    x = torch.tensor(2.5)
    log("plain", f"{x}")
    log("fixed", f"{x:.2f}")
    log("wide", f"{torch.tensor(3):>5}|{torch.tensor(3):05d}")
    log("bool", f"{torch.tensor(True)}")
    log("complex", f"{torch.tensor(1 + 2j)}")
    log("vector", f"{torch.tensor([1.0, 2.0])}")
    log("one element", f"{torch.tensor([1.0])}")
    log("with grad", f"{torch.tensor(2.5, requires_grad=True)}")
    log("repr in f-string", f"{x!r}")
    log("format()", format(x, ".3e"))
    log("percent", "%s %.1f" % (x, x))  # noqa: UP031
    for label, t in (("vector", torch.ones(2)), ("one element", torch.ones(1))):
        log.attempt(f"fixed {label}", lambda t=t: f"{t:.2f}")
    log.attempt("wrong code", lambda: f"{x:d}")


def attributes_of_instances(torch, log):
    x = torch.tensor([1.0, 2.0])
    x.note = "a"
    log("get", x.note)
    del x.note
    log("deleted", hasattr(x, "note"))
    log.attempt("missing", lambda: x.nothing)
    x.kept = []
    log("same object", x.kept is x.kept)
    log("in dir", "kept" in dir(x) and "add" in dir(x) and "grad" in dir(x))
    log("not on results", hasattr(x + 1, "kept") or hasattr(x[0], "kept"))
    x.add_(1.0)
    log("after a change", hasattr(x, "kept"))
    log("default", getattr(x, "other", 3))
    log.attempt("call", lambda: x())
    log.attempt("deleted item", lambda: operator.delitem(x, 0))


@each(name=["shape", "dtype", "grad_fn", "is_leaf", "device", "ndim", "T", "retains_grad"])
def attributes_that_are_fixed(torch, log, name):
    x = torch.tensor([1.0])
    try:
        setattr(x, name, None)
    except Exception as error:
        log("raises", type(error).__name__)


@each(name=["data", "requires_grad", "grad", "grad_fn", "shape"])
def attributes_that_are_deleted(torch, log, name):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.sum().backward()
    log.attempt("deleted", lambda: delattr(x, name), words=name in ("data", "requires_grad"))
    log("grad", x.grad)
    log("x", x)


def weak_references(torch, log):
    x = torch.tensor([1.0], requires_grad=True)
    ref = weakref.ref(x)
    log("alive", ref() is x)
    table = weakref.WeakValueDictionary({"x": x})
    log("in a table", table["x"] is x)
    called = []
    weakref.finalize(x, called.append, 1)
    del x
    log("gone", ref() is None)
    log("finalised", called)
    log("table is empty", len(table))


def memory_is_freed_without_the_collector(torch, log):
    gc.collect()
    gc.disable()
    try:
        x = torch.ones(3, requires_grad=True)
        y = x * 2
        z = (y * y).sum()
        refs = [weakref.ref(t) for t in (x, y, z)]
        z.backward()
        g = weakref.ref(x.grad)
        del x, y, z
        log("graph", [r() is None for r in refs])
        log("gradient", g() is None)
        x = torch.ones(2, requires_grad=True)
        x.register_hook(lambda grad: grad)
        (x[0] * x.exp()).sum().backward()
        r = weakref.ref(x)
        del x
        log("with a hook", r() is None)
        x = torch.ones(2, requires_grad=True)
        v = x.view(2).detach()[0]
        v.add_(1)
        r = weakref.ref(v)
        del v
        log("a view", r() is None)
        log("its base", x)
    finally:
        gc.enable()


@differs("a graph does not keep leaves alive that nobody holds", {"leaf is there": False})
def a_leaf_that_nobody_holds(torch, log):
    y = torch.ones(2, requires_grad=True) * 3
    log("leaf is there", y.grad_fn.next_functions[0][0].variable is not None)
    y.sum().backward()


def grad_assignment(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    log("at first", x.grad)
    g = torch.tensor([3.0, 4.0])
    x.grad = g
    log("same object", x.grad is g)
    x.sum().backward()
    log("added in place", g)
    x.grad = None
    log("None", x.grad)
    x.grad = g
    del x.grad
    log("deleted", x.grad)
    for label, value in (
        ("number", 1.0), ("list", [1.0, 2.0]), ("array", np.ones(2, np.float32)),
        ("other size", torch.ones(3)), ("0-d", torch.tensor(1.0)),
        ("other dtype", torch.ones(2, dtype=torch.float64)),
        ("integers", torch.ones(2, dtype=torch.int64)), ("itself", x),
    ):  # fmt: skip
        with log.raises(label):
            x.grad = value
    log("left as it was", x.grad)
    x.grad = torch.ones(2, requires_grad=True) * 2
    log("with history", x.grad)


def grad_of_what_needs_none(torch, log):
    x = torch.tensor([1.0])
    log("plain", x.grad)
    x.grad = torch.tensor([2.0])
    log("assigned", x.grad)
    i = torch.tensor([1])
    with log.raises("integers, float"):
        i.grad = torch.tensor([1.0])
    i.grad = torch.tensor([5])
    log("integers", i.grad)


def grad_of_a_result_warns(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    with log.warns("read"):
        log("grad", y.grad)
    y.sum().backward()
    with log.warns("after backward"):
        log("still", y.grad)
    with log.warns("assigned"):
        y.grad = torch.ones(2)
    with log.warns("then read"):
        log("it", y.grad)
    z = x * 3
    z.retain_grad()
    with log.warns("retained"):
        log("before", z.grad)
    with log.warns("without requires_grad"):
        log("detached", (x * 2).detach().grad)


def data_assignment(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    value = torch.tensor([5.0, 6.0])
    x.data = value
    log("tensor", x)
    log("shares memory", x.data_ptr() == value.data_ptr())
    log("is a leaf", x.is_leaf)
    x.data = torch.ones(3)
    log("other shape", x)
    (x * x).sum().backward()
    log("grad", x.grad)
    y = torch.ones(2)
    y.data = torch.tensor([1, 2])
    log("other dtype", y)
    y.data = torch.ones(2, requires_grad=True)
    log("of one that requires grad", y)
    with log.raises("integers"):
        x.data = torch.tensor([1, 2])
    with log.raises("number"):
        x.data = 3.0
    with log.raises("list"):
        x.data = [1.0]
    with log.raises("array"):
        x.data = np.ones(2)
    log("data of data", x.data.data)
    log("another object each time", x.data is x.data)
    log("version", torch.ones(1).data._version)


def requires_grad_rules(torch, log):
    x = torch.ones(2)
    for label, value in (("1", 1), ("None", None), ("0-d", torch.tensor(True))):
        with log.raises(label):
            x.requires_grad = value
    x.requires_grad = True
    log("set", x)
    x.requires_grad = False
    log("unset", x)
    i = torch.tensor([1])
    with log.raises("integers"):
        i.requires_grad = True
    i.requires_grad = False
    log("integers without", i.requires_grad)
    with log.raises("bool"):
        torch.tensor([True]).requires_grad_()
    log("complex", torch.tensor([1j]).requires_grad_().requires_grad)
    y = torch.ones(2, requires_grad=True) * 2
    with log.raises("result, False"):
        y.requires_grad = False
    with log.raises("result, True"):
        y.requires_grad = True
    with log.raises("result, method, False"):
        y.requires_grad_(False)
    log("result, method, True", y.requires_grad_(True))
    with log.raises("method, None"):
        x.requires_grad_(None)
    with log.raises("method, 1"):
        x.requires_grad_(1)
    log("detached", y.detach().requires_grad_().is_leaf)


def requires_grad_after_use(torch, log):
    x = torch.tensor([1.0, 2.0])
    y = x * 2
    x.requires_grad_()
    log("earlier result", y.requires_grad)
    z = (x * 3).sum()
    x.requires_grad_(False)
    log("unset", x.requires_grad)
    z.backward()
    log("grad", x.grad)


def questions(torch, log):
    x = torch.ones(2, 3)
    for name in ("is_cuda", "is_sparse", "is_quantized", "is_meta", "is_leaf", "requires_grad",
                 "retains_grad", "ndim", "itemsize", "nbytes", "output_nr"):  # fmt: skip
        log(name, getattr(x, name))
    for name in ("is_shared", "is_pinned", "is_contiguous", "is_complex", "is_floating_point",
                 "is_signed", "numel", "dim", "element_size", "get_device"):  # fmt: skip
        log(f"{name}()", getattr(x, name)())


def type_conversions(torch, log):
    x = torch.tensor([1.5, 2.5])
    log("name", x.type())
    log("dtype", x.type(torch.float64))
    log("string", x.type("torch.IntTensor"))
    log("old type", x.type(torch.DoubleTensor))
    log("same", x.type(torch.float32) is x)
    log("type_as", x.type_as(torch.tensor([1])))
    with log.raises("other string"):
        x.type("float")
    with log.raises("number"):
        x.type(3)
    log("isinstance", [isinstance(x, torch.FloatTensor), isinstance(x, torch.DoubleTensor)])


def arrays_of_a_tensor(torch, log):
    x = torch.tensor([1.0, 2.0])
    a = np.asarray(x)
    log("asarray", a)
    log("shares memory", np.shares_memory(a, x.numpy()))
    log("array copies", np.shares_memory(np.array(x), x.numpy()))
    log("converted", np.asarray(x, dtype=np.int32))
    log.attempt("no copy", lambda: np.asarray(x, dtype=np.float64, copy=False))
    log("0-d", np.asarray(torch.tensor(2.0)))
    log("empty", np.asarray(torch.zeros(0, 2)))
    log("method", x.__array__(np.float64))
    y = torch.ones(2, requires_grad=True)
    with log.raises("requires grad"):
        np.asarray(y)
    log("forced", y.numpy(force=True))
    with log.raises("numpy()"):
        y.numpy()
    log("detached", y.detach().numpy())
    a[0] = 9.0
    log("seen", x)


def parameters(torch, log):
    data = torch.tensor([1.0, 2.0])
    p = torch.nn.Parameter(data)
    log("text", repr(p))
    log("shares memory", p.data_ptr() == data.data_ptr())
    log("is a leaf", p.is_leaf)
    log("isinstance", [isinstance(p, torch.Tensor), isinstance(data, torch.nn.Parameter)])
    log("a result is a tensor", [type(t).__name__ for t in (p * 2, p.data, p.detach(), p[0], p.T)])
    log("in place keeps it", type(p.requires_grad_()).__name__)
    (p * p).sum().backward()
    log("grad", p.grad)
    log("class of grad", type(p.grad).__name__)
    log("without", repr(torch.nn.Parameter(data, requires_grad=False)))
    log("nothing", repr(torch.nn.Parameter()))
    log("keyword", repr(torch.nn.Parameter(data=torch.zeros(1))))
    log("in a list", repr([p]))
    log("formatted", f"{p}")
    log("of a result", torch.nn.Parameter(p * 2).is_leaf)
    log("of a parameter", torch.nn.Parameter(p) is p)
    with log.raises("integers"):
        torch.nn.Parameter(torch.tensor([1]))
    log("integers without", repr(torch.nn.Parameter(torch.tensor([1]), requires_grad=False)))
    with log.raises("list"):
        torch.nn.Parameter([1.0])


def parameters_in_operations(torch, log):
    p = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    x = torch.tensor([3.0, 4.0])
    for label, y in {
        "x * p": x * p, "p * x": p * x, "p + 1": p + 1, "1 - p": 1 - p, "p @ x": p @ x,
        "x @ p": x @ p, "x < p": x < p, "sin": p.sin(), "function": torch.mul(x, p),
        "cat": torch.cat([x, p]), "where": torch.where(x > 3, p, x), "x / p": x / p,
        "p ** p": p**p, "index": p[1:], "sum": sum(p), "linear": torch.nn.functional.linear(x, p),
    }.items():  # fmt: skip
        log(label, y)
        log(f"{label} class", type(y).__name__)
    (x * p + p.exp()).sum().backward()
    log("grad", p.grad)
    with torch.no_grad():
        p -= 0.5 * p.grad
    log("after a step", p.detach())
    log("same class", type(p).__name__)
    with log.raises("in place under record"):
        p.add_(1.0)
    log.gradient("autograd.grad", torch.autograd.grad((p * p).sum(), p)[0])


def parameters_of_a_subclass(torch, log):
    class Metres(torch.Tensor):
        pass

    class Weight(torch.nn.Parameter):
        pass

    p = torch.nn.Parameter(torch.ones(2).as_subclass(Metres))
    log("text", repr(p))
    log("class", type(p).__name__)
    log("isinstance", isinstance(p, torch.nn.Parameter))
    log("result", type(p + 1).__name__)
    log("result is one", isinstance(p + 1, torch.nn.Parameter))
    w = Weight(torch.ones(2))
    log("subclass", repr(w))
    log("its result", type(w + 1).__name__)
    log("isinstance of it", [isinstance(w, torch.nn.Parameter), isinstance(p, Weight)])


def buffers(torch, log):
    data = torch.tensor([1.0, 2.0])
    b = torch.nn.Buffer(data)
    log("text", repr(b))
    log("class", type(b).__name__)
    log("isinstance", [isinstance(b, torch.nn.Buffer), isinstance(data, torch.nn.Buffer)])
    log("persistent", [b.persistent, torch.nn.Buffer(data, persistent=False).persistent])
    log("shares memory", b.data_ptr() == data.data_ptr())
    log("requires_grad", torch.nn.Buffer(torch.ones(1, requires_grad=True)).requires_grad)
    log("a result is none", isinstance(b + 1, torch.nn.Buffer))
    log("nothing", repr(torch.nn.Buffer()))


@differs(
    "the old value is known: a parameter replaced between two uses",
    {
        "grad": {
            "tensor": [9.0], "shape": [1], "dtype": "float32", "requires_grad": False,
            "grad_fn": None,
        }
    },
)  # fmt: skip
def data_replaced_between_uses(torch, log):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * x
    x.data = torch.tensor([2.5])
    (y + x * x).sum().backward()
    log("grad", x.grad)


def views_made_under_no_grad_receive_nothing(torch, log):
    """Also where an equal graph of an ordinary leaf went before."""
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        v = x.view(2)
    w = torch.ones(2, requires_grad=True)
    for leaf in (w, v, w, v):
        (leaf * 3).sum().backward()
    log("leaf", w.grad)
    log("view", v.grad)
    log("base", x.grad)


def attributes_are_taken_over_from_another_tensor(torch, log):
    class Metres(torch.Tensor):
        pass

    x = Metres([1.0, 1.0, 1.0])
    x.note = "measured"
    y = Metres([0.0, 0.0])
    y.__dict__.update(x.__dict__)
    log("note", y.note)
    log("value", y.as_subclass(torch.Tensor))
    log("attributes", sorted(x.__dict__))
    log("of a tensor", sorted(torch.ones(2).__dict__))


def what_a_tensor_is_not(torch, log):
    x = torch.ones(2)
    for name in ("is_cpu", "is_cuda", "is_ipu", "is_maia", "is_meta", "is_mkldnn", "is_mps",
                 "is_mtia", "is_nested", "is_quantized", "is_sparse", "is_sparse_csr",
                 "is_vulkan", "is_xla", "is_xpu"):  # fmt: skip
        log(name, getattr(x, name))
    log("former module", torch.autograd.variable.Variable is torch.autograd.Variable)


def tensors_that_show_the_same_memory(torch, log):
    x = torch.ones(2, 3)
    for label, y in (("itself", x), ("detached", x.detach()), ("another shape", x.view(3, 2)),
                     ("turned", x.t()), ("a part", x[:1]), ("a copy", x.clone()),
                     ("a part of a part", x[1:].view(3))):  # fmt: skip
        log(label, (x.is_set_to(y), y.is_set_to(x)))
    log("two views", x[1].is_set_to(x[1:].view(3)))
    log.attempt("no tensor", lambda: x.is_set_to(3))


def texts_of_types(torch, log):
    x = torch.ones(2, requires_grad=True)
    log("tensor", repr(type(x)))
    log("parameter", repr(torch.nn.Parameter))
    log("set_grad_enabled", repr(torch.set_grad_enabled(True)))
    log.attempt("in a message", lambda: torch.autograd.functional.vjp(lambda x: [x], x))

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g

    log("node", repr(Double.apply(x).grad_fn).partition(" ")[0])


def homes_of_public_names(torch, log):
    autograd = torch.autograd
    for name, x in (("no_grad", torch.no_grad), ("enable_grad", torch.enable_grad),
                    ("set_grad_enabled", torch.set_grad_enabled),
                    ("inference_mode", torch.inference_mode), ("grad", autograd.grad),
                    ("backward", autograd.backward), ("Node", autograd.graph.Node),
                    ("GradientEdge", autograd.graph.GradientEdge),
                    ("Function", autograd.Function), ("Variable", autograd.Variable),
                    ("Tensor", torch.Tensor), ("Parameter", torch.nn.Parameter)):  # fmt: skip
        log(name, (x.__module__.replace("symgrad", "torch"), x.__name__))
    try:
        autograd.graph.Node()
    except TypeError as error:
        log("a node by hand", str(error).startswith("Can't instantiate abstract class Node"))
