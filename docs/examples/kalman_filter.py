"""A Kalman filter whose noise is tuned by the gradient of the likelihood.

A car moves on a line, pushed by chance, and its place is seen with noise. The filter needs to know
how large the pushes and the noise are. It gives the probability of what is seen, step by step, so
that the gradient through all steps finds both.
"""

from plot import draw

import symgrad as torch

torch.set_default_dtype(torch.float64)

MOVE = torch.tensor([[1.0, 1.0], [0.0, 1.0]])  # place and speed, one second later
PUSH = torch.tensor([[0.25, 0.5], [0.5, 1.0]])  # covariance of a push of size one
SEEN = torch.tensor([1.0, 0.0])  # the place is seen, the speed is not


def drive(steps=60, push=0.3, blur=2.0):
    """Return the places of a car, and what is seen of them."""
    place = speed = torch.zeros(())
    places = []
    for force in push * torch.randn(steps):
        place, speed = place + speed + 0.5 * force, speed + force
        places.append(place)
    places = torch.stack(places)
    return places, places + blur * torch.randn(steps)


def filtered(seen, push, blur):
    """Return the places as the filter sees them, and minus the logarithm of the likelihood."""
    state, covariance = torch.zeros(2), 10.0 * torch.eye(2)
    places, loss = [], torch.zeros(())
    for z in seen:
        state = MOVE @ state
        covariance = MOVE @ covariance @ MOVE.T + push**2 * PUSH
        surprise, variance = z - SEEN @ state, SEEN @ covariance @ SEEN + blur**2
        loss = loss + 0.5 * (surprise**2 / variance + torch.log(2 * torch.pi * variance))
        gain = covariance @ SEEN / variance
        state = state + gain * surprise
        covariance = covariance - torch.outer(gain, SEEN @ covariance)
        places.append(state[0])
    return torch.stack(places), loss


def main():
    torch.manual_seed(3)
    places, seen = drive()
    logarithms = torch.zeros(2, requires_grad=True)
    optimizer = torch.optim.Adam([logarithms], lr=0.1)
    for step in range(61):
        _, loss = filtered(seen, *logarithms.exp())
        if step % 20 == 0:
            push, blur = logarithms.exp().tolist()
            print(f"step {step:2d}  loss {loss.item():.3f}  push {push:.3f}  blur {blur:.3f}")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    found, _ = filtered(seen, *logarithms.detach().exp())
    error = (found - places).square().mean().sqrt().item()
    error_seen = (seen - places).square().mean().sqrt().item()
    print(f"error of the filter {error:.3f}, of what is seen {error_seen:.3f}")
    seconds = range(len(seen))
    draw(
        "A car, as it is seen and as the filter sees it",
        ("seen", seconds, seen.tolist(), "points"),
        ("filter", seconds, found.tolist(), "line"),
        ("car", seconds, places.tolist(), "line"),
    )
    show_formula()


def show_formula():
    P, h = torch.leaf("P", ("n", "n"), symmetric=True), torch.leaf("h", ("n",))
    r, e = torch.leaf("r"), torch.leaf("e")
    variance = torch.named(h @ P @ h + r**2, "v")
    print("formula: gradient of one step's loss by the blur r, at the surprise e")
    print(torch.derive(0.5 * (e**2 / variance + variance.log()), r))


if __name__ == "__main__":
    main()
