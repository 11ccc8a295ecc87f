//! From where a path is highest to all of its nodes.

use super::core::Core;
use super::index::HubIndex;
use super::labels::Onward;
use super::meet::{HubScratch, Meeting, Place};
use crate::contraction::{ContractionHierarchy, UpArc};

/// Which ends a path has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ends {
    /// Place of its first rank among the sources.
    pub(crate) source: usize,
    /// Place of its last rank among the targets.
    pub(crate) target: usize,
}

impl HubIndex {
    /// Writes the ranks of all nodes of the path that the last query with this
    /// scratch found ([`HubScratch::path`]); which of the sources and targets it
    /// joins.
    pub(crate) fn trace(
        &self,
        meeting: Meeting,
        sources: &[(u32, u32)],
        targets: &[(u32, u32)],
        scratch: &mut HubScratch,
    ) -> Option<Ends> {
        let departure = self.departure(meeting, scratch)?;
        let HubScratch { start, goal, crossing, spine, path, arcs, .. } = scratch;
        spine.clear();
        if meeting.place == Place::Core {
            let core = Core { hierarchy: &self.hierarchy, start, goal };
            core.trace(crossing, |rank| spine.push(rank));
            spine.pop(); // where the start climbs to
        }
        start.descend(departure.rank, |rank| spine.push(rank));
        spine.reverse();
        if let Place::Entry { rank, entry } = meeting.place {
            if let Some(entry) = departure.entry {
                self.follow(departure.rank, entry, |rank| spine.push(rank));
            }
            let top = spine.len();
            spine.push(rank);
            self.follow(rank, entry, |rank| spine.push(rank));
            spine.pop(); // the hub, which is there already
            spine[top..].reverse();
        }
        let arrival = spine.pop()?;
        goal.descend(arrival, |rank| spine.push(rank));
        unfold(&self.hierarchy, spine, path, arcs);
        let source = start.end_at(*spine.first()?, sources)?;
        let target = goal.end_at(*spine.last()?, targets)?;
        Some(Ends { source, target })
    }

    /// How the start gets to where the path is highest.
    fn departure(&self, meeting: Meeting, scratch: &HubScratch) -> Option<Departure> {
        let HubScratch { start, goal, hubs, crossing, .. } = scratch;
        match meeting.place {
            Place::Rank(rank) => Some(Departure { rank, entry: None }),
            Place::Entry { entry, .. } => {
                let hub = self.labels.hubs[entry as usize];
                let cost = hubs.cost(hub);
                start.landings.iter().find_map(|&rank| {
                    let entry = self.labels.entry_of(rank, hub)?;
                    let units = start.reach.cost(rank) + u64::from(self.labels.costs[entry as usize]);
                    (units == cost).then_some(Departure { rank, entry: Some(entry) })
                })
            }
            Place::Core => {
                let mut first = None;
                let core = Core { hierarchy: &self.hierarchy, start, goal };
                core.trace(crossing, |rank| first = Some(rank));
                first.map(|rank| Departure { rank, entry: None })
            }
        }
    }

    /// Calls `visit` with the ranks by which an entry of a rank leads to its hub.
    fn follow(&self, mut rank: u32, mut entry: u32, mut visit: impl FnMut(u32)) {
        while let Some(onward) = self.labels.onward(&self.hierarchy, rank, entry) {
            Onward { rank, entry, .. } = onward;
            visit(rank);
        }
    }
}

/// The rank that the start climbs to, and its entry by which the path goes on if
/// there is one.
#[derive(Clone, Copy)]
struct Departure {
    rank: u32,
    entry: Option<u32>,
}

/// Writes all ranks that the arcs from rank to rank of a path lead over.
fn unfold(hierarchy: &ContractionHierarchy, spine: &[u32], path: &mut Vec<u32>, arcs: &mut Vec<(u32, u32)>) {
    path.clear();
    path.extend(spine.first());
    for pair in spine.windows(2) {
        arcs.push((pair[0], pair[1]));
        while let Some((from, to)) = arcs.pop() {
            let arc = hierarchy.arc_to(from.max(to), from.min(to));
            match arc.map_or(UpArc::NONE, |arc| hierarchy.arcs()[arc].via) {
                UpArc::NONE => path.push(to),
                via => arcs.extend([(via, to), (from, via)]),
            }
        }
    }
}
