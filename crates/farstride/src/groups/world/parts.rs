//! The parts of a building: from every node of a part one gets to every other.

use super::kind::Kind;
use crate::base::Cost;
use crate::groups::interior::Interior;

/// Strongly connected components of a building's interior.
///
/// They are found in a small picture of it: its own nodes, and for each room
/// not its nodes but the parts of its type. So a building takes no more than
/// its own nodes and the parts of its rooms, however many nodes these have.
/// The *places* of the picture are in the order of their smallest nodes.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) count: u32,
    /// The part of every place: own nodes, then the parts of each room.
    pub(super) of_place: Box<[u32]>,
    /// Which parts lead to which others directly.
    pub(super) links: Box<[(u32, u32)]>,
}

impl Parts {
    /// The parts of a building whose rooms' types have theirs.
    pub(super) fn of(kinds: &[Kind], kind: &Kind) -> Self {
        let picture = Picture::of(kinds, kind);
        let of_place = picture.components();
        let count = of_place.iter().max().map_or(0, |&last| last + 1);
        let across = |&(tail, head): &(u32, u32)| (of_place[tail as usize], of_place[head as usize]);
        let mut links: Vec<_> = picture.arcs.iter().map(across).filter(|(tail, head)| tail != head).collect();
        links.sort_unstable();
        links.dedup();
        Self { count, of_place, links: links.into() }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.of_place) + size_of_val(&*self.links)
    }
}

/// Own nodes and parts of rooms, and the arcs between them.
struct Picture {
    places: u32,
    arcs: Vec<(u32, u32)>,
}

impl Picture {
    fn of(kinds: &[Kind], kind: &Kind) -> Self {
        let place = |local: u32| kind.part_place(kinds, local);
        let mut arcs = Vec::new();
        for tail in 0..kind.own {
            kind.for_each_arc(kinds, tail, 0, &mut |head, _| arcs.push((tail, place(head.index() as u32))));
        }
        arcs.extend(kind.ways_out.iter().map(|way| (place(way.inside), way.outside)));
        for room in &kind.rooms {
            let links = &kinds[room.kind as usize].parts.links;
            arcs.extend(links.iter().map(|(tail, head)| (room.first_part + tail, room.first_part + head)));
        }
        let parts_of =
            |room: &super::kind::RoomPlace| room.first_part + kinds[room.kind as usize].parts.count;
        let places = kind.rooms.last().map_or(kind.own, parts_of);
        Self { places, arcs }
    }

    /// The component of every place, numbered by their first places.
    fn components(&self) -> Box<[u32]> {
        let mut interior = Interior::default();
        interior.begin(self.places as usize);
        (0..self.places).for_each(|place| interior.add_member(place));
        for &(tail, head) in &self.arcs {
            interior.add_arc(tail, head, Cost::ZERO);
        }
        interior.find_parts();
        interior.parts().into()
    }
}
