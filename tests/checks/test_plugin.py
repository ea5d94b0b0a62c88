"""The plugin for pytest, in a run of pytest's own."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROGRAM = """
import pytest
import symgrad as torch

class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3.0015 * x**2 * g

@pytest.fixture
def x():
    return torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)

@pytest.mark.gradients(order=2)
def test_right(x):
    return (x.sin() * x).sum()

@pytest.mark.gradients(order=1)
def test_wrong(x):
    return Cube.apply(x).sum()

@pytest.mark.gradients
@pytest.mark.parametrize("k", [1, 2])
def test_with_parameters(k, x):
    return (x**k).sum()

def test_plain(x):
    assert x.requires_grad
"""


def test_a_marked_function_is_checked(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(PROGRAM, encoding="utf-8")
    is_installed = any(e.value == "pytest_symgrad" for e in entry_points(group="pytest11"))
    plugin = [] if is_installed else ["-p", "pytest_symgrad"]
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            *plugin,
            "--strict-markers",
        ],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed, 4 passed" in run.stdout, run.stdout + run.stderr
    assert "Cube.backward: yours - true = 0.0015 * x**2" in run.stdout
