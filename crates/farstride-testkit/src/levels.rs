//! N-level graphs, partitioned as literally and slowly as possible.
//!
//! An N-level graph gives each node of an undirected graph a level such that
//! some shortest path between any two nodes first climbs, then stays level and
//! then descends; a search may ignore everything else. An engine must answer
//! countless small questions fast to find such levels. Here each one is a fresh
//! Dijkstra over all edges, in the words of Definition 3 and Algorithm 1 of Uras
//! and Koenig, *Identifying Hierarchies for Fast Optimal Search* (2014), two
//! slips of the algorithm put right: an extra edge joins the two neighbours,
//! and only a pair that allows no extra edge ends the look at a node. Uses
//! nothing else of this crate.
//!
//! # Where partitioning ends
//!
//! Round i lifts all nodes of level i to level i + 1 and then puts back those
//! that are not needed there. Two outcomes mean that there is no more to do:
//!
//! * **None is put back.** The level is then the top, and all nodes return to
//!   level i, so that N is the highest level in use.
//! * **All are put back.** Level i + 1 is empty, and again N is i. The extra
//!   edges of the round stay. This is sound: with i + 1 levels an arching path
//!   may have one edge at most among nodes of level i; with i levels it may have
//!   any number, so every arching path remains one.
//!
//! Every other round leaves nodes on both levels, hence no level is empty.

use std::collections::{BTreeMap, BTreeSet};

/// An edge that can be walked both ways: its ends and its length.
pub type Edge = (u32, u32, u64);

/// A graph with a level for each node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Levels {
    /// The level of each node, 1 or more.
    pub levels: Vec<u32>,
    /// Length of each edge by its ends, the smaller one first.
    pub edges: BTreeMap<(u32, u32), u64>,
}

impl Levels {
    /// The number of levels, N: the highest one in use, 0 without nodes.
    pub fn top(&self) -> u32 {
        self.levels.iter().copied().max().unwrap_or(0)
    }

    /// Splits the nodes of the top level over that level and the next one.
    /// Says whether both have nodes afterwards; if not, all are where they were.
    fn split(&mut self, level: u32, property: &impl Fn(u32, u32, u64) -> bool) -> bool {
        let nodes = 0..self.levels.len() as u32;
        let members: Vec<u32> = nodes.filter(|&node| self.levels[node as usize] == level).collect();
        for &node in &members {
            self.levels[node as usize] = level + 1;
        }
        for &node in &members {
            if let Some(extra) = self.replacements(node, &members, property) {
                self.edges.extend(extra);
                self.levels[node as usize] = level;
            }
        }
        let needed = members.iter().filter(|&&node| self.levels[node as usize] > level).count();
        if needed == members.len() {
            for &node in &members {
                self.levels[node as usize] = level;
            }
        }
        0 < needed && needed < members.len()
    }

    /// The extra edges that a node of the top level leaves behind when it goes
    /// down, or `None` if it is needed there.
    fn replacements(
        &self,
        node: u32,
        members: &[u32],
        property: &impl Fn(u32, u32, u64) -> bool,
    ) -> Option<Vec<((u32, u32), u64)>> {
        let length = |other: u32| self.edges.get(&(node.min(other), node.max(other))).copied();
        let near: Vec<(u32, u64)> =
            members.iter().filter_map(|&other| Some((other, length(other)?))).collect();
        let top = self.levels[node as usize];
        let mut extra = Vec::new();
        for (place, &(u, to_u)) in near.iter().enumerate() {
            for &(t, to_t) in &near[place + 1..] {
                let over = to_u + to_t;
                let around = arching_distance(&self.levels, &self.edges, top, u, t, Some(node));
                if around.is_some_and(|around| around <= over) {
                    continue;
                }
                if !property(u, t, over) {
                    return None;
                }
                extra.push(((u, t), over));
            }
        }
        Some(extra)
    }
}

/// Partitions a graph into at most the given number of levels or, with `None`,
/// for as long as rounds change anything; see [the module](self) for the end.
///
/// Nodes are looked at in ascending order in each round. `property` says
/// whether an extra edge may join two nodes, the smaller one first, at a length:
/// never for basic partitioning, something else for advanced partitioning.
///
/// ```
/// use farstride_testkit::levels::{check, partition};
///
/// let path = [(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 4, 1)];
/// let graph = partition(5, &path, None, |_, _, _| false);
/// assert_eq!(graph.levels, [1, 2, 3, 2, 1]);
/// assert_eq!(check(5, &path, &graph), Ok(()));
/// ```
///
/// # Panics
/// If no level is wanted, if [`clean`] would drop an edge, or if an edge has
/// length 0 or an unknown end.
///
/// # Complexity
/// In each round and for each two neighbours of each node, a Dijkstra that looks
/// at all edges for every node. For tens of nodes.
pub fn partition(
    nodes: u32,
    edges: &[Edge],
    levels: Option<u32>,
    property: impl Fn(u32, u32, u64) -> bool,
) -> Levels {
    assert!(levels != Some(0), "a graph has at least one level");
    assert!(edges.iter().all(|&(_, _, length)| length > 0), "lengths must be positive");
    let kept = clean(nodes, edges);
    assert_eq!(kept.len(), edges.len(), "the edges must be clean");
    let edges = kept.into_iter().map(|(u, v, length)| ((u, v), length)).collect();
    let mut graph = Levels { levels: vec![1; nodes as usize], edges };
    let mut level = 1;
    while levels.is_none_or(|most| level < most) && graph.split(level, &property) {
        level += 1;
    }
    graph
}

/// Where on its arch a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Rising,
    Flat,
    Falling,
}

/// Length of a shortest arching path between two nodes that avoids a third, or
/// `None` if there is none.
///
/// An arching path rises strictly from level to level, then stays on one level
/// and then falls strictly; each part may be empty. The level part has any
/// number of edges on level `top`, and one at most on lower levels. A path that
/// starts or ends at the node to avoid does not avoid it.
///
/// # Complexity
/// A Dijkstra over nodes and parts of the arch that looks at all edges each time.
///
/// # Panics
/// If an edge or a question names a node without a level.
pub fn arching_distance(
    levels: &[u32],
    edges: &BTreeMap<(u32, u32), u64>,
    top: u32,
    u: u32,
    t: u32,
    without: Option<u32>,
) -> Option<u64> {
    assert!((u.max(t) as usize) < levels.len(), "nodes {u} and {t} must have levels");
    let mut settled = BTreeSet::new();
    let mut open = BTreeSet::from([(0, u, Phase::Rising)]);
    while let Some((reached, node, phase)) = open.pop_first() {
        if Some(node) == without || !settled.insert((node, phase)) {
            continue;
        }
        if node == t {
            return Some(reached);
        }
        let here = levels[node as usize];
        for (&(a, b), length) in edges.iter().filter(|&(&(a, b), _)| a == node || b == node) {
            let next = if a == node { b } else { a };
            let there = levels[next as usize];
            let next_phase = match phase {
                Phase::Rising if there > here => Phase::Rising,
                Phase::Rising if there == here => Phase::Flat,
                Phase::Flat if there == here && here == top => Phase::Flat,
                _ if there < here => Phase::Falling,
                _ => continue,
            };
            open.insert((reached + length, next, next_phase));
        }
    }
    None
}

/// Distances between all pairs of nodes; `None` where no path leads.
///
/// # Panics
/// If an edge has an unknown end.
///
/// # Complexity
/// Floyd and Warshall's three loops: O(nodes³).
pub fn distances(nodes: u32, edges: &[Edge]) -> Vec<Vec<Option<u64>>> {
    let nodes = nodes as usize;
    let mut best = vec![vec![None; nodes]; nodes];
    for (node, row) in best.iter_mut().enumerate() {
        row[node] = Some(0);
    }
    for &(u, v, length) in edges {
        let (u, v) = (u as usize, v as usize);
        let shortest = best[u][v].map_or(length, |known: u64| known.min(length));
        (best[u][v], best[v][u]) = (Some(shortest), Some(shortest));
    }
    for over in 0..nodes {
        for u in 0..nodes {
            for v in 0..nodes {
                let detour = best[u][over].zip(best[over][v]).map(|(one, other)| one + other);
                best[u][v] = [best[u][v], detour].into_iter().flatten().min();
            }
        }
    }
    best
}

/// The edges that shortest paths need: no loops, of parallel edges the shortest
/// one, and none that is longer than the distance between its ends. Sorted, the
/// smaller end first. Distances stay as they were.
///
/// # Panics
/// If an edge has an unknown end.
pub fn clean(nodes: u32, edges: &[Edge]) -> Vec<Edge> {
    let best = distances(nodes, edges);
    let ordered = edges.iter().map(|&(u, v, length)| (u.min(v), u.max(v), length));
    let needed = ordered.filter(|&(u, v, length)| u != v && best[u as usize][v as usize] == Some(length));
    needed.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Proves that levels and edges make an N-level graph of the original graph,
/// where N is the highest level in use.
///
/// 1. Every node has a level of at least 1; ends of edges are nodes in
///    ascending order.
/// 2. No edge of the original graph is missing, but for those that [`clean`]
///    drops.
/// 3. Every edge is as long as the distance between its ends in the original
///    graph.
/// 4. Between each two nodes, there is an arching path as long as their distance
///    in the original graph, and none where they are not connected.
///
/// # Errors
/// A sentence that names the node, edge or pair where one of these fails first.
pub fn check(nodes: u32, original_edges: &[Edge], graph: &Levels) -> Result<(), String> {
    let Levels { levels, edges } = graph;
    if levels.len() != nodes as usize {
        return Err(format!("{} levels for {nodes} nodes", levels.len()));
    }
    if let Some(node) = levels.iter().position(|&level| level == 0) {
        return Err(format!("node {node} is on level 0"));
    }
    if let Some((u, v)) = edges.keys().find(|&&(u, v)| u >= v || v >= nodes) {
        return Err(format!("edge {u}-{v} does not join two nodes in ascending order"));
    }
    let best = distances(nodes, original_edges);
    for (u, v, length) in clean(nodes, original_edges) {
        if !edges.contains_key(&(u, v)) {
            return Err(format!("edge {u}-{v} of length {length} is missing"));
        }
    }
    for (&(u, v), &length) in edges {
        let distance = best[u as usize][v as usize];
        if distance != Some(length) {
            return Err(format!("edge {u}-{v} of length {length} spans a distance of {distance:?}"));
        }
    }
    for u in 0..nodes {
        for v in 0..nodes {
            let found = arching_distance(levels, edges, graph.top(), u, v, None);
            let distance = best[u as usize][v as usize];
            if found != distance {
                return Err(format!("from {u} to {v} the best arch is {found:?}, the distance {distance:?}"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    fn never(_: u32, _: u32, _: u64) -> bool {
        false
    }

    fn always(_: u32, _: u32, _: u64) -> bool {
        true
    }

    fn lengths(edges: &[Edge]) -> BTreeMap<(u32, u32), u64> {
        edges.iter().map(|&(u, v, length)| ((u, v), length)).collect()
    }

    /// Nodes in a row, one apart.
    fn row(nodes: u32) -> Vec<Edge> {
        (1..nodes).map(|node| (node - 1, node, 1)).collect()
    }

    /// Partitions, proves the result and gives it back.
    fn partitioned(
        nodes: u32,
        edges: &[Edge],
        levels: Option<u32>,
        property: fn(u32, u32, u64) -> bool,
    ) -> Levels {
        let graph = partition(nodes, edges, levels, property);
        assert_eq!(check(nodes, edges, &graph), Ok(()), "{edges:?} {graph:?}");
        assert!(levels.is_none_or(|most| graph.top() <= most));
        assert!((1..=graph.top()).all(|level| graph.levels.contains(&level)), "{graph:?}");
        graph
    }

    #[test]
    fn distances_take_the_shortest_way() {
        let edges = [(0, 1, 5), (1, 0, 4), (1, 2, 3), (0, 2, 9), (4, 3, 1)];
        let found = distances(5, &edges);
        assert_eq!(found[0], [Some(0), Some(4), Some(7), None, None]);
        assert_eq!(found[2], [Some(7), Some(3), Some(0), None, None]);
        assert_eq!(found[3], [None, None, None, Some(0), Some(1)]);
        assert_eq!(distances(0, &[]), Vec::<Vec<_>>::new());
    }

    #[test]
    fn cleaning_keeps_what_shortest_paths_need() {
        let edges = [(1, 0, 5), (0, 1, 4), (1, 2, 3), (2, 0, 9), (2, 2, 1), (1, 3, 2), (3, 2, 1), (0, 1, 4)];
        assert_eq!(clean(4, &edges), [(0, 1, 4), (1, 2, 3), (1, 3, 2), (2, 3, 1)]);
        assert_eq!(clean(2, &[(1, 1, 0)]), []);
    }

    #[test]
    fn arches_follow_their_three_parts() {
        let edges = lengths(&row(5));
        let arch = |levels, top| arching_distance(levels, &edges, top, 0, 4, None);
        assert_eq!(arch(&[1, 2, 3, 2, 1], 3), Some(4));
        assert_eq!(arch(&[5, 4, 3, 2, 1], 5), Some(4));
        assert_eq!(arch(&[1, 2, 3, 4, 5], 5), Some(4));
        assert_eq!(arch(&[1, 3, 3, 3, 1], 3), Some(4), "any plateau at the top");
        assert_eq!(arch(&[1, 3, 3, 3, 1], 4), None, "one edge below it");
        assert_eq!(arch(&[1, 2, 2, 1, 1], 2), None, "two plateaus");
        assert_eq!(arch(&[1, 1, 2, 3, 2], 3), None, "a plateau before the rise");
        assert_eq!(arch(&[3, 2, 1, 2, 3], 3), None, "a valley");

        let edges = lengths(&row(4));
        let arch = |levels, top| arching_distance(levels, &edges, top, 0, 3, None);
        assert_eq!(arch(&[1, 2, 2, 1], 9), Some(3), "one level edge below the top");
        assert_eq!(arch(&[2, 2, 1, 0], 9), Some(3), "no rise");
        assert_eq!(arch(&[0, 1, 2, 2], 9), Some(3), "no fall");
    }

    #[test]
    fn arches_avoid_the_node_they_are_told_to() {
        let edges = lengths(&[(0, 1, 1), (1, 2, 1), (0, 3, 2), (2, 3, 2)]);
        let arch = |u, t, without| arching_distance(&[1, 2, 1, 2], &edges, 2, u, t, without);
        assert_eq!(arch(0, 2, None), Some(2));
        assert_eq!(arch(0, 2, Some(1)), Some(4));
        assert_eq!(arch(0, 0, None), Some(0));
        assert_eq!(arch(0, 2, Some(2)), None);
        assert_eq!(arch(0, 2, Some(0)), None);
        assert_eq!(arch(1, 3, None), None, "both ways lead through a valley");
    }

    /// Whether a path of these levels is arching, by trying all i and j.
    fn is_arch(path: &[u32], top: u32) -> bool {
        let last = path.len() - 1;
        let mut splits = (0..=last).flat_map(|i| (i..=last).map(move |j| (i, j)));
        splits.any(|(i, j)| {
            path[..=i].windows(2).all(|pair| pair[0] < pair[1])
                && path[j..].windows(2).all(|pair| pair[0] > pair[1])
                && path[i..=j].windows(2).all(|pair| pair[0] == pair[1])
                && (path[i] == top || j <= i + 1)
        })
    }

    /// The shortest arching path among all that extend a path without a loop.
    fn best_arch(graph: &Levels, path: &mut Vec<u32>, length: u64, to: u32, without: u32) -> Option<u64> {
        let last = path[path.len() - 1];
        if last == to {
            let levels: Vec<u32> = path.iter().map(|&node| graph.levels[node as usize]).collect();
            return is_arch(&levels, graph.top()).then_some(length);
        }
        let mut best = None;
        for (&(a, b), step) in graph.edges.iter().filter(|&(&(a, b), _)| a == last || b == last) {
            let next = if a == last { b } else { a };
            if next != without && !path.contains(&next) {
                path.push(next);
                let found = best_arch(graph, path, length + step, to, without);
                best = [best, found].into_iter().flatten().min();
                path.pop();
            }
        }
        best
    }

    /// A clean random graph, often of more than one part.
    fn random_graph(random: &mut SplitMix64, most: usize) -> (u32, Vec<Edge>) {
        let nodes = random.between(1, most) as u32;
        let (percent, longest) = (random.between(15, 90) as u32, random.between(1, 9));
        let mut edges = Vec::new();
        for u in 0..nodes {
            for v in u + 1..nodes {
                if random.chance(percent) {
                    edges.push((u, v, random.between(1, longest) as u64));
                }
            }
        }
        (nodes, clean(nodes, &edges))
    }

    #[test]
    fn arching_distances_are_those_of_all_paths() {
        let mut random = SplitMix64::new(41);
        for _ in 0..150 {
            let (nodes, edges) = random_graph(&mut random, 6);
            let levels = (0..nodes).map(|_| random.between(1, 3) as u32).collect();
            let graph = Levels { levels, edges: lengths(&edges) };
            for (u, t) in (0..nodes).flat_map(|u| (0..nodes).map(move |t| (u, t))) {
                for without in (0..=nodes).filter(|&without| without != u && without != t) {
                    let found =
                        arching_distance(&graph.levels, &graph.edges, graph.top(), u, t, Some(without));
                    let expected = best_arch(&graph, &mut vec![u], 0, t, without);
                    assert_eq!(found, expected, "{graph:?} {u} {t} {without}");
                }
            }
        }
    }

    #[test]
    fn ends_of_a_row_go_down_first() {
        let levels = |nodes, most| partitioned(nodes, &row(nodes), most, never).levels;
        assert_eq!(levels(5, None), [1, 2, 3, 2, 1]);
        assert_eq!(levels(6, None), [1, 2, 3, 3, 2, 1], "a round that moves all is no level");
        assert_eq!(levels(5, Some(2)), [1, 2, 2, 2, 1]);
        assert_eq!(levels(5, Some(1)), [1; 5]);
        assert_eq!(levels(5, Some(9)), [1, 2, 3, 2, 1]);
        assert_eq!((levels(0, None), levels(1, None), levels(2, None)), (vec![], vec![1], vec![1; 2]));
    }

    /// In a ring of five no node can go: both neighbours need it.
    #[test]
    fn rounds_that_move_none_leave_no_trace() {
        let ring = [(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 4, 1), (0, 4, 1)];
        let graph = partitioned(5, &ring, None, never);
        assert_eq!(graph, Levels { levels: vec![1; 5], edges: lengths(&ring) });
    }

    /// Nodes 0 and 1 go, each because of the way on the other side; a way over
    /// nodes that have gone does not count for 2 and 3.
    #[test]
    fn ways_over_lower_nodes_do_not_count() {
        let ring = [(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 3, 1)];
        let graph = partitioned(4, &ring, None, never);
        assert_eq!(graph, Levels { levels: vec![1, 1, 2, 2], edges: lengths(&ring) });
    }

    /// The last round moves all nodes down; the edges it added stay.
    #[test]
    fn extra_edges_join_all_pairs_of_neighbours() {
        let star = [(0, 1, 1), (0, 2, 2), (0, 3, 3)];
        let graph = partitioned(4, &star, None, always);
        let expected = [(0, 1, 1), (0, 2, 2), (0, 3, 3), (1, 2, 3), (1, 3, 4), (2, 3, 5)];
        assert_eq!(graph, Levels { levels: vec![1; 4], edges: lengths(&expected) });
    }

    #[test]
    fn nodes_that_stay_add_no_edges() {
        let star = [(0, 1, 1), (0, 2, 2), (0, 3, 3)];
        let graph = partitioned(4, &star, None, |u, t, _| (u, t) != (2, 3));
        assert_eq!(graph, Levels { levels: vec![2, 1, 1, 1], edges: lengths(&star) });
    }

    /// A row of seven where extra edges may be two long. In round 1, node 0 goes;
    /// 1 goes and adds 0-2; 2 would have to add 0-3 and stays; 3 goes and adds
    /// 2-4; 4 would have to add 2-5 and stays; 5 goes and adds 4-6; 6 goes, as
    /// 4-5 joins its neighbours. In round 2, both 2 and 4 would go.
    #[test]
    fn short_extra_edges_thin_out_a_row() {
        let graph = partitioned(7, &row(7), None, |_, _, length| length <= 2);
        let mut expected = row(7);
        expected.extend([(0, 2, 2), (2, 4, 2), (4, 6, 2)]);
        assert_eq!(graph, Levels { levels: vec![1, 1, 2, 1, 2, 1, 1], edges: lengths(&expected) });
    }

    /// Two stars of two leaves, their centres joined over a bridge.
    #[test]
    fn three_levels_by_hand() {
        let edges = [(0, 1, 3), (1, 2, 4), (1, 3, 2), (3, 4, 2), (4, 5, 3), (4, 6, 5)];
        let graph = partitioned(7, &edges, None, never);
        assert_eq!(graph.levels, [1, 2, 1, 3, 2, 1, 1]);
        assert_eq!(graph.edges, lengths(&edges));
        assert_eq!(arching_distance(&graph.levels, &graph.edges, 3, 2, 6, None), Some(13));
    }

    #[test]
    fn parts_of_a_graph_do_not_disturb_each_other() {
        let edges = [(0, 1, 1), (1, 2, 1), (3, 4, 1), (4, 5, 1), (5, 6, 1), (6, 7, 1)];
        let graph = partitioned(9, &edges, None, never);
        assert_eq!(graph.levels, [1, 2, 1, 1, 2, 3, 2, 1, 1]);
    }

    #[test]
    #[should_panic(expected = "must be clean")]
    fn edges_longer_than_the_distance_are_refused() {
        partition(3, &[(0, 1, 1), (1, 2, 1), (0, 2, 3)], None, never);
    }

    #[test]
    #[should_panic(expected = "must be positive")]
    fn lengths_of_zero_are_refused() {
        partition(2, &[(0, 1, 0)], None, never);
    }

    #[test]
    #[should_panic(expected = "at least one level")]
    fn no_levels_are_refused() {
        partition(2, &[(0, 1, 1)], Some(0), never);
    }

    #[test]
    fn checks_say_what_is_wrong() {
        let edges = row(4);
        let graph = partitioned(4, &edges, None, never);
        let fault = |change: fn(&mut Levels)| {
            let mut graph = graph.clone();
            change(&mut graph);
            check(4, &edges, &graph).unwrap_err()
        };
        assert_eq!(fault(|graph| graph.levels.truncate(3)), "3 levels for 4 nodes");
        assert_eq!(fault(|graph| graph.levels[2] = 0), "node 2 is on level 0");
        let unknown = "edge 1-4 does not join two nodes in ascending order";
        assert_eq!(fault(|graph| _ = graph.edges.insert((1, 4), 1)), unknown);
        let missing = "edge 1-2 of length 1 is missing";
        assert_eq!(fault(|graph| _ = graph.edges.remove(&(1, 2))), missing);
        let wrong = "edge 0-2 of length 3 spans a distance of Some(2)";
        assert_eq!(fault(|graph| _ = graph.edges.insert((0, 2), 3)), wrong);
        let valley = "from 0 to 2 the best arch is None, the distance Some(2)";
        assert_eq!(fault(|graph| graph.levels = vec![2, 1, 2, 1]), valley);
    }

    /// What `check` accepts is what `partition` makes, for three properties and
    /// any number of levels; a changed result is refused.
    #[test]
    fn partitions_of_random_graphs_are_level_graphs() {
        let mut random = SplitMix64::new(42);
        let mut highest = 0;
        let mut valleys = 0;
        for round in 0..200 {
            let (mut nodes, mut edges) = random_graph(&mut random, 9);
            let place: Vec<usize> = (0..9).map(|_| random.below(20)).collect();
            let apart = |u: u32, t: u32| place[u as usize].abs_diff(place[t as usize]) as u64;
            if round % 2 == 0 {
                // No edge is shorter than the places of its ends are apart, so
                // that they work as h does on a grid; some are just as long.
                for (u, v, length) in &mut edges {
                    *length = (*length / 4 + apart(*u, *v)).max(1);
                }
                edges = clean(nodes, &edges);
            }
            if round % 10 == 0 {
                (nodes, edges) = (9, row(9));
            }
            for most in [None, Some(1), Some(2), Some(3)] {
                let h_like = |u, t, length| length <= apart(u, t);
                for graph in [
                    partition(nodes, &edges, most, never),
                    partition(nodes, &edges, most, always),
                    partition(nodes, &edges, most, h_like),
                ] {
                    assert_eq!(check(nodes, &edges, &graph), Ok(()), "{edges:?} {graph:?}");
                    assert!(graph.top() <= most.unwrap_or(nodes));
                    assert!((1..=graph.top()).all(|level| graph.levels.contains(&level)));
                    highest = highest.max(graph.top());
                    valleys += assert_tampering_is_found(&mut random, nodes, &edges, &graph);
                }
            }
        }
        assert!(highest >= 4, "only {highest} levels");
        assert!(valleys > 100, "only {valleys} bad levels");
    }

    /// A changed length and a lost edge are always found. Other levels may
    /// happen to be good; gives 1 if they are not, and then a pair must exist
    /// that Definition 3 fails by trying all paths.
    fn assert_tampering_is_found(
        random: &mut SplitMix64,
        nodes: u32,
        edges: &[Edge],
        graph: &Levels,
    ) -> usize {
        if edges.is_empty() {
            return 0;
        }
        let (u, v, length) = edges[random.below(edges.len())];
        for wrong in [Some(length + 1), Some(length - 1), None] {
            let mut graph = graph.clone();
            graph.edges.remove(&(u, v));
            graph.edges.extend(wrong.map(|wrong| ((u, v), wrong)));
            assert!(check(nodes, edges, &graph).is_err(), "{edges:?} {graph:?}");
        }
        if nodes > 7 {
            return 0; // All paths of a dense graph would be too many.
        }
        let mut graph = graph.clone();
        graph.levels[random.below(nodes as usize)] = random.between(1, 4) as u32;
        let best = distances(nodes, edges);
        let mut pairs = (0..nodes).flat_map(|u| (0..nodes).map(move |t| (u, t)));
        let good =
            pairs.all(|(u, t)| best_arch(&graph, &mut vec![u], 0, t, nodes) == best[u as usize][t as usize]);
        assert_eq!(check(nodes, edges, &graph).is_ok(), good, "{edges:?} {graph:?}");
        usize::from(!good)
    }
}
