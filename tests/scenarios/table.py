"""Scenarios passed and total, by family: `python -m tests.scenarios.table [-v] [id part …]`.

With `-v` every mismatch is printed; with words, only scenarios whose id contains one.
"""

from __future__ import annotations

import sys
from collections import Counter

from . import _harness


def main(arguments: list[str]) -> int:
    import symgrad

    verbose = "-v" in arguments
    words = [word for word in arguments if word != "-v"]
    passed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for scenario in _harness.all_scenarios():
        if words and not any(word in scenario.id for word in words):
            continue
        recorded = _harness.recorded(scenario)
        expected = _harness.expected_of_symgrad(scenario, recorded)
        try:
            wrong = _harness.mismatches(expected, _harness.run(scenario, symgrad))
        except Exception as error:
            wrong = [f"stopped: {type(error).__name__}: {_harness.first_line(str(error))}"]
        total[scenario.family] += 1
        passed[scenario.family] += not wrong
        if wrong and scenario.later:
            print(f"{scenario.id}: later ({scenario.later})")
        elif wrong and verbose:
            print(f"{scenario.id}", *wrong, sep="\n    ")
    for family in total:
        print(f"{family:20} {passed[family]:4} / {total[family]}")
    print(f"{'total':20} {passed.total():4} / {total.total()}")
    return 0 if passed == total else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
