"""Inference mode: what it makes, and what may be done with it afterwards."""

from __future__ import annotations

import asyncio
import copy
import pickle
import threading

from ._harness import differs, each


def _made(torch):
    with torch.inference_mode():
        return torch.tensor([3.0, 4.0])


def _parameter(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


# ---------------------------------------------------------------- what the mode is


def what_is_enabled_inside(torch, log):
    with torch.inference_mode() as value:
        log("value", value)
        log("grad", torch.is_grad_enabled())
        log("inference", torch.is_inference_mode_enabled())
    log("after", [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])


def suspended_inside(torch, log):
    x = _parameter(torch)
    with torch.inference_mode():
        with torch.inference_mode(False):
            log("suspended", [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])
            y = x * 3
        log("again", [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])
    log("y", y)
    log("y.is_inference()", y.is_inference())


def mode_false_switches_recording_on(torch, log):
    with torch.no_grad():
        with torch.inference_mode(False):
            log("inside", torch.is_grad_enabled())
        log("after", torch.is_grad_enabled())


@each(inner=["no_grad", "enable_grad", "inference_mode"])
def another_mode_inside(torch, log, inner):
    x = _parameter(torch)
    with torch.inference_mode():
        with getattr(torch, inner)():
            log("inside", [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])
            y = x * 2
            log("y", y)
            log("y.is_inference()", y.is_inference())
        log("after", [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])
    log("outside", [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])


def set_grad_enabled_inside(torch, log):
    with torch.inference_mode():
        torch.set_grad_enabled(True)
        log("inside", [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])
        log("y", _parameter(torch) * 2)
    log("after", [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])


def _doubling(torch):
    class Doubling(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, grad):
            return 2 * grad

    return Doubling


def _backward_with_a_hook(torch, y):
    y.register_hook(lambda grad: None)
    y.backward(torch.ones(2))


@each(call=["Function", "backward with a hook", "create_graph", "accumulation"])
def grad_mode_inside_stays_as_it_was_set(torch, log, call):
    x = _parameter(torch)
    y = x * x
    with torch.inference_mode():
        torch.set_grad_enabled(True)
        if call == "Function":
            _doubling(torch).apply(x)
        elif call == "backward with a hook":
            _backward_with_a_hook(torch, y)
        elif call == "create_graph":
            torch.autograd.grad(y, x, torch.ones(2), create_graph=True)
        else:
            y.retain_grad()
            y.backward(torch.ones(2), retain_graph=True)
            y.backward(torch.ones(2))
        log("enabled", torch.is_grad_enabled())
        torch.set_grad_enabled(False)
    log("after", torch.is_grad_enabled())


def inside_of_no_grad(torch, log):
    with torch.no_grad():
        with torch.inference_mode():
            log("inside", [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])
        log("after", [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])
    log("outside", torch.is_grad_enabled())


def left_by_an_exception(torch, log):
    with log.raises("passes"), torch.inference_mode():
        raise KeyError("inside")
    log("after", [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])


@differs(
    "the inner block is in the mode as well, and leaving both restores what was before",
    {"seen": [[False, True], [False, True], [True, False]]},
)
def one_instance_nested_in_itself(torch, log):
    seen = []

    def work():  # in a thread of its own: PyTorch never leaves the mode
        mode = torch.inference_mode()
        with mode:
            with mode:
                seen.append([torch.is_grad_enabled(), torch.is_inference_mode_enabled()])
            seen.append([torch.is_grad_enabled(), torch.is_inference_mode_enabled()])
        seen.append([torch.is_grad_enabled(), torch.is_inference_mode_enabled()])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    log("seen", seen)


def one_instance_entered_twice(torch, log):
    mode = torch.inference_mode()
    for _ in range(2):
        with mode:
            log(f"inside {len(log.outcomes)}", torch.is_inference_mode_enabled())
    log("after", torch.is_inference_mode_enabled())


@each(form=["plain", "called", "false", "keyword"])
def as_a_decorator(torch, log, form):
    decorator = {
        "plain": torch.inference_mode,
        "called": torch.inference_mode(),
        "false": torch.inference_mode(False),
        "keyword": torch.inference_mode(mode=True),
    }[form]

    @decorator
    def double(t):
        """Doubles."""
        return t * 2, torch.is_grad_enabled(), torch.is_inference_mode_enabled()

    x = _parameter(torch)
    log("result", double(x))
    log("again", double(x))
    log("name", [double.__name__, double.__doc__])
    log("after", [torch.is_grad_enabled(), torch.is_inference_mode_enabled()])


def decorated_generator(torch, log):
    @torch.inference_mode()
    def numbers():
        for i in range(3):
            yield i, torch.is_inference_mode_enabled()

    seen = []
    for i, inside in numbers():
        seen.append([i, inside, torch.is_inference_mode_enabled()])
    log("seen", seen)


def decorated_class(torch, log):
    with log.warns("warnings"):

        @torch.inference_mode()
        class Model:
            def __init__(self):
                self.made = torch.is_inference_mode_enabled()

            def run(self):
                return torch.is_inference_mode_enabled()

    log("made", Model().made)
    log("run", Model().run())


def decorated_coroutine_runs_outside_of_the_mode(torch, log):
    @torch.inference_mode()
    async def run():
        return torch.is_inference_mode_enabled()

    log("inside", asyncio.run(run()))


@each(mode=[1, 0, "yes"])
def other_types_are_taken_for_a_function(torch, log, mode):
    with log.raises("entered"), torch.inference_mode(mode):
        pass
    log("after", torch.is_inference_mode_enabled())


def clone_of_the_mode(torch, log):
    with torch.inference_mode(False).clone():
        log("false", torch.is_inference_mode_enabled())
    with torch.inference_mode().clone():
        log("true", torch.is_inference_mode_enabled())


def under_its_other_names(torch, log):
    log("autograd", torch.autograd.inference_mode is torch.inference_mode)
    log("grad_mode", torch.autograd.grad_mode.inference_mode is torch.inference_mode)
    for name in ("no_grad", "enable_grad", "set_grad_enabled"):
        log(name, getattr(torch.autograd.grad_mode, name) is getattr(torch, name))


def mode_is_local_to_threads(torch, log):
    seen = {}

    def work():
        seen["at start"] = torch.is_inference_mode_enabled()
        with torch.inference_mode():
            seen["inside"] = torch.is_inference_mode_enabled()
        seen["made"] = torch.ones(2).is_inference()

    with torch.inference_mode():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        log("here", torch.is_inference_mode_enabled())
    log("there", seen)


# ---------------------------------------------------------------- what it makes


def what_is_made_inside(torch, log):
    x = _parameter(torch)
    n = torch.tensor([1.0, 2.0])
    with torch.inference_mode():
        made = {
            "tensor": torch.tensor(1.0),
            "ones": torch.ones(2),
            "zeros_like": torch.zeros_like(n),
            "arange": torch.arange(3),
            "rand": torch.rand(2),
            "sum of normal": n.sum(),
            "product": x * 2,
            "clone": n.clone(),
            "copy": x + 0,
            "cast": n.to(torch.float64),
            "same cast": n.to(torch.float32),
            "contiguous": n.contiguous(),
            "comparison": n > 1,
            "argmax": n.argmax(),
            "sort": n.sort()[0],
            "matmul": n @ n,
            "chosen": n[n > 1],
            "from numpy": torch.from_numpy(n.numpy()),
        }
        for name, t in made.items():
            log(name, t.is_inference())
    log("function", torch.is_inference(made["ones"]))
    log("outside", torch.ones(2).is_inference())


def views_are_what_they_show(torch, log):
    n = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    with torch.inference_mode():
        made = torch.ones(2, 2)
        for name, base in (("normal", n), ("made", made)):
            views = [base[0], base.view(4), base.t(), base.expand(2, 2, 2), base.detach()]
            views += [base.data, base.diagonal(), base.unsqueeze(0), base.narrow(0, 0, 1)]
            log(name, [v.is_inference() for v in views])


def views_made_outside_of_what_was_made_inside(torch, log):
    a = _made(torch)
    views = [a[0], a.view(2), a.detach(), a.data, a.unsqueeze(0), a.contiguous()]
    log("views", [v.is_inference() for v in views])
    log("copies", [v.is_inference() for v in (a.clone(), a * 1, a.to(torch.float64))])


def properties_of_an_inference_tensor(torch, log):
    x = _parameter(torch)
    with torch.inference_mode():
        y = x * 2
    log("y", y)
    log("flags", [y.requires_grad, y.is_leaf, y.is_inference()])
    log("grad_fn", y.grad_fn)
    log("grad", y.grad)
    log("numbers", [y.sum().item(), y.tolist()])
    log("text", repr(y))


def version_of_an_inference_tensor(torch, log):
    a = _made(torch)
    log.attempt("outside", lambda: a._version)
    with torch.inference_mode():
        a.add_(1)
        log.attempt("inside", lambda: a._version)
        n = torch.tensor([1.0])
        log.attempt("of a view", lambda: n.view(1)._version)


def copies_and_pickles(torch, log):
    a = _made(torch)
    log("deepcopy", copy.deepcopy(a).is_inference())
    log("pickle", pickle.loads(pickle.dumps(a)).is_inference())
    with torch.inference_mode():
        log("deepcopy inside", copy.deepcopy(torch.ones(2)).is_inference())


# ---------------------------------------------------------------- gradients


def require_gradient_inside(torch, log):
    with torch.inference_mode():
        a = torch.ones(2, requires_grad=True)
        b = torch.ones(2).requires_grad_()
        log("a", a)
        log("b", b)
        log("inference", [a.is_inference(), b.is_inference()])
        log("used inside", a * 2)


def require_gradient_outside(torch, log):
    a = _made(torch)
    log.attempt("method", a.requires_grad_)
    with log.raises("attribute"):
        a.requires_grad = True
    log.attempt("false", lambda: a.requires_grad_(False))
    log.attempt("clone", lambda: a.clone().requires_grad_())
    with torch.inference_mode():
        index = torch.tensor([1])
    log.attempt("integers", index.requires_grad_)


@differs(
    "PyTorch loses the gradient without a word where all operands are inference tensors",
    {
        "saved": {
            "raises": "RuntimeError",
            "message": "Inference tensors cannot be saved for backward. Please do not use Tensors "
            "created in inference mode in computation tracked by autograd. To work around this, "
            "you can make a clone to get a normal tensor and use it in autograd, or use "
            "`torch.no_grad()` instead of `torch.inference_mode()`.",
        }
    },
)
def use_of_one_that_requires_gradient(torch, log):
    with torch.inference_mode():
        a = torch.ones(2, requires_grad=True)
    log.attempt("saved", lambda: a * a)
    log.attempt("not saved", lambda: a + 1)


def backward_of_what_was_computed_inside(torch, log):
    x = _parameter(torch)
    with torch.inference_mode():
        y = (x * x).sum()
        log.attempt("inside", y.backward)
    log.attempt("outside", y.backward)
    log.attempt("grad", lambda: torch.autograd.grad(y, x))


def hooks_and_retain_grad(torch, log):
    a = _made(torch)
    log.attempt("hook", lambda: a.register_hook(print))
    log.attempt("retain_grad", a.retain_grad)


@each(
    call=[
        ("add", lambda t, x, a: x + a),
        ("sub", lambda t, x, a: a - x),
        ("cat", lambda t, x, a: t.cat([x, a])),
        ("stack", lambda t, x, a: t.stack([x, a])),
        ("where", lambda t, x, a: t.where(x > 1, x, a)),
        ("expand_as", lambda t, x, a: x.expand_as(a)),
        ("lerp by number", lambda t, x, a: t.lerp(x, a, 0.5)),
    ]
)
def may_take_part_where_nothing_is_saved(torch, log, call):
    x, a = _parameter(torch), _made(torch)
    y = call[1](torch, x, a)
    log("y", y)
    y.sum().backward()
    log("grad", x.grad)


@each(
    call=[
        ("mul", lambda t, x, a, i, m: x * a),
        ("rmul", lambda t, x, a, i, m: a * x),
        ("div by", lambda t, x, a, i, m: x / a),
        ("div of", lambda t, x, a, i, m: a / x),
        ("matmul", lambda t, x, a, i, m: x @ a),
        ("dot", lambda t, x, a, i, m: t.dot(x, a)),
        ("pow", lambda t, x, a, i, m: x**a),
        ("atan2", lambda t, x, a, i, m: t.atan2(x, a)),
        ("maximum", lambda t, x, a, i, m: t.maximum(x, a)),
        ("addcmul", lambda t, x, a, i, m: t.addcmul(a, x, a)),
        ("lerp weight", lambda t, x, a, i, m: t.lerp(x, x, a)),
        ("indices", lambda t, x, a, i, m: x[i]),
        ("mask", lambda t, x, a, i, m: x[m]),
        ("gather", lambda t, x, a, i, m: x.gather(0, i)),
        ("index_select", lambda t, x, a, i, m: x.index_select(0, i)),
        ("masked_fill", lambda t, x, a, i, m: x.masked_fill(m, 0.0)),
        ("where condition", lambda t, x, a, i, m: t.where(m, x, 0.0)),
        ("mse_loss", lambda t, x, a, i, m: t.nn.functional.mse_loss(x, a)),
        ("in place", lambda t, x, a, i, m: (x * 1).mul_(a)),
    ]
)
def must_not_be_saved(torch, log, call):
    x, a = _parameter(torch), _made(torch)
    with torch.inference_mode():
        index, mask = torch.tensor([0, 1]), torch.tensor([True, False])
    log.attempt("recorded", lambda: call[1](torch, x, a, index, mask))
    log.attempt("again", lambda: call[1](torch, x, a, index, mask))
    with torch.no_grad():
        log.attempt("not recorded", lambda: call[1](torch, x, a, index, mask))
    log.attempt("clones", lambda: call[1](torch, x, a.clone(), index.clone(), mask.clone()))


def computed_with_outside_of_a_graph(torch, log):
    a = _made(torch)
    b = a * a + 1
    log("b", b)
    log("b.is_inference()", b.is_inference())
    x = _parameter(torch)
    (x * b).sum().backward()
    log("grad", x.grad)


def backward_inside_of_a_graph_made_outside(torch, log):
    x = _parameter(torch)
    y = x * x
    with torch.inference_mode():
        y.backward(torch.ones(2))
        log("grad", x.grad)
        log("is inference", x.grad.is_inference())
    log.attempt("accumulates outside", lambda: (x * 2).sum().backward())


def backward_inside_accumulates_into_a_normal_gradient(torch, log):
    x = _parameter(torch)
    x.grad = torch.ones(2)
    y = x * x
    with torch.inference_mode():
        y.backward(torch.ones(2))
    log("grad", x.grad)
    log("is inference", x.grad.is_inference())
    (x * 2).sum().backward()
    log("grad after", x.grad)


def grad_inside(torch, log):
    x = _parameter(torch)
    y = x * x
    with torch.inference_mode():
        (g,) = torch.autograd.grad(y, x, torch.ones(2), retain_graph=True)
        log("grad", g)
        log("is inference", g.is_inference())
        (h,) = torch.autograd.grad(y, x, torch.ones(2), create_graph=True)
        log("create_graph", h)
        log("that is inference", h.is_inference())


def inference_gradient_assigned(torch, log):
    x = _parameter(torch)
    x.grad = _made(torch)
    log("is inference", x.grad.is_inference())
    log.attempt("backward", lambda: (x * 2).sum().backward())


def inference_cotangent(torch, log):
    x = _parameter(torch)
    a = _made(torch)
    (x * 2).backward(a)
    log("grad", x.grad)
    log("is inference", x.grad.is_inference())


def grad_with_respect_to_it(torch, log):
    x, a = _parameter(torch), _made(torch)
    log.attempt("grad", lambda: torch.autograd.grad((x + a).sum(), a))


# ---------------------------------------------------------------- in place


@each(
    call=[
        ("add_", lambda t, a: a.add_(1)),
        ("iadd", lambda t, a: a.__iadd__(1)),
        ("zero_", lambda t, a: a.zero_()),
        ("fill_", lambda t, a: a.fill_(2.0)),
        ("copy_", lambda t, a: a.copy_(t.ones(2))),
        ("setitem", lambda t, a: a.__setitem__(0, 1.0)),
        ("exp_", lambda t, a: a.exp_()),
        ("uniform_", lambda t, a: a.uniform_(1.0, 1.0)),
        ("squeeze_", lambda t, a: a.squeeze_()),
        ("t_", lambda t, a: a.t_()),
        ("out", lambda t, a: t.add(t.ones(2), 1, out=a)),
        ("through a view", lambda t, a: a.view(2).add_(1)),
    ]
)
def changed_in_place(torch, log, call):
    a = _made(torch)
    log.attempt("outside", lambda: call[1](torch, a))
    a = _made(torch)
    with torch.no_grad():
        log.attempt("no_grad", lambda: call[1](torch, a))
    a = _made(torch)
    with torch.inference_mode():
        log.attempt("inside", lambda: call[1](torch, a))
    log("is inference", a.is_inference())


@differs(
    "refused before anything is changed",
    {
        "a": {
            "tensor": [3.0, 4.0],
            "shape": [2],
            "dtype": "float32",
            "requires_grad": False,
            "grad_fn": None,
        }
    },
)
def what_is_left_of_a_refused_change(torch, log):
    a = _made(torch)
    with log.raises("add_"):
        a.add_(1)
    log("a", a)


def normal_tensor_changed_inside(torch, log):
    n, x = torch.tensor([1.0, 2.0]), _parameter(torch)
    with torch.inference_mode():
        n.add_(1)
        x.mul_(2)
    log("n", n)
    log("n.is_inference()", n.is_inference())
    log("x", x)
    log("versions", [n._version, x._version])
    (x * x).sum().backward()
    log("grad", x.grad)


def normal_tensor_changed_by_an_inference_tensor(torch, log):
    n, x, a = torch.tensor([1.0, 2.0]), _parameter(torch), _made(torch)
    log("add_", n.add_(a))
    log("copy_", n.copy_(a))
    log("is inference", n.is_inference())
    y = (x * 1).copy_(a)
    log("recorded copy_", y)
    y = (x * 1).add_(a)
    log("recorded add_", y)
    y.sum().backward()
    log("grad", x.grad)


def change_inside_makes_what_was_saved_stale(torch, log):
    x = _parameter(torch)
    y = x.exp()
    z = y * y
    with torch.inference_mode():
        y.add_(1)
    log.attempt("backward", lambda: z.sum().backward())


def data_is_set_to_an_inference_tensor(torch, log):
    n = torch.tensor([1.0, 2.0])
    n.data = _made(torch)
    log("is inference", n.is_inference())
    log("n", n)


def detached_in_place(torch, log):
    a = _made(torch)
    log.attempt("detach_", a.detach_)


def numpy_shares_memory(torch, log):
    a = _made(torch)
    a.numpy()[0] = 9.0
    log("a", a)


def update_of_a_parameter(torch, log):
    w = _parameter(torch)
    for _ in range(3):
        loss = (w * w).sum()
        loss.backward()
        with torch.inference_mode():
            w -= 0.25 * w.grad
        w.grad = None
    log("w", w)
    log("flags", [w.requires_grad, w.is_leaf, w.is_inference(), w._version])


def evaluation_after_training(torch, log):
    w = _parameter(torch)
    for _ in range(2):
        (w * w).sum().backward()
        with torch.inference_mode():
            score = (w * w).mean()
            log(f"score {len(log.outcomes)}", score)
    log("grad", w.grad)


# ---------------------------------------------------------------- views of normal tensors


def view_of_a_normal_tensor(torch, log):
    n = torch.tensor([1.0, 2.0])
    with torch.inference_mode():
        v = n.view(2)
        v.add_(1)
    log("n", n)
    log("versions", [n._version, v._version])
    log("plain change outside", v.add_(1))
    log("n after", n)


def view_of_a_normal_tensor_in_a_graph(torch, log):
    n, x = torch.tensor([1.0, 2.0]), _parameter(torch)
    with torch.inference_mode():
        v = n.view(2)
    y = v * x
    y.sum().backward()
    log("grad", x.grad)


def view_of_a_normal_tensor_changed_under_record(torch, log):
    n, x = torch.tensor([1.0, 2.0]), _parameter(torch)
    with torch.inference_mode():
        v = n.view(2)
    with log.raises("mul_"):
        v.mul_(x)


def base_of_a_view_changed_under_record(torch, log):
    n, x = torch.tensor([1.0, 2.0]), _parameter(torch)
    with torch.inference_mode():
        v = n.view(2)
    log("on the base", n.mul_(x))
    log.attempt("the view", lambda: v * 1)


# ---------------------------------------------------------------- call by call


def _calls(torch, x, n, b):
    """Calls on a tensor `b`, beside `x`, which requires a gradient, and `n`, which does not."""
    f = torch.nn.functional
    index, mask = torch.tensor([0, 1]), n > 2
    return {
        "T": lambda: b.T,
        "reshape": lambda: b.reshape(4),
        "reshape that copies": lambda: b.t().reshape(4),
        "flatten": lambda: b.flatten(),
        "ravel": lambda: b.ravel(),
        "squeeze": lambda: b.squeeze(),
        "item": lambda: b[0],
        "new axis": lambda: b[None],
        "column": lambda: b[:, 0],
        "indices": lambda: b[index],
        "mask": lambda: b[mask],
        "unbind": lambda: b.unbind()[1],
        "split": lambda: b.split(1)[0],
        "chunk": lambda: b.chunk(2)[0],
        "diag": lambda: b.diag(),
        "diagonal": lambda: b.diagonal(),
        "movedim": lambda: b.movedim(0, 1),
        "clone": lambda: b.clone(),
        "float": lambda: b.float(),
        "double": lambda: b.double(),
        "contiguous": lambda: b.contiguous(),
        "contiguous that copies": lambda: b.t().contiguous(),
        "detach": lambda: b.detach(),
        "data": lambda: b.data,
        "real": lambda: b.real,
        "relu": lambda: f.relu(b),
        "softmax": lambda: b.softmax(0),
        "max": lambda: b.max(0)[1],
        "broadcast_to": lambda: torch.broadcast_to(b, (2, 2, 2)),
        "zeros_like": lambda: torch.zeros_like(b),
        "new_ones": lambda: b.new_ones(2),
        "as_tensor": lambda: torch.as_tensor(b),
        "where": lambda: torch.where(b > 2, b, 0.0),
        "cat": lambda: torch.cat([b, b]),
        "einsum": lambda: torch.einsum("ij,jk->ik", b, b),
        "in place on a clone": lambda: b.clone().add_(1),
        "copy_": lambda: torch.empty(2, 2).copy_(b),
        "out": lambda: torch.add(b.detach(), 1, out=torch.empty(2, 2)),
        "unsqueeze_": lambda: b.clone().unsqueeze_(0),
        "requires_grad_": lambda: b.clone().requires_grad_(),
        "add": lambda: b + x,
        "mul": lambda: b * x,
        "parts": lambda: x[0] * b[0],
        "matmul": lambda: b @ n,
        "matmul of both": lambda: x @ b,
        "sum": lambda: b.sum(),
        "var": lambda: b.var(),
        "cumsum": lambda: b.cumsum(0),
        "pow": lambda: b**2,
        "exp": lambda: b.exp(),
        "ne": lambda: b != x,
        "mse_loss": lambda: f.mse_loss(x, b),
        "cross_entropy": lambda: f.cross_entropy(x, b.argmax(1)),
        "addmm": lambda: torch.addmm(x, b, n),
        "addmm of both": lambda: torch.addmm(x, b, x),
        "masked_fill": lambda: x.masked_fill(b > 2, 0.0),
        "scatter": lambda: x.scatter(0, torch.zeros(1, 2, dtype=torch.int64), b),
        "clamp": lambda: torch.clamp(x, b - 1, b + 1),
        "maximum": lambda: torch.maximum(x, b),
    }


@each(
    mode=["inside", "outside", "inside enable_grad", "no_grad"],
    of=["normal", "parameter", "inference"],
)
def call_by_call(torch, log, mode, of):
    rows = [[1.0, 2.0], [3.0, 4.0]]
    n, x = torch.tensor(rows), torch.tensor(rows, requires_grad=True)
    with torch.inference_mode():
        made = torch.tensor(rows)
    calls = _calls(torch, x, n, {"normal": n, "parameter": x, "inference": made}[of])

    def flags(call):
        result = call()
        return [result.is_inference(), result.requires_grad, result.is_leaf]

    for name, call in calls.items():
        with torch.inference_mode(mode.startswith("inside")):
            if mode == "inside":
                log.attempt(name, lambda call=call: flags(call))
            else:
                with torch.set_grad_enabled(mode != "no_grad"):
                    log.attempt(name, lambda call=call: flags(call))


@differs(
    "nothing is recorded in inference mode; PyTorch's function has a node that no backward reaches",
    {"result": {"tuple": [False, None, True]}},
)
def a_custom_function_where_gradients_are_enabled_inside(torch, log):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g

    x = _parameter(torch)
    with torch.inference_mode(), torch.enable_grad():
        y = Double.apply(x)
        log("result", (y.requires_grad, y.grad_fn and y.grad_fn.name(), y.is_inference()))
        z = 2 * x
        log("an operation", (z.requires_grad, z.grad_fn and z.grad_fn.name(), z.is_inference()))
    with log.raises("backward"):
        y.sum().backward()


@each(kind=["result", "leaf", "view", "view made inside", "made inside"])
def detached_inside(torch, log, kind):
    x = torch.ones(2, requires_grad=True)
    y = x if kind == "leaf" else x * 2
    y = y[:1] if kind == "view" else y
    with torch.inference_mode():
        y = y[:1] if kind == "view made inside" else torch.ones(2) if kind == "made inside" else y
        log("is the tensor", y.detach_() is y)
    log("tensor", y)
    log("leaf", y.is_leaf)
    if kind in ("result", "leaf", "view"):
        y.sum().backward()
        log("gradient", x.grad)


_VIEWS = {
    "view": lambda x: x.view(4),
    "reshape": lambda x: x.reshape(4),
    "index": lambda x: x[0],
    "slice": lambda x: x[:, 1:],
    "transpose": lambda x: x.t(),
    "expand": lambda x: x.expand(3, 2, 2),
    "diagonal": lambda x: x.diagonal(),
    "unbind": lambda x: x.unbind()[1],
    "view of a view": lambda x: x[1:].view(2),
}


def _flags(torch, x):
    return [x.requires_grad, x.is_leaf, torch.is_inference(x), x._is_view()]


@each(view=list(_VIEWS), requires_grad=[False, True])
def views_of_what_is_made_inside(torch, log, view, requires_grad):
    f = _VIEWS[view]
    rows = [[1.0, 2.0], [3.0, 4.0]]
    with torch.inference_mode():
        x = torch.tensor(rows, requires_grad=requires_grad)
        inside = f(x)
        log("inside", _flags(torch, inside))
        x.mul_(2)
        log("follows", inside)
    outside = f(x)
    log("outside", _flags(torch, outside))
    with torch.inference_mode():
        outside.sum().item()
        x.add_(1)
    log("follows outside", outside)


@each(method=["resize_", "resize_as_"], of=["leaf", "result", "constant", "made inside"])
def resized_inside(torch, log, method, of):
    def made(torch):
        x = torch.ones(2, 3, requires_grad=of != "constant")
        return x * 1 if of == "result" else x

    def change(x):
        return x.resize_(3, 2) if method == "resize_" else x.resize_as_(torch.zeros(3, 2))

    with torch.inference_mode(of == "made inside"):
        x, y = made(torch), made(torch)
    with torch.inference_mode():
        log.attempt("inside", lambda: list(change(x).shape))
    log("flags", [x.requires_grad, x.is_leaf, torch.is_inference(x)])
    log.attempt("outside", lambda: list(change(y).shape), words=False)


@each(of=["leaf", "result", "constant"])
def data_that_is_made_inside(torch, log, of):
    x = torch.ones(2, 3, requires_grad=of != "constant")
    x = x * 1 if of == "result" else x
    with torch.inference_mode():
        x.data = torch.zeros(3)
        log("inside", [x.requires_grad, x.is_leaf, x.tolist()])
    log("outside", [x.requires_grad, x.is_leaf, x.tolist()])
