"""Results lie in memory as PyTorch's do, and share it where PyTorch's do: for every public name."""

from __future__ import annotations

import functools
from typing import Any

import pytest

import symgrad
from tests.data.record_layouts import RECORDS, has, observed, tensors
from tests.each import each, in_part
from tests.ops.layout_cases import ARGUMENTS, Given, function, seen

#: None for a name that PyTorch has elsewhere, or not at all.
RECORDED: dict[str, dict[str, dict[str, str]] | None] = RECORDS.all()

#: Functions of linear algebra whose results are Fortran's in PyTorch, column after column.
COLUMNS = {
    "cholesky", "cholesky_ex", "cholesky_inverse", "cholesky_solve", "eig", "eigh",
    "householder_product", "inv", "inv_ex", "inverse", "ldl_factor", "ldl_factor_ex", "ldl_solve",
    "lstsq", "lu_factor", "lu_factor_ex", "matrix_power", "orgqr", "pca_lowrank", "qr", "solve",
    "solve_ex", "solve_triangular", "svd", "svd_lowrank", "tensorinv", "triangular_solve",
}  # fmt: skip

#: What PyTorch lays out otherwise, by name, arguments and layouts; the page of differences says so.
CONFLICT = {"3T", "3L", "4L"}  # of operands whose orders disagree, NumPy's is that of the axes


def differs(name: str, arguments: str, layout: str) -> bool:
    """Whether the page of differences says that the result lies otherwise than in PyTorch."""
    if arguments == "x row" and layout in CONFLICT:
        return True
    if name.rpartition(".")[2] in COLUMNS:
        return True
    if name in ("conj", "adjoint"):
        return arguments == "complex"
    if name in ("nonzero", "argwhere", "lu"):
        return True
    if name in ("select_scatter", "slice_scatter", "diagonal_scatter"):
        return layout in ("2S", "3S")
    if name in ("nn.functional.normalize", "kron"):
        return layout[1] != "C"
    if name.endswith(("pool1d", "pool1d_with_indices")):
        return layout == "3L" and name != "nn.functional.max_pool1d"
    if name.startswith("nn.functional.fractional"):
        return False
    if name.endswith(("pool2d", "pool2d_with_indices")):
        return layout == "4L"
    if name == "rot90":
        return layout == "2E"
    if name in ("cat", "concat", "concatenate", "stack", "hstack", "vstack", "row_stack",
                "dstack", "column_stack", "roll", "nn.functional.pad", "gradient",
                "nn.functional.group_norm", "nn.functional.rms_norm",
                "nn.functional.pixel_shuffle", "nn.functional.pixel_unshuffle",
                "nn.functional.channel_shuffle", "native_channel_shuffle", "pixel_shuffle",
                "pixel_unshuffle", "channel_shuffle",
                "nn.functional.native_channel_shuffle", "nn.functional.interpolate",
                "nn.functional.upsample", "nn.functional.upsample_bilinear",
                "nn.functional.upsample_nearest"):  # fmt: skip
        return layout == "4L"
    if name in ("nn.functional.dropout1d", "nn.functional.dropout2d"):
        return layout in ("2T", "3T", "3P")
    if name == "nn.functional.local_response_norm":
        return layout in CONFLICT | {"3P"}
    return False


@functools.cache
def compared(name: str) -> tuple[dict[str, str], dict[str, str]]:
    """What is recorded of a name, and what is seen here; calls that are refused count for none."""
    expected, got = {}, {}
    given = tensors(symgrad)
    for arguments, table in (RECORDED[name] or {}).items():
        for label, text in table.items():
            found = seen(symgrad, function(symgrad, name), ARGUMENTS[arguments], given[label])
            if found is not None:
                expected[f"{arguments}: {label}"], got[f"{arguments}: {label}"] = text, found
    return expected, got


@each("name", in_part(RECORDED.keys(), group=str, among=4))
def test_results_lie_in_memory_as_pytorchs_do(name: str) -> None:
    expected, got = compared(name)
    # Of matrices that are not Hermitian PyTorch factorises a triangle.
    refused = not got and name.rpartition(".")[2] != "cholesky"
    assert not (refused and RECORDED[name]), "all calls that PyTorch takes are refused"
    for call, text in expected.items():
        arguments, label = call.rsplit(": ", 1)
        if not differs(name, arguments, label):
            assert got[call] == text, call


def test_what_is_said_to_differ_does() -> None:
    """Each rule of `differs` is met by a result that PyTorch lays out otherwise."""
    names: dict[str, bool] = {}
    for name in RECORDED:
        expected, got = compared(name)
        for call, text in expected.items():
            if differs(name, *call.rsplit(": ", 1)):
                rule = "x row" if call.startswith("x row") else name
                names[rule] = names.get(rule, False) or got[call] != text
    assert all(names.values()), names


@each("name", in_part([k for k, v in RECORDED.items() if v == {}], group=str, among=2))
def test_where_nothing_is_recorded_there_is_nothing_to_lay_out(name: str) -> None:
    """Whatever the arguments, PyTorch gives no tensor with axes; so does symgrad."""
    for given in tensors(symgrad).values():
        for arguments, make in ARGUMENTS.items():
            assert seen(symgrad, function(symgrad, name), make, given) is None, arguments


@pytest.mark.oracle
def test_recording_is_current() -> None:
    torch = pytest.importorskip("torch")
    for name, table in RECORDED.items():
        assert (observed(torch, name) if has(torch, name) else None) == table, name


# ------------------------------------------------------------------ gradients

LEAVES: dict[str, Any] = {
    "in order": lambda: symgrad.arange(6.0).view(2, 3),
    "transposed": lambda: symgrad.arange(6.0).view(2, 3).t(),
    "permuted": lambda: symgrad.arange(24.0).view(2, 3, 4).permute(2, 0, 1),
    "sliced": lambda: symgrad.arange(12.0).view(2, 6)[:, ::2],
    "expanded": lambda: symgrad.arange(3.0).expand(2, 3),
}
#: PyTorch's strides of `.grad`: as the leaf where it has no gaps, else in order of the axes.
STRIDES = {
    "in order": (3, 1),
    "transposed": (1, 3),
    "permuted": (1, 12, 4),
    "sliced": (3, 1),
    "expanded": (3, 1),
}
LOSSES: dict[str, Any] = {
    "sum": lambda x: x.sum(),
    "squares": lambda x: (x * x).sum(),
    "transposed": lambda x: (x.transpose(0, 1) * x.transpose(0, 1).contiguous()).sum(),
    "contiguous": lambda x: (x.contiguous() ** 3).sum(),
    "running": lambda x: x.cumsum(0).sin().sum(),
    "row": lambda x: x[0].sum(),
    "flat": lambda x: x.reshape(-1)[2:].sum(),
}


@each("leaf", list(LEAVES))
@each("loss", list(LOSSES))
@each("create_graph", [False, True])
def test_gradients_lie_as_their_leaves_do(leaf: str, loss: str, create_graph: bool) -> None:
    x = LEAVES[leaf]().requires_grad_()
    for _ in range(2):
        LOSSES[loss](x).backward(create_graph=create_graph)
        assert x.grad.stride() == STRIDES[leaf]
    plain = LEAVES[leaf]().contiguous().clone().requires_grad_()
    for _ in range(2):
        LOSSES[loss](plain).backward()
    assert x.grad.tolist() == plain.grad.tolist()


# ------------------------------------------------------------------ what it is for


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "cumsum", "sum", "amax", "logsumexp"])
def test_a_result_can_be_viewed_where_pytorchs_can(name: str) -> None:
    x = symgrad.arange(24.0).view(2, 3, 4).permute(2, 0, 1)
    result = getattr(x, name)(1)
    assert result.view(-1).tolist() == result.reshape(-1).tolist()


def test_a_copy_in_another_order_is_no_view() -> None:
    x = symgrad.arange(4.0).view(2, 2)
    x.rot90().flatten().mul_(2)
    assert x.tolist() == [[0.0, 1.0], [2.0, 3.0]]


def test_every_layout_is_given() -> None:
    for label, given in tensors(symgrad).items():
        assert isinstance(given, Given)
        order = given.x.stride() == tuple(sorted(given.x.stride(), reverse=True))
        assert given.x.is_contiguous() == (label[1] == "C")
        assert order == (label[1] in "CS")
