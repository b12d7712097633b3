"""Compiled questions of nearness to a hull, in the Euclidean norm: whether a point is farther than a distance, and the least norm in a hull.

They stop as soon as the answer is certain. `hardmax.geometry.projections` has the nearest point itself, with its weights and in any norm.
"""

import math

import numpy as np

from hardmax.compilation import njit


@njit
def _affine_weights(gram, weights):
    """Weights of sum 1 of the point of least norm in the affine hull of points with Gram matrix `gram` (points, points).

    They solve gram w = mu 1: Gaussian elimination on gram + mean 1 1^T, which has the same solution up to its scale and is definite where
    the points are affinely independent. False where they are not, to rounding.
    """
    count = len(weights)
    shift = 0.0
    for i in range(count):
        shift += gram[i, i] / count
        weights[i] = 1.0
    a = gram + shift
    for k in range(count):
        for i in range(k + 1, count):
            if a[k, k] <= 1e-15 * shift:
                return False
            ratio = a[i, k] / a[k, k]
            for j in range(k, count):
                a[i, j] -= ratio * a[k, j]
            weights[i] -= ratio * weights[k]
    if a[count - 1, count - 1] <= 1e-15 * shift:
        return False
    total = 0.0
    for i in range(count - 1, -1, -1):
        for j in range(i + 1, count):
            weights[i] -= a[i, j] * weights[j]
        weights[i] /= a[i, i]
        total += weights[i]
    for i in range(count):
        weights[i] /= total
    return True


@njit
def beyond(point, hull, epsilon):
    """Whether `point` (dim,) is farther than epsilon from the convex hull of the rows of `hull` (points, dim).

    The nearest row bounds the distance from above, which answers for most tokens. Otherwise Wolfe's algorithm (Mathematical Programming
    11, 1976) moves towards the projection until its distance (from above) or a separating half-space (from below) decides.
    """
    count, dim = hull.shape
    least, nearest = np.inf, 0
    for row in range(count):
        square = 0.0
        for axis in range(dim):
            square += (point[axis] - hull[row, axis]) ** 2
        if square < least:
            least, nearest = square, row
    if math.sqrt(least) <= epsilon:
        return False
    if count == 1:
        return True
    most = min(count, dim + 2)
    support = np.empty(most, np.int64)
    weights = np.empty(most)
    affine = np.empty(most)
    gram = np.empty((most, most))
    z = np.empty(dim)
    support[0], weights[0], size = nearest, 1.0, 1
    last = np.inf
    while True:
        distance = 0.0
        for axis in range(dim):
            z[axis] = -point[axis]
            for place in range(size):
                z[axis] += weights[place] * hull[support[place], axis]
            distance += z[axis] ** 2
        distance = math.sqrt(distance)
        if distance <= epsilon:
            return False
        entering, nearer = 0, np.inf
        for row in range(count):
            product = 0.0
            for axis in range(dim):
                product += z[axis] * (hull[row, axis] - point[axis])
            if product < nearer:
                entering, nearer = row, product
        if nearer > epsilon * distance:
            return True
        if size == most or distance >= last or distance * distance - nearer <= 1e-14 * least:
            return distance > epsilon
        last = distance
        support[size], weights[size] = entering, 0.0
        size += 1
        while size > 1:
            for i in range(size):
                for j in range(size):
                    gram[i, j] = 0.0
                    for axis in range(dim):
                        gram[i, j] += (hull[support[i], axis] - point[axis]) * (hull[support[j], axis] - point[axis])
            if not _affine_weights(gram[:size, :size], affine[:size]):
                return distance > epsilon
            share, leaving = 1.0, -1
            for place in range(size):
                if affine[place] <= 1e-14:
                    limit = weights[place] / max(weights[place] - affine[place], 1e-300)
                    if leaving < 0 or limit < share:
                        share, leaving = min(limit, 1.0), place
            for place in range(size):
                weights[place] += share * (affine[place] - weights[place])
            if leaving < 0:
                break
            size -= 1
            support[leaving], weights[leaving] = support[size], weights[size]


@njit
def least_norm_squared(points: np.ndarray, tolerance: float, iterations: int) -> tuple[float, float]:
    """Bounds of the least squared norm over a hull, by pairwise Frank-Wolfe steps: (lower, upper).

    Not by Wolfe's algorithm as above, whose affine weights fail where points are affinely dependent to rounding: hulls that shrink to a point
    come to that, and these steps then still give both bounds.
    Stops when they are within `tolerance` times the largest squared norm, or after `iterations`. A positive lower bound certifies by
    a hyperplane that the origin lies outside.
    """
    count, dim = points.shape
    scale = 0.0
    start = 0
    least = np.inf
    for j in range(count):
        squared = 0.0
        for k in range(dim):
            squared += points[j, k] ** 2
        scale = max(scale, squared)
        if squared < least:
            least, start = squared, j
    weights = np.zeros(count)
    weights[start] = 1.0
    x = points[start].copy()
    lower = 0.0
    upper = least
    for _ in range(iterations):
        towards, away = 0, -1
        smallest, largest = np.inf, -np.inf
        upper = 0.0
        for k in range(dim):
            upper += x[k] * x[k]
        for j in range(count):
            product = 0.0
            for k in range(dim):
                product += x[k] * points[j, k]
            if product < smallest:
                smallest, towards = product, j
            if weights[j] > 0.0 and product > largest:
                largest, away = product, j
        if smallest > 0.0 and upper > 0.0:
            lower = max(lower, smallest * smallest / upper)
        if upper - max(smallest, lower) <= tolerance * scale or upper <= tolerance * scale:
            break
        curvature = 0.0
        for k in range(dim):
            curvature += (points[towards, k] - points[away, k]) ** 2
        if curvature == 0.0:
            break
        move = min(weights[away], (largest - smallest) / curvature)
        weights[away] -= move
        weights[towards] += move
        for k in range(dim):
            x[k] += move * (points[towards, k] - points[away, k])
    return lower, upper
