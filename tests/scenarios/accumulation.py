"""How gradients reach `.grad`: in place or replaced, aliasing, presets, fan-out, views."""

from ._harness import each


def grad_is_none_before_backward(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    log("grad", x.grad)
    log("grad of a constant", torch.ones(2).grad)


def backward_accumulates_in_place(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    g = x.grad
    log("first", g)
    (x * x).sum().backward()
    log("same object", x.grad is g)
    log("the old reference sees the sum", g)


def backward_with_create_graph_replaces(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    g = x.grad
    (x * x).sum().backward(create_graph=True)
    log("same object", x.grad is g)
    log("old", g)
    log.gradient("new", x.grad)


def two_backwards_with_create_graph(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x**3).sum().backward(create_graph=True)
    g = x.grad
    log.gradient("first", g)
    (x**3).sum().backward(create_graph=True)
    log("same object", x.grad is g)
    log.gradient("old", g)
    log.gradient("new", x.grad)
    log.gradient("second derivative of the sum", torch.autograd.grad(x.grad.sum(), x))


def plain_backward_into_a_grad_with_history(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x**3).sum().backward(create_graph=True)
    g = x.grad
    (x * x).sum().backward()
    log("same object", x.grad is g)
    log.gradient("sum", g)


def grad_set_to_none_starts_afresh(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    g = x.grad
    x.grad = None
    log("None", x.grad)
    (x * 3).sum().backward()
    log("new", x.grad)
    log("old untouched", g)


def deleting_grad_sets_it_to_none(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    del x.grad
    log("grad", x.grad)


def grad_zeroed_in_place(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    g = x.grad
    log("zero_ returns itself", x.grad.zero_() is g)
    log("zeros", x.grad)
    (x * 3).sum().backward()
    log("same object", x.grad is g)
    log("grad", x.grad)


def grad_zeroed_through_data(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    x.grad.data.zero_()
    log("zeros", x.grad)
    (x * 3).sum().backward()
    log("grad", x.grad)


def grad_scaled_in_place(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    x.grad *= 0.5
    log("scaled", x.grad)
    x.grad.mul_(2)
    x.grad.add_(1.0)
    x.grad.clamp_(max=4.0)
    log("clipped", x.grad)


def preset_grad_is_added_to(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    g = torch.tensor([10.0, 20.0])
    x.grad = g
    (x * x).sum().backward()
    log("same object", x.grad is g)
    log("the preset was changed", g)


def preset_grad_that_requires_grad(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    g = torch.tensor([10.0, 20.0], requires_grad=True)
    x.grad = g
    log.attempt("backward", lambda: (x * x).sum().backward())
    log.gradient("grad", x.grad)
    log("same object", x.grad is g)


def preset_grad_of_another_shape(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with log.raises("too long"):
        x.grad = torch.zeros(3)
    with log.raises("broadcastable"):
        x.grad = torch.zeros(1)
    with log.raises("0-d"):
        x.grad = torch.tensor(0.0)
    with log.raises("more axes"):
        x.grad = torch.zeros(1, 2)
    log("grad", x.grad)


@each(dtype=["float64", "float16", "int64", "bool", "complex64"])
def preset_grad_of_another_dtype(torch, log, dtype):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with log.raises("assignment"):
        x.grad = torch.zeros(2, dtype=getattr(torch, dtype))
    log("grad", x.grad)


@each(value=[1.0, 0, "zero", [0.0, 0.0], (), object])
def preset_grad_that_is_no_tensor(torch, log, value):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with log.raises("assignment"):
        x.grad = value
    log("grad", x.grad)


def preset_grad_that_is_the_tensor_itself(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with log.raises("assignment"):
        x.grad = x
    log("grad", x.grad)


def preset_grad_on_a_tensor_without_grad(torch, log):
    x = torch.tensor([1.0, 2.0])
    g = torch.tensor([5.0, 6.0])
    x.grad = g
    log("grad", x.grad)
    log("same object", x.grad is g)
    log("requires_grad", x.requires_grad)


def preset_grad_on_an_integer_tensor(torch, log):
    x = torch.tensor([1, 2])
    log.attempt("int64 grad", lambda: setattr(x, "grad", torch.tensor([1, 1])))
    log("grad", x.grad)


def preset_grad_of_an_intermediate(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * 2
    with log.warns("assignment"):
        h.grad = torch.tensor([5.0, 5.0])
    with log.warns("reading"):
        log("h.grad", h.grad)
    h.sum().backward()
    with log.warns("reading after"):
        log("h.grad after", h.grad)
    log("x.grad", x.grad)


def passed_gradient_does_not_alias_grad(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    g = torch.tensor([3.0, 4.0])
    x.backward(g)
    log("same object", x.grad is g)
    x.grad.zero_()
    log("what was passed", g)


def passed_gradient_does_not_alias_grad_through_add(torch, log):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([1.0, 2.0], requires_grad=True)
    g = torch.tensor([3.0, 4.0])
    (a + b).backward(g)
    a.grad.add_(100.0)
    log("a", a.grad)
    log("b", b.grad)
    log("g", g)


def two_leaves_of_a_sum_never_share(torch, log):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([1.0, 2.0], requires_grad=True)
    (a + b).sum().backward()
    log("same object", a.grad is b.grad)
    a.grad.mul_(10.0)
    log("a", a.grad)
    log("b", b.grad)


def reshaped_gradients_never_share(torch, log):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([[1.0, 2.0]], requires_grad=True)
    (a.reshape(1, 2) + b).sum().backward()
    a.grad.mul_(10.0)
    log("a", a.grad)
    log("b", b.grad)


def grads_returned_by_grad_may_be_changed(torch, log):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([1.0, 2.0], requires_grad=True)
    g = torch.tensor([3.0, 4.0])
    ga, gb = torch.autograd.grad(a * 1 + b * 1, [a, b], g)
    ga.mul_(10.0)
    log("ga", ga)
    log("gb", gb)
    log("g", g)


def broadcast_gradient_is_writable(torch, log):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    x.sum().backward()
    x.grad[0] = 5.0
    x.grad[1] += 7.0
    log("grad", x.grad)


def gradient_of_a_constant_expression(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x.detach() * x).sum().backward()
    log("product with itself detached", x.grad)


@each(times=[1, 2, 3, 10])
def the_same_tensor_used_many_times(torch, log, times):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x
    for _ in range(times):
        y = y * x
    y.sum().backward()
    log("grad", x.grad)


def diamond(torch, log):
    x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    h = x * x
    a, b = h.exp(), h.sin()
    (a * b).backward()
    log("grad", x.grad)


def stacked_diamonds(torch, log):
    x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    h = x
    for _ in range(60):
        h = h * 0.5 + h * 0.5
    h.backward()
    log("2**60 paths", x.grad)


def nested_diamonds_of_products(torch, log):
    x = torch.tensor(1.0001, dtype=torch.float64, requires_grad=True)
    h = x
    for _ in range(10):
        h = h * h
    h.backward()
    log("x**1024", x.grad)


@each(length=[100, 10_000])
def long_chain_of_additions(torch, log, length):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(length):
        y = y + 1
    y.sum().backward()
    log("value", y.detach())
    log("grad", x.grad)


@each(length=[100, 10_000])
def long_chain_of_products(torch, log, length):
    x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(length):
        y = y * 1.0001
    y.backward()
    log("grad", x.grad)


def long_chain_through_a_shared_leaf(torch, log):
    x = torch.tensor(0.999, dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(2_000):
        y = y * x
    y.backward()
    log("grad", x.grad)


def wide_sum_of_leaves(torch, log):
    leaves = [torch.tensor(float(i), requires_grad=True) for i in range(1000)]
    total = leaves[0] * 0
    for i, leaf in enumerate(leaves):
        total = total + leaf * i
    total.backward()
    log("first", leaves[0].grad)
    log("some", [leaves[i].grad.item() for i in (1, 2, 500, 999)])


def wide_sum_of_one_leaf(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = sum(x * i for i in range(500))
    y.sum().backward()
    log("grad", x.grad)


def stack_of_many(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.stack([x * i for i in range(300)])
    y.sum().backward()
    log("grad", x.grad)


def cat_of_a_tensor_with_itself(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.cat([x, x, x])
    y.backward(torch.arange(6.0))
    log("grad", x.grad)


def broadcast_both_ways(torch, log):
    a = torch.tensor([[1.0], [2.0], [3.0]], requires_grad=True)
    b = torch.tensor([10.0, 20.0], requires_grad=True)
    (a * b).sum().backward()
    log("a", a.grad)
    log("b", b.grad)


def broadcast_of_scalar_and_of_one(torch, log):
    s = torch.tensor(2.0, requires_grad=True)
    o = torch.tensor([3.0], requires_grad=True)
    m = torch.ones(2, 3, requires_grad=True)
    (s * o * m).sum().backward()
    log("s", s.grad)
    log("o", o.grad)
    log("m", m.grad)


def empty_operands(torch, log):
    x = torch.zeros(0, 3, requires_grad=True)
    w = torch.ones(3, requires_grad=True)
    y = (x * w).sum()
    log("value", y)
    y.backward()
    log("x", x.grad)
    log("w", w.grad)


def empty_with_gradient(torch, log):
    x = torch.zeros(0, requires_grad=True)
    (x * 2).backward(torch.zeros(0))
    log("grad", x.grad)


def empty_matmul(torch, log):
    a = torch.zeros(2, 0, requires_grad=True)
    b = torch.zeros(0, 3, requires_grad=True)
    y = a @ b
    log("value", y)
    y.sum().backward()
    log("a", a.grad)
    log("b", b.grad)


def empty_mean_and_prod(torch, log):
    x = torch.zeros(0, requires_grad=True)
    m = x.mean()
    log("mean", m)
    m.backward()
    log("grad of mean", x.grad)
    x.grad = None
    p = x.prod()
    log("prod", p)
    p.backward()
    log("grad of prod", x.grad)


def zero_dimensional_everything(torch, log):
    x = torch.tensor(3.0, requires_grad=True)
    y = x.sum() + x.mean() + x.reshape(()) * x.prod()
    log("y", y)
    y.backward()
    log("grad", x.grad)


def views_of_a_leaf_accumulate_into_it(torch, log):
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    x[0].sum().backward()
    log("row", x.grad)
    x[:, 1].sum().backward()
    log("column", x.grad)
    x.t()[2].sum().backward()
    log("transposed", x.grad)
    x.view(-1)[::2].sum().backward()
    log("strided", x.grad)


def overlapping_index_accumulates(torch, log):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    x[torch.tensor([0, 0, 2, 0])].sum().backward()
    log("grad", x.grad)


def gradient_of_expand(torch, log):
    x = torch.tensor([[1.0], [2.0]], requires_grad=True)
    x.expand(2, 4).backward(torch.arange(8.0).reshape(2, 4))
    log("grad", x.grad)


def gradient_of_a_non_contiguous_leaf(torch, log):
    x = torch.arange(6.0).reshape(2, 3).t().requires_grad_()
    log("leaf", x)
    log("is_leaf", x.is_leaf)
    (x * torch.arange(6.0).reshape(3, 2)).sum().backward()
    log("grad", x.grad)


def gradient_with_a_strided_passed_gradient(torch, log):
    x = torch.ones(2, 3, requires_grad=True)
    (x * 2).backward(torch.arange(6.0).reshape(3, 2).t())
    log("grad", x.grad)


def float64_scalar_beside_float32_vector(torch, log):
    s = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    v = torch.tensor([1.0, 2.0], requires_grad=True)
    y = s * v
    log("y", y)
    y.sum().backward()
    log("s.grad", s.grad)
    log("v.grad", v.grad)


def float32_beside_float64_vector(torch, log):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([3.0, 4.0], dtype=torch.float64, requires_grad=True)
    y = a * b
    log("y", y)
    y.sum().backward()
    log("a.grad", a.grad)
    log("b.grad", b.grad)


def float16_leaf(torch, log):
    x = torch.tensor([1.0, 2.5], dtype=torch.float16, requires_grad=True)
    y = (x * x).sum()
    log("y", y)
    y.backward()
    log("grad", x.grad)


def conversion_in_the_middle(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x.double() ** 2).float() * 3
    log("y", y)
    y.sum().backward()
    log("grad", x.grad)


def integer_operand(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    n = torch.tensor([2, 3])
    y = x**n + n * x
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)
    log("n.grad", n.grad)


def boolean_operand(torch, log):
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    y = x * (x > 0)
    log("y", y)
    y.sum().backward()
    log("grad", x.grad)


def conversion_to_integer_cuts(torch, log):
    x = torch.tensor([1.5, 2.5], requires_grad=True)
    n = x.long()
    log("n", n)
    log("is_leaf", n.is_leaf)
    with log.raises("backward"):
        n.sum().backward()


def complex_product_is_twice_the_conjugate(torch, log):
    z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex128, requires_grad=True)
    y = z * z
    y.backward(torch.ones_like(y))
    log("grad", z.grad)


def complex_modulus_squared(torch, log):
    z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex128, requires_grad=True)
    (z * z.conj()).real.sum().backward()
    log("grad", z.grad)


def complex_abs(torch, log):
    z = torch.tensor([3 + 4j, 0j], dtype=torch.complex128, requires_grad=True)
    z.abs().sum().backward()
    log("grad", z.grad)


def complex_exp_with_a_complex_gradient(torch, log):
    z = torch.tensor([0.5 + 1j], dtype=torch.complex128, requires_grad=True)
    z.exp().backward(torch.tensor([1 - 2j], dtype=torch.complex128))
    log("grad", z.grad)


def real_leaf_in_a_complex_graph(torch, log):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    y = (x * (2 + 3j)) ** 2
    log("y", y)
    y.real.sum().backward()
    log("grad", x.grad)


def real_and_complex_leaves(torch, log):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    z = torch.tensor([1j, 1 - 1j], dtype=torch.complex128, requires_grad=True)
    y = (x * z).sum()
    y.backward(torch.tensor(1 + 1j, dtype=torch.complex128))
    log("x.grad", x.grad)
    log("z.grad", z.grad)


def real_and_imaginary_parts(torch, log):
    z = torch.tensor([1 + 2j], dtype=torch.complex128, requires_grad=True)
    (3 * z.real + 5 * z.imag).sum().backward()
    log("grad", z.grad)


_TIES = {
    "max": lambda torch, x: x.max(),
    "min": lambda torch, x: x.min(),
    "amax": lambda torch, x: x.amax(),
    "amin": lambda torch, x: x.amin(),
    "amax_dim": lambda torch, x: x.amax(0),
    "amin_dim": lambda torch, x: x.amin(0),
    "median": lambda torch, x: x.median(),
    "max_dim": lambda torch, x: x.max(0)[0],
    "min_dim": lambda torch, x: x.min(0)[0],
    "maximum_self": lambda torch, x: torch.maximum(x, x * 1),
    "maximum": lambda torch, x: torch.maximum(x, torch.full((4,), 2.0)),
    "minimum": lambda torch, x: torch.minimum(x, torch.full((4,), 2.0)),
    "fmax": lambda torch, x: torch.fmax(x, torch.full((4,), 2.0)),
    "fmin": lambda torch, x: torch.fmin(x, torch.full((4,), 2.0)),
    "fmax_second": lambda torch, x: torch.fmax(torch.full((4,), 2.0), x),
    "cummax": lambda torch, x: x.cummax(0)[0],
    "cummin": lambda torch, x: x.cummin(0)[0],
    "clamp_at_bounds": lambda torch, x: x.clamp(1.0, 2.0),
    "clamp_outside": lambda torch, x: x.clamp(1.5, 1.75),
    "sort": lambda torch, x: x.sort(stable=True)[0] * torch.arange(4.0),
    "norm_inf": lambda torch, x: x.norm(float("inf")),
}


@each(op=list(_TIES))
def ties(torch, log, op):
    x = torch.tensor([2.0, 1.0, 2.0, 1.0], requires_grad=True)
    y = _TIES[op](torch, x)
    log("value", y.detach())
    y.sum().backward()
    log("grad", x.grad)


_KINKS = {
    "relu": lambda torch, x: x.relu(),
    "abs": lambda torch, x: x.abs(),
    "sign": lambda torch, x: x.sign(),
    "hardtanh": lambda torch, x: torch.nn.functional.hardtanh(x),
    "relu6": lambda torch, x: torch.nn.functional.relu6(x + 6),
    "elu": lambda torch, x: torch.nn.functional.elu(x),
    "leaky_relu": lambda torch, x: torch.nn.functional.leaky_relu(x),
    "norm_1": lambda torch, x: x.norm(1),
    "norm_2": lambda torch, x: x.norm(),
    "norm_3": lambda torch, x: x.norm(3),
    "norm_inf": lambda torch, x: x.norm(float("inf")),
    "std": lambda torch, x: x.std(),
    "var": lambda torch, x: x.var(),
    "pow_zero": lambda torch, x: x**0,
    "pow_one": lambda torch, x: x**1,
    "pow_two": lambda torch, x: x**2,
    "atan2": lambda torch, x: torch.atan2(x, x * 0),
    "log_of_minus_one": lambda torch, x: (x - 1).log(),
    "clamp_min": lambda torch, x: x.clamp(min=0.0),
    "clamp_max": lambda torch, x: x.clamp(max=0.0),
    "sqrt": lambda torch, x: x.sqrt(),
    "reciprocal": lambda torch, x: x.reciprocal(),
    "prod": lambda torch, x: x.prod(),
    "prod_of_one_zero": lambda torch, x: (x + torch.tensor([0.0, 2.0, 3.0])).prod(),
    "zero_to_the_power": lambda torch, x: torch.zeros(3) ** (x + torch.tensor([0.0, -1.0, 2.0])),
    "logsumexp_of_minus_inf": lambda torch, x: (x - float("inf")).logsumexp(0),
    "sinc": lambda torch, x: torch.sinc(x),
}


@each(op=list(_KINKS))
def kinks_and_singular_points_at_zero(torch, log, op):
    x = torch.zeros(3, requires_grad=True)
    y = _KINKS[op](torch, x)
    log("value", y.detach())
    y.sum().backward()
    log("grad", x.grad)


def floor_divide_has_no_derivative(torch, log):
    x = torch.tensor([5.0, -5.0], requires_grad=True)
    y = x // 2
    log("y", y)
    with log.raises("backward"):
        y.sum().backward()
    log("grad", x.grad)


def rounding_has_zero_gradient(torch, log):
    for name in ("round", "floor", "ceil", "trunc", "sign"):
        x = torch.tensor([1.4, -2.6], requires_grad=True)
        y = getattr(x, name)()
        log(f"{name} value", y)
        y.sum().backward()
        log(f"{name} grad", x.grad)


def remainder_and_fmod(torch, log):
    x = torch.tensor([5.5, -5.5], requires_grad=True)
    (x % 2).sum().backward()
    log("x % 2", x.grad)
    x.grad = None
    y = torch.tensor([2.0, 2.0], requires_grad=True)
    torch.remainder(x, y).sum().backward()
    log("remainder x", x.grad)
    log("remainder y", y.grad)
    x.grad = y.grad = None
    torch.fmod(x, y).sum().backward()
    log("fmod x", x.grad)
    log("fmod y", y.grad)


def a_gradient_of_wrong_dtype_and_shape(torch, log):
    x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    with log.raises("both"):
        x.grad = torch.ones(2)
    with log.raises("shape"):
        x.grad = torch.ones(2, dtype=torch.float64)
    log("grad", x.grad)


@each(order=[(1, 0), (0, 2, 1), (2, 0, 1), (0, 3, 1, 2)])
def gradients_lie_in_memory_as_their_leaf(torch, log, order):
    shape = (2, 3, 4, 5)[: len(order)]
    x = torch.ones(shape).permute(order).requires_grad_()
    for name, f in (
        ("expanded", lambda x: x.sum()),
        ("computed", lambda x: (x * x).sum()),
        ("turned", lambda x: (x.permute(*reversed(range(x.dim()))) ** 2).sum()),
        ("a part", lambda x: (x[:1] ** 2).sum()),
    ):
        x.grad = None
        f(x).backward()
        log(name, x.grad.stride())
        f(x).backward()
        log(name + ", added", x.grad.stride())


# ---------------------------------------------------------------- gradients of another dtype


def the_dtype_of_gradients(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    log("own", [x.grad_dtype, torch.tensor([1]).grad_dtype])
    for value in (torch.float64, torch.float16, None, torch.float32):
        x.grad_dtype = value
        log(f"set {value}", x.grad_dtype)
    for value in ("float32", 3, float):
        log.attempt(f"wrong {value}", lambda value=value: setattr(x, "grad_dtype", value))
    y = x * 2
    log.attempt("of a result", lambda: y.grad_dtype)
    x.grad_dtype = torch.float64
    log("of others", [x.detach().grad_dtype, x.clone().detach().requires_grad_().grad_dtype])


@each(dtype=["float64", "float16", "float32", None])
def gradients_of_another_dtype(torch, log, dtype):
    kind = dtype and getattr(torch, dtype)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.grad_dtype = kind
    seen = []
    x.register_hook(lambda g: seen.append(g.dtype))
    x.register_post_accumulate_grad_hook(lambda x: seen.append(x.grad.dtype))
    (x * x).sum().backward()
    log("first", x.grad)
    (x.double() ** 2).sum().backward()
    log("second", x.grad)
    log("hooks", seen)
    log("grad", torch.autograd.grad((x * x).sum(), x))
    g = torch.autograd.grad((x**3).sum(), x, create_graph=True)[0]
    log.gradient("under create_graph", g)
    log("of that", torch.autograd.grad(g.sum(), x))


@each(dtype=["float64", None], given=["float64", "float16", "float32"])
def assigned_gradients_of_another_dtype(torch, log, dtype, given):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.grad_dtype = dtype and getattr(torch, dtype)
    log.attempt("assigned", lambda: setattr(x, "grad", torch.ones(2, dtype=getattr(torch, given))))
    (x * x).sum().backward()
    log("grad", x.grad)
    log.attempt("changed", lambda: setattr(x, "grad_dtype", torch.float32))
    log("dtype", x.grad_dtype)
