"""Memory of arrays that a process keeps for the next ones.

The C library of Linux gives memory of arrays with more than 128 KiB back to the system when they
are freed, and the system fills each page with zeros before it gives the page out again: that takes
up to ten times as long as to add two such arrays.
"""

import numpy as np

#: The largest array whose memory is kept, by which the C library sets its limits.
KEPT = 2**25 - 2**16


def keep_freed_memory() -> None:
    """Let the process keep the memory of freed arrays, up to 64 MiB of it.

    When an array is freed that is larger than any before, the C library takes its size as that from
    which memory is given back. Nothing is written to this one, so that it costs no memory itself.
    Other C libraries do as they did.

    Examples
    --------
    >>> keep_freed_memory()
    """
    np.empty(KEPT, np.uint8)
