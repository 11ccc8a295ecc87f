//! The parts of a building type.

use super::kind::{Kind, RoomPlace};
use crate::base::Cost;
use crate::groups::interior::Interior;
use crate::groups::part::LocalPart;

/// The strongly connected components of a building's interior.
///
/// They are found in a condensed graph of *slots*: a slot for each own node and, for
/// each room, one for every part of the room's type instead of its nodes. So the work
/// depends on the building's own nodes and the parts of its rooms, however large these
/// are.
///
/// Slots are in the order of their smallest nodes, which numbers the parts as if they
/// had been found node by node.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) count: u32,
    /// The part of every slot: own nodes first, then the parts of each room.
    pub(super) of_slot: Box<[LocalPart]>,
    /// The pairs of parts that are joined by an arc, sorted. Surrounding buildings need
    /// them for their own condensed graphs.
    pub(super) links: Box<[PartLink]>,
}

/// Some node of one part has an arc to some node of another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct PartLink {
    pub(super) from: LocalPart,
    pub(super) to: LocalPart,
}

impl Parts {
    /// Finds the parts of a building. The types of its rooms must have theirs.
    pub(super) fn of(kinds: &[Kind], kind: &Kind) -> Self {
        let condensed = Condensed::of(kinds, kind);
        let of_slot = condensed.components();
        let count = of_slot.iter().max().map_or(0, |last| last.raw() + 1);
        let part_link =
            |arc: &SlotArc| PartLink { from: of_slot[arc.tail as usize], to: of_slot[arc.head as usize] };
        let links = condensed.arcs.iter().map(part_link);
        let mut links: Vec<_> = links.filter(|link| link.from != link.to).collect();
        links.sort_unstable();
        links.dedup();
        Self { count, of_slot, links: links.into() }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.of_slot) + size_of_val(&*self.links)
    }
}

/// The condensed graph of a building.
struct Condensed {
    slots: u32,
    arcs: Vec<SlotArc>,
}

/// An arc between two slots.
#[derive(Clone, Copy)]
struct SlotArc {
    tail: u32,
    head: u32,
}

impl Condensed {
    fn of(kinds: &[Kind], kind: &Kind) -> Self {
        let slot = |local: u32| kind.part_slot(kinds, local);
        let mut arcs = Vec::new();
        for tail in 0..kind.own_nodes {
            kind.for_each_arc(kinds, tail, 0, &mut |head, _| {
                arcs.push(SlotArc { tail, head: slot(head.index() as u32) });
            });
        }
        // The arcs of own nodes include the doors into rooms, but not those out of them.
        arcs.extend(
            kind.doors_out.iter().map(|door| SlotArc { tail: slot(door.inside), head: door.outside }),
        );
        for room in &kind.rooms {
            let links = &kinds[room.kind.index()].parts.links;
            let slot = |part: LocalPart| room.first_part_slot + part.raw();
            arcs.extend(links.iter().map(|link| SlotArc { tail: slot(link.from), head: slot(link.to) }));
        }
        let end = |room: &RoomPlace| room.first_part_slot + kinds[room.kind.index()].parts.count;
        let slots = kind.rooms.last().map_or(kind.own_nodes, end);
        Self { slots, arcs }
    }

    /// Returns the component of every slot, numbered in the order of their first slots.
    fn components(&self) -> Box<[LocalPart]> {
        let mut interior = Interior::default();
        interior.begin(self.slots as usize);
        (0..self.slots).for_each(|slot| interior.add_member(slot));
        for &SlotArc { tail, head } in &self.arcs {
            interior.add_arc(tail, head, Cost::ZERO);
        }
        interior.find_parts();
        interior.parts().into()
    }
}
