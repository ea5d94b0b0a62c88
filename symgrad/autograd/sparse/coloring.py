"""Groups of columns of a sparse matrix, no two of which have an element in the same row.

The columns of a group are known from their sum (A. Curtis, M. Powell, J. Reid, "On the estimation of
sparse Jacobian matrices", 1974).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]


class Groups(NamedTuple):
    """The group of each column, or of each row.

    Attributes
    ----------
    are_rows : bool
        Whether rows are grouped.
    of : ndarray
        The number of the group of each; -1 where it has no elements.
    number : int
        How many groups there are.
    """

    are_rows: bool
    of: Array
    number: int


def groups_of(pattern: Any) -> Groups:
    """Return groups of the columns of a `csr_array`, or of its rows where these are fewer."""
    by_column = pattern.tocsc()
    widest = int(np.diff(pattern.indptr).max(initial=0))
    tallest = int(np.diff(by_column.indptr).max(initial=0))
    # A row of so many elements needs so many groups of columns, and a column of rows.
    if widest <= tallest:
        columns = Groups(False, *_grouped(by_column, pattern.shape[0]))
        if columns.number <= tallest:
            return columns
        rows = row_groups_of(pattern)
        return rows if rows.number < columns.number else columns
    rows = row_groups_of(pattern)
    if rows.number < widest:
        return rows
    columns = Groups(False, *_grouped(by_column, pattern.shape[0]))
    return rows if rows.number < columns.number else columns


def row_groups_of(pattern: Any) -> Groups:
    """Return groups of the rows of a `csr_array`."""
    return Groups(True, *_grouped(pattern, pattern.shape[1]))


def _grouped(compressed: Any, others: int) -> tuple[Array, int]:
    """Return the group of each line of elements in order, the first that has none of them yet."""
    starts, places = compressed.indptr.tolist(), compressed.indices.tolist()
    # For each line across, the groups that have an element on it, as the bits of a number.
    taken = [0] * others
    found = np.full(len(starts) - 1, -1)
    count = 0
    for line in range(len(starts) - 1):
        own = places[starts[line] : starts[line + 1]]
        if not own:
            continue
        met = 0
        for place in own:
            met |= taken[place]
        group = (~met & (met + 1)).bit_length() - 1  # the lowest bit that is not set
        for place in own:
            taken[place] |= 1 << group
        found[line] = group
        count = max(count, group + 1)
    return found, count
