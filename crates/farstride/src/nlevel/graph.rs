//! The N-level graph.

use super::input::{Draft, DraftArc, ORIGINAL};
use super::turns::{Turns, Visit};
use crate::base::{Cost, NodeId};

/// A graph whose nodes have levels, with edges added between some of them.
///
/// Build one with [`NLevelGraph::partition`], and search it with
/// [`NLevelGraph::find`].
///
/// # Invariants
///
/// 1. `spans` has one entry more than there are nodes. `first` starts at 0, never
///    falls and ends with the number of arcs; `level_first` lies between the `first`
///    of its node and that of the next.
/// 2. An edge between nodes of different levels is an arc of the lower one, an
///    edge between nodes of the same level is an arc of both.
/// 3. Arcs of a node to higher levels come before those to its own level, both
///    sorted by head. Nodes of the highest level have only the latter, and
///    `level_first` is their end, because these arcs can always be used.
/// 4. `vias` has an entry per arc: the node that an extra edge leads around, which
///    is joined to both of its ends, and whether the arc is *plain*, that is, needs
///    no refinement.
/// 5. Between any two connected nodes of the original graph some arching path is as
///    long as their distance. Every edge is as long as the distance between its
///    ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NLevelGraph {
    pub(super) level_count: u32,
    pub(super) levels: Box<[u32]>,
    pub(super) spans: Box<[Span]>, // (1)
    pub(super) arcs: Box<[Arc]>,   // (2, 3, 5)
    pub(super) vias: Box<[Via]>,   // (4)
    /// The class in which each arc leaves its tail.
    pub(super) leaves: Box<[u8]>,
}

/// Positions and classes of the arcs of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Span {
    /// The first arc.
    pub(super) first: u32,
    /// The first arc to a node of the same level. From here on, arcs are used only
    /// if the goal can be reached from their head by descending.
    pub(super) level_first: u32,
    /// The classes in which the arcs before that one leave, one bit each. Most
    /// arrivals lead on by none of them, and the arcs need not be read.
    pub(super) free_classes: u16,
    /// The classes in which the arcs from that one on leave.
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

/// What an arc stands for: the node it leads around, and whether it is plain when
/// walked up and when walked down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Via(u32);

const PLAIN_UP: u32 = 1 << 30;
const PLAIN_DOWN: u32 = 1 << 31;

impl Via {
    /// The node that an extra edge leads around.
    #[inline]
    pub(super) fn node(self) -> Option<u32> {
        let node = self.0 & ORIGINAL;
        (node != ORIGINAL).then_some(node)
    }

    /// Whether the arc needs no refinement if walked from its tail, or from its head.
    #[inline]
    pub(super) const fn is_plain(self, from_tail: bool) -> bool {
        self.0 & if from_tail { PLAIN_UP } else { PLAIN_DOWN } != 0
    }
}

/// An edge of an N-level graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The end on the lower level; on the same level, the one with the smaller id.
    pub from: NodeId,
    /// The other end.
    pub to: NodeId,
    /// Its length.
    pub cost: Cost,
    /// The node that it leads around, if the partition added it.
    pub via: Option<NodeId>,
}

impl NLevelGraph {
    /// Builds the graph from the edges and levels of a finished partition.
    pub(super) fn assemble(draft: Draft, levels: &[u32]) -> Self {
        let level_count = levels.iter().copied().max().unwrap_or(0);
        let count = draft.arcs.iter().map(Vec::len).sum();
        let mut arcs = Vec::with_capacity(count);
        let mut vias = Vec::with_capacity(count);
        let mut leaves = Vec::with_capacity(count);
        let mut spans = Vec::with_capacity(levels.len() + 1);
        for (mut row, &level) in draft.arcs.into_iter().zip(levels) {
            // Arcs to higher levels first, then those to the same level (3).
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
            vias.extend(row.iter().map(|arc| Via(arc.via)));
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
    /// If `node` is not a node of the graph.
    pub fn level(&self, node: NodeId) -> u32 {
        self.levels[node.index()]
    }

    /// Bytes in memory.
    pub fn byte_count(&self) -> usize {
        let Self { level_count: _, levels, spans, arcs, vias, leaves } = self;
        size_of_val(&**levels)
            + size_of_val(&**spans)
            + size_of_val(&**arcs)
            + size_of_val(&**vias)
            + size_of_val(&**leaves)
    }

    /// Every edge, each once, in the order of the ids of its `from`.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        self.levels.iter().enumerate().flat_map(move |(from, &level)| {
            self.range(from as u32).filter_map(move |at| {
                let (head, cost) = (self.arcs[at].head(), self.arcs[at].cost());
                let once = self.levels[head as usize] > level || from < head as usize;
                let via = self.vias[at].node().map(NodeId::new);
                once.then(|| Edge { from: NodeId::new(from as u32), to: NodeId::new(head), cost, via })
            })
        })
    }

    /// Positions of the arcs of a node.
    pub(super) fn range(&self, node: u32) -> std::ops::Range<usize> {
        self.spans[node as usize].first as usize..self.spans[node as usize + 1].first as usize
    }

    /// Calls `visit` with every edge of the original graph, once from each end.
    pub(crate) fn for_each_original(&self, turns: &impl Turns, mut visit: impl FnMut(u32, DraftArc)) {
        for tail in 0..self.levels.len() as u32 {
            for at in self.range(tail).filter(|&at| self.vias[at].node().is_none()) {
                let (arc, leave) = (self.arcs[at], self.leaves[at]);
                visit(tail, DraftArc::original(arc.head(), arc.cost, leave));
                if self.levels[arc.head() as usize] > self.levels[tail as usize] {
                    let back = turns.back(arc.visit.arrival());
                    visit(arc.head(), DraftArc::original(tail, arc.cost, back));
                }
            }
        }
    }

    /// Marks the extra edges that need no refinement in one direction or the other.
    pub(crate) fn mark_plain(&mut self, is_plain: impl Fn(NodeId, NodeId) -> bool) {
        for tail in 0..self.levels.len() as u32 {
            for at in self.range(tail).filter(|&at| self.vias[at].node().is_some()).collect::<Vec<_>>() {
                let (tail, head) = (NodeId::new(tail), NodeId::new(self.arcs[at].head()));
                let up = if is_plain(tail, head) { PLAIN_UP } else { 0 };
                let down = if is_plain(head, tail) { PLAIN_DOWN } else { 0 };
                self.vias[at].0 |= up | down;
            }
        }
    }

    /// Position of the arc between two nodes, and whether the first is its tail;
    /// `None` if there is none.
    #[inline]
    pub(super) fn arc_between(&self, from: u32, to: u32) -> Option<(usize, bool)> {
        let climbs = self.levels[from as usize] <= self.levels[to as usize];
        let (low, high) = if climbs { (from, to) } else { (to, from) };
        let same = self.levels[from as usize] == self.levels[to as usize];
        let span = &self.spans[low as usize];
        let (first, end) = if same && self.levels[low as usize] < self.level_count {
            (span.level_first, self.spans[low as usize + 1].first)
        } else {
            (span.first, span.level_first)
        };
        let arcs = &self.arcs[first as usize..end as usize];
        let at = arcs.binary_search_by_key(&high, |arc| arc.head()).ok()?;
        Some((first as usize + at, climbs))
    }
}
