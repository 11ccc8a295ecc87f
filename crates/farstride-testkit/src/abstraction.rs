//! HPA*'s abstraction of a grid, built once more as plainly as possible.
//!
//! The engine builds clusters, entrances and edges in dense arrays, repairs
//! them after edits and searches them with care. Here they are sorted maps that
//! follow the definitions of Botea, Müller and Schaeffer, *Near Optimal
//! Hierarchical Path-Finding* (2004), word by word: whoever doubts an edge of
//! the engine looks it up here. Uses [`map`](crate::map) and
//! [`oracle`].
//!
//! # What the abstraction cannot see
//!
//! Inter-edges are straight steps, but a path may also cross a border between
//! clusters diagonally. Whether that matters depends on the rule:
//!
//! * [`Diagonals::None`]: every crossing is a straight step between two free
//!   cells, so it belongs to an entrance. Both sides of an entrance are free
//!   rows of cells inside their clusters; one can walk from the crossing to the
//!   transition, cross there, and walk back. Nothing that is connected on the
//!   grid is lost.
//! * [`Diagonals::Strict`] and [`Diagonals::OneSide`]: a diagonal step has a
//!   free side cell, and two straight steps through that cell lead to the same
//!   place. Connected means the same as under `None`, so nothing is lost.
//! * [`Diagonals::Free`]: a step between two *blocked* side cells has no such
//!   replacement. Inside a 1-cluster it is seen like any other step. Between
//!   two 1-clusters, side by side or touching at a corner only, there is no
//!   entrance at that place and the step is lost. [`Abstraction::missed_steps`]
//!   lists these steps.
//!
//! Hence, for every rule, threshold and number of levels,
//! [`Abstraction::abstract_distance`] finds a path exactly when the grid
//! *without the missed steps* has one. Where there is a way around a missed
//! step, the distance exists but may be longer than the optimum by any factor.
//!
//! # Transitions on cheap ground
//!
//! The paper knows no weights. With [`AbstractionSettings::gap`], transitions on
//! borders where free pairs of cells weigh different sums are chosen by these
//! sums, and are counted on some levels of the border only: see `Terrain`.
//! Where all weigh the same, entrances have more transitions than in the paper,
//! some of which are counted on the two lowest levels only: see
//! `even_transitions`. On each of the lowest four levels each longest free run
//! along a border keeps one transition at least, and above them each transition
//! that is dropped has one near it on both sides: see `Abstraction::thin`. So the
//! statement above still holds.

use std::collections::{BTreeMap, BTreeSet};

use crate::map::{DiagonalCost, Diagonals, PlainMap, Point};
use crate::oracle;

mod border;

use border::{Pair, Terrain, borders, entrances, even_transitions, transitions};

/// How a map is abstracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AbstractionSettings {
    /// Side of the 1-clusters in cells, at least 1.
    pub cluster: usize,
    /// Entrances narrower than this get one transition in the middle, others
    /// one at each end.
    pub entrance: usize,
    /// Number of abstract levels, at least 1.
    pub levels: usize,
    /// A cluster is made of `group` x `group` clusters of the level below; at
    /// least 1.
    pub group: usize,
    /// How far apart transitions are on borders with weights; on others at most two
    /// or, on maps of more than 512 x 512 cells, three times as far; 0 for the rule of the paper on all borders.
    pub gap: usize,
    /// One part in this many of a cluster's side is the radius of nets; at least 1.
    pub net: usize,
}

impl AbstractionSettings {
    /// Side of the clusters of a level, in cells.
    pub fn side(&self, level: usize) -> usize {
        (1..level).fold(self.cluster, |side, _| side.saturating_mul(self.group))
    }

    /// The highest level below those on which nets decide which transitions count: with more than four
    /// levels, and transitions that are closer together than in the paper, nets begin on the fourth.
    fn plain_levels(&self) -> usize {
        if self.levels > 4 && self.gap > 0 { 3 } else { self.levels }
    }

    /// How far apart the transitions of a level are on borders with weights. On
    /// level 2 they are as close as on level 1, then half as far again on each level.
    fn apart(&self, level: usize) -> usize {
        (3..=level).fold(self.gap, |apart, _| apart + apart / 2)
    }
}

/// The values that the paper uses: clusters of 10, threshold 6, one level,
/// groups of 2 x 2, no weights.
impl Default for AbstractionSettings {
    fn default() -> Self {
        Self { cluster: 10, entrance: 6, levels: 1, group: 2, gap: 0, net: 16 }
    }
}

/// Size of one level, as the paper counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LevelCounts {
    /// Nodes of this level and no higher one.
    pub nodes: usize,
    /// Inter-edges of this level and no higher one.
    pub inter_edges: usize,
    /// Intra-edges of this level.
    pub intra_edges: usize,
}

/// A multi-level abstract graph over a map.
///
/// Clusters are squares counted from the top left corner, cut off where the map
/// ends. Costs are in the units of [`DiagonalCost`].
///
/// # Invariants
///
/// 1. Cells stand for their place in the map's vectors, whose order is row by
///    row; in every pair the smaller one comes first.
/// 2. An inter-edge joins neighbours in different 1-clusters, one pair per
///    transition. Its level is the highest on which their clusters differ, or
///    the height that `Terrain` gives it.
/// 3. The nodes are the ends of the inter-edges. The level of a node is the
///    highest of its inter-edges.
/// 4. `intra[l - 1]` joins each two nodes of level l or more that lie in one
///    l-cluster and are connected inside it, at the smallest cost inside: over
///    cells for l = 1, over the graph of level l - 1 above that.
///
/// ```
/// use farstride_testkit::abstraction::{Abstraction, AbstractionSettings};
/// use farstride_testkit::{DiagonalCost, Diagonals, PlainMap};
///
/// let map = PlainMap::new(4, 1, true);
/// let settings = AbstractionSettings { cluster: 2, ..Default::default() };
/// let graph = Abstraction::new(&map, Diagonals::Strict, DiagonalCost::Ratio142, settings);
/// assert_eq!(graph.nodes(), [((1, 0), 1), ((2, 0), 1)]);
/// assert_eq!(graph.inter_edges(), [((1, 0), (2, 0), 5000, 1)]);
/// assert_eq!(graph.abstract_distance((0, 0), (3, 0)), Some(15_000));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Abstraction {
    map: PlainMap,
    diagonals: Diagonals,
    cost: DiagonalCost,
    settings: AbstractionSettings,
    inter: BTreeMap<(usize, usize), InterEdge>, // (1, 2)
    nodes: BTreeMap<usize, usize>,              // to the level (1, 3)
    intra: Vec<BTreeMap<(usize, usize), u64>>,  // to the cost (1, 4)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct InterEdge {
    cost: u64,
    level: usize,
}

/// An edge that can be walked both ways: its ends and its cost.
type Edge = (usize, usize, u64);

/// Column and row of a cluster among the clusters of its level.
type Cluster = (usize, usize);

impl Abstraction {
    /// Abstracts a map.
    ///
    /// # Panics
    /// If the side of clusters, the number of levels or the group is 0.
    ///
    /// # Complexity
    /// For each node, one Dijkstra over its cluster on every level it is on;
    /// for each cluster, a look at all edges of the level below. Seconds on a
    /// map of 512 x 512 cells.
    pub fn new(
        map: &PlainMap,
        diagonals: Diagonals,
        cost: DiagonalCost,
        settings: AbstractionSettings,
    ) -> Self {
        Self::build(map, diagonals, cost, settings, false)
    }

    /// As [`Abstraction::new`], with every missed step as an inter-edge of its
    /// own: nothing that is connected on the grid is lost then.
    ///
    /// # Panics
    /// As [`Abstraction::new`].
    pub fn with_gaps(
        map: &PlainMap,
        diagonals: Diagonals,
        cost: DiagonalCost,
        settings: AbstractionSettings,
    ) -> Self {
        Self::build(map, diagonals, cost, settings, true)
    }

    fn build(
        map: &PlainMap,
        diagonals: Diagonals,
        cost: DiagonalCost,
        settings: AbstractionSettings,
        gaps: bool,
    ) -> Self {
        let AbstractionSettings { cluster, levels, group, .. } = settings;
        assert!(cluster > 0 && levels > 0 && group > 0, "{settings:?} has a 0");
        let (inter, nodes, intra) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        let mut graph = Self { map: map.clone(), diagonals, cost, settings, inter, nodes, intra };
        for level in 1..=levels {
            for (pair, height) in graph.transitions_across(level) {
                graph.add_transition(pair, height);
            }
        }
        let missed = if gaps { graph.missed_steps() } else { Vec::new() };
        for step in missed {
            let level = graph.border_level(step);
            graph.add_transition(step, level);
        }
        for level in 1..=levels {
            if level > settings.plain_levels() {
                graph.thin(level);
                graph.leave_pockets_out(level);
            }
            let edges = graph.intra_edges_of(level);
            graph.intra.push(edges);
        }
        graph
    }

    /// Leaves only a net of the inter-edges between clusters of a level. One after the other, in
    /// the order of their ends, is taken from the level unless another that joins the same two
    /// clusters of the level below is kept, and in each of these two no more than one part in `net` of
    /// the side of the clusters, at 5000 units for each cell, lies between their ends.
    fn thin(&mut self, level: usize) {
        let radius = (self.settings.side(level) / self.settings.net) as u64 * 5000;
        let near = |one: usize, other: usize| {
            let ends = (one.min(other), one.max(other));
            one == other || self.intra[level - 2].get(&ends).is_some_and(|&cost| cost <= radius)
        };
        let mut kept: BTreeMap<[Cluster; 2], Vec<[usize; 2]>> = BTreeMap::new();
        let mut dropped = Vec::new();
        for (&(a, b), _) in self.inter.iter().filter(|&(_, edge)| edge.level >= level) {
            let mut ends = [(self.cluster_of(level - 1, a), a), (self.cluster_of(level - 1, b), b)];
            ends.sort_unstable();
            let kept = kept.entry(ends.map(|(cluster, _)| cluster)).or_default();
            let [one, other] = ends.map(|(_, cell)| cell);
            if kept.iter().any(|taken| near(taken[0], one) && near(taken[1], other)) {
                dropped.push((a, b));
            } else {
                kept.push([one, other]);
            }
        }
        self.take_from(level, dropped);
    }

    /// Takes from a level the only inter-edge of a *part*: of everything that the level below joins inside a
    /// cluster. Not if it is the only one of the parts at both of its ends.
    fn leave_pockets_out(&mut self, level: usize) {
        let mut parts = BTreeMap::new();
        for nodes in self.nodes_by_cluster(level - 1).into_values() {
            let edges = self.edges_inside(level, self.cluster_of(level, nodes[0]));
            for node in nodes {
                if !parts.contains_key(&node) {
                    let reached = shortest(&edges, node).into_keys().map(|other| (other, node));
                    parts.extend(reached.chain([(node, node)]));
                }
            }
        }
        let kept: Vec<_> =
            self.inter.iter().filter(|(_, edge)| edge.level >= level).map(|(&ends, _)| ends).collect();
        let mut doors: BTreeMap<usize, usize> = BTreeMap::new();
        for cell in kept.iter().flat_map(|&(a, b)| [a, b]) {
            *doors.entry(parts[&cell]).or_default() += 1;
        }
        let is_only = |cell: usize| doors[&parts[&cell]] == 1;
        let dropped = kept.into_iter().filter(|&(a, b)| is_only(a) != is_only(b)).collect();
        self.take_from(level, dropped);
    }

    /// Takes inter-edges from a level and all above.
    fn take_from(&mut self, level: usize, dropped: Vec<(usize, usize)>) {
        for ends in dropped {
            self.inter.get_mut(&ends).expect("it was there").level = level - 1;
        }
        for (cell, highest) in &mut self.nodes {
            let own = self.inter.iter().filter(|&((a, b), _)| a == cell || b == cell);
            *highest = own.map(|(_, edge)| edge.level).max().expect("a node has an inter-edge");
        }
    }

    /// The highest level on which two neighbours lie in different clusters.
    fn border_level(&self, (one, other): Pair) -> usize {
        let [one, other] = [one, other].map(|cell| self.map.index(cell));
        let differ = |&level: &usize| self.cluster_of(level, one) != self.cluster_of(level, other);
        (1..=self.settings.levels).rev().find(differ).expect("a transition crosses a border")
    }

    /// The transitions across all borders of a level that are none of a higher
    /// one, with their own levels.
    fn transitions_across(&self, level: usize) -> Vec<(Pair, usize)> {
        let AbstractionSettings { cluster, entrance, gap, .. } = self.settings;
        let mut found = Vec::new();
        for border in borders(&self.map, self.settings.side(level)) {
            if self.border_level(border[0]) != level {
                continue;
            }
            for border in border.chunks(self.settings.side(level.min(self.settings.plain_levels()))) {
                let terrain = Terrain::of(&self.map, border);
                if gap > 0 && !terrain.is_even() {
                    found.extend(terrain.transitions(self.settings, level));
                    continue;
                }
                let gaps = if self.map.free.len() > 512 * 512 { 3 } else { 2 };
                for way in border.chunks(cluster).flat_map(|part| entrances(&self.map, part)) {
                    if gap > 0 {
                        found.extend(even_transitions(way, self.settings, gaps, level));
                    } else {
                        found.extend(transitions(way, entrance).into_iter().map(|pair| (pair, level)));
                    }
                }
            }
        }
        found
    }

    fn add_transition(&mut self, (one, other): Pair, level: usize) {
        let weights = self.map.weight(one) + self.map.weight(other);
        let diagonal = one.0 != other.0 && one.1 != other.1;
        let step = if diagonal { self.cost.diagonal_units() } else { self.cost.straight_units() };
        let cost = step * weights / 2;
        let ends = (self.map.index(one), self.map.index(other));
        self.inter.insert(ends, InterEdge { cost, level });
        for cell in [ends.0, ends.1] {
            let highest = self.nodes.entry(cell).or_insert(level);
            *highest = level.max(*highest);
        }
    }

    /// The intra-edges of a level, from the level below it.
    fn intra_edges_of(&self, level: usize) -> BTreeMap<(usize, usize), u64> {
        let mut edges = BTreeMap::new();
        for (cluster, nodes) in self.nodes_by_cluster(level) {
            let below = if level == 1 { Vec::new() } else { self.edges_inside(level, cluster) };
            for &node in &nodes {
                let reached = if level == 1 { self.walk(node) } else { shortest(&below, node) };
                let ends = nodes.iter().filter(|&&other| other > node);
                edges.extend(ends.filter_map(|&other| Some(((node, other), *reached.get(&other)?))));
            }
        }
        edges
    }

    /// The nodes of at least the given level, by the clusters of that level.
    fn nodes_by_cluster(&self, level: usize) -> BTreeMap<Cluster, Vec<usize>> {
        let mut clusters: BTreeMap<Cluster, Vec<usize>> = BTreeMap::new();
        for (&node, _) in self.nodes.iter().filter(|&(_, &highest)| highest >= level) {
            clusters.entry(self.cluster_of(level, node)).or_default().push(node);
        }
        clusters
    }

    fn cluster_of(&self, level: usize, cell: usize) -> Cluster {
        let ((x, y), side) = (self.map.point(cell), self.settings.side(level));
        (x / side, y / side)
    }

    /// All edges of the graph of one level. An inter-edge of a higher level is
    /// one of this level too: its ends lie in different clusters here as well.
    fn edges(&self, level: usize) -> Vec<Edge> {
        let inter = self.inter.iter().filter(|&(_, edge)| edge.level >= level);
        let inter = inter.map(|(&(a, b), edge)| (a, b, edge.cost));
        let intra = self.intra[level - 1].iter().map(|(&(a, b), &cost)| (a, b, cost));
        inter.chain(intra).collect()
    }

    /// The edges of the level below that stay inside one cluster.
    fn edges_inside(&self, level: usize, cluster: Cluster) -> Vec<Edge> {
        let mut edges = self.edges(level - 1);
        let inside = |cell| self.cluster_of(level, cell) == cluster;
        edges.retain(|&(a, b, _)| inside(a) && inside(b));
        edges
    }

    /// Costs from a cell to all cells that can be reached inside its 1-cluster.
    ///
    /// The cluster is cut out as a map of its own, which no step can leave. The
    /// side cells of a step lie in every rectangle that holds both its ends, so
    /// the rule judges steps there as on the whole map.
    fn walk(&self, from: usize) -> BTreeMap<usize, u64> {
        let (map, side) = (&self.map, self.settings.cluster);
        let (x, y) = map.point(from);
        let (left, top) = (x / side * side, y / side * side);
        let width = side.min(map.width - left);
        let height = side.min(map.height - top);
        let rows = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
        let cells: Vec<usize> = rows.map(|cell| map.index(cell)).collect();

        let free = cells.iter().map(|&cell| map.free[cell]).collect();
        let weights = map.weights.as_ref().map(|all| cells.iter().map(|&cell| all[cell]).collect());
        let cut = PlainMap { width, height, free, weights };
        let costs = oracle::distances(&cut, self.diagonals, self.cost, (x - left, y - top));
        cells.into_iter().zip(costs).filter_map(|(cell, cost)| Some((cell, cost?))).collect()
    }

    /// The nodes row by row, each with its level.
    pub fn nodes(&self) -> Vec<(Point, usize)> {
        self.nodes.iter().map(|(&node, &level)| (self.map.point(node), level)).collect()
    }

    /// The inter-edges as (one end, other end, cost, level), sorted by their
    /// ends row by row; the first end comes before the second.
    pub fn inter_edges(&self) -> Vec<(Point, Point, u64, usize)> {
        let edges = self.inter.iter();
        edges.map(|(&(a, b), edge)| (self.map.point(a), self.map.point(b), edge.cost, edge.level)).collect()
    }

    /// The intra-edges of one level as (one end, other end, cost), sorted as
    /// the inter-edges are.
    ///
    /// # Panics
    /// If the level is 0 or higher than the settings ask for.
    pub fn intra_edges(&self, level: usize) -> Vec<(Point, Point, u64)> {
        self.assert_level(level);
        let edges = self.intra[level - 1].iter();
        edges.map(|(&(a, b), &cost)| (self.map.point(a), self.map.point(b), cost)).collect()
    }

    /// The size of each level, level 1 first. Nodes and inter-edges count once,
    /// on their highest level; every level has its own intra-edges.
    pub fn counts(&self) -> Vec<LevelCounts> {
        let count = |level| LevelCounts {
            nodes: self.nodes.values().filter(|&&highest| highest == level).count(),
            inter_edges: self.inter.values().filter(|edge| edge.level == level).count(),
            intra_edges: self.intra[level - 1].len(),
        };
        (1..=self.settings.levels).map(count).collect()
    }

    /// The legal steps that the abstraction cannot replace: diagonal ones from
    /// one 1-cluster to another between two blocked side cells. Sorted as the
    /// inter-edges are; empty unless the rule is [`Diagonals::Free`].
    pub fn missed_steps(&self) -> Vec<(Point, Point)> {
        let map = &self.map;
        let mut steps = Vec::new();
        for (x, y) in map.free_points() {
            let below = x.checked_sub(1).into_iter().chain([x + 1]).map(|x| (x, y + 1));
            steps.extend(below.filter(|&to| self.misses((x, y), to)).map(|to| ((x, y), to)));
        }
        steps
    }

    fn misses(&self, from: Point, to: Point) -> bool {
        let map = &self.map;
        map.allows_step(self.diagonals, from, to)
            && self.cluster_of(1, map.index(from)) != self.cluster_of(1, map.index(to))
            && !map.is_free_at((from.0, to.1))
            && !map.is_free_at((to.0, from.1))
    }

    /// Cost of a cheapest path through the graph of level 1, or `None` if there
    /// is none.
    ///
    /// Start and goal join the graph for the question: each is connected to the
    /// nodes of its 1-cluster and, in the same 1-cluster, to the other.
    /// From or to a blocked cell or one outside, no path leads.
    pub fn abstract_distance(&self, start: Point, goal: Point) -> Option<u64> {
        self.abstract_distance_at(1, start, goal)
    }

    /// The same through the graph of another level, to which start and goal are
    /// connected level by level. By the rule of the paper the answer does not
    /// depend on the level: each part of a path between two borders of higher
    /// clusters is an edge there, at the cost of the cheapest such part. Where
    /// some transitions count on low levels only, it grows with the level.
    ///
    /// # Panics
    /// If the level is 0 or higher than the settings ask for.
    pub fn abstract_distance_at(&self, level: usize, start: Point, goal: Point) -> Option<u64> {
        self.assert_level(level);
        if !self.map.is_free_at(start) || !self.map.is_free_at(goal) {
            return None;
        }
        let (start, goal) = (self.map.index(start), self.map.index(goal));
        self.search(level, self.edges(level), start, goal)
    }

    fn assert_level(&self, level: usize) {
        let levels = self.settings.levels;
        assert!((1..=levels).contains(&level), "level {level} is not one of 1 to {levels}");
    }

    /// Cheapest cost over some edges of a level after start and goal have been
    /// connected to the nodes of their clusters on that level.
    fn search(&self, level: usize, mut edges: Vec<Edge>, start: usize, goal: usize) -> Option<u64> {
        for end in [start, goal] {
            edges.extend(self.insert(level, end).into_iter().map(|(node, cost)| (end, node, cost)));
        }
        edges.extend(self.inside(level, start, goal).map(|cost| (start, goal, cost)));
        shortest(&edges, start).get(&goal).copied()
    }

    /// Costs from a cell to the nodes of at least the given level that can be
    /// reached inside its cluster of that level.
    fn insert(&self, level: usize, cell: usize) -> BTreeMap<usize, u64> {
        let mut costs = if level == 1 {
            self.walk(cell)
        } else {
            let mut edges = self.edges_inside(level, self.cluster_of(level, cell));
            edges.extend(self.insert(level - 1, cell).into_iter().map(|(node, cost)| (cell, node, cost)));
            shortest(&edges, cell)
        };
        costs.retain(|node, _| self.nodes.get(node).is_some_and(|&highest| highest >= level));
        costs
    }

    /// Cheapest cost between two cells without leaving their common cluster, if
    /// they have one on this level and a path inside it.
    fn inside(&self, level: usize, start: usize, goal: usize) -> Option<u64> {
        let cluster = self.cluster_of(level, start);
        if cluster != self.cluster_of(level, goal) {
            return None;
        }
        if level == 1 {
            return self.walk(start).get(&goal).copied();
        }
        self.search(level - 1, self.edges_inside(level, cluster), start, goal)
    }
}

/// Dijkstra's algorithm: the cheapest cost from a cell to each that the edges
/// connect to it, itself included.
fn shortest(edges: &[Edge], start: usize) -> BTreeMap<usize, u64> {
    let mut neighbours: BTreeMap<usize, Vec<(usize, u64)>> = BTreeMap::new();
    for &(a, b, cost) in edges {
        neighbours.entry(a).or_default().push((b, cost));
        neighbours.entry(b).or_default().push((a, cost));
    }
    let mut settled = BTreeMap::new();
    let mut open = BTreeSet::from([(0, start)]);
    while let Some((reached, cell)) = open.pop_first() {
        if settled.contains_key(&cell) {
            continue;
        }
        settled.insert(cell, reached);
        let next = neighbours.get(&cell).into_iter().flatten();
        open.extend(next.map(|&(to, cost)| (reached + cost, to)));
    }
    settled
}

#[cfg(test)]
mod tests;
