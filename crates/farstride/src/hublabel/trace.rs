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
    /// joins. `None` if these are more than `most`: where every edge costs
    /// something, a shortest path has no more nodes than there are, unless
    /// somebody forged the hierarchy.
    pub(crate) fn trace(
        &self,
        meeting: Meeting,
        most: usize,
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
        unfold(&self.hierarchy, most, spine, (path, arcs))?;
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

/// Writes all ranks that the arcs from rank to rank of a path lead over. `None`
/// if these are more than `most`.
fn unfold(
    hierarchy: &ContractionHierarchy,
    most: usize,
    spine: &[u32],
    (path, arcs): (&mut Vec<u32>, &mut Vec<(u32, u32)>),
) -> Option<()> {
    path.clear();
    arcs.clear();
    path.extend(spine.first());
    for pair in spine.windows(2) {
        arcs.push((pair[0], pair[1]));
        while let Some((from, to)) = arcs.pop() {
            let arc = hierarchy.arc_to(from.max(to), from.min(to));
            match arc.map_or(UpArc::NONE, |arc| hierarchy.arcs()[arc].via) {
                UpArc::NONE if path.len() >= most => return None,
                UpArc::NONE => path.push(to),
                via => arcs.extend([(via, to), (from, via)]),
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Cost;
    use crate::hublabel::{HubLabels, LabelParts};

    /// Arcs that are the sums of their halves, each of which leads over two
    /// others: a few hundred would unfold into a thousand million ranks.
    #[test]
    fn a_forged_path_is_given_up_when_it_is_longer_than_there_are_nodes() {
        const RANKS: u32 = 31;
        let (mut first, mut arcs) = (vec![0], Vec::new());
        for rank in 0..RANKS {
            let over = rank + 1;
            let last = over == RANKS;
            let cost = 1 << (RANKS - over);
            let via = if last { UpArc::NONE } else { over };
            arcs.extend((0..rank).map(|head| UpArc { head, cost, via }));
            first.push(arcs.len() as u32);
        }
        let nodes = (0..RANKS).collect();
        let hierarchy = ContractionHierarchy::from_parts(0, nodes, first, arcs).unwrap();
        let none = LabelParts { first: vec![0], hubs: Vec::new(), costs: Vec::new(), steps: Vec::new() };
        let labels = HubLabels::from_parts(&hierarchy, none).unwrap();
        let index = HubIndex::of_parts(hierarchy, labels);
        let mut scratch = HubScratch::default();
        let mut trace = |from: u32| {
            let (from, to) = ([(from, 0)], [(0, 0)]);
            let bound = |_| Cost::ZERO;
            let meeting = index.meet(&from, &to, (bound, bound), &mut scratch, &mut ()).unwrap();
            let ends = index.trace(meeting, RANKS as usize, &from, &to, &mut scratch);
            (ends.is_some(), scratch.path.len())
        };
        assert_eq!(trace(1), (false, RANKS as usize));
        assert_eq!(trace(RANKS - 1), (true, 2));
    }
}
