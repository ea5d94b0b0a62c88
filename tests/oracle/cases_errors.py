"""Bad input: each call must fail as PyTorch's does, and change nothing.

Every case gets the same tensors: x (2, 3), y (3, 4), w (4,) and s () of float64 requiring grad,
n (3,) of int64, m (3,) of bool.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .table import f, i, table, v

INPUTS = (f(2, 3), f(3, 4), f(4), f(), i(3), v([True, False, True], "bool"))
case = table("errors")


def bad(name: str, fn: Callable[..., Any]) -> None:
    case(name, fn, *INPUTS)


# shapes that do not broadcast
OPERATORS = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "pow": operator.pow,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
}
for name, op in OPERATORS.items():
    bad(f"shapes-{name}", lambda t, x, y, w, s, n, m, op=op: op(x, y))
    bad(f"shapes-{name}-1d", lambda t, x, y, w, s, n, m, op=op: op(x, w))
BINARY = ["add", "sub", "mul", "div", "pow", "maximum", "minimum", "atan2", "lt", "eq"]
for name in [*BINARY, "logical_and"]:
    bad(f"shapes-{name}-function", lambda t, x, y, w, s, n, m, k=name: getattr(t, k)(x, y))
    bad(f"string-{name}", lambda t, x, y, w, s, n, m, k=name: getattr(t, k)(x, "a"))
    bad(f"missing-{name}", lambda t, x, y, w, s, n, m, k=name: getattr(t, k)(x))
for name in ("add", "sub", "mul", "truediv", "pow", "lt", "ge"):
    op = OPERATORS[name]
    bad(f"string-operator-{name}", lambda t, x, y, w, s, n, m, op=op: op(x, "a"))
    bad(f"string-reflected-{name}", lambda t, x, y, w, s, n, m, op=op: op("a", x))
    bad(f"none-operator-{name}", lambda t, x, y, w, s, n, m, op=op: op(x, None))
    bad(f"list-operator-{name}", lambda t, x, y, w, s, n, m, op=op: op(x, [1, 2, 3]))
    bad(f"dict-operator-{name}", lambda t, x, y, w, s, n, m, op=op: op(x, {}))
bad("shapes-where", lambda t, x, y, w, s, n, m: t.where(x > 0, x, y))
bad("shapes-where-cond", lambda t, x, y, w, s, n, m: t.where(y > 0, x, x))
bad("where-float-cond", lambda t, x, y, w, s, n, m: t.where(x, x, x))
bad("where-string", lambda t, x, y, w, s, n, m: t.where(x > 0, x, "a"))
bad("shapes-clamp", lambda t, x, y, w, s, n, m: x.clamp(min=w))
bad("clamp-nothing", lambda t, x, y, w, s, n, m: x.clamp())
bad("clamp-string", lambda t, x, y, w, s, n, m: x.clamp("a"))
bad("shapes-masked_fill", lambda t, x, y, w, s, n, m: x.masked_fill(y > 0, 0.0))
bad("masked_fill-float-mask", lambda t, x, y, w, s, n, m: x.masked_fill(x, 0.0))
bad("masked_fill-vector-value", lambda t, x, y, w, s, n, m: x.masked_fill(x > 0, w))

# functions of one tensor given something else
UNARY = [
    *("neg", "abs", "sign", "exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "square"),
    *("reciprocal", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
    *("asinh", "acosh", "atanh", "sigmoid", "relu", "erf", "floor", "ceil", "round", "trunc"),
]
for name in UNARY:
    bad(f"number-{name}", lambda t, x, y, w, s, n, m, k=name: getattr(t, k)(2.0))
    bad(f"keyword-{name}", lambda t, x, y, w, s, n, m, k=name: getattr(t, k)(x, foo=1))
for name in ("exp", "tanh", "relu", "sqrt", "sum", "mean"):
    bad(f"string-{name}", lambda t, x, y, w, s, n, m, k=name: getattr(t, k)("a"))
    bad(f"list-{name}", lambda t, x, y, w, s, n, m, k=name: getattr(t, k)([1.0, 2.0]))
    bad(f"none-{name}", lambda t, x, y, w, s, n, m, k=name: getattr(t, k)(None))
    bad(f"array-{name}", lambda t, x, y, w, s, n, m, k=name: getattr(t, k)(np.ones(2)))
    bad(f"nothing-{name}", lambda t, x, y, w, s, n, m, k=name: getattr(t, k)())
    bad(f"too-many-{name}", lambda t, x, y, w, s, n, m, k=name: getattr(x, k)(1, 2, 3, 4, 5))
bad("neg-bool", lambda t, x, y, w, s, n, m: -m)
bad("sub-bool", lambda t, x, y, w, s, n, m: m - m)
bad("rsub-bool", lambda t, x, y, w, s, n, m: 1 - m)
bad("invert-float", lambda t, x, y, w, s, n, m: ~x)
bad("and-float", lambda t, x, y, w, s, n, m: x & x)
bad("relu-bool", lambda t, x, y, w, s, n, m: m.relu())
bad("int-negative-power", lambda t, x, y, w, s, n, m: n**-1)
bad("unknown-method", lambda t, x, y, w, s, n, m: x.frobnicate())
bad("add-alpha-string", lambda t, x, y, w, s, n, m: t.add(x, x, alpha="a"))
bad("add-alpha-float-int", lambda t, x, y, w, s, n, m: t.add(n, n, alpha=0.5))
bad("div-rounding-unknown", lambda t, x, y, w, s, n, m: t.div(x, x, rounding_mode="up"))

# dims
MANY_DIMS = ["sum", "mean", "amax", "amin", "logsumexp", "var", "std", "norm"]
ONE_DIM = [*MANY_DIMS, "max", "min", "argmax", "argmin", "prod", "cumsum", "any", "all"]

for name in ONE_DIM:
    bad(f"dim-{name}-2", lambda t, x, y, w, s, n, m, k=name: getattr(x, k)(dim=2))
    bad(f"dim-{name}--3", lambda t, x, y, w, s, n, m, k=name: getattr(t, k)(x, dim=-3))
    bad(f"dim-{name}-0d", lambda t, x, y, w, s, n, m, k=name: getattr(s, k)(dim=1))
    bad(f"dim-{name}-string", lambda t, x, y, w, s, n, m, k=name: getattr(x, k)(dim="a"))
    bad(f"dim-{name}-float", lambda t, x, y, w, s, n, m, k=name: getattr(x, k)(dim=1.5))
    bad(f"keyword-{name}", lambda t, x, y, w, s, n, m, k=name: getattr(x, k)(foo=1))
for name in MANY_DIMS:
    bad(f"dim-{name}-repeated", lambda t, x, y, w, s, n, m, k=name: getattr(x, k)(dim=(0, 0)))
    bad(
        f"dim-{name}-repeated-negative",
        lambda t, x, y, w, s, n, m, k=name: getattr(x, k)(dim=(1, -1)),
    )
    bad(f"dim-{name}-one-wrong", lambda t, x, y, w, s, n, m, k=name: getattr(x, k)(dim=(0, 5)))
for name in ("max", "min", "argmax", "argmin", "prod", "cumsum"):
    bad(f"dim-{name}-tuple", lambda t, x, y, w, s, n, m, k=name: getattr(x, k)(dim=(0, 1)))
for name in ("max", "min", "amax", "amin", "argmax", "argmin"):
    bad(f"empty-{name}", lambda t, x, y, w, s, n, m, k=name: getattr(t.zeros(0), k)())
    bad(f"empty-{name}-dim", lambda t, x, y, w, s, n, m, k=name: getattr(t.zeros(2, 0), k)(dim=1))
for name in ("mean", "var", "std", "norm"):
    bad(f"ints-{name}", lambda t, x, y, w, s, n, m, k=name: getattr(n, k)())
bad("cumsum-no-dim", lambda t, x, y, w, s, n, m: x.cumsum())
bad("logsumexp-no-dim", lambda t, x, y, w, s, n, m: x.logsumexp())
bad("argmax-bool", lambda t, x, y, w, s, n, m: m.argmax())
bad("norm-unknown-string", lambda t, x, y, w, s, n, m: x.norm("abc"))
bad("var-both", lambda t, x, y, w, s, n, m: x.var(unbiased=True, correction=1))

# products
for name, fn in {
    "matmul-2d": lambda t, x, y, w, s, n, m: x @ x,
    "matmul-2d-1d": lambda t, x, y, w, s, n, m: x @ w,
    "matmul-1d-2d": lambda t, x, y, w, s, n, m: w @ x,
    "matmul-1d": lambda t, x, y, w, s, n, m: w @ w[:3],
    "matmul-0d": lambda t, x, y, w, s, n, m: s @ x,
    "matmul-0d-right": lambda t, x, y, w, s, n, m: x @ s,
    "matmul-batch": lambda t, x, y, w, s, n, m: t.matmul(
        t.ones(2, 3, 4).double(), t.ones(3, 4, 2).double()
    ),
    "matmul-batch-inner": lambda t, x, y, w, s, n, m: t.matmul(t.ones(2, 3, 4).double(), y),
    "matmul-dtype": lambda t, x, y, w, s, n, m: x @ y.float(),
    "matmul-dtype-int": lambda t, x, y, w, s, n, m: x @ n,
    "matmul-number": lambda t, x, y, w, s, n, m: x @ 2,
    "matmul-number-left": lambda t, x, y, w, s, n, m: 2 @ x,
    "matmul-string": lambda t, x, y, w, s, n, m: t.matmul(x, "a"),
    "matmul-list": lambda t, x, y, w, s, n, m: x @ [1, 2, 3],
    "dot-sizes": lambda t, x, y, w, s, n, m: w.dot(w[:3]),
    "dot-2d": lambda t, x, y, w, s, n, m: x.dot(x),
    "dot-0d": lambda t, x, y, w, s, n, m: s.dot(w),
    "dot-dtype": lambda t, x, y, w, s, n, m: w.dot(w.float()),
    "mv-sizes": lambda t, x, y, w, s, n, m: x.mv(w),
    "mv-2d": lambda t, x, y, w, s, n, m: x.mv(y),
    "mm-sizes": lambda t, x, y, w, s, n, m: x.mm(x),
    "mm-1d": lambda t, x, y, w, s, n, m: x.mm(w),
    "mm-dtype": lambda t, x, y, w, s, n, m: x.mm(y.float()),
    "mm-left-1d": lambda t, x, y, w, s, n, m: w.mm(x),
    "bmm-2d": lambda t, x, y, w, s, n, m: x.bmm(y),
    "bmm-right-2d": lambda t, x, y, w, s, n, m: x[None].bmm(y),
    "bmm-sizes": lambda t, x, y, w, s, n, m: x[None].bmm(x[None]),
    "bmm-batch": lambda t, x, y, w, s, n, m: x[None].bmm(t.ones(2, 3, 4).double()),
    "outer-2d": lambda t, x, y, w, s, n, m: t.outer(x, w),
    "outer-right-2d": lambda t, x, y, w, s, n, m: t.outer(w, x),
    "linear-sizes": lambda t, x, y, w, s, n, m: t.nn.functional.linear(x, y),
    "linear-dtype": lambda t, x, y, w, s, n, m: t.nn.functional.linear(
        n, n.float()[None], w[:1].float()
    ),
    "addmm-dtype": lambda t, x, y, w, s, n, m: t.addmm(w.float(), x, y.float()),
    "einsum-sizes": lambda t, x, y, w, s, n, m: t.einsum("ij,ij->", x, y),
    "einsum-ranks": lambda t, x, y, w, s, n, m: t.einsum("ijk->i", x),
    "einsum-few-operands": lambda t, x, y, w, s, n, m: t.einsum("ij,jk->ik", x),
    "einsum-many-operands": lambda t, x, y, w, s, n, m: t.einsum("ij", x, y),
    "einsum-output-unknown": lambda t, x, y, w, s, n, m: t.einsum("ij->k", x),
    "einsum-output-repeated": lambda t, x, y, w, s, n, m: t.einsum("ij->ii", x),
    "einsum-character": lambda t, x, y, w, s, n, m: t.einsum("i1->i", x),
    "einsum-diagonal": lambda t, x, y, w, s, n, m: t.einsum("ii->i", x),
    "einsum-ellipsis-twice": lambda t, x, y, w, s, n, m: t.einsum("...i...->i", x),
    "einsum-dot": lambda t, x, y, w, s, n, m: t.einsum(".ij->ij", x),
    "einsum-nothing": lambda t, x, y, w, s, n, m: t.einsum("ij->i"),
    "einsum-no-arguments": lambda t, x, y, w, s, n, m: t.einsum(),
    "tensordot-sizes": lambda t, x, y, w, s, n, m: t.tensordot(x, x, dims=1),
}.items():
    bad(name, fn)

# movement
for name, fn in {
    "reshape-size": lambda t, x, y, w, s, n, m: x.reshape(4),
    "reshape-infer": lambda t, x, y, w, s, n, m: x.reshape(-1, 4),
    "reshape-two-inferred": lambda t, x, y, w, s, n, m: x.reshape(-1, -1),
    "reshape-negative": lambda t, x, y, w, s, n, m: x.reshape(-2, 3),
    "reshape-string": lambda t, x, y, w, s, n, m: x.reshape("a"),
    "reshape-float": lambda t, x, y, w, s, n, m: x.reshape(2.0, 3),
    "reshape-empty-infer": lambda t, x, y, w, s, n, m: t.zeros(0).reshape(-1, 0),
    "reshape-nothing": lambda t, x, y, w, s, n, m: x.reshape(),
    "view-size": lambda t, x, y, w, s, n, m: x.view(5),
    "view-transposed": lambda t, x, y, w, s, n, m: x.t().view(6),
    "view-infer": lambda t, x, y, w, s, n, m: x.view(-1, 5),
    "flatten-dims": lambda t, x, y, w, s, n, m: x.flatten(1, 0),
    "flatten-range": lambda t, x, y, w, s, n, m: x.flatten(0, 5),
    "transpose-range": lambda t, x, y, w, s, n, m: x.transpose(0, 2),
    "transpose-missing": lambda t, x, y, w, s, n, m: x.transpose(0),
    "swapaxes-range": lambda t, x, y, w, s, n, m: x.swapaxes(-3, 0),
    "t-3d": lambda t, x, y, w, s, n, m: x[None].t(),
    "mT-1d": lambda t, x, y, w, s, n, m: w.mT,
    "permute-few": lambda t, x, y, w, s, n, m: x.permute(0),
    "permute-repeated": lambda t, x, y, w, s, n, m: x.permute(0, 0),
    "permute-range": lambda t, x, y, w, s, n, m: x.permute(0, 2),
    "permute-many": lambda t, x, y, w, s, n, m: x.permute(0, 1, 2),
    "squeeze-range": lambda t, x, y, w, s, n, m: x.squeeze(2),
    "unsqueeze-range": lambda t, x, y, w, s, n, m: x.unsqueeze(4),
    "unsqueeze-missing": lambda t, x, y, w, s, n, m: x.unsqueeze(),
    "expand-size": lambda t, x, y, w, s, n, m: x.expand(4, 3),
    "expand-few": lambda t, x, y, w, s, n, m: x.expand(3),
    "expand-new-negative": lambda t, x, y, w, s, n, m: x.expand(-1, 2, 3),
    "expand-negative": lambda t, x, y, w, s, n, m: x.expand(2, -3),
    "broadcast_to-size": lambda t, x, y, w, s, n, m: t.broadcast_to(x, (2, 4)),
    "cat-shapes": lambda t, x, y, w, s, n, m: t.cat([x, y]),
    "cat-dims": lambda t, x, y, w, s, n, m: t.cat([x, w]),
    "cat-0d": lambda t, x, y, w, s, n, m: t.cat([s, s]),
    "cat-empty": lambda t, x, y, w, s, n, m: t.cat([]),
    "cat-range": lambda t, x, y, w, s, n, m: t.cat([x, x], 2),
    "cat-tensor": lambda t, x, y, w, s, n, m: t.cat(x),
    "cat-numbers": lambda t, x, y, w, s, n, m: t.cat([x, 1]),
    "cat-string": lambda t, x, y, w, s, n, m: t.cat("ab"),
    "cat-shapes-dim1": lambda t, x, y, w, s, n, m: t.cat([x, y], dim=1),
    "stack-shapes": lambda t, x, y, w, s, n, m: t.stack([x, y]),
    "stack-empty": lambda t, x, y, w, s, n, m: t.stack([]),
    "stack-range": lambda t, x, y, w, s, n, m: t.stack([w, w], 2),
    "stack-numbers": lambda t, x, y, w, s, n, m: t.stack([1, 2]),
    "split-sum": lambda t, x, y, w, s, n, m: w.split([1, 2]),
    "split-negative": lambda t, x, y, w, s, n, m: w.split(-1),
    "split-zero": lambda t, x, y, w, s, n, m: w.split(0),
    "split-range": lambda t, x, y, w, s, n, m: w.split(2, 1),
    "split-0d": lambda t, x, y, w, s, n, m: s.split(1),
    "split-list-negative": lambda t, x, y, w, s, n, m: w.split([5, -1]),
    "chunk-zero": lambda t, x, y, w, s, n, m: w.chunk(0),
    "chunk-0d": lambda t, x, y, w, s, n, m: s.chunk(1),
    "chunk-range": lambda t, x, y, w, s, n, m: w.chunk(2, 1),
    "unbind-range": lambda t, x, y, w, s, n, m: x.unbind(2),
    "unbind-0d": lambda t, x, y, w, s, n, m: s.unbind(),
    "iterate-0d": lambda t, x, y, w, s, n, m: list(s),
    "len-0d": lambda t, x, y, w, s, n, m: len(s),
    "unpack-few": lambda t, x, y, w, s, n, m: (lambda a, b: a)(*y),
    "flip-range": lambda t, x, y, w, s, n, m: x.flip(2),
    "flip-repeated": lambda t, x, y, w, s, n, m: x.flip(0, 0),
    "roll-dims": lambda t, x, y, w, s, n, m: x.roll((1, 2), 0),
    "roll-range": lambda t, x, y, w, s, n, m: x.roll(1, 2),
    "tril-1d": lambda t, x, y, w, s, n, m: w.tril(),
    "triu-0d": lambda t, x, y, w, s, n, m: s.triu(),
    "diag-3d": lambda t, x, y, w, s, n, m: x[None].diag(),
    "diag-0d": lambda t, x, y, w, s, n, m: s.diag(),
    "diagonal-1d": lambda t, x, y, w, s, n, m: w.diagonal(),
    "diagonal-same": lambda t, x, y, w, s, n, m: x.diagonal(0, 1, 1),
    "trace-1d": lambda t, x, y, w, s, n, m: w.trace(),
    "trace-3d": lambda t, x, y, w, s, n, m: x[None].trace(),
    "pad-odd": lambda t, x, y, w, s, n, m: t.nn.functional.pad(x, (1, 2, 3)),
    "pad-too-many": lambda t, x, y, w, s, n, m: t.nn.functional.pad(w, (1, 1, 1, 1)),
    "pad-negative": lambda t, x, y, w, s, n, m: t.nn.functional.pad(w, (-3, -3)),
    "pad-mode": lambda t, x, y, w, s, n, m: t.nn.functional.pad(x, (1, 1), mode="foo"),
}.items():
    bad(name, fn)

# indexing
for name, fn in {
    "int": lambda t, x, y, w, s, n, m: x[2],
    "negative": lambda t, x, y, w, s, n, m: x[-3],
    "second": lambda t, x, y, w, s, n, m: x[0, 3],
    "too-many": lambda t, x, y, w, s, n, m: x[0, 0, 0],
    "0d": lambda t, x, y, w, s, n, m: s[0],
    "0d-slice": lambda t, x, y, w, s, n, m: s[:],
    "string": lambda t, x, y, w, s, n, m: x["a"],
    "float": lambda t, x, y, w, s, n, m: x[1.0],
    "float-tensor": lambda t, x, y, w, s, n, m: x[s],
    "negative-step": lambda t, x, y, w, s, n, m: x[::-1],
    "zero-step": lambda t, x, y, w, s, n, m: x[::0],
    "slice-float": lambda t, x, y, w, s, n, m: x[0.5:],
    "tensor-range": lambda t, x, y, w, s, n, m: x[t.tensor([0, 2])],
    "tensor-negative": lambda t, x, y, w, s, n, m: x[t.tensor([-3])],
    "list-range": lambda t, x, y, w, s, n, m: x[[0, 5]],
    "mask-shape": lambda t, x, y, w, s, n, m: x[m],
    "mask-shape-2d": lambda t, x, y, w, s, n, m: x[y > 0],
    "mask-too-deep": lambda t, x, y, w, s, n, m: w[x > 0],
    "broadcast": lambda t, x, y, w, s, n, m: y[t.tensor([0, 1]), t.tensor([0, 1, 2])],
    "too-many-tensors": lambda t, x, y, w, s, n, m: w[n, n],
    "dict": lambda t, x, y, w, s, n, m: x[{}],
    "assign-shape": lambda t, x, y, w, s, n, m: (x * 1).__setitem__(0, w),
    "assign-slice-shape": lambda t, x, y, w, s, n, m: (x * 1).__setitem__(slice(None), y),
    "assign-range": lambda t, x, y, w, s, n, m: (x * 1).__setitem__(5, 0),
    "assign-string": lambda t, x, y, w, s, n, m: (x * 1).__setitem__(0, "a"),
    "assign-mask-shape": lambda t, x, y, w, s, n, m: (x * 1).__setitem__(m, 0),
    "assign-leaf": lambda t, x, y, w, s, n, m: x.__setitem__(0, 1),
    "assign-list": lambda t, x, y, w, s, n, m: (x * 1).__setitem__(0, [1, 2]),
    "delete": lambda t, x, y, w, s, n, m: x.__delitem__(0),
}.items():
    bad(f"index-{name}", fn)
for name, fn in {
    "gather-range": lambda t, x, y, w, s, n, m: x.gather(0, t.tensor([[5, 0, 0]])),
    "gather-dim": lambda t, x, y, w, s, n, m: x.gather(2, t.tensor([[0]])),
    "gather-rank": lambda t, x, y, w, s, n, m: x.gather(0, n),
    "gather-dtype": lambda t, x, y, w, s, n, m: x.gather(0, x),
    "gather-size": lambda t, x, y, w, s, n, m: x.gather(0, t.zeros(1, 4, dtype=t.int64)),
    "scatter_add-range": lambda t, x, y, w, s, n, m: w.scatter_add(0, t.tensor([9]), w),
    "scatter_add-rank": lambda t, x, y, w, s, n, m: x.scatter_add(0, n, w),
    "scatter_add-dtype": lambda t, x, y, w, s, n, m: w.scatter_add(0, t.tensor([0]), w.float()),
    "scatter_add-size": lambda t, x, y, w, s, n, m: w.scatter_add(0, t.zeros(5, dtype=t.int64), w),
    "scatter_reduce-word": lambda t, x, y, w, s, n, m: w.scatter_reduce(0, n, w, "add"),
    "scatter_reduce-no-word": lambda t, x, y, w, s, n, m: w.scatter_reduce(0, n, w),
    "scatter_reduce-number": lambda t, x, y, w, s, n, m: w.scatter_reduce(0, n, 2.0, "sum"),
    "scatter_reduce-flag": lambda t, x, y, w, s, n, m: w.scatter_reduce(0, n, w, "sum", True),
    "scatter_reduce-range": lambda t, x, y, w, s, n, m: w.scatter_reduce(
        0, t.tensor([9]), w, "sum"
    ),
    "scatter_reduce-rank": lambda t, x, y, w, s, n, m: x.scatter_reduce(0, n, w, "sum"),
    "scatter_reduce-dtype": lambda t, x, y, w, s, n, m: w.scatter_reduce(
        0, t.tensor([0]), w.float(), "sum"
    ),
    "scatter_reduce-index": lambda t, x, y, w, s, n, m: w.scatter_reduce(0, w, w, "sum"),
    "scatter-word": lambda t, x, y, w, s, n, m: w.scatter(0, n, 1.0, reduce="sum"),
    "index_reduce-word": lambda t, x, y, w, s, n, m: w.index_reduce(0, n, w, "sum"),
    "index_reduce-range": lambda t, x, y, w, s, n, m: w.index_reduce(
        0, t.tensor([9]), w[:1], "mean"
    ),
    "index_reduce-2d": lambda t, x, y, w, s, n, m: w.index_reduce(0, n[None], w, "mean"),
    "index_reduce-float": lambda t, x, y, w, s, n, m: w.index_reduce(0, w, w, "mean"),
    "index_reduce-count": lambda t, x, y, w, s, n, m: w.index_reduce(0, t.tensor([0]), w, "mean"),
    "index_reduce-dtype": lambda t, x, y, w, s, n, m: w.index_reduce(
        0, t.tensor([0]), w[:1].float(), "mean"
    ),
    "index_reduce-shape": lambda t, x, y, w, s, n, m: x.index_reduce(
        0, t.tensor([0]), t.ones(1, 9, dtype=t.float64), "mean"
    ),
    "index_reduce-number": lambda t, x, y, w, s, n, m: w.index_reduce(0, n, 2.0, "mean"),
    "put-range": lambda t, x, y, w, s, n, m: w.put(t.tensor([9]), w[:1]),
    "put-negative": lambda t, x, y, w, s, n, m: w.put(t.tensor([-9]), w[:1]),
    "put-count": lambda t, x, y, w, s, n, m: w.put(t.tensor([0]), t.cat([w, w])),
    "put-dtype": lambda t, x, y, w, s, n, m: w.put(t.tensor([0]), w[:1].float()),
    "put-float": lambda t, x, y, w, s, n, m: w.put(w, w),
    "put-int32": lambda t, x, y, w, s, n, m: w.put(t.tensor([0]).int(), w[:1]),
    "put-number": lambda t, x, y, w, s, n, m: w.put(n, 2.0),
    "put-empty": lambda t, x, y, w, s, n, m: t.ones(0, dtype=t.float64).put(t.tensor([0]), w[:1]),
    "fill_diagonal_-vector": lambda t, x, y, w, s, n, m: (w * 1).fill_diagonal_(1),
    "fill_diagonal_-lengths": lambda t, x, y, w, s, n, m: t.ones(3, 3, 2).fill_diagonal_(1),
    "fill_diagonal_-tensor": lambda t, x, y, w, s, n, m: (x * 1).fill_diagonal_(w),
    "fill_diagonal_-variable": lambda t, x, y, w, s, n, m: (x * 1).fill_diagonal_(w.sum()),
    "fill_diagonal_-complex": lambda t, x, y, w, s, n, m: (x * 1).fill_diagonal_(1j),
    "fill_diagonal_-word": lambda t, x, y, w, s, n, m: (x * 1).fill_diagonal_("a"),
    "fill_diagonal_-leaf": lambda t, x, y, w, s, n, m: x.fill_diagonal_(1),
    "renorm-order": lambda t, x, y, w, s, n, m: x.renorm(0, 0, 1.0),
    "renorm-negative": lambda t, x, y, w, s, n, m: x.renorm(-1, 0, 1.0),
    "renorm-complex": lambda t, x, y, w, s, n, m: x.renorm(2j, 0, 1.0),
    "renorm-most": lambda t, x, y, w, s, n, m: x.renorm(2, 0, -1),
    "renorm-dim": lambda t, x, y, w, s, n, m: x.renorm(2, 5, 1.0),
    "renorm-vector": lambda t, x, y, w, s, n, m: w.renorm(2, 0, 1.0),
    "renorm-int": lambda t, x, y, w, s, n, m: t.ones(2, 2, dtype=t.int64).renorm(2, 0, 1.0),
    "index_select-range": lambda t, x, y, w, s, n, m: w.index_select(0, t.tensor([4])),
    "index_select-negative": lambda t, x, y, w, s, n, m: w.index_select(0, t.tensor([-1])),
    "index_select-dim": lambda t, x, y, w, s, n, m: w.index_select(1, n),
    "index_select-2d": lambda t, x, y, w, s, n, m: w.index_select(0, t.tensor([[0]])),
    "index_select-float": lambda t, x, y, w, s, n, m: w.index_select(0, w),
    "masked_select-float": lambda t, x, y, w, s, n, m: x.masked_select(x),
    "select-range": lambda t, x, y, w, s, n, m: x.select(0, 2),
    "select-dim": lambda t, x, y, w, s, n, m: x.select(2, 0),
    "narrow-range": lambda t, x, y, w, s, n, m: x.narrow(0, 1, 2),
}.items():
    bad(name, fn)

# creation
for name, fn in {
    "ragged": lambda t, *_: t.tensor([[1, 2], [3]]),
    "ragged-depth": lambda t, *_: t.tensor([1, [2]]),
    "ragged-depth-other": lambda t, *_: t.tensor([[1], 2]),
    "string": lambda t, *_: t.tensor("a"),
    "strings": lambda t, *_: t.tensor(["a", "b"]),
    "none": lambda t, *_: t.tensor(None),
    "none-in-list": lambda t, *_: t.tensor([1, None]),
    "dict": lambda t, *_: t.tensor({}),
    "object": lambda t, *_: t.tensor(object()),
    "set": lambda t, *_: t.tensor({1, 2}),
    "nothing": lambda t, *_: t.tensor(),
    "int-grad": lambda t, *_: t.tensor([1, 2], requires_grad=True),
    "bool-grad": lambda t, *_: t.tensor(True, requires_grad=True),
    "keyword": lambda t, *_: t.tensor([1.0], foo=1),
    "dtype-string": lambda t, *_: t.tensor([1.0], dtype="float32"),
    "object-array": lambda t, *_: t.tensor(np.array([None, 1])),
    "string-array": lambda t, *_: t.tensor(np.array(["a"])),
    "from_numpy-list": lambda t, *_: t.from_numpy([1, 2]),
    "from_numpy-object": lambda t, *_: t.from_numpy(np.array([None])),
    "zeros-negative": lambda t, *_: t.zeros(-1),
    "zeros-string": lambda t, *_: t.zeros("a"),
    "zeros-float": lambda t, *_: t.zeros(2.5),
    "zeros-int-grad": lambda t, *_: t.zeros(2, dtype=t.int64, requires_grad=True),
    "ones-negative": lambda t, *_: t.ones(2, -1),
    "full-missing": lambda t, *_: t.full((2,)),
    "full-string": lambda t, *_: t.full((2,), "a"),
    "arange-zero-step": lambda t, *_: t.arange(0, 1, 0),
    "arange-direction": lambda t, *_: t.arange(1, 0),
    "arange-nothing": lambda t, *_: t.arange(),
    "arange-grad": lambda t, *_: t.arange(3, requires_grad=True),
    "linspace-missing": lambda t, *_: t.linspace(0, 1),
    "linspace-negative": lambda t, *_: t.linspace(0, 1, -1),
    "eye-negative": lambda t, *_: t.eye(-1),
    "eye-nothing": lambda t, *_: t.eye(),
    "rand-string": lambda t, *_: t.rand("a"),
    "randint-empty": lambda t, *_: t.randint(3, 3, (2,)),
    "randn-negative": lambda t, *_: t.randn(-2),
    "manual_seed-string": lambda t, *_: t.manual_seed("a"),
    "zeros_like-list": lambda t, *_: t.zeros_like([1]),
    "overflow-uint8": lambda t, *_: t.tensor(300, dtype=t.uint8),
    "overflow-int64": lambda t, *_: t.tensor(2**70),
    "set_default_dtype-int": lambda t, *_: t.set_default_dtype(t.int64),
    "as_tensor-string": lambda t, *_: t.as_tensor("a"),
    "complex-to-float": lambda t, *_: t.tensor(1j, dtype=t.float32),
    "LongTensor-float": lambda t, *_: t.LongTensor([0.5, "a"]),
    "Tensor-string": lambda t, *_: t.Tensor("a"),
    "stack-none": lambda t, *_: t.stack(None),
}.items():
    bad(f"create-{name}", fn)

# tensors as Python values, and attributes
for name, fn in {
    "item-many": lambda t, x, y, w, s, n, m: x.item(),
    "item-empty": lambda t, x, y, w, s, n, m: t.zeros(0).item(),
    "float-many": lambda t, x, y, w, s, n, m: float(x),
    "int-many": lambda t, x, y, w, s, n, m: int(n),
    "bool-many": lambda t, x, y, w, s, n, m: bool(x > 0),
    "bool-empty": lambda t, x, y, w, s, n, m: bool(t.zeros(0)),
    "if-many": lambda t, x, y, w, s, n, m: 1 if x > 0 else 0,
    "and-many": lambda t, x, y, w, s, n, m: (x > 0) and (x < 1),
    "chained-comparison": lambda t, x, y, w, s, n, m: 0 < x < 1,
    "index-float": lambda t, x, y, w, s, n, m: [1, 2][s],
    "index-many": lambda t, x, y, w, s, n, m: [1, 2][n],
    "complex-to-float": lambda t, *_: float(t.tensor(1j)),
    "int-of-nan": lambda t, *_: int(t.tensor(float("nan"))),
    "numpy-grad": lambda t, x, y, w, s, n, m: x.numpy(),
    "numpy-grad-result": lambda t, x, y, w, s, n, m: (x * 2).numpy(),
    "asarray-grad": lambda t, x, y, w, s, n, m: np.asarray(x),
    "size-range": lambda t, x, y, w, s, n, m: x.size(2),
    "to-string": lambda t, x, y, w, s, n, m: x.to("nowhere"),
    "requires_grad-int": lambda t, x, y, w, s, n, m: n.requires_grad_(),
    "requires_grad-int-set": lambda t, x, y, w, s, n, m: setattr(n, "requires_grad", True),
    "requires_grad-bool": lambda t, x, y, w, s, n, m: m.requires_grad_(True),
    "requires_grad-off-result": lambda t, x, y, w, s, n, m: setattr(x * 2, "requires_grad", False),
    "requires_grad_-off-result": lambda t, x, y, w, s, n, m: (x * 2).requires_grad_(False),
    "requires_grad-string": lambda t, x, y, w, s, n, m: setattr(x, "requires_grad", "a"),
    "grad-shape": lambda t, x, y, w, s, n, m: setattr(x, "grad", w.detach()),
    "grad-dtype": lambda t, x, y, w, s, n, m: setattr(x, "grad", x.detach().float()),
    "grad-type": lambda t, x, y, w, s, n, m: setattr(x, "grad", 1.0),
    "grad-self": lambda t, x, y, w, s, n, m: setattr(x, "grad", x),
    "shape-set": lambda t, x, y, w, s, n, m: setattr(x, "shape", (3, 2)),
    "grad_fn-set": lambda t, x, y, w, s, n, m: setattr(x, "grad_fn", None),
    "retain_grad-constant": lambda t, x, y, w, s, n, m: x.detach().retain_grad(),
    "data-type": lambda t, x, y, w, s, n, m: setattr(x, "data", 1.0),
    "deepcopy-result": lambda t, x, y, w, s, n, m: __import__("copy").deepcopy(x * 2),
    "hash-list": lambda t, x, y, w, s, n, m: {[x]: 1},
    "contains-string": lambda t, x, y, w, s, n, m: "a" in x,
    "format-many": lambda t, x, y, w, s, n, m: f"{x:.2f}",
    "reversed-0d": lambda t, x, y, w, s, n, m: list(reversed(s)),
}.items():
    bad(f"python-{name}", fn)

# in place
for name in ["add", "sub", "mul", "div", "pow"]:
    bad(f"inplace-{name}_-leaf", lambda t, x, y, w, s, n, m, k=name: getattr(x, f"{k}_")(2))
    bad(f"inplace-{name}_-shape", lambda t, x, y, w, s, n, m, k=name: getattr(x * 1, f"{k}_")(y))
    bad(f"inplace-{name}_-grows", lambda t, x, y, w, s, n, m, k=name: getattr(s * 1, f"{k}_")(w))
for name in ["exp", "log", "sqrt", "tanh", "sigmoid", "relu", "neg", "abs", "zero"]:
    bad(f"inplace-{name}_-leaf", lambda t, x, y, w, s, n, m, k=name: getattr(x, f"{k}_")())
for name, op in {
    "iadd": operator.iadd,
    "isub": operator.isub,
    "imul": operator.imul,
    "itruediv": operator.itruediv,
}.items():
    bad(f"inplace-{name}-leaf", lambda t, x, y, w, s, n, m, op=op: op(x, 1))
    bad(f"inplace-{name}-leaf-view", lambda t, x, y, w, s, n, m, op=op: op(x[0], 1))
for name, fn in {
    "fill_": lambda t, x, y, w, s, n, m: x.fill_(1),
    "copy_": lambda t, x, y, w, s, n, m: x.copy_(x),
    "clamp_": lambda t, x, y, w, s, n, m: x.clamp_(0, 1),
    "view": lambda t, x, y, w, s, n, m: x[0].add_(1),
    "copy_-shape": lambda t, x, y, w, s, n, m: (x * 1).copy_(y),
    "int-div": lambda t, x, y, w, s, n, m: n.div_(2),
    "int-add-float": lambda t, x, y, w, s, n, m: n.add_(0.5),
    "int-into-float": lambda t, x, y, w, s, n, m: n.clone().mul_(w[:3].detach()),
    "unbind": lambda t, x, y, w, s, n, m: (x * 1).unbind()[0].add_(1),
    "split": lambda t, x, y, w, s, n, m: (w * 1).split(2)[0].add_(1),
    "expanded": lambda t, x, y, w, s, n, m: t.zeros(1).expand(3).add_(1),
}.items():
    bad(f"inplace-{name}", fn)


def modified(t, x, y, w, s, n, m):
    z = x.exp()
    z.add_(1)
    z.sum().backward()


def modified_factor(t, x, y, w, s, n, m):
    z = x * 1
    q = z * z
    z.mul_(2)
    q.sum().backward()


bad("inplace-modified-result", modified)
bad("inplace-modified-factor", modified_factor)

# backward and grad
for name, fn in {
    "many": lambda t, x, y, w, s, n, m: (x * 2).backward(),
    "empty": lambda t, x, y, w, s, n, m: (x[:0] * 2).backward(),
    "constant": lambda t, x, y, w, s, n, m: x.detach().sum().backward(),
    "int": lambda t, x, y, w, s, n, m: n.sum().backward(),
    "leaf-many": lambda t, x, y, w, s, n, m: x.backward(),
    "gradient-shape": lambda t, x, y, w, s, n, m: (x * 2).backward(t.ones(3)),
    "gradient-shape-0d": lambda t, x, y, w, s, n, m: (s * 2).backward(t.ones(1)),
    "gradient-list": lambda t, x, y, w, s, n, m: (x * 2).backward([1.0]),
    "gradient-number": lambda t, x, y, w, s, n, m: (s * 2).backward(1.0),
    "gradient-string": lambda t, x, y, w, s, n, m: (s * 2).backward("a"),
    "gradient-complex": lambda t, x, y, w, s, n, m: (s * 2).backward(t.tensor(1j)),
    "detached": lambda t, x, y, w, s, n, m: (x * 2).detach().sum().backward(),
    "inputs-empty": lambda t, x, y, w, s, n, m: s.backward(inputs=[]),
    "inputs-constant": lambda t, x, y, w, s, n, m: (s * 2).backward(inputs=[x.detach()]),
    "keyword": lambda t, x, y, w, s, n, m: s.backward(foo=1),
    "no_grad": lambda t, x, y, w, s, n, m: no_grad_result(t, x).backward(),
    "argmax": lambda t, x, y, w, s, n, m: x.argmax().backward(),
    "comparison": lambda t, x, y, w, s, n, m: (s > 0).backward(),
    "sequence-lengths": lambda t, x, y, w, s, n, m: t.autograd.backward(
        [s * 1, s * 2], [t.tensor(1.0)]
    ),
    "sequence-none": lambda t, x, y, w, s, n, m: t.autograd.backward([x * 1], [None]),
    "sequence-constant": lambda t, x, y, w, s, n, m: t.autograd.backward([s * 1, s.detach()]),
    "both-grad-variables": lambda t, x, y, w, s, n, m: t.autograd.backward(
        s * 1, grad_tensors=s, grad_variables=s
    ),
    "string": lambda t, x, y, w, s, n, m: t.autograd.backward("a"),
    "number": lambda t, x, y, w, s, n, m: t.autograd.backward(1.0),
    "floor_divide": lambda t, x, y, w, s, n, m: (s // 2).backward(),
}.items():
    bad(f"backward-{name}", fn)
for name, fn in {
    "many": lambda t, x, y, w, s, n, m: t.autograd.grad(x * 2, x),
    "unused": lambda t, x, y, w, s, n, m: t.autograd.grad(s * 2, w),
    "constant-output": lambda t, x, y, w, s, n, m: t.autograd.grad(s.detach(), s),
    "constant-input": lambda t, x, y, w, s, n, m: t.autograd.grad(s * 2, x.detach()),
    "no-inputs": lambda t, x, y, w, s, n, m: t.autograd.grad(s * 2, []),
    "no-arguments": lambda t, x, y, w, s, n, m: t.autograd.grad(),
    "lengths": lambda t, x, y, w, s, n, m: t.autograd.grad([s * 2, s * 3], s, [t.tensor(1.0)]),
    "shape": lambda t, x, y, w, s, n, m: t.autograd.grad(x * 2, x, t.ones(2)),
    "string": lambda t, x, y, w, s, n, m: t.autograd.grad("a", x),
    "string-input": lambda t, x, y, w, s, n, m: t.autograd.grad(s * 2, "a"),
    "number-input": lambda t, x, y, w, s, n, m: t.autograd.grad(s * 2, 1.0),
    "none-input": lambda t, x, y, w, s, n, m: t.autograd.grad(s * 2, None),
    "materialize-not-unused": lambda t, x, y, w, s, n, m: t.autograd.grad(
        s * 2, s, allow_unused=False, materialize_grads=True
    ),
    "keyword": lambda t, x, y, w, s, n, m: t.autograd.grad(s * 2, s, foo=1),
    "number-output": lambda t, x, y, w, s, n, m: t.autograd.grad(s * 2, s, 1.0),
    "not-connected": lambda t, x, y, w, s, n, m: t.autograd.grad(
        s.detach().requires_grad_() * 2, s
    ),
    "no-second": lambda t, x, y, w, s, n, m: t.autograd.grad(t.autograd.grad(s * s, s)[0], s),
    "linear-second": lambda t, x, y, w, s, n, m: t.autograd.grad(
        t.autograd.grad(s * 2, s, create_graph=True)[0], s
    ),
}.items():
    bad(f"grad-{name}", fn)


def twice(fn):
    def run(t, x, y, w, s, n, m):
        z = fn(x.detach().requires_grad_())
        z.backward()
        z.backward()

    return run


def no_grad_result(t, x):
    with t.no_grad():
        return (x * 2).sum()


for name, fn in {
    "square": lambda x: (x * x).sum(),
    "exp": lambda x: x.exp().sum(),
    "scaled": lambda x: (x * 2).sum(),
    "relu": lambda x: x.relu().sum(),
    "abs": lambda x: x.abs().sum(),
    "max": lambda x: x.max(),
    "norm": lambda x: x.norm(),
    "matmul": lambda x: (x @ x.t()).sum(),
    "tanh": lambda x: x.tanh().mean(),
    "prod": lambda x: x.prod(),
    "var": lambda x: x.var(),
    "pow": lambda x: (x**3).sum(),
    "clamp": lambda x: x.clamp(0, 1).sum(),
    "index": lambda x: x[[0, 1]].sum(),
}.items():
    bad(f"twice-{name}", twice(fn))
bad("no_grad-called-wrong", lambda t, *_: t.set_grad_enabled())
bad("no_grad-argument", lambda t, *_: t.no_grad(1, 2))

CASES = case.cases
