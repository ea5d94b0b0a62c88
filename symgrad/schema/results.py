"""The classes of results whose parts have names, made from the texts of schemas."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

#: The classes by the names of the functions, as in `torch.return_types`.
RESULTS: dict[str, type[Any]] = {}


def name_results(name: str, text: str) -> None:
    """Make the class of the results of a function, and of its `out`, where its schema names them.

    Examples
    --------
    >>> name_results("cut", "cut(Tensor self) -> (Tensor head, Tensor tail)")
    >>> RESULTS.pop("cut")(1, 2)
    torch.return_types.cut(
    head=1,
    tail=2)
    """
    takes, _, returns = text.partition(" -> (")
    fields = re.findall(r"Tensor (\w+)", returns)
    if not fields or name in RESULTS:
        return
    written = {f"{name}_out": "returns of its `out`"} if " out=" in takes else {}
    for called, verb in {name: "returns", **written}.items():
        parts: Any = NamedTuple(called, [(field, Any) for field in fields])  # type: ignore[misc]
        RESULTS[called] = type(
            called,
            (parts,),
            {
                "__slots__": (), "__repr__": _text, "__module__": "symgrad.return_types",
                "__doc__": f"What `symgrad.{name}` {verb}: {' and '.join(fields)}.",
            },
        )  # fmt: skip


def _text(result: Any) -> str:
    fields = ",\n".join(f"{n}={v!r}" for n, v in zip(result._fields, result, strict=True))
    return f"torch.return_types.{type(result).__name__}(\n{fields})"
