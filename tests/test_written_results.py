"""Laws of functions with several results that take `out`: they follow from the schemas alone."""

from __future__ import annotations

import re
import warnings
from typing import Any

import pytest

import symgrad as torch
from symgrad.schema.public import FUNCTIONS, SCHEMAS, SPACES
from tests.each import each

#: Each function that takes a tuple of tensors as its `out`.
WRITING = sorted(
    name
    for (name, method), schema in SCHEMAS.items()
    if not method and any(re.search(r"Tensor\[\d\]\? out", text) for text in schema.texts)
)
#: What such a function is called with beside the tensor.
ARGUMENTS = {
    **{n: {"dim": 0} for n in ["sort", "max", "min", "median", "cummax", "cummin", "aminmax"]},
    **{n: {"dim": 0} for n in ("mode", "nanmedian")},
    "frexp": {},
    "histogram": {"bins": 3},
    **{n: {"k": 2, "dim": 0} for n in ("topk", "kthvalue")},
    **{n: {} for n in ("slogdet", "linalg.slogdet", "linalg.inv_ex", "linalg.cholesky_ex")},
    **{n: {} for n in ("linalg.eig", "linalg.eigh", "linalg.qr", "linalg.svd", "qr", "svd")},
    **{n: {} for n in ("linalg.lu", "linalg.lu_factor", "linalg.lu_factor_ex")},
    **{n: {} for n in ("linalg.ldl_factor", "linalg.ldl_factor_ex")},
    "lu_unpack": {"LU_pivots": torch.tensor([[1, 2], [2, 2]], dtype=torch.int32)},
    "linalg.lstsq": {"b": torch.eye(3)},
    "linalg.solve_ex": {"B": torch.ones(2, 2)},
    "triangular_solve": {"A": torch.tensor([[2.0, 1.0], [0.0, 1.0]]).expand(2, 2, 2)},
}
#: Those of square matrices.
SQUARES = {name for name in ARGUMENTS if "linalg" in name and "lstsq" not in name}
SQUARES |= {"slogdet", "triangular_solve", "qr", "svd", "lu_unpack"}


def _called(name: str, outs: Any = None) -> Any:
    x = torch.tensor([[3.0, 1.0], [2.0, 5.0], [4.0, 0.0]])
    space, _, short = name.rpartition(".")
    function = (SPACES[space] if space else FUNCTIONS)[short]
    if name in SQUARES:
        x = torch.stack([x[:2], 2 * x[:2]])
    return function(x, **ARGUMENTS[name], out=outs)


def _parts(outs: Any) -> list[Any]:
    return [(x.tolist(), x.shape, x.dtype, x._version) for x in outs]


def test_each_has_arguments() -> None:
    assert sorted(ARGUMENTS) == WRITING


def test_a_schema_takes_as_many_tensors_as_it_returns() -> None:
    """A schema with several results that takes `out` says how many tensors that has."""
    wrong = []
    for schema in SCHEMAS.values():
        for text in schema.texts:
            takes, _, returns = text.partition(" -> ")
            written = re.search(r"(\S+) out=None", takes)
            count = returns.count("Tensor") if returns.startswith("(") else 1
            if written and written[1] != ("Tensor?" if count == 1 else f"Tensor[{count}]?"):
                wrong.append(text)
    assert wrong == []


@pytest.mark.parametrize("name", WRITING)
def test_results_are_written(name: str) -> None:
    """The tensors given are returned, and are what is computed without them."""
    expected = _called(name)
    outs = tuple(torch.zeros(x.shape, dtype=x.dtype) for x in expected)
    views = [out.view(-1) for out in outs]
    result = _called(name, outs)
    assert [x is y for x, y in zip(result, outs, strict=True)] == [True] * len(outs)
    assert type(result).__name__ == f"{name.replace('.', '_')}_out"
    assert result._fields == expected._fields
    assert [x.tolist() for x in outs] == [x.tolist() for x in expected]
    assert [x.tolist() for x in views] == [x.flatten().tolist() for x in expected]


@each("name", list(WRITING))
@each("place", [0, 1])
def test_a_refusal_changes_nothing(name: str, place: int) -> None:
    """Where one of the tensors cannot be written, all stay as they were, resized or not."""
    expected = _called(name)
    one_element = torch.zeros(1, dtype=expected[place].dtype)
    refused = {
        "dtype": torch.zeros(3, dtype=torch.int16),
        "count": None,
    }
    if expected[place].numel():
        refused["memory"] = one_element.expand(expected[place].shape)
    for x in refused.values():
        outs = [torch.ones(5, dtype=x.dtype) for x in expected]
        outs[place] = x if x is not None else outs[place]
        given = outs if x is not None else [*outs, outs[0]]
        before = _parts(outs)
        with pytest.raises((RuntimeError, TypeError)):
            _called(name, given)
        assert _parts(outs) == before
    outs = [torch.ones(5, dtype=x.dtype) for x in expected]
    before = _parts(outs)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="was resized"):
            _called(name, outs)
    assert _parts(outs) == before
