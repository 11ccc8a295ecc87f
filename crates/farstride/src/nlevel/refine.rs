//! Turning extra edges back into paths of the original graph.

use super::arching::ArchScratch;
use super::graph::NLevelGraph;
use crate::base::NodeId;

impl NLevelGraph {
    /// Refines the arching path in `scratch`: writes a path whose edges are all of
    /// the original graph, or plain and in no need of refinement.
    pub(crate) fn refine(&self, scratch: &mut ArchScratch) {
        let ArchScratch { arch, path, edges, .. } = scratch;
        path.clear();
        path.extend(arch.first());
        for pair in arch.windows(2) {
            self.refine_edge(pair[0], pair[1], edges, |node| path.push(node));
        }
    }

    /// Calls `visit` with every node after the first on the path that an edge stands
    /// for. A stack instead of recursion: edges may be nested deeply.
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

    /// The node that an edge leads around, if it needs refinement.
    fn needed_via(&self, from: u32, to: u32) -> Option<u32> {
        let (at, from_tail) = self.arc_between(from, to)?;
        let via = self.vias[at];
        if via.is_plain(from_tail) { None } else { via.node() }
    }
}
