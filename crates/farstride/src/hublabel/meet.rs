//! Where two climbs meet.

use super::core::{Core, Crossing};
use super::index::HubIndex;
use super::labels::EntryId;
use super::reach::Reach;
use super::sweep::Side;
use crate::base::{Cost, NodeId};
use crate::contraction::Rank;
use crate::search::Observer;

/// An end of a path: a rank, and the cost of getting there.
pub(super) type End = (Rank, u32);

/// Working memory for queries. Keep one per thread and reuse it: starting a query
/// is O(1), and nothing is allocated once it has grown.
#[derive(Debug, Default)]
pub struct HubScratch {
    pub(super) start: Side,
    pub(super) goal: Side,
    /// Distances of hubs from the start.
    pub(super) hubs: Reach,
    /// Ranks with labels that start and goal climb to, by their bounds.
    nearest: [Vec<Landing>; 2],
    pub(super) crossing: Crossing,
    /// Ranks of the last path that was traced, before shortcuts are unfolded.
    pub(super) spine: Vec<Rank>,
    /// Ranks of all nodes of that path.
    pub(super) path: Vec<Rank>,
    /// Arcs still to be unfolded, as pairs of ranks.
    pub(super) arcs: Vec<(Rank, Rank)>,
}

impl HubScratch {
    /// The ranks of all nodes of the path that was traced last.
    pub(crate) fn path(&self) -> &[Rank] {
        &self.path
    }
}

/// A query first looks for paths that exceed their lower bound by at most one
/// part in this many. Few paths exceed it by more, and ranks that lie on such
/// paths only are not climbed to.
const DETOUR: u64 = 16;

/// Number of labels at either end that are compared before the others are even
/// considered. The best meeting so far then rules out most of the rest.
const PROMISING: usize = 4;

/// A rank with a label that one end climbed to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Landing {
    /// A lower bound of the cost of paths over it; first, because landings are
    /// sorted by it.
    bound: u64,
    rank: Rank,
    cost: u64,
}

/// The least cost between two sets of ranks, and where the path is highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Meeting {
    pub(crate) cost: Cost,
    pub(super) place: Place,
}

/// The highest point of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// A rank that both ends climb to.
    Rank(Rank),
    /// The hub of an entry in the label of a rank that the goal climbs to.
    Entry { rank: Rank, entry: EntryId },
    /// Somewhere in the core.
    Core,
}

/// The best meeting so far.
#[derive(Clone, Copy)]
struct Least {
    units: u64,
    place: Place,
}

impl Least {
    const NONE: Self = Self { units: Reach::FAR, place: Place::Core };

    /// Takes a better meeting. Of equal ones the first stays, so that the path
    /// does not depend on anything but the order of ranks and entries.
    #[inline]
    fn improve(&mut self, units: u64, place: Place) {
        if units < self.units {
            *self = Self { units, place };
        }
    }

    fn meeting(self) -> Option<Meeting> {
        let cost = Cost::new(self.units).ok()?;
        Some(Meeting { cost, place: self.place })
    }
}

/// Reports a rank that is climbed from.
#[inline]
fn report(observer: &mut impl Observer<NodeId>, rank: Rank, cost: u64) {
    observer.expanded(NodeId::new(rank.get()), Cost::from_units(cost));
}

impl HubIndex {
    /// Returns the least cost of a path from one of `sources` to one of `targets`,
    /// the costs of both ends included; `None` if there is no path.
    ///
    /// `ahead` and `behind` are lower bounds of the cost from a rank to the goal,
    /// and from the start to a rank, the costs of the ends included. In a core,
    /// `ahead` guides the search. Where there are labels, both are needed: most
    /// ranks that can be climbed to lie off the way. So the most promising labels
    /// of either end are compared first, and others only while they can still
    /// lead to something shorter.
    ///
    /// `observer` hears of every rank that is climbed from or searched.
    pub(crate) fn meet(
        &self,
        sources: &[End],
        targets: &[End],
        (ahead, behind): (impl Fn(Rank) -> Cost, impl Fn(Rank) -> Cost),
        scratch: &mut HubScratch,
        observer: &mut impl Observer<NodeId>,
    ) -> Option<Meeting> {
        if self.hierarchy.core_size() > 0 {
            self.depart(sources, scratch, observer);
            return self.arrive(targets, ahead, scratch, observer);
        }
        // Guess that the path is hardly longer than its lower bound. If no path
        // is that short, the cost of any other path found is the next limit, and
        // the second attempt is final.
        let bound = |&(rank, cost): &End| u64::from(cost).saturating_add(ahead(rank).units());
        let shortest = sources.iter().map(bound).min()?;
        let mut limit = shortest.saturating_add(shortest / DETOUR);
        loop {
            let found = self.meet_within(limit, sources, targets, (&ahead, &behind), scratch, observer);
            match found {
                Some(Meeting { cost, .. }) if cost.units() <= limit => return found,
                _ if limit == u64::MAX => return found,
                Some(Meeting { cost, .. }) => limit = cost.units(),
                None => limit = u64::MAX,
            }
        }
    }

    /// Returns the least cost of a path if it is at most `limit`. Otherwise
    /// returns the cost of some path above the limit, or `None`.
    fn meet_within(
        &self,
        limit: u64,
        sources: &[End],
        targets: &[End],
        (ahead, behind): (impl Fn(Rank) -> Cost, impl Fn(Rank) -> Cost),
        scratch: &mut HubScratch,
        observer: &mut impl Observer<NodeId>,
    ) -> Option<Meeting> {
        let HubScratch { start, goal, hubs, nearest, .. } = scratch;
        let within = |cost: u64, bound: Cost| cost.saturating_add(bound.units()) <= limit;
        start.climb(&self.hierarchy, self.floor(), sources, |rank, cost| {
            report(observer, rank, cost);
            if within(cost, ahead(rank)) { u64::MAX } else { 0 }
        });
        let mut least = Least::NONE;
        goal.climb(&self.hierarchy, self.floor(), targets, |rank, cost| {
            report(observer, rank, cost);
            least.improve(start.reach.cost(rank) + cost, Place::Rank(rank));
            if within(cost, behind(rank)) { least.units } else { 0 }
        });
        hubs.begin(self.labels.top() as usize);
        let [departures, arrivals] = nearest;
        self.sort_landings(start, ahead, departures);
        self.sort_landings(goal, behind, arrivals);
        self.compare(limit, departures, arrivals, (hubs, &mut least));
        least.meeting()
    }

    /// Compares the labels that the ends climbed to: the most promising ones
    /// first, and others only if they can lead to something shorter.
    fn compare(
        &self,
        limit: u64,
        departures: &[Landing],
        arrivals: &[Landing],
        (hubs, least): (&mut Reach, &mut Least),
    ) {
        let known = departures.len().min(PROMISING);
        for landing in &departures[..known] {
            self.scatter(landing, hubs);
        }
        for landing in &arrivals[..arrivals.len().min(PROMISING)] {
            self.gather(landing, hubs, least);
        }
        let is_worth_it =
            |landing: &Landing, least: &Least| landing.bound < least.units && landing.bound <= limit;
        for landing in departures[known..].iter().take_while(|landing| is_worth_it(landing, least)) {
            self.scatter(landing, hubs);
        }
        // The first arrivals come again: they have not met the departures that
        // were added since.
        for landing in arrivals {
            if !is_worth_it(landing, least) {
                break;
            }
            self.gather(landing, hubs, least);
        }
    }

    /// Writes the ranks with labels that an end climbed to into `sorted`, those
    /// with the least bounds first.
    fn sort_landings(&self, side: &Side, bound: impl Fn(Rank) -> Cost, sorted: &mut Vec<Landing>) {
        sorted.clear();
        sorted.extend(side.landings.iter().filter_map(|&rank| {
            let cost = side.reach.cost(rank);
            let stalled = side.is_stalled(self.hierarchy.up_arcs(rank), cost);
            (!stalled).then(|| Landing { bound: cost.saturating_add(bound(rank).units()), rank, cost })
        }));
        sorted.sort_unstable();
    }

    /// Notes the distances from the start of all hubs of a label.
    #[inline]
    fn scatter(&self, landing: &Landing, hubs: &mut Reach) {
        for (hub, rest) in self.labels.label_of(landing.rank) {
            hubs.improve(hub, landing.cost + u64::from(rest));
        }
    }

    /// Looks for the hub of a label that is nearest to both ends together. Hubs
    /// that the start did not reach count as far away, which needs no test.
    #[inline]
    fn gather(&self, landing: &Landing, hubs: &Reach, least: &mut Least) {
        let &Landing { rank, cost, .. } = landing;
        let first = self.labels.range(rank).start as u32;
        for (entry, (hub, rest)) in (first..).zip(self.labels.label_of(rank)) {
            let units = hubs.cost(hub) + cost + u64::from(rest);
            least.improve(units, Place::Entry { rank, entry: EntryId::new(entry) });
        }
    }

    /// First half of a query with many targets: climbs from the sources and notes
    /// the distances of hubs.
    pub(super) fn depart(
        &self,
        sources: &[End],
        scratch: &mut HubScratch,
        observer: &mut impl Observer<NodeId>,
    ) {
        let HubScratch { start, hubs, nearest: [departures, _], .. } = scratch;
        start.climb(&self.hierarchy, self.floor(), sources, |rank, cost| {
            report(observer, rank, cost);
            u64::MAX
        });
        hubs.begin(self.labels.top() as usize);
        if self.hierarchy.core_size() == 0 {
            self.sort_landings(start, |_| Cost::ZERO, departures);
            for landing in &*departures {
                self.scatter(landing, hubs);
            }
        }
    }

    /// Second half: climbs from the targets and finds where the climbs meet.
    pub(super) fn arrive(
        &self,
        targets: &[End],
        ahead: impl Fn(Rank) -> Cost,
        scratch: &mut HubScratch,
        observer: &mut impl Observer<NodeId>,
    ) -> Option<Meeting> {
        let HubScratch { start, goal, hubs, crossing, nearest: [_, arrivals], .. } = scratch;
        let mut least = Least::NONE;
        goal.climb(&self.hierarchy, self.floor(), targets, |rank, cost| {
            report(observer, rank, cost);
            least.improve(start.reach.cost(rank) + cost, Place::Rank(rank));
            least.units
        });
        if self.hierarchy.core_size() > 0 {
            let core = Core { hierarchy: &self.hierarchy, start, goal };
            if let Some(units) = core.cross(least.units, ahead, crossing, observer) {
                least.improve(units, Place::Core);
            }
            return least.meeting();
        }
        self.sort_landings(goal, |_| Cost::ZERO, arrivals);
        for landing in &*arrivals {
            if landing.cost >= least.units {
                break;
            }
            self.gather(landing, hubs, &mut least);
        }
        least.meeting()
    }

    /// The first rank that is climbed from: the first one below the labels, or
    /// below the core.
    fn floor(&self) -> Rank {
        Rank::new(self.labels.top().max(self.hierarchy.core_size()))
    }
}
