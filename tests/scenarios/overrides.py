"""`__torch_function__`: subclasses that keep their class, and arguments that answer calls."""

import numpy as np

from ._harness import differs, each


def _noting(torch, log=None):
    """A subclass that notes the calls it is asked for, and computes as tensors do."""

    class Noting(torch.Tensor):
        calls = []

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            names = [t.__name__ for t in types if t is not torch.Tensor]
            cls.calls.append([func.__name__, names, len(args)])
            return super().__torch_function__(func, types, args, kwargs)

    return Noting


class _Answering:
    """No tensor, but it answers."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return [func.__name__, [t.__name__ for t in types], len(args), sorted(kwargs or {})]


class _Silent:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return NotImplemented


_OPERATORS = {
    "a + 1": lambda a, p: a + 1, "1 + a": lambda a, p: 1 + a, "p + a": lambda a, p: p + a,
    "a - p": lambda a, p: a - p, "p - a": lambda a, p: p - a, "p / a": lambda a, p: p / a,
    "p @ a": lambda a, p: p @ a, "p ** a": lambda a, p: p**a, "p // a": lambda a, p: p // a,
    "p >= a": lambda a, p: p >= a, "p == a": lambda a, p: p == a,
    "1 - a": lambda a, p: 1 - a, "a * p": lambda a, p: a * p,
    "a / 2": lambda a, p: a / 2, "a % 2": lambda a, p: a % 2, "a // 2": lambda a, p: a // 2,
    "2 ** a": lambda a, p: 2**a, "a ** 2": lambda a, p: a**2, "a @ p": lambda a, p: a @ p,
    "-a": lambda a, p: -a, "+a": lambda a, p: +a, "abs(a)": lambda a, p: abs(a),
    "a < p": lambda a, p: a < p, "p < a": lambda a, p: p < a, "a == 1": lambda a, p: a == 1,
    "a != p": lambda a, p: a != p, "a[0]": lambda a, p: a[0], "a[a > 1]": lambda a, p: a[a > 1],
    "len(a)": lambda a, p: len(a), "list(a)": lambda a, p: list(a), "2 in a": lambda a, p: 2 in a,
    "reversed(a)": lambda a, p: reversed(a), "repr(a)": lambda a, p: repr(a),
    "f'{a}'": lambda a, p: f"{a}", "float(a[0])": lambda a, p: float(a[0]),
    "bool(a[0])": lambda a, p: bool(a[0]), "hash": lambda a, p: hash(a) == id(a),
}  # fmt: skip


@each(operator=list(_OPERATORS.items()))
def operators(torch, log, operator):
    cls = _noting(torch)
    a = torch.tensor([1.0, 2.0]).as_subclass(cls)
    p = torch.tensor([3.0, 1.0])
    cls.calls.clear()
    y = operator[1](a, p)
    log("asked", cls.calls)
    log("class", type(y).__name__)
    log("value", y.as_subclass(torch.Tensor) if isinstance(y, torch.Tensor) else y)


_CALLS = {
    "a.add": lambda torch, a, p: a.add(p, alpha=2),
    "torch.add": lambda torch, a, p: torch.add(p, a),
    "a.sum": lambda torch, a, p: a.sum(0), "torch.sum": lambda torch, a, p: torch.sum(a, dim=0),
    "a.sin": lambda torch, a, p: a.sin(), "torch.sin": lambda torch, a, p: torch.sin(a),
    "torch.cat": lambda torch, a, p: torch.cat([p, a]),
    "torch.stack": lambda torch, a, p: torch.stack((a, p)),
    "torch.where": lambda torch, a, p: torch.where(p > 2, a, p),
    "torch.max": lambda torch, a, p: torch.max(a, p), "a.view": lambda torch, a, p: a.view(2, 1),
    "a.clone": lambda torch, a, p: a.clone(), "a.detach": lambda torch, a, p: a.detach(),
    "a.to": lambda torch, a, p: a.to(torch.float64), "a.unbind": lambda torch, a, p: a.unbind(0),
    "a.shape": lambda torch, a, p: a.shape, "a.dtype": lambda torch, a, p: a.dtype,
    "a.data": lambda torch, a, p: a.data, "a.grad": lambda torch, a, p: a.grad,
    "a.grad_fn": lambda torch, a, p: a.grad_fn, "a.is_leaf": lambda torch, a, p: a.is_leaf,
    "a.mT": lambda torch, a, p: a.view(1, 2).mT, "a.size()": lambda torch, a, p: a.size(),
    "a.numpy": lambda torch, a, p: a.numpy(), "a.tolist": lambda torch, a, p: a.tolist(),
    "a.new_zeros": lambda torch, a, p: a.new_zeros(2),
    "zeros_like": lambda torch, a, p: torch.zeros_like(a),
    "torch.numel": lambda torch, a, p: torch.numel(a),
    "torch.equal": lambda torch, a, p: torch.equal(a, p),
    "torch.is_tensor": lambda torch, a, p: torch.is_tensor(a),
    "a.add_": lambda torch, a, p: a.add_(p), "out=": lambda torch, a, p: torch.add(p, p, out=a),
    "relu": lambda torch, a, p: torch.relu(a), "a.type": lambda torch, a, p: a.type(),
    "a.as_subclass": lambda torch, a, p: a.as_subclass(torch.Tensor),
    "autograd.grad": lambda torch, a, p: torch.autograd.grad((q := a.requires_grad_()).sum(), q)[0],
}  # fmt: skip


@each(call=list(_CALLS.items()))
def calls(torch, log, call):
    cls = _noting(torch)
    a = torch.tensor([1.0, 2.0]).as_subclass(cls)
    p = torch.tensor([3.0, 1.0])
    cls.calls.clear()
    y = call[1](torch, a, p)
    log("asked", cls.calls)
    log("class", type(y).__name__)
    with torch._C.DisableTorchFunctionSubclass():
        log("value", y)


def changes_in_place(torch, log):
    cls = _noting(torch)
    a = torch.tensor([1.0, 2.0, 3.0]).as_subclass(cls)
    cls.calls.clear()
    before = a
    a += 1
    a -= 1
    a *= 2
    a /= 2
    a **= 2
    a[0] = 5.0
    a.requires_grad = False
    a.data = torch.ones(2)
    a.grad = None
    log("asked", cls.calls)
    log("same object", a is before)
    log("class", type(a).__name__)


def results_keep_the_class(torch, log):
    class Metres(torch.Tensor):
        pass

    a = torch.tensor([[1.0, 3.0], [4.0, 2.0]]).as_subclass(Metres)
    log("text", repr(a))
    for label, y in {
        "sum": a.sum(), "max": a.max(1), "values": a.max(1).values, "split": a.split(1),
        "sort": list(a.sort(1)), "shape": a.shape, "item": a[0, 0].item(), "bool": a > 2,
        "numpy": a.numpy(), "matmul": a @ torch.ones(2), "softmax": torch.softmax(a, 0),
        "meshgrid": torch.meshgrid(a[0], a[1], indexing="ij"), "rows": list(a),
        "with numbers": 2 * a + 1, "einsum": torch.einsum("ij->i", a), "like": torch.ones_like(a),
        "nonzero": torch.nonzero(a > 2), "norm": torch.linalg.norm(a), "std": a.std(),
        "mse": torch.nn.functional.mse_loss(a, a + 1),
    }.items():  # fmt: skip
        log(label, type(y).__name__)
        if isinstance(y, (tuple, list)):
            log(f"{label} of", [type(t).__name__ for t in y])


def texts(torch, log):
    class Metres(torch.Tensor):
        pass

    a = torch.tensor([[1.0, 2.5], [3.0, 4.0]]).as_subclass(Metres)
    log("matrix", repr(a))
    log("0-d", repr(a[0, 1]))
    log("f-string of 0-d", f"{a[0, 1]}")
    log.attempt("with a code", lambda: f"{a[0, 1]:.2f}")
    log("double", repr(a.double()))
    log("result", repr(torch.tensor([1.0], requires_grad=True).as_subclass(Metres)))
    log("leaf", repr(torch.Tensor._make_subclass(Metres, torch.tensor([1.0]), True)))
    log("integers", repr(torch.tensor([1, 2]).as_subclass(Metres)))


def making_instances(torch, log):
    class Metres(torch.Tensor):
        pass

    data = torch.tensor([1.0, 2.0])
    for label, make in {
        "list": lambda: Metres([1.0, 2.0]), "sizes": lambda: Metres(2, 3).shape,
        "tensor": lambda: Metres(data), "nothing": lambda: Metres(),
        "as_subclass": lambda: data.as_subclass(Metres),
        "_make_subclass": lambda: torch.Tensor._make_subclass(Metres, data),
    }.items():  # fmt: skip
        made = make()
        log(label, type(made).__name__)
        if isinstance(made, torch.Tensor):
            log(f"{label} shares memory", made.data_ptr() == data.data_ptr())
            log(f"{label} text", repr(made))
    log.attempt("no subclass", lambda: data.as_subclass(int))
    log.attempt("no type", lambda: data.as_subclass(3))
    log.attempt("_make_subclass of int", lambda: torch.Tensor._make_subclass(int, data))
    log.attempt("of integers that require", lambda: torch.Tensor._make_subclass(
        Metres, torch.tensor([1]), True))  # fmt: skip
    log("back", type(Metres([1.0]).as_subclass(torch.Tensor)).__name__)
    log("issubclass", issubclass(Metres, torch.Tensor))


def constructors_of_their_own(torch, log):
    class WithNote(torch.Tensor):
        @staticmethod
        def __new__(cls, data, note, **options):
            return super().__new__(cls, data, **options)

        def __init__(self, data, note):
            self.note = note

    a = WithNote([1.0, 2.0], "n")
    log("text", repr(a))
    log("note", a.note)
    log("result has none", hasattr(a + 1, "note"))
    b = WithNote(torch.ones(2, requires_grad=True), "m")
    log("of a leaf", repr(b))
    log("is a leaf", b.is_leaf)


def gradients_through_a_subclass(torch, log):
    class Metres(torch.Tensor):
        pass

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    a = x.as_subclass(Metres)
    log("grad_fn", a.grad_fn.name())
    y = (a * a).sum()
    log("class", type(y).__name__)
    log("grad_fn of the result", y.grad_fn.name())
    y.backward()
    log("grad", x.grad)
    log("class of grad", type(x.grad).__name__)
    b = torch.Tensor._make_subclass(Metres, torch.tensor([3.0]), True)
    log("is a leaf", b.is_leaf)
    (b * b).sum().backward()
    log("grad of a leaf", b.grad)
    log("its class", type(b.grad).__name__)
    g = torch.autograd.grad((b**3).sum(), b, create_graph=True)[0]
    log("class from autograd.grad", type(g).__name__)
    log.gradient("second", torch.autograd.grad(g.sum(), b)[0].as_subclass(torch.Tensor))


def hooks_of_a_subclass(torch, log):
    class Metres(torch.Tensor):
        pass

    b = torch.Tensor._make_subclass(Metres, torch.tensor([3.0]), True)
    b.register_hook(lambda g: log("class in the hook", type(g).__name__))
    b.register_post_accumulate_grad_hook(lambda t: log("class after", type(t).__name__))
    (b * b).sum().backward()


def in_place_keeps_history(torch, log):
    class Metres(torch.Tensor):
        pass

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    a = (x * 2).as_subclass(Metres)
    a.mul_(3.0)
    log("class", type(a).__name__)
    log("value", a.detach().as_subclass(torch.Tensor))
    a.sum().backward()
    log("grad", x.grad)
    b = torch.zeros(3).as_subclass(Metres)
    b[1] = x[0]
    b.sum().backward()
    log("after a write", x.grad)


def subclasses_of_subclasses(torch, log):
    first = _noting(torch)

    class Second(first):
        pass

    p = torch.tensor([1.0])
    a, b = p.as_subclass(first), p.as_subclass(Second)
    first.calls.clear()
    for label, call in {
        "first, second": lambda: torch.add(a, b), "second, first": lambda: torch.add(b, a),
        "operator": lambda: a + b, "reflected": lambda: b - a, "with a tensor": lambda: p + b,
        "cat": lambda: torch.cat([a, p, b]),
    }.items():  # fmt: skip
        log(label, type(call()).__name__)
    log("asked", first.calls)


def unrelated_subclasses(torch, log):
    class Metres(torch.Tensor):
        pass

    class Seconds(torch.Tensor):
        pass

    m, s = Metres([1.0]), Seconds([2.0])
    log.attempt("operator", lambda: m + s)
    log.attempt("function", lambda: torch.add(m, s))
    log.attempt("method", lambda: m.mul(s))
    log.attempt("list", lambda: torch.cat([m, s]))
    log.attempt("comparison", lambda: m < s)


@differs("what nobody answers is no comparison of elements", {"equality": False})
def equality_of_unrelated_subclasses(torch, log):
    class Metres(torch.Tensor):
        pass

    class Seconds(torch.Tensor):
        pass

    log("equality", Metres([1.0]) == Seconds([2.0]))


def one_that_allows_others(torch, log):
    class Quantity(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            with torch._C.DisableTorchFunctionSubclass():
                return [func.__name__, func(*args, **(kwargs or {}))]

    class Other(torch.Tensor):
        pass

    q, o = Quantity([1.0]), Other([2.0])
    log("q + o", q + o)
    log("o + q", o + q)
    log("function", torch.mul(o, q))


def foreign_arguments(torch, log):
    f = _Answering()
    x = torch.tensor([1.0, 2.0])
    for label, call in {
        "torch.add(f, 1)": lambda: torch.add(f, 1), "torch.add(x, f)": lambda: torch.add(x, f),
        "x.mul(f)": lambda: x.mul(f), "x + f": lambda: x + f, "f + x": lambda: f + x,
        "x * f": lambda: x * f, "f - x": lambda: (f - x)[0], "x == f": lambda: x == f,
        "x < f": lambda: x < f, "f < x": lambda: f < x, "torch.cat": lambda: torch.cat([x, f]),
        "torch.sum(input=)": lambda: torch.sum(input=f),
        "torch.mean": lambda: torch.mean(f, dim=0, keepdim=True),
        "zeros_like": lambda: torch.zeros_like(f), "torch.sin": lambda: torch.sin(f),
        "torch.matmul": lambda: torch.matmul(x, f), "torch.where": lambda: torch.where(x > 0, x, f),
        "torch.stack": lambda: torch.stack([f, f]), "torch.max": lambda: torch.max(f, 0),
        "torch.exp": lambda: torch.exp(f), "torch.reshape": lambda: torch.reshape(f, (1,)),
        "torch.numel": lambda: torch.numel(f), "torch.einsum": lambda: torch.einsum("i->", f)[:2],
        "torch.is_tensor": lambda: torch.is_tensor(f),
    }.items():  # fmt: skip
        log.attempt(label, call)


def nobody_answers(torch, log):
    n, x = _Silent(), torch.tensor([1.0])
    log.attempt("function", lambda: torch.add(x, n))
    log.attempt("method", lambda: x.add(n))
    log.attempt("operator", lambda: x + n)
    log.attempt("reflected", lambda: n + x)
    log.attempt("comparison", lambda: x < n)
    log.attempt("equality", lambda: x == n)
    log.attempt("written in Python", lambda: torch.nn.functional.relu6(n))
    log("the next one answers", torch.add(n, _Answering()))

    class Mute(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    m = x.as_subclass(Mute)
    log.attempt("subclass, function", lambda: torch.add(m, 1))
    log.attempt("subclass, operator", lambda: m + 1)
    log.attempt("subclass, attribute", lambda: m.shape)
    log.attempt("subclass, method", lambda: m.sum())


def errors_of_an_answer(torch, log):
    class Raising(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            raise ValueError(f"not for {func.__name__}")

    a = torch.tensor([1.0]).as_subclass(Raising)
    for label, call in {
        "operator": lambda: a + 1, "repr": lambda: repr(a), "attribute": lambda: a.shape,
        "function": lambda: torch.sin(a), "bool": lambda: bool(a), "len": lambda: len(a),
    }.items():  # fmt: skip
        log.attempt(label, call)


def refusals_for_plain_arguments_stay(torch, log):
    log.attempt("add", lambda: torch.add("a", 1))
    log.attempt("sin", lambda: torch.sin([1.0]))
    log.attempt("sum", lambda: torch.sum(None))
    log.attempt("x + list", lambda: torch.ones(1) + [1])  # noqa: RUF005
    log.attempt("x + object", lambda: torch.ones(1) + object())

    class Metres(torch.Tensor):
        pass

    log.attempt("of a subclass", lambda: Metres([1.0]).sum("a"))
    log.attempt("sizes", lambda: Metres([1.0, 2.0]) + Metres([1.0, 2.0, 3.0]))


def answers_switched_off(torch, log):
    class Metres(torch.Tensor):
        pass

    a = Metres([1.0])
    with torch._C.DisableTorchFunctionSubclass():
        log("operator", type(a + 1).__name__)
        log("tensor first", torch.tensor([5.0]) - a)
        log("tensor first, matrix", torch.eye(2) @ Metres([[1.0, 2.0], [3.0, 4.0]]))
        log("method", type(a.sin()).__name__)
        log("function", type(torch.add(a, a)).__name__)
        log("in place", type(a.add_(1)).__name__)
        log("has", torch.overrides.has_torch_function((a,)))
        with torch._C.DisableTorchFunctionSubclass():
            pass
        log("still", type(a + 1).__name__)
        log.attempt("foreign", lambda: torch.sin(_Answering()))
    log("on again", type(a + 1).__name__)
    try:
        with torch._C.DisableTorchFunctionSubclass():
            raise ValueError
    except ValueError:
        log("after an error", type(a + 1).__name__)
    with torch._C.DisableTorchFunction():
        log("all", type(a + 1).__name__)


def classes_that_take_no_part(torch, log):
    class Plain(torch.Tensor):
        __torch_function__ = torch._C._disabled_torch_function_impl

    a = torch.tensor([1.0, 2.0]).as_subclass(Plain)
    log("operator", type(a + 1).__name__)
    log("clone", type(a.clone()).__name__)
    log("view", type(a.view(2, 1)).__name__)
    log("in place", type(a.add_(1)).__name__)
    log("has", torch.overrides.has_torch_function((a,)))
    log("tensor like", torch.overrides.is_tensor_like(a))
    log("text", repr(a))

    class Metres(torch.Tensor):
        pass

    log("beside one that does", type(a + Metres([1.0, 2.0])).__name__)

    class Again(Plain):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return ["again", func.__name__]

    log("a subclass that does", torch.tensor([1.0]).as_subclass(Again) + 1)
    log("its methods", torch.tensor([1.0]).as_subclass(Again).sin())


def methods_of_a_subclass(torch, log):
    class Metres(torch.Tensor):
        unit = "m"

        def add(self, other):
            return ["mine", super().add(other)]

        def twice(self):
            return self * 2

        @property
        def shape(self):
            return "shape"

        def __len__(self):
            return 7

        def __getitem__(self, index):
            return ["item", index]

        def __repr__(self):
            return "Metres!"

    a = Metres([1.0, 2.0])
    found = a.add(1)
    log("overridden", [found[0], type(found[1]).__name__])
    log("operator is another", type(a + 1).__name__)
    log("own", type(a.twice()).__name__)
    log("property", a.shape)
    log("len", len(a))
    log("item", a[3])
    log("repr", repr(a))
    log("attribute", (a + 1).unit)


def functions_by_table(torch, log):
    handled = {}

    def implements(function):
        def decorate(f):
            handled[function] = f
            return f

        return decorate

    class Diagonal:
        def __init__(self, n, value):
            self.n, self.value = n, value

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            if func not in handled or not all(issubclass(t, (torch.Tensor, cls)) for t in types):
                return NotImplemented
            return handled[func](*args, **(kwargs or {}))

    @implements(torch.mean)
    def mean(input):
        return float(input.value) / input.n

    @implements(torch.Tensor.add)
    def add(input, other):
        return "tensor.add"

    @implements(torch.add)
    def plain_add(input, other):
        return "add"

    @implements(torch.nn.functional.mse_loss)
    def loss(input, target, *rest, **options):
        return "loss"

    d = Diagonal(5, 2)
    log("mean", torch.mean(d))
    log("operator", torch.tensor(1.0) + d)
    log("method", torch.tensor(1.0).add(d))
    log("add", torch.add(d, d))
    log("loss", torch.nn.functional.mse_loss(d, torch.ones(1)))
    log.attempt("sin", lambda: torch.sin(d))


def units_carried_along(torch, log):
    class Quantity:
        def __init__(self, value, unit):
            self.value, self.unit = value, unit

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            units = {a.unit for a in args if isinstance(a, cls)}
            if len(units) > 1:
                raise TypeError("units differ")
            plain = [a.value if isinstance(a, cls) else a for a in args]
            return cls(func(*plain, **(kwargs or {})), units.pop())

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    q = torch.add(Quantity(x, "m"), Quantity(torch.ones(2), "m"))
    log("unit", q.unit)
    log("value", q.value)
    q = torch.sum(torch.sin(q))
    q.value.backward()
    log("grad", x.grad)
    log.attempt("units differ", lambda: torch.add(q, Quantity(x, "s")))


def deprecated_plain_method(torch, log):
    class Instance:
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return func.__name__

    with log.warns("warnings"):
        log("answer", torch.add(torch.ones(1), Instance()))


def helpers(torch, log):
    o = torch.overrides
    f, x = _Answering(), torch.ones(1)

    class Metres(torch.Tensor):
        pass

    a = Metres([1.0])
    log("has", [o.has_torch_function((v,)) for v in (f, x, a, 1, torch.nn.Parameter(x))])
    log("has, several", o.has_torch_function([x, 1, a]))
    log("has, none", o.has_torch_function(()))
    log.attempt("has, no sequence", lambda: o.has_torch_function(x))
    log("tensor like", [o.is_tensor_like(v) for v in (f, x, a, 1, "a", [x])])
    functions = (torch.Tensor.add, torch.add, torch.Tensor.shape.__get__, torch.Tensor.__len__)
    log("method", [o.is_tensor_method_or_property(g) for g in functions])
    log("names", [o.resolve_name(g) for g in (
        torch.add, torch.Tensor.add, torch.Tensor.shape.__get__, torch.nn.functional.mse_loss,
        torch.Tensor.add_, torch.Tensor.__len__, torch.sum, torch.Tensor.requires_grad.__set__,
        len)])  # fmt: skip
    log("nowrap", torch.Tensor.grad.__get__ in o.get_default_nowrap_functions())


def functions_of_ones_own(torch, log):
    o = torch.overrides

    def double(x, *, times=1):
        if o.has_torch_function((x,)):
            return o.handle_torch_function(double, (x,), x, times=times)
        return x * 2 * times

    log("plain", double(torch.ones(1), times=3))
    log("answered", double(_Answering(), times=3))
    with log.raises("nobody"):
        double(_Silent())

    class Metres(torch.Tensor):
        pass

    y = double(Metres([1.0]))
    log("subclass", type(y).__name__)

    @o.wrap_torch_function(lambda x, y: (x,))
    def pair(x, y):
        return "plain"

    log("wrapped", [pair(torch.ones(1), 1), pair(_Answering(), 1)])
    log("second is not asked", pair(1, _Answering()))


def numpy_beside_a_subclass(torch, log):
    class Metres(torch.Tensor):
        pass

    a = Metres([1.0, 4.0])
    log("asarray", np.asarray(a))
    log("numpy", a.numpy())
    log("from_numpy is plain", type(torch.from_numpy(np.ones(2))).__name__)
    log("as_tensor", type(torch.as_tensor(a)).__name__)
    log("clone of tensor()", type(a.detach().clone()).__name__)


def in_a_module_of_functions(torch, log):
    class Logged(torch.Tensor):
        calls = []

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            cls.calls.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs or {})

    def model(x, w):
        h = torch.tanh(x @ w)
        return (h * h).mean()

    w = torch.Tensor._make_subclass(Logged, torch.ones(2, 2), True)
    y = model(torch.ones(3, 2), w)
    log("calls", Logged.calls)
    y.backward()
    log("grad", w.grad)
    with torch.no_grad():
        w -= 0.1 * w.grad
    log("class", type(w).__name__)
    log("is a leaf", w.is_leaf)


def nested_calls_ask_once(torch, log):
    cls = _noting(torch)
    a = torch.tensor([[1.0, 2.0]]).as_subclass(cls)
    cls.calls.clear()
    torch.softmax(a, 1)
    a.var()
    torch.nn.functional.linear(a, a)
    log("asked", [call[0] for call in cls.calls])


@differs(
    "keywords are those of the call", {"relu": [], "mse_loss": ["reduction"], "softmax": ["dim"]}
)
def keywords_of_functions_written_in_python(torch, log):
    class Keywords:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return sorted(kwargs or {})

    functional, x = torch.nn.functional, Keywords()
    log("relu", functional.relu(x))
    log("mse_loss", functional.mse_loss(x, x, reduction="sum"))
    log("softmax", functional.softmax(x, dim=0))
    log("compiled", torch.sum(x, dim=0))


@differs("`types` are the classes that answer", {"types": ["_Answering"]})
def types_beside_a_tensor(torch, log):
    log("types", torch.nn.functional.mse_loss(torch.ones(1), _Answering())[1])
    log("of a compiled function", torch.add(torch.ones(1), _Answering())[1])


@differs(
    "the second name of the protocol",
    {"asked by the neutral name": "neutral"},
)
def the_neutral_name(torch, log):
    class Both:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return "torch"

        @classmethod
        def __symgrad_function__(cls, func, types, args=(), kwargs=None):
            return "neutral"

    log("asked by the neutral name", torch.sin(Both()))


def attributes_that_are_asked_for(torch, log):
    asked = []

    class Asked(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            asked.append(torch.overrides.resolve_name(func))
            return super().__torch_function__(func, types, args, kwargs)

    x = Asked([1.0, 2.0])
    for name in ("_version", "is_cpu", "is_cuda", "is_mps", "is_nested", "is_sparse"):
        asked.clear()
        log(name, (getattr(x, name), list(asked)))
    asked.clear()
    log("_is_view", (x._is_view(), list(asked)))
    asked.clear()
    log("is_set_to", (x.is_set_to(x), list(asked)))
