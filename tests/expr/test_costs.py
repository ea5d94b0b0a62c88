"""What every service costs: steps in proportion to the nodes of a formula, whatever its shape.

The steps are counted, as lines of Python that run; no clock is read. Lists and texts that C code
builds show in their lengths.
"""

import functools
import gc
import inspect
import itertools
import operator
import pickle
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

import pytest
import sympy

import symgrad
from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.node import ArrayExpr
from tests.autograd.test_scale import shallow_stack
from tests.each import each, in_part

from .samples import chain, wide

x, y = symgrad.leaf("x"), symgrad.leaf("y")
_SMALL, _LARGE = 200, 1600  # operations; the ratio of their costs tells the exponent


def steps(service: Callable[[], Any]) -> int:
    """Return how many lines of Python a call runs."""
    count = 0

    def line(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += 1
        return line

    gc.disable()  # what falls out of the table of nodes is no part of the service
    sys.settrace(line)
    try:
        service()
    finally:
        sys.settrace(None)
        gc.enable()
    return count


def product(n: int) -> ArrayExpr:
    """A formula of `n` leaves."""
    e: ArrayExpr = symgrad.leaf("x0")
    for i in range(1, n):
        e = e * symgrad.leaf(f"x{i}")
    return e


def renamed(n: int) -> list[tuple[Any, Any]]:
    return [(f"x{i}", symgrad.leaf(f"y{i}")) for i in range(n)]


def parts(e: ArrayExpr) -> dict[ArrayExpr, ArrayExpr]:
    return {node: node * 2 for node in e.atoms(ArrayExpr) if node.operands}


# For each service, by the attribute that gives it, what is asked of a formula.
SERVICES: dict[str, list[Callable[[ArrayExpr], Any]]] = {
    "subs": [lambda e: e.subs(x, y), lambda e: e.subs([("x", y), (y, x + 1), (x, y)])],
    "xreplace": [lambda e: e.xreplace({x: y}), lambda e: e.xreplace(parts(e))],
    "replace": [
        lambda e: e.replace(symgrad.tanh, symgrad.sin),
        lambda e: e.replace(symgrad.tanh, symgrad.sin, map=True),
        lambda e: e.replace(lambda z: True, lambda z: z),
        lambda e: e.replace(x, y),
    ],
    "has": [lambda e: e.has(y, sympy.sin, symgrad.erf, "z")],
    "has_free": [lambda e: e.has_free(y)],
    "has_xfree": [lambda e: e.has_xfree({y})],
    "atoms": [lambda e: e.atoms(), lambda e: e.atoms(Leaf, sympy.tanh)],
    "find": [lambda e: e.find(sympy.tanh), lambda e: e.find(lambda z: True, group=True)],
    "count": [lambda e: e.count(sympy.tanh)],
    "free_symbols": [lambda e: e.free_symbols],
    "leaves": [lambda e: e.leaves],
    "count_ops": [lambda e: e.count_ops(), lambda e: e.count_ops(visual=True)],
    "is_constant": [lambda e: e.is_constant(), lambda e: e.is_constant(x)],
    "equals": [lambda e: e.equals(e)],
    "sort_key": [sympy.default_sort_key],
    "could_extract_minus_sign": [lambda e: e.could_extract_minus_sign()],
    "simplify": [lambda e: e.simplify()],
    "_eval_simplify": [sympy.simplify],
    "doit": [lambda e: e.doit()],
    "evalf": [lambda e: e.evalf(), lambda e: e.evalf(subs={x: 0.5})],
    "n": [lambda e: e.n()],
    "_eval_evalf": [sympy.N],
    "expand": [lambda e: e.expand(), sympy.expand],
    "diff": [lambda e: e.diff(x)],
    "_eval_derivative": [lambda e: sympy.diff(e, x)],
    "_eval_power": [sympy.sqrt],
    "__str__": [str, "{}".format],
    "__repr__": [repr],
    "_sympystr": [sympy.sstr, lambda e: str(sympy.Tuple(e))],
    "_pretty": [sympy.pretty],
    "_latex": [sympy.latex],
    "latex": [lambda e: e.latex()],
    "_repr_latex_": [lambda e: e._repr_latex_()],
    "_sympyrepr": [sympy.srepr],
    "evaluate": [lambda e: e.evaluate({x: 0.5})],
    "source": [lambda e: e.source()],
    "lambdify": [lambda e: e.lambdify()(0.5)],
    "_numpycode": [
        lambda e: sympy.lambdify([x], e, "numpy")(0.5),
        lambda e: sympy.lambdify([x], [e, (e, x)], "numpy")(0.5),
        lambda e: sympy.lambdify([x], e, "numpy", cse=True)(0.5),
    ],
    "to_sympy": [],  # gives SymPy's own objects, which cost what SymPy makes them cost
    "__reduce_ex__": [lambda e: pickle.loads(pickle.dumps(e))],
    "derive": [lambda e: symgrad.derive(e, x)],
    "explain": [lambda e: repr(symgrad.explain(e)), lambda e: symgrad.explain(e).latex()],
    "from_sympy": [symgrad.from_sympy],
}
# Those that ask nothing of the nodes below, or refuse.
_CONSTANT = {"__iter__", "_iterable", "contains", "as_expr_variables", "expr"}
_ROUND = {"_scipycode", "_pythoncode", "_lambdacode"}  # the same function as `_numpycode`
_CASES = [
    pytest.param(service, id=f"{name}-{i}")
    for name, services in SERVICES.items()
    for i, service in enumerate(services)
]


def test_every_service_is_counted() -> None:
    homes = (
        "symgrad.forms.services",
        "symgrad.forms.srepr",
        "symgrad.forms.substitution",
        "symgrad.expr.printing",
        "symgrad.lower.source",
        "symgrad.lower.evaluate",
        "symgrad.lower.lambdify",
    )
    found = set()
    for name, value in vars(ArrayExpr).items():
        f = value.fget if isinstance(value, property) else value
        if getattr(f, "__module__", "") in homes and getattr(f, "__name__", "") != "_no_code":
            found.add(name)
    assert found - set(SERVICES) - _CONSTANT - _ROUND == set()


@each("service", in_part(_CASES, every=3, group=lambda name: ""))
def test_the_cost_of_a_chain_is_linear(service: Callable[[ArrayExpr], Any]) -> None:
    small, large = chain(_SMALL), chain(_LARGE)
    service(chain(3))  # whatever is imported and remembered once; SymPy's `simplify` takes long
    service(x.tanh() + 1)
    cost = steps(lambda: service(small))
    assert steps(lambda: service(large)) <= 1.25 * _LARGE / _SMALL * cost + 2000


@each("service", list(_CASES))
def test_the_cost_of_sharing_is_that_of_the_nodes(service: Callable[[ArrayExpr], Any]) -> None:
    service(wide(10))
    cost = steps(lambda: service(wide(15)))
    assert steps(lambda: service(wide(60))) <= 1.5 * 4 * cost + 2000


#: What a chain is made of, from its leaf: what rewrites look for among factors and terms.
_PARTS: dict[str, Callable[[Any], Any]] = {
    "x": lambda e: e,
    "2*x": lambda e: 2 * e,
    "x*3": lambda e: e * 3,
    "x/2": lambda e: e * 0.5,
    "1*x": lambda e: 1 * e,
    "-x": lambda e: -e,
    "-3*x": lambda e: -(3 * e),
    "3*(x/7)": lambda e: 3 * (e / 7),
    "1/x": lambda e: 1 / e,
    "where": lambda e: symgrad.where(x > 0, e, 0.0),
    "2*where": lambda e: 2 * symgrad.where(x > 0, e, 0.0),
    "reshape": lambda e: e.reshape((1,)).reshape(()),
    "broadcast": lambda e: e.broadcast_to((1,)).reshape(()),
    "cast": lambda e: e.to(symgrad.float32).to(symgrad.float64),
    "x**2": lambda e: e**2,
    "sqrt": lambda e: e.sqrt(),
}
_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    **{f.__name__: f for f in (operator.add, operator.sub, operator.mul, operator.truediv)},
    **{f"r{f.__name__}": lambda a, b, f=f: f(b, a) for f in (operator.sub, operator.mul)},
    "rtruediv": lambda a, b: b / a,
    "pow": operator.pow,
    "where": lambda a, b: symgrad.where(y > 1, a, b),
    **{
        name: getattr(symgrad, name)
        for name in ("maximum", "minimum", "fmax", "fmin", "atan2", "hypot", "logaddexp", "xlogy")
    },
}


def _applied(op: Callable[[Any, Any], Any], part: Callable[[Any], Any], n: int) -> Any:
    """Combine `n` parts of one leaf by a binary operation."""
    e = part(x)
    for _ in range(n):
        e = op(e, part(x))
    return e


def _nested(inner: Callable[[Any], Any], outer: Callable[[Any], Any], n: int) -> Any:
    """Put two parts around one another, `n` times, and read the result in a product."""
    e = x * y + x
    for _ in range(n):
        e = outer(inner(e))
    return e * x * y


_COMMON = ("x", "2*x", "-x", "1/x", "where")
_BUILT = [
    pytest.param(functools.partial(_applied, op, part), id=f"{name} of {of}")
    for name, op in _BINARY.items()
    for of, part in _PARTS.items()
    if of in _COMMON or op is operator.mul
] + [
    pytest.param(functools.partial(_nested, f, g), id=f"{of} in {name}")
    for of, f in _PARTS.items()
    for name, g in _PARTS.items()
    if of != name and name in _COMMON
]

_QUICK = {"mul of 2*x", "mul of -x", "3*(x/7) in 2*x", "x**2 in x*3", "where in 2*x"}
# Of the others one in six: each takes a second.
_TRIED = [p for i, p in enumerate(_BUILT) if str(p.id) in _QUICK or i % 6 == 2]


@pytest.mark.parametrize(
    "built",
    [
        p if str(p.id) in _QUICK else pytest.param(*p.values, id=p.id, marks=pytest.mark.slow)
        for p in _TRIED
    ],
)
def test_the_cost_of_derivatives_of_a_chain_is_linear(built: Callable[[int], Any]) -> None:
    """Rewrites make nodes that are rewritten in turn: so deep as some layers, and no deeper."""
    with shallow_stack(150):
        small = symgrad.derive(built(30), x, order=2)
        large = symgrad.derive(built(120), x, order=2)
    del small, large
    gc.collect()  # nodes that are known cost nothing to make
    costs = []
    for n in (30, 120):
        e = built(n)
        costs.append(steps(lambda e=e: symgrad.derive(e, x, order=2)))  # type: ignore[misc]
        del e
        gc.collect()
    assert costs[1] <= 1.5 * 4 * costs[0]  # four times the operations; a square would be 16 times


@pytest.mark.parametrize(
    ("part", "slope"), [("2*x", 2), ("x*3", 3), ("-3*x", -3), ("3*(x/7)", 3 / 7)]
)
def test_a_long_product_has_the_derivative_of_the_power_that_it_is(part: str, slope: float) -> None:
    """Factors that were taken out of it by themselves would overflow, or leave an underflow."""
    n = 1600
    e = _applied(operator.mul, _PARTS[part], n - 1)
    for order, want in enumerate([slope * n, slope * slope * n * (n - 1)], 1):
        with shallow_stack(150):
            found = symgrad.derive(e, x, order=order).evaluate({x: 1 / slope})
        assert abs(found / want - 1) < 1e-11


@pytest.mark.parametrize(
    "substitution",
    [
        lambda e, n: e.subs(renamed(n)),
        lambda e, n: e.subs(renamed(n), simultaneous=True),
        lambda e, n: e.subs(dict(renamed(n))),
        lambda e, n: e.xreplace({a: b.sin() for a, b in zip(e.leaves, e.leaves[1:], strict=False)}),
        # Each renames what the one before it has made.
        lambda e, n: e.subs([(f"x{i}", symgrad.leaf(f"x{i + 1}")) for i in range(n)]),
        lambda e, n: e.has(*[f"z{i}" for i in range(n)]),
        lambda e, n: e.evaluate(dict.fromkeys(e.leaves, 1.0)),
        lambda e, n: e.lambdify()(*[1.0] * n),
        lambda e, n: e.source(inputs=e.leaves),
        lambda e, n: symgrad.derive(e, e.leaves),
        lambda e, n: symgrad.derive(e, [f"x{i}" for i in range(n)]),
        lambda e, n: symgrad.derive(e + y, y).evaluate({f"x{i}": 1.0 for i in range(n)}),
        lambda e, n: e.evaluate({f"x{i}": [0.5, 1.0] for i in range(n)}),
    ],
    ids=[
        "pairs", "at once", "mapping", "xreplace", "in turn", "has", "evaluate", "lambdify",
        "source", "derivatives", "derivatives by name", "lost names", "points",
    ],
)  # fmt: skip
def test_many_pairs_cost_one_walk(substitution: Callable[[ArrayExpr, int], Any]) -> None:
    substitution(product(5), 5)
    small, large = product(_SMALL), product(_LARGE)
    cost = steps(lambda: substitution(small, _SMALL))
    assert steps(lambda: substitution(large, _LARGE)) <= 1.25 * _LARGE / _SMALL * cost + 2000


def test_pairs_one_after_the_other_see_what_came_before() -> None:
    """The walk over all pairs gives what a walk for each pair gives."""
    names = [symgrad.leaf(n) for n in "abcd"]
    a, b, c, d = names
    pairs_of = [
        [(a, b), (b, c), (c, a)],
        [(a, a + b), (a, a * c), (b, 2)],
        [(a, b), (a, c), (b, a), (a, d)],
        [("b", c + a), (sympy.Symbol("a"), c), (a * b, d), (c, b + a)],
        [(a, b), (b * b, c), (c, a), (a, 3)],
        [(d, a), (a, 1), ("d", 2)],
    ]
    for e in (a * b + c, (a + b).exp() * a - b * b, a * a + a * b + d):
        for pairs in pairs_of:
            want = e
            for pair in pairs:
                want = want.subs([pair])
            assert e.subs(pairs) is want
    assert (a + b).subs([(a, b), (b, 2)]).evaluate() == Const(4).evaluate()


def _of_numbers() -> list[str]:
    """Return the public names of functions, those in the namespaces of functions with these."""
    spaces = {"": symgrad, "special.": symgrad.special, "nn.functional.": symgrad.nn.functional}
    return [
        prefix + name
        for prefix, space in spaces.items()
        for name in dir(space)
        if inspect.isfunction(getattr(space, name, None)) and not name.startswith(("_", "set_"))
    ]


@pytest.mark.filterwarnings("ignore")
@each("name", in_part(_of_numbers(), every=3, group=lambda name: ""))
def test_a_function_costs_the_same_for_each_node_of_shared_operands(name: str) -> None:
    """A function may look into formulas that it is given: not along each path in these."""
    function: Any = functools.reduce(getattr, name.split("."), symgrad)

    def operands(n: int, of: Sequence[str]) -> list[Any]:
        leaves = [symgrad.leaf(f"{kind}{n}", dtype=getattr(symgrad, kind)) for kind in of]
        return [functools.reduce(lambda e, _: e + e, range(n), x) for x in leaves]

    for arity in (1, 2, 3):
        for of in itertools.product(("int64", "float64"), repeat=arity):
            try:
                taken = isinstance(function(*operands(5, of)), ArrayExpr)
            except Exception:
                taken = False  # each function has its own errors for what it does not take
            if not taken:
                continue
            few, many = (functools.partial(function, *operands(n, of)) for n in (5, 15))
            assert steps(many) <= 1.5 * 3 * steps(few) + 2000
