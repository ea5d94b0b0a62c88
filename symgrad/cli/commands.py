"""The commands of the command line, which print formulas.

No string of the command line is run as code. ``derive`` imports the file that the user names, as
``python FILE.py`` would, and finds the function by its name.
"""

from __future__ import annotations

import argparse
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import sympy

from symgrad.cli.checking import add_check
from symgrad.cli.demo import demo
from symgrad.cli.loading import BadInput, blaming, load
from symgrad.differentiate.derive import derive
from symgrad.differentiate.trace import symbolic_trace
from symgrad.expr.dtypes import DTYPES
from symgrad.expr.inputs import leaf
from symgrad.forms.to_sympy import FORMS

_DTYPES = {kind.name: kind for kind in DTYPES if kind.differentiable}


class _Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line, without the usage text."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {message}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments after the program's name; by default those of the process.

    Returns
    -------
    int
        0; 2 after one line on standard error if the input cannot be used; 1 if the reader of the
        output has closed it. `check` returns 1 where a derivative is wrong, and 2 where nothing
        decides.

    Raises
    ------
    SystemExit
        With status 2 for arguments that do not parse, 0 after ``--help``.
    """
    arguments = _parser().parse_args(argv)
    try:
        status = arguments.command(arguments) or 0
        sys.stdout.flush()
    except BadInput as error:
        print(f"symgrad {arguments.name}: error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # A reader such as `head` has closed the pipe. Python flushes the output again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _parser() -> _Parser:
    parser = _Parser(prog="symgrad", description="PyTorch's autograd, with formulas.")
    commands = parser.add_subparsers(required=True, dest="name", metavar="command")

    command = commands.add_parser(
        "demo", help="run short programs: the value, the gradient, the formula that ran"
    )
    command.set_defaults(command=lambda arguments: demo())

    command = commands.add_parser(
        "derive",
        help="print the derivative of a function in a Python file",
        description=(
            "Print the derivative of a function of yours: as text, LaTeX, SymPy, NumPy or a graph."
        ),
    )
    command.set_defaults(command=_derive)
    command.add_argument(
        "target", metavar="FILE.py:function", help="the file is imported; so it runs"
    )
    command.add_argument(
        "--wrt",
        action="append",
        metavar="NAME",
        help="differentiate with respect to this parameter; may be repeated (default: to each)",
    )
    command.add_argument(
        "--order", type=_order, default=1, metavar="N", help="order of the derivative (default: 1)"
    )
    command.add_argument(
        "--shape",
        action="append",
        type=_shape,
        default=[],
        metavar="NAME=N,M",
        help="shape of a parameter; may be repeated (default: a scalar)",
    )
    command.add_argument(
        "--dtype", choices=_DTYPES, default="float64", help="of all parameters (default: float64)"
    )
    form = command.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="print LaTeX")
    form.add_argument("--numpy", action="store_true", help="print a stand-alone NumPy function")
    form.add_argument(
        "--form",
        choices=FORMS,
        help="print SymPy's formula: of numbers, with indices, of matrices, or of all elements",
    )
    form.add_argument("--dot", action="store_true", help="print the graph for Graphviz")
    add_check(commands)
    return parser


def _order(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text!r} is not an order: 1, 2, …")
    return int(text)


def _shape(text: str) -> tuple[str, tuple[int | str, ...]]:
    name, _, sizes = text.partition("=")
    parts = [int(p) if p.isascii() and p.isdecimal() else p for p in sizes.split(",")]
    if not name.isidentifier() or not all(p.isidentifier() for p in parts if isinstance(p, str)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a shape such as X=10,3 or X=n,3")
    return name, tuple(parts)


def _derive(arguments: argparse.Namespace) -> None:
    """Print the derivatives of a function, each under a comment if there are several."""
    function, name = load(arguments.target)
    leaves = _leaves(function, name, arguments)
    names = list(dict.fromkeys(arguments.wrt or leaves))
    with blaming(name):
        value = symbolic_trace(function, **leaves)
    for wrt in names:
        with blaming(f"the derivative of {name} with respect to {wrt}"):
            text = _text(arguments, name, wrt, derive(value, leaves[wrt], arguments.order), leaves)
        if len(names) > 1:
            mark = "%" if arguments.latex else "#"
            print(f"{mark} {_named(name, wrt, arguments.order, '/')}")
        print(text)


def _text(
    arguments: argparse.Namespace, name: str, wrt: str, derivative: Any, leaves: Iterable[Any]
) -> str:
    if arguments.latex:
        return str(sympy.latex(derivative))
    if arguments.form:
        return str(derivative.to_sympy(arguments.form))
    if arguments.dot:
        return str(derivative.dot())
    if arguments.numpy:
        # The parameters keep the order of the function.
        inputs = [x for x in leaves if derivative.has(x)]
        source: str = derivative.source(_named(name, wrt, arguments.order, "_"), inputs)
        return source.rstrip("\n")
    return str(derivative)


def _named(function: str, wrt: str, order: int, over: str) -> str:
    """Return the name of a derivative: ``df/dw``, ``d2f/dw2``."""
    n = "" if order == 1 else str(order)
    return f"d{n}{function}{over}d{wrt}{n}"


def _leaves(
    function: Callable[..., Any], name: str, arguments: argparse.Namespace
) -> dict[str, Any]:
    """Return a leaf for each parameter without a default, and for each that `arguments` name."""
    shapes: dict[str, tuple[int | str, ...]] = dict(arguments.shape)
    dtype = _DTYPES[arguments.dtype]
    with blaming(name):
        parameters = {
            parameter.name: parameter
            for parameter in inspect.signature(function).parameters.values()
            if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        }
    asked = {*shapes, *(arguments.wrt or ())}
    for unknown in sorted(asked - parameters.keys()):
        has = ", ".join(parameters) or "none"
        raise BadInput(f"{name} has no parameter {unknown!r}; its parameters are: {has}")
    return {
        parameter.name: leaf(parameter.name, shapes.get(parameter.name, ()), dtype)
        for parameter in parameters.values()
        if parameter.name in asked or parameter.default is parameter.empty
    }
