"""autograd.gradcheck and gradgradcheck: what passes, what fails, and how it is said."""

import importlib
import re

from ._harness import differs, each


def _x(torch, *values, dtype="float64"):
    return torch.tensor(list(values), dtype=getattr(torch, dtype), requires_grad=True)


def _z(torch):
    return torch.tensor([0.3 + 0.7j, -1.2 + 0.4j], dtype=torch.complex128, requires_grad=True)


def _text(call):
    """What a call returns, or its error with the whole message."""
    try:
        return call()
    except Exception as error:  # whatever it is, it is the outcome
        said = re.sub(r"\d+\.\d{5,}", _rounded, f"{type(error).__name__}: {error}")
        return re.sub(r"-(0\.0+j)", r"+\1", said)  # zeros have no sign worth telling


def _rounded(number):
    return f"{float(number[0]):.5g}"


def _first(call, lines=4):
    """The same, but only the first lines of the message: advice follows."""
    said = _text(call)
    return "\n".join(said.split("\n")[:lines]) if isinstance(said, str) else said


def _square(torch, derivative=None, **more):
    """A custom function: the square, with a backward of its own."""

    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return derivative(ctx, g, x) if derivative else 2 * x * g

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    members = {"forward": staticmethod(forward), "backward": staticmethod(backward), **more}
    return type("Square", (torch.autograd.Function,), members)


# ---------------------------------------------------------------- what passes

FUNCTIONS = [
    ("sin", lambda torch, x: x.sin()),
    ("square", lambda torch, x: x * x),
    ("pow", lambda torch, x: x**3),
    ("sum", lambda torch, x: x.sum()),
    ("outer", lambda torch, x: x.outer(x)),
    ("softmax", lambda torch, x: x.softmax(0)),
    ("flip", lambda torch, x: x.flip(0)),
    ("index", lambda torch, x: x[1:]),
    ("mask", lambda torch, x: x[x > 0]),
    ("cumprod", lambda torch, x: x.cumprod(0)),
    ("two results", lambda torch, x: (x.exp(), x.sum())),
    ("a list", lambda torch, x: [x.exp(), x.sum()]),
    ("itself", lambda torch, x: x),
    ("view", lambda torch, x: x.view(1, -1)),
    ("in place", lambda torch, x: x.clone().mul_(x).add_(1)),
    ("assignment", lambda torch, x: _assigned(torch, x)),
    ("where", lambda torch, x: torch.where(x > 0, x.exp(), x * x)),
    ("constant factor", lambda torch, x: x * torch.ones(3, dtype=torch.float64)),
    ("complex result", lambda torch, x: torch.complex(x, x * x)),
    ("off a kink", lambda torch, x: (x - 0.3).abs()),
]


def _assigned(torch, x):
    y = torch.zeros(4, dtype=x.dtype)
    y[1:] = x * x
    return y


@each(function=FUNCTIONS, fast_mode=[False, True])
def passes(torch, log, function, fast_mode):
    x = _x(torch, 0.5, -1.0, 2.0)
    log(
        "first",
        torch.autograd.gradcheck(lambda x: function[1](torch, x), (x,), fast_mode=fast_mode),
    )


@each(function=FUNCTIONS, fast_mode=[False, True])
def passes_for_second_derivatives(torch, log, function, fast_mode):
    x = _x(torch, 0.5, -1.0, 2.0)
    log(
        "second",
        torch.autograd.gradgradcheck(lambda x: function[1](torch, x), (x,), fast_mode=fast_mode),
    )


COMPLEX = [
    ("square", lambda torch, z: z * z),
    ("abs", lambda torch, z: z.abs()),
    ("conj", lambda torch, z: z.conj() * z),
    ("real", lambda torch, z: z.real),
    ("imag", lambda torch, z: z.imag * 2),
    ("exp", lambda torch, z: z.exp()),
    ("angle", lambda torch, z: z.angle()),
    ("real and complex", lambda torch, z: (z.abs().sum(), z * 1j)),
    ("view_as_real", lambda torch, z: torch.view_as_real(z) * 3),
]


@each(function=COMPLEX, fast_mode=[False, True])
def passes_with_complex_inputs(torch, log, function, fast_mode):
    z = _z(torch)
    log(
        "complex", torch.autograd.gradcheck(lambda z: function[1](torch, z), z, fast_mode=fast_mode)
    )


@each(function=COMPLEX)
def passes_twice_with_complex_inputs(torch, log, function):
    z = _z(torch)
    log("complex", torch.autograd.gradgradcheck(lambda z: function[1](torch, z), z))


@each(form=["tensor", "tuple", "list"])
def inputs_are_a_tensor_a_tuple_or_a_list(torch, log, form):
    x = _x(torch, 0.5, 2.0)
    inputs = {"tensor": x, "tuple": (x,), "list": [x]}[form]
    log("first", torch.autograd.gradcheck(torch.exp, inputs))
    log("second", torch.autograd.gradgradcheck(torch.exp, inputs))


def inputs_may_be_other_things_too(torch, log):
    x = _x(torch, 0.5, 2.0)
    seen = []

    def f(x, n, word, indices, y):
        seen.append((n, word, type(indices) is torch.Tensor, y.requires_grad))
        return x[indices] * n + y

    inputs = (x, 3, "word", torch.tensor([1, 1, 0]), torch.ones(3, dtype=torch.float64))
    log("first", torch.autograd.gradcheck(f, inputs))
    log("seen", sorted(set(seen)))
    log("second", torch.autograd.gradgradcheck(f, inputs))


def several_inputs(torch, log):
    x, y = _x(torch, 0.5, 2.0), _x(torch, 1.5, -2.0)
    log("first", torch.autograd.gradcheck(lambda x, y: x * y.sin(), (x, y)))
    log("second", torch.autograd.gradgradcheck(lambda x, y: x * y.sin(), (x, y)))
    log("one tensor twice", torch.autograd.gradcheck(lambda x, y: x * y.sin(), (x, x)))
    log("one is not used", torch.autograd.gradcheck(lambda x, y: x.sin(), (x, y)))


def mixed_real_and_complex_inputs(torch, log):
    x, z = _x(torch, 0.5, 2.0), _z(torch)
    for name, f in (("product", lambda x, z: x * z), ("abs", lambda x, z: (x * z).abs())):
        for fast in (False, True):
            log(f"{name} {fast}", torch.autograd.gradcheck(f, (x, z), fast_mode=fast))


@each(shape=[(), (1,), (0,), (2, 0), (2, 2)])
def shapes(torch, log, shape):
    x = torch.full(shape, 0.5, dtype=torch.float64, requires_grad=True)
    log("elementwise", torch.autograd.gradcheck(torch.exp, x))
    log("sum", torch.autograd.gradcheck(torch.sum, x))
    log("second", torch.autograd.gradgradcheck(torch.exp, x))


def an_input_that_is_no_leaf(torch, log):
    x = _x(torch, 0.5, 2.0)
    log("result", torch.autograd.gradcheck(torch.exp, x * 2))
    log("view", torch.autograd.gradcheck(torch.exp, x[1:]))


def a_transposed_input(torch, log):
    x = torch.arange(6.0, dtype=torch.float64).reshape(2, 3).t().requires_grad_()
    log("slow", torch.autograd.gradcheck(lambda x: x.sin().sum(0), x))
    log("fast", torch.autograd.gradcheck(lambda x: x.sin().sum(0), x, fast_mode=True))


def leaves_everything_as_it_was(torch, log):
    x = _x(torch, 0.5, 2.0)
    x.sum().backward()
    torch.manual_seed(3)
    torch.autograd.gradcheck(torch.exp, x)
    torch.autograd.gradcheck(torch.exp, x, fast_mode=True)
    log("x", x)
    log("version", x._version)
    log("grad", x.grad)
    log("the next random number", torch.rand(1))


def values_are_restored_after_an_error(torch, log):
    x = _x(torch, 0.5, 2.0)
    calls = []

    def f(x):
        calls.append(0)
        if len(calls) == 4:
            raise KeyError("in the middle")
        return x.exp()

    with log.raises("raises"):
        torch.autograd.gradcheck(f, x, raise_exception=False)
    log("calls", len(calls))


def the_number_of_calls(torch, log):
    calls = []

    def f(x):
        calls.append(0)
        return x.exp()

    for name, keywords in (
        ("default", {}),
        ("without undefined", {"check_undefined_grad": False}),
        ("fast", {"fast_mode": True}),
    ):
        calls.clear()
        torch.autograd.gradcheck(f, _x(torch, 0.5, 2.0, 1.0), **keywords)
        log(name, len(calls))


def under_no_grad(torch, log):
    x = _x(torch, 0.5, 2.0)
    with torch.no_grad():
        log("nothing is differentiable", _text(lambda: torch.autograd.gradcheck(torch.exp, x)))


# ---------------------------------------------------------------- what fails

WRONG = [
    ("a detached factor", lambda torch, x: x * x.detach()),
    ("a detached sum", lambda torch, x: (x * x.detach()).sum()),
    ("relu at 0", lambda torch, x: (x - 0.5).relu()),
    ("the second result", lambda torch, x: (x.exp(), x.detach() * x)),
    ("complex, both parts", lambda torch, x: torch.complex(x * x.detach(), x * x.detach())),
    ("complex, imaginary part", lambda torch, x: torch.complex(x * x, x * x.detach())),
    ("complex, real part", lambda torch, x: torch.complex(x * x.detach(), x * x)),
]


@each(function=WRONG)
def a_wrong_gradient(torch, log, function):
    x = _x(torch, 0.5, 2.0)
    call = lambda **keywords: torch.autograd.gradcheck(  # noqa: E731
        lambda x: function[1](torch, x), x, **keywords
    )
    log("message", _text(call))
    log("without raising", call(raise_exception=False))
    with log.raises("class"):
        call()


@each(function=WRONG[:4])
def a_wrong_gradient_in_fast_mode(torch, log, function):
    x = _x(torch, 0.5, 2.0)
    call = lambda **keywords: torch.autograd.gradcheck(  # noqa: E731
        lambda x: function[1](torch, x), x, fast_mode=True, **keywords
    )
    log("message", _text(call))
    log("without raising", call(raise_exception=False))


def a_wrong_gradient_of_a_complex_input(torch, log):
    z = _z(torch)
    log("holomorphic", _text(lambda: torch.autograd.gradcheck(lambda z: z * z.detach(), z)))
    log("real", _text(lambda: torch.autograd.gradcheck(lambda z: (z * z.detach().conj()).real, z)))
    log(
        "fast",
        _text(
            lambda: torch.autograd.gradcheck(
                lambda z: (z * z.detach().conj()).real, z, fast_mode=True
            )
        ),
    )


def which_input_and_result_are_wrong(torch, log):
    x, y = _x(torch, 0.5, 2.0), _x(torch, 1.5, -2.0)
    log(
        "second input",
        _text(lambda: torch.autograd.gradcheck(lambda x, y: x * y.detach(), (x, y))),
    )
    log(
        "second result",
        _text(lambda: torch.autograd.gradcheck(lambda x, y: (x * y, x * y.detach()), (x, y))),
    )
    log(
        "inputs that do not move are not counted",
        _text(lambda: torch.autograd.gradcheck(lambda a, x: a * x * x.detach(), (3.0, x))),
    )
    log(
        "results that are not differentiable are not counted",
        _text(lambda: torch.autograd.gradcheck(lambda x: (x.detach(), x * x.detach()), x)),
    )


def a_fast_check_that_a_slow_one_would_pass(torch, log):
    x = _x(torch, *[0.5 + 0.1 * i for i in range(8)])

    def f(x):
        return x * 1.0 + 9e-6 * (x - x.detach()).sum() - 9e-6 * (x.detach() - x.detach().sum())

    log("slow", _text(lambda: torch.autograd.gradcheck(f, x, rtol=0.0)))


TOLERANCES = [
    ("eps", {"eps": 1e-3}),
    ("loose", {"atol": 2.0}),
    ("rtol", {"rtol": 1.0}),
    ("tight", {"atol": 1e-13, "rtol": 1e-13}),
    ("a long step", {"eps": 0.1}),
]


@each(steps=TOLERANCES)
def tolerances(torch, log, steps):
    x = _x(torch, 0.5, 2.0)
    right = torch.autograd.gradcheck(torch.exp, x, raise_exception=False, **steps[1])
    log("right", right)
    wrong = torch.autograd.gradcheck(lambda x: x * x.detach(), x, raise_exception=False, **steps[1])
    log("wrong", wrong)


def no_input_requires_grad(torch, log):
    x = torch.ones(2, dtype=torch.float64)
    log("message", _text(lambda: torch.autograd.gradcheck(torch.exp, x)))
    log(
        "even without raising",
        _text(lambda: torch.autograd.gradcheck(torch.exp, x, raise_exception=False)),
    )
    log("no tensor", _text(lambda: torch.autograd.gradcheck(lambda n: n, (3,))))
    log("no input", _text(lambda: torch.autograd.gradcheck(lambda: x, ())))
    with log.raises("second"):
        torch.autograd.gradgradcheck(torch.exp, x)


@each(dtype=["float32", "complex64"])
def single_precision(torch, log, dtype):
    x = _x(torch, 0.5, 2.0, dtype=dtype)
    with log.warns("warning"):
        passed = torch.autograd.gradcheck(torch.sin, x, raise_exception=False)
    log("passes", passed)
    with log.warns("loose warning"):
        passed = torch.autograd.gradcheck(torch.sin, x, eps=1e-2, atol=1e-2)
    log("passes loosely", passed)


def which_input_is_in_single_precision(torch, log):
    x, y = _x(torch, 0.5, 2.0), _x(torch, 0.5, 2.0, dtype="float32")
    with log.warns("warning"):
        torch.autograd.gradcheck(lambda x, y: x * y, (x, y), raise_exception=False)


def overlapping_memory(torch, log):
    x = _x(torch, 0.5)
    log("expanded", _text(lambda: torch.autograd.gradcheck(torch.exp, x.expand(3))))
    y = _x(torch, 1.0, 2.0, 3.0)
    log(
        "the second input",
        _text(lambda: torch.autograd.gradcheck(lambda y, x: y * x, (y, x.expand(3)))),
    )
    log(
        "without raising",
        _text(lambda: torch.autograd.gradcheck(torch.exp, x.expand(3), raise_exception=False)),
    )
    log("expanded to one element", torch.autograd.gradcheck(torch.exp, x.expand(1)))


def nothing_is_differentiable(torch, log):
    x = _x(torch, 0.5, 2.0)
    for name, f in (
        ("constant", lambda x: torch.ones(2, dtype=torch.float64)),
        ("detached", lambda x: x.detach() * 2),
        ("detached, two results", lambda x: (x.detach(), x.detach() * 2)),
    ):
        for fast in (False, True):
            log(
                f"{name} {fast}",
                _text(lambda f=f, fast=fast: torch.autograd.gradcheck(f, x, fast_mode=fast)),
            )


@differs(
    "PyTorch counts results that are no floats among the Jacobians, and fails",
    {"a float after integers": True, "after truth values": True, "truth values after": True},
)
def results_that_are_no_floats(torch, log):
    x = _x(torch, 0.5, 2.0)
    log("integers", _text(lambda: torch.autograd.gradcheck(lambda x: x.argmax(), x)))
    log(
        "integers after a float",
        _text(lambda: torch.autograd.gradcheck(lambda x: (x.exp(), x.argmax()), x)),
    )
    log(
        "a float after integers",
        _first(lambda: torch.autograd.gradcheck(lambda x: (x.argmax(), x.exp()), x), 1),
    )
    log(
        "after truth values",
        _first(lambda: torch.autograd.gradcheck(lambda x: (x > 1, x.exp()), x), 1),
    )
    log(
        "truth values after",
        _first(lambda: torch.autograd.gradcheck(lambda x: (x.exp(), x > 1), x), 1),
    )


@each(value=[("float", 1.5), ("none", None), ("string", "x"), ("dict", {"a": 1})])
def results_that_are_no_tensors(torch, log, value):
    x = _x(torch, 0.5, 2.0)
    log("alone", _text(lambda: torch.autograd.gradcheck(lambda x: value[1], x)))
    log("beside one", _text(lambda: torch.autograd.gradcheck(lambda x: (x, value[1]), x)))


def results_that_change(torch, log):
    x = _x(torch, 0.5, 2.0)
    sizes = iter(range(1, 100))
    log("shape", _text(lambda: torch.autograd.gradcheck(lambda x: x.sum().expand(next(sizes)), x)))
    sizes = iter(range(1, 100))
    log(
        "shape in fast mode",
        _text(
            lambda: torch.autograd.gradcheck(
                lambda x: x.sum().expand(next(sizes)), x, fast_mode=True
            )
        ),
    )
    kinds = iter([torch.float64, torch.float64, torch.float32] * 9)
    log("dtype", _text(lambda: torch.autograd.gradcheck(lambda x: x.to(next(kinds)), x)))


def a_function_that_raises(torch, log):
    def f(x):
        raise IndexError("inside")

    with log.raises("raises"):
        torch.autograd.gradcheck(f, _x(torch, 1.0))
    with log.raises("raises in any case"):
        torch.autograd.gradcheck(f, _x(torch, 1.0), raise_exception=False)


@differs(
    "a hook is called where a gradient arrives, PyTorch also calls it with None",
    {"a hook meets None": True},
)
def a_backward_that_is_not_deterministic(torch, log):
    x = _x(torch, 0.5, 2.0)
    count = []

    def hook(g):
        count.append(0)
        return g * (1 + 1e-7 * len(count))

    def f(x):
        y = x * 3
        y.register_hook(hook)
        return y.sin()

    log("exactly", _first(lambda: torch.autograd.gradcheck(f, x), 1))
    log(
        "within a tolerance",
        torch.autograd.gradcheck(f, x, nondet_tol=1e-3, check_undefined_grad=False),
    )
    log("a hook meets None", _text(lambda: torch.autograd.gradcheck(f, x, nondet_tol=1e-3)))
    log("fast", _first(lambda: torch.autograd.gradcheck(f, x, fast_mode=True), 1))
    log("returns", torch.autograd.gradcheck(f, x, raise_exception=False))


def a_backward_that_is_not_multiplied_by_the_cotangent(torch, log):
    x = _x(torch, 0.5, 2.0)

    def f(x):
        y = x.sum()
        y.register_hook(lambda g: g * 0 + 1)
        return y

    log("message", _text(lambda: torch.autograd.gradcheck(f, x)))
    log("returns", torch.autograd.gradcheck(f, x, raise_exception=False))

    def nearly(x):
        y = x.sum()
        y.register_hook(lambda g: g + 1e-10)
        return y

    log("nearly zero", _text(lambda: torch.autograd.gradcheck(nearly, x)))
    log(
        "nearly zero is zero where masked",
        torch.autograd.gradcheck(nearly, x, masked=True, check_undefined_grad=False),
    )


def nan_gradients(torch, log):
    x = _x(torch, 0.0, 2.0)
    log("infinite slope", _text(lambda: torch.autograd.gradcheck(torch.sqrt, x)))
    log("nan function", _first(lambda: torch.autograd.gradcheck(lambda x: (x - 1).log(), x), 1))


# ---------------------------------------------------------------- arguments


def arguments_that_do_not_fit_together(torch, log):
    x = _x(torch, 0.5)
    check, twice = torch.autograd.gradcheck, torch.autograd.gradgradcheck
    for name, call in (
        ("no mode", lambda: check(torch.exp, x, check_backward_ad=False)),
        ("batched", lambda: check(
            torch.exp, x, check_backward_ad=False, check_forward_ad=True, check_batched_grad=True
        )),
        ("batched forward", lambda: check(torch.exp, x, check_batched_forward_grad=True)),
        ("second: no mode", lambda: twice(torch.exp, x, check_rev_over_rev=False)),
        ("second: undefined", lambda: twice(
            torch.exp, x, check_rev_over_rev=False, check_fwd_over_rev=True
        )),
        ("second: batched", lambda: twice(
            torch.exp, x, check_rev_over_rev=False, check_fwd_over_rev=True,
            check_undefined_grad=False, check_batched_grad=True,
        )),
        ("positional", lambda: check(torch.exp, x, 1e-6)),
        ("unknown", lambda: check(torch.exp, x, tolerance=1)),
        ("no inputs given", lambda: check(torch.exp)),
        ("no function", lambda: check(None, x)),
    ):  # fmt: skip
        with log.raises(name):
            call()


def the_error_class(torch, log):
    module = importlib.import_module(f"{torch.__name__}.autograd.gradcheck")
    log("name", module.GradcheckError.__name__)
    log("is a RuntimeError", issubclass(module.GradcheckError, RuntimeError))
    log("the same function", module.gradcheck is torch.autograd.gradcheck)
    log("the other function", module.gradgradcheck is torch.autograd.gradgradcheck)


def batched(torch, log):
    x, y = _x(torch, 0.5, 2.0), _x(torch, 1.5, -1.0)
    for name, f in (
        ("product", lambda x, y: x * y),
        ("two results", lambda x, y: (x.exp() * y, x.sum())),
        ("matrix", lambda x, y: x.outer(y) @ x),
        ("one unused", lambda x, y: x.sin()),
    ):
        log(name, torch.autograd.gradcheck(f, (x, y), check_batched_grad=True))
        log(f"{name}, second", torch.autograd.gradgradcheck(f, (x, y), check_batched_grad=True))


def dtypes_of_gradients(torch, log):
    x, z = _x(torch, 0.5, 2.0), _z(torch)
    for name, inputs in (("real", (x, x)), ("complex", (z, z)), ("mixed", (x, z))):
        log(name, torch.autograd.gradcheck(lambda a, b: a * b, inputs, check_grad_dtypes=True))


# ---------------------------------------------------------------- custom functions


def _without_formulas(said):
    """The message without the formulas with which symgrad ends it."""
    return said.partition("backward by ")[0]


def a_custom_function(torch, log):
    x = _x(torch, 0.5, 2.0)
    log("right", torch.autograd.gradcheck(_square(torch).apply, x))
    log("right twice", torch.autograd.gradgradcheck(_square(torch).apply, x))
    wrong = _square(torch, lambda ctx, g, x: 3 * x * g)
    said = _text(lambda: torch.autograd.gradcheck(wrong.apply, x))
    log("wrong", _without_formulas(said))
    said = _text(lambda: torch.autograd.gradcheck(wrong.apply, x, fast_mode=True))
    log("wrong, fast", _without_formulas(said))
    detached = _square(torch, lambda ctx, g, x: 2 * x.detach() * g)
    log("right once", torch.autograd.gradcheck(detached.apply, x))
    log("wrong twice", _first(lambda: torch.autograd.gradgradcheck(detached.apply, x), 1))


def a_custom_function_that_ignores_its_cotangent(torch, log):
    x = _x(torch, 0.5)
    f = _square(torch, lambda ctx, g, x: 2 * x)
    log("message", _text(lambda: torch.autograd.gradcheck(f.apply, x)))


def a_custom_function_that_is_not_deterministic(torch, log):
    x = _x(torch, 0.5)
    count = []
    f = _square(torch, lambda ctx, g, x: (count.append(0), 2 * x * g + 1e-9 * len(count))[1])
    log("message", _first(lambda: torch.autograd.gradcheck(f.apply, x), 1))


def a_custom_function_that_needs_its_cotangent(torch, log):
    class Pair(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, a, b):
            return 2 * a + 3 * b

    x = _x(torch, 0.5, 2.0)
    with log.warns("warning"):
        said = _first(lambda: torch.autograd.gradcheck(Pair.apply, x), 1)
    log("message", said)
    log(
        "not looked at",
        _first(lambda: torch.autograd.gradcheck(Pair.apply, x, check_undefined_grad=False), 1),
    )


def a_custom_function_without_a_cotangent_is_not_zero(torch, log):
    class Odd(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return torch.ones(2, dtype=torch.float64) if g is None else 2 * g

    x = _x(torch, 0.5, 2.0)
    with log.warns("warning"):
        said = _text(lambda: torch.autograd.gradcheck(Odd.apply, x))
    log("message", said)
    log("not looked at", torch.autograd.gradcheck(Odd.apply, x, check_undefined_grad=False))


# ---------------------------------------------------------------- forward mode


@each(
    function=[f for f in FUNCTIONS if f[0] not in ("in place", "assignment")],
    fast_mode=[False, True],
)
def forward_mode(torch, log, function, fast_mode):
    x = _x(torch, 0.5, -1.0, 2.0)
    log(
        "alone",
        torch.autograd.gradcheck(
            lambda x: function[1](torch, x), x, check_forward_ad=True, check_backward_ad=False,
            fast_mode=fast_mode,
        ),
    )  # fmt: skip


@each(function=COMPLEX)
def forward_mode_with_complex_inputs(torch, log, function):
    z = _z(torch)
    log(
        "both modes",
        torch.autograd.gradcheck(lambda z: function[1](torch, z), z, check_forward_ad=True),
    )


def forward_mode_of_a_custom_function(torch, log):
    def save(ctx, x, tangent):
        return tangent

    def jvp(factor):
        def apply(ctx, t):
            return factor * ctx.x * t

        return staticmethod(apply)

    def forward(ctx, x):
        ctx.x = x
        ctx.save_for_backward(x)
        return x * x

    x = _x(torch, 0.5, 2.0)
    right = _square(torch, jvp=jvp(2), forward=staticmethod(forward))
    wrong = _square(torch, jvp=jvp(3), forward=staticmethod(forward))
    log("right", torch.autograd.gradcheck(right.apply, x, check_forward_ad=True))
    log("wrong", _text(lambda: torch.autograd.gradcheck(wrong.apply, x, check_forward_ad=True)))
    log(
        "wrong, fast",
        _text(
            lambda: torch.autograd.gradcheck(wrong.apply, x, check_forward_ad=True, fast_mode=True)
        ),
    )
    log(
        "not looked at",
        torch.autograd.gradcheck(wrong.apply, x),
    )


def forward_over_reverse(torch, log):
    x, y = _x(torch, 0.5, 2.0), _x(torch, 1.5, -1.0)
    for name, f in (("sin", lambda x, y: x.sin() * y), ("matrix", lambda x, y: x.outer(y) @ x)):
        log(name, torch.autograd.gradgradcheck(f, (x, y), check_fwd_over_rev=True))
        log(
            f"{name}, alone",
            torch.autograd.gradgradcheck(
                f, (x, y), check_fwd_over_rev=True, check_rev_over_rev=False,
                check_undefined_grad=False,
            ),
        )  # fmt: skip


def batched_forward(torch, log):
    x, y = _x(torch, 0.5, 2.0), _x(torch, 1.5, -1.0)
    for name, f in (
        ("product", lambda x, y: x * y),
        ("two results", lambda x, y: (x.exp() * y, x.sum())),
        ("one unused", lambda x, y: x.sin()),
    ):
        log(
            name,
            torch.autograd.gradcheck(
                f, (x, y), check_forward_ad=True, check_batched_forward_grad=True
            ),
        )


# ---------------------------------------------------------------- second derivatives


def cotangents_for_second_derivatives(torch, log):
    x = _x(torch, 0.5, 2.0)
    twice = torch.autograd.gradgradcheck
    f = lambda x: (x.sin(), x.sum())  # noqa: E731
    a, b = _x(torch, 1.0, 3.0), torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    log("given", twice(f, x, (a, b)))
    log("a list", twice(f, x, [a, b]))
    log("one constant", twice(f, x, (a, b.detach())))
    log("all constant", twice(f, x, (a.detach(), b.detach())))
    log("one tensor", twice(torch.sin, x, a))
    with log.raises("too few"):
        twice(f, x, a)
    with log.raises("of another shape"):
        twice(torch.sin, x, b)


def random_cotangents(torch, log):
    x = _x(torch, 0.5, 2.0)
    torch.manual_seed(5)
    wrong = lambda x: x.detach() * x * x  # noqa: E731
    log("message", _text(lambda: torch.autograd.gradgradcheck(wrong, x)))
    log("the next random number", torch.rand(1))
    torch.manual_seed(5)
    log(
        "message, apart",
        _text(lambda: torch.autograd.gradgradcheck(wrong, x, gen_non_contig_grad_outputs=True)),
    )
    z = _z(torch)
    torch.manual_seed(5)
    log("complex", _text(lambda: torch.autograd.gradgradcheck(lambda z: z.detach() * z * z, z)))


@each(shape=[(), (1,), (3,), (2, 2), (0,)])
def random_cotangents_that_lie_apart(torch, log, shape):
    x = torch.full(shape, 0.5, dtype=torch.float64, requires_grad=True)
    log("sin", torch.autograd.gradgradcheck(torch.sin, x, gen_non_contig_grad_outputs=True))


def wrong_second_derivatives(torch, log):
    x = _x(torch, 0.5, 2.0)

    def f(x):
        y = x * 1.0
        y.register_hook(lambda g: None if g is None else g * 2 * x.detach())
        return (y + x.detach() ** 2 - x.detach()).sum()

    log("the first is right", torch.autograd.gradcheck(f, x))
    ct = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
    log("the second is not", _text(lambda: torch.autograd.gradgradcheck(f, x, ct)))
    log("returns", torch.autograd.gradgradcheck(f, x, ct, raise_exception=False))


@differs(
    "PyTorch takes no cotangents for all of the arguments, and calls the function without any",
    {"constant": "True"},
)
def second_derivatives_of_linear_functions(torch, log):
    x = _x(torch, 0.5, 2.0)
    log("linear", torch.autograd.gradgradcheck(lambda x: 3 * x, x))
    constant = lambda x: torch.ones(2, dtype=torch.float64)  # noqa: E731
    log("constant", str(_first(lambda: torch.autograd.gradgradcheck(constant, x)))[:9])
    log("sum", torch.autograd.gradgradcheck(torch.sum, x, fast_mode=True))
