//! What it costs to cross a building.

use super::WorldError;
use super::kind::{Kind, UNREACHABLE};
use crate::base::{Cost, NodeId};
use crate::graph::Graph;
use crate::search::{HeapQueue, Memory, SearchStatus, dijkstra};

/// Computes the costs from every exit of a building to every other, row by row. The
/// types of its rooms must have theirs.
///
/// # Errors
/// [`WorldError::CrossingTooDear`] if a cost exceeds [`Cost::MAX`].
pub(super) fn crossings(
    kinds: &[Kind],
    kind: &Kind,
    memory: &mut Memory<HeapQueue>,
) -> Result<Box<[u64]>, WorldError> {
    let outline = Outline::new(kinds, kind);
    let mut costs = Vec::with_capacity(kind.exits.len() * kind.exits.len());
    for (from, &start) in (0..).zip(&kind.exits) {
        let progress = dijkstra(&outline, start, memory, &mut ());
        for (to, exit) in (0..).zip(&kind.exits) {
            match memory.cost(exit.index()) {
                Some(cost) => costs.push(cost.units()),
                // Not found because of an overflow is not the same as unreachable:
                // refuse the design instead of storing a wrong answer.
                None if progress == SearchStatus::CostOverflow => {
                    let building = kind.name.to_string();
                    return Err(WorldError::CrossingTooDear { building, from, to });
                }
                None => costs.push(UNREACHABLE),
            }
        }
    }
    Ok(costs.into())
}

/// A building whose rooms are crossed from exit to exit in one step, by the crossings
/// of their types.
///
/// A room is *expanded* instead, and searched node by node, if an exit of the building
/// lies in it where the room's type has none: crossings do not lead there.
pub(super) struct Outline<'k> {
    kinds: &'k [Kind],
    kind: &'k Kind,
    /// Whether each room is expanded.
    is_expanded: Vec<bool>,
}

impl<'k> Outline<'k> {
    pub(super) fn new(kinds: &'k [Kind], kind: &'k Kind) -> Self {
        let mut is_expanded = vec![false; kind.rooms.len()];
        for exit in kind.exits.iter().map(|exit| exit.index() as u32).filter(|&exit| exit >= kind.own_nodes) {
            let at = kind.room_at(exit);
            let room = &kind.rooms[at];
            is_expanded[at] |= kinds[room.kind.index()].exit_at(exit - room.offset).is_none();
        }
        Self { kinds, kind, is_expanded }
    }

    /// The nodes where a search from a representative begins, with their costs: the
    /// representative itself or, in a room that is not expanded, the exits of that
    /// room.
    pub(super) fn starts(&self, representative: NodeId) -> Vec<(NodeId, Cost)> {
        let local = representative.index() as u32;
        if local < self.kind.own_nodes || self.is_expanded[self.kind.room_at(local)] {
            return vec![(representative, Cost::ZERO)];
        }
        let room = &self.kind.rooms[self.kind.room_at(local)];
        let inner = &self.kinds[room.kind.index()];
        let part = inner.part_of(self.kinds, local - room.offset);
        let start = |(number, exit): (u32, &NodeId)| {
            let cost = inner.leaving(part.raw(), number)?;
            Some((NodeId::new(room.offset + exit.index() as u32), cost))
        };
        (0..).zip(&inner.exits).filter_map(start).collect()
    }

    /// Calls `visit` with the arcs of a room's exit: to the room's other exits, and out
    /// of the room.
    fn for_each_crossing(&self, at: usize, local: u32, mut visit: impl FnMut(NodeId, Cost)) {
        let room = &self.kind.rooms[at];
        let inner = &self.kinds[room.kind.index()];
        let Some(from) = inner.exit_at(local - room.offset) else { return };
        for (to, exit) in (0..).zip(&inner.exits) {
            if let Some(cost) = inner.crossing(from, to) {
                visit(NodeId::new(room.offset + exit.index() as u32), cost);
            }
        }
        for way in self.kind.doors_out_at(local) {
            visit(NodeId::new(way.outside), way.cost);
        }
    }
}

impl Graph for Outline<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.kind.node_count as usize
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let local = node.index() as u32;
        if local >= self.kind.own_nodes {
            let at = self.kind.room_at(local);
            if !self.is_expanded[at] {
                return self.for_each_crossing(at, local, visit);
            }
        }
        self.kind.for_each_arc(self.kinds, local, 0, &mut visit);
    }
}
