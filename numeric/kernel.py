"""Kernels: how NumPy computes one result.

A kernel is what an instruction carries in place of an op: a callable to run it
and a template to write it, which must compute the same.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from .rows import RowRule, RowUse, local, reduces, whole
from .standalone import Definitions, function_template
from .template import Template, parse_template

__all__ = ["Kernel", "RowRule", "RowUse", "local", "reduces", "whole"]


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """One way to compute one array from others.

    Parameters
    ----------
    name
        How ``str(program)`` names it.
    call
        ``call(*operands, **params)`` computes the result, without writing to an
        operand.
    source
        A Python expression that computes what ``call`` computes, bit for bit:
        operands are ``{0}``, ``{1}``, … or, together and separated by commas,
        ``{operands}``; parameters are fields by name. It reads well and, where it
        is an operator or a method of operands, it is also what compiled programs
        run; otherwise these run ``call``, which may be a faster spelling
        (``np.add.reduce`` for ``np.sum``).
    prelude
        Definitions of helper functions that ``source`` needs.
    imports
        Import lines that ``source`` needs beyond ``import numpy as np``.
    view
        Whether the result may share memory with an operand.
    out
        Whether ``call`` takes ``out=``.
    rows
        The row rule; see :class:`numeric.RowUse`.
    numbers
        For other number systems, by name ("sympy", "mpmath"), a callable on
        object arrays in place of ``call``. Without an entry ``call`` itself is
        used, as NumPy's structural functions work on object arrays.

    Raises
    ------
    ValueError
        When ``source`` is not a template.

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
    rows: RowRule = whole
    numbers: Mapping[str, Callable[..., Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        parse_template(self.source)

    @property
    def template(self) -> Template:
        """The parsed ``source``."""
        return parse_template(self.source)

    @classmethod
    def from_ufunc(cls, ufunc: np.ufunc, source: str = "", *, name: str = "") -> Self:
        """A kernel that is one universal function: local in rows, with ``out=``.

        Parameters
        ----------
        ufunc
            One of NumPy's.
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
        rows: RowRule = whole,
        numbers: Mapping[str, Callable[..., Any]] | None = None,
    ) -> Self:
        """A kernel from a plain NumPy function, whose own text is its prelude.

        Parameters of ``fn`` without default that can be given by position are
        operands (with ``*args``: all that can, in any number); all others are parameters,
        which an instruction must give. Annotations are left out of the text.

        Parameters
        ----------
        fn
            A function made by ``def`` that uses its arguments, ``np``,
            builtins, and what ``prelude`` and ``imports`` define.
        prelude, imports, view, out, rows, numbers
            As in the class.

        Raises
        ------
        ValueError
            When ``fn`` takes ``**params``, and, when ``prelude`` is first read,
            if the text of ``fn`` cannot stand alone.
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
            {} if numbers is None else numbers,
        )
