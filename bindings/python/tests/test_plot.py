"""Pictures have what they should."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest

import farstride as fs
from farstride import plot


@pytest.mark.parametrize("engine", list(fs.engines()))
def test_every_layer_is_drawn(grid, engine):
    planner = fs.Planner(grid, engine)
    for name in planner.layers:
        axes = plt.figure().add_subplot()
        assert plot.grid(grid, axes=axes) is axes
        plot.layer(planner, name, start=(10, 10), goal=(60, 40), axes=axes)
        assert len(axes.collections) + len(axes.lines) == 1
        plt.close("all")


def test_maps_and_paths_are_drawn():
    weights = np.array([[1, 0, 9], [1, 5, 1]], np.uint8)
    grid = fs.Grid(weights)
    axes = plot.grid(grid)
    shade = np.asarray(axes.images[0].get_array())
    assert shade[0, 1] == 1 and shade[0, 0] == 0 and 0 < shade[1, 1] < shade[0, 2] < 1
    route = fs.Planner(grid, "astar").find((0, 0), (2, 1))
    plot.route(route, color="red")
    plot.route(route.path)
    for line in axes.lines:
        assert np.column_stack(line.get_data()).tolist() == route.path.tolist()
    assert axes.lines[0].get_color() == "red"
    plt.close("all")
