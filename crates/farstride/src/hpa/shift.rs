//! Shifting a path to better transitions.
//!
//! The main search looks at few transitions of each border, and fewer on upper levels.
//! That is enough to find which borders to cross. Where to cross them is decided here:
//! among all transitions of these borders, those that give the cheapest path are found by
//! going along the path once, cluster by cluster, with the stored costs.

use super::hierarchy::View;
use super::insert::Insertion;
use super::layout::ClusterId;
use super::refine::Leg;
use super::tables::Link;
use crate::base::Cost;
use crate::grid::Grid;
use std::ops::Range;

/// Shifts paths; holds memory that is reused.
#[derive(Debug, Default)]
pub(super) struct Shifter {
    /// Transitions of all borders that the path crosses, border by border.
    crossings: Vec<Crossing>,
}

/// Stands for the start where the transition before the first one is asked for.
const START: usize = usize::MAX;

/// A transition of a border that a path crosses.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// The node it leads to.
    head: u32,
    /// Local number of the node it starts from.
    exit: usize,
    /// Its own cost.
    step: Cost,
    /// Cost of the cheapest way from the start to its head; [`Cost::MAX`] if there is none.
    cost: Cost,
    /// The transition of the border before on that way, or [`START`].
    before: usize,
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
        let layout = view.layout;
        self.crossings.clear();
        let mut cluster = start.cluster(1);
        let mut before = 0..0;
        for leg in legs.iter().rev() {
            let Leg::Step { to } = *leg else { continue };
            let (first, next) = (before.end, layout.cluster_and_local(to).0);
            self.add_border(view, cluster, next);
            if before.is_empty() {
                for crossing in &mut self.crossings {
                    let leave = start.cost(1, crossing.exit);
                    crossing.cost = leave.map_or(Cost::MAX, |cost| cost + crossing.step);
                }
            } else {
                self.cross(view, cluster, before);
            }
            before = first..self.crossings.len();
            cluster = next;
        }
        let arrive = |at: usize| {
            let Crossing { head, cost, .. } = self.crossings[at];
            let rest = goal.cost_now(grid, view, layout.cluster_and_local(head).1)?;
            (cost < Cost::MAX).then(|| (cost + rest, at))
        };
        let Some((_, last)) = before.filter_map(arrive).min() else { return };
        self.write_legs(view, start, last, legs);
    }

    /// Adds all transitions from a cluster to a neighbour, with the costs of their steps.
    fn add_border(&mut self, view: &View<'_>, cluster: ClusterId, next: ClusterId) {
        let crossings = &mut self.crossings;
        view.links(cluster).for_each(|exit, Link { head, cost, .. }| {
            if view.layout.cluster_and_local(head).0 == next {
                crossings.push(Crossing { head, exit, step: cost, cost: Cost::MAX, before: START });
            }
        });
    }

    /// Finds the cheapest ways through a cluster, from the border `before` to the one
    /// added last.
    fn cross(&mut self, view: &View<'_>, cluster: ClusterId, before: Range<usize>) {
        let (known, added) = self.crossings.split_at_mut(before.end);
        let costs = view.costs(1, cluster);
        for at in before.filter(|&at| known[at].cost < Cost::MAX) {
            let Crossing { head, cost, .. } = known[at];
            let row = costs.row(view.layout.cluster_and_local(head).1);
            for crossing in &mut *added {
                if let Some(through) = row.cost(crossing.exit)
                    && cost + through + crossing.step < crossing.cost
                {
                    crossing.cost = cost + through + crossing.step;
                    crossing.before = at;
                }
            }
        }
    }

    /// Writes the legs of the cheapest way to the goal, whose last transition is `last`.
    fn write_legs(&self, view: &View<'_>, start: &Insertion, last: usize, legs: &mut Vec<Leg>) {
        legs.clear();
        let mut at = last;
        legs.push(Leg::Arrive { from: self.crossings[last].head, level: 1 });
        loop {
            let Crossing { head, exit, before, .. } = self.crossings[at];
            legs.push(Leg::Step { to: head });
            if before == START {
                let to = view.layout.node(start.cluster(1), exit);
                legs.push(Leg::Leave { to, level: 1 });
                return;
            }
            let from = self.crossings[before].head;
            let to = view.layout.node(view.layout.cluster_and_local(from).0, exit);
            if from != to {
                legs.push(Leg::Cross { from, to, level: 1 });
            }
            at = before;
        }
    }
}
