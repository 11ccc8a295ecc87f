//! Turning extra edges back into paths of the original graph.

use super::arching::ArchScratch;
use super::graph::NLevelGraph;
use crate::base::NodeId;

impl NLevelGraph {
    /// Writes the nodes that the arching path in the scratch stands for:
    /// between each and the next there is an edge of the original graph, or one
    /// that needs no refinement.
    pub(crate) fn refine(&self, scratch: &mut ArchScratch) {
        let ArchScratch { arch, path, edges, .. } = scratch;
        path.clear();
        path.extend(arch.first());
        for pair in arch.windows(2) {
            self.refine_edge(pair[0], pair[1], edges, |node| path.push(node));
        }
    }

    /// Calls `visit` with every node after the first on the path that an edge
    /// stands for.
    fn refine_edge(
        &self,
        from: NodeId,
        to: NodeId,
        edges: &mut Vec<(u32, u32)>,
        mut visit: impl FnMut(NodeId),
    ) {
        edges.clear();
        edges.push((from.index() as u32, to.index() as u32));
        while let Some((from, to)) = edges.pop() {
            match self.needed_via(from, to) {
                Some(via) => edges.extend([(via, to), (from, via)]),
                None => visit(NodeId::new(to)),
            }
        }
    }

    /// The node that an edge leads around, if it is to be refined.
    fn needed_via(&self, from: u32, to: u32) -> Option<u32> {
        let (at, from_tail) = self.arc_between(from, to)?;
        let via = self.vias[at];
        if via.is_plain(from_tail) { None } else { via.node() }
    }
}
