"""Implied volatilities of options by Newton's method, and their Greeks by autograd.

The Black-Scholes price of a call is a formula in five numbers. Its derivatives have names: delta by
the price of the share, gamma the second one, vega by the volatility, theta against time. Newton's
method needs vega to find the volatility at which the formula gives the price seen on the market.
"""

from plot import draw

import symgrad as torch

torch.set_default_dtype(torch.float64)

SPOT, RATE, TIME = 100.0, 0.02, 0.5
STRIKES = torch.tensor([80.0, 90.0, 95.0, 100.0, 105.0, 110.0, 120.0])
MARKET = torch.tensor([21.87, 13.38, 9.72, 6.64, 4.26, 2.62, 0.94])  # prices seen on the market
ROW = "{:6.0f} {:6.2f} {:11.4f} {:6.3f} {:7.4f} {:7.3f} {:7.3f}"


def price(spot, strike, time, rate, volatility):
    """Return the price of a call."""
    spread = volatility * torch.sqrt(time)
    d1 = (torch.log(spot / strike) + (rate + volatility**2 / 2) * time) / spread
    return spot * normal(d1) - strike * torch.exp(-rate * time) * normal(d1 - spread)


def normal(x):
    """Return the probability that a standard normal number is below `x`."""
    return torch.special.ndtr(x)


def gradient(y, *inputs):
    """Return the derivative of each element of `y` by that of each input, itself differentiable."""
    return torch.autograd.grad(y.sum(), inputs, create_graph=True)


def implied_volatility(market, strikes, spot, time, rate):
    """Return the volatilities that give the prices `market`, and the number of steps."""
    volatility = torch.full_like(market, 0.3, requires_grad=True)
    for step in range(20):
        error = price(spot, strikes, time, rate, volatility) - market
        if error.abs().max() < 1e-10:
            return volatility, step
        (vega,) = gradient(error, volatility)
        volatility = (volatility - error / vega).detach().requires_grad_()
    raise RuntimeError("Newton's method does not converge")


def main():
    spot = torch.full_like(STRIKES, SPOT, requires_grad=True)
    time = torch.full_like(STRIKES, TIME, requires_grad=True)
    rate = torch.tensor(RATE)
    volatility, steps = implied_volatility(MARKET, STRIKES, spot.detach(), time.detach(), rate)
    print(f"{steps} steps of Newton's method")

    value = price(spot, STRIKES, time, rate, volatility)
    delta, vega, theta = gradient(value, spot, volatility, time)
    (gamma,) = gradient(delta, spot)
    print("strike  price  volatility  delta   gamma    vega   theta")
    for row in zip(STRIKES, value, volatility, delta, gamma, vega, -theta, strict=True):
        print(ROW.format(*[x.item() for x in row]))

    smile = ("implied volatility", STRIKES.tolist(), volatility.tolist(), "line")
    draw("Implied volatility by strike", smile)
    show_formula()


def show_formula():
    S, K, T, r, v = (torch.leaf(name) for name in ("S", "K", "T", "r", "v"))
    print("formula: delta")
    print(torch.derive(price(S, K, T, r, v), S))


if __name__ == "__main__":
    main()
