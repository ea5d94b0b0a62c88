"""When the graph is freed: second backward, partial frees, retain_graph."""

from ._harness import differs, each

# Operations of one operand, by how PyTorch's node behaves on a second backward.
_UNARY = {
    "add_scalar": lambda torch, x: x + 1,
    "sub_scalar": lambda torch, x: x - 1,
    "neg": lambda torch, x: -x,
    "self_sub": lambda torch, x: x - x,
    "self_add": lambda torch, x: x + x,
    "sum": lambda torch, x: x.sum(),
    "sum_dim": lambda torch, x: x.sum(0),
    "mean": lambda torch, x: x.mean(),
    "cumsum": lambda torch, x: x.cumsum(0),
    "cat": lambda torch, x: torch.cat([x, x]),
    "stack": lambda torch, x: torch.stack([x, x]),
    "index_int": lambda torch, x: x[0],
    "index_slice": lambda torch, x: x[1:],
    "index_tensor": lambda torch, x: x[torch.tensor([0, 2])],
    "index_mask": lambda torch, x: x[torch.tensor([True, False, True])],
    "reshape": lambda torch, x: x.reshape(3, 1),
    "view": lambda torch, x: x.view(1, 3),
    "unsqueeze": lambda torch, x: x.unsqueeze(0),
    "expand": lambda torch, x: x.expand(2, 3),
    "flip": lambda torch, x: x.flip(0),
    "roll": lambda torch, x: x.roll(1),
    "clone": lambda torch, x: x.clone(),
    "double": lambda torch, x: x.double(),
    "mul_scalar": lambda torch, x: x * 2,
    "mul_self": lambda torch, x: x * x,
    "div_scalar": lambda torch, x: x / 2,
    "rdiv": lambda torch, x: 2 / x,
    "pow_2": lambda torch, x: x**2,
    "pow_3": lambda torch, x: x**3,
    "rpow": lambda torch, x: 2**x,
    "exp": lambda torch, x: x.exp(),
    "log": lambda torch, x: x.log(),
    "log1p": lambda torch, x: x.log1p(),
    "sqrt": lambda torch, x: x.sqrt(),
    "reciprocal": lambda torch, x: x.reciprocal(),
    "sin": lambda torch, x: x.sin(),
    "tanh": lambda torch, x: x.tanh(),
    "sigmoid": lambda torch, x: x.sigmoid(),
    "relu": lambda torch, x: x.relu(),
    "abs": lambda torch, x: x.abs(),
    "sign": lambda torch, x: x.sign(),
    "round": lambda torch, x: x.round(),
    "floor": lambda torch, x: x.floor(),
    "clamp": lambda torch, x: x.clamp(0.0, 2.0),
    "max": lambda torch, x: x.max(),
    "max_dim": lambda torch, x: x.max(0)[0],
    "amax": lambda torch, x: x.amax(0),
    "min": lambda torch, x: x.min(),
    "maximum_const": lambda torch, x: torch.maximum(x, torch.full((3,), 1.5)),
    "where": lambda torch, x: torch.where(torch.tensor([True, False, True]), x, -x),
    "prod": lambda torch, x: x.prod(),
    "var": lambda torch, x: x.var(),
    "std": lambda torch, x: x.std(),
    "norm": lambda torch, x: x.norm(),
    "logsumexp": lambda torch, x: x.logsumexp(0),
    "softmax": lambda torch, x: x.softmax(0),
    "log_softmax": lambda torch, x: x.log_softmax(0),
    "matmul_const": lambda torch, x: x @ torch.ones(3),
    "dot_self": lambda torch, x: x.dot(x),
    "outer_self": lambda torch, x: torch.outer(x, x),
    "split": lambda torch, x: x.split(1)[1],
    "tril": lambda torch, x: x.unsqueeze(0).tril(),
    "diag": lambda torch, x: torch.diag(x),
    "masked_fill": lambda torch, x: x.masked_fill(torch.tensor([True, False, False]), 0.0),
    "gather": lambda torch, x: x.gather(0, torch.tensor([0, 0])),
    "index_select": lambda torch, x: x.index_select(0, torch.tensor([1])),
    "square": lambda torch, x: torch.square(x),
    "lerp_free_add_alpha": lambda torch, x: torch.add(x, x, alpha=3),
}


@each(op=list(_UNARY))
def second_backward_of_one_operation(torch, log, op):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = _UNARY[op](torch, x)
    g = torch.ones_like(y)
    y.backward(g)
    log("first", x.grad)
    log.attempt("second", lambda: y.backward(g))
    log("after", x.grad)


_BINARY = {
    "add": lambda torch, a, b: a + b,
    "sub": lambda torch, a, b: a - b,
    "mul": lambda torch, a, b: a * b,
    "div": lambda torch, a, b: a / b,
    "pow": lambda torch, a, b: a**b,
    "matmul": lambda torch, a, b: a @ b,
    "maximum": lambda torch, a, b: torch.maximum(a, b),
    "minimum": lambda torch, a, b: torch.minimum(a, b),
    "atan2": lambda torch, a, b: torch.atan2(a, b),
    "cat": lambda torch, a, b: torch.cat([a, b]),
    "where": lambda torch, a, b: torch.where(torch.tensor([True, False]), a, b),
    "add_broadcast": lambda torch, a, b: a + b.sum(),
}


@each(op=list(_BINARY))
def second_backward_of_two_operands(torch, log, op):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([3.0, 0.5], requires_grad=True)
    y = _BINARY[op](torch, a, b)
    g = torch.ones_like(y)
    y.backward(g)
    log("a first", a.grad)
    log("b first", b.grad)
    log.attempt("second", lambda: y.backward(g))
    log("a after", a.grad)
    log("b after", b.grad)


@each(op=["mul", "div", "pow", "maximum", "atan2"])
def second_backward_with_one_constant_operand(torch, log, op):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([3.0, 0.5])
    y = _BINARY[op](torch, a, b)
    y.sum().backward()
    log.attempt("second, constant on the right", lambda: y.sum().backward())
    c = torch.tensor([1.0, 2.0])
    d = torch.tensor([3.0, 0.5], requires_grad=True)
    z = _BINARY[op](torch, c, d)
    z.sum().backward()
    log.attempt("second, constant on the left", lambda: z.sum().backward())


def second_backward_of_mul_raises(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    y.backward()
    with log.raises("second"):
        y.backward()
    log("grad unchanged", x.grad)


def second_backward_with_retain_graph_accumulates(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    log("once", x.grad)
    y.backward(retain_graph=True)
    log("twice", x.grad)
    y.backward()
    log("three times", x.grad)
    with log.raises("fourth, graph gone"):
        y.backward()


def second_autograd_grad_raises(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = x.exp()
    log("first", torch.autograd.grad(y, x))
    with log.raises("second"):
        torch.autograd.grad(y, x)
    with log.raises("backward after grad"):
        y.backward()
    log("grad", x.grad)


def grad_with_retain_graph_any_number_of_times(torch, log):
    x = torch.tensor(3.0, requires_grad=True)
    y = x**3
    for i in range(3):
        log(f"call {i}", torch.autograd.grad(y, x, retain_graph=True))
    log("last", torch.autograd.grad(y, x))
    with log.raises("one more"):
        torch.autograd.grad(y, x)


def grad_to_intermediate_frees_only_what_ran(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    m = x * x
    y = m.exp().sum()
    log.gradient("dy/dm", torch.autograd.grad(y, m))
    m.sum().backward()
    log("x.grad through m", x.grad)
    with log.raises("y is gone"):
        y.backward()


def shared_subgraph_freed_by_first_output(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x.exp()
    a = h.sum()
    b = (h * 2).sum()
    a.backward()
    with log.raises("b needs h's residual"):
        b.backward()
    log("grad", x.grad)


def shared_subgraph_without_residuals_survives(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x + 1
    a = h.sum()
    b = (h * 2).sum()
    a.backward()
    b.backward()
    log("grad", x.grad)


def failed_second_backward_leaves_other_branches_unaccumulated(torch, log):
    x = torch.tensor([1.0], requires_grad=True)
    z = torch.tensor([5.0], requires_grad=True)
    h = x.exp()
    h.sum().backward()
    with log.raises("one branch freed"):
        (h + z).sum().backward()
    log("x.grad", x.grad)
    log("z.grad is None or whole", z.grad is None or z.grad.tolist() == [1.0])


def retain_graph_false_explicitly(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    y.backward(retain_graph=False)
    with log.raises("second"):
        y.backward()


def create_graph_retains_by_default(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x * x
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    log.gradient("first", g)
    log.gradient("again", torch.autograd.grad(y, x))


def create_graph_with_retain_graph_false_frees(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x * x
    (g,) = torch.autograd.grad(y, x, create_graph=True, retain_graph=False)
    log.gradient("first", g)
    with log.raises("y again"):
        torch.autograd.grad(y, x)


def create_graph_with_retain_graph_false_second_derivative(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = x.sin()
    (g,) = torch.autograd.grad(y, x, create_graph=True, retain_graph=False)
    log.gradient("first", g)
    log.gradient("second derivative", torch.autograd.grad(g, x))
    with log.raises("y again"):
        y.backward()


def recomputed_forward_gives_a_fresh_graph(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for i in range(3):
        (x * x).sum().backward()
        log(f"after {i}", x.grad)


def freed_graph_extended_by_new_operations(torch, log):
    x = torch.tensor(1.5, requires_grad=True)
    y = x * x
    y.backward()
    z = y + 1
    with log.raises("through the freed part"):
        z.backward()
    log("values stay", y.item())
    log("grad_fn stays", y.grad_fn.name())


def freed_graph_detached_goes_on(torch, log):
    x = torch.tensor(1.5, requires_grad=True)
    y = x * x
    y.backward()
    d = y.detach().requires_grad_()
    (d * 3).backward()
    log("d.grad", d.grad)
    log("x.grad", x.grad)


def partial_free_by_inputs(torch, log):
    x = torch.tensor(1.0, requires_grad=True)
    w = torch.tensor(2.0, requires_grad=True)
    h = x.exp()
    y = h * w
    y.backward(inputs=[w])
    log("w.grad", w.grad)
    log("x.grad", x.grad)
    log.attempt("y again", lambda: y.backward())
    h.backward()
    log("h still has its residual", x.grad)


def recurrent_state_kept_across_steps_raises(torch, log):
    w = torch.tensor(0.5, requires_grad=True)
    h = torch.tensor(1.0)
    h = torch.tanh(w * h)
    h.backward()
    h = torch.tanh(w * h)
    with log.raises("second step through the first"):
        h.backward()


def recurrent_state_detached_across_steps(torch, log):
    w = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    h = torch.tensor(1.0, dtype=torch.float64)
    for step in range(3):
        h = torch.tanh(w * h.detach())
        h.backward()
        log(f"w.grad {step}", w.grad)


def two_losses_summed_against_one_after_the_other(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    a, b = h.sum(), (3 * h).sum()
    torch.autograd.backward([a, b])
    log("together", x.grad)
    x.grad = None
    h = x * x
    a, b = h.sum(), (3 * h).sum()
    a.backward(retain_graph=True)
    b.backward()
    log("one by one", x.grad)


def deleting_the_output_keeps_the_gradient(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    y.backward()
    del y
    log("grad", x.grad)


def unused_branch_does_not_need_its_residuals(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x.exp()
    used = h.detach()
    h.sum().backward()
    log.attempt("detached after free", lambda: (used * 2).sum().backward())


def leaf_as_root_backward_twice(torch, log):
    x = torch.tensor(3.0, requires_grad=True)
    x.backward()
    x.backward()
    log("grad", x.grad)


def backward_frees_even_with_unrelated_inputs(torch, log):
    x = torch.tensor(3.0, requires_grad=True)
    other = torch.tensor(1.0, requires_grad=True)
    y = x.exp()
    y.backward(inputs=[other])
    log("other.grad", other.grad)
    log("x.grad", x.grad)
    log.attempt("afterwards", lambda: y.backward())
    log("x.grad after", x.grad)


def grad_of_unused_input_frees(torch, log):
    x = torch.tensor(3.0, requires_grad=True)
    other = torch.tensor(1.0, requires_grad=True)
    y = x.exp()
    log("grads", torch.autograd.grad(y, other, allow_unused=True))
    log.attempt("afterwards", lambda: torch.autograd.grad(y, x))


@differs(
    "a call that fails changes nothing",
    {
        "y afterwards": {
            "tuple": [
                {
                    "tensor": 20.085537,
                    "shape": [],
                    "dtype": "float32",
                    "requires_grad": False,
                    "grad_fn": None,
                }
            ]
        }
    },
)
def exception_for_unused_input_comes_after_the_run(torch, log):
    x = torch.tensor(3.0, requires_grad=True)
    other = torch.tensor(1.0, requires_grad=True)
    y = x.exp()
    with log.raises("unused"):
        torch.autograd.grad(y, [x, other])
    log.attempt("y afterwards", lambda: torch.autograd.grad(y, x))
