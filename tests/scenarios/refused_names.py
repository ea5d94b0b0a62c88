"""Arguments under two names, orders of norms, and views that a change has made unusable."""

from ._harness import each


@each(
    call=[
        ("sum", "sum", {"axis": 0, "dim": 1}),
        ("sum the other way", "sum", {"dim": 0, "axis": 1}),
        ("sum kept", "sum", {"keepdims": True, "keepdim": True, "dim": 0}),
        ("argmax", "argmax", {"axis": 0, "dim": 1}),
        ("cumsum", "cumsum", {"axis": 0, "dim": 1}),
    ]
)
def two_names(torch, log, call):
    _, name, options = call
    x = torch.ones(2, 2)
    log.attempt("function", lambda: getattr(torch, name)(x, **options))
    log.attempt("method", lambda: getattr(x, name)(**options))


def two_names_of_tensors(torch, log):
    x = torch.ones(2)
    log.attempt("input", lambda: torch.add(x1=x, input=x, other=x))
    log.attempt("other", lambda: torch.mul(input=x, x2=x, other=x))
    log.attempt("NumPy's alone", lambda: torch.mul(x1=x, x2=x))


@each(order=["fro", "nuc", "other"], rank=[0, 1, 2, 3])
def norms_of_matrices_alone(torch, log, order, rank):
    x = torch.arange(4.0).reshape([(), (4,), (2, 2), (2, 2, 1)][rank]) if rank else torch.ones(())
    for dim in (None, 0, (0,), (0, 1), (0, 0), (0, 1, 2)):
        log.attempt(f"{dim}", lambda: torch.linalg.norm(x, order, dim=dim))  # noqa: B023
    log.attempt("kept", lambda: torch.linalg.norm(x, order, keepdim=True))


@each(split=["unbind", "split", "chunk"])
def outdated_views(torch, log, split):
    x = torch.ones(2, 2, requires_grad=True)
    y = x * 1
    a = getattr(y, split)(*{"unbind": (), "split": (1,), "chunk": (2,)}[split])[0]
    y.mul_(2)
    log("repr", repr(a))
    log("str", str(a))
    log.attempt("grad_fn", lambda: a.grad_fn)
