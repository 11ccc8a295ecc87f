//! A hierarchy of groups.

use super::build::ByHand;
use super::floor::{GroundFloor, UpperFloor};
use super::interior::VACANT;
use super::level::Level;
use super::survey::Surveyor;
use super::{Connection, GroupId, Grouping, Members, Representative};
use crate::base::crew::{Crew, all_cores};
use crate::base::{Cost, Node, NodeId};
use crate::graph::Graph;
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a hierarchy stands on: a graph, the groups of its nodes, and how a node
/// is chosen to represent each.
pub struct Ground<'a, G: Graph, P> {
    /// The graph.
    pub graph: &'a G,
    /// The groups of its nodes.
    pub groups: &'a P,
    /// Which node stands for a group.
    pub representative: Representative<'a, G::Node>,
}

impl<G: Graph, P> Clone for Ground<'_, G, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Graph, P> Copy for Ground<'_, G, P> {}

impl<'a, G: Graph, P: Grouping<G::Node>> Ground<'a, G, P> {
    /// A graph and the groups of its nodes; each is represented by its node
    /// with the most connections.
    pub const fn new(graph: &'a G, groups: &'a P) -> Self {
        Self { graph, groups, representative: Representative::MostConnected }
    }

    /// The same with other representatives.
    #[must_use]
    pub const fn represented_by(mut self, representative: Representative<'a, G::Node>) -> Self {
        self.representative = representative;
        self
    }
}

/// Groups of the nodes of a graph, groups of these groups, and so on, with the
/// connections between the groups of every level.
///
/// A group whose nodes cannot all reach each other inside is several nodes of
/// its level, its *parts*, so that a plan over groups never leads into a dead
/// end: if it says that one can go from here to there by way of that group, one
/// can.
///
/// The hierarchy does not keep the graph; [`GroupHierarchy::on`] brings them
/// together for queries. It is shared and read-only while it answers.
///
/// # Guarantee
/// The same graph, groups and settings give the same hierarchy, on any number
/// of threads and after any updates.
///
/// # Example
/// Two rooms and the door between them:
/// ```
/// use farstride::groups::{Connection, Ground, GroupHierarchy, GroupId, Members};
/// use farstride::{Cost, NodeId, RowGraph};
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
    /// The groups of level `i + 1` as members of those of level `i + 2`.
    pub(super) uppers: Vec<Members>,
    pub(super) connection: Connection,
    /// Costs given by hand, for each level.
    pub(super) by_hand: Vec<ByHand>,
    /// Groups of the second level that groups have left or joined since the last
    /// update.
    pub(super) left: BTreeSet<u32>,
    /// A number that no other state of any hierarchy of this process has.
    pub(super) edition: u64,
    node: PhantomData<fn() -> N>,
}

/// Two hierarchies are equal if they hold the same; when they were made does
/// not matter.
impl<N> PartialEq for GroupHierarchy<N> {
    fn eq(&self, other: &Self) -> bool {
        (&self.levels, &self.uppers, self.connection, &self.by_hand)
            == (&other.levels, &other.uppers, other.connection, &other.by_hand)
    }
}

impl<N> Eq for GroupHierarchy<N> {}

pub(super) fn next_edition() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl<N: Node> GroupHierarchy<N> {
    /// Makes a hierarchy on all cores. `uppers` groups the groups of each
    /// level, from the lowest; without any, the groups of the graph's nodes are
    /// all there is.
    ///
    /// # Errors
    /// [`HierarchyError`] if a level does not group the groups of the one below.
    ///
    /// # Complexity
    /// For each group, O(a log a) for every group it leads to, where a is the
    /// number of arcs inside; with [`Connection::Minimum`] O(a) in all.
    pub fn build<G, P>(
        ground: Ground<'_, G, P>,
        uppers: Vec<Members>,
        connection: Connection,
    ) -> Result<Self, HierarchyError>
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        Self::build_with(ground, uppers, connection, all_cores(), &|_, _| ())
    }

    /// As [`GroupHierarchy::build`] on a number of threads, telling `progress`
    /// how much of how much is done. The result is the same for every number of
    /// threads.
    ///
    /// # Errors
    /// As [`GroupHierarchy::build`].
    pub fn build_with<G, P>(
        ground: Ground<'_, G, P>,
        uppers: Vec<Members>,
        connection: Connection,
        threads: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Self, HierarchyError>
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        check_nodes(ground.graph, ground.groups)?;
        let mut below = ground.groups.group_count();
        for (level, upper) in (2..).zip(&uppers) {
            if upper.node_count() != below {
                return Err(HierarchyError::Level { level, expected: below, found: upper.node_count() });
            }
            below = upper.group_count();
        }
        let hierarchy = Self::build_fitting(ground, uppers, connection, threads, progress);
        hierarchy.check_representatives(ground)?;
        Ok(hierarchy)
    }

    /// Whether every node named by hand is in the group it was named for.
    fn check_representatives<G, P>(&self, ground: Ground<'_, G, P>) -> Result<(), HierarchyError>
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
                    return Err(HierarchyError::NotInGroup { level, group });
                }
            }
        }
        Ok(())
    }

    /// The same with levels that fit on each other.
    pub(super) fn build_fitting<G, P>(
        ground: Ground<'_, G, P>,
        uppers: Vec<Members>,
        connection: Connection,
        threads: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Self
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        let steps = ground.groups.group_count() + uppers.iter().map(Members::group_count).sum::<usize>();
        let crew = Crew::new(threads, 2 * steps, progress);
        let mut hierarchy = Self::of_levels(Vec::new(), uppers, connection);
        let floor = GroundFloor { graph: ground.graph, groups: ground.groups };
        let first = Surveyor { floor: &floor, number: 1, representative: ground.representative, connection };
        hierarchy.levels.push(first.build(&crew));
        for number in 2..=hierarchy.uppers.len() + 1 {
            let part_of = |node| hierarchy.known_part_on(ground, node, number - 1);
            let below = &hierarchy.levels[number - 2];
            let floor = UpperFloor::new(below, &hierarchy.uppers[number - 2], &part_of);
            let surveyor =
                Surveyor { floor: &floor, number, representative: ground.representative, connection };
            let level = surveyor.build(&crew);
            let above = (0..below.part_count() as u32).map(|part| floor.part_above(&level, part)).collect();
            hierarchy.levels[number - 2].above = above;
            hierarchy.levels.push(level);
        }
        hierarchy
    }

    /// A hierarchy of levels that are known.
    pub(super) fn of_levels(levels: Vec<Level>, uppers: Vec<Members>, connection: Connection) -> Self {
        let by_hand = vec![ByHand::default(); uppers.len() + 1];
        let (left, edition) = (BTreeSet::new(), next_edition());
        Self { levels, uppers, connection, by_hand, left, edition, node: PhantomData }
    }

    /// Number of levels above the graph itself.
    pub fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// How connections between groups are told from those below.
    pub const fn rule(&self) -> Connection {
        self.connection
    }

    /// Number of groups on a level, from 1; none on levels that do not exist.
    pub fn group_count(&self, level: usize) -> usize {
        self.level(level).map_or(0, Level::group_count)
    }

    /// Number of parts on a level: of nodes that a plan on it sees.
    pub fn part_count(&self, level: usize) -> usize {
        self.level(level).map_or(0, Level::part_count)
    }

    /// Number of arcs between parts on a level.
    pub fn arc_count(&self, level: usize) -> usize {
        self.level(level).map_or(0, |level| level.arcs.iter().map(|row| row.len()).sum())
    }

    /// Number of parts of a group: 1 if its nodes can all reach each other
    /// inside.
    pub fn parts_of(&self, level: usize, group: GroupId) -> usize {
        self.level(level).map_or(0, |level| level.parts(group).len())
    }

    /// The group of a level in which a node of the graph lies.
    ///
    /// # Panics
    /// As the groups do if they are asked about a node they do not have.
    pub fn group_at(&self, groups: &impl Grouping<N>, node: N, level: usize) -> Option<GroupId> {
        let first = groups.locate(node).0;
        let levels = level.checked_sub(1).filter(|_| level <= self.levels.len())?;
        Some(
            self.uppers[..levels]
                .iter()
                .fold(first, |group, upper| upper.group_of(NodeId::new(group.index() as u32))),
        )
    }

    /// The groups of the level below of which a group of a level from 2 on
    /// consists.
    pub fn groups_in(&self, level: usize, group: GroupId) -> impl Iterator<Item = GroupId> {
        let upper = level.checked_sub(2).and_then(|below| self.uppers.get(below));
        let members = upper.map_or(&[][..], |upper| upper.members(group));
        members.iter().map(|member| GroupId::new(member.index() as u32))
    }

    /// The cost of the connection from one group to another, if there is one;
    /// the least of their parts'.
    pub fn connection(&self, level: usize, from: GroupId, to: GroupId) -> Option<Cost> {
        let connections = self.connections(level, from);
        connections.filter(|&(group, _)| group == to).map(|(_, cost)| cost).min()
    }

    /// The groups that a group leads to, with the cost; one whose parts do so
    /// several times comes several times.
    pub fn connections(&self, level: usize, from: GroupId) -> impl Iterator<Item = (GroupId, Cost)> {
        let level = self.level(level);
        let parts = level.map_or(0..0, |level| level.parts(from));
        let arcs = parts.flat_map(move |part| level.map_or(&[][..], |level| &level.arcs[part as usize]));
        arcs.filter_map(move |arc| Some((GroupId::new(level?.group_of[arc.to as usize]), arc.cost)))
            .filter(move |&(to, _)| to != from)
    }

    /// The node that stands for a group: for the first of its parts.
    pub fn representative(&self, level: usize, group: GroupId) -> Option<N> {
        self.representatives(level, group).next()
    }

    /// The nodes that stand for the parts of a group.
    pub fn representatives(&self, level: usize, group: GroupId) -> impl Iterator<Item = N> {
        let level = self.level(level);
        let parts = level.map_or(0..0, |level| level.parts(group));
        parts.filter_map(move |part| Some(N::unpack(level?.representatives[part as usize])))
    }

    /// Bytes that the hierarchy takes, without the groups of the graph's nodes.
    pub fn memory_bytes(&self) -> usize {
        let uppers: usize = self.uppers.iter().map(Members::memory_bytes).sum();
        self.levels.iter().map(Level::memory_bytes).sum::<usize>() + uppers
    }

    fn level(&self, number: usize) -> Option<&Level> {
        self.levels.get(number.checked_sub(1)?)
    }

    /// The part of a level in which a node lies, if it is one of the graph.
    pub(super) fn known_part_on<G, P>(&self, ground: Ground<'_, G, P>, node: N, level: usize) -> Option<u32>
    where
        G: Graph<Node = N>,
        P: Grouping<N>,
    {
        ground.graph.contains(node).then(|| self.part_on(ground.groups, node, level))?
    }

    /// The part of a level in which a node of the graph lies.
    pub(super) fn part_on(&self, groups: &impl Grouping<N>, node: N, level: usize) -> Option<u32> {
        let (group, place) = groups.locate(node);
        let mut part = self.levels.first()?.part_at(groups, group, place);
        for below in &self.levels[..level - 1] {
            part = *below.above.get(part as usize)?;
        }
        (part != VACANT).then_some(part)
    }
}

/// Whether the groups are of as many nodes as the graph has, as far as it is known.
pub(super) fn check_nodes<G: Graph>(
    graph: &G,
    groups: &impl Grouping<G::Node>,
) -> Result<(), HierarchyError> {
    match groups.node_count() {
        Some(found) if found != graph.node_count() => {
            Err(HierarchyError::Nodes { expected: graph.node_count(), found })
        }
        _ => Ok(()),
    }
}

/// Why a hierarchy was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HierarchyError {
    /// A level has to group the groups of the level below, each one.
    Level {
        /// The level.
        level: usize,
        /// Groups of the level below.
        expected: usize,
        /// How many it groups.
        found: usize,
    },
    /// The graph has more or fewer nodes than are grouped.
    Nodes {
        /// Nodes of the graph.
        expected: usize,
        /// Nodes that are grouped.
        found: usize,
    },
    /// A node was named to stand for a group, but does not lie in it or does not
    /// exist.
    NotInGroup {
        /// The level.
        level: usize,
        /// The group.
        group: GroupId,
    },
    /// There is no such group.
    UnknownGroup {
        /// The level.
        level: usize,
        /// The group asked for.
        group: GroupId,
        /// How many there are.
        groups: usize,
    },
    /// Two groups are not connected, so that no cost can be set.
    NotConnected {
        /// The level.
        level: usize,
        /// From where.
        from: GroupId,
        /// To where.
        to: GroupId,
    },
    /// The groups of the graph's nodes are not those that the hierarchy was
    /// made for.
    OtherGroups {
        /// Groups that the hierarchy knows.
        expected: usize,
        /// Groups that there are.
        found: usize,
    },
}

impl fmt::Display for HierarchyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level { level, expected, found } => {
                write!(f, "level {level} groups {found} groups, but the level below has {expected}")
            }
            Self::Nodes { expected, found } => {
                write!(f, "{found} nodes are grouped, but the graph has {expected}")
            }
            Self::NotInGroup { level, group } => {
                write!(f, "the node named for group {group} of level {level} does not lie in it")
            }
            Self::UnknownGroup { level, group, groups } => {
                write!(f, "there is no group {group} on level {level}, only {groups} groups")
            }
            Self::NotConnected { level, from, to } => {
                write!(f, "group {from} of level {level} does not lead to group {to}")
            }
            Self::OtherGroups { expected, found } => {
                write!(f, "the hierarchy was made for {expected} groups, but there are {found}")
            }
        }
    }
}

impl Error for HierarchyError {}
