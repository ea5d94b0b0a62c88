"""Every script that records PyTorch's results is found, and states what it records in one way."""

from __future__ import annotations

import ast
import inspect
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import recording

#: Holds formulas in many digits, not PyTorch's results.
OF_MANY_DIGITS = "tests.ops.record_accuracy"


def test_every_script_that_writes_a_record_is_a_recorder() -> None:
    found = recording.recorders()
    for path in recording.HERE.rglob("*.py"):
        if not path.name.startswith("record") or path.name == "recording.py":
            continue
        name = ".".join(path.relative_to(recording.HERE.parent).with_suffix("").parts)
        text = path.read_text(encoding="utf-8")
        writes = {
            x.attr
            for x in ast.walk(ast.parse(text))
            if isinstance(x, ast.Attribute) and x.attr in ("write_text", "write_bytes")
        }
        assert name in found or name == OF_MANY_DIGITS, name
        assert not writes, f"{name} writes its files itself"
    for name, files in found.items():
        assert list(inspect.signature(files).parameters) == ["torch", "chosen"], name


def test_a_recorder_is_run_or_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(recording, "reference", lambda: "PyTorch")
    monkeypatch.setattr(recording, "HERE", tmp_path)
    path = tmp_path / "data" / "found.json"

    def files(torch: Any, chosen: Any) -> Any:
        yield path, recording.lines({"of": torch, "chosen": list(chosen)})

    def run(*words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["record", *words])
        return recording.run(files), capsys.readouterr().out

    assert run("--check", "a") == (1, "data/found.json: differs\n")
    assert not path.exists()
    assert run("a") == (0, "data/found.json: differs\n")
    assert json.loads(path.read_text()) == {"of": "PyTorch", "chosen": ["a"]}
    assert run("a", "--check") == (0, "data/found.json: as it was\n")
    assert run("b", "--check")[0] == 1


def test_a_file_that_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(recording, "reference", lambda: None)
    monkeypatch.setattr(recording, "HERE", tmp_path)
    path = tmp_path / "gone.json"
    path.write_text("{}\n")
    for words, status, left in ((["--check"], 1, True), ([], 0, False), (["--check"], 0, False)):
        monkeypatch.setattr(sys, "argv", ["record", *words])
        assert recording.run(lambda torch, chosen: iter([(path, None)])) == status
        assert path.exists() is left
    assert capsys.readouterr().out.splitlines()[-1] == "gone.json: as it was"


def test_what_is_wrong_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(recording, "reference", lambda: None)
    monkeypatch.setattr(sys, "argv", ["record"])
    assert recording.run(lambda torch, chosen: iter(["a case fails"])) == 1
    assert capsys.readouterr().out == "a case fails\n"
