"""Answers are those of an oracle, and batches those of single queries."""

import pickle
import threading

import numpy as np
import oracle
import pytest
from conftest import random_cells, some_cells

import farstride as fs

OPTIMAL = ["dijkstra", "astar", "ssg", "tsg", "nsg", "nsg+", "labels"]
ANY_ANGLE = ["theta", "lazy-theta", "hpt"]


@pytest.fixture(scope="module")
def queries(grid):
    return some_cells(grid, 60, seed=2), some_cells(grid, 60, seed=3)


@pytest.mark.parametrize("engine", [name for name in fs.engines() if name not in [*ANY_ANGLE, "straight"]])
def test_paths_are_legal_and_cost_what_the_oracle_says(grid, queries, engine):
    planner = fs.Planner(grid, engine)
    weights = grid.to_array()
    best = oracle.distances(weights, queries[0])
    found = 0
    for start, goal, table in zip(*queries, best):
        route, expected = planner.find(start, goal), table[goal[1], goal[0]]
        if not grid.is_free(start):
            assert route.status == "start-blocked" and not route
        elif not grid.is_free(goal):
            assert route.status == "goal-blocked"
        elif np.isinf(expected):
            assert route.status == "unreachable" and route.cost is None and route.length is None
        else:
            found += 1
            path = route.path
            assert path.dtype == np.int32 and path[0].tolist() == start.tolist() and path[-1].tolist() == goal.tolist()
            assert route.cost == oracle.cost_of(weights, path) >= expected
            assert route.cost == planner.cost(start, goal)
            if engine in OPTIMAL:
                assert route.cost == expected
    assert found > 20


@pytest.mark.parametrize("engine", ANY_ANGLE)
def test_any_angle_paths_are_lines_of_sight(grid, queries, engine):
    planner = fs.Planner(grid, engine)
    for start, goal in zip(*queries):
        route = planner.find(start, goal)
        assert all(grid.line_of_sight(a, b) for a, b in zip(route.path[:-1], route.path[1:]))
        if route.status == "found":
            assert route.form == "points"
            legs = np.diff(route.path.astype(float), axis=0)
            assert route.length == pytest.approx(np.hypot(*legs.T).sum())


def test_strings_are_in_half_cells(grid, queries):
    planner, theta = fs.Planner(grid, "straight"), fs.Planner(grid, "theta")
    routes = planner.find_many(*queries)
    found = 0
    for number, (start, goal) in enumerate(zip(*queries)):
        route = planner.find(start, goal)
        assert routes[number].tolist() == (2 * route.path if route.form == "cells" else route.path).tolist()
        if route.status == "found":
            found += 1
            assert route.form == "halves"
            points = route.path / 2
            assert (points[0] == start).all() and (points[-1] == goal).all()
            assert route.length == pytest.approx(np.hypot(*np.diff(points, axis=0).T).sum())
            assert route.length <= theta.find(start, goal).length + 0.002
    assert found > 20


def test_weights_are_what_entering_costs():
    weights = np.random.default_rng(4).integers(0, 9, (40, 50)).astype(np.uint8)
    grid = fs.Grid(weights)
    assert grid.has_weights and (grid.to_array() == weights).all()
    starts, goals = some_cells(grid, 40, 6), some_cells(grid, 40, 7)
    best = oracle.distances(weights, starts)
    exact, hpa = fs.Planner(grid, "astar"), fs.Planner(grid)
    assert hpa.engine == "hpa"
    for start, goal, table in zip(starts, goals, best):
        cost = exact.cost(start, goal)
        expected = table[goal[1], goal[0]] if grid.is_free(goal) else np.inf
        assert (np.inf if cost is None else cost) == expected
        if cost is not None:
            assert hpa.cost(start, goal) == oracle.cost_of(weights, hpa.find(start, goal).path) >= cost


@pytest.mark.parametrize("engine", ["labels", "astar", "hpa", "hpt", "groups"])
@pytest.mark.parametrize("detail", [{}, {"detail": "cost"}, {"detail": "waypoints"}, {"first": 3}])
def test_batches_give_the_answers_of_single_queries(grid, queries, engine, detail):
    planner = fs.Planner(grid, engine)
    starts, goals = queries[0].copy(), queries[1].copy()
    goals[5] = starts[5] = next(cell for cell in starts if grid.is_free(cell))
    for threads in [1, 2, 7, None]:
        routes = planner.find_many(starts, goals, threads=threads, **detail)
        assert len(routes) == len(starts)
        for at, (start, goal) in enumerate(zip(starts, goals)):
            single = planner.find(start, goal, **detail)
            assert fs.STATUSES[routes.status[at]] == single.status
            assert routes.cost[at] == (-1 if single.cost is None else single.cost)
            assert np.isnan(routes.length[at]) if single.length is None else routes.length[at] == single.length
            assert routes[at].tolist() == single.path.tolist()
        assert routes.offsets[-1] == len(routes.path)
        assert routes[-1].tolist() == routes[len(routes) - 1].tolist()
    assert sum(1 for _ in routes) == len(routes)
    with pytest.raises(IndexError):
        routes[len(routes)]


@pytest.mark.parametrize("engine", ["labels", "astar", "hpa"])
def test_tables_give_the_costs_of_single_queries(grid, queries, engine):
    planner = fs.Planner(grid, engine)
    starts, goals = queries[0][:30], queries[1]
    expected = [[-1 if (cost := planner.cost(a, b)) is None else cost for b in goals] for a in starts]
    for threads in [1, 3, None]:
        table = planner.cost_table(starts, goals, threads=threads)
        assert table.dtype == np.int64 and table.tolist() == expected
    reports = []
    table = planner.cost_table(starts, goals, progress=lambda done, total: reports.append((done, total)))
    assert table.tolist() == expected and reports[-1] == (30, 30)
    assert planner.cost_table([], goals).shape == (0, 60)
    assert planner.cost_table(starts, np.zeros((0, 2), int)).shape == (30, 0)
    assert len(planner.find_many([], [])) == 0


def test_the_nearest_goal_is_the_cheapest(grid, queries):
    planner = fs.Planner(grid)
    for start in queries[0]:
        costs = planner.cost_table([start], queries[1])[0]
        nearest = planner.nearest(start, queries[1])
        reached = np.where(costs >= 0, costs, np.iinfo(np.int64).max)
        if (costs < 0).all():
            assert nearest is None
        else:
            assert nearest[0] == reached.argmin() and nearest[1].cost == reached.min()
    assert planner.nearest(queries[0][0], []) is None


@pytest.mark.parametrize("engine", ["hpa", "hpt", "nsg+", "groups", "astar"])
def test_an_edited_planner_equals_a_new_one(engine):
    planner = fs.Planner(fs.Grid(random_cells(8, 50, 70)), engine)
    random = np.random.default_rng(9)
    for _ in range(10):
        x, y = random.integers(0, 60), random.integers(0, 40)
        planner.edit([(x, y, random.integers(1, 10), random.integers(1, 10), random.integers(0, 2))])
    part = random.integers(0, 2, (20, 30)).astype(np.uint8)
    planner.set_weights((7, 9), part)
    assert (planner.grid.to_array()[9:29, 7:37] == part).all()
    fresh = fs.Planner(planner.grid, engine)
    assert planner.index_digest == fresh.index_digest
    ends = some_cells(planner.grid, 30, 1), some_cells(planner.grid, 30, 2)
    assert planner.find_many(*ends).path.tolist() == fresh.find_many(*ends).path.tolist()


def test_edits_do_not_change_the_grid_they_began_with():
    grid = fs.Grid.empty(9, 9)
    planner = fs.Planner(grid, "hpa")
    planner.edit([(0, 0, 9, 1, 0)])
    assert grid.free_count == 81 and planner.grid.free_count == 72
    with pytest.raises(fs.QueryError, match="not on the map"):
        planner.edit([(0, 1, 9, 1, 0), (5, 5, 5, 1, 0)])
    assert planner.grid.free_count == 72


def test_a_chosen_engine_changes_at_the_first_edit():
    planner = fs.Planner(fs.Grid.empty(30, 30))
    assert planner.engine == "labels"
    planner.edit([(1, 1, 1, 1, 0)])
    assert planner.engine == "nsg+"


@pytest.mark.parametrize("engine", ["hpa", "hpt", "astar", "labels", "groups"])
def test_plans_arrive_by_legal_steps(engine):
    grid = fs.Grid(random_cells(12, 90, 120, free=0.85))
    planner = fs.Planner(grid, engine)
    free = [cell for cell in some_cells(grid, 40, 3) if grid.is_free(cell)]
    walked = 0
    for start, goal in zip(free, free[1:]):
        plan = planner.plan(start, goal)
        steps = [tuple(start.tolist()), *plan]
        if planner.find(start, goal).status == "found":
            walked += 1
            assert plan.state == "arrived" and steps[-1] == tuple(goal.tolist()) == plan.position == plan.goal
            if engine != "hpt":
                oracle.cost_of(grid.to_array(), steps)
        else:
            assert plan.state == "unreachable" and len(steps) == 1
        assert next(plan, None) is None
    assert walked > 20


def test_plans_follow_edits():
    planner = fs.Planner(fs.Grid.empty(60, 40), "hpa")
    plan = planner.plan((2, 20), (55, 20))
    for _ in range(5):
        next(plan)
    assert len(plan.refined) > 0 and plan.waypoints.shape[1] == 3 and plan.cost > 0
    planner.edit([(30, 0, 1, 40, 0)])
    assert list(plan) == [] and plan.state == "unreachable"
    planner.edit([(30, 3, 1, 1, 1)])
    rest = list(plan)
    assert (30, 3) in rest and plan.state == "arrived" and plan.replans >= 1
    plan = planner.plan((2, 20), (55, 20))
    plan.stand_at((10, 10))
    assert plan.position == (10, 10) and max(abs(a - 10) for a in next(plan)) == 1
    assert planner.plan((30, 0), (1, 1)).state == "start-blocked"
    assert planner.plan((1, 1), (30, 0)).state == "goal-blocked"
    assert planner.plan((1, 1), (1, 1)).state == "arrived"


def test_budgets_stop_a_search(grid):
    planner = fs.Planner(fs.Grid.empty(200, 200), "astar")
    assert planner.find((0, 0), (199, 150), budget=5).status == "budget-spent"
    assert planner.find((0, 0), (199, 150), budget=10**6).status == "found"


@pytest.mark.parametrize("engine", list(fs.engines()))
def test_planners_and_maps_can_be_pickled(grid, queries, engine):
    planner = fs.Planner(grid, engine)
    for protocol in [2, pickle.HIGHEST_PROTOCOL]:
        clone = pickle.loads(pickle.dumps(planner, protocol))
        assert (clone.engine, clone.settings, clone.index_digest) == (engine, planner.settings, planner.index_digest)
        assert clone.grid == planner.grid
        assert clone.find_many(*queries).path.tolist() == planner.find_many(*queries).path.tolist()
    rules = fs.Grid(random_cells(2, 5, 6), diagonals="one-side", diagonal_cost="1.42")
    clone = pickle.loads(pickle.dumps(rules))
    assert clone == rules and hash(clone) == hash(rules) and clone.diagonals == "one-side"
    assert clone.diagonal_cost == "1.42" and clone.straight_cost == 5000
    tuned = pickle.loads(pickle.dumps(fs.Planner(grid, "hpa", cluster=16, smooth=False)))
    assert tuned.settings["cluster"] == 16 and tuned.settings["smooth"] is False


@pytest.mark.parametrize("engine", ["labels", "hpt", "straight", "astar"])
def test_answers_can_be_pickled(grid, queries, engine):
    """So that they come back from other processes."""
    planner = fs.Planner(grid, engine)
    starts, goals = queries
    for detail in ["cells", "cost"]:
        for start, goal in [*zip(starts[:9], goals[:9]), (starts[0], starts[0])]:
            route = planner.find(start, goal, detail=detail)
            again = pickle.loads(pickle.dumps(route))
            assert repr(again) == repr(route) and (again.path == route.path).all()
            assert (again.form, again.start, again.goal) == (route.form, route.start, route.goal)
    routes = planner.find_many(starts, goals)
    again = pickle.loads(pickle.dumps(routes))
    for name in ["status", "cost", "length", "path", "offsets"]:
        np.testing.assert_array_equal(getattr(again, name), getattr(routes, name))
    assert (again[3] == routes[3]).all()
    with pytest.raises(ValueError, match="no route"):
        fs.Route._restore(77, None, None, (0, 0), (0, 0), "cells", route.path)


@pytest.mark.parametrize("engine", ["hpa", "hpt", "nsg+", "groups", "labels", "straight"])
def test_indexes_are_saved_and_opened(grid, queries, engine, tmp_path):
    planner, file = fs.Planner(grid, engine), tmp_path / "map.fsi"
    assert planner.save(file) == file.stat().st_size
    assert file.read_bytes() == planner.to_bytes()
    expected = planner.find_many(*queries).path.tolist()
    for opened in [
        fs.Planner.open(grid, file),
        fs.Planner.open(grid, str(file), trust=True),
        fs.Planner.open(grid, file, copy=True),
        fs.Planner.from_bytes(grid, file.read_bytes()),
    ]:
        assert opened.engine == engine and opened.find_many(*queries).path.tolist() == expected


def test_every_setting_can_be_given_back(grid):
    for engine in fs.engines():
        settings = fs.Planner(grid, engine).settings
        assert fs.Planner(grid, engine, **settings).settings == settings
    planner = fs.Planner(grid, "nsg+", levels=3)
    assert planner.settings == {"levels": 3}
    assert fs.Planner(grid, "labels", block=16).settings["block"] == "16"


def test_threads_share_a_planner(grid, queries):
    """Four threads ask while a fifth edits; every answer is right for one of the two maps."""
    planner = fs.Planner(grid, "hpa")
    wall = [(40, 0, 1, grid.height, 0)]
    opening = grid.to_array()[:, 40:41]
    start, goal = next(
        (a, b) for a, b in zip(*queries) if planner.find(a, b).status == "found" and (a[0] < 40) != (b[0] < 40)
    )
    answers, stop, failures = set(), threading.Event(), []

    def ask():
        try:
            while not stop.is_set():
                answers.add(planner.find(start, goal).status)
                planner.find_many(queries[0][:5], queries[1][:5], threads=2)
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(30):
        planner.edit(wall)
        planner.set_weights((40, 0), opening)
    stop.set()
    for thread in threads:
        thread.join()
    assert not failures and answers <= {"found", "unreachable"}
    assert planner.index_digest == fs.Planner(grid, "hpa").index_digest


def test_layers_are_rows_of_numbers(grid):
    for engine in fs.engines():
        planner = fs.Planner(grid, engine)
        for name in planner.layers:
            rows = planner.layer(name, start=(10, 10), goal=(60, 40))
            assert rows.ndim == 2 and rows.shape[1] in (2, 3, 4), name
    with pytest.raises(fs.QueryError, match="no layer"):
        fs.Planner(grid, "astar").layer("clusters")
    with pytest.raises(fs.QueryError, match="needs a start and a goal"):
        fs.Planner(grid, "hpa").layer("abstract-path")


def test_queries_of_the_benchmarks_have_the_published_lengths(benchmarks):
    folder = benchmarks / "dao"
    file = sorted(folder.glob("*.map"))[0]
    grid = fs.Grid.load(file)
    queries = fs.load_scenario(f"{file}.scen", grid)
    routes = fs.Planner(grid).find_many(queries["starts"], queries["goals"])
    assert len(routes) > 100
    np.testing.assert_allclose(np.nan_to_num(routes.length), queries["length"], atol=1e-4)


def test_tables_of_small_numbers_have_the_same_costs():
    grid = fs.Grid.from_ascii("...#.\n.#.#.\n.....")
    planner = fs.Planner(grid, "labels")
    cells = np.argwhere(grid.to_array())[:, ::-1]
    wide = planner.cost_table(cells, cells)
    for dtype in ("int32", np.int32, np.dtype("int32")):
        small = planner.cost_table(cells, cells, dtype=dtype)
        assert small.dtype == np.int32 and np.array_equal(small, wide)
    assert planner.cost_table(cells, cells, dtype="int64").dtype == np.int64
    for bad in ("float32", "uint16", "nonsense", 7, object()):
        with pytest.raises(TypeError):
            planner.cost_table(cells, cells, dtype=bad)


def test_a_cost_that_does_not_fit_is_an_error():
    # A cell of weight 255 costs 255 steps; half a million steps are too many for 32 bits.
    planner = fs.Planner(fs.Grid(np.full((1, 4000), 255, dtype=np.uint8)), "astar")
    cells = np.array([[0, 0], [3999, 0]])
    assert planner.cost_table(cells, cells)[0, 1] == 3999 * 255 * 4756
    with pytest.raises(OverflowError, match="int64"):
        planner.cost_table(cells, cells, dtype="int32")


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("engine", ["labels", "hpa"])
def test_batches_are_in_order_however_long_their_paths(engine, threads):
    """Long paths come last, so the room made for them after a sample is too small."""
    planner = fs.Planner(fs.Grid.empty(300, 200), engine)
    short = np.random.default_rng(5).integers(0, 10, (1000, 2))
    starts = np.concatenate([short, np.zeros((60, 2), dtype=int), [[7, 7]]])
    goals = np.concatenate([short[::-1], np.tile([299, 199], (60, 1)), [[7, 7]]])
    routes = planner.find_many(starts, goals, threads=threads)
    assert routes.offsets[0] == 0 and routes.offsets[-1] == len(routes.path)
    for at in [0, 1, 63, 64, 65, 999, 1000, 1059, 1060]:
        alone = planner.find(tuple(starts[at]), tuple(goals[at]))
        assert np.array_equal(routes[at], alone.path)
        assert (routes.cost[at], routes.length[at]) == (alone.cost, alone.length)
    costs = planner.find_many(starts, goals, detail="cost", threads=threads)
    assert len(costs.path) == 0 and np.array_equal(costs.cost, routes.cost)
    assert len(planner.find_many([], [])) == 0


def test_the_nearest_cell_stands_in_for_what_cannot_be_reached():
    planner = fs.Planner(fs.Grid.from_ascii("....#.\n.##.##\n......"), "astar")
    route = planner.find((1, 1), (5, 0), nearest=True)
    assert (route.status, route.start, route.goal) == ("found", (1, 0), (3, 0))
    assert route.path[0].tolist() == [1, 0] and route.path[-1].tolist() == [3, 0]
    assert planner.find((0, 0), (5, 0)).status == "unreachable"
    plain = planner.find((0, 0), (5, 2))
    assert (plain.start, plain.goal) == ((0, 0), (5, 2))
    assert planner.find((0, 0), (5, 2), nearest=True).cost == plain.cost


def test_shortest_is_chosen_by_the_map():
    weights = np.ones((9, 9), dtype=np.uint8)
    assert fs.Planner(fs.Grid(weights), "shortest").engine == "labels"
    weights[4, 4] = 9
    assert fs.Planner(fs.Grid(weights), "shortest").engine == "overlay"
    assert fs.Planner(fs.Grid(weights)).engine == "hpa"
    with pytest.raises(fs.SettingsError, match="astar.*shortest and any-angle"):
        fs.Planner(fs.Grid(weights), "quickest")
    with pytest.raises(fs.SettingsError, match="name one"):
        fs.Planner(fs.Grid(weights), "shortest", cluster=16)


def test_any_angle_is_chosen_by_the_map_and_follows_edits():
    weights = np.ones((20, 30), dtype=np.uint8)
    planner = fs.Planner(fs.Grid(weights), "any-angle")
    assert planner.engine == "straight" and planner.find((0, 0), (29, 11)).length == pytest.approx(np.hypot(29, 11))
    planner.edit([(10, 0, 1, 19, 0)])
    assert planner.engine == "hpt" and planner.find((0, 0), (29, 11)).form == "points"
    assert fs.Planner(fs.Grid(weights, diagonals="free"), "any-angle").engine == "hpt"
    weights[4, 4] = 9
    assert fs.Planner(fs.Grid(weights), "any-angle").engine == "hpa"


def test_the_rule_of_straight():
    cells = np.ones((20, 30), dtype=bool)
    cells[:15, 12] = False
    lengths = {}
    for rule in ("touch", "body"):
        planner = fs.Planner(fs.Grid(cells), "straight", rule=rule)
        assert planner.settings["rule"] == rule
        route = planner.find((0, 0), (29, 0))
        assert route.status == "found" and route.form == "halves"
        points = route.path / 2
        assert np.hypot(*np.diff(points, axis=0).T).sum() == pytest.approx(route.length)
        lengths[rule] = route.length
    # A point goes by the lower corners of the wall, a body of one cell keeps half a cell off them.
    middle = np.hypot(11.5, 14.5) + 1 + np.hypot(16.5, 14.5)
    assert lengths["touch"] == pytest.approx(middle)
    assert lengths["body"] == pytest.approx(np.hypot(11, 15) + 2 + np.hypot(16, 15))
    assert fs.Planner(fs.Grid(cells), "straight").settings["rule"] == "touch"
    for wrong, message in [("round", "touch or body"), (3, "touch or body"), (None, "touch or body")]:
        with pytest.raises(fs.SettingsError, match=message):
            fs.Planner(fs.Grid(cells), "straight", rule=wrong)
    with pytest.raises(fs.SettingsError, match="takes no setting 'rule'"):
        fs.Planner(fs.Grid(cells), "hpt", rule="body")
