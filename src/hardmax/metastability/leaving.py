"""When a token leaves: whether it is farther than epsilon from the hull of its group."""

from hardmax.compilation import njit
from hardmax.geometry.nearness import beyond


@njit
def first_beyond(x, group, hulls, first, epsilon):
    """The smallest index of a token that is out, or -1."""
    for i in range(x.shape[0]):
        g = group[i]
        if beyond(x[i], hulls[first[g] : first[g + 1]], epsilon):
            return i
    return -1
