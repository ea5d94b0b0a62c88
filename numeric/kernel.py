"""Kernels: how NumPy computes one result.

An instruction has a kernel in the place of an operation: a callable, and a template of the source
text that computes the same.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from .rows import RowRule, RowUse, local, reduces, whole_operands
from .standalone import Definitions, function_template
from .template import Template, parse_template

__all__ = ["Kernel", "RowRule", "RowUse", "local", "reduces", "whole_operands"]


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """One way to compute one array from others.

    Parameters
    ----------
    name
        The name of the kernel in ``str(program)``.
    call
        ``call(*operands, **params)`` computes the result, without writing to an
        operand, unless the kernel is the ``overwriting`` one of another.
    source
        A Python expression that computes what ``call`` computes, bit for bit except in
        `numeric.long_arrays`. Operands are ``{0}``, ``{1}``, … or, together and separated by
        commas, ``{operands}``; parameters are fields by name. Compiled programs run the expression
        where it is an operator or a method of operands. Otherwise they run ``call``, which may be
        a faster function than the readable one (``np.add.reduce`` for ``np.sum``).
    prelude
        Definitions of helper functions that ``source`` needs.
    imports
        Import lines that ``source`` needs beyond ``import numpy as np``.
    view
        Whether the result may share memory with an operand.
    out
        Whether ``call`` accepts ``out=``.
    rows
        The row rule; see :class:`numeric.RowUse`.
    number_systems
        For other number systems, by name ("sympy", "mpmath"), a callable on arrays of objects
        that replaces ``call``. Without an entry ``call`` itself is used: NumPy's structural
        functions work on arrays of objects.
    overwriting
        A kernel that computes the same in the memory of the first operand, for programs in which
        nothing reads that any more (:func:`numeric.program.overwriting`).
    repeats
        Whether ``call`` repeats operands by itself, as NumPy broadcasts them, so that they need not
        be repeated before it.

    Raises
    ------
    ValueError
        If ``source`` is not a template.

    Examples
    --------
    >>> import numpy as np
    >>> tanh = Kernel("tanh", np.tanh, "np.tanh({0})", out=True)
    >>> total = Kernel("sum", np.sum, "np.sum({0}, axis={axis})")
    >>> sorted(total.template.params), total.template.arity
    (['axis'], 1)
    """

    name: str
    call: Callable[..., Any]
    source: str
    prelude: Sequence[str] = ()
    imports: tuple[str, ...] = ()
    view: bool = False
    out: bool = False
    rows: RowRule = whole_operands
    number_systems: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    overwriting: Self | None = None
    repeats: bool = False

    def __post_init__(self) -> None:
        parse_template(self.source)

    @property
    def template(self) -> Template:
        """The parsed ``source``."""
        return parse_template(self.source)

    @classmethod
    def from_ufunc(cls, ufunc: np.ufunc, source: str = "", *, name: str = "") -> Self:
        """Return a kernel that is one universal function: local in rows, with ``out=``.

        Parameters
        ----------
        ufunc
            A universal function of NumPy.
        source
            As in the class; by default the call of ``ufunc``.
        name
            As in the class; by default that of ``ufunc``.

        Examples
        --------
        >>> import numpy as np
        >>> Kernel.from_ufunc(np.hypot).source
        'np.hypot({0}, {1})'
        >>> Kernel.from_ufunc(np.subtract, "{0} - {1}", name="sub").name
        'sub'
        """
        operands = ", ".join([f"{{{i}}}" for i in range(ufunc.nin)])
        return cls(
            name or ufunc.__name__,
            ufunc,
            source or f"np.{ufunc.__name__}({operands})",
            out=True,
            rows=local,
        )

    @classmethod
    def from_function(
        cls,
        fn: Callable[..., Any],
        *,
        prelude: Sequence[str] = (),
        imports: tuple[str, ...] = (),
        view: bool = False,
        out: bool = False,
        rows: RowRule = whole_operands,
        number_systems: Mapping[str, Callable[..., Any]] | None = None,
        overwriting: Callable[..., Any] | None = None,
        repeats: bool = False,
    ) -> Self:
        """Return a kernel of a function written with NumPy, whose text becomes the prelude.

        Arguments of ``fn`` that can be given by position and have no default are operands; with
        ``*args`` all arguments by position are. All other arguments are parameters, which an
        instruction must give. Annotations are left out of the text.

        Parameters
        ----------
        fn
            A function made by ``def`` that uses its arguments, ``np``,
            builtins, and what ``prelude`` and ``imports`` define.
        prelude, imports, view, out, rows, number_systems, repeats
            As in the class.
        overwriting
            A function that makes the kernel of the same name in the class.

        Raises
        ------
        ValueError
            If ``fn`` takes ``**params``; and when ``prelude`` is first read, if the text of ``fn``
            uses names that nothing defines.
        """
        return cls(
            fn.__name__,
            fn,
            function_template(fn),
            Definitions(fn, prelude, imports),
            imports,
            view,
            out,
            rows,
            {} if number_systems is None else number_systems,
            None if overwriting is None else cls.from_function(overwriting, rows=rows),
            repeats,
        )
