"""The lock under which what threads share is made or counted: a vertex, its hooks, its version.

Whoever comes second finds what the first has made; two of a kind would lose hooks, changes in place
or gradients. It is reentrant, since a finaliser may record in the middle, and held for moments.
"""

import threading

__all__ = ["making"]

making = threading.RLock()
