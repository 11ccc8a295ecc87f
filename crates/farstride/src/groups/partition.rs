//! Balanced groups for any graph, by recursive bisection.
//!
//! A connected piece that is too large is cut in two, again and again. To find a cut,
//! nodes are sorted from one far corner of the piece towards another; of three such
//! orders, and of all positions that leave both sides about their share, the one with
//! the fewest arcs across wins (`bisect.rs`). Then single nodes move over the border
//! while that saves arcs (`refine.rs`). Fragments that a cut separates from their side
//! go to the other side or become pieces. At the end neighbours that fit into one group
//! are joined (`merge.rs`).
//!
//! Paper: Fiduccia, Mattheyses 1982 (moving nodes). Decision 14 says why this is our
//! own code, and what else was tried.

mod adjacency;
mod bisect;
mod merge;
mod refine;

use super::GroupError;
use crate::base::crew::Watch;
use crate::base::{BuildOptions, Cancelled};
use crate::graph::{Graph, RowGraph};
use adjacency::Adjacency;
use bisect::{Bisector, PieceId, SideLimits};

/// Maximum number of nodes. Pieces, and passes over their borders, are counted in 32
/// bits, and there are a few for each node.
const MOST_NODES: usize = (1 << 29) - 1;

/// Returns the group of every node; see [`Members::balanced`](super::Members::balanced).
pub(super) fn balanced_groups(
    graph: &RowGraph,
    most: usize,
    options: &BuildOptions<'_>,
) -> Result<Vec<u32>, GroupError> {
    let nodes = graph.node_count();
    if most == 0 {
        return Err(GroupError::NoRoom);
    }
    if nodes > MOST_NODES {
        return Err(GroupError::TooManyNodes { nodes, most: MOST_NODES });
    }
    let watch = options.watch;
    watch.check()?;
    let adjacency = Adjacency::new(graph);
    let mut groups = Pieces::new(&adjacency, most).cut_all(watch)?;
    let mut group_of = vec![0; nodes];
    for (group, nodes) in (0..).zip(&groups) {
        for &node in nodes {
            group_of[node as usize] = group;
        }
    }
    merge::merge(&adjacency, &mut groups, &mut group_of, most, watch)?;
    renumber(&mut group_of, groups.len());
    if nodes > 0 {
        (watch.progress)(nodes, nodes);
    }
    Ok(group_of)
}

/// Renumbers groups in the order of their first nodes.
fn renumber(group_of: &mut [u32], groups: usize) {
    let mut numbers = vec![u32::MAX; groups];
    let mut next = 0;
    for group in group_of {
        let number = &mut numbers[*group as usize];
        if *number == u32::MAX {
            *number = next;
            next += 1;
        }
        *group = *number;
    }
}

/// A graph that is being cut into pieces.
///
/// # Invariants
///
/// 1. Every piece is connected, and has an id that no other piece has.
/// 2. A piece in `too_large` has more than `most` nodes and fits into the number of
///    groups stored with it, which is at least 2 and at most its number of nodes.
/// 3. A piece in `groups` has at most `most` nodes.
struct Pieces<'a> {
    bisector: Bisector<'a>,
    nodes: u32,
    most: usize,
    /// The largest id given to a piece so far (1).
    last_id: PieceId,
    /// Pieces that are still to be cut, and the number of groups each may become (2).
    too_large: Vec<(Vec<u32>, usize)>,
    groups: Vec<Vec<u32>>, // (3)
}

impl<'a> Pieces<'a> {
    fn new(adjacency: &'a Adjacency, most: usize) -> Self {
        let nodes = adjacency.node_count() as u32;
        Self {
            bisector: Bisector::new(adjacency),
            nodes,
            most,
            last_id: PieceId::WHOLE_GRAPH,
            too_large: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// Cuts every piece until all are groups. Reports nodes whose group is final but
    /// for joining.
    fn cut_all(mut self, watch: Watch<'_>) -> Result<Vec<Vec<u32>>, Cancelled> {
        for node in 0..self.nodes {
            if self.bisector.piece(node) == PieceId::WHOLE_GRAPH {
                let nodes = self.split_off(node);
                self.add_piece(nodes, usize::MAX);
            }
        }
        let (mut finished, mut done) = (0, 0);
        while let Some((nodes, groups)) = self.too_large.pop() {
            watch.check()?;
            self.cut(&nodes, groups);
            done += self.groups[finished..].iter().map(Vec::len).sum::<usize>();
            finished = self.groups.len();
            // The last report waits until neighbours that fit into one group are joined.
            if done < self.nodes as usize {
                (watch.progress)(done, self.nodes as usize);
            }
        }
        Ok(self.groups)
    }

    /// Makes the fragment around `seed` a piece.
    fn split_off(&mut self, seed: u32) -> Vec<u32> {
        self.last_id = self.last_id.next();
        self.bisector.split_off(seed, self.last_id)
    }

    /// Stores a piece that fits into `groups` groups.
    fn add_piece(&mut self, nodes: Vec<u32>, groups: usize) {
        if nodes.len() <= self.most {
            self.groups.push(nodes);
        } else {
            // A tenth more groups than necessary, so that cuts have a choice of
            // positions: with none to spare, every group would have to be full.
            let fewest = nodes.len().div_ceil(self.most);
            let groups = groups.min(fewest + fewest / 10);
            self.too_large.push((nodes, groups));
        }
    }

    /// Cuts a piece in two, or in more if a side falls apart.
    fn cut(&mut self, nodes: &[u32], groups: usize) {
        let limits = SideLimits::new(nodes.len(), groups, self.most);
        self.bisector.cut(nodes, limits);
        let (here, last_id) = (self.bisector.piece(nodes[0]), self.last_id);
        // Only connected fragments are ever stored as pieces. That makes connectedness
        // a fact, whatever cut and refinement do, and neither has to check for it.
        let mut fragments = self.fragments(nodes, here);
        for is_first in [true, false] {
            if self.move_fragments(&fragments, is_first, limits) {
                self.bisector.join(nodes, here);
                self.last_id = last_id;
                fragments = self.fragments(nodes, here);
            }
        }
        for fragment in fragments {
            let is_first = self.bisector.is_first(fragment[0]);
            self.add_piece(fragment, if is_first { groups / 2 } else { groups - groups / 2 });
        }
    }

    /// Makes every connected fragment of both sides of a piece a piece, and returns
    /// them.
    fn fragments(&mut self, nodes: &[u32], here: PieceId) -> Vec<Vec<u32>> {
        let mut fragments = Vec::new();
        for &node in nodes {
            if self.bisector.piece(node) == here {
                fragments.push(self.split_off(node));
            }
        }
        fragments
    }

    /// Moves all fragments of a side except the largest to the other side, small ones
    /// first, while there is room; returns whether any moved. A fragment has edges only
    /// to the other side, so that this can only save arcs.
    fn move_fragments(&mut self, fragments: &[Vec<u32>], is_first: bool, limits: SideLimits) -> bool {
        let (own, others): (Vec<_>, Vec<_>) =
            fragments.iter().partition(|fragment| self.bisector.is_first(fragment[0]) == is_first);
        let first: usize = if is_first { &own } else { &others }.iter().map(|fragment| fragment.len()).sum();
        let mut spare = if is_first { first - limits.least } else { limits.most - first };
        let mut own = own;
        own.sort_by_key(|fragment| fragment.len());
        own.pop();
        let before = spare;
        for fragment in own {
            if fragment.len() <= spare {
                spare -= fragment.len();
                self.bisector.flip(fragment);
            }
        }
        spare < before
    }
}
