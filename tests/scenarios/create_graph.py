"""Derivatives of derivatives: create_graph in grad and backward, to third order and beyond."""

import math

from ._harness import differs, each

_FUNCTIONS = {
    "cube": lambda torch, x: x**3,
    "product": lambda torch, x: x * x * x * x,
    "reciprocal": lambda torch, x: 1 / x,
    "exp": lambda torch, x: x.exp(),
    "log": lambda torch, x: x.log(),
    "sin": lambda torch, x: x.sin(),
    "tan": lambda torch, x: x.tan(),
    "tanh": lambda torch, x: x.tanh(),
    "sigmoid": lambda torch, x: x.sigmoid(),
    "sqrt": lambda torch, x: x.sqrt(),
    "rpow": lambda torch, x: 2**x,
    "fractional_power": lambda torch, x: x**2.5,
    "atan": lambda torch, x: x.atan(),
    "composition": lambda torch, x: (x.sin() * x.exp()).log1p(),
    "quotient": lambda torch, x: x.sin() / (1 + x * x),
    "log1p_exp": lambda torch, x: x.exp().log1p(),
    "relu_square": lambda torch, x: (x - 0.2).relu() ** 2,
    "abs_cube": lambda torch, x: x.abs() ** 3,
}


@each(function=list(_FUNCTIONS))
def up_to_the_third_order(torch, log, function):
    x = torch.tensor([0.5, 1.25], dtype=torch.float64, requires_grad=True)
    y = _FUNCTIONS[function](torch, x)
    for order in (1, 2, 3):
        (y,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        log(f"order {order}", y.detach())


def fifth_order_of_sin(torch, log):
    x = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    y = x.sin()
    for order in range(1, 6):
        (y,) = torch.autograd.grad(y, x, create_graph=True)
        log(f"order {order}", y.detach())


def backward_then_backward_of_grad(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = x**3
    y.backward(create_graph=True)
    log.gradient("first", x.grad)
    g = x.grad
    x.grad = None
    g.backward()
    log.gradient("second", x.grad)


def backward_of_grad_without_clearing(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = x**3
    y.backward(create_graph=True)
    x.grad.backward()
    log.gradient("3x² + 6x", x.grad)


@differs("no reference cycle is made that a warning would be about", {"warnings": []})
def backward_with_create_graph_warns_of_a_cycle(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    with log.warns("warnings"):
        (x**3).backward(create_graph=True)
    log.gradient("grad", x.grad)


def constant_derivative(torch, log):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    (g,) = torch.autograd.grad((x * 3).sum(), x, create_graph=True)
    log.gradient("3x", g)
    (g,) = torch.autograd.grad((x + 1).sum(), x, create_graph=True)
    log.gradient("x + 1", g)
    (g,) = torch.autograd.grad(x.sum(), x, create_graph=True)
    log.gradient("sum", g)


def second_derivative_of_a_linear_function_raises(torch, log):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    (g,) = torch.autograd.grad((x * 3).sum(), x, create_graph=True)
    with log.raises("3x"):
        torch.autograd.grad(g.sum(), x)


def second_derivative_of_a_quadratic_then_third(torch, log):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    (g,) = torch.autograd.grad((x * x).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
    log("second, value", h.detach())
    log("second requires grad", h.requires_grad)


def mixed_second_derivatives(torch, log):
    x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    y = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    f = x**2 * y**3 + (x * y).sin()
    fx, fy = torch.autograd.grad(f, [x, y], create_graph=True)
    log.gradient("fx", fx)
    log.gradient("fy", fy)
    log.gradient("fxx fxy", torch.autograd.grad(fx, [x, y], retain_graph=True))
    log.gradient("fyx fyy", torch.autograd.grad(fy, [x, y]))


def grad_of_grad_with_allow_unused(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    f = x**3 + y * x
    (fx,) = torch.autograd.grad(f, x, create_graph=True)
    log.gradient("of fx", torch.autograd.grad(fx, [x, y], allow_unused=True))
    (fy,) = torch.autograd.grad(x**2 + y**2, y, create_graph=True)
    log.gradient("of fy", torch.autograd.grad(fy, [x, y], allow_unused=True))


def grad_of_grad_unused_raises(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    (fy,) = torch.autograd.grad(x**2 + y**2, y, create_graph=True)
    with log.raises("x is not in fy"):
        torch.autograd.grad(fy, x)


def gradient_penalty(torch, log):
    w = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)
    x = torch.tensor([0.5, 0.25], dtype=torch.float64, requires_grad=True)
    out = (w * x).tanh().sum()
    (gx,) = torch.autograd.grad(out, x, create_graph=True)
    loss = out + (gx * gx).sum()
    loss.backward()
    log("w.grad", w.grad)
    log("x.grad", x.grad)


def hessian_row_by_row(torch, log):
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    y = x.prod() + (x**2).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    for i in range(3):
        (row,) = torch.autograd.grad(g[i], x, retain_graph=True)
        log(f"row {i}", row)


def hessian_vector_product(torch, log):
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    v = torch.tensor([1.0, 0.0, -1.0], dtype=torch.float64)
    y = (x**3).sum() * x[0]
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    log("by dot", torch.autograd.grad(g @ v, x, retain_graph=True))
    log("by grad_outputs", torch.autograd.grad(g, x, grad_outputs=v))


def forward_mode_by_double_backward(torch, log):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    v = torch.tensor([3.0, -1.0], dtype=torch.float64)
    y = x.sin() * x.sum()
    u = torch.zeros_like(y, requires_grad=True)
    (g,) = torch.autograd.grad(y, x, u, create_graph=True)
    log("jvp", torch.autograd.grad(g, u, v))


def create_graph_inside_no_grad(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = x**3
    with torch.no_grad():
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        log("mode", torch.is_grad_enabled())
    log.gradient("g", g)
    log.gradient("second", torch.autograd.grad(g, x))


def grad_without_create_graph_has_no_history(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    (g,) = torch.autograd.grad(x**3, x)
    log("g", g)
    with log.raises("second"):
        torch.autograd.grad(g, x)


def retain_graph_is_not_create_graph(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    (g,) = torch.autograd.grad(x**3, x, retain_graph=True)
    log("g", g)


def gradient_used_in_further_computation(torch, log):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    w = torch.tensor([0.5, -0.5], dtype=torch.float64, requires_grad=True)
    inner = ((x * w) ** 2).sum()
    (gw,) = torch.autograd.grad(inner, w, create_graph=True)
    w2 = w - 0.1 * gw
    ((x * w2) ** 2).sum().backward()
    log("meta gradient", w.grad)
    log("x.grad", x.grad)


def unrolled_gradient_descent(torch, log):
    lr = torch.tensor(0.1, dtype=torch.float64, requires_grad=True)
    w = torch.tensor([1.0, -3.0], dtype=torch.float64, requires_grad=True)
    target = torch.tensor([0.5, 0.5], dtype=torch.float64)
    current = w
    for _ in range(5):
        loss = ((current - target) ** 2).sum()
        (g,) = torch.autograd.grad(loss, current, create_graph=True)
        current = current - lr * g
    loss = ((current - target) ** 2).sum()
    loss.backward()
    log("loss", loss.detach())
    log("lr.grad", lr.grad)
    log("w.grad", w.grad)


def second_order_of_matmul(torch, log):
    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64, requires_grad=True)
    b = torch.tensor([[0.5, -1.0], [2.0, 1.0]], dtype=torch.float64, requires_grad=True)
    y = ((a @ b) ** 2).sum()
    ga, gb = torch.autograd.grad(y, [a, b], create_graph=True)
    log.gradient("ga", ga)
    log.gradient("gb", gb)
    log.gradient("of ga", torch.autograd.grad(ga.sum(), [a, b], retain_graph=True))
    log.gradient("of gb", torch.autograd.grad(gb.sum(), [a, b]))


@each(op=["sum", "mean", "max", "prod", "logsumexp", "var", "norm", "cumsum", "softmax"])
def second_order_of_reductions(torch, log, op):
    x = torch.tensor([1.0, 2.5, -0.5], dtype=torch.float64, requires_grad=True)
    arguments = (0,) if op in ("logsumexp", "cumsum", "softmax") else ()
    y = (getattr(x, op)(*arguments) ** 2).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    log("first", g.detach())
    (h,) = torch.autograd.grad((g * g).sum(), x)
    log("of its square", h)


def second_order_of_softplus_and_cross_entropy(torch, log):
    x = torch.tensor([[1.0, 2.0, 0.5]], dtype=torch.float64, requires_grad=True)
    loss = x.logsumexp(1).sum() - x[0, 1]
    (g,) = torch.autograd.grad(loss, x, create_graph=True)
    log("softmax minus one-hot", g.detach())
    log("row of the Hessian", torch.autograd.grad(g[0, 0], x))


def second_order_of_indexing(torch, log):
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    y = (x[torch.tensor([0, 0, 2])] ** 3).sum() + x[1:].prod()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    log("first", g.detach())
    log("second", torch.autograd.grad(g.sum(), x))


def second_order_of_where_and_clamp(torch, log):
    x = torch.tensor([-1.0, 0.5, 2.0], dtype=torch.float64, requires_grad=True)
    y = torch.where(x > 0, x**3, x**2) + x.clamp(0.0, 1.0) ** 2
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log("first", g.detach())
    log("second", torch.autograd.grad(g.sum(), x))


def third_derivative_at_integers(torch, log):
    for n in range(6):
        x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
        y = x**n
        values = []
        for _ in range(3):
            if not y.requires_grad:  # whether a constant still has history is the library's own
                values.append(0.0)
                continue
            (y,) = torch.autograd.grad(y, x, create_graph=True)
            values.append(y.item())
        log(f"power {n}", values)


def laplacian(torch, log):
    x = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    y = torch.tensor(0.6, dtype=torch.float64, requires_grad=True)
    u = (math.pi * x).sin() * (math.pi * y).sin()
    ux, uy = torch.autograd.grad(u, (x, y), create_graph=True)
    (uxx,) = torch.autograd.grad(ux, x, retain_graph=True)
    (uyy,) = torch.autograd.grad(uy, y)
    log("laplacian", uxx + uyy)


def complex_second_order(torch, log):
    z = torch.tensor([1 + 2j, 0.5 - 1j], dtype=torch.complex128, requires_grad=True)
    y = (z**3).abs().sum()
    (g,) = torch.autograd.grad(y, z, create_graph=True)
    log("first", g.detach())
    (h,) = torch.autograd.grad(g.abs().sum(), z)
    log("of its modulus", h)


def backward_with_create_graph_accumulates_both(torch, log):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward(create_graph=True)
    y.backward(create_graph=True)
    log.gradient("4x", x.grad)
    log.gradient("4", torch.autograd.grad(x.grad, x))


def gradients_of_a_sum_for_both_its_leaves(torch, log):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([1.0, 2.0], requires_grad=True)
    ga, gb = torch.autograd.grad(((a + b) ** 2).sum(), [a, b], create_graph=True)
    log.gradient("ga", ga)
    log.gradient("gb", gb)


def grad_outputs_that_depend_on_the_input(torch, log):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    v = x * 3
    y = x**2
    (g,) = torch.autograd.grad(y, x, v, create_graph=True)
    log.gradient("2x·3x", g)
    log.gradient("its derivative", torch.autograd.grad(g.sum(), x))


@differs(
    "a formula that is a constant has no history",
    {"after zero_": False, "after fill_": False, "nll_loss": False},
)
def gradients_that_are_constants(torch, log):
    x = torch.tensor([[0.5, 1.0], [2.0, 0.25]], requires_grad=True)
    results = {
        "twice": 2 * x,
        "after zero_": x + x.sin().zero_(),
        "after fill_": x + x.sin().fill_(2.0),
        "nll_loss": torch.nn.functional.nll_loss(x, torch.tensor([0, 1])),
    }
    for name, y in results.items():
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        log(name, g.requires_grad)
        log.gradient(f"{name}, the gradient", g.detach())
    log(
        "hessian",
        torch.autograd.functional.hessian(lambda x: (x + x.sin().zero_()).sum(), x).any(),
    )
