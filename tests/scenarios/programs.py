"""Whole programs written by hand: optimisers, networks, layers, Newton's method."""

import math

from ._harness import each


def _data(torch, n=12):
    """Points of the plane and labels, the same in every process."""
    i = torch.arange(n, dtype=torch.float64)
    points = torch.stack([(i * 1.7).sin(), (i * 0.9).cos()], dim=1)
    labels = (points[:, 0] + 0.5 * points[:, 1] > 0.1).double()
    return points, labels


def _weights(torch, *shape):
    """Small numbers without pattern, the same in every process."""
    n = math.prod(shape)
    values = (torch.arange(n, dtype=torch.float64) * 12.9898).sin() * 0.5
    return values.reshape(shape).requires_grad_()


@each(style=["no_grad", "data", "detach"])
def gradient_descent_on_a_quadratic(torch, log, style):
    a = torch.tensor([[3.0, 1.0], [1.0, 2.0]], dtype=torch.float64)
    b = torch.tensor([1.0, -1.0], dtype=torch.float64)
    x = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    losses = []
    for _ in range(20):
        loss = 0.5 * x @ a @ x - b @ x
        losses.append(loss.item())
        loss.backward()
        if style == "no_grad":
            with torch.no_grad():
                x -= 0.2 * x.grad
            x.grad.zero_()
        elif style == "data":
            x.data.sub_(0.2 * x.grad.data)
            x.grad.data.zero_()
        else:
            x = (x - 0.2 * x.grad).detach().requires_grad_()
    log("losses", losses)
    log("x", x)


def gradient_descent_with_momentum(torch, log):
    x = torch.tensor([4.0, -3.0], dtype=torch.float64, requires_grad=True)
    velocity = torch.zeros_like(x)
    for _ in range(15):
        loss = (x**4).sum() / 100 + (x * x).sum()
        (g,) = torch.autograd.grad(loss, x)
        with torch.no_grad():
            velocity.mul_(0.9).add_(g)
            x.sub_(0.05 * velocity)
    log("x", x)
    log("velocity", velocity)


def adam_by_hand(torch, log):
    x = torch.tensor([1.0, -2.0, 3.0], dtype=torch.float64, requires_grad=True)
    m, v = torch.zeros_like(x), torch.zeros_like(x)
    for t in range(1, 11):
        loss = ((x - torch.tensor([0.5, 0.5, 0.5], dtype=torch.float64)) ** 2).sum().log1p()
        x.grad = None
        loss.backward()
        with torch.no_grad():
            m = 0.9 * m + 0.1 * x.grad
            v = 0.999 * v + 0.001 * x.grad**2
            x -= 0.1 * (m / (1 - 0.9**t)) / ((v / (1 - 0.999**t)).sqrt() + 1e-8)
    log("x", x)
    log("m", m)
    log("v", v)


def linear_regression(torch, log):
    points, _ = _data(torch)
    target = points @ torch.tensor([2.0, -1.0], dtype=torch.float64) + 0.5
    w = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    b = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    for _ in range(30):
        loss = ((points @ w + b - target) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            for p in (w, b):
                p -= 0.3 * p.grad
                p.grad = None
    log("loss", loss)
    log("w", w)
    log("b", b)


def logistic_regression(torch, log):
    points, labels = _data(torch)
    w = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    b = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
    for _ in range(20):
        p = torch.sigmoid(points @ w + b)
        loss = -(labels * p.log() + (1 - labels) * (1 - p).log()).mean()
        loss.backward()
        with torch.no_grad():
            w -= w.grad
            b -= b.grad
        w.grad.zero_()
        b.grad.zero_()
    log("loss", loss)
    log("w", w)
    log("b", b)


def newton_by_double_backward(torch, log):
    x = torch.tensor([1.5, -0.5], dtype=torch.float64, requires_grad=True)
    for step in range(6):
        f = (1 - x[0]) ** 2 + 10 * (x[1] - x[0] ** 2) ** 2
        (g,) = torch.autograd.grad(f, x, create_graph=True)
        h = torch.stack([torch.autograd.grad(g[i], x, retain_graph=True)[0] for i in range(2)])
        det = h[0, 0] * h[1, 1] - h[0, 1] * h[1, 0]
        inverse = torch.stack([h[1, 1], -h[0, 1], -h[1, 0], h[0, 0]]).reshape(2, 2) / det
        with torch.no_grad():
            x -= inverse @ g
        log(f"f {step}", f.item())
    log("close to (1, 1)", bool(torch.allclose(x, torch.ones(2, dtype=torch.float64))))


def newton_for_a_root(torch, log):
    x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    for _ in range(6):
        f = x**3 - 2 * x - 5
        (g,) = torch.autograd.grad(f, x)
        x = (x - f / g).detach().requires_grad_()
    log("root", x)


def multilayer_perceptron(torch, log):
    points, labels = _data(torch)
    w1, b1 = _weights(torch, 2, 8), _weights(torch, 8)
    w2, b2 = _weights(torch, 8, 1), _weights(torch, 1)
    for _ in range(5):
        hidden = torch.relu(points @ w1 + b1)
        out = (hidden @ w2 + b2).squeeze(1)
        loss = ((out - labels) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            for p in (w1, b1, w2, b2):
                p -= 0.1 * p.grad
                p.grad.zero_()
    log("loss", loss)
    log("w1", w1)
    log("b2", b2)


def perceptron_in_float32(torch, log):
    x = torch.tensor([[1.0, -0.5], [0.25, 2.0]])
    w = torch.tensor([[0.5, -1.0], [0.25, 0.75]], requires_grad=True)
    b = torch.tensor([0.5, -0.25], requires_grad=True)
    y = (x @ w + b).relu().sum()
    y.backward()
    log("y", y)
    log("w.grad", w.grad)
    log("b.grad", b.grad)


def softmax_by_hand_and_cross_entropy(torch, log):
    logits = torch.tensor([[2.0, 1.0, 0.1], [0.5, 2.5, 0.0]], dtype=torch.float64)
    logits.requires_grad_()
    target = torch.tensor([0, 2])
    shifted = logits - logits.max(dim=1, keepdim=True)[0]
    p = shifted.exp() / shifted.exp().sum(dim=1, keepdim=True)
    loss = -p[torch.arange(2), target].log().mean()
    loss.backward()
    log("p", p.detach())
    log("loss", loss.detach())
    log("grad", logits.grad)
    again = logits.detach().requires_grad_()
    other = -(again.log_softmax(1).gather(1, target.unsqueeze(1))).mean()
    other.backward()
    log("by log_softmax", again.grad)


def layer_norm_by_hand(torch, log):
    x = _weights(torch, 3, 4)
    gain = torch.ones(4, dtype=torch.float64, requires_grad=True)
    shift = torch.zeros(4, dtype=torch.float64, requires_grad=True)
    mean = x.mean(-1, keepdim=True)
    var = x.var(-1, unbiased=False, keepdim=True)
    y = (x - mean) / (var + 1e-5).sqrt() * gain + shift
    (y * torch.arange(12, dtype=torch.float64).reshape(3, 4)).sum().backward()
    log("y", y.detach())
    log("x.grad", x.grad)
    log("gain.grad", gain.grad)
    log("shift.grad", shift.grad)


def batch_norm_by_hand(torch, log):
    x = _weights(torch, 5, 2)
    y = (x - x.mean(0)) / x.std(0)
    (y**3).sum().backward()
    log("grad", x.grad)


def recurrent_network(torch, log):
    wx, wh, b = _weights(torch, 3, 4), _weights(torch, 4, 4), _weights(torch, 4)
    inputs = _weights(torch, 6, 2, 3).detach()
    h = torch.zeros(2, 4, dtype=torch.float64)
    for x in inputs:
        h = torch.tanh(x @ wx + h @ wh + b)
    (h * h).sum().backward()
    log("h", h.detach())
    log("wx.grad", wx.grad)
    log("wh.grad", wh.grad)
    log("b.grad", b.grad)


def gated_recurrent_unit(torch, log):
    w, u = _weights(torch, 2, 9), _weights(torch, 3, 9)
    h = torch.zeros(1, 3, dtype=torch.float64)
    for t in range(4):
        x = torch.full((1, 2), 0.5 * t, dtype=torch.float64)
        xr, xz, xn = (x @ w).chunk(3, dim=1)
        hr, hz, hn = (h @ u).chunk(3, dim=1)
        r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
        n = torch.tanh(xn + r * hn)
        h = (1 - z) * n + z * h
    h.sum().backward()
    log("h", h.detach())
    log("w.grad", w.grad)
    log("u.grad", u.grad)


def attention(torch, log):
    q, k, v = (_weights(torch, 2, 3, 4) for _ in range(3))
    scores = q @ k.transpose(-2, -1) / math.sqrt(4)
    mask = torch.ones(3, 3, dtype=torch.bool).tril()
    scores = scores.masked_fill(~mask, -float("inf"))
    out = scores.softmax(-1) @ v
    (out**2).sum().backward()
    log("out", out.detach())
    log("q.grad", q.grad)
    log("k.grad", k.grad)
    log("v.grad", v.grad)


def embedding_by_indexing(torch, log):
    table = _weights(torch, 5, 3)
    tokens = torch.tensor([[0, 1, 1], [4, 0, 1]])
    e = table[tokens]
    (e.mean(1) ** 2).sum().backward()
    log("e", e.shape)
    log("grad", table.grad)


def convolution_by_slices(torch, log):
    x, kernel = _weights(torch, 8), _weights(torch, 3)
    y = sum(kernel[i] * x[i : i + 6] for i in range(3))
    (y * y).sum().backward()
    log("y", y.detach())
    log("x.grad", x.grad)
    log("kernel.grad", kernel.grad)


def weight_decay_and_clipping(torch, log):
    w = _weights(torch, 4)
    loss = (w**3).sum() * 100 + 0.1 * w.norm() ** 2
    loss.backward()
    norm = w.grad.norm()
    w.grad.mul_(1.0 / norm.clamp(min=1.0))
    log("norm", norm)
    log("clipped", w.grad)


def gradient_accumulation_over_batches(torch, log):
    points, labels = _data(torch)
    w = _weights(torch, 2)
    for i in range(0, 12, 4):
        loss = ((points[i : i + 4] @ w - labels[i : i + 4]) ** 2).sum() / 12
        loss.backward()
    accumulated = w.grad.clone()
    w.grad = None
    ((points @ w - labels) ** 2).mean().backward()
    log("whole", w.grad)
    log("agree", torch.allclose(accumulated, w.grad))


def generative_pair_with_detach(torch, log):
    g, d = _weights(torch, 2), _weights(torch, 2)
    noise = torch.tensor([0.5, -1.0], dtype=torch.float64)
    fake = noise * g
    d_loss = ((fake.detach() * d).sum() - 1) ** 2
    d_loss.backward()
    log("g.grad after d_loss", g.grad)
    log("d.grad", d.grad)
    g_loss = (fake * d).sum() ** 2
    g_loss.backward()
    log("g.grad", g.grad)
    log("d.grad accumulated", d.grad)


def polynomial_fit(torch, log):
    x = torch.linspace(-math.pi, math.pi, 50, dtype=torch.float64)
    y = x.sin()
    a, b, c, d = (torch.tensor(0.1 * i, dtype=torch.float64, requires_grad=True) for i in range(4))
    for t in range(50):
        predicted = a + b * x + c * x**2 + d * x**3
        loss = (predicted - y).pow(2).sum()
        if t % 25 == 0:
            log(f"loss {t}", loss.item())
        loss.backward()
        with torch.no_grad():
            for p in (a, b, c, d):
                p -= 1e-5 * p.grad
                p.grad = None
    log("a b c d", [p.item() for p in (a, b, c, d)])


def physics_residual(torch, log):
    t = torch.linspace(0, 1, 5, dtype=torch.float64).requires_grad_()
    w = _weights(torch, 3)
    u = w[0] * t.sin() + w[1] * t.cos() + w[2] * t
    (ut,) = torch.autograd.grad(u.sum(), t, create_graph=True)
    (utt,) = torch.autograd.grad(ut.sum(), t, create_graph=True)
    loss = ((utt + u) ** 2).mean()
    loss.backward()
    log("loss", loss.detach())
    log("w.grad", w.grad)


def control_flow_on_values(torch, log):
    for start in (0.5, -0.5, 3.0):
        x = torch.tensor(start, dtype=torch.float64, requires_grad=True)
        y = x
        while y.abs() < 10:
            y = y * 2 if y > 0 else y * 3 - 1
        y.backward()
        log(f"{start} value", y.item())
        log(f"{start} grad", x.grad)


def matrix_power_series(torch, log):
    a = torch.tensor([[0.1, 0.2], [-0.3, 0.1]], dtype=torch.float64, requires_grad=True)
    term = total = torch.eye(2, dtype=torch.float64)
    for k in range(1, 12):
        term = term @ a / k
        total = total + term
    total.trace().backward()
    log("exponential", total.detach())
    log("grad", a.grad)


def fixed_point_iteration(torch, log):
    theta = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    x = torch.tensor(1.0, dtype=torch.float64)
    for _ in range(40):
        x = (theta * x).cos()
    x.backward()
    log("x", x.detach())
    log("grad", theta.grad)


def two_networks_sharing_a_layer(torch, log):
    shared, a, b = _weights(torch, 3, 3), _weights(torch, 3), _weights(torch, 3)
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
    h = torch.tanh(x @ shared)
    first, second = h @ a, (h * h) @ b
    first.backward(retain_graph=True)
    log("shared after the first", shared.grad)
    second.backward()
    log("shared after both", shared.grad)
    log("a", a.grad)
    log("b", b.grad)
