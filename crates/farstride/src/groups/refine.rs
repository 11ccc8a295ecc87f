//! Refining the route of a level down to nodes of the graph.

use super::corridor::{ConfinedLevel, Corridor};
use super::navigator::Arcs;
use super::part::PartId;
use super::plan::GroupPlan;
use super::{Aim, GroupScratch, Grouping, Mode, Navigator};
use crate::base::{Cost, Node, NodeId};
use crate::graph::Graph;
use crate::search::{
    Heuristic, Memory, Observer, OpenList, Phase, Problem, SearchStatus, ShortestPath, Target, Translated,
};

impl<N, G, P, H> Navigator<'_, G, P, H>
where
    N: Node,
    G: Graph<Node = N>,
    P: Grouping<N>,
    H: Fn(N, N) -> Cost + Copy,
{
    /// Refines the whole route into the scratch; returns whether there is one.
    pub(super) fn refine_route(
        &self,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        observer.phase(Phase::Refine);
        match self.tactics.mode {
            Mode::Sections => self.refine_by_sections(plan, scratch, observer),
            Mode::Exclusion => self.refine_by_exclusion(plan, scratch, observer),
        }
    }

    fn refine_by_sections(
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

    /// Finds the whole way on each level, confined to the parts that the level above
    /// leads through.
    fn refine_by_exclusion(
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
            let target = SearchGoal::Part(plan.goal_parts[level - 1]);
            // In a hierarchy that is up to date this cannot fail: every step between two
            // parts can be taken from anywhere in the first. A forged or outdated one
            // may lack the arcs.
            let found = self.search_level(level, start, &above, target, scratch, observer);
            plan.routes[level] = above;
            if !found {
                return self.search_whole_graph(start, goal, scratch, observer);
            }
            plan.take_route(level, &scratch.part_path);
        }
        let together = [here];
        let route = if highest.is_some() { &plan.routes[0][..] } else { &together[..] };
        if !self.search_corridor(start, route, SearchGoal::Node(goal), scratch, observer) {
            return self.search_whole_graph(start, goal, scratch, observer);
        }
        plan.position = goal;
        true
    }

    /// Refines the next section into the plan and moves the unit to its end; returns
    /// `false` if no route is left.
    pub(super) fn refine(
        &self,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let position = plan.position;
        // The lowest level with a step left. Routes below it have been walked to their
        // last part, and are refined again from there, level by level.
        let first = plan.routes.iter().position(|route| route.len() > 1);
        let found = match first {
            None => self.refine_last(plan, scratch, observer),
            Some(first) => {
                (1..=first).rev().all(|level| self.refine_level(level, plan, scratch, observer))
                    && self.refine_ground(plan, scratch, observer)
            }
        };
        // A hierarchy that is up to date has no dead ends. One that was not told about
        // changes of the graph may have some: then a search of the whole graph finishes
        // the route.
        if !found {
            plan.routes.iter_mut().for_each(Vec::clear);
            let path = std::mem::take(&mut scratch.path);
            let found = self.search_whole_graph(position, plan.goal, scratch, observer);
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

    /// Refines the last section, or the only one: the goal is in the part where the
    /// unit is.
    fn refine_last(
        &self,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let Some(&here) = plan.goal_parts.first() else { return false };
        self.search_section(&[here], SearchGoal::Node(plan.goal), plan, scratch, observer)
    }

    /// Refines the next steps of the level above into the route of a level.
    fn refine_level(
        &self,
        level: usize,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let mut above = std::mem::take(&mut plan.routes[level]);
        let steps = &above[above.len().saturating_sub(self.tactics.ahead.max(1).saturating_add(1))..];
        let end = steps.first().copied().unwrap_or(PartId::new(0));
        let target = if end == plan.goal_parts[level] {
            SearchGoal::Part(plan.goal_parts[level - 1])
        } else {
            self.goal_inside(level + 1, end)
        };
        let found = self.search_level(level, plan.position, steps, target, scratch, observer);
        // The part where these steps end stays: the next steps begin there.
        above.truncate(above.len() + 1 - steps.len());
        plan.routes[level] = above;
        if found {
            plan.take_route(level, &scratch.part_path);
        }
        found
    }

    /// Refines the next steps of the first level into a section.
    fn refine_ground(
        &self,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let mut route = std::mem::take(&mut plan.routes[0]);
        let steps = &route[route.len().saturating_sub(self.tactics.ahead.max(1).saturating_add(1))..];
        let end = steps.first().copied().unwrap_or(PartId::new(0));
        let target =
            if end == plan.goal_parts[0] { SearchGoal::Node(plan.goal) } else { self.goal_inside(1, end) };
        let found = self.search_section(steps, target, plan, scratch, observer);
        route.truncate(route.len() + 1 - steps.len());
        plan.routes[0] = route;
        found
    }

    /// Where steps that lead to a part of a level should end on the level below.
    fn goal_inside(&self, level: usize, part: PartId) -> SearchGoal<N> {
        let guide = N::unpack(self.hierarchy.levels[level - 1].representatives[part.index()]);
        match self.tactics.aim {
            Aim::Doorway => SearchGoal::Inside { part, guide },
            Aim::Representative if level == 1 => SearchGoal::Node(guide),
            Aim::Representative => self
                .hierarchy
                .part_on(self.groups, guide, level - 1)
                .map_or(SearchGoal::Inside { part, guide }, SearchGoal::Part),
        }
    }

    /// Searches a level, confined to some parts of the level above. Leaves the path in
    /// `scratch.part_path` and returns whether there is one.
    fn search_level(
        &self,
        level: usize,
        start: N,
        within: &[PartId],
        search_goal: SearchGoal<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let Some(here) = self.hierarchy.part_on(self.groups, start, level) else { return false };
        let levels = &self.hierarchy.levels;
        scratch.within.clear(levels[level].part_count());
        for &part in within {
            scratch.within.insert(part);
        }
        let graph = ConfinedLevel { level: &levels[level - 1], within: Some(&scratch.within) };
        // The bound towards the guide is not a lower bound on connection costs. It only
        // chooses between doorways, and a worse choice still leads into the right part.
        let representative = |part: NodeId| N::unpack(graph.level.representatives[part.index()]);
        let target = FnTarget {
            is_end: |part: NodeId| match search_goal {
                SearchGoal::Part(goal) => PartId::from_node(part) == goal,
                SearchGoal::Inside { part: above, .. } => graph.level.above[part.index()] == above,
                SearchGoal::Node(_) => false,
            },
            bound: |part: NodeId| match search_goal {
                SearchGoal::Inside { guide, .. } => (self.bound)(representative(part), guide),
                _ => Cost::ZERO,
            },
        };
        let problem = Problem { graph: &graph, target, rule: ShortestPath };
        let (memory, part_path) = (&mut scratch.levels, &mut scratch.part_path);
        find(&problem, here.as_node(), memory, part_path, &mut self.translated(level, observer)).is_some()
    }

    /// Searches a corridor from where the unit is. The path becomes the plan's section.
    fn search_section(
        &self,
        within: &[PartId],
        search_goal: SearchGoal<N>,
        plan: &mut GroupPlan<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        // `scratch.path` may hold the route so far; the section goes to the plan's
        // memory.
        let path = std::mem::replace(&mut scratch.path, std::mem::take(&mut plan.section));
        let found = self.search_corridor(plan.position, within, search_goal, scratch, observer);
        plan.section = std::mem::replace(&mut scratch.path, path);
        plan.cost = scratch.cost;
        found
    }

    /// Searches the graph, confined to some parts of the first level. Leaves path and
    /// cost in the scratch and returns whether there is a path.
    fn search_corridor(
        &self,
        start: N,
        within: &[PartId],
        search_goal: SearchGoal<N>,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let Some(level) = self.hierarchy.levels.first() else { return false };
        let GroupScratch { ground, steps, corridor: parts, corridor_path, path, cost, .. } = scratch;
        parts.clear(level);
        for &part in within {
            let group = level.group_of[part.index()];
            parts.add(level, part, self.groups.places(group));
        }
        let corridor = Corridor { graph: self.graph, groups: self.groups, level, parts };
        let goal = match search_goal {
            SearchGoal::Node(goal) => corridor.number(goal),
            _ => None,
        };
        let target = FnTarget {
            is_end: |number: NodeId| match search_goal {
                SearchGoal::Inside { part, .. } => corridor.part(number) == part,
                _ => Some(number) == goal,
            },
            bound: |number: NodeId| match search_goal {
                SearchGoal::Node(guide) | SearchGoal::Inside { guide, .. } => {
                    (self.bound)(corridor.node(number), guide)
                }
                SearchGoal::Part(_) => Cost::ZERO,
            },
        };
        let Some(start) = corridor.number(start) else { return false };
        let problem = Problem { graph: &corridor, target, rule: ShortestPath };
        let mut observer = Translated { observer, node: |number| corridor.node(number) };
        let found = match self.arcs {
            Arcs::OfOneStep => find(&problem, start, steps, corridor_path, &mut observer),
            Arcs::OfAnyCost => find(&problem, start, ground, corridor_path, &mut observer),
        };
        path.clear();
        path.extend(corridor_path.iter().map(|&number| corridor.node(number)));
        *cost = found.unwrap_or_default();
        found.is_some()
    }

    /// Searches the whole graph. Leaves path and cost in the scratch and returns
    /// whether there is a path.
    pub(super) fn search_whole_graph(
        &self,
        start: N,
        goal: N,
        scratch: &mut GroupScratch<N>,
        observer: &mut impl Observer<N>,
    ) -> bool {
        let GroupScratch { ground, path, cost, .. } = scratch;
        let target = Heuristic { goal, bound: |node| (self.bound)(node, goal) };
        let problem = Problem { graph: self.graph, target, rule: ShortestPath };
        let found = find(&problem, start, ground, path, observer);
        *cost = found.unwrap_or_default();
        found.is_some()
    }
}

impl<N: Node> GroupPlan<N> {
    /// Makes a path that was found on a level the route of that level.
    pub(super) fn take_route(&mut self, level: usize, part_path: &[NodeId]) {
        let route = &mut self.routes[level - 1];
        route.clear();
        route.extend(part_path.iter().rev().map(|&part| PartId::from_node(part)));
    }
}

/// Where a search on some level ends.
#[derive(Clone, Copy)]
enum SearchGoal<N> {
    /// At this node of the graph.
    Node(N),
    /// At this part of the searched level.
    Part(PartId),
    /// Anywhere in this part of the level above, at the place that is best on the way
    /// to the guide.
    Inside { part: PartId, guide: N },
}

/// A search target made of two functions.
struct FnTarget<E, B> {
    is_end: E,
    bound: B,
}

impl<E: Fn(NodeId) -> bool, B: Fn(NodeId) -> Cost> Target<NodeId> for FnTarget<E, B> {
    #[inline]
    fn is_reached(&self, node: NodeId) -> bool {
        (self.is_end)(node)
    }

    #[inline]
    fn estimate(&self, node: NodeId) -> Cost {
        (self.bound)(node)
    }
}

/// Runs a search to its end. Writes the path if there is one, and returns its cost.
fn find<G: Graph, T: Target<G::Node>, Q: OpenList>(
    problem: &Problem<'_, G, T, ShortestPath>,
    start: G::Node,
    memory: &mut Memory<Q>,
    way: &mut Vec<G::Node>,
    observer: &mut impl Observer<G::Node>,
) -> Option<Cost> {
    problem.begin(start, memory, observer);
    way.clear();
    let SearchStatus::Reached(end) = problem.advance(memory, u64::MAX, observer) else { return None };
    memory.path_into(problem.graph, end, way);
    Some(memory.tree().g(problem.graph.index(end)))
}
