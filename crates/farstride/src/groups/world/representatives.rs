//! The nodes that stand for the parts of a building.

use super::Building;
use super::kind::NO_WAY;
use crate::base::{Cost, NodeId};
use crate::graph::Graph;
use crate::search::{HeapQueue, Memory, dijkstra};

/// The node of each part with the most arcs, the first of several.
pub(super) fn representatives(building: Building<'_>) -> Box<[NodeId]> {
    let mut best = vec![(0_u32, None); building.part_count()];
    for node in (0..building.node_count() as u32).map(NodeId::new) {
        let mut arcs = 0;
        building.for_each_arc(node, |_, _| arcs += 1);
        let (most, chosen) = &mut best[building.part_of(node) as usize];
        if chosen.is_none() || arcs > *most {
            (*most, *chosen) = (arcs, Some(node));
        }
    }
    best.into_iter().filter_map(|(_, chosen)| chosen).collect()
}

/// Costs from these nodes to every exit, row by row.
pub(super) fn leaving(
    building: Building<'_>,
    representatives: &[NodeId],
    memory: &mut Memory<HeapQueue>,
) -> Box<[u64]> {
    let mut costs = Vec::with_capacity(representatives.len() * building.exits().len());
    for &node in representatives {
        dijkstra(&building, node, memory, &mut ());
        let known = |exit: &NodeId| memory.labels().known(exit.index());
        costs.extend(building.exits().iter().map(|exit| known(exit).map_or(NO_WAY, Cost::units)));
    }
    costs.into()
}
