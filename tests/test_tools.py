"""What the gate is told by `tools/`: versions of packages, and the code of other processors."""

from __future__ import annotations

import os
import tomllib

import numpy as np
import pytest

from tools import lock, profiles


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def test_the_lock_has_every_declared_package_at_an_allowed_version() -> None:
    locked, declared = lock.locked(), lock.declared()
    assert {"numpy", "sympy", "pytest", "scipy"} <= declared.keys() <= locked.keys()
    for name, lowest in declared.items():
        assert numbers(locked[name]) >= numbers(lowest), name


def test_the_lock_has_every_package_that_the_gate_asks_for() -> None:
    """What the lock does not name would have the version of the day."""
    project = tomllib.loads((lock.ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    asked = {*project["build-system"]["requires"], *project["project"]["dependencies"]}
    asked |= {line for extra in ("test", "dev", "docs", "special") for line in extras[extra]}
    assert {lock._name(line) for line in asked} <= lock.locked().keys()


def test_the_lowest_versions_are_the_declared_ones() -> None:
    lowest, declared = lock.lowest(), lock.declared()
    assert {name: lowest[name] for name in declared} == declared
    assert lowest["mpmath"] == lock.locked()["mpmath"]


INSTRUCTIONS = ["X86_V3", "X86_V4", "AVX512_ICL"]


def test_a_profile_leaves_wide_instructions_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_CORETYPE", raising=False)
    monkeypatch.setattr(profiles, "_instructions", lambda: INSTRUCTIONS)

    def shown(name: str) -> dict[str, str]:
        return profiles.variables(profiles.PROFILES[name])

    assert shown("native") == {}
    assert shown("numpy-without-avx512") == {"NPY_DISABLE_CPU_FEATURES": "X86_V4,AVX512_ICL"}
    assert shown("numpy-without-avx2") == {"NPY_DISABLE_CPU_FEATURES": ",".join(INSTRUCTIONS)}
    assert shown("narrow").keys() == {
        "NPY_DISABLE_CPU_FEATURES", "OPENBLAS_CORETYPE", "GLIBC_TUNABLES"
    }  # fmt: skip
    assert all(map(profiles.runs_here, profiles.PROFILES.values()))
    # A kernel that somebody chose stays.
    monkeypatch.setitem(os.environ, "OPENBLAS_CORETYPE", "Haswell")
    assert shown("narrow")["OPENBLAS_CORETYPE"] == "Haswell"


def test_a_processor_without_them_runs_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "_instructions", lambda: ["ASIMDHP"])
    runnable = {name for name, p in profiles.PROFILES.items() if profiles.runs_here(p)}
    assert runnable == profiles.PROFILES.keys() - {"blas-haswell", "blas-zen", "blas-skylakex"}
    assert profiles.variables(profiles.PROFILES["numpy-without-avx2"]) == {}


def test_the_instructions_here_have_names_that_numpy_takes() -> None:
    found = profiles._instructions()
    assert set(found) <= np._core._multiarray_umath.__cpu_features__.keys()
