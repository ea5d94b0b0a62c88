"""``python -m symgrad``: the command line, see `symgrad.forms.cli`."""

import sys

from symgrad.forms.cli import main

if __name__ == "__main__":
    sys.exit(main())
