//! Refining routes: section by section, or on exclusions.

use super::corridor::{Confined, Corridor};
use super::navigator::Arcs;
use super::plan::GroupPlan;
use super::{Aim, GroupId, GroupScratch, Grouping, Mode, Navigator};
use crate::base::{Cost, Node, NodeId};
use crate::graph::Graph;
use crate::search::{
    Heuristic, Memory, Observer, OpenList, Phase, Problem, Progress, ShortestPath, Target, Translated,
};

impl<N, G, P, H> Navigator<'_, G, P, H>
where
    N: Node,
    G: Graph<Node = N>,
    P: Grouping<N>,
    H: Fn(N, N) -> Cost + Copy,
{
    /// Refines a whole route into the scratch.
    pub(super) fn follow(
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
    pub(super) fn refine(
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
        let Some(&here) = plan.goal_parts.first() else { return false };
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
        let steps = &above[above.len().saturating_sub(self.tactics.ahead.max(1).saturating_add(1))..];
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
        let steps = &route[route.len().saturating_sub(self.tactics.ahead.max(1).saturating_add(1))..];
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
        for &part in within {
            scratch.marks.insert(part);
        }
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
        let (memory, chain) = (&mut scratch.levels, &mut scratch.chain);
        find(&problem, NodeId::new(here), memory, chain, &mut self.translated(level, observer)).is_some()
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
        let GroupScratch { ground, steps, rooms, numbers, path, cost, .. } = scratch;
        rooms.begin(level);
        for &part in within {
            let group = GroupId::new(level.group_of[part as usize]);
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
        let found = match self.arcs {
            Arcs::OfOneStep => find(&problem, start, steps, numbers, &mut observer),
            Arcs::OfAnyCost => find(&problem, start, ground, numbers, &mut observer),
        };
        path.clear();
        path.extend(numbers.iter().map(|&number| corridor.node(number)));
        *cost = found.unwrap_or_default();
        found.is_some()
    }

    /// Searches the whole graph; the way is left in the scratch.
    pub(super) fn search_everywhere(
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
    /// Makes a way found on a level its route.
    pub(super) fn take_route(&mut self, level: usize, chain: &[NodeId]) {
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

/// Runs a search to its end, and writes the way if there is one; its cost.
fn find<G: Graph, T: Target<G::Node>, Q: OpenList>(
    problem: &Problem<'_, G, T, ShortestPath>,
    start: G::Node,
    memory: &mut Memory<Q>,
    way: &mut Vec<G::Node>,
    observer: &mut impl Observer<G::Node>,
) -> Option<Cost> {
    problem.begin(start, memory, observer);
    way.clear();
    let Progress::Reached(end) = problem.advance(memory, u64::MAX, observer) else { return None };
    memory.path_into(problem.graph, end, way);
    Some(memory.labels().g(problem.graph.index(end)))
}
