"""What is recorded of an operation is in files of its own, and no file is left of what is gone."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from tests import recording
from tests.recording import PerOperation, file_name
from tests.test_recording import OF_MANY_DIGITS


def folders() -> dict[str, PerOperation]:
    """Return the records with a file for each operation, by their folders."""
    found = {}
    for name in (*recording.recorders(), OF_MANY_DIGITS):
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, PerOperation):
                found[value.folder.relative_to(recording.HERE).as_posix()] = value
    return found


FOLDERS = folders()


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_record_is_in_the_file_of_its_operation(folder: str) -> None:
    records = FOLDERS[folder]
    operations = records.operations()
    assert records.paths() == sorted(map(records.path, operations)), "record again"
    for operation, names in operations.items():
        assert list(records.read(operation)) == names, f"record {operation} again"


def test_names_of_files_are_names_on_every_system() -> None:
    """Where capitals make no difference, too; none is hidden."""
    for records in FOLDERS.values():
        names = [path.as_posix().casefold() for path in records.paths()]
        assert len(set(names)) == len(names)
        assert not any(path.name.startswith(".") for path in records.paths())
    assert file_name("t") != file_name("T").casefold()


def test_files_of_one_operation_are_recorded_and_those_of_none_go(tmp_path: Path) -> None:
    entries = {"add-1": 1, "mul-1": None, "add-2": [2, 3]}
    records = PerOperation(tmp_path, lambda name: name.partition("-")[0], lambda: entries)
    add, mul, gone = (tmp_path / f"{name}.json" for name in ("add", "mul", "gone"))
    gone.write_text("{}\n")
    texts = {add: '{\n"add-1": 1,\n"add-2": [2,3]\n}\n', mul: '{\n"mul-1": null\n}\n'}
    assert list(records.files(entries.get, ["add"])) == [(add, texts[add])]
    assert list(records.files(entries.get, ["add-2", "add-1"])) == [(add, texts[add])]
    assert list(records.files(entries.get, ["sub"])) == ["nothing is recorded of sub"]
    assert list(records.files(entries.get, ())) == [*texts.items(), (gone, None)]
    for path, text in texts.items():
        path.write_text(text)
    assert records["add-2"] == [2, 3]
    assert records.all() == entries and json.loads(texts[mul]) == {"mul-1": None}
