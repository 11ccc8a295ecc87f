//! The inside of one group: its parts, and what it costs to cross them.

use super::part::LocalPart;
use crate::base::{Cost, NodeId};
use crate::graph::Graph;
use crate::search::{Everything, HeapQueue, Memory, Problem, ShortestPath};

/// Marks a place that Tarjan's search has not met yet.
const UNMET: u32 = u32::MAX;

/// Marks a place whose part is known: larger than the order of any place.
const FINISHED: u32 = u32::MAX - 1;

/// The arcs between the members of a group, and what is computed from them. Reused
/// from group to group.
///
/// A *part* is a strongly connected component: a largest set of members that can all
/// reach each other without leaving the group. From any node of a part a unit can get
/// to any other, so plans over parts have no dead ends.
#[derive(Debug, Default)]
pub(super) struct Interior {
    places: usize,
    arcs: Vec<InnerArc>,
    /// `arcs` as compressed rows, by tail or, once reversed, by head.
    first: Vec<u32>,
    rows: Vec<(u32, Cost)>,
    /// The part of each place.
    part_of: Vec<LocalPart>,
    part_count: usize,
    tarjan: Tarjan,
    memory: Memory<HeapQueue>,
    seeds: Vec<(u32, Cost)>,
}

/// An arc between two places of the group.
#[derive(Clone, Copy, Debug)]
struct InnerArc {
    tail: u32,
    head: u32,
    cost: Cost,
}

/// Compressed rows of arcs: place `p` has `heads[first[p]..first[p + 1]]`.
#[derive(Clone, Copy)]
struct Rows<'r> {
    first: &'r [u32],
    heads: &'r [(u32, Cost)],
}

/// Working memory of Tarjan's algorithm for strongly connected components.
#[derive(Debug, Default)]
struct Tarjan {
    /// When each place was first met; [`UNMET`] or [`FINISHED`] otherwise.
    order: Vec<u32>,
    /// The earliest place that each place leads back to, by order.
    low: Vec<u32>,
    met: u32,
    /// Places that were met and whose part is not known yet.
    open: Vec<u32>,
    /// The path from the first place to the current one: place, next arc to follow.
    path: Vec<(u32, u32)>,
}

impl Tarjan {
    fn begin(&mut self, places: usize) {
        self.order.clear();
        self.order.resize(places, UNMET);
        self.low.clear();
        self.low.resize(places, 0);
        self.met = 0;
    }

    /// Finds the parts of everything that can be reached from `start` and has not
    /// been met before.
    fn run(&mut self, start: u32, rows: Rows<'_>, part_of: &mut [LocalPart], part_count: &mut u32) {
        let Self { order, low, met, open, path } = self;
        path.push((start, rows.first[start as usize]));
        while let Some((place, next)) = path.last_mut() {
            let at = *place as usize;
            if order[at] == UNMET {
                (order[at], low[at]) = (*met, *met);
                *met += 1;
                open.push(*place);
            }
            if *next < rows.first[at + 1] {
                let head = rows.heads[*next as usize].0;
                *next += 1;
                match order[head as usize] {
                    UNMET => path.push((head, rows.first[head as usize])),
                    // Finished places have the largest order, so they never lower this.
                    earlier => low[at] = low[at].min(earlier),
                }
                continue;
            }
            let back = low[at];
            path.pop();
            if back == order[at] {
                // Nothing from here leads further back: what is open since is one part.
                while let Some(member) = open.pop() {
                    order[member as usize] = FINISHED;
                    part_of[member as usize] = LocalPart::new(*part_count);
                    if member as usize == at {
                        break;
                    }
                }
                *part_count += 1;
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(back);
            }
        }
    }
}

impl Interior {
    /// Starts over with a group of `places` vacant places.
    pub(super) fn begin(&mut self, places: usize) {
        self.places = places;
        self.arcs.clear();
        self.part_of.clear();
        self.part_of.resize(places, LocalPart::VACANT);
        self.part_count = 0;
    }

    /// Puts a member at a place.
    pub(super) fn add_member(&mut self, place: u32) {
        self.part_of[place as usize] = LocalPart::new(0);
    }

    /// Adds an arc between two members.
    pub(super) fn add_arc(&mut self, tail: u32, head: u32, cost: Cost) {
        self.arcs.push(InnerArc { tail, head, cost });
    }

    /// The part of each place, or [`LocalPart::VACANT`]. Parts are numbered in the
    /// order of their first places.
    pub(super) fn parts(&self) -> &[LocalPart] {
        &self.part_of
    }

    pub(super) const fn part_count(&self) -> usize {
        self.part_count
    }

    /// Finds the parts.
    ///
    /// # Complexity
    /// O(members + arcs): Tarjan's algorithm with an explicit stack, because a group
    /// may be one long corridor and recursion would overflow.
    pub(super) fn find_parts(&mut self) {
        self.make_rows(false, |_, _| true);
        self.tarjan.begin(self.places);
        let mut part_count = 0;
        for start in 0..self.places as u32 {
            let is_member = self.part_of[start as usize] != LocalPart::VACANT;
            if is_member && self.tarjan.order[start as usize] == UNMET {
                let rows = Rows { first: &self.first, heads: &self.rows };
                self.tarjan.run(start, rows, &mut self.part_of, &mut part_count);
            }
        }
        self.part_count = part_count as usize;
        self.number_by_first_place();
    }

    /// Renumbers the parts in the order of their first places.
    ///
    /// Tarjan's order depends on the arcs. This one depends on which places are in
    /// which part and on nothing else, so that updated hierarchies equal fresh ones.
    fn number_by_first_place(&mut self) {
        let numbers = &mut self.tarjan.low;
        numbers.clear();
        numbers.resize(self.part_count, UNMET);
        let mut next = 0;
        for part in self.part_of.iter_mut().filter(|part| **part != LocalPart::VACANT) {
            let number = &mut numbers[part.index()];
            if *number == UNMET {
                *number = next;
                next += 1;
            }
            *part = LocalPart::new(*number);
        }
    }

    /// Sets the parts of all members instead of finding them.
    pub(super) fn set_parts(&mut self, part_at: impl Fn(usize) -> LocalPart) {
        let taken = self.part_of.iter_mut().enumerate().filter(|(_, part)| **part != LocalPart::VACANT);
        for (place, part) in taken {
            *part = part_at(place);
        }
    }

    /// Calls `visit` with the arcs whose ends are in different parts.
    pub(super) fn for_each_arc_between_parts(&self, mut visit: impl FnMut(u32, u32, Cost)) {
        for &InnerArc { tail, head, cost } in &self.arcs {
            if self.part_of[tail as usize] != self.part_of[head as usize] {
                visit(tail, head, cost);
            }
        }
    }

    /// Reverses the arcs inside parts, for [`Interior::flood`].
    pub(super) fn reverse(&mut self) {
        let part_of = std::mem::take(&mut self.part_of);
        self.make_rows(true, |tail, head| part_of[tail as usize] == part_of[head as usize]);
        self.part_of = part_of;
    }

    /// Makes rows of the arcs for which `wanted(tail, head)` holds, by tail or, if
    /// `reversed`, by head.
    fn make_rows(&mut self, reversed: bool, wanted: impl Fn(u32, u32) -> bool) {
        let Self { places, arcs, first, rows, .. } = self;
        first.clear();
        first.resize(*places + 1, 0);
        let ends = |arc: &InnerArc| if reversed { (arc.head, arc.tail) } else { (arc.tail, arc.head) };
        let wanted = |arc: &&InnerArc| wanted(arc.tail, arc.head);
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
        // From the back, because `first` holds the ends of the rows until they are filled.
        for arc in arcs.iter().filter(wanted).rev() {
            let (row, other) = ends(arc);
            first[row as usize] -= 1;
            rows[first[row as usize] as usize] = (other, arc.cost);
        }
    }

    /// Computes the least cost from every place to a seed, plus that seed's own cost.
    /// [`Interior::reverse`] must have been called.
    ///
    /// One Dijkstra search against the arcs, from all seeds at once, instead of one
    /// from each place where the group is entered.
    pub(super) fn flood(&mut self, seeds: impl IntoIterator<Item = (u32, Cost)>) {
        self.seeds.clear();
        self.seeds.extend(seeds);
        let graph = ReversedFromSeeds { first: &self.first, rows: &self.rows, seeds: &self.seeds };
        let problem = Problem { graph: &graph, target: Everything, rule: ShortestPath };
        problem.begin(NodeId::new(self.places as u32), &mut self.memory, &mut ());
        problem.advance(&mut self.memory, u64::MAX, &mut ());
    }

    /// The cost that [`Interior::flood`] found for a place; `None` if no seed can be
    /// reached from it.
    pub(super) fn cost_from(&self, place: u32) -> Option<Cost> {
        self.memory.cost(place as usize)
    }
}

/// The reversed arcs of a group, and one more node with arcs to all seeds: a search
/// from that node is a search from all of them.
struct ReversedFromSeeds<'i> {
    first: &'i [u32],
    rows: &'i [(u32, Cost)],
    seeds: &'i [(u32, Cost)],
}

impl Graph for ReversedFromSeeds<'_> {
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
        let parts = [0, 1, 0, 0, u32::MAX, 2, 2, 3].map(LocalPart::new);
        assert_eq!(found.parts(), parts);
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
