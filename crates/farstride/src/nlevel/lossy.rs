//! Dropping edges at the price of optimality.

use super::graph::{NLevelGraph, Span};

impl NLevelGraph {
    /// Returns the graph without edges between nodes of the same level, except on
    /// the highest.
    ///
    /// Keeps those that other edges are refined to, and those of nodes from which no
    /// edge climbs, which may be the only connection. So nodes that were connected
    /// stay connected: if a node can reach the highest level at all, an edge climbs
    /// from it.
    #[must_use]
    pub(crate) fn without_level_edges(&self) -> Self {
        let kept = self.climbing_edges();
        let mut spans = Vec::with_capacity(self.spans.len());
        let mut count = 0;
        for node in 0..self.levels.len() as u32 {
            let first = count;
            let mut span = Span { first, level_first: first, ..Span::default() };
            let free = self.spans[node as usize].level_first as usize;
            for at in self.range(node).filter(|&at| kept[at]) {
                let class = 1 << self.leaves[at];
                count += 1;
                if at < free {
                    span.level_first = count;
                    span.free_classes |= class;
                } else {
                    span.level_classes |= class;
                }
            }
            spans.push(span);
        }
        spans.push(Span { first: count, ..Span::default() });
        Self {
            level_count: self.level_count,
            levels: self.levels.clone(),
            spans: spans.into(),
            arcs: keep(&self.arcs, &kept),
            vias: keep(&self.vias, &kept),
            leaves: keep(&self.leaves, &kept),
        }
    }

    /// For each arc, whether it is kept.
    fn climbing_edges(&self) -> Vec<bool> {
        let mut kept = vec![false; self.arcs.len()];
        let mut edges = Vec::new();
        for node in 0..self.levels.len() as u32 {
            let Span { first, level_first, .. } = self.spans[node as usize];
            for at in self.range(node).filter(|&at| at < level_first as usize || first == level_first) {
                edges.push((node, self.arcs[at].head()));
            }
        }
        while let Some((from, to)) = edges.pop() {
            for (from, to) in [(from, to), (to, from)] {
                // Both ways: an edge between nodes of the same level is an arc of
                // both, and the two must stay or go together.
                let Some((at, _)) = self.arc_between(from, to) else { continue };
                if std::mem::replace(&mut kept[at], true) {
                    continue;
                }
                let refined = !self.vias[at].is_plain(true) || !self.vias[at].is_plain(false);
                if let Some(via) = self.vias[at].node().filter(|_| refined) {
                    edges.extend([(from, via), (via, to)]);
                }
            }
        }
        kept
    }
}

fn keep<T: Copy>(all: &[T], kept: &[bool]) -> Box<[T]> {
    all.iter().zip(kept).filter(|(_, kept)| **kept).map(|(item, _)| *item).collect()
}
