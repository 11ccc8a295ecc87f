//! Taking in any graph.

use super::ContractionError;
use crate::base::{Cost, NodeId};
use crate::graph::Graph;

/// The neighbours of every node and what the edges to them cost, sorted by
/// neighbour: no loops, no parallel edges, each edge given from both ends.
pub(super) type Rows = Vec<Vec<(u32, u32)>>;

/// Nodes that can be counted beside two ends of a path and none.
const MOST_NODES: usize = u32::MAX as usize - 2;

/// Reads a graph.
pub(super) fn read(graph: &impl Graph<Node = NodeId>) -> Result<Rows, ContractionError> {
    let nodes = graph.node_count();
    if nodes > MOST_NODES {
        return Err(ContractionError::TooManyNodes { nodes });
    }
    let rows = (0..nodes as u32).map(|from| read_arcs(graph, NodeId::new(from)));
    let rows = rows.collect::<Result<Rows, _>>()?;
    check_undirected(&rows)?;
    Ok(rows)
}

/// The arcs out of a node: the cheapest to each other node.
fn read_arcs(graph: &impl Graph<Node = NodeId>, from: NodeId) -> Result<Vec<(u32, u32)>, ContractionError> {
    let nodes = graph.node_count();
    let mut arcs = Vec::new();
    let mut bad = None;
    graph.for_each_arc(from, |to, cost| {
        if to.index() >= nodes {
            bad = Some(ContractionError::UnknownNode { from, to });
        } else if to != from {
            match u32::try_from(cost.units()) {
                Ok(units) if cost * nodes as u64 <= Cost::MAX => arcs.push((to.index() as u32, units)),
                _ => bad = Some(ContractionError::TooDear { from, to, cost }),
            }
        }
    });
    arcs.sort_unstable();
    arcs.dedup_by_key(|arc| arc.0);
    bad.map_or(Ok(arcs), Err)
}

fn check_undirected(rows: &Rows) -> Result<(), ContractionError> {
    for (from, row) in (0..).zip(rows) {
        for &(to, cost) in row {
            let back = &rows[to as usize];
            let at = back.binary_search_by_key(&from, |arc| arc.0);
            if !at.is_ok_and(|at| back[at].1 == cost) {
                return Err(ContractionError::Directed { from: NodeId::new(from), to: NodeId::new(to) });
            }
        }
    }
    Ok(())
}
