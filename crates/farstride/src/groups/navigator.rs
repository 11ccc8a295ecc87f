//! Planning on a hierarchy.

use super::corridor::{Confined, Marks, Rooms};
use super::hierarchy::check_nodes;
use super::plan::{GroupPlan, GroupPlanned, Next, Section};
use super::{GroupHierarchy, GroupTactics, Grouping, HierarchyError};
use crate::base::{Cost, Node, NodeId};
use crate::graph::Graph;
use crate::search::{
    BucketQueue, HeapQueue, Heuristic, Memory, Observer, Phase, Problem, Progress, ShortestPath, Translated,
};

/// The answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GroupRoute<'s, N> {
    /// There is a route, this one.
    Found {
        /// Its nodes, start and goal included.
        path: &'s [N],
        /// What it costs.
        cost: Cost,
    },
    /// Start and goal are the same node.
    AlreadyThere,
    /// No route leads from start to goal, or one of them is not a node.
    NoRoute,
}

/// No lower bound of the cost between two nodes: zero.
pub type NoBound<N> = fn(N, N) -> Cost;

/// A hierarchy together with the graph it was made from, for queries.
///
/// Costs nothing to make; every thread may have one of its own, and each brings
/// its own [`GroupScratch`].
///
/// # Guarantee
/// A route is found exactly when there is one. It is as short as the costs of
/// the connections between groups are good: there is no bound, and
/// [`Navigator::optimum`] tells how much is lost. Deterministic.
///
/// # Allocation
/// None once scratch and plan have grown.
///
/// # Example
/// ```
/// use farstride::groups::{
///     Blocks, Connection, Ground, GroupHierarchy, GroupPlan, GroupPlanned, GroupScratch, Next,
/// };
/// use farstride::{Cell, Grid, UniformGrid};
///
/// let grid = Grid::open(200, 100)?;
/// let (graph, blocks) = (UniformGrid(&grid), Blocks::new(&grid, 10));
/// let uppers = vec![blocks.above(1, 4)];
/// let hierarchy = GroupHierarchy::build(Ground::new(&graph, &blocks), uppers, Connection::Average)?;
///
/// let navigator = hierarchy.on(&graph, &blocks)?;
/// let (start, goal) = (Cell::new(3, 4), Cell::new(190, 90));
/// let (mut plan, mut scratch) = (GroupPlan::default(), GroupScratch::default());
/// assert_eq!(navigator.plan(start, goal, &mut plan, &mut scratch), GroupPlanned::Planned);
/// while let Next::Section(section) = navigator.go_on(&mut plan, &mut scratch) {
///     println!("{} nodes at {}", section.nodes.len(), section.cost.units());
/// }
/// assert_eq!(plan.position(), goal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Navigator<'a, G: Graph, P, H = NoBound<<G as Graph>::Node>> {
    pub(super) hierarchy: &'a GroupHierarchy<G::Node>,
    pub(super) graph: &'a G,
    pub(super) groups: &'a P,
    pub(super) bound: H,
    pub(super) arcs: Arcs,
    pub(super) tactics: GroupTactics,
}

/// What arcs of the graph cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arcs {
    OfAnyCost,
    /// A step each, on a grid without weights, with a consistent bound: an open
    /// list of buckets will do.
    OfOneStep,
}

/// Working memory for queries. Keep one per thread and reuse it.
#[derive(Debug)]
pub struct GroupScratch<N> {
    /// Searches on levels.
    pub(super) levels: Memory<HeapQueue>,
    /// Searches in the graph.
    pub(super) ground: Memory<HeapQueue>,
    /// The same where arcs are steps.
    pub(super) steps: Memory<BucketQueue>,
    pub(super) marks: Marks,
    pub(super) rooms: Rooms,
    /// The parts of a way found on a level.
    pub(super) chain: Vec<NodeId>,
    /// The numbers of a way found in a corridor.
    pub(super) numbers: Vec<NodeId>,
    plan: GroupPlan<N>,
    pub(super) path: Vec<N>,
    pub(super) cost: Cost,
    begun: Begun,
}

impl<N: Node> Default for GroupScratch<N> {
    fn default() -> Self {
        Self {
            levels: Memory::default(),
            ground: Memory::default(),
            steps: Memory::default(),
            marks: Marks::default(),
            rooms: Rooms::default(),
            chain: Vec::new(),
            numbers: Vec::new(),
            plan: GroupPlan::default(),
            path: Vec::new(),
            cost: Cost::ZERO,
            begun: Begun::NoRoute,
        }
    }
}

impl<N> GroupScratch<N> {
    /// The path that was found last.
    pub(crate) fn path(&self) -> &[N] {
        &self.path
    }
}

/// How a query begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Begun {
    AlreadyThere,
    NoRoute,
    /// Start and goal are in the same part of the first level.
    Together,
    /// They differ on this level and are together on those above.
    Apart(usize),
}

impl<N: Node> GroupHierarchy<N> {
    /// Brings the hierarchy together with the graph and the groups it was made
    /// from.
    ///
    /// # Errors
    /// [`HierarchyError`] if these are others, as far as numbers of groups and
    /// nodes tell.
    pub fn on<'a, G: Graph<Node = N>, P: Grouping<N>>(
        &'a self,
        graph: &'a G,
        groups: &'a P,
    ) -> Result<Navigator<'a, G, P>, HierarchyError> {
        let (expected, found) = (self.group_count(1), groups.group_count());
        if expected != found {
            return Err(HierarchyError::OtherGroups { expected, found });
        }
        check_nodes(graph, groups)?;
        let bound: NoBound<N> = |_, _| Cost::ZERO;
        Ok(self.brought_to(graph, groups, bound, Arcs::OfAnyCost))
    }

    /// The same with groups that are known to be its own.
    pub(crate) const fn brought_to<'a, G: Graph<Node = N>, P, H>(
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
    /// The representatives of the parts that a plan leads through beyond what is
    /// refined, with their levels, the nearest first.
    ///
    /// Of a plan made before the hierarchy was updated, none.
    pub fn parts_ahead(&self, plan: &GroupPlan<N>) -> impl Iterator<Item = (N, usize)> {
        let is_current = plan.edition == self.edition;
        let routes = (1..).zip(&self.levels).zip(&plan.routes).filter(move |_| is_current);
        routes.flat_map(|((number, level), route)| {
            let ahead = route.iter().rev().skip(1);
            ahead.map(move |&part| (N::unpack(level.representatives[part as usize]), number))
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
    /// The same with a lower bound of the cost from one node to another, as A*
    /// uses it.
    #[must_use]
    pub fn with_bound<B: Fn(N, N) -> Cost + Copy>(self, bound: B) -> Navigator<'a, G, P, B> {
        let Self { hierarchy, graph, groups, tactics, .. } = self;
        Navigator { hierarchy, graph, groups, bound, arcs: Arcs::OfAnyCost, tactics }
    }

    /// The same with other tactics.
    #[must_use]
    pub fn with_tactics(self, tactics: GroupTactics) -> Self {
        Self { tactics, ..self }
    }

    /// Plans a route. Only the level on which start and goal differ is searched;
    /// [`Navigator::go_on`] refines what comes next.
    pub fn plan(
        &self,
        start: N,
        goal: N,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
    ) -> GroupPlanned {
        plan.replans = 0;
        self.replan(start, goal, plan, scratch)
    }

    fn replan(
        &self,
        start: N,
        goal: N,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
    ) -> GroupPlanned {
        let planned = match self.begin_plan(start, goal, plan) {
            Begun::AlreadyThere => GroupPlanned::AlreadyThere,
            Begun::NoRoute => GroupPlanned::NoRoute,
            Begun::Together => GroupPlanned::Planned,
            Begun::Apart(level) => {
                self.begin_main(level, plan, scratch, &mut ());
                match self.advance_main(level, plan, u64::MAX, scratch, &mut ()) {
                    Progress::Reached(_) => GroupPlanned::Planned,
                    Progress::CostOverflow => self.plan_everywhere(plan, scratch),
                    Progress::Exhausted | Progress::Paused => GroupPlanned::NoRoute,
                }
            }
        };
        plan.is_lost = planned == GroupPlanned::NoRoute;
        planned
    }

    /// Costs between groups may be too large where those of the graph are not:
    /// then the first section is the whole way.
    fn plan_everywhere(&self, plan: &mut GroupPlan<N>, scratch: &mut GroupScratch<N>) -> GroupPlanned {
        plan.routes.iter_mut().for_each(Vec::clear);
        plan.goal_parts.clear();
        if self.search_everywhere(plan.position, plan.goal, scratch, &mut ()) {
            GroupPlanned::Planned
        } else {
            GroupPlanned::NoRoute
        }
    }

    /// Refines the next section of a plan.
    ///
    /// If the hierarchy was updated since the plan was made, or the unit was
    /// moved, the plan is made again first. A plan that has no route asks again
    /// after the next update.
    pub fn go_on<'p>(&self, plan: &'p mut GroupPlan<N>, scratch: &mut GroupScratch<N>) -> Next<'p, N> {
        if plan.position == plan.goal && !plan.is_lost {
            return Next::Arrived;
        }
        if plan.edition != self.hierarchy.edition {
            plan.replans += 1;
            let (position, goal) = (plan.position, plan.goal);
            match self.replan(position, goal, plan, scratch) {
                GroupPlanned::Planned => {}
                GroupPlanned::AlreadyThere => return Next::Arrived,
                GroupPlanned::NoRoute => return Next::NoRoute,
            }
        }
        if plan.is_lost || !self.refine(plan, scratch, &mut ()) {
            return Next::NoRoute;
        }
        Next::Section(Section { nodes: &plan.section, cost: plan.cost })
    }

    /// Finds a whole route.
    pub fn find<'s>(&self, start: N, goal: N, scratch: &'s mut GroupScratch<N>) -> GroupRoute<'s, N> {
        self.begin(start, goal, scratch, &mut ());
        match scratch.begun {
            Begun::AlreadyThere => GroupRoute::AlreadyThere,
            _ => match self.advance(u64::MAX, scratch, &mut ()) {
                Progress::Reached(_) => GroupRoute::Found { path: &scratch.path, cost: scratch.cost },
                _ => GroupRoute::NoRoute,
            },
        }
    }

    /// Finds a shortest route by A* in the whole graph, to compare with.
    ///
    /// # Allocation
    /// As much as for a graph of this size, in the scratch.
    pub fn optimum<'s>(&self, start: N, goal: N, scratch: &'s mut GroupScratch<N>) -> GroupRoute<'s, N> {
        if ![start, goal].iter().all(|&node| self.graph.contains(node)) {
            return GroupRoute::NoRoute;
        }
        if start == goal {
            return GroupRoute::AlreadyThere;
        }
        if self.search_everywhere(start, goal, scratch, &mut ()) {
            GroupRoute::Found { path: &scratch.path, cost: scratch.cost }
        } else {
            GroupRoute::NoRoute
        }
    }

    /// Begins a query that [`Navigator::advance`] goes on with.
    pub(crate) fn begin(
        &self,
        start: N,
        goal: N,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) {
        let mut plan = std::mem::take(&mut scratch.plan);
        scratch.begun = self.begin_plan(start, goal, &mut plan);
        if let Begun::Apart(level) = scratch.begun {
            self.begin_main(level, &plan, scratch, observer);
        }
        scratch.plan = plan;
    }

    /// Goes on with the search that a query begins with for up to `budget`
    /// nodes. When it is through, the path is refined, which is not counted.
    pub(crate) fn advance(
        &self,
        budget: u64,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> Progress<N> {
        let mut plan = std::mem::take(&mut scratch.plan);
        let goal = plan.goal;
        let progress = match scratch.begun {
            Begun::AlreadyThere | Begun::NoRoute => Progress::Exhausted,
            Begun::Together => Progress::Reached(goal),
            Begun::Apart(level) => self.advance_main(level, &mut plan, budget, scratch, observer),
        };
        let progress = match progress {
            Progress::Reached(_) if !self.follow(&mut plan, scratch, observer) => Progress::Exhausted,
            Progress::CostOverflow if self.search_everywhere(plan.position, goal, scratch, observer) => {
                Progress::Reached(goal)
            }
            progress => progress,
        };
        scratch.plan = plan;
        progress
    }

    /// Finds the level on which start and goal differ.
    fn begin_plan(&self, start: N, goal: N, plan: &mut GroupPlan<N>) -> Begun {
        let levels = &self.hierarchy.levels;
        plan.restart(start, goal, levels.len(), self.hierarchy.edition);
        if ![start, goal].iter().all(|&node| self.graph.contains(node)) {
            return Begun::NoRoute;
        }
        if start == goal {
            return Begun::AlreadyThere;
        }
        let [start, goal] = [start, goal].map(|node| self.hierarchy.part_on(self.groups, node, 1));
        let (Some(mut here), Some(mut there)) = (start, goal) else { return Begun::NoRoute };
        let mut apart = None;
        for (number, level) in (1..).zip(levels) {
            if here != there {
                apart = Some((number, here));
            }
            plan.goal_parts.push(there);
            if number < levels.len() {
                (here, there) = (level.above[here as usize], level.above[there as usize]);
            }
        }
        match apart {
            Some((level, here)) => {
                plan.routes[level - 1].push(here);
                Begun::Apart(level)
            }
            None => Begun::Together,
        }
    }

    fn begin_main(
        &self,
        level: usize,
        plan: &GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) {
        let here = plan.routes[level - 1].last().copied().unwrap_or_default();
        observer.phase(Phase::Main);
        let graph = Confined { level: &self.hierarchy.levels[level - 1], within: None };
        let target = Heuristic { goal: NodeId::new(plan.goal_parts[level - 1]), bound: |_| Cost::ZERO };
        let problem = Problem { graph: &graph, target, rule: ShortestPath };
        problem.begin(NodeId::new(here), &mut scratch.levels, &mut self.translated(level, observer));
    }

    /// Searches the level on which start and goal differ; the way becomes the
    /// route of that level.
    fn advance_main(
        &self,
        level: usize,
        plan: &mut GroupPlan<N>,
        budget: u64,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> Progress<N> {
        let graph = Confined { level: &self.hierarchy.levels[level - 1], within: None };
        let target = Heuristic { goal: NodeId::new(plan.goal_parts[level - 1]), bound: |_| Cost::ZERO };
        let problem = Problem { graph: &graph, target, rule: ShortestPath };
        match problem.advance(&mut scratch.levels, budget, &mut self.translated(level, observer)) {
            Progress::Reached(part) => {
                scratch.levels.path_into(&graph, part, &mut scratch.chain);
                plan.take_route(level, &scratch.chain);
                Progress::Reached(plan.goal)
            }
            Progress::Exhausted => Progress::Exhausted,
            Progress::Paused => Progress::Paused,
            Progress::CostOverflow => Progress::CostOverflow,
        }
    }

    /// Tells an observer about the parts of a level as if they were their
    /// representatives.
    pub(super) fn translated<'o, O: Observer<N>>(
        &'o self,
        level: usize,
        observer: &'o mut O,
    ) -> Translated<'o, O, impl Fn(NodeId) -> N> {
        let level = &self.hierarchy.levels[level - 1];
        Translated { observer, node: |part: NodeId| N::unpack(level.representatives[part.index()]) }
    }
}
