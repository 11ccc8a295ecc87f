//! A building type in the form that searches read.

use super::TypeId;
use super::parts::Parts;
use crate::base::{Cost, NodeId};
use crate::groups::part::LocalPart;

/// Marks the row of a node that is an exit of its type or, where that is the type of a
/// room, of some building around the room. Only these nodes can have doors: searches
/// look no further at all others.
///
/// It is the top bit of the row's start, so that reading the row reads it, too.
pub(super) const MAYBE_EXIT: u32 = 1 << 31;

/// A building type. Heads and exits are numbers within the whole building.
///
/// # Invariants
///
/// 1. `rows` has one entry per own node and one more. Without the marks, they start at
///    0, never fall, and end with the number of arcs.
/// 2. The arcs of a node are sorted by head, then by cost: arcs to own nodes come
///    before those into rooms.
/// 3. Rooms follow each other without gaps from `own_nodes` to `node_count`.
/// 4. `doors_out` is sorted by the exit node of the room; doors at the same node are in
///    the order of the design.
/// 5. `exits_by_node` lists the exits sorted by node.
#[derive(Debug)]
pub(super) struct Kind {
    /// Own node `n` has `arcs[rows[n]..rows[n + 1]]` (1).
    pub(super) rows: Box<[u32]>,
    pub(super) arcs: Box<[(NodeId, Cost)]>, // (2)
    /// Number of own nodes, without those of rooms.
    pub(super) own_nodes: u32,
    pub(super) rooms: Box<[RoomPlace]>,        // (3)
    pub(super) doors_out: Box<[DoorOut]>,      // (4)
    pub(super) exits_by_node: Box<[ExitNode]>, // (5)
    pub(super) exits: Box<[NodeId]>,
    pub(super) node_count: u32,
    pub(super) name: Box<str>,
    pub(super) parts: Parts,
    /// Costs from exit to exit, row by row, or [`UNREACHABLE`].
    pub(super) crossings: Box<[u64]>,
    /// The representative of each part.
    pub(super) representatives: Box<[NodeId]>,
    /// Costs from each representative to every exit, row by row, or [`UNREACHABLE`].
    pub(super) leaving: Box<[u64]>,
}

/// No way leads to that exit.
pub(super) const UNREACHABLE: u64 = u64::MAX;

/// An exit: its node, and its position in the design's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ExitNode {
    pub(super) node: u32,
    pub(super) exit: u32,
}

/// Where a room lies in its building.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoomPlace {
    /// The number of its first node.
    pub(super) offset: u32,
    pub(super) kind: TypeId,
    /// The slot of its first part in the building's [`Parts`].
    pub(super) first_part_slot: u32,
}

/// A door of a room in the direction out of it. Doors into rooms are among the arcs.
#[derive(Clone, Copy, Debug)]
pub(super) struct DoorOut {
    /// The exit node, numbered as in the surrounding building.
    pub(super) inside: u32,
    /// The own node of that building.
    pub(super) outside: u32,
    pub(super) cost: Cost,
}

impl Kind {
    /// The index of the exit at a node.
    #[inline]
    pub(super) fn exit_at(&self, local: u32) -> Option<u32> {
        let at = self.exits_by_node.binary_search_by_key(&local, |exit| exit.node).ok()?;
        Some(self.exits_by_node[at].exit)
    }

    /// The index of the room of a node that is not an own node.
    #[inline]
    pub(super) fn room_at(&self, local: u32) -> usize {
        self.rooms.partition_point(|room| room.offset <= local) - 1
    }

    /// The doors out of a room at one of its exit nodes.
    #[inline]
    pub(super) fn doors_out_at(&self, local: u32) -> &[DoorOut] {
        let first = self.doors_out.partition_point(|way| way.inside < local);
        let count = self.doors_out[first..].iter().take_while(|way| way.inside == local).count();
        &self.doors_out[first..first + count]
    }

    /// Cost from one exit to another inside the building.
    pub(super) fn crossing(&self, from: u32, to: u32) -> Option<Cost> {
        self.cost_to_exit(&self.crossings, from, to)
    }

    /// Cost from the representative of a part to an exit.
    pub(super) fn leaving(&self, part: u32, to: u32) -> Option<Cost> {
        self.cost_to_exit(&self.leaving, part, to)
    }

    fn cost_to_exit(&self, rows: &[u64], row: u32, exit: u32) -> Option<Cost> {
        let exits = self.exits.len();
        // Without this check an exit that does not exist would read from the next row.
        if exit as usize >= exits {
            return None;
        }
        let units = rows.get(row as usize * exits + exit as usize);
        units.copied().filter(|&units| units != UNREACHABLE).map(Cost::from_units)
    }

    /// Calls `visit` with the arcs of an own node, heads moved by `offset`; returns
    /// whether the node may be an exit.
    #[inline]
    fn for_each_own_arc(&self, local: u32, offset: u32, visit: &mut impl FnMut(NodeId, Cost)) -> bool {
        let &[first, end] = &self.rows[local as usize..local as usize + 2] else { return false };
        for &(head, cost) in &self.arcs[(first & !MAYBE_EXIT) as usize..(end & !MAYBE_EXIT) as usize] {
            visit(NodeId::new(offset + head.index() as u32), cost);
        }
        first & MAYBE_EXIT != 0
    }

    /// The innermost room in which a node lies, or the building itself: its type, the
    /// node's number there, and the offset of that type's nodes.
    #[inline]
    fn innermost<'k>(&'k self, kinds: &'k [Self], mut local: u32) -> (&'k Self, u32, u32) {
        // A loop instead of recursion: this runs at every expansion inside a building.
        let (mut kind, mut offset) = (self, 0);
        while local >= kind.own_nodes {
            let room = &kind.rooms[kind.room_at(local)];
            local -= room.offset;
            offset += room.offset;
            kind = &kinds[room.kind.index()];
        }
        (kind, local, offset)
    }

    /// Calls `visit` with the arcs of a node that stay inside the building, heads moved
    /// by `offset`; returns whether the node may be an exit.
    ///
    /// Own arcs come first, then doors of rooms from the innermost outwards.
    #[inline]
    pub(super) fn for_each_arc(
        &self,
        kinds: &[Self],
        local: u32,
        offset: u32,
        visit: &mut impl FnMut(NodeId, Cost),
    ) -> bool {
        let (kind, own_node, within) = self.innermost(kinds, local);
        let may_be_exit = kind.for_each_own_arc(own_node, offset + within, visit);
        if may_be_exit && local >= self.own_nodes {
            self.for_each_room_door(kinds, local, offset, visit);
        }
        may_be_exit
    }

    /// Calls `visit` with the doors out of all rooms in which a node lies.
    fn for_each_room_door(
        &self,
        kinds: &[Self],
        local: u32,
        offset: u32,
        visit: &mut impl FnMut(NodeId, Cost),
    ) {
        if local < self.own_nodes {
            return;
        }
        let room = &self.rooms[self.room_at(local)];
        let kind = &kinds[room.kind.index()];
        kind.for_each_room_door(kinds, local - room.offset, offset + room.offset, visit);
        for way in self.doors_out_at(local) {
            visit(NodeId::new(offset + way.outside), way.cost);
        }
    }

    /// The slot of [`Parts`] that holds the part of a node.
    pub(super) fn part_slot(&self, kinds: &[Self], local: u32) -> u32 {
        if local < self.own_nodes {
            return local;
        }
        let room = &self.rooms[self.room_at(local)];
        room.first_part_slot + kinds[room.kind.index()].part_of(kinds, local - room.offset).raw()
    }

    /// The part of a node.
    pub(super) fn part_of(&self, kinds: &[Self], local: u32) -> LocalPart {
        self.parts.of_slot[self.part_slot(kinds, local) as usize]
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.rows)
            + size_of_val(&*self.arcs)
            + size_of_val(&*self.rooms)
            + size_of_val(&*self.doors_out)
            + size_of_val(&*self.exits_by_node)
            + size_of_val(&*self.exits)
            + self.name.len()
            + self.parts.memory_bytes()
            + size_of_val(&*self.crossings)
            + size_of_val(&*self.representatives)
            + size_of_val(&*self.leaving)
    }
}
