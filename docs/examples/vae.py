"""A variational autoencoder: pictures of 8 by 8 points, laid out on a plane.

The encoder gives a normal distribution for each picture, and the decoder a picture for each point
of the plane. A sample of the distribution is the mean plus the deviation times a random number, so
that the gradient passes through it. The loss is how badly a picture is restored, plus how far the
distribution is from the standard one.
"""

from plot import draw

import symgrad as torch

torch.set_default_dtype(torch.float64)

SIDE, STEPS, BATCH = 8, 800, 64


def pictures(samples):
    """Return pictures of one bar each, and which of the bars are upright; the others lie flat."""
    upright = torch.rand(samples) < 0.5
    place = torch.randint(0, SIDE, (samples,))
    rows = torch.nn.functional.one_hot(place, SIDE).to(torch.float64)
    bars = torch.where(upright[:, None, None], rows[:, None, :], rows[:, :, None])
    return bars.expand(samples, SIDE, SIDE).reshape(samples, SIDE * SIDE), upright


class Autoencoder(torch.nn.Module):
    """Encoder and decoder, with a plane between them."""

    def __init__(self, width=64):
        super().__init__()
        nn = torch.nn
        self.encoder = nn.Sequential(nn.Linear(SIDE**2, width), nn.Tanh(), nn.Linear(width, 4))
        self.decoder = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, SIDE**2))

    def forward(self, x):
        mean, log_variance = self.encoder(x).chunk(2, dim=1)
        z = mean + torch.exp(0.5 * log_variance) * torch.randn_like(mean)
        return self.decoder(z), mean, log_variance


def divergence(mean, log_variance):
    """Return the Kullback-Leibler divergence from the standard normal distribution."""
    return -0.5 * (1 + log_variance - mean**2 - torch.exp(log_variance)).sum()


def main():
    torch.manual_seed(0)
    model = Autoencoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for step in range(STEPS + 1):
        x, _ = pictures(BATCH)
        logits, mean, log_variance = model(x)
        restored = torch.nn.functional.binary_cross_entropy_with_logits(logits, x, reduction="sum")
        loss = (restored + divergence(mean, log_variance)) / BATCH
        if step % 200 == 0:
            print(f"step {step:3d}  loss {loss.item():.2f}")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    with torch.no_grad():
        x, upright = pictures(200)
        logits, mean, _ = model(x)
        right = ((logits > 0) == (x > 0.5)).to(x.dtype).mean().item()
    print(f"{right:.1%} of the points are restored")
    draw(
        "Pictures of bars on the plane between encoder and decoder",
        ("upright", *mean[upright].T.tolist(), "points"),
        ("flat", *mean[~upright].T.tolist(), "points"),
    )
    show_formula()


def show_formula():
    mean, log_variance = torch.leaf("mu", ("n", 2)), torch.leaf("s", ("n", 2))
    by_mean, by_log_variance = torch.derive(divergence(mean, log_variance), [mean, log_variance])
    print("formula: gradient of the divergence by mean mu and logarithm of variance s")
    print(by_mean)
    print(by_log_variance)


if __name__ == "__main__":
    main()
