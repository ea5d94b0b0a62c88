"""A neural differential equation, whose gradient comes from solving another one backwards.

The network is the right-hand side of y' = f(y), and its solution shall be a spiral. The adjoint
method keeps the solution, and nothing of how it was computed: it solves a' = -a df/dy backwards in
time, and adds up a df/dw on the way, which is the gradient by the weights.
"""

from plot import draw

import symgrad as torch

torch.set_default_dtype(torch.float64)

STEP, POINTS, WIDTH = 0.1, 24, 32


def field(y, V, W):
    """Return the velocity at `y`: a network of one hidden layer."""
    return torch.tanh(y @ V.T) @ W.T


def runge_kutta(f, y, h):
    """Return the state after a step `h`, where a state is a tuple of tensors."""

    def moved(slopes, by):
        return tuple(a + by * b for a, b in zip(y, slopes, strict=True))

    k1 = f(y)
    k2 = f(moved(k1, h / 2))
    k3 = f(moved(k2, h / 2))
    k4 = f(moved(k3, h))
    slopes = zip(k1, k2, k3, k4, strict=True)
    return moved([(a + 2 * b + 2 * c + d) / 6 for a, b, c, d in slopes], h)


def solve(y, V, W):
    """Return the solution at all points of time."""
    path = [y]
    for _ in range(POINTS - 1):
        (y,) = runge_kutta(lambda state: (field(*state, V, W),), (y,), STEP)
        path.append(y)
    return torch.stack(path)


class Solve(torch.autograd.Function):
    """The solution, with the adjoint method as its derivative."""

    @staticmethod
    def forward(ctx, y, V, W):
        path = solve(y, V, W)
        ctx.save_for_backward(path, V, W)
        return path

    @staticmethod
    def backward(ctx, g):
        path, V, W = ctx.saved_tensors

        def backwards(state):
            y, a, _, _ = state
            slope, pull = torch.func.vjp(field, y, V, W)
            return (slope, *(-x for x in pull(a)))

        a, by_V, by_W = g[-1], torch.zeros_like(V), torch.zeros_like(W)
        for i in range(POINTS - 1, 0, -1):
            _, a, by_V, by_W = runge_kutta(backwards, (path[i], a, by_V, by_W), -STEP)
            a = a + g[i - 1]
        return a, by_V, by_W


def main():
    torch.manual_seed(0)
    start = torch.tensor([1.5, 0.0])
    truth = [start]
    turn = torch.tensor([[-0.3, 2.0], [-2.0, -0.3]])
    for _ in range(POINTS - 1):
        truth += runge_kutta(lambda state: (state[0] @ turn.T,), truth[-1:], STEP)
    truth = torch.stack(truth)

    weights = [(0.3 * torch.randn(s)).requires_grad_() for s in ((WIDTH, 2), (2, WIDTH))]
    through = torch.autograd.grad((solve(start, *weights) - truth).square().mean(), weights)
    adjoint = torch.autograd.grad((Solve.apply(start, *weights) - truth).square().mean(), weights)
    apart = max((a - b).abs().max() / b.abs().max() for a, b in zip(adjoint, through, strict=True))
    print(f"adjoint and gradient through the solver agree to {apart.item():.0e}")

    optimizer = torch.optim.Adam(weights, lr=0.05)
    for step in range(101):
        path = Solve.apply(start, *weights)
        loss = (path - truth).square().mean()
        if step % 25 == 0:
            print(f"step {step:3d}  loss {loss.item():.4f}")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    found = ("network", *path.detach().T.tolist(), "line")
    draw("A spiral", found, ("data", *truth.T.tolist(), "points"), equal=True)
    show_formula()


def show_formula():
    y, a = torch.leaf("y", (2,)), torch.leaf("a", (2,))
    V, W = torch.leaf("V", ("n", 2)), torch.leaf("W", (2, "n"))
    _, pull = torch.func.vjp(lambda y: field(y, V, W), y)
    print("formula: a df/dy, by which the adjoint a changes")
    print(pull(a)[0])


if __name__ == "__main__":
    main()
