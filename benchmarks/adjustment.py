"""Bundle adjustment: residuals of projected points, and their sparse Jacobian by hand in NumPy.

The model is that of "Bundle Adjustment in the Large": a camera has a rotation vector, a shift, a
focal length and two numbers of radial distortion. Data are random, of the size of a problem there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

Array = np.ndarray[Any, Any]

CAMERAS, POINTS, OBSERVATIONS = 49, 7_776, 31_843


class Adjustment:
    """A problem of bundle adjustment.

    Attributes
    ----------
    cameras, points : ndarray
        The unknowns, of shapes (49, 9) and (7776, 3).
    camera, point : ndarray of int
        Which camera sees which point in each observation.
    observed : ndarray
        Where it is seen, of shape (31843, 2).
    """

    def __init__(self) -> None:
        rng = np.random.default_rng(0)
        self.cameras = np.concatenate(
            [
                rng.normal(0, 0.3, (CAMERAS, 3)),
                rng.normal(0, 1, (CAMERAS, 3)) - [0, 0, 8],
                rng.uniform(500, 600, (CAMERAS, 1)),
                rng.normal(0, 1e-2, (CAMERAS, 2)),
            ],
            1,
        )
        self.points = rng.normal(0, 1, (POINTS, 3))
        self.camera = rng.integers(0, CAMERAS, OBSERVATIONS)
        self.point = rng.integers(0, POINTS, OBSERVATIONS)
        self.observed = rng.normal(0, 100, (OBSERVATIONS, 2))

    def residuals(self, cameras: Any, points: Any) -> Any:
        """Return where each point is seen beside where it would be seen: of shape (31843, 2)."""
        u, v, w, r, s, t, f, k1, k2 = cameras[self.camera].T
        x, y, z = points[self.point].T
        angle = np.sqrt(u * u + v * v + w * w)
        u, v, w = u / angle, v / angle, w / angle
        cos, sin = np.cos(angle), np.sin(angle)
        along = (u * x + v * y + w * z) * (1 - cos)
        a = cos * x + sin * (v * z - w * y) + along * u + r
        b = cos * y + sin * (w * x - u * z) + along * v + s
        c = cos * z + sin * (u * y - v * x) + along * w + t
        a, b = -a / c, -b / c
        n = a * a + b * b
        scale = f * (1 + n * (k1 + k2 * n))
        return np.stack([scale * a, scale * b], 1) - self.observed

    def jacobian_by_hand(self, cameras: Array, points: Array) -> Any:
        """Return the derivatives by all cameras, then all points, as a `csr_array`.

        The tangents of the twelve unknowns of an observation are pushed forward in turn.
        """
        u, v, w, r, s, t, f, k1, k2 = np.ascontiguousarray(cameras[self.camera].T)
        x, y, z = np.ascontiguousarray(points[self.point].T)
        square = u * u + v * v + w * w
        angle = np.sqrt(square)
        cos, sin = np.cos(angle), np.sin(angle)
        p, q = sin / angle, (1 - cos) / square
        d, e, g = v * z - w * y, w * x - u * z, u * y - v * x
        along = u * x + v * y + w * z
        h = q * along
        c = cos * z + p * g + h * w + t
        a = (cos * x + p * d + h * u + r) / -c
        b = (cos * y + p * e + h * v + s) / -c
        n = a * a + b * b
        radial = 1 + n * (k1 + k2 * n)
        scale, slope = f * radial, 2 * f * (k1 + 2 * k2 * n)
        found = np.empty((OBSERVATIONS, 2, 12))
        by_c = -1 / c

        def push(place: int, ta: Any, tb: Any, tc: Any) -> None:
            ta, tb = (ta + a * tc) * by_c, (tb + b * tc) * by_c
            radially = slope * (a * ta + b * tb)
            found[:, 0, place] = scale * ta + radially * a
            found[:, 1, place] = scale * tb + radially * b

        dp, dq = (cos - p) / square, (p - 2 * q) / square  # by half of the square
        # What the rotation vector changes by its length, and by its direction.
        la, lb, lc = [
            dp * m + dq * along * k - p * i for m, k, i in ((d, u, x), (e, v, y), (g, w, z))
        ]
        pu, pv, pw, qu, qv, qw = p * u, p * v, p * w, q * u, q * v, q * w
        px, py, pz = p * x, p * y, p * z
        push(0, u * la + qu * x + h, u * lb + qv * x - pz, u * lc + qw * x + py)
        push(1, v * la + qu * y + pz, v * lb + qv * y + h, v * lc + qw * y - px)
        push(2, w * la + qu * z - py, w * lb + qv * z + px, w * lc + qw * z + h)
        push(3, 1, 0, 0)
        push(4, 0, 1, 0)
        push(5, 0, 0, 1)
        push(9, cos + qu * u, pw + qv * u, qw * u - pv)
        push(10, qu * v - pw, cos + qv * v, qw * v + pu)
        push(11, qu * w + pv, qv * w - pu, cos + qw * w)
        fn = f * n
        for place, factor in ((6, radial), (7, fn), (8, fn * n)):
            found[:, 0, place], found[:, 1, place] = factor * a, factor * b
        columns = np.concatenate(
            [
                9 * self.camera[:, None] + np.arange(9),
                9 * CAMERAS + 3 * self.point[:, None] + np.arange(3),
            ],
            1,
        )
        places = np.broadcast_to(columns[:, None], found.shape)
        rows = np.broadcast_to(np.arange(2 * OBSERVATIONS).reshape(-1, 2, 1), found.shape)
        shape = 2 * OBSERVATIONS, 9 * CAMERAS + 3 * POINTS
        made = scipy.sparse.coo_array((found.ravel(), (rows.ravel(), places.ravel())), shape)
        return made.tocsr()
