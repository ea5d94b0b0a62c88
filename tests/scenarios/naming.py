"""grad_fn names, and how history prints."""

from ._harness import each

_NAMES = {
    "add": lambda torch, x, y: x + y,
    "add_scalar": lambda torch, x, y: x + 1,
    "radd_scalar": lambda torch, x, y: 1 + x,
    "sub": lambda torch, x, y: x - y,
    "sub_scalar": lambda torch, x, y: x - 1,
    "rsub_scalar": lambda torch, x, y: 1 - x,
    "mul": lambda torch, x, y: x * y,
    "mul_scalar": lambda torch, x, y: x * 2,
    "rmul_scalar": lambda torch, x, y: 2 * x,
    "div": lambda torch, x, y: x / y,
    "div_scalar": lambda torch, x, y: x / 2,
    "rdiv_scalar": lambda torch, x, y: 2 / x,
    "floordiv": lambda torch, x, y: x // 2,
    "mod": lambda torch, x, y: x % 2,
    "neg": lambda torch, x, y: -x,
    "abs_operator": lambda torch, x, y: abs(x),
    "pow_scalar": lambda torch, x, y: x**2,
    "pow_tensor": lambda torch, x, y: x**y,
    "rpow_scalar": lambda torch, x, y: 2**x,
    "matmul_2d_2d": lambda torch, x, y: x @ y,
    "matmul_2d_1d": lambda torch, x, y: x @ y[0],
    "matmul_1d_2d": lambda torch, x, y: x[0] @ y,
    "matmul_1d_1d": lambda torch, x, y: x[0] @ y[0],
    "matmul_3d_3d": lambda torch, x, y: x.unsqueeze(0) @ y.unsqueeze(0),
    "matmul_3d_2d": lambda torch, x, y: x.unsqueeze(0) @ y,
    "mm": lambda torch, x, y: torch.mm(x, y),
    "mv": lambda torch, x, y: torch.mv(x, y[0]),
    "dot": lambda torch, x, y: torch.dot(x[0], y[0]),
    "outer": lambda torch, x, y: torch.outer(x[0], y[0]),
    "bmm": lambda torch, x, y: torch.bmm(x.unsqueeze(0), y.unsqueeze(0)),
    "einsum": lambda torch, x, y: torch.einsum("ij,jk->ik", x, y),
    "addmm": lambda torch, x, y: torch.addmm(x, x, y),
    "sum": lambda torch, x, y: x.sum(),
    "sum_dim": lambda torch, x, y: x.sum(0),
    "sum_dims": lambda torch, x, y: x.sum((0, 1)),
    "sum_keepdim": lambda torch, x, y: x.sum(1, keepdim=True),
    "mean": lambda torch, x, y: x.mean(),
    "mean_dim": lambda torch, x, y: x.mean(0),
    "prod": lambda torch, x, y: x.prod(),
    "prod_dim": lambda torch, x, y: x.prod(0),
    "max": lambda torch, x, y: x.max(),
    "max_dim": lambda torch, x, y: x.max(0)[0],
    "min": lambda torch, x, y: x.min(),
    "min_dim": lambda torch, x, y: x.min(0).values,
    "amax": lambda torch, x, y: x.amax(0),
    "amin": lambda torch, x, y: x.amin(0),
    "logsumexp": lambda torch, x, y: x.logsumexp(0),
    "norm": lambda torch, x, y: x.norm(),
    "norm_1": lambda torch, x, y: x.norm(1),
    "norm_dim": lambda torch, x, y: x.norm(dim=0),
    "linalg_norm": lambda torch, x, y: torch.linalg.norm(x),
    "var": lambda torch, x, y: x.var(),
    "std": lambda torch, x, y: x.std(),
    "cumsum": lambda torch, x, y: x.cumsum(0),
    "cumprod": lambda torch, x, y: x.cumprod(0),
    "median": lambda torch, x, y: x.median(),
    "maximum": lambda torch, x, y: torch.maximum(x, y),
    "minimum": lambda torch, x, y: torch.minimum(x, y),
    "max_binary": lambda torch, x, y: torch.max(x, y),
    "where": lambda torch, x, y: torch.where(x > 0, x, y),
    "clamp": lambda torch, x, y: x.clamp(0, 1),
    "clamp_min": lambda torch, x, y: x.clamp(min=0),
    "clamp_max": lambda torch, x, y: x.clamp(max=0),
    "relu": lambda torch, x, y: x.relu(),
    "relu_functional": lambda torch, x, y: torch.nn.functional.relu(x),
    "sigmoid": lambda torch, x, y: x.sigmoid(),
    "tanh": lambda torch, x, y: x.tanh(),
    "exp": lambda torch, x, y: x.exp(),
    "expm1": lambda torch, x, y: x.expm1(),
    "log": lambda torch, x, y: x.log(),
    "log1p": lambda torch, x, y: x.log1p(),
    "log2": lambda torch, x, y: x.log2(),
    "log10": lambda torch, x, y: x.log10(),
    "sin": lambda torch, x, y: x.sin(),
    "cos": lambda torch, x, y: x.cos(),
    "tan": lambda torch, x, y: x.tan(),
    "asin": lambda torch, x, y: x.asin(),
    "acos": lambda torch, x, y: x.acos(),
    "atan": lambda torch, x, y: x.atan(),
    "atan2": lambda torch, x, y: torch.atan2(x, y),
    "sinh": lambda torch, x, y: x.sinh(),
    "cosh": lambda torch, x, y: x.cosh(),
    "asinh": lambda torch, x, y: x.asinh(),
    "acosh": lambda torch, x, y: x.acosh(),
    "atanh": lambda torch, x, y: x.atanh(),
    "erf": lambda torch, x, y: x.erf(),
    "sqrt": lambda torch, x, y: x.sqrt(),
    "rsqrt": lambda torch, x, y: x.rsqrt(),
    "square": lambda torch, x, y: x.square(),
    "reciprocal": lambda torch, x, y: x.reciprocal(),
    "abs": lambda torch, x, y: x.abs(),
    "sign": lambda torch, x, y: x.sign(),
    "round": lambda torch, x, y: x.round(),
    "floor": lambda torch, x, y: x.floor(),
    "ceil": lambda torch, x, y: x.ceil(),
    "trunc": lambda torch, x, y: x.trunc(),
    "softmax": lambda torch, x, y: x.softmax(0),
    "log_softmax": lambda torch, x, y: x.log_softmax(0),
    "softplus": lambda torch, x, y: torch.nn.functional.softplus(x),
    "reshape": lambda torch, x, y: x.reshape(4),
    "reshape_same": lambda torch, x, y: x.reshape(2, 2),
    "reshape_copy": lambda torch, x, y: x.t().reshape(4),
    "view": lambda torch, x, y: x.view(4),
    "flatten": lambda torch, x, y: x.flatten(),
    "ravel": lambda torch, x, y: x.ravel(),
    "t": lambda torch, x, y: x.t(),
    "T": lambda torch, x, y: x.T,
    "mT": lambda torch, x, y: x.mT,
    "transpose": lambda torch, x, y: x.transpose(0, 1),
    "permute": lambda torch, x, y: x.permute(1, 0),
    "swapaxes": lambda torch, x, y: x.swapaxes(0, 1),
    "squeeze": lambda torch, x, y: x.squeeze(),
    "squeeze_dim": lambda torch, x, y: x.squeeze(0),
    "unsqueeze": lambda torch, x, y: x.unsqueeze(0),
    "expand": lambda torch, x, y: x.expand(3, 2, 2),
    "broadcast_to": lambda torch, x, y: torch.broadcast_to(x, (3, 2, 2)),
    "repeat": lambda torch, x, y: x.repeat(2, 1),
    "cat": lambda torch, x, y: torch.cat([x, y]),
    "stack": lambda torch, x, y: torch.stack([x, y]),
    "split": lambda torch, x, y: x.split(1)[0],
    "chunk": lambda torch, x, y: x.chunk(2)[0],
    "unbind": lambda torch, x, y: x.unbind()[0],
    "iterate": lambda torch, x, y: next(iter(x)),
    "index_int": lambda torch, x, y: x[0],
    "index_two_ints": lambda torch, x, y: x[0, 1],
    "index_slice": lambda torch, x, y: x[1:],
    "index_full_slice": lambda torch, x, y: x[:],
    "index_column": lambda torch, x, y: x[:, 0],
    "index_ellipsis": lambda torch, x, y: x[...],
    "index_none": lambda torch, x, y: x[None],
    "index_tensor": lambda torch, x, y: x[torch.tensor([0])],
    "index_list": lambda torch, x, y: x[[0, 1]],
    "index_mask": lambda torch, x, y: x[x > 0],
    "select": lambda torch, x, y: x.select(0, 0),
    "narrow": lambda torch, x, y: x.narrow(0, 0, 1),
    "gather": lambda torch, x, y: x.gather(0, torch.tensor([[0, 1]])),
    "index_select": lambda torch, x, y: x.index_select(0, torch.tensor([0])),
    "masked_select": lambda torch, x, y: x.masked_select(x > 0),
    "masked_fill": lambda torch, x, y: x.masked_fill(x > 0, 0.0),
    "take": lambda torch, x, y: x.take(torch.tensor([0])),
    "flip": lambda torch, x, y: x.flip(0),
    "roll": lambda torch, x, y: x.roll(1, 0),
    "tril": lambda torch, x, y: x.tril(),
    "triu": lambda torch, x, y: x.triu(),
    "diag": lambda torch, x, y: x.diag(),
    "diag_of_a_vector": lambda torch, x, y: x[0].diag(),
    "diagonal": lambda torch, x, y: x.diagonal(),
    "trace": lambda torch, x, y: x.trace(),
    "pad": lambda torch, x, y: torch.nn.functional.pad(x, (1, 1)),
    "clone": lambda torch, x, y: x.clone(),
    "contiguous": lambda torch, x, y: x.t().contiguous(),
    "double": lambda torch, x, y: x.double(),
    "to_float64": lambda torch, x, y: x.to(torch.float64),
    "half": lambda torch, x, y: x.half(),
    "type_as": lambda torch, x, y: x.type_as(torch.zeros(1, dtype=torch.float64)),
    "to_complex": lambda torch, x, y: x.to(torch.complex64),
    "add_float64": lambda torch, x, y: x + torch.ones(2, 2, dtype=torch.float64),
    "mul_integer": lambda torch, x, y: x * torch.ones(2, 2, dtype=torch.int64),
    "sort": lambda torch, x, y: x.sort()[0],
    "topk": lambda torch, x, y: x.topk(1)[0],
    "logical_of_float": lambda torch, x, y: x > y,
    "argmax": lambda torch, x, y: x.argmax(),
    "lerp": lambda torch, x, y: torch.lerp(x, y, 0.5),
    "hypot": lambda torch, x, y: torch.hypot(x, y),
    "logaddexp": lambda torch, x, y: torch.logaddexp(x, y),
    "xlogy": lambda torch, x, y: torch.xlogy(x, y),
    "mse_loss": lambda torch, x, y: torch.nn.functional.mse_loss(x, y),
    "linear": lambda torch, x, y: torch.nn.functional.linear(x, y),
    "linear_with_bias": lambda torch, x, y: torch.nn.functional.linear(x, y, y[0]),
}


@each(op=list(_NAMES))
def name_of(torch, log, op):
    x = torch.tensor([[1.5, 2.5], [0.5, 3.5]], requires_grad=True)
    y = torch.tensor([[2.0, 1.0], [1.0, 2.0]], requires_grad=True)
    r = _NAMES[op](torch, x, y)
    log("requires_grad", r.requires_grad)
    log("name", None if r.grad_fn is None else r.grad_fn.name())


_IN_PLACE = {
    "add_": lambda y: y.add_(1),
    "iadd": lambda y: y.__iadd__(1),
    "mul_": lambda y: y.mul_(2),
    "div_": lambda y: y.div_(2),
    "sub_": lambda y: y.sub_(2),
    "neg_": lambda y: y.neg_(),
    "exp_": lambda y: y.exp_(),
    "relu_": lambda y: y.relu_(),
    "zero_": lambda y: y.zero_(),
    "fill_": lambda y: y.fill_(3),
    "clamp_": lambda y: y.clamp_(0, 1),
    "pow_": lambda y: y.pow_(2),
    "copy_": lambda y: y.copy_(y.detach().clone()),
}


@each(op=list(_IN_PLACE))
def name_after_in_place(torch, log, op):
    x = torch.tensor([1.5, 2.5], requires_grad=True)
    y = x * 2
    _IN_PLACE[op](y)
    log("name", y.grad_fn.name())


def name_after_setitem(torch, log):
    x = torch.tensor([1.5, 2.5], requires_grad=True)
    y = x * 2
    y[0] = 1.0
    log("name", y.grad_fn.name())


def complex_names(torch, log):
    z = torch.tensor([1 + 2j], requires_grad=True)
    log("mul", (z * z).grad_fn.name())
    log("conj", z.conj().grad_fn.name())
    log("real", z.real.grad_fn.name())
    log("imag", z.imag.grad_fn.name())
    log("abs", z.abs().grad_fn.name())
    log("angle", z.angle().grad_fn.name())
    log("view_as_real", torch.view_as_real(z).grad_fn.name())


def leaves_have_no_grad_fn(torch, log):
    log("leaf", torch.ones(1, requires_grad=True).grad_fn)
    log("constant", torch.ones(1).grad_fn)
    log("function of a constant", (torch.ones(1) * 2).grad_fn)
    x = torch.ones(1, requires_grad=True)
    log("detached", (x * 2).detach().grad_fn)
    log("comparison", (x > 0).grad_fn)
    log("argmax", x.argmax().grad_fn)


def next_functions(torch, log):
    x = torch.ones(1, requires_grad=True)
    c = torch.ones(1)
    y = x * c + 1
    node = y.grad_fn
    log("add", [None if n is None else n.name() for n, _ in node.next_functions])
    product = node.next_functions[0][0]
    log("mul", [None if n is None else n.name() for n, _ in product.next_functions])
    log("indices", [i for _, i in product.next_functions])
    log("same node each time", node.next_functions[0][0] is product)


def accumulate_grad(torch, log):
    x = torch.ones(1, requires_grad=True)
    node = (x * 2).grad_fn.next_functions[0][0]
    log("name", node.name())
    log("class", type(node).__name__)
    log("variable", node.variable is x)
    log("one per leaf", (x * 3).grad_fn.next_functions[0][0] is node)


def repr_of_a_node(torch, log):
    x = torch.ones(1, requires_grad=True)
    log("repr", repr((x * 2).grad_fn).partition(" at ")[0])
    log("class", type((x * 2).grad_fn).__name__)


def names_shown_in_repr(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for label, t in {
        "leaf": x,
        "add": x + 1,
        "mul": x * 2,
        "sum": x.sum(),
        "sum dim": x.sum(0),
        "index": x[0],
        "unsqueeze": x.unsqueeze(0),
        "double": x.double(),
        "detached": x.detach(),
        "comparison": x > 1,
        "in place": (x * 2).add_(1),
    }.items():
        log(label, repr(t))
