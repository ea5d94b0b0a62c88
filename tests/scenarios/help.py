"""What errors say after PyTorch's first line: the variable, the place, and the way out."""

from __future__ import annotations

import re

from ._harness import differs


def _more(call):
    """The lines of an error after the first, without the numbers of lines of this file."""
    try:
        call()
    except Exception as error:  # whatever it is, it is the outcome
        return [re.sub(r"help\.py:\d+", "help.py", line) for line in str(error).splitlines()[1:]]
    return None


def _w(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


def _says(*lines):
    return differs("the message goes on", {"more": list(lines)})


# ---------------------------------------------------------------- where a graph was cut


@_says(
    "'loss' comes from detach() at help.py, which cut it off from 'hidden'.",
    "If it is meant to have a gradient, leave out the detach().",
)
def detached(torch, log):
    hidden = _w(torch) * 2
    loss = (hidden.detach() * 3).sum()
    log.attempt("first", loss.backward)
    log("more", _more(loss.backward))


@_says(
    "'loss' comes from detach() at help.py, which cut it off from the result of MulBackward0.",
    "If it is meant to have a gradient, leave out the detach().",
)
def detached_from_what_is_gone(torch, log):
    loss = ((_w(torch) * 2).detach() * 3).sum()
    log.attempt("first", loss.backward)
    log("more", _more(loss.backward))


@_says(
    "It comes from detach() at help.py, which cut it off from 'w'.",
    "If it is meant to have a gradient, leave out the detach().",
)
def detached_without_a_variable(torch, log):
    w = _w(torch)
    log.attempt("first", lambda: w.detach().sum().backward())
    log("more", _more(lambda: w.detach().sum().backward()))


@_says(
    "'energy' comes from detach() at help.py, which cut it off from 'weight'.",
    "If it is meant to have a gradient, leave out the detach().",
)
def detached_under_given_names(torch, log):
    class Holder:
        pass

    holder = Holder()
    holder.w, holder.y = _w(torch), None
    holder.y = (holder.w.detach() * 2).sum()
    for tensor, name in ((holder.w, "weight"), (holder.y, "energy")):
        if hasattr(type(tensor), "expr"):  # formulas have names
            tensor.name = name
    del tensor
    log.attempt("first", lambda: holder.y.backward())
    log("more", _more(lambda: holder.y.backward()))


@_says(
    "'y' comes from .data at help.py, which cut it off from 'w'.",
    "If it is meant to have a gradient, use the tensor itself in place of its .data.",
)
def data_of_a_tensor(torch, log):
    w = _w(torch)
    y = (w.data * 2).sum()
    log.attempt("first", y.backward)
    log("more", _more(y.backward))


@_says(
    "'loss' comes from detach_() at help.py, which cut it off from 'y'.",
    "If it is meant to have a gradient, use detach(), which leaves the tensor itself in its graph.",
)
def detached_in_place(torch, log):
    y = _w(torch) * 2
    y.detach_()
    loss = y.sum()
    log.attempt("first", loss.backward)
    log("more", _more(loss.backward))


@_says(
    "'loss' comes from mul(), which was computed under no_grad and so not recorded.",
    "Compute it outside of the no_grad block, or inside of enable_grad().",
)
def computed_under_no_grad(torch, log):
    w = _w(torch)
    with torch.no_grad():
        h = w * 2
    loss = (h * h).sum()
    log.attempt("first", loss.backward)
    log("more", _more(loss.backward))


@_says(
    "'loss' comes from mul(), which was computed under inference_mode and so not recorded.",
    "Compute it outside of the inference_mode block.",
)
def computed_under_inference_mode(torch, log):
    w = _w(torch)
    with torch.inference_mode():
        h = w * 2
    loss = (h + 1).sum()
    log.attempt("first", loss.backward)
    log("more", _more(loss.backward))


@_says(
    "'total' comes from a conversion at help.py to a dtype that has no gradient, which cut it off "
    "from 'w'.",
    "Keep a floating-point or complex dtype.",
)
def converted_to_integers(torch, log):
    w = _w(torch)
    total = w.to(torch.int64).sum().to(torch.float32)
    log.attempt("first", total.backward)
    log("more", _more(total.backward))


@_says(
    "'k' comes from argmax() at help.py, which has no derivative and cut it off from 'w'.",
    "Use a function that has one: softmax() is a smooth form of it.",
)
def index_of_the_largest(torch, log):
    w = _w(torch)
    k = w.argmax()
    log.attempt("first", k.backward)
    log("more", _more(k.backward))


@_says(
    "'rate' comes from gt(), which has no derivative and cut it off from a tensor that requires a "
    "gradient.",
    "Use a function that has one: sigmoid() of the difference is a smooth form of it.",
)
def comparison(torch, log):
    w = _w(torch)
    rate = (w > 1).to(torch.float32).mean()
    log.attempt("first", rate.backward)
    log("more", _more(rate.backward))


@_says(
    "'y', and all that it was computed from, was made without requires_grad=True: from data, or "
    "from what item(), tolist() or numpy() had taken out of a graph.",
    "Make what it depends on with requires_grad=True, or call requires_grad_() on that before it "
    "is used.",
)
def through_numpy(torch, log):
    w = _w(torch)
    y = torch.from_numpy(w.detach().numpy() * 2).sum()
    log.attempt("first", y.backward)
    log("more", _more(y.backward))


@_says(
    "'y', and all that it was computed from, was made without requires_grad=True: from data, or "
    "from what item(), tolist() or numpy() had taken out of a graph.",
    "Make what it depends on with requires_grad=True, or call requires_grad_() on that before it "
    "is used.",
)
def made_without_requires_grad(torch, log):
    y = (torch.tensor([1.0, 2.0]) * 2).sum()
    log.attempt("first", y.backward)
    log("more", _more(y.backward))


@_says(
    "'second' comes from detach() at help.py, which cut it off from 'w'.",
    "If it is meant to have a gradient, leave out the detach().",
)
def one_of_several_roots(torch, log):
    w = _w(torch)
    first, second = (w * 2).sum(), w.detach().sum()
    log.attempt("first", lambda: torch.autograd.backward([first, second]))
    log("more", _more(lambda: torch.autograd.backward([first, second])))


def cut_that_does_not_matter(torch, log):
    w = _w(torch)
    loss = (w * w.detach()).sum() + (w > 1).sum()
    loss.backward()
    log("grad", w.grad)


@_says(
    "'y' comes from detach() at help.py, which cut it off from 'w'.",
    "If it is meant to have a gradient, leave out the detach().",
)
def grad_of_what_was_cut(torch, log):
    w = _w(torch)
    y = w.detach().sum()
    log.attempt("first", lambda: torch.autograd.grad(y, w))
    log("more", _more(lambda: torch.autograd.grad(y, w)))


# ---------------------------------------------------------------- what was not used


@_says("'v' is not part of the graph, which depends on 'w'.")
def variable_that_was_not_used(torch, log):
    w, v = _w(torch), _w(torch)
    y = (w * w).sum()
    log.attempt("first", lambda: torch.autograd.grad(y, v, retain_graph=True))
    log("more", _more(lambda: torch.autograd.grad(y, v, retain_graph=True)))


@_says("'v' was cut off from what the graph depends on by detach() at help.py.")
def variable_whose_copy_was_used(torch, log):
    w = _w(torch)
    v = w * 1
    start = v.detach().requires_grad_()
    y = (start * w).sum()
    log.attempt("first", lambda: torch.autograd.grad(y, v, retain_graph=True))
    log("more", _more(lambda: torch.autograd.grad(y, v, retain_graph=True)))


@_says("'v' is not part of the graph, which depends on 'w', 'b'.")
def second_of_the_inputs(torch, log):
    w, v, b = _w(torch), _w(torch), _w(torch)
    y = (w * b).sum()
    log.attempt("first", lambda: torch.autograd.grad(y, (w, v), retain_graph=True))
    log("more", _more(lambda: torch.autograd.grad(y, (w, v), retain_graph=True)))


# ---------------------------------------------------------------- what was modified


@_says(
    "'y' has been changed in place once, by add_(), since MulBackward0 saved it, which needs the "
    "value that it had then.",
    "Use the form that is not in place (x = x.add(y) for x.add_(y) or x += y), or change a "
    "clone().",
)
def modified_result(torch, log):
    y = _w(torch).exp()
    z = (y * y).sum()
    y.add_(1)
    log.attempt("first", lambda: z.backward(retain_graph=True))
    log("more", _more(z.backward))


@_says(
    "'w' has been changed in place 2 times, last by add_(), since MulBackward0 saved it, which "
    "needs the value that it had then.",
    "Use the form that is not in place (x = x.add(y) for x.add_(y) or x += y), or change a "
    "clone().",
)
def modified_leaf(torch, log):
    w = _w(torch)
    with torch.no_grad():
        w.mul_(2)
    z = (w * w).sum()
    with torch.no_grad():
        w.mul_(2)
        w.add_(1)
    log.attempt("first", lambda: z.backward(retain_graph=True))
    log("more", _more(z.backward))


@_says(
    "The variable has been changed in place once, by mul_(), since ExpBackward0 saved it, which "
    "needs the value that it had then.",
    "Use the form that is not in place (x = x.add(y) for x.add_(y) or x += y), or change a "
    "clone().",
)
def modified_result_that_is_gone(torch, log):
    def changed():
        y = _w(torch).exp()
        z = y.sum()
        y.mul_(2)
        return z

    z = changed()
    log.attempt("first", lambda: z.backward(retain_graph=True))
    log("more", _more(z.backward))


@_says(
    "'y' has been changed in place once, by an assignment to elements of it, since MulBackward0 "
    "saved it, which needs the value that it had then.",
    "Use the form that is not in place (x = x.add(y) for x.add_(y) or x += y), or change a "
    "clone().",
)
def modified_elements(torch, log):
    y = _w(torch).exp()
    z = (y * y).sum()
    y[0] = 1.0
    log.attempt("first", lambda: z.backward(retain_graph=True))
    log("more", _more(z.backward))


# ---------------------------------------------------------------- second passes


@_says("What MulBackward0 had saved was freed by the backward pass at help.py.")
def second_pass(torch, log):
    y = (_w(torch) * 2).exp()
    loss = (y * y).sum()
    loss.backward()
    log.attempt("first", loss.backward)
    log("more", _more(loss.backward))


@_says("What ExpBackward0 had saved was freed by the backward pass at help.py.")
def second_pass_through_a_part(torch, log):
    h = _w(torch).exp()
    first, second = h.sum(), (h * 2).sum()
    first.backward()
    log.attempt("first", second.backward)
    log("more", _more(second.backward))


@_says("What ExpBackward0 had saved was freed by an earlier backward pass.")
def second_pass_after_a_loss_that_is_gone(torch, log):
    h = _w(torch).exp()
    h.sum().backward()
    log.attempt("first", lambda: h.sum().backward())
    log("more", _more(lambda: h.sum().backward()))


@_says("What MulBackward0 had saved was freed by the backward pass at help.py.")
def second_pass_with_hooks(torch, log):
    w = _w(torch)
    w.register_hook(lambda g: g * 2)
    loss = (w * w).sum()
    loss.backward()
    log.attempt("first", loss.backward)
    log("more", _more(loss.backward))
    log("grad", w.grad)


# ---------------------------------------------------------------- where a nan came from


def _nan(torch, loss):
    def call():
        with torch.autograd.set_detect_anomaly(True):
            loss.backward()

    return call


@_says(
    "It comes up at [0] of this part of the gradient's formula:",
    "    0 / (2 * sqrt(x))",
    "which there is div(0.0, 0.0), with",
    "    x = 0.0",
)
def nan_of_a_square_root(torch, log):
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    loss = (x.sqrt() * 0).sum()
    with log.warns("warnings"):
        log("more", _more(_nan(torch, loss)))
    del x


def nan_of_the_call_itself(torch, log):
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    with log.warns("warnings"):
        log("more", _more(_nan(torch, x.exp().sum())))
    log("grad", x.grad)
