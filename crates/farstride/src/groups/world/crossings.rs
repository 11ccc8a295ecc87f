//! What it costs to cross a building.

use super::WorldError;
use super::kind::{Kind, UNREACHABLE};
use crate::base::{Cost, NodeId};
use crate::graph::Graph;
use crate::search::{HeapQueue, Memory, Progress, dijkstra};

/// Costs from every exit of a building to every other, row by row. The types
/// of its rooms have theirs.
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
            match memory.labels().known(exit.index()) {
                Some(cost) => costs.push(cost.units()),
                None if progress == Progress::CostOverflow => {
                    let building = kind.name.to_string();
                    return Err(WorldError::CrossingTooDear { building, from, to });
                }
                None => costs.push(UNREACHABLE),
            }
        }
    }
    Ok(costs.into())
}

/// A building in which rooms are crossed in one go, but for those that have an
/// exit of the building where they have none themselves.
pub(super) struct Outline<'k> {
    kinds: &'k [Kind],
    kind: &'k Kind,
    /// Which rooms are seen in full.
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

    /// Where one gets to from the representative of a part, and at what cost: to
    /// itself, or, if it is in a room that is crossed in one go, to the exits of
    /// that.
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

    /// From an exit of a room to its others, and out of it.
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
