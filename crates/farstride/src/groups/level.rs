//! One level of a hierarchy: parts of groups, and the arcs between them.

use super::part::{LocalPart, PartId, PartRange};
use super::{GroupId, Grouping};
use crate::base::{Cost, NodeId};
use crate::graph::Graph;

/// An arc to a part of the same level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Arc {
    pub(super) to: PartId,
    pub(super) cost: Cost,
}

/// The groups of one level and their parts.
///
/// # Invariants
///
/// 1. Parts are numbered group by group, and within a group by their first places:
///    equal graphs and groupings give equal levels, whether built or updated.
/// 2. The arcs of a part are sorted by head. There is an arc exactly where some arc
///    of the level below leads from the one part to the other.
/// 3. The sources of a part are the parts with an arc to it, sorted.
/// 4. `above` is empty on the highest level.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Level {
    /// The first part of each group, and the number of parts at the end (1).
    pub(super) first_part: Vec<PartId>,
    /// The part of each place of a group. `None` if the group has at most one part,
    /// or if it is an instance: the building type has that table.
    pub(super) tables: Vec<Option<Box<[LocalPart]>>>,
    /// The group of each part.
    pub(super) group_of: Vec<GroupId>,
    /// One box per part, not compressed rows: an update replaces single rows.
    pub(super) arcs: Vec<Box<[Arc]>>, // (2)
    pub(super) sources: Vec<Box<[PartId]>>, // (3)
    /// A node of the graph for each part, packed.
    pub(super) representatives: Vec<u32>,
    /// The total area of each part; empty unless representatives are chosen by area.
    pub(super) areas: Vec<u64>,
    /// The part of the next level that each part lies in (4).
    pub(super) above: Vec<PartId>,
}

impl Level {
    pub(super) fn part_count(&self) -> usize {
        self.group_of.len()
    }

    pub(super) fn group_count(&self) -> usize {
        self.first_part.len().saturating_sub(1)
    }

    /// Every part of the level.
    pub(super) fn all_parts(&self) -> PartRange {
        PartRange::new(PartId::new(0), PartId::new(self.part_count() as u32))
    }

    /// The parts of a group; none if there is no such group.
    pub(super) fn parts(&self, group: GroupId) -> PartRange {
        match self.first_part.get(group.index()..group.index() + 2) {
            Some(&[first, end]) => PartRange::new(first, end),
            _ => PartRange::EMPTY,
        }
    }

    /// The part of the member at a place of a group, or [`PartId::NONE`].
    #[inline]
    pub(super) fn part_at<N>(&self, groups: &impl Grouping<N>, group: GroupId, place: usize) -> PartId {
        let parts = PartRange::new(self.first_part[group.index()], self.first_part[group.index() + 1]);
        // Most groups have one part: searches must not pay for the others here.
        if parts.len() == 1 {
            return parts.start();
        }
        let local = match &self.tables[group.index()] {
            Some(table) => table.get(place).copied(),
            None => groups.building(group).and_then(|building| building.part_of_existing(place as u32)),
        };
        // The range check matters: an instance that was placed after the last update
        // has parts by its type, but none on this level yet.
        local.and_then(|local| parts.at(local)).unwrap_or(PartId::NONE)
    }

    /// Memory in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        let tables: usize = self.tables.iter().flatten().map(|table| size_of_val(&**table)).sum();
        let arcs: usize = self.arcs.iter().map(|row| size_of_val(&**row)).sum();
        let sources: usize = self.sources.iter().map(|row| size_of_val(&**row)).sum();
        tables
            + arcs
            + sources
            + size_of_val(&*self.first_part)
            + size_of_val(&*self.tables)
            + size_of_val(&*self.group_of)
            + size_of_val(&*self.arcs)
            + size_of_val(&*self.sources)
            + size_of_val(&*self.representatives)
            + size_of_val(&*self.areas)
            + size_of_val(&*self.above)
    }
}

/// A level as a graph whose nodes are its parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelGraph<'l>(pub(super) &'l Level);

impl Graph for LevelGraph<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.0.part_count()
    }

    #[inline]
    fn index(&self, part: NodeId) -> usize {
        part.index()
    }

    #[inline]
    fn for_each_arc(&self, part: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for arc in &self.0.arcs[part.index()] {
            visit(arc.to.as_node(), arc.cost);
        }
    }
}
