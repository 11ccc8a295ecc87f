"""Graphs against SciPy."""

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph

import farstride as fs


def random_graph(seed, nodes=120, edges=260, whole=True):
    random = np.random.default_rng(seed)
    pairs = np.unique(np.sort(random.integers(0, nodes, (edges, 2)), axis=1), axis=0)
    pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    costs = random.integers(1, 100, len(pairs)) if whole else random.random(len(pairs)) + 0.01
    matrix = scipy.sparse.coo_array((costs.astype(float), pairs.T), shape=(nodes, nodes))
    return pairs, costs, scipy.sparse.csgraph.dijkstra(matrix.tocsr(), directed=False)


def cost_along(pairs, costs, nodes):
    table = {(int(a), int(b)): cost for (a, b), cost in zip(pairs, costs)}
    table.update({(b, a): cost for (a, b), cost in list(table.items())})
    return sum(table[a, b] for a, b in zip(nodes[:-1].tolist(), nodes[1:].tolist()))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("make", [fs.HubLabels, fs.NLevelGraph])
def test_distances_are_exact(seed, make):
    pairs, costs, expected = random_graph(seed)
    prepared = make(fs.Graph(120, pairs, costs))
    for start, goal in np.random.default_rng(seed).integers(0, 120, (300, 2)).tolist():
        found = prepared.path(start, goal)
        if np.isinf(expected[start, goal]):
            assert found is None
        else:
            distance, nodes = found
            assert isinstance(distance, int) and distance == expected[start, goal]
            assert nodes[0] == start and nodes[-1] == goal and cost_along(pairs, costs, nodes) == distance


def test_tables_of_hub_labels():
    pairs, costs, expected = random_graph(7)
    labels = fs.HubLabels(fs.Graph(120, pairs, costs))
    starts, goals = np.arange(0, 120, 3), np.arange(120)[::-1]
    table = labels.distances(starts, goals, threads=2)
    wanted = expected[starts][:, goals]
    assert table.dtype == np.int64
    assert (table == np.where(np.isinf(wanted), -1, wanted)).all()
    assert labels.distance(0, 0) == 0 and labels.distances([], goals).shape == (0, 120)


def test_lengths_are_rounded_up_to_units():
    pairs, costs, expected = random_graph(3, whole=False)
    for units in [1000, 1_000_000]:
        labels = fs.HubLabels(fs.Graph(120, pairs, costs, units=units))
        table = labels.distances(range(120), range(120))
        assert table.dtype == np.float64 and (np.isinf(table) == np.isinf(expected)).all()
        known = np.isfinite(expected)
        excess = table[known] - expected[known]
        assert excess.min() > -1e-9 and excess.max() < 120 / units


@pytest.mark.parametrize("directed", [False, True])
def test_groups_find_a_route_exactly_if_there_is_one(directed):
    pairs, costs, _ = random_graph(5)
    graph = fs.Graph(120, pairs, costs, directed=directed)
    matrix = scipy.sparse.coo_array((costs.astype(float), pairs.T), shape=(120, 120)).tocsr()
    expected = scipy.sparse.csgraph.dijkstra(matrix, directed=directed)
    first = np.arange(120) // 10
    for groups in [fs.GroupHierarchy(graph, 12), fs.GroupHierarchy(graph, [first, np.arange(12) // 4])]:
        for start, goal in np.random.default_rng(1).integers(0, 120, (200, 2)).tolist():
            route, plan = groups.path(start, goal), groups.plan(start, goal)
            assert plan.has_route == (route is not None) == np.isfinite(expected[start, goal])
            walked = [node for section in plan for node in section.tolist()]
            if route is None:
                assert walked == []
            else:
                assert route[0] >= expected[start, goal] and route[1][-1] == goal
                assert start == goal or walked[-1] == goal
    assert fs.GroupHierarchy(graph, [first]).groups.tolist() == first.tolist()


def test_matrices_of_scipy():
    matrix = scipy.sparse.csr_matrix(np.array([[0, 2, 0], [2, 0, 3], [0, 3, 0]]))
    for form in [matrix, matrix.tocoo(), matrix.tocsc(), scipy.sparse.csr_array(matrix)]:
        graph = fs.Graph.from_scipy(form)
        assert (graph.node_count, graph.arc_count) == (3, 4)
        assert fs.HubLabels(graph).distance(0, 2) == 5
    one_way = fs.Graph.from_scipy(scipy.sparse.csr_matrix(np.array([[0, 2], [0, 0]])))
    with pytest.raises(fs.GraphError, match="only undirected graphs"):
        fs.HubLabels(one_way)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((3, [(0, 3)], [1]), fs.GraphError, "node 3 is not in the graph"),
        ((3, [(0, -1)], [1]), fs.GraphError, "node -1"),
        ((-1, [], []), fs.GraphError, "-1 nodes"),
        ((3, [(0, 1)], [1, 2]), fs.GraphError, "1 edges, but costs of shape \\(2,\\)"),
        ((3, [(0, 1)], [-1]), fs.GraphError, "cost is -1"),
        ((3, [(0, 1)], [2**60]), fs.GraphError, "expected 0 to"),
        ((3, [(0, 1)], [float("nan")]), fs.GraphError, "NaN"),
        ((3, [(0, 1)], [-0.5]), fs.GraphError, "-0.5"),
        ((3, [(0, 1)], ["x"]), TypeError, "whole numbers or lengths"),
        ((3, [(0.5, 1)], [1]), TypeError, "edges are whole numbers"),
        ((3, [0, 1], [1]), ValueError, "shape \\(n, 2\\)"),
    ],
)
def test_wrong_graphs_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        fs.Graph(*arguments)


def test_wrong_questions_are_refused():
    graph = fs.Graph(4, [(0, 1), (1, 2)], [1, 1])
    for make in [fs.HubLabels, fs.NLevelGraph, lambda graph: fs.GroupHierarchy(graph, 2)]:
        prepared = make(graph)
        for node in [4, -1, 2**40]:
            with pytest.raises(fs.QueryError, match="not in the graph"):
                prepared.path(0, node)
        with pytest.raises(TypeError):
            prepared.path(0, 1.5)
        assert prepared.path(0, 3) is None
    with pytest.raises(fs.GraphError, match="units have to be"):
        fs.Graph(2, [(0, 1)], [1], units=0)
    with pytest.raises(TypeError, match="sparse matrix"):
        fs.Graph.from_scipy([[0, 1]])
    with pytest.raises(ValueError, match="square"):
        fs.Graph.from_scipy(scipy.sparse.csr_matrix((2, 3)))
    with pytest.raises(fs.GraphError):
        fs.GroupHierarchy(graph, [[0, 0, 5, 5]])
    with pytest.raises(fs.GraphError):
        fs.GroupHierarchy(graph, [[0, 0]])
    with pytest.raises(fs.FarstrideError):
        fs.GroupHierarchy(graph, 0)
    with pytest.raises(fs.SettingsError, match="connection is 'x'"):
        fs.GroupHierarchy(graph, 2, connection="x")
    with pytest.raises(fs.GraphError, match="costs nothing"):
        fs.NLevelGraph(fs.Graph(2, [(0, 1)], [0]))
