"""Worlds of floors, movers and links, held against a search of our own."""

import heapq
import threading

import numpy as np
import pytest

import farstride as fs

STRAIGHT, DIAGONAL = 4756, 6726


def cheapest(floors, links, costs, start, goal):
    """Dijkstra's search over all places, for movers of one cell; the cost in units, or None."""

    def weight(floor, x, y):
        rows, columns = floors[floor].shape
        return costs.get(int(floors[floor][y, x]), 0) if 0 <= x < columns and 0 <= y < rows else 0

    if not weight(*start) or not weight(*goal):
        return None
    best, queue = {start: 0}, [(0, start)]
    while queue:
        cost, at = heapq.heappop(queue)
        if cost > best[at]:
            continue
        if at == goal:
            return cost
        floor, x, y = at
        ways = []
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                to = (floor, x + dx, y + dy)
                if (dx, dy) == (0, 0) or not weight(*to):
                    continue
                if dx and dy and not (weight(floor, x + dx, y) and weight(floor, x, y + dy)):
                    continue
                step = DIAGONAL if dx and dy else STRAIGHT
                ways.append((to, step * (weight(*at) + weight(*to)) // 2))
        for a, b, price, one_way in links:
            if a == at and weight(*b):
                ways.append((b, price))
            if b == at and not one_way and weight(*a):
                ways.append((a, price))
        for to, price in ways:
            if cost + price < best.get(to, 2**62):
                best[to] = cost + price
                heapq.heappush(queue, (cost + price, to))
    return None


def walked(atlas, trip, links):
    """The cost of a trip, from what its stages say."""
    total, at = 0, trip.start
    for stage in trip.stages:
        if stage.link is not None:
            a, b, price, one_way = links[stage.link]
            assert at in ((a,) if one_way else (a, b))
            total, at = total + price, b if at == a else a
            continue
        path = stage.path
        assert (stage.floor, *path[0]) == at
        weights = atlas.grid(0, stage.floor).to_array().astype(int)[path[:, 1], path[:, 0]]
        assert weights.all()
        steps = np.abs(np.diff(path, axis=0)).sum(axis=1)
        assert set(steps) <= {1, 2}
        total += int((np.where(steps == 1, STRAIGHT, DIAGONAL) * (weights[1:] + weights[:-1]) // 2).sum())
        at = (stage.floor, int(path[-1, 0]), int(path[-1, 1]))
    assert at == trip.goal
    return total


@pytest.mark.parametrize("seed", range(6))
def test_trips_are_those_of_the_oracle_also_after_edits(seed):
    random = np.random.default_rng(seed)
    floors = [random.choice([0, 1, 1, 1, 2], (9, 12)).astype(np.uint8) for _ in range(3)]
    atlas = fs.Atlas(floors, origins=[(0, 0), (-3, 4), (0, 0)])
    costs = {1: 1, 2: 5}
    unit = atlas.add_mover(costs, engine="overlay")

    def place():
        return (int(random.integers(3)), int(random.integers(12)), int(random.integers(9)))

    links = []
    while len(links) < 8:
        a, b, price, one_way = place(), place(), int(random.integers(1, 60_000)), bool(random.integers(2))
        if a != b:
            assert atlas.add_link(a, b, cost=price, one_way=one_way) == len(links)
            links.append((a, b, price, one_way))
    found = 0
    for round in range(60):
        start, goal = place(), place()
        expected = cheapest(floors, links, costs, start, goal)
        trip = atlas.find(unit, start, goal)
        assert trip.cost == expected and bool(trip) == (expected is not None)
        assert atlas.can_reach(unit, start, goal) == (expected is not None)
        if trip.status == "found":
            found += 1
            assert walked(atlas, trip, links) == expected
        near = atlas.find(unit, start, goal, nearest=True)
        # There may be no place to go to on the goal's floor.
        instead = atlas.substitute(unit, start, goal)
        assert bool(near) == (instead is not None)
        assert instead is None or (near.start, near.goal) == instead
        assert expected is None or instead == (start, goal)
        if round % 10 == 9:
            floor, x, y = place()
            kind = int(random.choice([0, 1, 2]))
            width, height = int(random.integers(1, 13 - x)), int(random.integers(1, 10 - y))
            floors[floor][y : y + height, x : x + width] = kind
            atlas.edit([(floor, x, y, width, height, kind)])
            assert np.array_equal(atlas.classes(floor), floors[floor])
    assert found > 5
    fresh = fs.Atlas(floors, origins=[(0, 0), (-3, 4), (0, 0)])
    fresh.add_mover(costs, engine="overlay")
    for a, b, price, one_way in links:
        fresh.add_link(a, b, cost=price, one_way=one_way)
    assert fresh.digest(0) == atlas.digest(unit)


def test_movers_differ():
    atlas = fs.Atlas(["..~..\n..~..\n..~.."])
    walker, boat, giant = atlas.add_mover({".": 1}), atlas.add_mover({"~": 1}), atlas.add_mover({".": 1}, size=2)
    assert not atlas.can_reach(walker, (0, 0, 0), (0, 4, 0))
    assert atlas.find(boat, (0, 2, 0), (0, 2, 2)).cost == 2 * STRAIGHT
    assert atlas.find(giant, (0, 1, 0), (0, 0, 0)).status == "start-blocked"
    bridge = atlas.add_link((0, 1, 0), (0, 3, 0), cost=1, kind=7)
    assert atlas.can_reach(walker, (0, 0, 0), (0, 4, 0))
    timid = atlas.add_mover({".": 1}, links=[0, 3])
    assert not atlas.can_reach(timid, (0, 0, 0), (0, 4, 0))
    assert atlas.remove_link(bridge) and not atlas.remove_link(bridge)
    assert not atlas.can_reach(walker, (0, 0, 0), (0, 4, 0))
    assert atlas.substitute(walker, (0, 2, 1), (0, 4, 0)) == ((0, 1, 1), (0, 1, 0))
    assert atlas.add_floor(np.zeros((2, 3), dtype=np.uint8), origin=(5, -7)) == 1
    assert atlas.floor_count == 2
    assert repr(atlas) == "Atlas(2 floors, 0 links, 4 movers)"


@pytest.mark.parametrize(
    ("work", "error"),
    [
        (lambda atlas: fs.Atlas([]), ValueError),
        (lambda atlas: fs.Atlas([np.zeros(3)]), ValueError),
        (lambda atlas: fs.Atlas([np.zeros((3, 3))]), TypeError),
        (lambda atlas: fs.Atlas([np.full((3, 3), 300)]), ValueError),
        (lambda atlas: fs.Atlas([np.zeros((0, 3), dtype=np.uint8)]), ValueError),
        (lambda atlas: fs.Atlas(["..\n..."]), ValueError),
        (lambda atlas: fs.Atlas([".."], origins=[]), ValueError),
        (lambda atlas: atlas.add_mover({}), ValueError),
        (lambda atlas: atlas.add_mover({".": 0}), ValueError),
        (lambda atlas: atlas.add_mover({".": 256}), ValueError),
        (lambda atlas: atlas.add_mover({"..": 1}), TypeError),
        (lambda atlas: atlas.add_mover({999: 1}), ValueError),
        (lambda atlas: atlas.add_mover({".": 1}, size=0), ValueError),
        (lambda atlas: atlas.add_mover({".": 1}, size=-1), ValueError),
        (lambda atlas: atlas.add_mover({".": 1}, size=9), ValueError),
        (lambda atlas: atlas.add_mover({".": 1}, engine="teleport"), ValueError),
        (lambda atlas: atlas.add_mover({".": 1}, links=[64]), ValueError),
        (lambda atlas: atlas.find(1, (0, 0, 0), (0, 1, 0)), ValueError),
        (lambda atlas: atlas.find(-1, (0, 0, 0), (0, 1, 0)), ValueError),
        (lambda atlas: atlas.find(0, (0, 0, 0), (1, 1, 0)), ValueError),
        (lambda atlas: atlas.find(0, (0, 0, 0), (0, -1, 0)), ValueError),
        (lambda atlas: atlas.find(0, (0, 0, 0), (0, 1.5, 0)), TypeError),
        (lambda atlas: atlas.find(0, (0, 0), (0, 1, 0)), (TypeError, ValueError)),
        (lambda atlas: atlas.can_reach(0, (0, 0, 0), (0, 70000, 0)), ValueError),
        (lambda atlas: atlas.grid(0, 5), ValueError),
        (lambda atlas: atlas.classes(-1), ValueError),
        (lambda atlas: atlas.edit([(0, 0, 0, 9, 1, 1)]), ValueError),
        (lambda atlas: atlas.edit([(0, 0, 0, 0, 1, 1)]), ValueError),
        (lambda atlas: atlas.edit([(0, 0, 0, 1, 1, 256)]), ValueError),
        (lambda atlas: atlas.edit([(0, 0, 0, 2**63 - 1, 1, 1)]), ValueError),
        (lambda atlas: atlas.edit([(0, 0, 0, 1, 1)]), ValueError),
        (lambda atlas: atlas.add_link((0, 0, 0), (0, 0, 0), cost=1), ValueError),
        (lambda atlas: atlas.add_link((0, 0, 0), (0, 1, 0), cost=0), ValueError),
        (lambda atlas: atlas.add_link((0, 0, 0), (0, 1, 0), cost=-5), ValueError),
        (lambda atlas: atlas.add_link((0, 0, 0), (0, 1, 0), cost=1, kind=64), ValueError),
        (lambda atlas: atlas.add_link((0, 0, 0), (0, 9, 0), cost=1), ValueError),
    ],
)
def test_bad_input_is_an_exception(work, error):
    atlas = fs.Atlas(["...\n..."])
    atlas.add_mover({".": 1})
    before = atlas.digest(0)
    with pytest.raises(error):
        work(atlas)
    assert atlas.digest(0) == before


def test_threads_may_ask_while_one_edits():
    atlas = fs.Atlas([np.ones((60, 60), dtype=np.uint8)])
    unit = atlas.add_mover({1: 1})
    wrong, stop = [], threading.Event()

    def ask():
        while not stop.is_set():
            trip = atlas.find(unit, (0, 0, 0), (0, 59, 59))
            if trip.status not in ("found", "unreachable"):
                wrong.append(trip)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for round in range(60):
        atlas.edit([(0, 30, 0, 1, 60, round % 2)])
        atlas.add_mover({1: 1 + round % 3})
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_nearest_place_is_the_cheapest_trip():
    random = np.random.default_rng(11)
    floors = [random.choice([0, 1, 1, 1, 2], (9, 12)).astype(np.uint8) for _ in range(3)]
    atlas = fs.Atlas(floors)
    for a, b in ((0, 1), (1, 2)):
        for _ in range(3):
            ends = [(floor, int(random.integers(12)), int(random.integers(9))) for floor in (a, b)]
            atlas.add_link(*ends, cost=int(random.integers(1, 60_000)))
    unit = atlas.add_mover({1: 1, 2: 5}, engine="overlay")
    for _ in range(40):
        start, *goals = np.column_stack([random.integers(0, high, 8) for high in (3, 12, 9)]).tolist()
        trips = [atlas.find(unit, tuple(start), tuple(goal)).cost for goal in goals]
        found = atlas.nearest(unit, tuple(start), goals)
        known = [cost for cost in trips if cost is not None]
        assert (found is None) == (not known)
        if found is not None:
            which, trip = found
            assert trip.cost == min(known) and which == trips.index(trip.cost)
            assert trip.goal == tuple(goals[which])
    assert atlas.nearest(unit, (0, 0, 0), []) is None
    for wrong in ([(3, 0, 0)], [(0, 12, 0)], [(0, -1, 0)]):
        with pytest.raises(fs.QueryError):
            atlas.nearest(unit, (0, 0, 0), wrong)
    with pytest.raises(ValueError, match="shape"):
        atlas.nearest(unit, (0, 0, 0), [(0, 0)])
