"""The examples are programs: `tests/test_examples.py` runs each in a process of its own."""

collect_ignore_glob = ["*.py"]
