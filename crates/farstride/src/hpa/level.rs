//! Levels above the first: crossing costs computed from the level below.

use super::hierarchy::View;
use super::layout::ClusterId;
use super::tables::{Costs, Stops, UNREACHABLE};
use crate::base::{Cell, Cost};

/// Working memory for crossing costs.
#[derive(Debug, Default)]
pub(super) struct LevelScratch {
    nodes: Vec<(u32, Cell)>,
    /// Position in the matrix of each node of the children.
    place: Vec<u32>,
    narrow: Matrix<i32>,
    wide: Matrix<u64>,
}

/// A distance in the matrix. The sum of two never overflows.
trait Distance: Copy + Ord {
    const NONE: Self;
    fn from_units(units: u64) -> Self;
    fn units(self) -> u64;
    fn plus(self, other: Self) -> Self;
}

/// Limit of narrow distances, and the value for "no way". Narrow ones take half
/// the memory, and the compiler compares four at once.
const NARROW_LIMIT: u64 = 1 << 30;

impl Distance for i32 {
    const NONE: Self = NARROW_LIMIT as i32;

    fn from_units(units: u64) -> Self {
        units.min(NARROW_LIMIT) as i32
    }

    fn units(self) -> u64 {
        if self >= Self::NONE { UNREACHABLE } else { self as u64 }
    }

    #[inline]
    fn plus(self, other: Self) -> Self {
        // Both are at most 2^30, so the sum fits, and taking the minimum with
        // the present value keeps it at most 2^30.
        self.wrapping_add(other)
    }
}

impl Distance for u64 {
    const NONE: Self = UNREACHABLE;

    fn from_units(units: u64) -> Self {
        units
    }

    fn units(self) -> u64 {
        self
    }

    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }
}

/// Records of a cluster of level 2 or more.
pub(super) struct Crossings {
    /// Nodes and the distances between them.
    pub(super) costs: Vec<u8>,
    /// The nodes on the way between each pair; empty if ways are not kept.
    pub(super) stops: Vec<u8>,
}

/// Builds the records of a cluster of level 2 or more: its nodes, the shortest
/// distances between them in the graph of its children, and the ways.
///
/// Inner nodes are eliminated one by one, as in Gaussian elimination: before a
/// node goes, every pair of its neighbours gets the distance through it, if that
/// is shorter. Doing the same with the border nodes, which stay, leaves shortest
/// distances. On these small, dense graphs that is some ten times faster than a
/// search from every node, with the same result.
pub(super) fn cross(view: &View<'_>, level: u8, cluster: ClusterId, scratch: &mut LevelScratch) -> Crossings {
    let kept = gather_nodes(view, level, cluster, scratch);
    if kept == 0 {
        // No inter-edge leaves the cluster, for example if it is the whole map.
        let no_pairs = std::iter::empty::<()>();
        return Crossings {
            costs: Costs::encode([].into_iter(), &[]),
            stops: Stops::encode(0, no_pairs, |(), _| ()),
        };
    }
    let children = view.layout.children(level, cluster);
    // A shortest path visits each node once, and no edge costs more than the
    // most expensive crossing or step: if that bound is narrow, so is every distance.
    let highest = children
        .map(|child| max_crossing_cost(&view.costs(level - 1, child)))
        .max()
        .unwrap_or(0)
        .max(MAX_STEP_COST);
    let bound = highest.saturating_mul(scratch.nodes.len() as u64 + 1);
    let LevelScratch { nodes, place, narrow, wide } = scratch;
    let at = Frame { view, level, cluster, place };
    let nodes = &nodes[..];
    if bound < NARROW_LIMIT { at.cross(nodes, kept, narrow) } else { at.cross(nodes, kept, wide) }
}

/// Distances between nodes, and the node through which each of them goes.
#[derive(Debug, Default)]
struct Matrix<D> {
    count: usize,
    distances: Vec<D>,
    /// [`DIRECT`] for an edge of the level below.
    via: Vec<u32>,
}

const DIRECT: u32 = u32::MAX;
/// The most expensive inter-edge: a diagonal between cells of weight 255.
const MAX_STEP_COST: u64 = 7100 * 255;

fn max_crossing_cost(costs: &Costs<'_>) -> u64 {
    let pairs = (0..costs.count()).flat_map(|from| (0..costs.count()).map(move |to| (from, to)));
    pairs.filter_map(|(from, to)| costs.cost(from, to)).map(Cost::units).max().unwrap_or(0)
}

/// Collects the nodes of the children, those on the border of the cluster first,
/// and returns the number of border nodes.
fn gather_nodes(view: &View<'_>, level: u8, cluster: ClusterId, scratch: &mut LevelScratch) -> usize {
    let LevelScratch { nodes, place, .. } = scratch;
    nodes.clear();
    place.clear();
    let mut kept = 0;
    let mut inner = Vec::new();
    for child in view.layout.children(level, cluster) {
        let costs = view.costs(level - 1, child);
        for rank in 0..costs.count() {
            let node = (costs.node(rank), costs.cell(rank));
            if is_on_border(view, level, node.0) {
                place.push(kept);
                kept += 1;
                nodes.push(node);
            } else {
                place.push(u32::MAX);
                inner.push(node);
            }
        }
    }
    for (next, place) in (kept..).zip(place.iter_mut().filter(|place| **place == u32::MAX)) {
        *place = next;
    }
    nodes.append(&mut inner);
    kept as usize
}

/// Whether an inter-edge that counts on a level leads from a node out of its cluster.
fn is_on_border(view: &View<'_>, level: u8, node: u32) -> bool {
    let mut leaves = false;
    view.for_each_way_out(node, level, |_, _, _| leaves = true);
    leaves
}

/// The record of the nodes on the way between each two of the first `kept`.
fn stops<D: Distance>(nodes: &[(u32, Cell)], kept: usize, matrix: &Matrix<D>) -> Vec<u8> {
    let pairs = (0..kept).flat_map(|from| (from + 1..kept).map(move |to| (from, to)));
    Stops::encode(kept, pairs, |(from, to), stops| {
        matrix.for_each_stop(from, to, &mut |stop| stops.push(nodes[stop].0));
    })
}

/// A cluster, and the positions of its children's nodes in the matrix.
struct Frame<'a> {
    view: &'a View<'a>,
    level: u8,
    cluster: ClusterId,
    place: &'a [u32],
}

impl Frame<'_> {
    fn cross<D: Distance>(&self, nodes: &[(u32, Cell)], kept: usize, matrix: &mut Matrix<D>) -> Crossings {
        self.fill(nodes.len(), matrix);
        matrix.eliminate(kept);
        let mut costs = Vec::with_capacity(kept * kept);
        for from in 0..kept {
            let row = &matrix.distances[from * matrix.count..][..kept];
            costs.extend(row.iter().enumerate().map(|(to, d)| if to == from { 0 } else { d.units() }));
        }
        let costs = Costs::encode(nodes[..kept].iter().copied(), &costs);
        let stops = if self.view.keeps_ways() { stops(nodes, kept, matrix) } else { Vec::new() };
        Crossings { costs, stops }
    }

    /// Writes the edges of the level below into the matrix.
    fn fill<D: Distance>(&self, count: usize, matrix: &mut Matrix<D>) {
        matrix.reset(count);
        let mut starts = Vec::new();
        let mut start = 0;
        for child in self.view.layout.children(self.level, self.cluster) {
            let costs = self.view.costs(self.level - 1, child);
            starts.push((child, start));
            for from in 0..costs.count() {
                for to in 0..costs.count() {
                    let at = self.place[start + from] as usize * count + self.place[start + to] as usize;
                    let units = costs.cost(from, to).map_or(D::NONE, |cost| D::from_units(cost.units()));
                    matrix.distances[at] = units;
                }
            }
            start += costs.count();
        }
        for &(child, start) in &starts {
            self.add_inter_edges(child, start, &starts, matrix);
        }
    }

    /// Adds the inter-edges from a child to the other children.
    fn add_inter_edges<D: Distance>(
        &self,
        child: ClusterId,
        start: usize,
        starts: &[(ClusterId, usize)],
        matrix: &mut Matrix<D>,
    ) {
        let Self { view, level, place, .. } = *self;
        let costs = view.costs(level - 1, child);
        for from in 0..costs.count() {
            view.for_each_way_out(costs.node(from), level - 1, |head, first, cost| {
                let other = view.layout.ancestor(level - 1, first);
                let Some(&(_, other_start)) = starts.iter().find(|&&(cluster, _)| cluster == other) else {
                    return; // leads out of the cluster
                };
                let Some(rank) = view.costs(level - 1, other).rank_of(head) else { return };
                let to = place[other_start + rank] as usize;
                let cell = &mut matrix.distances[place[start + from] as usize * matrix.count + to];
                *cell = (*cell).min(D::from_units(cost.units()));
            });
        }
    }
}

impl<D: Distance> Matrix<D> {
    fn reset(&mut self, count: usize) {
        self.count = count;
        self.distances.clear();
        self.distances.resize(count * count, D::NONE);
        self.via.clear();
        self.via.resize(count * count, DIRECT);
    }

    /// Eliminates the nodes from `kept` on and leaves the shortest distances
    /// between the others. The order is fixed, so that of several equally short
    /// ways the same one is kept on every build.
    fn eliminate(&mut self, kept: usize) {
        let mut through = vec![D::NONE; self.count];
        for gone in (kept..self.count).rev() {
            self.pass_through(gone, gone, &mut through);
        }
        for node in 0..kept {
            self.pass_through(node, kept, &mut through);
        }
    }

    /// Offers every pair of the first `among` nodes the way through `node`.
    fn pass_through(&mut self, node: usize, among: usize, through: &mut [D]) {
        let through = &mut through[..among];
        through.copy_from_slice(&self.distances[node * self.count..][..among]);
        for from in (0..among).filter(|&from| from != node) {
            let row = from * self.count;
            let to_node = self.distances[row + node];
            if to_node >= D::NONE {
                continue;
            }
            let distances = self.distances[row..][..among].iter_mut();
            let via = self.via[row..][..among].iter_mut();
            // Free of branches, so that the compiler handles four at once.
            for ((here, via), &onward) in distances.zip(via).zip(&*through) {
                let there = to_node.plus(onward);
                let shorter = there < *here;
                *here = if shorter { there } else { *here };
                *via = if shorter { node as u32 } else { *via };
            }
        }
    }

    /// Calls `visit` with every node on the way between two nodes, in order.
    fn for_each_stop(&self, from: usize, to: usize, visit: &mut impl FnMut(usize)) {
        let via = self.via[from * self.count + to];
        if via != DIRECT {
            let via = via as usize;
            self.for_each_stop(from, via, visit);
            visit(via);
            self.for_each_stop(via, to, visit);
        }
    }
}
