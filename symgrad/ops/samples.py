"""Arrays that the samples of several families are made of."""

from __future__ import annotations

import numpy as np

ANY = np.array([0.3, -1.2, 2.0])
POSITIVE = np.array([0.3, 1.2, 2.0])
#: Broadcasts with the two above.
COLUMN = np.array([[1.5], [-0.4]])
GRID = np.arange(6.0).reshape(2, 3)
TABLE = np.array([[0.3, -1.2, 2.0], [1.5, 0.4, -0.7]])
