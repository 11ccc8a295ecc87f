//! The inside of a group that others are copies of.

use super::interior::Interior;
use crate::base::{Cost, NodeId};
use crate::graph::Graph;
use crate::search::{HeapQueue, Memory, dijkstra};

/// What is known of the inside of a group: its parts, and the costs from each
/// door and from the representative of each part to every door. Computed once
/// for a type of building and used for all its instances.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The part of each place.
    pub(super) part_of: Box<[u32]>,
    /// The place that represents each part.
    pub(super) representatives: Box<[u32]>,
    /// Places at which the group can be entered or left, sorted.
    doors: Box<[u32]>,
    /// A row for every door and then for every part: costs to the doors.
    costs: Box<[Option<Cost>]>,
}

impl Shape {
    /// The shape of a graph whose nodes are the places 0, 1, …, with doors at
    /// some of them. Doors that are no nodes are left out.
    pub fn of<G: Graph<Node = NodeId>>(graph: &G, doors: impl IntoIterator<Item = NodeId>) -> Self {
        let places = graph.node_count();
        let mut doors: Vec<u32> = doors.into_iter().map(|node| node.index() as u32).collect();
        doors.retain(|&door| (door as usize) < places);
        doors.sort_unstable();
        doors.dedup();
        let mut interior = Interior::default();
        interior.begin(places);
        let mut arcs = vec![0_u32; places];
        for (place, count) in (0..).zip(&mut arcs) {
            interior.add_member(place);
            graph.for_each_arc(NodeId::new(place), |head, cost| {
                *count += 1;
                interior.add_arc(place, head.index() as u32, cost);
            });
        }
        interior.find_parts();
        let representatives = interior.most_connected(&arcs);
        let mut memory = Memory::<HeapQueue>::default();
        let mut costs = Vec::with_capacity((doors.len() + representatives.len()) * doors.len());
        for &from in doors.iter().chain(&representatives) {
            dijkstra(graph, NodeId::new(from), &mut memory, &mut ());
            costs.extend(doors.iter().map(|&to| memory.labels().known(to as usize)));
        }
        Self {
            part_of: interior.parts().into(),
            representatives: representatives.into(),
            doors: doors.into(),
            costs: costs.into(),
        }
    }

    /// Number of parts.
    pub fn part_count(&self) -> usize {
        self.representatives.len()
    }

    /// Cost from one door to another inside.
    pub(super) fn crossing(&self, from: u32, to: u32) -> Option<Cost> {
        self.cost(self.doors.binary_search(&from).ok()?, to)
    }

    /// Cost from the representative of a part to a door.
    pub(super) fn leaving(&self, part: usize, to: u32) -> Option<Cost> {
        self.cost(self.doors.len() + part, to)
    }

    fn cost(&self, row: usize, to: u32) -> Option<Cost> {
        let column = self.doors.binary_search(&to).ok()?;
        *self.costs.get(row * self.doors.len() + column)?
    }

    /// Bytes that it takes.
    pub fn memory_bytes(&self) -> usize {
        size_of_val(&*self.part_of)
            + size_of_val(&*self.representatives)
            + size_of_val(&*self.doors)
            + size_of_val(&*self.costs)
    }
}
