"""A compiled function sees what changes around it, as the function itself does."""

from __future__ import annotations

import collections
import contextvars
import dataclasses
import functools
import importlib
import random
import types
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import symgrad as sg
from symgrad import func, nn
from symgrad.autograd.surroundings import Surroundings
from tests.each import each

SCALE: Any = 3.0
SETTINGS = types.SimpleNamespace(scale=2.0, offsets=[1.0, 2.0])


def _by_global(x: Any) -> Any:
    return x * SCALE


def _helper(x: Any, by: Any = 2.0) -> Any:
    return _by_global(x) + by


class Point(NamedTuple):
    at: Any


class Model:
    shift = 1.0

    def __init__(self) -> None:
        self.k = sg.ones(2)
        self.calls = 0

    def __call__(self, x: Any) -> Any:
        return self.scaled(x) + self.shift + self.twice

    def scaled(self, x: Any) -> Any:
        return x * self.k

    @property
    def twice(self) -> Any:
        return 2 * self.k


@dataclasses.dataclass(slots=True)
class Slots:
    k: Any

    def __call__(self, x: Any) -> Any:
        return x * self.k


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(2, 2, dtype=sg.float64)
        self.drop = nn.Dropout(0.5)
        self.power = 2
        self.register_buffer("mean", sg.ones(2))

    def forward(self, x: Any) -> Any:
        y = self.first(x) ** self.power - self.mean
        return y if not self.training else y * 2


#: What a change is of: a function, and what changes one thing that it reads.
Changed = tuple[Callable[[Any], Any], Callable[[], Any]]
CASES: dict[str, Callable[[], Changed]] = {}


def case(make: Callable[[], Changed]) -> Callable[[], Changed]:
    CASES[make.__name__.strip("_")] = make
    return make


def change_global() -> None:
    global SCALE
    SCALE = SCALE + 1.0


@case
def a_global() -> Changed:
    return _by_global, change_global


@case
def a_global_of_a_function_that_is_called() -> Changed:
    return lambda x: _helper(x), change_global


@case
def a_default() -> Changed:
    def inner(x: Any, by: Any = 2.0) -> Any:
        return x * by

    return lambda x: inner(x), lambda: setattr(inner, "__defaults__", (5.0,))


@case
def a_variable_of_the_enclosing_function() -> Changed:
    k = sg.tensor(2.0)

    def change() -> None:
        nonlocal k
        k = sg.tensor(7.0)

    return lambda x: x * k, change


@case
def a_function() -> Changed:
    f: Any = lambda x: x  # noqa: E731

    def change() -> None:
        nonlocal f
        f = lambda x: 2 * x  # noqa: E731

    return lambda x: f(x), change


@case
def elements_of_a_tensor_used_alone() -> Changed:
    k = sg.tensor(2.0)
    return lambda x: x * (k * 2).exp(), lambda: k.add_(1)


@case
def elements_of_a_tensor_shared_with_numpy() -> Changed:
    array = np.ones(2)
    k = sg.from_numpy(array)
    return lambda x: x * (k + 1), lambda: array.__setitem__(0, 5.0)


@case
def an_element_that_python_reads() -> Changed:
    k = sg.tensor([2.0, 3.0])
    return lambda x: x * float(k.numpy()[0]) + k.tolist()[1], lambda: k.mul_(2)


@case
def an_index() -> Changed:
    i = sg.tensor([0, 0])
    return lambda x: x[i] + sg.ones(2)[i], lambda: i.add_(1)


@case
def an_integer() -> Changed:
    n = sg.tensor(1)
    return lambda x: x[int(n)] + x[n], lambda: n.sub_(1)


@case
def a_mask() -> Changed:
    m = sg.tensor([True, False])
    return lambda x: sg.where(m, x, 0) + sg.arange(2)[m], lambda: m.logical_not_()


@case
def a_slope() -> Changed:
    w = sg.tensor(2.0, requires_grad=True)
    (w * w).backward()
    return lambda x: x * w.grad, lambda: setattr(w, "grad", sg.tensor(1.0))


@case
def elements_of_an_array() -> Changed:
    k = np.ones(2)
    return lambda x: x * (k * 2), lambda: k.__setitem__(1, np.nan)


@case
def an_element_of_a_list() -> Changed:
    k = [sg.ones(2), [1.0, 2.0]]
    return lambda x: x * k[0] + k[1][0], lambda: k[1].__setitem__(0, -0.0)


@case
def the_length_of_a_list() -> Changed:
    k = [1.0]
    return lambda x: sum(v * x for v in k), lambda: k.append(2.0)


@case
def an_entry_of_a_dictionary() -> Changed:
    k = {"a": {"b": 1.0}}
    return lambda x: x * k["a"]["b"], lambda: k["a"].__setitem__("b", 2.0)


@case
def a_named_tuple() -> Changed:
    k = [Point(1.0)]
    return lambda x: x * k[0].at, lambda: k.__setitem__(0, Point(2.0))


@case
def a_namespace() -> Changed:
    return lambda x: x * SETTINGS.scale, lambda: setattr(SETTINGS, "scale", SETTINGS.scale + 1)


@case
def a_part_of_a_namespace() -> Changed:
    return (
        lambda x: x * SETTINGS.offsets[1],
        lambda: SETTINGS.offsets.__setitem__(1, SETTINGS.offsets[1] + 1),
    )


@case
def a_module() -> Changed:
    cfg: Any = types.ModuleType("cfg")
    cfg.__file__, cfg.k = "/nowhere/cfg.py", 2.0
    return lambda x: x * cfg.k, lambda: setattr(cfg, "k", 3.0)


@case
def an_attribute() -> Changed:
    model = Model()
    return model, lambda: setattr(model, "k", sg.full((2,), 5.0))


@case
def an_attribute_that_hides_one_of_the_class() -> Changed:
    model = Model()
    return model, lambda: setattr(model, "shift", 5.0)


@case
def an_attribute_of_the_class() -> Changed:
    kind = type("Kind", (Model,), {"shift": 1.0})
    model = kind()
    return model.__call__, lambda: setattr(kind, "shift", 5.0)


@case
def a_method() -> Changed:
    model = Model()
    return lambda x: model.scaled(x), lambda: setattr(model, "scaled", lambda x: -x)


@case
def a_slot() -> Changed:
    model = Slots(2.0)
    return model, lambda: setattr(model, "k", 3.0)


@case
def an_argument_of_partial() -> Changed:
    k = {"by": 2.0}
    f = functools.partial(lambda x, k: x * k["by"], k=k)
    return f, lambda: k.__setitem__("by", 3.0)


@case
def a_function_within_transforms() -> Changed:
    k = sg.tensor(2.0)

    def change() -> None:
        nonlocal k
        k = sg.tensor(7.0)

    return func.grad(func.compile(lambda x: (x**2 * k).sum())), change


@case
def a_parameter() -> Changed:
    net = Net()
    return net, lambda: setattr(net.first, "weight", nn.Parameter(sg.ones(2, 2, dtype=sg.float64)))


@case
def a_parameter_without_gradient() -> Changed:
    net = Net().requires_grad_(False)
    return net, lambda: net.first.weight.mul_(2)


@case
def a_buffer() -> Changed:
    net = Net()
    return lambda x: net(x), lambda: setattr(net, "mean", sg.zeros(2))


@case
def a_submodule() -> Changed:
    net = Net()
    return net.forward, lambda: setattr(net, "first", nn.Identity())


@case
def a_setting_of_a_module() -> Changed:
    net = Net()
    return net, lambda: setattr(net, "power", 3)


@case
def training() -> Changed:
    net = Net()
    return net, net.eval


@case
def a_setting_of_a_layer() -> Changed:
    layer = nn.LeakyReLU(0.1)
    return lambda x: layer(-x), lambda: setattr(layer, "negative_slope", 0.5)


@case
def a_hook() -> Changed:
    net = nn.Sequential(nn.Identity())
    return net, lambda: net[0].register_forward_hook(lambda m, args, y: 2 * y)


@case
def a_distribution() -> Changed:
    normal = sg.distributions.Normal(sg.zeros(2), 1.0)
    return lambda x: normal.log_prob(x), lambda: setattr(normal, "loc", sg.ones(2))


class Base:
    kept = 2.0


class Derived(Base):
    pass


class Box:
    def __init__(self, **given: Any) -> None:
        self.__dict__ |= given


@case
def an_attribute_that_comes_later() -> Changed:
    box = Box()
    return (
        lambda x: x + getattr(box, "k", 1.0) if hasattr(box, "bias") else x,
        lambda: box.__dict__.update(bias=True, k=3.0),
    )


@case
def an_attribute_that_goes() -> Changed:
    box = Box(k=None)
    return lambda x: x if hasattr(box, "k") else 2 * x, lambda: delattr(box, "k")


@case
def an_attribute_by_its_text() -> Changed:
    box = Box(k=1.0)
    return lambda x: x * vars(box)["k"], lambda: setattr(box, "k", 2.0)


@case
def a_key_for_none() -> Changed:
    k: dict[str, Any] = {"a": None}
    return lambda x: x if "a" in k else 2 * x, lambda: (k.pop("a"), k.update(b=None))


@case
def the_order_of_a_dictionary() -> Changed:
    k = {"a": 1.0, "b": 2.0}
    return (
        lambda x: sum((i + 1) * v * x for i, v in enumerate(k.values())),
        lambda: k.update(a=k.pop("a")),
    )


@case
def a_set() -> Changed:
    k = {1.0}
    return lambda x: sum(v * x for v in k), lambda: (k.discard(1.0), k.add(5.0))


@case
def a_queue() -> Changed:
    k = collections.deque([1.0, 2.0])
    return lambda x: x * k[0], k.reverse


@case
def bytes_that_change() -> Changed:
    k = bytearray([1])
    return lambda x: x * k[0], lambda: k.__setitem__(0, 2)


@case
def an_attribute_of_a_derived_class() -> Changed:
    kind = type("Kind", (Derived,), {})
    box = kind()
    return lambda x: x * box.kept, lambda: setattr(kind, "kept", 4.0)


@case
def an_attribute_of_a_function() -> Changed:
    def f(x: Any) -> Any:
        return x * f.k  # type: ignore[attr-defined]

    f.k = 1.0  # type: ignore[attr-defined]
    return f, lambda: setattr(f, "k", 2.0)


@case
def the_class_of_an_object() -> Changed:
    other = type("Other", (Model,), {"scaled": lambda self, x: -x})
    model = Model()
    return lambda x: model.scaled(x), lambda: setattr(model, "__class__", other)


@case
def what_a_method_of_the_language_holds() -> Changed:
    k = {"a": 1.0}
    get = k.get
    return lambda x: x * get("a"), lambda: k.update(a=2.0)


@case
def what_a_weak_reference_refers_to() -> Changed:
    model = Model()
    found = weakref.ref(model)
    return lambda x: x * found().k, lambda: setattr(model, "k", 2 * model.k)


@case
def an_object_in_an_array() -> Changed:
    k = np.array([Box(k=1.0)], object)
    return lambda x: x * k[0].k, lambda: setattr(k[0], "k", 2.0)


@case
def the_shape_of_an_array() -> Changed:
    k = np.array([1.0, 2.0])
    return lambda x: (x * k).sum() + k.ndim, lambda: k.resize((2, 1), refcheck=False)


@case
def a_context_variable() -> Changed:
    k = contextvars.ContextVar("k", default=1.0)
    return lambda x: x * k.get(), lambda: k.set(2.0)


def arrays(x: Any) -> np.ndarray[Any, Any]:
    return np.asarray(x.detach() if isinstance(x, sg.Tensor) else x)


@each("name", list(CASES))
def test_a_compiled_function_sees_a_change(name: str) -> None:
    f, change = CASES[name]()
    x = sg.tensor([1.5, -2.0], dtype=sg.float64)
    compiled = func.compile(f)
    before = arrays(f(x))
    for _ in range(3):
        np.testing.assert_allclose(arrays(compiled(x)), before, rtol=1e-6)
    change()
    after = arrays(f(x))
    assert not np.array_equal(np.array([before, np.signbit(before)]), [after, np.signbit(after)])
    for _ in range(3):
        found = arrays(compiled(x))
        np.testing.assert_allclose(found, after, rtol=1e-6)
        assert np.array_equal(np.signbit(found), np.signbit(after))


@each("name", list(CASES))
def test_an_argument_is_seen_to_change(name: str) -> None:
    """Functions and objects that are arguments are looked into as well."""
    f, change = CASES[name]()
    x = sg.tensor([1.5, -2.0], dtype=sg.float64)
    compiled = func.compile(lambda f, x: f(x))
    for _ in range(2):
        np.testing.assert_allclose(arrays(compiled(f, x)), arrays(f(x)), rtol=1e-6)
    change()
    for _ in range(2):
        np.testing.assert_allclose(arrays(compiled(f, x)), arrays(f(x)), rtol=1e-6)


def test_arguments_of_another_type_are_other_arguments() -> None:
    first = collections.namedtuple("P", "a")
    second = collections.namedtuple("P", "a")
    first.m, second.m = (lambda s: s.a * 2), (lambda s: s.a * 3)  # type: ignore[attr-defined]
    f = func.compile(lambda p: p.m())
    x = np.ones(2)
    assert [f(kind(x))[0] for kind in (first, second, first)] == [2, 3, 2]
    point = dataclasses.make_dataclass("Point", ["k"], frozen=True)
    g = func.compile(lambda x, p: np.copysign(x, p.k) * p.k)
    for k in (2, 2.0, 0.0, -0.0, True):
        found, wanted = g(x, point(k)), np.copysign(x, k) * k
        np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))
        np.testing.assert_array_equal(found, wanted)
    keys = [type("K", (), {"__repr__": lambda s: "K"})() for _ in range(2)]
    h = func.compile(lambda d: d[keys[0]] if keys[0] in d else -d[keys[1]])
    assert [h({k: x})[0] for k in keys] == [1, -1]


def test_what_the_function_itself_does_around_it_makes_no_new_program() -> None:
    seen: list[Any] = []

    @func.compile
    def f(x: Any) -> Any:
        seen.append(x)
        return x * 2

    for _ in range(3):
        f(np.ones(2))
    assert f.cache_info().hits == 2
    assert len(seen) == 1
    model = Model()
    g = func.compile(lambda x: model(x))
    for _ in range(3):
        g(np.ones(2))
        model.calls += 1
    assert g.cache_info() == (2, 1, 64, 1)


def test_a_tensor_may_start_to_require_a_gradient() -> None:
    k = sg.ones(2)
    f = func.compile(lambda x: (x * k).sum())
    assert not isinstance(f(np.ones(2)), sg.Tensor)
    f_of_k = [f(np.ones(2)) for _ in range(2) if k.requires_grad_() is k][-1]
    f_of_k.backward()
    np.testing.assert_array_equal(k.grad, np.ones(2))
    k.requires_grad_(False)
    assert not isinstance(f(np.ones(2)), sg.Tensor)


def _write(x: Any) -> Any:
    k = sg.ones(2)

    def f(x: Any) -> Any:
        k.add_(1.0)
        return x * k

    return func.compile(f)(x)


def _branch(x: Any) -> Any:
    k = sg.ones(2)
    return func.compile(lambda x: x if k.sum() > 1 else -x)(x)


def _count(x: Any) -> Any:
    norm = nn.BatchNorm1d(2, dtype=sg.float64)
    return func.compile(lambda x: norm(x))(x[None])


def _no_grad(x: Any) -> Any:
    def f(x: Any) -> Any:
        with sg.no_grad():
            return x * 2

    return func.compile(f)(x)


def _decorated(x: Any) -> Any:
    return func.compile(sg.no_grad()(lambda x: x * 2))(x)


def _numpys_random(x: Any) -> Any:
    return func.compile(lambda x: x * np.random.normal())(x)  # noqa: NPY002


def _own_random(x: Any) -> Any:
    rng = np.random.default_rng(0)
    return func.grad(lambda x: (x * rng.normal()).sum())(x.numpy())


def _pythons_random(x: Any) -> Any:
    return func.compile(lambda x: x * random.random())(x)


@pytest.mark.parametrize(
    ("f", "words"),
    [
        (_write, "cannot change a tensor"), (_branch, "where"), (_count, "cannot change a tensor"),
        (_no_grad, "no_grad has no effect"), (_decorated, "no_grad has no effect"),
        (_numpys_random, "random numbers"), (_own_random, "random numbers"),
        (_pythons_random, "random numbers"),
    ],
)  # fmt: skip
def test_what_would_happen_once_is_refused(f: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words) as error:
        f(sg.ones(2, dtype=sg.float64))
    assert any("compile(" in note for note in error.value.__notes__)


def test_no_formula_leaves_a_compiled_function() -> None:
    x = np.ones(2)

    def yields(x: Any) -> Any:
        yield x

    async def waits(x: Any) -> Any:
        return x

    for f in (yields, waits):
        with pytest.raises(TypeError, match="generator or coroutine"):
            func.compile(f)
    for g in (lambda x: lambda: x, lambda x: map(abs, x), lambda x: Box(k=x), lambda x: {x.shape}):
        with pytest.raises(TypeError, match="returns an object of type"):
            func.compile(g)(x)
    with pytest.raises(TypeError, match="plain arrays"):
        func.compile(lambda x: x * x)(np.ma.masked_array([1.0, 2.0]))


_PACKAGE = """
scale = 2.0
parts = [[scale]]

def doubled(x):
    return parts[0][0] * x

def wrapping(f):
    return lambda x: f(x)

class Scaled:
    def __init__(self, k):
        self.k = k
    def __call__(self, x):
        return x * self.k
"""


def test_an_installed_package_is_looked_into_as_far_as_it_is_given_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its global variables lead to all of the package: they are taken as fixed."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "an_installed_package.py").write_text(_PACKAGE)
    monkeypatch.syspath_prepend(str(folder))
    package = importlib.import_module("an_installed_package")
    looked_into: list[Any] = []

    def names_of(self: Surroundings, x: Any, call: Any = Surroundings._names_of) -> Any:
        looked_into.append(x)
        return call(self, x)

    monkeypatch.setattr(Surroundings, "_names_of", names_of)
    x, model, scaled = np.ones(2), Model(), package.Scaled(3.0)
    wrapped = package.wrapping(lambda x: x * model.k)
    f = func.compile(lambda x: package.doubled(x) + wrapped(x) + scaled(x))
    for change in (
        lambda: None,
        lambda: setattr(model, "k", 5.0),
        lambda: setattr(scaled, "k", 4.0),
    ):
        change()
        np.testing.assert_array_equal(f(x), (2 + model.k + scaled.k) * x)
    assert any(y is scaled for y in looked_into)
    assert not any(y is package.parts for y in looked_into)
