"""Regression by a Gaussian process, whose kernel is fitted by the marginal likelihood.

How far apart two points may be and still know of each other, how much the function varies and how
noisy it is seen: these three numbers maximise the probability of the data. Its logarithm needs one
Cholesky factor, which is differentiated, too.
"""

import math

from plot import draw

import symgrad as torch

torch.set_default_dtype(torch.float64)


def data(samples=30):
    x = 6 * torch.rand(samples)
    return x, torch.sin(1.5 * x) + 0.3 * x + 0.15 * torch.randn(samples)


def kernel(x, z, length, scale):
    """Return the covariances of the function at `x` and at `z`."""
    return scale**2 * torch.exp(-0.5 * ((x[:, None] - z[None, :]) / length) ** 2)


def loss_of(covariance, y):
    """Return minus the logarithm of the marginal likelihood."""
    factor = torch.linalg.cholesky(covariance)
    white = torch.linalg.solve_triangular(factor, y[:, None], upper=False)
    constant = 0.5 * len(y) * math.log(2 * math.pi)
    return 0.5 * white.square().sum() + factor.diagonal().log().sum() + constant


def predict(x, y, z, length, scale, noise):
    """Return mean and deviation of the function at `z`."""
    covariance = kernel(x, x, length, scale) + noise**2 * torch.eye(len(x))
    across = kernel(x, z, length, scale)
    factor = torch.linalg.cholesky(covariance)
    white = torch.linalg.solve_triangular(factor, across, upper=False)
    mean = across.T @ torch.cholesky_solve(y[:, None], factor)
    return mean[:, 0], (scale**2 - white.square().sum(0)).sqrt()


def main():
    torch.manual_seed(0)
    x, y = data()
    logarithms = torch.zeros(3, requires_grad=True)  # of length, scale and noise
    optimizer = torch.optim.LBFGS([logarithms], max_iter=40, line_search_fn="strong_wolfe")

    def loss():
        length, scale, noise = logarithms.exp()
        covariance = kernel(x, x, length, scale) + noise**2 * torch.eye(len(x))
        return loss_of(covariance, y)

    def closure():
        optimizer.zero_grad()
        value = loss()
        value.backward()
        return value

    print(f"log likelihood before: {-loss().item():.3f}")
    optimizer.step(closure)
    print(f"log likelihood after:  {-loss().item():.3f}")
    length, scale, noise = logarithms.detach().exp()
    print(f"length {length.item():.3f}  scale {scale.item():.3f}  noise {noise.item():.3f}")

    z = torch.linspace(-0.5, 6.5, 80)
    mean, deviation = predict(x, y, z, length, scale, noise)
    for at in (0, 40, 79):
        print(f"f({z[at].item():.2f}) = {mean[at].item():.3f} ± {2 * deviation[at].item():.3f}")
    draw(
        "A Gaussian process, with twice its deviation",
        ("mean", z.tolist(), mean.tolist(), "line"),
        ("below", z.tolist(), (mean - 2 * deviation).tolist(), "line"),
        ("above", z.tolist(), (mean + 2 * deviation).tolist(), "line"),
        ("data", x.tolist(), y.tolist(), "points"),
    )
    show_formula()


def show_formula():
    K, y = torch.leaf("K", ("n", "n"), symmetric=True), torch.leaf("y", ("n",))
    print("formula: gradient by the covariance K of twice the loss")
    print(torch.derive(y @ torch.linalg.solve(K, y) + torch.logdet(K), K))


if __name__ == "__main__":
    main()
