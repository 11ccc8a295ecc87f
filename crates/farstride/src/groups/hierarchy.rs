//! The hierarchy itself: building it, and asking what it consists of.

use super::below::{GraphBelow, LevelBelow};
use super::build::ManualCosts;
use super::level::Level;
use super::part::{PartId, PartRange};
use super::survey::Surveyor;
use super::{Connection, GroupError, GroupId, Grouping, Members, Representative};
use crate::base::crew::Crew;
use crate::base::{BuildOptions, Cancelled, Cost, Node};
use crate::graph::Graph;
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a hierarchy is built on: a graph, the groups of its nodes, and how each group's
/// representative is chosen.
pub struct Ground<'a, G: Graph, P> {
    /// The graph.
    pub graph: &'a G,
    /// The groups of its nodes.
    pub groups: &'a P,
    /// How the representative of a group is chosen.
    pub representative: Representative<'a, G::Node>,
}

impl<G: Graph, P> Clone for Ground<'_, G, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Graph, P> Copy for Ground<'_, G, P> {}

impl<'a, G: Graph, P: Grouping<G::Node>> Ground<'a, G, P> {
    /// Returns a ground whose groups are represented by their nodes with the most arcs.
    pub const fn new(graph: &'a G, groups: &'a P) -> Self {
        Self { graph, groups, representative: Representative::MostConnected }
    }

    /// Returns the same ground with another choice of representatives.
    #[must_use]
    pub const fn represented_by(mut self, representative: Representative<'a, G::Node>) -> Self {
        self.representative = representative;
        self
    }
}

/// Groups of the nodes of a graph, groups of these groups, and so on, with the
/// connections between the groups of every level.
///
/// If the nodes of a group cannot all reach each other inside it, the group is split
/// into *parts*, and each part is a node of its level. That is why a plan over groups
/// never runs into a dead end: where it leads through a group, there is a way through.
///
/// The hierarchy does not hold the graph; [`GroupHierarchy::on`] pairs the two for
/// queries. It is read-only while it answers, and threads can share it.
///
/// Levels are numbered from 1, the lowest; level 0 would be the graph.
///
/// # Guarantee
/// The same graph, groups and settings give the same hierarchy, on any number of
/// threads and after any updates.
///
/// # Example
/// Two rooms and the door between them:
/// ```
/// use farstride::groups::{Connection, Ground, GroupHierarchy, GroupId, Members};
/// use farstride::Cost;
/// use farstride::graph::{NodeId, RowGraph};
///
/// let cost = |units| Cost::new(units).unwrap();
/// let edges = [(0, 1, cost(2)), (1, 2, cost(3)), (2, 3, cost(1)), (3, 4, cost(2))];
/// let graph = RowGraph::from_edges(5, edges)?;
/// let rooms = Members::by_number(vec![0, 0, 0, 1, 1])?;
/// let hierarchy = GroupHierarchy::build(Ground::new(&graph, &rooms), Vec::new(), Connection::Minimum)?;
/// let [kitchen, hall] = [0, 1].map(GroupId::new);
/// assert_eq!(hierarchy.connection(1, kitchen, hall), Some(cost(1)));
/// assert_eq!(hierarchy.group_at(&rooms, NodeId::new(4), 1), Some(hall));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GroupHierarchy<N> {
    pub(super) levels: Vec<Level>,
    /// Groups the groups of level `i + 1` into those of level `i + 2`.
    pub(super) uppers: Vec<Members>,
    pub(super) connection: Connection,
    /// Costs set by hand, for each level.
    pub(super) manual_costs: Vec<ManualCosts>,
    /// Groups of the second level that groups have left or joined since the last
    /// update.
    pub(super) regrouped: BTreeSet<GroupId>,
    /// Identifies this state: no other state of any hierarchy in the process has the
    /// same. Plans compare it to notice updates.
    pub(super) revision: u64,
    node: PhantomData<fn() -> N>,
}

/// Compares content; the revision does not count.
impl<N> PartialEq for GroupHierarchy<N> {
    fn eq(&self, other: &Self) -> bool {
        (&self.levels, &self.uppers, self.connection, &self.manual_costs)
            == (&other.levels, &other.uppers, other.connection, &other.manual_costs)
    }
}

impl<N> Eq for GroupHierarchy<N> {}

pub(super) fn next_revision() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl<N: Node> GroupHierarchy<N> {
    /// Builds a hierarchy on all cores.
    ///
    /// `uppers` groups the groups of each level for the next, from the lowest. Empty
    /// for a hierarchy of one level.
    ///
    /// # Errors
    /// [`GroupError`] if the number of nodes that a level groups differs from what
    /// is below it, or if a representative named by hand is not in its group.
    ///
    /// # Complexity
    /// O(a log a) for every connection of a group with a arcs inside; O(a) for the
    /// whole group by [`Connection::Minimum`].
    pub fn build<G, P>(
        ground: Ground<'_, G, P>,
        uppers: Vec<Members>,
        connection: Connection,
    ) -> Result<Self, GroupError>
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        Self::build_with(ground, uppers, connection, &BuildOptions::new())
    }

    /// Builds a hierarchy with a number of threads, reporting progress, until it is
    /// done or cancelled.
    ///
    /// # Errors
    /// As [`GroupHierarchy::build`], and [`GroupError::Cancelled`].
    pub fn build_with<G, P>(
        ground: Ground<'_, G, P>,
        uppers: Vec<Members>,
        connection: Connection,
        options: &BuildOptions<'_>,
    ) -> Result<Self, GroupError>
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        check_node_counts(ground.graph, ground.groups)?;
        let mut below = ground.groups.group_count();
        for (level, upper) in (2..).zip(&uppers) {
            if upper.node_count() != below {
                return Err(GroupError::Level { level, expected: below, found: upper.node_count() });
            }
            below = upper.group_count();
        }
        let hierarchy = Self::build_unchecked(ground, uppers, connection, options)?;
        hierarchy.check_representatives(ground)?;
        Ok(hierarchy)
    }

    /// Checks that every node named by hand is in the group it was named for.
    ///
    /// After the build, because the group of a node on a high level is only known then.
    fn check_representatives<G, P>(&self, ground: Ground<'_, G, P>) -> Result<(), GroupError>
    where
        G: Graph<Node = N>,
        P: Grouping<N>,
    {
        let Representative::ByHand(named) = ground.representative else { return Ok(()) };
        for level in 1..=self.levels.len() {
            for group in (0..self.group_count(level) as u32).map(GroupId::new) {
                let is_in = |node| {
                    ground.graph.contains(node) && self.group_at(ground.groups, node, level) == Some(group)
                };
                if named(level, group).is_some_and(|node| !is_in(node)) {
                    return Err(GroupError::NotInGroup { level, group });
                }
            }
        }
        Ok(())
    }

    /// Builds a hierarchy from levels that are known to fit on each other.
    pub(super) fn build_unchecked<G, P>(
        ground: Ground<'_, G, P>,
        uppers: Vec<Members>,
        connection: Connection,
        options: &BuildOptions<'_>,
    ) -> Result<Self, Cancelled>
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        options.watch.check()?;
        let steps = ground.groups.group_count() + uppers.iter().map(Members::group_count).sum::<usize>();
        // Two steps for each group: its survey, and its connections.
        let crew = Crew::new(options.threads, 2 * steps, options.watch);
        let mut hierarchy = Self::from_levels(Vec::new(), uppers, connection);
        let below = GraphBelow { graph: ground.graph, groups: ground.groups };
        let first = Surveyor { below: &below, number: 1, representative: ground.representative, connection };
        hierarchy.levels.push(first.build(&crew)?);
        for number in 2..=hierarchy.uppers.len() + 1 {
            let part_of = |node| hierarchy.existing_part_on(ground, node, number - 1);
            let (lower, members) = (&hierarchy.levels[number - 2], &hierarchy.uppers[number - 2]);
            let below = LevelBelow::new(lower, members, &part_of);
            let surveyor =
                Surveyor { below: &below, number, representative: ground.representative, connection };
            let level = surveyor.build(&crew)?;
            let above = below.parts_above(&level);
            hierarchy.levels[number - 2].above = above;
            hierarchy.levels.push(level);
        }
        Ok(hierarchy)
    }

    /// Returns a hierarchy of finished levels.
    pub(super) fn from_levels(levels: Vec<Level>, uppers: Vec<Members>, connection: Connection) -> Self {
        let manual_costs = vec![ManualCosts::default(); uppers.len() + 1];
        let (regrouped, revision) = (BTreeSet::new(), next_revision());
        Self { levels, uppers, connection, manual_costs, regrouped, revision, node: PhantomData }
    }

    /// Number of levels above the graph.
    pub fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// The rule by which connections cost what they do.
    pub const fn rule(&self) -> Connection {
        self.connection
    }

    /// Number of groups on a level; 0 if there is no such level.
    pub fn group_count(&self, level: usize) -> usize {
        self.level(level).map_or(0, Level::group_count)
    }

    /// Number of parts on a level, which are the nodes that a plan sees there.
    pub fn part_count(&self, level: usize) -> usize {
        self.level(level).map_or(0, Level::part_count)
    }

    /// Number of arcs between the parts of a level.
    pub fn arc_count(&self, level: usize) -> usize {
        self.level(level).map_or(0, |level| level.arcs.iter().map(|row| row.len()).sum())
    }

    /// Number of parts of a group: 1 if its nodes can all reach each other inside it.
    pub fn parts_of(&self, level: usize, group: GroupId) -> usize {
        self.level(level).map_or(0, |level| level.parts(group).len())
    }

    /// Returns the group of a level in which a node of the graph lies; `None` if there
    /// is no such level.
    ///
    /// # Panics
    /// If `groups` panics on a node that it does not have.
    pub fn group_at(&self, groups: &impl Grouping<N>, node: N, level: usize) -> Option<GroupId> {
        let first = groups.locate(node).0;
        let levels = level.checked_sub(1).filter(|_| level <= self.levels.len())?;
        Some(self.uppers[..levels].iter().fold(first, |group, upper| upper.group_of(group.as_node())))
    }

    /// The groups of the level below that make up a group of level 2 or higher.
    pub fn groups_in(&self, level: usize, group: GroupId) -> impl Iterator<Item = GroupId> {
        let upper = level.checked_sub(2).and_then(|below| self.uppers.get(below));
        let members = upper.map_or(&[][..], |upper| upper.members(group));
        members.iter().map(|&member| GroupId::from_node(member))
    }

    /// Cost of the connection from one group to another; `None` if there is none. If
    /// the groups have several parts, the cheapest connection of any of these.
    pub fn connection(&self, level: usize, from: GroupId, to: GroupId) -> Option<Cost> {
        let connections = self.connections(level, from);
        connections.filter(|&(group, _)| group == to).map(|(_, cost)| cost).min()
    }

    /// The groups that a group leads to, with costs. A group comes up once for every
    /// pair of connected parts.
    pub fn connections(&self, level: usize, from: GroupId) -> impl Iterator<Item = (GroupId, Cost)> {
        let level = self.level(level);
        let parts = level.map_or(PartRange::EMPTY, |level| level.parts(from));
        let arcs =
            parts.iter().flat_map(move |part| level.map_or(&[][..], |level| &level.arcs[part.index()]));
        arcs.filter_map(move |arc| Some((level?.group_of[arc.to.index()], arc.cost)))
            .filter(move |&(to, _)| to != from)
    }

    /// The representative of a group: of its first part, if it has several.
    pub fn representative(&self, level: usize, group: GroupId) -> Option<N> {
        self.representatives(level, group).next()
    }

    /// The representatives of all parts of a group.
    pub fn representatives(&self, level: usize, group: GroupId) -> impl Iterator<Item = N> {
        let level = self.level(level);
        let parts = level.map_or(PartRange::EMPTY, |level| level.parts(group));
        parts.iter().filter_map(move |part| Some(N::unpack(level?.representatives[part.index()])))
    }

    /// Memory of the hierarchy in bytes, without the groups of the graph's nodes.
    pub fn memory_bytes(&self) -> usize {
        let uppers: usize = self.uppers.iter().map(Members::memory_bytes).sum();
        self.levels.iter().map(Level::memory_bytes).sum::<usize>() + uppers
    }

    fn level(&self, number: usize) -> Option<&Level> {
        self.levels.get(number.checked_sub(1)?)
    }

    /// The part of a level in which a node lies; `None` also for nodes that are not in
    /// the graph.
    pub(super) fn existing_part_on<G, P>(
        &self,
        ground: Ground<'_, G, P>,
        node: N,
        level: usize,
    ) -> Option<PartId>
    where
        G: Graph<Node = N>,
        P: Grouping<N>,
    {
        ground.graph.contains(node).then(|| self.part_on(ground.groups, node, level))?
    }

    /// The part of a level in which a node of the graph lies; `None` if the hierarchy
    /// has not been updated for the node's group.
    pub(super) fn part_on(&self, groups: &impl Grouping<N>, node: N, level: usize) -> Option<PartId> {
        let (group, place) = groups.locate(node);
        let mut part = self.levels.first()?.part_at(groups, group, place);
        for below in &self.levels[..level - 1] {
            // `get`, because `PartId::NONE` may come out of any of these steps.
            part = *below.above.get(part.index())?;
        }
        part.known()
    }
}

/// Checks that the grouping has as many nodes as the graph, as far as it can tell.
pub(super) fn check_node_counts<G: Graph>(
    graph: &G,
    groups: &impl Grouping<G::Node>,
) -> Result<(), GroupError> {
    match groups.node_count() {
        Some(found) if found != graph.node_count() => {
            Err(GroupError::Nodes { expected: graph.node_count(), found })
        }
        _ => Ok(()),
    }
}
