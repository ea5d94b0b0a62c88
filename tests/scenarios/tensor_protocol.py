"""What a tensor answers to: sizes, conversions, iteration, comparison, Python's protocols."""

import copy
import operator

from ._harness import each


def shape_attributes(torch, log):
    for label, t in {
        "0-d": torch.tensor(1.0),
        "vector": torch.ones(3),
        "matrix": torch.ones(2, 3),
        "empty": torch.ones(2, 0),
    }.items():
        log(f"{label} shape", t.shape)
        log(f"{label} size()", t.size())
        log(f"{label} dim ndim", [t.dim(), t.ndim, t.ndimension()])
        log(f"{label} numel nelement", [t.numel(), t.nelement()])
        log(f"{label} torch.numel", torch.numel(t))


def size_is_a_tuple(torch, log):
    s = torch.ones(2, 3).shape
    log("equal to a tuple", s == (2, 3))
    log("isinstance", isinstance(s, tuple))
    log("class", type(s).__name__)
    log("item", s[0])
    log("last", s[-1])
    log("slice", s[1:])
    log("numel", s.numel())
    log("len", len(s))
    log("unpack", [*s])
    log("concatenated", s + (4,))  # noqa: RUF005
    log("times", s * 2)
    log("hash", hash(s) == hash((2, 3)))
    log("size(0)", torch.ones(2, 3).size(0))
    log("size(-1)", torch.ones(2, 3).size(-1))
    log("size(dim=)", torch.ones(2, 3).size(dim=1))
    log("equal", torch.ones(2, 3).size() == torch.Size([2, 3]))
    log("repr", repr(s))


def transposes(torch, log):
    x = torch.arange(6.0).reshape(2, 3)
    log("T", x.T)
    log("mT", x.mT)
    log("t()", x.t())
    log("H", x.H)
    log("t() of a vector", torch.arange(3.0).t())
    log("mT of three axes", torch.arange(8.0).reshape(2, 2, 2).mT)
    with log.raises("mT of a vector"):
        torch.arange(3.0).mT  # noqa: B018
    with log.warns("T of three axes"):
        log("T of three axes value", torch.arange(8.0).reshape(2, 2, 2).T)
    with log.warns("T of a vector"):
        log("T of a vector value", torch.arange(3.0).T)


@each(dtype=["float16", "float32", "float64", "int64", "uint8", "bool", "complex64", "complex128"])
def item_and_tolist(torch, log, dtype):
    kind = getattr(torch, dtype)
    log("item of 0-d", torch.tensor(1, dtype=kind).item())
    log("item of one element", torch.tensor([[1]], dtype=kind).item())
    log("tolist of 0-d", torch.tensor(1, dtype=kind).tolist())
    log("tolist", torch.tensor([[0, 1], [1, 0]], dtype=kind).tolist())
    log("tolist of nothing", torch.zeros(0, dtype=kind).tolist())
    log("tolist of empty rows", torch.zeros(2, 0, dtype=kind).tolist())


def item_of_a_tensor_with_grad(torch, log):
    x = torch.tensor(2.5, requires_grad=True)
    log("item", x.item())
    log("of a function", (x * 2).item())
    log("tolist", (x * torch.ones(2)).tolist())
    log("float32 rounding shows", torch.tensor(0.1).item())


def conversions_to_python_numbers(torch, log):
    x = torch.tensor([2.75])
    log("float", float(x))
    log("int", int(x))
    log("bool", bool(x))
    log("complex", complex(x))
    log("float of int", float(torch.tensor(3)))
    log("int of negative", int(torch.tensor(-2.75)))
    log("index", range(5)[torch.tensor(2)])
    log("operator.index", operator.index(torch.tensor([3])))
    log("list index", ["a", "b"][torch.tensor(1)])
    log.attempt("round", lambda: round(torch.tensor(2.71828), 2))
    log.attempt("round to whole", lambda: round(torch.tensor(2.5)))
    log("abs", abs(torch.tensor(-2.5)))
    log.attempt("divmod", lambda: divmod(torch.tensor(7), torch.tensor(2)))
    with log.raises("index of a bool list"):
        operator.index(torch.tensor([1, 2]))


def conversion_of_a_tensor_with_grad_warns(torch, log):
    x = torch.tensor(2.5, requires_grad=True)
    with log.warns("float"):
        log("float value", float(x))
    with log.warns("int"):
        log("int value", int(x))
    with log.warns("bool"):
        log("bool value", bool(x))
    with log.warns("item"):
        log("item value", x.item())


def truth(torch, log):
    log("zero", bool(torch.tensor(0.0)))
    log("nan", bool(torch.tensor(float("nan"))))
    log("False", bool(torch.tensor([[False]])))
    log("complex", bool(torch.tensor(1j)))
    log.attempt("empty", lambda: bool(torch.zeros(0)))
    log.attempt("two", lambda: bool(torch.ones(2)))
    log("if", "yes" if torch.tensor(1.0) > 0 else "no")
    log("not", not torch.tensor(0))
    log("and", (torch.tensor(0.0) and torch.tensor(2.0)).item())


def iteration(torch, log):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    log("rows", list(x))
    log("elements", list(x[0]))
    a, b = x
    log("unpacked", [a, b])
    log("len", len(x))
    log("of nothing", list(torch.zeros(0, 2)))
    log("reversed", list(reversed(torch.tensor([1, 2, 3]))))
    log("enumerate", [[i, t.item()] for i, t in enumerate(torch.tensor([5, 6]))])
    log("zip", [[p.item(), q.item()] for p, q in zip(x[0], x[1], strict=True)])
    log("sum()", sum(x[0]))
    log("max()", max(torch.tensor([1.0, 3.0, 2.0])))
    log("sorted()", sorted(torch.tensor([3, 1, 2])))
    sum(t.sum() * (i + 1) for i, t in enumerate(x)).backward()
    log("grad", x.grad)


def contains(torch, log):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    log("number", 3.0 in x)
    log("missing", 5 in x)
    log("tensor", torch.tensor(2.0) in x)
    log("row", torch.tensor([1.0, 2.0]) in x)
    log("integer", 1 in torch.tensor([1, 2]))
    with log.raises("string"):
        "a" in x  # noqa: B015 - whether it raises is what is looked at
    with log.raises("None"):
        None in x  # noqa: B015


@each(op=["lt", "le", "gt", "ge", "eq", "ne"])
def comparisons(torch, log, op):
    compare = getattr(operator, op)
    x = torch.tensor([1.0, 2.0, float("nan")], requires_grad=True)
    log("tensor", compare(x, torch.tensor([2.0, 2.0, 2.0])))
    log("scalar", compare(x, 2))
    log("scalar first", compare(2, x))
    log("broadcast", compare(x, torch.tensor([[1.0], [2.0]])))
    log("integers", compare(torch.tensor([1, 2, 3]), 2.5))
    log("method", getattr(x, op)(2))
    log("function", getattr(torch, op)(x, torch.tensor(1.0)))


def equality_with_other_things(torch, log):
    x = torch.tensor([1.0, 2.0])
    log.attempt("None", lambda: x == None)  # noqa: E711 - the comparison is what is looked at
    log.attempt("not None", lambda: x != None)  # noqa: E711
    log.attempt("string", lambda: x == "a")
    log.attempt("list", lambda: x == [1.0, 2.0])
    log.attempt("object", lambda: x == object())
    log("equal()", x.equal(torch.tensor([1.0, 2.0])))
    log("torch.equal of shapes", torch.equal(x, torch.ones(3)))
    log("allclose", torch.allclose(x, x + 1e-9))
    log("isclose", torch.isclose(x, torch.tensor([1.0, 2.1])))


def hashing(torch, log):
    x, y = torch.tensor([1.0]), torch.tensor([1.0])
    log("set", len({x, y, x}))
    log("dict", {x: "x", y: "y"}[y])
    log("hash is stable", hash(x) == hash(x))
    log("hash is id", hash(x) == id(x))


def operators(torch, log):
    x = torch.tensor([7.0, -7.0], requires_grad=True)
    for name, value in {
        "pos": +x,
        "neg": -x,
        "abs": abs(x),
        "add": x + 2,
        "radd": 2 + x,
        "sub": x - 2,
        "rsub": 2 - x,
        "mul": x * 2,
        "rmul": 2 * x,
        "truediv": x / 2,
        "rtruediv": 2 / x,
        "floordiv": x // 2,
        "rfloordiv": 2 // x,
        "mod": x % 2,
        "rmod": 2 % x,
        "pow": x**2,
        "rpow": 2**x,
        "matmul": x @ x,
    }.items():
        log(name, value)


def positive_returns_itself(torch, log):
    x = torch.tensor([1.0])
    log("+x is x", +x is x)


def augmented_assignment_out_of_grad(torch, log):
    x = torch.tensor([8.0, 4.0])
    y = x
    x += 1
    x -= 2
    x *= 3
    x /= 2
    x **= 2
    x //= 2
    x %= 5
    log("x", x)
    log("same object", x is y)
    b = torch.tensor([True, False])
    b &= True
    b |= torch.tensor([False, True])
    log("b", b)


def indexing(torch, log):
    x = torch.arange(24.0).reshape(2, 3, 4)
    log("int", x[1])
    log("negative", x[-1, -1, -1])
    log("slices", x[:, 1:, ::2])
    log("ellipsis", x[..., 0])
    log("None", x[:, None, 0].shape)
    log("0-d tensor", x[torch.tensor(1)].shape)
    log("list", x[0, [0, 2]])
    log("tensors", x[torch.tensor([0, 1]), torch.tensor([2, 0])])
    log("outer", x[torch.tensor([[0], [1]]), torch.tensor([2, 0])])
    log("mask", x[x > 20])
    log("row mask", x[torch.tensor([True, False])].shape)
    log("separated advanced", x[torch.tensor([0, 1]), :, torch.tensor([0, 3])])
    log("True", x[True].shape)
    log("empty list", x[[]].shape)
    log("range", x[0, range(2)].shape)
    log("out of bounds slice", x[0:100, 5:].shape)
    log("tuple", x[(0, 1)])
    log("0-d with ellipsis", torch.tensor(5.0)[...])
    log("0-d with nothing", torch.tensor(5.0)[()])
    log("0-d with None", torch.tensor(5.0)[None])
    log("0-d with a mask", torch.tensor(5.0)[torch.tensor(True)])


def views_share_memory(torch, log):
    x = torch.arange(6.0)
    v = x.view(2, 3)
    v[0, 0] = 100.0
    x[5] = 50.0
    x.t()[1] = 7.0
    log("x", x)
    log("v", v)
    e = torch.tensor([1.0]).expand(3)
    log("expanded", e)
    log("is_contiguous", [x.is_contiguous(), v.t().is_contiguous(), e.is_contiguous()])
    log("stride", [v.stride(), v.t().stride(), e.stride()])
    log("same memory", x.data_ptr() == v.data_ptr())


def copies(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    d = copy.deepcopy(x)
    log("deepcopy", d)
    log("deepcopy of grad", d.grad)
    log("grad is another", d.grad is x.grad)
    d.data[0] = 9.0
    log("x", x)
    c = copy.copy(x)
    log("copy", c)
    with log.raises("deepcopy of a function"):
        copy.deepcopy(x * 2)
    log("deepcopy of a detached function", copy.deepcopy((x * 2).detach()))


def type_queries(torch, log):
    x = torch.tensor([1.0])
    log("is_tensor", torch.is_tensor(x))
    log("is_tensor of a list", torch.is_tensor([1.0]))
    log("is_floating_point", [x.is_floating_point(), torch.is_floating_point(x.long())])
    log("is_complex", [x.is_complex(), torch.is_complex(x.cfloat())])
    log("isinstance", isinstance(x, torch.Tensor))
    log("isinstance of a float kind", isinstance(x, torch.FloatTensor))
    log("type name", type(x).__name__)
    log("type()", x.type())
    log("element_size", x.element_size())
    log("device", str(x.device))
    log("layout", str(x.layout))


def attributes_may_be_added(torch, log):
    x = torch.tensor([1.0])
    x.note = "kept"
    log("note", x.note)
    log("not on a view", hasattr(x.view(1), "note"))


def named_results(torch, log):
    x = torch.tensor([[1.0, 3.0], [4.0, 2.0]], requires_grad=True)
    r = x.max(1)
    log("values", r.values)
    log("indices", r.indices)
    log("unpack", list(x.min(0)))
    log("length", len(r))
    log("class is a tuple", isinstance(r, tuple))
    log("sort", list(x.sort(1, descending=True)))
    log("topk", list(x.topk(1)))


def function_forms_agree_with_methods(torch, log):
    x = torch.tensor([1.5, -2.5, 0.5])
    for name in ("sum", "mean", "abs", "exp", "sin", "neg", "sign", "square", "max", "argmax"):
        log(name, torch.equal(getattr(torch, name)(x), getattr(x, name)()))


def keyword_names(torch, log):
    x = torch.arange(6.0).reshape(2, 3)
    log("dim", x.sum(dim=1))
    log("axis", x.sum(axis=1))
    log("keepdim", x.sum(dim=1, keepdim=True))
    log("dims", x.mean(dim=(0, 1)))
    log("input", torch.sum(input=x, dim=0))
    log("other", torch.mul(x, other=x))
    log("exponent", torch.pow(x, exponent=2))
    log("alpha", torch.add(x, x, alpha=2))
    log("correction", x.var(dim=1, correction=0))
    log("unbiased", x.var(unbiased=False))


def out_keyword(torch, log):
    x = torch.arange(6.0).reshape(2, 3)
    log("out", torch.add(x, x, out=torch.empty(2, 3)))


@each(name=["T", "mT", "H", "mH"], dtype=["float32", "complex64"])
def transposes_of_a_scalar(torch, log, name, dtype):
    x = torch.tensor(1.0, dtype=getattr(torch, dtype), requires_grad=True)
    y = x * 2
    with log.warns("warns"):
        log("value", getattr(y, name))
    with log.warns("warns again"):
        log("itself", getattr(y, name) is y)
