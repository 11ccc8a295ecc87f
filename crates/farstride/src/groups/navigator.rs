//! Queries on a hierarchy.

use super::corridor::{ConfinedLevel, CorridorParts, PartSet};
use super::hierarchy::check_node_counts;
use super::part::PartId;
use super::plan::{GroupPlan, GroupPlanned, Next};
use super::{GroupError, GroupHierarchy, GroupTactics, Grouping};
use crate::base::{Cost, Node, NodeId};
use crate::graph::Graph;
use crate::search::{
    BucketQueue, HeapQueue, Heuristic, Memory, Observer, Phase, Problem, SearchStatus, ShortestPath,
    Translated,
};

/// The answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GroupRoute<'s, N> {
    /// A route exists; this is the one that was found.
    Found {
        /// Its nodes, including start and goal.
        path: &'s [N],
        /// Its cost.
        cost: Cost,
    },
    /// Start and goal are the same node.
    AlreadyThere,
    /// No route leads from start to goal, or one of them is not a node.
    Unreachable,
}

/// A hierarchy together with its graph, ready for queries.
///
/// It costs nothing to make. Any number of threads can use one, or have one each; every
/// thread needs a [`GroupScratch`] of its own.
///
/// # Guarantee
/// A route is found exactly when there is one. Its length depends on how well
/// connection costs describe the graph: there is no bound, and [`Navigator::optimum`]
/// tells the difference. Deterministic.
///
/// # Allocation
/// None once scratch and plan have grown.
///
/// # Example
/// ```
/// use farstride::groups::{
///     Squares, Connection, Ground, GroupHierarchy, GroupPlan, GroupScratch, Next,
/// };
/// use farstride::graph::UniformGrid;
/// use farstride::{Cell, Grid};
///
/// let grid = Grid::empty(200, 100)?;
/// let (graph, squares) = (UniformGrid(&grid), Squares::new(&grid, 10));
/// let uppers = vec![squares.above(1, 4)];
/// let hierarchy = GroupHierarchy::build(Ground::new(&graph, &squares), uppers, Connection::Average)?;
///
/// let navigator = hierarchy.on(&graph, &squares)?;
/// let (start, goal) = (Cell::new(3, 4), Cell::new(190, 90));
/// let (mut plan, mut scratch) = (GroupPlan::default(), GroupScratch::default());
/// assert!(navigator.plan(start, goal, &mut plan, &mut scratch));
/// while let Next::Section { nodes, cost } = navigator.go_on(&mut plan, &mut scratch) {
///     println!("{} nodes at {}", nodes.len(), cost.units());
/// }
/// assert_eq!(plan.position(), goal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Navigator<'a, G: Graph, P, H = fn(<G as Graph>::Node, <G as Graph>::Node) -> Cost> {
    pub(super) hierarchy: &'a GroupHierarchy<G::Node>,
    pub(super) graph: &'a G,
    pub(super) groups: &'a P,
    pub(super) bound: H,
    pub(super) arcs: Arcs,
    pub(super) tactics: GroupTactics,
}

/// What is known about the costs of the graph's arcs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arcs {
    OfAnyCost,
    /// Every arc is a straight or diagonal step of a grid without weights, and the
    /// bound is consistent. Then a bucket queue is a correct open list, and faster than
    /// a heap.
    OfOneStep,
}

/// Working memory for queries. Keep one per thread and reuse it.
#[derive(Debug)]
pub struct GroupScratch<N> {
    /// For searches on levels.
    pub(super) levels: Memory<HeapQueue>,
    /// For searches in the graph.
    pub(super) ground: Memory<HeapQueue>,
    /// For searches in the graph if its arcs are [`Arcs::OfOneStep`].
    pub(super) steps: Memory<BucketQueue>,
    /// Parts of the level above that a search on a level is confined to.
    pub(super) within: PartSet,
    /// Parts that a search in the graph is confined to.
    pub(super) corridor: CorridorParts,
    /// The last path found on a level.
    pub(super) part_path: Vec<NodeId>,
    /// The last path found in a corridor, in numbers of that corridor.
    pub(super) corridor_path: Vec<NodeId>,
    /// The plan behind [`Navigator::find`], kept for its memory.
    plan: GroupPlan<N>,
    /// The last path found in the graph.
    pub(super) path: Vec<N>,
    /// Its cost.
    pub(super) cost: Cost,
    query_start: QueryStart,
}

impl<N: Node> Default for GroupScratch<N> {
    fn default() -> Self {
        Self {
            levels: Memory::default(),
            ground: Memory::default(),
            steps: Memory::default(),
            within: PartSet::default(),
            corridor: CorridorParts::default(),
            part_path: Vec::new(),
            corridor_path: Vec::new(),
            plan: GroupPlan::default(),
            path: Vec::new(),
            cost: Cost::ZERO,
            query_start: QueryStart::Unreachable,
        }
    }
}

impl<N> GroupScratch<N> {
    /// The path that was found last.
    pub(crate) fn path(&self) -> &[N] {
        &self.path
    }
}

/// What a query has to begin with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum QueryStart {
    /// Start and goal are the same node.
    AlreadyThere,
    /// One of them is not a node, or the hierarchy has not been updated for its group.
    Unreachable,
    /// Start and goal are in the same part of the first level.
    SamePart,
    /// They are in different parts of this level, and in the same part of every level
    /// above.
    DifferentParts(usize),
}

impl<N: Node> GroupHierarchy<N> {
    /// Pairs the hierarchy with the graph and the groups that it was built from.
    ///
    /// # Errors
    /// [`GroupError`] if the number of groups or nodes shows that these are others.
    /// Equal numbers are taken on trust.
    pub fn on<'a, G: Graph<Node = N>, P: Grouping<N>>(
        &'a self,
        graph: &'a G,
        groups: &'a P,
    ) -> Result<Navigator<'a, G, P>, GroupError> {
        let (expected, found) = (self.group_count(1), groups.group_count());
        if expected != found {
            return Err(GroupError::OtherGroups { expected, found });
        }
        check_node_counts(graph, groups)?;
        let bound: fn(N, N) -> Cost = |_, _| Cost::ZERO;
        Ok(self.navigator_unchecked(graph, groups, bound, Arcs::OfAnyCost))
    }

    /// Pairs the hierarchy with a graph and groups that are known to be the right ones.
    pub(crate) const fn navigator_unchecked<'a, G: Graph<Node = N>, P, H>(
        &'a self,
        graph: &'a G,
        groups: &'a P,
        bound: H,
        arcs: Arcs,
    ) -> Navigator<'a, G, P, H> {
        Navigator { hierarchy: self, graph, groups, bound, arcs, tactics: GroupTactics::DEFAULT }
    }
}

impl<N: Node> GroupHierarchy<N> {
    /// The parts that a plan leads through beyond its current section, nearest first:
    /// their representatives and levels.
    ///
    /// Empty if the hierarchy has been updated since the plan was made.
    pub fn parts_ahead(&self, plan: &GroupPlan<N>) -> impl Iterator<Item = (N, usize)> {
        let is_current = plan.revision == self.revision;
        let routes = (1..).zip(&self.levels).zip(&plan.routes).filter(move |_| is_current);
        routes.flat_map(|((number, level), route)| {
            let ahead = route.iter().rev().skip(1);
            ahead.map(move |&part| (N::unpack(level.representatives[part.index()]), number))
        })
    }
}

impl<'a, N, G, P, H> Navigator<'a, G, P, H>
where
    N: Node,
    G: Graph<Node = N>,
    P: Grouping<N>,
    H: Fn(N, N) -> Cost + Copy,
{
    /// Returns the same navigator with a lower bound on the cost from one node to
    /// another, for A*.
    ///
    /// Without a bound, searches in the graph are Dijkstra's.
    #[must_use]
    pub fn with_bound<B: Fn(N, N) -> Cost + Copy>(self, bound: B) -> Navigator<'a, G, P, B> {
        let Self { hierarchy, graph, groups, tactics, .. } = self;
        Navigator { hierarchy, graph, groups, bound, arcs: Arcs::OfAnyCost, tactics }
    }

    /// Returns the same navigator with other tactics.
    #[must_use]
    pub fn with_tactics(self, tactics: GroupTactics) -> Self {
        Self { tactics, ..self }
    }

    /// Plans a route. Searches only the highest level on which start and goal are in
    /// different parts; [`Navigator::go_on`] refines section by section.
    ///
    /// Returns whether there is a route. A node has one to itself, without a section.
    pub fn plan(&self, start: N, goal: N, plan: &mut GroupPlan<N>, scratch: &mut GroupScratch<N>) -> bool {
        plan.replans = 0;
        self.replan(start, goal, plan, scratch) != GroupPlanned::Unreachable
    }

    /// Plans without resetting the count of replans.
    fn replan(
        &self,
        start: N,
        goal: N,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
    ) -> GroupPlanned {
        let planned = match self.begin_plan(start, goal, plan) {
            QueryStart::AlreadyThere => GroupPlanned::AlreadyThere,
            QueryStart::Unreachable => GroupPlanned::Unreachable,
            QueryStart::SamePart => GroupPlanned::Planned,
            QueryStart::DifferentParts(level) => {
                self.begin_top_search(level, plan, scratch, &mut ());
                match self.advance_top_search(level, plan, u64::MAX, scratch, &mut ()) {
                    SearchStatus::Reached(_) => GroupPlanned::Planned,
                    SearchStatus::CostOverflow => self.plan_in_whole_graph(plan, scratch),
                    SearchStatus::Exhausted | SearchStatus::Paused => GroupPlanned::Unreachable,
                }
            }
        };
        plan.is_unreachable = planned == GroupPlanned::Unreachable;
        planned
    }

    /// Plans where connection costs add up to more than a [`Cost`] can hold although
    /// the costs of the graph do not: the first section will be the whole way.
    fn plan_in_whole_graph(&self, plan: &mut GroupPlan<N>, scratch: &mut GroupScratch<N>) -> GroupPlanned {
        // Without routes and goal parts, `go_on` falls through to a search in the whole
        // graph.
        plan.routes.iter_mut().for_each(Vec::clear);
        plan.goal_parts.clear();
        if self.search_whole_graph(plan.position, plan.goal, scratch, &mut ()) {
            GroupPlanned::Planned
        } else {
            GroupPlanned::Unreachable
        }
    }

    /// Refines the next section of a plan.
    ///
    /// If the hierarchy was updated since the plan was made, or the unit was moved, it
    /// plans again first. A plan without a route tries again after the next update.
    pub fn go_on<'p>(&self, plan: &'p mut GroupPlan<N>, scratch: &mut GroupScratch<N>) -> Next<'p, N> {
        if plan.position == plan.goal && !plan.is_unreachable {
            return Next::Arrived;
        }
        if plan.revision != self.hierarchy.revision {
            plan.replans += 1;
            let (position, goal) = (plan.position, plan.goal);
            match self.replan(position, goal, plan, scratch) {
                GroupPlanned::Planned => {}
                GroupPlanned::AlreadyThere => return Next::Arrived,
                GroupPlanned::Unreachable => return Next::Unreachable,
            }
        }
        if plan.is_unreachable || !self.refine(plan, scratch, &mut ()) {
            return Next::Unreachable;
        }
        Next::Section { nodes: &plan.section, cost: plan.cost }
    }

    /// Finds a whole route.
    pub fn find<'s>(&self, start: N, goal: N, scratch: &'s mut GroupScratch<N>) -> GroupRoute<'s, N> {
        self.begin(start, goal, scratch, &mut ());
        match scratch.query_start {
            QueryStart::AlreadyThere => GroupRoute::AlreadyThere,
            _ => match self.advance(u64::MAX, scratch, &mut ()) {
                SearchStatus::Reached(_) => GroupRoute::Found { path: &scratch.path, cost: scratch.cost },
                _ => GroupRoute::Unreachable,
            },
        }
    }

    /// Finds a shortest route by A* in the whole graph, for comparison.
    ///
    /// # Allocation
    /// The scratch grows to the size of the graph.
    pub fn optimum<'s>(&self, start: N, goal: N, scratch: &'s mut GroupScratch<N>) -> GroupRoute<'s, N> {
        if ![start, goal].iter().all(|&node| self.graph.contains(node)) {
            return GroupRoute::Unreachable;
        }
        if start == goal {
            return GroupRoute::AlreadyThere;
        }
        if self.search_whole_graph(start, goal, scratch, &mut ()) {
            GroupRoute::Found { path: &scratch.path, cost: scratch.cost }
        } else {
            GroupRoute::Unreachable
        }
    }

    /// Begins a query; [`Navigator::advance`] continues it.
    pub(crate) fn begin(
        &self,
        start: N,
        goal: N,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) {
        // Taken out, because the functions below borrow plan and scratch separately.
        let mut plan = std::mem::take(&mut scratch.plan);
        scratch.query_start = self.begin_plan(start, goal, &mut plan);
        if let QueryStart::DifferentParts(level) = scratch.query_start {
            self.begin_top_search(level, &plan, scratch, observer);
        }
        scratch.plan = plan;
    }

    /// Continues a query's first search for up to `budget` nodes. Once that search has
    /// ended, the path is refined, which does not count towards the budget.
    pub(crate) fn advance(
        &self,
        budget: u64,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> SearchStatus<N> {
        let mut plan = std::mem::take(&mut scratch.plan);
        let goal = plan.goal;
        let progress = match scratch.query_start {
            QueryStart::AlreadyThere | QueryStart::Unreachable => SearchStatus::Exhausted,
            QueryStart::SamePart => SearchStatus::Reached(goal),
            QueryStart::DifferentParts(level) => {
                self.advance_top_search(level, &mut plan, budget, scratch, observer)
            }
        };
        let progress = match progress {
            SearchStatus::Reached(_) if !self.refine_route(&mut plan, scratch, observer) => {
                SearchStatus::Exhausted
            }
            SearchStatus::CostOverflow if self.search_whole_graph(plan.position, goal, scratch, observer) => {
                SearchStatus::Reached(goal)
            }
            progress => progress,
        };
        scratch.plan = plan;
        progress
    }

    /// Finds the highest level on which start and goal are in different parts.
    fn begin_plan(&self, start: N, goal: N, plan: &mut GroupPlan<N>) -> QueryStart {
        let levels = &self.hierarchy.levels;
        plan.restart(start, goal, levels.len(), self.hierarchy.revision);
        if ![start, goal].iter().all(|&node| self.graph.contains(node)) {
            return QueryStart::Unreachable;
        }
        if start == goal {
            return QueryStart::AlreadyThere;
        }
        let [start, goal] = [start, goal].map(|node| self.hierarchy.part_on(self.groups, node, 1));
        let (Some(mut here), Some(mut there)) = (start, goal) else { return QueryStart::Unreachable };
        // Once two parts are the same, so are all above them: the last level on which
        // they differ is the highest.
        let mut apart = None;
        for (number, level) in (1..).zip(levels) {
            if here != there {
                apart = Some((number, here));
            }
            plan.goal_parts.push(there);
            if number < levels.len() {
                (here, there) = (level.above[here.index()], level.above[there.index()]);
            }
        }
        match apart {
            Some((level, here)) => {
                plan.routes[level - 1].push(here);
                QueryStart::DifferentParts(level)
            }
            None => QueryStart::SamePart,
        }
    }

    /// Begins the search of the level on which start and goal differ.
    fn begin_top_search(
        &self,
        level: usize,
        plan: &GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) {
        let here = plan.routes[level - 1].last().copied().unwrap_or(PartId::new(0));
        observer.phase(Phase::Main);
        let graph = ConfinedLevel { level: &self.hierarchy.levels[level - 1], within: None };
        let target = Heuristic { goal: plan.goal_parts[level - 1].as_node(), bound: |_| Cost::ZERO };
        let problem = Problem { graph: &graph, target, rule: ShortestPath };
        problem.begin(here.as_node(), &mut scratch.levels, &mut self.translated(level, observer));
    }

    /// Continues that search. The path it finds becomes the route of that level.
    fn advance_top_search(
        &self,
        level: usize,
        plan: &mut GroupPlan<N>,
        budget: u64,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> SearchStatus<N> {
        // No bound: connection costs may be below the cost between representatives (by
        // [`Connection::Minimum`](super::Connection::Minimum), for one), so that no
        // distance between them is a lower bound.
        let graph = ConfinedLevel { level: &self.hierarchy.levels[level - 1], within: None };
        let target = Heuristic { goal: plan.goal_parts[level - 1].as_node(), bound: |_| Cost::ZERO };
        let problem = Problem { graph: &graph, target, rule: ShortestPath };
        match problem.advance(&mut scratch.levels, budget, &mut self.translated(level, observer)) {
            SearchStatus::Reached(part) => {
                scratch.levels.path_into(&graph, part, &mut scratch.part_path);
                plan.take_route(level, &scratch.part_path);
                SearchStatus::Reached(plan.goal)
            }
            SearchStatus::Exhausted => SearchStatus::Exhausted,
            SearchStatus::Paused => SearchStatus::Paused,
            SearchStatus::CostOverflow => SearchStatus::CostOverflow,
        }
    }

    /// Wraps an observer so that it sees the representatives of a level's parts.
    pub(super) fn translated<'o, O: Observer<N>>(
        &'o self,
        level: usize,
        observer: &'o mut O,
    ) -> Translated<'o, O, impl Fn(NodeId) -> N> {
        let level = &self.hierarchy.levels[level - 1];
        Translated { observer, node: |part: NodeId| N::unpack(level.representatives[part.index()]) }
    }
}
