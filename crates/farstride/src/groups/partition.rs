//! Groups of any graph that nobody has drawn borders in.
//!
//! A connected piece that is too too_large is cut in two, again and again. A cut
//! follows an order of the nodes from one far corner of the piece towards another:
//! of three such orders and of all places at which both sides keep about their
//! share, the one with the fewest arcs across is taken (`bisect.rs`). Then single
//! nodes move over the border while that saves arcs (`refine.rs`). Whatever falls
//! off a side goes to the other one or becomes a piece of its own, and in the end
//! neighbours that fit into one group become one (`merge.rs`).
//!
//! Paper: Fiduccia, Mattheyses 1982 (moving nodes). Why it is our own code:
//! decision 14.

mod adjacency;
mod bisect;
mod merge;
mod refine;

use crate::graph::{Graph, RowGraph};
use adjacency::Adjacency;
use bisect::{Bisector, SideLimits};
use std::error::Error;
use std::fmt;

/// Pieces and passes over their borders, some for each node, are counted in 32 bits.
const MOST_NODES: usize = (1 << 29) - 1;

/// Divides the nodes of a graph into connected groups of at most `most` nodes with
/// few arcs between them: the group of every node.
///
/// Arcs count as edges, whichever way they lead and whatever they cost; several
/// between the same two nodes count as several.
///
/// # Guarantee
///
/// 1. Every group is connected by arcs inside it, if their directions are ignored.
/// 2. No group has more than `most` nodes, and no two groups that an arc joins would
///    fit into one.
/// 3. Groups are numbered from 0 in the order of their first nodes, none is empty.
/// 4. Equal graphs give equal groups.
///
/// Most groups are nearly full where the graph allows it. It does not always: all
/// but one of the groups of a star are single nodes. Nor is the renumber of arcs
/// between groups the least possible, which would be hard to find.
///
/// # Errors
/// [`BalanceError`] if groups may have no nodes, or if there are 2²⁹ nodes or more.
///
/// # Complexity
/// O((V + E) log V) time; with many edges at one node, the moves over borders take
/// another logarithm.
///
/// # Example
/// Two squares joined by an edge:
/// ```
/// use farstride::groups::balanced_groups;
/// use farstride::{Cost, RowGraph};
///
/// let edges = [(0, 2), (2, 4), (4, 6), (6, 0), (1, 3), (3, 5), (5, 7), (7, 1), (6, 7)];
/// let graph = RowGraph::from_edges(8, edges.map(|(a, b)| (a, b, Cost::ZERO)))?;
/// assert_eq!(balanced_groups(&graph, 5)?, [0, 1, 0, 1, 0, 1, 0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn balanced_groups(graph: &RowGraph, most: usize) -> Result<Vec<u32>, BalanceError> {
    let nodes = graph.node_count();
    if most == 0 {
        return Err(BalanceError::NoRoom);
    }
    if nodes > MOST_NODES {
        return Err(BalanceError::TooManyNodes { nodes });
    }
    let adjacency = Adjacency::new(graph);
    let mut groups = Pieces::new(&adjacency, most).cut_all();
    let mut group_of = vec![0; nodes];
    for (group, nodes) in (0..).zip(&groups) {
        for &node in nodes {
            group_of[node as usize] = group;
        }
    }
    merge::merge(&adjacency, &mut groups, &mut group_of, most);
    renumber(&mut group_of, groups.len());
    Ok(group_of)
}

/// Numbers groups in the order of their first nodes.
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

/// A graph while it is cut into pieces.
///
/// # Invariants
///
/// 1. Every piece is connected. Pieces have numbers of their own above 0.
/// 2. A piece in `too_large` has more than `most` nodes, but fits into the groups that
///    it may become, of which there are at least 2 and at most as many as nodes.
/// 3. A piece in `groups` has at most `most` nodes.
struct Pieces<'a> {
    bisector: Bisector<'a>,
    nodes: u32,
    most: usize,
    /// The last_id renumber that a piece has got (1).
    last_id: u32,
    /// Pieces to be cut, and how many groups they may become (2).
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
            last_id: 0,
            too_large: Vec::new(),
            groups: Vec::new(),
        }
    }

    fn cut_all(mut self) -> Vec<Vec<u32>> {
        for node in 0..self.nodes {
            if self.bisector.piece(node) == 0 {
                let nodes = self.split_off(node);
                self.add_piece(nodes, usize::MAX);
            }
        }
        while let Some((nodes, groups)) = self.too_large.pop() {
            self.cut(&nodes, groups);
        }
        self.groups
    }

    fn split_off(&mut self, seed: u32) -> Vec<u32> {
        self.last_id += 1;
        self.bisector.split_off(seed, self.last_id)
    }

    /// Keeps a piece that fits into `groups` groups. It may become a tenth more than
    /// the fewest that can hold it, so that cuts have a choice of places.
    fn add_piece(&mut self, nodes: Vec<u32>, groups: usize) {
        if nodes.len() <= self.most {
            self.groups.push(nodes);
        } else {
            let fewest = nodes.len().div_ceil(self.most);
            let groups = groups.min(fewest + fewest / 10);
            self.too_large.push((nodes, groups));
        }
    }

    /// Cuts a piece in two, and in more if it falls apart.
    fn cut(&mut self, nodes: &[u32], groups: usize) {
        let limits = SideLimits::new(nodes.len(), groups, self.most);
        self.bisector.cut(nodes, limits);
        let (here, last_id) = (self.bisector.piece(nodes[0]), self.last_id);
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

    /// The connected fragments of both sides of a piece, each a piece from now on.
    fn fragments(&mut self, nodes: &[u32], here: u32) -> Vec<Vec<u32>> {
        let mut fragments = Vec::new();
        for &node in nodes {
            if self.bisector.piece(node) == here {
                fragments.push(self.split_off(node));
            }
        }
        fragments
    }

    /// Hands all fragments of a side but the largest over to the other side, the small
    /// ones first, as far as there is limits; whether there were any. A fragment touches
    /// nothing but the other side, so this only saves arcs.
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

/// Why a graph was not divided into groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BalanceError {
    /// Groups of at most 0 nodes cannot hold any.
    NoRoom,
    /// More nodes than can be counted: 2²⁹ − 1.
    TooManyNodes {
        /// How many there are.
        nodes: usize,
    },
}

impl fmt::Display for BalanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoom => write!(f, "groups of at most 0 nodes cannot hold any"),
            Self::TooManyNodes { nodes } => {
                write!(f, "{nodes} nodes are more than the {MOST_NODES} that can be grouped")
            }
        }
    }
}

impl Error for BalanceError {}
