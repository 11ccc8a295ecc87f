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
}

impl AbstractionSettings {
    /// Side of the clusters of a level, in cells.
    pub fn side(&self, level: usize) -> usize {
        (1..level).fold(self.cluster, |side, _| side.saturating_mul(self.group))
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
        Self { cluster: 10, entrance: 6, levels: 1, group: 2, gap: 0 }
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
            if level > PLAIN_LEVELS && settings.gap > 0 {
                graph.thin(level);
            }
            let edges = graph.intra_edges_of(level);
            graph.intra.push(edges);
        }
        graph
    }

    /// Leaves only a net of the inter-edges between clusters of a level. One after the other, in
    /// the order of their ends, is taken from the level unless another that joins the same two
    /// clusters of the level below is kept, and in each of these two no more than a sixteenth of
    /// the side of the clusters, at 5000 units for each cell, lies between their ends.
    fn thin(&mut self, level: usize) {
        let radius = (self.settings.side(level) / 16) as u64 * 5000;
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
            for border in border.chunks(self.settings.side(level.min(PLAIN_LEVELS))) {
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

/// The two cells on either side of a border between clusters.
type Pair = (Point, Point);

/// The entrances along the common border of two adjacent 1-clusters: the pairs
/// of each longest free run.
fn entrances<'a>(map: &PlainMap, border: &'a [Pair]) -> Vec<&'a [Pair]> {
    let is_free = |&(one, other): &Pair| map.is_free_at(one) && map.is_free_at(other);
    let runs = border.chunk_by(|one, next| is_free(one) == is_free(next));
    runs.filter(|run| is_free(&run[0])).collect()
}

/// The pairs along each border between two adjacent clusters: the borders on
/// the right of a cluster, then those below one.
fn borders(map: &PlainMap, side: usize) -> Vec<Vec<Pair>> {
    let upright = stretches(map.width, map.height, side);
    let upright = upright.map(|(x, rows)| rows.map(|y| ((x - 1, y), (x, y))).collect());
    let level = stretches(map.height, map.width, side);
    let level = level.map(|(y, columns)| columns.map(|x| ((x, y - 1), (x, y))).collect());
    upright.chain(level).collect()
}

/// Where clusters meet along one axis, `across` cells long, each place with the
/// stretches into which clusters divide the other axis, `along` cells long.
fn stretches(
    across: usize,
    along: usize,
    side: usize,
) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
    let stretch = move |first: usize| first..along.min(first.saturating_add(side));
    (side..across)
        .step_by(side)
        .flat_map(move |place| (0..along).step_by(side).map(move |first| (place, stretch(first))))
}

/// The transitions of an entrance. A middle between two pairs is the first of
/// them; ends that coincide are one transition.
fn transitions(entrance: &[Pair], threshold: usize) -> BTreeSet<Pair> {
    let last = entrance.len() - 1;
    if entrance.len() < threshold {
        BTreeSet::from([entrance[last / 2]])
    } else {
        BTreeSet::from([entrance[0], entrance[last]])
    }
}

/// The transitions of an entrance on a border of a level where all ground weighs
/// the same, with their heights.
///
/// An entrance narrower than one and a half gaps has one in the middle. Any other
/// is divided into as few parts as can be, none longer than so many gaps and all
/// of the same length but for rounding down, and has transitions where parts begin
/// and end. Of these, the outermost keep the level of the border if the entrance
/// is as wide as the threshold, otherwise the middle one, or the one before the
/// middle; the others keep level 2 at most.
fn even_transitions(
    entrance: &[Pair],
    settings: AbstractionSettings,
    gaps: usize,
    level: usize,
) -> Vec<(Pair, usize)> {
    let steps = entrance.len() - 1;
    if 2 * entrance.len() < 3 * settings.gap {
        return vec![(entrance[steps / 2], level)];
    }
    let parts = (1..=steps).find(|parts| steps <= parts * gaps * settings.gap).unwrap_or(1);
    let keeps = |place: usize| {
        if entrance.len() < settings.entrance { place == parts / 2 } else { [0, parts].contains(&place) }
    };
    let height = |place| if keeps(place) { level } else { level.min(2) };
    (0..=parts).map(|place| (entrance[steps * place / parts], height(place))).collect()
}

/// The highest level below those on which nets decide which transitions count.
const PLAIN_LEVELS: usize = 4;

/// A whole border of the highest level up to 4 that it belongs to, with its weights.
///
/// # The rule
///
/// A *stretch* of level l is a longest free run along the border of two adjacent
/// l-clusters; the whole border consists of one or more such borders for each l
/// up to its own level. The transitions of height 1 or more are chosen from all
/// pairs of a stretch of level 1, those of height l or more from the ones of
/// height l - 1 or more on a stretch of level l. One after the other is taken
/// unless it is *close* to one that is taken already, in this order:
///
/// * those that weigh less come first;
/// * then those nearer to an end of the longest run of the same weight around the
///   pair, which may reach beyond the stretch;
/// * then those nearer to the beginning of the border.
///
/// Two pairs are close if less than [`AbstractionSettings::apart`] lies between
/// them, or less than one and a half times that on ground of one weight.
struct Terrain<'a> {
    border: &'a [Pair],
    /// What each pair weighs together, 0 if it is not free.
    sums: Vec<u64>,
}

impl<'a> Terrain<'a> {
    fn of(map: &PlainMap, border: &'a [Pair]) -> Self {
        let sum = |&(one, other): &Pair| {
            let is_free = map.is_free_at(one) && map.is_free_at(other);
            if is_free { map.weight(one) + map.weight(other) } else { 0 }
        };
        Self { sums: border.iter().map(sum).collect(), border }
    }

    /// Whether all free pairs weigh the same.
    fn is_even(&self) -> bool {
        self.sums.iter().filter(|&&sum| sum > 0).collect::<BTreeSet<_>>().len() <= 1
    }

    /// The transitions with their heights, of which `level` is the largest.
    fn transitions(&self, settings: AbstractionSettings, level: usize) -> Vec<(Pair, usize)> {
        let mut heights = BTreeMap::new();
        let mut left: BTreeSet<usize> = (0..self.sums.len()).collect();
        for height in 1..=level.min(PLAIN_LEVELS) {
            let stretches = self.stretches(settings.side(height));
            let kept = stretches.flat_map(|stretch| {
                let candidates = left.iter().copied().filter(|at| stretch.contains(at));
                let rank = |at: usize| (self.sums[at], self.off_end(at), at);
                let order: BTreeSet<_> = candidates.map(rank).collect();
                self.thinned(order.into_iter().map(|(.., at)| at), settings.apart(height))
            });
            left = kept.collect();
            heights.extend(left.iter().map(|&at| (at, height)));
        }
        let raised = |height| if height == level.min(PLAIN_LEVELS) { level } else { height };
        heights.into_iter().map(|(at, height)| (self.border[at], raised(height))).collect()
    }

    /// The longest free runs of each part of the border.
    fn stretches(&self, side: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
        let places: Vec<usize> = (0..self.sums.len()).collect();
        let is_free = |at: usize| self.sums[at] > 0;
        let together =
            move |one: &usize, next: &usize| is_free(*one) == is_free(*next) && one / side == next / side;
        let runs: Vec<_> = places.chunk_by(together).map(|run| run[0]..run[run.len() - 1] + 1).collect();
        runs.into_iter().filter(move |run| is_free(run.start))
    }

    /// How far a pair is from the nearer end of the longest run of the same weight
    /// around it.
    fn off_end(&self, at: usize) -> usize {
        let is_same = |&other: &usize| self.sums[other] == self.sums[at];
        let first = (0..=at).rev().take_while(is_same).last().unwrap_or(at);
        let last = (at..self.sums.len()).take_while(is_same).last().unwrap_or(at);
        (at - first).min(last - at)
    }

    /// Those that are not close to one before them.
    fn thinned(&self, order: impl Iterator<Item = usize>, apart: usize) -> Vec<usize> {
        let close = |one: usize, other: usize| {
            let (low, high) = (one.min(other), one.max(other));
            let is_even = self.sums[low..=high].iter().collect::<BTreeSet<_>>().len() == 1;
            let enough = if is_even { apart.saturating_add(apart.div_ceil(2)) } else { apart };
            high - low < enough
        };
        order.fold(Vec::new(), |mut taken, at| {
            if !taken.iter().any(|&other| close(at, other)) {
                taken.push(at);
            }
            taken
        })
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
mod tests {
    use super::*;
    use crate::map::ascii;

    const RULE: Diagonals = Diagonals::Strict;
    /// Straight and diagonal units of the scale that the tests use.
    const S: u64 = 4756;
    const D: u64 = 6726;

    fn settings(cluster: usize, entrance: usize, levels: usize) -> AbstractionSettings {
        AbstractionSettings { cluster, entrance, levels, group: 2, gap: 0 }
    }

    fn abstraction(map: &PlainMap, rule: Diagonals, settings: AbstractionSettings) -> Abstraction {
        Abstraction::new(map, rule, DiagonalCost::Sqrt2, settings)
    }

    /// Grid and abstract distance of a drawn query.
    fn distances(text: &str, rule: Diagonals, settings: AbstractionSettings) -> (Option<u64>, Option<u64>) {
        let drawing = ascii(text);
        let (start, goal) = drawing.query();
        let grid = oracle::distance(&drawing.map, rule, DiagonalCost::Sqrt2, start, goal);
        (grid, abstraction(&drawing.map, rule, settings).abstract_distance(start, goal))
    }

    const fn counts(nodes: usize, inter_edges: usize, intra_edges: usize) -> LevelCounts {
        LevelCounts { nodes, inter_edges, intra_edges }
    }

    /// Entrances of width 5 and 1 above, of width 6 below. The right clusters
    /// are two columns wide.
    const THREE_WIDTHS: &str = "
        .........
        .........
        .........
        .........
        .........
        ......##.
        .........
        #########
        .........
        .........
        .........
        .........
        .........
        .........
    ";

    #[test]
    fn width_decides_on_one_or_two_transitions() {
        let map = PlainMap::from_ascii(THREE_WIDTHS);
        let rows = |entrance| {
            let edges = abstraction(&map, RULE, settings(7, entrance, 1)).inter_edges();
            let rows: Vec<usize> = edges.iter().map(|edge| edge.0.1).collect();
            let expected: Vec<_> = rows.iter().map(|&y| ((6, y), (7, y), S, 1)).collect();
            assert_eq!(edges, expected, "all across the one border that is open");
            rows
        };
        assert_eq!(rows(6), [2, 6, 8, 13]);
        assert_eq!(rows(5), [0, 4, 6, 8, 13]);
        assert_eq!(rows(2), [0, 4, 6, 8, 13]);
        assert_eq!(rows(1), [0, 4, 6, 8, 13], "two ends in one place are one transition");
        assert_eq!(rows(0), rows(1));
        // Of six rows from 8 on, the two middle ones are 10 and 11.
        assert_eq!(rows(7), [2, 6, 10]);
    }

    #[test]
    fn intra_edges_go_around_walls_inside_the_cluster() {
        let map = PlainMap::from_ascii(THREE_WIDTHS);
        let graph = abstraction(&map, RULE, settings(7, 6, 1));
        let around = D + 4 * S;
        let expected = [
            ((6, 2), (6, 6), around),
            ((7, 2), (7, 6), around),
            ((6, 8), (6, 13), 5 * S),
            ((7, 8), (7, 13), 5 * S),
        ];
        assert_eq!(graph.intra_edges(1), expected);
        assert_eq!(graph.counts(), [counts(8, 4, 4)]);
        let expected = [(6, 2), (7, 2), (6, 6), (7, 6), (6, 8), (7, 8), (6, 13), (7, 13)];
        assert_eq!(graph.nodes(), expected.map(|node| (node, 1)));
    }

    #[test]
    fn nodes_cut_off_inside_a_cluster_have_no_intra_edge() {
        let map = PlainMap::from_ascii("....\n###.\n....");
        let graph = abstraction(&map, RULE, settings(3, 2, 1));
        assert_eq!(graph.nodes(), [((2, 0), 1), ((3, 0), 1), ((2, 2), 1), ((3, 2), 1)]);
        assert_eq!(graph.intra_edges(1), [((3, 0), (3, 2), 2 * S)]);
        assert_eq!(graph.abstract_distance((0, 0), (0, 2)), Some(8 * S));
    }

    /// Four entrances of width 10, eight transitions. The four cells around the
    /// centre belong to two each: sixteen ends, twelve nodes, three a cluster.
    #[test]
    fn corner_nodes_are_merged() {
        let graph = abstraction(&PlainMap::new(20, 20, true), RULE, settings(10, 6, 1));
        assert_eq!(graph.counts(), [counts(12, 8, 12)]);
        let nodes: Vec<Point> = graph.nodes().into_iter().map(|(node, _)| node).collect();
        let expected = [
            [(9, 0), (10, 0)].as_slice(),
            &[(0, 9), (9, 9), (10, 9), (19, 9)],
            &[(0, 10), (9, 10), (10, 10), (19, 10)],
            &[(9, 19), (10, 19)],
        ];
        assert_eq!(nodes, expected.concat());
        let first: Vec<_> = graph.intra_edges(1).into_iter().filter(|edge| edge.1.0 < 10).take(3).collect();
        let expected = [((9, 0), (0, 9), 9 * D), ((9, 0), (9, 9), 9 * S), ((0, 9), (9, 9), 9 * S)];
        assert_eq!(first, expected);
        let centre = [(9, 9), (10, 9), (9, 10), (10, 10)];
        let inner = graph.inter_edges().into_iter().filter(|edge| centre.contains(&edge.0));
        let inner: Vec<_> = inner.map(|(a, b, ..)| (a, b)).collect();
        let [one, two, three, four] = centre;
        assert_eq!(inner, [(one, two), (one, three), (two, four), (three, four)]);
    }

    #[test]
    fn entrances_end_where_clusters_end() {
        // One free run of width 6 along three borders of width 2.
        let edges = abstraction(&PlainMap::new(4, 6, true), RULE, settings(2, 3, 1)).inter_edges();
        let upright: Vec<_> = edges.iter().filter(|edge| edge.0.1 == edge.1.1).map(|edge| edge.0).collect();
        assert_eq!(upright, [(1, 0), (1, 2), (1, 4)]);
    }

    /// One 2-cluster covers the whole map, so that nothing is of level 2.
    #[test]
    fn levels_above_the_map_are_empty() {
        let map = PlainMap::new(20, 20, true);
        let graph = abstraction(&map, RULE, settings(10, 6, 3));
        assert_eq!(graph.counts(), [counts(12, 8, 12), counts(0, 0, 0), counts(0, 0, 0)]);
        let expected = Some(2 * S + 18 * D);
        for level in 1..=3 {
            assert_eq!(graph.abstract_distance_at(level, (0, 0), (19, 19)), expected);
        }
        let huge = AbstractionSettings { levels: 9, group: usize::MAX, ..settings(10, 6, 1) };
        assert_eq!(abstraction(&map, RULE, huge).abstract_distance_at(9, (0, 0), (19, 19)), expected);
    }

    /// 4 x 4 clusters in 2 x 2 groups. 24 borders have two transitions each, 8
    /// of them lie between groups. Each of nine crossings merges four pairs of
    /// ends; only at the centre do two transitions of level 2 share a cell.
    /// Clusters in the corners of the map have three nodes, all others four,
    /// groups seven.
    #[test]
    fn levels_of_an_open_map_are_counted_by_hand() {
        let graph = abstraction(&PlainMap::new(40, 40, true), RULE, settings(10, 6, 2));
        assert_eq!(graph.counts(), [counts(60 - 28, 32, 4 * 3 + 12 * 6), counts(28, 16, 4 * 21)]);
        let levels: BTreeMap<Point, usize> = graph.nodes().into_iter().collect();
        assert_eq!((levels[&(19, 9)], levels[&(10, 9)], levels[&(0, 19)]), (2, 1, 2));
        assert_eq!(levels.get(&(10, 10)), Some(&1));

        let cost = |a, b| graph.intra_edges(2).iter().find(|edge| (edge.0, edge.1) == (a, b)).map(|e| e.2);
        assert_eq!(cost((19, 0), (19, 9)), Some(9 * S));
        assert_eq!(cost((19, 0), (0, 19)), Some(18 * D + 2 * S), "through the crossing of clusters");
        assert_eq!(cost((19, 0), (20, 0)), None);
    }

    /// 2-clusters begin at 0 and 4, 3-clusters at 0 and 8; the last cluster of
    /// each level is cut off.
    #[test]
    fn last_clusters_may_be_smaller() {
        let graph = abstraction(&PlainMap::new(11, 1, true), RULE, settings(2, 6, 3));
        let levels: Vec<_> = graph.nodes().into_iter().map(|((x, _), level)| (x, level)).collect();
        let expected = [(1, 1), (2, 1), (3, 2), (4, 2), (5, 1), (6, 1), (7, 3), (8, 3), (9, 1), (10, 1)];
        assert_eq!(levels, expected);
        let ends = |level| {
            let edges = graph.intra_edges(level).into_iter();
            edges.map(|(a, b, cost)| (a.0, b.0, cost / S)).collect::<Vec<_>>()
        };
        assert_eq!(ends(1), [(2, 3, 1), (4, 5, 1), (6, 7, 1), (8, 9, 1)]);
        assert_eq!(ends(2), [(4, 7, 3)]);
        assert_eq!(ends(3), []);
        assert_eq!(graph.counts(), [counts(6, 3, 4), counts(2, 1, 1), counts(2, 1, 0)]);
    }

    #[test]
    fn last_rows_and_columns_have_entrances_of_their_own() {
        let graph = abstraction(&PlainMap::new(7, 5, true), RULE, settings(4, 3, 1));
        let ends: Vec<_> = graph.inter_edges().into_iter().map(|(a, b, ..)| (a, b)).collect();
        // On the right rows 0 to 3 and row 4 alone; below columns 0 to 3 and 4 to 6.
        let expected = [
            ((3, 0), (4, 0)),
            ((0, 3), (0, 4)),
            ((3, 3), (4, 3)),
            ((3, 3), (3, 4)),
            ((4, 3), (4, 4)),
            ((6, 3), (6, 4)),
            ((3, 4), (4, 4)),
        ];
        assert_eq!(ends, expected);
    }

    #[test]
    fn group_of_three_takes_nine_clusters() {
        let wide = AbstractionSettings { group: 3, ..settings(1, 6, 3) };
        assert_eq!([1, 2, 3].map(|level| wide.side(level)), [1, 3, 9]);
        let graph = abstraction(&PlainMap::new(10, 1, true), RULE, wide);
        let levels: Vec<_> = graph.inter_edges().into_iter().map(|edge| edge.3).collect();
        assert_eq!(levels, [1, 1, 2, 1, 1, 2, 1, 1, 3]);
    }

    #[test]
    fn single_clusters_may_be_groups() {
        let alone = AbstractionSettings { group: 1, ..settings(2, 6, 2) };
        let graph = abstraction(&PlainMap::new(6, 1, true), RULE, alone);
        assert_eq!(graph.counts(), [counts(0, 0, 1), counts(4, 2, 1)]);
        assert_eq!(graph.abstract_distance_at(2, (0, 0), (5, 0)), Some(5 * S));
    }

    #[test]
    fn weights_are_paid_on_every_edge() {
        let map = PlainMap::from_ascii("1111\n9931\n1124\n1151");
        let graph = abstraction(&map, RULE, settings(3, 6, 1));
        let expected = [
            ((2, 1), (3, 1), 2 * S, 1),
            ((1, 2), (1, 3), S, 1),
            ((3, 2), (3, 3), 5 * S / 2, 1),
            ((2, 3), (3, 3), 3 * S, 1),
        ];
        assert_eq!(graph.inter_edges(), expected);
        let expected = [((2, 1), (1, 2), 2 * D), ((3, 1), (3, 2), 5 * S / 2), ((1, 3), (2, 3), 3 * S)];
        assert_eq!(graph.intra_edges(1), expected);
    }

    /// The rows of the transitions across the middle of a map of 16 columns,
    /// with their heights. A row has the same weight everywhere.
    fn across_the_middle(rows: &str, settings: AbstractionSettings) -> Vec<(usize, usize)> {
        let text: Vec<String> = rows.chars().map(|weight| weight.to_string().repeat(16)).collect();
        let graph = abstraction(&PlainMap::from_ascii(&text.join("\n")), RULE, settings);
        let edges = graph.inter_edges().into_iter().filter(|edge| (edge.0.0, edge.1.0) == (7, 8));
        edges.map(|edge| (edge.0.1, edge.3)).collect()
    }

    #[test]
    fn cheap_ground_comes_first() {
        let apart = |gap| AbstractionSettings { gap, ..settings(4, 6, 1) };
        assert_eq!(across_the_middle("9121", apart(2)), [(1, 1), (3, 1)]);
        assert_eq!(across_the_middle("9121", apart(3)), [(1, 1)]);
        assert_eq!(across_the_middle("2#12", apart(3)), [(0, 1), (2, 1)], "a wall between two runs");
        // A run of the same ground: its ends, one and a half gaps apart.
        assert_eq!(across_the_middle("3339", apart(1)), [(0, 1), (2, 1), (3, 1)]);
        assert_eq!(across_the_middle("9121", apart(0)), [(1, 1)]);
    }

    /// A border of level 2 that is eight rows long, clusters of 4 or of 8 beside it.
    #[test]
    fn even_ground_has_transitions_at_the_ends_and_between() {
        let by = |cluster, gap, entrance| AbstractionSettings { gap, ..settings(cluster, entrance, 3) };
        assert_eq!(across_the_middle("33333333", by(8, 6, 6)), [(3, 1)], "too narrow for more");
        assert_eq!(across_the_middle("11111111", by(8, 5, 9)), [(0, 1), (7, 1)]);
        assert_eq!(across_the_middle("33333333", by(8, 2, 9)), [(0, 1), (3, 1), (7, 1)]);
        let four = [(0, 2), (1, 2), (3, 2), (4, 2), (5, 2), (7, 2)];
        assert_eq!(across_the_middle("11111111", by(4, 1, 4)), four);
        assert_eq!(
            across_the_middle("11#11111", by(4, 1, 4)),
            [(0, 2), (1, 2), (3, 2), (4, 2), (5, 2), (7, 2)]
        );
    }

    /// A border of level 3: as many transitions as by the paper's rule keep it.
    #[test]
    fn transitions_between_the_ends_keep_level_two() {
        let by = |entrance| AbstractionSettings { gap: 1, ..settings(2, entrance, 3) };
        assert_eq!(across_the_middle("11", by(2)), [(0, 3), (1, 3)]);
        assert_eq!(across_the_middle("11", by(3)), [(0, 3), (1, 2)]);
    }

    /// A border of level 2 that is eight rows long. The four 5s have their ends in rows 2
    /// and 5, of which level 2 keeps the first.
    #[test]
    fn heights_depend_on_the_whole_border() {
        let two = AbstractionSettings { gap: 3, ..settings(4, 6, 2) };
        assert_eq!(across_the_middle("99555599", two), [(2, 2), (5, 1)]);
        assert_eq!(across_the_middle("91555519", two), [(1, 2), (6, 2)]);
        assert_eq!(across_the_middle("9955#599", two), [(2, 2), (5, 2)]);
        // One row of other ground is enough for the whole border.
        assert_eq!(across_the_middle("11111119", two), [(0, 2), (6, 2)]);
        let one = AbstractionSettings { levels: 1, ..two };
        assert_eq!(across_the_middle("99555599", one), [(2, 1), (4, 1), (7, 1)]);
        assert_eq!(across_the_middle("11111119", one), [(1, 1), (4, 1), (7, 1)]);
    }

    /// Inside the left cluster the way between its nodes leads over a 9, while
    /// a path through the graph goes around it.
    #[test]
    fn intra_edges_pay_what_paths_avoid() {
        let map = PlainMap::from_ascii("1111\n9991\n1111");
        let graph = abstraction(&map, RULE, settings(3, 2, 1));
        assert_eq!(graph.intra_edges(1), [((2, 0), (2, 2), 10 * S), ((3, 0), (3, 2), 2 * S)]);
        assert_eq!(graph.abstract_distance((2, 0), (2, 2)), Some(4 * S));
        assert_eq!(graph.abstract_distance((0, 0), (0, 2)), Some(8 * S));
    }

    #[test]
    fn neighbours_in_one_cluster_need_no_node() {
        for level in 1..=2 {
            let graph = abstraction(&PlainMap::new(3, 3, true), RULE, settings(4, 6, 2));
            assert_eq!(graph.nodes(), []);
            assert_eq!(graph.abstract_distance_at(level, (0, 0), (2, 2)), Some(2 * D));
            assert_eq!(graph.abstract_distance_at(level, (1, 2), (1, 2)), Some(0));
        }
    }

    #[test]
    fn paths_may_leave_the_cluster_of_both_ends() {
        let stays = "
            S...
            ##..
            G...
        ";
        assert_eq!(distances(stays, RULE, settings(3, 6, 1)).1, Some(6 * S));
        let leaves = "
            S...
            ###.
            G...
        ";
        assert_eq!(distances(leaves, RULE, settings(3, 6, 1)).1, Some(8 * S));
    }

    #[test]
    fn blocked_and_outside_ends_have_no_path() {
        let graph = abstraction(&PlainMap::from_ascii(".#."), Diagonals::Free, settings(2, 6, 1));
        for (a, b) in
            [((0, 0), (1, 0)), ((1, 0), (1, 0)), ((0, 0), (2, 0)), ((3, 0), (3, 0)), ((0, 5), (0, 0))]
        {
            assert_eq!(graph.abstract_distance(a, b), None, "{a:?} {b:?}");
        }
    }

    #[test]
    #[should_panic(expected = "level 3 is not one of 1 to 2")]
    fn unknown_levels_are_refused() {
        abstraction(&PlainMap::new(3, 3, true), RULE, settings(2, 6, 2)).intra_edges(3);
    }

    /// The smallest maps whose connection the abstraction misses: two free
    /// cells that touch at a corner, in two clusters, between blocked cells.
    #[test]
    fn steps_through_gaps_between_clusters_are_missed() {
        for (text, cluster) in [
            ("S#\n#G", 1),        // four clusters of one cell
            ("#S#\n##G", 2),      // side by side, falling
            ("##G\n#S#", 2),      // side by side, rising
            ("##\nS#\n#G", 2),    // one above the other
            ("###\n#S#\n##G", 2), // touching at a corner only
            ("###\n##G\n#S#", 2), // the other two at that corner
        ] {
            let apart = settings(cluster, 6, 1);
            assert_eq!(distances(text, Diagonals::Free, apart), (Some(D), None), "{text}");
            assert_eq!(missed(text, Diagonals::Free, apart), 1, "{text}");
            // No other rule connects the two cells in the first place.
            assert_eq!(distances(text, Diagonals::OneSide, apart), (None, None), "{text}");
            // Inside one cluster the step is like any other.
            assert_eq!(distances(text, Diagonals::Free, settings(3, 6, 1)), (Some(D), Some(D)), "{text}");
        }
    }

    #[test]
    fn missed_steps_can_be_inter_edges() {
        let map = PlainMap::from_ascii("#.#\n##.");
        let graph = Abstraction::with_gaps(&map, Diagonals::Free, DiagonalCost::Sqrt2, settings(2, 6, 3));
        assert_eq!(graph.inter_edges().len(), 1);
        for level in 1..=3 {
            assert_eq!(graph.abstract_distance_at(level, (1, 0), (2, 1)), Some(D));
        }
    }

    /// With levels the map is as disconnected as without.
    #[test]
    fn higher_levels_do_not_find_missed_steps() {
        let graph = abstraction(&PlainMap::from_ascii("#.#\n##."), Diagonals::Free, settings(2, 6, 3));
        assert_eq!(graph.missed_steps(), [((1, 0), (2, 1))]);
        for level in 1..=3 {
            assert_eq!(graph.abstract_distance_at(level, (1, 0), (2, 1)), None);
        }
    }

    fn missed(text: &str, rule: Diagonals, settings: AbstractionSettings) -> usize {
        abstraction(&ascii(text).map, rule, settings).missed_steps().len()
    }

    /// Where the gap has a way around, the path takes it, however long.
    #[test]
    fn ways_around_a_missed_step_are_found() {
        let text = "
            .S#
            .#G
            ...
        ";
        let around = settings(2, 6, 1);
        assert_eq!(distances(text, Diagonals::Free, around), (Some(D), Some(D + 4 * S)));
        assert_eq!(distances(text, Diagonals::OneSide, around), (Some(3 * D), Some(D + 4 * S)));
        assert_eq!((missed(text, Diagonals::Free, around), missed(text, Diagonals::OneSide, around)), (1, 0));
    }

    /// One free side cell is enough for two straight steps instead.
    #[test]
    fn steps_past_one_free_cell_are_replaced() {
        for rule in [Diagonals::OneSide, Diagonals::Free] {
            for text in ["S.\n#G", "S#\n.G"] {
                assert_eq!(distances(text, rule, settings(1, 6, 1)), (Some(D), Some(2 * S)), "{rule:?}");
                assert_eq!(missed(text, rule, settings(1, 6, 1)), 0);
            }
        }
    }

    /// The regions of the grid without the missed steps: cells get the smallest
    /// label around them until nothing changes.
    fn regions_without_missed_steps(map: &PlainMap, graph: &Abstraction) -> Vec<usize> {
        let missed = graph.missed_steps();
        let kept = |a, b| !missed.contains(&(a, b)) && !missed.contains(&(b, a));
        let mut labels: Vec<usize> = (0..map.free.len()).collect();
        loop {
            let before = labels.clone();
            for a in map.free_points() {
                for b in map.free_points() {
                    if map.allows_step(graph.diagonals, a, b) && kept(a, b) {
                        labels[map.index(a)] = labels[map.index(a)].min(labels[map.index(b)]);
                    }
                }
            }
            if labels == before {
                return labels;
            }
        }
    }

    /// The statement at the top of this module, for all pairs of cells.
    fn assert_connected_without_missed_steps(map: &PlainMap, rule: Diagonals, settings: AbstractionSettings) {
        let graph = abstraction(map, rule, settings);
        let labels = regions_without_missed_steps(map, &graph);
        assert!(rule == Diagonals::Free || graph.missed_steps().is_empty());
        for start in map.free_points() {
            for goal in map.free_points() {
                let connected = labels[map.index(start)] == labels[map.index(goal)];
                let found = graph.abstract_distance(start, goal);
                assert_eq!(found.is_some(), connected, "{map:?}{rule:?} {settings:?} {start:?} {goal:?}");
            }
        }
    }

    /// No map of these sizes is an exception.
    #[test]
    fn connections_of_all_small_maps_are_kept_but_for_missed_steps() {
        for (width, height) in [(2, 2), (3, 2), (2, 3), (4, 2), (3, 3)] {
            for drawing in 0..1usize << (width * height) {
                let mut map = PlainMap::new(width, height, false);
                map.free.iter_mut().enumerate().for_each(|(bit, free)| *free = drawing >> bit & 1 == 1);
                for rule in Diagonals::ALL {
                    for cluster in 1..=2 {
                        assert_connected_without_missed_steps(&map, rule, settings(cluster, 2, 1));
                    }
                }
            }
        }
    }

    #[cfg(feature = "strategies")]
    mod properties {
        use super::*;
        use crate::strategies::{MapQuery, maps};
        use crate::strategies::{diagonal_costs, diagonals, map_and_query, query_on, terrain_maps};
        use proptest::prelude::*;

        /// All that the paper has.
        fn paper_settings() -> impl Strategy<Value = AbstractionSettings> + Clone {
            (1..=6usize, 0..=7usize, 1..=4usize, 2..=3usize).prop_map(|(cluster, entrance, levels, group)| {
                AbstractionSettings { cluster, entrance, levels, group, gap: 0 }
            })
        }

        fn all_settings() -> impl Strategy<Value = AbstractionSettings> + Clone {
            (paper_settings(), 0..=6usize).prop_map(|(paper, gap)| AbstractionSettings { gap, ..paper })
        }

        fn queries() -> impl Strategy<Value = MapQuery> + Clone {
            prop_oneof![2 => map_and_query(26, 26), 1 => query_on(terrain_maps(26, 26))]
        }

        /// The part of the map that a cluster covers.
        fn cut(map: &PlainMap, (left, top): Point, side: usize) -> PlainMap {
            let (width, height) = (side.min(map.width - left), side.min(map.height - top));
            let mut part = PlainMap::new(width, height, false);
            let mut weights = vec![1; width * height];
            for (index, weight) in weights.iter_mut().enumerate() {
                let (x, y) = part.point(index);
                part.free[index] = map.is_free_at((left + x, top + y));
                *weight = map.weight((left + x, top + y)) as u8;
            }
            PlainMap { weights: Some(weights), ..part }
        }

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(400))]

            /// Every level of one graph gives the same distance, and so does
            /// the top level of a graph with fewer levels.
            #[test]
            fn distance_is_the_same_on_every_level(
                query in queries(), rule in diagonals(), cost in diagonal_costs(), settings in paper_settings(),
            ) {
                let MapQuery { map, start, goal } = query;
                let with_levels = |levels| AbstractionSettings { levels, ..settings };
                let graph = Abstraction::new(&map, rule, cost, with_levels(4));
                let expected = graph.abstract_distance(start, goal);
                for level in 1..=4 {
                    prop_assert_eq!(graph.abstract_distance_at(level, start, goal), expected);
                    let lower = Abstraction::new(&map, rule, cost, with_levels(level));
                    prop_assert_eq!(lower.abstract_distance_at(level, start, goal), expected);
                }
            }

            /// With heights the distance may grow with the level, but it exists
            /// on all of them or none.
            #[test]
            fn distance_grows_with_the_level(
                query in queries(), rule in diagonals(), cost in diagonal_costs(), settings in all_settings(),
            ) {
                let MapQuery { map, start, goal } = query;
                let graph = Abstraction::with_gaps(&map, rule, cost, settings);
                let mut lower = oracle::distance(&map, rule, cost, start, goal);
                for level in 1..=settings.levels {
                    let found = graph.abstract_distance_at(level, start, goal);
                    prop_assert!(found.is_some() == lower.is_some() && found >= lower);
                    lower = found;
                }
            }

            /// Never shorter than the optimum, symmetric, and found exactly
            /// when the grid has a path, but for the missed steps.
            #[test]
            fn distance_fits_the_grid(
                query in queries(), rule in diagonals(), cost in diagonal_costs(), settings in all_settings(),
            ) {
                let MapQuery { map, start, goal } = query;
                let graph = Abstraction::new(&map, rule, cost, settings);
                let found = graph.abstract_distance(start, goal);
                let best = oracle::distance(&map, rule, cost, start, goal);
                prop_assert_eq!(found, graph.abstract_distance(goal, start));
                prop_assert!(found.is_none() || found >= best, "{:?} {:?}", found, best);
                if graph.missed_steps().is_empty() {
                    prop_assert_eq!(found.is_some(), best.is_some());
                }
            }

            /// The exact rule for connections, on larger maps.
            #[test]
            fn connections_are_kept_but_for_missed_steps(
                map in maps(9, 9), rule in diagonals(), settings in all_settings(),
            ) {
                assert_connected_without_missed_steps(&map, rule, settings);
            }

            /// An intra-edge knows nothing outside its cluster: it costs what a
            /// path between its ends costs on the cluster alone, however low
            /// the level that finds it; and it exists when there is such a path.
            #[test]
            fn intra_edges_are_distances_on_the_cluster_alone(
                query in queries(), rule in diagonals(), cost in diagonal_costs(), settings in paper_settings(),
            ) {
                let graph = Abstraction::new(&query.map, rule, cost, settings);
                for level in 1..=settings.levels {
                    let side = settings.side(level);
                    let edges = &graph.intra[level - 1];
                    for ((column, row), nodes) in graph.nodes_by_cluster(level) {
                        let corner = (column * side, row * side);
                        let part = cut(&query.map, corner, side);
                        let part = Abstraction::new(&part, rule, cost, AbstractionSettings { levels: 1, ..settings });
                        let place = |node| {
                            let (x, y) = query.map.point(node);
                            (x - corner.0, y - corner.1)
                        };
                        for (&a, &b) in nodes.iter().flat_map(|a| nodes.iter().map(move |b| (a, b))) {
                            let expected = (a < b).then(|| part.abstract_distance(place(a), place(b))).flatten();
                            prop_assert_eq!(edges.get(&(a, b)).copied(), expected);
                        }
                    }
                }
            }
        }
    }
}
