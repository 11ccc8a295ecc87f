//! On-line search: insert, search, refine.

use super::graphs::{AbstractGraph, AbstractTarget, Bound};
use super::hierarchy::View;
use super::insert::{Insertion, Places};
use super::local::LocalSearch;
use super::refine::{Leg, Refinement, leg_between};
use super::skip::{Notes, SkipParents, SkipParentsLazily};
use super::walk::{Inside, Walk};
use super::{Hierarchy, Local, Settings};
use crate::base::{Cell, Cost, Node, NodeId, Trail};
use crate::graph::Graph;
use crate::grid::{Contents, Grid};
use crate::search::{HeapQueue, Memory, Observer, Phase, Problem, Progress, ShortestPath, Translated};
use std::cell::RefCell;

/// How queries are answered. None of it changes the index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tactics {
    /// Whether refined paths are smoothed.
    pub smooth: bool,
    /// Whether start and goal are joined directly where that is easy: by two
    /// straight runs, or, if they are a few clusters apart at most and the path
    /// is suspiciously long, by a search of the clusters around them.
    pub shortcuts: bool,
    /// How start and goal are connected to the levels above the first.
    pub connect: Connect,
    /// For how many popular places each [`Scratch`](crate::Scratch) remembers
    /// how they are connected: a goal that many units share, or the door of a
    /// barracks. Pays where connecting takes a search: if ways are not kept,
    /// or start and goal are connected beforehand.
    pub remember: u16,
    /// When HPT* skips parents.
    pub skip: Skip,
    /// Whether start and goal are connected to each node of their 1-clusters
    /// by a search of its own, as in the papers: one search for all is
    /// cheaper. Only if ways are not kept.
    pub one_by_one: bool,
}

/// When HPT* replaces turns by straight legs between places in sight of each
/// other. HPA* has no such legs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Skip {
    /// When a path is refined: the abstract search compares ways through
    /// transitions with each other and no straight legs with them.
    #[default]
    Afterwards,
    /// In the abstract search, as Theta* does and the HPT* thesis has it.
    InSearch,
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
        Self::DEFAULT
    }
}

impl Tactics {
    /// What measured best: the default, where a constant is needed.
    pub const DEFAULT: Self = Self {
        smooth: true,
        shortcuts: true,
        connect: Connect::OnTheWay,
        remember: 0,
        skip: Skip::Afterwards,
        one_by_one: false,
    };

    /// What the HPA* paper does.
    pub const fn paper() -> Self {
        Self { shortcuts: false, connect: Connect::Beforehand, ..Self::DEFAULT }
    }

    /// What the HPT* thesis does: as the HPA* paper, without smoothing, and
    /// parents are skipped in the search.
    pub const fn thesis() -> Self {
        Self { smooth: false, skip: Skip::InSearch, one_by_one: true, ..Self::paper() }
    }
}

/// Clusters between start and goal up to which a direct search is thought of.
/// Clusters of HPT* count as if they had the side of [`ANY_ANGLE_SIDE`].
const FAR: u32 = 4;
/// Clusters' sides of steps from which on a path is too long for a direct search,
/// however close its ends are.
const LONG: usize = 8;
/// Smaller clusters, as HPT* has them, do not make near what is far.
const ANY_ANGLE_SIDE: u16 = 32;
/// A path that is longer than on an empty map by more than one part in this
/// many is suspect.
const SUSPICION: u64 = 12;
/// Nodes that may be expanded to improve a suspect path; less than a tenth of
/// a millisecond.
const PATIENCE: u64 = 3_000;
/// The same for paths at any angle. These are nearer to the straight distance
/// than steps are to theirs, and searching for them takes longer.
const ANY_ANGLE_DOUBTS: (u64, u64) = (50, 2_000);
/// A path so many times as long as on an empty map has to go around something:
/// a direct search would be long, and seldom finds better.
const WINDING: u64 = 2;

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
    back: Trail,
    places: Places,
    legs: Vec<Leg>,
    entry: u8,
    notes: RefCell<Notes>,
}

impl HpaScratch {
    pub(super) fn legs(&self) -> &[Leg] {
        &self.legs
    }

    pub(super) const fn start_cell(&self) -> Cell {
        self.start.cell
    }

    pub(super) const fn goal_cell(&self) -> Cell {
        self.goal.cell
    }

    /// Puts in a single leg of a path from `from` to the goal.
    pub(super) fn take_leg(&mut self, leg: Leg, from: Cell, goal: Cell) {
        self.start.cell = from;
        self.goal.cell = goal;
        self.legs.clear();
        self.legs.push(leg);
    }

    /// Cost from the start to a node of its 1-cluster.
    pub(super) fn leaving_cost(&self, view: &View<'_>, node: u32) -> Option<Cost> {
        let (cluster, local) = view.layout.cluster_and_local(node);
        (cluster == self.start.cluster(1)).then(|| self.start.cost(1, local)).flatten()
    }

    /// Cost from a node of its 1-cluster to the goal.
    pub(super) fn arriving_cost(&self, grid: &Grid, view: &View<'_>, node: u32) -> Option<Cost> {
        let (cluster, local) = view.layout.cluster_and_local(node);
        (cluster == self.goal.cluster(1)).then(|| self.goal.cost_now(grid, view, local)).flatten()
    }
}

/// A query on a hierarchy.
#[derive(Clone, Copy)]
pub(crate) struct Online<'h> {
    grid: &'h Grid,
    view: View<'h>,
    tactics: Tactics,
    /// Cells around the clusters of start and goal that are looked at when
    /// these are joined directly.
    margin: u16,
    /// Clusters between start and goal up to which that is thought of.
    far: u32,
    /// What insertions refer to.
    basis: (Contents, Settings, bool),
}

impl Hierarchy {
    pub(crate) fn online<'h>(&'h self, grid: &'h Grid, tactics: Tactics) -> Online<'h> {
        let Settings { cluster, local, .. } = *self.settings();
        // A cluster: the way may lead around the clusters between.
        let margin = if local.is_any_angle() { cluster.max(ANY_ANGLE_SIDE) } else { cluster };
        Online {
            grid,
            view: self.view(),
            tactics,
            margin,
            far: FAR * u32::from(margin) / u32::from(cluster),
            basis: (grid.contents(), *self.settings(), tactics.one_by_one),
        }
    }
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
        let HpaScratch { start: from, goal: to, local, level_memory, places, .. } = scratch;
        let one_by_one = self.tactics.one_by_one;
        let remember = usize::from(self.tactics.remember);
        if remember > 0 {
            places.belong_to(self.basis);
        }
        if remember == 0 || !places.recall(start, from) {
            from.insert(self.grid, &self.view, start, (local, one_by_one), observer);
        }
        if remember == 0 || !places.recall(goal, to) {
            match self.tactics.connect {
                // What is remembered must be known in full: a goal may become a start.
                Connect::OnTheWay if remember == 0 => {
                    to.insert_later(self.grid, &self.view, goal, (local, one_by_one), observer);
                }
                _ => to.insert(self.grid, &self.view, goal, (local, one_by_one), observer),
            }
        }
        scratch.entry = match self.tactics.connect {
            Connect::OnTheWay => 1,
            Connect::Beforehand => self.level_apart(from, to),
        };
        for end in [from, to] {
            while end.levels() < scratch.entry {
                end.climb(&self.view, level_memory, observer);
            }
            if remember > 0 {
                places.note(end, remember);
            }
        }
        observer.phase(Phase::Main);
        let HpaScratch { start, goal, memory, entry, notes, .. } = scratch;
        let graph = self.graph(start, goal, *entry);
        if self.skips_in_search() {
            notes.get_mut().begin(graph.node_count());
        }
        let mut observer = Translated { observer, node: |node| graph.cell(node) };
        self.problem(&graph, ShortestPath).begin(graph.start_node(), memory, &mut observer);
    }

    fn graph<'a>(&'a self, start: &'a Insertion, goal: &'a Insertion, entry: u8) -> AbstractGraph<'a> {
        AbstractGraph::new(
            self.grid,
            &self.view,
            start,
            goal,
            entry,
            self.tactics.connect == Connect::OnTheWay,
        )
    }

    /// The highest level on which two cells lie in different clusters, or 1.
    fn level_apart(&self, a: &Insertion, b: &Insertion) -> u8 {
        let layout = self.view.layout;
        let apart =
            |level: &u8| layout.ancestor(*level, a.cluster(1)) != layout.ancestor(*level, b.cluster(1));
        (1..=self.view.levels()).rev().find(apart).unwrap_or(1)
    }

    /// Whether the main search skips parents.
    fn skips_in_search(&self) -> bool {
        self.view.local.is_any_angle() && self.tactics.skip == Skip::InSearch
    }

    fn problem<'a, R>(
        &self,
        graph: &'a AbstractGraph<'a>,
        rule: R,
    ) -> Problem<'a, AbstractGraph<'a>, AbstractTarget<'a>, R> {
        let cells = Bound::new(self.view.local, graph.goal.cell, self.grid.rules());
        Problem { graph, target: AbstractTarget { graph, cells }, rule }
    }

    /// Goes on with the main search for up to `budget` expansions; whether it
    /// came to an end, with the cost of the abstract path if there is one.
    pub(crate) fn advance(
        &self,
        budget: u64,
        scratch: &mut HpaScratch,
        observer: &mut impl Observer<Cell>,
    ) -> Progress<Cost> {
        let HpaScratch { start, goal, memory, nodes, legs, entry, notes, .. } = scratch;
        let graph = self.graph(start, goal, *entry);
        let mut observer = Translated { observer, node: |node| graph.cell(node) };
        let progress = if self.skips_in_search() {
            let grid = self.grid;
            if self.view.local == Local::LazyTheta {
                let rule = SkipParentsLazily { grid, graph: &graph, notes };
                self.problem(&graph, rule).advance(memory, budget, &mut observer)
            } else {
                let rule = SkipParents { grid, graph: &graph, notes };
                self.problem(&graph, rule).advance(memory, budget, &mut observer)
            }
        } else {
            self.problem(&graph, ShortestPath).advance(memory, budget, &mut observer)
        };
        match progress {
            Progress::Paused => Progress::Paused,
            Progress::Reached(end) => {
                memory.path_into(&graph, end, nodes);
                write_legs(self.grid, &graph, self.skips_in_search(), nodes, legs);
                Progress::Reached(memory.labels().g(end.index()))
            }
            Progress::Exhausted | Progress::CostOverflow => {
                legs.clear();
                Progress::Exhausted
            }
        }
    }

    /// Goes on with the main search and, if it comes to an end, along the path
    /// that it found to the goal.
    pub(crate) fn follow(
        &self,
        budget: u64,
        scratch: &mut HpaScratch,
        walk: &mut impl Walk,
        observer: &mut impl Observer<Cell>,
    ) -> Progress<Cell> {
        let cost = match self.advance(budget, scratch, observer) {
            Progress::Paused => return Progress::Paused,
            Progress::Reached(cost) => Some(cost),
            Progress::Exhausted | Progress::CostOverflow => None,
        };
        match self.finish(cost, scratch, walk, observer) {
            Some(_) => Progress::Reached(scratch.goal.cell),
            None => Progress::Exhausted,
        }
    }

    /// Goes along the path, given what the main search came to; its cost, if
    /// there is one.
    fn finish(
        &self,
        abstract_cost: Option<Cost>,
        scratch: &mut HpaScratch,
        walk: &mut impl Walk,
        observer: &mut impl Observer<Cell>,
    ) -> Option<Cost> {
        observer.phase(Phase::Refine);
        let (start, goal) = (scratch.start.cell, scratch.goal.cell);
        walk.restart(start);
        if scratch.start.cluster(1) == scratch.goal.cluster(1) {
            let area = self.view.layout.area(1, scratch.start.cluster(1));
            let mut inside = self.inside(scratch, observer);
            let cost = walk.search(&mut inside, area, (start, goal), u64::MAX);
            if cost.is_some() && abstract_cost.is_none_or(|abstract_cost| cost < Some(abstract_cost)) {
                return cost;
            }
            walk.restart(start);
        }
        abstract_cost?;
        self.refine(usize::MAX, scratch, walk, observer);
        abstract_cost
    }

    /// Clusters from the start's to the goal's, the longer way of across and
    /// down: 0 if they share one.
    fn span(&self, scratch: &HpaScratch) -> u32 {
        let layout = self.view.layout;
        let [a, b] = [&scratch.start, &scratch.goal].map(|end| layout.place(1, end.cluster(1)));
        a.0.abs_diff(b.0).max(a.1.abs_diff(b.1))
    }

    /// Whether start and goal are so close that they are joined directly if
    /// that is shorter at all.
    pub(crate) fn is_local(&self, scratch: &HpaScratch) -> bool {
        let reach = u32::from(self.tactics.shortcuts);
        self.span(scratch) <= reach
    }

    /// Replaces a path between cells that are close to each other by one that
    /// a search of the clusters between and around them finds and `finish`
    /// smooths, if that is shorter.
    ///
    /// Between clusters that touch the search is made whenever the path could
    /// be shorter at all. A little further apart, transitions may still lead
    /// far astray: there it is made if the path is much longer than on an empty
    /// map, and given up when it takes long.
    pub(crate) fn look_around<W: Walk>(
        &self,
        scratch: &mut HpaScratch,
        walk: &mut W,
        spare: &mut W,
        observer: &mut impl Observer<Cell>,
        mut finish: impl FnMut(&mut W),
    ) {
        let span = self.span(scratch);
        if span > self.far || walk.steps() > LONG * usize::from(self.margin) {
            return;
        }
        let (start, goal) = (scratch.start.cell, scratch.goal.cell);
        let cost = walk.cost(self.grid);
        let least = Bound::new(self.view.local, goal, self.grid.rules()).estimate(start).units();
        let (suspicion, patience) =
            if self.view.local.is_any_angle() { ANY_ANGLE_DOUBTS } else { (SUSPICION, PATIENCE) };
        let (suspect, budget) =
            if span <= 1 { (least, u64::MAX) } else { (least + least / suspicion, patience) };
        let winding = span > 1 && cost.units() > least * WINDING;
        if cost.units() <= suspect || winding {
            return;
        }
        let layout = self.view.layout;
        let [a, b] = [&scratch.start, &scratch.goal].map(|end| layout.area(1, end.cluster(1)));
        let area = a.hull(b).grown(self.margin, self.grid.area());
        spare.restart(start);
        if spare.search(&mut self.inside(scratch, observer), area, (start, goal), budget).is_some() {
            finish(spare);
            if spare.cost(self.grid) < cost {
                walk.copy_from(spare);
            }
        }
    }

    /// What ways inside 1-clusters are read from or searched with.
    fn inside<'a, O: Observer<Cell>>(
        &'a self,
        scratch: &'a mut HpaScratch,
        observer: &'a mut O,
    ) -> Inside<'a, O> {
        let HpaScratch { local, back, .. } = scratch;
        Inside { grid: self.grid, view: &self.view, local, back, observer }
    }

    pub(super) const fn view(&self) -> &View<'_> {
        &self.view
    }

    pub(super) const fn grid(&self) -> &Grid {
        self.grid
    }

    /// Connects a cell as the start, and nothing else.
    pub(super) fn insert_start(&self, cell: Cell, scratch: &mut HpaScratch) {
        scratch.start.insert(self.grid, &self.view, cell, (&mut scratch.local, false), &mut ());
    }

    /// Connects a cell as the goal, and nothing else.
    pub(super) fn insert_goal(&self, cell: Cell, scratch: &mut HpaScratch) {
        scratch.goal.insert(self.grid, &self.view, cell, (&mut scratch.local, false), &mut ());
    }

    /// Appends legs of the scratch until there are `enough` steps.
    pub(super) fn refine(
        &self,
        enough: usize,
        scratch: &mut HpaScratch,
        walk: &mut impl Walk,
        observer: &mut impl Observer<Cell>,
    ) {
        let HpaScratch { start, goal, local, level_memory, nodes, back, legs, .. } = scratch;
        let inside = Inside { grid: self.grid, view: &self.view, local, back, observer };
        Refinement { inside, start, goal, memory: level_memory, nodes }.refine(legs, enough, walk);
    }
}

/// Turns the nodes of an abstract path into legs, the first one last.
fn write_legs(grid: &Grid, graph: &AbstractGraph<'_>, skipped: bool, nodes: &[NodeId], legs: &mut Vec<Leg>) {
    legs.clear();
    for pair in nodes.windows(2).rev() {
        let (from, to) = (pair[0], pair[1]);
        let (here, there) = (graph.cell(from), graph.cell(to));
        // The goal is gone to straight from wherever it is in sight.
        let may_be_straight = skipped || graph.climbs_to_goal(to);
        if may_be_straight && grid.line_of_sight(here, there) {
            legs.push(Leg::Sight { to: there });
        } else {
            push_edge(graph, from, to, legs);
        }
    }
}

/// Puts the legs of an edge of the abstract graph on top of `legs`, the first
/// one last. The nodes of a search that climbs are those at which clusters are
/// entered.
fn push_edge(graph: &AbstractGraph<'_>, from: NodeId, to: NodeId, legs: &mut Vec<Leg>) {
    let (tail, head) = (from.pack(), to.pack());
    match (from == graph.start_node(), to == graph.goal_node()) {
        (_, true) => legs.push(Leg::Arrive { from: tail, level: graph.entry() }),
        (true, false) if graph.climbs() => {
            legs.push(Leg::Step { to: head });
            legs.push(Leg::Leave { to: graph.exit_from_start(head), level: 1 });
        }
        (true, false) => legs.push(Leg::Leave { to: head, level: graph.entry() }),
        (false, false) if graph.climbs() => {
            let level = graph.crossing_level(graph.view.layout.cluster_and_local(tail).0);
            let exit = graph.exit_to(head, tail, level);
            legs.push(Leg::Step { to: head });
            if exit != tail {
                legs.push(Leg::Cross { from: tail, to: exit, level });
            }
        }
        (false, false) => legs.push(leg_between(graph.view, from, to, graph.entry())),
    }
}
