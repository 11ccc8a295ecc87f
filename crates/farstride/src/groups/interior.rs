//! The inside of one group: its parts, and the ways through them.

use crate::base::{Cost, NodeId};
use crate::graph::Graph;
use crate::search::{Everything, HeapQueue, Memory, Problem, ShortestPath};

/// The mark of a vacant place.
pub(super) const VACANT: u32 = u32::MAX;

/// The arcs between the members of a group, and what follows from them.
///
/// A *part* is a largest set of members that can all reach each other without
/// leaving the group. Whoever enters a part can go anywhere in it: plans over
/// parts have no dead ends.
#[derive(Debug, Default)]
pub(super) struct Interior {
    places: usize,
    arcs: Vec<(u32, u32, Cost)>,
    /// Rows of `arcs` by tail, or reversed by head.
    first: Vec<u32>,
    rows: Vec<(u32, Cost)>,
    /// The part of each place.
    part_of: Vec<u32>,
    part_count: usize,
    tarjan: Tarjan,
    memory: Memory<HeapQueue>,
    seeds: Vec<(u32, Cost)>,
}

/// Memory of the search for parts.
#[derive(Debug, Default)]
struct Tarjan {
    /// When a place was met first, and the earliest it leads back to.
    order: Vec<u32>,
    low: Vec<u32>,
    /// Places whose part is not known yet.
    open: Vec<u32>,
    /// The way from the first place to where the search is: place, next arc.
    path: Vec<(u32, u32)>,
}

impl Interior {
    /// Starts with a group of so many vacant places.
    pub(super) fn begin(&mut self, places: usize) {
        self.places = places;
        self.arcs.clear();
        self.part_of.clear();
        self.part_of.resize(places, VACANT);
        self.part_count = 0;
    }

    /// Notes that a place is not vacant.
    pub(super) fn add_member(&mut self, place: u32) {
        self.part_of[place as usize] = 0;
    }

    /// Adds an arc between two members.
    pub(super) fn add_arc(&mut self, tail: u32, head: u32, cost: Cost) {
        self.arcs.push((tail, head, cost));
    }

    /// The part of each place, numbered by their first places; [`VACANT`] if
    /// there is no member.
    pub(super) fn parts(&self) -> &[u32] {
        &self.part_of
    }

    pub(super) const fn part_count(&self) -> usize {
        self.part_count
    }

    /// Finds the parts.
    ///
    /// # Complexity
    /// O(members + arcs): Tarjan's algorithm, without recursion.
    pub(super) fn find_parts(&mut self) {
        self.make_rows(false, |_, _| true);
        let Self { places, first, rows, part_of, tarjan, .. } = self;
        let Tarjan { order, low, open, path } = tarjan;
        order.clear();
        order.resize(*places, VACANT);
        low.clear();
        low.resize(*places, 0);
        let mut met = 0;
        let mut parts = 0;
        for start in 0..*places as u32 {
            if part_of[start as usize] == VACANT || order[start as usize] != VACANT {
                continue;
            }
            path.push((start, first[start as usize]));
            while let Some((place, next)) = path.last_mut() {
                let at = *place as usize;
                if order[at] == VACANT {
                    (order[at], low[at]) = (met, met);
                    met += 1;
                    open.push(*place);
                }
                if *next < first[at + 1] {
                    let head = rows[*next as usize].0;
                    *next += 1;
                    match order[head as usize] {
                        VACANT => path.push((head, first[head as usize])),
                        // A place whose part is known has been given the largest order.
                        earlier => low[at] = low[at].min(earlier),
                    }
                    continue;
                }
                let back = low[at];
                path.pop();
                if back == order[at] {
                    while let Some(member) = open.pop() {
                        order[member as usize] = VACANT - 1;
                        part_of[member as usize] = parts;
                        if member as usize == at {
                            break;
                        }
                    }
                    parts += 1;
                }
                if let Some(&(parent, _)) = path.last() {
                    low[parent as usize] = low[parent as usize].min(back);
                }
            }
        }
        self.part_count = parts as usize;
        self.number_by_first_place();
    }

    /// Renumbers the parts in the order of their first places.
    fn number_by_first_place(&mut self) {
        let numbers = &mut self.tarjan.low;
        numbers.clear();
        numbers.resize(self.part_count, VACANT);
        let mut next = 0;
        for part in self.part_of.iter_mut().filter(|part| **part != VACANT) {
            let number = &mut numbers[*part as usize];
            if *number == VACANT {
                *number = next;
                next += 1;
            }
            *part = *number;
        }
    }

    /// Takes parts that are known already.
    pub(super) fn set_parts(&mut self, part_at: impl Fn(usize) -> u32) {
        for (place, part) in self.part_of.iter_mut().enumerate().filter(|(_, part)| **part != VACANT) {
            *part = part_at(place);
        }
    }

    /// Calls `visit` with the arcs whose ends are in different parts.
    pub(super) fn for_each_arc_between_parts(&self, mut visit: impl FnMut(u32, u32, Cost)) {
        for &(tail, head, cost) in &self.arcs {
            if self.part_of[tail as usize] != self.part_of[head as usize] {
                visit(tail, head, cost);
            }
        }
    }

    /// Turns the arcs inside parts around, for [`Interior::flood`].
    pub(super) fn reverse(&mut self) {
        let part_of = std::mem::take(&mut self.part_of);
        self.make_rows(true, |tail, head| part_of[tail as usize] == part_of[head as usize]);
        self.part_of = part_of;
    }

    /// Compressed rows of the arcs that are wanted, by tail or by head.
    fn make_rows(&mut self, reversed: bool, wanted: impl Fn(u32, u32) -> bool) {
        let Self { places, arcs, first, rows, .. } = self;
        first.clear();
        first.resize(*places + 1, 0);
        let ends = |&(tail, head, _): &(u32, u32, Cost)| if reversed { (head, tail) } else { (tail, head) };
        let wanted = |arc: &&(u32, u32, Cost)| wanted(arc.0, arc.1);
        for arc in arcs.iter().filter(wanted) {
            first[ends(arc).0 as usize] += 1;
        }
        let mut end = 0;
        for row in first.iter_mut() {
            end += *row;
            *row = end;
        }
        rows.clear();
        rows.resize(end as usize, (0, Cost::ZERO));
        for arc in arcs.iter().filter(wanted).rev() {
            let (row, other) = ends(arc);
            first[row as usize] -= 1;
            rows[first[row as usize] as usize] = (other, arc.2);
        }
    }

    /// Finds the least cost from every place that leads to one of the `seeds`
    /// to the nearest of them, the cost of a seed included. The arcs must have
    /// been turned around.
    pub(super) fn flood(&mut self, seeds: impl IntoIterator<Item = (u32, Cost)>) {
        self.seeds.clear();
        self.seeds.extend(seeds);
        let graph = Backwards { first: &self.first, rows: &self.rows, seeds: &self.seeds };
        let problem = Problem { graph: &graph, target: Everything, rule: ShortestPath };
        problem.begin(NodeId::new(self.places as u32), &mut self.memory, &mut ());
        problem.advance(&mut self.memory, u64::MAX, &mut ());
    }

    /// What [`Interior::flood`] found for a place.
    pub(super) fn cost_from(&self, place: u32) -> Option<Cost> {
        self.memory.labels().known(place as usize)
    }
}

/// The arcs of a group turned around, and one more node from which the seeds
/// are reached.
struct Backwards<'i> {
    first: &'i [u32],
    rows: &'i [(u32, Cost)],
    seeds: &'i [(u32, Cost)],
}

impl Graph for Backwards<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.first.len()
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let arcs = match self.first.get(node.index() + 1) {
            Some(&end) => &self.rows[self.first[node.index()] as usize..end as usize],
            None => self.seeds,
        };
        for &(head, cost) in arcs {
            visit(NodeId::new(head), cost);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interior(places: usize, members: &[u32], arcs: &[(u32, u32)]) -> Interior {
        let mut interior = Interior::default();
        interior.begin(places);
        for &member in members {
            interior.add_member(member);
        }
        for &(tail, head) in arcs {
            interior.add_arc(tail, head, Cost::new(10).unwrap());
        }
        interior.find_parts();
        interior
    }

    #[test]
    fn parts_are_what_can_reach_each_other() {
        let arcs = [(0, 2), (2, 3), (3, 0), (3, 5), (5, 6), (6, 5), (1, 0)];
        let found = interior(8, &[0, 1, 2, 3, 5, 6, 7], &arcs);
        assert_eq!(found.parts(), [0, 1, 0, 0, VACANT, 2, 2, 3]);
        assert_eq!(found.part_count(), 4);
    }

    #[test]
    fn floods_go_against_the_arcs() {
        let mut found = interior(4, &[0, 1, 2, 3], &[(0, 1), (1, 2), (2, 0), (2, 3)]);
        found.reverse();
        found.flood([(2, Cost::new(5).unwrap())]);
        let costs = [0, 1, 2, 3].map(|place| found.cost_from(place).map(Cost::units));
        assert_eq!(costs, [Some(25), Some(15), Some(5), None]);
    }
}
