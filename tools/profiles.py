"""Run the tests as on other processors: `python -m tools.profiles [profile …] [-- command …]`.

NumPy, OpenBLAS and the C library choose their code by what the processor can do, and the last
digits of results differ. A profile sets the environment variables that let them choose the code of
another processor. The command, by default the tests of what may be computed otherwise, runs once
for each profile, two at a time, and one line says of each how it ended. A profile that this
processor cannot run is named and left out.

`--show profile` prints the environment variables of a profile, one word for each.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).absolute().parent.parent
COMMAND = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "versions"]

# Names that NumPy gives to wide instructions: since 2.4 to levels of x86-64, before to each set.
_AVX512 = ("X86_V4", "AVX512")
_AVX2 = (*_AVX512, "X86_V3", "AVX2", "FMA3")
_LIBM = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F"}


class Profile(NamedTuple):
    """What a profile changes.

    Attributes
    ----------
    without : tuple of str
        How the names begin of the instructions that NumPy is to leave alone.
    variables : mapping
        Environment variables that choose the code of other libraries.
    needs : tuple of str
        How the names begin of the instructions of which the processor must have some.
    """

    without: tuple[str, ...] = ()
    variables: Mapping[str, str] = {}
    needs: tuple[str, ...] = ()


def _blas(core: str, needs: tuple[str, ...] = ()) -> Profile:
    return Profile((), {"OPENBLAS_CORETYPE": core}, needs)


PROFILES = {
    "native": Profile(),
    "numpy-without-avx512": Profile(_AVX512),
    "numpy-without-avx2": Profile(_AVX2),
    "blas-prescott": _blas("Prescott"),
    "blas-haswell": _blas("Haswell", _AVX2),
    "blas-zen": _blas("Zen", _AVX2),
    "blas-skylakex": _blas("SkylakeX", _AVX512),
    "libm-without-fma": Profile((), _LIBM),
    "narrow": Profile(_AVX2, {"OPENBLAS_CORETYPE": "Prescott", **_LIBM}),
}


def _instructions() -> list[str]:
    """Return the names of the sets of instructions that this NumPy uses because they are here."""
    found = np.show_config(mode="dicts")
    return list(found["SIMD Extensions"].get("found", ()))  # type: ignore[index]


def runs_here(profile: Profile) -> bool:
    """Return whether the processor has the instructions that a profile needs."""
    return not profile.needs or any(name.startswith(profile.needs) for name in _instructions())


def variables(profile: Profile) -> dict[str, str]:
    """Return the environment variables of a profile.

    A kernel of OpenBLAS that the environment names stays: it may be there for a reason.
    """
    unwanted = [name for name in _instructions() if name.startswith(profile.without)]
    found = {"NPY_DISABLE_CPU_FEATURES": ",".join(unwanted)} if unwanted else {}
    return found | {k: os.environ.get(k, v) for k, v in profile.variables.items()}


def _run(name: str, command: list[str], logs: Path) -> bool:
    """Run the command under a profile, print a line about it, and return whether it passed."""
    start = time.monotonic()
    log = logs / f"{name}.log"
    with log.open("w") as file:
        done = subprocess.run(
            command, cwd=ROOT, env=os.environ | variables(PROFILES[name]), check=False,
            stdout=file, stderr=subprocess.STDOUT,
        )  # fmt: skip
    closing = (log.read_text().strip().splitlines() or ["printed nothing"])[-1].strip("= ")
    verdict = "passed" if done.returncode == 0 else f"FAILED, see {log}"
    print(f"{name:22} {verdict}: {closing} [{time.monotonic() - start:.0f} s]", flush=True)
    return done.returncode == 0


def main() -> int:
    """Run the chosen profiles, or all of them; return the status of the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.profiles", description=__doc__)
    parser.add_argument("profiles", nargs="*", metavar="profile", help=", ".join(PROFILES))
    parser.add_argument("--show", choices=PROFILES, help="print the variables of a profile")
    arguments, command = sys.argv[1:], COMMAND
    if "--" in arguments:
        at = arguments.index("--")
        arguments, command = arguments[:at], arguments[at + 1 :]
    options = parser.parse_args(arguments)
    if options.show:
        print(*[f"{k}={v}" for k, v in variables(PROFILES[options.show]).items()])
        return 0
    unknown = [name for name in options.profiles if name not in PROFILES]
    if unknown:
        parser.error(f"no profile {unknown[0]!r}; there are {', '.join(PROFILES)}")
    chosen = options.profiles or list(PROFILES)
    for name in [name for name in chosen if not runs_here(PROFILES[name])]:
        print(f"{name:22} left out: this processor has none of {', '.join(PROFILES[name].needs)}")
        chosen.remove(name)
    print(platform.machine(), "NumPy", np.__version__, *_instructions())
    logs = Path(tempfile.mkdtemp(prefix="profiles-"))
    with ThreadPoolExecutor(2) as pool:
        passed = list(pool.map(lambda name: _run(name, command, logs), chosen))
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
