"""The value of an expression, from arrays for its leaves."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.identifiers import normal_form
from symgrad.expr.atoms import Leaf, differing
from symgrad.expr.graph import toposort
from symgrad.expr.named_sizes import NamedSize, is_named
from symgrad.expr.node import ArrayExpr
from symgrad.expr.sizing import names_of, size_names
from symgrad.expr.sources import lost_leaves
from symgrad.lower.executable import Executable
from symgrad.lower.points import at_points, common_shape
from symgrad.lower.sizes import bound, checked_size, fits, require_numbers
from symgrad.lower.values import array_of, as_value
from symgrad.support.quiet import quietly
from symgrad.support.remembered import Remembered


def input_names(*roots: ArrayExpr) -> dict[ArrayExpr, str]:
    """Return the leaves of `roots` with their names, in the order of first use.

    Raises
    ------
    ValueError
        If two leaves share a name, or a leaf and a size.
    """
    return _inputs(roots)[0]


def _inputs(roots: Sequence[ArrayExpr]) -> tuple[dict[ArrayExpr, str], set[str]]:
    """Return the leaves of formulas with their names, and the names of sizes."""
    names: dict[ArrayExpr, str] = {}
    owners: dict[str, Leaf] = {}
    nodes = toposort(roots)
    for x in nodes:
        if not isinstance(x, Leaf):
            continue
        other = owners.setdefault(x.name, x)
        if other is not x:
            raise ValueError(differing(other, x))
        names[x] = x.name
    sizes = names_of(nodes)
    for name in sizes.intersection(owners):
        raise ValueError(f"the formula has a size {name!r} and a leaf {name!r}: rename one of them")
    return names, sizes


def parameters(
    roots: Sequence[ArrayExpr], inputs: Iterable[Any] | None = None
) -> dict[ArrayExpr, str]:
    """Return the leaves, with their names, in the order in which a function takes them.

    Parameters
    ----------
    roots : sequence of ArrayExpr
        The formulas that the function computes.
    inputs : iterable, optional
        Leaves, or their names, in this order; leaves that do not occur are parameters too.
        By default the leaves that occur in the order of their names (`x2` before `x10`), so that a
        formula and its derivatives take them in one order.

    Raises
    ------
    ValueError
        If two leaves share a name, a leaf is missing or given twice, or a name is unknown.
    TypeError
        If something else is given.
    """
    require_numbers(*roots)
    names = input_names(*roots)
    if inputs is None:
        return dict(sorted(names.items(), key=lambda item: _by_number(item[1])))
    if isinstance(inputs, (str, sympy.Basic)) or not isinstance(inputs, Iterable):
        raise TypeError("inputs= takes a sequence of leaves or their names, in the order wanted")
    known = {name: x for x, name in names.items()}
    leaf_of = _LeafOf(roots, known)
    ordered: dict[ArrayExpr, str] = {}
    for key in inputs:
        found = leaf_of(key)
        if len(found) > 1:
            raise ValueError(
                "the expression was derived from formulas with different leaves "
                f"{found[0].name!r}: give the leaf itself among the inputs"
            )
        (x,) = found
        if x in ordered:
            raise ValueError(f"{x.name!r} is given twice among the inputs")
        if known.setdefault(x.name, x) is not x:
            raise ValueError(
                f"the input {x.name!r} has shape {x.shape} and dtype {x.dtype.name}; the "
                f"expression has one of shape {known[x.name].shape} and dtype "
                f"{known[x.name].dtype.name}"
            )
        ordered[x] = x.name
    missing = [name for x, name in names.items() if x not in ordered]
    if missing:
        raise ValueError(f"the expression has leaves that are not among the inputs: {missing}")
    return ordered


def of_leaves(
    formulas: Sequence[ArrayExpr], inputs: Iterable[Any] | None = None, name: str = "f"
) -> Executable:
    """Return formulas as an executable of their leaves, in the order of `parameters`."""
    names = parameters(formulas, inputs)
    given: dict[ArrayExpr, int] = {x: i for i, x in enumerate(names)}
    return Executable(formulas, given, tuple(names.values()), name)


def _by_number(name: str) -> tuple[Any, ...]:
    """Return a key by which names are sorted with their numbers: x2 before x10."""
    words = re.split(r"([0-9]+)", name)
    return [int(w) if i % 2 else w for i, w in enumerate(words)], name


def evaluate(self: ArrayExpr, values: Mapping[Any, Any] | None = None) -> np.ndarray[Any, Any]:
    """Return the value of the expression as a new NumPy array.

    Parameters
    ----------
    values : mapping
        For each leaf, by the leaf itself or by its name, an array of its shape or an object that
        `np.asarray` converts to one; SymPy's numbers are numbers, too. The array is converted to
        the leaf's dtype. A 0-d leaf takes an array of any shape as well, of which each element is
        one point; the arrays of several leaves are broadcast to one shape. A leaf that does not
        occur is ignored, since simplification may have removed it, and so is the name of one that a
        derivative lost; any other name is refused, since it may be a typing error.

    Returns
    -------
    numpy.ndarray
        An array of the dtype and shape of the expression; where 0-d leaves have arrays, their shape
        comes first. NumPy gives no floating-point warnings.

    Raises
    ------
    ValueError
        For a leaf without a value, an unknown name, a value of another shape, a number outside the
        leaf's dtype, or two leaves of one name. The message names the leaf.
    TypeError
        For a value that cannot be converted to the leaf's dtype.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (2,))
    >>> (2 * x).evaluate({"x": [1, 2]})
    array([2., 4.])
    >>> t = symgrad.leaf("t")
    >>> (t * x).evaluate({t: [0, 1, 2], x: [1, 2]})
    array([[0., 0.],
           [1., 2.],
           [2., 4.]])
    """
    prepared = _evaluations.table().get(self) or _evaluations.recall(self) or _prepare(self)
    names, kind = prepared.names, self.dtype.numpy
    known = prepared.known_values({} if values is None else values)
    if known is not None:
        (result,) = quietly(prepared.executable.run, known)
        return own_array(result, kind, known)
    leaf_of = _LeafOf([self], {name: x for x, name in names.items()})
    given, sizes = _by_leaf(leaf_of, {} if values is None else values)
    missing = [name for x, name in names.items() if x not in given]
    if missing:
        raise ValueError(
            f"no value for {_listed(missing)}; "
            f"the expression has the leaves {_listed(names.values())}"
        )
    if prepared.sizes or sizes or any(is_named(x.shape) for x in given):
        given = {x: array_of(x, value) for x, value in given.items()}
        self, given = bound(self, given, sizes)
        names = input_names(self)
    arrays = {x: as_value(x, value) for x, value in given.items()}
    shape = common_shape(arrays.items())
    if shape:
        result = at_points(self, list(arrays))(list(arrays.values()), shape)
    elif self is prepared.formula:
        (result,) = quietly(prepared.executable.run, [arrays[x] for x in names])
    else:
        executable = Executable([self], {x: i for i, x in enumerate(names)})
        (result,) = quietly(executable.run, [arrays[x] for x in names])
    return own_array(result, kind, arrays.values())


class _Prepared:
    """What is known of a formula before it is evaluated.

    Attributes
    ----------
    names : dict
        Its leaves with their names.
    sizes : set of str
        The names of sizes.
    executable : Executable
        Its program, which takes the values of the leaves in their order.
    """

    __slots__ = ("_keys", "executable", "formula", "names", "sizes")

    def __init__(self, formula: ArrayExpr) -> None:
        self.formula = formula
        self.names, self.sizes = _inputs([formula])
        self.executable = Executable([formula], {x: i for i, x in enumerate(self.names)})
        self._keys = list(self.names.items())

    def known_values(self, values: Any) -> list[np.ndarray[Any, Any]] | None:
        """Return the values of the leaves in their order, where each leaf has one and nothing else.

        None where something has to be looked at more closely.
        """
        if type(values) is not dict or len(values) != len(self._keys) or self.sizes:
            return None
        found = []
        for x, name in self._keys:
            value = values.get(name, values.get(x))
            if value is None:
                return None
            array = as_value(x, value)
            if array.shape != x.shape:
                return None
            found.append(array)
        return found

    def bytes(self) -> int:
        """Return about how much memory it holds."""
        program = self.executable.program
        return 10_000 + 1_800 * len(program) + sum(map(_bytes_of, program.constants.values()))


def _bytes_of(x: Any) -> int:
    return getattr(x, "nbytes", 0)


#: Formulas that were evaluated, which may be evaluated again.
_evaluations: Remembered[_Prepared] = Remembered(64 * 2**20, _Prepared.bytes)


def _prepare(formula: ArrayExpr) -> _Prepared:
    """Return what is known of a formula, which is remembered if it is not large."""
    made = _Prepared(formula)
    if not made.sizes and made.bytes() < _evaluations.most // 8:
        return _evaluations.keep(formula, made)
    return made


def own_array(
    result: Any, kind: np.dtype[Any], inputs: Iterable[np.ndarray[Any, Any]]
) -> np.ndarray[Any, Any]:
    """Return a result as a new array of a dtype.

    Writing to it changes neither an input nor a constant of the formula.
    """
    array = np.asarray(result, dtype=kind)
    own = array.base is None and array.flags.writeable
    return array if own and not any(array is x for x in inputs) else array.copy()


class _LeafOf:
    """The leaves that are meant by what users give for them.

    Parameters
    ----------
    roots : sequence of ArrayExpr
        Formulas.
    names : mapping
        Their leaves, by name.
    """

    def __init__(self, roots: Sequence[ArrayExpr], names: Mapping[str, ArrayExpr]) -> None:
        self.roots = roots
        self.names = names

    @functools.cached_property
    def lost(self) -> dict[str, list[Leaf]]:
        """The leaves that formulas had which these were derived from."""
        return lost_leaves(self.roots)

    @functools.cached_property
    def sizes(self) -> set[str]:
        """The names of sizes of the formulas, and of those leaves."""
        lost = [x for leaves in self.lost.values() for x in leaves]
        return size_names([*self.roots, *lost])

    def size_name(self, key: Any) -> str | None:
        """Return the name of a size that is given by itself, by its name or symbol; else None."""
        name = str(key) if isinstance(key, (str, sympy.Symbol, NamedSize)) else ""
        return name if name and name not in self.names and name in self.sizes else None

    def __call__(self, key: Any) -> list[Leaf]:
        """Return the leaf that is given as a leaf, a name, a symbol of SymPy or a tensor.

        It is the only one, unless the formulas lost several leaves of the name.
        """
        x = key
        if not isinstance(key, (Leaf, str, sympy.Symbol)):
            x = getattr(key, "expr", key)  # a tensor that is a leaf
        if isinstance(x, (str, sympy.Symbol)):
            name = normal_form(x if isinstance(x, str) else x.name)
            if name in self.names:
                x = self.names[name]
            elif name in self.lost:
                return self.lost[name]
            else:
                raise ValueError(
                    f"there is no leaf {name!r}; the expression has the leaves "
                    + _listed(self.names)
                )
        if not isinstance(x, Leaf):
            raise TypeError(f"values are given for leaves or their names, not for {key!r}")
        meant = self.names.get(x.name)
        return [meant if isinstance(meant, Leaf) and meant.is_named_as(x) else x]


def _by_leaf(leaf_of: _LeafOf, values: Any) -> tuple[dict[ArrayExpr, Any], dict[str, int]]:
    """Return the values of leaves, and those of sizes that are given by their names."""
    if not isinstance(values, Mapping):
        raise TypeError(
            f"evaluate() takes a mapping from leaves or their names to values, "
            f"got {type(values).__name__}"
        )
    given: dict[ArrayExpr, Any] = {}
    sizes: dict[str, int] = {}
    for key, value in values.items():
        name = leaf_of.size_name(key)
        if name is not None:
            sizes[name] = checked_size(name, value)
            continue
        x, *others = leaf_of(key)
        if others:  # the formula has none of them, and needs the sizes of the one that is meant
            meant = [leaf for leaf in (x, *others) if fits(leaf.shape, np.shape(value))]
            if len(meant) != 1:
                continue
            (x,) = meant
        if x in given:
            raise ValueError(f"{x.name!r} is given twice, by name and as a leaf")
        given[x] = value
    return given, sizes


def _listed(names: Any) -> str:
    return ", ".join(map(repr, names)) or "(none)"


EVALUATED: dict[str, Any] = {"evaluate": evaluate}
