//! Where two climbs meet.

use super::core::{Core, Crossing};
use super::index::HubIndex;
use super::reach::Reach;
use super::sweep::Side;
use crate::base::{Cost, NodeId};
use crate::search::Observer;

/// Memory for queries. Keep one per thread and reuse it: starting a query is
/// O(1), and a warmed-up scratch allocates nothing.
#[derive(Debug, Default)]
pub struct HubScratch {
    pub(super) start: Side,
    pub(super) goal: Side,
    /// How far hubs are from the start.
    pub(super) hubs: Reach,
    /// Ranks with labels that start and goal climb to.
    nearest: [Vec<Landing>; 2],
    pub(super) crossing: Crossing,
    /// Ranks of the last path that was traced, arc by arc.
    pub(super) spine: Vec<u32>,
    /// Ranks of all its nodes.
    pub(super) path: Vec<u32>,
    /// Arcs that are to be unfolded.
    pub(super) arcs: Vec<(u32, u32)>,
}

impl HubScratch {
    /// The ranks of all nodes of the path that was traced last.
    pub(crate) fn path(&self) -> &[u32] {
        &self.path
    }
}

/// The part by which paths are guessed to be longer than they must be at most.
const DETOUR: u64 = 16;

/// Ranks with labels that are tried first.
const PROMISING: usize = 4;

/// A rank with a label that one end climbed to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Landing {
    /// A lower bound of the cost of paths over it.
    bound: u64,
    rank: u32,
    cost: u64,
}

/// The least cost from some ranks to others, and where the path is highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Meeting {
    pub(crate) cost: Cost,
    pub(super) place: Place,
}

/// Where a path is highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// At a rank that both ends climb to.
    Rank(u32),
    /// At the hub of an entry in the label of a rank that the goal's end climbs
    /// to.
    Entry { rank: u32, entry: u32 },
    /// In the core.
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

/// Tells of a rank that is climbed from.
#[inline]
fn tell(observer: &mut impl Observer<NodeId>, rank: u32, cost: u64) {
    observer.expanded(NodeId::new(rank), Cost::from_units(cost));
}

impl HubIndex {
    /// The least cost of a path from one of some ranks to one of others, each
    /// with a cost of its own that counts too; `None` if there is none.
    ///
    /// `ahead` and `behind` are lower bounds of the cost from a rank to the goal,
    /// and from the start to a rank, the costs of the ends included. The first
    /// guides the search of the core. Where there are labels, most ranks that are climbed to
    /// lie off the way: so the most promising ones of either end are tried first,
    /// and others only as far as they can lead to something shorter.
    ///
    /// `observer` is told of the ranks that are climbed from, or searched.
    pub(crate) fn meet(
        &self,
        sources: &[(u32, u32)],
        targets: &[(u32, u32)],
        (ahead, behind): (impl Fn(u32) -> Cost, impl Fn(u32) -> Cost),
        scratch: &mut HubScratch,
        observer: &mut impl Observer<NodeId>,
    ) -> Option<Meeting> {
        if self.hierarchy.core_size() > 0 {
            self.depart(sources, scratch, observer);
            return self.arrive(targets, ahead, scratch, observer);
        }
        // Few paths are much longer than they must be. So nothing is climbed to
        // that lies on longer ones only, unless there is no other.
        let bound = |&(rank, cost): &(u32, u32)| u64::from(cost).saturating_add(ahead(rank).units());
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

    /// The same, if the cost is at most a limit; if it is not, perhaps the cost
    /// of some other path, or `None`.
    fn meet_within(
        &self,
        limit: u64,
        sources: &[(u32, u32)],
        targets: &[(u32, u32)],
        (ahead, behind): (impl Fn(u32) -> Cost, impl Fn(u32) -> Cost),
        scratch: &mut HubScratch,
        observer: &mut impl Observer<NodeId>,
    ) -> Option<Meeting> {
        let HubScratch { start, goal, hubs, nearest, .. } = scratch;
        let within = |cost: u64, bound: Cost| cost.saturating_add(bound.units()) <= limit;
        start.climb(&self.hierarchy, self.floor(), sources, |rank, cost| {
            tell(observer, rank, cost);
            if within(cost, ahead(rank)) { u64::MAX } else { 0 }
        });
        let mut least = Least::NONE;
        goal.climb(&self.hierarchy, self.floor(), targets, |rank, cost| {
            tell(observer, rank, cost);
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
        for landing in arrivals {
            if !is_worth_it(landing, least) {
                break;
            }
            self.gather(landing, hubs, least);
        }
    }

    /// Writes down the ranks with labels that an end climbed to, those with the
    /// least bounds first.
    fn sort_landings(&self, side: &Side, bound: impl Fn(u32) -> Cost, sorted: &mut Vec<Landing>) {
        sorted.clear();
        sorted.extend(side.landings.iter().filter_map(|&rank| {
            let cost = side.reach.cost(rank);
            let stalled = side.is_stalled(self.hierarchy.up_arcs(rank), cost);
            (!stalled).then(|| Landing { bound: cost.saturating_add(bound(rank).units()), rank, cost })
        }));
        sorted.sort_unstable();
    }

    /// Notes how far the hubs of a label are.
    #[inline]
    fn scatter(&self, landing: &Landing, hubs: &mut Reach) {
        let range = self.labels.range(landing.rank);
        for (&hub, &rest) in self.labels.hubs[range.clone()].iter().zip(&self.labels.costs[range]) {
            hubs.improve(hub, landing.cost + u64::from(rest));
        }
    }

    /// Looks which hub of a label is nearest to both ends.
    #[inline]
    fn gather(&self, landing: &Landing, hubs: &Reach, least: &mut Least) {
        let &Landing { rank, cost, .. } = landing;
        let range = self.labels.range(rank);
        let entries = self.labels.hubs[range.clone()].iter().zip(&self.labels.costs[range.clone()]);
        for (entry, (&hub, &rest)) in (range.start as u32..).zip(entries) {
            let units = hubs.cost(hub) + cost + u64::from(rest);
            least.improve(units, Place::Entry { rank, entry });
        }
    }

    /// The first half: climbs from the sources and notes how far hubs are.
    pub(super) fn depart(
        &self,
        sources: &[(u32, u32)],
        scratch: &mut HubScratch,
        observer: &mut impl Observer<NodeId>,
    ) {
        let HubScratch { start, hubs, nearest: [departures, _], .. } = scratch;
        start.climb(&self.hierarchy, self.floor(), sources, |rank, cost| {
            tell(observer, rank, cost);
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

    /// The second half: climbs from the targets and looks where they meet.
    pub(super) fn arrive(
        &self,
        targets: &[(u32, u32)],
        ahead: impl Fn(u32) -> Cost,
        scratch: &mut HubScratch,
        observer: &mut impl Observer<NodeId>,
    ) -> Option<Meeting> {
        let HubScratch { start, goal, hubs, crossing, nearest: [_, arrivals], .. } = scratch;
        let mut least = Least::NONE;
        goal.climb(&self.hierarchy, self.floor(), targets, |rank, cost| {
            tell(observer, rank, cost);
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

    /// The first rank without a label, or the first below the core: from there
    /// on ends climb.
    fn floor(&self) -> u32 {
        self.labels.top().max(self.hierarchy.core_size())
    }
}
