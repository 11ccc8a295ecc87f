//! Turning extra edges back into paths of the original graph.

use super::arching::ArchScratch;
use super::graph::NLevelGraph;
use super::input::ORIGINAL;
use crate::base::NodeId;

impl NLevelGraph {
    /// Writes the nodes of the original graph that the arching path in the
    /// scratch stands for.
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
            match self.via(from, to) {
                Some(via) => edges.extend([(via, to), (from, via)]),
                None => visit(NodeId::new(to)),
            }
        }
    }

    /// The node that an edge leads around, if it is an extra edge.
    pub(crate) fn via(&self, from: u32, to: u32) -> Option<u32> {
        let climbs = self.levels[from as usize] <= self.levels[to as usize];
        let (low, high) = if climbs { (from, to) } else { (to, from) };
        let via = self.vias[self.arc_to(low, high)?];
        (via != ORIGINAL).then_some(via)
    }
}
