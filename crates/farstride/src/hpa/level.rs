//! Levels above the first: crossing costs from the level below.

use super::hierarchy::View;
use super::layout::ClusterId;
use super::tables::{Costs, NO_WAY};
use crate::base::{Cell, Cost};

/// Working memory for crossing costs.
#[derive(Debug, Default)]
pub(super) struct LevelScratch {
    nodes: Vec<(u32, Cell)>,
    /// Where each node of the children stands in the matrix.
    place: Vec<u32>,
    narrow: Vec<i32>,
    wide: Vec<u64>,
}

/// A distance in a matrix; sums of two never overflow.
trait Distance: Copy + Ord {
    const NONE: Self;
    fn from_units(units: u64) -> Self;
    fn units(self) -> u64;
    fn plus(self, other: Self) -> Self;
}

/// Narrow distances, eight to a cache line more: four are compared at once.
/// Anything from half of this on is no way.
const NARROW_LIMIT: u64 = 1 << 30;

impl Distance for i32 {
    const NONE: Self = NARROW_LIMIT as i32;

    fn from_units(units: u64) -> Self {
        units.min(NARROW_LIMIT) as i32
    }

    fn units(self) -> u64 {
        if self >= Self::NONE { NO_WAY } else { self as u64 }
    }

    #[inline]
    fn plus(self, other: Self) -> Self {
        // Both are at most 2^30: the sum fits, and `min` with what is there
        // keeps it at most 2^30.
        self.wrapping_add(other)
    }
}

impl Distance for u64 {
    const NONE: Self = NO_WAY;

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

/// The record of a cluster of level 2 or more: its nodes, and the shortest
/// distances between them in the graph of its children.
///
/// Nodes inside the cluster are eliminated one by one, in the manner of Gauss:
/// before a node goes, every pair of its neighbours gets the distance through
/// it, if that is shorter. The same through the nodes on the border, which
/// stay, makes what is left the shortest distances. On such small dense graphs this is some ten times
/// faster than a search from every node.
pub(super) fn crossing_costs(
    view: &View<'_>,
    level: u8,
    cluster: ClusterId,
    scratch: &mut LevelScratch,
) -> Vec<u8> {
    let kept = gather_nodes(view, level, cluster, scratch);
    let children = view.layout.children(level, cluster);
    let below = level - 1;
    // A shortest path visits each node once, and no edge costs more than the
    // dearest; if that bound is narrow, so is every distance.
    let dearest = children.map(|child| dearest_crossing(&view.costs(below, child))).max().unwrap_or(0);
    let bound = dearest.saturating_mul(scratch.nodes.len() as u64 + 1);
    let LevelScratch { nodes, place, narrow, wide } = scratch;
    let mut matrix = Vec::with_capacity(kept * kept);
    if bound < NARROW_LIMIT {
        fill_and_eliminate(view, level, cluster, kept, place, nodes.len(), narrow, &mut matrix);
    } else {
        fill_and_eliminate(view, level, cluster, kept, place, nodes.len(), wide, &mut matrix);
    }
    Costs::encode(nodes[..kept].iter().copied(), &matrix)
}

fn dearest_crossing(costs: &Costs<'_>) -> u64 {
    let pairs = (0..costs.count()).flat_map(|from| (0..costs.count()).map(move |to| (from, to)));
    pairs.filter_map(|(from, to)| costs.cost(from, to)).map(Cost::units).max().unwrap_or(0)
}

/// Collects the nodes of the children, those on the border of the cluster
/// first; the number of these.
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
            if is_on_border(view, level, cluster, node.0) {
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

/// Whether an inter-edge leads from a node out of a cluster.
fn is_on_border(view: &View<'_>, level: u8, cluster: ClusterId, node: u32) -> bool {
    let (first, local) = view.layout.cluster_and_local(node);
    let mut leaves = false;
    view.links(first, view.costs(1, first).count()).for_each_from(local, |head, _| {
        let (other, _) = view.layout.cluster_and_local(head);
        leaves |= view.layout.ancestor(level, other) != cluster;
    });
    leaves
}

#[expect(clippy::too_many_arguments, reason = "the parts of one scratch, for two widths of numbers")]
fn fill_and_eliminate<D: Distance>(
    view: &View<'_>,
    level: u8,
    cluster: ClusterId,
    kept: usize,
    place: &[u32],
    count: usize,
    matrix: &mut Vec<D>,
    result: &mut Vec<u64>,
) {
    fill(view, level, cluster, place, count, matrix);
    eliminate(matrix, count, kept);
    for from in 0..kept {
        let row = &matrix[from * count..][..kept];
        result.extend(row.iter().enumerate().map(|(to, d)| if to == from { 0 } else { d.units() }));
    }
}

/// Writes the edges of the level below into a matrix.
fn fill<D: Distance>(
    view: &View<'_>,
    level: u8,
    cluster: ClusterId,
    place: &[u32],
    count: usize,
    matrix: &mut Vec<D>,
) {
    matrix.clear();
    matrix.resize(count * count, D::NONE);
    let mut starts = Vec::new();
    let mut start = 0;
    for child in view.layout.children(level, cluster) {
        let costs = view.costs(level - 1, child);
        starts.push((child, start));
        for from in 0..costs.count() {
            for to in 0..costs.count() {
                let at = place[start + from] as usize * count + place[start + to] as usize;
                matrix[at] = costs.cost(from, to).map_or(D::NONE, |cost| D::from_units(cost.units()));
            }
        }
        start += costs.count();
    }
    for &(child, start) in &starts {
        let costs = view.costs(level - 1, child);
        for from in 0..costs.count() {
            let (first, local) = view.layout.cluster_and_local(costs.node(from));
            view.links(first, view.costs(1, first).count()).for_each_from(local, |head, cost| {
                let (head_first, _) = view.layout.cluster_and_local(head);
                let head_child = view.layout.ancestor(level - 1, head_first);
                let Some(&(_, head_start)) = starts.iter().find(|&&(other, _)| other == head_child) else {
                    return; // it leads out of the cluster
                };
                if head_child == child {
                    return; // an edge of a level further below
                }
                let Some(rank) = view.costs(level - 1, head_child).rank_of(head) else { return };
                let to = place[head_start + rank] as usize;
                let cell = &mut matrix[place[start + from] as usize * count + to];
                *cell = (*cell).min(D::from_units(cost.units()));
            });
        }
    }
}

/// Takes the nodes from `kept` on out of a matrix of `count` rows, and makes
/// what is left the shortest distances between the others.
fn eliminate<D: Distance>(matrix: &mut [D], count: usize, kept: usize) {
    for gone in (kept..count).rev() {
        let (before, last) = matrix.split_at_mut(gone * count);
        let through = &last[..gone];
        for from in 0..gone {
            let row = &mut before[from * count..][..=gone];
            let to_gone = row[gone];
            if to_gone >= D::NONE {
                continue;
            }
            for (here, &onward) in row[..gone].iter_mut().zip(through) {
                *here = (*here).min(to_gone.plus(onward));
            }
        }
    }
    let mut through = vec![D::NONE; kept];
    for via in 0..kept {
        through.copy_from_slice(&matrix[via * count..][..kept]);
        for from in (0..kept).filter(|&from| from != via) {
            let row = &mut matrix[from * count..][..kept];
            let to_via = row[via];
            if to_via >= D::NONE {
                continue;
            }
            for (here, &onward) in row.iter_mut().zip(&through) {
                *here = (*here).min(to_via.plus(onward));
            }
        }
    }
}
