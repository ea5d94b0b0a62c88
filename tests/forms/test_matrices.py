"""SymPy's formulas of matrices: products of matrices are products of matrices."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.combinatorics import Permutation
from sympy.matrices import expressions
from sympy.matrices.expressions.companion import CompanionMatrix
from sympy.matrices.expressions.diagonal import DiagMatrix, DiagonalMatrix, DiagonalOf
from sympy.matrices.expressions.factorizations import Factorization
from sympy.matrices.expressions.fourier import DFT, IDFT
from sympy.matrices.expressions.permutation import MatrixPermute, PermutationMatrix

import symgrad
from symgrad.expr.atoms import as_expr
from symgrad.expr.node import ArrayExpr
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES
from symgrad.schema.public import FUNCTIONS
from tests.each import each

pytestmark = pytest.mark.tiny

A, B = sympy.MatrixSymbol("A", 3, 3), sympy.MatrixSymbol("B", 3, 3)
V, W = sympy.MatrixSymbol("V", 3, 1), sympy.MatrixSymbol("W", 3, 1)
M = sympy.MatrixSymbol("M", 2, 3)
x, s, t = sympy.symbols("x s t")
FORMULAS = [
    A * V, A * B * V, 2 * A * V - x * W, V.T * A * V, (A + B) * V, A**2 * V, A**3, A**0 + A, M * A,
    A.T * B, (A * B).T, sympy.Adjoint(A) * B, sympy.Trace(A * B) * A, x * sympy.Trace(A) + 1,
    A.I * V, sympy.MatPow(A + 2 * B, -2), (A * B).I, sympy.Inverse(A).T, sympy.Trace(A.I) * x,
    sympy.Determinant(A) * B, sympy.Determinant(A.T * B), sympy.det(A.I) + x,
    sympy.HadamardProduct(A, B) * V, sympy.HadamardPower(A, 3), sympy.hadamard_product(V, W),
    sympy.Identity(3) + A, A * sympy.ZeroMatrix(3, 3) + B, sympy.OneMatrix(3, 1) - V,
    sympy.KroneckerProduct(M, A), A[0, 1] * x + V[2, 0], sympy.DotProduct(V, W) * x,
    A.applyfunc(sympy.sin) * V, A.applyfunc(sympy.Lambda(t, t**2 + 1)), -A, A - A.T, x * (V * W.T),
    sympy.ImmutableMatrix([[x, 1], [x**2, sympy.sin(x)]]),
    sympy.ImmutableMatrix([[x, 1, 2], [3, x, 0], [0, 1, 1]]) * V,
    sympy.BlockMatrix([[A, V], [V.T, sympy.Matrix([[x]])]]), sympy.BlockDiagMatrix(A, M),
    A[0:2, 1:3] * x, M[:, ::2], DiagMatrix(V) * A, DiagonalMatrix(A), DiagonalOf(A) + V,
    PermutationMatrix(Permutation([1, 2, 0])) * V, MatrixPermute(A, Permutation([1, 2, 0])),
    sympy.FunctionMatrix(2, 3, sympy.Lambda((t, s), t + 2 * s)) + M, DFT(1), IDFT(1),
    CompanionMatrix(sympy.Poly(t**3 + 2 * t + 1, t)), sympy.ZeroMatrix(2, 3),
    sympy.ImmutableSparseMatrix([[x, 0], [0, 1]]),
]  # fmt: skip


def value_of(formula: Any, values: dict[Any, np.ndarray]) -> np.ndarray:
    """SymPy's own value: element by element, in exact numbers."""
    if formula.has(DiagMatrix, DiagonalMatrix, DiagonalOf):
        formula = formula.as_explicit()  # they take no matrix of numbers
    exact = {k: sympy.ImmutableMatrix(v) if v.ndim else sympy.Float(v) for k, v in values.items()}
    found = formula.xreplace(exact) if formula.has(A, B, V, W, M) else formula.subs(exact)
    found = found.doit()
    if isinstance(found, sympy.MatrixExpr):
        found = found.as_explicit()
    found = found.doit().subs(exact)
    return np.array(sympy.N(found).tolist() if hasattr(found, "tolist") else sympy.N(found), float)


@each("formula", list(FORMULAS), ids=str)
def test_it_has_the_value_of_sympy(formula: Any) -> None:
    rng = np.random.default_rng(0)
    values = {
        k: rng.uniform(-1, 1, () if k == x else k.shape)
        for k in sorted(formula.free_symbols - {t}, key=str)
    }
    e = symgrad.from_sympy(formula)
    got = e.evaluate({str(k): v for k, v in values.items()})
    want = value_of(formula, values)
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14)


#: Classes of which SymPy makes no object, or only inside of sums and products.
_ABSTRACT = {"Factorization", "GenericIdentity", "GenericZeroMatrix", "ImmutableRepMatrix"}


def _classes(cls: type[Any]) -> dict[str, Any]:
    """Return the subclasses of a class of SymPy's, those of the tests left out."""
    found: dict[str, Any] = {}
    waiting = cls.__subclasses__()
    while waiting:
        waiting += (last := waiting.pop()).__subclasses__()
        if last.__module__.startswith("sympy."):
            found[last.__name__] = last
    return found


def test_every_class_of_matrices_is_converted_or_refused() -> None:
    refused = _classes(Factorization)
    seen = {type(y).__name__ for e in FORMULAS for y in sympy.preorder_traversal(e)}
    assert _classes(sympy.MatrixExpr).keys() - seen == refused.keys() | _ABSTRACT
    for name, cls in refused.items():
        with pytest.raises(TypeError, match=f"stands for {name} in"):
            symgrad.from_sympy(cls(A) * A)


def test_mappings() -> None:
    product = A * V
    a, v = np.arange(9.0).reshape(3, 3), np.array([1.0, -2.0, 0.5])
    column = symgrad.leaf("v", (3,))
    with pytest.raises(ValueError, match=r"the mapping leaves out A; .* leaves='new'"):
        symgrad.from_sympy(product, {V: column})
    e = symgrad.from_sympy(product, {V: column}, leaves="new")
    assert e.evaluate({"A": a, "v": v}).tolist() == (a @ v[:, None]).tolist()
    tensors = {A: symgrad.tensor(a, requires_grad=True), V: symgrad.tensor(v[:, None])}
    y = symgrad.from_sympy(product, tensors)
    y.sum().backward()
    assert y.tolist() == (a @ v[:, None]).tolist()
    assert tensors[A].grad.tolist() == np.tile(v, (3, 1)).tolist()
    with pytest.raises(ValueError, match=r"V is a matrix of shape \(3, 1\)"):
        symgrad.from_sympy(product, {A: a, V: symgrad.leaf("v", (1, 3))})


@pytest.mark.parametrize(
    ("formula", "error", "message"),
    [
        (sympy.MatPow(A, sympy.Rational(1, 2)), TypeError, "powers of a matrix are whole"),
        (sympy.Permanent(A), TypeError, "stands for Permanent"),
        (sympy.IndexedBase("b")[0], TypeError, "the shape of b is not known"),
        (sympy.IndexedBase("b", shape=(3,))[3], ValueError, "no element of an array of shape"),
        (sympy.IndexedBase("b", shape=(3,))[x], TypeError, "indices .* are no numbers"),
        (sympy.exp(A), TypeError, "function of a matrix"),
        (sympy.MatrixSymbol("N", x / 2, 2), TypeError, "size .* is no pair of numbers"),
        (A + sympy.MatrixSymbol("A", 3, 3).T + sympy.MatrixSymbol("B", 3, 3) * x
         + sympy.HadamardProduct(sympy.MatrixSymbol("x", 3, 3), A), ValueError,
         "two different symbols are named 'x'"),
        (sympy.Symbol("p", commutative=False) * sympy.Symbol("q", commutative=False), TypeError,
         "does not commute"),
        (A[sympy.Symbol("i"), 0], TypeError, "no numbers"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_refused(formula: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        symgrad.from_sympy(formula)


def test_elements_of_indexed_arrays() -> None:
    i, j = sympy.symbols("i j", integer=True)
    b, c = sympy.IndexedBase("b", shape=(3,)), sympy.IndexedBase("c")
    e = symgrad.from_sympy(sympy.Sum(b[i] ** 2 * (i + 1), (i, 0, 2)))
    assert e.leaves == (symgrad.leaf("b", (3,)),)
    assert e.evaluate({"b": [1.0, 2.0, 3.0]}) == 1 + 8 + 27
    tensor = symgrad.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    double = sympy.Sum(c[i, j] * c[j, i], (i, 0, 1), (j, 0, 1))
    symgrad.from_sympy(double, {c: tensor}).backward()
    assert tensor.grad.tolist() == [[2.0, 6.0], [4.0, 8.0]]


@each(
    "formula",
    [A.I, sympy.Determinant(A), pytest.param(sympy.MatPow(A, -2), marks=pytest.mark.slow)],
    ids=str,
)
def test_derivatives_of_inverses(formula: Any) -> None:
    """Of both orders, as SymPy has them of the formula with the elements in place of the matrix."""
    at = np.array([[2.0, 1.0, 0.5], [-0.5, 1.5, 1.0], [0.25, -1.0, 2.0]])
    names = sympy.Matrix(3, 3, lambda i, j: sympy.Symbol(f"a{i}{j}"))
    plain = sympy.Array(formula.subs(A, names).doit())
    point = {names[i, j]: at[i, j] for i in range(3) for j in range(3)}
    e = symgrad.from_sympy(formula)
    slopes = sympy.derive_by_array(plain, sympy.Array(names)) if e.shape else None
    first = symgrad.derive(e, "A").evaluate({"A": at})
    if slopes is None:
        slopes = sympy.Array(names).applyfunc(lambda a: sympy.diff(sympy.det(names), a))
    else:
        slopes = sympy.permutedims(slopes, (2, 3, 0, 1))
    want = np.array(slopes.subs(point).tolist(), float)
    np.testing.assert_allclose(first, want, rtol=1e-10, atol=1e-12)
    step = 1e-6
    second = symgrad.derive(e, "A", 2).evaluate({"A": at})
    move = np.zeros((3, 3))
    move[0, 1] = step
    beside = [symgrad.derive(e, "A").evaluate({"A": at + s * move}) for s in (1, -1)]
    np.testing.assert_allclose(
        second[..., 0, 1], (beside[0] - beside[1]) / (2 * step), rtol=1e-6, atol=1e-8
    )


_MATRICES = [
    A, A * B, A.T, A.I, A + B, 2 * A, V, V.T, M, sympy.Identity(3), sympy.eye(3),
    sympy.Matrix([1, 2, 3]), sympy.ImmutableMatrix([[1, 2, 3], [0, 1, 0], [4, 0, 1]]),
    sympy.SparseMatrix(1, 3, [1, 2, 3]),
]  # fmt: skip
_L, _S = symgrad.leaf("L", (3, 3)), symgrad.leaf("s")
_BESIDE = [_L, _L.T, symgrad.sin(_L) @ _L, symgrad.leaf("v", (3,)), _L[:1], _S, 2 * _S, _L.sum()]
_APPLIED = [
    operator.add, operator.sub, operator.mul, operator.matmul, operator.truediv, operator.floordiv,
    operator.mod, operator.pow, operator.gt,
]  # fmt: skip


@each("matrix", [pytest.param(m, id=f"{type(m).__name__} {m}") for m in _MATRICES])
def test_operators_mean_the_same_to_a_matrix_and_to_a_formula_or_are_refused(matrix: Any) -> None:
    rng = np.random.default_rng(0)
    names = {"A": (3, 3), "B": (3, 3), "V": (3, 1), "M": (2, 3), "L": (3, 3), "v": (3,), "s": ()}
    values = {name: rng.uniform(-1, 1, shape) for name, shape in names.items()}

    def value(e: Any) -> Any:
        e = symgrad.from_sympy(e)
        return e.evaluate({x.name: values[x.name] for x in e.leaves})

    for e, apply, turned in itertools.product(_BESIDE, _APPLIED, (False, True)):
        operands = (matrix, e) if turned else (e, matrix)
        shapes, name = [tuple(x.shape) for x in operands], apply.__name__
        fits = e.shape and (
            shapes[0][-1] == shapes[1][0] if name == "matmul" else
            shapes[0] == shapes[1] and name in ("add", "sub")
        )  # fmt: skip
        scales = e in (_S, 2 * _S) and (name == "mul" or (turned and name == "truediv"))
        found = _tried(apply, operands)
        if fits or scales:
            wanted = apply(*map(value, operands))
            np.testing.assert_allclose(value(found), wanted, rtol=1e-12, atol=1e-14)
        elif not e.shape:  # what SymPy has alone, such as a power of a matrix
            assert not isinstance(found, ArrayExpr), (operands, name)
        elif name != "matmul":
            assert "@ is the product of matrices" in str(found) and "from_sympy" in str(found)
        else:
            assert isinstance(found, RuntimeError)


@each("name", [n for n in expressions.__all__ if n[0].isupper()])
def test_an_expression_of_matrices_takes_no_formula_for_a_scalar(name: str) -> None:
    """It is refused in words of symgrad's, or the call is wrong for matrices as well."""
    make = getattr(expressions, name)
    for given in ([_L], [_L @ _L, _L], [A, _L], [_L, A]):
        found = _tried(lambda xs: make(*xs), [given])
        if "to_sympy" not in str(found):
            wanted = _tried(lambda xs: make(*xs), [[A for _ in given]])
            assert isinstance(found, Exception) and type(wanted) is type(found), (given, found)


_OF_SYMPY = [
    sympy.pi, sympy.I, sympy.Integer(2), sympy.Rational(1, 3), sympy.Float(0.5), sympy.Symbol("s"),
    sympy.eye(3), A, sympy.Array([1, 2, 3]), sympy.Function("f")(sympy.Symbol("s")),
]  # fmt: skip
_IN_PLACE = {operator.add: operator.iadd, operator.mul: operator.imul, operator.sub: operator.isub}


@each("other", [pytest.param(x, id=str(x)) for x in _OF_SYMPY])
def test_a_tensor_computes_with_numbers_of_sympy_and_refuses_the_rest(other: Any) -> None:
    for data, apply, turned in itertools.product(
        (2.5, np.eye(3), [1, 2, 3]), [*_APPLIED, operator.eq, operator.ne], (False, True)
    ):
        t = symgrad.tensor(data, requires_grad=not isinstance(data, list))
        found = _tried(apply, (other, t) if turned else (t, other))
        if getattr(other, "is_number", False):
            number = as_expr(other).number
            wanted = _tried(apply, (number, t) if turned else (t, number))
            if apply is operator.ne and turned:  # SymPy's own is `not other == t`
                continue
            if apply is operator.matmul:
                assert isinstance(found, TypeError) and "a number is no factor" in str(found)
                continue
            if isinstance(wanted, Exception):
                assert type(found) is type(wanted)
                assert apply is operator.matmul or str(found) == str(wanted)
                continue
            assert isinstance(found, symgrad.Tensor) and found.dtype is wanted.dtype
            assert found.requires_grad is wanted.requires_grad
            np.testing.assert_array_equal(found.detach().numpy(), wanted.detach().numpy())
            if apply in _IN_PLACE and not turned and found.dtype is t.dtype:
                changed = t.detach().clone()
                assert _IN_PLACE[apply](changed, other) is changed
                np.testing.assert_array_equal(changed.numpy(), wanted.detach().numpy())
        elif apply in (operator.eq, operator.ne):
            assert found is (apply is operator.ne)
        else:
            assert isinstance(found, TypeError), (found, other, apply, turned)
            assert "from_sympy" in str(found) and "t.expr" in str(found)


def is_of_two(cls: Any) -> bool:
    return issubclass(cls, Elementwise) and cls.arity == 2


@each("name", [n for n, c in PRIMITIVES.items() if is_of_two(c) and n in FUNCTIONS])
def test_functions_of_a_tensor_take_a_number_of_sympy_for_a_number(name: str) -> None:
    """Never for a formula beside which the tensor would lose its gradient."""
    t, function = symgrad.tensor([0.5, 0.25], requires_grad=True), FUNCTIONS[name]
    for turned in (False, True):
        found, wanted = [
            _tried(function, (x, t) if turned else (t, x)) for x in (sympy.Rational(1, 4), 0.25)
        ]
        assert not isinstance(found, ArrayExpr)
        if isinstance(wanted, symgrad.Tensor):
            assert found.requires_grad is wanted.requires_grad and found.dtype is wanted.dtype
            np.testing.assert_array_equal(found.detach().numpy(), wanted.detach().numpy())


def _tried(apply: Any, operands: Any) -> Any:
    try:
        return apply(*operands)
    except (TypeError, ValueError, RuntimeError, NotImplementedError) as error:
        return error
