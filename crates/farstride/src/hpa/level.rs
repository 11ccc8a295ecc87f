//! Levels above the first: crossing costs computed from the level below.

use super::hierarchy::View;
use super::layout::ClusterId;
use super::tables::{Costs, Link, Stops, UNREACHABLE};
use crate::base::{Cell, Sets};
use std::ops::Range;

/// Working memory for crossing costs.
#[derive(Debug, Default)]
pub(super) struct LevelScratch {
    pub(super) nodes: Vec<(u32, Cell)>,
    /// Position in `nodes` of each node of the children, or [`LEFT_OUT`].
    pub(super) place: Vec<u32>,
    parts: Parts,
    /// One for each part.
    narrow: Vec<Matrix<i32>>,
    wide: Vec<Matrix<u64>>,
}

/// The nodes below a cluster, part by part: nodes of different parts cannot reach each other inside it. In rooms and
/// mazes there are many parts, and a matrix for each of them takes far less than one for all.
#[derive(Debug, Default)]
struct Parts {
    sets: Sets,
    /// The positions of the nodes of each part with a node of the cluster itself, in order. Those parts come in the order of
    /// their first nodes.
    members: Vec<Vec<u32>>,
    /// How many of its nodes are nodes of the cluster itself: these come first.
    kept: Vec<usize>,
    /// The part of each position, or [`NO_PART`], and the place there.
    seats: Vec<(u32, u32)>,
    /// Inter-edges between children: two positions and the cost, in no order.
    edges: Vec<(u32, u32, u64)>,
    /// Whether an inter-edge leads from each node to another child, by position.
    joins: Vec<bool>,
}

/// The part of nodes that no node of the cluster itself can reach.
const NO_PART: u32 = u32::MAX;

/// A distance in the matrix. The sum of two never overflows.
trait Distance: Copy + Ord {
    const NONE: Self;
    /// The sum of two up to this one is less than [`Distance::NONE`].
    const SAFE: Self;
    fn from_units(units: u64) -> Self;
    fn units(self) -> u64;
    fn plus(self, other: Self) -> Self;
    /// The shorter of a distance by way of one node and another by way of a second; the first if
    /// they are equal.
    fn shorter(one: (Self, u32), other: (Self, u32)) -> (Self, u32);
}

/// Limit of narrow distances, and the value for "no way". Narrow ones take half
/// the memory, and the compiler compares four at once.
const NARROW_LIMIT: u64 = 1 << 30;

impl Distance for i32 {
    const NONE: Self = NARROW_LIMIT as i32;
    const SAFE: Self = Self::NONE / 2 - 1;

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

    #[inline]
    fn shorter(one: (Self, u32), other: (Self, u32)) -> (Self, u32) {
        // Masks, because the compiler handles several at once then. A comparison that decides
        // what to write takes more than twice as long.
        let mask = Self::from(other.0 < one.0).wrapping_neg();
        (other.0 & mask | one.0 & !mask, other.1 & mask as u32 | one.1 & !mask as u32)
    }
}

impl Distance for u64 {
    const NONE: Self = UNREACHABLE;
    const SAFE: Self = UNREACHABLE / 2 - 1;

    fn from_units(units: u64) -> Self {
        units
    }

    fn units(self) -> u64 {
        self
    }

    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    fn shorter(one: (Self, u32), other: (Self, u32)) -> (Self, u32) {
        if other.0 < one.0 { other } else { one }
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
///
/// Only nodes count from which an inter-edge leads to another child: whoever comes to
/// another one over its own child and leaves it the same way is not faster than without
/// it. (Not so where legs are any-angle: Theta* does not find all shortest ways.) Distances
/// are the same both ways, so half a matrix is enough.
pub(super) fn cross(view: &View<'_>, level: u8, cluster: ClusterId, scratch: &mut LevelScratch) -> Crossings {
    let kept = gather_nodes(view, level, cluster, scratch);
    if kept == 0 {
        // No inter-edge leaves the cluster, for example if it is the whole map.
        let costs = Costs::encode(&[], &[], view.keep_ways.halves(level));
        let stops = Stops::encode(Costs::new(&costs), &[], |_, _| ());
        return Crossings { costs, stops };
    }
    let LevelScratch { nodes, place, parts, narrow, wide } = scratch;
    let at = Frame { view, level, cluster, place };
    at.find_parts(nodes.len(), kept, parts);
    if at.find_distances(parts, narrow) {
        return at.records(nodes, parts, narrow);
    }
    at.find_distances(parts, wide);
    at.records(nodes, parts, wide)
}

/// Distances between the nodes of a part, and the node through which each of them goes. Only pairs
/// count whose first node, the row, comes after the second.
#[derive(Debug)]
struct Matrix<D> {
    count: usize,
    distances: Vec<D>,
    /// [`DIRECT`] for an edge of the level below.
    via: Vec<u32>,
}

const DIRECT: u32 = u32::MAX;

impl<D> Default for Matrix<D> {
    fn default() -> Self {
        Self { count: 0, distances: Vec::new(), via: Vec::new() }
    }
}

/// Collects the nodes of the children, those on the border of the cluster first,
/// and returns the number of border nodes. Leaves out nodes that are neither on the border
/// nor joined to another child: no way needs them.
pub(super) fn gather_nodes(
    view: &View<'_>,
    level: u8,
    cluster: ClusterId,
    scratch: &mut LevelScratch,
) -> usize {
    let LevelScratch { nodes, place, .. } = scratch;
    nodes.clear();
    place.clear();
    let mut inner = Vec::new();
    for child in view.layout.children(level, cluster) {
        let costs = view.costs(level - 1, child);
        for rank in 0..costs.count() {
            let node = (costs.node(rank), costs.cell(rank));
            match role(view, level, cluster, node.0) {
                Some(Role::Border) => {
                    place.push(nodes.len() as u32);
                    nodes.push(node);
                }
                Some(Role::Inner) => {
                    place.push(INNER | inner.len() as u32);
                    inner.push(node);
                }
                None => place.push(LEFT_OUT),
            }
        }
    }
    let kept = nodes.len();
    for place in place.iter_mut().filter(|place| **place != LEFT_OUT && **place & INNER != 0) {
        *place = (*place & !INNER) + kept as u32;
    }
    nodes.append(&mut inner);
    kept
}

/// Marks the place of an inner node while border nodes are counted.
const INNER: u32 = 1 << 31;
/// The place of a node that is left out.
pub(super) const LEFT_OUT: u32 = u32::MAX;

/// What a node of the level below is to a cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// An inter-edge that counts on the level leads from it out of the cluster.
    Border,
    /// Not that, but it may be on ways through the cluster.
    Inner,
}

/// What a node of the level below is to a cluster; `None` if it is of no use there.
fn role(view: &View<'_>, level: u8, cluster: ClusterId, node: u32) -> Option<Role> {
    let mut role = view.local.is_any_angle().then_some(Role::Inner);
    let (first, local) = view.layout.cluster_and_local(node);
    view.links(first).for_each_from(local, |Link { head, height, .. }| {
        if height >= level {
            role = Some(Role::Border);
        } else if role.is_none()
            && height == level - 1
            && view.layout.ancestor(level, view.layout.cluster_and_local(head).0) == cluster
        {
            role = Some(Role::Inner);
        }
    });
    role
}

/// A cluster, and the positions of its children's nodes among all of them.
struct Frame<'a> {
    view: &'a View<'a>,
    level: u8,
    cluster: ClusterId,
    place: &'a [u32],
}

impl Frame<'_> {
    /// Collects the inter-edges between children, and finds the parts of `count` nodes, of which the first `kept` are nodes of
    /// the cluster itself.
    fn find_parts(&self, count: usize, kept: usize, parts: &mut Parts) {
        let Self { view, level, place, .. } = *self;
        let Parts { sets, members, kept: own, seats, edges, joins } = parts;
        sets.reset(count);
        edges.clear();
        joins.clear();
        joins.resize(count, view.local.is_any_angle());
        let starts = self.starts();
        for &(child, start) in &starts {
            let costs = view.costs(level - 1, child);
            for ranks in costs.members() {
                let places = ranks.iter().map(|&rank| place[start + rank]);
                let mut places = places.filter(|&place| place != LEFT_OUT);
                if let Some(first) = places.next() {
                    places.for_each(|place| sets.join(first, place));
                }
            }
            for from in (0..costs.count()).filter(|&from| place[start + from] != LEFT_OUT) {
                view.for_each_way_out(costs.node(from), level - 1, |head, first, cost| {
                    let other = view.layout.ancestor(level - 1, first);
                    let Some(&(_, other_start)) = starts.iter().find(|&&(cluster, _)| cluster == other)
                    else {
                        return; // leads out of the cluster
                    };
                    let Some(rank) = view.costs(level - 1, other).rank_from(head, 0) else { return };
                    let (from, to) = (place[start + from], place[other_start + rank]);
                    if to == LEFT_OUT {
                        return; // a forged record: inter-edges lead both ways
                    }
                    joins[from as usize] = true;
                    sets.join(from, to);
                    edges.push((from, to, cost.units()));
                });
            }
        }
        members.clear();
        own.clear();
        seats.clear();
        let mut part_of = vec![NO_PART; count];
        for position in 0..count as u32 {
            let root = sets.root(position) as usize;
            if part_of[root] == NO_PART && (position as usize) < kept {
                part_of[root] = members.len() as u32;
                members.push(Vec::new());
                own.push(0);
            }
            let part = part_of[root];
            let Some(members) = members.get_mut(part as usize) else {
                seats.push((NO_PART, 0));
                continue;
            };
            seats.push((part, members.len() as u32));
            members.push(position);
            own[part as usize] += usize::from((position as usize) < kept);
        }
    }

    /// The children, and where the places of their nodes begin.
    fn starts(&self) -> Vec<(ClusterId, usize)> {
        let mut start = 0;
        let children = self.view.layout.children(self.level, self.cluster);
        let starts = children.map(|child| {
            let begin = start;
            start += self.view.costs(self.level - 1, child).count();
            (child, begin)
        });
        starts.collect()
    }

    /// Fills the matrices with the shortest distances between those nodes of each part that are nodes of the cluster itself.
    /// Returns false if their numbers may be too small for them.
    fn find_distances<D: Distance>(&self, parts: &Parts, matrices: &mut Vec<Matrix<D>>) -> bool {
        matrices.resize_with(matrices.len().max(parts.members.len()), Matrix::default);
        self.fill(parts, matrices)
            && parts.members.iter().zip(&parts.kept).zip(matrices).all(|((members, &kept), matrix)| {
                matrix.eliminate(kept, |node| parts.joins[members[node] as usize])
            })
    }

    fn records<D: Distance>(
        &self,
        nodes: &[(u32, Cell)],
        parts: &Parts,
        matrices: &[Matrix<D>],
    ) -> Crossings {
        let own = parts.members.iter().zip(&parts.kept).map(|(members, &kept)| {
            members[..kept].iter().map(|&position| position as usize).collect::<Vec<_>>()
        });
        let own: Vec<_> = own.collect();
        let kept = parts.kept.iter().sum();
        // Of two nodes of the cluster itself.
        let find = |one: usize, other: usize| {
            let ((part, one), (other_part, other)) = (parts.seats[one], parts.seats[other]);
            (part == other_part).then_some((part as usize, one as usize, other as usize))
        };
        let units = |from, to| {
            find(from, to).map_or(UNREACHABLE, |(part, from, to)| {
                let matrix = &matrices[part];
                matrix.distances[matrix.at(from, to)].units()
            })
        };
        let half = self.view.keep_ways.halves(self.level);
        let costs = Costs::encode_members(&nodes[..kept], &own, half, &units);
        if !self.view.keeps_stops() {
            return Crossings { costs, stops: Vec::new() };
        }
        let stops = Stops::encode(Costs::new(&costs), nodes, |(from, to), stops| {
            if let Some((part, from, to)) = find(from, to) {
                let members = &parts.members[part];
                matrices[part].for_each_stop(from, to, &mut |stop| stops.push(members[stop]));
            }
        });
        Crossings { costs, stops }
    }

    /// Writes the edges of the level below into the matrices. Returns false if a cost is too large for them.
    fn fill<D: Distance>(&self, parts: &Parts, matrices: &mut [Matrix<D>]) -> bool {
        for (members, matrix) in parts.members.iter().zip(&mut *matrices) {
            matrix.reset(members.len());
        }
        let mut put = |one: u32, other: u32, distance: D| {
            let ((part, one), (other_part, other)) = (parts.seats[one as usize], parts.seats[other as usize]);
            // Both nodes of an edge are in the same part, but for forged records.
            if part != NO_PART && part == other_part {
                let matrix = &mut matrices[part as usize];
                let at = matrix.at(one as usize, other as usize);
                matrix.distances[at] = matrix.distances[at].min(distance);
            }
            distance <= D::SAFE
        };
        let mut fits = true;
        for (child, start) in self.starts() {
            let costs = self.view.costs(self.level - 1, child);
            for from in (0..costs.count()).filter(|&from| self.place[start + from] != LEFT_OUT) {
                costs.row(from).for_each_lower(|to, cost| {
                    if self.place[start + to] != LEFT_OUT {
                        let distance = D::from_units(cost.units());
                        fits &= put(self.place[start + from], self.place[start + to], distance);
                    }
                });
            }
        }
        for &(from, to, cost) in &parts.edges {
            put(from, to, D::from_units(cost));
        }
        fits
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

    /// Position of a pair of different nodes.
    fn at(&self, one: usize, other: usize) -> usize {
        one.max(other) * self.count + one.min(other)
    }

    /// Eliminates the nodes from `kept` on and leaves the shortest distances
    /// between the others, through those that an inter-edge `joins`, too. The order is fixed, so that of several equally short
    /// ways the same one is kept on every build. Returns false if a sum may have been too large.
    fn eliminate(&mut self, kept: usize, joins: impl Fn(usize) -> bool) -> bool {
        let mut passage = Passage::default();
        (kept..self.count).rev().all(|gone| self.pass_through(gone, gone, &mut passage))
            && (0..kept).filter(|&node| joins(node)).all(|node| self.pass_through(node, kept, &mut passage))
    }

    /// Offers every pair of the first `among` nodes the way through `node`. Returns false if the
    /// sums may be too large.
    fn pass_through(&mut self, node: usize, among: usize, passage: &mut Passage<D>) -> bool {
        passage.begin((0..among).map(|other| {
            if other == node { D::from_units(0) } else { self.distances[self.at(node, other)] }
        }));
        let Passage { through, spans } = passage;
        if through.iter().any(|&distance| distance > D::SAFE && distance < D::NONE) {
            return false;
        }
        for (last, rows) in spans.iter().enumerate() {
            for from in rows.clone().filter(|&from| from != node && through[from] < D::NONE) {
                let (row, to_node) = (from * self.count, through[from]);
                for span in &spans[..=last] {
                    let columns = span.start..span.end.min(from);
                    let distances = self.distances[row..][columns.clone()].iter_mut();
                    let via = self.via[row..][columns.clone()].iter_mut();
                    for ((here, via), &onward) in distances.zip(via).zip(&through[columns]) {
                        (*here, *via) = D::shorter((*here, *via), (to_node.plus(onward), node as u32));
                    }
                }
            }
        }
        true
    }

    /// Calls `visit` with every node on the way between two nodes, in order.
    fn for_each_stop(&self, from: usize, to: usize, visit: &mut impl FnMut(usize)) {
        let via = self.via[self.at(from, to)];
        if via != DIRECT {
            let via = via as usize;
            self.for_each_stop(from, via, visit);
            visit(via);
            self.for_each_stop(via, to, visit);
        }
    }
}

/// The ways through one node.
struct Passage<D> {
    /// The distances from it, by node.
    through: Vec<D>,
    /// The nodes that it may be joined to.
    spans: Vec<Range<usize>>,
}

impl<D> Default for Passage<D> {
    fn default() -> Self {
        Self { through: Vec::new(), spans: Vec::new() }
    }
}

impl<D: Distance> Passage<D> {
    /// Nodes of a span are looked at this many at a time.
    const STRIDE: usize = 16;

    fn begin(&mut self, distances: impl Iterator<Item = D>) {
        self.through.clear();
        self.through.extend(distances);
        self.spans.clear();
        for (at, part) in self.through.chunks(Self::STRIDE).enumerate() {
            if part.iter().any(|&distance| distance < D::NONE) {
                let span = at * Self::STRIDE..at * Self::STRIDE + part.len();
                match self.spans.last_mut() {
                    Some(last) if last.end == span.start => last.end = span.end,
                    _ => self.spans.push(span),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of nodes, joined by steps of this length; the first two stay.
    fn chain<D: Distance>(count: usize, step: u64) -> (Matrix<D>, bool) {
        let mut matrix = Matrix::default();
        matrix.reset(count);
        // The ends are 0 and 1, and the others lie between them in order.
        let order: Vec<usize> = [0].into_iter().chain(2..count).chain([1]).collect();
        for pair in order.windows(2) {
            let at = matrix.at(pair[0], pair[1]);
            matrix.distances[at] = D::from_units(step);
        }
        let fits = matrix.eliminate(2, |_| false);
        (matrix, fits)
    }

    #[test]
    fn distances_that_do_not_fit_are_noticed() {
        for (count, step) in [(10, 5000), (100, 5_000_000), (3, NARROW_LIMIT / 2 - 1)] {
            let (narrow, fits) = chain::<i32>(count, step);
            let (wide, wide_fits) = chain::<u64>(count, step);
            let total = step * (count as u64 - 1);
            assert!(fits && wide_fits, "{count} nodes, steps of {step}");
            assert_eq!(narrow.distances[narrow.at(0, 1)].units(), total);
            assert_eq!(wide.distances[wide.at(0, 1)].units(), total);
            assert_eq!(narrow.via, wide.via);
        }
        for (count, step) in [(1000, 5_000_000), (3, NARROW_LIMIT / 2), (4, NARROW_LIMIT / 3)] {
            assert!(!chain::<i32>(count, step).1, "{count} nodes, steps of {step}");
            let (wide, fits) = chain::<u64>(count, step);
            assert!(fits);
            assert_eq!(wide.distances[wide.at(0, 1)].units(), step * (count as u64 - 1));
        }
    }
}
