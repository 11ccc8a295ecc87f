//! The main search of a query that climbs: it moves fronts through clusters, and only where it comes
//! cheaper than before.

use super::graphs::{Position, QueryGraph, QueryTarget};
use super::hierarchy::{Exits, MAX_LEVELS, View};
use super::layout::ClusterId;
use super::tables::{Costs, Row};
use crate::base::{Cell, Cost, Node, NodeId};
use crate::search::{HeapQueue, Observer, OpenList, PriorState, SearchStatus, Target, WideQueue};
use std::collections::HashMap;

/// A search that notes what it reaches cluster by cluster, and goes on only from what may matter.
///
/// Crossing a cluster reaches hundreds of nodes, and few of them lie on a way that is worth following. All that is
/// noted of the others is their cost in the *front* of the cluster, and that they *wait*: what leads on from
/// them is looked at when the search has come to estimates as high as theirs. There is no search tree, whose nodes
/// would lie scattered in memory: whether an arrival at a node is cheaper than before is looked at when it comes
/// out of the open list, and the front of the cluster that it enters tells.
#[derive(Debug, Default)]
pub(super) struct FrontSearch {
    fronts: Fronts,
    /// Everything that was put into the open list, which holds positions here.
    arrivals: Vec<Arrival>,
    /// The cheapest arrival at the goal.
    at_goal: Option<u32>,
    waiting: Vec<Waiting>,
    /// What waits has a higher f, what is in the open list has none higher.
    limit: Cost,
    /// What the limit is raised by next.
    raise: Cost,
    /// The open list of an exact search, and of an eager one. Ties go by the order of arrivals.
    open: HeapQueue,
    eager_open: WideQueue,
}

/// A node as the end of one path.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    g: Cost,
    node: u32,
    /// The arrival by which the cluster before was entered; of the start, itself.
    before: u32,
}

/// Something to go on from later.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    f: Cost,
    what: Ready,
}

/// Something to go on from.
#[derive(Clone, Copy, Debug)]
enum Ready {
    /// An arrival at a node.
    Arrived(u32),
    /// A node by which a cluster is left that was entered by the arrival `before`.
    Leaving { before: u32, front: u32, spot: u16, cost: i32 },
}

/// The first limit exceeds the first estimate by one part in this many of it, at least by [`LEAST_RAISE`]. Later limits exceed
/// the least f that waits by as much, then by twice as much, and so on.
const RAISE_PARTS: u64 = 32;
const LEAST_RAISE: Cost = Cost::from_units(16 * 5000);

impl FrontSearch {
    /// Starts a search at the start of the query.
    pub(super) fn begin(
        &mut self,
        target: &QueryTarget<'_>,
        is_eager: bool,
        observer: &mut impl Observer<NodeId>,
    ) {
        let start = target.graph.start_node();
        self.fronts.begin(target.graph);
        self.at_goal = None;
        self.waiting.clear();
        self.arrivals.clear();
        self.arrivals.push(Arrival { g: Cost::ZERO, node: start.pack(), before: 0 });
        let h = target.estimate(start);
        self.raise = Cost::from_units(h.units() / RAISE_PARTS).max(LEAST_RAISE);
        self.limit = h + self.raise;
        if is_eager {
            self.eager_open.start(h, h, 0);
        } else {
            self.open.start(h, h, 0);
        }
        observer.begun();
        observer.improved(start, Cost::ZERO, PriorState::Unseen);
    }

    /// Expands up to `budget` nodes. If the goal is reached, the nodes at which clusters are entered on the way
    /// come to `nodes`, with start and goal, and the cost is returned.
    ///
    /// Budgets count neither arrivals that turn out to be too dear nor what need not wait any longer.
    pub(super) fn advance(
        &mut self,
        target: &QueryTarget<'_>,
        is_eager: bool,
        budget: u64,
        nodes: &mut Vec<NodeId>,
        observer: &mut impl Observer<NodeId>,
    ) -> SearchStatus<Cost> {
        let Self { fronts, arrivals, at_goal, waiting, limit, raise, open, eager_open } = self;
        let progress = if is_eager {
            let open = eager_open;
            Expansion { target, fronts, arrivals, at_goal, waiting, limit, raise, open, observer }
                .advance(budget)
        } else {
            Expansion { target, fronts, arrivals, at_goal, waiting, limit, raise, open, observer }
                .advance(budget)
        };
        if let SearchStatus::Reached(end) = progress {
            nodes.clear();
            let mut at = end;
            loop {
                let Arrival { node, before, .. } = self.arrivals[at as usize];
                nodes.push(NodeId::new(node));
                if before == at {
                    break;
                }
                at = before;
            }
            nodes.reverse();
            return SearchStatus::Reached(self.arrivals[end as usize].g);
        }
        if matches!(progress, SearchStatus::Paused) { SearchStatus::Paused } else { SearchStatus::Exhausted }
    }
}

/// What a search works with while it expands nodes.
struct Expansion<'a, 'g, Q, O> {
    target: &'a QueryTarget<'g>,
    fronts: &'a mut Fronts,
    arrivals: &'a mut Vec<Arrival>,
    at_goal: &'a mut Option<u32>,
    waiting: &'a mut Vec<Waiting>,
    limit: &'a mut Cost,
    raise: &'a mut Cost,
    open: &'a mut Q,
    observer: &'a mut O,
}

impl<Q: OpenList, O: Observer<NodeId>> Expansion<'_, '_, Q, O> {
    /// Expands up to `budget` nodes; returns the cheapest arrival at the goal once one comes out of the open list.
    fn advance(&mut self, budget: u64) -> SearchStatus<u32> {
        let graph = self.target.graph;
        for _ in 0..budget {
            let mut is_expanded = false;
            while !is_expanded {
                let Some(at) = self.open.pop() else {
                    if self.waiting.is_empty() {
                        return SearchStatus::Exhausted;
                    }
                    self.raise_limit();
                    continue;
                };
                let Arrival { node, g, .. } = self.arrivals[at as usize];
                let node = NodeId::new(node);
                if node == graph.goal_node() {
                    self.observer.expanded(node, g);
                    return SearchStatus::Reached(self.at_goal.unwrap_or(at));
                }
                is_expanded = self.expand(at, node, g);
            }
        }
        SearchStatus::Paused
    }

    /// Raises the limit, so far that something need not wait any longer.
    fn raise_limit(&mut self) {
        let least = self.waiting.iter().map(|waiting| waiting.f).min().unwrap_or(Cost::MAX);
        *self.limit = least.max(*self.limit) + *self.raise;
        *self.raise = *self.raise + *self.raise;
        let (mut kept, count) = (0, self.waiting.len());
        for at in 0..count {
            let Waiting { f, what } = self.waiting[at];
            match what {
                _ if f > *self.limit => {
                    self.waiting[kept] = self.waiting[at];
                    kept += 1;
                }
                Ready::Arrived(arrival) => {
                    let Arrival { node, g, before } = self.arrivals[arrival as usize];
                    self.resume(before);
                    self.open.push(f, f.less(g), arrival);
                    self.observer.improved(NodeId::new(node), g, PriorState::Unseen);
                }
                Ready::Leaving { before, front, spot, cost } => {
                    let (g, now) = self.fronts.reached(front, spot.into());
                    // Otherwise it was reached more cheaply since.
                    if now == cost {
                        let Front { level, cluster, .. } = self.fronts.list[front as usize];
                        let view = self.target.graph.view;
                        let rank = view.costs(level, cluster).rank_on(spot.into());
                        self.resume(before);
                        self.leave(before, g, view.exits(level, cluster), rank);
                    }
                }
            }
        }
        // What was added meanwhile waits, too.
        self.waiting.drain(kept..count);
    }

    /// Tells that what follows comes from an arrival that was expanded before.
    #[inline]
    fn resume(&mut self, at: u32) {
        if !O::LISTENS {
            return;
        }
        let Arrival { node, g, .. } = self.arrivals[at as usize];
        self.observer.resumed(NodeId::new(node), g);
    }

    /// Expands an arrival; returns whether it was worth it.
    #[inline]
    fn expand(&mut self, at: u32, node: NodeId, g: Cost) -> bool {
        let graph = self.target.graph;
        if node == graph.start_node() {
            self.observer.expanded(node, g);
            self.fronts.leave_start(graph);
            graph.for_each_way_from_start(|head, cost| self.arrive(at, head, g + cost, graph.cell(head)));
            return true;
        }
        let position = graph.entered(node);
        if position.is_some_and(|position| self.fronts.has_reached(graph.view, position, g)) {
            return false;
        }
        if let Some(cost) = graph.straight_to_goal(node.pack()) {
            self.observer.expanded(node, g);
            self.arrive(at, graph.goal_node(), g + cost, graph.goal.cell);
            return true;
        }
        let Some(position) = position else { return false };
        let Position { level, cluster, rank } = position;
        let costs = graph.view.costs(level, cluster);
        let row = costs.row(rank);
        let Some(front) = self.fronts.advance(node, position, g, (costs.count(), row)) else { return false };
        self.observer.expanded(node, g);
        graph.for_each_goal_arc(node.pack(), |goal, cost| self.arrive(at, goal, g + cost, graph.goal.cell));
        let exits = graph.view.exits(level, cluster);
        let Reached::Front(front) = front else {
            row.for_each(|rank, cost| self.leave(at, g + cost, exits, rank));
            return true;
        };
        self.choose_exits(at, front, (costs, row));
        let leaving = std::mem::take(&mut self.fronts.leaving);
        for &(exit, g) in &leaving {
            let exit = usize::from(exit);
            if exit == rank && self.leads_back(g, exits, exit) {
                exits.for_each_at(exit, |head, _, _| self.observer.generated(NodeId::new(head)));
            } else {
                self.leave(at, g, exits, exit);
            }
        }
        self.fronts.leaving = leaving;
        true
    }

    /// Sorts out which of the nodes that a front has reached more cheaply than before are left at once, which wait, and which lead nowhere.
    fn choose_exits(&mut self, before: u32, front: u32, (costs, row): (Costs<'_>, Row<'_>)) {
        let Fronts { list, costs: reached, improved, leaving, .. } = &mut *self.fronts;
        let Front { base, at, level, cluster } = list[front as usize];
        let graph = self.target.graph;
        let dead_ends = graph.view.dead_ends(level, cluster);
        let first = row.spots().start;
        let reached = &reached[at + first..][..row.spots().len()];
        leaving.clear();
        for &member in &*improved {
            let spot = first + usize::from(member);
            let rank = row.rank_on(spot);
            let cell = costs.cell(rank);
            if dead_ends.get(rank).is_some_and(|&dead_from| graph.is_needless_exit(dead_from, cell)) {
                continue;
            }
            let cost = reached[usize::from(member)];
            let g = Cost::from_units(base.wrapping_add_signed(cost.into()));
            let f = g + self.target.estimate_at(cell);
            if f > *self.limit {
                let what = Ready::Leaving { before, front, spot: spot as u16, cost };
                self.waiting.push(Waiting { f, what });
            } else {
                leaving.push((rank as u16, g));
            }
        }
    }

    /// Leaves a cluster by one of its nodes.
    #[inline]
    fn leave(&mut self, before: u32, g: Cost, exits: Exits<'_>, rank: usize) {
        let graph = self.target.graph;
        exits.for_each_at(rank, |head, cost, cell| {
            let head = NodeId::new(head);
            self.arrive(before, head, g + cost, cell.unwrap_or_else(|| graph.cell(head)));
        });
    }

    /// Whether all nodes beyond a node have been reached before, as they mostly are beyond the one by which a cluster was
    /// entered.
    fn leads_back(&self, g: Cost, exits: Exits<'_>, rank: usize) -> bool {
        let graph = self.target.graph;
        let mut leads_back = true;
        exits.for_each_at(rank, |head, cost, _| {
            let position = graph.entered(NodeId::new(head));
            leads_back &=
                position.is_some_and(|position| self.fronts.has_reached(graph.view, position, g + cost));
        });
        leads_back
    }

    /// Adds an arrival at a node on a cell.
    #[inline]
    fn arrive(&mut self, before: u32, node: NodeId, g: Cost, cell: Cell) {
        self.observer.generated(node);
        if g > Cost::MAX {
            return;
        }
        let at = self.arrivals.len() as u32;
        if node == self.target.graph.goal_node() {
            if self.at_goal.is_some_and(|best| self.arrivals[best as usize].g <= g) {
                return;
            }
            *self.at_goal = Some(at);
        }
        self.arrivals.push(Arrival { g, node: node.pack(), before });
        let h = self.target.estimate_at(cell);
        if g + h > *self.limit {
            self.waiting.push(Waiting { f: g + h, what: Ready::Arrived(at) });
        } else {
            self.open.push(g + h, h, at);
            self.observer.improved(node, g, PriorState::Unseen);
        }
    }
}

/// For each cluster that a search has entered, its *front*: the cost at which each node of the
/// cluster has been reached through it so far.
///
/// A search enters a cluster by many nodes, one after the other, and most of what it reaches from
/// a later one was reached more cheaply from an earlier one. A front lies in one piece, so a few vector
/// instructions find the rest.
#[derive(Debug, Default)]
struct Fronts {
    search: u32,
    /// Where the clusters of each level begin in `clusters`.
    levels: [usize; MAX_LEVELS],
    /// The search that last entered a cluster, and the number of its front.
    clusters: Vec<(u32, u32)>,
    list: Vec<Front>,
    /// By front and spot.
    costs: Vec<i32>,
    /// Positions in their island of the nodes that were reached more cheaply than before, from the node that is
    /// being expanded.
    improved: Vec<u16>,
    /// Those of them that are left at once, by rank, and their costs.
    leaving: Vec<(u16, Cost)>,
    /// Memory to put a row of costs together in.
    row: Vec<[u8; 4]>,
    /// The cost at which nodes were expanded that fronts cannot tell anything about.
    expanded: HashMap<u32, Cost>,
}

#[derive(Clone, Copy, Debug)]
struct Front {
    /// What is subtracted from the costs, which would not fit otherwise; may wrap around.
    base: u64,
    /// Position of the first cost.
    at: usize,
    level: u8,
    cluster: ClusterId,
}

/// What an expanded node reached.
enum Reached {
    /// What improved in the front of this number.
    Front(u32),
    /// Everything: costs are too high for a front.
    All,
}

/// The cost of a node that was not reached.
const UNREACHED: i32 = i32::MAX;
/// The node by which a cluster is first entered has half the highest cost in its front, because later ones may
/// have a lower one.
const FIRST: u64 = Costs::MOST as u64 / 2;
/// Lanes handled together.
const LANES: usize = 8;

impl Fronts {
    /// Forgets everything, before a search of a hierarchy.
    fn begin(&mut self, graph: &QueryGraph<'_>) {
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
        self.expanded.clear();
    }

    /// Makes the front of the start's 1-cluster: ways that come back to it are seldom cheaper. If the
    /// goal is in that cluster, only ways that come back reach it, so there is no front.
    fn leave_start(&mut self, graph: &QueryGraph<'_>) {
        let start = graph.start;
        if start.cluster(1) == graph.goal.cluster(1) {
            return;
        }
        let nodes = graph.view.costs(1, start.cluster(1));
        let costs = (0..start.node_count(1)).map(|spot| {
            let cost = start.cost(1, nodes.rank_on(spot)).and_then(|cost| u32::try_from(cost.units()).ok());
            cost.filter(|&cost| cost <= Costs::MOST).map_or(UNREACHED, |cost| cost as i32)
        });
        let front = self.costs.len();
        self.costs.extend(costs);
        self.clusters[start.cluster(1) as usize] = (self.search, self.list.len() as u32);
        self.list.push(Front { base: 0, at: front, level: 1, cluster: start.cluster(1) });
    }

    /// Whether a node has been reached through its cluster at this cost or less. Then no other is reached more cheaply from
    /// it, if ways through a cluster are the shortest; those of Theta* nearly are.
    #[inline]
    fn has_reached(&self, view: &View<'_>, Position { level, cluster, rank }: Position, g: Cost) -> bool {
        let entered = self.clusters[self.levels[usize::from(level) - 1] + cluster as usize];
        if entered.0 != self.search {
            return false;
        }
        let Front { base, at, .. } = self.list[entered.1 as usize];
        let later = g.units().wrapping_sub(base).cast_signed();
        let cost = self.costs.get(at + view.spot(level, cluster, rank)).copied().unwrap_or(UNREACHED);
        cost < UNREACHED && i64::from(cost) <= later
    }

    /// Moves the front of a cluster of `count` nodes on that is entered at a node at cost `g`; `row` has the costs from
    /// there. `None` if there is nothing to gain.
    fn advance(
        &mut self,
        node: NodeId,
        Position { level, cluster, .. }: Position,
        g: Cost,
        (count, row): (usize, Row<'_>),
    ) -> Option<Reached> {
        let entered = &mut self.clusters[self.levels[usize::from(level) - 1] + cluster as usize];
        if entered.0 != self.search {
            *entered = (self.search, self.list.len() as u32);
            self.list.push(Front {
                base: g.units().wrapping_sub(FIRST),
                at: self.costs.len(),
                level,
                cluster,
            });
            self.costs.resize(self.costs.len() + count, UNREACHED);
        }
        let number = entered.1;
        let Front { base, at, .. } = self.list[number as usize];
        let later = g.units().wrapping_sub(base);
        let first = at + row.spots().start;
        if (1..=Costs::MOST.into()).contains(&later)
            && let Some(row) = row.narrow(&mut self.row)
        {
            advance(&mut self.costs[first..], row, later as i32, &mut self.improved);
            return Some(Reached::Front(number));
        }
        if self.expanded.get(&node.pack()).is_some_and(|&before| before <= g) {
            return None;
        }
        self.expanded.insert(node.pack(), g);
        Some(Reached::All)
    }

    /// The cost of a node of a front, and as the front has it.
    #[inline]
    fn reached(&self, front: u32, spot: usize) -> (Cost, i32) {
        let Front { base, at, .. } = self.list[front as usize];
        let cost = self.costs[at + spot];
        (Cost::from_units(base.wrapping_add_signed(cost.into())), cost)
    }
}

/// Moves a front on, and writes the positions where it is cheaper than before to `improved`. `row` has
/// costs as in the table, `later` what all of them are dearer by, 1 to [`Costs::MOST`].
fn advance(front: &mut [i32], row: &[[u8; 4]], later: i32, improved: &mut Vec<u16>) {
    improved.clear();
    improved.resize(row.len() + LANES, 0);
    let mut count = 0;
    let mut at = 0;
    while let Some(block) = row.get(at..).and_then(<[_]>::first_chunk::<LANES>)
        && let Some(front) = front.get_mut(at..).and_then(<[_]>::first_chunk_mut::<LANES>)
    {
        let mut cheaper = [0; LANES];
        for lane in 0..LANES {
            let cost = cost_of(block[lane], later);
            cheaper[lane] = u32::from(cost < front[lane]);
            front[lane] = front[lane].min(cost);
        }
        if cheaper.iter().fold(0, |any, &cheaper| any | cheaper) != 0 {
            // Without a branch for each: they would often be mispredicted.
            for (position, cheaper) in (at..).zip(cheaper) {
                improved[count] = position as u16;
                count += cheaper as usize;
            }
        }
        at += LANES;
        // The last block overlaps the one before: what that has done is not done again.
        if at < row.len() && row.len() < at + LANES {
            at = row.len() - LANES;
        }
    }
    if row.len() < LANES {
        for ((at, cost), front) in (0..).zip(row).zip(front) {
            let cost = cost_of(*cost, later);
            improved[count] = at;
            count += usize::from(cost < *front);
            *front = cost.min(*front);
        }
    }
    improved.truncate(count);
}

/// A cost of a row as one of a front.
#[inline]
const fn cost_of(bytes: [u8; 4], later: i32) -> i32 {
    // Without a way, all bits are set: then the sum is not negative, and the mask makes it `UNREACHED`.
    let cost = i32::from_le_bytes(bytes);
    let mask = ((cost >> 31) as u32 >> 1) as i32;
    cost.wrapping_add(later) | mask
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
                assert_eq!(is_improved, is_cheaper, "{rank} at {cost}, {:?} before", least[rank]);
                if is_cheaper {
                    least[rank] = Some(cost);
                }
            }
            let noted = least.iter().map(|least| least.map_or(UNREACHED, |least| least as i32));
            assert!(noted.eq(front.iter().copied()));
        }
    }

    #[test]
    fn a_front_moves_on_where_it_gets_cheaper() {
        let mut random = SplitMix64::new(5);
        for count in [1, 7, 8, 9, 40, 63] {
            let rows = (0..50).map(|_| {
                let later = random.below(2_000) as i32 + 1;
                (later, (0..count).map(|_| random.below(3_000) as u32).collect())
            });
            check(&rows.collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_highest_costs_do_not_overflow() {
        let most = Costs::MOST;
        let row = vec![0, 1, most - 1, most, u32::MAX, most, 5, u32::MAX, 7, most, u32::MAX];
        let far = most as i32;
        let rows: Vec<_> =
            [far, 1, far - 1, 2, far / 2].into_iter().map(|later| (later, row.clone())).collect();
        check(&rows);
        check(&rows[1..]);
    }
}
