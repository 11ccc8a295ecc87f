//! Labels of cells, block by block.
//!
//! A cell counts as a node below all others: its label is made of the labels of
//! the subgoals it is linked to, its *vias*, like that of any node is made of
//! those above it. Cells of one block have nearly the same vias and hubs. So the
//! entries that some cell needs are stored once per block, as the via they start
//! with, the hub they lead to and the cost between the two; a cell keeps only
//! which of the vias are its own. An entry that goes on from its via to another
//! via of the same cell is left out: the cell reaches that one directly.

use super::measure::Measure;
use super::record::{Draft, Entry, MOST_VIAS};
use crate::base::{Cell, NodeId, Rect};
use crate::contraction::{ContractionHierarchy, UpArc};
use crate::grid::Grid;
use crate::hublabel::HubLabels;
use crate::subgoal::{Dominance, TautGraph, TautLinks};

/// Makes the records of blocks.
pub(super) struct Labeller<'b> {
    grid: &'b Grid,
    graph: &'b TautGraph,
    links: TautLinks<'b>,
    measure: Measure,
    hierarchy: &'b ContractionHierarchy,
    labels: &'b HubLabels,
    onward: Onward,
}

impl<'b> Labeller<'b> {
    pub(super) fn new(
        grid: &'b Grid,
        graph: &'b TautGraph,
        hierarchy: &'b ContractionHierarchy,
        labels: &'b HubLabels,
    ) -> Self {
        let links = TautLinks::new(grid, &graph.clearance);
        let onward = Onward::new(hierarchy, labels);
        Self { grid, graph, links, measure: Measure::new(grid.rules()), hierarchy, labels, onward }
    }

    /// The record of the block that covers an area of the map, with `side`
    /// cells to a side; `None` if no cell is free, and an error if the block has
    /// too many vias.
    pub(super) fn record(
        &self,
        area: Rect,
        side: usize,
        work: &mut Work,
    ) -> Result<Option<Vec<u8>>, TooMany> {
        let Work { needed, cells, .. } = work;
        needed.clear();
        cells.clear();
        for cell in area.cells().filter(|&cell| self.grid.is_free(cell)) {
            let begin = work.needed.len();
            self.label(cell, work);
            work.cells.push((cell, begin, work.needed.len()));
        }
        if work.cells.is_empty() {
            return Ok(None);
        }
        self.draft(area.min(), side, work).map(Some)
    }

    /// Adds the entries that a cell needs.
    fn label(&self, cell: Cell, work: &mut Work) {
        let Work { links, dominance, .. } = work;
        links.clear();
        self.links.for_each(cell, |link| links.push((link.subgoal, self.measure.steps.of(link))));
        dominance.prune(links, &self.graph.edges);
        for (subgoal, _) in &mut *links {
            *subgoal = self.hierarchy.rank_of(NodeId::new(*subgoal));
        }
        work.reach(self);
        work.keep(self.labels);
    }

    /// Puts together what the cells of a block need.
    fn draft(&self, corner: Cell, side: usize, work: &mut Work) -> Result<Vec<u8>, TooMany> {
        let mut all: Vec<Needed> = work.needed.clone();
        all.sort_unstable();
        all.dedup();
        let mut draft = Draft::default();
        for &Needed { via, entry } in &all {
            if draft.vias.last().is_none_or(|&(_, last)| last != via) {
                let subgoal = self.hierarchy.node_at(via);
                draft.vias.push((self.graph.cells[subgoal.index()], via));
            }
            let (hub, cost) = (self.labels.hubs()[entry as usize], self.labels.costs()[entry as usize]);
            if hub != via {
                draft.entries.push(Entry::new(hub, draft.vias.len() - 1, cost));
            }
        }
        if draft.vias.len() > MOST_VIAS {
            return Err(TooMany);
        }
        let mut links = vec![Vec::new(); side * side];
        for &(cell, begin, end) in &work.cells {
            let position = usize::from(cell.y - corner.y) * side + usize::from(cell.x - corner.x);
            let via = |needed: &Needed| draft.vias.binary_search_by_key(&needed.via, |&(_, rank)| rank).ok();
            links[position].extend(work.needed[begin..end].iter().filter_map(via));
        }
        Ok(draft.write(&links, self.hierarchy.node_count() as u32))
    }
}

/// A block has more vias than a record holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooMany;

/// An entry of the label of a via.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Needed {
    /// Rank of the via.
    via: u32,
    /// Position among all entries.
    entry: u32,
}

/// How a hub is reached from a cell.
#[derive(Clone, Copy, Debug)]
struct Reached {
    cost: u32,
    needed: Needed,
}

const UNREACHED: Reached = Reached { cost: u32::MAX, needed: Needed { via: 0, entry: 0 } };

/// Working memory of a thread.
#[derive(Debug, Default)]
pub(super) struct Work {
    dominance: Dominance,
    /// Vias of the cell at hand and what they cost.
    links: Vec<(u32, u32)>,
    /// The cell for which each rank was a via last.
    linked: Vec<u32>,
    /// The cells done so far.
    count: u32,
    /// How each hub is reached.
    reached: Vec<Reached>,
    /// The hubs that are reached.
    touched: Vec<u32>,
    /// What the cells of the block need, cell by cell.
    needed: Vec<Needed>,
    /// The free cells of the block, and where what they need begins and ends.
    cells: Vec<(Cell, usize, usize)>,
}

impl Work {
    /// Finds out how the hubs of all vias are reached.
    fn reach(&mut self, labeller: &Labeller<'_>) {
        let ranks = labeller.hierarchy.node_count();
        if self.reached.len() < ranks {
            self.reached.resize(ranks, UNREACHED);
            self.linked.resize(ranks, 0);
        }
        self.count += 1;
        for &(via, _) in &self.links {
            self.linked[via as usize] = self.count;
        }
        for &(via, link) in &self.links {
            for group in labeller.onward.groups_of(via) {
                if group.hop != via && self.linked[group.hop as usize] == self.count {
                    continue;
                }
                for step in labeller.onward.steps_of(group) {
                    let cost = link + step.cost;
                    let reached = &mut self.reached[step.hub as usize];
                    if reached.cost == u32::MAX {
                        self.touched.push(step.hub);
                    }
                    let needed = Needed { via, entry: step.entry };
                    if (cost, needed) < (reached.cost, reached.needed) {
                        *reached = Reached { cost, needed };
                    }
                }
            }
        }
    }

    /// Keeps what leads to hubs that no other hub lies before.
    fn keep(&mut self, labels: &HubLabels) {
        for &hub in &self.touched {
            let Reached { cost, needed } = self.reached[hub as usize];
            let range = labels.first()[hub as usize] as usize..labels.first()[hub as usize + 1] as usize - 1;
            let others = labels.hubs()[range.clone()].iter().zip(&labels.costs()[range]);
            let over = |(&other, &rest): (&u32, &u32)| {
                self.reached[other as usize].cost.saturating_add(rest) <= cost
            };
            if !others.map(over).any(|over| over) {
                self.needed.push(needed);
            }
        }
        for &hub in &self.touched {
            self.reached[hub as usize] = UNREACHED;
        }
        self.touched.clear();
    }
}

/// The entries of all labels, grouped by the first node on their way.
struct Onward {
    /// Groups of each rank.
    first: Vec<u32>,
    groups: Vec<Group>,
    steps: Vec<Step>,
}

/// Entries that go on to the same node.
#[derive(Clone, Copy)]
struct Group {
    /// The first node of the taut graph after the via, or the via itself.
    hop: u32,
    begin: u32,
    end: u32,
}

#[derive(Clone, Copy)]
struct Step {
    hub: u32,
    cost: u32,
    /// Position among the entries of all labels.
    entry: u32,
}

impl Onward {
    fn new(hierarchy: &ContractionHierarchy, labels: &HubLabels) -> Self {
        let ends = Ends::of_arcs(hierarchy);
        let mut onward = Self { first: vec![0], groups: Vec::new(), steps: Vec::new() };
        let mut order: Vec<(u32, u32)> = Vec::new();
        for rank in 0..hierarchy.node_count() {
            order.clear();
            order.extend((labels.first()[rank]..labels.first()[rank + 1]).map(|entry| {
                let hop = match labels.arcs()[entry as usize] {
                    HubLabels::NONE => rank as u32,
                    arc => ends[arc as usize].second,
                };
                (hop, entry)
            }));
            order.sort_unstable();
            for group in order.chunk_by(|a, b| a.0 == b.0) {
                let begin = onward.steps.len() as u32;
                onward.steps.extend(group.iter().map(|&(_, entry)| Step {
                    hub: labels.hubs()[entry as usize],
                    cost: labels.costs()[entry as usize],
                    entry,
                }));
                onward.groups.push(Group { hop: group[0].0, begin, end: onward.steps.len() as u32 });
            }
            onward.first.push(onward.groups.len() as u32);
        }
        onward
    }

    fn groups_of(&self, rank: u32) -> &[Group] {
        &self.groups[self.first[rank as usize] as usize..self.first[rank as usize + 1] as usize]
    }

    fn steps_of(&self, group: &Group) -> &[Step] {
        &self.steps[group.begin as usize..group.end as usize]
    }
}

/// The nodes of the taut graph next to the ends of an arc.
#[derive(Clone, Copy, Default)]
struct Ends {
    /// The one after the lower end.
    second: u32,
    /// The one before the upper end.
    last_but_one: u32,
}

impl Ends {
    fn of_arcs(hierarchy: &ContractionHierarchy) -> Vec<Self> {
        let mut ends = vec![Self::default(); hierarchy.arcs().len()];
        // From the bottom up: what an arc leads over lies below both its ends.
        for rank in (0..hierarchy.node_count() as u32).rev() {
            for at in hierarchy.range(rank) {
                let UpArc { head, via, .. } = hierarchy.arcs()[at];
                ends[at] = match halves(hierarchy, rank, head, via) {
                    None => Self { second: head, last_but_one: rank },
                    Some((down, up)) => {
                        Self { second: ends[down].last_but_one, last_but_one: ends[up].last_but_one }
                    }
                };
            }
        }
        ends
    }
}

/// The two arcs that an arc stands for: from the node it leads over to its
/// lower end, and to its upper one.
pub(super) fn halves(
    hierarchy: &ContractionHierarchy,
    rank: u32,
    head: u32,
    via: u32,
) -> Option<(usize, usize)> {
    if via == UpArc::NONE {
        return None;
    }
    Some((hierarchy.arc_to(via, rank)?, hierarchy.arc_to(via, head)?))
}
