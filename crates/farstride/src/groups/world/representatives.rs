//! The representatives of a building's parts.

use super::crossings::Outline;
use super::kind::{Kind, UNREACHABLE};
use crate::base::{Cost, NodeId};
use crate::search::{HeapQueue, Memory, dijkstra};

/// Chooses the own node of each part with the most arcs, the first of equals. A part
/// without own nodes takes the representative of a room in it, which that room's type
/// has chosen: no node of a room is looked at.
pub(super) fn representatives(kinds: &[Kind], kind: &Kind) -> Box<[NodeId]> {
    let mut chosen = vec![None; kind.parts.count as usize];
    let mut most = vec![0; chosen.len()];
    for node in 0..kind.own_nodes {
        let part = kind.parts.of_slot[node as usize].index();
        let mut arcs = 0;
        kind.for_each_arc(kinds, node, 0, &mut |_, _| arcs += 1);
        if chosen[part].is_none() || arcs > most[part] {
            (most[part], chosen[part]) = (arcs, Some(NodeId::new(node)));
        }
    }
    for room in &kind.rooms {
        for (slot, &inner) in (room.first_part_slot..).zip(&kinds[room.kind.index()].representatives) {
            let part = kind.parts.of_slot[slot as usize].index();
            // Only if the part has no own node: these were entered before.
            chosen[part].get_or_insert(NodeId::new(room.offset + inner.index() as u32));
        }
    }
    chosen.into_iter().flatten().collect()
}

/// Computes the costs from each representative to every exit, row by row.
pub(super) fn leaving(
    kinds: &[Kind],
    kind: &Kind,
    representatives: &[NodeId],
    memory: &mut Memory<HeapQueue>,
) -> Box<[u64]> {
    let outline = Outline::new(kinds, kind);
    let mut costs = vec![UNREACHABLE; representatives.len() * kind.exits.len()];
    for (row, &node) in costs.chunks_mut(kind.exits.len().max(1)).zip(representatives) {
        for (start, before) in outline.starts(node) {
            dijkstra(&outline, start, memory, &mut ());
            for (cost, exit) in row.iter_mut().zip(&kind.exits) {
                let known = memory.cost(exit.index()).map(|cost| cost + before);
                *cost =
                    known.filter(|&known| known <= Cost::MAX).map_or(*cost, |known| known.units().min(*cost));
            }
        }
    }
    costs.into()
}
