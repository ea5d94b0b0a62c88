"""What a rewrite is: a rule that gives an equal formula for nodes of certain classes."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from symgrad.differentiate.sweeps import with_derivative_rewrites
from symgrad.expr.node import ArrayExpr
from symgrad.ops.primitive import Primitive
from symgrad.ops.rewriting import Among

Rule: TypeAlias = Callable[..., ArrayExpr | None]

#: Types of operands: themselves, or what tells whether a type is one of them.
Types: TypeAlias = Collection[type[ArrayExpr]] | Among

#: Makes formulas to which a rewrite applies, as a user writes them.
Samples: TypeAlias = Callable[[], Sequence[Any]]


class Kind(enum.Enum):
    """The formulas that a rewrite applies to, which decide what it may change."""

    VALUE = "values"
    DERIVATIVE = "derivatives"
    STABLE = "stable forms"


class Rewrite:
    """One entry of the table of rewrites.

    Attributes
    ----------
    rule : callable
        Returns an equal formula, or None where the rewrite does not apply. The arguments are the
        operands and parameter values of a node, after its class where `by_class`; the argument of
        a stable form is the node.
    kind : Kind
        The formulas that the rewrite applies to.
    roots : tuple of type
        The classes of the nodes that the rewrite replaces.
    among : callable or None
        Whether a type has the fact that an operand of a node needs; the rule is called only for a
        node with such an operand, and for every node where this is None.
    by_class : bool
        Whether the first argument of the rule is the class of the node.
    samples : callable
        Makes formulas to which the rewrite applies, as a user writes them.
    """

    __slots__ = ("among", "by_class", "kind", "roots", "rule", "samples")

    def __init__(
        self, rule: Rule, kind: Kind, roots: Sequence[type[Primitive]],
        among: Types, by_class: bool, samples: Samples,
    ) -> None:  # fmt: skip
        self.rule, self.kind, self.roots = rule, kind, tuple(roots)
        self.among = among if callable(among) else frozenset(among).__contains__ if among else None
        self.by_class, self.samples = by_class, samples

    def __repr__(self) -> str:
        return f"<rewrite {self.name}>"

    @property
    def name(self) -> str:
        """The name of the rule."""
        return self.rule.__name__

    @property
    def sentence(self) -> str:
        """The first sentence of the rule's docstring, which says what the rewrite does."""
        return " ".join((inspect.getdoc(self.rule) or "").partition("\n\n")[0].split())

    def __call__(self, *args: Any) -> ArrayExpr | None:
        return self.rule(*args)

    def rule_of(self, root: type[Primitive]) -> Rule:
        """Return the rule for nodes of one of the classes."""
        return partial(self.rule, root) if self.by_class else self.rule

    def enter(self) -> None:
        """Enter the rewrite in its classes; it is tried after those that were entered before."""
        for root in self.roots:
            rule = self.rule_of(root)
            if self.kind is Kind.STABLE:
                root.stable_forms.append(rule)
                continue
            root.derivative_rules.enter(rule, self.among)
            if self.kind is Kind.VALUE:
                root.rules.enter(rule, self.among)

    def applied(self, node: Any) -> ArrayExpr | None:
        """Return the formula that replaces a node, or None where the rewrite does not apply."""
        if type(node) not in self.roots:
            return None
        rule = self.rule_of(type(node))
        if self.kind is Kind.STABLE:
            return _in_a_derivative(rule, node)
        if self.among is not None and not any(map(self.among, map(type, node.operands))):
            return None
        arguments = (*node.operands, *node.param_values)
        if self.kind is Kind.VALUE:
            return rule(*arguments)
        return _in_a_derivative(rule, *arguments)

    def examples(self) -> Iterator[tuple[ArrayExpr, ArrayExpr]]:
        """Yield each sample and the formula that replaces it.

        Raises
        ------
        AssertionError
            If the rewrite does not apply to one of its samples.
        """
        for node in self.samples():
            made = self.applied(node)
            assert made is not None, f"{self.name} does not apply to its sample {node}"
            yield node, made


@with_derivative_rewrites
def _in_a_derivative(rule: Rule, *arguments: Any) -> ArrayExpr | None:
    return rule(*arguments)


def rewrite(
    *roots: type[Primitive], samples: Samples, among: Types = (),
    values: bool = False, by_class: bool = False,
) -> Callable[[Rule], Rewrite]:  # fmt: skip
    """Make a rewrite of a rule: for derivatives, and with `values` for values as well.

    The other parameters are attributes of `Rewrite`; `among` may also be types, of which an operand
    has one. The order of rewrites is that of `TABLE`.
    """
    kind = Kind.VALUE if values else Kind.DERIVATIVE
    return lambda rule: Rewrite(rule, kind, roots, among, by_class, samples)


def stable_form(*roots: type[Primitive], samples: Samples) -> Callable[[Rule], Rewrite]:
    """Make a rewrite of a rule that returns a stable form of a node, which is differentiated."""
    return lambda rule: Rewrite(rule, Kind.STABLE, roots, (), False, samples)
