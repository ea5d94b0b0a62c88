"""Each program of docs/examples prints what stands beside it, and draws the picture shown."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest

_ROOT = Path(__file__).parent.parent
_EXAMPLES = _ROOT / "docs/examples"
_NAMES = sorted({p.stem for p in _EXAMPLES.glob("*.py")} - {"conftest", "plot"})
_PAGE = (_ROOT / "docs/examples.md").read_text()

# These take about a second each, most of which is the import.
_QUICK = ("black_scholes", "gaussian_process")
_EACH = [x if x in _QUICK else pytest.param(x, marks=pytest.mark.slow) for x in _NAMES]


def _recorded(name: str) -> str:
    return (_EXAMPLES / f"output/{name}.txt").read_text(encoding="utf-8")


def _run(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the examples as a user does, on one core."""
    settings = {
        "PYTHONPATH": os.pathsep.join(map(str, (_ROOT, _EXAMPLES))),
        "PYTHONWARNINGS": "error",
        "PYTHONUTF8": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, str(program), *arguments]
    return subprocess.run(
        command, env=os.environ | settings, capture_output=True, encoding="utf-8", check=False
    )


def _numbers(printed: str) -> str:
    return printed.partition("formula: ")[0]


def _drawn(picture: Path) -> list[str]:
    """Return the kinds of parts that a picture has, and its texts but for the numbers."""
    parts = list(ElementTree.parse(picture).iter())
    texts = [x.text or "" for x in parts if x.tag.endswith("text")]
    return [x.tag for x in parts] + [x for x in texts if x.strip("-+.0123456789e")]


@pytest.mark.parametrize("name", _EACH)
def test_it_prints_what_is_recorded(name: str, tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    done = _run(_EXAMPLES / f"{name}.py", "--picture", str(picture))
    assert done.stderr == ""
    assert done.stdout == _recorded(name)
    assert _drawn(picture) == _drawn(_EXAMPLES / f"pictures/{name}.svg")


@pytest.mark.oracle
@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
@pytest.mark.parametrize("name", _NAMES)
def test_pytorch_prints_the_same_numbers(name: str, tmp_path: Path) -> None:
    text = (_EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    program = tmp_path / f"{name}.py"
    program.write_text(text.replace("import symgrad as torch", "import torch"), encoding="utf-8")
    done = _run(program)
    # There are no formulas in PyTorch, so that the program ends where it prints one.
    assert done.stderr.splitlines()[-1] == "AttributeError: module 'torch' has no attribute 'leaf'"
    assert _numbers(done.stdout) == _numbers(_recorded(name))


@pytest.mark.parametrize("name", _NAMES)
def test_the_page_shows_it(name: str) -> None:
    _, _, formula = _recorded(name).partition("formula: ")
    text = formula.partition("\n")[2]
    assert text and text in _PAGE
    assert f"(examples/{name}.py)" in _PAGE and f"(examples/pictures/{name}.svg)" in _PAGE


def test_nothing_else_is_recorded() -> None:
    for folder in ("output", "pictures"):
        assert sorted(p.stem for p in (_EXAMPLES / folder).iterdir()) == _NAMES
