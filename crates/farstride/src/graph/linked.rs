//! Links added to a graph: portals, stairs, teleporters, one-way doors.

use super::Graph;
use crate::base::{Cost, Node};
use std::error::Error;
use std::fmt;

/// A one-way connection between two nodes, however far apart they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Link<N> {
    /// Where the link starts.
    pub from: N,
    /// Where the link ends.
    pub to: N,
    /// The cost from `from` to `to`.
    pub cost: Cost,
}

impl<N> Link<N> {
    /// A link from `from` to `to`.
    pub const fn new(from: N, to: N, cost: Cost) -> Self {
        Self { from, to, cost }
    }
}

impl<N: Node> Link<N> {
    /// Links are kept and visited in this order.
    fn key(&self) -> (u32, u32) {
        (self.from.pack(), self.to.pack())
    }
}

/// A graph with links added to it.
///
/// Links are one-way; a portal that works both ways is two links. A node's links
/// are visited after its own arcs, sorted by head, so that paths depend on which
/// links exist and not on the order in which they were added.
///
/// A link may be shorter than the straight line, so distances as the crow flies
/// are no longer lower bounds: search with [`Linked::bound`], or with a bound of
/// zero.
///
/// # Guarantee
/// Searches stay optimal, provided the graph skips an onward arc only because
/// the parent reaches the arc's head by other arcs of the graph itself. Grids,
/// windows and row graphs do; so does every graph that never skips an arc.
///
/// # Complexity
/// A node without links costs a test of one bit, which 64 neighbouring indices
/// share; a node with links costs a binary search over all links.
///
/// # Example
/// Two rooms, and a portal from one to the other:
/// ```
/// use farstride::graph::{Link, Linked, LinkedStep};
/// use farstride::search::{Memory, SearchStatus, astar};
/// use farstride::graph::UniformGrid;
/// use farstride::{Cell, Cost, Grid};
///
/// let grid = Grid::from_ascii("
///     .....#...
///     .....#...
/// ")?;
/// let cost = grid.rules().diagonal_cost;
/// let portal = Link::new(Cell::new(3, 0), Cell::new(7, 0), Cost::new(1000)?);
/// let world = Linked::new(UniformGrid(&grid), [portal])?;
///
/// let (start, goal) = (Cell::new(0, 0), Cell::new(8, 0));
/// let bound = world.bound(goal, |from, to| cost.octile(from, to));
/// let mut memory = Memory::default();
/// assert_eq!(astar(&world, start, goal, bound, &mut memory, &mut ()), SearchStatus::Reached(goal));
///
/// let mut path = Vec::new();
/// memory.path_into(&world, goal, &mut path);
/// let steps: Vec<_> = world
///     .steps(&path)
///     .map(|step| match step.unwrap() {
///         LinkedStep::Walk(cost) => format!("walk {}", cost.units()),
///         LinkedStep::Link(link) => format!("portal {}", link.cost.units()),
///     })
///     .collect();
/// assert_eq!(steps, ["walk 4756", "walk 4756", "walk 4756", "portal 1000", "walk 4756"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Invariants
///
/// 1. Both ends of every link are nodes of the graph, and not the same one.
/// 2. Links are sorted by their packed ends; no two have the same ends.
/// 3. A bit of `marks` is set exactly if a link starts at one of its 64 indices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linked<G: Graph> {
    graph: G,
    links: Vec<Link<G::Node>>, // (1, 2)
    marks: Box<[u64]>,         // (3)
}

/// Indices that share a bit. The marks of a map of 10⁸ cells then take 200 kB,
/// and few nodes without links share a bit with one that has links.
const INDICES_PER_MARK: usize = 64;

impl<G: Graph> Linked<G> {
    /// Adds links to a graph.
    ///
    /// # Errors
    /// [`LinkError`] names the first invalid link.
    ///
    /// # Complexity
    /// O(V / 4096 + L log L) time for L links.
    pub fn new(graph: G, links: impl IntoIterator<Item = Link<G::Node>>) -> Result<Self, LinkError<G::Node>> {
        let mut links: Vec<_> = links.into_iter().collect();
        let mut linked = Self { marks: Box::default(), links: Vec::new(), graph };
        links.iter().try_for_each(|link| linked.judge(link))?;
        links.sort_unstable_by_key(Link::key);
        if let Some(pair) = links.windows(2).find(|pair| pair[0].key() == pair[1].key()) {
            return Err(LinkError::Twice { from: pair[0].from, to: pair[0].to });
        }
        linked.marks = vec![0; linked.graph.node_count().div_ceil(INDICES_PER_MARK * 64)].into();
        for link in &links {
            linked.mark(link.from);
        }
        linked.links = links;
        Ok(linked)
    }

    /// Adds a link.
    ///
    /// # Errors
    /// [`LinkError`] if the link is invalid; nothing has changed then.
    ///
    /// # Complexity
    /// O(L) time for L links.
    pub fn add(&mut self, link: Link<G::Node>) -> Result<(), LinkError<G::Node>> {
        self.judge(&link)?;
        match self.links.binary_search_by_key(&link.key(), Link::key) {
            Ok(_) => Err(LinkError::Twice { from: link.from, to: link.to }),
            Err(at) => {
                self.mark(link.from);
                self.links.insert(at, link);
                Ok(())
            }
        }
    }

    /// Removes the link from `from` to `to` and returns it; `None` if there is
    /// none.
    ///
    /// # Complexity
    /// O(L) time for L links.
    pub fn remove(&mut self, from: G::Node, to: G::Node) -> Option<Link<G::Node>> {
        let key = (from.pack(), to.pack());
        let at = self.links.binary_search_by_key(&key, Link::key).ok()?;
        let link = self.links.remove(at);
        let mark = self.graph.index(from) / INDICES_PER_MARK;
        if self.links.iter().all(|other| self.graph.index(other.from) / INDICES_PER_MARK != mark) {
            self.marks[mark / 64] &= !(1 << (mark % 64));
        }
        Some(link)
    }

    /// The graph without links.
    pub const fn graph(&self) -> &G {
        &self.graph
    }

    /// All links, sorted by their packed ends.
    pub fn links(&self) -> &[Link<G::Node>] {
        &self.links
    }

    /// The links out of a node, sorted by head.
    #[inline]
    pub fn links_from(&self, node: G::Node) -> &[Link<G::Node>] {
        let mark = self.graph.index(node) / INDICES_PER_MARK;
        let is_marked = self.marks.get(mark / 64).is_some_and(|word| word >> (mark % 64) & 1 != 0);
        if is_marked { self.find_from(node.pack()) } else { &[] }
    }

    /// The link from `from` to `to`, if there is one.
    pub fn link(&self, from: G::Node, to: G::Node) -> Option<&Link<G::Node>> {
        self.links_from(from).iter().find(|link| link.to == to)
    }

    /// How a path gets from one node to the next: by an arc of the graph, or by a
    /// link if that is strictly cheaper. `None` if there is neither.
    pub fn step(&self, from: G::Node, to: G::Node) -> Option<LinkedStep<'_, G::Node>> {
        let mut walk: Option<Cost> = None;
        self.graph.for_each_arc(from, |head, cost| {
            if head == to {
                walk = Some(walk.map_or(cost, |known| known.min(cost)));
            }
        });
        match (walk, self.link(from, to)) {
            (Some(cost), Some(link)) if link.cost < cost => Some(LinkedStep::Link(link)),
            (Some(cost), _) => Some(LinkedStep::Walk(cost)),
            (None, link) => link.map(LinkedStep::Link),
        }
    }

    /// [`Linked::step`] for every pair of consecutive nodes of a path.
    pub fn steps<'a>(
        &'a self,
        path: &'a [G::Node],
    ) -> impl Iterator<Item = Option<LinkedStep<'a, G::Node>>> + 'a {
        path.windows(2).map(|pair| self.step(pair[0], pair[1]))
    }

    fn judge(&self, link: &Link<G::Node>) -> Result<(), LinkError<G::Node>> {
        let Link { from, to, .. } = *link;
        if let Some(&end) = [from, to].iter().find(|&&end| !self.graph.contains(end)) {
            return Err(LinkError::NotInGraph { from, to, end });
        }
        if from == to { Err(LinkError::Loop { node: from }) } else { Ok(()) }
    }

    fn mark(&mut self, from: G::Node) {
        let mark = self.graph.index(from) / INDICES_PER_MARK;
        self.marks[mark / 64] |= 1 << (mark % 64);
    }

    fn find_from(&self, bits: u32) -> &[Link<G::Node>] {
        let first = self.links.partition_point(|link| link.from.pack() < bits);
        let rest = &self.links[first..];
        &rest[..rest.partition_point(|link| link.from.pack() == bits)]
    }
}

impl<G: Graph> Graph for Linked<G> {
    type Node = G::Node;

    fn node_count(&self) -> usize {
        self.graph.node_count()
    }

    #[inline]
    fn index(&self, node: G::Node) -> usize {
        self.graph.index(node)
    }

    fn contains(&self, node: G::Node) -> bool {
        self.graph.contains(node)
    }

    #[inline]
    fn for_each_arc(&self, node: G::Node, mut visit: impl FnMut(G::Node, Cost)) {
        self.graph.for_each_arc(node, &mut visit);
        self.links_from(node).iter().for_each(|link| visit(link.to, link.cost));
    }

    /// Never skips a link. Skips an arc of the graph only if the graph does and
    /// the step from `parent` was an arc, too, that is, if there is no link from
    /// `parent` to `node`.
    ///
    /// Why that is safe: the graph skips an arc because `parent` has another way
    /// to its head, and links take no arc away, so that way still exists. If it is
    /// shorter than the way over `node`, the skipped arc ends no shortest path. If
    /// it is as short, some shortest path arrives by its last arc instead; the
    /// graph would skip that arc only if a shorter way led to its head, and none
    /// does.
    ///
    /// `for_each_spared` is not forwarded: a link may start at a spared node.
    #[inline]
    fn for_each_onward_arc(&self, node: G::Node, parent: G::Node, mut visit: impl FnMut(G::Node, Cost)) {
        if self.link(parent, node).is_some() {
            return self.for_each_arc(node, visit);
        }
        self.graph.for_each_onward_arc(node, parent, &mut visit);
        self.links_from(node).iter().for_each(|link| visit(link.to, link.cost));
    }
}

/// How a path through a [`Linked`] graph takes one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkedStep<'a, N> {
    /// By an arc of the graph itself, at this cost.
    Walk(Cost),
    /// By a link.
    Link(&'a Link<N>),
}

impl<N> LinkedStep<'_, N> {
    /// The cost of the step.
    pub const fn cost(&self) -> Cost {
        match self {
            Self::Walk(cost) => *cost,
            Self::Link(link) => link.cost,
        }
    }
}

/// Why a link was rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LinkError<N> {
    /// An end is not a node of the graph: on a map, it is blocked or off the map.
    NotInGraph {
        /// Where the link starts.
        from: N,
        /// Where it leads.
        to: N,
        /// The end that is not a node.
        end: N,
    },
    /// The link leads from a node to itself.
    Loop {
        /// The node.
        node: N,
    },
    /// Two links have the same ends.
    Twice {
        /// Where they start.
        from: N,
        /// Where they lead.
        to: N,
    },
}

impl<N: fmt::Display> fmt::Display for LinkError<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInGraph { from, to, end } => {
                write!(f, "the link from {from} to {to} is invalid: {end} is not a node of the graph")
            }
            Self::Loop { node } => write!(f, "the link from {node} leads to the same node"),
            Self::Twice { from, to } => write!(f, "there is more than one link from {from} to {to}"),
        }
    }
}

impl<N: fmt::Display + fmt::Debug> Error for LinkError<N> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::NodeId;
    use crate::graph::RowGraph;

    fn cost(units: u64) -> Cost {
        Cost::new(units).unwrap()
    }

    fn link(from: u32, to: u32, units: u64) -> Link<NodeId> {
        Link::new(NodeId::new(from), NodeId::new(to), cost(units))
    }

    fn row(nodes: u32) -> RowGraph {
        RowGraph::from_edges(nodes as usize, (1..nodes).map(|node| (node - 1, node, cost(5)))).unwrap()
    }

    #[test]
    fn marks_stay_set_while_links_start_there() {
        let graph = row(10_000);
        let mut linked = Linked::new(&graph, []).unwrap();
        let bare = linked.clone();
        let links = [link(4095, 0, 1), link(4096, 0, 1), link(4160, 9, 1), link(4097, 3, 1)];
        for link in links {
            linked.add(link).unwrap();
        }
        assert_eq!(linked, Linked::new(&graph, links).unwrap());
        assert_eq!(linked.marks.iter().map(|word| word.count_ones()).sum::<u32>(), 3);
        for link in links {
            assert_eq!(linked.links_from(link.from), [link]);
            assert_eq!(linked.remove(link.from, link.to), Some(link));
            assert_eq!(linked.links_from(link.from), []);
        }
        assert_eq!(linked, bare);
    }

    #[test]
    fn arcs_come_before_links() {
        let linked = Linked::new(row(4), [link(1, 3, 2), link(1, 2, 9), link(1, 0, 0)]).unwrap();
        let mut arcs = Vec::new();
        linked.for_each_arc(NodeId::new(1), |head, cost| arcs.push((head.index(), cost.units())));
        assert_eq!(arcs, [(0, 5), (2, 5), (0, 0), (2, 9), (3, 2)]);
    }

    #[test]
    fn nodes_outside_have_no_links() {
        let linked = Linked::new(row(2), [link(0, 1, 1)]).unwrap();
        assert_eq!(linked.links_from(NodeId::new(u32::MAX)), []);
        assert_eq!(linked.step(NodeId::new(7), NodeId::new(0)), None);
    }
}
