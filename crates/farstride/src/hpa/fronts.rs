//! How the main search gets through clusters: only where it comes cheaper than before.

use super::graphs::{Position, QueryGraph};
use super::hierarchy::MAX_LEVELS;
use super::tables::Row;
use crate::base::{Cost, NodeId};
use crate::graph::Graph;
use crate::search::{Rule, SearchTree};
use std::cell::RefCell;

/// For each cluster that a search has entered, its *front*: the cost at which each node of the
/// cluster has been reached through it so far.
///
/// A search enters a cluster by many nodes, one after the other, and most of what it reaches from
/// a later one was reached more cheaply from an earlier one. A front lies in one piece, so a few vector
/// instructions find the rest; nodes lie scattered in the search tree.
#[derive(Debug, Default)]
pub(super) struct Fronts {
    search: u32,
    /// Where the clusters of each level begin in `clusters`.
    levels: [usize; MAX_LEVELS],
    /// The search that last entered a cluster, and the number of its front.
    clusters: Vec<(u32, u32)>,
    list: Vec<Front>,
    costs: Vec<i32>,
    /// Ranks of the nodes that were reached more cheaply than before, from the node that is
    /// being expanded.
    improved: Vec<u16>,
    /// Memory to put a row of costs together in.
    row: Vec<[u8; 4]>,
}

#[derive(Clone, Copy, Debug)]
struct Front {
    /// What is subtracted from the costs, which would not fit otherwise.
    base: u64,
    /// Position of the first cost.
    at: usize,
}

/// The largest cost that fronts can tell from others. Beyond, they let everything pass.
const MOST: u32 = (1 << 30) - 1;
/// The cost of a node that was not reached.
const UNREACHED: i32 = i32::MAX;
/// Lanes handled together.
const LANES: usize = 8;

impl Fronts {
    /// Forgets everything, before a search of a hierarchy.
    pub(super) fn begin(&mut self, graph: &QueryGraph<'_>) {
        let layout = graph.view.layout;
        let mut count = 0;
        for level in 1..=layout.level_count() {
            self.levels[usize::from(level) - 1] = count;
            count += layout.count(level);
        }
        if self.search == u32::MAX || self.clusters.len() < count {
            self.clusters = vec![(0, 0); count];
            self.search = 0;
        }
        self.search += 1;
        self.list.clear();
        self.costs.clear();
    }

    /// Makes the front of the start's 1-cluster: ways that come back to it are seldom cheaper. If the
    /// goal is in that cluster, only ways that come back reach it, so there is no front.
    fn leave_start(&mut self, graph: &QueryGraph<'_>) {
        self.improved.clear();
        let start = graph.start;
        if start.cluster(1) == graph.goal.cluster(1) {
            return;
        }
        let costs = (0..start.node_count(1)).map(|rank| {
            let cost = start.cost(1, rank).and_then(|cost| u32::try_from(cost.units()).ok());
            cost.filter(|&cost| cost <= MOST).map_or(UNREACHED, |cost| cost as i32)
        });
        self.improved.extend(0..start.node_count(1) as u16);
        let front = self.costs.len();
        self.costs.extend(costs);
        self.clusters[start.cluster(1) as usize] = (self.search, self.list.len() as u32);
        self.list.push(Front { base: 0, at: front });
    }

    /// Moves the front of a cluster that is entered at cost `g` on; `row` has the costs from there to
    /// its nodes.
    fn advance(&mut self, Position { level, cluster, .. }: Position, g: Cost, row: Row<'_>) {
        self.improved.clear();
        let Some(row) = row.narrow(&mut self.row) else {
            self.improved.extend(0..row.count() as u16);
            return;
        };
        let entered = &mut self.clusters[self.levels[usize::from(level) - 1] + cluster as usize];
        if entered.0 != self.search {
            *entered = (self.search, self.list.len() as u32);
            self.list.push(Front { base: g.units(), at: self.costs.len() });
            self.costs.resize(self.costs.len() + row.len(), UNREACHED);
        }
        let Front { base, at } = self.list[entered.1 as usize];
        match i32::try_from(g.units().wrapping_sub(base).cast_signed()) {
            Ok(later) if later.unsigned_abs() <= MOST => {
                advance(&mut self.costs[at..], row, later, &mut self.improved);
            }
            _ => self.improved.extend(0..row.len() as u16),
        }
    }
}

/// Moves a front on, and writes the ranks where it is cheaper than before to `improved`. `row` has
/// costs as in the table, `later` what all of them are dearer by.
fn advance(front: &mut [i32], row: &[[u8; 4]], later: i32, improved: &mut Vec<u16>) {
    improved.clear();
    improved.resize(row.len() + LANES, 0);
    let mut count = 0;
    let mut rank = 0;
    while let Some(block) = row.get(rank..).and_then(<[_]>::first_chunk::<LANES>)
        && let Some(front) = front.get_mut(rank..).and_then(<[_]>::first_chunk_mut::<LANES>)
    {
        let mut cheaper = [0; LANES];
        for lane in 0..LANES {
            let (cost, passes) = cost_of(block[lane], later);
            cheaper[lane] = passes | u32::from(cost < front[lane]);
            front[lane] = front[lane].min(cost);
        }
        if cheaper.iter().fold(0, |any, &cheaper| any | cheaper) != 0 {
            // Without a branch for each: they would often be mispredicted.
            for (at, cheaper) in (rank..).zip(cheaper) {
                improved[count] = at as u16;
                count += cheaper as usize;
            }
        }
        rank += LANES;
        // The last block overlaps the one before: what that has done is not done again, but for costs
        // that always pass.
        if rank < row.len() && row.len() < rank + LANES {
            rank = row.len() - LANES;
        }
    }
    if row.len() < LANES {
        for ((rank, cost), front) in (0..).zip(row).zip(front) {
            let (cost, passes) = cost_of(*cost, later);
            improved[count] = rank;
            count += (passes | u32::from(cost < *front)) as usize;
            *front = cost.min(*front);
        }
    }
    improved.truncate(count);
}

/// A cost of a row as one of a front, and 1 if it is too high to tell it from others.
#[inline]
fn cost_of(bytes: [u8; 4], later: i32) -> (i32, u32) {
    let cost = u32::from_le_bytes(bytes);
    let is_high = cost > MOST;
    // Without a way, a cost has all bits set.
    let passes = u32::from(is_high) & u32::from(cost != u32::MAX);
    let cost = if is_high { UNREACHED } else { cost as i32 + later };
    (cost, passes)
}

/// The rule of a climbing search: a node's parent is the node whose expansion reached it, and arcs
/// that lead out of a cluster by a node that was reached as cheaply before are left out.
pub(super) struct AlongFronts<'a> {
    pub(super) fronts: &'a RefCell<Fronts>,
}

impl<'a> Rule<QueryGraph<'a>> for AlongFronts<'_> {
    /// The expanded node and its g.
    type Offer = (NodeId, Cost);

    #[inline]
    fn offer(&self, graph: &QueryGraph<'a>, tree: &mut SearchTree, node: NodeId) -> Self::Offer {
        let g = tree.g(graph.index(node));
        let mut fronts = self.fronts.borrow_mut();
        match graph.entered(node) {
            Some(position) => fronts.advance(position, g, graph.row(position)),
            None if node == graph.start_node() => fronts.leave_start(graph),
            None => fronts.improved.clear(),
        }
        (node, g)
    }

    #[inline]
    fn for_each_spared(
        &self,
        graph: &QueryGraph<'a>,
        &(node, _): &Self::Offer,
        visit: impl FnMut(NodeId, Cost),
    ) {
        graph.for_each_spared_by(node, &self.fronts.borrow().improved, visit);
    }

    #[inline]
    fn for_each_arc(
        &self,
        graph: &QueryGraph<'a>,
        &(node, _): &Self::Offer,
        visit: impl FnMut(NodeId, Cost),
    ) {
        graph.for_each_arc_by(node, &self.fronts.borrow().improved, visit);
    }

    #[inline]
    fn relax(
        &self,
        &(node, g): &Self::Offer,
        _: &SearchTree,
        _: usize,
        _: NodeId,
        step: Cost,
    ) -> Option<(NodeId, Cost)> {
        Some((node, g + step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farstride_testkit::SplitMix64;

    /// Moves a front on and compares with a plain list of the least costs so far.
    fn check(rows: &[(i32, Vec<u32>)]) {
        let mut front = vec![UNREACHED; rows[0].1.len()];
        let mut least = vec![None::<i64>; front.len()];
        let mut improved = Vec::new();
        for (later, row) in rows {
            let bytes: Vec<[u8; 4]> = row.iter().map(|cost| cost.to_le_bytes()).collect();
            improved.clear();
            advance(&mut front, &bytes, *later, &mut improved);
            for (rank, &cost) in row.iter().enumerate() {
                let is_improved = improved.contains(&(rank as u16));
                if cost == u32::MAX {
                    assert!(!is_improved, "no way to {rank}");
                    continue;
                }
                let cost = i64::from(cost) + i64::from(*later);
                let is_cheaper = least[rank].is_none_or(|least| cost < least);
                let is_high = row[rank] > MOST;
                assert_eq!(is_improved, is_cheaper || is_high, "{rank} at {cost}, {:?} before", least[rank]);
                if !is_high && is_cheaper {
                    least[rank] = Some(cost);
                }
            }
        }
    }

    #[test]
    fn a_front_moves_on_where_it_gets_cheaper() {
        let mut random = SplitMix64::new(5);
        for count in [1, 7, 8, 9, 40, 63] {
            let rows = (0..50).map(|_| {
                let later = random.below(2_000) as i32 - 1_000;
                (later, (0..count).map(|_| random.below(3_000) as u32).collect())
            });
            check(&rows.collect::<Vec<_>>());
        }
    }

    #[test]
    fn costs_that_are_too_high_always_pass_and_none_overflows() {
        let far = MOST as i32;
        let row = vec![0, 1, MOST - 1, MOST, MOST + 1, u32::MAX - 1, u32::MAX, 1 << 31, 5, u32::MAX];
        let rows: Vec<_> = [far, 0, -far, far, 1, -1].into_iter().map(|later| (later, row.clone())).collect();
        check(&rows);
    }
}
