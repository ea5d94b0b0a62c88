"""The command line: what it prints, and one line for everything that it cannot use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import symgrad
from symgrad.cli import main
from symgrad.cli.demo import PROGRAMS

SOURCE = """
import symgrad as torch

def loss(X, w, y):
    print("called")
    return ((X @ w - y) ** 2).sum()

def cube(x, scale=2.0):
    return scale * x**3

def broken(x):
    raise RuntimeError("first line\\nsecond line")

def quits(x):
    raise SystemExit

def none(x):
    return None

def picky(x):
    return x if x > 0 else -x

def everything(*args, **kwargs):
    return sum(args)

number = 3
"""


@pytest.fixture(autouse=True)
def _as_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Run each test in an empty folder, and undo what importing a file leaves behind."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    (tmp_path / "mine.py").write_text(SOURCE, encoding="utf-8")
    found = set(sys.modules)
    yield
    for name in set(sys.modules) - found:
        if not name.startswith(("symgrad.", "numeric.")):  # others ask for them as those of a name
            del sys.modules[name]


def run(*arguments: str) -> int:
    """Return the exit status of the command line."""
    try:
        return main(arguments)
    except SystemExit as exit:
        return int(exit.code or 0)


# ---------------------------------------------------------------------------- derive


@pytest.mark.tiny
def test_text_is_the_formula(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("derive", "mine.py:cube", "--wrt", "x") == 0
    printed = capsys.readouterr().out.strip()
    x = symgrad.leaf("x")
    assert printed == str(symgrad.derive(2.0 * x**3, x))


@pytest.mark.tiny
def test_latex(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("derive", "mine.py:cube", "--latex") == 0
    assert "x^{2}" in capsys.readouterr().out


def test_forms_of_sympy_and_the_graph(capsys: pytest.CaptureFixture[str]) -> None:
    shapes = ["--shape", "X=10,3", "--shape", "w=3", "--shape", "y=10"]
    expected = {
        ("--form", "matrix"): "2*X.T*(X*w - y)",
        ("--form", "indexed"): "2*Sum((-y[j] + Sum(X[j, k]*w[k], (k, 0, 2)))*X[j, i], (j, 0, 9))",
        ("--dot",): "digraph {",
    }
    for form, text in expected.items():
        assert run("derive", "mine.py:loss", "--wrt", "w", *shapes, *form) == 0
        assert capsys.readouterr().out.splitlines()[0] == text
    assert run("derive", "mine.py:loss", "--wrt", "w", *shapes, "--form", "scalar") == 2
    assert "to_sympy" in capsys.readouterr().err


@pytest.mark.tiny
def test_numpy_source_runs_alone(capsys: pytest.CaptureFixture[str]) -> None:
    shapes = ["--shape", "X=10,3", "--shape", "w=3", "--shape", "y=10"]
    assert run("derive", "mine.py:loss", "--wrt", "w", *shapes, "--order", "2", "--numpy") == 0
    source = capsys.readouterr().out
    assert "symgrad" not in source
    namespace: dict[str, object] = {}
    exec(source, namespace)
    X = np.random.default_rng(0).normal(size=(10, 3))
    hessian = namespace["d2loss_dw2"](X=X)  # type: ignore[operator]
    np.testing.assert_allclose(hessian, 2 * X.T @ X)


def test_what_the_function_prints_stays_off_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    shapes = ["--shape", "X=10,3", "--shape", "w=3", "--shape", "y=10"]
    assert run("derive", "mine.py:loss", "--wrt", "w", *shapes) == 0
    captured = capsys.readouterr()
    assert "called" not in captured.out
    assert "called" in captured.err


@pytest.mark.tiny
def test_several_derivatives_are_headed(capsys: pytest.CaptureFixture[str]) -> None:
    shapes = ["--shape", "X=10,3", "--shape", "w=3", "--shape", "y=10"]
    assert run("derive", "mine.py:loss", "--wrt", "w", "--wrt", "y", *shapes) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("#")] == ["# dloss/dw", "# dloss/dy"]


def test_a_parameter_with_a_default_keeps_it_unless_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("derive", "mine.py:cube") == 0
    assert "scale" not in capsys.readouterr().out
    assert run("derive", "mine.py:cube", "--wrt", "scale") == 0
    assert "x**3" in capsys.readouterr().out


@pytest.mark.tiny
def test_dtype_reaches_the_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("derive", "mine.py:cube", "--numpy", "--dtype", "float32") == 0
    namespace: dict[str, object] = {}
    exec(capsys.readouterr().out, namespace)
    assert namespace["dcube_dx"](np.float32(2)).dtype == np.float32  # type: ignore[operator]


def test_a_file_may_import_its_neighbour(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "neighbour_of_mine.py").write_text("factor = 3", encoding="utf-8")
    (folder / "f.py").write_text(
        "from neighbour_of_mine import factor\ndef f(x): return factor * x", encoding="utf-8"
    )
    assert run("derive", "elsewhere/f.py:f") == 0


# ---------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "command"),
        (["integrate"], "integrate"),
        (["derive"], "FILE.py:function"),
        (["derive", "mine.py"], "'mine.py' is not of the form FILE.py:function"),
        (["derive", "mine.py:"], "'mine.py:' is not of the form"),
        (["derive", ":cube"], "':cube' is not of the form"),
        (["derive", "mine.py:cube(1)"], "'mine.py:cube(1)' is not of the form"),
        (["derive", "absent.py:cube"], "there is no file 'absent.py'"),
        (["derive", ".:cube"], "there is no file '.'"),
        (["derive", "mine.txt:cube"], "is not a Python file"),
        (["derive", "wrong.py:cube"], "wrong.py failed: SyntaxError"),
        (["derive", "raises.py:cube"], "raises.py failed: ZeroDivisionError"),
        (["derive", "exits.py:cube"], "exits.py failed: SystemExit: 0"),
        (["derive", "mine.py:absent"], "'mine.py' has no function 'absent'"),
        (["derive", "mine.py:number"], "is no function but int"),
        (["derive", "mine.py:cube", "--wrt", "z"], "has no parameter 'z'"),
        (["derive", "mine.py:cube", "--shape", "z=3"], "its parameters are: x, scale"),
        (["derive", "mine.py:everything", "--wrt", "args"], "its parameters are: none"),
        (["derive", "mine.py:cube", "--shape", "x"], "'x' is not a shape such as X=10,3"),
        (["derive", "mine.py:cube", "--shape", "x=3,"], "is not a shape"),
        (["derive", "mine.py:cube", "--shape", "x=-3"], "is not a shape"),
        (["derive", "mine.py:cube", "--shape", "x=[3]"], "is not a shape"),
        (["derive", "mine.py:cube", "--shape", "=3"], "is not a shape"),
        (["derive", "mine.py:cube", "--order", "0"], "is not an order"),
        (["derive", "mine.py:cube", "--order", "two"], "is not an order"),
        (["derive", "mine.py:cube", "--dtype", "int64"], "invalid choice: 'int64'"),
        (["derive", "mine.py:cube", "--latex", "--numpy"], "not allowed with"),
        (["derive", "mine.py:broken"], "broken failed: RuntimeError: first line"),
        (["derive", "mine.py:quits"], "quits failed: SystemExit"),
        (["derive", "mine.py:none"], "none failed: "),
        (["derive", "mine.py:picky"], "where"),
        (["derive", "mine.py:loss", "--shape", "X=10,3", "--shape", "w=4"], "loss failed: "),
    ],
    ids=lambda value: " ".join(value[1:]) if isinstance(value, list) else None,
)
def test_bad_input_is_one_line_and_status_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name, text in [
        ("mine.txt", SOURCE),
        ("wrong.py", "def cube(x"),
        ("raises.py", "1 / 0"),
        ("exits.py", "raise SystemExit(0)"),
    ]:
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    own = [line for line in captured.err.splitlines() if line != "called"]
    assert len(own) == 1
    assert said in own[0]


def test_no_string_is_run_as_code(tmp_path: Path) -> None:
    payload = "__import__('pathlib').Path('ran').touch()"
    for arguments in (
        [f"mine.py:{payload}"],
        [f"{payload}:cube"],
        ["mine.py:cube", "--wrt", payload],
        ["mine.py:cube", "--shape", f"x={payload}"],
        ["mine.py:cube", "--shape", f"{payload}=3"],
        ["mine.py:cube", "--order", payload],
        ["mine.py:cube", "--dtype", payload],
    ):
        assert run("derive", *arguments) == 2
    assert not (tmp_path / "ran").exists()


# ---------------------------------------------------------------------------- demo


def test_demo_shows_every_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("demo") == 0
    printed = capsys.readouterr().out
    for program in PROGRAMS:
        assert program.__doc__ in printed
    assert "tensor(12.)" in printed
    assert "6 * x" in printed


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_formula_shown_is_the_gradient_computed(program) -> None:
    value, inputs = program()
    gradients = symgrad.explain(value).gradients
    value.backward()
    values = {x.name: x.detach().numpy() for x in inputs}
    for x in inputs:
        if not x.requires_grad:
            assert x.grad is None
            continue
        formula = gradients[x]
        shown = formula.evaluate({leaf: values[leaf.name] for leaf in formula.leaves})
        np.testing.assert_allclose(x.grad.numpy(), shown, rtol=1e-6)


def test_python_dash_m(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "symgrad", "derive", "absent.py:f"],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(Path(symgrad.__file__).parents[1])},
    )
    assert done.returncode == 2
    assert done.stderr == "symgrad derive: error: there is no file 'absent.py'\n"


def test_a_reader_that_goes_away_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "symgrad", "demo"],
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 1
