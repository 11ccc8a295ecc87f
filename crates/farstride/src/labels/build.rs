//! Making labels of all cells.

use super::blocks::{Labeller, Made, TooMany, Work};
use super::full::{ARRIVED, Full, PARTS, is_four_connected};
use super::measure::{FAR, Measure};
use super::record::{ALIGNMENT, MOST_HUBS, Record};
use super::stretches::Stretches;
use super::tracks;
use crate::base::crew::Crew;
use crate::base::{Cell, Trail};
use crate::contraction::{ContractionHierarchy, UpArc};
use crate::grid::Grid;
use crate::hublabel::HubLabels;
use crate::subgoal::TautGraph;
use std::sync::Arc;

/// One block of so many is made to see how large all are.
pub(super) const SAMPLE: usize = 16;
/// Blocks from which on a sample is off by a few hundredths only.
const LARGE: usize = 1 << 12;
/// One block in so many, at least, is taken to have a cell that is linked to a
/// subgoal: so a map that is far too large is refused before anything is made.
const SPARSE: u64 = 16;
/// Bytes of an entry of the label of a subgoal.
const ENTRY_BYTES: u64 = 12;
/// Bytes of a cell of a track.
const CELL_BYTES: u64 = 2;

/// What labels of cells are made of.
#[derive(Clone, Copy)]
pub(super) struct Ingredients<'i> {
    pub(super) grid: &'i Grid,
    pub(super) graph: &'i TautGraph,
    pub(super) hierarchy: &'i ContractionHierarchy,
    pub(super) labels: &'i HubLabels,
}

impl Ingredients<'_> {
    /// Where the subgoal of a rank lies.
    pub(super) fn cell(&self, rank: u32) -> Cell {
        self.graph.cells[self.hierarchy.node_at(rank).index()]
    }

    /// Labels of all cells, in blocks of `1 << shift` cells to a side; `None`
    /// if they take more bytes than the budget, or numbers get too large for
    /// records.
    pub(super) fn full(self, shift: u32, budget: u64, crew: &Crew<'_>) -> Option<Full> {
        let Self { grid, hierarchy, .. } = self;
        let measure = Measure::new(grid.rules());
        self.check_costs(measure)?;
        if hierarchy.node_count() >= MOST_HUBS {
            return None;
        }
        let side = 1_usize << shift;
        let (columns, rows) = (grid.width().div_ceil(side), grid.height().div_ceil(side));
        let others = self.least_bytes(measure);
        let budget = budget.checked_sub(others)?;
        if (columns * rows * Record::LEAST) as u64 / SPARSE > budget {
            return None;
        }
        let Records { blocks, bytes: records, used } = self.records(shift, [columns, rows], budget, crew)?;
        let Pruned { first, hubs, hops, farthest, tracks } = self.prune(&used)?;
        let parts = [words(blocks), records, words(first), words(hubs), words(hops), tracks];
        let mut at = 0;
        let ranges: [_; PARTS] = std::array::from_fn(|part| {
            let start = at;
            at += parts[part].len();
            start..at
        });
        let full = Full {
            bytes: Arc::new(parts.concat()),
            parts: ranges,
            measure,
            four_connected: is_four_connected(grid.rules().diagonals),
            shift,
            columns,
            longest: 0,
            room: 0,
        };
        let longest = full.longest_of(farthest, grid.width(), grid.height()) as u32;
        let full = full.with_longest(longest);
        (full.byte_count() as u64 <= budget + others).then_some(full)
    }

    /// Whether twice the farthest hub, and a link at each end, is a distance.
    fn check_costs(&self, measure: Measure) -> Option<()> {
        let farthest = u64::from(self.labels.costs().iter().copied().max().unwrap_or(0));
        let end = Cell::new(self.grid.width() as u16, self.grid.height() as u16);
        let longest = 2 * (farthest + u64::from(measure.distance(Cell::new(0, 0), end)));
        (longest < FAR.into()).then_some(())
    }

    /// Bytes that labels of subgoals and tracks are going to take at least, by
    /// experience: not all of them are used.
    fn least_bytes(&self, measure: Measure) -> u64 {
        let entries = self.labels.entry_count() as u64 * ENTRY_BYTES;
        let cells = |arc: &UpArc| measure.most_cells(arc.cost) as u64;
        let tracks = self.hierarchy.arcs().iter().map(cells).sum::<u64>() * CELL_BYTES;
        entries / 8 * 5 + tracks / 10 * 7
    }

    /// The records of all blocks; `None` if a sample says that they do not fit
    /// into the budget, or a block has too many vias.
    fn records(
        &self,
        shift: u32,
        [columns, rows]: [usize; 2],
        budget: u64,
        crew: &Crew<'_>,
    ) -> Option<Records> {
        let stretches = Stretches::find(self, shift, [columns, rows], crew);
        let labeller = Labeller::new(self);
        let make = |block: usize, work: &mut Work| {
            if !crew.is_wanted() {
                return Ok(None);
            }
            let [x, y] = [block % columns, block / columns].map(|place| (place << shift) as u16);
            labeller.record(Cell::new(x, y), 1 << shift, stretches.of_block(block), work)
        };
        let sample = crew.map((columns * rows).div_ceil(SAMPLE), |piece, work: &mut Work| {
            // Spread over rows and columns, whatever the width of the map.
            let block = (piece * SAMPLE + piece % SAMPLE).min(columns * rows - 1);
            make(block, work).map(|made| made.map_or(0, |made| made.record.len() as u64))
        });
        let sampled = sample.into_iter().sum::<Result<u64, TooMany>>().ok()?;
        // A little less than what it stands for, so that nothing is refused
        // that fits.
        let error = if columns * rows < LARGE { 10 } else { 30 };
        if sampled * SAMPLE as u64 / error * (error - 1) > budget {
            return None;
        }
        self.collect(crew.map(columns * rows, make))
    }

    /// The records of all blocks, one after the other; `None` if a block has too
    /// many vias.
    fn collect(&self, made: Vec<Result<Option<Made>, TooMany>>) -> Option<Records> {
        let mut all = Records {
            blocks: Vec::with_capacity(made.len()),
            bytes: vec![0; ALIGNMENT],
            used: vec![false; self.labels.entry_count()],
        };
        for block in made {
            let Some(block) = block.ok()? else {
                all.blocks.push(0);
                continue;
            };
            all.blocks.push((all.bytes.len() / ALIGNMENT) as u32);
            all.bytes.extend_from_slice(&block.record);
            block.used.into_iter().for_each(|entry| all.used[entry as usize] = true);
        }
        Some(all)
    }

    /// The labels of subgoals without entries that no path comes by. Also
    /// without those that have arrived: they are known by their rank. `None` if
    /// the tracks get too long.
    fn prune(&self, used: &[bool]) -> Option<Pruned> {
        let labels = self.labels;
        let mut used = used.to_vec();
        // Entries go on in labels of higher ranks, which come before.
        for rank in (0..labels.top()).rev() {
            for entry in labels.range(rank) {
                if !used[entry] {
                    continue;
                }
                if let Some(onward) = labels.onward(self.hierarchy, rank, entry as u32) {
                    used[onward.entry as usize] = true;
                }
            }
        }
        let mut pruned = Pruned { first: vec![0], ..Pruned::default() };
        pruned.tracks.resize(tracks::MARGIN, 0);
        let mut places = vec![ARRIVED; used.len()];
        let mut starts = vec![UNWRITTEN; self.hierarchy.arcs().len()];
        let (mut tracer, mut cells) = (Tracer::new(self), Vec::new());
        for rank in 0..self.hierarchy.node_count() as u32 {
            for entry in labels.range(rank) {
                if !used[entry] {
                    continue;
                }
                let Some(onward) = labels.onward(self.hierarchy, rank, entry as u32) else { continue };
                let start = &mut starts[onward.arc];
                if *start == UNWRITTEN {
                    *start = u32::try_from(pruned.tracks.len()).ok()?;
                    cells.clear();
                    tracer.trace(onward.arc, &mut cells)?;
                    tracks::write(&cells, &mut pruned.tracks);
                }
                places[entry] = pruned.hubs.len() as u32;
                pruned.hubs.push(labels.hubs()[entry]);
                pruned.farthest = pruned.farthest.max(labels.costs()[entry]);
                pruned.hops.extend([*start, places[onward.entry as usize]]);
            }
            pruned.first.push(pruned.hubs.len() as u32);
        }
        pruned.tracks.resize(pruned.tracks.len() + tracks::MARGIN, 0);
        Some(pruned)
    }
}

/// Records of blocks.
struct Records {
    /// Where the record of each block is.
    blocks: Vec<u32>,
    bytes: Vec<u8>,
    /// Which entries of labels they contain.
    used: Vec<bool>,
}

/// Labels of subgoals as queries read them.
#[derive(Default)]
struct Pruned {
    first: Vec<u32>,
    hubs: Vec<u32>,
    /// A track and the next entry for each entry.
    hops: Vec<u32>,
    /// What the farthest hub costs.
    farthest: u32,
    /// The tracks of arcs that entries begin with, in the order of the entries.
    tracks: Vec<u8>,
}

const UNWRITTEN: u32 = u32::MAX;

/// Writes out arcs.
struct Tracer<'t> {
    ingredients: &'t Ingredients<'t>,
    /// The lower end of each arc.
    tails: Vec<u32>,
    trail: Trail,
    leg: Vec<Cell>,
    /// Arcs to be written, and whether from the upper end.
    left: Vec<(usize, bool)>,
}

impl<'t> Tracer<'t> {
    fn new(ingredients: &'t Ingredients<'t>) -> Self {
        let hierarchy = ingredients.hierarchy;
        let ranks = 0..hierarchy.node_count() as u32;
        let tails = ranks.flat_map(|rank| hierarchy.range(rank).map(move |_| rank)).collect();
        Self { ingredients, tails, trail: Trail::default(), leg: Vec::new(), left: Vec::new() }
    }

    /// Writes the cells of an arc from its lower end to its upper one. `None`
    /// if the hierarchy does not hold what the arc leads over.
    fn trace(&mut self, arc: usize, cells: &mut Vec<Cell>) -> Option<()> {
        let Ingredients { grid, hierarchy, .. } = *self.ingredients;
        self.left.push((arc, false));
        while let Some((arc, down)) = self.left.pop() {
            let (tail, UpArc { head, via, .. }) = (self.tails[arc], hierarchy.arcs()[arc]);
            let (from, to) = if down { (head, tail) } else { (tail, head) };
            if via != UpArc::NONE {
                self.left.push((hierarchy.arc_to(via, to)?, false));
                self.left.push((hierarchy.arc_to(via, from)?, true));
                continue;
            }
            self.trail.restart(self.ingredients.cell(from));
            grid.push_diagonal_first(&mut self.trail, self.ingredients.cell(to));
            self.trail.cells_into(&mut self.leg);
            let known = usize::from(!cells.is_empty());
            cells.extend_from_slice(&self.leg[known..]);
        }
        Some(())
    }
}

fn words(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}
