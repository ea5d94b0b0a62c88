"""Learning to learn: first weights from which one step of descent fits a new sine curve (MAML).

Each task is a sine curve of its own height and phase, known at ten points. The loss is what is left
*after* a step of descent on these points. Its gradient passes through that step, and so contains
second derivatives.
"""

from plot import draw

import symgrad as torch

torch.set_default_dtype(torch.float64)

RATE, TASKS, SHOTS, STEPS = 0.05, 16, 10, 600


def network(width=24):
    nn, tanh = torch.nn, torch.nn.Tanh()
    first, second, last = nn.Linear(1, width), nn.Linear(width, width), nn.Linear(width, 1)
    return nn.Sequential(first, tanh, second, tanh, last)


def tasks(number):
    """Return points of `number` sine curves, in halves: to learn from, and to be judged by."""
    height = 0.5 + 1.5 * torch.rand(number, 1, 1)
    phase = torch.pi * torch.rand(number, 1, 1)
    x = 6 * torch.rand(number, 2 * SHOTS, 1) - 3
    return *x.split(SHOTS, 1), *(height * torch.sin(x + phase)).split(SHOTS, 1)


def main():
    torch.manual_seed(0)
    model = network()

    def loss(weights, x, y):
        return (torch.func.functional_call(model, weights, (x,)) - y).square().mean()

    def adapted(weights, x, y):
        gradients = torch.func.grad(loss)(weights, x, y)
        return {name: w - RATE * gradients[name] for name, w in weights.items()}

    def loss_after_a_step(weights, x, new_x, y, new_y):
        return loss(adapted(weights, x, y), new_x, new_y)

    over_tasks = torch.func.vmap(loss_after_a_step, in_dims=(None, 0, 0, 0, 0))
    weights = dict(model.named_parameters())
    optimizer = torch.optim.Adam(weights.values(), lr=0.005)
    for step in range(STEPS + 1):
        value = over_tasks(weights, *tasks(TASKS)).mean()
        if step % 150 == 0:
            print(f"step {step:3d}  loss after one step of descent {value.item():.3f}")
        optimizer.zero_grad()
        value.backward()
        optimizer.step()

    weights = {name: w.detach() for name, w in weights.items()}
    x, new_x, y, new_y = (part[0] for part in tasks(1))
    print("a new curve:", f"loss {loss(weights, new_x, new_y).item():.3f}", end="")
    fitted = weights
    for step in range(1, 6):
        fitted = adapted(fitted, x, y)
        print(f", after {step}: {loss(fitted, new_x, new_y).item():.3f}", end="")
    print()

    line = torch.linspace(-3.0, 3.0, 60).unsqueeze(1)

    def curve(weights):
        y = torch.func.functional_call(model, weights, (line,))
        return torch.cat([line, y], 1).T.tolist()

    draw(
        "A new sine curve, before and after five steps",
        ("before", *curve(weights), "line"),
        ("after", *curve(fitted), "line"),
        ("ten points", x.flatten().tolist(), y.flatten().tolist(), "points"),
    )
    show_formula()


def show_formula():
    x, y, u, v = (torch.leaf(name, ("n",)) for name in ("x", "y", "u", "v"))
    w, rate = torch.leaf("w"), torch.leaf("rate")

    def loss(w, x, y):
        return 0.5 * (w * x - y).square().sum()

    step = torch.func.grad(loss)(w, x, y)
    print("formula: gradient through a step of descent, of the model w * x")
    print(torch.derive(loss(w - rate * step, u, v), w))


if __name__ == "__main__":
    main()
