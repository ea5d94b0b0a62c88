"""``python -m symgrad``: the command line, see `symgrad.cli`."""

import sys

from symgrad.cli import main

if __name__ == "__main__":
    sys.exit(main())
