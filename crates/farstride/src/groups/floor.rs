//! What a level is made from: the graph itself, or the level below.

use super::interior::VACANT;
use super::level::{Level, Parts};
use super::{GroupId, Grouping, Members};
use crate::base::{Node, NodeId};
use crate::graph::Graph;

/// What lies below a level.
pub(super) trait Floor: Sync {
    /// The nodes of the graph that everything stands on.
    type Ground: Node;
    /// The graph whose nodes are grouped.
    type Graph: Graph;
    /// Their groups.
    type Groups: Grouping<NodeOf<Self>>;

    fn graph(&self) -> &Self::Graph;
    fn groups(&self) -> &Self::Groups;
    /// The node of the ground that represents one of this floor.
    fn ground(&self, node: NodeOf<Self>) -> Self::Ground;
    /// The size of a node of this floor, given that of nodes of the ground.
    fn area(&self, node: NodeOf<Self>, of_ground: &dyn Fn(Self::Ground) -> u64) -> u64;
    /// Group and place of the node of this floor in which a node of the ground
    /// lies.
    fn locate_ground(&self, node: Self::Ground) -> Option<(GroupId, usize)>;
}

/// The nodes of a floor.
pub(super) type NodeOf<F> = <<F as Floor>::Graph as Graph>::Node;

/// The graph itself.
pub(super) struct GroundFloor<'a, G, P> {
    pub(super) graph: &'a G,
    pub(super) groups: &'a P,
}

impl<G: Graph + Sync, P: Grouping<G::Node> + Sync> Floor for GroundFloor<'_, G, P> {
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

/// A level, as what the next one is made from.
pub(super) struct UpperFloor<'a, N> {
    graph: Parts<'a>,
    groups: PartGroups<'a>,
    /// The part of the level in which a node of the ground lies.
    part_of: &'a (dyn Fn(N) -> Option<u32> + Sync),
}

impl<'a, N> UpperFloor<'a, N> {
    /// `members` groups the groups of `level`.
    pub(super) fn new(
        level: &'a Level,
        members: &'a Members,
        part_of: &'a (dyn Fn(N) -> Option<u32> + Sync),
    ) -> Self {
        Self { graph: Parts(level), groups: PartGroups::new(level, members), part_of }
    }

    /// The part of the level above in which a part of this one lies.
    pub(super) fn part_above(&self, above: &Level, part: u32) -> u32 {
        let (group, place) = self.groups.locate(NodeId::new(part));
        above.part_at(&self.groups, group, place)
    }
}

impl<'a, N: Node> Floor for UpperFloor<'a, N> {
    type Ground = N;
    type Graph = Parts<'a>;
    type Groups = PartGroups<'a>;

    fn graph(&self) -> &Parts<'a> {
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
        (self.part_of)(node).map(|part| self.groups.locate(NodeId::new(part)))
    }
}

/// The parts of a level, grouped as their groups are. A part's place counts the
/// parts of the group above it in the order of their numbers.
pub(super) struct PartGroups<'a> {
    level: &'a Level,
    members: &'a Members,
    places: Vec<u32>,
}

impl<'a> PartGroups<'a> {
    fn new(level: &'a Level, members: &'a Members) -> Self {
        let mut places = vec![VACANT; level.part_count()];
        for group in 0..members.group_count() as u32 {
            let below = members.members(GroupId::new(group)).iter();
            let parts = below.flat_map(|below| level.parts(GroupId::new(below.index() as u32)));
            for (place, part) in (0..).zip(parts) {
                places[part as usize] = place;
            }
        }
        Self { level, members, places }
    }

    fn parts(&self, group: GroupId) -> impl Iterator<Item = u32> {
        let below = self.members.members(group).iter();
        below.flat_map(|below| self.level.parts(GroupId::new(below.index() as u32)))
    }
}

impl Grouping<NodeId> for PartGroups<'_> {
    fn group_count(&self) -> usize {
        self.members.group_count()
    }

    #[inline]
    fn locate(&self, part: NodeId) -> (GroupId, usize) {
        let below = NodeId::new(self.level.group_of[part.index()]);
        (self.members.group_of(below), self.places[part.index()] as usize)
    }

    fn places(&self, group: GroupId) -> usize {
        self.parts(group).count()
    }

    fn node_at(&self, group: GroupId, place: usize) -> NodeId {
        NodeId::new(self.parts(group).nth(place).unwrap_or(VACANT))
    }

    fn for_each_member(&self, group: GroupId, visit: impl FnMut(NodeId)) {
        self.parts(group).map(NodeId::new).for_each(visit);
    }
}
