//! A world with every instance as a group.

use super::{Building, World};
use crate::base::{Cost, NodeId};
use crate::graph::Graph;
use crate::groups::{Ground, GroupError, GroupHierarchy, GroupId, Grouping, Members, Representative};
use std::sync::atomic::{AtomicU32, Ordering};

/// The groups of a world: those of the base graph's nodes, followed by one group for
/// every instance.
///
/// It remembers the instance of the last lookup, as a
/// [`WorldView`](super::WorldView) does. Threads can share it, but a clone for each is faster.
///
/// # Example
/// A road with a house at each end, and a unit that goes from one to the other:
/// ```
/// use farstride::graph::NumberedGrid;
/// use farstride::groups::world::{Catalog, Design, Door, TypeId, World, WorldGroups};
/// use farstride::groups::{Squares, Connection, Ground, GroupHierarchy, GroupRoute, GroupScratch};
/// use farstride::graph::NodeId;
/// use farstride::{Cost, Grid};
///
/// let step = Cost::new(4756)?;
/// let house = Design {
///     name: "house".into(),
///     nodes: 2,
///     arcs: vec![(0, 1, step), (1, 0, step)],
///     exits: vec![0],
///     ..Design::default()
/// };
/// let grid = Grid::empty(40, 1)?;
/// let mut world = World::new(NumberedGrid::new(grid.clone()), Catalog::new(vec![house])?);
/// let mut place = |at| world.place(TypeId::new(0), &[Door::both_ways(0, NodeId::new(at), step)]);
/// let (here, there) = (place(1)?, place(38)?);
///
/// let squares = Squares::new(&grid, 8);
/// let groups = WorldGroups::new(&world, &squares);
/// let upper = groups.above(&squares.above(1, 4));
/// let hierarchy = GroupHierarchy::build(Ground::new(&world, &groups), vec![upper], Connection::Average)?;
///
/// let (start, goal) = (world.nodes_of(here).start + 1, world.nodes_of(there).start + 1);
/// let view = world.view();
/// let navigator = hierarchy.on(&view, &groups)?;
/// let mut scratch = GroupScratch::default();
/// let found = navigator.find(NodeId::new(start), NodeId::new(goal), &mut scratch);
/// let GroupRoute::Found { path, .. } = found else { panic!("no route") };
/// assert_eq!(path.len(), 2 + 38 + 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WorldGroups<'w, B, P> {
    world: &'w World<B>,
    base: &'w P,
    base_groups: u32,
    /// The slot of the last lookup. Atomic, because builds share the grouping between
    /// threads; relaxed, because any value is only a guess that is checked.
    last: AtomicU32,
}

impl<B, P> Clone for WorldGroups<'_, B, P> {
    fn clone(&self) -> Self {
        Self { last: AtomicU32::new(0), ..*self }
    }
}

impl<'w, B: Graph<Node = NodeId>, P: Grouping<NodeId>> WorldGroups<'w, B, P> {
    /// Returns the groups of a world; `base` groups the nodes of its base graph.
    pub fn new(world: &'w World<B>, base: &'w P) -> Self {
        Self { world, base, base_groups: base.group_count() as u32, last: AtomicU32::new(0) }
    }

    /// The group of an instance.
    pub const fn group_of(&self, instance: super::InstanceId) -> GroupId {
        GroupId::new(self.base_groups + instance.index() as u32)
    }

    /// Groups all groups for the second level, given how the groups of the base graph
    /// are grouped. An instance goes where its first door leads, one without doors into
    /// group 0.
    pub fn above(&self, base: &Members) -> Members {
        let above = |group: usize| base.group_of(NodeId::new(group as u32)).index() as u32;
        let mut numbers: Vec<u32> = (0..base.node_count()).map(above).collect();
        let slots = 0..self.world.instance_slots();
        numbers.extend(slots.map(|slot| self.place_above(base, slot).index() as u32));
        Members::of_numbers(numbers)
    }

    /// The group of the second level in which an instance lies, given how the groups of
    /// the base graph are grouped.
    pub fn above_instance(&self, base: &Members, instance: super::InstanceId) -> GroupId {
        self.place_above(base, instance.index())
    }

    fn place_above(&self, base: &Members, slot: usize) -> GroupId {
        let doors = self.world.door_list().range(self.world.slots().at(slot).doors());
        doors.first().map_or(GroupId::default(), |door| {
            let group = self.base.locate(NodeId::new(door.outside)).0;
            base.group_of(group.as_node())
        })
    }

    /// The groups that change when an instance is placed or removed: its own, and those
    /// that its doors lead to.
    pub fn around(&self, instance: super::InstanceId) -> impl Iterator<Item = GroupId> {
        let outside = self.world.doors_of(instance).map(|door| self.base.locate(door.outside).0);
        [self.group_of(instance)].into_iter().chain(outside)
    }

    /// Updates a hierarchy of these groups after an instance was placed or removed.
    ///
    /// `representative` must be as in the build. `upper` groups the groups of the base
    /// graph for the second level, if there is one. `around` is the result of
    /// [`WorldGroups::around`] while the instance is in the world: before it is
    /// removed, or after it is placed.
    ///
    /// After several changes, call this for each instance.
    ///
    /// # Guarantee
    /// Once called for all of them, the hierarchy equals one built from scratch.
    ///
    /// # Complexity
    /// That of [`GroupHierarchy::update`].
    ///
    /// # Errors
    /// [`GroupError`] if the hierarchy belongs to other groups; it is unchanged
    /// then.
    pub fn follow(
        &self,
        hierarchy: &mut GroupHierarchy<NodeId>,
        representative: Representative<'_, NodeId>,
        upper: Option<&Members>,
        instance: super::InstanceId,
        around: impl IntoIterator<Item = GroupId>,
    ) -> Result<(), GroupError>
    where
        B: Sync,
        P: Sync,
    {
        let (known, found) = (hierarchy.group_count(1), self.group_count());
        let is_other = known > found || self.group_of(instance).index() >= found;
        if is_other || upper.is_some() != (hierarchy.level_count() > 1) {
            return Err(GroupError::OtherGroups { expected: known, found });
        }
        let above = |slot: usize| upper.map_or(GroupId::default(), |upper| self.place_above(upper, slot));
        // Instances that this call is not about get their groups, too, since groups are
        // numbered without gaps. They stay without parts until their own turn.
        let unknown = (known..found).map(|group| above(group - self.base_groups as usize));
        hierarchy.add_groups(&unknown.collect::<Vec<_>>())?;
        hierarchy.move_group(self.group_of(instance), above(instance.index()))?;
        hierarchy.update_groups(Ground::new(self.world, self).represented_by(representative), around)
    }

    /// The slot of the instance in which a node lies.
    #[inline]
    fn slot(&self, number: u32) -> usize {
        let slots = self.world.slots();
        let last = self.last.load(Ordering::Relaxed) as usize;
        if last < slots.len() && slots.numbers(last).contains(&number) {
            return last;
        }
        let slot = slots.of(number);
        self.last.store(slot as u32, Ordering::Relaxed);
        slot
    }

    /// The slot of a group that is an instance; `None` for groups of the base graph.
    #[inline]
    fn slot_of_group(&self, group: GroupId) -> Option<usize> {
        group.index().checked_sub(self.base_groups as usize)
    }
}

impl<B: Graph<Node = NodeId>, P: Grouping<NodeId>> Grouping<NodeId> for WorldGroups<'_, B, P> {
    fn group_count(&self) -> usize {
        self.base_groups as usize + self.world.instance_slots()
    }

    #[inline]
    fn locate(&self, node: NodeId) -> (GroupId, usize) {
        if self.world.is_base(node) {
            return self.base.locate(node);
        }
        let number = node.index() as u32;
        let slot = self.slot(number);
        let place = number - self.world.slots().numbers(slot).start;
        (GroupId::new(self.base_groups + slot as u32), place as usize)
    }

    fn places(&self, group: GroupId) -> usize {
        match self.slot_of_group(group) {
            Some(slot) => self.world.slots().numbers(slot).len(),
            None => self.base.places(group),
        }
    }

    #[inline]
    fn node_at(&self, group: GroupId, place: usize) -> NodeId {
        match self.slot_of_group(group) {
            Some(slot) => NodeId::new(self.world.slots().numbers(slot).start + place as u32),
            None => self.base.node_at(group, place),
        }
    }

    fn for_each_member(&self, group: GroupId, visit: impl FnMut(NodeId)) {
        match self.slot_of_group(group) {
            Some(slot) if self.building(group).is_some() => {
                self.world.slots().numbers(slot).map(NodeId::new).for_each(visit);
            }
            Some(_) => {}
            None => self.base.for_each_member(group, visit),
        }
    }

    #[inline]
    fn is_surrounded(&self, node: NodeId) -> bool {
        // Doors do not matter here: what the base graph skips, it makes up for by its
        // own arcs.
        self.world.is_base(node) && self.base.is_surrounded(node)
    }

    fn building(&self, group: GroupId) -> Option<Building<'_>> {
        let slot = self.slot_of_group(group)?;
        self.world.catalog().building(self.world.slots().at(slot).kind()?)
    }

    fn for_each_door(&self, group: GroupId, mut visit: impl FnMut(NodeId)) {
        let Some(slot) = self.slot_of_group(group) else { return self.for_each_member(group, visit) };
        // With several parts, any node may have an arc from one to another.
        if self.building(group).is_some_and(|building| building.part_count() > 1) {
            return self.for_each_member(group, visit);
        }
        let doors = self.world.door_list().range(self.world.slots().at(slot).doors());
        let mut last = None;
        for door in doors {
            if last.replace(door.inside) != Some(door.inside) {
                visit(NodeId::new(door.inside));
            }
        }
    }
}

/// A world is itself a graph, without the memory of the last lookup: for single
/// lookups, and to share between threads.
impl<B: Graph<Node = NodeId>> Graph for World<B> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        Self::node_count(self)
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn contains(&self, node: NodeId) -> bool {
        self.view().contains(node)
    }

    fn for_each_arc(&self, node: NodeId, visit: impl FnMut(NodeId, Cost)) {
        self.view().for_each_arc(node, visit);
    }

    fn for_each_onward_arc(&self, node: NodeId, parent: NodeId, visit: impl FnMut(NodeId, Cost)) {
        self.view().for_each_onward_arc(node, parent, visit);
    }
}
