//! Making labels of all cells.

use super::blocks::{Labeller, TooMany, Work, halves};
use super::full::{Full, NO_ARC, PARTS, is_four_connected};
use super::measure::{FAR, Measure};
use super::record::{ALIGNMENT, MOST_HUBS};
use super::tracks;
use crate::base::crew::Crew;
use crate::base::{Cell, Rect, Trail};
use crate::contraction::{ContractionHierarchy, UpArc};
use crate::grid::Grid;
use crate::hublabel::HubLabels;
use crate::subgoal::TautGraph;
use std::sync::Arc;

/// What labels of cells are made of.
#[derive(Clone, Copy)]
pub(super) struct Ingredients<'i> {
    pub(super) grid: &'i Grid,
    pub(super) graph: &'i TautGraph,
    pub(super) hierarchy: &'i ContractionHierarchy,
    pub(super) labels: &'i HubLabels,
}

impl Ingredients<'_> {
    /// Labels of all cells, in blocks of `1 << shift` cells to a side; `None`
    /// if numbers get too large for records.
    pub(super) fn full(self, shift: u32, crew: &Crew<'_>) -> Option<Full> {
        let Self { grid, hierarchy, labels, .. } = self;
        let measure = Measure::new(grid.rules());
        let longest = self.longest(measure)?;
        if hierarchy.node_count() >= MOST_HUBS {
            return None;
        }
        let side = 1_usize << shift;
        let (columns, rows) = (grid.width().div_ceil(side), grid.height().div_ceil(side));
        let (blocks, records) = self.records(shift, columns, rows, crew).ok()?;
        let (starts, tracks) = self.tracks()?;
        let hops = labels.arcs().iter().zip(labels.nexts()).flat_map(|(&arc, &next)| match arc {
            HubLabels::NONE => [NO_ARC, 0],
            arc => [arc, next],
        });
        let parts = [
            words(blocks),
            records,
            words(labels.first().iter().copied()),
            words(labels.hubs().iter().copied()),
            words(hops),
            words(starts),
            tracks,
        ];
        let mut at = 0;
        let ranges: [_; PARTS] = std::array::from_fn(|part| {
            let start = at;
            at += parts[part].len();
            start..at
        });
        Some(Full {
            bytes: Arc::new(parts.concat()),
            parts: ranges,
            measure,
            four_connected: is_four_connected(grid.rules().diagonals),
            shift,
            columns,
            longest,
        })
    }

    /// Twice the farthest hub, and a link at each end, if that is a distance.
    fn longest(&self, measure: Measure) -> Option<u32> {
        let farthest = u64::from(self.labels.costs().iter().copied().max().unwrap_or(0));
        let corners = (Cell::new(0, 0), Cell::new(self.grid.width() as u16, self.grid.height() as u16));
        let longest = 2 * (farthest + u64::from(measure.distance(corners.0, corners.1)));
        (longest < FAR.into()).then_some(longest as u32)
    }

    /// Where the record of each block is, and the records.
    fn records(
        &self,
        shift: u32,
        columns: usize,
        rows: usize,
        crew: &Crew<'_>,
    ) -> Result<(Vec<u32>, Vec<u8>), TooMany> {
        let labeller = Labeller::new(self.grid, self.graph, self.hierarchy, self.labels);
        let made = crew.map(columns * rows, |block, work: &mut Work| {
            let area = block_area(self.grid, shift, block % columns, block / columns);
            labeller.record(area, 1 << shift, work)
        });
        let mut blocks = Vec::with_capacity(made.len());
        let mut records = vec![0; ALIGNMENT];
        for record in made {
            let Some(record) = record? else {
                blocks.push(0);
                continue;
            };
            blocks.push((records.len() / ALIGNMENT) as u32);
            records.extend_from_slice(&record);
        }
        Ok((blocks, records))
    }

    /// Where the track of each arc is, and the tracks.
    fn tracks(&self) -> Option<(Vec<u32>, Vec<u8>)> {
        let Self { grid, graph, hierarchy, .. } = *self;
        let cell = |rank: u32| graph.cells[hierarchy.node_at(rank).index()];
        let (mut trail, mut leg, mut cells) = (Trail::default(), Vec::new(), Vec::new());
        let mut ranges = vec![0..0; hierarchy.arcs().len()];
        for rank in (0..hierarchy.node_count() as u32).rev() {
            for at in hierarchy.range(rank) {
                let UpArc { head, via, .. } = hierarchy.arcs()[at];
                let begin = cells.len();
                match halves(hierarchy, rank, head, via) {
                    None => {
                        trail.restart(cell(rank));
                        grid.push_diagonal_first(&mut trail, cell(head));
                        trail.cells_into(&mut leg);
                        cells.extend_from_slice(&leg);
                    }
                    Some((down, up)) => {
                        for at in ranges[down].clone().rev() {
                            cells.push(cells[at]);
                        }
                        cells.extend_from_within(ranges[up].start + 1..ranges[up].end);
                    }
                }
                ranges[at] = begin..cells.len();
            }
        }
        let mut bytes = vec![0; tracks::MARGIN];
        let mut starts = Vec::with_capacity(ranges.len());
        for range in ranges {
            starts.push(u32::try_from(bytes.len()).ok()?);
            tracks::write(&cells[range], &mut bytes);
        }
        bytes.resize(bytes.len() + tracks::MARGIN, 0);
        Some((starts, bytes))
    }
}

/// The part of the map that a block covers.
pub(super) fn block_area(grid: &Grid, shift: u32, column: usize, row: usize) -> Rect {
    let at = |place: usize, end: usize| ((place << shift).min(end - 1)) as u16;
    let first = Cell::new(at(column, grid.width()), at(row, grid.height()));
    let last = |place: usize, end: usize| (((place + 1) << shift).min(end) - 1) as u16;
    Rect::spanning(first, Cell::new(last(column, grid.width()), last(row, grid.height())))
}

fn words(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}
