//! Making labels.

use super::{HubLabels, Limits};
use crate::base::crew::Progress;
use crate::contraction::ContractionHierarchy;

/// Labels that are being made, from the top down.
pub(super) struct Builder<'h> {
    hierarchy: &'h ContractionHierarchy,
    limits: Limits,
    first: Vec<u32>,
    hubs: Vec<u32>,
    costs: Vec<u32>,
    arcs: Vec<u32>,
    nexts: Vec<u32>,
    /// How each hub is reached from the rank at hand.
    reached: Vec<Reached>,
    /// The hubs that are reached.
    touched: Vec<u32>,
}

/// How a hub is reached: by an arc and then as an entry says.
#[derive(Clone, Copy, Debug)]
struct Reached {
    cost: u64,
    arc: u32,
    next: u32,
}

const UNREACHED: Reached = Reached { cost: u64::MAX, arc: HubLabels::NONE, next: HubLabels::NONE };

impl<'h> Builder<'h> {
    pub(super) fn new(hierarchy: &'h ContractionHierarchy, limits: Limits) -> Self {
        Self {
            hierarchy,
            limits,
            first: vec![0],
            hubs: Vec::new(),
            costs: Vec::new(),
            arcs: Vec::new(),
            nexts: Vec::new(),
            reached: vec![UNREACHED; hierarchy.node_count()],
            touched: Vec::new(),
        }
    }

    pub(super) fn run(mut self, _threads: usize, progress: Progress<'_>) -> HubLabels {
        let ranks = self.hierarchy.node_count();
        let wanted = if self.hierarchy.core_size() > 0 { 0 } else { ranks.min(self.limits.ranks as usize) };
        for rank in 0..wanted as u32 {
            if !self.label(rank) {
                break;
            }
            progress(rank as usize + 1, wanted);
        }
        let Self { first, hubs, costs, arcs, nexts, .. } = self;
        HubLabels {
            first: first.into(),
            hubs: hubs.into(),
            costs: costs.into(),
            arcs: arcs.into(),
            nexts: nexts.into(),
        }
    }

    /// Makes the label of the next rank; `false` if it does not fit.
    fn label(&mut self, rank: u32) -> bool {
        self.reach(rank);
        let begin = self.hubs.len();
        let mut fits = true;
        self.touched.sort_unstable();
        for &hub in &self.touched {
            let Reached { cost, arc, next } = self.reached[hub as usize];
            if self.is_hub(hub, cost) {
                fits &= cost <= u64::from(u32::MAX);
                self.hubs.push(hub);
                self.costs.push(cost as u32);
                self.arcs.push(arc);
                self.nexts.push(next);
            }
        }
        for &hub in &self.touched {
            self.reached[hub as usize] = UNREACHED;
        }
        self.touched.clear();
        fits &= self.hubs.len() <= self.limits.entries as usize;
        if fits {
            self.first.push(self.hubs.len() as u32);
        } else {
            for part in [&mut self.hubs, &mut self.costs, &mut self.arcs, &mut self.nexts] {
                part.truncate(begin);
            }
        }
        fits
    }

    /// Finds out how the hubs of the neighbours above are reached, and the rank
    /// itself.
    fn reach(&mut self, rank: u32) {
        for at in self.hierarchy.range(rank) {
            let arc = self.hierarchy.arcs()[at];
            for next in self.first[arc.head as usize]..self.first[arc.head as usize + 1] {
                let hub = self.hubs[next as usize];
                let cost = u64::from(arc.cost) + u64::from(self.costs[next as usize]);
                let known = &mut self.reached[hub as usize];
                if known.cost == u64::MAX {
                    self.touched.push(hub);
                }
                if cost < known.cost {
                    *known = Reached { cost, arc: at as u32, next };
                }
            }
        }
        self.reached[rank as usize] = Reached { cost: 0, ..UNREACHED };
        self.touched.push(rank);
    }

    /// Whether no other node that is reached lies on a path to `hub` as short.
    fn is_hub(&self, hub: u32, cost: u64) -> bool {
        let Some(&end) = self.first.get(hub as usize + 1) else {
            return true; // the rank itself
        };
        let others = self.first[hub as usize] as usize..end as usize - 1;
        let over =
            |at: usize| self.reached[self.hubs[at] as usize].cost.saturating_add(self.costs[at].into());
        !others.clone().any(|at| over(at) <= cost)
    }
}
