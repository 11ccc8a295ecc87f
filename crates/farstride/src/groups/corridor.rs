//! Graphs confined to the parts that a plan leads through.

use super::level::Level;
use super::part::PartId;
use super::{GroupId, Grouping};
use crate::base::{Cost, NodeId};
use crate::graph::Graph;

/// A set of parts that is cleared in O(1): a part is in it while its stamp equals
/// the current generation.
#[derive(Debug, Default)]
pub(super) struct PartSet {
    stamps: Vec<u32>,
    generation: u32,
}

impl PartSet {
    /// Clears the set and makes room for `count` parts.
    pub(super) fn clear(&mut self, count: usize) {
        if self.stamps.len() < count {
            self.stamps.resize(count, 0);
        }
        if self.generation == u32::MAX {
            self.stamps.fill(0);
            self.generation = 0;
        }
        self.generation += 1;
    }

    pub(super) fn insert(&mut self, part: PartId) {
        if let Some(stamp) = self.stamps.get_mut(part.index()) {
            *stamp = self.generation;
        }
    }

    /// Whether a part is in the set; never for [`PartId::NONE`].
    #[inline]
    pub(super) fn contains(&self, part: PartId) -> bool {
        self.stamps.get(part.index()) == Some(&self.generation)
    }
}

/// Node numbers are given to parts in runs of this many, so that one small table
/// leads from a number back to its part. Larger runs waste numbers in small groups.
const RUN: usize = 64;

/// The parts of the first level that make up a corridor, and the numbers of their
/// nodes in it.
///
/// The numbers are dense, so that a search touches little memory however large the
/// graph is: a search over the graph's own indices would spread over all of it.
#[derive(Debug, Default)]
pub(super) struct CorridorParts {
    marked: PartSet,
    /// For each marked part, its position in `list`.
    position_of: Vec<u32>,
    list: Vec<NumberedPart>,
    /// The position in `list` of the part that owns each run of numbers.
    run_owners: Vec<u32>,
}

/// A part of a corridor. The node at place `p` of its group has number `first + p`.
#[derive(Clone, Copy, Debug)]
struct NumberedPart {
    part: PartId,
    group: GroupId,
    first: u32,
}

impl CorridorParts {
    /// Empties the corridor.
    pub(super) fn clear(&mut self, level: &Level) {
        self.marked.clear(level.part_count());
        if self.position_of.len() < level.part_count() {
            self.position_of.resize(level.part_count(), 0);
        }
        self.list.clear();
        self.run_owners.clear();
    }

    /// Adds a part whose group has `places` places. Does nothing if it is there.
    ///
    /// A group of which several parts are added gets numbers for each of them:
    /// wasteful, but rare, and a node's number follows from its place alone.
    pub(super) fn add(&mut self, level: &Level, part: PartId, places: usize) {
        if self.marked.contains(part) {
            return;
        }
        self.marked.insert(part);
        let position = self.list.len() as u32;
        self.position_of[part.index()] = position;
        let first = (self.run_owners.len() * RUN) as u32;
        self.list.push(NumberedPart { part, group: level.group_of[part.index()], first });
        self.run_owners.extend(std::iter::repeat_n(position, places.div_ceil(RUN)));
    }
}

/// The graph without the nodes outside a corridor, under the corridor's numbers.
pub(super) struct Corridor<'a, G, P> {
    pub(super) graph: &'a G,
    pub(super) groups: &'a P,
    pub(super) level: &'a Level,
    pub(super) parts: &'a CorridorParts,
}

impl<G: Graph, P: Grouping<G::Node>> Corridor<'_, G, P> {
    /// A visitor of the graph's arcs that passes on those that stay inside.
    #[inline]
    fn inside(&self, mut visit: impl FnMut(NodeId, Cost)) -> impl FnMut(G::Node, Cost) {
        move |head, cost| {
            if let Some(head) = self.number(head) {
                visit(head, cost);
            }
        }
    }

    /// The number of a node, if it is in the corridor.
    #[inline]
    pub(super) fn number(&self, node: G::Node) -> Option<NodeId> {
        let (group, place) = self.groups.locate(node);
        let part = self.level.part_at(self.groups, group, place);
        if !self.parts.marked.contains(part) {
            return None;
        }
        let owner = &self.parts.list[self.parts.position_of[part.index()] as usize];
        Some(NodeId::new(owner.first + place as u32))
    }

    fn owner(&self, number: NodeId) -> NumberedPart {
        self.parts.list[self.parts.run_owners[number.index() / RUN] as usize]
    }

    /// The node with a number.
    #[inline]
    pub(super) fn node(&self, number: NodeId) -> G::Node {
        let owner = self.owner(number);
        self.groups.node_at(owner.group, number.index() - owner.first as usize)
    }

    /// The part in which the node with a number lies.
    #[inline]
    pub(super) fn part(&self, number: NodeId) -> PartId {
        self.owner(number).part
    }
}

impl<G: Graph, P: Grouping<G::Node>> Graph for Corridor<'_, G, P> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.parts.run_owners.len() * RUN
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, visit: impl FnMut(NodeId, Cost)) {
        self.graph.for_each_arc(self.node(node), self.inside(visit));
    }

    #[inline]
    fn for_each_onward_arc(&self, node: NodeId, parent: NodeId, visit: impl FnMut(NodeId, Cost)) {
        let here = self.node(node);
        // The graph skips a move if another path is as short. Near the edge of the
        // corridor that other path may lead outside, so nothing may be skipped there.
        if self.groups.is_surrounded(here) {
            self.graph.for_each_onward_arc(here, self.node(parent), self.inside(visit));
        } else {
            self.graph.for_each_arc(here, self.inside(visit));
        }
    }
}

/// A level without the parts that lie outside some parts of the level above.
pub(super) struct ConfinedLevel<'a> {
    pub(super) level: &'a Level,
    /// Parts of the level above; `None` for the whole level.
    pub(super) within: Option<&'a PartSet>,
}

impl Graph for ConfinedLevel<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.level.part_count()
    }

    #[inline]
    fn index(&self, part: NodeId) -> usize {
        part.index()
    }

    #[inline]
    fn for_each_arc(&self, part: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for arc in &self.level.arcs[part.index()] {
            let above = || self.level.above.get(arc.to.index()).copied().unwrap_or(PartId::NONE);
            if self.within.is_none_or(|within| within.contains(above())) {
                visit(arc.to.as_node(), arc.cost);
            }
        }
    }
}
