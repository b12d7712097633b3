"""Compiled count of clusters: tokens linked by distances within a tolerance."""

import numpy as np
from numba import float64, int64

from hardmax.compilation import njit
from hardmax.sentiment.kernel import OPTIONS


@njit(**OPTIONS, signature=int64[::1](float64[:, ::1], int64[::1], float64[::1]))
def components(points, start, radius):
    """Connected components of each review's tokens, two being linked when at most `radius[review]` apart."""
    found = np.zeros(start.shape[0] - 1, np.int64)
    longest = np.max(np.diff(start))
    waiting, stack = np.empty(longest, np.bool_), np.empty(longest, np.int64)
    for review in range(start.shape[0] - 1):
        first = start[review]
        n = start[review + 1] - first
        waiting[:n] = True
        for seed in range(n):
            if not waiting[seed]:
                continue
            found[review] += 1
            waiting[seed] = False
            stack[0], height = seed, 1
            while height:
                height -= 1
                i = stack[height]
                for j in range(n):
                    if waiting[j]:
                        square = 0.0
                        for c in range(points.shape[1]):
                            square += (points[first + i, c] - points[first + j, c]) ** 2
                        if square <= radius[review] ** 2:
                            waiting[j] = False
                            stack[height] = j
                            height += 1
    return found


@njit(**OPTIONS, signature=float64[::1](float64[:, ::1], int64[::1]))
def extents(points, start):
    """Largest distance between two tokens of each review."""
    found = np.zeros(start.shape[0] - 1)
    for review in range(start.shape[0] - 1):
        for i in range(start[review], start[review + 1]):
            for j in range(start[review], i):
                square = 0.0
                for c in range(points.shape[1]):
                    square += (points[i, c] - points[j, c]) ** 2
                found[review] = max(found[review], square)
    return np.sqrt(found)
