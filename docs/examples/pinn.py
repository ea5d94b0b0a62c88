"""A network that solves a differential equation: a physics-informed neural network.

The equation is that of a damped oscillator, u'' + 2 d u' + w^2 u = 0 with u(0) = 1 and u'(0) = 0.
The network learns from the equation alone: the loss is how far the derivatives of the network,
found by autograd, are from obeying it. The exact solution only measures the error at the end.
"""

from plot import draw

import symgrad as torch

torch.set_default_dtype(torch.float64)

DAMPING, FREQUENCY, STEPS = 0.3, 3.0, 1200


class Solution(torch.nn.Module):
    """A network from times to places that obeys both initial conditions, whatever its weights."""

    def __init__(self, width=24):
        super().__init__()
        self.first = torch.nn.Linear(1, width)
        self.second = torch.nn.Linear(width, width)
        self.last = torch.nn.Linear(width, 1)

    def forward(self, t):
        hidden = torch.tanh(self.second(torch.tanh(self.first(t))))
        return 1 + t**2 * self.last(hidden)


def derivative(u, t):
    """Return the derivative of each `u` by its own `t`, with a history of its own."""
    (slope,) = torch.autograd.grad(u.sum(), t, create_graph=True)
    return slope


def residual(u, t):
    """Return by how much `u` misses the equation."""
    speed = derivative(u, t)
    return derivative(speed, t) + 2 * DAMPING * speed + FREQUENCY**2 * u


def exact(t):
    w = (FREQUENCY**2 - DAMPING**2) ** 0.5
    return torch.exp(-DAMPING * t) * (torch.cos(w * t) + DAMPING / w * torch.sin(w * t))


def main():
    torch.manual_seed(0)
    network = Solution()
    t = torch.linspace(0.0, 2.0, 40).unsqueeze(1).requires_grad_()
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
    for step in range(STEPS + 1):
        loss = residual(network(t), t).square().mean()
        if step % 300 == 0:
            print(f"step {step:4d}  loss {loss.item():.3g}")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()

    u, times = network(t).detach(), t.detach()
    print(f"largest error: {(u - exact(times)).abs().max().item():.1g}")
    places = times.flatten().tolist()
    draw(
        "A damped oscillator, solved by a network",
        ("network", places, u.flatten().tolist(), "points"),
        ("exact", places, exact(times).flatten().tolist(), "line"),
    )
    show_formula()


def show_formula():
    a, b, w = (torch.leaf(name, ("n",)) for name in ("a", "b", "w"))
    t = torch.leaf("t")
    print("formula: u'' of a network of one layer, u = w @ tanh(a * t + b)")
    print(torch.derive(w @ torch.tanh(a * t + b), t, order=2))


if __name__ == "__main__":
    main()
