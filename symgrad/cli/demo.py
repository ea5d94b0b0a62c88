"""Short programs that show ``backward()``.

``python -m symgrad demo`` runs them and prints the value, the gradients and the formulas that ran.
"""

from __future__ import annotations

import textwrap

import symgrad as torch


def power() -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Differentiate a scalar function of a scalar."""
    x = torch.tensor(2.0, requires_grad=True, name="x")
    y = 3 * x**2
    return y, [x]


def mean_of_cubes() -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Differentiate the mean of a matrix of random numbers, doubled and cubed."""
    torch.manual_seed(0)
    x = torch.randn(2, 2, requires_grad=True, name="x")
    y = 2 * x
    z = y**3
    return z.mean(), [x]


def line() -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Differentiate with respect to two of three tensors: the third requires no gradient."""
    x = torch.tensor(2.0, requires_grad=False, name="x")
    w = torch.tensor(3.0, requires_grad=True, name="w")
    b = torch.tensor(1.0, requires_grad=True, name="b")
    y = w * x + b
    return y, [x, w, b]


def gradient_of_a_gradient() -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Differentiate a gradient: with ``create_graph=True`` it has a formula and a history."""
    x = torch.tensor(0.5, requires_grad=True, name="x")
    y = torch.tanh(x)
    (slope,) = torch.autograd.grad(y, x, create_graph=True)
    return slope, [x]


def dot_product() -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Differentiate the dot product of two vectors with respect to both."""
    torch.manual_seed(0)
    x = torch.randn(3, requires_grad=True, name="x")
    y = torch.randn(3, requires_grad=True, name="y")
    z = torch.dot(x, y)
    return z, [x, y]


PROGRAMS = [power, mean_of_cubes, line, gradient_of_a_gradient, dot_product]


def demo() -> None:
    """Run the programs; print each value and gradient beside the formula that computed it."""
    for program in PROGRAMS:
        value, inputs = program()
        gradients = torch.explain(value).gradients  # before backward() frees the graph
        value.backward()
        print(program.__doc__)
        _show("value", value.expr, value.detach())
        for x in inputs:
            if x.requires_grad:
                _show(f"gradient with respect to {x.name}", gradients[x], x.grad)
        print()


def _show(what: str, formula: object, number: object) -> None:
    """Print a formula and its value, each of which may have several lines."""
    print(f"  {what}")
    print(textwrap.indent(str(formula), "    "))
    print(textwrap.indent(f"= {number!s}", "    ").replace("\n    ", "\n      "))
