//! From a meeting to all nodes of a path.

use super::core::Core;
use super::index::HubIndex;
use super::labels::{EntryId, Onward};
use super::meet::{End, HubScratch, Meeting, Place};
use crate::contraction::{ContractionHierarchy, Rank};

/// The ends that a path joins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ends {
    /// Position of its first rank among the sources.
    pub(crate) source: usize,
    /// Position of its last rank among the targets.
    pub(crate) target: usize,
}

impl HubIndex {
    /// Writes the ranks of all nodes of the path that the last query with this
    /// scratch found ([`HubScratch::path`]), and returns which of the sources and
    /// targets it joins.
    ///
    /// Returns `None` if the path has more than `most` nodes. Where every edge
    /// costs something, a shortest path visits no node twice; a longer one means
    /// that somebody forged the hierarchy. Unfolding must stop then, because
    /// shortcuts of shortcuts grow exponentially.
    pub(crate) fn trace(
        &self,
        meeting: Meeting,
        most: usize,
        sources: &[End],
        targets: &[End],
        scratch: &mut HubScratch,
    ) -> Option<Ends> {
        let departure = self.departure(meeting, scratch)?;
        let HubScratch { start, goal, crossing, spine, path, arcs, .. } = scratch;
        spine.clear();
        // The part before the highest point is known from its upper end, so it is
        // collected backwards and turned around.
        if meeting.place == Place::Core {
            let core = Core { hierarchy: &self.hierarchy, start, goal };
            core.trace(crossing, |rank| spine.push(rank));
            spine.pop(); // where the start climbs to: `descend` begins with it
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
            spine.pop(); // the hub, which the start's half ends with already
            spine[top..].reverse();
        }
        let arrival = spine.pop()?;
        goal.descend(arrival, |rank| spine.push(rank));
        unfold(&self.hierarchy, most, spine, (path, arcs))?;
        let source = start.end_at(*spine.first()?, sources)?;
        let target = goal.end_at(*spine.last()?, targets)?;
        Some(Ends { source, target })
    }

    /// Finds how the start gets to the highest point of the path.
    ///
    /// A query remembers only the costs of hubs, not by which label each was
    /// reached, which would be one more write per entry. This looks at a few labels
    /// once, and only if a path is wanted.
    fn departure(&self, meeting: Meeting, scratch: &HubScratch) -> Option<Departure> {
        let HubScratch { start, goal, hubs, crossing, .. } = scratch;
        match meeting.place {
            Place::Rank(rank) => Some(Departure { rank, entry: None }),
            Place::Entry { entry, .. } => {
                let hub = self.labels.hub_of(entry);
                let cost = hubs.cost(hub);
                start.landings.iter().find_map(|&rank| {
                    let entry = self.labels.entry_of(rank, hub)?;
                    let units = start.reach.cost(rank) + u64::from(self.labels.cost_of(entry));
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

    /// Calls `visit` with the ranks after `rank` on the way to the hub of one of
    /// its entries.
    fn follow(&self, mut rank: Rank, mut entry: EntryId, mut visit: impl FnMut(Rank)) {
        while let Some(onward) = self.labels.onward(&self.hierarchy, rank, entry) {
            Onward { rank, entry, .. } = onward;
            visit(rank);
        }
    }
}

/// The rank that the start climbs to, and the entry of its label that leads on,
/// if the path does not end its climb there.
#[derive(Clone, Copy)]
struct Departure {
    rank: Rank,
    entry: Option<EntryId>,
}

/// Writes all ranks that the arcs between the ranks of `spine` stand for into
/// `path`. Returns `None` if there are more than `most`.
fn unfold(
    hierarchy: &ContractionHierarchy,
    most: usize,
    spine: &[Rank],
    (path, arcs): (&mut Vec<Rank>, &mut Vec<(Rank, Rank)>),
) -> Option<()> {
    path.clear();
    arcs.clear();
    path.extend(spine.first());
    for pair in spine.windows(2) {
        arcs.push((pair[0], pair[1]));
        while let Some((from, to)) = arcs.pop() {
            // Arcs are stored at their less important end, whichever way the path
            // takes them.
            let arc = hierarchy.arc_to(from.max(to), from.min(to));
            match arc.and_then(|arc| hierarchy.arcs()[arc].via()) {
                None if path.len() >= most => return None,
                None => path.push(to),
                Some(via) => arcs.extend([(via, to), (from, via)]),
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Cost;
    use crate::contraction::UpArc;
    use crate::hublabel::{HubLabels, LabelParts};

    /// Every arc costs what its halves cost, and each half is a shortcut again:
    /// a few hundred arcs would unfold into a thousand million ranks.
    #[test]
    fn a_forged_path_is_given_up_when_it_is_longer_than_there_are_nodes() {
        const RANKS: u32 = 31;
        let (mut first, mut arcs) = (vec![0], Vec::new());
        for rank in 0..RANKS {
            let over = rank + 1;
            let last = over == RANKS;
            let cost = 1 << (RANKS - over);
            let via = if last { Rank::NONE } else { Rank::new(over) };
            arcs.extend((0..rank).map(|head| UpArc { head: Rank::new(head), cost, via }));
            first.push(arcs.len() as u32);
        }
        let nodes = (0..RANKS).collect();
        let hierarchy = ContractionHierarchy::from_parts(0, nodes, first, arcs).unwrap();
        let none = LabelParts { first: vec![0], hubs: Vec::new(), costs: Vec::new(), steps: Vec::new() };
        let labels = HubLabels::from_parts(&hierarchy, none).unwrap();
        let index = HubIndex::of_parts(hierarchy, labels);
        let mut scratch = HubScratch::default();
        let mut trace = |from: u32| {
            let (from, to) = ([(Rank::new(from), 0)], [(Rank::new(0), 0)]);
            let bound = |_| Cost::ZERO;
            let meeting = index.meet(&from, &to, (bound, bound), &mut scratch, &mut ()).unwrap();
            let ends = index.trace(meeting, RANKS as usize, &from, &to, &mut scratch);
            (ends.is_some(), scratch.path.len())
        };
        assert_eq!(trace(1), (false, RANKS as usize));
        assert_eq!(trace(RANKS - 1), (true, 2));
    }
}
