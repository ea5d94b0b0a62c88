"""`vmap`: which axes are mapped over, what comes out, in parts and one in another."""

from __future__ import annotations

import functools
from collections import OrderedDict, defaultdict, deque, namedtuple

import numpy as np

from tests.scenarios._harness import differs, each

from ._mapped import _inside, _numbers

Pair = namedtuple("Pair", "left right")


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
    log.attempt("missing", call(p=0), words=dims is not OrderedDict)
    log.attempt("another", call(p=0, r=1), words=dims is not OrderedDict)
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


@differs(
    "functions are mapped over NumPy's arrays as well",
    {"an array": {"numpy": [1.0, 1.0, 1.0], "shape": [3], "dtype": "float64"}},
)
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
