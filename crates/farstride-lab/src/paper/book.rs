//! A* and Theta* as textbooks have them. The engine's know better (moves left
//! out that no shortest path needs, ties broken towards the goal, parents of
//! parents), so that hierarchies have harder rivals here than in the documents.

use farstride::graph::{Graph, Node, UniformGrid};
use farstride::internal::{Heuristic, OpenList, Rule, SearchTree, ShortestPath, Window, euclidean};
use farstride::search::{Memory, Observer, Problem, SearchStatus, Target};
use farstride::{Cell, Cost, Grid, Rect};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A graph of which every arc is looked at.
pub(super) struct AllMoves<G>(pub(super) G);

impl<G: Graph> Graph for AllMoves<G> {
    type Node = G::Node;

    fn node_count(&self) -> usize {
        self.0.node_count()
    }

    fn index(&self, node: G::Node) -> usize {
        self.0.index(node)
    }

    fn for_each_arc(&self, node: G::Node, visit: impl FnMut(G::Node, Cost)) {
        self.0.for_each_arc(node, visit);
    }
}

/// An open list that leaves ties as they come: the first in is the first out.
#[derive(Default)]
pub(super) struct InTurn {
    heap: BinaryHeap<Reverse<(Cost, u64, u32)>>,
    pushed: u64,
}

impl OpenList for InTurn {
    fn start(&mut self, f: Cost, h: Cost, node: u32) {
        self.heap.clear();
        self.pushed = 0;
        self.push(f, h, node);
    }

    fn push(&mut self, f: Cost, _: Cost, node: u32) {
        self.heap.push(Reverse((f, self.pushed, node)));
        self.pushed += 1;
    }

    fn pop(&mut self) -> Option<u32> {
        self.heap.pop().map(|Reverse((_, _, node))| node)
    }
}

/// Searches by the book, on a map or a rectangle of it.
pub(super) struct Book<'g> {
    grid: &'g Grid,
    memory: Memory<InTurn>,
}

/// What finds a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Searcher {
    /// A* that estimates by the octile distance.
    Astar,
    /// Basic Theta* that estimates by the straight distance.
    Theta,
}

impl<'g> Book<'g> {
    pub(super) fn new(grid: &'g Grid) -> Self {
        Self { grid, memory: Memory::default() }
    }

    /// Searches a way inside `area`; its cost, if there is one.
    pub(super) fn find(
        &mut self,
        searcher: Searcher,
        area: Rect,
        (from, to): (Cell, Cell),
        observer: &mut impl Observer<Cell>,
    ) -> Option<Cost> {
        let graph = &AllMoves(Window::new(UniformGrid(self.grid), area));
        let diagonal = self.grid.rules().diagonal_cost;
        match searcher {
            Searcher::Astar => {
                let target = Heuristic { goal: to, bound: |cell| diagonal.octile(cell, to) };
                self.run(&Problem { graph, target, rule: ShortestPath }, from, observer)
            }
            Searcher::Theta => {
                let target = Heuristic { goal: to, bound: |cell| euclidean(cell, to) };
                self.run(&Problem { graph, target, rule: ParentInSight(self.grid) }, from, observer)
            }
        }
    }

    fn run<G: Graph<Node = Cell>, T: Target<Cell>, R: Rule<G>>(
        &mut self,
        problem: &Problem<'_, G, T, R>,
        from: Cell,
        observer: &mut impl Observer<Cell>,
    ) -> Option<Cost> {
        problem.begin(from, &mut self.memory, observer);
        let SearchStatus::Reached(end) = problem.advance(&mut self.memory, u64::MAX, observer) else {
            return None;
        };
        Some(self.memory.tree().g(problem.graph.index(end)))
    }
}

/// The rule of basic Theta*: a successor that the parent of the expanded node
/// sees takes that for its own. Nothing is opened again.
struct ParentInSight<'g>(&'g Grid);

/// An expanded cell and its parent, with their costs.
struct Family {
    cell: Cell,
    g: Cost,
    parent: Cell,
    parent_g: Cost,
}

impl<G: Graph<Node = Cell>> Rule<G> for ParentInSight<'_> {
    type Offer = Family;

    fn offer(&self, graph: &G, labels: &mut SearchTree, cell: Cell) -> Family {
        let index = graph.index(cell);
        let parent = Cell::unpack(labels.parent(index));
        Family { cell, g: labels.g(index), parent, parent_g: labels.g(graph.index(parent)) }
    }

    fn for_each_arc(&self, graph: &G, family: &Family, visit: impl FnMut(Cell, Cost)) {
        graph.for_each_arc(family.cell, visit);
    }

    fn relax(
        &self,
        family: &Family,
        labels: &SearchTree,
        index: usize,
        successor: Cell,
        _: Cost,
    ) -> Option<(Cell, Cost)> {
        if labels.is_closed(index) {
            return None;
        }
        let (from, g) = if self.0.line_of_sight(family.parent, successor) {
            (family.parent, family.parent_g)
        } else {
            (family.cell, family.g)
        };
        Some((from, g + euclidean(from, successor)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farstride::search::Effort;

    /// Cost in steps, expanded nodes and nodes in memory.
    fn search(searcher: Searcher, map: &str, area: Option<Rect>, to: Cell) -> (Option<f64>, u64, u64) {
        let grid = Grid::from_ascii(map).unwrap();
        let mut effort = Effort::default();
        let area = area.unwrap_or(grid.area());
        let cost = Book::new(&grid).find(searcher, area, (Cell::new(0, 0), to), &mut effort);
        let total = effort.total();
        (cost.map(|cost| cost.units() as f64 / 4756.0), total.expanded, total.peak_nodes)
    }

    #[test]
    fn ties_are_not_broken_towards_the_goal() {
        // Nine cells lie on shortest paths and are all expanded. They touch every
        // cell but the lower left corner.
        let (cost, expanded, nodes) =
            search(Searcher::Astar, ".....\n.....\n.....\n.....", None, Cell::new(4, 2));
        assert!((cost.unwrap() - (2.0 + 2.0 * f64::sqrt(2.0))).abs() < 0.01);
        assert_eq!((expanded, nodes), (9, 19));
    }

    #[test]
    fn parents_in_sight_are_taken() {
        let map = "....\n.#..\n....";
        let (theta, ..) = search(Searcher::Theta, map, None, Cell::new(3, 1));
        assert!((theta.unwrap() - (2.0 + f64::sqrt(2.0))).abs() < 0.01, "{theta:?}");
        let (open, ..) = search(Searcher::Theta, "....\n....\n....", None, Cell::new(3, 1));
        assert!((open.unwrap() - f64::sqrt(10.0)).abs() < 0.01, "{open:?}");
    }

    #[test]
    fn a_way_that_leaves_the_area_is_none() {
        let map = "...\n##.\n...";
        let goal = Cell::new(0, 2);
        for searcher in [Searcher::Astar, Searcher::Theta] {
            assert!(search(searcher, map, None, goal).0.is_some());
            let area = Rect::spanning(Cell::new(0, 0), Cell::new(1, 2));
            assert_eq!(search(searcher, map, Some(area), goal), (None, 2, 2));
        }
    }
}
