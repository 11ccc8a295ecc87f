//! A graph whose nodes have levels.

use super::input::{Draft, DraftArc, ORIGINAL};
use super::turns::Visit;
use crate::base::{Cost, NodeId};

/// A graph whose nodes have levels, with edges added between some of them.
///
/// # Invariants
///
/// 1. `first` has one entry more than there are nodes, starts at 0, never
///    falls and ends with the number of arcs; `level_first` lies between the
///    two entries of its node.
/// 2. An edge between nodes of different levels is an arc of the lower one, an
///    edge between nodes of the same level is an arc of both.
/// 3. Arcs of a node to higher levels come before those to its own; each part
///    is sorted by head. Nodes of the highest level have only the latter, and
///    `level_first` is their end: all of them can always be used.
/// 4. `vias` has an entry per arc: the lower node that an extra edge leads
///    around, which has arcs to both of its ends.
/// 5. Between any two nodes of the original graph there is an arching path as
///    long as their distance, and every edge is as long as the distance
///    between its ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NLevelGraph {
    pub(super) level_count: u32,
    pub(super) levels: Box<[u32]>,
    pub(super) spans: Box<[Span]>, // (1)
    pub(super) arcs: Box<[Arc]>,   // (2, 3, 5)
    pub(super) vias: Box<[u32]>,   // (4)
    /// In which class each arc leaves its tail.
    pub(super) leaves: Box<[u8]>,
}

/// Where the arcs of a node lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Span {
    /// The first arc.
    pub(super) first: u32,
    /// The first that is used only if it leads to where the goal can be
    /// reached from by descending.
    pub(super) level_first: u32,
    /// The classes in which the arcs before that one leave, one bit each: most
    /// nodes are arrived at in a way that leads on by none of them.
    pub(super) free_classes: u16,
    /// The same for those from it on.
    pub(super) level_classes: u16,
}

/// An arc as searches read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arc {
    /// Its head and the class in which it arrives there.
    pub(super) visit: Visit,
    pub(super) cost: u32,
}

impl Arc {
    #[inline]
    pub(super) const fn head(self) -> u32 {
        self.visit.node()
    }

    #[inline]
    pub(super) fn cost(self) -> Cost {
        Cost::from_units(self.cost.into())
    }
}

/// An edge of an N-level graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The end on the lower level, or the smaller number.
    pub from: NodeId,
    /// The other end.
    pub to: NodeId,
    /// Its length.
    pub cost: Cost,
    /// The node that it leads around, if it was added by the partition.
    pub via: Option<NodeId>,
}

impl NLevelGraph {
    /// Puts the arcs of all nodes in order.
    pub(super) fn assemble(draft: Draft, levels: &[u32]) -> Self {
        let level_count = levels.iter().copied().max().unwrap_or(0);
        let count = draft.arcs.iter().map(Vec::len).sum();
        let mut arcs = Vec::with_capacity(count);
        let mut vias = Vec::with_capacity(count);
        let mut leaves = Vec::with_capacity(count);
        let mut spans = Vec::with_capacity(levels.len() + 1);
        for (mut row, &level) in draft.arcs.into_iter().zip(levels) {
            row.sort_unstable_by_key(|arc| (levels[arc.head as usize] == level, arc.head));
            let first = arcs.len() as u32;
            let climbing = row.iter().filter(|arc| levels[arc.head as usize] > level).count();
            let always = if level == level_count { row.len() } else { climbing };
            let classes = |row: &[DraftArc]| row.iter().fold(0, |classes, arc| classes | 1 << arc.leave);
            spans.push(Span {
                first,
                level_first: first + always as u32,
                free_classes: classes(&row[..always]),
                level_classes: classes(&row[always..]),
            });
            arcs.extend(
                row.iter().map(|arc| Arc { visit: Visit::new(arc.head, arc.arrive), cost: arc.cost }),
            );
            leaves.extend(row.iter().map(|arc| arc.leave));
            vias.extend(row.iter().map(|arc| arc.via));
        }
        spans.push(Span { first: arcs.len() as u32, ..Span::default() });
        Self {
            level_count,
            levels: levels.into(),
            spans: spans.into(),
            arcs: arcs.into(),
            vias: vias.into(),
            leaves: leaves.into(),
        }
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.levels.len()
    }

    /// Number of levels: 0 for a graph without nodes.
    pub const fn level_count(&self) -> u32 {
        self.level_count
    }

    /// The level of a node, from 1 to [`NLevelGraph::level_count`].
    ///
    /// # Panics
    /// If there is no such node.
    pub fn level(&self, node: NodeId) -> u32 {
        self.levels[node.index()]
    }

    /// Bytes in memory.
    pub fn byte_count(&self) -> usize {
        4 * self.levels.len() + 8 * self.spans.len() + 12 * self.arcs.len()
    }

    /// Every edge, those of the lower nodes first.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        self.levels.iter().enumerate().flat_map(move |(from, &level)| {
            self.range(from as u32).filter_map(move |at| {
                let (head, cost) = (self.arcs[at].head(), self.arcs[at].cost());
                let once = self.levels[head as usize] > level || from < head as usize;
                let via = Some(self.vias[at]).filter(|&via| via != ORIGINAL).map(NodeId::new);
                once.then(|| Edge { from: NodeId::new(from as u32), to: NodeId::new(head), cost, via })
            })
        })
    }

    /// Positions of the arcs of a node.
    pub(super) fn range(&self, node: u32) -> std::ops::Range<usize> {
        self.spans[node as usize].first as usize..self.spans[node as usize + 1].first as usize
    }

    /// Position of the arc from a node to another, if it has one.
    pub(super) fn arc_to(&self, node: u32, head: u32) -> Option<usize> {
        self.range(node).find(|&at| self.arcs[at].head() == head)
    }
}
