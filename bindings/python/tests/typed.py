"""What a user writes; mypy and pyright check it against the stubs, and nobody runs it."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

import farstride as fs

grid = fs.Grid(np.ones((4, 5), dtype=bool), diagonals="one-side")
planner: fs.Planner = fs.Planner(grid, "hpa", cluster=16, smooth=False, progress=True)
route: fs.Route = planner.find((0, 0), (3, 2), detail="cost", budget=5)
cost: int | None = route.cost
path: npt.NDArray[np.int32] = route.path
routes = planner.find_many([(0, 0)], np.array([[1, 2]]), progress=lambda done, total: print(done, total))
first: npt.NDArray[np.int32] = routes[0]
table: npt.NDArray[np.int64] = planner.cost_table([(0, 0)], [[1, 2]], threads=2)
plan: Iterator[tuple[int, int]] = planner.plan((0, 0), (1, 1))
positions, moved = planner.step_many([planner.plan((0, 0), (1, 1))], threads=2)
nearest = planner.nearest((0, 0), [(1, 1)])
if nearest is not None:
    index: int = nearest[0]
planner.edit([(0, 0, 1, 1, 0)])
size: int = fs.Planner.open(grid, "map.fsi", trust=True).save("map.fsi")
labels = fs.HubLabels(fs.Graph(3, [(0, 1)], [1.5]))
distance: float | None = labels.distance(0, 1)
sections: list[npt.NDArray[np.int64]] = list(fs.GroupHierarchy(fs.Graph(2, [(0, 1)], [1]), 2).plan(0, 1))

fs.Grid(np.ones((4, 5)), diagonals="sometimes")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
planner.find((0, 0))  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
planner.find((0.5, 0), (1, 1))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
route.cost = 5  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
planner.walk()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
