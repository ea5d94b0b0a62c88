"""Complex numbers in programs: leaves, accumulation, parts as views, hooks, modes, refusals.

What single operations give is recorded in `tests/oracle`.
"""

from ._harness import differs, each

_VALUES = [1 + 2j, 3 - 1j]


def _leaf(torch, value=None, dtype=None):
    dtype = torch.complex128 if dtype is None else dtype
    return torch.tensor(_VALUES if value is None else value, dtype=dtype, requires_grad=True)


def _real_leaf(torch, value=(0.5, -2.0)):
    return torch.tensor(list(value), dtype=torch.float64, requires_grad=True)


def _written(value, dtype="complex128", requires_grad=False, grad_fn=None):
    """An outcome as it is written down: complex numbers as pairs."""
    pairs = dtype.startswith("complex")
    return {
        "tensor": [[x.real, x.imag] if pairs else x for x in map(complex, value)]
        if pairs
        else list(value),
        "shape": [len(value)],
        "dtype": dtype,
        "requires_grad": requires_grad,
        "grad_fn": grad_fn,
    }


def _differentiated(torch, log, y, *leaves, ct=None):
    """Write down a result and what flows back to the leaves."""
    log("y", y)
    grads = torch.autograd.grad(y, leaves, ct if ct is not None else torch.ones_like(y))
    for k, g in enumerate(grads):
        log(f"grad {k}", g)


# ---------------------------------------------------------------- the convention

_LOSSES = [
    ("abs", lambda z: z.abs().sum()),
    ("modulus_squared", lambda z: (z * z.conj()).real.sum()),
    ("abs_squared", lambda z: z.abs().square().sum()),
    ("real", lambda z: z.real.sum()),
    ("imag", lambda z: z.imag.sum()),
    ("real_of_square", lambda z: (z * z).real.sum()),
    ("imag_of_square", lambda z: (z * z).imag.sum()),
    ("real_of_exp", lambda z: z.exp().real.sum()),
    ("angle", lambda z: z.angle().sum()),
    ("log_abs", lambda z: z.abs().log().sum()),
    ("norm", lambda z: z.norm()),
    ("real_of_conj", lambda z: (z.conj() * (2 - 1j)).real.sum()),
    ("product_of_parts", lambda z: (z.real * z.imag).sum()),
    ("var", lambda z: z.var()),
    ("sgn", lambda z: (z.sgn() * (1 - 2j)).real.sum()),
    ("constant", lambda z: (z * z.conj()).imag.sum()),
]


@each(loss=_LOSSES)
def gradient_of_a_real_loss(torch, log, loss):
    z = _leaf(torch)
    value = loss[1](z)
    log("loss", value)
    value.backward()
    log("grad", z.grad)


@each(loss=_LOSSES)
def a_step_against_the_gradient_lowers_the_loss(torch, log, loss):
    z = _leaf(torch)
    before = loss[1](z)
    before.backward()
    after = loss[1](z.detach() - 1e-4 * z.grad)
    log("lower", bool(after < before))


@each(loss=_LOSSES)
def second_gradient_of_a_real_loss(torch, log, loss):
    z = _leaf(torch)
    (g,) = torch.autograd.grad(loss[1](z), z, create_graph=True)
    log("first", g.detach())
    log("requires", g.requires_grad)
    if g.requires_grad:
        log.gradient("second", torch.autograd.grad(g, z, torch.ones_like(g) * (1 - 1j))[0])


@each(ct=[("one", 1 + 0j), ("i", 1j), ("mixed", 2 - 3j)])
def holomorphic_derivative_by_cotangent(torch, log, ct):
    z = _leaf(torch)
    y = z**3
    y.backward(torch.full_like(y, ct[1]))
    log("grad", z.grad)


def cauchy_riemann_of_a_holomorphic_function(torch, log):
    z = _leaf(torch)
    y = z.exp() / z
    (g_one,) = torch.autograd.grad(y, z, torch.ones_like(y), retain_graph=True)
    (g_i,) = torch.autograd.grad(y, z, torch.full_like(y, 1j))
    log("turned", g_one * 1j)
    log("by i", g_i)


def a_function_that_is_not_holomorphic(torch, log):
    z = _leaf(torch)
    y = z.conj() * z * z
    (g_one,) = torch.autograd.grad(y, z, torch.ones_like(y), retain_graph=True)
    (g_i,) = torch.autograd.grad(y, z, torch.full_like(y, 1j))
    log("by 1", g_one)
    log("by i", g_i)


def the_parts_as_two_real_leaves_give_the_same(torch, log):
    x, y = _real_leaf(torch, [1.0, 3.0]), _real_leaf(torch, [2.0, -1.0])
    z = torch.complex(x, y)
    (z * z * z).abs().sum().backward()
    log("x", x.grad)
    log("y", y.grad)
    w = _leaf(torch)
    (w * w * w).abs().sum().backward()
    log("w", w.grad)


# ---------------------------------------------------------------- arguments of backward


@each(dtype=["complex64", "complex128"])
def a_complex_scalar_needs_a_gradient(torch, log, dtype):
    z = torch.tensor(1 + 2j, dtype=getattr(torch, dtype), requires_grad=True)
    with log.raises("backward"):
        (z * z).backward()
    with log.raises("grad"):
        torch.autograd.grad(z * 2, z)
    (z * z).backward(torch.tensor(1j, dtype=getattr(torch, dtype)))
    log("z", z.grad)


@each(dtype=["float32", "float64", "complex64", "complex128", "int64"])
def a_cotangent_of_another_dtype(torch, log, dtype):
    z = _leaf(torch)
    y = z * z
    log.attempt(
        "grad",
        lambda: torch.autograd.grad(y, z, torch.ones(2, dtype=getattr(torch, dtype)))[0],
    )


@each(dtype=["complex64", "complex128"])
def a_complex_cotangent_of_a_real_output(torch, log, dtype):
    z = _leaf(torch)
    y = z.abs()
    with log.raises("backward"):
        y.backward(torch.ones(2, dtype=getattr(torch, dtype)))
    log("grad", z.grad)


def a_real_and_a_complex_output_together(torch, log):
    z = _leaf(torch)
    torch.autograd.backward([z.abs(), z * z], [torch.ones(2).double(), torch.ones_like(z)])
    log("grad", z.grad)


def a_complex_output_of_one_element(torch, log):
    z = _leaf(torch, [1 + 1j])
    with log.raises("backward"):
        z.sum().backward()
    z.sum().abs().backward()
    log("grad", z.grad)


def gradients_add_up(torch, log):
    z = _leaf(torch)
    z.abs().sum().backward()
    first = z.grad
    (z * 1j).real.sum().backward()
    log("sum", z.grad)
    log("same object", z.grad is first)


@each(dtype=["float64", "complex64", "complex128"])
def a_gradient_that_is_assigned(torch, log, dtype):
    z = _leaf(torch)

    def assign():
        z.grad = torch.ones(2, dtype=getattr(torch, dtype))
        return z.grad

    log.attempt("assigned", assign)


# ---------------------------------------------------------------- real leaves among complex ones


@each(
    program=[
        ("product", lambda t, x, z: (x * z).sum()),
        ("sum", lambda t, x, z: (x + z).sum()),
        ("quotient", lambda t, x, z: (z / x).sum()),
        ("power", lambda t, x, z: (z**x).sum()),
        ("where", lambda t, x, z: t.where(x > 0, z, x * z).sum()),
        ("cat", lambda t, x, z: t.cat([x.to(z.dtype), z]).sum()),
        ("complex", lambda t, x, z: (t.complex(x, x) * z).sum()),
        ("stack", lambda t, x, z: t.stack([x + 0j, z]).prod()),
        ("exp", lambda t, x, z: (t.exp(1j * x) * z).sum()),
        ("matmul", lambda t, x, z: t.dot(x.to(z.dtype), z)),
    ]
)
def a_real_leaf_gets_a_real_gradient(torch, log, program):
    x, z = _real_leaf(torch), _leaf(torch)
    y = program[1](torch, x, z)
    log("y", y)
    y.backward(torch.tensor(1 - 2j, dtype=torch.complex128))
    log("x", x.grad)
    log("z", z.grad)


@each(dtype=["float16", "float32", "float64"])
def precision_of_a_real_leaf(torch, log, dtype):
    x = torch.tensor([0.5, -2.0], dtype=getattr(torch, dtype), requires_grad=True)
    y = x * torch.tensor([1j, 2.0], dtype=torch.complex64)
    log("y", y)
    y.abs().sum().backward()
    log("grad", x.grad)


def a_number_makes_a_real_tensor_complex(torch, log):
    x = _real_leaf(torch)
    for name, y in {"times": x * 2j, "plus": x + 1j, "power": x ** (1 + 0.5j)}.items():
        log(name, y)
        log(f"{name} grad", torch.autograd.grad(y.abs().sum(), x)[0])


# ---------------------------------------------------------------- the parts are views


@each(part=["real", "imag"])
def a_part_shares_memory(torch, log, part):
    z = torch.tensor(_VALUES)
    view = getattr(z, part)
    view.mul_(10)
    log("z", z)
    log("version", z._version)
    log("is view", view._is_view() if hasattr(view, "_is_view") else True)
    z.mul_(2)
    log("part", view)


@each(part=["real", "imag"])
def a_write_into_a_part_under_record(torch, log, part):
    z, w = _leaf(torch), _real_leaf(torch)
    y = z * 1
    getattr(y, part).mul_(w)
    log("y", y)
    (y * (1 - 1j)).real.sum().backward()
    log("z", z.grad)
    log("w", w.grad)


@each(part=["real", "imag"])
def a_part_is_assigned(torch, log, part):
    z, w = _leaf(torch), _real_leaf(torch)
    y = z * 1
    setattr(y, part, w * w)
    log("y", y)
    (y * y).abs().sum().backward()
    log("z", z.grad)
    log("w", w.grad)


@each(part=["real", "imag"])
def a_part_of_a_leaf_is_written(torch, log, part):
    z = _leaf(torch)
    with log.raises("write"):
        getattr(z, part).zero_()
    with torch.no_grad():
        getattr(z, part).zero_()
    log("z", z)


def an_old_part_after_a_write(torch, log):
    z = _leaf(torch)
    y = z * 1
    old = y.real
    y.mul_(2j)
    log("old", old)
    old.sum().backward()
    log("grad", z.grad)


def writes_through_pairs(torch, log):
    z = _leaf(torch)
    y = z * 1
    pairs = torch.view_as_real(y)
    pairs[:, 1] = 0
    log("y", y)
    log("pairs", pairs)
    (y * (1 - 1j)).real.sum().backward()
    log("grad", z.grad)


def writes_through_complex_numbers(torch, log):
    x = torch.tensor([[1.0, 2.0], [3.0, -1.0]], dtype=torch.float64, requires_grad=True)
    y = x * 1
    numbers = torch.view_as_complex(y)
    numbers.mul_(1j)
    log("y", y)
    log("numbers", numbers)
    y.backward(torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64))
    log("grad", x.grad)


@each(
    shape=[
        ("columns", lambda t, x: x[:, ::2]),
        ("transposed", lambda t, x: x.t()),
        ("odd_rows", lambda t, x: t.arange(9.0).reshape(3, 3)[:, :2]),
        ("expanded", lambda t, x: t.arange(2.0).expand(3, 2)),
        ("three", lambda t, x: t.arange(3.0)),
        ("number", lambda t, x: t.tensor(1.0)),
        ("integers", lambda t, x: t.arange(2)),
        ("complex", lambda t, x: t.tensor([1j, 2])),
    ]
)
def memory_that_holds_complex_numbers(torch, log, shape):
    x = torch.arange(8.0).reshape(2, 4)
    log.attempt("numbers", lambda: torch.view_as_complex(shape[1](torch, x)))


def the_imaginary_part_of_a_real_tensor(torch, log):
    x = _real_leaf(torch)
    with log.raises("imag"):
        _ = x.imag
    with log.raises("function"):
        torch.imag(x)
    log("real is itself", x.real is x)
    log("function is itself", torch.real(x) is x)
    log("conj is itself", x.conj() is x)


def versions_of_parts(torch, log):
    z = torch.tensor(_VALUES)
    log("at first", [z._version, z.real._version])
    z.real.add_(1)
    log("after real", z._version)
    z.imag.add_(1)
    log("after imag", z._version)
    z.real = torch.zeros(2)
    log("after assignment", z._version)


def a_part_that_backward_needs_is_changed(torch, log):
    z = _leaf(torch)
    y = z * 1
    loss = (y * y).abs().sum()
    y.real.zero_()
    with log.raises("backward"):
        loss.backward()


# ---------------------------------------------------------------- hooks and modes


def a_hook_on_a_complex_leaf(torch, log):
    z = _leaf(torch)
    seen = []
    z.register_hook(lambda g: seen.append(g) or g * 2j)
    (z * z.conj()).real.sum().backward()
    log("seen", seen[0])
    log("grad", z.grad)


def a_hook_may_not_change_the_dtype(torch, log):
    z = _leaf(torch)
    y = z * z
    y.register_hook(lambda g: g.real)
    with log.raises("backward"):
        y.abs().sum().backward()


def a_hook_on_a_part(torch, log):
    z = _leaf(torch)
    x = z.real
    x.register_hook(lambda g: g * 3)
    x.retain_grad()
    (x * z.imag).sum().backward()
    log("x", x.grad)
    log("z", z.grad)


def retained_gradients_along_a_chain(torch, log):
    z = _leaf(torch)
    w = z.exp()
    a = w.abs()
    for x in (w, a):
        x.retain_grad()
    a.log().sum().backward()
    log("w", w.grad)
    log("a", a.grad)
    log("z", z.grad)


def parts_without_record(torch, log):
    z = _leaf(torch)
    with torch.no_grad():
        log("real", z.real)
        log("conj", z.conj() * 1)
    log("detached", z.detach().imag)


@each(dtype=["complex64", "complex128", "float64", "int64"])
def who_may_require_a_gradient(torch, log, dtype):
    log.attempt("made", lambda: torch.ones(2, dtype=getattr(torch, dtype), requires_grad=True))
    log.attempt("asked", lambda: torch.ones(2, dtype=getattr(torch, dtype)).requires_grad_())


# ---------------------------------------------------------------- casts


@each(to=["float64", "float32", "int64", "bool", "complex64", "complex128"])
def a_cast_and_its_warning(torch, log, to):
    z = _leaf(torch)
    with log.warns("warned"):
        y = z.to(getattr(torch, to))
    log("y", y)
    if y.requires_grad:
        log("grad", torch.autograd.grad(y, z, torch.ones_like(y))[0])


def copying_complex_numbers_into_real_ones(torch, log):
    z, x = _leaf(torch), _real_leaf(torch)
    y = x * 1
    with log.warns("warned"):
        y.copy_(z)
    log("y", y)
    y.sum().backward()
    log("z", z.grad)
    log("x", x.grad)


def copying_real_numbers_into_complex_ones(torch, log):
    z, x = _leaf(torch), _real_leaf(torch)
    y = z * 1
    y.copy_(x)
    log("y", y)
    (y * 1j).imag.sum().backward()
    log("z", z.grad)
    log("x", x.grad)


@each(call=[("float", float), ("int", int), ("complex", complex), ("bool", bool)])
def to_a_python_number(torch, log, call):
    for name, value in {"real": 2 + 0j, "complex": 1 + 2j, "zero": 0j}.items():
        log.attempt(name, lambda value=value: call[1](torch.tensor(value)))


def items_and_lists(torch, log):
    z = torch.tensor(_VALUES)
    log("item", z[0].item())
    log("list", z.tolist())
    log("text", repr(z))


# ---------------------------------------------------------------- refusals

_REFUSED = [
    ("lt", lambda t, z: z < z),
    ("ge", lambda t, z: z >= 1),
    ("max", lambda t, z: z.max()),
    ("max_dim", lambda t, z: z.max(0)),
    ("argmin", lambda t, z: z.argmin()),
    ("sort", lambda t, z: z.sort()),
    ("topk", lambda t, z: z.topk(1)),
    ("median", lambda t, z: z.median()),
    ("clamp", lambda t, z: z.clamp(0, 1)),
    ("relu", lambda t, z: z.relu()),
    ("floor", lambda t, z: z.floor()),
    ("ceil", lambda t, z: z.ceil()),
    ("trunc", lambda t, z: z.trunc()),
    ("sign", lambda t, z: z.sign()),
    ("maximum", lambda t, z: t.maximum(z, z)),
    ("fmod_number", lambda t, z: z.fmod(2)),
    ("remainder_operator", lambda t, z: z % 2),
    ("floor_operator", lambda t, z: z // 2),
    ("nansum", lambda t, z: t.nansum(z)),
    ("quantile", lambda t, z: t.quantile(z, 0.5)),
    ("hardtanh", lambda t, z: t.nn.functional.hardtanh(z)),
    ("abs_in_place", lambda t, z: (z * 1).abs_()),
    ("float_of_it", lambda t, z: float(z[0])),
    ("complex_of_complex", lambda t, z: t.complex(z, z)),
    ("polar_of_complex", lambda t, z: t.polar(z, z)),
    ("arange", lambda t, z: t.arange(3, dtype=t.complex64)[0] < 0),
    ("dot_of_mixed", lambda t, z: t.dot(z, z.real)),
    ("matmul_of_mixed", lambda t, z: z @ z.real),
    ("lerp_of_mixed", lambda t, z: t.lerp(z, z.real, 0.5)),
    ("index_put_of_mixed", lambda t, z: z.real.index_put((t.tensor([0]),), z[:1])),
    ("scatter_of_mixed", lambda t, z: z.real.scatter(0, t.tensor([0]), z[:1])),
    ("fill_real", lambda t, z: t.zeros(2).fill_(1j)),
    ("set_real", lambda t, z: t.zeros(2).__setitem__(0, 1j)),
    ("add_real_in_place", lambda t, z: t.zeros(2).add_(z)),
    ("mul_real_in_place", lambda t, z: t.zeros(2).mul_(1j)),
    ("real_alpha", lambda t, z: t.add(z.real, z.real, alpha=1j)),
    ("vector_norm_dtype", lambda t, z: t.linalg.vector_norm(z, dtype=t.float64)),
    ("mse", lambda t, z: t.nn.functional.mse_loss(z, z)),
    ("cross_entropy", lambda t, z: t.nn.functional.cross_entropy(z, t.tensor(0))),
    ("softmax", lambda t, z: z.softmax(0)),
]


@each(call=_REFUSED)
def what_complex_numbers_do_not_have(torch, log, call):
    z = _leaf(torch, dtype=torch.complex64)
    with log.raises("called"):
        call[1](torch, z)
    log("untouched", [z.requires_grad, z.grad is None])


# ---------------------------------------------------------------- programs


def gradient_descent_to_a_root(torch, log):
    z = torch.tensor(0.3 + 0.9j, dtype=torch.complex128, requires_grad=True)
    losses = []
    for _ in range(20):
        loss = (z**3 - 1).abs() ** 2
        losses.append(float(loss.detach()))
        (g,) = torch.autograd.grad(loss, z)
        z = (z - 0.05 * g).detach().requires_grad_()
    log("losses", torch.tensor(losses, dtype=torch.float64))
    log("root", z)


def phase_retrieval(torch, log):
    angle = torch.tensor([0.1, 0.7, -1.2], dtype=torch.float64, requires_grad=True)
    target = torch.tensor([1.0, 0.4], dtype=torch.float64)
    mix = torch.tensor([[1, 1j, -1], [1, -1, 1j]], dtype=torch.complex128)
    field = mix @ torch.polar(torch.ones_like(angle), angle)
    loss = ((field.abs() - target) ** 2).sum()
    loss.backward()
    log("loss", loss)
    log("grad", angle.grad)


def hermitian_quadratic_form(torch, log):
    a = torch.tensor([[2, 1j], [-1j, 3]], dtype=torch.complex128, requires_grad=True)
    z = _leaf(torch)
    form = torch.vdot(z, a @ z)
    log("form", form)
    form.real.backward()
    log("z", z.grad)
    log("a", a.grad)


def discrete_fourier_transform_by_hand(torch, log):
    x = torch.tensor([1.0, -2.0, 0.5, 3.0], dtype=torch.float64, requires_grad=True)
    k = torch.arange(4, dtype=torch.float64)
    w = torch.exp(-2j * 3.141592653589793 / 4 * torch.outer(k, k))
    power = (w @ x.to(torch.complex128)).abs().square()
    log("power", power)
    power.backward(torch.tensor([1.0, 0.5, -1.0, 2.0], dtype=torch.float64))
    log("grad", x.grad)


def newton_fractal_iterations(torch, log):
    z = _leaf(torch, [0.5 + 0.5j, -1 + 0.2j])
    w = z
    for _ in range(4):
        w = w - (w**3 - 1) / (3 * w**2)
    _differentiated(torch, log, w, z)


# ---------------------------------------------------------------- deliberately otherwise


@differs(
    "a conjugate has memory of its own",
    {"z": _written(_VALUES), "is_conj": False, "imag is_neg": False},
)
def a_conjugate_is_no_view(torch, log):
    z = torch.tensor(_VALUES, dtype=torch.complex128)
    y = z.conj()
    log("is_conj", y.is_conj())
    log("imag is_neg", y.imag.is_neg())
    y.mul_(2)
    log("y", y.resolve_conj() * 1)
    log("z", z)


@differs(
    "a conjugate has been computed, and has pairs",
    {
        "pairs": {
            "tensor": [[1.0, -2.0], [3.0, 1.0]],
            "shape": [2, 2],
            "dtype": "float64",
            "requires_grad": False,
            "grad_fn": None,
        }
    },
)
def a_conjugate_as_pairs(torch, log):
    z = torch.tensor(_VALUES, dtype=torch.complex128)
    log.attempt("pairs", lambda: torch.view_as_real(z.conj()))


def _exists(value, dtype="complex128"):
    return differs("PyTorch has no derivative", {"grad": _written(value, dtype)})


@_exists([1 + 0j, 0j])
def nan_to_num_has_a_derivative(torch, log):
    z = _leaf(torch, [1 + 2j, float("nan") + 0j])
    log.attempt("grad", lambda: torch.autograd.grad(torch.nan_to_num(z).real.sum(), z)[0])


def _slope_of_silu(z):
    import cmath

    s = 1 / (1 + cmath.exp(-z))
    return (s * (1 + z * (1 - s))).conjugate()


@_exists([_slope_of_silu(z) for z in _VALUES])
def silu_has_a_derivative(torch, log):
    z = _leaf(torch)
    silu = torch.nn.functional.silu
    log.attempt("grad", lambda: torch.autograd.grad(silu(z).real.sum(), z)[0])


@_exists([0j, 1 + 0j])
def select_scatter_has_a_derivative(torch, log):
    z, w = _leaf(torch), torch.tensor(1j, dtype=torch.complex128)
    scatter = torch.select_scatter
    log.attempt("grad", lambda: torch.autograd.grad(scatter(z, w, 0, 0).real.sum(), z)[0])


@_exists([1 + 0j, 0j])
def slice_scatter_has_a_derivative(torch, log):
    z, w = _leaf(torch), torch.tensor([1j], dtype=torch.complex128)
    scatter = torch.slice_scatter
    log.attempt("grad", lambda: torch.autograd.grad(scatter(z, w, 0, 1).real.sum(), z)[0])


@_exists([3 + 0j, 4 - 2j])
def bilinear_has_a_derivative(torch, log):
    z = _leaf(torch)
    one = torch.ones(1, 1, dtype=torch.complex128)
    w = torch.tensor([[[3.0], [4 + 2j]]], dtype=torch.complex128)
    bilinear = torch.nn.functional.bilinear
    log.attempt("grad", lambda: torch.autograd.grad(bilinear(z[None], one, w).real.sum(), z)[0])


@_exists([1 + 2 * (1 - 2j), 1 + 2 * (3 + 1j)])
def vander_has_a_derivative(torch, log):
    z = _leaf(torch)
    log.attempt("grad", lambda: torch.autograd.grad(torch.vander(z, 3).real.sum(), z)[0])


@differs(
    "the derivative is the direction of the angle",
    {"size": _written([1.0, 1.0], "float64")},
)
def polar_of_sizes_that_are_not_positive(torch, log):
    size = torch.tensor([0.0, -1.0], dtype=torch.float64, requires_grad=True)
    torch.polar(size, torch.zeros(2, dtype=torch.float64)).real.sum().backward()
    log("size", size.grad)


@differs(
    "the derivative is that on the side which the sign of the zero names",
    {"below": _written([-2j / 3**0.5])},
)
def both_sides_of_the_cut_of_acosh(torch, log):
    for name, value in {"above": complex(0.5, 0.0), "below": complex(0.5, -0.0)}.items():
        z = _leaf(torch, [value])
        log(name, torch.autograd.grad(torch.acosh(z), z, torch.ones_like(z))[0])


@differs("it is 1, as for real numbers", {"power": _written([1 + 0j])})
def zero_to_the_power_zero(torch, log):
    zero = torch.zeros(1, dtype=torch.complex128)
    log("power", zero**zero)


@differs("nothing on the way is infinite", {"sigmoid": _written([0j])})
def the_sigmoid_far_to_the_left(torch, log):
    log("sigmoid", torch.sigmoid(torch.tensor([-1e4 + 1j], dtype=torch.complex128)))


@differs("the factor is conjugated", {"grad": _written([2 + 1j, 2 + 1j])})
def index_add_with_a_complex_factor(torch, log):
    z = _leaf(torch)
    into = torch.zeros(2, dtype=torch.complex128)
    y = into.index_add(0, torch.tensor([1, 0]), z, alpha=2 - 1j)
    log("grad", torch.autograd.grad(y, z, torch.ones_like(y))[0])


@each(name=["sum", "mean", "prod", "cumprod"])
def a_dtype_that_makes_real_numbers_complex(torch, log, name):
    x = _real_leaf(torch)
    y = getattr(torch, name)(x, 0, dtype=torch.complex128)
    log("y", y)
    log("requires", y.requires_grad)
