"""Points where PyTorch's gradient is nan, missing or an error although the derivative exists.

The recordings hold what PyTorch gives; each scenario declares what symgrad gives instead.
"""

import math

from ._harness import differs


def _gradient(value, dtype="float64"):
    shape = []
    inner = value
    while isinstance(inner, list):
        shape.append(len(inner))
        inner = inner[0]
    return {
        "tensor": value,
        "shape": shape,
        "dtype": dtype,
        "requires_grad": False,
        "grad_fn": None,
    }


def _leaf(torch, value):
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


@differs("the branch not taken contributes nothing", {"grad": _gradient([1.0, 0.25])})
def where_hides_a_nan_of_the_other_branch(torch, log):
    x = _leaf(torch, [-1.0, 4.0])
    torch.where(x > 0, x.sqrt(), x).sum().backward()
    log("grad", x.grad)


@differs("the branch not taken contributes nothing", {"grad": _gradient([0.0, 0.5])})
def where_hides_an_infinite_derivative(torch, log):
    x = _leaf(torch, [0.0, 1.0])
    torch.where(x > 0, x.sqrt(), torch.zeros_like(x)).sum().backward()
    log("grad", x.grad)


@differs("masked elements contribute nothing", {"grad": _gradient([0.0, 0.5])})
def masked_fill_hides_an_infinite_derivative(torch, log):
    x = _leaf(torch, [0.0, 1.0])
    x.sqrt().masked_fill(x == 0, 0.0).sum().backward()
    log("grad", x.grad)


@differs("elements left out contribute nothing", {"grad": _gradient([0.0, 0.5])})
def boolean_index_after_the_operation(torch, log):
    x = _leaf(torch, [0.0, 1.0])
    x.sqrt()[x > 0].sum().backward()
    log("grad", x.grad)


@differs("the minimum-norm subgradient is 0", {"grad": _gradient([0.0, 0.0])})
def square_root_of_a_sum_of_squares_at_zero(torch, log):
    x = _leaf(torch, [0.0, 0.0])
    (x * x).sum().sqrt().backward()
    log("grad", x.grad)


@differs("the minimum-norm subgradient is 0", {"a": _gradient(0.0), "b": _gradient(0.0)})
def hypot_at_zero(torch, log):
    a, b = _leaf(torch, 0.0), _leaf(torch, 0.0)
    torch.hypot(a, b).backward()
    log("a", a.grad)
    log("b", b.grad)


@differs("exactly 2x", {"second": _gradient([2.0, 2.0])})
def second_derivative_of_the_squared_norm_at_zero(torch, log):
    x = _leaf(torch, [0.0, 0.0])
    (g,) = torch.autograd.grad(x.norm() ** 2, x, create_graph=True)
    log("first", g.detach())
    (h,) = torch.autograd.grad(g.sum(), x)
    log("second", h)


@differs("exactly 1 / (1 + exp(-x))", {"grad": _gradient([1.0, 0.5])})
def log_of_one_plus_exp_far_out(torch, log):
    x = _leaf(torch, [800.0, 0.0])
    (1 + x.exp()).log().sum().backward()
    log("grad", x.grad)


@differs("exactly 1 / (1 + exp(-x))", {"grad": _gradient([1.0, 0.5])})
def log1p_of_exp_far_out(torch, log):
    x = _leaf(torch, [800.0, 0.0])
    x.exp().log1p().sum().backward()
    log("grad", x.grad)


@differs("tanh", {"grad": _gradient([1.0, -1.0, 0.0])})
def log_of_cosh_far_out(torch, log):
    x = _leaf(torch, [800.0, -800.0, 0.0])
    x.cosh().log().sum().backward()
    log("grad", x.grad)


@differs("1 - sigmoid", {"grad": _gradient([1.0, 0.5])})
def log_of_sigmoid_far_out(torch, log):
    x = _leaf(torch, [-800.0, 0.0])
    x.sigmoid().log().sum().backward()
    log("grad", x.grad)


@differs(
    "the gradient goes to the nan that the extreme is",
    {name: _gradient([0.0, 1.0, 0.0]) for name in ("amax", "amin", "aminmax")},
)
def extremes_that_are_nan(torch, log):
    for name in ("amax", "amin", "aminmax", "max", "min"):
        x = _leaf(torch, [2.0, float("nan"), 5.0])
        found = getattr(torch, name)(x)
        (found[0] if name == "aminmax" else found).backward()
        log(name, x.grad)


@differs(
    "equal elements share the gradient, inside vmap as outside",
    {"max": _gradient([[0.5, 0.5, 0.0]]), "min": _gradient([[0.5, 0.0, 0.5]])},
)
def shares_of_equal_elements_inside_vmap(torch, log):
    for name in ("max", "min"):
        x = _leaf(torch, [[5.0, 5.0, 1.0]] if name == "max" else [[1.0, 5.0, 1.0]])
        torch.vmap(getattr(torch, name))(x).sum().backward()
        log(name, x.grad)


@differs(
    "the sine and the tail keep their digits",
    {"sinc": {"float": 0.0}, "gelu": {"float": -1.4720141781443724e-196}},
)
def values_far_out(torch, log):
    log("sinc", torch.sinc(torch.tensor(40.0, dtype=torch.float64)).item())
    log("gelu", torch.nn.functional.gelu(torch.tensor(-30.0, dtype=torch.float64)).item())


@differs(
    "an infinity and numbers have an infinite mean",
    {name: {"float": "inf"} for name in ("var_mean", "std_mean")},
)
def means_of_infinities(torch, log):
    for name in ("var_mean", "std_mean"):
        log(name, getattr(torch, name)(torch.tensor([math.inf, 5.0]))[1].item())


@differs(
    "real numbers are multiplied as real numbers",
    {f"{name} {alpha}": {"float": 0.0} for name in ("add", "sub") for alpha in ("inf", "nan")},
)
def infinite_factors_of_numbers_beside_complex(torch, log):
    z = torch.tensor(1 + 0j)
    for name in ("add", "sub"):
        for alpha in (2.0, math.inf, math.nan):
            log(f"{name} {alpha}", getattr(z, name)(3.0, alpha=alpha).imag.item())
            other = torch.tensor(3 + 0j)  # whose imaginary part is nan in both
            log(f"{name} {alpha} tensor", getattr(z, name)(other, alpha=alpha).imag.item())


@differs(
    "it is not defined in real numbers, since the power is nan beside y = 0",
    {
        "in y first": {
            "tensor": ["nan", "nan"],
            "shape": [2],
            "dtype": "float64",
            "requires_grad": False,
            "grad_fn": None,
        }
    },
)
def mixed_derivative_of_a_power_of_negative_numbers(torch, log):
    x, y = _leaf(torch, [-1.0, -2.0]), _leaf(torch, [0.0, 0.0])
    in_x, in_y = torch.autograd.grad((x**y).sum(), [x, y], create_graph=True)
    log("in x first", torch.autograd.grad(in_x.sum(), y, retain_graph=True)[0])
    log("in y first", torch.autograd.grad(in_y.sum(), x)[0])
