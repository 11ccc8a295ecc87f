//! Reading and checking the graph to contract.

use crate::base::crew::Watch;
use crate::base::{Cost, NodeId};
use crate::graph::{Graph, PrepareError};

/// The neighbours of every node with the costs of the edges to them, sorted by
/// neighbour: no loops, no parallel edges, each edge listed at both ends.
pub(super) type Rows = Vec<Vec<(NodeId, u32)>>;

/// Largest number of nodes. A search of the core adds two nodes for the ends of
/// a path, and `u32::MAX` stands for none.
const MOST_NODES: usize = u32::MAX as usize - 2;
/// Number of nodes read between two checks for cancelling: well below a
/// millisecond.
const CHECK_EVERY: u32 = 1 << 10;

/// Copies a graph into rows.
///
/// # Errors
/// [`PrepareError`] if the graph is directed, too large, too dear, or has
/// an arc to an unknown node, or once `watch` cancels.
pub(super) fn read(graph: &impl Graph<Node = NodeId>, watch: Watch<'_>) -> Result<Rows, PrepareError> {
    let nodes = graph.node_count();
    if nodes > MOST_NODES {
        return Err(PrepareError::TooManyNodes { nodes, most: MOST_NODES });
    }
    let mut rows = Vec::with_capacity(nodes);
    for from in 0..nodes as u32 {
        if from % CHECK_EVERY == 0 {
            watch.check()?;
        }
        rows.push(read_arcs(graph, NodeId::new(from))?);
    }
    check_undirected(&rows)?;
    Ok(rows)
}

/// The arcs out of a node, the cheapest to each other node.
fn read_arcs(graph: &impl Graph<Node = NodeId>, from: NodeId) -> Result<Vec<(NodeId, u32)>, PrepareError> {
    let nodes = graph.node_count();
    let mut arcs = Vec::new();
    let mut bad = None;
    graph.for_each_arc(from, |to, cost| {
        if to.index() >= nodes {
            bad = Some(PrepareError::UnknownNode { from, to });
        } else if to != from {
            match u32::try_from(cost.units()) {
                // No shortest path has more edges than there are nodes, so no
                // sum of costs can exceed `Cost::MAX` later.
                Ok(units) if cost * nodes as u64 <= Cost::MAX => arcs.push((to, units)),
                _ => bad = Some(PrepareError::TooDear { from, to, cost }),
            }
        }
    });
    // Sorting puts the cheapest of parallel arcs first, which is the one that
    // `dedup_by_key` keeps.
    arcs.sort_unstable();
    arcs.dedup_by_key(|arc| arc.0);
    bad.map_or(Ok(arcs), Err)
}

/// Fails if some arc has no counterpart of the same cost.
fn check_undirected(rows: &Rows) -> Result<(), PrepareError> {
    for (from, row) in (0..).map(NodeId::new).zip(rows) {
        for &(to, cost) in row {
            let back = &rows[to.index()];
            let at = back.binary_search_by_key(&from, |arc| arc.0);
            if !at.is_ok_and(|at| back[at].1 == cost) {
                return Err(PrepareError::Directed { from, to });
            }
        }
    }
    Ok(())
}
