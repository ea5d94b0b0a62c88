"""no_grad, enable_grad, set_grad_enabled, is_grad_enabled: contexts, decorators, threads."""

import asyncio
import threading

from ._harness import differs, each


def enabled_by_default(torch, log):
    log("enabled", torch.is_grad_enabled())


def no_grad_as_a_context(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.no_grad():
        log("inside", torch.is_grad_enabled())
        y = x * 2
    log("outside", torch.is_grad_enabled())
    log("y", y)
    log("y.is_leaf", y.is_leaf)
    log("x stays", x.requires_grad)


def enable_grad_inside_no_grad(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.no_grad():
        with torch.enable_grad():
            log("inside", torch.is_grad_enabled())
            y = x * 2
        log("back", torch.is_grad_enabled())
        z = x * 3
    log("y", y)
    log("z", z)


def no_grad_nested(torch, log):
    with torch.no_grad():
        with torch.no_grad():
            log("inner", torch.is_grad_enabled())
        log("outer", torch.is_grad_enabled())
    log("outside", torch.is_grad_enabled())


def no_grad_restores_after_an_exception(torch, log):
    with log.raises("passes through"), torch.no_grad():
        raise KeyError("inside")
    log("enabled", torch.is_grad_enabled())


def enable_grad_restores_after_an_exception(torch, log):
    with torch.no_grad():
        with log.raises("passes through"), torch.enable_grad():
            raise KeyError("inside")
        log("still disabled", torch.is_grad_enabled())
    log("enabled", torch.is_grad_enabled())


def no_grad_as_a_decorator(torch, log):
    @torch.no_grad()
    def double(t):
        """Doubles."""
        return t * 2, torch.is_grad_enabled()

    x = torch.tensor(1.0, requires_grad=True)
    log("result", double(x))
    log("again", double(x))
    log("name", double.__name__)
    log("doc", double.__doc__)
    log("after", torch.is_grad_enabled())


def no_grad_as_a_decorator_without_call(torch, log):
    @torch.no_grad
    def double(t):
        return t * 2

    log("result", double(torch.tensor(1.0, requires_grad=True)))
    log("after", torch.is_grad_enabled())


def enable_grad_as_a_decorator(torch, log):
    @torch.enable_grad()
    def double(t):
        return t * 2

    with torch.no_grad():
        log("result", double(torch.tensor(1.0, requires_grad=True)))
        log("inside", torch.is_grad_enabled())


def decorated_function_that_raises(torch, log):
    @torch.no_grad()
    def fail():
        raise ValueError("inside")

    with log.raises("raises"):
        fail()
    log("after", torch.is_grad_enabled())


def decorated_recursion(torch, log):
    @torch.no_grad()
    def descend(n):
        return torch.is_grad_enabled() if n == 0 else descend(n - 1)

    log("deep", descend(5))
    log("after", torch.is_grad_enabled())


def decorated_generator(torch, log):
    @torch.no_grad()
    def numbers():
        for i in range(3):
            yield i, torch.is_grad_enabled()

    seen = []
    for i, inside in numbers():
        seen.append([i, inside, torch.is_grad_enabled()])
    log("inside and outside", seen)


def decorated_method(torch, log):
    class Model:
        @torch.no_grad()
        def predict(self, t):
            return t * 2

    log("result", Model().predict(torch.tensor(1.0, requires_grad=True)))


def one_instance_entered_twice(torch, log):
    mode = torch.no_grad()
    with mode:
        log("first", torch.is_grad_enabled())
    with mode:
        log("second", torch.is_grad_enabled())
    log("after", torch.is_grad_enabled())


@differs("leaving both blocks restores what was before either", {"after": True})
def one_instance_nested_in_itself(torch, log):
    mode = torch.no_grad()
    with mode:
        with mode:
            log("inner", torch.is_grad_enabled())
        log("outer", torch.is_grad_enabled())
    log("after", torch.is_grad_enabled())
    torch.set_grad_enabled(True)


def context_gives_none(torch, log):
    with torch.no_grad() as value:
        log("no_grad", value)
    with torch.enable_grad() as value:
        log("enable_grad", value)
    with torch.set_grad_enabled(False) as value:
        log("set_grad_enabled", value)


@each(mode=[True, False])
def set_grad_enabled_as_a_context(torch, log, mode):
    x = torch.tensor(1.0, requires_grad=True)
    with torch.set_grad_enabled(mode):
        log("inside", torch.is_grad_enabled())
        y = x * 2
    log("y", y)
    log("after", torch.is_grad_enabled())


def set_grad_enabled_as_a_function(torch, log):
    x = torch.tensor(1.0, requires_grad=True)
    torch.set_grad_enabled(False)
    log("off", torch.is_grad_enabled())
    log("y", x * 2)
    torch.set_grad_enabled(True)
    log("on", torch.is_grad_enabled())
    log("z", x * 2)


def set_grad_enabled_acts_at_construction(torch, log):
    mode = torch.set_grad_enabled(False)
    log("constructed", torch.is_grad_enabled())
    with mode:
        log("entered", torch.is_grad_enabled())
    log("left", torch.is_grad_enabled())


def set_grad_enabled_as_a_decorator(torch, log):
    @torch.set_grad_enabled(False)
    def double(t):
        return t * 2

    log("after decorating", torch.is_grad_enabled())
    log("result", double(torch.tensor(1.0, requires_grad=True)))
    log("after calling", torch.is_grad_enabled())


def set_grad_enabled_by_a_condition(torch, log):
    x = torch.tensor(1.0, requires_grad=True)
    for train in (True, False, True):
        with torch.set_grad_enabled(train):
            y = x * 2
        log(f"{train} {len(log.outcomes)}", y)


@each(value=[1, 0, None, "yes"])
def set_grad_enabled_of_other_types(torch, log, value):
    log.attempt("function", lambda: bool(torch.set_grad_enabled(value)) and None)
    log("enabled", torch.is_grad_enabled())


def set_grad_enabled_without_argument(torch, log):
    with log.raises("missing"):
        torch.set_grad_enabled()


def exceptions_inside_nested_modes(torch, log):
    with log.raises("two levels"), torch.no_grad(), torch.enable_grad():
        raise RuntimeError("deep inside")
    log("after", torch.is_grad_enabled())


def leaf_created_inside_no_grad(torch, log):
    with torch.no_grad():
        x = torch.tensor([1.0], requires_grad=True)
        y = x * 2
        log("x", x)
        log("y", y)
    (x * 3).sum().backward()
    log("grad", x.grad)


def requires_grad_inside_no_grad(torch, log):
    x = torch.tensor([1.0])
    with torch.no_grad():
        x.requires_grad_()
        log("x", x)
        y = (x * 2).requires_grad_()
        log("y", y)
    log("y is a leaf", y.is_leaf)


def backward_inside_no_grad(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    with torch.no_grad():
        y.backward()
    log("grad", x.grad)


def backward_of_a_graph_without_history_inside_no_grad(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.no_grad():
        y = (x * x).sum()
        with log.raises("backward"):
            y.backward()
    with log.raises("backward outside"):
        y.backward()


def mixed_graph(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    with torch.no_grad():
        c = x * x
    y = x * c
    y.backward()
    log("grad, c is constant", x.grad)


def update_inside_no_grad(torch, log):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    (w * w).sum().backward()
    kept = w
    with torch.no_grad():
        w -= 0.25 * w.grad
    log("same object", w is kept)
    log("w", w)
    log("is_leaf", w.is_leaf)
    w.grad.zero_()
    (w * w).sum().backward()
    log("grad", w.grad)


def update_inside_no_grad_out_of_place_loses_the_leaf(torch, log):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    (w * w).sum().backward()
    with torch.no_grad():
        w = w - 0.25 * w.grad
    log("w", w)
    log("grad", w.grad)


def indexed_update_inside_no_grad(torch, log):
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with torch.no_grad():
        w[0] = 10.0
        w[1:] *= 2
    log("w", w)
    (w * w).sum().backward()
    log("grad", w.grad)


def modes_are_local_to_threads(torch, log):
    seen = {}

    def work():
        seen["at start"] = torch.is_grad_enabled()
        with torch.no_grad():
            seen["inside no_grad"] = torch.is_grad_enabled()
        torch.set_grad_enabled(False)
        seen["at end"] = torch.is_grad_enabled()

    with torch.no_grad():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        log("main inside", torch.is_grad_enabled())
    log("thread", seen)
    log("main after", torch.is_grad_enabled())


def threads_overlap(torch, log):
    entered, leave = threading.Event(), threading.Event()
    x = torch.tensor(1.0, requires_grad=True)

    def hold():
        with torch.no_grad():
            entered.set()
            leave.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    entered.wait()
    log("main while another is in no_grad", torch.is_grad_enabled())
    log("y", x * 2)
    leave.set()
    thread.join()


def backward_in_threads_accumulates_without_loss(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)

    def work():
        for _ in range(50):
            (x * 2).sum().backward()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log("grad", x.grad)


def backward_in_another_thread(torch, log):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    thread = threading.Thread(target=y.backward)
    thread.start()
    thread.join()
    log("grad", x.grad)
    with log.raises("second"):
        y.backward()


def default_dtype_is_shared_by_threads(torch, log):
    seen = {}

    def work():
        seen["dtype"] = str(torch.tensor(1.0).dtype)

    torch.set_default_dtype(torch.float64)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    log("seen", seen)


def detach_against_no_grad(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    d = x.detach()
    log("detached", d)
    log("is_leaf", d.is_leaf)
    with torch.no_grad():
        v = x.view(2)
        c = x.clone()
    log("view", v)
    log("clone", c)


def inference_mode(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.inference_mode():
        log("grad enabled", torch.is_grad_enabled())
        log("inference", torch.is_inference_mode_enabled())
        y = x * 2
    log("y", y)
    log("y.is_inference()", y.is_inference())
    log("after", torch.is_inference_mode_enabled())


# ---------------------------------------------------------------- other switches


def multithreading_is_a_switch_of_its_own(torch, log):
    log("default", torch.autograd.is_multithreading_enabled())
    with torch.autograd.set_multithreading_enabled(False) as value:
        log("value", value)
        log("inside", torch.autograd.is_multithreading_enabled())
        with torch.autograd.set_multithreading_enabled(True):
            log("nested", torch.autograd.is_multithreading_enabled())
        log("back", torch.autograd.is_multithreading_enabled())
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        (x * x).sum().backward()
        log("grad", x.grad)
    log("after", torch.autograd.is_multithreading_enabled())


def multithreading_set_at_construction(torch, log):
    torch.autograd.set_multithreading_enabled(False)
    log("off", torch.autograd.is_multithreading_enabled())
    torch.autograd.set_multithreading_enabled(True)
    log("on", torch.autograd.is_multithreading_enabled())


@differs("decorating leaves the mode as it was, as for set_grad_enabled", {"after": True})
def multithreading_as_a_decorator(torch, log):
    @torch.autograd.set_multithreading_enabled(False)
    def inside():
        return torch.autograd.is_multithreading_enabled()

    log("inside", inside())
    log("after", torch.autograd.is_multithreading_enabled())
    torch.autograd.set_multithreading_enabled(True)


@each(value=[1, "yes", None])
def multithreading_of_other_types(torch, log, value):
    with log.raises("raises"):
        torch.autograd.set_multithreading_enabled(value)
    log("after", torch.autograd.is_multithreading_enabled())


def multithreading_is_local_to_threads(torch, log):
    seen = {}

    def work():
        seen["there"] = torch.autograd.is_multithreading_enabled()

    with torch.autograd.set_multithreading_enabled(False):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    log("seen", seen)


def modes_under_their_module(torch, log):
    module = torch.autograd.grad_mode
    for name in ("no_grad", "enable_grad", "set_grad_enabled", "inference_mode"):
        log(name, getattr(module, name) is getattr(torch, name))
    log(
        "multithreading",
        module.set_multithreading_enabled is torch.autograd.set_multithreading_enabled,
    )


# ---------------------------------------------------------------- what is decorated


@each(form=["no_grad", "no_grad()", "enable_grad()", "set_grad_enabled"])
def decorated_class(torch, log, form):
    decorator = {
        "no_grad": torch.no_grad,
        "no_grad()": torch.no_grad(),
        "enable_grad()": torch.enable_grad(),
        "set_grad_enabled": torch.set_grad_enabled(False),
    }[form]
    with log.warns("warnings"):

        @decorator
        class Model:
            def __init__(self):
                self.made = torch.is_grad_enabled()

            def run(self):
                return torch.is_grad_enabled()

    log("made", Model().made)
    log("run", Model().run())
    torch.set_grad_enabled(True)


def decorated_coroutine_runs_outside_of_the_mode(torch, log):
    @torch.no_grad()
    async def run():
        return torch.is_grad_enabled()

    log("inside", asyncio.run(run()))


def decorated_asynchronous_generator_runs_outside_of_the_mode(torch, log):
    @torch.no_grad()
    async def numbers():
        yield torch.is_grad_enabled()

    async def collect():
        return [value async for value in numbers()]

    log("inside", asyncio.run(collect()))


def _conversation(torch, events):
    try:
        while True:
            try:
                got = yield torch.is_grad_enabled()
                events.append(["got", got, torch.is_grad_enabled()])
            except ValueError as error:
                events.append(["caught", str(error), torch.is_grad_enabled()])
    finally:
        events.append(["finally", torch.is_grad_enabled()])


def decorated_generator_that_is_sent_to(torch, log):
    events = []
    generator = torch.no_grad()(_conversation)(torch, events)
    log("first", next(generator))
    log("outside", torch.is_grad_enabled())
    log("sent", generator.send(3))
    log("thrown", generator.throw(ValueError("thrown")))
    generator.close()
    log("events", events)
    log("after", torch.is_grad_enabled())


def decorated_generator_that_is_left(torch, log):
    events = []
    generator = torch.no_grad()(_conversation)(torch, events)
    next(generator)
    with log.raises("passes through"):
        generator.throw(KeyError("unknown"))
    log("events", events)
    log("after", torch.is_grad_enabled())


def decorated_generator_with_a_result(torch, log):
    @torch.no_grad()
    def count():
        yield 1
        return torch.is_grad_enabled()

    def outer():
        result = yield from count()
        yield result

    log("values", list(outer()))


def decorated_generator_whose_consumer_changes_the_mode(torch, log):
    @torch.no_grad()
    def numbers():
        for _ in range(3):
            yield torch.is_grad_enabled()

    seen = []
    for inside in numbers():
        seen.append([inside, torch.is_grad_enabled()])
        torch.set_grad_enabled(not torch.is_grad_enabled())
    log("seen", seen)
    torch.set_grad_enabled(True)


def decorated_lambda_partial_and_method(torch, log):
    log("lambda", torch.no_grad()(lambda: torch.is_grad_enabled())())
    log("method", torch.no_grad()([1, 2, 2].count)(2))


def graphs_of_several_threads_in_their_own_modes(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    found = {}

    def work(name, mode):
        with torch.set_grad_enabled(mode):
            found[name] = (x * 2).requires_grad

    threads = [threading.Thread(target=work, args=(f"thread {i}", i % 2 == 0)) for i in range(4)]
    for thread in threads:
        thread.start()
        thread.join()
    log("found", found)
