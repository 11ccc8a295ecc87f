//! A look inside labels, for pictures and for the curious.
//!
//! [`TautMap`] shows what labels are built from: the subgoals of a map and the
//! taut links to them. [`Inspector`] shows the result: the hubs, the label of a
//! cell, and the hub at which the labels of two cells meet. No query needs
//! either.
//!
//! ```
//! use farstride::internal::{Inspector, TautMap};
//! use farstride::labels::{GridLabels, LabelSettings};
//! use farstride::{Cell, Grid};
//!
//! let grid = Grid::from_ascii("
//!     .......
//!     ..###..
//!     .......
//! ")?;
//! let (left, right) = (Cell::new(0, 1), Cell::new(6, 1));
//! let taut = TautMap::new(&grid);
//! assert_eq!(taut.subgoals().len(), 4);
//! let links = taut.links(left).expect("it is free");
//! assert_eq!(links.kept, [Cell::new(1, 0), Cell::new(1, 2)]);
//!
//! let labels = GridLabels::build(&grid, LabelSettings::default());
//! let inspector = Inspector::new(&labels, &grid).expect("the labels are of all cells of this map");
//! let label = inspector.label(left).expect("it is free");
//! assert!(label.vias.iter().all(|via| links.kept.contains(via)));
//! let meeting = inspector.meeting(left, right).expect("a wall is between them");
//! assert!(label.entries.iter().any(|entry| entry.hub == meeting.hub));
//! # Ok::<(), farstride::error::TextError>(())
//! ```

use super::full::{Full, Part};
use super::index::GridLabels;
use super::measure::Measure;
use super::meeting;
use super::record::Record;
use super::scratch::LabelScratch;
use super::sink::{Cells, PathSink};
use crate::base::crew::{Watch, all_cores};
use crate::base::{Cancelled, Cell, Cost, NodeId, Rect};
use crate::grid::Grid;
use crate::subgoal::{TautGraph, TautLinks};

/// The subgoals of a map and the taut links to them.
#[derive(Clone, Debug)]
pub struct TautMap<'g> {
    grid: &'g Grid,
    graph: TautGraph,
    measure: Measure,
}

/// The subgoals that a cell could be linked to, each list in reading order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Links {
    /// Direct-h-reachable subgoals: those that subgoal graphs connect a cell to.
    pub direct: Vec<Cell>,
    /// Subgoals at which a shortest path that comes from the cell may bend. Some
    /// lie beyond others, and so are not direct-h-reachable.
    pub taut: Vec<Cell>,
    /// The taut ones that are left after those are dropped that a path over
    /// another one reaches at the same cost.
    pub kept: Vec<Cell>,
}

impl<'g> TautMap<'g> {
    /// Finds the subgoals of a map and the taut links between them, on all cores.
    pub fn new(grid: &'g Grid) -> Self {
        let measure = Measure::new(grid.rules());
        let graph = TautGraph::build(grid, measure.steps, all_cores(), Watch::none());
        let graph = graph.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"));
        Self { grid, graph, measure }
    }

    /// The subgoals in reading order.
    pub fn subgoals(&self) -> &[Cell] {
        &self.graph.cells
    }

    /// The edges of the taut graph, each once: links between subgoals that are taut
    /// at both ends and that no two others replace.
    pub fn edges(&self) -> impl Iterator<Item = (Cell, Cell)> {
        let TautGraph { cells, edges, .. } = &self.graph;
        let rows = (0..).map(NodeId::new).zip(edges);
        let edges = rows.flat_map(|(from, row)| row.iter().map(move |edge| (from, edge.0)));
        edges.filter(|(from, to)| from < to).map(|(from, to)| (cells[from.index()], cells[to.index()]))
    }

    /// The subgoals that a cell can be linked to; `None` if it is blocked or off
    /// the map.
    pub fn links(&self, cell: Cell) -> Option<Links> {
        let TautGraph { clearance, cells, edges } = &self.graph;
        if !self.grid.contains(cell) || !self.grid.is_free(cell) {
            return None;
        }
        let mut taut = Vec::new();
        TautLinks::new(self.grid, clearance)
            .for_each(cell, |link| taut.push((NodeId::new(link.subgoal), self.measure.steps.of(link))));
        taut.sort_unstable();
        let dominates = |&(nearer, link): &(NodeId, u32), &(subgoal, cost): &(NodeId, u32)| {
            let way = edges[nearer.index()].iter().find(|edge| edge.0 == subgoal);
            way.is_some_and(|edge| link + edge.1 <= cost)
        };
        let kept = taut.iter().filter(|link| !taut.iter().any(|other| dominates(other, link)));
        let place = |link: &(NodeId, u32)| cells[link.0.index()];
        Some(Links {
            direct: self.graph.direct(self.grid, cell),
            kept: kept.map(place).collect(),
            taut: taut.iter().map(place).collect(),
        })
    }
}

/// Shows the labels of all cells of a map.
///
/// Never panics: damaged parts of the index are skipped.
#[derive(Clone, Debug)]
pub struct Inspector<'l> {
    grid: &'l Grid,
    full: &'l Full,
    /// The cell of each rank's subgoal. The index does not store it, but every
    /// hub is a via of the cells next to it, and records have the cells of vias.
    places: Vec<Option<Cell>>,
}

/// A subgoal that is in the label of some cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hub {
    /// Its cell.
    pub cell: Cell,
    /// Its place in the order of importance; 0 is the most important.
    pub rank: usize,
    /// Number of cells that have it in their label.
    pub labels: usize,
}

/// The label of a cell: everything a query reads about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Label {
    /// The subgoals that the cell is linked to.
    pub vias: Vec<Cell>,
    /// Hubs and how to get there: first the vias themselves, then the hubs beyond
    /// them, via by via. A hub that several vias lead to is listed several times.
    pub entries: Vec<LabelEntry>,
}

/// A hub in the label of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelEntry {
    /// Cell of the hub.
    pub hub: Cell,
    /// Cell of the via that the way there begins with; may be the hub itself.
    pub via: Cell,
    /// Cost from the cell over the via to the hub.
    pub cost: Cost,
    /// Rank of the hub.
    rank: usize,
    /// Rank of the via.
    via_rank: usize,
}

impl LabelEntry {
    /// The hub's place in the order of importance; 0 is the most important.
    pub const fn rank(&self) -> usize {
        self.rank
    }
}

/// The hub at which the labels of two cells meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The common hub with the smallest sum of distances.
    pub hub: Cell,
    /// The via of the start that leads there.
    pub start_via: Cell,
    /// The via of the goal that leads there.
    pub goal_via: Cell,
    /// The cost of a shortest path.
    pub cost: Cost,
}

impl<'l> Inspector<'l> {
    /// Opens the labels of a map for inspection. Returns `None` if they belong to
    /// another map, or do not cover all cells.
    pub fn new(labels: &'l GridLabels, grid: &'l Grid) -> Option<Self> {
        labels.full().filter(|_| labels.is_current(grid)).map(|full| Self::of_full(full, grid))
    }

    fn of_full(full: &'l Full, grid: &'l Grid) -> Self {
        let ranks = (full.part(Part::First).len() / size_of::<u32>()).saturating_sub(1);
        let mut inspector = Self { grid, full, places: vec![None; ranks] };
        for block in inspector.blocks() {
            let Some((record, _)) = inspector.record(block.min()) else { continue };
            for (cell, rank) in (0..record.via_count()).filter_map(|at| record.via(at)) {
                // Padding of the last group has a rank beyond the last.
                if let Some(place) = inspector.places.get_mut(rank) {
                    *place = Some(cell).filter(|&cell| grid.contains(cell));
                }
            }
        }
        inspector
    }

    /// The block of a cell, that is, the cells that share a record with it; `None`
    /// if the cell is off the map.
    pub fn block(&self, cell: Cell) -> Option<Rect> {
        let inside = (1 << self.full.segments.shift) - 1;
        let (first, area) = (Cell::new(cell.x & !inside, cell.y & !inside), self.grid.area());
        let last = Cell::new((first.x | inside).min(area.max().x), (first.y | inside).min(area.max().y));
        area.contains(cell).then(|| Rect::spanning(first, last))
    }

    /// Returns every hub that is in some label, the most important first.
    ///
    /// # Complexity
    /// Reads the labels of all cells.
    pub fn hubs(&self) -> Vec<Hub> {
        let mut counts = vec![0; self.places.len()];
        let mut last_seen = vec![None; self.places.len()];
        for block in self.blocks() {
            for cell in block.cells() {
                for entry in self.entries(cell) {
                    if last_seen[entry.rank].replace(cell) != Some(cell) {
                        counts[entry.rank] += 1;
                    }
                }
            }
        }
        let hubs = self.places.iter().zip(counts).enumerate();
        let known = hubs.filter_map(|(rank, (&cell, labels))| Some(Hub { cell: cell?, rank, labels }));
        known.filter(|hub| hub.labels > 0).collect()
    }

    /// The label of a cell; `None` if it is blocked or off the map.
    pub fn label(&self, cell: Cell) -> Option<Label> {
        if !self.grid.contains(cell) || !self.grid.is_free(cell) {
            return None;
        }
        let vias = self.record(cell).map(|(record, position)| {
            record.links(position).filter_map(|via| record.via(via)).map(|(via, _)| via).collect()
        });
        Some(Label { vias: vias.unwrap_or_default(), entries: self.entries(cell) })
    }

    /// Returns the cells on the way from a cell to a hub in its label, both
    /// included; `None` if `entry` is not in the label of the cell.
    pub fn way(&self, cell: Cell, entry: &LabelEntry) -> Option<Vec<Cell>> {
        if !self.entries(cell).contains(entry) {
            return None;
        }
        let view = self.full.view();
        let all = view.part(Part::Tracks).ok()?;
        let mut cells = vec![cell; self.most_cells()];
        let mut sink = Cells::new(&mut cells, usize::MAX);
        view.go(cell, entry.via, &mut sink)?;
        let mut next = view.entry(entry.via_rank, entry.rank).ok()?;
        while let Some(here) = next {
            let (track, onward) = view.hop(here).ok()?;
            sink.forward(all, track as usize)?;
            next = onward;
        }
        let count = sink.last + 1;
        cells.truncate(count);
        Some(cells)
    }

    /// Returns the hub at which the labels of two free cells meet. Returns `None`
    /// if they have no common hub, or if no label is needed because a diagonal run
    /// and then a straight one lead from one to the other.
    pub fn meeting(&self, start: Cell, goal: Cell) -> Option<Meeting> {
        let free = |cell| self.grid.contains(cell) && self.grid.is_free(cell);
        if !free(start) || !free(goal) || self.grid.is_diagonal_first(start, goal) {
            return None;
        }
        let mut scratch = LabelScratch::default();
        let found = self.full.view().meet(start, goal, scratch.working(self.most_cells())).ok()??;
        let meeting::Meeting { cost, hub, from, to } = found;
        let via = |cell: Cell, position: usize| self.record(cell)?.0.via(position).map(|(via, _)| via);
        Some(Meeting {
            hub: *self.places.get(hub)?.as_ref()?,
            start_via: via(start, from)?,
            goal_via: via(goal, to)?,
            cost: self.full.measure.cost(cost),
        })
    }

    /// The entries of a cell's label that are not damaged.
    fn entries(&self, cell: Cell) -> Vec<LabelEntry> {
        let Some((record, position)) = self.record(cell) else { return Vec::new() };
        let mut vias = vec![None; record.via_count()];
        record.links(position).for_each(|via| vias[via] = record.via(via));
        let own = record.links(position).filter_map(|at| Some((vias[at]?, vias[at]?.1, 0)));
        let stored = record.entries().filter_map(|entry| {
            let via = (*vias.get(entry.via())?)?;
            Some((via, entry.hub(), entry.cost()))
        });
        let all = own.chain(stored).filter_map(|((via, via_rank), rank, cost)| {
            let hub = (*self.places.get(rank)?)?;
            let cost = self.full.measure.distance(cell, via).saturating_add(cost);
            Some(LabelEntry { hub, via, cost: self.full.measure.cost(cost), rank, via_rank })
        });
        all.collect()
    }

    /// The record of a cell's block, and the position of the cell in it.
    fn record(&self, cell: Cell) -> Option<(Record<'l>, usize)> {
        self.full.view().record(cell).ok()?
    }

    /// All blocks in reading order.
    fn blocks(&self) -> Vec<Rect> {
        let side = 1 << self.full.segments.shift;
        let firsts = |length: usize| (0..length as u16).step_by(side);
        let rows = firsts(self.grid.height());
        let corners = rows.flat_map(|y| firsts(self.grid.width()).map(move |x| Cell::new(x, y)));
        corners.filter_map(|corner| self.block(corner)).collect()
    }

    /// Room for any path, with the surplus that copying tracks needs.
    fn most_cells(&self) -> usize {
        self.full.room
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::LabelSettings;

    /// Inspects everything, and counts what was seen.
    fn look(full: &Full, grid: &Grid) -> usize {
        let inspector = Inspector::of_full(full, grid);
        let mut seen = inspector.hubs().len();
        for cell in grid.area().cells() {
            let label = inspector.label(cell).unwrap_or_default();
            seen += label.entries.iter().filter_map(|entry| inspector.way(cell, entry)).count();
        }
        seen + usize::from(inspector.meeting(Cell::new(0, 0), Cell::new(9, 3)).is_some())
    }

    #[test]
    fn damaged_labels_are_inspected_without_a_panic() {
        let grid = Grid::from_ascii("..........\n.##..#..#.\n....#.....\n.#.....##.\n..........").unwrap();
        let labels = GridLabels::build(&grid, LabelSettings::default());
        let full = labels.full().unwrap();
        let (whole, bytes) = (look(full, &grid), full.segments.bytes());
        let damage = |bytes: Vec<u8>| Full { segments: full.segments.with_bytes(bytes), ..full.clone() };
        let mut differing = 0;
        for at in (0..bytes.len()).step_by(5) {
            let mut damaged = bytes.to_vec();
            damaged[at] ^= 0xff >> (at % 5);
            differing += usize::from(look(&damage(damaged), &grid) != whole);
        }
        assert!(differing > 50, "{differing}");
        for end in (0..bytes.len()).step_by(7) {
            assert!(look(&damage(bytes[..end].to_vec()), &grid) <= whole);
        }
    }
}
