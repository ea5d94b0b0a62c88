"""`vmap`: indices, dtypes, and functions that return several tensors."""

from __future__ import annotations

import numpy as np

from tests.scenarios._harness import differs, each

from ._mapped import _numbers

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
