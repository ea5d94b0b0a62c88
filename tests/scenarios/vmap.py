"""`vmap`: which axes are mapped over, what a function may do inside, what gradients come out."""

from __future__ import annotations

import contextlib
import copy
import functools
import pickle
from collections import OrderedDict, defaultdict, deque, namedtuple

import numpy as np

from tests.scenarios._harness import differs, each

Pair = namedtuple("Pair", "left right")


def _numbers(torch, *shape, requires_grad=False, dtype=None, start=0.0):
    """Consecutive numbers in a shape."""
    count = int(np.prod(shape))
    x = torch.arange(start, start + count, dtype=dtype or torch.float32).reshape(shape)
    return x.requires_grad_(requires_grad)


def _inside(torch, log, label, call, *args, **options):
    """Map `call`, which returns anything, and write down what it returns for one entry."""
    seen = []

    def body(*inside):
        seen.append(call(*inside))
        return inside[0]

    torch.vmap(body, **options)(*args)
    log(label, seen[0])


# ---------------------------------------------------------------- axes of arguments and results


@each(in_dim=[0, 1, 2, -1, -3], out_dim=[0, 1, -1, -2])
def an_axis_in_and_an_axis_out(torch, log, in_dim, out_dim):
    x = _numbers(torch, 2, 3, 4)
    log.gradient("y", torch.vmap(lambda b: 2 * b, in_dims=in_dim, out_dims=out_dim)(x))


@each(in_dims=[(0, 0), (0, 1), (1, 0), (-1, -2), (0, None), (None, 0), (None, 1)])
def axes_of_two_arguments(torch, log, in_dims):
    x, y = _numbers(torch, 3, 3), _numbers(torch, 3, 3, start=10.0)
    log.gradient("y", torch.vmap(lambda a, b: a * b - b, in_dims=in_dims)(x, y))


def the_same_axis_for_all_arguments(torch, log):
    x, y = _numbers(torch, 2, 3), _numbers(torch, 4, 3)
    log("outer", torch.vmap(torch.outer, in_dims=1)(x, y))


def shapes_inside(torch, log):
    x, y = _numbers(torch, 2, 3, 4), _numbers(torch, 5, 3)

    def body(a, b):
        log("a", a.shape)
        log("b", b.shape)
        log("dims", (a.dim(), a.ndim, a.numel(), len(a), a.size(-1)))
        log("strides", a.stride())
        log("contiguous", (a.is_contiguous(), b.is_contiguous()))
        log("offset", a.storage_offset())
        return a.sum()

    log("sum", torch.vmap(body, in_dims=1)(x, y))


@each(
    container=["tuple", "list", "dict", "ordered", "default", "named", "nested", "deque", "bounded"]
)
def arguments_in_containers(torch, log, container):
    x, y = _numbers(torch, 3, 2), _numbers(torch, 3)
    made = {
        "tuple": (x, y),
        "list": [x, y],
        "dict": {"x": x, "y": y},
        "ordered": OrderedDict(b=x, a=y),
        "default": defaultdict(list, x=x, y=y),
        "named": Pair(x, y),
        "nested": ({"x": [x, (x,)]}, [y]),
        "deque": deque([x, y]),
        "bounded": deque([x, y], maxlen=3),
    }[container]

    def body(parts):
        log("type", type(parts).__name__)
        return parts

    found = torch.vmap(body)(made)
    log("returned type", type(found).__name__)
    log("returned", list(found) if isinstance(found, deque) else found)


@each(
    in_dims=[
        ("prefix", (0,)),
        ("dict", ({"x": 1, "y": 0},)),
        ("none", ({"x": 1, "y": None},)),
        ("part", ({"x": (1), "y": 0},)),
    ]
)
def axes_in_the_structure_of_an_argument(torch, log, in_dims):
    x, y = _numbers(torch, 2, 2), _numbers(torch, 2)

    def body(d):
        log("shapes", [d["x"].shape, d["y"].shape])
        return d["x"] * d["y"]

    log("y", torch.vmap(body, in_dims=in_dims[1])({"x": x, "y": y}))


def _plain(values, *shape):
    rows = {"dtype": "float32", "requires_grad": False, "grad_fn": None}
    return {"tensor": values, "shape": list(shape), **rows}


@differs(
    "axes are told by the keys; PyTorch pairs them by their positions",
    {
        "other order": _plain([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], 2, 3),
        "results": {
            "dict": [
                ["p", _plain([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], 3, 2)],
                ["q", _plain([[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]], 2, 3)],
            ]
        },
    },
)
@each(given=[dict, OrderedDict, defaultdict], dims=[dict, OrderedDict, defaultdict])
def axes_in_dicts_of_other_kinds(torch, log, given, dims):
    def of(kind, **items):
        return kind(list, items) if kind is defaultdict else kind(items)

    x = _numbers(torch, 3, 2)
    argument = of(given, p=x, q=x.t())

    def call(**axes):
        f = torch.vmap(lambda a: a["p"] - a["q"], in_dims=(of(dims, **axes),))
        return lambda: f(argument)

    log.attempt("same", call(p=0, q=1))
    log.attempt("other order", call(q=0, p=1))
    log.attempt("missing", call(p=0))
    log.attempt("another", call(p=0, r=1))
    f = torch.vmap(lambda b: of(given, p=b, q=b + 1), out_dims=of(dims, q=1, p=0))
    found = f(x)
    log("result type", type(found).__name__)
    log("results", dict(found))


def containers_that_differ(torch, log):
    other = namedtuple("Pair", "left right")
    x = _numbers(torch, 3, 2)
    for name, axes, argument in (
        ("named", Pair(0, None), Pair(x, x)),
        ("another named", other(0, None), Pair(x, x)),
        ("tuple for named", (0, None), Pair(x, x)),
        ("named for tuple", Pair(0, None), (x, x)),
        ("tuple for list", (0, None), [x, x]),
        ("deque", deque([0, None]), deque([x, x])),
        ("bounded deque", deque([0, None], maxlen=3), deque([x, x])),
        ("list for deque", [0, None], deque([x, x])),
    ):
        f = torch.vmap(lambda p: p[0] * 2, in_dims=(axes,))
        log.attempt(name, lambda f=f, argument=argument: f(argument))


def shapes_are_containers(torch, log):
    x = _numbers(torch, 3, 2)

    def body(b, shape):
        log(f"type {len(log.outcomes)}", type(shape).__name__)
        return b.expand(shape)

    log("None", torch.vmap(body, in_dims=(0, None))(x, x.shape))
    log.attempt("returned", lambda: torch.vmap(lambda b: b.shape)(x))
    found = torch.vmap(lambda b: b.shape, out_dims=None)(x)
    log("as it is", (type(found).__name__, tuple(found)))


def an_axis_for_a_part_of_the_structure(torch, log):
    x, y, z = _numbers(torch, 3, 2), _numbers(torch, 3), _numbers(torch, 2, 3)

    def body(pair, c):
        a, b = pair
        return a.sum() * b + c

    log("y", torch.vmap(body, in_dims=(0, 1))((x, y), z))
    log("none", torch.vmap(body, in_dims=((None, 0), 1))((x, y), z))


def arguments_that_are_no_tensors(torch, log):
    x = _numbers(torch, 3, 2)
    seen = []

    def body(b, n, text, nothing):
        seen.append((n, text, nothing))
        return b * n

    log("y", torch.vmap(body, in_dims=(0, None, None, None))(x, 3, "a", None))
    log("seen", seen)


def keyword_arguments_are_not_mapped(torch, log):
    x, k = _numbers(torch, 3, 2), _numbers(torch, 3, start=1.0)

    def body(b, *, k, scale=2, more=None):
        log(f"k {len(log.outcomes)}", k.shape)
        log(f"more {len(log.outcomes)}", more if more is None else more["m"] is x)
        return b.sum() * k * scale

    log("a tensor", torch.vmap(body)(x, k=k))
    log("a number", torch.vmap(body)(x, k=k, scale=3))
    log("nested", torch.vmap(body)(x, k=k, more={"m": x}))
    log("another axis", torch.vmap(body, in_dims=1)(x, k=k))
    log("in chunks", torch.vmap(body, chunk_size=2)(x, k=k))
    log.attempt("only", lambda: torch.vmap(lambda k: k)(k=k))


@each(
    in_dims=[
        ("float", 1.5),
        ("None", None),
        ("list", [0]),
        ("str", "0"),
        ("too many", (0, 0)),
        ("too few", ()),
        ("out of range", 2),
        ("too low", -3),
        ("a word", ("a",)),
        ("a float in a tuple", (0.0,)),
        ("nested", ((0,),)),
        ("nothing", (None,)),
        ("dict", ({"a": 0},)),
    ]
)
def wrong_in_dims(torch, log, in_dims):
    x = _numbers(torch, 3, 2)

    def f(b):
        return b

    log.attempt("call", lambda: torch.vmap(f, in_dims=in_dims[1])(x))


def wrong_arguments(torch, log):
    x = _numbers(torch, 3, 2)

    def f(*args):
        return args[0]

    log.attempt("none at all", lambda: torch.vmap(f)())
    log.attempt("0-d", lambda: torch.vmap(f)(torch.tensor(1.0)))
    log.attempt("a number", lambda: torch.vmap(f)(x, 1.0))
    log.attempt("an array", lambda: torch.vmap(f)(np.ones(3)))
    log.attempt("an empty container", lambda: torch.vmap(f)(()))
    log.attempt("sizes", lambda: torch.vmap(f)(x, torch.ones(4), torch.ones(3)))
    log.attempt("sizes in a dict", lambda: torch.vmap(f)({"a": x, "b": torch.ones(2)}))
    log.attempt("wrong count", lambda: torch.vmap(f, in_dims=(0, 0))(x, x, x))


def a_function_that_raises(torch, log):
    x = _numbers(torch, 3, 2)

    def fails(b):
        raise KeyError("mine")

    with log.raises("raises"):
        torch.vmap(fails)(x)
    # It has ended: operations are as before.
    log("after", torch.vmap(lambda b: b + 1)(x))
    log("requires", (x * torch.ones(2, requires_grad=True)).requires_grad)


@each(size=[0, 1])
def few_entries(torch, log, size):
    x = torch.ones(size, 2, requires_grad=True)
    y = torch.vmap(lambda b: (b * b).sum())(x)
    log.gradient("y", y)
    log("gradient", torch.autograd.grad(y.sum(), x))


def entries_without_elements(torch, log):
    x = torch.ones(3, 0)
    log("sum", torch.vmap(lambda b: b.sum())(x))
    log("itself", torch.vmap(lambda b: b * 2)(x))
    log("over none", torch.vmap(lambda b: b.sum(), in_dims=1)(x))


def numbers_per_entry(torch, log):
    x = _numbers(torch, 3)
    log("shape", torch.vmap(lambda b: b * b + 1)(x))
    _inside(torch, log, "inside", lambda b: (b.shape, b.dim(), b.numel()), x)


# ---------------------------------------------------------------- what comes out


@each(out_dims=[("each", (0, 1)), ("one", 1), ("none for a constant", (0, None)), ("negative", -1)])
def axes_of_two_results(torch, log, out_dims):
    x = _numbers(torch, 3, 2)
    constant = torch.ones(2)

    def body(b):
        return b * 2, constant if out_dims[0].startswith("none") else b + 1

    log("y", torch.vmap(body, out_dims=out_dims[1])(x))


@each(container=["tuple", "list", "dict", "ordered", "named", "nested", "return type"])
def results_in_containers(torch, log, container):
    x = _numbers(torch, 3, 2)

    def body(b):
        u, v = b * 2, b.sum()
        return {
            "tuple": (u, v),
            "list": [u, v],
            "dict": {"u": u, "v": v},
            "ordered": OrderedDict(u=u, v=v),
            "named": Pair(u, v),
            "nested": ({"u": [u, (v,)]}, [u]),
            "return type": b.max(0),
        }[container]

    found = torch.vmap(body)(x)
    log("type", type(found).__name__)
    log("y", found)


def axes_in_the_structure_of_results(torch, log):
    x = _numbers(torch, 3, 2)
    y = torch.vmap(lambda b: {"a": b, "b": (b + 1, b.sum())}, out_dims={"a": 1, "b": (0, -1)})(x)
    log("y", y)
    y = torch.vmap(lambda b: {"a": b, "b": (b + 1, b + 2)}, out_dims={"a": 0, "b": 1})(x)
    log("prefix", y)


@each(
    out_dims=[
        ("word", "a"),
        ("float", 0.5),
        ("too many", (0, 1, 1)),
        ("too few", (0,)),
        ("list", [0, 0]),
        ("dict", {"a": 0}),
        ("out of range", 5),
        ("too low", -3),
        ("None", None),
        ("None for one", (0, None)),
        ("nested", ((0, 0), 0)),
    ]
)
def wrong_out_dims(torch, log, out_dims):
    x = _numbers(torch, 3, 2)

    def f(b):
        return b, b

    log.attempt("call", lambda: torch.vmap(f, out_dims=out_dims[1])(x))


def axes_of_a_single_result(torch, log):
    x = _numbers(torch, 3, 2)

    def f(b):
        return b

    log.attempt("a tuple of one", lambda: torch.vmap(f, out_dims=(1,))(x))
    log.attempt("a tuple of two", lambda: torch.vmap(f, out_dims=(1, 0))(x))
    log.attempt("a dict", lambda: torch.vmap(f, out_dims={"a": 0})(x))


@each(
    returned=[
        ("int", 1),
        ("None", None),
        ("str", "a"),
        ("list of numbers", [1.0]),
        ("array", np.ones(2)),
    ]
)
def results_that_are_no_tensors(torch, log, returned):
    x = _numbers(torch, 3, 2)

    def f(b):
        return returned[1]

    log.attempt("call", lambda: torch.vmap(f)(x))
    log.attempt("beside one", lambda: torch.vmap(lambda b: (b, returned[1]))(x))
    log.attempt("None", lambda: torch.vmap(f, out_dims=None)(x))
    log.attempt("None beside one", lambda: torch.vmap(lambda b: (b, returned[1]), 0, (0, None))(x))


@differs(
    "the axis stands where it is asked for; PyTorch fails",
    {
        "at the end": {
            "tensor": [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]],
            "shape": [2, 3],
            "dtype": "float32",
            "requires_grad": False,
            "grad_fn": None,
        }
    },
)
def constants_are_repeated(torch, log):
    x, w = _numbers(torch, 3, 2), _numbers(torch, 2, requires_grad=True)
    log("new", torch.vmap(lambda b: torch.ones(2))(x))
    log.attempt("at the end", lambda: torch.vmap(lambda b: torch.arange(2.0), out_dims=1)(x))
    y = torch.vmap(lambda b: w)(x)
    log.gradient("captured", y)
    log("gradient", torch.autograd.grad(y.sum(), w))
    log("strides", torch.vmap(lambda b: w)(x).stride())


def captured_tensors_come_back_as_they_are(torch, log):
    x, w = _numbers(torch, 3, 2), _numbers(torch, 2)
    log("same", torch.vmap(lambda b: w, out_dims=None)(x) is w)
    log("same argument", torch.vmap(lambda b, c: c, in_dims=(0, None), out_dims=None)(x, w) is w)
    log("arguments", torch.vmap(lambda b: b)(x) is x)


def what_is_returned_shares_memory(torch, log):
    x = _numbers(torch, 3, 2)
    y = torch.vmap(lambda b: b)(x)
    z = torch.vmap(lambda b: b[1:], in_dims=1)(x)
    log("a view", (z._is_view(), z.shape))
    y[0, 0] = 100.0
    z[0, 0] = 50.0
    log("x", x)


# ---------------------------------------------------------------- in parts


@each(chunk_size=[1, 2, 3, 4, 5, None])
def entries_in_chunks(torch, log, chunk_size):
    x, w = _numbers(torch, 4, 2, requires_grad=True), _numbers(torch, 2, requires_grad=True)
    sizes = []

    def body(b, c):
        sizes.append(b.shape)
        return b * w, {"a": (b * c).sum()}

    y, z = torch.vmap(body, in_dims=(0, None), out_dims=(1, 0), chunk_size=chunk_size)(
        x, torch.tensor([1.0, 2.0])
    )
    log("runs", len(sizes))
    log.gradient("y", y)
    log.gradient("z", z)
    log("gradients", torch.autograd.grad(y.sum() + z["a"].sum(), (x, w)))


@each(chunk_size=[0, -1])
def wrong_chunk_sizes(torch, log, chunk_size):
    with log.raises("at once"):
        torch.vmap(lambda b: b, chunk_size=chunk_size)


def chunks_along_another_axis(torch, log):
    x, y = _numbers(torch, 2, 5), _numbers(torch, 5, 2)
    found = torch.vmap(torch.dot, in_dims=(1, 0), chunk_size=2)(x, y)
    log("dot", found)
    with log.raises("sizes"):
        torch.vmap(torch.dot, in_dims=(0, 0), chunk_size=2)(x, y)


@differs(
    "what is the same for all entries is that of the first chunk; PyTorch fails",
    {
        "none": {
            "tuple": [
                {
                    "tensor": [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]],
                    "shape": [3, 2],
                    "dtype": "float32",
                    "requires_grad": False,
                    "grad_fn": None,
                },
                {
                    "tensor": [1.0],
                    "shape": [1],
                    "dtype": "float32",
                    "requires_grad": False,
                    "grad_fn": None,
                },
            ]
        }
    },
)
def chunks_and_what_is_the_same_for_all(torch, log):
    x = _numbers(torch, 3, 2)
    one = torch.ones(1)
    log.attempt("none", lambda: torch.vmap(lambda b: (b, one), 0, (0, None), chunk_size=2)(x))
    log("without", torch.vmap(lambda b: (b, one), 0, (0, None))(x))


# ---------------------------------------------------------------- the function


def what_the_mapped_function_is_called(torch, log):
    def named(b):
        """What it does."""
        return b

    mapped = torch.vmap(named)
    log("name", mapped.__name__)
    log("doc", mapped.__doc__)
    log("wrapped", mapped.__wrapped__ is named)
    log("func", torch.func.vmap is torch.vmap)


def callables_of_all_kinds(torch, log):
    x = _numbers(torch, 3, 2)

    class Adds:
        def __call__(self, b):
            return b + 1

    log("object", torch.vmap(Adds())(x))
    log("partial", torch.vmap(functools.partial(torch.sum, dim=0))(x))
    log("function", torch.vmap(torch.sum)(x))
    log("method", torch.vmap(torch.Tensor.sum)(x))
    log("builtin", torch.vmap(sum)(x))
    log("module", torch.vmap(torch.nn.functional.softplus)(x))
    log.attempt("no function", lambda: torch.vmap(3)(x))


def a_decorator(torch, log):
    @torch.vmap
    def row(b):
        return b - b.mean()

    log("y", row(_numbers(torch, 3, 2)))

    @functools.partial(torch.vmap, in_dims=(None, 1), out_dims=1)
    def column(a, b):
        return a @ b

    log("matmul", column(_numbers(torch, 2, 3), _numbers(torch, 3, 4)))


def only_some_words_for_randomness(torch, log):
    with log.raises("at once"):
        torch.vmap(lambda b: b, randomness="always")
    with log.raises("at the call"):
        torch.vmap(lambda b: b, randomness=None)(torch.ones(2))


# ---------------------------------------------------------------- one in another


def one_in_another(torch, log):
    x, y = _numbers(torch, 3), _numbers(torch, 2, start=1.0)
    times = torch.vmap(torch.vmap(lambda a, b: a * b, in_dims=(None, 0)), in_dims=(0, None))
    log("outer product", times(x, y))
    log("twice", torch.vmap(torch.vmap(lambda b: b.sum()))(_numbers(torch, 2, 3, 4)))
    log("other axes", torch.vmap(torch.vmap(lambda b: b * 2, 1, 1), 1, 0)(_numbers(torch, 2, 3, 4)))
    triple = torch.vmap(torch.vmap(torch.vmap(lambda b: b + 1)))
    log("three times", triple(_numbers(torch, 2, 2, 2)))


@differs(
    "the entry of the outer one is the same for all entries of the inner one; PyTorch refuses",
    {
        "out_dims None": {
            "tensor": [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]],
            "shape": [3, 2],
            "dtype": "float32",
            "requires_grad": False,
            "grad_fn": None,
        }
    },
)
def closures_over_the_outer_entry(torch, log):
    x, y = _numbers(torch, 3, 2), _numbers(torch, 4, 2, start=1.0)

    def outer(a):
        return torch.vmap(lambda b: a * b)(y)

    log("captured", torch.vmap(outer)(x))

    def scaled(a):
        return torch.vmap(lambda b: b * 2, in_dims=0)(a) + a.sum()

    log("mapped again", torch.vmap(scaled)(x))

    def returned(a):
        return torch.vmap(lambda b: a)(y)

    log("returned", torch.vmap(returned)(x))

    def as_is(a):
        return torch.vmap(lambda b: a, out_dims=None)(y)

    log.attempt("out_dims None", lambda: torch.vmap(as_is)(x))


def nested_and_different_axes(torch, log):
    x, y = _numbers(torch, 2, 3, 4), _numbers(torch, 4, 2)

    def inner(a, b):
        return a @ b

    f = torch.vmap(torch.vmap(inner, in_dims=(0, None)), in_dims=(1, 1), out_dims=-1)
    y3 = _numbers(torch, 4, 3)
    log("y", f(x, y3))
    log.attempt("wrong", lambda: f(x, y))


def nested_gradients(torch, log):
    x = _numbers(torch, 2, 3, requires_grad=True)
    w = _numbers(torch, 4, requires_grad=True)
    f = torch.vmap(torch.vmap(lambda a, b: a * a * b, in_dims=(None, 0)), in_dims=(0, None))
    y = torch.vmap(f, in_dims=(0, None))(x, w)
    log("shape", y.shape)
    log("gradients", torch.autograd.grad(y.sum(), (x, w)))


def nested_changes_in_place(torch, log):
    x = torch.zeros(2, 3)

    def inner(a):
        a += 1

    def outer(a):
        torch.vmap(lambda b: (inner(b), b)[1])(a)
        a *= 2
        return a

    log("y", torch.vmap(outer)(x))
    log("x", x)


def writing_an_outer_entry_from_inside(torch, log):
    x, y = torch.zeros(2), torch.ones(3)

    def outer(a):
        def inner(b):
            a.add_(1.0)
            return b * a

        return torch.vmap(inner)(y)

    log("same for all", torch.vmap(outer)(x))
    log("x", x)

    def wrong(a):
        def inner(b):
            a.mul_(b)
            return b

        return torch.vmap(inner)(y)

    log.attempt("one for each", lambda: torch.vmap(wrong)(x))


def shapes_of_levels(torch, log):
    x = _numbers(torch, 2, 3, 4)

    def outer(a):
        log("outer", a.shape)

        def inner(b):
            log("inner", b.shape)
            log("product", (b * a).shape)
            return b

        return torch.vmap(inner)(a)

    log("y", torch.vmap(outer)(x).shape)


# ---------------------------------------------------------------- gradients


def gradients_of_arguments_and_captured_tensors(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    w = _numbers(torch, 2, requires_grad=True, start=1.0)
    c = _numbers(torch, 2, start=3.0).requires_grad_()
    y = torch.vmap(lambda b, k: (b * w).sum() * k.sum(), in_dims=(0, None))(x, c)
    log.gradient("y", y)
    (y * y).sum().backward()
    log("x", x.grad)
    log("w", w.grad)
    log("c", c.grad)


@each(
    function=[
        "tanh", "matmul", "softmax", "norm", "cumsum", "index", "where", "division", "prod", "sort",
        "var", "max", "logsumexp", "einsum", "cat", "clone", "pow", "clamp", "lerp", "diag", "triu",
    ]
)  # fmt: skip
def gradients_of_functions(torch, log, function):
    x = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], requires_grad=True)
    w = torch.tensor([[1.0, 2.0, -1.0], [0.5, -0.5, 3.0]], requires_grad=True)
    body = {
        "tanh": lambda b: torch.tanh(b * w[0]),
        "matmul": lambda b: w @ b,
        "softmax": lambda b: torch.softmax(b, 0),
        "norm": lambda b: (b - w[1]).norm(),
        "cumsum": lambda b: b.cumsum(0),
        "index": lambda b: b[torch.tensor([0, 0, 2])] * 2,
        "where": lambda b: torch.where(b > 0, b * b, w[0]),
        "division": lambda b: w / b,
        "prod": lambda b: b.prod(),
        "sort": lambda b: b.sort(descending=True)[0] * torch.tensor([1.0, 2.0, 3.0]),
        "var": lambda b: b.var(),
        "max": lambda b: b.max() + b.max(0)[0],
        "logsumexp": lambda b: torch.logsumexp(w + b, 1),
        "einsum": lambda b: torch.einsum("i,ji->j", b, w),
        "cat": lambda b: torch.cat([b, w[0], b[:1]]),
        "clone": lambda b: b.clone().mul_(w[0]),
        "pow": lambda b: (b * b) ** w[0],
        "clamp": lambda b: b.clamp(-0.8, 1.0),
        "lerp": lambda b: torch.lerp(b, w[0], 0.25),
        "diag": lambda b: torch.diag(b) @ w[1],
        "triu": lambda b: torch.outer(b, b).triu(),
    }[function]
    y = torch.vmap(body)(x)
    log.gradient("y", y)
    found = torch.autograd.grad(y, (x, w), torch.ones_like(y), allow_unused=True)
    log("gradients", found)
    y = torch.vmap(body, in_dims=1)(torch.cat([x, x.detach()[:1]]).t()[:3])
    log.gradient("columns", y)


def inside_nothing_requires_a_gradient(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    w = _numbers(torch, 2, requires_grad=True)

    def body(b):
        y = b * w
        log("entry", (b.requires_grad, b.grad_fn, b.is_leaf, b.grad))
        log("result", (y.requires_grad, y.grad_fn, y.is_leaf, y.output_nr, y.retains_grad))
        log("captured", (w.requires_grad, w.is_leaf))
        z = w * 2
        log("of captured", (z.requires_grad, z.grad_fn.name()))
        log("mode", torch.is_grad_enabled())
        return y + z

    y = torch.vmap(body)(x)
    log("outside", (y.requires_grad, y.is_leaf))


def hooks_inside(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)

    def body(b):
        with log.raises("hook"):
            b.register_hook(lambda g: g)
        with log.raises("retain_grad"):
            (b * 2).retain_grad()
        return b

    torch.vmap(body)(x)


def modes(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)

    def quiet(b):
        with torch.no_grad():
            a = b * 2
        return a, b * 3

    log.gradient("no_grad inside", torch.vmap(quiet)(x))
    with torch.no_grad():
        log("no_grad around", torch.vmap(lambda b: b * 2)(x))

    def loud(b):
        with torch.enable_grad():
            return b * 2

    with torch.no_grad():
        log.gradient("enable_grad inside", torch.vmap(loud)(x))
    with torch.inference_mode():
        log("inference", torch.vmap(lambda b: b * 2)(x).is_inference())


def detached_inside(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(lambda b: b * b.detach())(x)
    log("gradient", torch.autograd.grad(y.sum(), x))
    log("detached", torch.vmap(lambda b: b.detach())(x).requires_grad)


def gradients_of_gradients(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True, start=1.0)
    w = _numbers(torch, 2, requires_grad=True, start=1.0)
    y = torch.vmap(lambda b: (b**3 * w).sum())(x)
    g, h = torch.autograd.grad(y.sum(), (x, w), create_graph=True)
    log.gradient("first", (g, h))
    log.gradient("second", torch.autograd.grad((g * g).sum() + h.sum(), (x, w), create_graph=True))
    (g * h).sum().backward()
    log("x", x.grad)
    log("w", w.grad)


def hooks_around(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    x.register_hook(lambda g: g * 2)
    h = x * 2
    h.register_hook(lambda g: g + 1)
    h.retain_grad()
    y = torch.vmap(lambda b: b * b)(h)
    y.retain_grad()
    y.sum().backward()
    log("x", x.grad)
    log("h", h.grad)
    log("y", y.grad)


def saved_values_that_change(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    c = torch.ones(2)
    y = torch.vmap(lambda b: b * c)(x)
    c.add_(1)
    with log.raises("captured"):
        y.sum().backward()
    h = x * 1
    y = torch.vmap(lambda b: b * b)(h)
    h.add_(1)
    with log.raises("argument"):
        y.sum().backward()


def the_graph_is_freed(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(lambda b: b.sin())(x).sum()
    y.backward(retain_graph=True)
    y.backward()
    log("x", x.grad)
    with log.raises("again"):
        y.backward()


def gradients_for_many_cotangents(torch, log):
    x = _numbers(torch, 3, requires_grad=True, start=1.0)
    y = x**2 * x.sum()
    rows = torch.vmap(lambda v: torch.autograd.grad(y, x, v, retain_graph=True)[0])(torch.eye(3))
    log("jacobian", rows)
    w = _numbers(torch, 3, requires_grad=True)
    z = (x * w).sum() * x

    def pulled(v):
        return torch.autograd.grad(z, (x, w), v, retain_graph=True)

    log("two inputs", torch.vmap(pulled)(torch.eye(3)))
    log("in columns", torch.vmap(pulled, in_dims=1, out_dims=1)(2 * torch.eye(3)))


def second_derivatives_for_many_cotangents(torch, log):
    x = _numbers(torch, 3, requires_grad=True, start=1.0)
    (g,) = torch.autograd.grad((x**3).sum() + x.prod(), x, create_graph=True)

    def pulled(v):
        return torch.autograd.grad(g, x, v, retain_graph=True)[0]

    log("hessian", torch.vmap(pulled)(torch.eye(3)))
    y = x**3

    def recorded(v):
        return torch.autograd.grad(y, x, v, create_graph=True)[0]

    rows = torch.vmap(recorded)(torch.eye(3))
    log.gradient("jacobian", rows)
    log("its gradient", torch.autograd.grad(rows.sum(), x))


def cotangents_that_require_gradients(torch, log):
    x = _numbers(torch, 2, requires_grad=True, start=1.0)
    v = torch.eye(2).requires_grad_()
    y = x**2
    rows = torch.vmap(lambda u: torch.autograd.grad(y, x, u, create_graph=True)[0])(v)
    log.gradient("rows", rows)
    log("gradients", torch.autograd.grad((rows * rows).sum(), (x, v)))


def gradients_inside_of_captured_tensors(torch, log):
    x = _numbers(torch, 3, 2)
    w = _numbers(torch, 2, requires_grad=True, start=1.0)
    y = torch.vmap(lambda b: b * torch.autograd.grad((w**3).sum(), w)[0])(x)
    log("y", y)
    with log.raises("of an entry"):
        torch.vmap(lambda b: torch.autograd.grad((b * b).sum(), b)[0])(x)
    with log.raises("of what depends on an entry"):
        torch.vmap(lambda b: torch.autograd.grad((w * b).sum(), w)[0])(x)


def unused_inputs_inside(torch, log):
    x, w = (_numbers(torch, 2, requires_grad=True) for _ in range(2))
    y = x * 2

    def pulled(v, **options):
        return torch.autograd.grad(y, (x, w), v, retain_graph=True, **options)

    with log.raises("unused"):
        torch.vmap(pulled)(torch.eye(2))
    with log.raises("None"):
        torch.vmap(functools.partial(pulled, allow_unused=True))(torch.eye(2))
    found = torch.vmap(functools.partial(pulled, allow_unused=True), out_dims=(0, None))
    log("None in its place", found(torch.eye(2)))
    log("zeros", torch.vmap(functools.partial(pulled, materialize_grads=True))(torch.eye(2)))


def cotangents_of_another_shape_inside(torch, log):
    x = _numbers(torch, 2, requires_grad=True)
    y = x * 2
    with log.raises("shape"):
        torch.vmap(lambda v: torch.autograd.grad(y, x, v)[0])(torch.eye(3))
    with log.raises("no cotangent"):
        torch.vmap(lambda v: torch.autograd.grad(y, x)[0] * v)(torch.eye(2))


def batched_gradients_of_a_mapped_function(torch, log):
    x = _numbers(torch, 2, 2, requires_grad=True, start=1.0)
    y = torch.vmap(lambda b: b.prod())(x)
    log("rows", torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True))


def per_sample_gradients(torch, log):
    x = _numbers(torch, 3, 2)
    w = torch.tensor([0.5, -0.5], requires_grad=True)
    losses = torch.vmap(lambda b: torch.tanh(b @ w) ** 2)(x)
    log(
        "by cotangents",
        torch.vmap(lambda v: torch.autograd.grad(losses, w, v, retain_graph=True)[0])(torch.eye(3)),
    )


def functional_jacobians_of_mapped_functions(torch, log):
    x = _numbers(torch, 2, 2, start=1.0)
    f = torch.vmap(lambda b: b**2 * b.sum())
    for vectorize in (False, True):
        found = torch.autograd.functional.jacobian(f, x, vectorize=vectorize)
        log(f"jacobian {vectorize}", found)
        found = torch.autograd.functional.hessian(lambda a: f(a).sum(), x, vectorize=vectorize)
        log(f"hessian {vectorize}", found)


def gradcheck_of_a_mapped_function(torch, log):
    x = torch.linspace(0.5, 2.0, 6, dtype=torch.float64).reshape(3, 2).requires_grad_()
    f = torch.vmap(lambda b: torch.log(b).cumsum(0) * b.sum())
    log("first", torch.autograd.gradcheck(f, (x,)))
    log("second", torch.autograd.gradgradcheck(f, (x,)))


# ---------------------------------------------------------------- forward mode


def tangents_through_a_mapped_function(torch, log):
    import importlib

    fw = importlib.import_module(f"{torch.__name__}.autograd.forward_ad")
    x, t = _numbers(torch, 3, 2), torch.ones(3, 2)
    w = _numbers(torch, 2, start=1.0)
    with fw.dual_level():
        y = torch.vmap(lambda b: b * b * w)(fw.make_dual(x, t))
        log("tangent", fw.unpack_dual(y).tangent)
        captured = fw.make_dual(w, torch.ones(2))
        y = torch.vmap(lambda b: b * captured)(x)
        log("captured", fw.unpack_dual(y).tangent)


def duals_are_not_made_inside(torch, log):
    import importlib

    fw = importlib.import_module(f"{torch.__name__}.autograd.forward_ad")
    x = _numbers(torch, 3, 2)
    with fw.dual_level():
        with log.raises("made"):
            torch.vmap(lambda b: fw.make_dual(b, b))(x)
        with log.raises("tangent"):
            torch.vmap(lambda b: fw.make_dual(torch.ones(2), b))(x)
        with log.raises("taken apart"):
            torch.vmap(lambda b: fw.unpack_dual(b).primal)(fw.make_dual(x, x))


# ---------------------------------------------------------------- in place


def changes_reach_the_argument(torch, log):
    x = _numbers(torch, 3, 2)
    y = torch.vmap(lambda b: b.add_(1))(x)
    log("x", x)
    log("version", x._version)
    log("shares", y.data_ptr() == x.data_ptr())
    z = torch.zeros(2, 3)
    torch.vmap(lambda b: b.copy_(torch.arange(2.0)), in_dims=1)(z)
    log("columns", z)


@each(
    change=[
        "add", "mul by an entry", "fill", "zero", "copy", "relu", "masked_fill", "item", "slice",
        "index", "view", "transposed", "view of a view", "clamp", "neg", "batched value",
        "unsqueeze", "scatter", "index_add", "index_fill", "put mask", "diagonal", "expand dims",
        "sub rhs",
    ]
)  # fmt: skip
def changes_of_a_copy(torch, log, change):
    x = torch.tensor([[[0.5, -1.0], [2.0, 3.0]], [[1.0, 4.0], [-2.0, 0.25]]], requires_grad=True)
    k = torch.tensor([[1, 0], [0, 1]])

    def body(b, i):
        c = b.clone()
        if change == "add":
            c.add_(2, alpha=3)
        elif change == "mul by an entry":
            c.mul_(b[0])
        elif change == "fill":
            c[0].fill_(7.0)
        elif change == "zero":
            c[:, 1].zero_()
        elif change == "copy":
            c[1].copy_(b[0])
        elif change == "relu":
            c.relu_()
        elif change == "masked_fill":
            c.masked_fill_(b > 1, -1.0)
        elif change == "item":
            c[0, 1] = 5.0
        elif change == "slice":
            c[:, 0] = b.sum()
        elif change == "index":
            c[torch.tensor([1, 0])] = b * 2
        elif change == "view":
            c.view(-1)[1:3].mul_(2)
        elif change == "transposed":
            c.t().add_(b)
        elif change == "view of a view":
            c[1:][:, 1].sub_(b.sum())
        elif change == "clamp":
            c.clamp_(min=0.0)
        elif change == "neg":
            c[0].neg_()
        elif change == "batched value":
            c[i, 0] = b[0]
        elif change == "unsqueeze":
            c.unsqueeze(0)[0, 0] *= 3
        elif change == "scatter":
            c.scatter_(0, i.unsqueeze(0), b[:1])
        elif change == "index_add":
            c.index_add_(0, i, b)
        elif change == "index_fill":
            c.index_fill_(1, torch.tensor([1]), 9.0)
        elif change == "put mask":
            c[torch.tensor([True, False])] = 0.0
        elif change == "diagonal":
            c.diagonal().add_(1)
        elif change == "expand dims":
            c[None, ..., 1] += 1
        elif change == "sub rhs":
            c -= b.mean(0)
        return c

    y = torch.vmap(body)(x, k)
    log.gradient("y", y)
    weights = _numbers(torch, 2, 2, 2, start=1.0)
    log("gradient", torch.autograd.grad((y * weights).sum(), x))


def changes_of_what_requires_a_gradient(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    with log.raises("a leaf"):
        torch.vmap(lambda b: b.add_(1))(x)
    with log.raises("an item of a leaf"):
        torch.vmap(lambda b: b.__setitem__(0, 1.0))(x)
    h = x * 2
    y = torch.vmap(lambda b: b.mul_(3))(h)
    log.gradient("y", y)
    log.gradient("h", h)
    log("gradient", torch.autograd.grad(h.sum(), x))
    with torch.no_grad():
        torch.vmap(lambda b: b.add_(1))(x)
    log("under no_grad", x)


_WRITTEN = {
    "raises": "RuntimeError",
    "message": "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a "
    "Tensor `other` in extra_args that has more elements than `self`. This happened due to `other` "
    "being vmapped over but `self` not being vmapped over in a vmap. Please try to use "
    "out-of-place operators instead of inplace arithmetic. If said operator is being called inside "
    "the PyTorch framework, please file a bug report instead.",
}


@differs("one message for all changes", {"index_add_": _WRITTEN})
def captured_tensors_change(torch, log):
    x, c = _numbers(torch, 3, 2), torch.ones(2)
    log("y", torch.vmap(lambda b: b * c.add_(1))(x))
    log("c", c)
    with log.raises("mul_"):
        torch.vmap(lambda b: c.mul_(b))(x)
    with log.raises("item"):
        torch.vmap(lambda b: (c.__setitem__(0, b[0]), b)[1])(x)
    with log.raises("index_add_"):
        torch.vmap(lambda b: c.index_add_(0, torch.tensor([0]), b[:1]))(x)
    log("after", c)


@differs("one message for all changes", {"add_": _WRITTEN})
def captured_tensors_are_not_added_to(torch, log):
    x, c = _numbers(torch, 3, 2), torch.ones(2)
    with log.raises("add_"):
        torch.vmap(lambda b: c.add_(b))(x)
    with log.raises("copy_"):
        torch.vmap(lambda b: c.copy_(b))(x)
    log("after", c)


@differs(
    "shapes are those of an entry",
    {
        "add_": {
            "raises": "RuntimeError",
            "message": "output with shape [] doesn't match the broadcast shape [2]",
        },
        "mul_": {
            "raises": "RuntimeError",
            "message": "The size of tensor a (2) must match the size of tensor b (3) at "
            "non-singleton dimension 0",
        },
        "copy_": {
            "raises": "RuntimeError",
            "message": "The size of tensor a (2) must match the size of tensor b (3) at "
            "non-singleton dimension 0",
        },
    },
)
def operands_of_another_shape(torch, log):
    x = _numbers(torch, 3, 2)
    with log.raises("add_"):
        torch.vmap(lambda b: b[0].clone().add_(b))(x)
    with log.raises("mul_"):
        torch.vmap(lambda b: b.clone().mul_(torch.ones(3)))(x)
    with log.raises("copy_"):
        torch.vmap(lambda b: b.clone().copy_(torch.ones(3)))(x)
    with log.raises("dtype"):
        torch.vmap(lambda b: b.long().mul_(0.5))(x)


def views_after_changes(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)

    def body(b):
        c = b * 1
        first, last = c[0], c[1:]
        c.mul_(2)
        first.add_(10)
        return c, first, last

    c, first, last = torch.vmap(body)(x)
    log.gradient("c", c)
    log.gradient("first", first)
    log.gradient("last", last)
    log("gradient", torch.autograd.grad((c * c).sum() + first.sum(), x))


def versions_inside(torch, log):
    x = _numbers(torch, 3, 2)

    def body(b):
        c = b.clone()
        d = c[0]
        before = (c._version, d._version)
        c.add_(1)
        log("before", before)
        log("after", (c._version, d._version))
        return c

    torch.vmap(body)(x)


def changes_of_saved_values_inside(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)

    def body(b):
        c = b * 2
        y = c * c
        c.add_(1)
        return y

    y = torch.vmap(body)(x)
    with log.raises("backward"):
        y.sum().backward()


def memory_that_is_shared_in_part(torch, log):
    c = torch.arange(4.0)
    with log.raises("captured"):
        torch.vmap(lambda b: b * c[1:].add_(c[:-1]).sum())(_numbers(torch, 3, 4))
    x = _numbers(torch, 3, 4)
    with log.raises("of another entry"):
        torch.vmap(lambda b: b.add_(x[0]))(x)
    with log.raises("transposed"):
        torch.vmap(lambda b: b.add_(b.t()))(_numbers(torch, 2, 2, 2))
    log("itself", torch.vmap(lambda b: b.mul_(b))(_numbers(torch, 3, 2)))
    log("all of it", torch.vmap(lambda a, b: a.add_(b))(x, x))
    log("c", c)


def shapes_in_place(torch, log):
    x = _numbers(torch, 3, 2, 4)
    for name, call in {
        "unsqueeze_": lambda c: c.unsqueeze_(0),
        "t_": lambda c: c.t_(),
        "transpose_": lambda c: c.transpose_(0, 1),
        "squeeze_": lambda c: c.squeeze_(),
    }.items():
        log(name, torch.vmap(lambda b, call=call: call(b.clone()))(x).shape)


def expanded_results(torch, log):
    x, w = _numbers(torch, 3, 2), torch.ones(2)
    y = torch.vmap(lambda b: w.expand(4, 2))(x)
    log("strides", y.stride())
    with log.raises("write"):
        y.add_(1)


# ---------------------------------------------------------------- indices


@each(
    read=[
        "number", "slice", "ellipsis", "None", "captured array", "array of the entry", "both",
        "a captured tensor", "a captured tensor twice", "beside a slice", "mask of the closure",
        "gather", "index_select", "take_along_dim", "take", "negative", "select",
        "narrow", "list", "steps",
    ]
)  # fmt: skip
def elements_are_read(torch, log, read):
    x = _numbers(torch, 3, 4, 2, requires_grad=True)
    w = _numbers(torch, 4, 2, requires_grad=True, start=1.0)
    i = torch.tensor([0, 3, 1])
    many = torch.tensor([[0, 1], [2, 2], [3, 0]])
    body = {
        "number": lambda b, i, j: b[1],
        "slice": lambda b, i, j: b[1:, -1],
        "ellipsis": lambda b, i, j: b[..., 0],
        "None": lambda b, i, j: b[None, 2],
        "captured array": lambda b, i, j: b[torch.tensor([2, 0, 2])],
        "array of the entry": lambda b, i, j: b[j],
        "both": lambda b, i, j: b[j, torch.tensor([0, 1])],
        "a captured tensor": lambda b, i, j: w[i],
        "a captured tensor twice": lambda b, i, j: w[j] * w[i],
        "beside a slice": lambda b, i, j: b[j, :1] + b[:2, i % 2],
        "mask of the closure": lambda b, i, j: b[torch.tensor([True, False, True, False])],
        "gather": lambda b, i, j: b.gather(0, j.unsqueeze(0)),
        "index_select": lambda b, i, j: b.index_select(0, j),
        "take_along_dim": lambda b, i, j: torch.take_along_dim(
            b, torch.outer(j, torch.tensor([1, 0])), 0
        ),
        "take": lambda b, i, j: b.take(j),
        "negative": lambda b, i, j: b[-1 - j],
        "select": lambda b, i, j: b.select(1, -1),
        "narrow": lambda b, i, j: b.narrow(0, 1, 2),
        "list": lambda b, i, j: b[[0, 2]],
        "steps": lambda b, i, j: b[::3],
    }[read]
    y = torch.vmap(body)(x, i, many)
    log.gradient("y", y)
    weights = _numbers(torch, *y.shape, start=1.0)
    log("gradients", torch.autograd.grad((y * weights).sum(), (x, w), allow_unused=True))


@differs(
    "the axis is that of the entry, as without `vmap`",
    {
        "key": {
            "raises": "IndexError",
            "message": "index 5 is out of bounds for dimension 0 with size 4",
        },
        "gather": {
            "raises": "RuntimeError",
            "message": "index 5 is out of bounds for dimension 0 with size 4",
        },
    },
)
def indices_out_of_bounds(torch, log):
    x = _numbers(torch, 3, 4)
    i = torch.tensor([[0], [5], [1]])
    with log.raises("key"):
        torch.vmap(lambda b, j: b[j])(x, i)
    with log.raises("gather"):
        torch.vmap(lambda b, j: b.gather(0, j))(x, i)
    with log.raises("number"):
        torch.vmap(lambda b: b[4])(x)


@differs(
    "shapes are those of an entry",
    {
        "mask of another size": {
            "raises": "IndexError",
            "message": "The shape of the mask [2] at index 0 does not match the shape of the "
            "indexed tensor [4] at index 0",
        }
    },
)
def wrong_keys(torch, log):
    x = _numbers(torch, 3, 4)
    with log.raises("too many"):
        torch.vmap(lambda b: b[0, 0])(x)
    with log.raises("floats"):
        torch.vmap(lambda b: b[b])(x)
    with log.raises("of what has no axis"):
        torch.vmap(torch.vmap(lambda b: b[0]))(x)
    with log.raises("mask of another size"):
        torch.vmap(lambda b: b[torch.tensor([True, False])])(x)


def elements_scattered_by_masks_of_entries(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    s = torch.tensor([10.0, 20.0, 30.0], requires_grad=True)
    mask = x > 2
    y = torch.vmap(lambda b, m: b.masked_scatter(m, s))(x, mask)
    log.gradient("y", y)
    log("gradients", torch.autograd.grad((y * _numbers(torch, 3, 2)).sum(), (x, s)))
    x, s = x.detach(), s.detach()
    log("of the entry", torch.vmap(lambda b, m: b.masked_scatter(m, b * 10))(x, mask))
    log("broadcast", torch.vmap(lambda b, m: b.masked_scatter(m, s))(x, mask[:, 0]))
    log("into a constant", torch.vmap(lambda m: torch.zeros(2).masked_scatter(m, s))(mask))
    log("in place", torch.vmap(lambda b, m: b.clone().masked_scatter_(m, s))(x, mask))
    log("none", torch.vmap(lambda b, m: b.masked_scatter(m, s[:0]))(x, mask & False))
    with log.raises("too few"):
        torch.vmap(lambda b, m: b.masked_scatter(m, s[:1]))(x, mask)
    with log.raises("another dtype"):
        torch.vmap(lambda b, m: b.masked_scatter(m, s.double()))(x, mask)


# ---------------------------------------------------------------- dtypes


@each(one=["float32", "float64", "int64", "bool", "complex64"])
def numbers_of_a_batch_are_numbers(torch, log, one):
    """A 0-d entry gives way to arrays, as 0-d tensors do."""
    dtype = getattr(torch, one)
    x = torch.ones(3, dtype=dtype)
    halves = () if dtype.is_complex else ("float16",)
    for other in (*halves, "float32", "float64", "int32", "int64", "bool"):
        y = torch.ones(2, dtype=getattr(torch, other))
        log(other, torch.vmap(lambda b, y=y: b * y)(x).dtype)
        log(f"{other} by entries", torch.vmap(lambda b, c: b * c)(x, torch.stack([y] * 3)).dtype)
        z = torch.ones(3, dtype=getattr(torch, other))
        log(f"{other} 0-d", torch.vmap(lambda b, c: b + c)(x, z).dtype)


def python_numbers_inside(torch, log):
    x = torch.arange(3)
    log("float", torch.vmap(lambda b: b * 2.5)(x))
    log("int", torch.vmap(lambda b: b + 2)(x))
    log("division", torch.vmap(lambda b: b / 2)(x))
    log("complex", torch.vmap(lambda b: b * 1j)(x))
    log("half", torch.vmap(lambda b: b * 2.5)(x.half()))


def casts_inside(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(lambda b: b.double() * 2)(x)
    log.gradient("y", y)
    log("gradient", torch.autograd.grad(y.sum(), x))
    log("long", torch.vmap(lambda b: b.long())(x))
    log("mask", torch.vmap(lambda b: b > 2)(x))
    log("to", torch.vmap(lambda b: b.to(torch.float16))(x).dtype)
    log("as", torch.vmap(lambda b: torch.ones(2).type_as(b))(x.double()).dtype)


def gradients_of_numbers_of_other_dtypes(torch, log):
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    w = torch.tensor([0.5, 0.25], requires_grad=True)
    y = torch.vmap(lambda b: b * w)(x)
    log.gradient("y", y)
    log("gradients", torch.autograd.grad(y.sum(), (x, w)))


def complex_numbers_inside(torch, log):
    z = torch.tensor([[1 + 2j, 3 - 1j], [0.5j, -1 + 0j]], requires_grad=True)
    y = torch.vmap(lambda b: (b * b.conj()).real.sum() + b[0].imag)(z)
    log.gradient("y", y)
    log("gradient", torch.autograd.grad(y.sum(), z))
    log("view_as_real", torch.vmap(torch.view_as_real)(z.detach()))


# ---------------------------------------------------------------- what cannot be done


@each(
    what=[
        "item", "float", "int", "complex", "bool", "if", "and", "while", "numpy", "tolist",
        "array", "nonzero", "mask", "mask written", "masked_select", "data", "data written",
        "requires_grad_", "requires_grad_ False",
        "backward", "autograd.backward", "format", "index", "range", "in", "is_nonzero", "equal",
        "data_ptr", "pickle", "list of entries", "shape from values", "max of Python",
        "backward of a captured tensor", "requires_grad_ of a new one",
        "split by values", "set data", "hash of values", "assert", "sorted",
    ]
)  # fmt: skip
def what_is_refused(torch, log, what):
    x = _numbers(torch, 3, 2, requires_grad=what in ("backward", "autograd.backward"))
    w = torch.ones(2, requires_grad=True)

    def body(b):
        if what == "item":
            return b.sum().item()
        if what == "float":
            return float(b.sum())
        if what == "int":
            return int(b.sum())
        if what == "complex":
            return complex(b.sum())
        if what == "bool":
            return bool(b.sum())
        if what == "if":
            return b if b.sum() > 0 else -b
        if what == "and":
            return (b.sum() > 0) and b
        if what == "while":
            while b.sum() < 10:
                b = b * 2
            return b
        if what == "numpy":
            return b.numpy()
        if what == "tolist":
            return b.tolist()
        if what == "array":
            return np.asarray(b)
        if what == "nonzero":
            return b.nonzero()
        if what == "mask":
            return b[b > 0]
        if what == "mask written":
            c = b.clone()
            c[b > 0] = 0.0
            return c
        if what == "masked_select":
            return b.masked_select(b > 0)
        if what == "data":
            return b.data
        if what == "data written":
            b.data = torch.ones(2)
            return b
        if what == "set data":
            c = torch.ones(2)
            c.data = b
            return c
        if what == "requires_grad_":
            return b.requires_grad_()
        if what == "requires_grad_ False":
            return b.requires_grad_(False)
        if what == "requires_grad_ of a new one":
            return torch.ones(2).requires_grad_()
        if what == "backward":
            return (b * 2).sum().backward()
        if what == "autograd.backward":
            return torch.autograd.backward((b * w).sum())
        if what == "backward of a captured tensor":
            return w.sum().backward()
        if what == "format":
            return f"{b.sum():.2f}"
        if what == "index":
            return [1, 2, 3][b.sum().long()]
        if what == "range":
            return list(range(b.sum().long()))
        if what == "in":
            return 1.0 in b
        if what == "is_nonzero":
            return torch.is_nonzero(b.sum())
        if what == "equal":
            return torch.equal(b, b)
        if what == "data_ptr":
            return b.data_ptr()
        if what == "pickle":
            return pickle.dumps(b)
        if what == "list of entries":
            return torch.tensor([b.sum(), 1.0])
        if what == "shape from values":
            return torch.zeros(int(b.sum()))
        if what == "max of Python":
            return max(b[0], b[1])
        if what == "split by values":
            return b.split(b.long().tolist())
        if what == "hash of values":
            return {b.sum().item(): 1}
        if what == "assert":
            assert b.sum() >= 0
            return b
        if what == "sorted":
            return sorted(b)
        raise AssertionError(what)

    with log.raises("call"):
        torch.vmap(body, out_dims=None)(x)
    log("w", w.grad)


_COUNTED = {
    "raises": "RuntimeError",
    "message": "vmap: We do not support batching operators that can output dynamic shape. "
    "Attempted to vmap over aten::nonzero. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues if you need this feature.",
}


@differs(
    "the message names what finds the elements, and does not depend on what they are",
    {
        "nonzero": _COUNTED,
        "argwhere": _COUNTED,
        "where": _COUNTED,
        "repeat_interleave": {
            "raises": "RuntimeError",
            "message": _COUNTED["message"].replace("nonzero", "repeat_interleave"),
        },
        "allclose": {
            "raises": "RuntimeError",
            "message": "vmap: It looks like you're attempting to use a Tensor in some "
            "data-dependent control flow. We don't support that yet, please file an issue at "
            "https://github.com/pytorch/pytorch/issues .",
        },
    },
)
def shapes_and_answers_that_depend_on_elements(torch, log):
    x = _numbers(torch, 3, 2)
    for name, call in {
        "nonzero": lambda b: b.nonzero(as_tuple=True),
        "argwhere": torch.argwhere,
        "where": lambda b: torch.where(b > 0),
        "repeat_interleave": lambda b: torch.repeat_interleave(b, b.long()),
        "allclose": lambda b: torch.allclose(b, b),
    }.items():
        with log.raises(name):
            torch.vmap(call)(x)


@each(
    what=[
        "item of a constant", "float of a constant", "if on a constant", "if on a shape",
        "data of a constant", "numpy of a constant", "mask of a constant", "assert on a shape",
        "identity", "hash", "in a list", "print of a constant", "is None", "loop", "zip", "len",
        "nonzero of a constant", "deepcopy of a constant", "isinstance", "dtype", "device",
    ]
)  # fmt: skip
def what_is_allowed(torch, log, what):
    x = _numbers(torch, 3, 2)
    c = torch.tensor([2.0, 0.0])

    def body(b):
        if what == "item of a constant":
            return b * c[0].item()
        if what == "float of a constant":
            return b * float(c[0])
        if what == "if on a constant":
            return b if c.sum() > 0 else -b
        if what == "if on a shape":
            return b if b.shape[0] > 1 else -b
        if what == "data of a constant":
            return b * c.data
        if what == "numpy of a constant":
            return b * torch.from_numpy(c.numpy() + 1)
        if what == "mask of a constant":
            return b[c > 0]
        if what == "assert on a shape":
            assert b.dim() == 1
            return b
        if what == "identity":
            return b * (b is b)
        if what == "hash":
            return {b: b}[b]
        if what == "in a list":
            return [b][[id(b)].index(id(b))]
        if what == "print of a constant":
            return b * len(str(c))
        if what == "is None":
            return b if b is not None else c
        if what == "loop":
            total = 0
            for part in b:
                total = total + part
            return total
        if what == "zip":
            return [p * q for p, q in zip(b, c, strict=True)]
        if what == "len":
            return b * len(b)
        if what == "nonzero of a constant":
            return b[c.nonzero()]
        if what == "deepcopy of a constant":
            return b * copy.deepcopy(c)
        if what == "isinstance":
            return b * isinstance(b, torch.Tensor)
        if what == "dtype":
            return b * (b.dtype is torch.float32) * b.is_floating_point()
        if what == "device":
            return b * (b.device.type == "cpu")
        raise AssertionError(what)

    log("y", torch.vmap(body)(x))


def printing_inside(torch, log):
    x = _numbers(torch, 2, 2, requires_grad=True)
    _inside(torch, log, "entry", repr, x)
    _inside(torch, log, "column", repr, x, in_dims=1)
    _inside(torch, log, "result", lambda b: repr(b + 1), x)
    _inside(torch, log, "constant", lambda b: repr(torch.ones(2)), x)
    _inside(torch, log, "str", str, x)
    texts = []
    torch.vmap(torch.vmap(lambda b: (texts.append(repr(b)), b)[1]))(x.detach())
    log("nested", texts)


def results_may_not_be_given(torch, log):
    x = _numbers(torch, 3, 2)
    log(
        "constants",
        torch.vmap(lambda b: torch.add(torch.ones(2), 1, out=torch.empty(2)), out_dims=None)(x),
    )


_GIVEN = {
    "raises": "RuntimeError",
    "message": "Batching rule not implemented for functions with out=; the fallback path doesn't "
    "work on out= or view ops.",
}


@differs("one message for all functions", {"add": _GIVEN, "sin": _GIVEN, "into an entry": _GIVEN})
def results_in_given_tensors(torch, log):
    x = _numbers(torch, 3, 2)
    with log.raises("add"):
        torch.vmap(lambda b: torch.add(b, b, out=torch.empty(2)))(x)
    with log.raises("sin"):
        torch.vmap(lambda b: torch.sin(b, out=torch.empty(2)))(x)
    with log.raises("into an entry"):
        torch.vmap(lambda b: torch.sin(torch.ones(2), out=b))(x)


def requires_grad_by_assignment(torch, log):
    x = _numbers(torch, 3, 2)

    def body(b):
        b.requires_grad = True
        return b

    log("y", torch.vmap(body)(x))
    w = []

    def makes(b):
        w.append(torch.ones(2, requires_grad=True))
        return b * w[0]

    y = torch.vmap(makes)(x)
    log.gradient("made inside", y)
    log("its gradient", torch.autograd.grad(y.sum(), w[0]))


# ---------------------------------------------------------------- tensors that got out


_ESCAPED = {
    "raises": "RuntimeError",
    "message": "Either your tensor may have escaped from inside a function being vmapped and this "
    "is a user error (see https://pytorch.org/functorch/stable/ux_limitations.html), or there is "
    "an internal functorch error in `gen_vmap_plumbing` Please file an issue if it looks like the "
    "latter",
}


@differs(
    "one message, also for the next function that is mapped, where PyTorch takes it for an entry",
    {"summed": _ESCAPED, "changed": _ESCAPED, "beside an entry of another": _ESCAPED},
)
def tensors_that_got_out(torch, log):
    x = _numbers(torch, 3, 2)
    out = []
    torch.vmap(lambda b: (out.append(b * 2), b)[1])(x)
    b = out[0]
    log("shape", b.shape)
    log("dtype", b.dtype)
    with log.raises("added to"):
        b + 1
    with log.raises("beside"):
        x[0] * b
    log.attempt("beside an entry of another", lambda: torch.vmap(lambda a: a * b)(x))
    with log.raises("summed"):
        b.sum()
    with log.raises("viewed"):
        b[0]
    with log.raises("changed"):
        b.add_(1)


@differs(
    "the message is that for tensors that got out; PyTorch's is an internal one",
    {"used in the outer one": _ESCAPED},
)
def tensors_that_got_out_of_the_inner_one(torch, log):
    x = _numbers(torch, 3, 2)
    out = []

    def outer(a):
        torch.vmap(lambda b: (out.append(b), b)[1])(a)
        with log.raises("used in the outer one"):
            out[0] + a
        return a

    torch.vmap(outer)(x)


def entries_used_one_level_in(torch, log):
    x, y = _numbers(torch, 3, 2), _numbers(torch, 2)
    kept = {}

    def outer(a):
        kept["a"] = a * 2
        return torch.vmap(lambda b: b * kept["a"].sum())(y)

    log("y", torch.vmap(outer)(x))


# ---------------------------------------------------------------- views that come out


def views_that_come_out(torch, log):
    x = _numbers(torch, 3, 4)
    y = torch.vmap(lambda b: b.view(2, 2).t())(x)
    log("y", y)
    log("strides", y.stride())
    log("is a view", y._is_view())
    y[0, 0, 1] = 100.0
    log("x", x)


def views_of_columns(torch, log):
    x = _numbers(torch, 4, 3)
    log("reshaped", torch.vmap(lambda b: b.reshape(2, 2), in_dims=1)(x))
    log("viewed", torch.vmap(lambda b: b.view(2, 2), in_dims=1)(x))
    log("unfolded", torch.vmap(lambda b: b.unfold(0, 2, 1), in_dims=1)(x))
    log("split", torch.vmap(lambda b: b.split(2), in_dims=1)(x))
    log("unbound", torch.vmap(lambda b: b.unbind(), in_dims=1)(x))
    log("chunks", torch.vmap(lambda b: b.chunk(2), in_dims=1, out_dims=1)(x))
    log("strided", torch.vmap(lambda b: b.as_strided((2,), (2,)))(x))


def entries_in_the_order_of_memory(torch, log):
    x = _numbers(torch, 2, 3, 4)
    for dim in range(3):
        _inside(torch, log, f"stride {dim}", lambda b: b.stride(), x, in_dims=dim)
        _inside(torch, log, f"copy {dim}", lambda b: (b * 1).stride(), x, in_dims=dim)
        _inside(torch, log, f"made {dim}", lambda b: b.contiguous().stride(), x, in_dims=dim)
        log(f"flat {dim}", torch.vmap(lambda b: b.t().contiguous().view(-1), in_dims=dim)(x))
        log(f"again {dim}", torch.vmap(lambda b: b.contiguous() is b, dim, None)(x[:, :, :4]))
        log.attempt(f"viewed {dim}", lambda dim=dim: torch.vmap(lambda b: b.view(-1), dim)(x))
    log("offsets", torch.vmap(lambda b: b[1:, 2:].storage_offset(), 0, None)(x))


@differs(
    "views of several may be written into",
    {
        "written": {
            "tensor": [[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]],
            "shape": [3, 2],
            "dtype": "float32",
            "requires_grad": True,
            "grad_fn": True,
        },
        "gradient": {
            "tuple": [
                {
                    "tensor": [[0.0, 18.0], [36.0, 54.0], [72.0, 90.0]],
                    "shape": [3, 2],
                    "dtype": "float32",
                    "requires_grad": False,
                    "grad_fn": None,
                }
            ]
        },
    },
)
def pieces_that_are_written_into(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    h = x * 1

    def write(b):
        for piece in b.split(1):
            piece.mul_(3)
        return b

    with contextlib.suppress(RuntimeError):
        torch.vmap(write)(h)
    log.gradient("written", h)
    log("gradient", torch.autograd.grad((h * h).sum(), x))


def views_with_gradients_that_change(torch, log):
    x = _numbers(torch, 3, 4, requires_grad=True)
    h = x * 1
    v = torch.vmap(lambda b: b[1:3])(h)
    v.mul_(10)
    log.gradient("h", h)
    log("gradient", torch.autograd.grad((h * h).sum(), x))


def elements_that_repeat_are_not_written(torch, log):
    x = _numbers(torch, 3, 1)
    with log.raises("expanded entry"):
        torch.vmap(lambda b: b.expand(2).add_(1))(x)
    with log.raises("expanded batch"):
        torch.vmap(lambda b: b.add_(1))(torch.ones(2).expand(3, 2))


# ---------------------------------------------------------------- what functions of many return


def several_results_of_one_operation(torch, log):
    x = torch.tensor([[3.0, 1.0, 2.0], [0.5, 2.5, 1.5]], requires_grad=True)
    for name, call in {
        "max": lambda b: b.max(0),
        "sort": lambda b: b.sort(),
        "topk": lambda b: b.topk(2),
        "median": lambda b: b.median(0),
        "kthvalue": lambda b: b.kthvalue(2),
        "cummax": lambda b: b.cummax(0),
        "min": lambda b: torch.min(b, 0),
    }.items():
        values, indices = torch.vmap(call)(x)
        log.gradient(f"{name} values", values)
        log(f"{name} indices", indices)
        weights = _numbers(torch, *values.shape, start=1.0)
        log(f"{name} gradient", torch.autograd.grad((values * weights).sum(), x))


def creation_inside(torch, log):
    x = _numbers(torch, 3, 2)
    for name, call in {
        "zeros": lambda b: torch.zeros(2) + b,
        "arange": lambda b: torch.arange(b.shape[0]) * b,
        "eye": lambda b: torch.eye(2) @ b,
        "full": lambda b: torch.full((2,), 3.0) * b,
        "tensor": lambda b: torch.tensor([1.0, 2.0]) * b,
        "linspace": lambda b: torch.linspace(0, 1, 2) * b,
        "stack": lambda b: torch.stack([b, torch.ones(2)]),
        "as_tensor": lambda b: torch.as_tensor(b) * 2,
        "from_numpy": lambda b: torch.from_numpy(np.ones(2, np.float32)) * b,
    }.items():
        log(name, torch.vmap(call)(x))


def distances_between_all_rows(torch, log):
    x = torch.tensor([[0.0, 1.0], [3.0, 5.0], [6.0, 9.0]], requires_grad=True)
    rows = torch.vmap(torch.vmap(lambda a, b: (a - b).square().sum(), (None, 0)), (0, None))
    d = rows(x, x)
    log.gradient("d", d)
    log("gradient", torch.autograd.grad((d * _numbers(torch, 3, 3)).sum(), x))


def a_small_network(torch, log):
    x = _numbers(torch, 4, 3) / 10
    y = torch.tensor([0, 1, 1, 0])
    w = (_numbers(torch, 2, 3) / 5 - 0.4).requires_grad_()
    b = torch.zeros(2, requires_grad=True)

    def loss(sample, label):
        logits = torch.nn.functional.linear(sample, w, b)
        return -torch.log_softmax(logits, 0)[label]

    losses = torch.vmap(loss)(x, y)
    log.gradient("losses", losses)
    losses.mean().backward()
    log("w", w.grad)
    log("b", b.grad)


# ---------------------------------------------------------------- elements and history inside


_READ = {
    "item": lambda r: r.item(),
    "bool": bool,
    "float": float,
    "int": int,
}


@each(read=list(_READ), shape=[(3,), (3, 1), (3, 2), (3, 0)])
def elements_read_inside(torch, log, read, shape):
    log.attempt("read", lambda: torch.vmap(lambda r: _READ[read](r) * r)(torch.ones(shape)))


@differs("every operation has a rule, and none warns", {"warnings": []})
def history_is_not_cut_in_place_inside(torch, log):
    x = torch.ones(3, 2, requires_grad=True)
    with log.warns("warnings"):
        log.attempt("an entry", lambda: torch.vmap(lambda r: r.detach_())(x))
        log.attempt("a result", lambda: torch.vmap(lambda r: (2 * r).detach_())(x))
    log.gradient("of no entry", torch.vmap(lambda r: r * (2 * x[0]).detach_())(torch.ones(3, 2)))
