"""What NumPy computes of functions of matrices: their divided differences, and their derivatives.

`symgrad.ops.frechet` has the formula. Differences of the order k are found from those of the order
below, of values in ascending order (C. de Boor, "Divided differences", 2005), by a quotient, or where
this has lost more digits, by an expansion about the least of the values and about the greatest.
"""

from __future__ import annotations

import itertools

import numpy as np

from symgrad.ops.selection import definitions


def expanded(c, x, places, center):  # type: ignore[no-untyped-def]
    """Return divided differences by an expansion about one of the values, and the size of its terms.

    `c` are the Taylor coefficients of a function at the values `x`, of which `places` are several.
    """
    order = len(places) - 1
    powers = [np.ones_like(x[center])] + [0 * x[center]] * (len(c) - 1 - order)
    for place in places:  # complete homogeneous polynomials of the distances from the center
        step = x[place] - x[center]
        for k in range(1, len(powers)):
            powers[k] = powers[k] + step * powers[k - 1]
    terms = [c[order + k][center] * power for k, power in enumerate(powers)]
    return sum(terms), sum(map(np.abs, terms))


def next_differences(lower, error, c, x, places):  # type: ignore[no-untyped-def]
    """Return divided differences of one order more, and what rounding adds to them.

    Parameters
    ----------
    lower, error
        Those of the order below, for all values.
    c
        The Taylor coefficients of the function at the values, those of one order in a row.
    x
        The values, in ascending order.
    places
        Which of the values they are taken of, in ascending order.
    """
    order, eps = lower.ndim, np.finfo(x.dtype).eps
    low, high = lower[tuple(places[:-1])], lower[tuple(places[1:])]
    gap = x[places[-1]] - x[places[0]]
    apart = np.where(gap == 0, 1, gap)
    found = (high - low) / apart
    noise = error[tuple(places[:-1])] + error[tuple(places[1:])]
    noise = (noise + eps * (np.abs(high) + np.abs(low))) / apart
    unknown = bool(np.isnan(c[1]).all())  # then few digits are better than none
    most = eps**0.5 if unknown else 4.0 ** (2 + order) * eps
    near = np.flatnonzero((gap == 0) | ~(noise <= most * np.abs(found)))
    if near.size:  # where the quotient has lost digits
        some = places[:, near]
        above, size = expanded(c, x, some, some[0])  # type: ignore[no-untyped-call]
        below, _ = expanded(c, x, some, some[-1])  # type: ignore[no-untyped-call]
        series, rounded = (above + below) / 2, eps * size
        doubt = np.maximum(np.abs(found[near] - series) - 8 * noise[near], 0)
        doubt = np.where(gap[near] == 0, 0, doubt + np.abs(above - below)) + rounded
        met = (gap[near] == 0) | (doubt <= noise[near]) | unknown
        found[near[met]], noise[near[met]] = series[met], doubt[met]
    return found, noise


def along_two(c, x, lower, error, directions):  # type: ignore[no-untyped-def]
    """Return the derivative along two matrices, from the divided differences of order 1.

    Those of order 2 are many. Where the first value and the last are far apart, their quotients are
    sums of products of matrices; only for other pairs they are found one by one.
    """
    p, q = directions
    gap = x - x[:, None]
    far = np.abs(gap) >= max((x[-1] - x[0]) / 16, 1e-3 * max(abs(x[0]), abs(x[-1])))
    far &= gap != 0
    total = p @ (lower * q) - (lower * p) @ q + q @ (lower * p) - (lower * q) @ p
    made = np.where(far, total / np.where(far, gap, 1), 0)
    rows, columns = np.nonzero(np.triu(~far))
    step, between = max(1, 2**15 // len(x)), np.arange(len(x))
    for start in range(0, rows.size, step):
        i, j = rows[start : start + step, None], columns[start : start + step, None]
        places = np.sort(np.stack(np.broadcast_arrays(i, between, j)), 0)
        found, _ = next_differences(lower, error, c, x, places.reshape(3, -1))  # type: ignore[no-untyped-call]
        found, i, j = found.reshape(len(i), -1), i[:, 0], j[:, 0]
        for k, m in ((i, j), (j, i)):
            made[k, m] = (found * (p[k] * q[:, m].T + q[k] * p[:, m].T)).sum(1)
    return made


def along_directions(c, x, directions):  # type: ignore[no-untyped-def]
    """Return the derivative of a function of a diagonal matrix along Hermitian matrices.

    Parameters
    ----------
    c
        The Taylor coefficients of the function at the diagonal, those of one order in a row.
    x
        The diagonal, in ascending order.
    directions
        The matrices.
    """
    count, order = len(x), len(directions)
    made = np.zeros(directions[0].shape, directions[0].dtype)
    if not count:
        return made
    if len(c) <= order:  # without the coefficients of this order, which are zero
        c = np.concatenate([c, np.repeat(0 * c[-1:], order + 1 - len(c), 0)])
    # A value is as uncertain as the argument, and more than its own digits say where it is a
    # difference of larger ones.
    table = c[0]
    slope = np.where(np.isnan(c[1]), 0, c[1])
    error = 4 * np.finfo(x.dtype).eps * (np.abs(table) + np.abs(slope * x))
    places = np.arange(count)[None]
    for k in range(1, order + 1):
        if k == order == 2:
            return along_two(c, x, table, error, directions)  # type: ignore[no-untyped-call]
        starts = np.searchsorted(places[0], np.arange(count))
        counts = places.shape[1] - starts
        first = np.repeat(np.arange(count), counts)
        within = np.arange(first.size) - np.repeat(np.cumsum(counts) - counts - starts, counts)
        places = np.concatenate([first[None], places[:, within]])
        lower, below = table, error
        table = np.empty((count,) * (k + 1), c.dtype)
        error = np.empty_like(table)
        for start in range(0, places.shape[1], 2**15):
            some = places[:, start : start + 2**15]
            found, noise = next_differences(lower, below, c, x, some)  # type: ignore[no-untyped-call]
            for turned in itertools.permutations(some):
                table[turned] = found
                if k < order:
                    error[turned] = noise
    step = max(1, 2**16 // count**order)
    for rows in [slice(i, i + step) for i in range(0, count, step)]:
        for turn in itertools.permutations(directions):
            path = table[rows] * turn[0][rows].reshape(-1, count, *(1,) * (order - 1))
            for direction in turn[1:]:
                path = np.einsum("abc...,bc->ac...", path, direction)
            made[rows] += path
    return made


def hermitian_derivative(c, w, v, *directions):  # type: ignore[no-untyped-def]
    """Return the derivative of a function of one Hermitian matrix."""
    moved = [v.conj().T @ x @ v for x in directions]
    moved = [(x + x.conj().T) / 2 for x in moved]
    return v @ along_directions(c, w, moved) @ v.conj().T  # type: ignore[no-untyped-call]


def singular_derivative(c, s, u, vh, *directions):  # type: ignore[no-untyped-def]
    """Return the derivative of `u @ diag(f(s)) @ vh` of one matrix."""
    if u.shape[0] < vh.shape[1]:  # a wide matrix is computed as a tall one
        found = singular_derivative(  # type: ignore[no-untyped-call]
            c, s, vh.conj().T, u.conj().T, *[x.conj().T for x in directions]
        )
        return found.conj().T
    v, count, half = vh.conj().T, len(s), 0.5**0.5
    inner = [u.conj().T @ x @ v for x in directions]
    # What leads out of the space on the left, in coordinates of its own.
    if u.shape[0] == count:
        basis, parts = u[:, :0], np.zeros((0, count * len(inner)), u.dtype)
    else:
        outer = np.concatenate([x @ v - u @ p for x, p in zip(directions, inner, strict=True)], 1)
        if u.shape[0] - count < outer.shape[1]:  # all that is outside
            basis = np.linalg.qr(u, mode="complete")[0][:, count:]
            parts = basis.conj().T @ outer
        else:
            basis, parts = np.linalg.qr(outer)
    moved = []
    for k, p in enumerate(inner):
        even, odd = (p + p.conj().T) / 2, (p - p.conj().T) / 2
        out = parts[:, k * count : (k + 1) * count] * half
        back, none = out.conj().T, np.zeros((len(parts), len(parts)), p.dtype)
        moved.append(np.block([[even, -odd, back], [odd, -even, -back], [out, -out, none]]))
    signs = (-1.0) ** (1 + np.arange(len(c), dtype=s.dtype))[:, None]
    zero = np.zeros((len(c), len(parts)), s.dtype)
    if count:  # by the expansion about the least value, which counts where that is next to zero
        near = c[:, np.argmin(s)].copy()
        for k, m in itertools.combinations_with_replacement(range(len(c) - 1), 2):
            near[len(c) - 2 - m + k] -= near[len(c) - 1 - m + k] * s.min()
        if len(directions) > 1 or not np.isnan(near[1:]).all():
            zero[1:] = near[1:, None]
    x = np.concatenate([s, -s, 0 * zero[0]])
    order = np.argsort(x, kind="stable")
    sorting = np.ix_(order, order)
    c = np.concatenate([c, signs * c, zero], 1)[:, order]
    made = np.empty_like(moved[0])
    made[sorting] = along_directions(c, x[order], [m[sorting] for m in moved])  # type: ignore[no-untyped-call]
    columns = np.concatenate([v * half, -v * half, np.zeros((len(v), len(parts)), v.dtype)], 1)
    return np.concatenate([u * half, u * half, basis], 1) @ made @ columns.conj().T


def over_matrices(compute, c, rest, values, *others):  # type: ignore[no-untyped-def]
    """Call a function of one matrix for each; the leading axes, which count matrices, broadcast.

    It is given the values of a function and its Taylor coefficients, those of one order in a row,
    the spectrum, and matrices.
    """
    ranks = [1, 2, 1] + [2] * len(others)
    given = [c, rest, values, *others]
    leads = [x.shape[: x.ndim - rank] for x, rank in zip(given, ranks, strict=True)]
    lead = np.broadcast_shapes(*leads)
    spread = [
        np.broadcast_to(x, lead + x.shape[len(own) :]) for x, own in zip(given, leads, strict=True)
    ]
    out = np.empty(lead + others[-1].shape[-2:], np.result_type(*others))
    for place in np.ndindex(lead):
        c, rest, *parts = [x[place] for x in spread]
        out[place] = compute(np.concatenate([c[None], rest.T]), *parts)
    return out


def frechet_of_hermitian(c, rest, w, v, *directions):  # type: ignore[no-untyped-def]
    """Return the derivatives of functions of Hermitian matrices along Hermitian parts."""
    return over_matrices(hermitian_derivative, c, rest, w, v, *directions)  # type: ignore[no-untyped-call]


def frechet_of_singular(c, rest, u, s, vh, *directions):  # type: ignore[no-untyped-def]
    """Return the derivatives of `u @ diag(f(s)) @ vh`."""
    return over_matrices(singular_derivative, c, rest, s, u, vh, *directions)  # type: ignore[no-untyped-call]


_IMPORTS = ("import itertools",)
_SHARED = definitions(expanded, next_differences, along_two, along_directions, imports=_IMPORTS)
#: What the kernels need beside their own text.
OF_HERMITIAN = definitions(hermitian_derivative, over_matrices, prelude=_SHARED, imports=_IMPORTS)
OF_SINGULAR = definitions(singular_derivative, over_matrices, prelude=_SHARED, imports=_IMPORTS)
