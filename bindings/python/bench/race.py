"""Races the engine against other packages, all called from Python, in one run.

    python bench/race.py FOLDER [--native PROGRAM] [--queries 40]

FOLDER has the MovingAI sets `dao` and `sc1`. PROGRAM measures batches without Python:
`cargo build --release -p farstride-bench --bin batches`. Queries are interleaved: each is
given to every package in turn. Times are those of a call from Python to a complete path.
Lengths are compared with the published ones; a package that does not know the rule "no
cutting of corners" is told so by the column `length`.
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import time

import numpy as np

import farstride as fs

SQRT2 = 2**0.5


def path_length(path):
    steps = np.abs(np.diff(np.asarray(path, dtype=float), axis=0))
    return np.hypot(steps[:, 0], steps[:, 1]).sum()


def farstride(engine):
    def prepare(grid, free):
        planner = fs.Planner(grid, engine)
        return lambda start, goal: planner.find(start, goal).path

    return prepare


def pyastar2d(grid, free):
    import pyastar2d

    weights = np.where(free, 1, np.inf).astype(np.float32)
    return lambda start, goal: pyastar2d.astar_path(weights, start[::-1], goal[::-1], allow_diagonal=True)


def tcod(grid, free):
    import tcod.path

    cost = free.astype(np.int8)

    def find(start, goal):
        graph = tcod.path.SimpleGraph(cost=cost, cardinal=70, diagonal=99)
        finder = tcod.path.Pathfinder(graph)
        finder.add_root(start[::-1])
        return finder.path_to(goal[::-1])

    return find


def skimage(grid, free):
    from skimage.graph import MCP_Geometric

    costs = np.where(free, 1.0, -1.0)

    def find(start, goal):
        finder = MCP_Geometric(costs, fully_connected=True)
        finder.find_costs([start[::-1]], [goal[::-1]])
        return finder.traceback(goal[::-1])

    return find


def steps(free):
    """Legal steps between numbered cells, each once."""
    height, width = free.shape
    number = np.arange(height * width).reshape(height, width)
    a, b, c = free[:-1, :-1], free[1:, :-1], free[:-1, 1:]
    square = a & b & c & free[1:, 1:]
    right, down = free[:, :-1] & free[:, 1:], free[:-1] & free[1:]
    return [
        (number[:, :-1][right], number[:, 1:][right], 1.0),
        (number[:-1][down], number[1:][down], 1.0),
        (number[:-1, :-1][square], number[1:, 1:][square], SQRT2),
        (number[:-1, 1:][square], number[1:, :-1][square], SQRT2),
    ]


def scipy_graph(grid, free):
    import scipy.sparse
    from scipy.sparse.csgraph import dijkstra

    a, b, length = zip(*((a, b, np.full(len(a), length)) for a, b, length in steps(free)))
    ends = np.concatenate(a), np.concatenate(b)
    graph = scipy.sparse.csr_matrix((np.concatenate(length), ends), shape=(free.size, free.size))
    width = free.shape[1]

    def find(start, goal):
        (ax, ay), (bx, by) = start, goal
        source, at = ay * width + ax, by * width + bx
        _, before = dijkstra(graph, directed=False, indices=source, return_predecessors=True)
        path = [at]
        while at != source:
            at = before[at]
            path.append(at)
        return np.column_stack(np.divmod(path[::-1], width)[::-1])

    return find


def networkx(grid, free):
    import networkx

    graph = networkx.Graph()
    for a, b, length in steps(free):
        graph.add_weighted_edges_from(zip(a.tolist(), b.tolist(), [length] * len(a)))
    width = free.shape[1]

    def bound(a, b):
        dx, dy = abs(a % width - b % width), abs(a // width - b // width)
        return max(dx, dy) + (SQRT2 - 1) * min(dx, dy)

    def find(start, goal):
        (ax, ay), (bx, by) = start, goal
        path = networkx.astar_path(graph, ay * width + ax, by * width + bx, bound)
        return np.column_stack(np.divmod(path, width)[::-1])

    return find


def pathfinding(grid, free):
    from pathfinding.core.diagonal_movement import DiagonalMovement
    from pathfinding.core.grid import Grid
    from pathfinding.finder.a_star import AStarFinder

    cells = Grid(matrix=free.astype(int).tolist())

    def find(start, goal):
        cells.cleanup()
        finder = AStarFinder(diagonal_movement=DiagonalMovement.only_when_no_obstacle)
        path, _ = finder.find_path(cells.node(*start), cells.node(*goal), cells)
        return np.array([(node.x, node.y) for node in path])

    return find


ENTRIES = {
    "farstride labels": (farstride("labels"), 200),
    "farstride nsg+": (farstride("nsg+"), 50),
    "farstride hpa": (farstride("hpa"), 50),
    "farstride astar": (farstride("astar"), 3),
    "pyastar2d": (pyastar2d, 1),
    "tcod": (tcod, 1),
    "scipy.sparse.csgraph": (scipy_graph, 1),
    "scikit-image": (skimage, 1),
    "networkx": (networkx, 1),
    "pathfinding": (pathfinding, 1),
}
# These take seconds a query: they get every fifth.
SLOW = {"networkx", "pathfinding"}


def race(folder, name, count):
    file = folder / f"{name}.map"
    grid = fs.Grid.load(file)
    scenario = fs.load_scenario(f"{file}.scen", grid)
    chosen = np.linspace(0, len(scenario["length"]) - 1, count).astype(int)
    chosen = chosen[scenario["length"][chosen] > 1]
    free = grid.to_array() > 0
    finders, builds = {}, {}
    for entry, (prepare, _) in ENTRIES.items():
        begin = time.perf_counter()
        finders[entry] = prepare(grid, free)
        builds[entry] = time.perf_counter() - begin
    times, excess = {entry: [] for entry in ENTRIES}, {entry: [] for entry in ENTRIES}
    for place, at in enumerate(chosen):
        start, goal = tuple(scenario["starts"][at].tolist()), tuple(scenario["goals"][at].tolist())
        for entry, find in finders.items():
            if entry in SLOW and place % 5:
                continue
            rounds = ENTRIES[entry][1]
            begin = time.perf_counter()
            for _ in range(rounds):
                path = find(start, goal)
            times[entry].append((time.perf_counter() - begin) / rounds)
            excess[entry].append(path_length(path) / scenario["length"][at])
    print(f"\n## {name}, {grid.width} x {grid.height}, {len(chosen)} queries\n")
    print("| | build ms | µs per query, median | times `labels` | length |")
    print("|---|---:|---:|---:|---:|")
    labels = np.median(times["farstride labels"])
    for entry in ENTRIES:
        typical = np.median(times[entry])
        row = f"{builds[entry] * 1e3:.0f} | {typical * 1e6:.1f} | {typical / labels:.0f} | {np.mean(excess[entry]):.4f}"
        print(f"| {entry} | {row} |", flush=True)


def batches(folder, name, native):
    """Batches of 100,000 queries and a table of 10,000 x 10,000, beside the native engine."""
    file = folder / f"{name}.map"
    grid = fs.Grid.load(file)
    planner = fs.Planner(grid, "labels")
    cells = np.argwhere(grid.to_array())[:, ::-1]
    # The generator of `batches`: both programs ask the same.
    state, places = 12345, []
    for _ in range(200_000):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        places.append((state >> 33) % len(cells))
    cells = cells[places]
    starts, goals = cells[:100_000], cells[100_000:]
    some, others = cells[:10_000], cells[10_000:20_000]
    taken = {"find_many": [], "cost_table": []}
    natively = {"find_many": [], "cost_table": []}
    for _ in range(3):
        begin = time.perf_counter()
        routes = planner.find_many(starts, goals)
        taken["find_many"].append(time.perf_counter() - begin)
        cost, length = int(routes.cost[routes.cost > 0].sum()), len(routes.path)
        del routes
        begin = time.perf_counter()
        table = planner.cost_table(some, others)
        taken["cost_table"].append(time.perf_counter() - begin)
        total = int(table[table > 0].sum())
        del table
        if native:
            said = subprocess.run([native, str(file)], capture_output=True, text=True, check=True).stdout.split()
            assert [int(number) for number in said[2:]] == [cost, length, total], "other answers"
            natively["find_many"].append(float(said[0]))
            natively["cost_table"].append(float(said[1]))
    print(f"\n## Batches on {name}\n")
    print("| | Python ms | native ms | ratio |")
    print("|---|---:|---:|---:|")
    for what, here in taken.items():
        there = min(natively[what]) if native else float("nan")
        print(f"| {what} | {min(here) * 1e3:.0f} | {there * 1e3:.0f} | {min(here) / there:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--native")
    parser.add_argument("--queries", type=int, default=40)
    given = parser.parse_args()
    batches(given.folder / "dao", "orz700d", given.native)
    race(given.folder / "dao", "orz700d", given.queries)
    race(given.folder / "sc1", "AcrosstheCape", given.queries)


if __name__ == "__main__":
    main()
