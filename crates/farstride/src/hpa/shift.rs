//! Shifting a path to better transitions.
//!
//! The main search looks at few transitions of each border, and fewer on upper levels.
//! That is enough to find which borders to cross. Where to cross them is decided here:
//! among all transitions of these borders, those that give the cheapest path are found by
//! going along the path once, cluster by cluster, with the stored costs. On level 1 that is done for
//! the whole path; above, for each part of it that crosses clusters of the level one after the other.

use super::hierarchy::View;
use super::insert::Insertion;
use super::layout::ClusterId;
use super::refine::Leg;
use super::tables::{Costs, Link};
use crate::base::{Cell, Cost, Rect};
use crate::grid::Grid;
use std::ops::Range;

/// Shifts paths; holds memory that is reused.
#[derive(Debug, Default)]
pub(super) struct Shifter {
    /// Transitions of all borders that the path crosses, border by border.
    crossings: Vec<Crossing>,
    /// Legs that are done.
    done: Vec<Leg>,
    /// Nodes near the path at a border: their ranks.
    ranks: Vec<u16>,
    /// How far from it those of them are that count, and their ranks.
    near: Vec<(u16, usize)>,
    /// The spots of the nodes by which a cluster is left.
    spots: Vec<usize>,
}

/// A cluster on one side of a border.
struct Side<'t> {
    cluster: ClusterId,
    nodes: Costs<'t>,
    /// The island that the path crosses, if known: only its nodes count.
    island: Option<usize>,
}

impl Side<'_> {
    #[inline]
    fn has_on_island(&self, rank: usize) -> bool {
        self.island.is_none_or(|island| self.nodes.island(rank) == island)
    }
}

/// Stands for the first cluster where the transition before the first one is asked for.
const START: usize = usize::MAX;

/// Above level 1, a path is shifted by at most one part in this many of a cluster's side: what a net leaves out is
/// near what it keeps.
const NEAR_PARTS: usize = 4;
/// Above level 1, transitions of no more nodes than these count, the nearest: what is compared grows with the square of
/// their number.
const MANY: usize = 12;

/// A transition of a border that a path crosses.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// The node it leads to, and its rank.
    head: u32,
    entry: usize,
    /// The rank of the node it starts from.
    exit: usize,
    /// Its own cost.
    step: Cost,
    /// Cost of the cheapest way from the start to its head; [`Cost::MAX`] if there is none.
    cost: Cost,
    /// The transition of the border before on that way, or [`START`].
    before: usize,
}

impl Crossing {
    const fn new(head: u32, entry: usize, exit: usize, step: Cost) -> Self {
        Self { head, entry, exit, step, cost: Cost::MAX, before: START }
    }
}

impl Shifter {
    /// Replaces the legs of a whole path, all of level 1 and the first one last, by those
    /// of the cheapest path that crosses the same borders.
    pub(super) fn shift(
        &mut self,
        grid: &Grid,
        view: &View<'_>,
        (start, goal): (&Insertion, &Insertion),
        legs: &mut Vec<Leg>,
    ) {
        let leave = |exit| start.cost(1, exit);
        let arrive = |local| goal.cost_now(grid, view, local);
        let Some(last) = self.find((view, 1, start.cluster(1)), legs, leave, arrive) else { return };
        legs.clear();
        legs.push(Leg::Arrive { from: self.crossings[last].head, level: 1 });
        let exit = self.write_legs(view, 1, last, legs);
        legs.push(Leg::Leave { to: view.layout.node(start.cluster(1), exit), level: 1 });
    }

    /// Shifts every part of a path, the first leg last, that crosses several clusters of a level one after the
    /// other. What leads into the first of them and out of the last one stays.
    pub(super) fn shift_parts(&mut self, view: &View<'_>, level: u8, legs: &mut Vec<Leg>) {
        self.done.clear();
        let is_crossing = |leg: &Leg| matches!(*leg, Leg::Cross { level: of, .. } if of == level);
        let mut rest = &legs[..];
        // From the last leg to the first.
        while let Some((leg, others)) = rest.split_first() {
            if !is_crossing(leg) {
                self.done.push(*leg);
                rest = others;
                continue;
            }
            let pairs = others.chunks_exact(2);
            let more = pairs.take_while(|pair| matches!(pair[0], Leg::Step { .. }) && is_crossing(&pair[1]));
            let (part, others) = rest.split_at(1 + 2 * more.count());
            self.shift_part(view, level, part);
            rest = others;
        }
        std::mem::swap(&mut self.done, legs);
    }

    /// Adds the legs of the cheapest path that crosses the same borders as a part of a path, which begins and ends
    /// with a crossing.
    fn shift_part(&mut self, view: &View<'_>, level: u8, part: &[Leg]) {
        if let [Leg::Cross { to, .. }, .., Leg::Cross { from, .. }] = *part {
            let layout = view.layout;
            let [first, last] =
                [from, to].map(|node| layout.ancestor(level, layout.cluster_and_local(node).0));
            let row = view.costs(level, first).row(view.rank(from, level));
            let end = view.rank(to, level);
            let arrive = |rank| view.costs(level, last).row(rank).cost(end);
            if let Some(found) = self.find((view, level, first), part, |exit| row.cost(exit), arrive) {
                let mut done = std::mem::take(&mut self.done);
                push_crossing(self.crossings[found].head, to, level, &mut done);
                let exit = self.write_legs(view, level, found, &mut done);
                push_crossing(from, view.costs(level, first).node(exit), level, &mut done);
                self.done = done;
                return;
            }
        }
        self.done.extend_from_slice(part);
    }

    /// Finds the cheapest way over the borders of a level that these legs cross, the first one last, from a cluster on.
    /// `leave` has the costs to the nodes of that cluster and `arrive` those from the nodes of the last one. Returns
    /// the last transition.
    fn find(
        &mut self,
        (view, level, first): (&View<'_>, u8, ClusterId),
        legs: &[Leg],
        leave: impl Fn(usize) -> Option<Cost>,
        arrive: impl Fn(usize) -> Option<Cost>,
    ) -> Option<usize> {
        self.crossings.clear();
        let mut here = Side { cluster: first, nodes: view.costs(level, first), island: None };
        let mut before = 0..0;
        for leg in legs.iter().rev() {
            let Leg::Step { to } = *leg else { continue };
            let added = before.end;
            let cluster = view.layout.ancestor(level, view.layout.cluster_and_local(to).0);
            let nodes = view.costs(level, cluster);
            let island = Some(nodes.island(view.rank(to, level)));
            let there = Side { cluster, nodes, island };
            if level == 1 {
                self.add_border(view, &here, &there);
            } else {
                self.add_border_around(view, level, (&here, &there), view.cell(to));
            }
            if self.crossings.len() == added {
                return None; // no such border
            }
            if added == 0 {
                for crossing in &mut self.crossings {
                    crossing.cost = leave(crossing.exit).map_or(Cost::MAX, |cost| cost + crossing.step);
                }
            } else {
                self.cross(here.nodes, before);
            }
            before = added..self.crossings.len();
            here = there;
        }
        let ends = before.filter_map(|at| {
            let Crossing { entry, cost, .. } = self.crossings[at];
            let rest = arrive(entry)?;
            (cost < Cost::MAX).then(|| (cost + rest, at))
        });
        ends.min().map(|(_, last)| last)
    }

    /// Adds all transitions from a 1-cluster to a neighbour, with the costs of their steps.
    fn add_border(&mut self, view: &View<'_>, here: &Side<'_>, there: &Side<'_>) {
        view.links(here.cluster).for_each(|exit, Link { head, cost, .. }| {
            let (cluster, entry) = view.layout.cluster_and_local(head);
            if cluster == there.cluster && here.has_on_island(exit) && there.has_on_island(entry) {
                self.crossings.push(Crossing::new(head, entry, exit, cost));
            }
        });
    }

    /// As [`Shifter::add_border`] for clusters of an upper level, but only transitions near a cell.
    fn add_border_around(
        &mut self,
        view: &View<'_>,
        level: u8,
        (here, there): (&Side<'_>, &Side<'_>),
        around: Cell,
    ) {
        let Self { crossings, near, ranks, .. } = self;
        let layout = view.layout;
        let most = (layout.side(level) / NEAR_PARTS) as u16;
        // Cells lie side by side, while doors and the clusters that they lead to have to be looked up.
        let beside = layout.area(level, there.cluster).grown(1, layout.map_area());
        here.nodes.ranks_in(Rect::from(around).grown(most, beside), ranks);
        near.clear();
        for exit in ranks.iter().copied().map(usize::from).filter(|&exit| here.has_on_island(exit)) {
            let cell = here.nodes.cell(exit);
            near.push((cell.x.abs_diff(around.x).max(cell.y.abs_diff(around.y)), exit));
        }
        if near.len() > MANY {
            near.select_nth_unstable(MANY);
            near.truncate(MANY);
            near.sort_unstable_by_key(|&(_, exit)| exit);
        }
        let exits = view.exits(level, here.cluster);
        for &(_, exit) in &*near {
            exits.for_each_at(exit, |head, step, _| {
                if layout.ancestor(level, layout.cluster_and_local(head).0) == there.cluster {
                    let entry = view.rank(head, level);
                    if there.has_on_island(entry) {
                        crossings.push(Crossing::new(head, entry, exit, step));
                    }
                }
            });
        }
    }

    /// Finds the cheapest ways through the cluster with these nodes, from the border `before` to the one
    /// added last.
    fn cross(&mut self, nodes: Costs<'_>, before: Range<usize>) {
        let Self { crossings, spots, .. } = self;
        let (known, added) = crossings.split_at_mut(before.end);
        spots.clear();
        spots.extend(added.iter().map(|crossing| nodes.spot(crossing.exit)));
        for at in before.filter(|&at| known[at].cost < Cost::MAX) {
            let Crossing { entry, cost, .. } = known[at];
            let row = nodes.row(entry);
            for (crossing, &spot) in added.iter_mut().zip(&*spots) {
                if let Some(through) = row.cost_on(spot)
                    && cost + through + crossing.step < crossing.cost
                {
                    crossing.cost = cost + through + crossing.step;
                    crossing.before = at;
                }
            }
        }
    }

    /// Writes the legs of the cheapest way to a transition, and returns the rank of the node by which
    /// it leaves the first cluster.
    fn write_legs(&self, view: &View<'_>, level: u8, last: usize, legs: &mut Vec<Leg>) -> usize {
        let mut at = last;
        loop {
            let Crossing { head, exit, before, .. } = self.crossings[at];
            legs.push(Leg::Step { to: head });
            if before == START {
                return exit;
            }
            let from = self.crossings[before].head;
            let cluster = view.layout.ancestor(level, view.layout.cluster_and_local(from).0);
            push_crossing(from, view.costs(level, cluster).node(exit), level, legs);
            at = before;
        }
    }
}

/// Adds the crossing between two nodes of a cluster, unless they are the same.
fn push_crossing(from: u32, to: u32, level: u8, legs: &mut Vec<Leg>) {
    if from != to {
        legs.push(Leg::Cross { from, to, level });
    }
}
