//! Answering queries: insert, search, refine.

use super::fronts::FrontSearch;
use super::graphs::{Bound, QueryGraph, QueryTarget};
use super::hierarchy::View;
use super::insert::{Insertion, InsertionCache};
use super::local::{LocalSearch, Reach};
use super::refine::{Leg, Refinement, ends_of_crossings, leg_between};
use super::shift::Shifter;
use super::skip::{Notes, SkipParents, SkipParentsLazily};
use super::stretch;
use super::tables::ReadAhead;
use super::walk::{Inside, Walk};
use super::{Hierarchy, HpaSettings, Local};
use crate::base::with_methods;
use crate::base::{Cell, Cost, Node, NodeId, Rect, Trail};
use crate::graph::Graph;
use crate::grid::{Grid, Revision};
use crate::search::{
    HeapQueue, Memory, Observer, OpenList, Phase, Problem, Rule, SearchStatus, ShortestPath, Translated,
    WideQueue,
};
use std::cell::RefCell;

/// How queries are answered. Changing it does not need another index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "switches that do not depend on each other")]
pub struct Tactics {
    /// Whether refined paths are smoothed.
    pub smooth: bool,
    /// Whether to try joining start and goal directly: by two straight runs, or, if they are
    /// near each other and the path is suspiciously long, by a bounded search around them. If
    /// [`HpaSettings::gap`] is 0, cells a few clusters apart are near, otherwise cells at most
    /// 32 columns and rows apart.
    pub shortcuts: bool,
    /// How start and goal are connected to the levels above the first.
    pub connect: Connect,
    /// For how many cells each [`Scratch`](crate::Scratch) remembers how they are
    /// connected: for goals that many units share, or the door of a barracks.
    /// Pays where connecting takes a search: if ways are not kept, or with
    /// [`Connect::Beforehand`].
    pub remember: u16,
    /// When HPT* skips parents.
    pub skip: Skip,
    /// Whether start and goal are connected to each node of their 1-clusters by a
    /// separate search, as in the papers, instead of one search for all, which is
    /// cheaper. Has no effect if ways are kept.
    pub one_by_one: bool,
    /// Whether the main search of HPA* counts the rest of a path for a little more than
    /// the least it can cost. It then looks at fewer nodes, and the path through the
    /// hierarchy may be one part in 64 longer, one in 16 if most cells weigh more than 1,
    /// though rarely is; shifting mostly makes up for that. On maps with a side of 2048 cells or more it counts the
    /// rest for as much more as nearly all long ways there cost. Has no effect on HPT*.
    pub eager: bool,
    /// Whether a path of HPA* that was found is shifted to better transitions of the
    /// borders that it crosses. Has no effect on HPT*, nor on plans, which know only the
    /// next section of their path.
    pub shift: bool,
}

with_methods!(Tactics { with_smooth smooth: bool, with_shortcuts shortcuts: bool, with_connect connect: Connect, with_remember remember: u16, with_skip skip: Skip, with_one_by_one one_by_one: bool, with_eager eager: bool, with_shift shift: bool });

/// When HPT* replaces turns by straight legs between cells that see each other.
/// Has no effect on HPA*.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Skip {
    /// When a path is refined. The main search compares ways through transitions
    /// only, without straight legs.
    #[default]
    Afterwards,
    /// In the main search, as in Theta* and in the HPT* thesis.
    InSearch,
}

/// How start and goal are connected to the levels above the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Connect {
    /// By the main search, as far as it comes along.
    #[default]
    OnTheWay,
    /// In advance, level by level, to every node of their clusters, as in the
    /// paper.
    Beforehand,
}

impl Default for Tactics {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Tactics {
    /// The defaults, which measured best, as a constant.
    pub const DEFAULT: Self = Self {
        smooth: true,
        shortcuts: true,
        connect: Connect::OnTheWay,
        remember: 0,
        skip: Skip::Afterwards,
        one_by_one: false,
        eager: true,
        shift: true,
    };

    /// As in the HPA* paper.
    pub const fn paper() -> Self {
        Self { shortcuts: false, connect: Connect::Beforehand, eager: false, shift: false, ..Self::DEFAULT }
    }

    /// As in the HPT* thesis: like the HPA* paper, without smoothing, and with
    /// parents skipped in the search.
    pub const fn thesis() -> Self {
        Self { smooth: false, skip: Skip::InSearch, one_by_one: true, ..Self::paper() }
    }
}

/// Largest distance between start and goal, in clusters, for a direct search.
/// Smaller clusters than [`ANY_ANGLE_SIDE`] count as if they had that side.
const FAR: u32 = 4;
/// A path of more steps than this many sides of a cluster is too long for a
/// direct search, however close its ends are.
const LONG: usize = 8;
/// Least side that counts for HPT*: its smaller clusters do not make far goals near.
const ANY_ANGLE_SIDE: u16 = 32;
/// A path is suspiciously long if it exceeds the distance on an empty map by more
/// than one part in this many.
const SUSPICION: u64 = 12;
/// Nodes that may be expanded to improve a suspiciously long path: less than a
/// tenth of a millisecond.
const PATIENCE: u64 = 3_000;
/// [`SUSPICION`] and [`PATIENCE`] for any-angle paths: they are closer to the
/// straight distance than steps are to theirs, and searching them takes longer.
const ANY_ANGLE_DOUBTS: (u64, u64) = (50, 2_000);
/// A path this many times as long as on an empty map has to go around something:
/// a direct search would be long and seldom finds a better one.
const WINDING: u64 = 2;
/// Largest distance between start and goal in columns and rows, and how far around them the
/// search goes, where transitions are close together. With half of it, paths on fields were
/// up to 20 % too dear.
const NEAR: u16 = 32;
/// Without weights, paths between such cells are in doubt if they exceed the distance on an
/// empty map by more than one part in this many; with weights, nearly every path is.
const NEAR_SUSPICION: u64 = 64;
/// Nodes that may be expanded then, without and with weights: few searches need them all, and
/// with half as many, paths in rooms and on noise were up to 8 % too long.
const NEAR_PATIENCE: u64 = 2_000;
const NEAR_PATIENCE_ON_TERRAIN: u64 = 4_000;

/// If the main search is eager, the rest of a path counts for one part in 64 more than
/// the least it can cost. With twice as much, paths on open ground are a third of a percent longer.
const EAGERNESS: u64 = stretch::WHOLE / 64;
/// Where most cells weigh more than 1, one part in 16: the least is about half of what the rest
/// costs. With twice as much, one path in a hundred on the maps of a game, about half of weight 1,
/// was up to 7 % too dear; with half as much, searches of fields take a tenth longer.
const EAGERNESS_ON_TERRAIN: u64 = stretch::WHOLE / 16;

/// A path that may be too long, and where to look for a shorter one.
struct Doubt {
    /// No doubt about paths that cost no more, in units.
    suspect: u64,
    /// Nodes that may be expanded.
    budget: u64,
    area: Rect,
}

/// Working memory for queries on a hierarchy.
#[derive(Debug, Default)]
pub(crate) struct HpaScratch {
    start: Insertion,
    goal: Insertion,
    /// For the main search if it climbs.
    fronts: FrontSearch,
    /// For one that does not, or that skips parents.
    memory: Memory<HeapQueue>,
    /// For one that does not climb, but is eager.
    eager_memory: Memory<WideQueue>,
    /// For searches on one level of a cluster.
    level_memory: Memory<HeapQueue>,
    local: LocalSearch,
    nodes: Vec<NodeId>,
    back: Trail,
    cache: InsertionCache,
    legs: Vec<Leg>,
    /// Legs of the level below while a path is lowered to it.
    low: Vec<Leg>,
    ahead: ReadAhead,
    shifter: Shifter,
    entry: u8,
    notes: RefCell<Notes>,
}

impl HpaScratch {
    pub(super) fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// Numbers of hosts of start and goal.
    #[cfg(test)]
    pub(super) fn host_counts(&self) -> [usize; 2] {
        [&self.start, &self.goal].map(|end| end.hosts().len())
    }

    pub(super) const fn start_cell(&self) -> Cell {
        self.start.cell
    }

    pub(super) const fn goal_cell(&self) -> Cell {
        self.goal.cell
    }

    /// Replaces all legs by a single one, of a path from `from` to `goal`.
    pub(super) fn set_single_leg(&mut self, leg: Leg, from: Cell, goal: Cell) {
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

    /// Cost from a node of the goal's 1-cluster to the goal.
    pub(super) fn arriving_cost(&self, grid: &Grid, view: &View<'_>, node: u32) -> Option<Cost> {
        let (cluster, local) = view.layout.cluster_and_local(node);
        (cluster == self.goal.cluster(1)).then(|| self.goal.cost_now(grid, view, local)).flatten()
    }
}

/// Everything that stays the same during a query on a hierarchy.
#[derive(Clone, Copy)]
pub(crate) struct Online<'h> {
    grid: &'h Grid,
    view: View<'h>,
    tactics: Tactics,
    /// Cells around the clusters of start and goal that a direct search covers.
    margin: u16,
    /// Largest distance between start and goal, in clusters, for a direct search.
    far: u32,
    /// Whether transitions are closer together than in the paper.
    is_dense: bool,
    /// What an eager search multiplies estimates by at least.
    stretch: u64,
    /// What cached insertions depend on.
    basis: (Revision, HpaSettings, bool),
}

impl Hierarchy {
    pub(crate) fn online<'h>(&'h self, grid: &'h Grid, tactics: Tactics) -> Online<'h> {
        let HpaSettings { cluster, local, gap, .. } = *self.settings();
        // One cluster: the best way may lead around the clusters in between.
        let margin = if local.is_any_angle() { cluster.max(ANY_ANGLE_SIDE) } else { cluster };
        Online {
            grid,
            view: self.view(),
            tactics,
            margin,
            far: FAR * u32::from(margin) / u32::from(cluster),
            is_dense: gap > 0 && !local.is_any_angle(),
            stretch: self.stretch.factor(),
            basis: (grid.revision(), *self.settings(), tactics.one_by_one),
        }
    }
}

impl Online<'_> {
    /// Inserts start and goal and starts the main search.
    pub(crate) fn begin(
        &self,
        start: Cell,
        goal: Cell,
        scratch: &mut HpaScratch,
        observer: &mut impl Observer<Cell>,
    ) {
        observer.phase(Phase::Insert);
        let HpaScratch { start: from, goal: to, local, level_memory, cache, .. } = scratch;
        let one_by_one = self.tactics.one_by_one;
        let remember = usize::from(self.tactics.remember);
        if remember > 0 {
            cache.keep_only_for(self.basis);
        }
        if remember == 0 || !cache.recall(start, from) {
            from.insert(self.grid, &self.view, start, (local, one_by_one), observer);
            from.find_hosts(self.grid, &self.view);
        }
        if remember == 0 || !cache.recall(goal, to) {
            match self.tactics.connect {
                // A cached insertion must have all costs: this goal may become a start.
                Connect::OnTheWay if remember == 0 => {
                    to.insert_lazily(self.grid, &self.view, goal, (local, one_by_one), observer);
                }
                _ => to.insert(self.grid, &self.view, goal, (local, one_by_one), observer),
            }
            to.find_hosts(self.grid, &self.view);
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
                cache.store(end, remember);
            }
        }
        observer.phase(Phase::Main);
        let HpaScratch { start, goal, memory, eager_memory, entry, notes, fronts, .. } = scratch;
        let graph = self.graph(start, goal, *entry);
        let mut observer = Translated { observer, node: |node| graph.cell(node) };
        if graph.climbs() && !self.skips_in_search() {
            fronts.begin(&self.target(&graph), self.is_eager(), &mut observer);
            return;
        }
        if self.skips_in_search() {
            notes.get_mut().begin(graph.node_count());
        }
        let problem = self.problem(&graph, ShortestPath);
        if self.is_eager() {
            problem.begin(graph.start_node(), eager_memory, &mut observer);
        } else {
            problem.begin(graph.start_node(), memory, &mut observer);
        }
    }

    fn graph<'a>(&'a self, start: &'a Insertion, goal: &'a Insertion, entry: u8) -> QueryGraph<'a> {
        QueryGraph::new(
            self.grid,
            &self.view,
            start,
            goal,
            entry,
            self.tactics.connect == Connect::OnTheWay,
            self.is_dense,
        )
    }

    /// The highest level on which two cells lie in different clusters, and neither of them in a pocket; at least 1.
    fn level_apart(&self, a: &Insertion, b: &Insertion) -> u8 {
        let layout = self.view.layout;
        let apart =
            |level: &u8| layout.ancestor(*level, a.cluster(1)) != layout.ancestor(*level, b.cluster(1));
        let open = |end: &Insertion| end.hosts().first().map_or(self.view.levels(), |&(level, _)| level - 1);
        (1..=open(a).min(open(b))).rev().find(apart).unwrap_or(1)
    }

    /// Whether the main search skips parents.
    fn skips_in_search(&self) -> bool {
        self.view.local.is_any_angle() && self.tactics.skip == Skip::InSearch
    }

    /// Whether the main search is eager.
    fn is_eager(&self) -> bool {
        self.tactics.eager && !self.view.local.is_any_angle()
    }

    fn problem<'a, R>(
        &self,
        graph: &'a QueryGraph<'a>,
        rule: R,
    ) -> Problem<'a, QueryGraph<'a>, QueryTarget<'a>, R> {
        Problem { graph, target: self.target(graph), rule }
    }

    fn target<'a>(&self, graph: &'a QueryGraph<'a>) -> QueryTarget<'a> {
        let cells = Bound::new(self.view.local, graph.goal.cell, self.grid.rules());
        let factor = match (self.is_eager(), self.grid.is_mostly_heavy()) {
            (false, _) => stretch::WHOLE,
            (true, false) => self.stretch + EAGERNESS,
            (true, true) => self.stretch + EAGERNESS_ON_TERRAIN,
        };
        QueryTarget { graph, cells, factor }
    }

    /// Continues the main search for up to `budget` expansions. Returns its status,
    /// with the cost of the path in the hierarchy if there is one.
    pub(crate) fn advance(
        &self,
        budget: u64,
        scratch: &mut HpaScratch,
        observer: &mut impl Observer<Cell>,
    ) -> SearchStatus<Cost> {
        let HpaScratch { start, goal, memory, eager_memory, nodes, legs, entry, notes, fronts, .. } = scratch;
        let graph = self.graph(start, goal, *entry);
        let mut observer = Translated { observer, node: |node| graph.cell(node) };
        let grid = self.grid;
        let progress = if !self.skips_in_search() {
            let is_eager = self.is_eager();
            if graph.climbs() {
                fronts.advance(&self.target(&graph), is_eager, budget, nodes, &mut observer)
            } else if is_eager {
                search_on(&self.problem(&graph, ShortestPath), eager_memory, budget, nodes, &mut observer)
            } else {
                search_on(&self.problem(&graph, ShortestPath), memory, budget, nodes, &mut observer)
            }
        } else if self.view.local == Local::LazyTheta {
            let rule = SkipParentsLazily { grid, graph: &graph, notes };
            search_on(&self.problem(&graph, rule), memory, budget, nodes, &mut observer)
        } else {
            let rule = SkipParents { grid, graph: &graph, notes };
            search_on(&self.problem(&graph, rule), memory, budget, nodes, &mut observer)
        };
        match progress {
            SearchStatus::Reached(_) => write_legs(grid, &graph, self.skips_in_search(), nodes, legs),
            SearchStatus::Paused => {}
            _ => legs.clear(),
        }
        progress
    }

    /// Continues the main search and, once it has ended, refines its path to the
    /// goal into `walk`.
    pub(crate) fn follow(
        &self,
        budget: u64,
        scratch: &mut HpaScratch,
        walk: &mut impl Walk,
        observer: &mut impl Observer<Cell>,
    ) -> SearchStatus<Cell> {
        let cost = match self.advance(budget, scratch, observer) {
            SearchStatus::Paused => return SearchStatus::Paused,
            SearchStatus::Reached(cost) => Some(cost),
            _ => None,
        };
        match self.finish(cost, scratch, walk, observer) {
            Some(_) => SearchStatus::Reached(scratch.goal.cell),
            None => SearchStatus::Exhausted,
        }
    }

    /// Refines the path that the main search found. Returns what it costs at most, or
    /// `None` if there is no path.
    fn finish(
        &self,
        hierarchy_cost: Option<Cost>,
        scratch: &mut HpaScratch,
        walk: &mut impl Walk,
        observer: &mut impl Observer<Cell>,
    ) -> Option<Cost> {
        observer.phase(Phase::Refine);
        let (start, goal) = (scratch.start.cell, scratch.goal.cell);
        walk.restart(start);
        // Start and goal are not joined inside their cluster in the hierarchy, so the
        // main search only finds ways that leave it.
        if scratch.start.cluster(1) == scratch.goal.cluster(1) {
            let area = self.view.layout.area(1, scratch.start.cluster(1));
            let mut inside = self.inside(scratch, observer);
            let cost = walk.search(&mut inside, area, (start, goal), Reach::FULL);
            if cost.is_some() && hierarchy_cost.is_none_or(|hierarchy_cost| cost < Some(hierarchy_cost)) {
                return cost;
            }
            walk.restart(start);
        }
        hierarchy_cost?;
        if self.tactics.shift && !self.view.local.is_any_angle() {
            self.shift(scratch, observer);
        }
        self.refine(usize::MAX, scratch, walk, observer);
        hierarchy_cost
    }

    /// Shifts the whole path in the scratch to better transitions.
    fn shift(&self, scratch: &mut HpaScratch, observer: &mut impl Observer<Cell>) {
        let HpaScratch { start, goal, local, level_memory, nodes, back, legs, low, ahead, shifter, .. } =
            scratch;
        let inside = Inside { grid: self.grid, view: &self.view, local, back, observer };
        let mut refinement = Refinement { inside, start, goal, memory: level_memory, nodes };
        // Where the level above has no net, the path was found with all transitions of the level.
        let shifted = self.view.layout.first_net() - 1..self.view.levels();
        for level in shifted.rev() {
            refinement.lower_all(level, legs, (low, ahead));
            self.read_ahead(ahead, level, legs);
            shifter.shift_parts(&self.view, level, legs);
        }
        refinement.lower_all(1, legs, (low, ahead));
        self.read_ahead(ahead, 1, legs);
        shifter.shift(self.grid, &self.view, (start, goal), legs);
    }

    /// Reads ahead what shifting these legs on a level will read.
    fn read_ahead(&self, ahead: &mut ReadAhead, level: u8, legs: &[Leg]) {
        let ends = ends_of_crossings(&self.view, level, legs);
        let clusters = ends.map(|[from, _]| self.view.layout.ancestor(level, from));
        self.view.read_ahead(ahead, level, clusters);
    }

    /// Distance from the start's cluster to the goal's in columns or rows of
    /// clusters, whichever is larger; 0 if they share one.
    fn span(&self, scratch: &HpaScratch) -> u32 {
        let layout = self.view.layout;
        let [a, b] = [&scratch.start, &scratch.goal].map(|end| layout.place(1, end.cluster(1)));
        a.0.abs_diff(b.0).max(a.1.abs_diff(b.1))
    }

    /// Whether start and goal are so close that plans find the whole path at once.
    pub(crate) fn is_local(&self, scratch: &HpaScratch) -> bool {
        let reach = u32::from(self.tactics.shortcuts);
        self.span(scratch) <= reach
    }

    /// Replaces a path between nearby cells if a search around them, smoothed by `finish`,
    /// finds a shorter one. It looks only for paths that are shorter.
    pub(crate) fn look_around<W: Walk>(
        &self,
        scratch: &mut HpaScratch,
        walk: &mut W,
        spare: &mut W,
        observer: &mut impl Observer<Cell>,
        mut finish: impl FnMut(&mut W),
    ) {
        if !self.tactics.shortcuts {
            return;
        }
        let (start, goal) = (scratch.start.cell, scratch.goal.cell);
        let doubt =
            if self.is_dense { self.doubt_near(start, goal) } else { self.doubt_sparse(scratch, walk) };
        let Some(Doubt { suspect, budget, area }) = doubt else { return };
        let cost = walk.cost(self.grid);
        if cost.units() <= suspect {
            return;
        }
        let reach = Reach { budget, limit: Cost::from_units(cost.units() - 1) };
        spare.restart(start);
        if spare.search(&mut self.inside(scratch, observer), area, (start, goal), reach).is_some() {
            finish(spare);
            if spare.cost(self.grid) < cost {
                walk.copy_from(spare);
            }
        }
    }

    /// Where transitions are close together, paths may be too long between cells that are near
    /// each other: the next transition may be several times as far away as the goal.
    fn doubt_near(&self, start: Cell, goal: Cell) -> Option<Doubt> {
        if start.x.abs_diff(goal.x).max(start.y.abs_diff(goal.y)) > NEAR {
            return None;
        }
        let least = Bound::new(self.view.local, goal, self.grid.rules()).estimate(start).units();
        let (suspect, budget) = if self.grid.is_uniform() {
            (least + least / NEAR_SUSPICION, NEAR_PATIENCE)
        } else {
            (least, NEAR_PATIENCE_ON_TERRAIN)
        };
        let area = Rect::spanning(start, goal).grown(NEAR, self.grid.area());
        Some(Doubt { suspect, budget, area })
    }

    /// Where transitions are as far apart as in the paper, paths between cells of clusters that
    /// touch are in doubt whenever a shorter one is possible. A little farther apart,
    /// transitions may still lead far astray: there they are in doubt only if
    /// much longer than on an empty map, and the search stops after a fixed number of
    /// expansions. With the paper's transitions it keeps the largest error on the benchmark
    /// maps below 15 %, and costs most on short queries.
    fn doubt_sparse(&self, scratch: &HpaScratch, walk: &impl Walk) -> Option<Doubt> {
        let span = self.span(scratch);
        if span > self.far || walk.steps() > LONG * usize::from(self.margin) {
            return None;
        }
        let (start, goal) = (scratch.start.cell, scratch.goal.cell);
        let least = Bound::new(self.view.local, goal, self.grid.rules()).estimate(start).units();
        let (suspicion, patience) =
            if self.view.local.is_any_angle() { ANY_ANGLE_DOUBTS } else { (SUSPICION, PATIENCE) };
        let (suspect, budget) =
            if span <= 1 { (least, u64::MAX) } else { (least + least / suspicion, patience) };
        // On weighted ground nearly every path is longer than on an empty map.
        let is_winding = || walk.cost(self.grid).units() > least * WINDING || !self.grid.is_uniform();
        if span > 1 && is_winding() {
            return None;
        }
        let layout = self.view.layout;
        let [a, b] = [&scratch.start, &scratch.goal].map(|end| layout.area(1, end.cluster(1)));
        Some(Doubt { suspect, budget, area: a.hull(b).grown(self.margin, self.grid.area()) })
    }

    /// Access to the ways inside 1-clusters.
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

    /// Inserts a cell as the start, without starting a search.
    pub(super) fn insert_start(&self, cell: Cell, scratch: &mut HpaScratch) {
        scratch.start.insert(self.grid, &self.view, cell, (&mut scratch.local, false), &mut ());
    }

    /// Inserts a cell as the goal, without starting a search.
    pub(super) fn insert_goal(&self, cell: Cell, scratch: &mut HpaScratch) {
        scratch.goal.insert(self.grid, &self.view, cell, (&mut scratch.local, false), &mut ());
    }

    /// Refines legs of the scratch until `walk` has `enough` steps.
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

/// Continues a main search. If it reaches the goal, its nodes come to `nodes`, and the
/// cost is returned.
fn search_on<'g, R: Rule<QueryGraph<'g>>, Q: OpenList>(
    problem: &Problem<'_, QueryGraph<'g>, QueryTarget<'_>, R>,
    memory: &mut Memory<Q>,
    budget: u64,
    nodes: &mut Vec<NodeId>,
    observer: &mut impl Observer<NodeId>,
) -> SearchStatus<Cost> {
    match problem.advance(memory, budget, observer) {
        SearchStatus::Reached(end) => {
            memory.path_into(problem.graph, end, nodes);
            SearchStatus::Reached(memory.tree().g(end.index()))
        }
        SearchStatus::Paused => SearchStatus::Paused,
        SearchStatus::Exhausted | SearchStatus::CostOverflow => SearchStatus::Exhausted,
    }
}

/// Turns the nodes of a path in the hierarchy into legs, the first one last.
fn write_legs(grid: &Grid, graph: &QueryGraph<'_>, skipped: bool, nodes: &[NodeId], legs: &mut Vec<Leg>) {
    legs.clear();
    for pair in nodes.windows(2).rev() {
        let (from, to) = (pair[0], pair[1]);
        let (here, there) = (graph.cell(from), graph.cell(to));
        // A climbing search goes straight to the goal once it is in sight.
        let may_be_straight = skipped || graph.climbs_to_goal(to);
        if may_be_straight && grid.line_of_sight(here, there) {
            legs.push(Leg::Sight { to: there });
        } else {
            push_edge(graph, from, to, legs);
        }
    }
}

/// Pushes the legs of one edge of the path, the first one last. In a climbing
/// search the nodes are those where clusters are entered, so an edge is a crossing
/// followed by a step.
fn push_edge(graph: &QueryGraph<'_>, from: NodeId, to: NodeId, legs: &mut Vec<Leg>) {
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
