"""Threads: shared leaves, modes that belong to one thread, hooks and errors in others."""

import threading
from concurrent.futures import ThreadPoolExecutor

from ._harness import each


def _run(*works):
    """Run functions at the same time, and return what each returned or raised."""
    start = threading.Barrier(len(works))
    results = [None] * len(works)

    def call(i):
        start.wait()
        try:
            results[i] = works[i]()
        except Exception as error:
            results[i] = f"{type(error).__name__}: {str(error).splitlines()[0]}"

    threads = [threading.Thread(target=call, args=(i,)) for i in range(len(works))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return results


def a_shared_leaf(torch, log):
    x = torch.ones(3, requires_grad=True)

    def work():
        for _ in range(25):
            (x * 2).sum().backward()

    _run(*[work] * 4)
    log("grad", x.grad)


def leaves_of_their_own(torch, log):
    def work(i):
        x = torch.tensor([float(i)], requires_grad=True)
        (x**3).backward()
        return x.grad.item()

    log("grads", _run(*[lambda i=i: work(i) for i in range(4)]))


@each(mode=["no_grad", "enable_grad"])
def modes_belong_to_a_thread(torch, log, mode):
    with getattr(torch, mode)():
        log("in a new thread", _run(torch.is_grad_enabled))
        log("here", torch.is_grad_enabled())
    entered, left = threading.Event(), threading.Event()

    def holds():
        with torch.no_grad():
            entered.set()
            left.wait()
            return torch.is_grad_enabled()

    def looks():
        entered.wait()
        found = torch.is_grad_enabled()
        left.set()
        return found

    log("beside a thread under no_grad", _run(holds, looks))


def set_grad_enabled_in_a_thread(torch, log):
    def work():
        torch.set_grad_enabled(False)
        return torch.is_grad_enabled()

    log("there", _run(work))
    log("here", torch.is_grad_enabled())


def a_graph_made_in_another_thread(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (y,) = _run(lambda: (x * x).sum())
    log("result", y)
    y.backward()
    log("grad", x.grad)


def backward_in_another_thread(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x.exp() * x).sum()
    log("returns", _run(y.backward))
    log("grad", x.grad)


def backward_in_another_thread_under_no_grad(torch, log):
    x = torch.tensor([3.0], requires_grad=True)
    y = x * x

    def work():
        with torch.no_grad():
            y.backward()

    _run(work)
    log("grad", x.grad)


def one_graph_in_many_threads(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    _run(*[lambda: y.backward(retain_graph=True)] * 4)
    log("grad", x.grad)


def graphs_that_share_a_part(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    shared = x.exp()  # no retained gradient: PyTorch loses some of what threads add to one
    works = [lambda k=k: (shared * k).sum().backward(retain_graph=True) for k in (1, 2, 3)]
    log("returns", _run(*works))
    log("grad", x.grad)


def a_second_time_in_another_thread(torch, log):
    x = torch.tensor([1.0], requires_grad=True)
    y = x * x
    y.backward()
    log("second", [found[:62] for found in _run(y.backward)])


def grad_in_threads(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    works = [lambda k=k: torch.autograd.grad((x**k).sum(), x)[0].tolist() for k in (1, 2, 3)]
    log("gradients", _run(*works))
    log("grad", x.grad)


def second_derivatives_in_threads(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)

    def work(k):
        (g,) = torch.autograd.grad((x**k).sum(), x, create_graph=True)
        return torch.autograd.grad(g.sum(), x)[0].tolist()

    log("gradients", _run(*[lambda k=k: work(k) for k in (2, 3, 4)]))


def hooks_run_in_the_thread_of_the_pass(torch, log):
    x = torch.tensor([1.0], requires_grad=True)
    seen = []
    x.register_hook(lambda g: seen.append(threading.current_thread().name))

    def work():
        threading.current_thread().name = "worker"
        (x * 2).sum().backward()

    _run(work)
    log("thread", seen)
    log("grad", x.grad)


def hooks_see_each_pass(torch, log):
    x = torch.tensor([1.0], requires_grad=True)
    seen = []
    x.register_hook(lambda g: seen.append(g.item()) or g * 10)
    _run(*[lambda k=k: (x * k).sum().backward() for k in (1.0, 2.0, 3.0)])
    log("seen", sorted(seen))
    log("grad", x.grad)


def a_hook_that_raises_in_a_thread(torch, log):
    x = torch.tensor([1.0], requires_grad=True)

    def refuse(g):
        raise ValueError("not here")

    handle = x.register_hook(refuse)
    log("raised there", _run((x * 2).sum().backward))
    log("grad", x.grad)
    handle.remove()
    (x * 2).sum().backward()
    log("afterwards", x.grad)


def a_hook_registered_in_a_thread(torch, log):
    x = torch.tensor([1.0], requires_grad=True)
    _run(lambda: x.register_hook(lambda g: g * 5) and None)
    (x * 2).sum().backward()
    log("grad", x.grad)


def post_accumulate_hooks_in_threads(torch, log):
    x = torch.tensor([1.0], requires_grad=True)
    seen = []
    x.register_post_accumulate_grad_hook(lambda t: seen.append(t is x))
    _run(*[lambda: (x * 2).sum().backward()] * 3)
    log("seen", seen)
    log("grad", x.grad)


def errors_stay_in_their_thread(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    found = _run(
        lambda: (x * 2).backward(),
        lambda: torch.ones(2).sum().backward(),
        lambda: (x * 2).sum().backward(),
    )
    log("found", [f if f is None else f[:60] for f in found])
    log("grad", x.grad)


def a_pool(torch, log):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    data = [torch.tensor([float(i), 1.0]) for i in range(8)]

    def loss(row):
        y = ((w * row).sum() - 1) ** 2
        y.backward()
        return y.item()

    with ThreadPoolExecutor(3) as pool:
        log("losses", list(pool.map(loss, data)))
    log("grad", w.grad)


def parts_joined(torch, log):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    parts = _run(*[lambda i=i: (x[i] * (i + 1)) ** 2 for i in range(3)])
    torch.stack(parts).sum().backward()
    log("grad", x.grad)


def changes_in_place_in_a_thread(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    z = y.exp()
    _run(lambda: y.mul_(2.0) and None)
    log("version", y._version)
    log("grad_fn", y.grad_fn.name())
    (y.sum() + z.sum()).backward()
    log("grad", x.grad)


def a_change_seen_by_another_thread(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    z = (y * y).sum()
    y.add_(1.0)
    log("raised there", [found[:48] for found in _run(z.backward)])


def requires_grad_set_in_a_thread(torch, log):
    x = torch.tensor([1.0])
    _run(lambda: x.requires_grad_() and None)
    (x * 3).sum().backward()
    log("grad", x.grad)


def backward_inside_a_hook_in_a_thread(torch, log):
    x = torch.tensor([2.0], requires_grad=True)
    inner = torch.tensor([3.0], requires_grad=True)
    x.register_hook(lambda g: (inner * inner).sum().backward())
    log("returns", _run((x * x).sum().backward))
    log("inner", inner.grad)
    log("outer", x.grad)


def a_subclass_in_threads(torch, log):
    class Metres(torch.Tensor):
        pass

    x = torch.Tensor._make_subclass(Metres, torch.tensor([1.0, 2.0]), True)
    log("classes", _run(*[lambda: type(x * 2).__name__] * 3))
    _run(*[lambda: (x * x).sum().backward()] * 3)
    log("grad", x.grad)
