"""Compiled functions: traced once for each structure of shapes and dtypes, and run as programs.

Arguments become leaves, results formulas of them. Tensors that a function reads from around it, as
the parameters of a network, are arguments of the program as well: each call reads their values, and
gradients arrive at them.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import pickle
import random
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from numeric.identifiers import fresh_name
from numeric.program import Program
from symgrad.autograd.arrays import OF_NUMPY, as_tensors, holds_arrays
from symgrad.autograd.program_calls import Call
from symgrad.autograd.surroundings import Surroundings
from symgrad.autograd.vmap.trees import Tree, flattened
from symgrad.backward.formulas import read_formula
from symgrad.backward.walking import walk
from symgrad.expr.atoms import Leaf, as_expr
from symgrad.expr.devices import device
from symgrad.expr.dtypes import complex128, dtype, float64, from_numpy_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.lower.executable import Executable
from symgrad.record.modes import state
from symgrad.record.record import Recorded
from symgrad.record.tape import LeafVertex
from symgrad.support.locks import new_lock
from symgrad.support.scopes import Scope, back_to, together
from symgrad.support.untraceable import (
    Untraceable,
    UntraceableValue,
    place_of,
    running_trace,
    traced,
)

F = TypeVar("F", bound=Callable[..., Any])

#: Of so many structures a compiled function keeps the programs.
_MAX_PROGRAMS = 64


class CacheInfo(NamedTuple):
    """How the programs of a compiled function have been used."""

    hits: int
    misses: int
    maxsize: int
    currsize: int


def compile(func: Callable[..., Any]) -> Compiled:
    """Return a function that runs as a program, which is made at the first call.

    Parameters
    ----------
    func : callable
        A function of arrays, tensors, numbers and containers of them, in symgrad's or NumPy's
        functions; or a transform of one, as `grad(f)`. It is called on formulas, once for each
        structure of shapes and dtypes, and must give the same formulas at each call.

    Returns
    -------
    Compiled
        Of NumPy arrays it returns NumPy arrays, and tensors where an argument is a tensor, or
        `func` reads one from around it that requires a gradient. Where one of these requires a
        gradient, the call is one operation of the graph, which can be differentiated to any order.

    Raises
    ------
    TypeError
        When it is called: if `func` needs the value of an array, as for a branch, draws random
        numbers, or changes a tensor from around it, returns what is no array or constant, or an
        argument is an array of a class that adds to NumPy's.

    Notes
    -----
    The values of tensors from around `func`, as the parameters of a network, are read at each call.
    What else `func` reads there by a word in its code, or in the code of what it calls, is looked at
    before each call: global variables, variables of enclosing functions, attributes of objects and
    of arguments, elements of containers and of NumPy arrays. Where one is another than before, as
    the parameter of a layer or whether a network is in training, `func` is traced again. A large
    NumPy array is better an argument, since its elements are compared.

    Not seen is what else may change from call to call: the time, a file, an iterator, the
    environment, an element of a container of more than 1,000, what is found by a computed name, a
    global variable of an installed package.
    What `func` itself changes, as a counter or a list, it changes when it is traced.

    Examples
    --------
    >>> import numpy as np
    >>> import symgrad as torch
    >>> f = torch.func.compile(torch.func.value_and_grad(lambda x: (np.sin(x) * x).sum()))
    >>> f(np.array([0.0, 1.0]))
    (np.float64(0.8414709848078965), array([0.        , 1.38177329]))
    >>> f.expr
    (sum(sin(x) * x), sin(x) + x * cos(x))
    """
    if isinstance(func, Compiled):
        return func
    if not callable(func):
        raise TypeError(f"compile() takes a function, got {type(func).__name__}")
    if inspect.isgeneratorfunction(func) or inspect.iscoroutinefunction(func):
        raise TypeError(
            f"{_shown(func)}: a generator or coroutine has no formula; return its arrays in a list"
        )
    return Compiled(func)


class Compiled:
    """A function that runs as programs, one for each structure of its arguments.

    Attributes
    ----------
    expr
        The formulas of the last call, in the structure of its result.
    program : numeric.Program
        The program of the last call.
    """

    def __init__(self, func: Callable[..., Any]) -> None:
        functools.update_wrapper(self, func)
        self._func = func
        self._programs: OrderedDict[Any, Traced] = OrderedDict()
        self._lock = new_lock()
        self._counts = [0, 0]
        self._last: Traced | None = None

    def __repr__(self) -> str:
        return f"compile({getattr(self._func, '__qualname__', self._func)!s})"

    def __reduce__(self) -> Any:
        return compile, (self._func,)  # a copy makes its own programs

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # Arguments that are arrays need no walk, and are their own key beside structures in text.
        plain = not kwargs and _ARRAYS.issuperset(map(type, args))
        values, tree = (args, None) if plain else flattened((args, kwargs))
        kinds = tuple([_kind_of(x) for x in values])
        special = state.state.special
        aside = special and special.keys() & _ASIDE
        if aside or _FORMULA in kinds or running_trace.errors is not None:
            return self._func(*args, **kwargs)
        return self._found(args, kwargs, values, kinds, tree).run(values)

    def traced(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Traced:
        """Return the function as it is traced for arguments of a structure, which are arrays."""
        values, tree = flattened((args, kwargs))
        return self._found(args, kwargs, values, tuple(map(_kind_of, values)), tree)

    def _found(self, args: Any, kwargs: Any, values: Any, kinds: Any, tree: Any) -> Traced:
        key = kinds if tree is None else (tree.key(_typed), kinds)
        found = self._programs.get(key)
        is_new = found is None or not found.fits()
        if found is None or is_new:
            found = Traced(self._func, values, kinds, flattened((args, kwargs))[1])
        with self._lock:
            self._counts[is_new] += 1
            if is_new or key in self._programs:
                self._programs[key] = found
                self._programs.move_to_end(key)
                while len(self._programs) > _MAX_PROGRAMS:
                    self._programs.popitem(last=False)
        self._last = found
        return found

    def cache_info(self) -> CacheInfo:
        """Return how often a program was there and was made, and how many there are.

        Examples
        --------
        >>> import numpy as np
        >>> import symgrad as torch
        >>> f = torch.func.compile(lambda x: x + 1)
        >>> _ = f(np.zeros(2)), f(np.ones(2)), f(np.ones(3))
        >>> f.cache_info()
        CacheInfo(hits=1, misses=2, maxsize=64, currsize=2)
        """
        with self._lock:
            hits, misses = self._counts
            return CacheInfo(hits, misses, _MAX_PROGRAMS, len(self._programs))

    def cache_clear(self) -> None:
        """Forget all programs."""
        with self._lock:
            self._programs.clear()
            self._counts[:] = 0, 0

    @property
    def expr(self) -> Any:
        return self._latest("expr").expr

    @property
    def program(self) -> Program:
        return self._latest("program").executable.program

    def source(self) -> str:
        """Return stand-alone NumPy source of the last call: of a function of its arrays.

        It returns an array, or the arrays of a container one after the other in a tuple.

        Examples
        --------
        >>> import numpy as np
        >>> import symgrad as torch
        >>> f = torch.func.compile(lambda x, y: x * y)
        >>> f(2.0, np.ones(2))
        array([2., 2.])
        >>> print(f.source().splitlines()[-1])
            return t1
        """
        return self._latest("source()").source()

    def save(self, path: Any) -> None:
        """Write `source()` to a file, which needs NumPy alone, and SciPy for special functions.

        Parameters
        ----------
        path : str or path-like
            Where to write; what is there is replaced.
        """
        Path(path).write_text(self._latest("save()").source(), encoding="utf-8")

    def _latest(self, what: str) -> Traced:
        if self._last is None:
            raise RuntimeError(
                f"{self!r} has no {what} before it is called: that makes the program"
            )
        return self._last


def of_arrays_too(transformed: F) -> F:
    """Return a function of tensors and formulas which computes on NumPy's arrays compiled.

    Beside tensors, and where a function around it is traced, arrays are tensors.
    """
    compiled = Compiled(transformed)

    @functools.wraps(transformed)
    def call(*args: Any, **kwargs: Any) -> Any:
        if holds_arrays(args):
            return compiled(*args, **kwargs)
        return transformed(*as_tensors(args), **kwargs)

    return call  # type: ignore[return-value]


# ------------------------------------------------------------------ arguments

#: The types of arguments that are arrays, beside subclasses.
_ARRAYS = frozenset({np.ndarray, np.float64, float})
#: The types of constants, which are what they are equal to.
_CONSTANTS = (int, bool, str, bytes, type(None), type(...), type, dtype, np.dtype, Enum, device)
#: The kind of an argument that is a number of Python's.
_FLOAT = (float, (), float64)
#: What stands for the kind of an argument that is a formula.
_FORMULA = "formula"
#: Modes in which a function is called as it is: `vmap`, and forward differentiation.
_ASIDE = frozenset({"batching", "level"})


def _kind_of(x: Any) -> Any:
    """Return what of an argument decides the program: of arrays shape and dtype, else the value."""
    if type(x) is float:
        return _FLOAT
    if type(x) is np.ndarray:
        return np.ndarray, x.shape, x.dtype
    if isinstance(x, Recorded):
        return Recorded, x._aval.shape, x._aval.dtype
    if isinstance(x, OF_NUMPY):
        if isinstance(x, np.ndarray) and type(x) is not np.memmap:
            raise TypeError(
                f"a compiled function takes NumPy's plain arrays, got {type(x).__name__}: pass "
                "np.asarray(x), without what the class adds"
            )
        return np.ndarray, x.shape, x.dtype
    if isinstance(x, ArrayExpr):
        return _FORMULA
    if type(x) is complex:
        return complex, (), complex128
    return type(x), _typed(x)


def _typed(x: Any) -> Any:
    """Return what an argument is told from others by: of constants type and value, else itself."""
    if isinstance(x, _CONSTANTS):
        return type(x), x
    if type(x) is float or type(x) is complex:
        return type(x), repr(x)
    if type(x) in (tuple, frozenset):
        return type(x), type(x)(map(_typed, x))
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        return type(x), tuple([_typed(getattr(x, f.name)) for f in dataclasses.fields(x)])
    return type(x), id(x)  # the program keeps it


def _is_input(kind: Any) -> bool:
    return len(kind) == 3


# ------------------------------------------------------------------ one structure


class Traced:
    """A function for arguments of one structure: formulas, and the program of them.

    Attributes
    ----------
    expr
        The formulas, in the structure of the result.
    captured : list of Tensor
        The tensors from around it that it reads.
    args : tuple
        The positional arguments, with leaves in the place of arrays.
    """

    def __init__(
        self, func: Callable[..., Any], values: Sequence[Any], kinds: Sequence[Any], tree: Tree
    ) -> None:
        self._places = [i for i, kind in enumerate(kinds) if _is_input(kind)]
        self._gives_tensors = any(kind[0] is Recorded for kind in kinds)
        names = _names(func, tree)
        taken: set[str] = set()
        leaves: list[Any] = list(values)
        inputs: list[Leaf] = []
        for i, kind in enumerate(kinds):
            if not _is_input(kind):
                continue
            of = (
                kind[2]
                if isinstance(kind[2], dtype)
                else from_numpy_dtype(kind[2].newbyteorder("="))
            )
            leaves[i] = Leaf(fresh_name(names[i], taken), kind[1], of)
            inputs.append(leaves[i])
        self.args, kwargs = tree.build(leaves)
        others = [x for x, kind in zip(values, kinds, strict=True) if not _is_input(kind)]
        self._around = Surroundings(func, others)
        captures = _Captures(taken, self._around)
        result = _traced(func, self.args, kwargs, captures)
        self._around.look()
        made, self._tree = flattened(result)
        self._fixed = [None if _is_array(x) else _constant(x, func) for x in made]
        formulas = [captures.formula(x) for x in made if _is_array(x)]
        self.captured = list(captures.tensors.values())
        self._shapes = _shapes(self.captured)
        self.call = Call((*inputs, *captures.leaves), formulas, getattr(func, "__name__", "f"))
        found = iter(formulas)
        self.expr = self._tree.build([next(found) if _is_array(x) else x for x in made])
        self._arrays = [_is_array(x) for x in made]
        self._build = self._tree.builder()
        self._are_all_arrays = all(self._arrays)
        floats = all(kind[0] is float for kind in kinds) and not self.captured
        self._of_floats = floats and self._are_all_arrays

    @property
    def executable(self) -> Executable:
        return self.call.executable

    def fits(self) -> bool:
        """Return whether the function reads the same from around it as it did."""
        if self._around.changed():
            return False
        return not self.captured or self._shapes == _shapes(self.captured)

    def inputs(self, values: Sequence[Any]) -> list[Any]:
        """Return what is computed with: arguments that are arrays, and captured tensors."""
        return [*[values[i] for i in self._places], *self.captured]

    def run(self, values: Sequence[Any]) -> Any:
        if self._of_floats:
            found = self.executable.of_floats(values)
            if found is not None:
                return self._build(found)
        inputs = self.inputs(values)
        if self._gives_tensors or (self.captured and any(x._rg for x in self.captured)):
            results = self.call.of_tensors(inputs)
        else:
            results = [x[()] for x in self.call.of_arrays(inputs)]
        if self._are_all_arrays:
            return self._build(results)
        given = iter(results)
        made = zip(self._arrays, self._fixed, strict=True)
        return self._build([next(given) if is_array else x for is_array, x in made])

    def source(self) -> str:
        return self.executable.source(bare=self._tree.kind is None)


def _shapes(tensors: Iterable[Any]) -> list[tuple[Any, dtype]]:
    return [(x._aval.shape, x._aval.dtype) for x in tensors]


def _is_array(x: Any) -> bool:
    return isinstance(x, (Recorded, ArrayExpr, np.ndarray, np.generic, float, complex)) or (
        isinstance(x, int) and not isinstance(x, bool)
    )


def _constant(x: Any, func: Any) -> Any:
    """Return what a function returns beside arrays: constants, which are no formulas."""
    if isinstance(x, _CONSTANTS):
        return x
    raise TypeError(
        f"{_shown(func)}: the function returns an object of type {type(x).__name__}; results are "
        "arrays, numbers, texts, None, and containers of these"
    )


def _shown(func: Any) -> str:
    return f"compile({getattr(func, '__qualname__', type(func).__name__)})"


class _reading(Scope):  # noqa: N801 - it is read as a participle
    """Let formulas read tensors from around the function that is traced in the block."""

    def __init__(self, captures: _Captures) -> None:
        super().__init__()
        self._captures = captures

    def __enter__(self) -> None:
        special, captures = state.state.special, self._captures
        outside = functools.partial(setattr, running_trace, "tensors", running_trace.tensors)
        back = together(outside, back_to(special, "compiling"))
        undo, end = self._undo, len(self._undo)
        undo[end:] = (back,)
        running_trace.tensors = captures
        special["compiling"] = True


def _traced(func: Any, args: Any, kwargs: Any, captures: _Captures) -> Any:
    drawn = captures.generators()
    try:
        with _reading(captures):
            result = traced(func, *args, **kwargs)
            if captures.generators() != drawn:
                raise UntraceableValue(
                    "the function draws random numbers, which would be the same at each call: pass "
                    "them as an argument"
                )
            return result
    except Untraceable as error:
        place = place_of(error)
        error.add_note(
            f"{_shown(func)} calls the function on formulas{f', here at {place}' if place else ''}; "
            "where() chooses by a condition, and the function itself computes with values"
        )
        raise


def _names(func: Any, tree: Tree) -> list[str]:
    """Return a name for each leaf of the arguments: of its parameter, and its place in that."""
    positional, named = tree.parts
    try:
        parameters = [*inspect.signature(func).parameters.values()]
    except (TypeError, ValueError):  # a built-in function does not say them
        parameters = []
    known = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    found: list[str] = []
    for i, part in enumerate(positional.parts):
        found += _names_in(known[i] if i < len(known) else f"x{i}", part)
    for name, part in zip(named.keys or (), named.parts, strict=True):
        found += _names_in(name, part)
    return found


def _names_in(name: str, tree: Tree) -> Iterator[str]:
    if tree.kind is None:
        yield name
        return
    for key, part in zip(tree.keys or range(len(tree.parts)), tree.parts, strict=True):
        inner = f"{name}_{key}"
        yield from _names_in(inner if inner.isidentifier() else f"{name}_", part)


class _Captures:
    """Tensors that a function reads while it is traced, each with a leaf in its place."""

    def __init__(self, taken: set[str], around: Surroundings) -> None:
        self._around = around
        self.tensors: dict[int, Any] = {}
        self.leaves: list[Leaf] = []
        self._taken = taken
        self._of: dict[int, Leaf] = {}

    def holds(self, x: Any) -> bool:
        return isinstance(x, Recorded) and id(x) in self._around.tensors

    def generators(self) -> list[Any]:
        """Return the states of generators of random numbers that the function may read."""
        return [
            random.getstate(),
            *map(pickle.dumps, (np.random.mtrand._rand, *self._around.generators)),
        ]

    def note_elements(self, x: Any) -> None:
        if self.holds(x):
            self._around.note_elements(x._data)

    def formula(self, x: Any) -> ArrayExpr:
        """Return an operand, or a result, as a formula."""
        if not isinstance(x, Recorded):
            return as_expr(x)
        vertex = x._vertex
        if vertex is None or isinstance(vertex, LeafVertex):
            return self._leaf(x)
        if not x._rg:
            return as_expr(x._data)
        walked = walk([vertex])
        made = {}
        for v in walked.order:
            if isinstance(v, LeafVertex):
                owner = v.owner()
                if owner is None:
                    raise Untraceable(
                        "a tensor that the function read is gone: pass it as an argument"
                    )
                made[v] = self._leaf(owner)
        found, written = read_formula(walked, vertex, made)
        if written:
            raise Untraceable(
                "a tensor that the function reads was written over: pass it as an argument"
            )
        return found

    def _leaf(self, x: Any) -> Leaf:
        found = self._of.get(id(x))
        if found is None:
            shown = x.expr.name if isinstance(x.expr, Leaf) else "t"
            found = Leaf(fresh_name(shown, self._taken), x._aval.shape, x._aval.dtype)
            self._of[id(x)], self.tensors[id(x)] = found, x
            self.leaves.append(found)
        return found
