"""The command line: `python -m symgrad`."""

from symgrad.cli.commands import main

__all__ = ["main"]
