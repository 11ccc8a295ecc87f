//! Hierarchies with labels of some subgoals, as they are saved.
//!
//! Where the subgoals lie is found on the map again, and what arcs and entries
//! cost follows from that: costs cannot be forged. So what is proved is
//!
//! 1. ranks and subgoals of the map are one to one;
//! 2. arcs of a rank rise; they lead to higher ranks, in the core to others of
//!    the core and back;
//! 3. an arc leads over a rank below both of its ends and below the core that has
//!    arcs to both, or else straight over the map, there and back;
//! 4. labels are as those of all cells ([`super`]), but that each rank has itself
//!    as its last entry; there are none if there is a core.

use super::{CorruptLabels, Place};
use crate::base::Cell;
use crate::contraction::{ContractionHierarchy, UpArc};
use crate::grid::Grid;
use crate::hublabel::{HubIndex, HubLabels};
use crate::labels::climb::Climb;
use crate::labels::measure::Measure;
use crate::subgoal::Clearance;
use std::ops::Range;

/// What is saved of a hierarchy and its labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ladder {
    core: u32,
    /// The subgoal of each rank, in reading order.
    nodes: Vec<u32>,
    /// Where the arcs of each rank begin, and where the last ones end.
    rows: Vec<u32>,
    /// Where each arc leads to, and over which rank.
    arcs: Vec<[u32; 2]>,
    /// Where the label of each rank begins, and where the last one ends.
    first: Vec<u32>,
    hubs: Vec<u32>,
    /// The arc that each entry begins with, and the entry that goes on.
    hops: Vec<[u32; 2]>,
}

/// Parts of a ladder.
pub(super) const PARTS: usize = 6;

const NONE: u32 = UpArc::NONE;

impl Ladder {
    pub(super) fn of(climb: &Climb) -> Self {
        let (hierarchy, labels) = (climb.index().hierarchy(), climb.index().labels());
        Self {
            core: hierarchy.core_size(),
            nodes: hierarchy.nodes().to_vec(),
            rows: hierarchy.first().to_vec(),
            arcs: hierarchy.arcs().iter().map(|arc| [arc.head, arc.via]).collect(),
            first: labels.first().to_vec(),
            hubs: labels.hubs().to_vec(),
            hops: labels.arcs().iter().zip(labels.nexts()).map(|(&arc, &next)| [arc, next]).collect(),
        }
    }

    pub(super) const fn core(&self) -> u32 {
        self.core
    }

    pub(super) fn subgoal_count(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn arc_count(&self) -> usize {
        self.arcs.len()
    }

    pub(super) fn entry_count(&self) -> usize {
        self.hubs.len()
    }

    /// Ranks that have labels.
    pub(super) fn labelled(&self) -> usize {
        self.first.len() - 1
    }

    /// The parts, in the order in which they are saved.
    pub(super) fn to_bytes(&self) -> [Vec<u8>; PARTS] {
        let Self { core: _, nodes, rows, arcs, first, hubs, hops } = self;
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        [
            words(nodes),
            words(rows),
            words(arcs.as_flattened()),
            words(first),
            words(hubs),
            words(hops.as_flattened()),
        ]
    }

    /// What lies in such parts; what can be told without the map is proved.
    pub(super) fn from_bytes(core: u32, parts: [&[u8]; PARTS]) -> Result<Self, CorruptLabels> {
        if parts.iter().any(|part| !part.len().is_multiple_of(size_of::<u32>())) {
            return Err(CorruptLabels::whole("have a part that is no whole number of words"));
        }
        let [nodes, rows, arcs, first, hubs, hops] = parts.map(|part| {
            part.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect::<Vec<u32>>()
        });
        if arcs.len() % 2 != 0 || hops.len() != 2 * hubs.len() {
            return Err(CorruptLabels::whole("have parts that do not fit each other"));
        }
        let pairs = |words: Vec<u32>| words.as_chunks().0.to_vec();
        let ladder = Self { core, nodes, rows, arcs: pairs(arcs), first, hubs, hops: pairs(hops) };
        ladder.check()?;
        Ok(ladder)
    }

    fn check(&self) -> Result<(), CorruptLabels> {
        self.check_rows().map_err(CorruptLabels::whole)?;
        for rank in 0..self.nodes.len() as u32 {
            self.check_arcs(rank).map_err(|flaw| CorruptLabels::at(Place::Rank(rank), flaw))?;
        }
        for rank in 0..self.labelled() as u32 {
            self.check_label(rank).map_err(|flaw| CorruptLabels::at(Place::Rank(rank), flaw))?;
        }
        Ok(())
    }

    /// Proves 1, and that rows use up what they are rows of.
    fn check_rows(&self) -> Result<(), &'static str> {
        let mut seen = vec![false; self.nodes.len()];
        for &node in &self.nodes {
            let seen = seen.get_mut(node as usize).ok_or("have a rank of no subgoal")?;
            if std::mem::replace(seen, true) {
                return Err("have two ranks of one subgoal");
            }
        }
        let is_whole = |rows: &[u32], end: usize| {
            rows.first() == Some(&0)
                && rows.is_sorted()
                && rows.last().is_some_and(|&last| last as usize == end)
        };
        if !is_whole(&self.rows, self.arcs.len()) || !is_whole(&self.first, self.hubs.len()) {
            return Err("have rows that overlap or leave gaps");
        }
        let most_labels = if self.core > 0 { 0 } else { self.nodes.len() };
        if self.rows.len() != self.nodes.len() + 1 || self.labelled() > most_labels {
            return Err("have parts that do not fit each other");
        }
        if self.core as usize > self.nodes.len() {
            return Err("have a core of more than all subgoals");
        }
        Ok(())
    }

    fn arcs_of(&self, rank: u32) -> Range<usize> {
        self.rows[rank as usize] as usize..self.rows[rank as usize + 1] as usize
    }

    /// The arc from one rank to another.
    fn arc_to(&self, rank: u32, head: u32) -> Option<usize> {
        let range = self.arcs_of(rank);
        let place = self.arcs[range.clone()].binary_search_by_key(&head, |&[head, _]| head).ok()?;
        Some(range.start + place)
    }

    /// Proves 2 and 3, but for what the map has to tell.
    fn check_arcs(&self, rank: u32) -> Result<(), &'static str> {
        let arcs = &self.arcs[self.arcs_of(rank)];
        if arcs.windows(2).any(|pair| pair[0][0] >= pair[1][0]) {
            return Err("has arcs that do not rise");
        }
        let in_core = rank < self.core;
        for &[head, via] in arcs {
            let is_higher = if in_core { head < self.core && head != rank } else { head < rank };
            if !is_higher {
                return Err("has an arc that does not lead up");
            }
            let counterpart = |arc: usize| self.arcs[arc][1] == via;
            if in_core && !self.arc_to(head, rank).is_some_and(counterpart) {
                return Err("has an arc in the core that does not lead back");
            }
            let is_below = via >= self.core && via > rank.max(head) && (via as usize) < self.nodes.len();
            if via != NONE && !(is_below && self.halves(rank, head, via).is_some()) {
                return Err("has an arc over a rank that has none to its ends");
            }
        }
        Ok(())
    }

    /// The arcs that one over a rank stands for.
    fn halves(&self, rank: u32, head: u32, via: u32) -> Option<[usize; 2]> {
        Some([self.arc_to(via, rank)?, self.arc_to(via, head)?])
    }

    fn label_of(&self, rank: u32) -> Range<usize> {
        self.first[rank as usize] as usize..self.first[rank as usize + 1] as usize
    }

    /// Proves 4.
    fn check_label(&self, rank: u32) -> Result<(), &'static str> {
        let label = self.label_of(rank);
        let Some((&itself, others)) = self.hubs[label.clone()].split_last() else {
            return Err("has no label");
        };
        if itself != rank || self.hops[label.end - 1] != [NONE; 2] {
            return Err("has a label that does not end with itself");
        }
        if !self.hubs[label.clone()].is_sorted_by(|a, b| a < b) {
            return Err("has hubs that do not rise");
        }
        for (&hub, &[arc, next]) in others.iter().zip(&self.hops[label]) {
            if !self.arcs_of(rank).contains(&(arc as usize)) {
                return Err("has an entry without an arc");
            }
            let onward = self.label_of(self.arcs[arc as usize][0]);
            if !onward.contains(&(next as usize)) || self.hubs[next as usize] != hub {
                return Err("has an entry that goes on to another hub");
            }
        }
        Ok(())
    }

    /// The hierarchy and its labels, as those of a map. Proves what is left.
    pub(super) fn bound_to(&self, grid: &Grid) -> Result<Climb, CorruptLabels> {
        let clearance = Clearance::new(grid);
        let subgoals = clearance.subgoal_cells();
        if subgoals.len() != self.nodes.len() {
            return Err(CorruptLabels::whole("have another number of subgoals than the map"));
        }
        let arcs = self.weigh_arcs(grid, &subgoals)?;
        let costs = self.weigh_entries(&arcs)?;
        let hops = |side: usize| self.hops.iter().map(|hop| hop[side]).collect();
        let labels = [self.first.clone(), self.hubs.clone(), costs, hops(0), hops(1)];
        let hierarchy =
            ContractionHierarchy::of_parts(self.core, self.nodes.clone(), self.rows.clone(), arcs);
        let index = HubIndex::of_parts(hierarchy, HubLabels::of_parts(labels));
        Ok(Climb::assemble(grid, clearance, &subgoals, index))
    }

    /// The arcs and what they cost, the lowest ranks first: arcs lead over lower
    /// ones.
    fn weigh_arcs(&self, grid: &Grid, subgoals: &[Cell]) -> Result<Vec<UpArc>, CorruptLabels> {
        let measure = Measure::new(grid.rules());
        let cell = |rank: u32| subgoals[self.nodes[rank as usize] as usize];
        let mut arcs: Vec<UpArc> =
            self.arcs.iter().map(|&[head, via]| UpArc { head, cost: 0, via }).collect();
        for rank in (0..self.nodes.len() as u32).rev() {
            for at in self.arcs_of(rank) {
                let UpArc { head, via, .. } = arcs[at];
                let flawed = |flaw| CorruptLabels::at(Place::Rank(rank), flaw);
                let (from, to) = (cell(rank), cell(head));
                let is_legal = || grid.is_diagonal_first(from, to) && grid.is_diagonal_first(to, from);
                if via == NONE && !is_legal() {
                    return Err(flawed("has an arc through a wall"));
                }
                let halves = if via == NONE { None } else { self.halves(rank, head, via) };
                let cost = match halves {
                    Some([down, up]) => arcs[down].cost.checked_add(arcs[up].cost),
                    None => Some(measure.distance(from, to)),
                };
                arcs[at].cost = cost.ok_or(flawed("has an arc that is too long"))?;
            }
        }
        Ok(arcs)
    }

    /// What entries cost.
    fn weigh_entries(&self, arcs: &[UpArc]) -> Result<Vec<u32>, CorruptLabels> {
        let mut costs: Vec<u32> = Vec::with_capacity(self.hubs.len());
        for &[arc, next] in &self.hops {
            let cost =
                if arc == NONE { Some(0) } else { arcs[arc as usize].cost.checked_add(costs[next as usize]) };
            costs.push(cost.ok_or(CorruptLabels::whole("have a hub that is too far away"))?);
        }
        Ok(costs)
    }
}
