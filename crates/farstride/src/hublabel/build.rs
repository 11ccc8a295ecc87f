//! Making labels.

use super::{HubLabels, Limits};
use crate::base::crew::{Watch, Workers};
use crate::contraction::ContractionHierarchy;
use std::ops::Range;

/// Labels that are being made, from the top down.
pub(super) struct Builder<'h> {
    hierarchy: &'h ContractionHierarchy,
    limits: Limits,
    first: Vec<u32>,
    hubs: Vec<u32>,
    costs: Vec<u32>,
    steps: Vec<u16>,
}

/// An entry of a label.
struct Entry {
    hub: u32,
    cost: u32,
    step: u16,
}

/// How hubs are reached from the rank at hand.
struct Reached {
    /// How far each is.
    costs: Vec<u64>,
    /// By which arc of the rank.
    steps: Vec<u16>,
    /// The hubs that are reached.
    hubs: Vec<u32>,
}

const UNREACHED: u64 = u64::MAX;

/// Ranks that are labelled at a time at most: what is made beyond a limit is
/// thrown away.
const MOST_AT_ONCE: u32 = 1 << 12;
/// Arcs of a task from which on other threads help.
const LARGE_TASK: usize = 1 << 10;

impl<'h> Builder<'h> {
    pub(super) fn new(hierarchy: &'h ContractionHierarchy, limits: Limits) -> Self {
        Self { hierarchy, limits, first: vec![0], hubs: Vec::new(), costs: Vec::new(), steps: Vec::new() }
    }

    pub(super) fn run(mut self, threads: usize, watch: Watch<'_>) -> HubLabels {
        let ranks = self.hierarchy.node_count();
        let wanted = if self.hierarchy.core_size() > 0 { 0 } else { ranks.min(self.limits.ranks as usize) };
        let mut workers = Workers::new(threads, || Reached::new(wanted));
        while self.done() < wanted as u32 && (watch.wanted)() {
            let ranks = self.independent(wanted as u32);
            let arcs = self.hierarchy.range(ranks.start).start..self.hierarchy.range(ranks.end - 1).end;
            let labels = workers.map(ranks.len(), arcs.len() < LARGE_TASK, |place, reached| {
                self.label(ranks.start + place as u32, reached)
            });
            if !labels.into_iter().all(|label| self.append(label)) {
                break;
            }
            (watch.progress)(self.done() as usize, wanted);
        }
        let Self { first, hubs, costs, steps, .. } = self;
        HubLabels { first: first.into(), hubs: hubs.into(), costs: costs.into(), steps: steps.into() }
    }

    /// Ranks that have their labels.
    fn done(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// The next ranks none of which has an arc to another: those of a round of
    /// contraction, or more.
    fn independent(&self, wanted: u32) -> Range<u32> {
        let begin = self.done();
        let most = begin.saturating_add(MOST_AT_ONCE).min(wanted);
        let leads_up = |rank: &u32| self.hierarchy.up_arcs(*rank).last().is_none_or(|arc| arc.head < begin);
        begin..begin + (begin..most).take_while(leads_up).count() as u32
    }

    /// The label of a rank whose neighbours above have theirs; `None` if a hub is
    /// too far for 32 bits, or there are too many arcs for 16.
    fn label(&self, rank: u32, reached: &mut Reached) -> Option<Vec<Entry>> {
        let arcs = self.hierarchy.up_arcs(rank);
        if arcs.len() > usize::from(HubLabels::ARRIVED) {
            return None;
        }
        for (arc, step) in arcs.iter().zip(0..) {
            let above = self.first[arc.head as usize] as usize..self.first[arc.head as usize + 1] as usize;
            for (&hub, &rest) in self.hubs[above.clone()].iter().zip(&self.costs[above]) {
                reached.improve(hub, u64::from(arc.cost) + u64::from(rest), step);
            }
        }
        let mut hubs = std::mem::take(&mut reached.hubs);
        hubs.sort_unstable();
        let kept = hubs.iter().filter(|&&hub| self.is_hub(hub, &reached.costs));
        let label = kept.map(|&hub| reached.entry(hub)).chain([Some(Entry::of_itself(rank))]).collect();
        for &hub in &hubs {
            reached.costs[hub as usize] = UNREACHED;
        }
        hubs.clear();
        reached.hubs = hubs;
        label
    }

    /// Whether no other node that is reached lies on a way to this one that is
    /// as short.
    fn is_hub(&self, hub: u32, reached: &[u64]) -> bool {
        let others = self.first[hub as usize] as usize..self.first[hub as usize + 1] as usize - 1;
        let cost = reached[hub as usize];
        let mut ways = self.hubs[others.clone()].iter().zip(&self.costs[others]);
        !ways.any(|(&other, &rest)| reached[other as usize].saturating_add(rest.into()) <= cost)
    }

    /// Adds the label of the next rank; `false` if it does not fit.
    fn append(&mut self, label: Option<Vec<Entry>>) -> bool {
        let fits = |label: &Vec<Entry>| self.hubs.len() + label.len() <= self.limits.entries as usize;
        let Some(label) = label.filter(fits) else {
            return false;
        };
        self.hubs.extend(label.iter().map(|entry| entry.hub));
        self.costs.extend(label.iter().map(|entry| entry.cost));
        self.steps.extend(label.iter().map(|entry| entry.step));
        self.first.push(self.hubs.len() as u32);
        true
    }
}

impl Reached {
    fn new(ranks: usize) -> Self {
        Self { costs: vec![UNREACHED; ranks], steps: vec![HubLabels::ARRIVED; ranks], hubs: Vec::new() }
    }

    #[inline]
    fn improve(&mut self, hub: u32, cost: u64, step: u16) {
        let known = &mut self.costs[hub as usize];
        if *known == UNREACHED {
            self.hubs.push(hub);
        }
        if cost < *known {
            *known = cost;
            self.steps[hub as usize] = step;
        }
    }

    fn entry(&self, hub: u32) -> Option<Entry> {
        let cost = u32::try_from(self.costs[hub as usize]).ok()?;
        Some(Entry { hub, cost, step: self.steps[hub as usize] })
    }
}

impl Entry {
    const fn of_itself(rank: u32) -> Self {
        Self { hub: rank, cost: 0, step: HubLabels::ARRIVED }
    }
}
