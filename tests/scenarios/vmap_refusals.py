"""`vmap`: what cannot be mapped, and tensors that got out."""

from __future__ import annotations

import copy
import pickle

import numpy as np

from tests.scenarios._harness import differs, each

from ._mapped import _inside, _numbers

# ---------------------------------------------------------------- what cannot be done


@each(
    what=[
        "item", "float", "int", "complex", "bool", "if", "and", "while", "numpy", "tolist",
        "array", "nonzero", "mask", "mask written", "masked_select", "data", "data written",
        "requires_grad_", "requires_grad_ False",
        "backward", "autograd.backward", "format", "index", "range", "in", "is_nonzero", "equal",
        "data_ptr", "pickle", "list of entries", "shape from values", "max of Python",
        "backward of a captured tensor", "requires_grad_ of a new one",
        "split by values", "set data", "hash of values", "assert", "sorted",
    ]
)  # fmt: skip
def what_is_refused(torch, log, what):
    x = _numbers(torch, 3, 2, requires_grad=what in ("backward", "autograd.backward"))
    w = torch.ones(2, requires_grad=True)

    def body(b):
        if what == "item":
            return b.sum().item()
        if what == "float":
            return float(b.sum())
        if what == "int":
            return int(b.sum())
        if what == "complex":
            return complex(b.sum())
        if what == "bool":
            return bool(b.sum())
        if what == "if":
            return b if b.sum() > 0 else -b
        if what == "and":
            return (b.sum() > 0) and b
        if what == "while":
            while b.sum() < 10:
                b = b * 2
            return b
        if what == "numpy":
            return b.numpy()
        if what == "tolist":
            return b.tolist()
        if what == "array":
            return np.asarray(b)
        if what == "nonzero":
            return b.nonzero()
        if what == "mask":
            return b[b > 0]
        if what == "mask written":
            c = b.clone()
            c[b > 0] = 0.0
            return c
        if what == "masked_select":
            return b.masked_select(b > 0)
        if what == "data":
            return b.data
        if what == "data written":
            b.data = torch.ones(2)
            return b
        if what == "set data":
            c = torch.ones(2)
            c.data = b
            return c
        if what == "requires_grad_":
            return b.requires_grad_()
        if what == "requires_grad_ False":
            return b.requires_grad_(False)
        if what == "requires_grad_ of a new one":
            return torch.ones(2).requires_grad_()
        if what == "backward":
            return (b * 2).sum().backward()
        if what == "autograd.backward":
            return torch.autograd.backward((b * w).sum())
        if what == "backward of a captured tensor":
            return w.sum().backward()
        if what == "format":
            return f"{b.sum():.2f}"
        if what == "index":
            return [1, 2, 3][b.sum().long()]
        if what == "range":
            return list(range(b.sum().long()))
        if what == "in":
            return 1.0 in b
        if what == "is_nonzero":
            return torch.is_nonzero(b.sum())
        if what == "equal":
            return torch.equal(b, b)
        if what == "data_ptr":
            return b.data_ptr()
        if what == "pickle":
            return pickle.dumps(b)
        if what == "list of entries":
            return torch.tensor([b.sum(), 1.0])
        if what == "shape from values":
            return torch.zeros(int(b.sum()))
        if what == "max of Python":
            return max(b[0], b[1])
        if what == "split by values":
            return b.split(b.long().tolist())
        if what == "hash of values":
            return {b.sum().item(): 1}
        if what == "assert":
            assert b.sum() >= 0
            return b
        if what == "sorted":
            return sorted(b)
        raise AssertionError(what)

    with log.raises("call"):
        torch.vmap(body, out_dims=None)(x)
    log("w", w.grad)


_COUNTED = {
    "raises": "RuntimeError",
    "message": "vmap: We do not support batching operators that can output dynamic shape. "
    "Attempted to vmap over aten::nonzero. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues if you need this feature.",
}


@differs(
    "the message names what finds the elements, and does not depend on what they are",
    {
        "nonzero": _COUNTED,
        "argwhere": _COUNTED,
        "where": _COUNTED,
        "repeat_interleave": {
            "raises": "RuntimeError",
            "message": _COUNTED["message"].replace("nonzero", "repeat_interleave"),
        },
        "allclose": {
            "raises": "RuntimeError",
            "message": "vmap: It looks like you're attempting to use a Tensor in some "
            "data-dependent control flow. We don't support that yet, please file an issue at "
            "https://github.com/pytorch/pytorch/issues .",
        },
    },
)
def shapes_and_answers_that_depend_on_elements(torch, log):
    x = _numbers(torch, 3, 2)
    for name, call in {
        "nonzero": lambda b: b.nonzero(as_tuple=True),
        "argwhere": torch.argwhere,
        "where": lambda b: torch.where(b > 0),
        "repeat_interleave": lambda b: torch.repeat_interleave(b, b.long()),
        "allclose": lambda b: torch.allclose(b, b),
    }.items():
        with log.raises(name):
            torch.vmap(call)(x)


@each(
    what=[
        "item of a constant", "float of a constant", "if on a constant", "if on a shape",
        "data of a constant", "numpy of a constant", "mask of a constant", "assert on a shape",
        "identity", "hash", "in a list", "print of a constant", "is None", "loop", "zip", "len",
        "nonzero of a constant", "deepcopy of a constant", "isinstance", "dtype", "device",
    ]
)  # fmt: skip
def what_is_allowed(torch, log, what):
    x = _numbers(torch, 3, 2)
    c = torch.tensor([2.0, 0.0])

    def body(b):
        if what == "item of a constant":
            return b * c[0].item()
        if what == "float of a constant":
            return b * float(c[0])
        if what == "if on a constant":
            return b if c.sum() > 0 else -b
        if what == "if on a shape":
            return b if b.shape[0] > 1 else -b
        if what == "data of a constant":
            return b * c.data
        if what == "numpy of a constant":
            return b * torch.from_numpy(c.numpy() + 1)
        if what == "mask of a constant":
            return b[c > 0]
        if what == "assert on a shape":
            assert b.dim() == 1
            return b
        if what == "identity":
            return b * (b is b)
        if what == "hash":
            return {b: b}[b]
        if what == "in a list":
            return [b][[id(b)].index(id(b))]
        if what == "print of a constant":
            return b * len(str(c))
        if what == "is None":
            return b if b is not None else c
        if what == "loop":
            total = 0
            for part in b:
                total = total + part
            return total
        if what == "zip":
            return [p * q for p, q in zip(b, c, strict=True)]
        if what == "len":
            return b * len(b)
        if what == "nonzero of a constant":
            return b[c.nonzero()]
        if what == "deepcopy of a constant":
            return b * copy.deepcopy(c)
        if what == "isinstance":
            return b * isinstance(b, torch.Tensor)
        if what == "dtype":
            return b * (b.dtype is torch.float32) * b.is_floating_point()
        if what == "device":
            return b * (b.device.type == "cpu")
        raise AssertionError(what)

    log("y", torch.vmap(body)(x))


def printing_inside(torch, log):
    x = _numbers(torch, 2, 2, requires_grad=True)
    _inside(torch, log, "entry", repr, x)
    _inside(torch, log, "column", repr, x, in_dims=1)
    _inside(torch, log, "result", lambda b: repr(b + 1), x)
    _inside(torch, log, "constant", lambda b: repr(torch.ones(2)), x)
    _inside(torch, log, "str", str, x)
    texts = []
    torch.vmap(torch.vmap(lambda b: (texts.append(repr(b)), b)[1]))(x.detach())
    log("nested", texts)


def results_may_not_be_given(torch, log):
    x = _numbers(torch, 3, 2)
    log(
        "constants",
        torch.vmap(lambda b: torch.add(torch.ones(2), 1, out=torch.empty(2)), out_dims=None)(x),
    )


_GIVEN = {
    "raises": "RuntimeError",
    "message": "Batching rule not implemented for functions with out=; the fallback path doesn't "
    "work on out= or view ops.",
}


@differs("one message for all functions", {"add": _GIVEN, "sin": _GIVEN, "into an entry": _GIVEN})
def results_in_given_tensors(torch, log):
    x = _numbers(torch, 3, 2)
    with log.raises("add"):
        torch.vmap(lambda b: torch.add(b, b, out=torch.empty(2)))(x)
    with log.raises("sin"):
        torch.vmap(lambda b: torch.sin(b, out=torch.empty(2)))(x)
    with log.raises("into an entry"):
        torch.vmap(lambda b: torch.sin(torch.ones(2), out=b))(x)


def requires_grad_by_assignment(torch, log):
    x = _numbers(torch, 3, 2)

    def body(b):
        b.requires_grad = True
        return b

    log("y", torch.vmap(body)(x))
    w = []

    def makes(b):
        w.append(torch.ones(2, requires_grad=True))
        return b * w[0]

    y = torch.vmap(makes)(x)
    log.gradient("made inside", y)
    log("its gradient", torch.autograd.grad(y.sum(), w[0]))


# ---------------------------------------------------------------- tensors that got out


_ESCAPED = {
    "raises": "RuntimeError",
    "message": "Either your tensor may have escaped from inside a function being vmapped and this "
    "is a user error (see https://pytorch.org/functorch/stable/ux_limitations.html), or there is "
    "an internal functorch error in `gen_vmap_plumbing` Please file an issue if it looks like the "
    "latter",
}


@differs(
    "one message, also for the next function that is mapped, where PyTorch takes it for an entry",
    {"summed": _ESCAPED, "changed": _ESCAPED, "beside an entry of another": _ESCAPED},
)
def tensors_that_got_out(torch, log):
    x = _numbers(torch, 3, 2)
    out = []
    torch.vmap(lambda b: (out.append(b * 2), b)[1])(x)
    b = out[0]
    log("shape", b.shape)
    log("dtype", b.dtype)
    with log.raises("added to"):
        b + 1
    with log.raises("beside"):
        x[0] * b
    log.attempt("beside an entry of another", lambda: torch.vmap(lambda a: a * b)(x))
    with log.raises("summed"):
        b.sum()
    with log.raises("viewed"):
        b[0]
    with log.raises("changed"):
        b.add_(1)


@differs(
    "the message is that for tensors that got out; PyTorch's is an internal one",
    {"used in the outer one": _ESCAPED},
)
def tensors_that_got_out_of_the_inner_one(torch, log):
    x = _numbers(torch, 3, 2)
    out = []

    def outer(a):
        torch.vmap(lambda b: (out.append(b), b)[1])(a)
        with log.raises("used in the outer one"):
            out[0] + a
        return a

    torch.vmap(outer)(x)


def entries_used_one_level_in(torch, log):
    x, y = _numbers(torch, 3, 2), _numbers(torch, 2)
    kept = {}

    def outer(a):
        kept["a"] = a * 2
        return torch.vmap(lambda b: b * kept["a"].sum())(y)

    log("y", torch.vmap(outer)(x))
