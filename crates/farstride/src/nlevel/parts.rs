//! Saving N-level graphs, and opening what somebody else saved.

use super::graph::NLevelGraph;
use super::input::{Draft, DraftArc, ORIGINAL};
use crate::base::Inconsistent;
use std::fmt;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// The part of an N-level graph that is saved. Costs, and the classes of original
/// edges, follow from where the nodes lie ([`Places`]) and are not saved, so they
/// cannot be forged.
///
/// # Invariants
///
/// 1. Levels count from 1, and every level up to the highest has nodes.
/// 2. `first` has one entry more than there are nodes, starts at 0, never falls
///    and ends with the number of edges.
/// 3. An edge is listed at the lower of its ends; between nodes of the same level, at
///    the one with the smaller id. The heads of a node rise strictly.
/// 4. If extra edges are allowed at all, `extra` has an entry per edge in each of its
///    lists. A via is [`NONE`], or a node that is neither of the ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Parts {
    levels: Vec<u32>, // (1)
    /// Node `n` owns the edges from `first[n]` to `first[n + 1]` (2).
    first: Vec<u32>,
    heads: Vec<u32>,      // (3)
    extra: Option<Extra>, // (4)
}

/// What only graphs with extra edges need.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Extra {
    /// The node that each edge leads around, or [`NONE`].
    vias: Vec<u32>,
    /// The classes in which each edge leaves its tail and arrives at its head, four
    /// bits each. They are those of the edges between its ends and its via; they are
    /// saved because a lossy graph may have dropped these edges.
    turns: Vec<u8>,
}

/// Via of an original edge.
const NONE: u32 = u32::MAX;

/// Numbers of nodes and edges of a level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct NLevelCounts {
    /// Number of nodes.
    pub nodes: usize,
    /// Number of edges to nodes of the same or higher levels.
    pub edges: usize,
    /// Number of these edges that the partition added.
    pub extra_edges: usize,
}

/// A saved graph contradicts itself or the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CorruptGraph {
    /// The node at fault, if it is a single one.
    pub(crate) node: Option<u32>,
    /// What is wrong.
    pub(crate) flaw: &'static str,
}

impl CorruptGraph {
    /// A flaw of the whole graph.
    pub(crate) const fn whole(flaw: &'static str) -> Self {
        Self { node: None, flaw }
    }

    /// A flaw of one node.
    pub(crate) const fn at(node: u32, flaw: &'static str) -> Self {
        Self { node: Some(node), flaw }
    }
}

impl fmt::Display for CorruptGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, flaw } = self;
        match node {
            Some(node) => write!(f, "node {node} of the graph {flaw}"),
            None => write!(f, "the graph {flaw}"),
        }
    }
}

impl From<CorruptGraph> for Inconsistent {
    fn from(error: CorruptGraph) -> Self {
        Self::new(error.to_string())
    }
}

/// Where the nodes lie: costs and classes of edges follow from it.
pub(crate) trait Places {
    /// The cost of an edge between two different nodes; never 0.
    fn distance(&self, from: u32, to: u32) -> u32;

    /// The class of an original edge, at both of its ends.
    fn class(&self, from: u32, to: u32) -> u8;

    /// The class of an edge walked the other way.
    fn back(&self, class: u8) -> u8;

    /// Whether an edge between two nodes can be walked without refinement, in both
    /// directions.
    fn is_plain(&self, one: u32, other: u32) -> bool;
}

impl Parts {
    /// Reads what [`Parts::to_bytes`] wrote. `extra` has the vias and classes if extra
    /// edges are allowed.
    ///
    /// # Errors
    /// [`CorruptGraph`] names the first broken invariant.
    pub(crate) fn from_bytes(
        [levels, first, heads]: [&[u8]; 3],
        extra: Option<[&[u8]; 2]>,
    ) -> Result<Self, CorruptGraph> {
        let words = |bytes: &[u8]| -> Result<Vec<u32>, CorruptGraph> {
            let (words, []) = bytes.as_chunks() else {
                return Err(CorruptGraph::whole("has a part that is no whole number of words"));
            };
            Ok(words.iter().map(|&word| u32::from_le_bytes(word)).collect())
        };
        let extra = extra.map(|[vias, turns]| Ok(Extra { vias: words(vias)?, turns: turns.to_vec() }));
        let parts = Self {
            levels: words(levels)?,
            first: words(first)?,
            heads: words(heads)?,
            extra: extra.transpose()?,
        };
        parts.check()?;
        Ok(parts)
    }

    /// The bytes of each segment, in the order in which they are saved.
    pub(crate) fn to_bytes(&self) -> Vec<Vec<u8>> {
        let words = |words: &Vec<u32>| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut parts: Vec<Vec<u8>> = [&self.levels, &self.first, &self.heads].map(words).into();
        if let Some(Extra { vias, turns }) = &self.extra {
            parts.extend([words(vias), turns.clone()]);
        }
        parts
    }

    /// The digest of all segments.
    pub(crate) fn digest(&self) -> u64 {
        let digests: Vec<u8> = self.to_bytes().iter().flat_map(|part| xxh3_64(part).to_le_bytes()).collect();
        xxh3_64(&digests)
    }

    /// Number of nodes.
    pub(crate) fn node_count(&self) -> usize {
        self.levels.len()
    }

    /// Numbers of nodes and edges of each level, the lowest first.
    pub(crate) fn counts(&self) -> Vec<NLevelCounts> {
        let mut counts = vec![NLevelCounts::default(); self.level_count() as usize];
        for (tail, &level) in self.levels.iter().enumerate() {
            let count = &mut counts[level as usize - 1];
            let edges = self.edges_of(tail as u32);
            count.nodes += 1;
            count.edges += edges.len();
            count.extra_edges += edges.filter(|&edge| self.via(edge).is_some()).count();
        }
        counts
    }

    /// Number of levels.
    pub(crate) fn level_count(&self) -> u32 {
        self.levels.iter().copied().max().unwrap_or(0)
    }

    /// The first node with another level or other edges than in `other`; `None` if
    /// there is none.
    pub(crate) fn difference(&self, other: &Self) -> Option<CorruptGraph> {
        if self.node_count() != other.node_count() {
            return Some(CorruptGraph::whole("has another number of nodes"));
        }
        let rows = |parts: &Self, node| -> Vec<(u32, Option<u32>, Option<u8>)> {
            let turn = |edge: usize| parts.extra.as_ref().map(|extra| extra.turns[edge]);
            parts.edges_of(node).map(|edge| (parts.heads[edge], parts.via(edge), turn(edge))).collect()
        };
        (0..self.node_count() as u32).find_map(|node| {
            if self.levels[node as usize] != other.levels[node as usize] {
                Some(CorruptGraph::at(node, "is on another level"))
            } else if rows(self, node) != rows(other, node) {
                Some(CorruptGraph::at(node, "has other edges"))
            } else {
                None
            }
        })
    }

    /// Proves invariants 1 to 4, in O(nodes + edges).
    fn check(&self) -> Result<(), CorruptGraph> {
        self.check_levels()?;
        self.check_sizes()?;
        (0..self.node_count() as u32).try_for_each(|node| self.check_node(node))
    }

    /// Proves invariant 1.
    fn check_levels(&self) -> Result<(), CorruptGraph> {
        let highest = self.level_count() as usize;
        // Before allocating: a forged level could ask for gigabytes.
        if highest > self.node_count() {
            return Err(CorruptGraph::whole("has more levels than nodes"));
        }
        let mut inhabited = vec![false; highest];
        for (node, &level) in self.levels.iter().enumerate() {
            let level = (level as usize).checked_sub(1);
            let level = level.ok_or(CorruptGraph::at(node as u32, "is below the lowest level"))?;
            inhabited[level] = true;
        }
        if inhabited.contains(&false) {
            return Err(CorruptGraph::whole("has a level without nodes"));
        }
        Ok(())
    }

    /// Proves invariant 2, and the sizes in 4.
    fn check_sizes(&self) -> Result<(), CorruptGraph> {
        let Self { levels, first, heads, extra } = self;
        let ends_fit = first.first() == Some(&0) && first.last().copied() == u32::try_from(heads.len()).ok();
        if levels.len() >= NONE as usize || first.len() != levels.len() + 1 || !ends_fit {
            return Err(CorruptGraph::whole("has parts that do not fit each other"));
        }
        if first.windows(2).any(|pair| pair[0] > pair[1]) {
            return Err(CorruptGraph::whole("has rows that overlap"));
        }
        let fits = |extra: &Extra| extra.vias.len() == heads.len() && extra.turns.len() == heads.len();
        if !extra.as_ref().is_none_or(fits) {
            return Err(CorruptGraph::whole("has parts that do not fit each other"));
        }
        Ok(())
    }

    /// Proves invariants 3 and 4 for the edges of a node.
    fn check_node(&self, node: u32) -> Result<(), CorruptGraph> {
        let mut least = 0;
        for edge in self.edges_of(node) {
            let head = self.heads[edge];
            if head as usize >= self.node_count() {
                return Err(CorruptGraph::at(node, "has an edge to no node"));
            }
            if head < least {
                return Err(CorruptGraph::at(node, "has edges that are not in order"));
            }
            least = head + 1;
            if head == node || self.tail(node, head) != node {
                return Err(CorruptGraph::at(node, "has an edge that is not its own"));
            }
            if self
                .via(edge)
                .is_some_and(|via| via as usize >= self.node_count() || via == node || via == head)
            {
                return Err(CorruptGraph::at(node, "has an edge around no node"));
            }
        }
        Ok(())
    }

    /// The end at which an edge is listed.
    fn tail(&self, one: u32, other: u32) -> u32 {
        let place = |node: u32| (self.levels[node as usize], node);
        if place(one) <= place(other) { one } else { other }
    }

    /// Positions of the edges of a node.
    fn edges_of(&self, node: u32) -> Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    /// Position of the edge between two nodes; `None` if there is none.
    fn edge_between(&self, one: u32, other: u32) -> Option<usize> {
        let tail = self.tail(one, other);
        let range = self.edges_of(tail);
        let place = self.heads[range.clone()].binary_search(&(one ^ other ^ tail)).ok()?;
        Some(range.start + place)
    }

    /// The node that an edge leads around; `None` for an original edge.
    fn via(&self, edge: usize) -> Option<u32> {
        self.extra.as_ref().map(|extra| extra.vias[edge]).filter(|&via| via != NONE)
    }
}

impl NLevelGraph {
    /// The part of the graph that is saved. `allows_extra` says whether the partition
    /// was allowed to add edges.
    pub(crate) fn to_parts(&self, allows_extra: bool) -> Parts {
        let (mut first, mut heads, mut extra) = (vec![0], Vec::new(), Extra::default());
        for tail in 0..self.node_count() as u32 {
            let level = self.levels[tail as usize];
            let is_kept = |&at: &usize| {
                let head = self.arcs[at].head();
                self.levels[head as usize] > level || tail < head
            };
            let mut row: Vec<usize> = self.range(tail).filter(is_kept).collect();
            row.sort_unstable_by_key(|&at| self.arcs[at].head());
            for at in row {
                heads.push(self.arcs[at].head());
                extra.vias.push(self.vias[at].node().unwrap_or(NONE));
                extra.turns.push(self.leaves[at] | self.arcs[at].visit.arrival() << 4);
            }
            first.push(heads.len() as u32);
        }
        Parts { levels: self.levels.to_vec(), first, heads, extra: allows_extra.then_some(extra) }
    }

    /// Rebuilds the graph from what was saved.
    ///
    /// Proves that every edge can be walked: it is plain, or it leads around a node
    /// that has edges to both of its ends, and these add up to its cost. They are
    /// shorter, so refinement ends. Not proved is that levels and edges are those of
    /// a partition, which would take a build.
    ///
    /// # Errors
    /// [`CorruptGraph`] names the first node with a bad edge.
    ///
    /// # Complexity
    /// O(E log D) for E edges, at most D per node, and as many calls of `places`.
    pub(crate) fn from_parts(parts: &Parts, places: &impl Places) -> Result<Self, CorruptGraph> {
        let edges = Edges::of(parts, places);
        for (at, edge) in edges.all.iter().enumerate() {
            let checked = edges.check(parts.via(at), edge);
            checked.map_err(|flaw| CorruptGraph::at(edge.tail, flaw))?;
        }
        let mut rows: Vec<Vec<DraftArc>> = vec![Vec::new(); parts.node_count()];
        let mut arcs = 0_u64;
        for (at, &Edge { tail, head, cost, leave, arrive }) in edges.all.iter().enumerate() {
            let via = parts.via(at).unwrap_or(ORIGINAL);
            rows[tail as usize].push(DraftArc { head, cost, via, leave, arrive });
            arcs += 1;
            if parts.levels[tail as usize] == parts.levels[head as usize] {
                let (leave, arrive) = (places.back(arrive), places.back(leave));
                rows[head as usize].push(DraftArc { head: tail, cost, via, leave, arrive });
                arcs += 1;
            }
        }
        if u32::try_from(arcs).is_err() {
            return Err(CorruptGraph::whole("has more edges than can be counted"));
        }
        Ok(Self::assemble(Draft { arcs: rows }, &parts.levels))
    }
}

/// An edge with everything that follows from where its ends lie.
#[derive(Clone, Copy)]
struct Edge {
    tail: u32,
    head: u32,
    cost: u32,
    /// Class in which it leaves its tail.
    leave: u8,
    /// Class in which it arrives at its head.
    arrive: u8,
}

/// All edges, in the order in which they are saved.
struct Edges<'p, P> {
    parts: &'p Parts,
    places: &'p P,
    all: Vec<Edge>,
}

impl<'p, P: Places> Edges<'p, P> {
    fn of(parts: &'p Parts, places: &'p P) -> Self {
        let mut all = Vec::with_capacity(parts.heads.len());
        for tail in 0..parts.node_count() as u32 {
            all.extend(parts.edges_of(tail).map(|edge| {
                let head = parts.heads[edge];
                let (leave, arrive) = match &parts.extra {
                    Some(extra) => (extra.turns[edge] & 15, extra.turns[edge] >> 4),
                    None => (places.class(tail, head), places.class(tail, head)),
                };
                Edge { tail, head, cost: places.distance(tail, head), leave, arrive }
            }));
        }
        Self { parts, places, all }
    }

    /// Proves that an edge can be walked.
    fn check(&self, via: Option<u32>, edge: &Edge) -> Result<(), &'static str> {
        let &Edge { tail, head, cost, leave, arrive } = edge;
        let Some(via) = via else {
            let class = self.places.class(tail, head);
            return match (leave, arrive) == (class, class) {
                true if self.places.is_plain(tail, head) => Ok(()),
                true => Err("has an edge through a wall"),
                false => Err("has an edge in another direction than it leads"),
            };
        };
        let around = [tail, head].map(|end| u64::from(self.places.distance(end, via)));
        if around[0] + around[1] != u64::from(cost) {
            return Err("has an edge around a node that is not on the way");
        }
        match (self.walk(tail, via), self.walk(via, head)) {
            (Some((first, _)), Some((_, last))) if (first, last) == (leave, arrive) => Ok(()),
            (Some(_), Some(_)) => Err("has an edge in another direction than it leads"),
            _ if self.places.is_plain(tail, head) => Ok(()),
            _ => Err("has an edge around a node that has none to its ends"),
        }
    }

    /// The classes in which the edge from one node to another leaves and arrives;
    /// `None` if there is no such edge.
    fn walk(&self, from: u32, to: u32) -> Option<(u8, u8)> {
        let Edge { tail, leave, arrive, .. } = self.all[self.parts.edge_between(from, to)?];
        let back = |class| self.places.back(class);
        Some(if tail == from { (leave, arrive) } else { (back(arrive), back(leave)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Cost;
    use crate::graph::RowGraph;
    use crate::nlevel::Advanced;

    /// Nodes on a line; an edge costs the difference of the ids of its ends.
    struct Line;

    impl Places for Line {
        fn distance(&self, from: u32, to: u32) -> u32 {
            from.abs_diff(to)
        }

        fn class(&self, _: u32, _: u32) -> u8 {
            0
        }

        fn back(&self, class: u8) -> u8 {
            class
        }

        /// Edges between neighbours are plain.
        fn is_plain(&self, one: u32, other: u32) -> bool {
            one.abs_diff(other) == 1
        }
    }

    fn line() -> (NLevelGraph, Parts) {
        let edges = (0..9).map(|node| (node, node + 1, Cost::new(1).unwrap()));
        let graph = RowGraph::from_edges(10, edges).unwrap();
        let levels = NLevelGraph::partition(&graph, None, &Advanced(|_, _, _| true)).unwrap();
        let parts = levels.to_parts(true);
        (levels, parts)
    }

    #[test]
    fn a_graph_is_what_its_parts_give() {
        let (levels, parts) = line();
        assert!(parts.counts().iter().any(|counts| counts.extra_edges > 0), "{parts:?}");
        let bytes = parts.to_bytes();
        let [one, two, three, vias, turns] = &bytes[..] else { panic!("{bytes:?}") };
        assert_eq!(Parts::from_bytes([one, two, three], Some([vias, turns])), Ok(parts.clone()));
        assert!(Parts::from_bytes([one, two, three], None).is_ok());
        assert!(Parts::from_bytes([&one[1..], two, three], None).is_err());
        assert!(Parts::from_bytes([one, two, three], Some([vias, &turns[1..]])).is_err());
        assert_eq!(NLevelGraph::from_parts(&parts, &Line), Ok(levels));
    }

    #[test]
    fn every_flaw_has_its_word() {
        type Change<'c> = &'c dyn Fn(&mut Parts);
        let (_, sound) = line();
        let told = |change: Change<'_>| {
            let mut parts = sound.clone();
            change(&mut parts);
            let checked = parts.check().and_then(|()| NLevelGraph::from_parts(&parts, &Line));
            checked.expect_err("the parts are not sound").to_string()
        };
        let extra = (0..sound.heads.len()).find(|&edge| sound.via(edge).is_some()).unwrap();
        let cases: [(Change<'_>, &str); 11] = [
            (&|parts| parts.levels[3] = 0, "node 3 of the graph is below"),
            (&|parts| parts.levels[3] = 11, "more levels than nodes"),
            (&|parts| parts.levels.fill(2), "level without nodes"),
            (&|parts| parts.first[10] += 1, "do not fit"),
            (&|parts| parts.first[1] = 1000, "overlap"),
            (&|parts| parts.heads[0] = 10, "to no node"),
            (&|parts| parts.heads[0] = 0, "not its own"),
            (&|parts| parts.extra.as_mut().unwrap().vias[extra] = 10, "around no node"),
            (&|parts| parts.extra.as_mut().unwrap().vias[extra] = NONE, "through a wall"),
            (&|parts| parts.extra.as_mut().unwrap().turns[extra] = 1, "another direction"),
            (&|parts| parts.extra = Some(Extra::default()), "do not fit"),
        ];
        for (change, expected) in cases {
            let told = told(change);
            assert!(told.contains(expected), "{told} instead of {expected}");
        }
    }

    #[test]
    fn what_an_edge_leads_around_is_on_the_way() {
        // 0 - 2 leads around 1, with or without edges to 1, but not around 3.
        let parts = |heads: [u32; 2], via| Parts {
            levels: vec![1; 4],
            first: vec![0, 1, 1, 2, 2],
            heads: heads.into(),
            extra: Some(Extra { vias: vec![via, NONE], turns: vec![0; 2] }),
        };
        let told = |parts: &Parts| {
            assert_eq!(parts.check(), Ok(()));
            NLevelGraph::from_parts(parts, &Line).map_err(|error| error.flaw)
        };
        assert!(told(&parts([2, 3], 3)).unwrap_err().contains("not on the way"));
        assert!(told(&parts([2, 3], 1)).unwrap_err().contains("none to its ends"));
        let (_, sound) = line();
        assert!(told(&sound).is_ok());
    }
}
