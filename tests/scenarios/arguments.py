"""Every argument of backward, autograd.backward and autograd.grad, right and wrong."""

from ._harness import differs, each


def _leaf(torch, values=(1.0, 2.0, 3.0)):
    return torch.tensor(list(values), requires_grad=True)


# ------------------------------------------------------------------ implicit gradients


@each(shape=[(), (1,), (1, 1), (1, 1, 1)])
def one_element_outputs_need_no_gradient(torch, log, shape):
    x = torch.full(shape, 3.0, requires_grad=True)
    y = x * x
    y.backward()
    log("grad", x.grad)


@each(shape=[(2,), (0,), (2, 0), (1, 2)])
def other_outputs_need_a_gradient(torch, log, shape):
    x = torch.full(shape, 3.0, requires_grad=True)
    y = x * x
    with log.raises("backward"):
        y.backward()
    with log.raises("autograd.backward"):
        torch.autograd.backward(y)
    with log.raises("grad"):
        torch.autograd.grad(y, x)
    log("x.grad", x.grad)


def none_gradient_for_a_scalar(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    (x * x).backward(None)
    log("grad", x.grad)
    torch.autograd.backward([x * x], [None])
    log("again", x.grad)
    log("autograd.grad", torch.autograd.grad(x * x, x, None))
    log("autograd.grad list", torch.autograd.grad([x * x], [x], [None]))


def none_gradient_for_a_vector(torch, log):
    x = _leaf(torch)
    with log.raises("backward([y], [None])"):
        torch.autograd.backward([x * x], [None])
    with log.raises("grad"):
        torch.autograd.grad(x * x, x, [None])


def complex_scalar_needs_a_gradient(torch, log):
    z = torch.tensor(1 + 2j, requires_grad=True)
    with log.raises("backward"):
        (z * z).backward()
    with log.raises("grad"):
        torch.autograd.grad(z * z, z)


def integer_output_does_not_require_grad(torch, log):
    x = torch.tensor([1, 2, 3])
    with log.raises("int"):
        x.sum().backward()
    with log.raises("bool"):
        (x > 1).any().backward()


# ------------------------------------------------------------------ explicit gradients


def vector_gradient(torch, log):
    x = _leaf(torch)
    y = x * x
    y.backward(torch.tensor([1.0, 10.0, 100.0]))
    log("grad", x.grad)


def gradient_by_keyword(torch, log):
    x = _leaf(torch)
    (x * x).backward(gradient=torch.ones(3))
    log("grad", x.grad)


@each(
    shapes=[
        ("()", (), (1,)),
        ("(1,)", (1,), ()),
        ("(3,)", (3,), ()),
        ("(3,) for (1,)", (3,), (1,)),
        ("(3,) for (4,)", (3,), (4,)),
        ("(3,) for (1,3)", (3,), (1, 3)),
        ("(2,2)", (2, 2), (4,)),
        ("(0,)", (0,), (1,)),
    ]
)
def gradient_of_another_shape(torch, log, shapes):
    _, shape, gradient_shape = shapes
    x = torch.full(shape, 2.0, requires_grad=True)
    g = torch.ones(gradient_shape)
    with log.raises("backward"):
        (x * x).backward(g)
    with log.raises("autograd.backward"):
        torch.autograd.backward([x * x], [g])
    with log.raises("grad"):
        torch.autograd.grad(x * x, x, g)
    log("x.grad", x.grad)


@each(dtype=["float16", "float64", "int64", "int32", "uint8", "bool", "complex64", "complex128"])
def gradient_of_another_dtype_for_float32(torch, log, dtype):
    x = _leaf(torch)
    g = torch.tensor([1, 0, 1]).to(getattr(torch, dtype))
    log.attempt("backward", lambda: (x * x).backward(g))
    log("x.grad", x.grad)
    log.attempt("grad", lambda: torch.autograd.grad(x * x, x, g))


@each(dtype=["float32", "float64", "int64", "complex128"])
def gradient_of_another_dtype_for_complex64(torch, log, dtype):
    x = torch.tensor([1 + 1j, 2 - 1j], dtype=torch.complex64, requires_grad=True)
    g = torch.tensor([1, 2]).to(getattr(torch, dtype))
    log.attempt("backward", lambda: (x * x).backward(g))
    log("x.grad", x.grad)


@each(
    value=[1, 1.0, True, "one", [1.0, 1.0, 1.0], (1.0,), {}, 2j, object],
)
def gradient_that_is_no_tensor(torch, log, value):
    x = _leaf(torch)
    with log.raises("backward"):
        (x * x).backward(value)
    with log.raises("autograd.backward"):
        torch.autograd.backward([x * x], [value])
    with log.raises("grad"):
        torch.autograd.grad(x * x, x, [value])
    log("x.grad", x.grad)


def gradient_that_is_a_numpy_array(torch, log):
    import numpy as np

    x = _leaf(torch)
    with log.raises("backward"):
        (x * x).backward(np.ones(3, dtype=np.float32))
    with log.raises("grad"):
        torch.autograd.grad(x * x, x, np.ones(3, dtype=np.float32))


def gradient_that_requires_grad_without_create_graph(torch, log):
    x = _leaf(torch)
    g = torch.ones(3, requires_grad=True)
    (x * x).backward(g)
    log("x.grad", x.grad)
    log("g.grad", g.grad)


def gradient_that_requires_grad_with_create_graph(torch, log):
    x = _leaf(torch)
    g = torch.ones(3, requires_grad=True)
    (d,) = torch.autograd.grad(x * x, x, g, create_graph=True)
    log.gradient("d", d)
    log.gradient("linear in g", torch.autograd.grad(d.sum(), g, retain_graph=True))
    log.gradient("second in x", torch.autograd.grad(d.sum(), x))


def gradient_with_nan_and_inf(torch, log):
    x = _leaf(torch)
    (x * 2).backward(torch.tensor([float("nan"), float("inf"), -float("inf")]))
    log("grad", x.grad)


def expanded_gradient(torch, log):
    x = _leaf(torch)
    (x * x).backward(torch.tensor(2.0).expand(3))
    log("grad", x.grad)


# ------------------------------------------------------------------ lists and lengths


def one_tensor_or_a_list_of_one(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    torch.autograd.backward(x * x)
    torch.autograd.backward([x * x])
    torch.autograd.backward((x * x,))
    log("three times", x.grad)
    log("grad", torch.autograd.grad(x * x, x))
    log("grad of lists", torch.autograd.grad([x * x], [x]))
    log("grad of tuples", torch.autograd.grad((x * x,), (x,)))


def lengths_of_backward(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    g = torch.tensor(1.0)
    log.attempt("two tensors, one gradient", lambda: torch.autograd.backward([x * x, x * 3], [g]))
    log("x.grad 1", x.grad)
    log.attempt("one tensor, two gradients", lambda: torch.autograd.backward(x * x, [g, g]))
    log("x.grad 2", x.grad)
    log.attempt("list of one, two", lambda: torch.autograd.backward([x * x], [g, g]))
    log("x.grad 3", x.grad)
    log.attempt("nothing", lambda: torch.autograd.backward([]))
    log.attempt("nothing, tuple", lambda: torch.autograd.backward(()))
    log.attempt("nothing with gradients", lambda: torch.autograd.backward([], [g]))
    log.attempt("one tensor, no gradients", lambda: torch.autograd.backward([x * x], []))
    log("x.grad 4", x.grad)


def lengths_of_grad(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    g = torch.tensor(1.0)
    log.attempt("two outputs, one gradient", lambda: torch.autograd.grad([x * x, x * 3], x, [g]))
    log.attempt("one output, two gradients", lambda: torch.autograd.grad(x * x, x, [g, g]))
    log.attempt("no outputs", lambda: torch.autograd.grad([], x))
    log.attempt("no outputs, allow_unused", lambda: torch.autograd.grad([], x, allow_unused=True))
    log.attempt("no inputs", lambda: torch.autograd.grad(x * x, []))
    log.attempt("one output, no gradients", lambda: torch.autograd.grad(x * x, x, []))


def several_outputs_add_up(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    a, b = (x * x).sum(), x.sum() * 3
    torch.autograd.backward([a, b])
    log("backward", x.grad)
    a, b = (x * x).sum(), x * 3
    g = [None, torch.tensor([1.0, 10.0])]
    log("grad", torch.autograd.grad([a, b], x, grad_outputs=g))


def the_same_output_twice(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    torch.autograd.backward([y, y])
    log("grad", x.grad)
    y = x * x
    log("autograd.grad", torch.autograd.grad([y, y], x))
    y = x * x
    g = torch.tensor(5.0)
    log("with gradients", torch.autograd.grad([y, y], x, [g, None]))


def an_output_and_its_own_intermediate(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    h = x * x
    y = h * h
    torch.autograd.backward([y, h])
    log("grad", x.grad)


def none_in_grad_tensors(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    c = torch.tensor(3.0)
    with log.raises("second does not require grad"):
        torch.autograd.backward([x.sum(), c], [None, None])
    with log.raises("first does not require grad"):
        torch.autograd.backward([c, x.sum()], [None, None])
    with log.raises("with a gradient"):
        torch.autograd.backward([x.sum(), c], [None, torch.tensor(1.0)])
    with log.raises("grad"):
        torch.autograd.grad([x.sum(), c], x, [None, None])
    log("x.grad", x.grad)


def gradient_list_of_wrong_types(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with log.raises("string"):
        torch.autograd.backward([x], "one")
    with log.raises("number"):
        torch.autograd.backward([x], 1.0)
    with log.raises("nested"):
        torch.autograd.backward([x], [[torch.ones(2)]])


@each(value=[None, 1, 1.0, "y", {}, object])
def roots_that_are_no_tensors(torch, log, value):
    x = torch.tensor(2.0, requires_grad=True)
    log.attempt("backward", lambda: torch.autograd.backward(value))
    log.attempt("backward of list", lambda: torch.autograd.backward([value]))
    log.attempt("grad", lambda: torch.autograd.grad(value, x))
    log.attempt("grad of list", lambda: torch.autograd.grad([value], x))


@each(value=[None, 1, 1.0, "x", {}, object])
def inputs_of_grad_that_are_no_tensors(torch, log, value):
    x = torch.tensor(2.0, requires_grad=True)
    log.attempt("bare", lambda: torch.autograd.grad(x * x, value))
    log.attempt("in a list", lambda: torch.autograd.grad(x * x, [value]))
    log.attempt("beside a tensor", lambda: torch.autograd.grad(x * x, [x, value]))


def missing_and_unknown_arguments(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    with log.raises("grad without inputs"):
        torch.autograd.grad(x * x)
    with log.raises("grad without anything"):
        torch.autograd.grad()
    with log.raises("backward without tensors"):
        torch.autograd.backward()
    with log.raises("unknown keyword of Tensor.backward"):
        (x * x).backward(grad=torch.tensor(1.0))
    with log.raises("unknown keyword of autograd.backward"):
        torch.autograd.backward(x * x, gradient=torch.tensor(1.0))
    with log.raises("unknown keyword of autograd.grad"):
        torch.autograd.grad(x * x, x, retain=True)
    with log.raises("too many arguments of Tensor.backward"):
        (x * x).backward(None, None, False, None, None)
    log("x.grad", x.grad)


def positional_arguments_of_tensor_backward(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    w = torch.tensor(3.0, requires_grad=True)
    y = x * w
    y.backward(torch.tensor(2.0), True, False, [x])
    log("x.grad", x.grad)
    log("w.grad", w.grad)
    y.backward()
    log("x.grad after", x.grad)
    log("w.grad after", w.grad)


def positional_arguments_of_autograd_grad(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    log.gradient("grad", torch.autograd.grad(y, x, torch.tensor(2.0), True, True))
    log("again", torch.autograd.grad(y, x, None, False, False))


@each(value=[1, 0, "yes", None])
def retain_graph_of_other_types(torch, log, value):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    log.attempt("first", lambda: y.backward(retain_graph=value))
    log.attempt("second", lambda: y.backward())
    log("grad", x.grad)


@each(value=[1, 0, "yes", None])
def create_graph_of_other_types(torch, log, value):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    try:
        (g,) = torch.autograd.grad(y, x, create_graph=value)
    except Exception as error:
        log("raises", [type(error).__name__, str(error).splitlines()[0]])
    else:
        log.gradient("grad", g)


# ------------------------------------------------------------------ requires_grad of roots


def root_without_history(torch, log):
    x = torch.tensor(2.0)
    with log.raises("leaf without grad"):
        x.backward()
    with log.raises("function of it"):
        (x * x).backward()
    with log.raises("vector with gradient"):
        torch.ones(3).backward(torch.ones(3))
    with log.raises("vector without gradient"):
        torch.ones(3).backward()
    with log.raises("grad"):
        torch.autograd.grad(x * x, x)


def root_is_a_leaf(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.backward(torch.tensor([3.0, 4.0]))
    log("grad", x.grad)
    log("autograd.grad", torch.autograd.grad(x, x, torch.tensor([5.0, 6.0])))


def input_of_grad_without_requires_grad(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    c = torch.tensor(3.0)
    with log.raises("one"):
        torch.autograd.grad(x * c, c)
    with log.raises("second"):
        torch.autograd.grad(x * c, [x, c])
    with log.raises("allow_unused does not help"):
        torch.autograd.grad(x * c, [x, c], allow_unused=True)


def grad_with_respect_to_an_intermediate(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * 2
    y = (h * h).sum()
    log("h", torch.autograd.grad(y, h, retain_graph=True))
    log("h and x", torch.autograd.grad(y, [h, x]))


def grad_with_respect_to_the_output(torch, log):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    log("dy/dy", torch.autograd.grad(y, y, retain_graph=True))
    log("with gradient", torch.autograd.grad(y, [y, x], torch.tensor(7.0)))


def grad_does_not_touch_grad(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    log("grads", torch.autograd.grad((x * w).sum(), [x, w]))
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def grad_of_duplicated_inputs(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    a, b = torch.autograd.grad((x * x).sum(), [x, x])
    log("first", a)
    log("second", b)


def grad_returns_a_tuple(torch, log):
    x = torch.tensor(1.0, requires_grad=True)
    result = torch.autograd.grad(x * x, x)
    log("type", type(result))
    log("length", len(result))


# ------------------------------------------------------------------ unused inputs


def unused_input_raises(torch, log):
    x = torch.tensor(1.0, requires_grad=True)
    w = torch.tensor(2.0, requires_grad=True)
    with log.raises("only unused"):
        torch.autograd.grad(x * x, w)
    with log.raises("one of two"):
        torch.autograd.grad(x * x, [x, w])
    with log.raises("allow_unused=False"):
        torch.autograd.grad(x * x, [x, w], allow_unused=False)


def allow_unused_gives_none(torch, log):
    x = torch.tensor(1.0, requires_grad=True)
    w = torch.tensor(2.0, requires_grad=True)
    log("grads", torch.autograd.grad(x * x, [x, w], allow_unused=True))
    log("all unused", torch.autograd.grad(x * x, [w, w], allow_unused=True))


def materialize_grads_gives_zeros(torch, log):
    x = torch.tensor(1.0, requires_grad=True)
    w = torch.tensor([[2.0, 1.0]], dtype=torch.float64, requires_grad=True)
    log("grads", torch.autograd.grad(x * x, [x, w], materialize_grads=True))
    log(
        "with allow_unused",
        torch.autograd.grad(x * x, [x, w], materialize_grads=True, allow_unused=True),
    )
    with log.raises("with allow_unused=False"):
        torch.autograd.grad(x * x, [x, w], materialize_grads=True, allow_unused=False)


def materialize_grads_with_create_graph(torch, log):
    x = torch.tensor(1.0, requires_grad=True)
    w = torch.tensor([2.0, 1.0], requires_grad=True)
    gx, gw = torch.autograd.grad(x * x, [x, w], create_graph=True, materialize_grads=True)
    log.gradient("used", gx)
    log.gradient("unused", gw)
    log("unused is a leaf", gw.is_leaf)


def input_used_only_under_no_grad_is_unused(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    w = torch.tensor(3.0, requires_grad=True)
    with torch.no_grad():
        c = w * w
    y = x * c
    with log.raises("w"):
        torch.autograd.grad(y, w, retain_graph=True)
    log("both", torch.autograd.grad(y, [x, w], allow_unused=True))


def a_clone_of_an_input_is_unused(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    with log.raises("clone"):
        torch.autograd.grad(y, x.clone(), retain_graph=True)
    with log.raises("view"):
        torch.autograd.grad(y, x.view(1), retain_graph=True)
    log("itself", torch.autograd.grad(y, x))


def zero_derivative_is_not_unused(torch, log):
    x = torch.tensor([1.5, -2.5], requires_grad=True)
    log("times zero", torch.autograd.grad((x * 0).sum(), x))
    log("minus itself", torch.autograd.grad((x - x).sum(), x))
    log("sign", torch.autograd.grad(x.sign().sum(), x))
    log("floor", torch.autograd.grad(x.floor().sum(), x))
    log("round", torch.autograd.grad(x.round().sum(), x))
    log("power zero", torch.autograd.grad((x**0).sum(), x))


# ------------------------------------------------------------------ deprecated arguments


def only_inputs_is_deprecated(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    with log.warns("True"):
        log("grad", torch.autograd.grad(x * x, x, only_inputs=True))
    with log.warns("False"):
        log.attempt("grad False", lambda: torch.autograd.grad(x * x, x, only_inputs=False))


def grad_variables_is_deprecated(torch, log):
    x = _leaf(torch)
    g = torch.tensor([1.0, 10.0, 100.0])
    with log.warns("alone"):
        torch.autograd.backward([x * x], grad_variables=[g])
    log("grad", x.grad)
    with log.warns("with grad_tensors"):
        log.attempt(
            "both", lambda: torch.autograd.backward([x * x], grad_tensors=[g], grad_variables=[g])
        )
    log("after", x.grad)


# ------------------------------------------------------------------ is_grads_batched


def batched_gradients_give_a_jacobian(torch, log):
    x = _leaf(torch)
    y = x * x
    (j,) = torch.autograd.grad(y, x, torch.eye(3), is_grads_batched=True)
    log("jacobian", j)


def batched_gradients_of_two_inputs(torch, log):
    x = _leaf(torch)
    w = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    y = w @ x
    jx, jw = torch.autograd.grad(y, [x, w], torch.eye(2), is_grads_batched=True)
    log("x", jx)
    log("w", jw)


def batched_gradients_with_unused(torch, log):
    x = _leaf(torch)
    w = torch.tensor(1.0, requires_grad=True)
    y = x.exp().detach() * w
    log.attempt(
        "unused raises",
        lambda: torch.autograd.grad(y, [x], torch.eye(3), is_grads_batched=True),
    )
    y = x.exp().detach() * w
    log.attempt(
        "allow_unused",
        lambda: torch.autograd.grad(
            y, [x, w], torch.eye(3), is_grads_batched=True, allow_unused=True
        ),
    )


def _numbers(values, shape, requires_grad=False, grad_fn=None):
    return {
        "tensor": values,
        "shape": list(shape),
        "dtype": "float32",
        "requires_grad": requires_grad,
        "grad_fn": grad_fn,
    }


@differs(
    "a batch of gradients is one of zeros, too",
    {
        "unused": _numbers([[0.0, 0.0]] * 4, (4, 2), grad_fn=False),
        "recorded": _numbers([[0.0, 0.0]] * 4, (4, 2), requires_grad=True, grad_fn=False),
    },
)
def batched_gradients_that_are_materialized(torch, log):
    for label, create_graph in (("unused", False), ("recorded", True)):
        x, unused = _leaf(torch), torch.ones(2, requires_grad=True)
        found = torch.autograd.grad(
            x * x,
            [x, unused],
            torch.ones(4, 3),
            is_grads_batched=True,
            materialize_grads=True,
            create_graph=create_graph,
        )
        log.gradient(label, found[1])


@differs(
    "an empty batch gives an empty one",
    {
        "used": {"tuple": [_numbers([], (0, 3))]},
        "unused": {"tuple": [_numbers([], (0, 3)), None]},
        "vectorized": _numbers([], (0, 3)),
    },
)
def an_empty_batch_of_gradients(torch, log):
    x, other = _leaf(torch), torch.ones(2, requires_grad=True)
    none = torch.ones(0, 3)
    log.attempt("used", lambda: torch.autograd.grad(x * x, x, none, is_grads_batched=True))
    log.attempt(
        "unused",
        lambda: torch.autograd.grad(
            x * x, [x, other], none, is_grads_batched=True, allow_unused=True
        ),
    )
    log.attempt(
        "vectorized",
        lambda: torch.autograd.functional.jacobian(lambda x: x[:0], x.detach(), vectorize=True),
    )


def a_batch_of_gradients_without_an_axis(torch, log):
    x = _leaf(torch)
    with log.raises("number"):
        torch.autograd.grad(x.sum(), x, torch.tensor(1.0), is_grads_batched=True)


def batched_gradients_of_wrong_shape(torch, log):
    x = _leaf(torch)
    y = x * x
    with log.raises("not batched"):
        torch.autograd.grad(y, x, torch.ones(3), is_grads_batched=True)
    with log.raises("wrong row"):
        torch.autograd.grad(y, x, torch.ones(3, 2), is_grads_batched=True)
    with log.raises("two axes"):
        torch.autograd.grad(y, x, torch.ones(2, 2, 3), is_grads_batched=True)


def batched_gradients_missing(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    log.attempt("none given", lambda: torch.autograd.grad(x * x, x, is_grads_batched=True))


def batched_gradients_of_a_scalar(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    log(
        "grad",
        torch.autograd.grad(x * x, x, torch.tensor([1.0, 2.0, 3.0]), is_grads_batched=True),
    )


def batched_gradients_of_several_outputs(torch, log):
    x = _leaf(torch)
    a, b = x * x, x.sum()
    g = (torch.ones(2, 3), torch.tensor([1.0, 10.0]))
    log("grad", torch.autograd.grad((a, b), x, g, is_grads_batched=True))


def batched_gradients_with_create_graph(torch, log):
    x = _leaf(torch)
    y = x**3
    (j,) = torch.autograd.grad(y, x, torch.eye(3), is_grads_batched=True, create_graph=True)
    log.gradient("jacobian", j)
    log.gradient("of its sum", torch.autograd.grad(j.sum(), x))


@each(sizes=[(4, 5), (4, 1), (3, 3, 2)])
def batches_of_several_sizes(torch, log, sizes):
    x = _leaf(torch)
    ys = [x * (i + 2) for i in range(len(sizes))]
    cts = [torch.ones(n, 3) for n in sizes]
    with log.raises("sizes"):
        torch.autograd.grad(ys, x, cts, is_grads_batched=True)
