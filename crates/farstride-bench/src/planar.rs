//! Planar graphs with weights, and bidirectional Dijkstra search on them.
//!
//! Road networks and the like, for what the engine can do without a grid: a
//! jittered grid of points, each joined to its neighbours to the right and
//! below, and one diagonal in every square.

use farstride::Cost;
use farstride::error::GraphError;
use farstride::graph::{NodeId, RowGraph};
use farstride::search::{Memory, dijkstra};
use farstride_testkit::SplitMix64;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How the edges of a planar graph get their weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weights {
    /// Evenly from 1 to a million units, whatever the length.
    Random,
    /// The length in thousandths, times a number from 1 to 2: roads.
    Roads,
}

/// A planar graph whose nodes have places.
#[derive(Debug, Clone)]
pub struct Planar {
    /// The graph; every edge both ways.
    pub graph: RowGraph,
    /// Where the nodes are; neighbours are about 1 apart.
    pub places: Vec<(f64, f64)>,
    /// Mean weight of an edge in units.
    pub mean_weight: f64,
    /// Smallest weight per length.
    least_ratio: f64,
}

/// How far a point lies from its place on the grid at most. Below a quarter, so
/// that squares stay convex and the diagonals stay inside them.
const JITTER: f64 = 0.24;

impl Planar {
    /// A graph of about `nodes` nodes, in as many columns as rows.
    ///
    /// # Errors
    /// [`GraphError`] if there are too many.
    pub fn generate(nodes: usize, weights: Weights, seed: u64) -> Result<Self, GraphError> {
        let side = (nodes as f64).sqrt().round().max(2.0) as usize;
        let rows = nodes.div_ceil(side).max(2);
        let mut random = SplitMix64::new(seed);
        let mut jitter = || (random.below(1 << 16) as f64 / f64::from(1 << 15) - 1.0) * JITTER;
        let places: Vec<_> = (0..side * rows)
            .map(|node| ((node % side) as f64 + jitter(), (node / side) as f64 + jitter()))
            .collect();
        let mut edges = Vec::with_capacity(3 * places.len());
        let (mut sum, mut least_ratio) = (0.0, f64::INFINITY);
        for (a, b) in pairs(side, rows, &mut random) {
            let length = distance(places[a], places[b]);
            let units = match weights {
                Weights::Random => random.between(1, 1_000_000) as u64,
                Weights::Roads => (length * random.between(1000, 2000) as f64).ceil() as u64,
            };
            sum += units as f64;
            least_ratio = least_ratio.min(units as f64 / length);
            edges.push((a as u32, b as u32, Cost::new(units).unwrap_or(Cost::MAX)));
        }
        let mean_weight = sum / edges.len() as f64;
        let graph = RowGraph::from_edges(places.len(), edges)?;
        Ok(Self { graph, places, mean_weight, least_ratio })
    }

    /// The rank of every node by how many shortest paths of a sample pass
    /// through it: those from some random nodes to all others. Ties by lot.
    ///
    /// Nested dissection by coordinates was tried: two to three times the extra
    /// edges, and half the speed with random weights.
    pub fn ranks(&self, sample: usize, seed: u64) -> Vec<u32> {
        let nodes = self.places.len();
        let mut random = SplitMix64::new(seed);
        let mut memory = Memory::default();
        let mut used = vec![0_u64; nodes];
        let mut order: Vec<u32> = (0..nodes as u32).collect();
        for _ in 0..sample {
            dijkstra(&self.graph, NodeId::new(random.below(nodes) as u32), &mut memory, &mut ());
            let tree = memory.tree();
            order.sort_by_cached_key(|&node| Reverse(tree.cost(node as usize)));
            let mut below = vec![1_u64; nodes];
            for &node in &order {
                used[node as usize] += below[node as usize];
                let parent = tree.parent(node as usize);
                if tree.cost(node as usize).is_some() && parent != node {
                    below[parent as usize] += below[node as usize];
                }
            }
        }
        let lots: Vec<u64> = used.iter().map(|_| random.next_u64()).collect();
        order.sort_unstable_by_key(|&node| (used[node as usize], lots[node as usize]));
        let mut ranks = vec![0; nodes];
        for (rank, &node) in (0..).zip(&order) {
            ranks[node as usize] = rank;
        }
        ranks
    }

    /// A lower bound of the distance between two nodes: the straight line at
    /// the smallest weight per length.
    pub fn bound(&self, from: NodeId, to: NodeId) -> Cost {
        // A little less, so that rounding cannot make it too large.
        const SLACK: f64 = 1.0 - 1e-9;
        let length = distance(self.places[from.index()], self.places[to.index()]);
        Cost::new((length * self.least_ratio * SLACK) as u64).unwrap_or(Cost::ZERO)
    }
}

/// The edges of the grid, with one diagonal per square.
fn pairs(side: usize, rows: usize, random: &mut SplitMix64) -> Vec<(usize, usize)> {
    let mut pairs = Vec::with_capacity(3 * side * rows);
    for node in 0..side * rows {
        let (right, below) = (node % side + 1 < side, node / side + 1 < rows);
        pairs.extend(right.then_some((node, node + 1)));
        pairs.extend(below.then_some((node, node + side)));
        if right && below {
            let falling = random.chance(50);
            pairs.push(if falling { (node, node + side + 1) } else { (node + 1, node + side) });
        }
    }
    pairs
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    // Not `hypot`, which took a third of the time of a partition.
    ((a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)).sqrt()
}

/// Dijkstra search from both ends at once, for undirected graphs.
#[derive(Debug, Default)]
pub struct Bidirectional {
    sides: [Side; 2],
    generation: u32,
    /// Nodes taken out of the two heaps in the last search.
    pub expanded: u64,
}

/// What one end knows: a label counts only if it has the current generation.
#[derive(Debug, Default)]
struct Side {
    labels: Vec<(u32, u32, u64)>, // generation, parent, g
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Side {
    fn g(&self, node: u32, generation: u32) -> Option<u64> {
        let (stamp, _, g) = self.labels[node as usize];
        (stamp == generation).then_some(g)
    }

    fn improve(&mut self, node: u32, parent: u32, g: u64, generation: u32) {
        if self.g(node, generation).is_none_or(|known| g < known) {
            self.labels[node as usize] = (generation, parent, g);
            self.heap.push(Reverse((g, node)));
        }
    }

    fn least(&self) -> Option<u64> {
        self.heap.peek().map(|Reverse((g, _))| *g)
    }
}

impl Bidirectional {
    /// The distance between two nodes, and the path in `path`; `None` if there
    /// is none.
    ///
    /// The side whose next node is nearer goes on, until the two radii together
    /// are no less than the best way found.
    pub fn find(
        &mut self,
        graph: &RowGraph,
        start: NodeId,
        goal: NodeId,
        path: &mut Vec<NodeId>,
    ) -> Option<u64> {
        let nodes = farstride::graph::Graph::node_count(graph);
        self.generation += 1;
        self.expanded = 0;
        let generation = self.generation;
        for (side, node) in self.sides.iter_mut().zip([start, goal]) {
            side.labels.resize(nodes, (0, 0, 0));
            side.heap.clear();
            let node = node.index() as u32;
            side.improve(node, node, 0, generation);
        }
        let mut best: Option<(u64, u32)> = (start == goal).then_some((0, start.index() as u32));
        while let (Some(ahead), Some(behind)) = (self.sides[0].least(), self.sides[1].least()) {
            if best.is_some_and(|(length, _)| ahead + behind >= length) {
                break;
            }
            let at = usize::from(behind < ahead);
            let Some(Reverse((g, node))) = self.sides[at].heap.pop() else { break };
            if self.sides[at].g(node, generation) != Some(g) {
                continue; // it was reached more cheaply since
            }
            self.expanded += 1;
            for &(head, cost) in graph.arcs(NodeId::new(node)) {
                let (head, g) = (head.index() as u32, g + cost.units());
                if let Some(rest) = self.sides[1 - at].g(head, generation) {
                    let shorter = best.is_none_or(|(length, _)| g + rest < length);
                    if shorter {
                        best = Some((g + rest, head));
                    }
                }
                self.sides[at].improve(head, node, g, generation);
            }
        }
        let (length, meeting) = best?;
        self.trace(meeting, path);
        Some(length)
    }

    fn trace(&self, meeting: u32, path: &mut Vec<NodeId>) {
        path.clear();
        for (side, labels) in self.sides.iter().map(|side| &side.labels).enumerate() {
            let mut node = meeting;
            if side == 0 {
                path.push(NodeId::new(node));
            }
            while labels[node as usize].1 != node {
                node = labels[node as usize].1;
                path.push(NodeId::new(node));
            }
            if side == 0 {
                path.reverse();
            }
        }
    }
}

/// What the steps of a path cost, if all of them are arcs.
pub fn walked(graph: &RowGraph, path: &[NodeId]) -> Option<u64> {
    let step = |from: NodeId, to: NodeId| {
        let arcs = graph.arcs(from).iter().filter(|(head, _)| *head == to);
        arcs.map(|(_, cost)| cost.units()).min()
    };
    path.windows(2).map(|pair| step(pair[0], pair[1])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use farstride::graph::Graph;
    use farstride::search::{Memory, dijkstra};

    #[test]
    fn a_square_grid_has_a_diagonal_in_every_square() {
        let planar = Planar::generate(100, Weights::Random, 1).unwrap();
        assert_eq!(planar.graph.node_count(), 100);
        assert_eq!(planar.graph.arc_count(), 2 * (2 * 90 + 81));
    }

    #[test]
    fn both_ends_meet_on_a_shortest_path_and_bounds_hold() {
        for (seed, weights) in [(1, Weights::Random), (2, Weights::Roads)] {
            let planar = Planar::generate(200, weights, seed).unwrap();
            let (graph, mut memory) = (&planar.graph, Memory::default());
            let (mut both, mut path) = (Bidirectional::default(), Vec::new());
            for start in (0..graph.node_count() as u32).step_by(7).map(NodeId::new) {
                dijkstra(graph, start, &mut memory, &mut ());
                for goal in (0..graph.node_count() as u32).map(NodeId::new) {
                    let expected = memory.cost(goal.index()).map(Cost::units);
                    assert_eq!(both.find(graph, start, goal, &mut path), expected);
                    assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)));
                    assert_eq!(walked(graph, &path), expected);
                    assert!(Some(planar.bound(start, goal).units()) <= expected);
                }
            }
        }
    }

    #[test]
    fn a_node_in_the_middle_ranks_above_one_in_a_corner() {
        let planar = Planar::generate(100, Weights::Roads, 3).unwrap();
        let mut ranks = planar.ranks(20, 1);
        assert!(ranks[55] > ranks[0] && ranks[44] > ranks[99]);
        ranks.sort_unstable();
        assert!(ranks.into_iter().eq(0..100));
    }

    #[test]
    fn no_way_is_no_distance() {
        let graph = RowGraph::from_edges(3, [(0, 1, Cost::new(4).unwrap())]).unwrap();
        let mut both = Bidirectional::default();
        let [start, aside] = [0, 2].map(NodeId::new);
        assert_eq!(both.find(&graph, start, aside, &mut Vec::new()), None);
        assert_eq!(both.find(&graph, aside, aside, &mut Vec::new()), Some(0));
    }
}
