"""Making tensors: creation functions with all keywords, tensor(), legacy constructors."""

import numpy as np

from ._harness import each

_FLOATS = ["float16", "float32", "float64", "complex64", "complex128"]
_DTYPES = [*_FLOATS, "int8", "int16", "int32", "int64", "uint8", "bool"]


@each(function=["zeros", "ones", "empty", "rand", "randn"])
def sizes(torch, log, function):
    make = getattr(torch, function)
    log("varargs", [make(2, 3).shape, make(2, 3).dtype])
    log("tuple", make((2, 3)).shape)
    log("list", make([2, 3]).shape)
    log("Size", make(torch.Size([2, 3])).shape)
    log("one", make(4).shape)
    log("none", make(()).shape)
    log("empty list", make([]).shape)
    log("zero", make(0, 3).shape)
    log("size=", make(size=(2,)).shape)
    log("NumPy integers", make(np.int64(2), np.int32(1)).shape)
    log("0-d tensor", make(torch.tensor(2), 1).shape)
    log.attempt("bool", lambda: make(True).shape)
    log("requires_grad", make(2, requires_grad=True).requires_grad)
    log("dtype", make(2, dtype=torch.float64).dtype)


@each(function=["zeros", "ones"], dtype=_DTYPES)
def zeros_and_ones_of_every_dtype(torch, log, function, dtype):
    log("value", getattr(torch, function)(2, 2, dtype=getattr(torch, dtype)))


@each(function=["zeros_like", "ones_like", "empty_like", "rand_like", "randn_like"])
def like(torch, log, function):
    make = getattr(torch, function)
    x = torch.tensor([[1.0, 2.0]], dtype=torch.float64, requires_grad=True)
    y = make(x)
    log("inherits", [y.shape, y.dtype, y.requires_grad])
    log("dtype", make(x, dtype=torch.float32).dtype)
    log("requires_grad", make(x, requires_grad=True).requires_grad)
    log("of a function", make(x * 2).requires_grad)
    log("is_leaf", make(x).is_leaf)
    log.attempt("of integers", lambda: make(torch.tensor([1, 2])).dtype)
    log.attempt("of a number", lambda: make(1.0))


def full_like(torch, log):
    x = torch.tensor([[1.0, 2.0]], dtype=torch.float64, requires_grad=True)
    log("float", torch.full_like(x, 3))
    log("integers", torch.full_like(torch.tensor([1, 2]), 3))
    log("integers with a fraction", torch.full_like(torch.tensor([1, 2]), 3.7))
    log("dtype", torch.full_like(x, 3, dtype=torch.int32))
    log("requires_grad", torch.full_like(x, 3, requires_grad=True))
    log("bool", torch.full_like(torch.tensor([True]), 0))


def full_infers_its_dtype(torch, log):
    log("float", torch.full((2,), 1.5))
    log("int", torch.full((2,), 3))
    log("bool", torch.full((2,), True))
    log("complex", torch.full((2,), 1j))
    log("dtype", torch.full((2,), 3, dtype=torch.float64))
    log("0-d", torch.full((), 2.0))
    log("list", torch.full([1, 2], 2.0))
    log("fill_value=", torch.full(size=(1,), fill_value=7.0))
    log("tensor", torch.full((2,), torch.tensor(3.5)))
    log("requires_grad", torch.full((2,), 3.0, requires_grad=True))
    torch.set_default_dtype(torch.float64)
    log("default float64", torch.full((2,), 1.5))
    log("default float64, int", torch.full((2,), 3))
    log.attempt("int requires_grad", lambda: torch.full((2,), 3, requires_grad=True))


def arange(torch, log):
    log("end", torch.arange(4))
    log("float end", torch.arange(4.0))
    log("fraction", torch.arange(2.5))
    log("start end", torch.arange(1, 4))
    log("step", torch.arange(0, 10, 3))
    log("negative step", torch.arange(3, 0, -1))
    log("float step", torch.arange(0, 1, 0.25))
    log("mixed", torch.arange(1, 2.5, 0.5))
    log("nothing", torch.arange(0))
    log("equal bounds", torch.arange(2, 2))
    log("float32", torch.arange(3, dtype=torch.float32))
    log("int32", torch.arange(3, dtype=torch.int32))
    log("requires_grad", torch.arange(3.0, requires_grad=True))
    log("int of float bounds", torch.arange(0.5, 3.5, dtype=torch.int64))
    log("tensors", torch.arange(torch.tensor(1), torch.tensor(4)))
    log("NumPy", torch.arange(np.int64(3)))
    log("NumPy float", torch.arange(np.float64(3)))
    log("keywords", torch.arange(start=1, end=6, step=2))
    with log.raises("int requires_grad"):
        torch.arange(3, requires_grad=True)
    torch.set_default_dtype(torch.float64)
    log("default float64", torch.arange(3.0))


def arange_is_exact(torch, log):
    log("tenths", torch.arange(0, 1, 0.1, dtype=torch.float64))
    log("length", len(torch.arange(0, 1, 0.1)))
    log("length from 1", len(torch.arange(1, 2, 0.1)))
    log("float32 tenths", torch.arange(0, 1, 0.1))


def linspace(torch, log):
    log("five", torch.linspace(0, 1, 5))
    log("steps=", torch.linspace(-1, 1, steps=3))
    log("integers", torch.linspace(1, 3, 3))
    log("one", torch.linspace(2, 5, 1))
    log("none", torch.linspace(2, 5, 0))
    log("down", torch.linspace(1, 0, 3))
    log("float64", torch.linspace(0, 1, 4, dtype=torch.float64))
    log("int64", torch.linspace(0, 10, 5, dtype=torch.int64))
    log("requires_grad", torch.linspace(0, 1, 3, requires_grad=True))
    log("tensors", torch.linspace(torch.tensor(0.0), torch.tensor(1.0), 3))
    torch.set_default_dtype(torch.float64)
    log("default float64", torch.linspace(0, 1, 3))


def logspace(torch, log):
    log("three", torch.logspace(0, 2, 3))
    log("base 2", torch.logspace(0, 3, 4, base=2))


def eye(torch, log):
    log("square", torch.eye(2))
    log("wide", torch.eye(2, 3))
    log("tall", torch.eye(3, 2))
    log("none", torch.eye(0))
    log("dtype", torch.eye(2, dtype=torch.int64))
    log("requires_grad", torch.eye(2, requires_grad=True))


def default_dtype(torch, log):
    log("at start", torch.get_default_dtype())
    torch.set_default_dtype(torch.float64)
    log("get", torch.get_default_dtype())
    log("tensor", torch.tensor([1.0]))
    log("zeros", torch.zeros(1))
    log("complex", torch.tensor([1j]).dtype)
    log("integer division", (torch.tensor([1]) / 2).dtype)
    log("integer sqrt", torch.tensor([4]).sqrt().dtype)
    log("integer + float", (torch.tensor([1]) + 0.5).dtype)
    log("float32 + float", (torch.tensor([1.0], dtype=torch.float32) + 0.5).dtype)
    log("NumPy float32", torch.tensor(np.zeros(1, dtype=np.float32)).dtype)
    torch.set_default_dtype(torch.float16)
    log("half", torch.tensor([1.0]).dtype)
    log("half complex", torch.tensor(1.0).dtype)


_DATA = {
    "float": 1.5,
    "int": 3,
    "bool": True,
    "complex": 1 + 2j,
    "floats": [1.0, 2.0],
    "ints": [1, 2],
    "bools": [True, False],
    "complexes": [1j, 2.0],
    "int_and_float": [1, 2.5],
    "bool_and_int": [True, 2],
    "bool_and_float": [True, 2.5],
    "int_and_complex": [1, 2j],
    "nested": [[1, 2], [3, 4]],
    "nested_tuples": ((1.0, 2.0), (3.0, 4.0)),
    "nested_mixed": [[1, 2], [3, 4.5]],
    "empty": [],
    "nested_empty": [[], []],
    "deep": [[[[1]]]],
    "range": range(3),
    "nan": float("nan"),
    "inf": [float("inf"), -float("inf")],
    "large_int": 2**40,
    "negative_zero": -0.0,
    "numpy_float64_scalar": np.float64(1.5),
    "numpy_float32_scalar": np.float32(1.5),
    "numpy_int64_scalar": np.int64(3),
    "numpy_int32_scalar": np.int32(3),
    "numpy_bool_scalar": np.bool_(True),
    "list_of_numpy_scalars": [np.float64(1.5), np.float64(2.5)],
    "list_of_numpy_float32": [np.float32(1.5), np.float32(2.5)],
    "list_of_numpy_ints": [np.int64(1), np.int64(2)],
    "numpy_and_python": [np.float64(1.5), 2],
    "numpy_float64_array": np.array([1.0, 2.0]),
    "numpy_float32_array": np.array([1.0, 2.0], dtype=np.float32),
    "numpy_int_array": np.array([[1, 2], [3, 4]]),
    "numpy_bool_array": np.array([True, False]),
    "numpy_0d_array": np.array(2.5),
    "numpy_empty": np.zeros((0, 3)),
    "numpy_reversed": np.arange(4.0)[::-1].copy(),
    "numpy_transposed": np.arange(6.0).reshape(2, 3).T,
}


@each(data=list(_DATA))
def tensor_of(torch, log, data):
    log("tensor", torch.tensor(_DATA[data]))
    log.attempt("as_tensor", lambda: torch.as_tensor(_DATA[data]))
    log.attempt("as float64", lambda: torch.tensor(_DATA[data], dtype=torch.float64))
    log.attempt("as int64", lambda: torch.tensor(_DATA[data], dtype=torch.int64))
    log.attempt("as bool", lambda: torch.tensor(_DATA[data], dtype=torch.bool))


def tensor_of_numpy_complex_scalars(torch, log):
    log("complex128", torch.tensor(np.complex128(1 + 2j)))
    log("complex64", torch.tensor(np.complex64(1 + 2j)))
    log("array", torch.tensor(np.array([1 + 2j], dtype=np.complex64)))


def tensor_of_tensors(torch, log):
    a, b = torch.tensor(1.0), torch.tensor(2.0)
    log("list of 0-d", torch.tensor([a, b]))
    log("nested", torch.tensor([[a, b], [b, a]]))
    log("mixed with numbers", torch.tensor([a, 5]))
    log("0-d integers", torch.tensor([torch.tensor(1), torch.tensor(2)]))
    log("float64", torch.tensor([torch.tensor(1.0, dtype=torch.float64)]))
    with log.raises("list of vectors"):
        torch.tensor([torch.ones(2), torch.ones(2)])
    log("list of one-element vectors", torch.tensor([torch.ones(1), torch.ones(1)]))


def tensor_of_a_tensor_copies_and_warns(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with log.warns("warning"):
        y = torch.tensor(x)
    log("copy", y)
    with log.warns("warning for a constant"):
        torch.tensor(torch.ones(2))
    with log.warns("with requires_grad"):
        log("requires_grad", torch.tensor(x, requires_grad=True))
    with log.warns("list of tensors with grad"):
        log("list", torch.tensor([x.sum(), x.sum()]))


def tensor_copies_its_data(torch, log):
    data = [1.0, 2.0]
    array = np.array(data)
    x, y = torch.tensor(data), torch.tensor(array)
    data[0] = 50.0
    array[0] = 50.0
    log("list", x)
    log("array", y)


@each(dtype=_DTYPES)
def tensor_with_dtype(torch, log, dtype):
    kind = getattr(torch, dtype)
    log("ints", torch.tensor([0, 1, 2], dtype=kind))
    log.attempt("floats", lambda: torch.tensor([0.0, 1.75, -2.5], dtype=kind))
    log.attempt("requires_grad", lambda: torch.tensor([1], dtype=kind, requires_grad=True))


def overflowing_data(torch, log):
    log.attempt("uint8 of 300", lambda: torch.tensor([300], dtype=torch.uint8))
    log.attempt("uint8 of -1", lambda: torch.tensor([-1], dtype=torch.uint8))
    log.attempt("int8 of 200", lambda: torch.tensor([200], dtype=torch.int8))
    log.attempt("int32 of 2**31", lambda: torch.tensor([2**31], dtype=torch.int32))
    log.attempt("int64 of 2**63", lambda: torch.tensor([2**63]))
    log.attempt("float of 2**63", lambda: torch.tensor([2**63], dtype=torch.float32))
    log.attempt("float32 of 1e40", lambda: torch.tensor([1e40]))
    log.attempt("float16 of 1e6", lambda: torch.tensor([1e6], dtype=torch.float16))


def tensor_of_words(torch, log):
    for data in (
        [1, "a"], [1.0, "a"], [True, "a"], [1j, "a"], [[1], ["a"]], ["a"], "a", [1, None],
        [1, b"a"], [1, [2]], [[1], 2], [1, {}],
    ):  # fmt: skip
        log.attempt(f"{data}", lambda data=data: torch.tensor(data))


def python_types_as_dtypes(torch, log):
    log.attempt("float", lambda: torch.tensor([1], dtype=float).dtype)
    log.attempt("int", lambda: torch.tensor([1.0], dtype=int).dtype)
    log.attempt("bool", lambda: torch.tensor([1.0], dtype=bool).dtype)
    log.attempt("complex", lambda: torch.tensor([1.0], dtype=complex).dtype)
    log.attempt("NumPy type", lambda: torch.tensor([1.0], dtype=np.float64).dtype)
    log.attempt("to(float)", lambda: torch.tensor([1.0]).to(float).dtype)
    log.attempt("type(float)", lambda: torch.tensor([1.0]).type(float))
    log.attempt("type of a word", lambda: torch.tensor([1.0]).type("float"))
    log.attempt("type of a class", lambda: torch.tensor([1.5]).type(torch.LongTensor))


def dtype_aliases(torch, log):
    for alias in ("float", "double", "half", "int", "long", "short", "cfloat", "cdouble"):
        log(alias, getattr(torch, alias))
    log("same object", torch.float is torch.float32)


def dtype_attributes(torch, log):
    for name in _DTYPES:
        kind = getattr(torch, name)
        log(name, [kind.is_floating_point, kind.is_complex, kind.itemsize])
    log("is_signed", [torch.int8.is_signed, torch.uint8.is_signed])
    log("equality", torch.float32 == torch.float32)
    log("in a dict", {torch.float32: 1}[torch.float])


def finfo_and_iinfo(torch, log):
    for name in ("float16", "float32", "float64"):
        info = torch.finfo(getattr(torch, name))
        log(name, [info.eps, info.max, info.min, info.tiny, info.bits])
    for name in ("int8", "int16", "int32", "int64", "uint8"):
        info = torch.iinfo(getattr(torch, name))
        log(name, [info.max, info.min, info.bits])
    log("default", torch.finfo().eps)


_LEGACY = ["Tensor", "FloatTensor", "DoubleTensor", "LongTensor", "IntTensor", "ByteTensor"]


@each(name=[*_LEGACY, "HalfTensor", "ShortTensor", "CharTensor", "BoolTensor"])
def legacy_constructor(torch, log, name):
    make = getattr(torch, name)
    log.attempt("of a list", lambda: make([1, 0, 2]))
    log.attempt("of nested lists", lambda: make([[1, 0], [2, 3]]))
    log.attempt("of floats", lambda: make([1.0, 2.0]))
    log.attempt("of nothing", lambda: make())
    log.attempt("of an empty list", lambda: make([]))
    log.attempt("of sizes", lambda: make(2, 3).shape)
    log.attempt("of one size", lambda: [make(4).shape, make(4).dtype])
    log.attempt("of a Size", lambda: make(torch.Size([2, 1])).shape)
    log.attempt("of a tuple", lambda: make((2, 1)))
    log.attempt("of a float", lambda: make(2.5))
    log.attempt("requires_grad keyword", lambda: make([1.0], requires_grad=True))
    log.attempt("dtype keyword", lambda: make([1.0], dtype=torch.float64))
    log.attempt("of a string", lambda: make("abc"))


def legacy_constructor_of_an_array(torch, log):
    log("Tensor of float64", torch.Tensor(np.array([1.0, 2.0])))
    log("Tensor of integers", torch.Tensor(np.array([1, 2])))
    log("FloatTensor of float32", torch.FloatTensor(np.array([1.0, 2.0], dtype=np.float32)))
    log.attempt("LongTensor of int64", lambda: torch.LongTensor(np.array([1, 2])))
    log.attempt("DoubleTensor of float64", lambda: torch.DoubleTensor(np.array([1.0])))


_MAKERS = {
    "Tensor": lambda torch: torch.Tensor,
    "FloatTensor": lambda torch: torch.FloatTensor,
    "LongTensor": lambda torch: torch.LongTensor,
    "new": lambda torch: torch.ones(2).new,
    "new of integers": lambda torch: torch.ones(2).long().new,
    "new of complex numbers": lambda torch: torch.ones(2, dtype=torch.complex64).new,
}


@each(name=[*_MAKERS])
def legacy_constructor_of_a_tensor(torch, log, name):
    """It shows the same memory, and has the same history."""
    make = _MAKERS[name](torch)
    for kind in (torch.float32, torch.int64, torch.bool):
        for x in (torch.tensor([1, 0]).to(kind), torch.tensor(1).to(kind)):

            def made(x=x):
                y = make(x)
                return [y, y.data_ptr() == x.data_ptr()]

            log.attempt(f"{kind} {x.dim()}", made, words=False)
    log.attempt("sizes of tensors", lambda: make(torch.tensor(3), 2).shape)
    x = torch.ones(2, requires_grad=True)

    def traced():
        y = make(x * 2)
        y.sum().backward()
        return [y.grad_fn.name(), x.grad]

    log.attempt("history", traced, words=False)
    for device in ("cpu", torch.device("cpu"), "cuda", "meta", "foo", 0):
        log.attempt(f"device {device!r}", lambda device=device: make(2, device=device).shape)


def new_makes_what_the_type_of_a_tensor_makes(torch, log):
    for kind in (torch.float64, torch.float16, torch.uint8, torch.bool, torch.complex128):
        x = torch.ones(2).to(kind)
        log.attempt(f"{kind} nothing", lambda x=x: x.new())
        log.attempt(f"{kind} sizes", lambda x=x: [x.new(2, 3).shape, x.new(2, 3).dtype])
        log.attempt(f"{kind} size", lambda x=x: x.new(size=(2, 1)).shape)
        log.attempt(f"{kind} Size", lambda x=x: x.new(torch.Size([2, 1])).shape)
        log.attempt(f"{kind} list", lambda x=x: x.new([1, 0]))
        log.attempt(f"{kind} array", lambda x=x: x.new(np.array([[1, 0]])))
        log.attempt(f"{kind} number", lambda x=x: x.new(2.5))
    x = torch.ones(2, requires_grad=True)
    log("requires a gradient", x.new([1.0]).requires_grad)
    log.attempt("dtype", lambda: x.new(2, dtype=torch.int32), words=False)
    log.attempt("string", lambda: x.new("a"))


def legacy_constructor_then_requires_grad(torch, log):
    w = torch.FloatTensor([1.0, 2.0]).requires_grad_()
    (w * w).sum().backward()
    log("w", w)
    log("grad", w.grad)
    log("isinstance", isinstance(w, torch.Tensor))


def legacy_constructor_follows_the_default_dtype(torch, log):
    torch.set_default_dtype(torch.float64)
    log("Tensor", torch.Tensor([1, 2]))
    log("FloatTensor", torch.FloatTensor([1, 2]))


def variable_of_old(torch, log):
    x = torch.autograd.Variable(torch.tensor([1.0, 2.0]), requires_grad=True)
    log("x", x)
    (x * x).sum().backward()
    log("grad", x.grad)
    log("data", x.data)


def new_methods(torch, log):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    log("new_zeros", x.new_zeros(2))
    log("new_ones", x.new_ones((1, 2)))
    log("new_full", x.new_full((2,), 3))
    log("new_tensor", x.new_tensor([1, 2]))
    log("new_empty", x.new_empty(2).shape)
    log("dtype", x.new_zeros(2, dtype=torch.int64))
    log("requires_grad", x.new_zeros(2, requires_grad=True))
    log("integers", torch.tensor([1]).new_tensor([1.5]))


def as_tensor_and_from_numpy_share(torch, log):
    array = np.array([1.0, 2.0])
    a, b = torch.as_tensor(array), torch.from_numpy(array)
    array[0] = 9.0
    log("as_tensor", a)
    log("from_numpy", b)
    b[1] = 8.0
    log("array", array)
    x = torch.ones(2, requires_grad=True)
    log("as_tensor of a tensor", torch.as_tensor(x) is x)
    log("asarray of a constant", torch.asarray(torch.ones(2)).dtype)
    log("as_tensor with dtype", torch.as_tensor(array, dtype=torch.float32))


def random_shapes_and_dtypes(torch, log):
    for name, t in {
        "rand": torch.rand(2, 3),
        "rand float64": torch.rand(2, dtype=torch.float64),
        "randn": torch.randn(2, 3, requires_grad=True),
        "randint": torch.randint(10, (2, 3)),
        "randint low high": torch.randint(3, 5, (4,)),
        "randint float": torch.randint(0, 2, (2,), dtype=torch.float32),
        "randperm": torch.randperm(5),
        "bernoulli": torch.bernoulli(torch.full((3,), 0.5)),
        "normal": torch.normal(0.0, 1.0, size=(2,)),
        "uniform_": torch.empty(3).uniform_(2, 3),
        "normal_": torch.empty(3).normal_(),
    }.items():
        log(name, [t.shape, t.dtype, t.requires_grad, t.is_leaf])


def random_ranges(torch, log):
    r = torch.rand(1000)
    log("rand", bool((r >= 0).all() and (r < 1).all()))
    n = torch.randint(3, 6, (1000,))
    log("randint", sorted(set(n.tolist())))
    log("randperm", sorted(torch.randperm(10).tolist()))
    log("uniform_", bool((torch.empty(100).uniform_(2, 3) >= 2).all()))
    g = torch.randn(10_000, dtype=torch.float64)
    log("randn mean is small", abs(g.mean().item()) < 0.05)
    log("randn std is near 1", abs(g.std().item() - 1) < 0.05)


def seeds(torch, log):
    torch.manual_seed(3)
    a = torch.rand(4)
    torch.manual_seed(3)
    b = torch.rand(4)
    log("same seed, same numbers", torch.equal(a, b))
    log("then others", torch.equal(a, torch.rand(4)))
    log("initial_seed", torch.initial_seed())


def empty_tensors(torch, log):
    log("zeros(0)", torch.zeros(0))
    log("tensor([])", torch.tensor([]))
    log("sum", torch.tensor([]).sum())
    log("mean", torch.tensor([]).mean())
    log("numel", torch.zeros(3, 0, 2).numel())
    log("requires_grad", torch.tensor([], requires_grad=True))


def device_keyword(torch, log):
    log("cpu", torch.zeros(2, device="cpu"))
    log("device", str(torch.zeros(2).device))
    log("to cpu", torch.ones(1).to("cpu"))
    log("cpu()", torch.ones(1).cpu())
    log("is_cuda", torch.ones(1).is_cuda)
    log.attempt("torch.device", lambda: str(torch.device("cpu")))


def stack_like_constructors(torch, log):
    a = torch.tensor([1.0, 2.0])
    log("meshgrid", torch.meshgrid(a, a, indexing="ij"))
    log("cartesian_prod", torch.cartesian_prod(a, a))
    log("tril_indices", torch.tril_indices(2, 2))
    log("complex", torch.complex(a, a))
    log("polar", torch.polar(torch.tensor([1.0]), torch.tensor([0.0])))
    log("scalar_tensor", torch.scalar_tensor(2))
    log("vander", torch.vander(a))
    log("one_hot", torch.nn.functional.one_hot(torch.tensor([0, 2]), 3))


@each(device=["cpu", "cpu:0", "cuda", "meta", "nothing"], how=["keyword", "position", "object"])
def generators_of_devices(torch, log, device, how):
    def made():
        if how == "keyword":
            return torch.Generator(device=device)
        return torch.Generator(device if how == "position" else torch.device(device))

    log.attempt("device", lambda: str(made().device), words=False)
    log.attempt("drawn", lambda: torch.rand(2, generator=made().manual_seed(3)), words=False)
