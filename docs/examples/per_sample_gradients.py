"""Gradients of single samples, clipped and added up: training with differential privacy.

The gradient of a batch is a sum over its samples. To bound how much the weights can tell about one
sample, each gradient is cut to a norm of at most one, and noise is added to the sum. `vmap` of
`grad` gives all gradients at once, without a loop over the samples.
"""

from plot import draw

import symgrad as torch

torch.set_default_dtype(torch.float64)

CLIP, NOISE, RATE, STEPS = 1.0, 0.3, 1.0, 150


def data(samples=200):
    """Return points of the plane, and whether each lies outside of a circle."""
    points = torch.randn(samples, 2)
    return points, (points.square().sum(1) > 1.4).to(points.dtype)


def initial():
    """Return the weights of a network with one hidden layer, by name."""
    return {
        "V": torch.randn(8, 2),
        "a": torch.zeros(8),
        "w": torch.randn(8) / 8**0.5,
        "b": torch.zeros(()),
    }


def score(weights, x):
    return weights["w"] @ torch.tanh(weights["V"] @ x + weights["a"]) + weights["b"]


def loss(weights, x, y):
    """Return the loss of one sample."""
    return torch.nn.functional.binary_cross_entropy_with_logits(score(weights, x), y)


def norms(gradients):
    """Return the norm of each sample's gradient, of all weights together."""
    rows = [g.reshape(len(g), -1) for g in gradients.values()]
    return torch.cat(rows, 1).norm(dim=1)


def main():
    torch.manual_seed(0)
    points, labels = data()
    weights = initial()
    of_each_sample = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0, 0))
    losses = torch.func.vmap(loss, in_dims=(None, 0, 0))
    history = []
    for step in range(STEPS + 1):
        gradients = of_each_sample(weights, points, labels)
        lengths = norms(gradients)
        history.append(losses(weights, points, labels).mean().item())
        if step % 50 == 0:
            cut = (lengths > CLIP).sum().item()
            print(f"step {step:3d}  loss {history[-1]:.3f}  gradients cut {cut}/{len(points)}")
        factors = CLIP / lengths.clamp(min=CLIP)
        for name, g in gradients.items():
            total = torch.tensordot(factors, g, dims=1) + NOISE * torch.randn(g.shape[1:])
            weights[name] = weights[name] - RATE * total / len(points)

    scores = torch.func.vmap(score, in_dims=(None, 0))(weights, points)
    right = ((scores > 0) == (labels > 0)).to(points.dtype).mean().item()
    print(f"{right:.0%} of the samples are classified right")
    draw("Loss with clipped gradients and noise", ("loss", range(STEPS + 1), history, "line"))
    show_formula()


def show_formula():
    leaves = {name: torch.leaf(name, w.shape) for name, w in initial().items()}
    gradient = torch.derive(loss(leaves, torch.leaf("x", (2,)), torch.leaf("y")), "w")
    print("formula: gradient of one sample's loss by w")
    print(gradient)


if __name__ == "__main__":
    main()
