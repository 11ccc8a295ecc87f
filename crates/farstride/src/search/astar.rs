//! A* and Dijkstra's algorithm.

use super::{Everything, Memory, Observer, Problem, Rule, SearchStatus, SearchTree};
use crate::base::{Cost, Node};
use crate::graph::Graph;

/// The rule of A*: a node's parent is the node whose expansion reached it.
#[derive(Clone, Copy, Debug)]
pub struct ShortestPath;

impl<G: Graph> Rule<G> for ShortestPath {
    /// The expanded node, its parent and its g.
    type Offer = (G::Node, G::Node, Cost);

    #[inline]
    fn offer(&self, graph: &G, tree: &mut SearchTree, node: G::Node) -> Self::Offer {
        let index = graph.index(node);
        (node, G::Node::unpack(tree.parent(index)), tree.g(index))
    }

    #[inline]
    fn for_each_spared(&self, graph: &G, &(node, ..): &Self::Offer, visit: impl FnMut(G::Node, Cost)) {
        graph.for_each_spared(node, visit);
    }

    #[inline]
    fn for_each_arc(&self, graph: &G, &(node, parent, _): &Self::Offer, visit: impl FnMut(G::Node, Cost)) {
        graph.for_each_onward_arc(node, parent, visit);
    }

    #[inline]
    fn relax(
        &self,
        &(node, _, g): &Self::Offer,
        _: &SearchTree,
        _: usize,
        _: G::Node,
        step: Cost,
    ) -> Option<(G::Node, Cost)> {
        Some((node, g + step))
    }
}

/// A* on any graph: finds a cheapest path from `start` to `goal`.
///
/// Optimal if `bound` never exceeds the true cost to the goal. Deterministic.
///
/// # Returns
/// [`SearchStatus::Reached`], with the path in `memory` ([`Memory::path_into`]);
/// [`SearchStatus::Exhausted`] if the goal is unreachable; or
/// [`SearchStatus::CostOverflow`] if every path may cost more than [`Cost::MAX`].
///
/// # Complexity
/// O((V + E) log E) time.
///
/// # Allocation
/// None once `memory` has grown.
///
/// # Example
/// ```
/// use farstride::search::{Memory, SearchStatus, astar};
/// use farstride::Cost;
/// use farstride::graph::{NodeId, RowGraph};
///
/// let cost = |units| Cost::new(units).unwrap();
/// let graph = RowGraph::from_edges(3, [(0, 1, cost(4)), (1, 2, cost(5)), (0, 2, cost(10))])?;
/// let mut memory = Memory::default();
/// let (start, goal) = (NodeId::new(0), NodeId::new(2));
/// let progress = astar(&graph, start, goal, |_| Cost::ZERO, &mut memory, &mut ());
/// assert_eq!(progress, SearchStatus::Reached(goal));
///
/// let mut path = Vec::new();
/// memory.path_into(&graph, goal, &mut path);
/// assert_eq!(path, [start, NodeId::new(1), goal]);
/// # Ok::<(), farstride::error::GraphError>(())
/// ```
pub fn astar<G: Graph>(
    graph: &G,
    start: G::Node,
    goal: G::Node,
    bound: impl Fn(G::Node) -> Cost,
    memory: &mut Memory,
    observer: &mut impl Observer<G::Node>,
) -> SearchStatus<G::Node> {
    let problem = Problem::to_goal(graph, goal, bound);
    problem.begin(start, memory, observer);
    problem.advance(memory, u64::MAX, observer)
}

/// Dijkstra's algorithm: finds the cost from `start` to every reachable node.
///
/// Read the costs with [`Memory::cost`].
///
/// # Guarantee
/// Optimal and deterministic.
///
/// # Returns
/// [`SearchStatus::Exhausted`], or [`SearchStatus::CostOverflow`] if some nodes are
/// farther away than [`Cost::MAX`].
///
/// # Complexity
/// As [`astar`].
///
/// # Allocation
/// None once `memory` has grown.
///
/// # Example
/// ```
/// use farstride::search::{Memory, dijkstra};
/// use farstride::Cost;
/// use farstride::graph::{NodeId, RowGraph};
///
/// let cost = |units| Cost::new(units).unwrap();
/// let graph = RowGraph::from_edges(4, [(0, 1, cost(4)), (1, 2, cost(5))])?;
/// let mut memory = Memory::default();
/// dijkstra(&graph, NodeId::new(0), &mut memory, &mut ());
/// assert_eq!(memory.cost(2), Some(cost(9)));
/// assert_eq!(memory.cost(3), None); // unreachable
/// # Ok::<(), farstride::error::GraphError>(())
/// ```
pub fn dijkstra<G: Graph>(
    graph: &G,
    start: G::Node,
    memory: &mut Memory,
    observer: &mut impl Observer<G::Node>,
) -> SearchStatus<G::Node> {
    let problem = Problem { graph, target: Everything, rule: ShortestPath };
    problem.begin(start, memory, observer);
    problem.advance(memory, u64::MAX, observer)
}
