//! Building labels, from the top of the hierarchy down.
//!
//! The hubs of a node are found in the labels of its neighbours above: every
//! shortest path to a hub begins with one of the upward arcs. So labels are
//! built in the order of ranks, many at a time as long as none of these ranks
//! has an arc to another.

use super::{HubLabels, Limits};
use crate::base::crew::{Watch, Workers};
use crate::base::{BuildOptions, Cancelled};
use crate::contraction::{ContractionHierarchy, Rank};
use std::ops::Range;

/// Labels that are being built. The arrays are those of [`HubLabels`], as far as
/// they are finished.
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
    hub: Rank,
    cost: u32,
    step: u16,
}

/// The hubs reached from the rank at hand; one per thread.
struct Reached {
    /// Cost of reaching each rank; [`UNREACHED`] for all but `hubs`.
    costs: Vec<u64>,
    /// Position of the arc it is reached by.
    steps: Vec<u16>,
    /// The ranks that are reached.
    hubs: Vec<Rank>,
}

const UNREACHED: u64 = u64::MAX;

/// Largest number of labels built at a time. Once a limit is exceeded, the rest
/// of the batch is thrown away, so batches must not be huge.
const MOST_AT_ONCE: u32 = 1 << 12;
/// Number of arcs from which a batch is worth starting threads for.
const LARGE_TASK: usize = 1 << 10;

impl<'h> Builder<'h> {
    pub(super) fn new(hierarchy: &'h ContractionHierarchy, limits: Limits) -> Self {
        Self { hierarchy, limits, first: vec![0], hubs: Vec::new(), costs: Vec::new(), steps: Vec::new() }
    }

    /// Builds labels until all ranks have theirs or a limit is reached.
    pub(super) fn run(mut self, options: &BuildOptions<'_>) -> Result<HubLabels, Cancelled> {
        let BuildOptions { threads, watch } = *options;
        watch.check()?;
        let Watch { progress, wanted: is_wanted } = watch;
        let ranks = self.hierarchy.node_count();
        // In a core there is no "above", so labels could not be built from others.
        let wanted = if self.hierarchy.core_size() > 0 { 0 } else { ranks.min(self.limits.ranks as usize) };
        let mut workers = Workers::new(threads, || Reached::new(wanted));
        while self.done() < wanted as u32 {
            let ranks = self.independent(wanted as u32);
            let alone = self.arc_count(&ranks) < LARGE_TASK;
            let labels = workers.try_map(ranks.len(), alone, is_wanted, |place, reached| {
                self.label(Rank::new(ranks.start + place as u32), reached)
            })?;
            // Labels are appended in the order of ranks, so that a limit cuts
            // them at the same rank whatever thread built them.
            if !labels.into_iter().all(|label| self.append(label)) {
                break;
            }
            if self.done() < wanted as u32 {
                progress(self.done() as usize, wanted);
            }
        }
        // All at once, because nothing is left to do if a limit ended it.
        if wanted > 0 {
            progress(wanted, wanted);
        }
        let Self { first, hubs, costs, steps, .. } = self;
        Ok(HubLabels { first: first.into(), hubs: hubs.into(), costs: costs.into(), steps: steps.into() })
    }

    /// Number of finished labels, which is the next rank.
    fn done(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// The next ranks of which none has an arc to another: at least those that
    /// were contracted in the same round.
    fn independent(&self, wanted: u32) -> Range<u32> {
        let begin = self.done();
        let most = begin.saturating_add(MOST_AT_ONCE).min(wanted);
        // Arcs are sorted by head, so the last one leads least far up.
        let leads_up = |&rank: &u32| {
            let last = self.hierarchy.up_arcs(Rank::new(rank)).last();
            last.is_none_or(|arc| arc.head < Rank::new(begin))
        };
        begin..begin + (begin..most).take_while(leads_up).count() as u32
    }

    /// Number of arcs of some ranks in a row.
    fn arc_count(&self, ranks: &Range<u32>) -> usize {
        let first = self.hierarchy.first();
        (first[ranks.end as usize] - first[ranks.start as usize]) as usize
    }

    /// Returns the label of a rank, all of whose neighbours above have theirs;
    /// `None` if a distance does not fit into 32 bits, or an arc's position into
    /// 16.
    fn label(&self, rank: Rank, reached: &mut Reached) -> Option<Vec<Entry>> {
        let arcs = self.hierarchy.up_arcs(rank);
        if arcs.len() > usize::from(HubLabels::ARRIVED) {
            return None;
        }
        for (arc, step) in arcs.iter().zip(0..) {
            for (hub, rest) in self.entries(self.range(arc.head())) {
                reached.improve(hub, u64::from(arc.cost) + u64::from(rest), step);
            }
        }
        let mut hubs = std::mem::take(&mut reached.hubs);
        hubs.sort_unstable();
        let kept = hubs.iter().filter(|&&hub| self.is_hub(hub, &reached.costs));
        let label = kept.map(|&hub| reached.entry(hub)).chain([Some(Entry::of_itself(rank))]).collect();
        // Only what was touched is cleared: a label is short, the table is not.
        for hub in &hubs {
            reached.costs[hub.index()] = UNREACHED;
        }
        hubs.clear();
        reached.hubs = hubs;
        label
    }

    /// Whether a rank is a hub: no other rank that is reached lies on a path to
    /// it that is as short. Otherwise that one, which is higher, serves instead,
    /// and leaving this one out keeps labels minimal.
    fn is_hub(&self, hub: Rank, reached: &[u64]) -> bool {
        let label = self.range(hub);
        let above = label.start..label.end - 1; // without the hub itself
        let cost = reached[hub.index()];
        !self.entries(above).any(|(other, rest)| reached[other.index()].saturating_add(rest.into()) <= cost)
    }

    /// Positions of the entries of a rank that has its label.
    #[inline]
    fn range(&self, rank: Rank) -> Range<usize> {
        self.first[rank.index()] as usize..self.first[rank.index() + 1] as usize
    }

    /// The hubs at some positions and their distances.
    #[inline]
    fn entries(&self, range: Range<usize>) -> impl Iterator<Item = (Rank, u32)> + '_ {
        let hubs = self.hubs[range.clone()].iter().map(|&hub| Rank::new(hub));
        hubs.zip(self.costs[range].iter().copied())
    }

    /// Appends the label of the next rank; returns `false` if it does not fit.
    fn append(&mut self, label: Option<Vec<Entry>>) -> bool {
        let fits = |label: &Vec<Entry>| self.hubs.len() + label.len() <= self.limits.entries as usize;
        let Some(label) = label.filter(fits) else {
            return false;
        };
        self.hubs.extend(label.iter().map(|entry| entry.hub.get()));
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

    /// Lowers the cost of a hub. Of equal costs the first arc wins, which is the
    /// same in every build.
    #[inline]
    fn improve(&mut self, hub: Rank, cost: u64, step: u16) {
        let known = &mut self.costs[hub.index()];
        if *known == UNREACHED {
            self.hubs.push(hub);
        }
        if cost < *known {
            *known = cost;
            self.steps[hub.index()] = step;
        }
    }

    /// The entry of a hub; `None` if its cost does not fit.
    fn entry(&self, hub: Rank) -> Option<Entry> {
        let cost = u32::try_from(self.costs[hub.index()]).ok()?;
        Some(Entry { hub, cost, step: self.steps[hub.index()] })
    }
}

impl Entry {
    /// The last entry of every label.
    const fn of_itself(rank: Rank) -> Self {
        Self { hub: rank, cost: 0, step: HubLabels::ARRIVED }
    }
}
