"""Time symgrad beside its peers: `python benchmarks/run.py [case …]`.

The measurements run in a child process, in which every library has one thread from the start.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import traceback
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).absolute().parent.parent
_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
_CHILD = "SYMGRAD_BENCHMARK_CHILD"


def main(arguments: list[str] | None = None) -> int:
    """Parse the command line; run the cases in a child process with one thread."""
    given = sys.argv[1:] if arguments is None else arguments
    if _CHILD in os.environ:
        return _measure(given)
    environment = dict(os.environ, **dict.fromkeys(_THREADS, "1"), **{_CHILD: "1"})
    environment["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    child = subprocess.run(
        [sys.executable, "-m", "benchmarks", *given], env=environment, check=False, cwd=ROOT
    )
    return child.returncode


def _measure(arguments: list[str]) -> int:
    from benchmarks.cases import CASES  # noqa: PLC0415 - in the child, after its thread counts
    from benchmarks.harness import Figure, markdown  # noqa: PLC0415

    parser = argparse.ArgumentParser(
        prog="benchmarks/run.py",
        description="Time symgrad beside the peers that are installed.",
        epilog="cases: " + "; ".join(f"{c.name}: {c.summary}" for c in CASES.values()),
    )
    parser.add_argument("cases", nargs="*", metavar="case", help="all by default")
    parser.add_argument("--rounds", type=int, default=10, help="turns of each contender")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.cases if name not in CASES]
    if unknown:
        parser.error(f"no case {unknown[0]!r}; there are {', '.join(CASES)}")
    figures: list[Figure] = []
    failed: list[str] = []
    for name in options.cases or CASES:
        print(f"{name} …", file=sys.stderr, flush=True)
        try:
            figures += CASES[name].run(options.rounds)
        except Exception:  # noqa: BLE001 - shown, and the other cases still run
            traceback.print_exc()
            failed.append(name)
    print(f"Python {platform.python_version()}, {_versions()}; one thread; best of "
          f"{options.rounds} interleaved rounds\n")  # fmt: skip
    print(markdown(figures))
    if options.json:
        record = {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "versions": _versions(),
            "figures": [f.as_dict() for f in figures],
        }
        options.json.write_text(json.dumps(record, indent=1, ensure_ascii=False), encoding="utf-8")
    for name in failed:
        print(f"\n{name}: failed, see above", file=sys.stderr)
    return 1 if failed else 0


def _versions() -> str:
    found = []
    for name in ("numpy", "sympy", "torch", "jax", "autograd"):
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


if __name__ == "__main__":
    sys.exit(main())
