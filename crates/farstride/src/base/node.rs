//! Nodes of graphs.

use super::Cell;
use std::fmt;

/// A node of a graph: any type that packs into four bytes.
///
/// Searches store nodes packed, so their working memory has one layout for
/// cells and for ids.
pub trait Node: Copy + Eq {
    /// The node as four bytes.
    fn pack(self) -> u32;
    /// The node for which [`Node::pack`] returned `bits`.
    fn unpack(bits: u32) -> Self;
}

impl Node for Cell {
    #[inline]
    fn pack(self) -> u32 {
        u32::from(self.y) << 16 | u32::from(self.x)
    }

    #[inline]
    fn unpack(bits: u32) -> Self {
        Self { x: bits as u16, y: (bits >> 16) as u16 }
    }
}

/// Dense index of a node within one graph, `0..node_count`.
///
/// An id is meaningless in any other graph. It takes 4 bytes on every target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeId(u32);

impl NodeId {
    /// The node with number `index`.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The number of the node, for indexing slices.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Node for NodeId {
    #[inline]
    fn pack(self) -> u32 {
        self.0
    }

    #[inline]
    fn unpack(bits: u32) -> Self {
        Self(bits)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_is_reversible_and_keeps_the_order() {
        let cells = [Cell::new(0, 0), Cell::new(9_999, 0), Cell::new(3, 1), Cell::new(0, 9_999)];
        for pair in cells.windows(2) {
            assert_eq!(Cell::unpack(pair[0].pack()), pair[0]);
            assert!(pair[0].pack() < pair[1].pack());
        }
        assert_eq!(NodeId::unpack(NodeId::new(7).pack()).index(), 7);
    }
}
