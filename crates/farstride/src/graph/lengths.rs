//! Building graphs from arcs with floating-point lengths.

use super::{GraphError, RowGraph};
use crate::base::Cost;

impl RowGraph {
    /// As [`RowGraph::from_arcs`], for arcs (tail, head, length), with `units` of
    /// cost per 1 of length (see [`Cost::scaled`]). Example: with lengths in
    /// metres, 1000 units count millimetres.
    ///
    /// # Guarantee
    /// Every arc is rounded up by less than one unit. Paths are compared exactly by
    /// these rounded costs, so the reported cost exceeds the true length by less
    /// than one unit per arc. More units mean a smaller error, but a path through
    /// all nodes must still cost at most [`Cost::MAX`].
    ///
    /// # Errors
    /// [`GraphError::BadLength`] names the first arc whose length is negative, NaN
    /// or too large; other errors as for [`RowGraph::from_arcs`].
    ///
    /// # Complexity
    /// O(V + E log E) time.
    ///
    /// # Example
    /// ```
    /// use farstride::error::GraphError;
    /// use farstride::graph::{NodeId, RowGraph};
    ///
    /// let graph = RowGraph::from_lengths(2, [(0, 1, 2.5), (1, 0, 0.0301)], 100)?;
    /// assert_eq!(graph.arcs(NodeId::new(0))[0].1.units(), 250);
    /// assert_eq!(graph.arcs(NodeId::new(1))[0].1.units(), 4);
    ///
    /// let refused = RowGraph::from_lengths(2, [(0, 1, -2.5)], 100);
    /// assert_eq!(refused, Err(GraphError::BadLength { tail: 0, head: 1, length: -2.5, units: 100 }));
    /// # Ok::<(), GraphError>(())
    /// ```
    pub fn from_lengths(
        node_count: usize,
        arcs: impl IntoIterator<Item = (u32, u32, f64)>,
        units: u32,
    ) -> Result<Self, GraphError> {
        let arcs: Result<Vec<_>, _> = arcs.into_iter().map(|arc| scaled(arc, units)).collect();
        Self::from_arcs(node_count, arcs?)
    }

    /// As [`RowGraph::from_lengths`], for edges that can be walked both ways.
    ///
    /// # Errors
    /// As [`RowGraph::from_lengths`].
    pub fn from_edge_lengths(
        node_count: usize,
        edges: impl IntoIterator<Item = (u32, u32, f64)>,
        units: u32,
    ) -> Result<Self, GraphError> {
        let both = edges.into_iter().flat_map(|(a, b, length)| [(a, b, length), (b, a, length)]);
        Self::from_lengths(node_count, both, units)
    }
}

fn scaled((tail, head, length): (u32, u32, f64), units: u32) -> Result<(u32, u32, Cost), GraphError> {
    let cost = Cost::scaled(length, units).ok_or(GraphError::BadLength { tail, head, length, units })?;
    Ok((tail, head, cost))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(units: u64) -> Cost {
        Cost::new(units).unwrap()
    }

    #[test]
    fn lengths_are_rounded_up_to_units() {
        let graph = RowGraph::from_lengths(3, [(0, 1, 1.0), (1, 2, 0.001), (2, 0, 0.0)], 10);
        assert_eq!(graph, RowGraph::from_arcs(3, [(0, 1, cost(10)), (1, 2, cost(1)), (2, 0, cost(0))]));
        let graph = RowGraph::from_edge_lengths(2, [(0, 1, 0.25)], 8);
        assert_eq!(graph, RowGraph::from_edges(2, [(0, 1, cost(2))]));
    }

    #[test]
    fn invalid_lengths_are_named() {
        for bad in [-0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            let refused = RowGraph::from_edge_lengths(3, [(0, 1, 1.0), (2, 1, bad)], 10);
            let Err(GraphError::BadLength { tail: 2, head: 1, length, units: 10 }) = refused else {
                panic!("{bad} gave {refused:?}");
            };
            assert_eq!(length.to_bits(), bad.to_bits());
            let told = refused.unwrap_err().to_string();
            assert!(told.starts_with("arc from 2 to 1 ") && told.contains(&bad.to_string()), "{told}");
        }
    }

    #[test]
    fn lengths_obey_the_limits_of_arcs() {
        let unknown = RowGraph::from_lengths(2, [(0, 2, 1.0)], 10);
        assert_eq!(unknown, Err(GraphError::UnknownNode { node: 2, nodes: 2 }));
        let half = Cost::MAX.units() / 2 + 1;
        let dear = RowGraph::from_lengths(2, [(0, 1, half as f64)], 1);
        assert_eq!(dear, Err(GraphError::CostTooLarge { tail: 0, head: 1, cost: cost(half) }));
    }
}
