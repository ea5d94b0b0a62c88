"""Write the lock file, the version of every package that the gate installs: `python -m tools.lock`.

The lock file holds the newest versions of the day on which it is written. The gate gives it to
pip as constraints, so that the commands of the README stay as they are. `--lowest` prints
constraints that ask for the lowest versions that `pyproject.toml` declares, and for those of the
lock elsewhere.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).absolute().parent.parent
LOCK = ROOT / ".ci" / "lock.txt"

_HEAD = (
    "# Written by `python -m tools.lock`: the version of each package that `.ci/run` installs.\n"
)


def _name(line: str) -> str:
    """Return the name of the package of a requirement, as registries compare names."""
    name = re.match(r"[\w.-]+", line)
    assert name, f"no requirement: {line!r}"
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def declared() -> dict[str, str]:
    """Return the lowest version that is declared of each package that users or tests need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    found = {}
    for line in (*project["dependencies"], *extras["special"], *extras["test"]):
        name, _, version = line.partition(">=")
        assert version, f"a requirement of another form than name>=version: {line!r}"
        found[name] = version
    return found


def locked() -> dict[str, str]:
    """Return the version of each package in the lock file."""
    lines = [line for line in LOCK.read_text().splitlines() if not line.startswith("#")]
    return dict(line.split("==") for line in lines)


def lowest() -> dict[str, str]:
    """Return the lowest versions that are declared, and those of the lock elsewhere."""
    return locked() | declared()


def _installed(*arguments: str) -> dict[str, str]:
    """Return the version of each package that pip installs in a new environment."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        pip = [f"{place}/bin/python", "-m", "pip"]
        subprocess.run([*pip, "install", "--quiet", *arguments], check=True, cwd=ROOT)
        frozen = subprocess.run(
            [*pip, "freeze", "--exclude", "symgrad"], check=True, capture_output=True, text=True
        ).stdout
    return {_name(line): line.partition("==")[2] for line in frozen.splitlines() if "==" in line}


def _constraints(versions: dict[str, str]) -> str:
    return "".join(f"{name}=={version}\n" for name, version in sorted(versions.items()))


def renew() -> None:
    """Write the lock file with the newest versions that the lowest declared Python takes."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    builds = settings["build-system"]["requires"]
    lowest = settings["project"]["requires-python"].removeprefix(">=")
    if ".".join(map(str, sys.version_info[:2])) != lowest:
        sys.exit(f"the lock file is made on Python {lowest}, the lowest, not on {sys.version}")
    newest = _installed(".[test,dev,docs,special]", *builds, "editables")
    # The lowest versions may need packages that the newest ones do without.
    old = _installed(*[f"{name}=={version}" for name, version in declared().items()])
    LOCK.write_text(_HEAD + _constraints(old | newest))


def main() -> None:
    """Renew the lock file, or print the lowest versions."""
    parser = argparse.ArgumentParser(prog="python -m tools.lock", description=__doc__)
    parser.add_argument("--lowest", action="store_true", help="print the lowest versions instead")
    if parser.parse_args().lowest:
        sys.stdout.write(_constraints(lowest()))
    else:
        renew()


if __name__ == "__main__":
    main()
