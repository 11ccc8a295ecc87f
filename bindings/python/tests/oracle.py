"""Shortest paths by SciPy, and a judge of paths; neither uses the engine."""

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph

STRAIGHT, DIAGONAL = 4756, 6726


def legal_steps(free):
    """Every legal step under the strict rule: from, to, unit cost; cells by number."""
    height, width = free.shape
    number = np.arange(height * width).reshape(height, width)
    for dx, dy, cost in [(1, 0, STRAIGHT), (0, 1, STRAIGHT), (1, 1, DIAGONAL), (-1, 1, DIAGONAL)]:
        rows, columns = slice(0, height - dy), slice(max(0, -dx), width - max(0, dx))
        far_rows = slice(dy, height)
        far_columns = slice(max(0, dx), width - max(0, -dx))
        legal = free[rows, columns] & free[far_rows, far_columns]
        if dx and dy:
            legal = legal & free[rows, far_columns] & free[far_rows, columns]
        yield number[rows, columns][legal], number[far_rows, far_columns][legal], cost


def distances(weights, starts):
    """Exact costs from cells (x, y) to all cells, as an array (starts, rows, columns); inf."""
    weights = np.asarray(weights).astype(np.int64)
    free, heavy = weights > 0, weights.ravel()
    ends = [(a, b, cost * (heavy[a] + heavy[b]) // 2) for a, b, cost in legal_steps(free)]
    a, b, cost = (np.concatenate(column) for column in zip(*ends))
    size = free.size
    graph = scipy.sparse.csr_array((cost.astype(float), (a, b)), shape=(size, size))
    numbers = [y * free.shape[1] + x for x, y in starts]
    table = scipy.sparse.csgraph.dijkstra(graph, directed=False, indices=numbers)
    for row, (x, y) in zip(table, starts):
        if not free[y, x]:
            row[:] = np.inf
    return table.reshape(len(starts), *free.shape)


def cost_of(weights, path):
    """The cost of a path of single steps; fails if one is illegal."""
    weights = np.asarray(weights).astype(np.int64)
    total = 0
    for (ax, ay), (bx, by) in zip(path[:-1], path[1:]):
        dx, dy = abs(bx - ax), abs(by - ay)
        assert max(dx, dy) == 1, f"{ax},{ay} to {bx},{by} is no step"
        for x, y in [(ax, ay), (bx, by), (ax, by), (bx, ay)]:
            assert weights[y, x] > 0, f"{ax},{ay} to {bx},{by} passes the blocked cell {x},{y}"
        unit = DIAGONAL if dx and dy else STRAIGHT
        total += unit * (weights[ay, ax] + weights[by, bx]) // 2
    return total
