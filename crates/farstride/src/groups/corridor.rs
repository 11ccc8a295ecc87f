//! The parts of the graph that a plan leads through, and nothing else.

use super::interior::VACANT;
use super::level::Level;
use super::{GroupId, Grouping};
use crate::base::{Cost, NodeId};
use crate::graph::Graph;

/// A set of numbers that is emptied in constant time.
#[derive(Debug, Default)]
pub(super) struct Marks {
    stamps: Vec<u32>,
    now: u32,
}

impl Marks {
    /// Empties the set and makes room for numbers below `count`.
    pub(super) fn begin(&mut self, count: usize) {
        if self.stamps.len() < count {
            self.stamps.resize(count, 0);
        }
        if self.now == u32::MAX {
            self.stamps.fill(0);
            self.now = 0;
        }
        self.now += 1;
    }

    pub(super) fn insert(&mut self, number: u32) {
        if let Some(stamp) = self.stamps.get_mut(number as usize) {
            *stamp = self.now;
        }
    }

    #[inline]
    pub(super) fn contains(&self, number: u32) -> bool {
        self.stamps.get(number as usize) == Some(&self.now)
    }
}

/// Nodes of a stretch of numbers that belong to one part.
const STRETCH: usize = 64;

/// Which parts of the first level are in a corridor, and how their nodes are
/// numbered there: few numbers, so that a search touches little memory however
/// large the world is.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    marks: Marks,
    /// For each marked part, its place in the list.
    room_of: Vec<u32>,
    list: Vec<Room>,
    /// The room of each stretch of numbers.
    stretches: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Room {
    part: u32,
    group: GroupId,
    first: u32,
}

impl Rooms {
    /// Empties the corridor.
    pub(super) fn begin(&mut self, level: &Level) {
        self.marks.begin(level.part_count());
        if self.room_of.len() < level.part_count() {
            self.room_of.resize(level.part_count(), 0);
        }
        self.list.clear();
        self.stretches.clear();
    }

    /// Adds a part that has so many places.
    pub(super) fn add(&mut self, level: &Level, part: u32, places: usize) {
        if self.marks.contains(part) {
            return;
        }
        self.marks.insert(part);
        let room = self.list.len() as u32;
        self.room_of[part as usize] = room;
        let first = (self.stretches.len() * STRETCH) as u32;
        let group = GroupId::new(level.group_of[part as usize]);
        self.list.push(Room { part, group, first });
        self.stretches.extend(std::iter::repeat_n(room, places.div_ceil(STRETCH)));
    }
}

/// A graph without the nodes outside some parts of its groups. Its nodes have
/// numbers of their own.
pub(super) struct Corridor<'a, G, P> {
    pub(super) graph: &'a G,
    pub(super) groups: &'a P,
    pub(super) level: &'a Level,
    pub(super) rooms: &'a Rooms,
}

impl<G: Graph, P: Grouping<G::Node>> Corridor<'_, G, P> {
    /// The number of a node, if it is in the corridor.
    #[inline]
    pub(super) fn number(&self, node: G::Node) -> Option<NodeId> {
        let (group, place) = self.groups.locate(node);
        let part = self.level.part_at(self.groups, group, place);
        if !self.rooms.marks.contains(part) {
            return None;
        }
        let room = &self.rooms.list[self.rooms.room_of[part as usize] as usize];
        Some(NodeId::new(room.first + place as u32))
    }

    fn room(&self, number: NodeId) -> Room {
        self.rooms.list[self.rooms.stretches[number.index() / STRETCH] as usize]
    }

    /// The node with a number.
    #[inline]
    pub(super) fn node(&self, number: NodeId) -> G::Node {
        let room = self.room(number);
        self.groups.node_at(room.group, number.index() - room.first as usize)
    }

    /// The part in which the node with a number lies.
    #[inline]
    pub(super) fn part(&self, number: NodeId) -> u32 {
        self.room(number).part
    }
}

impl<G: Graph, P: Grouping<G::Node>> Graph for Corridor<'_, G, P> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.rooms.stretches.len() * STRETCH
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        self.graph.for_each_arc(self.node(node), |head, cost| {
            if let Some(head) = self.number(head) {
                visit(head, cost);
            }
        });
    }
}

/// A level without the parts that lie outside some parts of the level above.
pub(super) struct Confined<'a> {
    pub(super) level: &'a Level,
    /// The parts above, unless all are wanted.
    pub(super) within: Option<&'a Marks>,
}

impl Graph for Confined<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.level.part_count()
    }

    #[inline]
    fn index(&self, part: NodeId) -> usize {
        part.index()
    }

    #[inline]
    fn for_each_arc(&self, part: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for arc in &self.level.arcs[part.index()] {
            let above = || self.level.above.get(arc.to as usize).copied().unwrap_or(VACANT);
            if self.within.is_none_or(|within| within.contains(above())) {
                visit(NodeId::new(arc.to), arc.cost);
            }
        }
    }
}
