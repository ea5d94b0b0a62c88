"""`explain`: what `backward` computes, as formulas, a program, source and LaTeX.

The formulas are those of the plan that `backward` runs; nothing is derived again. The display
names the tensors and writes the values of numbers.
"""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import sympy

from numeric.identifiers import normal_form
from numeric.program import Program
from symgrad.backward.formulas import expression_of, named_leaves, read_formula
from symgrad.backward.plan import Plan, find_plan
from symgrad.backward.walking import Walk, walk
from symgrad.differentiate.names import by_name
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import Const, Leaf, Placeholder, check_name
from symgrad.expr.display import latex_lines, mimebundle, shown_latex_lines, shown_lines
from symgrad.expr.graph import free_name, leaves, rebuild, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.sources import keep_sources, leaves_of_source, nodes_written
from symgrad.expr.typesetting import latex
from symgrad.lower.evaluate import of_leaves
from symgrad.lower.executable import Executable
from symgrad.ops.deriving import differentiated_again
from symgrad.ops.identity import forward_value, written
from symgrad.ops.lengths import radial
from symgrad.ops.masked import masked
from symgrad.ops.primitive import Primitive
from symgrad.ops.signs import sgn, sign
from symgrad.ops.where import where
from symgrad.record.function_node import FunctionNode
from symgrad.record.naming import name_after_variables
from symgrad.record.record import Recorded
from symgrad.record.tape import LeafVertex


class Gradients(Mapping[Any, ArrayExpr]):
    """The formula of each gradient, by tensor, by leaf, or by name.

    Iteration gives the leaves. What is differentiated is shown as `label`.
    """

    def __init__(
        self, formulas: dict[Leaf, ArrayExpr], leaves_of: Mapping[LeafVertex, Leaf] | None = None
    ) -> None:
        self._formulas = formulas
        self.label = "y"
        self._by_name: dict[str, list[Leaf]] = {}
        for x in formulas:
            self._by_name.setdefault(x.name, []).append(x)
        # A tensor may be shown under another name later.
        self._leaves_of = weakref.WeakKeyDictionary(leaves_of or {})

    def __getitem__(self, key: Any) -> ArrayExpr:
        leaf: Any = key
        if isinstance(key, Recorded):
            leaf = self._leaves_of.get(key._vertex or key._leaf())
            if leaf is None:
                leaf = expression_of(key)
        elif isinstance(key, str):
            leaf, *others = self._by_name.get(normal_form(key), [None])
            if others:
                raise KeyError(f"several leaves are named {key!r}: give the leaf itself")
        found = self._formulas.get(leaf) if isinstance(leaf, Leaf) else None
        if found is None:
            what = repr(key) if isinstance(key, (str, ArrayExpr)) else type(key).__name__
            raise KeyError(
                f"no gradient with respect to {what}: there are those with respect to "
                + (", ".join(self._by_name) or "nothing")
            )
        return found

    def __iter__(self) -> Iterator[Leaf]:
        return iter(self._formulas)

    def __len__(self) -> int:
        return len(self._formulas)

    def __contains__(self, key: object) -> bool:
        try:
            self[key]
        except KeyError:
            return False
        return True

    def __repr__(self) -> str:
        labels = [f"d/d{x.name}" for x in self._formulas]
        return shown_lines(labels, list(self._formulas.values()))

    def _repr_latex_(self) -> str:
        return shown_latex_lines(self.latex_labels(), list(self._formulas.values()))

    _repr_mimebundle_ = mimebundle

    def latex_labels(self) -> list[str]:
        """Return the derivatives as quotients of differentials."""
        return [rf"\frac{{\partial {self.label}}}{{\partial {latex(x)}}}" for x in self._formulas]


class Explanation:
    """What `explain` returns.

    Attributes
    ----------
    expr : ArrayExpr
        The formula of the value.
    gradients : Gradients
        The formula of the gradient with respect to each leaf that requires one.
    program : numeric.Program
        The program that `backward` runs; its inputs are the values that the forward pass saved.
    untraced : list
        The reasons why derivatives of custom functions have a name and no formula: what tracing
        cannot do, and the line that needs it.
    """

    def __init__(self, expr: ArrayExpr, gradients: Gradients, program: Program) -> None:
        self.expr = expr
        self.gradients = gradients
        self.program = program
        inputs = leaves(*self._parts())
        if any(x.name == "y" for x in inputs):
            gradients.label = free_name("f", inputs)
        keep_sources(gradients.values(), leaves_of_source(expr), nodes_written(expr))
        parts = [x for x in toposort([expr, *gradients.values()]) if isinstance(x, Primitive)]
        self.untraced = list(dict.fromkeys(x.untraced for x in parts if x.untraced is not None))

    def source(self, name: str = "gradients", inputs: Iterable[Any] | None = None) -> str:
        """Return stand-alone NumPy source of a function that computes the gradients.

        Parameters
        ----------
        name : str
            The function's name, a Python identifier.
        inputs : sequence of leaf or str, optional
            Its parameters, in order; by default the leaves in the order of their names.

        Returns
        -------
        str
            The function takes the leaves of the formulas, by position or keyword, and returns a
            tuple of gradients in the order of `gradients`.
        """
        return of_leaves(list(self.gradients.values()), inputs, check_name(name)).source()

    def _parts(self) -> list[ArrayExpr]:
        return [self.expr, *self.gradients.values()]

    def _latex_labels(self) -> list[str]:
        return [self.gradients.label, *self.gradients.latex_labels()]

    def latex(self) -> str:
        r"""Return LaTeX of the value and of each gradient, as lines of an `aligned` block."""
        return latex_lines(self._latex_labels(), self._parts(), [self.expr])

    def _repr_latex_(self) -> str:
        return shown_latex_lines(self._latex_labels(), self._parts(), [self.expr])

    _repr_mimebundle_ = mimebundle

    def __repr__(self) -> str:
        labels = [self.gradients.label, *(f"d/d{x.name}" for x in self.gradients)]
        shown = shown_lines(labels, self._parts(), [self.expr])
        return "\n".join([shown, *map(str, self.untraced)])


def explain(y: Any) -> Explanation:
    """Return the formula of a value, its gradients as `backward` computes them, and their program.

    Parameters
    ----------
    y : Tensor or ArrayExpr
        A result. If it has several elements, the leaf `gradient` in the formulas stands for the
        argument of `backward`. Tensors without a name are shown under that of a variable of the
        caller that holds them.

    Returns
    -------
    Explanation

    Raises
    ------
    RuntimeError
        If `y` is a tensor that does not require a gradient.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.tensor(2.0, requires_grad=True, name="x")
    >>> symgrad.explain(3 * x**2).gradients["x"]
    6 * x
    """
    if isinstance(y, ArrayExpr):
        return _explain_expr(y)
    if not isinstance(y, Recorded):
        raise TypeError(f"explain() takes a tensor or an expression, not {type(y).__name__}")
    if not y._rg:
        raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
    return _explain_tensor(y)


def _explain_tensor(y: Any) -> Explanation:
    vertex = y._vertex or y._leaf()
    walked = walk([vertex])
    name_after_variables([v for v in walked.order if isinstance(v, LeafVertex)])
    made = named_leaves(walked)
    formula, written_over = read_formula(walked, vertex, made)
    # The plan does not name values that were written over.
    if written_over or any(isinstance(v, FunctionNode) for v in walked.order):
        return _explain_expr(formula, {v: x for v, x in made.items() if v.requires_grad})
    seed = None if y._aval.size == 1 and y._aval.dtype.is_floating_point else len(walked.values)
    plan = find_plan(walked, [vertex], (seed,), None, with_formulas=True)
    names = _names(walked, made, seed, y)
    formulas = _formulas(plan, names)
    targets = [v for v in walked.order if isinstance(v, LeafVertex) and v.requires_grad]
    found = {v: g for v, g in zip(targets, formulas, strict=False) if g is not None}
    shown = by_name([*found.values()], [formula])
    ct = _cotangent(formula) if seed is None else names[_seed_leaf(seed, y)]
    wrt = [made[v] for v in found]
    gradients = Gradients(
        dict(zip(wrt, _differentiable(shown, formula, ct, wrt), strict=True)),
        dict(zip(found, wrt, strict=True)),
    )
    program = dataclasses.replace(plan.program, inputs=_input_names(plan, names))
    return Explanation(formula, gradients, program)


def _names(
    walked: Walk, made: dict[Any, Leaf], seed: int | None, y: Any
) -> dict[ArrayExpr, ArrayExpr]:
    """Return the leaf or number that is displayed for each placeholder of a plan."""
    names: dict[ArrayExpr, ArrayExpr] = {
        Placeholder(f"v{walked.position[v]}", x.shape, x.dtype): x for v, x in made.items()
    }
    names.update(walked.number_leaves())
    if seed is not None:
        name = free_name("gradient", made.values())
        names[_seed_leaf(seed, y)] = Leaf(name, y._aval.shape, y._aval.dtype)
    return names


def _seed_leaf(seed: int, y: Any) -> ArrayExpr:
    """Return the leaf of a plan for the argument of `backward`."""
    return Placeholder(f"g{seed}", y._aval.shape, y._aval.dtype)


def _cotangent(y: ArrayExpr) -> ArrayExpr:
    """Return the cotangent of a formula of one element."""
    ct: ArrayExpr = Const(1, y.dtype)
    return ct.broadcast_to(y.shape) if y.shape else ct


def _differentiable(
    gradients: Sequence[ArrayExpr], y: ArrayExpr, ct: ArrayExpr, wrt: Sequence[Leaf]
) -> list[ArrayExpr]:
    """Return gradients of `y` with the derivatives that they have where a length is 0.

    What `backward` computes there is chosen, and no more is known of it.
    """
    choices = any(isinstance(x, (where, sgn, sign)) for x in toposort(gradients))
    if not choices:
        return list(gradients)
    with differentiated_again():
        formulas = vjp([y], [ct], wrt)
    made = []
    for g, f in zip(gradients, formulas, strict=True):
        known = f is not None and any(isinstance(x, radial) for x in toposort([f]))
        made.append(written(g, f) if known else g)
    return made


def _formulas(plan: Plan, names: dict[ArrayExpr, ArrayExpr]) -> list[ArrayExpr | None]:
    def visit(node: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        # Values of the forward pass are displayed as formulas, without their masks.
        if type(node) is forward_value or (type(node) is masked and node in plan.given):
            return operands[0]
        if not operands:
            return names.get(node, node)
        joined = getattr(type(node), "joined", None)
        if joined and joined[0] is sympy.Add and all(type(x) is Const for x in operands):
            numbers = [s * x.value for x, s in zip(operands, joined[1], strict=True)]
            return Const(sum(numbers))  # such as an exponent less one
        return node.func(*operands, *node.args[len(operands) :])  # type: ignore[no-any-return]

    made = iter(rebuild([g for g in plan.formulas if g is not None], visit))
    return [None if g is None else next(made) for g in plan.formulas]


def _input_names(plan: Plan, names: dict[ArrayExpr, ArrayExpr]) -> tuple[tuple[int, str], ...]:
    """Return the inputs of the program, named after leaves, or s0, s1, … for forward values."""
    by_position = {position: node for node, position in reversed(plan.given.items())}
    taken = {x.name for x in names.values() if isinstance(x, Leaf)}
    fresh = (n for i in range(len(taken) + len(plan.given)) if (n := f"s{i}") not in taken)
    out = []
    for slot, label in plan.program.inputs:
        node = by_position[int(label[1:])]
        shown = names.get(node)
        out.append((slot, shown.name if isinstance(shown, Leaf) else next(fresh)))
    return tuple(out)


def _explain_expr(y: ArrayExpr, leaves_of: Mapping[LeafVertex, Leaf] | None = None) -> Explanation:
    """Explain an expression by the gradients with respect to some leaves, by default all."""
    if leaves_of is None:
        wrt = [x for x in leaves(y) if x.dtype.differentiable]
    else:
        wrt = list(leaves_of.values())
    ct = _cotangent(y)
    if y.size != 1:
        ct = Leaf(free_name("gradient", leaves(y)), y.shape, y.dtype)
    found = vjp([y], [ct], wrt)
    formulas = {x: g for x, g in zip(wrt, found, strict=True) if g is not None}
    inputs = leaves(*formulas.values())
    given: dict[ArrayExpr, int] = {x: i for i, x in enumerate(inputs)}
    labels = [x.name for x in inputs]
    executable = Executable(list(formulas.values()), given, labels, "gradient")
    shown = by_name([*formulas.values()], [y])
    known = _differentiable(shown, y, ct, [*formulas])
    gradients = Gradients(dict(zip(formulas, known, strict=True)), leaves_of)
    return Explanation(y, gradients, executable.program)
