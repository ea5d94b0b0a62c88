"""Small programs against PyTorch's API, with what PyTorch 2.13 makes of them.

A *family* is a module here whose public functions `f(torch, log)` are scenarios.
`record.py` runs them on PyTorch and writes `data/<family>.json`; `test_scenarios.py`
replays them on symgrad; `test_live.py` does so beside an installed PyTorch;
`table.py` prints how many pass. The mechanism is in `_harness.py`.
"""
