"""Numbers that a function takes beside tensors are inputs of one plan, whichever function it is."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import symgrad
from symgrad.autograd import cache_clear, cache_info
from symgrad.ops import powers
from symgrad.ops.primitive import PRIMITIVES
from symgrad.schema.public import FUNCTIONS, IN_PLACE, METHODS, SCHEMAS, SPACES
from tests.autograd.support import each, tensor
from tests.each import in_part

AT = np.array([-1.53, -0.41, 0.52, 2.07])
VALUES = (0.125, 0.3, 0.77, 1.9)
MASK = symgrad.tensor([True, False, True, False])
PLACES = symgrad.tensor([2, 0])

Call = Callable[[Any, Any, float], Any]


def _square(x: Any) -> Any:
    return x.reshape(2, 2)


def _stack(x: Any) -> Any:
    return x.reshape(1, 2, 2)


def _triplet(f: Call, x: Any, **given: Any) -> Any:
    return f(_square(x), _square(x).sin(), _square(x).cos(), **given)


SIGNS = symgrad.tensor([1, -1])


def _statistics() -> Any:
    """Return a mean and a variance of each channel."""
    return symgrad.zeros(2, dtype=symgrad.float64), symgrad.ones(2, dtype=symgrad.float64)


#: For each number that a function takes, a call of the function `f` with that number. Each result
#: has the shape of the first operand where there is a form in place.
CALLS: dict[str, Call] = {
    "add.alpha": lambda f, x, c: f(x, x.sin(), alpha=c),
    "addbmm.alpha": lambda f, x, c: f(_square(x), _stack(x).sin(), _stack(x), alpha=c),
    "addbmm.beta": lambda f, x, c: f(_square(x), _stack(x).sin(), _stack(x), beta=c),
    "addcdiv.value": lambda f, x, c: f(x, x.sin(), x + 3, value=c),
    "addcmul.value": lambda f, x, c: f(x, x.sin(), x, value=c),
    "addmm.alpha": lambda f, x, c: f(_square(x), _square(x).sin(), _square(x), alpha=c),
    "addmm.beta": lambda f, x, c: f(_square(x), _square(x).sin(), _square(x), beta=c, alpha=-c),
    "addmv.alpha": lambda f, x, c: f(x[:2], _square(x).sin(), x[2:], alpha=c),
    "addmv.beta": lambda f, x, c: f(x[:2], _square(x).sin(), x[2:], beta=c),
    "addr.alpha": lambda f, x, c: f(_square(x), x[:2].sin(), x[2:], alpha=c),
    "addr.beta": lambda f, x, c: f(_square(x), x[:2].sin(), x[2:], beta=c),
    "baddbmm.alpha": lambda f, x, c: f(_stack(x), _stack(x).sin(), _stack(x), alpha=c),
    "baddbmm.beta": lambda f, x, c: f(_stack(x), _stack(x).sin(), _stack(x), beta=c),
    "bucketize.self": lambda f, x, c: x * f(c, x),
    "cdist.p": lambda f, x, c: f(_square(x), _square(x).sin(), c + 1),
    "clamp.max": lambda f, x, c: f(x, -5.5, c),
    "clamp.min": lambda f, x, c: f(x, c, 5.5),
    "clamp_max.max": lambda f, x, c: f(x, c),
    "clamp_min.min": lambda f, x, c: f(x, c),
    "copysign.other": lambda f, x, c: f(x, -c),
    "cross_entropy.label_smoothing": lambda f, x, c: f(
        _square(x), symgrad.tensor([0, 1]), label_smoothing=c / 2
    ),
    "lstsq.rcond": lambda f, x, c: f(_square(x), _square(x).sin(), c / 10)[0],
    "pinv.atol": lambda f, x, c: f(_square(x), atol=c / 10),
    "pinv.rtol": lambda f, x, c: f(_square(x), rtol=c / 10),
    "pinv.rcond": lambda f, x, c: f(_square(x), c / 10),
    "pinverse.rcond": lambda f, x, c: f(_square(x), c / 10),
    "dist.p": lambda f, x, c: f(x, x.sin(), c),
    "cumulative_trapezoid.dx": lambda f, x, c: f(x * x, dx=c),
    "div.other": lambda f, x, c: f(x, c),
    "elu.alpha": lambda f, x, c: f(x, c),
    "fill.value": lambda f, x, c: x * f(x, c),
    "float_power.self": lambda f, x, c: f(c, x / 4),
    "fmod.other": lambda f, x, c: f(x, c),
    "gradient.spacing": lambda f, x, c: f(x * x, spacing=c)[0],
    "hardtanh.max_val": lambda f, x, c: f(x, -1.7, c),
    "hardtanh.min_val": lambda f, x, c: f(x, -c, 2.7),
    "index_add.alpha": lambda f, x, c: f(x, 0, PLACES, x[1:3].sin(), alpha=c),
    "index_fill.value": lambda f, x, c: f(x, 0, PLACES, c),
    "leaky_relu.negative_slope": lambda f, x, c: f(x, c),
    "lerp.weight": lambda f, x, c: f(x, x.sin(), c),
    "logit.eps": lambda f, x, c: f(x / 8 + 0.5, c / 4),
    "pdist.p": lambda f, x, c: f(_square(x).sin(), c + 1),
    "trapezoid.dx": lambda f, x, c: f(x * x, dx=c),
    "trapz.dx": lambda f, x, c: f(x * x, dx=c),
    "masked.normalize.eps": lambda f, x, c: f(x, 2.0, 0, eps=c, mask=MASK),
    "normalize.ord": lambda f, x, c: f(x, c, 0, mask=MASK),
    "masked_fill.value": lambda f, x, c: f(x, MASK, c),
    "multiply.other": lambda f, x, c: f(x, c),
    "nan_to_num.nan": lambda f, x, c: f(x, c),
    "nan_to_num.neginf": lambda f, x, c: f(x, neginf=-c),
    "nan_to_num.posinf": lambda f, x, c: f(x, posinf=c),
    "normalize.eps": lambda f, x, c: f(x, dim=0, eps=c),
    "normalize.p": lambda f, x, c: f(x, c, dim=0),
    "pow.self": lambda f, x, c: f(c, x / 4),
    "pad.value": lambda f, x, c: f(x, (1, 1), value=c),
    "nanquantile.q": lambda f, x, c: f(x, c / 2),
    "quantile.q": lambda f, x, c: f(x, c / 2),
    "remainder.other": lambda f, x, c: f(x, c),
    "renorm.maxnorm": lambda f, x, c: f(_square(x), 2, 0, c),
    "renorm.p": lambda f, x, c: f(_square(x), c + 1, 0, 0.5),
    "rsub.alpha": lambda f, x, c: f(x, x.sin(), alpha=c),
    "rsub.other": lambda f, x, c: f(x, c),
    "scatter.value": lambda f, x, c: f(x, 0, PLACES, c),
    "softplus.beta": lambda f, x, c: f(x, c),
    "softplus.threshold": lambda f, x, c: f(x, 1.0, c),
    "std.correction": lambda f, x, c: f(x, correction=c),
    "std_mean.correction": lambda f, x, c: f(x, correction=c)[0],
    "sub.alpha": lambda f, x, c: f(x, x.sin(), alpha=c),
    "subtract.other": lambda f, x, c: f(x, c),
    "threshold.threshold": lambda f, x, c: f(x, c, -0.3),
    "threshold.value": lambda f, x, c: f(x, 0.3, c),
    "true_divide.other": lambda f, x, c: f(x, c),
    "var.correction": lambda f, x, c: f(x, 0, correction=c),
    "var_mean.correction": lambda f, x, c: f(x, correction=c)[0],
    "norm.ord": lambda f, x, c: f(x, c),
    "vector_norm.ord": lambda f, x, c: f(x, c),
    "where.other": lambda f, x, c: f(MASK, x, c),
    "where.self": lambda f, x, c: f(MASK, c, x),
    "cosine_embedding_loss.margin": lambda f, x, c: f(_square(x), _square(x).sin(), SIGNS, -c),
    "cosine_similarity.eps": lambda f, x, c: f(_square(x), _square(x).sin(), eps=c),
    # Where the variance is less, PyTorch's gradient passes on purpose.
    "gaussian_nll_loss.eps": lambda f, x, c: f(x, x.sin(), x.cos() + 3, eps=c),
    "group_norm.eps": lambda f, x, c: f(_square(x), 1, eps=c),
    "hardshrink.lambd": lambda f, x, c: f(x, c),
    "hinge_embedding_loss.margin": lambda f, x, c: f(x[:2], SIGNS, c),
    "huber_loss.delta": lambda f, x, c: f(x, x.sin(), delta=c),
    "instance_norm.eps": lambda f, x, c: f(_stack(x), eps=c),
    "instance_norm.momentum": lambda f, x, c: f(_stack(x), *_statistics(), momentum=c / 2),
    "batch_norm.eps": lambda f, x, c: f(_square(x), None, None, training=True, eps=c),
    "batch_norm.momentum": lambda f, x, c: f(
        _square(x), *_statistics(), training=True, momentum=c / 2
    ),
    "layer_norm.eps": lambda f, x, c: f(x, (4,), eps=c),
    "linear_cross_entropy.label_smoothing": lambda f, x, c: f(
        _square(x), _square(x).sin(), symgrad.tensor([0, 1]), label_smoothing=c / 2
    ),
    "local_response_norm.alpha": lambda f, x, c: f(_stack(x), 2, c),
    "local_response_norm.k": lambda f, x, c: f(_stack(x), 2, k=c),
    "margin_ranking_loss.margin": lambda f, x, c: f(x[:2], x[2:], SIGNS, c),
    "multi_margin_loss.margin": lambda f, x, c: f(_square(x), symgrad.tensor([0, 1]), margin=c),
    "pairwise_distance.eps": lambda f, x, c: f(_square(x), _square(x).sin(), eps=c),
    "pairwise_distance.p": lambda f, x, c: f(_square(x), _square(x).sin(), c + 1),
    "poisson_nll_loss.eps": lambda f, x, c: f(x * x, x.cos(), False, eps=c),
    "rms_norm.eps": lambda f, x, c: f(x, (4,), eps=c),
    "rrelu.lower": lambda f, x, c: f(x, c, 2.0),
    "rrelu.upper": lambda f, x, c: f(x, 0.05, c),
    "scaled_dot_product_attention.scale": lambda f, x, c: f(
        _square(x), _square(x).sin(), _square(x).cos(), scale=c
    ),
    "smooth_l1_loss.beta": lambda f, x, c: f(x, x.sin(), beta=c),
    "softshrink.lambd": lambda f, x, c: f(x, c),
    "triplet_margin_loss.eps": lambda f, x, c: _triplet(f, x, eps=c),
    "triplet_margin_loss.margin": lambda f, x, c: _triplet(f, x, margin=c),
    "triplet_margin_loss.p": lambda f, x, c: _triplet(f, x, p=c + 1),
    "triplet_margin_with_distance_loss.margin": lambda f, x, c: _triplet(f, x, margin=c),
    "xlogy.other": lambda f, x, c: f(x, c),
    "xlogy.self": lambda f, x, c: f(c, x + 3),
}

#: What there is nothing to plan for: no derivative, or one that PyTorch refuses.
WITHOUT_DERIVATIVE = {"allclose", "floor_divide", "isclose", "matrix_rank", "remainder.self"} | {
    name
    for cls in PRIMITIVES.values()
    if not cls.differentiable
    for name in (cls.__name__, *cls.aliases)
}
#: An exponent is part of the structure unless many were met, and so is which norm of matrices is
#: meant, and how steep an exponential is.
STRUCTURE = {
    "pow.exponent", "float_power.exponent", "cond.p", "matrix_norm.ord", "celu.alpha",
    "local_response_norm.beta", "lp_pool1d.norm_type", "lp_pool2d.norm_type", "lp_pool3d.norm_type",
}  # fmt: skip
#: Numbers for what is drawn, or written before, which is no function of the tensor.
RANDOM = {
    "normal.mean", "normal.std", "dropout.p", "dropout1d.p", "dropout2d.p", "dropout3d.p",
    "alpha_dropout.p", "feature_alpha_dropout.p", "gumbel_softmax.eps", "gumbel_softmax.tau",
    "scaled_dot_product_attention.dropout_p", "multi_head_attention_forward.dropout_p",
    "embedding.max_norm", "embedding.norm_type",
    "embedding_bag.max_norm", "embedding_bag.norm_type",
}  # fmt: skip


class Entry(NamedTuple):
    """A number that a public function takes, as the function itself, a method or in place."""

    key: str
    label: str
    f: Callable[..., Any]


def _numbers(name: str, f: Callable[..., Any]) -> Iterator[str]:
    """The parameters of a function that are numbers and may have fractions."""
    kinds = dict.fromkeys(
        (p.label if p.kind == "Scalar" else p.name, p.kind.rstrip("?"))
        for method in (False, True)
        for space in ("", "nn.functional.", "linalg.", "masked.")
        if (f"{space}{name}", method) in SCHEMAS
        for s in SCHEMAS[f"{space}{name}", method].overloads
        for p in s.parameters
    )
    own = inspect.signature(f).parameters
    for p, kind in kinds:
        if kind in ("Scalar", "Real", "float") and (p in own or p == "self"):
            yield p
    if not kinds:  # PyTorch's function is written in Python: what ours declares
        yield from (p.name for p in own.values() if "float" in str(p.annotation))


def _method(name: str) -> Callable[..., Any]:
    return lambda x, *args, **kwargs: getattr(x, name)(*args, **kwargs)


def _in_place(name: str) -> Callable[..., Any]:
    return lambda x, *args, **kwargs: getattr(x.clone(), name)(*args, **kwargs)


def _on_a_copy(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, *args, **kwargs: f(x.clone(), *args, **kwargs)


def _entries() -> Iterator[Entry]:
    functions: dict[str, tuple[str, Callable[..., Any]]] = {}
    for space, found in SPACES.items():
        functions |= {f"{space}.{name}": (name, f) for name, f in found.items()}
    functions.update({name: (name, f) for name, f in FUNCTIONS.items()})
    for label, (name, f) in functions.items():
        call = _on_a_copy(f) if name.endswith("_") else f
        for p in _numbers(name, f):
            yield Entry(f"{name.removesuffix('_')}.{p}", f"{label}({p})", call)
    for name, f in METHODS.items():
        for p in _numbers(name, f):
            if p == "self" or name == "where":
                continue  # the number is no operand of a method, or stands elsewhere
            yield Entry(f"{name}.{p}", f"Tensor.{name}({p})", _method(name))
            if name in IN_PLACE:
                yield Entry(f"{name}.{p}", f"Tensor.{name}_({p})", _in_place(f"{name}_"))


def _is_planned(entry: Entry) -> bool:
    excluded = WITHOUT_DERIVATIVE | STRUCTURE | RANDOM
    return entry.key not in excluded and entry.key.split(".")[0] not in excluded


ENTRIES = [entry for entry in _entries() if _is_planned(entry)]
ALIASES = {"clip": "clamp", "divide": "div", "subtract": "sub"}


def _call(entry: Entry) -> Call | None:
    name, _, parameter = entry.key.partition(".")
    space = entry.label.partition("(")[0].removesuffix(name)
    return (
        CALLS.get(f"{space}{entry.key}")
        or CALLS.get(entry.key)
        or CALLS.get(f"{ALIASES.get(name, name)}.{parameter}")
    )


def test_every_number_has_a_call() -> None:
    assert [e.label for e in ENTRIES if _call(e) is None] == []
    used = {id(_call(e)) for e in ENTRIES}
    assert [key for key, call in CALLS.items() if id(call) not in used] == []


over_calls = each(
    "entry",
    in_part(
        {entry.label: entry for entry in ENTRIES},
        group={e.label: e.key for e in ENTRIES}.__getitem__,
        among=4,
    ),
)


def _gradients(entry: Entry, x: Any, c: float) -> tuple[Any, Any]:
    """The gradient of a function of the result, and that of its square."""
    call = _call(entry)
    assert call is not None
    total = (call(entry.f, x, c) ** 2).sum()
    (first,) = symgrad.autograd.grad(total, x, create_graph=True)
    (second,) = symgrad.autograd.grad((first**2).sum(), x)
    return first.detach().numpy(), second.numpy()


@over_calls
def test_one_plan_serves_all_values(entry: Entry) -> None:
    kept = [_gradients(entry, tensor(AT), c) for c in VALUES]
    assert cache_info()[:2] == (2 * len(VALUES) - 2, 2)
    for c, found in zip(VALUES, kept, strict=True):
        cache_clear()  # a plan of its own, which no other value has been through
        for got, want in zip(found, _gradients(entry, tensor(AT), c), strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-13)


def _slope(f: Callable[[np.ndarray[Any, Any]], float], e: np.ndarray[Any, Any]) -> float:
    """The slope of `f` along `e`, to the fourth order of the step."""
    h = 1e-3
    near, far = (f(AT + k * h * e) - f(AT - k * h * e) for k in (1, 2))
    return (8 * near - far) / (12 * h)


@over_calls
def test_the_plan_is_right_for_each_value(entry: Entry) -> None:
    call = _call(entry)
    assert call is not None
    for c in VALUES:
        first, second = _gradients(entry, tensor(AT), c)

        def value(at: np.ndarray[Any, Any], c: float = c) -> float:
            return float((call(entry.f, symgrad.tensor(at), c) ** 2).sum())

        def slope(at: np.ndarray[Any, Any], c: float = c) -> float:
            return float((_gradients(entry, tensor(at), c)[0] ** 2).sum())

        for f, got in ((value, first), (slope, second)):
            steps = [_slope(f, e) for e in np.eye(AT.size)]
            np.testing.assert_allclose(got, steps, rtol=1e-7, atol=1e-7)


def test_numbers_that_decide_the_derivative_are_structure() -> None:
    x = tensor([1.0, 2.0, 4.0])
    for p in (1, 2, 3, np.inf, -np.inf):
        x.norm(p).backward()
    assert cache_info().misses == 5
    for c in (3.0, 3.5, 4.5):  # nothing is left to divide by
        with pytest.warns(UserWarning, match="degrees of freedom"):
            x.var(correction=c).backward()
    assert cache_info().misses == 8


def test_a_correction_that_leaves_nothing() -> None:
    """As PyTorch 2.13 has it, whose overloads differ."""
    for dim, want in (((), [np.inf] * 3), ((0,), [16 / 3, 4 / 3, -20 / 3])):
        x = tensor([1.0, 2.0, 4.0])
        with pytest.warns(UserWarning, match="degrees of freedom"):
            x.var(*dim, correction=3.5).backward()
        np.testing.assert_allclose(x.grad.numpy(), want, rtol=1e-14)


def test_the_formula_shows_the_number() -> None:
    x = tensor([1.0, 2.0, 4.0], name="x")
    assert str(x.norm(2.5).expr) == "norm(x, p=2.5)"
    assert str(x.var(0, correction=0.3).expr) == "var(x, dim=0, correction=0.3)"
    y = symgrad.addmv(x[:2], x[:2].outer(x), x, beta=0.5, alpha=-1.5)
    assert str(y.expr) == "0.5 * x[:2] - 1.5 * (outer(x[:2], x) @ x)"
    explained = symgrad.explain(x.var(correction=0.5))
    assert str(explained.gradients["x"]) == "4 * (x - mean(x)) / 5"


@pytest.mark.parametrize("name", ["addmm", "addmv", "addr", "baddbmm", "addbmm"])
def test_factors_are_numbers_of_the_kind_of_the_operands(name: str) -> None:
    x = tensor([1.0, 2.0, 4.0, 3.0])
    call = CALLS[f"{name}.alpha"]
    f = getattr(symgrad, name)
    want = call(f, x, 2.5).tolist()
    for same in (2.5 + 0j, symgrad.tensor(2.5), np.float64(2.5)):
        assert call(f, x, same).tolist() == want  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="converted to type double without overflow"):
        call(f, x, 2.5j)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=name):
        call(f, x, tensor(2.5))


@each("kind", {kind.name: kind for kind in (symgrad.float32, symgrad.float64)})
def test_an_exponent_after_many_others_is_an_input(
    kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its gradients are, bit for bit, those of one that is part of the structure."""
    at = np.array([0.0, 0.3, 1.0, 5.2, np.inf, -1.2])

    def gradients(c: float, order: int = 3) -> Any:
        x = symgrad.tensor(at, dtype=kind, requires_grad=True)
        y, found = (x**c).sum(), []
        for _ in range(order):
            (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)
            found.append(y.detach().numpy().tobytes())
        return found

    exponents = [0.3, 1.7, -0.6, 2.2, 64.1]
    text = "1.7 * gradient * x**0.7"
    monkeypatch.setattr(powers, "_met", set(range(powers._MOST_MET)))
    cache_clear()
    found = [gradients(c) for c in exponents]
    assert cache_info().misses == 3
    assert str(symgrad.explain(tensor(AT, name="x") ** 1.7)).endswith(text)
    for c in (2.0, -0.5, 100.0, float("inf"), float("nan")):
        before = cache_info().misses
        gradients(c, order=1)
        assert cache_info().misses == before + 1
    monkeypatch.setattr(powers, "_met", set(exponents))
    assert [gradients(c) for c in exponents] == found
    assert str(symgrad.explain(tensor(AT, name="x") ** 1.7)).endswith(text)
