//! On-line search: insert, search, refine.

use super::Hierarchy;
use super::graphs::{AbstractGraph, AbstractTarget, AsCells};
use super::hierarchy::View;
use super::insert::Insertion;
use super::local::LocalSearch;
use super::refine::{Leg, Refinement, leg_between};
use crate::base::{Cell, Cost, Node, NodeId, Rect};
use crate::grid::Grid;
use crate::search::{
    GridTarget, HeapQueue, Memory, Observer, Phase, Problem, Progress, ShortestPath, Target,
};

/// How queries are answered. None of it changes the index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tactics {
    /// Whether refined paths are smoothed.
    pub smooth: bool,
    /// Whether start and goal are first joined directly where that is easy:
    /// by two straight runs, or by a search of their own clusters if these
    /// touch.
    pub shortcuts: bool,
    /// How start and goal are connected to the levels above the first.
    pub connect: Connect,
}

/// How start and goal are connected to the levels above the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Connect {
    /// By the main search, where it comes along.
    #[default]
    OnTheWay,
    /// Beforehand, level by level, to every node of their clusters: as in the
    /// paper.
    Beforehand,
}

impl Default for Tactics {
    fn default() -> Self {
        Self { smooth: true, shortcuts: true, connect: Connect::OnTheWay }
    }
}

impl Tactics {
    /// What the HPA* paper does.
    pub const fn paper() -> Self {
        Self { smooth: true, shortcuts: false, connect: Connect::Beforehand }
    }
}

/// Memory for queries on a hierarchy.
#[derive(Debug, Default)]
pub(crate) struct HpaScratch {
    start: Insertion,
    goal: Insertion,
    /// The main search.
    memory: Memory<HeapQueue>,
    /// Searches on one level of a cluster.
    level_memory: Memory<HeapQueue>,
    local: LocalSearch,
    nodes: Vec<NodeId>,
    legs: Vec<Leg>,
    entry: u8,
}

/// A query on a hierarchy.
#[derive(Clone, Copy)]
pub(crate) struct Online<'h> {
    grid: &'h Grid,
    view: View<'h>,
    tactics: Tactics,
}

impl Hierarchy {
    pub(crate) fn online<'h>(&'h self, grid: &'h Grid, tactics: Tactics) -> Online<'h> {
        Online { grid, view: self.view(), tactics }
    }
}

/// Takes the parts that the main search needs out of a scratch.
macro_rules! abstract_graph {
    ($online:expr, $scratch:expr) => {
        AbstractGraph {
            view: &$online.view,
            start: &$scratch.start,
            goal: &$scratch.goal,
            entry: $scratch.entry,
            climbs: $online.tactics.connect == Connect::OnTheWay,
        }
    };
}

impl Online<'_> {
    /// Inserts start and goal and begins the main search.
    pub(crate) fn begin(
        &self,
        start: Cell,
        goal: Cell,
        scratch: &mut HpaScratch,
        observer: &mut impl Observer<Cell>,
    ) {
        observer.phase(Phase::Insert);
        let HpaScratch { start: from, goal: to, local, level_memory, .. } = scratch;
        from.insert(self.grid, &self.view, start, local, observer);
        to.insert(self.grid, &self.view, goal, local, observer);
        scratch.entry = match self.tactics.connect {
            Connect::OnTheWay => 1,
            Connect::Beforehand => self.level_apart(from, to),
        };
        for end in [from, to] {
            while end.levels() < scratch.entry {
                end.climb(&self.view, level_memory, observer);
            }
        }
        observer.phase(Phase::Main);
        let graph = abstract_graph!(self, scratch);
        let mut observer = AsCells { observer, cell: |node| graph.cell(node) };
        self.problem(&graph).begin(graph.start_node(), &mut scratch.memory, &mut observer);
    }

    /// The highest level on which two cells lie in different clusters, or 1.
    fn level_apart(&self, a: &Insertion, b: &Insertion) -> u8 {
        let layout = self.view.layout;
        let apart =
            |level: &u8| layout.ancestor(*level, a.cluster(1)) != layout.ancestor(*level, b.cluster(1));
        (1..=self.view.levels()).rev().find(apart).unwrap_or(1)
    }

    fn problem<'a>(
        &self,
        graph: &'a AbstractGraph<'a>,
    ) -> Problem<'a, AbstractGraph<'a>, AbstractTarget<'a>, ShortestPath> {
        let cells = GridTarget::new(graph.goal.cell, self.grid.rules());
        Problem { graph, target: AbstractTarget { graph, cells }, rule: ShortestPath }
    }

    /// Goes on with the main search for up to `budget` expansions; whether it
    /// came to an end, with the cost of the abstract path if there is one.
    pub(crate) fn advance(
        &self,
        budget: u64,
        scratch: &mut HpaScratch,
        observer: &mut impl Observer<Cell>,
    ) -> Progress<Cost> {
        let graph = abstract_graph!(self, scratch);
        let mut observer = AsCells { observer, cell: |node| graph.cell(node) };
        match self.problem(&graph).advance(&mut scratch.memory, budget, &mut observer) {
            Progress::Paused => Progress::Paused,
            Progress::Reached(end) => {
                scratch.memory.path_into(&graph, end, &mut scratch.nodes);
                write_legs(&graph, &scratch.nodes, &mut scratch.legs);
                Progress::Reached(scratch.memory.labels().g(end.index()))
            }
            Progress::Exhausted | Progress::CostOverflow => {
                scratch.legs.clear();
                Progress::Exhausted
            }
        }
    }

    /// Writes the cells of the path to `path`, given what the main search came
    /// to; the cost of the path, if there is one.
    pub(crate) fn finish(
        &self,
        abstract_cost: Option<Cost>,
        scratch: &mut HpaScratch,
        path: &mut Vec<Cell>,
        observer: &mut impl Observer<Cell>,
    ) -> Option<Cost> {
        observer.phase(Phase::Refine);
        let (start, goal) = (scratch.start.cell, scratch.goal.cell);
        path.clear();
        path.push(start);
        let least = GridTarget::new(goal, self.grid.rules()).estimate(start);
        if abstract_cost != Some(least)
            && let Some(area) = self.local_area(scratch)
        {
            let cost = scratch.local.path(self.grid, area, start, goal, path, observer);
            if cost.is_some() && abstract_cost.is_none_or(|abstract_cost| cost < Some(abstract_cost)) {
                return cost;
            }
            path.truncate(1);
        }
        abstract_cost?;
        self.refine(usize::MAX, scratch, path, observer);
        abstract_cost
    }

    /// The cells in which start and goal are joined directly, if they are.
    fn local_area(&self, scratch: &HpaScratch) -> Option<Rect> {
        let layout = self.view.layout;
        let [a, b] = [&scratch.start, &scratch.goal].map(|end| layout.area(1, end.cluster(1)));
        let touch = |a_min: u16, a_max: u16, b_min: u16, b_max: u16| a_min <= b_max + 1 && b_min <= a_max + 1;
        let adjoin = touch(a.min().x, a.max().x, b.min().x, b.max().x)
            && touch(a.min().y, a.max().y, b.min().y, b.max().y);
        (a == b || self.tactics.shortcuts && adjoin).then(|| a.hull(b))
    }

    /// Appends cells of the legs in the scratch until there are `enough`.
    fn refine(
        &self,
        enough: usize,
        scratch: &mut HpaScratch,
        cells: &mut Vec<Cell>,
        observer: &mut impl Observer<Cell>,
    ) {
        let HpaScratch { start, goal, local, level_memory, nodes, legs, .. } = scratch;
        let memory = level_memory;
        let (grid, view) = (self.grid, &self.view);
        Refinement { grid, view, start, goal, local, memory, nodes, observer }.refine(legs, enough, cells);
    }
}

/// Turns the nodes of an abstract path into legs, the first one last.
fn write_legs(graph: &AbstractGraph<'_>, nodes: &[NodeId], legs: &mut Vec<Leg>) {
    legs.clear();
    let [_, inner @ .., _] = nodes else { return };
    let [first, .., last] = inner else {
        if let [only] = inner {
            legs.push(Leg::Arrive { from: only.pack(), level: graph.entry });
            legs.push(Leg::Leave { to: only.pack(), level: graph.entry });
        }
        return;
    };
    legs.push(Leg::Arrive { from: last.pack(), level: graph.entry });
    legs.extend(inner.windows(2).rev().map(|pair| {
        let level = graph.crossing_level(graph.view.layout.cluster_and_local(pair[0].pack()).0);
        leg_between(graph.view, pair[0], pair[1], level)
    }));
    legs.push(Leg::Leave { to: first.pack(), level: graph.entry });
}
