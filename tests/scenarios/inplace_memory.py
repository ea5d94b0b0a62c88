"""Showing other memory in place, and calling a function on each element."""

from __future__ import annotations

import functools
import warnings

from ._harness import differs, each


def _state(log, label, x):
    log(label, x)
    log(f"{label}: place", (tuple(x.stride()), x.storage_offset(), x._version))


def _six(torch, **kwargs):
    return torch.arange(6.0, **kwargs)


# ------------------------------------------------------------------ resize_


@each(size=[(2, 2), (6,), (3,), (1, 1, 1), (), (0,), (2, 0), (2, 3)])
def resize_shows_the_same_memory(torch, log, size):
    x = _six(torch)
    v = x[:2]
    log("same", x.resize_(size) is x)
    _state(log, "x", x)
    x.fill_(9)
    _state(log, "view of before", v)
    _state(log, "as it was", x.resize_(6))


@each(size=[(2, 2), (4,), (1,), (2,)])
def resize_of_a_view(torch, log, size):
    x = _six(torch)
    v = x[2:]
    _state(log, "v", v.resize_(size))
    v.add_(10)
    _state(log, "x", x)


@each(size=[(3, 2), (2, 3), (6,)])
def resize_of_a_transpose(torch, log, size):
    x = _six(torch).view(2, 3).t()
    _state(log, "x", x.resize_(size))


def resize_beyond_the_memory(torch, log):
    x = _six(torch)
    x.resize_(3, 4)
    log("kept", x.view(-1)[:6])
    log("place", (tuple(x.shape), tuple(x.stride()), x.storage_offset(), x._version))
    v = _six(torch)[4:]
    v.resize_(4)
    log("kept of a view", v[:2])
    log("place of a view", (tuple(v.shape), v.storage_offset(), v._version))


def resize_arguments(torch, log):
    x = _six(torch)
    log("list", x.resize_([2, 3]))
    log("size", x.resize_(torch.Size([3, 2])))
    log("keyword", x.resize_(size=(2,)))
    log("tensor", x.resize_(torch.tensor(3)))
    for label, call in {
        "nothing": lambda: x.resize_(),
        "negative": lambda: x.resize_(-1),
        "text": lambda: x.resize_("a"),
        "float": lambda: x.resize_(1.5),
        "truth value": lambda: x.resize_(True),
        "two sequences": lambda: x.resize_((2,), 3),
        "text in it": lambda: x.resize_([2, "a"]),
        "text behind": lambda: x.resize_(2, "a"),
        "unknown": lambda: x.resize_(sizes=(2,)),
    }.items():
        with log.raises(label):
            call()


@each(change=["resize_", "resize_as_"])
def resize_is_not_recorded(torch, log, change):
    def resized(x, n):
        return x.resize_(n) if change == "resize_" else x.resize_as_(torch.zeros(n))

    x = torch.ones(3, requires_grad=True)
    with log.raises("leaf"):
        resized(x, 2)
    with log.raises("leaf of that size"):
        resized(x, 3)
    with log.raises("result"):
        resized(x * 1, 2)
    with torch.no_grad(), log.raises("leaf without record"):
        resized(x, 2)
    log("detached", resized((x * 1).detach(), 2))
    with torch.inference_mode():
        i = torch.ones(3)
        log("in inference mode", resized(i, 2))
    with log.raises("inference tensor"):
        resized(i, 1)
    fa = torch.autograd.forward_ad
    with fa.dual_level(), log.raises("dual"):
        resized(fa.make_dual(torch.ones(3), torch.ones(3)), 2)


def resize_of_what_was_saved(torch, log):
    x, w = torch.ones(3, requires_grad=True), torch.ones(3)
    y = x * w
    w.resize_(3)
    log("gradient", torch.autograd.grad(y.sum(), x))
    y = x * w
    w.resize_(2)
    try:
        y.sum().backward()
    except RuntimeError as error:
        log("refused", "has been modified by an inplace operation" in str(error))


def history_after_resize(torch, log):
    x, w = _six(torch), torch.tensor([2.0, 3.0, 4.0], requires_grad=True)
    x.resize_(3)
    y = x.mul_(w)
    log("y", y)
    log("gradient", torch.autograd.grad(y.sum(), w))


def resize_as_arguments(torch, log):
    x = _six(torch)
    _state(log, "other dtype", x.resize_as_(torch.zeros(3, 2, dtype=torch.int64)))
    _state(log, "transposed", x.resize_as_(torch.zeros(3, 2).t()))
    log("keyword", x.resize_as_(the_template=torch.zeros(2)))
    log("requires a gradient", x.resize_as_(torch.zeros(2, 2, requires_grad=True)))
    for label, call in {
        "number": lambda: x.resize_as_(3),
        "nothing": lambda: x.resize_as_(),
        "two": lambda: x.resize_as_(x, x),
        "unknown": lambda: x.resize_as_(tensor=x),
    }.items():
        with log.raises(label):
            call()


# ------------------------------------------------------------------ as_strided_


def as_strided_shows_the_same_memory(torch, log):
    x = _six(torch)
    v = x[:2]
    log("same", x.as_strided_((2, 2), (1, 2), 1) is x)
    _state(log, "x", x)
    x.add_(10)
    _state(log, "view of before", v)
    _state(log, "offset kept", x.as_strided_((2,), (1,)))
    _state(log, "offset of zero", x.as_strided_((6,), (1,), 0))


def as_strided_arguments(torch, log):
    x = _six(torch)
    log("keywords", x.as_strided_(size=(2,), stride=(1,), storage_offset=3))
    log("empty", x.as_strided_((0,), (1,), 0))
    for label, args in {
        "beyond": ((4,), (2,), 0),
        "offset beyond": ((2,), (1,), 100),
        "negative stride": ((2,), (-1,)),
        "negative offset": ((2,), (1,), -1),
        "lengths": ((2,), (1, 1)),
        "number": (2,),
        "nothing": (),
    }.items():
        with log.raises(label):
            x.as_strided_(*args)


@each(change=["as_strided_", "set_", "set_ to nothing"])
def of_leaves_and_others(torch, log, change):
    def changed(x):
        if change == "as_strided_":
            return x.as_strided_((2,), (1,))
        return x.set_() if change == "set_ to nothing" else x.set_(torch.zeros(2))

    x = torch.ones(3, requires_grad=True)
    with log.raises("leaf"):
        changed(x)
    with log.raises("view of a leaf"):
        changed(x[1:])
    with torch.no_grad():
        _state(log, "leaf without record", changed(x))
    log("is leaf", x.is_leaf)
    (x * 3).sum().backward()
    log("gradient of a leaf", x.grad)
    with torch.inference_mode():
        i = torch.ones(3)
        log("in inference mode", changed(i).is_inference())
    with log.raises("inference tensor"):
        changed(i)
    x = torch.ones(3, requires_grad=True)
    a, _ = (x * 1).split(2)
    with log.raises("one of several views"):
        changed(a)
    y = x * 1
    with torch.no_grad():
        v = y[1:]
    with log.raises("view made without record"):
        changed(v)


def as_strided_of_a_result(torch, log):
    x = torch.arange(4.0).requires_grad_()
    y = x * 2
    y.as_strided_((2, 2), (1, 1))
    _state(log, "y", y)
    log("edges", [f.name() for f, _ in y.grad_fn.next_functions])
    weights = torch.tensor([[1.0, 10.0], [100.0, 1000.0]])
    log("gradient", torch.autograd.grad((y * weights).sum(), x))


def as_strided_of_a_view(torch, log):
    x = torch.arange(4.0).requires_grad_()
    y = x * 2
    v = y[1:]
    v.as_strided_((2,), (2,))
    _state(log, "v", v)
    _state(log, "y", y)
    log("gradient", torch.autograd.grad(v.sum(), x, retain_graph=True))
    v.mul_(5)
    _state(log, "v after a change", v)
    _state(log, "y after a change", y)
    log("gradient after a change", torch.autograd.grad(y.sum(), x))


def as_strided_of_what_was_saved(torch, log):
    x = torch.arange(4.0).requires_grad_()
    y = x * 2
    z = y * y
    y.as_strided_((2,), (1,))
    try:
        z.sum().backward()
    except RuntimeError as error:
        log("refused", "has been modified by an inplace operation" in str(error))


@differs(
    "elements that a tensor does not show any more keep their history",
    {
        "gradient of the view": {
            "tuple": [
                {
                    "tensor": [0.0, 2.0, 6.0, 2.0],
                    "shape": [4],
                    "dtype": "float32",
                    "requires_grad": False,
                    "grad_fn": None,
                }
            ]
        }
    },
)
def as_strided_of_a_base(torch, log):
    x = torch.arange(4.0).requires_grad_()
    y = x * 2
    v = y[1:]
    y.as_strided_((2,), (2,))
    y.mul_(3)
    log("y", y.detach())
    log("v", v.detach())
    log("gradient", torch.autograd.grad(y.sum(), x, retain_graph=True))
    log("gradient of the view", torch.autograd.grad(v.sum(), x))


def as_strided_under_forward_mode(torch, log):
    fa = torch.autograd.forward_ad
    with fa.dual_level():
        x = fa.make_dual(torch.ones(3), torch.tensor([1.0, 2.0, 3.0]))
        x.as_strided_((2,), (2,))
        log("tangent", fa.unpack_dual(x).tangent)


@each(change=["t_", "unsqueeze_", "squeeze_", "transpose_"])
def leaf_turned_without_record(torch, log, change):
    x = torch.ones(1, 3, requires_grad=True)
    with torch.no_grad():
        getattr(x, change)(*{"unsqueeze_": (0,), "transpose_": (0, 1)}.get(change, ()))
    log("x", x)
    log("version", x._version)
    (x * torch.arange(3.0).view(x.shape)).sum().backward()
    log("gradient", x.grad)


# ------------------------------------------------------------------ set_


def set_shows_the_memory_of_another(torch, log):
    x, s = _six(torch), torch.arange(4.0) + 10
    v = x[:2]
    log("same", x.set_(s) is x)
    x[0] = 7
    _state(log, "x", x)
    _state(log, "source", s)
    s.add_(100)
    _state(log, "x after a change of the source", x)
    x.add_(1)
    _state(log, "view of before", v)
    _state(log, "nothing", x.set_())


def set_of_a_view(torch, log):
    x = _six(torch)
    v = x[:2]
    v.set_(torch.tensor([7.0]))
    v.add_(1)
    _state(log, "v", v)
    _state(log, "x", x)


def set_with_a_geometry(torch, log):
    x, s = _six(torch), torch.arange(4.0) + 10
    _state(log, "x", x.set_(s, 1, (2,), (2,)))
    _state(log, "without strides", x.set_(s, 0, (2, 2)))
    _state(log, "by keywords", x.set_(source=s, storage_offset=0, size=(2, 2), stride=(1, 2)))
    _state(log, "of a view", x.set_(s[1:], 1, (2,), (1,)))
    for label, args in {
        "negative offset": (s, -1, (2,), (1,)),
        "lengths": (s, 0, (2,), (1, 1)),
        "negative stride": (s, 3, (2,), (-1,)),
        "negative length": (s, 0, (-2,), (1,)),
        "offset alone": (s, 1),
        "number": (3,),
        "numbers": (1, 2, 3),
        "other dtype": (torch.arange(3),),
        "complex": (torch.zeros(2, dtype=torch.complex128),),
    }.items():
        with log.raises(label):
            x.set_(*args)
    with log.raises("unknown"):
        x.set_(other=s)


@each(source=["constant", "leaf", "result", "nothing", "part of a leaf"], x=["result", "constant"])
def set_under_record(torch, log, source, x):
    a = torch.ones(3, requires_grad=True)
    b = torch.tensor([1.0, 2.0], requires_grad=True)
    y = a * 1 if x == "result" else torch.ones(3)
    args = {
        "constant": (torch.zeros(2),), "leaf": (b,), "result": (b * 1,), "nothing": (),
        "part of a leaf": (b, 1, (1,), (1,)),
    }[source]  # fmt: skip
    y.set_(*args)
    _state(log, "y", y)
    if y.requires_grad:
        log("name", y.grad_fn.name())
        log("edges", [None if f is None else f.name() for f, _ in y.grad_fn.next_functions])
        with log.raises("backward"):
            y.sum().backward()


def set_of_what_was_saved(torch, log):
    x, w = torch.ones(3, requires_grad=True), torch.ones(3)
    y = x * w
    w.set_(torch.zeros(3))
    with log.raises("backward"):
        y.sum().backward()


def history_after_set(torch, log):
    x, s = torch.zeros(3), torch.tensor([1.0, 2.0])
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    x.set_(s)
    x.mul_(w)
    log("x", x)
    log("s", s)
    log("gradient", torch.autograd.grad((x * x).sum(), w))


def set_under_forward_mode(torch, log):
    fa = torch.autograd.forward_ad
    with fa.dual_level(), log.raises("dual"):
        fa.make_dual(torch.ones(3), torch.ones(3)).set_(torch.zeros(3))


# ------------------------------------------------------------------ apply_, map_, map2_

_DTYPES = ["float16", "float32", "float64", "complex64", "int8", "uint8", "int32", "int64", "bool"]


@each(dtype=_DTYPES)
def apply_calls_on_numbers(torch, log, dtype):
    seen = []

    def same(a):
        seen.append((type(a).__name__, a))
        return a

    x = torch.tensor([1, 0, 1], dtype=getattr(torch, dtype))
    log("same", x.apply_(same) is x)
    log("seen", seen)
    log("x", x)
    log("version", x._version)


class _Index:
    def __index__(self):
        return 3


class _Float:
    def __float__(self):
        return 2.5


@each(dtype=_DTYPES)
def what_apply_stores(torch, log, dtype):
    results = [1.7, -1.7, 1 / 3, float("nan"), float("inf"), 1e30, 2 + 3j, 2 + 0j, 300, -300, -4,
               2**40, 2**70, True, "2", None, [1], _Index(), _Float()]  # fmt: skip
    for i, result in enumerate(results):
        x = torch.zeros(1, dtype=getattr(torch, dtype))
        label = f"{i}: {type(result).__name__}"
        log.attempt(label, functools.partial(x.apply_, lambda a, r=result: r))
    x = torch.zeros(1, dtype=getattr(torch, dtype))
    log.attempt("0-d", lambda: x.apply_(lambda a: torch.tensor(2.5)))
    log.attempt("0-d integer", lambda: x.apply_(lambda a: torch.tensor(2)))
    log.attempt("several", lambda: x.apply_(lambda a: torch.tensor([1, 2])))


def order_of_apply(torch, log):
    seen = []
    x = _six(torch).view(2, 3).t()
    x.apply_(lambda a: seen.append(a) or a)
    log("apply", seen)
    seen.clear()
    x.map_(_six(torch).view(3, 2), lambda a, b: seen.append((a, b)) or a)
    log("map", seen)


def apply_until_it_fails(torch, log):
    x = _six(torch)

    def inverse(a):
        if a == 2:
            raise ValueError("two")
        return a + 10

    with log.raises("error"):
        x.apply_(inverse)
    log("x", x)
    log("version", x._version)


def apply_arguments(torch, log):
    x = _six(torch)
    for label, call in {
        "number": lambda: x.apply_(3),
        "map number": lambda: x.map_(x, 3),
        "map no tensor": lambda: x.map_(3, max),
        "map one": lambda: x.map_(x),
        "map order": lambda: x.map_(max, x),
        "map unknown": lambda: x.map_(tensor=x, callable=max),
        "map dtype": lambda: x.map_(torch.arange(6), max),
        "map shape": lambda: x.map_(torch.zeros(5), max),
        "map axes": lambda: x.map_(torch.zeros(2, 6), max),
        "map2 one": lambda: x.map2_(x),
        "map2 no tensor": lambda: x.map2_(x, 3, max),
        "map2 number": lambda: x.map2_(x, x, 3),
        "map2 first dtype": lambda: x.map2_(torch.arange(6), x, max),
        "map2 second dtype": lambda: x.map2_(x, torch.arange(6), max),
        "map2 shape": lambda: x.map2_(x, torch.zeros(5), max),
    }.items():
        with log.raises(label):
            call()
    log("empty", torch.zeros(0).apply_(3))
    log("keywords", x.map_(other=x + 1, callable=max))
    log("x", x)


def map_expands(torch, log):
    x = torch.zeros(2, 3)
    log("map", x.map_(torch.arange(3.0), lambda a, b: a + b))
    log("again", x.map_(torch.tensor(2.0), lambda a, b: a * b))
    log("map2", x.map2_(torch.ones(2, 1), torch.arange(3.0), lambda a, b, c: a + b * c))
    log("version", x._version)


@each(change=["apply_", "map_", "map2_"])
def apply_is_not_recorded(torch, log, change):
    def changed(x, other):
        if change == "apply_":
            return x.apply_(lambda a: a + 1)
        if change == "map_":
            return x.map_(other, lambda a, b: a + 1)
        return x.map2_(torch.ones(2), other, lambda a, b, c: a + 1)

    x, one = torch.ones(2, requires_grad=True), torch.ones(2)
    with log.raises("leaf"):
        changed(x, one)
    with log.raises("result"):
        changed(x * 1, one)
    with torch.no_grad(), log.raises("leaf without record"):
        changed(x, one)
    if change != "apply_":
        with log.raises("other"):
            changed(one, x)
    log("detached", changed(x.detach(), one))
    log("x", x)
    with torch.inference_mode():
        i = torch.ones(2)
    log("inference tensor", changed(i, one))
    y = one * 1
    changed(y, one)
    log("gradient", torch.autograd.grad((x * y).sum(), x))


# ------------------------------------------------------------------ what is read and written


_BY_INDEX = {
    "scatter_": lambda t, x, i, s: x.scatter_(0, i, s),
    "scatter_ add": lambda t, x, i, s: x.scatter_(0, i, s, reduce="add"),
    "scatter_add_": lambda t, x, i, s: x.scatter_add_(0, i, s),
    "scatter_reduce_": lambda t, x, i, s: x.scatter_reduce_(0, i, s, "amax"),
    "index_add_": lambda t, x, i, s: x.index_add_(0, i, s),
    "index_copy_": lambda t, x, i, s: x.index_copy_(0, i, s),
    "index_reduce_": lambda t, x, i, s: x.index_reduce_(0, i, s, "prod"),
    "index_put_": lambda t, x, i, s: x.index_put_((i,), s),
    "accumulated": lambda t, x, i, s: x.index_put_((i,), s, accumulate=True),
    "put_": lambda t, x, i, s: x.put_(i, s),
    "item": lambda t, x, i, s: x.__setitem__(i, s),
}


@each(call=list(_BY_INDEX), source=["itself", "view", "detached", "part", "copy"])
def written_by_index_from_itself(torch, log, call, source):
    x = torch.arange(1.0, 5.0)
    s = {
        "itself": lambda: x, "view": lambda: x.view(4), "detached": x.detach,
        "part": lambda: x[1:], "copy": x.clone,
    }[source]()  # fmt: skip
    i = torch.arange(len(s))
    with warnings.catch_warnings(action="ignore"):  # PyTorch's own, of old or new parts
        log.attempt(call, lambda: _BY_INDEX[call](torch, x, i, s))
    log("x", x)


@each(call=list(_BY_INDEX))
def written_at_what_it_says(torch, log, call):
    x = torch.tensor([2, 0, 1])
    with warnings.catch_warnings(action="ignore"):  # PyTorch's own, of old or new parts
        log.attempt(call, lambda: _BY_INDEX[call](torch, x, x, torch.tensor([1, 2, 3])))
    log("x", x)


def a_mask_that_is_written_to(torch, log):
    m = torch.tensor([True, False, True])
    m[m] = torch.tensor([False])
    log("by itself", m)
    x = torch.arange(1.0, 4.0)
    x[x > 1] = x[0]
    log("one of its numbers", x)
    log("index_put_", x.index_put_((x > 0,), x[:1]))
    log.attempt("accumulated", lambda: x.index_put_((x > 0,), x[:1], accumulate=True))


def apart_without_gaps_only(torch, log):
    x = torch.arange(6.0)
    i = torch.tensor([2, 1, 0])
    log("gaps", x[::2].scatter_(0, i, torch.ones(3)))
    y = x[::2]
    log.attempt("gaps, itself", lambda: y.scatter_(0, i, y))
    none = torch.zeros(0)
    log.attempt("empty, itself", lambda: none.scatter_(0, i[:0], none))


@differs(
    "what is read is computed before `out` is written, also where they overlap",
    {
        "sign": {"tensor": [1.0, 1.0, 2.0], "shape": [3], "dtype": "float32",
                "requires_grad": False, "grad_fn": None},
        "add": {"tensor": [2.0, 3.0, 2.0], "shape": [3], "dtype": "float32",
                "requires_grad": False, "grad_fn": None},
        "cat": {"tensor": [2.0, 1.0, 0.0], "shape": [3], "dtype": "float32",
                "requires_grad": False, "grad_fn": None},
    },
)  # fmt: skip
def out_that_overlaps(torch, log):
    def shown(f):
        x = torch.arange(3.0)
        f(x)
        return x

    log.attempt("sign", lambda: shown(lambda x: torch.sign(x[1:], out=x[:-1])))
    log.attempt("add", lambda: shown(lambda x: torch.add(x[1:], 1, out=x[:-1])))
    log.attempt("cat", lambda: shown(lambda x: torch.cat([x[2:], x[1:2], x[:1]], out=x)))


# ------------------------------------------------------------------ expanded tensors


@each(change=["t_", "transpose_", "swapaxes_", "swapdims_", "squeeze_", "unsqueeze_"])
def shape_of_an_expanded_tensor(torch, log, change):
    at = {"unsqueeze_": (0,), "t_": (), "squeeze_": ()}.get(change, (0, 1))
    x = torch.arange(2.0, requires_grad=True)
    for name, base in {"constant": torch.ones(1), "leaf": x[:1], "row": (x * 2)[:1]}.items():
        y = base.expand(2, 3)

        def changed(y=y):
            return getattr(y, change)(*at)

        log.attempt(name, changed)
        log(f"{name} strides", y.stride())
    y = (x * 2).view(2, 1).expand(2, 3)
    getattr(y, change)(*at)
    log("gradient", torch.autograd.grad((y * y).sum(), x))


def indices_into_a_row_of_an_expanded_tensor(torch, log):
    x = torch.zeros(3)
    e = x.expand(2, 3)
    e[0, torch.tensor([1])] = 5.0
    e[1, torch.tensor([True, False, False])] = 7.0
    log("x", x)


def an_array_of_an_expanded_tensor(torch, log):
    x = torch.ones(2, 1)
    a = x.expand(2, 4).numpy()
    log("writeable", bool(a.flags.writeable))
    a[0, 0] = 3.0
    log("x", x)


@each(of=["data", "detach"])
def an_item_of_expanded_data(torch, log, of):
    x = torch.zeros(1)
    e = x.expand(4)
    (e.data if of == "data" else e.detach())[0] = 1.0
    log("x", x)
    log("e", e)
    with log.raises("twice"):
        e.data.add_(1)


_TWICE = {
    "raises": "RuntimeError",
    "message": "unsupported operation: more than one element of the written-to tensor refers to a "
    "single memory location. Please clone() the tensor before performing the operation.",
}


@differs(
    "memory that repeats is not written to; PyTorch warns of some, and writes some twice",
    {
        **dict.fromkeys(
            ("masked_fill_", "index_fill_", "index_put_", "item", "conj_physical_", "addmv_"),
            _TWICE,
        ),
        **{f"{name} warns": [] for name in ("masked_fill_", "index_fill_", "index_put_", "item")},
    },
)
def what_is_computed_in_an_expanded_tensor(torch, log):
    def e():
        return torch.ones(2, 1).expand(2, 3)

    i = torch.tensor([1])
    for name, change in {
        "masked_fill_": lambda: e().masked_fill_(torch.tensor([True, False, False]), 5),
        "index_fill_": lambda: e().index_fill_(0, i, 5),
        "index_put_": lambda: e().index_put_((i,), torch.tensor(5.0)),
        "item": lambda: e().__setitem__(i, 2.0),
        "conj_physical_": lambda: e().conj_physical_(),
        "addmv_": lambda: torch.ones(1).expand(2).addmv_(torch.ones(2, 2), torch.ones(2)),
    }.items():
        with log.warns(f"{name} warns"):
            log.attempt(name, change)
