"""Measurements of speed, as ratios to peers within one run: `python -m benchmarks --help`."""
