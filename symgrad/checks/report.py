"""What a check of gradients found, as text, as a table for notebooks and as JSON."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

RIGHT, WRONG, UNKNOWN = "right", "wrong", "unknown"


@dataclass(frozen=True)
class Finding:
    """What was found of the derivative of one order by one input.

    Attributes
    ----------
    order : int
    input : str
        The name of the input.
    verdict : str
        "right", "wrong", or "unknown" where nothing decided.
    how : str
        What decided: "normal form", "residues" or "intervals" for a proof, "SymPy", differences in
        many digits, or "differences" of floats.
    function : str
        The custom function whose `backward` is wrong, or what the gradient was compared with.
    difference : str
        What is given less what is right, as a formula; or where they differ.
    counterexample : dict
        The values of leaves at which they differ, as lists; empty where none is known.
    ulps : float or None
        The largest error of the computed derivative at the inputs, in units of the last digit.
    condition : float or None
        By how much more than an input the derivative changes, relative to each.
    """

    order: int
    input: str
    verdict: str
    how: str
    function: str = ""
    difference: str = ""
    counterexample: dict[str, Any] = field(default_factory=dict)
    ulps: float | None = None
    condition: float | None = None


@dataclass(frozen=True)
class Report:
    """What `check_gradients` found. It is true if every derivative is right.

    Attributes
    ----------
    function : str
        The function that was checked.
    inputs : tuple of str
        The inputs, with shapes and dtypes.
    findings : tuple of Finding
        One for each order and input.
    notes : tuple of str
        What was not smooth or not finite at the inputs, which operation loses digits, and why a
        function has no formula.
    """

    function: str
    inputs: tuple[str, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every derivative was found to be right."""
        return all(x.verdict == RIGHT for x in self.findings)

    @property
    def verdict(self) -> str:
        """Return "wrong" if a derivative is, "unknown" if one could not be decided, or "right"."""
        kinds = {x.verdict for x in self.findings}
        return WRONG if WRONG in kinds else UNKNOWN if UNKNOWN in kinds else RIGHT

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        rows = [_HEAD, *[_row(x) for x in self.findings]]
        widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
        lines = [f"{self.function}({', '.join(self.inputs)}): {self.verdict}"]
        for row, found in zip(rows, (None, *self.findings), strict=True):
            cells = [c.ljust(w) for c, w in zip(row, widths, strict=True)]
            lines.append("  " + "  ".join(cells).rstrip())
            lines += [f"      {x}" for x in _details(found)] if found else []
        return "\n".join([*lines, *[f"  note: {x}" for x in self.notes]])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join([f"<th>{html.escape(c)}</th>" for c in _HEAD])
        body = ""
        for x in self.findings:
            cells = "".join([f"<td>{html.escape(c)}</td>" for c in _row(x)])
            more = "<br>".join([html.escape(line) for line in _details(x)])
            body += f"<tr>{cells}</tr>"
            body += f'<tr><td colspan="{len(_HEAD)}"><code>{more}</code></td></tr>' if more else ""
        title = html.escape(f"{self.function}({', '.join(self.inputs)}): {self.verdict}")
        notes = "".join([f"<p>{html.escape(x)}</p>" for x in self.notes])
        return f"<p><b>{title}</b></p><table><tr>{head}</tr>{body}</table>{notes}"

    def to_dict(self) -> dict[str, Any]:
        """Return the report as lists, dicts, texts and numbers; `docs/checking.md` says which."""
        return {
            "format": 1,
            "function": self.function,
            "inputs": list(self.inputs),
            "ok": self.ok,
            "verdict": self.verdict,
            "findings": [vars(x).copy() for x in self.findings],
            "notes": list(self.notes),
        }

    def to_json(self) -> str:
        """Return `to_dict()` as JSON, in which numbers that are not finite are texts."""
        return json.dumps(_finite(self.to_dict()), allow_nan=False)


_HEAD = ("order", "input", "verdict", "found by", "ulps", "condition")


def _row(x: Finding) -> tuple[str, ...]:
    shown = [f"{v:.2g}" if v is not None else "" for v in (x.ulps, x.condition)]
    return (str(x.order), x.input, x.verdict, x.how, *shown)


def _details(x: Finding) -> Sequence[str]:
    lines = []
    if x.difference:
        lines.append(f"{x.function}: {x.difference}" if x.function else x.difference)
    elif x.function:
        lines.append(x.function)
    if x.counterexample:
        shown = ", ".join([f"{k} = {v}" for k, v in x.counterexample.items()])
        lines.append(f"at {shown}" if len(shown) < 200 else f"at {shown[:200]}…")
    return lines


def _finite(x: Any) -> Any:
    if isinstance(x, dict):
        return {k: _finite(v) for k, v in x.items()}
    if isinstance(x, (list, tuple)):
        return [_finite(v) for v in x]
    if isinstance(x, float) and not np.isfinite(x):
        return str(x)
    return x
