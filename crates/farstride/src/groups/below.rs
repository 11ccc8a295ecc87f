//! What a level is built from: the graph itself, or the level below.
//!
//! [`Surveyor`](super::survey::Surveyor) builds every level with the same code. It
//! sees a graph and the groups of its nodes, and need not know whether these nodes
//! are those of the user's graph or parts of the level below.

use super::level::{Level, LevelGraph};
use super::part::PartId;
use super::{GroupId, Grouping, Members};
use crate::base::{Node, NodeId};
use crate::graph::Graph;

/// What a level is built from.
pub(super) trait Below: Sync {
    /// Nodes of the user's graph, at the bottom of the hierarchy.
    type Ground: Node;
    /// The graph whose nodes are grouped.
    type Graph: Graph;
    /// The groups of these nodes.
    type Groups: Grouping<NodeOf<Self>>;

    fn graph(&self) -> &Self::Graph;
    fn groups(&self) -> &Self::Groups;
    /// The ground node that represents a node of this graph.
    fn ground(&self, node: NodeOf<Self>) -> Self::Ground;
    /// The area of a node, given the areas of ground nodes.
    fn area(&self, node: NodeOf<Self>, of_ground: &dyn Fn(Self::Ground) -> u64) -> u64;
    /// Group and place of the node of this graph in which a ground node lies.
    fn locate_ground(&self, node: Self::Ground) -> Option<(GroupId, usize)>;
}

/// The nodes that a level groups.
pub(super) type NodeOf<B> = <<B as Below>::Graph as Graph>::Node;

/// The user's graph, below the first level.
pub(super) struct GraphBelow<'a, G, P> {
    pub(super) graph: &'a G,
    pub(super) groups: &'a P,
}

impl<G: Graph + Sync, P: Grouping<G::Node> + Sync> Below for GraphBelow<'_, G, P> {
    type Ground = G::Node;
    type Graph = G;
    type Groups = P;

    fn graph(&self) -> &G {
        self.graph
    }

    fn groups(&self) -> &P {
        self.groups
    }

    fn ground(&self, node: G::Node) -> G::Node {
        node
    }

    fn area(&self, node: G::Node, of_ground: &dyn Fn(G::Node) -> u64) -> u64 {
        of_ground(node)
    }

    fn locate_ground(&self, node: G::Node) -> Option<(GroupId, usize)> {
        self.graph.contains(node).then(|| self.groups.locate(node))
    }
}

/// A level, below the next one.
pub(super) struct LevelBelow<'a, N> {
    graph: LevelGraph<'a>,
    groups: PartGroups<'a>,
    /// The part of this level in which a ground node lies.
    part_of: &'a (dyn Fn(N) -> Option<PartId> + Sync),
}

impl<'a, N> LevelBelow<'a, N> {
    /// `members` groups the groups of `level`.
    pub(super) fn new(
        level: &'a Level,
        members: &'a Members,
        part_of: &'a (dyn Fn(N) -> Option<PartId> + Sync),
    ) -> Self {
        Self { graph: LevelGraph(level), groups: PartGroups::new(level, members), part_of }
    }

    /// The part of the level above in which a part of this level lies.
    pub(super) fn part_above(&self, above: &Level, part: PartId) -> PartId {
        let (group, place) = self.groups.locate(part.as_node());
        above.part_at(&self.groups, group, place)
    }

    /// The same for every part of this level.
    pub(super) fn parts_above(&self, above: &Level) -> Vec<PartId> {
        self.graph.0.all_parts().iter().map(|part| self.part_above(above, part)).collect()
    }
}

impl<'a, N: Node> Below for LevelBelow<'a, N> {
    type Ground = N;
    type Graph = LevelGraph<'a>;
    type Groups = PartGroups<'a>;

    fn graph(&self) -> &LevelGraph<'a> {
        &self.graph
    }

    fn groups(&self) -> &PartGroups<'a> {
        &self.groups
    }

    fn ground(&self, part: NodeId) -> N {
        N::unpack(self.graph.0.representatives[part.index()])
    }

    fn area(&self, part: NodeId, _: &dyn Fn(N) -> u64) -> u64 {
        self.graph.0.areas.get(part.index()).copied().unwrap_or(0)
    }

    fn locate_ground(&self, node: N) -> Option<(GroupId, usize)> {
        (self.part_of)(node).map(|part| self.groups.locate(part.as_node()))
    }
}

/// The parts of a level, grouped the way their groups are.
///
/// The places of a group number the parts inside it in ascending order. Unlike in
/// [`Members`] the members are parts, not groups, so places have to be counted anew
/// whenever the level below changes.
pub(super) struct PartGroups<'a> {
    level: &'a Level,
    members: &'a Members,
    places: Vec<u32>,
}

impl<'a> PartGroups<'a> {
    fn new(level: &'a Level, members: &'a Members) -> Self {
        let mut places = vec![u32::MAX; level.part_count()];
        for group in 0..members.group_count() as u32 {
            let parts = level.parts_inside(members, GroupId::new(group));
            for (place, part) in (0..).zip(parts) {
                places[part.index()] = place;
            }
        }
        Self { level, members, places }
    }

    fn parts(&self, group: GroupId) -> impl Iterator<Item = PartId> {
        self.level.parts_inside(self.members, group)
    }
}

impl Level {
    /// The parts of this level that lie in a group of the next, in ascending order.
    pub(super) fn parts_inside(&self, members: &Members, group: GroupId) -> impl Iterator<Item = PartId> {
        members.members(group).iter().flat_map(|&below| self.parts(GroupId::from_node(below)).iter())
    }
}

impl Grouping<NodeId> for PartGroups<'_> {
    fn group_count(&self) -> usize {
        self.members.group_count()
    }

    #[inline]
    fn locate(&self, part: NodeId) -> (GroupId, usize) {
        let below = self.level.group_of[part.index()];
        (self.members.group_of(below.as_node()), self.places[part.index()] as usize)
    }

    fn places(&self, group: GroupId) -> usize {
        self.parts(group).count()
    }

    fn node_at(&self, group: GroupId, place: usize) -> NodeId {
        self.parts(group).nth(place).unwrap_or(PartId::NONE).as_node()
    }

    fn for_each_member(&self, group: GroupId, visit: impl FnMut(NodeId)) {
        self.parts(group).map(PartId::as_node).for_each(visit);
    }
}
