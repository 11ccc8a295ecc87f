//! One level of a hierarchy: parts of groups, and the arcs between them.

use super::interior::VACANT;
use super::{GroupId, Grouping};
use crate::base::{Cost, NodeId};
use crate::graph::Graph;

/// An arc to a part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Arc {
    pub(super) to: u32,
    pub(super) cost: Cost,
}

/// The groups of one level and their parts.
///
/// # Invariants
///
/// 1. Parts are numbered group by group, and in a group by their first places:
///    equal graphs and groupings give equal levels, however they came about.
/// 2. `arcs` of a part are sorted by head; there is one where some arc of the
///    level below leads from the part to the other.
/// 3. `sources` of a part are the parts with an arc to it, sorted.
/// 4. `above` is empty on the highest level.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Level {
    /// The first part of each group; one more at the end (1).
    pub(super) first_part: Vec<u32>,
    /// Which of its parts each place of a group is in, where there are several
    /// and no type of building tells it.
    pub(super) tables: Vec<Option<Box<[u32]>>>,
    /// The group of each part.
    pub(super) group_of: Vec<u32>,
    pub(super) arcs: Vec<Box<[Arc]>>,    // (2)
    pub(super) sources: Vec<Box<[u32]>>, // (3)
    /// A node of the graph for each part, packed.
    pub(super) representatives: Vec<u32>,
    /// The size of each part, if representatives are chosen by it.
    pub(super) areas: Vec<u64>,
    /// The part of the next level that each part lies in (4).
    pub(super) above: Vec<u32>,
}

impl Level {
    pub(super) fn part_count(&self) -> usize {
        self.group_of.len()
    }

    pub(super) fn group_count(&self) -> usize {
        self.first_part.len().saturating_sub(1)
    }

    /// The parts of a group.
    pub(super) fn parts(&self, group: GroupId) -> std::ops::Range<u32> {
        match self.first_part.get(group.index()..group.index() + 2) {
            Some(&[first, end]) => first..end,
            _ => 0..0,
        }
    }

    /// The part of the member at a place of a group.
    #[inline]
    pub(super) fn part_at<N>(&self, groups: &impl Grouping<N>, group: GroupId, place: usize) -> u32 {
        let first = self.first_part[group.index()];
        let count = self.first_part[group.index() + 1] - first;
        if count == 1 {
            return first;
        }
        let part = match &self.tables[group.index()] {
            Some(table) => table.get(place).copied(),
            None => groups.building(group).and_then(|building| building.known_part_of(place as u32)),
        };
        // An instance that the level has not taken in yet has no parts here.
        part.filter(|&part| part < count).map_or(VACANT, |part| first + part)
    }

    /// Bytes that it takes.
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
pub(super) struct Parts<'l>(pub(super) &'l Level);

impl Graph for Parts<'_> {
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
            visit(NodeId::new(arc.to), arc.cost);
        }
    }
}
