"""Zones, substitutes, areas, orders to groups, and plans through links, held against searches by SciPy."""

import threading

import numpy as np
import oracle
import pytest
from conftest import random_cells, some_cells

import farstride as fs

ENGINES = ["astar", "labels", "nsg+", "hpa", "overlay"]


def weights_of(seed, height=40, width=60):
    random = np.random.default_rng(seed)
    return np.where(random_cells(seed, height, width), random.integers(1, 6, (height, width)), 0).astype(np.uint8)


@pytest.mark.parametrize("engine", ["astar", "labels", "nsg+", "hpa", "hpt", "straight"])
@pytest.mark.parametrize("seed", range(3))
def test_zones_are_blocked_for_one_query(engine, seed):
    random = np.random.default_rng(seed)
    cells = random_cells(seed, 40, 60)
    planner = fs.Planner(fs.Grid(cells), engine)
    for _ in range(12):
        zones = [
            (int(random.integers(-5, 60)), int(random.integers(-5, 40)), int(random.integers(1, 20)), 5)
            for _ in range(3)
        ]
        left = cells.copy()
        for x, y, width, height in zones:
            left[max(y, 0) : max(y + height, 0), max(x, 0) : max(x + width, 0)] = False
        start, goal = some_cells(planner.grid, 2, int(random.integers(1 << 30)))
        expected = oracle.distances(left, [tuple(start)])[0][goal[1], goal[0]]
        route = planner.find(start, goal, avoid=zones)
        assert bool(route) == (np.isfinite(expected) and left[goal[1], goal[0]])
        if route.status == "found" and route.form == "cells":
            cost = oracle.cost_of(left, route.path)
            assert cost == route.cost and (engine == "hpa" or cost == expected)
    assert planner.find((0, 0), (59, 39), nearest=True, avoid=[]).status == "found"


def test_wrong_zones_are_refused():
    planner = fs.Planner(fs.Grid.empty(9, 9))
    for wrong, error, message in [
        ([(0, 0, 0, 3)], fs.QueryError, "has none"),
        ([(0, 0, 1)], ValueError, r"shape \(n, 4\)"),
        ([(0.5, 0, 1, 1)], TypeError, "whole numbers"),
        ("zone", ValueError, "shape"),
    ]:
        with pytest.raises(error, match=message):
            planner.find((0, 0), (8, 8), avoid=wrong)
    with pytest.raises(ValueError, match="no budget"):
        planner.find((0, 0), (8, 8), avoid=[(2, 2, 1, 1)], budget=7)
    # Off the map there is nothing to avoid.
    assert planner.find((0, 0), (8, 8), avoid=[(50, 50, 2, 2), (-9, -9, 3, 3)]).cost == 8 * oracle.DIAGONAL
    assert planner.find((0, 0), (8, 8), avoid=[(-(2**62), 0, 2**62 + 1, 1)]).status == "start-blocked"


@pytest.mark.parametrize("seed", range(4))
def test_substitutes_are_the_nearest_cells(seed):
    cells = random_cells(seed, 20, 30, 0.5)
    planner = fs.Planner(fs.Grid(cells), "astar")
    for start, goal in zip(some_cells(planner.grid, 30, seed), some_cells(planner.grid, 30, seed + 50)):
        (sx, sy), (gx, gy) = planner.substitute(start, goal)
        rows, columns = np.nonzero(cells)
        assert (sx - start[0]) ** 2 + (sy - start[1]) ** 2 == ((columns - start[0]) ** 2 + (rows - start[1]) ** 2).min()
        rows, columns = np.nonzero(np.isfinite(oracle.distances(cells, [(sx, sy)])[0]))
        assert (gx - goal[0]) ** 2 + (gy - goal[1]) ** 2 == ((columns - goal[0]) ** 2 + (rows - goal[1]) ** 2).min()
        assert planner.find(start, goal, nearest=True).goal == (gx, gy)


@pytest.mark.parametrize("engine", ENGINES)
def test_fields_know_the_nearest_goal_also_after_edits(engine):
    weights = weights_of(4) if engine != "labels" and engine != "nsg+" else random_cells(4, 40, 60).astype(np.uint8)
    planner = fs.Planner(fs.Grid(weights), engine)
    goals = [(50, 30), (3, 3), (20, 38)]
    field = planner.field(goals)
    for edit in [(0, 0, 1, 1, 1), (10, 0, 1, 35, 0), (3, 3, 1, 1, 0)]:
        planner.edit([edit])
        weights = planner.grid.to_array()
        expected = oracle.distances(weights, goals).min(axis=0)
        cells = np.column_stack([np.tile(np.arange(60), 40), np.repeat(np.arange(40), 60)])
        wanted = np.where(np.isfinite(expected) & (weights > 0), expected, -1).ravel()
        assert np.array_equal(field.costs(cells), wanted)
        for cell in cells[::97]:
            path, cost = field.path(cell), field.cost(cell)
            assert (cost if cost is not None else -1) == wanted[cell[1] * 60 + cell[0]]
            assert (len(path) == 0) == (cost is None)
            if cost is not None:
                assert oracle.cost_of(weights, path) == cost
                assert field.next(cell) == (tuple(path[1]) if len(path) > 1 else None)
    assert field.goals.tolist() == [list(goal) for goal in goals] and repr(field) == "Field(3 goals)"


def test_fields_refuse_cells_off_the_map():
    planner = fs.Planner(fs.Grid.empty(9, 9))
    with pytest.raises(fs.QueryError, match="not on the map"):
        planner.field([(9, 0)])
    field = planner.field([])
    assert field.cost((0, 0)) is None and len(field.path((0, 0))) == 0
    for call in (field.cost, field.next, field.path, lambda cell: field.costs([cell])):
        with pytest.raises(fs.QueryError, match="not on the map"):
            call((0, -1))
    with pytest.raises(TypeError, match="whole numbers"):
        field.costs([(0.5, 1.0)])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("count", [3, 400])
def test_groups_arrive(engine, count):
    grid = fs.Grid(random_cells(7, 40, 60))
    planner = fs.Planner(grid, engine)
    starts, goal = some_cells(grid, count), (30, 20)
    planner.edit([(30, 20, 1, 1, 1)])
    costs = planner.cost_table(starts, [goal])[:, 0]
    for threads in (1, 2):
        plans = planner.plan_group(starts, goal, threads=threads)
        assert len(plans) == count
        for start, plan, cost in zip(starts[:40], plans[:40], costs):
            walk = [tuple(start), *plan]
            assert (plan.state == "arrived") == (cost >= 0), plan
            if cost > 0:
                assert walk[-1] == goal
                oracle.cost_of(planner.grid.to_array(), walk)


def test_many_plans_are_those_of_one_and_threads_do_not_matter(grid):
    planner = fs.Planner(grid, "hpa")
    starts, goals = some_cells(grid, 70), some_cells(grid, 70, 9)
    one_by_one = [list(planner.plan(start, goal)) for start, goal in zip(starts, goals)]
    for threads in (1, 3):
        assert [list(plan) for plan in planner.plan_many(starts, goals, threads=threads)] == one_by_one
    with pytest.raises(ValueError, match="70 starts, but 1 goals"):
        planner.plan_many(starts, goals[:1])
    assert planner.plan_many([], []) == [] and planner.plan_group([], (0, 0)) == []


def test_cells_beside_an_area(grid):
    free = grid.to_array() > 0
    beside = {tuple(cell) for cell in grid.beside(10, 5, 4, 3).tolist()}
    around = {(x, y) for x in range(9, 15) for y in range(4, 9)} - {(x, y) for x in range(10, 14) for y in range(5, 8)}
    assert beside == {(x, y) for x, y in around if free[y, x]}
    for area in [(-1, 0, 2, 2), (79, 0, 2, 1), (0, 0, 0, 1), (0, 0, 2**62, 1)]:
        with pytest.raises(fs.QueryError):
            grid.beside(*area)


def two_floors():
    atlas = fs.Atlas([np.full((9, 40), ord("."), np.uint8)] * 2)
    links = [atlas.add_link((0, x, 4), (1, x, 4), cost=9000) for x in (10, 30)]
    return atlas, atlas.add_mover({".": 1}), links


def test_plans_through_links_adapt_to_edits():
    atlas, dwarf, (near, far) = two_floors()
    plan = atlas.plan(dwarf, (0, 1, 1), (1, 1, 1))
    assert plan.links == [near] and repr(plan) == "TripPlan('walking', at (0, 1, 1), to (1, 1, 1))"
    taken = []
    for place in plan:
        taken += [] if plan.link is None else [plan.link]
        if place[:2] == (0, 7) and near is not None:
            assert atlas.remove_link(near)
            near = None
    assert (plan.state, plan.position, taken, plan.replans) == ("arrived", (1, 1, 1), [far], 1)
    plan = atlas.plan(dwarf, (0, 1, 1), (1, 1, 1))
    atlas.edit([(0, 29, 0, 1, 9, ord("#"))])
    assert list(plan) == [] and plan.state == "unreachable"
    atlas.edit([(0, 29, 0, 1, 1, ord("."))])
    plan.stand_at((0, 35, 1))
    assert list(plan)[-1] == (1, 1, 1)
    with pytest.raises(fs.QueryError):
        plan.stand_at((2, 0, 0))
    for start, goal, state in [
        ((0, 29, 5), (1, 1, 1), "start-blocked"),
        ((1, 1, 1), (0, 29, 5), "goal-blocked"),
        ((1, 1, 1), (1, 1, 1), "arrived"),
    ]:
        plan = atlas.plan(dwarf, start, goal)
        assert list(plan) == [] and plan.state == state


def test_many_plans_and_fields_of_a_world():
    atlas, dwarf, _ = two_floors()
    starts, goals = [(0, x, 0) for x in range(20)], [(1, 39 - x, 8) for x in range(20)]
    one_by_one = [list(atlas.plan(dwarf, *ends)) for ends in zip(starts, goals)]
    assert [list(plan) for plan in atlas.plan_many(dwarf, starts, goals, threads=2)] == one_by_one
    with pytest.raises(ValueError, match="20 starts, but 2 goals"):
        atlas.plan_many(dwarf, starts, goals[:2])
    with pytest.raises(fs.QueryError):
        atlas.plan_many(dwarf, [(0, 0, 0)], [(7, 0, 0)])
    field = atlas.field(dwarf, 1, [(0, 0)])
    assert field.cost((3, 3)) == 3 * oracle.DIAGONAL
    atlas.edit([(1, 1, 0, 1, 9, ord("#"))])
    assert field.cost((3, 3)) is None
    for mover, floor, cell in [(1, 0, (0, 0)), (0, 2, (0, 0)), (0, 0, (40, 0))]:
        with pytest.raises(fs.QueryError):
            atlas.field(mover, floor, [cell])


def test_threads_share_a_field():
    grid = fs.Grid(random_cells(3, 200, 200))
    planner = fs.Planner(grid, "hpa")
    cells = some_cells(grid, 400)
    goals = [cell for cell in cells if grid.is_free(cell)][:1]
    expected, field, wrong = planner.field(goals).costs(cells), planner.field(goals), []

    def ask(order):
        for at in order:
            if (field.cost(cells[at]) or -1) != (expected[at] or -1):
                wrong.append(at)

    threads = [threading.Thread(target=ask, args=(np.random.default_rng(seed).permutation(400),)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("engine", ["hpa", "astar", "labels", "straight"])
@pytest.mark.parametrize("threads", [None, 1, 3])
def test_steps_of_many_plans_are_those_of_each(engine, threads):
    cells = random_cells(5, 40, 60)
    planner = fs.Planner(fs.Grid(cells), engine)
    starts, goals = some_cells(planner.grid, 120, 8), some_cells(planner.grid, 120, 9)
    alone, together = planner.plan_many(starts, goals), planner.plan_many(starts, goals)
    for tick in range(30):
        if tick == 9 and engine in ("hpa", "astar"):
            planner.edit([(0, 20, 55, 1, 0)])
        expected = [next(plan, None) for plan in alone]
        positions, moved = planner.step_many(together, threads=threads)
        assert positions.dtype == np.int32 and moved.dtype == bool
        assert moved.tolist() == [cell is not None for cell in expected]
        assert [tuple(cell) for cell in positions.tolist()] == [plan.position for plan in alone]
        assert [plan.state for plan in together] == [plan.state for plan in alone]
    assert "arrived" in {plan.state for plan in together}


def test_wrong_lists_of_plans_are_refused():
    planner = fs.Planner(fs.Grid.empty(9, 9), "hpa")
    plan, stranger = planner.plan((0, 0), (8, 8)), fs.Planner(fs.Grid.empty(9, 9), "hpa").plan((0, 0), (8, 8))
    positions, moved = planner.step_many([])
    assert positions.shape == (0, 2) and moved.shape == (0,)
    for wrong, error, message in [
        ([plan, plan], RuntimeError, "plan 1 is in the list twice"),
        ([plan, stranger], ValueError, "plan 1 of the list is of another planner"),
        ([plan, None], TypeError, "Plan"),
        (plan, TypeError, ""),
    ]:
        with pytest.raises(error, match=message):
            planner.step_many(wrong)
    with pytest.raises(ValueError, match="threads is 0"):
        planner.step_many([plan], threads=0)
    assert plan.position == (0, 0) and planner.step_many([plan], threads=10**9)[0].tolist() == [[1, 1]]
