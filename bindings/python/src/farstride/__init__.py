"""Pathfinding for worlds too large for plain A*.

Make a :class:`Grid` of an array or a file, a :class:`Planner` of that, and ask it:

>>> import numpy as np
>>> import farstride as fs
>>> cells = np.ones((5, 10), dtype=bool)
>>> cells[1, 1:7] = False
>>> planner = fs.Planner(fs.Grid(cells))
>>> route = planner.find((0, 4), (9, 0))
>>> route.status, round(route.length, 2), len(route)
('found', 10.66, 10)

Cells are pairs ``(x, y)``; in arrays of cells, a row each. Costs are exact whole numbers: a
straight step costs 4756, a diagonal one 6726. Lengths are in straight steps.
"""

from ._farstride import (
    STATUSES,
    Atlas,
    Field,
    Graph,
    Grid,
    GroupHierarchy,
    GroupPlan,
    HubLabels,
    NLevelGraph,
    Plan,
    Planner,
    RosMap,
    Route,
    Routes,
    Stage,
    Trip,
    TripPlan,
    __version__,
    engines,
    load_floor,
    load_scenario,
)
from .errors import (
    Cancelled,
    EngineError,
    FarstrideError,
    GraphError,
    IndexFileError,
    MapError,
    QueryError,
    SettingsError,
)

__all__ = [
    "STATUSES",
    "Atlas",
    "Cancelled",
    "EngineError",
    "FarstrideError",
    "Field",
    "Graph",
    "GraphError",
    "Grid",
    "GroupHierarchy",
    "GroupPlan",
    "HubLabels",
    "IndexFileError",
    "MapError",
    "NLevelGraph",
    "Plan",
    "Planner",
    "QueryError",
    "RosMap",
    "Route",
    "Routes",
    "SettingsError",
    "Stage",
    "Trip",
    "TripPlan",
    "__version__",
    "engines",
    "load_floor",
    "load_scenario",
]
