"""Values that derivatives keep: packed and unpacked by hooks, asked for, changed meanwhile."""

import gc
import threading
import weakref

from ._harness import differs, each


def _two(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    return x, w


@each(of=["constant", "leaf", "result"], mode=["enable_grad", "no_grad"])
def pieces_under_hooks(torch, log, of, mode):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=of != "constant")
    x = x * 1 if of == "result" else x
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t), getattr(torch, mode)():
        pieces = [*x.unbind(), *x.split(1), *x.chunk(2, 1), *x.sort()]
    log("pieces", [y.detach() for y in pieces])
    log("connected", [y.requires_grad for y in pieces])


def _hooks(torch, events, name=""):
    """Hooks that keep what they are given, and note it."""

    def pack(t):
        grad_fn = None if t.grad_fn is None else t.grad_fn.name()
        events.append(("pack" + name, t.detach().clone(), t.requires_grad, grad_fn))
        return t

    def unpack(t):
        events.append(("unpack" + name, t.detach().clone()))
        return t

    return torch.autograd.graph.saved_tensors_hooks(pack, unpack)


OPERATIONS = [
    ("mul", lambda torch, x, w: x * w),
    ("mul by a number", lambda torch, x, w: x * 2),
    ("mul by a constant", lambda torch, x, w: x * torch.tensor([5.0, 6.0])),
    ("a number to its power", lambda torch, x, w: 2.5**x),
    ("expm1", lambda torch, x, w: x.expm1()),
    ("square", lambda torch, x, w: x * x),
    ("add", lambda torch, x, w: x + w),
    ("div", lambda torch, x, w: x / w),
    ("pow", lambda torch, x, w: x**3),
    ("pow of tensors", lambda torch, x, w: x**w),
    ("sqrt", lambda torch, x, w: x.sqrt()),
    ("log", lambda torch, x, w: x.log()),
    ("sin", lambda torch, x, w: x.sin()),
    ("tanh", lambda torch, x, w: x.tanh()),
    ("relu", lambda torch, x, w: x.relu()),
    ("sum", lambda torch, x, w: x.sum()),
    ("max", lambda torch, x, w: x.max()),
    ("matmul", lambda torch, x, w: x.view(1, 2) @ w.view(2, 1)),
    ("index", lambda torch, x, w: x[torch.tensor([0, 0, 1])]),
    ("select", lambda torch, x, w: x[0]),
    ("where", lambda torch, x, w: torch.where(x > 1, x, w)),
    ("softmax", lambda torch, x, w: torch.softmax(x - x.detach(), 0)),
    ("norm", lambda torch, x, w: (2 * x).norm()),
    ("maximum", lambda torch, x, w: torch.maximum(x, w)),
    ("dot", lambda torch, x, w: x @ w),
    ("mv", lambda torch, x, w: x.expand(3, 2) @ w),
    ("clamp by tensors", lambda torch, x, w: x.clamp(w - 5, w - 2)),
    ("std", lambda torch, x, w: x.std()),
    ("cat", lambda torch, x, w: torch.cat([x, w])),
    ("clamp", lambda torch, x, w: x.clamp(0.5, 1.5)),
    ("cumsum", lambda torch, x, w: x.cumsum(0)),
    ("prod", lambda torch, x, w: x.prod()),
    ("view", lambda torch, x, w: x.view(2, 1)),
    ("a chain", lambda torch, x, w: (x * w).sqrt().sin() * x),
]


@each(operation=OPERATIONS)
def what_is_packed(torch, log, operation):
    x, w = _two(torch)
    events = []
    with _hooks(torch, events):
        y = operation[1](torch, x, w)
    log("packed", list(events))
    events.clear()
    y.sum().backward()
    log("unpacked", events)
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def what_needs_no_gradient_is_not_packed(torch, log):
    x, w = _two(torch)
    events = []
    with _hooks(torch, events):
        x.detach() * w.detach()
        with torch.no_grad():
            x * w
        x.detach() * w
    log("events", events)


def outside_the_block_nothing_is_packed(torch, log):
    x, w = _two(torch)
    events = []
    h = x * w
    with _hooks(torch, events):
        k = h.exp()
    y = (k * x).sum()
    y.backward()
    log("events", [e[0] for e in events])
    log("x.grad", x.grad)


def the_packed_tensor(torch, log):
    x, w = _two(torch)
    seen = []

    def pack(t):
        seen.append((t is x, t is w, torch.is_grad_enabled(), t.requires_grad, t.is_leaf))
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        x * w
        (x * 1).exp()
    log("seen", seen)


def grad_mode_in_hooks(torch, log):
    x, w = _two(torch)
    modes = []

    def pack(t):
        modes.append(("pack", torch.is_grad_enabled(), (t * 2).requires_grad))
        return t

    def unpack(t):
        modes.append(("unpack", torch.is_grad_enabled(), (t * 2).requires_grad))
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = (x * w).sum()
    y.backward(retain_graph=True)
    y.backward(create_graph=True)
    log("modes", modes)


def packed_as_something_else(torch, log):
    x, w = _two(torch)
    kept = []

    def pack(t):
        kept.append(t.detach().tolist())
        return len(kept) - 1

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda i: torch.tensor(kept[i])):
        y = ((x * w).exp() * x).sum()
    y.backward()
    log("kept", len(kept))
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def unpacked_as_another_value(torch, log):
    x, w = _two(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: 10 * t):
        y = (x * w).sum()
    y.backward()
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def order_within_backward(torch, log):
    x, w = _two(torch)
    events = []
    h = x * w
    with _hooks(torch, events):
        k = h.exp()
        y = (k * w).sin()
    h.register_hook(lambda g: events.append(("h", g)))
    k.register_hook(lambda g: events.append(("k", g)))
    x.register_hook(lambda g: events.append(("x", g)))
    w.register_hook(lambda g: events.append(("w", g)))
    k.grad_fn.register_prehook(lambda g: events.append(("before", None)))
    k.grad_fn.register_hook(lambda i, g: events.append(("after", None)))
    y.sum().backward()
    log("order", [e[0] for e in events])
    log("x.grad", x.grad)


def unpacked_at_every_pass(torch, log):
    x, w = _two(torch)
    events = []
    with _hooks(torch, events):
        y = (x * w).sum()
    y.backward(retain_graph=True)
    y.backward()
    log("events", [e[0] for e in events])
    with log.raises("third"):
        y.backward()
    log("x.grad", x.grad)


def unpacked_where_it_is_needed_only(torch, log):
    x, w = _two(torch)
    events = []
    with _hooks(torch, events):
        h = x * w
        y = h.exp().sum()
    torch.autograd.grad(y, h)
    log("events", [e[0] for e in events])


def inner_hooks_count(torch, log):
    x, w = _two(torch)
    events = []
    with _hooks(torch, events, " outer"):
        h = x * w
        with _hooks(torch, events, " inner"):
            k = h.exp()
        y = k * x
    y.sum().backward()
    log("events", [e[0] for e in events])


def second_derivatives_flow_through(torch, log):
    x, w = _two(torch)
    events = []
    with _hooks(torch, events):
        y = (x.exp() * w).sum()
    gx, gw = torch.autograd.grad(y, [x, w], create_graph=True)
    log.gradient("gx", gx)
    log("second", torch.autograd.grad((gx * gx).sum() + gw.sum(), [x, w]))


def second_derivatives_of_what_hooks_changed(torch, log):
    x, _ = _two(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
        y = (x**3).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    log("second", torch.autograd.grad(g.sum(), x))


def the_gradient_itself_is_packed(torch, log):
    x, w = _two(torch)
    events = []
    y = (x.sin() * w).sum()
    with _hooks(torch, events):
        (g,) = torch.autograd.grad(y, x, create_graph=True)
    log("some", len(events) > 0)
    log("second", torch.autograd.grad(g.sum(), [x, w]))


class _Kept:
    """What a hook makes of a tensor, to see how long it lives."""


def _alive(refs):
    gc.collect()
    return sum(ref() is not None for ref in refs)


def packed_values_are_let_go(torch, log):
    x, _ = _two(torch)
    refs = []

    def pack(t):
        kept = _Kept()
        refs.append(weakref.ref(kept))
        return kept

    def record():
        refs.clear()
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda kept: torch.ones(2)):
            return ((x * x).sin() * x).sum()

    y = record()
    log("recorded", _alive(refs))
    y.backward(retain_graph=True)
    log("retained", _alive(refs))
    y.backward()
    log("after backward", _alive(refs))
    y = record()
    del y
    log("dropped", _alive(refs))


def hooks_hold_in_one_thread(torch, log):
    x, w = _two(torch)
    events = []

    def work():
        (x * w).sum().backward()
        events.append("worked")

    with _hooks(torch, events):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        x * x
    log("events", [e if e == "worked" else e[0] for e in events])
    log("x.grad", x.grad)


# ---------------------------------------------------------------- hooks that fail


WRONG = [
    ("a number", lambda t: t, lambda t: 3),
    ("None", lambda t: t, lambda t: None),
    ("pack raises", lambda t: 1 / 0, lambda t: t),
    ("unpack raises", lambda t: t, lambda t: 1 / 0),
    ("pack changes it", lambda t: t.mul_(2), lambda t: t),
    ("pack changes it detached", lambda t: t.detach().mul_(2), lambda t: t),
]


@each(hooks=WRONG)
def hooks_that_fail(torch, log, hooks):
    x, w = _two(torch)
    with log.raises("error"):
        with torch.autograd.graph.saved_tensors_hooks(hooks[1], hooks[2]):
            y = (x * w).sum()
        y.backward()
    log("x.grad", x.grad)
    log("afterwards", (x * w).grad_fn.name())


def unpacked_in_another_dtype(torch, log):
    x, w = _two(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.double(), lambda t: t):
        y = (x * w).sum()
    y.backward()
    log("x.grad", x.grad)


def unpacked_in_half_precision(torch, log):
    x = torch.tensor([1.1, 2.3], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.half(), lambda t: t.float()):
        y = (x * x).sum()
    y.backward()
    log("x.grad", x.grad)


def unpacked_as_one_element(torch, log):
    x, w = _two(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: torch.ones(1)):
        y = (x * w).sum()
    y.backward()
    log("x.grad", x.grad)


@differs(
    "the error names the hook; PyTorch's comes from the operation that meets the other shape",
    {
        "error": {
            "raises": "RuntimeError",
            "message": "Output of saved tensor unpack_hook expected to be of shape [2] but got [3]",
        }
    },
)
def unpacked_in_another_shape(torch, log):
    x, w = _two(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: torch.ones(3)):
        y = (x * w).sum()
    with log.raises("error"):
        y.backward()
    log("x.grad", x.grad)


def hooks_of_no_functions(torch, log):
    with log.raises("numbers"), torch.autograd.graph.saved_tensors_hooks(1, 2):
        pass


def an_error_in_the_block_ends_it(torch, log):
    x, w = _two(torch)
    events = []
    with log.raises("error"), _hooks(torch, events):
        raise ValueError("no")
    x * w
    log("events", events)


# ---------------------------------------------------------------- disabled


def hooks_disabled(torch, log):
    disable = torch.autograd.graph.disable_saved_tensors_hooks
    with disable("not here"):
        hooks = torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)
        with log.raises("hooks"), hooks:
            pass
        with log.raises("save_on_cpu"), torch.autograd.graph.save_on_cpu():
            pass
        with disable("not there"), log.raises("inner"), torch.autograd.graph.save_on_cpu():
            pass
        with log.raises("outer again"), torch.autograd.graph.save_on_cpu():
            pass
    with torch.autograd.graph.save_on_cpu():
        log("afterwards", True)


def disabling_where_hooks_hold(torch, log):
    x, w = _two(torch)
    events = []
    with _hooks(torch, events):
        disabled = torch.autograd.graph.disable_saved_tensors_hooks("not here")
        with log.raises("error"), disabled:
            pass
        x * w
    log("events", [e[0] for e in events])


def disabled_as_a_decorator(torch, log):
    @torch.autograd.graph.disable_saved_tensors_hooks("not in f")
    def f():
        with torch.autograd.graph.save_on_cpu():
            pass

    with log.raises("first"):
        f()
    with log.raises("second"):
        f()


@each(pinned=[False, True])
def saved_on_cpu(torch, log, pinned):
    x, w = _two(torch)
    with torch.autograd.graph.save_on_cpu(pin_memory=pinned):
        y = ((x * w).exp() * w).sum()
    y.backward()
    log("x.grad", x.grad)
    log("w.grad", w.grad)


# ---------------------------------------------------------------- changed meanwhile


def what_was_packed_is_changed(torch, log):
    x, w = _two(torch)
    h = x * 1
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
        y = (h * w).sum()
    h.zero_()
    y.backward()
    log("w.grad", w.grad)


def hooks_do_not_watch_versions(torch, log):
    x, w = _two(torch)
    h = x * 1
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = (h * w).sum()
    h.mul_(10)
    y.backward()
    log("w.grad", w.grad)


@each(op=["exp_", "sqrt_", "neg_", "sigmoid_"])
def in_place_with_hooks(torch, log, op):
    x, _ = _two(torch)
    events = []
    with _hooks(torch, events):
        h = x * 1
        getattr(h, op)()
    h.sum().backward()
    log("events", [e[:2] for e in events])
    log("x.grad", x.grad)


def in_place_of_two_with_hooks(torch, log):
    x, w = _two(torch)
    events = []
    with _hooks(torch, events):
        h = x * 1
        h.mul_(w)
        h += x
        h[0] = w[1] * w[0]
        h.pow_(3)
    h.sum().backward()
    log("events", [e[:2] for e in events])
    log("x.grad", x.grad)
    log("w.grad", w.grad)


@differs(
    "a hook gets a copy of every operand that is about to be written over; PyTorch copies the "
    "written one alone, so that the other holds the new value and the gradient is another",
    {
        "x.grad": {
            "tensor": [2.0, 4.0],
            "shape": [2],
            "dtype": "float32",
            "requires_grad": False,
            "grad_fn": None,
        }
    },
)
def in_place_with_itself_and_hooks(torch, log):
    x, _ = _two(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        h = x * 1
        h.mul_(h)
    h.sum().backward()
    log("x.grad", x.grad)


# ---------------------------------------------------------------- in other company


def packed_in_a_pass_within_a_pass(torch, log):
    x, w = _two(torch)
    events = []
    with _hooks(torch, events, " first"):
        h = x * w
    with _hooks(torch, events, " second"):
        inner = (x * x).sum()
    h.register_hook(lambda g: inner.backward())
    h.sum().backward()
    log("events", [e[0] for e in events])
    log("x.grad", x.grad)


def packed_under_retain_grad(torch, log):
    x, w = _two(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
        h = x * w
        h.retain_grad()
        y = (h * h).sum()
    y.backward()
    log("h.grad", h.grad)
    log("x.grad", x.grad)


def packed_by_views(torch, log):
    x, w = _two(torch)
    events = []
    with _hooks(torch, events):
        y = (x.view(2, 1) * w.view(1, 2)).t().expand(2, 2)[0].sum()
    y.backward()
    log("packed", sum(e[0] == "pack" for e in events))
    log("x.grad", x.grad)


def many_runs_of_one_structure(torch, log):
    x, w = _two(torch)
    for i in range(8):
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
            y = (x * w * i).sin().sum()
        y.backward()
    log("x.grad", x.grad)


def a_batch_of_gradients(torch, log):
    x, w = _two(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
        y = x * w
    g = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    log("x", torch.autograd.grad(y, x, g, is_grads_batched=True))


# ---------------------------------------------------------------- asked for


NAMED = [
    ("mul", lambda torch, x, w: x * w, ("self", "other")),
    ("mul by a number", lambda torch, x, w: x * 2, ("self",)),
    ("mul by a constant", lambda torch, x, w: x * torch.tensor([5.0, 6.0]), ("self", "other")),
    ("div", lambda torch, x, w: x / w, ("self", "other")),
    ("pow", lambda torch, x, w: x**3, ("self", "exponent")),
    ("pow of tensors", lambda torch, x, w: x**w, ("self", "exponent", "result")),
    ("exp", lambda torch, x, w: x.exp(), ("result",)),
    ("sin", lambda torch, x, w: x.sin(), ("self",)),
    ("matmul", lambda torch, x, w: x.view(1, 2) @ w.view(2, 1), ("self", "mat2")),
    ("dot", lambda torch, x, w: x @ w, ("self", "tensor")),
    ("where", lambda torch, x, w: torch.where(x > 1, x, w), ("condition",)),
    ("max", lambda torch, x, w: x.max(), ("self", "result")),
    ("gather", lambda torch, x, w: x.gather(0, torch.tensor([1, 0])), ("index",)),
    ("softmax", lambda torch, x, w: torch.softmax(x - x.detach(), 0), ("result",)),
    ("masked_fill", lambda torch, x, w: x.masked_fill(x > 1, 0.0), ("mask",)),
]


@each(operation=NAMED)
def kept_by_name(torch, log, operation):
    x, w = _two(torch)
    y = operation[1](torch, x, w)
    for name in operation[2]:
        log(name, getattr(y.grad_fn, "_saved_" + name))


def kept_tensors_are_the_operands(torch, log):
    x, w = _two(torch)
    y = x * w
    log("self", y.grad_fn._saved_self is x)
    log("other", y.grad_fn._saved_other is w)
    z = y.exp()
    log("result", z.grad_fn._saved_result.grad_fn is z.grad_fn)


def kept_under_no_such_name(torch, log):
    x, _ = _two(torch)
    with log.raises("saved"):
        log("found", x.exp().grad_fn._saved_foo)
    with log.raises("raw"):
        log("found", x.exp().grad_fn._raw_saved_foo)
    with log.raises("of another operation"):
        log("found", x.exp().grad_fn._saved_self)
    with log.raises("not at all"):
        log("found", x.exp().grad_fn.foo)


def kept_and_listed(torch, log):
    x, w = _two(torch)
    log("mul", [a for a in dir((x * w).grad_fn) if "_saved_" in a])
    log("exp", [a for a in dir(x.exp().grad_fn) if "_saved_" in a])


def kept_and_freed(torch, log):
    x, w = _two(torch)
    y = x * w
    y.sum().backward()
    with log.raises("freed"):
        log("found", y.grad_fn._saved_self)


def kept_and_changed(torch, log):
    x, w = _two(torch)
    h = x * 1
    y = h * w
    h.add_(1)
    with log.raises("operand"):
        log("found", y.grad_fn._saved_self)
    log("the other", y.grad_fn._saved_other)
    k = (x * 2).exp()
    z = k * 1
    k.mul_(2)
    with log.raises("result"):
        log("found", z.grad_fn.next_functions[0][0]._saved_result)


def kept_and_unpacked(torch, log):
    x, w = _two(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 10, lambda t: t / 5):
        y = x * w
    log("unpacked", y.grad_fn._saved_self)
    y.sum().backward()
    with log.raises("freed"):
        log("found", y.grad_fn._saved_self)


def hooks_on_one_value(torch, log):
    x, w = _two(torch)
    events = []
    y = x * w

    def pack(t):
        events.append(("pack", t))
        return t * 10

    def unpack(t):
        events.append(("unpack", t))
        return t / 10

    y.grad_fn._raw_saved_self.register_hooks(pack, unpack)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    log("events", events)
    log("w.grad", w.grad)


def hooks_on_one_value_wrongly(torch, log):
    x, w = _two(torch)
    y = x * w
    raw = y.grad_fn._raw_saved_self
    log("type", type(raw).__name__)
    with log.raises("no functions"):
        raw.register_hooks(1, 2)
    with log.raises("changes it"):
        y.grad_fn._raw_saved_other.register_hooks(lambda t: t.mul_(2), lambda t: t)
    raw.register_hooks(lambda t: t, lambda t: t)
    with log.raises("twice"):
        raw.register_hooks(lambda t: t, lambda t: t)
    z = x.exp()
    raw = z.grad_fn._raw_saved_result
    z.sum().backward()
    with log.raises("freed"):
        raw.register_hooks(lambda t: t, lambda t: t)
    with log.raises("packed by others"), torch.autograd.graph.save_on_cpu():
        (x * w).grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)


@each(function=["exp", "expm1", "sigmoid", "log1p", "tanh", "relu"])
def hooks_on_what_one_function_keeps(torch, log, function):
    x, _w = _two(torch)
    y = getattr(x, function)()
    (name,) = (a for a in dir(y.grad_fn) if a.startswith("_raw_saved_"))
    getattr(y.grad_fn, name).register_hooks(lambda t: t.tolist(), lambda t: torch.tensor(t))
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("first", g)
    log("second", torch.autograd.grad((g * x).sum(), x))


# ---------------------------------------------------------------- changes allowed


CHANGES = [
    ("in place", lambda torch, h: h.sin_()),
    ("a number", lambda torch, h: h.zero_()),
    ("an element", lambda torch, h: h.__setitem__(0, 7.0)),
    ("twice", lambda torch, h: h.mul_(2).add_(1)),
    ("an operator", lambda torch, h: h.__imul__(5)),
    ("under no_grad", lambda torch, h: torch.no_grad()(lambda: h.mul_(2))()),
    ("nothing", lambda torch, h: None),
]


@each(change=CHANGES)
def changes_allowed(torch, log, change):
    x, w = _two(torch)
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as kept:
        h = x.clone()
        y = (h * h * w).sum()
        change[1](torch, h)
        log("copied", len(kept.cloned) > 0)
        y.backward()
    log("left", (len(kept.cloned), len(kept.original)))
    log("x.grad", x.grad)
    log("w.grad", w.grad)


@differs(
    "what is kept is copied when a view of it changes; PyTorch looks at where memory begins, and "
    "takes the gradient at the new value",
    {
        "copied": True,
        "x.grad": {
            "tensor": [6.0, 16.0],
            "shape": [2],
            "dtype": "float32",
            "requires_grad": False,
            "grad_fn": None,
        },
    },
)
def changes_allowed_through_a_view(torch, log):
    x, w = _two(torch)
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as kept:
        h = x.clone()
        y = (h * h * w).sum()
        h[1:].mul_(3)
        log("copied", len(kept.cloned) > 0)
        y.backward()
    log("x.grad", x.grad)


def changes_allowed_of_a_result(torch, log):
    x, _ = _two(torch)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        h = x.exp()
        y = h * 1
        h.mul_(10)
        (y + h).sum().backward()
    log("x.grad", x.grad)


def changes_allowed_within_each_other(torch, log):
    allow = torch.autograd.graph.allow_mutation_on_saved_tensors
    with allow(), log.raises("nested"), allow():
        pass


def backward_after_changes_were_allowed(torch, log):
    x, _ = _two(torch)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        h = x.clone()
        y = (h * h).sum()
        h.sin_()
        z = (x * x).sum()
    with log.raises("changed"):
        y.backward()
    with log.raises("unchanged"):
        z.backward()


def recorded_before_changes_were_allowed(torch, log):
    x, _ = _two(torch)
    h = x.clone()
    y = (h * h).sum()
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        h.sin_()
        with log.raises("error"):
            y.backward()


def changes_allowed_and_second_derivatives(torch, log):
    x, _ = _two(torch)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        h = x.clone()
        y = (h**3).sum()
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        h.zero_()
        log("second", torch.autograd.grad(g.sum(), x))


@differs(
    "what nobody holds is gone; PyTorch keeps what its own node saved until the block ends",
    {"gone inside": {"tuple": [True, True]}},
)
def what_lives_while_saved_tensors_may_change(torch, log):
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = x * 1
        operand = weakref.ref(a)
        b = a * a
        c = x.exp()
        result = weakref.ref(c)
        del a, b, c
        gc.collect()
        log("gone inside", (operand() is None, result() is None))
    gc.collect()
    log("gone after", (operand() is None, result() is None))
