"""Record what PyTorch makes of every scenario: `python -m tests.scenarios.record [family …]`.

The files are the same, byte for byte, from run to run. Scenarios that fail to run, raise
nothing where they say they do, or declare a difference that is none, are listed at the end.
"""

from __future__ import annotations

import sys

from . import _harness


def main(names: list[str]) -> int:
    import torch

    if not torch.__version__.startswith(_harness.REFERENCE):
        print(f"torch {_harness.REFERENCE} is the reference, found {torch.__version__}")
        return 1
    torch.set_num_threads(1)
    version = torch.__version__.partition("+")[0]
    _harness.DATA.mkdir(exist_ok=True)
    total = 0
    problems = []
    for family in names or _harness.families():
        recorded = {}
        for scenario in _harness.scenarios(family):
            try:
                recorded[scenario.name] = _harness.run(scenario, torch)
            except Exception as error:
                problems.append(f"{scenario.id}: {type(error).__name__}: {error}")
                continue
            problems += _harness.check_declared(scenario, recorded[scenario.name])
            problems += _harness.check_recorded(scenario, recorded[scenario.name])
        _harness.path_of(family).write_text(
            _harness.dump(recorded, version), encoding="utf-8", newline="\n"
        )
        total += len(recorded)
        print(f"{family:20} {len(recorded):4}")
    print(f"{'total':20} {total:4}")
    print(*problems, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
