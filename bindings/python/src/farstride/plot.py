"""Pictures of maps, paths and indexes, drawn with matplotlib.

>>> import matplotlib
>>> matplotlib.use("Agg")
>>> import farstride as fs
>>> from farstride import plot
>>> planner = fs.Planner(fs.Grid.empty(60, 40), "hpa", cluster=20)
>>> axes = plot.grid(planner.grid)
>>> _ = plot.layer(planner, "clusters", axes=axes)
>>> _ = plot.route(planner.find((2, 3), (50, 30)), axes=axes)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from ._farstride import Grid, Planner, Route

if TYPE_CHECKING:
    from matplotlib.axes import Axes

try:
    import matplotlib.pyplot as plt
    from matplotlib.collections import LineCollection, PatchCollection
    from matplotlib.patches import Rectangle
except ImportError:  # pragma: no cover
    raise ImportError("farstride.plot needs matplotlib: pip install matplotlib") from None

__all__ = ["grid", "layer", "route"]


def _axes(axes: Axes | None) -> Axes:
    return plt.gca() if axes is None else axes


def grid(grid: Grid, *, axes: Axes | None = None, cmap: str = "Greys") -> Axes:
    """Draws a map: blocked cells black, free ones the darker the more they weigh."""
    axes = _axes(axes)
    weights = grid.to_array().astype(float)
    heaviest = max(float(weights.max()), 2.0)
    shade = np.where(weights == 0, 1.0, 0.6 * (weights - 1) / (heaviest - 1))
    axes.imshow(shade, cmap=cmap, vmin=0, vmax=1, interpolation="nearest")
    axes.set_aspect("equal")
    return axes


def route(route: Union[Route, npt.NDArray[np.int32]], *, axes: Axes | None = None, **style: Any) -> Axes:
    """Draws a path: a route, or an array of cells; as a line from centre to centre.

    :param style: what ``Axes.plot`` takes, such as ``color``
    """
    axes = _axes(axes)
    path = route.path if isinstance(route, Route) else route
    scale = 0.5 if isinstance(route, Route) and route.form == "halves" else 1
    axes.plot(scale * path[:, 0], scale * path[:, 1], **{"linewidth": 2, **style})
    return axes


def layer(
    planner: Planner,
    name: str,
    *,
    level: int | None = None,
    start: tuple[int, int] | None = None,
    goal: tuple[int, int] | None = None,
    axes: Axes | None = None,
    **style: Any,
) -> Axes:
    """Draws a layer of an index; ``planner.layers`` has their names.

    :param style: what the collection of matplotlib takes, such as ``color``
    """
    axes = _axes(axes)
    rows = planner.layer(name, level=level, start=start, goal=goal)
    if name == "clusters":
        areas = [Rectangle((x - 0.5, y - 0.5), width, height) for x, y, width, height in rows]
        edge = {"facecolor": "none", "edgecolor": "tab:blue", **style}
        axes.add_collection(PatchCollection(areas, **edge))
    elif rows.shape[1] == 4:
        axes.add_collection(LineCollection(list(rows.reshape(-1, 2, 2)), **{"linewidths": 0.5, **style}))
    elif name in ("abstract-path", "refined-path"):
        axes.plot(rows[:, 0], rows[:, 1], **{"marker": "o", "markersize": 3, **style})
    else:
        axes.scatter(rows[:, 0], rows[:, 1], **{"s": 6, **style})
    return axes
