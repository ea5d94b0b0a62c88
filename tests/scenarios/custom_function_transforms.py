"""Custom functions in forward mode and over batches."""

from __future__ import annotations

from ._custom_functions import _function, _leaf


def save_for_forward_takes_tensors(torch, log):
    def forward(ctx, x):
        ctx.save_for_forward(x, 3)
        return x * 2

    log.attempt("apply", lambda: _function(torch, forward, None).apply(_leaf(torch)))

    def saving(ctx, x):
        ctx.save_for_forward(x, None)
        log("saved_for_forward", len(ctx.saved_for_forward))
        return x * 2

    _function(torch, saving, None).apply(_leaf(torch))


def mark_shared_storage_is_deprecated(torch, log):
    def forward(ctx, x):
        with log.warns("warning"):
            ctx.mark_shared_storage((x, x))
        return x * 2

    _function(torch, forward, None).apply(_leaf(torch))


def methods_of_the_base(torch, log):
    F = torch.autograd.Function
    log.attempt("forward", lambda: F.forward())
    log.attempt("setup_context", lambda: F.setup_context(None, (), None))
    log.attempt("backward", lambda: F.backward(None))
    log.attempt("vjp", lambda: F.vjp(None))
    log.attempt("jvp", lambda: F.jvp(None))
    log("generate_vmap_rule", F.generate_vmap_rule)
    log.attempt("vmap", lambda: F.vmap(None, (), 1))
    log("names", [n for n in ("apply", "vmap", "jvp", "vjp") if hasattr(F, n)])


def arguments_of_other_kinds(torch, log):
    def forward(ctx, x, options, items, scale=2.0):
        log(f"given {len(log.outcomes)}", (options, items, scale))
        log(f"needs {len(log.outcomes)}", ctx.needs_input_grad)
        return x * scale * items[0]

    def backward(ctx, grad):
        return grad * 5, None, None, None

    F = _function(torch, forward, backward)
    x, hidden = _leaf(torch), _leaf(torch)
    y = F.apply(x, {"a": 1}, [hidden])
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)
    log("hidden.grad", hidden.grad)


def a_tensor_as_keyword_of_setup_context(torch, log):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(x, y):
            return x * y

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            return grad * y, grad * x

    x, y = _leaf(torch), _leaf(torch, 4.0, 5.0, 6.0)
    out = F.apply(y=y, x=x)
    log("out", out)
    out.sum().backward()
    log("x.grad", x.grad)


def no_tensors_at_all(torch, log):
    F = _function(torch, lambda ctx, n: torch.ones(n), lambda ctx, grad: None)
    log("out", F.apply(3))
    G = _function(torch, lambda ctx: torch.ones(2), lambda ctx, grad: None)
    log("nothing", G.apply())


def straight_through(torch, log):
    F = _function(torch, lambda ctx, x: x.round(), lambda ctx, grad: grad)
    x = _leaf(torch, 0.4, 1.6, 2.5)
    y = F.apply(x)
    log("y", y)
    (y * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    log("x.grad", x.grad)


def gradient_reversal(torch, log):
    class Reverse(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, strength):
            ctx.strength = strength
            return x.view_as(x)

        @staticmethod
        def backward(ctx, grad):
            return grad.neg() * ctx.strength, None

    x = _leaf(torch)
    y = Reverse.apply(x * 2, 0.5)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def a_linear_layer(torch, log):
    class Linear(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input, weight, bias=None):
            ctx.save_for_backward(input, weight, bias)
            output = input.mm(weight.t())
            if bias is not None:
                output += bias.unsqueeze(0).expand_as(output)
            return output

        @staticmethod
        def backward(ctx, grad_output):
            input, weight, bias = ctx.saved_tensors
            grad_input = grad_weight = grad_bias = None
            if ctx.needs_input_grad[0]:
                grad_input = grad_output.mm(weight)
            if ctx.needs_input_grad[1]:
                grad_weight = grad_output.t().mm(input)
            if bias is not None and ctx.needs_input_grad[2]:
                grad_bias = grad_output.sum(0)
            return grad_input, grad_weight, grad_bias

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    w = torch.tensor([[1.0, -1.0]], requires_grad=True)
    b = torch.tensor([0.5], requires_grad=True)
    y = Linear.apply(x, w, b)
    log("y", y)
    (y * y).sum().backward()
    log("w.grad", w.grad)
    log("b.grad", b.grad)
    w.grad = None
    Linear.apply(x, w).sum().backward()
    log("without bias", w.grad)


def legendre_polynomial(torch, log):
    """The one of PyTorch's introduction to custom functions."""

    class LegendrePolynomial3(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            ctx.save_for_backward(input)
            return 0.5 * (5 * input**3 - 3 * input)

        @staticmethod
        def backward(ctx, grad_output):
            (input,) = ctx.saved_tensors
            return grad_output * 1.5 * (5 * input**2 - 1)

    x = torch.linspace(-1, 1, 5, dtype=torch.float64)
    a = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    b = torch.tensor(-0.2, dtype=torch.float64, requires_grad=True)
    for _ in range(3):
        loss = (LegendrePolynomial3.apply(a + b * x) - torch.sin(x)).pow(2).sum()
        loss.backward()
        with torch.no_grad():
            a -= 0.05 * a.grad
            b -= 0.05 * b.grad
            a.grad = b.grad = None
    log("a", a)
    log("b", b)
    log("loss", loss)


def relu_by_hand(torch, log):
    class MyReLU(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            ctx.save_for_backward(input)
            return input.clamp(min=0)

        @staticmethod
        def backward(ctx, grad_output):
            (input,) = ctx.saved_tensors
            grad_input = grad_output.clone()
            grad_input[input < 0] = 0
            return grad_input

    x = _leaf(torch, -1.0, 0.0, 2.0)
    (MyReLU.apply(x) * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    log("x.grad", x.grad)
