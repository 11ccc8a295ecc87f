//! The parts of a building: from every node of a part one gets to every other.

use super::kind::Kind;

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
        Self { count, of_place: of_place.into(), links: links.into() }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.of_place) + size_of_val(&*self.links)
    }
}

/// Own nodes and parts of rooms, and the arcs between them sorted by tail.
struct Picture {
    first: Vec<u32>,
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
        arcs.sort_unstable();
        let parts_of =
            |room: &super::kind::RoomPlace| room.first_part + kinds[room.kind as usize].parts.count;
        let places = kind.rooms.last().map_or(kind.own, parts_of);
        let mut first = vec![0; places as usize + 1];
        for &(tail, _) in &arcs {
            first[tail as usize + 1] += 1;
        }
        for place in 0..places as usize {
            first[place + 1] += first[place];
        }
        Self { first, arcs }
    }

    /// The component of every place, numbered by their first places.
    ///
    /// Tarjan 1972, with a stack of its own: rooms may follow each other in
    /// long rows.
    fn components(&self) -> Vec<u32> {
        let places = self.first.len() - 1;
        let mut walk = Walk::new(self, places);
        for place in 0..places as u32 {
            if walk.order[place as usize] == NONE {
                walk.from(place);
            }
        }
        let mut names = vec![NONE; walk.found as usize];
        let mut next = 0;
        for component in &mut walk.component {
            let name = &mut names[*component as usize];
            if *name == NONE {
                *name = next;
                next += 1;
            }
            *component = *name;
        }
        walk.component
    }
}

/// Not seen, or not known yet.
const NONE: u32 = u32::MAX;

/// A walk in depth through a picture.
struct Walk<'p> {
    picture: &'p Picture,
    /// When each place was seen first.
    order: Vec<u32>,
    /// The earliest place of no known component that each place leads to.
    low: Vec<u32>,
    component: Vec<u32>,
    /// Places seen whose component is not known.
    pending: Vec<u32>,
    /// Places on the way to the last one, and the next arc of each.
    way: Vec<(u32, u32)>,
    seen: u32,
    found: u32,
}

impl<'p> Walk<'p> {
    fn new(picture: &'p Picture, places: usize) -> Self {
        let [order, low, component] = [(); 3].map(|()| vec![NONE; places]);
        Self { picture, order, low, component, pending: Vec::new(), way: Vec::new(), seen: 0, found: 0 }
    }

    /// Sees everything that `start` leads to.
    fn from(&mut self, start: u32) {
        self.enter(start);
        while let Some((place, arc)) = self.way.pop() {
            if arc == self.picture.first[place as usize + 1] {
                self.leave(place);
                continue;
            }
            self.way.push((place, arc + 1));
            let head = self.picture.arcs[arc as usize].1;
            if self.order[head as usize] == NONE {
                self.enter(head);
            } else if self.component[head as usize] == NONE {
                self.lower(place, self.order[head as usize]);
            }
        }
    }

    fn enter(&mut self, place: u32) {
        self.order[place as usize] = self.seen;
        self.low[place as usize] = self.seen;
        self.seen += 1;
        self.pending.push(place);
        self.way.push((place, self.picture.first[place as usize]));
    }

    fn lower(&mut self, place: u32, low: u32) {
        let entry = &mut self.low[place as usize];
        *entry = low.min(*entry);
    }

    /// All that a place leads to has been seen.
    fn leave(&mut self, place: u32) {
        let low = self.low[place as usize];
        if let Some(&(before, _)) = self.way.last() {
            self.lower(before, low);
        }
        if low < self.order[place as usize] {
            return;
        }
        while let Some(member) = self.pending.pop() {
            self.component[member as usize] = self.found;
            if member == place {
                break;
            }
        }
        self.found += 1;
    }
}
