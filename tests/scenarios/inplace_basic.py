"""detach, .data, clone, requires_grad_, and the in-place operations of a training loop."""

from ._harness import each

# ------------------------------------------------------------------ requires_grad


def requires_grad_by_method(torch, log):
    x = torch.tensor([1.0, 2.0])
    log("before", x.requires_grad)
    log("returns itself", x.requires_grad_() is x)
    log("after", x.requires_grad)
    x.requires_grad_(False)
    log("off again", x.requires_grad)
    x.requires_grad_(requires_grad=True)
    log("by keyword", x.requires_grad)


def requires_grad_by_assignment(torch, log):
    x = torch.tensor([1.0, 2.0])
    x.requires_grad = True
    (x * x).sum().backward()
    log("grad", x.grad)
    x.requires_grad = False
    log("off", x.requires_grad)
    log("grad stays", x.grad)


@each(dtype=["int64", "int32", "uint8", "bool"])
def requires_grad_of_integers_raises(torch, log, dtype):
    kind = getattr(torch, dtype)
    with log.raises("tensor"):
        torch.tensor([1, 0], dtype=kind, requires_grad=True)
    with log.raises("zeros"):
        torch.zeros(2, dtype=kind, requires_grad=True)
    x = torch.tensor([1, 0], dtype=kind)
    with log.raises("method"):
        x.requires_grad_()
    with log.raises("assignment"):
        x.requires_grad = True
    log("requires_grad_(False)", x.requires_grad_(False))


def requires_grad_of_intermediates(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    log("True is accepted", y.requires_grad_().requires_grad)
    with log.raises("False by method"):
        y.requires_grad_(False)
    with log.raises("False by assignment"):
        y.requires_grad = False


def requires_grad_of_an_intermediate_without_grad(torch, log):
    y = torch.tensor([1.0, 2.0]) * 2
    y.requires_grad_()
    log("is_leaf", y.is_leaf)
    (y * y).sum().backward()
    log("grad", y.grad)


@each(value=[1, 0, "yes", None])
def requires_grad_of_other_types(torch, log, value):
    x = torch.tensor([1.0, 2.0])
    log.attempt("assignment", lambda: setattr(x, "requires_grad", value))
    log("requires_grad", x.requires_grad)
    log.attempt("method", lambda: x.requires_grad_(value).requires_grad)
    log.attempt("constructor", lambda: torch.tensor([1.0], requires_grad=value).requires_grad)


def requires_grad_turned_off_before_backward(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    x.requires_grad_(False)
    log.attempt("backward", lambda: y.backward())
    log("grad", x.grad)


def is_leaf(torch, log):
    x = torch.tensor([1.0], requires_grad=True)
    log("made by the user", x.is_leaf)
    log("constant", torch.ones(1).is_leaf)
    log("function of a constant", (torch.ones(1) * 2).is_leaf)
    log("function of a leaf", (x * 2).is_leaf)
    log("detached", (x * 2).detach().is_leaf)
    log("converted", torch.ones(1, requires_grad=True).double().is_leaf)
    log("converted to itself", torch.ones(1, requires_grad=True).float().is_leaf)
    log("reshaped", torch.ones(2, requires_grad=True).reshape(2, 1).is_leaf)
    log("is_leaf cannot be set", _refusal(x, "is_leaf", False))


def _refusal(obj, name, value):
    try:
        setattr(obj, name, value)
    except AttributeError as error:
        return type(error).__name__
    return "accepted"


def read_only_attributes(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for name in ("is_leaf", "shape", "dtype", "ndim", "grad_fn", "T"):
        log(name, _refusal(x, name, None))


# ------------------------------------------------------------------ detach, data, clone


def detach_cuts_the_graph(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    d = y.detach()
    log("d", d)
    with log.raises("backward"):
        d.sum().backward()
    (y * d).sum().backward()
    log("grad", x.grad)


def detach_shares_memory(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    d = x.detach()
    d[0] = 10.0
    log("x", x)
    log("d", d)
    log("another object each time", x.detach() is d)


def detach_of_a_constant(torch, log):
    x = torch.tensor([1.0, 2.0])
    d = x.detach()
    log("d", d)
    log("same object", d is x)


def detach_in_place(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    log("returns itself", y.detach_() is y)
    log("y", y)
    log("is_leaf", y.is_leaf)
    with log.raises("backward"):
        y.sum().backward()


def detach_then_change_raises_at_backward(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    y.detach().zero_()
    with log.raises("the version is shared"):
        y.sum().backward()


def data_then_change_is_not_noticed(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    x.data.mul_(10.0)
    y.sum().backward()
    log("grad with the changed value", x.grad)


def data_has_no_history(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    log("data", x.data)
    log("is_leaf", x.data.is_leaf)
    log("data of an intermediate", (x * 2).data)
    log("another object each time", x.data is x.data)


def data_shares_memory(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.data[0] = 7.0
    log("x", x)
    x.data.sub_(torch.tensor([1.0, 1.0]))
    log("after sub_", x)
    x.data -= 1.0
    log("after -=", x)


def data_assigned(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    kept = x.grad
    x.data = torch.tensor([5.0, 6.0])
    log("x", x)
    log("grad stays", x.grad is kept)
    (x * x).sum().backward()
    log("grad", x.grad)


def data_assigned_other_shape_and_dtype(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    log.attempt("longer", lambda: setattr(x, "data", torch.zeros(3)))
    log("x", x)
    log.attempt("float64", lambda: setattr(x, "data", torch.zeros(2, dtype=torch.float64)))
    log("dtype", x.dtype)
    log.attempt("int64", lambda: setattr(x, "data", torch.zeros(2, dtype=torch.int64)))
    log.attempt("a number", lambda: setattr(x, "data", 1.0))


def gradient_descent_through_data(torch, log):
    w = torch.tensor([1.0, -2.0], requires_grad=True)
    for _ in range(3):
        (w * w).sum().backward()
        w.data.sub_(0.25 * w.grad)
        w.grad.data.zero_()
    log("w", w)
    log("grad", w.grad)


def gradient_descent_through_data_assignment(torch, log):
    w = torch.tensor([1.0, -2.0], requires_grad=True)
    for _ in range(3):
        (w * w).sum().backward()
        w.data = w.data - 0.25 * w.grad.data
        w.grad = None
    log("w", w)
    log("grad", w.grad)


def clone_keeps_history(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    c = x.clone()
    log("clone", c)
    (c * c).sum().backward()
    log("grad", x.grad)
    c.data[0] = 50.0
    log("memory is not shared", x)


def clone_of_a_constant(torch, log):
    x = torch.tensor([1.0, 2.0])
    c = x.clone()
    c[0] = 9.0
    log("x", x)
    log("c", c)


def clone_then_detach_and_detach_then_clone(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    log("clone detach", x.clone().detach())
    log("detach clone", x.detach().clone())
    log("detach clone requires_grad_", x.detach().clone().requires_grad_())


def clone_then_change_in_place(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    c = x.clone()
    c.mul_(3.0)
    c[0] = 0.0
    log("c", c)
    c.sum().backward()
    log("grad", x.grad)


# ------------------------------------------------------------------ leaves refuse


_LEAF_CHANGES = {
    "add_": lambda x: x.add_(1.0),
    "sub_": lambda x: x.sub_(1.0),
    "mul_": lambda x: x.mul_(2.0),
    "div_": lambda x: x.div_(2.0),
    "zero_": lambda x: x.zero_(),
    "fill_": lambda x: x.fill_(1.0),
    "copy_": lambda x: x.copy_(x.detach()),
    "exp_": lambda x: x.exp_(),
    "clamp_": lambda x: x.clamp_(0.0, 1.0),
    "pow_": lambda x: x.pow_(2),
    "iadd": lambda x: x.__iadd__(1.0),
    "isub": lambda x: x.__isub__(1.0),
    "imul": lambda x: x.__imul__(2.0),
    "itruediv": lambda x: x.__itruediv__(2.0),
    "setitem_int": lambda x: x.__setitem__(0, 1.0),
    "setitem_slice": lambda x: x.__setitem__(slice(None), 1.0),
    "setitem_mask": lambda x: x.__setitem__(x > 1, 0.0),
    "view_add_": lambda x: x.view(2).add_(1.0),
    "row_zero_": lambda x: [x[0].zero_()][1:],
}


@each(change=list(_LEAF_CHANGES))
def leaf_that_requires_grad_refuses(torch, log, change):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with log.raises("with grad mode"):
        _LEAF_CHANGES[change](x)
    log("unchanged", x)
    with torch.no_grad():
        log.attempt("without grad mode", lambda: _LEAF_CHANGES[change](x) and None)
    log("changed", x)


@each(change=list(_LEAF_CHANGES))
def constant_accepts(torch, log, change):
    x = torch.tensor([1.0, 2.0])
    _LEAF_CHANGES[change](x)
    log("x", x)


# ------------------------------------------------------------------ intermediates


def intermediate_changed_in_place(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    kept = y
    y += 1
    log("same object", y is kept)
    log("y", y)
    y.mul_(3)
    log("y after mul_", y)
    y.sum().backward()
    log("grad", x.grad)


def constant_that_gains_history_in_place(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    c = torch.zeros(2)
    c += x
    log("c", c)
    log("is_leaf", c.is_leaf)
    (c * c).sum().backward()
    log("grad", x.grad)


def accumulator_in_a_loop(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    total = 0
    for k in range(4):
        total += (x * k).sum()
    log("total", total)
    total.backward()
    log("grad", x.grad)


_SAVED = {
    "exp": lambda x: x.exp(),
    "tanh": lambda x: x.tanh(),
    "sigmoid": lambda x: x.sigmoid(),
    "sqrt": lambda x: x.sqrt(),
    "relu": lambda x: x.relu(),
    "softmax": lambda x: x.softmax(0),
    "reciprocal": lambda x: x.reciprocal(),
}


@each(op=list(_SAVED))
def saved_result_changed_before_backward(torch, log, op):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = _SAVED[op](x)
    y.mul_(2)
    with log.raises("backward"):
        y.sum().backward()
    log("grad", x.grad)


_NOT_SAVED = {
    "add": lambda x: x + 1,
    "neg": lambda x: -x,
    "mul_scalar": lambda x: x * 2,
    "sin": lambda x: x.sin(),
    "log": lambda x: x.log(),
    "abs": lambda x: x.abs(),
    "pow": lambda x: x**2,
    "clone": lambda x: x.clone(),
    "cumsum": lambda x: x.cumsum(0),
}


@each(op=list(_NOT_SAVED))
def unsaved_result_changed_before_backward(torch, log, op):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = _NOT_SAVED[op](x)
    y.mul_(2)
    y.sum().backward()
    log("grad", x.grad)


_OPERANDS = {
    "mul": lambda h: h * h,
    "sin": lambda h: h.sin(),
    "log": lambda h: h.log(),
    "pow": lambda h: h**3,
    "exp": lambda h: h.exp(),
    "add": lambda h: h + h,
    "sum": lambda h: h.sum(),
    "matmul": lambda h: h @ h,
    "abs": lambda h: h.abs(),
    "relu": lambda h: h.relu(),
    "clamp": lambda h: h.clamp(0.0, 1.5),
    "max": lambda h: h.max(),
    "index": lambda h: h[0],
}


@each(op=list(_OPERANDS))
def operand_changed_before_backward(torch, log, op):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * 1
    y = _OPERANDS[op](h)
    h.add_(10.0)
    log.attempt("backward", lambda: y.sum().backward())
    log("grad", x.grad)


def leaf_changed_under_no_grad_before_backward(torch, log):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (w * w).sum()
    with torch.no_grad():
        w.add_(1.0)
    with log.raises("backward"):
        y.backward()
    log("grad", w.grad)


def constant_operand_changed_before_backward(torch, log):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    c = torch.tensor([3.0, 4.0])
    y = (w * c).sum()
    c.zero_()
    with log.raises("backward"):
        y.backward()


def two_changes_are_counted(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    y.add_(1)
    y.add_(1)
    with log.raises("backward"):
        y.sum().backward()


def version_counts_changes(torch, log):
    x = torch.zeros(2)
    log("fresh", x._version)
    x.add_(1)
    x[0] = 5
    x += 1
    log("after three", x._version)
    with torch.no_grad():
        x.zero_()
    log("after no_grad", x._version)
    x.data.add_(1)
    log("after data", x._version)
    x.detach().add_(1)
    log("after detach", x._version)
    x.view(2, 1).add_(1)
    log("after a view", x._version)
    log("clone", x.clone()._version)


def update_twice_as_long_as_needed_raises(torch, log):
    w = torch.tensor([1.0], requires_grad=True)
    loss = (w * w).sum()
    loss.backward(retain_graph=True)
    with torch.no_grad():
        w -= 0.5 * w.grad
    with log.raises("stale graph"):
        loss.backward()


def in_place_broadcast_is_refused(torch, log):
    x = torch.zeros(2)
    with log.raises("larger operand"):
        x.add_(torch.ones(3, 2))
    with log.raises("mismatch"):
        x.add_(torch.ones(3))
    log("x", x)


def in_place_dtype_rules(torch, log):
    n = torch.tensor([1, 2])
    with log.raises("integer += float"):
        n += 0.5
    with log.raises("integer /= 2"):
        n /= 2
    log("n", n)
    x = torch.tensor([1.0, 2.0])
    x += torch.tensor([1, 1])
    x *= torch.tensor([2.0, 2.0], dtype=torch.float64)
    log("x", x)
    with log.raises("float *= complex"):
        x *= 1j


def in_place_returns_itself(torch, log):
    x = torch.tensor([4.0, 9.0])
    for name in ("zero_", "sqrt_", "neg_", "exp_"):
        log(name, getattr(x, name)() is x)
    log("add_ with alpha", x.add_(torch.ones(2), alpha=3))
    log("copy_", x.copy_(torch.tensor([5, 6])))
    log("fill_", x.fill_(2))
    log("fill_ by tensor", x.fill_(torch.tensor(3)))


def setitem_variants(torch, log):
    x = torch.zeros(3, 3)
    x[0] = 1
    x[1, 1] = 2.5
    x[:, 2] = torch.tensor([7.0, 8.0, 9.0])
    x[torch.tensor([True, False, False]), 0] = -1
    x[-1, ::2] *= 2
    x[torch.tensor([0, 2]), torch.tensor([1, 1])] = torch.tensor([5.0, 6.0])
    log("x", x)


def setitem_of_a_value_with_history(torch, log):
    v = torch.tensor([1.0, 2.0], requires_grad=True)
    x = torch.zeros(2, 2)
    x[0] = v * v
    x[1, 0] = v[1]
    log("x", x)
    (x * torch.tensor([[1.0, 10.0], [100.0, 1000.0]])).sum().backward()
    log("grad", v.grad)


def setitem_errors(torch, log):
    x = torch.zeros(2, 2)
    with log.raises("shape"):
        x[0] = torch.ones(3)
    with log.raises("out of range"):
        x[2] = 1
    with log.raises("string"):
        x[0] = "one"
    with log.raises("too many indices"):
        x[0, 0, 0] = 1
    with log.raises("None"):
        x[0] = None
    log("x", x)


_KEYS = {
    "indices": lambda t: t.tensor([0, 1]),
    "mask": lambda t: t.tensor([True, True, False]),
    "list": lambda t: [0, 1],
    "0-d mask": lambda t: t.tensor(True),
    "slice": lambda t: slice(0, 2),
    "int": lambda t: 0,
    "all": lambda t: ...,
    "none": lambda t: None,
    "False": lambda t: False,
}
_VALUES = {
    "complex number": lambda t: 1 + 2j,
    "large number": lambda t: 1e300,
    "double": lambda t: t.tensor(2.5, dtype=t.float64),
    "integer": lambda t: t.tensor(2),
    "complex": lambda t: t.tensor(1 + 2j),
    "vector of doubles": lambda t: t.tensor([2.5], dtype=t.float64),
    "vector of integers": lambda t: t.tensor([1, 2]),
    "vector of complex": lambda t: t.tensor([1 + 2j]),
    "bool": lambda t: t.tensor(True),
}


@each(key=list(_KEYS), dtype=["float32", "int64", "complex64", "bool"])
def setitem_of_another_dtype(torch, log, key, dtype):
    for name, value in _VALUES.items():

        def write(value=value):
            x = torch.zeros(3, dtype=getattr(torch, dtype))
            x[_KEYS[key](torch)] = value(torch)
            return x

        with log.warns(f"{name} warns"):
            log.attempt(name, write)


@each(key=["indices", "mask"], accumulate=[False, True])
def index_put_of_another_dtype(torch, log, key, accumulate):
    for name in ("double", "integer", "complex", "vector of doubles", "vector of integers"):
        given = (_KEYS[key](torch),), _VALUES[name](torch), accumulate
        log.attempt(f"{name} in place", lambda given=given: torch.zeros(3).index_put_(*given))
        log.attempt(name, lambda given=given: torch.zeros(3).index_put(*given))


def setitem_with_two_things_wrong(torch, log):
    leaf, at = torch.zeros(3, requires_grad=True), torch.tensor([0, 1])
    log.attempt("leaf, dtype", lambda: leaf.__setitem__(at, torch.tensor([1, 2])))
    x = torch.tensor([2, 0, 1])
    log.attempt("memory, dtype", lambda: x.__setitem__(x, torch.ones(3)))
    log.attempt("shape, dtype", lambda: x.__setitem__(at, torch.ones(3)))


def setitem_by_a_mask_of_another_dtype_has_a_gradient(torch, log):
    x = torch.ones(3, requires_grad=True)
    v = torch.tensor([2.0], dtype=torch.float64, requires_grad=True)
    y = x * 1
    y[torch.tensor([True, False, True])] = v
    log("y", y)
    log("gradients", torch.autograd.grad((y * y).sum(), [x, v]))


@each(
    shape=[(3,), (2, 3), ()],
    key=["slice", "int", "column", "all", "last", "none", "none and int"],
)
def setitem_of_a_shape_that_does_not_fit(torch, log, shape, key):
    at = {
        "slice": slice(0, 2), "int": 0, "column": (slice(None), 1), "all": ...,
        "last": (..., slice(0, 2)), "none": None, "none and int": (None, 0),
    }[key]  # fmt: skip
    for dtype in (torch.float32, torch.bool):
        for size in [(2, 3), (1, 3), (3,), (2,), (0,), (1, 1, 1), (2, 1, 1), (2, 2, 3)]:

            def write(size=size, dtype=dtype):
                x = torch.zeros(shape, dtype=dtype)
                x[at] = torch.ones(size, dtype=dtype)
                return x

            log.attempt(f"{dtype} {size}", write)


@each(key=["int", "int in tuple", "slice", "slice in tuple", "ellipsis", "list", "True"])
def item_of_no_axes(torch, log, key):
    x = torch.tensor(1.0)
    at = {
        "int": 0, "int in tuple": (0,), "slice": slice(None), "slice in tuple": (slice(None),),
        "ellipsis": (..., 0), "list": [0], "True": (True, 0),
    }[key]  # fmt: skip
    log.attempt("read", lambda: x[at])
    log.attempt("write", lambda: x.__setitem__(at, 2.0))
