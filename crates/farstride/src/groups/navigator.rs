//! Planning on a hierarchy.

use super::corridor::{Confined, Corridor, Marks, Rooms};
use super::plan::{GroupPlan, GroupPlanned, Next, Section};
use super::{GroupHierarchy, Grouping};
use crate::base::{Cost, Node, NodeId};
use crate::graph::Graph;
use crate::search::{
    HeapQueue, Heuristic, Memory, Observer, OpenList, Phase, Problem, Progress, ShortestPath, Target,
    Translated,
};

/// How the way between start and goal is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mode {
    /// Section by section: each level plans the first steps of the level above.
    /// The first section is known at once.
    #[default]
    Sections,
    /// On exclusions: each level plans the whole way, but sees only what the
    /// level above goes through. Slower, and the way is shorter.
    Exclusion,
}

/// What a section leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Aim {
    /// The border of the group that it leads to, where that is best reached on
    /// the way to its representative: a doorway.
    #[default]
    Doorway,
    /// The representative of that group, as in the text.
    Representative,
}

/// How queries are answered. None of it changes the hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GroupTactics {
    /// How whole routes are found. Plans go section by section in any case.
    pub mode: Mode,
    /// Steps of each level that are refined at a time, at least 1. More look
    /// further ahead and take longer.
    pub ahead: usize,
    /// What sections lead to.
    pub aim: Aim,
}

impl Default for GroupTactics {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl GroupTactics {
    /// The default, where a constant is needed.
    pub const DEFAULT: Self = Self { mode: Mode::Sections, ahead: 2, aim: Aim::Doorway };
}

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
    /// No route leads from start to goal.
    NoRoute,
}

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
pub struct Navigator<'a, G, P, N, H> {
    hierarchy: &'a GroupHierarchy<N>,
    graph: &'a G,
    groups: &'a P,
    bound: H,
    tactics: GroupTactics,
}

/// Working memory for queries. Keep one per thread and reuse it.
#[derive(Debug)]
pub struct GroupScratch<N> {
    /// Searches on levels.
    levels: Memory<HeapQueue>,
    /// Searches in the graph.
    ground: Memory<HeapQueue>,
    marks: Marks,
    rooms: Rooms,
    /// The parts of a way found on a level.
    chain: Vec<NodeId>,
    /// The numbers of a way found in a corridor.
    numbers: Vec<NodeId>,
    plan: GroupPlan<N>,
    path: Vec<N>,
    cost: Cost,
    begun: Begun,
}

impl<N: Node> Default for GroupScratch<N> {
    fn default() -> Self {
        Self {
            levels: Memory::default(),
            ground: Memory::default(),
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
    /// [`HierarchyError::OtherGroups`](super::HierarchyError) if these are
    /// others, as far as their number tells.
    pub fn on<'a, G: Graph<Node = N>, P: Grouping<N>>(
        &'a self,
        graph: &'a G,
        groups: &'a P,
    ) -> Result<Navigator<'a, G, P, N, impl Fn(N, N) -> Cost + Copy>, super::HierarchyError> {
        let (expected, found) = (self.group_count(1), groups.group_count());
        if expected != found {
            return Err(super::HierarchyError::OtherGroups { expected, found });
        }
        Ok(self.brought_to(graph, groups, |_, _| Cost::ZERO))
    }

    /// The same with groups that are known to be its own.
    pub(crate) const fn brought_to<'a, G, P, H>(
        &'a self,
        graph: &'a G,
        groups: &'a P,
        bound: H,
    ) -> Navigator<'a, G, P, N, H> {
        Navigator { hierarchy: self, graph, groups, bound, tactics: GroupTactics::DEFAULT }
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

impl<'a, G, P, N, H> Navigator<'a, G, P, N, H>
where
    N: Node,
    G: Graph<Node = N>,
    P: Grouping<N>,
    H: Fn(N, N) -> Cost + Copy,
{
    /// The same with a lower bound of the cost from one node to another, as A*
    /// uses it.
    #[must_use]
    pub fn with_bound<B: Fn(N, N) -> Cost + Copy>(self, bound: B) -> Navigator<'a, G, P, N, B> {
        let Self { hierarchy, graph, groups, tactics, .. } = self;
        Navigator { hierarchy, graph, groups, bound, tactics }
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
        match self.begin_plan(start, goal, plan) {
            Begun::AlreadyThere => GroupPlanned::AlreadyThere,
            Begun::NoRoute => GroupPlanned::NoRoute,
            Begun::Together => GroupPlanned::Planned,
            Begun::Apart(level) => {
                self.begin_main(level, plan, scratch, &mut ());
                match self.advance_main(level, plan, u64::MAX, scratch, &mut ()) {
                    Progress::Reached(_) => GroupPlanned::Planned,
                    // Costs between groups may be too large where those of the
                    // graph are not: then the first section is the whole way.
                    Progress::CostOverflow => {
                        plan.routes.iter_mut().for_each(Vec::clear);
                        GroupPlanned::Planned
                    }
                    Progress::Exhausted | Progress::Paused => GroupPlanned::NoRoute,
                }
            }
        }
    }

    /// Refines the next section of a plan.
    ///
    /// If the hierarchy was updated since the plan was made, or the unit was
    /// moved, the plan is made again first.
    pub fn go_on<'p>(&self, plan: &'p mut GroupPlan<N>, scratch: &mut GroupScratch<N>) -> Next<'p, N> {
        if plan.position == plan.goal {
            return Next::Arrived;
        }
        if plan.edition != self.hierarchy.edition {
            plan.replans += 1;
            let (position, goal) = (plan.position, plan.goal);
            if self.replan(position, goal, plan, scratch) != GroupPlanned::Planned {
                plan.edition = u64::MAX;
                return Next::NoRoute;
            }
        }
        if !self.refine(plan, scratch, &mut ()) {
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

    /// Refines a whole route into the scratch.
    fn follow(
        &self,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        observer.phase(Phase::Refine);
        match self.tactics.mode {
            Mode::Sections => self.follow_sections(plan, scratch, observer),
            Mode::Exclusion => self.follow_on_exclusions(plan, scratch, observer),
        }
    }

    fn follow_sections(
        &self,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let mut cost = Cost::ZERO;
        scratch.path.clear();
        scratch.path.push(plan.position);
        while plan.position != plan.goal {
            if !self.refine(plan, scratch, observer) {
                return false;
            }
            cost += plan.cost;
            scratch.path.extend_from_slice(&plan.section[1..]);
        }
        scratch.cost = cost;
        true
    }

    /// Plans the whole way on each level, inside what the level above goes
    /// through.
    fn follow_on_exclusions(
        &self,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let (start, goal) = (plan.position, plan.goal);
        let Some(here) = self.hierarchy.part_on(self.groups, start, 1) else { return false };
        let highest = plan.routes.iter().rposition(|route| !route.is_empty());
        for level in (1..=highest.unwrap_or(0)).rev() {
            let above = std::mem::take(&mut plan.routes[level]);
            let target = Towards::Part(plan.goal_parts[level - 1]);
            let found = self.search_level(level, start, &above, target, scratch, observer);
            plan.routes[level] = above;
            if !found {
                return self.search_everywhere(start, goal, scratch, observer);
            }
            plan.take_route(level, &scratch.chain);
        }
        let together = [here];
        let route = if highest.is_some() { &plan.routes[0][..] } else { &together[..] };
        if !self.search_corridor(start, route, Towards::Node(goal), scratch, observer) {
            return self.search_everywhere(start, goal, scratch, observer);
        }
        plan.position = goal;
        true
    }

    /// Refines the next section into the plan.
    fn refine(
        &self,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let position = plan.position;
        let first = plan.routes.iter().position(|route| route.len() > 1);
        let found = match first {
            None => self.refine_together(plan, scratch, observer),
            Some(first) => {
                (1..=first).rev().all(|level| self.refine_level(level, plan, scratch, observer))
                    && self.refine_ground(plan, scratch, observer)
            }
        };
        // A hierarchy that is up to date has no dead ends; one that the graph
        // has left behind may.
        if !found {
            plan.routes.iter_mut().for_each(Vec::clear);
            let path = std::mem::take(&mut scratch.path);
            let found = self.search_everywhere(position, plan.goal, scratch, observer);
            plan.section.clone_from(&scratch.path);
            plan.cost = scratch.cost;
            scratch.path = path;
            if !found {
                return false;
            }
        }
        plan.position = plan.section.last().copied().unwrap_or(position);
        true
    }

    /// The last section, or the only one: to a goal in the same part.
    fn refine_together(
        &self,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let here = plan.goal_parts.first().copied().unwrap_or_default();
        self.search_section(&[here], Towards::Node(plan.goal), plan, scratch, observer)
    }

    /// Makes the route of a level from the next steps of the level above.
    fn refine_level(
        &self,
        level: usize,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let mut above = std::mem::take(&mut plan.routes[level]);
        let steps = &above[above.len().saturating_sub(self.tactics.ahead.max(1) + 1)..];
        let end = steps.first().copied().unwrap_or_default();
        let target = if end == plan.goal_parts[level] {
            Towards::Part(plan.goal_parts[level - 1])
        } else {
            self.towards(level + 1, end)
        };
        let found = self.search_level(level, plan.position, steps, target, scratch, observer);
        above.truncate(above.len() + 1 - steps.len());
        plan.routes[level] = above;
        if found {
            plan.take_route(level, &scratch.chain);
        }
        found
    }

    /// Makes a section from the next steps of the first level.
    fn refine_ground(
        &self,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let mut route = std::mem::take(&mut plan.routes[0]);
        let steps = &route[route.len().saturating_sub(self.tactics.ahead.max(1) + 1)..];
        let end = steps.first().copied().unwrap_or_default();
        let target = if end == plan.goal_parts[0] { Towards::Node(plan.goal) } else { self.towards(1, end) };
        let found = self.search_section(steps, target, plan, scratch, observer);
        route.truncate(route.len() + 1 - steps.len());
        plan.routes[0] = route;
        found
    }

    /// How the steps to a part of a level end one level below.
    fn towards(&self, level: usize, part: u32) -> Towards<N> {
        let guide = N::unpack(self.hierarchy.levels[level - 1].representatives[part as usize]);
        match self.tactics.aim {
            Aim::Doorway => Towards::Inside { part, guide },
            Aim::Representative if level == 1 => Towards::Node(guide),
            Aim::Representative => self
                .hierarchy
                .part_on(self.groups, guide, level - 1)
                .map_or(Towards::Inside { part, guide }, Towards::Part),
        }
    }

    /// Searches a level inside some parts of the level above; the way is left
    /// in the chain.
    fn search_level(
        &self,
        level: usize,
        start: N,
        within: &[u32],
        towards: Towards<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let Some(here) = self.hierarchy.part_on(self.groups, start, level) else { return false };
        let levels = &self.hierarchy.levels;
        scratch.marks.begin(levels[level].part_count());
        within.iter().for_each(|&part| scratch.marks.insert(part));
        let graph = Confined { level: &levels[level - 1], within: Some(&scratch.marks) };
        let representative = |part: NodeId| N::unpack(graph.level.representatives[part.index()]);
        let target = Destination {
            is_end: |part: NodeId| match towards {
                Towards::Part(goal) => part.index() == goal as usize,
                Towards::Inside { part: above, .. } => graph.level.above[part.index()] == above,
                Towards::Node(_) => false,
            },
            bound: |part: NodeId| match towards {
                Towards::Inside { guide, .. } => (self.bound)(representative(part), guide),
                _ => Cost::ZERO,
            },
        };
        let problem = Problem { graph: &graph, target, rule: ShortestPath };
        let end =
            run(&problem, NodeId::new(here), &mut scratch.levels, &mut self.translated(level, observer));
        end.is_some_and(|end| {
            scratch.levels.path_into(&graph, end, &mut scratch.chain);
            true
        })
    }

    /// Searches a corridor from the plan's position; the way becomes its section.
    fn search_section(
        &self,
        within: &[u32],
        towards: Towards<N>,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let path = std::mem::replace(&mut scratch.path, std::mem::take(&mut plan.section));
        let found = self.search_corridor(plan.position, within, towards, scratch, observer);
        plan.section = std::mem::replace(&mut scratch.path, path);
        plan.cost = scratch.cost;
        found
    }

    /// Searches the graph inside some parts of the first level; the way is left
    /// in the scratch.
    fn search_corridor(
        &self,
        start: N,
        within: &[u32],
        towards: Towards<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let Some(level) = self.hierarchy.levels.first() else { return false };
        let GroupScratch { ground, rooms, numbers, path, cost, .. } = scratch;
        rooms.begin(level);
        for &part in within {
            let group = super::GroupId::new(level.group_of[part as usize]);
            rooms.add(level, part, self.groups.places(group));
        }
        let corridor = Corridor { graph: self.graph, groups: self.groups, level, rooms };
        let goal = match towards {
            Towards::Node(goal) => corridor.number(goal),
            _ => None,
        };
        let target = Destination {
            is_end: |number: NodeId| match towards {
                Towards::Inside { part, .. } => corridor.part(number) == part,
                _ => Some(number) == goal,
            },
            bound: |number: NodeId| match towards {
                Towards::Node(guide) | Towards::Inside { guide, .. } => {
                    (self.bound)(corridor.node(number), guide)
                }
                Towards::Part(_) => Cost::ZERO,
            },
        };
        let Some(start) = corridor.number(start) else { return false };
        let problem = Problem { graph: &corridor, target, rule: ShortestPath };
        let mut observer = Translated { observer, node: |number| corridor.node(number) };
        let Some(end) = run(&problem, start, ground, &mut observer) else { return false };
        *cost = ground.labels().g(end.index());
        ground.path_into(&corridor, end, numbers);
        path.clear();
        path.extend(numbers.iter().map(|&number| corridor.node(number)));
        true
    }

    /// Searches the whole graph; the way is left in the scratch.
    fn search_everywhere(
        &self,
        start: N,
        goal: N,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let GroupScratch { ground, path, cost, .. } = scratch;
        let target = Heuristic { goal, bound: |node| (self.bound)(node, goal) };
        let problem = Problem { graph: self.graph, target, rule: ShortestPath };
        let Some(end) = run(&problem, start, ground, observer) else { return false };
        *cost = ground.labels().g(self.graph.index(end));
        ground.path_into(self.graph, end, path);
        true
    }

    /// Tells an observer about the parts of a level as if they were their
    /// representatives.
    fn translated<'o, O: Observer<N>>(
        &'o self,
        level: usize,
        observer: &'o mut O,
    ) -> Translated<'o, O, impl Fn(NodeId) -> N> {
        let level = &self.hierarchy.levels[level - 1];
        Translated { observer, node: |part: NodeId| N::unpack(level.representatives[part.index()]) }
    }
}

impl<N: Node> GroupPlan<N> {
    /// Makes a way found on a level its route.
    fn take_route(&mut self, level: usize, chain: &[NodeId]) {
        let route = &mut self.routes[level - 1];
        route.clear();
        route.extend(chain.iter().rev().map(|part| part.index() as u32));
    }
}

/// Where a search on some level ends.
#[derive(Clone, Copy)]
enum Towards<N> {
    Node(N),
    Part(u32),
    /// Anywhere in a part of the level above, where it is near to the guide.
    Inside {
        part: u32,
        guide: N,
    },
}

/// A target made of functions.
struct Destination<E, B> {
    is_end: E,
    bound: B,
}

impl<E: Fn(NodeId) -> bool, B: Fn(NodeId) -> Cost> Target<NodeId> for Destination<E, B> {
    #[inline]
    fn is_reached(&self, node: NodeId) -> bool {
        (self.is_end)(node)
    }

    #[inline]
    fn estimate(&self, node: NodeId) -> Cost {
        (self.bound)(node)
    }
}

/// Runs a search to its end.
fn run<G: Graph, T: Target<G::Node>, Q: OpenList>(
    problem: &Problem<'_, G, T, ShortestPath>,
    start: G::Node,
    memory: &mut Memory<Q>,
    observer: &mut impl Observer<G::Node>,
) -> Option<G::Node> {
    problem.begin(start, memory, observer);
    match problem.advance(memory, u64::MAX, observer) {
        Progress::Reached(end) => Some(end),
        _ => None,
    }
}
